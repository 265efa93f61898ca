//! A planner: what a realm has and needs, what it could put where, the best that can be done, and what the next turns bring.
//!
//! Everything is reckoned by the rules of the game from a view and a draft of orders, so nothing can be learnt here that the view does
//! not say. What is wrong and what mends it is said in words, as a report is.

use crate::diagnostic::Name;
use crate::form::Choice;
use crate::map::Spot;
use serde::Serialize;
use std::collections::BTreeMap;

/// Places that are planned at once.
pub const PLOTS_MAX: usize = 4_000;

/// What should stand where: the values of the slots of each place, by the place in the game's own notation.
pub type Assignment = BTreeMap<String, Vec<String>>;

/// What a planner shows.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Planner {
    /// Supply against need, resource by resource.
    pub needs: Vec<Need>,
    /// Who needs it.
    pub consumers: Vec<Consumer>,
    /// Keys of the labels of the slots.
    pub slots: Vec<Name>,
    /// Where something can be put.
    pub plots: Vec<Plot>,
    /// The best that can be done with the slots.
    pub proposal: Proposal,
    /// What is foreseen, in the order of time.
    pub forecasts: Vec<Forecast>,
    /// The rules behind all of it.
    pub rules: Vec<Name>,
}

/// A resource.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Need {
    /// Key of its name.
    pub label: Name,
    /// How much there is.
    pub supply: i64,
    /// How much is needed; none for what nobody must have.
    pub need: Option<i64>,
    /// How much there would be with the proposal.
    pub proposed: i64,
    /// How much is missing in the end, after everything that can stand in for it.
    pub short: i64,
}

/// Somebody who needs resources.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Consumer {
    /// Where, in the game's own notation.
    pub place: String,
    /// Key of its kind.
    pub label: Name,
    /// How many heads it has.
    pub heads: i64,
    /// Its share of all heads, in percent.
    pub share: i64,
}

/// A place with slots.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Plot {
    /// Where, in the game's own notation.
    pub place: String,
    /// The same in the drawing.
    pub at: Spot,
    /// Key of what it is.
    pub label: Name,
    /// What can stand in its slots.
    pub choices: Vec<Choice>,
    /// The slots.
    pub slots: Vec<Slot>,
}

/// A slot.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Slot {
    /// What stands there with the draft.
    pub value: String,
    /// How much that yields.
    pub yields: i64,
    /// What the proposal puts there.
    pub proposed: String,
}

/// The best that can be done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Proposal {
    /// Places that would change.
    pub changes: usize,
    /// What is missing now.
    pub short_now: i64,
    /// What would be missing with it.
    pub short_then: i64,
    /// Whether it is proven that nothing better can be done.
    pub proven: bool,
}

/// What a coming turn brings.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Forecast {
    /// Key of its title.
    pub title: Name,
    /// When, in the game's own words.
    pub when: String,
    /// Number of the step.
    pub step: u32,
    /// Its lines, the sums last.
    pub lines: Vec<ForecastLine>,
}

/// A line of a forecast.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ForecastLine {
    /// Key of what it is.
    pub label: Name,
    /// How much; less than nothing is paid.
    pub value: i64,
    /// Whether it is a sum of those before it.
    pub sum: bool,
}
