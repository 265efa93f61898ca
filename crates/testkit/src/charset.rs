//! Order files as they arrived from old computers.

use crate::scenario::Failure;
use crate::words::clip;

/// How an order file is written down as bytes.
#[derive(Default)]
pub struct Form {
    charset: Charset,
    escaped: bool,
    crlf: bool,
}

#[derive(Default, Clone, Copy)]
enum Charset {
    #[default]
    Utf8,
    Latin1,
    Cp850,
    Cp437,
}

impl Form {
    /// What may stand behind the name of a realm.
    pub const OPTIONS: [&'static str; 6] = ["utf8", "latin1", "cp850", "cp437", "escaped", "crlf"];

    /// Whether the word is one of the options.
    pub fn takes(&self, word: &str) -> bool {
        Self::OPTIONS.contains(&word)
    }

    /// Sets an option.
    pub fn set(&mut self, word: &str) {
        match word {
            "latin1" => self.charset = Charset::Latin1,
            "cp850" => self.charset = Charset::Cp850,
            "cp437" => self.charset = Charset::Cp437,
            "escaped" => self.escaped = true,
            "crlf" => self.crlf = true,
            _ => self.charset = Charset::Utf8,
        }
    }

    /// The file of these lines, each with its number in the scenario.
    pub fn encode(&self, lines: &[(u32, &str)]) -> Result<Vec<u8>, Failure> {
        let mut bytes = Vec::new();
        for (at, line) in lines {
            let fail = |message: String| Failure::new(*at, message);
            let mut rest = line.chars();
            while let Some(letter) = rest.next() {
                if self.escaped && letter == '\\' {
                    let tail = rest.as_str();
                    let (byte, length) = escape(tail).ok_or_else(|| {
                        fail(format!(
                            "`\\{}` is no escape; known are \\xNN \\n \\r \\t \\\\",
                            clip(tail, 3)
                        ))
                    })?;
                    bytes.push(byte);
                    rest = tail[length..].chars();
                } else {
                    self.charset
                        .push(letter, &mut bytes)
                        .map_err(|name| fail(format!("{letter:?} does not exist in {name}")))?;
                }
            }
            bytes.extend_from_slice(if self.crlf { b"\r\n" } else { b"\n" });
        }
        Ok(bytes)
    }
}

/// The byte of an escape behind its backslash, and how many letters it took. All of them are ASCII.
fn escape(tail: &str) -> Option<(u8, usize)> {
    match tail.as_bytes() {
        [b'n', ..] => Some((b'\n', 1)),
        [b'r', ..] => Some((b'\r', 1)),
        [b't', ..] => Some((b'\t', 1)),
        [b'\\', ..] => Some((b'\\', 1)),
        [b'x', high, low, ..] => {
            let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
            Some((digit(*high)? * 16 + digit(*low)?, 3))
        }
        _ => None,
    }
}

impl Charset {
    /// The letters that German texts use beyond ASCII; the two DOS code pages agree on all of them but the section sign.
    fn push(self, letter: char, bytes: &mut Vec<u8>) -> Result<(), &'static str> {
        let (name, byte) = match self {
            Self::Utf8 => {
                let mut buffer = [0; 4];
                bytes.extend_from_slice(letter.encode_utf8(&mut buffer).as_bytes());
                return Ok(());
            }
            Self::Latin1 => ("latin1", u8::try_from(u32::from(letter)).ok()),
            Self::Cp850 => ("cp850", dos(letter).or(if letter == '§' { Some(0xF5) } else { None })),
            Self::Cp437 => ("cp437", dos(letter)),
        };
        bytes.push(byte.ok_or(name)?);
        Ok(())
    }
}

fn dos(letter: char) -> Option<u8> {
    if letter.is_ascii() {
        return u8::try_from(letter).ok();
    }
    const LETTERS: [(char, u8); 14] = [
        ('ü', 0x81),
        ('é', 0x82),
        ('â', 0x83),
        ('ä', 0x84),
        ('à', 0x85),
        ('ç', 0x87),
        ('ê', 0x88),
        ('è', 0x8A),
        ('Ä', 0x8E),
        ('É', 0x90),
        ('ö', 0x94),
        ('Ö', 0x99),
        ('Ü', 0x9A),
        ('ß', 0xE1),
    ];
    LETTERS
        .iter()
        .find(|(known, _)| *known == letter)
        .map(|(_, byte)| *byte)
}
