//! Land, treaties, buildings, money and armies (THO-REP-10..15, THO-REP-17).

use super::events::{building_word, condition_word, term, treaty_word};
use super::weeks::rows;
use super::{Pen, int, write_name};
use crate::codes::{Building, Kind, Terrain};
use crate::geo::Place;
use crate::notice::Perceived;
use crate::rule;
use crate::state::ArmyName;
use crate::view::{ArmyView, OwnField, SiteView, View};
use kernel::diagnostic::{Name, Value};
use kernel::realm::RealmId;
use kernel::report::{Arg, Phrase, Term, Why};
use kernel::rule::RuleId;
use std::collections::BTreeMap;

/// Rows 12 to 19.
pub(super) fn write(pen: &mut Pen<'_>, realm: RealmId) {
    yields(pen);
    statistics(pen);
    unrest(pen, realm);
    treaties(pen);
    capacities(pen, realm);
    money(pen);
    account(pen, realm);
    armies(pen);
}

/// Own fields, north to south and west to east.
fn own_fields(view: &View) -> Vec<(Place, Terrain, &OwnField)> {
    let mut fields: Vec<_> = view
        .own_fields()
        .map(|(place, field, own)| (place, field.glimpse.terrain, own))
        .collect();
    fields.sort_by_key(|(place, ..)| (-i64::from(place.y), place.x));
    fields
}

