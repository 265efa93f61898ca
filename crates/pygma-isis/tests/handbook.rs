//! Every order that the handbook shows can be read, in both languages, and every verb is among them.

use pygma_isis::grammar::Verb;
use pygma_isis::parse::{Seat, parse};
use pygma_isis::tables::Tables;
use std::collections::BTreeSet;

/// The lines of the code blocks, block by block.
fn blocks(text: &str) -> Vec<String> {
    text.split("```")
        .skip(1)
        .step_by(2)
        .map(|block| block.trim_start_matches('\n').to_owned())
        .collect()
}

fn shown(name: &str) -> BTreeSet<Verb> {
    let path = format!("{}/../../docs/handbook/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let seat = Seat {
        realm: kernel::realm::RealmId(1),
        name: "Adler".into(),
        year: 1,
        month: 4,
        fields_per_great_field: 25,
    };
    let mut verbs = BTreeSet::new();
    let blocks = blocks(&text);
    assert!(blocks.len() >= 6, "{name}: {} blocks", blocks.len());
    for block in blocks {
        let parsed = parse(&Tables::book(), &seat, block.as_bytes());
        assert!(
            parsed.diagnostics.is_empty(),
            "{name}:\n{block}{:?}",
            parsed.diagnostics
        );
        assert!(!parsed.orders.is_empty(), "{name}:\n{block}");
        verbs.extend(parsed.orders.iter().map(|order| order.value.verb()));
    }
    verbs
}

#[test]
fn the_orders_of_the_handbook_are_read() {
    let (german, english) = (shown("pygma-isis.de.md"), shown("pygma-isis.en.md"));
    assert_eq!(german, english);
    let missing: Vec<&str> = Verb::ALL
        .iter()
        .filter(|verb| !german.contains(verb))
        .map(|verb| verb.word())
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}
