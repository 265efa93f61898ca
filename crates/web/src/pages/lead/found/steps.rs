//! The pages of the steps.

use super::plan::{Plan, PlanFault, PlannedSeat, REALMS_MAX, fault, item, title};
use super::{Asked, Step, sketch, status};
use crate::Answer;
use crate::error::Fault;
use crate::page::Page;
use crate::pages::report::Reader;
use crate::state::Web;
use askama::Template;
use kernel::any::AnyGame;
use kernel::form::{Choice, Input};
use kernel::guide::HouseRule;
use kernel::report::Arg;
use kernel::rule::{Rule, RuleKind};
use render::locale::{Language, Wording};
use std::collections::BTreeSet;
use std::sync::Arc;

/// House rules that a search shows.
const FOUND_MAX: usize = 120;

/// The section of the rulings that cannot be changed.
const READINGS: &str = "auslegungen";

/// What every step shows around its own.
struct Frame<'a> {
    step: Step,
    plan: &'a Plan,
    trouble: Option<String>,
}

/// A step on the way.
struct Stop {
    number: usize,
    name: &'static str,
    title: String,
    /// `done`, `here` or `ahead`.
    state: &'static str,
}

impl Frame<'_> {
    fn stops(&self, page: &Page) -> Vec<Stop> {
        let here = Step::ALL.iter().position(|step| *step == self.step).unwrap_or(0);
        let stop = |(at, step): (usize, &Step)| Stop {
            number: at + 1,
            name: step.name(),
            title: match step {
                Step::Game => page.t("found.step-game"),
                Step::Seats => page.t("found.step-seats"),
                Step::Rules => page.t("found.step-rules"),
                Step::Map => page.t("found.step-map"),
                Step::Seal => page.t("found.step-seal"),
            },
            state: match at.cmp(&here) {
                std::cmp::Ordering::Less => "done",
                std::cmp::Ordering::Equal => "here",
                std::cmp::Ordering::Greater => "ahead",
            },
        };
        Step::ALL.iter().enumerate().map(stop).collect()
    }
}

/// Shows a step.
pub(super) async fn show(
    web: &Web,
    page: &Page,
    plan: &Plan,
    step: Step,
    asked: &Asked,
    trouble: Option<String>,
) -> Answer {
    let game = web.host.game(&plan.game)?;
    let frame = Frame { step, plan, trouble };
    match step {
        Step::Game => show_game(web, page, frame),
        Step::Seats => show_seats(page, &game, frame),
        Step::Rules => show_rules(page, &game, frame, asked),
        Step::Map => show_map(web, page, &game, frame).await,
        Step::Seal => show_seal(web, page, &game, frame).await,
    }
}

// ---- the game ---------------------------------------------------------------------------------------------------------

struct GameCard {
    name: &'static str,
    line: String,
    chosen: bool,
}

#[derive(Template)]
#[template(path = "found/game.html")]
struct GamePage<'a> {
    page: &'a Page,
    frame: Frame<'a>,
    games: Vec<GameCard>,
}

fn show_game(web: &Web, page: &Page, frame: Frame<'_>) -> Answer {
    let card = |game: &Arc<dyn AnyGame>| GameCard {
        name: game.name(),
        line: optional(Wording::of(game.name(), page.words.language()), "about.line"),
        chosen: game.name() == frame.plan.game,
    };
    page.show_as(
        status(frame.trouble.as_ref()),
        &GamePage {
            page,
            games: web.host.games().iter().map(card).collect(),
            frame,
        },
    )
}

/// A text that not every game has.
fn optional(wording: &Wording, key: &str) -> String {
    let text = wording.text::<(&str, Arg<'_>)>(key, &[]);
    if text == key { String::new() } else { text }
}

// ---- seats and size ---------------------------------------------------------------------------------------------------

struct SizeCard {
    number: usize,
    name: String,
    fields: u64,
    /// What it sets: name and value.
    figures: Vec<(String, String)>,
    chosen: bool,
}

#[derive(Template)]
#[template(path = "found/seats.html")]
struct SeatsPage<'a> {
    page: &'a Page,
    frame: Frame<'a>,
    sizes: Vec<SizeCard>,
    /// What the sizes are called where each is one choice of the same house rule; empty where they measure a world.
    choice: String,
    kinds: Vec<(String, String)>,
    most: usize,
}

