//! Letters between the realms of a world and the game master.
//!
//! A letter is written by a realm, not by an account: whoever holds the seat next inherits the correspondence, and nothing
//! here knows who sat there. Every function belongs to the [`Post`] of one viewer, so nobody can ask for another's letters:
//! author and recipients read a letter once it is delivered; the game master reads what passed his desk and what was
//! reported to him. Whatever else there is, answers like nothing at all.
//!
//! ```text
//! draft ──send──▶ desk ──pass──▶ waiting ──end of the step──▶ delivered
//!   ▲               │                ▲                            ▲
//!   └── recall ─────┴─ turn back     └── what the custom says ────┘
//! ```
//!
//! When a step is taken back, the letters that came with it wait again, unless somebody has read them: what was read cannot
//! be unread, so such a letter stays and says that its turn was taken back.

use crate::db::{Tx, values};
use crate::store::Host;
use crate::world::{World, number, viewer_number};
use crate::{Result, limits};
use kernel::game::Delivery;
use kernel::realm::{RealmId, Viewer};
use kernel::report::Term;
use serde::Serialize;
use std::collections::BTreeMap;

mod acquaintance;
mod arrival;
mod desk;
mod writing;

pub use acquaintance::Acquaintance;
pub(crate) use acquaintance::Circles;
pub use desk::{Complaint, Waiting};
pub use writing::Draft;
pub(crate) use writing::{after_take_back, deliver_waiting};

/// Why a letter cannot be had or sent. [`LetterError::code`] is the key of its wording.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LetterError {
    /// There is no such letter for this viewer.
    #[error("no such letter")]
    Unknown,
    /// It is no draft any more, or not in the state that this needs.
    #[error("the letter is on its way already")]
    NoDraft,
    /// It has no words.
    #[error("the letter is empty")]
    Empty,
    /// Too many characters.
    #[error("a letter has at most {} characters", limits::LETTER_CHARACTERS)]
    TooLong,
    /// Nobody is to have it.
    #[error("the letter has no recipient")]
    NoRecipient,
    /// Too many are to have it.
    #[error("a letter has at most {} recipients", limits::LETTER_RECIPIENTS)]
    TooManyRecipients,
    /// There is no such realm.
    #[error("unknown recipient")]
    UnknownRecipient,
    /// A letter to the game master goes to nobody else.
    #[error("a letter to the game master goes to him alone")]
    MasterAlone,
    /// In this world letters between realms stand in the order file.
    #[error("letters between realms stand in the order file")]
    OrderFile,
    /// This world has no rumours.
    #[error("there are no rumours in this world")]
    NoRumours,
    /// This world has no proclamations.
    #[error("there are no proclamations in this world")]
    NoProclamations,
    /// As many as a day allows were sent.
    #[error("no more letters today: at most {0} within a day")]
    TooManyToday(u32),
    /// As many rumours or proclamations as a step allows were sent.
    #[error("no more of these before the next turn: at most {}", limits::PUBLIC_LETTERS_PER_STEP)]
    TooManyPublic,
    /// The drawer of drafts is full.
    #[error("at most {} drafts", limits::LETTER_DRAFTS)]
    TooManyDrafts,
    /// The game master has stopped this realm's letters.
    #[error("the game master has stopped the letters of this realm")]
    Silenced,
}

impl LetterError {
    /// Key of the wording.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Unknown => "letter-unknown",
            Self::NoDraft => "letter-no-draft",
            Self::Empty => "letter-empty",
            Self::TooLong => "letter-too-long",
            Self::NoRecipient => "letter-no-recipient",
            Self::TooManyRecipients => "letter-too-many-recipients",
            Self::UnknownRecipient => "letter-unknown-recipient",
            Self::MasterAlone => "letter-master-alone",
            Self::OrderFile => "letter-order-file",
            Self::NoRumours => "letter-no-rumours",
            Self::NoProclamations => "letter-no-proclamations",
            Self::TooManyToday(_) => "letter-too-many-today",
            Self::TooManyPublic => "letter-too-many-public",
            Self::TooManyDrafts => "letter-too-many-drafts",
            Self::Silenced => "letter-silenced",
        }
    }

    pub(crate) const fn exit_code(&self) -> u8 {
        match self {
            Self::Unknown | Self::UnknownRecipient => 3,
            Self::NoDraft => 4,
            Self::TooLong => 7,
            Self::Empty | Self::NoRecipient | Self::TooManyRecipients | Self::MasterAlone => 8,
            _ => 13,
        }
    }
}

