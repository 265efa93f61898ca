//! The battle calculator: two sides on one field, fought out by a month of the rules themselves on a small stage. A fight has no dice, so the
//! answer is exact for what was asked; losses on the way there and who else might come are not reckoned.

use crate::PygmaIsis;
use crate::battle::Battle;
use crate::codes::{Kind, Terrain, WorkKind};
use crate::event::war::{BattleNotice, FighterNotice, War};
use crate::event::{Ear, Happening};
use crate::parse;
use crate::report::{self, int};
use crate::rule;
use crate::stage::CAST;
use crate::state::{ArmyName, CulturePoints, State};
use crate::tables::Tables;
use crate::view::View;
use kernel::diagnostic::{Diagnostic, Name, Span};
use kernel::dice::Dice;
use kernel::form::{Choice, Form, FormField, Input, Values};
use kernel::game::{self, Game as _};
use kernel::guide::read_tally;
use kernel::realm::{RealmId, Viewer};
use kernel::report::{Line, ReportSink, Why};
use kernel::rule::RuleId;
use kernel::stage::{Stage as _, StageLine};
use kernel::turn::Input as TurnInput;
use std::fmt::Write as _;

/// Its name.
pub(super) const NAME: &str = "battle";
/// Armies of one side.
const ARMIES_MAX: u32 = 20;
/// Heads of one army.
const HEADS_MAX: i64 = 1_000_000;
/// The field of the fight, and the one from which the attackers come.
const ARENA: &str = "5/13";
const BEYOND: &str = "5/12";
/// The two sides on the stage.
const OWN: usize = 0;
const ENEMY: usize = 1;
/// The rules of a fight.
const RULES: &[RuleId] = &[
    rule::FIGHT_01,
    rule::FIGHT_02,
    rule::FIGHT_03,
    rule::GAP_41,
    rule::GAP_42,
    rule::GAP_45,
    rule::GAP_46,
];

/// The form: two sides, the ground, and what protects whoever stands there.
pub(super) fn form(view: &View) -> Form {
    let kinds = [Kind::Warriors, Kind::Riders, Kind::Fleet];
    let kinds = kinds.map(|kind| Choice::worded(kind.code(), format!("kind-{}", kind.code())));
    let tally = || Input::Tally {
        choices: kinds.to_vec(),
        rows: ARMIES_MAX,
        max: HEADS_MAX,
    };
    let choice = |choices: Vec<Choice>| Input::Choice { choices };
    let worded = |words: [(&'static str, &'static str); 2]| {
        let words = words.into_iter();
        choice(words.map(|(value, word)| Choice::worded(value, word)).collect())
    };
    let terrains = || {
        let land = Terrain::ALL.iter().filter(|terrain| is_land(**terrain));
        choice(
            land.map(|terrain| Choice::worded(terrain.code(), format!("terrain-{}", terrain.code())))
                .collect(),
        )
    };
    let works = WorkKind::ALL.iter();
    let works = works.map(|work| Choice::worded(work.code(), format!("work-{}", work.code())));
    let plain = Terrain::Plain.code();
    let fields = vec![
        FormField::new("own", "calc-own-armies", tally()).with_default(own_armies(view)),
        FormField::new("enemy", "calc-enemy-armies", tally()),
        FormField::new(
            "comes",
            "calc-comes",
            worded([("own", "calc-side-own"), ("enemy", "calc-side-enemy")]),
        )
        .with_default("own"),
        FormField::new("terrain", "calc-terrain", terrains()).with_default(plain),
        FormField::new("from", "calc-from", terrains()).with_default(plain),
        FormField::new(
            "town",
            "calc-town",
            worded([("town", "calc-town-open"), ("fortified", "calc-town-fortified")]),
        )
        .or_nothing(),
        FormField::new("work", "calc-work", choice(works.collect())).or_nothing(),
    ];
    Form {
        name: Name::Borrowed(NAME),
        title: Name::Borrowed("calc-battle-title"),
        help: Name::Borrowed("calc-battle-help"),
        rules: RULES.iter().map(|rule| Name::Borrowed(rule.as_str())).collect(),
        fields,
    }
}

/// Whether land armies can meet there.
const fn is_land(terrain: Terrain) -> bool {
    !matches!(
        terrain,
        Terrain::FreshWater | Terrain::SaltWater | Terrain::Reef | Terrain::Unexplored
    )
}

/// The strongest own army, as a first proposal.
fn own_armies(view: &View) -> String {
    let armies = view.armies.iter().filter(|army| army.name.kind.is_land_army());
    let most = armies.max_by_key(|army| army.count);
    most.map_or_else(String::new, |army| format!("{} {}", army.name.kind.code(), army.count))
}

