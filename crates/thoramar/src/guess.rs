//! Guessing what a misspelt word means, for the repairs that findings propose.

use crate::codes::{Building, Kind, Treaty};

/// What players call a building or a network by its full name, and its code.
const BUILDING_NAMES: &[(&str, &str)] = &[
    ("Hauptstadt", "HST"),
    ("Burg", "BRG"),
    ("Stadt", "STD"),
    ("Festung", "FES"),
    ("Tempelstadt", "HTS"),
    ("Tempel", "TPL"),
    ("Mine", "MIN"),
    ("Weltentor", "WTO"),
    // The heading of T06 misprints it (GAP-38).
    ("TSE", "TSF"),
    ("Straße", "S"),
    ("Strasse", "S"),
    ("Brücke", "B"),
    ("Bruecke", "B"),
    ("Wall", "W"),
];

/// The code of the building or network that a misspelt word most likely means.
pub fn building_meant(word: &str) -> Option<&'static str> {
    let codes = Building::ALL.iter().map(|building| (building.code(), building.code()));
    nearest_meaning(word, codes.chain(BUILDING_NAMES.iter().copied()))
}

/// The kind of army that a misspelt code most likely means.
pub fn kind_meant(word: &str) -> Option<Kind> {
    let letters: String = word.chars().filter(|letter| letter.is_alphabetic()).collect();
    let by_letters = |kind: &&Kind| kind.code().replace('.', "").eq_ignore_ascii_case(&letters);
    // Where only type or class is known, the first of them is as good as any.
    let by_half = |kind: &&Kind| {
        let letters: Vec<char> = letters.to_ascii_uppercase().chars().collect();
        let own: Vec<char> = kind.code().chars().filter(|letter| *letter != '.').collect();
        letters.len() == own.len() && letters.first() == own.first()
    };
    let last = letters.to_ascii_uppercase().chars().next_back();
    let by_class = |kind: &&Kind| letters.chars().count() == 2 && kind.code().chars().next_back() == last;
    let by_one = |kind: &&Kind| {
        let mut own = kind.code().chars();
        let kept = if word.starts_with('.') {
            own.next_back()
        } else {
            own.next()
        };
        letters.chars().count() == 1 && kept == last
    };
    let all = || Kind::ALL.iter();
    let found = all().find(by_letters).or_else(|| all().find(by_half));
    let found = found.or_else(|| all().find(by_class)).or_else(|| all().find(by_one));
    found.copied()
}

/// The treaty that a misspelt word most likely means: by its first letter, or the name of the pact.
pub fn treaty_meant(word: &str) -> Option<Treaty> {
    match word.chars().next()?.to_ascii_uppercase() {
        'N' => Some(Treaty::NonAggression),
        letter => Treaty::from_code(letter.encode_utf8(&mut [0; 4])),
    }
}

/// Words longer than this are not guessed at.
const LONGEST_GUESSED: usize = 16;

/// The candidate that resembles a misspelt word, unless two do equally.
pub fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    nearest_meaning(word, candidates.map(|candidate| (candidate, candidate)))
}

/// What the candidate means that resembles a misspelt word, unless two do equally that mean something else.
fn nearest_meaning<'a>(word: &str, candidates: impl Iterator<Item = (&'a str, &'a str)>) -> Option<&'a str> {
    let word = word.to_lowercase();
    let letters = word.chars().count();
    if letters > LONGEST_GUESSED {
        return None;
    }
    let allowed = if letters <= 4 { 1 } else { 2 };
    let mut best: Option<(usize, &str)> = None;
    let mut is_tie = false;
    for (candidate, meaning) in candidates {
        let distance = strsim::osa_distance(&word, &candidate.to_lowercase());
        match best {
            Some((least, _)) if distance > least => {}
            Some((least, known)) if distance == least => is_tie |= known != meaning,
            _ => (best, is_tie) = (Some((distance, meaning)), false),
        }
    }
    best.filter(|(distance, _)| *distance <= allowed && !is_tie)
        .map(|(_, meaning)| meaning)
}

/// The names of the commands, as players may spell them out.
const COMMAND_NAMES: &[(&str, &str)] = &[
    ("Verteidigen", "V"),
    ("Angreifen", "A"),
    ("Plündern", "P"),
    ("Pluendern", "P"),
    ("Erobern", "E"),
    ("Zerstören", "Z"),
    ("Zerstoeren", "Z"),
];

/// Letter and flag of the command that a spelt-out word most likely means.
pub fn command_meant(word: &str) -> Option<String> {
    let flag = word.chars().next_back().filter(|last| matches!(last, '+' | '-'));
    let letter = nearest_meaning(word.trim_end_matches(['+', '-']), COMMAND_NAMES.iter().copied())?;
    Some(letter.chars().chain(flag).collect())
}
