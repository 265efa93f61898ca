//! A report as plain text.

use std::io;

use kernel::diagnostic::Diagnostic;
use kernel::report::{Arg, Line, ReportSink};
use kernel::rule::RuleId;

use crate::finding::finding_line;
use crate::locale::Wording;
use crate::stream::Stream;
use crate::template::push_clean;

/// Writes a report line by line to any writer.
pub struct TextSink<'w> {
    wording: &'w Wording,
    stream: Stream<'w>,
}

impl<'w> TextSink<'w> {
    /// A report in this wording to this writer, which needs no buffer of its own.
    pub fn new(wording: &'w Wording, writer: &'w mut dyn io::Write) -> Self {
        Self {
            wording,
            stream: Stream::new(writer),
        }
    }

    /// Writes what is still in the buffer.
    ///
    /// # Errors
    /// The first error of the writer; nothing was written after it.
    pub fn finish(self) -> io::Result<()> {
        self.stream.finish()
    }

    /// Ends a report and begins another one to the same writer, in the same memory.
    ///
    /// # Errors
    /// The first error of the writer; nothing was written after it.
    pub fn next_report(&mut self) -> io::Result<()> {
        self.stream.next_report()
    }

    fn end_line(&mut self) {
        self.stream.buffer.push(b'\n');
        self.stream.settle();
    }
}

impl ReportSink for TextSink<'_> {
    fn begin(&mut self, key: &str, args: &[(&str, Arg<'_>)], _rules: &[RuleId]) {
        let template = self.wording.section(key);
        if template.is_some_and(|heading| heading.is_empty()) {
            return;
        }
        self.wording.fill(&mut self.stream.buffer, template, key, args);
        self.end_line();
    }

    fn end(&mut self) {}

    fn line(&mut self, line: &Line<'_>) {
        let template = self.wording.line(line.key);
        self.wording
            .fill(&mut self.stream.buffer, template, line.key, line.args);
        self.end_line();
    }

    fn diagnostic(&mut self, diagnostic: &Diagnostic) {
        self.stream.push(&finding_line(self.wording, diagnostic));
        self.end_line();
    }

    fn verbatim(&mut self, text: &str) {
        for line in text.lines() {
            push_clean(&mut self.stream.buffer, line);
            self.end_line();
        }
    }

    fn fragment(&mut self, id: u64, fill: &mut dyn FnMut(&mut dyn ReportSink)) {
        if self.stream.repeat(id, ()).is_some() {
            self.stream.settle();
            return;
        }
        self.stream.hold();
        let start = self.stream.buffer.len();
        fill(self);
        self.stream.remember(id, (), start, ());
        self.stream.release();
    }
}

/// A report as one text.
pub fn text(wording: &Wording, write: impl FnOnce(&mut dyn ReportSink)) -> String {
    let mut bytes = Vec::new();
    let mut sink = TextSink::new(wording, &mut bytes);
    write(&mut sink);
    // A vector takes every byte, so there is no error to lose.
    let _ = sink.finish();
    String::from_utf8_lossy(&bytes).into_owned()
}
