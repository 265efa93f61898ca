//! Reading.

use super::{PackError, mark};
use serde::de::{self, DeserializeSeed, Error as _, Expected, Unexpected, Visitor};

/// A value may hold values this deep in each other.
const DEEPEST: u32 = 128;

/// Reads values behind each other.
pub struct Reader<'de> {
    rest: &'de [u8],
    depth: u32,
}

/// The beginning of a value; what has no parts is read whole.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Token<'de> {
    Nil,
    Bool(bool),
    Unsigned(u64),
    Signed(i64),
    Text(&'de str),
    Bytes(&'de [u8]),
    List(usize),
    Map(usize),
}

impl Token<'_> {
    /// The error of a reader that expected something else.
    fn unlike(self, expected: &dyn Expected) -> PackError {
        let found = match self {
            Self::Nil => Unexpected::Unit,
            Self::Bool(yes) => Unexpected::Bool(yes),
            Self::Unsigned(number) => Unexpected::Unsigned(number),
            Self::Signed(number) => Unexpected::Signed(number),
            Self::Text(text) => Unexpected::Str(text),
            Self::Bytes(bytes) => Unexpected::Bytes(bytes),
            Self::List(_) => Unexpected::Seq,
            Self::Map(_) => Unexpected::Map,
        };
        PackError::invalid_type(found, expected)
    }
}

impl<'de> Reader<'de> {
    /// Reads from the beginning of `bytes`.
    pub fn new(bytes: &'de [u8]) -> Self {
        Self { rest: bytes, depth: 0 }
    }

    /// Nothing may follow.
    pub fn end(&self) -> Result<(), PackError> {
        if self.rest.is_empty() {
            Ok(())
        } else {
            Err(PackError(format!("{} bytes too many", self.rest.len()).into()))
        }
    }

    fn take(&mut self, length: usize) -> Result<&'de [u8], PackError> {
        let (taken, rest) = self
            .rest
            .split_at_checked(length)
            .ok_or_else(|| PackError("cut short".into()))?;
        self.rest = rest;
        Ok(taken)
    }

    /// A number of 1, 2, 4 or 8 bytes, the highest first.
    fn number(&mut self, bytes: usize) -> Result<u64, PackError> {
        let digits = self.take(bytes)?.iter();
        Ok(digits.fold(0, |sum, byte| sum << 8 | u64::from(*byte)))
    }

    fn length(&mut self, bytes: usize) -> Result<usize, PackError> {
        usize::try_from(self.number(bytes)?).map_err(|_| PackError("too long".into()))
    }

    fn text(&mut self, length: usize) -> Result<Token<'de>, PackError> {
        let text = std::str::from_utf8(self.take(length)?).map_err(PackError::custom)?;
        Ok(Token::Text(text))
    }

    /// Every part takes a byte at least: nobody is promised room for more than can be there.
    fn parts(&self, length: usize) -> Result<usize, PackError> {
        if length > self.rest.len() {
            return Err(PackError("cut short".into()));
        }
        Ok(length)
    }

    fn token(&mut self) -> Result<Token<'de>, PackError> {
        let first = self.take(1)?.first().copied().unwrap_or(mark::NIL);
        let small = usize::from(first);
        Ok(match first {
            0..=0x7f => Token::Unsigned(first.into()),
            0x80..=0x8f => Token::Map(self.parts(small & 0xf)?),
            0x90..=0x9f => Token::List(self.parts(small & 0xf)?),
            0xa0..=0xbf => self.text(small & 0x1f)?,
            mark::NIL => Token::Nil,
            mark::FALSE => Token::Bool(false),
            mark::TRUE => Token::Bool(true),
            mark::BYTES_8 | mark::BYTES_16 | mark::BYTES_32 => {
                let length = self.length(1 << (first - mark::BYTES_8))?;
                Token::Bytes(self.take(length)?)
            }
            mark::U8..=mark::U64 => Token::Unsigned(self.number(1 << (first - mark::U8))?),
            mark::I8 => Token::Signed((self.number(1)? as i8).into()),
            mark::I16 => Token::Signed((self.number(2)? as i16).into()),
            mark::I32 => Token::Signed((self.number(4)? as i32).into()),
            mark::I64 => Token::Signed(self.number(8)? as i64),
            mark::TEXT_8 | mark::TEXT_16 | mark::TEXT_32 => {
                let length = self.length(1 << (first - mark::TEXT_8))?;
                self.text(length)?
            }
            mark::LIST_16 | mark::LIST_32 => {
                let length = self.length(2 << (first - mark::LIST_16))?;
                Token::List(self.parts(length)?)
            }
            mark::MAP_16 | mark::MAP_32 => {
                let length = self.length(2 << (first - mark::MAP_16))?;
                Token::Map(self.parts(length)?)
            }
            0xe0..=0xff => Token::Signed((first as i8).into()),
            _ => return Err(PackError(format!("unknown mark {first:#04x}").into())),
        })
    }

    fn deeper(&mut self) -> Result<(), PackError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(PackError("too deep".into()));
        }
        Ok(())
    }

    fn list<V: Visitor<'de>>(&mut self, length: usize, visitor: V) -> Result<V::Value, PackError> {
        self.deeper()?;
        let mut parts = Parts {
            reader: self,
            left: length,
        };
        let value = visitor.visit_seq(&mut parts)?;
        parts.end()?;
        Ok(value)
    }

    fn map<V: Visitor<'de>>(&mut self, length: usize, visitor: V) -> Result<V::Value, PackError> {
        self.deeper()?;
        let mut parts = Parts {
            reader: self,
            left: length,
        };
        let value = visitor.visit_map(&mut parts)?;
        parts.end()?;
        Ok(value)
    }
}

