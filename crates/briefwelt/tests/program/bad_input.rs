//! Whatever comes in: a clear message, an exit code that says what is wrong, and nothing lost.

use crate::desk::Desk;
use std::fs;

#[test]
fn a_file_that_is_not_there_is_named() {
    let desk = Desk::with_a_world();
    let before = desk.standing();
    for words in [
        "turn check SPIELZUG --realm 1",
        "turn submit SPIELZUG --realm 1",
        "world import SPIELZUG",
    ] {
        let told = desk.say(words);
        assert_eq!(told.code, 6, "{told:?}");
        assert!(told.err.contains("SPIELZUG"), "{told:?}");
    }
    let folder = desk.path("folder");
    fs::create_dir(&folder).unwrap();
    assert_eq!(
        desk.say("turn submit folder --realm 1").code,
        6,
        "a folder is no order file"
    );
    assert_eq!(desk.standing(), before);
}

#[test]
fn an_unknown_world_game_realm_turn_or_rule_is_code_three() {
    let desk = Desk::with_a_world();
    desk.write("SPIELZUG", "");
    for words in [
        "world show --world Nirgendwo",
        "world new --name Neu --game chess --seats 1",
        "turn submit SPIELZUG --realm 9",
        "turn submit SPIELZUG --realm Drache",
        "report --realm 9",
        "report --realm 1 --turn 7",
        "map --gm --turn 7",
        "turn replay --turn 7",
        "verify --all --turn 7",
        "rules show THO-NOPE-01",
        "rules search xyzzy",
        "bench chess",
    ] {
        let told = desk.say(words);
        assert_eq!(told.code, 3, "{words}: {told:?}");
        assert!(
            told.out.is_empty() && told.err.starts_with("briefwelt: "),
            "{words}: {told:?}"
        );
    }
    let nowhere = Desk::empty();
    assert_eq!(nowhere.say("world list").code, 3);
    assert!(!nowhere.data().exists(), "looking makes no store");
}

#[test]
fn a_wrong_turn_is_refused() {
    let desk = Desk::with_a_world();
    desk.write("SPIELZUG", "$S\nI 1\n");
    let before = desk.standing();
    for (words, why) in [
        ("turn submit SPIELZUG --realm 1 --turn 0", "schon ausgewertet"),
        ("turn submit SPIELZUG --realm 1 --turn 2", "noch nicht offen"),
        ("turn run --turn 2 --without-missing", "noch nicht offen"),
        ("turn run", "Adler, Bär"),
        ("verify --realm 1 --turn 1", "noch nicht offen"),
        ("world new --name Mark --seats 1", "gibt es schon"),
    ] {
        let told = desk.say(words);
        assert_eq!(told.code, 4, "{words}: {told:?}");
        assert!(told.err.contains(why), "{words}: {told:?}");
    }
    assert_eq!(desk.standing(), before);
    desk.say("turn run --turn 1 --without-missing").good();
    let again = desk.say("turn run --turn 1 --without-missing");
    assert_eq!(again.code, 4, "{again:?}");
    assert!(again.err.contains("Zug 1 ist schon ausgewertet"), "{again:?}");
}

#[test]
fn the_file_of_another_realm_or_with_another_name_is_refused() {
    let desk = Desk::with_a_world();
    let before = desk.standing();
    desk.write("theirs/SPIELZUG", "$S\nI 1\n");
    desk.write("theirs/Reich_ID", "2\r\n");
    let told = desk.say("turn submit theirs/SPIELZUG --realm Adler");
    assert_eq!(told.code, 5, "{told:?}");
    assert!(
        told.out.contains("F02") && told.out.contains("Nicht angenommen"),
        "{told:?}"
    );
    desk.write("SPIELZUG.TXT", "$S\nI 1\n");
    let told = desk.say("turn submit SPIELZUG.TXT --realm 1");
    assert_eq!(told.code, 8, "nobody else's, but not in the expected form: {told:?}");
    assert!(
        told.out.contains("F01") && told.out.contains("SPIELZUG.TXT"),
        "{told:?}"
    );
    assert_eq!(desk.standing(), before);
    // Without --realm the file beside the orders tells whose they are.
    let taken = desk.say("turn submit theirs/SPIELZUG --json").json();
    assert_eq!((&taken["realm"], &taken["replaced"]), (&2.into(), &0.into()));
}

