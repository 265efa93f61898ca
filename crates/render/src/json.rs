//! A report as JSON: for programs, and for players who write their own.
//!
//! `{"game", "language", "items": [...]}`, where an item is a `section` (with `items` of its own), a `line`, a `finding` or
//! `verbatim` text. A line carries its key and its values, so nobody has to take the wording apart, and its wording.

use std::io;

use kernel::diagnostic::{Diagnostic, Value};
use kernel::report::{Arg, Line, Phrase, ReportSink};
use kernel::rule::RuleId;

use crate::locale::Wording;
use crate::stream::Stream;
use crate::template::{Argument, push_integer};

/// Writes a report as JSON to any writer.
pub struct JsonSink<'w> {
    wording: &'w Wording,
    stream: Stream<'w>,
    /// Whether the list that is open has no item yet.
    first: bool,
    /// Sections that are open.
    depth: usize,
    scratch: Vec<u8>,
}

impl<'w> JsonSink<'w> {
    /// A report of a game in this wording to this writer.
    pub fn new(wording: &'w Wording, game: &str, writer: &'w mut dyn io::Write) -> Self {
        let mut sink = Self {
            wording,
            stream: Stream::new(writer),
            first: true,
            depth: 0,
            scratch: Vec::new(),
        };
        sink.stream.push("{\"game\":");
        sink.string(game);
        sink.stream.push(",\"language\":");
        sink.string(wording.language().code());
        sink.stream.push(",\"items\":[");
        sink
    }

    /// Closes what is open and writes what is still in the buffer.
    ///
    /// # Errors
    /// The first error of the writer; nothing was written after it.
    pub fn finish(mut self) -> io::Result<()> {
        while self.depth > 0 {
            self.end();
        }
        self.stream.push("]}\n");
        self.stream.finish()
    }

    fn item(&mut self, kind: &str) {
        if !self.first {
            self.stream.buffer.push(b',');
        }
        self.first = false;
        self.stream.push("\n{\"type\":\"");
        self.stream.push(kind);
        self.stream.push("\"");
    }

    fn string(&mut self, text: &str) {
        push_string(&mut self.stream.buffer, text);
    }

    fn field(&mut self, name: &str) {
        self.stream.push(",\"");
        self.stream.push(name);
        self.stream.push("\":");
    }

    /// Writes what serialises itself; none of these types can fail to.
    fn value(&mut self, value: &impl serde::Serialize) {
        let start = self.stream.buffer.len();
        if serde_json::to_writer(&mut self.stream.buffer, value).is_err() {
            self.stream.buffer.truncate(start);
            self.stream.push("null");
        }
    }

