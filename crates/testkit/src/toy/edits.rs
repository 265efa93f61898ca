//! The toy's changes by hand: a host is put on another field.

use super::{FIELDS, GRANT, Ruling, State, Tables, Toy, View, board};
use kernel::board::{Board, Frame, Offer};
use kernel::diagnostic::{Diagnostic, Name, Span};
use kernel::form::{Form, FormFault, FormField, Input, Values};
use kernel::guide::{Changes, Guide};
use kernel::realm::RealmId;

impl Guide for Toy {
    fn has_board() -> bool {
        true
    }

    fn board(_tables: &Tables, view: &View, draft: &str) -> Option<Board> {
        Some(board::board(view, draft))
    }

    fn offers(tables: &Tables, view: &View, draft: &str, piece: Option<&str>) -> Vec<Offer> {
        board::offers(tables, view, draft, piece)
    }

    fn frames(_tables: &Tables, before: &View, after: &View) -> Vec<Frame> {
        board::frames(before, after)
    }

    fn edit_forms() -> Vec<Form> {
        vec![Form {
            name: Name::Borrowed("put"),
            title: Name::Borrowed("put"),
            fields: vec![
                FormField::new("place", "place", Input::Place),
                FormField::new("realm", "realm", Input::Realm),
            ],
            ..Form::default()
        }]
    }

    fn write_edit(form: &str, values: &Values) -> Result<String, Vec<FormFault>> {
        let value = |name: &str| values.get(name).filter(|value| value.parse::<i64>().is_ok());
        match (form, value("place"), value("realm")) {
            ("put", Some(place), Some(realm)) => Ok(format!("put {place} {realm}")),
            _ => Err(vec![FormFault {
                field: Name::Borrowed(""),
                finding: Diagnostic::error("T01", Span::default(), &[GRANT]),
            }]),
        }
    }

    fn change_world(_tables: &Tables, state: &mut State, earlier: &[Ruling], text: &str) -> Changes<Ruling> {
        earlier.iter().for_each(|ruling| put(state, ruling));
        let (mut made, mut faults) = (Vec::new(), Vec::new());
        for (number, line) in (1..).zip(text.lines()) {
            let span = Span {
                line: number,
                column: 1,
                length: 0,
            };
            match read(line).filter(|ruling| possible(state, ruling)) {
                Some(ruling) => {
                    let places = |state: &State| state.hosts.values().map(|host| host.at).collect::<Vec<i64>>();
                    let before = places(state);
                    put(state, &ruling);
                    if before != places(state) {
                        made.push(ruling);
                    }
                }
                None => faults.push(Diagnostic::error("T02", span, &[GRANT])),
            }
        }
        Changes {
            made: made.len(),
            ruling: (!made.is_empty()).then_some(Ruling::Several(made)),
            faults,
        }
    }

    fn write_world(_tables: &Tables, state: &State) -> String {
        let hosts = state.hosts.iter();
        hosts
            .map(|(realm, host)| format!("put {} {}\n", host.at, realm.0))
            .collect()
    }
}

fn read(line: &str) -> Option<Ruling> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words.as_slice() {
        ["put", place, realm] => Some(Ruling::Put(RealmId(realm.parse().ok()?), place.parse().ok()?)),
        _ => None,
    }
}

fn possible(state: &State, ruling: &Ruling) -> bool {
    matches!(ruling, Ruling::Put(realm, at) if state.hosts.contains_key(realm) && (0..FIELDS).contains(at))
}

/// What a judgement changes by hand, as the lines that make it.
pub(super) fn words(ruling: &Ruling) -> Option<String> {
    match ruling {
        Ruling::Put(realm, at) => Some(format!("put {at} {}", realm.0)),
        Ruling::Several(rulings) => {
            let lines: Option<Vec<String>> = rulings.iter().map(words).collect();
            Some(lines?.join("\n"))
        }
        Ruling::Gold(_) | Ruling::Grant(..) | Ruling::Face(..) => None,
    }
}

/// Carries out what a judgement changes by hand.
pub(super) fn put(state: &mut State, ruling: &Ruling) {
    match ruling {
        Ruling::Put(realm, at) => {
            if let Some(host) = state.hosts.get_mut(realm) {
                host.at = *at;
            }
        }
        Ruling::Several(rulings) => rulings.iter().for_each(|ruling| put(state, ruling)),
        Ruling::Gold(_) | Ruling::Grant(..) | Ruling::Face(..) => {}
    }
}
