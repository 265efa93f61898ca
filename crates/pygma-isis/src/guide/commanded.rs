//! Which armies an order file commands.

use crate::order::Order;
use crate::parse::{self, Seat};
use crate::state::ArmyName;
use crate::tables::Tables;
use crate::view::View;
use kernel::guide::Commanded;

/// Every order that tells an army what to do; merging commands both.
pub(super) fn commanded(tables: &Tables, view: &View, file: &str) -> Option<Vec<Commanded>> {
    let seat = Seat::of_view(view)?;
    let orders = parse::parse(tables, &seat, file.as_bytes()).orders;
    let commands = orders.iter().flat_map(|order| {
        armies_of(&order.value).into_iter().flatten().map(|army| Commanded {
            army: army.to_string(),
            line: order.span.line,
        })
    });
    Some(commands.collect())
}

fn armies_of(order: &Order) -> [Option<ArmyName>; 2] {
    let (first, second) = match order {
        Order::Move(march) => (Some(&march.unit), None),
        Order::Merge { unit, into, .. } => (Some(unit), Some(into)),
        Order::Stance { unit, .. }
        | Order::Split { unit, .. }
        | Order::Convert { fleet: unit, .. }
        | Order::Disband { unit }
        | Order::Equip { unit, .. }
        | Order::Load { trader: unit, .. }
        | Order::Unload { trader: unit, .. }
        | Order::Station { unit } => (Some(unit), None),
        Order::Other { unit, .. } => (unit.as_ref(), None),
        _ => (None, None),
    };
    [first, second].map(|army| army.map(|army| army.value))
}
