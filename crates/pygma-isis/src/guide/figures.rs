//! Numbers of a realm, to be followed from month to month: money, land, people, armies.

use crate::codes::Kind;
use crate::event::Who;
use crate::view::View;
use kernel::diagnostic::Name;
use kernel::guide::Figure;

/// The figures of the viewer's own realm.
pub(super) fn figures(view: &View) -> Vec<Figure> {
    let (Some(realm), Some(books)) = (view.realm(), &view.books) else {
        return Vec::new();
    };
    let own = || view.fields.iter().filter(|field| field.owner == Who::Own);
    let count = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
    let heads = |kind: Kind| -> i64 {
        let armies = view.armies.iter().filter(|army| army.name.kind == kind);
        armies.map(|army| army.count).sum()
    };
    let statement = books.statement.as_ref();
    let list = [
        ("figures-money", "figure-treasury", books.treasury),
        (
            "figures-money",
            "figure-income",
            statement.map_or(0, |it| it.taxes + it.land + it.mines + it.trade),
        ),
        ("figures-land", "figure-fields", count(own().count())),
        (
            "figures-land",
            "figure-towns",
            count(
                own()
                    .filter(|field| field.settlement.is_some_and(|it| it.is_town()))
                    .count(),
            ),
        ),
        ("figures-land", "figure-known", count(view.fields.len())),
        (
            "figures-people",
            "figure-population",
            statement.map_or(0, |it| it.population),
        ),
        ("figures-people", "figure-stock", books.stock.total()),
        ("figures-armies", "figure-warriors", heads(Kind::Warriors)),
        ("figures-armies", "figure-riders", heads(Kind::Riders)),
        ("figures-armies", "figure-ships", heads(Kind::Fleet)),
    ];
    let figure = |(group, key, value): (&'static str, &'static str, i64)| Figure {
        realm,
        group: Name::Borrowed(group),
        key: Name::Borrowed(key),
        value,
    };
    list.into_iter().map(figure).collect()
}
