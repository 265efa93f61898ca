//! What a computer player spends its gold on: armies to take land, a garrison, cities, traders, fortresses.

use super::{Desk, Sheet};
use crate::arming::{capacity_left, price};
use crate::codes::{Building, Command, Kind};
use crate::state::ArmyName;
use kernel::hex::FieldIndex;
use std::collections::BTreeSet;

/// Gold that stays in the treasury for bad years.
const RESERVE: i64 = 15_000;
/// Least distance between two cities of one realm.
const CITY_DISTANCE: u32 = 4;
/// Buildings that are begun in one turn at the most.
const BUILDINGS_A_TURN: i64 = 3;
/// Men of a new caravan.
const CARAVAN: i64 = 400;

/// Armies that will exist when the week begins, with their place.
pub(super) struct Spent {
    pub recruits: Vec<(ArmyName, i64, FieldIndex)>,
}

/// Writes `$B` and `$R`.
pub(super) fn spend(desk: &Desk<'_>, sheet: &mut Sheet) -> Spent {
    let mut purse = Purse {
        desk,
        gold: desk.view.books().map_or(0, |books| books.treasury) - RESERVE,
        taken: desk.view.own_armies().map(|(name, _)| name).collect(),
        recruits: Vec::new(),
        armed: Vec::new(),
    };
    purse.keep_upkeep();
    purse.recruit(sheet);
    purse.build(sheet);
    purse.equip_traders(sheet);
    Spent {
        recruits: purse.recruits,
    }
}

struct Purse<'a, 'b> {
    desk: &'a Desk<'b>,
    gold: i64,
    taken: BTreeSet<ArmyName>,
    recruits: Vec<(ArmyName, i64, FieldIndex)>,
    /// Capacity used in this very file.
    armed: Vec<(FieldIndex, i64)>,
}

impl Purse<'_, '_> {
    /// Upkeep falls due in autumn; what the year will not bring in must be at hand.
    fn keep_upkeep(&mut self) {
        let (desk, tables) = (self.desk, self.desk.tables);
        let upkeep: i64 = desk
            .state
            .armies_of(desk.realm)
            .map(|(id, army)| crate::economy::upkeep(tables, id, army))
            .sum();
        let income: i64 = desk
            .season
            .estate(desk.realm)
            .map(|field| {
                let field = desk.state.field(field);
                crate::economy::land_income(tables, field) + crate::economy::building_income(tables, field)
            })
            .sum();
        self.gold -= (upkeep - income * 3 / 4).max(0);
    }

    fn free_number(&mut self, kind: Kind) -> ArmyName {
        let most = u32::try_from(self.desk.tables.orders.max_army_id).unwrap_or(999);
        let free = (1..=most)
            .map(|number| ArmyName::new(kind, number))
            .find(|name| !self.taken.contains(name));
        let name = free.unwrap_or(ArmyName::new(kind, most));
        self.taken.insert(name);
        name
    }

    /// Own buildings that arm this kind, richest capacity first.
    fn site(&self, kind: Kind, heads_price: i64) -> Option<FieldIndex> {
        let desk = self.desk;
        let mut sites: Vec<(i64, FieldIndex)> = desk
            .season
            .estate(desk.realm)
            .filter_map(|field| {
                let site = desk.state.field(field).building()?;
                let arms = desk.tables.arms(site.building, kind) && !desk.tables.top_up_only(kind, site.building);
                let used: i64 = self
                    .armed
                    .iter()
                    .filter(|(at, _)| *at == field)
                    .map(|(_, gold)| gold)
                    .sum();
                let left = capacity_left(desk.tables, site) - used;
                (arms && left >= heads_price).then_some((left, field))
            })
            .collect();
        sites.sort_unstable();
        sites.pop().map(|(_, field)| field)
    }

    fn arm(&mut self, sheet: &mut Sheet, kind: Kind, count: i64) -> bool {
        let tables = self.desk.tables;
        let (heads, fixed) = price(tables, kind, count, false, true);
        let percent = self.desk.view.books().map_or(100, |books| books.culture.percent(kind));
        if heads + fixed > self.gold || percent == 0 || count < tables.arm_min(kind) {
            return false;
        }
        let Some(field) = self.site(kind, heads) else {
            return false;
        };
        let name = self.free_number(kind);
        let place = self.desk.state.place(self.desk.realm, field);
        sheet.arm.push(format!("{name} {count} {} {}", place.x, place.y));
        self.gold -= heads + fixed;
        self.armed.push((field, heads));
        self.recruits.push((name, count, field));
        true
    }

