//! A draft of a script, carried out on the viewer's own board as far as no die falls.

use crate::battle::{Battle, Referee, Scene};
use crate::event::Event;
use crate::script;
use crate::state::State;
use crate::steps::{self, Rehearsal};
use crate::tables::Tables;
use crate::view::View;
use kernel::diagnostic::{Diagnostic, Severity};
use kernel::dice::Owner;
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use kernel::turn::{Cause, Die, Rules};
use std::fmt;

/// A referee who notes what would happen: his dice fall in the middle and never all alike.
#[derive(Default)]
pub(super) struct Witness {
    /// What would be told.
    pub(super) events: Vec<Event>,
    /// What would be refused or noted, until a die falls.
    pub(super) findings: Vec<Diagnostic>,
    /// Whether a die has fallen.
    pub(super) rolled: bool,
}

impl Referee for Witness {
    fn roll(&mut self, _: RuleId, _: Owner, _: fmt::Arguments<'_>, faces: i64, dice: &mut [Die]) {
        self.rolled = true;
        for (die, odd) in dice.iter_mut().zip([0, 1].into_iter().cycle()) {
            die.value = (faces / 2 + odd).clamp(1, faces.max(1));
        }
    }

    fn emit(&mut self, _: Cause, _: Rules, _: &[Die], event: Event) {
        self.events.push(event);
    }

    fn refuse(&mut self, _: RealmId, finding: Diagnostic) {
        if !self.rolled {
            self.findings.push(finding);
        }
    }
}

/// A draft as far as it goes.
pub(super) struct Draft {
    /// The battle when the first die falls, or when the draft is done.
    pub(super) state: State,
    /// How far it went.
    pub(super) rehearsal: Rehearsal,
    /// What is wrong with it.
    pub(super) findings: Vec<Diagnostic>,
}

impl Draft {
    /// No draft: the board of a view as it stands.
    pub(super) fn still(view: &View) -> Self {
        let secrets = view.player().into_iter().zip(view.secret.clone());
        Self {
            state: State {
                house_rules: view.house_rules.clone(),
                position: view.position.clone(),
                secrets: secrets.collect(),
            },
            rehearsal: Rehearsal::default(),
            findings: Vec::new(),
        }
    }

    /// Carries a draft out on the board of a view.
    pub(super) fn of(tables: &Tables, view: &View, text: &str) -> Self {
        let mut state = State {
            house_rules: view.house_rules.clone(),
            position: view.position.clone(),
            ..State::default()
        };
        let Some(player) = view.player() else {
            return Self {
                state,
                rehearsal: Rehearsal::default(),
                findings: Vec::new(),
            };
        };
        state.secrets = view.secret.iter().map(|secret| (player, secret.clone())).collect();
        let parsed = script::parse(text.as_bytes());
        let mut witness = Witness::default();
        let mut battle = Battle::new(tables, state, &mut witness);
        let rehearsal = steps::rehearse(&mut battle, player, &parsed);
        let state = battle.finish(view.house_rules.clone());
        let mut findings = parsed.diagnostics;
        findings.append(&mut witness.findings);
        findings.sort_by_key(|finding| finding.span);
        Self {
            state,
            rehearsal,
            findings,
        }
    }

    /// What the deeds of a player are judged by behind the draft.
    pub(super) fn scene<'a>(&'a self, tables: &'a Tables, player: RealmId) -> Scene<'a> {
        Scene {
            tables,
            position: &self.state.position,
            secret: self.state.secrets.get(&player),
        }
    }

    /// Whether a line of it is refused.
    pub(super) fn is_faulty(&self) -> bool {
        self.findings.iter().any(|finding| finding.severity == Severity::Error)
    }

    /// Whether something can be added to it.
    pub(super) fn is_open(&self) -> bool {
        !self.rehearsal.ended && !self.rehearsal.rolls && !self.is_faulty() && self.state.position.outcome.is_none()
    }

    /// Whether figures can be ordered about: nothing has to be rolled for first.
    pub(super) fn takes_deeds(&self, player: RealmId) -> bool {
        self.is_open() && !self.rehearsal.rolls_first && self.state.position.mover() == Some(player)
    }
}
