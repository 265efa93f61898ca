//! The players of a set-up: who they are, on whose side, and what they have done and instructed so far.

use super::slip::{Read, Slip, Wanted};
use super::words::{Words, unjoin};
use super::{Builder, CAST};
use crate::kinds::{Flight, Kind};
use crate::state::{PLAYERS_MAX, Player, Standing};
use kernel::realm::RealmId;

/// What a player does and instructs in the course of a battle.
const COURSE: &str = "side-next, cast, bounty, duelled, missed, slaves, flight, strength, permits, yields-to, dispel-from, dispel-total, sacrifice, triple";

impl Builder<'_> {
    /// A player by the name of the cast, who exists as soon as a line names him; `0` is nobody.
    pub(super) fn player(&mut self, word: &str) -> Read<RealmId> {
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
            return Err(Slip::not_a(Wanted::Player, word));
        };
        let number = u16::try_from(at + 1).unwrap_or(u16::MAX);
        self.add_player(RealmId(number), word)
    }

    pub(super) fn add_player(&mut self, id: RealmId, name: &str) -> Read<RealmId> {
        if self.state.position.players.len() >= PLAYERS_MAX {
            return Err(Slip::Players);
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

    pub(super) fn someone(&mut self, words: &mut Words<'_>) -> Read<RealmId> {
        let word = words.next(Wanted::Player)?;
        self.player(word)
    }

    /// `player Adler side 1`, or `player 7 named Rot side 2`.
    pub(super) fn introduce(&mut self, words: &mut Words<'_>) -> Read<()> {
        let word = words.next(Wanted::Player)?;
        let id = match word.parse::<u16>() {
            Ok(number) if number > 0 => {
                // A player with a number needs a name.
                words.literal("named")?;
                let name = unjoin(words.next(Wanted::Name)?);
                self.add_player(RealmId(number), &name)?
            }
            _ => self.player(word)?,
        };
        while let Some(key) = words.more() {
            let Some(player) = self.state.position.players.get_mut(&id) else {
                return Err(Slip::not_a(Wanted::Player, word));
            };
            match key {
                "side" => player.side = words.number()?,
                "person" => player.person = unjoin(words.next(Wanted::Name)?),
                other => return Err(Slip::not_a(Wanted::OneOf("side, person"), other)),
            }
        }
        Ok(())
    }

    /// `course Adler cast 1 permits Bär dispel-from 5 triple ZAUBER …`: what a player has done and instructed so far.
    pub(super) fn course(&mut self, words: &mut Words<'_>) -> Read<()> {
        let id = self.someone(words)?;
        let mut player = self.state.position.players.get(&id).cloned().unwrap_or_default();
        let mut standing = Standing::default();
        while let Some(key) = words.more() {
            match key {
                "side-next" => player.side_next = Some(words.number()?),
                "cast" => player.spells_cast = words.number()?,
                "bounty" => player.bounty = words.number()?,
                "duelled" => player.duelled = words.number()?,
                "missed" => player.missed = words.number()?,
                "slaves" => player.takes_slaves = true,
                "flight" => player.flight = words.code(Wanted::OneOf("never, allowed, begun"), Flight::from_code)?,
                "strength" => player.strength = Some(words.number()?),
                "permits" => player.permits.push(self.someone(words)?),
                "yields-to" => player.yields_to = Some(self.someone(words)?),
                "dispel-from" => standing.dispel_from = Some(words.number()?),
                "dispel-total" => standing.dispel_total = Some(words.number()?),
                "sacrifice" => standing.sacrifice.push(words.code(Wanted::Kind, Kind::from_code)?),
                "triple" => standing.triple = Some(words.rest()),
                other => return Err(Slip::not_a(Wanted::OneOf(COURSE), other)),
            }
        }
        self.state.position.players.insert(id, player);
        self.state.secrets.entry(id).or_default().standing = standing;
        Ok(())
    }
}
