//! Steps by one click: everywhere that a figure gets with the steps it has left, and the same for all of its kind on a field who go together.
//!
//! The ways are found by trying their lines on copies of the board, so that each of them is exactly what the rules allow.

use super::board::term;
use super::draft::Draft;
use super::offers::{attempt, headed};
use crate::battle::Scene;
use crate::board::Spot;
use crate::kinds::{Family, Part};
use crate::movement;
use crate::script;
use crate::state::{Figure, FigureId, Place};
use crate::tables::Tables;
use kernel::board::{Offer, STEPS, TOGETHER};
use kernel::diagnostic::{Name, Value};
use kernel::realm::RealmId;
use std::collections::BTreeSet;

/// Lines that are tried for one figure or group at the most: a rider at double speed has eight steps.
const TRIALS_MAX: usize = 300;

/// Whether a figure goes field by field on its own feet or carries its rider. A wizard hovers where he likes: all of that would outshine his spells.
fn walks(scene: Scene<'_>, id: FigureId, figure: &Figure) -> bool {
    let ridden = |part: Part| {
        let mut riders = scene.position.aboard(id);
        riders.any(|(_, rider)| matches!(rider.place, Place::On(_, on) if on == part))
    };
    let goes = match figure.kind.family() {
        Family::Warrior | Family::Person => matches!(figure.place, Place::At(_)),
        Family::Horse => matches!(figure.place, Place::At(_)) && ridden(Part::Back),
        Family::Elephant => matches!(figure.place, Place::At(_)) && ridden(Part::Saddle),
        _ => false,
    };
    goes && figure.phalanx.is_none() && figure.is_able()
}

/// Ways of more than one step for this figure, and ways for it with all others of its family who stand beside it.
pub(super) fn of_piece(tables: &Tables, draft: &Draft, player: RealmId, id: FigureId) -> Vec<Offer> {
    let scene = draft.scene(tables, player);
    let Some(figure) = scene.position.figure(id).filter(|figure| walks(scene, id, figure)) else {
        return Vec::new();
    };
    let Some(start) = scene.position.spot_of(id) else {
        return Vec::new();
    };
    let mut list: Vec<Offer> = ways(tables, draft, player, (&[id], start))
        .into_iter()
        .filter(|way| way.len() > 2)
        .map(|way| {
            let steps = i64::try_from(way.len() - 1).unwrap_or(i64::MAX);
            let args = |to: String| vec![("to", Value::Text(to)), ("fields", Value::Int(steps))];
            offered(tables, draft, player, (&[id], &way), (STEPS, "offer-step-far"), args)
        })
        .collect();
    let company: Vec<FigureId> = scene
        .position
        .present()
        .filter(|(other, one)| {
            one.possessor == player
                && one.place == figure.place
                && one.kind.family() == figure.kind.family()
                && walks(scene, *other, one)
                && movement::steps_left(scene, *other) > 0
        })
        .map(|(other, _)| other)
        .collect();
    if company.len() > 1 && company.contains(&id) {
        let together = ways(tables, draft, player, (&company, start)).into_iter().map(|way| {
            let args = |to: String| vec![("to", Value::Text(to))];
            let what = (TOGETHER, "offer-step-together");
            let mut offer = offered(tables, draft, player, (&company, &way), what, args);
            let count = Value::Int(i64::try_from(company.len()).unwrap_or(i64::MAX));
            offer.sort = Some(term("sort-together", vec![("count", count)]));
            offer
        });
        list.extend(together);
    }
    list
}

/// The shortest way to every spot that the figures reach together without a die.
fn ways(tables: &Tables, draft: &Draft, player: RealmId, (who, start): (&[FigureId], Spot)) -> Vec<Vec<Spot>> {
    let scene = draft.scene(tables, player);
    let least = who.iter().map(|id| movement::steps_left(scene, *id)).min().unwrap_or(0);
    let mut known = BTreeSet::from([start]);
    let mut found: Vec<Vec<Spot>> = vec![vec![start]];
    let (mut next, mut trials) = (0, 0);
    while let Some(way) = found.get(next).cloned() {
        next += 1;
        let Some(last) = way.last().copied().filter(|_| way.len() <= usize::from(least)) else {
            continue;
        };
        for to in super::ways::beside(scene, last) {
            if known.contains(&to) || trials >= TRIALS_MAX {
                continue;
            }
            trials += 1;
            let longer: Vec<Spot> = way.iter().copied().chain([to]).collect();
            let parsed = script::parse(line(scene, who, &longer).as_bytes());
            let order = parsed.orders.first().map(|order| &order.value);
            let trial = order.and_then(|order| attempt(tables, &draft.state, player, order));
            if trial.is_some_and(|trial| !trial.rolled) {
                known.insert(to);
                found.push(longer);
            }
        }
    }
    found.retain(|way| way.len() > 1);
    found
}

/// `ZIEHE S#1,S#2 17>18>24`
fn line(scene: Scene<'_>, who: &[FigureId], way: &[Spot]) -> String {
    let names: Vec<String> = who.iter().map(|id| scene.position.name(*id)).collect();
    let board = &scene.position.board;
    let fields: Vec<String> = way.iter().map(|spot| board.spot_name(scene.tables, *spot)).collect();
    format!("ZIEHE {} {}", names.join(","), fields.join(">"))
}

fn offered(
    tables: &Tables,
    draft: &Draft,
    player: RealmId,
    (who, way): (&[FigureId], &[Spot]),
    (group, key): (&'static str, &'static str),
    args: impl Fn(String) -> Vec<(&'static str, Value)>,
) -> Offer {
    let scene = draft.scene(tables, player);
    let place = way
        .last()
        .map(|spot| scene.position.board.spot_name(tables, *spot))
        .unwrap_or_default();
    Offer {
        label: term(key, args(place.clone())),
        group: Name::Borrowed(group),
        sort: None,
        place: Some(place),
        target: None,
        line: headed(scene, draft, player, &line(scene, who, way)),
        rolls: false,
        chances: Vec::new(),
    }
}
