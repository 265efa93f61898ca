//! Writing, sending and delivering letters.

use super::{Custom, Letter, LetterError, LetterKind, LetterState, Post, arrival, custom, recipients};
use crate::db::{Tx, values};
use crate::store::{now, random};
use crate::unfit::Unfit;
use crate::world::{World, hex, number, seats, viewer_number};
use crate::{Result, limits, text};
use kernel::game::Delivery;
use kernel::realm::Viewer;
use std::collections::BTreeSet;

const DAY: i64 = 24 * 60 * 60 * 1000;

/// What stands on the paper before it is sealed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Draft {
    /// What it is to be.
    pub kind: LetterKind,
    /// Who is to have it; of no meaning for what goes to all.
    pub recipients: BTreeSet<Viewer>,
    /// Its subject.
    pub subject: String,
    /// Its words.
    pub body: String,
    /// How the author signs.
    pub signature: String,
}

impl Draft {
    /// The draft without what cannot be kept: unseen characters, recipients beyond measure.
    fn tidied(&self) -> Result<Self> {
        let body = text::clean(&self.body);
        if body.chars().count() > limits::LETTER_CHARACTERS {
            return Err(LetterError::TooLong.into());
        }
        if self.recipients.len() > limits::LETTER_RECIPIENTS {
            return Err(LetterError::TooManyRecipients.into());
        }
        Ok(Self {
            kind: self.kind,
            recipients: self.recipients.clone(),
            subject: text::line(&self.subject, limits::SUBJECT_CHARACTERS),
            body,
            signature: text::line(&self.signature, limits::SIGNATURE_CHARACTERS),
        })
    }
}

/// Where a letter goes once it is sealed.
struct Way {
    state: LetterState,
    over_desk: bool,
}

