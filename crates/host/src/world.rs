//! Worlds and seats: making them, finding them, reading what is stored.

use crate::db::{Subject, Tx, values};
use crate::error::HostError;
use crate::judgement::record_hand_over;
use crate::pack::{bytes32, pack, pack_value, unpack, unpack_value};
use crate::store::{Host, note, now, random};
use crate::text::{folded, hides};
use crate::unfit::Unfit;
use crate::{Result, limits};
use kernel::any::AnyGame;
use kernel::codec::Digest;
use kernel::dice::{Commitment, Owner, StepSecret, WorldSecret};
use kernel::game::{SeatPlan, Step, WorldPlan};
use kernel::realm::{RealmId, Viewer};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, PoisonError};

/// The plan of a new world.
#[derive(Clone, Debug, Default)]
pub struct NewWorld {
    /// Its name; unique in the store.
    pub name: String,
    /// Name of its game.
    pub game: String,
    /// Differences from the book as TOML.
    pub house_rules: String,
    /// The seats; realm numbers start at 1.
    pub seats: Vec<NewSeat>,
    /// Words from which map and dice follow, for demonstrations and tests. Whoever knows them knows everything; without
    /// them the secret is random.
    pub seed: Option<String>,
    /// Words from which the map alone follows, so that its founder can look at it before; dice stay secret.
    pub map_seed: Option<String>,
}

/// One seat of a new world.
#[derive(Clone, Debug, Default)]
pub struct NewSeat {
    /// Realm, player and kind.
    pub plan: SeatPlan,
    /// Whether the computer plays it.
    pub computer: bool,
    /// Whether somebody may take it; the computer plays it until then.
    pub vacant: bool,
}

/// A world as the list shows it.
#[derive(Clone, Debug, Serialize)]
pub struct World {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Name of its game.
    pub game: String,
    /// The step that is open for orders.
    pub open_step: u32,
    /// When it was made, in milliseconds since 1970.
    pub created_at: i64,
    /// When it was closed for good and all keys of its dice became public.
    pub closed_at: Option<i64>,
    #[serde(skip)]
    pub(crate) secret: WorldSecret,
    #[serde(skip)]
    pub(crate) inputs: i64,
}

/// A seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, serde::Deserialize)]
pub struct Seat {
    /// Number of the realm.
    pub realm: RealmId,
    /// Name of the realm.
    pub name: String,
    /// Name of the player.
    pub player: String,
    /// Kind of the realm; empty is the usual one.
    pub kind: String,
    /// Whether the computer plays it.
    pub computer: bool,
    /// Whether somebody may take it who was not invited to just this one.
    #[serde(default)]
    pub vacant: bool,
}

/// A step that was run, or the creation of the world.
#[derive(Clone, Debug, Serialize)]
pub struct StepInfo {
    /// Its number; the creation has the number before the first step.
    pub number: u32,
    /// Digest of the state after it, chained.
    pub digest: String,
    /// Number of events.
    pub events: u64,
    /// Version of the program that ran it.
    pub program: String,
    /// When, in milliseconds since 1970.
    pub ran_at: i64,
}

/// A state at rest.
pub(crate) struct Stored {
    pub number: u32,
    pub digest: Digest,
    pub state: Vec<u8>,
}

/// The published seal of one owner's dice.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Seal {
    /// Whose dice.
    pub owner: Owner,
    /// The seal in hexadecimal digits.
    pub seal: String,
}

type WorldRow = (String, String, String, Vec<u8>, i64, i64, i64, Option<i64>);

fn world_from(row: WorldRow) -> Result<World> {
    let (id, name, game, secret, open_step, inputs, created_at, closed_at) = row;
    Ok(World {
        secret: WorldSecret(bytes32(&secret, "secret of the world")?),
        open_step: number(open_step, "number of the open step")?,
        id,
        name,
        game,
        created_at,
        closed_at,
        inputs,
    })
}

/// A number of the database that must fit.
pub(crate) fn number<T: TryFrom<i64>>(value: i64, what: &str) -> Result<T> {
    T::try_from(value).map_err(|_| HostError::Damaged(format!("{what} is {value}").into()))
}

