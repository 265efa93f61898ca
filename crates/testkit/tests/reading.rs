//! Reading scenario files: what is understood, what is refused, and that nothing panics.

use kernel::rule::RuleKind;
use proptest::prelude::*;
use testkit::coverage::{self, Count};
use testkit::limits;
use testkit::scenario::{self, DiceValue};
use testkit::shown::Telling;
use testkit::stages::{self, AnyStage, Staged, Verdict};
use testkit::toy::Toy;

fn judged(text: &str) -> Verdict {
    let toy = Staged::<Toy>::wordless();
    let list: [&dyn AnyStage; 1] = [&toy];
    stages::judge(&list, "toy/a.md", text.as_bytes(), Telling::Verdict)
}

fn refusal(text: &str) -> String {
    judged(text).text()
}

const WORLD: &str = "```world\nhost Adler at 0 gold 10\nhost Bär at 5 gold 10\n```\n";

#[test]
fn a_file_falls_into_title_rules_and_steps() {
    let text = "# A title\nrules: TOY-DIG-01, TOY-EX-01\n\n```dice\nTOY-DIG-01 Adler line 1 = -4 # cold\n```\n```expect\nanything\n```\n\
                ```orders Adler\n# no comment\n```\n```expect\nanything\n```\n";
    let (scenario, failures) = scenario::read(text.as_bytes());
    assert_eq!(failures, []);
    assert_eq!(
        (scenario.title.as_str(), scenario.rules.len(), scenario.steps.len()),
        ("A title", 2, 2)
    );
    let face = DiceValue::Face("TOY-DIG-01 Adler line 1".to_owned(), -4);
    assert_eq!(scenario.steps[0].dice[0].value, face);
    assert_eq!(scenario.steps[1].orders["Adler"].bytes, b"# no comment\n");
}

#[test]
fn carriage_returns_of_the_scenario_itself_do_not_reach_the_orders() {
    let text = "# T\r\nrules: TOY-DIG-01\r\n```orders Adler\r\nDIG\r\n```\r\n```orders Bär crlf\r\nDIG\r\n```\r\n```expect\r\nanything\r\n```\r\n";
    let (scenario, failures) = scenario::read(text.as_bytes());
    assert_eq!(failures, []);
    assert_eq!(scenario.steps[0].orders["Adler"].bytes, b"DIG\n");
    assert_eq!(scenario.steps[0].orders["Bär"].bytes, b"DIG\r\n");
}

#[test]
fn umlauts_are_written_in_the_charset_that_is_asked_for() {
    for (charset, bytes) in [
        ("", &b"\xc3\x84\xc3\x9f\n"[..]),
        ("latin1", b"\xc4\xdf\n"),
        ("cp850", b"\x8e\xe1\n"),
        ("cp437", b"\x8e\xe1\n"),
    ] {
        let text = format!("# T\nrules: X\n```orders Adler {charset}\nÄß\n```\n```expect\nanything\n```\n");
        let (scenario, failures) = scenario::read(text.as_bytes());
        assert_eq!(failures, []);
        assert_eq!(scenario.steps[0].orders["Adler"].bytes, bytes, "{charset}");
    }
    let text = "# T\nrules: X\n```orders Adler latin1\n€\n```\n```expect\nanything\n```\n";
    assert_eq!(
        scenario::read(text.as_bytes()).1[0].message,
        "'€' does not exist in latin1"
    );
}

