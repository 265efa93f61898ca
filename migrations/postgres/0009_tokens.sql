-- Keys with which programs of a player speak to the host. A key is shown once, when it is made; only its hash is stored.
CREATE TABLE tokens (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    hash BYTEA NOT NULL UNIQUE,
    account TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
    -- What its owner calls it.
    name TEXT COLLATE "C" NOT NULL,
    -- What it may do: read or write.
    scope TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    -- The last use, to within minutes.
    used_at BIGINT,
    expires_at BIGINT
);
CREATE INDEX tokens_account ON tokens (account);
