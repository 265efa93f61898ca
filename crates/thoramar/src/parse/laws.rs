//! Laws of the reader, tried on random files.

use super::tests::{SAMPLE, seat};
use super::*;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Reads a file and holds what became of it against the law: every line has a fate, and every finding a place in the file.
fn check(file: &[u8]) -> Parsed<Order> {
    let (parsed, fates) = parse_lines(&Tables::book(), &seat(), file);
    let (text, _) = encoding::decode(within_limit(file).0, Computer::Unsaid);
    let mut lines = Vec::new();
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let (line, behind) = split_line(rest);
        lines.push(line);
        rest = behind;
    }
    lines.truncate(limits::ORDER_FILE_LINES);
    assert_eq!(lines.len(), fates.len());
    let is_whole = parsed.diagnostics.len() <= limits::DIAGNOSTICS;
    let found: BTreeSet<u32> = parsed.diagnostics.iter().map(|finding| finding.span.line).collect();
    let ordered: BTreeSet<u32> = parsed.orders.iter().map(|order| order.span.line).collect();
    for (number, (line, fate)) in (1..).zip(lines.iter().zip(&fates)) {
        let (is_found, is_order) = (found.contains(&number), ordered.contains(&number));
        match fate {
            Fate::Blank => assert!(line.trim().is_empty(), "{line:?} is not blank"),
            Fate::Comment => assert!(line.trim_start().starts_with(';'), "{line:?} is no comment"),
            Fate::Header => assert!(line.starts_with(['$', '#']), "{line:?} is no header"),
            Fate::Text => {}
            Fate::Order => assert!(is_order, "{line:?} is no order"),
            Fate::Refused => assert!(is_found || !is_whole, "{line:?} was lost"),
        }
    }
    for finding in &parsed.diagnostics {
        let spans = [Some(finding.span), finding.repair.as_ref().map(|repair| repair.span)];
        for span in spans.into_iter().flatten() {
            let line = lines.get(span.line as usize - 1).copied().unwrap_or_default();
            assert!(
                span.column >= 1 && span.column + span.length <= length(line) + 1,
                "{finding:?} in {line:?}"
            );
        }
        assert!(!finding.rules.is_empty(), "{finding:?} names no rule");
    }
    parsed
}

/// Pieces that files are made of, more or less.
fn pieces() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "$A",
        "$B",
        "$R",
        "$N",
        "$K",
        "$S",
        "$G",
        "$L",
        "$V",
        "$",
        "#",
        "#1",
        "#M",
        "#E",
        "#A",
        ";",
        " ",
        " ",
        " ",
        "\t",
        "\n",
        "\n",
        "\n",
        "\r\n",
        "\r",
        "K.M",
        "K.L 1",
        "D.N 1",
        "S.S",
        "V.L 1",
        "Z.B 1",
        "Z.S 1",
        "P.H 1",
        "F.L 1",
        "H.K 1",
        "0",
        "1",
        "12",
        "-3",
        "1/1",
        "999",
        "1000",
        "9999999999",
        "0000000000000",
        "222",
        "V",
        "V+",
        "A-",
        "Z",
        "E+",
        "HST",
        "S",
        "W 3",
        "STD",
        "Name",
        "Die_Goldene",
        "info",
        "C PC",
        "R Volk",
        "PC",
        "+",
        "-",
        "ä",
        "ß",
        "\u{7}",
        "\u{202E}",
        "_",
        "x",
    ]);
    prop::collection::vec(words, 0..80).prop_map(|words| words.concat())
}

proptest! {
    #[test]
    fn random_bytes_are_read(file in prop::collection::vec(any::<u8>(), 0..2000)) {
        check(&file);
    }

    #[test]
    fn random_words_are_read(file in pieces()) {
        check(file.as_bytes());
    }

    #[test]
    fn a_damaged_file_is_read(
        cuts in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0u8..3), 1..20),
    ) {
        let mut file = SAMPLE.as_bytes().to_vec();
        for (at, byte, how) in cuts {
            let at = at.index(file.len());
            match how {
                0 => file[at] = byte,
                1 => file.insert(at, byte),
                _ => drop(file.remove(at)),
            }
        }
        check(&file);
    }

    #[test]
    fn a_bad_line_hides_no_other(junk in "[^$\r\n]{0,40}", at in 0usize..6) {
        let lines = ["K.M 1 1 V", "K.M 2 2 A+", "R.L 1 3 V+ R.L 2 50", "Z.B 1 0 V D.N 1 5", "S.L 1 4 V-", "K.M 3 0 Z HST"];
        let mut damaged: Vec<&str> = lines.to_vec();
        damaged[at] = &junk;
        let file = |lines: &[&str]| format!("$A\n{}", lines.join("\n"));
        let line = at as u32 + 2;
        let others = |parsed: Parsed<Order>| -> Vec<Spanned<Order>> {
            parsed.orders.into_iter().filter(|order| order.span.line != line).collect()
        };
        prop_assert_eq!(others(check(file(&damaged).as_bytes())), others(check(file(&lines).as_bytes())));
    }

    #[test]
    fn an_order_reads_the_same_on_every_computer(end in prop::sample::select(vec!["\n", "\r", "\r\n"])) {
        let file = SAMPLE.replace('\n', end);
        prop_assert_eq!(check(file.as_bytes()), check(SAMPLE.as_bytes()));
    }
}

/// Files of one piece over and over, up to a size.
fn floods(size: usize) -> [String; 9] {
    let fill = |piece: &str| piece.repeat(size / piece.len() + 1);
    [
        fill("x"),
        fill("$A\n"),
        fill("#1\nx\n"),
        fill("K.M 1 1 V\n"),
        fill("$A K.M\n x\n"),
        format!("$A\n{}", fill("K.M 1 0 V Angrefen ")),
        format!("$A\n{}", fill("Straase 1 1\n")),
        format!("$K\n{}", fill("ä")),
        fill("\u{7}\n"),
    ]
}

/// How much a reader has made of a file, in bytes when printed.
fn yield_of(parsed: &Parsed<Order>) -> usize {
    let orders = parsed.orders.iter().map(|order| format!("{order:?}").len());
    let findings = parsed.diagnostics.iter().map(|finding| format!("{finding:?}").len());
    orders.chain(findings).sum()
}

/// How long it takes is measured by `briefwelt bench thoramar --check`. Here it counts that nothing piles up: neither the whole file
/// in every finding, nor findings without end.
#[test]
fn what_is_made_of_a_file_grows_with_it_at_most() {
    let size = limits::ORDER_FILE_BYTES;
    for (half, whole) in floods(size / 2).iter().zip(&floods(size)) {
        let (half, whole) = (check(half.as_bytes()), check(whole.as_bytes()));
        let lines = limits::ORDER_FILE_LINES;
        assert!(whole.orders.len() <= lines, "{}", whole.orders.len());
        // One more says how many were left out, one that the file was cut off.
        assert!(
            whole.diagnostics.len() <= limits::DIAGNOSTICS + 2,
            "{}",
            whole.diagnostics.len()
        );
        let (half, whole) = (yield_of(&half), yield_of(&whole));
        // A line number gets longer, and a finding at the end may come.
        assert!(whole <= half * 2 + half / 4 + 1_000, "{half} bytes became {whole}");
    }
}