/// Number of a viewer in the database.
pub(crate) fn viewer_number(viewer: Viewer) -> i64 {
    match viewer {
        Viewer::Realm(realm) => i64::from(realm.0),
        Viewer::GameMaster => 0,
    }
}

/// Number of an owner of dice in the database.
pub(crate) fn owner_number(owner: Owner) -> i64 {
    match owner {
        Owner::Realm(realm) => i64::from(realm.0),
        Owner::World => 0,
    }
}

/// An owner of dice from its number in the database.
pub(crate) fn owner_from(value: i64) -> Result<Owner> {
    Ok(Owner::of(RealmId(number(value, "owner of dice")?)))
}

/// Hexadecimal digits of bytes.
pub fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes
        .iter()
        .fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
}

/// Thirty-two bytes from hexadecimal digits.
pub fn from_hex(text: &str) -> Result<[u8; 32]> {
    let wrong = || HostError::Malformed(Unfit::Hex(text.to_owned()));
    let digits = text.trim().as_bytes();
    if digits.len() != 64 {
        return Err(wrong());
    }
    let mut bytes = [0; 32];
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        let pair = std::str::from_utf8(pair).map_err(|_| wrong())?;
        *byte = u8::from_str_radix(pair, 16).map_err(|_| wrong())?;
    }
    Ok(bytes)
}

pub(crate) fn check_name(name: &str) -> Result<()> {
    let length = name.chars().count();
    if length == 0 || length > limits::NAME_CHARACTERS || name.trim() != name || name.chars().any(hides) {
        return Err(HostError::Malformed(Unfit::Name {
            name: name.to_owned(),
            most: limits::NAME_CHARACTERS,
        }));
    }
    Ok(())
}

impl NewWorld {
    fn check(&self) -> Result<()> {
        check_name(&self.name)?;
        if self.seats.is_empty() || self.seats.len() > kernel::limits::REALMS {
            return Err(HostError::Malformed(Unfit::Seats {
                seats: self.seats.len(),
                most: kernel::limits::REALMS,
            }));
        }
        let mut names = BTreeSet::new();
        for seat in &self.seats {
            let realm = &seat.plan.realm;
            check_name(realm)?;
            check_name(&seat.plan.player)?;
            // Orders and letters name realms.
            if !names.insert(folded(realm)) {
                return Err(HostError::Malformed(Unfit::Twice(realm.clone())));
            }
        }
        Ok(())
    }

    fn secret(&self) -> Result<WorldSecret> {
        Ok(WorldSecret(match &self.seed {
            Some(seed) => blake3::derive_key("briefwelt world secret from a seed 1", seed.as_bytes()),
            None => random()?,
        }))
    }

    /// The secret from which the map of a plan with a seed follows.
    pub(crate) fn map_secret(&self) -> Result<StepSecret> {
        let secret = match &self.map_seed {
            Some(seed) => WorldSecret(blake3::derive_key("briefwelt map from a seed 1", seed.as_bytes())),
            None => self.secret()?,
        };
        Ok(secret.step(0))
    }
}

impl Host {
    /// Makes a world. Works on the calling thread; `progress` hears done and total parts of the work.
    pub async fn create(&self, plan: &NewWorld, progress: &mut (dyn FnMut(u32, u32) + Send)) -> Result<World> {
        let game = self.admit(plan).await?;
        let secret = plan.secret()?;
        let map = match plan.map_seed {
            Some(_) => plan.map_secret()?,
            None => secret.step(0),
        };
        let seats = WorldPlan {
            seats: plan.seats.iter().map(|seat| seat.plan.clone()).collect(),
        };
        let state = game.create(&plan.house_rules, &seats, &map, progress)?;
        self.settle(plan, game.as_ref(), hex(&random::<8>()?), secret, &state)
            .await
    }

    /// Makes a world with this id that begins with this state of its game, instead of a random id and a state that the game
    /// makes up. House rules are part of the state; those of the plan are not looked at.
    pub async fn create_from(&self, plan: &NewWorld, id: &str, state: &[u8]) -> Result<World> {
        let game = self.admit(plan).await?;
        self.settle(plan, game.as_ref(), id.to_owned(), plan.secret()?, state)
            .await
    }

