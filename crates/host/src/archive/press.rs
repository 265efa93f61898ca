//! Arms and printed newspapers in an exported world. Letters are not in it: the game master, for whom the file is, may not
//! read them.

use super::{Blob, Record, broken};
use crate::arms::{Blazon, svg};
use crate::db::{Tx, values};
use crate::newspaper::Section;
use crate::store::random;
use crate::world::{hex, number};
use crate::{Result, limits, picture, text};
use kernel::realm::RealmId;
use kernel::report::Term;
use serde::{Deserialize, Serialize};

/// A coat of arms.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ArmsRecord {
    /// Whose.
    pub realm: RealmId,
    /// How it was put together, as JSON; nothing for one that was brought along.
    pub blazon: Option<String>,
    /// The drawing.
    pub drawing: String,
    /// When it was chosen.
    pub changed_at: i64,
}

/// A printed issue of the newspaper.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct IssueRecord {
    /// Its number.
    pub number: u32,
    /// The step that was open when it was begun.
    pub step: u32,
    /// Name of that step, as JSON.
    pub season: Option<String>,
    /// Its dateline.
    pub place: String,
    /// When it was printed.
    pub published_at: i64,
    /// Title of the paper, and what stands left and right of it.
    pub head: (String, String, String),
}

/// An article of a printed issue.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ArticleRecord {
    /// Whose; 0 is the game master.
    pub realm: u16,
    /// The issue in which it stands.
    pub issue: u32,
    /// Its place in it.
    pub position: i64,
    /// Its section.
    pub section: String,
    /// Title, words under it, text, name, and words under the picture.
    pub words: (String, String, String, String, String),
    /// Its picture.
    pub picture: Option<Blob>,
    /// When it was last touched.
    pub touched_at: i64,
}

type IssueRow = (i64, i64, Option<String>, String, Option<i64>, String, String, String);
type ArticleRow = (i64, i64, String, String, String, String, String, String, i64);

/// Hands arms, printed issues and their articles to `put`.
pub(super) async fn write(tx: &mut Tx, world: &str, put: &mut (dyn FnMut(Record) -> Result<()> + Send)) -> Result<()> {
    let arms: Vec<(i64, Option<String>, String, i64)> = tx
        .all(
            "SELECT realm, blazon, drawing, changed_at FROM arms WHERE world = $1 ORDER BY realm",
            &values![world],
        )
        .await?;
    for (realm, blazon, drawing, changed_at) in arms {
        put(Record::Arms(ArmsRecord {
            realm: RealmId(number(realm, "number of a realm")?),
            blazon,
            drawing,
            changed_at,
        }))?;
    }
    let issues: Vec<IssueRow> = tx
        .all(
            "SELECT number, step, season, place, published_at, title, motto, price FROM issues WHERE world = $1 \
             AND published_at IS NOT NULL ORDER BY number",
            &values![world],
        )
        .await?;
    for (issue, step, season, place, published_at, title, motto, price) in issues {
        put(Record::Issue(IssueRecord {
            number: number(issue, "number of an issue")?,
            step: number(step, "number of a step")?,
            season,
            place,
            published_at: published_at.unwrap_or(0),
            head: (title, motto, price),
        }))?;
        let articles: Vec<(String,)> = tx
            .all(
                "SELECT id FROM articles WHERE world = $1 AND issue = $2 AND state = 'accepted' ORDER BY position, id",
                &values![world, issue],
            )
            .await?;
        for (id,) in articles {
            put(Record::Article(article(tx, &id, issue).await?))?;
        }
    }
    Ok(())
}

async fn article(tx: &mut Tx, id: &str, issue: i64) -> Result<ArticleRecord> {
    let (realm, position, section, title, deck, body, byline, caption, touched_at): ArticleRow = tx
        .one(
            "SELECT realm, position, section, title, deck, body, byline, caption, touched_at FROM articles WHERE id = $1",
            &values![id],
        )
        .await?;
    let picture: Option<(Vec<u8>,)> = tx
        .maybe(
            "SELECT p.bytes FROM pictures p JOIN articles a ON a.picture = p.id WHERE a.id = $1",
            &values![id],
        )
        .await?;
    Ok(ArticleRecord {
        realm: number(realm, "number of a realm")?,
        issue: number(issue, "number of an issue")?,
        position,
        section,
        words: (title, deck, body, byline, caption),
        picture: picture.map(|(bytes,)| Blob(bytes)),
        touched_at,
    })
}

