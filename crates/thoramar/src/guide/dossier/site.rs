//! The building of a field: its state, what it is worth, what can be made of it and what may be armed there.

use super::super::{int, kind_word, line, reasoned, section, term};
use super::Desk;
use crate::arming;
use crate::codes::{Building, Kind};
use crate::report::{building_word, condition_word};
use crate::rule;
use crate::state::SeenCondition;
use crate::tables::{Tables, Work};
use crate::view::SiteView;
use kernel::hex::Direction;
use kernel::report::{Arg, ReportSink};

/// Writes the building, if one is known.
pub(super) fn write(desk: &Desk<'_>, sink: &mut dyn ReportSink) {
    let own = desk.field.own.as_ref().and_then(|own| own.site.as_ref());
    match (own, desk.field.glimpse.building) {
        (Some(site), _) => own_site(desk, site, sink),
        (None, Some(building)) => seen_site(desk, building, sink),
        (None, None) => {}
    }
}

/// A building as strangers see it: its condition only from on the field (THO-REP-07).
fn seen_site(desk: &Desk<'_>, building: Building, sink: &mut dyn ReportSink) {
    let (key, word) = match desk.field.glimpse.condition {
        Some(SeenCondition::Standing(condition)) => ("dossier-building-seen", condition_word(condition)),
        Some(SeenCondition::UnderConstruction) => ("dossier-building-seen", "condition-works"),
        None => ("dossier-building-afar", "condition-I"),
    };
    section(
        sink,
        "dossier-building",
        &[],
        &[rule::SIGHT_01, rule::REP_07, rule::BLD_18],
        |sink| {
            let building = ("building", Arg::Word(building_word(building)));
            line(sink, key, &[building, ("state", Arg::Word(word))]);
        },
    );
}

fn own_site(desk: &Desk<'_>, site: &SiteView, sink: &mut dyn ReportSink) {
    let tables = desk.tables.of(desk.owner_id());
    section(sink, "dossier-building", &[], &[rule::BLD_01, rule::BLD_18], |sink| {
        let name = tables.spoken(&site.name);
        let args = [
            ("building", Arg::Word(building_word(site.building))),
            ("name", Arg::Text(name)),
            ("state", Arg::Word(condition_word(site.condition))),
        ];
        let key = match (site.standing, name.is_empty()) {
            (true, false) => "dossier-building-own",
            (true, true) => "dossier-building-seen",
            (false, false) => "dossier-building-site",
            (false, true) => "dossier-nameless-site",
        };
        line(sink, key, &args);
        if let Some(works) = site.works {
            let args = [
                ("target", Arg::Word(building_word(works.target))),
                ("n", int(works.turns_left)),
            ];
            reasoned(sink, "dossier-works", &args, &[rule::BLD_21, rule::GAP_06], vec![]);
        }
        if let Some(code) = site.gate_code {
            reasoned(
                sink,
                "dossier-gate",
                &[("code", int(code))],
                &[rule::BLD_16, rule::GAP_31],
                vec![],
            );
        }
        if site.standing {
            worth(tables, site, sink);
            chances(tables, site, sink);
        }
    });
    if site.standing && tables.is_arming_place(site.building) {
        armed_here(desk, site, sink);
    }
}

/// What the building brings and gives (THO-ECON-02, -03, THO-ARM-04, THO-COMB-04).
fn worth(tables: &Tables, site: &SiteView, sink: &mut dyn ReportSink) {
    let income = tables.building_income(site.building, site.condition);
    if income != 0 {
        let key = if income > 0 { "dossier-income" } else { "dossier-upkeep" };
        let rules = [rule::ECON_02, rule::ECON_03, rule::GAP_07];
        reasoned(sink, key, &[("gs", int(income.abs()))], &rules, vec![]);
    }
    if tables.is_arming_place(site.building) {
        let whole = tables.capacity(site.building, site.condition);
        let sum = [
            ("whole", whole.into()),
            ("used", (whole - site.capacity_left).into()),
            ("left", site.capacity_left.into()),
        ];
        let args = [("gs", int(site.capacity_left)), ("whole", int(whole))];
        let rules = [rule::ARM_04, rule::GAP_10];
        reasoned(sink, "dossier-capacity", &args, &rules, vec![term("capacity", &sum)]);
    }
    let bonus = tables.building_bonus_pct(site.building, site.condition);
    if bonus > 0 {
        reasoned(
            sink,
            "dossier-bonus",
            &[("p", int(bonus))],
            &[rule::COMB_04, rule::GAP_17],
            vec![],
        );
    }
    if tables.is_trading_place(site.building) {
        reasoned(sink, "dossier-trade", &[], &[rule::TRADE_01, rule::TRADE_02], vec![]);
    }
}

