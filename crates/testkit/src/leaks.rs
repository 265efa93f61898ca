//! Non-interference: what a realm cannot know never changes a byte of what it receives.
//!
//! A random setting and its scrambled twin are run with the same keys. Everything the viewer receives, before the first step
//! and after each, must be the same to the last byte. Two kinds of twins are looked at: some differ in all that cannot show
//! within one step, others only in what stays hidden for several, and are followed as long as it does.

use crate::exposure::{self, Exposure};
use crate::guided;
use crate::play::secret;
use crate::press::Press;
use kernel::any::{self, state_schema};
use kernel::campaign::{Campaign, Setting};
use kernel::codec;
use kernel::dice::Dice;
use kernel::game::{self, Brief, Game};
use kernel::guide::Guide;
use kernel::realm::{RealmId, Viewer};
use kernel::turn::Input;
use std::collections::BTreeMap;

/// What a realm could tell apart.
#[derive(Clone, Debug)]
pub struct Leak {
    /// Seed of the setting.
    pub seed: u64,
    /// Who can tell.
    pub viewer: RealmId,
    /// When, where and what differs.
    pub difference: String,
}

impl std::fmt::Display for Leak {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "seed {}, realm {}: {}", self.seed, self.viewer, self.difference)
    }
}

/// Steps that the second kind of twins is followed.
const STEPS: u32 = 3;

/// What a search for leaks looked at.
#[derive(Clone, Debug, Default)]
pub struct LeakTally {
    /// Settings.
    pub worlds: u64,
    /// Viewers in all settings.
    pub viewers: u64,
    /// Steps of twins that were compared.
    pub steps: u64,
    /// Bytes that were compared.
    pub bytes: u64,
    /// Twins that were in truth no different: they prove nothing.
    pub idle: u64,
    /// What was found.
    pub leaks: Vec<Leak>,
}

impl LeakTally {
    /// One line for people.
    pub fn text(&self) -> String {
        format!(
            "{} worlds, {} viewers, {} steps, {} bytes compared, {} twins without difference, {} leaks",
            self.worlds,
            self.viewers,
            self.steps,
            self.bytes,
            self.idle,
            self.leaks.len()
        )
    }
}

/// Looks for leaks in the settings of these seeds, every realm of each as viewer.
pub fn search<G: Campaign>(seeds: std::ops::Range<u64>, press: &dyn Press, progress: &mut dyn FnMut(u64)) -> LeakTally {
    let mut tally = LeakTally::default();
    for seed in seeds {
        tally.worlds += 1;
        let (setting, viewers) = match world::<G>(seed) {
            Ok(world) => world,
            Err(difference) => {
                let viewer = RealmId::NOBODY;
                tally.leaks.push(Leak {
                    seed,
                    viewer,
                    difference,
                });
                continue;
            }
        };
        for viewer in viewers {
            tally.viewers += 1;
            for (kind, steps) in [1, STEPS].into_iter().enumerate() {
                let twin = twin::<G>(&setting, seed, viewer, kind > 0, steps);
                match compare::<G>(&setting, &twin, viewer, seed, steps, press) {
                    Ok(compared) => {
                        tally.steps += u64::from(compared.steps);
                        tally.bytes += compared.bytes;
                        tally.idle += u64::from(compared.idle);
                    }
                    Err(difference) => tally.leaks.push(Leak {
                        seed,
                        viewer,
                        difference,
                    }),
                }
            }
        }
        progress(seed);
    }
    tally
}

/// The setting with everything changed that the viewer cannot come to know within so many steps.
fn twin<G: Campaign>(setting: &Setting<G>, seed: u64, viewer: RealmId, followed: bool, steps: u32) -> Setting<G> {
    // Another key for each viewer and kind, so that the twins differ in different things.
    let lot = 1 + u32::from(viewer.0) * 2 + u32::from(followed);
    G::scramble(setting, viewer, steps, &mut Dice::Keyed(secret(seed, lot)))
}

/// A world as the store keeps it, with its order files.
#[derive(Clone, Debug)]
pub struct Kept {
    /// The state.
    pub state: Vec<u8>,
    /// The order files.
    pub files: BTreeMap<RealmId, Vec<u8>>,
}

/// The world of a seed as the store keeps it, and for each of its realms a twin that differs in all that the realm cannot
/// come to know within one step.
///
/// # Errors
/// If the game cannot make or store the setting.
pub fn kept_twins<G: Campaign>(seed: u64) -> Result<(Kept, BTreeMap<RealmId, Kept>), String> {
    let keep = |setting: &Setting<G>| -> Result<Kept, String> {
        Ok(Kept {
            state: stored::<G>(&setting.state)?,
            files: setting.files.clone(),
        })
    };
    let (setting, viewers) = world::<G>(seed)?;
    let mut twins = BTreeMap::new();
    for viewer in viewers {
        twins.insert(viewer, keep(&twin::<G>(&setting, seed, viewer, false, 1))?);
    }
    Ok((keep(&setting)?, twins))
}

