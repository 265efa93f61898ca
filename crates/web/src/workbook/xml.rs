//! The little that both packed formats need of XML.

use super::Trouble;
use roxmltree::{Document, Node, ParsingOptions};

/// Elements and texts of a document.
const NODES_MAX: u32 = 400_000;
/// How deep elements may lie in each other.
const DEPTH_MAX: usize = 40;

/// Reads a document. One with definitions of its own is refused.
pub(super) fn parse(text: &str) -> Result<Document<'_>, Trouble> {
    let options = ParsingOptions {
        allow_dtd: false,
        nodes_limit: NODES_MAX,
        ..ParsingOptions::default()
    };
    Document::parse_with_options(text.trim_start_matches('\u{feff}'), options).map_err(|error| match error {
        roxmltree::Error::NodesLimitReached => Trouble::TooLarge,
        _ => Trouble::Unreadable,
    })
}

/// An attribute by its name, whatever its prefix.
pub(super) fn attribute<'a>(node: Node<'a, '_>, name: &str) -> Option<&'a str> {
    let mut own = node.attributes();
    own.find(|attribute| attribute.name() == name)
        .map(|attribute| attribute.value())
}

/// Whether an element has this name, whatever its prefix.
pub(super) fn is(node: Node<'_, '_>, name: &str) -> bool {
    node.is_element() && node.tag_name().name() == name
}

/// The text within an element. `special` says what other elements stand for; those in `without` are passed over.
pub(super) fn text(node: Node<'_, '_>, without: &[&str], special: &dyn Fn(Node<'_, '_>) -> Option<String>) -> String {
    let mut text = String::new();
    gather(node, without, special, 0, &mut text);
    text
}

fn gather(
    node: Node<'_, '_>,
    without: &[&str],
    special: &dyn Fn(Node<'_, '_>) -> Option<String>,
    depth: usize,
    into: &mut String,
) {
    if depth > DEPTH_MAX {
        return;
    }
    for child in node.children() {
        if child.is_text() {
            into.push_str(child.text().unwrap_or_default());
        } else if let Some(instead) = special(child) {
            into.push_str(&instead);
        } else if child.is_element() && !without.contains(&child.tag_name().name()) {
            gather(child, without, special, depth + 1, into);
        }
    }
}

/// A text as it stands in a document.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // No document may have them.
            letter if (letter < ' ' && !matches!(letter, '\t' | '\n')) || matches!(letter, '\u{fffe}' | '\u{ffff}') => {
            }
            letter => out.push(letter),
        }
    }
    out
}
