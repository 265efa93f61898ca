-- What a player has written for a step and not yet sealed. Numbers grow; the highest is what the editor shows. Nobody but
-- the realm's own player reads it.
CREATE TABLE drafts (
    world TEXT COLLATE "C" NOT NULL REFERENCES worlds (id),
    step BIGINT NOT NULL,
    realm BIGINT NOT NULL,
    number BIGINT NOT NULL,
    -- What made it: auto, saved, upload, restored.
    kind TEXT COLLATE "C" NOT NULL,
    file BYTEA NOT NULL,
    digest BYTEA NOT NULL,
    bytes BIGINT NOT NULL,
    began_at BIGINT NOT NULL,
    saved_at BIGINT NOT NULL,
    PRIMARY KEY (world, step, realm, number)
);
