//! A world as one file: everything that is stored of it but its letters, in one piece that can be checked.
//!
//! Layout: the sixteen bytes of [`MAGIC`], the number of the format as two bytes (little-endian), then one zstd stream of
//! records. A record is its length in four bytes (little-endian) and a MessagePack value with named fields, one of
//! [`Record`]. The first record is `World`, the last `End` with the number of records before it and the BLAKE3 digest of
//! all their bytes, lengths included. Nothing follows. States, views and files are unpacked in their records.
//!
//! An exported world holds the world's secret: it is for the game master alone until the world has ended.

use crate::Result;
use crate::db::{Subject, Tx, values};
use crate::error::HostError;
use crate::frame::{Reader, Writer, broken, flawed};
use crate::judgement::{Judgement, insert_judgement};
use crate::pack::{bytes32, pack, unpack};
use crate::store::{Host, note};
use crate::submission::{Source, receipt};
use crate::unfit::Flaw;
use crate::world::{self, Seat, World, number};
use kernel::codec::Digest;
use kernel::dice::WorldSecret;
use kernel::realm::{RealmId, Viewer};
use serde::{Deserialize, Serialize};
use std::path::Path;

mod press;

pub use crate::frame::{Blob, Exported};
pub use press::{ArmsRecord, ArticleRecord, IssueRecord};

/// How an exported world begins.
pub const MAGIC: [u8; 16] = *b"BRIEFWELT WORLD\n";

/// Number of the format.
const FORMAT: u16 = 1;

/// One record of an exported world.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Record {
    /// The world itself: always first.
    World {
        /// Its id.
        id: String,
        /// Its name.
        name: String,
        /// Name of its game.
        game: String,
        /// Its secret.
        secret: Blob,
        /// The open step.
        open_step: u32,
        /// When it was made.
        created_at: i64,
        /// When it was closed.
        #[serde(default)]
        closed_at: Option<i64>,
    },
    /// A seat.
    Seat(Seat),
    /// The creation or a step that was run, in order.
    Step {
        /// Its number.
        number: u32,
        /// Chained digest of the state.
        digest: Blob,
        /// The state.
        state: Blob,
        /// Recorded input, if any.
        input: Option<Blob>,
        /// Questions for the game master.
        requests: Option<Blob>,
        /// Dice.
        rolls: Option<Blob>,
        /// Number of events.
        events: i64,
        /// Version of the program.
        program: String,
        /// When.
        ran_at: i64,
    },
    /// A turn that was taken back, before the seals of its later attempts.
    Withdrawn {
        /// Its number.
        step: u32,
        /// How often it had been taken back before.
        attempt: u32,
        /// Digest of the state that no longer holds.
        digest: Blob,
        /// The state that no longer holds.
        state: Blob,
        /// Recorded input.
        input: Option<Blob>,
        /// Why it was taken back.
        reason: String,
        /// When it had been run.
        ran_at: i64,
        /// When it was taken back.
        withdrawn_at: i64,
    },
    /// The published seal of a dice key.
    Seal {
        /// For which step.
        step: u32,
        /// Realm, or 0 for the world.
        owner: u16,
        /// The seal.
        seal: Blob,
    },
    /// What a viewer knew after a step.
    View {
        /// The step.
        step: u32,
        /// Realm, or 0 for the game master.
        viewer: u16,
        /// The view.
        view: Blob,
    },
    /// An order file.
    Submission {
        /// For which step.
        step: u32,
        /// Of which realm.
        realm: RealmId,
        /// Number of the attempt.
        attempt: u32,
        /// Its content.
        file: Blob,
        /// From whom.
        source: Source,
        /// When it came.
        received_at: i64,
    },
    /// A judgement of the game master.
    Judgement(Judgement),
    /// A line of the record of deeds.
    Deed {
        /// When.
        at: i64,
        /// The account that did it, if one did.
        #[serde(default)]
        who: String,
        /// What.
        deed: String,
        /// More about it.
        detail: String,
    },
    /// A coat of arms that a realm chose.
    Arms(ArmsRecord),
    /// A printed issue of the newspaper.
    Issue(IssueRecord),
    /// An article of the issue before it.
    Article(ArticleRecord),
    /// The end.
    End {
        /// Number of records before this one.
        records: u64,
        /// Digest of their bytes.
        digest: Blob,
    },
}

impl Host {
    /// Writes a world to a file, which appears under its name only when it is complete.
    pub async fn export(&self, world: &World, path: &Path) -> Result<Exported> {
        let mut writer = Writer::create(path, MAGIC, FORMAT)?;
        let mut tx = self.read().await?;
        write_world(&mut tx, world, &mut |record| writer.put(&record)).await?;
        let (records, digest) = writer.so_far();
        writer.put(&Record::End { records, digest })?;
        writer.finish()
    }

