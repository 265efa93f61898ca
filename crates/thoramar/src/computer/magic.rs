//! What a computer player's priests and wizards do.
//!
//! Home priests bless restless and rich fields. War priests go where the strongest army fights. Monster masters hire what
//! roams near the own land, summoners meet an enemy at the gates with demons, accelerators hurry an army to land that it
//! would not reach.

use super::Desk;
use super::campaign::{Marches, Troop, troops, weeks};
use super::purse::Spent;
use crate::codes::{Arm, Command, Kind};
use crate::demons::summoning_cost;
use crate::event::END;
use crate::order::WEEKS;
use crate::state::{ArmyName, SeenArmy};
use crate::wizards::{price_in_points, taming_cost};
use kernel::hex::{Direction, FieldIndex};
use std::collections::BTreeSet;

/// Points that a wizard keeps, so that training and control do not undo him.
const KEPT_POINTS: i64 = 20;
/// Demons or tamed monsters attack when they are stronger by so much, in percent.
const ODDS_PERCENT: i64 = 130;
/// Wild packs so far from the own land are nobody's business.
const HUNTING_GROUND: u32 = 6;

/// Writes the lines of priests, wizards, demons and tamed monsters.
pub(super) fn conjure(desk: &Desk<'_>, troops: &[Troop<'_, '_>], marches: &mut Marches) {
    let mut blessed: BTreeSet<FieldIndex> = BTreeSet::new();
    let mut hunted: BTreeSet<FieldIndex> = BTreeSet::new();
    for troop in troops.iter().filter(|troop| troop.aboard.is_none()) {
        match troop.name.kind {
            Kind::HomePriest => bless(desk, troop, &mut blessed, marches),
            Kind::MonsterMaster => tame(desk, troop, &mut hunted, marches),
            Kind::Summoner => summon(desk, troop, troops, marches),
            Kind::Accelerator => hurry(desk, troop, troops, marches),
            _ => {}
        }
    }
    for troop in troops {
        let leash = troop.master.and_then(|master| field_of(troops, master));
        match troop.name.kind.arm() {
            Arm::Demon => strike(desk, troop, leash, marches),
            Arm::Monster => strike(desk, troop, None, marches),
            _ => {}
        }
    }
}

fn field_of(troops: &[Troop<'_, '_>], name: ArmyName) -> Option<FieldIndex> {
    troops.iter().find(|troop| troop.name == name).map(|troop| troop.field)
}

/// War priests walk to where the strongest army goes to fight (THO-PRIEST-09).
pub(super) fn accompany(troops: &[Troop<'_, '_>], marches: &mut Marches) {
    let Some((_, field)) = marches.assaults.iter().max().copied() else {
        return;
    };
    for priest in troops.iter().filter(|troop| troop.name.kind == Kind::WarPriest) {
        let path = priest.towards(field, priest.points, |_| true);
        if let Some(path) = path.filter(|path| path.fields.last() == Some(&field)) {
            marches.order(priest.name, &weeks(&path), Command::Defend, "");
        }
    }
}

/// Blesses the field in reach that needs or repays it most (THO-PRIEST-03, -04, -08).
fn bless(desk: &Desk<'_>, priest: &Troop<'_, '_>, blessed: &mut BTreeSet<FieldIndex>, marches: &mut Marches) {
    let magic = &desk.tables.magic;
    let in_reach = |field: &FieldIndex| i64::from(desk.grid().distance(priest.field, *field)) <= magic.bless_range;
    let gain = |field: FieldIndex| {
        let ground = desk.state.field(field);
        let restless = i64::from(ground.unrest) > desk.tables.unrest.threshold;
        // A field whose blessing lasts is left alone unless it is about to rise.
        let due = ground.blessed_turns <= 1;
        let rest = i64::from(restless) * i64::from(ground.unrest) * 100;
        let crop = i64::from(due) * desk.tables.land_income(ground.terrain);
        rest + crop
    };
    let fields = desk.season.estate(desk.realm).filter(in_reach);
    let best = fields
        .filter(|field| !blessed.contains(field) && gain(*field) > 0)
        .max_by_key(|field| (gain(*field), std::cmp::Reverse(*field)));
    if let Some(field) = best.filter(|_| priest.count >= magic.bless_cost) {
        blessed.insert(field);
        let place = desk.state.place(desk.realm, field);
        marches.order(priest.name, &[], Command::Defend, &format!("{} {}", place.x, place.y));
    }
}

