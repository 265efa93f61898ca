//! What draws armies: land worth taking, enemies in the own realm, and the edge of the map; and how far it is.

use super::{Desk, luxury, ways};
use crate::codes::Kind;
use crate::shipping;
use kernel::hex::FieldIndex;
use std::collections::BTreeSet;

/// Creatures with fewer points than this keep nobody from wanting a field.
const BEATABLE: i64 = 6;

/// How far every field is from what draws an army.
pub(super) struct Lures {
    wanted: Vec<bool>,
    /// Steps to the nearest free land worth taking.
    pub free: Vec<u32>,
    /// Steps to the nearest land of a realm on which this ruler makes war, or to enemies in the own realm.
    pub war: Vec<u32>,
    /// Steps to the edge of the known land.
    pub dark: Vec<u32>,
    /// Steps to the nearest own field.
    home: Vec<u32>,
    /// Land of others at the coast to which no host can march.
    overseas: BTreeSet<FieldIndex>,
}

impl Lures {
    pub(super) fn of(desk: &Desk<'_>) -> Self {
        let fields = || desk.state.chart.fields();
        let wanted: Vec<bool> = fields().map(|field| is_wanted(desk, field)).collect();
        let walks = |from: FieldIndex, to: FieldIndex| desk.can_walk(from, to);
        let safe = |from: FieldIndex, to: FieldIndex| {
            let is_hard = desk.tables.terrain[desk.field(from).terrain].difficult && !desk.is_own(from);
            walks(from, to) && !is_hard && !desk.is_foreign(from)
        };
        let home = ways::steps(desk, desk.land(), walks);
        let free = fields().filter(|field| wanted[field.index()] && desk.danger(*field) < BEATABLE);
        let war = fields().filter(|field| is_battleground(desk, *field));
        let dark = fields().filter(|field| desk.is_known_land(*field) && desk.borders_on_darkness(*field));
        Self {
            free: ways::steps(desk, free, walks),
            war: ways::steps(desk, war, walks),
            dark: ways::steps(desk, dark, safe),
            overseas: overseas(desk, &home),
            home,
            wanted,
        }
    }

    /// Whether it is free land worth taking.
    pub(super) fn is_wanted(&self, field: FieldIndex) -> bool {
        self.wanted.get(field.index()).copied().unwrap_or(false)
    }

    /// Whether armies can march there from the own realm.
    pub(super) fn is_on_foot(&self, field: FieldIndex) -> bool {
        self.home.get(field.index()).is_some_and(|steps| *steps != ways::NONE)
    }

    /// Whether whoever stands here finds nothing to take.
    pub(super) fn is_idle(&self, field: FieldIndex) -> bool {
        self.free.get(field.index()).is_none_or(|steps| *steps == ways::NONE)
    }

    /// The shores on which this ruler makes war.
    pub(super) const fn overseas(&self) -> &BTreeSet<FieldIndex> {
        &self.overseas
    }

    /// Warriors of the largest host that has no enemy but overseas.
    pub(super) fn overseas_host(&self, desk: &Desk<'_>) -> Option<i64> {
        let hosts = desk.armies(Kind::Warriors).into_iter();
        let idle = hosts.filter(|(_, count, from)| is_host(desk, *count) && self.is_at_peace(*from));
        idle.map(|(_, count, _)| count)
            .max()
            .filter(|_| !self.overseas.is_empty())
    }

    /// Whether whoever stands here has no enemy to whom he can march.
    pub(super) fn is_at_peace(&self, field: FieldIndex) -> bool {
        self.war.get(field.index()).is_none_or(|steps| *steps == ways::NONE)
    }

    /// What draws an army from where it stands.
    pub(super) fn for_army(&self, kind: Kind, host: bool, from: FieldIndex) -> Option<&Vec<u32>> {
        let reaches = |steps: &&Vec<u32>| steps.get(from.index()).is_some_and(|steps| *steps != ways::NONE);
        let war = Some(&self.war).filter(|_| host);
        let dark = Some(&self.dark).filter(|_| kind == Kind::Riders);
        [war, Some(&self.free), dark].into_iter().flatten().find(reaches)
    }
}

/// Whether warriors are enough to conquer, with some to spare (PYG-EXP-03).
pub(super) const fn is_host(desk: &Desk<'_>, warriors: i64) -> bool {
    warriors >= desk.tables.armies.conquest_min * 11 / 10
}

/// Land of others at the coast that is worth a war and cannot be reached by land.
fn overseas(desk: &Desk<'_>, home: &[u32]) -> BTreeSet<FieldIndex> {
    let fields = desk.state.chart.fields();
    fields
        .filter(|field| is_battleground(desk, *field) && home[field.index()] == ways::NONE)
        .filter(|field| shipping::may_land(desk.tables, &desk.state, *field))
        .collect()
}

/// Free land, as far as the people allow that there be more of it (PYG-LUX-04).
fn is_wanted(desk: &Desk<'_>, field: FieldIndex) -> bool {
    desk.is_known_land(field)
        && !desk.field(field).owner.is_played()
        && desk.luxury_met
        && (!luxury::is_close(desk) || luxury::is_scarce(desk, field))
}

/// Where hosts are needed: against whoever stands in the own realm, and in lands on which this ruler makes war.
fn is_battleground(desk: &Desk<'_>, field: FieldIndex) -> bool {
    let invaded = desk.is_own(field) && desk.danger(field) > 0;
    let coveted = desk.warlike && desk.luxury_met && desk.is_foreign(field) && desk.is_known_land(field);
    invaded || coveted
}
