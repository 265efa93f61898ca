//! Losses by difficult terrain (PYG-ATTR-01..08, PYG-GAP-51, PYG-GAP-64).

use crate::battle::lose_share;
use crate::codes::Equipment;
use crate::event::war::War;
use crate::month::{Month, MonthTurn};
use crate::rule;
use crate::state::ArmyId;
use crate::tables::Tables;
use crate::tables::policy::EquipmentEnds;
use kernel::dice::Owner;
use kernel::hex::FieldIndex;
use kernel::rule::RuleId;

const STEP: &str = "attrition";

/// How an army came onto its field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entry {
    /// With a step of its move.
    Step,
    /// Back from a battle, or giving way (PYG-GAP-38, PYG-GAP-46).
    Retreat,
}

/// Armies that entered difficult terrain in this tick lose men; equipment that has been in difficult terrain is used up elsewhere.
///
/// PYG-ATTR-05: once for every field entered; PYG-ATTR-06: standing costs nothing.
pub fn suffer(turn: &mut MonthTurn<'_>, month: &mut Month) {
    let land = turn.state.armies.iter().filter(|(id, _)| id.kind().is_land_army());
    let armies: Vec<(ArmyId, bool)> = land.map(|(id, army)| (*id, army.aboard.is_some())).collect();
    for (id, aboard) in armies {
        if aboard {
            wear_out(turn, month, id);
            continue;
        }
        let Some(plan) = month.plan(id).filter(|plan| plan.entered_in == month.tick) else {
            continue;
        };
        let Some(from) = plan.came_from else { continue };
        enter(turn, month, id, from, Entry::Step);
    }
}

/// An army has come onto its field from `from`.
///
/// PYG-ATTR-01: a D6 by terrain; PYG-ATTR-02, -03: with equipment; PYG-ATTR-04, PYG-GAP-64: a people at home there loses nothing, and does not
/// need its equipment; PYG-ATTR-07, -08, PYG-GAP-51: that lasts until the army enters other terrain; nothing on roads, aboard and for fleets.
pub fn enter(turn: &mut MonthTurn<'_>, month: &mut Month, id: ArmyId, from: FieldIndex, entry: Entry) {
    let tables = turn.tables;
    let Some(army) = turn.state.armies.get(&id) else {
        return;
    };
    if !id.kind().is_land_army() {
        return;
    }
    let (field, equipment) = (army.field, army.equipment);
    let terrain = turn.state.fields[field.index()].terrain;
    if army.aboard.is_some() || !tables.terrain[terrain].difficult {
        wear_out(turn, month, id);
        return;
    }
    let by_road = turn.state.chart.direction_to(from, field);
    let by_road = by_road.is_some_and(|direction| month.roads(from).has(direction)) && !tables.attrition.on_roads;
    let people = turn.state.realms.get(&id.realm).map(|realm| realm.people);
    let immune = people.and_then(|people| tables.attrition.immune.get(&people));
    if immune.is_some_and(|at_home| at_home.contains(&terrain)) {
        // To them it is terrain without losses, like any other.
        wear_out(turn, month, id);
        if !by_road {
            let rules = &[rule::ATTR_04, rule::GAP_64][..];
            month.emit(turn, month.cause(id, STEP), rules, &[], War::AtHome { army: id, field });
        }
        return;
    }
    if let Some(army) = turn.state.armies.get_mut(&id) {
        army.equipment_used = army.equipment.is_some();
    }
    if by_road {
        return;
    }
    let retreat = match entry {
        Entry::Step => "",
        Entry::Retreat => " retreat",
    };
    let subject = match month.tick {
        crate::event::AFTER => format!("{id} after{retreat}"),
        tick => format!("{id} tick {tick}{retreat}"),
    };
    let die = turn.roll(rule::ATTR_01, Owner::of(id.realm), &subject, 1, 6);
    let pct = percent(tables, equipment, die.value);
    let before = turn.state.armies.get(&id).map_or(0, |army| army.count);
    let left = lose_share(turn, month, id, pct, 100);
    let what = War::Attrition {
        army: id,
        field,
        equipment,
        pct,
        lost: crate::battle::losses::share(before, pct, 100),
        left,
    };
    month.emit(turn, month.cause(id, STEP), rules_of(equipment, left), &[die], what);
    if tables.attrition.equipment_ends == EquipmentEnds::OneField {
        wear_out(turn, month, id);
    }
}

/// Percent that an army loses when the die shows `face`.
pub fn percent(tables: &Tables, equipment: Option<Equipment>, face: i64) -> i64 {
    let list = match equipment {
        None => &tables.attrition.bare_pct,
        Some(equipment) => &tables.attrition.equipped_pct[equipment],
    };
    let index = usize::try_from(face.saturating_sub(1)).unwrap_or(0);
    list.get(index).copied().unwrap_or(0)
}

fn rules_of(equipment: Option<Equipment>, left: i64) -> Vec<RuleId> {
    let mut rules = vec![rule::ATTR_01];
    match equipment {
        None => {}
        Some(Equipment::First) => rules.push(rule::ATTR_02),
        Some(Equipment::Second) => rules.push(rule::ATTR_03),
    }
    rules.extend([rule::ATTR_05, rule::ATTR_06, rule::ATTR_07, rule::GAP_51]);
    if left == 0 {
        rules.extend([rule::ARMY_08, rule::GAP_24]);
    }
    rules
}

/// Equipment that has been in difficult terrain is used up (PYG-ATTR-08, PYG-GAP-51).
fn wear_out(turn: &mut MonthTurn<'_>, month: &Month, id: ArmyId) {
    let Some(army) = turn.state.armies.get_mut(&id) else {
        return;
    };
    if !army.equipment_used || turn.tables.attrition.equipment_ends == EquipmentEnds::Never {
        return;
    }
    let Some(equipment) = army.equipment.take() else { return };
    army.equipment_used = false;
    let rules = &[rule::ATTR_07, rule::ATTR_08, rule::GAP_51][..];
    let what = War::EquipmentUsedUp { army: id, equipment };
    month.emit(turn, month.cause(id, STEP), rules, &[], what);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_by_face_are_those_of_the_book() {
        let tables = Tables::book();
        let row = |equipment| -> Vec<i64> { (1..=6).map(|face| percent(&tables, equipment, face)).collect() };
        assert_eq!(row(None), [10, 15, 20, 25, 35, 50]);
        assert_eq!(row(Some(Equipment::First)), [0, 10, 15, 20, 25, 35]);
        assert_eq!(row(Some(Equipment::Second)), [0, 0, 10, 15, 20, 25]);
    }
}