/// What a letter is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LetterKind {
    /// To chosen recipients.
    #[default]
    Letter,
    /// To all, with the author's name.
    Proclamation,
    /// To all, without a name.
    Rumour,
}

impl LetterKind {
    /// Its name in the database and in forms.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Letter => "letter",
            Self::Proclamation => "proclamation",
            Self::Rumour => "rumour",
        }
    }

    /// The kind with this name.
    pub fn from_code(code: &str) -> Option<Self> {
        [Self::Letter, Self::Proclamation, Self::Rumour]
            .into_iter()
            .find(|kind| kind.code() == code)
    }
}

/// Where a letter is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LetterState {
    /// In the author's drawer.
    Draft,
    /// On the game master's desk.
    Desk,
    /// Until the end of the step.
    Waiting,
    /// With its recipients.
    Delivered,
    /// Turned back by the game master.
    Returned,
}

impl LetterState {
    /// Its name in the database and in forms.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Desk => "desk",
            Self::Waiting => "waiting",
            Self::Delivered => "delivered",
            Self::Returned => "returned",
        }
    }

    fn from_code(code: &str) -> Result<Self> {
        [Self::Draft, Self::Desk, Self::Waiting, Self::Delivered, Self::Returned]
            .into_iter()
            .find(|state| state.code() == code)
            .ok_or_else(|| crate::HostError::Damaged(format!("a letter is {code:?}").into()))
    }
}

/// A drawer of the desk in which letters lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Folder {
    /// Letters that came.
    Inbox,
    /// Letters not sent yet.
    Drafts,
    /// Whatever was sent.
    Sent,
    /// What came and was put away.
    Filed,
    /// Proclamations of all realms.
    Proclamations,
    /// Rumours.
    Rumours,
}

/// How letters go in a world.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Custom {
    /// When a letter arrives.
    pub delivery: Delivery,
    /// Whether letters between realms pass the game master's desk first.
    pub desk: bool,
    /// Whether there are rumours.
    pub rumours: bool,
    /// Whether there are proclamations.
    pub proclamations: bool,
    /// Letters that one realm may send within a day.
    pub per_day: u32,
}

/// A letter as a list shows it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Headline {
    /// Its id: random, so that it tells nothing about other letters.
    pub id: String,
    /// What it is.
    pub kind: LetterKind,
    /// Where it is.
    pub state: LetterState,
    /// Who wrote it; nothing if that is a secret.
    pub author: Option<Viewer>,
    /// Who is to have it; empty for what goes to all.
    pub recipients: Vec<Viewer>,
    /// Its subject; may be empty.
    pub subject: String,
    /// Its words.
    pub body: String,
    /// When it came, or, for the author, was last touched.
    pub at: i64,
    /// Whether this viewer has not read it yet.
    pub unread: bool,
}

/// A letter as its reader sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Letter {
    /// What a list shows of it.
    pub headline: Headline,
    /// How the author signs.
    pub signature: String,
    /// The step that was open when it was sent.
    pub step: Option<u32>,
    /// Name of that step in the game's words.
    pub season: Option<Term>,
    /// Why the game master turned it back.
    pub remark: String,
    /// The letter that this one answers, if this viewer may read it.
    pub answers: Option<String>,
    /// Whether this viewer put it away.
    pub filed: bool,
    /// Whether this viewer wrote it.
    pub mine: bool,
    /// Whether this viewer reported it.
    pub reported: bool,
    /// Whether it came with a step that was taken back afterwards.
    pub taken_back: bool,
}

/// What a realm wishes about its letters.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Preferences {
    /// Whether a stand-in may read and write letters.
    pub stand_in: bool,
    /// How the ruler signs unless told otherwise.
    pub signature: String,
    /// Whether the game master has stopped the letters of this realm; not the realm's to change.
    pub silenced: bool,
}

