//! Replays: the same input gives the same bytes, however often, in whatever order it arrived, and after being stored.

use crate::play::secret;
use crate::random::Random;
use kernel::any::{Adapter, AnyGame, StoredInput, state_schema};
use kernel::campaign::{Campaign, Setting};
use kernel::codec::{self, Digest};
use kernel::dice::Dice;
use kernel::game::Game;
use kernel::guide::Guide;
use kernel::realm::{RealmId, Viewer};
use std::collections::BTreeMap;

/// Everything a step leaves behind, as two digests and what the viewers hold.
#[derive(Clone, Debug)]
struct Trace {
    state: Vec<u8>,
    chain: Digest,
    all: Digest,
    views: BTreeMap<RealmId, Vec<u8>>,
}

/// Plays `steps` steps of a random setting; every step is run three times: as it is, with the files handed in in another order,
/// and after storing and reading back both state and input. Later orders come from the computer players.
///
/// # Errors
/// What differs, or why a step could not be run.
pub fn replay<G: Campaign>(seed: u64, steps: u32) -> Result<Digest, String> {
    replay_from::<G>(G::setting(&mut Dice::Keyed(secret(seed, 0)))?, seed, steps)
}

/// The same from a given setting.
///
/// # Errors
/// What differs, or why a step could not be run.
pub fn replay_from<G: Guide>(setting: Setting<G>, seed: u64, steps: u32) -> Result<Digest, String> {
    let game = Adapter::<G>::new();
    let mut state = codec::encode(state_schema::<G>(), &setting.state).map_err(|error| error.to_string())?;
    let mut files = setting.files;
    let mut chain = Digest::of(&state);
    let mut random = Random::new(seed);
    for step in 1..=steps {
        let first = run(
            &game,
            &state,
            chain,
            &input(files.iter().map(|(realm, file)| (*realm, file.clone()))),
            seed,
            step,
        )?;
        let mut order: Vec<(RealmId, Vec<u8>)> = files.clone().into_iter().collect();
        random.shuffle(&mut order);
        let permuted = run(&game, &state, chain, &input(order.into_iter()), seed, step)?;
        let (restored, stored_input) = restore::<G>(&state, &files)?;
        let again = run(&game, &restored, chain, &stored_input, seed, step)?;
        for (what, other) in [("in another order", &permuted), ("from what is stored", &again)] {
            if other.all != first.all || other.chain != first.chain {
                return Err(format!("seed {seed}, step {step}: run {what}, the digest differs"));
            }
        }
        files = next_orders(&game, &first.views, seed, step)?;
        state = first.state;
        chain = first.chain;
    }
    Ok(chain)
}

fn input(files: impl Iterator<Item = (RealmId, Vec<u8>)>) -> StoredInput {
    let mut input = StoredInput::default();
    for (realm, file) in files {
        input.files.insert(realm, file);
    }
    input
}

fn run(
    game: &dyn AnyGame,
    state: &[u8],
    chain: Digest,
    input: &StoredInput,
    seed: u64,
    step: u32,
) -> Result<Trace, String> {
    let mut all = Digest::default();
    let mut views = BTreeMap::new();
    let result = game
        .run(state, chain, input, &secret(seed, step), &mut |viewer, bytes| {
            all = all.then(format!("{viewer:?}").as_bytes()).then(bytes);
            if let Viewer::Realm(realm) = viewer {
                views.insert(realm, bytes.to_vec());
            }
            Ok(())
        })
        .map_err(|error| format!("seed {seed}, step {step}: {error}"))?;
    all = all.then(format!("{:?}{:?}", result.rolls, result.requests).as_bytes());
    Ok(Trace {
        all: all.then(&result.state),
        chain: result.digest,
        state: result.state,
        views,
    })
}

/// State and input, written and read again.
fn restore<G: Game>(state: &[u8], files: &BTreeMap<RealmId, Vec<u8>>) -> Result<(Vec<u8>, StoredInput), String> {
    let value: G::State = codec::decode(state_schema::<G>(), state).map_err(|error| error.to_string())?;
    let state = codec::encode(state_schema::<G>(), &value).map_err(|error| error.to_string())?;
    let json = serde_json::to_string(files).map_err(|error| error.to_string())?;
    let files = serde_json::from_str(&json).map_err(|error| error.to_string())?;
    Ok((
        state,
        StoredInput {
            files,
            ..StoredInput::default()
        },
    ))
}

fn next_orders(
    game: &dyn AnyGame,
    views: &BTreeMap<RealmId, Vec<u8>>,
    seed: u64,
    step: u32,
) -> Result<BTreeMap<RealmId, Vec<u8>>, String> {
    let mut files = BTreeMap::new();
    for (realm, view) in views {
        let own = secret(seed ^ u64::from(realm.0).rotate_left(32), step);
        let orders = game.computer_player(view, &own).map_err(|error| error.to_string())?;
        files.insert(*realm, orders.into_bytes());
    }
    Ok(files)
}
