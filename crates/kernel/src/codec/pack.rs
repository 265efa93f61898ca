//! MessagePack with named fields, as small as a game needs it.
//!
//! Every type of every game passes through here, so what is compiled once for each of them is kept short: a value's mark is read and
//! written by plain functions, and the generic part only hands it on. The bytes are those of `rmp-serde` with named fields.

mod reader;
mod writer;

use serde::{Serialize, de::DeserializeOwned};
use std::fmt;

/// Marks of MessagePack that are not built from a small number.
mod mark {
    pub const NIL: u8 = 0xc0;
    pub const FALSE: u8 = 0xc2;
    pub const TRUE: u8 = 0xc3;
    pub const BYTES_8: u8 = 0xc4;
    pub const BYTES_16: u8 = 0xc5;
    pub const BYTES_32: u8 = 0xc6;
    pub const U8: u8 = 0xcc;
    pub const U16: u8 = 0xcd;
    pub const U32: u8 = 0xce;
    pub const U64: u8 = 0xcf;
    pub const I8: u8 = 0xd0;
    pub const I16: u8 = 0xd1;
    pub const I32: u8 = 0xd2;
    pub const I64: u8 = 0xd3;
    pub const TEXT_8: u8 = 0xd9;
    pub const TEXT_16: u8 = 0xda;
    pub const TEXT_32: u8 = 0xdb;
    pub const LIST_16: u8 = 0xdc;
    pub const LIST_32: u8 = 0xdd;
    pub const MAP_16: u8 = 0xde;
    pub const MAP_32: u8 = 0xdf;
}

/// Why a value could not be packed or unpacked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PackError(Box<str>);

impl fmt::Display for PackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PackError {}

impl serde::ser::Error for PackError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string().into())
    }
}

impl serde::de::Error for PackError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string().into())
    }
}

/// The bytes of a value.
pub fn pack<T: Serialize>(value: &T) -> Result<Vec<u8>, PackError> {
    let mut bytes = Vec::new();
    pack_into(&mut bytes, value)?;
    Ok(bytes)
}

/// Writes a value behind what stands in `bytes`.
pub fn pack_into<T: Serialize>(bytes: &mut Vec<u8>, value: &T) -> Result<(), PackError> {
    value.serialize(&mut writer::Writer(bytes))
}

