//! The log of a battle (catalogue, section 5, ARM-GAP-45): one line for every line of a script, with its dice and what came of it:
//!
//! `1.2.3 Rot ANGRIFF LB#3 MIT LB#4 -> S#9 | W 4 5 3 =12 +5 =17 : W 6 2 2 =10 +3 =13 | S#9 tot`
//!
//! that is round, turn and number in the turn, the player, his words, the dice, the effects. The head of a turn has number 0; what a round or
//! turn brings by itself stands behind its head and its `ENDE`. Refused lines begin with `!` and are their player's own. Since every line
//! holds the words of the script, a log can be played again: [`scripts`] reads it.

use crate::battle::REFUSED_LINE;
use crate::event::{Event, Happening, Teller, Telling, TurnHappening, player_word};
use crate::kinds::Fate;
use crate::order::Order;
use crate::report::line;
use crate::rule;
use crate::script;
use crate::state::Position;
use crate::tables::Tables;
use crate::view::View;
use kernel::diagnostic::{Diagnostic, Severity, Value};
use kernel::game::Told;
use kernel::report::{Arg, Phrase, ReportSink};

/// Writes the log of a step as a section of its report.
pub fn write(tables: &Tables, view: &View, sink: &mut dyn ReportSink) {
    if view.told.iter().any(|told| told.notice.is_for_the_log()) || refused(view).next().is_some() {
        sink.begin("log", &[], &[rule::GAP_45]);
        lines(tables, view, sink);
        sink.end();
    }
}

/// The lines of the log of a step alone.
pub fn lines(tables: &Tables, view: &View, sink: &mut dyn ReportSink) {
    let mut refused = refused(view).peekable();
    for entry in entries(tables, &view.position, &view.told) {
        // A refused line stands where it stood in the script.
        while let Some(finding) = refused.next_if(|finding| entry.follows(finding)) {
            write_refused(finding, sink);
        }
        entry.write(sink);
    }
    for finding in refused {
        write_refused(finding, sink);
    }
}

/// The lines of the viewer's that were refused.
fn refused(view: &View) -> impl Iterator<Item = &Diagnostic> {
    let findings = view.diagnostics.iter();
    findings.filter(|finding| finding.severity == Severity::Error && quoted(finding).is_some())
}

/// One line of a script, and what came of it.
#[derive(Clone, Debug)]
struct Entry {
    /// `1.2.3`.
    at: String,
    player: String,
    /// What the script said.
    order: String,
    /// Its line in the viewer's script, if it is one of his.
    line: Option<u32>,
    /// The dice.
    rolls: Vec<String>,
    effects: Vec<Telling>,
}

/// The log of what was told. What stands before the first line of a script, such as the words of the game master, belongs to none.
fn entries(tables: &Tables, position: &Position, told: &[Told<Event>]) -> Vec<Entry> {
    let teller = Teller { tables, position };
    let mut list: Vec<Entry> = Vec::new();
    for told in told {
        let event = &told.notice;
        let (number, player, order) = match &event.happening {
            Happening::Turn(TurnHappening::Ordered { number, line }) => (*number, event.player, line.clone()),
            Happening::Turn(TurnHappening::Instructed { player, line } | TurnHappening::Announced { player, line }) => {
                (0, *player, format!("ANWEISUNG {line}"))
            }
            _ => {
                if let Some(entry) = list.last_mut() {
                    entry.take_in(event.telling(teller));
                }
                continue;
            }
        };
        let seat = position.order.iter().position(|player| *player == event.player);
        list.push(Entry {
            at: format!("{}.{}.{number}", event.round, seat.map_or(0, |seat| seat + 1)),
            player: player_word(position, player),
            line: told.line.filter(|_| order != Order::End.to_string()),
            order,
            rolls: Vec::new(),
            effects: Vec::new(),
        });
    }
    list
}

impl Entry {
    /// Whether it comes behind a refused line: the end of a turn comes behind all of them.
    fn follows(&self, finding: &Diagnostic) -> bool {
        match self.line {
            Some(line) => finding.span.line < line,
            None => self.order == Order::End.to_string(),
        }
    }

    fn take_in(&mut self, telling: Telling) {
        // A triple is a roll that stands there already.
        if telling.key != "triple-rolled" {
            self.rolls.extend(roll(&telling, self.rolls.is_empty()));
        }
        if EFFECTS.contains(&telling.key) {
            self.effects.push(telling);
        }
    }

