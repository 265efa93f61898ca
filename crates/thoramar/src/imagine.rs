//! A player's knowledge as a world of its own, so that the rules themselves can advise him.
//!
//! Known land is as it was last seen, the rest is unexplored and open to everyone, nobody else moves, and dice show a typical
//! face. Nothing enters that is not in the view, so nothing can leave that the player may not know.

use crate::codes::{Condition, Terrain};
use crate::geo::Place;
use crate::order::{Order, WEEKS};
use crate::roster::Roster;
use crate::state::{Army, ArmyId, Field, Known, Realm, SeenCondition, Site, State, Status};
use crate::tables::Tables;
use crate::view::{FieldView, OwnField, RealmView, View};
use crate::{Thoramar, steps};
use kernel::diagnostic::{Parsed, Spanned};
use kernel::dice::Dice;
use kernel::game;
use kernel::hex::{Doubled, FieldIndex, Grid, Wrap};
use kernel::realm::RealmId;
use kernel::turn::{Input, Outcome};
use std::collections::BTreeMap;

/// A typical die shows this percentage of its range.
pub(crate) const TYPICAL_PERCENT: u8 = 50;

/// What would become of the orders if nobody else moved, from the player's own knowledge only. All dice show `luck` percent of their
/// range.
pub fn rehearsal(tables: &Tables, view: &View, parsed: &Parsed<Order>, luck: u8) -> Option<Outcome<Thoramar>> {
    let state = peopled(
        view,
        land_of(tables, view, Breadth::needed(tables, view, &parsed.orders))?,
    )?;
    let input = input(view, parsed)?;
    Some(game::run_by::<Thoramar>(
        tables,
        state,
        &input,
        Dice::Typical(luck),
        steps::rehearse,
    ))
}

/// The player's orders alone; what is wrong with them as text has been said already.
fn input(view: &View, parsed: &Parsed<Order>) -> Option<Input<Thoramar>> {
    let mut input = Input::<Thoramar>::default();
    let orders = Parsed {
        orders: parsed.orders.clone(),
        diagnostics: Vec::new(),
    };
    input.orders.insert(view.realm()?, orders);
    Some(input)
}

/// The world as the player imagines it, with the armies that he knows of now.
pub fn world(tables: &Tables, view: &View) -> Option<State> {
    peopled(view, land(tables, view)?)
}

fn peopled(view: &View, mut state: State) -> Option<State> {
    let realm = view.realm()?;
    place_armies(&mut state, view, realm);
    remember(&mut state, view, realm);
    Some(state)
}

/// The land as a viewer knows it, without armies. 0/0 stands in an arbitrary column: longitude means nothing to players.
pub fn land(tables: &Tables, view: &View) -> Option<State> {
    land_of(tables, view, Breadth::whole(view))
}

/// Columns that are imagined, with 0/0 in their middle.
///
/// A world of two thousand realms has more than half a million fields, and a player knows a few hundred. Where nothing of a season can reach
/// far, only the columns around what he knows and names are imagined, so that checking orders costs what the orders cost.
struct Breadth {
    columns: u32,
    wrap: Wrap,
}

impl Breadth {
    /// All columns.
    fn whole(view: &View) -> Self {
        Self {
            columns: view.columns,
            wrap: if view.wraps { Wrap::Cylinder } else { Wrap::Plane },
        }
    }

    /// As many columns as these orders can have to do with. Whoever names places on the other side of the world gets all of it.
    fn needed(tables: &Tables, view: &View, orders: &[Spanned<Order>]) -> Self {
        let known = view.fields.keys().map(|place| u64::from(place.x.unsigned_abs()));
        let armies = view.own_armies().flat_map(|(_, army)| [Some(army.place), army.start]);
        let armies = armies.flatten().map(|place| u64::from(place.x.unsigned_abs()));
        let named = orders.iter().filter_map(|order| {
            let (place, steps) = order.value.farthest()?;
            Some(u64::from(place.x.unsigned_abs()) + steps as u64)
        });
        let farthest = known.chain(armies).chain(named).max().unwrap_or(0);
        // A step in every week, a shot and a look from where it ends, and the neighbours of that.
        let farther = tables.missile.range.max(tables.sight.range).unsigned_abs();
        let beyond = WEEKS as u64 + farther + 2;
        match u32::try_from(2 * (farthest + beyond)) {
            // In half the world no way round it is shorter than the way within.
            Ok(columns) if columns <= view.columns / 2 => Self {
                columns,
                wrap: Wrap::Plane,
            },
            _ => Self::whole(view),
        }
    }
}

