//! Orders as forms to fill in, one per verb of the grammar, and back to order text.
//!
//! What a form writes is read again before it is handed out, so that it always is the order it claims to be.

use crate::codes::{Equipment, Good, Kind, Soil, Stance, WorkKind};
use crate::grammar::{Verb, When};
use crate::parse::{self, Seat};
use crate::report::good_word;
use crate::tables::Tables;
use crate::view::View;
use kernel::diagnostic::{Diagnostic, Name, Severity, Span};
use kernel::form::{Choice, Form, FormFault, FormField, Input, Values, WrittenOrder};
use kernel::game::OrderForm;

/// What stands in a field of a form.
#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    /// An own army of any kind, traders too.
    Unit,
    /// An own fleet.
    Fleet,
    /// An own trader.
    Trader,
    /// An army that does not exist yet.
    NewUnit,
    /// Fields in order.
    Path,
    /// One field.
    Place,
    /// A basic order.
    Stance,
    /// A number.
    Count,
    /// A good.
    Good,
    /// A good that grows in the places of fields.
    Main,
    /// A soil.
    Soil,
    /// A work.
    Work,
    /// Equipment I or II.
    Equipment,
    /// Inland or harbour town.
    Town,
    /// A realm by its name.
    Realm,
    /// A name.
    Name,
    /// Words in quotation marks.
    Text,
    /// Yes or no: the prefix stands there or not.
    Flag,
}

/// A part of an order: what stands before it, and the field.
struct Part {
    /// Text before the value. Parts that begin with `|` are items: parted by commas, behind a semicolon.
    prefix: &'static str,
    name: &'static str,
    what: What,
    optional: bool,
}

const fn part(prefix: &'static str, name: &'static str, what: What) -> Part {
    Part {
        prefix,
        name,
        what,
        optional: false,
    }
}

const fn maybe(prefix: &'static str, name: &'static str, what: What) -> Part {
    Part {
        prefix,
        name,
        what,
        optional: true,
    }
}

/// A verb as a form.
struct Shape {
    verb: Verb,
    name: &'static str,
    pattern: &'static str,
    help: &'static str,
    parts: &'static [Part],
}

macro_rules! shapes {
    ($($verb:ident $name:literal [$($part:expr),* $(,)?])+) => {
        const SHAPES: &[Shape] = &[$(Shape {
            verb: Verb::$verb,
            name: $name,
            pattern: concat!("pattern-", $name),
            help: concat!("help-", $name),
            parts: &[$($part),*],
        },)+];
    };
}

shapes! {
    Move "move" [
        part(" ", "unit", What::Unit),
        part(": ", "path", What::Path),
        maybe("|", "stance", What::Stance),
        maybe("|EIN ", "fleet", What::Fleet),
        maybe("|AUS", "ashore", What::Flag),
        maybe("|NEUTRAL", "neutral", What::Flag),
    ]
    Stance "order" [part(" ", "unit", What::Unit), part(" ", "stance", What::Stance)]
    Split "split" [part(" ", "unit", What::Unit), part(" > ", "new", What::NewUnit), part(" ", "count", What::Count)]
    Merge "merge" [part(" ", "unit", What::Unit), part(" > ", "into", What::Unit), maybe(" VORHER", "before", What::Flag)]
    Convert "convert" [part(" ", "fleet", What::Fleet), part(" > ", "new", What::NewUnit), part(" NACH ", "field", What::Place)]
    Disband "disband" [part(" ", "unit", What::Unit)]
    Equip "equip" [part(" ", "unit", What::Unit), part(" ", "equipment", What::Equipment)]
    Road "road" [part(" ", "path", What::Path)]
    Bridge "bridge" [part(" ", "field", What::Place), part(" - ", "to", What::Place)]
    Lane "lane" [part(" ", "name", What::Name), part(": ", "path", What::Path)]
    Produce "produce" [
        part(" ", "field", What::Place),
        part(" ", "first", What::Main),
        part(" ", "second", What::Main),
        part(" ", "third", What::Main),
    ]
    Abandon "abandon" [part(" ", "field", What::Place)]
    Load "load" [part(" ", "trader", What::Trader), part(" ", "good", What::Good), part(" ", "count", What::Count)]
    Unload "unload" [part(" ", "trader", What::Trader), part(" IN ", "field", What::Place)]
    Gift "gift" [part(" ", "realm", What::Realm), part(" ", "gold", What::Count)]
    Message "message" [part(" ", "realm", What::Realm), part(" ", "text", What::Text)]
    Other "gm" [maybe(" ", "unit", What::Unit), part(" ", "text", What::Text)]
    Pay "pay" [part(" ", "unit", What::Unit)]
    Hygiene "hygiene" [part(" ", "gold", What::Count)]
    Raise "raise" [
        part(" ", "new", What::NewUnit),
        part(" ", "count", What::Count),
        part(" IN ", "field", What::Place),
        maybe(" HAFEN ", "harbour", What::Place),
        maybe(" AUF ", "fleet", What::Fleet),
    ]
    Station "station" [part(" ", "unit", What::Unit)]
    Found "found" [part(" ", "field", What::Place)]
    Upgrade "upgrade" [part(" ", "field", What::Place), maybe(" ", "town", What::Town)]
    Grow "grow" [part(" ", "field", What::Place), part(" ", "points", What::Count)]
    Fortify "fortify" [part(" ", "field", What::Place)]
    Build "build" [part(" ", "work", What::Work), part(" ", "field", What::Place)]
    TradeCity "tradecity" [maybe(" ENDE", "end", What::Flag), part(" ", "field", What::Place)]
    Promote "promote" [part(" ", "soil", What::Soil), part(" ", "good", What::Main), part(" ", "points", What::Count)]
    Trader "trader" [part(" ", "new-trader", What::NewUnit), part(" IN ", "field", What::Place)]
}

