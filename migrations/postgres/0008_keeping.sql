-- Plans of worlds that their founders are still thinking about, one for each account.
CREATE TABLE world_plans (
    account TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES accounts (id),
    plan TEXT COLLATE "C" NOT NULL,
    changed_at BIGINT NOT NULL
);

-- How many changes of the world by hand a judgement makes; 0 for every other judgement.
ALTER TABLE judgements ADD COLUMN changes BIGINT NOT NULL DEFAULT 0;

-- Nobody can sign in with a locked account.
ALTER TABLE accounts ADD COLUMN locked_at BIGINT;

-- What administrators did, for the host as a whole.
CREATE TABLE host_record (
    number BIGINT NOT NULL PRIMARY KEY,
    at BIGINT NOT NULL,
    who TEXT COLLATE "C" NOT NULL,
    deed TEXT COLLATE "C" NOT NULL,
    detail TEXT COLLATE "C" NOT NULL
);
