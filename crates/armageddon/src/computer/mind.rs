//! What the opponent has in mind: the board he thinks on, and how a decision becomes a deed.
//!
//! There is one way of thinking and two ways of acting. At a board where the dice fall at once every decision is carried out and seen. For a
//! script the board is imagined: what needs no die is carried out on it and written down; of what needs dice only the effort is imagined.

use crate::battle::{Battle, Referee, Scene};
use crate::board::Cell;
use crate::deed::{Deed, Field};
use crate::event::Event;
use crate::kinds::Stage;
use crate::order::Order;
use crate::state::{FigureId, Position, State};
use crate::tables::Tables;
use crate::view::View;
use crate::{legal, resolve, scribe, script, steps};
use kernel::diagnostic::Diagnostic;
use kernel::dice::Owner;
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use kernel::turn::{Cause, Die, Rules};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Duels that are reckoned in one turn at the most: what keeps a turn of thousands of figures short.
const BUDGET: u32 = 60_000;

/// The referee of an imagined board: every die shows its middle, and nobody listens.
#[derive(Default)]
pub(super) struct Still;

impl Referee for Still {
    fn roll(&mut self, _: RuleId, _: Owner, _: fmt::Arguments<'_>, faces: i64, dice: &mut [Die]) {
        for (die, more) in dice.iter_mut().zip([0, 1, 0].into_iter().cycle()) {
            // Never three of a kind.
            die.value = (faces + 1) / 2 + more;
        }
    }

    fn emit(&mut self, _: Cause, _: Rules, _: &[Die], _: Event) {}

    fn refuse(&mut self, _: RealmId, _: Diagnostic) {}
}

/// The board of a view as it will be when the script begins, and whether dice fall before.
pub(super) fn imagined(tables: &Tables, view: &View, player: RealmId) -> (State, bool) {
    let state = State {
        house_rules: String::new(),
        position: view.position.clone(),
        secrets: view.secret.iter().map(|secret| (player, secret.clone())).collect(),
    };
    if state.position.clock.begun {
        return (state, false);
    }
    let mut still = Still;
    let mut battle = Battle::new(tables, state, &mut still);
    steps::begin_turn(&mut battle);
    let rolled = battle.rolled() > 0;
    (battle.finish(String::new()), rolled)
}

/// What a view lets its player judge by.
pub(super) fn scene_of<'a>(tables: &'a Tables, view: &'a View) -> Scene<'a> {
    Scene {
        tables,
        position: &view.position,
        secret: view.secret.as_ref(),
    }
}

/// A script in the making.
#[derive(Default)]
struct Plan {
    lines: Vec<String>,
    /// Whose steps the last line tells, if it tells steps.
    walking: Option<FigureId>,
}

/// What the opponent has in mind.
pub(super) struct Mind<'m, 'b> {
    battle: &'m mut Battle<'b>,
    pub(super) player: RealmId,
    plan: Option<Plan>,
    budget: u32,
    /// Whether a line of this script throws dice.
    rolled: bool,
    /// Whether the script ends here: dice fell while somebody moved, and where everybody is now must be seen first.
    halted: bool,
    /// Enemies at whom a line of this script strikes: what becomes of them is not known.
    pub(super) struck: BTreeSet<FigureId>,
    /// Fields at whose walls a line of this script strikes: whether they still stand is not known.
    pub(super) shaken: BTreeSet<Cell>,
    /// Figures that stay with what they serve.
    pub(super) kept: BTreeSet<FigureId>,
    /// Where figures are needed.
    pub(super) errands: BTreeMap<FigureId, Cell>,
}

impl<'m, 'b> Mind<'m, 'b> {
    /// Plays at the board, where the dice fall.
    pub(super) fn playing(battle: &'m mut Battle<'b>, player: RealmId) -> Self {
        Self {
            battle,
            player,
            plan: None,
            budget: BUDGET,
            rolled: false,
            halted: false,
            struck: BTreeSet::new(),
            shaken: BTreeSet::new(),
            kept: BTreeSet::new(),
            errands: BTreeMap::new(),
        }
    }

    /// Plans a script on an imagined board.
    pub(super) fn planning(battle: &'m mut Battle<'b>, player: RealmId) -> Self {
        Self {
            plan: Some(Plan::default()),
            ..Self::playing(battle, player)
        }
    }

