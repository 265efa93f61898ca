//! Every line of the script as a form to fill in, with the player's own figures to choose from, and back to text.
//!
//! What a form writes is read again before it is handed out, so that it always is the line it claims to be.

use super::pieces;
use crate::board::direction_code;
use crate::event::player_word;
use crate::kinds::{Family, Spell};
use crate::order::Order;
use crate::rule;
use crate::scribe;
use crate::script;
use crate::state::{Figure, FigureId};
use crate::tables::Tables;
use crate::view::View;
use kernel::diagnostic::{Diagnostic, Name, Span};
use kernel::form::{Choice, Form, FormFault, FormField, Input, Values, WrittenOrder};
use kernel::game::OrderForm;
use kernel::hex::Direction;
use kernel::realm::RealmId;
use kernel::rule::RuleId;

/// What stands in a field of a form.
#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    /// An own figure that goes by itself or fights.
    Own,
    /// Own figures: a list or a number of a kind.
    Group,
    /// An own device, ship or wagon.
    Device,
    /// An own ship.
    Ship,
    /// An animal, whosever it is.
    Animal,
    /// Anything that can carry.
    Carrier,
    /// An enemy.
    Enemy,
    /// Any thing or animal that can be owned.
    Object,
    /// A field, perhaps with its level.
    Place,
    /// Fields in order.
    Path,
    /// Fields parted by commas.
    Fields,
    /// A gate or wall: field and side.
    Side,
    /// A direction.
    Direction,
    /// Another player.
    Player,
    /// A spell.
    Spell,
    /// Up or shut.
    OpenOrShut,
    /// What one does with a rope.
    RopeVerb,
    /// A number.
    Number,
    /// Words of the script.
    Words,
}

