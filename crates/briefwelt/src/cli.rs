//! The command line as clap reads it. Help, manual and completions come from here.

use crate::opened::Opened;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use testkit::shown::Telling;

/// Heading of the options that every command has, so that its own stand by themselves.
const EVERYWHERE: &str = "Options of every command";

/// Hosts play-by-mail worlds and adjudicates their turns.
#[derive(Parser, Debug)]
#[command(
    name = "briefwelt",
    version,
    propagate_version = true,
    after_help = "First steps:\n  briefwelt demo                                   a living world in a folder `demo`\n  \
                  briefwelt world new --name Mark --game thoramar --seat Adler=Anna --computer 5\n  \
                  briefwelt turn submit SPIELZUG --realm Adler     hand in orders\n  \
                  briefwelt turn run                               adjudicate the open turn\n  \
                  briefwelt report --realm Adler                   read the result\n\n\
                  `briefwelt help exit-codes` explains what the program returns."
)]
pub struct Cli {
    /// Folder of the database [default: ./briefwelt-data].
    #[arg(long, global = true, help_heading = EVERYWHERE, env = "BRIEFWELT_DATA", value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Name or id of the world; not needed while there is only one.
    #[arg(long, short, global = true, help_heading = EVERYWHERE, env = "BRIEFWELT_WORLD", value_name = "NAME")]
    pub world: Option<String>,
    /// Print JSON for programs.
    #[arg(long, global = true, help_heading = EVERYWHERE)]
    pub json: bool,
    /// Language of whatever the program says, of findings, reports and maps.
    #[arg(long, global = true, help_heading = EVERYWHERE, env = "BRIEFWELT_LANG", value_enum, default_value_t = Lang::De)]
    pub lang: Lang,
    /// Size that the database must not outgrow.
    #[arg(
        long,
        global = true,
        help_heading = EVERYWHERE,
        env = "BRIEFWELT_DATABASE_MAX_MB",
        value_name = "MEGABYTES",
        hide_short_help = true
    )]
    pub database_max_mb: Option<u32>,
    /// Address of a PostgreSQL database (postgres://USER:PASSWORD@HOST/NAME); without one, a file in the data folder.
    #[arg(
        long,
        global = true,
        help_heading = EVERYWHERE,
        env = "BRIEFWELT_DATABASE",
        value_name = "URL",
        hide_env_values = true,
        hide_short_help = true
    )]
    pub database: Option<String>,
    /// The stores this run has opened.
    #[arg(skip)]
    pub opened: Opened,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// A language.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Lang {
    /// German.
    De,
    /// English.
    En,
}

/// What the program can do.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Make, list, show, export and import worlds, hand over seats.
    #[command(subcommand)]
    World(World),
    /// Check and hand in orders, run turns, run them again.
    #[command(subcommand)]
    Turn(Turn),
    /// Judgements of the game master: recorded input of the open turn.
    #[command(subcommand)]
    Gm(Gm),
    /// Write reports.
    Report(Report),
    /// Draw the map as a viewer knows it.
    Map(Map),
    /// Look up the rules of a game, and which of them scenarios cover.
    #[command(subcommand)]
    Rules(Rules),
    /// Play scenario files.
    Scenario(Scenario),
    /// Check dice against their seals, or whole turns byte for byte.
    Verify(Verify),
    /// Measure a game with many armies.
    Bench(Bench),
    /// Play a battle of ARMAGEDDON many times with computer players and count how it ends.
    Battle(Battle),
    /// Run the host: pages for players and game masters in the browser.
    Serve(Serve),
    /// Write everything in the store into one file, while the host goes on. It holds every secret of the host.
    #[command(after_help = "Example:\n  briefwelt backup briefwelt.bwb")]
    Backup {
        /// The file to write.
        file: PathBuf,
    },
    /// Read a backup into an empty store, on either database.
    #[command(after_help = "Example:\n  briefwelt restore briefwelt.bwb --data fresh\n  \
                      briefwelt restore briefwelt.bwb --database postgres://briefwelt@127.0.0.1/briefwelt")]
    Restore {
        /// The file to read.
        file: PathBuf,
    },
    /// Examine the store: database, digests, seals, stored files, work that failed.
    #[command(after_help = "Examples:\n  briefwelt doctor\n  briefwelt doctor --rerun")]
    Doctor {
        /// Also run every turn again and compare.
        #[arg(long)]
        rerun: bool,
    },
    /// People with accounts on the host.
    #[command(subcommand)]
    Account(Account),
    /// Do what is due: run turns whose deadline has passed, write reminders. `serve` does it by itself.
    #[command(after_help = "Example:\n  briefwelt work     once a minute by a timer, where no `serve` runs")]
    Work(Work),
    /// Make a world of computer players, play two years and show the way in.
    Demo(Demo),
    /// Search for flaws with random worlds: what `cargo xtask test` and `cargo xtask soak` run.
    Campaign(Campaign),
    /// Print a completion script for a shell.
    #[command(
        after_help = "Examples:\n  briefwelt completions bash > ~/.local/share/bash-completion/completions/briefwelt\n  \
                            briefwelt completions zsh > ~/.zfunc/_briefwelt\n  \
                            briefwelt completions fish > ~/.config/fish/completions/briefwelt.fish"
    )]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// What the exit codes mean.
    #[command(after_help = exit_codes())]
    ExitCodes,
}

