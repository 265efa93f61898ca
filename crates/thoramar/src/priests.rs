//! Priests and blessings (THO-PRIEST, THO-SPEC-14, GAP-36).
//!
//! What a priest does for troops in a fight stands in [`crate::combat`]; what a blessed field does to those who enter it in
//! [`crate::movement`]; that it pays twice in [`crate::economy`].

use crate::codes::{Command, Kind};
use crate::construction::own_field;
use crate::event::{Demise, Happening, Shown};
use crate::geo::Place;
use crate::order::Special;
use crate::season::{Season, SeasonTurn, shown_flag};
use crate::state::{ArmyId, State};
use crate::tables::Tables;
use crate::{rule, strength, unrest};
use kernel::diagnostic::{Diagnostic, Spanned};
use kernel::hex::FieldIndex;
use kernel::ratio::percent;
use kernel::turn::Cause;

const BLESS: &str = "bless";
const COUNT_BLESSINGS: &str = "count-blessings";

/// What an archdemon loses on a blessed field: when he enters it and when it is blessed under him.
///
/// THO-PRIEST-04, THO-PRIEST-05, GAP-36: a fifth of his strength, at least 1.
pub fn archdemon_loss(tables: &Tables, strength: i64) -> i64 {
    let loss = percent(strength, tables.magic.bless_archdemon_loss_pct, tables.rounding.losses);
    loss.max(1).min(strength)
}

/// B4: home priests bless fields of their realm.
///
/// THO-SPEC-14, THO-PRIEST-03, GAP-36: own field (A31), in reach (A24), enough divine points (A32). THO-PRIEST-08: the
/// inhabitants calm down. Then THO-PRIEST-05 and -07 for those who stand there. A new blessing starts the count again.
pub fn bless(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    for (id, special) in season.pending(|special| matches!(special, Special::Bless(_))) {
        let Special::Bless(place) = special.value else { continue };
        if turn.state.army(id).is_none() {
            continue;
        }
        season.plan_mut(id).special_done = true;
        let place = Spanned {
            span: special.span,
            value: place,
        };
        match may_bless(turn.tables, &turn.state, id, place) {
            Ok(field) => bless_field(turn, season, id, field),
            Err(refusal) => turn.refuse(id.realm, *refusal),
        }
    }
}

/// The field that a priest blesses: A31, A24, A32.
fn may_bless(
    tables: &Tables,
    state: &State,
    priest: ArmyId,
    place: Spanned<Place>,
) -> Result<FieldIndex, Box<Diagnostic>> {
    let magic = &tables.of(priest.realm).magic;
    let rules = [rule::PRIEST_03, rule::SPEC_14];
    let field = own_field(state, priest.realm, place, "A31", &rules)?;
    let (here, points) = state.army(priest).map_or((field, 0), |army| (army.field, army.count));
    let distance = i64::from(state.grid.distance(here, field));
    if distance > magic.bless_range {
        let refusal = Diagnostic::error("A24", place.span, &[rule::PRIEST_03, rule::GAP_36, rule::MAP_07]);
        return Err(Box::new(refusal.with("e", distance).with("max", magic.bless_range)));
    }
    if points < magic.bless_cost {
        let refusal = Diagnostic::error("A32", place.span, &[rule::PRIEST_03, rule::PRIEST_01]);
        return Err(Box::new(refusal.with("k", magic.bless_cost).with("v", points)));
    }
    Ok(field)
}

/// Pays for a blessing and lets it work.
fn bless_field(turn: &mut SeasonTurn<'_>, season: &mut Season, priest: ArmyId, field: FieldIndex) {
    let tables = turn.tables.of(priest.realm);
    let (cost, turns) = (tables.magic.bless_cost, tables.magic.bless_turns);
    let calm = tables.unrest.blessing;
    if let Some(army) = turn.state.armies.get_mut(&priest) {
        army.count -= cost;
    }
    let ground = turn.state.field_mut(field);
    ground.blessed_turns = u8::try_from(turns).unwrap_or(u8::MAX);
    unrest::add(ground, calm);
    let rules = &[
        rule::SPEC_14,
        rule::PRIEST_01,
        rule::PRIEST_03,
        rule::PRIEST_08,
        rule::ECON_06,
        rule::GAP_36,
    ][..];
    let cause = season.cause(priest, BLESS);
    let event = season.emit(turn, cause, rules, &[], Happening::FieldBlessed { priest, field, cost });
    let present: Vec<ArmyId> = season.on(field).collect();
    for id in present {
        touch(turn, season, priest, field, id, Cause::Event(event));
    }
}

/// What a blessing does to an army on the field, whosever it is.
///
/// THO-PRIEST-05: normal demons are banished, archdemons weakened. THO-PRIEST-07: monsters are peaceful for this turn;
/// what they were told counts as V.
fn touch(turn: &mut SeasonTurn<'_>, season: &mut Season, priest: ArmyId, field: FieldIndex, id: ArmyId, cause: Cause) {
    let Some(army) = turn.state.army(id) else { return };
    let shown = Shown {
        id,
        flag: shown_flag(turn.tables, id, army),
        count: army.count,
    };
    let by = priest.realm;
    match id.kind() {
        Kind::Demon => {
            let what = Happening::DemonsBanished {
                demons: shown,
                field,
                by,
            };
            let event = season.emit(turn, cause, &[rule::PRIEST_05][..], &[], what);
            strength::lose(turn, season, id, Demise::Sphere, Cause::Event(event));
        }
        Kind::Archdemon => {
            let lost = archdemon_loss(turn.tables.of(id.realm), shown.count);
            let what = Happening::ArchdemonWeakened {
                demon: shown,
                field,
                lost,
                by,
            };
            let rules = &[rule::PRIEST_05, rule::GAP_36, rule::GAP_03][..];
            let event = season.emit(turn, cause, rules, &[], what);
            strength::wound(turn, season, id, lost, Demise::Sphere, Cause::Event(event));
        }
        kind if kind.is_monster() => {
            if let Some(army) = turn.state.armies.get_mut(&id) {
                army.command = Command::Defend;
            }
            let what = Happening::MonstersCalmed {
                monsters: id,
                field,
                by,
            };
            season.emit(turn, cause, &[rule::PRIEST_07][..], &[], what);
        }
        _ => {}
    }
}

/// D11: blessings run out.
///
/// THO-PRIEST-03, GAP-36: the turn of the blessing is the first of four.
pub fn count_blessings(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    for field in turn.state.grid.fields() {
        let ground = turn.state.field_mut(field);
        if !ground.is_blessed() {
            continue;
        }
        ground.blessed_turns -= 1;
        if !ground.is_blessed() {
            let owner = ground.owner;
            let rules = &[rule::PRIEST_03, rule::GAP_36][..];
            let what = Happening::BlessingEnded { field, owner };
            season.emit(turn, Cause::Step(COUNT_BLESSINGS), rules, &[], what);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_archdemon_loses_a_fifth_rounded_half_up_and_at_least_one() {
        let tables = Tables::book();
        let lost = |strength| archdemon_loss(&tables, strength);
        // A fifth of 1, 2, 7, 8, 12, 13 and 20 is 0.2, 0.4, 1.4, 1.6, 2.4, 2.6 and 4.
        assert_eq!([1, 2, 7, 8, 12, 13, 20].map(lost), [1, 1, 1, 2, 2, 3, 4]);
    }

    #[test]
    fn an_archdemon_never_loses_more_than_he_has() {
        assert_eq!(archdemon_loss(&Tables::book(), 0), 0);
    }
}