    /// Light riders or medium warriors to take land while there is land to take, and a garrison for the capital.
    fn recruit(&mut self, sheet: &mut Sheet) {
        let desk = self.desk;
        let conquerors = desk
            .view
            .own_armies()
            .filter(|(name, army)| can_conquer(desk, *name, army.count))
            .count();
        let free_land = desk.frontier().len();
        let fields = desk.season.estate(desk.realm).count();
        let wanted = (free_land * 2 / 3).clamp(1, 5 + fields / 4).min(20);
        let riders = better_riders(desk);
        let count = desk.tables.conquer_min(riders).unwrap_or(1000);
        // A tenth more than needed, so that losses on the way do not spoil the conquest.
        for _ in conquerors..wanted {
            if !self.arm(sheet, riders, count + count / 10) {
                break;
            }
        }
        let guard = desk
            .view
            .own_armies()
            .filter(|(name, _)| name.kind == Kind::MediumWarrior)
            .count();
        if fields >= 6 && guard < 1 + fields / 12 {
            self.arm(sheet, Kind::MediumWarrior, 2_200);
        }
    }

    /// Cities on the best land far enough from each other, castles between them, and a capital for a realm without one.
    fn build(&mut self, sheet: &mut Sheet) {
        let desk = self.desk;
        let mut sites: Vec<(FieldIndex, Building)> = desk
            .season
            .estate(desk.realm)
            .filter_map(|field| Some((field, desk.state.field(field).site.as_deref()?.building)))
            .collect();
        for round in 0..BUILDINGS_A_TURN {
            let has_capital = sites.iter().any(|(_, building)| *building == Building::Capital);
            let building = match (has_capital, (desk.whim + round) % 3) {
                (false, _) => Building::Capital,
                (true, 0) => Building::Castle,
                (true, _) => Building::City,
            };
            let Some(work) = desk
                .tables
                .new_building(building)
                .filter(|work| work.price <= self.gold)
            else {
                return;
            };
            let best = desk
                .season
                .estate(desk.realm)
                .filter(|field| {
                    sites
                        .iter()
                        .all(|(other, _)| desk.grid().distance(*field, *other) >= CITY_DISTANCE)
                })
                .max_by_key(|field| {
                    let income = desk.tables.land_income(desk.state.field(*field).terrain);
                    (income, std::cmp::Reverse(*field))
                });
            let Some(field) = best else {
                return;
            };
            let place = desk.state.place(desk.realm, field);
            let name = format!("{}_{}", building.code(), sites.len() + 1);
            sheet
                .build
                .push(format!("{} {} {} {name}", building.code(), place.x, place.y));
            self.gold -= work.price;
            sites.push((field, building));
        }
    }

    /// A caravan where there is somewhere to go.
    fn equip_traders(&mut self, sheet: &mut Sheet) {
        let desk = self.desk;
        let markets = desk.markets().len();
        let caravans = desk
            .view
            .own_armies()
            .filter(|(name, _)| name.kind == Kind::Caravan)
            .count();
        let most = desk
            .view
            .books()
            .map_or(0, |books| desk.tables.trade.max_caravans[books.kind]);
        let wanted = markets.saturating_sub(1).min(usize::try_from(most).unwrap_or(0));
        if caravans < wanted {
            self.arm(sheet, Kind::Caravan, CARAVAN);
        }
    }
}

/// Whether an army of this size may conquer (THO-UNIT-07).
pub(super) fn can_conquer(desk: &Desk<'_>, name: ArmyName, count: i64) -> bool {
    desk.tables.conquer_min(name.kind).is_some_and(|least| count >= least)
}

/// The riders or warriors with which this people takes land best: speed first, unless they fight badly.
fn better_riders(desk: &Desk<'_>) -> Kind {
    let percent = |kind| desk.view.books().map_or(100, |books| books.culture.percent(kind));
    let kinds = [
        Kind::LightRider,
        Kind::MediumRider,
        Kind::MediumWarrior,
        Kind::LightWarrior,
    ];
    kinds
        .into_iter()
        .find(|kind| percent(*kind) >= 70)
        .unwrap_or(Kind::LightRider)
}

/// The command with which land is taken.
pub(super) const TAKE: Command = Command::Conquer;
