//! Advice on orders from the player's own knowledge: the turn's own refusals in an imagined season, and what looks forgotten.
//!
//! Findings of reading the file are not repeated here.

use crate::codes::{Building, Command};
use crate::event::{Happening, Obstacle};
use crate::geo::Place;
use crate::imagine;
use crate::mend::{Workshop, comment_out};
use crate::order::{March, Order, Special};
use crate::parse::ARMY;
use crate::rule;
use crate::state::ArmyName;
use crate::tables::Tables;
use crate::view::View;
use kernel::diagnostic::{Diagnostic, Parsed, Severity, Span, Value};
use kernel::hex::Direction;
use kernel::rule::RuleId;
use kernel::turn::Cause;
use std::collections::{BTreeMap, BTreeSet};

/// How many findings of a check get a repair: more than anybody reads, few enough to look at the map for each.
const REPAIRS: usize = 200;

/// All advice, in no particular order.
pub fn check(tables: &Tables, view: &View, parsed: &Parsed<Order>) -> Vec<Diagnostic> {
    let Some(realm) = view.realm() else { return Vec::new() };
    let Some(outcome) = imagine::rehearsal(tables, view, parsed, imagine::TYPICAL_PERCENT) else {
        return Vec::new();
    };
    let mut advice: Vec<Diagnostic> = outcome.refusals.get(&realm).cloned().unwrap_or_default();
    let lines: BTreeMap<u32, &Order> = parsed
        .orders
        .iter()
        .map(|order| (order.span.line, &order.value))
        .collect();
    advice.retain(|finding| is_certain(view, &lines, finding));
    let workshop = Workshop::new(tables, view, parsed);
    for finding in &mut advice {
        soften(view, &lines, finding);
    }
    soften_luck(tables, view, parsed, &mut advice);
    if let Some(workshop) = &workshop {
        for finding in advice.iter_mut().take(REPAIRS) {
            workshop.mend(finding);
        }
    }
    for entry in &outcome.journal {
        // The cause of a step is its digit in the order line.
        let (Happening::StepFailed { army, direction, why }, Cause::Order(by, span)) = (&entry.event.what, entry.cause)
        else {
            continue;
        };
        if *army != army.name.of(realm) || by != realm {
            continue;
        }
        if let Some((grounds, rules)) = blocked(*why) {
            advice.push(
                Diagnostic::warning("H01", span, rules)
                    .with("armee", army.name.to_string())
                    .with("w", i64::from(entry.event.week))
                    .with("d", i64::from(direction.digit()))
                    .with_word("grund", grounds)
                    .mended_by(span, "0"),
            );
        }
    }
    let merged = outcome.journal.iter().filter_map(|entry| match &entry.event.what {
        Happening::ArmiesMerged { army, joined, .. } if joined.realm == realm => Some((joined.name, army.name)),
        _ => None,
    });
    advice.extend(overtaken(parsed, &merged.collect()));
    advice.extend(headless(parsed));
    // A hint stands where its repair puts the line: among those of the other armies.
    advice.extend(workshop.iter().flat_map(|workshop| {
        forgotten(view, parsed).into_iter().map(|name| {
            let (span, line) = workshop.line_for(name);
            let hint = Diagnostic::hint("H02", span, &[rule::GAP_04]);
            hint.with("armee", name.to_string()).mended_by(span, line)
        })
    }));
    advice
}

/// GAP-39: where orders begin whose header was forgotten. What the refusals say of each line follows from reading it as an order of
/// another section, and explains nothing.
fn headless(parsed: &Parsed<Order>) -> impl Iterator<Item = Diagnostic> {
    parsed.diagnostics.iter().filter_map(|finding| {
        let header = finding.repair.as_ref()?.text.strip_suffix('\n')?;
        let is_header = header.starts_with('$');
        is_header.then(|| {
            Diagnostic::hint("H04", finding.span, &[rule::GAP_39, rule::ORD_02]).with("abschnitt", header.to_owned())
        })
    })
}

