//! The editor's part: issues, what stands in them and in which order, and printing.

use super::{Manuscript, Masthead, Newspaper, NewspaperError, Section, masthead};
use crate::db::{Tx, values};
use crate::letter::LetterKind;
use crate::store::{note, now, random};
use crate::unfit::Unfit;
use crate::world::{hex, number, viewer_number};
use crate::{Result, limits, text};

impl Newspaper<'_> {
    fn editor(&self) -> Result<()> {
        if self.is_editor() {
            Ok(())
        } else {
            Err(NewspaperError::Unknown.into())
        }
    }

    /// Writes the head of the paper.
    pub async fn set_masthead(&self, masthead: &Masthead) -> Result<()> {
        self.editor()?;
        let mut tx = self.write().await?;
        tx.execute(
            "INSERT INTO newspapers (world, title, motto, price) VALUES ($1, $2, $3, $4) \
             ON CONFLICT (world) DO UPDATE SET title = excluded.title, motto = excluded.motto, price = excluded.price",
            &values![
                &self.world.id,
                &text::line(&masthead.title, limits::MASTHEAD_CHARACTERS),
                &text::line(&masthead.motto, limits::SUBJECT_CHARACTERS),
                &text::line(&masthead.price, limits::SUBJECT_CHARACTERS)
            ],
        )
        .await?;
        tx.commit().await
    }

    /// The number of the issue in the making; begins one if there is none. Its dateline goes with the time until it is printed.
    pub async fn open_issue(&self) -> Result<u32> {
        self.editor()?;
        let step = self.host.open_step(self.world).await?;
        let season = serde_json::to_string(&step.name)
            .map_err(|error| crate::HostError::Malformed(Unfit::Other(error.to_string())))?;
        let mut tx = self.write().await?;
        let open: Option<(i64,)> = tx
            .maybe(
                "SELECT number FROM issues WHERE world = $1 AND published_at IS NULL ORDER BY number LIMIT 1",
                &values![&self.world.id],
            )
            .await?;
        if let Some((open,)) = open {
            let dated = tx
                .execute(
                    "UPDATE issues SET step = $3, season = $4 WHERE world = $1 AND number = $2 AND step <> $3",
                    &values![&self.world.id, open, step.number, &season],
                )
                .await?;
            if dated > 0 {
                tx.commit().await?;
            }
            return number(open, "number of an issue");
        }
        let (last,): (i64,) = tx
            .one(
                "SELECT COALESCE(MAX(number), 0) FROM issues WHERE world = $1",
                &values![&self.world.id],
            )
            .await?;
        tx.execute(
            "INSERT INTO issues (world, number, step, season, place) VALUES ($1, $2, $3, $4, '')",
            &values![&self.world.id, last + 1, step.number, &season],
        )
        .await?;
        tx.commit().await?;
        number(last + 1, "number of an issue")
    }

    /// Writes the dateline of an issue in the making.
    pub async fn set_place(&self, issue: u32, place: &str) -> Result<()> {
        self.editor()?;
        let mut tx = self.write().await?;
        self.unprinted(&mut tx, issue).await?;
        tx.execute(
            "UPDATE issues SET place = $3 WHERE world = $1 AND number = $2",
            &values![&self.world.id, issue, &text::line(place, limits::SUBJECT_CHARACTERS)],
        )
        .await?;
        tx.commit().await
    }

    /// Takes an article into an issue in the making, at its end.
    pub async fn accept(&self, id: &str, issue: u32) -> Result<()> {
        self.editor()?;
        let mut tx = self.write().await?;
        self.unprinted(&mut tx, issue).await?;
        self.loose(&mut tx, id).await?;
        let position = self.next_position(&mut tx, issue).await?;
        tx.execute(
            "UPDATE articles SET state = 'accepted', issue = $2, position = $3, reason = '' WHERE id = $1",
            &values![id, issue, position],
        )
        .await?;
        tx.commit().await
    }

    /// Puts an article back among those that wait.
    pub async fn put_back(&self, id: &str) -> Result<()> {
        self.editor()?;
        let mut tx = self.write().await?;
        self.loose(&mut tx, id).await?;
        tx.execute(
            "UPDATE articles SET state = 'submitted', issue = NULL WHERE id = $1",
            &values![id],
        )
        .await?;
        tx.commit().await
    }

    /// Does not want an article, with a reason.
    pub async fn reject(&self, id: &str, reason: &str) -> Result<()> {
        self.editor()?;
        let mut tx = self.write().await?;
        self.loose(&mut tx, id).await?;
        tx.execute(
            "UPDATE articles SET state = 'rejected', issue = NULL, reason = $2 WHERE id = $1",
            &values![id, &text::line(reason, limits::REMARK_CHARACTERS)],
        )
        .await?;
        tx.commit().await
    }

    /// Changes an article that is not printed yet. Its author is told that it was changed.
    pub async fn edit(&self, id: &str, manuscript: &Manuscript) -> Result<()> {
        self.editor()?;
        let manuscript = manuscript.tidied()?;
        let picture = manuscript.cleaned_picture(self.host).await?;
        let mut tx = self.write().await?;
        self.loose(&mut tx, id).await?;
        self.overwrite(&mut tx, id, &manuscript).await?;
        self.hang(&mut tx, id, picture.as_ref(), manuscript.without_picture)
            .await?;
        tx.execute(
            "UPDATE articles SET edited = CASE WHEN realm = 0 THEN 0 ELSE 1 END WHERE id = $1",
            &values![id],
        )
        .await?;
        tx.commit().await
    }

    /// Moves an article of an issue in the making one place up or down.
    pub async fn shift(&self, id: &str, up: bool) -> Result<()> {
        self.editor()?;
        let mut tx = self.write().await?;
        self.loose(&mut tx, id).await?;
        let place: Option<(Option<i64>, i64)> = tx
            .maybe("SELECT issue, position FROM articles WHERE id = $1", &values![id])
            .await?;
        let Some((Some(issue), position)) = place else {
            return Err(NewspaperError::Unknown.into());
        };
        let neighbour: Option<(String, i64)> = if up {
            tx.maybe(
                "SELECT id, position FROM articles WHERE world = $1 AND issue = $2 AND position < $3 ORDER BY position DESC LIMIT 1",
                &values![&self.world.id, issue, position],
            )
            .await?
        } else {
            tx.maybe(
                "SELECT id, position FROM articles WHERE world = $1 AND issue = $2 AND position > $3 ORDER BY position LIMIT 1",
                &values![&self.world.id, issue, position],
            )
            .await?
        };
        if let Some((other, there)) = neighbour {
            tx.execute("UPDATE articles SET position = $2 WHERE id = $1", &values![id, there])
                .await?;
            tx.execute(
                "UPDATE articles SET position = $2 WHERE id = $1",
                &values![&other, position],
            )
            .await?;
        }
        tx.commit().await
    }

    /// Takes the proclamations and rumours that came since the last issue into the one in the making; tells how many.
    pub async fn gather(&self, issue: u32) -> Result<u32> {
        self.editor()?;
        let mut tx = self.write().await?;
        self.unprinted(&mut tx, issue).await?;
        let (since,): (i64,) = tx
            .one(
                "SELECT COALESCE(MAX(published_at), 0) FROM issues WHERE world = $1",
                &values![&self.world.id],
            )
            .await?;
        let found: Vec<(String, String, i64, String, String)> = tx
            .all(
                "SELECT id, kind, author, subject, body FROM letters WHERE world = $1 AND state = 'delivered' AND delivered_at > $2 \
                 AND kind <> 'letter' AND id NOT IN (SELECT source FROM articles WHERE world = $1 AND source IS NOT NULL) \
                 ORDER BY delivered_at, id LIMIT $3",
                &values![&self.world.id, since, i64::from(limits::ISSUE_ARTICLES)],
            )
            .await?;
        let mut taken = 0;
        for (source, kind, author, subject, body) in found {
            let rumour = LetterKind::from_code(&kind) == Some(LetterKind::Rumour);
            let section = if rumour { Section::Rumour } else { Section::Notice };
            let position = self.next_position(&mut tx, issue).await?;
            tx.execute(
                "INSERT INTO articles (id, world, realm, section, state, issue, position, title, deck, body, byline, caption, \
                 reason, edited, source, touched_at) \
                 VALUES ($1, $2, $3, $4, 'accepted', $5, $6, $7, '', $8, '', '', '', 0, $9, $10)",
                &values![
                    &hex(&random::<16>()?),
                    &self.world.id,
                    // A rumour is nobody's here too.
                    if rumour { viewer_number(self.viewer) } else { author },
                    section.code(),
                    issue,
                    position,
                    &subject,
                    &body,
                    &source,
                    now()
                ],
            )
            .await?;
            taken += 1;
        }
        tx.commit().await?;
        Ok(taken)
    }

    /// Prints an issue. From then on every member of the world reads it and nobody changes it.
    pub async fn publish(&self, issue: u32) -> Result<()> {
        self.editor()?;
        let mut tx = self.write().await?;
        self.unprinted(&mut tx, issue).await?;
        let (articles,): (i64,) = tx
            .one(
                "SELECT COUNT(*) FROM articles WHERE world = $1 AND issue = $2 AND state = 'accepted'",
                &values![&self.world.id, issue],
            )
            .await?;
        if articles == 0 {
            return Err(NewspaperError::NothingToPrint.into());
        }
        let head = masthead(&mut tx, &self.world.id).await?;
        tx.execute(
            "UPDATE issues SET published_at = $3, title = $4, motto = $5, price = $6 WHERE world = $1 AND number = $2",
            &values![&self.world.id, issue, now(), &head.title, &head.motto, &head.price],
        )
        .await?;
        note(&mut tx, &self.world.id, "newspaper printed", &format!("issue {issue}")).await?;
        tx.commit().await
    }

    /// Sees to it that an issue exists and is not printed.
    async fn unprinted(&self, tx: &mut Tx, issue: u32) -> Result<()> {
        match self.find_issue(tx, issue).await?.published_at {
            None => Ok(()),
            Some(_) => Err(NewspaperError::Printed.into()),
        }
    }

    /// Sees to it that an article exists and stands in no printed issue.
    async fn loose(&self, tx: &mut Tx, id: &str) -> Result<()> {
        let row: Option<(Option<i64>,)> = tx
            .maybe(
                "SELECT issue FROM articles WHERE id = $1 AND world = $2",
                &values![id, &self.world.id],
            )
            .await?;
        match row {
            Some((Some(issue),)) => self.unprinted(tx, number(issue, "number of an issue")?).await,
            Some((None,)) => Ok(()),
            None => Err(NewspaperError::Unknown.into()),
        }
    }

    async fn next_position(&self, tx: &mut Tx, issue: u32) -> Result<i64> {
        let (count, last): (i64, i64) = tx
            .one(
                "SELECT COUNT(*), COALESCE(MAX(position), 0) FROM articles WHERE world = $1 AND issue = $2",
                &values![&self.world.id, issue],
            )
            .await?;
        if count >= i64::from(limits::ISSUE_ARTICLES) {
            return Err(NewspaperError::Full.into());
        }
        Ok(last + 1)
    }
}
