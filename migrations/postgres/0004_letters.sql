-- How letters go in a world; without a row the custom of its game holds.
CREATE TABLE post_customs (
    world TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES worlds (id),
    -- at-once, step-end or order-file.
    delivery TEXT COLLATE "C" NOT NULL,
    -- Whether letters between realms pass the game master's desk.
    desk BIGINT NOT NULL,
    rumours BIGINT NOT NULL,
    proclamations BIGINT NOT NULL,
    per_day BIGINT NOT NULL
);

-- A correspondent is the number of a realm; 0 is the game master. No account is named anywhere in this file.
CREATE TABLE letters (
    -- Random: it tells nothing about other letters.
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    world TEXT COLLATE "C" NOT NULL REFERENCES worlds (id),
    author BIGINT NOT NULL,
    -- letter, proclamation or rumour.
    kind TEXT COLLATE "C" NOT NULL,
    -- draft, desk, waiting, delivered or returned.
    state TEXT COLLATE "C" NOT NULL,
    -- The first letter of the exchange.
    thread TEXT COLLATE "C" NOT NULL,
    answers TEXT COLLATE "C",
    subject TEXT COLLATE "C" NOT NULL,
    body TEXT COLLATE "C" NOT NULL,
    signature TEXT COLLATE "C" NOT NULL,
    -- What a search looks through, in lower case.
    words TEXT COLLATE "C" NOT NULL,
    -- Whether the game master may read it because it passed his desk.
    over_desk BIGINT NOT NULL,
    -- Why he turned it back.
    remark TEXT COLLATE "C" NOT NULL,
    -- The step that was open when it was sent, and its name.
    step BIGINT,
    season TEXT COLLATE "C",
    touched_at BIGINT NOT NULL,
    sent_at BIGINT,
    delivered_at BIGINT
);
CREATE INDEX letters_author ON letters (world, author, state);
CREATE INDEX letters_state ON letters (world, state);
CREATE INDEX letters_thread ON letters (thread);

CREATE TABLE letter_recipients (
    letter TEXT COLLATE "C" NOT NULL REFERENCES letters (id),
    world TEXT COLLATE "C" NOT NULL REFERENCES worlds (id),
    realm BIGINT NOT NULL,
    read_at BIGINT,
    filed BIGINT NOT NULL,
    -- Not taken: the recipient had blocked the author when it came.
    refused BIGINT NOT NULL,
    PRIMARY KEY (letter, realm)
);
CREATE INDEX letter_recipients_realm ON letter_recipients (world, realm);

CREATE TABLE letter_blocks (
    world TEXT COLLATE "C" NOT NULL REFERENCES worlds (id),
    realm BIGINT NOT NULL,
    blocked BIGINT NOT NULL,
    since BIGINT NOT NULL,
    PRIMARY KEY (world, realm, blocked)
);

CREATE TABLE letter_reports (
    letter TEXT COLLATE "C" NOT NULL REFERENCES letters (id),
    world TEXT COLLATE "C" NOT NULL REFERENCES worlds (id),
    realm BIGINT NOT NULL,
    reason TEXT COLLATE "C" NOT NULL,
    at BIGINT NOT NULL,
    answer TEXT COLLATE "C",
    PRIMARY KEY (letter, realm)
);
CREATE INDEX letter_reports_world ON letter_reports (world);

CREATE TABLE post_preferences (
    world TEXT COLLATE "C" NOT NULL REFERENCES worlds (id),
    realm BIGINT NOT NULL,
    -- Whether a stand-in may read and write letters.
    stand_in BIGINT NOT NULL,
    signature TEXT COLLATE "C" NOT NULL,
    -- Whether the game master has stopped the letters of this realm.
    silenced BIGINT NOT NULL,
    PRIMARY KEY (world, realm)
);

-- Coats of arms that realms chose. A drawing was cleaned and written by this program.
CREATE TABLE arms (
    world TEXT COLLATE "C" NOT NULL REFERENCES worlds (id),
    realm BIGINT NOT NULL,
    -- How it was put together; nothing for one that was brought along.
    blazon TEXT COLLATE "C",
    drawing TEXT COLLATE "C" NOT NULL,
    changed_at BIGINT NOT NULL,
    PRIMARY KEY (world, realm)
);

CREATE TABLE newspapers (
    world TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES worlds (id),
    title TEXT COLLATE "C" NOT NULL,
    motto TEXT COLLATE "C" NOT NULL,
    price TEXT COLLATE "C" NOT NULL
);

-- A printed issue never changes; it keeps the head that the paper had then.
CREATE TABLE issues (
    world TEXT COLLATE "C" NOT NULL REFERENCES worlds (id),
    number BIGINT NOT NULL,
    step BIGINT NOT NULL,
    season TEXT COLLATE "C",
    place TEXT COLLATE "C" NOT NULL,
    published_at BIGINT,
    title TEXT COLLATE "C" NOT NULL DEFAULT '',
    motto TEXT COLLATE "C" NOT NULL DEFAULT '',
    price TEXT COLLATE "C" NOT NULL DEFAULT '',
    PRIMARY KEY (world, number)
);

-- Pictures that were cleaned and written by this program.
CREATE TABLE pictures (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    world TEXT COLLATE "C" NOT NULL REFERENCES worlds (id),
    media TEXT COLLATE "C" NOT NULL,
    width BIGINT NOT NULL,
    height BIGINT NOT NULL,
    bytes BYTEA NOT NULL
);

CREATE TABLE articles (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    world TEXT COLLATE "C" NOT NULL REFERENCES worlds (id),
    realm BIGINT NOT NULL,
    section TEXT COLLATE "C" NOT NULL,
    -- submitted, accepted or rejected.
    state TEXT COLLATE "C" NOT NULL,
    issue BIGINT,
    position BIGINT NOT NULL,
    title TEXT COLLATE "C" NOT NULL,
    deck TEXT COLLATE "C" NOT NULL,
    body TEXT COLLATE "C" NOT NULL,
    byline TEXT COLLATE "C" NOT NULL,
    caption TEXT COLLATE "C" NOT NULL,
    picture TEXT COLLATE "C" REFERENCES pictures (id),
    reason TEXT COLLATE "C" NOT NULL,
    -- Whether the editor changed the author's words.
    edited BIGINT NOT NULL,
    -- The proclamation or rumour that it repeats.
    source TEXT COLLATE "C",
    touched_at BIGINT NOT NULL
);
CREATE INDEX articles_issue ON articles (world, issue);
CREATE INDEX articles_state ON articles (world, state);
CREATE INDEX articles_picture ON articles (picture);
