//! Monsters, free demons and troops of realm 0 (THO-MON, THO-DEM-05, GAP-28).

use crate::codes::{Command, Flag, Kind, Season as Quarter};
use crate::event::Happening;
use crate::geo;
use crate::movement::{Traveller, way};
use crate::order::WEEKS;
use crate::rule;
use crate::season::{Season, SeasonTurn, aim, shown_flag};
use crate::state::{Army, ArmyId, State};
use crate::tables::Tables;
use crate::tables::rulings::Pack;
use kernel::dice::Owner;
use kernel::hex::{Direction, FieldIndex};
use kernel::ratio::{Rounding, percent};
use kernel::realm::RealmId;
use kernel::turn::Cause;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

const STEP: &str = "breed";

/// Whether a kind of monster lives on a field (THO-MON-01, THO-MON-02): its height and its climate.
pub fn suits(tables: &Tables, state: &State, pack: &Pack, field: FieldIndex) -> bool {
    let height = tables.height(state.field(field).terrain);
    height.is_some_and(|height| pack.heights.contains(&height))
        && pack.climates.contains(&geo::climate(&tables.world, &state.grid, field))
}

/// The kinds of monsters that live on a field, in the order of the army table.
pub fn natives(tables: &Tables, state: &State, field: FieldIndex) -> Vec<Kind> {
    let packs = tables.monsters.kind.iter();
    let native = |pack: &Option<Pack>| pack.as_ref().is_some_and(|pack| suits(tables, state, pack, field));
    packs.filter(|(_, pack)| native(pack)).map(|(kind, _)| kind).collect()
}

/// What an army of realm 0 does when it meets others: monsters by their nature, normal demons plunder, archdemons attack,
/// troops defend (THO-MON-01, THO-MON-02, THO-DEM-05, GAP-28).
pub fn temper(tables: &Tables, kind: Kind) -> Command {
    match kind {
        Kind::Demon => Command::Plunder,
        Kind::Archdemon => Command::Attack,
        _ => tables.monsters.kind[kind]
            .as_ref()
            .map_or(Command::Defend, |pack| pack.command),
    }
}

/// What a pack has become after a spring: a fifth more, up to three times the largest new pack (GAP-28).
pub fn grown(tables: &Tables, pack: &Pack, heads: i64) -> i64 {
    let monsters = &tables.monsters;
    let most = pack.size.max.saturating_mul(monsters.cap_factor).max(heads);
    let more = percent(heads, monsters.growth_pct_each_spring, Rounding::HalfUp);
    heads.saturating_add(more).min(most)
}

/// Phase A: what the armies of realm 0 will do this turn.
///
/// GAP-28: everyone takes up the command of its nature, which a blessing may soothe afterwards. Monsters and normal demons
/// roam with 30 in 100, archdemons hunt what is near and roam if there is nothing, troops stand.
pub fn plan(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let wild: Vec<ArmyId> = turn.state.armies_of(RealmId::NOBODY).map(|(id, _)| id).collect();
    let mut ranks: BTreeMap<(FieldIndex, Kind), u32> = BTreeMap::new();
    for id in wild {
        let command = temper(turn.tables, id.kind());
        let Some(army) = turn.state.armies.get_mut(&id) else {
            continue;
        };
        army.command = command;
        army.flag = Flag::Shown;
        let from = army.field;
        let rank = ranks.entry((from, id.kind())).or_default();
        *rank += 1;
        let prey = (id.kind() == Kind::Archdemon).then(|| hunt(turn, season, from));
        match prey.flatten() {
            Some(route) => set_out(turn, season, id, from, 1, &route),
            None if id.kind().is_monster() || id.kind().is_demon() => roam(turn, season, id, from, *rank),
            None => {}
        }
    }
}

/// One step to a suitable field in a week of the season, or none.
///
/// One die decides whether a pack moves; week and way are rolled only for those that do. The dice are named by the pack's
/// place and its rank among its kind there: its number depends on packs at the other end of the world.
fn roam(turn: &mut SeasonTurn<'_>, season: &mut Season, id: ArmyId, from: FieldIndex, rank: u32) {
    let chance = turn.tables.monsters.move_pct_per_turn;
    let nature = if id.kind().is_demon() {
        rule::DEM_05
    } else {
        rule::MON_04
    };
    let pack = format!("{} {rank} at {}", id.kind(), turn.state.place(RealmId::NOBODY, from));
    if chance == 0 || turn.roll(nature, Owner::World, &format!("{pack} moves"), 1, 100).value > chance {
        return;
    }
    let ways = haunts(turn.tables, &turn.state, id.kind(), from);
    let Some(last) = i64::try_from(ways.len()).ok().filter(|ways| *ways > 0) else {
        return;
    };
    let week = turn.roll(nature, Owner::World, &format!("{pack} week"), 1, WEEKS as i64);
    let chosen = turn.roll(nature, Owner::World, &format!("{pack} way"), 1, last);
    let way = usize::try_from(chosen.value - 1).ok().and_then(|way| ways.get(way));
    if let Some(direction) = way {
        let week = usize::try_from(week.value).unwrap_or(1);
        set_out(turn, season, id, from, week, &[*direction]);
    }
}

