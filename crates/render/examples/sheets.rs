//! Draws the maps of the tests into a directory: `cargo run -p render --example sheets -- DIRECTORY`.

#[path = "../tests/support/mod.rs"]
mod support;

use render::map::{MapOptions, Theme, index, live, style_sheet, svg};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let directory = std::env::args().nth(1).unwrap_or_else(|| "sheets".into());
    std::fs::create_dir_all(&directory)?;
    let candle = MapOptions {
        theme: Theme::Candle,
        ..MapOptions::default()
    };
    let english = kernel::map::Scene {
        language: "en".into(),
        ..support::nebelmark()
    };
    let whole = kernel::map::Scene {
        fields: support::nebelmark()
            .fields
            .into_iter()
            .map(|f| kernel::map::Field {
                knowledge: kernel::map::Knowledge::Now,
                ..f
            })
            .collect(),
        own_realm: None,
        ..support::nebelmark()
    };
    let small = MapOptions {
        width: Some(600),
        ..MapOptions::default()
    };
    let sheets = [
        ("nebelmark", support::nebelmark(), MapOptions::default()),
        ("candle", english, candle),
        ("small", support::nebelmark(), small),
        ("flat", support::flat_topped(), MapOptions::default()),
        ("master", whole, MapOptions::default()),
        (
            "world",
            support::whole_world(200, 116, 24),
            MapOptions {
                field: Some(12),
                ..MapOptions::default()
            },
        ),
        (
            "world-tiny",
            support::whole_world(200, 116, 24),
            MapOptions {
                field: Some(6),
                ..MapOptions::default()
            },
        ),
    ];
    let wanted: Vec<String> = std::env::args().skip(2).collect();
    for (name, scene, options) in sheets {
        if !wanted.is_empty() && !wanted.iter().any(|w| w == name) {
            continue;
        }
        let start = std::time::Instant::now();
        let picture = svg(&scene, &options);
        let drawn = start.elapsed();
        std::fs::write(format!("{directory}/{name}.svg"), &picture)?;
        println!(
            "{name}: {} fields, {} bytes, {drawn:?}",
            scene.fields.len(),
            picture.len()
        );
        #[cfg(feature = "png")]
        {
            let start = std::time::Instant::now();
            let pixels = render::png::png(&picture, 1.0)?;
            println!("  png {} bytes, {:?}", pixels.len(), start.elapsed());
            std::fs::write(format!("{directory}/{name}.png"), pixels)?;
        }
    }
    // The maps of pages: the drawing, what a script is told, and the colours.
    std::fs::write(format!("{directory}/map-colours.css"), style_sheet())?;
    for (name, scene) in [
        ("live-nebelmark", support::nebelmark()),
        ("live-flat", support::flat_topped()),
        ("live-world", support::whole_world(126, 80, 12)),
    ] {
        if !wanted.is_empty() && !wanted.iter().any(|w| w == name) {
            continue;
        }
        let start = std::time::Instant::now();
        let picture = live(&scene, &MapOptions::default());
        println!(
            "{name}: {} fields, {} bytes, {:?}",
            scene.fields.len(),
            picture.len(),
            start.elapsed()
        );
        std::fs::write(format!("{directory}/{name}.svg"), picture)?;
        std::fs::write(format!("{directory}/{name}.json"), index(&scene))?;
    }
    Ok(())
}
