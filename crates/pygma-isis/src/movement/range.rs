//! How far a move may lead: range, inside and outside, heights, mountains (PYG-MOVE-01..06, PYG-MOVE-09, PYG-GAP-28, PYG-GAP-29).
//!
//! Plain arithmetic on steps; what is asked of the world stands in [`super::judge`].

use crate::codes::Kind;
use crate::rule;
use crate::tables::Tables;
use kernel::rule::RuleId;

/// One step of a land army's move, as far as range is concerned.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Leg {
    /// The field entered belonged to the realm when the month began; none for a step onto a fleet, which counts as the others do.
    pub inside: Option<bool>,
    /// The step follows a road.
    pub road: bool,
    /// Height levels up or down.
    pub height: i64,
    /// The field entered is mountains.
    pub mountains: bool,
}

/// Why a move is too far, and at which of its steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Excess {
    /// Too many steps.
    Range {
        /// How many.
        steps: i64,
        /// How many are possible.
        max: i64,
    },
    /// Inside and outside in one move.
    Mix,
    /// Too many height levels.
    Height {
        /// How many.
        levels: i64,
        /// How many are possible.
        max: i64,
        /// The step with which they become too many, from 0.
        at: usize,
    },
    /// Riders in mountains.
    Mountain {
        /// How many steps are possible.
        max: i64,
        /// The step into them, from 0.
        at: usize,
    },
}

/// How a move was found possible.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Manner {
    /// On a road from start to end.
    Road,
    /// In the own realm.
    Inside,
    /// Outside.
    Outside,
    /// Riders, both.
    Mixed,
}

impl Manner {
    /// The rules that allow it.
    pub const fn rules(self) -> &'static [RuleId] {
        match self {
            Self::Road => &[
                rule::MOVE_01,
                rule::MOVE_02,
                rule::MOVE_04,
                rule::MOVE_09,
                rule::ROAD_01,
                rule::GAP_22,
                rule::GAP_29,
            ],
            Self::Inside | Self::Outside => &[rule::MOVE_01, rule::MOVE_02, rule::MOVE_03, rule::GAP_28, rule::GAP_29],
            Self::Mixed => &[
                rule::MOVE_01,
                rule::MOVE_02,
                rule::MOVE_03,
                rule::MOVE_05,
                rule::GAP_28,
                rule::GAP_29,
            ],
        }
    }
}

/// Whether a land army can make a move, from its steps.
///
/// PYG-MOVE-09, PYG-MOVE-04: on a road from start to end only the number of steps counts; a move that leaves it counts wholly as off
/// the road (PYG-GAP-29). PYG-MOVE-06: riders who enter mountains come one field far. PYG-MOVE-03: one height level. PYG-MOVE-05,
/// PYG-GAP-28: only riders combine, two fields inside and one outside.
pub fn judge(tables: &Tables, kind: Kind, legs: &[Leg]) -> Result<Manner, Excess> {
    let steps = legs.len() as i64;
    let within = |max: i64, manner: Manner| {
        if steps <= max {
            Ok(manner)
        } else {
            Err(Excess::Range { steps, max })
        }
    };
    let marching = || legs.iter().filter(|leg| leg.inside.is_some());
    if marching().count() > 0 && marching().all(|leg| leg.road) {
        return within(tables.movement.road[kind], Manner::Road);
    }
    let total = tables.movement.rider_mountain_total;
    if kind == Kind::Riders
        && steps > total
        && let Some(at) = legs.iter().position(|leg| leg.mountains)
    {
        return Err(Excess::Mountain { max: total, at });
    }
    climb(tables, legs)?;
    let inside = marching().filter(|leg| leg.inside == Some(true)).count() as i64;
    let outside = marching().count() as i64 - inside;
    // A step onto a fleet counts as the others do, and as outside if it is the only one (PYG-GAP-30).
    let boarding = steps - inside - outside;
    if outside == 0 && inside > 0 {
        return within(tables.movement.inside[kind], Manner::Inside);
    }
    if inside == 0 {
        return within(tables.movement.outside[kind], Manner::Outside);
    }
    let may = kind == Kind::Riders
        && inside <= tables.movement.rider_mixed_inside
        && outside + boarding <= tables.movement.rider_mixed_outside;
    if may { Ok(Manner::Mixed) } else { Err(Excess::Mix) }
}

