//! Packed files, as far as tables come in them: read within limits, written without packing.

use super::{Trouble, UNPACKED_BYTES};
use flate2::Crc;
use flate2::read::DeflateDecoder;
use std::io::Read as _;

/// Parts of a file.
const PARTS_MAX: usize = 300;
/// Bytes behind which the list of parts cannot begin, counted from the end: a comment may stand there.
const END_BYTES: usize = 22 + 65_535;

struct Part {
    name: String,
    method: u16,
    locked: bool,
    crc: u32,
    packed: usize,
    offset: usize,
}

/// A packed file.
pub(super) struct Archive<'a> {
    bytes: &'a [u8],
    parts: Vec<Part>,
    /// Bytes that may still be unpacked.
    room: usize,
}

fn number16(bytes: &[u8], at: usize) -> Option<u16> {
    let end = at.checked_add(2)?;
    Some(u16::from_le_bytes(bytes.get(at..end)?.try_into().ok()?))
}

fn number32(bytes: &[u8], at: usize) -> Option<u32> {
    let end = at.checked_add(4)?;
    Some(u32::from_le_bytes(bytes.get(at..end)?.try_into().ok()?))
}

fn size(bytes: &[u8], at: usize) -> Option<usize> {
    usize::try_from(number32(bytes, at)?).ok()
}

impl<'a> Archive<'a> {
    /// Reads the list of parts.
    pub(super) fn open(bytes: &'a [u8]) -> Result<Self, Trouble> {
        let parts = list(bytes).ok_or(Trouble::Unreadable)?;
        Ok(Self {
            bytes,
            parts,
            room: UNPACKED_BYTES,
        })
    }

    /// Whether there is such a part.
    pub(super) fn has(&self, name: &str) -> bool {
        self.parts.iter().any(|part| part.name == name)
    }

    /// A part as text; nothing if it is not there.
    pub(super) fn text(&mut self, name: &str) -> Result<Option<String>, Trouble> {
        let Some(part) = self.parts.iter().find(|part| part.name == name) else {
            return Ok(None);
        };
        if part.locked {
            return Err(Trouble::Locked);
        }
        let packed = packed(self.bytes, part).ok_or(Trouble::Unreadable)?;
        let most = self.room as u64;
        let mut out = Vec::new();
        let read = match part.method {
            0 => packed.take(most + 1).read_to_end(&mut out),
            8 => DeflateDecoder::new(packed).take(most + 1).read_to_end(&mut out),
            _ => return Err(Trouble::Unreadable),
        };
        read.map_err(|_| Trouble::Unreadable)?;
        self.room = self.room.checked_sub(out.len()).ok_or(Trouble::TooLarge)?;
        let mut crc = Crc::new();
        crc.update(&out);
        if crc.sum() != part.crc {
            return Err(Trouble::Unreadable);
        }
        String::from_utf8(out).map(Some).map_err(|_| Trouble::Unreadable)
    }
}

/// The packed bytes of a part: its own head tells how long its name and its extras are.
fn packed<'a>(bytes: &'a [u8], part: &Part) -> Option<&'a [u8]> {
    let head = bytes.get(part.offset..)?;
    if !head.starts_with(b"PK\x03\x04") {
        return None;
    }
    let begin = 30 + usize::from(number16(head, 26)?) + usize::from(number16(head, 28)?);
    head.get(begin..begin.checked_add(part.packed)?)
}

fn list(bytes: &[u8]) -> Option<Vec<Part>> {
    let tail = bytes.len().saturating_sub(END_BYTES);
    let end = bytes.get(tail..)?;
    let end = tail + end.windows(4).rposition(|window| window == b"PK\x05\x06")?;
    let end = bytes.get(end..)?;
    let count = usize::from(number16(end, 10)?);
    if count > PARTS_MAX {
        return None;
    }
    let mut at = size(end, 16)?;
    let mut parts = Vec::new();
    for _ in 0..count {
        let entry = bytes.get(at..)?;
        if !entry.starts_with(b"PK\x01\x02") {
            return None;
        }
        let (name, extra, comment) = (number16(entry, 28)?, number16(entry, 30)?, number16(entry, 32)?);
        let name_end = 46 + usize::from(name);
        parts.push(Part {
            name: String::from_utf8_lossy(entry.get(46..name_end)?).into_owned(),
            method: number16(entry, 10)?,
            locked: number16(entry, 8)? & 1 == 1,
            crc: number32(entry, 16)?,
            packed: size(entry, 20)?,
            offset: size(entry, 42)?,
        });
        at = at.checked_add(name_end + usize::from(extra) + usize::from(comment))?;
    }
    Some(parts)
}

/// Puts parts into a file, the first one first, as they are.
pub(super) fn pack(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut list = Vec::new();
    for (name, text) in parts {
        let offset = file.len() as u32;
        let mut crc = Crc::new();
        crc.update(text.as_bytes());
        // Needs version 2.0; no flags; not packed; the first day of 1980.
        let mut head = Vec::new();
        for number in [20u16, 0, 0, 0, 33] {
            head.extend(number.to_le_bytes());
        }
        for number in [crc.sum(), text.len() as u32, text.len() as u32] {
            head.extend(number.to_le_bytes());
        }
        head.extend((name.len() as u16).to_le_bytes());
        head.extend(0u16.to_le_bytes());
        file.extend(b"PK\x03\x04");
        file.extend(&head);
        file.extend(name.as_bytes());
        file.extend(text.as_bytes());
        list.extend(b"PK\x01\x02");
        list.extend(20u16.to_le_bytes());
        list.extend(&head);
        // No comment, first disk, no attributes.
        list.extend([0; 10]);
        list.extend(offset.to_le_bytes());
        list.extend(name.as_bytes());
    }
    let (begin, length, count) = (file.len() as u32, list.len() as u32, parts.len() as u16);
    file.extend(list);
    file.extend(b"PK\x05\x06\0\0\0\0");
    file.extend(count.to_le_bytes());
    file.extend(count.to_le_bytes());
    file.extend(length.to_le_bytes());
    file.extend(begin.to_le_bytes());
    file.extend(0u16.to_le_bytes());
    file
}
