//! Many scenario files and many games: finds files, picks the game of each, prints what came out.

use crate::limits;
use crate::play::{self, Played};
use crate::press::{PlainPress, Press, RenderPress};
use crate::scenario::{self, Failure, Scenario};
use crate::shown::Telling;
use crate::words::words;
use kernel::rule::Rule;
use kernel::stage::Stage;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

/// A game that scenarios can be played with, without its types.
pub trait AnyStage: Send + Sync {
    /// Prefix of its rule ids.
    fn code(&self) -> &'static str;
    /// Name on the command line and of its folder under `scenarios/`.
    fn name(&self) -> &'static str;
    /// The rule catalogue.
    fn rules(&self) -> &'static [Rule];
    /// Plays a scenario.
    fn play(&self, scenario: &Scenario, telling: Telling) -> Played;
}

/// Any game behind the object-safe face.
pub struct Staged<G> {
    press: &'static dyn Press,
    game: PhantomData<fn() -> G>,
}

impl<G> Staged<G> {
    /// The face of game `G`, whose reports are compared in the program's own wording.
    pub const fn new() -> Self {
        Self::printed(&RenderPress)
    }

    /// The face of a game that has no wording: its reports are compared as keys and values.
    pub const fn wordless() -> Self {
        Self::printed(&PlainPress)
    }

    const fn printed(press: &'static dyn Press) -> Self {
        let game = PhantomData;
        Self { press, game }
    }
}

impl<G> Default for Staged<G> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G: Stage> AnyStage for Staged<G> {
    fn code(&self) -> &'static str {
        G::CODE
    }

    fn name(&self) -> &'static str {
        G::NAME
    }

    fn rules(&self) -> &'static [Rule] {
        G::rules()
    }

    fn play(&self, scenario: &Scenario, telling: Telling) -> Played {
        play::play::<G>(scenario, self.press, telling)
    }
}

/// What became of one scenario file.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The file as it was named.
    pub file: String,
    /// Its title.
    pub title: String,
    /// The game that played it, if one was found.
    pub game: Option<&'static str>,
    /// The rules it names.
    pub named: Vec<String>,
    /// The rules that showed themselves.
    pub produced: BTreeSet<String>,
    /// Whether it is meant to fail; such a scenario covers no rule.
    pub must_fail: bool,
    /// What is wrong; empty if it passed.
    pub failures: Vec<Failure>,
    /// What every step did, as far as it was asked for.
    pub shown: String,
}

impl Verdict {
    /// Whether the scenario did what it should.
    pub fn passed(&self) -> bool {
        self.failures.is_empty()
    }

    /// `ok` or `FAILED` with everything that is wrong, one finding per line and details below it.
    pub fn text(&self) -> String {
        let mut text = String::new();
        if self.passed() {
            let _ = writeln!(text, "ok      {}  {}", self.file, self.title);
            return text;
        }
        let _ = writeln!(text, "FAILED  {}  {}", self.file, self.title);
        for failure in self.failures.iter().take(limits::FAILURES) {
            let mut lines = failure.message.lines();
            let _ = writeln!(
                text,
                "  {}:{}: {}",
                self.file,
                failure.line,
                lines.next().unwrap_or_default()
            );
            for line in lines {
                let _ = writeln!(text, "      {line}");
            }
        }
        if self.failures.len() > limits::FAILURES {
            let _ = writeln!(text, "  and {} more", self.failures.len() - limits::FAILURES);
        }
        text
    }
}

/// Judges the text of one scenario file. `file` is its name in messages; a folder in it may tell the game.
pub fn judge(stages: &[&dyn AnyStage], file: &str, bytes: &[u8], telling: Telling) -> Verdict {
    let (scenario, mut failures) = scenario::read(bytes);
    let stage = pick(stages, file, &scenario);
    let (mut produced, mut shown) = (BTreeSet::new(), String::new());
    match stage {
        Some(stage) if failures.is_empty() => {
            let played = stage.play(&scenario, telling);
            (failures, produced, shown) = (played.failures, played.produced, played.shown);
        }
        Some(_) => {}
        None => {
            let names: Vec<&str> = stages.iter().map(|stage| stage.name()).collect();
            let message = format!(
                "no game has rules of this prefix, and the first rule picks the game; known games are {}",
                names.join(", ")
            );
            failures.push(Failure::new(scenario.rules_line.max(1), message));
        }
    }
    failures.sort();
    failures.dedup();
    let must_fail = scenario.must_fail.is_some();
    if let Some(reason) = &scenario.must_fail {
        failures = turned_around(reason, failures);
    }
    Verdict {
        file: file.to_owned(),
        title: scenario.title,
        game: stage.map(|stage| stage.name()),
        named: scenario.rules,
        produced,
        must_fail,
        failures,
        shown,
    }
}

/// A scenario that must fail passes if one of its failures has the given words in it.
fn turned_around(reason: &str, failures: Vec<Failure>) -> Vec<Failure> {
    let wanted = reason.to_lowercase();
    if failures
        .iter()
        .any(|failure| words(&failure.message).to_lowercase().contains(&wanted))
    {
        return Vec::new();
    }
    let mut out = vec![Failure::new(1, format!("must fail with `{reason}`, but did not"))];
    out.extend(failures);
    out
}

