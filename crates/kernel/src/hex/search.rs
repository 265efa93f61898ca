//! Shortest paths, reach and connected areas, each with a fixed order and a limit.
//!
//! The searches know neither terrain nor weather: the caller's closure says what a step costs or
//! forbids it. They run over any [`Board`]: the endless [`OpenPlane`], a [`Grid`](super::Grid), or a
//! game's own board.
//!
//! **Order.** Fields are settled by (cost, field). A field keeps the first cheapest way found to
//! it, and the ways out of a field are tried clockwise from direction 1. So of several cheapest
//! paths the one whose last step comes from the field settled first is chosen, and so on back to
//! the start.
//!
//! **Limits.** A search settles at most `limit` fields and says so when it had to stop.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, VecDeque};

use super::{Direction, Hex};

/// Something with fields that have up to six neighbours.
pub trait Board {
    /// The name of a field; its order breaks ties.
    type Field: Copy + Ord;

    /// The field next to `field`; `None` where the board ends.
    fn neighbour(&self, field: Self::Field, direction: Direction) -> Option<Self::Field>;
}

/// The endless plane of [`Hex`]es as a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpenPlane;

impl Board for OpenPlane {
    type Field = Hex;

    fn neighbour(&self, field: Hex, direction: Direction) -> Option<Hex> {
        field.checked_neighbour(direction)
    }
}

/// A way from a start to a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path<F> {
    /// The sum of the costs of its steps.
    pub cost: u32,
    /// The fields from start to goal, both included.
    pub fields: Vec<F>,
    /// The steps; one fewer than the fields.
    pub directions: Vec<Direction>,
}

/// Why there is no path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoPath {
    /// No sequence of allowed steps leads there.
    Unreachable,
    /// The limit was used up before the goal was settled.
    LimitReached,
}

/// How a field was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached<F> {
    /// The least cost to get there.
    pub cost: u32,
    /// The field and direction of the last step; `None` for the start.
    pub from: Option<(F, Direction)>,
}

/// All fields within a cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reach<F> {
    /// The fields, start included, with cost and last step.
    pub fields: BTreeMap<F, Reached<F>>,
    /// Whether the search ended by itself; `false` if the limit stopped it.
    pub complete: bool,
}

impl<F: Copy + Ord> Reach<F> {
    /// The least cost of a field; `None` if it is out of reach.
    #[must_use]
    pub fn cost(&self, field: F) -> Option<u32> {
        self.fields.get(&field).map(|reached| reached.cost)
    }

    /// The cheapest way to a field; `None` if it is out of reach.
    #[must_use]
    pub fn path_to(&self, goal: F) -> Option<Path<F>> {
        let cost = self.cost(goal)?;
        let mut fields = vec![goal];
        let mut directions = Vec::new();
        let mut here = goal;
        while let Some((before, direction)) = self.fields.get(&here)?.from {
            fields.push(before);
            directions.push(direction);
            here = before;
        }
        fields.reverse();
        directions.reverse();
        Some(Path {
            cost,
            fields,
            directions,
        })
    }
}

/// The cheapest path from `start` to `goal`.
///
/// `cost(from, direction, to)` is the price of a step, `None` forbids it. A path dearer than
/// `u32::MAX` does not exist. At most `limit` fields are settled, the start counting as one.
///
/// # Errors
/// [`NoPath`] says whether there is no way or whether the limit ended the search.
pub fn path<B: Board>(
    board: &B,
    start: B::Field,
    goal: B::Field,
    limit: usize,
    cost: impl FnMut(B::Field, Direction, B::Field) -> Option<u32>,
) -> Result<Path<B::Field>, NoPath> {
    let found = search(board, start, Some(goal), u32::MAX, limit, cost);
    match found.path_to(goal) {
        Some(path) => Ok(path),
        None if found.complete => Err(NoPath::Unreachable),
        None => Err(NoPath::LimitReached),
    }
}

/// All fields that can be reached from `start` for at most `budget`.
///
/// `cost(from, direction, to)` is the price of a step, `None` forbids it. At most `limit` fields
/// are settled, the start counting as one.
pub fn reach<B: Board>(
    board: &B,
    start: B::Field,
    budget: u32,
    limit: usize,
    cost: impl FnMut(B::Field, Direction, B::Field) -> Option<u32>,
) -> Reach<B::Field> {
    search(board, start, None, budget, limit, cost)
}

/// Dijkstra's search; stops when the goal is settled, the budget is spent or the limit reached.
fn search<B: Board>(
    board: &B,
    start: B::Field,
    goal: Option<B::Field>,
    budget: u32,
    limit: usize,
    mut cost: impl FnMut(B::Field, Direction, B::Field) -> Option<u32>,
) -> Reach<B::Field> {
    let mut settled = BTreeMap::new();
    let mut best = BTreeMap::from([(start, Reached { cost: 0, from: None })]);
    let mut open = BinaryHeap::from([Reverse((0u32, start))]);
    while let Some(Reverse((spent, field))) = open.pop() {
        // A field found again for less leaves its dearer entry behind, which comes up when the field has long been settled.
        let Some(&reached) = best.get(&field) else { continue };
        if settled.contains_key(&field) {
            continue;
        }
        if settled.len() >= limit {
            return Reach {
                fields: settled,
                complete: false,
            };
        }
        settled.insert(field, reached);
        if goal == Some(field) {
            break;
        }
        for direction in Direction::ALL {
            let Some(next) = board.neighbour(field, direction) else {
                continue;
            };
            if settled.contains_key(&next) {
                continue;
            }
            let Some(price) = cost(field, direction, next) else {
                continue;
            };
            let Some(total) = spent.checked_add(price) else {
                continue;
            };
            if total > budget || best.get(&next).is_some_and(|known| known.cost <= total) {
                continue;
            }
            let from = Some((field, direction));
            best.insert(next, Reached { cost: total, from });
            open.push(Reverse((total, next)));
        }
    }
    Reach {
        fields: settled,
        complete: true,
    }
}

/// A connected area.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flood<F> {
    /// The fields, fewest steps from the start first; see [`flood`] for the order.
    pub fields: Vec<F>,
    /// Whether the area ended by itself; `false` if the limit stopped it.
    pub complete: bool,
}

/// The area connected to `start` by allowed steps, breadth first.
///
/// The start comes first; then each field in turn adds its new neighbours clockwise from
/// direction 1. At most `limit` fields are listed.
pub fn flood<B: Board>(
    board: &B,
    start: B::Field,
    limit: usize,
    mut allowed: impl FnMut(B::Field, Direction, B::Field) -> bool,
) -> Flood<B::Field> {
    let mut seen = BTreeSet::from([start]);
    let mut waiting = VecDeque::from([start]);
    let mut fields = Vec::new();
    while let Some(field) = waiting.pop_front() {
        if fields.len() >= limit {
            return Flood {
                fields,
                complete: false,
            };
        }
        fields.push(field);
        for direction in Direction::ALL {
            if let Some(next) = board.neighbour(field, direction)
                && !seen.contains(&next)
                && allowed(field, direction, next)
            {
                seen.insert(next);
                waiting.push_back(next);
            }
        }
    }
    Flood { fields, complete: true }
}
