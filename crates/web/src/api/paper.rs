//! The newspaper: reading it, sending articles and pictures in, and the editor's desk.

use super::player::{Made, RealmName};
use super::{Called, Problem, Sent, SentImage, done, json, json_as, moment};
use crate::identity::{GameMaster, Member, Player, world_segment};
use crate::page::Page;
use crate::pages::arms::Heralds;
use crate::pages::{letters, newspaper};
use crate::state::Web;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use host::newspaper::{Manuscript, Masthead, Section};
use host::world::World;
use kernel::realm::Viewer;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// An issue of the newspaper.
#[derive(Debug, Serialize, ToSchema)]
pub struct IssueEntry {
    /// Its number.
    number: u32,
    /// When it was printed.
    #[schema(format = DateTime)]
    published_at: Option<String>,
    /// Its first headline.
    headline: String,
    /// When it tells of, in the words of the game.
    season: String,
}

/// The issues of the newspaper, the newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct Issues {
    /// The issues.
    issues: Vec<IssueEntry>,
}

fn issue_entry(page: &Page, member: &Member, issue: &host::newspaper::Issue) -> IssueEntry {
    let season = issue.season.as_ref();
    IssueEntry {
        number: issue.number,
        published_at: issue.published_at.map(moment),
        headline: issue.headline.clone(),
        season: season
            .map(|term| letters::season(page, &member.world, term))
            .unwrap_or_default(),
    }
}

/// `GET /api/v1/worlds/{world}/newspaper`
pub async fn issues(State(web): State<Web>, page: Page, member: Member) -> Called {
    let paper = web.host.newspaper(&member.world, newspaper::reader(&member));
    let issues = paper.issues().await?;
    let printed = issues.iter().filter(|issue| issue.published_at.is_some());
    json(&Issues {
        issues: printed.map(|issue| issue_entry(&page, &member, issue)).collect(),
    })
}

/// An article.
#[derive(Debug, Serialize, ToSchema)]
pub struct Article {
    /// Where it stands: `lead`, `article`, `short`, `notice`, `rumour`, `prices` or `advert`.
    section: &'static str,
    /// Its title.
    title: String,
    /// What stands below the title.
    deck: String,
    /// Its words, in the markup in which they were written.
    text: String,
    /// Whose words they are, as far as the paper says.
    by: String,
    /// What stands below its picture.
    caption: String,
    /// Address of its picture.
    picture: Option<String>,
}

/// An issue of the newspaper with its articles.
#[derive(Debug, Serialize, ToSchema)]
pub struct IssueText {
    /// The issue.
    issue: IssueEntry,
    /// Name of the paper.
    title: String,
    /// Its articles, in the order of the paper.
    articles: Vec<Article>,
}

/// An issue in an address.
#[derive(Deserialize)]
pub struct IssuePath {
    number: u32,
}

/// `GET /api/v1/worlds/{world}/newspaper/{number}`
pub async fn issue(State(web): State<Web>, page: Page, member: Member, Path(path): Path<IssuePath>) -> Called {
    let paper = web.host.newspaper(&member.world, newspaper::reader(&member));
    let issue = paper.issue(path.number).await?;
    let heralds = Heralds::of(&web, &page, &member.world, newspaper::reader(&member)).await?;
    let articles = paper.articles(path.number).await?;
    let article = |of: &host::newspaper::Article| Article {
        section: of.section.code(),
        title: of.title.clone(),
        deck: of.deck.clone(),
        text: of.body.clone(),
        by: newspaper::by(&page, &heralds, of),
        caption: of.caption.clone(),
        picture: picture_address(&member.world, of),
    };
    json(&IssueText {
        title: issue.masthead.title.clone(),
        articles: articles.iter().map(article).collect(),
        issue: issue_entry(&page, &member, &issue),
    })
}

fn picture_address(world: &World, article: &host::newspaper::Article) -> Option<String> {
    let (id, ..) = article.picture.as_ref()?;
    let base = format!("/api/v1/worlds/{}/newspaper/pictures/", world_segment(world));
    Some(format!("{base}{id}"))
}

