//! The plan of a new world: what its founder has decided so far, kept between the steps.

use crate::Fault;
use crate::page::Page;
use crate::refusal;
use crate::state::Web;
use host::world::{NewSeat, NewWorld};
use kernel::any::{AnyGame, GameError};
use kernel::form::{Input, Values};
use kernel::game::SeatPlan;
use kernel::guide::{HouseRule, Size};
use kernel::report::Arg;
use render::locale::Wording;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Realms of a world that is planned here; larger ones are made on the command line.
pub const REALMS_MAX: usize = 60;
/// House rules of a plan that are tried without the others, when the game does not take them together.
const TRIED_MAX: usize = 60;
/// Characters of one value.
const VALUE_MAX: usize = 400;

/// Names for the seats of a new world, in the order of the alphabet; players give their realms names of their own.
const REALMS: [&str; 24] = [
    "Adler",
    "Bär",
    "Chimäre",
    "Drache",
    "Einhorn",
    "Falke",
    "Greif",
    "Hirsch",
    "Igel",
    "Jaguar",
    "Kranich",
    "Löwe",
    "Marder",
    "Natter",
    "Otter",
    "Panther",
    "Qualle",
    "Rabe",
    "Stier",
    "Tiger",
    "Uhu",
    "Vielfraß",
    "Wolf",
    "Zeder",
];

/// Words for the seed of a map that nobody has chosen yet.
const SEED_WORDS: [&str; 32] = [
    "Ahorn", "Birke", "Distel", "Efeu", "Farn", "Ginster", "Hasel", "Ilex", "Kiefer", "Linde", "Mohn", "Nessel",
    "Olive", "Pappel", "Quitte", "Rose", "Schlehe", "Tanne", "Ulme", "Weide", "Brandung", "Dünung", "Ebbe", "Flut",
    "Gischt", "Nebel", "Reif", "Sturm", "Tau", "Wolke", "Woge", "Zephir",
];

/// A seat as it is planned.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PlannedSeat {
    /// Name of the realm.
    pub name: String,
    /// Its kind; empty is the usual one.
    #[serde(default)]
    pub kind: String,
    /// Whether the computer plays it for good.
    #[serde(default)]
    pub computer: bool,
}

/// A plan.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Plan {
    /// Name of the world.
    #[serde(default)]
    pub name: String,
    /// Name of the game.
    pub game: String,
    /// The seats.
    pub seats: Vec<PlannedSeat>,
    /// House rules that differ from the book, by key.
    #[serde(default)]
    pub values: Values,
    /// Words from which the map follows.
    pub seed: String,
}

/// What was filled in, by name of the field.
pub type Sent = BTreeMap<String, String>;

fn one_line(text: &str, most: usize) -> String {
    let clean: String = text
        .chars()
        .map(|letter| if letter.is_control() { ' ' } else { letter })
        .take(most)
        .collect();
    clean.trim().to_owned()
}

impl Plan {
    /// A plan of somebody who has not begun.
    pub fn new(web: &Web, account: &str) -> Self {
        let mut plan = Self {
            name: String::new(),
            game: web.host.games().first().map_or("", |game| game.name()).to_owned(),
            seats: Vec::new(),
            values: Values::new(),
            seed: throw_seed(web, account),
        };
        if let Ok(game) = web.host.game(&plan.game) {
            plan.resize(game.usual_seats());
            plan.take_usual_size(&*game);
        }
        plan
    }

    /// The plan that an account has in mind, or a new one.
    pub async fn of(web: &Web, account: &str) -> Result<Self, Fault> {
        let kept = web.host.world_plan(account).await?;
        let plan: Option<Self> = kept.and_then(|text| serde_json::from_str(&text).ok());
        // A game that is gone takes its plans along.
        Ok(plan
            .filter(|plan| web.host.game(&plan.game).is_ok() && !plan.seats.is_empty())
            .unwrap_or_else(|| Self::new(web, account)))
    }

    /// Keeps the plan.
    pub async fn keep(&self, web: &Web, account: &str) -> Result<(), Fault> {
        let text = serde_json::to_string(self).map_err(|error| Fault::Broken(error.to_string()))?;
        Ok(web.host.keep_world_plan(account, &text, web.clock.now()).await?)
    }

    /// Gives the world so many seats.
    pub fn resize(&mut self, count: usize) {
        let count = count.clamp(1, REALMS_MAX);
        self.seats.truncate(count);
        for place in self.seats.len()..count {
            let name = REALMS
                .get(place)
                .map_or_else(|| format!("Reich {}", place + 1), |name| (*name).to_owned());
            self.seats.push(PlannedSeat {
                name,
                kind: String::new(),
                computer: false,
            });
        }
    }

