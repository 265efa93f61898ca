//! Places and figures as a set-up line names them: `17.P`, `N/17`, `17-18`, `17-O`, `lP#1`.

use super::Builder;
use super::slip::{Read, Slip, Wanted};
use super::words::Words;
use crate::board::{Cell, Ground, Spot, direction_from_code};
use crate::kinds::Kind;
use crate::state::FigureId;
use kernel::hex::Direction;

impl Builder<'_> {
    pub(super) fn named(&self, word: &str) -> Read<FigureId> {
        let found = word
            .split_once('#')
            .and_then(|(kind, number)| self.state.position.find(Kind::from_code(kind)?, number.parse().ok()?));
        found.ok_or_else(|| Slip::not_a(Wanted::Figure, word))
    }

    pub(super) fn ground(&mut self, cell: Cell) -> Read<&mut Ground> {
        self.state
            .position
            .board
            .ground_mut(cell)
            .ok_or_else(|| Slip::not_a(Wanted::Field, &cell.0.to_string()))
    }

    pub(super) fn spot(&mut self, words: &mut Words<'_>) -> Read<Spot> {
        let word = words.next(Wanted::Field)?;
        self.read_spot(word)
    }

    pub(super) fn read_spot(&self, word: &str) -> Read<Spot> {
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
        let level = level.ok_or_else(|| Slip::not_a(Wanted::Level, word))?;
        Ok(Spot { cell, level })
    }

    pub(super) fn cell(&self, word: &str) -> Read<Cell> {
        let (province, number) = match word.rsplit_once('/') {
            Some((province, number)) => (Some(province), number),
            None => (None, word),
        };
        let cell = number
            .parse()
            .ok()
            .and_then(|number| self.state.position.board.cell(province, number));
        cell.ok_or_else(|| Slip::not_a(Wanted::Field, word))
    }

    /// `17`, or `10-15` for a range of numbers.
    pub(super) fn cells(&self, word: &str) -> Read<Vec<Cell>> {
        if let Some((first, last)) = word.split_once('-')
            && let (Ok(Cell(first)), Ok(Cell(last))) = (self.cell(first), self.cell(last))
        {
            return Ok((first..=last).map(Cell).collect());
        }
        Ok(vec![self.cell(word)?])
    }

    /// `17-18`: the edge between two neighbours, wherever the hyphen stands.
    pub(super) fn edge(&self, word: &str) -> Read<(Cell, Direction)> {
        for (at, _) in word.match_indices('-') {
            let (one, other) = (self.cell(&word[..at]), self.cell(&word[at + 1..]));
            if let (Ok(one), Ok(other)) = (one, other)
                && let Some(side) = self.state.position.board.direction(one, other)
            {
                return Ok((one, side));
            }
        }
        Err(Slip::not_a(Wanted::Edge, word))
    }

    /// `17-O`.
    pub(super) fn side(&self, word: &str) -> Read<(Cell, Direction)> {
        let parts = word.rsplit_once('-');
        let found = parts.and_then(|(cell, side)| Some((self.cell(cell).ok()?, direction_from_code(side)?)));
        found.ok_or_else(|| Slip::not_a(Wanted::Side, word))
    }
}
