//! What fields yield (PYG-GOOD-01..08, PYG-TERR-04, PYG-GAP-52). Part B; also the example of a chapter.

use crate::chart::Place;
use crate::codes::{Good, Soil, Vein};
use crate::event::economy::Affair;
use crate::month::{self, Month, MonthTurn};
use crate::order::Order;
use crate::rule;
use crate::state::{Field, Points, State, Underground};
use crate::tables::Tables;
use crate::tables::policy::Waters;
use crate::treasury;
use kernel::diagnostic::{Diagnostic, Span};
use kernel::hex::FieldIndex;
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use kernel::turn::Cause;
use std::collections::{BTreeMap, BTreeSet};

/// `PRODUKTION`: the goods of a field's three places.
///
/// PYG-GOOD-02: each must have a cross there; PYG-GOOD-07: one good may stand in several places; PYG-GAP-52: in any month, on
/// own land and on water beside an own settlement. PYG-TERR-04, PYG-GOOD-08: an oasis is a plain.
pub fn choose(turn: &mut MonthTurn<'_>, month: &mut Month) {
    let orders = month::orders(turn);
    let mut last: BTreeMap<(RealmId, Place), Span> = BTreeMap::new();
    for (realm, order) in &orders {
        if let Order::Produce { field, .. } = &order.value {
            last.insert((*realm, field.value), order.span);
        }
    }
    for (realm, order) in orders {
        let Order::Produce { field: place, goods } = &order.value else {
            continue;
        };
        // PYG-GAP-67: the last line for a field counts.
        if last.get(&(realm, place.value)) != Some(&order.span) {
            treasury::warn_replaced(turn, realm, &[order.span], &place.value.to_string());
            continue;
        }
        let tables = turn.tables;
        let field = turn
            .state
            .field_at(place.value)
            .filter(|field| worker(tables, &turn.state, *field) == realm);
        let Some(field) = field else {
            let finding = Diagnostic::error("E_PLACE", place.span, &[rule::GAP_52]).with_word("fit", "fit-worked");
            turn.refuse(realm, finding.with("field", place.value.to_string()));
            continue;
        };
        let soil = tables.terrain[turn.state.field(field).terrain].column;
        if let Some(wrong) = goods.iter().find(|good| crosses(tables, soil, good.value) == 0) {
            let finding = Diagnostic::error("E_GOOD", wrong.span, &[rule::GOOD_02]);
            let finding = finding.with("field", place.value.to_string());
            turn.refuse(realm, finding.with_word("good", crate::report::good_word(wrong.value)));
            continue;
        }
        let goods = goods.map(|good| good.value);
        turn.state.field_mut(field).places = Some(goods);
        let rules: &'static [RuleId] = if soil == Some(Soil::Plain) {
            &[
                rule::GOOD_02,
                rule::GOOD_03,
                rule::GOOD_07,
                rule::GAP_52,
                rule::TERR_04,
                rule::GOOD_08,
            ]
        } else {
            &[rule::GOOD_02, rule::GOOD_03, rule::GOOD_07, rule::GAP_52]
        };
        let [first, second, third] = goods;
        let what = Affair::PlacesChosen {
            field: place.value,
            first,
            second,
            third,
        };
        month.emit(turn, Cause::Order(realm, order.span), rules, &[], what.of(realm));
    }
}

/// Who works a field: the owner of land; of water the owner of the settlement beside it, with the lowest number if there are several
/// (PYG-GAP-52).
pub fn worker(tables: &Tables, state: &State, field: FieldIndex) -> RealmId {
    let here = state.field(field);
    if !tables.is_water(here.terrain) {
        return here.owner;
    }
    if tables.goods.water_worked_by == Waters::Nobody {
        return RealmId::NOBODY;
    }
    let around = state.chart.neighbours(field).map(|(_, other)| other);
    let settled = around.filter(|other| {
        let other = state.field(*other);
        other.settlement.is_some() && other.owner.is_played()
    });
    settled.min().map_or(RealmId::NOBODY, |other| state.field(other).owner)
}

/// The waters that a realm works, in order.
pub fn worked_waters(tables: &Tables, state: &State, realm: RealmId) -> BTreeSet<FieldIndex> {
    let settled = state.land_of(realm).filter(|(_, field)| field.settlement.is_some());
    let around = settled.flat_map(|(index, _)| state.chart.neighbours(index).map(|(_, other)| other));
    around
        .filter(|other| tables.is_water(state.field(*other).terrain))
        .filter(|other| worker(tables, state, *other) == realm)
        .collect()
}

