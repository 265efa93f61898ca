//! A battle in the making: the position that changes, and the referee who rolls, records and refuses.
//!
//! The engine knows no turn of any game. ARMAGEDDON's own turn is a [`Referee`], KALEVALA's wars bring another, a simulation of ten
//! thousand battles a third that keeps no journal.

use crate::deed::Refusal;
use crate::event::{Event, Happening, TurnHappening};
use crate::order::Order;
use crate::rule;
use crate::state::{FigureId, Position, Secret, State};
use crate::tables::Tables;
use kernel::diagnostic::{Diagnostic, Span, Spanned};
use kernel::dice::Owner;
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use kernel::turn::{Cause, Die, Rules};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// Who rolls, records and refuses.
pub trait Referee {
    /// Rolls dice that are thrown together, each from 1 to `faces`, under the key of `owner`. The subject is written in terms that
    /// everybody at the board knows: the player's number and the figure's name. A name that was rolled before in this step gets a
    /// number behind it.
    fn roll(&mut self, rule: RuleId, owner: Owner, subject: fmt::Arguments<'_>, faces: i64, dice: &mut [Die]);
    /// Records what happened.
    fn emit(&mut self, cause: Cause, rules: Rules, dice: &[Die], event: Event);
    /// Records a finding about a player's script.
    fn refuse(&mut self, player: RealmId, finding: Diagnostic);
}

/// Under this name a refusal has the line that is refused.
pub const REFUSED_LINE: &str = "order";

/// Three dice thrown together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Throw(pub [u8; 3]);

impl Throw {
    /// The sum of the faces, before any good points.
    pub fn natural(self) -> i64 {
        self.0.iter().map(|face| i64::from(*face)).sum()
    }

    /// Whether all three show the same (*Pasch*).
    pub fn is_triple(self) -> bool {
        self.0[0] == self.0[1] && self.0[1] == self.0[2]
    }
}

impl fmt::Display for Throw {
    /// `4 5 3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.0[0], self.0[1], self.0[2])
    }
}

/// What a deed is judged by: the position, and the own secret of whoever asks.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// The figures of the rules.
    pub tables: &'a Tables,
    /// What everybody sees.
    pub position: &'a Position,
    /// What only the player knows who asks.
    pub secret: Option<&'a Secret>,
}

/// An event that waits until its whole line is found legal.
struct Held {
    cause: Cause,
    rules: Rules,
    dice: Vec<Die>,
    event: Event,
}

/// A triple (*Pasch*) that fell for a warrior and is not credited yet.
#[derive(Clone, Debug)]
pub struct Triple {
    /// For whom it fell.
    pub figure: FigureId,
    /// The faces.
    pub throw: Throw,
    /// The dice.
    pub dice: [Die; 3],
}

/// A battle in the making.
pub struct Battle<'a> {
    /// The figures of the rules.
    pub tables: &'a Tables,
    /// What everybody sees, changed in place.
    pub position: Position,
    /// What only single players know.
    pub secrets: BTreeMap<RealmId, Secret>,
    /// Why the next events happen.
    pub cause: Cause,
    /// Triples that wait until what they fell in is decided.
    pub triples: Vec<Triple>,
    /// What players are called from the next step on: they may head their scripts with it already.
    pub called: BTreeMap<RealmId, String>,
    /// The line that is being carried out, as a log writes it.
    line: String,
    referee: &'a mut dyn Referee,
    /// Events of the line that is being carried out.
    held: Option<Vec<Held>>,
    /// Dice rolled so far.
    rolled: u64,
}

impl<'a> Battle<'a> {
    /// Takes a battle up where it stands.
    pub fn new(tables: &'a Tables, state: State, referee: &'a mut dyn Referee) -> Self {
        Self {
            tables,
            position: state.position,
            secrets: state.secrets,
            cause: Cause::Step("turn"),
            triples: Vec::new(),
            called: BTreeMap::new(),
            line: String::new(),
            referee,
            held: None,
            rolled: 0,
        }
    }