#[test]
fn a_file_is_taken_in_up_to_the_limit_and_not_beyond() {
    let desk = Desk::with_a_world();
    let limit = kernel::limits::ORDER_FILE_BYTES;
    desk.write("SPIELZUG", vec![b'\n'; limit + 1]);
    for words in ["turn check SPIELZUG --realm 1", "turn submit SPIELZUG --realm 1"] {
        let told = desk.say(words);
        assert_eq!(told.code, 7, "{told:?}");
    }
    desk.write("SPIELZUG", vec![b'\n'; limit]);
    desk.say("turn submit SPIELZUG --realm 1").good();
    desk.write("house.toml", vec![b'#'; kernel::limits::HOUSE_RULES_BYTES + 1]);
    assert_eq!(desk.say("world new --name Neu --seats 1 --house house.toml").code, 7);
}

#[test]
fn binary_garbage_is_answered_with_findings_and_does_not_take_the_place_of_orders() {
    let desk = Desk::with_a_world();
    desk.write("SPIELZUG", "$S\nI 1\n");
    desk.say("turn submit SPIELZUG --realm 1").good();
    let before = desk.standing();
    let garbage: Vec<u8> = (0..20_000u32)
        .map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8)
        .collect();
    desk.write("SPIELZUG", &garbage);
    let told = desk.say("turn check SPIELZUG --realm 1");
    assert_eq!(told.code, 1, "{}", told.err);
    assert!(told.out.contains("Fehler"), "{}", told.out);
    let json = desk.say("turn check SPIELZUG --realm 1 --json");
    assert_eq!(json.code, 1);
    let value: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert!(!value["diagnostics"].as_array().unwrap().is_empty());
    let nothing_but_zeros = vec![0; 5_000];
    let wide: Vec<u8> = "$A\nK.M 1 0 V\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for file in [garbage, nothing_but_zeros, wide] {
        desk.write("SPIELZUG", &file);
        let told = desk.say("turn submit SPIELZUG --realm 1");
        assert_eq!(told.code, 8, "{told:?}");
        assert!(told.err.contains("SPIELZUG ist keine Textdatei"), "{}", told.err);
    }
    assert_eq!(desk.standing(), before, "the orders of before still count");
    assert_eq!(desk.say("turn orders --realm 1").out, "$S\nI 1\n");
    // A bell and the end mark of an old computer make no garbage of a text.
    desk.write(
        "SPIELZUG",
        b"; ein Zug des Reiches Adler, mit einer Klingel: \x07\r\n$S\r\nI\r\n\x1a\0\0\0",
    );
    desk.say("turn submit SPIELZUG --realm 1").good();
    desk.say("turn run --without-missing").good();
    desk.say("verify --all").good();
}

#[test]
fn a_message_about_a_file_says_once_what_is_wrong_with_it() {
    let desk = Desk::with_a_world();
    let told = desk.say("turn check SPIELZUG --realm 1");
    assert_eq!(told.err.matches("diese Datei gibt es nicht").count(), 1, "{}", told.err);
    desk.write("there.md", "");
    let told = desk.say("scenario there.md nowhere.md");
    assert!(
        told.err.starts_with("briefwelt: nowhere.md: diese Datei gibt es nicht"),
        "{}",
        told.err
    );
}

#[test]
fn whoever_names_no_world_is_told_which_there_are() {
    let desk = Desk::with_a_world();
    desk.say("world new --name Au --seats 2").good();
    let told = desk.say("world show");
    assert_eq!(told.code, 3, "{told:?}");
    assert!(told.err.contains("Au") && told.err.contains("Mark"), "{}", told.err);
    desk.say("world show --world Au").good();
}