/// The table of exit codes.
pub fn exit_codes() -> String {
    let lines = host::error::EXIT_CODES
        .iter()
        .map(|(code, meaning)| format!("  {code:>2}  {meaning}\n"));
    std::iter::once("Exit codes:\n".to_owned()).chain(lines).collect()
}

/// `briefwelt account ...`
#[derive(Subcommand, Debug)]
pub enum Account {
    /// List the accounts.
    #[command(after_help = "Example:\n  briefwelt account list")]
    List,
    /// Make somebody an administrator of the host.
    #[command(after_help = "Example:\n  briefwelt account admin Mira")]
    Admin {
        /// Name, mail address or id of the account.
        name: String,
        /// Make an ordinary player of an administrator.
        #[arg(long)]
        remove: bool,
    },
    /// Make somebody a game master of the world.
    #[command(after_help = "Example:\n  briefwelt account master Mira --world Mark")]
    Master {
        /// Name, mail address or id of the account.
        name: String,
    },
    /// Give a seat that nobody holds to an account.
    #[command(after_help = "Example:\n  briefwelt account seat Mira --realm Adler --world Mark")]
    Seat {
        /// Name, mail address or id of the account.
        name: String,
        /// Number or name of the realm.
        #[arg(long, short)]
        realm: String,
    },
}

/// `briefwelt work`
#[derive(Args, Debug)]
pub struct Work {
    /// Wait so many seconds for more work before ending.
    #[arg(long, default_value_t = 0, value_name = "SECONDS")]
    pub wait: u32,
    /// After so many milliseconds others take over from a killed process.
    #[arg(long, value_name = "MILLISECONDS", hide = true)]
    pub lease: Option<u32>,
}

