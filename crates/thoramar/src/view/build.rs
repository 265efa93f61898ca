//! Builds a view from nothing: what is not put in here, nobody learns.

use super::sightings::{self, Step};
use super::{ArmyView, Books, FieldView, Listed, OwnField, RealmView, Sightings, SiteView, TreatyView, View};
use crate::Thoramar;
use crate::codes::{Building, Condition, Kind, Treaty};
use crate::geo::Place;
use crate::groups;
use crate::notice::{Notice, Perceived, WeekSeen, Who, seen};
use crate::season::shown_flag;
use crate::sight::member_counts;
use crate::state::{Army, ArmyId, ArmyName, Field, Glimpse, Known, Realm, SeenArmy, Site, State};
use crate::tables::Tables;
use kernel::game::{Brief, Told};
use kernel::hex::{FieldIndex, Wrap};
use kernel::realm::{RealmId, Viewer};
use std::collections::{BTreeMap, BTreeSet};

/// What the views of a turn have in common, so that no view goes through all realms and treaties again.
#[derive(Clone, Debug)]
pub struct Common {
    playing: Vec<RealmId>,
    /// THO-MSG-03: what a realm writes about its people is for everybody.
    described: Vec<RealmId>,
    /// By realm, seen from it.
    treaties: BTreeMap<RealmId, Vec<TreatyView>>,
}

impl Common {
    /// Of the world after the turn.
    pub fn of(state: &State) -> Self {
        let described = state.realms.iter().filter(|(_, realm)| !realm.culture_text.is_empty());
        let mut treaties: BTreeMap<RealmId, Vec<TreatyView>> = BTreeMap::new();
        for ((a, b), treaty) in &state.treaties {
            for (one, other) in [(*a, *b), (*b, *a)] {
                let treaty = TreatyView {
                    one,
                    other,
                    treaty: *treaty,
                };
                treaties.entry(one).or_default().push(treaty);
            }
        }
        for list in treaties.values_mut() {
            list.sort_by_key(|treaty| treaty.other);
        }
        Self {
            playing: state.playing().collect(),
            described: described.map(|(id, _)| *id).collect(),
            treaties,
        }
    }

    fn treaties_of(&self, realm: RealmId) -> &[TreatyView] {
        self.treaties.get(&realm).map_or(&[], Vec::as_slice)
    }
}

/// What a viewer knows after a turn.
pub fn view(tables: &Tables, state: &State, common: &Common, brief: Brief<Thoramar>) -> View {
    let viewer = brief.viewer;
    let (y_min, y_max) = state.rows_of(eye(viewer));
    let season = tables.season(state.turn);
    let mut view = View {
        viewer,
        house_rules: match viewer {
            Viewer::Realm(realm) => open_house_rules(&state.house_rules, realm),
            Viewer::GameMaster => state.house_rules.clone(),
        },
        turn: state.turn,
        year: u32::try_from(tables.year(state.turn)).unwrap_or(0),
        season,
        over: state.over,
        columns: state.grid.columns(),
        wraps: state.grid.wrap() != Wrap::Plane,
        y_min,
        y_max,
        playing: common.playing.clone(),
        realms: realms(state, common, viewer),
        fields: fields(tables, state, viewer),
        armies: match viewer {
            Viewer::Realm(realm) => armies(tables, state, viewer, realm).collect(),
            Viewer::GameMaster => std::iter::once(RealmId::NOBODY)
                .chain(state.realms.keys().copied())
                .flat_map(|realm| armies(tables, state, viewer, realm))
                .collect(),
        },
        treaties: match viewer {
            Viewer::Realm(realm) => common.treaties_of(realm).to_vec(),
            Viewer::GameMaster => all_treaties(state),
        },
        told: Vec::new(),
        diagnostics: brief.diagnostics,
        sightings: Sightings::default(),
        territory: Vec::new(),
    };
    tell(&mut view, brief.told);
    view
}

/// In whose coordinates a viewer reads; realm 0 stands for the world's own.
const fn eye(viewer: Viewer) -> RealmId {
    match viewer {
        Viewer::Realm(realm) => realm,
        Viewer::GameMaster => RealmId::NOBODY,
    }
}

/// House rules without what a realm may not know: other realms' figures, and the number that the world was made from.
pub fn open_house_rules(house_rules: &str, realm: RealmId) -> String {
    let Ok(mut table) = house_rules.parse::<toml::Table>() else {
        return String::new();
    };
    if let Some(toml::Value::Table(realms)) = table.get_mut("realm") {
        realms.retain(|number, _| number.parse() == Ok(realm.0));
        if realms.is_empty() {
            table.remove("realm");
        }
    }
    if let Some(toml::Value::Table(world)) = table.get_mut("world") {
        world.remove("seed");
        if world.is_empty() {
            table.remove("world");
        }
    }
    toml::to_string(&table).unwrap_or_default()
}