#[test]
fn an_import_names_the_world_that_it_would_double() {
    let desk = Desk::with_a_world();
    desk.say("world export mark.bww").good();
    for words in ["world import mark.bww", "world import mark.bww --name Kopie"] {
        let told = desk.say(words);
        assert_eq!(told.code, 4, "{told:?}");
        assert!(
            told.err.contains("„Mark“") && !told.err.contains("„Kopie“"),
            "{}",
            told.err
        );
    }
    desk.say("world import mark.bww --name Kopie --data copies").good();
    desk.say("world new --name Au --seats 2").good();
    desk.say("world export au.bww --world Au").good();
    // Another world is refused only for a name that is taken.
    let told = desk.say("world import au.bww --name Kopie --data copies");
    assert!(told.err.contains("„Kopie“ gibt es schon"), "{}", told.err);
    assert_eq!(told.code, 4, "{told:?}");
}

#[test]
fn a_file_beside_the_orders_that_names_no_realm_is_named() {
    let desk = Desk::with_a_world();
    let before = desk.standing();
    desk.write("SPIELZUG", "$S\nI 1\n");
    for claimed in ["99", "quatsch", "", "\u{7}\u{8}\0"] {
        desk.write("Reich_ID", claimed);
        let told = desk.say("turn submit SPIELZUG");
        assert_eq!(told.code, 5, "{told:?}");
        assert!(told.err.contains("Reich_ID nennt kein Reich"), "{}", told.err);
        assert!(!told.err.contains(['\u{7}', '\0']), "{}", told.err);
    }
    assert_eq!(desk.standing(), before);
}

#[test]
fn wrong_house_rules_judgements_seats_and_exports_are_code_eight() {
    let desk = Desk::with_a_world();
    let before = desk.standing();
    desk.write("house.toml", "no such key = [");
    desk.write("other.toml", "nonsense_of_mine = 3");
    desk.write("latin.toml", b"# \xe4\xf6\xfc");
    desk.write("mark.bww", "not an exported world at all");
    for words in [
        "world new --name Neu --seats 2 --house house.toml",
        "world new --name Neu --seats 2 --house other.toml",
        "world new --name Neu --seats 2 --house latin.toml",
        "world new --name Neu --seat Adler",
        "world import mark.bww",
        "gm edict nonsense",
        "gm edict {\"do\":\"nothing\"}",
        "map --gm --out map.gif",
        "verify --evidence house.toml",
    ] {
        let told = desk.say(words);
        assert_eq!(told.code, 8, "{words}: {told:?}");
    }
    assert_eq!(desk.say("world list --json").json().as_array().unwrap().len(), 1);
    assert_eq!(desk.standing(), before);
}

#[test]
fn a_broken_database_is_named_and_left_as_it_is() {
    let desk = Desk::with_a_world();
    let database = desk.data().join("briefwelt.db");
    // A log beside the database could hold whole pages and hide the damage.
    assert!(!desk.data().join("briefwelt.db-wal").exists());
    let sound = fs::read(&database).unwrap();
    let mut broken = sound.clone();
    broken[..4_096].fill(0x5a);
    fs::write(&database, &broken).unwrap();
    for words in [
        "world list",
        "turn run --without-missing",
        "verify --all",
        "report --realm 1",
    ] {
        let told = desk.say(words);
        assert_eq!(told.code, 9, "{words}: {told:?}");
        assert!(told.err.contains("beschädigt"), "{told:?}");
    }
    assert_eq!(fs::read(&database).unwrap(), broken);
    fs::write(&database, &sound[..sound.len() / 2]).unwrap();
    let cut = desk.say("verify --all");
    assert_eq!(cut.code, 9, "{cut:?}");
    fs::write(&database, "").unwrap();
    for words in ["world list", "turn status", "turn run --without-missing"] {
        let empty = desk.say(words);
        assert_eq!(empty.code, 9, "{words}: {empty:?}");
        assert!(empty.err.contains("ihre Datei ist leer"), "{}", empty.err);
    }
    assert_eq!(fs::metadata(&database).unwrap().len(), 0, "left as it is");
    fs::write(&database, &sound).unwrap();
    desk.say("verify --all").good();
}

