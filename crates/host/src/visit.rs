//! Who looks in when, and what has come since: for the desk and for the small numbers beside the ways.

use crate::Result;
use crate::db::{Subject, Tx, values};
use crate::store::Host;
use crate::world::{World, number, viewer_number};
use kernel::realm::{RealmId, Viewer};
use serde::Serialize;
use std::collections::BTreeMap;

/// A visit ends when nobody sat at the desk for so long, in milliseconds.
const VISIT_ENDS: i64 = 30 * 60 * 1000;
/// Sitting at the desk is noted anew after so long: looking at it must not always write.
const NOTE_EVERY: i64 = 60 * 1000;

/// What waits for somebody in a world.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct News {
    /// Letters, proclamations and rumours that he has not read.
    pub letters: u32,
    /// Announcements since he last sat at his desk.
    pub announcements: u32,
}

/// What waits for the game masters of a world.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Tasks {
    /// Letters to them that none has read.
    pub letters: u32,
    /// Letters that pass their desk, and complaints.
    pub desk: u32,
    /// Articles that were sent in.
    pub articles: u32,
}

/// What has come to a realm since a moment.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Since {
    /// Steps that were run and still stand.
    pub steps: Vec<u32>,
    /// Letters, proclamations and rumours that came, read or not.
    pub letters: u32,
    /// Issues of the newspaper.
    pub issues: Vec<u32>,
}

impl Host {
    /// Notes that an account sits at its desk in a world; tells when its visit before this one ended, if there was one.
    pub async fn visit(&self, world: &World, account: &str, now: i64) -> Result<Option<i64>> {
        let mut tx = self.read().await?;
        let row: Option<(i64, Option<i64>)> = tx
            .maybe(
                "SELECT seen_at, before_at FROM visits WHERE world = $1 AND account = $2",
                &values![&world.id, account],
            )
            .await?;
        drop(tx);
        let before = match row {
            None => None,
            Some((seen_at, _)) if now - seen_at > VISIT_ENDS => Some(seen_at),
            Some((seen_at, before_at)) if now - seen_at < NOTE_EVERY => return Ok(before_at),
            Some((_, before_at)) => before_at,
        };
        let mut tx = self.write(Subject::Account(account)).await?;
        tx.execute(
            "INSERT INTO visits (world, account, seen_at, before_at) VALUES ($1, $2, $3, $4) \
             ON CONFLICT (world, account) DO UPDATE SET seen_at = $3, before_at = $4",
            &values![&world.id, account, now, before],
        )
        .await?;
        tx.commit().await?;
        Ok(before)
    }

    /// When the holders of seats last sat at their desks, by realm; those who never did are missing.
    pub async fn last_visits(&self, world: &World) -> Result<BTreeMap<RealmId, i64>> {
        let mut tx = self.read().await?;
        let rows: Vec<(i64, i64)> = tx
            .all(
                "SELECT h.realm, v.seen_at FROM holders h JOIN visits v ON v.world = h.world AND v.account = h.account \
                 WHERE h.world = $1 ORDER BY h.realm",
                &values![&world.id],
            )
            .await?;
        rows.into_iter()
            .map(|(realm, seen_at)| Ok((RealmId(number(realm, "number of a realm")?), seen_at)))
            .collect()
    }

    /// What waits for an account that acts for a viewer in a world.
    pub async fn news(&self, world: &World, viewer: Viewer, account: &str) -> Result<News> {
        let mut tx = self.read().await?;
        let letters = unread(&mut tx, world, viewer).await?;
        let (announcements,): (i64,) = tx
            .one(
                "SELECT COUNT(*) FROM announcements WHERE world = $1 AND given_at > \
                 COALESCE((SELECT seen_at FROM visits WHERE world = $1 AND account = $2), 0)",
                &values![&world.id, account],
            )
            .await?;
        Ok(News {
            letters,
            announcements: number(announcements, "number of announcements")?,
        })
    }

    /// What waits for the game masters of a world.
    pub async fn tasks(&self, world: &World) -> Result<Tasks> {
        let desk = self.letters(world, Viewer::GameMaster).waiting().await?;
        let mut tx = self.read().await?;
        let letters = unread(&mut tx, world, Viewer::GameMaster).await?;
        let (articles,): (i64,) = tx
            .one(
                "SELECT COUNT(*) FROM articles WHERE world = $1 AND state = 'submitted'",
                &values![&world.id],
            )
            .await?;
        Ok(Tasks {
            letters,
            desk: desk.letters + desk.complaints,
            articles: number(articles, "number of articles")?,
        })
    }

    /// What has come to a realm since a moment.
    pub async fn since(&self, world: &World, viewer: Viewer, moment: i64) -> Result<Since> {
        let mut tx = self.read().await?;
        let steps: Vec<(i64,)> = tx
            .all(
                "SELECT number FROM steps WHERE world = $1 AND ran_at > $2 AND input IS NOT NULL ORDER BY number",
                &values![&world.id, moment],
            )
            .await?;
        let (letters,): (i64,) = tx
            .one(
                "SELECT COUNT(*) FROM letter_recipients r JOIN letters l ON l.id = r.letter WHERE r.world = $1 \
                 AND r.realm = $2 AND r.refused = 0 AND l.state = 'delivered' AND l.delivered_at > $3 AND l.author <> $2",
                &values![&world.id, viewer_number(viewer), moment],
            )
            .await?;
        let issues: Vec<(i64,)> = tx
            .all(
                "SELECT number FROM issues WHERE world = $1 AND published_at > $2 ORDER BY number",
                &values![&world.id, moment],
            )
            .await?;
        let numbers = |rows: Vec<(i64,)>, what| -> Result<Vec<u32>> {
            rows.into_iter().map(|(row,)| number(row, what)).collect()
        };
        Ok(Since {
            steps: numbers(steps, "number of a step")?,
            letters: number(letters, "number of letters")?,
            issues: numbers(issues, "number of an issue")?,
        })
    }
}

/// Letters, proclamations and rumours that a viewer has not read.
async fn unread(tx: &mut Tx, world: &World, viewer: Viewer) -> Result<u32> {
    let (letters,): (i64,) = tx
        .one(
            "SELECT COUNT(*) FROM letter_recipients r JOIN letters l ON l.id = r.letter WHERE r.world = $1 \
             AND r.realm = $2 AND r.refused = 0 AND r.filed = 0 AND r.read_at IS NULL AND l.state = 'delivered' \
             AND l.author <> $2",
            &values![&world.id, viewer_number(viewer)],
        )
        .await?;
    number(letters, "number of letters")
}
