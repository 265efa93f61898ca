//! Melee (THO-COMB, GAP-16, GAP-17).

use crate::codes::Kind;
use crate::event::{Demise, Fighter, Happening, Shown};
use crate::exact::{Fraction, rounded_sum};
use crate::reckoning::{Combatant, Ground, shown};
use crate::rule;
use crate::season::{Season, SeasonTurn, earn};
use crate::state::State;
use crate::strength;
use crate::tables::Tables;
use crate::tables::policy::CombatPause;
use kernel::dice::Owner;
use kernel::ratio::{self, Rounding};
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use kernel::turn::{Cause, Die};
use std::collections::{BTreeMap, BTreeSet};

/// C4: melee in every field where hostile realms stand.
///
/// THO-COMB-01, -03 decide who fights (GAP-16 steps 1, 2); THO-COMB-02, -04, -05, -06, THO-NET-03 how strong he is (step 3,
/// GAP-17); THO-COMB-08, THO-PRIEST-02, THO-DEM-06 what demons change; then losses fall (steps 4, 5), THO-COMB-07 the booty
/// is shared and THO-MOVE-12 takes everyone's movement.
///
/// The fights of a week happen at the same time: who fights whom is settled before the first of them, and losses fall after the last.
/// Otherwise a demon whose master falls (THO-DEM-09) would turn on its old realm this week or next, as the fields are
/// numbered, or as somebody stands unseen beside it.
pub fn fight(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let grounds: Vec<Ground> = season
        .shared()
        .map(|field| Ground::survey(turn.tables, &turn.state, season, field))
        .filter(|ground| !ground.hostilities.is_empty())
        .collect();
    let mut outcomes = Vec::new();
    for ground in grounds {
        outcomes.extend(fight_on(turn, season, ground));
    }
    apply(turn, season, &outcomes);
    season.wall_crossings.clear();
}

fn fight_on(
    turn: &mut SeasonTurn<'_>,
    season: &mut Season,
    mut ground: Ground,
) -> impl Iterator<Item = (Outcome, u32)> + use<> {
    ground
        .combatants
        .retain(|combatant| ground.hostilities.involve(combatant.id.realm));
    let demon_rules = call_helpers(turn, season, &mut ground);
    let luck = roll_luck(turn, season, &ground);
    let losses = losses(turn.tables, &turn.state, &ground, &luck);
    let outcomes = outcomes(turn.tables, &ground, &losses);
    let fought = tell(turn, season, &ground, &outcomes, &luck, demon_rules);
    share_booty(turn, season, &ground, &outcomes, fought);
    tire(turn, season, &ground);
    outcomes.into_iter().map(move |outcome| (outcome, fought))
}

/// THO-DEM-06, THO-PRIEST-06, GAP-17: in its first battle week of a turn an archdemon calls normal demons, unless the field
/// is blessed. Returns, by realm, the rules that a blessing brought in.
fn call_helpers(turn: &mut SeasonTurn<'_>, season: &mut Season, ground: &mut Ground) -> BTreeMap<RealmId, RuleId> {
    let mut muted = BTreeMap::new();
    let blessed = turn.state.field(ground.field).is_blessed();
    let archdemons: Vec<Combatant> = ground
        .combatants
        .iter()
        .filter(|combatant| combatant.kind == Kind::Archdemon)
        .copied()
        .collect();
    for archdemon in archdemons {
        if !season.helped.insert(archdemon.id) {
            continue;
        }
        if blessed {
            muted.insert(archdemon.id.realm, rule::PRIEST_06);
            continue;
        }
        let helpers = ground.helpers(turn.tables, &turn.state, &archdemon);
        let Some(demon) = shown(turn.tables, &turn.state, season, archdemon.id) else {
            continue;
        };
        let mut others = ground.hostilities.realms();
        others.retain(|realm| *realm != archdemon.id.realm);
        let called = Happening::HelpersCalled {
            demon: Box::new(demon),
            field: ground.field,
            count: helpers.count,
            others,
        };
        season.emit(
            turn,
            season.cause(archdemon.id, "fight"),
            &[rule::DEM_06, rule::GAP_17][..],
            &[],
            called,
        );
        ground.combatants.push(helpers);
    }
    muted
}

