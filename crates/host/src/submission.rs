//! Order files: checked from the realm's own knowledge, taken in with a receipt, never overwritten.

use crate::damage::Damage;
use crate::db::{Subject, Tx, values};
use crate::draft::{self, DraftKind};
use crate::error::HostError;
use crate::pack::{bytes32, pack, unpack};
use crate::store::{Host, note, now};
use crate::world::{self, World, hex, number};
use crate::{Result, limits};
use kernel::any::Checked;
use kernel::codec::Digest;
use kernel::diagnostic::{Diagnostic, Severity};
use kernel::game::{ArrivedFiles, Step};
use kernel::realm::{RealmId, Viewer};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// From whom an order file came.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// The player, or someone for the player.
    Player,
    /// A computer player, when the step was run.
    Computer,
}

impl Source {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Player => "player",
            Self::Computer => "computer",
        }
    }

    pub(crate) fn parse(text: &str) -> Result<Self> {
        match text {
            "player" => Ok(Self::Player),
            "computer" => Ok(Self::Computer),
            other => Err(HostError::Damaged(format!("source of an order file {other:?}").into())),
        }
    }
}

/// An order file as it arrives.
#[derive(Clone, Copy, Debug)]
pub struct Arrival<'a> {
    /// The realm it is for.
    pub realm: RealmId,
    /// The step it is for; without one, the open step.
    pub step: Option<u32>,
    /// Its content.
    pub file: &'a [u8],
    /// Its name and what came along.
    pub files: ArrivedFiles<'a>,
}

/// What the host says to an order file before or after taking it in.
#[derive(Clone, Debug, Serialize)]
pub struct Answer {
    /// The step it is for.
    pub step: u32,
    /// The realm.
    pub realm: RealmId,
    /// Orders that were understood.
    pub orders: usize,
    /// Findings, those about the file itself first.
    pub diagnostics: Vec<Diagnostic>,
    /// The receipt, once the file is taken in: a digest of world, step, realm and content.
    pub receipt: Option<String>,
    /// How many files of this realm for this step came before.
    pub replaced: u32,
}

impl Answer {
    /// Number of findings of this weight.
    pub fn count(&self, severity: Severity) -> usize {
        self.diagnostics
            .iter()
            .filter(|finding| finding.severity == severity)
            .count()
    }
}

/// How a file is taken in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Taking {
    /// Until the deadline and its grace have passed.
    InTime,
    /// Until then, and kept as a draft as well.
    WithDraft,
    /// Although they may have passed.
    Late,
}

/// Where one realm stands in the open step.
#[derive(Clone, Debug, Serialize)]
pub struct Standing {
    /// The realm.
    pub realm: RealmId,
    /// Its name.
    pub name: String,
    /// Its player.
    pub player: String,
    /// Whether the computer plays it.
    pub computer: bool,
    /// Whether it owes orders in this step.
    pub owes: bool,
    /// Receipt of the file that counts.
    pub receipt: Option<String>,
    /// When that file came, in milliseconds since 1970.
    pub received_at: Option<i64>,
    /// How many files came.
    pub attempts: u32,
}

/// The receipt of a file: it binds the host to what it took in, for whom and when it counts.
pub fn receipt(world: &World, step: u32, realm: RealmId, file: &[u8]) -> Digest {
    let header = format!("briefwelt receipt 1\nworld {}\nstep {step}\nrealm {realm}\n", world.id);
    Digest::of(header.as_bytes()).then(file)
}

impl Host {
    /// Checks an order file without taking it in.
    pub async fn check(&self, world: &World, arrival: Arrival<'_>) -> Result<Answer> {
        let step = self.due(world, arrival).await?;
        let (_, view) = self.view(world, Viewer::Realm(arrival.realm), None).await?;
        let game = self.game_of(world)?;
        let mut diagnostics = game.check_files(arrival.realm, arrival.files);
        let Checked {
            orders,
            diagnostics: more,
        } = game.check(&view, arrival.file)?;
        diagnostics.extend(more);
        Ok(Answer {
            step: step.number,
            realm: arrival.realm,
            orders,
            diagnostics,
            receipt: None,
            replaced: 0,
        })
    }

