//! Broken order files: clean ones with something done to them, and files that were never orders.
//!
//! Reading and checking any of them must not panic, must be quick, and must account for every line: it is blank, understood,
//! an order, or a finding with line and column says what is wrong with it.

use crate::play::secret;
use crate::random::Random;
use kernel::any;
use kernel::campaign::{Campaign, LineFate};
use kernel::diagnostic::Diagnostic;
use kernel::dice::Dice;
use kernel::game::Brief;
use kernel::limits;
use kernel::realm::Viewer;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// Longest time that one file may take in a test, generous enough for a debug build on a busy machine.
const TIME_MAX: Duration = Duration::from_secs(10);

/// An endless stream of broken files. The same seed and files give the same stream.
pub fn mutants(seed: u64, clean: Vec<Vec<u8>>) -> impl Iterator<Item = Vec<u8>> {
    let mut random = Random::new(seed);
    std::iter::repeat_with(move || {
        let mut file = random.pick(&clean).cloned().unwrap_or_default();
        for _ in 0..=random.below(4) {
            file = mutate(file, &clean, &mut random);
        }
        // One beyond the limit is interesting, a hundred times that only slow.
        file.truncate(limits::ORDER_FILE_BYTES + 100_000);
        file
    })
}

/// Pieces that parsers stumble over.
const PIECES: [&str; 24] = [
    "$",
    "$A",
    "$$",
    "#E",
    ";",
    "//",
    "\t",
    "\u{a0}",
    "\u{feff}",
    "\u{202e}",
    "\u{0301}",
    "\0",
    "ß",
    "Bär",
    "😀",
    "-1",
    "999999999999999999999",
    "0/0",
    "1/0",
    "--",
    "+",
    "K.M 1",
    "\r",
    "\u{7f}",
];

fn mutate(mut file: Vec<u8>, clean: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let at = random.below(file.len() + 1);
    let to = at + random.below((file.len() - at).min(200) + 1);
    match random.below(20) {
        0 => {
            for _ in 0..=random.below(8) {
                let at = random.below(file.len());
                let byte = u8::try_from(random.below(256)).unwrap_or(0);
                if let Some(old) = file.get_mut(at) {
                    *old = byte;
                }
            }
        }
        1 => file.truncate(at),
        2 => {
            file.drain(at..to);
        }
        3 => {
            let piece = file[at..to].to_vec();
            file.splice(at..at, piece);
        }
        4 => {
            let bytes: Vec<u8> = (0..random.below(300))
                .map(|_| u8::try_from(random.below(256)).unwrap_or(0))
                .collect();
            file.splice(at..to, bytes);
        }
        5 => {
            file = (0..random.below(2_000))
                .map(|_| u8::try_from(random.below(256)).unwrap_or(0))
                .collect()
        }
        6 => {
            let length = 1 + random.below(70_000);
            let byte = *random.pick(b"A1 -.$\xff\xe4").unwrap_or(&b'A');
            file.splice(at..at, std::iter::repeat_n(byte, length));
        }
        7 => {
            let count = random.below(12_000);
            let end = random.pick(&["\n", "\r\n", "\r", "\n\n"]).copied().unwrap_or("\n");
            file.splice(at..at, end.repeat(count).into_bytes());
        }
        8 => return with_tokens(&file, random, |tokens, random| random.shuffle(tokens)),
        9 => {
            return with_tokens(&file, random, |tokens, random| {
                let (a, b) = (random.below(tokens.len()), random.below(tokens.len()));
                tokens.swap(a, b);
            });
        }
        10 => {
            return with_tokens(&file, random, |tokens, random| {
                tokens.remove(random.below(tokens.len()));
            });
        }
        11 => {
            return with_tokens(&file, random, |tokens, random| {
                let twice = tokens[random.below(tokens.len())].clone();
                tokens.insert(random.below(tokens.len() + 1), twice);
            });
        }
        12 => return with_lines(&file, |lines| random.shuffle(lines)),
        13 => {
            return with_lines(&file, |lines| {
                lines.remove(random.below(lines.len()));
            });
        }
        14 => {
            return with_lines(&file, |lines| {
                let twice = lines[random.below(lines.len())].clone();
                lines.insert(random.below(lines.len() + 1), twice);
            });
        }
        15 => {
            let other = random.pick(clean).cloned().unwrap_or_default();
            let from = random.below(other.len() + 1);
            file.splice(at..to, other[from..].iter().copied());
        }
        16 => return with_digits(file, random),
        17 => file.make_ascii_lowercase(),
        18 => file.extend_from_within(..),
        _ => {
            let piece = random.pick(&PIECES).copied().unwrap_or("$");
            file.splice(at..at, piece.bytes());
        }
    }
    file
}

