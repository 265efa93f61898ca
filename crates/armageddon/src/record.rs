//! A battle played turn by turn outside any world, by scripts or by the computer, with everything that happens in it.
//!
//! As ARM-GAP-45 says, one seeded generator rolls for the whole battle in the order in which dice are asked for: set-up, scripts and seed give
//! the same battle, and its log holds the scripts ([`crate::log::scripts`]).

use crate::battle::{Battle, Referee};
use crate::event::Event;
use crate::log::Script;
use crate::simulate::Chance;
use crate::standing::player_named;
use crate::state::State;
use crate::tables::Tables;
use crate::view::View;
use crate::{computer, script, steps};
use kernel::diagnostic::Diagnostic;
use kernel::dice::Owner;
use kernel::game::Told;
use kernel::realm::{RealmId, Viewer};
use kernel::report::Why;
use kernel::rule::{RuleId, RuleNames};
use kernel::turn::{Cause, Die, Rules};
use std::collections::BTreeMap;
use std::fmt;

/// A referee who rolls by a seed and notes everything down.
struct Clerk {
    chance: Chance,
    told: Vec<Told<Event>>,
    findings: BTreeMap<RealmId, Vec<Diagnostic>>,
}

impl Referee for Clerk {
    fn roll(&mut self, rule: RuleId, owner: Owner, subject: fmt::Arguments<'_>, faces: i64, dice: &mut [Die]) {
        self.chance.roll(rule, owner, subject, faces, dice);
    }

    fn emit(&mut self, cause: Cause, rules: Rules, _: &[Die], event: Event) {
        let why = Why {
            rules: RuleNames::from(&rules),
            ..Why::default()
        };
        self.told.push(Told {
            notice: event,
            why,
            line: match cause {
                Cause::Order(_, span) => Some(span.line),
                _ => None,
            },
        });
    }

    fn refuse(&mut self, player: RealmId, finding: Diagnostic) {
        self.findings.entry(player).or_default().push(finding);
    }
}

/// What is wrong with the scripts of a battle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Misplaced {
    /// Nobody at the board is called so.
    Unknown(Script),
    /// It is another player's turn.
    NotHisTurn {
        /// The script.
        script: Script,
        /// Whose turn it is.
        mover: String,
    },
    /// The battle is over.
    Over(Script),
}

/// Receives what came of each step, as its player sees it.
pub type Reader<'a> = dyn FnMut(View) + 'a;

/// A battle that is being played.
pub struct Recording<'a> {
    tables: &'a Tables,
    state: State,
    chance: Chance,
    /// Scripts of those whose turn it is not: they wait for the step.
    waiting: BTreeMap<RealmId, Script>,
}

impl<'a> Recording<'a> {
    /// Begins where a set-up stands.
    pub fn new(tables: &'a Tables, state: State, seed: u64) -> Self {
        Self {
            tables,
            state,
            chance: Chance::new(seed, 0),
            waiting: BTreeMap::new(),
        }
    }

    /// The battle as it stands.
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// The battle as it stands, as all may see it.
    pub fn board(&self) -> View {
        View {
            viewer: Viewer::GameMaster,
            ..self.view(RealmId::NOBODY, Vec::new(), Vec::new())
        }
    }

    /// Whether it is over.
    pub const fn is_over(&self) -> bool {
        self.state.position.outcome.is_some()
    }

    /// Plays the scripts of a file one after another; each step goes to the reader.
    ///
    /// # Errors
    /// The first script that does not fit; what was played before it stands.
    pub fn play(&mut self, scripts: &[Script], reader: &mut Reader<'_>) -> Result<(), Misplaced> {
        for script in scripts {
            let position = &self.state.position;
            let Some(player) = player_named(position, &script.player) else {
                return Err(Misplaced::Unknown(script.clone()));
            };
            let Some(mover) = position.mover().filter(|_| !self.is_over()) else {
                return Err(Misplaced::Over(script.clone()));
            };
            if let Some(earlier) = self.waiting.get_mut(&player) {
                earlier.text.push_str(&script.text);
            } else {
                self.waiting.insert(player, script.clone());
            }
            // Instructions wait for the step of whose turn it is; a whole turn of somebody else is out of its place.
            let whole = script.text.lines().any(|line| line.starts_with("RUNDE"));
            if player == mover && whole {
                let files = std::mem::take(&mut self.waiting);
                self.step(files.into_iter().map(|(player, script)| (player, script.text)), reader);
            } else if whole {
                let mover = crate::event::player_word(&self.state.position, mover);
                return Err(Misplaced::NotHisTurn {
                    script: script.clone(),
                    mover,
                });
            }
        }
        Ok(())
    }

    /// Plays the battle to its end, everybody by the computer.
    pub fn play_on(&mut self, reader: &mut Reader<'_>) {
        for _ in 0..MOST_STEPS {
            let Some(mover) = self.state.position.mover().filter(|_| !self.is_over()) else {
                return;
            };
            let file = computer::play(self.tables, &self.view(mover, Vec::new(), Vec::new()));
            self.step(std::iter::once((mover, file)), reader);
        }
    }

    fn view(&self, player: RealmId, told: Vec<Told<Event>>, diagnostics: Vec<Diagnostic>) -> View {
        View {
            viewer: Viewer::Realm(player),
            house_rules: self.state.house_rules.clone(),
            position: self.state.position.clone(),
            secret: self.state.secrets.get(&player).cloned(),
            told,
            diagnostics,
        }
    }

    fn step(&mut self, files: impl Iterator<Item = (RealmId, String)>, reader: &mut Reader<'_>) {
        let orders: BTreeMap<_, _> = files
            .map(|(player, text)| (player, script::parse(text.as_bytes())))
            .collect();
        let mover = self.state.position.mover().unwrap_or(RealmId::NOBODY);
        let mut clerk = Clerk {
            chance: std::mem::replace(&mut self.chance, Chance::new(0, 0)),
            told: Vec::new(),
            findings: BTreeMap::new(),
        };
        for (player, parsed) in &orders {
            clerk.findings.insert(*player, parsed.diagnostics.clone());
        }
        let state = std::mem::take(&mut self.state);
        let house_rules = state.house_rules.clone();
        let mut battle = Battle::new(self.tables, state, &mut clerk);
        steps::run(&mut battle, &orders);
        self.state = battle.finish(house_rules);
        self.chance = clerk.chance;
        let mut findings: Vec<Diagnostic> = clerk.findings.into_values().flatten().collect();
        findings.sort_by_key(|finding| (finding.span.line, finding.span.column));
        reader(self.view(mover, clerk.told, findings));
    }
}

/// Steps of a battle at the most: a round limit ends every battle long before.
const MOST_STEPS: u32 = 20_000;