/// PYG-MOVE-03, PYG-GAP-29: the height levels of all steps together.
fn climb(tables: &Tables, legs: &[Leg]) -> Result<(), Excess> {
    let max = tables.movement.height_steps;
    let mut levels = 0;
    for (at, leg) in legs.iter().enumerate() {
        levels += leg.height;
        if levels > max {
            let levels = legs.iter().map(|leg| leg.height).sum();
            return Err(Excess::Height { levels, max, at });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leg(inside: bool) -> Leg {
        Leg {
            inside: Some(inside),
            ..Leg::default()
        }
    }

    fn judged(kind: Kind, legs: &[Leg]) -> Result<Manner, Excess> {
        judge(&Tables::book(), kind, legs)
    }

    #[test]
    fn warriors_go_one_field_outside_two_inside_and_four_on_a_road() {
        for (inside, max) in [(false, 1), (true, 2)] {
            for steps in 1..=3 {
                let legs = vec![leg(inside); steps];
                assert_eq!(judged(Kind::Warriors, &legs).is_ok(), steps <= max, "{inside} {steps}");
            }
        }
        let road = Leg {
            road: true,
            height: 2,
            mountains: true,
            ..leg(false)
        };
        for kind in [Kind::Warriors, Kind::Riders] {
            let max = if kind == Kind::Warriors { 4 } else { 8 };
            for steps in max - 1..=max + 1 {
                let ok = judged(kind, &vec![road; steps]).is_ok();
                assert_eq!(ok, steps <= max, "{kind:?} {steps}");
            }
        }
    }

    #[test]
    fn only_riders_combine_two_fields_inside_with_one_outside_in_any_order() {
        for (legs, may) in [
            (vec![true, false], true),
            (vec![false, true], true),
            (vec![true, true, false], true),
            (vec![true, false, true], true),
            (vec![true, true, true, false], false),
            (vec![true, false, false], false),
            (vec![false, false], true),
            (vec![true; 4], true),
            (vec![true; 5], false),
        ] {
            let legs: Vec<Leg> = legs.into_iter().map(leg).collect();
            assert_eq!(judged(Kind::Riders, &legs).is_ok(), may, "{legs:?}");
        }
        assert_eq!(judged(Kind::Warriors, &[leg(true), leg(false)]), Err(Excess::Mix));
    }

    #[test]
    fn one_height_level_a_month_up_and_down_together() {
        let over = |height: i64| Leg { height, ..leg(true) };
        assert!(judged(Kind::Warriors, &[over(1)]).is_ok());
        assert_eq!(
            judged(Kind::Warriors, &[over(2)]),
            Err(Excess::Height {
                levels: 2,
                max: 1,
                at: 0
            })
        );
        assert_eq!(
            judged(Kind::Riders, &[over(1), over(0), over(1)]),
            Err(Excess::Height {
                levels: 2,
                max: 1,
                at: 2
            })
        );
    }

    #[test]
    fn riders_who_enter_mountains_come_one_field_far_but_not_on_a_road() {
        let mountain = Leg {
            mountains: true,
            ..leg(true)
        };
        assert!(judged(Kind::Riders, &[mountain]).is_ok());
        assert_eq!(
            judged(Kind::Riders, &[leg(true), mountain]),
            Err(Excess::Mountain { max: 1, at: 1 })
        );
        assert_eq!(
            judged(Kind::Riders, &[mountain, leg(true)]),
            Err(Excess::Mountain { max: 1, at: 0 })
        );
        assert!(judged(Kind::Warriors, &[mountain, leg(true)]).is_ok());
    }

    #[test]
    fn a_step_onto_a_fleet_counts_as_the_others_and_as_outside_alone() {
        let aboard = Leg::default();
        assert_eq!(judged(Kind::Warriors, &[aboard]), Ok(Manner::Outside));
        assert_eq!(judged(Kind::Warriors, &[leg(true), aboard]), Ok(Manner::Inside));
        assert!(judged(Kind::Warriors, &[leg(false), aboard]).is_err());
        assert!(judged(Kind::Riders, &[leg(false), aboard]).is_ok());
        assert_eq!(judged(Kind::Riders, &[leg(true), leg(false), aboard]), Err(Excess::Mix));
    }
}
