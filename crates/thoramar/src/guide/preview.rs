//! What would happen if nobody else moved, from the player's own knowledge only.

use crate::Thoramar;
use crate::codes::Terrain;
use crate::imagine;
use crate::notice::Perceived;
use crate::parse::{self, Seat};
use crate::state::State;
use crate::tables::Tables;
use crate::view::View;
use kernel::dice::Dice;
use kernel::game;
use kernel::realm::{RealmId, Viewer};
use kernel::turn::Input;

/// The view after an imagined season. The rules themselves run it, on the world as the player knows it.
pub(super) fn preview(tables: &Tables, view: &View, file: &[u8]) -> Option<View> {
    let realm = view.realm()?;
    let seat = Seat::of_view(view)?;
    let mut state = imagine::world(tables, view)?;
    remember(&mut state, view);
    let mut input = Input::<Thoramar>::default();
    input.orders.insert(realm, parse::parse(tables, &seat, file));
    let outcome = game::run::<Thoramar>(tables, state, &input, Dice::Typical(imagine::TYPICAL_PERCENT));
    let events = game::audiences::<Thoramar>(&outcome).remove(&realm).unwrap_or_default();
    let mut after = game::view::<Thoramar>(tables, &outcome, Viewer::Realm(realm), events.into_iter());
    after
        .fields
        .retain(|_, field| field.glimpse.terrain != Terrain::Unexplored);
    // What becomes of others cannot be foreseen: most of their land and armies are not in the imagined world.
    after.told.retain(|told| !is_guesswork(&told.notice.what, realm));
    for (id, known) in view.realms.iter().filter(|(id, _)| **id != realm) {
        after.realms.insert(*id, known.clone());
    }
    Some(after)
}

/// News of a realm that seems to have come to its end only because little of it is known.
fn is_guesswork(what: &Perceived, me: RealmId) -> bool {
    match what {
        Perceived::RealmEliminated { realm }
        | Perceived::RealmReleased { realm }
        | Perceived::RealmScored { realm, .. }
        | Perceived::AbsenceWarned { realm, .. }
        | Perceived::OrdersMissing { realm, .. } => *realm != me,
        _ => false,
    }
}

/// Gives the imagined realm the words that its report prints.
fn remember(state: &mut State, view: &View) {
    for (id, imagined) in &mut state.realms {
        let Some(real) = view.realms.get(id) else { continue };
        imagined.culture_text.clone_from(&real.culture_text);
        if let Some(books) = &real.books {
            imagined.player.clone_from(&books.player);
            imagined.account = books.account;
            imagined.missed_turns = books.missed_turns;
        }
    }
}
