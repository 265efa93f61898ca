//! What people type, as it is stored: line ends of one kind, nothing unseen, nothing without end.

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
    fn a_line_has_no_line_end_and_an_end() {
        assert_eq!(line(" a\n\n b  c ", 10), "a b c");
        assert_eq!(line("abcdef", 3), "abc");
        assert_eq!(line("äöüß", 4), "äöüß");
    }
}
