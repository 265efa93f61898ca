//! A round as visible lists (ARM-GAP-01), and a step of it: what one player sends.
//!
//! A step takes in everybody's standing instructions, then plays the script of the player whose turn it is. The turn ends with `ENDE`; a
//! script without it leaves the turn open, and the same player goes on in the next step. A player who sends nothing passes.

use crate::battle::Battle;
use crate::deed::Refusal;
use crate::event::TurnHappening;
use crate::kinds::Stage;
use crate::order::{Order, StandingOrder};
use crate::state::Figure;
use crate::{
    control, creatures, devices, flight, magic, missiles, overcrowding, resolve, rule, scribe, ships, siege, standing,
    survival, trade, victory, water,
};
use kernel::diagnostic::{Diagnostic, Parsed, Span, Spanned};
use kernel::realm::RealmId;
use kernel::turn::Cause;
use std::collections::BTreeMap;

/// What happens at the start or end of a round: its name in causes, and what does it.
pub struct RoundStep {
    /// Name.
    pub name: &'static str,
    /// The chapter's function.
    pub run: fn(&mut Battle<'_>),
}

/// What happens at the start or end of a player's turn.
pub struct TurnStep {
    /// Name.
    pub name: &'static str,
    /// The chapter's function.
    pub run: fn(&mut Battle<'_>, RealmId),
}

/// R0: rolls for the whole round.
pub const ROUND_BEGINS: &[RoundStep] = &[
    RoundStep {
        name: "refresh",
        run: refresh,
    },
    RoundStep {
        name: "muster",
        run: flight::muster,
    },
    RoundStep {
        name: "strongholds",
        run: siege::survey,
    },
    RoundStep {
        name: "wind",
        run: ships::wind,
    },
    RoundStep {
        name: "roam",
        run: creatures::roam,
    },
];

/// T1, before the first line of a script.
pub const TURN_BEGINS: &[TurnStep] = &[
    TurnStep {
        name: "expire-spells",
        run: magic::expire,
    },
    TurnStep {
        name: "charm",
        run: creatures::charm,
    },
    TurnStep {
        name: "swim",
        run: water::swim,
    },
    TurnStep {
        name: "engage",
        run: missiles::engage,
    },
];

/// T4, behind the last line.
pub const TURN_ENDS: &[TurnStep] = &[
    TurnStep {
        name: "terrain-danger",
        run: survival::terrain_danger,
    },
    TurnStep {
        name: "triples-lapse",
        run: magic::triples::lapse,
    },
    TurnStep {
        name: "sieges",
        run: siege::determine,
    },
];

/// R1: what a round leaves behind.
pub const ROUND_ENDS: &[RoundStep] = &[
    RoundStep {
        name: "starve",
        run: siege::starve,
    },
    RoundStep {
        name: "hold-centres",
        run: trade::hold,
    },
    RoundStep {
        name: "flight",
        run: flight::test,
    },
    RoundStep {
        name: "decide",
        run: victory::decide,
    },
];

/// Runs one step.
pub fn run(battle: &mut Battle<'_>, orders: &BTreeMap<RealmId, Parsed<Order>>) {
    battle.position.clock.step = battle.position.clock.step.saturating_add(1);
    for (player, parsed) in orders {
        instructions(battle, *player, parsed);
    }
    let Some(mover) = battle.position.mover().filter(|_| battle.position.outcome.is_none()) else {
        return;
    };
    open(battle);
    begin(battle, mover);
    let ended = match orders.get(&mover) {
        Some(parsed) => script(battle, mover, &parsed.orders),
        None => {
            miss(battle, mover);
            true
        }
    };
    if ended {
        battle.cause = Cause::Step("end-turn");
        end(battle, mover, !orders.contains_key(&mover));
    }
}

/// One turn of the player whose turn it is, played by deeds instead of a script: for computer players in battles that are only counted.
pub fn play_turn(battle: &mut Battle<'_>, player: &mut dyn FnMut(&mut Battle<'_>, RealmId)) {
    if let Some(mover) = begin_turn(battle) {
        player(battle, mover);
        end(battle, mover, false);
    }
}

/// Begins a step of the player whose turn it is, before his first line; tells who he is, unless the battle is over.
pub fn begin_turn(battle: &mut Battle<'_>) -> Option<RealmId> {
    battle.position.clock.step = battle.position.clock.step.saturating_add(1);
    let mover = battle.position.mover().filter(|_| battle.position.outcome.is_none())?;
    open(battle);
    begin(battle, mover);
    Some(mover)
}

/// Standing instructions count at any time; everything else is refused to those whose turn it is not (ARM-0.2.8).
fn instructions(battle: &mut Battle<'_>, player: RealmId, parsed: &Parsed<Order>) {
    let is_mover = battle.position.mover() == Some(player) && battle.position.outcome.is_none();
    for order in &parsed.orders {
        battle.take_up(player, order);
        match &order.value {
            Order::Standing(instruction) => standing::apply(battle, player, instruction, order.span),
            Order::Begin { .. } | Order::End => {}
            _ if is_mover => {}
            _ => battle.refuse(player, Refusal::new("not-your-turn", &[rule::R0_2_8][..]), order.span),
        }
    }
}

/// Before the first turn of all: errors of deployment are put right (ARM-0.4.51).
fn open(battle: &mut Battle<'_>) {
    if battle.position.clock.step == 1 {
        battle.cause = Cause::Step("deploy");
        overcrowding::deploy(battle);
        control::settle(battle);
    }
}

/// The beginning of a turn, and of a round with the first of them.
fn begin(battle: &mut Battle<'_>, mover: RealmId) {
    if battle.position.clock.begun {
        return;
    }
    battle.position.clock.begun = true;
    battle.position.clock.stage = Stage::Before;
    battle.position.clock.lines = 0;
    let head = scribe::head(battle.scene(mover), mover);
    battle.cause = Cause::Step("begin-turn");
    battle.log(head);
    if battle.position.clock.begins_round() {
        battle.position.clock.opened = battle.position.clock.round;
        battle.cause = Cause::Step("begin-round");
        battle.emit(&[rule::GAP_01][..], &[], TurnHappening::RoundBegan);
        for step in ROUND_BEGINS {
            battle.cause = Cause::Step(step.name);
            (step.run)(battle);
            magic::triples::settle(battle);
        }
    }
    battle.cause = Cause::Step("begin-turn");
    battle.emit(&[rule::GAP_01][..], &[], TurnHappening::TurnBegan);
    for step in TURN_BEGINS {
        battle.cause = Cause::Step(step.name);
        (step.run)(battle, mover);
        magic::triples::settle(battle);
    }
    battle.cause = Cause::Step("settle");
    devices::loosen(battle);
    control::settle(battle);
}

/// Plays a script; tells whether the turn is over.
fn script(battle: &mut Battle<'_>, mover: RealmId, orders: &[Spanned<Order>]) -> bool {
    if let Some(player) = battle.position.players.get_mut(&mover) {
        player.missed = 0;
    }
    let mut reading = Reading::default();
    for order in orders {
        reading.line(battle, mover, order);
    }
    let Reading { heading, ended } = reading;
    let partial = battle.tables.sequence.partial_turns;
    if !ended && heading == Heading::Right && partial {
        let span = orders.last().map_or_else(Span::default, |order| order.span);
        battle.note(mover, Diagnostic::hint("turn-open", span, &[rule::GAP_01]));
    }
    ended || (!partial && heading == Heading::Right)
}

/// How far a script has been read.
#[derive(Default)]
struct Reading {
    heading: Heading,
    ended: bool,
}

impl Reading {
    /// Carries the next line out.
    fn line(&mut self, battle: &mut Battle<'_>, mover: RealmId, order: &Spanned<Order>) {
        if matches!(order.value, Order::Standing(_)) {
            return;
        }
        battle.take_up(mover, order);
        if self.ended {
            battle.refuse(mover, Refusal::new("after-end", &[rule::GAP_01][..]), order.span);
            return;
        }
        match (&order.value, self.heading) {
            (Order::Begin { round, player }, _) => self.heading = header(battle, mover, round, player),
            (_, Heading::Wrong) => {}
            (_, Heading::Missing) => {
                battle.refuse(mover, Refusal::new("no-header", &[rule::GAP_01][..]), order.span);
                self.heading = Heading::Wrong;
            }
            (Order::End, Heading::Right) => self.ended = true,
            (line, Heading::Right) => resolve::carry_out(battle, mover, line, order.span),
        }
    }
}

/// How far a script comes before a die falls.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Rehearsal {
    /// Whether the script has its head.
    pub headed: bool,
    /// Whether it ends the turn.
    pub ended: bool,
    /// Whether dice fall before its first line: when the round or the turn begins.
    pub rolls_first: bool,
    /// Whether dice fall with one of its lines, or with the end of the turn.
    pub rolls: bool,
}