#[test]
fn each_mistake_is_named_with_its_line() {
    let rules = "# T\nrules: TOY-DIG-01\n";
    for (text, part) in [
        (
            "```expect\nanything\n```\n".to_owned(),
            ":1: the first line must be a title",
        ),
        (
            "# T\n```expect\nanything\n```\n".to_owned(),
            ":1: a line `rules: ID, ID`",
        ),
        (format!("{rules}rules: TOY-DIG-01\n"), ":3: a second `rules:` line"),
        (rules.to_owned(), "no `expect` block"),
        (
            format!("{rules}```wrld\n```\n"),
            ":3: unknown block `wrld`; did you mean `world`?",
        ),
        (
            format!("{rules}```expect\nanything\n"),
            ":3: the block `expect` is never closed",
        ),
        (format!("{rules}```expect\n```\n"), ":3: an empty `expect`"),
        (
            format!("{rules}{WORLD}"),
            ":3: the blocks from here on are not closed by an `expect`",
        ),
        (
            format!("{rules}```expect\nanything\n```\n{WORLD}```expect\nanything\n```\n"),
            ":6: a `world` block stands before",
        ),
        (
            format!("{rules}```dice\nTOY = x\n```\n```expect\nanything\n```\n"),
            ":4: `x` is no face",
        ),
        (
            format!("{rules}```dice\ntypical 101\n```\n```expect\nanything\n```\n"),
            ":4: `typical 101`",
        ),
        (
            format!("{rules}```orders\n```\n```expect\nanything\n```\n"),
            ":3: write whose orders",
        ),
        (
            format!("{rules}```rulings\nanswer X\n```\n```expect\nanything\n```\n"),
            ":4: expected `answer",
        ),
        (
            format!("{rules}```orders Adler escaped\n\\q\n```\n```expect\nanything\n```\n"),
            ":4: `\\q` is no escape",
        ),
        (
            format!("{rules}```world\nhost Adler\n```\n```expect\nanything\n```\n"),
            ":4: expected `host <Realm> at N gold N`",
        ),
        (
            format!("{rules}```house\ngold = 1\n```\n```expect\nanything\n```\n"),
            ":3: house rules: ",
        ),
        (
            format!("{rules}{WORLD}```orders Adle\n```\n```expect\nanything\n```\n"),
            ":7: no realm `Adle`; did you mean `Adler`?",
        ),
        (
            format!("{rules}{WORLD}```orders Adler\n```\n```orders Adler\n```\n```expect\nanything\n```\n"),
            ":9: a second order file",
        ),
        (
            "# T\nrules: XYZ-DIG-01\n```expect\nanything\n```\n".to_owned(),
            "no rule `XYZ-DIG-01` in the catalogue of toy",
        ),
        (
            format!("{rules}  ```expect\nanything\n```\n"),
            ":3: a block begins at the beginning of its line",
        ),
        (
            format!("{rules}\t```expect\nanything\n```\n"),
            ":3: a block begins at the beginning of its line",
        ),
        (format!("{rules}~~~expect\nanything\n~~~\n"), ":3: blocks stand between"),
        (
            format!("{rules}``expect\nanything\n``\n"),
            ":3: a block begins with three",
        ),
        (
            format!("{rules}```expect anything```\n"),
            ":3: the line that opens a block",
        ),
        (
            format!("{rules}```expect\nanything\n  ```\n"),
            ":5: blanks stand before this ```, so it closes nothing: the block `expect` of line 3",
        ),
        (
            format!("{rules}```orders Adler\nDIG\n```expect\nanything\n```\n"),
            ":5: a line with ``` alone is missing before this one: the block `orders Adler` of line 3",
        ),
        (
            format!("{rules}orders Adler\nDIG\n```\n```expect\nanything\n```\n"),
            ":5: these backticks open a block without a name",
        ),
        (
            format!("{rules}{WORLD}```expect\nno event TOY-DIG-10\n```\n"),
            ":8: no rule `TOY-DIG-10` in the catalogue of toy; did you mean `TOY-DIG-01`",
        ),
        (
            format!("{rules}{WORLD}```expect\nno roll TOY-DIK-01 Adler line 1\n```\n"),
            ":8: no rule `TOY-DIK-01` in the catalogue of toy",
        ),
        (
            format!("{rules}{WORLD}```expect\nanything\n```\n```expect\nhost Adler: gold 11\n```\n"),
            "this `expect` ends a step of its own, in which nobody sent orders",
        ),
        (
            format!("{rules}{WORLD}```expect\nhots Adler: gold 11\n```\n"),
            ":8: no `hots Adler` after the step; did you mean `host Adler`",
        ),
        (
            format!("{rules}{WORLD}```expect\nno answer\n```\n"),
            ":8: expected `no event`, `no check`,",
        ),
        (
            format!("{rules}{WORLD}```orders Adler\nMARCH 0\n```\n```expect\nanything\nno check Adler line 1 *\n```\n"),
            ":12: expected no * of the check in Adler line 1\n      found line 1 hint idle-march",
        ),
        (
            format!(
                "{rules}{WORLD}```orders Adler\nDIG\n```\n```dice\nTOY-DIG-01 Adler line 2 = 4\ntypical 50\n```\n```expect\nanything\n```\n"
            ),
            ":11: unused die: the step did not roll `TOY-DIG-01 Adler line 2`; did you mean `TOY-DIG-01 Adler line 1`?",
        ),
        (
            format!("{rules}{WORLD}```expect\nreport Adler: # 3\n```\n"),
            "a `#` after a blank begins a comment",
        ),
        (
            format!("{rules}{WORLD}```expect\nhost Adler: glod 11\n```\n"),
            "found no glod; did you mean `gold`",
        ),
        (
            format!("{rules}must-fail:\n{WORLD}```expect\nanything\n```\n"),
            ":3: `must-fail:` needs words",
        ),
        (
            format!("{rules}{WORLD}```orders Adler cp851\n```\n```expect\nanything\n```\n"),
            ":7: `cp851` behind the realm is none of utf8, latin1, cp850, cp437, escaped, crlf",
        ),
        (
            format!("{rules}{WORLD}```expect\ntold Igel: nothing\n```\n"),
            "in this world play Adler, Bär; a realm exists as soon as a line of the world names it",
        ),
        (
            format!("{rules}{WORLD}```expect\nhost Adler: gold 20..10\n```\n"),
            ":8: `20..10`: no number lies in between",
        ),
    ] {
        let found = refusal(&text);
        assert!(found.starts_with("FAILED"), "{text}");
        assert!(found.contains(part), "wanted {part}\nfound {found}");
        // A name is proposed once, although it is known from before and after the step.
        let proposed = found.split('`').filter(|name| *name == "host Adler").count();
        assert!(proposed <= 1 || !found.contains("did you mean"), "{found}");
    }
}

