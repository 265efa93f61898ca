//! Telling people by mail that letters came, as each of them wishes.

use crate::Result;
use crate::db::{Tx, values};
use crate::outbox::{self, NewMail};
use crate::wish::MailWish;
use crate::world::World;
use serde_json::json;
use std::collections::BTreeMap;

/// Whoever reads a letter that came now, beside its author: holders of seats, and the game masters.
const READERS: &str = "SELECT h.account, a.letter_mail FROM letter_recipients r JOIN letters l ON l.id = r.letter \
    JOIN holders h ON h.world = r.world AND h.realm = r.realm JOIN accounts a ON a.id = h.account \
    WHERE r.letter = $1 AND r.refused = 0 AND r.realm <> l.author AND a.letter_mail <> 'none' AND a.deleted_at IS NULL \
    UNION SELECT g.account, a.letter_mail FROM letter_recipients r JOIN letters l ON l.id = r.letter \
    JOIN game_masters g ON g.world = r.world JOIN accounts a ON a.id = g.account \
    WHERE r.letter = $1 AND r.realm = 0 AND l.author <> 0 AND l.kind = 'letter' AND a.letter_mail <> 'none' \
    AND a.deleted_at IS NULL ORDER BY 1";

/// Writes the mails about letters that came together: one about all of them, or one for each with its words.
pub(super) async fn tell(tx: &mut Tx, world: &World, letters: &[String], now: i64) -> Result<()> {
    let mut notices: BTreeMap<String, (u32, &str)> = BTreeMap::new();
    for id in letters {
        let readers: Vec<(String, String)> = tx.all(READERS, &values![id]).await?;
        for (account, code) in readers {
            match MailWish::stored(&code)? {
                MailWish::None => {}
                MailWish::Notice => {
                    notices.entry(account).or_insert((0, id)).0 += 1;
                }
                MailWish::Full => write_out(tx, world, id, &account, now).await?,
            }
        }
    }
    for (account, (count, first)) in notices {
        let key = format!("letter-notice {first} {account} {now}");
        let mail = NewMail {
            key: &key,
            account: &account,
            kind: "letter-notice",
            details: json!({ "world": world.name, "count": count }),
            send_at: now,
            expires_at: None,
        };
        outbox::post(tx, &mail, now).await?;
    }
    Ok(())
}

/// A mail with the letter in it. A rumour has no sender here either.
async fn write_out(tx: &mut Tx, world: &World, id: &str, account: &str, now: i64) -> Result<()> {
    let (kind, subject, body, signature, from): (String, String, String, String, Option<String>) = tx
        .one(
            "SELECT l.kind, l.subject, l.body, l.signature, s.name FROM letters l \
             LEFT JOIN seats s ON s.world = l.world AND s.realm = l.author WHERE l.id = $1",
            &values![id],
        )
        .await?;
    let key = format!("letter {id} {account} {now}");
    let mail = match from {
        _ if kind == "rumour" => NewMail {
            key: &key,
            account,
            kind: "letter-rumour",
            details: json!({ "world": world.name, "subject": subject, "body": body }),
            send_at: now,
            expires_at: None,
        },
        Some(from) => NewMail {
            key: &key,
            account,
            kind: "letter-full",
            details: json!({
                "world": world.name, "from": from, "subject": subject, "body": body, "signature": signature,
            }),
            send_at: now,
            expires_at: None,
        },
        None => NewMail {
            key: &key,
            account,
            kind: "letter-master",
            details: json!({ "world": world.name, "subject": subject, "body": body, "signature": signature }),
            send_at: now,
            expires_at: None,
        },
    };
    outbox::post(tx, &mail, now).await
}
