//! The writing desk: new letters, drafts that keep themselves, sealing, and what a realm wishes about its letters.

use super::{Cabinet, LetterPath, ListQuery, Writer, mistake, refused, set};
use crate::Answer;
use crate::error::Fault;
use crate::page::{Flash, Page, go, go_with};
use crate::pages::arms::Heralds;
use crate::pairs::Pairs;
use crate::state::Web;
use askama::Template;
use axum::Form;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse as _;
use host::letter::{Draft, LetterError, LetterKind, LetterState};
use host::{HostError, limits};
use kernel::game::Delivery;
use kernel::realm::{RealmId, Viewer};
use serde::Deserialize;
use std::collections::BTreeSet;

/// What the address of a new letter says.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct NewQuery {
    an: String,
    antwort: String,
    art: String,
}

/// A recipient to tick.
struct Addressee {
    value: String,
    name: String,
    arms: Option<String>,
    ticked: bool,
}

/// A kind of letter to choose.
struct KindChoice {
    value: &'static str,
    text: String,
    hint: String,
    chosen: bool,
}

#[derive(Template)]
#[template(path = "letter-write.html")]
struct WritePage<'a> {
    page: &'a Page,
    cabinet: Cabinet,
    action: String,
    is_draft: bool,
    kinds: Vec<KindChoice>,
    addressees: Vec<Addressee>,
    subject: String,
    body: String,
    signature: String,
    answers: String,
    seal: Option<String>,
    way: String,
    longest: usize,
    subject_longest: usize,
    signature_longest: usize,
    mistake: Option<String>,
    preview: Option<(String, &'static str)>,
}

/// What stands in the form.
struct Sketch {
    draft: Draft,
    answers: String,
    act: String,
}

impl Sketch {
    fn read(fields: &Pairs) -> Self {
        let mut sketch = Self {
            draft: Draft::default(),
            answers: String::new(),
            act: String::new(),
        };
        for (name, value) in fields.iter() {
            match name {
                "art" => sketch.draft.kind = LetterKind::from_code(value).unwrap_or_default(),
                "an" => sketch.draft.recipients.extend(addressee(value)),
                "betreff" => value.clone_into(&mut sketch.draft.subject),
                "text" => value.clone_into(&mut sketch.draft.body),
                "unterschrift" => value.clone_into(&mut sketch.draft.signature),
                "antwort" => value.clone_into(&mut sketch.answers),
                "tun" => value.clone_into(&mut sketch.act),
                _ => {}
            }
        }
        sketch
    }

    fn answers(&self) -> Option<&str> {
        (!self.answers.is_empty()).then_some(self.answers.as_str())
    }
}

/// A recipient as the form writes it: the number of a realm, or 0 for the game master.
fn addressee(value: &str) -> Option<Viewer> {
    match value.parse().ok()? {
        0 => Some(Viewer::GameMaster),
        realm => Some(Viewer::Realm(RealmId(realm))),
    }
}

async fn draw(
    web: &Web,
    page: &Page,
    writer: &Writer,
    sketch: &Sketch,
    id: Option<&str>,
    mistake: Option<String>,
    preview: bool,
) -> Answer {
    let heralds = Heralds::of(web, page, &writer.world, writer.viewer).await?;
    let custom = web.host.post_custom(&writer.world).await?;
    let query = ListQuery {
        fach: if id.is_some() {
            "entwuerfe".into()
        } else {
            String::new()
        },
        ..ListQuery::default()
    };
    let cabinet = Cabinet::open(web, page, writer, &heralds, &query, id).await?;
    let draft = &sketch.draft;
    let master = (!writer.is_master()).then(|| (Viewer::GameMaster, page.t("letters.master")));
    let realms = heralds.realms().map(|(realm, name)| (Viewer::Realm(realm), name));
    // Where letters between realms stand in the order file, only the game master can be written to.
    let closed = custom.delivery == Delivery::OrderFile && !writer.is_master();
    let addressees = realms
        .filter(|(viewer, _)| *viewer != writer.viewer && !closed)
        .chain(master)
        .map(|(viewer, name)| Addressee {
            value: match viewer {
                Viewer::GameMaster => "0".into(),
                Viewer::Realm(realm) => realm.to_string(),
            },
            name,
            arms: heralds.arms(viewer),
            ticked: draft.recipients.contains(&viewer),
        });
    let mut kinds = vec![KindChoice {
        value: LetterKind::Letter.code(),
        text: page.t("letters.kind-letter"),
        hint: page.t("letters.kind-letter-hint"),
        chosen: draft.kind == LetterKind::Letter,
    }];
    if custom.proclamations && !closed {
        kinds.push(KindChoice {
            value: LetterKind::Proclamation.code(),
            text: page.t("letters.kind-proclamation"),
            hint: page.t("letters.kind-proclamation-hint"),
            chosen: draft.kind == LetterKind::Proclamation,
        });
    }
    if custom.rumours && !closed {
        kinds.push(KindChoice {
            value: LetterKind::Rumour.code(),
            text: page.t("letters.kind-rumour"),
            hint: page.t("letters.kind-rumour-hint"),
            chosen: draft.kind == LetterKind::Rumour,
        });
    }
    let template = WritePage {
        action: match id {
            Some(id) => writer.address(page, &format!("entwurf/{id}")),
            None => writer.address(page, "neu") + &page.once(),
        },
        is_draft: id.is_some(),
        kinds,
        addressees: addressees.collect(),
        subject: draft.subject.clone(),
        body: draft.body.clone(),
        signature: draft.signature.clone(),
        answers: sketch.answers.clone(),
        seal: heralds.seal(writer.viewer),
        way: super::custom_text(page, &custom),
        longest: limits::LETTER_CHARACTERS,
        subject_longest: limits::SUBJECT_CHARACTERS,
        signature_longest: limits::SIGNATURE_CHARACTERS,
        preview: (preview && !draft.body.trim().is_empty()).then(|| set(&draft.body, page.words.language(), true)),
        mistake,
        cabinet,
        page,
    };
    let status = if template.mistake.is_some() {
        StatusCode::UNPROCESSABLE_ENTITY
    } else {
        StatusCode::OK
    };
    page.show_as(status, &template)
}

