//! A battle in a few lines of text: for scenarios, for new worlds, for the editor (ARM-GAP-44).
//!
//! The lines are described in `docs/scenarios.md`, section "The board of ARMAGEDDON". Each file reads the lines of one subject:
//! `land`, `players`, `figures`, `course`; `names` finds the places and figures they name, `slip` says why a line cannot be read.

mod course;
pub mod edit;
pub mod export;
mod figures;
mod land;
pub mod muster;
mod names;
mod players;
pub mod ready;
pub mod review;
mod slip;
mod words;

use crate::board::{Board, Province};
use crate::state::{Clock, FigureId, State};
use crate::tables::Tables;
use crate::tables::rulings::CentreKind;
use kernel::hex::Hex;
use kernel::realm::RealmId;
use kernel::stage::{StageError, StageLine};
pub use slip::Slip;
use slip::{Read, Wanted};
use words::Words;

/// The cast: players that a line may name without introducing them.
pub const CAST: [&str; 5] = ["Adler", "Bär", "Chimäre", "Drache", "Einhorn"];

/// Lives of a king who is not hurt.
pub const KING_LIVES: u8 = 4;

/// The lines of a set-up text, without empty ones and comments, which begin with `#`.
pub fn read_lines(text: &str) -> Vec<StageLine> {
    text.lines()
        .zip(1u32..)
        .map(|(text, line)| StageLine {
            line,
            text: text.trim().to_owned(),
        })
        .filter(|line| !line.text.is_empty() && !line.text.starts_with('#'))
        .collect()
}

/// Builds a battle from its lines, as scenarios do: what is wrong is told in English.
///
/// # Errors
/// Every line that could not be understood.
pub fn build(tables: &Tables, house_rules: &str, lines: &[StageLine]) -> Result<State, Vec<StageError>> {
    let told = |(line, slip): (u32, Slip)| StageError {
        line,
        message: slip.to_string(),
    };
    lay_out(tables, house_rules, lines).map_err(|slips| slips.into_iter().map(told).collect())
}

/// Builds a battle from its lines.
///
/// # Errors
/// Every line that could not be understood, by its number, and why.
pub fn lay_out(tables: &Tables, house_rules: &str, lines: &[StageLine]) -> Result<State, Vec<(u32, Slip)>> {
    let mut errors = Vec::new();
    let state = State {
        house_rules: house_rules.to_owned(),
        ..State::default()
    };
    let mut builder = Builder::new(tables, state);
    // The board before what stands on it, and carriers before those they carry.
    for pass in Pass::ALL {
        for line in lines {
            if let Err(slip) = builder.line(pass, &line.text) {
                errors.push((line.line, slip));
            }
        }
        if pass == Pass::Figures {
            for (word, slip) in builder.seat_carried() {
                let names = |line: &&StageLine| line.text.split_whitespace().any(|one| one == word);
                let line = lines.iter().find(names).map_or(1, |line| line.line);
                errors.push((line, slip));
            }
        }
        if pass == Pass::Board
            && let Err(slip) = builder.default_board()
        {
            let line = lines.first().map_or(1, |line| line.line);
            return Err(vec![(line, slip)]);
        }
    }
    builder.default_order();
    match builder.clock {
        Some(clock) => builder.state.position.clock = clock,
        None => builder.state.position.clock.set_by_hand(),
    }
    if errors.is_empty() {
        Ok(builder.state)
    } else {
        Err(errors)
    }
}

/// What of the lines is read together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Pass {
    Board,
    Land,
    Figures,
    Bonds,
}

impl Pass {
    const ALL: [Self; 4] = [Self::Board, Self::Land, Self::Figures, Self::Bonds];
}

