//! The game master's changes of the world as forms, and the words that they make.

use super::dossier::terrain_word;
use super::kind_word;
use crate::codes::{Building, Condition, Kind, Terrain, Treaty};
use crate::editing;
use crate::report::{building_word, condition_word, treaty_word};
use crate::rule;
use kernel::diagnostic::{Diagnostic, Name, Span};
use kernel::form::{Choice, Form, FormFault, FormField, Input, Values};

const PERCENT: Input = Input::Number { min: 0, max: 100 };

fn choice(choices: impl Iterator<Item = Choice>) -> Input {
    Input::Choice {
        choices: choices.collect(),
    }
}

/// Every change, in the order of a map editor: ground first, then what stands on it.
pub(super) fn forms() -> Vec<Form> {
    let terrains = Terrain::ALL.iter().filter(|terrain| **terrain != Terrain::Unexplored);
    let terrains = choice(terrains.map(|terrain| Choice::worded(terrain.code(), terrain_word(*terrain))));
    let buildings = std::iter::once(Choice::worded("none", "edit-none")).chain(
        Building::ALL
            .iter()
            .map(|b| Choice::worded(b.code(), building_word(*b))),
    );
    let conditions = Condition::ALL
        .iter()
        .map(|c| Choice::worded(c.code(), condition_word(*c)));
    let treaties = Treaty::ALL.iter().map(|t| Choice::worded(t.code(), treaty_word(*t)));
    let kinds = Kind::ALL.iter().filter(|kind| !kind.is_group());
    let kinds = kinds.map(|kind| Choice::worded(kind.code(), kind_word(*kind)));
    let heights = ["edit-lowland", "edit-highland", "edit-mountain"];
    let heights = choice(
        (1..)
            .zip(heights)
            .map(|(level, word)| Choice::worded(level.to_string(), word)),
    );
    let place = || FormField::new("place", "field-place", Input::Place);
    let realm = |name: &'static str| FormField::new(name, "field-realm", Input::Realm);
    let line = |name: &'static str| {
        let side = FormField::new("direction", "field-direction", Input::Direction);
        let present = FormField::new("present", "edit-present", Input::Flag)
            .or_nothing()
            .with_default("true");
        form(name, vec![place(), side, present])
    };
    let number =
        |name: &'static str, label: &'static str, min, max| FormField::new(name, label, Input::Number { min, max });
    let text = Input::Text { max: 20, lines: 1 };
    vec![
        form(
            "terrain",
            vec![
                place(),
                FormField::new("terrain", "edit-ground", terrains).with_default("tla"),
            ],
        ),
        form("height", vec![place(), FormField::new("height", "edit-level", heights)]),
        line("river"),
        line("road"),
        line("bridge"),
        line("wall"),
        form(
            "building",
            vec![
                place(),
                FormField::new("building", "field-building", choice(buildings)),
                FormField::new("condition", "battle-condition", choice(conditions)).with_default("I"),
                FormField::new("name", "field-name", text).or_nothing(),
            ],
        ),
        form(
            "mine",
            vec![place(), number("reserve", "edit-reserve", 0, 1_000_000_000)],
        ),
        form("gate", vec![place(), number("code", "edit-code", 1, 65_535)]),
        form("owner", vec![place(), realm("realm")]),
        form(
            "land",
            vec![
                place(),
                FormField::new("yield", "edit-yield", PERCENT).with_default("100"),
                number("blessed", "edit-blessed", 0, 255).with_default("0"),
                FormField::new("unrest", "edit-unrest", PERCENT).with_default("0"),
            ],
        ),
        form(
            "army",
            vec![
                realm("realm"),
                FormField::new("kind", "field-kind", choice(kinds)),
                number("number", "field-number", 1, 9_999).with_default("1"),
                place(),
                number("count", "field-count", 0, 1_000_000_000),
            ],
        ),
        form("start", vec![realm("realm"), place()]),
        form(
            "treasury",
            vec![realm("realm"), number("gold", "field-amount", 0, 1_000_000_000)],
        ),
        form(
            "treaty",
            vec![
                realm("one"),
                realm("other"),
                FormField::new("treaty", "field-treaty", choice(treaties)),
            ],
        ),
    ]
}

fn form(name: &'static str, fields: Vec<FormField>) -> Form {
    Form {
        name: Name::Borrowed(name),
        title: Name::Owned(format!("edit-{name}")),
        help: Name::Borrowed(""),
        rules: [rule::ADM_01, rule::ADM_02]
            .map(|rule| Name::Borrowed(rule.as_str()))
            .to_vec(),
        fields,
    }
}

/// The words of a filled-in change; they have been read back.
pub(super) fn write(name: &str, values: &Values) -> Result<String, Vec<FormFault>> {
    let fault = |field: Name, value: &str, label: Name| {
        let shown: String = value.chars().take(60).collect();
        let finding = Diagnostic::error("O06", Span::default(), &[rule::ADM_01]).with("t", shown);
        FormFault {
            field,
            finding: finding.with_word("feld", label),
        }
    };
    let Some(form) = forms().into_iter().find(|form| form.name == name) else {
        return Err(vec![fault(Name::Borrowed(""), name, Name::Borrowed("field-setting"))]);
    };
    let mut words = vec![name.to_owned()];
    let mut faults = Vec::new();
    for field in form.fields {
        let value = values.get(field.name.as_ref()).map_or("", |value| value.trim());
        let word = match field.input {
            Input::Flag => if value == "true" { "yes" } else { "no" }.to_owned(),
            Input::Place => value.replace([',', ' '], "/"),
            Input::Text { .. } => value.split_whitespace().collect::<Vec<_>>().join(" "),
            _ => value.to_owned(),
        };
        let is_one_word = !word.contains(|letter: char| letter.is_whitespace() || letter.is_control());
        let is_text = matches!(field.input, Input::Text { .. });
        let may_stand = (is_one_word || is_text) && fits(&field.input, &word);
        if (word.is_empty() && !field.optional) || !(word.is_empty() || may_stand) {
            faults.push(fault(field.name, value, field.label));
        } else if !word.is_empty() {
            words.push(word);
        }
        // Nothing has neither condition nor name.
        if words.last().is_some_and(|word| word == "none") {
            break;
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let text = words.join(" ");
    match editing::read(&text) {
        Some(Ok(_)) => Ok(text),
        _ => Err(vec![fault(Name::Borrowed(""), &text, form.title)]),
    }
}

/// Whether a word may stand in a field, as far as the field itself can say.
fn fits(input: &Input, word: &str) -> bool {
    let number = || word.parse::<i64>().ok();
    match input {
        Input::Number { min, max } => number().is_some_and(|number| (*min..=*max).contains(&number)),
        Input::Direction => number().is_some_and(|side| (1..=6).contains(&side)),
        Input::Realm => word.parse::<u16>().is_ok(),
        Input::Choice { choices } => choices.iter().any(|choice| choice.value.eq_ignore_ascii_case(word)),
        _ => true,
    }
}
