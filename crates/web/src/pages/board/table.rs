//! What lies on the table, in words and mark-up: the picture with its fields, the piece in hand, the storeys of a field, the draft.

use super::fields::fields;
use super::kinds::{Choice, Kind, Sort};
use crate::kept;
use crate::page::Page;
use crate::pages::orders::finding::{Finding, findings};
use crate::pages::report::Reader;
use kernel::any::Checked;
use kernel::board::{Board, Level, Offer, Opening, Piece, TURN};
use kernel::diagnostic::Severity;
use kernel::map::{Orientation, Side, Spot};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use render::locale::Language;
use render::map::board::{BoardOptions, live_counter, live_ground, live_over, live_scene, opening_name};
use render::map::gazetteer;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Sides of a field.
const ALL_SIDES: usize = Side::ALL.len();

/// Colours of the parts of a bar.
const TONES: usize = 5;

/// A part of an address.
pub(super) fn part(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}

/// Text without mark-up.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            letter => out.push(letter),
        }
    }
    out
}

/// What can come of a deed.
pub struct Odd {
    /// Class of its part of the bar.
    pub class: usize,
    /// Where its part begins, in tenths of a percent.
    pub from: u64,
    /// How wide it is.
    pub width: u64,
    /// What happens.
    pub text: String,
    /// How likely it is, in percent.
    pub percent: String,
}

/// A deed that can be chosen.
pub struct OfferView {
    /// Its words.
    pub label: String,
    /// The line for the draft.
    pub line: String,
    /// Whether it throws dice.
    pub rolls: bool,
    /// Its field in the picture, as `d,y`.
    pub spot: String,
    /// What can come of it.
    pub odds: Vec<Odd>,
}

/// A piece in words, with its counter.
pub struct Chip {
    /// As players write it.
    pub name: String,
    /// Its kind in words.
    pub kind: String,
    /// Whose it is; empty for nobody's.
    pub owner: String,
    /// Its counter as mark-up.
    pub counter: String,
    /// Its address.
    pub href: String,
    /// What is the matter with it.
    pub states: String,
    /// Whether the viewer can do something with it.
    pub can_act: bool,
    /// Whether it is chosen.
    pub chosen: bool,
    /// The piece that carries it.
    pub on: String,
}

/// The piece that is chosen.
pub struct Hand {
    /// The piece.
    pub chip: Chip,
    /// Where it is.
    pub place: String,
    /// Steps left, in words.
    pub steps: String,
    /// What it can do at the field that is open.
    pub here: Option<Sort>,
    /// What it can do.
    pub kinds: Vec<Kind>,
    /// Where all kinds are listed, if one was asked for.
    pub all: String,
}

/// One storey.
pub struct Storey {
    /// What it is called.
    pub name: String,
    /// As players write it.
    pub place: String,
    /// Room, in words.
    pub room: String,
    /// Share of the room that is taken, in percent.
    pub taken: i64,
    /// Whether more stand there than fit.
    pub crowded: bool,
    /// Gates and the like, in words.
    pub openings: Vec<(&'static str, String)>,
    /// Who is there.
    pub chips: Vec<Chip>,
    /// Whether it lies on the ground.
    pub ground: bool,
}

/// A cut through a field.
pub struct Cut {
    /// The field and its ground.
    pub title: String,
    /// What else is there: buildings, rivers, walls.
    pub notes: Vec<String>,
    /// Its storeys, the uppermost first.
    pub storeys: Vec<Storey>,
    /// Whether something is built there.
    pub built: bool,
}

/// The viewer's own pieces of one place.
pub struct Own {
    /// The place.
    pub place: String,
    /// The pieces.
    pub chips: Vec<Chip>,
}

/// A line of the draft.
pub struct Line {
    /// Its number, from 1.
    pub number: usize,
    /// Its text.
    pub text: String,
    /// Whether it is among the last ones that the page shows.
    pub shown: bool,
}

/// Everything on the table.
pub struct Laid {
    /// The board.
    pub board: Board,
    /// Its picture.
    pub picture: String,
    /// Field at which a script's cursor begins, as `d,y`.
    pub cursor: String,
    /// What the board says beside itself.
    pub notes: Vec<String>,
    /// Whose turn it is.
    pub mover: String,
    /// The piece that is chosen; empty if there is none of that name.
    pub piece: String,
    /// The piece that is chosen.
    pub hand: Option<Hand>,
    /// The field that is open.
    pub cut: Option<Cut>,
    /// The kind of deeds that was asked for.
    pub kind: String,
    /// What concerns no single piece.
    pub general: Vec<Kind>,
    /// Whether a kind of that was asked for.
    pub general_asked: bool,
    /// What ends the turn.
    pub ends: Vec<OfferView>,
    /// The viewer's own pieces.
    pub own: Vec<Own>,
    /// The draft.
    pub lines: Vec<Line>,
    /// What is wrong with it.
    pub findings: Vec<Finding>,
}

/// The words of a board.
pub(super) struct Says<'a> {
    pub page: &'a Page,
    pub reader: &'a Reader,
    pub board: &'a Board,
    /// What the address of the page begins with.
    pub base: &'a str,
    /// The piece that is chosen.
    pub piece: &'a str,
    /// The kind of deeds that was asked for.
    pub kind: &'a str,
}