    fn wording(&mut self, section: bool, key: &str, args: &[(&str, Arg<'_>)]) {
        self.scratch.clear();
        let template = if section {
            self.wording.section(key)
        } else {
            self.wording.line(key)
        };
        self.wording.fill(&mut self.scratch, template, key, args);
        let scratch = std::mem::take(&mut self.scratch);
        push_string(&mut self.stream.buffer, &String::from_utf8_lossy(&scratch));
        self.scratch = scratch;
    }

    fn args(&mut self, args: &[(&str, Arg<'_>)]) {
        if args.is_empty() {
            return;
        }
        self.field("args");
        self.stream.buffer.push(b'{');
        for (n, (name, value)) in args.iter().enumerate() {
            if n > 0 {
                self.stream.buffer.push(b',');
            }
            self.string(name);
            self.stream.buffer.push(b':');
            self.arg(*value);
        }
        self.stream.buffer.push(b'}');
    }

    /// A row of a table, cell by cell with the titles of its columns.
    fn cells(&mut self, line: &Line<'_>) {
        let wording = self.wording;
        let Some(columns) = wording.row(line.key) else { return };
        self.field("cells");
        self.stream.buffer.push(b'[');
        for (n, column) in columns.iter().enumerate() {
            self.stream.push(if n > 0 { ",{\"title\":" } else { "{\"title\":" });
            self.string(&column.title);
            self.field("text");
            let mut scratch = std::mem::take(&mut self.scratch);
            scratch.clear();
            wording.fill(&mut scratch, Some(&column.cell), line.key, line.args);
            push_string(&mut self.stream.buffer, String::from_utf8_lossy(&scratch).trim());
            self.scratch = scratch;
            self.stream.buffer.push(b'}');
        }
        self.stream.buffer.push(b']');
    }

    fn arg(&mut self, value: Arg<'_>) {
        match value {
            Arg::Int(number) => push_integer(&mut self.stream.buffer, number),
            Arg::Text(text) => self.string(text),
            // Whatever the language decides comes with its words.
            Arg::Word(key) => {
                self.stream.push("{\"word\":");
                self.string(key);
                self.field("text");
                self.spoken(value);
                self.stream.buffer.push(b'}');
            }
            Arg::List(phrases, _) => {
                self.stream.push("{\"list\":[");
                for (n, phrase) in phrases.iter().enumerate() {
                    self.stream.push(if n > 0 { ",{\"key\":" } else { "{\"key\":" });
                    self.string(phrase.key);
                    self.args(phrase.args);
                    self.stream.buffer.push(b'}');
                }
                self.stream.push("]");
                self.field("text");
                self.spoken(value);
                self.stream.buffer.push(b'}');
            }
            Arg::Value(Value::Int(number)) => self.arg(Arg::Int(*number)),
            Arg::Value(Value::Text(text)) => self.arg(Arg::Text(text)),
            Arg::Value(Value::Word { word }) => self.arg(Arg::Word(word)),
            Arg::Value(Value::Words { words }) => {
                let words: Vec<Phrase<'_>> = words.iter().map(|key| Phrase { key, args: &[] }).collect();
                self.arg(Arg::List(&words, ", "));
            }
            Arg::Value(Value::Phrase { phrase, args }) => {
                self.stream.push("{\"word\":");
                self.string(phrase);
                let args: Vec<(&str, Arg<'_>)> =
                    args.iter().map(|(name, value)| (&**name, Arg::Value(value))).collect();
                self.args(&args);
                self.field("text");
                self.spoken(value);
                self.stream.buffer.push(b'}');
            }
        }
    }

    fn spoken(&mut self, value: Arg<'_>) {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        ("", value).push(&mut scratch, self.wording);
        push_string(&mut self.stream.buffer, &String::from_utf8_lossy(&scratch));
        self.scratch = scratch;
    }

    fn close(&mut self) {
        self.stream.buffer.push(b'}');
        self.stream.settle();
    }
}

impl ReportSink for JsonSink<'_> {
    fn begin(&mut self, key: &str, args: &[(&str, Arg<'_>)], rules: &[RuleId]) {
        self.item("section");
        self.field("key");
        self.string(key);
        self.field("heading");
        self.wording(true, key, args);
        self.args(args);
        if !rules.is_empty() {
            self.field("rules");
            self.value(&rules);
        }
        self.field("items");
        self.stream.buffer.push(b'[');
        self.first = true;
        self.depth += 1;
    }

    fn end(&mut self) {
        if self.depth == 0 {
            return;
        }
        self.depth -= 1;
        self.stream.buffer.push(b']');
        self.first = false;
        self.close();
    }

    fn line(&mut self, line: &Line<'_>) {
        // Empty lines and names of columns are the look of plain text and mean nothing.
        let is_blank = self.wording.line(line.key).is_some_and(|wording| wording.is_empty());
        if is_blank || self.wording.row(line.key).is_some_and(<[_]>::is_empty) {
            return;
        }
        self.item("line");
        self.field("key");
        self.string(line.key);
        self.field("text");
        self.wording(false, line.key, line.args);
        self.args(line.args);
        self.cells(line);
        if let Some(why) = line.why {
            self.field("why");
            self.value(why);
        }
        self.close();
    }

    fn diagnostic(&mut self, diagnostic: &Diagnostic) {
        self.item("finding");
        let (text, expected) = self.wording.fault(diagnostic);
        self.field("text");
        self.string(&text);
        if !expected.is_empty() {
            self.field("expected");
            self.string(&expected);
        }
        self.field("finding");
        self.value(diagnostic);
        self.close();
    }

    fn verbatim(&mut self, text: &str) {
        self.item("verbatim");
        self.field("text");
        self.string(text);
        self.close();
    }

    fn fragment(&mut self, id: u64, fill: &mut dyn FnMut(&mut dyn ReportSink)) {
        // A fragment is remembered without the comma before it, which depends on where it stands.
        let comma = !self.first;
        let before = self.stream.buffer.len();
        if comma {
            self.stream.buffer.push(b',');
        }
        let start = self.stream.buffer.len();
        self.stream.hold();
        if self.stream.repeat(id, ()).is_none() {
            self.first = true;
            fill(self);
            self.stream.remember(id, (), start, ());
        }
        if self.stream.buffer.len() == start {
            self.stream.buffer.truncate(before);
            self.first = !comma;
        } else {
            self.first = false;
        }
        self.stream.release();
    }
}

fn push_string(out: &mut Vec<u8>, text: &str) {
    let start = out.len();
    if serde_json::to_writer(&mut *out, text).is_err() {
        out.truncate(start);
        out.extend_from_slice(b"\"\"");
    }
}

/// A report as one JSON text.
pub fn json(wording: &Wording, game: &str, write: impl FnOnce(&mut dyn ReportSink)) -> String {
    let mut bytes = Vec::new();
    let mut sink = JsonSink::new(wording, game, &mut bytes);
    write(&mut sink);
    // A vector takes every byte, so there is no error to lose.
    let _ = sink.finish();
    String::from_utf8_lossy(&bytes).into_owned()
}