#[test]
fn files_of_other_editors_are_read_or_told_apart() {
    let plain = format!(
        "# T\nrules: TOY-DIG-01, TOY-MARCH-02\n{WORLD}```orders Adler\nDIG\nMARCH 11\n```\n```dice\nTOY-DIG-01 Adler line 1 = 4\n```\n\
         ```expect\nhost Adler: gold 14\nrefused Adler line 2 beyond-the-edge\nroll TOY-DIG-01 Adler line 1 in 1..6\n```\n"
    );
    for text in [
        plain.clone(),
        format!("\u{feff}{plain}"),
        plain.replace('\n', "\r\n"),
        plain.replace(" line ", "\tline\t").replace(" = ", "\t=\t"),
        plain
            .replace("Adler: gold", "\u{a0}Adler:\tgold")
            .replace(" in 1", "\tin\t1"),
        plain
            .replace("```orders Adler", "```orders\tAdler")
            .replace("```expect\n", "```expect  \n\t"),
    ] {
        let verdict = judged(&text);
        assert!(verdict.passed(), "{text}\n{}", verdict.text());
    }
    let wide: Vec<u8> = plain.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let wide = [&[0xff, 0xfe][..], &wide].concat();
    assert!(scenario::read(&wide).1[0].message.contains("save it as UTF-8"));
}

#[test]
fn a_file_has_an_end() {
    let begin = "# T\nrules: TOY-DIG-01\n";
    let told = |text: String| {
        scenario::read(text.as_bytes())
            .1
            .first()
            .map(|failure| failure.message.clone())
    };
    let padded = |length: usize| {
        format!(
            "{begin}```expect\nanything\n```\n{}",
            " ".repeat(length - begin.len() - 23)
        )
    };
    assert_eq!(told(padded(limits::SCENARIO_BYTES)), None);
    assert!(told(padded(limits::SCENARIO_BYTES + 1)).is_some_and(|told| told.contains("at most 1048576 are read")));
    let steps = |number| format!("{begin}{}", "```expect\nanything\n```\n".repeat(number));
    assert_eq!(told(steps(limits::STEPS)), None);
    assert_eq!(told(steps(limits::STEPS + 1)), Some("more than 100 steps".to_owned()));
    let blocks = |number| {
        format!(
            "{begin}{}```expect\nanything\n```\n",
            "```text\n```\n".repeat(number - 1)
        )
    };
    assert_eq!(told(blocks(limits::BLOCKS)), None);
    assert_eq!(
        told(blocks(limits::BLOCKS + 1)),
        Some("more than 2000 blocks".to_owned())
    );
}