/// The realms that a viewer has a name for.
fn realms(state: &State, common: &Common, viewer: Viewer) -> BTreeMap<RealmId, RealmView> {
    let view = |(id, realm): (&RealmId, &Realm)| (*id, realm_view(viewer, *id, realm));
    let Viewer::Realm(me) = viewer else {
        return state.realms.iter().map(view).collect();
    };
    let known = state.realms.get(&me).map(|realm| &realm.knowledge);
    let fields = known.into_iter().flat_map(BTreeMap::values);
    let seen = fields.flat_map(|known| {
        let flags = known.armies.iter().filter_map(|army| army.realm);
        flags.chain([known.field.owner])
    });
    let partners = common.treaties_of(me).iter().map(|treaty| treaty.other);
    let mut met: Vec<RealmId> = seen
        .chain(partners)
        .chain(common.described.iter().copied())
        .chain([me])
        .collect();
    met.sort_unstable();
    met.dedup();
    met.iter()
        .filter_map(|id| state.realms.get_key_value(id))
        .map(view)
        .collect()
}

fn realm_view(viewer: Viewer, id: RealmId, realm: &Realm) -> RealmView {
    let open = match viewer {
        Viewer::Realm(me) => me == id,
        Viewer::GameMaster => true,
    };
    RealmView {
        name: realm.name.clone(),
        status: realm.status,
        culture_text: realm.culture_text.clone(),
        books: open.then(|| Books {
            player: realm.player.clone(),
            kind: realm.kind,
            culture: realm.culture.clone(),
            treasury: realm.treasury,
            income: realm.income,
            upkeep: realm.upkeep,
            account: realm.account,
            computer: realm.computer,
            missed_turns: realm.missed_turns,
        }),
    }
}

/// Every treaty once.
fn all_treaties(state: &State) -> Vec<TreatyView> {
    let view = |((a, b), treaty): (&(RealmId, RealmId), &Treaty)| TreatyView {
        one: *a,
        other: *b,
        treaty: *treaty,
    };
    state.treaties.iter().map(view).collect()
}

fn fields(tables: &Tables, state: &State, viewer: Viewer) -> Listed<Place, FieldView> {
    let place = |field: FieldIndex| state.place(eye(viewer), field);
    let Viewer::Realm(me) = viewer else {
        let mut standing = standing_armies(tables, state);
        let whole = |index: FieldIndex| FieldView {
            turn: state.turn,
            week: crate::event::END,
            glimpse: Glimpse::of(state.field(index)),
            armies: standing.remove(&index).unwrap_or_default().into(),
            own: Some(own_field(tables, state.field(index))),
        };
        let mut whole = whole;
        return state.grid.fields().map(|index| (place(index), whole(index))).collect();
    };
    let Some(realm) = state.realms.get(&me) else {
        return Listed::default();
    };
    // Put in order while they are small: the list takes them as they come.
    let mut places: Vec<(Place, FieldIndex, &Known)> = realm
        .knowledge
        .iter()
        .map(|(index, known)| (place(*index), *index, known))
        .collect();
    places.sort_unstable_by_key(|(place, ..)| *place);
    let known = places.into_iter().map(|(place, index, known)| {
        let field = state.field(index);
        let own = (field.owner == me).then(|| own_field(tables, field));
        let view = FieldView {
            turn: known.turn,
            week: known.week,
            glimpse: known.field,
            armies: known.armies.clone(),
            own,
        };
        (place, view)
    });
    known.collect()
}

/// Every army that stands by itself, by field, for the game master.
fn standing_armies(tables: &Tables, state: &State) -> BTreeMap<FieldIndex, Vec<SeenArmy>> {
    let mut standing: BTreeMap<FieldIndex, Vec<SeenArmy>> = BTreeMap::new();
    for (id, army) in state.armies.iter().filter(|(_, army)| army.is_free()) {
        let shown = crate::event::Shown {
            id: *id,
            flag: shown_flag(tables, *id, army),
            count: army.count,
        };
        standing
            .entry(army.field)
            .or_default()
            .push(seen(tables, Viewer::GameMaster, &shown));
    }
    standing
}

fn own_field(tables: &Tables, field: &Field) -> OwnField {
    OwnField {
        yield_percent: field.yield_percent,
        blessed_turns: field.blessed_turns,
        unrest: field.unrest,
        site: field
            .site
            .as_deref()
            .map(|site| site_view(tables.of(field.owner), site)),
    }
}

/// A building as its owner knows it: what a mine still holds stays hidden (GAP-20), a gate's code shows while it works (GAP-31).
fn site_view(tables: &Tables, site: &Site) -> SiteView {
    let capacity = match site.standing {
        true => (tables.capacity(site.building, site.condition) - site.armed_gold).max(0),
        false => 0,
    };
    let works = site.building == Building::Gate && site.standing && site.condition != Condition::Ruin;
    SiteView {
        building: site.building,
        standing: site.standing,
        condition: site.condition,
        name: site.name.clone(),
        works: site.works,
        capacity_left: capacity,
        gate_code: site.gate_code.filter(|_| works),
    }
}