/// `GET /welt/{world}/briefe/neu`
pub async fn begin(State(web): State<Web>, page: Page, writer: Writer, Query(query): Query<NewQuery>) -> Answer {
    let post = writer.post(&web);
    let mut draft = Draft {
        kind: LetterKind::from_code(&query.art).unwrap_or_default(),
        recipients: addressee(&query.an).into_iter().collect(),
        signature: post.preferences().await?.signature,
        ..Draft::default()
    };
    if !query.antwort.is_empty() {
        let letter = post.letter(&query.antwort).await?;
        let author = letter
            .headline
            .author
            .filter(|_| letter.headline.kind != LetterKind::Rumour);
        draft.recipients = author.into_iter().collect::<BTreeSet<_>>();
        let subject = letter.headline.subject;
        let prefix = page.t("letters.answer-prefix");
        draft.subject = if subject.is_empty() || subject.starts_with(&prefix) {
            subject
        } else {
            format!("{prefix} {subject}")
        };
    }
    let sketch = Sketch {
        draft,
        answers: query.antwort,
        act: String::new(),
    };
    draw(&web, &page, &writer, &sketch, None, None, false).await
}

/// `POST /welt/{world}/briefe/neu`
pub async fn create(
    State(web): State<Web>,
    page: Page,
    writer: Writer,
    headers: HeaderMap,
    Form(fields): Form<Pairs>,
) -> Answer {
    let sketch = Sketch::read(&fields);
    if sketch.act == "vorschau" {
        return draw(&web, &page, &writer, &sketch, None, None, true).await;
    }
    let id = match writer.post(&web).write_draft(&sketch.draft, sketch.answers()).await {
        Ok(id) => id,
        Err(error) => match mistake(&page, &error) {
            Some(text) => return draw(&web, &page, &writer, &sketch, None, Some(text), false).await,
            None => return Err(error.into()),
        },
    };
    finish(&web, &page, &writer, &sketch, &id, &headers).await
}

/// `GET /welt/{world}/briefe/entwurf/{letter}`
pub async fn open(State(web): State<Web>, page: Page, writer: Writer, Path(path): Path<LetterPath>) -> Answer {
    let letter = writer.post(&web).letter(&path.letter).await?;
    if !letter.mine || letter.headline.state != LetterState::Draft {
        return go(&writer.address(&page, &format!("brief/{}", path.letter)));
    }
    let sketch = Sketch {
        draft: Draft {
            kind: letter.headline.kind,
            recipients: letter.headline.recipients.into_iter().collect(),
            subject: letter.headline.subject,
            body: letter.headline.body,
            signature: letter.signature,
        },
        answers: letter.answers.unwrap_or_default(),
        act: String::new(),
    };
    draw(&web, &page, &writer, &sketch, Some(&path.letter), None, false).await
}

