//! A scenario file as text: title, rules, and fenced blocks, grouped into steps.
//!
//! Reading never fails and never panics: it returns what it understood and a list of [`Failure`]s.

use crate::charset::Form;
use crate::expectation::{self, Expectation};
use crate::limits;
use crate::words::{did_you_mean, nearest, split_word, words};
use kernel::stage::StageLine;
use std::collections::BTreeMap;

/// Something that is wrong with a scenario or with what it found.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Failure {
    /// Line of the scenario file, from 1.
    pub line: u32,
    /// What was expected and what was found; further lines are details.
    pub message: String,
}

impl Failure {
    /// A failure at a line.
    pub fn new(line: u32, message: impl Into<String>) -> Self {
        Self {
            line,
            message: message.into(),
        }
    }
}

/// One scenario.
#[derive(Clone, Debug, Default)]
pub struct Scenario {
    /// The rule in words.
    pub title: String,
    /// Line of the title.
    pub title_line: u32,
    /// The rules it is about.
    pub rules: Vec<String>,
    /// Line of the `rules:` line, 0 if there is none.
    pub rules_line: u32,
    /// The words that one of its failures must hold, if it is meant to fail.
    pub must_fail: Option<String>,
    /// House rules as TOML, with the line where they begin.
    pub house: Option<(u32, String)>,
    /// The lines of the world.
    pub world: Vec<StageLine>,
    /// Line of the `world` block, 0 if there is none.
    pub world_line: u32,
    /// Worlds that must look the same to a realm.
    pub unseen: Vec<Unseen>,
    /// The steps in order.
    pub steps: Vec<StepScript>,
}

/// More of the world that one realm must not notice.
#[derive(Clone, Debug)]
pub struct Unseen {
    /// Line of the block.
    pub line: u32,
    /// The realm that must not notice.
    pub realm: String,
    /// Lines that are added to the world.
    pub lines: Vec<StageLine>,
}

/// What goes into one step and what must come out.
#[derive(Clone, Debug, Default)]
pub struct StepScript {
    /// Line where its first block begins.
    pub line: u32,
    /// Line of its `expect` block.
    pub expect_line: u32,
    /// Order files by the realm's name.
    pub orders: BTreeMap<String, OrderFile>,
    /// Names and companions of the order files, by the realm's name.
    pub files: BTreeMap<String, FileScript>,
    /// Order files that one realm must not be able to tell from the real ones.
    pub unseen_orders: Vec<UnseenOrders>,
    /// Judgements of the game master.
    pub rulings: Vec<RulingLine>,
    /// Dice by name.
    pub dice: Vec<DiceLine>,
    /// What must come out.
    pub expectations: Vec<Expectation>,
}

/// The order file of a realm.
#[derive(Clone, Debug)]
pub struct OrderFile {
    /// Line of the block; the first line of the file is the next one.
    pub line: u32,
    /// The file as it arrives.
    pub bytes: Vec<u8>,
}

/// What arrives beside the content of an order file.
#[derive(Clone, Debug, Default)]
pub struct FileScript {
    /// Line of the block.
    pub line: u32,
    /// Name of the order file.
    pub orders: Option<String>,
    /// Content of the file that names the realm.
    pub realm: Option<String>,
}

/// Other orders of a realm that another realm must not notice.
#[derive(Clone, Debug)]
pub struct UnseenOrders {
    /// Whose orders.
    pub realm: String,
    /// Who must not notice.
    pub by: String,
    /// The other file.
    pub file: OrderFile,
}

/// A judgement in a scenario.
#[derive(Clone, Debug)]
pub struct RulingLine {
    /// Line in the scenario.
    pub line: u32,
    /// The request that is answered; none for an edict.
    pub answers: Option<String>,
    /// The judgement in the game's words.
    pub ruling: String,
    /// The reason given.
    pub reason: String,
}

/// A line of a `dice` block.
#[derive(Clone, Debug)]
pub struct DiceLine {
    /// Line in the scenario.
    pub line: u32,
    /// What it says.
    pub value: DiceValue,
}

