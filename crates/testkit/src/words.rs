//! Words: splitting them, and finding the nearest to a mistyped one.

/// The first word and the rest without surrounding blanks.
pub fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    match text.split_once(char::is_whitespace) {
        Some((word, rest)) => (word, rest.trim()),
        None => (text, ""),
    }
}

/// The words with one blank between each.
pub fn words(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// At most `length` characters of the text.
pub fn clip(text: &str, length: usize) -> &str {
    match text.char_indices().nth(length) {
        Some((end, _)) => &text[..end],
        None => text,
    }
}

/// The words nearest to `wanted`, best first, at most `count`.
pub fn nearest<'a>(wanted: &str, known: impl Iterator<Item = &'a str>, count: usize) -> Vec<&'a str> {
    let mut ranked: Vec<(u32, &str)> = known
        .map(|name| (likeness(wanted, name), name))
        .filter(|(likeness, _)| *likeness >= 60)
        .collect();
    ranked.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(b.1)));
    ranked.dedup();
    ranked.into_iter().take(count).map(|(_, name)| name).collect()
}

/// How alike two words are in percent: a hundred minus the share of letters to change.
fn likeness(a: &str, b: &str) -> u32 {
    let (a, b) = (clip(a, 200), clip(b, 200));
    let length = a.chars().count().max(b.chars().count()).max(1);
    let distance = strsim::osa_distance(a, b);
    u32::try_from(100 * length.saturating_sub(distance) / length).unwrap_or(0)
}

/// "; did you mean A or B?" or nothing.
pub fn did_you_mean(names: &[&str]) -> String {
    if names.is_empty() {
        String::new()
    } else {
        format!("; did you mean `{}`?", names.join("` or `"))
    }
}
