//! Letters: lists, reading, writing. The game master's own post lies under `lead/letters` and is served by the same handlers.

use super::player::RealmName;
use super::{Asked, Called, Problem, Sent, done, json, json_as, moment, sought};
use crate::identity::Place;
use crate::page::Page;
use crate::pages::arms::Heralds;
use crate::pages::letters::Writer;
use crate::pages::map::is_masters;
use crate::state::Web;
use axum::extract::{FromRequestParts, Path, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use host::letter::{Draft, Folder, Headline, Letter, LetterKind};
use kernel::realm::{RealmId, Viewer};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Whoever writes here, if his letters are open to him.
pub struct Correspondent(pub Writer);

impl FromRequestParts<Web> for Correspondent {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, Problem> {
        let place = parts.extensions.get::<Place>().cloned().ok_or_else(Problem::missing)?;
        let writer = Writer::at(web, &place, is_masters(parts.uri.path())).await?;
        writer.map(Self).ok_or_else(Problem::missing)
    }
}

/// A drawer.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Drawer {
    /// What came.
    #[default]
    Inbox,
    /// What is not sent yet.
    Drafts,
    /// What was sent.
    Sent,
    /// What was put away.
    Filed,
    /// What realms made known to all.
    Proclamations,
    /// What is said.
    Rumours,
}

/// Which letters.
#[derive(Debug, Default, Deserialize, IntoParams)]
pub struct LettersAsked {
    /// The drawer.
    #[serde(default)]
    #[param(required = false, inline)]
    folder: Drawer,
    /// Words that must occur.
    #[serde(default)]
    #[param(required = false, max_length = 100)]
    q: String,
    /// How many to pass over: a page has 50.
    #[serde(default)]
    #[param(required = false)]
    skip: u32,
}

/// A letter.
#[derive(Debug, Serialize, ToSchema)]
pub struct LetterText {
    /// Its id.
    id: String,
    /// `letter`, `proclamation` or `rumour`.
    kind: &'static str,
    /// `draft`, `desk`, `waiting`, `delivered` or `returned`.
    state: &'static str,
    /// Who wrote it; nobody for a rumour.
    from: Option<RealmName>,
    /// To whom.
    to: Vec<RealmName>,
    /// Its subject.
    subject: String,
    /// Its words.
    text: String,
    /// When it came, went, or was last changed.
    #[schema(format = DateTime)]
    at: String,
    /// Whether you have not read it yet.
    unread: bool,
}

/// Letters.
#[derive(Debug, Serialize, ToSchema)]
pub struct Letters {
    /// The letters, the newest first.
    letters: Vec<LetterText>,
}

/// A letter with all that belongs to it.
#[derive(Debug, Serialize, ToSchema)]
pub struct LetterWhole {
    /// The letter.
    letter: LetterText,
    /// What stands below it.
    signature: String,
    /// The turn in which it came.
    turn: Option<u32>,
    /// What the game master remarked when he returned it.
    remark: String,
    /// The letter that it answers.
    answers: Option<String>,
    /// Whether it was put away.
    filed: bool,
    /// Whether it is yours.
    mine: bool,
    /// The other letters of the exchange, the oldest first.
    thread: Vec<LetterText>,
}

pub(super) fn name(heralds: &Heralds, viewer: Viewer) -> RealmName {
    RealmName {
        realm: match viewer {
            Viewer::GameMaster => 0,
            Viewer::Realm(realm) => realm.0,
        },
        name: heralds.name(viewer),
    }
}

pub(super) fn letter_text(heralds: &Heralds, headline: &Headline) -> LetterText {
    let author = headline.author.filter(|_| headline.kind != LetterKind::Rumour);
    LetterText {
        id: headline.id.clone(),
        kind: headline.kind.code(),
        state: headline.state.code(),
        from: author.map(|viewer| name(heralds, viewer)),
        to: headline
            .recipients
            .iter()
            .map(|viewer| name(heralds, *viewer))
            .collect(),
        subject: headline.subject.clone(),
        text: headline.body.clone(),
        at: moment(headline.at),
        unread: headline.unread,
    }
}