/// `briefwelt world ...`
#[derive(Subcommand, Debug)]
pub enum World {
    /// Make a world.
    #[command(
        after_help = "Examples:\n  briefwelt world new --name Mark --game thoramar --seats 4 --computer 8\n  \
                            briefwelt world new --name Mark --game thoramar --seat Adler=Anna --seat \"Bär=Bernd:nomad\" --house mark.toml"
    )]
    New(NewWorld),
    /// List the worlds.
    #[command(after_help = "Examples:\n  briefwelt world list\n  briefwelt world list --json")]
    List,
    /// Show seats, turns and the open turn of a world.
    #[command(
        after_help = "Examples:\n  briefwelt world show --world Mark\n  briefwelt world show --world Mark --audit"
    )]
    Show {
        /// Also list everything that was ever done to the world.
        #[arg(long)]
        audit: bool,
    },
    /// Write a world into one file. It holds the world's secret: keep it to yourself until the world has ended.
    #[command(after_help = "Example:\n  briefwelt world export --world Mark mark.bww")]
    Export {
        /// The file to write.
        file: PathBuf,
    },
    /// Read an exported world. Damaged files are refused.
    #[command(
        after_help = "Examples:\n  briefwelt world import mark.bww\n  briefwelt world import mark.bww --data copies     a copy, in a folder of its own"
    )]
    Import {
        /// The file to read.
        file: PathBuf,
        /// Give it another name.
        #[arg(long)]
        name: Option<String>,
    },
    /// Close a world for good: no more turns, and all keys of its dice become public.
    #[command(after_help = "Example:\n  briefwelt world close --world Mark\n  briefwelt verify --all --world Mark")]
    Close,
    /// Write all keys of a closed world with their seals, as JSON.
    #[command(after_help = "Example:\n  briefwelt world keys --world Mark keys.json")]
    Keys {
        /// The file to write.
        file: PathBuf,
    },
    /// Hand a seat to a player, or to the computer.
    #[command(after_help = "Example:\n  briefwelt world seat --realm Adler --player Anna")]
    Seat {
        /// Number or name of the realm.
        #[arg(long, short)]
        realm: String,
        /// Name of the player.
        #[arg(long)]
        player: Option<String>,
        /// Let the computer play.
        #[arg(long, required_unless_present = "player")]
        computer: bool,
    },
}

/// `briefwelt world new`
#[derive(Args, Debug)]
pub struct NewWorld {
    /// Name of the world.
    #[arg(long)]
    pub name: String,
    /// The game.
    #[arg(long, default_value = "thoramar")]
    pub game: String,
    /// This many seats for players, with names from a list.
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub seats: u16,
    /// A seat for a player; may be given again.
    #[arg(long, value_name = "REALM=PLAYER[:KIND]")]
    pub seat: Vec<String>,
    /// This many more seats for computer players.
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub computer: u16,
    /// Words from which map and dice follow. Whoever knows them knows everything: for demonstrations and tests.
    #[arg(long)]
    pub seed: Option<String>,
    /// House rules: TOML with the differences from the book.
    #[arg(long, value_name = "FILE")]
    pub house: Option<PathBuf>,
}

/// `briefwelt turn ...`
#[derive(Subcommand, Debug)]
pub enum Turn {
    /// Check an order file from what the realm knows, without handing it in.
    #[command(
        after_help = "Examples:\n  briefwelt turn check SPIELZUG --realm Adler\n  briefwelt turn check - --realm 1 --lang en < orders"
    )]
    Check(Orders),
    /// Report what would happen if nobody else moved and all dice fell in the middle, from what the realm knows.
    #[command(after_help = "Example:\n  briefwelt turn preview SPIELZUG --realm Adler")]
    Preview(Orders),
    /// Hand in an order file; a later one replaces it until the deadline.
    #[command(
        after_help = "Examples:\n  briefwelt turn submit SPIELZUG --realm Adler --turn 3\n  \
                            briefwelt turn submit SPIELZUG --realm Adler --late     after the deadline, by your decision"
    )]
    Submit {
        /// The file and whose it is.
        #[command(flatten)]
        orders: Orders,
        /// Take it in although the deadline has passed: a game master's decision, which stands in the record.
        #[arg(long)]
        late: bool,
    },
    /// Who has sent orders for the open turn, and the seals of its dice.
    #[command(after_help = "Example:\n  briefwelt turn status --world Mark")]
    Status,
    /// Run the open turn and publish it.
    #[command(
        after_help = "Examples:\n  briefwelt turn run --trial --out trial/     look first, publish nothing\n  \
                            briefwelt turn run --turn 3 --without-missing"
    )]
    Run {
        /// Refuse unless this turn is the open one.
        #[arg(long)]
        turn: Option<u32>,
        /// Go on although players have not sent orders.
        #[arg(long)]
        without_missing: bool,
        /// Show what would happen and publish nothing.
        #[arg(long)]
        trial: bool,
        /// Write all reports into this folder.
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
    /// Set, move or remove the deadline of the open turn, and say what happens then.
    #[command(
        after_help = "Examples:\n  briefwelt turn deadline 2026-12-06T20:00[Europe/Berlin]\n  \
                            briefwelt turn deadline 2026-12-06T19:00:00Z --then always --grace 60\n  \
                            briefwelt turn deadline none"
    )]
    Deadline {
        /// A time with its zone or offset, `now` or `none`; the deadline as it is if not given.
        at: Option<String>,
        /// What happens at the deadline.
        #[arg(long, value_enum)]
        then: Option<Then>,
        /// Minutes for which orders count all the same.
        #[arg(long, value_name = "MINUTES")]
        grace: Option<u32>,
    },
    /// Run published turns again from what is stored and compare digests, views and dice.
    #[command(after_help = "Examples:\n  briefwelt turn replay\n  briefwelt turn replay --turn 3")]
    Replay {
        /// Only this turn.
        #[arg(long)]
        turn: Option<u32>,
    },
    /// Print the order file of a realm that counted, or counts now, or a first draft.
    #[command(
        after_help = "Examples:\n  briefwelt turn orders --realm Adler --turn 3 > SPIELZUG\n  \
                            briefwelt turn orders --realm Adler --draft > SPIELZUG      what the computer would order now"
    )]
    Orders {
        /// Number or name of the realm.
        #[arg(long, short)]
        realm: String,
        /// The turn; the open one if not given.
        #[arg(long)]
        turn: Option<u32>,
        /// A draft for the open turn: what the computer would order, from what the realm knows.
        #[arg(long, conflicts_with = "turn")]
        draft: bool,
    },
}