/// Reads what [`pack`] wrote. Bytes behind the value are an error.
pub fn unpack<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, PackError> {
    let mut reader = reader::Reader::new(bytes);
    let value = T::deserialize(&mut reader)?;
    reader.end()?;
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde::Deserialize;
    use std::collections::BTreeMap;

    #[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
    struct Unit;

    #[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
    struct Wrapped(i64);

    #[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
    enum Choice {
        Nothing,
        One(u64),
        Two(i8, String),
        Named { at: (i16, i32), more: Option<Box<Choice>> },
    }

    #[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
    #[serde(tag = "what", rename_all = "kebab-case")]
    enum Tagged {
        Paint { colour: u8, deep: i64 },
        Wipe,
    }

    #[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
    struct Everything {
        yes: bool,
        sign: char,
        unit: Unit,
        nothing: (),
        wrapped: Wrapped,
        list: Vec<Choice>,
        #[serde(skip_serializing_if = "Option::is_none", default)]
        perhaps: Option<u32>,
        nested: Option<Option<u8>>,
        map: BTreeMap<u16, String>,
        names: BTreeMap<String, Tagged>,
        array: [u8; 3],
    }

    fn choice() -> impl Strategy<Value = Choice> {
        let leaf = prop_oneof![
            Just(Choice::Nothing),
            any::<u64>().prop_map(Choice::One),
            (any::<i8>(), any::<String>()).prop_map(|(a, b)| Choice::Two(a, b)),
        ];
        leaf.prop_recursive(4, 16, 2, |inner| {
            (any::<(i16, i32)>(), proptest::option::of(inner)).prop_map(|(at, more)| Choice::Named {
                at,
                more: more.map(Box::new),
            })
        })
    }

    fn tagged() -> impl Strategy<Value = Tagged> {
        prop_oneof![
            Just(Tagged::Wipe),
            (any::<u8>(), any::<i64>()).prop_map(|(colour, deep)| Tagged::Paint { colour, deep })
        ]
    }

    prop_compose! {
        fn everything()(
            (yes, sign, wrapped, perhaps) in any::<(bool, char, i64, Option<u32>)>(),
            list in proptest::collection::vec(choice(), 0..40),
            map in any::<BTreeMap<u16, String>>(),
            names in proptest::collection::btree_map("[a-zä]{0,40}", tagged(), 0..20),
            array in any::<[u8; 3]>(),
            // Nobody and somebody without a name look the same in the bytes.
            nested in proptest::option::of(any::<u8>().prop_map(Some)),
        ) -> Everything {
            Everything {
                yes, sign, unit: Unit, nothing: (), wrapped: Wrapped(wrapped), list, perhaps, nested, map, names, array,
            }
        }
    }

    proptest! {
        #[test]
        fn bytes_are_those_of_the_common_format_and_come_back(value in everything()) {
            let bytes = pack(&value).unwrap();
            prop_assert_eq!(&bytes, &rmp_serde::to_vec_named(&value).unwrap());
            prop_assert_eq!(unpack::<Everything>(&bytes).unwrap(), value);
        }

        #[test]
        fn lengths_and_numbers_at_every_width(number in any::<i64>(), shift in 0u32..64, length in prop_oneof![0usize..40, 250usize..260, 65_530usize..65_540]) {
            let number = number >> shift;
            let value = (number, number.unsigned_abs(), vec![true; length], "x".repeat(length));
            let bytes = pack(&value).unwrap();
            prop_assert_eq!(&bytes, &rmp_serde::to_vec_named(&value).unwrap());
            prop_assert_eq!(unpack::<(i64, u64, Vec<bool>, String)>(&bytes).unwrap(), value);
        }

        #[test]
        fn whatever_is_read_never_panics(bytes in any::<Vec<u8>>(), at in any::<prop::sample::Index>(), to in any::<u8>(), value in everything()) {
            let _ = unpack::<Everything>(&bytes);
            let mut good = pack(&value).unwrap();
            let at = at.index(good.len());
            prop_assert!(unpack::<Everything>(&good[..at]).is_err());
            good[at] = to;
            let _ = unpack::<Everything>(&good);
        }
    }

    #[test]
    fn a_list_of_unknown_length_is_written_like_any_other() {
        struct Odd;
        impl Serialize for Odd {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_seq((0..70_000u32).filter(|n| n % 2 == 1))
            }
        }
        let odd: Vec<u32> = (0..70_000).filter(|n| n % 2 == 1).collect();
        assert_eq!(pack(&Odd).unwrap(), pack(&odd).unwrap());
    }

    #[test]
    fn a_map_of_unknown_length_is_written_like_any_other() {
        struct Odd(u32);
        impl Serialize for Odd {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_map((0..self.0).filter(|n| n % 2 == 1).map(|n| (n, true)))
            }
        }
        for end in [0, 30, 32, 200_000] {
            let odd: BTreeMap<u32, bool> = (0..end).filter(|n| n % 2 == 1).map(|n| (n, true)).collect();
            assert_eq!(pack(&Odd(end)).unwrap(), pack(&odd).unwrap());
        }
    }

    #[test]
    fn plain_bytes_are_those_of_the_common_format_at_every_length() {
        struct Plain(Vec<u8>);
        impl Serialize for Plain {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_bytes(&self.0)
            }
        }
        struct Length(usize);
        impl<'de> Deserialize<'de> for Length {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Bytes;
                impl serde::de::Visitor<'_> for Bytes {
                    type Value = Length;
                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str("bytes")
                    }
                    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Length, E> {
                        Ok(Length(bytes.len()))
                    }
                }
                deserializer.deserialize_bytes(Bytes)
            }
        }
        for length in [0, 1, 255, 256, 65_535, 65_536] {
            let value = Plain(vec![7; length]);
            let bytes = pack(&value).unwrap();
            assert_eq!(bytes, rmp_serde::to_vec_named(&value).unwrap());
            assert_eq!(unpack::<Length>(&bytes).map(|read| read.0), Ok(length));
        }
    }

    #[test]
    fn a_value_nested_without_end_is_refused() {
        #[derive(Debug, Deserialize)]
        struct Nest(#[expect(dead_code, reason = "only its depth matters")] Vec<Nest>);
        let deep = vec![0x91; 100_000];
        assert!(unpack::<Nest>(&deep).unwrap_err().to_string().contains("deep"));
    }

    #[test]
    fn fractions_are_refused() {
        assert!(pack(&0.5f64).is_err());
        assert!(unpack::<f64>(&[0xcb, 0, 0, 0, 0, 0, 0, 0, 0]).is_err());
    }

    #[test]
    fn bytes_behind_a_value_and_a_promised_length_without_bytes_are_refused() {
        assert!(unpack::<u8>(&[1, 2]).is_err());
        assert_eq!(unpack::<(u8, u8)>(&[0x92, 1, 2]), Ok((1, 2)));
        assert!(
            unpack::<(u8, u8)>(&[0x93, 1, 2, 3]).is_err_and(|error| error.to_string().contains("1 parts too many"))
        );
        assert!(unpack::<Vec<u8>>(&[0xdd, 0xff, 0xff, 0xff, 0xff, 1]).is_err());
        assert!(unpack::<String>(&[0xdb, 0xff, 0xff, 0xff, 0xff, b'a']).is_err());
    }
}