    /// Takes over the name and the game.
    pub fn take_game(&mut self, web: &Web, sent: &Sent) {
        if let Some(name) = sent.get("name") {
            self.name = one_line(name, host::limits::NAME_CHARACTERS);
        }
        let chosen = sent.get("spiel").filter(|game| **game != self.game);
        if let Some(game) = chosen.and_then(|name| web.host.game(name).ok()) {
            // Who wanted another number than usual keeps it.
            let usual = web.host.game(&self.game).map(|before| before.usual_seats());
            if usual.is_ok_and(|usual| usual == self.seats.len()) {
                self.resize(game.usual_seats());
            }
            self.game = game.name().to_owned();
            self.values.clear();
            self.seats.iter_mut().for_each(|seat| seat.kind.clear());
            self.take_usual_size(&*game);
        }
    }

    /// The second size of those that grow; where all are equally large, the book's own.
    fn take_usual_size(&mut self, game: &dyn AnyGame) {
        let sizes = game.sizes(self.seats.len());
        let alike = sizes
            .windows(2)
            .all(|pair| matches!(pair, [a, b] if a.fields == b.fields));
        let book = self.size(game).filter(|_| alike);
        self.take_size(game, book.unwrap_or(1));
    }

    /// Makes the world as large as one of the game's sizes.
    pub fn take_size(&mut self, game: &dyn AnyGame, choice: usize) {
        if let Some(size) = game.sizes(self.seats.len()).into_iter().nth(choice) {
            self.values.extend(size.values);
            self.leave_out_book(game);
        }
    }

    /// Takes over the seats and the size.
    pub fn take_seats(&mut self, game: &dyn AnyGame, sent: &Sent) {
        let kinds = game.seat_kinds();
        let before = self.seats.len();
        for (number, seat) in (1..).zip(&mut self.seats) {
            if let Some(name) = sent.get(&format!("reich.{number}")) {
                seat.name = one_line(name, host::limits::NAME_CHARACTERS);
                seat.computer = sent.contains_key(&format!("computer.{number}"));
            }
            if let Some(kind) = sent.get(&format!("art.{number}")) {
                let known = kinds.iter().any(|choice| choice.value == *kind);
                seat.kind = if known { kind.clone() } else { String::new() };
            }
        }
        let same_size = self.size(game);
        if let Some(count) = sent.get("reiche").and_then(|count| count.trim().parse().ok()) {
            self.resize(count);
        }
        match sent.get("groesse").map(|size| size.parse::<usize>()) {
            Some(Ok(size)) => self.take_size(game, size),
            // A size that was chosen before grows with the number of realms.
            _ if self.seats.len() != before => {
                if let Some(size) = same_size {
                    self.take_size(game, size);
                }
            }
            _ => {}
        }
    }

    /// Which of the game's sizes the world has; nothing if it has one of its own.
    pub fn size(&self, game: &dyn AnyGame) -> Option<usize> {
        let book: BTreeMap<String, String> = game
            .house_rules()
            .into_iter()
            .map(|rule| (rule.key, rule.default))
            .collect();
        let is_so = |(key, value): (&String, &String)| self.values.get(key).or_else(|| book.get(key)) == Some(value);
        game.sizes(self.seats.len())
            .iter()
            .position(|size| size.values.iter().all(is_so))
    }

    /// Takes over house rules: fields are called `r.` and their key.
    pub fn take_rules(&mut self, game: &dyn AnyGame, sent: &Sent) {
        for rule in game.house_rules() {
            if let Some(value) = sent.get(&format!("r.{}", rule.key)) {
                self.values.insert(rule.key, one_line(value, VALUE_MAX));
            }
        }
        self.leave_out_book(game);
    }

    /// What is as the book says need not be written down.
    fn leave_out_book(&mut self, game: &dyn AnyGame) {
        for rule in game.house_rules() {
            let same = |value: &String| *value == rule.default || (value.is_empty() && !rule.default.is_empty());
            if self.values.get(&rule.key).is_some_and(same) {
                self.values.remove(&rule.key);
            }
        }
    }

    /// The same plan for somebody who plays this seat himself against computers, numbered from 1; nothing if there is no such seat.
    pub fn against_computers(&self, number: usize) -> Option<Self> {
        let mut plan = self.clone();
        for (of, seat) in (1..).zip(&mut plan.seats) {
            seat.computer = of != number;
        }
        (1..=plan.seats.len()).contains(&number).then_some(plan)
    }

