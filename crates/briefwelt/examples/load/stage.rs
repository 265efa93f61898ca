//! The world of the storm: realms, accounts, keys, sessions, orders.

use anyhow::Context as _;
use host::account::NewAccount;
use host::token::{NewToken, Scope};
use host::world::{NewSeat, NewWorld, World};
use host::{Host, Options};
use kernel::any::AnyGame;
use kernel::dice::WorldSecret;
use kernel::game::SeatPlan;
use kernel::realm::{RealmId, Viewer};
use std::path::PathBuf;
use std::sync::Arc;

/// Name of the world.
pub const WORLD: &str = "Sturm";
/// Players that also read pages in a browser.
const SESSIONS: usize = 40;
/// So many players send the same orders: places count from one's own capital, so they mean something to each of them.
const ALIKE: usize = 50;

/// What to do.
pub struct Plan {
    /// The program.
    pub program: PathBuf,
    /// Folder of the store.
    pub data: PathBuf,
    /// Address of the database.
    pub database: Option<String>,
    /// Players.
    pub players: usize,
    /// Seconds in which they hand in.
    pub seconds: u64,
}

/// A player who hands in.
#[derive(Clone)]
pub struct Player {
    /// Key of his program.
    pub token: String,
    /// His orders, as the interface takes them.
    pub orders: String,
}

/// Everybody.
pub struct Cast {
    /// Those who hand in.
    pub players: Vec<Player>,
    /// Sessions of those who read.
    pub sessions: Vec<String>,
}

async fn open(plan: &Plan) -> anyhow::Result<Host> {
    let games: Vec<Arc<dyn AnyGame>> = vec![thoramar::hosted()];
    let options = Options {
        data: plan.data.clone(),
        create: true,
        database: plan.database.clone(),
        megabytes_max: None,
    };
    Ok(Host::open(games, &options).await?)
}

/// Makes the world and everybody in it.
pub async fn make(plan: &Plan) -> anyhow::Result<Cast> {
    let host = open(plan).await?;
    let seat = |number: usize| NewSeat {
        plan: SeatPlan {
            realm: format!("Reich {number}"),
            player: format!("Spieler {number}"),
            ..SeatPlan::default()
        },
        ..NewSeat::default()
    };
    let game = host.game("thoramar")?;
    // A world with room for all of them.
    let sizes = game.sizes(plan.players);
    let room = sizes
        .get(1)
        .map(|size| game.write_house_rules(&size.values))
        .transpose()?;
    let new = NewWorld {
        name: WORLD.to_owned(),
        game: game.name().to_owned(),
        house_rules: room.unwrap_or_default(),
        seats: (1..=plan.players).map(seat).collect(),
        seed: Some("load".to_owned()),
        ..NewWorld::default()
    };
    let world = host.create(&new, &mut |_, _| {}).await?;
    let dice = WorldSecret([7; 32]).step(1);
    let mut cast = Cast {
        players: Vec::with_capacity(plan.players),
        sessions: Vec::new(),
    };
    let mut orders = String::new();
    for number in 1..=plan.players {
        let now = host::now();
        let account = NewAccount {
            name: format!("Spieler {number}"),
            mail: format!("spieler{number}@example.org"),
            password: None,
            language: "de".into(),
            zone: "Europe/Berlin".into(),
        };
        let account = host.sign_up(&account, None, now).await?;
        let realm = RealmId(u16::try_from(number)?);
        host.assign_seat(&world, realm, &account.id, now).await?;
        let new = NewToken {
            name: "Sturm".into(),
            scope: Scope::Write,
            expires_at: None,
        };
        let made = host.make_token(&account.id, &new, now).await?;
        if number % ALIKE == 1 {
            let (_, view) = host.view(&world, Viewer::Realm(realm), None).await?;
            let text = game.computer_player(&view, &dice)?;
            orders = serde_json::json!({ "text": text }).to_string();
        }
        cast.players.push(Player {
            token: made.secret,
            orders: orders.clone(),
        });
        if cast.sessions.len() < SESSIONS {
            let link = host.login_link(&account.name, None, now).await?;
            let (_, link) = link.context("an account with an address has a link")?;
            let login = host.use_link(&link, None, "load", now).await?;
            cast.sessions.push(login.token);
        }
    }
    let now = host::now();
    // The deadline falls right behind the storm.
    let due = now + i64::try_from(plan.seconds)? * 1_000 + 60_000;
    host.set_deadline(&world, Some(due), now).await?;
    host.closer().close().await;
    Ok(cast)
}

/// How many realms have handed in.
pub async fn handed_in(plan: &Plan) -> anyhow::Result<usize> {
    let host = open(plan).await?;
    let world: World = host.world(Some(WORLD)).await?;
    let (_, standings) = host.standings(&world).await?;
    let count = standings.iter().filter(|of| of.receipt.is_some()).count();
    host.closer().close().await;
    Ok(count)
}
