//! What a viewer knows after a month, built up from nothing: what is not put in here, nobody learns.
//!
//! Reports, maps, checks and computer players read nothing but a [`View`]. Realms are named as the viewer may name them; how many
//! great fields the world has is not in it (PYG-MAP-07).

use crate::PygmaIsis;
use crate::chart::{Chart, Place};
use crate::codes::{Creature, Equipment, Good, Kind, People, SettlementKind, Stance, Terrain, Vein, WorkKind};
use crate::event::{Notice, Who, who, who_is_seen};
use crate::production;
use crate::sight::{self, Sighting, Subject};
use crate::state::{
    Acquaintance, Army, ArmyId, ArmyName, CulturePoints, Field, Glimpse, Lane, Load, Points, Promotion, Realm,
    Settlement, Sides, State, Statement, Status, TradeCity, Underground,
};
use crate::tables::{Tables, spelling};
use kernel::diagnostic::Diagnostic;
use kernel::game::{Brief, Told};
use kernel::hex::FieldIndex;
use kernel::map::Spot;
use kernel::realm::{RealmId, Viewer};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Rows of great fields that a viewer's chart has beyond those he knows: enough for orders into the unknown.
const ROWS_BEYOND: u32 = 2;

/// Everything a viewer knows.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct View {
    /// For whom.
    pub viewer: Viewer,
    /// House rules as far as the viewer may know them.
    pub house_rules: String,
    /// The month last adjudicated, counted from the first.
    pub step: u32,
    /// Its year and month; of the first month before that.
    pub date: (u32, u32),
    /// Year and month of the open month.
    pub next: (u32, u32),
    /// Whether the world has come to its end.
    pub over: bool,
    /// How fields are numbered; only as many rows as the viewer has reason to think of.
    pub chart: Chart,
    /// What only the realm itself knows; none for the game master.
    pub books: Option<Books>,
    /// All realms for the game master; those he has met for a ruler.
    pub realms: Vec<RealmView>,
    /// Fields the viewer knows, by place.
    pub fields: Vec<FieldView>,
    /// His own armies; for the game master all.
    pub armies: Vec<ArmyView>,
    /// Armies of others that a ruler sees at the end of the month; the game master has them among the armies.
    pub strangers: Vec<StrangerView>,
    /// Creatures: all for the game master, those he sees for a ruler.
    pub bands: Vec<BandView>,
    /// What he was told of this month, in order.
    pub told: Vec<Told<Notice>>,
    /// Findings about his orders, by line.
    pub diagnostics: Vec<Diagnostic>,
}

/// What a realm keeps to itself.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Books {
    /// Its name.
    pub name: String,
    /// The player's name.
    pub player: String,
    /// Its people.
    pub people: People,
    /// Where its map has its middle.
    pub home: Place,
    /// Gold pieces.
    pub treasury: i64,
    /// Whether it plays.
    pub status: Status,
    /// Months without orders in a row.
    pub missed: u32,
    /// Surplus points that may be traded.
    pub stock: Points,
    /// Points brought since the last income month.
    pub imports: Points,
    /// Promoted points.
    pub promotions: Vec<Promotion>,
    /// What the last income month said.
    pub statement: Option<Statement>,
    /// The hygiene paid last.
    pub hygiene: Option<i64>,
    /// Percentage points of unrest at the next income month beside the shortage (PYG-GAP-17).
    pub unrest: i64,
    /// The harvest fails at the next income month (PYG-GAP-63).
    pub bad_harvest: bool,
    /// Sea lanes by name.
    pub lanes: BTreeMap<String, Vec<Place>>,
    /// Special combat points.
    pub culture: Vec<CulturePoints>,
}

/// A realm as a viewer knows it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RealmView {
    /// Number.
    pub id: RealmId,
    /// Its name.
    pub name: String,
    /// Its player, if the viewer knows him (PYG-ORD-04).
    pub player: Option<String>,
    /// What only the game master sees.
    pub treasury: Option<i64>,
    /// The same of its last income month.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ledger: Option<Ledger>,
}

/// What the game master reads of a realm's last income month.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Ledger {
    /// GS from all sources.
    pub income: i64,
    /// Stored points.
    pub stock: i64,
}

