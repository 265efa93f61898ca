//! A fast hash for keys that nobody can choose to do harm.

use std::hash::Hasher;

/// A hash for short keys that are part of the program: millions of look-ups, and nobody to attack them.
#[derive(Default)]
pub(crate) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks();
        for word in words {
            self.write_u64(u64::from_le_bytes(*word));
        }
        if !rest.is_empty() {
            self.write_u64(rest.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)));
        }
    }

    fn write_u64(&mut self, word: u64) {
        // Tables take the upper bits for one purpose and the lower ones for another: both halves of the product together depend on
        // every bit of the word.
        let product = u128::from(self.0.rotate_left(5) ^ word) * 0x517c_c1b7_2722_0a95;
        self.0 = (product as u64) ^ ((product >> 64) as u64);
    }
}
