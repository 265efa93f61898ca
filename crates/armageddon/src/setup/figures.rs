//! The figures of a set-up: where they stand, what else they have, and what binds them to each other.

use super::slip::{Read, Slip, Wanted};
use super::words::Words;
use super::{Builder, KING_LIVES};
use crate::army::Army;
use crate::kinds::{Family, Fate, Kind, Part, Spell};
use crate::state::{Enchantment, FIGURES_MAX, Figure, FigureId, Moved, Place};
use kernel::hex::Direction;
use std::ops::RangeInclusive;

/// What else a line may say of a figure.
const ATTRIBUTES: &str = "facing, steps, straight, acted, mortal, engaged, turned, tramples, charmed, moved, hits, lives, auxiliary, provoked, power, learnt, lent, spell";

impl Builder<'_> {
    /// `figure Adler LB 1..4 at 17 facing O steps 1`.
    pub(super) fn figure(&mut self, words: &mut Words<'_>) -> Read<()> {
        let owner = self.someone(words)?;
        let kind = words.code(Wanted::Kind, Kind::from_code)?;
        let word = words.next(Wanted::Numbers)?;
        let numbers = self
            .numbers(kind, word)
            .ok_or_else(|| Slip::not_a(Wanted::Numbers, word))?;
        let (place, carrier) = self.place(words)?;
        let mut figure = Figure::new(kind, *numbers.start(), owner, place);
        if kind == Kind::King {
            figure.lives = KING_LIVES;
        }
        self.attributes(words, &mut figure)?;
        stand(&mut figure);
        for number in numbers {
            if self.state.position.figures.len() >= FIGURES_MAX {
                return Err(Slip::Figures);
            }
            let figure = Figure {
                number,
                ..figure.clone()
            };
            let end = u16::try_from(self.state.position.figures.len()).unwrap_or(u16::MAX);
            let id = match self.state.position.find(kind, number) {
                None => FigureId(end),
                Some(id) if self.was_taken_off(id) => id,
                Some(_) => return Err(Slip::Twice(format!("{kind}#{number}"))),
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
    pub(super) fn numbers(&self, kind: Kind, word: &str) -> Option<RangeInclusive<u16>> {
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
        let numbers: RangeInclusive<u16> = first.parse().ok()?..=last.parse().ok()?;
        (!numbers.is_empty()).then_some(numbers)
    }

    /// Whether a figure was removed, so that its number is free for another.
    pub(super) fn was_taken_off(&self, id: FigureId) -> bool {
        let figure = self.state.position.figure(id);
        let removed = figure.is_some_and(|figure| figure.place == Place::Gone(Fate::Removed));
        // Whoever is carried has no place yet.
        removed && !self.carried.iter().any(|(carried, _)| *carried == id)
    }

    /// When all figures are there: who is on or in whom. Tells which words name no carrier.
    pub(super) fn seat_carried(&mut self) -> Vec<(String, Slip)> {
        let mut slips = Vec::new();
        for (id, word) in std::mem::take(&mut self.carried) {
            match self.seat(&word) {
                Ok(place) => {
                    if let Some(figure) = self.state.position.figure_mut(id) {
                        figure.place = place;
                    }
                }
                Err(slip) => slips.push((word, slip)),
            }
        }
        slips
    }

    /// `lP#1`, `LS#1.stern`: a carrier, and which part of it.
    pub(super) fn seat(&self, word: &str) -> Read<Place> {
        let (name, part) = match word.split_once('.') {
            Some((name, part)) => {
                let found = Part::from_code(part).ok_or_else(|| Slip::not_a(Wanted::Part, part))?;
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

    pub(super) fn attributes(&mut self, words: &mut Words<'_>, figure: &mut Figure) -> Read<()> {
        while let Some(key) = words.more() {
            match key {
                "facing" => figure.facing = Some(words.direction()?),
                "steps" => figure.steps = words.number()?,
                "straight" => figure.straight = words.number()?,
                "acted" => figure.acted = true,
                "mortal" => figure.mortal = true,
                "engaged" => figure.engaged = true,
                "turned" => figure.turned = true,
                "tramples" => figure.tramples = words.number()?,
                "charmed" => figure.charmed = words.number()?,
                "moved" => {
                    let round = words.number()?;
                    let by = self.someone(words)?;
                    figure.moved = Some(Moved { round, by });
                }
                "hits" => figure.hits = words.number()?,
                "lives" => figure.lives = words.number()?,
                "auxiliary" => figure.auxiliary = true,
                "provoked" => figure.provoked = true,
                "power" => figure.power = words.number()?,
                "learnt" => figure.learnt = words.number()?,
                "lent" => figure.possessor = self.someone(words)?,
                "spell" => figure.spell = Some(self.spell(words)?),
                other => return Err(Slip::not_a(Wanted::OneOf(ATTRIBUTES), other)),
            }
        }
        Ok(())
    }

    /// `strengthen Bär`; a local wind blows somewhere: `local-wind Bär O`.
    pub(super) fn spell(&mut self, words: &mut Words<'_>) -> Read<Enchantment> {
        let spell = words.code(Wanted::Spell, Spell::from_code)?;
        let caster = self.someone(words)?;
        let toward = match spell {
            Spell::LocalWind => Some(words.direction()?),
            _ => None,
        };
        Ok(Enchantment { spell, caster, toward })
    }

    /// `at 17.P`, `at ^17`, `at ~17`, `on lP#1`, `on LS#1.stern`, `gone killed`: the place, and the carrier to be looked up later.
    pub(super) fn place(&mut self, words: &mut Words<'_>) -> Read<(Place, Option<String>)> {
        match words.next(Wanted::OneOf("at, on, gone"))? {
            "at" => {
                let word = words.next(Wanted::Field)?;
                if let Some(field) = word.strip_prefix('^') {
                    return Ok((Place::Above(self.read_spot(field)?.cell), None));
                }
                if let Some(field) = word.strip_prefix('~') {
                    return Ok((Place::Swimming(self.read_spot(field)?.cell), None));
                }
                Ok((Place::At(self.read_spot(word)?), None))
            }
            "on" => {
                let word = words.next(Wanted::Figure)?;
                Ok((Place::Gone(Fate::Removed), Some(word.to_owned())))
            }
            "gone" => Ok((Place::Gone(words.code(Wanted::Fate, Fate::from_code)?), None)),
            other => Err(Slip::not_a(Wanted::OneOf("at, on, gone"), other)),
        }
    }

    /// `garrison Bär 19 4S, 2B, On, Z`: those who stand unprepared in and around a trade centre (KAL-WGAP-05).
    pub(super) fn garrison(&mut self, words: &mut Words<'_>) -> Read<()> {
        let player = self.someone(words)?;
        let centre = self.spot(words)?.cell;
        let list = words.rest();
        let army = Army::read(&list).map_err(|_| Slip::not_a(Wanted::Army, &list))?;
        let rest = army.garrison(self.tables, &mut self.state, player, centre);
        if rest.size() > 0 {
            return Err(Slip::NoRoom(rest.to_string()));
        }
        Ok(())
    }

    /// `prays Pr#1 23`: the spell units of a priest.
    pub(super) fn prays(&mut self, words: &mut Words<'_>) -> Read<()> {
        let word = words.next(Wanted::Figure)?;
        let priest = self.named(word)?;
        let units = words.number()?;
        let figure = self.state.position.figure(priest);
        let owner = figure
            .filter(|figure| figure.kind == Kind::Priest)
            .map(|figure| figure.owner);
        let owner = owner.ok_or_else(|| Slip::not_a(Wanted::Priest, word))?;
        let secret = self.state.secrets.entry(owner).or_default();
        secret.priests.insert(priest, units);
        Ok(())
    }

    /// `held lP#1 by LB#1`.
    pub(super) fn held(&mut self, words: &mut Words<'_>) -> Read<()> {
        let held = self.named(words.next(Wanted::Figure)?)?;
        words.literal("by")?;
        let by = self.named(words.next(Wanted::Figure)?)?;
        if let Some(figure) = self.state.position.figure_mut(held) {
            figure.held_by = Some(by);
        }
        Ok(())
    }

    /// `phalanx 17 O`: the warriors there.
    pub(super) fn phalanx(&mut self, words: &mut Words<'_>) -> Read<()> {
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
    pub(super) fn leans(&mut self, words: &mut Words<'_>) -> Read<()> {
        let ladder = self.named(words.next(Wanted::Figure)?)?;
        let side = words.direction()?;
        if let Some(figure) = self.state.position.figure_mut(ladder) {
            figure.leans = Some(side);
        }
        Ok(())
    }
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
