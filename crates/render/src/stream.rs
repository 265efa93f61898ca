//! What all forms of a report write through: a buffer before a writer, and the memory for fragments.

use std::collections::HashMap;
use std::io;
use std::ops::Range;

/// The buffer goes to the writer when it is this full.
const FULL: usize = 64 * 1024;

/// Fragments of one open section.
#[derive(Default)]
struct Frame {
    /// Only looked up, never walked through.
    ranges: HashMap<u64, Range<usize>>,
    bytes: Vec<u8>,
}

/// A buffered writer that remembers fragments.
///
/// The report's sink cannot return an error, so the first one is kept, nothing is written after it, and
/// [`Stream::finish`] returns it.
pub(crate) struct Stream<W> {
    writer: W,
    pub buffer: Vec<u8>,
    failure: Option<io::Error>,
    /// While above zero the buffer is held back, because somebody will look at it again.
    held: u32,
    /// One frame for the report itself and one for each open section; emptied frames are kept for reuse.
    frames: Vec<Frame>,
    open: usize,
}

impl<W: io::Write> Stream<W> {
    pub fn new(writer: W) -> Self {
        Self {
            writer,
            buffer: Vec::with_capacity(FULL + FULL / 4),
            failure: None,
            held: 0,
            frames: vec![Frame::default()],
            open: 0,
        }
    }

    pub fn push(&mut self, text: &str) {
        self.buffer.extend_from_slice(text.as_bytes());
    }

    /// To be called after each item.
    pub fn settle(&mut self) {
        if self.buffer.len() >= FULL && self.held == 0 {
            self.flush();
        }
    }

    fn flush(&mut self) {
        if self.failure.is_none()
            && let Err(error) = self.writer.write_all(&self.buffer)
        {
            self.failure = Some(error);
        }
        self.buffer.clear();
    }

    /// Keeps what follows in the buffer until [`Stream::release`].
    pub fn hold(&mut self) {
        self.held += 1;
    }

    pub fn release(&mut self) {
        self.held = self.held.saturating_sub(1);
        self.settle();
    }

    pub fn enter(&mut self) {
        self.open += 1;
        if self.open >= self.frames.len() {
            self.frames.push(Frame::default());
        }
    }

    pub fn leave(&mut self) {
        if let Some(frame) = self.frames.get_mut(self.open) {
            frame.ranges.clear();
            frame.bytes.clear();
        }
        self.open = self.open.saturating_sub(1);
    }

    /// Repeats a fragment of the innermost section; false if it is not there yet.
    pub fn repeat(&mut self, id: u64) -> bool {
        let Some(frame) = self.frames.get(self.open) else {
            return false;
        };
        let Some(bytes) = frame.ranges.get(&id).and_then(|range| frame.bytes.get(range.clone())) else {
            return false;
        };
        self.buffer.extend_from_slice(bytes);
        true
    }

    /// Remembers the buffer from `start` on as a fragment of the innermost section.
    pub fn remember(&mut self, id: u64, start: usize) {
        let Some(frame) = self.frames.get_mut(self.open) else {
            return;
        };
        let written = self.buffer.get(start..).unwrap_or_default();
        let from = frame.bytes.len();
        frame.bytes.extend_from_slice(written);
        frame.ranges.insert(id, from..frame.bytes.len());
    }

    /// Writes the rest and returns the writer, or the first error.
    pub fn finish(mut self) -> io::Result<W> {
        self.flush();
        if let Some(error) = self.failure {
            return Err(error);
        }
        self.writer.flush()?;
        Ok(self.writer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Full;

    impl io::Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::Error::other("disk full"))
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn the_first_error_is_kept_until_the_end() {
        let mut stream = Stream::new(Full);
        for _ in 0..30_000 {
            stream.push("line\n");
            stream.settle();
        }
        assert_eq!(stream.finish().err().unwrap().to_string(), "disk full");
    }

    #[test]
    fn a_fragment_lives_as_long_as_its_section() {
        let mut stream = Stream::new(Vec::new());
        stream.enter();
        assert!(!stream.repeat(7));
        stream.push("abc");
        stream.remember(7, 1);
        assert!(stream.repeat(7));
        stream.leave();
        stream.enter();
        assert!(!stream.repeat(7));
        stream.leave();
        assert_eq!(stream.finish().unwrap(), b"abcbc");
    }
}
