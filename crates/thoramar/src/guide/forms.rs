//! Orders as forms to fill in, made from the verbs of the grammar, and back to order text.
//!
//! What a form writes is read again before it is handed out, so that it always is the order it claims to be.

use super::{kind_word, place};
use crate::codes::{Building, Command, Flag, Network, Treaty};
use crate::grammar::{self, Field, SPECIALS, Section, SpecialVerb, VERBS, Verb, What};
use crate::order::{Order, WEEKS};
use crate::parse::{self, Seat};
use crate::report::{building_word, treaty_word};
use crate::rule;
use crate::tables::Tables;
use crate::view::View;
use kernel::diagnostic::{Diagnostic, Name, Severity, Span};
use kernel::form::{Choice, Form, FormFault, FormField, Input, VALUE_CHARS, Values, WrittenOrder};
use kernel::game::OrderForm;
use kernel::realm::RealmId;
use kernel::rule::RuleId;

/// The greatest number of nine digits, as the reader of orders takes it.
const MAX_NUMBER: i64 = 999_999_999;

/// A form: a verb, and for an army perhaps a special.
#[derive(Clone, Copy)]
struct Shape {
    verb: &'static Verb,
    special: Option<&'static SpecialVerb>,
}

/// Every shape: the verbs in the order of the book, below the army orders the specials.
fn shapes() -> impl Iterator<Item = Shape> {
    VERBS.iter().flat_map(|verb| {
        let specials = if verb.section == Section::March { SPECIALS } else { &[] };
        let alone = Shape { verb, special: None };
        let with_special = specials.iter().map(move |special| Shape {
            verb,
            special: Some(special),
        });
        std::iter::once(alone).chain(with_special)
    })
}

/// Every form of an order; with a view, armies and realms to choose from are filled in.
pub(crate) fn forms(tables: &Tables, view: Option<&View>) -> Vec<OrderForm> {
    shapes()
        .map(|shape| OrderForm {
            opening: shape.opening(),
            section: shape.verb.section.word(),
            pattern: shape.special.map_or(shape.verb.pattern, |special| special.pattern),
            help: shape.help(),
            rules: shape.rules(),
            examples: match shape.special {
                Some(special) => vec![special.example],
                None => shape.verb.examples.to_vec(),
            },
            form: shape.form(tables, view),
        })
        .collect()
}

impl Shape {
    fn opening(self) -> String {
        format!("${}", self.verb.section.letter())
    }

    fn help(self) -> &'static str {
        self.special.map_or(self.verb.help, |special| special.help)
    }

    fn rules(self) -> &'static [RuleId] {
        self.special.map_or(self.verb.rules, |special| special.rules)
    }

    /// `build`, `march`, `march-split`.
    fn name(self) -> String {
        match self.special {
            None => self.verb.name.to_owned(),
            Some(special) => format!("march-{}", special.pattern.trim_start_matches("pattern-")),
        }
    }

    /// Its fields with the prefix of their names: those of a special do not clash with those of the march.
    fn fields(self) -> impl Iterator<Item = (&'static str, Field)> {
        let march = self.verb.fields.iter().filter(|field| field.what != What::Special);
        let special = self.special.map_or(&[][..], |special| special.fields);
        march
            .map(|field| ("", *field))
            .chain(special.iter().map(|field| ("special-", *field)))
    }

    fn form(self, tables: &Tables, view: Option<&View>) -> Form {
        let name = self.name();
        let options = Options {
            tables,
            view,
            shape: self,
        };
        let mut fields = Vec::new();
        for (prefix, field) in self.fields() {
            options.add(&mut fields, prefix, field);
        }
        Form {
            title: Name::Owned(format!("form-{name}")),
            name: Name::Owned(name),
            help: Name::Borrowed(self.help()),
            rules: self.rules().iter().map(|rule| Name::Borrowed(rule.as_str())).collect(),
            fields,
        }
    }

    /// Whether an order is of this shape.
    fn matches(self, order: &Order) -> bool {
        match (self.verb.name, order) {
            ("build", Order::Build { .. })
            | ("lay", Order::Lay { .. })
            | ("arm", Order::Arm { .. })
            | ("pay", Order::Pay { .. })
            | ("cede", Order::Cede { .. })
            | ("propose", Order::Propose { .. })
            | ("send", Order::Send { .. })
            | ("describe", Order::Describe { .. })
            | ("ask", Order::AskInformation)
            | ("computer", Order::SetComputer(_))
            | ("rename", Order::RenameRealm(_)) => true,
            ("march", Order::March(march)) => match (self.special, &march.special) {
                (None, None) => true,
                (Some(wanted), Some(special)) => special.value.word() == wanted.word,
                _ => false,
            },
            _ => false,
        }
    }
}

