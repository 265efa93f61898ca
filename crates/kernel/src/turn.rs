//! A turn in the making: state, orders and judgements in; changed state, journal, dice and refusals out.

use crate::diagnostic::{Diagnostic, Parsed, Span};
use crate::dice::{self, Dice, Owner, Roll};
use crate::game::Game;
use crate::realm::RealmId;
use crate::rule::RuleId;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A judgement of the game master: recorded input like any order.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Judgement<R> {
    /// What is decided.
    pub ruling: R,
    /// Why, in the game master's words.
    pub reason: String,
}

/// Everything that people contribute to a step.
#[derive(Clone, Debug)]
pub struct Input<G: Game> {
    /// The orders of every realm that sent some; a realm that is missing here sent none.
    pub orders: BTreeMap<RealmId, Parsed<G::Order>>,
    /// Answers to requests of an earlier trial run, by the request's name.
    pub answers: BTreeMap<String, Judgement<G::Ruling>>,
    /// What the game master decided unasked, in the order given.
    pub edicts: Vec<Judgement<G::Ruling>>,
}

impl<G: Game> Default for Input<G> {
    fn default() -> Self {
        Self {
            orders: BTreeMap::new(),
            answers: BTreeMap::new(),
            edicts: Vec::new(),
        }
    }
}

/// Why something happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// A player's order, by its line.
    Order(RealmId, Span),
    /// The step of the turn with this name.
    Step(&'static str),
    /// Another event of the same turn, by its number in the journal.
    Event(u32),
    /// A judgement of the game master.
    GameMaster,
}

/// A die that was rolled: its value, and its number for the event that it decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Die {
    /// What it showed.
    pub value: i64,
    /// Its number among the turn's dice.
    pub index: u32,
}

/// The rules behind an event: mostly a constant list.
pub type Rules = Cow<'static, [RuleId]>;

/// One event in the journal.
#[derive(Clone, Debug)]
pub struct Entry<E> {
    /// Why it happened.
    pub cause: Cause,
    /// Which rules decided.
    pub rules: Rules,
    /// Numbers of the dice that decided.
    pub dice: Box<[u32]>,
    /// What happened.
    pub event: E,
}

/// A question for the game master that the turn answered with a default.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Request<R> {
    /// Rule and subject: the name under which an answer is given.
    pub name: String,
    /// The realm concerned, if one is.
    pub realm: Option<RealmId>,
    /// What is used without an answer.
    pub default: R,
    /// Whether the run used an answer.
    pub answered: bool,
}

/// A turn in the making.
pub struct Turn<'a, G: Game> {
    /// The rules' figures in this world.
    pub tables: &'a G::Tables,
    /// The world, changed in place.
    pub state: G::State,
    /// What people contributed.
    pub input: &'a Input<G>,
    dice: Dice,
    /// Faces that the game master put in the place of those that fall, by the name of the die.
    fixed: BTreeMap<&'a str, i64>,
    rolls: Vec<Roll>,
    journal: Vec<Entry<G::Event>>,
    refusals: BTreeMap<RealmId, Vec<Diagnostic>>,
    requests: Vec<Request<G::Ruling>>,
}

/// What a turn left behind.
pub struct Outcome<G: Game> {
    /// The world afterwards.
    pub state: G::State,
    /// What happened, in order.
    pub journal: Vec<Entry<G::Event>>,
    /// Every die.
    pub rolls: Vec<Roll>,
    /// Findings about orders, by realm, sorted by place in the file.
    pub refusals: BTreeMap<RealmId, Vec<Diagnostic>>,
    /// Questions for the game master.
    pub requests: Vec<Request<G::Ruling>>,
    /// The dice, for a script's faults.
    pub dice: Dice,
}