impl SeatsPage<'_> {
    fn seats(&self) -> impl Iterator<Item = (usize, &PlannedSeat)> {
        (1..).zip(&self.frame.plan.seats)
    }
}

fn show_seats(page: &Page, game: &Arc<dyn AnyGame>, frame: Frame<'_>) -> Answer {
    let reader = Reader::new(game.clone(), page);
    let rules = game.house_rules();
    let figure = |(key, value): (&String, &String)| {
        let Some(rule) = rules.iter().find(|rule| rule.key == *key) else {
            return (key.clone(), value.clone());
        };
        let choice = match &rule.input {
            Input::Choice { choices } => choices.iter().find(|choice| choice.value == *value),
            _ => None,
        };
        let value = choice.map_or_else(|| value.clone(), |choice| worded(&reader, choice).1);
        (label(&reader, rule), value)
    };
    let chosen = frame.plan.size(&**game);
    let sizes = game.sizes(frame.plan.seats.len()).into_iter().enumerate();
    let sizes = sizes.map(|(number, size)| {
        let name = reader.word(&size.label);
        // What the name says already is not said again.
        let figures = size.values.iter().map(figure).filter(|(_, value)| *value != name);
        SizeCard {
            number,
            fields: size.fields,
            figures: figures.collect(),
            chosen: chosen == Some(number),
            name,
        }
    });
    let mut sizes: Vec<SizeCard> = sizes.collect();
    let choice = one_choice(&sizes);
    if !choice.is_empty() {
        sizes.iter_mut().for_each(|size| size.figures.clear());
    }
    let kinds = game.seat_kinds();
    page.show_as(
        status(frame.trouble.as_ref()),
        &SeatsPage {
            page,
            sizes,
            choice,
            kinds: kinds.iter().map(|kind| worded(&reader, kind)).collect(),
            most: REALMS_MAX,
            frame,
        },
    )
}

/// The house rule whose choices the sizes are, if each says no more than its name does; else empty.
fn one_choice(sizes: &[SizeCard]) -> String {
    let said = |size: &SizeCard| match size.figures.as_slice() {
        [(rule, value)] if *value == size.name => Some(rule.clone()),
        _ => None,
    };
    let mut rules = sizes.iter().map(said);
    let first = rules.next().flatten();
    first.filter(|_| rules.all(|rule| rule.is_some())).unwrap_or_default()
}

fn worded(reader: &Reader, choice: &Choice) -> (String, String) {
    let name = match (&*choice.label, &*choice.value) {
        // None of the others, as with the flag that an army need not bear: a choice without a name could not be told from no choice.
        ("", "") => "–".to_owned(),
        ("", value) => value.to_owned(),
        (label, _) => reader.word(label),
    };
    (choice.value.clone(), name)
}

fn label(reader: &Reader, rule: &HouseRule) -> String {
    reader.wording.text::<(&str, Arg<'_>)>(&rule.label, &[])
}

// ---- house rules ------------------------------------------------------------------------------------------------------

/// A section of the house rules.
struct Section {
    name: String,
    title: String,
    changed: usize,
    here: bool,
}

/// House rules that stand on the same rules of the book.
struct Group {
    rules: Vec<(&'static str, &'static str)>,
    rows: Vec<Row>,
}

impl Group {
    fn has_lists(&self) -> bool {
        self.rows.iter().any(Row::is_list)
    }
}

struct Row {
    key: String,
    title: String,
    /// `number`, `select` or `text`.
    kind: &'static str,
    value: String,
    book: String,
    changed: bool,
    choices: Vec<(String, String)>,
    range: (i64, i64),
    /// What the words of a list mean, where the game says it: the word as it is written, and the same in the reader's language.
    legend: Vec<(String, String)>,
    fault: Option<String>,
}

impl Row {
    /// Whether several values stand there, written as in the files of the game.
    fn is_list(&self) -> bool {
        self.kind == "text" && self.value.starts_with('[')
    }

    fn holds(&self, value: &str) -> bool {
        self.value == value
    }
}

#[derive(Template)]
#[template(path = "found/rules.html")]
struct RulesPage<'a> {
    page: &'a Page,
    frame: Frame<'a>,
    sections: Vec<Section>,
    section: String,
    title: String,
    search: &'a str,
    groups: Vec<Group>,
    /// Whether these are rulings that cannot be changed.
    reads: bool,
    /// The section that follows.
    next: Option<String>,
}

