//! Roads and bridges (PYG-ROAD-01..07, -09, -10, PYG-GAP-05, PYG-GAP-22). Part B.

use crate::chart::Place;
use crate::codes::Class;
use crate::event::economy::Affair;
use crate::month::{self, Month, MonthTurn};
use crate::order::Order;
use crate::rule;
use crate::settlements::wrong_place;
use crate::state::State;
use crate::tables::Tables;
use crate::tables::policy::Usable;
use crate::treasury::{self, Price};
use kernel::diagnostic::{Diagnostic, Span, Spanned};
use kernel::hex::{Direction, FieldIndex};
use kernel::ratio::{Rounding, percent};
use kernel::realm::RealmId;
use kernel::turn::Cause;
use std::collections::{BTreeMap, BTreeSet};

/// `STRASSE` and `BRUECKE`, in the order written; both can be used from next month on, unless the world opens them at once.
///
/// PYG-ROAD-01..07, -09, -10, PYG-GAP-22.
pub fn build(turn: &mut MonthTurn<'_>, month: &mut Month) {
    let mut growth = Growth::default();
    for (realm, order) in month::orders(turn) {
        match &order.value {
            Order::Road { path } => build_road(turn, month, &mut growth, realm, order.span, path),
            Order::Bridge { from, to } => build_bridge(turn, month, realm, order.span, from, to),
            _ => {}
        }
    }
}

/// How far roads have grown at their ends this month: by the field that is the end now, how many sections, and the slowest terrain
/// that they touch.
#[derive(Clone, Default)]
struct Growth(BTreeMap<FieldIndex, (i64, i64)>);

/// A section that is about to be built.
#[derive(Clone, Copy)]
struct Section {
    from: FieldIndex,
    to: FieldIndex,
    direction: Direction,
    cost: i64,
}

fn build_road(
    turn: &mut MonthTurn<'_>,
    month: &mut Month,
    growth: &mut Growth,
    realm: RealmId,
    line: Span,
    path: &[Spanned<Place>],
) {
    // The order is accepted or refused whole: sections are laid in a draft first.
    let mut draft = Draft {
        tables: turn.tables,
        state: &turn.state,
        realm,
        laid: BTreeMap::new(),
        growth: growth.clone(),
    };
    let mut sections = Vec::new();
    for (from, to) in path.iter().zip(path.iter().skip(1)) {
        match draft.lay(from, to) {
            Ok(section) => sections.push(section),
            Err(finding) => return turn.refuse(realm, *finding),
        }
    }
    let grown = draft.growth;
    let (Some(first), Some(last)) = (path.first(), path.last()) else {
        return;
    };
    let cost = sections.iter().map(|section| section.cost).sum();
    let price = Price::new(cost, &[rule::ROAD_05]);
    if sections.is_empty() || !treasury::spend(turn, month, realm, line, price) {
        return;
    }
    *growth = grown;
    for section in &sections {
        lay_section(&mut turn.state, section.from, section.direction, section.to);
        open_at_once(turn, month, realm, [section.from, section.to]);
    }
    let what = Affair::RoadBuilt {
        from: first.value,
        to: last.value,
        sections: i64::try_from(sections.len()).unwrap_or(i64::MAX),
        n: cost,
    };
    let rules = &[
        rule::ROAD_01,
        rule::ROAD_02,
        rule::ROAD_03,
        rule::ROAD_04,
        rule::ROAD_05,
        rule::TERR_05,
        rule::GAP_03,
        rule::ROAD_06,
        rule::ROAD_07,
        rule::ROAD_10,
        rule::GAP_22,
    ][..];
    month.emit(turn, Cause::Order(realm, line), rules, &[], what.of(realm));
}

fn lay_section(state: &mut State, from: FieldIndex, direction: Direction, to: FieldIndex) {
    for (field, side) in [(from, direction), (to, direction.opposite())] {
        let here = state.field_mut(field);
        here.roads.insert(side);
        here.ruins.remove(side);
    }
}

/// PYG-GAP-22: where a world opens roads at once, whoever built them can use them in the same month, and knows it.
fn open_at_once(turn: &mut MonthTurn<'_>, month: &mut Month, builder: RealmId, ends: [FieldIndex; 2]) {
    if turn.tables.road.usable != Usable::AtOnce {
        return;
    }
    for field in ends {
        let here = turn.state.field(field);
        let (roads, bridges) = (here.roads, here.bridges);
        month.open_ways(field, roads, bridges);
        let own = turn.state.realms.get_mut(&builder);
        if let Some(known) = own.and_then(|own| own.knowledge.get_mut(&field)) {
            (known.glimpse.roads, known.glimpse.bridges) = (roads, bridges);
        }
    }
}

