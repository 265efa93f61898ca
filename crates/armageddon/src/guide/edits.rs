//! The editor of set-ups: every change of the board by hand as a form, the line that it makes, and sheets of such lines.

use super::board::{building_word, centre_word, terrain_word};
use super::pieces::kind_name;
use crate::board::direction_code;
use crate::deed::Refusal;
use crate::kinds::{BuildingKind, Fitting, Kind, Terrain, WindStrength};
use crate::rule;
use crate::ruling::{CHANGES_MAX, Ruling};
use crate::setup::{self, edit};
use crate::state::State;
use crate::tables::Tables;
use crate::tables::rulings::CentreKind;
use kernel::diagnostic::{Diagnostic, Name, Span};
use kernel::form::{Choice, Form, FormFault, FormField, Input, Values};
use kernel::guide::Changes;
use kernel::hex::Direction;

/// Characters of an army list.
const LIST_MAX: u32 = 2_000;

fn choice(choices: impl IntoIterator<Item = Choice>) -> Input {
    Input::Choice {
        choices: choices.into_iter().collect(),
    }
}

fn directions() -> Input {
    choice(
        Direction::ALL.map(|side| Choice::worded(direction_code(side), format!("direction-{}", direction_code(side)))),
    )
}

/// What a form says where no direction is wanted: a choice has always something chosen.
const NONE: &str = "none";

/// A direction, or none.
fn maybe_direction(name: &'static str, label: &'static str) -> FormField {
    let none = std::iter::once(Choice::worded(NONE, "direction-none"));
    let sides = Direction::ALL.map(direction_code).into_iter();
    let sides = sides.map(|code| Choice::worded(code, format!("direction-{code}")));
    FormField::new(name, label, choice(none.chain(sides)))
        .with_default(NONE)
        .or_nothing()
}

fn form(name: &'static str, fields: Vec<FormField>) -> Form {
    Form {
        name: Name::Borrowed(name),
        title: Name::Owned(format!("edit-{name}")),
        help: Name::Owned(format!("edit-{name}-help")),
        rules: vec![Name::Borrowed(rule::GAP_44.as_str())],
        fields,
    }
}

