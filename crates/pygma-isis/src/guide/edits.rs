//! The game master's changes of the world as forms: the tools of a map editor (catalogue 5.5).
//!
//! A filled-in form becomes the words of [`crate::ruling::words`], and the world is changed by the code that carries judgements out.

use crate::PygmaIsis;
use crate::codes::{Creature, Disaster, Kind, SettlementKind, Terrain, WorkKind};
use crate::event::war::creature_word;
use crate::judgement;
use crate::month::{Month, MonthTurn};
use crate::rule;
use crate::ruling::{Ruling, words};
use crate::sight;
use crate::state::State;
use crate::tables::Tables;
use kernel::diagnostic::{Diagnostic, Name, Span};
use kernel::dice::Dice;
use kernel::form::{Choice, Form, FormFault, FormField, Input, Values};
use kernel::guide::Changes;
use kernel::limits;
use kernel::realm::RealmId;
use kernel::turn;

/// The greatest number that a form takes.
const NUMBER_MAX: i64 = 1_000_000_000;

fn choice(choices: impl Iterator<Item = Choice>) -> Input {
    Input::Choice {
        choices: choices.collect(),
    }
}

fn form(name: &'static str, rules: &[kernel::rule::RuleId], fields: Vec<FormField>) -> Form {
    Form {
        name: Name::Borrowed(name),
        title: Name::Owned(format!("edit-{name}")),
        help: Name::Borrowed(""),
        rules: rules.iter().map(|rule| Name::Borrowed(rule.as_str())).collect(),
        fields,
    }
}

/// Every change: ground first, then what stands on it, then what befalls a realm.
pub(super) fn forms() -> Vec<Form> {
    let terrains = Terrain::ALL.iter().filter(|terrain| **terrain != Terrain::Unexplored);
    let terrains = choice(terrains.map(|terrain| Choice::worded(terrain.code(), format!("terrain-{terrain}"))));
    let none = || std::iter::once(Choice::worded("none", "edit-none"));
    let settlements = SettlementKind::ALL.iter();
    let settlements = none().chain(settlements.map(|kind| Choice::worded(kind.code(), format!("settlement-{kind}"))));
    let works = WorkKind::ALL.iter();
    let works = none().chain(works.map(|kind| Choice::worded(kind.code(), format!("work-{kind}"))));
    let creatures = Creature::ALL.iter();
    let creatures = creatures.map(|creature| Choice::worded(creature.code(), creature_word(*creature)));
    let disasters = Disaster::ALL.iter();
    let disasters = disasters.map(|disaster| Choice::worded(disaster.code(), format!("disaster-{disaster}")));
    let kinds = Kind::ALL.iter().filter(|kind| **kind != Kind::Trader);
    let kinds: Vec<Choice> = kinds.map(|kind| Choice::plain(kind.code())).collect();
    let place = || FormField::new("place", "field-place", Input::Place);
    let other = || FormField::new("other", "edit-other", Input::Text { max: 12, lines: 1 });
    let realm = || FormField::new("realm", "field-realm", Input::Realm);
    let kind = || FormField::new("kind", "edit-kind", choice(kinds.clone().into_iter()));
    let number =
        |name: &'static str, label: &'static str, min, max| FormField::new(name, label, Input::Number { min, max });
    let unit = || number("number", "edit-number", 1, 999).with_default("1");
    let present = || {
        let flag = FormField::new("present", "edit-present", Input::Flag);
        flag.or_nothing().with_default("true")
    };
    vec![
        form(
            "terrain",
            &[rule::GAME_06],
            vec![place(), FormField::new("terrain", "edit-ground", terrains)],
        ),
        form(
            "river",
            &[rule::GAME_06, rule::GAP_05],
            vec![place(), other(), present()],
        ),
        form(
            "road",
            &[rule::GAME_06, rule::ROAD_08],
            vec![place(), other(), present()],
        ),
        form("owner", &[rule::GAME_08, rule::GAP_69], vec![place(), realm()]),
        form(
            "settlement",
            &[rule::GAME_06, rule::TOWN_07],
            vec![place(), FormField::new("kind", "edit-settlement", choice(settlements))],
        ),
        form(
            "work",
            &[rule::GAME_06],
            vec![place(), FormField::new("kind", "edit-work", choice(works))],
        ),
        form(
            "plague",
            &[rule::PLAG_03, rule::GAP_20],
            vec![place(), number("terms", "edit-terms", 0, 99)],
        ),
        form(
            "band",
            &[rule::GAME_09, rule::GAP_62],
            vec![
                FormField::new("who", "edit-who", choice(creatures)),
                number("count", "edit-count", 1, NUMBER_MAX),
                place(),
            ],
        ),
        form("no-bands", &[rule::GAME_09, rule::GAP_62], vec![place()]),
        form(
            "move",
            &[rule::ORD_08, rule::GAP_40],
            vec![realm(), kind(), unit(), place()],
        ),
        form(
            "strength",
            &[rule::ORD_08, rule::GAP_40],
            vec![realm(), kind(), unit(), number("count", "edit-count", 0, NUMBER_MAX)],
        ),
        form(
            "gold",
            &[rule::ORD_08, rule::GAP_40],
            vec![realm(), number("gold", "edit-gold", -NUMBER_MAX, NUMBER_MAX)],
        ),
        form(
            "disaster",
            &[rule::ROAD_08, rule::GAP_63],
            vec![
                realm(),
                FormField::new("disaster", "edit-disaster", choice(disasters)),
                place().or_nothing(),
            ],
        ),
    ]
}

