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

/// Command lines that are refused, each for another reason.
const REFUSED: [&str; 34] = [
    "world show --world Nirgendwo",
    "world new --name Neu --game chess --seats 1",
    "world new --name Mark --seats 1",
    "world new --name Neu",
    "world new --name Neu --seat Adler",
    "world new --name Neu --seats 2 --house kaputt.toml",
    "world new --name Neu --seats 2 --house fremd.toml",
    "world new --name Neu --seats 2 --house latin.toml",
    "world new --name Neu --seats 2 --house zu-gross.toml",
    "world import SPIELZUG",
    "world import nirgends.bww",
    "world keys keys.json",
    "turn check nirgends --realm 1",
    "turn check ordner --realm 1",
    "turn check SPIELZUG",
    "turn check gross --realm 1",
    "turn submit SPIELZUG --realm 9",
    "turn submit SPIELZUG --realm Drache",
    "turn submit SPIELZUG --realm 1 --turn 0",
    "turn submit SPIELZUG --realm 1 --turn 2",
    "turn submit muell --realm 1",
    "turn run",
    "turn deadline morgen",
    "report --realm 1 --turn 7",
    "report --gm --turn 7",
    "turn replay --turn 7",
    "map --gm --out map.gif",
    "rules show THO-NOPE-01",
    "gm edict nonsense",
    "gm edict credit",
    "gm withdraw 7",
    "verify --evidence SPIELZUG",
    "account admin niemand",
    "battle nirgends",
];

#[test]
fn every_refusal_is_told_in_both_languages_with_the_same_exit_code() {
    let desk = Desk::with_a_world();
    desk.write("SPIELZUG", "$S\nI 1\n");
    desk.write("kaputt.toml", "kein = [");
    desk.write(
        "fremd.toml",
        "[combat]\nluck_spread_prt = 3\n[world]\ncolumns = 1000000\n",
    );
    desk.write("latin.toml", b"# \xe4\xf6\xfc");
    desk.write("zu-gross.toml", "[world]\ncolumns = 4000\nrows = 4000\n");
    desk.write("gross", vec![b'\n'; kernel::limits::ORDER_FILE_BYTES + 1]);
    desk.write("muell", [0u8, 1, 2, 3, 255].repeat(1_000));
    std::fs::create_dir(desk.path("ordner")).unwrap();
    for line in REFUSED {
        let german = desk.say(line);
        let english = desk.say(&format!("{line} --lang en"));
        assert!(german.code > 1, "{line}: {german:?}");
        assert_eq!(german.code, english.code, "{line}: {german:?}");
        assert!(german.err.starts_with("briefwelt: "), "{line}: {german:?}");
        assert_ne!(german.err, english.err, "{line}");
        // What stands in brackets are the words of others: of a database, of the reader of a table.
        let own: String = german.err.split('(').next().unwrap_or_default().to_owned();
        // Capitals stand for what is put in: the forms of judgements are the same in every language.
        let foreign = own
            .split(|letter: char| !letter.is_alphabetic())
            .find(|word| ENGLISH.contains(word));
        let quoted = own.contains('`') || own.contains("--");
        assert!(foreign.is_none() || quoted, "{line}: {}", german.err);
    }
}

#[test]
fn help_speaks_the_language_that_is_asked_for() {
    let desk = Desk::empty();
    for (line, german, english) in [
        ("help", "Beherbergt Briefspielwelten", "Hosts play-by-mail worlds"),
        ("--help", "Optionen aller Befehle:", "Options of every command:"),
        ("turn --help", "Befehle:", "Commands:"),
        (
            "turn check --help",
            "Eine Befehlsdatei aus dem prüfen",
            "Check an order file",
        ),
        (
            "help turn check",
            "Aufruf: briefwelt turn check [OPTIONEN] <DATEI>",
            "Usage: briefwelt turn check [OPTIONS] <FILE>",
        ),
        ("exit-codes", "Rückgabewerte:", "Exit codes:"),
        (
            "completions fish",
            "Befehle prüfen und abgeben",
            "Check and hand in orders",
        ),
        ("help exit-codes", "kein Platz auf dem Datenträger", "disk full"),
    ] {
        let told = desk.say(line).good();
        assert!(told.contains(german), "{line}: {told}");
        let told = desk.say(&format!("--lang en {line}")).good();
        assert!(told.contains(english) && !told.contains(german), "{line}: {told}");
    }
    let told = desk
        .command(["turn", "--help"])
        .env("BRIEFWELT_LANG", "en")
        .output()
        .unwrap();
    assert!(String::from_utf8_lossy(&told.stdout).contains("Usage:"));
    let told = desk
        .command(["turn", "--help"])
        .env("LANG", "en_US.UTF-8")
        .output()
        .unwrap();
    assert!(
        String::from_utf8_lossy(&told.stdout).contains("Aufruf:"),
        "reports go to players: the system is not asked"
    );
    let told = desk.say("trun --json");
    assert_eq!(told.code, 2);
    let told: serde_json::Value = serde_json::from_str(&told.err).unwrap();
    assert_eq!(told["exit_code"], 2);
}