/// Every change, the ground first, then what stands on it.
pub(super) fn forms() -> Vec<Form> {
    let place = || FormField::new("place", "label-place", Input::Place);
    let player = || FormField::new("player", "label-player", Input::Realm);
    let word = |name: &'static str, label: &'static str| FormField::new(name, label, Input::Text { max: 60, lines: 1 });
    let number =
        |name: &'static str, label: &'static str, min, max| FormField::new(name, label, Input::Number { min, max });
    let terrains = choice(
        Terrain::ALL
            .iter()
            .map(|terrain| Choice::worded(terrain.code(), terrain_word(*terrain))),
    );
    let edges =
        || choice(["river", "ditch", "ascent", "bridge"].map(|what| Choice::worded(what, format!("edit-is-{what}"))));
    let fittings = choice(
        [
            Fitting::Plain,
            Fitting::Loophole,
            Fitting::Open,
            Fitting::Closed,
            Fitting::Broken,
        ]
        .map(|fitting| Choice::worded(fitting.code(), format!("fitting-{}", fitting.code()))),
    );
    let gates = choice([
        Choice::worded("open", "fitting-open"),
        Choice::worded("closed", "fitting-closed"),
    ]);
    let buildings = choice(
        BuildingKind::ALL
            .iter()
            .map(|kind| Choice::worded(kind.code(), building_word(*kind))),
    );
    let centres = [
        CentreKind::Market,
        CentreKind::City,
        CentreKind::ProvincialCapital,
        CentreKind::Capital,
        CentreKind::Fortress,
    ];
    let centres = choice(centres.map(|kind| Choice::worded(setup::centre_code(kind), centre_word(kind))));
    let kinds = choice(Kind::all().map(|kind| Choice::worded(kind.code(), format!("kind-{}", kind_name(kind)))));
    let winds = choice(
        WindStrength::ALL
            .iter()
            .map(|wind| Choice::worded(wind.code(), wind.code())),
    );
    let removable = [
        "figures",
        "building",
        "wall",
        "river",
        "ditch",
        "ascent",
        "bridge",
        "centre",
        "foundation",
        "flow",
        "stream-bridge",
        "siege",
    ];
    let removable = choice(removable.map(|what| Choice::worded(what, format!("edit-is-{what}"))));
    vec![
        form(
            "terrain",
            vec![
                place(),
                FormField::new("terrain", "label-terrain", terrains.clone()).with_default("lowland"),
            ],
        ),
        form(
            "edge",
            vec![
                place(),
                FormField::new("to", "label-to", Input::Place),
                FormField::new("what", "label-what", edges()).with_default("river"),
            ],
        ),
        form(
            "flow",
            vec![place(), FormField::new("facing", "label-facing", directions())],
        ),
        form("stream-bridge", vec![place()]),
        form("foundation", vec![place()]),
        form(
            "wall",
            vec![
                player(),
                place(),
                FormField::new("facing", "label-facing", directions()),
                FormField::new("fitting", "label-fitting", fittings).with_default("plain"),
                FormField::new("reinforced", "label-is-reinforced", Input::Flag).or_nothing(),
            ],
        ),
        form(
            "building",
            vec![
                player(),
                place(),
                FormField::new("building", "label-building", buildings).with_default("tower"),
                FormField::new("facing", "label-gate", directions()),
                FormField::new("fitting", "label-fitting", gates).with_default("closed"),
                maybe_direction("second", "label-second-gate"),
            ],
        ),
        form(
            "centre",
            vec![player(), place(), FormField::new("kind", "label-kind", centres)],
        ),
        form(
            "figure",
            vec![
                player(),
                FormField::new("kind", "label-kind", kinds),
                number("first", "label-first", 1, 60_000).or_nothing(),
                number("count", "label-count", 1, 100).with_default("1"),
                place(),
                word("level", "label-storey").or_nothing(),
                word("on", "label-carrier").or_nothing(),
                maybe_direction("facing", "label-facing"),
            ],
        ),
        form(
            "army",
            vec![
                player(),
                FormField::new(
                    "list",
                    "label-list",
                    Input::Text {
                        max: LIST_MAX,
                        lines: 40,
                    },
                ),
                number("limit", "label-budget", 0, 100_000).or_nothing(),
                FormField::new("fields", "label-fields", Input::Text { max: 200, lines: 1 }),
            ],
        ),
        form("remove", vec![word("figure", "label-figure")]),
        form(
            "clear",
            vec![
                FormField::new("what", "label-what", removable),
                place(),
                FormField::new("to", "label-to-edge", Input::Place).or_nothing(),
                FormField::new("facing", "label-facing", directions()).or_nothing(),
            ],
        ),
        form(
            "wind",
            vec![
                FormField::new("facing", "label-facing", directions()),
                FormField::new("strength", "label-strength", winds).with_default("fresh"),
            ],
        ),
        form("battle", vec![word("name", "label-battle")]),
        form("side", vec![player(), number("number", "label-number", 1, 12)]),
        form("units", vec![player(), number("units", "label-units", 0, 1_000)]),
        form(
            "empty",
            vec![FormField::new("terrain", "label-terrain", terrains).with_default("lowland")],
        ),
    ]
}

/// What was filled in, without anything that would end a line.
struct Filled<'a> {
    values: &'a Values,
    faults: Vec<FormFault>,
}

impl Filled<'_> {
    fn maybe(&self, name: &str) -> String {
        let value = self.values.get(name).map_or("", |value| value.trim());
        let plain = value.chars().take(LIST_MAX as usize);
        plain
            .map(|letter| if letter.is_control() { ' ' } else { letter })
            .collect()
    }

    /// A direction, if one was chosen.
    fn direction(&self, name: &str) -> Option<String> {
        let value = self.maybe(name);
        let word = value.split_whitespace().next().filter(|word| *word != NONE);
        word.map(str::to_owned)
    }

    /// One word that must be there.
    fn word(&mut self, name: &'static str) -> String {
        self.text(name).replace(' ', "_")
    }

    /// Words that must be there.
    fn text(&mut self, name: &'static str) -> String {
        let value = self.maybe(name);
        let text: String = value.split_whitespace().collect::<Vec<_>>().join(" ");
        if text.is_empty() {
            self.faults.push(FormFault {
                field: Name::Borrowed(name),
                finding: Diagnostic::error("value-missing", Span::default(), &[rule::GAP_45]),
            });
        }
        text
    }

    fn number(&mut self, name: &'static str) -> i64 {
        let word = self.word(name);
        match word.parse::<i64>() {
            Ok(number) => number,
            Err(_) => {
                if !word.is_empty() {
                    self.faults.push(FormFault {
                        field: Name::Borrowed(name),
                        finding: Diagnostic::error("expected-number", Span::default(), &[rule::GAP_45])
                            .with("found", word),
                    });
                }
                0
            }
        }
    }
}

/// The line of a filled-in change.
pub(super) fn write(name: &str, values: &Values) -> Result<String, Vec<FormFault>> {
    let mut filled = Filled {
        values,
        faults: Vec::new(),
    };
    let line = line(name, &mut filled).ok_or_else(Vec::new)?;
    if filled.faults.is_empty() {
        Ok(line)
    } else {
        Err(filled.faults)
    }
}

