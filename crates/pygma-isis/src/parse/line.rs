//! The orders of the typed language, one to a line (catalogue 5.2).

use super::lexer::{Finding, Words};
use crate::codes::{Equipment, Kind, SettlementKind, Soil, Stance, WorkKind, is_same_word, plain};
use crate::grammar::Verb;
use crate::order::{Item, Move, Order, Portion, Receiver, Strength};
use crate::rule;
use crate::state::ArmyName;
use crate::tables::Tables;
use kernel::diagnostic::{Diagnostic, Span, Spanned};

/// Characters of a sea lane's name.
const LANE_NAME_CHARS: usize = 40;

/// The head of a sheet.
pub(super) struct Head {
    pub(super) realm: String,
    pub(super) year: u32,
    pub(super) month: u32,
}

/// `REICH name JAHR n MONAT m`.
pub(super) fn head(tables: &Tables, words: &mut Words<'_>) -> Result<Head, Finding> {
    words.expect(&["REICH", "REALM"], "expect-order")?;
    let mut name: Vec<&str> = Vec::new();
    while !words.is_empty() && !words.is_word("JAHR") && !words.is_word("YEAR") {
        name.push(words.word("expect-realm")?.value);
    }
    words.expect(&["JAHR", "YEAR"], "expect-year")?;
    let year = words.number("expect-year")?.value;
    words.expect(&["MONAT", "MONTH"], "expect-month")?;
    let named = tables
        .calendar
        .months
        .iter()
        .position(|month| is_same_word(month, words.found()));
    let month = match named {
        Some(index) => {
            words.word("expect-month")?;
            index as i64 + 1
        }
        None => words.number("expect-month")?.value,
    };
    words.end()?;
    Ok(Head {
        realm: name.join(" "),
        year: u32::try_from(year).unwrap_or(u32::MAX),
        month: u32::try_from(month).unwrap_or(u32::MAX),
    })
}

/// One order.
pub(super) fn order(tables: &Tables, words: &mut Words<'_>) -> Result<Order, Finding> {
    let span = words.here();
    let Some(verb) = Verb::from_word(words.found()) else {
        let mut finding = words.wrong("expect-order");
        if let Some(meant) = Verb::nearest(words.found()) {
            finding = Box::new((*finding).mended_by(span, meant.word()));
        }
        return Err(finding);
    };
    words.word("expect-order")?;
    let order = body(tables, verb, words)?;
    words.end()?;
    Ok(order)
}