/// Plays a player's script as far as no die falls: the battle is left as it is before that. The turn is not ended.
pub fn rehearse(battle: &mut Battle<'_>, player: RealmId, parsed: &Parsed<Order>) -> Rehearsal {
    battle.position.clock.step = battle.position.clock.step.saturating_add(1);
    instructions(battle, player, parsed);
    let mut rehearsal = Rehearsal::default();
    if battle.position.mover() != Some(player) || battle.position.outcome.is_some() {
        return rehearsal;
    }
    let has_line = |order: &&Spanned<Order>| !matches!(order.value, Order::Standing(_));
    let before = battle.position.clone();
    open(battle);
    begin(battle, player);
    if battle.rolled() > 0 {
        battle.position = before;
        let mut reading = Reading::default();
        if let Some(first) = parsed.orders.iter().find(has_line) {
            reading.line(battle, player, first);
            rehearsal.rolls = true;
        }
        rehearsal.rolls_first = true;
        rehearsal.headed = reading.heading == Heading::Right;
        return rehearsal;
    }
    let mut reading = Reading::default();
    for order in parsed.orders.iter().filter(has_line) {
        let before = battle.position.clone();
        reading.line(battle, player, order);
        if battle.rolled() > 0 {
            battle.position = before;
            rehearsal.rolls = true;
            break;
        }
    }
    rehearsal.headed = reading.heading == Heading::Right;
    rehearsal.ended = reading.ended;
    if reading.ended && !rehearsal.rolls {
        let before = battle.position.clone();
        end(battle, player, false);
        rehearsal.rolls = battle.rolled() > 0;
        battle.position = before;
    }
    rehearsal
}

