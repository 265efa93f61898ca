//! Event lines (catalogue 5.5): one wording per thing perceived, indented in the weeks.

use super::battle::{named, tale};
use super::{Pen, int, name};
use crate::codes::{Building, Condition, Network, Treaty};
use crate::event::{BEFORE, Demise, END, Obstacle};
use crate::geo::Place;
use crate::notice::{FighterSeen, Notice, Perceived, Who};
use crate::order::WEEKS;
use crate::rule;
use crate::view::View;
use kernel::diagnostic::{Name, Value};
use kernel::game::Told;
use kernel::report::{Arg, Term, Why};
use std::collections::BTreeMap;

/// What the viewer was told, by week.
pub(super) struct Tellings<'a> {
    weeks: Vec<Vec<&'a Told<Notice>>>,
    /// The viewer's own part in a fight, by week and place: what only he may know of it.
    reckoned: BTreeMap<(u8, Place), &'a Told<Notice>>,
}

/// Sorts what the viewer was told by week. What happens before week 1 stands under it.
pub(super) fn by_week(view: &View) -> Tellings<'_> {
    let mut weeks = vec![Vec::new(); WEEKS + 2];
    let mut reckoned = BTreeMap::new();
    for told in &view.told {
        if let Perceived::StrengthReckoned { place, .. } = &told.notice.what {
            reckoned.insert((told.notice.week, *place), told);
        }
        let week = match told.notice.week {
            BEFORE => 1,
            week => usize::from(week.min(END)),
        };
        weeks[week].push(told);
    }
    Tellings { weeks, reckoned }
}

impl Tellings<'_> {
    /// Whether nothing was told of this week.
    pub(super) fn is_quiet(&self, week: u8) -> bool {
        self.weeks.get(usize::from(week)).is_none_or(Vec::is_empty)
    }
}

/// The events of a week.
pub(super) fn in_week(pen: &mut Pen<'_>, week: u8, tellings: &Tellings<'_>) {
    for told in tellings.weeks.get(usize::from(week)).into_iter().flatten() {
        write(pen, "  ", told, tellings);
    }
}

/// THO-REP-08: conquests and everything else at the end of the turn.
pub(super) fn end_of_turn(pen: &mut Pen<'_>, tellings: &Tellings<'_>) {
    let list = tellings.weeks.last().map_or(&[][..], Vec::as_slice);
    if list.iter().any(|told| is_worded(&told.notice.what)) {
        pen.blank();
        pen.section("end-of-turn", &[], &[rule::REP_08], |pen| {
            for told in list {
                write(pen, "", told, tellings);
            }
        });
    }
}

/// Whether a notice has an event line. Own affairs that the player ordered himself stand in the tables of the report instead,
/// and messages in their own block.
pub(super) fn is_worded(what: &Perceived) -> bool {
    !matches!(
        what,
        Perceived::RealmRenamed { .. }
            | Perceived::CultureWritten { .. }
            | Perceived::ComputerSet { .. }
            | Perceived::InformationAsked { .. }
            | Perceived::WorkBegun { .. }
            | Perceived::BuildingRenamed { .. }
            | Perceived::NetworkLaid { .. }
            | Perceived::ArmyArmed { .. }
            | Perceived::ArmySplit { .. }
            | Perceived::ArmiesMerged { .. }
            | Perceived::GroupFormed { .. }
            | Perceived::GroupJoined { .. }
            | Perceived::GroupLeft { .. }
            | Perceived::ArmyAccelerated { .. }
            | Perceived::ArmyMoved { .. }
            | Perceived::StrengthReckoned { .. }
            | Perceived::WeekSeen(_)
            | Perceived::TerritorySeen { .. }
            | Perceived::DemonsReturned { .. }
            | Perceived::WizardTrained { .. }
            | Perceived::ControlPaid { .. }
            | Perceived::Settled { .. }
            | Perceived::TreatyWished { .. }
            | Perceived::AccountCharged { .. }
            | Perceived::Message { .. }
            | Perceived::GameMasterWrote { .. }
    )
}

/// Key of an obstacle's name in the locale.
pub(crate) const fn obstacle_word(why: Obstacle) -> &'static str {
    match why {
        Obstacle::Water => "obstacle-water",
        Obstacle::Land => "obstacle-land",
        Obstacle::Height => "obstacle-height",
        Obstacle::UnknownTerrain => "obstacle-unknown-terrain",
        Obstacle::Blessed => "obstacle-blessed",
        Obstacle::NoPoints => "obstacle-no-points",
        Obstacle::Engaged => "obstacle-engaged",
        Obstacle::HeldUp => "obstacle-held-up",
        Obstacle::OnlyRoads => "obstacle-only-roads",
    }
}