/// Sections that one order lays, on top of the roads that stand.
struct Draft<'a> {
    tables: &'a Tables,
    state: &'a State,
    realm: RealmId,
    /// Neighbours by sections of this order.
    laid: BTreeMap<FieldIndex, BTreeSet<FieldIndex>>,
    growth: Growth,
}

impl Draft<'_> {
    /// One section, or what is wrong with it.
    fn lay(&mut self, from: &Spanned<Place>, to: &Spanned<Place>) -> Result<Section, Box<Diagnostic>> {
        let (start, end) = (self.own(from)?, self.own(to)?);
        let Some(direction) = self.state.chart.direction_to(start, end) else {
            let finding = Diagnostic::error("E_ADJ", to.span, &[rule::ROAD_04, rule::MAP_04]);
            let finding = finding.with("from", from.value.to_string());
            return Err(Box::new(finding.with("to", to.value.to_string())));
        };
        if self.ways(start).contains(&end) {
            let finding = Diagnostic::error("E_PLACE", to.span, &[rule::ROAD_04, rule::GAP_22]);
            let finding = finding.with_word("fit", "fit-new-road");
            return Err(Box::new(finding.with("field", to.value.to_string())));
        }
        let here = self.state.field(start);
        if here.rivers.has(direction) && !here.bridges.has(direction) {
            let finding = Diagnostic::error("E_RIVER", to.span, &[rule::ROAD_09, rule::GAP_05]);
            let finding = finding.with("from", from.value.to_string());
            return Err(Box::new(finding.with("to", to.value.to_string())));
        }
        self.may_begin(start, from.span)?;
        if self.is_parallel(start, end) {
            let finding = Diagnostic::error("E_PARALLEL", to.span, &[rule::ROAD_07, rule::GAP_22]);
            return Err(Box::new(finding.with("field", to.value.to_string())));
        }
        self.grow(start, end, to.span)?;
        self.laid.entry(start).or_default().insert(end);
        self.laid.entry(end).or_default().insert(start);
        let cost = |field| self.class(field).map_or(0, |class| self.tables.road.cost[class]);
        // PYG-ROAD-05: of two terrains the higher price.
        let full = cost(start).max(cost(end));
        Ok(Section {
            from: start,
            to: end,
            direction,
            // PYG-GAP-22: what a disaster destroyed may be cheaper to rebuild.
            cost: if self.state.field(start).ruins.has(direction) {
                percent(full, self.tables.road.repair_cost_pct, Rounding::Down)
            } else {
                full
            },
        })
    }

    /// Own land on which a road can be built (PYG-ROAD-10).
    fn own(&self, place: &Spanned<Place>) -> Result<FieldIndex, Box<Diagnostic>> {
        let own = self
            .state
            .field_at(place.value)
            .filter(|field| self.state.field(*field).owner == self.realm && self.class(*field).is_some());
        own.ok_or_else(|| {
            let finding = Diagnostic::error("E_PLACE", place.span, &[rule::ROAD_10]).with_word("fit", "fit-road");
            Box::new(finding.with("field", place.value.to_string()))
        })
    }

    fn class(&self, field: FieldIndex) -> Option<Class> {
        self.tables.terrain[self.state.field(field).terrain].road
    }

    /// The neighbours that roads lead to from a field.
    fn ways(&self, field: FieldIndex) -> BTreeSet<FieldIndex> {
        let mut ways: BTreeSet<FieldIndex> = road_neighbours(self.state, field).collect();
        ways.extend(self.laid.get(&field).into_iter().flatten());
        ways
    }

    fn is_town(&self, field: FieldIndex) -> bool {
        self.state.field(field).town(self.tables).is_some()
    }

    /// PYG-ROAD-02: at a town or the open end of a road; PYG-ROAD-03: from the middle of a road only if it joins two towns.
    fn may_begin(&self, field: FieldIndex, span: Span) -> Result<(), Box<Diagnostic>> {
        if self.is_town(field) {
            return Ok(());
        }
        match self.ways(field).len() {
            0 => Err(Box::new(Diagnostic::error(
                "E_ROAD_START",
                span,
                &[rule::ROAD_02, rule::GAP_22],
            ))),
            1 => Ok(()),
            _ if self.towns_joined(field) >= 2 => Ok(()),
            _ => Err(Box::new(Diagnostic::error(
                "E_BRANCH",
                span,
                &[rule::ROAD_03, rule::GAP_22],
            ))),
        }
    }

    /// How many towns the road through a field joins.
    fn towns_joined(&self, field: FieldIndex) -> usize {
        let mut network = BTreeSet::from([field]);
        let mut open = vec![field];
        while let Some(next) = open.pop() {
            for other in self.ways(next) {
                if network.insert(other) {
                    open.push(other);
                }
            }
        }
        network.into_iter().filter(|field| self.is_town(*field)).count()
    }

    /// Whether a section from `start` to `end` would run beside another road.
    ///
    /// PYG-ROAD-07, PYG-GAP-22: a road field next to `end` is in the way unless it is `start` or what `start` continues, a town, or the open end of
    /// another road; joining a town or a road is always possible.
    fn is_parallel(&self, start: FieldIndex, end: FieldIndex) -> bool {
        if self.is_town(end) || !self.ways(end).is_empty() {
            return false;
        }
        let continued = if self.is_town(start) {
            BTreeSet::new()
        } else {
            self.ways(start)
        };
        let mut around = self.state.chart.neighbours(end).map(|(_, field)| field);
        around.any(|field| {
            field != start && !continued.contains(&field) && !self.is_town(field) && self.ways(field).len() > 1
        })
    }

    /// PYG-ROAD-06, PYG-GAP-22: two sections at an end in a month if all fields are lowland or highland, else one.
    fn grow(&mut self, start: FieldIndex, end: FieldIndex, span: Span) -> Result<(), Box<Diagnostic>> {
        let most = |field| {
            let class = self.class(field);
            class.map_or(0, |class| self.tables.road.sections_per_end_and_month[class])
        };
        let here = most(start).min(most(end));
        // A branch or a new road from a town begins anew; only an end that grew this month goes on.
        let before = self.growth.0.get(&start).copied().filter(|_| !self.is_town(start));
        let (sections, slowest) = before.unwrap_or((0, i64::MAX));
        let slowest = slowest.min(here);
        if sections >= slowest {
            let finding = Diagnostic::error("E_GROWTH", span, &[rule::ROAD_06, rule::GAP_22]);
            return Err(Box::new(finding.with("max", slowest)));
        }
        self.growth.0.remove(&start);
        // Where it joins a town or another road, it has no open end any more.
        if !self.is_town(end) && self.ways(end).is_empty() {
            self.growth.0.insert(end, (sections + 1, slowest));
        } else {
            self.growth.0.remove(&end);
        }
        Ok(())
    }
}