/// Names of the sections in order.
fn section_names(rules: &[HouseRule]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for rule in rules {
        if !names.iter().any(|name| *name == *rule.section) {
            names.push(rule.section.to_string());
        }
    }
    names
}

/// The rules that a question asks for: a section, or those in which words stand.
fn chosen<'r>(reader: &Reader, rules: &'r [HouseRule], asked: &Asked) -> Vec<&'r HouseRule> {
    let search = asked.suche.trim().to_lowercase();
    if search.is_empty() {
        let first = rules.first().map_or("", |rule| &rule.section);
        let known = rules.iter().any(|rule| *rule.section == asked.abschnitt);
        let section = if known { asked.abschnitt.as_str() } else { first };
        return rules.iter().filter(|rule| *rule.section == *section).collect();
    }
    let speaks = |rule: &&HouseRule| {
        let texts = cited(reader, rule);
        let named = format!(
            "{} {} {} {}",
            rule.key,
            label(reader, rule),
            rule.item,
            reader.word(&rule.item_label)
        );
        named.to_lowercase().contains(&search)
            || texts
                .iter()
                .any(|(id, text)| id.to_lowercase().contains(&search) || text.to_lowercase().contains(&search))
    };
    rules.iter().filter(speaks).take(FOUND_MAX).collect()
}

/// The rules behind a house rule, with their sentences.
fn cited(reader: &Reader, rule: &HouseRule) -> Vec<(&'static str, &'static str)> {
    let texts = rule.rules.iter().filter_map(|id| {
        let found = reader.game.rules().iter().find(|of| of.id.as_str() == &**id)?;
        Some(sentence(reader, found))
    });
    texts.collect()
}

fn sentence(reader: &Reader, rule: &'static Rule) -> (&'static str, &'static str) {
    let text = match reader.wording.language() {
        Language::German => rule.de,
        Language::English => rule.en,
    };
    (rule.id.as_str(), text)
}

/// The rulings on which no house rule rests: they hold as they are, and a game master should know them.
fn readings(reader: &Reader, rules: &[HouseRule]) -> Vec<(&'static str, &'static str)> {
    let chosen: BTreeSet<&str> = rules
        .iter()
        .flat_map(|rule| rule.rules.iter().map(|id| &**id))
        .collect();
    let gaps = reader.game.rules().iter().filter(|rule| rule.kind == RuleKind::Ruling);
    gaps.filter(|rule| !chosen.contains(rule.id.as_str()))
        .map(|rule| sentence(reader, rule))
        .collect()
}

fn row(page: &Page, reader: &Reader, plan: &Plan, rule: &HouseRule, alike: bool) -> Row {
    let value = plan.values.get(&rule.key).unwrap_or(&rule.default).clone();
    let item = item(reader.wording, rule).filter(|_| alike);
    let title = item.unwrap_or_else(|| title(reader.wording, rule));
    let yes_no = || {
        vec![
            ("true".to_owned(), page.t("found.yes")),
            ("false".to_owned(), page.t("found.no")),
        ]
    };
    let (kind, choices, range) = match &rule.input {
        Input::Number { min, max } => ("number", Vec::new(), (*min, *max)),
        Input::Flag => ("select", yes_no(), (0, 0)),
        Input::Choice { choices } => (
            "select",
            choices.iter().map(|choice| worded(reader, choice)).collect(),
            (0, 0),
        ),
        _ => ("text", Vec::new(), (0, 0)),
    };
    let book = choices
        .iter()
        .find(|(value, _)| *value == rule.default)
        .map_or_else(|| rule.default.clone(), |(_, name)| name.clone());
    let changed = plan.values.contains_key(&rule.key);
    let legend = if kind == "text" {
        legend(reader, &rule.default)
    } else {
        Vec::new()
    };
    Row {
        legend,
        fault: if changed { fault(page, rule, &value) } else { None },
        key: rule.key.clone(),
        title,
        kind,
        value,
        book,
        changed,
        choices,
        range,
    }
}

/// What the quoted words of a list mean, where the game has words for them.
fn legend(reader: &Reader, list: &str) -> Vec<(String, String)> {
    let words = list.split('"').skip(1).step_by(2);
    let meant = words.filter_map(|word| {
        let key = format!("house-list-{word}");
        let meaning = reader.word(&key);
        (meaning != key).then(|| (word.to_owned(), meaning))
    });
    meant.collect()
}

