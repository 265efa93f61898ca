//! Drafts of order files: saved while the player writes, numbered, never lost by accident and never read by anybody else.
//!
//! What is saved by itself replaces the last draft that was saved by itself a moment ago; everything else begins a new
//! number. Drafts do not count in the turn: only what is submitted does.

use crate::db::{Subject, Tx, values};
use crate::error::HostError;
use crate::pack::{bytes32, pack, unpack};
use crate::store::Host;
use crate::submission::{Source, right_step, unpack_file};
use crate::world::{World, hex, number};
use crate::{Result, limits};
use kernel::codec::Digest;
use kernel::realm::RealmId;
use serde::{Deserialize, Serialize};

/// What made a draft.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DraftKind {
    /// It was saved by itself while the player wrote.
    Auto,
    /// The player saved it.
    Saved,
    /// It came as a file.
    Upload,
    /// It is an earlier draft or a submitted file that was taken up again.
    Restored,
}

impl DraftKind {
    fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Saved => "saved",
            Self::Upload => "upload",
            Self::Restored => "restored",
        }
    }

    fn parse(text: &str) -> Result<Self> {
        match text {
            "auto" => Ok(Self::Auto),
            "saved" => Ok(Self::Saved),
            "upload" => Ok(Self::Upload),
            "restored" => Ok(Self::Restored),
            other => Err(HostError::Damaged(format!("kind of a draft {other:?}").into())),
        }
    }
}

/// A draft in the list of drafts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct DraftNote {
    /// Its number among the drafts of its realm and step.
    pub number: u32,
    /// What made it.
    pub kind: DraftKind,
    /// Its size.
    pub bytes: u64,
    /// Digest of its content.
    pub digest: Digest,
    /// When it was begun, in milliseconds since 1970.
    pub began_at: i64,
    /// When it was saved last.
    pub saved_at: i64,
}

/// A draft with its content.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Draft {
    /// What the list says of it.
    pub note: DraftNote,
    /// Its content.
    pub file: Vec<u8>,
}

/// An order file that was submitted, in the list of them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Sent {
    /// Its number among the files of its realm and step; the highest counts.
    pub attempt: u32,
    /// Its receipt.
    pub receipt: String,
    /// From whom it came.
    pub source: Source,
    /// When, in milliseconds since 1970.
    pub received_at: i64,
}

impl Sent {
    /// Whether a player handed it in, and not the computer for an empty seat.
    pub fn by_player(&self) -> bool {
        self.source == Source::Player
    }
}

/// Whether a player's orders look forgotten.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Forgotten {
    /// Number of the file that counts; 0 if nothing was submitted.
    pub attempt: u32,
    /// When the file that counts came, if one did.
    pub submitted_at: Option<i64>,
    /// When the last draft was saved, if there is one.
    pub drafted_at: Option<i64>,
    /// Whether the last draft says something else than the file that counts and is younger: what was written last would not
    /// be carried out.
    pub unsent: bool,
}

impl Forgotten {
    /// Whether nothing was submitted at all.
    pub fn nothing_submitted(&self) -> bool {
        self.submitted_at.is_none()
    }
}

type NoteRow = (i64, String, i64, Vec<u8>, i64, i64);

fn note_of((of, kind, bytes, digest, began_at, saved_at): NoteRow) -> Result<DraftNote> {
    Ok(DraftNote {
        number: number(of, "number of a draft")?,
        kind: DraftKind::parse(&kind)?,
        bytes: number(bytes, "size of a draft")?,
        digest: Digest(bytes32(&digest, "digest of a draft")?),
        began_at,
        saved_at,
    })
}

/// Number, kind, bytes, digest, beginning, last change and content.
type DraftRow = (i64, String, i64, Vec<u8>, i64, i64, Vec<u8>);

