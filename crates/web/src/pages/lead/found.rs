//! A new world: game, seats, house rules, seed.

use super::told;
use crate::Answer;
use crate::error::Fault;
use crate::identity::{Signed, world_segment};
use crate::page::{Flash, Page, go_with};
use crate::state::Web;
use askama::Template;
use axum::Form;
use axum::extract::State;
use host::world::{NewSeat, NewWorld};
use kernel::game::SeatPlan;
use serde::Deserialize;

/// Names for the seats of a new world, in the order of the alphabet; players give their realms names of their own.
const REALMS: [&str; 24] = [
    "Adler",
    "Bär",
    "Chimäre",
    "Drache",
    "Einhorn",
    "Falke",
    "Greif",
    "Hirsch",
    "Igel",
    "Jaguar",
    "Kranich",
    "Löwe",
    "Marder",
    "Natter",
    "Otter",
    "Panther",
    "Qualle",
    "Rabe",
    "Stier",
    "Tiger",
    "Uhu",
    "Vielfraß",
    "Wolf",
    "Zeder",
];

#[derive(Template)]
#[template(path = "lead/found.html")]
struct Found<'a> {
    page: &'a Page,
    games: Vec<&'static str>,
    form: &'a Plan,
    trouble: Option<String>,
}

/// The plan of a new world as it was filled in.
#[derive(Deserialize, Default)]
pub struct Plan {
    name: String,
    spiel: String,
    reiche: u32,
    computer: u32,
    #[serde(default)]
    hausregeln: String,
    #[serde(default)]
    saat: String,
}

/// `GET /neue-welt`
pub async fn show(State(web): State<Web>, page: Page, _signed: Signed) -> Answer {
    let form = Plan {
        spiel: web.host.games().first().map_or("", |game| game.name()).to_owned(),
        reiche: 8,
        computer: 0,
        ..Plan::default()
    };
    page.show(&Found {
        page: &page,
        games: web.host.games().iter().map(|game| game.name()).collect(),
        form: &form,
        trouble: None,
    })
}

/// `POST /neue-welt`
pub async fn found(State(web): State<Web>, page: Page, signed: Signed, Form(form): Form<Plan>) -> Answer {
    let count = usize::try_from(form.reiche)
        .unwrap_or(usize::MAX)
        .min(kernel::limits::REALMS);
    let seats = (0..count).map(|place| {
        let realm = REALMS
            .get(place)
            .map_or_else(|| format!("Reich {}", place + 1), |name| (*name).to_owned());
        // The last seats are the computer's for good; the others wait for players, and it keeps them warm.
        let keeps = place + usize::try_from(form.computer).unwrap_or(0) >= count;
        NewSeat {
            plan: SeatPlan {
                player: page.t("lead.vacant-player"),
                realm,
                kind: String::new(),
            },
            computer: keeps,
            vacant: !keeps,
        }
    });
    let plan = NewWorld {
        name: form.name.trim().to_owned(),
        game: form.spiel.clone(),
        house_rules: form.hausregeln.replace("\r\n", "\n"),
        seats: seats.collect(),
        seed: Some(form.saat.trim().to_owned()).filter(|seed| !seed.is_empty()),
    };
    let (host, account, now) = (web.host.clone(), signed.account.id.clone(), web.clock.now());
    let work = tokio::spawn(async move {
        host::acting(&account, async {
            let world = host.create(&plan, &mut |_, _| {}).await?;
            host.add_master(&world, &account, now).await?;
            Ok::<_, host::HostError>(world)
        })
        .await
    });
    match work.await.map_err(|error| Fault::Broken(error.to_string()))? {
        Ok(world) => {
            let to = format!("/welt/{}/leitung", world_segment(&world));
            go_with(&web, &to, &Flash::good("flash.lead-founded").with("name", &world.name))
        }
        Err(error) => {
            let trouble = match &error {
                host::HostError::UnknownGame { .. } => error.to_string(),
                _ => told(error)?.text(&page.words),
            };
            page.show_as(
                axum::http::StatusCode::UNPROCESSABLE_ENTITY,
                &Found {
                    page: &page,
                    games: web.host.games().iter().map(|game| game.name()).collect(),
                    form: &form,
                    trouble: Some(trouble),
                },
            )
        }
    }
}