    /// Reads an exported world into the store, all of it or nothing. `name` gives it another name.
    pub async fn import(&self, path: &Path, name: Option<&str>) -> Result<World> {
        let mut reader = Reader::open(path, MAGIC, FORMAT)?;
        let mut tx = self.write(Subject::Store).await?;
        let read = self.read_archive(&mut tx, &mut reader, name).await;
        let world = read.map_err(|error| match error {
            // Whatever contradicts itself in here came with the file: the store itself is sound.
            HostError::Damaged(why) => broken(&why.to_string()),
            HostError::Broken(why) => broken(&why),
            HostError::Malformed(why) => broken(&why.to_string()),
            HostError::Game(error) => broken(&error.to_string()),
            other => other,
        })?;
        note(
            &mut tx,
            &world.id,
            "world imported",
            &format!("{} records", reader.so_far().0),
        )
        .await?;
        tx.commit().await?;
        Ok(world)
    }

    async fn read_archive(&self, tx: &mut Tx, reader: &mut Reader, name: Option<&str>) -> Result<World> {
        let mut intake = match reader.next()? {
            Record::World {
                id,
                name: own,
                game,
                secret,
                open_step,
                created_at,
                closed_at,
            } => {
                if id.len() > 64 || !id.chars().all(|letter| letter.is_ascii_alphanumeric()) {
                    return Err(broken("its id is malformed"));
                }
                let name = name.unwrap_or(&own);
                world::check_name(name)?;
                let world = World {
                    id,
                    name: name.to_owned(),
                    game: self.game(&game)?.name().to_owned(),
                    open_step,
                    created_at,
                    closed_at,
                    secret: WorldSecret(bytes32(&secret.0, "secret").map_err(|_| broken("its secret is malformed"))?),
                    inputs: 0,
                };
                world::insert_world(tx, &world, &[]).await?;
                Intake {
                    world,
                    seats: 0,
                    last: None,
                    seals: 0,
                }
            }
            _ => return Err(broken("it does not begin with a world")),
        };
        loop {
            let (before, digest) = reader.so_far();
            match reader.next()? {
                Record::End { records, digest: told } => {
                    if records != before || told != digest {
                        return Err(flawed(Flaw::Digest));
                    }
                    reader.expect_end()?;
                    break;
                }
                record => intake.take(tx, record).await?,
            }
        }
        intake.finish(self)
    }
}

/// An import under way: what must hold from record to record.
struct Intake {
    world: World,
    seats: u16,
    last: Option<(u32, Digest, Vec<u8>)>,
    seals: u64,
}

