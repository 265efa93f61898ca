//! What a game answers: figures, ways, proposals, house rules, sketches of worlds, forms of judgements.

use crate::diagnostic::{Diagnostic, Name, Span};
use crate::form::{Choice, Form, FormField, Input, Values, WrittenOrder};
use crate::map::{Scene, Spot};
use crate::realm::RealmId;
use crate::report::Why;
use crate::rule::RuleId;
use crate::worldgen;
use serde::{Deserialize, Serialize};

/// A number that describes a realm, to be followed from turn to turn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Figure {
    /// The realm it describes: the viewer's own, or every realm for the game master.
    pub realm: RealmId,
    /// What is shown together, as key of a word: a chart has one group.
    pub group: Name,
    /// What is counted, as key of a word. A figure that is missing counts 0.
    pub key: Name,
    /// How much.
    pub value: i64,
}

/// A field that the viewer knows: where it lies in the drawing, and how players write it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct KnownPlace {
    /// Where it lies in the scene.
    pub at: Spot,
    /// The field in the game's own notation.
    pub place: String,
}

/// A realm to which the viewer may write.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Correspondent {
    /// Its number.
    pub realm: RealmId,
    /// Its name; empty if the viewer does not know it.
    pub name: String,
}

/// When something is: a step of the world and its part, where the game has such: the week of a season.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Moment {
    /// Number of the step.
    pub step: u32,
    /// Its part, from 1; 0 for its beginning or where a step has no parts.
    pub part: u32,
}

/// An own army that an order file speaks of.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Commanded {
    /// The army, as the map writes it.
    pub army: String,
    /// A line that tells it what to do, from 1.
    pub line: u32,
}

/// A way for an army.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct RoutePlan {
    /// Who goes, as players write it.
    pub traveller: String,
    /// The steps in order; none if there is no way or nothing to go.
    pub steps: Vec<RouteStep>,
    /// What they cost together.
    pub cost: i64,
    /// When the traveller is there.
    pub arrival: Option<Moment>,
    /// The orders for it, one for every step of the world; the first is to be given now. None for a journey that is only
    /// thought of.
    pub orders: Vec<WrittenOrder>,
    /// Why there is no way.
    pub findings: Vec<Diagnostic>,
}

/// One step of a way.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RouteStep {
    /// When it is made.
    pub when: Moment,
    /// From where, in the game's own notation.
    pub from: String,
    /// To where.
    pub to: String,
    /// The same in the scene.
    pub at: Spot,
    /// What it costs.
    pub cost: i64,
    /// Movement left afterwards.
    pub left: i64,
    /// What may come in between, as keys of words.
    pub cautions: Vec<Name>,
    /// The rules and the arithmetic.
    pub why: Why,
}

/// A field within reach.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Reached {
    /// The field in the game's own notation.
    pub place: String,
    /// Where it lies in the scene.
    pub at: Spot,
    /// When the traveller can be there.
    pub when: Moment,
    /// What the way costs.
    pub cost: i64,
}

/// What may stand at a place of an order file, and what it is about.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Completions {
    /// The word that a proposal replaces, perhaps only begun or empty.
    pub replace: Span,
    /// Proposals, best first.
    pub items: Vec<Choice>,
    /// Key of the pattern of the order at this place; empty if none is begun.
    pub pattern: Name,
    /// Key of the sentence that explains it.
    pub help: Name,
    /// Key of the name of what stands here.
    pub field: Name,
    /// The rules of the order's form.
    pub rules: Vec<Name>,
}

/// A figure or choice that a world may change.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct HouseRule {
    /// Its key in the house rules: tables and name, parted by dots.
    pub key: String,
    /// Key of the word for what it belongs to.
    pub section: Name,
    /// Key of its name among all texts of the wording, not only under `[word]`.
    pub label: Name,
    /// The code of what it is about, where one name holds for many: a kind of army, a building. Else empty.
    pub item: String,
    /// Key of the word for it; empty if the code says enough.
    pub item_label: Name,
    /// What may stand there.
    pub input: Input,
    /// What the book or the ruling says; empty if it says nothing.
    pub default: String,
    /// The rules and rulings behind it.
    pub rules: Vec<Name>,
}

/// A world that would be made from a plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sketch {
    /// Its map, as the game master would see it.
    pub scene: Scene,
    /// Where its realms would begin.
    pub starts: Vec<Start>,
}

impl Sketch {
    /// Worth of the poorest start in percent of the richest; nothing if the game weighs none.
    pub fn fairness(&self) -> Option<i64> {
        fairness(&self.starts)
    }
}

