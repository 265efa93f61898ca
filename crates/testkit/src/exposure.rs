//! Everything one viewer receives after a step, byte for byte, so that two runs can be compared.

use crate::press::Press;
use kernel::any::{open_view, view_schema};
use kernel::codec;
use kernel::diagnostic::Diagnostic;
use kernel::guide::Guide;
use std::fmt::Write as _;

/// What a viewer receives: named parts, readable ones first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Exposure {
    parts: Vec<(&'static str, Vec<u8>)>,
}

impl Exposure {
    /// Adds a part.
    pub fn add(&mut self, name: &'static str, bytes: impl Into<Vec<u8>>) {
        self.parts.push((name, bytes.into()));
    }

    /// Adds findings about orders.
    pub fn add_findings(&mut self, name: &'static str, findings: &[Diagnostic]) {
        let mut text = String::new();
        for finding in findings {
            let _ = writeln!(text, "{finding:?}");
        }
        self.add(name, text);
    }

    /// The first difference, readable; nothing if all bytes are the same.
    pub fn difference(&self, other: &Self) -> Option<String> {
        if self == other {
            return None;
        }
        for ((name, a), (other_name, b)) in self.parts.iter().zip(&other.parts) {
            if name != other_name {
                return Some(format!("one has `{name}` where the other has `{other_name}`"));
            }
            if a != b {
                return Some(format!("{name}: {}", first_difference(a, b)));
            }
        }
        Some(format!("{} parts and {} parts", self.parts.len(), other.parts.len()))
    }

    /// Number of bytes in all.
    pub fn bytes(&self) -> usize {
        self.parts.iter().map(|(_, bytes)| bytes.len()).sum()
    }
}

/// What a view leads to: view, every form of the report, the map, what the guide says, and the open dice.
///
/// Everything is made from the stored bytes of the view, as the host does it.
///
/// # Errors
/// If the view does not survive being stored and read back, or cannot be written as JSON.
pub fn expose<G: Guide>(press: &dyn Press, view: &G::View) -> Result<Exposure, String> {
    let bytes =
        codec::encode(view_schema::<G>(), view).map_err(|error| format!("the view cannot be stored: {error}"))?;
    expose_stored::<G>(press, &bytes)
}

/// The same from the bytes of a view.
///
/// # Errors
/// If they cannot be read, come back changed, or cannot be written as JSON.
pub fn expose_stored<G: Guide>(press: &dyn Press, bytes: &[u8]) -> Result<Exposure, String> {
    let (tables, view) = open_view::<G>(bytes).map_err(|error| format!("the stored view cannot be read: {error}"))?;
    let again = codec::encode(view_schema::<G>(), &view).map_err(|error| error.to_string())?;
    if again != bytes {
        return Err(format!(
            "the stored view comes back changed: {}",
            first_difference(bytes, &again)
        ));
    }
    let mut exposure = Exposure::default();
    let json = serde_json::to_string(&view).map_err(|error| format!("the view cannot be written as JSON: {error}"))?;
    exposure.add("view", json);
    for (name, edition) in press.editions(G::NAME, &|sink| G::report(&tables, &view, sink)) {
        exposure.add(name, edition);
    }
    let scene = G::map(&tables, &view);
    exposure.add("map", press.picture(&scene));
    // Pages and other pictures of the map show more of the scene than one drawing does.
    exposure.add("scene", format!("{scene:?}"));
    exposure.add("typeface", format!("{:?}", G::typeface(&tables, &view)));
    for enclosure in G::enclosures(&tables, &view) {
        exposure.add("enclosure", format!("{}\n{}", enclosure.name, enclosure.text));
    }
    crate::guided::add::<G>(&mut exposure, press, &tables, &view);
    exposure.add("open dice", format!("{:?}", G::open_rolls(&view)));
    exposure.add("stored view", bytes);
    Ok(exposure)
}

/// Where two byte strings part, with some text around it.
pub(crate) fn first_difference(a: &[u8], b: &[u8]) -> String {
    let at = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let line = a[..at.min(a.len())].iter().filter(|byte| **byte == b'\n').count() + 1;
    format!(
        "differs at byte {at} (line {line}):\n  one   {}\n  other {}",
        around(a, at),
        around(b, at)
    )
}

fn around(bytes: &[u8], at: usize) -> String {
    let from = at.saturating_sub(60);
    let to = at.saturating_add(60).min(bytes.len());
    let text = String::from_utf8_lossy(bytes.get(from..to).unwrap_or_default());
    let text: String = text
        .chars()
        .map(|letter| if letter.is_control() { ' ' } else { letter })
        .collect();
    let end = if to == bytes.len() { " (end)" } else { "" };
    format!("{text}{end}")
}