    /// What the deeds of a player are judged by.
    pub fn scene(&self, player: RealmId) -> Scene<'_> {
        Scene {
            tables: self.tables,
            position: &self.position,
            secret: self.secrets.get(&player),
        }
    }

    /// Rolls one die.
    pub fn die(&mut self, rule: RuleId, roller: RealmId, subject: fmt::Arguments<'_>, faces: i64) -> Die {
        let mut dice = [Die { value: 1, index: 0 }];
        self.rolled += 1;
        self.referee.roll(rule, Owner::of(roller), subject, faces, &mut dice);
        dice[0]
    }

    /// Rolls 3W6 for a figure or field of `roller` (ARM-0.2.2). Scenarios list it as `RULE subject = 4 5 3`.
    pub fn throw(&mut self, rule: RuleId, roller: RealmId, subject: fmt::Arguments<'_>) -> (Throw, [Die; 3]) {
        let mut dice = [Die { value: 1, index: 0 }; 3];
        self.rolled += 3;
        self.referee.roll(rule, Owner::of(roller), subject, 6, &mut dice);
        (Throw(dice.map(|die| u8::try_from(die.value).unwrap_or(1))), dice)
    }

    /// Rolls 3W6 for one figure. Three equal dice of a warrior, but not three sixes, bring his wizard spell units when the deed is done.
    pub fn throw_for(&mut self, rule: RuleId, id: FigureId, subject: fmt::Arguments<'_>) -> (Throw, [Die; 3]) {
        let figure = self.position.figure(id);
        let roller = figure.map_or(RealmId::NOBODY, |figure| figure.owner);
        let warrior = figure.is_some_and(|figure| figure.kind.is_warrior());
        let (throw, dice) = self.throw(rule, roller, subject);
        if warrior && throw.is_triple() && throw != Throw([6; 3]) {
            self.triples.push(Triple {
                figure: id,
                throw,
                dice,
            });
        }
        (throw, dice)
    }

    /// Records what happened in the present turn.
    pub fn emit(&mut self, rules: impl Into<Rules>, dice: &[Die], happening: impl Into<Happening>) {
        let event = Event {
            round: self.position.clock.round,
            player: self.position.mover().unwrap_or(RealmId::NOBODY),
            happening: happening.into(),
        };
        match &mut self.held {
            Some(held) => held.push(Held {
                cause: self.cause,
                rules: rules.into(),
                dice: dice.to_vec(),
                event,
            }),
            None => self.referee.emit(self.cause, rules.into(), dice, event),
        }
    }

    /// Takes a line of a player's script up: what follows happens because of it, and a refusal quotes it.
    pub fn take_up(&mut self, player: RealmId, order: &Spanned<Order>) {
        self.cause = Cause::Order(player, order.span);
        self.line = order.value.to_string();
    }

    /// Enters a line into the log, under the next number of the turn (ARM-GAP-45): what is recorded from here on came of it.
    pub fn log(&mut self, line: impl Into<String>) {
        let number = self.position.clock.lines;
        self.position.clock.lines = number.saturating_add(1);
        let line = line.into();
        self.emit(&[rule::GAP_45][..], &[], TurnHappening::Ordered { number, line });
    }

    /// Enters the line that was taken up.
    pub fn log_line(&mut self) {
        let line = self.line.clone();
        self.log(line);
    }

    /// Records that a line is refused.
    pub fn refuse(&mut self, player: RealmId, refusal: Refusal, span: Span) {
        let finding = refusal.at(span).with(REFUSED_LINE, self.line.as_str());
        self.referee.refuse(player, finding);
    }

    /// Records a finding that is no refusal.
    pub fn note(&mut self, player: RealmId, finding: Diagnostic) {
        self.referee.refuse(player, finding);
    }

    /// Whether dice have fallen since this many were rolled.
    pub fn rolled(&self) -> u64 {
        self.rolled
    }

    /// Carries something out that may turn out to be illegal midway: then nothing of it has happened, unless dice fell.
    ///
    /// # Errors
    /// The refusal, with whether a part of the line stands because a die had fallen.
    pub fn all_or_nothing(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<(), Refusal>,
    ) -> Result<(), (Refusal, bool)> {
        let before = self.position.clone();
        let rolled = self.rolled;
        self.held = Some(Vec::new());
        let result = work(self);
        let held = self.held.take().unwrap_or_default();
        let stands = result.is_ok() || self.rolled > rolled;
        if stands {
            for held in held {
                self.referee.emit(held.cause, held.rules, &held.dice, held.event);
            }
        } else {
            self.position = before;
        }
        result.map_err(|refusal| (refusal, stands))
    }

    /// Takes a figure off the board with whatever it carried in its hands; what it carried aboard must have been dealt with before.
    pub fn take_off(&mut self, id: FigureId, fate: crate::kinds::Fate) {
        for figure in &mut self.position.figures {
            if figure.held_by == Some(id) {
                figure.held_by = None;
            }
        }
        if let Some(figure) = self.position.figure_mut(id) {
            figure.place = crate::state::Place::Gone(fate);
            figure.held_by = None;
            figure.spell = None;
            figure.leans = None;
        }
    }

    /// What is left behind when the work is done.
    pub fn finish(self, house_rules: String) -> State {
        State {
            house_rules,
            position: self.position,
            secrets: self.secrets,
        }
    }
}