/// Key of a building's name in the locale.
pub(crate) const fn building_word(building: Building) -> &'static str {
    match building {
        Building::Capital => "building-HST",
        Building::Castle => "building-BRG",
        Building::City => "building-STD",
        Building::Fortress => "building-FES",
        Building::TempleOfLight => "building-TSL",
        Building::TempleOfDark => "building-TSF",
        Building::HolyCity => "building-HTS",
        Building::Temple => "building-TPL",
        Building::Mine => "building-MIN",
        Building::Gate => "building-WTO",
    }
}

/// Key of the words for a state (T08).
pub(crate) const fn condition_word(condition: Condition) -> &'static str {
    match condition {
        Condition::Intact => "condition-I",
        Condition::Light => "condition-L",
        Condition::Heavy => "condition-S",
        Condition::Ruin => "condition-R",
    }
}

const fn network_word(network: Network) -> &'static str {
    match network {
        Network::Road => "network-S",
        Network::Bridge => "network-B",
        Network::Wall => "network-W",
    }
}

/// Key of a treaty's name in the locale.
pub(crate) const fn treaty_word(treaty: Treaty) -> &'static str {
    match treaty {
        Treaty::NoTreaty => "treaty-K",
        Treaty::NonAggression => "treaty-A",
        Treaty::Partnership => "treaty-P",
    }
}

/// Which line tells of an army's end: EV09, EV15, EV16.
const fn demise_key(why: Demise) -> &'static str {
    match why {
        Demise::Gate => "lost-in-gate",
        Demise::Spent | Demise::Overreached => "wizard-dissolved",
        Demise::Sphere => "lost-to-sphere",
        Demise::Fight | Demise::Way | Demise::Sea | Demise::TooWeak | Demise::Unpaid | Demise::GameMaster => {
            "army-lost"
        }
    }
}

/// A line about an army and a place, as most are.
struct Scribe<'p, 'a> {
    pen: &'p mut Pen<'a>,
    indent: &'static str,
    why: &'p Why,
}

