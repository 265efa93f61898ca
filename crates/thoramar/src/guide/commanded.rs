//! Which armies an order file commands.

use crate::order::{Order, Special};
use crate::parse::{self, Seat};
use crate::state::ArmyName;
use crate::tables::Tables;
use crate::view::View;
use kernel::guide::Commanded;

/// THO-ORD-06: the lines of `$A`. A line that merges two armies commands both.
pub(super) fn commanded(tables: &Tables, view: &View, file: &str) -> Option<Vec<Commanded>> {
    let seat = Seat::of_view(view)?;
    let mut list = Vec::new();
    for order in parse::parse(tables, &seat, file.as_bytes()).orders {
        let Order::March(march) = &order.value else { continue };
        let mut command = |army: ArmyName| {
            list.push(Commanded {
                army: army.to_string(),
                line: order.span.line,
            });
        };
        command(march.army.value);
        if let Some(Special::Merge { number }) = march.special.map(|special| special.value) {
            command(ArmyName::new(march.army.value.kind, number));
        }
    }
    Some(list)
}
