//! Bounds of the host, beside those of the kernel.

/// Characters of a world's, realm's or player's name.
pub const NAME_CHARACTERS: usize = 80;
/// Order files that one realm may send for one step: a player who mends and sends again is welcome, a loop is not.
pub const ATTEMPTS: i64 = 1_000;
/// Characters of a judgement, of its reason and of a letter.
pub const JUDGEMENT_CHARACTERS: usize = 64 * 1024;
/// Bytes of a sheet with changes of a world by hand.
pub const SHEET_BYTES: usize = 8 * 1024 * 1024;
/// Bytes of the plan of a world that is not made yet.
pub const PLAN_BYTES: usize = 256 * 1024;
/// Worlds in one store.
pub const WORLDS: i64 = 10_000;
/// Steps that are told in one piece.
pub const STEPS_RETOLD: i64 = 400;
/// Bytes of one record of an exported world, unpacked.
pub const RECORD_BYTES: usize = kernel::limits::STATE_BYTES;
/// Records of an exported world.
pub const RECORDS: u64 = 50_000_000;
/// Bytes of an exported world, unpacked.
pub const ARCHIVE_BYTES: u64 = 64 << 30;
/// How often a step is run anew because orders came while it ran; the last time they have to wait.
pub const RUN_ATTEMPTS: u32 = 5;
/// Accounts in one store.
pub const ACCOUNTS: i64 = 1_000_000;
/// Bytes of a mail address.
pub const MAIL_BYTES: usize = 254;
/// Characters that a password needs.
pub const PASSWORD_CHARACTERS_MIN: usize = 10;
/// Characters of a password.
pub const PASSWORD_CHARACTERS: usize = 256;
/// Sessions of one account at the same time; the longest unvisited goes when one more begins.
pub const SESSIONS: i64 = 50;
/// How long a deed that counts once is remembered, in milliseconds.
pub const ONCE: i64 = 3 * 24 * 60 * 60 * 1_000;
/// Tokens of one account.
pub const TOKENS: i64 = 20;
/// Characters of the name of a device.
pub const DEVICE_CHARACTERS: usize = 200;
/// Game masters of one world.
pub const MASTERS: i64 = 20;
/// Invitations of one world that are open at the same time.
pub const INVITATIONS: i64 = 1_000;
/// Characters of what the public list says about a world.
pub const INTRODUCTION_CHARACTERS: usize = 4_000;
/// Passwords that are hashed at the same time.
pub const HASHES_AT_ONCE: usize = 2;
/// Milliseconds for which a claimed job is held without being renewed.
pub const LEASE_MILLISECONDS: i64 = 60_000;
/// How often a job or a mail is tried before it is given up.
pub const JOB_ATTEMPTS: u32 = 12;
/// Milliseconds for which it is known that a job was done.
pub const JOB_MEMORY: i64 = 30 * 24 * 60 * 60 * 1000;
/// Milliseconds for which it is known that a mail was sent or given up: longer than a turn may wait to be taken back.
pub const MAIL_MEMORY: i64 = 365 * 24 * 60 * 60 * 1000;
/// Characters of an error that is kept.
pub const ERROR_CHARACTERS: usize = 500;
/// Minutes of grace after a deadline.
pub const GRACE_MINUTES: u32 = 14 * 24 * 60;
/// Milliseconds that a deadline may lie ahead.
pub const DEADLINE_AHEAD: i64 = 3 * 366 * 24 * 60 * 60 * 1000;
/// Pauses of one world.
pub const PAUSES: usize = 100;
/// Absences of one realm, those that are over included.
pub const ABSENCES: i64 = 1_000;
/// Reminders of one deadline to one account.
pub const REMINDERS: usize = 5;
/// Minutes before the deadline at which somebody can be reminded.
pub const REMINDER_MINUTES: u32 = 60 * 24 * 60;
/// Realms that a realm may know by their letters.
pub const CORRESPONDENTS: i64 = 2_000;
/// Characters of a letter.
pub const LETTER_CHARACTERS: usize = 20_000;
/// Characters of the subject of a letter and of the title of an article.
pub const SUBJECT_CHARACTERS: usize = 120;
/// Characters of a signature.
pub const SIGNATURE_CHARACTERS: usize = 80;
/// Characters of a reason: why a letter is turned back or an article rejected, what a complaint is about.
pub const REMARK_CHARACTERS: usize = 1_000;
/// Recipients of one letter.
pub const LETTER_RECIPIENTS: usize = 30;
/// Drafts of one realm.
pub const LETTER_DRAFTS: u32 = 100;
/// Letters that one realm may send within a day, unless the world says otherwise.
pub const LETTERS_PER_DAY: u32 = 100;
/// The most that a world may allow.
pub const LETTERS_PER_DAY_MAX: u32 = 1_000;
/// Proclamations, and likewise rumours, of one realm in one step.
pub const PUBLIC_LETTERS_PER_STEP: u32 = 3;
/// Letters on one page.
pub const LETTERS_PER_PAGE: u32 = 50;
/// Characters of what is searched for.
pub const SEARCH_CHARACTERS: usize = 100;
/// Characters of an article.
pub const ARTICLE_CHARACTERS: usize = 20_000;
/// Characters of the words under a title or a picture.
pub const DECK_CHARACTERS: usize = 300;
/// Characters of the title of a newspaper.
pub const MASTHEAD_CHARACTERS: usize = 40;
/// Articles of one realm that wait for the editor.
pub const ARTICLES_WAITING: u32 = 10;
/// Articles on one page of a list.
pub const ARTICLES_PER_PAGE: u32 = 100;
/// Articles of one issue.
pub const ISSUE_ARTICLES: u32 = 60;
/// Issues of one newspaper that a list shows.
pub const ISSUES: u32 = 500;
/// Bytes of a drawing as it comes.
pub const DRAWING_BYTES: usize = 128 * 1024;
/// Bytes of an engraving for the newspaper as it comes.
pub const ENGRAVING_BYTES: usize = 512 * 1024;
/// Parts of a drawing.
pub const DRAWING_PARTS: u32 = 1_500;
/// How deep the parts of a drawing lie within each other.
pub const DRAWING_DEPTH: usize = 40;
/// Parts of a drawing if every reference were drawn in its place.
pub const DRAWING_COST: u64 = 10_000;
/// Bytes of a picture as it comes.
pub const PICTURE_BYTES: usize = 8 * 1024 * 1024;
/// Pictures that are drawn anew at the same time: a small file can hold a large one.
pub const PICTURES_AT_ONCE: usize = 2;
/// Points of a photograph as it comes: what a telephone makes, and 75 MB while it is drawn anew.
pub const PICTURE_POINTS: usize = 25_000_000;
/// Points of a photograph on its longer side as it is kept.
pub const PICTURE_SHOWN: usize = 2_000;
/// Points of a picture on each side, at most.
pub const PICTURE_SIDE: u32 = 4_000;
/// Points of a picture on each side, at least.
pub const PICTURE_SIDE_MIN: u32 = 16;
/// Scans of a picture that comes in several.
pub const PICTURE_SCANS: u32 = 40;
/// Connections of one process to a database server.
pub const CONNECTIONS: u32 = 16;
/// Milliseconds to wait for another process that writes.
pub const BUSY_MILLISECONDS: u64 = 10_000;
/// Drafts that are kept for one realm and step; older ones go.
pub const DRAFTS: i64 = 200;
/// How long what is saved by itself goes on in the same draft, in milliseconds.
pub const DRAFT_MILLISECONDS: i64 = 5 * 60 * 1_000;
