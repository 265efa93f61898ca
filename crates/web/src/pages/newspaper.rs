//! The newspaper: reading, printing, sending articles in. The editor's desk is in [`editor`].

use crate::Answer;
use crate::error::Fault;
use crate::identity::{Member, Player};
use crate::kept;
use crate::page::{Flash, Page, go, go_with};
use crate::pages::arms::{self, Heralds, read_parts};
use crate::pages::letters::{opened, season, set};
use crate::pages::map;
use crate::state::Web;
use askama::Template;
use axum::extract::{Multipart, Path, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use host::newspaper::{Article, ArticleState, Issue, Manuscript, Newspaper, NewspaperError, Section};
use host::picture::{Media, Picture};
use host::world::World;
use host::{HostError, limits};
use kernel::realm::Viewer;
use serde::Deserialize;
use std::collections::BTreeMap;

pub mod editor;

/// Bytes of a form with an article and its picture.
pub const ARTICLE_FORM_BYTES: usize = limits::PICTURE_BYTES + 256 * 1024;

/// An article as it is set.
struct Piece {
    title: String,
    deck: String,
    by: String,
    text: String,
    language: &'static str,
    caption: String,
    picture: Option<(String, u32, u32)>,
    /// Lines of a table of prices.
    prices: Vec<(String, String)>,
}

/// A page of the paper.
struct Sheet {
    title: String,
    motto: String,
    price: String,
    number: u32,
    dateline: String,
    lead: Option<Piece>,
    articles: Vec<Piece>,
    shorts: Vec<Piece>,
    notices: Vec<Piece>,
    rumours: Vec<Piece>,
    prices: Vec<Piece>,
    adverts: Vec<Piece>,
}

impl Sheet {
    /// Whether anything stands in the narrow column.
    fn has_margin(&self) -> bool {
        !(self.notices.is_empty() && self.rumours.is_empty() && self.prices.is_empty() && self.adverts.is_empty())
    }
}

/// Whose words an article's are, as far as the paper says.
pub fn by(page: &Page, heralds: &Heralds, article: &Article) -> String {
    match (article.section, article.byline.as_str(), article.author) {
        (Section::Rumour | Section::Prices | Section::Advert, ..) => String::new(),
        (_, "", Some(Viewer::GameMaster)) => String::new(),
        (_, "", Some(author)) => page.t1("news.by-realm", "name", heralds.name(author)),
        (_, "", None) => String::new(),
        (_, byline, _) => byline.to_owned(),
    }
}

fn piece(page: &Page, heralds: &Heralds, article: &Article, pictures: &str) -> Piece {
    let table = article.section == Section::Prices;
    let (text, language) = if table {
        (String::new(), page.language())
    } else {
        set(&article.body, page.words.language(), false)
    };
    let prices = article
        .body
        .lines()
        .filter(|_| table)
        .filter_map(|line| line.split_once('|'));
    let by = by(page, heralds, article);
    Piece {
        title: article.title.clone(),
        deck: article.deck.clone(),
        by,
        text,
        language,
        caption: article.caption.clone(),
        picture: article
            .picture
            .as_ref()
            .map(|(id, width, height)| (format!("{pictures}{id}"), *width, *height)),
        prices: prices
            .map(|(thing, price)| (thing.trim().to_owned(), price.trim().to_owned()))
            .collect(),
    }
}

/// Lays an issue out.
fn lay_out(page: &Page, world: &World, heralds: &Heralds, issue: &Issue, articles: &[Article]) -> Sheet {
    let pictures = page.in_world("zeitung/bild/");
    let of = |sections: &[Section]| -> Vec<Piece> {
        let chosen = articles.iter().filter(|article| sections.contains(&article.section));
        chosen.map(|article| piece(page, heralds, article, &pictures)).collect()
    };
    let head = &issue.masthead;
    let or = |text: &str, key: &str| {
        if text.is_empty() {
            page.words.with(key, &[])
        } else {
            text.to_owned()
        }
    };
    let when = issue
        .season
        .as_ref()
        .map(|term| season(page, world, term))
        .unwrap_or_default();
    let place = if issue.place.is_empty() {
        world.name.clone()
    } else {
        issue.place.clone()
    };
    let mut lead = of(&[Section::Lead]).into_iter();
    let first = lead.next();
    let mut rest: Vec<Piece> = lead.collect();
    rest.extend(of(&[Section::Article]));
    // Without a leading article the first one leads.
    let (lead, articles) = match first {
        Some(first) => (Some(first), rest),
        None if rest.is_empty() => (None, rest),
        None => {
            let first = rest.remove(0);
            (Some(first), rest)
        }
    };
    Sheet {
        title: or(&head.title, "news.default-title"),
        motto: or(&head.motto, "news.default-motto"),
        price: or(&head.price, "news.default-price"),
        number: issue.number,
        dateline: if when.is_empty() {
            place
        } else {
            format!("{place}, {when}")
        },
        lead,
        articles,
        shorts: of(&[Section::Short]),
        notices: of(&[Section::Notice]),
        rumours: of(&[Section::Rumour]),
        prices: of(&[Section::Prices]),
        adverts: of(&[Section::Advert]),
    }
}

#[derive(Template)]
#[template(path = "newspaper.html")]
struct IssuePage<'a> {
    page: &'a Page,
    sheet: Sheet,
    /// Whether it is not printed yet.
    proof: bool,
    before: Option<String>,
    after: Option<String>,
    all: String,
    submit: Option<String>,
    editor: Option<String>,
}

