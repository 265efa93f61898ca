//! The tale of a fight: who met whom, what it cost and who had the better of it (THO-COMB-01, -02).
//!
//! Plain text has a head and a row for each army, as the book prints it. A page tells the same in sentences, which are
//! made here from what the viewer saw and nothing else.

use super::{int, name};
use crate::notice::{FighterSeen, Who};
use crate::view::View;
use kernel::realm::RealmId;
use kernel::report::{Arg, Phrase};

/// One side of a fight as the viewer can tell it apart: the armies under one flag, or those without any.
struct Side<'a> {
    realm: Option<RealmId>,
    fighters: Vec<&'a FighterSeen>,
}

/// Heads before a fight and after it.
#[derive(Clone, Copy, Default)]
struct Heads {
    before: i64,
    after: i64,
}

impl Heads {
    fn of<'a>(fighters: impl Iterator<Item = &'a FighterSeen>) -> Self {
        fighters.fold(Self::default(), |sum, fighter| Self {
            before: sum.before.saturating_add(fighter.before),
            after: sum.after.saturating_add(fighter.after),
        })
    }

    const fn fallen(self) -> i64 {
        self.before.saturating_sub(self.after)
    }

    /// Whether a smaller part of these fell than of the others.
    fn bled_less(self, others: Self) -> bool {
        i128::from(self.fallen()) * i128::from(others.before) < i128::from(others.fallen()) * i128::from(self.before)
    }
}

/// An army by the name of its realm where the viewer knows one: `R.L 3 (Greif)`; his own armies without.
pub(super) fn named(view: &View, who: &Who) -> String {
    let own = view.realm().is_some() && view.realm() == who.realm;
    let realm = who.realm.filter(|_| !own).and_then(|realm| view.realms.get(&realm));
    match (realm, who.number) {
        (Some(realm), Some(number)) => format!("{} {number} ({})", who.kind.code(), realm.name),
        (Some(realm), None) => format!("{} ({})", who.kind.code(), realm.name),
        (None, _) => name(view, who),
    }
}

/// The armies that fought, side by side, the viewer's own first.
fn sides<'a>(view: &View, fighters: &'a [FighterSeen]) -> Vec<Side<'a>> {
    let mut sides: Vec<Side<'a>> = Vec::new();
    for fighter in fighters {
        let realm = fighter.who.realm;
        match sides.iter_mut().find(|side| side.realm == realm) {
            Some(side) => side.fighters.push(fighter),
            None => sides.push(Side {
                realm,
                fighters: vec![fighter],
            }),
        }
    }
    sides.sort_by_key(|side| side.realm.is_none() || side.realm != view.realm());
    sides
}

/// How it ended for the viewer.
fn outcome(own: Heads, others: Heads) -> &'static str {
    match (own.after > 0, others.after > 0) {
        (false, false) => "battle-nobody-left",
        (false, true) => "battle-lost",
        (true, false) => "battle-won",
        (true, true) if own.bled_less(others) => "battle-better",
        (true, true) if others.bled_less(own) => "battle-worse",
        (true, true) => "battle-even",
    }
}

/// Hands the sentences about a fight to `tell`.
pub(super) fn tale(view: &View, fighters: &[FighterSeen], tell: impl FnOnce(Arg<'_>)) {
    let sides = sides(view, fighters);
    let armies = |side: &Side<'_>| -> Vec<String> {
        let names = side.fighters.iter().map(|fighter| named(view, &fighter.who));
        names.collect()
    };
    let names: Vec<Vec<String>> = sides.iter().map(armies).collect();
    let list = |names: &[String]| names.join(", ");
    let first = names.first().map(|names| list(names)).unwrap_or_default();
    let rest: Vec<String> = names.iter().skip(1).map(|names| list(names)).collect();
    let met = [("first", Arg::Text(&first))];
    let others_named = rest.join(", ");
    let both = [("first", Arg::Text(&first)), ("others", Arg::Text(&others_named))];
    let several = names.first().is_some_and(|names| names.len() > 1);
    let meeting = match (rest.len(), several) {
        (0, _) => Phrase {
            key: "battle-alone",
            args: &met,
        },
        (1, false) => Phrase {
            key: "battle-one",
            args: &both,
        },
        (1, true) => Phrase {
            key: "battle-many",
            args: &both,
        },
        _ => Phrase {
            key: "battle-melee",
            args: &both,
        },
    };
    let is_own = |fighter: &&FighterSeen| view.realm().is_some() && fighter.who.realm == view.realm();
    let own = Heads::of(fighters.iter().filter(is_own));
    let others = Heads::of(fighters.iter().filter(|fighter| !is_own(fighter)));
    let cost = [
        ("fallen", int(own.fallen())),
        ("of", int(own.before)),
        ("theirs", int(others.fallen())),
        ("their", int(others.before)),
    ];
    let seen = [("fallen", int(others.fallen())), ("of", int(others.before))];
    let took_part = own.before > 0;
    let losses = if took_part {
        Phrase {
            key: "battle-cost",
            args: &cost,
        }
    } else {
        Phrase {
            key: "battle-cost-seen",
            args: &seen,
        }
    };
    let end = Phrase {
        key: outcome(own, others),
        args: &[],
    };
    let told = [meeting, losses, end];
    let told = if took_part { &told[..] } else { &told[..2] };
    tell(Arg::List(told, " "));
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn heads(before: i64, after: i64) -> Heads {
        Heads { before, after }
    }

    #[test]
    fn the_end_of_a_fight_is_told_by_who_is_left_and_then_by_the_part_that_fell() {
        assert_eq!(outcome(heads(86, 0), heads(993, 942)), "battle-lost");
        assert_eq!(outcome(heads(993, 942), heads(86, 0)), "battle-won");
        assert_eq!(outcome(heads(10, 0), heads(10, 0)), "battle-nobody-left");
        // A tenth of one hundred against a tenth of a thousand.
        assert_eq!(outcome(heads(100, 90), heads(1000, 900)), "battle-even");
        assert_eq!(outcome(heads(100, 91), heads(1000, 900)), "battle-better");
        assert_eq!(outcome(heads(100, 89), heads(1000, 900)), "battle-worse");
    }
}