/// An article for the newspaper.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ArticleSent {
    /// Where it shall stand: `lead`, `article`, `short`, `notice`, `rumour`, `prices` or `advert`; an `article`, unless you say
    /// otherwise.
    #[serde(default)]
    section: String,
    /// Its title.
    #[schema(max_length = 120)]
    title: String,
    /// What stands below the title.
    #[serde(default)]
    #[schema(max_length = 300)]
    deck: String,
    /// Its words.
    #[schema(min_length = 1, max_length = 20_000)]
    text: String,
    /// A pen name.
    #[serde(default)]
    #[schema(max_length = 120)]
    byline: String,
    /// What stands below its picture.
    #[serde(default)]
    #[schema(max_length = 300)]
    caption: String,
}

impl ArticleSent {
    /// The same as a manuscript; its picture stays as it is.
    fn manuscript(self) -> Result<Manuscript, Problem> {
        let section = match self.section.as_str() {
            "" => Section::Article,
            code => Section::from_code(code).ok_or_else(|| Problem::refused(&"section"))?,
        };
        Ok(Manuscript {
            section,
            title: self.title,
            deck: self.deck,
            body: self.text,
            byline: self.byline,
            caption: self.caption,
            ..Manuscript::default()
        })
    }
}

/// An article as its author and the editor know it.
#[derive(Debug, Serialize, ToSchema)]
pub struct ArticleFile {
    /// Its id.
    id: String,
    /// Where it stands: `lead`, `article`, `short`, `notice`, `rumour`, `prices` or `advert`.
    section: &'static str,
    /// What has become of it: `submitted`, `accepted` or `rejected`. An author reads `accepted` when it is printed.
    state: &'static str,
    /// The issue in which it stands.
    issue: Option<u32>,
    /// Whose it is.
    author: Option<RealmName>,
    /// Its title.
    title: String,
    /// What stands below the title.
    deck: String,
    /// Its words.
    text: String,
    /// The name under which it stands; empty for the realm's own.
    byline: String,
    /// What stands below its picture.
    caption: String,
    /// Address of its picture.
    picture: Option<String>,
    /// Why the editor does not want it.
    reason: String,
    /// Whether the editor changed its words.
    edited: bool,
    /// When it was last touched.
    #[schema(format = DateTime)]
    touched_at: String,
}

/// Articles.
#[derive(Debug, Serialize, ToSchema)]
pub struct Articles {
    /// The articles.
    articles: Vec<ArticleFile>,
}

fn article_file(world: &World, heralds: &Heralds, of: host::newspaper::Article) -> ArticleFile {
    let author = |author: Viewer| RealmName {
        realm: match author {
            Viewer::Realm(realm) => realm.0,
            Viewer::GameMaster => 0,
        },
        name: heralds.name(author),
    };
    ArticleFile {
        picture: picture_address(world, &of),
        section: of.section.code(),
        state: of.state.code(),
        issue: of.issue,
        author: of.author.map(author),
        id: of.id,
        title: of.title,
        deck: of.deck,
        text: of.body,
        byline: of.byline,
        caption: of.caption,
        reason: of.reason,
        edited: of.edited,
        touched_at: moment(of.touched_at),
    }
}

/// `GET /api/v1/worlds/{world}/newspaper/articles`: what a realm has sent and what became of it.
pub async fn articles(State(web): State<Web>, page: Page, player: Player) -> Called {
    let paper = newspaper::written_by(&web, &player).await?;
    let heralds = Heralds::of(&web, &page, &player.world, player.viewer()).await?;
    let all = paper.submissions().await?;
    let file = |of| article_file(&player.world, &heralds, of);
    json(&Articles {
        articles: all.into_iter().map(file).collect(),
    })
}

/// `POST /api/v1/worlds/{world}/newspaper/articles`
pub async fn send(State(web): State<Web>, player: Player, Sent(sent): Sent<ArticleSent>) -> Called {
    let paper = newspaper::written_by(&web, &player).await?;
    let id = paper.submit(&sent.manuscript()?).await?;
    json_as(StatusCode::CREATED, &Made { id })
}

/// An article in an address.
#[derive(Deserialize)]
pub struct ArticlePath {
    article: String,
}

/// `GET /api/v1/worlds/{world}/newspaper/articles/{article}`
pub async fn article(State(web): State<Web>, page: Page, player: Player, Path(path): Path<ArticlePath>) -> Called {
    let paper = newspaper::written_by(&web, &player).await?;
    let heralds = Heralds::of(&web, &page, &player.world, player.viewer()).await?;
    let article = newspaper::own(&paper, &player, &path.article).await?;
    json(&article_file(&player.world, &heralds, article))
}

