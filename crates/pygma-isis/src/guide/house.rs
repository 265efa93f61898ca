//! Everything that a world may have otherwise than the book and its rulings, with what may stand there and the rules behind it; and what a
//! new world can be.

use super::forms::stance_word;
use crate::chart::{Chart, Layout, Shifted};
use crate::codes::{
    Behaviour, Class, Creature, Good, Kind, People, SettlementKind, Soil, Stance, Terrain, Vein, WorkKind,
};
use crate::event::war::creature_word;
use crate::report::good_word;
use crate::rule;
use crate::state::State;
use crate::tables::Tables;
use crate::tables::overlay::{BOOK, book_tree, limits};
use crate::tables::policy::{
    AbsentHygiene, Beneficiary, Captured, CargoLoss, Conquered, Crossing, EquipmentBought, EquipmentEnds, Excess,
    Gifts, LossRounding, NeededAt, Percentages, Plunder, Promoted, Searched, Stacking, Third, Usable, Waters,
};
use crate::worldgen;
use kernel::diagnostic::Name;
use kernel::form::{Choice, Input, Values};
use kernel::guide::{HouseRule, Size, Start};
use kernel::hex::FieldIndex;
use kernel::house::{self, Reasons};
use kernel::realm::RealmId;
use kernel::vocabulary::Vocabulary;
use toml::{Table, Value};

/// What comes first in a list for a new world; the rest follows in the order of the alphabet.
const FIRST: [&str; 4] = ["map", "start", "calendar", "creatures"];
/// Tables with a line for each kind of something.
const LINES: [&str; 6] = ["army", "creature", "production", "settlement", "terrain", "work"];
/// Single figures for each kind of something.
const PER_KIND: [&str; 10] = [
    "attrition.equipment_cost",
    "attrition.equipped_pct",
    "attrition.immune",
    "mine.find",
    "movement.inside",
    "movement.outside",
    "movement.road",
    "road.cost",
    "road.sections_per_end_and_month",
    "start.fields",
];

/// The list, section by section.
pub(super) fn list() -> Vec<HouseRule> {
    // That a world has figures of its own at all is PYG-GAP-01: the grid is one.
    let reasons = Reasons::read(&BOOK, rule::RULES, "PYG-", rule::GAP_01);
    let mut rules = Vec::new();
    house::each_value(&spelled_out(), &mut |path, value| {
        rules.push(entry(&reasons, path, value));
    });
    let place = |rule: &HouseRule| {
        let section = rule.key.split('.').next().unwrap_or_default();
        FIRST.iter().position(|first| *first == section).unwrap_or(FIRST.len())
    };
    rules.sort_by(|a, b| (place(a), &a.key).cmp(&(place(b), &b.key)));
    rules
}

/// The book with a line for every good of every soil: those without a cross can be given one.
fn spelled_out() -> Table {
    let mut tree = book_tree();
    if let Some(Value::Table(soils)) = tree.get_mut("production") {
        for goods in soils.iter_mut().filter_map(|(_, goods)| goods.as_table_mut()) {
            for good in Good::main() {
                goods.entry(good.code()).or_insert(Value::Integer(0));
            }
        }
    }
    tree
}

fn entry(reasons: &Reasons, path: &str, value: &Value) -> HouseRule {
    let default = house::literal(value);
    let choices = choices(path);
    let input = match value {
        Value::Boolean(_) => Input::Flag,
        Value::Integer(_) => {
            let (min, max) = limits(path);
            Input::Number { min, max }
        }
        Value::String(_) if !choices.is_empty() => Input::Choice { choices },
        _ => house::one_line(&default),
    };
    let section = path.split('.').next().unwrap_or_default();
    let (key, item) = split_item(path);
    HouseRule {
        key: path.to_owned(),
        section: Name::Owned(format!("house-{section}")),
        label: Name::Owned(format!("house.{key}")),
        item_label: item_word(section, &item),
        item,
        input,
        default,
        rules: reasons.of(path),
    }
}