    /// The game of a plan, if a world can be made of it.
    async fn admit(&self, plan: &NewWorld) -> Result<Arc<dyn AnyGame>> {
        plan.check()?;
        let game = self.game(&plan.game)?;
        match self.find(&plan.name).await? {
            Some(_) => Err(HostError::WorldExists(plan.name.clone())),
            None => Ok(game),
        }
    }

    /// Stores a new world.
    async fn settle(
        &self,
        plan: &NewWorld,
        game: &dyn AnyGame,
        id: String,
        secret: WorldSecret,
        state: &[u8],
    ) -> Result<World> {
        let open = game.open_step(state)?;
        let Some(creation) = open.number.checked_sub(1) else {
            return Err(HostError::Broken("the first step has the number 0".into()));
        };
        let mut views = Vec::new();
        let mut trouble = None;
        game.first_views(state, &mut |viewer, bytes| {
            match pack(bytes) {
                Ok(blob) => views.push((viewer, blob)),
                Err(error) => trouble = Some(error),
            }
            Ok(())
        })?;
        if let Some(error) = trouble {
            return Err(error);
        }
        let world = World {
            id,
            name: plan.name.clone(),
            game: game.name().to_owned(),
            open_step: open.number,
            created_at: now(),
            closed_at: None,
            secret,
            inputs: 0,
        };
        let seats: Vec<Seat> = (1..)
            .zip(&plan.seats)
            .map(|(number, seat)| Seat {
                realm: RealmId(number),
                name: seat.plan.realm.clone(),
                player: seat.plan.player.clone(),
                kind: seat.plan.kind.clone(),
                computer: seat.computer || seat.vacant,
                vacant: seat.vacant,
            })
            .collect();
        let mut tx = self.write(Subject::Store).await?;
        insert_world(&mut tx, &world, &seats).await?;
        insert_step(
            &mut tx,
            &world.id,
            StepRow {
                number: creation,
                digest: Digest::default().then(state),
                state: &pack(state)?,
                input: None,
                requests: None,
                rolls: None,
                events: 0,
                opens: &open,
            },
        )
        .await?;
        for (viewer, blob) in views {
            insert_view(&mut tx, &world.id, creation, viewer, &blob).await?;
        }
        insert_seals(&mut tx, &world, &open).await?;
        note(&mut tx, &world.id, "world made", &format!("{} seats", seats.len())).await?;
        tx.commit().await?;
        Ok(world)
    }

    /// All worlds by name.
    pub async fn worlds(&self) -> Result<Vec<World>> {
        let mut tx = self.read().await?;
        all(&mut tx).await
    }

    async fn find(&self, name: &str) -> Result<Option<World>> {
        let mut tx = self.read().await?;
        find(&mut tx, name).await
    }

    /// The world with this name or id; without one, the only world there is.
    pub async fn world(&self, name: Option<&str>) -> Result<World> {
        match name {
            Some(name) => self
                .find(name)
                .await?
                .ok_or_else(|| HostError::UnknownWorld(name.to_owned())),
            None => {
                let mut worlds = self.worlds().await?;
                match worlds.len() {
                    1 => Ok(worlds.remove(0)),
                    _ => Err(HostError::WhichWorld(
                        worlds.into_iter().map(|world| world.name).collect(),
                    )),
                }
            }
        }
    }

    /// The seats of a world by number.
    pub async fn seats(&self, world: &World) -> Result<Vec<Seat>> {
        let mut tx = self.read().await?;
        seats(&mut tx, &world.id).await
    }

    /// The seat of a realm.
    pub async fn seat(&self, world: &World, realm: RealmId) -> Result<Seat> {
        let mut tx = self.read().await?;
        seat(&mut tx, world, realm).await
    }