/// The post of one viewer in one world.
#[derive(Clone, Copy)]
pub struct Post<'a> {
    host: &'a Host,
    world: &'a World,
    viewer: Viewer,
}

impl Host {
    /// The post of a viewer. That the asker may act for this viewer was found out before.
    pub fn letters<'a>(&'a self, world: &'a World, viewer: Viewer) -> Post<'a> {
        Post {
            host: self,
            world,
            viewer,
        }
    }

    /// How letters go in a world: what its game master said, or the custom of its game.
    pub async fn post_custom(&self, world: &World) -> Result<Custom> {
        let mut tx = self.read().await?;
        custom(&mut tx, self, world).await
    }
}

/// The viewer of a number in the database.
pub(crate) fn viewer_from(value: i64) -> Result<Viewer> {
    Ok(match number(value, "number of a correspondent")? {
        0 => Viewer::GameMaster,
        realm => Viewer::Realm(RealmId(realm)),
    })
}

pub(crate) async fn custom(tx: &mut Tx, host: &Host, world: &World) -> Result<Custom> {
    let row: Option<(String, i64, i64, i64, i64)> = tx
        .maybe(
            "SELECT delivery, desk, rumours, proclamations, per_day FROM post_customs WHERE world = $1",
            &values![&world.id],
        )
        .await?;
    Ok(match row {
        Some((delivery, desk, rumours, proclamations, per_day)) => Custom {
            delivery: Delivery::from_code(&delivery)
                .ok_or_else(|| crate::HostError::Damaged(format!("letters are delivered {delivery:?}").into()))?,
            desk: desk != 0,
            rumours: rumours != 0,
            proclamations: proclamations != 0,
            per_day: number(per_day, "number of letters")?,
        },
        None => {
            let game = host.game_of(world)?.post();
            Custom {
                delivery: game.delivery,
                desk: false,
                rumours: game.rumours,
                proclamations: game.proclamations,
                per_day: limits::LETTERS_PER_DAY,
            }
        }
    })
}

/// What every list and every page reads of a letter.
type Row = (
    String,
    String,
    String,
    i64,
    String,
    String,
    i64,
    Option<i64>,
    Option<i64>,
);

type DetailRow = (String, String, Option<String>, Option<i64>, Option<String>, i64);

/// What a viewer has to do with a letter that he may read.
struct Standing {
    mine: bool,
    unread: bool,
    filed: bool,
    reported: bool,
}