/// Whether a realm has a field of a soil; of water a worked one (PYG-GAP-56).
pub fn has_soil(tables: &Tables, state: &State, realm: RealmId, soil: Soil) -> bool {
    let is = |field: &Field| tables.terrain[field.terrain].column == Some(soil);
    state.land_of(realm).any(|(_, field)| is(field))
        || worked_waters(tables, state, realm)
            .into_iter()
            .any(|water| is(state.field(water)))
}

/// Crosses of a good on a soil; 0 where it is not won (T12).
pub fn crosses(tables: &Tables, soil: Option<Soil>, good: Good) -> i64 {
    soil.map_or(0, |soil| tables.production[soil][good])
}

/// Places of a field for main goods: three, or two where the world lets luxury goods of the field take the last (PYG-GAP-53).
pub fn places(tables: &Tables, field: &Field) -> usize {
    let all = tables.goods.place_points.len();
    let grows = tables.terrain[field.terrain].luxury.values().any(|points| *points > 0);
    let lies = matches!(
        field.ground,
        Underground::Pearls | Underground::Mine { vein: Vein::Gems, .. }
    );
    if tables.goods.luxury_uses_place && (grows || lies) {
        all - 1
    } else {
        all
    }
}

/// What a field yields: each place the lesser of its points and the crosses (PYG-GOOD-03, -04, -06).
pub fn yields(tables: &Tables, field: &Field) -> Points {
    let soil = tables.terrain[field.terrain].column;
    let goods = field.places.or_else(|| default_places(tables, soil));
    let mut points = Points::default();
    let ranked = goods.into_iter().flatten().zip(tables.goods.place_points);
    for (good, place) in ranked.take(places(tables, field)) {
        points[good] += place.min(crosses(tables, soil, good));
    }
    points
}

/// Without a choice: the good with most crosses first, ties by number; nothing where nothing grows (PYG-GAP-52).
pub fn default_places(tables: &Tables, soil: Option<Soil>) -> Option<[Good; 3]> {
    let mut goods: Vec<Good> = Good::main().filter(|good| crosses(tables, soil, *good) > 0).collect();
    goods.sort_by_key(|good| (-crosses(tables, soil, *good), *good));
    let first = *goods.first()?;
    let second = goods.get(1).copied().unwrap_or(first);
    Some([first, second, goods.get(2).copied().unwrap_or(second)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes::Terrain;

    fn points(terrain: Terrain, goods: [Good; 3]) -> Vec<(Good, i64)> {
        let field = Field {
            places: Some(goods),
            ..Field::wild(terrain)
        };
        yields(&Tables::book(), &field).iter().collect()
    }

    #[test]
    fn a_plain_with_grain_only_yields_six() {
        assert_eq!(points(Terrain::Plain, [Good::Grain; 3]), [(Good::Grain, 6)]);
        assert_eq!(points(Terrain::Oasis, [Good::Grain; 3]), [(Good::Grain, 6)]);
    }

    #[test]
    fn crosses_limit_every_place() {
        assert_eq!(points(Terrain::Grassland, [Good::Grain; 3]), [(Good::Grain, 2 + 2 + 1)]);
        assert_eq!(points(Terrain::Hills, [Good::Grain; 3]), [(Good::Grain, 1 + 1 + 1)]);
        assert_eq!(
            points(Terrain::Plain, [Good::Culture, Good::Grain, Good::Fruit]),
            [(Good::Grain, 2), (Good::Fruit, 1), (Good::Culture, 1)]
        );
    }

    #[test]
    fn without_a_choice_the_most_crosses_come_first_and_deserts_yield_nothing() {
        let tables = Tables::book();
        assert_eq!(
            default_places(&tables, Some(Soil::Mountains)),
            Some([Good::Stone, Good::Ore, Good::Livestock])
        );
        assert_eq!(
            default_places(&tables, Some(Soil::Water)),
            Some([Good::Livestock, Good::Spice, Good::Spice])
        );
        assert_eq!(yields(&tables, &Field::wild(Terrain::Desert)), Points::default());
    }
}