/// The game of a scenario: by the prefix of its first rule, else by a folder of its path.
fn pick<'a>(stages: &[&'a dyn AnyStage], file: &str, scenario: &Scenario) -> Option<&'a dyn AnyStage> {
    let prefix = scenario.rules.first().and_then(|rule| rule.split('-').next());
    let by_rule = stages.iter().find(|stage| Some(stage.code()) == prefix);
    let folders = || {
        Path::new(file)
            .components()
            .filter_map(|part| part.as_os_str().to_str())
    };
    let by_folder = || {
        stages
            .iter()
            .find(|stage| folders().any(|folder| folder == stage.name()))
    };
    by_rule.or_else(by_folder).copied()
}

/// All scenario files under these paths, in order: files as they are, folders with all their `.md` files but `README.md`.
///
/// # Errors
/// If a path cannot be read, or there are too many files.
pub fn find(paths: &[PathBuf]) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        collect(path, 0, &mut files)?;
    }
    Ok(files)
}

fn collect(path: &Path, depth: usize, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if !std::fs::metadata(path)?.is_dir() {
        files.push(path.to_owned());
    } else if depth < limits::FOLDER_DEPTH {
        let mut entries = Vec::new();
        for entry in std::fs::read_dir(path)? {
            entries.push(entry?.path());
        }
        entries.sort();
        for entry in entries {
            let scenario = entry.extension().is_some_and(|end| end == "md");
            let readme = entry.file_name().is_some_and(|name| name == "README.md");
            // A folder such as `_runner` tests the runner, not a game; it is played when it is named itself.
            let apart = entry
                .file_name()
                .is_some_and(|name| name.to_string_lossy().starts_with('_'));
            if (entry.is_dir() && !apart) || (scenario && !readme) {
                collect(&entry, depth + 1, files)?;
            }
        }
    }
    if files.len() > limits::FILES {
        return Err(io::Error::other(format!("more than {} scenario files", limits::FILES)));
    }
    Ok(())
}

/// Judges every file, on all cores, and hands each verdict to `tell` in the order of the files, as soon as it is there.
pub fn judge_files(
    stages: &[&dyn AnyStage],
    files: &[PathBuf],
    telling: Telling,
    tell: &mut dyn FnMut(&Verdict),
) -> Vec<Verdict> {
    let next = AtomicUsize::new(0);
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let mut verdicts = Vec::with_capacity(files.len());
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..workers.min(files.len()) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(path) = files.get(number) else { break };
                    if sender.send((number, judge_file(stages, path, telling))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        for (number, verdict) in receiver {
            waiting.insert(number, verdict);
            while let Some(verdict) = waiting.remove(&verdicts.len()) {
                tell(&verdict);
                verdicts.push(verdict);
            }
        }
    });
    verdicts
}

fn judge_file(stages: &[&dyn AnyStage], path: &Path, telling: Telling) -> Verdict {
    let file = path.display().to_string();
    match read_bounded(path) {
        Ok(bytes) => judge(stages, &file, &bytes, telling),
        Err(error) => Verdict {
            file,
            title: String::new(),
            game: None,
            named: Vec::new(),
            produced: BTreeSet::new(),
            must_fail: false,
            failures: vec![Failure::new(1, format!("cannot be read: {error}"))],
            shown: String::new(),
        },
    }
}

/// The bytes of a file, at most one more than a scenario may have.
fn read_bounded(path: &Path) -> io::Result<Vec<u8>> {
    use io::Read as _;
    let limit = u64::try_from(limits::SCENARIO_BYTES)
        .unwrap_or(u64::MAX)
        .saturating_add(1);
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The last line of a run: `N passed, N failed`.
pub fn summary(verdicts: &[Verdict]) -> String {
    let passed = verdicts.iter().filter(|verdict| verdict.passed()).count();
    format!("{passed} passed, {} failed", verdicts.len() - passed)
}

/// The test of a game's scenarios: plays all of them, or those that the variable `SCENARIO` names as files or folders
/// relative to the workspace.
///
/// # Panics
/// If a scenario fails or belongs to another game, or if there is none.
pub fn every_scenario_passes(game: &dyn AnyStage, workspace: &Path) {
    std::env::set_current_dir(workspace).expect("the workspace");
    let named = std::env::var("SCENARIO").unwrap_or_else(|_| format!("scenarios/{}", game.name()));
    let paths: Vec<PathBuf> = named.split_whitespace().map(PathBuf::from).collect();
    let files = find(&paths).expect("the scenarios named by SCENARIO");
    let verdicts = judge_files(&[game], &files, Telling::Verdict, &mut |verdict| {
        print!("{}", verdict.text())
    });
    println!("{}", summary(&verdicts));
    assert!(!verdicts.is_empty(), "there are no scenarios in {named}");
    let failed: Vec<&str> = verdicts
        .iter()
        .filter(|verdict| !verdict.passed())
        .map(|verdict| verdict.file.as_str())
        .collect();
    assert!(failed.is_empty(), "failed: {failed:#?}");
    assert!(verdicts.iter().all(|verdict| verdict.game == Some(game.name())));
}
