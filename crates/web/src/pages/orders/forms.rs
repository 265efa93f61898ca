//! Orders by form and help at the cursor: both write the same lines as a player's pen.

use super::{Desk, Written, closed, desk_of, same_turn, save, show_desk};
use crate::Answer;
use crate::error::Fault;
use crate::identity::Player;
use crate::page::Page;
use crate::pages::report::{Reader, aside};
use crate::pairs::Pairs;
use crate::state::Web;
use askama::Template;
use axum::Form;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse};
use host::draft::DraftKind;
use kernel::diagnostic::Name;
use kernel::form::{Choice, FormFault, FormField, Input, Values};
use serde::Deserialize;

/// Proposals that are shown at once.
pub const PROPOSALS_MAX: usize = 24;
/// Fields of a form that is sent: all forms of the page come along.
const FIELDS_MAX: usize = 2_000;

/// A form of an order, worded.
pub struct Verb {
    /// Whether it is the first of its part of the file.
    pub begins_part: bool,
    /// Name of that part.
    pub section: String,
    /// How that part begins.
    pub opening: String,
    /// Its words in order.
    pub pattern: String,
    /// What it does.
    pub help: String,
    /// The rules of its form.
    pub rules: Vec<&'static str>,
    /// Lines as players write them.
    pub examples: Vec<&'static str>,
    /// Name of the form.
    pub name: String,
    /// Title of the form.
    pub title: String,
    /// Its fields.
    pub fields: Vec<FieldView>,
    /// Whether it was sent and not accepted.
    pub open: bool,
    /// What is wrong with the form as a whole.
    pub faults: Vec<String>,
}

/// A field of a form, worded.
pub struct FieldView {
    /// Name under which it is sent.
    pub name: String,
    /// Its label.
    pub label: String,
    /// Whether it may be left out.
    pub optional: bool,
    /// What stands in it.
    pub value: String,
    /// How it is drawn: `select`, `list`, `number`, `flag`, `lines` or `text`.
    pub kind: &'static str,
    /// What may be chosen: value and name.
    pub choices: Vec<(String, String)>,
    /// Least and greatest number.
    pub range: (i64, i64),
    /// Greatest number of characters.
    pub length: u32,
    /// What is wrong with it.
    pub faults: Vec<String>,
}

impl FieldView {
    /// Whether this is what stands in it.
    pub fn holds(&self, value: &str) -> bool {
        self.value == value
    }
}

/// What a player filled into a form, and what is wrong with it.
pub struct Filled {
    /// Name of the form.
    pub form: String,
    /// Its values.
    pub values: Values,
    /// What is wrong.
    pub faults: Vec<FormFault>,
}

/// The fields of a form, worded, with what was filled in.
pub fn fields(reader: &Reader, form: &kernel::form::Form, sent: Option<&Filled>) -> Vec<FieldView> {
    let view = |field: &FormField| FieldView {
        name: format!("{}.{}", form.name, field.name),
        label: reader.word(&field.label),
        optional: field.optional,
        value: match sent {
            Some(sent) => sent.values.get(&*field.name).cloned().unwrap_or_default(),
            None => field.default.clone(),
        },
        faults: faults(reader, sent, &field.name),
        ..drawn(reader, &field.input)
    };
    form.fields.iter().map(view).collect()
}

/// What is wrong with a field, or with the form as a whole.
fn faults(reader: &Reader, sent: Option<&Filled>, field: &str) -> Vec<String> {
    let faults = sent.into_iter().flat_map(|sent| &sent.faults);
    let faults = faults.filter(|fault| fault.field == field);
    faults.map(|fault| said(reader, fault)).collect()
}

/// The forms that a viewer can fill in.
pub fn verbs(reader: &Reader, view: &[u8], filled: Option<&Filled>) -> Result<Vec<Verb>, Fault> {
    let forms = reader.game.order_forms_of(view)?;
    let mut part = None;
    let verbs = forms.into_iter().map(|order| {
        let sent = filled.filter(|filled| filled.form == *order.form.name);
        let of = (order.opening.clone(), order.section);
        let begins_part = part.as_ref() != Some(&of);
        part = Some(of);
        Verb {
            begins_part,
            section: reader.wording.words_of(order.section),
            pattern: reader.wording.words_of(order.pattern),
            help: reader.wording.words_of(order.help),
            rules: order.rules.iter().map(|rule| rule.as_str()).collect(),
            examples: order.examples,
            name: order.form.name.to_string(),
            title: reader.word(&order.form.title),
            fields: fields(reader, &order.form, sent),
            open: sent.is_some(),
            faults: faults(reader, sent, ""),
            opening: order.opening,
        }
    });
    Ok(verbs.collect())
}

fn said(reader: &Reader, fault: &FormFault) -> String {
    let (text, expected) = reader.wording.fault(&fault.finding);
    if expected.is_empty() {
        text
    } else {
        format!(
            "{text} {}",
            reader
                .wording
                .text("finding.expected", &[("expect", kernel::report::Arg::Text(&expected))])
        )
    }
}

/// A choice by name: its words or its value, with what stands beside it.
pub fn named(reader: &Reader, choice: &Choice) -> (String, String) {
    let name = if choice.label.is_empty() {
        choice.value.clone()
    } else {
        reader.wording.words_of(&choice.label)
    };
    let name = match choice.detail.as_str() {
        "" => name,
        detail => format!("{name}, {detail}"),
    };
    (choice.value.clone(), name)
}

