//! ARMAGEDDON behind the kernel's contract of a game.

use crate::battle::{Battle, Referee};
use crate::event::{Event, TurnHappening, player_word};
use crate::order::Order;
use crate::ruling::Ruling;
use crate::setup::{edit, muster};
use crate::state::{Position, State, Victory};
use crate::tables::Tables;
use crate::view::{self, View};
use crate::{Armageddon, computer, guide, imagine, laws, map, report, retold, rule, ruling, script, steps};
use kernel::diagnostic::{Diagnostic, Parsed, Span};
use kernel::dice::{Dice, Owner, Roll};
use kernel::game::{Brief, FileNames, Game, OrderForm, Step, WorldPlan};
use kernel::house::Misfits;
use kernel::map::Scene;
use kernel::misread::Misread;
use kernel::realm::{RealmId, Viewer};
use kernel::report::{ReportSink, Term};
use kernel::rule::{Rule, RuleId};
use kernel::turn::{Cause, Die, Rules, Turn};
use kernel::worldgen::NoWorld;
use std::collections::BTreeMap;
use std::fmt;

/// What reading a script needs to know: nothing but whose it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seat(pub RealmId);

/// The turn of the kernel as a referee.
struct Desk<'t, 'a> {
    turn: &'t mut Turn<'a, Armageddon>,
    /// How often a name was rolled in this step.
    names: BTreeMap<String, u32>,
    /// Rolls that the game master has replaced and that have not been thrown yet.
    replaced: BTreeMap<String, Vec<u8>>,
    /// The round and the player of the step.
    now: (u32, RealmId),
}

impl Desk<'_, '_> {
    /// ARM-GAP-45: other faces count, if the game master said so and the dice can show them; the log says it.
    fn replace(&mut self, name: &str, faces: i64, dice: &mut [Die]) {
        let fits = |list: &Vec<u8>| list.len() == dice.len() && list.iter().all(|face| i64::from(*face) <= faces);
        let Some(list) = self.replaced.get(name).cloned().filter(fits) else {
            return;
        };
        self.replaced.remove(name);
        for (die, face) in dice.iter_mut().zip(&list) {
            die.value = i64::from(*face);
        }
        let happening = TurnHappening::RollReplaced {
            roll: name.to_owned(),
            faces: list,
        };
        self.judge(happening, dice);
    }

    /// Records what the game master has done.
    fn judge(&mut self, happening: TurnHappening, dice: &[Die]) {
        let event = Event {
            round: self.now.0,
            player: self.now.1,
            happening: happening.into(),
        };
        self.turn.emit(Cause::GameMaster, &[rule::GAP_45][..], dice, event);
    }
}

impl Referee for Desk<'_, '_> {
    fn roll(&mut self, rule: RuleId, owner: Owner, subject: fmt::Arguments<'_>, faces: i64, dice: &mut [Die]) {
        let mut subject = subject.to_string();
        let times = self.names.entry(format!("{rule} {subject}")).or_default();
        *times += 1;
        if *times > 1 {
            subject.push_str(&format!(" again {times}"));
        }
        if let [die] = dice {
            *die = self.turn.roll(rule, owner, &subject, 1, faces);
        } else {
            for (die, number) in dice.iter_mut().zip(1u32..) {
                *die = self.turn.roll(rule, owner, &format!("{subject} {number}"), 1, faces);
            }
        }
        if !self.replaced.is_empty() {
            self.replace(&format!("{rule} {subject}"), faces, dice);
        }
    }

    fn emit(&mut self, cause: Cause, rules: Rules, dice: &[Die], event: Event) {
        self.turn.emit(cause, rules, dice, event);
    }

    fn refuse(&mut self, player: RealmId, finding: Diagnostic) {
        self.turn.refuse(player, finding);
    }
}

impl Game for Armageddon {
    const CODE: &'static str = "ARM";
    const NAME: &'static str = "armageddon";
    const RETELLS: bool = true;
    const SCHEMA: u16 = 1;
    const FILES: FileNames = FileNames {
        orders: "ZUG.TXT",
        realm: "",
        report: "KAMPF.TXT",
    };

    type Tables = Tables;
    type State = State;
    type Seat = Seat;
    type Order = Order;
    type Ruling = Ruling;
    type Event = Event;
    type Notice = Event;
    type View = View;