/// Name of a field's value, without the prefix of a special.
const fn value_name(what: What) -> &'static str {
    match what {
        What::Building => "building",
        What::Network => "network",
        What::Fit => "fit",
        What::Army => "army",
        What::Count => "count",
        What::Place => "place",
        What::Direction => "direction",
        What::Sides => "sides",
        What::Route => "route",
        What::Command => "command",
        What::Special => "special",
        What::Realm => "realm",
        What::Amount => "amount",
        What::Treaty => "treaty",
        What::Name => "name",
        What::Setting => "setting",
        What::Computer => "computer",
        What::RealmName => "realm-name",
        What::Recipient => "recipient",
        What::Text => "text",
        What::GateCode => "gate-code",
    }
}

/// What there is to choose from.
struct Options<'a> {
    tables: &'a Tables,
    view: Option<&'a View>,
    shape: Shape,
}

impl Options<'_> {
    fn add(&self, fields: &mut Vec<FormField>, prefix: &str, field: Field) {
        let orders = &self.tables.orders;
        let size = |figure: i64| u32::try_from(figure).unwrap_or(0);
        let input = match field.what {
            // Written by the form itself.
            What::Setting | What::Special => return,
            What::Building => choices(
                Building::ALL
                    .iter()
                    .map(|b| Choice::worded(b.code(), building_word(*b))),
            ),
            What::Network => choices(Network::ALL.iter().map(|n| worded(n.code(), "network-"))),
            What::Treaty => choices(Treaty::ALL.iter().map(|t| Choice::worded(t.code(), treaty_word(*t)))),
            What::Computer => choices(["PC", "Amiga"].into_iter().map(Choice::plain)),
            What::Fit => Input::Flag,
            What::Army => self.army(!prefix.is_empty()),
            What::Count | What::Amount => Input::Number {
                min: 1,
                max: MAX_NUMBER,
            },
            What::GateCode => Input::Number {
                min: 0,
                max: MAX_NUMBER,
            },
            What::Place => Input::Place,
            What::Direction => Input::Direction,
            What::Sides => Input::Directions {
                max: size(self.tables.build.max_path_digits),
            },
            What::Route => Input::Directions {
                max: size(orders.max_direction_digits).min(WEEKS as u32),
            },
            What::Command => choices(self.commands()),
            What::Realm => self.realms(),
            What::Name => text(orders.max_name_length, 1),
            What::RealmName => text(orders.max_realm_name_length, 1),
            What::Recipient => self.recipients(),
            What::Text => text(
                orders.max_line_length.saturating_mul(orders.max_message_lines),
                match self.shape.verb.section {
                    Section::Culture => orders.max_culture_lines,
                    _ => orders.max_message_lines,
                },
            ),
        };
        let label = field_word(field.what);
        let name = format!("{prefix}{}", value_name(field.what));
        let mut one = FormField::new(name, label, input);
        one.optional = field.optional || field.what == What::Fit;
        match field.what {
            What::Route => one = one.with_default("0"),
            What::Command => one = one.with_default(self.commands().next().map_or_else(String::new, |c| c.value)),
            _ => {}
        }
        fields.push(one);
        if field.what == What::Command {
            let flags = Flag::ALL
                .iter()
                .map(|flag| Choice::worded(flag.code(), flag_word(*flag)));
            fields.push(
                FormField::new("flag", "field-flag", choices(flags))
                    .or_nothing()
                    .with_default(Flag::Shown.code()),
            );
        }
    }

    /// The commands that the shape allows: the one its special needs, or all that need no special.
    fn commands(&self) -> impl Iterator<Item = Choice> {
        let needed = self.shape.special.map(|special| special.command);
        let fits = move |command: &&Command| match needed {
            Some(Some(needed)) => **command == needed,
            _ => **command != Command::Destroy,
        };
        let all = Command::ALL.iter().filter(fits);
        all.map(|command| Choice::worded(command.code(), grammar::command_word(*command)))
    }

    /// Own armies; those that can carry out the shape's special.
    fn army(&self, is_target: bool) -> Input {
        let may = |kind| is_target || self.shape.special.is_none_or(|special| (special.who)(kind));
        let own = self.view.into_iter().flat_map(View::own_armies);
        let listed = own.filter(|(name, _)| may(name.kind)).map(|(name, army)| Choice {
            value: name.to_string(),
            label: Name::Owned(kind_word(name.kind)),
            detail: format!("{}, {}", army.count, army.place),
        });
        Input::Army {
            choices: listed.collect(),
            may_be_new: true,
        }
    }

    fn others(&self) -> impl Iterator<Item = (RealmId, &str)> {
        let me = self.view.and_then(View::realm);
        let playing = self
            .view
            .into_iter()
            .flat_map(|view| view.playing.iter().map(move |id| (view, *id)));
        playing
            .filter(move |(_, id)| Some(*id) != me)
            .map(|(view, id)| (id, view.name_of(id)))
    }

    fn realms(&self) -> Input {
        if self.view.is_none() {
            return Input::Number {
                min: 0,
                max: i64::from(u16::MAX),
            };
        }
        choices(self.others().map(realm_choice))
    }

    fn recipients(&self) -> Input {
        let letters = [("M", "recipient-M"), ("A", "recipient-A"), ("G", "recipient-G")];
        let letters = letters.into_iter().map(|(letter, word)| Choice::worded(letter, word));
        choices(self.others().map(realm_choice).chain(letters))
    }
}

