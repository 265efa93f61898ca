//! Mines and pearls (PYG-MINE-01..08, PYG-INC-07, PYG-GAP-53..55). Part B.

use crate::codes::{Terrain, Vein};
use crate::event::economy::Affair;
use crate::income;
use crate::month::{Month, MonthTurn};
use crate::rule;
use crate::state::{State, Underground};
use crate::tables::Tables;
use crate::tables::policy::{Halved, Searched};
use crate::treasury;
use kernel::dice::Owner;
use kernel::hex::FieldIndex;
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use kernel::turn::{Cause, Die};

/// Faces of the dice.
const D20: i64 = 20;
const D6: i64 = 6;
const D100: i64 = 100;

/// Mines pay and run dry; reefs that are worked for the first time are searched for pearls.
///
/// PYG-INC-07, PYG-MINE-07, PYG-GAP-55: a mine pays as often as its life says and is then exhausted; how long that is nobody is
/// told. A field that pays nothing keeps its mine's life.
pub fn pay(turn: &mut MonthTurn<'_>, month: &mut Month) {
    let realms: Vec<RealmId> = turn.state.playing().collect();
    for realm in realms {
        let land: Vec<FieldIndex> = turn.state.land_of(realm).map(|(index, _)| index).collect();
        let mut sum = 0_i64;
        for field in land {
            if turn.state.field(field).settlement.is_some() {
                dive(turn, month, field, realm);
            }
            sum = sum.saturating_add(pay_one(turn, month, realm, field));
        }
        treasury::credit(&mut turn.state, realm, sum);
        if let Some(statement) = turn.state.realms.get_mut(&realm).and_then(|own| own.statement.as_mut()) {
            statement.mines = sum;
        }
    }
}

/// What the mine of one field pays.
fn pay_one(turn: &mut MonthTurn<'_>, month: &mut Month, realm: RealmId, field: FieldIndex) -> i64 {
    let here = turn.state.field(field);
    let Underground::Mine { vein, yields, terms } = here.ground else {
        return 0;
    };
    if here.pays_nothing && vein != Vein::Gems {
        return 0;
    }
    let paid = gold_of(turn.tables, &turn.state, field);
    let place = turn.state.place(field);
    let left = if runs_dry_early(turn, field, terms) {
        0
    } else {
        terms.saturating_sub(1)
    };
    turn.state.field_mut(field).ground = if left > 0 {
        let terms = left;
        Underground::Mine { vein, yields, terms }
    } else {
        Underground::Exhausted
    };
    let (gold, what) = if vein == Vein::Gems {
        *month.gems.entry(realm).or_default() += yields;
        (
            0,
            Affair::GemsMined {
                field: place,
                n: yields,
            },
        )
    } else {
        let n = paid;
        (paid, Affair::MinePaid { field: place, vein, n })
    };
    let rules: &'static [RuleId] = match vein {
        Vein::Gold => &[rule::INC_01, rule::INC_07, rule::MINE_05, rule::GAP_55],
        Vein::Silver => &[rule::INC_01, rule::INC_07, rule::MINE_04, rule::GAP_55],
        Vein::Gems => &[rule::MINE_08, rule::LUX_01, rule::GAP_54],
    };
    let event = month.emit(turn, Cause::Step("mines"), rules, &[], what.of(realm));
    if left <= 0 {
        let what = Affair::MineExhausted { field: place, vein };
        let rules = &[rule::MINE_06, rule::MINE_07, rule::GAP_55][..];
        month.emit(turn, Cause::Event(event), rules, &[], what.of(realm));
    }
    gold
}

/// PYG-MINE-07, PYG-GAP-55: in some worlds a mine may run dry before its time, on a D100 each time it pays.
fn runs_dry_early(turn: &mut MonthTurn<'_>, field: FieldIndex, terms: i64) -> bool {
    let pct = turn.tables.mine.early_exhaustion_pct;
    if pct <= 0 || terms <= 1 {
        return false;
    }
    let place = turn.state.place(field).to_string();
    turn.roll(rule::GAP_55, Owner::World, &place, 1, D100).value <= pct
}

/// GS that the mine of a field would pay now.
pub fn gold_of(tables: &Tables, state: &State, field: FieldIndex) -> i64 {
    match &state.field(field).ground {
        Underground::Mine { vein, yields, .. } if *vein != Vein::Gems && !state.field(field).pays_nothing => {
            if income::is_halved(tables, state, field, Halved::Mines) {
                income::halved(*yields)
            } else {
                *yields
            }
        }
        _ => 0,
    }
}

/// Looks for a mine under a field that has joined `realm`, unless somebody has looked before; in some worlds again.
///
/// PYG-MINE-01..06, PYG-GAP-55. Called by [`crate::annexation`].
pub fn search(turn: &mut MonthTurn<'_>, month: &mut Month, field: FieldIndex, realm: RealmId) {
    let here = turn.state.field(field);
    let is_open = match here.ground {
        Underground::Unsearched => true,
        Underground::Nothing | Underground::Exhausted => turn.tables.mine.searched == Searched::EveryTime,
        Underground::Mine { .. } | Underground::Pearls => false,
    };
    if !is_open || !is_searched(turn.tables, here.terrain) {
        return;
    }
    let (tables, terrain, place) = (turn.tables, here.terrain, turn.state.place(field));
    let mut dice: Vec<Die> = Vec::new();
    let found = prospect(tables, terrain, |rule, faces| {
        let die = turn.roll(rule, Owner::World, &place.to_string(), 1, faces);
        dice.push(die);
        die.value
    });
    turn.state.field_mut(field).ground = found;
    let Underground::Mine { vein, yields, .. } = found else {
        return;
    };
    let found_on = if terrain == Terrain::Mountains {
        rule::MINE_02
    } else {
        rule::MINE_03
    };
    let mut rules = vec![rule::MINE_01, found_on, rule::MINE_06, rule::GAP_55];
    if vein == Vein::Gems {
        rules.extend([rule::MINE_08, rule::GAP_54]);
    }
    let what = Affair::MineFound {
        field: place,
        vein,
        n: yields,
    };
    month.emit(turn, Cause::Step("annex"), rules, &dice, what.of(realm));
}

