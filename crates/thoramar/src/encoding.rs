//! The letters of a player's file (THO-SET-03, catalogue 5.1): UTF-8, ISO 8859-1, code pages 850 and 437.
//!
//! A file says nothing about its encoding. What is valid UTF-8 is UTF-8; otherwise the player's computer decides, and if he
//! never named it, the decoding that gives German letters.

use crate::state::Computer;

/// An encoding that players' files come in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Encoding {
    /// Today's.
    Utf8,
    /// The Amiga's.
    Latin1,
    /// The PC's.
    Cp850,
    /// The older PC's, with more frames and Greek letters.
    Cp437,
}

/// The upper halves of the code pages of the PC.
const CP850: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐\
     └┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{ad}±‗¾¶§÷¸°¨·¹³²■\u{a0}";
const CP437: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐\
     └┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}";

/// The text of a file and the encoding it was read in. Bytes that the encoding does not know become U+FFFD.
pub fn decode(file: &[u8], computer: Computer) -> (String, Encoding) {
    let file = file.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(file);
    let file = without_end_mark(file);
    let encoding = guess(file, computer);
    let text = match encoding {
        Encoding::Utf8 => String::from_utf8_lossy(file).into_owned(),
        Encoding::Latin1 => file.iter().map(|byte| char::from(*byte)).collect(),
        Encoding::Cp850 => with_upper_half(file, CP850),
        Encoding::Cp437 => with_upper_half(file, CP437),
    };
    (text, encoding)
}

/// Cuts off the end mark of DOS (Ctrl-Z) and what programs pad a file with behind it.
fn without_end_mark(file: &[u8]) -> &[u8] {
    const END_MARK: u8 = 0x1A;
    let is_padding = |byte: &u8| matches!(*byte, END_MARK | 0 | b' ' | b'\t' | b'\r' | b'\n');
    let text = file.len() - file.iter().rev().take_while(|byte| is_padding(byte)).count();
    match file[text..].iter().position(|byte| *byte == END_MARK) {
        Some(mark) => &file[..text + mark],
        None => file,
    }
}

fn with_upper_half(file: &[u8], upper: &str) -> String {
    let upper: Vec<char> = upper.chars().collect();
    let letter = |byte: &u8| match byte.checked_sub(0x80) {
        Some(index) => upper
            .get(usize::from(index))
            .copied()
            .unwrap_or(char::REPLACEMENT_CHARACTER),
        None => char::from(*byte),
    };
    file.iter().map(letter).collect()
}

/// The encoding that a file most likely has.
fn guess(file: &[u8], computer: Computer) -> Encoding {
    if is_mostly_utf8(file) {
        return Encoding::Utf8;
    }
    // Latin-1 has control characters where the PC has most of its umlauts: no text has those.
    let has_c1 = file.iter().any(|byte| (0x80..0xA0).contains(byte));
    let from_amiga = match computer {
        Computer::Pc => false,
        Computer::Amiga => !has_c1,
        Computer::Unsaid => !has_c1 && !only_sharp_s_of_the_pc(file),
    };
    match from_amiga {
        true => Encoding::Latin1,
        false if has_frames(file) => Encoding::Cp437,
        false => Encoding::Cp850,
    }
}

/// Valid, or a UTF-8 file with a few broken places: more letters beyond ASCII read well than badly.
fn is_mostly_utf8(file: &[u8]) -> bool {
    if std::str::from_utf8(file).is_ok() {
        return true;
    }
    let (mut good, mut bad) = (0usize, 0usize);
    for chunk in file.utf8_chunks() {
        good += chunk.valid().chars().filter(|letter| !letter.is_ascii()).count();
        bad += chunk.invalid().len();
    }
    good > bad
}

/// Without control characters of Latin-1 only one German letter of the PC is left: 0xE1 is its ß, and á in Latin-1.
fn only_sharp_s_of_the_pc(file: &[u8]) -> bool {
    let has_german_latin1 = file
        .iter()
        .any(|byte| matches!(byte, 0xE4 | 0xF6 | 0xFC | 0xC4 | 0xD6 | 0xDC | 0xDF));
    !has_german_latin1 && file.contains(&0xE1)
}