    /// Takes an order file in. A file with mistakes is taken in as well: what can be carried out will be. Only a file
    /// that is refused as a whole (its name, its realm, no text at all) is not, and nothing is after the deadline and its
    /// grace. The file that came before then still counts.
    pub async fn submit(&self, world: &World, arrival: Arrival<'_>, now: i64) -> Result<Answer> {
        self.take_in(world, arrival, Taking::InTime, now).await
    }

    /// Takes an order file in and keeps it as a draft in the same transaction, so that whoever wrote it here goes on from it.
    pub async fn submit_draft(&self, world: &World, arrival: Arrival<'_>, now: i64) -> Result<Answer> {
        self.take_in(world, arrival, Taking::WithDraft, now).await
    }

    /// Takes an order file in although its deadline may have passed: the game master's own decision, which stands in the
    /// record.
    pub async fn submit_late(&self, world: &World, arrival: Arrival<'_>, now: i64) -> Result<Answer> {
        self.take_in(world, arrival, Taking::Late, now).await
    }

    async fn take_in(&self, world: &World, arrival: Arrival<'_>, taking: Taking, now: i64) -> Result<Answer> {
        let mut answer = self.check(world, arrival).await?;
        let findings = self.game_of(world)?.check_files(arrival.realm, arrival.files);
        if findings.iter().any(|finding| finding.severity == Severity::Error) || !is_text(arrival.file) {
            return Ok(answer);
        }
        let blob = pack(arrival.file)?;
        let receipt = receipt(world, answer.step, arrival.realm, arrival.file);
        let mut tx = self.write(Subject::World(&world.id)).await?;
        // Looked at where the file is written: a deadline that moves meanwhile counts as it is then.
        let deadline = crate::schedule::deadline(&mut tx, &world.id, answer.step).await?;
        let late = deadline.filter(|deadline| now > deadline.grace_until);
        if let Some(deadline) = late.filter(|_| taking != Taking::Late) {
            return Err(HostError::Late {
                step: answer.step,
                due_at: deadline.due_at,
            });
        }
        let before = insert_submission(
            &mut tx,
            world,
            answer.step,
            arrival.realm,
            &blob,
            receipt,
            Source::Player,
        )
        .await?;
        take_input(&mut tx, world, answer.step).await?;
        if taking == Taking::WithDraft {
            let kind = DraftKind::Saved;
            draft::keep(&mut tx, world, arrival.realm, answer.step, arrival.file, kind, now).await?;
        }
        crate::schedule::after_submission(&mut tx, &world.id, now).await?;
        let detail = format!("realm {} turn {} receipt {receipt}", arrival.realm, answer.step);
        let deed = if late.is_some() {
            "orders taken in late"
        } else {
            "orders taken in"
        };
        note(&mut tx, &world.id, deed, &detail).await?;
        tx.commit().await?;
        answer.receipt = Some(receipt.to_string());
        answer.replaced = before;
        Ok(answer)
    }

    /// Where every realm stands in the open step.
    pub async fn standings(&self, world: &World) -> Result<(Step, Vec<Standing>)> {
        let mut tx = self.read().await?;
        let step = self.open_step_in(&mut tx, world).await?;
        let seats = world::seats(&mut tx, &world.id).await?;
        let rows: Vec<(i64, Vec<u8>, i64, i64)> = tx
            .all(
                "SELECT realm, receipt, received_at, attempt FROM submissions WHERE world = $1 AND step = $2 \
             ORDER BY realm, attempt",
                &values![&world.id, step.number],
            )
            .await?;
        let last: BTreeMap<i64, (Vec<u8>, i64, i64)> = rows
            .into_iter()
            .map(|(realm, receipt, at, attempt)| (realm, (receipt, at, attempt)))
            .collect();
        let standings = seats
            .into_iter()
            .map(|seat| {
                let sent = last.get(&i64::from(seat.realm.0));
                Ok(Standing {
                    owes: step.owes.contains(&seat.realm),
                    receipt: sent.map(|(receipt, ..)| hex(receipt)),
                    received_at: sent.map(|(_, at, _)| *at),
                    attempts: number(sent.map_or(0, |(_, _, attempt)| *attempt), "number of order files")?,
                    realm: seat.realm,
                    name: seat.name,
                    player: seat.player,
                    computer: seat.computer,
                })
            })
            .collect::<Result<_>>()?;
        Ok((step, standings))
    }

