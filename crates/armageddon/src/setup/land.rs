//! The land of a set-up: provinces, terrain, rivers, walls and buildings, with what a battle has left of them.

use super::Builder;
use super::slip::{Read, Slip, Wanted};
use super::words::{Words, number};
use crate::board::{Building, Province, River, Storey, Wall, direction_from_code};
use crate::kinds::{BuildingKind, Fitting, Terrain};
use kernel::hex::{Direction, Hex};

impl Builder<'_> {
    pub(super) fn province(&mut self, words: &mut Words<'_>) -> Read<()> {
        let name = words.next(Wanted::Province)?.to_owned();
        let at = Hex::new(words.number()?, words.number()?);
        self.state.position.board.provinces.push(Province { name, at });
        Ok(())
    }

    pub(super) fn land(&mut self, verb: &str, words: &mut Words<'_>) -> Read<()> {
        match verb {
            // The sheet of the editor begins with it; a battle that is built is empty anyway.
            "empty" if words.peek().is_none() => {}
            "empty" | "fill" => {
                let terrain = words.code(Wanted::Terrain, Terrain::from_code)?;
                for ground in &mut self.state.position.board.cells {
                    ground.terrain = terrain;
                }
            }
            "field" => {
                while let Some(word) = words.more() {
                    let cells = self.cells(word)?;
                    let terrain = words.code(Wanted::Terrain, Terrain::from_code)?;
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
                let hits = words.more().map_or(Ok(0), number)?;
                self.ground(cell)?.stream_bridge = Some(hits);
            }
            "wall" => return self.wall(words),
            _ => return self.edges(verb, words),
        }
        Ok(())
    }

    /// `river 17-18 18-24 spell flood-river Bär`, `ditch 17-18`, `ascent 17-18`, `bridge 17-18 1`.
    pub(super) fn edges(&mut self, verb: &str, words: &mut Words<'_>) -> Read<()> {
        let next = u8::try_from(self.state.position.board.rivers.len()).unwrap_or(u8::MAX);
        if verb == "river" {
            self.state.position.board.rivers.push(River::default());
        }
        while let Some(word) = words.more() {
            if (word, verb) == ("spell", "river") {
                let spell = self.spell(words)?;
                if let Some(river) = self.state.position.board.rivers.get_mut(usize::from(next)) {
                    river.spell = Some(spell);
                }
                continue;
            }
            if let (Ok(hits), "bridge") = (word.parse::<u8>(), verb) {
                return Err(Slip::HitsApart(hits));
            }
            let (word, hits) = match word.split_once(':') {
                Some((edge, hits)) => (edge, number(hits)?),
                None => (word, 0),
            };
            let (cell, side) = self.edge(word)?;
            let Some(edge) = self.state.position.board.edge_mut(cell, side) else {
                return Err(Slip::not_a(Wanted::Edge, word));
            };
            match verb {
                "river" => edge.river = Some(next),
                "ditch" => edge.ditch = true,
                "ascent" => edge.ascent = true,
                _ => edge.bridge = Some(hits),
            }
        }
        Ok(())
    }

    /// `wall Adler 17-O closed reinforced`.
    pub(super) fn wall(&mut self, words: &mut Words<'_>) -> Read<()> {
        let owner = self.someone(words)?;
        let word = words.next(Wanted::Side)?;
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
                ("hits", _) => wall.hits = words.number()?,
                ("moved", _) => {
                    wall.moved = words.number()?;
                    wall.moves = words.number()?;
                }
                (_, Some(fitting)) => wall.fitting = fitting,
                _ => {
                    return Err(Slip::not_a(
                        Wanted::OneOf("plain, loophole, open, closed, broken, reinforced, hits, moved"),
                        word,
                    ));
                }
            }
        }
        self.ground(cell)?.walls[side.index()] = Some(wall);
        Ok(())
    }

    /// `tower Adler 17 gate O open gate W`.
    pub(super) fn building(&mut self, verb: &str, words: &mut Words<'_>) -> Read<()> {
        let owner = self.someone(words)?;
        let cell = self.spot(words)?.cell;
        let kind = BuildingKind::from_code(verb).ok_or_else(|| Slip::not_a(Wanted::Verb, verb))?;
        let storey = Storey {
            walls: [Some(Fitting::Loophole); 6],
            hits: 0,
        };
        let mut storeys = vec![storey; usize::from(self.tables.building(kind).storeys)];
        while let Some(word) = words.more() {
            if word != "gate" {
                return Err(Slip::not_a(Wanted::OneOf("gate"), word));
            }
            let side = words.direction()?;
            let fitting = match words.peek().and_then(Fitting::from_code) {
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

    /// `hits 27.1 5`: what a storey has taken.
    pub(super) fn hits(&mut self, words: &mut Words<'_>) -> Read<()> {
        let spot = self.spot(words)?;
        let hits = words.number()?;
        let building = self.ground(spot.cell)?.building.as_mut();
        let storey = building.and_then(|building| building.storeys.get_mut(usize::from(spot.level)));
        storey
            .ok_or_else(|| Slip::not_a(Wanted::Storey, &spot.level.to_string()))?
            .hits = hits;
        Ok(())
    }

    /// `storeys 27 1`, `side 27.0-O fallen`, `moved 27-O 3 1`, `poured 27 3 1`, `searched 27 3`: what a battle leaves of a building and a field.
    pub(super) fn wear(&mut self, verb: &str, words: &mut Words<'_>) -> Read<()> {
        const SIDE: &str = "fallen, plain, loophole, open, closed, broken";
        let word = words.next(Wanted::Field)?;
        let (place, side) = match word.rsplit_once('-') {
            Some((place, side)) => (place, direction_from_code(side)),
            None => (word, None),
        };
        let spot = self.read_spot(place)?;
        if verb == "searched" {
            self.ground(spot.cell)?.searched = words.number()?;
            return Ok(());
        }
        let ground = self.ground(spot.cell)?;
        let building = ground
            .building
            .as_mut()
            .ok_or_else(|| Slip::not_a(Wanted::Building, word))?;
        match (verb, side.map(Direction::index)) {
            ("storeys", _) => building.storeys.truncate(words.number()?),
            ("side", Some(side)) => {
                let fitting = words.code(Wanted::OneOf(SIDE), |code| match code {
                    "fallen" => Some(None),
                    code => Fitting::from_code(code).map(Some),
                })?;
                let storey = building.storeys.get_mut(usize::from(spot.level));
                storey.ok_or_else(|| Slip::not_a(Wanted::Storey, word))?.walls[side] = fitting;
            }
            ("moved", Some(side)) => {
                building.moved[side] = words.number()?;
                building.moves[side] = words.number()?;
            }
            ("poured", _) => {
                building.poured = words.number()?;
                building.pours = words.number()?;
            }
            _ => return Err(Slip::not_a(Wanted::Side, word)),
        }
        Ok(())
    }
}
