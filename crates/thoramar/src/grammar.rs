//! What players may write, each verb defined once (catalogue 5.2).
//!
//! The parser reads a line field by field along these definitions; the messages about missing and superfluous parts, the order
//! reference of the command line, completion and forms come from the same lists. Names of fields, patterns and help are
//! keys of the locale.

use crate::codes::{Arm, Command, Kind};
use crate::rule;
use kernel::diagnostic::Name;
use kernel::rule::RuleId;

/// A kind of section of the file, by the letter behind the dollar sign (THO-ORD-02).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Section {
    /// *Bauen*.
    Build,
    /// *Rüsten*.
    Arm,
    /// *Armee*.
    March,
    /// *Geldtransfer*.
    Pay,
    /// *Landabgabe*.
    Cede,
    /// *Verträge*.
    Treaties,
    /// *Nachrichten*.
    Messages,
    /// *Kultur*.
    Culture,
    /// *Spezial*.
    Settings,
}

impl Section {
    /// All nine, in the order of the book.
    pub const ALL: [Self; 9] = [
        Self::Build,
        Self::Arm,
        Self::March,
        Self::Pay,
        Self::Cede,
        Self::Treaties,
        Self::Messages,
        Self::Culture,
        Self::Settings,
    ];

    /// The letter that counts.
    pub const fn letter(self) -> char {
        match self {
            Self::Build => 'B',
            Self::Arm => 'R',
            Self::March => 'A',
            Self::Pay => 'G',
            Self::Cede => 'L',
            Self::Treaties => 'V',
            Self::Messages => 'N',
            Self::Culture => 'K',
            Self::Settings => 'S',
        }
    }

    /// The section with this letter, in either case (THO-ORD-04).
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|section| section.letter() == letter.to_ascii_uppercase())
    }

    /// Words that players write behind the dollar sign, for guessing what a misspelt one means.
    pub const fn words(self) -> &'static [&'static str] {
        match self {
            Self::Build => &["Bauen", "Bau"],
            Self::Arm => &["Rüsten", "Ruesten"],
            Self::March => &["Armee", "Armeen"],
            Self::Pay => &["Geldtransfer", "Geld"],
            Self::Cede => &["Landabgabe", "Land"],
            Self::Treaties => &["Verträge", "Vertraege"],
            Self::Messages => &["Nachrichten"],
            Self::Culture => &["Kultur"],
            Self::Settings => &["Spezial"],
        }
    }

    /// Key of the section's name in the locale.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Build => "section-build",
            Self::Arm => "section-arm",
            Self::March => "section-march",
            Self::Pay => "section-pay",
            Self::Cede => "section-cede",
            Self::Treaties => "section-treaties",
            Self::Messages => "section-messages",
            Self::Culture => "section-culture",
            Self::Settings => "section-settings",
        }
    }
}

/// What stands in a field of an order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// Code of an inhabited building.
    Building,
    /// `S`, `B` or `W`.
    Network,
    /// `+`, with or without a blank behind it.
    Fit,
    /// Type.class and number: two words.
    Army,
    /// Heads, ships, points: more than 0.
    Count,
    /// `x y`: two words.
    Place,
    /// One digit 1 to 6.
    Direction,
    /// Several digits 1 to 6.
    Sides,
    /// A digit 0 to 6 for every week.
    Route,
    /// Letter of the command, its flag directly behind it.
    Command,
    /// A special order (see [`SPECIALS`]).
    Special,
    /// Number of a realm.
    Realm,
    /// Gold, more than 0.
    Amount,
    /// `K`, `A` or `P`.
    Treaty,
    /// A name without blanks.
    Name,
    /// The word of a setting, of which the first letter counts.
    Setting,
    /// `PC` or `Amiga`.
    Computer,
    /// The rest of the line.
    RealmName,
    /// `#` and a realm's number, `M`, `A`, `G` or `E`, in column 1.
    Recipient,
    /// Lines of text.
    Text,
    /// Code of a world gate.
    GateCode,
}