    fn rules() -> &'static [Rule] {
        rule::RULES
    }

    fn tables(house_rules: &str) -> Result<Tables, Misfits> {
        Tables::with_overrides(house_rules)
    }

    fn house_rules(state: &State) -> &str {
        &state.house_rules
    }

    fn house_rules_of_view(view: &View) -> &str {
        &view.house_rules
    }

    /// ARM-GAP-44: the set-up is part of the house rules, or a ready battle; the seats of the plan give the players their names.
    fn create(
        tables: &Tables,
        house_rules: &str,
        plan: &WorldPlan,
        _dice: &mut Dice,
        progress: &mut dyn FnMut(u32, u32),
    ) -> Result<State, NoWorld> {
        let state = muster::battle(tables, house_rules, plan)?;
        progress(1, 1);
        Ok(state)
    }

    /// A step is what one player sends; all see it.
    fn open_step(_tables: &Tables, state: &State) -> Step {
        let position = &state.position;
        let over = position.outcome.is_some();
        Step {
            number: position.clock.step.saturating_add(1),
            name: step_name(position),
            owes: position.mover().filter(|_| !over).into_iter().collect(),
            plays: position.players.keys().copied().collect(),
            over,
        }
    }

    fn seat(_tables: &Tables, state: &State, realm: RealmId) -> Option<Seat> {
        state.position.players.contains_key(&realm).then_some(Seat(realm))
    }

    fn seat_of_view(view: &View) -> Option<Seat> {
        view.player().map(Seat)
    }

    fn parse(_tables: &Tables, _seat: &Seat, file: &[u8]) -> Parsed<Order> {
        script::parse(file)
    }

    fn check(tables: &Tables, view: &View, parsed: &Parsed<Order>) -> Vec<Diagnostic> {
        imagine::findings(tables, view, parsed)
    }

    fn adjudicate(turn: &mut Turn<'_, Self>) {
        let (tables, input) = (turn.tables, turn.input);
        let mut state = std::mem::take(&mut turn.state);
        let house_rules = std::mem::take(&mut state.house_rules);
        let (changes, passed_over) = by_hand(tables, &mut state, input.edicts.iter().map(|edict| &edict.ruling));
        let replaced = input.edicts.iter().filter_map(|edict| match &edict.ruling {
            Ruling::Replace { roll, faces } => Some((roll.clone(), faces.clone())),
            Ruling::BreakOff | Ruling::GoOn | Ruling::Change { .. } | Ruling::HandOver { .. } => None,
        });
        let mut desk = Desk {
            turn,
            names: BTreeMap::new(),
            replaced: replaced.collect(),
            now: (
                state.position.clock.round,
                state.position.mover().unwrap_or(RealmId::NOBODY),
            ),
        };
        let mut battle = Battle::new(tables, state, &mut desk);
        if changes > 0 {
            battle.cause = Cause::GameMaster;
            battle.emit(&[rule::GAP_44][..], &[], TurnHappening::BoardChanged { changes });
        }
        for line in passed_over {
            battle.cause = Cause::GameMaster;
            battle.emit(&[rule::GAP_44][..], &[], TurnHappening::ChangePassedOver { line });
        }
        if input.edicts.iter().any(|edict| edict.ruling == Ruling::BreakOff) {
            battle.cause = Cause::GameMaster;
            battle.position.outcome = Some(Victory {
                side: None,
                suspended: false,
            });
            battle.emit(&[rule::GAP_44][..], &[], TurnHappening::BattleEnded { side: None });
        }
        let suspended = battle
            .position
            .outcome
            .as_ref()
            .is_some_and(|victory| victory.suspended);
        if suspended && input.edicts.iter().any(|edict| edict.ruling == Ruling::GoOn) {
            battle.cause = Cause::GameMaster;
            crate::victory::resume(&mut battle.position);
            battle.emit(&[rule::KAL_16_2_0_4][..], &[], TurnHappening::BattleResumed);
        }
        let handed = |ruling| match ruling {
            Ruling::HandOver { player, person, name } => Some((player, person, name)),
            Ruling::BreakOff | Ruling::GoOn | Ruling::Change { .. } | Ruling::Replace { .. } => None,
        };
        let handed: Vec<_> = input
            .edicts
            .iter()
            .filter_map(|edict| handed(edict.ruling.clone()))
            .collect();
        for (player, _, name) in &handed {
            battle.called.extend(name.clone().map(|name| (*player, name)));
        }
        steps::run(&mut battle, &input.orders);
        let mut state = battle.finish(house_rules);
        for (player, person, name) in handed {
            if let Some(found) = state.position.players.get_mut(&player) {
                found.person = person;
                found.name = name.unwrap_or_else(|| std::mem::take(&mut found.name));
            }
        }
        for roll in std::mem::take(&mut desk.replaced).into_keys() {
            desk.judge(TurnHappening::RollNotThrown { roll }, &[]);
        }
        turn.state = state;
    }

    /// Everybody at the board sees everything, but standing instructions are their player's own.
    fn audience(state: &State, event: &Event, realms: &mut Vec<RealmId>) {
        if event.is_for_the_game_master() {
            return;
        }
        match event.secret_of() {
            Some(player) => realms.push(player),
            None => realms.extend(state.position.players.keys()),
        }
    }

    fn notice(_tables: &Tables, _state: &State, event: &Event, _viewer: Viewer) -> Option<Event> {
        Some(event.clone())
    }

    fn view(tables: &Tables, state: &State, brief: Brief<Self>) -> View {
        view::view(tables, state, brief)
    }

    fn open_rolls(view: &View) -> Vec<Roll> {
        view.told
            .iter()
            .flat_map(|told| told.why.rolls.iter().cloned())
            .collect()
    }

    fn report(tables: &Tables, view: &View, sink: &mut dyn ReportSink) {
        report::report(tables, view, sink);
    }

    fn retell(tables: &Tables, views: &[View], sink: &mut dyn ReportSink) {
        retold::retell(tables, views, sink);
    }

    fn map(tables: &Tables, view: &View) -> Scene {
        map::scene(tables, view)
    }

    fn computer_player(tables: &Tables, view: &View, _dice: &mut Dice) -> String {
        computer::play(tables, view)
    }

    fn order_forms() -> Vec<OrderForm> {
        guide::order_forms()
    }

    /// A judgement in words; changes of the board are tried on a copy.
    fn read_ruling(tables: &Tables, state: &State, text: &str) -> Result<Ruling, Misread> {
        let ruling = ruling::read(&state.position, text)?;
        if let Ruling::Change { lines } = &ruling {
            let mut copy = state.clone();
            for (line, number) in lines.iter().zip(1u32..) {
                let span = Span {
                    line: number,
                    ..Span::default()
                };
                edit::change(tables, &mut copy, line)
                    .map_err(|refusal| Misread::Refused(Box::new(refusal.at(span))))?;
            }
        }
        Ok(ruling)
    }

    fn ruling_words(ruling: &Ruling) -> Option<String> {
        Some(ruling::words(ruling))
    }

    fn hand_over(realm: RealmId, player: &str, name: Option<&str>) -> Option<Ruling> {
        Some(Ruling::HandOver {
            player: realm,
            person: player.to_owned(),
            name: name.map(str::to_owned),
        })
    }

    fn invariants(tables: &Tables, state: &State) -> Result<(), String> {
        laws::hold(tables, state).map_err(|broken| broken.to_string())
    }
}