    pub(super) fn tables(&self) -> &'b Tables {
        self.battle.tables
    }

    pub(super) fn position(&self) -> &Position {
        &self.battle.position
    }

    /// The board, for trying something out; whoever changes it puts it back.
    pub(super) fn position_mut(&mut self) -> &mut Position {
        &mut self.battle.position
    }

    pub(super) fn scene(&self) -> Scene<'_> {
        self.battle.scene(self.player)
    }

    pub(super) fn reached(&self) -> Stage {
        self.battle.position.clock.stage
    }

    /// Whether a script is planned, so that no die is seen before it is sent.
    pub(super) fn is_planning(&self) -> bool {
        self.plan.is_some()
    }

    /// Whether a line of the script throws dice, so that what comes of it is not known.
    pub(super) fn has_rolled(&self) -> bool {
        self.rolled
    }

    /// Whether nothing more can be planned before one has looked.
    pub(super) fn is_halted(&self) -> bool {
        self.halted
    }

    /// Whether there is time for so many more duels to be reckoned.
    pub(super) fn spend(&mut self, duels: u32) -> bool {
        let enough = self.budget >= duels;
        self.budget = self.budget.saturating_sub(duels);
        enough
    }

    /// Says from which price on enemy spells are to be dispelled, if nothing was said about it yet.
    pub(super) fn instruct(&mut self, dispel_from: i64) {
        let first = self.position().clock.round == 1;
        let Some(secret) = self.battle.secrets.get_mut(&self.player) else {
            return;
        };
        if !first || secret.standing.dispel_from.is_some() {
            return;
        }
        secret.standing.dispel_from = Some(dispel_from);
        if let Some(plan) = &mut self.plan {
            plan.lines.push(format!("ANWEISUNG ENTKRAEFTEN AB {dispel_from}"));
        }
    }

    /// Whether a deed is legal now.
    pub(super) fn may(&self, deed: &Deed) -> bool {
        legal::judge(self.scene(), self.player, deed).is_ok()
    }

    /// Does something, or writes that it be done; tells whether it is legal.
    pub(super) fn act(&mut self, deed: &Deed) -> bool {
        if self.plan.is_some() {
            self.write(deed).is_some()
        } else {
            legal::carry_out(self.battle, self.player, deed).is_ok()
        }
    }

    /// Writes a line and imagines what comes of it. Only a line that is read as a legal deed is written.
    fn write(&mut self, deed: &Deed) -> Option<()> {
        if self.halted {
            return None;
        }
        let scene = self.battle.scene(self.player);
        legal::judge(scene, self.player, deed).ok()?;
        let line = scribe::line(scene, deed)?;
        let parsed = script::parse(line.as_bytes());
        let order = parsed.orders.first().filter(|_| parsed.diagnostics.is_empty())?;
        // A way is read step by step, so one step is the deed itself; every other line must be legal as it will be read.
        let read = match &order.value {
            Order::Move { .. } => deed.clone(),
            other => resolve::deed(scene, self.player, other).ok()?,
        };
        let before = (self.battle.position.clone(), self.battle.secrets.clone());
        let rolled = self.battle.rolled();
        legal::carry_out(self.battle, self.player, &read).ok()?;
        if self.battle.rolled() > rolled {
            self.rolled = true;
            // Whom a ship runs over, who is trampled and who then has room decides where the others can go.
            self.halted = matches!(deed, Deed::Field(_)) && self.tables().sequence.partial_turns;
            self.forget_dice(before.0, deed);
            self.battle.secrets = before.1;
        }
        let step = match deed {
            Deed::Field(Field::Step { figure, to }) => {
                Some((*figure, self.position().board.spot_name(self.tables(), *to)))
            }
            _ => None,
        };
        let plan = self.plan.as_mut()?;
        match (&step, plan.lines.last_mut()) {
            (Some((figure, to)), Some(last)) if plan.walking == Some(*figure) => {
                last.push('>');
                last.push_str(to);
            }
            _ => plan.lines.push(line),
        }
        plan.walking = step.map(|(figure, _)| figure);
        Some(())
    }

    /// The board as it was before dice fell, but with the effort spent: acts, steps, and the stage of the turn.
    fn forget_dice(&mut self, before: Position, deed: &Deed) {
        let after = std::mem::replace(&mut self.battle.position, before);
        // A ship goes its way whomever it runs over.
        if let Deed::Field(Field::Sail { ship, .. }) = deed
            && let (Some(figure), Some(sailed)) = (self.battle.position.figure_mut(*ship), after.figure(*ship))
        {
            figure.clone_from(sailed);
        }
        self.battle.position.clock = after.clock;
        for (figure, spent) in self.battle.position.figures.iter_mut().zip(&after.figures) {
            figure.acted |= spent.acted;
            figure.steps = figure.steps.max(spent.steps);
            figure.tramples = figure.tramples.max(spent.tramples);
        }
        for (player, spent) in after.players {
            if let Some(player) = self.battle.position.players.get_mut(&player) {
                player.spells_cast = spent.spells_cast;
            }
        }
    }

    /// The script, with or without the end of the turn.
    pub(super) fn script(self, head: &str, end: bool) -> String {
        let mut text = head.to_owned();
        for line in self.plan.iter().flat_map(|plan| &plan.lines) {
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
