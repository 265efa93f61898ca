//! What may stand at the cursor of an order file, from the definitions of the verbs and from what the player has.

use super::dossier::{direction_word, terrain_word};
use super::kind_word;
use crate::codes::{Building, Command, Flag, Kind, Network, Treaty};
use crate::geo::Place;
use crate::grammar::{self, SPECIALS, Section, VERBS, Verb, What};
use crate::report::{building_word, treaty_word};
use crate::state::ArmyName;
use crate::tables::Tables;
use crate::view::View;
use kernel::diagnostic::{Name, Span};
use kernel::form::Choice;
use kernel::guide::Completions;
use kernel::hex::Direction;
use kernel::limits;

/// Proposals at one place.
const ITEMS_MAX: usize = 60;
/// Characters of a line that are looked at.
const LINE_MAX: usize = 2_000;

/// What may stand at line and column, both from 1.
pub(super) fn complete(tables: &Tables, view: &View, file: &str, line: u32, column: u32) -> Completions {
    let Some(number) = usize::try_from(line).ok().and_then(|line| line.checked_sub(1)) else {
        return Completions::default();
    };
    if number >= limits::ORDER_FILE_LINES {
        return Completions::default();
    }
    let lines: Vec<&str> = file.lines().take(number + 1).collect();
    let text: String = lines.get(number).unwrap_or(&"").chars().take(LINE_MAX).collect();
    let before: String = text
        .chars()
        .take(usize::try_from(column).unwrap_or(usize::MAX).saturating_sub(1))
        .collect();
    let above = lines.get(..number.min(lines.len())).unwrap_or_default();
    let section = above.iter().rev().find_map(|line| section_of(line));
    let begun = before
        .chars()
        .rev()
        .take_while(|letter| !letter.is_whitespace())
        .count();
    let cursor = Cursor {
        tables: tables.of(view.realm().unwrap_or(kernel::realm::RealmId::NOBODY)),
        view,
        word: before.chars().skip(before.chars().count() - begun).collect(),
        words: before.split_whitespace().map(str::to_owned).collect(),
        file,
    };
    let length = u32::try_from(begun).unwrap_or(0);
    let mut found = if before.starts_with('$') || (section.is_none() && before.trim().is_empty()) {
        sections()
    } else if before.contains(';') {
        Completions::default()
    } else {
        section.map_or_else(Completions::default, |section| cursor.in_section(section))
    };
    found.replace = Span {
        line,
        column: u32::try_from(before.chars().count()).unwrap_or(0) + 1 - length,
        length,
    };
    let typed = cursor.word.to_lowercase();
    found.items.retain(|item| item.value.to_lowercase().starts_with(&typed));
    found.items.truncate(ITEMS_MAX);
    found
}

fn section_of(line: &str) -> Option<Section> {
    line.strip_prefix('$')?.chars().next().and_then(Section::from_letter)
}

/// The headers of the nine parts.
fn sections() -> Completions {
    let items = Section::ALL
        .iter()
        .map(|section| Choice::worded(format!("${}", section.letter()), section.word()));
    Completions {
        items: items.collect(),
        ..Completions::default()
    }
}

struct Cursor<'a> {
    tables: &'a Tables,
    view: &'a View,
    /// The word that is being written, up to the cursor.
    word: String,
    /// Every word up to the cursor, that one included.
    words: Vec<String>,
    file: &'a str,
}

