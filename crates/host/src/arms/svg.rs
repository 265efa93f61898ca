//! Drawings from outside, read part by part and written anew: only what stands in the lists of this file comes through.
//!
//! A drawing is parsed as XML without document types (so without entities), every element and attribute is looked up in a
//! list, every value is read by its kind, and the result is written by this file. Names are numbered anew, references lead
//! only to parts of the same drawing, and what all references together would draw is bounded.

use super::ArmsError;
use crate::limits;
use roxmltree::{Document, Node, ParsingOptions};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

const SVG: &str = "http://www.w3.org/2000/svg";
const XLINK: &str = "http://www.w3.org/1999/xlink";

/// A drawing that was read and written anew.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cleaned {
    /// The drawing: one `svg` element.
    pub svg: String,
    /// Its width.
    pub width: u32,
    /// Its height.
    pub height: u32,
    /// Names of elements that were left out.
    pub left_out: BTreeSet<String>,
}

/// Into what the drawing is put.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Frame {
    /// Into a field of 100 by 120, as arms are.
    Arms,
    /// Into one of its own shape, 800 wide.
    Own,
}

impl Frame {
    /// Bytes of a drawing as it comes.
    const fn limit(self) -> usize {
        match self {
            Self::Arms => limits::DRAWING_BYTES,
            Self::Own => limits::ENGRAVING_BYTES,
        }
    }
}

/// Elements that come through.
const ELEMENTS: [&str; 16] = [
    "svg",
    "g",
    "defs",
    "symbol",
    "use",
    "path",
    "rect",
    "circle",
    "ellipse",
    "line",
    "polyline",
    "polygon",
    "linearGradient",
    "radialGradient",
    "stop",
    "clipPath",
];

/// Elements that say nothing to the eye: nobody needs to hear that they are gone.
const SILENT: [&str; 5] = ["title", "desc", "metadata", "namedview", "style"];

/// How a value is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Length,
    Numbers,
    Path,
    Transform,
    Paint,
    Word(&'static [&'static str]),
    Local,
    Name,
    Link,
}

fn kind(attribute: &str) -> Option<Kind> {
    Some(match attribute {
        "x" | "y" | "cx" | "cy" | "r" | "rx" | "ry" | "x1" | "y1" | "x2" | "y2" | "fx" | "fy" | "fr" | "width"
        | "height" | "offset" | "opacity" | "fill-opacity" | "stroke-opacity" | "stop-opacity" | "stroke-width"
        | "stroke-miterlimit" | "stroke-dashoffset" => Kind::Length,
        "points" | "stroke-dasharray" | "viewBox" => Kind::Numbers,
        "d" => Kind::Path,
        "transform" | "gradientTransform" => Kind::Transform,
        "fill" | "stroke" | "stop-color" | "color" => Kind::Paint,
        "fill-rule" | "clip-rule" => Kind::Word(&["nonzero", "evenodd"]),
        "stroke-linecap" => Kind::Word(&["butt", "round", "square"]),
        "stroke-linejoin" => Kind::Word(&["miter", "round", "bevel"]),
        "gradientUnits" | "clipPathUnits" => Kind::Word(&["userSpaceOnUse", "objectBoundingBox"]),
        "spreadMethod" => Kind::Word(&["pad", "reflect", "repeat"]),
        "display" => Kind::Word(&["none", "inline"]),
        "visibility" => Kind::Word(&["visible", "hidden", "collapse"]),
        "preserveAspectRatio" => Kind::Word(&["none", "xMidYMid", "xMidYMid meet", "xMidYMid slice"]),
        "clip-path" => Kind::Local,
        "id" => Kind::Name,
        "href" => Kind::Link,
        _ => return None,
    })
}

/// A part of the drawing that came through.
struct Part {
    element: &'static str,
    /// Attributes by name; those that refer to a part hold the name as it was written.
    attributes: BTreeMap<&'static str, Value>,
    children: Vec<usize>,
}

enum Value {
    Text(String),
    /// A paint or clip that refers to a part of the drawing.
    Reference(String),
    /// A link to a part of the drawing.
    Link(String),
}

