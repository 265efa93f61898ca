-- Deeds that count once, however often they are sent: a form or a call with a number leaves its mark in the transaction of the deed.
-- A mark tells nothing about who did what; it is forgotten after some days.
CREATE TABLE once (
    mark TEXT NOT NULL PRIMARY KEY,
    at BIGINT NOT NULL
);
CREATE INDEX once_at ON once (at);
