//! The editor's desk: what waits, what stands in the next issue and in which order, and printing.

use super::{ArticlePath, Fields, manuscript, mistake, reopened, show_issue};
use crate::Answer;
use crate::error::Fault;
use crate::identity::{GameMaster, Member};
use crate::page::{Flash, Page, go, go_with};
use crate::pages::arms::{Heralds, read_parts};
use crate::state::Web;
use askama::Template;
use axum::Form;
use axum::extract::{Multipart, Path, State};
use axum::http::StatusCode;
use host::newspaper::{Article, Manuscript, Masthead};
use host::{HostError, limits};
use kernel::realm::Viewer;
use serde::Deserialize;

/// An article on the editor's desk.
struct Slip {
    id: String,
    section: String,
    title: String,
    author: String,
    byline: String,
    excerpt: String,
    picture: bool,
    edit: String,
}

fn slip(page: &Page, heralds: &Heralds, article: &Article) -> Slip {
    Slip {
        id: article.id.clone(),
        section: page
            .words
            .with(&format!("news.section-{}", article.section.code()), &[]),
        title: article.title.clone(),
        author: article.author.map(|viewer| heralds.name(viewer)).unwrap_or_default(),
        byline: article.byline.clone(),
        excerpt: render::markup::excerpt(&article.body, 220),
        picture: article.picture.is_some(),
        edit: page.in_world(&format!("leitung/zeitung/artikel/{}/bearbeiten", article.id)),
    }
}

#[derive(Template)]
#[template(path = "newspaper-editor.html")]
struct EditorPage<'a> {
    page: &'a Page,
    base: String,
    paper: String,
    number: u32,
    place: String,
    head: Masthead,
    title_longest: usize,
    motto_longest: usize,
    standing: Vec<Slip>,
    waiting: Vec<Slip>,
}

/// `GET /welt/{world}/leitung/zeitung`
pub async fn show(State(web): State<Web>, page: Page, master: GameMaster) -> Answer {
    let paper = web.host.newspaper(&master.world, Viewer::GameMaster);
    let heralds = Heralds::all(&web, &page, &master.world).await?;
    let number = paper.open_issue().await?;
    let issue = paper.issue(number).await?;
    let standing = paper.articles(number).await?;
    let waiting = paper.submissions().await?;
    page.show(&EditorPage {
        base: page.in_world("leitung/zeitung"),
        paper: page.in_world("zeitung"),
        number,
        place: issue.place,
        head: issue.masthead,
        title_longest: limits::MASTHEAD_CHARACTERS,
        motto_longest: limits::SUBJECT_CHARACTERS,
        standing: standing.iter().map(|article| slip(&page, &heralds, article)).collect(),
        waiting: waiting.iter().map(|article| slip(&page, &heralds, article)).collect(),
        page: &page,
    })
}

/// `GET /welt/{world}/leitung/zeitung/abzug`
pub async fn proof(State(web): State<Web>, page: Page, member: Member, _master: GameMaster) -> Answer {
    let paper = web.host.newspaper(&member.world, Viewer::GameMaster);
    let number = paper.open_issue().await?;
    let issue = paper.issue(number).await?;
    show_issue(&web, &page, &member, Viewer::GameMaster, &issue).await
}

fn refused(web: &Web, page: &Page, error: HostError) -> Answer {
    match mistake(page, &error) {
        Some(text) => go_with(
            web,
            &page.in_world("leitung/zeitung"),
            &Flash::bad("flash.refused").with("why", text),
        ),
        None => Err(error.into()),
    }
}

/// The head of the paper and the dateline of the issue.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct HeadForm {
    titel: String,
    links: String,
    rechts: String,
    ort: String,
}

/// `POST /welt/{world}/leitung/zeitung/kopf`
pub async fn set_head(State(web): State<Web>, page: Page, master: GameMaster, Form(form): Form<HeadForm>) -> Answer {
    let paper = web.host.newspaper(&master.world, Viewer::GameMaster);
    let head = Masthead {
        title: form.titel,
        motto: form.links,
        price: form.rechts,
    };
    paper.set_masthead(&head).await?;
    let number = paper.open_issue().await?;
    paper.set_place(number, &form.ort).await?;
    go_with(
        &web,
        &page.in_world("leitung/zeitung"),
        &Flash::good("flash.head-saved"),
    )
}

/// What the editor does with an article.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct SlipForm {
    tun: String,
    grund: String,
}

/// `POST /welt/{world}/leitung/zeitung/artikel/{article}`
pub async fn decide(
    State(web): State<Web>,
    page: Page,
    master: GameMaster,
    Path(path): Path<ArticlePath>,
    Form(form): Form<SlipForm>,
) -> Answer {
    let paper = web.host.newspaper(&master.world, Viewer::GameMaster);
    let id = path.article.as_str();
    let done = match form.tun.as_str() {
        "annehmen" => {
            let number = paper.open_issue().await?;
            paper.accept(id, number).await
        }
        "ablehnen" => paper.reject(id, &form.grund).await,
        "zuruecklegen" => paper.put_back(id).await,
        "hoch" => paper.shift(id, true).await,
        "runter" => paper.shift(id, false).await,
        _ => return Err(Fault::Malformed),
    };
    match done {
        Ok(()) => go(&page.in_world("leitung/zeitung")),
        Err(error) => refused(&web, &page, error),
    }
}

