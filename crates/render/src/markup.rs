//! What people write in letters and in the newspaper: plain text with a few marks, as safe HTML.
//!
//! | written | shown |
//! |---|---|
//! | an empty line | a new paragraph; a single line end is a line end |
//! | `*word*` or `_word_` | emphasis |
//! | `**word**` | strong emphasis |
//! | `- item` or `1. item` | a list |
//! | `> words` | a quotation |
//! | `# words` | a crosshead |
//! | `---` | an ornament between two parts |
//! | `\*` | the mark itself |
//!
//! There are no links, no pictures and no HTML: every character that means something in HTML is written out as text, and
//! the only tags in the result are the ones this file writes. The work is linear in the length of the text.

use crate::hyphen;
use crate::locale::Language;

/// How a text is set.
#[derive(Clone, Copy, Debug, Default)]
pub struct Setting {
    /// Whether long words get soft hyphens; browsers without a dictionary leave holes in justified text otherwise.
    pub hyphens: Option<Language>,
    /// Whether the first paragraph is a salutation: one short line that ends with a comma or an exclamation mark.
    pub salutation: bool,
}

/// One part of a text between empty lines.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Block<'a> {
    Paragraph(Vec<&'a str>),
    Quotation(Vec<&'a str>),
    Bullets(Vec<Vec<&'a str>>),
    Numbers(Vec<Vec<&'a str>>),
    Crosshead(&'a str),
    Ornament,
}

/// The text as HTML.
pub fn html(text: &str, setting: Setting) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 4);
    let mut hail = setting.salutation;
    let mut first = true;
    let mut blocks = blocks(text).into_iter().peekable();
    while let Some(block) = blocks.next() {
        match block {
            Block::Paragraph(lines) => {
                let class = if hail && is_salutation(&lines, blocks.peek().is_some()) {
                    " class=\"hail\""
                } else if std::mem::take(&mut first) {
                    " class=\"first\""
                } else {
                    ""
                };
                out.push_str("<p");
                out.push_str(class);
                out.push('>');
                set_lines(&mut out, &lines, setting);
                out.push_str("</p>\n");
            }
            Block::Quotation(lines) => {
                out.push_str("<blockquote><p>");
                set_lines(&mut out, &lines, setting);
                out.push_str("</p></blockquote>\n");
            }
            Block::Bullets(items) => set_list(&mut out, "ul", &items, setting),
            Block::Numbers(items) => set_list(&mut out, "ol", &items, setting),
            Block::Crosshead(words) => {
                out.push_str("<p class=\"crosshead\">");
                set_lines(&mut out, &[words], setting);
                out.push_str("</p>\n");
            }
            Block::Ornament => out.push_str("<hr class=\"ornament\">\n"),
        }
        hail = false;
    }
    out
}

/// The words alone: marks and line ends are gone. For lists, previews and reading aloud.
pub fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for block in blocks(text) {
        let lines: Vec<&str> = match block {
            Block::Paragraph(lines) | Block::Quotation(lines) => lines,
            Block::Bullets(items) | Block::Numbers(items) => items.into_iter().flatten().collect(),
            Block::Crosshead(words) => vec![words],
            Block::Ornament => continue,
        };
        let joined = lines.join(" ");
        for piece in pieces(&joined) {
            if let Piece::Words(words) = piece {
                out.push_str(words);
            }
        }
        out.push(' ');
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The beginning of a text in at most `characters` characters, cut between words.
pub fn excerpt(text: &str, characters: usize) -> String {
    let words = plain(text);
    if words.chars().count() <= characters {
        return words;
    }
    let mut out = String::new();
    let mut length = 0;
    for word in words.split(' ') {
        let longer = length + word.chars().count() + usize::from(length > 0);
        if longer + 1 > characters {
            break;
        }
        if length > 0 {
            out.push(' ');
        }
        out.push_str(word);
        length = longer;
    }
    if out.is_empty() {
        out.extend(words.chars().take(characters.saturating_sub(1)));
    }
    out.push('…');
    out
}

/// Text with everything written out that means something in HTML.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    escape_into(&mut out, text);
    out
}

fn escape_into(out: &mut String, text: &str) {
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' => out.push(' '),
            '\n' => out.push('\n'),
            // Marks that turn the direction of writing can make a text read other than it is; others show nothing.
            _ if is_unseen(character) => {}
            _ => out.push(character),
        }
    }
}

