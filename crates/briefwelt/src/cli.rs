//! The command line as clap reads it: commands, options and their values. What each of them means is told by `help.rs` in the language of
//! the reader; a new one needs its words in `locale/*/program-help.toml`, and a test asks for them.

use crate::opened::Opened;
use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use testkit::shown::Telling;

/// The program.
#[derive(Parser, Debug)]
#[command(name = "briefwelt", version, propagate_version = true)]
pub struct Cli {
    #[arg(long, global = true, env = "BRIEFWELT_DATA", value_name = "DIR")]
    pub data: Option<PathBuf>,
    #[arg(long, short, global = true, env = "BRIEFWELT_WORLD", value_name = "NAME")]
    pub world: Option<String>,
    #[arg(long, global = true)]
    pub json: bool,
    #[arg(long, global = true, env = "BRIEFWELT_LANG", value_enum, default_value_t = Lang::De, value_name = "VALUE")]
    pub lang: Lang,
    #[arg(
        long,
        global = true,
        env = "BRIEFWELT_DATABASE_MAX_MB",
        value_name = "MEGABYTES",
        value_parser = clap::value_parser!(u32).range(1..),
        hide_short_help = true
    )]
    pub database_max_mb: Option<u32>,
    #[arg(
        long,
        global = true,
        env = "BRIEFWELT_DATABASE",
        value_name = "URL",
        hide_short_help = true
    )]
    pub database: Option<String>,
    // The stores this run has opened.
    #[arg(skip)]
    pub opened: Opened,
    #[command(subcommand)]
    pub command: Command,
}

/// A language.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Lang {
    De,
    En,
}

/// What the program can do.
#[derive(Subcommand, Debug)]
pub enum Command {
    #[command(subcommand)]
    World(World),
    #[command(subcommand)]
    Turn(Turn),
    #[command(subcommand)]
    Gm(Gm),
    Report(Report),
    Map(Map),
    #[command(subcommand)]
    Rules(Rules),
    Scenario(Scenario),
    Verify(Verify),
    Bench(Bench),
    Battle(Battle),
    Serve(Serve),
    Backup {
        file: PathBuf,
    },
    Restore {
        file: PathBuf,
    },
    Doctor {
        #[arg(long)]
        rerun: bool,
    },
    #[command(subcommand)]
    Account(Account),
    Work(Work),
    Demo(Demo),
    Campaign(Campaign),
    Completions {
        shell: clap_complete::Shell,
    },
    ExitCodes,
}

/// `briefwelt account ...`
#[derive(Subcommand, Debug)]
pub enum Account {
    List,
    Admin {
        #[arg(value_name = "NAME")]
        account: String,
        #[arg(long)]
        remove: bool,
    },
    Master {
        #[arg(value_name = "NAME")]
        account: String,
    },
    Seat {
        #[arg(value_name = "NAME")]
        account: String,
        #[arg(long, short)]
        realm: String,
    },
}

/// `briefwelt work`
#[derive(Args, Debug)]
pub struct Work {
    #[arg(long, default_value_t = 0, value_name = "SECONDS")]
    pub wait: u32,
    #[arg(long, value_name = "MILLISECONDS", hide = true)]
    pub lease: Option<u32>,
}

/// `briefwelt world ...`
#[derive(Subcommand, Debug)]
pub enum World {
    New(NewWorld),
    List,
    Show {
        #[arg(long)]
        audit: bool,
    },
    Export {
        file: PathBuf,
    },
    Import {
        file: PathBuf,
        #[arg(long)]
        name: Option<String>,
    },
    Close,
    Keys {
        file: PathBuf,
    },
    #[command(group(ArgGroup::new("who").required(true).multiple(true)))]
    Seat {
        #[arg(long, short)]
        realm: String,
        #[arg(long, group = "who")]
        player: Option<String>,
        #[arg(long, group = "who")]
        computer: bool,
    },
}

/// `briefwelt world new`
#[derive(Args, Debug)]
pub struct NewWorld {
    #[arg(long)]
    pub name: String,
    #[arg(long, default_value = "thoramar")]
    pub game: String,
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub seats: u16,
    #[arg(long, value_name = "SEAT")]
    pub seat: Vec<String>,
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub computer: u16,
    #[arg(long)]
    pub seed: Option<String>,
    #[arg(long, value_name = "FILE")]
    pub house: Option<PathBuf>,
}

