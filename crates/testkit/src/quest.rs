//! The harnesses of a game behind one face: leaks, replays and broken order files, a seed at a time.

use crate::press::RenderPress;
use crate::{leaks, mutants, replay};
use kernel::campaign::Campaign;
use std::collections::BTreeMap;
use std::marker::PhantomData;

/// Turns of a replay.
pub const TURNS: u32 = 4;

/// What a campaign found: a line of figures and everything that is wrong.
#[derive(Debug, Default)]
pub struct Found {
    /// How many of what.
    pub figures: BTreeMap<&'static str, u64>,
    /// The fields of worlds by name, and whether some twin had other values there.
    pub fields: BTreeMap<String, bool>,
    /// What is wrong.
    pub faults: Vec<String>,
}

impl Found {
    /// Counts so many more.
    #[must_use]
    pub fn count(mut self, what: &'static str, figure: u64) -> Self {
        *self.figures.entry(what).or_default() += figure;
        self
    }

    /// Adds what was found elsewhere.
    pub fn add(&mut self, other: Self) {
        for (what, figure) in other.figures {
            let sum = self.figures.entry(what).or_default();
            *sum = if what.starts_with("slowest") {
                (*sum).max(figure)
            } else {
                *sum + figure
            };
        }
        for (field, differs) in other.fields {
            *self.fields.entry(field).or_default() |= differs;
        }
        self.faults.extend(other.faults);
    }

    /// The fields that no twin had otherwise: if one of them leaked, no comparison would show it.
    pub fn never_otherwise(&self) -> Vec<&str> {
        let fields = self.fields.iter().filter(|(_, differs)| !**differs);
        fields.map(|(name, _)| name.as_str()).collect()
    }
}

/// A game that campaigns can be run with, without its types. Each call looks at one seed.
pub trait AnyQuest: Send + Sync {
    /// Name on the command line.
    fn name(&self) -> &'static str;
    /// Looks for leaks in one world.
    fn leaks(&self, seed: u64) -> Found;
    /// Runs the turns of one world again.
    fn replays(&self, seed: u64) -> Found;
    /// Checks so many broken order files.
    fn mutants(&self, seed: u64, count: u64) -> Found;
}

/// Any game behind the object-safe face.
pub struct Quested<G>(PhantomData<fn() -> G>);

impl<G> Quested<G> {
    /// The face of game `G`.
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<G> Default for Quested<G> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G: Campaign> AnyQuest for Quested<G> {
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn leaks(&self, seed: u64) -> Found {
        let tally = leaks::search::<G>(seed..seed + 1, &RenderPress, &mut |_| {});
        let mut found = Found::default()
            .count("worlds", tally.worlds)
            .count("viewers", tally.viewers)
            .count("steps of twins", tally.steps)
            .count("bytes compared", tally.bytes)
            .count("twins without difference", tally.idle);
        found.faults.extend(tally.leaks.iter().map(ToString::to_string));
        found.fields = tally.fields;
        found
    }

    fn replays(&self, seed: u64) -> Found {
        let mut found = Found::default();
        match replay::replay::<G>(seed, TURNS) {
            Ok(_) => return found.count("worlds", 1).count("turns", TURNS.into()),
            Err(fault) => found.faults.push(fault),
        }
        found
    }

    fn mutants(&self, seed: u64, count: u64) -> Found {
        let tally = mutants::check::<G>(seed, count, &mut |_| {});
        let mut found = Found::default()
            .count("files", tally.files)
            .count("lines", tally.lines)
            .count("orders", tally.orders)
            .count("findings", tally.findings)
            .count(
                "slowest milliseconds",
                u64::try_from(tally.slowest.as_millis()).unwrap_or(u64::MAX),
            );
        found.faults.extend(tally.faults);
        found
    }
}
