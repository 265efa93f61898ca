//! Random order files: mostly sensible, partly not. What others are meant to notice stands behind [`PUBLIC`].

use super::{Lots, SPY};
use crate::codes::{Command, Kind};
use crate::state::{ArmyId, State};
use kernel::dice::Dice;
use kernel::hex::FieldIndex;
use kernel::realm::RealmId;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The line that parts secret orders from those that other realms are told of: gifts, treaties, letters, cultures.
pub(super) const PUBLIC: &str = "; --- public\n";

/// What kinds of troops a realm arms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Arming {
    /// Any.
    AllKinds,
    /// Those of which it has an army: how well its people fights with others nobody learns.
    KnownKinds,
}

/// The order files of all realms; now and then one is missing. Armies make at most `steps` steps.
pub(super) fn files(state: &State, arming: Arming, steps: i64, dice: &mut Dice) -> BTreeMap<RealmId, Vec<u8>> {
    let mut files = BTreeMap::new();
    for realm in state.playing() {
        let deeds = secret(
            state,
            realm,
            arming,
            steps,
            &mut Lots::new(dice, format!("deeds of {realm}")),
        );
        // Words have lots of their own: what a realm tells others does not change with its secrets.
        let mut lots = Lots::new(dice, format!("words of {realm}"));
        let is_sent = lots.chance(95);
        let words = public(state, realm, &mut lots);
        if is_sent {
            files.insert(realm, (deeds + PUBLIC + &words).into_bytes());
        }
    }
    files
}

/// Orders to armies, for arming and for building.
pub(super) fn secret(state: &State, realm: RealmId, arming: Arming, steps: i64, lots: &mut Lots<'_>) -> String {
    let mut text = "$A\n".to_owned();
    let armies: Vec<ArmyId> = state
        .armies_of(realm)
        .map(|(id, _)| id)
        .filter(|id| id.name.number < SPY)
        .collect();
    for id in &armies {
        if lots.chance(85) {
            let march = march(state, *id, &armies, steps, lots);
            let _ = writeln!(text, "{march}");
        }
    }
    text.push_str("$R\n");
    let is_known = |kind: &Kind| arming == Arming::AllKinds || armies.iter().any(|id| id.kind() == *kind);
    let kinds: Vec<Kind> = Kind::TROOPS.into_iter().filter(is_known).collect();
    for number in 50..50 + lots.number(0, 3) {
        let Some(kind) = lots.pick(&kinds) else { break };
        let (x, y) = somewhere(state, realm, 2, lots);
        let count = lots.number(500, 2_500);
        let _ = writeln!(text, "{} {number} {count} {x} {y}", kind.code());
    }
    text.push_str("$B\n");
    for _ in 0..lots.number(0, 2) {
        let (x, y) = somewhere(state, realm, 2, lots);
        let order = lots
            .pick(&["BRG", "FES", "STD", "TPL", "MIN", "S", "B", "W"])
            .unwrap_or("BRG");
        let tail = if order.len() == 1 {
            digits(1, 3, lots)
        } else {
            "Wacht".to_owned()
        };
        let _ = writeln!(text, "{order} {x} {y} {tail}");
    }
    text
}

fn march(state: &State, id: ArmyId, armies: &[ArmyId], steps: i64, lots: &mut Lots<'_>) -> String {
    let kind = id.kind();
    let command = match kind.is_foot() || kind.is_demon() || kind.is_engine() {
        true => lots.pick(Command::ALL).unwrap_or(Command::Defend),
        false => Command::Defend,
    };
    let flag = lots.pick(&["+", "-", ""]).unwrap_or("+");
    let special = if lots.chance(40) {
        special(state, id, armies, lots)
    } else {
        String::new()
    };
    let special = if command == Command::Destroy {
        lots.pick(&["HST", "FES", "S 3", "W 1"]).unwrap_or("HST").to_owned()
    } else {
        special
    };
    format!(
        "{} {} {}{flag} {special}",
        id.name,
        digits(0, steps, lots),
        command.code()
    )
    .trim_end()
    .to_owned()
}

fn special(state: &State, id: ArmyId, armies: &[ArmyId], lots: &mut Lots<'_>) -> String {
    let (x, y) = somewhere(state, id.realm, 4, lots);
    let other = lots.pick(armies).unwrap_or(id);
    match id.kind() {
        Kind::Summoner if lots.chance(70) => format!("D.N {} {}", lots.number(1, 5), lots.number(1, 30)),
        Kind::Accelerator => other.name.to_string(),
        kind if kind.is_wizard() || kind.is_priest() || kind.is_trader() || kind.is_engine() => format!("{x} {y}"),
        kind => match lots.number(1, 5) {
            1 => format!("{} {} {}", kind.code(), lots.number(60, 90), lots.number(50, 1_000)),
            2 => other.name.to_string(),
            3 => "V.L 1".to_owned(),
            4 => format!("{}", lots.number(20, 23)),
            _ => format!("{x} {y}"),
        },
    }
}

/// Gifts, treaties, letters and settings: what other realms are told of.
fn public(state: &State, realm: RealmId, lots: &mut Lots<'_>) -> String {
    let others: Vec<RealmId> = state.playing().filter(|other| *other != realm).collect();
    let mut text = String::new();
    for other in others {
        if lots.chance(30) {
            let _ = writeln!(text, "$G\n{other} {}", lots.number(1, 5_000));
        }
        if lots.chance(10) {
            let (x, y) = somewhere(state, realm, 1, lots);
            let _ = writeln!(text, "$L\n{other} {x} {y}");
        }
        if lots.chance(40) {
            let _ = writeln!(text, "$V\n{other} {}", lots.pick(&["K", "A", "P"]).unwrap_or("K"));
        }
        if lots.chance(40) {
            let _ = writeln!(text, "$N\n#{other}\nGrüße von {realm}!\n#E");
        }
    }
    if lots.chance(30) {
        let head = lots.pick(&["#A", "#G", "#M"]).unwrap_or("#A");
        let _ = writeln!(text, "$N\n{head}\nMan munkelt {}.\n#E", lots.number(1, 9));
    }
    if lots.chance(20) {
        let _ = writeln!(text, "$K\nUnser Volk baut {} Türme.", lots.number(1, 9));
    }
    if lots.chance(20) {
        let _ = writeln!(text, "$S\nReichsname Reich {}", lots.number(1, 9));
    }
    if lots.chance(20) {
        text.push_str("$X\nUnsinn\n");
    }
    text
}

/// Some field near the capital, as the realm writes it.
fn somewhere(state: &State, realm: RealmId, radius: u32, lots: &mut Lots<'_>) -> (i32, i32) {
    let fields: Vec<FieldIndex> = state.grid.range(state.origin_of(realm), radius);
    let field = lots.pick(&fields).unwrap_or(state.origin_of(realm));
    let place = state.place(realm, field);
    (place.x, place.y)
}

fn digits(lowest: i64, most: i64, lots: &mut Lots<'_>) -> String {
    (0..lots.number(1, most.max(1)))
        .map(|_| lots.number(lowest, 6).to_string())
        .collect()
}
