//! The smallest game that has everything the host deals with: orders, dice, judgement, secrets, an end.
//!
//! Every realm sits before a heap of stones. `TAKE n` takes stones; a die decides whether one more falls down; the game
//! master may be asked who gets the last one. A realm sees its own heap only.

use host::account::{Account, NewAccount};
use host::step::RunPlan;
use host::submission::Arrival;
use host::world::{NewSeat, NewWorld, World};
use host::{Host, Options};
use kernel::any::{Adapter, AnyGame};
use kernel::diagnostic::{Diagnostic, Parsed, Span, Spanned};
use kernel::dice::{Dice, Owner, Roll};
use kernel::game::{ArrivedFiles, Brief, Enclosure, FileNames, Game, SeatPlan, Step, WorldPlan};
use kernel::house::{Misfits, Problem};
use kernel::map::Scene;
use kernel::realm::{RealmId, Viewer};
use kernel::report::{ReportSink, Term};
use kernel::rule::{Rule, RuleId};
use kernel::turn::{Cause, Turn};
use serde::{Deserialize, Serialize};
use sqlx::{AssertSqlSafe, Connection as _, PgConnection};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

const TAKE: RuleId = RuleId::new("TOY-TAKE-01");
const LAST: RuleId = RuleId::new("TOY-LAST-01");

/// The toy.
#[derive(Clone, Debug)]
pub struct Toy;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Heaps {
    step: u32,
    house_rules: String,
    heaps: BTreeMap<RealmId, i64>,
    /// Something to compress, so that a state has some size.
    ballast: Vec<i64>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct HeapView {
    realm: Option<RealmId>,
    heaps: BTreeMap<RealmId, i64>,
    rolls: Vec<Roll>,
    house_rules: String,
    ballast: Vec<i64>,
}

impl kernel::guide::Guide for Toy {}

impl Game for Toy {
    const CODE: &'static str = "TOY";
    const NAME: &'static str = "toy";
    const SCHEMA: u16 = 1;
    const FILES: FileNames = FileNames {
        orders: "MOVE",
        realm: "WHO",
        report: "RESULT.TXT",
    };
    type Tables = i64;
    type State = Heaps;
    type Seat = RealmId;
    type Order = i64;
    type Ruling = i64;
    type Event = (RealmId, i64);
    type Notice = i64;
    type View = HeapView;

