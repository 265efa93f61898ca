//! The chronicle of a world for one of its players: every turn with the ways to its report, map and orders, and the open part of
//! the record.

use crate::Answer;
use crate::error::Fault;
use crate::identity::Player;
use crate::page::Page;
use crate::state::Web;
use askama::Template;
use axum::extract::{Query, State};
use host::board::Announcement;
use host::desk::{Deed, Withdrawn};
use kernel::realm::RealmId;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Announcements in the chronicle.
const ANNOUNCEMENTS: u32 = 100;
/// Turns in the chronicle, the last first.
const TURNS: usize = 500;
/// Turns on one leaf of it: more would be a long way on a phone.
const LEAF: usize = 20;
/// Deeds of the record that are shown at once; the older ones are folded.
const RECENT: usize = 10;

/// What to show.
#[derive(Debug, Default, Deserialize)]
pub struct Asked {
    /// The leaf, from 1 with the last turns; without one, the first.
    blatt: Option<usize>,
}

/// A leaf of the chronicle.
struct Leaf {
    number: usize,
    /// The last turn on it, and the first.
    last: u32,
    first: u32,
}

/// Deeds of the record that players read.
pub const DEEDS: u32 = 100;

/// A turn that was run.
pub struct Turn {
    /// Its number.
    pub number: u32,
    /// When it was run.
    pub ran_at: i64,
    /// The file that counted.
    pub attempt: Option<u32>,
    /// Letters that came before the next turn was run.
    pub letters: u32,
    /// Whether its orders were missed, and if so, whether that is excused.
    pub missed: Option<bool>,
}

#[derive(Template)]
#[template(path = "chronicle.html")]
struct Chronicle<'a> {
    page: &'a Page,
    turns: &'a [Turn],
    leaf: usize,
    /// All leaves, if there is more than one.
    leaves: Vec<Leaf>,
    withdrawn: Vec<Withdrawn>,
    announcements: Vec<Announcement>,
    recent: &'a [Deed],
    older: &'a [Deed],
    /// The only realm that everybody of it may call by its name.
    names: BTreeMap<RealmId, String>,
}

/// The turns that were run, the last first.
pub async fn turns(web: &Web, player: &Player) -> Result<Vec<Turn>, Fault> {
    let (world, realm) = (&player.world, player.realm());
    let sent = web.host.sent_by_step(world, realm).await?;
    let misses = web.host.misses(world).await?;
    let missed: BTreeMap<u32, bool> = misses
        .into_iter()
        .filter(|miss| miss.realm == realm)
        .map(|miss| (miss.step, miss.excused))
        .collect();
    let steps = web.host.steps(world).await?;
    let reads = !player.stands_in || web.host.letters(world, player.viewer()).preferences().await?.stand_in;
    let letters = match reads {
        true => web.host.letters(world, player.viewer()).came_by_step().await?,
        false => BTreeMap::new(),
    };
    let turns = steps.iter().rev().take(TURNS).map(|step| Turn {
        number: step.number,
        ran_at: step.ran_at,
        attempt: sent.get(&step.number).copied(),
        letters: letters.get(&step.number).copied().unwrap_or(0),
        missed: missed.get(&step.number).copied(),
    });
    Ok(turns.collect())
}

/// The leaves of so many turns.
fn leaves(turns: &[Turn]) -> Vec<Leaf> {
    let leaf = |(number, turns): (usize, &[Turn])| {
        let (last, first) = (turns.first()?, turns.last()?);
        Some(Leaf {
            number,
            last: last.number,
            first: first.number,
        })
    };
    (1..).zip(turns.chunks(LEAF)).filter_map(leaf).collect()
}

/// `GET /welt/{world}/chronik`
pub async fn show(State(web): State<Web>, page: Page, player: Player, Query(asked): Query<Asked>) -> Answer {
    let world = &player.world;
    let turns = turns(&web, &player).await?;
    let mut leaves = leaves(&turns);
    let leaf = asked.blatt.unwrap_or(1).clamp(1, leaves.len().max(1));
    if leaves.len() < 2 {
        leaves.clear();
    }
    // A stand-in reads what everybody reads: what concerns the realm is its player's.
    let reader = (!player.stands_in).then(|| player.viewer());
    let record = web.host.record(world, reader, DEEDS).await?;
    let (recent, older) = record.split_at(record.len().min(RECENT));
    // Announcements and the record belong to the world as it is now, not to turns of long ago.
    let first = leaf == 1;
    page.show(&Chronicle {
        page: &page,
        turns: turns.chunks(LEAF).nth(leaf - 1).unwrap_or_default(),
        leaf,
        leaves,
        withdrawn: web.host.withdrawn(world).await?,
        announcements: match first {
            true => web.host.announcements(world, ANNOUNCEMENTS).await?,
            false => Vec::new(),
        },
        recent: if first { recent } else { &[] },
        older: if first { older } else { &[] },
        names: BTreeMap::from([(player.realm(), player.seat.name.clone())]),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_leaf_has_twenty_turns_and_the_last_one_what_is_left() {
        let turn = |number: u32| Turn {
            number,
            ran_at: 0,
            attempt: None,
            letters: 0,
            missed: None,
        };
        let of = |count: u32| -> Vec<(usize, u32, u32)> {
            let turns: Vec<Turn> = (0..count).rev().map(turn).collect();
            let name = |leaf: &Leaf| (leaf.number, leaf.last, leaf.first);
            leaves(&turns).iter().map(name).collect()
        };
        assert_eq!(of(0), []);
        assert_eq!(of(19), [(1, 18, 0)]);
        assert_eq!(of(20), [(1, 19, 0)]);
        assert_eq!(of(21), [(1, 20, 1), (2, 0, 0)]);
        assert_eq!(of(161).len(), 9);
    }
}