/// Hires the strongest wild army in reach that the points suffice for, or walks nearer to one (THO-MAGE-04..06).
fn tame(desk: &Desk<'_>, master: &Troop<'_, '_>, hunted: &mut BTreeSet<FieldIndex>, marches: &mut Marches) {
    let budget = master.count - KEPT_POINTS;
    let game: Vec<(i64, FieldIndex)> = desk
        .game()
        .filter(|(field, _, cost)| *cost <= budget && !hunted.contains(field))
        .map(|(field, strength, _)| (strength, field))
        .collect();
    let distance = |field: FieldIndex| i64::from(desk.grid().distance(master.field, field));
    let in_reach = game
        .iter()
        .filter(|(_, field)| distance(*field) <= desk.tables.magic.range);
    if let Some((_, field)) = in_reach.max() {
        hunted.insert(*field);
        let place = desk.state.place(desk.realm, *field);
        marches.order(master.name, &[], Command::Defend, &format!("{} {}", place.x, place.y));
    } else if let Some((_, field)) = game.iter().min_by_key(|(_, field)| (distance(*field), *field)) {
        keep_near(desk, master, *field, marches);
    }
}

/// Walks over own land towards a field.
fn keep_near(desk: &Desk<'_>, troop: &Troop<'_, '_>, field: FieldIndex, marches: &mut Marches) {
    let own = |field: FieldIndex| desk.state.field(field).owner == desk.realm;
    if let Some(path) = troop.towards(field, troop.points, own) {
        marches.order(troop.name, &weeks(&path), Command::Defend, "");
    }
}

/// Meets an enemy beside the summoner with as many demons as it takes, if the points suffice (THO-DEM-01, -10).
fn summon(desk: &Desk<'_>, wizard: &Troop<'_, '_>, troops: &[Troop<'_, '_>], marches: &mut Marches) {
    let has_demons = troops.iter().any(|troop| troop.master == Some(wizard.name));
    if has_demons {
        return;
    }
    let budget = wizard.count - KEPT_POINTS;
    let beatable = desk.foes_beside(wizard.field).filter_map(|(direction, field)| {
        let (demons, points) = demons_against(desk, field).filter(|(_, points)| *points <= budget)?;
        Some((points, field, direction, demons))
    });
    let Some((_, _, direction, demons)) = beatable.max() else {
        let weak = desk
            .foes()
            .filter(|field| demons_against(desk, *field).is_some_and(|(_, points)| points <= budget));
        let nearest = weak.min_by_key(|field| (desk.grid().distance(wizard.field, *field), *field));
        if let Some(field) = nearest {
            keep_near(desk, wizard, field, marches);
        }
        return;
    };
    let number = desk.state.free_number(desk.realm, Kind::Demon);
    let demon = ArmyName::new(Kind::Demon, number);
    marches.order(wizard.name, &[], Command::Defend, &format!("{demon} {demons}"));
    // The host goes out, fights, and comes home within reach of its master.
    marches.order(demon, &[Some(direction)], Command::Attack, "");
}

/// How many demons beat who stands on a field, and the points they cost.
pub(super) fn demons_against(desk: &Desk<'_>, field: FieldIndex) -> Option<(i64, i64)> {
    let strength = desk.dangers.get(&field)?;
    let value = desk.tables.combat_value(Kind::Demon).max(1);
    let demons = strength.saturating_mul(ODDS_PERCENT) / 100 / value + 1;
    Some((demons, summoning_cost(desk.tables, Kind::Demon, demons)))
}

/// Whether a wizard with so many points could bring an idle army to something worth taking.
pub(super) fn could_hurry(desk: &Desk<'_>, points: i64) -> bool {
    let troops = troops(desk, &Spent { recruits: Vec::new() });
    troops
        .iter()
        .filter(|troop| troop.aboard.is_none())
        .any(|troop| gains(troop, points - KEPT_POINTS, &BTreeSet::new()).is_some())
}

/// The points that acceleration gives an army, if it has nothing to take without them and something with them.
fn gains(troop: &Troop<'_, '_>, budget: i64, claimed: &BTreeSet<FieldIndex>) -> Option<i32> {
    let tables = troop.desk.tables;
    let gold = troop.count.saturating_mul(tables.price_per_head(troop.name.kind));
    let more = i32::try_from(tables.movement_points(troop.name.kind)).unwrap_or(0);
    let could = troop.is_conqueror() && price_in_points(tables, gold) <= budget;
    let idle = could && troop.prey(troop.points, claimed).is_none();
    (idle && troop.prey(troop.points + more, claimed).is_some()).then_some(more)
}