/// The directions in which a monster or demon finds ground that suits it, by their digits.
fn haunts(tables: &Tables, state: &State, kind: Kind, from: FieldIndex) -> Vec<Direction> {
    let traveller = Traveller::alone(RealmId::NOBODY, kind);
    let pack = tables.monsters.kind[kind].as_ref();
    let leads_home = |direction: &Direction| {
        way(tables, state, traveller, from, *direction)
            .is_ok_and(|way| pack.is_none_or(|pack| suits(tables, state, pack, way.to)))
    };
    Direction::ALL.into_iter().filter(leads_home).collect()
}

/// The way to the nearest army that an archdemon can reach within his scent; nothing if there is none. An army on his own
/// field needs no way. Of several equally near the one on the field with the lowest number is hunted.
///
/// THO-DEM-05, GAP-28. Who is unseen (GAP-14) is not scented: his place would show in the demon's way.
fn hunt(turn: &SeasonTurn<'_>, season: &Season, from: FieldIndex) -> Option<Vec<Direction>> {
    let state = &turn.state;
    let traveller = Traveller::alone(RealmId::NOBODY, Kind::Archdemon);
    let scent = usize::try_from(turn.tables.monsters.archdemon_hunting_distance).unwrap_or(0);
    let is_prey = |field: FieldIndex| {
        let mut armies = season.on(field).filter(|id| id.realm.is_played());
        armies.any(|id| shows(turn, id))
    };
    let mut known = BTreeSet::from([from]);
    let mut open = VecDeque::from([(from, Vec::new())]);
    let mut best: Option<(usize, FieldIndex, Vec<Direction>)> = None;
    while let Some((field, route)) = open.pop_front() {
        if best.as_ref().is_some_and(|(steps, _, _)| route.len() > *steps) {
            break;
        }
        if is_prey(field) && best.as_ref().is_none_or(|(_, other, _)| field < *other) {
            best = Some((route.len(), field, route.clone()));
        }
        if route.len() == scent {
            continue;
        }
        for direction in Direction::ALL {
            if let Ok(way) = way(turn.tables, state, traveller, field, direction)
                && known.insert(way.to)
            {
                let mut further = route.clone();
                further.push(direction);
                open.push_back((way.to, further));
            }
        }
    }
    best.map(|(_, _, route)| route)
}

/// Whether an army stands there for everyone to see (GAP-14).
fn shows(turn: &SeasonTurn<'_>, id: ArmyId) -> bool {
    let army = turn.state.army(id);
    army.is_some_and(|army| shown_flag(turn.tables, id, army) != Flag::Unseen)
}

/// Writes digits into the plan of an army of realm 0, from `week` on.
fn set_out(
    turn: &SeasonTurn<'_>,
    season: &mut Season,
    id: ArmyId,
    from: FieldIndex,
    week: usize,
    digits: &[Direction],
) {
    let plan = season.plan_mut(id);
    let weeks = plan.route.iter_mut().skip(week.saturating_sub(1));
    for (place, direction) in weeks.zip(digits) {
        *place = Some(*direction);
    }
    plan.aim = aim(&turn.state.grid, from, &plan.route);
}

/// D10: growth and spawning in spring.
///
/// THO-MON-03, THO-MON-04, GAP-28: wild packs grow, tamed ones do not; then new ones appear on suitable fields of realm 0
/// without an army. Who is unseen (GAP-14) keeps none away: that none appears would betray him.
pub fn breed(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    if turn.tables.season(season.turn) != Quarter::Spring {
        return;
    }
    grow(turn, season);
    let chance = turn.tables.monsters.spawn_per_mille_each_spring;
    if chance == 0 {
        return;
    }
    for field in turn.state.grid.fields() {
        let ground = turn.state.field(field);
        let free = !ground.owner.is_played() || !turn.tables.monsters.spawn_only_on_realm0_land;
        if !free || season.on(field).any(|id| shows(turn, id)) {
            continue;
        }
        let kinds = natives(turn.tables, &turn.state, field);
        if kinds.is_empty() {
            continue;
        }
        let place = turn.state.place(RealmId::NOBODY, field);
        let die = turn.roll(rule::MON_04, Owner::World, &format!("spawn at {place}"), 1, 1_000);
        if die.value <= chance {
            appear(turn, season, field, &kinds);
        }
    }
}

