-- The step that a step opens: it follows from the state, and a large world need not be unpacked to learn who owes orders. Steps
-- that were stored before, or came in an archive, have none; then the state is asked.
ALTER TABLE steps ADD COLUMN opens BYTEA;