/// `GET /api/v1/worlds/{world}/letters`
pub async fn list(
    State(web): State<Web>,
    page: Page,
    Correspondent(writer): Correspondent,
    Asked(asked): Asked<LettersAsked>,
) -> Called {
    let folder = match asked.folder {
        Drawer::Inbox => Folder::Inbox,
        Drawer::Drafts => Folder::Drafts,
        Drawer::Sent => Folder::Sent,
        Drawer::Filed => Folder::Filed,
        Drawer::Proclamations => Folder::Proclamations,
        Drawer::Rumours => Folder::Rumours,
    };
    let found = writer.post(&web).folder(folder, sought(&asked.q)?, asked.skip).await?;
    let heralds = Heralds::of(&web, &page, &writer.world, writer.viewer).await?;
    json(&Letters {
        letters: found.iter().map(|headline| letter_text(&heralds, headline)).collect(),
    })
}

/// A letter in an address.
#[derive(Deserialize)]
pub struct LetterPath {
    pub(super) letter: String,
}

/// `GET /api/v1/worlds/{world}/letters/{letter}`: reading does not mark it as read, so that a program can look through them.
pub async fn read(
    State(web): State<Web>,
    page: Page,
    Correspondent(writer): Correspondent,
    Path(path): Path<LetterPath>,
) -> Called {
    let post = writer.post(&web);
    let letter: Letter = post.letter(&path.letter).await?;
    let thread = post.thread(&path.letter).await?;
    let heralds = Heralds::of(&web, &page, &writer.world, writer.viewer).await?;
    let others = thread.iter().filter(|other| other.id != letter.headline.id);
    json(&LetterWhole {
        thread: others.map(|headline| letter_text(&heralds, headline)).collect(),
        letter: letter_text(&heralds, &letter.headline),
        signature: if letter.headline.kind == LetterKind::Rumour && !letter.mine {
            String::new()
        } else {
            letter.signature
        },
        turn: letter.step,
        remark: letter.remark,
        answers: letter.answers,
        filed: letter.filed,
        mine: letter.mine,
    })
}

/// Those to whom you can write.
#[derive(Debug, Serialize, ToSchema)]
pub struct Addressees {
    /// The realms, and 0 for the game master.
    addressees: Vec<RealmName>,
}

/// `GET /api/v1/worlds/{world}/addressees`
pub async fn addressees(State(web): State<Web>, page: Page, Correspondent(writer): Correspondent) -> Called {
    let heralds = Heralds::of(&web, &page, &writer.world, writer.viewer).await?;
    let custom = web.host.post_custom(&writer.world).await?;
    // Where letters between realms stand in the order file, only the game master can be written to.
    let closed = custom.delivery == kernel::game::Delivery::OrderFile && !writer.is_master();
    let realms = heralds.realms().map(|(realm, _)| Viewer::Realm(realm));
    let realms = realms.filter(|viewer| *viewer != writer.viewer && !closed);
    let master = (!writer.is_master()).then_some(Viewer::GameMaster);
    json(&Addressees {
        addressees: realms.chain(master).map(|viewer| name(&heralds, viewer)).collect(),
    })
}

/// The kind of a letter.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum KindSent {
    /// To some.
    #[default]
    Letter,
    /// To all.
    Proclamation,
    /// To all, from nobody.
    Rumour,
}

/// A letter to write.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LetterSent {
    /// Its kind.
    #[serde(default)]
    kind: KindSent,
    /// Numbers of the realms; 0 for the game master.
    #[serde(default)]
    #[schema(max_items = 30)]
    to: Vec<u16>,
    /// Its subject.
    #[serde(default)]
    subject: String,
    /// Its words.
    text: String,
    /// What stands below it; without one, your own.
    signature: Option<String>,
    /// The letter that it answers.
    answers: Option<String>,
    /// Whether it goes at once; otherwise it stays a draft.
    #[serde(default)]
    send: bool,
}

