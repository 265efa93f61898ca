//! Names of dice in words.
//!
//! A die is called by its rule and by whom or what it is about: `THO-COMB-02 1 -2/4 week 3`. That name is what its value is
//! reckoned from, so it stays what it is in every language. The table `[die]` of a game's wording says it for people:
//! `"THO-COMB-02 {realm} {field} week {week}" = "Kampfglück von Reich {realm} auf {field}, Woche {week}"`. A name in braces
//! stands for one word of the name, and `{rule}` at the beginning for any rule.

use kernel::report::Arg;

use crate::template::{Template, Words};

/// A word of a pattern.
#[derive(Debug)]
enum Word {
    /// It stands as it is.
    Same(Box<str>),
    /// Any word, under this name.
    Any(Box<str>),
}

/// A kind of name and how it is said.
#[derive(Debug)]
struct Pattern {
    words: Vec<Word>,
    said: Template,
}

impl Pattern {
    /// The words that stand for the names of the pattern, if it fits.
    fn fits<'n>(&self, name: &[&'n str]) -> Option<Vec<(&str, Arg<'n>)>> {
        if self.words.len() != name.len() {
            return None;
        }
        let mut found = Vec::new();
        for (word, of) in self.words.iter().zip(name.iter().copied()) {
            match word {
                Word::Same(same) if **same == *of => {}
                Word::Same(_) => return None,
                Word::Any(under) => found.push((&**under, Arg::Text(of))),
            }
        }
        Some(found)
    }

    /// How exactly it names a die.
    fn exact(&self) -> usize {
        self.words.iter().filter(|word| matches!(word, Word::Same(_))).count()
    }
}

/// How the numbers behind a name are said.
#[derive(Clone, Copy, Default)]
pub(crate) struct Suffixes<'w> {
    /// One of several dice of a throw.
    pub numbered: Option<&'w Template>,
    /// A throw that is made once more.
    pub again: Option<&'w Template>,
}

fn with_number(template: &Template, said: &str, number: &str, words: &dyn Words) -> Option<String> {
    let number = number.parse::<i64>().ok()?;
    let mut out = Vec::new();
    template.fill(&mut out, &[("die", Arg::Text(said)), ("n", Arg::Int(number))], words);
    Some(String::from_utf8_lossy(&out).into_owned())
}

/// The kinds of names of a game's dice.
#[derive(Debug, Default)]
pub(crate) struct DieNames {
    patterns: Vec<Pattern>,
}

impl DieNames {
    /// Adds a kind of name. One that was there before is said anew.
    pub(crate) fn add(&mut self, pattern: &str, said: Template) {
        let word = |word: &str| match word.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
            Some(name) => Word::Any(name.into()),
            None => Word::Same(word.into()),
        };
        let words = pattern.split(' ').map(word).collect();
        // The most exact pattern is asked first, and of equal ones the latest.
        let pattern = Pattern { words, said };
        let exact = pattern.exact();
        let at = self.patterns.partition_point(|other| other.exact() > exact);
        self.patterns.insert(at, pattern);
    }

    /// A name in words; none if no pattern fits. What is thrown for several times has `again` and the number behind its name, and
    /// one of several dice of the same throw has its own number behind that.
    pub(crate) fn say(&self, name: &str, words: &dyn Words, suffixes: Suffixes<'_>) -> Option<String> {
        let parts: Vec<&str> = name.split(' ').collect();
        if let Some(said) = self.thrown(&parts, words, suffixes) {
            return Some(said);
        }
        let (number, rest) = parts.split_last()?;
        with_number(suffixes.numbered?, &self.thrown(rest, words, suffixes)?, number, words)
    }

    fn thrown(&self, name: &[&str], words: &dyn Words, suffixes: Suffixes<'_>) -> Option<String> {
        if let Some(said) = self.whole(name, words) {
            return Some(said);
        }
        let [first @ .., "again", number] = name else {
            return None;
        };
        with_number(suffixes.again?, &self.whole(first, words)?, number, words)
    }

    fn whole(&self, name: &[&str], words: &dyn Words) -> Option<String> {
        let fitting = |pattern: &Pattern| {
            let args = pattern.fits(name)?;
            let mut out = Vec::new();
            pattern.said.fill(&mut out, &args, words);
            Some(String::from_utf8_lossy(&out).into_owned())
        };
        self.patterns.iter().find_map(fitting)
    }
}

#[cfg(test)]
mod tests {
    use crate::locale::{Language, Wording};

    fn wording() -> Wording {
        let source = r#"
[page]
die_numbered = "{die}, Würfel {n}"
die_again = "{die}, zum {n}. Mal"
[die]
"THO-COMB-02 {realm} {field} week {week}" = "Glück von {realm} auf {field} in Woche {week}"
"{rule} {realm} {figure} attacks {other}" = "{figure} greift {other} an"
"#;
        Wording::new(Language::German, &[source]).unwrap()
    }

    #[test]
    fn a_name_is_said_with_its_own_words_in_the_places_of_the_pattern() {
        let wording = wording();
        let said = wording.die("THO-COMB-02 1 -2/4 week 3");
        assert_eq!(said.as_deref(), Some("Glück von 1 auf -2/4 in Woche 3"));
        let said = wording.die("ARM-GAP-04 2 S#1 attacks S#2");
        assert_eq!(said.as_deref(), Some("S#1 greift S#2 an"));
    }

    #[test]
    fn one_of_several_dice_of_a_throw_has_its_number() {
        let wording = wording();
        let said = wording.die("ARM-GAP-04 2 S#1 attacks S#2 3");
        assert_eq!(said.as_deref(), Some("S#1 greift S#2 an, Würfel 3"));
        let said = wording.die("ARM-GAP-04 2 S#1 attacks S#2 again 2");
        assert_eq!(said.as_deref(), Some("S#1 greift S#2 an, zum 2. Mal"));
        let said = wording.die("ARM-GAP-04 2 S#1 attacks S#2 again 2 1");
        assert_eq!(said.as_deref(), Some("S#1 greift S#2 an, zum 2. Mal, Würfel 1"));
    }

    #[test]
    fn a_name_without_a_pattern_is_not_said() {
        let wording = wording();
        for name in [
            "",
            "THO-COMB-02",
            "THO-COMB-02 1 -2/4 day 3",
            "THO-COMB-02 1 -2/4 week 3 4 5",
        ] {
            assert_eq!(wording.die(name), None, "{name}");
        }
    }

    #[test]
    fn a_name_in_a_die_cannot_forge_anything() {
        let wording = wording();
        let said = wording.die("ARM-GAP-04 2 {other} attacks \u{1b}[2J").unwrap();
        assert_eq!(said, "{other} greift  [2J an");
    }
}