fn with_lines(file: &[u8], change: impl FnOnce(&mut Vec<Vec<u8>>)) -> Vec<u8> {
    let mut lines: Vec<Vec<u8>> = file.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    change(&mut lines);
    lines.join(&b'\n')
}

/// Changes the words of one line.
fn with_tokens(file: &[u8], random: &mut Random, change: impl FnOnce(&mut Vec<Vec<u8>>, &mut Random)) -> Vec<u8> {
    with_lines(file, |lines| {
        let index = random.below(lines.len());
        let mut tokens: Vec<Vec<u8>> = lines[index].split(|byte| *byte == b' ').map(<[u8]>::to_vec).collect();
        change(&mut tokens, random);
        lines[index] = tokens.join(&b' ');
    })
}

fn with_digits(mut file: Vec<u8>, random: &mut Random) -> Vec<u8> {
    let digits: Vec<usize> = (0..file.len()).filter(|at| file[*at].is_ascii_digit()).collect();
    if let Some(at) = random.pick(&digits) {
        file[*at] = *random.pick(b"0123456789-").unwrap_or(&b'0');
    }
    file
}

/// What a run over broken files looked at.
#[derive(Clone, Debug, Default)]
pub struct MutantTally {
    /// Files.
    pub files: u64,
    /// Lines in all files that were read.
    pub lines: u64,
    /// Lines that were orders.
    pub orders: u64,
    /// Findings.
    pub findings: u64,
    /// Longest time for one file.
    pub slowest: Duration,
    /// What went wrong, with the number of the file.
    pub faults: Vec<String>,
}

impl MutantTally {
    /// One line for people.
    pub fn text(&self) -> String {
        format!(
            "{} files, {} lines, {} of them orders, {} findings, slowest {} ms, {} faults",
            self.files,
            self.lines,
            self.orders,
            self.findings,
            self.slowest.as_millis(),
            self.faults.len()
        )
    }
}

/// Checks `count` broken files made from the orders of random settings, each from its realm's own view.
pub fn check<G: Campaign>(seed: u64, count: u64, progress: &mut dyn FnMut(u64)) -> MutantTally {
    let mut tally = MutantTally::default();
    let setting = G::setting(&mut Dice::Keyed(secret(seed, 0)))
        .and_then(|setting| Ok((G::tables(G::house_rules(&setting.state))?, setting)));
    let (tables, setting) = match setting {
        Ok(setting) => setting,
        Err(message) => {
            tally.faults.push(message);
            return tally;
        }
    };
    let views: Vec<G::View> = G::open_step(&tables, &setting.state)
        .owes
        .into_iter()
        .map(|realm| {
            let brief = Brief {
                viewer: Viewer::Realm(realm),
                told: Vec::new(),
                diagnostics: Vec::new(),
            };
            G::view(&tables, &setting.state, brief)
        })
        .collect();
    let clean: Vec<Vec<u8>> = setting.files.into_values().collect();
    let mut random = Random::new(!seed);
    for (number, file) in (0..count).zip(mutants(seed, clean)) {
        let Some(view) = random.pick(&views) else { break };
        let begin = Instant::now();
        let result = catch_unwind(AssertUnwindSafe(|| one::<G>(&tables, view, &file)));
        let time = begin.elapsed();
        tally.files += 1;
        tally.slowest = tally.slowest.max(time);
        match result {
            Ok(Ok((fates, findings))) => {
                tally.lines += u64::try_from(fates.len()).unwrap_or(0);
                let orders = fates.iter().filter(|fate| **fate == LineFate::Order).count();
                tally.orders += u64::try_from(orders).unwrap_or(0);
                tally.findings += u64::try_from(findings).unwrap_or(0);
            }
            Ok(Err(message)) => tally.faults.push(format!("file {number} of seed {seed}: {message}")),
            Err(_) => tally
                .faults
                .push(format!("file {number} of seed {seed}: the program panicked")),
        }
        if time > TIME_MAX {
            tally
                .faults
                .push(format!("file {number} of seed {seed}: took {} ms", time.as_millis()));
        }
        progress(number);
    }
    tally
}