#[derive(Template)]
#[template(path = "newspaper-none.html")]
struct NonePage<'a> {
    page: &'a Page,
    submit: Option<String>,
    editor: Option<String>,
}

/// The paper as a ruler writes for it: he himself, or a stand-in to whom he opened his letters. What he sends under another name is
/// known to the editor alone.
pub async fn written_by<'a>(web: &'a Web, player: &'a Player) -> Result<Newspaper<'a>, Fault> {
    match opened(web, &player.world, player.viewer(), player.stands_in).await? {
        true => Ok(web.host.newspaper(&player.world, player.viewer())),
        false => Err(Fault::Missing),
    }
}

/// Where a member sends articles in, if he may.
async fn submitting(web: &Web, page: &Page, member: &Member) -> Result<Option<String>, Fault> {
    let Some(seat) = &member.seat else { return Ok(None) };
    let open = opened(web, &member.world, Viewer::Realm(seat.realm), member.stands_in).await?;
    Ok(open.then(|| page.in_world("zeitung/einreichen")))
}

/// As whom a member of the world reads the paper: as its editor only where he has no seat.
pub fn reader(member: &Member) -> Viewer {
    match &member.seat {
        Some(seat) => Viewer::Realm(seat.realm),
        None => Viewer::GameMaster,
    }
}

async fn show_issue(web: &Web, page: &Page, member: &Member, viewer: Viewer, issue: &Issue) -> Answer {
    let paper = web.host.newspaper(&member.world, viewer);
    let heralds = Heralds::all(web, page, &member.world).await?;
    let articles = paper.articles(issue.number).await?;
    let printed: Vec<u32> = paper
        .issues()
        .await?
        .into_iter()
        .filter(|issue| issue.published_at.is_some())
        .map(|issue| issue.number)
        .collect();
    let address = |number: u32| page.in_world(&format!("zeitung/nr/{number}"));
    page.show(&IssuePage {
        sheet: lay_out(page, &member.world, &heralds, issue, &articles),
        proof: issue.published_at.is_none(),
        before: printed
            .iter()
            .copied()
            .filter(|number| *number < issue.number)
            .max()
            .map(address),
        after: printed
            .iter()
            .copied()
            .filter(|number| *number > issue.number)
            .min()
            .map(address),
        all: page.in_world("zeitung/ausgaben"),
        submit: submitting(web, page, member).await?,
        editor: member.game_master.then(|| page.in_world("leitung/zeitung")),
        page,
    })
}