impl Intake {
    async fn take(&mut self, tx: &mut Tx, record: Record) -> Result<()> {
        let id = self.world.id.clone();
        match record {
            Record::World { .. } | Record::End { .. } => Err(broken("a second world follows")),
            Record::Seat(seat) => {
                self.seats += 1;
                if seat.realm != RealmId(self.seats) || usize::from(self.seats) > kernel::limits::REALMS {
                    return Err(broken("its seats are not in order"));
                }
                world::check_name(&seat.name)?;
                world::check_name(&seat.player)?;
                world::insert_seat(tx, &id, &seat).await
            }
            Record::Step {
                number,
                digest,
                state,
                input,
                requests,
                rolls,
                events,
                program,
                ran_at,
            } => {
                let before = match &self.last {
                    Some((last, digest, _)) if last.checked_add(1) == Some(number) => *digest,
                    None => Digest::default(),
                    Some(_) => return Err(broken("its turns are not in order")),
                };
                let chained = before.then(&state.0);
                if chained.0[..] != digest.0[..] {
                    return Err(broken(&format!(
                        "the state after turn {number} does not fit its digest"
                    )));
                }
                let packed = |blob: Option<Blob>| blob.map(|blob| pack(&blob.0)).transpose();
                tx.execute(
                    "INSERT INTO steps (world, number, digest, state, input, requests, rolls, events, program, ran_at) \
                     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
                    &values![
                        &id,
                        number,
                        &digest.0,
                        &pack(&state.0)?,
                        packed(input)?.as_deref(),
                        packed(requests)?.as_deref(),
                        packed(rolls)?.as_deref(),
                        events,
                        &program,
                        ran_at
                    ],
                )
                .await?;
                self.last = Some((number, chained, state.0));
                Ok(())
            }
            Record::Withdrawn {
                step,
                attempt,
                digest,
                state,
                input,
                reason,
                ran_at,
                withdrawn_at,
            } => {
                let input = input.map(|blob| pack(&blob.0)).transpose()?;
                tx.execute(
                    "INSERT INTO withdrawn_steps (world, step, attempt, digest, state, input, reason, ran_at, \
                     withdrawn_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
                    &values![
                        &id,
                        step,
                        attempt,
                        &digest.0,
                        &pack(&state.0)?,
                        input.as_deref(),
                        &reason,
                        ran_at,
                        withdrawn_at
                    ],
                )
                .await?;
                Ok(())
            }
            Record::Seal { step, owner, seal } => {
                let of = world::owner_from(i64::from(owner))?;
                let secret = crate::desk::step_secret(tx, &self.world, step).await?;
                if secret.key(of).commitment().0[..] != seal.0[..] {
                    return Err(broken(&format!("a seal of turn {step} does not fit its key")));
                }
                self.seals += 1;
                world::insert_seal(tx, &id, step, of, &seal.0).await
            }
            Record::View { step, viewer, view } => {
                let viewer = match viewer {
                    0 => Viewer::GameMaster,
                    realm => Viewer::Realm(RealmId(realm)),
                };
                world::insert_view(tx, &id, step, viewer, &pack(&view.0)?).await
            }
            Record::Submission {
                step,
                realm,
                attempt,
                file,
                source,
                received_at,
            } => {
                if file.0.len() > kernel::limits::ORDER_FILE_BYTES {
                    return Err(broken("an order file is too large"));
                }
                tx.execute(
                    "INSERT INTO submissions (world, step, realm, attempt, file, receipt, source, received_at) \
                     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
                    &values![
                        &id,
                        step,
                        realm.0,
                        attempt,
                        &pack(&file.0)?,
                        &receipt(&self.world, step, realm, &file.0).0,
                        source.as_str(),
                        received_at
                    ],
                )
                .await?;
                Ok(())
            }
            Record::Judgement(judgement) => insert_judgement(tx, &id, &judgement).await,
            Record::Arms(arms) => press::take_arms(tx, &id, &arms).await,
            Record::Issue(issue) => press::take_issue(tx, &id, &issue).await,
            Record::Article(article) => press::take_article(tx, &id, &article).await,
            Record::Deed { at, who, deed, detail } => crate::store::note_by(tx, &id, at, &who, &deed, &detail).await,
        }
    }

    fn finish(self, host: &Host) -> Result<World> {
        let Some((last, _, state)) = self.last else {
            return Err(broken("it holds no state"));
        };
        let open = host.game_of(&self.world)?.open_step(&state)?;
        if last.checked_add(1) != Some(open.number) || open.number != self.world.open_step {
            return Err(broken("its last turn is missing"));
        }
        if self.seats == 0 || self.seals == 0 {
            return Err(broken("it holds no seats or no seals"));
        }
        Ok(self.world)
    }
}

type StepRow = (
    i64,
    Vec<u8>,
    Vec<u8>,
    Option<Vec<u8>>,
    Option<Vec<u8>>,
    Option<Vec<u8>>,
    i64,
    String,
    i64,
);

/// Hands every record of a world but the end to `put`.
pub(crate) async fn write_world(
    tx: &mut Tx,
    world: &World,
    put: &mut (dyn FnMut(Record) -> Result<()> + Send),
) -> Result<()> {
    let world = world::find(tx, &world.id)
        .await?
        .ok_or_else(|| HostError::UnknownWorld(world.name.clone()))?;
    put(Record::World {
        id: world.id.clone(),
        name: world.name.clone(),
        game: world.game.clone(),
        secret: Blob(world.secret.0.to_vec()),
        open_step: world.open_step,
        created_at: world.created_at,
        closed_at: world.closed_at,
    })?;
    for seat in world::seats(tx, &world.id).await? {
        put(Record::Seat(seat))?;
    }
    let unpacked = |blob: Option<Vec<u8>>, what: &str| blob.map(|blob| unpack(&blob, what).map(Blob)).transpose();
    let numbers: Vec<(i64,)> = tx
        .all(
            "SELECT number FROM steps WHERE world = $1 ORDER BY number",
            &values![&world.id],
        )
        .await?;
    for (step,) in numbers {
        let (step, digest, state, input, requests, rolls, events, program, ran_at): StepRow = tx
            .one(
                "SELECT number, digest, state, input, requests, rolls, events, program, ran_at FROM steps \
             WHERE world = $1 AND number = $2",
                &values![&world.id, step],
            )
            .await?;
        put(Record::Step {
            number: number(step, "number of a step")?,
            digest: Blob(digest),
            state: Blob(unpack(&state, "state of the world")?),
            input: unpacked(input, "input of a step")?,
            requests: unpacked(requests, "requests of a step")?,
            rolls: unpacked(rolls, "dice of a step")?,
            events,
            program,
            ran_at,
        })?;
    }
    write_withdrawn(tx, &world, put).await?;
    write_views(tx, &world, put).await?;
    press::write(tx, &world.id, put).await?;
    write_inputs(tx, &world, put).await
}

