//! `$S` and `$K`: settings without influence on the game, and the culture text (THO-SET-01..04, THO-MSG-03).

use crate::event::Happening;
use crate::order::Order;
use crate::rule;
use crate::season::{Season, SeasonTurn};
use kernel::rule::RuleId;
use kernel::turn::Cause;

/// B1: settings and culture texts, in the order of each file.
///
/// THO-SET-02: the information itself is part of the report. GAP-39: a second culture text replaces the first.
pub fn apply(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let input = turn.input;
    for (realm, parsed) in &input.orders {
        let realm = *realm;
        for order in &parsed.orders {
            let Some(owner) = turn.state.realms.get_mut(&realm) else {
                continue;
            };
            let (rules, what): (&'static [RuleId], _) = match &order.value {
                Order::AskInformation => (&[rule::SET_02, rule::SET_01], Happening::InformationAsked { realm }),
                Order::SetComputer(computer) => {
                    owner.computer = *computer;
                    (&[rule::SET_03, rule::SET_01], Happening::ComputerSet { realm })
                }
                Order::RenameRealm(name) => {
                    owner.name.clone_from(name);
                    let name = name.clone();
                    (&[rule::SET_04, rule::SET_01], Happening::RealmRenamed { realm, name })
                }
                Order::Describe { text } => {
                    owner.culture_text.clone_from(text);
                    (
                        &[rule::MSG_03, rule::CULT_03, rule::GAP_39],
                        Happening::CultureWritten { realm },
                    )
                }
                _ => continue,
            };
            season.emit(turn, Cause::Order(realm, order.span), rules, &[], what);
        }
    }
}
