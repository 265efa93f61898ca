//! Damaging buildings and tearing down roads, bridges and walls (THO-CMD-06, -07, THO-SPEC-12, GAP-15).

use crate::codes::{Building, Command, Condition, Network, Treaty};
use crate::event::Happening;
use crate::hostility;
use crate::order::Special;
use crate::plunder::is_enough;
use crate::rule;
use crate::season::{Season, SeasonTurn};
use crate::state::{ArmyId, Field, Sides, State};
use kernel::diagnostic::{Diagnostic, Span};
use kernel::hex::{Direction, FieldIndex};
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use std::collections::BTreeMap;

/// D2: armies with Z destroy what their special names, on the field they were to reach.
///
/// THO-CMD-06, THO-SPEC-12: reached and named. THO-UNIT-07: strong enough. THO-UNIT-10, -14: engines only where they stood
/// all turn. GAP-15: no treaty with the owner, nobody without a treaty there. THO-CMD-07: one state a turn, however many; each of
/// them has had its share in it and is told so.
pub fn destroy(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let wreckers: Vec<ArmyId> = turn
        .state
        .armies
        .iter()
        .filter(|(_, army)| army.command == Command::Destroy && army.is_free())
        .map(|(id, _)| *id)
        .collect();
    let mut struck = Struck::new();
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

/// What has been brought down this turn: the next army that was sent for it finds the work done.
type Struck = BTreeMap<(FieldIndex, Target), Happening>;

/// What a special with Z names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
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

    /// The rule behind what becomes of it.
    const fn rule(self) -> RuleId {
        match self {
            Self::Building(_) => rule::BLD_18,
            Self::Side(..) => rule::GAP_05,
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

fn strike(turn: &mut SeasonTurn<'_>, season: &mut Season, struck: &mut Struck, id: ArmyId, target: Target, span: Span) {
    let Some(army) = turn.state.army(id) else { return };
    let place = army.field;
    let field = turn.state.field(place);
    let (owner, own) = (field.owner, field.owner == id.realm);
    if season.plan(id).is_none_or(|plan| plan.aim != Some(place)) {
        return;
    }
    let nothing_for = |turn: &SeasonTurn<'_>, wanted: &'static str| {
        let seen = turn.state.place(id.realm, place);
        Diagnostic::error("A25", span, &[rule::SPEC_12, rule::CMD_06, rule::GAP_15])
            .with("x", i64::from(seen.x))
            .with("y", i64::from(seen.y))
            .with_word("spezial", "passive-destroy")
            .with_word("gesucht", wanted)
    };
    if !own && turn.state.treaty(owner, id.realm) != Treaty::NoTreaty {
        let why = nothing_for(turn, "wanted-destroy-no-treaty");
        turn.refuse(id.realm, why);
        return;
    }
    if let Some(why) = weakness(turn, season, id, span) {
        turn.refuse(id.realm, why);
        return;
    }
    if let Some(done) = struck.get(&(place, target)) {
        let what = shared(done, id);
        let rules = reasons(id, target.rule());
        season.emit(turn, season.cause(id, "destroy"), rules, &[], what);
        return;
    }
    if !target.stands_on(field, own, turn.tables.of(id.realm).build.owner_may_clear_ruin) {
        let why = nothing_for(turn, "wanted-destroy");
        turn.refuse(id.realm, why);
        return;
    }
    if hostility::visible_foreign_army_without_treaty(turn.tables, &turn.state, season, place, id.realm) {
        let why = nothing_for(turn, "wanted-destroy-unguarded");
        turn.refuse(id.realm, why);
        return;
    }
    let done = match target {
        Target::Building(building) => damage(turn, id, place, building),
        Target::Side(network, direction) => {
            // An edge that is gone is gone for whoever stands on its other side, too.
            if let Some(beyond) = beyond(&turn.state, place, network, direction) {
                let end = (beyond, Target::Side(network, direction.opposite()));
                struck.insert(end, torn(&turn.state, id, beyond, network, direction.opposite()));
            }
            tear(turn, id, place, network, direction)
        }
    };
    season.emit(
        turn,
        season.cause(id, "destroy"),
        reasons(id, target.rule()),
        &[],
        done.clone(),
    );
    struck.insert((place, target), done);
}

/// What an army is told that came to a work already done. The owner has been told by the first.
fn shared(done: &Happening, id: ArmyId) -> Happening {
    let mut what = done.clone();
    match &mut what {
        Happening::BuildingDamaged { army, owner, .. } | Happening::NetworkTorn { army, owner, .. } => {
            (*army, *owner) = (id, RealmId::NOBODY);
        }
        Happening::RuinCleared { army, .. } => *army = id,
        _ => {}
    }
    what
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
fn damage(turn: &mut SeasonTurn<'_>, army: ArmyId, place: FieldIndex, building: Building) -> Happening {
    let field = turn.state.field_mut(place);
    let owner = field.owner;
    let condition = field.site.as_deref_mut().map(|site| {
        let was = site.condition;
        site.condition = was.worse();
        if site.condition == Condition::Ruin {
            // Nothing is left on which masons could go on.
            site.works = None;
        }
        (was, site.condition)
    });
    match condition {
        Some((was, condition)) if was != Condition::Ruin => Happening::BuildingDamaged {
            army,
            field: place,
            owner,
            building,
            condition,
        },
        _ => {
            field.site = None;
            Happening::RuinCleared {
                army,
                field: place,
                building,
            }
        }
    }
}

/// The field on the other side of the edge, if what stands on it belongs to both: a wall belongs to its field alone (GAP-05).
fn beyond(state: &State, place: FieldIndex, network: Network, direction: Direction) -> Option<FieldIndex> {
    state
        .grid
        .neighbour(place, direction)
        .filter(|_| network != Network::Wall)
}

/// THO-CMD-07, GAP-05: at once; roads and bridges belong to the edge and go on both sides, a wall to its field alone.
fn tear(
    turn: &mut SeasonTurn<'_>,
    army: ArmyId,
    place: FieldIndex,
    network: Network,
    direction: Direction,
) -> Happening {
    let beyond = beyond(&turn.state, place, network, direction);
    let ends = std::iter::once((place, direction)).chain(beyond.map(|field| (field, direction.opposite())));
    for (field, direction) in ends {
        let field = turn.state.field_mut(field);
        match network {
            Network::Road => field.roads.remove(direction),
            Network::Bridge => field.bridges.remove(direction),
            Network::Wall => field.walls.remove(direction),
        }
    }
    torn(&turn.state, army, place, network, direction)
}

fn torn(state: &State, army: ArmyId, place: FieldIndex, network: Network, direction: Direction) -> Happening {
    Happening::NetworkTorn {
        army,
        field: place,
        owner: state.field(place).owner,
        network,
        direction,
    }
}
