//! The whole state, value by value: whatever a game stores has a path of its own, such as `realms.1.treasury`, so that a scenario can demand
//! anything of it, even what the game has no words for.

use serde::ser::{self, Serialize};
use std::collections::BTreeMap;
use std::fmt::{self, Display};

/// Every single value with its path: names of fields, keys of maps and places in lists, parted by dots. An empty list or map is `none`, like what
/// is not there.
///
/// # Errors
/// If the value cannot be written down.
pub fn values<T: Serialize>(value: &T) -> Result<BTreeMap<String, String>, String> {
    let mut found = BTreeMap::new();
    let writer = Writer {
        path: String::new(),
        found: &mut found,
    };
    value.serialize(writer).map_err(|Unwritable(why)| why)?;
    Ok(found)
}

/// What could not be written down.
#[derive(Debug)]
struct Unwritable(String);

impl Display for Unwritable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unwritable {}

impl ser::Error for Unwritable {
    fn custom<T: Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

/// Writes one value and whatever is in it.
struct Writer<'a> {
    path: String,
    found: &'a mut BTreeMap<String, String>,
}

impl Writer<'_> {
    fn leaf(self, value: impl ToString) -> Result<(), Unwritable> {
        self.found.insert(self.path, value.to_string());
        Ok(())
    }
}

/// Writes what a list, a map or a struct holds.
struct Parts<'a> {
    path: String,
    found: &'a mut BTreeMap<String, String>,
    count: usize,
    key: String,
}

impl<'a> Parts<'a> {
    fn below(writer: Writer<'a>, variant: &str) -> Self {
        let path = match variant {
            "" => writer.path,
            variant => join(&writer.path, variant),
        };
        Self {
            path,
            found: writer.found,
            count: 0,
            key: String::new(),
        }
    }

    fn put<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), Unwritable> {
        self.count += 1;
        value.serialize(Writer {
            path: join(&self.path, name),
            found: self.found,
        })
    }

    fn put_next<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unwritable> {
        self.put(&self.count.to_string(), value)
    }

    fn close(self) -> Result<(), Unwritable> {
        if self.count == 0 {
            self.found.insert(self.path, "none".to_owned());
        }
        Ok(())
    }
}

fn join(path: &str, name: &str) -> String {
    match path {
        "" => name.to_owned(),
        path => format!("{path}.{name}"),
    }
}

/// A key in one word: its values in the order of their places.
fn key_of<T: Serialize + ?Sized>(key: &T) -> Result<String, Unwritable> {
    let mut found = BTreeMap::new();
    key.serialize(Writer {
        path: String::new(),
        found: &mut found,
    })?;
    Ok(found.into_values().collect::<Vec<_>>().join("-"))
}

impl<'a> ser::Serializer for Writer<'a> {
    type Ok = ();
    type Error = Unwritable;
    type SerializeSeq = Parts<'a>;
    type SerializeTuple = Parts<'a>;
    type SerializeTupleStruct = Parts<'a>;
    type SerializeTupleVariant = Parts<'a>;
    type SerializeMap = Parts<'a>;
    type SerializeStruct = Parts<'a>;
    type SerializeStructVariant = Parts<'a>;

    fn serialize_bool(self, value: bool) -> Result<(), Unwritable> {
        self.leaf(value)
    }
    fn serialize_i8(self, value: i8) -> Result<(), Unwritable> {
        self.leaf(value)
    }
    fn serialize_i16(self, value: i16) -> Result<(), Unwritable> {
        self.leaf(value)
    }
    fn serialize_i32(self, value: i32) -> Result<(), Unwritable> {
        self.leaf(value)
    }
    fn serialize_i64(self, value: i64) -> Result<(), Unwritable> {
        self.leaf(value)
    }
    fn serialize_i128(self, value: i128) -> Result<(), Unwritable> {
        self.leaf(value)
    }
    fn serialize_u8(self, value: u8) -> Result<(), Unwritable> {
        self.leaf(value)
    }
    fn serialize_u16(self, value: u16) -> Result<(), Unwritable> {
        self.leaf(value)
    }
    fn serialize_u32(self, value: u32) -> Result<(), Unwritable> {
        self.leaf(value)
    }
    fn serialize_u64(self, value: u64) -> Result<(), Unwritable> {
        self.leaf(value)
    }
    fn serialize_u128(self, value: u128) -> Result<(), Unwritable> {
        self.leaf(value)
    }
    fn serialize_f32(self, value: f32) -> Result<(), Unwritable> {
        self.leaf(value)
    }
    fn serialize_f64(self, value: f64) -> Result<(), Unwritable> {
        self.leaf(value)
    }
    fn serialize_char(self, value: char) -> Result<(), Unwritable> {
        self.leaf(value)
    }
    fn serialize_str(self, value: &str) -> Result<(), Unwritable> {
        self.leaf(value)
    }
    fn serialize_bytes(self, value: &[u8]) -> Result<(), Unwritable> {
        let digits: Vec<String> = value.iter().map(|byte| format!("{byte:02x}")).collect();
        self.leaf(digits.concat())
    }
    fn serialize_none(self) -> Result<(), Unwritable> {
        self.leaf("none")
    }
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Unwritable> {
        value.serialize(self)
    }
    fn serialize_unit(self) -> Result<(), Unwritable> {
        self.leaf("none")
    }
    fn serialize_unit_struct(self, name: &'static str) -> Result<(), Unwritable> {
        self.leaf(name)
    }
    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), Unwritable> {
        self.leaf(variant)
    }
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<(), Unwritable> {
        value.serialize(self)
    }
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Unwritable> {
        Parts::below(self, "").put(variant, value)
    }
    fn serialize_seq(self, _: Option<usize>) -> Result<Parts<'a>, Unwritable> {
        Ok(Parts::below(self, ""))
    }
    fn serialize_tuple(self, _: usize) -> Result<Parts<'a>, Unwritable> {
        Ok(Parts::below(self, ""))
    }
    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Parts<'a>, Unwritable> {
        Ok(Parts::below(self, ""))
    }
    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Parts<'a>, Unwritable> {
        Ok(Parts::below(self, variant))
    }
    fn serialize_map(self, _: Option<usize>) -> Result<Parts<'a>, Unwritable> {
        Ok(Parts::below(self, ""))
    }
    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Parts<'a>, Unwritable> {
        Ok(Parts::below(self, ""))
    }
    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Parts<'a>, Unwritable> {
        Ok(Parts::below(self, variant))
    }
}