    /// Hands a seat to another player, or to the computer. The realm stays what it is.
    pub async fn reseat(&self, world: &World, realm: RealmId, player: &str, computer: bool) -> Result<()> {
        check_name(player)?;
        let mut tx = self.write(Subject::World(&world.id)).await?;
        let before = seat(&mut tx, world, realm).await?;
        // Who only lets the computer stand in stays the player that reports name.
        if before.player != player {
            record_hand_over(&mut tx, &*self.game_of(world)?, world, realm, player, None).await?;
        }
        tx.execute(
            "UPDATE seats SET player = $3, computer = $4 WHERE world = $1 AND realm = $2",
            &values![&world.id, realm.0, player, computer],
        )
        .await?;
        if before.player == player && computer {
            note(&mut tx, &world.id, "computer stands in", &format!("realm {realm}")).await?;
        } else {
            let detail = format!("realm {realm} to {player}");
            note(&mut tx, &world.id, "seat handed over", &detail).await?;
        }
        tx.commit().await?;
        Ok(())
    }

    /// The step that is open for orders.
    pub async fn open_step(&self, world: &World) -> Result<Step> {
        let mut tx = self.read().await?;
        self.open_step_in(&mut tx, world).await
    }

    /// The open step, within a transaction. It follows from the last state alone and is stored beside it, so that a large world
    /// is not unpacked for every order file that comes.
    pub(crate) async fn open_step_in(&self, tx: &mut Tx, world: &World) -> Result<Step> {
        let (digest,): (Vec<u8>,) = tx
            .one(
                "SELECT digest FROM steps WHERE world = $1 ORDER BY number DESC LIMIT 1",
                &values![&world.id],
            )
            .await?;
        let digest = Digest(bytes32(&digest, "digest of a step")?);
        let kept = |steps: &OpenSteps| {
            let (of, step) = steps.get(&world.id)?;
            (*of == digest).then(|| step.clone())
        };
        if let Some(step) = kept(&self.open_steps.lock().unwrap_or_else(PoisonError::into_inner)) {
            return Ok(step);
        }
        let (opens,): (Option<Vec<u8>>,) = tx
            .one(
                "SELECT opens FROM steps WHERE world = $1 ORDER BY number DESC LIMIT 1",
                &values![&world.id],
            )
            .await?;
        let step = match opens {
            Some(opens) => unpack_value(&opens, "open step")?,
            None => {
                // When many come at once to such a world, the first of them unpacks it for all.
                let _opening = self.opening.lock().await;
                if let Some(step) = kept(&self.open_steps.lock().unwrap_or_else(PoisonError::into_inner)) {
                    return Ok(step);
                }
                let stored = last_state(tx, &world.id).await?;
                self.game(&world.game)?.open_step(&stored.state)?
            }
        };
        let mut steps = self.open_steps.lock().unwrap_or_else(PoisonError::into_inner);
        if steps.len() >= OPEN_STEPS {
            steps.clear();
        }
        steps.insert(world.id.clone(), (digest, step.clone()));
        Ok(step)
    }

    /// The open step as it is stored, and as the last state itself tells it.
    pub(crate) async fn open_step_again(&self, world: &World) -> Result<(Step, Step)> {
        let mut tx = self.read().await?;
        let stored = self.open_step_in(&mut tx, world).await?;
        let last = last_state(&mut tx, &world.id).await?;
        Ok((stored, self.game(&world.game)?.open_step(&last.state)?))
    }

    /// The creation and the steps that were run.
    pub async fn steps(&self, world: &World) -> Result<Vec<StepInfo>> {
        let mut tx = self.read().await?;
        let rows: Vec<(i64, Vec<u8>, i64, String, i64)> = tx
            .all(
                "SELECT number, digest, events, program, ran_at FROM steps WHERE world = $1 ORDER BY number",
                &values![&world.id],
            )
            .await?;
        rows.into_iter()
            .map(|(step, digest, events, program, ran_at)| {
                Ok(StepInfo {
                    number: number(step, "number of a step")?,
                    digest: hex(&digest),
                    events: number(events, "number of events")?,
                    program,
                    ran_at,
                })
            })
            .collect()
    }

    /// What a viewer knew after a step (without one: after the last), and the number of that step.
    pub async fn view(&self, world: &World, viewer: Viewer, step: Option<u32>) -> Result<(u32, Vec<u8>)> {
        let mut tx = self.read().await?;
        if let Viewer::Realm(realm) = viewer {
            seat(&mut tx, world, realm).await?;
        }
        view(&mut tx, world, viewer, step).await
    }