    fn rules() -> &'static [Rule] {
        &[]
    }
    fn tables(house_rules: &str) -> Result<i64, Misfits> {
        match house_rules {
            "" => Ok(10),
            "heap = 20" => Ok(20),
            other => Err(Problem::Unreadable {
                message: other.to_owned(),
            }
            .into()),
        }
    }
    fn house_rules(state: &Heaps) -> &str {
        &state.house_rules
    }
    fn house_rules_of_view(view: &HeapView) -> &str {
        &view.house_rules
    }
    fn create(
        tables: &i64,
        house_rules: &str,
        plan: &WorldPlan,
        dice: &mut Dice,
        progress: &mut dyn FnMut(u32, u32),
    ) -> Result<Heaps, kernel::worldgen::NoWorld> {
        progress(1, 1);
        let heaps = (1..=plan.seats.len())
            .map(|realm| (RealmId(realm as u16), *tables))
            .collect();
        let ballast = (0..2_000)
            .map(|n| dice.roll(Owner::World, &n.to_string(), 0, i64::MAX))
            .collect();
        Ok(Heaps {
            step: 1,
            house_rules: house_rules.to_owned(),
            heaps,
            ballast,
        })
    }
    fn open_step(_: &i64, state: &Heaps) -> Step {
        Step {
            number: state.step,
            name: Term {
                key: "toy-step".into(),
                args: Vec::new(),
            },
            owes: state.heaps.keys().copied().collect(),
            plays: state.heaps.keys().copied().collect(),
            over: state.heaps.values().all(|stones| *stones == 0),
        }
    }
    fn seat(_: &i64, state: &Heaps, realm: RealmId) -> Option<RealmId> {
        state.heaps.contains_key(&realm).then_some(realm)
    }
    fn seat_of_view(view: &HeapView) -> Option<RealmId> {
        view.realm
    }
    fn parse(_: &i64, _: &RealmId, file: &[u8]) -> Parsed<i64> {
        let mut parsed = Parsed::default();
        for (line, text) in (1..).zip(String::from_utf8_lossy(file).lines()) {
            let span = Span {
                line,
                column: 1,
                length: text.chars().count() as u32,
            };
            if text == "PANIC" {
                panic!("the toy breaks down when told to");
            }
            match text.strip_prefix("TAKE ").and_then(|n| n.parse().ok()) {
                Some(value) => parsed.orders.push(Spanned { span, value }),
                None => parsed.diagnostics.push(Diagnostic::error("T01", span, &[TAKE])),
            }
        }
        parsed
    }
    fn check(_: &i64, view: &HeapView, parsed: &Parsed<i64>) -> Vec<Diagnostic> {
        let own = view
            .realm
            .and_then(|realm| view.heaps.get(&realm))
            .copied()
            .unwrap_or(0);
        let too_many = parsed.orders.iter().filter(|order| order.value > own);
        too_many
            .map(|order| Diagnostic::error("T02", order.span, &[TAKE]))
            .collect()
    }
    fn adjudicate(turn: &mut Turn<'_, Self>) {
        let realms: Vec<RealmId> = turn.state.heaps.keys().copied().collect();
        for realm in realms {
            let die = turn.roll(TAKE, Owner::of(realm), &format!("{realm} fall"), 1, 6);
            turn.roll(TAKE, Owner::World, &format!("{realm} wind"), 1, 6);
            let orders: Vec<i64> = match turn.input.orders.get(&realm) {
                Some(parsed) => parsed.orders.iter().map(|order| order.value).collect(),
                None => Vec::new(),
            };
            let asked: i64 = orders.iter().sum::<i64>() + i64::from(die.value == 6);
            let edict: i64 = turn.input.edicts.iter().map(|edict| edict.ruling).sum();
            let before = turn.state.heaps.get(&realm).copied().unwrap_or(0);
            let mut after = (before - asked + edict).max(0);
            if after == 1 {
                after = turn.ruling(LAST, Some(realm), &realm.to_string(), 1);
            }
            turn.state.heaps.insert(realm, after);
            turn.emit(Cause::Step("take"), vec![TAKE], &[die], (realm, after));
        }
        turn.state.step += 1;
    }
    fn audience(_: &Heaps, event: &(RealmId, i64), realms: &mut Vec<RealmId>) {
        realms.push(event.0);
    }
    fn notice(_: &i64, _: &Heaps, event: &(RealmId, i64), _: Viewer) -> Option<i64> {
        Some(event.1)
    }
    fn view(_: &i64, state: &Heaps, brief: Brief<Self>) -> HeapView {
        let realm = match brief.viewer {
            Viewer::Realm(realm) => Some(realm),
            Viewer::GameMaster => None,
        };
        HeapView {
            realm,
            heaps: state
                .heaps
                .iter()
                .filter(|(other, _)| realm.is_none_or(|me| me == **other))
                .map(|(other, stones)| (*other, *stones))
                .collect(),
            rolls: brief.told.into_iter().flat_map(|told| told.why.rolls).collect(),
            house_rules: state.house_rules.clone(),
            ballast: if realm.is_none() {
                state.ballast.clone()
            } else {
                Vec::new()
            },
        }
    }
    fn open_rolls(view: &HeapView) -> Vec<Roll> {
        view.rolls.clone()
    }
    fn report(_: &i64, view: &HeapView, sink: &mut dyn ReportSink) {
        sink.verbatim(&format!("{:?}", view.heaps));
    }
    fn map(_: &i64, _: &HeapView) -> Scene {
        Scene::default()
    }
    fn computer_player(_: &i64, _: &HeapView, dice: &mut Dice) -> String {
        format!("TAKE {}\n", dice.roll(Owner::World, "whim", 1, 2))
    }
    fn invariants(_: &i64, state: &Heaps) -> Result<(), String> {
        if state.heaps.values().any(|stones| *stones > 1_000) {
            return Err("a heap outgrew the table".into());
        }
        Ok(())
    }
    fn check_files(realm: RealmId, files: ArrivedFiles<'_>) -> Vec<Diagnostic> {
        let mut findings = Vec::new();
        let span = Span::default();
        if files.orders.is_some_and(|name| name != "MOVE") {
            findings.push(Diagnostic::error("F01", span, &[TAKE]));
        }
        if files.realm.is_some_and(|who| who != realm.to_string().as_bytes()) {
            findings.push(Diagnostic::error("F02", span, &[TAKE]));
        }
        findings
    }
    fn enclosures(_: &i64, _: &HeapView) -> Vec<Enclosure> {
        vec![Enclosure {
            name: "MORE.TXT".into(),
            text: "more".into(),
        }]
    }
    fn hand_over(_: RealmId, _: &str, _: Option<&str>) -> Option<i64> {
        Some(0)
    }
    fn letter(_: Option<RealmId>, text: &str) -> Option<i64> {
        text.parse().ok()
    }
}