/// Obstacles that lie in the map, not in what others do or how far the points reach.
fn blocked(why: Obstacle) -> Option<(&'static str, &'static [RuleId])> {
    match why {
        Obstacle::Water => Some(("obstacle-water", &[rule::MOVE_09])),
        Obstacle::Land => Some(("obstacle-land", &[rule::MOVE_09])),
        Obstacle::Height => Some(("obstacle-height", &[rule::TERR_02])),
        Obstacle::UnknownTerrain => Some(("obstacle-unknown-terrain", &[rule::MAP_08])),
        Obstacle::Blessed => Some(("obstacle-blessed", &[rule::PRIEST_04])),
        Obstacle::OnlyRoads => Some(("obstacle-only-roads", &[rule::UNIT_12])),
        Obstacle::NoPoints | Obstacle::Engaged | Obstacle::HeldUp => None,
    }
}

/// Whether a refusal of the imagined season follows from what the player knows for certain.
///
/// What stands on a field out of sight, whether a strange place trades and where an unknown gate leads to he cannot know; the turn will tell.
fn is_certain(view: &View, lines: &BTreeMap<u32, &Order>, finding: &Diagnostic) -> bool {
    let in_sight = |place: Place| in_sight(view, place);
    let special = |order: &Order| match order {
        Order::March(march) => Some((march.army.value, march.special?.value)),
        _ => None,
    };
    let line = lines.get(&finding.span.line).copied();
    match (&*finding.code, line) {
        ("A25" | "A33", Some(line)) => special(line)
            .and_then(|(_, special)| match special {
                // Where the army is to end: the finding names it. Who will stand there by then is open.
                Special::Raze(_) | Special::Cut(..) => named_place(finding).filter(|_| !is_guarded(finding)),
                _ => target(&special),
            })
            .is_some_and(in_sight),
        ("L03", Some(Order::Cede { place, .. })) => view
            .normal(place.value)
            .is_none_or(|place| view.fields.contains_key(&place) || !may_be_conquered(view, lines, place)),
        // In the rehearsal it is lost behind a gate that the player does not know.
        ("A01", Some(line)) => match special(line) {
            Some((_, Special::Accelerate(army))) => !lines
                .values()
                .any(|order| matches!(special(order), Some((passing, Special::Gate(_))) if passing == army)),
            _ => true,
        },
        _ => true,
    }
}

/// Whether an army is on its way to conquer this field, as far as one can know. What a player has never seen no army of his takes in a
/// rehearsal.
fn may_be_conquered(view: &View, lines: &BTreeMap<u32, &Order>, field: Place) -> bool {
    let aims_there = |march: &March| {
        let army = view.own_armies().find(|(name, _)| *name == march.army.value);
        let Some((_, army)) = army.filter(|(_, army)| army.aboard.is_none()) else {
            return true;
        };
        let mut digits = march.route.value.iter().flatten();
        let aim = digits.try_fold(army.place, |place, digit| view.neighbour(place, *digit));
        aim.is_some_and(|aim| view.normal(aim) == Some(field))
    };
    lines.values().any(|order| match order {
        Order::March(march) => march.command.value == Command::Conquer && aims_there(march),
        _ => false,
    })
}

const fn target(special: &Special) -> Option<Place> {
    match special {
        Special::Free(place)
        | Special::Tame(place)
        | Special::Bless(place)
        | Special::Trade(place)
        | Special::Fire(place) => Some(*place),
        _ => None,
    }
}

/// Whether an army in the way is what a finding complains of.
fn is_guarded(finding: &Diagnostic) -> bool {
    let complaint = |value: &Value| matches!(value, Value::Word { word } if &**word == "wanted-destroy-unguarded");
    finding.args.iter().any(|(_, value)| complaint(value))
}

/// The place that a finding names.
fn named_place(finding: &Diagnostic) -> Option<Place> {
    let number = |name: &str| {
        let found = finding.args.iter().find(|(own, _)| own == name);
        found.and_then(|(_, value)| match value {
            Value::Int(number) => i32::try_from(*number).ok(),
            _ => None,
        })
    };
    Some(Place::new(number("x")?, number("y")?))
}

/// Whether the player sees a field now, so that it is as he knows it.
fn in_sight(view: &View, place: Place) -> bool {
    view.normal(place)
        .and_then(|place| view.fields.get(&place))
        .is_some_and(|known| known.turn == view.turn || known.own.is_some())
}