    /// What a viewer was told in all steps up to one (without it: the last), the first step first; of very many the last ones.
    pub async fn views(&self, world: &World, viewer: Viewer, step: Option<u32>) -> Result<Vec<Vec<u8>>> {
        let mut tx = self.read().await?;
        if let Viewer::Realm(realm) = viewer {
            seat(&mut tx, world, realm).await?;
        }
        let (last, _) = view(&mut tx, world, viewer, step).await?;
        let mut rows: Vec<(Vec<u8>,)> = tx
            .all(
                "SELECT view FROM views WHERE world = $1 AND viewer = $2 AND step <= $3 ORDER BY step DESC LIMIT $4",
                &values![&world.id, viewer_number(viewer), last, limits::STEPS_RETOLD],
            )
            .await?;
        rows.reverse();
        rows.into_iter().map(|(blob,)| unpack(&blob, "stored view")).collect()
    }

    /// The viewers for whom something is stored after a step, realms first.
    pub async fn viewers(&self, world: &World, step: u32) -> Result<Vec<Viewer>> {
        let mut tx = self.read().await?;
        let rows: Vec<(i64,)> = tx
            .all(
                "SELECT viewer FROM views WHERE world = $1 AND step = $2 ORDER BY viewer = 0, viewer",
                &values![&world.id, step],
            )
            .await?;
        rows.into_iter()
            .map(|(viewer,)| {
                Ok(match number(viewer, "viewer")? {
                    0 => Viewer::GameMaster,
                    realm => Viewer::Realm(RealmId(realm)),
                })
            })
            .collect()
    }

    /// The published seals of a step's dice keys.
    pub async fn seals(&self, world: &World, step: u32) -> Result<Vec<Seal>> {
        let mut tx = self.read().await?;
        Ok(seals(&mut tx, &world.id, step)
            .await?
            .into_iter()
            .map(|(owner, seal)| Seal {
                owner,
                seal: hex(&seal.0),
            })
            .collect())
    }

    /// The record of deeds: time, deed and detail.
    pub async fn audit(&self, world: &World) -> Result<Vec<(i64, String, String)>> {
        let mut tx = self.read().await?;
        tx.all(
            "SELECT at, deed, detail FROM audit WHERE world = $1 ORDER BY number",
            &values![&world.id],
        )
        .await
    }

    pub(crate) fn game_of(&self, world: &World) -> Result<Arc<dyn AnyGame>> {
        self.game(&world.game)
    }
}

/// The secret of a computer player's own dice: not the world's, so that his thinking never touches a real die.
pub(crate) fn computer_secret(world: &World, step: u32, realm: RealmId) -> StepSecret {
    let name = format!("computer player of realm {realm} in step {step}");
    StepSecret(*blake3::keyed_hash(&world.secret.0, name.as_bytes()).as_bytes())
}

pub(crate) async fn all(tx: &mut Tx) -> Result<Vec<World>> {
    let rows: Vec<WorldRow> = tx
        .all(
            "SELECT id, name, game, secret, open_step, inputs, created_at, closed_at FROM worlds ORDER BY name LIMIT $1",
            &values![limits::WORLDS],
        )
        .await?;
    rows.into_iter().map(world_from).collect()
}

pub(crate) async fn find(tx: &mut Tx, name: &str) -> Result<Option<World>> {
    let row: Option<WorldRow> = tx
        .maybe(
            "SELECT id, name, game, secret, open_step, inputs, created_at, closed_at FROM worlds WHERE name = $1 OR id = $1 \
         ORDER BY name <> $1 LIMIT 1",
            &values![name],
        )
        .await?;
    row.map(world_from).transpose()
}

type SeatRow = (i64, String, String, String, i64, i64);

fn seat_from((realm, name, player, kind, computer, vacant): SeatRow) -> Result<Seat> {
    Ok(Seat {
        realm: RealmId(number(realm, "number of a realm")?),
        name,
        player,
        kind,
        computer: computer != 0,
        vacant: vacant != 0,
    })
}

