//! Soft hyphens for justified text, by the patterns of the language.

use crate::locale::Language;

/// Words shorter than this are not divided: a column is never so narrow that it would help.
const SHORTEST: usize = 6;
/// Longer "words" are no words.
const LONGEST: usize = 60;

/// The text with a soft hyphen wherever a long word may be divided.
pub fn soften(text: &str, language: Language) -> String {
    let patterns = match language {
        Language::German => hypher::Lang::German,
        Language::English => hypher::Lang::English,
    };
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let mut word = String::new();
    for character in text.chars() {
        if character.is_alphabetic() {
            word.push(character);
        } else {
            divide(&mut out, &word, patterns);
            word.clear();
            out.push(character);
        }
    }
    divide(&mut out, &word, patterns);
    out
}

fn divide(out: &mut String, word: &str, patterns: hypher::Lang) {
    let length = word.chars().count();
    if !(SHORTEST..=LONGEST).contains(&length) {
        out.push_str(word);
        return;
    }
    for (number, syllable) in hypher::hyphenate_bounded(word, patterns, 2, 3).enumerate() {
        if number > 0 {
            out.push('\u{ad}');
        }
        out.push_str(syllable);
    }
}

/// The language a text is written in, by its small words; `otherwise` if it has too few of them to tell.
pub fn language_of(text: &str, otherwise: Language) -> Language {
    const GERMAN: [&str; 22] = [
        "der", "die", "das", "und", "nicht", "ist", "ein", "eine", "den", "dem", "des", "zu", "mit", "ihr", "wir",
        "ich", "auf", "für", "von", "im", "sich", "euch",
    ];
    const ENGLISH: [&str; 19] = [
        "the", "and", "of", "to", "is", "not", "a", "we", "you", "your", "our", "with", "for", "that", "it", "are",
        "have", "will", "be",
    ];
    let (mut german, mut english) = (0_u32, 0_u32);
    for word in text.split(|c: char| !c.is_alphabetic()).take(2_000) {
        let word = word.to_lowercase();
        german += u32::from(GERMAN.contains(&word.as_str()));
        english += u32::from(ENGLISH.contains(&word.as_str()));
    }
    if german > english {
        Language::German
    } else if english > german {
        Language::English
    } else {
        otherwise
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_words_are_divided_and_short_ones_are_not() {
        assert_eq!(
            soften("In unsere Hafenschenken gedrungen.", Language::German),
            "In un\u{ad}sere Ha\u{ad}fen\u{ad}schen\u{ad}ken ge\u{ad}drun\u{ad}gen."
        );
        assert_eq!(soften("Paß", Language::German), "Paß");
        assert_eq!(soften("extensive", Language::English), "ex\u{ad}ten\u{ad}sive");
    }

    #[test]
    fn taking_the_hyphens_out_again_gives_the_text() {
        for text in [
            "Straßenräuber, Brückenzoll & Ährenkränze!",
            "",
            "ß",
            "a\u{301}bcdefgh",
            &"x".repeat(500),
        ] {
            assert_eq!(soften(text, Language::German).replace('\u{ad}', ""), text);
        }
    }

    #[test]
    fn the_language_is_told_by_small_words() {
        assert_eq!(
            language_of("Wir haben den Paß und die Burg", Language::English),
            Language::German
        );
        assert_eq!(
            language_of("We hold the pass and the castle", Language::German),
            Language::English
        );
        assert_eq!(language_of("Adler", Language::German), Language::German);
    }
}