impl Post<'_> {
    /// Puts a new draft into the drawer and returns its id. `answers` is a letter that this viewer may read.
    pub async fn write_draft(&self, draft: &Draft, answers: Option<&str>) -> Result<String> {
        let draft = draft.tidied()?;
        let mut tx = self.write().await?;
        let (count,): (i64,) = tx
            .one(
                "SELECT COUNT(*) FROM letters WHERE world = $1 AND author = $2 AND state = 'draft'",
                &values![&self.world.id, self.me()],
            )
            .await?;
        if count >= i64::from(limits::LETTER_DRAFTS) {
            return Err(LetterError::TooManyDrafts.into());
        }
        let id = hex(&random::<16>()?);
        let thread = match answers {
            Some(other) => {
                if self.find(&mut tx, other).await?.is_none() {
                    return Err(LetterError::Unknown.into());
                }
                let (thread,): (String,) = tx
                    .one("SELECT thread FROM letters WHERE id = $1", &values![other])
                    .await?;
                thread
            }
            None => id.clone(),
        };
        tx.execute(
            "INSERT INTO letters (id, world, author, kind, state, thread, answers, subject, body, signature, words, over_desk, \
             remark, touched_at) VALUES ($1, $2, $3, $4, 'draft', $5, $6, $7, $8, $9, $10, 0, '', $11)",
            &values![
                &id,
                &self.world.id,
                self.me(),
                draft.kind.code(),
                &thread,
                answers,
                &draft.subject,
                &draft.body,
                &draft.signature,
                &words(&draft, &[]),
                now()
            ],
        )
        .await?;
        self.address(&mut tx, &id, &draft.recipients).await?;
        tx.commit().await?;
        Ok(id)
    }

    /// Writes over a draft.
    pub async fn save_draft(&self, id: &str, draft: &Draft) -> Result<()> {
        let mut tx = self.write().await?;
        self.save(&mut tx, id, draft).await?;
        tx.commit().await
    }

    /// Throws a draft away.
    pub async fn discard_draft(&self, id: &str) -> Result<()> {
        let mut tx = self.write().await?;
        self.own(&mut tx, id, LetterState::Draft).await?;
        tx.execute("DELETE FROM letter_recipients WHERE letter = $1", &values![id])
            .await?;
        tx.execute("DELETE FROM letters WHERE id = $1", &values![id]).await?;
        tx.commit().await
    }

    /// Writes over a draft and seals it. Tells where the letter is now.
    pub async fn send(&self, id: &str, draft: &Draft) -> Result<LetterState> {
        // The season is read before the database is held: it needs the whole state of the world.
        let step = self.host.open_step(self.world).await?;
        let season = serde_json::to_string(&step.name)
            .map_err(|error| crate::HostError::Malformed(Unfit::Other(error.to_string())))?;
        let known = self.acquaintance().await?;
        let mut tx = self.write().await?;
        let draft = self.save(&mut tx, id, draft).await?;
        if draft.body.trim().is_empty() {
            return Err(LetterError::Empty.into());
        }
        let custom = custom(&mut tx, self.host, self.world).await?;
        let all = seats(&mut tx, &self.world.id).await?;
        let recipients: BTreeSet<Viewer> = match draft.kind {
            LetterKind::Letter => draft.recipients.clone(),
            _ => all
                .iter()
                .map(|seat| Viewer::Realm(seat.realm))
                .chain([Viewer::GameMaster])
                .collect(),
        };
        // What the author could not choose is not taken either, and answers like a realm that does not exist.
        let reachable = |viewer: &Viewer| match viewer {
            Viewer::GameMaster => true,
            Viewer::Realm(realm) => draft.kind != LetterKind::Letter || known.reachable.contains(realm),
        };
        if recipients.is_empty() {
            return Err(LetterError::NoRecipient.into());
        }
        if !recipients.iter().all(reachable) || draft.kind == LetterKind::Letter && recipients.contains(&self.viewer) {
            return Err(LetterError::UnknownRecipient.into());
        }
        let way = self.way(&mut tx, &custom, &draft, &recipients, step.number).await?;
        self.address(&mut tx, id, &recipients).await?;
        let named: Vec<&str> = match draft.kind {
            // Who searches must not find a rumour by the name of its author.
            LetterKind::Rumour => Vec::new(),
            // Nor whom else a letter went to by a name that he does not know.
            _ if draft.kind == LetterKind::Letter && recipients.len() == 1 => {
                let both = recipients.iter().chain([&self.viewer]);
                both.filter_map(|viewer| known.name(*viewer)).collect()
            }
            _ => known.name(self.viewer).into_iter().collect(),
        };
        tx.execute(
            "UPDATE letters SET state = $2, over_desk = $3, words = $4, step = $5, season = $6, sent_at = $7, touched_at = $7, \
             remark = '' WHERE id = $1",
            &values![id, way.state.code(), way.over_desk, &words(&draft, &named), step.number, &season, now()],
        )
        .await?;
        if way.state == LetterState::Delivered {
            deliver(&mut tx, self.world, id).await?;
        }
        tx.commit().await?;
        Ok(way.state)
    }

    /// Takes a letter that nobody has yet back into the drawer; also one that the game master turned back.
    pub async fn recall(&self, id: &str) -> Result<()> {
        let mut tx = self.write().await?;
        let letter = self
            .find(&mut tx, id)
            .await?
            .filter(|letter| letter.mine)
            .ok_or(LetterError::Unknown)?;
        if !matches!(
            letter.headline.state,
            LetterState::Desk | LetterState::Waiting | LetterState::Returned
        ) {
            return Err(LetterError::NoDraft.into());
        }
        tx.execute(
            "UPDATE letters SET state = 'draft', sent_at = NULL, over_desk = 0, step = NULL, season = NULL, touched_at = $2 \
             WHERE id = $1",
            &values![id, now()],
        )
        .await?;
        if letter.headline.kind != LetterKind::Letter {
            tx.execute("DELETE FROM letter_recipients WHERE letter = $1", &values![id])
                .await?;
        }
        tx.commit().await
    }

    /// Which way the letter goes, if it may go at all.
    async fn way(
        &self,
        tx: &mut Tx,
        custom: &Custom,
        draft: &Draft,
        recipients: &BTreeSet<Viewer>,
        step: u32,
    ) -> Result<Way> {
        let to_master = draft.kind == LetterKind::Letter && recipients.contains(&Viewer::GameMaster);
        if to_master && recipients.len() > 1 {
            return Err(LetterError::MasterAlone.into());
        }
        self.check_measure(tx, custom, draft.kind, step).await?;
        // Between a player and the game master there is no desk and no waiting: questions want answers before the turn.
        let at_once = Way {
            state: LetterState::Delivered,
            over_desk: false,
        };
        if to_master || self.viewer == Viewer::GameMaster {
            return Ok(at_once);
        }
        if self.read_preferences(tx).await?.silenced {
            return Err(LetterError::Silenced.into());
        }
        match draft.kind {
            LetterKind::Rumour if !custom.rumours => return Err(LetterError::NoRumours.into()),
            LetterKind::Proclamation if !custom.proclamations => return Err(LetterError::NoProclamations.into()),
            _ if custom.delivery == Delivery::OrderFile => return Err(LetterError::OrderFile.into()),
            _ => {}
        }
        Ok(if custom.desk {
            Way {
                state: LetterState::Desk,
                over_desk: true,
            }
        } else {
            Way {
                state: after_desk(custom.delivery, draft.kind),
                over_desk: false,
            }
        })
    }

    async fn check_measure(&self, tx: &mut Tx, custom: &Custom, kind: LetterKind, step: u32) -> Result<()> {
        if self.viewer == Viewer::GameMaster {
            return Ok(());
        }
        let (today,): (i64,) = tx
            .one(
                "SELECT COUNT(*) FROM letters WHERE world = $1 AND author = $2 AND sent_at > $3",
                &values![&self.world.id, self.me(), now() - DAY],
            )
            .await?;
        if today >= i64::from(custom.per_day) {
            return Err(LetterError::TooManyToday(custom.per_day).into());
        }
        if kind != LetterKind::Letter {
            let (public,): (i64,) = tx
                .one(
                    "SELECT COUNT(*) FROM letters WHERE world = $1 AND author = $2 AND kind = $3 AND step = $4",
                    &values![&self.world.id, self.me(), kind.code(), step],
                )
                .await?;
            if public >= i64::from(limits::PUBLIC_LETTERS_PER_STEP) {
                return Err(LetterError::TooManyPublic.into());
            }
        }
        Ok(())
    }

    async fn save(&self, tx: &mut Tx, id: &str, draft: &Draft) -> Result<Draft> {
        let draft = draft.tidied()?;
        self.own(tx, id, LetterState::Draft).await?;
        tx.execute(
            "UPDATE letters SET kind = $2, subject = $3, body = $4, signature = $5, words = $6, touched_at = $7 WHERE id = $1",
            &values![
                id,
                draft.kind.code(),
                &draft.subject,
                &draft.body,
                &draft.signature,
                &words(&draft, &[]),
                now()
            ],
        )
        .await?;
        self.address(tx, id, &draft.recipients).await?;
        Ok(draft)
    }

    /// A letter of this viewer in this state.
    async fn own(&self, tx: &mut Tx, id: &str, state: LetterState) -> Result<Letter> {
        let letter = self
            .find(tx, id)
            .await?
            .filter(|letter| letter.mine)
            .ok_or(LetterError::Unknown)?;
        if letter.headline.state == state {
            Ok(letter)
        } else {
            Err(LetterError::NoDraft.into())
        }
    }

    async fn address(&self, tx: &mut Tx, id: &str, to: &BTreeSet<Viewer>) -> Result<()> {
        if recipients(tx, id).await?.into_iter().collect::<BTreeSet<_>>() == *to {
            return Ok(());
        }
        tx.execute("DELETE FROM letter_recipients WHERE letter = $1", &values![id])
            .await?;
        for viewer in to {
            tx.execute(
                "INSERT INTO letter_recipients (letter, world, realm, filed, refused) VALUES ($1, $2, $3, 0, 0)",
                &values![id, &self.world.id, viewer_number(*viewer)],
            )
            .await?;
        }
        Ok(())
    }
}