/// A part of a line: what stands before it, and the field.
struct Part {
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

/// A line as a form.
struct Shape {
    name: &'static str,
    section: &'static str,
    pattern: &'static str,
    help: &'static str,
    word: &'static str,
    rules: &'static [RuleId],
    example: &'static str,
    parts: &'static [Part],
}

macro_rules! shapes {
    ($($section:literal $name:literal $word:literal [$($rule:ident),*] $example:literal [$($part:expr),* $(,)?])+) => {
        const SHAPES: &[Shape] = &[$(Shape {
            name: $name,
            section: $section,
            pattern: concat!("pattern-", $name),
            help: concat!("help-", $name),
            word: $word,
            rules: &[$(rule::$rule),*],
            example: $example,
            parts: &[$($part),*],
        },)+];
    };
}

shapes! {
    "orders-field" "move" "ZIEHE" [R0_4_38, GAP_50] "ZIEHE 2LB 17>18>24 FRONT O" [
        part(" ", "figures", What::Group),
        part(" ", "path", What::Path),
        maybe(" FRONT ", "facing", What::Direction),
    ]
    "orders-field" "swap" "TAUSCHE" [R0_4_48, GAP_48] "TAUSCHE LB#1 17 MIT S#2 18" [
        part(" ", "figures", What::Group),
        part(" ", "place", What::Place),
        part(" MIT ", "with", What::Group),
        part(" ", "to", What::Place),
    ]
    "orders-field" "mount" "AUFSITZEN" [GAP_20] "AUFSITZEN LB#1 lP#1" [part(" ", "figure", What::Own), part(" ", "animal", What::Animal)]
    "orders-field" "dismount" "ABSITZEN" [GAP_20] "ABSITZEN LB#1" [part(" ", "figure", What::Own)]
    "orders-field" "rein" "ZUEGEL" [GAP_20] "ZUEGEL LB#1 lP#1" [part(" ", "figure", What::Own), maybe(" ", "animal", What::Animal)]
    "orders-field" "lead" "FUEHREN" [GAP_20] "FUEHREN LB#1 El#1" [part(" ", "figure", What::Own), maybe(" ", "animal", What::Animal)]
    "orders-field" "climb" "AUFSTEIGEN" [R0_3_2] "AUFSTEIGEN LB#1 QuW#1" [part(" ", "figure", What::Own), part(" ", "carrier", What::Carrier)]
    "orders-field" "alight" "ABSTEIGEN" [R0_3_2] "ABSTEIGEN LB#1" [part(" ", "figure", What::Own)]
    "orders-field" "harness" "ANSPANNEN" [GAP_21] "ANSPANNEN QlP#1 QuW#1" [part(" ", "animal", What::Animal), part(" ", "device", What::Device)]
    "orders-field" "unharness" "ABSPANNEN" [GAP_21] "ABSPANNEN QuW#1" [part(" ", "device", What::Device)]
    "orders-field" "search" "SUCHE" [GAP_49] "SUCHE LB#1" [part(" ", "figure", What::Own)]
    "orders-fight" "attack" "ANGRIFF" [GAP_04] "ANGRIFF LB#3 MIT LB#4 -> S#9" [
        part(" ", "figure", What::Own),
        maybe(" MIT ", "support", What::Own),
        part(" -> ", "target", What::Enemy),
    ]
    "orders-fight" "blow" "WUCHT" [GAP_19] "WUCHT 17 -> 18" [part(" ", "place", What::Place), part(" -> ", "to", What::Place)]
    "orders-fight" "shoot" "SCHUSS" [GAP_06] "SCHUSS B#1 -> S#9" [part(" ", "figure", What::Own), part(" -> ", "target", What::Enemy)]
    "orders-fight" "throw" "WURF" [GAP_08] "WURF On#1 S#4 -> 20.1" [
        part(" ", "device", What::Device),
        part(" ", "figure", What::Own),
        part(" -> ", "to", What::Side),
    ]
    "orders-fight" "pour" "PECH" [GAP_16] "PECH 17.P -> 18" [part(" ", "place", What::Place), part(" -> ", "to", What::Place)]
    "orders-fight" "ram" "RAMME" [GAP_10] "RAMME Wi#1 -> 17.0-O" [part(" ", "device", What::Carrier), part(" -> ", "side", What::Side)]
    "orders-fight" "ram-ship" "RAMMSTOSS" [GAP_26] "RAMMSTOSS LS#1 -> SS#2" [part(" ", "ship", What::Ship), part(" -> ", "target", What::Enemy)]
    "orders-works" "set-ladder" "LEITER STELLE" [GAP_11] "LEITER STELLE Le#1 17" [part(" ", "device", What::Device), part(" ", "to", What::Place)]
    "orders-works" "topple" "LEITER STUERZE" [GAP_11] "LEITER STUERZE Le#1 17.P" [part(" ", "target", What::Enemy), part(" ", "place", What::Place)]
    "orders-works" "rope" "SEIL" [GAP_11] "SEIL WIRF Se#1 17" [
        part(" ", "verb", What::RopeVerb),
        part(" ", "device", What::Object),
        part(" ", "place", What::Place),
    ]
    "orders-works" "destroy" "ZERSTOERE" [GAP_41] "ZERSTOERE On#1" [part(" ", "device", What::Device)]
    "orders-works" "gate" "TOR" [GAP_14] "TOR 17.0-O AUF" [part(" ", "side", What::Side), part(" ", "open", What::OpenOrShut)]
    "orders-works" "loophole" "SCHARTE" [GAP_13] "SCHARTE B#1 O" [part(" ", "figure", What::Own), part(" ", "facing", What::Direction)]
    "orders-works" "besiege" "BELAGERE" [GAP_18] "BELAGERE 17" [part(" ", "place", What::Place)]
    "orders-works" "phalanx" "PHALANX" [GAP_19] "PHALANX 17 O" [part(" ", "place", What::Place), part(" ", "facing", What::Direction)]
    "orders-works" "dissolve" "PHALANX" [GAP_19] "PHALANX 17 AUF" [part(" ", "place", What::Place), part(" AUF", "", What::Words)]
    "orders-possession" "possess" "BESITZ" [R0_4_27] "BESITZ On#1" [part(" ", "object", What::Object)]
    "orders-possession" "centre" "BESITZ HZ" [R0_4_22] "BESITZ HZ 17" [part(" ", "place", What::Place)]
    "orders-possession" "raze" "SCHLEIFE HZ" [GAP_42] "SCHLEIFE HZ 17" [part(" ", "place", What::Place)]
    "orders-possession" "give" "SCHENKE" [R0_4_9, R0_4_15] "SCHENKE lP#1 AN Rot" [part(" ", "object", What::Object), part(" AN ", "player", What::Player)]
    "orders-possession" "lend" "LEIHE" [R0_4_16] "LEIHE On#1 AN Rot" [part(" ", "object", What::Object), part(" AN ", "player", What::Player)]
    "orders-magic" "cast" "ZAUBER" [GAP_32] "ZAUBER VERSETZEN 17 STOCK 1 NACH 20 MIT Z#1" [
        part(" ", "spell", What::Spell),
        part(" ", "fields", What::Fields),
        maybe(" STOCK ", "storey", What::Words),
        maybe(" NACH ", "to", What::Fields),
        maybe(" MIT ", "figure", What::Own),
    ]
    "orders-magic" "duel" "DUELL" [GAP_01] "DUELL Z#1 -> Z#2" [part(" ", "figure", What::Own), part(" -> ", "target", What::Enemy)]
    "orders-standing" "dispel" "ANWEISUNG ENTKRAEFTEN AB" [R0_2_3] "ANWEISUNG ENTKRAEFTEN AB 10 SUMME 6" [
        part(" ", "units", What::Number),
        maybe(" SUMME ", "total", What::Number),
    ]
    "orders-standing" "never-dispel" "ANWEISUNG ENTKRAEFTEN NIE" [R0_2_3] "ANWEISUNG ENTKRAEFTEN NIE" []
    "orders-standing" "sacrifice" "ANWEISUNG OPFER" [GAP_39] "ANWEISUNG OPFER B,S" [part(" ", "kinds", What::Words)]
    "orders-standing" "permit" "ANWEISUNG ERLAUBE VERSETZEN" [R0_4_20] "ANWEISUNG ERLAUBE VERSETZEN Rot" [part(" ", "player", What::Player)]
    "orders-standing" "forbid" "ANWEISUNG VERBIETE VERSETZEN" [R0_4_20] "ANWEISUNG VERBIETE VERSETZEN Rot" [part(" ", "player", What::Player)]
    "orders-standing" "yield" "ANWEISUNG VORTRITT" [R0_4_36] "ANWEISUNG VORTRITT Rot" [part(" ", "player", What::Player)]
    "orders-standing" "triple" "ANWEISUNG PASCH" [GAP_33] "ANWEISUNG PASCH STAERKEN 17" [part(" ", "spell", What::Spell), part(" ", "fields", What::Fields)]
    "orders-standing" "side" "ANWEISUNG SEITE" [GAP_43] "ANWEISUNG SEITE 2" [part(" ", "number", What::Number)]
    "orders-turn" "end" "ENDE" [GAP_01] "ENDE" []
}

/// Every form; with a view, figures and players to choose from are filled in.
pub(super) fn forms(view: Option<&View>) -> Vec<OrderForm> {
    let form = |shape: &Shape| OrderForm {
        opening: String::new(),
        section: shape.section,
        pattern: shape.pattern,
        help: shape.help,
        rules: shape.rules,
        examples: vec![shape.example],
        form: Form {
            name: Name::Borrowed(shape.name),
            title: Name::Owned(format!("form-{}", shape.name)),
            help: Name::Borrowed(shape.help),
            rules: shape.rules.iter().map(|rule| Name::Borrowed(rule.as_str())).collect(),
            fields: shape
                .parts
                .iter()
                .filter(|part| !part.name.is_empty())
                .map(|part| field(view, part))
                .collect(),
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
    let armies = |fits: &dyn Fn(&View, &Figure) -> bool| Input::Army {
        choices: view.map_or_else(Vec::new, |view| choices(view, fits)),
        may_be_new: false,
    };
    let own = |view: &View, figure: &Figure| Some(figure.possessor) == view.player();
    match what {
        What::Own => armies(&|view, figure| {
            own(view, figure)
                && (figure.kind.is_person() || matches!(figure.kind.family(), Family::Wizard | Family::Creature))
        }),
        What::Device => armies(&|view, figure| own(view, figure) && figure.kind.family().is_device()),
        What::Ship => armies(&|view, figure| own(view, figure) && figure.kind.family() == Family::Ship),
        What::Animal => armies(&|_, figure| figure.kind.family().is_animal()),
        What::Carrier => {
            armies(&|_, figure| figure.kind.family().is_device() || figure.kind.family() == Family::Elephant)
        }
        What::Object => armies(&|_, figure| figure.kind.family().is_device() || figure.kind.family().is_animal()),
        What::Enemy => armies(&|view, figure| {
            let mine = view.player().unwrap_or(RealmId::NOBODY);
            !view.position.allied(mine, figure.possessor)
        }),
        What::Place => Input::Place,
        What::Group | What::Path | What::Fields => Input::Text { max: 200, lines: 1 },
        What::Side | What::Words => Input::Text { max: 60, lines: 1 },
        What::Direction => Input::Choice {
            choices: Direction::ALL
                .into_iter()
                .map(|side| Choice::worded(direction_code(side), format!("direction-{}", direction_code(side))))
                .collect(),
        },
        What::Player => Input::Choice {
            choices: view.map_or_else(Vec::new, |view| {
                let others = view.position.players.keys().filter(|id| Some(**id) != view.player());
                others.map(|id| player(view, *id)).collect()
            }),
        },
        What::Spell => Input::Choice {
            choices: Spell::of_wizards()
                .iter()
                .map(|spell| Choice::worded(spell.script_word(), spell.code()))
                .collect(),
        },
        What::OpenOrShut => Input::Choice {
            choices: vec![
                Choice::worded("AUF", "choice-open"),
                Choice::worded("ZU", "choice-shut"),
            ],
        },
        What::RopeVerb => Input::Choice {
            choices: vec![
                Choice::worded("WIRF", "choice-throw"),
                Choice::worded("KNOTE", "choice-tie"),
                Choice::worded("KAPPE", "choice-cut"),
            ],
        },
        What::Number => Input::Number { min: 0, max: 1_000 },
    }
}

/// A player as the script names him, with his name where that is another.
fn player(view: &View, id: RealmId) -> Choice {
    let (written, name) = (scribe::player_name(&view.position, id), player_word(&view.position, id));
    Choice {
        detail: if written == name { String::new() } else { name },
        ..Choice::plain(written)
    }
}

/// Figures on the board that fit, with where they are.
fn choices(view: &View, fits: &dyn Fn(&View, &Figure) -> bool) -> Vec<Choice> {
    let position = &view.position;
    let choice = |(id, figure): (FigureId, &Figure)| Choice {
        value: figure.to_string(),
        label: Name::Owned(format!("kind-{}", pieces::kind_name(figure.kind))),
        detail: position
            .cell_of(id)
            .map_or_else(String::new, |cell| position.board.name(cell)),
    };
    let fitting = position.present().filter(|(_, figure)| fits(view, figure));
    fitting.map(choice).collect()
}

/// The line that a filled-in form makes.
pub(super) fn write(tables: &Tables, view: &View, form: &str, values: &Values) -> Result<WrittenOrder, Vec<FormFault>> {
    let (Some(shape), Some(player)) = (SHAPES.iter().find(|shape| shape.name == form), view.player()) else {
        return Err(Vec::new());
    };
    let text = text(shape, values)?;
    let parsed = script::parse(text.as_bytes());
    let mut faults: Vec<FormFault> = parsed
        .diagnostics
        .into_iter()
        .map(|finding| FormFault {
            field: Name::Borrowed(""),
            finding,
        })
        .collect();
    if faults.is_empty() && parsed.orders.len() != 1 {
        faults.push(missing(""));
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let standing = matches!(
        parsed.orders.first().map(|order| &order.value),
        Some(Order::Standing(_))
    );
    let scene = crate::battle::Scene {
        tables,
        position: &view.position,
        secret: view.secret.as_ref(),
    };
    let opening = if standing {
        String::new()
    } else {
        scribe::head(scene, player)
    };
    Ok(WrittenOrder { opening, text })
}

/// A field that must be filled in was left out.
fn missing(name: &'static str) -> FormFault {
    FormFault {
        field: Name::Borrowed(name),
        finding: Diagnostic::error("value-missing", Span::default(), &[rule::GAP_45]),
    }
}

fn text(shape: &Shape, values: &Values) -> Result<String, Vec<FormFault>> {
    let mut text = shape.word.to_owned();
    let mut faults = Vec::new();
    for part in shape.parts {
        if part.name.is_empty() {
            text.push_str(part.prefix);
            continue;
        }
        let value = values.get(part.name).map_or("", |value| value.trim());
        if value.is_empty() {
            if !part.optional {
                faults.push(missing(part.name));
            }
            continue;
        }
        let clean: String = value
            .chars()
            .take(limit(part.what))
            .map(|letter| if letter.is_control() { ' ' } else { letter })
            .collect();
        let written = match part.what {
            What::Path => joined(&clean, ">"),
            What::Fields | What::Group => joined(&clean, ","),
            _ => clean,
        };
        text.push_str(part.prefix);
        text.push_str(&written);
    }
    if faults.is_empty() { Ok(text) } else { Err(faults) }
}

/// Characters of a value that are looked at.
const fn limit(what: What) -> usize {
    match what {
        What::Group | What::Path | What::Fields => 200,
        _ => 80,
    }
}

/// Fields or figures parted by blanks, commas or arrows, joined as the script joins them.
fn joined(value: &str, joint: &str) -> String {
    let words: Vec<&str> = value
        .split(|letter: char| letter.is_whitespace() || matches!(letter, '>' | ','))
        .filter(|word| !word.is_empty())
        .collect();
    words.join(joint)
}

/// A script with one line more: behind the head, which is added if there is none, and before the end.
pub(super) fn add(file: &str, order: &WrittenOrder) -> String {
    let mut lines: Vec<&str> = file.lines().collect();
    while lines.last().is_some_and(|line| line.trim().is_empty()) {
        lines.pop();
    }
    let begins = |line: &&str, word: &str| {
        let first = line.split_whitespace().next().unwrap_or_default();
        first.eq_ignore_ascii_case(word)
    };
    if !order.opening.is_empty() && !lines.iter().any(|line| begins(line, "RUNDE")) {
        lines.push(&order.opening);
    }
    let end = lines.iter().position(|line| begins(line, "ENDE"));
    match end.filter(|_| !begins(&order.text.as_str(), "ENDE")) {
        Some(end) => lines.insert(end, &order.text),
        None => lines.push(&order.text),
    }
    let mut text = lines.join("\n");
    text.push('\n');
    text
}

/// The shape whose line begins so, for completing: its pattern, help and rules.
pub(super) fn shape_of(line: &str) -> Option<(&'static str, &'static str, &'static [RuleId])> {
    let upper = line.to_uppercase();
    SHAPES
        .iter()
        .filter(|shape| upper.starts_with(shape.word))
        .max_by_key(|shape| shape.word.len())
        .map(|shape| (shape.pattern, shape.help, shape.rules))
}

/// The first words of lines, each once, with the key of what it does.
pub(super) fn verbs() -> Vec<(&'static str, String)> {
    let mut list: Vec<(&'static str, String)> = Vec::new();
    for shape in SHAPES {
        if list.iter().all(|(word, _)| *word != shape.word) {
            list.push((shape.word, format!("form-{}", shape.name)));
        }
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_is_a_line_of_the_script() {
        for shape in SHAPES {
            let parsed = script::parse(shape.example.as_bytes());
            assert_eq!(parsed.diagnostics, [], "{}", shape.example);
            assert_eq!(parsed.orders.len(), 1, "{}", shape.example);
            assert!(shape.example.starts_with(shape.word), "{}", shape.example);
        }
    }

    /// Something that fits a field.
    fn sample(part: &Part) -> &'static str {
        match (part.what, part.name) {
            (What::Group, "with") => "S#2",
            (What::Group, _) => "LB#1, LB#2",
            (What::Path, _) => "17 18",
            (What::Fields, _) => "17",
            (What::Side, _) => "17.0-O",
            (What::Place, _) => "17",
            (What::Direction, _) => "O",
            (What::Player, _) => "Blau",
            (What::Spell, _) => "STAERKEN",
            (What::OpenOrShut, _) => "AUF",
            (What::RopeVerb, _) => "WIRF",
            (What::Number, _) => "2",
            (What::Words, "storey") => "1",
            (What::Words, _) => "B,S",
            (What::Enemy, _) => "S#9",
            (What::Animal, _) => "lP#1",
            (What::Carrier | What::Device | What::Object, _) => "On#1",
            (What::Ship, _) => "LS#1",
            (What::Own, _) => "LB#1",
        }
    }

    #[test]
    fn every_form_writes_one_line_and_asks_for_what_is_missing() {
        let tables = Tables::book().expect("the book");
        let lines = "player 1 named Rot side 1\nplayer 2 named Blau side 2\nfigure 1 LB 1 at 17";
        let state = crate::setup::build(&tables, "", &crate::setup::read_lines(lines)).expect("a battle");
        let view = View {
            viewer: kernel::realm::Viewer::Realm(kernel::realm::RealmId(1)),
            house_rules: String::new(),
            position: state.position,
            secret: None,
            told: Vec::new(),
            diagnostics: Vec::new(),
        };
        for shape in SHAPES {
            let named = shape.parts.iter().filter(|part| !part.name.is_empty());
            let values: Values = named
                .map(|part| (part.name.to_owned(), sample(part).to_owned()))
                .collect();
            let written = write(&tables, &view, shape.name, &values);
            let written = written.unwrap_or_else(|faults| panic!("{}: {faults:?}", shape.name));
            let file = add("", &written);
            assert_eq!(script::parse(file.as_bytes()).diagnostics, [], "{file}");
            let needed = shape
                .parts
                .iter()
                .filter(|part| !part.optional && !part.name.is_empty())
                .count();
            match write(&tables, &view, shape.name, &Values::new()) {
                Err(faults) => assert_eq!(faults.len(), needed, "{}", shape.name),
                Ok(_) => assert_eq!(needed, 0, "{}", shape.name),
            }
        }
    }

    #[test]
    fn a_line_is_added_behind_the_head_and_before_the_end() {
        let order = |opening: &str, text: &str| WrittenOrder {
            opening: opening.to_owned(),
            text: text.to_owned(),
        };
        let head = "RUNDE 1 SPIELER Rot";
        let one = add("", &order(head, "ZIEHE LB#1 17>18"));
        assert_eq!(one, "RUNDE 1 SPIELER Rot\nZIEHE LB#1 17>18\n");
        let two = add(&one, &order(head, "ENDE"));
        let three = add(&two, &order(head, "SUCHE LB#1"));
        assert_eq!(three, "RUNDE 1 SPIELER Rot\nZIEHE LB#1 17>18\nSUCHE LB#1\nENDE\n");
    }
}
