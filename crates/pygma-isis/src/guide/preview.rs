//! What would happen if nobody else moved, from the player's own knowledge only.

use crate::PygmaIsis;
use crate::codes::Terrain;
use crate::event::Perceived;
use crate::event::travel;
use crate::imagine;
use crate::parse::{self, Seat};
use crate::tables::Tables;
use crate::view::View;
use kernel::dice::Dice;
use kernel::game;
use kernel::realm::Viewer;
use kernel::turn::Input;

/// The view after an imagined month. The rules themselves run it, on the world as the player knows it.
pub(super) fn preview(tables: &Tables, view: &View, file: &[u8]) -> Option<View> {
    let realm = view.realm()?;
    let seat = Seat::of_view(view)?;
    let state = imagine::world(tables, view)?;
    let mut input = Input::<PygmaIsis>::default();
    input.orders.insert(realm, parse::parse(tables, &seat, file));
    let outcome = game::run::<PygmaIsis>(tables, state, &input, Dice::Typical(imagine::TYPICAL_PERCENT));
    let events = game::audiences::<PygmaIsis>(&outcome)
        .remove(&realm)
        .unwrap_or_default();
    let mut after = game::view::<PygmaIsis>(tables, &outcome, Viewer::Realm(realm), events.into_iter());
    after.fields.retain(|field| field.terrain != Terrain::Unexplored);
    // What lies in the unknown cannot be foreseen.
    after.told.retain(|told| {
        !matches!(
            told.notice.what,
            Perceived::Travel(travel::Perceived::Discovered { .. })
        )
    });
    after.realms.clone_from(&view.realms);
    after.chart = view.chart;
    Some(after)
}