/// When a letter that has passed the desk, or needs none, arrives. Rumours always wait for the end of the step: when one
/// comes would tell who was at his desk then.
pub(super) fn after_desk(delivery: Delivery, kind: LetterKind) -> LetterState {
    match (delivery, kind) {
        (Delivery::AtOnce, LetterKind::Letter | LetterKind::Proclamation) => LetterState::Delivered,
        _ => LetterState::Waiting,
    }
}

/// Hands a letter to its recipients.
pub(super) async fn deliver(tx: &mut Tx, world: &World, id: &str) -> Result<()> {
    let at = now();
    tx.execute(
        "UPDATE letters SET state = 'delivered', delivered_at = $2 WHERE id = $1",
        &values![id, at],
    )
    .await?;
    refuse_blocked(tx, id).await?;
    arrival::tell(tx, world, &[id.to_owned()], at).await
}

/// Marks what a recipient does not take from this author.
async fn refuse_blocked(tx: &mut Tx, id: &str) -> Result<()> {
    tx.execute(
        "UPDATE letter_recipients SET refused = 1 WHERE letter = $1 AND EXISTS (SELECT 1 FROM letters l \
         JOIN letter_blocks b ON b.world = l.world AND b.blocked = l.author \
         WHERE l.id = letter_recipients.letter AND b.realm = letter_recipients.realm AND l.kind <> 'rumour')",
        &values![id],
    )
    .await?;
    Ok(())
}