type WithdrawnRow = (i64, i64, Vec<u8>, Vec<u8>, Option<Vec<u8>>, String, i64, i64);

async fn write_withdrawn(tx: &mut Tx, world: &World, put: &mut (dyn FnMut(Record) -> Result<()> + Send)) -> Result<()> {
    let rows: Vec<WithdrawnRow> = tx
        .all(
            "SELECT step, attempt, digest, state, input, reason, ran_at, withdrawn_at FROM withdrawn_steps \
             WHERE world = $1 ORDER BY step, attempt",
            &values![&world.id],
        )
        .await?;
    for (step, attempt, digest, state, input, reason, ran_at, withdrawn_at) in rows {
        put(Record::Withdrawn {
            step: number(step, "number of a step")?,
            attempt: number(attempt, "number of an attempt")?,
            digest: Blob(digest),
            state: Blob(unpack(&state, "state of the world")?),
            input: input
                .map(|blob| unpack(&blob, "input of a step").map(Blob))
                .transpose()?,
            reason,
            ran_at,
            withdrawn_at,
        })?;
    }
    Ok(())
}

async fn write_views(tx: &mut Tx, world: &World, put: &mut (dyn FnMut(Record) -> Result<()> + Send)) -> Result<()> {
    let seals: Vec<(i64, i64, Vec<u8>)> = tx
        .all(
            "SELECT step, owner, seal FROM seals WHERE world = $1 ORDER BY step, owner",
            &values![&world.id],
        )
        .await?;
    for (step, owner, seal) in seals {
        put(Record::Seal {
            step: number(step, "number of a step")?,
            owner: number(owner, "owner of dice")?,
            seal: Blob(seal),
        })?;
    }
    let keys: Vec<(i64, i64)> = tx
        .all(
            "SELECT step, viewer FROM views WHERE world = $1 ORDER BY viewer, step",
            &values![&world.id],
        )
        .await?;
    for (step, viewer) in keys {
        let (view,): (Vec<u8>,) = tx
            .one(
                "SELECT view FROM views WHERE world = $1 AND step = $2 AND viewer = $3",
                &values![&world.id, step, viewer],
            )
            .await?;
        put(Record::View {
            step: number(step, "number of a step")?,
            viewer: number(viewer, "viewer")?,
            view: Blob(unpack(&view, "view")?),
        })?;
    }
    Ok(())
}

type SubmissionRow = (i64, i64, i64, Vec<u8>, Vec<u8>, String, i64);

async fn write_inputs(tx: &mut Tx, world: &World, put: &mut (dyn FnMut(Record) -> Result<()> + Send)) -> Result<()> {
    let files: Vec<SubmissionRow> = tx
        .all(
            "SELECT step, realm, attempt, file, receipt, source, received_at FROM submissions WHERE world = $1 \
         ORDER BY step, realm, attempt",
            &values![&world.id],
        )
        .await?;
    for (step, realm, attempt, file, stored, source, received_at) in files {
        let step = number(step, "number of a step")?;
        let realm = RealmId(number(realm, "number of a realm")?);
        put(Record::Submission {
            step,
            realm,
            attempt: number(attempt, "number of an order file")?,
            file: Blob(crate::submission::unpack_file(world, step, realm, &file, &stored)?),
            source: Source::parse(&source)?,
            received_at,
        })?;
    }
    let steps: Vec<(i64,)> = tx
        .all(
            "SELECT DISTINCT step FROM judgements WHERE world = $1 ORDER BY step",
            &values![&world.id],
        )
        .await?;
    for (step,) in steps {
        for judgement in crate::judgement::judgements(tx, world, number(step, "number of a step")?).await? {
            put(Record::Judgement(judgement))?;
        }
    }
    let deeds: Vec<(i64, String, String, String)> = tx
        .all(
            "SELECT at, who, deed, detail FROM audit WHERE world = $1 ORDER BY number",
            &values![&world.id],
        )
        .await?;
    for (at, who, deed, detail) in deeds {
        put(Record::Deed { at, who, deed, detail })?;
    }
    Ok(())
}