/// The parts of a list or map that are still to be read.
struct Parts<'r, 'de> {
    reader: &'r mut Reader<'de>,
    left: usize,
}

impl Parts<'_, '_> {
    fn end(self) -> Result<(), PackError> {
        self.reader.depth -= 1;
        if self.left > 0 {
            return Err(PackError(format!("{} parts too many", self.left).into()));
        }
        Ok(())
    }

    /// Whether there is another part.
    fn next(&mut self) -> bool {
        match self.left.checked_sub(1) {
            Some(left) => {
                self.left = left;
                true
            }
            None => false,
        }
    }
}

impl<'de> de::SeqAccess<'de> for &mut Parts<'_, 'de> {
    type Error = PackError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, PackError> {
        if !self.next() {
            return Ok(None);
        }
        seed.deserialize(&mut *self.reader).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

impl<'de> de::MapAccess<'de> for &mut Parts<'_, 'de> {
    type Error = PackError;

    fn next_key_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, PackError> {
        if !self.next() {
            return Ok(None);
        }
        seed.deserialize(&mut *self.reader).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, PackError> {
        seed.deserialize(&mut *self.reader)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

/// A variant whose name is the next value; with content behind it, or without.
struct Variant<'r, 'de> {
    reader: &'r mut Reader<'de>,
    content: bool,
}

impl Variant<'_, '_> {
    fn with_content(&self) -> Result<(), PackError> {
        if self.content {
            Ok(())
        } else {
            Err(PackError("a variant without its content".into()))
        }
    }
}

impl<'de> de::EnumAccess<'de> for Variant<'_, 'de> {
    type Error = PackError;
    type Variant = Self;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self), PackError> {
        let name = seed.deserialize(&mut *self.reader)?;
        Ok((name, self))
    }
}

impl<'de> de::VariantAccess<'de> for Variant<'_, 'de> {
    type Error = PackError;

    fn unit_variant(self) -> Result<(), PackError> {
        if self.content {
            return de::Deserialize::deserialize(self.reader);
        }
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, PackError> {
        self.with_content()?;
        seed.deserialize(self.reader)
    }

    fn tuple_variant<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, PackError> {
        self.with_content()?;
        de::Deserializer::deserialize_tuple(self.reader, length, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, PackError> {
        self.with_content()?;
        de::Deserializer::deserialize_struct(self.reader, "", fields, visitor)
    }
}

/// Methods that read the same.
macro_rules! alike {
    ($to:ident: $($name:ident)*) => {$(
        fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, PackError> {
            self.$to(visitor)
        }
    )*};
}

impl<'de> de::Deserializer<'de> for &mut Reader<'de> {
    type Error = PackError;

    fn is_human_readable(&self) -> bool {
        false
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, PackError> {
        match self.token()? {
            Token::Nil => visitor.visit_unit(),
            Token::Bool(yes) => visitor.visit_bool(yes),
            Token::Unsigned(number) => visitor.visit_u64(number),
            Token::Signed(number) => visitor.visit_i64(number),
            Token::Text(text) => visitor.visit_borrowed_str(text),
            Token::Bytes(bytes) => visitor.visit_borrowed_bytes(bytes),
            Token::List(length) => self.list(length, visitor),
            Token::Map(length) => self.map(length, visitor),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, PackError> {
        match self.token()? {
            Token::Bool(yes) => visitor.visit_bool(yes),
            other => Err(other.unlike(&visitor)),
        }
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, PackError> {
        match self.token()? {
            Token::Unsigned(number) => visitor.visit_u64(number),
            Token::Signed(number) => visitor.visit_i64(number),
            other => Err(other.unlike(&visitor)),
        }
    }

    alike!(deserialize_u64: deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_u8 deserialize_u16 deserialize_u32);
    alike!(deserialize_any: deserialize_f32 deserialize_f64 deserialize_bytes deserialize_byte_buf deserialize_ignored_any);
    alike!(deserialize_str: deserialize_char deserialize_string);

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, PackError> {
        match self.token()? {
            Token::Text(text) => visitor.visit_borrowed_str(text),
            other => Err(other.unlike(&visitor)),
        }
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, PackError> {
        match self.token()? {
            Token::Text(text) => visitor.visit_borrowed_str(text),
            Token::Unsigned(number) => visitor.visit_u64(number),
            other => Err(other.unlike(&visitor)),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, PackError> {
        match self.rest.split_first() {
            Some((&mark::NIL, rest)) => {
                self.rest = rest;
                visitor.visit_none()
            }
            _ => {
                self.deeper()?;
                let value = visitor.visit_some(&mut *self)?;
                self.depth -= 1;
                Ok(value)
            }
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, PackError> {
        match self.token()? {
            Token::Nil | Token::List(0) => visitor.visit_unit(),
            other => Err(other.unlike(&visitor)),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _name: &'static str, visitor: V) -> Result<V::Value, PackError> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, PackError> {
        self.deeper()?;
        let value = visitor.visit_newtype_struct(&mut *self)?;
        self.depth -= 1;
        Ok(value)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, PackError> {
        match self.token()? {
            Token::List(length) => self.list(length, visitor),
            other => Err(other.unlike(&visitor)),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _length: usize, visitor: V) -> Result<V::Value, PackError> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _length: usize,
        visitor: V,
    ) -> Result<V::Value, PackError> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, PackError> {
        match self.token()? {
            Token::Map(length) => self.map(length, visitor),
            other => Err(other.unlike(&visitor)),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, PackError> {
        match self.token()? {
            Token::Map(length) => self.map(length, visitor),
            Token::List(length) => self.list(length, visitor),
            other => Err(other.unlike(&visitor)),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, PackError> {
        let one = 0x81;
        let content = self.rest.first() == Some(&one);
        if content {
            self.take(1)?;
        }
        self.deeper()?;
        let value = visitor.visit_enum(Variant {
            reader: &mut *self,
            content,
        })?;
        self.depth -= 1;
        Ok(value)
    }
}