fn line(name: &str, filled: &mut Filled<'_>) -> Option<String> {
    Some(match name {
        "terrain" => format!("field {} {}", filled.word("place"), filled.word("terrain")),
        "edge" => {
            let what = filled.word("what");
            format!("{what} {}-{}", filled.word("place"), filled.word("to"))
        }
        "flow" => format!("flow {} {}", filled.word("place"), filled.word("facing")),
        "stream-bridge" => format!("stream-bridge {}", filled.word("place")),
        "foundation" => format!("foundation {}", filled.word("place")),
        "wall" => {
            let (player, place) = (filled.number("player"), filled.word("place"));
            let (side, fitting) = (filled.word("facing"), filled.word("fitting"));
            let more = if filled.maybe("reinforced") == "true" {
                " reinforced"
            } else {
                ""
            };
            format!("wall {player} {place}-{side} {fitting}{more}")
        }
        "building" => {
            let (kind, player, place) = (filled.word("building"), filled.number("player"), filled.word("place"));
            let (side, fitting) = (filled.word("facing"), filled.word("fitting"));
            let second = filled.direction("second").filter(|second| *second != side);
            let second = second.map_or_else(String::new, |second| format!(" gate {second} {fitting}"));
            format!("{kind} {player} {place} gate {side} {fitting}{second}")
        }
        "centre" => {
            let (player, place) = (filled.number("player"), filled.word("place"));
            format!("centre {player} {place} {}", filled.word("kind"))
        }
        "figure" => figure(filled),
        "army" => {
            let player = filled.number("player");
            let fields = filled.word("fields").replace('_', ",").replace(",,", ",");
            let limit = filled.maybe("limit");
            let limit = if limit.is_empty() {
                String::new()
            } else {
                format!(" limit {limit}")
            };
            // A list may have its entries in lines; a change is one line.
            let list = filled.values.get("list").map_or("", |list| list.trim());
            let entries: Vec<&str> = list
                .split(['\n', ',', ';'])
                .map(str::trim)
                .filter(|entry| !entry.is_empty())
                .collect();
            if entries.is_empty() {
                filled.word("list");
            }
            let list: String = entries
                .join(", ")
                .chars()
                .filter(|letter| !letter.is_control())
                .collect();
            format!("army {player}{limit} at {fields}: {list}")
        }
        "remove" => format!("remove {}", filled.word("figure")),
        "clear" => {
            let (what, place) = (filled.word("what"), filled.word("place"));
            match what.as_str() {
                "river" | "ditch" | "ascent" | "bridge" => format!("no {what} {place}-{}", filled.word("to")),
                "wall" => format!("no {what} {place}-{}", filled.word("facing")),
                _ => format!("no {what} {place}"),
            }
        }
        "wind" => format!("wind {} {}", filled.word("facing"), filled.word("strength")),
        "side" => format!("player {} side {}", filled.number("player"), filled.number("number")),
        "empty" => format!("empty {}", filled.word("terrain")),
        "battle" => format!("battle {}", filled.text("name")),
        "units" => format!("units {} {}", filled.number("player"), filled.number("units")),
        _ => return None,
    })
}

/// `figure 1 LB 1..4 at 17.P facing O`, `figure 1 LB 1 on lP#1`.
fn figure(filled: &mut Filled<'_>) -> String {
    let (player, kind) = (filled.number("player"), filled.word("kind"));
    let count = filled.number("count").clamp(1, 100);
    let numbers = if filled.maybe("first").is_empty() {
        format!("+{count}")
    } else {
        let first = filled.number("first");
        format!("{first}..{}", first.saturating_add(count) - 1)
    };
    let on = filled.maybe("on");
    let mut line = match on.split_whitespace().next() {
        Some(carrier) => format!("figure {player} {kind} {numbers} on {carrier}"),
        None => {
            let place = filled.word("place");
            let level = filled.maybe("level");
            let level = level
                .split_whitespace()
                .next()
                .map_or_else(String::new, |level| format!(".{level}"));
            format!("figure {player} {kind} {numbers} at {place}{level}")
        }
    };
    if let Some(facing) = filled.direction("facing") {
        line.push_str(&format!(" facing {facing}"));
    }
    line
}

/// Makes earlier changes by hand, then those of a text, as far as they can be made.
pub(super) fn change_world(tables: &Tables, state: &mut State, earlier: &[Ruling], text: &str) -> Changes<Ruling> {
    for ruling in earlier {
        if let Ruling::Change { lines } = ruling {
            for line in lines {
                // What was refused was told when it was asked for.
                let _ = edit::change(tables, state, line);
            }
        }
    }
    let before = state.clone();
    let (mut lines, mut faults) = (Vec::new(), Vec::new());
    for (line, number) in text.lines().zip(1u32..).take(CHANGES_MAX) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match edit::change(tables, state, line) {
            Ok(()) => lines.push(line.to_owned()),
            Err(refusal) => faults.push(at(refusal, number)),
        }
    }
    if *state == before {
        lines.clear();
    }
    Changes {
        made: lines.len(),
        ruling: (!lines.is_empty()).then_some(Ruling::Change { lines }),
        faults,
    }
}