impl Post<'_> {
    pub(crate) fn me(&self) -> i64 {
        viewer_number(self.viewer)
    }

    fn is_master(&self) -> bool {
        self.viewer == Viewer::GameMaster
    }

    /// What lies in a drawer, newest first: those whose words contain `search`, from `skip` on.
    pub async fn folder(&self, folder: Folder, search: &str, skip: u32) -> Result<Vec<Headline>> {
        let mut tx = self.host.read().await?;
        let pattern = pattern(search);
        let page = i64::from(limits::LETTERS_PER_PAGE);
        let (world, me, skip) = (&self.world.id, self.me(), i64::from(skip));
        let values = values![world, me, &pattern, page, skip];
        let rows: Vec<Row> = match folder {
            Folder::Inbox => {
                tx.all(
                    "SELECT l.id, l.kind, l.state, l.author, l.subject, SUBSTR(l.body, 1, 400), l.touched_at, l.delivered_at, r.read_at \
                     FROM letter_recipients r JOIN letters l ON l.id = r.letter \
                     WHERE r.world = $1 AND r.realm = $2 AND r.refused = 0 AND r.filed = 0 AND l.state = 'delivered' \
                     AND l.kind = 'letter' AND l.words LIKE $3 ESCAPE '!' ORDER BY l.delivered_at DESC, l.id LIMIT $4 OFFSET $5",
                    &values,
                )
                .await?
            }
            Folder::Filed => {
                tx.all(
                    "SELECT l.id, l.kind, l.state, l.author, l.subject, SUBSTR(l.body, 1, 400), l.touched_at, l.delivered_at, r.read_at \
                     FROM letter_recipients r JOIN letters l ON l.id = r.letter \
                     WHERE r.world = $1 AND r.realm = $2 AND r.refused = 0 AND r.filed = 1 AND l.state = 'delivered' \
                     AND l.words LIKE $3 ESCAPE '!' ORDER BY l.delivered_at DESC, l.id LIMIT $4 OFFSET $5",
                    &values,
                )
                .await?
            }
            Folder::Proclamations => {
                tx.all(
                    "SELECT l.id, l.kind, l.state, l.author, l.subject, SUBSTR(l.body, 1, 400), l.touched_at, l.delivered_at, r.read_at \
                     FROM letter_recipients r JOIN letters l ON l.id = r.letter \
                     WHERE r.world = $1 AND r.realm = $2 AND r.refused = 0 AND r.filed = 0 AND l.state = 'delivered' \
                     AND l.kind = 'proclamation' AND l.words LIKE $3 ESCAPE '!' \
                     ORDER BY l.delivered_at DESC, l.id LIMIT $4 OFFSET $5",
                    &values,
                )
                .await?
            }
            Folder::Rumours => {
                tx.all(
                    "SELECT l.id, l.kind, l.state, l.author, l.subject, SUBSTR(l.body, 1, 400), l.touched_at, l.delivered_at, r.read_at \
                     FROM letter_recipients r JOIN letters l ON l.id = r.letter \
                     WHERE r.world = $1 AND r.realm = $2 AND r.refused = 0 AND r.filed = 0 AND l.state = 'delivered' \
                     AND l.kind = 'rumour' AND l.words LIKE $3 ESCAPE '!' \
                     ORDER BY l.delivered_at DESC, l.id LIMIT $4 OFFSET $5",
                    &values,
                )
                .await?
            }
            Folder::Drafts => {
                tx.all(
                    "SELECT id, kind, state, author, subject, SUBSTR(body, 1, 400), touched_at, delivered_at, touched_at FROM letters \
                     WHERE world = $1 AND author = $2 AND state = 'draft' AND words LIKE $3 ESCAPE '!' \
                     ORDER BY touched_at DESC, id LIMIT $4 OFFSET $5",
                    &values,
                )
                .await?
            }
            Folder::Sent => {
                tx.all(
                    "SELECT id, kind, state, author, subject, SUBSTR(body, 1, 400), touched_at, delivered_at, touched_at FROM letters \
                     WHERE world = $1 AND author = $2 AND state <> 'draft' AND words LIKE $3 ESCAPE '!' \
                     ORDER BY touched_at DESC, id LIMIT $4 OFFSET $5",
                    &values,
                )
                .await?
            }
        };
        let mut headlines = Vec::with_capacity(rows.len());
        for row in rows {
            headlines.push(self.headline(&mut tx, row).await?);
        }
        Ok(headlines)
    }

    /// How many letters, proclamations and rumours came with each step, or after it and before the next.
    pub async fn came_by_step(&self) -> Result<BTreeMap<u32, u32>> {
        let mut tx = self.host.read().await?;
        let rows: Vec<(Option<i64>, i64)> = tx
            .all(
                "SELECT (SELECT MAX(s.number) FROM steps s WHERE s.world = $1 AND s.ran_at <= l.delivered_at), COUNT(*) \
                 FROM letter_recipients r JOIN letters l ON l.id = r.letter WHERE r.world = $1 AND r.realm = $2 \
                 AND r.refused = 0 AND l.state = 'delivered' AND l.author <> $2 GROUP BY 1 ORDER BY 1",
                &values![&self.world.id, self.me()],
            )
            .await?;
        let rows = rows.into_iter().filter_map(|(step, count)| Some((step?, count)));
        rows.map(|(step, count)| Ok((number(step, "number of a step")?, number(count, "number of letters")?)))
            .collect()
    }

    /// The letters, proclamations and rumours that came with a step, or after it and before the next, newest first.
    pub async fn came_with(&self, step: u32) -> Result<Vec<Headline>> {
        let mut tx = self.host.read().await?;
        let rows: Vec<Row> = tx
            .all(
                "SELECT l.id, l.kind, l.state, l.author, l.subject, SUBSTR(l.body, 1, 400), l.touched_at, l.delivered_at, r.read_at \
                 FROM letter_recipients r JOIN letters l ON l.id = r.letter \
                 WHERE r.world = $1 AND r.realm = $2 AND r.refused = 0 AND l.state = 'delivered' AND l.author <> $2 \
                 AND $3 = (SELECT MAX(s.number) FROM steps s WHERE s.world = $1 AND s.ran_at <= l.delivered_at) \
                 ORDER BY l.delivered_at DESC, l.id LIMIT $4",
                &values![
                    &self.world.id,
                    self.me(),
                    i64::from(step),
                    i64::from(limits::LETTERS_PER_PAGE)
                ],
            )
            .await?;
        let mut headlines = Vec::with_capacity(rows.len());
        for row in rows {
            headlines.push(self.headline(&mut tx, row).await?);
        }
        Ok(headlines)
    }

    /// How many letters, proclamations and rumours wait to be read.
    pub async fn unread(&self) -> Result<u32> {
        let mut tx = self.host.read().await?;
        let (count,): (i64,) = tx
            .one(
                "SELECT COUNT(*) FROM letter_recipients r JOIN letters l ON l.id = r.letter WHERE r.world = $1 \
                 AND r.realm = $2 AND r.refused = 0 AND r.filed = 0 AND r.read_at IS NULL AND l.state = 'delivered' \
                 AND l.author <> $2",
                &values![&self.world.id, self.me()],
            )
            .await?;
        number(count, "number of letters")
    }

    /// How many drafts there are.
    pub async fn drafts(&self) -> Result<u32> {
        let mut tx = self.host.read().await?;
        let (count,): (i64,) = tx
            .one(
                "SELECT COUNT(*) FROM letters WHERE world = $1 AND author = $2 AND state = 'draft'",
                &values![&self.world.id, self.me()],
            )
            .await?;
        number(count, "number of drafts")
    }

    /// A letter that this viewer may read. Reading alone changes nothing; see [`Post::mark_read`].
    pub async fn letter(&self, id: &str) -> Result<Letter> {
        let mut tx = self.host.read().await?;
        self.find(&mut tx, id).await?.ok_or_else(|| LetterError::Unknown.into())
    }

    /// Notes that the viewer has read a letter that came to him.
    pub async fn mark_read(&self, id: &str) -> Result<()> {
        let mut tx = self.write().await?;
        tx.execute(
            "UPDATE letter_recipients SET read_at = $4 WHERE letter = $1 AND world = $2 AND realm = $3 AND read_at IS NULL",
            &values![id, &self.world.id, self.me(), crate::now()],
        )
        .await?;
        tx.commit().await
    }

    /// Puts a letter that came away, or back.
    pub async fn file(&self, id: &str, away: bool) -> Result<()> {
        self.letter(id).await?;
        let mut tx = self.write().await?;
        let done = tx
            .execute(
                "UPDATE letter_recipients SET filed = $4 WHERE letter = $1 AND world = $2 AND realm = $3",
                &values![id, &self.world.id, self.me(), away],
            )
            .await?;
        if done == 0 {
            return Err(LetterError::Unknown.into());
        }
        tx.commit().await
    }

    /// The letters of the same exchange that this viewer may read, oldest first.
    pub async fn thread(&self, id: &str) -> Result<Vec<Headline>> {
        let mut tx = self.host.read().await?;
        if self.find(&mut tx, id).await?.is_none() {
            return Err(LetterError::Unknown.into());
        }
        let rows: Vec<(String,)> = tx
            .all(
                "SELECT id FROM letters WHERE world = $1 AND thread = (SELECT thread FROM letters WHERE id = $2) \
                 AND state <> 'draft' ORDER BY delivered_at, id LIMIT $3",
                &values![&self.world.id, id, i64::from(limits::LETTERS_PER_PAGE)],
            )
            .await?;
        let mut thread = Vec::new();
        for (id,) in rows {
            if let Some(letter) = self.find(&mut tx, &id).await? {
                thread.push(letter.headline);
            }
        }
        Ok(thread)
    }

    /// Letters of a step that went to all: what a newspaper may print.
    pub async fn public(&self, kind: LetterKind, since: i64) -> Result<Vec<Headline>> {
        let folder = match kind {
            LetterKind::Letter => return Ok(Vec::new()),
            LetterKind::Proclamation => Folder::Proclamations,
            LetterKind::Rumour => Folder::Rumours,
        };
        let found = self.folder(folder, "", 0).await?;
        Ok(found.into_iter().filter(|headline| headline.at > since).collect())
    }

    async fn headline(&self, tx: &mut Tx, row: Row) -> Result<Headline> {
        let (id, kind, state, author, subject, body, touched_at, delivered_at, read_at) = row;
        let kind = LetterKind::from_code(&kind)
            .ok_or_else(|| crate::HostError::Damaged(format!("a letter is a {kind:?}").into()))?;
        let author = viewer_from(author)?;
        let mine = author == self.viewer;
        let recipients = match kind {
            LetterKind::Letter => recipients(tx, &id).await?,
            _ => Vec::new(),
        };
        Ok(Headline {
            state: LetterState::from_code(&state)?,
            author: (kind != LetterKind::Rumour || mine || self.is_master()).then_some(author),
            recipients,
            subject,
            body,
            // When a letter was sent is the author's own business; others see when it came.
            at: if mine {
                touched_at
            } else {
                delivered_at.unwrap_or(touched_at)
            },
            unread: read_at.is_none() && state == LetterState::Delivered.code(),
            id,
            kind,
        })
    }

    /// What this viewer has to do with a letter; nothing if he may not read it.
    async fn standing(&self, tx: &mut Tx, id: &str) -> Result<Option<Standing>> {
        let row: Option<(String, i64, i64)> = tx
            .maybe(
                "SELECT state, author, over_desk FROM letters WHERE id = $1 AND world = $2",
                &values![id, &self.world.id],
            )
            .await?;
        let Some((state, author, over_desk)) = row else {
            return Ok(None);
        };
        let received: Option<(Option<i64>, i64, i64)> = tx
            .maybe(
                "SELECT read_at, filed, refused FROM letter_recipients WHERE letter = $1 AND realm = $2",
                &values![id, self.me()],
            )
            .await?;
        let (reports,): (i64,) = tx
            .one(
                "SELECT COUNT(*) FROM letter_reports WHERE letter = $1 AND (realm = $2 OR $2 = 0)",
                &values![id, self.me()],
            )
            .await?;
        let state = LetterState::from_code(&state)?;
        let mine = author == self.me();
        let received = received.filter(|(_, _, refused)| *refused == 0 && state == LetterState::Delivered);
        let supervised = self.is_master() && state != LetterState::Draft && (over_desk != 0 || reports > 0);
        Ok((mine || received.is_some() || supervised).then_some(Standing {
            mine,
            unread: matches!(received, Some((None, ..))),
            filed: matches!(received, Some((_, 1, _))),
            reported: reports > 0 && !self.is_master(),
        }))
    }

    /// A letter if this viewer may read it.
    pub(crate) async fn find(&self, tx: &mut Tx, id: &str) -> Result<Option<Letter>> {
        let Some(standing) = self.standing(tx, id).await? else {
            return Ok(None);
        };
        let row: Row = tx
            .one(
                "SELECT id, kind, state, author, subject, body, touched_at, delivered_at, touched_at FROM letters WHERE id = $1",
                &values![id],
            )
            .await?;
        let (signature, remark, answers, step, season, taken_back): DetailRow = tx
            .one(
                "SELECT signature, remark, answers, step, season, taken_back FROM letters WHERE id = $1",
                &values![id],
            )
            .await?;
        let mut headline = self.headline(tx, row).await?;
        headline.unread = standing.unread;
        // What a letter answers is named only to those who may read that one too.
        let answers = match answers {
            Some(other) => self.standing(tx, &other).await?.map(|_| other),
            None => None,
        };
        Ok(Some(Letter {
            headline,
            signature,
            step: step.map(|step| number(step, "number of a step")).transpose()?,
            season: season.and_then(|json| serde_json::from_str(&json).ok()),
            remark: if standing.mine || self.is_master() {
                remark
            } else {
                String::new()
            },
            answers,
            filed: standing.filed,
            mine: standing.mine,
            reported: standing.reported,
            taken_back: taken_back != 0,
        }))
    }

    /// What this realm wishes about its letters.
    pub async fn preferences(&self) -> Result<Preferences> {
        let mut tx = self.host.read().await?;
        self.read_preferences(&mut tx).await
    }

    pub(crate) async fn read_preferences(&self, tx: &mut Tx) -> Result<Preferences> {
        let row: Option<(i64, String, i64)> = tx
            .maybe(
                "SELECT stand_in, signature, silenced FROM post_preferences WHERE world = $1 AND realm = $2",
                &values![&self.world.id, self.me()],
            )
            .await?;
        Ok(row
            .map(|(stand_in, signature, silenced)| Preferences {
                stand_in: stand_in != 0,
                signature,
                silenced: silenced != 0,
            })
            .unwrap_or_default())
    }

    /// Changes what this realm wishes; that its letters are stopped stays as it is.
    pub async fn set_preferences(&self, stand_in: bool, signature: &str) -> Result<()> {
        let signature = crate::text::line(signature, limits::SIGNATURE_CHARACTERS);
        let mut tx = self.write().await?;
        let now = self.read_preferences(&mut tx).await?;
        self.write_preferences(&mut tx, self.me(), stand_in, &signature, now.silenced)
            .await?;
        tx.commit().await
    }

    pub(crate) async fn write_preferences(
        &self,
        tx: &mut Tx,
        realm: i64,
        stand_in: bool,
        signature: &str,
        silenced: bool,
    ) -> Result<()> {
        tx.execute(
            "INSERT INTO post_preferences (world, realm, stand_in, signature, silenced) VALUES ($1, $2, $3, $4, $5) \
             ON CONFLICT (world, realm) DO UPDATE SET stand_in = excluded.stand_in, signature = excluded.signature, \
             silenced = excluded.silenced",
            &values![&self.world.id, realm, stand_in, signature, silenced],
        )
        .await?;
        Ok(())
    }

    /// The realms whose letters this realm does not take.
    pub async fn blocked(&self) -> Result<Vec<RealmId>> {
        let mut tx = self.host.read().await?;
        let rows: Vec<(i64,)> = tx
            .all(
                "SELECT blocked FROM letter_blocks WHERE world = $1 AND realm = $2 ORDER BY blocked",
                &values![&self.world.id, self.me()],
            )
            .await?;
        rows.into_iter()
            .map(|(realm,)| Ok(RealmId(number(realm, "number of a realm")?)))
            .collect()
    }

    /// Takes no more letters from a realm, or takes them again. The other side never hears of it.
    ///
    /// Rumours come all the same: who could compare what arrives with and without would know their author.
    pub async fn block(&self, realm: RealmId, blocked: bool) -> Result<()> {
        self.host.seat(self.world, realm).await?;
        if self.is_master() || self.viewer == Viewer::Realm(realm) {
            return Err(LetterError::UnknownRecipient.into());
        }
        let mut tx = self.write().await?;
        tx.execute(
            "DELETE FROM letter_blocks WHERE world = $1 AND realm = $2 AND blocked = $3",
            &values![&self.world.id, self.me(), realm],
        )
        .await?;
        if blocked {
            tx.execute(
                "INSERT INTO letter_blocks (world, realm, blocked, since) VALUES ($1, $2, $3, $4)",
                &values![&self.world.id, self.me(), realm, crate::now()],
            )
            .await?;
        }
        tx.commit().await
    }

    pub(crate) async fn write(&self) -> Result<Tx> {
        self.host.write(crate::db::Subject::World(&self.world.id)).await
    }
}

pub(crate) async fn recipients(tx: &mut Tx, letter: &str) -> Result<Vec<Viewer>> {
    let rows: Vec<(i64,)> = tx
        .all(
            "SELECT realm FROM letter_recipients WHERE letter = $1 ORDER BY realm",
            &values![letter],
        )
        .await?;
    rows.into_iter().map(|(realm,)| viewer_from(realm)).collect()
}

/// The words to look for as a pattern of the database.
fn pattern(search: &str) -> String {
    let mut pattern = String::from("%");
    for character in search.trim().to_lowercase().chars().take(limits::SEARCH_CHARACTERS) {
        if matches!(character, '%' | '_' | '!') {
            pattern.push('!');
        }
        pattern.push(character);
    }
    pattern.push('%');
    pattern
}
