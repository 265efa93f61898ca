//! Messages and rumours (THO-MSG-01, THO-MSG-02, GAP-33).

use crate::event::Happening;
use crate::order::{Order, Recipient};
use crate::rule;
use crate::season::{Season, SeasonTurn};
use kernel::diagnostic::Span;
use kernel::dice::Owner;
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use kernel::turn::Cause;
use std::collections::BTreeMap;

/// Faces of the dice that shuffle rumours: many, so that ties are rare.
const RANKS: i64 = 1_000_000;

/// A message on its way.
struct Letter<'a> {
    from: RealmId,
    head: Span,
    to: Recipient,
    text: &'a [String],
}

/// D12: messages.
///
/// THO-MSG-01: to a realm, to the game master, to all, or to all as a rumour. Rumours come last and shuffled: their place
/// among the others would give their sender away. Recipients that do not exist were refused when the file was read (N01).
pub fn deliver(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let input = turn.input;
    let letters = input.orders.iter().flat_map(|(from, parsed)| {
        parsed.orders.iter().filter_map(|order| match &order.value {
            Order::Send { to, text } => Some(Letter {
                from: *from,
                head: order.span,
                to: to.value,
                text,
            }),
            _ => None,
        })
    });
    let (rumours, signed): (Vec<Letter<'_>>, Vec<Letter<'_>>) =
        letters.partition(|letter| letter.to == Recipient::Rumour);
    for letter in signed {
        send(turn, season, &letter);
    }
    for letter in shuffled(turn, rumours) {
        send(turn, season, &letter);
    }
}

/// Rumours in an order that depends on nothing but dice; equal faces are put in the order of their words. A die is named by
/// the number of the rumour among its sender's, not by its line: how many secret orders stand above it must change nothing.
fn shuffled<'a>(turn: &mut SeasonTurn<'_>, rumours: Vec<Letter<'a>>) -> Vec<Letter<'a>> {
    if rumours.len() < 2 {
        return rumours;
    }
    let mut ranked: Vec<(i64, Letter<'a>)> = Vec::with_capacity(rumours.len());
    let mut told: BTreeMap<RealmId, u32> = BTreeMap::new();
    for letter in rumours {
        let number = told.entry(letter.from).or_default();
        *number += 1;
        let subject = format!("rumour {number} of realm {}", letter.from);
        let die = turn.roll(rule::MSG_01, Owner::World, &subject, 1, RANKS);
        ranked.push((die.value, letter));
    }
    ranked.sort_by(|(one, first), (other, second)| one.cmp(other).then_with(|| first.text.cmp(second.text)));
    ranked.into_iter().map(|(_, letter)| letter).collect()
}

fn send(turn: &mut SeasonTurn<'_>, season: &Season, letter: &Letter<'_>) {
    let rules: &'static [RuleId] = match letter.to {
        // The host files it and lets the game master answer.
        Recipient::GameMaster => &[rule::MSG_01, rule::MSG_02],
        _ => &[rule::MSG_01],
    };
    let what = Happening::MessageSent {
        from: letter.from,
        to: letter.to,
        text: letter.text.to_vec(),
    };
    season.emit(turn, Cause::Order(letter.from, letter.head), rules, &[], what);
}