/// What depends on the fortunes of the season is a warning, not an error: heads lost on the way, a fleet that is late, what somebody builds
/// where it is to be destroyed. So is a border beyond which land out of sight may have changed hands, and a temple city that the recipient may have
/// lost since it was seen.
fn soften(view: &View, lines: &BTreeMap<u32, &Order>, finding: &mut Diagnostic) {
    let open = match (&*finding.code, lines.get(&finding.span.line)) {
        ("A14" | "A27" | "A28" | "A29", _) => true,
        ("A25", Some(Order::March(march))) => march.command.value == Command::Destroy,
        ("L04", Some(Order::Cede { place, .. })) => Direction::ALL
            .iter()
            .filter_map(|side| view.neighbour(place.value, *side))
            .any(|beside| !in_sight(view, beside)),
        ("L06", Some(Order::Cede { realm, .. })) => !view.fields.iter().any(|(place, known)| {
            let temple_city = known.glimpse.building.is_some_and(Building::is_temple_city);
            temple_city && known.glimpse.owner == realm.value && in_sight(view, *place)
        }),
        _ => false,
    };
    if open && finding.severity == Severity::Error {
        finding.severity = Severity::Warning;
    }
}

/// What hangs on dice is a warning, not an error: points for monsters whose price nobody knows (THO-MAGE-05), room for an army that
/// loses men before it boards, gold that a mine may bring. Such findings are tried with the lowest and the highest faces.
fn soften_luck(tables: &Tables, view: &View, parsed: &Parsed<Order>, advice: &mut [Diagnostic]) {
    let in_question =
        |finding: &Diagnostic| finding.severity == Severity::Error && matches!(&*finding.code, "A15" | "A23" | "G03");
    if !advice.iter().any(in_question) {
        return;
    }
    for luck in [0, 100] {
        let found = imagine::rehearsal(tables, view, parsed, luck);
        let found = found.and_then(|outcome| outcome.refusals.get(&view.realm()?).cloned());
        let found = found.unwrap_or_default();
        for finding in advice.iter_mut().filter(|finding| in_question(finding)) {
            let alike = |other: &Diagnostic| other.code == finding.code && other.span == finding.span;
            if !found.iter().any(alike) {
                finding.severity = Severity::Warning;
            }
        }
    }
}

/// H03: orders that come to nothing, because their army has joined another one before week 1 (THO-SPEC-04). `merged` says whom each
/// of them has joined. A line that tells it to stand and defend does no harm.
fn overtaken(parsed: &Parsed<Order>, merged: &BTreeMap<ArmyName, ArmyName>) -> Vec<Diagnostic> {
    let lines = parsed.orders.iter().filter_map(|order| match &order.value {
        Order::March(march) => Some((order.span, march, merged.get(&march.army.value)?)),
        _ => None,
    });
    let idle = |march: &March| {
        let stands = march.route.value.iter().all(Option::is_none);
        stands && march.command.value == Command::Defend && march.special.is_none()
    };
    let lines = lines.filter(|(_, march, _)| !idle(march));
    let hint = |(line, march, into): (Span, &March, &ArmyName)| {
        let (span, text) = comment_out(line);
        Diagnostic::hint("H03", march.army.span, &[rule::SPEC_04])
            .with("armee", march.army.value.to_string())
            .with("ziel", into.to_string())
            .mended_by(span, text)
    };
    lines.map(hint).collect()
}

/// H02: armies that stand on the map without an order. They will defend where they are (GAP-04).
fn forgotten(view: &View, parsed: &Parsed<Order>) -> Vec<ArmyName> {
    let refused: BTreeSet<&str> = parsed
        .diagnostics
        .iter()
        .flat_map(|finding| &finding.args)
        .filter_map(|(name, value)| match value {
            Value::Text(army) if name == ARMY => Some(army.as_str()),
            _ => None,
        })
        .collect();
    let mut ordered: BTreeSet<ArmyName> = BTreeSet::new();
    for order in &parsed.orders {
        if let Order::March(march) = &order.value {
            ordered.insert(march.army.value);
            if let Some(Special::Merge { number }) = march.special.map(|special| special.value) {
                ordered.insert(ArmyName::new(march.army.value.kind, number));
            }
        }
    }
    // Lines that could not be read name armies too; a hint on top of the error would be noise.
    if !parsed.diagnostics.is_empty() && ordered.is_empty() {
        return Vec::new();
    }
    view.own_armies()
        .filter(|(name, army)| army.aboard.is_none() && army.group.is_none() && !ordered.contains(name))
        .map(|(name, _)| name)
        .filter(|name| !refused.contains(name.to_string().as_str()))
        .collect()
}