/// GAP-16 step 4: one die per realm, field and week; none where the world knows no luck.
fn roll_luck(turn: &mut SeasonTurn<'_>, season: &Season, ground: &Ground) -> BTreeMap<RealmId, Die> {
    let mut luck = BTreeMap::new();
    for realm in ground.hostilities.realms() {
        let spread = turn.tables.of(realm).combat.luck_spread_pct;
        if spread > 0 {
            let place = turn.state.place(realm, ground.field);
            let subject = format!("{realm} {place} week {}", season.week);
            let die = turn.roll(rule::COMB_02, Owner::of(realm), &subject, 100 - spread, 100 + spread);
            luck.insert(realm, die);
        }
    }
    luck
}

/// GAP-16 step 4: what each combatant loses, rounded half up, all at once.
///
/// An army loses 25 % x the sum over hostile armies a of S(a) x luck x effect / E(a), where E(a) is the strength of all
/// that is hostile to a. Armies of one realm have the same luck and the same enemies, so the sum has a term a realm.
fn losses(tables: &Tables, state: &State, ground: &Ground, luck: &BTreeMap<RealmId, Die>) -> Vec<i64> {
    let of_realm = |realm: RealmId| {
        ground
            .combatants
            .iter()
            .filter(move |combatant| combatant.id.realm == realm)
    };
    let strength = |realm: RealmId| of_realm(realm).map(|combatant| combatant.strength).sum::<i128>();
    let opposed: BTreeMap<RealmId, i128> = ground
        .hostilities
        .realms()
        .into_iter()
        .map(|realm| (realm, ground.hostilities.enemies(realm).map(strength).sum()))
        .collect();
    // What a realm brings to bear depends on the victim only as far as it is a demon, of either kind.
    let mut brought: BTreeMap<(RealmId, Option<Kind>), i128> = BTreeMap::new();
    let mut losses = Vec::with_capacity(ground.combatants.len());
    for victim in &ground.combatants {
        let figures = &tables.of(victim.id.realm).combat;
        let mut terms = Vec::new();
        for enemy in ground.hostilities.enemies(victim.id.realm) {
            let effect = |with| ground.effect_percent(tables, state, enemy, with, victim.kind);
            let bears = brought
                .entry((enemy, Some(victim.kind).filter(|kind| kind.is_demon())))
                .or_insert_with(|| of_realm(enemy).map(|a| a.strength * i128::from(effect(a.kind))).sum());
            let luck = luck.get(&enemy).map_or(100, |die| die.value);
            let against = opposed.get(&enemy).copied().unwrap_or(0);
            terms.push(loss_term(victim.count, figures.base_loss_pct, luck, *bears, against));
        }
        let most = ratio::percent(victim.count, figures.max_loss_pct, Rounding::HalfUp);
        let lost = i64::try_from(rounded_sum(&terms)).unwrap_or(i64::MAX);
        losses.push(lost.min(most).min(victim.count));
    }
    losses
}

/// One enemy realm's part in a victim's loss: count x base % x luck % x (strength x effect %) / strength opposed to it.
fn loss_term(count: i64, base_percent: i64, luck: i64, brought: i128, against: i128) -> Fraction {
    let positive = |number: i128| u128::try_from(number).unwrap_or(0);
    let scale = positive(i128::from(count)) * positive(i128::from(base_percent)) * positive(i128::from(luck));
    // Base, luck and effect are percentages.
    Fraction {
        over: scale.saturating_mul(positive(brought)),
        under: positive(against).saturating_mul(100 * 100 * 100).max(1),
    }
}

/// What a fight does to one combatant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Outcome {
    combatant: Combatant,
    /// Heads, ships or points that fell.
    lost: i64,
    /// Divine points that a war priest spent on his realm's troops.
    spent: i64,
    /// What is left, nothing below the minimum strength (GAP-26).
    after: i64,
}

/// GAP-16 step 5, GAP-26, THO-PRIEST-09: losses, the war priests' power, and who is too weak to go on.
fn outcomes(tables: &Tables, ground: &Ground, losses: &[i64]) -> Vec<Outcome> {
    let fallen = ground
        .combatants
        .iter()
        .zip(losses)
        .filter(|(combatant, _)| !combatant.called);
    fallen
        .map(|(combatant, lost)| {
            let figures = tables.of(combatant.id.realm);
            let left = combatant.count - lost;
            let survives = left >= figures.exist_min(combatant.kind);
            let pays = survives && ground.war_priests.contains(&combatant.id);
            let price = figures.combat.bonus_pct.war_priest_cost_per_battle_week;
            let spent = if pays { price.min(left) } else { 0 };
            let after = if survives { left - spent } else { 0 };
            Outcome {
                combatant: *combatant,
                lost: *lost,
                spent,
                after,
            }
        })
        .collect()
}