/// Worth of the poorest of these starts in percent of the richest; nothing if there are none.
pub fn fairness(starts: &[Start]) -> Option<i64> {
    (!starts.is_empty()).then(|| worldgen::percent_of(starts.iter().map(|start| start.worth)))
}

/// Where a realm begins.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Start {
    /// The realm.
    pub realm: RealmId,
    /// The field in the game master's notation.
    pub place: String,
    /// Where it lies in the scene.
    pub at: Spot,
    /// What it is worth, for comparing it with the others.
    pub worth: i64,
}

/// A size of a new world.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Size {
    /// Key of its name.
    pub label: Name,
    /// How many fields the world has.
    pub fields: u64,
    /// The house rules that make it so, by key.
    pub values: Values,
}

/// A judgement that a game master may give: a form, and the words that it makes for [`Game::read_ruling`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RulingForm {
    /// The form. A field for a realm of a question comes with that realm in it.
    pub form: Form,
    /// The words, with names of fields in braces: `credit {realm} {amount}`. The first word says which judgement it is.
    pub pattern: &'static str,
    /// What stands for the end of a line in these words.
    pub line_end: &'static str,
    /// Rules whose questions it answers.
    pub answers: Vec<RuleId>,
    /// Whether it may be given without a question.
    pub unasked: bool,
}

impl RulingForm {
    /// A judgement of the game master's own; its name is that of the form and the end of the keys of its words.
    pub fn act(name: &'static str, pattern: &'static str, fields: Vec<FormField>) -> Self {
        Self {
            form: Form {
                name: Name::Borrowed(name),
                title: Name::Owned(format!("ruling-{name}")),
                help: Name::Borrowed(""),
                rules: Vec::new(),
                fields,
            },
            pattern,
            line_end: " ",
            answers: Vec::new(),
            unasked: true,
        }
    }

    /// The same as an answer to questions of these rules, too.
    #[must_use]
    pub fn answering(mut self, rules: &[RuleId]) -> Self {
        self.answers = rules.to_vec();
        self
    }

    /// The same, but only if it is asked for.
    #[must_use]
    pub fn if_asked(mut self) -> Self {
        self.unasked = false;
        self
    }

    /// The judgement in words, or the fields that must be filled in and are not.
    ///
    /// # Errors
    /// Names of those fields.
    pub fn words(&self, values: &Values) -> Result<String, Vec<Name>> {
        let value = |name: &str| values.get(name).map_or("", |value| value.trim());
        let missing = self
            .form
            .fields
            .iter()
            .filter(|field| !field.optional && value(&field.name).is_empty());
        let missing: Vec<Name> = missing.map(|field| field.name.clone()).collect();
        if !missing.is_empty() {
            return Err(missing);
        }
        let mut words = String::new();
        let mut rest = self.pattern;
        while let Some((before, (name, after))) = rest
            .split_once('{')
            .and_then(|(before, from)| Some((before, from.split_once('}')?)))
        {
            words.push_str(before);
            let lines = value(name).lines().map(str::trim).filter(|line| !line.is_empty());
            words.push_str(&lines.collect::<Vec<_>>().join(self.line_end));
            rest = after;
        }
        words.push_str(rest);
        Ok(words.trim().to_owned())
    }

    /// What was filled in to make these words; nothing if another form made them.
    pub fn read(&self, words: &str) -> Option<Values> {
        let mut values = Values::new();
        let mut parts = self.pattern.split('{');
        let mut rest = words.strip_prefix(parts.next()?.trim_end())?.trim_start();
        for part in parts {
            let (name, after) = part.split_once('}')?;
            let field = self.form.fields.iter().find(|field| *field.name == *name)?;
            let (value, left) = if after.is_empty() {
                (rest, "")
            } else {
                match rest.split_once(after) {
                    Some(found) => found,
                    // Words that were left out at the end leave the blank before them out, too.
                    None if after.trim().is_empty() => (rest, ""),
                    None => return None,
                }
            };
            let value = value.trim();
            let fits = match field.input {
                Input::Realm => value.parse::<u16>().is_ok(),
                _ => field.optional || !value.is_empty(),
            };
            if !fits {
                return None;
            }
            values.insert(name.to_owned(), value.to_owned());
            rest = left;
        }
        rest.is_empty().then_some(values)
    }
}

