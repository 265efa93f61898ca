//! Taxes and land (PYG-TIME-02, -04, PYG-INC-01..05, PYG-PLAG-02, PYG-GAP-04, PYG-GAP-06, PYG-GAP-11). Part B.

use crate::chart::Place;
use crate::event::economy::Affair;
use crate::month::{Month, MonthTurn};
use crate::rule;
use crate::state::{State, Statement};
use crate::tables::Tables;
use crate::tables::policy::Halved;
use crate::treasury;
use kernel::hex::FieldIndex;
use kernel::ratio::{Rounding, percent};
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use kernel::turn::Cause;

/// What land and settlements of a realm bring.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Revenue {
    /// How many settlements pay.
    pub settlements: i64,
    /// GS from them.
    pub taxes: i64,
    /// How many fields the realm has.
    pub fields: i64,
    /// GS from them.
    pub land: i64,
    /// Fields that bring only half, because plague rages beside them.
    pub halved: i64,
    /// Fields that pay nothing.
    pub idle_fields: Vec<FieldIndex>,
    /// Settlements that pay nothing.
    pub idle_settlements: Vec<FieldIndex>,
}

/// Income of settlements and land, first to be spent next month.
///
/// PYG-TIME-02, -04, PYG-INC-01..04, PYG-GAP-04, PYG-GAP-06, PYG-GAP-11.
pub fn collect(turn: &mut MonthTurn<'_>, month: &mut Month) {
    let realms: Vec<RealmId> = turn.state.playing().collect();
    for realm in realms {
        let revenue = revenue(turn.tables, &turn.state, realm);
        let statement = Statement {
            step: month.step,
            taxes: revenue.taxes,
            land: revenue.land,
            // Supply is settled behind this; until then nothing has changed for the people.
            ..turn
                .state
                .realms
                .get(&realm)
                .and_then(|own| own.statement.clone())
                .unwrap_or_default()
        };
        if let Some(own) = turn.state.realms.get_mut(&realm) {
            own.statement = Some(statement);
        }
        treasury::credit(&mut turn.state, realm, revenue.taxes.saturating_add(revenue.land));
        tell(turn, month, realm, &revenue);
    }
}

fn tell(turn: &mut MonthTurn<'_>, month: &Month, realm: RealmId, revenue: &Revenue) {
    let taxes = Affair::TaxesCollected {
        settlements: revenue.settlements,
        n: revenue.taxes,
    };
    let tax_rules: &'static [RuleId] = &[
        rule::TIME_02,
        rule::TIME_04,
        rule::INC_01,
        rule::INC_02,
        rule::INC_03,
        rule::TOWN_09,
        rule::GAP_06,
    ];
    let land = Affair::LandYielded {
        fields: revenue.fields,
        n: revenue.land,
    };
    let land_rules: &'static [RuleId] = &[rule::TIME_02, rule::INC_01, rule::INC_04, rule::GAP_04, rule::GAP_11];
    let mut lines = vec![(taxes, tax_rules), (land, land_rules)];
    if revenue.halved > 0 {
        let fields = revenue.halved;
        lines.push((Affair::LandHalved { fields }, &[rule::PLAG_02, rule::GAP_20]));
    }
    let place = |field: &FieldIndex| -> Place { turn.state.place(*field) };
    let idle = revenue.idle_fields.iter().map(place);
    lines.extend(idle.map(|field| {
        let rules: &'static [RuleId] = &[rule::GAP_62, rule::GAP_63];
        (Affair::FieldPaidNothing { field }, rules)
    }));
    let idle = revenue.idle_settlements.iter().map(place);
    lines.extend(idle.map(|field| {
        let rules: &'static [RuleId] = &[rule::GAP_62, rule::GAP_63];
        (Affair::SettlementPaidNothing { field }, rules)
    }));
    for (what, rules) in lines {
        month.emit(turn, Cause::Step("income"), rules, &[], what.of(realm));
    }
}

/// What a realm's land and settlements would bring now.
///
/// PYG-GAP-11: a settlement's field pays as terrain too. PYG-PLAG-02, PYG-GAP-20: fields beside an infected town of anyone bring half, once.
pub fn revenue(tables: &Tables, state: &State, realm: RealmId) -> Revenue {
    let mut revenue = Revenue::default();
    for (index, field) in state.land_of(realm) {
        revenue.fields += 1;
        let income = tables.terrain[field.terrain].income;
        if field.pays_nothing {
            revenue.idle_fields.push(index);
        } else if income > 0 && is_halved(tables, state, index, Halved::Land) {
            revenue.halved += 1;
            revenue.land += halved(income);
        } else {
            revenue.land += income;
        }
        if let Some(town) = field.settlement.as_deref() {
            if town.pays_nothing {
                revenue.idle_settlements.push(index);
            } else {
                revenue.settlements += 1;
                revenue.taxes += tables.settlement[town.kind].tax;
            }
        }
    }
    revenue
}

/// Half of a sum, rounded down.
pub fn halved(gold: i64) -> i64 {
    percent(gold, 50, Rounding::Down)
}

/// Whether a field brings only half of something because plague rages beside it.
pub fn is_halved(tables: &Tables, state: &State, field: FieldIndex, what: Halved) -> bool {
    let is_sick = |other: FieldIndex| {
        let town = state.field(other).settlement.as_deref();
        town.is_some_and(|town| town.plague > 0)
    };
    let mut around = state.chart.neighbours(field);
    tables.plague.halves.contains(&what) && around.any(|(_, other)| is_sick(other))
}