/// THO-REP-10.
fn yields(pen: &mut Pen<'_>) {
    let fields = own_fields(pen.view);
    let args: Vec<[(&str, Arg<'_>); 5]> = fields
        .iter()
        .map(|(place, terrain, own)| {
            let mark = if own.blessed_turns > 0 { "^" } else { " " };
            [
                ("b", Arg::Text(mark)),
                ("x", int(place.x)),
                ("y", int(place.y)),
                ("ter", Arg::Text(terrain.code())),
                ("pct", int(own.yield_percent)),
            ]
        })
        .collect();
    let phrases: Vec<Phrase<'_>> = args.iter().map(|args| Phrase { key: "yield", args }).collect();
    let rules = [rule::REP_10, rule::TERR_04, rule::PRIEST_03];
    pen.section("yields", &[], &rules, |pen| rows(pen, "yields", &phrases, 4));
    pen.blank();
}

/// THO-REP-11: fields per terrain and what they bring at full yield.
fn statistics(pen: &mut Pen<'_>) {
    let mut counts: BTreeMap<Terrain, i64> = BTreeMap::new();
    for (_, field, _) in pen.view.own_fields() {
        *counts.entry(field.glimpse.terrain).or_default() += 1;
    }
    let tables = pen.tables;
    pen.section(
        "statistics",
        &[],
        &[rule::REP_11, rule::ECON_01, rule::TERR_01, rule::TIME_03],
        |pen| {
            for (terrain, count) in counts {
                let income = tables.land_income(terrain);
                let word = format!("terrain-{}", terrain.code());
                let gold = count.saturating_mul(income);
                let args = [("n", int(count)), ("name", Arg::Word(&word)), ("gs", int(gold))];
                let product = [
                    ("fields", count.into()),
                    ("income", income.into()),
                    ("gold", gold.into()),
                ];
                let why = because(&[rule::REP_11, rule::ECON_01], vec![term("land", &product)]);
                pen.reasoned("statistics", &args, &why);
            }
        },
    );
    pen.blank();
}

/// Row 13a, GAP-22: fields that may revolt.
fn unrest(pen: &mut Pen<'_>, realm: RealmId) {
    let threshold = pen.tables.of(realm).unrest.threshold;
    let restless: Vec<[(&str, Arg<'_>); 3]> = own_fields(pen.view)
        .iter()
        .filter(|(_, _, own)| i64::from(own.unrest) > threshold)
        .map(|(place, _, own)| [("x", int(place.x)), ("y", int(place.y)), ("u", int(own.unrest))])
        .collect();
    if restless.is_empty() {
        return;
    }
    let phrases: Vec<Phrase<'_>> = restless.iter().map(|args| Phrase { key: "unrest", args }).collect();
    pen.section("unrest", &[], &[rule::GAP_22, rule::ECON_06], |pen| {
        rows(pen, "unrest", &phrases, 4)
    });
    pen.blank();
}

/// THO-REP-12.
fn treaties(pen: &mut Pen<'_>) {
    let view = pen.view;
    pen.section("treaties", &[], &[rule::REP_12, rule::DIP_01], |pen| {
        for treaty in &view.treaties {
            let args = [
                ("id", int(treaty.other.0)),
                ("treaty", Arg::Word(treaty_word(treaty.treaty))),
            ];
            pen.line("treaty", &args);
        }
    });
    pen.blank();
}

/// THO-REP-13: own buildings by type, the capital last.
fn capacities(pen: &mut Pen<'_>, realm: RealmId) {
    let order = |building: Building| Building::REPORT_ORDER.iter().position(|listed| *listed == building);
    let fields = own_fields(pen.view);
    let mut sites: Vec<(Place, &SiteView)> = fields
        .iter()
        .filter_map(|(place, _, own)| own.site.as_ref().map(|site| (*place, site)))
        .collect();
    sites.sort_by_key(|(_, site)| order(site.building));
    let tables = pen.tables.of(realm);
    let rules = [rule::REP_13, rule::ARM_04, rule::GAP_10, rule::GAP_34];
    pen.section("capacities", &[], &rules, |pen| {
        for (place, site) in sites {
            let key = match (site.works.is_some(), site.gate_code.is_some()) {
                (false, false) => "capacity",
                (true, false) => "capacity-works",
                (false, true) => "capacity-gate",
                (true, true) => "capacity-gate-works",
            };
            let args = [
                ("type", Arg::Word(building_word(site.building))),
                ("name", Arg::Text(&site.name)),
                ("x", int(place.x)),
                ("y", int(place.y)),
                ("cap", int(site.capacity_left)),
                ("state", Arg::Word(condition_word(site.condition))),
                ("turns", int(site.works.map_or(0, |works| works.turns_left))),
                ("code", int(site.gate_code.unwrap_or(0))),
            ];
            let whole = if site.standing {
                tables.capacity(site.building, site.condition)
            } else {
                0
            };
            let sum = [
                ("whole", whole.into()),
                ("used", (whole - site.capacity_left).into()),
                ("left", site.capacity_left.into()),
            ];
            // GAP-31: the owner of a working gate reads its code.
            let gate = site.gate_code.map(|_| rule::GAP_31);
            let rules: Vec<RuleId> = [rule::REP_13, rule::ARM_04, rule::GAP_10]
                .into_iter()
                .chain(gate)
                .collect();
            let why = because(&rules, vec![term("capacity", &sum)]);
            pen.reasoned(key, &args, &why);
        }
    });
    pen.blank();
}

/// An answer to "why?" made of rules and arithmetic.
fn because(rules: &[RuleId], terms: Vec<Term>) -> Why {
    Why {
        rules: rules.iter().map(|rule| Name::Borrowed(rule.as_str())).collect(),
        terms,
        ..Why::default()
    }
}

/// THO-REP-14: income, upkeep in the season that has one, treasury.
fn money(pen: &mut Pen<'_>) {
    let view = pen.view;
    let Some(books) = view.books() else { return };
    let ledger = Ledger::of(pen);
    pen.section(
        "money",
        &[],
        &[rule::REP_14, rule::ECON_01, rule::ECON_02, rule::GAP_09],
        |pen| {
            let why = because(
                &[rule::REP_14, rule::ECON_01, rule::ECON_02, rule::GAP_09],
                ledger.income,
            );
            pen.reasoned("income", &[("n", int(books.income))], &why);
            if let Some(upkeep) = books.upkeep {
                let why = because(&[rule::ECON_04, rule::GAP_09, rule::GAP_11], ledger.upkeep);
                pen.reasoned("upkeep", &[("n", int(upkeep))], &why);
            }
            let spent = books.upkeep.unwrap_or(0).saturating_add(ledger.spent);
            let before = books.treasury.saturating_sub(books.income).saturating_add(spent);
            let mut terms = vec![term("treasury-before", &[("gold", before.into())])];
            terms.push(term("treasury-income", &[("gold", books.income.into())]));
            terms.extend(ledger.expenses);
            if let Some(upkeep) = books.upkeep {
                terms.push(term("treasury-upkeep", &[("gold", upkeep.into())]));
            }
            pen.reasoned(
                "treasury",
                &[("n", int(books.treasury))],
                &because(&[rule::REP_14, rule::START_01], terms),
            );
        },
    );
    pen.blank();
}

/// Where gold came from and went to, from what the realm was told.
#[derive(Default)]
struct Ledger {
    income: Vec<Term>,
    upkeep: Vec<Term>,
    expenses: Vec<Term>,
    spent: i64,
}

impl Ledger {
    fn of(pen: &Pen<'_>) -> Self {
        let mut ledger = Self::default();
        for told in &pen.view.told {
            ledger.enter(pen, &told.notice.what);
        }
        ledger
    }

    fn spend(&mut self, key: &'static str, gold: i64, args: &[(&'static str, Value)]) {
        if gold != 0 {
            let mut all = args.to_vec();
            all.push(("gold", gold.into()));
            self.expenses.push(term(key, &all));
            self.spent = self.spent.saturating_add(gold);
        }
    }

    fn earn(&mut self, key: &'static str, gold: i64, place: &Place) {
        self.income
            .push(term(key, &[("place", place.to_string().into()), ("gold", gold.into())]));
    }

    fn enter(&mut self, pen: &Pen<'_>, what: &Perceived) {
        match what {
            Perceived::WorkBegun {
                place, building, cost, ..
            } => {
                self.spend(
                    "spent-work",
                    *cost,
                    &[("what", word(building_word(*building))), ("place", text(place))],
                );
            }
            Perceived::NetworkLaid {
                network, place, cost, ..
            } => {
                self.spend(
                    "spent-network",
                    *cost,
                    &[("what", network.code().into()), ("place", text(place))],
                );
            }
            Perceived::ArmyArmed { army, count, cost, .. } => {
                self.spend(
                    "spent-arming",
                    *cost,
                    &[("army", text(&super::name(pen.view, army))), ("n", (*count).into())],
                );
            }
            Perceived::GroupFormed { group, cost, .. } => {
                self.spend("spent-group", *cost, &[("army", text(&super::name(pen.view, group)))]);
            }
            Perceived::Shot { army, cost, place, .. } if army.realm == pen.view.realm() => {
                self.spend(
                    "spent-shot",
                    *cost,
                    &[("army", text(&super::name(pen.view, army))), ("place", text(place))],
                );
            }
            Perceived::GoldSent { from, to, amount } if Some(*from) == pen.view.realm() => {
                self.spend("spent-gift", *amount, &[("realm", i64::from(to.0).into())]);
            }
            Perceived::CapitalLost { place, loot, .. } => self.spend("spent-loot", *loot, &[("place", text(place))]),
            // Given or taken, it is neither income nor an expense of the realm's own.
            Perceived::TreasuryEdited { gold } => {
                self.expenses.push(term("treasury-edited", &[("gold", (*gold).into())]));
                self.spent = self.spent.saturating_sub(*gold);
            }
            Perceived::GoldSent { from, amount, .. } => {
                self.income.push(term(
                    "earned-gift",
                    &[("realm", i64::from(from.0).into()), ("gold", (*amount).into())],
                ));
            }
            Perceived::Plundered { place, gold, .. } => self.earn("earned-plunder", *gold, place),
            Perceived::Traded { place, gold, .. } | Perceived::StrangersTraded { place, gold } => {
                self.earn("earned-trade", *gold, place);
            }
            Perceived::BootyTaken { place, gold, .. } => self.earn("earned-booty", *gold, place),
            Perceived::MinePaid { place, gold } => self.earn("earned-mine", *gold, place),
            Perceived::Settled { settlement, .. } => {
                for part in &settlement.land_parts {
                    let income = pen.tables.land_income(part.terrain);
                    let args = [
                        ("fields", i64::from(part.fields).into()),
                        ("terrain", word(format!("terrain-{}", part.terrain.code()))),
                        ("income", income.into()),
                        ("yield", i64::from(part.yield_percent).into()),
                        ("gold", part.gold.into()),
                    ];
                    self.income.push(term(
                        if part.blessed {
                            "earned-blessed-land"
                        } else {
                            "earned-land"
                        },
                        &args,
                    ));
                }
                for part in &settlement.building_parts {
                    let args = [
                        ("count", i64::from(part.count).into()),
                        ("what", word(building_word(part.building))),
                        ("state", word(condition_word(part.condition))),
                        ("gold", part.gold.into()),
                    ];
                    self.income.push(term("earned-building", &args));
                }
                self.upkeep
                    .push(term("upkeep-armies", &[("gold", settlement.armies.into())]));
                self.upkeep
                    .push(term("upkeep-temples", &[("gold", settlement.temples.into())]));
                self.upkeep
                    .push(term("upkeep-paid", &[("gold", settlement.paid.into())]));
            }
            _ => {}
        }
    }
}

fn text(value: &impl std::fmt::Display) -> Value {
    value.to_string().into()
}

fn word(key: impl Into<Name>) -> Value {
    Value::Word { word: key.into() }
}

/// THO-REP-17, THO-ORG-02: nothing if the world has no fee.
fn account(pen: &mut Pen<'_>, realm: RealmId) {
    let account = &pen.tables.of(realm).account;
    let balance = pen.view.books().and_then(|books| books.account);
    let (fee, Some(balance)) = (account.fee_per_turn, balance) else {
        return;
    };
    if fee == 0 {
        return;
    }
    let args = [
        ("n", int(balance)),
        ("cur", Arg::Text(account.currency.as_str())),
        ("fee", int(fee)),
    ];
    pen.section("account", &[], &[rule::REP_17, rule::ORG_02], |pen| {
        pen.line("account", &args)
    });
    pen.blank();
}

/// THO-REP-15: the army table.
fn armies(pen: &mut Pen<'_>) {
    let view = pen.view;
    let ties = Ties::of(view);
    let rules = [rule::REP_15, rule::UNIT_01, rule::MOVE_08, rule::GAP_17, rule::GAP_34];
    pen.section("armies", &[], &rules, |pen| {
        let mut buffer = String::new();
        for (name, army) in view.own_armies() {
            write_name(&mut buffer, name.kind, name.number);
            ties.row(pen, &buffer, name, army);
        }
    });
    pen.blank();
}

/// Who carries, leads or masters whom.
#[derive(Default)]
struct Ties {
    cargo: BTreeMap<ArmyName, Vec<ArmyName>>,
    members: BTreeMap<ArmyName, i64>,
    demons: BTreeMap<ArmyName, Vec<ArmyName>>,
}

impl Ties {
    fn of(view: &View) -> Self {
        let mut ties = Self::default();
        for (name, army) in view.own_armies() {
            if let Some(fleet) = army.aboard {
                ties.cargo.entry(fleet).or_default().push(name);
            }
            if let Some(group) = army.group {
                *ties.members.entry(group).or_default() += 1;
            }
            if let Some(master) = army.master {
                ties.demons.entry(master).or_default().push(name);
            }
        }
        ties
    }

    /// Row 19a. The parts of column *Spezial* come in the order of the catalogue.
    fn row(&self, pen: &mut Pen<'_>, label: &str, name: ArmyName, army: &ArmyView) {
        let mut parts: Vec<(&'static str, String)> = Vec::new();
        parts.extend(army.aboard.map(|fleet| ("special-aboard", fleet.to_string())));
        parts.extend(
            self.cargo
                .get(&name)
                .into_iter()
                .flatten()
                .map(|cargo| ("special-carries", cargo.to_string())),
        );
        parts.extend(army.group.map(|group| ("special-member", group.to_string())));
        parts.extend(
            army.start
                .filter(|_| name.kind.is_trader())
                .map(|start| ("special-start", start.to_string())),
        );
        parts.extend(
            self.demons
                .get(&name)
                .into_iter()
                .flatten()
                .map(|demon| ("special-masters", demon.to_string())),
        );
        parts.extend(army.master.map(|wizard| ("special-mastered", wizard.to_string())));
        if matches!(name.kind, Kind::LandGroup | Kind::SeaGroup) {
            let members = self.members.get(&name).copied().unwrap_or(0);
            parts.push(("special-members", members.to_string()));
        }
        let args: Vec<[(&str, Arg<'_>); 1]> = parts.iter().map(|(_, value)| [("what", Arg::Text(value))]).collect();
        let phrases: Vec<Phrase<'_>> = parts
            .iter()
            .zip(&args)
            .map(|((key, _), args)| Phrase { key, args })
            .collect();
        let columns = [
            ("army", Arg::Text(label)),
            ("n", int(army.count)),
            ("kk", int(army.bonus_percent)),
            ("gel", Arg::Text(army.fit.map_or("---", |terrain| terrain.code()))),
            ("x", int(army.place.x)),
            ("y", int(army.place.y)),
            ("bew", int(army.points)),
            ("spezial", Arg::List(&phrases, ", ")),
        ];
        pen.line("army", &columns);
    }
}
