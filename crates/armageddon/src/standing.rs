//! Standing instructions (*Anweisungen*): what a player answers when the rules ask him outside his turn, so that a turn never waits.
//!
//! Dispelling and sacrifices are secret; permissions, preferences among allies and changes of side are announced.

use crate::battle::Battle;
use crate::deed::Refusal;
use crate::event::TurnHappening;
use crate::order::StandingOrder;
use crate::rule;
use crate::state::Position;
use kernel::diagnostic::{Span, Spanned};
use kernel::realm::RealmId;
use kernel::rule::RuleId;

/// Takes an instruction in.
pub fn apply(battle: &mut Battle<'_>, player: RealmId, order: &StandingOrder, span: Span) {
    let line = order.to_string();
    match set(battle, player, order) {
        Ok((rules, true)) => battle.emit(rules, &[], TurnHappening::Instructed { player, line }),
        Ok((rules, false)) => battle.emit(rules, &[], TurnHappening::Announced { player, line }),
        Err((refusal, at)) => battle.refuse(player, refusal, at.unwrap_or(span)),
    }
}

type Taken = Result<(&'static [RuleId], bool), (Refusal, Option<Span>)>;

/// Changes what the instruction says; tells the rules and whether it is secret.
fn set(battle: &mut Battle<'_>, player: RealmId, order: &StandingOrder) -> Taken {
    let secret = battle.secrets.entry(player).or_default();
    match order {
        StandingOrder::NeverDispel => {
            secret.standing.dispel_from = None;
            Ok((&[rule::R0_2_3, rule::GAP_01], true))
        }
        StandingOrder::Dispel { from, total } => {
            secret.standing.dispel_from = Some(*from);
            secret.standing.dispel_total = *total;
            Ok((&[rule::R0_2_3, rule::GAP_01], true))
        }
        StandingOrder::Triple(line) => {
            secret.standing.triple.clone_from(line);
            Ok((&[rule::R0_2_3, rule::GAP_33], true))
        }
        StandingOrder::Sacrifice(kinds) => {
            secret.standing.sacrifice = kinds.clone();
            Ok((&[rule::GAP_39], true))
        }
        StandingOrder::Permit(name) => {
            let friend = other(&battle.position, player, name)?;
            if let Some(me) = battle.position.players.get_mut(&player) {
                me.permits.push(friend);
                me.permits.sort_unstable();
                me.permits.dedup();
            }
            Ok((&[rule::R0_4_20], false))
        }
        StandingOrder::Forbid(name) => {
            let friend = other(&battle.position, player, name)?;
            if let Some(me) = battle.position.players.get_mut(&player) {
                me.permits.retain(|permitted| *permitted != friend);
            }
            Ok((&[rule::R0_4_20], false))
        }
        StandingOrder::YieldTo(name) => {
            let ally = match name {
                Some(name) => Some(other(&battle.position, player, name)?),
                None => None,
            };
            if let (Some(ally), Some(name)) = (ally, name)
                && !battle.position.allied(player, ally)
            {
                let refusal = Refusal::new("not-an-ally", &[rule::R0_4_36][..]).with("player", name.value.as_str());
                return Err((refusal, Some(name.span)));
            }
            if let Some(me) = battle.position.players.get_mut(&player) {
                me.yields_to = ally;
            }
            Ok((&[rule::R0_4_25, rule::R0_4_36], false))
        }
        StandingOrder::JoinSide(side) => {
            if !battle.position.players.values().any(|other| other.side == *side) {
                let refusal = Refusal::new("no-such-side", &[rule::GAP_43][..]).with("side", i64::from(*side));
                return Err((refusal, None));
            }
            if let Some(me) = battle.position.players.get_mut(&player) {
                me.side_next = Some(*side);
            }
            Ok((&[rule::GAP_43], false))
        }
    }
}

/// Another player by his name.
fn other(position: &Position, player: RealmId, name: &Spanned<String>) -> Result<RealmId, (Refusal, Option<Span>)> {
    match player_named(position, &name.value) {
        Some(found) if found != player => Ok(found),
        _ => {
            let refusal = Refusal::new("no-such-player", &[rule::R0_2_6][..]).with("player", name.value.as_str());
            Err((refusal, Some(name.span)))
        }
    }
}

/// A player by his name, in letters of any case, or by his number.
pub fn player_named(position: &Position, name: &str) -> Option<RealmId> {
    let wanted = name.to_lowercase();
    let named = position
        .players
        .iter()
        .find(|(_, player)| player.name.to_lowercase() == wanted)
        .map(|(id, _)| *id);
    let numbered = || {
        name.parse()
            .ok()
            .map(RealmId)
            .filter(|id| position.players.contains_key(id))
    };
    named.or_else(numbered)
}