/// What a line of a `dice` block says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DiceValue {
    /// The die with this name shows this face.
    Face(String, i64),
    /// All other dice show this percentage of their range.
    Typical(u8),
    /// All other dice follow keys made from this seed.
    Seed(u64),
}

/// Reads a scenario.
pub fn read(bytes: &[u8]) -> (Scenario, Vec<Failure>) {
    let mut reader = Reader::default();
    if bytes.len() > limits::SCENARIO_BYTES {
        let limit = limits::SCENARIO_BYTES;
        reader.fail(
            1,
            format!("the file has {} bytes, at most {limit} are read", bytes.len()),
        );
        return (reader.scenario, reader.failures);
    }
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        reader.fail(1, "the file is saved as UTF-16; save it as UTF-8");
        return (reader.scenario, reader.failures);
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => reader.read(text.strip_prefix('\u{feff}').unwrap_or(text)),
        Err(error) => {
            let line = bytes[..error.valid_up_to()]
                .iter()
                .filter(|byte| **byte == b'\n')
                .count();
            reader.fail(
                number(line),
                "the file is not UTF-8 from here on; use `orders <Realm> latin1` or `escaped`",
            );
        }
    }
    (reader.scenario, reader.failures)
}

/// The line number of the line with this index.
fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX - 1).saturating_add(1)
}

/// The blocks that there are.
const KINDS: [&str; 10] = [
    "house", "world", "unseen", "orders", "files", "rulings", "dice", "report", "expect", "text",
];

#[derive(Default)]
struct Reader {
    scenario: Scenario,
    failures: Vec<Failure>,
    step: StepScript,
    /// Whether the step under way has a block yet, and whether one of them was `expect`.
    step_open: bool,
    blocks: usize,
}

/// A fenced block: its line, the words behind the fence, its lines with their numbers.
struct Block<'a> {
    line: u32,
    info: &'a str,
    lines: Vec<(u32, &'a str)>,
}

impl Reader {
    fn fail(&mut self, line: u32, message: impl Into<String>) {
        self.failures.push(Failure::new(line, message));
    }

    fn read(&mut self, text: &str) {
        let mut lines = text
            .split('\n')
            .map(|line| line.strip_suffix('\r').unwrap_or(line))
            .enumerate()
            .map(|(index, line)| (number(index), line));
        while let Some((at, line)) = lines.next() {
            let Some(fence) = fence(line) else {
                self.prose(at, line);
                continue;
            };
            let mut block = Block {
                line: at,
                info: line[fence..].trim(),
                lines: Vec::new(),
            };
            if block.info.is_empty() {
                // From here on blocks and text would change places, so this is all there is to say.
                self.fail(
                    at,
                    "these backticks open a block without a name; is the line missing that opens the block above?",
                );
                return;
            }
            let mut closed = false;
            for (at, line) in lines.by_ref() {
                if closes(line, fence) {
                    closed = true;
                    break;
                }
                if let Some(slip) = slip_within(line, fence) {
                    // What follows would be read as the wrong block, so this is all there is to say.
                    let (name, opened) = (block.info, block.line);
                    self.fail(at, format!("{slip}: the block `{name}` of line {opened} is still open"));
                    return;
                }
                block.lines.push((at, line));
            }
            if !closed {
                self.fail(at, format!("the block `{}` is never closed with ```", block.info));
            }
            self.blocks += 1;
            if self.blocks > limits::BLOCKS {
                self.fail(at, format!("more than {} blocks", limits::BLOCKS));
                return;
            }
            self.block(&block);
        }
        self.finish();
    }

