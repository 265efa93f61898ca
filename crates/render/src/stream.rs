//! What all forms of a report write through: a buffer before a writer, and the memory for fragments.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash};
use std::io;
use std::ops::Range;

use crate::hash::KeyHasher;

/// The buffer goes to the writer when it is this full.
const FULL: usize = 64 * 1024;

/// By number and state before: where the bytes stand, and the state after.
type Fragments<S> = HashMap<(u64, S), (Range<usize>, S), BuildHasherDefault<KeyHasher>>;

/// A buffered writer that remembers fragments.
///
/// The report's sink cannot return an error, so the first one is kept, nothing is written after it, and
/// [`Stream::finish`] returns it. The writer is no part of the type: whoever writes reports uses the code of this crate, which is
/// compiled for speed.
///
/// `S` is what the bytes of a fragment depend on besides the fragment, and what they leave behind: an open list, say.
pub(crate) struct Stream<'w, S = ()> {
    writer: &'w mut dyn io::Write,
    pub buffer: Vec<u8>,
    failure: Option<io::Error>,
    /// While above zero the buffer is held back, because somebody will look at it again.
    held: u32,
    /// Where fragments stand among the bytes that are remembered. Only looked up, never walked through.
    fragments: Fragments<S>,
    remembered: Vec<u8>,
}

impl<'w, S: Copy + Eq + Hash> Stream<'w, S> {
    pub fn new(writer: &'w mut dyn io::Write) -> Self {
        Self {
            writer,
            buffer: Vec::with_capacity(FULL + FULL / 4),
            failure: None,
            held: 0,
            fragments: HashMap::default(),
            remembered: Vec::new(),
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

    /// Repeats a fragment as it was written in this state and says which state it leaves; nothing if it is not there yet.
    pub fn repeat(&mut self, id: u64, state: S) -> Option<S> {
        let (range, after) = self.fragments.get(&(id, state))?;
        self.buffer.extend_from_slice(self.remembered.get(range.clone())?);
        Some(*after)
    }

    /// Remembers the buffer from `start` on as a fragment, with the states before and after it.
    pub fn remember(&mut self, id: u64, state: S, start: usize, after: S) {
        let written = self.buffer.get(start..).unwrap_or_default();
        let from = self.remembered.len();
        self.remembered.extend_from_slice(written);
        let range = from..self.remembered.len();
        self.fragments.insert((id, state), (range, after));
    }

    /// Writes the rest and forgets all fragments, but keeps the memory for the next report.
    pub fn next_report(&mut self) -> io::Result<()> {
        self.flush();
        self.fragments.clear();
        self.remembered.clear();
        self.failure.take().map_or(Ok(()), Err)
    }

    /// Writes the rest, or returns the first error.
    pub fn finish(mut self) -> io::Result<()> {
        self.flush();
        match self.failure {
            Some(error) => Err(error),
            None => self.writer.flush(),
        }
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
        let mut disk = Full;
        let mut stream = Stream::<()>::new(&mut disk);
        for _ in 0..30_000 {
            stream.push("line\n");
            stream.settle();
        }
        assert_eq!(stream.finish().unwrap_err().to_string(), "disk full");
    }

    #[test]
    fn the_next_report_knows_no_fragment_of_the_last_one() {
        let mut out = Vec::new();
        let mut stream = Stream::<()>::new(&mut out);
        stream.push("abc");
        stream.remember(7, (), 0, ());
        stream.next_report().unwrap();
        assert_eq!(stream.repeat(7, ()), None);
        stream.push("d");
        stream.finish().unwrap();
        assert_eq!(out, b"abcd");
        let mut disk = Full;
        let mut full = Stream::<()>::new(&mut disk);
        full.push("line");
        assert!(full.next_report().is_err());
    }

    #[test]
    fn a_fragment_lives_as_long_as_the_report() {
        let mut out = Vec::new();
        let mut stream = Stream::<char>::new(&mut out);
        assert_eq!(stream.repeat(7, 'a'), None);
        stream.push("abc");
        stream.remember(7, 'a', 1, 'b');
        stream.push("-");
        assert_eq!(stream.repeat(7, 'a'), Some('b'));
        assert_eq!((stream.repeat(8, 'a'), stream.repeat(7, 'b')), (None, None));
        stream.finish().unwrap();
        assert_eq!(out, b"abc-bc");
    }
}
