//! Fleets: they bring riders to free shores and hosts to those of enemies, where neither can march, and otherwise sail where the map ends
//! (PYG-SHIP-01..05, PYG-SEE-01).

use super::lures::{Lures, is_host};
use super::{Desk, ways};
use crate::codes::Kind;
use crate::shipping;
use crate::state::ArmyName;
use kernel::hex::FieldIndex;
use std::collections::BTreeSet;

/// Those who are needed at sea: they have their orders, or shall come to the shore.
#[derive(Default)]
pub(super) struct Crew {
    /// They march nowhere this month.
    pub busy: BTreeSet<ArmyName>,
    /// Who shall go aboard, and steps to where he can.
    pub called: Option<(ArmyName, Vec<u32>)>,
}

/// Writes a move for every fleet that has something to do, and for those whom it carries.
pub(super) fn sail(desk: &Desk<'_>, lures: &Lures, lines: &mut Vec<String>) -> Crew {
    let mut crew = Crew::default();
    let fleets = desk.armies(Kind::Fleet);
    if fleets.is_empty() {
        return crew;
    }
    let free = Harbours::at(desk, shores(desk, lures));
    let enemy = Harbours::at(desk, lures.overseas().clone());
    let own = Harbours::at(desk, own_coast(desk));
    let mut dark = None;
    for (name, ships, at) in fleets {
        let aboard: Vec<ArmyName> = desk.state.cargo(name.of(desk.realm)).map(|(id, _)| id.name).collect();
        if !aboard.is_empty() {
            let goes_to_war = aboard.iter().any(|army| army.kind == Kind::Warriors) && enemy.is_near(at);
            let goal = match (goes_to_war, free.is_near(at)) {
                (true, _) => &enemy,
                (false, true) => &free,
                (false, false) => &own,
            };
            carry(desk, goal, (name, at), &aboard, lines);
            crew.busy.extend(aboard);
            continue;
        }
        let (riders, hosts) = idle(desk, lures, ships, &crew);
        let waiting = [(&enemy, hosts), (&free, riders)]
            .into_iter()
            .find(|(goal, waiting)| goal.is_near(at) && !waiting.is_empty());
        if let Some((_, waiting)) = waiting
            && crew.called.is_none()
            && ferry(desk, &own, (name, at), &waiting, &mut crew, lines)
        {
            continue;
        }
        let dark = dark.get_or_insert_with(|| ways::steps(desk, darkness(desk), |_, to| is_open(desk, to)));
        explore(desk, dark, (name, at), lines);
    }
    crew
}

/// Land at which ships can put in, and the way there.
struct Harbours {
    land: BTreeSet<FieldIndex>,
    /// Steps over water to a field beside it.
    steps: Vec<u32>,
}

impl Harbours {
    fn at(desk: &Desk<'_>, land: BTreeSet<FieldIndex>) -> Self {
        let beside = |field: &FieldIndex| desk.state.chart.neighbours(*field).map(|(_, field)| field);
        let waters: BTreeSet<FieldIndex> = land
            .iter()
            .flat_map(beside)
            .filter(|field| is_open(desk, *field))
            .collect();
        let steps = ways::steps(desk, waters, |_, to| is_open(desk, to));
        Self { land, steps }
    }

    fn is_near(&self, at: FieldIndex) -> bool {
        self.steps.get(at.index()).is_some_and(|steps| *steps != ways::NONE)
    }

    /// The land beside a water.
    fn beside(&self, desk: &Desk<'_>, water: FieldIndex) -> Option<FieldIndex> {
        let mut around = desk.state.chart.neighbours(water).map(|(_, field)| field);
        around.find(|field| self.land.contains(field))
    }
}

/// Water that a ruler knows, without reefs and without anything that could be dangerous.
fn is_open(desk: &Desk<'_>, field: FieldIndex) -> bool {
    let ground = &desk.tables.terrain[desk.field(field).terrain];
    ground.water && !ground.reef && desk.danger(field) == 0
}

/// Free land worth taking, and land of strangers who should be greeted, to which no army of the realm can march.
fn shores(desk: &Desk<'_>, lures: &Lures) -> BTreeSet<FieldIndex> {
    let fields = desk.state.chart.fields();
    let is_strangers = |field: FieldIndex| crate::imagine::is_banner(desk.field(field).owner);
    fields
        .filter(|field| lures.is_wanted(*field) || is_strangers(*field))
        .filter(|field| !lures.is_on_foot(*field) && desk.danger(*field) == 0)
        .filter(|field| shipping::may_land(desk.tables, &desk.state, *field))
        .collect()
}

/// Own land from which armies can go aboard.
fn own_coast(desk: &Desk<'_>) -> BTreeSet<FieldIndex> {
    let land = desk.land().into_iter();
    land.filter(|field| {
        shipping::may_land(desk.tables, &desk.state, *field) && desk.state.is_coastal(desk.tables, *field)
    })
    .collect()
}

