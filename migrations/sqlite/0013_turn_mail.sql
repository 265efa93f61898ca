-- Whether and how an account is told by mail of turns that were run: none, notice, or full (with the report).
ALTER TABLE accounts ADD COLUMN turn_mail TEXT NOT NULL DEFAULT 'notice';