/// `PUT /api/v1/worlds/{world}/newspaper/articles/{article}`
pub async fn revise(
    State(web): State<Web>,
    player: Player,
    Path(path): Path<ArticlePath>,
    Sent(sent): Sent<ArticleSent>,
) -> Called {
    let paper = newspaper::written_by(&web, &player).await?;
    paper.revise(&path.article, &sent.manuscript()?).await?;
    done()
}

/// `DELETE /api/v1/worlds/{world}/newspaper/articles/{article}`
pub async fn withdraw(State(web): State<Web>, player: Player, Path(path): Path<ArticlePath>) -> Called {
    let paper = newspaper::written_by(&web, &player).await?;
    paper.withdraw(&path.article).await?;
    done()
}

/// The article with another picture, or with none.
fn with_picture(article: &host::newspaper::Article, picture: Option<Vec<u8>>) -> Manuscript {
    Manuscript {
        without_picture: picture.is_none(),
        picture,
        ..newspaper::reopened(article)
    }
}

/// `PUT /api/v1/worlds/{world}/newspaper/articles/{article}/picture`
pub async fn hang(
    State(web): State<Web>,
    player: Player,
    Path(path): Path<ArticlePath>,
    SentImage(picture): SentImage,
) -> Called {
    let paper = newspaper::written_by(&web, &player).await?;
    let article = newspaper::own(&paper, &player, &path.article).await?;
    paper
        .revise(&article.id, &with_picture(&article, Some(picture)))
        .await?;
    done()
}

/// `DELETE /api/v1/worlds/{world}/newspaper/articles/{article}/picture`
pub async fn unhang(State(web): State<Web>, player: Player, Path(path): Path<ArticlePath>) -> Called {
    let paper = newspaper::written_by(&web, &player).await?;
    let article = newspaper::own(&paper, &player, &path.article).await?;
    paper.revise(&article.id, &with_picture(&article, None)).await?;
    done()
}

/// The editor's desk.
#[derive(Debug, Serialize, ToSchema)]
pub struct EditorsDesk {
    /// Number of the issue in the making.
    number: u32,
    /// Its dateline.
    place: String,
    /// Title of the paper; empty parts of the head are filled by the language of the reader.
    title: String,
    /// What stands left of the title.
    motto: String,
    /// What stands right of the title.
    price: String,
    /// What stands in the issue, in its order.
    standing: Vec<ArticleFile>,
    /// What waits, the oldest first.
    waiting: Vec<ArticleFile>,
}

/// `GET /api/v1/worlds/{world}/lead/newspaper`
pub async fn desk(State(web): State<Web>, page: Page, master: GameMaster) -> Called {
    let world = &master.world;
    let paper = web.host.newspaper(world, Viewer::GameMaster);
    let heralds = Heralds::all(&web, &page, world).await?;
    let issues = paper.issues().await?;
    // Looking begins no issue: without one in the making it is the one that would be begun.
    let open = issues.iter().find(|issue| issue.published_at.is_none());
    let next = issues.iter().map(|issue| issue.number).max().unwrap_or(0) + 1;
    let standing = match open {
        Some(issue) => paper.articles(issue.number).await?,
        None => Vec::new(),
    };
    let head = paper.masthead().await?;
    let file = |of| article_file(world, &heralds, of);
    json(&EditorsDesk {
        number: open.map_or(next, |issue| issue.number),
        place: open.map(|issue| issue.place.clone()).unwrap_or_default(),
        title: head.title,
        motto: head.motto,
        price: head.price,
        standing: standing.into_iter().map(file).collect(),
        waiting: paper.submissions().await?.into_iter().map(file).collect(),
    })
}

/// The head of the paper.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HeadSent {
    /// Title of the paper.
    #[serde(default)]
    #[schema(max_length = 40)]
    title: String,
    /// What stands left of the title.
    #[serde(default)]
    #[schema(max_length = 120)]
    motto: String,
    /// What stands right of the title.
    #[serde(default)]
    #[schema(max_length = 120)]
    price: String,
    /// The dateline of the issue in the making.
    #[serde(default)]
    #[schema(max_length = 120)]
    place: String,
}

/// `PUT /api/v1/worlds/{world}/lead/newspaper/head`
pub async fn head(State(web): State<Web>, master: GameMaster, Sent(sent): Sent<HeadSent>) -> Called {
    let paper = web.host.newspaper(&master.world, Viewer::GameMaster);
    let head = Masthead {
        title: sent.title,
        motto: sent.motto,
        price: sent.price,
    };
    paper.set_masthead(&head).await?;
    let number = paper.open_issue().await?;
    paper.set_place(number, &sent.place).await?;
    done()
}

