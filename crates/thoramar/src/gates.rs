//! World gates (THO-SPEC-13, GAP-31).

use crate::codes::{Building, Kind};
use crate::event::{Demise, Happening};
use crate::order::Special;
use crate::season::{Season, SeasonTurn, aim};
use crate::state::{ArmyId, Site};
use crate::tables::Tables;
use crate::{movement, rule, strength};
use kernel::diagnostic::{Diagnostic, Span};
use kernel::hex::FieldIndex;
use std::collections::BTreeMap;

/// Whether a building is a gate that works: it sends and receives.
///
/// GAP-31: in every state but a ruin.
pub fn works(tables: &Tables, site: &Site) -> bool {
    site.building == Building::Gate && site.standing && tables.gate.receives_in_states.contains(&site.condition)
}

/// B4: armies pass world gates.
///
/// THO-SPEC-13, GAP-31: who stands on a working gate is moved to the gate with the named code. A code that no working gate
/// has takes the army out of the world, the gate's own code does nothing. The digits then lead on from the arrival field.
pub fn pass(turn: &mut SeasonTurn<'_>, season: &mut Season) {
    let mut receivers: Option<BTreeMap<u32, FieldIndex>> = None;
    for (id, special) in season.pending(|special| matches!(special, Special::Gate(_))) {
        let Special::Gate(code) = special.value else { continue };
        if turn.state.army(id).is_none() {
            continue;
        }
        season.plan_mut(id).special_done = true;
        let from = match may_pass(turn, season, id, special.span) {
            Ok(from) => from,
            Err(refusal) => {
                turn.refuse(id.realm, *refusal);
                continue;
            }
        };
        let receivers = receivers.get_or_insert_with(|| working_gates(turn));
        match receivers.get(&code).copied() {
            Some(to) if to == from => {}
            Some(to) => arrive(turn, season, id, from, to),
            None => {
                let cause = season.cause(id, "pass-gates");
                strength::lose(turn, season, id, Demise::Gate, cause);
            }
        }
    }
}

/// The fields with a working gate, by code.
fn working_gates(turn: &SeasonTurn<'_>) -> BTreeMap<u32, FieldIndex> {
    let state = &turn.state;
    let code = |field: FieldIndex| {
        let site = state.field(field).building().filter(|site| works(turn.tables, site))?;
        Some((u32::from(site.gate_code?), field))
    };
    state.grid.fields().filter_map(code).collect()
}

/// Whether an army stands at a gate that takes it: A08, A34, A30.
///
/// GAP-31: any army but fleets, groups and what is aboard; THO-SPEC-02: not one that has just split.
fn may_pass(turn: &SeasonTurn<'_>, season: &Season, id: ArmyId, span: Span) -> Result<FieldIndex, Box<Diagnostic>> {
    let state = &turn.state;
    if season.plan(id).is_some_and(|plan| plan.just_split) {
        let refusal = Diagnostic::error("A08", span, &[rule::SPEC_02, rule::SPEC_13]);
        return Err(Box::new(refusal.with("armee", id.name.to_string())));
    }
    let here = state
        .army(id)
        .filter(|army| army.is_free() && id.kind().walks())
        .map(|army| army.field);
    let open = here.filter(|field| {
        let ground = state.field(*field);
        let welcome = turn.tables.gate.anyone_may_use || ground.owner == id.realm;
        welcome && ground.building().is_some_and(|site| works(turn.tables, site))
    });
    open.ok_or_else(|| {
        let refusal = Diagnostic::error("A30", span, &[rule::SPEC_13, rule::GAP_31]);
        Box::new(refusal.with("armee", id.name.to_string()))
    })
}

/// An army steps out of another gate.
///
/// THO-PRIEST-04, THO-PRIEST-05: a blessed field banishes normal demons that come to it this way and weakens archdemons.
/// THO-MOVE-13: strangers who stand there hold it up like on any other way.
fn arrive(turn: &mut SeasonTurn<'_>, season: &mut Season, id: ArmyId, from: FieldIndex, to: FieldIndex) {
    let cause = season.cause(id, "pass-gates");
    season.relocate(&mut turn.state, id, to);
    let goal = season.plan(id).and_then(|plan| aim(&turn.state.grid, to, &plan.route));
    let plan = season.plan_mut(id);
    plan.moved = true;
    plan.aim = goal;
    let rules = &[rule::SPEC_13, rule::GAP_31][..];
    season.emit(turn, cause, rules, &[], Happening::GatePassed { army: id, from, to });
    if id.kind() == Kind::Demon && turn.state.field(to).is_blessed() {
        strength::lose(turn, season, id, Demise::Sphere, cause);
    } else {
        movement::enter_blessed(turn, season, id, cause);
        movement::meet(turn, season, id, cause);
    }
}
