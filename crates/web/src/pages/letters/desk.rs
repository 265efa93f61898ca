//! The game master's desk of letters: what is to pass, complaints, and how letters go in his world.

use super::{LetterPath, Sheet, Writer, refused, sheet};
use crate::Answer;
use crate::error::Fault;
use crate::page::{Flash, Page, go_with};
use crate::pages::arms::Heralds;
use crate::pairs::Pairs;
use crate::state::Web;
use askama::Template;
use axum::Form;
use axum::extract::{Path, State};
use host::letter::Custom;
use host::limits;
use kernel::game::Delivery;
use kernel::realm::{RealmId, Viewer};
use serde::Deserialize;

/// A complaint as the page shows it.
struct Grievance {
    sheet: Sheet,
    author: String,
    by: u16,
    by_name: String,
    reason: String,
    when: String,
    answer: Option<String>,
}

/// A way of delivery to choose.
struct DeliveryChoice {
    value: &'static str,
    text: String,
    chosen: bool,
}

/// A realm that may be silenced.
struct Voice {
    realm: u16,
    name: String,
    silenced: bool,
}

#[derive(Template)]
#[template(path = "letter-desk.html")]
struct DeskPage<'a> {
    page: &'a Page,
    back: String,
    base: String,
    waiting: Vec<Sheet>,
    complaints: Vec<Grievance>,
    custom: Custom,
    deliveries: Vec<DeliveryChoice>,
    per_day_max: u32,
    voices: Vec<Voice>,
}

/// `GET /welt/{world}/leitung/briefe/pult`
pub async fn show(State(web): State<Web>, page: Page, writer: Writer) -> Answer {
    let post = writer.post(&web);
    let heralds = Heralds::all(&web, &page, &writer.world).await?;
    let waiting = post.on_desk().await?;
    let complaints = post.complaints().await?;
    let custom = web.host.post_custom(&writer.world).await?;
    let silenced = post.silenced().await?;
    let deliveries = Delivery::ALL.iter().map(|delivery| DeliveryChoice {
        value: delivery.code(),
        text: page.words.with(&format!("letters.delivery-{}", delivery.code()), &[]),
        chosen: *delivery == custom.delivery,
    });
    let grievances = complaints.into_iter().map(|complaint| Grievance {
        author: complaint
            .letter
            .headline
            .author
            .map(|viewer| heralds.name(viewer))
            .unwrap_or_default(),
        sheet: sheet(&page, &writer.world, &heralds, &complaint.letter),
        by: complaint.by.0,
        by_name: heralds.name(Viewer::Realm(complaint.by)),
        reason: complaint.reason,
        when: page.short_moment(complaint.at),
        answer: complaint.answer,
    });
    page.show(&DeskPage {
        back: writer.address(&page, ""),
        base: writer.address(&page, "pult"),
        waiting: waiting
            .iter()
            .map(|letter| sheet(&page, &writer.world, &heralds, letter))
            .collect(),
        complaints: grievances.collect(),
        deliveries: deliveries.collect(),
        per_day_max: limits::LETTERS_PER_DAY_MAX,
        voices: heralds
            .realms()
            .map(|(realm, name)| Voice {
                realm: realm.0,
                name: name.to_owned(),
                silenced: silenced.contains(&realm),
            })
            .collect(),
        custom,
        page: &page,
    })
}

/// What the game master decides about a letter.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct DecisionForm {
    tun: String,
    grund: String,
    reich: u16,
}

/// `POST /welt/{world}/leitung/briefe/pult/{letter}`
pub async fn decide(
    State(web): State<Web>,
    page: Page,
    writer: Writer,
    Path(path): Path<LetterPath>,
    Form(form): Form<DecisionForm>,
) -> Answer {
    let post = writer.post(&web);
    let here = writer.address(&page, "pult");
    let done = match form.tun.as_str() {
        "durchlassen" => post.pass(&path.letter).await.map(|_| "flash.letter-passed"),
        "zurueckweisen" => post
            .turn_back(&path.letter, &form.grund)
            .await
            .map(|()| "flash.letter-turned-back"),
        "beantworten" => post
            .answer_complaint(&path.letter, RealmId(form.reich), &form.grund)
            .await
            .map(|()| "flash.complaint-answered"),
        _ => return Err(Fault::Malformed),
    };
    match done {
        Ok(key) => go_with(&web, &here, &Flash::good(key)),
        Err(error) => refused(&web, &page, &here, error),
    }
}

/// `POST /welt/{world}/leitung/briefe/brauch`
pub async fn set_custom(State(web): State<Web>, page: Page, writer: Writer, Form(fields): Form<Pairs>) -> Answer {
    let custom = Custom {
        delivery: fields
            .one("zustellung")
            .and_then(Delivery::from_code)
            .ok_or(Fault::Malformed)?,
        desk: fields.has("pult"),
        rumours: fields.has("geruechte"),
        proclamations: fields.has("bekanntmachungen"),
        per_day: fields.read("taeglich").ok_or(Fault::Malformed)?,
    };
    let post = writer.post(&web);
    post.set_custom(&custom).await?;
    let wanted: Vec<RealmId> = fields
        .all("schweigt")
        .filter_map(|value| value.parse().ok().map(RealmId))
        .collect();
    let now = post.silenced().await?;
    for seat in web.host.seats(&writer.world).await? {
        let (before, after) = (now.contains(&seat.realm), wanted.contains(&seat.realm));
        if before != after {
            post.silence(seat.realm, after).await?;
        }
    }
    go_with(&web, &writer.address(&page, "pult"), &Flash::good("flash.custom-saved"))
}