/// `POST /api/v1/worlds/{world}/lead/newspaper/articles`: an article of the editor's own, which stands in the issue at once.
pub async fn write(State(web): State<Web>, master: GameMaster, Sent(sent): Sent<ArticleSent>) -> Called {
    let paper = web.host.newspaper(&master.world, Viewer::GameMaster);
    let manuscript = sent.manuscript()?;
    let number = paper.open_issue().await?;
    let id = paper.submit(&manuscript).await?;
    paper.accept(&id, number).await?;
    json_as(StatusCode::CREATED, &Made { id })
}

/// `PUT /api/v1/worlds/{world}/lead/newspaper/articles/{article}`
pub async fn edit(
    State(web): State<Web>,
    master: GameMaster,
    Path(path): Path<ArticlePath>,
    Sent(sent): Sent<ArticleSent>,
) -> Called {
    let paper = web.host.newspaper(&master.world, Viewer::GameMaster);
    paper.edit(&path.article, &sent.manuscript()?).await?;
    done()
}

/// `PUT /api/v1/worlds/{world}/lead/newspaper/articles/{article}/picture`
pub async fn hang_any(
    State(web): State<Web>,
    master: GameMaster,
    Path(path): Path<ArticlePath>,
    SentImage(picture): SentImage,
) -> Called {
    let paper = web.host.newspaper(&master.world, Viewer::GameMaster);
    let article = paper.article(&path.article).await?;
    paper.edit(&article.id, &with_picture(&article, Some(picture))).await?;
    done()
}

/// `DELETE /api/v1/worlds/{world}/lead/newspaper/articles/{article}/picture`
pub async fn unhang_any(State(web): State<Web>, master: GameMaster, Path(path): Path<ArticlePath>) -> Called {
    let paper = web.host.newspaper(&master.world, Viewer::GameMaster);
    let article = paper.article(&path.article).await?;
    paper.edit(&article.id, &with_picture(&article, None)).await?;
    done()
}

/// What the editor does with an article.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// Takes it into the issue in the making, at its end.
    Accept,
    /// Does not want it.
    Reject,
    /// Puts it back among those that wait.
    PutBack,
    /// Moves it one place up.
    Up,
    /// Moves it one place down.
    Down,
}

/// What the editor does with an article.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DecisionSent {
    /// What.
    act: Decision,
    /// Why it is not wanted, for its author.
    #[serde(default)]
    #[schema(max_length = 1_000)]
    reason: String,
}

/// `POST /api/v1/worlds/{world}/lead/newspaper/articles/{article}/act`
pub async fn decide(
    State(web): State<Web>,
    master: GameMaster,
    Path(path): Path<ArticlePath>,
    Sent(sent): Sent<DecisionSent>,
) -> Called {
    let paper = web.host.newspaper(&master.world, Viewer::GameMaster);
    let id = path.article.as_str();
    match sent.act {
        Decision::Accept => {
            // An article that is not there begins no issue.
            paper.article(id).await?;
            let number = paper.open_issue().await?;
            paper.accept(id, number).await?;
        }
        Decision::Reject => paper.reject(id, &sent.reason).await?,
        Decision::PutBack => paper.put_back(id).await?,
        Decision::Up => paper.shift(id, true).await?,
        Decision::Down => paper.shift(id, false).await?,
    }
    done()
}

/// What was gathered.
#[derive(Debug, Serialize, ToSchema)]
pub struct Gathered {
    /// How many proclamations and rumours.
    count: u32,
}

/// `POST /api/v1/worlds/{world}/lead/newspaper/gather`
pub async fn gather(State(web): State<Web>, master: GameMaster) -> Called {
    let paper = web.host.newspaper(&master.world, Viewer::GameMaster);
    let number = paper.open_issue().await?;
    let count = paper.gather(number).await?;
    json(&Gathered { count })
}

/// The issue to print.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PrintSent {
    /// The number that you mean: a second call for the same issue is refused.
    number: u32,
}

/// `POST /api/v1/worlds/{world}/lead/newspaper/publish`: prints the issue in the making.
pub async fn publish(State(web): State<Web>, master: GameMaster, Sent(sent): Sent<PrintSent>) -> Called {
    let paper = web.host.newspaper(&master.world, Viewer::GameMaster);
    paper.publish(sent.number).await?;
    done()
}