impl Says<'_> {
    pub fn owner(&self, piece: &Piece) -> String {
        let style = piece.owner.and_then(|owner| self.board.scene.realms.get(&owner.0));
        style.map(|style| style.name.clone()).unwrap_or_default()
    }

    pub fn level(&self, place: &str) -> Option<&Level> {
        self.board.levels.iter().find(|level| level.place == place)
    }

    fn chip(&self, piece: &Piece) -> Chip {
        let height = self.level(&piece.place).map_or(0, |level| level.height);
        let states: Vec<String> = piece.states.iter().map(|state| self.reader.word(state)).collect();
        Chip {
            name: piece.name.clone(),
            kind: self.reader.wording.piece(&piece.kind),
            owner: self.owner(piece),
            counter: live_counter(&self.board.scene, piece, height),
            href: format!("{}?figur={}", self.base, part(&piece.name)),
            states: states.join(", "),
            can_act: piece.can_act,
            chosen: piece.name == self.piece,
            on: piece.on.clone().unwrap_or_default(),
        }
    }

    pub fn offer(&self, offer: &Offer) -> OfferView {
        let at = offer
            .place
            .as_deref()
            .and_then(|place| self.level(place))
            .map(|level| level.at);
        let mut from = 0;
        let odds = offer.chances.iter().enumerate().map(|(n, chance)| {
            let width = thousandths(chance.cases, chance.of);
            let odd = Odd {
                class: n % TONES,
                from,
                width,
                text: self.reader.word(&chance.key),
                percent: percent(self.page.words.language(), width),
            };
            from += width;
            odd
        });
        OfferView {
            odds: odds.collect(),
            label: self.reader.wording.term_text(&offer.label),
            line: offer.line.clone(),
            rolls: offer.rolls,
            spot: at.map(|at| format!("{},{}", at.d, at.y)).unwrap_or_default(),
        }
    }

    fn side(&self, side: Side) -> String {
        let flat = self.board.scene.orientation == Orientation::FlatTop;
        match (side, flat) {
            (Side::NorthEast, _) => self.page.t("board.side-ne"),
            (Side::East, false) => self.page.t("board.side-e"),
            (Side::SouthEast, false) | (Side::NorthWest, true) => self.page.t("board.side-se"),
            (Side::SouthWest, _) => self.page.t("board.side-sw"),
            (Side::West, false) => self.page.t("board.side-w"),
            (Side::NorthWest, false) | (Side::SouthEast, true) => self.page.t("board.side-nw"),
            (Side::East, true) => self.page.t("board.side-n"),
            (Side::West, true) => self.page.t("board.side-s"),
        }
    }

    /// What the walls of a level have in them, each thing once with all its sides.
    pub fn openings(&self, level: &Level) -> Vec<(&'static str, String)> {
        let mut found: Vec<(Opening, Vec<String>)> = Vec::new();
        for (side, opening) in &level.openings {
            let side = self.side(*side);
            match found.iter_mut().find(|(of, _)| of == opening) {
                Some((_, sides)) => sides.push(side),
                None => found.push((*opening, vec![side])),
            }
        }
        let told = found.into_iter().map(|(opening, sides)| {
            let sides = match sides.len() {
                ALL_SIDES.. => self.page.t("board.all-around"),
                _ => sides.join(", "),
            };
            (opening_name(opening), format!("{sides}: {}", self.opening(opening)))
        });
        told.collect()
    }

    fn opening(&self, opening: Opening) -> String {
        match opening {
            Opening::Shut => self.page.t("board.gate-shut"),
            Opening::Open => self.page.t("board.gate-open"),
            Opening::Broken => self.page.t("board.gate-broken"),
            Opening::Loophole => self.page.t("board.loophole"),
            Opening::Breach => self.page.t("board.breach"),
        }
    }

    fn storey(&self, level: &Level) -> Storey {
        let here = |piece: &&Piece| piece.place == level.place;
        let (room, taken) = level.room.unwrap_or_default();
        Storey {
            name: self.reader.wording.term_text(&level.name),
            place: level.place.clone(),
            room: match level.room {
                Some((room, taken)) => self.page.t2("board.room", "taken", taken, "room", room),
                None => String::new(),
            },
            taken: match room {
                0 if taken > 0 => 100,
                0 => 0,
                room => taken.saturating_mul(100).checked_div(room).unwrap_or(0).clamp(0, 100),
            },
            crowded: level.room.is_some() && taken > room,
            openings: self.openings(level),
            chips: self
                .board
                .pieces
                .iter()
                .filter(here)
                .map(|piece| self.chip(piece))
                .collect(),
            ground: level.height <= 0,
        }
    }
}

