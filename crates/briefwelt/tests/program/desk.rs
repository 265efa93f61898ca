//! Running the program as a person would.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use tempfile::TempDir;

/// What a call of the program gave.
#[derive(Debug)]
pub struct Told {
    /// Exit code.
    pub code: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl From<Output> for Told {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

impl Told {
    /// Standard output of a call that must have gone well.
    pub fn good(self) -> String {
        assert_eq!(self.code, 0, "{}{}", self.out, self.err);
        self.out
    }

    /// JSON of a call that must have gone well.
    pub fn json(self) -> serde_json::Value {
        let out = self.good();
        serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}"))
    }
}

/// A folder with a store in it.
pub struct Desk {
    folder: TempDir,
}

impl Desk {
    /// A folder without a store.
    pub fn empty() -> Self {
        Self {
            folder: tempfile::tempdir().expect("a folder"),
        }
    }

    /// A folder with the world `Mark`: Adler and Bär are played by people, Chimäre by the computer; turn 1 is open.
    pub fn with_a_world() -> Self {
        static BASE: OnceLock<Desk> = OnceLock::new();
        let base = BASE.get_or_init(|| {
            let desk = Self::empty();
            let seats = ["--seat", "Adler=Anna", "--seat", "Bär=Bernd", "--computer", "1"];
            let words = ["world", "new", "--name", "Mark", "--seed", "a test"];
            desk.run(words.into_iter().chain(seats)).good();
            desk
        });
        let desk = Self::empty();
        copy(&base.data(), &desk.data());
        desk
    }

    /// The data folder.
    pub fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// A path in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file into the folder.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, content).expect("a file");
        path
    }

    /// Runs the program.
    pub fn run<S: AsRef<OsStr>>(&self, words: impl IntoIterator<Item = S>) -> Told {
        self.command(words).output().expect("the program starts").into()
    }

    /// The program, not yet started.
    pub fn command<S: AsRef<OsStr>>(&self, words: impl IntoIterator<Item = S>) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_briefwelt"));
        command
            .current_dir(self.folder.path())
            .env_remove("BRIEFWELT_WORLD")
            .env_remove("BRIEFWELT_LANG");
        command.env("BRIEFWELT_DATA", self.data()).args(words);
        command
    }

    /// Runs the program with words that stand in one line.
    pub fn say(&self, line: &str) -> Told {
        self.run(line.split_whitespace())
    }

    /// What must not change when something is refused: the open turn, the digests, the receipts.
    pub fn standing(&self) -> String {
        format!(
            "{}{}",
            self.say("world show --json").good(),
            self.say("turn status --json").good()
        )
    }
}

/// Copies the files of a folder.
pub fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_file() {
            fs::copy(&path, to.join(path.file_name().expect("a name"))).expect("a copy");
        }
    }
}