impl What {
    /// Keys of the names of its words in the locale: most fields are one word, armies and places two.
    pub const fn words(self) -> &'static [&'static str] {
        match self {
            Self::Building => &["field-building"],
            Self::Network => &["field-network"],
            Self::Fit => &["field-fit"],
            Self::Army => &["field-kind", "field-number"],
            Self::Count => &["field-count"],
            Self::Place => &["field-x", "field-y"],
            Self::Direction => &["field-direction"],
            Self::Sides => &["field-sides"],
            Self::Route => &["field-route"],
            Self::Command => &["field-command"],
            Self::Special => &["field-special"],
            Self::Realm => &["field-realm"],
            Self::Amount => &["field-amount"],
            Self::Treaty => &["field-treaty"],
            Self::Name => &["field-name"],
            Self::Setting => &["field-setting"],
            Self::Computer => &["field-computer"],
            Self::RealmName => &["field-realm-name"],
            Self::Recipient => &["field-recipient"],
            Self::Text => &["field-text"],
            Self::GateCode => &["field-gate-code"],
        }
    }
}

/// A field of an order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field {
    /// What stands there.
    pub what: What,
    /// Whether it may be left out.
    pub optional: bool,
}

const fn must(what: What) -> Field {
    Field { what, optional: false }
}

const fn may(what: What) -> Field {
    Field { what, optional: true }
}

/// An order of the file.
#[derive(Clone, Copy, Debug)]
pub struct Verb {
    /// Its name in code and the beginning of its keys in the locale.
    pub name: &'static str,
    /// The section it stands in.
    pub section: Section,
    /// Its fields in order.
    pub fields: &'static [Field],
    /// Key of the pattern that messages show.
    pub pattern: &'static str,
    /// Key of a sentence that explains it.
    pub help: &'static str,
    /// The rules of its form.
    pub rules: &'static [RuleId],
    /// Lines as players write them.
    pub examples: &'static [&'static str],
}