fn fault(field: Name, value: &str) -> FormFault {
    let shown: String = value.chars().take(60).collect();
    let finding = Diagnostic::error("E_EDIT", Span::default(), &[rule::GAME_06]).with("text", shown);
    FormFault {
        field,
        finding: finding.with_word("why", "edit-not-understood"),
    }
}

/// The words of a filled-in change; they have been read back.
pub(super) fn write(name: &str, values: &Values) -> Result<String, Vec<FormFault>> {
    let Some(form) = forms().into_iter().find(|form| form.name == name) else {
        return Err(vec![fault(Name::Borrowed(""), name)]);
    };
    let mut verb = name.to_owned();
    let mut words = Vec::new();
    let mut faults = Vec::new();
    for field in form.fields {
        let value = values.get(field.name.as_ref()).map_or("", |value| value.trim());
        if field.input == Input::Flag {
            if value != "true" {
                verb = format!("no-{name}");
            }
            continue;
        }
        let is_one_word = !value.contains(|letter: char| letter.is_whitespace() || letter.is_control());
        if !is_one_word || (value.is_empty() && !field.optional) {
            faults.push(fault(field.name, value));
        } else if !value.is_empty() {
            words.push(value.to_owned());
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let text = format!("{verb} {}", words.join(" "));
    match words::read(&text, &by_number) {
        Ok(_) => Ok(text),
        Err(_) => Err(vec![fault(Name::Borrowed(""), &text)]),
    }
}

fn by_number(word: &str) -> Option<RealmId> {
    word.parse().ok().map(RealmId)
}

/// Whether a judgement changes the map at once, so that an editor shows it.
fn is_by_hand(ruling: &Ruling) -> bool {
    match ruling {
        Ruling::Several { rulings } => rulings.iter().all(is_by_hand),
        Ruling::MoveUnit { .. }
        | Ruling::SetStrength { .. }
        | Ruling::ChangeGold { .. }
        | Ruling::SetOwner { .. }
        | Ruling::SetSettlement { .. }
        | Ruling::SetWork { .. }
        | Ruling::SetRoad { .. }
        | Ruling::SetRiver { .. }
        | Ruling::SetTerrain { .. }
        | Ruling::SetPlague { .. }
        | Ruling::PlaceBand { .. }
        | Ruling::RemoveBands { .. }
        // A tool of the editor like the others, though nothing is to be seen before the month runs.
        | Ruling::Cause { .. } => true,
        _ => false,
    }
}

/// Makes earlier changes by hand, then those of a text, as far as they can be made.
pub(super) fn change_world(tables: &Tables, state: &mut State, earlier: &[Ruling], text: &str) -> Changes<Ruling> {
    let input = turn::Input::<PygmaIsis>::default();
    let mut month = Month::new(state, state.step.saturating_add(1));
    // Dice lie in the middle: nothing that falls by chance happens here.
    let mut turn: MonthTurn<'_> = turn::Turn::new(tables, state.clone(), &input, Dice::Typical(50));
    for ruling in earlier.iter().filter(|ruling| is_by_hand(ruling)) {
        judgement::carry_out(&mut turn, &mut month, ruling);
    }
    let (mut made, mut faults) = (Vec::new(), Vec::new());
    for (number, line) in (1..).zip(text.lines()).take(limits::EDIT_LINES) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let why = match words::read(line, &by_number) {
            Err(_) => "edit-not-understood",
            Ok(ruling) => {
                let before = (turn.event_count(), month.caused.len());
                judgement::carry_out(&mut turn, &mut month, &ruling);
                if (turn.event_count(), month.caused.len()) != before {
                    made.push(ruling);
                    continue;
                }
                "edit-without-effect"
            }
        };
        let shown: String = line.chars().take(60).collect();
        let span = Span {
            line: number,
            column: 1,
            length: 0,
        };
        let finding = Diagnostic::error("E_EDIT", span, &[rule::GAME_06]);
        faults.push(finding.with("text", shown).with_word("why", why));
    }
    *state = turn.finish().state;
    // Before the first month the realms look at the world as it has become.
    if state.step == 0 {
        sight::refresh(tables, state);
    }
    let count = made.len();
    let ruling = match made.len() {
        0 => None,
        1 => made.pop(),
        _ => Some(Ruling::Several { rulings: made }),
    };
    Changes {
        ruling,
        made: count,
        faults,
    }
}

/// The map of a world as changes: ground, rivers, roads, owners, settlements, works and creatures of every field that has some.
pub(super) fn write_world(state: &State) -> String {
    let mut ground = String::new();
    let mut above = String::new();
    let line = |out: &mut String, ruling: Ruling| {
        if let Some(words) = ruling.words() {
            out.push_str(&words);
            out.push('\n');
        }
    };
    for index in state.chart.fields() {
        let (here, field) = (state.field(index), state.place(index));
        let terrain = here.terrain;
        line(&mut ground, Ruling::SetTerrain { field, terrain });
        line(&mut above, Ruling::RemoveBands { field });
        for (direction, other) in state.chart.neighbours(index).filter(|(_, other)| *other > index) {
            let to = state.place(other);
            if here.rivers.has(direction) {
                let (from, river) = (field, true);
                line(&mut above, Ruling::SetRiver { from, to, river });
            }
            if here.roads.has(direction) {
                let (from, road) = (field, true);
                line(&mut above, Ruling::SetRoad { from, to, road });
            }
        }
        if here.owner.is_played() {
            let realm = here.owner;
            line(&mut above, Ruling::SetOwner { field, realm });
        }
        if let Some(town) = &here.settlement {
            let kind = Some(town.kind);
            line(&mut above, Ruling::SetSettlement { field, kind });
        }
        if let Some(work) = here.work {
            let kind = Some(work.kind);
            line(&mut above, Ruling::SetWork { field, kind });
        }
    }
    for band in state.bands.values() {
        let (creature, count, field) = (band.creature, band.count, state.place(band.field));
        line(&mut above, Ruling::PlaceBand { creature, count, field });
    }
    ground + &above
}