struct Reader {
    parts: Vec<Part>,
    /// Name as written to the part that bears it; the first one counts.
    names: BTreeMap<String, usize>,
    left_out: BTreeSet<String>,
}

/// Reads a drawing and writes it anew.
///
/// # Errors
/// If it is too large, no SVG, without a size, empty, or refers to itself.
pub fn clean(bytes: &[u8]) -> Result<Cleaned, ArmsError> {
    clean_as(bytes, Frame::Arms)
}

/// Reads a drawing and writes it anew into a frame.
///
/// # Errors
/// As [`clean`].
pub fn clean_as(bytes: &[u8], frame: Frame) -> Result<Cleaned, ArmsError> {
    clean_within(bytes, frame, frame.limit())
}

/// Reads a drawing again that this program wrote: it may have grown in the writing.
///
/// # Errors
/// As [`clean`].
pub(crate) fn clean_again(bytes: &[u8], frame: Frame) -> Result<Cleaned, ArmsError> {
    clean_within(bytes, frame, frame.limit() * 2)
}

fn clean_within(bytes: &[u8], frame: Frame, limit: usize) -> Result<Cleaned, ArmsError> {
    if bytes.len() > limit {
        return Err(ArmsError::TooLarge);
    }
    let text = std::str::from_utf8(bytes).map_err(|_| ArmsError::NoDrawing)?;
    let options = ParsingOptions {
        allow_dtd: false,
        nodes_limit: limits::DRAWING_PARTS * 4,
        ..ParsingOptions::default()
    };
    let document =
        Document::parse_with_options(text.trim_start_matches('\u{feff}'), options).map_err(|error| match error {
            roxmltree::Error::NodesLimitReached => ArmsError::TooManyParts,
            _ => ArmsError::NoDrawing,
        })?;
    let root = document.root_element();
    if root.tag_name().name() != "svg" || root.tag_name().namespace() != Some(SVG) {
        return Err(ArmsError::NoDrawing);
    }
    let view = view_box(root).ok_or(ArmsError::NoSize)?;
    let mut reader = Reader {
        parts: Vec::new(),
        names: BTreeMap::new(),
        left_out: BTreeSet::new(),
    };
    let children = reader.children(root, 0)?;
    let drawn = reader.parts.iter().any(|part| is_shape(part.element));
    if !drawn {
        return Err(ArmsError::Empty);
    }
    reader.check_cost(&children)?;
    let numbers: BTreeMap<usize, usize> = (1..)
        .zip(reader.names.values())
        .map(|(number, part)| (*part, number))
        .collect();
    let [x, y, wide, tall] = view;
    let (width, height) = match frame {
        Frame::Arms => (100, 120),
        Frame::Own => (800, (800.0 * tall / wide).clamp(80.0, 1600.0) as u32),
    };
    let mut svg = format!(
        "<svg xmlns=\"{SVG}\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\
         <svg width=\"{width}\" height=\"{height}\" viewBox=\"{x} {y} {wide} {tall}\">"
    );
    for child in children {
        reader.write(&mut svg, child, &numbers);
    }
    svg.push_str("</svg></svg>");
    if svg.len() > limit * 2 {
        return Err(ArmsError::TooLarge);
    }
    Ok(Cleaned {
        svg,
        width,
        height,
        left_out: reader.left_out,
    })
}

fn is_shape(element: &str) -> bool {
    matches!(
        element,
        "path" | "rect" | "circle" | "ellipse" | "line" | "polyline" | "polygon"
    )
}

impl Reader {
    fn children(&mut self, node: Node<'_, '_>, depth: usize) -> Result<Vec<usize>, ArmsError> {
        if depth > limits::DRAWING_DEPTH {
            return Err(ArmsError::TooManyParts);
        }
        let mut children = Vec::new();
        for child in node.children().filter(Node::is_element) {
            let name = child.tag_name().name();
            let known = ELEMENTS.iter().find(|element| **element == name);
            let (Some(element), Some(SVG)) = (known, child.tag_name().namespace()) else {
                if !SILENT.contains(&name) {
                    self.left_out.insert(name.chars().take(40).collect());
                }
                continue;
            };
            if self.parts.len() >= limits::DRAWING_PARTS as usize {
                return Err(ArmsError::TooManyParts);
            }
            let number = self.parts.len();
            let attributes = self.attributes(child, number);
            self.parts.push(Part {
                element,
                attributes,
                children: Vec::new(),
            });
            let below = self.children(child, depth + 1)?;
            if let Some(part) = self.parts.get_mut(number) {
                part.children = below;
            }
            children.push(number);
        }
        Ok(children)
    }

