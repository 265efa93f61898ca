//! What realms find: mines (GAP-20), gates of the old empire (GAP-31) and the beasts of the wilderness (GAP-28).

use super::chart::Chart;
use super::lot::{Lot, Purpose};
use crate::codes::{Building, Kind};
use crate::monsters;
use crate::state::{ArmyId, Site, State};
use crate::tables::Tables;
use kernel::hex::FieldIndex;
use kernel::realm::RealmId;
use std::collections::BTreeMap;

/// Mines are not so near to a capital that one start had one and another not.
const MINE_FROM_CAPITAL: u32 = 5;

fn index(field: usize) -> FieldIndex {
    FieldIndex(u32::try_from(field).unwrap_or(u32::MAX))
}

/// Land without a building at least so far from every capital, in an order of the lot.
fn ground(tables: &Tables, state: &State, lot: Lot, purpose: Purpose, far: &[u32], least: u32) -> Vec<usize> {
    let free = |field: &usize| {
        let ground = &state.fields[*field];
        far[*field] >= least && ground.site.is_none() && tables.is_land(ground.terrain)
    };
    let mut fields: Vec<usize> = (0..state.fields.len()).filter(free).collect();
    fields.sort_unstable_by_key(|field| lot.draw(purpose, *field as u64));
    fields
}

/// Digs mines: about one in 150 land fields, rather in the mountains (GAP-20). `far` is the distance from the nearest capital.
pub(super) fn mines(tables: &Tables, chart: &Chart, lot: Lot, far: &[u32], state: &mut State) {
    let land = state
        .fields
        .iter()
        .filter(|field| tables.is_land(field.terrain))
        .count();
    let per = usize::try_from(tables.mine.per_land_fields).unwrap_or(usize::MAX);
    let count = (land + per / 2) / per.max(1);
    let mut fields = ground(tables, state, lot, Purpose::Mine, far, MINE_FROM_CAPITAL);
    // Three times as likely for each height step: the draw decides, but a high field draws better.
    fields.sort_by_key(|field| {
        let height = tables.height(state.fields[*field].terrain).unwrap_or(1).unsigned_abs();
        lot.draw(Purpose::Mine, *field as u64) / (height * height).max(1)
    });
    for field in chart.spread(&fields, count, 2) {
        let step = tables.mine.step;
        let (least, most) = (tables.mine.reserve.min / step, tables.mine.reserve.max / step);
        let mut site = Site::finished(Building::Mine, name(lot, field));
        site.mine_reserve = lot.between(Purpose::MineReserve, field as u64, least, most) * step;
        state.fields[field].site = Some(Box::new(site));
    }
}

/// Leaves the ruined gates of the old empire, each with a code of its own (GAP-31).
pub(super) fn gates(tables: &Tables, chart: &Chart, lot: Lot, far: &[u32], state: &mut State) {
    let rules = &tables.gate;
    let realms = i64::try_from(state.realms.len()).unwrap_or(i64::MAX);
    let mut codes: Vec<i64> = (rules.code_min..=rules.code_max).collect();
    codes.sort_by_key(|code| lot.draw(Purpose::GateCode, code.unsigned_abs()));
    let count = rules.count_per_realm.saturating_mul(realms).max(rules.min_count);
    let count = usize::try_from(count).unwrap_or(0).min(codes.len());
    let least = u32::try_from(rules.min_distance_to_capital).unwrap_or(u32::MAX);
    let fields = ground(tables, state, lot, Purpose::Gate, far, least);
    for (field, code) in chart.spread(&fields, count, 1).into_iter().zip(codes) {
        let mut site = Site::finished(Building::Gate, name(lot, field));
        site.condition = rules.initial_state;
        site.gate_code = u16::try_from(code).ok();
        state.fields[field].site = Some(Box::new(site));
    }
}

/// Lets beasts loose: on every fiftieth field or so a pack of a kind that lives there, not near capitals (GAP-28).
pub(super) fn packs(tables: &Tables, lot: Lot, far: &[u32], state: &mut State) {
    let rules = &tables.monsters;
    let safe = u32::try_from(rules.safe_distance_capital).unwrap_or(u32::MAX);
    let density = rules.initial_density_pct.unsigned_abs();
    let mut numbers: BTreeMap<Kind, u32> = BTreeMap::new();
    for field in (0..state.fields.len()).filter(|field| far[*field] > safe) {
        if !lot.happens(Purpose::Pack, field as u64, density, 100) {
            continue;
        }
        let kinds = monsters::natives(tables, state, index(field));
        let chosen = lot.below(Purpose::PackKind, field as u64, kinds.len() as u64);
        let Some(kind) = kinds.get(usize::try_from(chosen).unwrap_or(0)).copied() else {
            continue;
        };
        let Some(pack) = &rules.kind[kind] else { continue };
        let heads = lot.between(Purpose::PackSize, field as u64, pack.size.min, pack.size.max);
        let number = numbers.entry(kind).or_default();
        *number += 1;
        let id = ArmyId::new(RealmId::NOBODY, kind, *number);
        state
            .armies
            .insert(id, monsters::new_pack(tables, kind, heads, index(field)));
    }
}

/// The name under which travellers know a place: two or three syllables.
fn name(lot: Lot, field: usize) -> String {
    const HEADS: [&str; 16] = [
        "Ar", "Bel", "Cor", "Dra", "El", "Gor", "Ith", "Kal", "Mor", "Nar", "Or", "Ral", "Sol", "Tor", "Ul", "Var",
    ];
    const MIDDLES: [&str; 8] = ["", "a", "en", "i", "o", "un", "", "e"];
    const TAILS: [&str; 16] = [
        "dan", "dor", "gath", "gond", "gur", "lin", "loth", "mar", "mir", "nor", "rak", "rim", "ruk", "than", "thil",
        "von",
    ];
    let draw = lot.draw(Purpose::Name, field as u64) as usize;
    let pick = |words: &'static [&'static str], shift: u32| words[(draw >> shift) % words.len()];
    format!("{}{}{}", pick(&HEADS, 0), pick(&MIDDLES, 8), pick(&TAILS, 16))
}