/// Whether a character is a control character or one that changes how its neighbours are read.
fn is_unseen(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
}

/// A short line with its comma, or an even shorter one with a full stop before all else: a great initial would stand taller than it.
fn is_salutation(lines: &[&str], goes_on: bool) -> bool {
    let [line] = lines else {
        return false;
    };
    match line.chars().count() {
        ..=60 if goes_on => line.trim_end().ends_with([',', '!', ':', '.']),
        ..=120 => line.trim_end().ends_with([',', '!', ':']),
        _ => false,
    }
}

fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut out: Vec<Block<'_>> = Vec::new();
    let mut fresh = true;
    let all: Vec<&str> = text.lines().map(str::trim).collect();
    for (at, line) in all.iter().copied().enumerate() {
        if line.is_empty() {
            fresh = true;
            continue;
        }
        if matches!(line, "---" | "***" | "* * *") {
            out.push(Block::Ornament);
            fresh = true;
            continue;
        }
        if let Some(words) = line.strip_prefix('#').map(|rest| rest.trim_start_matches('#').trim())
            && !words.is_empty()
        {
            out.push(Block::Crosshead(words));
            fresh = true;
            continue;
        }
        let last = if fresh { None } else { out.last_mut() };
        fresh = false;
        if let Some(words) = line.strip_prefix('>') {
            match last {
                Some(Block::Quotation(lines)) => lines.push(words.trim_start()),
                _ => out.push(Block::Quotation(vec![words.trim_start()])),
            }
        } else if let Some(words) = bullet(line) {
            match last {
                Some(Block::Bullets(items)) => items.push(vec![words]),
                _ => out.push(Block::Bullets(vec![vec![words]])),
            }
        } else if let Some((number, words)) = numbered(line)
            && (matches!(last, Some(Block::Numbers(_))) || number == 1 && goes_on(&all, at))
        {
            match last {
                Some(Block::Numbers(items)) => items.push(vec![words]),
                _ => out.push(Block::Numbers(vec![vec![words]])),
            }
        } else {
            match last {
                Some(Block::Paragraph(lines) | Block::Quotation(lines)) => lines.push(line),
                Some(Block::Bullets(items) | Block::Numbers(items)) => {
                    if let Some(item) = items.last_mut() {
                        item.push(line);
                    }
                }
                _ => out.push(Block::Paragraph(vec![line])),
            }
        }
    }
    out
}

fn bullet(line: &str) -> Option<&str> {
    line.strip_prefix("- ")
        .or_else(|| line.strip_prefix("* "))
        .or_else(|| line.strip_prefix("• "))
        .map(str::trim_start)
}

fn numbered(line: &str) -> Option<(u32, &str)> {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 || digits > 2 {
        return None;
    }
    let number = line.get(..digits)?.parse().ok()?;
    Some((number, line.get(digits..)?.strip_prefix(". ")?.trim_start()))
}

/// Whether a list that begins in this line has a second item. A date such as "1. November" begins no list.
fn goes_on(lines: &[&str], at: usize) -> bool {
    let following = lines.iter().skip(at + 1).take(8);
    following
        .take_while(|line| !line.is_empty())
        .any(|line| matches!(numbered(line), Some((2, _))))
}

fn set_list(out: &mut String, tag: &str, items: &[Vec<&str>], setting: Setting) {
    out.push_str(&format!("<{tag}>"));
    for lines in items {
        out.push_str("<li>");
        set_lines(out, lines, setting);
        out.push_str("</li>");
    }
    out.push_str(&format!("</{tag}>\n"));
}

