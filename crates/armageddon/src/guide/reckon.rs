//! What the board can reckon for a player: duels with support and height, shots, throws, the price of an army.

use super::pieces::kind_name;
use crate::army::Army;
use crate::kinds::Kind;
use crate::odds::{self, DUELS, Fighter, Kill, THROWS};
use crate::rule;
use crate::tables::Tables;
use kernel::diagnostic::{Diagnostic, Name, Span};
use kernel::form::{Choice, Form, FormField, Input, Values};
use kernel::report::{Arg, Line, ReportSink};
use kernel::rule::RuleId;

/// Characters of an army list.
const LIST_MAX: u32 = 2_000;

fn kinds(fits: impl Fn(Kind) -> bool) -> Input {
    Input::Choice {
        choices: Kind::all()
            .filter(|kind| fits(*kind))
            .map(|kind| Choice::worded(kind.code(), format!("kind-{}", kind_name(kind))))
            .collect(),
    }
}

fn form(name: &'static str, rules: &[RuleId], fields: Vec<FormField>) -> Form {
    Form {
        name: Name::Borrowed(name),
        title: Name::Owned(format!("reckon-{name}")),
        help: Name::Owned(format!("reckon-{name}-help")),
        rules: rules.iter().map(|rule| Name::Borrowed(rule.as_str())).collect(),
        fields,
    }
}

/// The forms.
pub(super) fn forms() -> Vec<Form> {
    let fighter = |name: &'static str, label: &'static str| FormField::new(name, label, kinds(crate::melee::fights));
    let levels = Input::Number { min: -4, max: 4 };
    vec![
        form(
            "duel",
            &[rule::GAP_03, rule::GAP_04],
            vec![
                fighter("figure", "label-figure").with_default("LB"),
                fighter("support", "label-support").or_nothing(),
                fighter("target", "label-target").with_default("S"),
                FormField::new("height", "label-height", levels.clone()).with_default("0"),
                FormField::new("points", "label-points", Input::Number { min: -20, max: 20 }).with_default("0"),
            ],
        ),
        form(
            "shot",
            &[rule::GAP_06],
            vec![
                FormField::new("figure", "label-figure", kinds(crate::melee::is_shooter)).with_default("B"),
                FormField::new("target", "label-target", kinds(|kind| kind.family().is_living())).with_default("S"),
                FormField::new("distance", "label-distance", Input::Number { min: 1, max: 10 }).with_default("2"),
                FormField::new("height", "label-uphill", Input::Number { min: 0, max: 4 }).with_default("0"),
                FormField::new("cover", "label-cover", Input::Flag).or_nothing(),
            ],
        ),
        form(
            "throw",
            &[rule::GAP_08],
            vec![
                FormField::new("distance", "label-distance", Input::Number { min: 1, max: 20 }).with_default("4"),
                FormField::new("height", "label-uphill", Input::Number { min: 0, max: 6 }).with_default("0"),
                FormField::new("ship", "label-from-ship", Input::Flag).or_nothing(),
                FormField::new("reinforced", "label-reinforced", Input::Flag).or_nothing(),
            ],
        ),
        form(
            "army",
            &[rule::GAP_44],
            vec![
                FormField::new(
                    "list",
                    "label-list",
                    Input::Text {
                        max: LIST_MAX,
                        lines: 40,
                    },
                )
                .with_default("10S, 4LB, 2On"),
                FormField::new("budget", "label-budget", Input::Number { min: 0, max: 100_000 }).or_nothing(),
            ],
        ),
    ]
}

/// What was filled in.
struct Filled<'a>(&'a Values);

impl Filled<'_> {
    fn text(&self, name: &str) -> &str {
        self.0.get(name).map_or("", |value| value.trim())
    }

    fn kind(&self, name: &str) -> Option<Kind> {
        Kind::from_code(self.text(name))
    }

    fn number(&self, name: &str, least: i64, most: i64) -> i64 {
        self.text(name).parse::<i64>().unwrap_or(0).clamp(least, most)
    }

    fn flag(&self, name: &str) -> bool {
        self.text(name) == "true"
    }
}