#[test]
fn a_full_disk_is_named_and_the_world_stays_where_it_was() {
    let desk = Desk::with_a_world();
    let megabytes = fs::metadata(desk.data().join("briefwelt.db"))
        .unwrap()
        .len()
        .div_ceil(1 << 20);
    let mut runs = 0;
    let full = loop {
        let told = desk.say(&format!("turn run --without-missing --database-max-mb {megabytes}"));
        if told.code != 0 {
            break told;
        }
        runs += 1;
        assert!(runs < 100, "{megabytes} MB hold a hundred turns");
    };
    assert_eq!(full.code, 10, "{full:?}");
    assert!(full.err.contains("kein Platz"), "{full:?}");
    let shown = desk.say("world show --json").json();
    assert_eq!(shown["world"]["open_step"], runs + 1);
    desk.say("verify --all").good();
    desk.say("turn run --without-missing").good();
}

#[test]
#[cfg(target_os = "linux")]
fn what_does_not_fit_on_the_disk_was_not_written() {
    let desk = Desk::with_a_world();
    for words in ["report --realm 1", "help", "--version", "turn --help"] {
        // Writing to this device fails as writing to a full disk does.
        let told = desk
            .command(words.split(' '))
            .stdout(fs::File::create("/dev/full").unwrap())
            .output()
            .unwrap();
        assert_eq!(told.status.code(), Some(10), "{words}: {told:?}");
        let said = String::from_utf8_lossy(&told.stderr);
        assert!(said.contains("kein Platz"), "{words}: {said}");
    }
}

#[test]
fn what_a_command_line_lacks_is_named_with_code_two() {
    let desk = Desk::with_a_world();
    let before = desk.standing();
    desk.write("SPIELZUG", "$S\nI 1\n");
    for (words, lacks) in [
        ("world new --name Neu", "--seats"),
        ("turn check SPIELZUG", "--realm"),
        ("turn preview SPIELZUG", "--realm"),
        ("verify", "<--realm <REICH>|--all|--evidence <DATEI>>"),
        ("world seat --realm 1", "--player"),
    ] {
        let told = desk.say(words);
        assert_eq!(told.code, 2, "{words}: {told:?}");
        assert!(told.err.contains(lacks), "{words}: {told:?}");
    }
    // Which game there is not is said before how many realms it should have.
    assert_eq!(desk.say("world new --name Neu --game chess").code, 3);
    assert_eq!(desk.run(["gm", "message", " "]).code, 8);
    assert_eq!(desk.standing(), before);
}

#[test]
fn two_processes_never_run_the_same_turn() {
    let desk = Desk::with_a_world();
    let words = ["turn", "run", "--turn", "1", "--without-missing"];
    let mut children: Vec<_> = (0..4).map(|_| desk.command(words).spawn().unwrap()).collect();
    let codes: Vec<i32> = children
        .iter_mut()
        .map(|child| child.wait().unwrap().code().unwrap())
        .collect();
    assert_eq!(codes.iter().filter(|code| **code == 0).count(), 1, "{codes:?}");
    assert!(codes.iter().all(|code| matches!(code, 0 | 4 | 11)), "{codes:?}");
    assert_eq!(desk.say("world show --json").json()["world"]["open_step"], 2);
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_never_replaced_by_one() {
    use std::os::unix::fs::FileTypeExt as _;
    let desk = Desk::with_a_world();
    let pipe = desk.path("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo").success());
    let told = desk.say("world export pipe");
    assert_eq!(told.code, 6, "{told:?}");
    assert!(
        told.err.contains("pipe: das ist keine gewöhnliche Datei"),
        "{}",
        told.err
    );
    assert!(std::fs::metadata(&pipe).expect("the pipe").file_type().is_fifo());
}

