//! Rockfall, floods, eruptions, storms, bad harvests, fires (PYG-ROAD-08, PYG-GAP-63).

use crate::battle;
use crate::codes::{Class, Disaster, Kind, SettlementKind, Terrain};
use crate::event::economy::Affair;
use crate::month::{Month, MonthTurn};
use crate::rule;
use crate::ruling::Ruling;
use crate::state::{ArmyId, State};
use crate::tables::Tables;
use kernel::dice::Owner;
use kernel::hex::{Direction, FieldIndex};
use kernel::realm::RealmId;
use kernel::turn::{Cause, Die};
use std::collections::BTreeSet;

/// Faces of the dice.
const D100: i64 = 100;
const D6: i64 = 6;

/// An edge between two fields, the lower number first.
type Edge = (FieldIndex, Direction, FieldIndex);

/// Whether a disaster strikes a realm, which one, and whom or what.
///
/// PYG-GAP-63: two percent per realm and month. PYG-ROAD-08: the game master may cancel it, or cause one himself. Without a target nothing
/// happens.
pub fn strike(turn: &mut MonthTurn<'_>, month: &mut Month) {
    by_chance(turn, month);
    let caused = std::mem::take(&mut month.caused);
    for (number, caused) in (1..).zip(caused) {
        let mut blow = Blow {
            realm: caused.realm,
            disaster: caused.disaster,
            dice: Vec::new(),
            cause: Cause::GameMaster,
            at: caused.field,
            target: format!("{} caused {number}", caused.realm),
        };
        if !blow.fall(turn, month) {
            let disaster = caused.disaster;
            blow.tell(turn, month, Affair::DisasterPassed { disaster });
        }
    }
}

fn by_chance(turn: &mut MonthTurn<'_>, month: &mut Month) {
    let pct = turn.tables.disaster.pct_per_realm_and_month;
    if pct <= 0 {
        return;
    }
    let realms: Vec<RealmId> = turn.state.playing().collect();
    for realm in realms {
        let die = turn.roll(rule::GAP_63, Owner::World, &realm.to_string(), 1, D100);
        if die.value > pct {
            continue;
        }
        let kind = turn.roll(rule::GAP_63, Owner::World, &format!("{realm} kind"), 1, D6);
        let index = usize::try_from(kind.value - 1).unwrap_or(0);
        let Some(disaster) = turn.tables.disaster.table.get(index).copied() else {
            continue;
        };
        let default = Ruling::Allow { text: String::new() };
        let subject = format!("{realm} {}", disaster.code());
        let answer = turn.ruling(rule::ROAD_08, Some(realm), &subject, default);
        let mut blow = Blow {
            realm,
            disaster,
            dice: vec![die, kind],
            cause: Cause::Step("disasters"),
            at: None,
            target: format!("{realm} target"),
        };
        let struck = !matches!(answer, Ruling::Deny { .. }) && blow.fall(turn, month);
        if !struck {
            blow.tell(turn, month, Affair::DisasterPassed { disaster });
        }
    }
}

struct Blow {
    realm: RealmId,
    disaster: Disaster,
    dice: Vec<Die>,
    cause: Cause,
    /// The only field that it may strike.
    at: Option<FieldIndex>,
    /// Subject of the die that picks its target.
    target: String,
}

impl Blow {
    /// Does its damage. Whether there was anything to strike.
    fn fall(&mut self, turn: &mut MonthTurn<'_>, month: &mut Month) -> bool {
        match self.disaster {
            Disaster::Rockfall => self.rockfall(turn, month),
            Disaster::Flood => self.flood(turn, month),
            Disaster::Eruption => self.eruption(turn, month),
            Disaster::Storm => self.storm(turn, month),
            Disaster::BadHarvest => self.bad_harvest(turn, month),
            Disaster::Fire => self.fire(turn, month),
        }
    }

    fn tell(&self, turn: &mut MonthTurn<'_>, month: &Month, what: Affair) {
        let mut rules = vec![rule::GAP_63, rule::ROAD_08];
        if matches!(what, Affair::FleetBattered { left: 0, .. }) {
            rules.extend([rule::ARMY_08, rule::GAP_24]);
        }
        month.emit(turn, self.cause, rules, &self.dice, what.of(self.realm));
    }