/// Tells everyone there what all can see, and each realm the arithmetic of its own armies.
fn tell(
    turn: &mut SeasonTurn<'_>,
    season: &Season,
    ground: &Ground,
    outcomes: &[Outcome],
    luck: &BTreeMap<RealmId, Die>,
    muted: BTreeMap<RealmId, RuleId>,
) -> u32 {
    let mut fighters = Vec::new();
    // The members of a group stand together.
    for parts in outcomes.chunk_by(|one, other| one.combatant.stands_as == other.combatant.stands_as) {
        let stands_as = parts.first().map(|outcome| outcome.combatant.stands_as);
        let army = stands_as.and_then(|id| shown(turn.tables, &turn.state, season, id));
        fighters.extend(army.map(|army| total(ground, army, parts)));
    }
    // What only one side can know (bonuses, commands, its die) is not told here.
    let mut rules = vec![rule::COMB_01, rule::COMB_02, rule::MOVE_12, rule::GAP_13, rule::GAP_16];
    let demons = outcomes.iter().any(|outcome| outcome.combatant.kind.is_demon());
    if demons && outcomes.iter().any(|outcome| !outcome.combatant.kind.is_demon()) {
        rules.extend([rule::COMB_08, rule::GAP_17]);
    }
    let what = Happening::Fought {
        field: ground.field,
        owner: ground.owner,
        fighters,
    };
    let fought = season.emit(turn, Cause::Step("fight"), rules, &[], what);
    for realm in ground.hostilities.realms() {
        let own = outcomes.iter().filter(|outcome| outcome.combatant.id.realm == realm);
        let fighters: Vec<Fighter> = own
            .filter_map(|outcome| {
                let army = shown(turn.tables, &turn.state, season, outcome.combatant.id)?;
                Some(total(ground, army, std::slice::from_ref(outcome)))
            })
            .collect();
        let mut rules = ground.rules(&turn.state, season, realm);
        rules.extend(muted.get(&realm));
        let dice: Vec<Die> = luck.get(&realm).copied().into_iter().collect();
        let rules: Vec<RuleId> = rules.into_iter().collect();
        let what = Happening::StrengthReckoned {
            realm,
            field: ground.field,
            fighters,
        };
        season.emit(turn, Cause::Event(fought), rules, &dice, what);
    }
    fought
}

/// An army or a whole group in the account of a fight.
fn total(ground: &Ground, army: Shown, parts: &[Outcome]) -> Fighter {
    let (mut after, mut strength, mut bare, mut bonus) = (0i64, 0i128, 0i128, 0i64);
    for outcome in parts {
        let own = &outcome.combatant;
        let percent = own.bonus.percent();
        after += outcome.after;
        strength += own.strength;
        bare += own.strength * 100 / i128::from(100 + percent).max(1);
        bonus = percent;
    }
    // The bonus of a group is that of its strength as a whole: its members may have different ones.
    if army.id.kind().is_group() && bare > 0 {
        bonus = i64::try_from((strength * 100 + bare / 2) / bare - 100).unwrap_or(0);
    }
    Fighter {
        army,
        after,
        strength: ground.hundredths(strength),
        bonus_percent: bonus,
    }
}

/// THO-COMB-07, GAP-23: for killed traders the realms that fought them get half the price, shared by strength; what falls to
/// realm 0 is lost.
fn share_booty(turn: &mut SeasonTurn<'_>, season: &Season, ground: &Ground, outcomes: &[Outcome], fought: u32) {
    let mut shares: BTreeMap<RealmId, i64> = BTreeMap::new();
    for outcome in outcomes.iter().filter(|outcome| outcome.combatant.kind.is_trader()) {
        let victim = &outcome.combatant;
        let figures = turn.tables.of(victim.id.realm);
        let price = figures
            .price_per_head(victim.kind)
            .saturating_mul(victim.count - outcome.after);
        let booty = ratio::percent(price, figures.trade.booty_pct_of_price, Rounding::Down);
        let raiders: Vec<(RealmId, i128)> = ground
            .hostilities
            .enemies(victim.id.realm)
            .map(|realm| {
                let own = ground.combatants.iter().filter(|combatant| combatant.id.realm == realm);
                (realm, own.map(|combatant| combatant.strength).sum())
            })
            .collect();
        for (realm, gold) in shared(booty, &raiders) {
            *shares.entry(realm).or_default() += gold;
        }
    }
    for (realm, gold) in shares {
        if realm.is_played() && gold > 0 {
            earn(&mut turn.state, realm, gold);
            let what = Happening::BootyTaken {
                realm,
                field: ground.field,
                gold,
            };
            season.emit(
                turn,
                Cause::Event(fought),
                &[rule::COMB_07, rule::GAP_23][..],
                &[],
                what,
            );
        }
    }
}