/// Every form of an order; with a view, armies and realms to choose from are filled in.
pub(super) fn forms(view: Option<&View>) -> Vec<OrderForm> {
    let form = |shape: &Shape| OrderForm {
        opening: String::new(),
        section: match shape.verb.when() {
            When::Always => "orders-always",
            When::Arming => "orders-arming",
        },
        pattern: shape.pattern,
        help: shape.help,
        rules: shape.verb.rules(),
        examples: vec![shape.verb.example()],
        form: Form {
            name: Name::Borrowed(shape.name),
            title: Name::Owned(format!("form-{}", shape.name)),
            help: Name::Borrowed(shape.help),
            rules: shape
                .verb
                .rules()
                .iter()
                .map(|rule| Name::Borrowed(rule.as_str()))
                .collect(),
            fields: shape.parts.iter().map(|part| field(view, part)).collect(),
        },
    };
    SHAPES.iter().map(form).collect()
}

fn field(view: Option<&View>, part: &Part) -> FormField {
    let label = Name::Owned(format!("label-{}", part.name));
    let field = FormField::new(part.name, label, input(view, part.what));
    if part.optional { field.or_nothing() } else { field }
}

fn input(view: Option<&View>, what: What) -> Input {
    let armies = |kinds: &[Kind], may_be_new: bool| Input::Army {
        choices: view.map_or_else(Vec::new, |view| own_armies(view, kinds)),
        may_be_new,
    };
    let choices = |choices: Vec<Choice>| Input::Choice { choices };
    match what {
        What::Unit => armies(Kind::ALL, true),
        What::Fleet => armies(&[Kind::Fleet], true),
        What::Trader => armies(&[Kind::Trader], true),
        What::NewUnit => Input::Army {
            choices: Vec::new(),
            may_be_new: true,
        },
        What::Path => Input::Text { max: 200, lines: 1 },
        What::Place => Input::Place,
        What::Stance => choices(
            Stance::ALL
                .iter()
                .map(|stance| Choice::worded(stance.code(), stance_word(*stance)))
                .collect(),
        ),
        What::Count => Input::Number {
            min: 0,
            max: 1_000_000_000,
        },
        What::Good => choices(Good::ALL.iter().map(|good| good_choice(*good)).collect()),
        What::Main => choices(Good::main().map(good_choice).collect()),
        What::Soil => choices(
            Soil::ALL
                .iter()
                .map(|soil| Choice::worded(soil.code(), format!("soil-choice-{}", soil.code())))
                .collect(),
        ),
        What::Work => {
            let works = [
                ("WACHPOSTEN", WorkKind::WatchPost),
                ("SPAEHTURM", WorkKind::LookoutTower),
                ("WACHTURM", WorkKind::WatchTower),
                ("FESTUNG", WorkKind::Fortress),
            ];
            choices(
                works
                    .into_iter()
                    .map(|(word, work)| Choice::worded(word, format!("work-{}", work.code())))
                    .collect(),
            )
        }
        What::Equipment => choices(Equipment::ALL.iter().map(|it| Choice::plain(it.code())).collect()),
        What::Town => choices(vec![
            Choice::worded("BINNEN", "settlement-BST"),
            Choice::worded("HAFEN", "settlement-HST"),
        ]),
        What::Realm => {
            let realms = view.map_or(&[][..], |view| &view.realms);
            choices(realms.iter().map(|realm| Choice::plain(realm.name.as_str())).collect())
        }
        What::Name => Input::Text { max: 30, lines: 1 },
        What::Text => Input::Text { max: 2000, lines: 1 },
        What::Flag => Input::Flag,
    }
}

fn good_choice(good: Good) -> Choice {
    Choice::worded(good.code(), good_word(good))
}

/// Key of the word for a basic order.
pub(super) const fn stance_word(stance: Stance) -> &'static str {
    match stance {
        Stance::Attack => "stance-attack",
        Stance::Withdraw => "stance-withdraw",
        Stance::Negotiate => "stance-negotiate",
        Stance::Nothing => "stance-nothing",
    }
}