/// Gives an army that finds nothing to take a season's points more, if they bring it to something (THO-MAGE-02, -03).
fn hurry(desk: &Desk<'_>, wizard: &Troop<'_, '_>, troops: &[Troop<'_, '_>], marches: &mut Marches) {
    let waiting: Vec<(&Troop<'_, '_>, i32)> = troops
        .iter()
        .filter(|troop| troop.aboard.is_none() && !marches.lines.contains_key(&troop.name))
        .filter_map(|troop| Some((troop, gains(troop, wizard.count - KEPT_POINTS, &marches.claimed)?)))
        .collect();
    let distance = |troop: &Troop<'_, '_>| desk.grid().distance(wizard.field, troop.field);
    let Some((troop, more)) = waiting.iter().min_by_key(|(troop, _)| (distance(troop), troop.name)) else {
        return;
    };
    if i64::from(distance(troop)) <= desk.tables.magic.range {
        marches.boosts.insert(troop.name, *more);
        marches.order(wizard.name, &[], Command::Defend, &troop.name.to_string());
    } else {
        keep_near(desk, wizard, troop.field, marches);
    }
}

/// Demons and tamed monsters attack what they are sure to beat; demons stay within a field of their master.
fn strike(desk: &Desk<'_>, troop: &Troop<'_, '_>, leash: Option<FieldIndex>, marches: &mut Marches) {
    let reach = troop.reach_from(troop.field, troop.points);
    let strength = desk.strength(troop.name, troop.count);
    let on_leash = |field: FieldIndex| leash.is_none_or(|master| desk.grid().distance(master, field) <= 1);
    let foes = desk.foes().filter(|field| on_leash(*field));
    let weak = foes.filter(|field| {
        let foe = desk.dangers.get(field).copied().unwrap_or(0);
        strength > foe.saturating_mul(ODDS_PERCENT) / 100
    });
    let path = weak
        .filter_map(|field| reach.path_to(field))
        .filter(|path| super::campaign::arrives(path, &reach, troop.points, WEEKS))
        .min_by_key(|path| (path.cost, path.fields.last().copied()));
    if let Some(path) = path {
        marches.order(troop.name, &weeks(&path), Command::Attack, "");
    } else if let Some(master) = leash.filter(|master| desk.grid().distance(troop.field, *master) > 1) {
        let home = troop.towards(master, troop.points, |_| true);
        marches.order(
            troop.name,
            &home.map_or_else(Vec::new, |path| weeks(&path)),
            Command::Defend,
            "",
        );
    }
}

impl Desk<'_> {
    /// Wild armies that stood near the own land when the season ended: field, strength, what hiring the largest costs at
    /// the worst.
    pub(super) fn game(&self) -> impl Iterator<Item = (FieldIndex, i64, i64)> + '_ {
        let fresh = self
            .view
            .fields
            .iter()
            .filter(|(_, known)| known.turn == self.view.turn && known.week + 1 >= END);
        fresh.filter_map(|(place, known)| {
            let field = place.field(self.grid(), self.state.origin).ok()?;
            let wild = known
                .armies
                .iter()
                .filter(|army| Self::is_nobody(army.realm) && army.kind.walks());
            let largest = wild
                .filter(|army| army.kind != Kind::Archdemon)
                .max_by_key(|army| army.count)?;
            let near = self
                .season
                .estate(self.realm)
                .any(|own| self.grid().distance(own, field) <= HUNTING_GROUND);
            let strength = largest.count.saturating_mul(self.tables.combat_value(largest.kind));
            near.then(|| (field, strength, self.hiring_cost(largest)))
        })
    }

    fn hiring_cost(&self, army: &SeenArmy) -> i64 {
        let tables = self.tables;
        if army.kind.is_demon() {
            return summoning_cost(tables, army.kind, army.count);
        }
        match &tables.monsters.kind[army.kind] {
            Some(pack) => taming_cost(tables, army.count, pack.tame_cost, tables.monsters.tame_random_pct.max),
            None => price_in_points(tables, army.count.saturating_mul(tables.price_per_head(army.kind))),
        }
    }

    /// Enemies on the own land or beside it: armies of the rival, and wild packs on own fields.
    pub(super) fn foes(&self) -> impl Iterator<Item = FieldIndex> + '_ {
        self.dangers.keys().copied().filter(|field| {
            let own = self.state.field(*field).owner == self.realm;
            let beside = self
                .grid()
                .neighbours(*field)
                .any(|(_, next)| self.state.field(next).owner == self.realm);
            let land = self.tables.is_land(self.state.field(*field).terrain);
            land && (own || beside && self.rival.is_some())
        })
    }

    fn foes_beside(&self, field: FieldIndex) -> impl Iterator<Item = (Direction, FieldIndex)> + use<> {
        let foes: BTreeSet<FieldIndex> = self.foes().collect();
        self.grid()
            .neighbours(field)
            .filter(move |(_, next)| foes.contains(next))
    }
}
