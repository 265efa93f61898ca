//! The program speaks the language that it is asked for.

use crate::desk::Desk;

/// Words that no German sentence has. Commands are the same in every language: lines that show one are left out.
const ENGLISH: [&str; 20] = [
    "the", "is", "are", "of", "and", "with", "by", "turn", "realm", "realms", "orders", "order", "dice", "digest",
    "receipt", "sent", "seats", "events", "errors", "open",
];

/// A world from its making to its end; tells what was said on the way.
fn evening(language: &[&str]) -> Vec<(String, String)> {
    let desk = Desk::empty();
    let mut heard = Vec::new();
    let mut say = |line: &str| {
        let told = desk.run(line.split_whitespace().chain(language.iter().copied()));
        assert!(told.code <= 1, "{line}: {}{}", told.out, told.err);
        heard.push((line.to_owned(), told.out));
    };
    desk.write("SPIELZUG", "$S\nInfo 1\nUnfug\n");
    for line in [
        "world new --name Mark --seed test --seat Adler=Anna --seat Bär=Bernd --computer 1",
        "world list",
        "turn deadline",
        "turn deadline now",
        "turn deadline none",
        "turn status",
        "turn check SPIELZUG --realm 1",
        "turn submit SPIELZUG --realm 1",
        "turn submit SPIELZUG --realm 1",
        "turn status",
        "gm requests",
        "gm list",
        "turn run --without-missing --trial --out probe",
        "turn run --without-missing --out berichte",
        "turn replay",
        "report --all --out berichte",
        "map --realm 1 --out karte.svg",
        "verify --realm 1 --turn 1",
        "verify --all",
        "world show --audit",
        "world export mark.bw",
        "world seat --realm 2 --computer",
        "backup alles.bwb",
        "doctor",
        "world close",
        "world keys keys.json",
        "account list",
    ] {
        say(line);
    }
    heard
}

#[test]
fn an_evening_in_german_has_no_english_line_and_the_other_way_round() {
    let (german, english) = (evening(&[]), evening(&["--lang", "en"]));
    for ((line, german), (_, english)) in german.iter().zip(&english) {
        let told = german.lines().filter(|told| !told.contains("briefwelt "));
        // The record of deeds is told as it was noted; pages have sentences for it.
        let told = told.take_while(|told| *told != "Taten");
        for told in told {
            let foreign = told
                .split(|letter: char| !letter.is_alphabetic())
                .find(|word| ENGLISH.contains(&word.to_lowercase().as_str()));
            assert_eq!(foreign, None, "{line}: {told}");
        }
        let silent = german.trim().is_empty();
        assert!(silent || german != english, "{line}: {german}");
    }
}
