//! The yearly settlement: income, upkeep, unpaid armies (THO-ECON, GAP-09, GAP-11) and mines (GAP-20).

use crate::codes::{Arm, Building, Condition};
use crate::construction;
use crate::event::{BuildingPart, Demise, Happening, LandPart, Settlement};
use crate::rule;
use crate::season::{Season, SeasonTurn};
use crate::state::{Army, ArmyId, Field, State};
use crate::strength;
use crate::tables::Tables;
use kernel::dice::Owner;
use kernel::hex::FieldIndex;
use kernel::ratio::{self, Rounding};
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use kernel::turn::Cause;

const STEP: &str = "settle-year";

/// D4: income by yield and blessing, upkeep, then yields back to 100 and capacities refilled.
///
/// THO-TIME-03, GAP-09, GAP-11, THO-TERR-04, GAP-10.
pub fn settle(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let now = turn.tables.season(season.turn);
    let realms: Vec<RealmId> = turn.state.playing().collect();
    for realm in realms {
        let economy = &turn.tables.of(realm).economy;
        let earns = now == economy.income_season;
        let owes = now == economy.upkeep_season || economy.upkeep_every_turn;
        if earns || owes {
            settle_realm(turn, season, realm, earns, owes);
        }
    }
    if now == turn.tables.economy.income_season {
        for field in &mut turn.state.fields {
            field.yield_percent = 100;
        }
    }
    if now == turn.tables.arming.capacity_reset_season {
        for site in turn
            .state
            .fields
            .iter_mut()
            .filter_map(|field| field.site.as_deref_mut())
        {
            site.armed_gold = 0;
        }
    }
}

/// THO-ECON-01: a field's income: the terrain's, times yield, doubled while blessed (THO-PRIEST-04).
pub fn land_income(tables: &Tables, field: &Field) -> i64 {
    let share = i64::from(field.yield_percent) * if field.is_blessed() { 2 } else { 1 };
    ratio::percent(tables.land_income(field.terrain), share, tables.rounding.money)
}

/// THO-ECON-02, -03: a finished building's income; negative for the upkeep of a temple city, nothing while work goes on.
pub fn building_income(tables: &Tables, field: &Field) -> i64 {
    let Some(site) = field.building() else { return 0 };
    let income = tables.building_income(site.building, site.condition);
    let idle = site.works.is_some() && !tables.build.income_while_building;
    if idle && income > 0 { 0 } else { income }
}

/// THO-ECON-04, -08: what an army costs a year. Demons and monsters cost no gold; a group costs its own charge.
pub fn upkeep(tables: &Tables, id: ArmyId, army: &Army) -> i64 {
    match id.kind().arm() {
        Arm::Demon | Arm::Monster => 0,
        _ => {
            let heads = army.count.saturating_mul(tables.upkeep_per_head(id.kind()));
            heads.saturating_add(tables.upkeep_per_army(id.kind()))
        }
    }
}

impl Settlement {
    /// Adds what a field brings, and a finished building on it. The parts are what answers "why?" in the report.
    fn earn(&mut self, tables: &Tables, field: &Field) {
        let gold = land_income(tables, field);
        self.land = self.land.saturating_add(gold);
        if tables.land_income(field.terrain) > 0 {
            let (terrain, yield_percent, blessed) = (field.terrain, field.yield_percent, field.is_blessed());
            let alike = |part: &&mut LandPart| {
                (part.terrain, part.yield_percent, part.blessed) == (terrain, yield_percent, blessed)
            };
            match self.land_parts.iter_mut().find(alike) {
                Some(part) => {
                    part.fields += 1;
                    part.gold = part.gold.saturating_add(gold);
                }
                None => self.land_parts.push(LandPart {
                    terrain,
                    yield_percent,
                    blessed,
                    fields: 1,
                    gold,
                }),
            }
        }
        let gold = building_income(tables, field).max(0);
        self.buildings = self.buildings.saturating_add(gold);
        if let Some(site) = field.building().filter(|_| gold > 0) {
            let (building, condition) = (site.building, site.condition);
            let alike = |part: &&mut BuildingPart| (part.building, part.condition) == (building, condition);
            match self.building_parts.iter_mut().find(alike) {
                Some(part) => {
                    part.count += 1;
                    part.gold = part.gold.saturating_add(gold);
                }
                None => self.building_parts.push(BuildingPart {
                    building,
                    condition,
                    count: 1,
                    gold,
                }),
            }
        }
    }