    fn attributes(&mut self, node: Node<'_, '_>, number: usize) -> BTreeMap<&'static str, Value> {
        let mut found = BTreeMap::new();
        for attribute in node.attributes() {
            let ours = match attribute.namespace() {
                None => true,
                Some(XLINK) => attribute.name() == "href",
                Some(_) => false,
            };
            if !ours {
                continue;
            }
            if attribute.name() == "style" {
                for (name, value) in declarations(attribute.value()) {
                    self.take(&mut found, name, value, number);
                }
            } else {
                // What a style says goes before what an attribute says, wherever they stand.
                let styled = node
                    .attribute("style")
                    .is_some_and(|style| declarations(style).any(|(name, _)| name == attribute.name()));
                if !styled {
                    self.take(&mut found, attribute.name(), attribute.value(), number);
                }
            }
        }
        found
    }

    fn take(&mut self, found: &mut BTreeMap<&'static str, Value>, name: &str, value: &str, number: usize) {
        let Some((name, kind)) = ATTRIBUTES
            .iter()
            .find(|known| **known == name)
            .and_then(|known| Some((*known, kind(known)?)))
        else {
            return;
        };
        let value = value.trim();
        if value.is_empty() {
            return;
        }
        let read = match kind {
            Kind::Length => length(value).map(Value::Text),
            Kind::Numbers => numbers(value).map(Value::Text),
            Kind::Path => path(value).map(Value::Text),
            Kind::Transform => transform(value).map(Value::Text),
            Kind::Paint => paint(value),
            Kind::Word(words) => words.contains(&value).then(|| Value::Text(value.to_owned())),
            Kind::Local => local(value).map(Value::Reference),
            Kind::Link => value.strip_prefix('#').and_then(plain_name).map(Value::Link),
            Kind::Name => {
                if let Some(name) = plain_name(value) {
                    self.names.entry(name).or_insert(number);
                }
                None
            }
        };
        if let Some(read) = read {
            found.insert(name, read);
        }
    }

    /// What drawing everything would cost if every reference were drawn in its place. A part that refers to itself, also
    /// by way of others, is refused.
    fn check_cost(&self, roots: &[usize]) -> Result<(), ArmsError> {
        let mut known = BTreeMap::new();
        let mut total = 0_u64;
        for root in roots {
            total = total.saturating_add(self.cost(*root, &mut known)?);
        }
        if total > limits::DRAWING_COST {
            return Err(ArmsError::TooManyParts);
        }
        Ok(())
    }

    fn cost(&self, number: usize, known: &mut BTreeMap<usize, Option<u64>>) -> Result<u64, ArmsError> {
        match known.get(&number) {
            Some(Some(cost)) => return Ok(*cost),
            Some(None) => return Err(ArmsError::Circle),
            None => {}
        }
        known.insert(number, None);
        let mut cost = 1_u64;
        if let Some(part) = self.parts.get(number) {
            let targets = part.attributes.values().filter_map(|value| match value {
                Value::Reference(name) | Value::Link(name) => self.names.get(name).copied(),
                Value::Text(_) => None,
            });
            for next in part.children.iter().copied().chain(targets) {
                cost = cost.saturating_add(self.cost(next, known)?);
            }
        }
        known.insert(number, Some(cost));
        Ok(cost)
    }

    fn write(&self, out: &mut String, number: usize, numbers: &BTreeMap<usize, usize>) {
        let Some(part) = self.parts.get(number) else {
            return;
        };
        let _ = write!(out, "<{}", part.element);
        if let Some(id) = numbers.get(&number) {
            let _ = write!(out, " id=\"p{id}\"");
        }
        for (name, value) in &part.attributes {
            let target = |name: &str| self.names.get(name).and_then(|part| numbers.get(part));
            match value {
                Value::Text(text) => {
                    let _ = write!(out, " {name}=\"{text}\"");
                }
                Value::Reference(to) => {
                    if let Some(id) = target(to) {
                        let _ = write!(out, " {name}=\"url(#p{id})\"");
                    }
                }
                Value::Link(to) => {
                    if let Some(id) = target(to) {
                        let _ = write!(out, " {name}=\"#p{id}\"");
                    }
                }
            }
        }
        if part.children.is_empty() {
            out.push_str("/>");
            return;
        }
        out.push('>');
        for child in &part.children {
            self.write(out, *child, numbers);
        }
        let _ = write!(out, "</{}>", part.element);
    }
}