    /// Takes over the seed.
    pub fn take_seed(&mut self, sent: &Sent) {
        if let Some(seed) = sent.get("saat") {
            let seed = one_line(seed, host::limits::NAME_CHARACTERS);
            if !seed.is_empty() {
                self.seed = seed;
            }
        }
    }

    /// The fields of the largest size that the game offers, if the plan goes beyond it. Drawing a world takes a core, so only
    /// whoever keeps the host may make larger ones.
    fn too_large(&self, game: &dyn AnyGame) -> Option<u64> {
        let book: BTreeMap<String, String> = game
            .house_rules()
            .into_iter()
            .map(|rule| (rule.key, rule.default))
            .collect();
        let value = |key: &str| self.values.get(key).or_else(|| book.get(key)).cloned();
        beyond(&game.sizes(self.seats.len()), value)
    }

    /// The house rules as the game writes them, or which of them it does not take.
    pub fn write_house_rules(&self, game: &dyn AnyGame) -> Result<String, PlanFault> {
        game.write_house_rules(&self.values).map_err(|error| match error {
            GameError::HouseRules(_) => PlanFault::AtOdds {
                game: self.game.clone(),
                rules: at_odds(game, &self.values),
                error,
            },
            error => PlanFault::Game(error),
        })
    }

    /// The world that the plan makes for whoever looks at the page.
    pub fn world(&self, game: &dyn AnyGame, page: &Page) -> Result<NewWorld, PlanFault> {
        let keeper = page.account.as_ref().is_some_and(|account| account.admin);
        if let Some(fields) = self.too_large(game).filter(|_| !keeper) {
            return Err(PlanFault::TooLarge(fields));
        }
        let seat = |seat: &PlannedSeat| NewSeat {
            plan: SeatPlan {
                player: page.t("lead.vacant-player"),
                realm: seat.name.clone(),
                kind: seat.kind.clone(),
            },
            computer: seat.computer,
            // Others wait for players, and the computer keeps them warm.
            vacant: !seat.computer,
        };
        Ok(NewWorld {
            name: self.name.clone(),
            game: self.game.clone(),
            house_rules: self.write_house_rules(game)?,
            seats: self.seats.iter().map(seat).collect(),
            seed: None,
            map_seed: Some(self.seed.clone()),
        })
    }
}

/// Why a plan makes no world.
#[derive(Debug)]
pub enum PlanFault {
    /// It is larger than the largest size for so many realms, which has so many fields.
    TooLarge(u64),
    /// House rules that the game does not take, or not together. What it says to it speaks of keys in files; a page names the
    /// rules instead.
    AtOdds {
        /// The game.
        game: String,
        /// The rules.
        rules: Vec<HouseRule>,
        /// What the game says.
        error: GameError,
    },
    /// The game does not take it.
    Game(GameError),
}

impl PlanFault {
    /// The same in words.
    pub fn text(&self, page: &Page) -> String {
        match self {
            Self::TooLarge(fields) => {
                let fields = usize::try_from(*fields).unwrap_or(usize::MAX);
                page.t1("found.too-large", "fields", page.n("found.fields", fields))
            }
            Self::AtOdds { game, rules, .. } => {
                let wording = Wording::of(game, page.words.language());
                if let [rule] = rules.as_slice() {
                    return page.t2(
                        "found.not-taken",
                        "rule",
                        title(wording, rule),
                        "book",
                        book(wording, rule),
                    );
                }
                let names = rules.iter().map(|rule| title(wording, rule));
                page.t1("found.at-odds", "rules", names.collect::<Vec<_>>().join("; "))
            }
            Self::Game(error) => refusal::by_game(page, error).unwrap_or_else(|| error.to_string()),
        }
    }
}

/// The fields of the largest of these sizes, if figures go beyond it. What the figures of a size count, multiplied, grows and
/// shrinks with the world.
fn beyond(sizes: &[Size], value: impl Fn(&str) -> Option<String>) -> Option<u64> {
    let largest = sizes.iter().max_by_key(|size| size.fields)?;
    let (mut offered, mut planned) = (1_u128, 1_u128);
    for (key, of_size) in &largest.values {
        // What is no number is refused by the game itself.
        offered = offered.saturating_mul(of_size.parse().ok()?);
        planned = planned.saturating_mul(value(key)?.trim().parse().ok()?);
    }
    (planned > offered).then_some(largest.fields)
}

