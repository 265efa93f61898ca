//! Facts that hold in every battle between two steps.

use crate::room::{self, Room};
use crate::state::{FigureId, Place, Position, State};
use crate::tables::Tables;
use kernel::realm::RealmId;
use std::collections::BTreeSet;
use std::fmt;

/// A fact that does not hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Broken {
    /// The order of turns does not name every player once.
    Order,
    /// It is nobody's turn.
    Turn,
    /// Two figures of a kind have one number.
    Twice(FigureId),
    /// A figure is nowhere.
    Nowhere(FigureId),
    /// A figure is carried by something that is gone.
    Carried(FigureId),
    /// A figure that cannot be lent is possessed by another than its owner (ARM-0.4.10).
    Possessed(FigureId),
    /// A figure belongs to a player who does not exist.
    Stranger(FigureId),
    /// A place holds more than it offers.
    Crowded(Room),
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Order => f.write_str("the order of turns does not name every player once"),
            Self::Turn => f.write_str("it is nobody's turn"),
            Self::Twice(FigureId(id)) => write!(f, "figure {id} is there twice"),
            Self::Nowhere(FigureId(id)) => write!(f, "figure {id} is nowhere"),
            Self::Carried(FigureId(id)) => write!(f, "figure {id} is carried by something that is gone"),
            Self::Possessed(FigureId(id)) => write!(f, "figure {id} is possessed by another than its owner"),
            Self::Stranger(FigureId(id)) => write!(f, "figure {id} belongs to a player who does not exist"),
            Self::Crowded(room) => write!(f, "{room:?} holds more than it offers"),
        }
    }
}

/// Whether they hold.
///
/// # Errors
/// The first broken one.
pub fn hold(tables: &Tables, state: &State) -> Result<(), Broken> {
    let position = &state.position;
    players(position)?;
    figures(position)?;
    // Errors of deployment are dealt with when the first round begins (ARM-0.4.51).
    if position.clock.step > 0
        && let Some(room) = room::crowded(tables, position).first()
    {
        return Err(Broken::Crowded(*room));
    }
    Ok(())
}

fn players(position: &Position) -> Result<(), Broken> {
    let known: BTreeSet<_> = position.players.keys().collect();
    let order: BTreeSet<_> = position.order.iter().collect();
    if known != order || order.len() != position.order.len() {
        return Err(Broken::Order);
    }
    if usize::from(position.clock.turn) >= position.order.len().max(1) {
        return Err(Broken::Turn);
    }
    Ok(())
}

fn figures(position: &Position) -> Result<(), Broken> {
    let mut names = BTreeSet::new();
    for (figure, id) in position.figures.iter().zip((0u16..).map(FigureId)) {
        if !names.insert((figure.kind, figure.number)) {
            return Err(Broken::Twice(id));
        }
        if figure.is_present() && position.cell_of(id).is_none() {
            return Err(Broken::Nowhere(id));
        }
        if let Place::On(carrier, _) = figure.place
            && !position.figure(carrier).is_some_and(|carrier| carrier.is_present())
        {
            return Err(Broken::Carried(id));
        }
        if figure.possessor != figure.owner && !figure.kind.family().is_device() {
            return Err(Broken::Possessed(id));
        }
        let known = |player| !RealmId::is_played(player) || position.players.contains_key(&player);
        if !known(figure.owner) || !known(figure.possessor) {
            return Err(Broken::Stranger(id));
        }
    }
    Ok(())
}
