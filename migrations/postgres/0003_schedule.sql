-- Work to be done at a time, by whichever process comes first.
CREATE TABLE jobs (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    kind TEXT COLLATE "C" NOT NULL,
    -- One job of a kind for one key, ever: what was done is not done again.
    key TEXT COLLATE "C" NOT NULL,
    world TEXT COLLATE "C" REFERENCES worlds (id),
    run_at BIGINT NOT NULL,
    -- Whoever holds the lease works on it; a killed process holds it no longer than until then.
    lease TEXT COLLATE "C",
    lease_until BIGINT NOT NULL DEFAULT 0,
    attempts BIGINT NOT NULL DEFAULT 0,
    error TEXT COLLATE "C",
    created_at BIGINT NOT NULL,
    -- Done, or given up.
    done_at BIGINT,
    given_up BIGINT NOT NULL DEFAULT 0,
    UNIQUE (kind, key)
);
CREATE INDEX jobs_due ON jobs (done_at, run_at);

-- Mails to people. Their wording is made from kind and details when they are sent.
CREATE TABLE outbox (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    -- One mail for one key, ever.
    key TEXT COLLATE "C" NOT NULL UNIQUE,
    account TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
    kind TEXT COLLATE "C" NOT NULL,
    -- JSON.
    details TEXT COLLATE "C" NOT NULL,
    send_at BIGINT NOT NULL,
    lease TEXT COLLATE "C",
    lease_until BIGINT NOT NULL DEFAULT 0,
    attempts BIGINT NOT NULL DEFAULT 0,
    error TEXT COLLATE "C",
    created_at BIGINT NOT NULL,
    done_at BIGINT,
    given_up BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX outbox_due ON outbox (done_at, send_at);

-- The rhythm of a world. Without a row its game master sets every deadline.
CREATE TABLE rhythms (
    world TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES worlds (id),
    zone TEXT COLLATE "C" NOT NULL,
    -- A bit for every weekday, Monday is 1.
    weekdays BIGINT NOT NULL,
    -- Minutes after midnight by the clocks of the zone.
    minute BIGINT NOT NULL,
    -- Every how many weeks, counted from the week of this day (year-month-day).
    every_weeks BIGINT NOT NULL,
    anchor TEXT COLLATE "C" NOT NULL,
    -- Players have at least so many hours for their orders.
    hours_min BIGINT NOT NULL
);

-- What happens at the deadline of a world.
CREATE TABLE policies (
    world TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES worlds (id),
    -- Orders are taken in for so many minutes after the deadline.
    grace_minutes BIGINT NOT NULL,
    -- by-hand: the game master runs the turn; complete: it runs if nobody is missing; always: it runs.
    run TEXT COLLATE "C" NOT NULL,
    -- Whether it runs before the deadline as soon as nobody is missing.
    early BIGINT NOT NULL
);

-- Days on which no deadline falls (year-month-day, first and last).
CREATE TABLE pauses (
    world TEXT COLLATE "C" NOT NULL REFERENCES worlds (id),
    first_day TEXT COLLATE "C" NOT NULL,
    last_day TEXT COLLATE "C" NOT NULL,
    note TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (world, first_day, last_day)
);

CREATE TABLE deadlines (
    world TEXT COLLATE "C" NOT NULL REFERENCES worlds (id),
    step BIGINT NOT NULL,
    due_at BIGINT NOT NULL,
    grace_until BIGINT NOT NULL,
    PRIMARY KEY (world, step)
);

-- When somebody wants to be reminded: minutes before the deadline, with commas; an empty text is never.
CREATE TABLE reminders (
    world TEXT COLLATE "C" NOT NULL REFERENCES worlds (id),
    account TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
    minutes TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (world, account)
);

CREATE TABLE absences (
    world TEXT COLLATE "C" NOT NULL REFERENCES worlds (id),
    realm BIGINT NOT NULL,
    from_at BIGINT NOT NULL,
    until_at BIGINT NOT NULL,
    -- Whether the computer plays meanwhile.
    computer BIGINT NOT NULL,
    note TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (world, realm, from_at)
);

-- Realms that owed orders for a turn and sent none.
CREATE TABLE misses (
    world TEXT COLLATE "C" NOT NULL REFERENCES worlds (id),
    step BIGINT NOT NULL,
    realm BIGINT NOT NULL,
    excused BIGINT NOT NULL,
    PRIMARY KEY (world, step, realm)
);