    fn prose(&mut self, at: u32, line: &str) {
        if let Some(slip) = slip_outside(line) {
            self.fail(at, slip);
            return;
        }
        let line = line.trim();
        if self.scenario.title.is_empty() {
            if let Some(title) = line.strip_prefix("# ") {
                self.scenario.title = title.trim().to_owned();
                self.scenario.title_line = at;
            }
            return;
        }
        if let Some(rules) = line.strip_prefix("rules:") {
            if self.scenario.rules_line != 0 {
                self.fail(at, "a second `rules:` line; name all rules in one, with commas");
                return;
            }
            self.scenario.rules_line = at;
            self.scenario.rules = rules
                .split(',')
                .map(str::trim)
                .filter(|rule| !rule.is_empty())
                .map(str::to_owned)
                .collect();
        } else if let Some(reason) = line.strip_prefix("must-fail:") {
            let reason = words(reason);
            if reason.is_empty() {
                // Without words every failure would do, this one too.
                self.fail(at, "`must-fail:` needs words of the failure that is expected");
                return;
            }
            self.scenario.must_fail = Some(reason);
        }
    }

    fn block(&mut self, block: &Block<'_>) {
        if self.scenario.title.is_empty() {
            self.fail(block.line, "the first line must be a title: `# The rule in words`");
            // One complaint is enough.
            self.scenario.title = "?".to_owned();
        }
        let (kind, rest) = split_word(block.info);
        if kind != "text" && !self.step_open {
            self.step_open = true;
            self.step.line = block.line;
        }
        match kind {
            "text" => {}
            "house" => self.house(block),
            "world" => self.world(block),
            "unseen" => self.unseen(block, rest),
            "orders" => self.orders(block, rest),
            "files" => self.files(block, rest),
            "rulings" => self.rulings(block),
            "dice" => self.dice(block),
            "report" => self.report(block, rest),
            "expect" => self.expect(block),
            other => {
                let hint = nearest(other, KINDS.iter().copied(), 1);
                self.fail(
                    block.line,
                    format!(
                        "unknown block `{other}`{}; known are {}",
                        did_you_mean(&hint),
                        KINDS.join(", ")
                    ),
                );
            }
        }
    }

    fn house(&mut self, block: &Block<'_>) {
        if self.scenario.house.is_some() || !self.scenario.steps.is_empty() {
            self.fail(block.line, "house rules are given once, before the first `expect`");
            return;
        }
        self.scenario.house = Some((block.line, joined(block)));
    }

    fn world(&mut self, block: &Block<'_>) {
        if !self.scenario.steps.is_empty() {
            self.fail(
                block.line,
                "a `world` block stands before the first `expect`; later steps go on from there",
            );
            return;
        }
        if self.scenario.world_line == 0 {
            self.scenario.world_line = block.line;
        }
        self.scenario.world.extend(stage_lines(block));
    }

    fn unseen(&mut self, block: &Block<'_>, realm: &str) {
        if realm.is_empty() {
            self.fail(block.line, "write the realm that must not notice: `unseen Bär`");
            return;
        }
        if !self.scenario.steps.is_empty() {
            self.fail(block.line, "an `unseen` block stands before the first `expect`");
            return;
        }
        self.scenario.unseen.push(Unseen {
            line: block.line,
            realm: realm.to_owned(),
            lines: stage_lines(block),
        });
    }

    fn orders(&mut self, block: &Block<'_>, rest: &str) {
        let rest = words(rest);
        let (rest, by) = match rest.split_once(" unseen by ") {
            Some((rest, by)) => (rest, Some(by.trim().to_owned())),
            None => (rest.as_str(), None),
        };
        let mut realm: Vec<&str> = rest.split_whitespace().collect();
        let mut form = Form::default();
        while let Some(option) = realm.last().copied().filter(|word| form.takes(word)) {
            form.set(option);
            realm.pop();
        }
        if realm.is_empty() {
            self.fail(block.line, "write whose orders these are: `orders Adler`");
            return;
        }
        let realm = realm.join(" ");
        let file = match form.encode(&block.lines) {
            Ok(bytes) => OrderFile {
                line: block.line,
                bytes,
            },
            Err(failure) => {
                self.failures.push(failure);
                return;
            }
        };
        if let Some(by) = by {
            self.step.unseen_orders.push(UnseenOrders { realm, by, file });
        } else if self.step.orders.insert(realm.clone(), file).is_some() {
            self.fail(block.line, format!("a second order file of {realm} in the same step"));
        }
    }

