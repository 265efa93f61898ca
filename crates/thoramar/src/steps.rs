//! The turn as one visible list of steps (GAP-12).

use crate::event::{BEFORE, END};
use crate::order::WEEKS;
use crate::season::{Season, SeasonTurn};
use crate::{
    absence, arming, combat, conquest, construction, demons, destruction, diplomacy, economy, gates, groups, intake,
    messages, missiles, monsters, movement, plunder, priests, sea, settings, sight, specials, strength, trade, unrest,
    wizards,
};

/// A step of the turn: its name in causes, and what it does.
pub struct Step {
    /// Name, as [`kernel::turn::Cause::Step`] gives it.
    pub name: &'static str,
    /// The chapter's function.
    pub run: fn(&mut SeasonTurn<'_>, &mut Season),
}

const fn step(name: &'static str, run: fn(&mut SeasonTurn<'_>, &mut Season)) -> Step {
    Step { name, run }
}

/// Phases A and B: intake, settings, building, arming, specials.
pub const BEFORE_WEEK_1: &[Step] = &[
    step("read-orders", intake::read_orders),
    step("plan-realm-0", monsters::plan),
    step("settings", settings::apply),
    step("agree-at-once", diplomacy::agree_at_once),
    step("order-works", construction::order_works),
    step("arm", arming::arm),
    step("leave-groups", groups::leave),
    step("split", specials::split),
    step("merge", specials::merge),
    step("join-groups", groups::join),
    step("pass-gates", gates::pass),
    step("bless", priests::bless),
    step("free-demons", demons::free),
    step("summon", demons::summon),
    step("tame", wizards::tame),
    step("accelerate", wizards::accelerate),
    step("settle-pending", intake::settle_pending),
];

/// Phase C, thirteen times.
pub const EVERY_WEEK: &[Step] = &[
    step("march", movement::march),
    step("land", sea::land),
    step("embark", sea::embark),
    step("shoot", missiles::shoot),
    step("fight", combat::fight),
    step("plunder", plunder::plunder),
    step("trade", trade::trade),
    step("look", sight::look),
];

/// Phase D: what changes the map for the next turn.
pub const END_OF_TURN: &[Step] = &[
    step("conquer", conquest::conquer),
    step("destroy", destruction::destroy),
    step("settle-magic", demons::settle),
    step("settle-year", economy::settle),
    step("pay", diplomacy::pay),
    step("cede", diplomacy::cede),
    step("agree", diplomacy::agree),
    step("stir", unrest::stir),
    step("advance-works", construction::advance_works),
    step("breed", monsters::breed),
    step("dissolve-weak", strength::dissolve_weak),
    step("dissolve-groups", groups::dissolve),
    step("refill-points", movement::refill_points),
    step("count-blessings", priests::count_blessings),
    step("charge-accounts", economy::charge_accounts),
    step("messages", messages::deliver),
    step("judge-absence", absence::judge),
    step("survey", sight::survey),
];

/// What no order hangs on: what everybody sees, wild beasts, and what becomes of realms that are absent or have fallen. In an imagined
/// world all other realms are.
const NO_ORDER_HANGS_ON: [&str; 5] = ["look", "breed", "charge-accounts", "judge-absence", "survey"];

/// Runs a whole turn.
pub fn run(turn: &mut SeasonTurn<'_>) {
    run_those(turn, |_| true);
}

/// Runs a turn as far as it tells what becomes of orders.
pub fn rehearse(turn: &mut SeasonTurn<'_>) {
    run_those(turn, |step| !NO_ORDER_HANGS_ON.contains(&step.name));
}

fn run_those(turn: &mut SeasonTurn<'_>, wanted: impl Fn(&Step) -> bool) {
    let number = turn.state.turn.saturating_add(1);
    let mut season = Season::new(&turn.state, number);
    turn.state.turn = number;
    season.week = BEFORE;
    for step in BEFORE_WEEK_1.iter().filter(|step| wanted(step)) {
        (step.run)(turn, &mut season);
    }
    for week in 1..=WEEKS as u8 {
        season.begin_week(week);
        for step in EVERY_WEEK.iter().filter(|step| wanted(step)) {
            (step.run)(turn, &mut season);
        }
    }
    season.week = END;
    for step in END_OF_TURN.iter().filter(|step| wanted(step)) {
        (step.run)(turn, &mut season);
    }
}
