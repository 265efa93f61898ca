//! The imagined board on which a script is planned, line by line.

use crate::battle::{Battle, Referee, Scene};
use crate::deed::Deed;
use crate::event::Event;
use crate::kinds::Stage;
use crate::state::{FigureId, Position, State};
use crate::tables::Tables;
use crate::view::View;
use crate::{legal, resolve, scribe, script, steps};
use kernel::diagnostic::{Diagnostic, Severity};
use kernel::dice::Owner;
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use kernel::turn::{Cause, Die, Rules};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Duels that are reckoned for one script at the most: what keeps a turn of thousands of figures short.
const BUDGET: u32 = 60_000;

/// A referee who remembers whether a line was refused.
#[derive(Default)]
struct Still {
    refused: bool,
}

impl Referee for Still {
    fn roll(&mut self, _: RuleId, _: Owner, _: fmt::Arguments<'_>, faces: i64, dice: &mut [Die]) {
        for die in dice {
            die.value = (faces + 1) / 2;
        }
    }

    fn emit(&mut self, _: Cause, _: Rules, _: &[Die], _: Event) {}

    fn refuse(&mut self, _: RealmId, finding: Diagnostic) {
        self.refused |= finding.severity == Severity::Error;
    }
}

/// What the opponent has in mind.
pub(super) struct Mind<'a> {
    pub(super) tables: &'a Tables,
    pub(super) player: RealmId,
    state: State,
    lines: Vec<String>,
    budget: u32,
    head: String,
    /// Enemies at whom a line of this script strikes: what becomes of them is not known.
    pub(super) struck: BTreeSet<FigureId>,
}

impl<'a> Mind<'a> {
    /// The board as it will be when the script begins; none if dice fall before.
    pub(super) fn new(tables: &'a Tables, view: &View, player: RealmId) -> Option<Self> {
        let mut state = State {
            house_rules: String::new(),
            position: view.position.clone(),
            secrets: view.secret.iter().map(|secret| (player, secret.clone())).collect(),
        };
        let scene = Scene {
            tables,
            position: &view.position,
            secret: view.secret.as_ref(),
        };
        let head = scribe::head(scene, player);
        if !state.position.clock.begun {
            let mut still = Still::default();
            let mut battle = Battle::new(tables, state, &mut still);
            let orders = BTreeMap::from([(player, script::parse(head.as_bytes()))]);
            steps::run(&mut battle, &orders);
            if battle.rolled() > 0 {
                return None;
            }
            state = battle.finish(String::new());
        }
        Some(Self {
            tables,
            player,
            state,
            lines: Vec::new(),
            budget: BUDGET,
            head,
            struck: BTreeSet::new(),
        })
    }

    pub(super) fn position(&self) -> &Position {
        &self.state.position
    }

    /// The board, for trying something out; whoever changes it puts it back.
    pub(super) fn position_mut(&mut self) -> &mut Position {
        &mut self.state.position
    }

    pub(super) fn scene(&self) -> Scene<'_> {
        Scene {
            tables: self.tables,
            position: &self.state.position,
            secret: self.state.secrets.get(&self.player),
        }
    }

    pub(super) fn never_instructed(&self) -> bool {
        let secret = self.state.secrets.get(&self.player);
        secret.is_some_and(|secret| secret.standing.dispel_from.is_none()) && self.position().clock.round == 1
    }

    /// Whether there is time for so many more duels to be reckoned.
    pub(super) fn spend(&mut self, duels: u32) -> bool {
        let enough = self.budget >= duels;
        self.budget = self.budget.saturating_sub(duels);
        enough
    }

    /// Writes a line that changes nothing on the imagined board.
    pub(super) fn add(&mut self, line: String) {
        self.lines.push(line);
    }

    /// Writes a line and carries it out on the imagined board, if it is legal there and needs no die. Tells whether.
    pub(super) fn act(&mut self, line: String) -> bool {
        let parsed = script::parse(line.as_bytes());
        let ([order], true) = (parsed.orders.as_slice(), parsed.diagnostics.is_empty()) else {
            return false;
        };
        let before = self.state.clone();
        let mut still = Still::default();
        let mut battle = Battle::new(self.tables, std::mem::take(&mut self.state), &mut still);
        resolve::carry_out(&mut battle, self.player, &order.value, order.span);
        let rolled = battle.rolled() > 0;
        let after = battle.finish(String::new());
        if still.refused || rolled {
            self.state = before;
            return false;
        }
        self.state = after;
        self.lines.push(line);
        true
    }

    /// Writes a deed that dice decide, if it is legal now; nothing of it is imagined but that the turn goes on. Tells whether.
    pub(super) fn dare(&mut self, deed: &Deed) -> bool {
        let scene = self.scene();
        if legal::judge(scene, self.player, deed).is_err() {
            return false;
        }
        let Some(line) = scribe::line(scene, deed) else {
            return false;
        };
        let parsed = script::parse(line.as_bytes());
        let Some(order) = parsed.orders.first().filter(|_| parsed.diagnostics.is_empty()) else {
            return false;
        };
        // What the line will be read as must be legal, not only what was meant by it.
        let Ok(read) = resolve::deed(scene, self.player, &order.value) else {
            return false;
        };
        if legal::judge(scene, self.player, &read).is_err() {
            return false;
        }
        let reached = self.state.position.clock.stage;
        if let Some(stage) = read.stage(reached) {
            self.state.position.clock.stage = stage.max(reached);
        }
        self.lines.push(line);
        true
    }

    pub(super) fn reached(&self) -> Stage {
        self.state.position.clock.stage
    }

    /// The script, with or without the end of the turn.
    pub(super) fn script(self, end: bool) -> String {
        let mut text = self.head;
        for line in &self.lines {
            text.push('\n');
            text.push_str(line);
        }
        if end {
            text.push_str("\nENDE");
        }
        text.push('\n');
        text
    }
}