    /// The parts in the order of the tables, whatever way the realm's land is walked.
    fn sort(&mut self) {
        self.land_parts
            .sort_by_key(|part| (part.terrain, std::cmp::Reverse(part.yield_percent), part.blessed));
        self.building_parts.sort_by_key(|part| (part.building, part.condition));
    }
}

fn settle_realm(turn: &mut SeasonTurn<'_>, season: &mut Season, realm: RealmId, earns: bool, owes: bool) {
    let tables = turn.tables.of(realm);
    let mut sum = Settlement::default();
    let mut rules: Vec<RuleId> = vec![rule::TIME_03, rule::GAP_09];
    if earns {
        let mines: Vec<FieldIndex> = season
            .estate(realm)
            .filter(|field| is_working_mine(tables, &turn.state, *field))
            .collect();
        for field in season.estate(realm) {
            sum.earn(tables, turn.state.field(field));
        }
        sum.sort();
        for field in mines {
            sum.buildings = sum.buildings.saturating_add(mine(turn, season, realm, field));
        }
        rules.extend([rule::ECON_01, rule::ECON_02, rule::ECON_03, rule::TERR_01]);
        rules.extend([rule::TERR_04, rule::GAP_07, rule::GAP_03]);
        rules.extend(building_rules(&turn.state, season, realm));
        let blessed = season.estate(realm).any(|field| turn.state.field(field).is_blessed());
        rules.extend(blessed.then_some(rule::PRIEST_04));
    }
    if owes {
        let temples = season
            .estate(realm)
            .map(|field| building_income(tables, turn.state.field(field)).min(0));
        sum.temples = -temples.sum::<i64>();
        sum.armies = turn
            .state
            .armies_of(realm)
            .map(|(id, army)| upkeep(tables, id, army))
            .sum();
        rules.extend([rule::ECON_04, rule::ECON_08, rule::GAP_35]);
    }
    let income = sum.land.saturating_add(sum.buildings);
    let due = sum.temples.saturating_add(sum.armies);
    let Some(owner) = turn.state.realms.get_mut(&realm) else {
        return;
    };
    let debts = turn.tables.of(realm).economy.debts_allowed;
    sum.paid = if debts {
        due
    } else {
        due.min(owner.treasury.saturating_add(income)).max(0)
    };
    owner.treasury = owner.treasury.saturating_add(income).saturating_sub(sum.paid);
    owner.income = owner.income.saturating_add(income);
    owner.upkeep = owes.then_some(sum.paid);
    let short = due - sum.paid;
    let event = season.emit(
        turn,
        Cause::Step(STEP),
        rules,
        &[],
        Happening::Settled {
            realm,
            settlement: Box::new(sum),
        },
    );
    if short > 0 {
        desert(turn, season, realm, short, due, event);
    }
}

/// THO-ECON-05, GAP-11: who is not paid runs away, and the land grows restless.
fn desert(turn: &mut SeasonTurn<'_>, season: &mut Season, realm: RealmId, short: i64, due: i64, settled: u32) {
    let economy = turn.tables.of(realm).economy.clone();
    let mut losses: Vec<(ArmyId, i64)> = turn
        .state
        .armies_of(realm)
        .filter(|(id, _)| {
            matches!(
                id.kind().arm(),
                Arm::Warrior | Arm::Rider | Arm::Engine | Arm::Ship | Arm::Trader
            )
        })
        .map(|(id, army)| {
            (
                id,
                deserters(army.count, economy.desertion_pct_at_full_default, short, due),
            )
        })
        .collect();
    // Whoever is aboard leaves before the ships do: what stays behind need not be thrown overboard besides.
    losses.sort_by_key(|(id, _)| id.kind().sails());
    let men = losses.iter().map(|(_, lost)| lost).sum();
    let cause = Cause::Event(settled);
    season.emit(
        turn,
        cause,
        vec![rule::ECON_05, rule::GAP_11],
        &[],
        Happening::Deserted { realm, short, men },
    );
    for (id, lost) in losses {
        strength::wound(turn, season, id, lost, Demise::Unpaid, cause);
    }
    let fields: Vec<FieldIndex> = season.estate(realm).collect();
    for field in fields {
        crate::unrest::add(turn.state.field_mut(field), economy.unrest_on_default);
    }
}