/// What happens at a deadline.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Then {
    /// The game master runs the turn.
    ByHand,
    /// The turn is run if nobody is missing.
    Complete,
    /// The turn is run.
    Always,
}

/// An order file on its way in.
#[derive(Args, Debug)]
pub struct Orders {
    /// The order file, or `-` for standard input.
    pub file: PathBuf,
    /// Number or name of the realm; if not given, what the file beside the orders says.
    #[arg(long, short)]
    pub realm: Option<String>,
    /// Refuse unless this turn is the open one.
    #[arg(long)]
    pub turn: Option<u32>,
}

/// `briefwelt gm ...`
#[derive(Subcommand, Debug)]
pub enum Gm {
    /// Decide something unasked.
    #[command(
        after_help = "Example:\n  briefwelt gm edict '{\"do\":\"credit\",\"realm\":2,\"amount\":20}' --reason \"paid in June\""
    )]
    Edict {
        /// The ruling: JSON, or the words that scenarios use.
        ruling: String,
        /// Why.
        #[arg(long, default_value = "")]
        reason: String,
    },
    /// Answer a question that a trial run asked.
    #[command(
        after_help = "Example:\n  briefwelt gm answer 'THO-ADM-03 realm 2' 'hand 2 to Mira' --reason \"a new player\""
    )]
    Answer {
        /// Name of the question, as `gm requests` prints it.
        request: String,
        /// The ruling: JSON, or the words that scenarios use.
        ruling: String,
        /// Why.
        #[arg(long, default_value = "")]
        reason: String,
    },
    /// What the open turn asks: runs it as a trial.
    #[command(after_help = "Examples:\n  briefwelt gm requests\n  briefwelt gm requests --turn 3")]
    Requests {
        /// Questions of a turn that was run already.
        #[arg(long)]
        turn: Option<u32>,
    },
    /// A letter to a realm, or to all.
    #[command(
        after_help = "Examples:\n  briefwelt gm message --realm Adler \"Welcome to the world.\"\n  briefwelt gm message - < letter.txt"
    )]
    Message {
        /// The text, or `-` for standard input.
        text: String,
        /// Number or name of the realm; all if not given.
        #[arg(long, short)]
        realm: Option<String>,
    },
    /// Judgements given for a turn.
    #[command(after_help = "Example:\n  briefwelt gm list --turn 3")]
    List {
        /// The turn; the open one if not given.
        #[arg(long)]
        turn: Option<u32>,
    },
    /// Take a judgement of the open turn back.
    #[command(after_help = "Example:\n  briefwelt gm withdraw 2")]
    Withdraw {
        /// Its number, as `gm list` prints it.
        number: u32,
    },
}

