//! Facts that hold in every world between two months. A world that breaks one is halted with its state intact.

use crate::codes::Kind;
use crate::state::State;
use crate::tables::Tables;

/// The first broken law, in words.
pub(crate) fn hold(tables: &Tables, state: &State) -> Result<(), String> {
    if state.fields.len() != state.chart.field_count() as usize {
        return Err("the world has as many fields as its chart".to_owned());
    }
    for field in state.chart.fields() {
        let here = state.field(field);
        let place = state.place(field);
        if tables.is_water(here.terrain) && (here.owner.is_played() || here.settlement.is_some() || here.work.is_some())
        {
            return Err(format!("{place}: water belongs to nobody and bears nothing"));
        }
        if here.owner.is_played() && !state.realms.contains_key(&here.owner) {
            return Err(format!("{place}: belongs to a realm that does not exist"));
        }
        for (direction, other) in state.chart.neighbours(field) {
            let there = state.field(other);
            let back = direction.opposite();
            let same = here.rivers.has(direction) == there.rivers.has(back)
                && here.bridges.has(direction) == there.bridges.has(back)
                && here.roads.has(direction) == there.roads.has(back);
            if !same {
                return Err(format!(
                    "{place}: rivers, bridges and roads are the same from both sides"
                ));
            }
        }
    }
    for (id, army) in &state.armies {
        if !state.realms.contains_key(&id.realm) || army.field.0 >= state.chart.field_count() {
            return Err(format!("{id}: an army has a realm and a field"));
        }
        if army.count < 0 || (army.count == 0) != (id.kind() == Kind::Trader) {
            return Err(format!("{id}: an army has heads, a trader has none"));
        }
        if let Some(fleet) = army.aboard {
            let carrier = state.armies.get(&fleet.of(id.realm));
            if carrier.is_none_or(|carrier| carrier.field != army.field) {
                return Err(format!("{id}: cargo is where its fleet is"));
            }
        }
    }
    for (id, realm) in &state.realms {
        if realm.treasury < 0 {
            return Err(format!("realm {id}: no debts (PYG-GAP-09)"));
        }
    }
    Ok(())
}
