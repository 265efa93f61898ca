//! A player's knowledge as a world of its own, so that the rules themselves can advise him (ADR 4).
//!
//! Known land is as it was last seen, the rest is unexplored and open to everyone, nobody else is there, and dice show a typical
//! face. Nothing enters that is not in the view, so nothing can leave that the player may not know.

use crate::codes::Terrain;
use crate::event::Who;
use crate::order::Order;
use crate::state::{
    Acquaintance, Army, Field, Glimpse, Known, Lane, Realm, Settlement, Sides, State, Status, Underground, Work,
};
use crate::tables::Tables;
use crate::view::{Books, FieldView, View};
use crate::{PygmaIsis, steps};
use kernel::diagnostic::Parsed;
use kernel::dice::Dice;
use kernel::game;
use kernel::hex::FieldIndex;
use kernel::realm::RealmId;
use kernel::turn::{Input, Outcome};
use std::collections::BTreeMap;

/// A typical die shows this percentage of its range.
pub(crate) const TYPICAL_PERCENT: u8 = 50;
/// Numbers of realms that the player knows only by their banner begin here.
const BANNERS: u16 = 10_000;

/// What would become of the orders if nobody else were there, from the player's own knowledge only.
pub fn rehearsal(tables: &Tables, view: &View, parsed: &Parsed<Order>) -> Option<Outcome<PygmaIsis>> {
    let state = world(tables, view)?;
    let input = input(view, parsed)?;
    let dice = Dice::Typical(TYPICAL_PERCENT);
    Some(game::run_by(tables, state, &input, dice, steps::rehearse))
}

/// The player's orders alone; what is wrong with them as text has been said already.
fn input(view: &View, parsed: &Parsed<Order>) -> Option<Input<PygmaIsis>> {
    let mut input = Input::<PygmaIsis>::default();
    let orders = Parsed {
        orders: parsed.orders.clone(),
        diagnostics: Vec::new(),
    };
    input.orders.insert(view.realm()?, orders);
    Some(input)
}

/// The world as the player imagines it.
pub fn world(_tables: &Tables, view: &View) -> Option<State> {
    let realm = view.realm()?;
    let books = view.books.as_ref()?;
    let chart = view.chart;
    let mut state = State {
        step: view.step,
        chart,
        fields: vec![Field::wild(Terrain::Unexplored); chart.field_count() as usize],
        realms: BTreeMap::new(),
        armies: BTreeMap::new(),
        bands: BTreeMap::new(),
        house_rules: view.house_rules.clone(),
        over: view.over,
    };
    let home = chart.field(books.home).unwrap_or(FieldIndex(0));
    let mut own = imagined_realm(&state, books, home);
    for field in &view.fields {
        let Some(index) = chart.field(field.place) else {
            continue;
        };
        let owner = owner(realm, &field.owner);
        *state.field_mut(index) = imagined_field(field, owner);
        let known = Known {
            step: field.step,
            glimpse: glimpse(field, owner),
        };
        own.knowledge.insert(index, known);
        if owner.is_played() && owner != realm {
            let stranger = || Realm::new(field.owner.label(), "", index);
            state.realms.entry(owner).or_insert_with(stranger);
        }
    }
    for other in &view.realms {
        let how = match other.player {
            Some(_) => Acquaintance::Player,
            None => Acquaintance::Realm,
        };
        own.met.insert(other.id, how);
        let known = || Realm::new(other.name.as_str(), "", home);
        state.realms.entry(other.id).or_insert_with(known);
    }
    state.realms.insert(realm, own);
    for army in view.armies.iter().filter(|army| army.realm == realm) {
        let Some(field) = chart.field(army.place) else { continue };
        let imagined = Army {
            stance: army.stance,
            aboard: army.aboard,
            equipment: army.equipment,
            equipment_used: army.equipment_used,
            stationed: army.stationed,
            raised: army.raised,
            load: army.load.clone(),
            ..Army::new(army.count, field)
        };
        state.armies.insert(army.name.of(realm), imagined);
    }
    Some(state)
}

/// The number by which the imagined world knows an owner.
fn owner(realm: RealmId, who: &Who) -> RealmId {
    match who {
        Who::Nobody => RealmId::NOBODY,
        Who::Own => realm,
        Who::Named { id, .. } => *id,
        Who::Banner(number) => RealmId(BANNERS.saturating_add(u16::try_from(*number).unwrap_or(u16::MAX))),
    }
}

