//! Articles on their way to the editor.

use super::{Newspaper, NewspaperError, Section};
use crate::db::{Tx, values};
use crate::picture::{self, Picture};
use crate::store::{Host, now, random};
use crate::world::hex;
use crate::{Result, limits, text};

/// An article as its author or the editor writes it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Manuscript {
    /// Where it should stand.
    pub section: Section,
    /// Its title.
    pub title: String,
    /// A few words under the title.
    pub deck: String,
    /// Its words.
    pub body: String,
    /// A pen name; empty for the realm's own.
    pub byline: String,
    /// Words under the picture.
    pub caption: String,
    /// A new picture as it came; nothing leaves the old one.
    pub picture: Option<Vec<u8>>,
    /// Whether the old picture goes.
    pub without_picture: bool,
}

impl Manuscript {
    pub(super) fn tidied(&self) -> Result<Self> {
        let body = text::clean(&self.body);
        if body.chars().count() > limits::ARTICLE_CHARACTERS {
            return Err(NewspaperError::TooLong.into());
        }
        let title = text::line(&self.title, limits::SUBJECT_CHARACTERS);
        if body.trim().is_empty() {
            return Err(NewspaperError::Empty.into());
        }
        Ok(Self {
            section: self.section,
            title,
            deck: text::line(&self.deck, limits::DECK_CHARACTERS),
            body,
            byline: text::line(&self.byline, limits::SUBJECT_CHARACTERS),
            caption: text::line(&self.caption, limits::DECK_CHARACTERS),
            picture: self.picture.clone(),
            without_picture: self.without_picture,
        })
    }

    /// The picture, cleaned; done before the database is held.
    pub(super) async fn cleaned_picture(&self, host: &Host) -> Result<Option<Picture>> {
        let Some(bytes) = self.picture.clone() else {
            return Ok(None);
        };
        let _permit = host.drawing.acquire().await;
        let cleaned = tokio::task::spawn_blocking(move || picture::clean(&bytes))
            .await
            .map_err(|_| crate::HostError::Broken("reading a picture".into()))?;
        Ok(Some(cleaned?))
    }
}

