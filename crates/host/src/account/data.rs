//! All that is stored of a person: handed out on demand, and taken away.

use super::{Account, AccountError, account, refuse_last_admin, session};
use crate::Result;
use crate::db::{Subject, Tx, values};
use crate::membership;
use crate::outbox;
use crate::store::{Host, random};
use crate::token;
use crate::world::hex;
use serde_json::{Value, json};

impl Host {
    /// Everything that is stored of a person, as JSON. Hashes of passwords and tokens are left out: they are of use
    /// only to a thief.
    pub async fn export_account(&self, id: &str, now: i64) -> Result<Value> {
        let mut tx = self.read().await?;
        let account = account(&mut tx, id).await?;
        let sessions: Vec<Value> = session::sessions(&mut tx, &account, now)
            .await?
            .into_iter()
            .map(|session| {
                json!({
                    "device": session.device,
                    "by_link": session.by_link,
                    "created_at": session.created_at,
                    "seen_at": session.seen_at,
                    "expires_at": session.expires_at,
                })
            })
            .collect();
        let tokens = token::export(&mut tx, &account.id, now).await?;
        let worlds = membership::export(&mut tx, &account.id).await?;
        let (letter_mail, turn_mail): (String, String) = tx
            .one(
                "SELECT letter_mail, turn_mail FROM accounts WHERE id = $1",
                &values![id],
            )
            .await?;
        let plan: Option<(String,)> = tx
            .maybe("SELECT plan FROM world_plans WHERE account = $1", &values![id])
            .await?;
        Ok(json!({
            "exported_at": now, "account": account, "letters_by_mail": letter_mail, "turns_by_mail": turn_mail, "sessions": sessions, "tokens": tokens,
            "worlds": worlds, "planned_world": plan.map(|(plan,)| plan),
        }))
    }

    /// Takes everything away that names a person. Seats become vacant, what was played stays; the id stays, so that
    /// old records still tell one unnamed player from another.
    pub async fn delete_account(&self, id: &str, now: i64) -> Result<()> {
        let mut tx = self.write(Subject::Store).await?;
        let account = account(&mut tx, id).await?;
        if account.deleted {
            return Err(AccountError::Unknown(id.to_owned()).into());
        }
        if account.admin {
            let (others,): (i64,) = tx
                .one(
                    "SELECT COUNT(*) FROM accounts WHERE deleted_at IS NULL AND id <> $1",
                    &values![id],
                )
                .await?;
            // Whoever is alone may go; with others left somebody must be able to help them.
            if others > 0 {
                refuse_last_admin(&mut tx, id).await?;
            }
        }
        membership::leave_all(self, &mut tx, &account).await?;
        forget(&mut tx, &account, now).await?;
        tx.commit().await
    }
}

async fn forget(tx: &mut Tx, account: &Account, now: i64) -> Result<()> {
    let id = &account.id;
    tx.execute("DELETE FROM sessions WHERE account = $1", &values![id])
        .await?;
    tx.execute("DELETE FROM login_links WHERE account = $1", &values![id])
        .await?;
    tx.execute("DELETE FROM world_plans WHERE account = $1", &values![id])
        .await?;
    tx.execute("DELETE FROM tokens WHERE account = $1", &values![id])
        .await?;
    // Letters may stand in them in full, and links that open the account.
    tx.execute(
        "UPDATE outbox SET details = $2 WHERE account = $1",
        &values![id, outbox::WIPED],
    )
    .await?;
    erase_from_records(tx, account).await?;
    // The at-sign keeps anybody from choosing a name like that.
    let unnamed = format!("@{}", hex(&random::<8>()?));
    tx.execute(
        "UPDATE accounts SET name = '', name_key = $2, mail = NULL, mail_key = NULL, password = NULL, admin = 0, \
         confirmed_at = NULL, deleted_at = $3 WHERE id = $1",
        &values![id, &unnamed, now],
    )
    .await?;
    Ok(())
}

/// Records of worlds tell who took which seat, stood in or led by the name he had: what happened stays, the name goes.
async fn erase_from_records(tx: &mut Tx, account: &Account) -> Result<()> {
    for named in [format!(" by {}", account.name), format!(" to {}", account.name)] {
        tx.execute(
            "UPDATE audit SET detail = SUBSTR(detail, 1, LENGTH(detail) - LENGTH($1) + 4) || $2 \
             WHERE deed IN ('seat taken', 'seat handed over', 'stand-in', 'stand-in ended') \
             AND LENGTH(detail) > LENGTH($1) AND SUBSTR(detail, LENGTH(detail) - LENGTH($1) + 1) = $1",
            &values![&named, membership::NOBODY],
        )
        .await?;
    }
    tx.execute(
        "UPDATE audit SET detail = $2 WHERE deed IN ('game master', 'game master left') AND detail = $1",
        &values![&account.name, membership::NOBODY],
    )
    .await?;
    Ok(())
}
