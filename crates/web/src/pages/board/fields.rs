//! The fields of a board: their words, and as links and buttons above the counters.

use super::table::{Says, escaped, part};
use kernel::board::Offer;
use kernel::map::{Orientation, Spot};
use render::map::board::centre;
use render::map::{gazetteer, outline};
use std::collections::{BTreeMap, BTreeSet};

/// On larger boards only fields on which something stands or can be done are links of their own.
const FIELDS_MAX: usize = 700;

/// The words of every field.
pub(super) fn labels(says: &Says<'_>) -> BTreeMap<Spot, String> {
    let board = says.board;
    let mut labels: BTreeMap<Spot, String> = gazetteer(&board.scene)
        .into_iter()
        .map(|entry| {
            let mut text = says
                .page
                .t2("board.field-of", "field", &entry.label, "ground", &entry.terrain);
            for more in entry.places.iter().chain(&entry.sides) {
                text += "; ";
                text += more;
            }
            (entry.at, text)
        })
        .collect();
    let storeys: BTreeSet<Spot> = board
        .levels
        .iter()
        .filter(|level| level.height > 0)
        .map(|level| level.at)
        .collect();
    for level in &board.levels {
        let mut counts: Vec<(String, usize)> = Vec::new();
        for piece in board.pieces.iter().filter(|piece| piece.place == level.place) {
            let owner = says.owner(piece);
            let kind = says.reader.wording.piece(&piece.kind);
            let words = if owner.is_empty() {
                kind
            } else {
                format!("{kind} ({owner})")
            };
            match counts.iter_mut().find(|(of, _)| *of == words) {
                Some((_, count)) => *count += 1,
                None => counts.push((words, 1)),
            }
        }
        if counts.is_empty() && level.openings.is_empty() {
            continue;
        }
        let Some(label) = labels.get_mut(&level.at) else {
            continue;
        };
        let mut parts: Vec<String> = says.openings(level).into_iter().map(|(_, text)| text).collect();
        parts.extend(counts.into_iter().map(|(words, count)| match count {
            1 => words,
            count => format!("{count} × {words}"),
        }));
        *label += "; ";
        if storeys.contains(&level.at) {
            *label += &format!("{}: ", says.reader.wording.term_text(&level.name));
        }
        *label += &parts.join(", ");
    }
    labels
}

/// The fields: the light of those where something can be done, to lie below the counters, and links and buttons to lie above them.
pub(super) fn fields(says: &Says<'_>, offers: &[&Offer], open: Option<Spot>) -> (String, String) {
    let board = says.board;
    let orientation = board.scene.orientation;
    let labels = labels(says);
    let mut targets: BTreeMap<Spot, Vec<&Offer>> = BTreeMap::new();
    for offer in offers.iter().copied() {
        if let Some(level) = offer.place.as_deref().and_then(|place| says.level(place)) {
            targets.entry(level.at).or_default().push(offer);
        }
    }
    let busy: BTreeSet<Spot> = board
        .pieces
        .iter()
        .filter_map(|piece| says.level(&piece.place).map(|level| level.at))
        .collect();
    let all = labels.len() <= FIELDS_MAX;
    let names: BTreeMap<Spot, &str> = board
        .scene
        .fields
        .iter()
        .map(|field| (field.at, field.label.as_str()))
        .collect();
    let mut below = String::new();
    let mut out = String::from("<g data-layer=\"fields\">");
    for (at, label) in &labels {
        let here = targets.get(at).map(Vec::as_slice).unwrap_or_default();
        if !all && here.is_empty() && !busy.contains(at) && open != Some(*at) {
            continue;
        }
        let spot = format!("{},{}", at.d, at.y);
        let (x, y) = centre(orientation, *at);
        let rolls = here.iter().any(|offer| offer.rolls);
        let class = if here.is_empty() { "" } else { " target" };
        if !here.is_empty() {
            let light = if rolls { "aim" } else { "step" };
            below += &format!("<path class=\"light {light}\" d=\"{}\"/>", outline(orientation, *at));
        }
        let words: Vec<String> = here
            .iter()
            .take(4)
            .map(|offer| says.reader.wording.term_text(&offer.label))
            .collect();
        let mut label = label.clone();
        if !words.is_empty() {
            label = says
                .page
                .t2("board.can-there", "field", label, "deeds", words.join(", "));
        }
        if let ([offer], false) = (here, rolls) {
            let turned = if orientation == Orientation::FlatTop {
                " flat"
            } else {
                ""
            };
            let (width, height) = if turned.is_empty() { (52.0, 60.0) } else { (60.0, 52.0) };
            out += &format!(
                "<foreignObject x=\"{}\" y=\"{}\" width=\"{width}\" height=\"{height}\"><button class=\"bt{turned}\" form=\"tat\" name=\"zeile\" value=\"{}\" data-spot=\"{spot}\" aria-label=\"{}\" title=\"{}\"></button></foreignObject>",
                x - width / 2.0,
                y - height / 2.0,
                escaped(&offer.line),
                escaped(&label),
                escaped(&label),
            );
            continue;
        }
        let mut href = format!("{}?", says.base);
        if !says.piece.is_empty() {
            href += &format!("figur={}&amp;", part(says.piece));
        }
        if !says.kind.is_empty() {
            href += &format!("art={}&amp;", part(says.kind));
        }
        href += &format!("ort={}#tafel", part(names.get(at).copied().unwrap_or_default()));
        out += &format!(
            "<a class=\"bf{class}{}\" href=\"{href}\" data-spot=\"{spot}\" aria-label=\"{}\"><title>{}</title><path d=\"{}\"/></a>",
            if open == Some(*at) { " open" } else { "" },
            escaped(&label),
            escaped(&label),
            outline(orientation, *at),
        );
    }
    (below, out + "</g>\n")
}