impl Host {
    /// Saves a draft for the open step and says under which number. What is the same as the last draft is not saved again.
    ///
    /// # Errors
    /// If the step is not the open one, the realm has no seat, or the file is too large.
    pub async fn save_draft(
        &self,
        world: &World,
        realm: RealmId,
        step: u32,
        file: &[u8],
        kind: DraftKind,
        now: i64,
    ) -> Result<DraftNote> {
        if file.len() > kernel::limits::ORDER_FILE_BYTES {
            return Err(HostError::TooLarge {
                what: "order-file",
                size: file.len() as u64,
                limit: kernel::limits::ORDER_FILE_BYTES as u64,
            });
        }
        self.seat(world, realm).await?;
        let mut tx = self.write(Subject::World(&world.id)).await?;
        let row: Option<(i64,)> = tx
            .maybe("SELECT open_step FROM worlds WHERE id = $1", &values![&world.id])
            .await?;
        let (open,) = row.ok_or_else(|| HostError::UnknownWorld(world.name.clone()))?;
        right_step(Some(step), number(open, "number of the open step")?)?;
        let note = keep(&mut tx, world, realm, step, file, kind, now).await?;
        tx.commit().await?;
        Ok(note)
    }

    /// The last draft of a realm for a step.
    pub async fn draft(&self, world: &World, realm: RealmId, step: u32) -> Result<Option<Draft>> {
        let mut tx = self.read().await?;
        match last_note(&mut tx, world, step, realm).await? {
            Some(note) => self.draft_numbered(world, realm, step, note.number).await,
            None => Ok(None),
        }
    }

    /// A certain draft.
    pub async fn draft_numbered(&self, world: &World, realm: RealmId, step: u32, of: u32) -> Result<Option<Draft>> {
        let mut tx = self.read().await?;
        let row: Option<DraftRow> = tx
            .maybe(
                "SELECT number, kind, bytes, digest, began_at, saved_at, file FROM drafts \
                 WHERE world = $1 AND step = $2 AND realm = $3 AND number = $4",
                &values![&world.id, step, realm, of],
            )
            .await?;
        let Some((of, kind, bytes, digest, began_at, saved_at, blob)) = row else {
            return Ok(None);
        };
        let note = note_of((of, kind, bytes, digest, began_at, saved_at))?;
        let file = unpack(&blob, "draft")?;
        if Digest::of(&file) != note.digest {
            return Err(HostError::Damaged(
                format!("draft {of} of realm {realm} for turn {step} does not fit its digest").into(),
            ));
        }
        Ok(Some(Draft { note, file }))
    }

    /// The drafts of a realm for a step, the last first.
    pub async fn drafts(&self, world: &World, realm: RealmId, step: u32) -> Result<Vec<DraftNote>> {
        let mut tx = self.read().await?;
        let rows: Vec<NoteRow> = tx
            .all(
                "SELECT number, kind, bytes, digest, began_at, saved_at FROM drafts WHERE world = $1 AND step = $2 AND realm = $3 \
                 ORDER BY number DESC",
                &values![&world.id, step, realm],
            )
            .await?;
        rows.into_iter().map(note_of).collect()
    }

    /// The files that a realm submitted for a step, the one that counts first.
    pub async fn sent(&self, world: &World, realm: RealmId, step: u32) -> Result<Vec<Sent>> {
        let mut tx = self.read().await?;
        let rows: Vec<(i64, Vec<u8>, String, i64)> = tx
            .all(
                "SELECT attempt, receipt, source, received_at FROM submissions \
                 WHERE world = $1 AND step = $2 AND realm = $3 ORDER BY attempt DESC",
                &values![&world.id, step, realm],
            )
            .await?;
        rows.into_iter()
            .map(|(attempt, receipt, source, received_at)| {
                Ok(Sent {
                    attempt: number(attempt, "number of an order file")?,
                    receipt: hex(&receipt),
                    source: Source::parse(&source)?,
                    received_at,
                })
            })
            .collect()
    }

    /// A certain file that a realm submitted.
    pub async fn sent_file(&self, world: &World, realm: RealmId, step: u32, attempt: u32) -> Result<Option<Vec<u8>>> {
        let mut tx = self.read().await?;
        let row: Option<(Vec<u8>, Vec<u8>)> = tx
            .maybe(
                "SELECT file, receipt FROM submissions WHERE world = $1 AND step = $2 AND realm = $3 AND attempt = $4",
                &values![&world.id, step, realm, attempt],
            )
            .await?;
        row.map(|(file, receipt)| unpack_file(world, step, realm, &file, &receipt))
            .transpose()
    }