/// `GET /welt/{world}/zeitung`
pub async fn newest(State(web): State<Web>, page: Page, member: Member) -> Answer {
    let issues = web.host.newspaper(&member.world, reader(&member)).issues().await?;
    match issues.iter().find(|issue| issue.published_at.is_some()) {
        Some(issue) => show_issue(&web, &page, &member, reader(&member), issue).await,
        None => page.show(&NonePage {
            submit: submitting(&web, &page, &member).await?,
            editor: member.game_master.then(|| page.in_world("leitung/zeitung")),
            page: &page,
        }),
    }
}

/// The issue in an address.
#[derive(Deserialize)]
pub struct IssuePath {
    number: u32,
}

/// `GET /welt/{world}/zeitung/nr/{number}`
pub async fn issue(State(web): State<Web>, page: Page, member: Member, Path(path): Path<IssuePath>) -> Answer {
    let issue = web
        .host
        .newspaper(&member.world, reader(&member))
        .issue(path.number)
        .await?;
    show_issue(&web, &page, &member, reader(&member), &issue).await
}

/// An issue in the list.
struct Entry {
    href: String,
    number: u32,
    headline: String,
    season: String,
    when: String,
}

#[derive(Template)]
#[template(path = "newspaper-issues.html")]
struct IssuesPage<'a> {
    page: &'a Page,
    entries: Vec<Entry>,
    submit: Option<String>,
}

/// `GET /welt/{world}/zeitung/ausgaben`
pub async fn issues(State(web): State<Web>, page: Page, member: Member) -> Answer {
    let issues = web.host.newspaper(&member.world, reader(&member)).issues().await?;
    let entries = issues.into_iter().filter_map(|issue| {
        Some(Entry {
            when: page.short_moment(issue.published_at?),
            href: page.in_world(&format!("zeitung/nr/{}", issue.number)),
            number: issue.number,
            season: issue
                .season
                .as_ref()
                .map(|term| season(&page, &member.world, term))
                .unwrap_or_default(),
            headline: issue.headline,
        })
    });
    page.show(&IssuesPage {
        entries: entries.collect(),
        submit: submitting(&web, &page, &member).await?,
        page: &page,
    })
}

/// The picture in an address.
#[derive(Deserialize)]
pub struct PicturePath {
    picture: String,
}

/// `GET /welt/{world}/zeitung/bild/{picture}`
pub async fn picture(
    State(web): State<Web>,
    member: Member,
    Path(path): Path<PicturePath>,
    headers: HeaderMap,
) -> Answer {
    let mine = web
        .host
        .newspaper(&member.world, reader(&member))
        .picture(&path.picture)
        .await;
    let found = match mine {
        // Whoever leads the world and plays in it sees at his desk what he cannot see as a player.
        Err(HostError::Newspaper(_)) if member.game_master => {
            web.host
                .newspaper(&member.world, Viewer::GameMaster)
                .picture(&path.picture)
                .await?
        }
        other => other?,
    };
    picture_answer(&headers, found)
}

fn picture_answer(asked: &HeaderMap, picture: Picture) -> Answer {
    if picture.media == Media::Svg {
        return arms::kept_drawing(asked, String::from_utf8_lossy(&picture.bytes).into_owned());
    }
    let tag = kept::key(&[&picture.bytes]);
    let mut response = map::picture::kept(asked, &tag, picture.bytes);
    let kind = HeaderValue::from_static(picture.media.mime());
    response.headers_mut().insert(CONTENT_TYPE, kind);
    Ok(response)
}

/// A section to choose.
struct SectionChoice {
    value: &'static str,
    text: String,
    chosen: bool,
}

/// The fields of an article's form.
struct Fields {
    title: String,
    deck: String,
    body: String,
    byline: String,
    caption: String,
    picture: Option<String>,
    sections: Vec<SectionChoice>,
    title_longest: usize,
    deck_longest: usize,
    longest: usize,
}