    fn files(&mut self, block: &Block<'_>, realm: &str) {
        if realm.is_empty() {
            self.fail(block.line, "write whose files these are: `files Adler`");
            return;
        }
        let mut files = FileScript {
            line: block.line,
            ..FileScript::default()
        };
        for line in stage_lines(block) {
            match split_word(&line.text) {
                ("orders", name) => files.orders = Some(name.to_owned()),
                ("realm", content) => files.realm = Some(content.to_owned()),
                _ => self.fail(line.line, "expected `orders NAME` or `realm CONTENT`"),
            }
        }
        self.step.files.insert(realm.to_owned(), files);
    }

    fn rulings(&mut self, block: &Block<'_>) {
        for line in stage_lines(block) {
            let (body, reason) = match line.text.rsplit_once(" because ") {
                Some((body, reason)) => (body.trim(), reason.trim()),
                None => (line.text.as_str(), ""),
            };
            let (kind, rest) = split_word(body);
            let (answers, ruling) = match (kind, rest.split_once(" = ")) {
                ("answer", Some((name, ruling))) => (Some(words(name)), ruling.trim()),
                ("edict", _) if !rest.is_empty() => (None, rest),
                _ => {
                    self.fail(
                        line.line,
                        "expected `answer <name of the request> = <ruling>` or `edict <ruling> because <reason>`",
                    );
                    continue;
                }
            };
            self.step.rulings.push(RulingLine {
                line: line.line,
                answers,
                ruling: ruling.to_owned(),
                reason: reason.to_owned(),
            });
        }
    }

    fn dice(&mut self, block: &Block<'_>) {
        for line in stage_lines(block) {
            match dice_values(&line.text) {
                Ok(values) => self
                    .step
                    .dice
                    .extend(values.into_iter().map(|value| DiceLine { line: line.line, value })),
                Err(message) => self.fail(line.line, message),
            }
        }
    }

    fn report(&mut self, block: &Block<'_>, realm: &str) {
        let (realm, before) = match realm.strip_suffix(" before") {
            Some(realm) => (realm, true),
            None => (realm, false),
        };
        if realm.is_empty() || block.lines.iter().all(|(_, line)| line.trim().is_empty()) {
            self.fail(
                block.line,
                "a `report` block names its realm and holds at least one line of the report",
            );
            return;
        }
        self.step.expectations.push(Expectation {
            line: block.line,
            demand: expectation::Demand::ReportBlock {
                viewer: realm.to_owned(),
                before,
                lines: block.lines.iter().map(|(at, line)| (*at, (*line).to_owned())).collect(),
            },
        });
    }

    fn expect(&mut self, block: &Block<'_>) {
        let lines = stage_lines(block);
        if lines.is_empty() {
            self.fail(
                block.line,
                "an empty `expect` proves nothing; write `anything` if that is meant",
            );
        }
        for line in lines {
            match expectation::read(&line.text) {
                Ok(demand) => self.step.expectations.push(Expectation {
                    line: line.line,
                    demand,
                }),
                Err(message) => self.fail(line.line, message),
            }
        }
        self.step_open = false;
        let mut step = std::mem::take(&mut self.step);
        step.expect_line = block.line;
        if self.scenario.steps.len() >= limits::STEPS {
            self.fail(block.line, format!("more than {} steps", limits::STEPS));
        } else {
            self.scenario.steps.push(step);
        }
    }

    fn finish(&mut self) {
        if self.scenario.title.is_empty() {
            self.fail(1, "the first line must be a title: `# The rule in words`");
        }
        if self.scenario.rules.is_empty() {
            let line = self.scenario.rules_line.max(self.scenario.title_line).max(1);
            self.fail(
                line,
                "a line `rules: ID, ID` must name the rules that the scenario shows",
            );
        }
        if self.step_open {
            self.fail(self.step.line, "the blocks from here on are not closed by an `expect`");
        } else if self.scenario.steps.is_empty() {
            self.fail(1, "the scenario has no `expect` block");
        }
    }
}