    /// Whether a realm's orders for a step look forgotten.
    pub async fn forgotten(&self, world: &World, realm: RealmId, step: u32) -> Result<Forgotten> {
        let draft = self.draft(world, realm, step).await?;
        let Some(sent) = self.sent(world, realm, step).await?.into_iter().next() else {
            return Ok(Forgotten {
                drafted_at: draft.map(|draft| draft.note.saved_at),
                ..Forgotten::default()
            });
        };
        let file = self.orders(world, step, realm).await?.unwrap_or_default();
        let unsent = draft
            .as_ref()
            .is_some_and(|draft| draft.note.saved_at > sent.received_at && draft.file != file);
        Ok(Forgotten {
            attempt: sent.attempt,
            submitted_at: Some(sent.received_at),
            drafted_at: draft.map(|draft| draft.note.saved_at),
            unsent,
        })
    }
}

/// The drafts of a realm since somebody holds it, for whoever asks what is stored of him.
pub(crate) async fn export(tx: &mut Tx, world: &str, realm: i64, since: i64) -> Result<Vec<serde_json::Value>> {
    let rows: Vec<(i64, i64, i64, Vec<u8>)> = tx
        .all(
            "SELECT step, number, saved_at, file FROM drafts WHERE world = $1 AND realm = $2 AND saved_at >= $3 \
             ORDER BY step, number",
            &values![world, realm, since],
        )
        .await?;
    rows.into_iter()
        .map(|(step, of, saved_at, blob)| {
            let text = String::from_utf8_lossy(&unpack(&blob, "draft")?).into_owned();
            Ok(serde_json::json!({ "turn": step, "number": of, "saved_at": saved_at, "text": text }))
        })
        .collect()
}

/// Keeps a draft within a transaction in which the step is known to be the open one.
pub(crate) async fn keep(
    tx: &mut Tx,
    world: &World,
    realm: RealmId,
    step: u32,
    file: &[u8],
    kind: DraftKind,
    now: i64,
) -> Result<DraftNote> {
    let digest = Digest::of(file);
    let last = last_note(tx, world, step, realm).await?;
    if let Some(last) = last.as_ref().filter(|last| last.digest == digest) {
        return Ok(last.clone());
    }
    // A player who writes for an hour leaves a dozen drafts, not a thousand.
    let goes_on = |last: &DraftNote| {
        let age = now.saturating_sub(last.began_at);
        kind == DraftKind::Auto && last.kind == DraftKind::Auto && age < limits::DRAFT_MILLISECONDS
    };
    let (of, began_at) = match last.as_ref() {
        Some(last) if goes_on(last) => (last.number, last.began_at),
        Some(last) => (last.number.saturating_add(1), now),
        None => (1, now),
    };
    tx.execute(
        "INSERT INTO drafts (world, step, realm, number, kind, file, digest, bytes, began_at, saved_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) \
         ON CONFLICT (world, step, realm, number) DO UPDATE SET \
         file = excluded.file, digest = excluded.digest, bytes = excluded.bytes, saved_at = excluded.saved_at",
        &values![
            &world.id,
            step,
            realm,
            of,
            kind.as_str(),
            &pack(file)?,
            &digest.0,
            i64::try_from(file.len()).unwrap_or(i64::MAX),
            began_at,
            now,
        ],
    )
    .await?;
    tx.execute(
        "DELETE FROM drafts WHERE world = $1 AND step = $2 AND realm = $3 AND number <= $4",
        &values![&world.id, step, realm, i64::from(of) - limits::DRAFTS],
    )
    .await?;
    Ok(DraftNote {
        number: of,
        kind,
        bytes: file.len() as u64,
        digest,
        began_at,
        saved_at: now,
    })
}

async fn last_note(tx: &mut Tx, world: &World, step: u32, realm: RealmId) -> Result<Option<DraftNote>> {
    let row: Option<NoteRow> = tx
        .maybe(
            "SELECT number, kind, bytes, digest, began_at, saved_at FROM drafts WHERE world = $1 AND step = $2 AND realm = $3 \
             ORDER BY number DESC LIMIT 1",
            &values![&world.id, step, realm],
        )
        .await?;
    row.map(note_of).transpose()
}
