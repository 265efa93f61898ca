//! Reading a place that a page or a player names.

use crate::geo::Place;
use crate::rule;
use crate::view::View;
use kernel::diagnostic::{Diagnostic, Span};

/// Longest text that is looked at; no place is longer.
const LONGEST: usize = 40;

/// The place that a text such as `4/-2`, `4,-2` or `4 -2` names, as the viewer writes it, or what is wrong with it.
///
/// THO-MAP-01, -02, -06: no `x = 0` in odd rows, no rows beyond the edge; columns go round the world.
pub(super) fn read(view: &View, text: &str) -> Result<Place, Box<Diagnostic>> {
    let shown: String = text.chars().take(LONGEST).collect();
    let span = Span {
        line: 1,
        column: 1,
        length: u32::try_from(shown.chars().count()).unwrap_or(0),
    };
    let numbers = (text.len() <= LONGEST).then(|| {
        let parts = text.split(['/', ',', ' ']).filter(|part| !part.is_empty());
        parts.map(str::parse::<i32>).collect::<Result<Vec<_>, _>>()
    });
    let Some(Ok(numbers)) = numbers else {
        return Err(Box::new(unreadable(span, shown)));
    };
    let [x, y] = numbers[..] else {
        return Err(Box::new(unreadable(span, shown)));
    };
    let place = Place::new(x, y);
    if place.doubled().is_none() {
        let fault = Diagnostic::error("S05", span, &[rule::MAP_02]);
        return Err(Box::new(fault.with("x", i64::from(x)).with("y", i64::from(y))));
    }
    view.normal(place).ok_or_else(|| {
        let fault = Diagnostic::error("S06", span, &[rule::MAP_06, rule::GAP_01]);
        Box::new(
            fault
                .with("x", i64::from(x))
                .with("y", i64::from(y))
                .with("ymin", i64::from(view.y_min))
                .with("ymax", i64::from(view.y_max)),
        )
    })
}

fn unreadable(span: Span, text: String) -> Diagnostic {
    Diagnostic::error("O01", span, &[rule::MAP_01]).with("t", text)
}

/// The finding about a field that the viewer has never seen.
pub(super) fn never_seen(place: Place) -> Diagnostic {
    Diagnostic::hint("O02", Span::default(), &[rule::SIGHT_01])
        .with("x", i64::from(place.x))
        .with("y", i64::from(place.y))
}
