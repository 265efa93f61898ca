//! What is stored of a person's part in worlds, for whoever asks for all that is stored of him.
//!
//! Orders, letters, holidays and fees belong to a seat and name no account: what came to a seat since somebody holds it is his.

use crate::Result;
use crate::db::{Tx, values};
use crate::pack::unpack;
use serde_json::{Value, json};

/// Seats with everything that was written, sent and received there, leads, stand-ins, reminders, visits, invitations.
pub(crate) async fn export(tx: &mut Tx, account: &str) -> Result<Value> {
    let seats: Vec<(String, String, i64, String, i64)> = tx
        .all(
            "SELECT w.id, w.name, h.realm, s.name, h.since FROM holders h JOIN worlds w ON w.id = h.world \
             JOIN seats s ON s.world = h.world AND s.realm = h.realm WHERE h.account = $1 ORDER BY w.name",
            &values![account],
        )
        .await?;
    let mut holds = Vec::new();
    for (id, world, realm, name, since) in seats {
        let seat = Held {
            world: &id,
            realm,
            since,
        };
        holds.push(json!({
            "world": world, "realm": realm, "name": name, "since": since,
            "orders": seat.orders(tx).await?,
            "drafts": crate::draft::export(tx, &id, realm, since).await?,
            "papers": {
                "written": seat.written(tx).await?,
                "received": seat.received(tx).await?,
                "reported": seat.reported(tx).await?,
                "articles": seat.articles(tx).await?,
                "settings": seat.letter_settings(tx).await?,
            },
            "arms": seat.arms(tx).await?,
            "absences": seat.absences(tx).await?,
            "misses": seat.misses(tx).await?,
            "fees": seat.fees(tx).await?,
        }));
    }
    let leads: Vec<(String, i64)> = tx
        .all(
            "SELECT w.name, g.since FROM game_masters g JOIN worlds w ON w.id = g.world WHERE g.account = $1 ORDER BY w.name",
            &values![account],
        )
        .await?;
    let stands_in: Vec<(String, i64, i64, i64)> = tx
        .all(
            "SELECT w.name, s.realm, s.from_at, s.until_at FROM stand_ins s JOIN worlds w ON w.id = s.world \
             WHERE s.account = $1 ORDER BY w.name, s.realm",
            &values![account],
        )
        .await?;
    let reminders: Vec<(String, String)> = tx
        .all(
            "SELECT w.name, r.minutes FROM reminders r JOIN worlds w ON w.id = r.world WHERE r.account = $1 ORDER BY w.name",
            &values![account],
        )
        .await?;
    let visits: Vec<(String, i64)> = tx
        .all(
            "SELECT w.name, v.seen_at FROM visits v JOIN worlds w ON w.id = v.world WHERE v.account = $1 ORDER BY w.name",
            &values![account],
        )
        .await?;
    let invited: Vec<(String, String, i64)> = tx
        .all(
            "SELECT w.name, i.note, i.created_at FROM invitations i JOIN worlds w ON w.id = i.world \
             WHERE i.created_by = $1 ORDER BY w.name, i.created_at",
            &values![account],
        )
        .await?;
    Ok(json!({
        "holds": holds,
        "leads": list(leads, |(world, since)| json!({ "world": world, "since": since })),
        "stands_in": list(stands_in, |(world, realm, from, until)| {
            json!({ "world": world, "realm": realm, "from_at": from, "until_at": until })
        }),
        "reminders": list(reminders, |(world, minutes)| json!({ "world": world, "minutes_before": minutes })),
        "visits": list(visits, |(world, at)| json!({ "world": world, "last_at": at })),
        "invitations": list(invited, |(world, note, at)| json!({ "world": world, "note": note, "created_at": at })),
    }))
}

fn list<R>(rows: Vec<R>, value: impl FnMut(R) -> Value) -> Vec<Value> {
    rows.into_iter().map(value).collect()
}

/// A seat and since when somebody holds it.
struct Held<'a> {
    world: &'a str,
    realm: i64,
    since: i64,
}

