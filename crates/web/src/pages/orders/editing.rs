//! Changes of an order file's text: a repair put in its place.

use kernel::diagnostic::Span;

/// The text with another at a place; nothing if there is no such place. Lines and columns count from 1, in characters.
pub fn replace(text: &str, span: Span, by: &str) -> Option<String> {
    let line_start = match span.line.checked_sub(1)? {
        0 => 0,
        before => text.match_indices('\n').nth(before as usize - 1)?.0 + 1,
    };
    let rest = text.get(line_start..)?;
    let line = rest.split('\n').next().unwrap_or_default();
    let at = |characters: usize| {
        let mut places = line.char_indices().map(|(place, _)| place).chain([line.len()]);
        places.nth(characters)
    };
    let first = (span.column as usize).checked_sub(1)?;
    let from = at(first)?;
    let to = at(first + span.length as usize)?;
    let mut out = String::with_capacity(text.len() + by.len());
    out.push_str(text.get(..line_start + from)?);
    out.push_str(by);
    out.push_str(text.get(line_start + to..)?);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(line: u32, column: u32, length: u32) -> Span {
        Span { line, column, length }
    }

    #[test]
    fn a_repair_counts_characters_not_bytes() {
        let text = "; Bär\nä K.X 1\n";
        assert_eq!(replace(text, span(2, 3, 3), "K.M").unwrap(), "; Bär\nä K.M 1\n");
        assert_eq!(replace(text, span(2, 1, 2), "").unwrap(), "; Bär\nK.X 1\n");
        assert_eq!(replace(text, span(1, 6, 0), " <b>").unwrap(), "; Bär <b>\nä K.X 1\n");
        assert_eq!(replace("x", span(1, 1, 1), "y").unwrap(), "y");
    }

    #[test]
    fn a_place_that_is_not_there_is_not_mended() {
        let text = "ab\ncd";
        assert_eq!(replace(text, span(0, 1, 1), "x"), None);
        assert_eq!(replace(text, span(1, 0, 1), "x"), None);
        assert_eq!(replace(text, span(1, 1, 3), "x"), None);
        assert_eq!(replace(text, span(1, 4, 0), "x"), None);
        assert_eq!(replace(text, span(3, 1, 0), "x"), None);
        assert_eq!(replace(text, span(2, 3, 0), "x").unwrap(), "ab\ncdx");
    }
}