/// `$B`, an inhabited building.
pub const BUILD: Verb = Verb {
    name: "build",
    section: Section::Build,
    fields: &[must(What::Building), must(What::Place), may(What::Name)],
    pattern: "pattern-build",
    help: "help-build",
    rules: &[rule::ORD_05],
    examples: &["STD 2 4 Sewastopol", "STD 4 5 Die_Goldene"],
};
/// `$B`, roads, bridges, walls.
pub const LAY: Verb = Verb {
    name: "lay",
    section: Section::Build,
    fields: &[must(What::Network), must(What::Place), must(What::Sides)],
    pattern: "pattern-lay",
    help: "help-lay",
    rules: &[rule::ORD_05],
    examples: &["S 0 0 1116", "W 2 -1 34"],
};
/// `$R`.
pub const ARM: Verb = Verb {
    name: "arm",
    section: Section::Arm,
    fields: &[
        may(What::Fit),
        must(What::Army),
        must(What::Count),
        must(What::Place),
        may(What::Direction),
    ],
    pattern: "pattern-arm",
    help: "help-arm",
    rules: &[rule::ARM_01],
    examples: &["+K.M 1 2500 0 0", "K.M 2 660 1 1", "S.L 1 20 0 0 2"],
};
/// `$A`.
pub const MARCH: Verb = Verb {
    name: "march",
    section: Section::March,
    fields: &[
        must(What::Army),
        must(What::Route),
        must(What::Command),
        may(What::Special),
    ],
    pattern: "pattern-march",
    help: "help-march",
    rules: &[rule::ORD_06, rule::GAP_04],
    examples: &["F.M 1 5500000000000 V+", "R.M 1 2000000000000 E+ R.M 2 1000"],
};
/// `$G`.
pub const PAY: Verb = Verb {
    name: "pay",
    section: Section::Pay,
    fields: &[must(What::Realm), must(What::Amount)],
    pattern: "pattern-pay",
    help: "help-pay",
    rules: &[rule::ORD_07],
    examples: &["1 20000"],
};
/// `$L`.
pub const CEDE: Verb = Verb {
    name: "cede",
    section: Section::Cede,
    fields: &[must(What::Realm), must(What::Place)],
    pattern: "pattern-cede",
    help: "help-cede",
    rules: &[rule::ORD_07],
    examples: &["2 3 -1"],
};
/// `$V`.
pub const PROPOSE: Verb = Verb {
    name: "propose",
    section: Section::Treaties,
    fields: &[must(What::Realm), must(What::Treaty)],
    pattern: "pattern-propose",
    help: "help-propose",
    rules: &[rule::ORD_07],
    examples: &["1 A", "2 K"],
};
/// `$N`.
pub const SEND: Verb = Verb {
    name: "send",
    section: Section::Messages,
    fields: &[must(What::Recipient), must(What::Text)],
    pattern: "pattern-send",
    help: "help-send",
    rules: &[rule::ORD_08],
    examples: &["#2", "#M", "#A", "#G", "#E"],
};
/// `$K`.
pub const DESCRIBE: Verb = Verb {
    name: "describe",
    section: Section::Culture,
    fields: &[must(What::Text)],
    pattern: "pattern-describe",
    help: "help-describe",
    rules: &[rule::ORD_09],
    examples: &["Die Termiten sind ein sehr zahlreiches und stolzes Volk."],
};
/// `$S`, information.
pub const ASK: Verb = Verb {
    name: "ask",
    section: Section::Settings,
    fields: &[must(What::Setting)],
    pattern: "pattern-ask",
    help: "help-ask",
    rules: &[rule::ORD_10],
    examples: &["info"],
};
/// `$S`, the computer.
pub const COMPUTER: Verb = Verb {
    name: "computer",
    section: Section::Settings,
    fields: &[must(What::Setting), must(What::Computer)],
    pattern: "pattern-computer",
    help: "help-computer",
    rules: &[rule::ORD_10],
    examples: &["Computer PC", "c Amiga"],
};
/// `$S`, the realm's name.
pub const RENAME: Verb = Verb {
    name: "rename",
    section: Section::Settings,
    fields: &[must(What::Setting), must(What::RealmName)],
    pattern: "pattern-rename",
    help: "help-rename",
    rules: &[rule::ORD_10, rule::SET_04],
    examples: &["Reichsname Großes Eisvolk"],
};

/// Every verb, in the order of the book.
pub const VERBS: &[&Verb] = &[
    &BUILD, &LAY, &ARM, &MARCH, &PAY, &CEDE, &PROPOSE, &SEND, &DESCRIBE, &ASK, &COMPUTER, &RENAME,
];

/// A special order behind an army's command.
#[derive(Clone, Copy, Debug)]
pub struct SpecialVerb {
    /// Key of its name in the locale.
    pub word: &'static str,
    /// Its fields in order.
    pub fields: &'static [Field],
    /// Key of the pattern that messages show.
    pub pattern: &'static str,
    /// Key of a sentence that explains it.
    pub help: &'static str,
    /// Which armies can do it at all; what else they need is decided by the chapter.
    pub who: fn(Kind) -> bool,
    /// The command that it needs.
    pub command: Option<Command>,
    /// The rules of its form.
    pub rules: &'static [RuleId],
    /// A line as players write it.
    pub example: &'static str,
}

/// Splitting and merging: neither points nor groups (THO-SPEC-03, -04).
const fn has_heads(kind: Kind) -> bool {
    !kind.is_power() && !kind.is_group()
}

/// Boarding a war ship, or a caravan boarding a trade fleet (THO-SEA-04).
const fn boards(kind: Kind) -> bool {
    matches!(
        kind.arm(),
        Arm::Warrior | Arm::Rider | Arm::Engine | Arm::Priest | Arm::Wizard
    ) || matches!(kind, Kind::Caravan)
}

/// Everything on land but groups (GAP-31, THO-GRP-04).
const fn walks_alone(kind: Kind) -> bool {
    kind.walks() && !kind.is_group()
}

