//! What the way takes of those who go it: terrain, rivers, manned walls, blessed fields (GAP-13, GAP-17, GAP-24, GAP-36).

use super::Way;
use crate::codes::{Family, Kind, Terrain};
use crate::culture::Culture;
use crate::event::{Demise, Happening, Share, Shown};
use crate::season::{Season, SeasonTurn, shown_flag};
use crate::state::ArmyId;
use crate::tables::{self, Tables};
use crate::{hostility, priests, rule, strength};
use kernel::dice::Owner;
use kernel::hex::FieldIndex;
use kernel::ratio::percent;
use kernel::rule::RuleId;
use kernel::turn::Cause;

/// Losses of everyone in an army or group on leaving its field: terrain first, then a river without a bridge.
///
/// THO-TERR-05, THO-TERR-06, THO-SEA-09, THO-MOVE-10, GAP-24: one roll per army, each member of a group its own.
pub(crate) fn leave_ground(turn: &mut SeasonTurn<'_>, season: &mut Season, id: ArmyId, way: &Way, cause: Cause) {
    let tables = turn.tables.of(id.realm);
    let river = (way.river && !way.bridge).then_some(tables.loss.river);
    if river.is_none() && !tables.is_loss_terrain(way.terrain) {
        return;
    }
    for member in season.parts(id) {
        let Some(army) = turn.state.army(member) else { continue };
        let culture = turn.state.realms.get(&id.realm).map(|realm| &realm.culture);
        if let Some(span) = terrain_loss(tables, culture, member.kind(), army.fit, way.terrain) {
            let field = army.field;
            let mut rules = vec![rule::TERR_05, rule::TERR_06, rule::GAP_24, rule::GAP_03];
            if member.kind().sails() {
                rules.push(rule::SEA_09);
            }
            let lost = |share, lost| Happening::LostOnTerrain {
                army: member,
                field,
                share,
                lost,
            };
            thin_out(turn, season, member, span, rules, lost, cause);
        }
        if let Some(span) = river.filter(|_| tables.suffers_losses(member.kind())) {
            let rules = vec![rule::MOVE_10, rule::MAP_10, rule::GAP_24, rule::GAP_03];
            let lost = |share, lost| Happening::LostInRiver {
                army: member,
                to: way.to,
                share,
                lost,
            };
            thin_out(turn, season, member, span, rules, lost, cause);
        }
    }
}

/// Rolls a loss in percent for one army and takes it. The first of `rules` names the die.
fn thin_out(
    turn: &mut SeasonTurn<'_>,
    season: &mut Season,
    id: ArmyId,
    span: tables::Span,
    rules: Vec<RuleId>,
    what: impl FnOnce(Share, i64) -> Happening,
    cause: Cause,
) {
    let (Some(count), Some(named)) = (turn.state.army(id).map(|army| army.count), rules.first().copied()) else {
        return;
    };
    let subject = format!("{id} week {}", season.week);
    let die = turn.roll(named, Owner::of(id.realm), &subject, span.min, span.max);
    let lost = percent(count, die.value, turn.tables.rounding.losses).clamp(0, count);
    if lost > 0 {
        let share = Share {
            percent: die.value,
            of: count,
        };
        let event = season.emit(turn, cause, rules, &[die], what(share, lost));
        strength::wound(turn, season, id, lost, Demise::Way, Cause::Event(event));
    }
}

/// The percentages that leaving a terrain may cost an army; nothing if it loses none.
///
/// THO-TERR-05, THO-TERR-06, GAP-24, GAP-25: priests, wizards, demons and monsters never lose, spared peoples not in their
/// terrains, fit armies not in the exact terrain they are fit for.
pub fn terrain_loss(
    tables: &Tables,
    culture: Option<&Culture>,
    kind: Kind,
    fit: Option<Terrain>,
    terrain: Terrain,
) -> Option<tables::Span> {
    let spared = culture.is_some_and(|culture| culture.spared.iter().any(|family| tables.is_of(terrain, *family)));
    if !tables.is_loss_terrain(terrain) || !tables.suffers_losses(kind) || spared || fit == Some(terrain) {
        return None;
    }
    Some(if tables.is_of(terrain, Family::Ice) {
        tables.loss.ice
    } else {
        tables.loss.terrain
    })
}

