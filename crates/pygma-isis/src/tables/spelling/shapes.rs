//! What the catalogue writes in another shape: lists of tables, one key for several of ours, words for flags.

use super::keys::{BEHAVIOURS, CREATURES, TERRAINS};
use super::ours;
use toml::{Table, Value};

/// Columns of the hexagonal great field, which is one of a kind (PYG-GAP-01).
const HEX48: [i64; 8] = [4, 5, 6, 7, 8, 7, 6, 5];
/// The layout that says nothing by itself: the lengths of its columns do.
pub(super) const CUSTOM: &str = "custom";
/// Faces of a D20 are five percent each (PYG-GAP-19).
const PERCENT_PER_FACE: i64 = 5;

type Entries = Vec<(String, Value)>;

/// What a key of the catalogue says in our keys; none if it is no such key, or does not say anything that we could.
pub(super) fn reshaped(path: &str, value: &Value) -> Option<Entries> {
    let one = |path: &str, value: Value| Some(vec![(path.to_owned(), value)]);
    match path {
        "administration" => one("administration.bands", rows(value, &["max_armies", "cost"])?),
        "trade_city_limit" => one("trade_city.limits", rows(value, &["max_kf", "cities"])?),
        "supply" => one("supply", without_totals(value)?),
        "hygiene.risk_pct" => one("hygiene.plague_d20_max", faces(value)?),
        "luxury.gp_per_field.silk" => Some(
            ["RW", "OA"]
                .map(|terrain| (format!("terrain.{terrain}.luxury.seide"), value.clone()))
                .into(),
        ),
        "movement.trader.normal" => Some(
            ["inside", "outside"]
                .map(|where_to| (format!("movement.{where_to}.H"), value.clone()))
                .into(),
        ),
        // As worlds wrote it while both goods had one figure.
        "disaster.bad_harvest_points" => Some(
            ["grain", "fruit"]
                .map(|good| (format!("disaster.bad_harvest_{good}"), value.clone()))
                .into(),
        ),
        "attrition.terrain" => difficult(value),
        "map.column_lengths" => columns(value),
        "npc.kind" => creatures(value),
        "sea.lane_needs" => lane_needs(value),
        "settlement_gap.growth_needs" => {
            let needed = word(value, &[("goods_balance", true), ("nothing", false)])?;
            one("settling.growth_needs_balance", Value::Boolean(needed))
        }
        "start.trade_city" => {
            let trades = word(value, &[("capital", true), ("none", false)])?;
            one("start.capital_is_trade_city", Value::Boolean(trades))
        }
        "unrest.mild_deficit" => {
            let (_, to) = span(value).filter(|(from, _)| *from == 1)?;
            one("unrest.serious_from", Value::Integer(to + 1))
        }
        "unrest.serious_deficit" => {
            let (from, to) = span(value)?;
            Some(vec![
                ("unrest.serious_from".to_owned(), Value::Integer(from)),
                ("unrest.severe_from".to_owned(), Value::Integer(to + 1)),
            ])
        }
        "unrest.fields_per_10_deficit" => {
            let fields = value.as_integer().filter(|fields| [1, 2, 5, 10].contains(fields))?;
            one("unrest.deficit_per_field", Value::Integer(10 / fields))
        }
        _ => None,
    }
}

/// Verbs that a key of the catalogue allows in every month, and whether it does.
pub(super) fn months(path: &str, value: &Value) -> Option<(&'static [&'static str], bool)> {
    let verbs: &[&str] = match path {
        "roads_gap.months" => &["STRASSE", "BRUECKE"],
        "trade_city_gap.naming_months" => &["HANDELSSTADT"],
        "works_gap.months" => &["BAU"],
        _ => return None,
    };
    word(value, &[("any", true), ("arming", false)]).map(|any| (verbs, any))
}

fn word(value: &Value, words: &[(&str, bool)]) -> Option<bool> {
    let found = words.iter().find(|(word, _)| value.as_str() == Some(*word));
    found.map(|(_, means)| *means)
}

/// `[from, to]`.
fn span(value: &Value) -> Option<(i64, i64)> {
    match value.as_array()?.as_slice() {
        [from, to] => from.as_integer().zip(to.as_integer()),
        _ => None,
    }
}

/// A list of tables as a list of lists.
fn rows(value: &Value, keys: &[&str]) -> Option<Value> {
    let row = |row: &Value| {
        let row = row.as_table().filter(|row| row.len() == keys.len())?;
        let cells: Option<Vec<Value>> = keys.iter().map(|key| row.get(*key).cloned()).collect();
        cells.map(Value::Array)
    };
    value
        .as_array()?
        .iter()
        .map(row)
        .collect::<Option<_>>()
        .map(Value::Array)
}

/// The demand table also says the sum of each line; it has to be right.
fn without_totals(value: &Value) -> Option<Value> {
    let line = |line: &Value| {
        let mut line = line.as_table()?.clone();
        let total = line.remove("total")?.as_integer()?;
        let sum: Option<i64> = line.get("demand")?.as_array()?.iter().map(Value::as_integer).sum();
        (sum == Some(total)).then_some(Value::Table(line))
    };
    value
        .as_array()?
        .iter()
        .map(line)
        .collect::<Option<_>>()
        .map(Value::Array)
}

