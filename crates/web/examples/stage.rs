//! A host to look at pages with, without a real game: `cargo run -p web --example stage --features testing -- 127.0.0.1:8080`.
//!
//! Accounts Admin, Mira, Jonas and Greta (who leads Nebelmark), all with the password of `web::testing`.

use host::membership::Admission;
use kernel::any::Adapter;
use kernel::realm::RealmId;
use std::sync::Arc;
use testkit::toy::Toy;
use web::testing::Stage;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:8080".into());
    let stage = Stage::new(vec![Arc::new(Adapter::<Toy>::new())]).await;
    let host = &stage.web.host;
    let realms = ["Adler", "Bär", "Chimäre", "Drache", "Einhorn", "Falke"];
    let worlds = [
        (
            "Nebelmark",
            "Zwei Völker, ein Paß, und eine Bucht, in der angeblich nur gefischt wird.",
        ),
        (
            "Salzstraße",
            "Karawanen, Seide und ein Monat, der immer zu kurz ist. Für Händler mit Heer.",
        ),
        (
            "Ragnarøk im Norden",
            "Götter mit schlechter Laune, Schlachten auf dem Brett, Sagas für den Rest des Jahres.",
        ),
    ];
    for (number, (name, text)) in worlds.into_iter().enumerate() {
        let world = stage.world(name, "toy", &realms).await;
        for realm in 1..=4 + number {
            host.vacate_seat(&world, RealmId(u16::try_from(realm)?)).await?;
        }
        host.set_admission(&world, Admission::Public, text).await?;
    }
    let world = host.world(Some("Nebelmark")).await?;
    stage.account("Admin").await;
    stage.player("Mira", &world, 1).await;
    stage.player("Jonas", &world, 2).await;
    stage.game_master("Greta", &world).await;
    let now = stage.web.clock.now();
    host.set_deadline(&world, Some(now + 13 * 86_400_000 + 21 * 3_600_000), now)
        .await?;
    let listener = tokio::net::TcpListener::bind(&address).await?;
    println!("http://{}", listener.local_addr()?);
    let end = async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    web::serve(listener, stage.web.clone(), end).await?;
    Ok(())
}