    /// Tells of what it tore between two fields: the realm that it struck, whoever else owns one of them, and whoever stands there. These get no
    /// dice, whose names say whom it struck.
    fn tell_all(&self, turn: &mut MonthTurn<'_>, month: &Month, ends: [FieldIndex; 2], what: Affair) {
        let owners = ends.map(|end| turn.state.field(end).owner).into_iter();
        let present = ends.iter().flat_map(|end| month.on(*end)).map(|army| army.realm);
        let mut witnesses: BTreeSet<RealmId> = owners.chain(present).filter(|realm| realm.is_played()).collect();
        witnesses.remove(&self.realm);
        self.tell(turn, month, what.clone());
        for witness in witnesses {
            let rules = &[rule::GAP_63, rule::ROAD_08][..];
            month.emit(turn, self.cause, rules, &[], what.clone().of(witness));
        }
    }

    /// One of several targets, by a die if there is a choice.
    fn pick<T: Copy>(&mut self, turn: &mut MonthTurn<'_>, targets: &[T]) -> Option<T> {
        let last = i64::try_from(targets.len()).unwrap_or(i64::MAX);
        if last <= 1 {
            return targets.first().copied();
        }
        let die = turn.roll(rule::GAP_63, Owner::World, &self.target, 1, last);
        self.dice.push(die);
        targets.get(usize::try_from(die.value - 1).unwrap_or(0)).copied()
    }

    /// Whether it may strike this field.
    fn reaches(&self, field: FieldIndex) -> bool {
        self.at.is_none_or(|at| at == field)
    }

    /// Whether it may strike what joins these two.
    fn reaches_edge(&self, (from, _, to): &Edge) -> bool {
        self.reaches(*from) || self.reaches(*to)
    }

    /// A section that touches hills, high plateau or mountains.
    fn rockfall(&mut self, turn: &mut MonthTurn<'_>, month: &mut Month) -> bool {
        let rocky = |state: &State, field: FieldIndex| {
            let terrain = state.field(field).terrain;
            matches!(terrain, Terrain::Hills | Terrain::HighPlateau | Terrain::Mountains)
        };
        let mut targets = road_sections(&turn.state, self.realm);
        targets.retain(|edge @ (from, _, to)| {
            self.reaches_edge(edge) && (rocky(&turn.state, *from) || rocky(&turn.state, *to))
        });
        let Some(edge) = self.pick(turn, &targets) else {
            return false;
        };
        self.destroy_road(turn, month, edge);
        true
    }

    /// A bridge with the road over it, else a lowland section next to water.
    fn flood(&mut self, turn: &mut MonthTurn<'_>, month: &mut Month) -> bool {
        let mut bridges = edges(&turn.state, self.realm, |state, field, direction| {
            state.field(field).bridges.has(direction)
        });
        bridges.retain(|edge| self.reaches_edge(edge));
        if let Some((from, direction, to)) = self.pick(turn, &bridges) {
            turn.state.field_mut(from).bridges.remove(direction);
            turn.state.field_mut(to).bridges.remove(direction.opposite());
            let (start, end) = (turn.state.place(from), turn.state.place(to));
            self.tell_all(
                turn,
                month,
                [from, to],
                Affair::BridgeDestroyed { from: start, to: end },
            );
            // A road over a river needs its bridge (PYG-GAP-05).
            if turn.state.field(from).roads.has(direction) {
                self.destroy_road(turn, month, (from, direction, to));
            }
            return true;
        }
        let wet = |tables: &Tables, state: &State, field: FieldIndex| {
            let class = tables.terrain[state.field(field).terrain].road;
            class == Some(Class::Lowland) && state.is_coastal(tables, field)
        };
        let mut targets = road_sections(&turn.state, self.realm);
        targets.retain(|edge @ (from, _, to)| {
            let wet = |field: FieldIndex| wet(turn.tables, &turn.state, field);
            self.reaches_edge(edge) && (wet(*from) || wet(*to))
        });
        let Some(edge) = self.pick(turn, &targets) else {
            return false;
        };
        self.destroy_road(turn, month, edge);
        true
    }

    fn destroy_road(&self, turn: &mut MonthTurn<'_>, month: &Month, (from, direction, to): Edge) {
        turn.state.field_mut(from).roads.remove(direction);
        turn.state.field_mut(to).roads.remove(direction.opposite());
        turn.state.field_mut(from).ruins.insert(direction);
        turn.state.field_mut(to).ruins.insert(direction.opposite());
        let what = Affair::RoadDestroyed {
            disaster: self.disaster,
            from: turn.state.place(from),
            to: turn.state.place(to),
        };
        self.tell_all(turn, month, [from, to], what);
    }

