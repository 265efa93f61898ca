//! Scenarios of ARMAGEDDON: the board in a few lines ([`crate::setup`]), and its state as facts.
//!
//! Not among the facts: round, turn and stage, since they change with every step; events tell of them.

use crate::Armageddon;
use crate::board::{Cell, direction_code};
use crate::event::{Event, Teller, place_word, player_word};
use crate::ruling::Ruling;
use crate::setup;
use crate::state::{Figure, State};
use crate::tables::Tables;
use kernel::hex::Direction;
use kernel::misread::Misread;
use kernel::realm::RealmId;
use kernel::stage::{Facts, Stage, StageError, StageLine};
use std::collections::BTreeMap;

impl Stage for Armageddon {
    fn world(tables: &Tables, house_rules: &str, lines: &[StageLine]) -> Result<State, Vec<StageError>> {
        setup::build(tables, house_rules, lines)
    }

    fn realms(state: &State) -> Vec<(RealmId, String)> {
        let players = state.position.players.iter();
        players.map(|(id, player)| (*id, player.name.clone())).collect()
    }

    fn facts(tables: &Tables, state: &State) -> Facts {
        let mut facts = Facts::new();
        for id in state.position.players.keys() {
            facts.insert(
                format!("player {}", player_word(&state.position, *id)),
                player(state, *id),
            );
        }
        for figure in &state.position.figures {
            facts.insert(format!("figure {figure}"), figure_facts(tables, state, figure));
        }
        for cell in state.position.board.all() {
            land(&mut facts, state, cell);
        }
        for (cell, centre) in &state.position.centres {
            let mut list = BTreeMap::new();
            set(&mut list, "kind", setup::centre_code(centre.kind));
            set(&mut list, "possessor", player_word(&state.position, centre.possessor));
            set(&mut list, "razed", centre.razed);
            set(&mut list, "plundered", centre.plundered);
            facts.insert(format!("centre {}", state.position.board.name(*cell)), list);
        }
        for (cell, siege) in &state.position.sieges {
            let mut list = BTreeMap::new();
            set(&mut list, "by", player_word(&state.position, siege.by));
            set(&mut list, "rounds", siege.rounds);
            if siege.fed > 0 {
                set(&mut list, "fed", siege.fed);
            }
            facts.insert(format!("siege {}", state.position.board.name(*cell)), list);
        }
        facts.insert("battle".to_owned(), battle(state));
        facts
    }

    fn event_words(state: &State, event: &Event) -> String {
        words(state, event)
    }

    fn notice_words(state: &State, notice: &Event) -> String {
        words(state, notice)
    }

    /// A judgement. Its lines may ask for what the board does not allow: that they are passed over then is a rule of its own.
    fn ruling(state: &State, text: &str) -> Result<Ruling, Misread> {
        let ruling = crate::ruling::read(&state.position, text)?;
        if let Ruling::Change { lines } = &ruling {
            let mut verbs = lines.iter().filter_map(|line| line.split_whitespace().next());
            if let Some(verb) = verbs.find(|verb| !setup::edit::is_verb(verb)) {
                return Err(Misread::Unknown {
                    verb: verb.to_owned(),
                    known: format!("break off, go on, hand, roll, {}", setup::edit::verbs().join(", ")),
                });
            }
        }
        Ok(ruling)
    }
}

/// An event in the words of a scenario. The tables only name platforms; those of the book do.
fn words(state: &State, event: &Event) -> String {
    match Tables::with_overrides(&state.house_rules) {
        Ok(tables) => event
            .telling(Teller {
                tables: &tables,
                position: &state.position,
            })
            .words(),
        Err(misfits) => misfits.to_string(),
    }
}

fn set(facts: &mut BTreeMap<String, String>, attribute: &str, value: impl ToString) {
    facts.insert(attribute.to_owned(), value.to_string());
}

fn or_none<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(|| "none".to_owned(), |value| value.to_string())
}

fn list(words: Vec<String>) -> String {
    if words.is_empty() {
        "none".to_owned()
    } else {
        words.join("+")
    }
}

fn player(state: &State, id: RealmId) -> BTreeMap<String, String> {
    let mut facts = BTreeMap::new();
    if let Some(player) = state.position.players.get(&id) {
        set(&mut facts, "side", player.side);
        set(&mut facts, "side-next", or_none(player.side_next));
        let names = player.permits.iter().map(|one| player_word(&state.position, *one));
        set(&mut facts, "permits", list(names.collect()));
        let ally = player.yields_to.map(|one| player_word(&state.position, one));
        set(&mut facts, "yields-to", or_none(ally));
        set(&mut facts, "flight", player.flight);
        // One missing turn is no fact: in most scenarios only one player sends a script.
        set(&mut facts, "missed", if player.missed > 1 { player.missed } else { 0 });
    }
    if let Some(secret) = state.secrets.get(&id) {
        set(&mut facts, "units", secret.spell_units);
        set(&mut facts, "dispel-from", or_none(secret.standing.dispel_from));
        set(&mut facts, "dispel-total", or_none(secret.standing.dispel_total));
        let kinds = secret.standing.sacrifice.iter().map(ToString::to_string);
        set(&mut facts, "sacrifice", list(kinds.collect()));
    }
    facts
}

