//! Numbers for charts, and what the armies of a new battle are worth.

use crate::army::Army;
use crate::map;
use crate::state::State;
use crate::tables::Tables;
use crate::view::View;
use kernel::diagnostic::Name;
use kernel::guide::{Figure, Start};
use kernel::realm::RealmId;

/// Of every player, since the board is open: points, warriors, other figures, points of trade centres; the viewer's own spell units.
pub(super) fn figures(tables: &Tables, view: &View) -> Vec<Figure> {
    let position = &view.position;
    let mut list = Vec::new();
    let mut add = |realm: RealmId, group: &'static str, key: &'static str, value: i64| {
        list.push(Figure {
            realm,
            group: Name::Borrowed(group),
            key: Name::Borrowed(key),
            value,
        });
    };
    for player in position.players.keys() {
        // The viewer's own realm, or every realm for the game master.
        if view.player().is_some_and(|viewer| viewer != *player) {
            continue;
        }
        let army = Army::of(position, *player);
        let count = |fits: fn(crate::kinds::Kind) -> bool| -> i64 {
            let fitting = army.0.iter().filter(|(kind, _)| fits(**kind));
            fitting.map(|(_, count)| i64::from(*count)).sum()
        };
        add(*player, "chart-points", "figure-points", army.price(tables));
        let centres = position.centres.values().filter(|centre| centre.possessor == *player);
        let worth: i64 = centres
            .filter_map(|centre| tables.victory.centre_value.get(&centre.kind))
            .sum();
        add(*player, "chart-points", "figure-centres", worth);
        add(
            *player,
            "chart-figures",
            "figure-warriors",
            count(|kind| kind.is_warrior()),
        );
        add(
            *player,
            "chart-figures",
            "figure-animals",
            count(|kind| kind.family().is_animal()),
        );
        add(
            *player,
            "chart-figures",
            "figure-devices",
            count(|kind| kind.family().is_device()),
        );
        if let (true, Some(secret)) = (view.player() == Some(*player), &view.secret) {
            add(*player, "chart-magic", "figure-units", secret.spell_units);
        }
    }
    list
}

/// Where the armies begin, by the first figure of each, and what they cost.
pub(super) fn starts(tables: &Tables, state: &State) -> Vec<Start> {
    let position = &state.position;
    let start = |player: &RealmId| {
        let mut own = position.present().filter(|(_, figure)| figure.owner == *player);
        let cell = own.find_map(|(id, _)| position.cell_of(id))?;
        Some(Start {
            realm: *player,
            place: position.board.name(cell),
            at: map::spot(position, cell)?,
            worth: Army::of(position, *player).price(tables),
        })
    };
    position.players.keys().filter_map(start).collect()
}