/// Thousandths of a chance, rounded.
fn thousandths(cases: u64, of: u64) -> u64 {
    let of = u128::from(of.max(1));
    let share = (u128::from(cases) * 1_000 + of / 2) / of;
    u64::try_from(share.min(1_000)).unwrap_or(1_000)
}

/// Thousandths as percent: `41,7 %`.
fn percent(language: Language, thousandths: u64) -> String {
    let (whole, tenth) = (thousandths / 10, thousandths % 10);
    match (language, tenth) {
        (_, 0) => format!("{whole} %"),
        (Language::German, tenth) => format!("{whole},{tenth} %"),
        (Language::English, tenth) => format!("{whole}.{tenth} %"),
    }
}

/// Lays everything on the table.
pub(super) fn lay(
    page: &Page,
    reader: &Reader,
    base: &str,
    board: Board,
    draft: &str,
    (piece, place, kind): (&str, &str, &str),
    (offers, general): (Vec<Offer>, Vec<Offer>),
) -> Laid {
    let chosen = board.pieces.iter().find(|of| of.name == piece);
    let choice = Choice::new(&offers, kind);
    let says = Says {
        page,
        reader,
        board: &board,
        base,
        piece: chosen.map_or("", |piece| &piece.name),
        kind: choice.asked(),
    };
    let spot_of = |place: &str| {
        let level = says.level(place).map(|level| level.at);
        level.or_else(|| {
            board
                .scene
                .fields
                .iter()
                .find(|field| field.label == place)
                .map(|field| field.at)
        })
    };
    let asked = spot_of(place).filter(|_| !place.is_empty());
    let open = asked.or_else(|| chosen.and_then(|piece| spot_of(&piece.place)));
    let own = board.scene.own_realm;
    let (below, above) = fields(&says, &choice.shown(), open);
    let picture = live_over(
        &ground(&board),
        &board,
        &BoardOptions {
            id: "b",
            chosen: chosen.map(|piece| piece.name.as_str()),
            below: &below,
            above: &above,
        },
    );
    let hand = chosen.map(|piece| Hand {
        chip: says.chip(piece),
        place: piece.place.clone(),
        steps: match piece.steps {
            Some(steps) => page.n("board.steps", usize::try_from(steps).unwrap_or(0)),
            None => String::new(),
        },
        here: choice.here(&says, asked),
        kinds: choice.kinds(&says, asked),
        all: match choice.asked() {
            "" => String::new(),
            _ => format!("{base}?figur={}#tafel", part(&piece.name)),
        },
    });
    let mut own_pieces: BTreeMap<String, Vec<Chip>> = BTreeMap::new();
    for piece in board
        .pieces
        .iter()
        .filter(|piece| own.is_some() && piece.owner.map(|of| of.0) == own)
    {
        let chip = says.chip(piece);
        own_pieces.entry(piece.place.clone()).or_default().push(chip);
    }
    let mut own_pieces: Vec<Own> = own_pieces
        .into_iter()
        .map(|(place, chips)| Own { place, chips })
        .collect();
    // Whoever can still do something comes first, then by number of the field.
    own_pieces.sort_by_key(|own| {
        let idle = own.chips.iter().all(|chip| !chip.can_act);
        let digits: String = own.place.chars().take_while(char::is_ascii_digit).collect();
        (idle, digits.parse::<u32>().unwrap_or(u32::MAX))
    });
    let (ends, general): (Vec<Offer>, Vec<Offer>) = general.into_iter().partition(|offer| offer.group == TURN);
    let checked = Checked {
        orders: 0,
        diagnostics: board
            .findings
            .iter()
            .filter(|finding| finding.severity != Severity::Hint)
            .cloned()
            .collect(),
    };
    let all: Vec<&str> = draft.lines().filter(|line| !line.trim().is_empty()).collect();
    let hidden = all.len().saturating_sub(super::SHOWN_MAX);
    let lines = all.into_iter().enumerate().map(|(n, text)| Line {
        number: n + 1,
        text: text.trim().chars().take(super::LINE_MAX).collect(),
        shown: n >= hidden,
    });
    let cursor = open.or_else(|| {
        let mut mine = board.pieces.iter().filter(|piece| piece.can_act);
        mine.next().and_then(|piece| spot_of(&piece.place))
    });
    let common = Choice::new(&general, kind);
    let mover = board.mover.and_then(|mover| board.scene.realms.get(&mover.0));
    Laid {
        picture,
        cursor: cursor.map(|at| format!("{},{}", at.d, at.y)).unwrap_or_default(),
        notes: board.notes.iter().map(|note| reader.wording.term_text(note)).collect(),
        mover: mover.map(|mover| mover.name.clone()).unwrap_or_default(),
        piece: says.piece.to_owned(),
        hand,
        cut: open.map(|at| cut(&says, at)),
        kind: says.kind.to_owned(),
        general: common.kinds(&says, None),
        general_asked: !common.asked().is_empty(),
        ends: ends.iter().map(|offer| says.offer(offer)).collect(),
        own: own_pieces,
        lines: lines.collect(),
        findings: findings(reader, page.words, &checked, draft).list,
        board,
    }
}