/// The games of the tests.
pub fn games() -> Vec<Arc<dyn AnyGame>> {
    vec![Arc::new(Adapter::<Toy>::new())]
}

/// Address of the PostgreSQL database on which the tests run, if they do.
pub fn postgres() -> Option<String> {
    std::env::var("BRIEFWELT_TEST_POSTGRES")
        .ok()
        .filter(|url| !url.is_empty())
}

/// The address with a schema of its own for every folder: tests share the database, not what is in it.
pub fn in_schema(url: &str, folder: &Path) -> String {
    let joint = if url.contains('?') { '&' } else { '?' };
    format!("{url}{joint}options[search_path]={}", schema(folder))
}

fn schema(folder: &Path) -> String {
    format!(
        "test_{}",
        &blake3::hash(folder.as_os_str().as_encoded_bytes()).to_hex()[..16]
    )
}

/// Opens a store, making it if need be: on PostgreSQL if the tests run there, else on SQLite.
pub async fn open(data: &Path) -> Host {
    let database = match postgres() {
        Some(url) => {
            let mut connection = PgConnection::connect(&url).await.expect("the database answers");
            let make = format!("CREATE SCHEMA IF NOT EXISTS {}", schema(data));
            sqlx::raw_sql(AssertSqlSafe(make))
                .execute(&mut connection)
                .await
                .expect("a schema for the test");
            Some(in_schema(&url, data))
        }
        None => None,
    };
    let options = Options {
        data: data.to_owned(),
        database,
        create: true,
        megabytes_max: None,
    };
    Host::open(games(), &options).await.expect("the store opens")
}

/// Opens a store on SQLite, whatever the tests run on.
pub async fn open_file(data: &Path) -> Host {
    try_open(data, None).await.expect("the store opens")
}

/// Opens a store on SQLite with a limit of its size.
pub async fn try_open(data: &Path, megabytes_max: Option<u32>) -> host::Result<Host> {
    let options = Options {
        data: data.to_owned(),
        database: None,
        create: true,
        megabytes_max,
    };
    Host::open(games(), &options).await
}

/// A plan with three seats, the last played by the computer.
pub fn plan(name: &str) -> NewWorld {
    let seat = |realm: &str, computer| NewSeat {
        plan: SeatPlan {
            realm: realm.into(),
            player: format!("Player of {realm}"),
            kind: String::new(),
        },
        computer,
        vacant: false,
    };
    NewWorld {
        name: name.into(),
        game: "toy".into(),
        house_rules: String::new(),
        seats: vec![seat("Adler", false), seat("Bär", false), seat("Chimäre", true)],
        seed: Some("a seed".into()),
        map_seed: None,
    }
}

/// A world after that plan.
pub async fn world(host: &Host, name: &str) -> World {
    host.create(&plan(name), &mut |_, _| {})
        .await
        .expect("the world is made")
}

/// The open turn, whoever has sent no orders.
pub const ANYWAY: RunPlan = RunPlan {
    step: None,
    without_missing: true,
};

/// The password of everybody who has one.
pub const PASSWORD: &str = "Nebel über dem Moor";

/// The plan of an account.
pub fn new_account(name: &str) -> NewAccount {
    NewAccount {
        name: name.into(),
        mail: format!("{}@example.org", name.to_lowercase()),
        password: Some(PASSWORD.into()),
        language: "de".into(),
        zone: "Europe/Berlin".into(),
    }
}

/// An account without a password: nothing has to be hashed for it.
pub async fn account(host: &Host, name: &str) -> Account {
    let plan = NewAccount {
        password: None,
        ..new_account(name)
    };
    host.sign_up(&plan, None, 0).await.expect("the account is made")
}

/// An order file that arrives without a name.
pub fn arrival(realm: u16, file: &[u8]) -> Arrival<'_> {
    Arrival {
        realm: RealmId(realm),
        step: None,
        file,
        files: ArrivedFiles::default(),
    }
}
