//! A world from its making to the end of a turn, as a game master and his players live it.

use crate::desk::Desk;
use std::fs;

#[test]
fn a_turn_from_the_first_report_to_the_checked_dice() {
    let desk = Desk::with_a_world();
    let first = desk.say("report --realm Adler").good();
    assert!(first.contains("Adler") && first.contains("Anna"), "{first}");
    // The seal that a player writes down before the turn.
    let status = desk.say("turn status --json").json();
    let seal = status["seals"]
        .as_array()
        .unwrap()
        .iter()
        .find(|seal| seal["owner"]["Realm"] == 1)
        .unwrap();
    let seal = seal["seal"].as_str().unwrap().to_owned();
    desk.write("SPIELZUG", "$S\nInfo 1\n");
    for realm in ["Adler", "bär"] {
        let told = desk.run(["turn", "submit", "SPIELZUG", "--realm", realm]).good();
        assert!(told.contains("Angenommen. Quittung"), "{told}");
    }
    let trial = desk.say("turn run --trial --out trial").good();
    assert!(trial.contains("nichts ist veröffentlicht"), "{trial}");
    assert!(desk.path("trial/01-Adler/ERGEBNIS.TXT").exists());
    let run = desk.say("turn run --json --out reports").json();
    assert_eq!((&run["step"], &run["missing"]), (&1.into(), &serde_json::json!([])));
    assert_eq!(
        fs::read(desk.path("trial/01-Adler/ERGEBNIS.TXT")).unwrap(),
        fs::read(desk.path("reports/01-Adler/ERGEBNIS.TXT")).unwrap(),
        "a trial with the same input shows what will be"
    );
    desk.say("turn replay").good();
    desk.say("verify --all").good();
    desk.run(["verify", "--realm", "Adler", "--turn", "1", "--seal", &seal])
        .good();
    let wrong = seal.replace(char::is_numeric, "a");
    assert_eq!(desk.run(["verify", "--realm", "Adler", "--seal", &wrong]).code, 1);
    // The player alone, with what came with the report, without the database.
    let dice = desk.path("reports/01-Adler/DICE.json");
    let elsewhere = Desk::empty();
    let words = ["verify", "--evidence", dice.to_str().unwrap(), "--seal", &seal];
    elsewhere.run(words).good();
}

#[test]
fn all_files_of_a_player_come_in_the_letters_of_his_computer() {
    let desk = Desk::with_a_world();
    desk.write("SPIELZUG", "$S\nComputer PC\n$K\nGrüße\n");
    desk.say("turn submit SPIELZUG --realm 1").good();
    desk.say("turn run --without-missing --out out").good();
    let file = |name: &str| fs::read(desk.path(name)).unwrap();
    let report = file("out/01-Adler/ERGEBNIS.TXT");
    assert!(
        report.windows(10).any(|bytes| bytes == b"Ertr\x84ge:\r\n"),
        "code page 850"
    );
    assert_eq!(file("out/01-Adler/Kultur01.txt"), b"Gr\x81\xE1e\r\n");
    assert_eq!(file("out/02-Bär/Kultur01.txt"), "Grüße\n".as_bytes());
    let piped = desk.command(["report", "--realm", "1"]).output().unwrap().stdout;
    assert_eq!(
        piped, report,
        "a file or a program behind standard output gets the same"
    );
}

/// A screen shows today's letters, whatever computer the player has: those of another would be garbage on it.
#[test]
#[cfg(target_os = "linux")]
fn a_screen_shows_the_letters_of_today() {
    let desk = Desk::with_a_world();
    desk.write("SPIELZUG", "$S\nComputer PC\n");
    desk.say("turn submit SPIELZUG --realm 1").good();
    desk.say("turn run --without-missing").good();
    for words in ["report --realm 1", "map --realm 1 --text"] {
        let program = env!("CARGO_BIN_EXE_briefwelt");
        let mut screen = std::process::Command::new("script");
        screen.args([
            "--quiet",
            "--return",
            "--command",
            &format!("{program} {words}"),
            "/dev/null",
        ]);
        let shown = screen.env("BRIEFWELT_DATA", desk.data()).output().unwrap();
        let text = String::from_utf8(shown.stdout).expect("UTF-8");
        assert!(shown.status.success() && text.contains('ä'), "{text}");
    }
}

