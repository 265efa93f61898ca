//! Damaging buildings and tearing down roads, bridges and walls (THO-CMD-06, -07, THO-SPEC-12, GAP-15).

use crate::codes::{Building, Command, Condition, Network, Treaty};
use crate::event::Happening;
use crate::hostility;
use crate::order::Special;
use crate::plunder::is_enough;
use crate::rule;
use crate::season::{Season, SeasonTurn};
use crate::state::{ArmyId, Field, Sides};
use kernel::diagnostic::{Diagnostic, Span};
use kernel::hex::{Direction, FieldIndex};
use kernel::rule::RuleId;
use std::collections::BTreeSet;

/// D2: armies with Z destroy what their special names, on the field they were to reach.
///
/// THO-CMD-06, THO-SPEC-12: reached and named. THO-UNIT-07: strong enough. THO-UNIT-10, -14: engines only where they stood
/// all turn. GAP-15: no treaty with the owner, nobody without a treaty there. THO-CMD-07: one state a turn, however many.
pub fn destroy(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let wreckers: Vec<ArmyId> = turn
        .state
        .armies
        .iter()
        .filter(|(_, army)| army.command == Command::Destroy && army.is_free())
        .map(|(id, _)| *id)
        .collect();
    let mut struck = BTreeSet::new();
    for id in wreckers {
        let Some(special) = season.plan(id).and_then(|plan| plan.special) else {
            continue;
        };
        let target = match special.value {
            Special::Raze(building) => Target::Building(building),
            Special::Cut(network, direction) => Target::Side(network, direction),
            _ => continue,
        };
        season.plan_mut(id).special_done = true;
        strike(turn, season, &mut struck, id, target, special.span);
    }
}

/// What a special with Z names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Target {
    Building(Building),
    Side(Network, Direction),
}

impl Target {
    /// Whether it can be destroyed on this field. A ruin cannot be damaged further; its owner may clear it away.
    fn stands_on(self, field: &Field, own: bool, clears: bool) -> bool {
        match self {
            Self::Building(building) => field.building().is_some_and(|site| {
                let clearable = own && clears && !matches!(building, Building::Mine | Building::Gate);
                site.building == building && (site.condition != Condition::Ruin || clearable)
            }),
            Self::Side(network, direction) => sides(field, network).has(direction),
        }
    }
}

const fn sides(field: &Field, network: Network) -> Sides {
    match network {
        Network::Road => field.roads,
        Network::Bridge => field.bridges,
        Network::Wall => field.walls,
    }
}

fn strike(
    turn: &mut SeasonTurn<'_>,
    season: &mut Season,
    struck: &mut BTreeSet<FieldIndex>,
    id: ArmyId,
    target: Target,
    span: Span,
) {
    let Some(army) = turn.state.army(id) else { return };
    let place = army.field;
    let field = turn.state.field(place);
    let (owner, own) = (field.owner, field.owner == id.realm);
    let reached = season.plan(id).is_some_and(|plan| plan.aim == Some(place));
    let at_odds = own || turn.state.treaty(owner, id.realm) == Treaty::NoTreaty;
    if !reached || !at_odds {
        return;
    }
    // Several armies at one building bring it down by one state, and none of them is at fault.
    if matches!(target, Target::Building(_)) && struck.contains(&place) {
        return;
    }
    if let Some(why) = weakness(turn, season, id, span) {
        turn.refuse(id.realm, why);
        return;
    }
    if !target.stands_on(field, own, turn.tables.of(id.realm).build.owner_may_clear_ruin) {
        let seen = turn.state.place(id.realm, place);
        let why = Diagnostic::error("A25", span, &[rule::SPEC_12, rule::CMD_06, rule::GAP_15])
            .with("x", i64::from(seen.x))
            .with("y", i64::from(seen.y))
            .with_word("spezial", "passive-destroy")
            .with_word("gesucht", "wanted-destroy");
        turn.refuse(id.realm, why);
        return;
    }
    if hostility::visible_foreign_army_without_treaty(turn.tables, &turn.state, season, place, id.realm) {
        return;
    }
    match target {
        Target::Building(building) => {
            struck.insert(place);
            damage(turn, season, id, place, building);
        }
        Target::Side(network, direction) => tear(turn, season, id, place, network, direction),
    }
}