/// The changed house rules that a game does not take together: those without one of which it takes the others, or else those
/// that it does not take alone, or else all.
fn at_odds(game: &dyn AnyGame, values: &Values) -> Vec<HouseRule> {
    let takes = |values: &Values| game.write_house_rules(values).is_ok();
    let without = |key: &String| {
        let mut rest = values.clone();
        rest.remove(key);
        rest
    };
    let alone = |key: &String| {
        let value = values.get(key).cloned().unwrap_or_default();
        Values::from([(key.clone(), value)])
    };
    // Every attempt reads all tables of the game.
    let tried: Vec<&String> = values.keys().take(TRIED_MAX).collect();
    let mut keys: Vec<&String> = tried.iter().copied().filter(|key| takes(&without(key))).collect();
    if keys.is_empty() {
        keys = tried.iter().copied().filter(|key| !takes(&alone(key))).collect();
    }
    if keys.is_empty() {
        keys = tried;
    }
    let rules = game.house_rules().into_iter();
    rules.filter(|rule| keys.contains(&&rule.key)).collect()
}

/// What a house rule is called beside others: what it is about, and its name.
pub fn title(wording: &Wording, rule: &HouseRule) -> String {
    let label = wording.text::<(&str, Arg<'_>)>(&rule.label, &[]);
    match item(wording, rule) {
        Some(item) => format!("{item}: {label}"),
        None => label,
    }
}

/// What the book says, in words where what may be chosen has a name.
fn book(wording: &Wording, rule: &HouseRule) -> String {
    let chosen = match &rule.input {
        Input::Choice { choices } => choices.iter().find(|choice| choice.value == rule.default),
        _ => None,
    };
    match chosen.filter(|choice| !choice.label.is_empty()) {
        Some(choice) => wording.words_of(&choice.label),
        None => rule.default.clone(),
    }
}

/// What a house rule is about, where one name holds for many.
pub fn item(wording: &Wording, rule: &HouseRule) -> Option<String> {
    let of = (!rule.item.is_empty()).then(|| rule.item.clone())?;
    Some(match &*rule.item_label {
        "" => of,
        key => format!("{} ({of})", wording.words_of(key)),
    })
}

/// What is wrong with a value, in words; nothing if nothing is.
pub fn fault(page: &Page, rule: &HouseRule, value: &str) -> Option<String> {
    match &rule.input {
        Input::Number { min, max } => {
            let right = value
                .trim()
                .parse()
                .is_ok_and(|number: i64| (*min..=*max).contains(&number));
            (!right).then(|| page.t2("found.fault-number", "min", page.number(*min), "max", page.number(*max)))
        }
        Input::Choice { choices } => {
            let right = choices.iter().any(|choice| choice.value == value);
            (!right).then(|| page.t("found.fault-choice"))
        }
        Input::Flag => (!matches!(value, "true" | "false")).then(|| page.t("found.fault-choice")),
        _ => None,
    }
}

/// New words for a seed. They are no secret: they decide the map and nothing else.
pub fn throw_seed(web: &Web, account: &str) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(account.as_bytes());
    hasher.update(&web.clock.now().to_le_bytes());
    let bytes = *hasher.finalize().as_bytes();
    let word = |byte: u8| {
        SEED_WORDS
            .get(usize::from(byte) % SEED_WORDS.len())
            .copied()
            .unwrap_or("Tau")
    };
    format!("{} {} {}", word(bytes[0]), word(bytes[1]), u16::from(bytes[2]) * 4 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_too_large_from_the_first_field_beyond_the_largest_size() {
        let size = |columns: u64, rows: u64| Size {
            label: "size".into(),
            fields: columns * rows,
            values: [("columns", columns), ("rows", rows)]
                .map(|(key, number)| (key.to_owned(), number.to_string()))
                .into(),
        };
        let sizes = [size(20, 10), size(40, 30), size(10, 10)];
        let planned = |columns: &'static str, rows: &'static str| {
            beyond(&sizes, move |key| {
                Some(if key == "columns" { columns } else { rows }.to_owned())
            })
        };
        assert_eq!(planned("40", "30"), None);
        // Another shape with as many fields is as large.
        assert_eq!(planned("1200", "1"), None);
        assert_eq!(planned("1199", "1"), None);
        assert_eq!(planned("1201", "1"), Some(1_200));
        assert_eq!(planned("40", "31"), Some(1_200));
        assert_eq!(planned("18446744073709551615", "18446744073709551615"), Some(1_200));
        // No number: the game refuses it.
        assert_eq!(planned("viele", "31"), None);
        assert_eq!(planned("-40", "31"), None);
        assert_eq!(beyond(&[], |_| None), None);
    }
}
