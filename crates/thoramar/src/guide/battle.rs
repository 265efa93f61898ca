//! The battle calculator: two sides on one field, fought out by the rules of melee themselves, many times over.
//!
//! The dice of a fight are each side's luck. The same hundred throws are tried for every question, so that the same question
//! has the same answer. Shots, the way there and who else might come are not reckoned.

use super::{int, kind_word, line, reasoned, section, term};
use crate::Thoramar;
use crate::codes::{Building, Command, Condition, Kind, RealmKind, Terrain};
use crate::combat;
use crate::culture::Culture;
use crate::reckoning::Ground;
use crate::report::{building_word, condition_word};
use crate::roster::Roster;
use crate::rule;
use crate::season::Season;
use crate::state::{Army, ArmyId, ArmyName, Computer, Field, Realm, Site, State, Status};
use crate::tables::Tables;
use crate::view::View;
use kernel::diagnostic::{Diagnostic, Name, Span};
use kernel::dice::{Dice, WorldSecret};
use kernel::form::{Choice, Form, FormField, Input, Values};
use kernel::guide::read_tally;
use kernel::hex::{FieldIndex, Grid, Wrap};
use kernel::realm::RealmId;
use kernel::report::{Arg, ReportSink};
use kernel::rule::RuleId;
use kernel::turn::{Input as TurnInput, Turn};
use std::collections::BTreeMap;

/// Its name.
pub(super) const NAME: &str = "battle";
/// How often a fight is tried.
const TRIALS: u32 = 100;
/// Armies of one side.
const ARMIES_MAX: u32 = 20;
/// Heads of one army.
const HEADS_MAX: i64 = 1_000_000_000;
/// Weeks of a fight: a season.
const WEEKS_MAX: i64 = 13;
/// Columns and rows of the board, and the field of the fight on it: small, for nothing else happens there.
const BOARD: (u32, u32) = (4, 3);
const ARENA: FieldIndex = FieldIndex(5);

/// The form: two sides, and what helps them.
pub(super) fn form(view: &View) -> Form {
    let kinds: Vec<Choice> = Kind::ALL
        .iter()
        .filter(|kind| !kind.is_group())
        .map(|kind| Choice::worded(kind.code(), kind_word(*kind)))
        .collect();
    let tally = || Input::Tally {
        choices: kinds.clone(),
        rows: ARMIES_MAX,
        max: HEADS_MAX,
    };
    let sides = |both: bool| {
        let words = [("own", "side-own"), ("enemy", "side-enemy"), ("both", "side-both")];
        let list = words.into_iter().take(if both { 3 } else { 2 });
        Input::Choice {
            choices: list.map(|(value, word)| Choice::worded(value, word)).collect(),
        }
    };
    let buildings = Building::ALL
        .iter()
        .map(|b| Choice::worded(b.code(), building_word(*b)));
    let conditions = Condition::ALL
        .iter()
        .map(|c| Choice::worded(c.code(), condition_word(*c)));
    let number = |min, max| Input::Number { min, max };
    let fields = vec![
        FormField::new("own", "battle-own", tally()).with_default(own_armies(view)),
        FormField::new("own-group", "battle-group", Input::Flag).or_nothing(),
        FormField::new("enemy", "battle-enemy", tally()),
        FormField::new("enemy-group", "battle-enemy-group", Input::Flag).or_nothing(),
        FormField::new("enemy-percent", "battle-enemy-percent", number(0, 1_000)).with_default("100"),
        FormField::new("attacker", "battle-attacker", sides(true)).with_default("own"),
        FormField::new(
            "building",
            "battle-building",
            Input::Choice {
                choices: buildings.collect(),
            },
        )
        .or_nothing(),
        FormField::new(
            "condition",
            "battle-condition",
            Input::Choice {
                choices: conditions.collect(),
            },
        )
        .with_default(Condition::Intact.code()),
        FormField::new("holder", "battle-holder", sides(false)).with_default("enemy"),
        FormField::new("wall", "battle-wall", Input::Flag).or_nothing(),
        FormField::new("blessed", "battle-blessed", Input::Flag).or_nothing(),
        FormField::new("weeks", "battle-weeks", number(1, WEEKS_MAX)).with_default("1"),
    ];
    let rules = [rule::COMB_01, rule::COMB_02, rule::COMB_04, rule::GAP_16, rule::GAP_17];
    Form {
        name: Name::Borrowed(NAME),
        title: Name::Borrowed("battle-title"),
        help: Name::Borrowed("battle-help"),
        rules: rules.iter().map(|rule| Name::Borrowed(rule.as_str())).collect(),
        fields,
    }
}