fn body(tables: &Tables, verb: Verb, words: &mut Words<'_>) -> Result<Order, Finding> {
    const LAND: &[Kind] = &[Kind::Warriors, Kind::Riders];
    const ARMIES: &[Kind] = &[Kind::Warriors, Kind::Riders, Kind::Fleet];
    let army = |words: &mut Words<'_>| words.unit_of(ARMIES, "expect-army");
    let trader = |words: &mut Words<'_>| words.unit_of(&[Kind::Trader], "expect-trader");
    Ok(match verb {
        Verb::Move => return march(tables, words),
        Verb::Stance => Order::Stance {
            unit: army(words)?,
            stance: stance(words)?,
        },
        Verb::Split => {
            let unit = army(words)?;
            words.expect(&[">"], "expect-arrow")?;
            Order::Split {
                unit,
                new: army(words)?,
                count: words.number("expect-count")?,
            }
        }
        Verb::Merge => {
            let unit = army(words)?;
            words.expect(&[">"], "expect-arrow")?;
            Order::Merge {
                unit,
                into: army(words)?,
                before: words.accept(&["VORHER", "BEFORE"]),
            }
        }
        Verb::Convert => {
            let fleet = words.unit_of(&[Kind::Fleet], "expect-fleet")?;
            words.expect(&[">"], "expect-arrow")?;
            let new = words.unit_of(&[Kind::Warriors], "expect-warriors")?;
            words.expect(&["NACH", "TO"], "expect-to")?;
            Order::Convert {
                fleet,
                new,
                to: words.place()?,
            }
        }
        Verb::Disband => Order::Disband { unit: words.unit()?.0 },
        Verb::Equip => Order::Equip {
            unit: words.unit_of(LAND, "expect-land-army")?,
            equipment: equipment(words)?,
        },
        Verb::Road => Order::Road { path: way(words)? },
        Verb::Bridge => {
            let from = words.place()?;
            words.expect(&["-", ">"], "expect-dash")?;
            Order::Bridge {
                from,
                to: words.place()?,
            }
        }
        Verb::Lane => {
            let name = within(own(words.word("expect-name")?), LANE_NAME_CHARS, &[rule::GAP_23])?;
            words.expect(&[":"], "expect-colon")?;
            Order::Lane {
                name,
                path: way(words)?,
            }
        }
        Verb::Produce => Order::Produce {
            field: words.place()?,
            goods: [words.good()?, words.good()?, words.good()?],
        },
        Verb::Abandon => Order::Abandon { field: words.place()? },
        Verb::Load => Order::Load {
            trader: trader(words)?,
            goods: portions(words)?,
        },
        Verb::Unload => {
            let trader = trader(words)?;
            let span = words.here();
            let Some(value) = receiver(words)? else {
                return Err(words.wrong("expect-receiver"));
            };
            let goods = if words.is_empty() { Vec::new() } else { portions(words)? };
            Order::Unload {
                trader,
                to: Spanned { span, value },
                goods,
            }
        }
        Verb::Gift => Order::Gift {
            realm: own(words.word("expect-realm")?),
            gold: words.number("expect-gold")?,
        },
        Verb::Message => Order::Message {
            realm: own(words.word("expect-realm")?),
            text: within(words.text()?, tables.letters.message_chars, &[rule::GAP_69])?,
        },
        Verb::Other => Order::Other {
            unit: if words.found().is_empty() || words.text_is_next() {
                None
            } else {
                Some(words.unit()?.0)
            },
            text: free_text(tables, words)?,
        },
        Verb::Pay => {
            let mut units = Vec::new();
            if !words.accept(&["ALLE", "ALL"]) {
                units.push(army(words)?);
                while words.accept(&[","]) {
                    units.push(army(words)?);
                }
            }
            Order::Pay { units }
        }
        Verb::Hygiene => Order::Hygiene {
            gold: words.number("expect-gold")?,
        },
        Verb::Raise => raise(words)?,
        Verb::Station => Order::Station { unit: army(words)? },
        Verb::Found => Order::Found { field: words.place()? },
        Verb::Upgrade => {
            let field = words.place()?;
            let to = if words.accept(&["BINNEN", "INLAND"]) {
                Some(SettlementKind::InlandTown)
            } else if words.accept(&["HAFEN", "HARBOUR"]) {
                Some(SettlementKind::HarbourTown)
            } else {
                None
            };
            Order::Upgrade { field, to }
        }
        Verb::Grow => Order::Grow {
            field: words.place()?,
            points: words.number("expect-points")?,
        },
        Verb::Fortify => Order::Fortify { field: words.place()? },
        Verb::Build => Order::Build {
            work: work(words)?,
            field: words.place()?,
        },
        Verb::TradeCity => Order::TradeCity {
            end: words.accept(&["ENDE", "END"]),
            field: words.place()?,
        },
        Verb::Promote => Order::Promote {
            soil: soil(words)?,
            good: words.good()?,
            points: words.number("expect-points")?,
        },
        Verb::Trader => {
            let unit = trader(words)?;
            words.expect(&["IN"], "expect-in")?;
            Order::Trader {
                unit,
                town: words.place()?,
            }
        }
    })
}

fn own(word: Spanned<&str>) -> Spanned<String> {
    Spanned {
        span: word.span,
        value: word.value.to_owned(),
    }
}

fn within(text: Spanned<String>, max: usize, rules: &[kernel::rule::RuleId]) -> Result<Spanned<String>, Finding> {
    let length = text.value.chars().count();
    if text.value.trim().is_empty() || length > max {
        let finding = Diagnostic::error("E_TEXT", text.span, rules).with("n", length as i64);
        return Err(Box::new(finding.with("max", max as i64)));
    }
    Ok(text)
}

/// PYG-ORD-09, PYG-GAP-40: another order is short, and not empty.
fn free_text(tables: &Tables, words: &mut Words<'_>) -> Result<Spanned<String>, Finding> {
    within(
        words.text()?,
        tables.letters.free_text_chars,
        &[rule::ORD_09, rule::GAP_40],
    )
}

fn way(words: &mut Words<'_>) -> Result<Vec<Spanned<crate::chart::Place>>, Finding> {
    let path = words.path()?;
    if path.len() < 2 {
        Err(words.wrong("expect-arrow"))
    } else {
        Ok(path)
    }
}

fn stance(words: &mut Words<'_>) -> Result<Stance, Finding> {
    match Stance::from_code(words.found()) {
        Some(stance) => words.word("expect-stance").map(|_| stance),
        None => Err(words.wrong("expect-stance")),
    }
}

