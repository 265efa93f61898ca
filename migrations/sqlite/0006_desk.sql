-- Who did it: an account, or nothing for the command line and the host itself.
ALTER TABLE audit ADD COLUMN who TEXT NOT NULL DEFAULT '';

-- Turns that were taken back. The number of them is part of the name of a step's keys: dice that were seen never count again.
CREATE TABLE withdrawn_steps (
    world TEXT NOT NULL REFERENCES worlds (id),
    step BIGINT NOT NULL,
    attempt BIGINT NOT NULL,
    digest BLOB NOT NULL,
    state BLOB NOT NULL,
    input BLOB,
    reason TEXT NOT NULL,
    ran_at BIGINT NOT NULL,
    withdrawn_at BIGINT NOT NULL,
    PRIMARY KEY (world, step, attempt)
);

-- The open step as it was tried last.
CREATE TABLE trials (
    world TEXT NOT NULL PRIMARY KEY REFERENCES worlds (id),
    step BIGINT NOT NULL,
    -- What the world had taken in when it was tried.
    inputs BIGINT NOT NULL,
    run BLOB NOT NULL,
    tried_at BIGINT NOT NULL
);

CREATE TABLE trial_views (
    world TEXT NOT NULL REFERENCES worlds (id),
    viewer BIGINT NOT NULL,
    view BLOB NOT NULL,
    PRIMARY KEY (world, viewer)
);

-- The game master's own notes about a realm; 0 is the world.
CREATE TABLE notes (
    world TEXT NOT NULL REFERENCES worlds (id),
    realm BIGINT NOT NULL,
    text TEXT NOT NULL,
    written_at BIGINT NOT NULL,
    PRIMARY KEY (world, realm)
);

-- What players paid (positive) and what was charged (negative), in cents. Never changed, only added to.
CREATE TABLE ledger (
    world TEXT NOT NULL REFERENCES worlds (id),
    realm BIGINT NOT NULL,
    number BIGINT NOT NULL,
    cents BIGINT NOT NULL,
    reason TEXT NOT NULL,
    booked_at BIGINT NOT NULL,
    PRIMARY KEY (world, realm, number)
);

CREATE TABLE announcements (
    world TEXT NOT NULL REFERENCES worlds (id),
    number BIGINT NOT NULL,
    title TEXT NOT NULL,
    text TEXT NOT NULL,
    given_at BIGINT NOT NULL,
    PRIMARY KEY (world, number)
);