/// For whose eyes.
#[derive(Args, Debug)]
#[group(required = true, multiple = false)]
pub struct Viewer {
    /// As this realm knows it: number or name.
    #[arg(long, short)]
    pub realm: Option<String>,
    /// As the game master knows it.
    #[arg(long)]
    pub gm: bool,
    /// For every realm and the game master, each in a folder.
    #[arg(long)]
    pub all: bool,
}

/// Form of a report.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    /// The book's own layout.
    Text,
    /// A page for a browser.
    Html,
    /// For programs.
    Json,
}

/// `briefwelt report`
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  briefwelt report --realm Adler\n  briefwelt report --realm Adler --format html --out adler.html\n  \
                        briefwelt report --all --turn 3 --out turn3/\n\n\
                        Into a folder go the report under the name the book gives it, the files that belong to it and \
                        DICE.json with the key of this turn and the seal of the next."
)]
pub struct Report {
    /// For whom.
    #[command(flatten)]
    pub viewer: Viewer,
    /// After which turn; the last if not given.
    #[arg(long)]
    pub turn: Option<u32>,
    /// In which form.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// File or folder to write; standard output if not given.
    #[arg(long, value_name = "PATH")]
    pub out: Option<PathBuf>,
}

/// `briefwelt map`
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  briefwelt map --realm Adler --out adler.svg\n  briefwelt map --gm --out world.png"
)]
pub struct Map {
    /// For whom.
    #[command(flatten)]
    pub viewer: Viewer,
    /// After which turn; the last if not given.
    #[arg(long)]
    pub turn: Option<u32>,
    /// File to write, `.svg` or `.png`; with `--all` a folder. SVG on standard output if not given.
    #[arg(long, value_name = "PATH")]
    pub out: Option<PathBuf>,
    /// The map in words, field by field, for those who do not see it.
    #[arg(long, conflicts_with = "out")]
    pub text: bool,
}

/// `briefwelt rules ...`
#[derive(Subcommand, Debug)]
pub enum Rules {
    /// Find rules by words in id, chapter or text.
    #[command(after_help = "Examples:\n  briefwelt rules search river\n  briefwelt rules search Fluss --game thoramar")]
    Search {
        /// Words that must all occur.
        #[arg(required = true)]
        words: Vec<String>,
        /// Only this game.
        #[arg(long)]
        game: Option<String>,
    },
    /// Show a rule with the rules to read with it.
    #[command(after_help = "Example:\n  briefwelt rules show THO-MOVE-04")]
    Show {
        /// Its id.
        id: String,
    },
    /// How orders are written: every form, with examples and rules.
    #[command(after_help = "Example:\n  briefwelt rules orders thoramar")]
    Orders {
        /// Only this game.
        game: Option<String>,
    },
    /// What a world may change: every figure and ruling with its key, what the book says and the rules behind it.
    #[command(after_help = "Examples:\n  briefwelt rules house thoramar\n  briefwelt rules house thoramar combat")]
    House {
        /// The game.
        game: String,
        /// Only keys or names in which all these words stand.
        words: Vec<String>,
    },
    /// Which rules the scenarios cover; exit code 1 while some are open.
    #[command(after_help = "Example:\n  briefwelt rules coverage thoramar")]
    Coverage {
        /// Only this game.
        game: Option<String>,
        /// Folder of the scenarios.
        #[arg(long, default_value = "scenarios", value_name = "DIR")]
        scenarios: PathBuf,
    },
}

