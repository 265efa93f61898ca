//! How far a battle has come: round, turn and stage, wind, spell units, trade centres, sieges, and how it ended.

use super::slip::{Read, Slip, Wanted};
use super::words::Words;
use super::{Builder, centre};
use crate::kinds::{Stage, WindStrength};
use crate::state::{Clock, Refuge, Siege, TradeCentre, Victory, Wind};
use kernel::hex::Hex;

impl Builder<'_> {
    pub(super) fn matter(&mut self, verb: &str, words: &mut Words<'_>) -> Read<()> {
        match verb {
            "battle" => self.state.position.name = words.rest(),
            "roof" => self.state.position.board.roof = true,
            "order" => {
                while let Some(word) = words.more() {
                    let player = self.player(word)?;
                    self.state.position.order.push(player);
                }
            }
            "round" => self.state.position.clock.round = words.number()?,
            "turn" => {
                let player = self.someone(words)?;
                self.default_order();
                let at = self.state.position.order.iter().position(|one| *one == player);
                self.state.position.clock.turn = at.and_then(|at| u16::try_from(at).ok()).unwrap_or(0);
            }
            "stage" => {
                self.state.position.clock.stage = words.code(Wanted::Stage, Stage::from_code)?;
                self.state.position.clock.begun = true;
            }
            "wind" => {
                self.state.position.wind = Some(Wind {
                    toward: words.direction()?,
                    strength: words.code(Wanted::OneOf("calm, fresh, storm"), WindStrength::from_code)?,
                });
            }
            "units" => {
                let player = self.someone(words)?;
                self.state.secrets.entry(player).or_default().spell_units = words.number()?;
            }
            "refuge" => {
                let player = self.someone(words)?;
                let name = words.next(Wanted::Province)?.to_owned();
                let at = Hex::new(words.number()?, words.number()?);
                self.state.position.refuges.push(Refuge { player, name, at });
            }
            "centre" => {
                let possessor = self.someone(words)?;
                let spot = self.spot(words)?;
                let kind = words.code(
                    Wanted::OneOf("market, city, provincial-capital, capital, fortress"),
                    centre,
                )?;
                let mut centre = TradeCentre {
                    kind,
                    possessor,
                    razed: 0,
                    held: 0,
                    plundered: false,
                };
                while let Some(key) = words.more() {
                    match key {
                        "razed" => centre.razed = words.number()?,
                        "held" => centre.held = words.number()?,
                        "plundered" => centre.plundered = true,
                        other => return Err(Slip::not_a(Wanted::OneOf("razed, held, plundered"), other)),
                    }
                }
                self.state.position.centres.insert(spot.cell, centre);
            }
            _ => {
                let by = self.someone(words)?;
                let spot = self.spot(words)?;
                let rounds = words.number()?;
                let mut siege = Siege {
                    rounds,
                    ..Siege::new(by)
                };
                if words.peek() == Some("fed") {
                    words.literal("fed")?;
                    siege.fed = words.number()?;
                    siege.fed_in = words.number()?;
                }
                self.state.position.sieges.insert(spot.cell, siege);
            }
        }
        Ok(())
    }

    /// `clock step 7 round 3 turn 2 stage melee begun opened 3 lines 4`: everything that is not said is as at the beginning.
    pub(super) fn clock(&mut self, words: &mut Words<'_>) -> Read<()> {
        let mut clock = Clock::default();
        while let Some(key) = words.more() {
            match key {
                "step" => clock.step = words.number()?,
                "round" => clock.round = words.number()?,
                // Players are counted from 1, as in the order of turns.
                "turn" => clock.turn = words.number::<u16>()?.saturating_sub(1),
                "stage" => clock.stage = words.code(Wanted::Stage, Stage::from_code)?,
                "begun" => clock.begun = true,
                "opened" => clock.opened = words.number()?,
                "lines" => clock.lines = words.number()?,
                other => {
                    return Err(Slip::not_a(
                        Wanted::OneOf("step, round, turn, stage, begun, opened, lines"),
                        other,
                    ));
                }
            }
        }
        self.clock = Some(clock);
        Ok(())
    }

    /// `outcome side 1`, `outcome draw`, `outcome suspended`.
    pub(super) fn outcome(&mut self, words: &mut Words<'_>) -> Read<()> {
        const ENDS: Wanted = Wanted::OneOf("side, draw, suspended");
        let (side, suspended) = match words.next(ENDS)? {
            "side" => (Some(words.number()?), false),
            "draw" => (None, false),
            "suspended" => (None, true),
            other => return Err(Slip::not_a(ENDS, other)),
        };
        self.state.position.outcome = Some(Victory { side, suspended });
        Ok(())
    }
}