fn set_lines(out: &mut String, lines: &[&str], setting: Setting) {
    let joined = lines.join("\n");
    for piece in pieces(&joined) {
        match piece {
            Piece::Words(words) => set_words(out, words, setting),
            Piece::Open(mark) => out.push_str(mark.opening()),
            Piece::Close(mark) => out.push_str(mark.closing()),
        }
    }
}

fn set_words(out: &mut String, words: &str, setting: Setting) {
    for (number, line) in words.split('\n').enumerate() {
        if number > 0 {
            out.push_str("<br>\n");
        }
        match setting.hyphens {
            Some(language) => escape_into(out, &hyphen::soften(line, language)),
            None => escape_into(out, line),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mark {
    Emphasis,
    Strong,
}

impl Mark {
    fn opening(self) -> &'static str {
        match self {
            Self::Emphasis => "<em>",
            Self::Strong => "<strong>",
        }
    }

    fn closing(self) -> &'static str {
        match self {
            Self::Emphasis => "</em>",
            Self::Strong => "</strong>",
        }
    }
}

/// A stretch of words, or where an emphasis begins or ends. Openings and closings are paired and nested.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Piece<'a> {
    Words(&'a str),
    Open(Mark),
    Close(Mark),
}

/// A mark as it stands in the text.
#[derive(Clone, Copy)]
struct Sign {
    at: usize,
    length: usize,
    character: char,
    opens: bool,
    closes: bool,
}

fn pieces(text: &str) -> Vec<Piece<'_>> {
    let (signs, escapes) = signs(text);
    let roles = pair(&signs);
    let mut out = Vec::with_capacity(signs.len() * 2 + 1);
    let mut from = 0;
    let mut cuts: Vec<(usize, usize, Option<Piece<'_>>)> = escapes.into_iter().map(|at| (at, 1, None)).collect();
    for (sign, role) in signs.iter().zip(roles) {
        if let Some(piece) = role {
            cuts.push((sign.at, sign.length, Some(piece)));
        }
    }
    cuts.sort_by_key(|(at, ..)| *at);
    for (at, length, piece) in cuts {
        if let Some(words) = text.get(from..at)
            && !words.is_empty()
        {
            out.push(Piece::Words(words));
        }
        out.extend(piece);
        from = at + length;
    }
    if let Some(words) = text.get(from..)
        && !words.is_empty()
    {
        out.push(Piece::Words(words));
    }
    out
}

/// All marks of a text, and the places of the backslashes that take a mark its meaning.
fn signs(text: &str) -> (Vec<Sign>, Vec<usize>) {
    let mut signs = Vec::new();
    let mut escapes = Vec::new();
    let mut before: Option<char> = None;
    let mut rest = text.char_indices().peekable();
    while let Some((at, character)) = rest.next() {
        match character {
            '\\' => {
                if let Some((_, next)) = rest.peek().copied()
                    && next.is_ascii_punctuation()
                {
                    escapes.push(at);
                    rest.next();
                    before = Some(next);
                    continue;
                }
            }
            '*' | '_' => {
                let mut length = 1;
                if rest.peek().is_some_and(|(_, next)| *next == character) && character == '*' {
                    rest.next();
                    length = 2;
                }
                let after = rest.peek().map(|(_, next)| *next);
                let solid = |side: Option<char>| side.is_some_and(|c| !c.is_whitespace());
                let word = |side: Option<char>| side.is_some_and(char::is_alphanumeric);
                signs.push(Sign {
                    at,
                    length,
                    character,
                    // Inside a word an underscore is a letter like any other.
                    opens: solid(after) && (character == '*' || !word(before)),
                    closes: solid(before) && (character == '*' || !word(after)),
                });
            }
            _ => {}
        }
        before = Some(character);
    }
    (signs, escapes)
}

/// Which marks open and close an emphasis; the others are text.
fn pair<'a>(signs: &[Sign]) -> Vec<Option<Piece<'a>>> {
    let mut roles = vec![None; signs.len()];
    // At most one emphasis of each kind is open at a time, so the stack stays short.
    let mut open: Vec<(usize, Mark, char)> = Vec::new();
    for (number, sign) in signs.iter().enumerate() {
        let mark = if sign.length == 2 { Mark::Strong } else { Mark::Emphasis };
        let place = open
            .iter()
            .position(|(_, kind, character)| *kind == mark && *character == sign.character);
        match place {
            Some(place) if sign.closes => {
                let Some((opening, ..)) = open.get(place).copied() else {
                    continue;
                };
                // What was opened inside and is not closed yet stays text.
                open.truncate(place);
                if let Some(role) = roles.get_mut(opening) {
                    *role = Some(Piece::Open(mark));
                }
                if let Some(role) = roles.get_mut(number) {
                    *role = Some(Piece::Close(mark));
                }
            }
            None if sign.opens && !open.iter().any(|(_, kind, _)| *kind == mark) => {
                open.push((number, mark, sign.character));
            }
            _ => {}
        }
    }
    roles
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plainly(text: &str) -> String {
        html(text, Setting::default())
    }

    #[test]
    fn paragraphs_lines_and_emphasis() {
        assert_eq!(
            plainly("Eins *zwei* und\n**drei**.\n\nVier_fünf_sechs _sieben_"),
            "<p class=\"first\">Eins <em>zwei</em> und<br>\n<strong>drei</strong>.</p>\n<p>Vier_fünf_sechs <em>sieben</em></p>\n"
        );
    }

    #[test]
    fn lists_quotations_crossheads_and_ornaments() {
        assert_eq!(plainly("- a\n- b\nc"), "<ul><li>a</li><li>b<br>\nc</li></ul>\n");
        assert_eq!(plainly("1. a\n2. b"), "<ol><li>a</li><li>b</li></ol>\n");
        assert_eq!(plainly("1. November"), "<p class=\"first\">1. November</p>\n");
        assert_eq!(
            plainly("12. Mai\n13. Mai"),
            "<p class=\"first\">12. Mai<br>\n13. Mai</p>\n"
        );
        assert_eq!(plainly("> a\n> b"), "<blockquote><p>a<br>\nb</p></blockquote>\n");
        assert_eq!(plainly("## Vom Hofe"), "<p class=\"crosshead\">Vom Hofe</p>\n");
        assert_eq!(plainly("---"), "<hr class=\"ornament\">\n");
    }

    #[test]
    fn a_salutation_is_the_first_short_line_with_its_comma() {
        let setting = Setting {
            salutation: true,
            ..Setting::default()
        };
        assert_eq!(
            html("Werter Nachbar,\n\nhört zu.", setting),
            "<p class=\"hail\">Werter Nachbar,</p>\n<p class=\"first\">hört zu.</p>\n"
        );
        assert_eq!(html("Hört zu.", setting), "<p class=\"first\">Hört zu.</p>\n");
        assert_eq!(
            html("An den Herrscher der Adler.\n\nHört zu.", setting),
            "<p class=\"hail\">An den Herrscher der Adler.</p>\n<p class=\"first\">Hört zu.</p>\n"
        );
        let long = "Hört zu, denn was ich Euch zu sagen habe, das sage ich nur einmal.";
        assert_eq!(
            html(&format!("{long}\n\nGut."), setting),
            format!("<p class=\"first\">{long}</p>\n<p>Gut.</p>\n")
        );
    }

    #[test]
    fn marks_without_a_partner_are_text() {
        assert_eq!(plainly("2 * 3 und *offen"), "<p class=\"first\">2 * 3 und *offen</p>\n");
        assert_eq!(plainly(r"\*kein\*"), "<p class=\"first\">*kein*</p>\n");
        assert_eq!(
            plainly("**a *b** c*"),
            "<p class=\"first\"><strong>a *b</strong> c*</p>\n"
        );
    }

    #[test]
    fn nothing_from_outside_becomes_a_tag() {
        for text in [
            "<script>alert(1)</script>",
            "<img src=x onerror=alert(1)>",
            "*<b>*",
            "- <svg/onload=alert(1)>",
            "> </blockquote><script>",
            "# </p><script>",
            "&lt;script&gt;",
            "\\<script>",
            "[x](javascript:alert(1))",
        ] {
            let html = plainly(text);
            assert!(
                !html.contains("<script") && !html.contains("<img") && !html.contains("<svg"),
                "{html}"
            );
            assert!(!html.contains("<b>") && !html.contains("</blockquote><s"), "{html}");
            assert!(!html.contains("<a"), "{html}");
        }
        assert_eq!(plainly("&lt;"), "<p class=\"first\">&amp;lt;</p>\n");
    }

    #[test]
    fn characters_that_turn_the_direction_of_writing_are_left_out() {
        assert_eq!(plainly("a\u{202e}b\u{0}c"), "<p class=\"first\">abc</p>\n");
    }

    #[test]
    fn an_excerpt_is_cut_between_words() {
        assert_eq!(excerpt("Eins *zwei* drei", 16), "Eins zwei drei");
        assert_eq!(excerpt("Eins *zwei* drei", 13), "Eins zwei…");
        assert_eq!(excerpt("Unaussprechlich", 4), "Una…");
    }

    /// Reads the tags of a result: every one is known and they nest.
    fn well_formed(html: &str) -> bool {
        let mut open = Vec::new();
        let mut rest = html;
        while let Some(at) = rest.find('<') {
            let Some(end) = rest[at..].find('>') else { return false };
            let tag = &rest[at + 1..at + end];
            match tag {
                "br" | "hr class=\"ornament\"" => {}
                "p" | "p class=\"first\"" | "p class=\"hail\"" | "p class=\"crosshead\"" => open.push("p"),
                "em" | "strong" | "ul" | "ol" | "li" | "blockquote" => open.push(tag),
                _ => match tag.strip_prefix('/') {
                    Some(name) if open.last() == Some(&name) => {
                        open.pop();
                    }
                    _ => return false,
                },
            }
            rest = &rest[at + end + 1..];
        }
        open.is_empty() && !rest.contains('>')
    }

    #[test]
    fn whatever_is_written_the_result_is_well_formed() {
        // All texts of eight signs out of those that mean something would be too many: a walk through them that repeats itself.
        let alphabet = [
            "*", "**", "_", "a", " ", "\n", "\n\n", "\\", "<", ">", "- ", "1. ", "> ", "#", "---", "&", "\"", "ä",
        ];
        let mut state: u64 = 7;
        for _ in 0..40_000 {
            let mut text = String::new();
            for _ in 0..12 {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                text.push_str(alphabet[(state >> 33) as usize % alphabet.len()]);
            }
            for setting in [
                Setting::default(),
                Setting {
                    hyphens: Some(Language::German),
                    salutation: true,
                },
            ] {
                let html = html(&text, setting);
                assert!(well_formed(&html), "{text:?} became {html:?}");
            }
        }
    }

    #[test]
    fn a_long_hostile_text_takes_linear_time() {
        let started = std::time::Instant::now();
        for text in [
            "*a ".repeat(20_000),
            "**".repeat(30_000),
            "> ".repeat(30_000),
            "a".repeat(60_000),
            "\\*".repeat(30_000),
        ] {
            let setting = Setting {
                hyphens: Some(Language::German),
                salutation: true,
            };
            assert!(!html(&text, setting).contains("<script"));
        }
        assert!(started.elapsed().as_secs() < 5);
    }
}
