//! Advice on a script before it is sent: it is played on the viewer's own board as far as no die falls.
//!
//! Nothing that depends on chance is imagined: from the first die on, the advice is silent.

use crate::battle::{Battle, Referee};
use crate::event::Event;
use crate::order::Order;
use crate::state::State;
use crate::steps;
use crate::tables::Tables;
use crate::view::View;
use kernel::diagnostic::{Diagnostic, Parsed};
use kernel::dice::Owner;
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use kernel::turn::{Cause, Die, Rules};
use std::collections::BTreeMap;
use std::fmt;

/// A referee who stops listening when the first die falls.
struct Dreamer {
    player: RealmId,
    awake: bool,
    findings: Vec<Diagnostic>,
}

impl Referee for Dreamer {
    fn roll(&mut self, _: RuleId, _: Owner, _: fmt::Arguments<'_>, faces: i64, dice: &mut [Die]) {
        self.awake = false;
        for die in dice {
            die.value = (faces + 1) / 2;
        }
    }

    fn emit(&mut self, _: Cause, _: Rules, _: &[Die], _: Event) {}

    fn refuse(&mut self, player: RealmId, finding: Diagnostic) {
        if self.awake && player == self.player {
            self.findings.push(finding);
        }
    }
}

/// What would be refused before the first die falls.
pub fn findings(tables: &Tables, view: &View, parsed: &Parsed<Order>) -> Vec<Diagnostic> {
    let Some(player) = view.player() else {
        return Vec::new();
    };
    let state = State {
        house_rules: String::new(),
        position: view.position.clone(),
        secrets: view.secret.iter().map(|secret| (player, secret.clone())).collect(),
    };
    let mut dreamer = Dreamer {
        player,
        awake: true,
        findings: Vec::new(),
    };
    let mut battle = Battle::new(tables, state, &mut dreamer);
    steps::run(&mut battle, &BTreeMap::from([(player, parsed.clone())]));
    drop(battle);
    dreamer.findings
}