/// Whether a byte that is a frame only in code page 437 stands beside another piece of a frame.
fn has_frames(file: &[u8]) -> bool {
    let is_frame = |byte: u8| (0xB0..=0xDF).contains(&byte);
    let is_frame_only_437 =
        |byte: u8| matches!(byte, 0xB5..=0xB8 | 0xBD | 0xBE | 0xC6 | 0xC7 | 0xCF..=0xD8 | 0xDD | 0xDE);
    let mut pairs = file.iter().zip(file.iter().skip(1)).map(|(one, other)| (*one, *other));
    pairs.any(|(one, other)| is_frame(one) && is_frame(other) && (is_frame_only_437(one) || is_frame_only_437(other)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: &str = "Größe: Übermut, Öl, Ärger, Fluß, süß, schön, älter";

    fn bytes(text: &str, encoding: Encoding) -> Vec<u8> {
        let page = |upper: &str| {
            let byte = |letter: char| match letter.is_ascii() {
                true => letter as u8,
                false => 0x80 + upper.chars().position(|known| known == letter).unwrap() as u8,
            };
            text.chars().map(byte).collect()
        };
        match encoding {
            Encoding::Utf8 => text.as_bytes().to_vec(),
            Encoding::Latin1 => text
                .chars()
                .map(|letter| u8::try_from(u32::from(letter)).unwrap())
                .collect(),
            Encoding::Cp850 => page(CP850),
            Encoding::Cp437 => page(CP437),
        }
    }

    #[test]
    fn a_code_page_has_128_letters_in_its_upper_half() {
        assert_eq!((CP850.chars().count(), CP437.chars().count()), (128, 128));
    }

    #[test]
    fn umlauts_are_read_from_every_encoding_whatever_computer_is_set() {
        for computer in [Computer::Unsaid, Computer::Pc, Computer::Amiga] {
            assert_eq!(
                decode(&bytes(WORDS, Encoding::Utf8), computer),
                (WORDS.to_owned(), Encoding::Utf8)
            );
            assert_eq!(
                decode(&bytes(WORDS, Encoding::Cp850), computer),
                (WORDS.to_owned(), Encoding::Cp850)
            );
        }
        for computer in [Computer::Unsaid, Computer::Amiga] {
            assert_eq!(
                decode(&bytes(WORDS, Encoding::Latin1), computer),
                (WORDS.to_owned(), Encoding::Latin1)
            );
        }
    }

    #[test]
    fn the_players_computer_decides_what_could_be_either() {
        // One byte 0xE1: the PC's ß, Latin-1's á.
        let file = b"Flu\xE1";
        assert_eq!(decode(file, Computer::Pc).0, "Fluß");
        assert_eq!(decode(file, Computer::Amiga).0, "Fluá");
        assert_eq!(decode(file, Computer::Unsaid).0, "Fluß");
        let file = b"Gro\xDF und \xE1";
        assert_eq!(decode(file, Computer::Unsaid).0, "Groß und á");
    }

    #[test]
    fn frames_tell_the_older_code_page() {
        let frame = "╓──╖ Bär";
        assert_eq!(
            decode(&bytes(frame, Encoding::Cp437), Computer::Pc),
            (frame.to_owned(), Encoding::Cp437)
        );
        let name = "Åsa Ödegård Ø";
        assert_eq!(
            decode(&bytes(name, Encoding::Cp850), Computer::Pc),
            (name.to_owned(), Encoding::Cp850)
        );
    }

    #[test]
    fn a_byte_order_mark_and_the_end_mark_of_dos_are_no_text() {
        assert_eq!(decode(b"\xEF\xBB\xBF$A\r\n\x1A", Computer::Unsaid).0, "$A\r\n");
        assert_eq!(decode(b"$A\r\n\x1A\x1A\0\0 \r\n", Computer::Unsaid).0, "$A\r\n");
        // In the middle it is a control character like any other.
        assert_eq!(decode(b"$A\x1A$B", Computer::Unsaid).0, "$A\x1A$B");
    }

    #[test]
    fn a_broken_place_in_a_utf8_file_does_not_spoil_the_other_letters() {
        let (text, encoding) = decode(b"B\xC3\xA4r, \xC3\x96l, \xC3.", Computer::Unsaid);
        assert_eq!((text.as_str(), encoding), ("Bär, Öl, \u{FFFD}.", Encoding::Utf8));
    }
}