/// Warriors, riders, demons, engines and groups of them (THO-CMD-06, GAP-35).
const fn destroys(kind: Kind) -> bool {
    matches!(kind.arm(), Arm::Warrior | Arm::Rider | Arm::Demon | Arm::Engine) || matches!(kind, Kind::LandGroup)
}

/// Split.
pub const SPLIT: SpecialVerb = SpecialVerb {
    word: "special-split",
    fields: &[must(What::Army), must(What::Count)],
    pattern: "pattern-split",
    help: "help-split",
    who: has_heads,
    command: None,
    rules: &[rule::SPEC_03],
    example: "K.M 1 1220000000000 A+ K.M 2 1000",
};
/// Merge.
pub const MERGE: SpecialVerb = SpecialVerb {
    word: "special-merge",
    fields: &[must(What::Army)],
    pattern: "pattern-merge",
    help: "help-merge",
    who: has_heads,
    command: None,
    rules: &[rule::SPEC_04],
    example: "K.M 1 1220000000000 A+ K.M 2",
};
/// Embark.
pub const EMBARK: SpecialVerb = SpecialVerb {
    word: "special-embark",
    fields: &[must(What::Army)],
    pattern: "pattern-embark",
    help: "help-embark",
    who: boards,
    command: None,
    rules: &[rule::SPEC_05, rule::SEA_04],
    example: "R.L 1 1223400000000 P- S.S 3",
};
/// Form or join a group.
pub const JOIN: SpecialVerb = SpecialVerb {
    word: "special-join",
    fields: &[must(What::Army)],
    pattern: "pattern-join",
    help: "help-join",
    who: Kind::may_join,
    command: None,
    rules: &[rule::SPEC_07, rule::GRP_01],
    example: "K.M 1 0000000000000 V+ V.L 1",
};
/// Summon demons.
pub const SUMMON: SpecialVerb = SpecialVerb {
    word: "special-summon",
    fields: &[must(What::Army), must(What::Count)],
    pattern: "pattern-summon",
    help: "help-summon",
    who: |kind| matches!(kind, Kind::Summoner),
    command: None,
    rules: &[rule::SPEC_08],
    example: "Z.B 23 1230045600000 V- D.N 1 25",
};
/// Free demons.
pub const FREE: SpecialVerb = SpecialVerb {
    word: "special-free",
    fields: &[must(What::Place)],
    pattern: "pattern-free",
    help: "help-free",
    who: |kind| matches!(kind, Kind::Summoner),
    command: None,
    rules: &[rule::SPEC_09],
    example: "Z.B 23 1230045600000 V- 12 14",
};
/// Tame monsters, hire armies.
pub const TAME: SpecialVerb = SpecialVerb {
    word: "special-tame",
    fields: &[must(What::Place)],
    pattern: "pattern-tame",
    help: "help-tame",
    who: |kind| matches!(kind, Kind::MonsterMaster),
    command: None,
    rules: &[rule::SPEC_11],
    example: "Z.M 3 1230045600000 V- 12 14",
};
/// Accelerate.
pub const ACCELERATE: SpecialVerb = SpecialVerb {
    word: "special-accelerate",
    fields: &[must(What::Army)],
    pattern: "pattern-accelerate",
    help: "help-accelerate",
    who: |kind| matches!(kind, Kind::Accelerator),
    command: None,
    rules: &[rule::SPEC_10],
    example: "Z.S 2 1230045600000 V- K.M 1",
};
/// Bless.
pub const BLESS: SpecialVerb = SpecialVerb {
    word: "special-bless",
    fields: &[must(What::Place)],
    pattern: "pattern-bless",
    help: "help-bless",
    who: |kind| matches!(kind, Kind::HomePriest),
    command: None,
    rules: &[rule::SPEC_14],
    example: "P.H 23 1324500000000 V 0 2",
};
/// Trade.
pub const TRADE: SpecialVerb = SpecialVerb {
    word: "special-trade",
    fields: &[must(What::Place)],
    pattern: "pattern-trade",
    help: "help-trade",
    who: Kind::is_trader,
    command: None,
    rules: &[rule::SPEC_15],
    example: "H.K 2 2223300000000 V 0 2",
};
/// Shoot at one field only.
pub const FIRE: SpecialVerb = SpecialVerb {
    word: "special-fire",
    fields: &[must(What::Place)],
    pattern: "pattern-fire",
    help: "help-fire",
    who: Kind::is_engine,
    command: Some(Command::Attack),
    rules: &[rule::GAP_18],
    example: "F.L 1 0000000000000 A+ 1 1",
};
/// Damage a building.
pub const RAZE: SpecialVerb = SpecialVerb {
    word: "special-destroy",
    fields: &[must(What::Building)],
    pattern: "pattern-raze",
    help: "help-raze",
    who: destroys,
    command: Some(Command::Destroy),
    rules: &[rule::SPEC_12],
    example: "K.M 1 1234500000000 Z+ HST",
};
/// Tear down a road, bridge or wall.
pub const CUT: SpecialVerb = SpecialVerb {
    word: "special-destroy",
    fields: &[must(What::Network), must(What::Direction)],
    pattern: "pattern-cut",
    help: "help-cut",
    who: destroys,
    command: Some(Command::Destroy),
    rules: &[rule::SPEC_12],
    example: "K.M 2 1234500000000 Z S 5",
};
/// Pass a world gate.
pub const GATE: SpecialVerb = SpecialVerb {
    word: "special-gate",
    fields: &[must(What::GateCode)],
    pattern: "pattern-gate",
    help: "help-gate",
    who: walks_alone,
    command: None,
    rules: &[rule::SPEC_13],
    example: "D.N 2 1230000000000 A 24",
};