impl Held<'_> {
    async fn orders(&self, tx: &mut Tx) -> Result<Vec<Value>> {
        let files: Vec<(i64, i64, Vec<u8>, i64)> = tx
            .all(
                "SELECT step, attempt, file, received_at FROM submissions \
                 WHERE world = $1 AND realm = $2 AND source = 'player' AND received_at >= $3 ORDER BY step, attempt",
                &values![self.world, self.realm, self.since],
            )
            .await?;
        files
            .into_iter()
            .map(|(step, attempt, file, received_at)| {
                let text = String::from_utf8_lossy(&unpack(&file, "order file")?).into_owned();
                Ok(json!({ "turn": step, "attempt": attempt, "received_at": received_at, "text": text }))
            })
            .collect()
    }

    /// Realms by number, as whoever wrote may not know their names; 0 is the game master.
    async fn written(&self, tx: &mut Tx) -> Result<Vec<Value>> {
        type Written = (String, String, String, String, String, String, i64);
        let rows: Vec<Written> = tx
            .all(
                "SELECT id, kind, state, subject, body, signature, touched_at FROM letters \
                 WHERE world = $1 AND author = $2 AND touched_at >= $3 ORDER BY touched_at, id",
                &values![self.world, self.realm, self.since],
            )
            .await?;
        let addressed: Vec<(String, i64)> = tx
            .all(
                "SELECT r.letter, r.realm FROM letter_recipients r JOIN letters l ON l.id = r.letter \
                 WHERE l.world = $1 AND l.author = $2 AND l.touched_at >= $3 ORDER BY r.letter, r.realm",
                &values![self.world, self.realm, self.since],
            )
            .await?;
        Ok(list(rows, |(id, kind, state, subject, body, signature, at)| {
            let to: Vec<i64> = addressed
                .iter()
                .filter(|(of, _)| *of == id)
                .map(|(_, realm)| *realm)
                .collect();
            json!({ "kind": kind, "state": state, "to_realms": to, "subject": subject, "body": body, "signature": signature, "at": at })
        }))
    }

    /// Who wrote a letter is told as the letter tells it: a rumour stays one.
    async fn received(&self, tx: &mut Tx) -> Result<Vec<Value>> {
        type Received = (String, i64, String, String, String, Option<i64>);
        let rows: Vec<Received> = tx
            .all(
                "SELECT l.kind, l.author, l.subject, l.body, l.signature, l.delivered_at FROM letters l \
                 JOIN letter_recipients r ON r.letter = l.id WHERE r.world = $1 AND r.realm = $2 AND r.refused = 0 \
                 AND l.state = 'delivered' AND l.delivered_at >= $3 ORDER BY l.delivered_at, l.id",
                &values![self.world, self.realm, self.since],
            )
            .await?;
        Ok(list(rows, |(kind, author, subject, body, signature, at)| {
            let from = Some(author).filter(|_| kind != "rumour");
            json!({ "kind": kind, "from_realm": from, "subject": subject, "body": body, "signature": signature, "at": at })
        }))
    }

    async fn reported(&self, tx: &mut Tx) -> Result<Vec<Value>> {
        let rows: Vec<(String, i64, Option<String>)> = tx
            .all(
                "SELECT reason, at, answer FROM letter_reports WHERE world = $1 AND realm = $2 AND at >= $3 ORDER BY at, letter",
                &values![self.world, self.realm, self.since],
            )
            .await?;
        Ok(list(
            rows,
            |(reason, at, answer)| json!({ "reason": reason, "at": at, "answer": answer }),
        ))
    }

    async fn articles(&self, tx: &mut Tx) -> Result<Vec<Value>> {
        type Article = (String, String, String, String, String, String, i64);
        let rows: Vec<Article> = tx
            .all(
                "SELECT state, title, deck, body, byline, caption, touched_at FROM articles \
                 WHERE world = $1 AND realm = $2 AND touched_at >= $3 ORDER BY touched_at, id",
                &values![self.world, self.realm, self.since],
            )
            .await?;
        Ok(list(rows, |(state, title, deck, body, byline, caption, at)| {
            json!({
                "state": state, "title": title, "deck": deck, "body": body, "byline": byline, "caption": caption, "at": at,
            })
        }))
    }

    /// How letters are signed, who may read them too, and whose are not taken.
    async fn letter_settings(&self, tx: &mut Tx) -> Result<Value> {
        let wishes: Option<(String, i64)> = tx
            .maybe(
                "SELECT signature, stand_in FROM post_preferences WHERE world = $1 AND realm = $2",
                &values![self.world, self.realm],
            )
            .await?;
        let blocked: Vec<(i64,)> = tx
            .all(
                "SELECT blocked FROM letter_blocks WHERE world = $1 AND realm = $2 ORDER BY blocked",
                &values![self.world, self.realm],
            )
            .await?;
        let (signature, stand_in) = wishes.unwrap_or_default();
        Ok(json!({
            "signature": signature,
            "stand_in_reads": stand_in != 0,
            "blocked_realms": list(blocked, |(realm,)| json!(realm)),
        }))
    }

    async fn arms(&self, tx: &mut Tx) -> Result<Option<String>> {
        let row: Option<(String,)> = tx
            .maybe(
                "SELECT drawing FROM arms WHERE world = $1 AND realm = $2 AND changed_at >= $3",
                &values![self.world, self.realm, self.since],
            )
            .await?;
        Ok(row.map(|(drawing,)| drawing))
    }

    async fn absences(&self, tx: &mut Tx) -> Result<Vec<Value>> {
        let rows: Vec<(i64, i64, i64, String)> = tx
            .all(
                "SELECT from_at, until_at, computer, note FROM absences WHERE world = $1 AND realm = $2 ORDER BY from_at",
                &values![self.world, self.realm],
            )
            .await?;
        Ok(list(
            rows,
            |(from, until, computer, note)| json!({ "from_at": from, "until_at": until, "computer": computer != 0, "note": note }),
        ))
    }

    /// A turn was missed by whoever held the seat when it was run.
    async fn misses(&self, tx: &mut Tx) -> Result<Vec<Value>> {
        let rows: Vec<(i64, i64)> = tx
            .all(
                "SELECT m.step, m.excused FROM misses m JOIN steps s ON s.world = m.world AND s.number = m.step \
                 WHERE m.world = $1 AND m.realm = $2 AND s.ran_at >= $3 ORDER BY m.step",
                &values![self.world, self.realm, self.since],
            )
            .await?;
        Ok(list(
            rows,
            |(step, excused)| json!({ "turn": step, "excused": excused != 0 }),
        ))
    }

    async fn fees(&self, tx: &mut Tx) -> Result<Vec<Value>> {
        let rows: Vec<(i64, String, i64)> = tx
            .all(
                "SELECT cents, reason, booked_at FROM ledger WHERE world = $1 AND realm = $2 AND booked_at >= $3 ORDER BY number",
                &values![self.world, self.realm, self.since],
            )
            .await?;
        Ok(list(
            rows,
            |(cents, reason, at)| json!({ "cents": cents, "reason": reason, "at": at }),
        ))
    }
}
