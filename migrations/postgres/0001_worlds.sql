-- Times are milliseconds since 1970 in UTC, ids are text, numbers are integers: the same on every database.
-- A viewer is the number of a realm; 0 is the game master. An owner of dice is the number of a realm; 0 is the world.

CREATE TABLE worlds (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    name TEXT COLLATE "C" NOT NULL UNIQUE,
    game TEXT COLLATE "C" NOT NULL,
    -- The world's secret, from which the keys of all dice follow. It leaves the host only with an export.
    secret BYTEA NOT NULL,
    -- The step that is open for orders.
    open_step BIGINT NOT NULL,
    -- Grows with every order file and judgement, so that a step never misses one that came while it ran.
    inputs BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL
);

CREATE TABLE seats (
    world TEXT COLLATE "C" NOT NULL REFERENCES worlds (id),
    realm BIGINT NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    player TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    computer BIGINT NOT NULL,
    PRIMARY KEY (world, realm)
);

-- One row for the creation of the world and one for every step that was run.
CREATE TABLE steps (
    world TEXT COLLATE "C" NOT NULL REFERENCES worlds (id),
    number BIGINT NOT NULL,
    digest BYTEA NOT NULL,
    state BYTEA NOT NULL,
    -- Recorded input, questions for the game master and dice; nothing at the creation.
    input BYTEA,
    requests BYTEA,
    rolls BYTEA,
    events BIGINT NOT NULL,
    program TEXT COLLATE "C" NOT NULL,
    ran_at BIGINT NOT NULL,
    PRIMARY KEY (world, number)
);

-- Seals of the dice keys of a step, written before its orders are due.
CREATE TABLE seals (
    world TEXT COLLATE "C" NOT NULL REFERENCES worlds (id),
    step BIGINT NOT NULL,
    owner BIGINT NOT NULL,
    seal BYTEA NOT NULL,
    PRIMARY KEY (world, step, owner)
);

CREATE TABLE views (
    world TEXT COLLATE "C" NOT NULL REFERENCES worlds (id),
    step BIGINT NOT NULL,
    viewer BIGINT NOT NULL,
    view BYTEA NOT NULL,
    PRIMARY KEY (world, step, viewer)
);

-- Every order file that ever arrived; the last one of a realm counts.
CREATE TABLE submissions (
    world TEXT COLLATE "C" NOT NULL REFERENCES worlds (id),
    step BIGINT NOT NULL,
    realm BIGINT NOT NULL,
    attempt BIGINT NOT NULL,
    file BYTEA NOT NULL,
    receipt BYTEA NOT NULL,
    source TEXT COLLATE "C" NOT NULL,
    received_at BIGINT NOT NULL,
    PRIMARY KEY (world, step, realm, attempt)
);

-- Answers (with the name of the request) and edicts (with an empty one) of the game master.
CREATE TABLE judgements (
    world TEXT COLLATE "C" NOT NULL REFERENCES worlds (id),
    step BIGINT NOT NULL,
    number BIGINT NOT NULL,
    request TEXT COLLATE "C" NOT NULL,
    ruling TEXT COLLATE "C" NOT NULL,
    reason TEXT COLLATE "C" NOT NULL,
    withdrawn BIGINT NOT NULL DEFAULT 0,
    given_at BIGINT NOT NULL,
    PRIMARY KEY (world, step, number)
);

CREATE TABLE audit (
    world TEXT COLLATE "C" NOT NULL REFERENCES worlds (id),
    number BIGINT NOT NULL,
    at BIGINT NOT NULL,
    deed TEXT COLLATE "C" NOT NULL,
    detail TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (world, number)
);
