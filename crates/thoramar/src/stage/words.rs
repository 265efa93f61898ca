//! Events, notices and judgements in the few words that a scenario compares.
//!
//! An event begins with who or what it is about, so that an expectation may stop early: `Adler K.M 1 lost 80`.

use super::facts::{army_word, field_word};
use super::{realm_number, realm_word};
use crate::codes::{Flag, RealmKind};
use crate::event::{BEFORE, END, Event, Fighter, Happening, Shown};
use crate::notice::Notice;
use crate::order::Recipient;
use crate::ruling::Ruling;
use crate::state::State;
use kernel::misread::{Meant, Misread};
use kernel::realm::RealmId;

/// An event in a few words; a happening of a week ends with `week n`.
pub(super) fn event(state: &State, event: &Event) -> String {
    let mut words = happening(state, &event.what);
    if event.week != BEFORE && event.week != END {
        words.push_str(&format!(" week {}", event.week));
    }
    words
}

fn shown(state: &State, army: &Shown) -> String {
    let flag = match army.flag {
        Flag::Shown => "",
        Flag::Unassigned => " unflagged",
        Flag::Unseen => " unseen",
    };
    format!("{}{flag}", army_word(state, army.id))
}

fn recipient(state: &State, to: &Recipient) -> String {
    match to {
        Recipient::Realm(realm) => realm_word(state, *realm),
        Recipient::GameMaster => "game master".to_owned(),
        Recipient::Everyone => "everyone".to_owned(),
        Recipient::Rumour => "everyone as a rumour".to_owned(),
    }
}