fn land_of(tables: &Tables, view: &View, breadth: Breadth) -> Option<State> {
    let rows = u32::try_from(i64::from(view.y_max) - i64::from(view.y_min) + 1).ok()?;
    let grid = Grid::new(breadth.columns, rows, breadth.wrap).ok()?;
    let south = -i64::from(view.y_min);
    let middle = i64::from(breadth.columns) / 2 * 2;
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
    let mut seen = Vec::with_capacity(view.fields.len());
    for (place, known) in &view.fields {
        if let Ok(field) = place.field(&grid, origin) {
            *state.field_mut(field) = imagined_field(tables, known);
            seen.push(field);
        }
    }
    join_edges(&mut state, &seen);
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
    let grid = state.grid;
    let rows = rows.min(grid.rows());
    for field in (0..rows)
        .chain(grid.rows() - rows..grid.rows())
        .flat_map(|row| grid.row(row))
    {
        state.field_mut(field).terrain = Terrain::Unknown;
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
        own_field(tables.of(glimpse.owner), &mut field, own);
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
            // Nobody knows what is left in a mine; that it works shows that it pays.
            mine_reserve: tables.mine.yearly.max,
        })
    });
}

/// Roads, rivers and bridges of the fields that were seen are there from the other side too. A world is large and a player knows
/// little of it: nothing here goes through all its fields, because every order file is checked in such a world.
fn join_edges(state: &mut State, seen: &[FieldIndex]) {
    for field in seen.iter().copied() {
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

/// Own armies as they are, and those that were last seen in this turn and with which wizards may have plans: armies of realm 0, and demons
/// of whatever realm. One that shows no flag is some other realm's.
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
    let somebody = view.playing.iter().copied().find(|other| *other != realm);
    for (place, known) in view.fields.iter().filter(|(_, known)| known.turn == view.turn) {
        let Some(field) = at(*place) else { continue };
        for seen in known.armies.iter() {
            let Some(owner) = seen.realm.or(somebody) else { continue };
            let is_demon = seen.kind.is_demon() && owner != realm;
            if owner == RealmId::NOBODY || is_demon {
                let id = ArmyId::new(owner, seen.kind, state.free_number(owner, seen.kind));
                state.armies.insert(id, Army::new(seen.count, field, 0));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::bench_world;
    use kernel::dice::WorldSecret;
    use kernel::game::{BenchSize, Brief, Game};
    use kernel::realm::Viewer;
    use kernel::turn::Cause;

    /// The rehearsal of these orders, the whole turn in the whole world, and how many columns the rehearsal needed.
    fn both(tables: &Tables, view: &View, file: &str) -> (Outcome<Thoramar>, Outcome<Thoramar>, u32) {
        let seat = Thoramar::seat_of_view(view).expect("a player's view");
        let parsed = Thoramar::parse(tables, &seat, file.as_bytes());
        let near = rehearsal(tables, view, &parsed, TYPICAL_PERCENT).expect("a world");
        let state = world(tables, view).expect("a world");
        let input = input(view, &parsed).expect("a player's view");
        let whole = game::run::<Thoramar>(tables, state, &input, Dice::Typical(TYPICAL_PERCENT));
        (near, whole, Breadth::needed(tables, view, &parsed.orders).columns)
    }

    #[test]
    fn orders_are_judged_alike_in_the_columns_around_them_and_in_the_whole_world() {
        let tables = Tables::book();
        let mut dice = Dice::Keyed(WorldSecret([1; 32]).step(0));
        let size = BenchSize {
            armies: 14_400,
            armies_each: 100,
        };
        let (state, files) = bench_world(&tables, size, &mut dice).expect("not too large");
        // Wrong in every way that has to do with places.
        let odd = "$B\nS 5 0 2222222\nS 0 0 5555555555\nBRG 12 3 Fern\nSTD 0 99 Drau\u{df}en\n$L\n2 9 1\n2 -11 0\n$R\nK.L 77 50 10 2\n";
        let far = "$B\nBRG 500 0 Antipoden\n";
        let mut refused = 0;
        for (realm, file) in files.iter().step_by(7) {
            let brief = Brief {
                viewer: Viewer::Realm(*realm),
                told: Vec::new(),
                diagnostics: Vec::new(),
            };
            let view = Thoramar::view(&tables, &state, brief);
            let file = String::from_utf8_lossy(file);
            for (text, narrow) in [
                (file.to_string(), true),
                (format!("{odd}{file}"), true),
                (format!("{far}{file}"), false),
            ] {
                let (near, whole, columns) = both(&tables, &view, &text);
                assert_eq!(columns < view.columns, narrow, "{columns} of {}", view.columns);
                assert_eq!(near.refusals, whole.refusals);
                let deeds = |outcome: &Outcome<Thoramar>| -> Vec<_> {
                    let ordered = outcome
                        .journal
                        .iter()
                        .filter(|entry| matches!(entry.cause, Cause::Order(..)));
                    ordered
                        .map(|entry| (entry.cause, entry.rules.to_vec(), entry.event.week))
                        .collect()
                };
                assert!(!deeds(&near).is_empty());
                assert_eq!(deeds(&near), deeds(&whole));
                assert_eq!(near.state.armies.len(), whole.state.armies.len());
                refused += near.refusals.values().map(Vec::len).sum::<usize>();
            }
        }
        assert!(refused > 100, "{refused} refusals");
    }
}