impl Fields {
    fn of(page: &Page, manuscript: &Manuscript, picture: Option<String>) -> Self {
        let sections = Section::ALL.iter().map(|section| SectionChoice {
            value: section.code(),
            text: page.words.with(&format!("news.section-{}", section.code()), &[]),
            chosen: *section == manuscript.section,
        });
        Self {
            title: manuscript.title.clone(),
            deck: manuscript.deck.clone(),
            body: manuscript.body.clone(),
            byline: manuscript.byline.clone(),
            caption: manuscript.caption.clone(),
            picture,
            sections: sections.collect(),
            title_longest: limits::SUBJECT_CHARACTERS,
            deck_longest: limits::DECK_CHARACTERS,
            longest: limits::ARTICLE_CHARACTERS,
        }
    }
}

/// What was sent, as a manuscript.
fn manuscript(fields: &BTreeMap<String, String>, file: Option<Vec<u8>>) -> Manuscript {
    let field = |name: &str| fields.get(name).cloned().unwrap_or_default();
    Manuscript {
        section: Section::from_code(&field("rubrik")).unwrap_or_default(),
        title: field("titel"),
        deck: field("vorspann"),
        body: field("text"),
        byline: field("name"),
        caption: field("bildtext"),
        picture: file,
        without_picture: fields.contains_key("ohnebild"),
    }
}

/// The article as a manuscript, to be written on.
pub fn reopened(article: &Article) -> Manuscript {
    Manuscript {
        section: article.section,
        title: article.title.clone(),
        deck: article.deck.clone(),
        body: article.body.clone(),
        byline: article.byline.clone(),
        caption: article.caption.clone(),
        ..Manuscript::default()
    }
}

/// The bound of which the words about a refusal tell; 0 where they tell of none.
pub fn bound(error: &NewspaperError) -> i64 {
    match error {
        NewspaperError::TooLong => limits::ARTICLE_CHARACTERS as i64,
        NewspaperError::TooMany => i64::from(limits::ARTICLES_WAITING),
        NewspaperError::Full => i64::from(limits::ISSUE_ARTICLES),
        _ => 0,
    }
}

/// Why the paper does not take something, in words; nothing if there is no page to say it on.
fn mistake(page: &Page, error: &HostError) -> Option<String> {
    let (key, count) = match error {
        HostError::Newspaper(NewspaperError::Unknown) => return None,
        HostError::Newspaper(error) => (format!("news-fault.{}", error.code()), bound(error)),
        HostError::Picture(host::picture::PictureError::Drawing(error)) => (format!("arms-fault.{}", error.code()), 0),
        HostError::Picture(error) => (format!("news-fault.{}", error.code()), i64::from(limits::PICTURE_SIDE)),
        _ => return None,
    };
    Some(page.words.with(&key, &[("count", page.number(count))]))
}

/// An article that a realm sent.
struct Sent {
    href: Option<String>,
    title: String,
    state: String,
    tone: &'static str,
    reason: String,
    when: String,
}

#[derive(Template)]
#[template(path = "newspaper-submit.html")]
struct SubmitPage<'a> {
    page: &'a Page,
    action: String,
    back: String,
    existing: bool,
    fields: Fields,
    sent: Vec<Sent>,
    mistake: Option<String>,
}

fn sent(page: &Page, article: &Article) -> Sent {
    let (state, tone) = match article.state {
        ArticleState::Submitted => (page.t("news.state-submitted"), "amber"),
        ArticleState::Accepted => (
            page.t1("news.state-printed", "number", article.issue.unwrap_or(0)),
            "green",
        ),
        ArticleState::Rejected => (page.t("news.state-rejected"), "red"),
    };
    Sent {
        href: match article.state {
            ArticleState::Accepted => article
                .issue
                .map(|number| page.in_world(&format!("zeitung/nr/{number}"))),
            _ => Some(page.in_world(&format!("zeitung/artikel/{}", article.id))),
        },
        title: if article.title.is_empty() {
            render::markup::excerpt(&article.body, 60)
        } else {
            article.title.clone()
        },
        state,
        tone,
        reason: article.reason.clone(),
        when: page.short_moment(article.touched_at),
    }
}