impl Scribe<'_, '_> {
    fn line(&mut self, key: &str, args: &[(&str, Arg<'_>)]) {
        let mut all = Vec::with_capacity(args.len() + 1);
        all.push(("in", Arg::Text(self.indent)));
        all.extend_from_slice(args);
        self.pen.reasoned(key, &all, self.why);
    }

    fn army(&mut self, key: &str, army: &Who, more: &[(&str, Arg<'_>)]) {
        let army = name(self.pen.view, army);
        let mut args = Vec::with_capacity(more.len() + 1);
        args.push(("army", Arg::Text(&army)));
        args.extend_from_slice(more);
        self.line(key, &args);
    }

    fn pair(&mut self, key: &str, army: &Who, other: (&str, &Who), more: &[(&str, Arg<'_>)]) {
        let second = name(self.pen.view, other.1);
        let mut args = vec![(other.0, Arg::Text(&second))];
        args.extend_from_slice(more);
        self.army(key, army, &args);
    }

    fn fighter(&mut self, fighter: &FighterSeen) {
        let who = fighter.who.to_string();
        let named = named(self.pen.view, &fighter.who);
        let args = [
            ("who", Arg::Text(&who)),
            ("before", int(fighter.before)),
            ("after", int(fighter.after)),
            ("lost", int(fighter.before.saturating_sub(fighter.after))),
            ("named", Arg::Text(&named)),
        ];
        self.line("fighter", &args);
    }
}

fn xy<'a>(place: &Place) -> [(&'static str, Arg<'a>); 2] {
    [("x", int(place.x)), ("y", int(place.y))]
}

/// Writes the line of a notice, if it has one.
fn write(pen: &mut Pen<'_>, indent: &'static str, told: &Told<Notice>, tellings: &Tellings<'_>) {
    if !is_worded(&told.notice.what) {
        return;
    }
    let terms = terms(tellings, &told.notice);
    let whole;
    let why = if terms.is_empty() {
        &told.why
    } else {
        whole = Why {
            terms,
            ..with_own_part(tellings, told)
        };
        &whole
    };
    let mut scribe = Scribe { pen, indent, why };
    let what = &told.notice.what;
    let _ = before(&mut scribe, what) || in_weeks(&mut scribe, what) || at_end(&mut scribe, what);
}

/// Intake and specials. Returns whether the notice was one of them.
fn before(scribe: &mut Scribe<'_, '_>, what: &Perceived) -> bool {
    match what {
        Perceived::OrdersMissing { realm, in_a_row } => {
            scribe.line("orders-missing", &[("id", int(realm.0)), ("n", int(*in_a_row))]);
        }
        Perceived::AbsenceWarned { realm, in_a_row } => {
            scribe.line("absence-warned", &[("id", int(realm.0)), ("n", int(*in_a_row))]);
        }
        Perceived::TablesChanged { toml } => {
            let toml = toml.split_whitespace().collect::<Vec<_>>().join(" ");
            scribe.line("tables-changed", &[("toml", Arg::Text(&toml))]);
        }
        Perceived::TablesRefused { toml, fault } => {
            let toml = toml.split_whitespace().collect::<Vec<_>>().join(" ");
            scribe.line(
                "tables-refused",
                &[("toml", Arg::Text(&toml)), ("fault", Arg::Text(fault))],
            );
        }
        Perceived::WorldEdited { edit } => scribe.line("world-edited", &[("edit", Arg::Text(edit))]),
        Perceived::EditRefused { edit, fault } => {
            scribe.line(
                "edit-refused",
                &[("edit", Arg::Text(edit)), ("fault", Arg::Word(fault))],
            );
        }
        Perceived::AccountCredited { realm, amount } => {
            let currency = scribe.pen.tables.of(*realm).account.currency.as_str();
            let args = [("id", int(realm.0)), ("n", int(*amount)), ("cur", Arg::Text(currency))];
            scribe.line("account-credited", &args);
        }
        Perceived::WorldClosed => scribe.line("world-closed", &[]),
        Perceived::RealmAssigned { realm } => scribe.line("realm-assigned", &[("id", int(realm.0))]),
        Perceived::RealmReleased { realm } => scribe.line("realm-released", &[("id", int(realm.0))]),
        Perceived::GroupDissolved { group } => scribe.army("group-dissolved", group, &[]),
        Perceived::GatePassed { army, to, .. } => scribe.army("gate-passed", army, &xy(to)),
        Perceived::FieldBlessed { priest, place, .. } => scribe.army("field-blessed", priest, &xy(place)),
        Perceived::DemonsBanished { demons, count, place } => {
            let [x, y] = xy(place);
            scribe.army("demons-banished", demons, &[x, y, ("n", int(*count))]);
        }
        Perceived::ArchdemonWeakened { demon, place, lost } => {
            let [x, y] = xy(place);
            scribe.army("archdemon-weakened", demon, &[x, y, ("n", int(*lost))]);
        }
        Perceived::MonstersCalmed { monsters, place } => scribe.army("monsters-calmed", monsters, &xy(place)),
        Perceived::DemonsSummoned {
            wizard, demon, count, ..
        } => {
            scribe.pair("demons-summoned", wizard, ("demon", demon), &[("n", int(*count))]);
        }
        Perceived::DemonFreed { demon, .. } | Perceived::HoldBroken { demon, .. } => {
            scribe.army("demon-freed", demon, &[]);
        }
        Perceived::ArmiesTamed {
            wizard, place, armies, ..
        } => {
            let view = scribe.pen.view;
            let list: Vec<String> = armies.iter().map(|(army, _)| name(view, army)).collect();
            let list = list.join(", ");
            let [x, y] = xy(place);
            scribe.army("armies-tamed", wizard, &[x, y, ("armies", Arg::Text(&list))]);
        }
        _ => return false,
    }
    true
}

/// The weeks. Returns whether the notice was one of them.
fn in_weeks(scribe: &mut Scribe<'_, '_>, what: &Perceived) -> bool {
    match what {
        Perceived::StepFailed { army, direction, why } => {
            let args = [("d", int(direction.digit())), ("why", Arg::Word(obstacle_word(*why)))];
            scribe.army("step-failed", army, &args);
        }
        Perceived::LostOnTerrain {
            army,
            place,
            terrain,
            lost,
            ..
        } => {
            let [x, y] = xy(place);
            scribe.army(
                "lost-on-terrain",
                army,
                &[x, y, ("ter", Arg::Text(terrain.code())), ("n", int(*lost))],
            );
        }
        Perceived::LostInRiver { army, to, lost, .. } => {
            let [x, y] = xy(to);
            scribe.army("lost-in-river", army, &[x, y, ("n", int(*lost))]);
        }
        Perceived::LostAtWall { army, place, lost, .. } => {
            let [x, y] = xy(place);
            scribe.army("lost-at-wall", army, &[x, y, ("n", int(*lost))]);
        }
        Perceived::HeldUp { army, place } => scribe.army("held-up", army, &xy(place)),
        Perceived::Embarked { army, fleet } => scribe.pair("embarked", army, ("fleet", fleet), &[]),
        Perceived::Landed { army, place } => scribe.army("landed", army, &xy(place)),
        Perceived::CargoLost { army, fleet, lost } => {
            scribe.pair("cargo-lost", army, ("fleet", fleet), &[("n", int(*lost))]);
        }
        Perceived::Shot {
            army,
            place,
            cost,
            target,
        } => {
            let [x, y] = xy(place);
            scribe.army("shot", army, &[x, y, ("gs", int(*cost))]);
            scribe.fighter(target);
        }
        Perceived::HelpersCalled { count, .. } => scribe.line("helpers-called", &[("n", int(*count))]),
        Perceived::Fought { place, fighters } => {
            let ([x, y], view) = (xy(place), scribe.pen.view);
            tale(view, fighters, |told| scribe.line("fought", &[x, y, ("tale", told)]));
            for fighter in fighters {
                scribe.fighter(fighter);
            }
        }
        Perceived::BootyTaken { place, gold, .. } => {
            let [x, y] = xy(place);
            scribe.line("booty-taken", &[x, y, ("gs", int(*gold))]);
        }
        Perceived::ArmyLost { army, why, .. } => scribe.army(demise_key(*why), army, &[]),
        Perceived::Plundered {
            army,
            place,
            gold,
            yield_percent,
        } => {
            let [x, y] = xy(place);
            scribe.army(
                "plundered",
                army,
                &[x, y, ("gs", int(*gold)), ("p", int(*yield_percent))],
            );
        }
        Perceived::FieldPlundered { place, yield_percent } => {
            let [x, y] = xy(place);
            scribe.line("field-plundered", &[x, y, ("p", int(*yield_percent))]);
        }
        Perceived::Traded { army, place, gold, .. } => {
            let [x, y] = xy(place);
            scribe.army("traded", army, &[x, y, ("gs", int(*gold))]);
        }
        Perceived::StrangersTraded { place, gold } => {
            let [x, y] = xy(place);
            scribe.line("strangers-traded", &[x, y, ("gs", int(*gold))]);
        }
        _ => return false,
    }
    true
}

/// The end of the turn. Returns whether the notice was one of them.
fn at_end(scribe: &mut Scribe<'_, '_>, what: &Perceived) -> bool {
    match what {
        Perceived::FieldConquered { army, place, .. } => scribe.army("field-conquered", army, &xy(place)),
        Perceived::FieldLost { place, to } => {
            let [x, y] = xy(place);
            scribe.line("field-lost", &[x, y, ("id", int(to.0))]);
        }
        Perceived::BuildingChanged {
            place,
            from,
            to,
            condition,
        } => {
            let [x, y] = xy(place);
            let words = [
                ("from", Arg::Word(building_word(*from))),
                ("to", Arg::Word(building_word(*to))),
                ("state", Arg::Word(condition_word(*condition))),
            ];
            scribe.line("building-changed", &[x, y, words[0], words[1], words[2]]);
        }
        Perceived::BuildingDamaged {
            army,
            place,
            building,
            condition,
        } => {
            let [x, y] = xy(place);
            let building = ("bau", Arg::Word(building_word(*building)));
            let state = ("state", Arg::Word(condition_word(*condition)));
            scribe.army("building-damaged", army, &[x, y, building, state]);
        }
        Perceived::DamageSuffered {
            place,
            building,
            condition,
        } => {
            let [x, y] = xy(place);
            let building = ("bau", Arg::Word(building_word(*building)));
            scribe.line(
                "damage-suffered",
                &[x, y, building, ("state", Arg::Word(condition_word(*condition)))],
            );
        }
        Perceived::NetworkTorn {
            army,
            place,
            network,
            direction,
        } => {
            let [x, y] = xy(place);
            let network = ("bau", Arg::Word(network_word(*network)));
            scribe.army("network-torn", army, &[x, y, network, ("d", int(direction.digit()))]);
        }
        Perceived::NetworkLost {
            place,
            network,
            direction,
        } => {
            let [x, y] = xy(place);
            let network = ("bau", Arg::Word(network_word(*network)));
            scribe.line("network-lost", &[x, y, network, ("d", int(direction.digit()))]);
        }
        Perceived::RuinCleared { army, place, building } => {
            let [x, y] = xy(place);
            scribe.army(
                "ruin-cleared",
                army,
                &[x, y, ("bau", Arg::Word(building_word(*building)))],
            );
        }
        Perceived::Deserted { short, men, .. } => {
            scribe.line("deserted", &[("gs", int(*short)), ("n", int(*men))]);
        }
        Perceived::MinePaid { place, gold } => {
            let [x, y] = xy(place);
            scribe.line("mine-paid", &[x, y, ("gs", int(*gold))]);
        }
        Perceived::MineExhausted { place } => scribe.line("mine-exhausted", &xy(place)),
        Perceived::VeinSought { place, found: true } => scribe.line("vein-found", &xy(place)),
        Perceived::VeinSought { place, found: false } => scribe.line("vein-missed", &xy(place)),
        _ => return between_realms(scribe, what),
    }
    true
}

/// Gold, land, treaties and the fate of realms. Returns whether the notice was one of them.
fn between_realms(scribe: &mut Scribe<'_, '_>, what: &Perceived) -> bool {
    let me = scribe.pen.view.realm();
    match what {
        Perceived::GoldSent { from, to, amount } => {
            // The book's line is the same for both sides; the game master reads to whom.
            let key = if me.is_some() { "gold-sent" } else { "gold-sent-to" };
            scribe.line(key, &[("id", int(from.0)), ("to", int(to.0)), ("gs", int(*amount))]);
        }
        Perceived::LandCeded { from, to, place } => {
            let [x, y] = xy(place);
            let key = if me.is_some() { "land-ceded" } else { "land-ceded-to" };
            scribe.line(key, &[x, y, ("id", int(from.0)), ("to", int(to.0))]);
        }
        Perceived::TreatyChanged { one, other, treaty } => {
            let key = if me.is_some() {
                "treaty-changed"
            } else {
                "treaty-between"
            };
            let word = ("treaty", Arg::Word(treaty_word(*treaty)));
            scribe.line(key, &[("one", int(one.0)), ("id", int(other.0)), word]);
        }
        Perceived::FieldRevolted { place } => scribe.line("field-revolted", &xy(place)),
        Perceived::WorkFinished { place, building, name } => {
            let [x, y] = xy(place);
            let name = scribe.pen.tables.spoken(name);
            let key = if name.is_empty() {
                "nameless-finished"
            } else {
                "work-finished"
            };
            let building = ("bau", Arg::Word(building_word(*building)));
            scribe.line(key, &[x, y, building, ("name", Arg::Text(name))]);
        }
        Perceived::CapitalLost { realm, place, .. } => {
            let [x, y] = xy(place);
            scribe.line("capital-lost", &[x, y, ("id", int(realm.0))]);
        }
        Perceived::RealmEliminated { realm } => scribe.line("realm-eliminated", &[("id", int(realm.0))]),
        Perceived::BlessingEnded { place } => scribe.line("blessing-ended", &xy(place)),
        Perceived::MonstersGrew { army, count } => scribe.army("monsters-grew", army, &[("n", int(*count))]),
        Perceived::MonstersAppeared { army, place, count } => {
            let [x, y] = xy(place);
            scribe.army("monsters-appeared", army, &[x, y, ("n", int(*count))]);
        }
        Perceived::RealmScored { realm, score } => {
            scribe.line("realm-scored", &[("id", int(realm.0)), ("n", int(*score))]);
        }
        _ => return false,
    }
    true
}

/// One step of an arithmetic.
pub(super) fn term(key: &'static str, args: &[(&'static str, Value)]) -> Term {
    let args = args
        .iter()
        .map(|(name, value)| (Name::Borrowed(*name), value.clone()))
        .collect();
    Term {
        key: Name::Borrowed(key),
        args,
    }
}

/// The viewer's own part in a fight.
fn own_part<'a>(tellings: &Tellings<'a>, notice: &Notice) -> Option<&'a Told<Notice>> {
    match &notice.what {
        Perceived::Fought { place, .. } => tellings.reckoned.get(&(notice.week, *place)).copied(),
        _ => None,
    }
}

/// Why an event came about, with the rules of the viewer's own bonuses and his own dice in a fight.
fn with_own_part(tellings: &Tellings<'_>, told: &Told<Notice>) -> Why {
    let mut why = told.why.clone();
    if let Some(own) = own_part(tellings, &told.notice) {
        why.rules.add(&own.why.rules);
        why.rolls.extend(own.why.rolls.iter().cloned());
    }
    why
}

/// The arithmetic behind an event, as far as the viewer may know it.
fn terms(tellings: &Tellings<'_>, notice: &Notice) -> Vec<Term> {
    match &notice.what {
        Perceived::Fought { fighters, .. } => {
            // Members of a group are reckoned one by one, in a notice of their own.
            let reckoned = match own_part(tellings, notice).map(|told| &told.notice.what) {
                Some(Perceived::StrengthReckoned { fighters, .. }) => fighters,
                _ => fighters,
            };
            let mut terms: Vec<Term> = reckoned.iter().filter_map(strength_term).collect();
            if !terms.is_empty() {
                terms.push(term("strength-others", &[]));
            }
            terms
        }
        Perceived::Traded {
            gold, lost, distance, ..
        } => vec![term(
            "trade",
            &[
                ("gold", (*gold).into()),
                ("lost", (*lost).into()),
                ("distance", (*distance).into()),
            ],
        )],
        Perceived::LostOnTerrain {
            share: Some(share),
            lost,
            ..
        }
        | Perceived::LostInRiver {
            share: Some(share),
            lost,
            ..
        }
        | Perceived::LostAtWall {
            share: Some(share),
            lost,
            ..
        } => vec![term(
            "lost-share",
            &[
                ("percent", share.percent.into()),
                ("of", share.of.into()),
                ("lost", (*lost).into()),
            ],
        )],
        _ => Vec::new(),
    }
}

fn strength_term(fighter: &FighterSeen) -> Option<Term> {
    let own = fighter.own?;
    let args = [
        ("who", fighter.who.to_string().into()),
        ("count", fighter.before.into()),
        ("bonus", own.bonus_percent.into()),
        ("strength", (own.strength / 100).into()),
        ("lost", (fighter.before - fighter.after).into()),
    ];
    Some(term("strength", &args))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::dice::{Owner, Roll};
    use kernel::realm::RealmId;

    fn told(week: u8, what: Perceived, why: Why) -> Told<Notice> {
        Told {
            notice: Notice { week, what },
            why,
            line: None,
        }
    }

    fn because(rules: &[&'static str]) -> Why {
        Why {
            rules: rules.iter().map(|rule| Name::Borrowed(*rule)).collect(),
            ..Why::default()
        }
    }

    #[test]
    fn the_answer_of_a_fight_has_the_own_die_and_the_rules_of_the_own_bonuses() {
        let place = Place { x: 2, y: 0 };
        let fought = Perceived::Fought {
            place,
            fighters: Vec::new(),
        };
        let reckoned = Perceived::StrengthReckoned {
            place,
            fighters: Vec::new(),
        };
        let luck = Roll {
            name: "THO-COMB-02 1 2/0 week 4".into(),
            owner: Owner::of(RealmId(1)),
            min: 90,
            max: 110,
            value: 97,
            fell: None,
        };
        let own = Why {
            rolls: vec![luck.clone()],
            ..because(&["THO-COMB-02", "THO-COMB-04"])
        };
        let own = told(4, reckoned, own);
        let tellings = Tellings {
            weeks: Vec::new(),
            reckoned: BTreeMap::from([((4, place), &own)]),
        };
        let why = with_own_part(
            &tellings,
            &told(4, fought.clone(), because(&["THO-COMB-01", "THO-COMB-02"])),
        );
        assert_eq!(why.rolls, [luck]);
        assert_eq!(why.rules, because(&["THO-COMB-01", "THO-COMB-02", "THO-COMB-04"]).rules);
        // Another week's fight has nothing to do with it.
        let why = with_own_part(&tellings, &told(5, fought, because(&["THO-COMB-01"])));
        assert_eq!(why, because(&["THO-COMB-01"]));
    }
}