/// The armies of a realm, in table order.
fn armies(tables: &Tables, state: &State, viewer: Viewer, realm: RealmId) -> impl Iterator<Item = (ArmyId, ArmyView)> {
    let members = member_counts(state, realm);
    let bonuses = Bonuses::of(tables.of(realm), state, realm);
    let place = move |field: FieldIndex| state.place(eye(viewer), field);
    state.armies_of(realm).map(move |(id, army)| {
        let army_view = ArmyView {
            count: members.get(&id.name).map_or(army.count, |(_, heads)| *heads),
            place: place(army.field),
            points: army.points,
            command: army.command,
            flag: army.flag,
            fit: army.fit,
            aboard: army.aboard,
            group: army.group,
            start: army.start.map(place),
            master: army.master,
            bonus_percent: bonuses.percent(id.name, army),
        };
        (id, army_view)
    })
}

/// The combat bonuses of a realm's armies as things stand: mixed groups and war priests (GAP-17, report column `+KK`).
struct Bonuses<'a> {
    tables: &'a Tables,
    groups: BTreeMap<ArmyName, i64>,
    blessed_fields: BTreeSet<FieldIndex>,
}

impl<'a> Bonuses<'a> {
    fn of(tables: &'a Tables, state: &State, realm: RealmId) -> Self {
        let bonus = &tables.combat.bonus_pct;
        let mut blessed_fields = BTreeSet::new();
        let mut rosters: BTreeMap<ArmyName, Vec<(Kind, i64)>> = BTreeMap::new();
        for (id, army) in state.armies_of(realm) {
            if id.kind() == Kind::WarPriest && army.aboard.is_none() && army.count >= bonus.war_priest_min_points {
                blessed_fields.insert(army.field);
            }
            if let Some(group) = army.group {
                rosters.entry(group).or_default().push((id.kind(), army.count));
            }
        }
        let groups = rosters
            .iter()
            .map(|(group, roster)| (*group, groups::bonus_percent(tables, group.kind, roster)))
            .collect();
        Self {
            tables,
            groups,
            blessed_fields,
        }
    }

    fn percent(&self, name: ArmyName, army: &Army) -> i64 {
        let group = army.group.unwrap_or(name);
        let by_group = self.groups.get(&group).copied().unwrap_or(0);
        let by_priest = army.aboard.is_none() && self.blessed_fields.contains(&army.field);
        by_group + i64::from(by_priest) * self.tables.combat.bonus_pct.war_priest_in_field
    }
}

/// Sorts what the viewer was told: sightings and steps into tables, the rest in order.
fn tell(view: &mut View, told: Vec<Told<Notice>>) {
    let mut weeks: Vec<(u8, WeekSeen)> = Vec::new();
    let mut steps: Vec<Step> = Vec::new();
    for item in told {
        match item.notice.what {
            Perceived::WeekSeen(seen) => weeks.push((item.notice.week, seen)),
            Perceived::TerritorySeen { fields } => view.territory = fields,
            Perceived::ArmyMoved {
                army,
                cost,
                points_left,
                ..
            } => steps.push(Step {
                week: item.notice.week,
                army: ArmyName::new(army.kind, army.number.unwrap_or(0)),
                cost,
                points_left,
                why: item.why,
            }),
            _ => view.told.push(item),
        }
    }
    sort_runs(&mut view.told);
    view.territory.sort_by_key(|(place, _)| (-i64::from(place.y), place.x));
    view.sightings = sightings::gather(weeks, steps);
}

/// Puts like things in a row into the viewer's own order: by army, or north to south and west to east. They happen in the
/// order of the world's fields, which nobody in it can know.
fn sort_runs(told: &mut [Told<Notice>]) {
    let alike = |a: &Told<Notice>, b: &Told<Notice>| {
        a.notice.week == b.notice.week
            && std::mem::discriminant(&a.notice.what) == std::mem::discriminant(&b.notice.what)
    };
    for run in told.chunk_by_mut(alike) {
        run.sort_by_key(|told| own_order(&told.notice.what));
    }
}

fn own_order(what: &Perceived) -> (Option<Who>, i64, i32) {
    let at = |place: &Place| (None, -i64::from(place.y), place.x);
    match what {
        Perceived::FieldConquered { army, .. } => (Some(*army), 0, 0),
        Perceived::FieldLost { place, .. }
        | Perceived::BuildingChanged { place, .. }
        | Perceived::DamageSuffered { place, .. }
        | Perceived::MinePaid { place, .. }
        | Perceived::MineExhausted { place }
        | Perceived::VeinSought { place, .. }
        | Perceived::FieldRevolted { place }
        | Perceived::WorkFinished { place, .. }
        | Perceived::BlessingEnded { place } => at(place),
        // Everything else keeps the order in which it happened.
        _ => (None, 0, 0),
    }
}