/// A field as a viewer knows it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FieldView {
    /// Which field.
    pub place: Place,
    /// Where it stands in the viewer's drawing.
    pub at: Spot,
    /// Month of the last sighting.
    pub step: u32,
    /// Terrain.
    pub terrain: Terrain,
    /// Owner, as last seen.
    pub owner: Who,
    /// Settlement.
    pub settlement: Option<SettlementKind>,
    /// Whether it is fortified.
    pub fortified: bool,
    /// Work.
    pub work: Option<WorkKind>,
    /// Rivers.
    pub rivers: Sides,
    /// Bridges.
    pub bridges: Sides,
    /// Roads.
    pub roads: Sides,
    /// What only the owner knows.
    pub own: Option<OwnField>,
}

/// What the owner of a field knows of it, or whoever works a water (PYG-GAP-52).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OwnField {
    /// Goods of the three places, if chosen.
    pub places: Option<[Good; 3]>,
    /// A mine that pays, and how much; never how long (PYG-MINE-07).
    pub mine: Option<(Vein, i64)>,
    /// Whether there are pearls.
    pub pearls: bool,
    /// Sides with a destroyed road that nobody has rebuilt (PYG-GAP-22).
    #[serde(default)]
    pub ruins: Sides,
    /// The field pays nothing at the next income month.
    pub pays_nothing: bool,
    /// Its settlement pays nothing then.
    pub town_pays_nothing: bool,
    /// The settlement's growth in points.
    pub grown: i64,
    /// Plagues in a row.
    pub plague: u32,
    /// Its trade.
    pub trade: Option<TradeCity>,
}

/// An own army.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ArmyView {
    /// Its realm.
    pub realm: RealmId,
    /// Its name.
    pub name: ArmyName,
    /// Heads or ships.
    pub count: i64,
    /// Where it is.
    pub place: Place,
    /// The same in the drawing.
    pub at: Spot,
    /// Its order in the month last adjudicated.
    pub stance: Stance,
    /// The fleet that carries it.
    pub aboard: Option<ArmyName>,
    /// Its equipment.
    pub equipment: Option<Equipment>,
    /// Whether it has been used in difficult terrain.
    pub equipment_used: bool,
    /// Whether it is stationary.
    pub stationed: bool,
    /// Month in which it was raised.
    pub raised: u32,
    /// What a trader carries.
    pub load: Vec<Load>,
}

/// An army of somebody else, as it is seen (PYG-GAP-34).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StrangerView {
    /// Whose, as the viewer may name him.
    pub who: Who,
    /// Kind.
    pub kind: Kind,
    /// Heads or ships; none for a trader.
    pub count: Option<i64>,
    /// Where.
    pub place: Place,
    /// The same in the drawing.
    pub at: Spot,
}

/// Creatures.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BandView {
    /// Who.
    pub creature: Creature,
    /// How strong; roughly for a ruler.
    pub count: i64,
    /// Where.
    pub place: Place,
    /// The same in the drawing.
    pub at: Spot,
    /// Their order, for the game master only.
    pub stance: Option<Stance>,
}

impl View {
    /// The realm that looks; none for the game master.
    pub const fn realm(&self) -> Option<RealmId> {
        match self.viewer {
            Viewer::Realm(realm) => Some(realm),
            Viewer::GameMaster => None,
        }
    }

    /// What is known of a place. Fields stand by place.
    pub fn field(&self, place: Place) -> Option<&FieldView> {
        let found = self.fields.binary_search_by_key(&place, |field| field.place);
        found.ok().and_then(|index| self.fields.get(index))
    }
}

/// What a viewer knows after a month.
pub fn view(tables: &Tables, state: &State, brief: Brief<PygmaIsis>) -> View {
    let viewer = brief.viewer;
    let own = match viewer {
        Viewer::Realm(realm) => state.realms.get(&realm),
        Viewer::GameMaster => None,
    };
    let eye = Eye {
        tables,
        state,
        viewer,
        home: own.map_or(FieldIndex(0), |own| own.home),
    };
    let fields = eye.fields(own);
    let seen = match viewer {
        Viewer::Realm(realm) => sight::strangers(tables, state, realm),
        Viewer::GameMaster => Vec::new(),
    };
    View {
        viewer,
        house_rules: match viewer {
            Viewer::Realm(_) => open_house_rules(&state.house_rules),
            Viewer::GameMaster => state.house_rules.clone(),
        },
        step: state.step,
        date: tables.date(state.step.max(1)),
        next: tables.date(state.step.saturating_add(1)),
        over: state.over,
        chart: eye.chart(&fields),
        books: own.map(|own| books(state, own)),
        realms: eye.realms(own),
        fields,
        armies: eye.armies(),
        strangers: eye.strangers(&seen),
        bands: eye.bands(&seen),
        told: brief.told,
        diagnostics: brief.diagnostics,
    }
}