/// What may stand where the book has one of several words.
fn choices(path: &str) -> Vec<Choice> {
    match path {
        "map.layout" => worded::<Layout>("house-is"),
        "map.shifted_columns" => worded::<Shifted>("house-is"),
        "absence.hygiene" => worded::<AbsentHygiene>("house-hygiene"),
        "absence.order" => stances(),
        "attrition.equipment_bought" => worded::<EquipmentBought>("house-is"),
        "attrition.equipment_ends" => worded::<EquipmentEnds>("house-is"),
        "capital_loss.conquered_becomes" => worded::<Conquered>("house-is"),
        "combat.cargo_loss" => worded::<CargoLoss>("house-is"),
        "combat.percentages" => worded::<Percentages>("house-is"),
        "combat.rounding" => worded::<LossRounding>("house-is"),
        "creatures.plunder" => worded::<Plunder>("house-plunder"),
        "goods.promotion_lasts" => worded::<Promoted>("house-is"),
        "letters.gifts" => worded::<Gifts>("house-gifts"),
        "mine.searched" => worded::<Searched>("house-is"),
        "start.capital_on" => terrains(),
        "trade.needed_fixed_at" => worded::<NeededAt>("house-is"),
        "movement.unbridged_river" => worded::<Crossing>("house-is"),
        "works.stacking" => worded::<Stacking>("house-is"),
        "works.beneficiary" => worded::<Beneficiary>("house-is"),
        "works.captured" => worded::<Captured>("house-is"),
        "trade.third" => worded::<Third>("house-third"),
        "road.usable" => worded::<Usable>("house-is"),
        "trade_city.excess" => worded::<Excess>("house-is"),
        "goods.water_worked_by" => worded::<Waters>("house-waters"),
        _ => match path.rsplit('.').next().unwrap_or_default() {
            "road" | "combat" => worded::<Class>("class"),
            "column" => worded::<Soil>("soil-choice"),
            "behaviour" => worded::<Behaviour>("house-is"),
            "attitude" => stances(),
            _ => Vec::new(),
        },
    }
}

fn stances() -> Vec<Choice> {
    let choice = |stance: &Stance| Choice::worded(stance.code(), stance_word(*stance));
    Stance::ALL.iter().map(choice).collect()
}

/// Everything that a capital can stand on.
fn terrains() -> Vec<Choice> {
    let book = Tables::book();
    let land = Terrain::ALL.iter().copied().filter(|terrain| !book.is_water(*terrain));
    land.filter(|terrain| *terrain != Terrain::Unexplored)
        .map(|terrain| Choice::worded(terrain.code(), format!("terrain-{}", terrain.code())))
        .collect()
}

/// Every word of a vocabulary, with its name in the locale.
fn worded<V: Vocabulary>(prefix: &str) -> Vec<Choice> {
    let choice = |word: &V| Choice::worded(word.word(), format!("{prefix}-{}", word.word()));
    V::WORDS.iter().map(choice).collect()
}

/// A path through a table with a line for each kind: the key without the kind, and the kind.
fn split_item(path: &str) -> (String, String) {
    if let Some(table) = PER_KIND.iter().find(|table| path.starts_with(&format!("{table}."))) {
        let item = path.get(table.len() + 1..).unwrap_or_default();
        return ((*table).to_owned(), item.to_owned());
    }
    let parts: Vec<&str> = path.split('.').collect();
    match parts.as_slice() {
        ["production", soil, good] => (format!("production.{soil}"), (*good).to_owned()),
        ["terrain", terrain, "luxury", good] => ("terrain.luxury".to_owned(), format!("{terrain}.{good}")),
        [table, item, rest @ ..] if LINES.contains(table) => {
            (format!("{table}.{}", rest.join(".")), (*item).to_owned())
        }
        _ => (path.to_owned(), String::new()),
    }
}

