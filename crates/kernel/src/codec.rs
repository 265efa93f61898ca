//! Canonical bytes: the same value always gives the same bytes, and old bytes stay readable.
//!
//! Values are written as MessagePack with named fields behind a header of magic and schema number. Ordered maps and
//! integers only, so equal values have equal bytes and a digest speaks for the whole state.

mod pack;

pub use pack::{PackError, pack, pack_into, unpack};

use crate::limits;
use serde::{Serialize, de::DeserializeOwned};
use std::fmt;

const MAGIC: [u8; 4] = *b"BWv1";

/// What kind of value the bytes hold, with the number of its schema.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Schema {
    /// Game code, for example `THO`.
    pub game: &'static str,
    /// `state`, `view` or another short word.
    pub what: &'static str,
    /// Grows with every change that old bytes need help for.
    pub version: u16,
}

/// Why bytes could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CodecError {
    /// Not written by this program, or cut short.
    NotOurs,
    /// Written for another game or another kind of value.
    WrongKind {
        /// What was found.
        found: String,
        /// What was asked for.
        wanted: String,
    },
    /// Written by a newer program.
    TooNew {
        /// Version found.
        found: u16,
        /// Newest version understood.
        known: u16,
    },
    /// Larger than the limit.
    TooLarge,
    /// The body does not fit the type.
    Malformed(String),
}

impl fmt::Display for CodecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotOurs => f.write_str("not a Briefwelt record, or cut short"),
            Self::WrongKind { found, wanted } => write!(f, "holds {found}, wanted {wanted}"),
            Self::TooNew { found, known } => write!(f, "schema {found} is newer than {known}"),
            Self::TooLarge => f.write_str("larger than the limit"),
            Self::Malformed(why) => write!(f, "malformed: {why}"),
        }
    }
}

impl std::error::Error for CodecError {}

/// Writes `value` in canonical form.
pub fn encode<T: Serialize>(schema: Schema, value: &T) -> Result<Vec<u8>, CodecError> {
    encode_into_room(schema, value, 0)
}

/// The same with room for about `expected` bytes from the start: a large state that outgrew its room again and again would need
/// twice its memory.
pub fn encode_into_room<T: Serialize>(schema: Schema, value: &T, expected: usize) -> Result<Vec<u8>, CodecError> {
    let mut bytes = header(schema);
    bytes.reserve(expected);
    pack_into(&mut bytes, value).map_err(|error| CodecError::Malformed(error.to_string()))?;
    bytes.shrink_to_fit();
    Ok(bytes)
}

/// Reads what [`encode`] wrote, by this version or an older one whose missing fields have defaults.
pub fn decode<T: DeserializeOwned>(schema: Schema, bytes: &[u8]) -> Result<T, CodecError> {
    if bytes.len() > limits::STATE_BYTES {
        return Err(CodecError::TooLarge);
    }
    let rest = bytes.strip_prefix(&MAGIC).ok_or(CodecError::NotOurs)?;
    let (&length, rest) = rest.split_first().ok_or(CodecError::NotOurs)?;
    let (name, rest) = rest.split_at_checked(usize::from(length)).ok_or(CodecError::NotOurs)?;
    let (version, body) = rest.split_at_checked(2).ok_or(CodecError::NotOurs)?;
    let wanted = kind(schema);
    if name != wanted.as_bytes() {
        return Err(CodecError::WrongKind {
            found: String::from_utf8_lossy(name).into_owned(),
            wanted,
        });
    }
    let found = u16::from_le_bytes([version[0], version[1]]);
    if found > schema.version {
        return Err(CodecError::TooNew {
            found,
            known: schema.version,
        });
    }
    unpack(body).map_err(|error| CodecError::Malformed(error.to_string()))
}

fn kind(schema: Schema) -> String {
    format!("{} {}", schema.game, schema.what)
}

fn header(schema: Schema) -> Vec<u8> {
    let name = kind(schema);
    let mut bytes = MAGIC.to_vec();
    bytes.push(u8::try_from(name.len()).unwrap_or(u8::MAX));
    bytes.extend_from_slice(&name.as_bytes()[..name.len().min(255)]);
    bytes.extend_from_slice(&schema.version.to_le_bytes());
    bytes
}