/// The question, read from the form.
struct Question {
    sides: [Vec<(Kind, i64)>; 2],
    own_comes: bool,
    terrain: Terrain,
    from: Terrain,
    town: Option<bool>,
    work: Option<WorkKind>,
}

/// Fights it out and writes what comes of it, or what is wrong with the question.
pub(super) fn calculate(tables: &Tables, view: &View, values: &Values, sink: &mut dyn ReportSink) {
    let question = match read(values) {
        Ok(question) => question,
        Err(findings) => return findings.iter().for_each(|finding| sink.diagnostic(finding)),
    };
    let mut tables = tables.clone();
    // The way there is no part of the question.
    tables.attrition.bare_pct.fill(0);
    let culture = view.books.as_ref().map_or_else(Vec::new, |books| books.culture.clone());
    if let Some(state) = stage(&tables, &question, culture) {
        fight(&tables, view, state, &question, sink);
    }
}

/// Reads the values of the form.
fn read(values: &Values) -> Result<Question, Vec<Diagnostic>> {
    let value = |name: &str| values.get(name).map_or("", |value| value.trim());
    let mut findings = Vec::new();
    let mut tally =
        |name: &str, word: &'static str| match read_tally(value(name), fighter, HEADS_MAX, ARMIES_MAX as usize) {
            Ok(list) if !list.is_empty() => list,
            Ok(_) => {
                findings.push(unfit("", word));
                Vec::new()
            }
            Err(part) => {
                findings.push(unfit(&part, word));
                Vec::new()
            }
        };
    let sides = [tally("own", "calc-own-armies"), tally("enemy", "calc-enemy-armies")];
    // Fleets fight only fleets (PYG-GAP-47).
    let mut all = sides.iter().flatten().map(|(kind, _)| *kind == Kind::Fleet);
    let afloat = all.next().unwrap_or(false);
    if all.any(|other| other != afloat) {
        findings.push(unfit(Kind::Fleet.code(), "calc-fleets-apart"));
    }
    let mut terrain = |name: &str, word: &'static str| match value(name) {
        _ if afloat => Terrain::SaltWater,
        "" => Terrain::Plain,
        code => {
            let known = Terrain::from_code(code).filter(|terrain| is_land(*terrain));
            known.unwrap_or_else(|| {
                findings.push(unfit(code, word));
                Terrain::Plain
            })
        }
    };
    let (ground, from) = (terrain("terrain", "calc-terrain"), terrain("from", "calc-from"));
    let town = match value("town") {
        "" => None,
        "town" => Some(false),
        "fortified" => Some(true),
        other => {
            findings.push(unfit(other, "calc-town"));
            None
        }
    };
    let work = match value("work") {
        "" => None,
        code => WorkKind::from_code(code).or_else(|| {
            findings.push(unfit(code, "calc-work"));
            None
        }),
    };
    if !findings.is_empty() {
        return Err(findings);
    }
    Ok(Question {
        sides,
        own_comes: value("comes") != "enemy",
        terrain: ground,
        from,
        town: town.filter(|_| !afloat),
        work: work.filter(|_| !afloat),
    })
}

/// The kind of an army that fights.
fn fighter(code: &str) -> Option<Kind> {
    Kind::from_code(code).filter(|kind| *kind != Kind::Trader)
}

fn unfit(text: &str, word: &'static str) -> Diagnostic {
    let shown: String = text.chars().take(60).collect();
    Diagnostic::error("E_SYNTAX", Span::default(), &[rule::FIGHT_02])
        .with("found", shown)
        .with_word("expected", word)
}

/// The armies of a side by name: those of a kind are numbered from 1.
fn named(armies: &[(Kind, i64)]) -> Vec<(ArmyName, i64)> {
    let mut list: Vec<(ArmyName, i64)> = Vec::new();
    for (kind, count) in armies {
        let before = list.iter().filter(|(name, _)| name.kind == *kind);
        let number = u32::try_from(before.count()).unwrap_or(u32::MAX).saturating_add(1);
        list.push((ArmyName::new(*kind, number), *count));
    }
    list
}