/// Changes of a world by hand that were tried: `R` is a judgement of the game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Changes<R> {
    /// The judgement that makes those that can be made; none if nothing would be another afterwards.
    pub ruling: Option<R>,
    /// How many it makes.
    pub made: usize,
    /// Why others cannot be made, at the lines of the text.
    pub faults: Vec<Diagnostic>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_judgement_is_written_from_its_fields_or_says_which_are_missing() {
        let number = Input::Number { min: 0, max: 9 };
        let fields = vec![
            FormField::new("realm", "field-realm", Input::Realm),
            FormField::new("amount", "field-amount", number),
            FormField::new("note", "field-note", Input::Text { max: 80, lines: 3 }).or_nothing(),
        ];
        let form = RulingForm::act("credit", "credit {realm} {amount} {note}", fields);
        let values = |pairs: &[(&str, &str)]| -> Values {
            let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
            pairs.iter().map(own).collect()
        };
        let whole = values(&[("realm", " 3 "), ("amount", "-20"), ("note", "a\n\n b ")]);
        assert_eq!(form.words(&whole), Ok("credit 3 -20 a b".to_owned()));
        let short = values(&[("realm", "3"), ("amount", "7")]);
        assert_eq!(form.words(&short), Ok("credit 3 7".to_owned()));
        assert_eq!(
            form.words(&values(&[("realm", "3")])),
            Err(vec![Name::Borrowed("amount")])
        );
        // A line end of its own keeps lines apart, for a letter.
        let letter = RulingForm {
            line_end: " / ",
            ..form.clone()
        };
        assert_eq!(letter.words(&whole), Ok("credit 3 -20 a / b".to_owned()));
        // What somebody wrote is not filled in again.
        let braces = values(&[("realm", "{amount}"), ("amount", "7")]);
        assert_eq!(form.words(&braces), Ok("credit {amount} 7".to_owned()));
    }

    #[test]
    fn the_poorest_start_is_weighed_against_the_richest() {
        let start = |worth| Start {
            realm: RealmId(1),
            place: String::new(),
            at: Spot::new(0, 0),
            worth,
        };
        let fairness = |worths: &[i64]| fairness(&worths.iter().map(|worth| start(*worth)).collect::<Vec<_>>());
        assert_eq!(fairness(&[]), None);
        assert_eq!(fairness(&[0, 0]), Some(100));
        assert_eq!(fairness(&[50, 67, 60]), Some(74), "rounded down");
    }

    #[test]
    fn a_judgement_is_read_back_by_the_form_that_made_it_and_by_no_other() {
        let realm = || FormField::new("realm", "field-realm", Input::Realm);
        let text = |name| FormField::new(name, "field-text", Input::Text { max: 80, lines: 1 });
        let read = |form: &RulingForm, words: &str| {
            let values = form.read(words)?;
            let pair = |(name, value)| format!("{name}={value}");
            Some(values.into_iter().map(pair).collect::<Vec<_>>().join(", "))
        };
        let hand = RulingForm::act("hand", "hand {realm} to {player}", vec![realm(), text("player")]);
        let said = |text: &str| Some(text.to_owned());
        assert_eq!(read(&hand, "hand 3 to Mira"), said("player=Mira, realm=3"));
        // A player may be called as he likes.
        assert_eq!(
            read(&hand, "hand 3 to Road to Nowhere"),
            said("player=Road to Nowhere, realm=3")
        );
        for other in [
            "hand 3",
            "hand 3 to ",
            "hand Adler to Mira",
            "handle 3 to Mira",
            "release 3",
            "",
        ] {
            assert_eq!(read(&hand, other), None, "{other}");
        }
        let write = RulingForm::act("write", "write {realm}: {text}", vec![realm(), text("text")]);
        let all = RulingForm::act("write-all", "write everyone: {text}", vec![text("text")]);
        assert_eq!(read(&write, "write 3: a: b"), said("realm=3, text=a: b"));
        assert_eq!(read(&write, "write everyone: Gruß"), None);
        assert_eq!(read(&all, "write everyone: Gruß"), said("text=Gruß"));
        assert_eq!(read(&all, "write 3: Gruß"), None);
        let close = RulingForm::act("close", "close", Vec::new());
        assert_eq!(read(&close, "close"), said(""));
        assert_eq!(read(&close, "close it"), None);
        let note = RulingForm::act("note", "note {realm} {text}", vec![realm(), text("text").or_nothing()]);
        assert_eq!(read(&note, "note 3"), said("realm=3, text="));
        assert_eq!(read(&note, "note 3 a b"), said("realm=3, text=a b"));
    }
}