/// THO-UNIT-07, -10, -14, GAP-35: why an army cannot destroy anything. Engines count only where nothing moved them this turn.
fn weakness(turn: &SeasonTurn<'_>, season: &Season, id: ArmyId, span: Span) -> Option<Diagnostic> {
    let figures = turn.tables.of(id.realm);
    let plan = season.plan(id)?;
    let parts: Vec<(i64, Option<i64>)> = season
        .parts(id)
        .into_iter()
        .filter_map(|part| {
            let able = !(plan.moved && part.kind().is_engine());
            let least = figures.destroy_min(part.kind()).filter(|_| able);
            turn.state.army(part).map(|army| (army.count, least))
        })
        .collect();
    if is_enough(&parts) {
        return None;
    }
    if plan.moved && id.kind().is_engine() {
        let rules = &[rule::UNIT_10, rule::UNIT_14, rule::GAP_15];
        return Some(Diagnostic::error("A36", plan.route_span, rules).with("armee", id.name.to_string()));
    }
    let least = parts.iter().filter_map(|(_, least)| *least).min().unwrap_or(0);
    let why = Diagnostic::error("A27", span, &[rule::UNIT_07, rule::CMD_06, rule::GAP_15])
        .with("armee", id.name.to_string())
        .with("n", parts.iter().map(|(count, _)| count).sum::<i64>())
        .with("min", least);
    Some(why)
}

/// The rules behind a destruction: those of every one, of this kind, and of groups.
fn reasons(id: ArmyId, of_kind: RuleId) -> Vec<RuleId> {
    let mut rules = vec![
        rule::CMD_06,
        rule::CMD_07,
        rule::SPEC_12,
        rule::UNIT_07,
        rule::GAP_15,
        of_kind,
    ];
    if id.kind().is_group() {
        rules.push(rule::GAP_35);
    }
    rules
}

/// THO-CMD-07, GAP-15: one state down; the owner clears his own ruin away.
fn damage(turn: &mut SeasonTurn<'_>, season: &Season, id: ArmyId, place: FieldIndex, building: Building) {
    let cause = season.cause(id, "destroy");
    let rules = reasons(id, rule::BLD_18);
    let field = turn.state.field_mut(place);
    let owner = field.owner;
    let Some(site) = field.site.as_deref_mut() else { return };
    if site.condition == Condition::Ruin {
        field.site = None;
        season.emit(
            turn,
            cause,
            rules,
            &[],
            Happening::RuinCleared {
                army: id,
                field: place,
                building,
            },
        );
        return;
    }
    site.condition = site.condition.worse();
    if site.condition == Condition::Ruin {
        // Nothing is left on which masons could go on.
        site.works = None;
    }
    let what = Happening::BuildingDamaged {
        army: id,
        field: place,
        owner,
        building,
        condition: site.condition,
    };
    season.emit(turn, cause, rules, &[], what);
}

/// THO-CMD-07, GAP-05: at once; roads and bridges belong to the edge and go on both sides, a wall to its field alone.
fn tear(
    turn: &mut SeasonTurn<'_>,
    season: &Season,
    id: ArmyId,
    place: FieldIndex,
    network: Network,
    direction: Direction,
) {
    let owner = turn.state.field(place).owner;
    let beyond = turn
        .state
        .grid
        .neighbour(place, direction)
        .filter(|_| network != Network::Wall);
    let ends = std::iter::once((place, direction)).chain(beyond.map(|field| (field, direction.opposite())));
    for (field, direction) in ends {
        let field = turn.state.field_mut(field);
        match network {
            Network::Road => field.roads.remove(direction),
            Network::Bridge => field.bridges.remove(direction),
            Network::Wall => field.walls.remove(direction),
        }
    }
    let rules = reasons(id, rule::GAP_05);
    let what = Happening::NetworkTorn {
        army: id,
        field: place,
        owner,
        network,
        direction,
    };
    season.emit(turn, season.cause(id, "destroy"), rules, &[], what);
}