/// Makes the changes of the board that were judged; tells how many there were, and the lines that no longer fit and are passed over.
fn by_hand<'a>(tables: &Tables, state: &mut State, rulings: impl Iterator<Item = &'a Ruling>) -> (u32, Vec<String>) {
    let (mut made, mut passed_over) = (0u32, Vec::new());
    let lines = rulings.filter_map(|ruling| match ruling {
        Ruling::Change { lines } => Some(lines),
        Ruling::BreakOff | Ruling::GoOn | Ruling::Replace { .. } | Ruling::HandOver { .. } => None,
    });
    for line in lines.flatten() {
        match edit::change(tables, state, line) {
            Ok(()) => made = made.saturating_add(1),
            Err(_) => passed_over.push(line.chars().take(LINE_SHOWN).collect()),
        }
    }
    (made, passed_over)
}

/// Characters of a line that are told when it is passed over.
const LINE_SHOWN: usize = 120;

/// A step in words: round and player.
pub(crate) fn step_name(position: &Position) -> Term {
    if position.outcome.is_some() {
        return Term {
            key: "step-over".into(),
            args: vec![("round".into(), position.clock.round.into())],
        };
    }
    let mover = position.mover().unwrap_or(RealmId::NOBODY);
    Term {
        key: "step".into(),
        args: vec![
            ("round".into(), position.clock.round.into()),
            ("player".into(), player_word(position, mover).into()),
        ],
    }
}