/// `POST /welt/{world}/briefe/entwurf/{letter}`
pub async fn save(
    State(web): State<Web>,
    page: Page,
    writer: Writer,
    Path(path): Path<LetterPath>,
    headers: HeaderMap,
    Form(fields): Form<Pairs>,
) -> Answer {
    let sketch = Sketch::read(&fields);
    let post = writer.post(&web);
    if sketch.act == "verwerfen" {
        return match post.discard_draft(&path.letter).await {
            Ok(()) => go_with(&web, &writer.address(&page, ""), &Flash::good("flash.letter-discarded")),
            Err(error) => refused(&web, &page, &writer.address(&page, ""), error),
        };
    }
    if let Err(error) = post.save_draft(&path.letter, &sketch.draft).await {
        // A second click on the seal: the letter is on its way.
        if sketch.act == "siegeln" && matches!(error, HostError::Letter(LetterError::NoDraft)) {
            let sent = writer.address(&page, &format!("brief/{}?fach=gesandt", path.letter));
            return go_with(&web, &sent, &Flash::good("flash.repeated"));
        }
        return match mistake(&page, &error) {
            Some(text) => draw(&web, &page, &writer, &sketch, Some(&path.letter), Some(text), false).await,
            None => Err(error.into()),
        };
    }
    finish(&web, &page, &writer, &sketch, &path.letter, &headers).await
}

/// What is done with a draft after it was saved.
async fn finish(web: &Web, page: &Page, writer: &Writer, sketch: &Sketch, id: &str, headers: &HeaderMap) -> Answer {
    let here = writer.address(page, &format!("entwurf/{id}"));
    match sketch.act.as_str() {
        "siegeln" => match writer.post(web).send(id, &sketch.draft).await {
            Ok(state) => {
                let key = match state {
                    LetterState::Desk => "flash.letter-on-desk",
                    LetterState::Waiting => "flash.letter-waiting",
                    _ => "flash.letter-sent",
                };
                let sent = writer.address(page, &format!("brief/{id}?fach=gesandt"));
                go_with(web, &sent, &Flash::good(key))
            }
            Err(error) => match mistake(page, &error) {
                Some(text) => draw(web, page, writer, sketch, Some(id), Some(text), false).await,
                None => Err(error.into()),
            },
        },
        "vorschau" => draw(web, page, writer, sketch, Some(id), None, true).await,
        // The script of the page saves every few seconds and needs only the address.
        "selbst" if headers.contains_key("x-autosave") => {
            Ok((StatusCode::NO_CONTENT, [("x-draft", here)]).into_response())
        }
        _ => go_with(web, &here, &Flash::good("flash.letter-saved")),
    }
}

/// A realm whose letters are not taken.
struct Blocked {
    realm: u16,
    name: String,
    blocked: bool,
}

#[derive(Template)]
#[template(path = "letter-settings.html")]
struct SettingsPage<'a> {
    page: &'a Page,
    back: String,
    action: String,
    signature: String,
    signature_longest: usize,
    stand_in: bool,
    realms: Vec<Blocked>,
    master: bool,
}

/// `GET /welt/{world}/briefe/einstellungen`
pub async fn settings(State(web): State<Web>, page: Page, writer: Writer) -> Answer {
    writer.settles()?;
    let post = writer.post(&web);
    let preferences = post.preferences().await?;
    let blocked = post.blocked().await?;
    let heralds = Heralds::of(&web, &page, &writer.world, writer.viewer).await?;
    let realms = heralds.realms().map(|(realm, name)| Blocked {
        realm: realm.0,
        name,
        blocked: blocked.contains(&realm),
    });
    page.show(&SettingsPage {
        back: writer.address(&page, ""),
        action: writer.address(&page, "einstellungen"),
        signature: preferences.signature,
        signature_longest: limits::SIGNATURE_CHARACTERS,
        stand_in: preferences.stand_in,
        realms: realms.collect(),
        master: writer.is_master(),
        page: &page,
    })
}

/// Keeps what somebody wishes about his letters; whose he does not take only where he is no game master.
pub async fn keep_settings(
    web: &Web,
    writer: &Writer,
    stand_in: bool,
    signature: &str,
    blocked: BTreeSet<RealmId>,
) -> Result<(), Fault> {
    writer.settles()?;
    let post = writer.post(web);
    post.set_preferences(stand_in, signature).await?;
    if writer.is_master() {
        return Ok(());
    }
    let now: BTreeSet<RealmId> = post.blocked().await?.into_iter().collect();
    for realm in blocked.symmetric_difference(&now) {
        if Viewer::Realm(*realm) == writer.viewer {
            return Err(Fault::Malformed);
        }
        post.block(*realm, blocked.contains(realm)).await?;
    }
    Ok(())
}

/// `POST /welt/{world}/briefe/einstellungen`
pub async fn set_settings(State(web): State<Web>, page: Page, writer: Writer, Form(fields): Form<Pairs>) -> Answer {
    let wanted = fields
        .all("sperre")
        .filter_map(|value| value.parse().ok().map(RealmId))
        .collect();
    let signature = fields.text("unterschrift");
    keep_settings(&web, &writer, fields.has("vertreter"), signature, wanted).await?;
    go_with(
        &web,
        &writer.address(&page, "einstellungen"),
        &Flash::good("flash.letter-settings"),
    )
}
