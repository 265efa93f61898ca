//! A player's knowledge as a world of its own, so that the rules themselves can advise him.
//!
//! Known land is as it was last seen, the rest is unexplored and open to everyone, nobody else moves, and dice show a typical
//! face. Nothing enters that is not in the view, so nothing can leave that the player may not know.

use crate::Thoramar;
use crate::codes::{Condition, Terrain};
use crate::geo::Place;
use crate::order::Order;
use crate::roster::Roster;
use crate::state::{Army, ArmyId, Field, Known, Realm, SeenCondition, Site, State, Status};
use crate::tables::Tables;
use crate::view::{FieldView, OwnField, RealmView, View};
use kernel::diagnostic::Parsed;
use kernel::dice::Dice;
use kernel::game;
use kernel::hex::{Doubled, FieldIndex, Grid, Wrap};
use kernel::realm::RealmId;
use kernel::turn::{Input, Outcome};
use std::collections::BTreeMap;

/// A typical die shows this percentage of its range.
pub(crate) const TYPICAL_PERCENT: u8 = 50;

/// The season as it would go if nobody else moved, from the player's own knowledge only.
pub fn preview(tables: &Tables, view: &View, parsed: &Parsed<Order>) -> Option<Outcome<Thoramar>> {
    let realm = view.realm()?;
    let state = world(tables, view)?;
    let mut input = Input::<Thoramar>::default();
    input.orders.insert(
        realm,
        Parsed {
            orders: parsed.orders.clone(),
            diagnostics: Vec::new(),
        },
    );
    Some(game::run::<Thoramar>(
        tables,
        state,
        &input,
        Dice::Typical(TYPICAL_PERCENT),
    ))
}

/// The world as the player imagines it, with the armies that he knows of now.
pub fn world(tables: &Tables, view: &View) -> Option<State> {
    let realm = view.realm()?;
    let mut state = land(tables, view)?;
    place_armies(&mut state, view, realm);
    remember(&mut state, view, realm);
    Some(state)
}

/// The land as a viewer knows it, without armies. 0/0 stands in an arbitrary column: longitude means nothing to players.
pub fn land(tables: &Tables, view: &View) -> Option<State> {
    let rows = u32::try_from(i64::from(view.y_max) - i64::from(view.y_min) + 1).ok()?;
    let wrap = if view.wraps { Wrap::Cylinder } else { Wrap::Plane };
    let grid = Grid::new(view.columns, rows, wrap).ok()?;
    let south = -i64::from(view.y_min);
    let middle = i64::from(view.columns) / 2 * 2;
    let origin = grid.at(Doubled::new(middle + south % 2, south))?;
    let mut state = State {
        turn: view.turn,
        grid,
        origin,
        fields: vec![Field::wild(Terrain::Unexplored); grid.field_count() as usize],
        realms: view
            .playing
            .iter()
            .map(|id| (*id, imagined_realm(view.realms.get(id), origin)))
            .collect(),
        armies: Roster::new(),
        treaties: BTreeMap::new(),
        house_rules: view.house_rules.clone(),
        table_changes: Vec::new(),
        over: view.over,
    };
    close_poles(&mut state, tables.world.unknown_rows_each_pole);
    for (place, known) in &view.fields {
        if let Ok(field) = place.field(&grid, origin) {
            *state.field_mut(field) = imagined_field(tables, known);
        }
    }
    join_edges(&mut state);
    for treaty in &view.treaties {
        state.treaties.insert(
            (treaty.one.min(treaty.other), treaty.one.max(treaty.other)),
            treaty.treaty,
        );
    }
    Some(state)
}

fn imagined_realm(known: Option<&RealmView>, origin: FieldIndex) -> Realm {
    let books = known.and_then(|known| known.books.as_ref());
    Realm {
        name: known.map(|known| known.name.clone()).unwrap_or_default(),
        player: String::new(),
        kind: books.map_or(crate::codes::RealmKind::Ordinary, |books| books.kind),
        culture: books.map(|books| books.culture.clone()).unwrap_or_default(),
        culture_text: Vec::new(),
        origin,
        treasury: books.map_or(0, |books| books.treasury),
        income: 0,
        upkeep: None,
        account: None,
        computer: books.map(|books| books.computer).unwrap_or_default(),
        missed_turns: 0,
        status: Status::Playing,
        knowledge: BTreeMap::new(),
    }
}