fn equipment(words: &mut Words<'_>) -> Result<Equipment, Finding> {
    match Equipment::from_code(words.found()) {
        Some(equipment) => words.word("expect-equipment").map(|_| equipment),
        None => Err(words.wrong("expect-equipment")),
    }
}

fn work(words: &mut Words<'_>) -> Result<WorkKind, Finding> {
    for (work, names) in [
        (WorkKind::WatchPost, ["WACHPOSTEN", "WATCHPOST"]),
        (WorkKind::LookoutTower, ["SPAEHTURM", "LOOKOUT"]),
        (WorkKind::WatchTower, ["WACHTURM", "WATCHTOWER"]),
        (WorkKind::Fortress, ["FESTUNG", "FORTRESS"]),
    ] {
        if words.accept(&names) {
            return Ok(work);
        }
    }
    Err(words.wrong("expect-work"))
}

/// A soil by the name of its column, in one word or two: `Ebene`, `light_forest`, `lichter Wald`.
fn soil(words: &mut Words<'_>) -> Result<Spanned<Soil>, Finding> {
    const NAMES: [(Soil, &[&str]); 8] = [
        (
            Soil::Plain,
            &[
                "ebene",
                "hochebene",
                "hochplateau",
                "oase",
                "plain",
                "highplateau",
                "oasis",
            ],
        ),
        (Soil::Hills, &["huegel", "hills"]),
        (Soil::WoodedHills, &["waldhuegel", "woodedhills"]),
        (Soil::Mountains, &["gebirge", "mountains"]),
        (Soil::LightForest, &["lichterwald", "leichterwald", "lightforest"]),
        (Soil::DeepForest, &["tieferwald", "deepforest"]),
        (Soil::Grassland, &["grasland", "grassland"]),
        (Soil::Water, &["wasser", "water"]),
    ];
    let begin = words.here();
    let mut ahead = words.clone();
    let mut name = String::new();
    for _ in 0..2 {
        let Ok(word) = ahead.word("expect-soil") else { break };
        name.push_str(&plain(word.value).replace(['-', '_'], ""));
        if let Some((value, _)) = NAMES.iter().find(|(_, names)| names.contains(&name.as_str())) {
            *words = ahead;
            let length = (word.span.column + word.span.length).saturating_sub(begin.column);
            return Ok(Spanned {
                span: Span { length, ..begin },
                value: *value,
            });
        }
    }
    Err(words.wrong("expect-soil"))
}

/// `Wein 8, Erze 4`; in the sheet also `8 P. Wein`.
fn portions(words: &mut Words<'_>) -> Result<Vec<Portion>, Finding> {
    let mut goods = Vec::new();
    loop {
        let portion = match words.number("expect-points") {
            Ok(points) => {
                words.accept(&["P.", "P", "GP"]);
                Portion {
                    good: words.good()?,
                    points,
                }
            }
            Err(_) => Portion {
                good: words.good()?,
                points: words.number("expect-points")?,
            },
        };
        goods.push(portion);
        if !words.accept(&[","]) {
            return Ok(goods);
        }
    }
}

/// `AN H 2`, `IN 14/07`, or nothing.
fn receiver(words: &mut Words<'_>) -> Result<Option<Receiver>, Finding> {
    if words.accept(&["AN", "TO"]) {
        let trader = words.unit_of(&[Kind::Trader], "expect-trader")?;
        Ok(Some(Receiver::Trader(trader.value)))
    } else if words.accept(&["IN"]) {
        Ok(Some(Receiver::Town(words.place()?.value)))
    } else {
        Ok(None)
    }
}

/// `RUESTE KH 3 2000 IN 12/13 [AUF FH 1] [HAFEN 12/14]`.
fn raise(words: &mut Words<'_>) -> Result<Order, Finding> {
    let unit = words.unit_of(&[Kind::Warriors, Kind::Riders, Kind::Fleet], "expect-army")?;
    let count = words.number("expect-count")?;
    words.expect(&["IN"], "expect-in")?;
    let town = words.place()?;
    let (mut harbour, mut aboard) = (None, None);
    if words.accept(&["HAFEN", "HARBOUR"]) {
        harbour = Some(words.place()?);
    }
    if words.accept(&["AUF", "ON"]) {
        aboard = Some(words.unit_of(&[Kind::Fleet], "expect-fleet")?);
    }
    Ok(Order::Raise {
        unit,
        count,
        town,
        harbour,
        aboard,
    })
}