/// Shares of an amount by strength, each rounded down (GAP-03).
fn shared(amount: i64, raiders: &[(RealmId, i128)]) -> Vec<(RealmId, i64)> {
    let all: i128 = raiders.iter().map(|(_, strength)| strength).sum();
    let share = |strength: i128| i64::try_from(i128::from(amount) * strength / all.max(1)).unwrap_or(0);
    raiders
        .iter()
        .map(|(realm, strength)| (*realm, share(*strength)))
        .collect()
}

/// THO-MOVE-12, GAP-13: whoever took part has no movement left this turn.
fn tire(turn: &mut SeasonTurn<'_>, season: &mut Season, ground: &Ground) {
    let mut tired = BTreeSet::new();
    for combatant in &ground.combatants {
        tired.extend([combatant.id, combatant.stands_as]);
    }
    for id in tired {
        let pause = turn.tables.of(id.realm).movement.combat_movement_loss;
        season.plan_mut(id).fought = true;
        if let (CombatPause::Turn, Some(army)) = (pause, turn.state.armies.get_mut(&id)) {
            army.points = army.points.min(0);
        }
    }
}

/// GAP-16 step 5: the losses fall. Demons first, so that they are struck before their masters' fall sets them free.
fn apply(turn: &mut SeasonTurn<'_>, season: &mut Season, outcomes: &[(Outcome, u32)]) {
    let (demons, others): (Vec<_>, Vec<_>) = outcomes
        .iter()
        .partition(|(outcome, _)| outcome.combatant.kind.is_demon());
    for (outcome, fought) in demons.into_iter().chain(others) {
        let id = outcome.combatant.id;
        if outcome.lost > 0 || outcome.after == 0 {
            strength::wound(turn, season, id, outcome.lost, Demise::Fight, Cause::Event(fought));
        }
        if let Some(priest) = turn.state.armies.get_mut(&id) {
            priest.count -= outcome.spent;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lost(count: i64, luck: i64, brought: i128, against: i128) -> u128 {
        rounded_sum(&[loss_term(count, 25, luck, brought * 100, against)])
    }

    #[test]
    fn a_quarter_falls_against_equal_strength() {
        assert_eq!(lost(1000, 100, 4000, 4000), 250);
        assert_eq!(lost(1000, 90, 4000, 4000), 225);
        assert_eq!(lost(1000, 110, 4000, 4000), 275);
        assert_eq!(lost(2000, 100, 6000, 4000), 750);
        assert_eq!(lost(1000, 100, 4000, 6000), 167);
    }

    #[test]
    fn a_half_head_falls() {
        assert_eq!(lost(1, 100, 1, 1), 0, "a quarter of a head stands");
        assert_eq!(lost(2, 100, 1, 1), 1, "half a head falls");
        assert_eq!(lost(5, 100, 1, 1), 1, "one and a quarter");
        assert_eq!(lost(6, 100, 1, 1), 2, "one and a half");
    }

    #[test]
    fn nothing_brought_to_bear_kills_nobody() {
        assert_eq!(lost(1000, 100, 0, 4000), 0);
        assert_eq!(
            lost(1000, 100, 4000, 0),
            1_000_000_000_000,
            "without an opponent the cap decides"
        );
    }

    #[test]
    fn booty_is_shared_by_strength_and_rounded_down() {
        let (one, two, nobody) = (RealmId(1), RealmId(2), RealmId::NOBODY);
        assert_eq!(shared(1001, &[(one, 3), (two, 1)]), [(one, 750), (two, 250)]);
        assert_eq!(shared(1000, &[(nobody, 1), (one, 1)]), [(nobody, 500), (one, 500)]);
        assert_eq!(shared(1000, &[(one, 0)]), [(one, 0)]);
    }
}
