//! Notices in the few words that a scenario compares.

use super::{Address, FighterSeen, Notice, Perceived, Who};
use crate::event::{BEFORE, END};
use crate::state::SeenArmy;
use std::fmt;

impl fmt::Display for Who {
    /// `1.K.M 1`, `?.K.M ?`, `0.M.H ?`: as the book writes seen armies.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.realm {
            Some(realm) => write!(f, "{realm}.")?,
            None => f.write_str("?.")?,
        }
        f.write_str(self.kind.code())?;
        match self.number {
            Some(number) => write!(f, " {number}"),
            None => f.write_str(" ?"),
        }
    }
}

impl fmt::Display for SeenArmy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", Who::from(*self), self.count)
    }
}

impl From<SeenArmy> for Who {
    fn from(army: SeenArmy) -> Self {
        Self {
            realm: army.realm,
            kind: army.kind,
            number: army.number,
        }
    }
}

impl fmt::Display for FighterSeen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} -> {}", self.who, self.before, self.after)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Realm(realm) => write!(f, "realm {realm}"),
            Self::GameMaster => f.write_str("game master"),
            Self::Everyone => f.write_str("everyone"),
            Self::Rumour => f.write_str("everyone as a rumour"),
        }
    }
}

fn joined<T: fmt::Display>(list: impl IntoIterator<Item = T>) -> String {
    list.into_iter()
        .map(|item| item.to_string())
        .collect::<Vec<_>>()
        .join(", ")
}

