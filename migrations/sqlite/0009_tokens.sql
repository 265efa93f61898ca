-- Keys with which programs of a player speak to the host. A key is shown once, when it is made; only its hash is stored.
CREATE TABLE tokens (
    id TEXT NOT NULL PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    account TEXT NOT NULL REFERENCES accounts (id),
    -- What its owner calls it.
    name TEXT NOT NULL,
    -- What it may do: read or write.
    scope TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    -- The last use, to within minutes.
    used_at BIGINT,
    expires_at BIGINT
);
CREATE INDEX tokens_account ON tokens (account);