    /// Where one realm stands in the open step.
    pub async fn standing(&self, world: &World, realm: RealmId) -> Result<Standing> {
        let mut tx = self.read().await?;
        let step = self.open_step_in(&mut tx, world).await?;
        let seat = world::seat(&mut tx, world, realm).await?;
        let sent: Option<(Vec<u8>, i64, i64)> = tx
            .maybe(
                "SELECT receipt, received_at, attempt FROM submissions WHERE world = $1 AND step = $2 AND realm = $3 \
                 ORDER BY attempt DESC LIMIT 1",
                &values![&world.id, step.number, realm],
            )
            .await?;
        Ok(Standing {
            owes: step.owes.contains(&realm),
            receipt: sent.as_ref().map(|(receipt, ..)| hex(receipt)),
            received_at: sent.as_ref().map(|(_, at, _)| *at),
            attempts: number(sent.map_or(0, |(_, _, attempt)| attempt), "number of order files")?,
            realm,
            name: seat.name,
            player: seat.player,
            computer: seat.computer,
        })
    }

    /// The order file of a realm that counted in a step, or counts now.
    pub async fn orders(&self, world: &World, step: u32, realm: RealmId) -> Result<Option<Vec<u8>>> {
        let mut tx = self.read().await?;
        let row: Option<(Vec<u8>, Vec<u8>)> = tx
            .maybe(
                "SELECT file, receipt FROM submissions WHERE world = $1 AND step = $2 AND realm = $3 \
             ORDER BY attempt DESC LIMIT 1",
                &values![&world.id, step, realm.0],
            )
            .await?;
        row.map(|(file, stored)| unpack_file(world, step, realm, &file, &stored))
            .transpose()
    }

    /// The steps for which a realm's player sent orders, with the number of the file that counted.
    pub async fn sent_by_step(&self, world: &World, realm: RealmId) -> Result<BTreeMap<u32, u32>> {
        let mut tx = self.read().await?;
        let rows: Vec<(i64, i64)> = tx
            .all(
                "SELECT step, MAX(attempt) FROM submissions WHERE world = $1 AND realm = $2 AND source = 'player' \
                 GROUP BY step ORDER BY step",
                &values![&world.id, realm.0],
            )
            .await?;
        rows.into_iter()
            .map(|(step, attempt)| {
                Ok((
                    number(step, "number of a step")?,
                    number(attempt, "number of order files")?,
                ))
            })
            .collect()
    }

    /// The open step, if this realm may send orders for it and the file is within the limit.
    async fn due(&self, world: &World, arrival: Arrival<'_>) -> Result<Step> {
        if arrival.file.len() > kernel::limits::ORDER_FILE_BYTES {
            return Err(HostError::TooLarge {
                what: "order-file",
                size: arrival.file.len() as u64,
                limit: kernel::limits::ORDER_FILE_BYTES as u64,
            });
        }
        self.seat(world, arrival.realm).await?;
        let open = self.open_step(world).await?;
        right_step(arrival.step, open.number)?;
        let closed = self.world(Some(&world.id)).await?.closed_at;
        if open.over || closed.is_some() {
            return Err(HostError::Over(world.name.clone()));
        }
        if !open.plays.contains(&arrival.realm) {
            return Err(HostError::NotDue {
                realm: arrival.realm,
                step: open.number,
            });
        }
        Ok(open)
    }
}

/// Whether a file can be one that a person wrote: a picture or an archive sent by mistake must not take the place of orders.
///
/// Single odd characters are the business of the game, which says where they stand. Here it counts that there are zero bytes
/// before the padding at the end of the file, or that more than one byte in thirty-two is a control character.
pub fn is_text(file: &[u8]) -> bool {
    let padding = file.iter().rev().take_while(|byte| matches!(byte, 0 | 0x1a)).count();
    let (text, padding) = file.split_at(file.len() - padding);
    // Programs of old computers fill up the last block behind their end mark; zeros alone are no text.
    if text.contains(&0) || (text.is_empty() && padding.contains(&0)) {
        return false;
    }
    let is_control = |byte: &&u8| **byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c | 0x1a);
    text.iter().filter(is_control).count() <= text.len() / 32
}

