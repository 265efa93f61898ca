//! The battle report of a step: what happened line by line with its dice, findings about the script, and who stands where.

use crate::board::Spot;
use crate::event::{Event, FieldHappening, Happening, Teller, Telling, place_word};
use crate::log;
use crate::rule;
use crate::state::{Figure, FigureId, Place, Position};
use crate::tables::Tables;
use crate::view::View;
use kernel::diagnostic::Value;
use kernel::game::Told;
use kernel::realm::RealmId;
use kernel::report::{Arg, Line, ReportSink, Why};

/// Writes the report of a view.
pub fn report(tables: &Tables, view: &View, sink: &mut dyn ReportSink) {
    head(&view.position, sink);
    faults(view, sink);
    events(tables, view, sink);
    rolls(tables, view, sink);
    log::write(tables, view, sink);
    balance(tables, view, sink);
    muster(tables, &view.position, sink);
}

pub(crate) fn head(position: &Position, sink: &mut dyn ReportSink) {
    let mover = crate::event::player_word(position, position.mover().unwrap_or(RealmId::NOBODY));
    let args = [
        ("battle", Arg::Text(&position.name)),
        ("round", Arg::Int(i64::from(position.clock.round))),
        ("player", Arg::Text(&mover)),
    ];
    sink.begin("head", &args, &[rule::GAP_01, rule::GAP_44]);
    let key = match &position.outcome {
        Some(victory) if victory.suspended => "head-suspended",
        Some(_) => "head-over",
        None => "head",
    };
    line(sink, key, &args, None);
    sink.end();
}

fn faults(view: &View, sink: &mut dyn ReportSink) {
    if view.diagnostics.is_empty() {
        return;
    }
    sink.begin("faults", &[], &[rule::R0_2_1]);
    for diagnostic in &view.diagnostics {
        sink.diagnostic(diagnostic);
    }
    sink.end();
}

/// ARM-0.2.9, ARM-0.4.26, ARM-GAP-45: everything is announced to all, with its dice.
fn events(tables: &Tables, view: &View, sink: &mut dyn ReportSink) {
    if view.told.is_empty() {
        return;
    }
    let teller = Teller {
        tables,
        position: &view.position,
    };
    sink.begin("events", &[], &[rule::R0_2_9, rule::GAP_45]);
    tell(teller, &view.told, sink);
    sink.end();
}

/// Tells what happened, in sentences.
pub(crate) fn tell(teller: Teller<'_>, told: &[Told<Event>], sink: &mut dyn ReportSink) {
    let mut walks: Vec<Walk<'_>> = Vec::new();
    for told in told.iter().filter(|told| !told.notice.is_for_the_log()) {
        let step = match &told.notice.happening {
            Happening::Field(FieldHappening::Stepped {
                figure,
                from,
                to,
                steps,
            }) => Some((*figure, *from, *to, *steps)),
            Happening::Field(FieldHappening::Hovered { figure, from, to }) => {
                Some((*figure, Place::Above(*from), Spot::ground(*to), 1))
            }
            _ => None,
        };
        if let Some((figure, from, to, steps)) = step {
            match walks.last_mut() {
                Some(walk) if walk.goes_on(figure, from) => walk.go(to, steps),
                _ => walks.push(Walk::new(figure, from, (to, steps), &told.why)),
            }
            continue;
        }
        tell_walks(teller, std::mem::take(&mut walks), sink);
        let telling = in_words(told.notice.telling(teller));
        let args: Vec<(&str, Arg<'_>)> = telling
            .args
            .iter()
            .map(|(name, value)| (*name, Arg::Value(value)))
            .collect();
        line(sink, telling.key, &args, Some(&told.why));
    }
    tell_walks(teller, walks, sink);
}

/// A telling as a reader is told: two who fight together are named one by one.
pub(crate) fn in_words(mut telling: Telling) -> Telling {
    let together = match telling.key {
        "fought-won" => "fought-won-together",
        "fought-lost" => "fought-lost-together",
        "fought-even" => "fought-even-together",
        _ => return telling,
    };
    if let Some(("figure", Value::Text(both))) = telling.args.first_mut()
        && let Some((figure, support)) = both.clone().split_once('+')
    {
        figure.clone_into(both);
        telling.args.insert(1, ("support", Value::Text(support.to_owned())));
        telling.key = together;
    }
    telling
}

/// Steps one after another that a reader takes as one: of one figure, or of several the same way.
struct Walk<'a> {
    figures: Vec<FigureId>,
    from: Place,
    way: Vec<Spot>,
    steps: i64,
    why: &'a Why,
}

impl<'a> Walk<'a> {
    fn new(figure: FigureId, from: Place, (to, steps): (Spot, u8), why: &'a Why) -> Self {
        Self {
            figures: vec![figure],
            from,
            way: vec![to],
            steps: i64::from(steps),
            why,
        }
    }