/// `round_half_up(n x percent x short / (100 x due))`.
fn deserters(count: i64, percent: i64, short: i64, due: i64) -> i64 {
    let product = i128::from(count) * i128::from(percent) * i128::from(short);
    let divisor = 100 * i128::from(due.max(1));
    i64::try_from((2 * product + divisor) / (2 * divisor))
        .unwrap_or(count)
        .min(count)
}

/// The rules of the buildings whose income is settled, each once.
fn building_rules(state: &State, season: &Season, realm: RealmId) -> Vec<RuleId> {
    let mut rules = Vec::new();
    let standing = season.estate(realm).filter_map(|field| state.field(field).building());
    for rule in standing.map(|site| construction::income_rule(site.building)) {
        if !rules.contains(&rule) {
            rules.push(rule);
        }
    }
    rules
}

fn is_working_mine(tables: &Tables, state: &State, field: FieldIndex) -> bool {
    state.field(field).building().is_some_and(|site| {
        let idle = site.works.is_some() && !tables.build.income_while_building;
        site.building == Building::Mine && site.condition != Condition::Ruin && !idle
    })
}

/// THO-BLD-15, GAP-20: a mine pays what it gives this year, less when damaged, until it is spent. Its dice are the world's.
fn mine(turn: &mut SeasonTurn<'_>, season: &Season, realm: RealmId, field: FieldIndex) -> i64 {
    let tables = turn.tables.of(realm);
    let place = turn.state.place(RealmId::NOBODY, field);
    let (step, yearly) = (tables.mine.step, tables.mine.yearly);
    let die = turn.roll(
        rule::GAP_20,
        Owner::World,
        &format!("mine at {place}"),
        yearly.min / step,
        yearly.max / step,
    );
    let Some(site) = turn.state.field_mut(field).site.as_deref_mut() else {
        return 0;
    };
    let given = die.value.saturating_mul(step).min(site.mine_reserve);
    let gold = tables.build.damage_factor[site.condition].apply(given, Rounding::Down);
    site.mine_reserve -= gold;
    let spent = site.mine_reserve <= 0;
    if spent {
        site.condition = Condition::Ruin;
    }
    let rules = vec![rule::BLD_15, rule::ECON_02, rule::GAP_20];
    let paid = season.emit(
        turn,
        Cause::Step(STEP),
        rules.clone(),
        &[die],
        Happening::MinePaid { realm, field, gold },
    );
    if spent {
        season.emit(
            turn,
            Cause::Event(paid),
            rules,
            &[],
            Happening::MineExhausted { realm, field },
        );
    }
    gold
}

/// THO-ORG-02: the fee of the turn, from every account that is kept. Missing orders do not spare it (GAP-30).
pub fn charge_accounts(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let realms: Vec<RealmId> = turn.state.playing().collect();
    for realm in realms {
        let fee = turn.tables.of(realm).account.fee_per_turn;
        let Some(account) = turn
            .state
            .realms
            .get_mut(&realm)
            .and_then(|owner| owner.account.as_mut())
        else {
            continue;
        };
        if fee == 0 {
            continue;
        }
        *account = account.saturating_sub(fee);
        let what = Happening::AccountCharged { realm, fee };
        season.emit(
            turn,
            Cause::Step("charge-accounts"),
            vec![rule::ORG_02, rule::REP_17],
            &[],
            what,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::deserters;

    #[test]
    fn a_quarter_deserts_when_nothing_is_paid_and_halves_round_up() {
        assert_eq!(deserters(2000, 25, 500, 500), 500);
        assert_eq!(deserters(2000, 25, 250, 500), 250);
        // 10 x 25 % x 1/5 = 0.5
        assert_eq!(deserters(10, 25, 100, 500), 1);
        assert_eq!(deserters(9, 25, 100, 500), 0);
        assert_eq!(deserters(2000, 25, 0, 500), 0);
    }
}