/// How an input is drawn.
fn drawn(reader: &Reader, input: &Input) -> FieldView {
    let mut view = FieldView {
        name: String::new(),
        label: String::new(),
        optional: false,
        value: String::new(),
        kind: "text",
        choices: Vec::new(),
        range: (0, 0),
        length: 40,
        faults: Vec::new(),
    };
    match input {
        Input::Choice { choices } => {
            view.kind = "select";
            view.choices = choices.iter().map(|choice| named(reader, choice)).collect();
        }
        Input::Army { choices, may_be_new } => {
            view.kind = if *may_be_new { "list" } else { "select" };
            view.choices = choices.iter().map(|choice| named(reader, choice)).collect();
        }
        Input::Number { min, max } => {
            view.kind = "number";
            view.range = (*min, *max);
        }
        Input::Flag => view.kind = "flag",
        Input::Realm => {
            view.kind = "number";
            view.range = (0, 65_535);
        }
        Input::Place | Input::Direction => {}
        Input::Directions { max } => view.length = *max,
        Input::Tally { choices, rows, .. } => {
            view.kind = "lines";
            view.length = rows.saturating_mul(40);
            view.choices = choices.iter().map(|choice| named(reader, choice)).collect();
        }
        Input::Text { max, lines } => {
            view.kind = if *lines > 1 { "lines" } else { "text" };
            view.length = *max;
        }
    }
    view
}

/// `POST /welt/{world}/befehle/zeile`
pub async fn add(State(web): State<Web>, page: Page, player: Player, Form(pairs): Form<Pairs>) -> Answer {
    let pairs = pairs.limited(FIELDS_MAX)?;
    let written = Written {
        text: pairs.text("text").to_owned(),
        zug: pairs.read("zug").ok_or(Fault::Malformed)?,
        reparatur: None,
    };
    let Some(open) = same_turn(&web, &player, &written).await? else {
        return closed(&page, Some(written.zug));
    };
    let form = pairs.one("formular").ok_or(Fault::Malformed)?.to_owned();
    let values = pairs.values_of(&form);
    let game = player.game(&web)?;
    let known = game
        .order_forms_of(&open.view)?
        .into_iter()
        .any(|order| *order.form.name == form);
    if !known {
        return Err(Fault::Missing);
    }
    match game.write_order(&open.view, &form, &values)? {
        Ok(order) => {
            let text = game.add_order(&written.file(), &order);
            save(&web, &player, &open, &text, DraftKind::Saved).await?;
            let message = page.t1("orders.line-added", "line", &order.text);
            show_desk(&web, &page, &player, &open, &text, message, StatusCode::OK).await
        }
        Err(faults) => {
            let text = written.file();
            save(&web, &player, &open, &text, DraftKind::Saved).await?;
            let filled = Filled { form, values, faults };
            let message = page.t("orders.line-refused");
            let mut parts = desk_of(&web, &page, &player, &open, &text, message).await?;
            parts.bad = true;
            parts.verbs = verbs(&Reader::new(game, &page), &open.view, Some(&filled))?;
            page.show_as(StatusCode::UNPROCESSABLE_ENTITY, &Desk::of(&page, &parts, &text))
        }
    }
}

/// A place in the text.
#[derive(Debug, Deserialize)]
pub struct Cursor {
    #[serde(default)]
    text: String,
    zug: u32,
    zeilennr: u32,
    spalte: u32,
}

/// A proposal: what is put in, and how it is called.
struct Proposal {
    value: String,
    name: String,
}

#[derive(Template)]
#[template(path = "orders-help.html")]
struct Help<'a> {
    page: &'a Page,
    line: u32,
    column: u32,
    length: u32,
    pattern: String,
    help: String,
    field: String,
    rules: Vec<Name>,
    items: Vec<Proposal>,
}

/// `POST /welt/{world}/befehle/hilfe`: what may stand at the cursor.
pub async fn help(State(web): State<Web>, page: Page, player: Player, Form(cursor): Form<Cursor>) -> Answer {
    let written = Written {
        text: cursor.text,
        zug: cursor.zug,
        reparatur: None,
    };
    let Some(open) = same_turn(&web, &player, &written).await? else {
        return closed(&page, Some(written.zug));
    };
    let reader = Reader::new(player.game(&web)?, &page);
    let text = written.file();
    let (line, column) = (cursor.zeilennr, cursor.spalte);
    let (reader, found) = aside(move || {
        let found = reader.game.complete(&open.view, &text, line, column)?;
        Ok((reader, found))
    })
    .await?;
    let proposal = |choice: &Choice| {
        let (value, name) = named(&reader, choice);
        Proposal { value, name }
    };
    let shown = Help {
        page: &page,
        line: found.replace.line,
        column: found.replace.column,
        length: found.replace.length,
        pattern: reader.word(&found.pattern),
        help: reader.word(&found.help),
        field: reader.word(&found.field),
        rules: found.rules.clone(),
        items: found.items.iter().take(PROPOSALS_MAX).map(proposal).collect(),
    };
    Ok(Html(shown.render()?).into_response())
}