/// The field with the most own heads, as a first proposal.
fn own_armies(view: &View) -> String {
    let mut fields: BTreeMap<_, (i64, Vec<String>)> = BTreeMap::new();
    let own = view
        .own_armies()
        .filter(|(name, army)| army.aboard.is_none() && !name.kind.is_group());
    for (name, army) in own {
        let (heads, list) = fields.entry(army.place).or_default();
        *heads = heads.saturating_add(army.count);
        if list.len() < ARMIES_MAX as usize {
            list.push(format!("{} {}", name.kind.code(), army.count));
        }
    }
    let most = fields.into_values().max_by_key(|(heads, _)| *heads);
    most.map_or_else(String::new, |(_, list)| list.join("\n"))
}

/// The question, read from the form.
struct Question {
    own: Vec<(Kind, i64)>,
    enemy: Vec<(Kind, i64)>,
    own_group: bool,
    enemy_group: bool,
    enemy_percent: u16,
    own_attacks: bool,
    enemy_attacks: bool,
    building: Option<(Building, Condition)>,
    own_holds: bool,
    wall: bool,
    blessed: bool,
    weeks: u8,
}

/// Fights it out and writes what comes of it, or what is wrong with the question.
pub(super) fn calculate(tables: &Tables, view: &View, values: &Values, sink: &mut dyn ReportSink) {
    let question = match read(values) {
        Ok(question) => question,
        Err(findings) => return findings.iter().for_each(|finding| sink.diagnostic(finding)),
    };
    let me = view.realm().unwrap_or(RealmId(1));
    // Any realm but the own; no figures of its own, no treaty.
    let stranger = |realm: &RealmId| *realm != me && std::ptr::eq(tables.of(*realm), tables);
    let foe = (1..=u16::MAX).map(RealmId).find(stranger).unwrap_or(RealmId::NOBODY);
    let culture = view.books().map(|books| books.culture.clone()).unwrap_or_default();
    if let Some(state) = stage(&question, me, foe, culture) {
        let board = Board {
            tables,
            question: &question,
            me,
            foe,
            state,
        };
        board.write(sink);
    }
}