/// Attributes that come through if their value can be read.
const ATTRIBUTES: [&str; 47] = [
    "x",
    "y",
    "cx",
    "cy",
    "r",
    "rx",
    "ry",
    "x1",
    "y1",
    "x2",
    "y2",
    "fx",
    "fy",
    "fr",
    "width",
    "height",
    "offset",
    "opacity",
    "fill-opacity",
    "stroke-opacity",
    "stop-opacity",
    "stroke-width",
    "stroke-miterlimit",
    "stroke-dashoffset",
    "points",
    "stroke-dasharray",
    "viewBox",
    "d",
    "transform",
    "gradientTransform",
    "fill",
    "stroke",
    "stop-color",
    "color",
    "fill-rule",
    "clip-rule",
    "stroke-linecap",
    "stroke-linejoin",
    "gradientUnits",
    "clipPathUnits",
    "spreadMethod",
    "display",
    "visibility",
    "preserveAspectRatio",
    "clip-path",
    "id",
    "href",
];

fn declarations(style: &str) -> impl Iterator<Item = (&str, &str)> {
    style.split(';').filter_map(|declaration| {
        let (name, value) = declaration.split_once(':')?;
        Some((name.trim(), value.trim()))
    })
}

fn view_box(root: Node<'_, '_>) -> Option<[f64; 4]> {
    let given = root.attribute("viewBox").and_then(|text| {
        let parts: Vec<f64> = text
            .split(|c: char| c.is_whitespace() || c == ',')
            .filter(|part| !part.is_empty())
            .map_while(bounded)
            .collect();
        match parts.as_slice() {
            [x, y, width, height] => Some([*x, *y, *width, *height]),
            _ => None,
        }
    });
    let size = || {
        let side = |name| {
            root.attribute(name)
                .and_then(|text| bounded(text.trim().trim_end_matches("px")))
        };
        Some([0.0, 0.0, side("width")?, side("height")?])
    };
    let [x, y, width, height] = given.or_else(size)?;
    (width > 0.0 && height > 0.0).then_some([x, y, width, height])
}

/// A number of reasonable size.
fn bounded(text: &str) -> Option<f64> {
    if text.is_empty() || text.len() > 40 || !text.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b)) {
        return None;
    }
    text.parse::<f64>()
        .ok()
        .filter(|number| number.is_finite() && number.abs() <= 1e6)
}

fn length(text: &str) -> Option<String> {
    let unit = ["px", "%", "pt", "mm", "cm", "in", "em"]
        .into_iter()
        .find(|unit| text.ends_with(unit))
        .unwrap_or("");
    let number = bounded(text.strip_suffix(unit)?.trim())?;
    Some(format!("{number}{unit}"))
}

fn numbers(text: &str) -> Option<String> {
    if text == "none" {
        return Some(text.to_owned());
    }
    text.bytes()
        .all(|b| b.is_ascii_digit() || b.is_ascii_whitespace() || b"+-.,eE%".contains(&b))
        .then(|| single_spaced(text))
}

fn path(text: &str) -> Option<String> {
    text.bytes()
        .all(|b| b.is_ascii_digit() || b.is_ascii_whitespace() || b"+-.,eEMmLlHhVvCcSsQqTtAaZz".contains(&b))
        .then(|| single_spaced(text))
}

fn single_spaced(text: &str) -> String {
    text.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}