    /// Whether a step of this figure from here is its next one.
    fn goes_on(&self, figure: FigureId, from: Place) -> bool {
        let here = |spot: &Spot| match self.hovers() {
            true => Place::Above(spot.cell),
            false => Place::At(*spot),
        };
        self.figures == [figure] && self.way.last().map(here) == Some(from)
    }

    /// Whether it is the way of a wizard above the fields.
    const fn hovers(&self) -> bool {
        matches!(self.from, Place::Above(_))
    }

    fn go(&mut self, to: Spot, steps: u8) {
        self.way.push(to);
        self.steps += i64::from(steps);
    }

    fn is_like(&self, other: &Self) -> bool {
        (self.from, &self.way, self.steps) == (other.from, &other.way, other.steps)
    }
}

/// Tells steps: those who went the same way one after another in one line.
fn tell_walks(teller: Teller<'_>, walks: Vec<Walk<'_>>, sink: &mut dyn ReportSink) {
    let mut list: Vec<Walk<'_>> = Vec::new();
    for walk in walks {
        match list.last_mut() {
            Some(last) if last.is_like(&walk) => last.figures.extend(walk.figures),
            _ => list.push(walk),
        }
    }
    for walk in list {
        let Some((to, over)) = walk.way.split_last() else {
            continue;
        };
        let key = match (walk.hovers(), walk.figures.len(), over.is_empty()) {
            (true, _, true) => "hovered",
            (true, _, false) => "hovered-over",
            (false, 1, true) => "stepped",
            (false, 1, false) => "walked",
            (false, _, true) => "stepped-together",
            (false, _, false) => "walked-together",
        };
        // Who hovers is above a field, whatever stands on it.
        let name = |spot: &Spot| match walk.hovers() {
            true => teller.cell(spot.cell),
            false => teller.spot(*spot),
        };
        let figures: Vec<String> = walk.figures.iter().map(|id| teller.figure(*id)).collect();
        let over: Vec<String> = over.iter().map(name).collect();
        let (figures, over) = (figures.join(", "), over.join(", "));
        let from = match walk.from {
            Place::Above(cell) => Value::Text(teller.cell(cell)),
            place => teller.place(place),
        };
        let to = name(to);
        let args = [
            ("figure", Arg::Text(&figures)),
            ("from", Arg::Value(&from)),
            ("over", Arg::Text(&over)),
            ("to", Arg::Text(&to)),
            ("steps", Arg::Int(walk.steps)),
        ];
        line(sink, key, &args, Some(walk.why));
    }
}

/// ARM-GAP-45: the same once more as a table, throw by throw: who rolled what, with which points, against what, and what came of it.
fn rolls(tables: &Tables, view: &View, sink: &mut dyn ReportSink) {
    let teller = Teller {
        tables,
        position: &view.position,
    };
    let mut throws = view.told.iter().filter_map(|told| Throw::of(teller, told)).peekable();
    if throws.peek().is_none() {
        return;
    }
    sink.begin("rolls", &[], &[rule::GAP_45, rule::R0_2_2]);
    throws.for_each(|throw| throw.write(sink));
    sink.end();
}

/// A row of the table of throws.
pub(crate) struct Throw<'a> {
    round: u32,
    result: &'static str,
    who: String,
    against: String,
    roll: String,
    points: String,
    total: String,
    answer: String,
    needed: String,
    why: &'a Why,
}

impl<'a> Throw<'a> {
    /// What was thrown in a happening, if anything was.
    pub(crate) fn of(teller: Teller<'_>, told: &'a Told<Event>) -> Option<Self> {
        let telling = told.notice.telling(teller);
        // Of several names the first that the telling has.
        let words = |names: &[&str]| -> String {
            let value = |name: &&str| telling.args.iter().find(|(of, _)| of == name).map(|(_, value)| value);
            match names.iter().find_map(value) {
                Some(Value::Text(text)) => text.clone(),
                Some(Value::Int(number)) => number.to_string(),
                _ => String::new(),
            }
        };
        let roll = Some(words(&["roll", "throw"])).filter(|roll| !roll.is_empty())?;
        let points = words(&["points"]);
        let answer = words(&["answer", "cast"]);
        Some(Self {
            round: told.notice.round,
            result: telling.key,
            who: words(&["figure", "attacker", "animal"]),
            against: words(&["target", "defender", "device", "ship", "wizard", "field"]),
            total: total(&roll, &points),
            needed: match words(&["answer-total", "number"]) {
                needed if needed.is_empty() => total(&answer, &words(&["defence"])),
                needed => needed,
            },
            roll,
            points,
            answer,
            why: &told.why,
        })
    }

