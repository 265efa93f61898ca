//! The figures that were read last.

use std::sync::{Mutex, PoisonError};

/// What reading a text of house rules gave the last time: every view of a world brings the same text along, or none, and reading the
/// book's data takes longer than writing a small report.
#[derive(Debug)]
pub struct Last<T>(Mutex<Option<(String, T)>>);

impl<T: Clone> Last<T> {
    /// Nothing was read yet.
    pub const fn new() -> Self {
        Self(Mutex::new(None))
    }

    /// What the text says, read anew only if it is another than the last one.
    ///
    /// # Errors
    /// What reading it anew gives; what was read before is kept then.
    pub fn get<E>(&self, text: &str, read: impl FnOnce(&str) -> Result<T, E>) -> Result<T, E> {
        // A reader that panicked left nothing half done: the pair is replaced as a whole.
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, value)) = last.as_ref()
            && known == text
        {
            return Ok(value.clone());
        }
        let value = read(text)?;
        *last = Some((text.to_owned(), value.clone()));
        Ok(value)
    }
}

impl<T: Clone> Default for Last<T> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_another_text_is_read_anew() {
        let last = Last::new();
        let read = |text: &str| last.get(text, |text| Ok::<_, ()>(text.len()));
        assert_eq!(read("abc"), Ok(3));
        // The same text is not read: this reader would say otherwise.
        assert_eq!(last.get("abc", |_| Err(())), Ok(3));
        assert_eq!(read("ab"), Ok(2));
        assert_eq!(read("abc"), Ok(3));
    }

    #[test]
    fn a_text_that_cannot_be_read_leaves_the_last_one_known() {
        let last = Last::new();
        assert_eq!(last.get("good", |_| Ok::<_, &str>(1)), Ok(1));
        assert_eq!(last.get("bad", |_| Err("wrong")), Err("wrong"));
        assert_eq!(last.get("bad", |_| Err("wrong again")), Err("wrong again"));
        assert_eq!(last.get("good", |_| Err("not asked")), Ok(1));
    }
}
