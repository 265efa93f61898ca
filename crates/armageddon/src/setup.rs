//! A battle in a few lines of text: for scenarios, for new worlds, for the editor (ARM-GAP-44).
//!
//! The lines are described in `docs/scenarios.md`, section "The board of ARMAGEDDON".

pub mod edit;
pub mod export;
pub mod muster;
pub mod ready;
pub mod review;

use crate::board::{Board, Building, Cell, Province, Spot, Storey, Wall, direction_from_code};
use crate::kinds::{BuildingKind, Family, Fate, Fitting, Kind, Part, Spell, Stage, Terrain, WindStrength};
use crate::state::{
    Clock, Enchantment, FIGURES_MAX, Figure, FigureId, Moved, PLAYERS_MAX, Place, Player, Siege, Standing, State,
    TradeCentre, Victory, Wind,
};
use crate::tables::Tables;
use crate::tables::rulings::CentreKind;
use kernel::hex::{Direction, Hex};
use kernel::realm::RealmId;
use kernel::stage::{StageError, StageLine};
use std::ops::RangeInclusive;

/// The cast: players that a line may name without introducing them.
pub const CAST: [&str; 5] = ["Adler", "Bär", "Chimäre", "Drache", "Einhorn"];

/// What numbers of figures look like.
const NUMBERS: &str = "a number, numbers 1..4, or +4 for four more";

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

/// Builds a battle from its lines.
///
/// # Errors
/// Every line that could not be understood.
pub fn build(tables: &Tables, house_rules: &str, lines: &[StageLine]) -> Result<State, Vec<StageError>> {
    let mut errors = Vec::new();
    let mut builder = Builder {
        tables,
        state: State {
            house_rules: house_rules.to_owned(),
            ..State::default()
        },
        carried: Vec::new(),
        clock: None,
    };
    // The board before what stands on it, and carriers before those they carry.
    for pass in [Pass::Board, Pass::Land, Pass::Figures, Pass::Bonds] {
        for line in lines {
            if let Err(message) = builder.line(pass, &line.text) {
                errors.push(StageError {
                    line: line.line,
                    message,
                });
            }
        }
        if pass == Pass::Figures {
            builder.seat_carried(lines, &mut errors);
        }
        if pass == Pass::Board
            && let Err(message) = builder.default_board()
        {
            let line = lines.first().map_or(1, |line| line.line);
            return Err(vec![StageError { line, message }]);
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

#[derive(Clone, Copy, PartialEq, Eq)]
enum Pass {
    Board,
    Land,
    Figures,
    Bonds,
}

struct Builder<'a> {
    tables: &'a Tables,
    state: State,
    /// Figures on or in others, with the word that names them: those may stand in a later line.
    carried: Vec<(FigureId, String)>,
    /// A clock that was written down as it stood.
    clock: Option<Clock>,
}

/// The words of a line, taken one by one.
struct Words<'a> {
    words: std::iter::Peekable<std::str::SplitWhitespace<'a>>,
}

impl<'a> Words<'a> {
    fn next(&mut self, wanted: &str) -> Result<&'a str, String> {
        self.words
            .next()
            .ok_or_else(|| format!("the line ends where {wanted} was expected"))
    }

    fn more(&mut self) -> Option<&'a str> {
        self.words.next()
    }

    fn number<T: std::str::FromStr>(&mut self, wanted: &str) -> Result<T, String> {
        let word = self.next(wanted)?;
        word.parse().map_err(|_| format!("'{word}' is not {wanted}"))
    }

    fn code<T>(&mut self, wanted: &str, read: impl Fn(&str) -> Option<T>) -> Result<T, String> {
        let word = self.next(wanted)?;
        read(word).ok_or_else(|| format!("'{word}' is not {wanted}"))
    }

    fn direction(&mut self) -> Result<Direction, String> {
        self.code("a direction (O, NO, NW, W, SW, SO)", direction_from_code)
    }

    fn rest(&mut self) -> String {
        self.words.by_ref().collect::<Vec<_>>().join(" ")
    }
}

fn spare(message: &str, word: &str) -> String {
    format!("'{word}' is not {message}")
}