/// `briefwelt turn ...`
#[derive(Subcommand, Debug)]
pub enum Turn {
    Check(Orders),
    Preview(Orders),
    Submit {
        #[command(flatten)]
        orders: Orders,
        #[arg(long)]
        late: bool,
    },
    Status,
    Run {
        #[arg(long)]
        turn: Option<u32>,
        #[arg(long)]
        without_missing: bool,
        #[arg(long)]
        trial: bool,
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
    Deadline {
        #[arg(value_name = "TIME")]
        at: Option<String>,
        #[arg(long, value_enum, value_name = "VALUE")]
        then: Option<Then>,
        #[arg(long, value_name = "MINUTES")]
        grace: Option<u32>,
    },
    Replay {
        #[arg(long)]
        turn: Option<u32>,
    },
    Orders {
        #[arg(long, short)]
        realm: String,
        #[arg(long)]
        turn: Option<u32>,
        #[arg(long, conflicts_with = "turn")]
        draft: bool,
    },
}

/// What happens at a deadline.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Then {
    ByHand,
    Complete,
    Always,
}

/// An order file on its way in.
#[derive(Args, Debug)]
pub struct Orders {
    pub file: PathBuf,
    #[arg(long, short)]
    pub realm: Option<String>,
    #[arg(long)]
    pub turn: Option<u32>,
}

/// `briefwelt gm ...`
#[derive(Subcommand, Debug)]
pub enum Gm {
    Edict {
        ruling: String,
        #[arg(long, default_value = "", value_name = "TEXT")]
        reason: String,
    },
    Answer {
        request: String,
        ruling: String,
        #[arg(long, default_value = "", value_name = "TEXT")]
        reason: String,
    },
    Requests {
        #[arg(long)]
        turn: Option<u32>,
    },
    Message {
        text: String,
        #[arg(long, short)]
        realm: Option<String>,
    },
    List {
        #[arg(long)]
        turn: Option<u32>,
    },
    Withdraw {
        number: u32,
    },
}

/// For whose eyes.
#[derive(Args, Debug)]
#[group(required = true, multiple = false)]
pub struct Viewer {
    #[arg(long, short)]
    pub realm: Option<String>,
    #[arg(long)]
    pub gm: bool,
    #[arg(long)]
    pub all: bool,
}

/// Form of a report.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    Text,
    Html,
    Json,
}

/// `briefwelt report`
#[derive(Args, Debug)]
pub struct Report {
    #[command(flatten)]
    pub viewer: Viewer,
    #[arg(long)]
    pub turn: Option<u32>,
    #[arg(long, conflicts_with = "all")]
    pub whole: bool,
    #[arg(long, value_enum, default_value_t = Format::Text, value_name = "VALUE")]
    pub format: Format,
    #[arg(long, value_name = "PATH")]
    pub out: Option<PathBuf>,
}

/// `briefwelt map`
#[derive(Args, Debug)]
pub struct Map {
    #[command(flatten)]
    pub viewer: Viewer,
    #[arg(long)]
    pub turn: Option<u32>,
    #[arg(long, value_name = "PATH")]
    pub out: Option<PathBuf>,
    #[arg(long, conflicts_with = "out")]
    pub text: bool,
}

/// `briefwelt rules ...`
#[derive(Subcommand, Debug)]
pub enum Rules {
    Search {
        #[arg(required = true)]
        words: Vec<String>,
        #[arg(long)]
        game: Option<String>,
    },
    Show {
        id: String,
    },
    Orders {
        game: Option<String>,
    },
    House {
        game: String,
        words: Vec<String>,
    },
    Coverage {
        game: Option<String>,
        #[arg(long, default_value = "scenarios", value_name = "DIR")]
        scenarios: PathBuf,
    },
}

/// `briefwelt scenario`
#[derive(Args, Debug)]
pub struct Scenario {
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    #[arg(long, short)]
    pub quiet: bool,
    #[arg(long)]
    pub show: bool,
    #[arg(long)]
    pub reports: bool,
}

impl Scenario {
    /// How much is told of every step.
    pub fn telling(&self) -> Telling {
        match (self.show, self.reports) {
            (_, true) => Telling::Reports,
            (true, false) => Telling::Steps,
            (false, false) => Telling::Verdict,
        }
    }
}

