//! The month as one visible list of steps (PYG-GAP-07).

use crate::event::{AFTER, BEFORE};
use crate::month::{Month, MonthTurn};
use crate::tables::policy::Expense;
use crate::{
    absence, annexation, arming, attrition, battle, contacts, creatures, disasters, equipment, growth, hygiene, income,
    intake, judgement, lanes, letters, mines, movement, production, promotion, roads, settlements, shipping, sight,
    splitting, standing, stationing, supply, trade_cities, traders, treasury, unrest, withdrawal, works,
};

/// In which months a step is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// In every month.
    Always,
    /// In months 4 and 8 (PYG-TIME-03).
    Arming,
    /// In months 3 and 7 (PYG-TIME-02).
    Income,
}

/// A step of the month: its name in causes, when it is made, and what it does.
pub struct Step {
    /// Name, as [`kernel::turn::Cause::Step`] gives it.
    pub name: &'static str,
    /// When.
    pub when: When,
    /// The chapter's function.
    pub run: fn(&mut MonthTurn<'_>, &mut Month),
}

const fn always(name: &'static str, run: fn(&mut MonthTurn<'_>, &mut Month)) -> Step {
    Step {
        name,
        when: When::Always,
        run,
    }
}

const fn arming(name: &'static str, run: fn(&mut MonthTurn<'_>, &mut Month)) -> Step {
    Step {
        name,
        when: When::Arming,
        run,
    }
}

const fn income(name: &'static str, run: fn(&mut MonthTurn<'_>, &mut Month)) -> Step {
    Step {
        name,
        when: When::Income,
        run,
    }
}

/// Phase 1: what came in, and what has to be set aside before anything is bought.
pub const INTAKE: &[Step] = &[
    always("judge", judgement::decree),
    always("read-orders", intake::read_orders),
    always("judge-others", judgement::judge_others),
    always("receive-gifts", letters::receive_gifts),
    arming("declare-stationary", stationing::declare),
    arming("release", stationing::release),
    arming("reserve", treasury::reserve),
];

/// Phase 2, part by part in the order of [`treasury::expenses`]: pay, building, arming, hygiene, administration, unless the world has
/// another one (PYG-GAP-09). What a world allows in every month (PYG-GAP-08) finds no orders where it does not.
pub const fn phase(expense: Expense) -> &'static [Step] {
    match expense {
        Expense::Pay => PAY,
        Expense::Building => BUILDING,
        Expense::Arming => ARMING,
        Expense::Hygiene => HYGIENE,
        Expense::Administration => ADMINISTRATION,
    }
}

const PAY: &[Step] = &[arming("pay", treasury::pay)];

const BUILDING: &[Step] = &[
    always("settle", settlements::build),
    always("grow", growth::grow),
    always("fortify", settlements::fortify),
    always("build-works", works::build),
    always("promote", promotion::promote),
    always("name-trade-cities", trade_cities::name),
    arming("drop-trade-cities", trade_cities::drop_excess),
];

const ARMING: &[Step] = &[
    always("arm", arming::raise),
    arming("station", stationing::station),
    always("raise-traders", traders::raise),
];

const HYGIENE: &[Step] = &[
    arming("hygiene", hygiene::spend),
    arming("plague-first", hygiene::before_arming),
];

const ADMINISTRATION: &[Step] = &[arming("administer", treasury::administer)];

/// The rest of phase 2, and phase 3: plague, purchases and splits.
pub const BEFORE_MOVEMENT: &[Step] = &[
    arming("plague", hygiene::after_arming),
    always("build-roads", roads::build),
    always("register-lanes", lanes::register),
    always("equip", equipment::buy),
    always("send-gifts", letters::send_gifts),
    always("split", splitting::split),
    always("merge-before", splitting::merge_before),
    always("convert", splitting::convert),
    always("disband", splitting::disband),
    always("choose-places", production::choose),
    always("load", traders::load),
    always("plan-moves", movement::plan),
    always("set-orders", judgement::set_orders),
];

