-- People. A deleted account keeps its id and nothing that names a person.
CREATE TABLE accounts (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    -- Name and mail in lower case: two accounts must not differ by case alone.
    name_key TEXT NOT NULL UNIQUE,
    mail TEXT,
    mail_key TEXT UNIQUE,
    -- argon2id in its usual notation; nothing for those who only use login links.
    password TEXT,
    language TEXT NOT NULL,
    zone TEXT NOT NULL,
    admin BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL,
    -- When the owner of the mail address proved to be the owner of the account.
    confirmed_at BIGINT,
    deleted_at BIGINT
);

-- A link is a token in a mail. Only its hash is stored: who reads the database cannot sign in with it.
CREATE TABLE login_links (
    hash BLOB NOT NULL PRIMARY KEY,
    account TEXT NOT NULL REFERENCES accounts (id),
    -- The address it was sent to: a link to an old address proves nothing about the new one.
    mail_key TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at BIGINT
);
CREATE INDEX login_links_account ON login_links (account);

CREATE TABLE sessions (
    id TEXT NOT NULL PRIMARY KEY,
    -- Hash of the token in the cookie.
    hash BLOB NOT NULL UNIQUE,
    account TEXT NOT NULL REFERENCES accounts (id),
    -- How it began: by password or by link.
    began_by TEXT NOT NULL,
    device TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    seen_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX sessions_account ON sessions (account);

-- Counted attempts by subject: guesses at one account, guesses from one address, links asked for, accounts made.
CREATE TABLE attempts (
    subject TEXT NOT NULL PRIMARY KEY,
    count BIGINT NOT NULL,
    last_at BIGINT NOT NULL,
    -- Nothing is taken from this subject before.
    until_at BIGINT NOT NULL
);
CREATE INDEX attempts_last ON attempts (last_at);

-- public: anybody may join; invitation: with a code; closed: nobody.
ALTER TABLE worlds ADD COLUMN admission TEXT NOT NULL DEFAULT 'invitation';
-- What the public list says about the world.
ALTER TABLE worlds ADD COLUMN introduction TEXT NOT NULL DEFAULT '';
-- Whether somebody may take the seat without being invited to just this one.
ALTER TABLE seats ADD COLUMN vacant BIGINT NOT NULL DEFAULT 0;

CREATE TABLE game_masters (
    world TEXT NOT NULL REFERENCES worlds (id),
    account TEXT NOT NULL REFERENCES accounts (id),
    since BIGINT NOT NULL,
    PRIMARY KEY (world, account)
);
CREATE INDEX game_masters_account ON game_masters (account);

-- Who holds which seat now. Nobody holds two in one world.
CREATE TABLE holders (
    world TEXT NOT NULL REFERENCES worlds (id),
    realm BIGINT NOT NULL,
    account TEXT NOT NULL REFERENCES accounts (id),
    since BIGINT NOT NULL,
    PRIMARY KEY (world, realm),
    UNIQUE (world, account)
);
CREATE INDEX holders_account ON holders (account);

CREATE TABLE invitations (
    code TEXT NOT NULL PRIMARY KEY,
    world TEXT NOT NULL REFERENCES worlds (id),
    -- player or master.
    role TEXT NOT NULL,
    -- For this seat only, or for any vacant one.
    realm BIGINT,
    uses_left BIGINT NOT NULL,
    note TEXT NOT NULL,
    created_by TEXT REFERENCES accounts (id),
    created_at BIGINT NOT NULL,
    expires_at BIGINT
);
CREATE INDEX invitations_world ON invitations (world);

-- Somebody acts for a seat from one moment to another.
CREATE TABLE stand_ins (
    world TEXT NOT NULL REFERENCES worlds (id),
    realm BIGINT NOT NULL,
    account TEXT NOT NULL REFERENCES accounts (id),
    from_at BIGINT NOT NULL,
    until_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (world, realm, account)
);
CREATE INDEX stand_ins_account ON stand_ins (account);