    pub(crate) fn write(&self, sink: &mut dyn ReportSink) {
        let args = [
            ("round", Arg::Int(i64::from(self.round))),
            ("figure", Arg::Text(&self.who)),
            ("against", Arg::Text(&self.against)),
            ("roll", Arg::Text(&self.roll)),
            ("points", Arg::Text(&self.points)),
            ("total", Arg::Text(&self.total)),
            ("answer", Arg::Text(&self.answer)),
            ("needed", Arg::Text(&self.needed)),
            ("result", Arg::Word(self.result)),
        ];
        line(sink, "roll-row", &args, Some(self.why));
    }
}

/// The sum of dice and points; nothing where there are no dice.
fn total(faces: &str, points: &str) -> String {
    if faces.is_empty() {
        return String::new();
    }
    (log::natural(faces) + points.parse::<i64>().unwrap_or(0)).to_string()
}

/// How the players stand: warriors, what they lost in this step and since the battle began, what their figures and trade centres are worth.
fn balance(tables: &Tables, view: &View, sink: &mut dyn ReportSink) {
    let position = &view.position;
    let lost_now: Vec<FigureId> = view
        .told
        .iter()
        .filter_map(|told| match &told.notice.happening {
            Happening::Field(FieldHappening::Left { figure, .. }) => Some(*figure),
            _ => None,
        })
        .collect();
    sink.begin("balance", &[], &[rule::GAP_44]);
    for player in &position.order {
        let own = || {
            (0u16..)
                .map(FigureId)
                .zip(&position.figures)
                .filter(|(_, figure)| figure.owner == *player)
        };
        let count = |fits: &dyn Fn(FigureId, &Figure) -> bool| {
            let found = own().filter(|(id, figure)| fits(*id, figure)).count();
            Arg::Int(i64::try_from(found).unwrap_or(i64::MAX))
        };
        let name = crate::event::player_word(position, *player);
        let args = [
            ("player", Arg::Text(&name)),
            (
                "warriors",
                count(&|_, figure| figure.is_present() && figure.kind.is_warrior()),
            ),
            (
                "fallen",
                count(&|id, figure| !figure.is_present() && lost_now.contains(&id)),
            ),
            ("lost", count(&|_, figure| !figure.is_present())),
            ("worth", Arg::Int(worth(tables, position, *player))),
            ("centres", Arg::Int(centres(tables, position, *player))),
        ];
        line(sink, "balance-row", &args, None);
    }
    sink.end();
}

/// What the figures of a player on the board are worth, in arms units.
pub(crate) fn worth(tables: &Tables, position: &Position, player: RealmId) -> i64 {
    let own = position.present().filter(|(_, figure)| figure.owner == player);
    own.map(|(_, figure)| tables.figure(figure.kind).price).sum()
}

/// What the trade centres of a player are worth.
pub(crate) fn centres(tables: &Tables, position: &Position, player: RealmId) -> i64 {
    let own = position.centres.values().filter(|centre| centre.possessor == player);
    own.filter_map(|centre| tables.victory.centre_value.get(&centre.kind))
        .sum()
}

/// Who stands where, player by player.
pub(crate) fn muster(tables: &Tables, position: &Position, sink: &mut dyn ReportSink) {
    let mut owners: Vec<RealmId> = position.order.clone();
    owners.push(RealmId::NOBODY);
    for owner in owners {
        let mut figures: Vec<&Figure> = position
            .present()
            .map(|(_, figure)| figure)
            .filter(|figure| figure.owner == owner)
            .collect();
        if figures.is_empty() {
            continue;
        }
        figures.sort_by_key(|figure| (figure.kind, figure.number));
        let name = crate::event::player_word(position, owner);
        let key = if owner.is_played() { "muster" } else { "muster-nobody" };
        sink.begin(key, &[("player", Arg::Text(&name))], &[rule::R0_4_1, rule::GAP_44]);
        for figure in figures {
            stands(tables, position, figure, sink);
        }
        sink.end();
    }
}

/// Where one figure is, in words.
fn stands(tables: &Tables, position: &Position, figure: &Figure, sink: &mut dyn ReportSink) {
    let label = figure.to_string();
    let (key, at, part) = match figure.place {
        Place::On(carrier, part) => ("stands-on", position.name(carrier), format!("at-{part}")),
        Place::Above(cell) => ("stands-above", position.board.name(cell), String::new()),
        Place::Swimming(cell) => ("stands-swimming", position.board.name(cell), String::new()),
        place => ("figure", place_word(tables, position, place), String::new()),
    };
    let args = [
        ("figure", Arg::Text(&label)),
        ("at", Arg::Text(&at)),
        ("part", Arg::Word(&part)),
    ];
    let named = if part.is_empty() { &args[..2] } else { &args[..] };
    line(sink, key, named, None);
}

pub(crate) fn line(sink: &mut dyn ReportSink, key: &str, args: &[(&str, Arg<'_>)], why: Option<&Why>) {
    sink.line(&Line { key, args, why });
}