impl Newspaper<'_> {
    /// Sends an article to the editor and returns its id.
    pub async fn submit(&self, manuscript: &Manuscript) -> Result<String> {
        let manuscript = manuscript.tidied()?;
        let picture = manuscript.cleaned_picture(self.host).await?;
        let mut tx = self.write().await?;
        if !self.is_editor() {
            let (waiting,): (i64,) = tx
                .one(
                    "SELECT COUNT(*) FROM articles WHERE world = $1 AND realm = $2 AND state = 'submitted'",
                    &values![&self.world.id, self.me()],
                )
                .await?;
            if waiting >= i64::from(limits::ARTICLES_WAITING) {
                return Err(NewspaperError::TooMany.into());
            }
        }
        let id = hex(&random::<16>()?);
        tx.execute(
            "INSERT INTO articles (id, world, realm, section, state, position, title, deck, body, byline, caption, reason, edited, \
             touched_at) VALUES ($1, $2, $3, $4, 'submitted', 0, $5, $6, $7, $8, $9, '', 0, $10)",
            &values![
                &id,
                &self.world.id,
                self.me(),
                manuscript.section.code(),
                &manuscript.title,
                &manuscript.deck,
                &manuscript.body,
                &manuscript.byline,
                &manuscript.caption,
                now()
            ],
        )
        .await?;
        self.hang(&mut tx, &id, picture.as_ref(), false).await?;
        tx.commit().await?;
        Ok(id)
    }

    /// Changes an article that still waits for the editor.
    pub async fn revise(&self, id: &str, manuscript: &Manuscript) -> Result<()> {
        let manuscript = manuscript.tidied()?;
        let picture = manuscript.cleaned_picture(self.host).await?;
        let mut tx = self.write().await?;
        self.own_waiting(&mut tx, id).await?;
        self.overwrite(&mut tx, id, &manuscript).await?;
        self.hang(&mut tx, id, picture.as_ref(), manuscript.without_picture)
            .await?;
        tx.commit().await
    }

    /// Takes an article that still waits for the editor, or was rejected, back.
    pub async fn withdraw(&self, id: &str) -> Result<()> {
        let mut tx = self.write().await?;
        self.own_waiting(&mut tx, id).await?;
        self.hang(&mut tx, id, None, true).await?;
        tx.execute("DELETE FROM articles WHERE id = $1", &values![id]).await?;
        tx.commit().await
    }

    async fn own_waiting(&self, tx: &mut Tx, id: &str) -> Result<()> {
        let row: Option<(String,)> = tx
            .maybe(
                "SELECT state FROM articles WHERE id = $1 AND world = $2 AND realm = $3",
                &values![id, &self.world.id, self.me()],
            )
            .await?;
        match row.as_ref().map(|(state,)| state.as_str()) {
            Some("submitted" | "rejected") => Ok(()),
            Some(_) => Err(NewspaperError::Taken.into()),
            None => Err(NewspaperError::Unknown.into()),
        }
    }

    pub(super) async fn overwrite(&self, tx: &mut Tx, id: &str, manuscript: &Manuscript) -> Result<()> {
        tx.execute(
            "UPDATE articles SET section = $2, title = $3, deck = $4, body = $5, byline = $6, caption = $7, touched_at = $8 \
             WHERE id = $1",
            &values![
                id,
                manuscript.section.code(),
                &manuscript.title,
                &manuscript.deck,
                &manuscript.body,
                &manuscript.byline,
                &manuscript.caption,
                now()
            ],
        )
        .await?;
        Ok(())
    }

    /// Hangs a new picture into an article, or takes the old one off.
    pub(super) async fn hang(&self, tx: &mut Tx, article: &str, picture: Option<&Picture>, off: bool) -> Result<()> {
        if picture.is_none() && !off {
            return Ok(());
        }
        let old: Option<(Option<String>,)> = tx
            .maybe("SELECT picture FROM articles WHERE id = $1", &values![article])
            .await?;
        tx.execute("UPDATE articles SET picture = NULL WHERE id = $1", &values![article])
            .await?;
        if let Some((Some(old),)) = old {
            tx.execute("DELETE FROM pictures WHERE id = $1", &values![&old]).await?;
        }
        if let Some(picture) = picture {
            let id = hex(&random::<16>()?);
            tx.execute(
                "INSERT INTO pictures (id, world, media, width, height, bytes) VALUES ($1, $2, $3, $4, $5, $6)",
                &values![
                    &id,
                    &self.world.id,
                    picture.media.mime(),
                    picture.width,
                    picture.height,
                    &picture.bytes
                ],
            )
            .await?;
            tx.execute("UPDATE articles SET picture = $2 WHERE id = $1", &values![article, &id])
                .await?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[tokio::test]
    async fn pictures_are_drawn_anew_a_few_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let options = crate::Options {
            data: folder.path().to_owned(),
            database: None,
            create: true,
            megabytes_max: None,
        };
        let host = Host::open(Vec::new(), &options).await.unwrap();
        let drawing = b"<svg xmlns='http://www.w3.org/2000/svg' width='20' height='20'><path d='M0 0h9v9z'/></svg>";
        let manuscript = Manuscript {
            picture: Some(drawing.to_vec()),
            ..Manuscript::default()
        };
        let busy = host
            .drawing
            .acquire_many(limits::PICTURES_AT_ONCE as u32)
            .await
            .unwrap();
        let waits = tokio::time::timeout(Duration::from_millis(50), manuscript.cleaned_picture(&host));
        assert!(waits.await.is_err(), "it waits for its turn");
        drop(busy);
        assert!(manuscript.cleaned_picture(&host).await.unwrap().is_some());
    }
}
