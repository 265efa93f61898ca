//! What people type, as it is stored: line ends of one kind, nothing unseen, nothing without end; and which names look alike.

use unicode_normalization::UnicodeNormalization as _;

/// A text of several lines without control characters and marks that change how others are read.
pub(crate) fn clean(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        match character {
            '\r' => {
                if rest.peek() != Some(&'\n') {
                    out.push('\n');
                }
            }
            '\n' => out.push('\n'),
            '\t' | '\u{a0}' => out.push(' '),
            _ if is_unseen(character) => {}
            _ => out.push(character),
        }
    }
    out.trim_end().trim_start_matches('\n').to_owned()
}

/// A single line of at most `characters` characters.
pub(crate) fn line(text: &str, characters: usize) -> String {
    let words = clean(text);
    let words: Vec<&str> = words.split_whitespace().collect();
    words
        .join(" ")
        .chars()
        .take(characters)
        .collect::<String>()
        .trim_end()
        .to_owned()
}

/// Whether nobody sees the character, or it changes how others are read. A name with one looks like another name.
pub(crate) fn hides(character: char) -> bool {
    is_unseen(character)
        || matches!(
            character,
            '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180e}' | '\u{200b}'
                ..='\u{200d}' | '\u{2028}' | '\u{2029}' | '\u{3164}' | '\u{ffa0}'
        )
}

/// How names are compared: two that are read alike are one, whatever letters they were written with.
pub(crate) fn folded(name: &str) -> String {
    let letters: String = name.nfkc().collect();
    let words = letters.to_lowercase();
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a name can be taken for another one: with something unseen in it, or with letters of one alphabet among those of another,
/// of which many look alike.
pub(crate) fn misleads(name: &str) -> bool {
    let alphabet = |letter: char| match letter {
        'a'..='z' | 'A'..='Z' | '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => Some("latin"),
        '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => Some("greek"),
        '\u{400}'..='\u{52f}' => Some("cyrillic"),
        _ => None,
    };
    let mut alphabets = name
        .chars()
        .filter(|letter| letter.is_alphabetic())
        .filter_map(alphabet);
    let first = alphabets.next();
    name.chars().any(hides) || alphabets.any(|other| Some(other) != first)
}

fn is_unseen(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_become_one_kind_and_unseen_characters_go() {
        assert_eq!(clean("\r\n\na\r\nb\rc\td\u{0}\u{202e}e \n\n"), "a\nb\nc de");
    }

    #[test]
    fn names_that_are_read_alike_are_alike() {
        // Composed and decomposed, wide letters, a blank that does not break, two blanks.
        for twin in [
            "K\u{e4}the Ros",
            "Ka\u{308}the Ros",
            "\u{ff2b}\u{e4}the Ros",
            "k\u{e4}the\u{a0}ros",
            "K\u{e4}the  Ros",
        ] {
            assert_eq!(folded(twin), "k\u{e4}the ros", "{twin:?}");
        }
        assert_ne!(folded("Kathe Ros"), folded("K\u{e4}the Ros"));
    }

    #[test]
    fn a_name_of_two_alphabets_misleads_and_one_of_one_does_not() {
        for name in ["M\u{456}ra", "\u{41c}ira", "\u{391}dler", "Mi\u{200b}ra"] {
            assert!(misleads(name), "{name:?}");
        }
        for name in [
            "Mira",
            "K\u{e4}the O\u{2019}Neil 3",
            "\u{41c}\u{438}\u{440}\u{430}",
            "\u{391}\u{3b8}\u{3b7}\u{3bd}\u{1fb6}",
            "\u{5c71}\u{7530} Taro",
            "\u{b5}",
        ] {
            assert!(!misleads(name), "{name:?}");
        }
    }

    #[test]
    fn a_line_has_no_line_end_and_an_end() {
        assert_eq!(line(" a\n\n b  c ", 10), "a b c");
        assert_eq!(line("abcdef", 3), "abc");
        assert_eq!(line("äöüß", 4), "äöüß");
    }
}