#[test]
fn reports_and_maps_come_in_every_form() {
    let desk = Desk::with_a_world();
    desk.say("turn run --without-missing").good();
    desk.say("report --realm 1 --format html --out adler.html").good();
    let html = fs::read_to_string(desk.path("adler.html")).unwrap();
    assert!(
        html.starts_with("<!doctype html>") && html.contains("<svg"),
        "{}",
        &html[..200.min(html.len())]
    );
    let json = desk.say("report --realm 1 --format json").json();
    assert_eq!(json["game"], "thoramar");
    desk.say("report --all --turn 0 --out all").good();
    for folder in ["01-Adler", "02-Bär", "03-Chimäre", "game-master"] {
        assert!(desk.path("all").join(folder).join("ERGEBNIS.TXT").exists(), "{folder}");
    }
    desk.say("map --realm 1 --out maps/adler.svg").good();
    assert!(
        fs::read_to_string(desk.path("maps/adler.svg"))
            .unwrap()
            .starts_with("<svg")
    );
    desk.say("map --gm --out maps/all.png").good();
    assert!(fs::read(desk.path("maps/all.png")).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn a_world_moves_house_in_one_file() {
    let desk = Desk::with_a_world();
    desk.say("turn run --without-missing").good();
    desk.say("world export mark.bww").good();
    let elsewhere = Desk::empty();
    let file = desk.path("mark.bww");
    elsewhere.run(["world", "import", file.to_str().unwrap()]).good();
    elsewhere.say("verify --all").good();
    assert_eq!(
        elsewhere.say("report --realm 1").good(),
        desk.say("report --realm 1").good()
    );
    let here = desk.say("turn run --without-missing --json").json();
    let there = elsewhere.say("turn run --without-missing --json").json();
    assert_eq!(here["digest"], there["digest"]);
}

#[test]
fn judgements_are_recorded_listed_and_taken_back() {
    let desk = Desk::with_a_world();
    desk.run(["gm", "message", "Der Winter naht.", "--realm", "Adler"])
        .good();
    let recorded = desk.run(["gm", "edict", "credit 2 10", "--reason", "paid"]).good();
    assert!(recorded.contains("credit 2 10"), "in the words of its form: {recorded}");
    desk.say("gm withdraw 2").good();
    assert_eq!(desk.say("gm withdraw 2").code, 3);
    let list = desk.say("gm list --json").json();
    assert_eq!(list.as_array().unwrap().len(), 2);
    assert!(desk.say("gm list").good().contains("credit 2 10"));
    assert_eq!(
        (&list[0]["withdrawn"], &list[1]["withdrawn"]),
        (&false.into(), &true.into())
    );
    desk.say("gm requests").good();
    desk.say("turn run --without-missing").good();
    assert!(desk.say("report --realm Adler").good().contains("Der Winter naht."));
    assert!(
        !desk.say("report --realm 2").good().contains("Der Winter naht."),
        "a letter is for its reader"
    );
}

#[test]
fn a_seat_changes_hands() {
    let desk = Desk::with_a_world();
    desk.say("world seat --realm Bär --computer").good();
    desk.say("world seat --realm Chimäre --player Clara").good();
    let waiting = desk.say("turn run");
    assert_eq!(waiting.code, 4);
    assert!(
        waiting.err.contains("Adler, Chimäre") && !waiting.err.contains("Bär"),
        "{}",
        waiting.err
    );
}

#[test]
fn findings_show_the_line_in_both_languages() {
    let desk = Desk::with_a_world();
    desk.write("SPIELZUG", "; my orders\n$Q\n");
    let german = desk.say("turn check SPIELZUG --realm 1");
    assert_eq!(german.code, 1);
    assert!(
        german.out.contains("2 | $Q") && german.out.contains("F05") && german.out.contains("^"),
        "{}",
        german.out
    );
    let english = desk.say("turn check SPIELZUG --realm 1 --lang en");
    assert!(english.out.contains("F05") && english.out != german.out);
}

#[test]
fn help_completions_and_exit_codes_are_there() {
    let desk = Desk::empty();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(
            desk.say(&format!("completions {shell}")).good().contains("briefwelt"),
            "{shell}"
        );
    }
    assert!(
        desk.say("help exit-codes")
            .good()
            .contains("kein Platz auf dem Datenträger")
    );
    let mut seen = 0;
    let mut open = vec![String::new()];
    while let Some(command) = open.pop() {
        let help = desk.say(&format!("{command} --help")).good();
        let inner = subcommands(&help);
        if inner.is_empty() && command.trim() != "exit-codes" {
            assert!(help.contains("Beispiel"), "no example in the help of {command}");
            seen += 1;
        }
        open.extend(inner.into_iter().map(|inner| format!("{command} {inner}")));
    }
    assert!(seen > 40, "only {seen} commands found");
    assert_eq!(desk.say("no-such-command").code, 2);
}

/// The commands that a help text lists, but for help itself.
fn subcommands(help: &str) -> Vec<String> {
    let listed = help.lines().skip_while(|line| *line != "Befehle:").skip(1);
    let listed = listed.take_while(|line| !line.is_empty());
    // A long description goes on in the next line, further to the right.
    let named = listed.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let words = named.filter_map(|line| line.split_whitespace().next());
    words.filter(|word| *word != "help").map(str::to_owned).collect()
}

#[test]
fn with_json_every_answer_is_json_and_nothing_else() {
    let desk = Desk::with_a_world();
    desk.write("SPIELZUG", "$S\nI 1\n$Q\n");
    for words in [
        "world list",
        "world show --audit",
        "world seat --realm Chimäre --computer",
        "turn status",
        "turn submit SPIELZUG --realm 1",
        "gm edict KeepRealm",
        "gm list",
        "gm requests",
        "turn run --trial --without-missing --out trial",
        "turn run --without-missing --out reports",
        "turn replay",
        "turn deadline none",
        "report --realm 1",
        "report --all --out again",
        "map --gm --out map.svg",
        "map --all --out maps",
        "verify --all",
        "verify --realm 1",
        "doctor",
        "rules search Fluss",
        "rules show THO-MOVE-04",
        "rules orders",
        "rules orders thoramar",
        "rules house thoramar combat",
        "world export mark.bww",
        "backup all.bwb",
        "world close",
        "world keys keys.json",
    ] {
        let words = words.replace("KeepRealm", r#"{"do":"keep-realm"}"#);
        desk.say(&format!("{words} --json")).json();
    }
    let refused = desk.say("report --realm 77 --json");
    let value: serde_json::Value = serde_json::from_str(&refused.err).unwrap();
    assert_eq!((refused.code, &value["exit_code"]), (3, &3.into()));
}

#[test]
fn a_finding_for_programs_comes_with_its_words() {
    let desk = Desk::with_a_world();
    desk.write("SPIELZUG", "$Q\n");
    for (lang, text) in [("de", "Unbekannter Abschnitt $Q."), ("en", "Unknown section $Q.")] {
        let told = desk.say(&format!("turn check SPIELZUG --realm 1 --json --lang {lang}"));
        let value: serde_json::Value = serde_json::from_str(&told.out).unwrap();
        let finding = &value["diagnostics"][0];
        assert_eq!((&finding["code"], &finding["text"]), (&"F05".into(), &text.into()));
    }
}

#[test]
fn a_new_world_tells_how_fair_its_starts_are() {
    let desk = Desk::empty();
    desk.write(
        "small.toml",
        "[world]\ncolumns = 48\nrows = 34\ncapital_min_distance = 6\n",
    );
    let made = desk
        .say("world new --name Mark --seats 4 --house small.toml --json")
        .json();
    let percent = made["fairness"].as_i64().unwrap();
    assert!((50..=100).contains(&percent), "{made}");
    // With a seed the same world is made again, and weighed alike.
    let told = ["Eins", "Zwei"].map(|name| {
        let words = format!("world new --name {name} --seats 4 --seed x --house small.toml");
        let made = desk.say(&words).good();
        let line = made.lines().find(|line| line.starts_with("Anfänge:"));
        line.unwrap_or_else(|| panic!("{made}")).to_owned()
    });
    assert_eq!(told[0], told[1]);
    assert!(told[0].contains("% des reichsten"), "{}", told[0]);
    let alone = desk.say("world new --name Allein --seats 1 --house small.toml").good();
    assert!(!alone.contains("Anfänge:"), "{alone}");
}

#[test]
fn a_realm_is_found_under_the_name_it_has_given_itself() {
    let desk = Desk::with_a_world();
    desk.write("SPIELZUG", "$S\nReichsname Großes Eisvolk\n");
    desk.say("turn submit SPIELZUG --realm Bär").good();
    desk.say("turn run --without-missing").good();
    let by_name = desk.run(["report", "--realm", "großes eisvolk"]).good();
    assert_eq!(by_name, desk.say("report --realm Bär").good());
    assert_eq!(desk.run(["report", "--realm", "Kleines Eisvolk"]).code, 3);
}

#[test]
fn the_runners_own_scenarios_pass_for_whoever_plays_them() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/_runner");
    let told = Desk::empty().run(["scenario", "--quiet", folder]).good();
    assert!(told.ends_with(" passed, 0 failed\n"), "{told}");
}

#[test]
fn a_draft_of_the_computer_is_a_clean_file_for_the_open_turn() {
    let desk = Desk::with_a_world();
    let before = desk.standing();
    let draft = desk.say("turn orders --realm Adler --draft").good();
    assert!(draft.contains("$A"), "{draft}");
    desk.write("SPIELZUG", &draft);
    let checked = desk.say("turn check SPIELZUG --realm Adler").good();
    assert!(checked.contains(" 0 Fehler, 0 Warnungen"), "{checked}");
    assert_eq!(desk.standing(), before);
    assert_eq!(desk.say("turn orders --realm Adler --draft --turn 1").code, 2);
}