fn transform(text: &str) -> Option<String> {
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let open = rest.find('(')?;
        let name = rest.get(..open)?.trim();
        if !matches!(name, "matrix" | "translate" | "scale" | "rotate" | "skewX" | "skewY") {
            return None;
        }
        let close = rest.find(')')?;
        numbers(rest.get(open + 1..close)?)?;
        rest = rest.get(close + 1..)?.trim_start_matches([' ', ',', '\n', '\t', '\r']);
    }
    Some(single_spaced(text))
}

fn paint(text: &str) -> Option<Value> {
    if let Some(name) = local(text) {
        return Some(Value::Reference(name));
    }
    // A reference with a colour for want of it, as some programs write.
    if let Some(end) = text.find(')')
        && text.starts_with("url(")
    {
        return text.get(..=end).and_then(local).map(Value::Reference);
    }
    colour(text).then(|| Value::Text(text.to_owned()))
}

fn colour(text: &str) -> bool {
    if text.len() > 60 {
        return false;
    }
    if let Some(digits) = text.strip_prefix('#') {
        return matches!(digits.len(), 3 | 4 | 6 | 8) && digits.bytes().all(|b| b.is_ascii_hexdigit());
    }
    if let Some(inner) = ["rgb(", "rgba(", "hsl(", "hsla("]
        .into_iter()
        .find_map(|open| text.strip_prefix(open))
        .and_then(|rest| rest.strip_suffix(')'))
    {
        return numbers(inner).is_some() && !inner.is_empty();
    }
    text.len() <= 24 && text.bytes().all(|b| b.is_ascii_alphabetic())
}

/// The name in `url(#name)`.
fn local(text: &str) -> Option<String> {
    let inner = text.strip_prefix("url(")?.strip_suffix(')')?.trim();
    let inner = inner.trim_matches(['"', '\'']);
    plain_name(inner.strip_prefix('#')?)
}

