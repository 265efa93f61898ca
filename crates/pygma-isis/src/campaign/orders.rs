//! Random order files: mostly sensible, partly not. What others are meant to notice stands behind [`PUBLIC`].

use super::{Lots, SPY};
use crate::codes::{Good, Kind, Stance};
use crate::stage::CAST;
use crate::state::{ArmyId, State};
use kernel::dice::Dice;
use kernel::hex::FieldIndex;
use kernel::realm::RealmId;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The line that parts secret orders from words to other realms.
pub(super) const PUBLIC: &str = "# --- public\n";
/// Steps that an army is sent at the most.
pub(super) const STEPS_MAX: u32 = 4;

/// The order files of all realms; now and then one is missing.
pub(super) fn files(state: &State, dice: &mut Dice) -> BTreeMap<RealmId, Vec<u8>> {
    let mut files = BTreeMap::new();
    for realm in state.playing() {
        let deeds = secret(state, realm, &mut Lots::new(dice, format!("deeds of {realm}")));
        // Words have lots of their own: what a realm tells others does not change with its secrets.
        let mut lots = Lots::new(dice, format!("words of {realm}"));
        let is_sent = lots.chance(95);
        let words = public(&mut lots);
        if is_sent {
            files.insert(realm, (deeds + PUBLIC + &words).into_bytes());
        }
    }
    files
}

/// Moves, splits, money, building: whatever the realm keeps to itself.
pub(super) fn secret(state: &State, realm: RealmId, lots: &mut Lots<'_>) -> String {
    let mut text = String::new();
    let armies: Vec<ArmyId> = state
        .armies_of(realm)
        .map(|(id, _)| id)
        .filter(|id| id.name.number < SPY)
        .collect();
    for id in &armies {
        if lots.chance(85) {
            let march = march(state, *id, &armies, lots);
            let _ = writeln!(text, "{march}");
        }
    }
    for _ in 0..lots.number(0, 6) {
        let order = other(state, realm, &armies, lots);
        let _ = writeln!(text, "{order}");
    }
    text
}

fn march(state: &State, id: ArmyId, armies: &[ArmyId], lots: &mut Lots<'_>) -> String {
    let Some(army) = state.armies.get(&id) else {
        return String::new();
    };
    let mut field = army.field;
    let mut path = state.place(field).to_string();
    for _ in 0..lots.number(0, STEPS_MAX.into()) {
        let around: Vec<FieldIndex> = state.chart.neighbours(field).map(|(_, field)| field).collect();
        let Some(next) = lots.pick(&around) else { break };
        field = next;
        let _ = write!(path, " > {}", state.place(field));
    }
    let mut items: Vec<String> = Vec::new();
    if id.kind() != Kind::Trader && lots.chance(80) {
        let stance = lots.pick(Stance::ALL).unwrap_or(Stance::Nothing);
        items.push(stance.code().to_owned());
    }
    if lots.chance(15) {
        let fleet = armies.iter().find(|id| id.kind() == Kind::Fleet);
        let item = match lots.number(1, 3) {
            1 => fleet.map(|fleet| format!("EIN {}", fleet.name)),
            2 => Some("AUS".to_owned()),
            _ => Some("NEUTRAL".to_owned()),
        };
        items.extend(item);
    }
    format!("ZUG {}: {path}; {}", id.name, items.join(", "))
        .trim_end_matches([' ', ';'])
        .to_owned()
}

fn other(state: &State, realm: RealmId, armies: &[ArmyId], lots: &mut Lots<'_>) -> String {
    let Some(own) = state.realms.get(&realm) else {
        return String::new();
    };
    let around = state.chart.range(own.home, 3);
    let place = |lots: &mut Lots<'_>| {
        let field = lots.pick(&around).unwrap_or(own.home);
        (state.place(field), field)
    };
    let home = state.place(own.home);
    let army = lots.pick(armies).map_or("KH 1".to_owned(), |id| id.name.to_string());
    let good = lots.pick(Good::ALL).unwrap_or(Good::Grain).code();
    let (there, field) = place(lots);
    let beside: Vec<FieldIndex> = state.chart.neighbours(field).map(|(_, field)| field).collect();
    let next = lots.pick(&beside).map_or(home, |field| state.place(field));
    match lots.number(1, 20) {
        1 => format!("TEILE {army} > KH {} {}", lots.number(20, 40), lots.number(500, 3000)),
        2 => format!("VEREINE {army} > KH {}", lots.number(1, 3)),
        3 => format!("UMFORMEN FH 1 > KH {} NACH {there}", lots.number(41, 60)),
        4 => format!("AUSRUESTUNG KH {} II", lots.number(1, 3)),
        5 => format!("STRASSE {home} > {next}"),
        6 => format!("SEEWEG Weg: {there} > {next}"),
        7 => format!("PRODUKTION {there} {good} {good} {good}"),
        8 => format!("AUFGEBEN {there}"),
        9 => format!("LADE H 1 {good} {}", lots.number(1, 30)),
        10 => format!("RUESTE KH {} {} IN {home}", lots.number(61, 80), lots.number(900, 5000)),
        11 => format!("RUESTE FH {} {} IN {home}", lots.number(61, 80), lots.number(9, 40)),
        12 => format!("SIEDLUNG {there}"),
        13 => format!("BEFESTIGE {home}"),
        14 => format!("BAU WACHPOSTEN {there}"),
        15 => format!("HYGIENE {}", lots.number(0, 20_000)),
        16 => format!("STATIONIERE {army}"),
        17 => format!("WACHSTUM {home} {}", lots.number(1, 3)),
        18 => format!("BRUECKE {there} - {next}"),
        19 => format!("AUFLOESEN {army}"),
        _ => format!("FOERDERE Ebene {good} 1"),
    }
}

/// Letters and nonsense.
fn public(lots: &mut Lots<'_>) -> String {
    let mut text = String::new();
    for name in CAST {
        if lots.chance(30) {
            let _ = writeln!(text, "NACHRICHT {name} \"Gruß {}\"", lots.number(1, 9));
        }
    }
    if lots.chance(20) {
        text.push_str("Unsinn\n");
    }
    text
}
