//! Sea lanes (PYG-GAP-23).

use crate::codes::SettlementKind;
use crate::event::travel::Travel;
use crate::month::{self, Month, MonthTurn};
use crate::order::Order;
use crate::rule;
use crate::state::{Glimpse, Lane};
use crate::treasury::{self, Price};
use kernel::diagnostic::{Diagnostic, Spanned};
use kernel::hex::FieldIndex;
use kernel::realm::RealmId;
use kernel::turn::Cause;
use std::collections::BTreeSet;

/// Sea lanes that a realm may have: they stay in the world, and every step of a fleet looks through them.
pub const LANES_MAX: usize = 100;

/// `SEEWEG`: a named chain of known water fields without reefs between two harbours, free of charge unless the world says otherwise,
/// used from next month on.
///
/// PYG-GAP-23, PYG-GAP-08.
pub fn register(turn: &mut MonthTurn<'_>, month: &mut Month) {
    for (realm, order) in month::orders(turn) {
        let Order::Lane { name, path } = &order.value else {
            continue;
        };
        let fields = match chart(turn, realm, path) {
            Ok(fields) => fields,
            Err(finding) => {
                turn.refuse(realm, *finding);
                continue;
            }
        };
        let own = turn.state.realms.get(&realm);
        let others = own.map_or(0, |own| own.lanes.keys().filter(|other| **other != name.value).count());
        if others >= LANES_MAX {
            let finding = Diagnostic::error("E_LIMIT", name.span, &[rule::GAP_23]);
            let would_be = i64::try_from(others).unwrap_or(i64::MAX).saturating_add(1);
            turn.refuse(realm, finding.with("n", would_be).with("max", LANES_MAX as i64));
            continue;
        }
        let price = Price::new(turn.tables.movement.lane_cost, &[rule::GAP_23]);
        if !treasury::spend(turn, month, realm, order.span, price) {
            continue;
        }
        let lane = Lane {
            fields: fields.clone(),
            since: month.step,
        };
        if let Some(own) = turn.state.realms.get_mut(&realm) {
            own.lanes.insert(name.value.clone(), lane);
        }
        let what = Travel::LaneRegistered {
            realm,
            name: name.value.clone(),
            fields,
        };
        let rules = &[rule::GAP_23, rule::GAP_08][..];
        month.emit(turn, Cause::Order(realm, order.span), rules, &[], what);
    }
}

/// The fields of a lane, or why it cannot be one; from the realm's own knowledge.
fn chart(
    turn: &MonthTurn<'_>,
    realm: RealmId,
    path: &[Spanned<crate::chart::Place>],
) -> Result<Vec<FieldIndex>, Box<Diagnostic>> {
    let mut fields: Vec<FieldIndex> = Vec::new();
    let mut passed: BTreeSet<FieldIndex> = BTreeSet::new();
    for place in path {
        let error = |code: &'static str| Diagnostic::error(code, place.span, &[rule::GAP_23]);
        let known = turn
            .state
            .field_at(place.value)
            .and_then(|field| Some((field, known(turn, realm, field)?)));
        let Some((field, glimpse)) = known else {
            return Err(Box::new(error("E_UNKNOWN").with("name", place.value.to_string())));
        };
        if let Some(from) = fields.last()
            && turn.state.chart.distance(*from, field) != 1
        {
            let finding = error("E_ADJ").with("from", turn.state.place(*from).to_string());
            return Err(Box::new(finding.with("to", place.value.to_string())));
        }
        let ground = &turn.tables.terrain[glimpse.terrain];
        if !ground.water {
            return Err(Box::new(error("E_LAND").with("field", place.value.to_string())));
        }
        // A chain passes every field once.
        let is_wild = ground.reef && !turn.tables.movement.lane_over_reefs;
        if is_wild || !passed.insert(field) {
            let finding = error("E_PLACE").with_word("fit", "fit-lane");
            return Err(Box::new(finding.with("field", place.value.to_string())));
        }
        fields.push(field);
    }
    for (place, field) in [path.first().zip(fields.first()), path.last().zip(fields.last())]
        .into_iter()
        .flatten()
    {
        if turn.tables.movement.lane_ends_are_harbours && !is_harbour_water(turn, realm, *field) {
            let finding = Diagnostic::error("E_PLACE", place.span, &[rule::GAP_23]).with_word("fit", "fit-lane-end");
            return Err(Box::new(finding.with("field", place.value.to_string())));
        }
    }
    Ok(fields)
}

fn known<'a>(turn: &'a MonthTurn<'_>, realm: RealmId, field: FieldIndex) -> Option<&'a Glimpse> {
    let own = turn.state.realms.get(&realm)?;
    own.knowledge.get(&field).map(|known| &known.glimpse)
}

/// Water beside a harbour town of the realm, or of one that it knows by name and as it saw that town last.
fn is_harbour_water(turn: &MonthTurn<'_>, realm: RealmId, field: FieldIndex) -> bool {
    turn.state.chart.neighbours(field).any(|(_, town)| {
        let Some(glimpse) = known(turn, realm, town) else {
            return false;
        };
        if turn.state.field(town).owner == realm {
            // What was built this month is not in the map yet.
            return turn.state.is_harbour(turn.tables, town);
        }
        let is_harbour = match glimpse.settlement {
            Some(SettlementKind::HarbourTown) => true,
            Some(SettlementKind::Capital) => turn.tables.settling.coastal_capital_is_harbour,
            _ => false,
        };
        is_harbour && turn.state.knows(realm, glimpse.owner)
    })
}