/// The imagined realm has the memory of the real one.
fn remember(state: &mut State, view: &View, realm: RealmId) {
    let known = view.fields.iter().filter_map(|(place, field)| {
        let memory = Known {
            turn: field.turn,
            week: field.week,
            field: field.glimpse,
            armies: field.armies.clone(),
        };
        Some((place.field(&state.grid, state.origin).ok()?, memory))
    });
    let known = known.collect();
    if let Some(owner) = state.realms.get_mut(&realm) {
        owner.knowledge = known;
    }
}

/// Everybody knows that the poles are closed (THO-MAP-08).
fn close_poles(state: &mut State, rows: u32) {
    let last = i64::from(state.grid.rows()) - 1;
    for field in state.grid.fields() {
        let y = state.grid.doubled(field).y;
        if y.min(last - y) < i64::from(rows) {
            state.field_mut(field).terrain = Terrain::Unknown;
        }
    }
}

fn imagined_field(tables: &Tables, known: &FieldView) -> Field {
    let glimpse = &known.glimpse;
    let mut field = Field::wild(glimpse.terrain);
    field.owner = glimpse.owner;
    field.roads = glimpse.roads;
    field.rivers = glimpse.rivers;
    field.bridges = glimpse.bridges;
    field.walls = glimpse.walls;
    field.site = glimpse.building.map(|building| {
        let mut site = Site::finished(building, building.code());
        match glimpse.condition {
            Some(SeenCondition::Standing(condition)) => site.condition = condition,
            Some(SeenCondition::UnderConstruction) => site.standing = false,
            // Seen only from beside it: take it for whole rather than warn about what may not be so.
            None => site.condition = Condition::Intact,
        }
        Box::new(site)
    });
    if let Some(own) = &known.own {
        own_field(tables, &mut field, own);
    }
    field
}

fn own_field(tables: &Tables, field: &mut Field, own: &OwnField) {
    field.yield_percent = own.yield_percent;
    field.blessed_turns = own.blessed_turns;
    field.unrest = own.unrest;
    field.site = own.site.as_ref().map(|known| {
        Box::new(Site {
            building: known.building,
            standing: known.standing,
            condition: known.condition,
            name: known.name.clone(),
            works: known.works,
            armed_gold: tables.capacity(known.building, known.condition) - known.capacity_left,
            gate_code: known.gate_code,
            mine_reserve: 0,
        })
    });
}

/// Roads, rivers and bridges seen from one side are there from the other too.
fn join_edges(state: &mut State) {
    for field in state.grid.fields() {
        for (direction, next) in state.grid.neighbours(field) {
            let here = state.field(field);
            let (road, river, bridge) = (
                here.roads.has(direction),
                here.rivers.has(direction),
                here.bridges.has(direction),
            );
            let there = state.field_mut(next);
            let back = direction.opposite();
            for (seen, sides) in [
                (road, &mut there.roads),
                (river, &mut there.rivers),
                (bridge, &mut there.bridges),
            ] {
                if seen {
                    sides.insert(back);
                }
            }
        }
    }
}

/// Own armies as they are, and those of realm 0 that were last seen in this turn: wizards may have plans with them.
fn place_armies(state: &mut State, view: &View, realm: RealmId) {
    let (grid, origin) = (state.grid, state.origin);
    let at = |place: Place| place.field(&grid, origin).ok();
    for (name, known) in view.own_armies() {
        let Some(field) = at(known.place) else { continue };
        let army = Army {
            count: if name.kind.is_group() { 0 } else { known.count },
            field,
            points: known.points,
            command: known.command,
            flag: known.flag,
            fit: known.fit,
            aboard: known.aboard,
            group: known.group,
            start: known.start.and_then(at),
            master: known.master,
        };
        state.armies.insert(name.of(realm), army);
    }
    for (place, known) in view.fields.iter().filter(|(_, known)| known.turn == view.turn) {
        let Some(field) = at(*place) else { continue };
        for seen in known.armies.iter().filter(|seen| seen.realm == Some(RealmId::NOBODY)) {
            let number = state.free_number(RealmId::NOBODY, seen.kind);
            let id = ArmyId::new(RealmId::NOBODY, seen.kind, number);
            state.armies.insert(id, Army::new(seen.count, field, 0));
        }
    }
}
