//! Facts that hold in every battle between two steps.

use crate::room;
use crate::state::{Place, Position, State};
use crate::tables::Tables;
use std::collections::BTreeSet;

/// Whether they hold; the first broken one is named.
///
/// # Errors
/// The broken one.
pub fn hold(tables: &Tables, state: &State) -> Result<(), String> {
    let position = &state.position;
    players(position)?;
    figures(position)?;
    // Errors of deployment are dealt with when the first round begins (ARM-0.4.51).
    if position.clock.step > 0
        && let Some(room) = room::crowded(tables, position).first()
    {
        return Err(format!("{room:?} holds more than it offers"));
    }
    Ok(())
}

fn players(position: &Position) -> Result<(), String> {
    let known: BTreeSet<_> = position.players.keys().collect();
    let order: BTreeSet<_> = position.order.iter().collect();
    if known != order || order.len() != position.order.len() {
        return Err("the order of turns does not name every player once".to_owned());
    }
    if usize::from(position.clock.turn) >= position.order.len().max(1) {
        return Err("it is nobody's turn".to_owned());
    }
    Ok(())
}

fn figures(position: &Position) -> Result<(), String> {
    let mut names = BTreeSet::new();
    for (figure, index) in position.figures.iter().zip(0u16..) {
        if !names.insert((figure.kind, figure.number)) {
            return Err(format!("{figure} is there twice"));
        }
        if figure.is_present() && position.cell_of(crate::state::FigureId(index)).is_none() {
            return Err(format!("{figure} is nowhere"));
        }
        if let Place::On(carrier, _) = figure.place
            && !position.figure(carrier).is_some_and(|carrier| carrier.is_present())
        {
            return Err(format!("{figure} is carried by something that is gone"));
        }
        if figure.possessor != figure.owner && !figure.kind.family().is_device() {
            return Err(format!("{figure} is possessed by another than its owner"));
        }
        let known = |player| !kernel::realm::RealmId::is_played(player) || position.players.contains_key(&player);
        if !known(figure.owner) || !known(figure.possessor) {
            return Err(format!("{figure} belongs to a player who does not exist"));
        }
    }
    Ok(())
}
