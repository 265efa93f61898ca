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
/// Gold beyond which armies against a rival are twice as strong.
const HOARD: i64 = 100_000;
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
    purse.equip_priests(sheet);
    purse.equip_settlers(sheet);
    purse.fill_ranks(sheet);
    purse.recruit(sheet);
    purse.equip_fleets(sheet);
    purse.equip_wizard(sheet);
    purse.build(sheet);
    purse.equip_traders(sheet);
    Spent {
        recruits: purse.recruits,
    }
}

/// Gold and capacities while they last.
pub(super) struct Purse<'a, 'b> {
    pub desk: &'a Desk<'b>,
    pub gold: i64,
    taken: BTreeSet<ArmyName>,
    pub recruits: Vec<(ArmyName, i64, FieldIndex)>,
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

    pub(super) fn free_number(&mut self, kind: Kind) -> ArmyName {
        let most = u32::try_from(self.desk.tables.orders.max_army_id).unwrap_or(999);
        let free = (1..=most)
            .map(|number| ArmyName::new(kind, number))
            .find(|name| !self.taken.contains(name));
        let name = free.unwrap_or(ArmyName::new(kind, most));
        self.taken.insert(name);
        name
    }

    /// Own armies of some kinds, those included that are armed this very turn.
    pub(super) fn count(&self, is_meant: impl Fn(Kind) -> bool) -> usize {
        self.taken.iter().filter(|name| is_meant(name.kind)).count()
    }

    /// How well this people fights with a kind, in percent.
    pub(super) fn percent(&self, kind: Kind) -> i64 {
        self.desk.view.books().map_or(100, |books| books.culture.percent(kind))
    }

    /// What a place can still arm after what this file arms there.
    pub(super) fn capacity(&self, field: FieldIndex) -> i64 {
        let desk = self.desk;
        let used: i64 = self
            .armed
            .iter()
            .filter(|(at, _)| *at == field)
            .map(|(_, gold)| gold)
            .sum();
        let site = desk.state.field(field).building();
        site.map_or(0, |site| capacity_left(desk.tables, site) - used)
    }

    /// Books what was spent at a place; the fixed price does not count against its capacity (THO-ARM-02).
    pub(super) fn pay(&mut self, field: FieldIndex, heads: i64, fixed: i64) {
        self.gold -= heads + fixed;
        self.armed.push((field, heads));
    }

    /// Whether gold and the place's capacity suffice for a new army.
    pub(super) fn has_room(&self, field: FieldIndex, kind: Kind, count: i64) -> bool {
        let (heads, fixed) = price(self.desk.tables, kind, count, false, true);
        heads + fixed <= self.gold && heads <= self.capacity(field) && self.percent(kind) > 0
    }

    /// Own buildings that arm this kind, richest capacity first.
    fn site(&self, kind: Kind, heads_price: i64) -> Option<FieldIndex> {
        let desk = self.desk;
        let sites = desk.season.estate(desk.realm).filter_map(|field| {
            let site = desk.state.field(field).building()?;
            let arms = desk.tables.arms(site.building, kind) && !desk.tables.top_up_only(kind, site.building);
            let left = self.capacity(field);
            (arms && left >= heads_price).then_some((left, field))
        });
        sites.max().map(|(_, field)| field)
    }

    /// Arms a new army where most capacity is left; whether it could be paid.
    pub(super) fn arm(&mut self, sheet: &mut Sheet, kind: Kind, count: i64) -> bool {
        let tables = self.desk.tables;
        let (heads, _) = price(tables, kind, count, false, true);
        let site = self.site(kind, heads);
        let Some(field) = site.filter(|field| count >= tables.arm_min(kind) && self.has_room(*field, kind, count))
        else {
            return false;
        };
        self.arm_at(sheet, kind, count, field);
        true
    }

