-- With the end of which step a letter came, for those that waited for it; and whether that step was taken back after somebody
-- had read the letter. One that nobody had read waits again.
ALTER TABLE letters ADD COLUMN came_with BIGINT;
ALTER TABLE letters ADD COLUMN taken_back BIGINT NOT NULL DEFAULT 0;

-- Whether and how an account is told by mail of letters: none, notice (that one came) or full (what stands in it).
ALTER TABLE accounts ADD COLUMN letter_mail TEXT NOT NULL DEFAULT 'notice';

-- When a mail is of no use any more. What was sent, given up or dropped keeps no details.
ALTER TABLE outbox ADD COLUMN expires_at BIGINT;
UPDATE outbox SET details = '{}' WHERE done_at IS NOT NULL;

-- When an account last sat at its desk in a world, and when the visit before that one ended.
CREATE TABLE visits (
    world TEXT NOT NULL REFERENCES worlds (id),
    account TEXT NOT NULL REFERENCES accounts (id),
    seen_at BIGINT NOT NULL,
    before_at BIGINT,
    PRIMARY KEY (world, account)
);