/// Key of the word for the kind of army, terrain, good and so on that an entry is about; empty if the code has to do.
fn item_word(section: &str, item: &str) -> Name {
    let (_, last) = item.split_once('.').unwrap_or((item, ""));
    let found = match section {
        "army" | "movement" => Kind::from_code(item).map(|kind| format!("kind-{}", kind.code())),
        "terrain" | "start" if last.is_empty() => terrain(item),
        "road" => Class::from_code(item).map(|class| format!("class-{}", class.code())),
        "settlement" => SettlementKind::from_code(item).map(|kind| format!("settlement-{}", kind.code())),
        "work" => WorkKind::from_code(item).map(|kind| format!("work-{}", kind.code())),
        "creature" => Creature::from_code(item).map(|creature| creature_word(creature).to_owned()),
        "attrition" => People::from_code(item).map(|people| format!("people-{}", people.code())),
        "production" => Good::from_code(item).map(|good| good_word(good).to_owned()),
        "terrain" => Good::from_code(last).map(|good| good_word(good).to_owned()),
        "mine" => Vein::from_code(last).map(|vein| format!("vein-{}", vein.code())),
        _ => None,
    };
    found.map_or_else(Name::default, Name::Owned)
}

fn terrain(code: &str) -> Option<String> {
    Terrain::from_code(code).map(|terrain| format!("terrain-{}", terrain.code()))
}

/// The TOML text of values that differ from the book.
pub(super) fn write(values: &Values) -> String {
    house::write(&list(), values)
}

/// The peoples of realms (PYG-GAP-64).
pub(super) fn peoples() -> Vec<Choice> {
    worded::<People>("people")
}

/// Fields for each realm: close together, with room, far apart.
const ROOM: [(&str, u64); 3] = [("size-close", 225), ("size-roomy", 350), ("size-far", 600)];

/// Sizes for so many realms: in great fields of 25, one in great fields of 48 (PYG-GAP-01), and the size of the book.
pub(super) fn sizes(realms: usize) -> Vec<Size> {
    let book = Tables::book().chart();
    let realms = realms.clamp(1, kernel::limits::REALMS) as u64;
    let fitting = |label: &'static str, room: u64, layout: Layout| {
        let chart = Chart { layout, ..book };
        let great_fields = (realms * room).div_ceil(u64::from(chart.fields_per_great_field()));
        // About four great fields wide for three high.
        let rows = (great_fields * 3 / 4).isqrt().max(1);
        sized(label, layout, great_fields.div_ceil(rows), rows)
    };
    let mut sizes: Vec<Size> = ROOM
        .iter()
        .map(|(label, room)| fitting(label, *room, Layout::Rect))
        .collect();
    sizes.push(fitting("size-provinces", ROOM[1].1, Layout::Hex48));
    sizes.push(sized("size-book", book.layout, book.per_row.into(), book.rows.into()));
    sizes
}

fn sized(label: &'static str, layout: Layout, per_row: u64, rows: u64) -> Size {
    let chart = Chart {
        layout,
        ..Tables::book().chart()
    };
    let values = [
        ("map.layout", layout.code().to_owned()),
        ("map.great_fields_per_row", per_row.to_string()),
        ("map.great_field_rows", rows.to_string()),
    ];
    Size {
        label: Name::Borrowed(label),
        fields: per_row * rows * u64::from(chart.fields_per_great_field()),
        values: values.map(|(key, value)| (key.to_owned(), value)).into(),
    }
}

/// Where the realms begin, and the income of the land around.
pub(super) fn starts(tables: &Tables, state: &State) -> Vec<Start> {
    let start = |(realm, worth): (RealmId, i64)| {
        let home = state.realms.get(&realm)?.home;
        Some(Start {
            realm,
            place: state.chart.place(home).to_string(),
            // The middle of the game master's map.
            at: state.chart.spot(FieldIndex(0), home),
            worth,
        })
    };
    let worth = worldgen::fairness(tables, state).per_start;
    worth.into_iter().filter_map(start).collect()
}