    /// All sections at one mountain field, which pays nothing at the next income month.
    fn eruption(&mut self, turn: &mut MonthTurn<'_>, month: &mut Month) -> bool {
        let land = turn.state.land_of(self.realm);
        let mountains = land.filter(|(index, field)| field.terrain == Terrain::Mountains && self.reaches(*index));
        let targets: Vec<FieldIndex> = mountains.map(|(index, _)| index).collect();
        let Some(field) = self.pick(turn, &targets) else {
            return false;
        };
        turn.state.field_mut(field).pays_nothing = true;
        let place = turn.state.place(field);
        self.tell(turn, month, Affair::VolcanoErupted { field: place });
        let roads = turn.state.field(field).roads;
        let around: Vec<(Direction, FieldIndex)> = turn.state.chart.neighbours(field).collect();
        for (direction, other) in around {
            if roads.has(direction) {
                self.destroy_road(turn, month, (field, direction, other));
            }
        }
        true
    }

    /// One fleet outside own harbours.
    fn storm(&mut self, turn: &mut MonthTurn<'_>, month: &mut Month) -> bool {
        let own = turn.state.armies_of(self.realm);
        let at_sea = own.filter(|(id, army)| {
            id.kind() == Kind::Fleet
                && self.reaches(army.field)
                && !in_own_harbour(turn.tables, &turn.state, self.realm, army.field)
        });
        let targets: Vec<ArmyId> = at_sea.map(|(id, _)| id).collect();
        let Some(fleet) = self.pick(turn, &targets) else {
            return false;
        };
        let before = turn.state.armies.get(&fleet).map_or(0, |army| army.count);
        let left = battle::lose_share(turn, month, fleet, turn.tables.disaster.storm_loss_pct, 100);
        let what = Affair::FleetBattered {
            army: fleet.name,
            lost: before - left,
            left,
        };
        self.tell(turn, month, what);
        true
    }

    fn bad_harvest(&mut self, turn: &mut MonthTurn<'_>, month: &mut Month) -> bool {
        if let Some(own) = turn.state.realms.get_mut(&self.realm) {
            own.bad_harvest = true;
        }
        self.tell(turn, month, Affair::HarvestBlighted {});
        true
    }

    /// One settlement that is not the capital pays nothing at the next income month.
    fn fire(&mut self, turn: &mut MonthTurn<'_>, month: &mut Month) -> bool {
        let land = turn.state.land_of(self.realm);
        let burning = land.filter(|(index, field)| {
            let town = field.settlement.as_deref();
            self.reaches(*index) && town.is_some_and(|town| town.kind != SettlementKind::Capital)
        });
        let targets: Vec<FieldIndex> = burning.map(|(index, _)| index).collect();
        let Some(field) = self.pick(turn, &targets) else {
            return false;
        };
        if let Some(town) = turn.state.field_mut(field).settlement.as_deref_mut() {
            town.pays_nothing = true;
        }
        let place = turn.state.place(field);
        self.tell(turn, month, Affair::SettlementBurned { field: place });
        true
    }
}

fn in_own_harbour(tables: &Tables, state: &State, realm: RealmId, field: FieldIndex) -> bool {
    let mut around = state.chart.neighbours(field);
    around.any(|(_, other)| state.field(other).owner == realm && state.is_harbour(tables, other))
}

fn road_sections(state: &State, realm: RealmId) -> Vec<Edge> {
    edges(state, realm, |state, field, direction| {
        state.field(field).roads.has(direction)
    })
}

/// Edges at the land of a realm, each once, in the order of their fields.
fn edges(state: &State, realm: RealmId, is: impl Fn(&State, FieldIndex, Direction) -> bool) -> Vec<Edge> {
    let mut edges: Vec<Edge> = Vec::new();
    for (field, _) in state.land_of(realm) {
        for (direction, other) in state.chart.neighbours(field) {
            let twice = state.field(other).owner == realm && other < field;
            if !twice && is(state, field, direction) {
                edges.push((field, direction, other));
            }
        }
    }
    edges
}