fn realm_choice((id, name): (RealmId, &str)) -> Choice {
    Choice {
        value: id.to_string(),
        label: Name::Borrowed(""),
        detail: name.to_owned(),
    }
}

fn choices(list: impl Iterator<Item = Choice>) -> Input {
    Input::Choice {
        choices: list.collect(),
    }
}

fn worded(code: &str, prefix: &str) -> Choice {
    Choice::worded(code, format!("{prefix}{code}"))
}

fn text(max: i64, lines: i64) -> Input {
    Input::Text {
        max: u32::try_from(max).unwrap_or(0).min(VALUE_CHARS as u32),
        lines: u32::try_from(lines).unwrap_or(0),
    }
}

/// Key of a field's label: for armies and places of the whole, not of their words.
const fn field_word(what: What) -> &'static str {
    match what {
        What::Army => "field-army",
        What::Place => "field-place",
        What::Fit => "field-is-fit",
        What::Network => "field-work",
        _ => match what.words() {
            [word, ..] => word,
            [] => "",
        },
    }
}

/// Key of a flag's name in the locale.
const fn flag_word(flag: Flag) -> &'static str {
    match flag {
        Flag::Shown => "flag-shown",
        Flag::Unseen => "flag-unseen",
        Flag::Unassigned => "flag-unassigned",
    }
}

/// The order that a filled-in form makes. It has been read back: one order of that form, and no error.
pub(super) fn write(tables: &Tables, view: &View, form: &str, values: &Values) -> Result<WrittenOrder, Vec<FormFault>> {
    let (Some(shape), Some(seat)) = (shapes().find(|shape| shape.name() == form), Seat::of_view(view)) else {
        let shown: String = form.chars().take(40).collect();
        return Err(vec![whole(
            Diagnostic::error("O07", Span::default(), &[rule::ORD_02]).with("t", shown),
        )]);
    };
    let mut writer = Writer {
        view,
        line_max: usize::try_from(tables.orders.max_line_length).unwrap_or(usize::MAX),
        shape,
        values,
        words: Vec::new(),
        below: Vec::new(),
        faults: Vec::new(),
    };
    for (prefix, field) in shape.fields() {
        writer.field(prefix, field);
    }
    if !writer.faults.is_empty() {
        return Err(writer.faults);
    }
    let mut lines = vec![writer.words.join(" ")];
    lines.append(&mut writer.below);
    lines.retain(|line| !line.is_empty() || shape.verb.section == Section::Messages);
    let order = WrittenOrder {
        opening: shape.opening(),
        text: lines.join("\n"),
    };
    read_back(tables, &seat, shape, order)
}

fn read_back(tables: &Tables, seat: &Seat, shape: Shape, order: WrittenOrder) -> Result<WrittenOrder, Vec<FormFault>> {
    let file = format!("{}\n{}\n", order.opening, order.text);
    let parsed = parse::parse(tables, seat, file.as_bytes());
    let misfits = parsed.orders.iter().filter_map(|order| order.value.misfit());
    let wrong = parsed.diagnostics.iter().chain(misfits);
    let wrong = wrong.filter(|finding| finding.severity == Severity::Error);
    let faults: Vec<FormFault> = wrong.cloned().map(whole).collect();
    if !faults.is_empty() {
        return Err(faults);
    }
    match parsed.orders.as_slice() {
        [one] if shape.matches(&one.value) => Ok(order),
        _ => {
            let finding = Diagnostic::error("O06", Span::default(), shape.rules()).with("t", order.text);
            Err(vec![whole(finding.with_word("feld", shape.verb.section.word()))])
        }
    }
}

fn whole(finding: Diagnostic) -> FormFault {
    FormFault {
        field: Name::Borrowed(""),
        finding,
    }
}