/// `ZUG unit: path [; strength] [; special]`.
fn march(tables: &Tables, words: &mut Words<'_>) -> Result<Order, Finding> {
    let (unit, starred) = words.unit()?;
    words.expect(&[":"], "expect-colon")?;
    let path = words.path()?;
    let mut strength = None;
    let mut special = Vec::new();
    if words.accept(&[";"]) {
        if words.number_is_next() {
            strength = Some(self::strength(unit.value, words)?);
            if words.accept(&[";"]) {
                special = items(tables, words)?;
            }
        } else {
            special = items(tables, words)?;
        }
    }
    words.end()?;
    Ok(Order::Move(Move {
        unit,
        starred,
        path,
        strength,
        special,
    }))
}

/// `8500 K`, or a trader's load.
pub(super) fn strength(unit: ArmyName, words: &mut Words<'_>) -> Result<Spanned<Strength>, Finding> {
    let span = words.here();
    let value = if unit.kind == Kind::Trader {
        Strength::Goods(portions(words)?)
    } else {
        let heads = words.number("expect-count")?.value;
        words.accept(&[unit.kind.unit()]);
        Strength::Heads(heads)
    };
    Ok(Spanned { span, value })
}

/// What stands under *besonderes*: items parted by commas.
pub(super) fn items(tables: &Tables, words: &mut Words<'_>) -> Result<Vec<Spanned<Item>>, Finding> {
    let mut items: Vec<Spanned<Item>> = Vec::new();
    while !words.is_empty() {
        let span = words.here();
        let value = item(tables, words)?;
        let is_stance = matches!(value, Item::Stance(_));
        if is_stance && items.iter().any(|item| matches!(item.value, Item::Stance(_))) {
            return Err(two_orders(span));
        }
        items.push(Spanned { span, value });
        if !words.accept(&[","]) {
            break;
        }
    }
    Ok(items)
}

/// The unit of a move that cannot be read, and the basic order behind its last semicolon: it stands with that order (PYG-GAP-67).
pub(super) fn standing_order(tables: &Tables, words: &mut Words<'_>) -> Option<Order> {
    if Verb::from_word(words.found()) != Some(Verb::Move) {
        return None;
    }
    words.word("expect-order").ok()?;
    let (unit, _) = words.unit().ok()?;
    if !words.skip_behind_last(";") {
        return None;
    }
    let special = items(tables, words).ok()?;
    words.end().ok()?;
    stance_of(unit, &special)
}

/// The basic order among what stands under *besonderes*, as an order of its own.
pub(super) fn stance_of(unit: Spanned<ArmyName>, special: &[Spanned<Item>]) -> Option<Order> {
    special.iter().find_map(|item| match item.value {
        Item::Stance(stance) => Some(Order::Stance { unit, stance }),
        _ => None,
    })
}

/// PYG-ORD-01: only one basic order a month.
fn two_orders(span: Span) -> Finding {
    Box::new(Diagnostic::error("E_TWO_ORDERS", span, &[rule::ORD_01]))
}

fn item(tables: &Tables, words: &mut Words<'_>) -> Result<Item, Finding> {
    if let Some(stance) = Stance::from_code(words.found()) {
        words.word("expect-special")?;
        return Ok(Item::Stance(stance));
    }
    if words.accept(&["EIN", "EMBARK"]) {
        return Ok(Item::Embark(words.unit_of(&[Kind::Fleet], "expect-fleet")?.value));
    }
    // The book writes: wird auf FH 1 eingeschifft.
    if words.accept(&["wird"]) {
        words.expect(&["auf"], "expect-special")?;
        let fleet = words.unit_of(&[Kind::Fleet], "expect-fleet")?.value;
        words.accept(&["eingeschifft"]);
        return Ok(Item::Embark(fleet));
    }
    if words.accept(&["AUS", "DISEMBARK"]) {
        return Ok(Item::Disembark);
    }
    if words.accept(&["mit", "with"]) {
        let mut cargo = vec![words.unit()?.0.value];
        while words.accept(&["+"]) {
            cargo.push(words.unit()?.0.value);
        }
        return Ok(Item::With(cargo));
    }
    if words.accept(&["NEUTRAL"]) {
        return Ok(Item::Neutral);
    }
    if words.accept(&["LOESCHEN", "LOESCHE", "UNLOAD"]) {
        return Ok(Item::Deliver(receiver(words)?));
    }
    if words.accept(&["SL", "GM"]) {
        return Ok(Item::Other(free_text(tables, words)?.value));
    }
    Err(words.wrong("expect-special"))
}