/// The setting of a seed and its realms.
fn world<G: Campaign>(seed: u64) -> Result<(Setting<G>, Vec<RealmId>), String> {
    let setting = G::setting(&mut Dice::Keyed(secret(seed, 0)))?;
    let tables = G::tables(G::house_rules(&setting.state))?;
    let viewers = G::open_step(&tables, &setting.state).plays;
    Ok((setting, viewers))
}

/// What one comparison looked at.
#[derive(Clone, Copy, Debug)]
pub struct Compared {
    /// Steps for which the twins were followed.
    pub steps: u32,
    /// Bytes of the viewer's exposure.
    pub bytes: u64,
    /// Whether the two worlds are the same after the last step.
    pub idle: bool,
}

/// Runs up to `steps` steps in both worlds with the same keys and compares what `viewer` receives before and after each. It
/// ends early when what differs comes within the viewer's reach.
///
/// # Errors
/// The first difference, readable.
pub fn compare<G: Campaign>(
    one: &Setting<G>,
    two: &Setting<G>,
    viewer: RealmId,
    seed: u64,
    steps: u32,
    press: &dyn Press,
) -> Result<Compared, String> {
    let mut compared = Compared {
        steps: 0,
        bytes: 0,
        idle: false,
    };
    let (mut one, mut two) = (one.clone(), two.clone());
    loop {
        let number = compared.steps + 1;
        if one.files.get(&viewer) != two.files.get(&viewer) {
            return Err(format!("in step {number} the viewer's own orders differ"));
        }
        let (before_one, after_one, state_one) = lived::<G>(&one, viewer, seed, press)?;
        let (before_two, after_two, state_two) = lived::<G>(&two, viewer, seed, press)?;
        if let Some(difference) = before_one.difference(&before_two) {
            return Err(format!("before step {number}, {difference}"));
        }
        if let Some(difference) = after_one.difference(&after_two) {
            return Err(format!("after step {number}, {difference}"));
        }
        compared.steps = number;
        compared.bytes += u64::try_from(before_one.bytes() + after_one.bytes()).unwrap_or(u64::MAX);
        let goes_on = number < steps
            && G::unknowable(&state_one, &state_two, viewer)
                .map_err(|difference| format!("after step {number}, in the world itself, {difference}"))?;
        if !goes_on {
            compared.idle = stored::<G>(&state_one)? == stored::<G>(&state_two)?;
            return Ok(compared);
        }
        for (setting, state) in [(&mut one, state_one), (&mut two, state_two)] {
            // The lots of the orders are drawn with the same key in both worlds.
            setting.files = G::orders(&state, &mut Dice::Keyed(secret(!seed, number)));
            setting.state = state;
        }
    }
}

fn stored<G: Game>(state: &G::State) -> Result<Vec<u8>, String> {
    codec::encode(state_schema::<G>(), state).map_err(|error| error.to_string())
}

/// What the viewer receives before and after a step, and the world after it.
fn lived<G: Guide>(
    setting: &Setting<G>,
    viewer: RealmId,
    seed: u64,
    press: &dyn Press,
) -> Result<(Exposure, Exposure, G::State), String> {
    let tables = G::tables(G::house_rules(&setting.state))?;
    G::invariants(&tables, &setting.state).map_err(|law| format!("the setting breaks a law of the game: {law}"))?;
    let brief = Brief {
        viewer: Viewer::Realm(viewer),
        told: Vec::new(),
        diagnostics: Vec::new(),
    };
    let view = G::view(&tables, &setting.state, brief);
    let mut before = exposure::expose::<G>(press, &view)?;
    if let Some(file) = setting.files.get(&viewer) {
        before.add_findings("check", &any::check::<G>(&tables, &view, file).diagnostics);
        guided::add_preview::<G>(&mut before, press, &tables, &view, file);
    }
    let mut input = Input::<G>::default();
    for (realm, file) in &setting.files {
        if let Some(seat) = G::seat(&tables, &setting.state, *realm) {
            input.orders.insert(*realm, G::parse(&tables, &seat, file));
        }
    }
    let step = G::open_step(&tables, &setting.state).number;
    let outcome = game::run::<G>(&tables, setting.state.clone(), &input, Dice::Keyed(secret(seed, step)));
    G::invariants(&tables, &outcome.state).map_err(|law| format!("the step breaks a law of the game: {law}"))?;
    let lists = game::audiences::<G>(&outcome);
    let events = lists.get(&viewer).map_or(&[][..], Vec::as_slice);
    let view = game::view::<G>(&tables, &outcome, Viewer::Realm(viewer), events.iter().copied());
    let mut after = exposure::expose::<G>(press, &view)?;
    after.add_findings("findings", outcome.refusals.get(&viewer).map_or(&[][..], Vec::as_slice));
    let orders = G::computer_player(&tables, &view, &mut Dice::Keyed(secret(seed, step)));
    after.add("computer player", orders);
    Ok((before, after, outcome.state))
}
