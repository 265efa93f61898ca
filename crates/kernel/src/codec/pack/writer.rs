//! Writing.

use super::{PackError, mark};
use serde::ser::{self, Serialize};

/// Writes values behind each other.
pub struct Writer<'a>(pub &'a mut Vec<u8>);

/// How long something is: a small number in the mark itself, or a mark for each width of the number behind it.
struct Marks {
    /// The mark of length 0, and the first length that does not fit behind it.
    small: (u8, usize),
    eight: Option<u8>,
    sixteen: u8,
    thirty_two: u8,
}

const TEXT: Marks = Marks {
    small: (0xa0, 32),
    eight: Some(mark::TEXT_8),
    sixteen: mark::TEXT_16,
    thirty_two: mark::TEXT_32,
};
const BYTES: Marks = Marks {
    small: (0, 0),
    eight: Some(mark::BYTES_8),
    sixteen: mark::BYTES_16,
    thirty_two: mark::BYTES_32,
};
const LIST: Marks = Marks {
    small: (0x90, 16),
    eight: None,
    sixteen: mark::LIST_16,
    thirty_two: mark::LIST_32,
};
const MAP: Marks = Marks {
    small: (0x80, 16),
    eight: None,
    sixteen: mark::MAP_16,
    thirty_two: mark::MAP_32,
};

impl Writer<'_> {
    fn length(&mut self, marks: &Marks, length: usize) -> Result<(), PackError> {
        let (first, small) = marks.small;
        if let (true, Ok(length)) = (length < small, u8::try_from(length)) {
            self.0.push(first | length);
        } else if let (Some(mark), Ok(length)) = (marks.eight, u8::try_from(length)) {
            self.0.extend([mark, length]);
        } else if let Ok(length) = u16::try_from(length) {
            self.behind(marks.sixteen, &length.to_be_bytes());
        } else {
            let length = u32::try_from(length).map_err(|_| PackError("longer than four thousand million".into()))?;
            self.behind(marks.thirty_two, &length.to_be_bytes());
        }
        Ok(())
    }

    fn behind(&mut self, mark: u8, bytes: &[u8]) {
        self.0.push(mark);
        self.0.extend_from_slice(bytes);
    }

    fn text(&mut self, text: &str) -> Result<(), PackError> {
        self.length(&TEXT, text.len())?;
        self.0.extend_from_slice(text.as_bytes());
        Ok(())
    }

    fn unsigned(&mut self, number: u64) {
        if let Ok(number) = u8::try_from(number) {
            if number < 0x80 {
                self.0.push(number);
            } else {
                self.0.extend([mark::U8, number]);
            }
        } else if let Ok(number) = u16::try_from(number) {
            self.behind(mark::U16, &number.to_be_bytes());
        } else if let Ok(number) = u32::try_from(number) {
            self.behind(mark::U32, &number.to_be_bytes());
        } else {
            self.behind(mark::U64, &number.to_be_bytes());
        }
    }

    fn signed(&mut self, number: i64) {
        if let Ok(number) = u64::try_from(number) {
            self.unsigned(number);
        } else if let Ok(number) = i8::try_from(number) {
            if number >= -32 {
                self.0.extend(number.to_be_bytes());
            } else {
                self.behind(mark::I8, &number.to_be_bytes());
            }
        } else if let Ok(number) = i16::try_from(number) {
            self.behind(mark::I16, &number.to_be_bytes());
        } else if let Ok(number) = i32::try_from(number) {
            self.behind(mark::I32, &number.to_be_bytes());
        } else {
            self.behind(mark::I64, &number.to_be_bytes());
        }
    }

    fn variant(&mut self, name: &str) -> Result<(), PackError> {
        self.length(&MAP, 1)?;
        self.text(name)
    }
}

/// Nothing in a state is reckoned with fractions.
fn fraction() -> PackError {
    PackError("a fraction has no canonical bytes".into())
}

/// A list or map that is being written.
pub struct Parts<'w, 'a> {
    writer: &'w mut Writer<'a>,
    marks: &'static Marks,
    /// Where it begins and how many there were so far, if its length was not told.
    unknown: Option<(usize, usize)>,
}

impl<'w, 'a> Parts<'w, 'a> {
    fn begin(writer: &'w mut Writer<'a>, marks: &'static Marks, length: Option<usize>) -> Result<Self, PackError> {
        let unknown = match length {
            Some(length) => {
                writer.length(marks, length)?;
                None
            }
            None => Some((writer.0.len(), 0)),
        };
        Ok(Self { writer, marks, unknown })
    }

    fn count(&mut self) {
        if let Some((_, count)) = &mut self.unknown {
            *count += 1;
        }
    }

    /// Puts the length in front, if it was not known before.
    fn end(self) -> Result<(), PackError> {
        if let Some((at, count)) = self.unknown {
            let parts = self.writer.0.split_off(at);
            self.writer.length(self.marks, count)?;
            self.writer.0.extend_from_slice(&parts);
        }
        Ok(())
    }
}

impl<'w, 'a> ser::Serializer for &'w mut Writer<'a> {
    type Ok = ();
    type Error = PackError;
    type SerializeSeq = Parts<'w, 'a>;
    type SerializeTuple = Parts<'w, 'a>;
    type SerializeTupleStruct = Parts<'w, 'a>;
    type SerializeTupleVariant = Parts<'w, 'a>;
    type SerializeMap = Parts<'w, 'a>;
    type SerializeStruct = Parts<'w, 'a>;
    type SerializeStructVariant = Parts<'w, 'a>;