pub(crate) async fn seats(tx: &mut Tx, world: &str) -> Result<Vec<Seat>> {
    let rows: Vec<SeatRow> = tx
        .all(
            "SELECT realm, name, player, kind, computer, vacant FROM seats WHERE world = $1 ORDER BY realm",
            &values![world],
        )
        .await?;
    rows.into_iter().map(seat_from).collect()
}

pub(crate) async fn seat(tx: &mut Tx, world: &World, realm: RealmId) -> Result<Seat> {
    let row: Option<SeatRow> = tx
        .maybe(
            "SELECT realm, name, player, kind, computer, vacant FROM seats WHERE world = $1 AND realm = $2",
            &values![&world.id, realm],
        )
        .await?;
    let row = row.ok_or_else(|| HostError::UnknownRealm {
        world: world.name.clone(),
        realm,
    })?;
    seat_from(row)
}

/// Worlds whose open step is kept.
const OPEN_STEPS: usize = 256;

/// The open step of worlds by id, with the digest of the state from which it follows.
pub(crate) type OpenSteps = BTreeMap<String, (Digest, Step)>;

pub(crate) async fn last_state(tx: &mut Tx, world: &str) -> Result<Stored> {
    let row: (i64, Vec<u8>, Vec<u8>) = tx
        .one(
            "SELECT number, digest, state FROM steps WHERE world = $1 ORDER BY number DESC LIMIT 1",
            &values![world],
        )
        .await?;
    stored(row)
}

/// The state in which a world was made.
pub(crate) async fn first_state(tx: &mut Tx, world: &str) -> Result<Stored> {
    let row: (i64, Vec<u8>, Vec<u8>) = tx
        .one(
            "SELECT number, digest, state FROM steps WHERE world = $1 ORDER BY number LIMIT 1",
            &values![world],
        )
        .await?;
    stored(row)
}

pub(crate) async fn state_after(tx: &mut Tx, world: &str, step: u32) -> Result<Option<Stored>> {
    let row: Option<(i64, Vec<u8>, Vec<u8>)> = tx
        .maybe(
            "SELECT number, digest, state FROM steps WHERE world = $1 AND number = $2",
            &values![world, step],
        )
        .await?;
    row.map(stored).transpose()
}

fn stored((step, digest, state): (i64, Vec<u8>, Vec<u8>)) -> Result<Stored> {
    Ok(Stored {
        number: number(step, "number of a step")?,
        digest: Digest(bytes32(&digest, "digest of a step")?),
        state: unpack(&state, "state of the world")?,
    })
}

/// The newest view up to `step`: a realm that had no part in a step keeps what it knew.
pub(crate) async fn view(tx: &mut Tx, world: &World, viewer: Viewer, step: Option<u32>) -> Result<(u32, Vec<u8>)> {
    let (first, last): (i64, i64) = tx
        .one(
            "SELECT COALESCE(MIN(number), 0), COALESCE(MAX(number), 0) FROM steps WHERE world = $1",
            &values![&world.id],
        )
        .await?;
    let wanted = step.map_or(last, i64::from);
    let unknown = || HostError::UnknownStep {
        whom: Some(viewer),
        step: u32::try_from(wanted).unwrap_or(u32::MAX),
        first: u32::try_from(first).unwrap_or(0),
        last: u32::try_from(last).unwrap_or(0),
    };
    if !(first..=last).contains(&wanted) {
        return Err(unknown());
    }
    let row: Option<(i64, Vec<u8>)> = tx
        .maybe(
            "SELECT step, view FROM views WHERE world = $1 AND viewer = $2 AND step <= $3 ORDER BY step DESC LIMIT 1",
            &values![&world.id, viewer_number(viewer), wanted],
        )
        .await?;
    let (step, blob) = row.ok_or_else(unknown)?;
    Ok((number(step, "number of a step")?, unpack(&blob, "stored view")?))
}

pub(crate) async fn seals(tx: &mut Tx, world: &str, step: u32) -> Result<Vec<(Owner, Commitment)>> {
    let rows: Vec<(i64, Vec<u8>)> = tx
        .all(
            "SELECT owner, seal FROM seals WHERE world = $1 AND step = $2 ORDER BY owner",
            &values![world, step],
        )
        .await?;
    rows.into_iter()
        .map(|(owner, seal)| Ok((owner_from(owner)?, Commitment(bytes32(&seal, "seal")?))))
        .collect()
}

