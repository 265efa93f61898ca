//! Standing instructions as offers, and which of them hold, as notes beside the board.

use super::board::{term, word};
use super::labels;
use super::pieces::kind_name;
use crate::battle::Scene;
use crate::deed::{Deed, Magic};
use crate::event::player_word;
use crate::kinds::Kind;
use crate::state::{FigureId, Secret};
use crate::{legal, scribe};
use kernel::board::Offer;
use kernel::diagnostic::{Name, Value};
use kernel::realm::RealmId;
use kernel::report::Term;
use std::collections::BTreeSet;

/// Prices from which dispelling is offered; others are written.
const PRICES: [i64; 4] = [1, 5, 10, 20];

/// The offer of an instruction.
fn offer(key: &'static str, args: Vec<(&'static str, Value)>, line: String) -> Offer {
    Offer {
        label: term(key, args),
        group: Name::Borrowed("group-instruction"),
        sort: None,
        place: None,
        target: None,
        line: format!("ANWEISUNG {line}"),
        rolls: false,
        chances: Vec::new(),
    }
}

/// Instructions that change something.
pub(super) fn of_player(scene: Scene<'_>, player: RealmId) -> Vec<Offer> {
    let position = scene.position;
    let (Some(me), Some(secret)) = (position.players.get(&player), scene.secret) else {
        return Vec::new();
    };
    let mut list = Vec::new();
    let mut add = |key: &'static str, args: Vec<(&'static str, Value)>, line: String| list.push(offer(key, args, line));
    let wizards = |own: bool| {
        position.present().any(|(_, figure)| {
            figure.kind == Kind::Wizard
                && (figure.owner == player) == own
                && (own || position.hostile(player, figure.owner))
        })
    };
    if wizards(true) && wizards(false) {
        for from in PRICES {
            if secret.standing.dispel_from != Some(from) {
                let units = ("units", Value::Int(from));
                add("offer-dispel", vec![units], format!("ENTKRAEFTEN AB {from}"));
            }
        }
        if secret.standing.dispel_from.is_some() {
            add("offer-never-dispel", vec![], "ENTKRAEFTEN NIE".to_owned());
        }
    }
    if secret.standing.triple.is_some() {
        add("offer-no-triple", vec![], "PASCH NIE".to_owned());
    }
    for other in position.players.keys().filter(|other| **other != player) {
        let name = scribe::player_name(position, *other);
        let who = || vec![("player", Value::Text(player_word(position, *other)))];
        if me.permits.contains(other) {
            add("offer-forbid", who(), format!("VERBIETE VERSETZEN {name}"));
        } else if position.allied(player, *other) {
            add("offer-permit", who(), format!("ERLAUBE VERSETZEN {name}"));
        }
        if position.allied(player, *other) && me.yields_to != Some(*other) {
            add("offer-yield", who(), format!("VORTRITT {name}"));
        }
    }
    if me.yields_to.is_some() {
        add("offer-yield-nobody", vec![], "VORTRITT KEINER".to_owned());
    }
    if position.players.len() > 2 {
        let sides: BTreeSet<u8> = position.players.values().map(|other| other.side).collect();
        for side in sides {
            if side != me.side_next.unwrap_or(me.side) {
                let value = Value::Int(i64::from(side));
                add("offer-side", vec![("side", value)], format!("SEITE {side}"));
            }
        }
    }
    list.extend(sacrifices(scene, player, secret));
    list
}

/// ARM-GAP-39: of which kind somebody leaves first where own figures are too many; of what one has more kinds than one.
fn sacrifices(scene: Scene<'_>, player: RealmId, secret: &Secret) -> Vec<Offer> {
    let own = scene.position.present().filter(|(_, figure)| figure.owner == player);
    let kinds: BTreeSet<Kind> = own
        .map(|(_, figure)| figure.kind)
        .filter(|kind| *kind != Kind::Wizard)
        .collect();
    let mut list = Vec::new();
    if kinds.len() > 1 {
        for kind in kinds {
            if secret.standing.sacrifice.first() != Some(&kind) {
                let of = vec![("kind", kind_word(kind))];
                list.push(offer("offer-sacrifice", of, format!("OPFER {}", kind.code())));
            }
        }
    }
    if !secret.standing.sacrifice.is_empty() {
        list.push(offer("offer-no-sacrifice", vec![], "OPFER".to_owned()));
    }
    for offer in &mut list {
        offer.sort = Some(term("sort-sacrifice", vec![]));
    }
    list
}

fn kind_word(kind: Kind) -> Value {
    word(Name::Owned(format!("kind-{}", kind_name(kind))))
}

/// ARM-GAP-33: what his wizard could cast now if a triple fell, as instructions of what the ten units go into. Who is transferred where depends
/// on who stands where by then: that is written.
pub(super) fn of_wizard(scene: Scene<'_>, player: RealmId, id: FigureId) -> Vec<Offer> {
    let wizard = scene.position.figure(id);
    if !wizard.is_some_and(|figure| figure.kind == Kind::Wizard && !figure.mortal && figure.owner == player) {
        return Vec::new();
    }
    let mut position = scene.position.clone();
    if let Some(me) = position.players.get_mut(&player) {
        me.bounty = me.bounty.max(1);
    }
    let scene = Scene {
        position: &position,
        ..scene
    };
    let planned = scene.secret.and_then(|secret| secret.standing.triple.clone());
    let mut list = Vec::new();
    for deed in legal::candidates(scene, player) {
        let Deed::Magic(Magic::Cast { wizard, to, .. }) = &deed else {
            continue;
        };
        if *wizard != id || !to.is_empty() || legal::judge(scene, player, &deed).is_err() {
            continue;
        }
        let Some(line) = scribe::line(scene, &deed).filter(|line| planned.as_ref() != Some(line)) else {
            continue;
        };
        let label = labels::label(scene, &deed);
        list.push(Offer {
            label: Term {
                key: Name::Borrowed("offer-triple"),
                ..label.term
            },
            sort: label.sort.map(|sort| Term {
                key: Name::Borrowed("sort-triple"),
                ..sort
            }),
            place: label.place.map(|spot| position.board.spot_name(scene.tables, spot)),
            ..offer(
                "offer-triple",
                vec![],
                format!("PASCH {}", line.trim_start_matches("ZAUBER ")),
            )
        });
    }
    list
}

/// The secret instructions that hold.
pub(super) fn notes(secret: &Secret) -> Vec<Term> {
    let standing = &secret.standing;
    let mut notes = Vec::new();
    if let Some(from) = standing.dispel_from {
        let from = ("units", Value::Int(from));
        notes.push(match standing.dispel_total {
            Some(total) => term("note-dispel-total", vec![from, ("total", Value::Int(total))]),
            None => term("note-dispel", vec![from]),
        });
    }
    if let Some(line) = &standing.triple {
        let spell = line.trim_start_matches("ZAUBER ").to_owned();
        notes.push(term("note-triple", vec![("spell", Value::Text(spell))]));
    }
    if !standing.sacrifice.is_empty() {
        let words = standing
            .sacrifice
            .iter()
            .map(|kind| Name::Owned(format!("kind-{}", kind_name(*kind))));
        let kinds = Value::Words { words: words.collect() };
        notes.push(term("note-sacrifice", vec![("kinds", kinds)]));
    }
    notes
}