/// The ground of a board without anything that a click changes: drawn once and kept, known by everything that is drawn.
pub(super) fn ground(board: &Board) -> Arc<str> {
    let scene = live_scene(board);
    match serde_json::to_vec(&scene) {
        Ok(known) => kept::now(kept::key(&[b"ground", &known]), || live_ground(&scene, "b")),
        Err(_) => live_ground(&scene, "b").into(),
    }
}

/// The cut through a field.
pub(super) fn cut(says: &Says<'_>, at: Spot) -> Cut {
    let entry = gazetteer(&says.board.scene).into_iter().find(|entry| entry.at == at);
    let mut levels: Vec<&Level> = says.board.levels.iter().filter(|level| level.at == at).collect();
    levels.sort_by_key(|level| std::cmp::Reverse(level.height));
    let built = levels.iter().any(|level| level.height > 0);
    let (title, notes) = match entry {
        Some(entry) => (
            says.page
                .t2("board.field-of", "field", &entry.label, "ground", &entry.terrain),
            entry.places.into_iter().chain(entry.sides).collect(),
        ),
        None => (String::new(), Vec::new()),
    };
    Cut {
        title,
        notes,
        storeys: levels.into_iter().map(|level| says.storey(level)).collect(),
        built,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_told_in_percent_with_one_decimal() {
        // 90 of 216 is 41.666 percent.
        assert_eq!(percent(Language::German, thousandths(90, 216)), "41,7 %");
        assert_eq!(percent(Language::English, thousandths(90, 216)), "41.7 %");
        assert_eq!(percent(Language::German, thousandths(1, 2)), "50 %");
        assert_eq!(thousandths(u64::MAX, u64::MAX), 1_000);
        assert_eq!(thousandths(1, 0), 1_000);
        assert_eq!(thousandths(0, 36), 0);
    }

    #[test]
    fn what_somebody_wrote_stays_text() {
        assert_eq!(escaped("<a b=\"'&'\">"), "&lt;a b=&quot;&#39;&amp;&#39;&quot;&gt;");
        assert_eq!(part("S#12"), "S%2312");
    }
}