/// Whether fields of a terrain may hide a mine (PYG-MINE-01).
pub fn is_searched(tables: &Tables, terrain: Terrain) -> bool {
    tables.mine.find.contains_key(&terrain)
}

/// What lies under a field of this terrain: `roll` rolls the die of a rule with so many faces.
///
/// PYG-MINE-01: a D20; PYG-MINE-04, -05: the yield by D6; PYG-MINE-06: the life by D6. Also for start areas (PYG-GAP-55).
pub fn prospect(tables: &Tables, terrain: Terrain, mut roll: impl FnMut(RuleId, i64) -> i64) -> Underground {
    let Some(veins) = tables.mine.find.get(&terrain) else {
        return Underground::Unsearched;
    };
    let face = roll(rule::MINE_01, D20);
    let Some((vein, _)) = veins.iter().find(|(_, faces)| faces.contains(&face)) else {
        return Underground::Nothing;
    };
    let of = |list: &[i64], face: i64| {
        let index = usize::try_from(face - 1).unwrap_or(0);
        list.get(index).copied().unwrap_or(0)
    };
    let yields = match vein {
        Vein::Gold => of(&tables.mine.gold_yield, roll(rule::MINE_05, D6)),
        Vein::Silver => of(&tables.mine.silver_yield, roll(rule::MINE_04, D6)),
        Vein::Gems => tables.mine.gem_points,
    };
    Underground::Mine {
        vein: *vein,
        yields,
        terms: of(&tables.mine.life_terms, roll(rule::MINE_06, D6)),
    }
}

/// Looks for pearls on the reefs beside a settlement of `realm` that nobody has worked before.
///
/// PYG-LUX-01, PYG-GAP-53.
pub fn dive(turn: &mut MonthTurn<'_>, month: &mut Month, settlement: FieldIndex, realm: RealmId) {
    for reef in unsearched_reefs(turn.tables, &turn.state, settlement) {
        let place = turn.state.place(reef);
        let die = turn.roll(rule::GAP_53, Owner::World, &place.to_string(), 1, D20);
        let found = die.value <= turn.tables.mine.pearls_d20_max;
        turn.state.field_mut(reef).ground = if found {
            Underground::Pearls
        } else {
            Underground::Nothing
        };
        if found {
            let what = Affair::PearlsFound {
                field: place,
                n: turn.tables.mine.pearl_points,
            };
            let rules = &[rule::LUX_01, rule::GAP_53][..];
            month.emit(turn, Cause::Step("annex"), rules, &[die], what.of(realm));
        }
    }
}

fn unsearched_reefs(tables: &Tables, state: &State, settlement: FieldIndex) -> Vec<FieldIndex> {
    let around = state.chart.neighbours(settlement).map(|(_, field)| field);
    let reefs = around.filter(|field| {
        let here = state.field(*field);
        tables.terrain[here.terrain].reef && here.ground == Underground::Unsearched
    });
    let mut reefs: Vec<FieldIndex> = reefs.collect();
    reefs.sort_unstable();
    reefs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dig(terrain: Terrain, mut faces: Vec<i64>) -> Underground {
        faces.reverse();
        prospect(&Tables::book(), terrain, |_, _| faces.pop().expect("a die"))
    }

    #[test]
    fn mountains_hold_gems_on_1_gold_on_2_and_3_silver_on_19_and_20() {
        let mine = |vein, yields, terms| Underground::Mine { vein, yields, terms };
        assert_eq!(dig(Terrain::Mountains, vec![1, 1]), mine(Vein::Gems, 2, 10));
        assert_eq!(dig(Terrain::Mountains, vec![2, 1, 2]), mine(Vein::Gold, 15_000, 15));
        assert_eq!(dig(Terrain::Mountains, vec![3, 6, 6]), mine(Vein::Gold, 75_000, 30));
        assert_eq!(dig(Terrain::Mountains, vec![4]), Underground::Nothing);
        assert_eq!(dig(Terrain::Mountains, vec![18]), Underground::Nothing);
        assert_eq!(dig(Terrain::Mountains, vec![19, 1, 4]), mine(Vein::Silver, 5_000, 20));
    }

    #[test]
    fn hills_hold_gold_on_1_and_silver_on_19_and_20_and_other_land_nothing() {
        let mine = |vein, yields, terms| Underground::Mine { vein, yields, terms };
        assert_eq!(dig(Terrain::Hills, vec![1, 3, 5]), mine(Vein::Gold, 30_000, 20));
        assert_eq!(dig(Terrain::Hills, vec![2]), Underground::Nothing);
        assert_eq!(dig(Terrain::Hills, vec![20, 6, 3]), mine(Vein::Silver, 20_000, 15));
        assert_eq!(dig(Terrain::WoodedHills, vec![]), Underground::Unsearched);
    }
}