/// An army has come over a foreign wall onto `field`: it is remembered for the week's fights, and foot troops on the wall
/// take their toll of an enemy.
///
/// THO-NET-03, GAP-17: 10 % if warriors or engines of the owner or a partner, hostile to the army, stand there.
pub(crate) fn cross_wall(turn: &mut SeasonTurn<'_>, season: &mut Season, id: ArmyId, field: FieldIndex, cause: Cause) {
    season.wall_crossings.entry(field).or_default().insert(id);
    if !is_manned(turn, season, field, id) {
        return;
    }
    let Some(flag) = turn.state.army(id).map(|army| shown_flag(turn.tables, id, army)) else {
        return;
    };
    let owner = turn.state.field(field).owner;
    let tables = turn.tables.of(id.realm);
    for member in season.parts(id) {
        let Some(count) = turn.state.army(member).map(|army| army.count) else {
            continue;
        };
        let toll = tables.combat.bonus_pct.wall_crossing_loss_pct;
        let lost = percent(count, toll, tables.rounding.losses).clamp(0, count);
        if lost > 0 {
            let rules = &[rule::NET_03, rule::COMB_04, rule::GAP_17, rule::GAP_03][..];
            let army = Shown {
                id: member,
                flag,
                count,
            };
            let what = Happening::LostAtWall {
                army,
                field,
                owner,
                percent: toll,
                lost,
            };
            let event = season.emit(turn, cause, rules, &[], what);
            strength::wound(turn, season, member, lost, Demise::Way, Cause::Event(event));
        }
    }
}

/// Whether foot troops of the wall's owner or a partner stand on a field and are hostile to the army that came.
fn is_manned(turn: &SeasonTurn<'_>, season: &Season, field: FieldIndex, comer: ArmyId) -> bool {
    let state = &turn.state;
    let Some(army) = state.army(comer) else { return false };
    if !hostility::takes_part(turn.tables, comer, army) {
        return false;
    }
    let owner = state.field(field).owner;
    let hostilities = hostility::on_field(turn.tables, state, season, field);
    let is_foot = |id: ArmyId| {
        let least = turn.tables.of(id.realm).exist_min(id.kind());
        id.kind().is_foot() && state.army(id).is_some_and(|army| army.count >= least)
    };
    hostility::present(turn.tables, state, season, field)
        .filter(|(id, _)| state.are_partners(id.realm, owner) && hostilities.between(id.realm, comer.realm))
        .any(|(id, _)| season.parts(id).into_iter().any(is_foot))
}

/// An archdemon that has come onto a blessed field is weakened.
///
/// THO-PRIEST-04, GAP-36: by a fifth, at least by one.
pub(crate) fn enter_blessed(turn: &mut SeasonTurn<'_>, season: &mut Season, id: ArmyId, cause: Cause) {
    let Some(army) = turn.state.army(id).filter(|_| id.kind() == Kind::Archdemon) else {
        return;
    };
    let (field, count) = (army.field, army.count);
    if !turn.state.field(field).is_blessed() {
        return;
    }
    let tables = turn.tables.of(id.realm);
    let lost = priests::archdemon_loss(tables, count);
    let demon = Shown {
        id,
        flag: shown_flag(turn.tables, id, army),
        count,
    };
    let by = turn.state.field(field).owner;
    let rules = &[rule::PRIEST_04, rule::GAP_36, rule::GAP_03][..];
    let event = season.emit(
        turn,
        cause,
        rules,
        &[],
        Happening::ArchdemonWeakened { demon, field, lost, by },
    );
    strength::wound(turn, season, id, lost, Demise::Sphere, Cause::Event(event));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loss_terrain_spares_peoples_by_family_and_fit_armies_by_code() {
        let tables = Tables::book();
        let loss = |spared: &[Family], kind, fit, terrain| {
            let culture = Culture {
                spared: spared.iter().copied().collect(),
                ..Culture::default()
            };
            terrain_loss(&tables, Some(&culture), kind, fit, terrain).map(|span| (span.min, span.max))
        };
        use Kind::LightWarrior as K;
        use Terrain::{DeepSea, HighlandSwamp, Ice, Lowland, LowlandSwamp, Volcano};
        assert_eq!(loss(&[], K, None, LowlandSwamp), Some((1, 10)));
        assert_eq!(loss(&[], K, None, Volcano), Some((1, 10)));
        assert_eq!(loss(&[], K, None, Ice), Some((5, 20)));
        assert_eq!(loss(&[], K, None, Lowland), None);
        assert_eq!(loss(&[Family::Swamp], K, None, HighlandSwamp), None);
        assert_eq!(loss(&[Family::Jungle], K, None, HighlandSwamp), Some((1, 10)));
        assert_eq!(loss(&[], K, Some(LowlandSwamp), LowlandSwamp), None);
        assert_eq!(loss(&[], K, Some(LowlandSwamp), HighlandSwamp), Some((1, 10)));
        assert_eq!(loss(&[], Kind::LightShip, None, DeepSea), Some((1, 10)));
        assert_eq!(loss(&[], Kind::LightShip, Some(DeepSea), DeepSea), None);
        for exempt in [Kind::WarPriest, Kind::Summoner, Kind::Demon, Kind::Mammoth] {
            assert_eq!(loss(&[], exempt, None, Ice), None);
        }
    }
}
