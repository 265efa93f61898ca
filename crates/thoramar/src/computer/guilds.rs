//! What a computer player spends on the crafts: ships and those who sail, a temple city and priests, a wizard.

use super::purse::Purse;
use super::{Sheet, magic};
use crate::arming::price;
use crate::codes::{Building, Kind};
use crate::sea::cargo_max;
use kernel::hex::FieldIndex;

/// Ships of a new fleet: room for as many light warriors as take land, and a few to spare.
const FLEET: i64 = 12;
/// Ships of a new trade fleet.
const TRADE_FLEET: i64 = 12;
/// Divine points of a new home priest, and up to which he is topped up: four blessings.
const PRIEST: i64 = 40;
/// Home priests at the most.
const PRIESTS: usize = 6;
/// Magic points of a new wizard.
const WIZARD: i64 = 100;
/// A realm with fewer fields has no use for priests or wizards.
const GROWN_UP: usize = 8;
/// A fleet within so many fields of a port can fetch settlers there.
const HARBOUR: u32 = 4;
/// Magic points that a summoner is given at the most.
const SUMMONER: i64 = 260;
/// Gold beyond which a wizard is no waste.
const LEISURE: i64 = 30_000;

impl Purse<'_, '_> {
    /// Settlers where a fleet waits for them and knows a coast to bring them to.
    pub(super) fn equip_settlers(&mut self, sheet: &mut Sheet) {
        let desk = self.desk;
        let kind = Kind::LightWarrior;
        let settlers = desk.tables.conquer_min(kind).map(|least| least + least / 20);
        let Some(settlers) = settlers.filter(|_| desk.overseas().next().is_some()) else {
            return;
        };
        for (id, fleet) in desk.state.armies_of(desk.realm).filter(|(id, _)| id.kind().is_ship()) {
            let loaded = desk
                .state
                .armies_of(desk.realm)
                .any(|(_, army)| army.aboard == Some(id.name));
            let port = desk
                .ports(id.kind())
                .find(|(_, _, water)| desk.grid().distance(*water, fleet.field) <= HARBOUR);
            let room = cargo_max(desk.tables, id.kind(), fleet.count, kind);
            if let Some((field, _, _)) = port.filter(|_| !loaded && room >= settlers)
                && self.has_room(field, kind, settlers)
            {
                self.arm_at(sheet, kind, settlers, field);
                return;
            }
        }
    }

    /// A fleet to explore and settle with, and trade between ports.
    pub(super) fn equip_fleets(&mut self, sheet: &mut Sheet) {
        let desk = self.desk;
        let fields = desk.season.estate(desk.realm).count();
        let overseas = desk.overseas().take(20).count();
        let wanted = usize::from(fields >= 3) + usize::from(overseas >= 6 && fields >= 12);
        if self.count(Kind::is_ship) < wanted {
            self.launch(sheet, Kind::MediumShip, FLEET);
        }
        let ports = desk.ports(Kind::TradeFleet).count();
        if ports >= 2 && self.count(|kind| kind == Kind::TradeFleet) + 1 < ports {
            self.launch(sheet, Kind::TradeFleet, TRADE_FLEET);
        }
    }

    /// Arms ships in the first port that has room, fit for the deep sea.
    fn launch(&mut self, sheet: &mut Sheet, kind: Kind, ships: i64) {
        let desk = self.desk;
        let (heads, fixed) = price(desk.tables, kind, ships, true, true);
        if heads + fixed > self.gold || self.percent(kind) == 0 {
            return;
        }
        let port = desk.ports(kind).find(|(field, _, _)| self.capacity(*field) >= heads);
        if let Some((field, direction, water)) = port {
            let name = self.free_number(kind);
            let place = desk.state.place(desk.realm, field);
            let digit = direction.digit();
            sheet
                .arm
                .push(format!("+{name} {ships} {} {} {digit}", place.x, place.y));
            self.pay(field, heads, fixed);
            self.recruits.push((name, ships, water));
        }
    }