fn dice_values(text: &str) -> Result<Vec<DiceValue>, String> {
    if let Some((name, face)) = text.rsplit_once('=') {
        let face = face.trim();
        let faces: Result<Vec<i64>, _> = face.split_whitespace().map(str::parse).collect();
        let name = words(name);
        return match faces.as_deref() {
            Ok([value]) => Ok(vec![DiceValue::Face(name, *value)]),
            // Dice that are thrown together are called by the throw's name and their number.
            Ok([_, ..]) => Ok(faces
                .iter()
                .flatten()
                .zip(1u32..)
                .map(|(value, number)| DiceValue::Face(format!("{name} {number}"), *value))
                .collect()),
            _ => Err(format!("`{face}` is no face of a die; expected a whole number")),
        };
    }
    let (kind, rest) = split_word(text);
    match kind {
        "typical" => match rest.parse() {
            Ok(percent @ 0..=100) => Ok(vec![DiceValue::Typical(percent)]),
            _ => Err(format!("`typical {rest}`: expected a percentage from 0 to 100")),
        },
        "seed" => match rest.parse() {
            Ok(seed) => Ok(vec![DiceValue::Seed(seed)]),
            Err(_) => Err(format!("`seed {rest}`: expected a whole number")),
        },
        _ => Err(
            "expected `NAME OF THE DIE = face`, `NAME OF THE THROW = face face`, `typical PERCENT` or `seed N`"
                .to_owned(),
        ),
    }
}

/// How many backticks open a block here, if at least three do.
fn fence(line: &str) -> Option<usize> {
    let length = line.bytes().take_while(|byte| *byte == b'`').count();
    (length >= 3 && !line[length..].contains('`')).then_some(length)
}

/// What is wrong with a line outside of blocks that looks as if it should open one.
fn slip_outside(line: &str) -> Option<&'static str> {
    let text = line.trim_start();
    if text.starts_with("~~~") {
        return Some("blocks stand between lines of three backticks (```), not ~~~");
    }
    if text.starts_with("```") {
        return Some(if text.len() < line.len() {
            "a block begins at the beginning of its line: take the blanks before ``` away"
        } else {
            "the line that opens a block holds no backticks but the first ones; the block itself begins on the next line"
        });
    }
    let name = text.strip_prefix("``").or_else(|| text.strip_prefix('`'))?;
    let is_block = KINDS.contains(&split_word(name).0) && !name.contains('`');
    is_block.then_some("a block begins with three backticks (```)")
}

/// What is wrong with a line of a block that looks as if it should close it or open another.
fn slip_within(line: &str, opened: usize) -> Option<&'static str> {
    if line.starts_with(char::is_whitespace) && closes(line.trim_start(), opened) {
        return Some("blanks stand before this ```, so it closes nothing");
    }
    let opens = fence(line).is_some_and(|length| length >= opened && KINDS.contains(&split_word(&line[length..]).0));
    opens.then_some("a line with ``` alone is missing before this one")
}

fn closes(line: &str, fence: usize) -> bool {
    let line = line.trim_end();
    line.len() >= fence && line.bytes().all(|byte| byte == b'`')
}

fn joined(block: &Block<'_>) -> String {
    let mut text = String::new();
    for (_, line) in &block.lines {
        text.push_str(line);
        text.push('\n');
    }
    text
}

fn stage_lines(block: &Block<'_>) -> Vec<StageLine> {
    block
        .lines
        .iter()
        .map(|(line, text)| StageLine {
            line: *line,
            // A tab, or whatever an editor puts in the place of a blank, is a blank.
            text: without_comment(text).trim().replace(char::is_whitespace, " "),
        })
        .filter(|line| !line.text.is_empty())
        .collect()
}

/// The line without what follows a `#` that begins a word outside quotation marks. Before a digit it does not: `#1` is a word.
fn without_comment(line: &str) -> &str {
    let mut quoted = false;
    let mut after_blank = true;
    for (at, letter) in line.char_indices() {
        match letter {
            '"' => quoted = !quoted && line[at + 1..].contains('"'),
            '#' if after_blank && !quoted && !line[at + 1..].starts_with(|next: char| next.is_ascii_digit()) => {
                return &line[..at];
            }
            _ => {}
        }
        after_blank = letter.is_whitespace();
    }
    line
}