impl Cursor<'_> {
    /// How many words stand complete before the cursor.
    fn complete_words(&self) -> usize {
        self.words.len() - usize::from(!self.word.is_empty())
    }

    fn in_section(&self, section: Section) -> Completions {
        let first = self.words.first().map_or("", String::as_str);
        let done = self.complete_words();
        let verbs: Vec<&Verb> = VERBS.iter().copied().filter(|verb| verb.section == section).collect();
        let meant = verbs
            .iter()
            .copied()
            .find(|verb| match verb.fields.first().map(|field| field.what) {
                _ if done == 0 => false,
                Some(What::Building) => Building::from_code(first).is_some(),
                Some(What::Network) => Network::from_code(first).is_some(),
                Some(What::Setting) => setting_word(verb).chars().next() == first.to_uppercase().chars().next(),
                _ => true,
            });
        let Some(verb) = meant.or_else(|| verbs.first().copied().filter(|_| verbs.len() == 1)) else {
            // Several orders may begin here: their first words.
            let items = verbs
                .iter()
                .filter_map(|verb| Some(self.items(verb, verb.fields.first()?.what, 0)));
            return Completions {
                items: items.flatten().collect(),
                ..Completions::default()
            };
        };
        let mut found = Completions {
            pattern: Name::Borrowed(verb.pattern),
            help: Name::Borrowed(verb.help),
            rules: verb.rules.iter().map(|rule| Name::Borrowed(rule.as_str())).collect(),
            ..Completions::default()
        };
        let mut at = 0;
        for field in verb.fields {
            let words = field.what.words().len();
            if field.what == What::Fit {
                at += usize::from(first == "+" && done > 0);
                continue;
            }
            if field.what == What::Special {
                found.field = Name::Borrowed("field-special");
                found.items = self.specials();
                return found;
            }
            if done < at + words || matches!(field.what, What::RealmName | What::Text) {
                let part = done.saturating_sub(at);
                found.field = Name::Borrowed(field.what.words().get(part).copied().unwrap_or(""));
                found.items = self.items(verb, field.what, part);
                return found;
            }
            at += words;
        }
        found
    }

    /// Proposals for the word number `part` of a field.
    fn items(&self, verb: &Verb, what: What, part: usize) -> Vec<Choice> {
        let coded = |list: Vec<(&str, &'static str)>| -> Vec<Choice> {
            list.into_iter()
                .map(|(code, word)| Choice::worded(code, word))
                .collect()
        };
        match what {
            What::Building => coded(Building::ALL.iter().map(|b| (b.code(), building_word(*b))).collect()),
            What::Network => {
                let list = Network::ALL.iter();
                list.map(|n| Choice::worded(n.code(), format!("network-{}", n.code())))
                    .collect()
            }
            What::Treaty => coded(Treaty::ALL.iter().map(|t| (t.code(), treaty_word(*t))).collect()),
            What::Army if verb.section == Section::Arm => self.recruits(part),
            What::Army => self.armies(part),
            What::Count => self.least(),
            What::Place => self.places(verb, part),
            What::Direction => self.directions(""),
            What::Sides | What::Route => self.directions(&self.word),
            What::Command => self.commands(),
            What::Realm => self.realms(""),
            What::Recipient => self.realms("#"),
            What::Setting => vec![Choice::worded(setting_word(verb), verb.help)],
            What::Computer => ["PC", "Amiga"].into_iter().map(Choice::plain).collect(),
            _ => Vec::new(),
        }
    }

    /// The kind that the line is about.
    fn kind(&self) -> Option<Kind> {
        let first = self.words.iter().find(|word| *word != "+")?;
        Kind::from_code(first.trim_start_matches('+'))
    }

    /// Own armies that stand by themselves; those without an order first.
    fn armies(&self, part: usize) -> Vec<Choice> {
        let ordered = |name: &ArmyName| {
            let name = name.to_string();
            self.file.lines().any(|line| {
                line.get(..name.len())
                    .is_some_and(|begin| begin.eq_ignore_ascii_case(&name))
            })
        };
        let mut own: Vec<_> = self
            .view
            .own_armies()
            .filter(|(_, army)| army.aboard.is_none() && army.group.is_none())
            .collect();
        own.sort_by_key(|(name, _)| (ordered(name), *name));
        let fits = |name: &ArmyName| part == 0 || Some(name.kind) == self.kind();
        own.into_iter()
            .filter(|(name, _)| fits(name))
            .map(|(name, army)| Choice {
                value: if part == 0 {
                    name.to_string()
                } else {
                    name.number.to_string()
                },
                label: Name::Owned(kind_word(name.kind)),
                detail: format!("{}, {}", army.count, army.place),
            })
            .collect()
    }

    /// Kinds that the people can arm; then the next free number and those in use.
    fn recruits(&self, part: usize) -> Vec<Choice> {
        if part == 0 {
            let trained = |kind: &Kind| self.view.books().is_none_or(|books| books.culture.percent(*kind) > 0);
            let plus = if self.word.starts_with('+') { "+" } else { "" };
            let kinds = Kind::ALL
                .iter()
                .filter(|kind| self.tables.can_be_armed(**kind) && trained(kind));
            return kinds
                .map(|kind| Choice {
                    value: format!("{plus}{}", kind.code()),
                    label: Name::Owned(kind_word(*kind)),
                    detail: self.tables.price_per_head(*kind).to_string(),
                })
                .collect();
        }
        let Some(kind) = self.kind() else { return Vec::new() };
        let used: Vec<u32> = self
            .view
            .own_armies()
            .filter(|(name, _)| name.kind == kind)
            .map(|(name, _)| name.number)
            .collect();
        let free = (1..=u32::MAX).find(|number| !used.contains(number)).unwrap_or(1);
        let mut items = vec![Choice::worded(free.to_string(), "complete-new-army")];
        items.extend(self.armies(1));
        items
    }

    /// The least count of a new army of the line's kind (THO-ARM-06).
    fn least(&self) -> Vec<Choice> {
        let least = self.kind().map_or(0, |kind| self.tables.arm_min(kind));
        let item = (least > 0).then(|| Choice::worded(least.to_string(), "complete-least"));
        item.into_iter().collect()
    }

    /// Own places: with a building for arming, otherwise all own fields, buildings first.
    fn places(&self, verb: &Verb, part: usize) -> Vec<Choice> {
        let mut own: Vec<_> = self.view.own_fields().collect();
        own.sort_by_key(|(place, _, own)| (own.site.is_none(), *place));
        let arms = |building: Building| match self.kind() {
            Some(kind) if verb.section == Section::Arm => self.tables.arms(building, kind),
            _ => true,
        };
        let wanted = own.into_iter().filter(|(_, field, own)| match &own.site {
            Some(site) => arms(site.building),
            None => verb.section != Section::Arm && !self.tables.is_water(field.glimpse.terrain),
        });
        let x_written = self.words.get(self.complete_words().wrapping_sub(1));
        let value = |place: Place| match part {
            0 => Some(format!("{} {}", place.x, place.y)),
            _ => (x_written == Some(&place.x.to_string())).then(|| place.y.to_string()),
        };
        wanted
            .filter_map(|(place, field, own)| {
                let site = own.site.as_ref();
                Some(Choice {
                    value: value(place)?,
                    label: match site {
                        Some(site) => Name::Borrowed(building_word(site.building)),
                        None => Name::Owned(terrain_word(field.glimpse.terrain)),
                    },
                    detail: site.map_or_else(String::new, |site| site.name.clone()),
                })
            })
            .collect()
    }

    fn directions(&self, begun: &str) -> Vec<Choice> {
        let all = Direction::ALL.into_iter();
        all.map(|direction| Choice::worded(format!("{begun}{}", direction.digit()), direction_word(direction)))
            .collect()
    }

    /// The commands that the line's kind obeys, with every flag.
    fn commands(&self) -> Vec<Choice> {
        let kind = self.kind();
        let obeys = |command: &&Command| kind.is_none_or(|kind| grammar::may_obey(kind, **command));
        let commands = Command::ALL.iter().filter(obeys);
        let flagged = commands.flat_map(|command| Flag::ALL.iter().map(move |flag| (command, flag)));
        flagged
            .map(|(command, flag)| {
                Choice::worded(
                    format!("{}{}", command.code(), flag.code()),
                    grammar::command_word(*command),
                )
            })
            .collect()
    }

    fn realms(&self, before: &str) -> Vec<Choice> {
        let me = self.view.realm();
        let others = self.view.playing.iter().filter(|id| Some(**id) != me);
        let mut items: Vec<Choice> = others
            .map(|id| Choice {
                value: format!("{before}{id}"),
                label: Name::Borrowed(""),
                detail: self.view.name_of(*id).to_owned(),
            })
            .collect();
        if before == "#" {
            for letter in ["M", "A", "G", "E"] {
                items.push(Choice::worded(format!("#{letter}"), format!("recipient-{letter}")));
            }
        }
        items
    }

    /// Specials of the line's kind: their examples behind the command, and armies that they may name.
    fn specials(&self) -> Vec<Choice> {
        let Some(kind) = self.kind() else { return Vec::new() };
        let mut items = Vec::new();
        for special in SPECIALS.iter().filter(|special| (special.who)(kind)) {
            let first = special.fields.first().map(|field| field.what);
            match first {
                Some(What::Army) => {
                    let own = self.view.own_armies().filter(|(name, _)| {
                        let target = name.kind;
                        match special.pattern {
                            "pattern-embark" => target.is_ship() || target == Kind::TradeFleet,
                            "pattern-join" => target.is_group(),
                            "pattern-merge" | "pattern-split" => target == kind,
                            "pattern-summon" => target.is_demon(),
                            _ => true,
                        }
                    });
                    items.extend(own.map(|(name, army)| Choice {
                        value: name.to_string(),
                        label: Name::Borrowed(special.word),
                        detail: format!("{}, {}", army.count, army.place),
                    }));
                }
                Some(What::Building) => {
                    let all = Building::ALL.iter();
                    items.extend(all.map(|building| Choice::worded(building.code(), special.word)));
                }
                Some(What::Network) => {
                    let all = Network::ALL.iter();
                    items.extend(all.map(|network| Choice::worded(network.code(), special.word)));
                }
                _ => {}
            }
        }
        items
    }
}

/// The word of a setting, as the book writes it.
fn setting_word(verb: &Verb) -> &'static str {
    match verb.name {
        "computer" => "Computer",
        "rename" => "Reichsname",
        _ => "Information",
    }
}