/// Every wild pack that can still grow.
fn grow(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let wild: Vec<ArmyId> = turn.state.armies_of(RealmId::NOBODY).map(|(id, _)| id).collect();
    for id in wild {
        let Some(pack) = &turn.tables.monsters.kind[id.kind()] else {
            continue;
        };
        let Some(army) = turn.state.armies.get_mut(&id) else {
            continue;
        };
        let count = grown(turn.tables, pack, army.count);
        if count > army.count {
            army.count = count;
            let rules = &[rule::MON_03, rule::MON_04, rule::GAP_28][..];
            let what = Happening::MonstersGrew { army: id, count };
            season.emit(turn, Cause::Step(STEP), rules, &[], what);
        }
    }
}

/// A new pack of one of the kinds that live on the field, each with the same chance.
fn appear(turn: &mut SeasonTurn<'_>, season: &mut Season, field: FieldIndex, kinds: &[Kind]) {
    let place = turn.state.place(RealmId::NOBODY, field);
    let last = i64::try_from(kinds.len()).unwrap_or(1);
    let chosen = if last > 1 {
        let subject = format!("kind at {place}");
        turn.roll(rule::MON_04, Owner::World, &subject, 1, last).value
    } else {
        1
    };
    let kind = usize::try_from(chosen - 1).ok().and_then(|at| kinds.get(at).copied());
    let Some((kind, pack)) = kind.and_then(|kind| Some((kind, turn.tables.monsters.kind[kind].as_ref()?))) else {
        return;
    };
    let size = pack.size;
    let heads = turn.roll(
        rule::MON_04,
        Owner::World,
        &format!("size at {place}"),
        size.min,
        size.max,
    );
    let id = ArmyId::new(RealmId::NOBODY, kind, turn.state.free_number(RealmId::NOBODY, kind));
    season.add(&mut turn.state, id, new_pack(turn.tables, kind, heads.value, field));
    let habitat = if kind.sails() { rule::MON_01 } else { rule::MON_02 };
    let what = Happening::MonstersAppeared {
        army: id,
        field,
        count: heads.value,
    };
    let rules = vec![rule::MON_04, habitat, rule::GAP_28];
    season.emit(turn, Cause::Step(STEP), rules, &[heads], what);
}

/// A pack as it comes into the world.
pub fn new_pack(tables: &Tables, kind: Kind, heads: i64, field: FieldIndex) -> Army {
    let points = i32::try_from(tables.movement_points(kind)).unwrap_or(i32::MAX);
    Army {
        command: temper(tables, kind),
        ..Army::new(heads, field, points)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pack(tables: &Tables, kind: Kind) -> Pack {
        tables.monsters.kind[kind].clone().expect("a monster")
    }

    #[test]
    fn packs_grow_by_a_fifth_rounded_half_up() {
        let tables = Tables::book();
        let goblins = pack(&tables, Kind::CaveGoblin);
        assert_eq!(
            [2, 3, 7, 8, 100].map(|heads| grown(&tables, &goblins, heads)),
            [2, 4, 8, 10, 120]
        );
    }

    #[test]
    fn packs_grow_up_to_three_times_the_largest_new_one_and_never_shrink() {
        let tables = Tables::book();
        // Krakens appear with at most 8.
        let krakens = pack(&tables, Kind::Kraken);
        assert_eq!(
            [19, 20, 23, 24, 25].map(|heads| grown(&tables, &krakens, heads)),
            [23, 24, 24, 24, 25]
        );
    }

    #[test]
    fn everyone_has_the_command_of_its_nature() {
        let tables = Tables::book();
        let of = |kind| temper(&tables, kind).code();
        assert_eq!(
            [Kind::LanceWhale, Kind::SeaSerpent, Kind::Kraken].map(of),
            ["A", "A", "V"]
        );
        assert_eq!(
            [
                Kind::Mammoth,
                Kind::Elephant,
                Kind::NightLizard,
                Kind::MountainTroll,
                Kind::CaveGoblin
            ]
            .map(of),
            ["V", "V", "P", "A", "A"]
        );
        assert_eq!(
            [Kind::Demon, Kind::Archdemon, Kind::LightWarrior].map(of),
            ["P", "A", "V"]
        );
    }
}