#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Heading {
    #[default]
    Missing,
    Right,
    Wrong,
}

/// `RUNDE 2 SPIELER Rot` must fit, so that a script of yesterday is not played today.
fn header(battle: &mut Battle<'_>, mover: RealmId, round: &Spanned<u32>, player: &Spanned<String>) -> Heading {
    let now = battle.position.clock.round;
    if round.value != now {
        let refusal = Refusal::new("wrong-round", &[rule::GAP_01][..])
            .with("round", round.value)
            .with("now", now);
        battle.refuse(mover, refusal, round.span);
        return Heading::Wrong;
    }
    let renamed = battle.called.get(&mover) == Some(&player.value);
    if !renamed && standing::player_named(&battle.position, &player.value) != Some(mover) {
        let refusal = Refusal::new("wrong-player", &[rule::R0_2_8][..]).with("player", player.value.as_str());
        battle.refuse(mover, refusal, player.span);
        return Heading::Wrong;
    }
    Heading::Right
}

fn miss(battle: &mut Battle<'_>, mover: RealmId) {
    if let Some(player) = battle.position.players.get_mut(&mover) {
        player.missed = player.missed.saturating_add(1);
    }
}

/// The end of a turn, and of a round with the last of them; the turn passes to the next player who has anything left.
fn end(battle: &mut Battle<'_>, mover: RealmId, silent: bool) {
    battle.cause = Cause::Step("end-turn");
    battle.log(Order::End.to_string());
    for step in TURN_ENDS {
        battle.cause = Cause::Step(step.name);
        (step.run)(battle, mover);
        magic::triples::settle(battle);
    }
    battle.cause = Cause::Step("settle");
    devices::loosen(battle);
    control::settle(battle);
    battle.cause = Cause::Step("end-turn");
    battle.emit(&[rule::GAP_01][..], &[], TurnHappening::TurnEnded { silent });
    battle.position.clock.begun = false;
    battle.position.clock.stage = Stage::Before;
    // Each player is asked at most once more: a battle in which nobody has anything left is over by then.
    for _ in 0..=battle.position.order.len() {
        battle.position.clock.turn += 1;
        if usize::from(battle.position.clock.turn) >= battle.position.order.len() {
            battle.position.clock.turn = 0;
            for step in ROUND_ENDS {
                battle.cause = Cause::Step(step.name);
                (step.run)(battle);
                magic::triples::settle(battle);
            }
            if battle.position.outcome.is_some() {
                return;
            }
            battle.position.clock.round = battle.position.clock.round.saturating_add(1);
            // Not when the round begins: an instruction of its first step is one of this round.
            battle.cause = Cause::Step("change-sides");
            change_sides(battle);
        }
        let next = battle.position.mover();
        if battle.position.present().any(|(_, figure)| Some(figure.owner) == next) {
            return;
        }
    }
}

/// ARM-GAP-43: who changed sides before this round.
fn change_sides(battle: &mut Battle<'_>) {
    let mut changed = Vec::new();
    for (id, player) in &mut battle.position.players {
        if let Some(side) = player.side_next.take() {
            player.side = side;
            changed.push((*id, StandingOrder::JoinSide(side).to_string()));
        }
    }
    for (player, line) in changed {
        battle.emit(&[rule::GAP_43][..], &[], TurnHappening::Announced { player, line });
    }
}

/// ARM-0.3.9, ARM-0.4.38: a new round brings everybody new steps and a new act, whoever moved him or served it in the last one.
///
/// A battle that has just been set up leaves those whose turn it is not as they were put down.
fn refresh(battle: &mut Battle<'_>) {
    let fresh = battle.position.clock.step <= 1;
    let mover = battle.position.mover();
    let renewed = |figure: &&mut Figure| !fresh || Some(figure.possessor) == mover;
    for figure in battle.position.figures.iter_mut().filter(renewed) {
        figure.steps = 0;
        figure.straight = 0;
        figure.turned = false;
        figure.tramples = 0;
        figure.acted = false;
    }
    // ARM-GAP-01: a wizard casts once a round.
    for (id, player) in &mut battle.position.players {
        if !fresh || Some(*id) == mover {
            player.spells_cast = 0;
        }
    }
}
