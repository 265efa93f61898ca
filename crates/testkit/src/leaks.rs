//! Non-interference: what a realm cannot know never changes a byte of what it receives.
//!
//! A random setting and its scrambled twin are run with the same keys. Everything the viewer receives, before the first step
//! and after each, must be the same to the last byte. Two kinds of twins are looked at: some differ in all that cannot show
//! within one step, others only in what stays hidden for several, and are followed as long as it does.
//!
//! What a viewer holds is his stored view, his own order file and the findings about it; reports, maps and every answer of the guide are
//! made of nothing else. Of the first kind of twins all of it is made in both worlds and compared. Of those that are followed, what the
//! viewer holds is compared, and the rest is made where that differs, to tell how.

use crate::exposure::{self, Exposure};
use crate::play::secret;
use crate::press::Press;
use crate::{guided, laws};
use kernel::any::{self, open_view, state_schema, view_schema};
use kernel::campaign::{Campaign, Setting};
use kernel::codec;
use kernel::diagnostic::Diagnostic;
use kernel::dice::Dice;
use kernel::game::{self, Brief, Game};
use kernel::guide::Guide;
use kernel::realm::{RealmId, Viewer};
use kernel::turn::{Input, Outcome};
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
    /// The fields of the world by name, and whether some twin had other values there: a secret that no twin has otherwise could leak unseen.
    pub fields: BTreeMap<String, bool>,
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
        let own_values = values_by_field(&setting.state);
        let mut history = History::new(setting.clone(), seed);
        for viewer in viewers {
            tally.viewers += 1;
            for (followed, steps, look) in [(false, 1, Look::Everything), (true, STEPS, Look::Held)] {
                let twin = twin::<G>(&setting, seed, viewer, followed, steps);
                // The first kind of twins differs in more.
                if !followed {
                    note_fields(&mut tally.fields, &own_values, &twin.state);
                }
                let mut other = History::new(twin, seed);
                match compare::<G>(&mut history, &mut other, viewer, steps, look, press) {
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
    tally.fields.retain(|field, _| G::SECRETS.hold(field));
    tally
}

/// What is wrong with what a game calls secret: secret fields that no twin of these seeds has otherwise, open ones that a twin has
/// otherwise, names that no world has. Nothing is run, so many worlds can be looked at.
pub fn ill_proven<G: Campaign>(seeds: std::ops::Range<u64>) -> Vec<String> {
    let mut fields = BTreeMap::new();
    for seed in seeds {
        let Ok((setting, viewers)) = world::<G>(seed) else {
            return vec![format!("the world of seed {seed} cannot be made")];
        };
        let own_values = values_by_field(&setting.state);
        for viewer in viewers {
            let twin = twin::<G>(&setting, seed, viewer, false, 1);
            note_fields(&mut fields, &own_values, &twin.state);
        }
    }
    let faults = fields
        .iter()
        .filter_map(|(field, differs)| match (G::SECRETS.hold(field), *differs) {
            (true, false) => Some(format!("{field}: secret, but in no twin otherwise")),
            (false, true) => Some(format!("{field}: open to all, but in a twin otherwise")),
            _ => None,
        });
    let unknown = G::SECRETS.named().iter().filter(|name| !fields.contains_key(**name));
    faults
        .chain(unknown.map(|name| format!("{name}: named, but in no world")))
        .collect()
}

/// Notes which fields a twin has otherwise.
fn note_fields<S: std::fmt::Debug>(
    fields: &mut BTreeMap<String, bool>,
    own_values: &BTreeMap<String, Vec<String>>,
    twin: &S,
) {
    for (field, values) in values_by_field(twin) {
        let differs = own_values.get(&field) != Some(&values);
        *fields.entry(field).or_default() |= differs;
    }
}

/// All values that stand in fields of the same name, one after the other: what a struct prints of itself is `name: value`, line by line.
/// What only opens a bracket is no value: what stands inside has names of its own.
fn values_by_field<S: std::fmt::Debug>(state: &S) -> BTreeMap<String, Vec<String>> {
    let mut fields: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut last = String::new();
    for line in format!("{state:#?}").lines() {
        let line = line.trim();
        let is_name = |name: &str| name.starts_with(|letter: char| letter.is_ascii_lowercase());
        match line.split_once(": ") {
            Some((name, value)) if is_name(name) => {
                last = name.to_owned();
                fields.entry(last.clone()).or_default().push(value.to_owned());
            }
            // Lists and maps go on for several lines.
            _ => fields.entry(last.clone()).or_default().push(line.to_owned()),
        }
    }
    fields.remove("");
    let opens = |value: &String| value.ends_with(['{', '[', '(']) && !value.starts_with("Some");
    fields.retain(|_, values| !values.iter().all(opens));
    fields
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

/// How closely twins are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Look {
    /// Everything that follows from what the viewer holds is made in both worlds and compared.
    Everything,
    /// What he holds is compared. The rest follows from it alone.
    Held,
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

/// Runs up to `steps` steps in both worlds and compares what `viewer` receives before and after each. It ends early when what differs
/// comes within the viewer's reach.
///
/// # Errors
/// The first difference, readable.
pub fn compare<G: Campaign>(
    one: &mut History<G>,
    two: &mut History<G>,
    viewer: RealmId,
    steps: u32,
    look: Look,
    press: &dyn Press,
) -> Result<Compared, String> {
    let mut compared = Compared {
        steps: 0,
        bytes: 0,
        idle: false,
    };
    loop {
        let number = compared.steps + 1;
        let (seed, one, two) = (one.seed, one.step(number)?, two.step(number)?);
        if one.files.get(&viewer) != two.files.get(&viewer) {
            return Err(format!("in step {number} the viewer's own orders differ"));
        }
        let (held, other) = (one.held(viewer)?, two.held(viewer)?);
        compared.bytes += held.bytes();
        if look == Look::Everything || held != other {
            let (before, after) = held.exposed::<G>(seed, press)?;
            let (other_before, other_after) = other.exposed::<G>(seed, press)?;
            if let Some(difference) = before.difference(&other_before) {
                return Err(format!("before step {number}, {difference}"));
            }
            if let Some(difference) = after.difference(&other_after) {
                return Err(format!("after step {number}, {difference}"));
            }
            compared.bytes += u64::try_from(before.bytes() + after.bytes()).unwrap_or(u64::MAX);
        }
        compared.steps = number;
        let (state, other_state) = (&one.outcome.state, &two.outcome.state);
        let goes_on = number < steps
            && G::unknowable(state, other_state, viewer)
                .map_err(|difference| format!("after step {number}, in the world itself, {difference}"))?;
        if !goes_on {
            compared.idle = stored::<G>(state)? == stored::<G>(other_state)?;
            return Ok(compared);
        }
    }
}

fn stored<G: Game>(state: &G::State) -> Result<Vec<u8>, String> {
    codec::encode(state_schema::<G>(), state).map_err(|error| error.to_string())
}

/// A world that is lived through step by step, once for all who look at it. The same seed has the same keys and draws the same lots for
/// orders, in every world.
pub struct History<G: Game> {
    seed: u64,
    beginning: Setting<G>,
    lived: Vec<Lived<G>>,
}

impl<G: Campaign> History<G> {
    /// A world before its first step.
    pub const fn new(setting: Setting<G>, seed: u64) -> Self {
        Self {
            seed,
            beginning: setting,
            lived: Vec::new(),
        }
    }

    /// The step with this number, from 1.
    fn step(&mut self, number: u32) -> Result<&Lived<G>, String> {
        let index = number.saturating_sub(1) as usize;
        while self.lived.len() <= index {
            let setting = match (self.lived.last(), u32::try_from(self.lived.len())) {
                (Some(last), Ok(lived)) => Setting {
                    state: last.outcome.state.clone(),
                    files: G::orders(&last.outcome.state, &mut Dice::Keyed(secret(!self.seed, lived))),
                },
                _ => self.beginning.clone(),
            };
            self.lived.push(Lived::new(setting, self.seed)?);
        }
        Ok(&self.lived[index])
    }
}

/// A step of a world.
struct Lived<G: Game> {
    tables: G::Tables,
    /// The world before it.
    state: G::State,
    files: BTreeMap<RealmId, Vec<u8>>,
    outcome: Outcome<G>,
    /// Which events concern which realm.
    audiences: BTreeMap<RealmId, Vec<u32>>,
}

impl<G: Guide> Lived<G> {
    fn new(setting: Setting<G>, seed: u64) -> Result<Self, String> {
        let Setting { state, files } = setting;
        let tables = G::tables(G::house_rules(&state))?;
        G::invariants(&tables, &state).map_err(|law| format!("the setting breaks a law of the game: {law}"))?;
        let mut input = Input::<G>::default();
        for (realm, file) in &files {
            if let Some(seat) = G::seat(&tables, &state, *realm) {
                input.orders.insert(*realm, G::parse(&tables, &seat, file));
            }
        }
        let step = G::open_step(&tables, &state).number;
        let outcome = game::run::<G>(&tables, state.clone(), &input, Dice::Keyed(secret(seed, step)));
        G::invariants(&tables, &outcome.state).map_err(|law| format!("the step breaks a law of the game: {law}"))?;
        if let Some(broken) = laws::broken(&outcome, |event| format!("{event:?}")).next() {
            return Err(format!("step {step}: {broken}"));
        }
        let audiences = game::audiences::<G>(&outcome);
        Ok(Self {
            tables,
            state,
            files,
            outcome,
            audiences,
        })
    }

    /// What a realm holds before and after the step.
    fn held(&self, realm: RealmId) -> Result<Held, String> {
        let viewer = Viewer::Realm(realm);
        let brief = Brief {
            viewer,
            told: Vec::new(),
            diagnostics: Vec::new(),
        };
        // As the host makes them: what all views have in common is worked out for all.
        let before = G::views(&self.tables, &self.state)(brief);
        let events = self.audiences.get(&realm).map_or(&[][..], Vec::as_slice);
        let brief = game::brief::<G>(&self.tables, &self.outcome, viewer, events.iter().copied());
        let after = G::views(&self.tables, &self.outcome.state)(brief);
        let store = |view: &G::View| {
            codec::encode(view_schema::<G>(), view).map_err(|error| format!("the view cannot be stored: {error}"))
        };
        Ok(Held {
            step: G::open_step(&self.tables, &self.state).number,
            before: store(&before)?,
            file: self.files.get(&realm).cloned(),
            after: store(&after)?,
            findings: self.outcome.refusals.get(&realm).cloned().unwrap_or_default(),
        })
    }
}

/// What a realm holds before and after a step: everything else that it receives is made of this.
#[derive(PartialEq)]
struct Held {
    step: u32,
    /// The stored view before the step.
    before: Vec<u8>,
    /// The realm's own orders, if it sent some.
    file: Option<Vec<u8>>,
    /// The stored view after the step.
    after: Vec<u8>,
    /// What the step had to say about the orders.
    findings: Vec<Diagnostic>,
}

impl Held {
    fn bytes(&self) -> u64 {
        u64::try_from(self.before.len() + self.after.len()).unwrap_or(u64::MAX)
    }

    /// What the realm receives before and after the step.
    fn exposed<G: Guide>(&self, seed: u64, press: &dyn Press) -> Result<(Exposure, Exposure), String> {
        let open = |bytes: &[u8]| open_view::<G>(bytes).map_err(|error| error.to_string());
        let mut before = exposure::expose_stored::<G>(press, &self.before)?;
        let mut after = exposure::expose_stored::<G>(press, &self.after)?;
        let (tables, view) = open(&self.before)?;
        if let Some(file) = &self.file {
            before.add_findings("check", &any::check::<G>(&tables, &view, file).diagnostics);
            guided::add_draft::<G>(&mut before, press, &tables, &view, file);
        }
        let earlier = view;
        let (tables, view) = open(&self.after)?;
        after.add_findings("findings", &self.findings);
        let orders = G::computer_player(&tables, &view, &mut Dice::Keyed(secret(seed, self.step)));
        after.add("computer player", orders);
        after.add("frames", format!("{:?}", G::frames(&tables, &earlier, &view)));
        Ok((before, after))
    }
}