/// Every special, in the order of the book.
pub const SPECIALS: &[&SpecialVerb] = &[
    &SPLIT,
    &MERGE,
    &EMBARK,
    &JOIN,
    &SUMMON,
    &FREE,
    &ACCELERATE,
    &TAME,
    &RAZE,
    &CUT,
    &GATE,
    &BLESS,
    &TRADE,
    &FIRE,
];

/// The specials that an army of this kind can be given.
pub fn specials_of(kind: Kind) -> impl Iterator<Item = &'static SpecialVerb> {
    SPECIALS.iter().copied().filter(move |special| (special.who)(kind))
}

/// Keys of what an army of this kind can be told beside its command, for a list of what is allowed.
pub fn special_words(kind: Kind) -> Vec<Name> {
    let mut words: Vec<Name> = specials_of(kind)
        .map(|special| Name::Borrowed(special.allowed()))
        .collect();
    words.dedup();
    if words.is_empty() {
        words.push(Name::Borrowed("allowed-none"));
    }
    words
}

/// The commands that an army of this kind can be given (THO-CMD-01..06, -08).
///
/// A group conquers nothing; a land group may plunder and destroy if its members are strong enough (GAP-35).
pub const fn may_obey(kind: Kind, command: Command) -> bool {
    let fights_on_land = matches!(kind.arm(), Arm::Warrior | Arm::Rider);
    match command {
        Command::Defend | Command::Attack => true,
        Command::Conquer => fights_on_land,
        Command::Plunder => fights_on_land || kind.is_demon() || matches!(kind, Kind::LandGroup),
        Command::Destroy => destroys(kind),
    }
}

impl SpecialVerb {
    /// Key of its name in a list of what is allowed: with the command that it needs.
    pub const fn allowed(&self) -> &'static str {
        match self.command {
            None => self.word,
            Some(Command::Attack) => "special-fire-with-attack",
            Some(_) => "special-destroy-with-destroy",
        }
    }
}

/// Key of a command's name in the locale.
pub const fn command_word(command: Command) -> &'static str {
    match command {
        Command::Defend => "command-defend",
        Command::Attack => "command-attack",
        Command::Plunder => "command-plunder",
        Command::Conquer => "command-conquer",
        Command::Destroy => "command-destroy",
    }
}