fn at(refusal: Refusal, line: u32) -> Diagnostic {
    refusal.at(Span {
        line,
        column: 1,
        length: 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::ready;

    /// Something that fits a field of the field battle.
    fn sample(field: &FormField) -> String {
        match (&*field.name, &field.input) {
            ("terrain", _) => "swamp".to_owned(),
            (_, _) if !field.default.is_empty() => field.default.clone(),
            ("place", _) => "5".to_owned(),
            ("to", _) => "6".to_owned(),
            ("list", _) => "1S".to_owned(),
            ("fields", _) => "1, 2".to_owned(),
            ("figure", _) => "S#1".to_owned(),
            ("first", _) => "900".to_owned(),
            ("name", _) => "Am Erlbach".to_owned(),
            (_, Input::Realm) => "1".to_owned(),
            (_, Input::Number { min, .. }) => (*min).max(1).to_string(),
            (_, Input::Choice { choices }) => choices.first().map(|choice| choice.value.clone()).unwrap_or_default(),
            _ => String::new(),
        }
    }

    #[test]
    fn every_form_makes_a_change_that_can_be_made() {
        let tables = Tables::book().expect("the book");
        let ready = ready::find("field-battle").expect("the field battle");
        let state = setup::build(&tables, "", &setup::read_lines(ready.setup)).expect("a battle");
        for form in forms() {
            let values: Values = form
                .fields
                .iter()
                .filter(|field| !field.optional)
                .map(|field| (field.name.to_string(), sample(field)))
                .collect();
            let line = write(&form.name, &values).unwrap_or_else(|faults| panic!("{}: {faults:?}", form.name));
            let mut changed = state.clone();
            let changes = change_world(&tables, &mut changed, &[], &line);
            assert_eq!(changes.faults, [], "{line}");
            if !form.fields.iter().any(|field| field.name == "what") && form.name != "side" && form.name != "units" {
                assert!(changes.ruling.is_some(), "{line} changes nothing");
            }
            let missing = write(&form.name, &Values::new());
            assert!(missing.is_err_and(|faults| !faults.is_empty()), "{}", form.name);
        }
    }

    #[test]
    fn what_may_be_missing_is_missing_unless_it_was_chosen() {
        let filled = |pairs: &[(&str, &str)]| -> Values {
            pairs
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect()
        };
        let tower = [
            ("player", "2"),
            ("place", "27"),
            ("building", "tower"),
            ("facing", "W"),
            ("fitting", "closed"),
        ];
        let gates = |second: &[(&str, &str)]| write("building", &filled(&[&tower[..], second].concat()));
        assert_eq!(gates(&[("second", "none")]), Ok("tower 2 27 gate W closed".to_owned()));
        assert_eq!(gates(&[("second", "W")]), Ok("tower 2 27 gate W closed".to_owned()));
        assert_eq!(
            gates(&[("second", "O")]),
            Ok("tower 2 27 gate W closed gate O closed".to_owned())
        );
        let bows = [
            ("player", "2"),
            ("kind", "B"),
            ("count", "2"),
            ("place", "27"),
            ("level", "P"),
        ];
        let numbered = |more: &[(&str, &str)]| write("figure", &filled(&[&bows[..], more].concat()));
        assert_eq!(numbered(&[("facing", "none")]), Ok("figure 2 B +2 at 27.P".to_owned()));
        let named = numbered(&[("first", "7"), ("facing", "O")]);
        assert_eq!(named, Ok("figure 2 B 7..8 at 27.P facing O".to_owned()));
    }

    #[test]
    fn a_line_that_cannot_be_made_is_told_by_its_number_and_the_others_are_made() {
        let tables = Tables::book().expect("the book");
        let ready = ready::find("field-battle").expect("the field battle");
        let mut state = setup::build(&tables, "", &setup::read_lines(ready.setup)).expect("a battle");
        let text = "field 5 swamp\n# a word\nfield 99 swamp\nfield 6 swamp\n";
        let changes = change_world(&tables, &mut state, &[], text);
        assert_eq!(changes.made, 2);
        let lines: Vec<u32> = changes.faults.iter().map(|fault| fault.span.line).collect();
        assert_eq!(lines, [3]);
        let again = change_world(&tables, &mut state, &[], "field 5 swamp\n");
        assert_eq!((again.made, again.ruling), (0, None));
    }
}
