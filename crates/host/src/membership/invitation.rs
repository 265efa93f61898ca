//! Invitations: codes that let people in.

use super::MembershipError;
use crate::db::{Subject, Tx, values};
use crate::desk::DeskError;
use crate::error::HostError;
use crate::store::{Host, note, random};
use crate::world::{self, World, number};
use crate::{Result, limits};
use kernel::realm::RealmId;
use serde::Serialize;

/// Who is invited to what.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Invited {
    /// To any vacant seat.
    Player,
    /// To this seat, even if it is not vacant as long as nobody holds it.
    Seat(RealmId),
    /// To lead the world.
    Master,
}

/// The plan of an invitation.
#[derive(Clone, Debug)]
pub struct NewInvitation {
    /// To what.
    pub to: Invited,
    /// How many people may use it.
    pub uses: u32,
    /// For whom, in the game master's words.
    pub note: String,
    /// Until when; without it, until it is used up.
    pub expires_at: Option<i64>,
}

/// An invitation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Invitation {
    /// What the invited types or follows.
    pub code: String,
    /// Id of the world.
    pub world: String,
    /// To what.
    pub to: Invited,
    /// How many people may still use it.
    pub uses_left: u32,
    /// For whom, in the game master's words.
    pub note: String,
    /// When it was made.
    pub created_at: i64,
    /// Until when.
    pub expires_at: Option<i64>,
}

impl Host {
    /// Invites somebody.
    pub async fn invite(&self, world: &World, new: &NewInvitation, by: Option<&str>, now: i64) -> Result<Invitation> {
        let length = new.note.chars().count();
        if length > limits::NAME_CHARACTERS || new.uses == 0 || i64::from(new.uses) > limits::INVITATIONS {
            return Err(DeskError::BadInvitation.into());
        }
        if new.expires_at.is_some_and(|end| end <= now) {
            return Err(MembershipError::BadPeriod.into());
        }
        let (role, realm) = match new.to {
            Invited::Player => ("player", None),
            Invited::Seat(realm) => {
                self.seat(world, realm).await?;
                ("player", Some(realm))
            }
            Invited::Master => ("master", None),
        };
        let invitation = Invitation {
            code: new_code()?,
            world: world.id.clone(),
            to: new.to,
            uses_left: new.uses,
            note: new.note.clone(),
            created_at: now,
            expires_at: new.expires_at,
        };
        let mut tx = self.write(Subject::World(&world.id)).await?;
        // What does not hold any more makes room.
        tx.execute(
            "DELETE FROM invitations WHERE world = $1 AND (uses_left = 0 OR expires_at <= $2)",
            &values![&world.id, now],
        )
        .await?;
        let (count,): (i64,) = tx
            .one("SELECT COUNT(*) FROM invitations WHERE world = $1", &values![&world.id])
            .await?;
        if count >= limits::INVITATIONS {
            return Err(HostError::TooLarge {
                what: "invitations",
                size: count.unsigned_abs() + 1,
                limit: limits::INVITATIONS.unsigned_abs(),
            });
        }
        tx.execute(
            "INSERT INTO invitations (code, world, role, realm, uses_left, note, created_by, created_at, expires_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
            &values![
                &invitation.code,
                &world.id,
                role,
                realm.map(|realm| i64::from(realm.0)),
                new.uses,
                &new.note,
                by,
                now,
                new.expires_at
            ],
        )
        .await?;
        note(&mut tx, &world.id, "invited", &new.note).await?;
        tx.commit().await?;
        Ok(invitation)
    }

    /// The invitations of a world that still hold, the newest first.
    pub async fn invitations(&self, world: &World, now: i64) -> Result<Vec<Invitation>> {
        let mut tx = self.read().await?;
        let rows: Vec<InvitationRow> = tx
            .all(
                "SELECT code, world, role, realm, uses_left, note, created_at, expires_at FROM invitations \
                 WHERE world = $1 AND uses_left > 0 AND COALESCE(expires_at, $2 + 1) > $2 ORDER BY created_at DESC, code",
                &values![&world.id, now],
            )
            .await?;
        rows.into_iter().map(invitation_from).collect()
    }

    /// Takes an invitation back; tells whether there was one.
    pub async fn revoke_invitation(&self, world: &World, code: &str) -> Result<bool> {
        let mut tx = self.write(Subject::World(&world.id)).await?;
        let gone: Option<(String,)> = tx
            .maybe(
                "DELETE FROM invitations WHERE world = $1 AND code = $2 RETURNING note",
                &values![&world.id, code],
            )
            .await?;
        if let Some((text,)) = &gone {
            note(&mut tx, &world.id, "invitation taken back", text).await?;
        }
        tx.commit().await?;
        Ok(gone.is_some())
    }

    /// What a code invites to, as long as it holds.
    pub async fn invitation(&self, code: &str, now: i64) -> Result<Option<(World, Invitation)>> {
        let mut tx = self.read().await?;
        let Some(invitation) = open_invitation(&mut tx, code, now).await? else {
            return Ok(None);
        };
        let world = world::find(&mut tx, &invitation.world).await?;
        Ok(world.map(|world| (world, invitation)))
    }
}

type InvitationRow = (String, String, String, Option<i64>, i64, String, i64, Option<i64>);

fn invitation_from(row: InvitationRow) -> Result<Invitation> {
    let (code, world, role, realm, uses_left, note, created_at, expires_at) = row;
    let to = match (role.as_str(), realm) {
        ("master", _) => Invited::Master,
        ("player", None) => Invited::Player,
        ("player", Some(realm)) => Invited::Seat(RealmId(number(realm, "number of a realm")?)),
        (other, _) => return Err(HostError::Damaged(format!("role of an invitation {other:?}").into())),
    };
    Ok(Invitation {
        code,
        world,
        to,
        uses_left: number(uses_left, "uses of an invitation")?,
        note,
        created_at,
        expires_at,
    })
}

pub(super) async fn open_invitation(tx: &mut Tx, code: &str, now: i64) -> Result<Option<Invitation>> {
    let code: String = code
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .take(64)
        .collect::<String>()
        .to_ascii_uppercase();
    let row: Option<InvitationRow> = tx
        .maybe(
            "SELECT code, world, role, realm, uses_left, note, created_at, expires_at FROM invitations \
             WHERE code = $1 AND uses_left > 0 AND COALESCE(expires_at, $2 + 1) > $2",
            &values![&code, now],
        )
        .await?;
    row.map(invitation_from).transpose()
}

/// Sixteen letters and digits that nobody mistakes for each other: 80 random bits.
fn new_code() -> Result<String> {
    const LETTERS: [char; 32] = [
        'A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'J', 'K', 'L', 'M', 'N', 'P', 'Q', 'R', 'S', 'T', 'U', 'V', 'W', 'X',
        'Y', 'Z', '2', '3', '4', '5', '6', '7', '8', '9',
    ];
    let letters = random::<16>()?
        .into_iter()
        .filter_map(|byte| LETTERS.get(usize::from(byte % 32)));
    Ok(letters.collect())
}
