//! The monthly report, section by section (catalogue 5.4). Wordings stand in `locale/`.
//!
//! This file is the frame: head, findings, then every section of [`section`] with what the viewer was told, and the tables of what he
//! has. A part of the rule book writes its own lines where its notices stand (`event/`).

pub mod section;
mod sheets;

use crate::codes::{Good, Kind, Soil};
use crate::event::war::FighterNotice;
use crate::event::{Telling, Who};
use crate::rule;
use crate::tables::Tables;
use crate::view::{ArmyView, Books, View};
use kernel::report::{Arg, Line, Phrase, ReportSink, Why};
use kernel::rule::RuleId;
use section::Section;

/// What a report is written with.
pub struct Pen<'a> {
    /// The rules' figures.
    pub tables: &'a Tables,
    /// What is told.
    pub view: &'a View,
    sink: &'a mut dyn ReportSink,
}

impl Pen<'_> {
    /// A section with what `write` puts into it.
    pub fn section(&mut self, key: &str, args: &[(&str, Arg<'_>)], rules: &[RuleId], write: impl FnOnce(&mut Self)) {
        self.sink.begin(key, args, rules);
        write(self);
        self.sink.end();
    }

    /// A line that takes its reasons from its section.
    pub fn line(&mut self, key: &str, args: &[(&str, Arg<'_>)]) {
        self.sink.line(&Line { key, args, why: None });
    }

    /// A line with reasons of its own.
    pub fn reasoned(&mut self, key: &str, args: &[(&str, Arg<'_>)], why: &Why) {
        self.sink.line(&Line {
            key,
            args,
            why: Some(why),
        });
    }

    /// A line with points of goods under `goods`; with reasons of its own, or those of its section.
    pub fn goods(&mut self, key: &str, args: &[(&str, Arg<'_>)], goods: &[(Good, i64)], why: Option<&Why>) {
        let values: Vec<[(&str, Arg<'_>); 2]> = goods
            .iter()
            .map(|(good, points)| [("n", int(*points)), ("good", Arg::Word(good_word(*good)))])
            .collect();
        let phrases: Vec<Phrase<'_>> = values.iter().map(|args| Phrase { key: "points-of", args }).collect();
        let mut args = args.to_vec();
        args.push(("goods", Arg::List(&phrases, ", ")));
        self.sink.line(&Line { key, args: &args, why });
    }

    /// A letter: who, and his own words.
    pub fn letter(&mut self, key: &str, who: &str, text: &str, why: &Why) {
        self.reasoned(key, &[("realm", Arg::Text(who))], why);
        self.sink.verbatim(text);
    }

    /// An empty line.
    pub fn blank(&mut self) {
        self.line("blank", &[]);
    }
}

/// What is short in an outlook, what that risks and what mends it.
pub fn advise(tables: &Tables, view: &View, outlook: &crate::planner::Outlook, sink: &mut dyn ReportSink) {
    sheets::advise(&mut Pen { tables, view, sink }, outlook);
}

/// What becomes of armies in a fight, as in a report.
pub fn fighters(tables: &Tables, view: &View, list: &[FighterNotice], why: &Why, sink: &mut dyn ReportSink) {
    let mut pen = Pen { tables, view, sink };
    for fighter in list {
        fighter.write(&mut pen, why);
    }
}

/// A number in a line.
pub fn int<'a>(number: impl Into<i64>) -> Arg<'a> {
    Arg::Int(number.into())
}

/// Key of a good's name as orders write it.
pub fn written_good(good: Good) -> String {
    format!("written-{}", good.code())
}

/// Key of a soil's name as orders write it.
pub fn written_soil(soil: Soil) -> String {
    format!("written-soil-{}", soil.code())
}

/// Key of a good's name.
pub const fn good_word(good: Good) -> &'static str {
    match good {
        Good::Grain => "good-grain",
        Good::Fruit => "good-fruit",
        Good::Livestock => "good-livestock",
        Good::Spice => "good-spice",
        Good::Wine => "good-wine",
        Good::Wood => "good-wood",
        Good::Stone => "good-stone",
        Good::Ore => "good-ore",
        Good::Cloth => "good-cloth",
        Good::Culture => "good-culture",
        Good::Tobacco => "good-tobacco",
        Good::Pearls => "good-pearls",
        Good::Silk => "good-silk",
        Good::Gems => "good-gems",
        Good::Glass => "good-glass",
    }
}

/// Writes the report of a view.
pub fn report(tables: &Tables, view: &View, sink: &mut dyn ReportSink) {
    let mut pen = Pen { tables, view, sink };
    head(&mut pen);
    faults(&mut pen);
    for section in Section::ALL {
        match section {
            Section::Armies => armies(&mut pen),
            Section::Goods => {
                told(&mut pen, *section);
                sheets::write(&mut pen);
            }
            section => told(&mut pen, *section),
        }
    }
}

/// Section 1: world, realm, people, year, month, treasury (PYG-TIME-01, -05).
fn head(pen: &mut Pen<'_>) {
    let view = pen.view;
    let (year, month) = view.date;
    let name = pen.tables.calendar.months.get(month.saturating_sub(1) as usize);
    let name = name.map_or("", String::as_str);
    let mut rules = vec![rule::TIME_01, rule::TIME_05, rule::GAME_03, rule::GAP_07, rule::GAP_64];
    // Before the first month it tells what everybody begins with.
    let is_start = view.step == 0;
    if is_start {
        rules.extend([rule::GAME_08, rule::TOWN_01, rule::GAP_65]);
    }
    let args = [("year", int(year)), ("month", int(month)), ("name", Arg::Text(name))];
    pen.section("head", &args, &rules, |pen| {
        pen.line("head", &args);
        if let Some(Books {
            name,
            player,
            people,
            treasury,
            ..
        }) = &view.books
        {
            pen.line("realm", &[("realm", Arg::Text(name)), ("player", Arg::Text(player))]);
            let people = format!("people-{}", people.code());
            pen.line("people", &[("people", Arg::Word(&people))]);
            pen.line("treasury", &[("n", int(*treasury))]);
            if is_start {
                let own = view.fields.iter().filter(|field| field.owner == Who::Own).count();
                pen.line("start", &[("n", int(i64::try_from(own).unwrap_or(i64::MAX)))]);
            }
        }
    });
    pen.blank();
}

/// Section 2: refused orders and warnings (PYG-GAP-67).
fn faults(pen: &mut Pen<'_>) {
    let view = pen.view;
    if view.diagnostics.is_empty() && (view.books.is_none() || view.step == 0) {
        return;
    }
    pen.section("faults", &[], &[rule::GAP_67], |pen| {
        if view.diagnostics.is_empty() {
            pen.line("none", &[]);
        }
        for diagnostic in &view.diagnostics {
            pen.sink.diagnostic(diagnostic);
        }
    });
    pen.blank();
}

/// What the viewer was told in one section; a quiet section of a ruler's report says so.
fn told(pen: &mut Pen<'_>, section: Section) {
    let view = pen.view;
    let told: Vec<_> = view
        .told
        .iter()
        .filter(|told| told.notice.section() == section)
        .collect();
    if told.is_empty() && !section.is_always_printed() {
        return;
    }
    pen.section(section.key(), &[], section.rules(), |pen| {
        for told in &told {
            told.notice.write(pen, &told.why);
        }
        match section {
            Section::Income => sheets::income(pen),
            Section::Goods => sheets::goods(pen),
            _ => {}
        }
        if told.is_empty() {
            pen.line("none", &[]);
        }
    });
    pen.blank();
}

/// Section 5: the table of armies (PYG-SEE, PYG-STAT-02).
fn armies(pen: &mut Pen<'_>) {
    let view = pen.view;
    pen.section("armies", &[], &[rule::ARMY_02, rule::STAT_02, rule::ORD_01], |pen| {
        if !view.armies.is_empty() {
            pen.line("armies-names", &[]);
        }
        for army in &view.armies {
            army_line(pen, army);
        }
        if view.armies.is_empty() {
            pen.line("none", &[]);
        }
    });
    pen.blank();
}

fn army_line(pen: &mut Pen<'_>, army: &ArmyView) {
    let star = if army.stationed { " *" } else { "" };
    let name = match pen.view.realm() {
        Some(_) => format!("{}{star}", army.name),
        None => format!("{} {}{star}", army.realm, army.name),
    };
    let place = army.place.to_string();
    let count = if army.name.kind == Kind::Trader {
        army.load.iter().map(|load| load.points).sum()
    } else {
        army.count
    };
    let fleet = army.aboard.map_or_else(String::new, |fleet| fleet.to_string());
    let args = [
        ("army", Arg::Text(&name)),
        ("field", Arg::Text(&place)),
        ("n", int(count)),
        ("unit", Arg::Text(army.name.kind.unit())),
        ("order", Arg::Text(army.stance.code())),
        (
            "equipment",
            Arg::Text(army.equipment.map_or("", |equipment| equipment.code())),
        ),
        ("fleet", Arg::Text(&fleet)),
    ];
    pen.line("army", &args);
}
