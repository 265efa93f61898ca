//! The month as one visible list of steps (PYG-GAP-07).

use crate::event::{AFTER, BEFORE};
use crate::month::{Month, MonthTurn};
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

/// Phases 1 to 3: checks, the arming month, purchases and splits.
pub const BEFORE_MOVEMENT: &[Step] = &[
    always("judge", judgement::decree),
    always("read-orders", intake::read_orders),
    always("judge-others", judgement::judge_others),
    always("receive-gifts", letters::receive_gifts),
    arming("reserve", treasury::reserve),
    arming("pay", treasury::pay),
    arming("release", stationing::release),
    // Worlds may allow these in every month (PYG-GAP-08); where they are not possible no order is left for them.
    always("settle", settlements::build),
    always("grow", growth::grow),
    always("fortify", settlements::fortify),
    always("build-works", works::build),
    always("promote", promotion::promote),
    always("name-trade-cities", trade_cities::name),
    arming("drop-trade-cities", trade_cities::drop_excess),
    arming("plague-first", hygiene::before_arming),
    always("arm", arming::raise),
    arming("station", stationing::station),
    always("raise-traders", traders::raise),
    arming("hygiene", hygiene::after_arming),
    arming("administer", treasury::administer),
    arming("plague", hygiene::rage),
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
    income("supply", supply::settle),
    income("unrest", unrest::stir),
    income("trade", trade_cities::settle),
    always("letters", letters::deliver),
    always("absence", absence::judge),
    always("standing", standing::judge),
    always("fixed-dice", judgement::tell_dice),
    always("survey", sight::survey),
];

/// Runs a whole month.
pub fn run(turn: &mut MonthTurn<'_>) {
    let number = turn.state.step.saturating_add(1);
    let mut month = Month::new(&turn.state, number);
    turn.state.step = number;
    month.tick = BEFORE;
    all(BEFORE_MOVEMENT, turn, &mut month);
    let ticks = turn.tables.movement.ticks;
    for tick in 1..=ticks.saturating_mul(2) {
        // Landing armies start behind their fleet's last tick, so a few more may be needed (PYG-GAP-31).
        if tick > ticks && !movement::is_unfinished(turn, &month) {
            break;
        }
        month.tick = tick;
        all(EVERY_TICK, turn, &mut month);
    }
    month.tick = AFTER;
    all(AFTER_MOVEMENT, turn, &mut month);
}

fn all(steps: &[Step], turn: &mut MonthTurn<'_>, month: &mut Month) {
    let tables = turn.tables;
    for step in steps {
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