    fn write(&self, sink: &mut dyn ReportSink) {
        let rolls = if self.rolls.is_empty() {
            NOTHING.to_owned()
        } else {
            self.rolls.join("; ")
        };
        let parts: Vec<(String, Vec<(&str, Arg<'_>)>)> = self
            .effects
            .iter()
            .map(|effect| {
                let args = effect.args.iter().map(|(name, value)| (*name, Arg::Value(value)));
                (effect_key(effect), args.collect())
            })
            .collect();
        let phrases: Vec<Phrase<'_>> = parts.iter().map(|(key, args)| Phrase { key, args }).collect();
        let effects = if phrases.is_empty() {
            Arg::Text(NOTHING)
        } else {
            Arg::List(&phrases, ", ")
        };
        let args = [
            ("at", Arg::Text(&self.at)),
            ("player", Arg::Text(&self.player)),
            ("order", Arg::Text(&self.order)),
            ("rolls", Arg::Text(&rolls)),
            ("effects", effects),
        ];
        let bare = self.rolls.is_empty() && self.effects.is_empty();
        line(sink, if bare { "log-bare" } else { "log" }, &args, None);
    }
}

/// With what a refused line begins.
const REFUSED: char = '!';
/// Where there are no dice, or no effects.
const NOTHING: &str = "-";

/// What a line of the log tells beside its dice: what changed on the board that the words of the script do not say.
const EFFECTS: &[&str] = &[
    "left-board",
    "life-lost",
    "died-for",
    "rammed",
    "storey-breached",
    "storey-hit",
    "collapsed",
    "wall-hit",
    "wall-fell",
    "bridge-hit",
    "bridge-fell",
    "ship-hit",
    "rope-holds",
    "ladder-toppled",
    "rope-cut",
    "ascent-found",
    "owner-changed",
    "possessor-changed",
    "centre-taken",
    "centre-being-razed",
    "centre-razed",
    "crowded",
    "scrimmage-began",
    "turned-back",
    "climbed-up",
    "plunged",
    "landed",
    "drifted",
    "enchanted",
    "transferred",
    "driven-by-spell",
    "gate-opened-by-spell",
    "gate-closed-by-spell",
    "river-dried-up",
    "river-rose",
    "spell-dispelled",
    "spells-expired",
    "duel-lost",
    "triple-rolled",
    "engaged",
    "phalanx-dissolved",
    "siege-broken",
    "siege-paused",
    "siege-counted",
    "hunger",
    "access-lost",
    "hunger-ended",
    "wind-rolled",
    "creature-turned",
    "creature-moved",
    "creature-struck",
    "siren-lured",
    "roll-replaced",
    "battle-won",
    "battle-drawn",
    "battle-suspended",
    "prayer-heard",
    "spell-learnt",
    "castle-fed",
    "spell-deflected",
    "centre-plundered",
];

/// The key of an effect's words, under `[word]`: `log-wall-fell`; who was killed has words of his own.
fn effect_key(effect: &Telling) -> String {
    let killed = effect
        .args
        .iter()
        .any(|(_, value)| matches!(value, Value::Word { word } if word == Fate::Killed.code()));
    match effect.key {
        "left-board" if killed => "log-killed".to_owned(),
        key => format!("log-{key}"),
    }
}

/// A value of a telling as text.
fn text(telling: &Telling, names: &[&str]) -> Option<String> {
    let (_, value) = telling.args.iter().find(|(name, _)| names.contains(name))?;
    match value {
        Value::Text(text) => Some(text.clone()),
        Value::Int(number) => Some(number.to_string()),
        _ => None,
    }
}

fn number(telling: &Telling, names: &[&str]) -> Option<i64> {
    let (_, value) = telling.args.iter().find(|(name, _)| names.contains(name))?;
    match value {
        Value::Int(number) => Some(*number),
        _ => None,
    }
}

/// The sum of dice that are written `4 5 3`.
pub(crate) fn natural(faces: &str) -> i64 {
    faces.split(' ').filter_map(|face| face.parse::<i64>().ok()).sum()
}

/// `W 4 5 3 =12 +5 =17`: the single dice, their sum, the good points, the total.
fn dice(faces: &str, points: i64) -> String {
    let natural = natural(faces);
    format!("W {faces} ={natural} {points:+} ={}", natural + points)
}

/// The dice of a telling and what they were thrown against. All but the first of a line also say for whom they were thrown.
fn roll(telling: &Telling, first: bool) -> Option<String> {
    let faces = text(telling, &["roll", "throw"])?;
    let mut words = dice(&faces, number(telling, &["points"]).unwrap_or(0));
    if let Some(answer) = text(telling, &["answer", "cast"]) {
        let points = number(telling, &["answer-points", "defence"]).unwrap_or(0);
        words = format!("{words} : {}", dice(&answer, points));
    } else if let Some(number) = number(telling, &["number"]) {
        words = format!("{words} : {number}");
    }
    match text(telling, &["figure", "attacker", "animal", "ship", "field"]) {
        Some(who) if !first => Some(format!("{who} {words}")),
        _ => Some(words),
    }
}

/// The line that a finding refuses.
fn quoted(finding: &Diagnostic) -> Option<&str> {
    finding.args.iter().find_map(|(name, value)| match value {
        Value::Text(text) if name == REFUSED_LINE && !text.is_empty() => Some(text.as_str()),
        _ => None,
    })
}

/// `! ZIEHE LB#1 17>18 | Grund: ARM-0.4.40 ...`.
fn write_refused(finding: &Diagnostic, sink: &mut dyn ReportSink) {
    let rule = finding.rules.first().map_or("", |rule| rule);
    let values: Vec<(&str, Arg<'_>)> = finding
        .args
        .iter()
        .map(|(name, value)| (&**name, Arg::Value(value)))
        .collect();
    let key = format!("fault:{}", finding.code);
    let reason = [Phrase {
        key: &key,
        args: &values,
    }];
    let args = [
        ("order", Arg::Text(quoted(finding).unwrap_or_default())),
        ("rule", Arg::Text(rule)),
        ("reason", Arg::List(&reason, "")),
    ];
    line(sink, "log-refused", &args, None);
}

/// A turn, or a part of one, out of a file that holds many.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Script {
    /// The line of the file with which it begins.
    pub line: u32,
    /// Whose it is, as the file calls him.
    pub player: String,
    /// The script.
    pub text: String,
}

impl Script {
    fn new(line: u32, player: String) -> Self {
        Self {
            line,
            player,
            text: String::new(),
        }
    }

    fn add(&mut self, words: &str) {
        self.text.push_str(words);
        self.text.push('\n');
    }
}

/// A line of a file of scripts that belongs to nobody's turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stray {
    /// The line of the file.
    pub line: u32,
    /// What stands there.
    pub text: String,
}

/// The scripts of a whole battle, one after another as they are played: written by hand, each from `RUNDE` to `ENDE`, or as a log, whose
/// numbers, dice and effects are passed over. Instructions before a `RUNDE` belong to its player; in a log to whom it names.
///
/// # Errors
/// A line outside every script.
pub fn scripts(file: &str) -> Result<Vec<Script>, Stray> {
    let mut list: Vec<Script> = Vec::new();
    // Instructions that wait for the head of their script.
    let mut waiting: Option<Script> = None;
    let (mut open, mut split, mut head) = (false, false, String::new());
    for (content, number) in script::lines(file).zip(1u32..) {
        let Some((name, words)) = said(content) else {
            continue;
        };
        if content.trim_start().starts_with(REFUSED) {
            // What was refused is refused again.
            if let Some(script) = list.last_mut().filter(|_| open) {
                script.add(&words);
            }
            continue;
        }
        let read = script::parse(words.as_bytes()).orders.into_iter().next();
        match read.map(|order| order.value) {
            Some(Order::Begin { player, .. }) => {
                let mut script = waiting.take().unwrap_or_else(|| Script::new(number, String::new()));
                script.player = player.value;
                script.add(&words);
                list.push(script);
                (open, split, head) = (true, false, words);
            }
            Some(Order::Standing(_)) if name.is_some() => {
                let mut instruction = Script::new(number, name.unwrap_or_default());
                instruction.add(&words);
                // Within a turn it begins another step of it: the turn goes on in a script of its own.
                let turn = list.last().filter(|_| open).map(|script| script.player.clone());
                if let Some(player) = turn.filter(|_| !split) {
                    let mut part = Script::new(number, player);
                    part.add(&head);
                    list.push(part);
                    split = true;
                }
                list.insert(list.len() - usize::from(open), instruction);
            }
            Some(Order::Standing(_)) if !open => {
                waiting
                    .get_or_insert_with(|| Script::new(number, String::new()))
                    .add(&words);
            }
            order => {
                let Some(script) = list.last_mut().filter(|_| open) else {
                    return Err(Stray {
                        line: number,
                        text: words,
                    });
                };
                script.add(&words);
                split = false;
                open = order != Some(Order::End);
            }
        }
    }
    match waiting {
        Some(script) => Err(Stray {
            line: script.line,
            text: script.text.trim_end().to_owned(),
        }),
        None => Ok(list),
    }
}

/// What a line of a file orders: the line itself, or of a line of a log the player and the words between his name and the dice. Nothing for a
/// blank line or a comment.
fn said(content: &str) -> Option<(Option<String>, String)> {
    let trimmed = content.trim();
    if trimmed.is_empty() || trimmed.starts_with(';') {
        return None;
    }
    if let Some(refused) = trimmed.strip_prefix(REFUSED) {
        let words = refused.split(" | ").next().unwrap_or(refused);
        return Some((None, words.trim().to_owned()));
    }
    let whole = || Some((None, trimmed.to_owned()));
    let Some((at, rest)) = trimmed.split_once(' ') else {
        return whole();
    };
    let numbered = at.split('.').count() == 3 && at.split('.').all(|part| part.parse::<u32>().is_ok());
    if !numbered {
        return whole();
    }
    let said = rest.split(" | ").next().unwrap_or(rest);
    // A player's name may have several words: his order begins with the first one from which on a line can be read.
    let readable = |start: &usize| {
        let order = said.get(*start..).unwrap_or_default();
        script::parse(order.as_bytes()).orders.len() == 1
    };
    let starts = || said.match_indices(' ').map(|(at, _)| at);
    let end = starts().find(|at| readable(&(at + 1))).or_else(|| starts().next())?;
    let (name, order) = said.split_at(end);
    Some((Some(name.to_owned()), order.trim_start().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dice_show_their_faces_their_sum_the_points_and_the_total() {
        assert_eq!(dice("4 5 3", 5), "W 4 5 3 =12 +5 =17");
        assert_eq!(dice("6 2 2", 0), "W 6 2 2 =10 +0 =10");
        assert_eq!(dice("1 1 1", -2), "W 1 1 1 =3 -2 =1");
    }

    #[test]
    fn scripts_are_read_from_a_log_as_from_what_was_written() {
        // Of a file that was written by hand an instruction belongs to the script behind it, of a log to whom it names.
        let written = "ANWEISUNG OPFER S\nRUNDE 1 SPIELER Rote Wölfe\nANGRIFF S#1 -> S#9\nENDE\n\n; Nun Blau.\nRUNDE 1 SPIELER Blau\nENDE\n";
        let scripts = super::scripts(written).expect("scripts");
        let players: Vec<(&str, u32)> = scripts
            .iter()
            .map(|script| (script.player.as_str(), script.line))
            .collect();
        assert_eq!(players, [("Rote Wölfe", 1), ("Blau", 7)]);
        assert_eq!(
            scripts[0].text,
            "ANWEISUNG OPFER S\nRUNDE 1 SPIELER Rote Wölfe\nANGRIFF S#1 -> S#9\nENDE\n"
        );
        let log = "1.1.0 Blau ANWEISUNG ENTKRAEFTEN AB 8\n1.1.0 Rote Wölfe RUNDE 1 SPIELER Rote Wölfe\n\
                   1.1.1 Rote Wölfe ANGRIFF S#1 -> S#9 | W 4 5 3 =12 +5 =17 : W 6 2 2 =10 +3 =13 | S#9 tot\n\
                   ! ANGRIFF S#2 -> S#9 | Grund: ARM-0.2.4 S#9 ist nicht auf dem Brett.\n\
                   1.1.2 Rote Wölfe ENDE\n1.2.0 Blau RUNDE 1 SPIELER Blau | - | Wind O: Flaute\n1.2.1 Blau ENDE\n";
        let again: Vec<(String, String)> = super::scripts(log)
            .expect("scripts")
            .into_iter()
            .map(|script| (script.player, script.text))
            .collect();
        let pair = |player: &str, text: &str| (player.to_owned(), text.to_owned());
        assert_eq!(
            again,
            [
                pair("Blau", "ANWEISUNG ENTKRAEFTEN AB 8\n"),
                pair(
                    "Rote Wölfe",
                    "RUNDE 1 SPIELER Rote Wölfe\nANGRIFF S#1 -> S#9\nANGRIFF S#2 -> S#9\nENDE\n"
                ),
                pair("Blau", "RUNDE 1 SPIELER Blau\nENDE\n"),
            ]
        );
    }

    #[test]
    fn a_line_that_belongs_to_nobody_is_named() {
        let stray = |text: &str| super::scripts(text).map_err(|stray| stray.line);
        assert_eq!(stray("\nZIEHE S#1 1>2\n"), Err(2));
        assert_eq!(stray("RUNDE 1 SPIELER Rot\nENDE\nZIEHE S#1 1>2\n"), Err(3));
        assert_eq!(stray("RUNDE 1 SPIELER Rot\nENDE\nANWEISUNG OPFER S\n"), Err(3));
    }
}