#[test]
fn a_finding_about_the_whole_file_names_no_line_of_it() {
    let desk = Desk::with_a_world();
    desk.write("orders.txt", "$S\nI\n");
    let told = desk.say("turn check orders.txt --realm 1");
    assert_eq!(told.code, 1, "{told:?}");
    assert!(
        told.out.starts_with("Fehler [F01] Die Datei heißt orders.txt"),
        "{}",
        told.out
    );
    assert!(!told.out.contains(" | "), "{}", told.out);
}

#[test]
fn two_realms_of_the_same_name_are_refused() {
    let desk = Desk::empty();
    for twin in ["Adler=Bernd", "ADLER=Bernd"] {
        let told = desk.run(["world", "new", "--name", "Mark", "--seat", "Adler=Anna", "--seat", twin]);
        assert_eq!(told.code, 8, "{told:?}");
        assert!(told.err.contains("Zwei Reiche heißen"), "{told:?}");
    }
    let named = desk.run([
        "world",
        "new",
        "--name",
        "Mark",
        "--seat",
        "bär=Anna",
        "--computer",
        "2",
    ]);
    assert_eq!(named.code, 0, "names from the list keep out of the way: {named:?}");
}

#[test]
fn numbers_that_cannot_be_are_bad_values_and_not_unknown_options() {
    let desk = Desk::empty();
    for (words, option) in [
        ("turn submit SPIELZUG --realm 1 --turn -1", "--turn"),
        ("world new --name Mark --computer -3", "--computer"),
        ("campaign leaks --count 0", "--count"),
        ("bench thoramar --armies 0", "--armies"),
        ("world list --database-max-mb 0", "--database-max-mb"),
    ] {
        let told = desk.say(words);
        assert_eq!(told.code, 2, "{words}: {told:?}");
        assert!(
            told.err.contains("Grenzen") && told.err.contains(option),
            "{words}: {told:?}"
        );
    }
}

#[test]
fn a_folder_without_scenarios_has_not_passed() {
    let desk = Desk::empty();
    fs::create_dir(desk.path("nothing")).unwrap();
    let told = desk.say("scenario nothing");
    assert_eq!((told.code, told.out.as_str()), (6, ""), "{told:?}");
    assert!(told.err.contains("keine Szenarien"), "{told:?}");
    let told = desk.say("rules coverage");
    assert_eq!(told.code, 6, "{told:?}");
    assert!(told.err.contains("--scenarios"), "{told:?}");
}

#[test]
fn nobody_reading_on_changes_neither_the_work_nor_its_exit_code() {
    let desk = Desk::with_a_world();
    desk.write("SPIELZUG", "$A\nX.Y 1 0 V+\n");
    let unread = |words: &str| {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = desk.command(words.split_whitespace());
        command.stdout(writer).status().unwrap().code()
    };
    assert_eq!(unread("turn check SPIELZUG --realm 1"), Some(1));
    assert_eq!(unread("turn submit SPIELZUG --realm 1"), Some(0));
    let status = desk.say("turn status");
    assert!(status.out.contains("abgegeben"), "{status:?}");
}

#[test]
fn a_folder_that_may_not_be_looked_into_is_not_called_empty() {
    let desk = Desk::empty();
    let file = desk.write("file", "");
    let mut command = desk.command(["world", "show"]);
    let told = command.env("BRIEFWELT_DATA", file.join("data")).output().unwrap();
    assert_eq!(told.status.code(), Some(6));
    let said = String::from_utf8_lossy(&told.stderr);
    assert!(said.contains("ein Teil des Weges ist kein Ordner"), "{said}");
}