/// What is done with the whole issue.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct IssueForm {
    tun: String,
}

/// `POST /welt/{world}/leitung/zeitung`
pub async fn act(State(web): State<Web>, page: Page, master: GameMaster, Form(form): Form<IssueForm>) -> Answer {
    let paper = web.host.newspaper(&master.world, Viewer::GameMaster);
    let number = paper.open_issue().await?;
    match form.tun.as_str() {
        "sammeln" => match paper.gather(number).await {
            Ok(count) => {
                let flash = Flash::good("flash.gathered").with("count", count);
                go_with(&web, &page.in_world("leitung/zeitung"), &flash)
            }
            Err(error) => refused(&web, &page, error),
        },
        "drucken" => match paper.publish(number).await {
            Ok(()) => {
                let flash = Flash::good("flash.printed").with("number", number);
                go_with(&web, &page.in_world(&format!("zeitung/nr/{number}")), &flash)
            }
            Err(error) => refused(&web, &page, error),
        },
        _ => Err(Fault::Malformed),
    }
}

#[derive(Template)]
#[template(path = "newspaper-edit.html")]
struct EditPage<'a> {
    page: &'a Page,
    action: String,
    back: String,
    author: String,
    fields: Fields,
    mistake: Option<String>,
}

async fn draw(
    page: &Page,
    article: Option<(&Article, String)>,
    manuscript: &Manuscript,
    mistake: Option<String>,
) -> Answer {
    let template = EditPage {
        action: match &article {
            Some((article, _)) => page.in_world(&format!("leitung/zeitung/artikel/{}/bearbeiten", article.id)),
            None => page.in_world("leitung/zeitung/neu") + &page.once(),
        },
        back: page.in_world("leitung/zeitung"),
        fields: Fields::of(
            page,
            manuscript,
            article
                .as_ref()
                .and_then(|(article, _)| article.picture.as_ref())
                .map(|(id, ..)| page.in_world(&format!("zeitung/bild/{id}"))),
        ),
        author: article.map(|(_, name)| name).unwrap_or_default(),
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

/// `GET /welt/{world}/leitung/zeitung/neu`
pub async fn begin(page: Page, _master: GameMaster) -> Answer {
    draw(&page, None, &Manuscript::default(), None).await
}

/// `POST /welt/{world}/leitung/zeitung/neu`
pub async fn write(State(web): State<Web>, page: Page, master: GameMaster, parts: Multipart) -> Answer {
    let (fields, file) = read_parts(parts).await?;
    let manuscript = manuscript(&fields, file);
    let paper = web.host.newspaper(&master.world, Viewer::GameMaster);
    let written = async {
        let id = paper.submit(&manuscript).await?;
        let number = paper.open_issue().await?;
        paper.accept(&id, number).await
    };
    match written.await {
        Ok(()) => go_with(
            &web,
            &page.in_world("leitung/zeitung"),
            &Flash::good("flash.article-changed"),
        ),
        Err(error) => match mistake(&page, &error) {
            Some(text) => draw(&page, None, &manuscript, Some(text)).await,
            None => Err(error.into()),
        },
    }
}

/// `GET /welt/{world}/leitung/zeitung/artikel/{article}/bearbeiten`
pub async fn open(State(web): State<Web>, page: Page, master: GameMaster, Path(path): Path<ArticlePath>) -> Answer {
    let paper = web.host.newspaper(&master.world, Viewer::GameMaster);
    let article = paper.article(&path.article).await?;
    let heralds = Heralds::all(&web, &page, &master.world).await?;
    let name = article.author.map(|viewer| heralds.name(viewer)).unwrap_or_default();
    draw(&page, Some((&article, name)), &reopened(&article), None).await
}

/// `POST /welt/{world}/leitung/zeitung/artikel/{article}/bearbeiten`
pub async fn edit(
    State(web): State<Web>,
    page: Page,
    master: GameMaster,
    Path(path): Path<ArticlePath>,
    parts: Multipart,
) -> Answer {
    let (fields, file) = read_parts(parts).await?;
    let manuscript = manuscript(&fields, file);
    let paper = web.host.newspaper(&master.world, Viewer::GameMaster);
    match paper.edit(&path.article, &manuscript).await {
        Ok(()) => go_with(
            &web,
            &page.in_world("leitung/zeitung"),
            &Flash::good("flash.article-changed"),
        ),
        Err(error) => match mistake(&page, &error) {
            Some(text) => {
                let article = paper.article(&path.article).await?;
                draw(&page, Some((&article, String::new())), &manuscript, Some(text)).await
            }
            None => Err(error.into()),
        },
    }
}
