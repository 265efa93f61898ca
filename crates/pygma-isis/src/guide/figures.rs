//! Numbers of realms, to be followed from month to month: money, land, people, armies.
//!
//! A ruler has those of his own realm; the game master those of all, for the statistics of his world.

use crate::codes::Kind;
use crate::event::Who;
use crate::tables::Tables;
use crate::view::View;
use kernel::diagnostic::Name;
use kernel::guide::Figure;
use kernel::realm::RealmId;

/// What is counted of one realm.
#[derive(Clone, Copy, Default)]
struct Count {
    treasury: i64,
    income: i64,
    fields: i64,
    towns: i64,
    population: i64,
    stock: i64,
}

/// The figures that the viewer may see, realm by realm.
pub(super) fn figures(tables: &Tables, view: &View) -> Vec<Figure> {
    match (view.realm(), &view.books) {
        (Some(realm), Some(books)) => {
            let statement = books.statement.as_ref();
            let count = Count {
                treasury: books.treasury,
                income: statement.map_or(0, |it| it.taxes + it.land + it.mines + it.trade),
                stock: books.stock.total(),
                ..land(tables, view, &Who::Own)
            };
            let mut list = of_realm(view, realm, &count);
            // Only a ruler has a map that grows.
            let known = i64::try_from(view.fields.len()).unwrap_or(i64::MAX);
            list.push(figure(realm, "figures-land", "figure-known", known));
            list
        }
        _ => {
            let realms = view.realms.iter();
            let all = realms.filter_map(|realm| {
                let ledger = realm.ledger?;
                let who = Who::Named {
                    id: realm.id,
                    name: realm.name.clone(),
                };
                let count = Count {
                    treasury: realm.treasury.unwrap_or(0),
                    income: ledger.income,
                    stock: ledger.stock,
                    ..land(tables, view, &who)
                };
                Some(of_realm(view, realm.id, &count))
            });
            all.flatten().collect()
        }
    }
}

/// Fields, towns and people of one owner, as they are now: the last count of the people may be months old (PYG-POP-01).
fn land(tables: &Tables, view: &View, who: &Who) -> Count {
    let mut count = Count::default();
    for field in view.fields.iter().filter(|field| field.owner == *who) {
        count.fields += 1;
        count.towns += i64::from(field.settlement.is_some_and(|it| it.is_town()));
        let grown = field.own.as_ref().map_or(0, |own| own.grown);
        let town = field
            .settlement
            .map_or(0, |kind| tables.settlement[kind].population + grown);
        count.population += tables.terrain[field.terrain].population + town;
    }
    count
}

fn of_realm(view: &View, realm: RealmId, count: &Count) -> Vec<Figure> {
    let heads = |kind: Kind| -> i64 {
        let own = view
            .armies
            .iter()
            .filter(|army| army.realm == realm && army.name.kind == kind);
        own.map(|army| army.count).sum()
    };
    let list = [
        ("figures-money", "figure-treasury", count.treasury),
        ("figures-money", "figure-income", count.income),
        ("figures-land", "figure-fields", count.fields),
        ("figures-land", "figure-towns", count.towns),
        ("figures-people", "figure-population", count.population),
        ("figures-people", "figure-stock", count.stock),
        ("figures-armies", "figure-warriors", heads(Kind::Warriors)),
        ("figures-armies", "figure-riders", heads(Kind::Riders)),
        ("figures-armies", "figure-ships", heads(Kind::Fleet)),
    ];
    let all = list.into_iter();
    all.map(|(group, key, value)| figure(realm, group, key, value))
        .collect()
}

const fn figure(realm: RealmId, group: &'static str, key: &'static str, value: i64) -> Figure {
    Figure {
        realm,
        group: Name::Borrowed(group),
        key: Name::Borrowed(key),
        value,
    }
}