/// The section of the first house rule that has a value which it cannot have.
pub(super) fn faulty_section(page: &Page, game: &dyn AnyGame, plan: &Plan) -> Option<String> {
    let faulty = |rule: &HouseRule| {
        let value = plan.values.get(&rule.key);
        value.is_some_and(|value| fault(page, rule, value).is_some())
    };
    let first = game.house_rules().into_iter().find(faulty)?;
    Some(first.section.to_string())
}

fn show_rules(page: &Page, game: &Arc<dyn AnyGame>, mut frame: Frame<'_>, asked: &Asked) -> Answer {
    let reader = Reader::new(game.clone(), page);
    let rules = game.house_rules();
    let mut names = section_names(&rules);
    let search = asked.suche.trim();
    let fixed = readings(&reader, &rules);
    if !fixed.is_empty() {
        names.push(READINGS.to_owned());
    }
    let reads = search.is_empty() && asked.abschnitt == READINGS && !fixed.is_empty();
    let shown = if reads {
        Vec::new()
    } else {
        chosen(&reader, &rules, asked)
    };
    let section = match shown.first() {
        _ if reads => READINGS.to_owned(),
        Some(rule) if search.is_empty() => rule.section.to_string(),
        _ => String::new(),
    };
    // Where one name holds for many kinds, the kind alone names the row.
    let alike = shown
        .windows(2)
        .all(|pair| matches!(pair, [a, b] if a.label == b.label))
        && search.is_empty();
    let mut groups: Vec<Group> = Vec::new();
    for rule in &shown {
        let texts = cited(&reader, rule);
        let row = row(page, &reader, frame.plan, rule, alike);
        match groups.iter_mut().find(|group| group.rules == texts) {
            Some(group) => group.rows.push(row),
            None => groups.push(Group {
                rules: texts,
                rows: vec![row],
            }),
        }
    }
    if reads {
        groups.extend(fixed.into_iter().map(|rule| Group {
            rules: vec![rule],
            rows: Vec::new(),
        }));
    }
    let faulty = groups
        .iter()
        .flat_map(|group| &group.rows)
        .any(|row| row.fault.is_some());
    // What the game refuses although every single value may stand there.
    if frame.trouble.is_some() && !faulty {
        frame.trouble = match frame.plan.write_house_rules(&**game) {
            Err(fault) => Some(fault.text(page)),
            Ok(_) => frame.trouble,
        };
    }
    let changed = |name: &str| {
        let of = rules.iter().filter(|rule| *rule.section == *name);
        of.filter(|rule| frame.plan.values.contains_key(&rule.key)).count()
    };
    let named = |name: &str| match name {
        READINGS => page.t("found.readings"),
        name => reader.word(name),
    };
    let sections = names.iter().map(|name| Section {
        title: named(name),
        changed: changed(name),
        here: *name == section,
        name: name.clone(),
    });
    let after = names.iter().position(|name| *name == section).map(|at| at + 1);
    let title = if search.is_empty() {
        named(&section)
    } else {
        page.n("found.matches", shown.len())
    };
    page.show_as(
        status(frame.trouble.as_ref()),
        &RulesPage {
            page,
            sections: sections.collect(),
            next: after.and_then(|after| names.get(after)).cloned(),
            title,
            section,
            search,
            groups,
            reads,
            frame,
        },
    )
}

// ---- the map ----------------------------------------------------------------------------------------------------------

/// Where a realm begins.
struct Begins {
    name: String,
    place: String,
    worth: i64,
    /// In percent of the richest.
    percent: i64,
}

/// Whether a world of this game is one of several that are ready: each of its sizes is one choice of a house rule. Then no words decide how it looks.
fn is_given(game: &dyn AnyGame, realms: usize) -> bool {
    let rules = game.house_rules();
    let chosen = |key: &String| {
        let rule = rules.iter().find(|rule| rule.key == *key);
        rule.is_some_and(|rule| matches!(rule.input, Input::Choice { .. }))
    };
    let sizes = game.sizes(realms);
    let ready = |size: &kernel::guide::Size| size.values.len() == 1 && size.values.keys().all(chosen);
    !sizes.is_empty() && sizes.iter().all(ready)
}

/// A world that the plan would make.
struct Look {
    /// Changes with the picture, so that no old one is shown.
    tag: String,
    fields: usize,
    starts: Vec<Begins>,
    fairness: Option<i64>,
}

