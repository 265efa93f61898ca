//! Numbers of a realm, to be followed from turn to turn: money, land, troops, buildings.

use super::kind_word;
use crate::codes::{Building, Kind};
use crate::culture::Culture;
use crate::economy;
use crate::state::{Army, ArmyId, Field};
use crate::tables::Tables;
use crate::view::{ArmyView, FieldView, OwnField, View};
use kernel::diagnostic::Name;
use kernel::guide::Figure;
use kernel::hex::FieldIndex;
use kernel::realm::RealmId;
use std::collections::BTreeMap;

const MONEY: &str = "figures-money";
const LAND: &str = "figures-land";
const STRENGTH: &str = "figures-strength";
/// Apart from their strength: seven armies beside fourteen thousand are a line on the ground.
const ARMIES: &str = "figures-armies";
const TROOPS: &str = "figures-troops";
const BUILDINGS: &str = "figures-buildings";

/// The figures of every realm whose books are open to the viewer: his own, or all for the game master.
pub(super) fn figures(tables: &Tables, view: &View) -> Vec<Figure> {
    let mut counts: BTreeMap<RealmId, Count> = view
        .realms
        .iter()
        .filter(|(_, realm)| realm.books.is_some())
        .map(|(id, _)| (*id, Count::default()))
        .collect();
    for (_, field, own) in view.own_fields() {
        if let Some(count) = counts.get_mut(&field.glimpse.owner) {
            count.field(tables.of(field.glimpse.owner), field, own);
        }
    }
    for (id, army) in &view.armies {
        let culture = view.realms.get(&id.realm).and_then(|realm| realm.books.as_ref());
        if let (Some(count), Some(books)) = (counts.get_mut(&id.realm), culture) {
            count.army(tables.of(id.realm), &books.culture, *id, army);
        }
    }
    let mut figures = Vec::new();
    for (realm, count) in &counts {
        let Some(books) = view.realms.get(realm).and_then(|known| known.books.as_ref()) else {
            continue;
        };
        let mut list = List {
            realm: *realm,
            figures: &mut figures,
        };
        list.add(MONEY, "figure-treasury", books.treasury);
        list.add(MONEY, "figure-income", books.income);
        list.add(MONEY, "figure-upkeep", books.upkeep.unwrap_or(0));
        list.add(MONEY, "figure-income-due", count.income_due);
        list.add(MONEY, "figure-upkeep-due", count.upkeep_due);
        list.add(LAND, "figure-fields", count.fields);
        list.add(LAND, "figure-blessed", count.blessed);
        list.add(LAND, "figure-restless", count.restless);
        if view.realm().is_some() {
            list.add(
                LAND,
                "figure-known",
                i64::try_from(view.fields.len()).unwrap_or(i64::MAX),
            );
        }
        list.add(STRENGTH, "figure-strength", count.strength());
        list.add(ARMIES, "figure-armies", count.armies);
        for (kind, heads) in &count.heads {
            list.add(TROOPS, kind_word(*kind), *heads);
        }
        for (building, number) in &count.buildings {
            list.add(BUILDINGS, format!("building-{}", building.code()), *number);
        }
        list.add(BUILDINGS, "figure-works", count.works);
    }
    figures
}

struct List<'a> {
    realm: RealmId,
    figures: &'a mut Vec<Figure>,
}

impl List<'_> {
    fn add(&mut self, group: &'static str, key: impl Into<Name>, value: i64) {
        self.figures.push(Figure {
            realm: self.realm,
            group: Name::Borrowed(group),
            key: key.into(),
            value,
        });
    }
}

/// What one realm has.
#[derive(Default)]
struct Count {
    fields: i64,
    blessed: i64,
    restless: i64,
    income_due: i64,
    upkeep_due: i64,
    armies: i64,
    /// In parts of a ten-thousandth of one light warrior.
    strength: i128,
    heads: BTreeMap<Kind, i64>,
    buildings: BTreeMap<Building, i64>,
    works: i64,
}

impl Count {
    /// THO-ECON-01..03, THO-TERR-04, GAP-22: what a field is and brings. Mines pay what their dice say and are not reckoned.
    fn field(&mut self, tables: &Tables, field: &FieldView, own: &OwnField) {
        self.fields += 1;
        self.blessed += i64::from(own.blessed_turns > 0);
        self.restless += i64::from(i64::from(own.unrest) > tables.unrest.threshold);
        let land = Field {
            yield_percent: own.yield_percent,
            blessed_turns: own.blessed_turns,
            ..Field::wild(field.glimpse.terrain)
        };
        self.income_due = self.income_due.saturating_add(economy::land_income(tables, &land));
        let Some(site) = &own.site else { return };
        self.works += i64::from(site.works.is_some());
        if !site.standing {
            return;
        }
        *self.buildings.entry(site.building).or_default() += 1;
        let income = tables.building_income(site.building, site.condition);
        if income < 0 {
            self.upkeep_due = self.upkeep_due.saturating_sub(income);
        } else if site.works.is_none() || tables.build.income_while_building {
            self.income_due = self.income_due.saturating_add(income);
        }
    }

    /// THO-UNIT-02, GAP-16: an army's heads, its strength without any bonus, and what it costs a year.
    fn army(&mut self, tables: &Tables, culture: &Culture, id: ArmyId, army: &ArmyView) {
        let kind = id.kind();
        // A group has no heads of its own: they are its members'.
        let heads = if kind.is_group() { 0 } else { army.count };
        let alike = Army::new(heads, FieldIndex(0), 0);
        self.upkeep_due = self.upkeep_due.saturating_add(economy::upkeep(tables, id, &alike));
        self.armies += i64::from(army.group.is_none());
        if kind.is_group() {
            return;
        }
        let known = self.heads.entry(kind).or_default();
        *known = known.saturating_add(heads);
        let people = if kind.is_troop() { culture.percent(kind) } else { 100 };
        self.strength += i128::from(heads) * i128::from(tables.combat_value(kind)) * i128::from(people);
    }

    fn strength(&self) -> i64 {
        i64::try_from(self.strength / 10_000).unwrap_or(i64::MAX)
    }
}
