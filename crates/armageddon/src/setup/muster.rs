//! A new battle for the seats of a world (ARM-GAP-44): its set-up, the names of its players, and more players than it was drawn up for.

use super::{build, read_lines, ready};
use crate::board::Cell;
use crate::state::{FigureId, PLAYERS_MAX, Place, Player, Position, Secret, State};
use crate::tables::Tables;
use kernel::game::WorldPlan;
use kernel::realm::RealmId;
use kernel::stage::StageError;
use kernel::worldgen::NoWorld;
use std::collections::BTreeMap;

/// The battle that the house rules name, with a player for every seat.
///
/// # Errors
/// What is wrong with the house rules or the seats.
pub fn battle(tables: &Tables, house_rules: &str, plan: &WorldPlan) -> Result<State, NoWorld> {
    let battle = &tables.battle;
    let text = match (battle.setup.as_str(), battle.ready.as_str()) {
        ("", code) => {
            let code = if code.is_empty() { ready::USUAL } else { code };
            let found = ready::find(code).ok_or_else(|| format!("there is no ready battle `{code}`"))?;
            found.setup
        }
        (setup, _) => setup,
    };
    let mut state = build(tables, house_rules, &read_lines(text)).map_err(|errors| unread(text, &errors))?;
    let players: Vec<RealmId> = state.position.players.keys().copied().collect();
    if players.is_empty() {
        return Err("the set-up of the battle names no player".into());
    }
    let (seats, wanted) = (plan.seats.len(), players.len());
    if seats < wanted {
        return Err(NoWorld::TooFewSeats { seats, least: wanted });
    }
    if seats > PLAYERS_MAX {
        return Err(NoWorld::Seats {
            seats,
            most: PLAYERS_MAX,
        });
    }
    join(tables, &mut state, &players, seats)?;
    for ((_, player), seat) in state.position.players.iter_mut().zip(&plan.seats) {
        player.name.clone_from(&seat.realm);
        player.person.clone_from(&seat.player);
    }
    Ok(state)
}

/// The first line of a set-up that cannot be read.
fn unread(text: &str, errors: &[StageError]) -> NoWorld {
    let Some(error) = errors.first() else {
        return "the set-up cannot be read".into();
    };
    let line = usize::try_from(error.line).unwrap_or(usize::MAX);
    NoWorld::Line {
        line,
        text: text.lines().nth(line.saturating_sub(1)).unwrap_or("").trim().to_owned(),
        said: error.message.clone(),
    }
}

/// Seats beyond the players of the battle join their sides in turn; the figures of a player are dealt among himself and those who join him,
/// field by field, so that riders stay with their horses and crews with their devices.
fn join(tables: &Tables, state: &mut State, players: &[RealmId], seats: usize) -> Result<(), String> {
    let position = &mut state.position;
    let mut next = players.iter().map(|player| player.0).max().unwrap_or(0);
    let mut groups: BTreeMap<RealmId, Vec<RealmId>> = players.iter().map(|player| (*player, vec![*player])).collect();
    for (lead, _) in players.iter().cycle().zip(players.len()..seats) {
        next = next.checked_add(1).ok_or("too many players")?;
        let id = RealmId(next);
        let side = position.players.get(lead).map_or(0, |player| player.side);
        let player = Player {
            side,
            ..Player::default()
        };
        position.players.insert(id, player);
        position.order.push(id);
        let secret = Secret {
            spell_units: tables.wizard.spell_units_start,
            ..Secret::default()
        };
        state.secrets.insert(id, secret);
        groups.entry(*lead).or_default().push(id);
    }
    for (lead, group) in groups.into_iter().filter(|(_, group)| group.len() > 1) {
        deal(position, lead, &group);
    }
    Ok(())
}

fn deal(position: &mut Position, lead: RealmId, group: &[RealmId]) {
    let mut fields: BTreeMap<Cell, Vec<FigureId>> = BTreeMap::new();
    for (id, figure) in position.present() {
        let cell = position.cell_of(root(position, id));
        if let Some(cell) = cell.filter(|_| figure.owner == lead) {
            fields.entry(cell).or_default().push(id);
        }
    }
    for (ids, to) in fields.into_values().zip(group.iter().cycle()) {
        for id in ids {
            if let Some(figure) = position.figure_mut(id) {
                figure.owner = *to;
                figure.possessor = *to;
            }
        }
    }
}

/// What carries a figure in the end: a ship with everybody aboard, whichever of its fields they stand on.
fn root(position: &Position, id: FigureId) -> FigureId {
    let mut root = id;
    for _ in 0..8 {
        match position.figure(root).map(|figure| figure.place) {
            Some(Place::On(carrier, _)) => root = carrier,
            _ => break,
        }
    }
    root
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Armageddon;
    use kernel::game::{Game, SeatPlan};

    fn plan(seats: usize) -> WorldPlan {
        let seat = |number: usize| SeatPlan {
            realm: format!("Reich {number}"),
            player: format!("Herr {number}"),
            ..SeatPlan::default()
        };
        WorldPlan {
            seats: (1..=seats).map(seat).collect(),
        }
    }

    #[test]
    fn every_seat_has_figures_in_every_ready_battle() {
        let tables = Tables::book().expect("the book");
        for ready in ready::ALL {
            let rules = format!("[battle]\nready = \"{}\"\n", ready.code);
            let tables = Tables::with_overrides(&rules).unwrap_or_else(|_| tables.clone());
            for seats in 2..=4 {
                let state = battle(&tables, &rules, &plan(seats)).expect(ready.code);
                assert_eq!(
                    Armageddon::invariants(&tables, &state),
                    Ok(()),
                    "{} {seats}",
                    ready.code
                );
                assert_eq!(state.position.players.len(), seats);
                for id in state.position.players.keys() {
                    let own = state.position.present().filter(|(_, figure)| figure.owner == *id);
                    assert!(own.count() > 0, "{} {seats}: {id} has nothing", ready.code);
                }
                let sides: Vec<u8> = state.position.players.values().map(|player| player.side).collect();
                assert_eq!(sides, [1, 2, 1, 2].get(..seats).unwrap_or_default(), "{}", ready.code);
            }
        }
    }

    #[test]
    fn a_battle_of_two_is_no_battle_for_one() {
        let tables = Tables::book().expect("the book");
        assert!(battle(&tables, "", &plan(1)).is_err());
        assert!(battle(&tables, "", &plan(13)).is_err());
        assert!(battle(&tables, "", &plan(2)).is_ok());
    }
}
