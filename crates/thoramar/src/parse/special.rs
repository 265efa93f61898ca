//! Reading the special behind an army's command (THO-SPEC-01..15).
//!
//! The first word decides which special is meant (catalogue 5.2). A special that cannot be read voids the line like any other fault of
//! form; one that this kind of army or command does not allow is refused alone, and march and command stand (GAP-04).

use super::fields::{self, Draft, Words, is_numeric, number, slashed};
use super::{Bounds, Seat, Token};
use crate::codes::{Building, Command, Kind, Network};
use crate::grammar::{self, SpecialVerb};
use crate::guess;
use crate::order::Special;
use crate::rule;
use crate::state::ArmyName;
use kernel::diagnostic::{Diagnostic, Name, Span, Spanned};
use kernel::rule::RuleId;

/// What the first word of a special leads to.
enum Meant {
    /// This special.
    Special(&'static SpecialVerb),
    /// An army of another kind, which the ordering army can do nothing with (A13).
    OtherKind,
    /// Nothing (A06).
    Nothing,
}

/// Reads the rest of an army's line.
pub(super) fn read(bounds: &Bounds, seat: &Seat, words: &mut Words<'_>, draft: &mut Draft) -> Result<(), Diagnostic> {
    let (Some(army), Some(command)) = (&draft.army, &draft.command) else {
        return Ok(());
    };
    let (army, command) = (army.value, command.value);
    let Some(first) = words.peek() else { return Ok(()) };
    let Some((text, span)) = words.rest_of_line() else {
        return Ok(());
    };
    let stays = draft
        .route
        .as_ref()
        .is_some_and(|route| route.value.iter().all(Option::is_none));
    let verb = match meant(army.kind, first, words.rest().len(), stays) {
        Meant::Special(verb) => verb,
        Meant::OtherKind => {
            let other = army_of(bounds, seat, words)?;
            words.end()?;
            let rules = &[rule::SPEC_03, rule::SPEC_04];
            let finding = Diagnostic::error("A13", span, rules)
                .with("a", army.to_string())
                .with("b", other.to_string());
            draft.misfit = Some(Box::new(finding.mended_by(span, "")));
            return Ok(());
        }
        Meant::Nothing => return Err(not_understood(army.kind, first, &text, span)),
    };
    (words.fields, words.pattern, words.rules) = (verb.fields, verb.pattern, verb.rules);
    let mut own = Draft::default();
    for field in verb.fields {
        fields::read_field(bounds, seat, words, &mut own, *field)?;
    }
    words.end()?;
    match refusal(army.kind, command, verb, &own, span) {
        // The line stands without it.
        Some(finding) => draft.misfit = Some(Box::new(finding.mended_by(span, ""))),
        None => draft.special = special_of(verb, &own).map(|value| Spanned { span, value }),
    }
    Ok(())
}

/// Which special the first word means, for an army of this kind that marches or stays.
fn meant(kind: Kind, first: Token<'_>, words: usize, stays: bool) -> Meant {
    if Building::from_code(first.text).is_some() {
        return Meant::Special(&grammar::RAZE);
    }
    if Network::from_code(first.text).is_some() {
        return Meant::Special(&grammar::CUT);
    }
    if let Some(target) = Kind::from_code(first.text) {
        return meant_by_army(kind, target, words, stays);
    }
    match (is_numeric(first.text), words) {
        (true, 1) if number(first.text, false).is_some() => Meant::Special(&grammar::GATE),
        (true, 2..) => match kind {
            Kind::HomePriest | Kind::WarPriest => Meant::Special(&grammar::BLESS),
            Kind::Caravan | Kind::TradeFleet => Meant::Special(&grammar::TRADE),
            Kind::MonsterMaster => Meant::Special(&grammar::TAME),
            Kind::Summoner => Meant::Special(&grammar::FREE),
            Kind::LightEngine | Kind::MediumEngine | Kind::HeavyEngine => Meant::Special(&grammar::FIRE),
            _ => Meant::Nothing,
        },
        _ => Meant::Nothing,
    }
}

/// Which special is meant if another army is named first.
///
/// An accelerator cannot join a group but can speed one up (GAP-37), so a group behind him is to be accelerated. Ships behind him he
/// boards (THO-SEA-04); but nobody boards without a step (THO-SEA-05), so one who stays hastens them (THO-MAGE-02).
fn meant_by_army(kind: Kind, target: Kind, words: usize, stays: bool) -> Meant {
    let is_accelerator = kind == Kind::Accelerator;
    let verb = match target {
        _ if target.is_group() && !is_accelerator => &grammar::JOIN,
        _ if target == kind && words > 2 => &grammar::SPLIT,
        _ if target == kind => &grammar::MERGE,
        _ if target.is_demon() => &grammar::SUMMON,
        _ if target.is_ship() && kind.walks() && !(is_accelerator && stays) => &grammar::EMBARK,
        _ if is_accelerator => &grammar::ACCELERATE,
        Kind::TradeFleet if kind.walks() => &grammar::EMBARK,
        _ => return Meant::OtherKind,
    };
    Meant::Special(verb)
}

fn army_of(bounds: &Bounds, seat: &Seat, words: &mut Words<'_>) -> Result<ArmyName, Diagnostic> {
    let mut own = Draft::default();
    let field = grammar::MERGE.fields.first().copied();
    if let Some(field) = field {
        fields::read_field(bounds, seat, words, &mut own, field)?;
    }
    // A number of heads behind another kind of army was meant for splitting.
    if words.rest().len() == 1 {
        words.take("field-count")?;
    }
    own.army
        .map(|army| army.value)
        .ok_or_else(|| Diagnostic::error("A06", Span::default(), &[rule::SPEC_01]))
}

/// A06: what stands there is no special; what this kind of army could be told is named.
fn not_understood(kind: Kind, first: Token<'_>, text: &str, span: Span) -> Diagnostic {
    let patterns: Vec<Name> = grammar::specials_of(kind)
        .map(|verb| Name::Borrowed(verb.pattern))
        .collect();
    let finding = Diagnostic::error("A06", span, &[rule::SPEC_01, rule::ORD_06]).with("t", text);
    let finding = finding.with_words("muster", patterns);
    if let Some(apart) = slashed(first.text) {
        return finding.mended_by(first.span(), apart);
    }
    let meant = match first.text.contains(['.', ',', '-']) {
        true => guess::kind_meant(first.text).map(Kind::code),
        false => guess::building_meant(first.text),
    };
    match meant {
        Some(meant) => finding.mended_by(first.span(), meant),
        None => finding.mended_by(span, ""),
    }
}

/// A07, A11, A19, A34: the form is right, but not for this kind of army or this command.
fn refusal(kind: Kind, command: Command, verb: &SpecialVerb, own: &Draft, span: Span) -> Option<Diagnostic> {
    let is_destruction = verb.command == Some(Command::Destroy);
    // Who cannot destroy is refused for the command, not for its target (A04).
    let may = (verb.who)(kind) || (is_destruction && command == Command::Destroy);
    let is_commanded = verb.command.is_none_or(|needed| needed == command);
    let target = own.army.as_ref().map(|army| army.value);
    if kind.is_group() && !may {
        let finding = Diagnostic::error("A34", span, &[rule::GRP_04, rule::GAP_35]);
        return Some(finding.with_word("spezial", verb.word.replace("special-", "verb-")));
    }
    match verb.word {
        "special-split" | "special-merge" if !may => {
            let mut rules = vec![rule::SPEC_03, rule::SPEC_04];
            rules.extend(kind.is_demon().then_some(rule::DEM_08));
            Some(Diagnostic::error("A11", span, &rules).with("typ", kind.code()))
        }
        "special-join" => {
            let group = target?;
            let fits = may && kind.sails() == (group.kind == Kind::SeaGroup);
            (!fits).then(|| wrong_group(kind, group, span))
        }
        "special-embark" => {
            let fits = may && (kind == Kind::Caravan) == target.is_some_and(|fleet| fleet.kind == Kind::TradeFleet);
            let rules: &[RuleId] = if kind.is_demon() {
                &[rule::SEA_04, rule::DEM_08]
            } else {
                &[rule::SEA_04, rule::TRADE_09]
            };
            (!fits).then(|| not_for(kind, verb, span, rules))
        }
        _ if may && is_commanded => None,
        _ => Some(not_for(kind, verb, span, verb.rules)),
    }
}

/// A07: this kind of army cannot do it, or not with this command; what it could be told is named.
fn not_for(kind: Kind, verb: &SpecialVerb, span: Span, rules: &[RuleId]) -> Diagnostic {
    let finding = Diagnostic::error("A07", span, rules)
        .with_word("spezial", verb.word)
        .with("typ", kind.code());
    finding.with_words("liste", grammar::special_words(kind))
}

/// A19: wizards, demons and armies of the other element do not belong into a group (THO-GRP-01, -07).
fn wrong_group(kind: Kind, group: ArmyName, span: Span) -> Diagnostic {
    let mut rules = vec![rule::GRP_01, rule::GRP_07];
    rules.extend(kind.is_demon().then_some(rule::DEM_08));
    let fits = |member: &&Kind| member.may_join() && member.sails() == (group.kind == Kind::SeaGroup);
    let codes: Vec<&str> = Kind::ALL.iter().filter(fits).map(|member| member.code()).collect();
    let finding = Diagnostic::error("A19", span, &rules)
        .with("typ", kind.code())
        .with("v", group.to_string());
    finding.with("typen", codes.join(" "))
}

/// The special that its fields make.
fn special_of(verb: &SpecialVerb, own: &Draft) -> Option<Special> {
    let army = own.army.as_ref().map(|army| army.value);
    let count = own.count.as_ref().map(|count| count.value);
    let place = own.place.as_ref().map(|place| place.value);
    Some(match verb.word {
        "special-split" => Special::Split {
            number: army?.number,
            count: count?,
        },
        "special-merge" => Special::Merge { number: army?.number },
        "special-embark" => Special::Embark(army?),
        "special-join" => Special::Join(army?),
        "special-summon" => Special::Summon {
            demon: army?,
            count: count?,
        },
        "special-accelerate" => Special::Accelerate(army?),
        "special-free" => Special::Free(place?),
        "special-tame" => Special::Tame(place?),
        "special-bless" => Special::Bless(place?),
        "special-trade" => Special::Trade(place?),
        "special-fire" => Special::Fire(place?),
        "special-gate" => Special::Gate(own.gate_code?),
        _ => match (own.building, own.network) {
            (Some(building), _) => Special::Raze(building),
            (_, Some(network)) => Special::Cut(network, own.direction.as_ref()?.value),
            _ => return None,
        },
    })
}