/// Takes arms in; the drawing is made or cleaned anew, for a file can be altered by hand.
pub(super) async fn take_arms(tx: &mut Tx, world: &str, record: &ArmsRecord) -> Result<()> {
    let drawing = match &record.blazon {
        Some(json) => {
            let blazon: Blazon = serde_json::from_str(json).map_err(|_| broken("a coat of arms is malformed"))?;
            blazon.draw()
        }
        None => {
            let cleaned = svg::clean_again(record.drawing.as_bytes(), svg::Frame::Arms)
                .map_err(|error| broken(&error.to_string()))?;
            cleaned.svg
        }
    };
    tx.execute(
        "INSERT INTO arms (world, realm, blazon, drawing, changed_at) VALUES ($1, $2, $3, $4, $5)",
        &values![
            world,
            record.realm,
            record.blazon.as_deref(),
            &drawing,
            record.changed_at
        ],
    )
    .await?;
    Ok(())
}

/// Takes a printed issue in.
pub(super) async fn take_issue(tx: &mut Tx, world: &str, record: &IssueRecord) -> Result<()> {
    let sound = |json: &str| serde_json::from_str::<Term>(json).is_ok();
    if record.season.as_deref().is_some_and(|json| !sound(json)) {
        return Err(broken("the season of an issue is malformed"));
    }
    let line = |words: &str| text::line(words, limits::SUBJECT_CHARACTERS);
    let (title, motto, price) = &record.head;
    tx.execute(
        "INSERT INTO issues (world, number, step, season, place, published_at, title, motto, price) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        &values![
            world,
            record.number,
            record.step,
            record.season.as_deref(),
            &line(&record.place),
            record.published_at,
            &line(title),
            &line(motto),
            &line(price)
        ],
    )
    .await?;
    Ok(())
}

/// Takes an article in; its picture is cleaned anew.
pub(super) async fn take_article(tx: &mut Tx, world: &str, record: &ArticleRecord) -> Result<()> {
    let issue: Option<(i64,)> = tx
        .maybe(
            "SELECT number FROM issues WHERE world = $1 AND number = $2",
            &values![world, record.issue],
        )
        .await?;
    let section = Section::from_code(&record.section).filter(|_| issue.is_some());
    let section = section.ok_or_else(|| broken("an article stands nowhere"))?;
    let (title, deck, body, byline, caption) = &record.words;
    let body = text::clean(body);
    if body.chars().count() > limits::ARTICLE_CHARACTERS {
        return Err(broken("an article is too long"));
    }
    let picture = match &record.picture {
        None => None,
        Some(bytes) => {
            let picture = picture::clean_again(&bytes.0).map_err(|error| broken(&error.to_string()))?;
            let id = hex(&random::<16>()?);
            tx.execute(
                "INSERT INTO pictures (id, world, media, width, height, bytes) VALUES ($1, $2, $3, $4, $5, $6)",
                &values![
                    &id,
                    world,
                    picture.media.mime(),
                    picture.width,
                    picture.height,
                    &picture.bytes
                ],
            )
            .await?;
            Some(id)
        }
    };
    let line = |words: &str| text::line(words, limits::DECK_CHARACTERS);
    tx.execute(
        "INSERT INTO articles (id, world, realm, section, state, issue, position, title, deck, body, byline, caption, picture, reason, \
         edited, touched_at) VALUES ($1, $2, $3, $4, 'accepted', $5, $6, $7, $8, $9, $10, $11, $12, '', 0, $13)",
        &values![
            &hex(&random::<16>()?),
            world,
            record.realm,
            section.code(),
            record.issue,
            record.position,
            &line(title),
            &line(deck),
            &body,
            &line(byline),
            &line(caption),
            picture.as_deref(),
            record.touched_at
        ],
    )
    .await?;
    Ok(())
}