/// `briefwelt scenario`
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  briefwelt scenario my-battle.md\n  briefwelt scenario scenarios/thoramar\n  \
                        briefwelt scenario --show my-battle.md      every die, change, event and notice, to copy from\n\n\
                        Ends with `N passed, N failed`; exit code 1 if one failed."
)]
pub struct Scenario {
    /// Scenario files, or folders of them.
    #[arg(required = true)]
    pub paths: Vec<PathBuf>,
    /// Print only what failed, and the last line.
    #[arg(long, short)]
    pub quiet: bool,
    /// Print what every step did, in lines that can be copied into an `expect` or `dice` block.
    #[arg(long)]
    pub show: bool,
    /// The same, with the whole report of everyone.
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
#[command(
    after_help = "Examples:\n  briefwelt verify --realm Adler --turn 3              my dice against key and seal\n  \
                        briefwelt verify --evidence DICE.json --seal 4f6b...  the same without the host\n  \
                        briefwelt verify --all                                the game master: every turn again, byte for byte"
)]
pub struct Verify {
    /// Check the dice of this realm: number or name.
    #[arg(long, short, conflicts_with_all = ["all", "evidence"])]
    pub realm: Option<String>,
    /// The turn; the last if not given.
    #[arg(long)]
    pub turn: Option<u32>,
    /// Run published turns again and compare every byte; examine the database.
    #[arg(long, required_unless_present_any = ["realm", "evidence"])]
    pub all: bool,
    /// Check the dice in a file that the host handed out; needs no database.
    #[arg(long, value_name = "FILE", conflicts_with = "all")]
    pub evidence: Option<PathBuf>,
    /// The seal that you wrote down before the turn.
    #[arg(long, value_name = "HEX")]
    pub seal: Option<String>,
    /// Write the evidence of the realm's dice into a file.
    #[arg(long, value_name = "FILE", requires = "realm")]
    pub out: Option<PathBuf>,
}

/// `briefwelt bench`
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  briefwelt bench thoramar                    1,000 to 200,000 armies and how the time grows\n  \
                        briefwelt bench thoramar --armies 10000\n  \
                        briefwelt bench thoramar --check            how long order files of 100 to 800 orders take to check\n  \
                        briefwelt bench armageddon                  battles of 60 against 60 in a second"
)]
pub struct Bench {
    /// The game.
    pub game: String,
    /// Only this many armies.
    #[arg(long, value_name = "N")]
    pub armies: Option<u32>,
    /// Measure the checking of order files instead of turns.
    #[arg(long, conflicts_with = "armies")]
    pub check: bool,
}

/// `briefwelt battle`
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  briefwelt battle furt.txt                     1,000 battles: who wins, in which round, with which losses\n  \
                        briefwelt battle siege --runs 200             a ready battle: field-battle, river-crossing, siege, sea-battle\n  \
                        briefwelt battle furt.txt --runs 500 --seed 7 --json\n  \
                        briefwelt battle siege --log --seed 7 > siege.log      one battle, line by line with its dice\n  \
                        briefwelt battle siege --script siege.log --seed 7     the same once more, byte by byte\n\n\
                        The computer opponent plays every player, unless a script says what they do. The file holds the lines of a set-up, as in the\n\
                        `world` block of a scenario of ARMAGEDDON. A script holds the turns of all players one after another, each from RUNDE to ENDE; a log is one, too."
)]
pub struct Battle {
    /// The set-up, a scenario whose `world` block it is, or the name of a ready battle.
    pub file: PathBuf,
    /// How many battles.
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub runs: u64,
    /// Play one battle and print its log.
    #[arg(long, conflicts_with = "runs")]
    pub log: bool,
    /// Play the turns of this file instead of the computer's, and print the log.
    #[arg(long, value_name = "FILE", conflicts_with = "runs")]
    pub script: Option<PathBuf>,
    /// Where the dice begin: the same seed gives the same battles.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// House rules (TOML) laid over the figures of the book.
    #[arg(long, value_name = "FILE")]
    pub house: Option<PathBuf>,
}

/// Sender of mails unless another is named.
const MAIL_FROM: &str = "Briefwelt <briefwelt@localhost>";