/// A line of text as lines of a file, broken between words: people write paragraphs.
fn wrap(line: &str, max: usize, lines: &mut Vec<String>) {
    let mut rest = line;
    while rest.chars().count() > max {
        // One character more: the blank behind the last word that fits.
        let end = rest.char_indices().nth(max + 1).map_or(rest.len(), |(at, _)| at);
        let head = rest.get(..end).unwrap_or_default();
        let Some((words, _)) = head.rsplit_once(' ').or_else(|| rest.split_once(' ')) else {
            break;
        };
        lines.push(words.trim_end().to_owned());
        rest = rest.get(words.len()..).unwrap_or_default().trim_start();
    }
    lines.push(rest.to_owned());
}

struct Writer<'a> {
    view: &'a View,
    /// Characters that a line of the file may have.
    line_max: usize,
    shape: Shape,
    values: &'a Values,
    words: Vec<String>,
    /// Lines below the first.
    below: Vec<String>,
    faults: Vec<FormFault>,
}

impl Writer<'_> {
    fn value(&self, name: &str) -> &str {
        self.values.get(name).map_or("", |value| value.trim())
    }

    fn field(&mut self, prefix: &str, field: Field) {
        let name = format!("{prefix}{}", value_name(field.what));
        let value = self.value(&name).to_owned();
        match field.what {
            What::Setting => {
                let word = match self.shape.verb.name {
                    "computer" => "Computer",
                    "rename" => "Reichsname",
                    _ => "Information",
                };
                return self.words.push(word.to_owned());
            }
            What::Fit => {
                if value == "true" {
                    self.words.push("+".to_owned());
                }
                return;
            }
            _ => {}
        }
        if value.is_empty() {
            if !field.optional {
                let finding = Diagnostic::error("S01", Span::default(), self.shape.rules());
                let finding = finding.with_word("feld", field_word(field.what)).with_word(
                    "muster",
                    self.shape.special.map_or(self.shape.verb.pattern, |s| s.pattern),
                );
                self.fault(name, finding);
            }
            return;
        }
        // A semicolon would begin a comment, another line another order; only text may have lines.
        let is_text = field.what == What::Text;
        let stray = |letter: char| letter == ';' || letter.is_control();
        if value.chars().count() > VALUE_CHARS || (!is_text && value.contains(stray)) {
            return self.unfit(name, &value, field.what);
        }
        match field.what {
            What::Place => match place::read(self.view, &value) {
                Ok(place) => self.words.push(format!("{} {}", place.x, place.y)),
                Err(finding) => self.fault(name, *finding),
            },
            What::Command => {
                let flag = self.value("flag").to_owned();
                match Flag::from_code(&flag) {
                    Some(flag) => self.words.push(format!("{value}{}", flag.code())),
                    None => self.unfit("flag".to_owned(), &flag, What::Command),
                }
            }
            What::Name => self.words.push(value.split_whitespace().collect::<Vec<_>>().join("_")),
            What::Sides | What::Route => {
                self.words.push(value.split_whitespace().collect());
            }
            What::Recipient => self.words.push(format!("#{value}")),
            What::Text => {
                for line in value.lines() {
                    wrap(line.trim_end(), self.line_max, &mut self.below);
                }
            }
            What::RealmName => self.words.push(value),
            What::Army => self.words.push(value.split_whitespace().collect::<Vec<_>>().join(" ")),
            // Everything else is one word.
            _ if value.contains(char::is_whitespace) => self.unfit(name, &value, field.what),
            _ => self.words.push(value),
        }
    }

    fn unfit(&mut self, name: String, value: &str, what: What) {
        let shown: String = value.chars().take(60).collect();
        let finding = Diagnostic::error("O06", Span::default(), self.shape.rules()).with("t", shown);
        self.fault(name, finding.with_word("feld", field_word(what)));
    }

    fn fault(&mut self, field: String, finding: Diagnostic) {
        self.faults.push(FormFault {
            field: Name::Owned(field),
            finding,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::wrap;

    fn wrapped(line: &str, max: usize) -> Vec<String> {
        let mut lines = Vec::new();
        wrap(line, max, &mut lines);
        lines
    }

    #[test]
    fn a_paragraph_is_broken_between_words() {
        assert_eq!(wrapped("eins zwei", 9), ["eins zwei"]);
        assert_eq!(wrapped("eins zwei", 8), ["eins", "zwei"]);
        assert_eq!(wrapped("ä ö ü ß", 3), ["ä ö", "ü ß"]);
        // A word that is too long stays: the check says so.
        assert_eq!(wrapped("unteilbar", 4), ["unteilbar"]);
        assert_eq!(wrapped("unteilbar und mehr", 4), ["unteilbar", "und", "mehr"]);
        assert_eq!(wrapped("", 4), [""]);
    }
}