/// A world of two realms around one field, in a month in which nothing else is due.
fn stage(tables: &Tables, question: &Question, culture: Vec<CulturePoints>) -> Option<State> {
    let comes = if question.own_comes { OWN } else { ENEMY };
    let mut arena = format!("map {ARENA} {}", question.terrain.code());
    if question.terrain != Terrain::SaltWater {
        let _ = write!(arena, " {}", CAST[1 - comes]);
    }
    match question.town {
        Some(true) => arena.push_str(" BST fortified"),
        Some(false) => arena.push_str(" BST"),
        None => {}
    }
    if let Some(work) = question.work {
        let _ = write!(arena, " {}", work.code());
    }
    let mut lines = vec![
        "grid rect 3 3".to_owned(),
        format!("fill {}", question.terrain.code()),
        arena,
        format!("map {BEYOND} {}", question.from.code()),
    ];
    for (side, armies) in question.sides.iter().enumerate() {
        let place = if side == comes { BEYOND } else { ARENA };
        for (name, count) in named(armies) {
            lines.push(format!("army {} {name} {count} at {place}", CAST[side]));
        }
    }
    let mut state = PygmaIsis::world(tables, "", &StageLine::numbered(&lines)).ok()?;
    let quiet = |step: &u32| !tables.is_arming(step.saturating_add(1)) && !tables.is_income(step.saturating_add(1));
    state.step = (0..100).find(quiet).unwrap_or(0);
    if let Some(own) = state.realms.get_mut(&RealmId(1)) {
        own.culture = culture;
    }
    Some(state)
}

/// Lets the month run and tells of the battle.
fn fight(tables: &Tables, view: &View, state: State, question: &Question, sink: &mut dyn ReportSink) {
    let comes = if question.own_comes { OWN } else { ENEMY };
    let realm = RealmId(if comes == OWN { 1 } else { 2 });
    let Some(seat) = PygmaIsis::seat(tables, &state, realm) else {
        return;
    };
    let mut file = String::new();
    for (name, _) in named(&question.sides[comes]) {
        let _ = writeln!(file, "ZUG {name}: {BEYOND} > {ARENA}; A");
    }
    let mut input = TurnInput::<PygmaIsis>::default();
    input.orders.insert(realm, parse::parse(tables, &seat, file.as_bytes()));
    let outcome = game::run::<PygmaIsis>(tables, state, &input, Dice::Typical(50));
    let battle = outcome.journal.iter().find_map(|entry| match &entry.event.what {
        Happening::War(War::Battle(battle)) => Some(battle),
        _ => None,
    });
    match battle {
        Some(battle) => {
            let ear = Ear {
                viewer: Viewer::GameMaster,
                tables,
                state: &outcome.state,
            };
            tell(tables, view, battle, &BattleNotice::of(battle, &ear), sink);
        }
        // They could not come: over a height, for example.
        None => {
            for finding in outcome.refusals.get(&realm).into_iter().flatten().take(1) {
                let mut finding = finding.clone();
                finding.span = Span::default();
                sink.diagnostic(&finding);
            }
        }
    }
}

/// Who wins, and what becomes of every army.
fn tell(tables: &Tables, view: &View, battle: &Battle, notice: &BattleNotice, sink: &mut dyn ReportSink) {
    let why = Why {
        rules: RULES.iter().map(|rule| Name::Borrowed(rule.as_str())).collect(),
        ..Why::default()
    };
    let is_own = |side: usize| {
        battle
            .parties
            .get(side)
            .is_some_and(|party| party.side.realm() == RealmId(1))
    };
    let outcome = match (battle.tie, is_own(0)) {
        (true, _) => "calc-tie",
        (false, true) => "calc-won",
        (false, false) => "calc-lost",
    };
    sink.begin("calc-battle", &[], RULES);
    sink.line(&Line {
        key: outcome,
        args: &[],
        why: Some(&why),
    });
    let mut sides: Vec<(usize, _)> = notice.sides.iter().enumerate().collect();
    // The own side stands first, whoever wins.
    sides.sort_by_key(|(index, _)| !is_own(*index));
    for (index, side) in sides {
        let key = if is_own(index) { "calc-own" } else { "calc-enemy" };
        let key = match (key, side.culture) {
            (key, 0) => key,
            _ => "calc-own-culture",
        };
        let args = [("points", int(side.points)), ("culture", int(side.culture))];
        sink.begin(key, &args, RULES);
        // Where they go back to is a field of the stage.
        let stays = |fighter: &FighterNotice| FighterNotice {
            retreat: None,
            ..fighter.clone()
        };
        let fighters: Vec<FighterNotice> = side.fighters.iter().map(stays).collect();
        report::fighters(tables, view, &fighters, &why, sink);
        sink.end();
    }
    sink.line(&Line {
        key: "calc-not-reckoned",
        args: &[],
        why: None,
    });
    sink.end();
}