/// `briefwelt serve`
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  briefwelt serve --data worlds --listen 127.0.0.1:8080\n  \
                        briefwelt serve --data worlds --public-url https://briefwelt.example --trust-proxy\n\n\
                        Ends in peace on Ctrl-C or SIGTERM: what is under way is answered first."
)]
pub struct Serve {
    /// Address and port to listen on.
    #[arg(
        long,
        env = "BRIEFWELT_LISTEN",
        default_value = "127.0.0.1:8080",
        value_name = "ADDR"
    )]
    pub listen: std::net::SocketAddr,
    /// Address under which people reach the host; links in mail begin with it. [default: http://ADDR]
    #[arg(long, env = "BRIEFWELT_PUBLIC_URL", value_name = "URL")]
    pub public_url: Option<String>,
    /// A reverse proxy stands in front: believe its X-Forwarded-For.
    #[arg(long, env = "BRIEFWELT_TRUST_PROXY")]
    pub trust_proxy: bool,
    /// Accounts only by invitation.
    #[arg(long, env = "BRIEFWELT_CLOSED")]
    pub closed: bool,
    /// What a program must present as a bearer token to read /metrics.
    #[arg(long, env = "BRIEFWELT_METRICS_TOKEN", value_name = "TOKEN", hide_env_values = true)]
    pub metrics_token: Option<String>,
    /// Mail server, such as smtps://name:password@mail.example.org; without one mails are laid into a folder.
    #[arg(long, env = "BRIEFWELT_MAIL_SERVER", value_name = "URL", hide_env_values = true)]
    pub mail_server: Option<String>,
    /// Folder for mails if there is no mail server. [default: DIR/post]
    #[arg(long, env = "BRIEFWELT_MAIL_FOLDER", value_name = "DIR")]
    pub mail_folder: Option<PathBuf>,
    /// Sender of mails.
    #[arg(
        long,
        env = "BRIEFWELT_MAIL_FROM",
        default_value = MAIL_FROM,
        value_name = "ADDRESS"
    )]
    pub mail_from: String,
    /// How logs are written to standard error; RUST_LOG chooses what.
    #[arg(long, env = "BRIEFWELT_LOG", value_enum, default_value_t = Log::Text)]
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
    /// For people.
    Text,
    /// For programs, a JSON object per line.
    Json,
}

/// `briefwelt demo`
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  briefwelt demo --data my-demo --turns 4\n  briefwelt demo --game pygma-isis --realms 12 --turns 160    twenty years, for the statistics\n  briefwelt demo --listen 127.0.0.1:8080    and look at it in the browser"
)]
pub struct Demo {
    /// The game.
    #[arg(long, default_value = "thoramar")]
    pub game: String,
    /// Number of realms, all played by the computer.
    #[arg(long, default_value_t = 8, value_name = "N")]
    pub realms: u16,
    /// Number of turns.
    #[arg(long, default_value_t = 8, value_name = "N")]
    pub turns: u32,
    /// Words from which the world follows; the same words give the same world.
    #[arg(long, default_value = "rune")]
    pub seed: String,
    /// Go on as a host in the browser at this address.
    #[arg(long, value_name = "ADDR")]
    pub listen: Option<std::net::SocketAddr>,
}

/// What a campaign looks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Quest {
    /// Random worlds and their twins that differ in what a realm cannot know: nothing it receives may differ.
    Leaks,
    /// Random turns run again, in another order of submission, after storing: the same digests.
    Replays,
    /// Broken order files: no panic, bounded time, every line accounted for.
    Mutants,
    /// Two years of computer players: no illegal order, no broken law.
    Years,
}

/// `briefwelt campaign`
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  briefwelt campaign leaks --count 1000\n  briefwelt campaign leaks --from 417 --count 1    one world again"
)]
pub struct Campaign {
    /// What to look for.
    #[arg(value_enum)]
    pub quest: Quest,
    /// How many worlds, turns or files.
    #[arg(long, default_value_t = 100, value_name = "N")]
    pub count: u32,
    /// First seed.
    #[arg(long, default_value_t = 0, value_name = "SEED")]
    pub from: u32,
    /// Only this game.
    #[arg(long)]
    pub game: Option<String>,
}