/// What can be made of the building: repairs first, upgrades only when it is whole (THO-BLD-01, -18).
fn chances(tables: &Tables, site: &SiteView, sink: &mut dyn ReportSink) {
    if site.works.is_some() {
        return;
    }
    if let Some(work) = tables.repair(site.building, site.condition) {
        let rules = [rule::BLD_18, rule::BLD_21, rule::GAP_06];
        return work_line(sink, "dossier-repair", site.building, work, &rules);
    }
    for target in tables.upgrades(site.building) {
        if let Some(work) = tables.upgrade(site.building, target) {
            work_line(
                sink,
                "dossier-upgrade",
                target,
                work,
                &[rule::BLD_01, rule::BLD_21, rule::GAP_06],
            );
        }
    }
}

fn work_line(sink: &mut dyn ReportSink, key: &str, building: Building, work: Work, rules: &[kernel::rule::RuleId]) {
    let args = [
        ("building", Arg::Word(building_word(building))),
        ("gs", int(work.price)),
        ("n", int(work.turns)),
    ];
    reasoned(sink, key, &args, rules, vec![]);
}

/// What may be armed here (THO-ARM-02..09, THO-ARM-12): kinds that the building arms and the people can train.
fn armed_here(desk: &Desk<'_>, site: &SiteView, sink: &mut dyn ReportSink) {
    let owner = desk.owner_id();
    let tables = desk.tables.of(owner);
    let books = desk.view.realms.get(&owner).and_then(|realm| realm.books.as_ref());
    let trained = |kind: &Kind| books.is_none_or(|books| books.culture.percent(*kind) > 0);
    let harbour = is_harbour(desk, tables);
    let kinds: Vec<Kind> = Kind::ALL
        .iter()
        .copied()
        .filter(|kind| tables.arms(site.building, *kind) && trained(kind) && (harbour || !kind.sails()))
        .collect();
    if kinds.is_empty() {
        return;
    }
    section(
        sink,
        "dossier-arming",
        &[],
        &[rule::ARM_02, rule::ARM_05, rule::ARM_06, rule::ARM_12],
        |sink| {
            for kind in kinds {
                let word = kind_word(kind);
                let (_, fixed) = arming::price(tables, kind, 0, false, true);
                let affordable = site.capacity_left / tables.price_per_head(kind).max(1);
                let args = [
                    ("code", Arg::Text(kind.code())),
                    ("kind", Arg::Word(&word)),
                    ("gs", int(tables.price_per_head(kind))),
                    ("fixed", int(fixed)),
                    ("min", int(tables.arm_min(kind))),
                    ("max", int(affordable)),
                ];
                let key = match (tables.top_up_only(kind, site.building), fixed > 0) {
                    (true, _) => "dossier-top-up",
                    (false, false) => "dossier-arms",
                    (false, true) => "dossier-arms-fixed",
                };
                line(sink, key, &args);
            }
        },
    );
}

/// THO-ARM-08, GAP-41: low enough, and water beside it as far as the viewer knows.
fn is_harbour(desk: &Desk<'_>, tables: &Tables) -> bool {
    let height = tables.height(desk.field.glimpse.terrain).unwrap_or(0);
    let beside = Direction::ALL
        .into_iter()
        .filter_map(|direction| desk.view.neighbour(desk.place, direction));
    let mut known = beside.filter_map(|place| desk.view.fields.get(&place));
    height <= tables.arming.fleet_site_max_height && known.any(|field| tables.is_water(field.glimpse.terrain))
}