fn wrong(sink: &mut dyn ReportSink) {
    sink.diagnostic(&Diagnostic::error("value-missing", Span::default(), &[rule::GAP_45]));
}

fn line(sink: &mut dyn ReportSink, key: &str, args: &[(&str, Arg<'_>)]) {
    sink.line(&Line { key, args, why: None });
}

/// A share as percent with one place behind the comma, rounded down.
fn percent(cases: u32, of: u32) -> String {
    let mille = u64::from(cases) * 1_000 / u64::from(of.max(1));
    format!("{},{}", mille / 10, mille % 10)
}

/// Writes the answer.
pub(super) fn answer(tables: &Tables, form: &str, values: &Values, sink: &mut dyn ReportSink) {
    let filled = Filled(values);
    match form {
        "duel" => duel(tables, &filled, sink),
        "shot" => shot(tables, &filled, sink),
        "throw" => throw(tables, &filled, sink),
        "army" => army(tables, &filled, sink),
        _ => wrong(sink),
    }
}

/// The points of a kind in melee, by the book: weapon, class, attack, without horse, king, spell and phalanx.
fn points(tables: &Tables, kind: Kind, against: Kind, attacking: bool) -> i64 {
    let row = tables.figure(kind);
    let base = match kind {
        Kind::King => crate::melee::by_lives(&tables.melee.king_melee_by_lives, crate::setup::KING_LIVES),
        _ => row.melee,
    };
    let weapon = match (kind, against) {
        (Kind::Warrior(weapon, _), Kind::Warrior(other, _)) if weapon.beats(other) => tables.melee.weapon_cycle,
        _ => 0,
    };
    base + weapon + if attacking { row.attack } else { 0 }
}

fn duel(tables: &Tables, filled: &Filled<'_>, sink: &mut dyn ReportSink) {
    let (Some(figure), Some(target)) = (filled.kind("figure"), filled.kind("target")) else {
        return wrong(sink);
    };
    let height = filled.number("height", -4, 4);
    let higher = |own: bool| if own { tables.melee.higher_level } else { 0 };
    let kill = |kind: Kind| {
        let king = kind == Kind::King;
        Kill::From(if king {
            tables.melee.king_kills_from
        } else {
            tables.melee.kill_from
        })
    };
    let support = filled
        .kind("support")
        .map_or(0, |support| points(tables, support, target, true) + higher(height > 0));
    let attack = Fighter {
        points: points(tables, figure, target, true) + higher(height > 0) + support + filled.number("points", -20, 20),
        kill: kill(figure),
    };
    let defence = Fighter {
        points: points(tables, target, figure, false) + higher(height < 0),
        kill: kill(target),
    };
    let odds = odds::duel(attack, defence);
    sink.begin("reckon-duel", &[], &[rule::GAP_03, rule::GAP_04]);
    let args = [("points", Arg::Int(attack.points)), ("other", Arg::Int(defence.points))];
    line(sink, "reckon-points", &args);
    for (key, cases) in [
        ("reckon-kill", odds.kill),
        ("reckon-death", odds.death),
        ("reckon-nobody", DUELS - odds.kill - odds.death),
    ] {
        let share = percent(cases, DUELS);
        let args = [
            ("percent", Arg::Text(&share)),
            ("cases", Arg::Int(i64::from(cases))),
            ("of", Arg::Int(i64::from(DUELS))),
        ];
        line(sink, key, &args);
    }
    sink.end();
}

/// A number to reach with 3W6.
fn reached(sink: &mut dyn ReportSink, section: &str, rules: &[RuleId], number: i64) {
    let cases = odds::at_least(number);
    let share = percent(cases, THROWS);
    sink.begin(section, &[], rules);
    let args = [
        ("number", Arg::Int(number)),
        ("percent", Arg::Text(&share)),
        ("cases", Arg::Int(i64::from(cases))),
        ("of", Arg::Int(i64::from(THROWS))),
    ];
    line(sink, "reckon-number", &args);
    sink.end();
}

fn shot(tables: &Tables, filled: &Filled<'_>, sink: &mut dyn ReportSink) {
    let (Some(figure), Some(target)) = (filled.kind("figure"), filled.kind("target")) else {
        return wrong(sink);
    };
    let bow = &tables.bow;
    let armour = match target {
        Kind::King => crate::melee::by_lives(&bow.king_armour_by_lives, crate::setup::KING_LIVES),
        kind => tables.figure(kind).armour,
    };
    let cover = if filled.flag("cover") { bow.cover } else { 0 };
    let own = tables.figure(figure).shooting - armour - cover;
    let distance = filled.number("distance", 1, 10).max(bow.distance_min);
    let number = bow.base + distance + bow.uphill_per_level * filled.number("height", 0, 4);
    reached(sink, "reckon-shot", &[rule::GAP_06], number - own);
}

fn throw(tables: &Tables, filled: &Filled<'_>, sink: &mut dyn ReportSink) {
    let table = &tables.onager;
    let add = |applies: bool, points: i64| if applies { points } else { 0 };
    let number = table.base
        + filled.number("distance", 1, 20) / table.fields_per_point.max(1)
        + filled.number("height", 0, 6) * table.uphill_per_level
        + add(filled.flag("ship"), table.from_ship)
        + add(filled.flag("reinforced"), table.reinforced);
    reached(sink, "reckon-throw", &[rule::GAP_08], number);
}

fn army(tables: &Tables, filled: &Filled<'_>, sink: &mut dyn ReportSink) {
    let text: String = filled.text("list").chars().take(LIST_MAX as usize).collect();
    let army = match Army::read(&text) {
        Ok(army) => army,
        Err(faults) => {
            for fault in faults {
                sink.diagnostic(&fault.at(Span::default()));
            }
            return;
        }
    };
    sink.begin("reckon-army", &[], &[rule::GAP_44]);
    for (kind, count) in &army.0 {
        let price = tables.figure(*kind).price;
        let word = format!("kind-{}", kind_name(*kind));
        let args = [
            ("count", Arg::Int(i64::from(*count))),
            ("kind", Arg::Word(&word)),
            ("price", Arg::Int(price)),
            ("sum", Arg::Int(price.saturating_mul(i64::from(*count)))),
        ];
        line(sink, "reckon-row", &args);
    }
    let size = i64::try_from(army.size()).unwrap_or(i64::MAX);
    let args = [("count", Arg::Int(size)), ("sum", Arg::Int(army.price(tables)))];
    line(sink, "reckon-sum", &args);
    sink.end();
    let budget = filled.text("budget").parse::<i64>().ok();
    for fault in army.review(tables, budget) {
        sink.diagnostic(&fault.at(Span::default()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::{Class, Weapon};

    #[test]
    fn a_champion_with_a_lance_against_a_man_with_a_sword_has_six_points() {
        let tables = Tables::book().expect("the book");
        let (lance, sword) = (
            Kind::Warrior(Weapon::Lance, Class::B),
            Kind::Warrior(Weapon::Sword, Class::A),
        );
        // ARM-GAP-03 and 04: 3 for the class, 2 for the attack, 1 since the lance beats the sword.
        assert_eq!(points(&tables, lance, sword, true), 6);
        assert_eq!(points(&tables, sword, lance, false), 0);
    }

    #[test]
    fn shares_are_rounded_down_to_a_tenth_of_a_percent() {
        assert_eq!(percent(1, 3), "33,3");
        assert_eq!(percent(216, 216), "100,0");
    }
}
