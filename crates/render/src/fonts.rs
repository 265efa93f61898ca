//! The fonts of maps and pages, for files that carry them along.

use std::sync::OnceLock;

/// Family, weight, style and file of each font.
const FACES: [(&str, u16, &str, &[u8]); 8] = [
    (
        "EB Garamond",
        400,
        "normal",
        include_bytes!("../fonts/EBGaramond-Regular.woff2"),
    ),
    (
        "EB Garamond",
        400,
        "italic",
        include_bytes!("../fonts/EBGaramond-Italic.woff2"),
    ),
    (
        "IM FELL English",
        400,
        "normal",
        include_bytes!("../fonts/IMFellEnglish-Regular.woff2"),
    ),
    (
        "IM FELL English",
        400,
        "italic",
        include_bytes!("../fonts/IMFellEnglish-Italic.woff2"),
    ),
    (
        "IM FELL English SC",
        400,
        "normal",
        include_bytes!("../fonts/IMFellEnglishSC-Regular.woff2"),
    ),
    (
        "Alegreya Sans",
        400,
        "normal",
        include_bytes!("../fonts/AlegreyaSans-Regular.woff2"),
    ),
    (
        "Alegreya Sans",
        700,
        "normal",
        include_bytes!("../fonts/AlegreyaSans-Bold.woff2"),
    ),
    (
        "IBM Plex Mono",
        400,
        "normal",
        include_bytes!("../fonts/IBMPlexMono-Regular.woff2"),
    ),
];

/// The faces a map uses: plain Garamond, the italic Fell, Fell small capitals, both weights of the sans.
const MAP_FACES: [usize; 5] = [0, 3, 4, 5, 6];

/// `@font-face` rules with the fonts in them, for the given faces.
fn rules(faces: impl Iterator<Item = usize>) -> String {
    let mut out = String::new();
    for (family, weight, style, bytes) in faces.filter_map(|n| FACES.get(n)) {
        out += &format!(
            "@font-face{{font-family:\"{family}\";font-weight:{weight};font-style:{style};src:url(data:font/woff2;base64,"
        );
        push_base64(&mut out, bytes);
        out += ") format(\"woff2\")}\n";
    }
    out
}

/// All faces, for a page. Encoded once.
pub(crate) fn page_rules() -> &'static str {
    static RULES: OnceLock<String> = OnceLock::new();
    RULES.get_or_init(|| rules(0..FACES.len()))
}

/// The faces of a map as an element of an SVG. Encoded once.
pub(crate) fn style_element() -> &'static str {
    static ELEMENT: OnceLock<String> = OnceLock::new();
    ELEMENT.get_or_init(|| format!("<style>\n{}</style>\n", rules(MAP_FACES.into_iter())))
}

fn push_base64(out: &mut String, bytes: &[u8]) {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for group in bytes.chunks(3) {
        let byte = |n: usize| u32::from(group.get(n).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for n in 0..4 {
            let letter = LETTERS
                .get((bits >> (18 - 6 * n)) as usize & 63)
                .copied()
                .unwrap_or(b'=');
            out.push(if n <= group.len() { char::from(letter) } else { '=' });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_pads_the_last_group() {
        let encoded = |bytes: &[u8]| {
            let mut out = String::new();
            push_base64(&mut out, bytes);
            out
        };
        assert_eq!(encoded(b""), "");
        assert_eq!(encoded(b"M"), "TQ==");
        assert_eq!(encoded(b"Ma"), "TWE=");
        assert_eq!(encoded(b"Man"), "TWFu");
        assert_eq!(encoded(b"Many hands"), "TWFueSBoYW5kcw==");
    }
}