async fn look(web: &Web, page: &Page, game: &Arc<dyn AnyGame>, plan: &Plan) -> Result<Result<Look, String>, Fault> {
    let world = match plan.world(&**game, page) {
        Ok(world) => world,
        Err(fault) => return Ok(Err(fault.text(page))),
    };
    let sketched = match sketch(web, &world).await? {
        Ok(sketched) => sketched,
        Err(error) => return Ok(Err(PlanFault::Game(error).text(page))),
    };
    let (key, sketch) = &*sketched;
    let best = sketch.starts.iter().map(|start| start.worth).max().unwrap_or(0).max(1);
    let start = |start: &kernel::guide::Start| Begins {
        name: usize::from(start.realm.0)
            .checked_sub(1)
            .and_then(|at| plan.seats.get(at))
            .map(|seat| seat.name.clone())
            .unwrap_or_default(),
        place: start.place.clone(),
        worth: start.worth,
        percent: start.worth.saturating_mul(100) / best,
    };
    Ok(Ok(Look {
        tag: key.iter().take(6).map(|byte| format!("{byte:02x}")).collect(),
        fields: sketch.scene.fields.len(),
        starts: sketch.starts.iter().map(start).collect(),
        fairness: sketch.fairness(),
    }))
}

#[derive(Template)]
#[template(path = "found/map.html")]
struct MapPage<'a> {
    page: &'a Page,
    frame: Frame<'a>,
    look: Option<Look>,
    /// Whether land and armies are given and not drawn from words.
    given: bool,
}

async fn show_map(web: &Web, page: &Page, game: &Arc<dyn AnyGame>, mut frame: Frame<'_>) -> Answer {
    let look = match look(web, page, game, frame.plan).await? {
        Ok(look) => Some(look),
        Err(why) => {
            frame.trouble = Some(page.t1("found.no-map", "why", why));
            None
        }
    };
    let realms = frame.plan.seats.len();
    page.show(&MapPage {
        page,
        frame,
        look,
        given: is_given(&**game, realms),
    })
}

// ---- all at a glance --------------------------------------------------------------------------------------------------

#[derive(Template)]
#[template(path = "found/seal.html")]
struct SealPage<'a> {
    page: &'a Page,
    frame: Frame<'a>,
    look: Option<Look>,
    /// House rules that differ: name, value, what the book says.
    changes: Vec<(String, String, String)>,
    /// Kinds of seats with their names; the usual one needs none.
    kinds: Vec<(String, String)>,
    open: usize,
    /// Whether land and armies are given and not drawn from words.
    given: bool,
    /// Seats that the founder may play himself against computers, with their numbers.
    alone: Vec<(usize, String)>,
}

/// Seats that a founder is offered to play himself.
const ALONE_MAX: usize = 8;

async fn show_seal(web: &Web, page: &Page, game: &Arc<dyn AnyGame>, mut frame: Frame<'_>) -> Answer {
    let reader = Reader::new(game.clone(), page);
    let plan = frame.plan;
    let changed = game.house_rules();
    let changed = changed.iter().filter(|rule| plan.values.contains_key(&rule.key));
    let changes = changed.map(|rule| {
        let row = row(page, &reader, plan, rule, false);
        let value = row.choices.iter().find(|(value, _)| *value == row.value);
        let value = value.map_or_else(|| row.value.clone(), |(_, name)| name.clone());
        (row.title, value, row.book)
    });
    let changes = changes.collect();
    let look = match look(web, page, game, plan).await? {
        Ok(look) => Some(look),
        Err(why) => {
            frame.trouble.get_or_insert_with(|| page.t1("found.no-map", "why", why));
            None
        }
    };
    page.show_as(
        status(frame.trouble.as_ref()),
        &SealPage {
            page,
            open: plan.seats.iter().filter(|seat| !seat.computer).count(),
            given: is_given(&**game, plan.seats.len()),
            alone: match game.has_board() && frame.trouble.is_none() {
                true => (1..)
                    .zip(plan.seats.iter().map(|seat| seat.name.clone()))
                    .take(ALONE_MAX)
                    .collect(),
                false => Vec::new(),
            },
            frame,
            look,
            changes,
            kinds: game
                .seat_kinds()
                .iter()
                .skip(1)
                .map(|kind| worded(&reader, kind))
                .collect(),
        },
    )
}