impl ser::SerializeSeq for Parts<'_> {
    type Ok = ();
    type Error = Unwritable;
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unwritable> {
        self.put_next(value)
    }
    fn end(self) -> Result<(), Unwritable> {
        self.close()
    }
}

impl ser::SerializeTuple for Parts<'_> {
    type Ok = ();
    type Error = Unwritable;
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unwritable> {
        self.put_next(value)
    }
    fn end(self) -> Result<(), Unwritable> {
        self.close()
    }
}

impl ser::SerializeTupleStruct for Parts<'_> {
    type Ok = ();
    type Error = Unwritable;
    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unwritable> {
        self.put_next(value)
    }
    fn end(self) -> Result<(), Unwritable> {
        self.close()
    }
}

impl ser::SerializeTupleVariant for Parts<'_> {
    type Ok = ();
    type Error = Unwritable;
    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unwritable> {
        self.put_next(value)
    }
    fn end(self) -> Result<(), Unwritable> {
        self.close()
    }
}

impl ser::SerializeMap for Parts<'_> {
    type Ok = ();
    type Error = Unwritable;
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Unwritable> {
        self.key = key_of(key)?;
        Ok(())
    }
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unwritable> {
        let key = std::mem::take(&mut self.key);
        self.put(&key, value)
    }
    fn end(self) -> Result<(), Unwritable> {
        self.close()
    }
}

impl ser::SerializeStruct for Parts<'_> {
    type Ok = ();
    type Error = Unwritable;
    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Unwritable> {
        self.put(name, value)
    }
    fn end(self) -> Result<(), Unwritable> {
        self.close()
    }
}

impl ser::SerializeStructVariant for Parts<'_> {
    type Ok = ();
    type Error = Unwritable;
    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Unwritable> {
        self.put(name, value)
    }
    fn end(self) -> Result<(), Unwritable> {
        self.close()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Serialize;

    #[derive(Serialize, PartialEq, Eq, PartialOrd, Ord)]
    struct Id(u16, Kind);

    #[derive(Serialize, PartialEq, Eq, PartialOrd, Ord)]
    enum Kind {
        Rider,
        Guest(u8),
        Fleet { ships: u32 },
    }

    #[derive(Serialize)]
    struct World {
        over: bool,
        hosts: BTreeMap<Id, Vec<Kind>>,
        name: Option<&'static str>,
        none: Option<u8>,
    }

    #[test]
    fn every_value_has_its_path() {
        let world = World {
            over: false,
            hosts: BTreeMap::from([
                (Id(1, Kind::Rider), vec![Kind::Guest(7), Kind::Fleet { ships: 3 }]),
                (Id(2, Kind::Rider), Vec::new()),
            ]),
            name: Some("Mark"),
            none: None,
        };
        let found: Vec<(String, String)> = values(&world).unwrap().into_iter().collect();
        let expected = [
            ("hosts.1-Rider.0.Guest", "7"),
            ("hosts.1-Rider.1.Fleet.ships", "3"),
            ("hosts.2-Rider", "none"),
            ("name", "Mark"),
            ("none", "none"),
            ("over", "false"),
        ];
        assert_eq!(found, expected.map(|(path, value)| (path.to_owned(), value.to_owned())));
    }
}