pub(crate) async fn insert_world(tx: &mut Tx, world: &World, seats: &[Seat]) -> Result<()> {
    let (count,): (i64,) = tx.one("SELECT COUNT(*) FROM worlds", &values![]).await?;
    if count >= limits::WORLDS {
        return Err(HostError::TooLarge {
            what: "worlds",
            size: count.unsigned_abs() + 1,
            limit: limits::WORLDS.unsigned_abs(),
        });
    }
    if let Some(same) = find(tx, &world.id).await? {
        return Err(HostError::SameWorld(same.name));
    }
    if find(tx, &world.name).await?.is_some() {
        return Err(HostError::WorldExists(world.name.clone()));
    }
    tx.execute(
        "INSERT INTO worlds (id, name, game, secret, open_step, inputs, created_at, closed_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        &values![
            &world.id,
            &world.name,
            &world.game,
            &world.secret.0,
            world.open_step,
            world.inputs,
            world.created_at,
            world.closed_at
        ],
    )
    .await?;
    for seat in seats {
        insert_seat(tx, &world.id, seat).await?;
    }
    Ok(())
}

pub(crate) async fn insert_seat(tx: &mut Tx, world: &str, seat: &Seat) -> Result<()> {
    tx.execute(
        "INSERT INTO seats (world, realm, name, player, kind, computer, vacant) VALUES ($1, $2, $3, $4, $5, $6, $7)",
        &values![
            world,
            seat.realm.0,
            &seat.name,
            &seat.player,
            &seat.kind,
            seat.computer,
            seat.vacant
        ],
    )
    .await?;
    Ok(())
}

/// A row of the steps that this program run writes; blobs are packed.
pub(crate) struct StepRow<'a> {
    pub number: u32,
    pub digest: Digest,
    pub state: &'a [u8],
    pub input: Option<&'a [u8]>,
    pub requests: Option<&'a [u8]>,
    pub rolls: Option<&'a [u8]>,
    pub events: u64,
    pub opens: &'a Step,
}

pub(crate) async fn insert_step(tx: &mut Tx, world: &str, row: StepRow<'_>) -> Result<()> {
    tx.execute(
        "INSERT INTO steps (world, number, digest, state, input, requests, rolls, events, program, ran_at, opens) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
        &values![
            world,
            row.number,
            &row.digest.0,
            row.state,
            row.input,
            row.requests,
            row.rolls,
            i64::try_from(row.events).unwrap_or(i64::MAX),
            env!("CARGO_PKG_VERSION"),
            now(),
            &pack_value(row.opens)?
        ],
    )
    .await?;
    Ok(())
}

pub(crate) async fn insert_view(tx: &mut Tx, world: &str, step: u32, viewer: Viewer, blob: &[u8]) -> Result<()> {
    tx.execute(
        "INSERT INTO views (world, step, viewer, view) VALUES ($1, $2, $3, $4)",
        &values![world, step, viewer_number(viewer), blob],
    )
    .await?;
    Ok(())
}

/// Publishes the seals of the keys of a step that is about to be open: one for the world and one for every realm.
///
/// Every seat gets one, whether it owes orders in this step or not: its armies can be attacked in any step.
pub(crate) async fn insert_seals(tx: &mut Tx, world: &World, open: &Step) -> Result<()> {
    let secret = crate::desk::step_secret(tx, world, open.number).await?;
    let realms = seats(tx, &world.id)
        .await?
        .into_iter()
        .map(|seat| Owner::of(seat.realm));
    for owner in std::iter::once(Owner::World).chain(realms) {
        insert_seal(tx, &world.id, open.number, owner, &secret.key(owner).commitment().0).await?;
    }
    Ok(())
}

pub(crate) async fn insert_seal(tx: &mut Tx, world: &str, step: u32, owner: Owner, seal: &[u8]) -> Result<()> {
    tx.execute(
        "INSERT INTO seals (world, step, owner, seal) VALUES ($1, $2, $3, $4)",
        &values![world, step, owner_number(owner), seal],
    )
    .await?;
    Ok(())
}
