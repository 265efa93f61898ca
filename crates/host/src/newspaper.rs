//! The newspaper of a world: realms send articles and pictures, the game master edits and prints.
//!
//! A printed issue never changes. An article that is not printed is read by the realm that sent it and by the game master.
//! Under a pen name a printed article does not say whose it is; what is sent as a rumour never does.

use crate::db::{Tx, values};
use crate::letter::viewer_from;
use crate::picture::{Media, Picture};
use crate::store::Host;
use crate::world::{World, number, viewer_number};
use crate::{Result, limits};
use kernel::realm::Viewer;
use kernel::report::Term;
use serde::Serialize;

mod editing;
mod submission;

pub use submission::Manuscript;

/// Why the newspaper does not take or print something. [`NewspaperError::code`] is the key of its wording.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NewspaperError {
    /// There is no such issue, article or picture for this viewer.
    #[error("no such issue or article")]
    Unknown,
    /// The issue is printed.
    #[error("the issue is printed")]
    Printed,
    /// The article is with the editor, or printed: its author cannot change it.
    #[error("the article is in the editor's hands")]
    Taken,
    /// It has neither title nor words.
    #[error("the article is empty")]
    Empty,
    /// Too many characters.
    #[error("an article has at most {} characters", limits::ARTICLE_CHARACTERS)]
    TooLong,
    /// Too many articles wait for the editor.
    #[error("at most {} articles of a realm wait for the editor", limits::ARTICLES_WAITING)]
    TooMany,
    /// The issue has as many articles as it can hold.
    #[error("an issue has at most {} articles", limits::ISSUE_ARTICLES)]
    Full,
    /// The issue has no article yet.
    #[error("the issue is empty")]
    NothingToPrint,
}

impl NewspaperError {
    /// Key of the wording.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Unknown => "news-unknown",
            Self::Printed => "news-printed",
            Self::Taken => "news-taken",
            Self::Empty => "news-empty",
            Self::TooLong => "news-too-long",
            Self::TooMany => "news-too-many",
            Self::Full => "news-full",
            Self::NothingToPrint => "news-nothing-to-print",
        }
    }

    pub(crate) const fn exit_code(&self) -> u8 {
        match self {
            Self::Unknown => 3,
            Self::Printed | Self::Taken => 4,
            Self::TooLong => 7,
            Self::Empty | Self::NothingToPrint => 8,
            Self::TooMany | Self::Full => 13,
        }
    }
}

macro_rules! codes {
    ($name:ident, $($item:ident = $code:literal),* $(,)?) => {
        impl $name {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$item),*];

            /// Its name in the database and in forms.
            pub const fn code(self) -> &'static str {
                match self { $(Self::$item => $code),* }
            }

            /// The one with this name.
            pub fn from_code(code: &str) -> Option<Self> {
                match code { $($code => Some(Self::$item),)* _ => None }
            }
        }
    };
}

/// Where in the paper an article stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Section {
    /// On top of the first page.
    Lead,
    /// In the body of the paper.
    #[default]
    Article,
    /// A few lines.
    Short,
    /// Made known by a realm.
    Notice,
    /// Nobody's words.
    Rumour,
    /// A table: each line has a thing and what it costs, with a bar between them.
    Prices,
    /// In a frame.
    Advert,
}
codes!(
    Section,
    Lead = "lead",
    Article = "article",
    Short = "short",
    Notice = "notice",
    Rumour = "rumour",
    Prices = "prices",
    Advert = "advert",
);

/// What has become of an article.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ArticleState {
    /// It waits for the editor.
    Submitted,
    /// It stands in an issue.
    Accepted,
    /// The editor does not want it.
    Rejected,
}
codes!(
    ArticleState,
    Submitted = "submitted",
    Accepted = "accepted",
    Rejected = "rejected",
);

/// The head of the paper; empty parts are filled by the language of the reader.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Masthead {
    /// Its title.
    pub title: String,
    /// Left of the title.
    pub motto: String,
    /// Right of the title.
    pub price: String,
}

/// An issue.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Issue {
    /// Its number, from 1.
    pub number: u32,
    /// The step that was open when it was printed; as long as it is not, when its editor last saw it.
    pub step: u32,
    /// Name of that step in the game's words.
    pub season: Option<Term>,
    /// Where it was printed, or whatever its dateline says besides.
    pub place: String,
    /// The head of the paper; that of a printed issue stays as it was.
    pub masthead: Masthead,
    /// When it was printed; nothing as long as it is not.
    pub published_at: Option<i64>,
    /// Title of its first article.
    pub headline: String,
}