    /// Arms a new army at a place that has room for it.
    pub(super) fn arm_at(&mut self, sheet: &mut Sheet, kind: Kind, count: i64, field: FieldIndex) {
        let (heads, fixed) = price(self.desk.tables, kind, count, false, true);
        let name = self.free_number(kind);
        let place = self.desk.state.place(self.desk.realm, field);
        sheet.arm.push(format!("{name} {count} {} {}", place.x, place.y));
        self.pay(field, heads, fixed);
        self.recruits.push((name, count, field));
    }

    /// Heads for armies that have become too weak to take land and stand where they can be armed.
    fn fill_ranks(&mut self, sheet: &mut Sheet) {
        let desk = self.desk;
        for (id, army) in desk.state.armies_of(desk.realm) {
            let Some(least) = desk.tables.conquer_min(id.kind()).filter(|least| army.count < *least) else {
                continue;
            };
            let arms = desk.state.field(army.field).owner == desk.realm
                && desk
                    .state
                    .field(army.field)
                    .building()
                    .is_some_and(|site| desk.tables.arms(site.building, id.kind()));
            let more = least + least / 10 - army.count;
            let (heads, fixed) = price(desk.tables, id.kind(), more, false, false);
            let affordable = heads + fixed <= self.gold && heads <= self.capacity(army.field);
            if arms && affordable && army.is_free() && self.percent(id.kind()) > 0 {
                self.top_up(sheet, id.name, more, army.field);
            }
        }
    }

    /// More heads for an army at a place that has room for them.
    pub(super) fn top_up(&mut self, sheet: &mut Sheet, name: ArmyName, more: i64, field: FieldIndex) {
        let (heads, fixed) = price(self.desk.tables, name.kind, more, false, false);
        let place = self.desk.state.place(self.desk.realm, field);
        sheet.arm.push(format!("{name} {more} {} {}", place.x, place.y));
        self.pay(field, heads, fixed);
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
        let at_war = desk.rival.is_some() && self.gold > HOARD;
        let count = if at_war { 2 * count } else { count };
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
        if self.wants_temple(&sites) {
            let belief = self.belief();
            let work = desk.tables.new_building(belief);
            let Some((work, field)) = work.zip(self.temple_ground()) else {
                return;
            };
            if work.price > self.gold {
                // He saves for it.
                return;
            }
            self.begin(sheet, &mut sites, belief, field, work.price);
        }
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
            let needs_port = building == Building::City && desk.ports(Kind::MediumShip).next().is_none();
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
                    let harbour = needs_port && desk.is_low(*field) && desk.is_coast(*field);
                    (harbour, income, std::cmp::Reverse(*field))
                });
            let Some(field) = best else {
                return;
            };
            self.begin(sheet, &mut sites, building, field, work.price);
        }
    }

    /// Orders a new building.
    fn begin(
        &mut self,
        sheet: &mut Sheet,
        sites: &mut Vec<(FieldIndex, Building)>,
        building: Building,
        field: FieldIndex,
        gold: i64,
    ) {
        let place = self.desk.state.place(self.desk.realm, field);
        let name = name_of(building, usize::from(self.desk.realm.0), sites.len());
        sheet
            .build
            .push(format!("{} {} {} {name}", building.code(), place.x, place.y));
        self.gold -= gold;
        sites.push((field, building));
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

/// What a computer calls the next building of its realm. Realms next to each other begin far apart in the list.
fn name_of(building: Building, realm: usize, number: usize) -> String {
    const HEADS: [&str; 24] = [
        "Adler", "Birken", "Dorn", "Eichen", "Falken", "Grau", "Hirsch", "Krähen", "Linden", "Mond", "Nebel", "Otter",
        "Raben", "Reiher", "Salz", "Schwarz", "Silber", "Sonnen", "Stern", "Sturm", "Tannen", "Wald", "Weiß", "Wolfs",
    ];
    let tail = match building {
        Building::Castle => "burg",
        Building::Fortress => "trutz",
        Building::TempleOfLight | Building::TempleOfDark | Building::HolyCity => "dom",
        Building::Capital => "thron",
        _ => "furt",
    };
    let head = HEADS[(realm * 7 + number) % HEADS.len()];
    format!("{head}{tail}")
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