    fn is_human_readable(&self) -> bool {
        false
    }

    fn serialize_bool(self, yes: bool) -> Result<(), PackError> {
        self.0.push(if yes { mark::TRUE } else { mark::FALSE });
        Ok(())
    }

    fn serialize_i8(self, number: i8) -> Result<(), PackError> {
        self.serialize_i64(number.into())
    }

    fn serialize_i16(self, number: i16) -> Result<(), PackError> {
        self.serialize_i64(number.into())
    }

    fn serialize_i32(self, number: i32) -> Result<(), PackError> {
        self.serialize_i64(number.into())
    }

    fn serialize_i64(self, number: i64) -> Result<(), PackError> {
        self.signed(number);
        Ok(())
    }

    fn serialize_u8(self, number: u8) -> Result<(), PackError> {
        self.serialize_u64(number.into())
    }

    fn serialize_u16(self, number: u16) -> Result<(), PackError> {
        self.serialize_u64(number.into())
    }

    fn serialize_u32(self, number: u32) -> Result<(), PackError> {
        self.serialize_u64(number.into())
    }

    fn serialize_u64(self, number: u64) -> Result<(), PackError> {
        self.unsigned(number);
        Ok(())
    }

    fn serialize_f32(self, _number: f32) -> Result<(), PackError> {
        Err(fraction())
    }

    fn serialize_f64(self, _number: f64) -> Result<(), PackError> {
        Err(fraction())
    }

    fn serialize_char(self, sign: char) -> Result<(), PackError> {
        self.text(sign.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, text: &str) -> Result<(), PackError> {
        self.text(text)
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<(), PackError> {
        self.length(&BYTES, bytes.len())?;
        self.0.extend_from_slice(bytes);
        Ok(())
    }

    fn serialize_none(self) -> Result<(), PackError> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), PackError> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), PackError> {
        self.0.push(mark::NIL);
        Ok(())
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<(), PackError> {
        self.length(&LIST, 0)
    }

    fn serialize_unit_variant(self, _name: &'static str, _index: u32, variant: &'static str) -> Result<(), PackError> {
        self.text(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _name: &'static str, value: &T) -> Result<(), PackError> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), PackError> {
        self.variant(variant)?;
        value.serialize(self)
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<Parts<'w, 'a>, PackError> {
        Parts::begin(self, &LIST, length)
    }

    fn serialize_tuple(self, length: usize) -> Result<Parts<'w, 'a>, PackError> {
        Parts::begin(self, &LIST, Some(length))
    }

    fn serialize_tuple_struct(self, _name: &'static str, length: usize) -> Result<Parts<'w, 'a>, PackError> {
        Parts::begin(self, &LIST, Some(length))
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Parts<'w, 'a>, PackError> {
        self.variant(variant)?;
        Parts::begin(self, &LIST, Some(length))
    }

    fn serialize_map(self, length: Option<usize>) -> Result<Parts<'w, 'a>, PackError> {
        Parts::begin(self, &MAP, length)
    }

    fn serialize_struct(self, _name: &'static str, length: usize) -> Result<Parts<'w, 'a>, PackError> {
        Parts::begin(self, &MAP, Some(length))
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Parts<'w, 'a>, PackError> {
        self.variant(variant)?;
        Parts::begin(self, &MAP, Some(length))
    }
}

impl ser::SerializeSeq for Parts<'_, '_> {
    type Ok = ();
    type Error = PackError;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), PackError> {
        self.count();
        value.serialize(&mut *self.writer)
    }

    fn end(self) -> Result<(), PackError> {
        self.end()
    }
}

impl ser::SerializeTuple for Parts<'_, '_> {
    type Ok = ();
    type Error = PackError;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), PackError> {
        value.serialize(&mut *self.writer)
    }

    fn end(self) -> Result<(), PackError> {
        Ok(())
    }
}

impl ser::SerializeTupleStruct for Parts<'_, '_> {
    type Ok = ();
    type Error = PackError;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), PackError> {
        value.serialize(&mut *self.writer)
    }

    fn end(self) -> Result<(), PackError> {
        Ok(())
    }
}

impl ser::SerializeTupleVariant for Parts<'_, '_> {
    type Ok = ();
    type Error = PackError;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), PackError> {
        value.serialize(&mut *self.writer)
    }

    fn end(self) -> Result<(), PackError> {
        Ok(())
    }
}

impl ser::SerializeMap for Parts<'_, '_> {
    type Ok = ();
    type Error = PackError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), PackError> {
        self.count();
        key.serialize(&mut *self.writer)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), PackError> {
        value.serialize(&mut *self.writer)
    }

    fn end(self) -> Result<(), PackError> {
        self.end()
    }
}

impl ser::SerializeStruct for Parts<'_, '_> {
    type Ok = ();
    type Error = PackError;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), PackError> {
        self.writer.text(key)?;
        value.serialize(&mut *self.writer)
    }

    fn end(self) -> Result<(), PackError> {
        Ok(())
    }
}

impl ser::SerializeStructVariant for Parts<'_, '_> {
    type Ok = ();
    type Error = PackError;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), PackError> {
        self.writer.text(key)?;
        value.serialize(&mut *self.writer)
    }

    fn end(self) -> Result<(), PackError> {
        Ok(())
    }
}