/// Reads and checks one file, and sees that every line is accounted for.
fn one<G: Campaign>(tables: &G::Tables, view: &G::View, file: &[u8]) -> Result<(Vec<LineFate>, usize), String> {
    let seat = G::seat_of_view(view).ok_or("the view has no seat")?;
    let parsed = G::parse(tables, &seat, file);
    let fates = G::fates(tables, &seat, file);
    let orders: BTreeSet<u32> = parsed.orders.iter().map(|order| order.span.line).collect();
    accounted(file, &fates, &orders, &parsed.diagnostics)?;
    let checked = any::check::<G>(tables, view, file);
    if checked.diagnostics.len() > limits::DIAGNOSTICS + 1 {
        return Err(format!("{} findings", checked.diagnostics.len()));
    }
    Ok((fates, checked.diagnostics.len()))
}

/// Whether every line has a fate that the orders and findings bear out.
///
/// # Errors
/// The first line that is not accounted for.
pub fn accounted(
    file: &[u8],
    fates: &[LineFate],
    orders: &BTreeSet<u32>,
    findings: &[Diagnostic],
) -> Result<(), String> {
    let lines = lines(file);
    let found: BTreeSet<u32> = findings.iter().map(|finding| finding.span.line).collect();
    let last = u32::try_from(lines.len()).unwrap_or(u32::MAX);
    if let Some(finding) = findings.iter().find(|finding| {
        let span = finding.span;
        span.line == 0 || span.column == 0 || span.line > last.saturating_add(1)
    }) {
        return Err(format!(
            "the finding {} points at {:?} of {last} lines",
            finding.code, finding.span
        ));
    }
    // Beyond the limits of a file the rest is cut off with one finding; beyond those of findings the rest is counted.
    let cut = file.len() > limits::ORDER_FILE_BYTES || lines.len() > limits::ORDER_FILE_LINES;
    let full = findings.len() >= limits::DIAGNOSTICS;
    if fates.len() > lines.len() || (fates.len() < lines.len() && !cut) {
        return Err(format!("{} lines, but {} fates", lines.len(), fates.len()));
    }
    if cut && findings.is_empty() {
        return Err("the file is cut off without a finding".to_owned());
    }
    for ((fate, line), number) in fates.iter().zip(&lines).zip(1u32..) {
        let visible = line.iter().any(u8::is_ascii_graphic);
        let fault = match fate {
            LineFate::Blank if visible => "is not blank",
            LineFate::Order if !orders.contains(&number) => "is called an order, but none begins there",
            LineFate::Refused if !found.contains(&number) && !full => "is refused without a finding",
            _ => continue,
        };
        return Err(format!(
            "line {number} {fault}: {:?}",
            String::from_utf8_lossy(line.get(..80).unwrap_or(line))
        ));
    }
    Ok(())
}

/// The lines of a file, ended by CR, LF or both; a last one without an end counts if anything stands in it.
fn lines(file: &[u8]) -> Vec<&[u8]> {
    let mut lines = Vec::new();
    let mut rest = without_marks(file);
    while !rest.is_empty() {
        let end = rest
            .iter()
            .position(|byte| matches!(byte, b'\r' | b'\n'))
            .unwrap_or(rest.len());
        lines.push(&rest[..end]);
        rest = &rest[end..];
        rest = rest.strip_prefix(b"\r\n").or_else(|| rest.get(1..)).unwrap_or_default();
    }
    lines
}

/// A file without the byte order mark before it, and without the end mark of DOS and the padding behind it: neither is a line.
fn without_marks(file: &[u8]) -> &[u8] {
    const END_MARK: u8 = 0x1A;
    let file = file.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(file);
    let mark = file
        .iter()
        .enumerate()
        .rev()
        .take_while(|(_, byte)| matches!(**byte, END_MARK | 0 | b' ' | b'\t' | b'\r' | b'\n'))
        .filter(|(_, byte)| **byte == END_MARK)
        .last();
    mark.map_or(file, |(at, _)| &file[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_at_the_beginning_and_the_end_of_a_file_are_no_lines() {
        for (file, count) in [
            (&b""[..], 0),
            (b"\xEF\xBB\xBF", 0),
            (b"\x1A", 0),
            (b"\xEF\xBB\xBF\x1A\0\r\n", 0),
            (b"\xEF\xBB\xBFA", 1),
            (b"A\x1A \n\x1A", 1),
            (b"A\r\n\x1A", 1),
            (b"A\r\n\0\n", 2),
            (b"A\n\x1AB", 2),
        ] {
            assert_eq!(lines(file).len(), count, "{file:?}");
        }
    }
}