/// House rules without the size of the world (PYG-MAP-07) and what lives in it.
fn open_house_rules(house_rules: &str) -> String {
    let Ok(table) = house_rules.parse::<toml::Table>() else {
        return String::new();
    };
    // In one spelling, so that another does not slip through.
    let mut table = spelling::modern(table);
    for secret in ["creatures", "creature"] {
        table.remove(secret);
    }
    if let Some(toml::Value::Table(map)) = table.get_mut("map") {
        map.remove("great_field_rows");
        map.remove("great_fields_per_row");
        if map.is_empty() {
            table.remove("map");
        }
    }
    toml::to_string(&table).unwrap_or_default()
}

fn ledger(realm: &Realm) -> Ledger {
    let statement = realm.statement.as_ref();
    Ledger {
        income: statement.map_or(0, |it| it.taxes + it.land + it.mines + it.trade),
        stock: realm.stock.total(),
    }
}

fn books(state: &State, own: &Realm) -> Books {
    let lane = |(name, lane): (&String, &Lane)| {
        let fields = lane.fields.iter().map(|field| state.place(*field)).collect();
        (name.clone(), fields)
    };
    Books {
        name: own.name.clone(),
        player: own.player.clone(),
        people: own.people,
        home: state.place(own.home),
        treasury: own.treasury,
        status: own.status,
        missed: own.missed,
        stock: own.stock,
        imports: own.imports,
        promotions: own.promotions.clone(),
        statement: own.statement.clone(),
        hygiene: own.hygiene,
        unrest: own.unrest,
        bad_harvest: own.bad_harvest,
        lanes: own.lanes.iter().map(lane).collect(),
        culture: own.culture.clone(),
    }
}

/// Whose view is built.
struct Eye<'a> {
    tables: &'a Tables,
    state: &'a State,
    viewer: Viewer,
    /// The middle of his map.
    home: FieldIndex,
}