/// An article.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Article {
    /// Its id: random.
    pub id: String,
    /// Where it stands.
    pub section: Section,
    /// What has become of it.
    pub state: ArticleState,
    /// The issue in which it stands.
    pub issue: Option<u32>,
    /// Whose it is; nothing if that is a secret.
    pub author: Option<Viewer>,
    /// Its title.
    pub title: String,
    /// A few words under the title.
    pub deck: String,
    /// Its words.
    pub body: String,
    /// The name under which it stands; empty for the realm's own.
    pub byline: String,
    /// Words under the picture.
    pub caption: String,
    /// Its picture: id, width and height.
    pub picture: Option<(String, u32, u32)>,
    /// Why the editor does not want it.
    pub reason: String,
    /// Whether the editor changed its words; the author and the editor are told.
    pub edited: bool,
    /// When it was last touched.
    pub touched_at: i64,
}

/// The newspaper as one viewer sees it.
#[derive(Clone, Copy)]
pub struct Newspaper<'a> {
    host: &'a Host,
    world: &'a World,
    viewer: Viewer,
}

impl Host {
    /// The newspaper for a viewer. That the asker may act for this viewer was found out before.
    pub fn newspaper<'a>(&'a self, world: &'a World, viewer: Viewer) -> Newspaper<'a> {
        Newspaper {
            host: self,
            world,
            viewer,
        }
    }
}

type IssueRow = (
    i64,
    i64,
    Option<String>,
    String,
    Option<i64>,
    Option<String>,
    String,
    String,
    String,
);
type ArticleRow = (String, String, String, Option<i64>, i64, String, String, String, String);
type PictureRow = (String, Option<String>, Option<i64>, Option<i64>, String, i64, i64);