/// `briefwelt verify`
#[derive(Args, Debug)]
#[command(group(ArgGroup::new("what").required(true)))]
pub struct Verify {
    #[arg(long, short, group = "what")]
    pub realm: Option<String>,
    #[arg(long)]
    pub turn: Option<u32>,
    #[arg(long, group = "what")]
    pub all: bool,
    #[arg(long, value_name = "FILE", group = "what")]
    pub evidence: Option<PathBuf>,
    #[arg(long, value_name = "HEX")]
    pub seal: Option<String>,
    #[arg(long, value_name = "FILE", requires = "realm")]
    pub out: Option<PathBuf>,
}

/// `briefwelt bench`
#[derive(Args, Debug)]
pub struct Bench {
    pub game: String,
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub armies: Option<u32>,
    #[arg(long, conflicts_with = "armies")]
    pub check: bool,
}

/// `briefwelt battle`
#[derive(Args, Debug)]
pub struct Battle {
    pub file: PathBuf,
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub runs: u64,
    #[arg(long, conflicts_with = "runs")]
    pub log: bool,
    #[arg(long, conflicts_with_all = ["runs", "log"])]
    pub report: bool,
    #[arg(long, value_name = "FILE", conflicts_with = "runs")]
    pub script: Option<PathBuf>,
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    #[arg(long, value_name = "FILE")]
    pub house: Option<PathBuf>,
}

/// Sender of mails unless another is named.
const MAIL_FROM: &str = "Briefwelt <briefwelt@localhost>";

/// `briefwelt serve`
#[derive(Args, Debug)]
pub struct Serve {
    #[arg(
        long,
        env = "BRIEFWELT_LISTEN",
        default_value = "127.0.0.1:8080",
        value_name = "ADDR"
    )]
    pub listen: std::net::SocketAddr,
    #[arg(long, env = "BRIEFWELT_PUBLIC_URL", value_name = "URL")]
    pub public_url: Option<String>,
    #[arg(long, env = "BRIEFWELT_TRUST_PROXY")]
    pub trust_proxy: bool,
    #[arg(long, env = "BRIEFWELT_CLOSED")]
    pub closed: bool,
    #[arg(long, env = "BRIEFWELT_METRICS_TOKEN", value_name = "TOKEN")]
    pub metrics_token: Option<String>,
    #[arg(long, env = "BRIEFWELT_MAIL_SERVER", value_name = "URL")]
    pub mail_server: Option<String>,
    #[arg(long, env = "BRIEFWELT_MAIL_FOLDER", value_name = "DIR")]
    pub mail_folder: Option<PathBuf>,
    #[arg(
        long,
        env = "BRIEFWELT_MAIL_FROM",
        default_value = MAIL_FROM,
        value_name = "ADDRESS"
    )]
    pub mail_from: String,
    #[arg(long, env = "BRIEFWELT_LOG", value_enum, default_value_t = Log::Text, value_name = "VALUE")]
    pub log: Log,
}

impl Serve {
    /// The settings of a host that is tried out at this address.
    pub fn on(listen: std::net::SocketAddr) -> Self {
        Self {
            listen,
            public_url: None,
            trust_proxy: false,
            closed: false,
            metrics_token: None,
            mail_server: None,
            mail_folder: None,
            mail_from: MAIL_FROM.to_owned(),
            log: Log::Text,
        }
    }
}

/// How logs are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Log {
    Text,
    Json,
}

/// `briefwelt demo`
#[derive(Args, Debug)]
pub struct Demo {
    #[arg(long, default_value = "thoramar")]
    pub game: String,
    #[arg(long, default_value_t = 8, value_name = "N")]
    pub realms: u16,
    #[arg(long, value_name = "N")]
    pub turns: Option<u32>,
    #[arg(long, default_value = "rune")]
    pub seed: String,
    #[arg(long, value_name = "ADDR")]
    pub listen: Option<std::net::SocketAddr>,
}

/// What a campaign looks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Quest {
    Leaks,
    Replays,
    Mutants,
    Years,
}

/// `briefwelt campaign`
#[derive(Args, Debug)]
pub struct Campaign {
    #[arg(value_enum)]
    pub quest: Quest,
    #[arg(long, default_value_t = 100, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub count: u32,
    #[arg(long, default_value_t = 0, value_name = "SEED")]
    pub from: u32,
    #[arg(long)]
    pub game: Option<String>,
}