/// `TooWeak` as `too-weak`.
fn kebab(word: impl fmt::Debug) -> String {
    let mut out = String::new();
    for c in format!("{word:?}").chars() {
        if c.is_ascii_uppercase() && !out.is_empty() {
            out.push('-');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

impl Notice {
    /// The notice in a few words, places in the viewer's coordinates; what happened in a week ends with `week n`.
    pub fn words(&self) -> String {
        let mut words = self.what.words();
        if self.week != BEFORE && self.week != END {
            words.push_str(&format!(" week {}", self.week));
        }
        words
    }
}

impl Perceived {
    fn words(&self) -> String {
        self.words_before()
            .or_else(|| self.words_of_week())
            .unwrap_or_else(|| self.words_at_end())
    }

    fn words_before(&self) -> Option<String> {
        Some(match self {
            Self::OrdersMissing { realm, in_a_row } => format!("realm {realm} sent no orders {in_a_row}"),
            Self::AbsenceWarned { realm, in_a_row } => format!("realm {realm} seems abandoned {in_a_row}"),
            Self::RealmRenamed { realm, name } => format!("realm {realm} is now called {name}"),
            Self::CultureWritten { realm } => format!("realm {realm} wrote its culture"),
            Self::ComputerSet { realm } => format!("realm {realm} set its computer"),
            Self::InformationAsked { realm } => format!("realm {realm} asked for information"),
            Self::TablesChanged { toml } => {
                format!(
                    "tables changed {}",
                    toml.split_whitespace().collect::<Vec<_>>().join(" ")
                )
            }
            Self::TablesRefused { fault, .. } => format!("tables refused: {fault}"),
            Self::WorldEdited { edit } => format!("edited: {edit}"),
            Self::TreasuryEdited { gold } => format!("treasury changed by {gold}"),
            Self::EditRefused { edit, fault } => format!("edit refused: {edit} ({fault})"),
            Self::AccountCredited { realm, amount } => format!("realm {realm} paid {amount} into its account"),
            Self::WorldClosed => "the world is closed".to_owned(),
            Self::RealmAssigned { realm } => format!("realm {realm} assigned"),
            Self::RealmReleased { realm } => format!("realm {realm} released"),
            Self::WorkBegun {
                place,
                building,
                work,
                cost,
                turns,
                ..
            } => {
                format!("began {} {building} at {place} cost {cost} turns {turns}", kebab(work))
            }
            Self::BuildingRenamed {
                place, building, name, ..
            } => format!("renamed {building} at {place} {name}"),
            Self::NetworkLaid {
                network,
                place,
                direction,
                cost,
                ..
            } => {
                format!("laid {network} at {place} direction {} cost {cost}", direction.digit())
            }
            Self::ArmyArmed {
                army,
                place,
                count,
                is_new,
                cost,
                capacity_left,
            } => format!(
                "{army} {} {count} at {place} cost {cost} capacity {capacity_left}",
                if *is_new { "armed" } else { "topped up" }
            ),
            Self::ArmySplit { army, part, count } => format!("{army} split off {part} {count}"),
            Self::ArmiesMerged { army, joined, count } => format!("{army} merged {joined} {count}"),
            Self::GroupFormed { group, by, cost } => format!("{group} formed by {by} cost {cost}"),
            Self::GroupJoined { army, group } => format!("{army} joined {group}"),
            Self::GroupLeft { army, group } => format!("{army} left {group}"),
            Self::GroupDissolved { group } => format!("{group} dissolved"),
            Self::GatePassed { army, from, to } => format!("{army} passed gate from {from} to {to}"),
            Self::FieldBlessed { priest, place, cost } => format!("{priest} blessed {place} cost {cost}"),
            Self::DemonsBanished { demons, count, place } => format!("{demons} banished {count} at {place}"),
            Self::ArchdemonWeakened { demon, place, lost } => format!("{demon} weakened {lost} at {place}"),
            Self::MonstersCalmed { monsters, place } => format!("{monsters} calmed at {place}"),
            Self::DemonsSummoned {
                wizard,
                demon,
                count,
                cost,
            } => {
                format!("{wizard} summoned {demon} {count} cost {cost}")
            }
            Self::DemonFreed { demon, why } => format!("{demon} freed {}", kebab(why)),
            Self::HoldBroken {
                wizard,
                demon,
                place,
                cost,
            } => {
                format!("{wizard} broke hold on {demon} at {place} cost {cost}")
            }
            Self::ArmiesTamed {
                wizard,
                place,
                armies,
                cost,
            } => {
                let list = joined(armies.iter().map(|(army, count)| format!("{army} {count}")));
                format!("{wizard} tamed at {place} cost {cost} {list}")
            }
            Self::ArmyAccelerated {
                wizard,
                army,
                cost,
                points,
            } => {
                format!("{wizard} accelerated {army} cost {cost} points {points}")
            }
            _ => return None,
        })
    }

    fn words_of_week(&self) -> Option<String> {
        Some(match self {
            Self::StepFailed { army, direction, why } => {
                format!("{army} failed direction {} {}", direction.digit(), kebab(why))
            }
            Self::ArmyMoved {
                army,
                from,
                to,
                cost,
                points_left,
            } => {
                format!("{army} moved from {from} to {to} cost {cost} points {points_left}")
            }
            Self::LostOnTerrain {
                army,
                place,
                terrain,
                lost,
                ..
            } => format!("{army} lost {lost} leaving {place} {terrain}"),
            Self::LostInRiver { army, to, lost, .. } => format!("{army} lost {lost} in river to {to}"),
            Self::LostAtWall { army, place, lost, .. } => format!("{army} lost {lost} at wall of {place}"),
            Self::HeldUp { army, place } => format!("{army} held up at {place}"),
            Self::Embarked { army, fleet } => format!("{army} embarked on {fleet}"),
            Self::Landed { army, place } => format!("{army} landed at {place}"),
            Self::CargoLost { army, fleet, lost } => format!("{army} lost {lost} aboard {fleet}"),
            Self::Shot {
                army,
                place,
                cost,
                target,
            } => format!("{army} shot at {place} cost {cost} hit {target}"),
            Self::HelpersCalled { demon, place, count } => format!("{demon} called {count} helpers at {place}"),
            Self::Fought { place, fighters } => format!("fight at {place} {}", joined(fighters)),
            Self::StrengthReckoned { place, fighters } => format!("reckoned at {place} {}", joined(fighters)),
            Self::BootyTaken { place, gold, .. } => format!("booty {gold} at {place}"),
            Self::ArmyLost { army, place, why } => format!("{army} perished {} at {place}", kebab(why)),
            Self::Plundered {
                army,
                place,
                gold,
                yield_percent,
            } => {
                format!("{army} plundered {place} gold {gold} yield {yield_percent}")
            }
            Self::FieldPlundered { place, yield_percent } => format!("{place} is plundered yield {yield_percent}"),
            Self::Traded {
                army,
                place,
                gold,
                lost,
                distance,
            } => {
                format!("{army} traded at {place} gold {gold} lost {lost} distance {distance}")
            }
            Self::StrangersTraded { place, gold } => format!("strangers traded at {place} gold {gold}"),
            Self::WeekSeen(seen) => {
                let fields = seen
                    .crowds()
                    .flat_map(|(field, armies)| armies.iter().map(move |army| (field.place, army)));
                format!(
                    "saw {}",
                    joined(fields.map(|(place, army)| format!("{army} at {place}")))
                )
            }
            _ => return None,
        })
    }

    fn words_at_end(&self) -> String {
        match self {
            Self::TerritorySeen { fields } => {
                let armies = fields
                    .iter()
                    .flat_map(|(place, armies)| armies.iter().map(move |army| (place, army)));
                format!(
                    "saw at home {}",
                    joined(armies.map(|(place, army)| format!("{army} at {place}")))
                )
            }
            Self::FieldConquered { army, place, from, .. } => format!("{army} conquered {place} from realm {from}"),
            Self::FieldLost { place, to } => format!("{place} lost to realm {to}"),
            Self::BuildingChanged {
                place,
                from,
                to,
                condition,
            } => format!("{from} at {place} became {to} {condition}"),
            Self::BuildingDamaged {
                army,
                place,
                building,
                condition,
            } => {
                format!("{army} damaged {building} at {place} to {condition}")
            }
            Self::DamageSuffered {
                place,
                building,
                condition,
            } => format!("{building} at {place} is {condition}"),
            Self::NetworkTorn {
                army,
                place,
                network,
                direction,
            } => {
                format!("{army} tore {network} at {place} direction {}", direction.digit())
            }
            Self::NetworkLost {
                place,
                network,
                direction,
            } => {
                format!("{network} at {place} direction {} is gone", direction.digit())
            }
            Self::RuinCleared { army, place, building } => format!("{army} cleared {building} at {place}"),
            Self::DemonsReturned { demon, lost } => format!("{demon} returned {lost}"),
            Self::WizardTrained { wizard, cost } => format!("{wizard} trained cost {cost}"),
            Self::ControlPaid { wizard, cost } => format!("{wizard} paid control {cost}"),
            Self::Settled { settlement: s, .. } => format!(
                "settled land {} buildings {} temples {} armies {} paid {}",
                s.land, s.buildings, s.temples, s.armies, s.paid
            ),
            Self::Deserted { short, men, .. } => format!("deserted short {short} men {men}"),
            Self::MinePaid { place, gold } => format!("mine at {place} paid {gold}"),
            Self::MineExhausted { place } => format!("mine at {place} exhausted"),
            Self::VeinSought { place, found } => {
                format!("vein at {place} {}", if *found { "found" } else { "missed" })
            }
            Self::GoldSent { from, to, amount } => format!("realm {from} sent realm {to} gold {amount}"),
            Self::LandCeded { from, to, place } => format!("realm {from} ceded {place} to realm {to}"),
            Self::TreatyChanged { one, other, treaty } => format!("realm {one} and realm {other} treaty {treaty}"),
            Self::TreatyWished { realm, other, treaty } => {
                format!("realm {realm} wished realm {other} treaty {treaty}")
            }
            Self::FieldRevolted { place } => format!("{place} revolted"),
            Self::WorkFinished { place, building, name } => format!("{building} finished at {place} {name}"),
            Self::CapitalLost { realm, place, .. } => format!("realm {realm} lost its capital at {place}"),
            Self::RealmEliminated { realm } => format!("realm {realm} eliminated"),
            Self::BlessingEnded { place } => format!("blessing ended at {place}"),
            Self::MonstersGrew { army, count } => format!("{army} grew to {count}"),
            Self::MonstersAppeared { army, place, count } => format!("{army} appeared {count} at {place}"),
            Self::AccountCharged { realm, fee } => format!("realm {realm} charged {fee}"),
            Self::RealmScored { realm, score } => format!("realm {realm} scored {score}"),
            Self::Message {
                from: Some(from),
                to,
                text,
                ..
            } => {
                format!("realm {from} wrote to {to}: {}", text.join(" / "))
            }
            Self::Message {
                from: None, to, text, ..
            } => format!("somebody wrote to {to}: {}", text.join(" / ")),
            Self::GameMasterWrote { to, text } => format!("game master wrote to {to}: {}", text.join(" / ")),
            // Everything else was worded above.
            _ => String::new(),
        }
    }
}