fn kebab(debug: impl std::fmt::Debug) -> String {
    let mut out = String::new();
    for c in format!("{debug:?}").chars() {
        if c.is_ascii_uppercase() && !out.is_empty() {
            out.push('-');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

fn happening(state: &State, what: &Happening) -> String {
    use Happening as H;
    let army = |id: &crate::state::ArmyId| army_word(state, *id);
    let at = |field: &kernel::hex::FieldIndex| field_word(state, *field);
    let realm = |id: &kernel::realm::RealmId| realm_word(state, *id);
    match what {
        H::OrdersMissing { realm: r, in_a_row } => format!("{} sent no orders {in_a_row}", realm(r)),
        H::AbsenceWarned { realm: r, in_a_row } => format!("{} seems abandoned {in_a_row}", realm(r)),
        H::OrdersRead { realm: r, orders } => format!("{} sent {orders} orders", realm(r)),
        H::UnrestStirred {
            realm: r,
            calmer,
            restless,
        } => format!("{} unrest calmer {calmer} restless {restless}", realm(r)),
        H::AccountCredited { realm: r, amount } => format!("{} paid {amount} into its account", realm(r)),
        H::WorldClosed => "the world is closed".to_owned(),
        H::RealmRenamed { realm: r, name } => format!("{} is now called {name}", realm(r)),
        H::CultureWritten { realm: r } => format!("{} wrote its culture", realm(r)),
        H::ComputerSet { realm: r } => format!("{} set its computer", realm(r)),
        H::InformationAsked { realm: r } => format!("{} asked for information", realm(r)),
        H::TablesChanged { toml } => format!(
            "tables changed {}",
            toml.split_whitespace().collect::<Vec<_>>().join(" ")
        ),
        H::TablesRefused { fault, .. } => format!("tables refused: {fault}"),
        H::WorldEdited { edit, .. } => format!("edited: {edit}"),
        H::EditRefused { edit, fault } => format!("edit refused: {edit} ({fault})"),
        H::RealmAssigned { realm: r } => format!("{} assigned", realm(r)),
        H::RealmReleased { realm: r } => format!("{} released", realm(r)),
        H::WorkBegun {
            realm: r,
            field,
            building,
            work,
            cost,
            turns,
        } => format!(
            "{} began {} {} at {} cost {cost} turns {turns}",
            realm(r),
            kebab(work),
            building.code(),
            at(field)
        ),
        H::BuildingRenamed {
            realm: r,
            field,
            building,
            name,
        } => {
            format!("{} renamed {} at {} {name}", realm(r), building.code(), at(field))
        }
        H::NetworkLaid {
            realm: r,
            network,
            field,
            direction,
            cost,
        } => format!(
            "{} laid {} at {} direction {} cost {cost}",
            realm(r),
            network.code(),
            at(field),
            direction.digit()
        ),
        H::ArmyArmed {
            army: a,
            field,
            count,
            is_new,
            cost,
            capacity_left,
        } => format!(
            "{} {} {count} at {} cost {cost} capacity {capacity_left}",
            army(a),
            if *is_new { "armed" } else { "topped up" },
            at(field)
        ),
        H::ArmySplit { army: a, part, count } => format!("{} split off {} {count}", army(a), part.name),
        H::ArmiesMerged { army: a, joined, count } => format!("{} merged {} {count}", army(a), joined.name),
        H::GroupFormed { group, by, cost } => format!("{} formed by {} cost {cost}", army(group), by.name),
        H::GroupJoined { army: a, group } => format!("{} joined {}", army(a), group.name),
        H::GroupLeft { army: a, group } => format!("{} left {}", army(a), group.name),
        H::GroupDissolved { group } => format!("{} dissolved", army(group)),
        H::GatePassed { army: a, from, to } => format!("{} passed gate from {} to {}", army(a), at(from), at(to)),
        H::FieldBlessed { priest, field, cost } => format!("{} blessed {} cost {cost}", army(priest), at(field)),
        H::DemonsBanished { demons, field, .. } => {
            format!("{} banished {} at {}", shown(state, demons), demons.count, at(field))
        }
        H::ArchdemonWeakened { demon, field, lost, .. } => {
            format!("{} weakened {lost} at {}", shown(state, demon), at(field))
        }
        H::MonstersCalmed { monsters, field, .. } => format!("{} calmed at {}", army(monsters), at(field)),
        H::DemonsSummoned {
            wizard,
            demon,
            count,
            cost,
        } => {
            format!("{} summoned {} {count} cost {cost}", army(wizard), demon.name)
        }
        H::DemonFreed { demon, was, why } => format!("{} freed as {} {}", army(was), army(demon), kebab(why)),
        H::HoldBroken {
            wizard,
            demon,
            field,
            cost,
        } => {
            format!(
                "{} broke hold on {} at {} cost {cost}",
                army(wizard),
                shown(state, demon),
                at(field)
            )
        }
        H::ArmiesTamed {
            wizard,
            field,
            armies,
            cost,
        } => {
            let list: Vec<String> = armies
                .iter()
                .map(|(was, now, count)| format!("{} as {} {count}", army(was), now.name))
                .collect();
            format!(
                "{} tamed at {} cost {cost} {}",
                army(wizard),
                at(field),
                list.join(" and ")
            )
        }
        H::ArmyAccelerated {
            wizard,
            army: a,
            cost,
            points,
        } => {
            format!("{} accelerated {} cost {cost} points {points}", army(wizard), a.name)
        }
        H::StepFailed {
            army: a,
            direction,
            why,
        } => {
            format!("{} failed direction {} {}", army(a), direction.digit(), kebab(why))
        }
        H::ArmyMoved {
            army: a,
            from,
            to,
            cost,
            points_left,
        } => {
            format!(
                "{} moved from {} to {} cost {cost} points {points_left}",
                army(a),
                at(from),
                at(to)
            )
        }
        H::LostOnTerrain {
            army: a, field, lost, ..
        } => format!("{} lost {lost} leaving {}", army(a), at(field)),
        H::LostInRiver { army: a, to, lost, .. } => format!("{} lost {lost} in river to {}", army(a), at(to)),
        H::LostAtWall {
            army: a, field, lost, ..
        } => format!("{} lost {lost} at wall of {}", shown(state, a), at(field)),
        H::HeldUp { army: a, field } => format!("{} held up at {}", army(a), at(field)),
        H::Embarked { army: a, fleet } => format!("{} embarked on {}", army(a), fleet.name),
        H::Landed { army: a, field } => format!("{} landed at {}", army(a), at(field)),
        H::CargoLost { army: a, fleet, lost } => format!("{} lost {lost} aboard {}", army(a), fleet.name),
        H::Shot {
            army: a,
            field,
            cost,
            target,
            after,
        } => format!(
            "{} shot at {} cost {cost} hit {} {} -> {after}",
            shown(state, a),
            at(field),
            shown(state, target),
            target.count
        ),
        H::HelpersCalled {
            demon, field, count, ..
        } => {
            format!("{} called {count} helpers at {}", shown(state, demon), at(field))
        }
        H::Fought { field, fighters, .. } => fight(state, &at(field), fighters),
        H::StrengthReckoned {
            realm: r,
            field,
            fighters,
        } => {
            let list: Vec<String> = fighters
                .iter()
                .map(|f| {
                    format!(
                        "{} strength {} bonus {} left {}",
                        f.army.id.name, f.strength, f.bonus_percent, f.after
                    )
                })
                .collect();
            format!("{} reckoned at {} {}", realm(r), at(field), list.join(", "))
        }
        H::BootyTaken { realm: r, field, gold } => format!("{} took booty {gold} at {}", realm(r), at(field)),
        H::ArmyLost { army: a, field, why } => format!("{} perished {} at {}", army(a), kebab(why), at(field)),
        H::Plundered {
            army: a,
            field,
            gold,
            yield_percent,
            ..
        } => {
            format!("{} plundered {} gold {gold} yield {yield_percent}", army(a), at(field))
        }
        H::Traded {
            army: a,
            field,
            gold,
            owner_gold,
            lost,
            distance,
            ..
        } => format!(
            "{} traded at {} gold {gold} owner {owner_gold} lost {lost} distance {distance}",
            army(a),
            at(field)
        ),
        H::WeekSeen { realm: r, sight } => {
            let list: Vec<String> = sight
                .of(*r)
                .iter()
                .flat_map(|posts| &posts.places)
                .map(|(name, field)| format!("{} at {}", army(&name.of(*r)), at(field)))
                .collect();
            format!("{} looked from {}", realm(r), list.join(", "))
        }
        H::TerritorySeen { realm: r, fields } => {
            let list: Vec<String> = fields
                .iter()
                .flat_map(|(field, armies)| armies.iter().map(move |a| (field, a)))
                .map(|(field, a)| format!("{} {} at {}", shown(state, a), a.count, at(field)))
                .collect();
            format!("{} saw at home {}", realm(r), list.join(", "))
        }
        H::FieldConquered {
            army: a, field, from, ..
        } => {
            format!("{} conquered {} from {}", army(a), at(field), realm(from))
        }
        H::BuildingChanged {
            field,
            from,
            to,
            condition,
            ..
        } => {
            format!(
                "{} at {} became {} {}",
                from.code(),
                at(field),
                to.code(),
                condition.code()
            )
        }
        H::BuildingDamaged {
            army: a,
            field,
            building,
            condition,
            ..
        } => {
            format!(
                "{} damaged {} at {} to {}",
                army(a),
                building.code(),
                at(field),
                condition.code()
            )
        }
        H::NetworkTorn {
            army: a,
            field,
            network,
            direction,
            ..
        } => {
            format!(
                "{} tore {} at {} direction {}",
                army(a),
                network.code(),
                at(field),
                direction.digit()
            )
        }
        H::RuinCleared {
            army: a,
            field,
            building,
        } => {
            format!("{} cleared {} at {}", army(a), building.code(), at(field))
        }
        H::DemonsReturned { demon, lost } => format!("{} returned {lost}", army(demon)),
        H::WizardTrained { wizard, cost } => format!("{} trained cost {cost}", army(wizard)),
        H::ControlPaid { wizard, cost } => format!("{} paid control {cost}", army(wizard)),
        H::Settled {
            realm: r,
            settlement: s,
        } => format!(
            "{} settled land {} buildings {} temples {} armies {} paid {}",
            realm(r),
            s.land,
            s.buildings,
            s.temples,
            s.armies,
            s.paid
        ),
        H::Deserted { realm: r, short, men } => format!("{} deserted short {short} men {men}", realm(r)),
        H::MinePaid { realm: r, field, gold } => format!("{} mine at {} paid {gold}", realm(r), at(field)),
        H::MineExhausted { realm: r, field } => format!("{} mine at {} exhausted", realm(r), at(field)),
        H::VeinSought { realm: r, field, found } => {
            format!(
                "{} vein at {} {}",
                realm(r),
                at(field),
                if *found { "found" } else { "missed" }
            )
        }
        H::GoldSent { from, to, amount } => format!("{} sent {} gold {amount}", realm(from), realm(to)),
        H::LandCeded { from, to, field } => format!("{} ceded {} to {}", realm(from), at(field), realm(to)),
        H::TreatyChanged { one, other, treaty } => {
            format!("{} and {} treaty {}", realm(one), realm(other), treaty.code())
        }
        H::TreatyWished {
            realm: r,
            other,
            treaty,
        } => {
            format!("{} wished {} treaty {}", realm(r), realm(other), treaty.code())
        }
        H::FieldRevolted {
            field, owner, count, ..
        } => {
            format!("{} revolted from {} rebels {count}", at(field), realm(owner))
        }
        H::WorkFinished {
            field, building, name, ..
        } => format!("{} finished at {} {name}", building.code(), at(field)),
        H::CapitalLost { realm: r, field, .. } => format!("{} lost its capital at {}", realm(r), at(field)),
        H::RealmEliminated { realm: r } => format!("{} eliminated", realm(r)),
        H::BlessingEnded { field, .. } => format!("blessing ended at {}", at(field)),
        H::MonstersGrew { army: a, count } => format!("{} grew to {count}", army(a)),
        H::MonstersAppeared { army: a, field, count } => format!("{} appeared {count} at {}", army(a), at(field)),
        H::AccountCharged { realm: r, fee } => format!("{} charged {fee}", realm(r)),
        H::RealmScored { realm: r, score } => format!("{} scored {score}", realm(r)),
        H::MessageSent { from, to, text } => {
            format!(
                "{} wrote to {}: {}",
                realm(from),
                recipient(state, to),
                text.join(" / ")
            )
        }
        H::GameMasterWrote { to, text } => {
            format!("game master wrote to {}: {}", recipient(state, to), text.join(" / "))
        }
    }
}

fn fight(state: &State, at: &str, fighters: &[Fighter]) -> String {
    let list: Vec<String> = fighters
        .iter()
        .map(|f| format!("{} {} -> {}", shown(state, &f.army), f.army.count, f.after))
        .collect();
    format!("fight at {at} {}", list.join(", "))
}

/// A notice in a few words.
pub(super) fn notice(state: &State, notice: &Notice) -> String {
    let _ = state;
    notice.words()
}

/// Reads a judgement: `release Adler`, `hand Adler to Mira`, `keep`, `kind Adler nomad`, `tables [..]`, `write Adler: ..`,
/// `write everyone: ..`, `credit Adler 10`, `close`.
///
/// A realm is named as the world names it, by its number, or as scenarios do.
pub(super) fn ruling(state: &State, text: &str) -> Result<Ruling, Misread> {
    let realm = |word: &str| {
        let called = |realm: &crate::state::Realm| realm.name.to_lowercase() == word.to_lowercase();
        let by_name = state.realms.iter().find(|(_, realm)| called(realm)).map(|(id, _)| *id);
        let by_number = || {
            word.parse()
                .ok()
                .map(RealmId)
                .filter(|id| state.realms.contains_key(id))
        };
        by_name
            .or_else(by_number)
            .or_else(|| realm_number(word))
            .filter(|r| r.is_played())
            .ok_or_else(|| Meant::Realm.not(word))
    };
    let (verb, rest) = text.split_once(' ').unwrap_or((text, ""));
    match verb {
        "keep" => Ok(Ruling::KeepRealm),
        "close" => Ok(Ruling::Close),
        "release" => Ok(Ruling::Release { realm: realm(rest)? }),
        "hand" => {
            let expected = Misread::Expected("hand REALM to PLAYER");
            let (who, player) = rest.split_once(" to ").ok_or(expected)?;
            Ok(Ruling::HandOver {
                realm: realm(who)?,
                player: player.to_owned(),
                name: None,
            })
        }
        "kind" => {
            let expected = Misread::Expected("kind REALM ordinary|nomad|pirate");
            let (who, kind) = rest.split_once(' ').ok_or(expected)?;
            let kind = RealmKind::from_code(kind).ok_or_else(|| Meant::Kind.not(kind))?;
            Ok(Ruling::AssignKind {
                realm: realm(who)?,
                kind,
            })
        }
        "tables" => Ok(Ruling::ChangeTables {
            toml: rest.replace("\\n", "\n"),
        }),
        "credit" => {
            let expected = Misread::Expected("credit REALM AMOUNT");
            let (who, amount) = rest.split_once(' ').ok_or(expected)?;
            let amount = amount.parse().map_err(|_| Meant::Number.not(amount))?;
            Ok(Ruling::Credit {
                realm: realm(who)?,
                amount,
            })
        }
        "write" => {
            let (to, text) = rest.split_once(": ").ok_or(Misread::Expected("write REALM: TEXT"))?;
            let to = if to == "everyone" { None } else { Some(realm(to)?) };
            Ok(Ruling::Write {
                to,
                text: text.split(" / ").map(str::to_owned).collect(),
            })
        }
        _ if text.trim().contains('\n') => {
            let lines = text
                .lines()
                .map(str::trim)
                .filter(|line| !line.is_empty() && !line.starts_with('#'));
            let changes = lines.map(|line| crate::editing::read(line).unwrap_or_else(|| Err(Meant::Change.not(line))));
            let changes = changes.collect::<Result<_, _>>()?;
            Ok(Ruling::Edits { changes })
        }
        other => match crate::editing::read(text) {
            Some(change) => change.map(|change| Ruling::Edit { change }),
            None => Err(Misread::Unknown {
                verb: other.to_owned(),
                known: "keep, close, release, hand, kind, tables, credit, write".to_owned(),
            }),
        },
    }
}