fn figure_facts(tables: &Tables, state: &State, figure: &Figure) -> BTreeMap<String, String> {
    let position = &state.position;
    let mut facts = BTreeMap::new();
    set(&mut facts, "at", place_word(tables, position, figure.place));
    set(&mut facts, "owner", player_word(position, figure.owner));
    set(&mut facts, "possessor", player_word(position, figure.possessor));
    set(&mut facts, "facing", or_none(figure.facing.map(direction_code)));
    set(&mut facts, "steps", figure.steps);
    set(&mut facts, "acted", figure.acted);
    set(&mut facts, "hits", figure.hits);
    set(&mut facts, "lives", figure.lives);
    set(&mut facts, "spell", or_none(figure.spell.map(|on| on.spell)));
    set(
        &mut facts,
        "phalanx",
        or_none(figure.phalanx.map(|id| position.name(id))),
    );
    set(
        &mut facts,
        "held-by",
        or_none(figure.held_by.map(|id| position.name(id))),
    );
    set(&mut facts, "leans", or_none(figure.leans.map(direction_code)));
    set(&mut facts, "mortal", figure.mortal);
    set(&mut facts, "engaged", figure.engaged);
    set(&mut facts, "learnt", figure.learnt);
    let own = position.find(figure.kind, figure.number);
    let purses = state.secrets.values().map(|secret| &secret.priests);
    let units = own.and_then(|id| purses.into_iter().find_map(|purse| purse.get(&id).copied()));
    set(&mut facts, "prays", units.unwrap_or(0));
    facts
}

fn land(facts: &mut Facts, state: &State, cell: Cell) {
    let board = &state.position.board;
    let Some(ground) = board.ground(cell) else { return };
    let name = board.name(cell);
    let mut field = BTreeMap::new();
    set(&mut field, "terrain", ground.terrain);
    set(&mut field, "foundation", ground.foundation);
    set(&mut field, "flow", or_none(ground.flow.map(direction_code)));
    set(&mut field, "stream-bridge", or_none(ground.stream_bridge));
    facts.insert(format!("field {name}"), field);
    if let Some(building) = &ground.building {
        let mut list = BTreeMap::new();
        set(&mut list, "kind", building.kind);
        set(&mut list, "owner", player_word(&state.position, building.owner));
        set(&mut list, "storeys", building.storeys.len());
        let hits: Vec<String> = building.storeys.iter().map(|storey| storey.hits.to_string()).collect();
        set(&mut list, "hits", hits.join("+"));
        facts.insert(format!("building {name}"), list);
        for (storey, level) in building.storeys.iter().zip(0u8..) {
            for side in Direction::ALL {
                let subject = format!("side {name}.{level}-{}", direction_code(side));
                let fitting = or_none(storey.walls[side.index()]);
                facts.insert(subject, BTreeMap::from([("fitting".to_owned(), fitting)]));
            }
        }
    }
    for side in Direction::ALL {
        if let Some(wall) = ground.walls[side.index()] {
            let mut list = BTreeMap::new();
            set(&mut list, "fitting", wall.fitting);
            set(&mut list, "owner", player_word(&state.position, wall.owner));
            set(&mut list, "reinforced", wall.reinforced);
            facts.insert(format!("wall {name}-{}", direction_code(side)), list);
        }
    }
    for side in [Direction::NorthEast, Direction::East, Direction::SouthEast] {
        let edge = board.edge(cell, side);
        if *edge == crate::board::Edge::default() {
            continue;
        }
        let other = board
            .neighbour(cell, side)
            .map_or_else(String::new, |other| board.name(other));
        let mut list = BTreeMap::new();
        let river = edge.river.and_then(|number| board.rivers.get(usize::from(number)));
        set(&mut list, "river", river.is_some());
        set(
            &mut list,
            "spell",
            or_none(river.and_then(|river| river.spell).map(|on| on.spell)),
        );
        set(&mut list, "ditch", edge.ditch);
        set(&mut list, "ascent", edge.ascent);
        set(&mut list, "bridge", or_none(edge.bridge));
        facts.insert(format!("edge {name}-{other}"), list);
    }
}

fn battle(state: &State) -> BTreeMap<String, String> {
    let mut facts = BTreeMap::new();
    set(&mut facts, "over", state.position.outcome.is_some());
    let winner = state.position.outcome.as_ref().and_then(|victory| victory.side);
    set(&mut facts, "winner", or_none(winner));
    let wind = state.position.wind;
    set(
        &mut facts,
        "wind",
        or_none(wind.map(|wind| format!("{} {}", direction_code(wind.toward), wind.strength))),
    );
    facts
}