impl Builder<'_> {
    fn line(&mut self, pass: Pass, text: &str) -> Result<(), String> {
        let mut words = Words {
            words: text.split_whitespace().peekable(),
        };
        let Some(verb) = words.more() else { return Ok(()) };
        let mine = match verb {
            "province" => Pass::Board,
            "battle" | "roof" | "player" | "order" | "round" | "turn" | "stage" | "wind" | "units" | "empty"
            | "fill" | "field" | "foundation" | "flow" | "river" | "ditch" | "ascent" | "bridge" | "stream-bridge"
            | "wall" | "tower" | "keep" | "great-keep" | "temple-tower" | "centre" | "siege" => Pass::Land,
            "figure" => Pass::Figures,
            "held" | "phalanx" | "leans" | "hits" | "storeys" | "side" | "moved" | "poured" | "searched" | "clock"
            | "course" | "outcome" => Pass::Bonds,
            // Told once, in the first pass.
            other if pass == Pass::Board => return Err(spare("a line of a battle", other)),
            _ => return Ok(()),
        };
        if mine != pass {
            return Ok(());
        }
        match verb {
            "province" => self.province(&mut words),
            "figure" => self.figure(&mut words),
            "held" => self.held(&mut words),
            "phalanx" => self.phalanx(&mut words),
            "leans" => self.leans(&mut words),
            "hits" => self.hits(&mut words),
            "clock" => self.clock(&mut words),
            "course" => self.course(&mut words),
            "outcome" => self.outcome(&mut words),
            "storeys" | "side" | "moved" | "poured" | "searched" => self.wear(verb, &mut words),
            "empty" | "fill" | "field" | "foundation" | "flow" | "river" | "ditch" | "ascent" | "bridge"
            | "stream-bridge" | "wall" => self.land(verb, &mut words),
            "tower" | "keep" | "great-keep" | "temple-tower" => self.building(verb, &mut words),
            _ => self.matter(verb, &mut words),
        }
    }

    fn province(&mut self, words: &mut Words<'_>) -> Result<(), String> {
        let name = words.next("the name of a province")?.to_owned();
        let at = Hex::new(words.number("its column")?, words.number("its row")?);
        self.state.position.board.provinces.push(Province { name, at });
        Ok(())
    }

    fn default_board(&mut self) -> Result<(), String> {
        let mut provinces = std::mem::take(&mut self.state.position.board.provinces);
        if provinces.is_empty() {
            provinces.push(Province {
                name: "1".to_owned(),
                at: Hex::ORIGIN,
            });
        }
        self.state.position.board = Board::new(provinces)?;
        Ok(())
    }

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

    /// A player by the name of the cast, who exists as soon as a line names him; `0` is nobody.
    fn player(&mut self, word: &str) -> Result<RealmId, String> {
        if word == "0" {
            return Ok(RealmId::NOBODY);
        }
        let known = self
            .state
            .position
            .players
            .iter()
            .find(|(_, player)| player.name == word);
        if let Some((id, _)) = known {
            return Ok(*id);
        }
        // A player whose name holds blanks is called by his number.
        let numbered = word.parse().ok().map(RealmId);
        if let Some(id) = numbered.filter(|id| self.state.position.players.contains_key(id)) {
            return Ok(id);
        }
        let Some(at) = CAST.iter().position(|name| *name == word) else {
            return Err(spare(
                "a player (Adler, Bär, Chimäre, Drache, Einhorn, 0, or one that a line introduced)",
                word,
            ));
        };
        let number = u16::try_from(at + 1).unwrap_or(u16::MAX);
        self.add_player(RealmId(number), word)
    }

    fn add_player(&mut self, id: RealmId, name: &str) -> Result<RealmId, String> {
        if self.state.position.players.len() >= PLAYERS_MAX {
            return Err(format!("a battle has at most {PLAYERS_MAX} players"));
        }
        let player = Player {
            name: name.to_owned(),
            person: name.to_owned(),
            side: u8::try_from(id.0).unwrap_or(u8::MAX),
            ..Player::default()
        };
        self.state.position.players.insert(id, player);
        self.state.secrets.entry(id).or_default().spell_units = self.tables.wizard.spell_units_start;
        Ok(id)
    }

    fn someone(&mut self, words: &mut Words<'_>) -> Result<RealmId, String> {
        let word = words.next("a player")?;
        self.player(word)
    }

    fn matter(&mut self, verb: &str, words: &mut Words<'_>) -> Result<(), String> {
        match verb {
            "battle" => self.state.position.name = words.rest(),
            "roof" => self.state.position.board.roof = true,
            "player" => return self.introduce(words),
            "order" => {
                while let Some(word) = words.more() {
                    let player = self.player(word)?;
                    self.state.position.order.push(player);
                }
            }
            "round" => self.state.position.clock.round = words.number("a round")?,
            "turn" => {
                let player = self.someone(words)?;
                let order = &self.state.position.order;
                // Without an `order` line the players take turns by their numbers.
                let at = match order.iter().position(|one| *one == player) {
                    Some(at) => at,
                    None => usize::from(player.0.saturating_sub(1)),
                };
                self.state.position.clock.turn = u16::try_from(at).unwrap_or(0);
            }
            "stage" => {
                self.state.position.clock.stage = words.code("a stage of a turn", Stage::from_code)?;
                self.state.position.clock.begun = true;
            }
            "wind" => {
                self.state.position.wind = Some(Wind {
                    toward: words.direction()?,
                    strength: words.code("calm, fresh or storm", WindStrength::from_code)?,
                });
            }
            "units" => {
                let player = self.someone(words)?;
                self.state.secrets.entry(player).or_default().spell_units = words.number("spell units")?;
            }
            "centre" => {
                let possessor = self.someone(words)?;
                let spot = self.spot(words)?;
                let kind = words.code("a kind of trade centre", centre)?;
                let razed = match words.more() {
                    Some("razed") => words.number("rounds of razing")?,
                    Some(other) => return Err(spare("razed", other)),
                    None => 0,
                };
                let centre = TradeCentre { kind, possessor, razed };
                self.state.position.centres.insert(spot.cell, centre);
            }
            _ => {
                let by = self.someone(words)?;
                let spot = self.spot(words)?;
                let rounds = words.number("rounds")?;
                self.state.position.sieges.insert(spot.cell, Siege { by, rounds });
            }
        }
        Ok(())
    }

    /// `player Adler side 1`, or `player 7 named Rot side 2`.
    fn introduce(&mut self, words: &mut Words<'_>) -> Result<(), String> {
        let word = words.next("a player")?;
        let id = match word.parse::<u16>() {
            Ok(number) if number > 0 => {
                if words.next("the word 'named'")? != "named" {
                    return Err("a player with a number needs a name: player 1 named Rot".to_owned());
                }
                let name = unjoin(words.next("a name")?);
                self.add_player(RealmId(number), &name)?
            }
            _ => self.player(word)?,
        };
        while let Some(key) = words.more() {
            let value = words.next("a value")?;
            let Some(player) = self.state.position.players.get_mut(&id) else {
                return Err(spare("a player", word));
            };
            match key {
                "side" => player.side = value.parse().map_err(|_| spare("a side", value))?,
                "person" => player.person = unjoin(value),
                other => return Err(spare("side or person", other)),
            }
        }
        Ok(())
    }

    fn land(&mut self, verb: &str, words: &mut Words<'_>) -> Result<(), String> {
        match verb {
            // The sheet of the editor begins with it; a battle that is built is empty anyway.
            "empty" if words.words.peek().is_none() => {}
            "empty" | "fill" => {
                let terrain = words.code("a terrain", Terrain::from_code)?;
                for ground in &mut self.state.position.board.cells {
                    ground.terrain = terrain;
                }
            }
            "field" => {
                while let Some(word) = words.more() {
                    let cells = self.cells(word)?;
                    let terrain = words.code("a terrain", Terrain::from_code)?;
                    for cell in cells {
                        self.ground(cell)?.terrain = terrain;
                    }
                }
            }
            "foundation" => {
                let cell = self.spot(words)?.cell;
                self.ground(cell)?.foundation = true;
            }
            "flow" => {
                let cell = self.spot(words)?.cell;
                self.ground(cell)?.flow = Some(words.direction()?);
            }
            "stream-bridge" => {
                let cell = self.spot(words)?.cell;
                let hits = words
                    .more()
                    .map_or(Ok(0), |word| word.parse().map_err(|_| spare("hits", word)))?;
                self.ground(cell)?.stream_bridge = Some(hits);
            }
            "wall" => return self.wall(words),
            _ => return self.edges(verb, words),
        }
        Ok(())
    }

    /// `river 17-18 18-24 spell flood-river Bär`, `ditch 17-18`, `ascent 17-18`, `bridge 17-18 1`.
    fn edges(&mut self, verb: &str, words: &mut Words<'_>) -> Result<(), String> {
        let number = u8::try_from(self.state.position.board.rivers.len()).unwrap_or(u8::MAX);
        if verb == "river" {
            self.state.position.board.rivers.push(crate::board::River::default());
        }
        while let Some(word) = words.more() {
            if (word, verb) == ("spell", "river") {
                let spell = self.spell(words)?;
                if let Some(river) = self.state.position.board.rivers.get_mut(usize::from(number)) {
                    river.spell = Some(spell);
                }
                continue;
            }
            if let (Ok(hits), "bridge") = (word.parse::<u8>(), verb) {
                return Err(format!("the hits of a bridge stand behind a colon: 17-18:{hits}"));
            }
            let (word, hits) = match word.split_once(':') {
                Some((edge, hits)) => (edge, hits.parse().map_err(|_| spare("hits", hits))?),
                None => (word, 0),
            };
            let (cell, side) = self.edge(word)?;
            let Some(edge) = self.state.position.board.edge_mut(cell, side) else {
                return Err(spare("an edge between two fields", word));
            };
            match verb {
                "river" => edge.river = Some(number),
                "ditch" => edge.ditch = true,
                "ascent" => edge.ascent = true,
                _ => edge.bridge = Some(hits),
            }
        }
        Ok(())
    }

    /// `wall Adler 17-O closed reinforced`.
    fn wall(&mut self, words: &mut Words<'_>) -> Result<(), String> {
        let owner = self.someone(words)?;
        let word = words.next("a side such as 17-O")?;
        let (cell, side) = self.side(word)?;
        let mut wall = Wall {
            owner,
            fitting: Fitting::Plain,
            reinforced: false,
            moved: 0,
            moves: 0,
            hits: 0,
        };
        while let Some(word) = words.more() {
            match (word, Fitting::from_code(word)) {
                ("reinforced", _) => wall.reinforced = true,
                ("hits", _) => wall.hits = words.number("hits")?,
                ("moved", _) => {
                    wall.moved = words.number("a round")?;
                    wall.moves = words.number("how often")?;
                }
                (_, Some(fitting)) => wall.fitting = fitting,
                _ => return Err(spare("plain, loophole, open, closed, broken or reinforced", word)),
            }
        }
        self.ground(cell)?.walls[side.index()] = Some(wall);
        Ok(())
    }

    /// `tower Adler 17 gate O open gate W`.
    fn building(&mut self, verb: &str, words: &mut Words<'_>) -> Result<(), String> {
        let owner = self.someone(words)?;
        let cell = self.spot(words)?.cell;
        let kind = BuildingKind::from_code(verb).ok_or_else(|| spare("a building", verb))?;
        let storey = Storey {
            walls: [Some(Fitting::Loophole); 6],
            hits: 0,
        };
        let mut storeys = vec![storey; usize::from(self.tables.building(kind).storeys)];
        while let Some(word) = words.more() {
            if word != "gate" {
                return Err(spare("the word 'gate'", word));
            }
            let side = words.direction()?;
            let fitting = match words.words.peek().and_then(|word| Fitting::from_code(word)) {
                Some(fitting) => {
                    words.more();
                    fitting
                }
                None => self.tables.wall.gates_at_start,
            };
            if let Some(ground) = storeys.first_mut() {
                ground.walls[side.index()] = Some(fitting);
            }
        }
        self.ground(cell)?.building = Some(Building {
            kind,
            owner,
            storeys,
            moved: [0; 6],
            moves: [0; 6],
            poured: 0,
            pours: 0,
        });
        Ok(())
    }

    /// `figure Adler LB 1..4 at 17 facing O steps 1`.
    fn figure(&mut self, words: &mut Words<'_>) -> Result<(), String> {
        let owner = self.someone(words)?;
        let kind = words.code("a kind of figure", Kind::from_code)?;
        let word = words.next(NUMBERS)?;
        let numbers = self.numbers(kind, word).ok_or_else(|| spare(NUMBERS, word))?;
        let (place, carrier) = self.place(words)?;
        let mut figure = Figure::new(kind, *numbers.start(), owner, place);
        if kind == Kind::King {
            figure.lives = KING_LIVES;
        }
        self.attributes(words, &mut figure)?;
        stand(&mut figure);
        for number in numbers {
            if self.state.position.figures.len() >= FIGURES_MAX {
                return Err(format!("a battle has at most {FIGURES_MAX} figures"));
            }
            let figure = Figure {
                number,
                ..figure.clone()
            };
            let end = u16::try_from(self.state.position.figures.len()).unwrap_or(u16::MAX);
            let id = match self.state.position.find(kind, number) {
                None => FigureId(end),
                Some(id) if self.was_taken_off(id) => id,
                Some(_) => return Err(format!("{kind}#{number} is there twice")),
            };
            self.carried.extend(carrier.clone().map(|carrier| (id, carrier)));
            match self.state.position.figure_mut(id) {
                Some(place) => *place = figure,
                None => self.state.position.figures.push(figure),
            }
        }
        Ok(())
    }

    /// `3`, `1..4`, or `+4`: as many with the numbers behind the last one of their kind.
    fn numbers(&self, kind: Kind, word: &str) -> Option<RangeInclusive<u16>> {
        if let Some(count) = word.strip_prefix('+') {
            let count: u16 = count.parse().ok().filter(|count| *count > 0)?;
            let figures = self.state.position.figures.iter();
            let last = figures
                .filter(|figure| figure.kind == kind)
                .map(|figure| figure.number)
                .max();
            let first = last.unwrap_or(0).checked_add(1)?;
            return Some(first..=first.checked_add(count - 1)?);
        }
        let (first, last) = word.split_once("..").unwrap_or((word, word));
        Some(first.parse().ok()?..=last.parse().ok()?)
    }

    /// Whether a figure was removed, so that its number is free for another.
    fn was_taken_off(&self, id: FigureId) -> bool {
        let figure = self.state.position.figure(id);
        let removed = figure.is_some_and(|figure| figure.place == Place::Gone(Fate::Removed));
        // Whoever is carried has no place yet.
        removed && !self.carried.iter().any(|(carried, _)| *carried == id)
    }

    /// When all figures are there: who is on or in whom.
    fn seat_carried(&mut self, lines: &[StageLine], errors: &mut Vec<StageError>) {
        for (id, word) in std::mem::take(&mut self.carried) {
            match self.seat(&word) {
                Ok(place) => {
                    if let Some(figure) = self.state.position.figure_mut(id) {
                        figure.place = place;
                    }
                }
                Err(message) => {
                    let names = |line: &&StageLine| line.text.split_whitespace().any(|one| one == word);
                    let line = lines.iter().find(names).map_or(1, |line| line.line);
                    errors.push(StageError { line, message });
                }
            }
        }
    }

    /// `lP#1`, `LS#1.stern`: a carrier, and which part of it.
    fn seat(&self, word: &str) -> Result<Place, String> {
        let (name, part) = match word.split_once('.') {
            Some((name, part)) => {
                let found = Part::from_code(part).ok_or_else(|| spare("a part of a carrier", part))?;
                (name, Some(found))
            }
            None => (word, None),
        };
        let carrier = self.named(name)?;
        let kind = self.state.position.figure(carrier).map(|figure| figure.kind);
        let usual = match kind {
            Some(Kind::LightHorse | Kind::HeavyHorse) => Part::Back,
            Some(Kind::Elephant | Kind::Mammoth) => Part::Saddle,
            Some(Kind::Wagon) => Part::Wagon,
            Some(Kind::Turtle) => Part::Inside,
            Some(Kind::SiegeTower) => Part::Lower,
            Some(Kind::Ladder | Kind::Rope) => Part::Rung,
            _ => Part::Bow,
        };
        Ok(Place::On(carrier, part.unwrap_or(usual)))
    }

    fn attributes(&mut self, words: &mut Words<'_>, figure: &mut Figure) -> Result<(), String> {
        while let Some(key) = words.more() {
            match key {
                "facing" => figure.facing = Some(words.direction()?),
                "steps" => figure.steps = words.number("steps")?,
                "straight" => figure.straight = words.number("steps")?,
                "acted" => figure.acted = true,
                "mortal" => figure.mortal = true,
                "engaged" => figure.engaged = true,
                "turned" => figure.turned = true,
                "tramples" => figure.tramples = words.number("fields")?,
                "charmed" => figure.charmed = words.number("a round")?,
                "moved" => {
                    let round = words.number("a round")?;
                    let by = self.someone(words)?;
                    figure.moved = Some(Moved { round, by });
                }
                "hits" => figure.hits = words.number("hits")?,
                "lives" => figure.lives = words.number("lives")?,
                "lent" => figure.possessor = self.someone(words)?,
                "spell" => figure.spell = Some(self.spell(words)?),
                other => return Err(spare("an attribute of a figure", other)),
            }
        }
        Ok(())
    }

    /// `strengthen Bär`; a local wind blows somewhere: `local-wind Bär O`.
    fn spell(&mut self, words: &mut Words<'_>) -> Result<Enchantment, String> {
        let spell = words.code("a spell", Spell::from_code)?;
        let caster = self.someone(words)?;
        let toward = match spell {
            Spell::LocalWind => Some(words.direction()?),
            _ => None,
        };
        Ok(Enchantment { spell, caster, toward })
    }

    /// `at 17.P`, `at ^17`, `at ~17`, `on lP#1`, `on LS#1.stern`, `gone killed`: the place, and the carrier to be looked up later.
    fn place(&mut self, words: &mut Words<'_>) -> Result<(Place, Option<String>), String> {
        match words.next("'at', 'on' or 'gone'")? {
            "at" => {
                let word = words.next("a field")?;
                if let Some(field) = word.strip_prefix('^') {
                    return Ok((Place::Above(self.read_spot(field)?.cell), None));
                }
                if let Some(field) = word.strip_prefix('~') {
                    return Ok((Place::Swimming(self.read_spot(field)?.cell), None));
                }
                Ok((Place::At(self.read_spot(word)?), None))
            }
            "on" => {
                let word = words.next("a figure such as lP#1")?;
                Ok((Place::Gone(Fate::Removed), Some(word.to_owned())))
            }
            "gone" => Ok((Place::Gone(words.code("a fate", Fate::from_code)?), None)),
            other => Err(spare("'at', 'on' or 'gone'", other)),
        }
    }

    /// `held lP#1 by LB#1`.
    fn held(&mut self, words: &mut Words<'_>) -> Result<(), String> {
        let held = self.named(words.next("a figure")?)?;
        if words.next("the word 'by'")? != "by" {
            return Err("expected `held lP#1 by LB#1`".to_owned());
        }
        let by = self.named(words.next("a figure")?)?;
        if let Some(figure) = self.state.position.figure_mut(held) {
            figure.held_by = Some(by);
        }
        Ok(())
    }

    /// `phalanx 17 O`: the warriors there.
    fn phalanx(&mut self, words: &mut Words<'_>) -> Result<(), String> {
        let spot = self.spot(words)?;
        let front = words.direction()?;
        let members: Vec<FigureId> = self
            .state
            .position
            .standing_at(spot)
            .filter(|(_, figure)| figure.kind.is_warrior())
            .map(|(id, _)| id)
            .collect();
        let first = members.first().copied();
        for id in members {
            if let Some(figure) = self.state.position.figure_mut(id) {
                figure.phalanx = first;
                figure.facing = Some(front);
            }
        }
        Ok(())
    }

    /// `leans Le#1 O`: against the building or wall on this side of its field.
    fn leans(&mut self, words: &mut Words<'_>) -> Result<(), String> {
        let ladder = self.named(words.next("a ladder or rope")?)?;
        let side = words.direction()?;
        if let Some(figure) = self.state.position.figure_mut(ladder) {
            figure.leans = Some(side);
        }
        Ok(())
    }

    /// `hits 27.1 5`: what a storey has taken.
    fn hits(&mut self, words: &mut Words<'_>) -> Result<(), String> {
        let spot = self.spot(words)?;
        let hits = words.number("hits")?;
        let building = self.ground(spot.cell)?.building.as_mut();
        let storey = building.and_then(|building| building.storeys.get_mut(usize::from(spot.level)));
        storey.ok_or_else(|| "no such storey".to_owned())?.hits = hits;
        Ok(())
    }

    /// `storeys 27 1`, `side 27.0-O fallen`, `moved 27-O 3 1`, `poured 27 3 1`, `searched 27 3`: what a battle leaves of a building and a field.
    fn wear(&mut self, verb: &str, words: &mut Words<'_>) -> Result<(), String> {
        const STOREY: &str = "a storey of a building";
        let word = words.next("a field")?;
        let (place, side) = match word.rsplit_once('-') {
            Some((place, side)) => (place, direction_from_code(side)),
            None => (word, None),
        };
        let spot = self.read_spot(place)?;
        if verb == "searched" {
            self.ground(spot.cell)?.searched = words.number("a round")?;
            return Ok(());
        }
        let ground = self.ground(spot.cell)?;
        let building = ground
            .building
            .as_mut()
            .ok_or_else(|| spare("a field with a building", word))?;
        match (verb, side.map(Direction::index)) {
            ("storeys", _) => building.storeys.truncate(words.number("storeys")?),
            ("side", Some(side)) => {
                let fitting = words.code("fallen, or what a wall has in it", |code| match code {
                    "fallen" => Some(None),
                    code => Fitting::from_code(code).map(Some),
                })?;
                let storey = building.storeys.get_mut(usize::from(spot.level));
                storey.ok_or_else(|| spare(STOREY, word))?.walls[side] = fitting;
            }
            ("moved", Some(side)) => {
                building.moved[side] = words.number("a round")?;
                building.moves[side] = words.number("how often")?;
            }
            ("poured", _) => {
                building.poured = words.number("a round")?;
                building.pours = words.number("how often")?;
            }
            _ => return Err(spare("a side such as 17.0-O", word)),
        }
        Ok(())
    }

    /// `clock step 7 round 3 turn 2 stage melee begun opened 3 lines 4`: everything that is not said is as at the beginning.
    fn clock(&mut self, words: &mut Words<'_>) -> Result<(), String> {
        let mut clock = Clock::default();
        while let Some(key) = words.more() {
            match key {
                "step" => clock.step = words.number("a step")?,
                "round" => clock.round = words.number("a round")?,
                // Players are counted from 1, as in the order of turns.
                "turn" => clock.turn = words.number::<u16>("a turn")?.saturating_sub(1),
                "stage" => clock.stage = words.code("a stage of a turn", Stage::from_code)?,
                "begun" => clock.begun = true,
                "opened" => clock.opened = words.number("a round")?,
                "lines" => clock.lines = words.number("lines")?,
                other => return Err(spare("step, round, turn, stage, begun, opened or lines", other)),
            }
        }
        self.clock = Some(clock);
        Ok(())
    }

    /// `course Adler cast 1 permits Bär dispel-from 5 triple ZAUBER …`: what a player has done and instructed so far.
    fn course(&mut self, words: &mut Words<'_>) -> Result<(), String> {
        let id = self.someone(words)?;
        let mut player = self.state.position.players.get(&id).cloned().unwrap_or_default();
        let mut standing = Standing::default();
        while let Some(key) = words.more() {
            match key {
                "side-next" => player.side_next = Some(words.number("a side")?),
                "cast" => player.spells_cast = words.number("spells")?,
                "bounty" => player.bounty = words.number("triples")?,
                "duelled" => player.duelled = words.number("a round")?,
                "missed" => player.missed = words.number("turns")?,
                "permits" => player.permits.push(self.someone(words)?),
                "yields-to" => player.yields_to = Some(self.someone(words)?),
                "dispel-from" => standing.dispel_from = Some(words.number("spell units")?),
                "dispel-total" => standing.dispel_total = Some(words.number("spell units")?),
                "sacrifice" => standing
                    .sacrifice
                    .push(words.code("a kind of figure", Kind::from_code)?),
                "triple" => standing.triple = Some(words.rest()),
                other => return Err(spare("something that a player does in the course of a battle", other)),
            }
        }
        self.state.position.players.insert(id, player);
        self.state.secrets.entry(id).or_default().standing = standing;
        Ok(())
    }

    /// `outcome side 1`, `outcome draw`.
    fn outcome(&mut self, words: &mut Words<'_>) -> Result<(), String> {
        let side = match words.next("side or draw")? {
            "side" => Some(words.number("a side")?),
            "draw" => None,
            other => return Err(spare("side or draw", other)),
        };
        self.state.position.outcome = Some(Victory { side });
        Ok(())
    }

    fn named(&self, word: &str) -> Result<FigureId, String> {
        let found = word
            .split_once('#')
            .and_then(|(kind, number)| self.state.position.find(Kind::from_code(kind)?, number.parse().ok()?));
        found.ok_or_else(|| spare("a figure of the battle, such as lP#1", word))
    }

    fn ground(&mut self, cell: Cell) -> Result<&mut crate::board::Ground, String> {
        self.state
            .position
            .board
            .ground_mut(cell)
            .ok_or_else(|| "no such field".to_owned())
    }

    fn spot(&mut self, words: &mut Words<'_>) -> Result<Spot, String> {
        let word = words.next("a field")?;
        self.read_spot(word)
    }

    fn read_spot(&self, word: &str) -> Result<Spot, String> {
        let (name, level) = match word.rsplit_once('.') {
            Some((name, level)) => (name, Some(level)),
            None => (word, None),
        };
        let cell = self.cell(name)?;
        let building = self.state.position.board.building(cell);
        let level = match level {
            None => Some(0),
            Some("P") => building.and_then(|building| building.platform(self.tables)),
            Some(number) => number.parse().ok(),
        };
        let level = level.ok_or_else(|| spare("a field with a level", word))?;
        Ok(Spot { cell, level })
    }

    fn cell(&self, word: &str) -> Result<Cell, String> {
        let (province, number) = match word.rsplit_once('/') {
            Some((province, number)) => (Some(province), number),
            None => (None, word),
        };
        let cell = number
            .parse()
            .ok()
            .and_then(|number| self.state.position.board.cell(province, number));
        cell.ok_or_else(|| spare("a field of the board", word))
    }

    /// `17`, or `10-15` for a range of numbers.
    fn cells(&self, word: &str) -> Result<Vec<Cell>, String> {
        if let Some((first, last)) = word.split_once('-')
            && let (Ok(Cell(first)), Ok(Cell(last))) = (self.cell(first), self.cell(last))
        {
            return Ok((first..=last).map(Cell).collect());
        }
        Ok(vec![self.cell(word)?])
    }

    /// `17-18`: the edge between two neighbours, wherever the hyphen stands.
    fn edge(&self, word: &str) -> Result<(Cell, Direction), String> {
        for (at, _) in word.match_indices('-') {
            let (one, other) = (self.cell(&word[..at]), self.cell(&word[at + 1..]));
            if let (Ok(one), Ok(other)) = (one, other)
                && let Some(side) = self.state.position.board.direction(one, other)
            {
                return Ok((one, side));
            }
        }
        Err(spare("an edge between two neighbours such as 17-18", word))
    }

    /// `17-O`.
    fn side(&self, word: &str) -> Result<(Cell, Direction), String> {
        let parts = word.rsplit_once('-');
        let found = parts.and_then(|(cell, side)| Some((self.cell(cell).ok()?, direction_from_code(side)?)));
        found.ok_or_else(|| spare("a side such as 17-O", word))
    }
}

/// A name as one word: blanks are written `_`, and what would be misread stands behind a backslash.
pub(crate) fn join(name: &str) -> String {
    let mut word = String::new();
    for letter in name.chars() {
        match letter {
            ' ' => word.push('_'),
            '_' | '\\' => word.extend(['\\', letter]),
            letter => word.push(letter),
        }
    }
    word
}

/// The name that such a word stands for.
fn unjoin(word: &str) -> String {
    let mut name = String::new();
    let mut letters = word.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '_' => name.push(' '),
            '\\' => name.extend(letters.next()),
            letter => name.push(letter),
        }
    }
    name
}

/// How a figure stands where a line does not say it: an immortal wizard hovers, ships and wagons look east.
fn stand(figure: &mut Figure) {
    if let (Kind::Wizard, false, Place::At(spot)) = (figure.kind, figure.mortal, figure.place) {
        figure.place = Place::Above(spot.cell);
    }
    if matches!(figure.kind.family(), Family::Ship | Family::Wagon) {
        figure.facing.get_or_insert(Direction::East);
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