/// Reads the values of the form.
fn read(values: &Values) -> Result<Question, Vec<Diagnostic>> {
    let value = |name: &str| values.get(name).map_or("", |value| value.trim());
    let mut findings = Vec::new();
    let mut tally =
        |name: &'static str, word: &'static str| match read_tally(value(name), fighter, HEADS_MAX, ARMIES_MAX as usize)
        {
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
    let (own, enemy) = (tally("own", "battle-own"), tally("enemy", "battle-enemy"));
    let mut number = |name: &'static str, word: &'static str, default: i64, min: i64, max: i64| {
        let text = value(name);
        if text.is_empty() {
            return default;
        }
        text.parse::<i64>()
            .ok()
            .filter(|n| (min..=max).contains(n))
            .unwrap_or_else(|| {
                findings.push(unfit(text, word));
                default
            })
    };
    let percent = number("enemy-percent", "battle-enemy-percent", 100, 0, 1_000);
    let weeks = number("weeks", "battle-weeks", 1, 1, WEEKS_MAX);
    let building = match value("building") {
        "" => None,
        code => Building::from_code(code).or_else(|| {
            findings.push(unfit(code, "battle-building"));
            None
        }),
    };
    let condition = match value("condition") {
        "" => Condition::Intact,
        code => Condition::from_code(code).unwrap_or_else(|| {
            findings.push(unfit(code, "battle-condition"));
            Condition::Intact
        }),
    };
    if !findings.is_empty() {
        return Err(findings);
    }
    let attacker = value("attacker");
    Ok(Question {
        own,
        enemy,
        own_group: value("own-group") == "true",
        enemy_group: value("enemy-group") == "true",
        enemy_percent: u16::try_from(percent).unwrap_or(100),
        own_attacks: attacker != "enemy",
        enemy_attacks: matches!(attacker, "enemy" | "both"),
        building: building.map(|building| (building, condition)),
        own_holds: value("holder") == "own",
        wall: value("wall") == "true",
        blessed: value("blessed") == "true",
        weeks: u8::try_from(weeks).unwrap_or(1),
    })
}

/// The kind of a single army that can stand on a battlefield.
fn fighter(code: &str) -> Option<Kind> {
    Kind::from_code(code).filter(|kind| !kind.is_group())
}

fn unfit(text: &str, word: &'static str) -> Diagnostic {
    let shown: String = text.chars().take(60).collect();
    Diagnostic::error("O06", Span::default(), &[rule::COMB_02])
        .with("t", shown)
        .with_word("feld", word)
}

/// A world of one field and two realms.
fn stage(question: &Question, me: RealmId, foe: RealmId, culture: Culture) -> Option<State> {
    let grid = Grid::new(BOARD.0, BOARD.1, Wrap::Plane).ok()?;
    let afloat = question.own.iter().chain(&question.enemy).all(|(kind, _)| kind.sails());
    let terrain = if afloat { Terrain::Water } else { Terrain::Lowland };
    let mut state = State {
        turn: 0,
        grid,
        origin: ARENA,
        fields: vec![Field::wild(terrain); grid.field_count() as usize],
        realms: BTreeMap::from([(me, realm(culture)), (foe, realm(of_percent(question.enemy_percent)))]),
        armies: Roster::new(),
        treaties: BTreeMap::new(),
        house_rules: String::new(),
        table_changes: Vec::new(),
        over: false,
    };
    let field = state.field_mut(ARENA);
    field.owner = if question.own_holds { me } else { foe };
    field.blessed_turns = u8::from(question.blessed);
    field.site = question.building.map(|(building, condition)| {
        let mut site = Site::finished(building, "");
        site.condition = condition;
        Box::new(site)
    });
    for (realm, units, attacks, group) in [
        (me, &question.own, question.own_attacks, question.own_group),
        (foe, &question.enemy, question.enemy_attacks, question.enemy_group),
    ] {
        place(&mut state, realm, units, attacks, group);
    }
    Some(state)
}

fn realm(culture: Culture) -> Realm {
    Realm {
        name: String::new(),
        player: String::new(),
        kind: RealmKind::Ordinary,
        culture,
        culture_text: Vec::new(),
        origin: ARENA,
        treasury: 0,
        income: 0,
        upkeep: None,
        account: None,
        computer: Computer::Unsaid,
        missed_turns: 0,
        status: Status::Playing,
        knowledge: BTreeMap::new(),
    }
}

/// A people that fights with the same percentage in all kinds.
fn of_percent(percent: u16) -> Culture {
    Culture {
        percent: Kind::TROOPS.into_iter().map(|kind| (kind, percent)).collect(),
        ..Culture::default()
    }
}

fn place(state: &mut State, realm: RealmId, units: &[(Kind, i64)], attacks: bool, group: bool) {
    let command = if attacks { Command::Attack } else { Command::Defend };
    let together = |kind: Kind| if kind.sails() { Kind::SeaGroup } else { Kind::LandGroup };
    for (kind, count) in units {
        let mut army = Army::new(*count, ARENA, 0);
        army.command = command;
        if group && kind.may_join() {
            let name = ArmyName::new(together(*kind), 1);
            army.group = Some(name);
            let mut leader = Army::new(0, ARENA, 0);
            leader.command = command;
            state.armies.insert(name.of(realm), leader);
        }
        let number = state.free_number(realm, *kind);
        state.armies.insert(ArmyId::new(realm, *kind, number), army);
    }
}

struct Board<'a> {
    tables: &'a Tables,
    question: &'a Question,
    me: RealmId,
    foe: RealmId,
    state: State,
}