fn own_armies(view: &View, kinds: &[Kind]) -> Vec<Choice> {
    let own = view.armies.iter().filter(|army| Some(army.realm) == view.realm());
    let own = own.filter(|army| kinds.contains(&army.name.kind));
    own.map(|army| Choice {
        detail: format!("{} {} {}", army.place, army.count, army.name.kind.unit()),
        ..Choice::plain(army.name.to_string())
    })
    .collect()
}

/// The order that a filled-in form makes.
pub(super) fn write(tables: &Tables, view: &View, form: &str, values: &Values) -> Result<WrittenOrder, Vec<FormFault>> {
    let Some(shape) = SHAPES.iter().find(|shape| shape.name == form) else {
        return Err(Vec::new());
    };
    let text = text(shape, values)?;
    let Some(seat) = Seat::of_view(view) else {
        return Err(Vec::new());
    };
    let parsed = parse::parse(tables, &seat, text.as_bytes());
    let errors = parsed
        .diagnostics
        .iter()
        .filter(|finding| finding.severity == Severity::Error);
    let mut faults: Vec<FormFault> = errors
        .map(|finding| FormFault {
            field: Name::Borrowed(""),
            finding: finding.clone(),
        })
        .collect();
    let reads_back = matches!(parsed.orders.as_slice(), [order] if order.value.verb() == shape.verb);
    if faults.is_empty() && !reads_back {
        faults.push(missing("", "expect-order"));
    }
    if faults.is_empty() {
        Ok(WrittenOrder {
            opening: String::new(),
            text,
        })
    } else {
        Err(faults)
    }
}

/// A field that must be filled in was left out.
fn missing(name: &'static str, expected: &'static str) -> FormFault {
    let finding = Diagnostic::error("E_MISSING", Span::default(), &[crate::rule::GAP_67]);
    FormFault {
        field: Name::Borrowed(name),
        finding: finding.with_word("expected", expected),
    }
}

/// Key of the words for what belongs into a field.
const fn expected(what: What) -> &'static str {
    match what {
        What::Unit | What::NewUnit => "expect-unit",
        What::Fleet => "expect-fleet",
        What::Trader => "expect-trader",
        What::Path | What::Place => "expect-field",
        What::Stance => "expect-stance",
        What::Count => "expect-count",
        What::Good | What::Main => "expect-good",
        What::Soil => "expect-soil",
        What::Work => "expect-work",
        What::Equipment => "expect-equipment",
        What::Realm => "expect-realm",
        What::Name => "expect-name",
        What::Text => "expect-words",
        What::Town | What::Flag => "expect-order",
    }
}

fn text(shape: &Shape, values: &Values) -> Result<String, Vec<FormFault>> {
    let mut text = shape.verb.word().to_owned();
    let mut items: Vec<String> = Vec::new();
    let mut faults = Vec::new();
    for part in shape.parts {
        let value = values.get(part.name).map_or("", |value| value.trim());
        let written = match part.what {
            What::Flag if value == "true" => part.prefix.to_owned(),
            What::Flag => continue,
            _ if value.is_empty() && part.optional => continue,
            _ if value.is_empty() => {
                faults.push(missing(part.name, expected(part.what)));
                continue;
            }
            What::Path => format!("{}{}", part.prefix, path(value)),
            // One line, and nothing that would end the quotation.
            What::Text | What::Realm => {
                let quoted: String = value
                    .chars()
                    .map(|letter| match letter {
                        '"' => '\'',
                        letter if letter.is_control() => ' ',
                        letter => letter,
                    })
                    .collect();
                format!("{}\"{quoted}\"", part.prefix)
            }
            _ => {
                let word: String = value.chars().filter(|letter| !letter.is_control()).collect();
                format!("{}{word}", part.prefix)
            }
        };
        match written.strip_prefix('|') {
            Some(item) => items.push(item.to_owned()),
            None => text.push_str(&written),
        }
    }
    if !items.is_empty() {
        text.push_str("; ");
        text.push_str(&items.join(", "));
    }
    if faults.is_empty() { Ok(text) } else { Err(faults) }
}

/// Fields parted by blanks, commas or arrows become a way.
fn path(value: &str) -> String {
    let fields: Vec<&str> = value
        .split(|letter: char| letter.is_whitespace() || matches!(letter, '>' | ','))
        .filter(|word| !word.is_empty())
        .collect();
    fields.join(" > ")
}

/// An order file with one order more; another move of the same unit is gone (PYG-GAP-67).
pub(super) fn add(file: &str, order: &WrittenOrder) -> String {
    let head = |line: &str| {
        let (head, _) = line.split_once(':')?;
        let words: Vec<String> = head.split_whitespace().map(crate::codes::plain).collect();
        let is_move = matches!(words.first().map(String::as_str), Some("zug" | "move"));
        is_move.then(|| words.get(1..).unwrap_or_default().concat())
    };
    let unit = head(&order.text);
    let mut lines: Vec<&str> = file
        .lines()
        .filter(|line| unit.is_none() || head(line) != unit)
        .collect();
    while lines.last().is_some_and(|line| line.trim().is_empty()) {
        lines.pop();
    }
    lines.push(&order.text);
    let mut text = lines.join("\n");
    text.push('\n');
    text
}
