//! Armies as somebody writes them down for a calculator: `K.M 2000, R.L 300`.

/// Reads lines such as `K.M 2000`; commas and semicolons part armies too. `kind` tells what a code stands for; an army has 1 to `heads_max`
/// heads, and there are at most `armies_max` of them.
///
/// # Errors
/// The first part that cannot be read.
pub fn read_tally<K>(
    text: &str,
    kind: impl Fn(&str) -> Option<K>,
    heads_max: i64,
    armies_max: usize,
) -> Result<Vec<(K, i64)>, String> {
    let mut list = Vec::new();
    let parts = text.split(['\n', ',', ';']).map(str::trim);
    for part in parts.filter(|part| !part.is_empty()) {
        let mut words = part.split_whitespace();
        let kind = words.next().and_then(&kind);
        let count = words.next().and_then(|word| word.parse::<i64>().ok());
        match (kind, count, words.next()) {
            (Some(kind), Some(count), None) if (1..=heads_max).contains(&count) && list.len() < armies_max => {
                list.push((kind, count));
            }
            _ => return Err(part.to_owned()),
        }
    }
    Ok(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At most two armies of at most nine heads.
    fn read(text: &str) -> Result<Vec<(char, i64)>, String> {
        let kind = |code: &str| ["a", "b"].contains(&code).then(|| code.chars().next()).flatten();
        read_tally(text, kind, 9, 2)
    }

    #[test]
    fn armies_are_parted_by_lines_commas_and_semicolons() {
        for text in ["a 1\nb 9", "a 1, b 9", " a  1 ;; b 9,\n"] {
            assert_eq!(read(text), Ok(vec![('a', 1), ('b', 9)]), "{text:?}");
        }
        assert_eq!(read(" \n,"), Ok(Vec::new()));
    }

    #[test]
    fn what_is_no_army_is_handed_back() {
        for part in [
            "c 1",
            "a",
            "a 0",
            "a 10",
            "a -1",
            "a x",
            "a 1 1",
            "a 9999999999999999999",
        ] {
            assert_eq!(read(&format!("b 1, {part}")), Err(part.to_owned()));
        }
        assert_eq!(read("a 1, a 2, b 3"), Err("b 3".to_owned()), "one too many");
    }
}