impl Board<'_> {
    /// Who came over the wall: the side that does not hold the field.
    fn climb(&self, season: &mut Season) {
        if self.question.wall {
            let crosser = if self.question.own_holds { self.foe } else { self.me };
            let armies = season.on(ARENA).filter(|id| id.realm == crosser);
            let armies = armies.collect();
            season.wall_crossings.insert(ARENA, armies);
        }
    }

    /// One fight of some weeks: what is left of every army.
    fn fight(&self, dice: Dice) -> BTreeMap<ArmyId, i64> {
        let input = TurnInput::<Thoramar>::default();
        let mut turn = Turn::<Thoramar>::new(self.tables, self.state.clone(), &input, dice);
        let mut season = Season::new(&turn.state, 1);
        self.climb(&mut season);
        for week in 1..=self.question.weeks {
            season.week = week;
            combat::fight(&mut turn, &mut season);
        }
        turn.state.armies.iter().map(|(id, army)| (*id, army.count)).collect()
    }

    fn write(&self, sink: &mut dyn ReportSink) {
        let secret = WorldSecret([0; 32]);
        let ends: Vec<BTreeMap<ArmyId, i64>> = (0..TRIALS)
            .map(|trial| self.fight(Dice::Keyed(secret.step(trial))))
            .collect();
        let mut season = Season::new(&self.state, 1);
        self.climb(&mut season);
        let ground = Ground::survey(self.tables, &self.state, &season, ARENA);
        let rules = [rule::COMB_01, rule::COMB_02, rule::GAP_16];
        section(sink, "battle", &[("n", int(self.question.weeks))], &rules, |sink| {
            if ground.hostilities.is_empty() {
                return line(sink, "battle-none", &[]);
            }
            for (realm, key) in [(self.me, "battle-own"), (self.foe, "battle-enemy")] {
                let rules: Vec<RuleId> = ground.rules(&self.state, &season, realm).into_iter().collect();
                section(sink, key, &[], &rules, |sink| {
                    self.side(sink, &ground, &ends, realm, &rules)
                });
            }
            self.chances(sink, &ends);
        });
    }

    /// The armies of a side: how strong they are, and what is left of them.
    fn side(
        &self,
        sink: &mut dyn ReportSink,
        ground: &Ground,
        ends: &[BTreeMap<ArmyId, i64>],
        realm: RealmId,
        rules: &[RuleId],
    ) {
        let mut whole = 0;
        for own in ground.combatants.iter().filter(|combatant| combatant.realm() == realm) {
            whole += own.strength;
            let mut left: Vec<i64> = ends.iter().map(|end| end.get(&own.id).copied().unwrap_or(0)).collect();
            left.sort_unstable();
            let at = |index: usize| left.get(index).copied().unwrap_or(0);
            let (low, middle, high) = (at(0), at(left.len() / 2), at(left.len().saturating_sub(1)));
            let word = kind_word(own.kind);
            let strength = ground.hundredths(own.strength) / 100;
            let args = [
                ("code", Arg::Text(own.kind.code())),
                ("kind", Arg::Word(&word)),
                ("n", int(own.count)),
                ("strength", int(strength)),
                ("bonus", int(own.bonus.percent())),
                ("left", int(middle)),
                ("low", int(low)),
                ("high", int(high)),
            ];
            let sum = [
                ("who", own.id.name.to_string().into()),
                ("count", own.count.into()),
                ("bonus", own.bonus.percent().into()),
                ("strength", strength.into()),
                ("lost", (own.count - middle).into()),
            ];
            reasoned(sink, "battle-army", &args, rules, vec![term("strength", &sum)]);
        }
        let strength = ground.hundredths(whole) / 100;
        line(sink, "battle-strength", &[("n", int(strength))]);
    }

    /// How often who is left at the end.
    fn chances(&self, sink: &mut dyn ReportSink, ends: &[BTreeMap<ArmyId, i64>]) {
        let lives = |end: &BTreeMap<ArmyId, i64>, realm: RealmId| {
            end.iter()
                .any(|(id, count)| id.realm == realm && !id.kind().is_group() && *count > 0)
        };
        let share = |own: bool, enemy: bool| {
            let fitting = |end: &&BTreeMap<ArmyId, i64>| lives(end, self.me) == own && lives(end, self.foe) == enemy;
            let number = i64::try_from(ends.iter().filter(fitting).count()).unwrap_or(0);
            number * 100 / i64::from(TRIALS)
        };
        let rules = [rule::COMB_02, rule::GAP_16, rule::GAP_26];
        section(sink, "battle-chances", &[], &rules, |sink| {
            for (key, own, enemy) in [
                ("battle-won", true, false),
                ("battle-lost", false, true),
                ("battle-undecided", true, true),
                ("battle-nobody", false, false),
            ] {
                let p = share(own, enemy);
                if p > 0 {
                    line(sink, key, &[("p", int(p))]);
                }
            }
            line(sink, "battle-trials", &[("n", int(TRIALS))]);
        });
    }
}