/// Phase 4, once per tick (PYG-GAP-31).
pub const EVERY_TICK: &[Step] = &[
    always("withdraw-before", withdrawal::hold_back),
    always("march", movement::march),
    always("ship", shipping::ship),
    always("attrition", attrition::suffer),
    always("withdraw", withdrawal::give_way),
    always("meet", contacts::meet),
    always("fight", battle::fight),
    always("recognise", sight::recognise),
    always("annex", annexation::annex),
    always("look", sight::look),
];

/// Phases 5 to 8: deliveries and merges, the wild, the income month, sight and reports.
pub const AFTER_MOVEMENT: &[Step] = &[
    always("moves", movement::tell),
    always("unload", traders::unload),
    always("merge", splitting::merge),
    always("abandon", annexation::abandon),
    always("size", splitting::check_sizes),
    always("creatures", creatures::act),
    always("disasters", disasters::strike),
    income("income", income::collect),
    income("mines", mines::pay),
    income("trade", trade_cities::settle),
    income("supply", supply::settle),
    income("unrest", unrest::stir),
    always("letters", letters::deliver),
    always("absence", absence::judge),
    always("standing", standing::judge),
    always("fixed-dice", judgement::tell_dice),
    always("survey", sight::survey),
];

/// What no order hangs on: what everybody sees, the wild, what the month brings at its end, and what becomes of realms.
const NO_ORDER_HANGS_ON: [&str; 14] = [
    "recognise",
    "look",
    "moves",
    "creatures",
    "disasters",
    "income",
    "mines",
    "trade",
    "supply",
    "unrest",
    "absence",
    "standing",
    "fixed-dice",
    "survey",
];

/// Runs a whole month.
pub fn run(turn: &mut MonthTurn<'_>) {
    run_those(turn, &|_| true);
}

/// Runs a month as far as it tells what becomes of orders.
pub fn rehearse(turn: &mut MonthTurn<'_>) {
    run_those(turn, &|step| !NO_ORDER_HANGS_ON.contains(&step.name));
}

/// Whether a step is made.
type Wanted<'a> = &'a dyn Fn(&Step) -> bool;

fn run_those(turn: &mut MonthTurn<'_>, wanted: Wanted<'_>) {
    let number = turn.state.step.saturating_add(1);
    let mut month = Month::new(&turn.state, number);
    turn.state.step = number;
    month.tick = BEFORE;
    all(INTAKE, wanted, turn, &mut month);
    for expense in treasury::expenses(turn.tables) {
        all(phase(expense), wanted, turn, &mut month);
    }
    all(BEFORE_MOVEMENT, wanted, turn, &mut month);
    let ticks = turn.tables.movement.ticks;
    for tick in 1..=ticks.saturating_mul(2) {
        // Landing armies start behind their fleet's last tick, so a few more may be needed (PYG-GAP-31). When everybody has arrived and
        // a tick has changed nothing any more, the others would not either; in the first those meet who stood together before.
        let is_settled = tick > ticks || (tick > 2 && month.is_quiet());
        if is_settled && !movement::is_unfinished(turn, &month) {
            break;
        }
        month.begin_tick(tick);
        all(EVERY_TICK, wanted, turn, &mut month);
    }
    month.tick = AFTER;
    all(AFTER_MOVEMENT, wanted, turn, &mut month);
}

fn all(steps: &[Step], wanted: Wanted<'_>, turn: &mut MonthTurn<'_>, month: &mut Month) {
    let tables = turn.tables;
    for step in steps.iter().filter(|step| wanted(step)) {
        let now = match step.when {
            When::Always => true,
            When::Arming => tables.is_arming(month.step),
            When::Income => tables.is_income(month.step),
        };
        if now {
            (step.run)(turn, month);
        }
    }
}