/// A digest of canonical bytes, chained to the digest before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, serde::Deserialize)]
pub struct Digest(pub [u8; 32]);

impl Digest {
    /// The digest of `bytes` alone.
    pub fn of(bytes: &[u8]) -> Self {
        Self(*blake3::hash(bytes).as_bytes())
    }

    /// The digest of `bytes` behind this one in a chain.
    pub fn then(&self, bytes: &[u8]) -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.0);
        hasher.update(bytes);
        Self(*hasher.finalize().as_bytes())
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde::Deserialize;
    use std::collections::BTreeMap;

    const SCHEMA: Schema = Schema {
        game: "TST",
        what: "state",
        version: 2,
    };

    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Old {
        men: u32,
    }

    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct New {
        #[serde(default)]
        horses: u32,
        men: u32,
    }

    #[test]
    fn a_field_added_later_reads_old_bytes() {
        let old = encode(Schema { version: 1, ..SCHEMA }, &Old { men: 7 }).unwrap();
        assert_eq!(decode::<New>(SCHEMA, &old), Ok(New { horses: 0, men: 7 }));
    }

    #[test]
    fn a_newer_schema_and_another_kind_are_refused() {
        let bytes = encode(SCHEMA, &Old { men: 7 }).unwrap();
        assert_eq!(
            decode::<Old>(Schema { version: 1, ..SCHEMA }, &bytes),
            Err(CodecError::TooNew { found: 2, known: 1 })
        );
        assert!(matches!(
            decode::<Old>(Schema { what: "view", ..SCHEMA }, &bytes),
            Err(CodecError::WrongKind { .. })
        ));
    }

    #[test]
    fn a_record_begins_with_whose_and_of_which_schema_it_is() {
        let bytes = encode(Schema { version: 258, ..SCHEMA }, &7u8).unwrap();
        assert_eq!(bytes, b"BWv1\x09TST state\x02\x01\x07");
        let other = Schema { game: "OTH", ..SCHEMA };
        assert_eq!(
            decode::<u8>(other, &bytes),
            Err(CodecError::WrongKind {
                found: "TST state".into(),
                wanted: "OTH state".into()
            })
        );
    }

    #[test]
    fn a_record_beyond_the_limit_is_not_looked_at() {
        // Memory that nobody touches is not there.
        let bytes = vec![0; limits::STATE_BYTES + 1];
        assert_eq!(decode::<u8>(SCHEMA, &bytes), Err(CodecError::TooLarge));
        assert_eq!(
            decode::<u8>(SCHEMA, &bytes[..limits::STATE_BYTES]),
            Err(CodecError::NotOurs)
        );
    }

    #[test]
    fn a_digest_speaks_for_everything_before_it() {
        // BLAKE3 of nothing and of `abc`, as its authors publish them.
        let nothing = "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262";
        assert_eq!(Digest::of(b"").to_string(), nothing);
        let abc = Digest::of(b"abc");
        assert_eq!(
            abc.to_string(),
            "6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85"
        );
        // A link is the digest of the one before it with the bytes behind it.
        assert_eq!(abc.then(b"d"), Digest::of(&[&abc.0[..], b"d"].concat()));
        assert_ne!(abc.then(b"d"), Digest::of(b"ab").then(b"d"));
        assert_ne!(abc.then(b"d").then(b"e"), abc.then(b"e").then(b"d"));
    }

    proptest! {
        #[test]
        fn bytes_come_back_as_the_same_value(map in any::<BTreeMap<u16, String>>()) {
            let bytes = encode(SCHEMA, &map).unwrap();
            prop_assert_eq!(decode::<BTreeMap<u16, String>>(SCHEMA, &bytes).unwrap(), map.clone());
            prop_assert_eq!(encode(SCHEMA, &map).unwrap(), bytes);
        }

        #[test]
        fn cut_or_garbled_bytes_never_panic(bytes in any::<Vec<u8>>(), cut in 0usize..40) {
            let _ = decode::<BTreeMap<u16, String>>(SCHEMA, &bytes);
            let good = encode(SCHEMA, &New { horses: 1, men: 2 }).unwrap();
            let _ = decode::<New>(SCHEMA, &good[..cut.min(good.len())]);
        }
    }
}