/// About as many events as orders bring about: room that is not used costs nothing, and a journal that outgrew its room again and
/// again would need twice its memory.
fn expected_events<G: Game>(input: &Input<G>) -> usize {
    let orders: usize = input.orders.values().map(|parsed| parsed.orders.len()).sum();
    orders.saturating_mul(4).min(1 << 20)
}

impl<'a, G: Game> Turn<'a, G> {
    /// Begins a turn; the findings of reading the orders are its first refusals.
    pub fn new(tables: &'a G::Tables, state: G::State, input: &'a Input<G>, dice: Dice) -> Self {
        let refusals = input
            .orders
            .iter()
            .filter(|(_, parsed)| !parsed.diagnostics.is_empty())
            .map(|(realm, parsed)| (*realm, parsed.diagnostics.clone()))
            .collect();
        Self {
            tables,
            state,
            input,
            dice,
            fixed: input
                .edicts
                .iter()
                .flat_map(|judgement| G::fixed_dice(&judgement.ruling))
                .collect(),
            rolls: Vec::new(),
            journal: Vec::with_capacity(expected_events(input)),
            refusals,
            requests: Vec::new(),
        }
    }

    /// Rolls the die of `rule` about `subject`, uniform in `min..=max`, under the key of `owner`.
    ///
    /// The subject is written in the owner's own terms (his coordinates, his army names): he will read it.
    /// A face that the game master fixed counts instead, if the die has it; what fell is kept beside it.
    pub fn roll(&mut self, rule: RuleId, owner: Owner, subject: &str, min: i64, max: i64) -> Die {
        let name = dice::name(rule, subject);
        let fell = self.dice.roll(owner, &name, min, max);
        let fixed = self.fixed.get(name.as_str()).copied();
        let fixed = fixed.filter(|face| (min..=max).contains(face));
        let value = fixed.unwrap_or(fell);
        let index = u32::try_from(self.rolls.len()).unwrap_or(u32::MAX);
        self.rolls.push(Roll {
            name,
            owner,
            min,
            max,
            value,
            fell: fixed.map(|_| fell),
        });
        Die { value, index }
    }

    /// How many events were recorded so far.
    pub fn event_count(&self) -> usize {
        self.journal.len()
    }

    /// The dice that were rolled so far.
    pub fn rolls(&self) -> &[Roll] {
        &self.rolls
    }

    /// Records that something happened. Returns the event's number, for events that follow from it.
    pub fn emit(&mut self, cause: Cause, rules: impl Into<Rules>, dice: &[Die], event: G::Event) -> u32 {
        let number = u32::try_from(self.journal.len()).unwrap_or(u32::MAX);
        let dice = dice.iter().map(|die| die.index).collect();
        self.journal.push(Entry {
            cause,
            rules: rules.into(),
            dice,
            event,
        });
        number
    }

    /// Records that an order is refused or carried out otherwise. The caller changes nothing.
    pub fn refuse(&mut self, realm: RealmId, diagnostic: Diagnostic) {
        self.refusals.entry(realm).or_default().push(diagnostic);
    }

    /// Asks for a judgement: the recorded answer if there is one, else `default`, and the question is listed.
    pub fn ruling(&mut self, rule: RuleId, realm: Option<RealmId>, subject: &str, default: G::Ruling) -> G::Ruling {
        let name = dice::name(rule, subject);
        let answer = self.input.answers.get(&name).map(|judgement| judgement.ruling.clone());
        self.requests.push(Request {
            name,
            realm,
            default: default.clone(),
            answered: answer.is_some(),
        });
        answer.unwrap_or(default)
    }

    /// Ends the turn.
    pub fn finish(mut self) -> Outcome<G> {
        for list in self.refusals.values_mut() {
            list.sort_by(|a, b| a.span.cmp(&b.span).then_with(|| a.code.cmp(&b.code)));
        }
        Outcome {
            state: self.state,
            journal: self.journal,
            rolls: self.rolls,
            refusals: self.refusals,
            requests: self.requests,
            dice: self.dice,
        }
    }
}
