//! The game master's part: letters that pass his desk, complaints, and how letters go in his world.

use super::writing::{after_desk, deliver};
use super::{Custom, Letter, LetterError, LetterState, Post, custom, viewer_from};
use crate::db::values;
use crate::store::{note, now};
use crate::world::number;
use crate::{Result, limits, text};
use kernel::realm::{RealmId, Viewer};
use serde::Serialize;

/// What waits on the game master's desk.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Waiting {
    /// Letters that are to pass.
    pub letters: u32,
    /// Complaints without an answer.
    pub complaints: u32,
}

/// A complaint about a letter.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Complaint {
    /// The letter; its author is named, even of a rumour.
    pub letter: Letter,
    /// Who complained.
    pub by: RealmId,
    /// Why.
    pub reason: String,
    /// When.
    pub at: i64,
    /// What the game master said to it; nothing as long as it is open.
    pub answer: Option<String>,
}

/// Who wrote a letter, for the record.
fn author(letter: &Letter) -> String {
    match letter.headline.author {
        Some(Viewer::Realm(realm)) => format!("realm {realm}"),
        _ => "realm ?".to_owned(),
    }
}

impl Post<'_> {
    fn master(&self) -> Result<()> {
        match self.viewer {
            Viewer::GameMaster => Ok(()),
            Viewer::Realm(_) => Err(LetterError::Unknown.into()),
        }
    }

    /// How much waits on the desk.
    pub async fn waiting(&self) -> Result<Waiting> {
        self.master()?;
        let mut tx = self.host.read().await?;
        let (letters,): (i64,) = tx
            .one(
                "SELECT COUNT(*) FROM letters WHERE world = $1 AND state = 'desk'",
                &values![&self.world.id],
            )
            .await?;
        let (complaints,): (i64,) = tx
            .one(
                "SELECT COUNT(*) FROM letter_reports WHERE world = $1 AND answer IS NULL",
                &values![&self.world.id],
            )
            .await?;
        Ok(Waiting {
            letters: number(letters, "number of letters")?,
            complaints: number(complaints, "number of complaints")?,
        })
    }

    /// The letters on the desk, oldest first.
    pub async fn on_desk(&self) -> Result<Vec<Letter>> {
        self.master()?;
        let mut tx = self.host.read().await?;
        let rows: Vec<(String,)> = tx
            .all(
                "SELECT id FROM letters WHERE world = $1 AND state = 'desk' ORDER BY sent_at, id LIMIT $2",
                &values![&self.world.id, i64::from(limits::LETTERS_PER_PAGE)],
            )
            .await?;
        let mut letters = Vec::with_capacity(rows.len());
        for (id,) in rows {
            letters.extend(self.find(&mut tx, &id).await?);
        }
        Ok(letters)
    }

    /// Lets a letter pass; tells where it is now.
    pub async fn pass(&self, id: &str) -> Result<LetterState> {
        self.master()?;
        let mut tx = self.write().await?;
        let letter = self.find(&mut tx, id).await?.ok_or(LetterError::Unknown)?;
        if letter.headline.state != LetterState::Desk {
            return Err(LetterError::NoDraft.into());
        }
        let custom = custom(&mut tx, self.host, self.world).await?;
        let state = after_desk(custom.delivery, letter.headline.kind);
        tx.execute(
            "UPDATE letters SET state = $2 WHERE id = $1",
            &values![id, state.code()],
        )
        .await?;
        if state == LetterState::Delivered {
            deliver(&mut tx, self.world, id).await?;
        }
        note(&mut tx, &self.world.id, "letter passed", &author(&letter)).await?;
        tx.commit().await?;
        Ok(state)
    }

    /// Turns a letter back to its author with a reason.
    pub async fn turn_back(&self, id: &str, reason: &str) -> Result<()> {
        self.master()?;
        let mut tx = self.write().await?;
        let letter = self.find(&mut tx, id).await?.ok_or(LetterError::Unknown)?;
        if letter.headline.state != LetterState::Desk {
            return Err(LetterError::NoDraft.into());
        }
        let reason = text::line(reason, limits::REMARK_CHARACTERS);
        tx.execute(
            "UPDATE letters SET state = 'returned', remark = $2 WHERE id = $1",
            &values![id, &reason],
        )
        .await?;
        let detail = format!("{}: {reason}", author(&letter));
        note(&mut tx, &self.world.id, "letter turned back", &detail).await?;
        tx.commit().await
    }

    /// Complains about a letter that came. The game master may read it from then on.
    pub async fn report(&self, id: &str, reason: &str) -> Result<()> {
        let mut tx = self.write().await?;
        let letter = self.find(&mut tx, id).await?.ok_or(LetterError::Unknown)?;
        if letter.mine || self.viewer == Viewer::GameMaster {
            return Err(LetterError::Unknown.into());
        }
        let reason = text::line(reason, limits::REMARK_CHARACTERS);
        tx.execute(
            "INSERT INTO letter_reports (letter, world, realm, reason, at) VALUES ($1, $2, $3, $4, $5) \
             ON CONFLICT (letter, realm) DO NOTHING",
            &values![id, &self.world.id, self.me(), &reason, now()],
        )
        .await?;
        tx.commit().await
    }

    /// The complaints, open ones first, then the newest.
    pub async fn complaints(&self) -> Result<Vec<Complaint>> {
        self.master()?;
        let mut tx = self.host.read().await?;
        let rows: Vec<(String, i64, String, i64, Option<String>)> = tx
            .all(
                "SELECT letter, realm, reason, at, answer FROM letter_reports WHERE world = $1 \
                 ORDER BY CASE WHEN answer IS NULL THEN 0 ELSE 1 END, at DESC, letter LIMIT $2",
                &values![&self.world.id, i64::from(limits::LETTERS_PER_PAGE)],
            )
            .await?;
        let mut complaints = Vec::with_capacity(rows.len());
        for (id, realm, reason, at, answer) in rows {
            let Viewer::Realm(by) = viewer_from(realm)? else {
                continue;
            };
            if let Some(letter) = self.find(&mut tx, &id).await? {
                complaints.push(Complaint {
                    letter,
                    by,
                    reason,
                    at,
                    answer,
                });
            }
        }
        Ok(complaints)
    }

    /// Answers a complaint.
    pub async fn answer_complaint(&self, id: &str, by: RealmId, answer: &str) -> Result<()> {
        self.master()?;
        let mut tx = self.write().await?;
        let answer = text::line(answer, limits::REMARK_CHARACTERS);
        let done = tx
            .execute(
                "UPDATE letter_reports SET answer = $4 WHERE letter = $1 AND world = $2 AND realm = $3",
                &values![id, &self.world.id, by, &answer],
            )
            .await?;
        if done == 0 {
            return Err(LetterError::Unknown.into());
        }
        let detail = format!("realm {by}: {answer}");
        note(&mut tx, &self.world.id, "complaint answered", &detail).await?;
        tx.commit().await
    }

    /// Stops the letters of a realm, or lets them go again. It may still write to the game master.
    pub async fn silence(&self, realm: RealmId, silenced: bool) -> Result<()> {
        self.master()?;
        self.host.seat(self.world, realm).await?;
        let mut tx = self.write().await?;
        let of = self.host.letters(self.world, Viewer::Realm(realm));
        let wishes = of.read_preferences(&mut tx).await?;
        self.write_preferences(&mut tx, of.me(), wishes.stand_in, &wishes.signature, silenced)
            .await?;
        let deed = if silenced { "letters stopped" } else { "letters allowed" };
        note(&mut tx, &self.world.id, deed, &format!("realm {realm}")).await?;
        tx.commit().await
    }

    /// The realms whose letters are stopped.
    pub async fn silenced(&self) -> Result<Vec<RealmId>> {
        self.master()?;
        let mut tx = self.host.read().await?;
        let rows: Vec<(i64,)> = tx
            .all(
                "SELECT realm FROM post_preferences WHERE world = $1 AND silenced = 1 ORDER BY realm",
                &values![&self.world.id],
            )
            .await?;
        rows.into_iter()
            .map(|(realm,)| Ok(RealmId(number(realm, "number of a realm")?)))
            .collect()
    }

    /// Says how letters go in this world from now on. What is on its way keeps its way.
    pub async fn set_custom(&self, custom: &Custom) -> Result<()> {
        self.master()?;
        let per_day = custom.per_day.clamp(1, limits::LETTERS_PER_DAY_MAX);
        let mut tx = self.write().await?;
        tx.execute(
            "INSERT INTO post_customs (world, delivery, desk, rumours, proclamations, per_day) VALUES ($1, $2, $3, $4, $5, $6) \
             ON CONFLICT (world) DO UPDATE SET delivery = excluded.delivery, desk = excluded.desk, rumours = excluded.rumours, \
             proclamations = excluded.proclamations, per_day = excluded.per_day",
            &values![
                &self.world.id,
                custom.delivery.code(),
                custom.desk,
                custom.rumours,
                custom.proclamations,
                per_day
            ],
        )
        .await?;
        let detail = format!(
            "{}{}",
            custom.delivery.code(),
            if custom.desk { " over the desk" } else { "" }
        );
        note(&mut tx, &self.world.id, "custom of letters", &detail).await?;
        tx.commit().await
    }
}