async fn draw_form(
    page: &Page,
    paper: &Newspaper<'_>,
    manuscript: &Manuscript,
    article: Option<&Article>,
    mistake: Option<String>,
) -> Answer {
    let sent_before = paper.submissions().await?;
    let picture = article
        .and_then(|article| article.picture.as_ref())
        .map(|(id, ..)| page.in_world(&format!("zeitung/bild/{id}")));
    let template = SubmitPage {
        action: match article {
            Some(article) => page.in_world(&format!("zeitung/artikel/{}", article.id)),
            None => page.in_world("zeitung/einreichen") + &page.once(),
        },
        back: page.in_world("zeitung"),
        existing: article.is_some(),
        fields: Fields::of(page, manuscript, picture),
        sent: sent_before.iter().map(|article| sent(page, article)).collect(),
        mistake,
        page,
    };
    let status = if template.mistake.is_some() {
        StatusCode::UNPROCESSABLE_ENTITY
    } else {
        StatusCode::OK
    };
    page.show_as(status, &template)
}

/// `GET /welt/{world}/zeitung/einreichen`
pub async fn begin(State(web): State<Web>, page: Page, player: Player) -> Answer {
    let paper = written_by(&web, &player).await?;
    draw_form(&page, &paper, &Manuscript::default(), None, None).await
}

/// `POST /welt/{world}/zeitung/einreichen`
pub async fn submit(State(web): State<Web>, page: Page, player: Player, parts: Multipart) -> Answer {
    let (fields, file) = read_parts(parts).await?;
    let manuscript = manuscript(&fields, file);
    let paper = written_by(&web, &player).await?;
    match paper.submit(&manuscript).await {
        Ok(_) => go_with(
            &web,
            &page.in_world("zeitung/einreichen"),
            &Flash::good("flash.article-sent"),
        ),
        Err(error) => match mistake(&page, &error) {
            Some(text) => draw_form(&page, &paper, &manuscript, None, Some(text)).await,
            None => Err(error.into()),
        },
    }
}

/// The article in an address.
#[derive(Deserialize)]
pub struct ArticlePath {
    article: String,
}

/// An article of the player's own; those of others are read in print.
pub async fn own(paper: &Newspaper<'_>, player: &Player, article: &str) -> Result<Article, Fault> {
    let article = paper.article(article).await?;
    match article.author == Some(player.viewer()) {
        true => Ok(article),
        false => Err(Fault::Missing),
    }
}

/// `GET /welt/{world}/zeitung/artikel/{article}`
pub async fn reopen(State(web): State<Web>, page: Page, player: Player, Path(path): Path<ArticlePath>) -> Answer {
    let paper = written_by(&web, &player).await?;
    let article = own(&paper, &player, &path.article).await?;
    if let (ArticleState::Accepted, Some(issue)) = (article.state, article.issue) {
        return go(&page.in_world(&format!("zeitung/nr/{issue}")));
    }
    draw_form(&page, &paper, &reopened(&article), Some(&article), None).await
}

/// `POST /welt/{world}/zeitung/artikel/{article}`
pub async fn revise(
    State(web): State<Web>,
    page: Page,
    player: Player,
    Path(path): Path<ArticlePath>,
    parts: Multipart,
) -> Answer {
    let (fields, file) = read_parts(parts).await?;
    let manuscript = manuscript(&fields, file);
    let paper = written_by(&web, &player).await?;
    let (done, key) = if fields.get("tun").is_some_and(|act| act == "zurueckziehen") {
        (paper.withdraw(&path.article).await, "flash.article-withdrawn")
    } else {
        (paper.revise(&path.article, &manuscript).await, "flash.article-changed")
    };
    match done {
        Ok(()) => go_with(&web, &page.in_world("zeitung/einreichen"), &Flash::good(key)),
        Err(error) => match mistake(&page, &error) {
            Some(text) => {
                let article = own(&paper, &player, &path.article).await?;
                draw_form(&page, &paper, &manuscript, Some(&article), Some(text)).await
            }
            None => Err(error.into()),
        },
    }
}