/// Known waters at the edge of the map.
fn darkness(desk: &Desk<'_>) -> Vec<FieldIndex> {
    let fields = desk.state.chart.fields();
    fields
        .filter(|field| is_open(desk, *field) && desk.borders_on_darkness(*field))
        .collect()
}

/// So much of a way as a fleet sails in a month: six fields along the own coast, else four (PYG-MOVE-01, PYG-GAP-23).
fn month_of(desk: &Desk<'_>, way: &[FieldIndex]) -> Vec<FieldIndex> {
    let figures = &desk.tables.movement;
    let is_home = |field: &FieldIndex| {
        let near = desk.state.chart.range(*field, figures.home_water_distance);
        near.into_iter().any(|field| desk.is_own(field))
    };
    let take = |range: i64| -> Vec<FieldIndex> {
        let steps = usize::try_from(range).unwrap_or(0);
        way.iter().take(steps + 1).copied().collect()
    };
    let long = take(figures.inside[Kind::Fleet]);
    if long.iter().skip(1).all(is_home) {
        long
    } else {
        take(figures.outside[Kind::Fleet])
    }
}

/// Writes a fleet's move, if it is one.
fn order(desk: &Desk<'_>, name: ArmyName, fields: &[FieldIndex], lines: &mut Vec<String>) {
    if fields.len() > 1 {
        lines.push(format!("ZUG {name}: {}; {}", desk.path(fields), desk.manners()));
    }
}

/// Sails on with whoever is aboard, and puts him ashore on arrival.
fn carry(
    desk: &Desk<'_>,
    goal: &Harbours,
    (name, at): (ArmyName, FieldIndex),
    aboard: &[ArmyName],
    lines: &mut Vec<String>,
) {
    let way = ways::way(desk, at, &goal.steps, |_, to| is_open(desk, to));
    let month = month_of(desk, &way);
    let Some(end) = month.last().copied() else { return };
    order(desk, name, &month, lines);
    let Some(land) = goal.beside(desk, end).filter(|_| month.len() == way.len()) else {
        return;
    };
    for passenger in aboard {
        // Riders greet strangers, hosts do not (PYG-GAP-39).
        let stance = match (desk.is_foreign(land), passenger.kind) {
            (true, Kind::Warriors) => "A",
            (true, _) => "V",
            (false, _) => desk.manners(),
        };
        let path = desk.path(&[end, land]);
        lines.push(format!("ZUG {passenger}: {path}; {stance}, AUS"));
    }
}

type Waiting = Vec<(ArmyName, FieldIndex)>;

/// Riders and hosts who find nothing to do where they can march, and for whom the ships have room.
fn idle(desk: &Desk<'_>, lures: &Lures, ships: i64, crew: &Crew) -> (Waiting, Waiting) {
    let waiting = |kind: Kind, idles: &dyn Fn(i64, FieldIndex) -> bool| -> Waiting {
        let fits = |count: i64| shipping::ships_for(desk.tables, [(kind, count)]) <= ships;
        let armies = desk.armies(kind).into_iter();
        armies
            .filter(|(name, count, from)| !crew.busy.contains(name) && fits(*count) && idles(*count, *from))
            .map(|(name, _, from)| (name, from))
            .collect()
    };
    (
        waiting(Kind::Riders, &|_, from| lures.is_idle(from)),
        waiting(Kind::Warriors, &|count, from| {
            is_host(desk, count) && lures.is_at_peace(from)
        }),
    )
}

/// Takes somebody aboard who stands beside the fleet, or waits for him on the own coast. Whether there is anybody to wait for.
fn ferry(
    desk: &Desk<'_>,
    own: &Harbours,
    (name, at): (ArmyName, FieldIndex),
    waiting: &Waiting,
    crew: &mut Crew,
    lines: &mut Vec<String>,
) -> bool {
    let way = ways::way(desk, at, &own.steps, |_, to| is_open(desk, to));
    if way.len() > 1 {
        order(desk, name, &month_of(desk, &way), lines);
        return true;
    }
    let quays: Vec<FieldIndex> = desk
        .state
        .chart
        .neighbours(at)
        .map(|(_, field)| field)
        .filter(|field| own.land.contains(field))
        .collect();
    if let Some((army, from)) = waiting.iter().find(|(_, from)| quays.contains(from)) {
        lines.push(format!("ZUG {army}: {}; EIN {name}", desk.path(&[*from, at])));
        crew.busy.insert(*army);
        return true;
    }
    let steps = ways::steps(desk, quays, |from, to| desk.can_walk(from, to));
    let nearest = waiting
        .iter()
        .filter(|(_, from)| steps[from.index()] != ways::NONE)
        .min_by_key(|(_, from)| steps[from.index()]);
    let Some((army, _)) = nearest else { return false };
    crew.called = Some((*army, steps));
    true
}

/// Sails to where more of the world can be seen.
fn explore(desk: &Desk<'_>, dark: &[u32], (name, at): (ArmyName, FieldIndex), lines: &mut Vec<String>) {
    let way = ways::way(desk, at, dark, |_, to| is_open(desk, to));
    order(desk, name, &month_of(desk, &way), lines);
}