#[test]
fn a_scenario_without_a_known_game_says_which_are_known() {
    let toy = Staged::<Toy>::wordless();
    let list: [&dyn AnyStage; 1] = [&toy];
    let text = b"# T\nrules: XYZ-DIG-01\n```expect\nanything\n```\n";
    let verdict = stages::judge(&list, "elsewhere/a.md", text, Telling::Verdict);
    assert!(verdict.text().contains("known games are toy"), "{}", verdict.text());
    assert_eq!(stages::summary(&[verdict]), "0 passed, 1 failed");
}

#[test]
fn a_scenario_that_must_fail_does_not_pass_by_another_failure() {
    let text = format!(
        "# T\nrules: TOY-DIG-01\nmust-fail: unused die\n{WORLD}```orders Adler\nDIG\n```\n```expect\nanything\n```\n"
    );
    let found = refusal(&text);
    assert!(found.contains("must fail with `unused die`, but did not"), "{found}");
    assert!(found.contains("unlisted die"), "{found}");
}

#[test]
fn a_rule_is_covered_only_by_a_scenario_that_passed_and_produced_it() {
    let dig = "```orders Adler\nDIG\n```\n```dice\ntypical 0\n```\n```expect\nhost Adler: gold 11\n```\n";
    let passed = judged(&format!("# A\nrules: TOY-DIG-01, TOY-DIG-02, TOY-EX-01\n{WORLD}{dig}"));
    let failed = judged(&format!("# B\nrules: TOY-DIG-01, TOY-SIGHT-01\n{WORLD}{dig}"));
    let turned = judged(&format!(
        "# C\nrules: TOY-FILE-01\nmust-fail: gold 12\n{WORLD}{}",
        dig.replace("11", "12")
    ));
    assert_eq!(
        (passed.passed(), failed.passed(), turned.passed()),
        (true, false, true),
        "{}",
        turned.text()
    );
    let coverage = coverage::coverage("toy", Staged::<Toy>::wordless().rules(), &[passed, failed, turned]);
    assert_eq!(coverage.kinds[&RuleKind::Auto], Count { covered: 1, all: 4 });
    assert_eq!(coverage.kinds[&RuleKind::Org], Count { covered: 0, all: 1 });
    assert_eq!(coverage.kinds[&RuleKind::Void], Count { covered: 1, all: 1 });
    assert_eq!(coverage.kinds[&RuleKind::Example], Count { covered: 1, all: 1 });
    assert!(!coverage.complete());
    let text = coverage.text();
    assert!(
        text.contains("open: TOY-SIGHT-01 [auto] Hosts on one field see each other.\n"),
        "{text}"
    );
    assert!(text.contains("rulings not shown: TOY-GAP-01\n"), "{text}");
    assert!(!text.contains("TOY-LORE-01"), "{text}");
    assert!(text.ends_with("toy: 3 of 9 covered\n"), "{text}");
}

proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(text in "(# T\n|rules: TOY-DIG-01\n|```[a-z]{0,6} ?[A-Za-z]{0,6}\n|```\n|[ -~äß]{0,30}\n){0,30}") {
        prop_assert!(!judged(&text).text().contains("panicked"));
    }

    #[test]
    fn no_expectation_makes_the_reader_panic(lines in proptest::collection::vec(
        "(event|events|no|not told|refused|warned|check|told|report|request|roll|map|else anything|host Adler:|anything)[ -~ä]{0,40}", 1..6)) {
        let text = format!("# T\nrules: TOY-DIG-01\n{WORLD}```orders Adler\nDIG\n```\n```dice\ntypical 1\n```\n```expect\n{}\n```\n", lines.join("\n"));
        prop_assert!(!judged(&text).text().contains("panicked"));
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in any::<Vec<u8>>()) {
        let _ = scenario::read(&bytes);
    }
}
