//! Text files in the letters of the player's computer.

use kernel::game::{Charset, LineEnd, Typeface};
use std::io::{self, Write};

/// The upper half of code page 850, byte by byte from 0x80.
const CP850: &str = concat!(
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒ",
    "áíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐",
    "└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀",
    "ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{ad}±‗¾¶§÷¸°¨·¹³²■\u{a0}"
);

/// The byte of a letter in code page 850.
fn cp850(letter: char) -> Option<u8> {
    if letter.is_ascii() {
        return u8::try_from(letter).ok();
    }
    CP850
        .chars()
        .position(|known| known == letter)
        .and_then(|at| u8::try_from(at + 0x80).ok())
}

/// The byte of a letter in ISO 8859-1.
fn latin1(letter: char) -> Option<u8> {
    u8::try_from(u32::from(letter)).ok()
}

/// Passes UTF-8 text on in another charset and with other line ends. Letters that the charset lacks become `?`.
pub struct Typewriter<W: Write> {
    typeface: Typeface,
    out: W,
    /// The beginning of a letter whose other bytes have not come yet.
    rest: Vec<u8>,
}

impl<W: Write> Typewriter<W> {
    /// Writes to `out` as `typeface` says.
    pub fn new(typeface: Typeface, out: W) -> Self {
        Self {
            typeface,
            out,
            rest: Vec::new(),
        }
    }

    /// Writes what is left and gives the writer back.
    ///
    /// # Errors
    /// What the writer reports.
    pub fn finish(mut self) -> io::Result<W> {
        if !self.rest.is_empty() {
            self.out.write_all(b"?")?;
        }
        self.out.flush()?;
        Ok(self.out)
    }

    fn letters(&self, text: &str, bytes: &mut Vec<u8>) {
        for letter in text.chars() {
            match (letter, self.typeface.line_end) {
                ('\n', LineEnd::CrLf) => bytes.extend_from_slice(b"\r\n"),
                _ => match self.typeface.charset {
                    Charset::Utf8 => bytes.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes()),
                    Charset::Cp850 => bytes.push(cp850(letter).unwrap_or(b'?')),
                    Charset::Latin1 => bytes.push(latin1(letter).unwrap_or(b'?')),
                },
            }
        }
    }
}

impl<W: Write> Write for Typewriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.typeface == Typeface::default() {
            return self.out.write(bytes);
        }
        let mut all = std::mem::take(&mut self.rest);
        all.extend_from_slice(bytes);
        let whole = match std::str::from_utf8(&all) {
            Ok(text) => text,
            Err(error) => {
                let (good, rest) = all.split_at(error.valid_up_to());
                self.rest = rest.to_vec();
                std::str::from_utf8(good).unwrap_or_default()
            }
        };
        let mut typed = Vec::with_capacity(whole.len());
        self.letters(whole, &mut typed);
        self.out.write_all(&typed)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(charset: Charset, line_end: LineEnd, parts: &[&[u8]]) -> Vec<u8> {
        let mut machine = Typewriter::new(Typeface { charset, line_end }, Vec::new());
        for part in parts {
            machine.write_all(part).unwrap();
        }
        machine.finish().unwrap()
    }

    #[test]
    fn umlauts_have_their_place_in_each_charset() {
        let text = "\u{e4}\u{f6}\u{fc}\u{df}\n".as_bytes();
        assert_eq!(typed(Charset::Cp850, LineEnd::CrLf, &[text]), b"\x84\x94\x81\xe1\r\n");
        assert_eq!(typed(Charset::Latin1, LineEnd::Lf, &[text]), b"\xe4\xf6\xfc\xdf\n");
        assert_eq!(typed(Charset::Utf8, LineEnd::Lf, &[text]), text);
    }

    #[test]
    fn a_letter_may_come_in_two_parts_and_an_unknown_one_is_a_question_mark() {
        assert_eq!(typed(Charset::Latin1, LineEnd::Lf, &[b"\xc3", b"\xa4"]), b"\xe4");
        assert_eq!(typed(Charset::Cp850, LineEnd::Lf, &["\u{20ac}".as_bytes()]), b"?");
    }
}
