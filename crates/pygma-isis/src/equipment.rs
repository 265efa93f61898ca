//! Equipment (PYG-ATTR-02, -03, -08, PYG-GAP-51).

use crate::codes::Equipment;
use crate::event::war::War;
use crate::intake;
use crate::month::{self, Month, MonthTurn};
use crate::order::Order;
use crate::rule;
use crate::tables::Tables;
use crate::tables::policy::EquipmentBought;
use crate::treasury::{self, Price};
use kernel::diagnostic::Diagnostic;
use kernel::turn::Cause;

/// `AUSRUESTUNG`: in the own realm unless the world says otherwise, in any month, once per man; better equipment costs the difference.
///
/// PYG-ATTR-02, -03: 1 and 2 GS per man; PYG-ATTR-08, PYG-GAP-51.
pub fn buy(turn: &mut MonthTurn<'_>, month: &mut Month) {
    for (realm, order) in month::orders(turn) {
        let Order::Equip { unit, equipment } = &order.value else {
            continue;
        };
        let id = unit.value.of(realm);
        let army = turn.state.armies.get(&id).filter(|_| id.kind().is_land_army());
        let Some(army) = army else {
            let finding = intake::wrong_unit(&turn.state, unit.span, id, &[rule::GAP_51, rule::GAP_67]);
            turn.refuse(realm, finding);
            continue;
        };
        let (field, count, old) = (army.field, army.count, army.equipment);
        let here = turn.state.field(field);
        let is_sold = match turn.tables.attrition.equipment_bought {
            EquipmentBought::OwnRealm => here.owner == realm,
            EquipmentBought::OwnTown => here.owner == realm && here.town(turn.tables).is_some(),
            EquipmentBought::Anywhere => true,
        };
        if army.aboard.is_some() || !is_sold {
            let finding = Diagnostic::error("E_PLACE", unit.span, &[rule::GAP_51]).with_word("fit", "fit-sold");
            turn.refuse(realm, finding.with("field", turn.state.place(field).to_string()));
            continue;
        }
        if old.is_some_and(|old| old >= *equipment) {
            let finding = Diagnostic::error("E_EQUIPPED", unit.span, &[rule::ATTR_08, rule::GAP_51]);
            turn.refuse(realm, finding.with("unit", unit.value.to_string()));
            continue;
        }
        let cost = price(turn.tables, count, old, *equipment);
        let level = match equipment {
            Equipment::First => rule::ATTR_02,
            Equipment::Second => rule::ATTR_03,
        };
        if !treasury::spend(turn, month, realm, order.span, Price::new(cost, &[level])) {
            continue;
        }
        if let Some(army) = turn.state.armies.get_mut(&id) {
            army.equipment = Some(*equipment);
        }
        let what = War::EquipmentBought {
            army: id,
            equipment: *equipment,
            cost,
        };
        let rules = vec![level, rule::ATTR_08, rule::GAP_51];
        month.emit(turn, Cause::Order(realm, order.span), rules, &[], what);
    }
}

/// GS for equipping an army: per man, less what its old equipment cost.
fn price(tables: &Tables, count: i64, old: Option<Equipment>, new: Equipment) -> i64 {
    let cost = &tables.attrition.equipment_cost;
    let paid = old.map_or(0, |old| cost[old]);
    count.saturating_mul(cost[new].saturating_sub(paid).max(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equipment_costs_one_or_two_pieces_per_man_and_an_upgrade_the_difference() {
        let tables = Tables::book();
        assert_eq!(price(&tables, 2000, None, Equipment::First), 2000);
        assert_eq!(price(&tables, 2000, None, Equipment::Second), 4000);
        assert_eq!(price(&tables, 2000, Some(Equipment::First), Equipment::Second), 2000);
    }
}
