//! The report `ERGEBNIS.TXT`, block by block (THO-REP, GAP-34; catalogue 5.4).
//!
//! This file is the order of the blocks. [`weeks`] writes sightings, [`events`] what happened, [`books`] land, money and armies,
//! [`letters`] messages, [`master`] the game master's own report. Wordings stand in `locale/`.

mod battle;
mod books;
mod events;
mod letters;
mod master;
mod weeks;

pub(crate) use events::{building_word, condition_word, obstacle_word, treaty_word};

use crate::codes::{Kind, Season};
use crate::notice::Who;
use crate::order::WEEKS;
use crate::rule;
use crate::tables::Tables;
use crate::view::View;
use kernel::realm::RealmId;
use kernel::report::{Arg, Line, ReportSink, Why};
use kernel::rule::RuleId;
use std::fmt::Write as _;

/// Writes the report of a view.
pub fn report(tables: &Tables, view: &View, sink: &mut dyn ReportSink) {
    let mut pen = Pen { tables, view, sink };
    match view.realm() {
        Some(realm) => realm_report(&mut pen, realm),
        None => master::write(&mut pen),
    }
}

/// THO-REP-01..17 in the order of the book.
fn realm_report(pen: &mut Pen<'_>, realm: RealmId) {
    head(pen, realm);
    faults(pen);
    season(pen);
    if pen.view.turn == 0 {
        pen.blank();
        weeks::capital(pen);
    } else {
        let tellings = events::by_week(pen.view);
        let mut eyes = weeks::Eyes::new(pen.view);
        for week in 1..=WEEKS as u8 {
            weeks::week(pen, week, &tellings, &mut eyes);
        }
        events::end_of_turn(pen, &tellings);
        weeks::territory(pen);
    }
    books::write(pen, realm);
    letters::write(pen, realm);
}

/// THO-REP-01.
fn head(pen: &mut Pen<'_>, realm: RealmId) {
    let view = pen.view;
    let name = view.name_of(realm);
    let player = view.books().map_or("", |books| books.player.as_str());
    let args = [
        ("id", int(realm.0)),
        ("realm", Arg::Text(name)),
        ("player", Arg::Text(player)),
    ];
    pen.section("head", &[], &[rule::REP_01, rule::ORG_01, rule::GAP_34], |pen| {
        pen.line("head", &args)
    });
    pen.blank();
}

/// THO-REP-02: findings by line; the block is missing without any.
fn faults(pen: &mut Pen<'_>) {
    let view = pen.view;
    if !view.diagnostics.is_empty() {
        pen.section("faults", &[], &[rule::REP_02], |pen| {
            for diagnostic in &view.diagnostics {
                pen.sink.diagnostic(diagnostic);
            }
        });
        pen.blank();
    }
}

/// THO-REP-03, THO-TIME-02.
fn season(pen: &mut Pen<'_>) {
    let view = pen.view;
    let args = [
        ("turn", int(view.turn)),
        ("year", int(view.year)),
        ("season", Arg::Word(season_word(view.season))),
    ];
    let rules = [rule::REP_03, rule::TIME_01, rule::TIME_02, rule::GAP_02, rule::GAP_38];
    pen.section("season", &args, &rules, |pen| pen.line("season", &args));
}

/// Writes what a view tells of events, week by week, and nothing else of it.
pub(crate) fn happenings(tables: &Tables, view: &View, sink: &mut dyn ReportSink) {
    let mut pen = Pen { tables, view, sink };
    let tellings = events::by_week(view);
    for week in (1..=WEEKS as u8).filter(|week| !tellings.is_quiet(*week)) {
        pen.section("dossier-week", &[("w", int(week))], &[rule::REP_04], |pen| {
            events::in_week(pen, week, &tellings)
        });
    }
    events::end_of_turn(&mut pen, &tellings);
}

/// Key of a season's name in the locale.
pub const fn season_word(season: Season) -> &'static str {
    match season {
        Season::Spring => "season-spring",
        Season::Summer => "season-summer",
        Season::Autumn => "season-autumn",
        Season::Winter => "season-winter",
    }
}

/// What a report is written with.
struct Pen<'a> {
    tables: &'a Tables,
    view: &'a View,
    sink: &'a mut dyn ReportSink,
}

impl Pen<'_> {
    fn section(&mut self, key: &str, args: &[(&str, Arg<'_>)], rules: &[RuleId], write: impl FnOnce(&mut Self)) {
        self.sink.begin(key, args, rules);
        write(self);
        self.sink.end();
    }

    fn line(&mut self, key: &str, args: &[(&str, Arg<'_>)]) {
        self.sink.line(&Line { key, args, why: None });
    }

    fn reasoned(&mut self, key: &str, args: &[(&str, Arg<'_>)], why: &Why) {
        self.sink.line(&Line {
            key,
            args,
            why: Some(why),
        });
    }

    fn blank(&mut self) {
        self.line("blank", &[]);
    }
}

fn int<'a>(number: impl Into<i64>) -> Arg<'a> {
    Arg::Int(number.into())
}

/// `K.M 1`, the viewer's own army, into a buffer.
fn write_name(buffer: &mut String, kind: Kind, number: u32) {
    buffer.clear();
    buffer.push_str(kind.code());
    // Writing into a string cannot fail.
    let _ = write!(buffer, " {number}");
}

/// An army in an event line: own armies without their realm.
fn name(view: &View, who: &Who) -> String {
    match (who.realm, who.number) {
        (Some(realm), Some(number)) if view.realm() == Some(realm) => format!("{} {number}", who.kind.code()),
        _ => who.to_string(),
    }
}