/// Hands out what waited for the end of a step, within the transaction that writes the step.
pub(crate) async fn deliver_waiting(tx: &mut Tx, world: &World, step: u32) -> Result<u64> {
    let waiting: Vec<(String,)> = tx
        .all(
            "SELECT id FROM letters WHERE world = $1 AND state = 'waiting' ORDER BY id",
            &values![&world.id],
        )
        .await?;
    let waiting: Vec<String> = waiting.into_iter().map(|(id,)| id).collect();
    // One time for all: the order of their coming tells nothing about the order of their writing.
    let at = now();
    for id in &waiting {
        tx.execute(
            "UPDATE letters SET state = 'delivered', delivered_at = $2, came_with = $3, taken_back = 0 WHERE id = $1",
            &values![id, at, step],
        )
        .await?;
        refuse_blocked(tx, id).await?;
    }
    arrival::tell(tx, world, &waiting, at).await?;
    number(waiting.len() as i64, "number of letters")
}

/// After a step was taken back: letters that came with it wait again if nobody has read them; the others say what happened.
pub(crate) async fn after_take_back(tx: &mut Tx, world: &str, step: u32) -> Result<()> {
    tx.execute(
        "UPDATE letters SET state = 'waiting', delivered_at = NULL, came_with = NULL WHERE world = $1 AND came_with = $2 \
         AND state = 'delivered' AND NOT EXISTS (SELECT 1 FROM letter_recipients r WHERE r.letter = letters.id \
         AND r.read_at IS NOT NULL AND r.realm <> letters.author)",
        &values![world, step],
    )
    .await?;
    // What was put away unread, or refused then, is decided anew when it comes again.
    tx.execute(
        "UPDATE letter_recipients SET refused = 0, filed = 0, read_at = NULL WHERE world = $1 AND letter IN \
         (SELECT id FROM letters WHERE world = $1 AND state = 'waiting')",
        &values![world],
    )
    .await?;
    tx.execute(
        "UPDATE letters SET taken_back = 1, came_with = NULL WHERE world = $1 AND came_with = $2",
        &values![world, step],
    )
    .await?;
    Ok(())
}

/// What a search looks through.
fn words(draft: &Draft, names: &[&str]) -> String {
    let mut words = format!("{} {} {}", draft.subject, draft.body, draft.signature);
    for name in names {
        words.push(' ');
        words.push_str(name);
    }
    words.to_lowercase()
}
