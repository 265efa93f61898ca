//! What a realm cannot know changes no byte of any page, picture, file or status it can get from the host.
//!
//! Two hosts keep the same world but for what one realm cannot know. Its player walks through both at the same time, along
//! every link, and tries every address that the host has, before and after a turn and while a trial lies on the desk.

mod calls;
mod sheet;
mod walk;

use host::step::RunPlan;
use host::submission::Arrival;
use host::world::{NewSeat, NewWorld, World};
use kernel::any::Adapter;
use kernel::campaign::Campaign;
use kernel::game::{ArrivedFiles, SeatPlan};
use kernel::realm::RealmId;
use std::sync::Arc;
use testkit::leaks::{Kept, kept_twins};
use walk::Walk;
use web::testing::{Browser, Stage};

/// The world's name.
const WORLD: &str = "Mark";

/// Worlds that are looked at: the long campaign looks at more.
fn seeds() -> std::ops::Range<u64> {
    let count = std::env::var("BRIEFWELT_TWIN_WORLDS")
        .ok()
        .and_then(|count| count.parse().ok());
    0..count.unwrap_or(1)
}

/// A host with the world, and the player's browser.
struct Side {
    stage: Stage,
    world: World,
    player: Browser,
}

impl Side {
    async fn new<G: Campaign>(kept: &Kept, realms: u16, viewer: RealmId) -> Self
    where
        Adapter<G>: kernel::any::AnyGame + 'static,
    {
        let stage = Stage::new(vec![Arc::new(Adapter::<G>::new())]).await;
        let seat = |number: u16| NewSeat {
            plan: SeatPlan {
                realm: format!("Reich {number}"),
                player: format!("Herr {number}"),
                ..SeatPlan::default()
            },
            ..NewSeat::default()
        };
        let plan = NewWorld {
            name: WORLD.into(),
            game: G::NAME.into(),
            seats: (1..=realms).map(seat).collect(),
            seed: Some("twins".into()),
            ..NewWorld::default()
        };
        let world = stage
            .web
            .host
            .create_from(&plan, "77696e73", &kept.state)
            .await
            .unwrap();
        stage.account("Verwalter").await;
        let player = stage.player("Mira", &world, viewer.0).await;
        Self { stage, world, player }
    }

    async fn hand_in(&self, kept: &Kept) {
        for (realm, file) in &kept.files {
            let arrival = Arrival {
                realm: *realm,
                step: None,
                file,
                files: ArrivedFiles::default(),
            };
            // A file that is refused as a whole is an absence: both are part of the setting.
            let _ = self.stage.web.host.submit(&self.world, arrival, host::now()).await;
        }
    }
}

async fn compare<G: Campaign>()
where
    Adapter<G>: kernel::any::AnyGame + 'static,
{
    let plan = RunPlan {
        step: None,
        without_missing: true,
    };
    let (mut answers, mut pages) = (0, 0);
    for seed in seeds() {
        let (original, twins) = kept_twins::<G>(seed).unwrap();
        let realms = twins.keys().map(|realm| realm.0).max().unwrap();
        for (viewer, twin) in &twins {
            assert_ne!(
                original.state, twin.state,
                "seed {seed}, realm {viewer}: the twins are the same"
            );
            let mut one = Side::new::<G>(&original, realms, *viewer).await;
            let mut two = Side::new::<G>(twin, realms, *viewer).await;
            let mut walk = Walk::new(WORLD, format!("seed {seed}, realm {viewer}"));
            walk.everywhere("before the turn", &mut one.player, &mut two.player)
                .await;
            one.hand_in(&original).await;
            two.hand_in(twin).await;
            for side in [&one, &two] {
                side.stage.web.host.try_step(&side.world, plan).await.unwrap();
            }
            walk.everywhere("during the trial", &mut one.player, &mut two.player)
                .await;
            for side in [&one, &two] {
                side.stage
                    .web
                    .host
                    .run(&side.world, plan, &mut |_, _| {})
                    .await
                    .unwrap();
            }
            walk.everywhere("after the turn", &mut one.player, &mut two.player)
                .await;
            answers += walk.answers;
            pages += walk.pages;
            // Whoever may know everything can tell them apart: the walk would have found it.
            let mut told = Vec::new();
            for side in [&one, &two] {
                let mut master = side.stage.game_master("Norne", &side.world).await;
                let mut all = master.get(&format!("/welt/{WORLD}/leitung/karte/text")).await.text;
                for realm in (1..=realms).filter(|realm| *realm != viewer.0) {
                    for part in ["bericht", "befehle"] {
                        let way = format!("/welt/{WORLD}/leitung/reich/{realm}/{part}");
                        all += &master.get(&way).await.text;
                    }
                }
                told.push(all);
            }
            assert!(
                told[0] != told[1],
                "seed {seed}, realm {viewer}: the game master sees no difference"
            );
        }
    }
    println!(
        "{}: {answers} answers compared, {pages} of them pages, pictures and files",
        G::NAME
    );
    assert!(pages > 300, "only {pages} of {answers} answers showed anything");
}

#[tokio::test]
async fn what_a_realm_cannot_know_changes_no_answer_of_the_host() {
    compare::<thoramar::Thoramar>().await;
}

#[tokio::test]
async fn neither_does_it_in_a_world_of_the_second_game() {
    compare::<pygma_isis::PygmaIsis>().await;
}

#[tokio::test]
async fn neither_does_it_in_a_battle() {
    compare::<armageddon::Armageddon>().await;
}
