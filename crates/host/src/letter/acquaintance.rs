//! Whom a viewer may write to, and by what name he knows whom.
//!
//! A realm knows others from its own view of the world, and by what they wrote to it: whoever sends a letter or a
//! proclamation has introduced himself. Everybody else is a number, if the game lets one write to numbers at all.

use super::{Post, viewer_from};
use crate::db::values;
use crate::error::HostError;
use crate::world::seats;
use crate::{Result, limits};
use kernel::guide::Correspondent;
use kernel::realm::{RealmId, Viewer};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

/// The realms of a world as one viewer knows them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Acquaintance {
    /// Those he knows by name, himself included.
    pub names: BTreeMap<RealmId, String>,
    /// Those he may write to, by name or number.
    pub reachable: BTreeSet<RealmId>,
}

impl Acquaintance {
    /// The name of a realm, if it is known. The game master is none.
    pub fn name(&self, viewer: Viewer) -> Option<&str> {
        match viewer {
            Viewer::GameMaster => None,
            Viewer::Realm(realm) => self.names.get(&realm).map(String::as_str),
        }
    }
}

/// Whom a realm knows after a step, by world, step, the moment at which it ran and realm.
#[derive(Default)]
pub(crate) struct Circles(Mutex<BTreeMap<CircleKey, Told>>);

type CircleKey = (String, i64, i64, RealmId);
type Told = Option<Vec<Correspondent>>;

/// Circles that are kept.
const CIRCLES: usize = 2_000;

impl Circles {
    fn find(&self, key: &CircleKey) -> Option<Told> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    fn keep(&self, key: CircleKey, told: Told) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Once in a while all are asked anew: steps that were run long ago need no place.
        if kept.len() >= CIRCLES {
            kept.clear();
        }
        kept.insert(key, told);
    }
}

impl Post<'_> {
    /// Whom the game says that a realm knows now.
    async fn told(&self, own: RealmId) -> Result<Told> {
        let mut tx = self.host.read().await?;
        let last: Option<(i64, i64)> = tx
            .maybe(
                "SELECT number, ran_at FROM steps WHERE world = $1 ORDER BY number DESC LIMIT 1",
                &values![&self.world.id],
            )
            .await?;
        drop(tx);
        let (step, ran_at) = last.unwrap_or_default();
        let key = (self.world.id.clone(), step, ran_at, own);
        if let Some(told) = self.host.circles.find(&key) {
            return Ok(told);
        }
        let told = match self.host.view(self.world, self.viewer, None).await {
            Ok((_, view)) => self.host.game_of(self.world)?.correspondents(&view)?,
            // A realm that has left the game sees nothing any more; what it was told before stays in its letters.
            Err(HostError::UnknownStep { .. }) => Some(Vec::new()),
            Err(error) => return Err(error),
        };
        self.host.circles.keep(key, told.clone());
        Ok(told)
    }

    /// The realms of the world as this viewer knows them; the game master knows all.
    pub async fn acquaintance(&self) -> Result<Acquaintance> {
        let Viewer::Realm(own) = self.viewer else {
            let seats = self.host.seats(self.world).await?;
            return Ok(Acquaintance {
                reachable: seats.iter().map(|seat| seat.realm).collect(),
                names: seats.into_iter().map(|seat| (seat.realm, seat.name)).collect(),
            });
        };
        let told = self.told(own).await?;
        let mut tx = self.host.read().await?;
        let seats = seats(&mut tx, &self.world.id).await?;
        let authors: Vec<(i64,)> = tx
            .all(
                "SELECT DISTINCT l.author FROM letter_recipients r JOIN letters l ON l.id = r.letter WHERE r.world = $1 \
                 AND r.realm = $2 AND r.refused = 0 AND l.state = 'delivered' AND l.kind <> 'rumour' ORDER BY l.author LIMIT $3",
                &values![&self.world.id, self.me(), limits::CORRESPONDENTS],
            )
            .await?;
        let mut met = BTreeSet::from([own]);
        for (author,) in authors {
            if let Viewer::Realm(realm) = viewer_from(author)? {
                met.insert(realm);
            }
        }
        let seat_names = seats.iter().filter(|seat| met.contains(&seat.realm));
        let mut known = Acquaintance {
            names: seat_names.map(|seat| (seat.realm, seat.name.clone())).collect(),
            reachable: BTreeSet::new(),
        };
        let seated = |realm: RealmId| seats.iter().any(|seat| seat.realm == realm);
        match told {
            Some(told) => {
                for other in told.into_iter().filter(|other| seated(other.realm)) {
                    known.reachable.insert(other.realm);
                    if !other.name.is_empty() {
                        known.names.entry(other.realm).or_insert(other.name);
                    }
                }
                known.reachable.extend(met);
            }
            // A game without a word about it hides no seats, but no names are given away either.
            None => known.reachable.extend(seats.iter().map(|seat| seat.realm)),
        }
        known.reachable.remove(&own);
        Ok(known)
    }
}