/// Whether the step asked for, if any, is the open one.
pub(crate) fn right_step(asked: Option<u32>, open: u32) -> Result<()> {
    match asked {
        Some(step) if step < open => Err(HostError::AlreadyRun { step, open }),
        Some(step) if step > open => Err(HostError::NotOpen { step, open }),
        _ => Ok(()),
    }
}

pub(crate) fn unpack_file(world: &World, step: u32, realm: RealmId, blob: &[u8], stored: &[u8]) -> Result<Vec<u8>> {
    let file = unpack(blob, "order file")?;
    if receipt(world, step, realm, &file).0 == bytes32(stored, "receipt")? {
        Ok(file)
    } else {
        Err(HostError::Damaged(Damage::Receipt { realm, turn: step }))
    }
}

/// Makes sure that `step` is still open, and tells a running step that its input has grown.
pub(crate) async fn take_input(tx: &mut Tx, world: &World, step: u32) -> Result<()> {
    let row: Option<(i64,)> = tx
        .maybe(
            "UPDATE worlds SET inputs = inputs + 1 WHERE id = $1 RETURNING open_step",
            &values![&world.id],
        )
        .await?;
    let (open,) = row.ok_or_else(|| HostError::UnknownWorld(world.name.clone()))?;
    right_step(Some(step), number(open, "number of the open step")?)
}

/// Stores an order file and returns how many came before.
pub(crate) async fn insert_submission(
    tx: &mut Tx,
    world: &World,
    step: u32,
    realm: RealmId,
    blob: &[u8],
    receipt: Digest,
    source: Source,
) -> Result<u32> {
    let (before,): (i64,) = tx
        .one(
            "SELECT COALESCE(MAX(attempt), 0) FROM submissions WHERE world = $1 AND step = $2 AND realm = $3",
            &values![&world.id, step, realm.0],
        )
        .await?;
    if before >= limits::ATTEMPTS {
        return Err(HostError::TooLarge {
            what: "order-files",
            size: before.unsigned_abs() + 1,
            limit: limits::ATTEMPTS.unsigned_abs(),
        });
    }
    tx.execute(
        "INSERT INTO submissions (world, step, realm, attempt, file, receipt, source, received_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        &values![
            &world.id,
            step,
            realm.0,
            before + 1,
            blob,
            &receipt.0,
            source.as_str(),
            now()
        ],
    )
    .await?;
    number(before, "number of order files")
}

/// The files that count in a step, one for every realm that sent one.
pub(crate) async fn counting_files(tx: &mut Tx, world: &World, step: u32) -> Result<BTreeMap<RealmId, Vec<u8>>> {
    let rows: Vec<(i64, Vec<u8>, Vec<u8>)> = tx
        .all(
            "SELECT s.realm, s.file, s.receipt FROM submissions s WHERE s.world = $1 AND s.step = $2 AND s.attempt = \
         (SELECT MAX(t.attempt) FROM submissions t WHERE t.world = s.world AND t.step = s.step AND t.realm = s.realm) \
         ORDER BY s.realm",
            &values![&world.id, step],
        )
        .await?;
    rows.into_iter()
        .map(|(realm, file, stored)| {
            let realm = RealmId(number(realm, "number of a realm")?);
            Ok((realm, unpack_file(world, step, realm, &file, &stored)?))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_person_wrote_is_text_in_every_encoding() {
        for text in [
            &b""[..],
            b"$A\r\nK.M 1 0 V\r\n",
            b"\xEF\xBB\xBF; B\xC3\xA4r",
            b"Gr\x81\xE1e aus dem S\x81den",
            b"$A\nK.M 1 0 V\n\x1a\0\0\0\0",
            b"; one bell in a line that is long enough\x07",
        ] {
            assert!(is_text(text), "{text:?}");
        }
    }

    #[test]
    fn pictures_archives_and_wide_letters_are_no_text() {
        for file in [
            &b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\0"[..],
            b"PK\x03\x04\x14\0\0\0",
            b"$\0A\0\n\0K\0",
            b"\0\0\0\0",
            b"\x01\x02\x03\x04",
        ] {
            assert!(!is_text(file), "{file:?}");
        }
    }
}
