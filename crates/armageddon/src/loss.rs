//! Who falls when a life is taken: the people on a king's field die before him, everybody else for himself.

use crate::battle::Battle;
use crate::board::Spot;
use crate::event::FightHappening;
use crate::kinds::{Fate, Kind, Spell};
use crate::overcrowding::{self, Crowding};
use crate::room::{self, Room};
use crate::state::{FigureId, Place};
use crate::survival;
use kernel::realm::RealmId;
use kernel::rule::RuleId;

/// Takes the life of a figure that lost a duel, was hit or failed to survive; returns who fell.
pub fn strike(battle: &mut Battle<'_>, id: FigureId, fate: Fate, rules: &[RuleId]) -> FigureId {
    let fallen = match guard(battle, id) {
        Some(guard) => {
            let happening = FightHappening::DiedFor {
                figure: guard,
                king: id,
            };
            battle.emit(rules.to_vec(), &[], happening);
            guard
        }
        None => id,
    };
    survival::fall(battle, fallen, fate, rules.to_vec(), &[]);
    fallen
}

/// Who dies in a king's stead: his own warriors on his field, the weakest first, then his other people.
fn guard(battle: &Battle<'_>, king: FigureId) -> Option<FigureId> {
    let position = &battle.position;
    let owner = position
        .figure(king)
        .filter(|figure| figure.kind == Kind::King)
        .map(|figure| figure.owner)?;
    let cell = position.cell_of(king)?;
    position
        .present()
        .filter(|(id, figure)| {
            *id != king
                && figure.owner == owner
                && figure.kind.is_person()
                && figure.kind != Kind::King
                && !figure.under(Spell::Petrify)
                && position.cell_of(*id) == Some(cell)
        })
        .min_by_key(|(id, figure)| {
            let row = battle.tables.figure(figure.kind);
            (!figure.kind.is_warrior(), row.melee, *id)
        })
        .map(|(id, _)| id)
}

/// Ends an overcrowding at a spot, if there is one.
pub fn uncrowd(battle: &mut Battle<'_>, spot: Spot, cause: Crowding, begins: RealmId) {
    let room = Room::Spot(spot);
    if room::free(battle.tables, &battle.position, room) < 0 {
        overcrowding::resolve(battle, room, cause, begins);
    }
}

/// Puts somebody on the ground of a field.
pub fn set_down(battle: &mut Battle<'_>, id: FigureId, spot: Spot) {
    if let Some(figure) = battle.position.figure_mut(id) {
        figure.place = Place::At(spot);
    }
}