fn faces(value: &Value) -> Option<Value> {
    let face = |pct: &Value| {
        let pct = pct.as_integer().filter(|pct| pct % PERCENT_PER_FACE == 0)?;
        Some(Value::Integer(pct / PERCENT_PER_FACE))
    };
    value
        .as_array()?
        .iter()
        .map(face)
        .collect::<Option<_>>()
        .map(Value::Array)
}

/// The terrains that cost losses: those named and no others.
fn difficult(value: &Value) -> Option<Entries> {
    let named: Option<Vec<&str>> = value.as_array()?.iter().map(Value::as_str).collect();
    let named: Vec<&str> = named?.into_iter().map(|name| ours(TERRAINS, name)).collect();
    let flag = |(_, code): &(&str, &str)| {
        let is_named = Value::Boolean(named.contains(code));
        (format!("terrain.{code}.difficult"), is_named)
    };
    let known = |name: &&str| TERRAINS.iter().any(|(_, code)| code == name);
    named.iter().all(known).then(|| TERRAINS.iter().map(flag).collect())
}

/// The layout that great fields of these columns have: only rectangles and the hexagon of 48 fields cover the plane (PYG-GAP-01).
pub(super) fn layout_of(lengths: Option<&Value>) -> &'static str {
    let is_hexagon = lengths.and_then(Value::as_array).is_some_and(|lengths| {
        let lengths = lengths.iter().map(Value::as_integer);
        lengths.eq(HEX48.map(Some))
    });
    if is_hexagon { "hex48" } else { "rect" }
}

/// Columns of equal length; those of the hexagonal great field go without saying.
pub(super) fn columns(value: &Value) -> Option<Entries> {
    let lengths: Option<Vec<i64>> = value.as_array()?.iter().map(Value::as_integer).collect();
    let lengths = lengths?;
    if lengths == HEX48 {
        return Some(Vec::new());
    }
    let first = *lengths.first()?;
    let columns = i64::try_from(lengths.len()).ok()?;
    lengths.iter().all(|length| *length == first).then(|| {
        vec![
            ("map.columns".to_owned(), Value::Integer(columns)),
            ("map.column_length".to_owned(), Value::Integer(first)),
        ]
    })
}

/// Sea lanes lead over known waters in any case: players must not learn by them what is not known.
fn lane_needs(value: &Value) -> Option<Entries> {
    let needs: Option<Vec<&str>> = value.as_array()?.iter().map(Value::as_str).collect();
    let needs = needs.filter(|needs| needs.contains(&"known"))?;
    Some(vec![
        (
            "movement.lane_over_reefs".to_owned(),
            Value::Boolean(!needs.contains(&"no_reef")),
        ),
        (
            "movement.lane_ends_are_harbours".to_owned(),
            Value::Boolean(needs.contains(&"ends_are_harbours")),
        ),
    ])
}

/// The kinds of creatures, each a line.
fn creatures(value: &Value) -> Option<Entries> {
    let mut entries = Entries::new();
    for kind in value.as_array()? {
        let kind = kind.as_table()?;
        let name = kind.get("name").and_then(Value::as_str)?;
        let code = CREATURES.iter().find(|(theirs, _)| *theirs == name)?.1;
        for (key, value) in kind {
            let path = |key: &str| format!("creature.{code}.{key}");
            match key.as_str() {
                "name" => {}
                "attitude" | "per_world" => entries.push((path(key), value.clone())),
                "per_100_kf" => entries.push((path("per_100"), value.clone())),
                "behaviour" => {
                    let word = ours(BEHAVIOURS, value.as_str()?);
                    entries.push((path(key), Value::String(word.to_owned())));
                }
                "habitat" => {
                    let names: Option<Vec<&str>> = value.as_array()?.iter().map(Value::as_str).collect();
                    let codes = names?.into_iter().map(|name| ours(TERRAINS, name).to_owned());
                    entries.push((path(key), Value::Array(codes.map(Value::String).collect())));
                }
                "strength_k" | "strength_s" => {
                    entries.push((path("strength"), Value::Table(strength(value.as_str()?)?)))
                }
                _ => return None,
            }
        }
    }
    Some(entries)
}

/// `5000`, `D6*500`, `500+D6*500`, `2D6*1000`.
fn strength(text: &str) -> Option<Table> {
    let (plus, rolled) = match text.split_once('+') {
        Some((plus, rolled)) => (plus.parse().ok()?, Some(rolled)),
        None if text.contains('D') => (0, Some(text)),
        None => (text.parse().ok()?, None),
    };
    let (dice, factor) = match rolled {
        Some(rolled) => {
            let (dice, factor) = rolled.split_once("D6*")?;
            let dice = if dice.is_empty() { 1 } else { dice.parse().ok()? };
            (dice, factor.parse().ok()?)
        }
        None => (0, 0),
    };
    let figures: [(&str, i64); 3] = [("plus", plus), ("dice", dice), ("factor", factor)];
    Some(
        figures
            .map(|(key, figure)| (key.to_owned(), Value::Integer(figure)))
            .into_iter()
            .collect(),
    )
}