    /// Whether this ruler wants a temple city now: he has land to bless, none yet, and a pious heart.
    pub(super) fn wants_temple(&self, sites: &[(FieldIndex, Building)]) -> bool {
        let desk = self.desk;
        let pious = desk.temper % 2 == 0;
        let grown_up = desk.season.estate(desk.realm).count() >= GROWN_UP;
        pious && grown_up && !sites.iter().any(|(_, building)| building.is_temple_city())
    }

    /// The temple city of this people's belief.
    pub(super) fn belief(&self) -> Building {
        match self.desk.realm.0 % 3 {
            0 => Building::TempleOfLight,
            1 => Building::TempleOfDark,
            _ => Building::HolyCity,
        }
    }

    /// Where a temple city has most own fields within a blessing's reach.
    pub(super) fn temple_ground(&self) -> Option<FieldIndex> {
        let desk = self.desk;
        let reach = u32::try_from(desk.tables.magic.bless_range).unwrap_or(0);
        let flock = |field: FieldIndex| {
            let estate = desk.season.estate(desk.realm);
            estate.filter(|own| desk.grid().distance(*own, field) <= reach).count()
        };
        let free = desk.season.estate(desk.realm).filter(|field| {
            let ground = desk.state.field(*field);
            ground.site.is_none() && ground.unrest == 0
        });
        free.max_by_key(|field| (flock(*field), std::cmp::Reverse(*field)))
    }

    /// Priests for the temple city: several small ones bless more in a season than a great one.
    pub(super) fn equip_priests(&mut self, sheet: &mut Sheet) {
        let desk = self.desk;
        let temple = desk.season.estate(desk.realm).find(|field| {
            let site = desk.state.field(*field).building();
            site.is_some_and(|site| desk.tables.arms(site.building, Kind::HomePriest) && site.building.is_temple_city())
        });
        let Some(temple) = temple else { return };
        for (id, army) in desk.state.armies_of(desk.realm) {
            let tired = id.kind() == Kind::HomePriest && army.count < desk.tables.magic.bless_cost;
            let more = PRIEST - army.count;
            let (heads, fixed) = price(desk.tables, Kind::HomePriest, more, false, false);
            if tired && army.field == temple && heads + fixed <= self.gold && heads <= self.capacity(temple) {
                self.top_up(sheet, id.name, more, temple);
            }
        }
        let fields = desk.season.estate(desk.realm).count();
        let wanted = (fields / 4).clamp(1, PRIESTS);
        if self.count(|kind| kind == Kind::HomePriest) < wanted && self.has_room(temple, Kind::HomePriest, PRIEST) {
            self.arm_at(sheet, Kind::HomePriest, PRIEST, temple);
        }
        let comfort = desk.tables.combat.bonus_pct.war_priest_min_points;
        let at_war = desk.rival.is_some() && self.count(|kind| kind == Kind::WarPriest) == 0;
        if at_war && self.has_room(temple, Kind::WarPriest, comfort) {
            self.arm_at(sheet, Kind::WarPriest, comfort, temple);
        }
    }

    /// One wizard at a time, and only when he would find something to do.
    pub(super) fn equip_wizard(&mut self, sheet: &mut Sheet) {
        let desk = self.desk;
        let fields = desk.season.estate(desk.realm).count();
        if fields < GROWN_UP || self.gold < LEISURE || self.count(Kind::is_wizard) > 0 {
            return;
        }
        let needed = desk.foes().filter_map(|field| magic::demons_against(desk, field)).min();
        let summoner = needed
            .map(|(_, points)| points + 2 * WIZARD / 5)
            .filter(|points| *points <= SUMMONER);
        let game = desk.game().any(|(_, _, cost)| cost <= WIZARD / 2);
        if let Some(points) = summoner.filter(|_| desk.temper < 70) {
            self.arm(sheet, Kind::Summoner, points.max(WIZARD));
        } else if game {
            self.arm(sheet, Kind::MonsterMaster, WIZARD);
        } else if desk.temper >= 50 && magic::could_hurry(desk, WIZARD) {
            self.arm(sheet, Kind::Accelerator, WIZARD);
        }
    }
}