/// The neighbours that standing roads lead to.
pub fn road_neighbours(state: &State, field: FieldIndex) -> impl Iterator<Item = FieldIndex> + '_ {
    let roads = state.field(field).roads;
    let around = state.chart.neighbours(field);
    around
        .filter(move |(direction, _)| roads.has(*direction))
        .map(|(_, other)| other)
}

/// `BRUECKE`: over a river between two own fields.
///
/// PYG-ROAD-09, -10, PYG-GAP-05.
fn build_bridge(
    turn: &mut MonthTurn<'_>,
    month: &mut Month,
    realm: RealmId,
    line: Span,
    from: &Spanned<Place>,
    to: &Spanned<Place>,
) {
    let own = |place: &Spanned<Place>| {
        let field = turn.state.field_at(place.value);
        field.filter(|field| turn.state.field(*field).owner == realm)
    };
    let (start, end) = (own(from), own(to));
    let Some(start) = start else {
        return wrong_place(turn, realm, from, "fit-road", &[rule::ROAD_10, rule::GAP_05]);
    };
    let Some(end) = end else {
        return wrong_place(turn, realm, to, "fit-road", &[rule::ROAD_10, rule::GAP_05]);
    };
    let Some(direction) = turn.state.chart.direction_to(start, end) else {
        let finding = Diagnostic::error("E_ADJ", to.span, &[rule::ROAD_09, rule::MAP_04]);
        let finding = finding.with("from", from.value.to_string());
        return turn.refuse(realm, finding.with("to", to.value.to_string()));
    };
    let here = turn.state.field(start);
    if !here.rivers.has(direction) || here.bridges.has(direction) {
        return wrong_place(turn, realm, to, "fit-bridge", &[rule::ROAD_09, rule::GAP_05]);
    }
    let cost = turn.tables.road.bridge_cost;
    if !treasury::spend(turn, month, realm, line, Price::new(cost, &[rule::ROAD_09])) {
        return;
    }
    turn.state.field_mut(start).bridges.insert(direction);
    turn.state.field_mut(end).bridges.insert(direction.opposite());
    open_at_once(turn, month, realm, [start, end]);
    let what = Affair::BridgeBuilt {
        from: from.value,
        to: to.value,
        n: cost,
    };
    let rules = &[rule::ROAD_01, rule::ROAD_09, rule::ROAD_10, rule::GAP_05, rule::GAP_22][..];
    month.emit(turn, Cause::Order(realm, line), rules, &[], what.of(realm));
}
