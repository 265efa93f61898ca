-- Who did it: an account, or nothing for the command line and the host itself.
ALTER TABLE audit ADD COLUMN who TEXT COLLATE "C" NOT NULL DEFAULT '';

-- Turns that were taken back. The number of them is part of the name of a step's keys: dice that were seen never count again.
CREATE TABLE withdrawn_steps (
    world TEXT COLLATE "C" NOT NULL REFERENCES worlds (id),
    step BIGINT NOT NULL,
    attempt BIGINT NOT NULL,
    digest BYTEA NOT NULL,
    state BYTEA NOT NULL,
    input BYTEA,
    reason TEXT COLLATE "C" NOT NULL,
    ran_at BIGINT NOT NULL,
    withdrawn_at BIGINT NOT NULL,
    PRIMARY KEY (world, step, attempt)
);

-- The open step as it was tried last.
CREATE TABLE trials (
    world TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES worlds (id),
    step BIGINT NOT NULL,
    -- What the world had taken in when it was tried.
    inputs BIGINT NOT NULL,
    run BYTEA NOT NULL,
    tried_at BIGINT NOT NULL
);

CREATE TABLE trial_views (
    world TEXT COLLATE "C" NOT NULL REFERENCES worlds (id),
    viewer BIGINT NOT NULL,
    view BYTEA NOT NULL,
    PRIMARY KEY (world, viewer)
);

-- The game master's own notes about a realm; 0 is the world.
CREATE TABLE notes (
    world TEXT COLLATE "C" NOT NULL REFERENCES worlds (id),
    realm BIGINT NOT NULL,
    text TEXT COLLATE "C" NOT NULL,
    written_at BIGINT NOT NULL,
    PRIMARY KEY (world, realm)
);

-- What players paid (positive) and what was charged (negative), in cents. Never changed, only added to.
CREATE TABLE ledger (
    world TEXT COLLATE "C" NOT NULL REFERENCES worlds (id),
    realm BIGINT NOT NULL,
    number BIGINT NOT NULL,
    cents BIGINT NOT NULL,
    reason TEXT COLLATE "C" NOT NULL,
    booked_at BIGINT NOT NULL,
    PRIMARY KEY (world, realm, number)
);

CREATE TABLE announcements (
    world TEXT COLLATE "C" NOT NULL REFERENCES worlds (id),
    number BIGINT NOT NULL,
    title TEXT COLLATE "C" NOT NULL,
    text TEXT COLLATE "C" NOT NULL,
    given_at BIGINT NOT NULL,
    PRIMARY KEY (world, number)
);