/// Whether an owner is known by his banner only.
pub(crate) const fn is_banner(realm: RealmId) -> bool {
    realm.0 >= BANNERS
}

fn imagined_realm(state: &State, books: &Books, home: FieldIndex) -> Realm {
    let lane = |(name, places): (&String, &Vec<crate::chart::Place>)| {
        let fields = places.iter().filter_map(|place| state.chart.field(*place)).collect();
        (name.clone(), Lane { fields, since: 0 })
    };
    Realm {
        people: books.people,
        treasury: books.treasury,
        status: Status::Playing,
        missed: books.missed,
        promotions: books.promotions.clone(),
        stock: books.stock,
        imports: books.imports,
        statement: books.statement.clone(),
        hygiene: books.hygiene,
        unrest: books.unrest,
        bad_harvest: books.bad_harvest,
        lanes: books.lanes.iter().map(lane).collect(),
        culture: books.culture.clone(),
        ..Realm::new(books.name.as_str(), books.player.as_str(), home)
    }
}

fn imagined_field(known: &FieldView, owner: RealmId) -> Field {
    let own = known.own.as_ref();
    let settlement = known.settlement.map(|kind| {
        Box::new(Settlement {
            fortified: known.fortified,
            grown: own.map_or(0, |own| own.grown),
            plague: own.map_or(0, |own| own.plague),
            trade: own.and_then(|own| own.trade),
            pays_nothing: own.is_some_and(|own| own.town_pays_nothing),
            ..Settlement::new(kind)
        })
    });
    let ground = match own.map(|own| (own.mine, own.pearls)) {
        Some((Some((vein, yields)), _)) => Underground::Mine { vein, yields, terms: 2 },
        Some((None, true)) => Underground::Pearls,
        // Own land has been searched when it joined the realm.
        Some((None, false)) => Underground::Nothing,
        None => Underground::Unsearched,
    };
    Field {
        owner,
        rivers: known.rivers,
        bridges: known.bridges,
        roads: known.roads,
        settlement,
        work: known.work.map(|kind| Work { kind, built: 0 }),
        ground,
        ruins: own.map_or(Sides::NONE, |own| own.ruins),
        places: own.and_then(|own| own.places),
        pays_nothing: own.is_some_and(|own| own.pays_nothing),
        ..Field::wild(known.terrain)
    }
}

fn glimpse(known: &FieldView, owner: RealmId) -> Glimpse {
    Glimpse {
        terrain: known.terrain,
        owner,
        settlement: known.settlement,
        fortified: known.fortified,
        work: known.work,
        rivers: known.rivers,
        bridges: known.bridges,
        roads: known.roads,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::campaign::Campaign;
    use kernel::dice::WorldSecret;
    use kernel::game::{Brief, Game};
    use kernel::realm::Viewer;

    #[test]
    fn orders_are_refused_alike_in_a_rehearsal_and_in_the_whole_month() {
        let tables = Tables::book();
        let mut refused = 0;
        for seed in 0..40 {
            let mut dice = Dice::Keyed(WorldSecret([seed; 32]).step(0));
            let setting = PygmaIsis::setting(&mut dice).expect("a world");
            for (realm, file) in &setting.files {
                let brief = Brief {
                    viewer: Viewer::Realm(*realm),
                    told: Vec::new(),
                    diagnostics: Vec::new(),
                };
                let view = PygmaIsis::view(&tables, &setting.state, brief);
                let seat = PygmaIsis::seat_of_view(&view).expect("a player's view");
                let parsed = PygmaIsis::parse(&tables, &seat, file);
                let part = rehearsal(&tables, &view, &parsed).expect("a world");
                let state = world(&tables, &view).expect("a world");
                let input = input(&view, &parsed).expect("a player's view");
                let whole = game::run::<PygmaIsis>(&tables, state, &input, Dice::Typical(TYPICAL_PERCENT));
                assert_eq!(part.refusals, whole.refusals, "seed {seed}, realm {realm}");
                refused += part.refusals.get(realm).map_or(0, Vec::len);
            }
        }
        assert!(refused > 200, "{refused}");
    }
}