/// The words that a line begins with, and when it is read.
const VERBS: [(&str, Pass); 43] = [
    ("province", Pass::Board),
    ("battle", Pass::Land),
    ("roof", Pass::Land),
    ("player", Pass::Land),
    ("order", Pass::Land),
    ("round", Pass::Land),
    ("stage", Pass::Land),
    ("wind", Pass::Land),
    ("units", Pass::Land),
    ("empty", Pass::Land),
    ("fill", Pass::Land),
    ("field", Pass::Land),
    ("foundation", Pass::Land),
    ("flow", Pass::Land),
    ("river", Pass::Land),
    ("ditch", Pass::Land),
    ("ascent", Pass::Land),
    ("bridge", Pass::Land),
    ("stream-bridge", Pass::Land),
    ("wall", Pass::Land),
    ("tower", Pass::Land),
    ("keep", Pass::Land),
    ("great-keep", Pass::Land),
    ("temple-tower", Pass::Land),
    ("centre", Pass::Land),
    ("siege", Pass::Land),
    ("refuge", Pass::Land),
    ("figure", Pass::Figures),
    ("garrison", Pass::Figures),
    ("turn", Pass::Bonds),
    ("prays", Pass::Bonds),
    ("held", Pass::Bonds),
    ("phalanx", Pass::Bonds),
    ("leans", Pass::Bonds),
    ("hits", Pass::Bonds),
    ("storeys", Pass::Bonds),
    ("side", Pass::Bonds),
    ("moved", Pass::Bonds),
    ("poured", Pass::Bonds),
    ("searched", Pass::Bonds),
    ("clock", Pass::Bonds),
    ("course", Pass::Bonds),
    ("outcome", Pass::Bonds),
];

struct Builder<'a> {
    tables: &'a Tables,
    state: State,
    /// Figures on or in others, with the word that names them: those may stand in a later line.
    carried: Vec<(FigureId, String)>,
    /// A clock that was written down as it stood.
    clock: Option<Clock>,
}

impl<'a> Builder<'a> {
    fn new(tables: &'a Tables, state: State) -> Self {
        Self {
            tables,
            state,
            carried: Vec::new(),
            clock: None,
        }
    }

    fn line(&mut self, pass: Pass, text: &str) -> Read<()> {
        let mut words = Words::new(text);
        let Some(verb) = words.more() else { return Ok(()) };
        let mine = VERBS.iter().find(|(known, _)| *known == verb).map(|(_, pass)| *pass);
        match mine {
            // Told once, in the first pass.
            None if pass == Pass::Board => return Err(Slip::not_a(Wanted::Verb, verb)),
            mine if mine != Some(pass) => return Ok(()),
            _ => {}
        }
        match verb {
            "province" => self.province(&mut words),
            "figure" => self.figure(&mut words),
            "garrison" => self.garrison(&mut words),
            "prays" => self.prays(&mut words),
            "held" => self.held(&mut words),
            "phalanx" => self.phalanx(&mut words),
            "leans" => self.leans(&mut words),
            "hits" => self.hits(&mut words),
            "clock" => self.clock(&mut words),
            "course" => self.course(&mut words),
            "outcome" => self.outcome(&mut words),
            "player" => self.introduce(&mut words),
            "storeys" | "side" | "moved" | "poured" | "searched" => self.wear(verb, &mut words),
            "empty" | "fill" | "field" | "foundation" | "flow" | "river" | "ditch" | "ascent" | "bridge"
            | "stream-bridge" | "wall" => self.land(verb, &mut words),
            "tower" | "keep" | "great-keep" | "temple-tower" => self.building(verb, &mut words),
            _ => self.matter(verb, &mut words),
        }?;
        match words.more() {
            None => Ok(()),
            Some(word) => Err(Slip::not_a(Wanted::End, word)),
        }
    }

    fn default_board(&mut self) -> Read<()> {
        let mut provinces = std::mem::take(&mut self.state.position.board.provinces);
        if provinces.is_empty() {
            provinces.push(Province {
                name: "1".to_owned(),
                at: Hex::ORIGIN,
            });
        }
        self.state.position.board = Board::new(provinces).map_err(Slip::NoBoard)?;
        Ok(())
    }

    /// Players whom no `order` line names take their turns after the others, by their numbers.
    fn default_order(&mut self) {
        let position = &mut self.state.position;
        let missing: Vec<RealmId> = position
            .players
            .keys()
            .filter(|player| !position.order.contains(player))
            .copied()
            .collect();
        position.order.extend(missing);
    }
}

/// A kind of trade centre by its name.
pub fn centre(word: &str) -> Option<CentreKind> {
    Some(match word {
        "market" => CentreKind::Market,
        "city" => CentreKind::City,
        "provincial-capital" => CentreKind::ProvincialCapital,
        "capital" => CentreKind::Capital,
        "fortress" => CentreKind::Fortress,
        _ => return None,
    })
}

/// The name of a kind of trade centre.
pub const fn centre_code(kind: CentreKind) -> &'static str {
    match kind {
        CentreKind::Market => "market",
        CentreKind::City => "city",
        CentreKind::ProvincialCapital => "provincial-capital",
        CentreKind::Capital => "capital",
        CentreKind::Fortress => "fortress",
    }
}