/// What became of a letter.
#[derive(Debug, Serialize, ToSchema)]
pub struct LetterState {
    /// Its id.
    id: String,
    /// `draft`, `desk`, `waiting` or `delivered`.
    state: &'static str,
}

async fn draft_of(web: &Web, writer: &Writer, sent: &LetterSent) -> Result<Draft, Problem> {
    let signature = match &sent.signature {
        Some(signature) => signature.clone(),
        None => writer.post(web).preferences().await?.signature,
    };
    let viewer = |realm: &u16| match realm {
        0 => Viewer::GameMaster,
        realm => Viewer::Realm(RealmId(*realm)),
    };
    Ok(Draft {
        kind: match sent.kind {
            KindSent::Letter => LetterKind::Letter,
            KindSent::Proclamation => LetterKind::Proclamation,
            KindSent::Rumour => LetterKind::Rumour,
        },
        recipients: sent.to.iter().map(viewer).collect(),
        subject: sent.subject.clone(),
        body: sent.text.clone(),
        signature,
    })
}

/// `POST /api/v1/worlds/{world}/letters`
pub async fn write(
    State(web): State<Web>,
    Correspondent(writer): Correspondent,
    Sent(sent): Sent<LetterSent>,
) -> Called {
    let draft = draft_of(&web, &writer, &sent).await?;
    let post = writer.post(&web);
    let id = post.write_draft(&draft, sent.answers.as_deref()).await?;
    let state = if sent.send {
        match post.send(&id, &draft).await {
            Ok(state) => state.code(),
            Err(error) => {
                // What was refused as a letter does not stay behind as a draft that nobody asked for.
                post.discard_draft(&id).await?;
                return Err(error.into());
            }
        }
    } else {
        "draft"
    };
    json_as(StatusCode::CREATED, &LetterState { id, state })
}

/// `PUT /api/v1/worlds/{world}/letters/{letter}`
pub async fn rewrite(
    State(web): State<Web>,
    Correspondent(writer): Correspondent,
    Path(path): Path<LetterPath>,
    Sent(sent): Sent<LetterSent>,
) -> Called {
    let draft = draft_of(&web, &writer, &sent).await?;
    let post = writer.post(&web);
    post.save_draft(&path.letter, &draft).await?;
    let state = if sent.send {
        post.send(&path.letter, &draft).await?.code()
    } else {
        "draft"
    };
    json(&LetterState { id: path.letter, state })
}

/// `DELETE /api/v1/worlds/{world}/letters/{letter}`
pub async fn discard(
    State(web): State<Web>,
    Correspondent(writer): Correspondent,
    Path(path): Path<LetterPath>,
) -> Called {
    writer.post(&web).discard_draft(&path.letter).await?;
    done()
}

/// What can be done with a letter.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum LetterAct {
    /// It is read.
    Read,
    /// It is put away.
    File,
    /// It lies on the desk again.
    Unfile,
    /// It comes back before it is delivered, as a draft.
    Recall,
    /// It is reported to the game master.
    Report,
}

/// What to do with a letter.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ActSent {
    /// What to do.
    act: LetterAct,
    /// Why it is reported.
    #[serde(default)]
    reason: String,
}

/// `POST /api/v1/worlds/{world}/letters/{letter}/act`
pub async fn act(
    State(web): State<Web>,
    Correspondent(writer): Correspondent,
    Path(path): Path<LetterPath>,
    Sent(sent): Sent<ActSent>,
) -> Called {
    let post = writer.post(&web);
    let id = path.letter.as_str();
    // Looked at first: a letter that is not his is one that is not there.
    post.letter(id).await?;
    match sent.act {
        LetterAct::Read => post.mark_read(id).await,
        LetterAct::File => post.file(id, true).await,
        LetterAct::Unfile => post.file(id, false).await,
        LetterAct::Recall => post.recall(id).await,
        LetterAct::Report => post.report(id, &sent.reason).await,
    }?;
    done()
}