fn plain_name(text: &str) -> Option<String> {
    let fine = !text.is_empty()
        && text.len() <= 80
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | ':'));
    fine.then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawing(inner: &str) -> Result<Cleaned, ArmsError> {
        clean(format!("<svg xmlns=\"{SVG}\" xmlns:xlink=\"{XLINK}\" viewBox=\"0 0 10 12\">{inner}</svg>").as_bytes())
    }

    fn svg(inner: &str) -> String {
        drawing(inner).expect("a sound drawing").svg
    }

    #[test]
    fn shapes_colours_gradients_and_styles_come_through() {
        let out = svg(
            "<defs><linearGradient id=\"gold\"><stop offset=\"50%\" style=\"stop-color:#fc0;stop-opacity:1\"/></linearGradient></defs>\
             <g transform=\"translate(1,2) rotate(45)\"><path d=\"M0 0L5 5Z\" style=\"fill:url(#gold);stroke:red\" fill=\"blue\"/></g>",
        );
        assert_eq!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100\" height=\"120\" viewBox=\"0 0 100 120\"><svg width=\"100\" height=\"120\" viewBox=\"0 0 10 12\">\
             <defs><linearGradient id=\"p1\"><stop offset=\"50%\" stop-color=\"#fc0\" stop-opacity=\"1\"/></linearGradient></defs>\
             <g transform=\"translate(1,2) rotate(45)\"><path d=\"M0 0L5 5Z\" fill=\"url(#p1)\" stroke=\"red\"/></g></svg></svg>"
        );
    }

    #[test]
    fn scripts_handlers_and_foreign_content_are_gone() {
        let shape = "<path d=\"M0 0h1\"/>";
        for hostile in [
            "<script>alert(1)</script>",
            "<script xlink:href=\"https://evil.example/x.js\"/>",
            "<g onload=\"alert(1)\" onclick=\"alert(1)\"><path d=\"M0 0h2\"/></g>",
            "<foreignObject><body xmlns=\"http://www.w3.org/1999/xhtml\"><script>alert(1)</script></body></foreignObject>",
            "<image href=\"https://evil.example/pixel.png\"/>",
            "<use href=\"https://evil.example/a.svg#x\"/>",
            "<use xlink:href=\"data:image/svg+xml,%3Csvg/%3E#x\"/>",
            "<a xlink:href=\"javascript:alert(1)\"><path d=\"M0 0h3\"/></a>",
            "<animate attributeName=\"href\" values=\"javascript:alert(1)\"/>",
            "<set attributeName=\"onmouseover\" to=\"alert(1)\"/>",
            "<style>path{fill:url(https://evil.example/x)}</style>",
            "<style>@import 'https://evil.example/x.css';</style>",
            "<path d=\"M0 0h1\" style=\"fill:url(https://evil.example/x)\"/>",
            "<path d=\"M0 0h1\" fill=\"url(https://evil.example/x#y)\"/>",
            "<path d=\"M0 0h1\" style=\"background:url(javascript:alert(1))\"/>",
            "<path d=\"M0 0h1\" style=\"fill:expression(alert(1))\"/>",
            "<path d=\"M0 0h1\" fill=\"red&quot; onload=&quot;alert(1)\"/>",
            "<path d=\"M0 0h1&quot;/&gt;&lt;script&gt;alert(1)&lt;/script&gt;\"/>",
            "<path id=\"&quot;&gt;&lt;script&gt;\" d=\"M0 0h1\"/>",
            "<text>alert</text><filter id=\"f\"><feImage href=\"https://evil.example\"/></filter>",
            "<h:script xmlns:h=\"http://www.w3.org/1999/xhtml\">alert(1)</h:script>",
            "<handler xmlns=\"http://www.w3.org/2001/xml-events\">alert(1)</handler>",
        ] {
            let out = svg(&format!("{shape}{hostile}"));
            for word in [
                "script",
                "alert",
                "evil",
                "onload",
                "onclick",
                "javascript",
                "data:",
                "import",
                "expression",
                "foreign",
                "image",
                "handler",
                "style",
                "animate",
                "&",
            ] {
                assert!(!out.contains(word), "{word} of {hostile} is in {out}");
            }
            assert!(out.contains(shape), "{out}");
        }
    }

    #[test]
    fn document_types_and_entities_are_refused() {
        for bomb in [
            format!(
                "<!DOCTYPE svg [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;\">]><svg xmlns=\"{SVG}\" viewBox=\"0 0 1 1\"><path d=\"&b;\"/></svg>"
            ),
            format!(
                "<!DOCTYPE svg [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><svg xmlns=\"{SVG}\" viewBox=\"0 0 1 1\"><text>&x;</text></svg>"
            ),
        ] {
            assert_eq!(clean(bomb.as_bytes()), Err(ArmsError::NoDrawing));
        }
    }

    #[test]
    fn what_is_no_drawing_is_refused() {
        for (bytes, error) in [
            (&b"<html><body/></html>"[..], ArmsError::NoDrawing),
            (b"\xff\xfe\x00", ArmsError::NoDrawing),
            (b"", ArmsError::NoDrawing),
            (
                b"<svg viewBox=\"0 0 1 1\"><path d=\"M0 0\"/></svg>",
                ArmsError::NoDrawing,
            ),
            (
                b"<svg xmlns=\"http://www.w3.org/2000/svg\"><path d=\"M0 0h1\"/></svg>",
                ArmsError::NoSize,
            ),
            (
                b"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 0 1\"><path d=\"M0 0h1\"/></svg>",
                ArmsError::NoSize,
            ),
            (
                b"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1 1\"><g/></svg>",
                ArmsError::Empty,
            ),
        ] {
            assert_eq!(clean(bytes), Err(error), "{}", String::from_utf8_lossy(bytes));
        }
    }

    #[test]
    fn too_large_too_many_and_too_deep_are_refused() {
        let large = format!("<path d=\"{}\"/>", "M0 0 ".repeat(limits::DRAWING_BYTES / 5));
        assert_eq!(drawing(&large), Err(ArmsError::TooLarge));
        let limit = limits::DRAWING_PARTS as usize;
        let path = "<path d=\"M0 0\"/>";
        assert!(drawing(&path.repeat(limit)).is_ok());
        assert_eq!(drawing(&path.repeat(limit + 1)), Err(ArmsError::TooManyParts));
        let nested = |depth: usize| format!("{}{path}{}", "<g>".repeat(depth), "</g>".repeat(depth));
        // The path lies one deeper than the groups around it.
        assert!(drawing(&nested(limits::DRAWING_DEPTH - 1)).is_ok());
        assert_eq!(drawing(&nested(limits::DRAWING_DEPTH)), Err(ArmsError::TooManyParts));
        assert_eq!(drawing(&nested(6_000)), Err(ArmsError::TooManyParts));
    }

    #[test]
    fn references_that_multiply_or_go_in_circles_are_refused() {
        let mut bomb = String::from("<g id=\"a0\"><path d=\"M0 0h1\"/></g>");
        for level in 1..8 {
            let uses = format!("<use href=\"#a{}\"/>", level - 1).repeat(10);
            bomb.push_str(&format!("<g id=\"a{level}\">{uses}</g>"));
        }
        assert_eq!(drawing(&bomb), Err(ArmsError::TooManyParts));
        let circle = "<g id=\"a\"><use href=\"#b\"/></g><g id=\"b\"><use href=\"#a\"/><path d=\"M0 0h1\"/></g>";
        assert_eq!(drawing(circle), Err(ArmsError::Circle));
        let itself = "<g id=\"a\"><use href=\"#a\"/><path d=\"M0 0h1\"/></g>";
        assert_eq!(drawing(itself), Err(ArmsError::Circle));
        let clip = "<clipPath id=\"c\"><path d=\"M0 0h1\" clip-path=\"url(#c)\"/></clipPath>";
        assert_eq!(drawing(clip), Err(ArmsError::Circle));
    }

    #[test]
    fn a_cleaned_drawing_loses_nothing_when_it_is_cleaned_again() {
        let once = svg("<g id=\"a\"><path d=\"M0 0h1\" fill=\"#abc\"/></g><use href=\"#a\" x=\"2\"/>");
        let twice = clean(once.as_bytes()).expect("sound");
        assert!(twice.left_out.is_empty());
        let inner = "<g id=\"p1\"><path d=\"M0 0h1\" fill=\"#abc\"/></g><use href=\"#p1\" x=\"2\"/>";
        assert!(once.contains(inner) && twice.svg.contains(inner), "{}", twice.svg);
    }

    #[test]
    fn what_was_left_out_is_named() {
        let out = drawing("<path d=\"M0 0h1\"/><text>x</text><title>y</title>").expect("sound");
        assert_eq!(out.left_out.into_iter().collect::<Vec<_>>(), ["text"]);
    }

    #[test]
    fn every_listed_attribute_has_a_kind() {
        assert!(ATTRIBUTES.iter().all(|name| kind(name).is_some()));
    }

    #[test]
    fn bent_drawings_never_let_anything_through() {
        // Cuts, doublings and swaps of a drawing full of hostile parts.
        let seed = format!(
            "<svg xmlns=\"{SVG}\" xmlns:xlink=\"{XLINK}\" viewBox=\"0 0 10 10\"><script>alert(1)</script><g onload=\"alert(1)\">\
             <use xlink:href=\"javascript:alert(1)\"/><path d=\"M0 0\" style=\"fill:url(http://evil)\"/></g><![CDATA[<script>]]>\
             <?xml-stylesheet href=\"http://evil\"?><!-- <script> --></svg>"
        );
        let mut state: u64 = 3;
        let mut next = move |bound: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % bound.max(1)
        };
        for _ in 0..20_000 {
            let mut bytes = seed.clone().into_bytes();
            for _ in 0..=next(4) {
                let (one, other) = (next(bytes.len()), next(bytes.len()));
                match next(3) {
                    0 => bytes.swap(one, other),
                    1 => {
                        let piece: Vec<u8> = bytes[one.min(other)..one.max(other)].to_vec();
                        let at = next(bytes.len());
                        bytes.splice(at..at, piece);
                    }
                    _ => {
                        bytes.remove(one);
                    }
                }
            }
            if let Ok(cleaned) = clean(&bytes) {
                for word in ["script", "alert", "evil", "on", "java"] {
                    let text = cleaned.svg.replace("polygon", "").replace("none", "");
                    let text = text.trim_start_matches(&format!("<svg xmlns=\"{SVG}\""));
                    assert!(!text.contains(word), "{word} in {}", cleaned.svg);
                }
            }
        }
    }
}