impl Newspaper<'_> {
    fn me(&self) -> i64 {
        viewer_number(self.viewer)
    }

    fn is_editor(&self) -> bool {
        self.viewer == Viewer::GameMaster
    }

    async fn write(&self) -> Result<Tx> {
        self.host.write(crate::db::Subject::World(&self.world.id)).await
    }

    /// The head of the paper.
    pub async fn masthead(&self) -> Result<Masthead> {
        let mut tx = self.host.read().await?;
        masthead(&mut tx, &self.world.id).await
    }

    /// The issues, newest first; the editor sees those in the making too.
    pub async fn issues(&self) -> Result<Vec<Issue>> {
        let mut tx = self.host.read().await?;
        let rows: Vec<IssueRow> = tx
            .all(
                "SELECT i.number, i.step, i.season, i.place, i.published_at, (SELECT a.title FROM articles a \
                 WHERE a.world = i.world AND a.issue = i.number AND a.state = 'accepted' ORDER BY a.position, a.id LIMIT 1), \
                 i.title, i.motto, i.price FROM issues i WHERE i.world = $1 AND (i.published_at IS NOT NULL OR $2 = 0) ORDER BY i.number DESC LIMIT $3",
                &values![&self.world.id, self.me(), i64::from(limits::ISSUES)],
            )
            .await?;
        let head = masthead(&mut tx, &self.world.id).await?;
        rows.into_iter().map(|row| issue_from(row, &head)).collect()
    }

    /// An issue that this viewer may read.
    pub async fn issue(&self, issue: u32) -> Result<Issue> {
        let mut tx = self.host.read().await?;
        self.find_issue(&mut tx, issue).await
    }

    async fn find_issue(&self, tx: &mut Tx, issue: u32) -> Result<Issue> {
        let row: Option<IssueRow> = tx
            .maybe(
                "SELECT number, step, season, place, published_at, CAST(NULL AS TEXT), title, motto, price FROM issues WHERE world = $1 AND number = $2 \
                 AND (published_at IS NOT NULL OR $3 = 0)",
                &values![&self.world.id, issue, self.me()],
            )
            .await?;
        let row = row.ok_or(NewspaperError::Unknown)?;
        let head = masthead(tx, &self.world.id).await?;
        issue_from(row, &head)
    }

    /// The articles of an issue in their order.
    pub async fn articles(&self, issue: u32) -> Result<Vec<Article>> {
        let mut tx = self.host.read().await?;
        self.find_issue(&mut tx, issue).await?;
        let rows: Vec<(String,)> = tx
            .all(
                "SELECT id FROM articles WHERE world = $1 AND issue = $2 AND state = 'accepted' ORDER BY position, id",
                &values![&self.world.id, issue],
            )
            .await?;
        self.load(&mut tx, rows).await
    }

    /// What this realm has sent and what became of it, newest first; for the editor, what waits for him, oldest first.
    pub async fn submissions(&self) -> Result<Vec<Article>> {
        let mut tx = self.host.read().await?;
        let page = i64::from(limits::ARTICLES_PER_PAGE);
        let rows: Vec<(String,)> = if self.is_editor() {
            tx.all(
                "SELECT id FROM articles WHERE world = $1 AND state = 'submitted' ORDER BY touched_at, id LIMIT $2",
                &values![&self.world.id, page],
            )
            .await?
        } else {
            tx.all(
                "SELECT id FROM articles WHERE world = $1 AND realm = $2 ORDER BY touched_at DESC, id LIMIT $3",
                &values![&self.world.id, self.me(), page],
            )
            .await?
        };
        self.load(&mut tx, rows).await
    }

    async fn load(&self, tx: &mut Tx, rows: Vec<(String,)>) -> Result<Vec<Article>> {
        let mut articles = Vec::with_capacity(rows.len());
        for (id,) in rows {
            articles.extend(self.find(tx, &id).await?);
        }
        Ok(articles)
    }

    /// An article that this viewer may read.
    pub async fn article(&self, id: &str) -> Result<Article> {
        let mut tx = self.host.read().await?;
        self.find(&mut tx, id)
            .await?
            .ok_or_else(|| NewspaperError::Unknown.into())
    }

    async fn find(&self, tx: &mut Tx, id: &str) -> Result<Option<Article>> {
        let row: Option<ArticleRow> = tx
            .maybe(
                "SELECT id, section, state, issue, realm, title, deck, body, byline FROM articles WHERE id = $1 AND world = $2",
                &values![id, &self.world.id],
            )
            .await?;
        let Some((id, section, state, issue, realm, title, deck, body, byline)) = row else {
            return Ok(None);
        };
        let damaged = |what: &str| crate::HostError::Damaged(format!("an article is {what:?}").into());
        let section = Section::from_code(&section).ok_or_else(|| damaged(&section))?;
        let state = ArticleState::from_code(&state).ok_or_else(|| damaged(&state))?;
        let (caption, picture, width, height, reason, edited, touched_at): PictureRow = tx
            .one(
                "SELECT a.caption, a.picture, p.width, p.height, a.reason, a.edited, a.touched_at FROM articles a \
                 LEFT JOIN pictures p ON p.id = a.picture WHERE a.id = $1",
                &values![&id],
            )
            .await?;
        let mine = realm == self.me() || self.is_editor();
        let printed: Option<(i64,)> = tx
            .maybe(
                "SELECT number FROM issues WHERE world = $1 AND number = $2 AND published_at IS NOT NULL",
                &values![&self.world.id, issue],
            )
            .await?;
        let printed = printed.is_some() && state == ArticleState::Accepted;
        if !(mine || printed) {
            return Ok(None);
        }
        let secret = section == Section::Rumour || !byline.is_empty();
        Ok(Some(Article {
            section,
            // An author learns that his article is taken when he can read it in print, not before.
            state: if printed || self.is_editor() || state == ArticleState::Rejected {
                state
            } else {
                ArticleState::Submitted
            },
            issue: match issue {
                Some(issue) if printed || self.is_editor() => Some(number(issue, "number of an issue")?),
                _ => None,
            },
            author: if mine || !secret {
                Some(viewer_from(realm)?)
            } else {
                None
            },
            picture: match (picture, width, height) {
                (Some(id), Some(width), Some(height)) => Some((
                    id,
                    number(width, "width of a picture")?,
                    number(height, "height of a picture")?,
                )),
                _ => None,
            },
            reason: if mine { reason } else { String::new() },
            edited: mine && edited != 0,
            touched_at: if mine { touched_at } else { 0 },
            id,
            title,
            deck,
            body,
            byline,
            caption,
        }))
    }

    /// A picture of an article that this viewer may read.
    pub async fn picture(&self, id: &str) -> Result<Picture> {
        let mut tx = self.host.read().await?;
        let article: Option<(String,)> = tx
            .maybe(
                "SELECT id FROM articles WHERE picture = $1 AND world = $2",
                &values![id, &self.world.id],
            )
            .await?;
        let readable = match article {
            Some((article,)) => self.find(&mut tx, &article).await?.is_some(),
            None => false,
        };
        if !readable {
            return Err(NewspaperError::Unknown.into());
        }
        let (media, width, height, bytes): (String, i64, i64, Vec<u8>) = tx
            .one(
                "SELECT media, width, height, bytes FROM pictures WHERE id = $1",
                &values![id],
            )
            .await?;
        Ok(Picture {
            media: Media::from_mime(&media)
                .ok_or_else(|| crate::HostError::Damaged(format!("a picture is {media:?}").into()))?,
            width: number(width, "width of a picture")?,
            height: number(height, "height of a picture")?,
            bytes,
        })
    }
}

pub(crate) async fn masthead(tx: &mut Tx, world: &str) -> Result<Masthead> {
    let row: Option<(String, String, String)> = tx
        .maybe(
            "SELECT title, motto, price FROM newspapers WHERE world = $1",
            &values![world],
        )
        .await?;
    Ok(row
        .map(|(title, motto, price)| Masthead { title, motto, price })
        .unwrap_or_default())
}

fn issue_from(row: IssueRow, head: &Masthead) -> Result<Issue> {
    let (issue, step, season, place, published_at, headline, title, motto, price) = row;
    Ok(Issue {
        number: number(issue, "number of an issue")?,
        step: number(step, "number of a step")?,
        season: season.and_then(|json| serde_json::from_str(&json).ok()),
        place,
        masthead: match published_at {
            Some(_) => Masthead { title, motto, price },
            None => head.clone(),
        },
        published_at,
        headline: headline.unwrap_or_default(),
    })
}