impl Eye<'_> {
    fn sees_all(&self) -> bool {
        self.viewer == Viewer::GameMaster
    }

    fn spot(&self, field: FieldIndex) -> Spot {
        self.state.chart.spot(self.home, field)
    }

    fn chart(&self, fields: &[FieldView]) -> Chart {
        let chart = self.state.chart;
        if self.sees_all() {
            return chart;
        }
        let last = fields.last().map_or(0, |field| (field.place.gf - 1) / chart.per_row);
        Chart {
            rows: last + 1 + ROWS_BEYOND,
            ..chart
        }
    }

    fn realms(&self, own: Option<&Realm>) -> Vec<RealmView> {
        let view = |(id, realm): (&RealmId, &Realm)| {
            let known = own.map(|own| own.acquaintance(*id));
            if known == Some(Acquaintance::Stranger) || self.viewer == Viewer::Realm(*id) {
                return None;
            }
            Some(RealmView {
                id: *id,
                name: realm.name.clone(),
                player: known
                    .is_none_or(|known| known == Acquaintance::Player)
                    .then(|| realm.player.clone()),
                treasury: self.sees_all().then_some(realm.treasury),
                ledger: self.sees_all().then(|| ledger(realm)),
            })
        };
        self.state.realms.iter().filter_map(view).collect()
    }

    fn fields(&self, own: Option<&Realm>) -> Vec<FieldView> {
        match own {
            Some(own) => {
                let known = own.knowledge.iter();
                known
                    .map(|(field, known)| self.field(*field, known.step, &known.glimpse))
                    .collect()
            }
            None if self.sees_all() => {
                let fields = self.state.chart.fields();
                fields
                    .map(|field| self.field(field, self.state.step, &Glimpse::of(self.state.field(field))))
                    .collect()
            }
            None => Vec::new(),
        }
    }

    fn field(&self, index: FieldIndex, step: u32, glimpse: &Glimpse) -> FieldView {
        let field = self.state.field(index);
        let is_own = match self.viewer {
            Viewer::Realm(me) => production::worker(self.tables, self.state, index) == me,
            Viewer::GameMaster => true,
        };
        FieldView {
            place: self.state.place(index),
            at: self.spot(index),
            step,
            terrain: glimpse.terrain,
            owner: who(self.state, self.viewer, glimpse.owner),
            settlement: glimpse.settlement,
            fortified: glimpse.fortified,
            work: glimpse.work,
            rivers: glimpse.rivers,
            bridges: glimpse.bridges,
            roads: glimpse.roads,
            own: is_own.then(|| own_field(field)),
        }
    }

    fn armies(&self) -> Vec<ArmyView> {
        let own = self.state.armies.iter().filter(|(id, _)| match self.viewer {
            Viewer::Realm(me) => id.realm == me,
            Viewer::GameMaster => true,
        });
        own.map(|(id, army)| self.army(*id, army)).collect()
    }

    fn army(&self, id: ArmyId, army: &Army) -> ArmyView {
        ArmyView {
            realm: id.realm,
            name: id.name,
            count: army.count,
            place: self.state.place(army.field),
            at: self.spot(army.field),
            stance: army.stance,
            aboard: army.aboard,
            equipment: army.equipment,
            equipment_used: army.equipment_used,
            stationed: army.stationed,
            raised: army.raised,
            load: army.load.clone(),
        }
    }

    fn strangers(&self, seen: &[(Subject, Sighting)]) -> Vec<StrangerView> {
        let stranger = |(subject, sighting): &(Subject, Sighting)| {
            let (Subject::Army(id), Some(field)) = (subject, sighting.trail.last()) else {
                return None;
            };
            Some(StrangerView {
                who: who_is_seen(self.tables, self.state, self.viewer, id.realm),
                kind: id.kind(),
                count: Some(sighting.count).filter(|_| sight::shows_size(id.kind())),
                place: self.state.place(*field),
                at: self.spot(*field),
            })
        };
        seen.iter().filter_map(stranger).collect()
    }

    fn bands(&self, seen: &[(Subject, Sighting)]) -> Vec<BandView> {
        let view = |creature: Creature, count: i64, field: FieldIndex, stance: Option<Stance>| BandView {
            creature,
            count,
            place: self.state.place(field),
            at: self.spot(field),
            stance,
        };
        if self.sees_all() {
            let bands = self.state.bands.values();
            return bands
                .map(|band| view(band.creature, band.count, band.field, Some(band.stance)))
                .collect();
        }
        let seen = seen
            .iter()
            .filter_map(|(_, sighting)| Some((sighting.creature?, sighting.count, *sighting.trail.last()?)));
        seen.map(|(creature, count, field)| view(creature, count, field, None))
            .collect()
    }
}

fn own_field(field: &Field) -> OwnField {
    let town: Option<&Settlement> = field.settlement.as_deref();
    OwnField {
        places: field.places,
        mine: match field.ground {
            Underground::Mine { vein, yields, .. } => Some((vein, yields)),
            _ => None,
        },
        pearls: field.ground == Underground::Pearls,
        ruins: field.ruins,
        pays_nothing: field.pays_nothing,
        town_pays_nothing: town.is_some_and(|town| town.pays_nothing),
        grown: town.map_or(0, |town| town.grown),
        plague: town.map_or(0, |town| town.plague),
        trade: town.and_then(|town| town.trade),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn house_rules_tell_neither_the_size_of_the_world_nor_what_lives_in_it_in_any_spelling() {
        let told = open_house_rules(
            "[map]\ngf_per_row = 9\ngreat_field_rows = 7\nlayout = \"rect\"\n[npc]\nhorde_hunt_range = 3\n\
             [creatures]\ngarrison_pct = 11\n[start]\ngold = 5\n",
        );
        let kept: Vec<(String, String)> = kernel::house::read(&told).into_iter().collect();
        let expected = [("map.layout", "rect"), ("start.gold", "5")];
        assert_eq!(kept, expected.map(|(key, value)| (key.to_owned(), value.to_owned())));
    }
}
