//! What viewers are told of battles, losses, traders, creatures, gifts and judgements, and how it reads.

use super::battle::BattleNotice;
use super::decree::{Answer, Deed, deed_line};
use crate::chart::Place;
use crate::codes::{Creature, Equipment, Good};
use crate::event::{Telling, Who};
use crate::report::section::Section;
use crate::report::{Pen, int};
use crate::state::ArmyName;
use kernel::report::{Arg, Why};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// What a viewer is told of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the fields say what their names say")]
pub enum Perceived {
    Battle(BattleNotice),
    CargoLost {
        army: ArmyName,
        fleet: ArmyName,
        lost: i64,
        left: i64,
    },
    Attrition {
        army: ArmyName,
        place: Place,
        equipment: Option<Equipment>,
        pct: i64,
        lost: i64,
        left: i64,
    },
    AtHome {
        army: ArmyName,
        place: Place,
    },
    EquipmentBought {
        army: ArmyName,
        equipment: Equipment,
        cost: i64,
    },
    EquipmentUsedUp {
        army: ArmyName,
        equipment: Equipment,
    },
    Stationed {
        army: ArmyName,
        place: Place,
    },
    StationingEnded {
        army: ArmyName,
    },
    TraderRaised {
        trader: ArmyName,
        place: Place,
    },
    Loaded {
        trader: ArmyName,
        goods: Vec<(Good, i64)>,
    },
    HandedOver {
        trader: ArmyName,
        to: ArmyName,
        goods: Vec<(Good, i64)>,
    },
    /// For the realm of the trader: where, and whose town.
    Delivered {
        trader: ArmyName,
        owner: Who,
        place: Place,
        goods: Vec<(Good, i64)>,
    },
    /// For the owner of the town: what came, and what it is worth there.
    Received {
        from: Who,
        place: Place,
        goods: Vec<(Good, i64)>,
        needed: i64,
        others: i64,
    },
    TraderLost {
        trader: ArmyName,
        by: Who,
        place: Place,
    },
    TraderTaken {
        by: ArmyName,
        whose: Who,
        place: Place,
        goods: Vec<(Good, i64)>,
    },
    BandMoved {
        creature: Creature,
        from: Place,
        to: Place,
    },
    Plundered {
        place: Place,
        creature: Creature,
    },
    GiftSent {
        to: Who,
        gold: i64,
    },
    GiftReceived {
        from: Who,
        gold: i64,
    },
    OtherJudged {
        unit: Option<ArmyName>,
        text: String,
        answer: Answer,
        words: String,
        reason: String,
    },
    Decreed {
        deed: Deed,
        army: Option<ArmyName>,
        place: Option<Place>,
        who: Who,
        number: i64,
        code: String,
    },
    Ranked {
        who: Who,
        rank: u32,
        score: i64,
    },
}

/// `wein:5 erze:3`.
pub(super) fn codes(goods: &[(Good, i64)]) -> String {
    let words: Vec<String> = goods
        .iter()
        .map(|(good, points)| format!("{}:{points}", good.code()))
        .collect();
    words.join(" ")
}

/// Key of a creature's name.
pub const fn creature_word(creature: Creature) -> &'static str {
    match creature {
        Creature::Animals => "creature-animals",
        Creature::Natives => "creature-natives",
        Creature::Talkers => "creature-talkers",
        Creature::Tribe => "creature-tribe",
        Creature::Horde => "creature-horde",
        Creature::Ogres => "creature-ogres",
        Creature::Dragon => "creature-dragon",
        Creature::Serpent => "creature-serpent",
        Creature::Garrison => "creature-garrison",
        Creature::Rebels => "creature-rebels",
    }
}

/// Key of the name of what an army wears against difficult terrain.
const fn equipment_word(equipment: Option<Equipment>) -> &'static str {
    match equipment {
        None => "equipment-none",
        Some(Equipment::First) => "equipment-I",
        Some(Equipment::Second) => "equipment-II",
    }
}

/// Key of the name of what a judgement put there.
fn thing_word(deed: Deed, code: &str) -> Option<Cow<'static, str>> {
    match deed {
        Deed::Terrain => Some(Cow::Owned(format!("terrain-{code}"))),
        Deed::Settlement => Some(Cow::Owned(format!("settlement-{code}"))),
        Deed::Work => Some(Cow::Owned(format!("work-{code}"))),
        Deed::Band => Creature::from_code(code).map(|creature| Cow::Borrowed(creature_word(creature))),
        _ => None,
    }
}

/// How a realm is called in a line: its name or banner, or words for nobody known.
pub(super) fn who_arg<'a>(who: &'a Who, label: &'a str) -> Arg<'a> {
    match who {
        Who::Nobody => Arg::Word("who-nobody"),
        Who::Own => Arg::Word("who-own"),
        Who::Named { .. } | Who::Banner(_) => Arg::Text(label),
    }
}

impl Telling for Perceived {
    fn section(&self) -> Section {
        match self {
            Self::Battle(_) => Section::Battles,
            Self::CargoLost { .. } | Self::Attrition { .. } | Self::AtHome { .. } | Self::EquipmentUsedUp { .. } => {
                Section::Losses
            }
            Self::EquipmentBought { .. }
            | Self::Stationed { .. }
            | Self::StationingEnded { .. }
            | Self::TraderRaised { .. }
            | Self::GiftSent { .. }
            | Self::GiftReceived { .. } => Section::Budget,
            Self::Loaded { .. }
            | Self::HandedOver { .. }
            | Self::Delivered { .. }
            | Self::Received { .. }
            | Self::TraderLost { .. }
            | Self::TraderTaken { .. } => Section::Trade,
            Self::BandMoved { .. } => Section::Sightings,
            Self::Plundered { .. } => Section::Land,
            Self::OtherJudged { .. } | Self::Decreed { .. } | Self::Ranked { .. } => Section::Rulings,
        }
    }

    fn write(&self, pen: &mut Pen<'_>, why: &Why) {
        let text = |value: &dyn std::fmt::Display| value.to_string();
        match self {
            Self::Battle(notice) => notice.write(pen, why),
            Self::CargoLost {
                army,
                fleet,
                lost,
                left,
            } => {
                let (army, fleet) = (text(army), text(fleet));
                let args = [
                    ("army", Arg::Text(&army)),
                    ("fleet", Arg::Text(&fleet)),
                    ("n", int(*lost)),
                    ("left", int(*left)),
                ];
                pen.reasoned("cargo-lost", &args, why);
            }
            Self::Attrition {
                army,
                place,
                equipment,
                pct,
                lost,
                left,
            } => {
                let (army, place) = (text(army), text(place));
                let args = [
                    ("army", Arg::Text(&army)),
                    ("field", Arg::Text(&place)),
                    ("equipment", Arg::Word(equipment_word(*equipment))),
                    ("pct", int(*pct)),
                    ("n", int(*lost)),
                    ("left", int(*left)),
                ];
                let key = if *left == 0 { "attrition-dissolved" } else { "attrition" };
                pen.reasoned(key, &args, why);
            }
            Self::AtHome { army, place } => army_at(pen, "at-home", army, place, why),
            Self::EquipmentBought { army, equipment, cost } => {
                let army = text(army);
                let args = [
                    ("army", Arg::Text(&army)),
                    ("equipment", Arg::Text(equipment.code())),
                    ("n", int(*cost)),
                ];
                pen.reasoned("equipment-bought", &args, why);
            }
            Self::EquipmentUsedUp { army, equipment } => {
                let army = text(army);
                let args = [("army", Arg::Text(&army)), ("equipment", Arg::Text(equipment.code()))];
                pen.reasoned("equipment-used-up", &args, why);
            }
            Self::Stationed { army, place } => army_at(pen, "stationed", army, place, why),
            Self::StationingEnded { army } => {
                pen.reasoned("stationing-ended", &[("army", Arg::Text(&text(army)))], why);
            }
            Self::TraderRaised { trader, place } => army_at(pen, "trader-raised", trader, place, why),
            Self::Loaded { trader, goods } => {
                pen.goods("loaded", &[("army", Arg::Text(&text(trader)))], goods, Some(why));
            }
            Self::HandedOver { trader, to, goods } => {
                let (trader, to) = (text(trader), text(to));
                pen.goods(
                    "handed-over",
                    &[("army", Arg::Text(&trader)), ("to", Arg::Text(&to))],
                    goods,
                    Some(why),
                );
            }
            Self::Delivered {
                trader,
                owner,
                place,
                goods,
            } => {
                let (trader, place, label) = (text(trader), text(place), owner.label());
                let args = [
                    ("army", Arg::Text(&trader)),
                    ("realm", who_arg(owner, &label)),
                    ("field", Arg::Text(&place)),
                ];
                pen.goods("delivered", &args, goods, Some(why));
            }
            Self::Received {
                from,
                place,
                goods,
                needed,
                others,
            } => {
                let (place, label) = (text(place), from.label());
                let args = [
                    ("realm", who_arg(from, &label)),
                    ("field", Arg::Text(&place)),
                    ("needed", int(*needed)),
                    ("others", int(*others)),
                ];
                // What the own trader brings home was never traded.
                let came_home = *from == Who::Own && *needed == 0 && *others == 0;
                let key = if came_home { "brought-home" } else { "received" };
                pen.goods(key, &args, goods, Some(why));
            }
            Self::TraderLost { trader, by, place } => {
                let (trader, place, label) = (text(trader), text(place), by.label());
                let args = [
                    ("army", Arg::Text(&trader)),
                    ("realm", who_arg(by, &label)),
                    ("field", Arg::Text(&place)),
                ];
                pen.reasoned("trader-lost", &args, why);
            }
            Self::TraderTaken {
                by,
                whose,
                place,
                goods,
            } => {
                let (by, place, label) = (text(by), text(place), whose.label());
                let args = [
                    ("army", Arg::Text(&by)),
                    ("realm", who_arg(whose, &label)),
                    ("field", Arg::Text(&place)),
                ];
                pen.goods("trader-taken", &args, goods, Some(why));
            }
            Self::BandMoved { creature, from, to } => {
                let (from, to) = (text(from), text(to));
                let args = [
                    ("who", Arg::Word(creature_word(*creature))),
                    ("from", Arg::Text(&from)),
                    ("to", Arg::Text(&to)),
                ];
                pen.reasoned("band-moved", &args, why);
            }
            Self::Plundered { place, creature } => {
                let place = text(place);
                let args = [
                    ("field", Arg::Text(&place)),
                    ("who", Arg::Word(creature_word(*creature))),
                ];
                pen.reasoned("plundered", &args, why);
            }
            Self::GiftSent { to, gold } => gift(pen, "gift-sent", to, *gold, why),
            Self::GiftReceived { from, gold } => gift(pen, "gift-received", from, *gold, why),
            Self::OtherJudged {
                unit,
                text: order,
                answer,
                words,
                reason,
            } => {
                let unit = unit.map_or_else(String::new, |unit| format!("{unit}: "));
                let key = match answer {
                    Answer::None => "other-unanswered",
                    Answer::Denied => "other-denied",
                    Answer::Allowed => "other-allowed",
                    Answer::Changed => "other-changed",
                };
                let args = [
                    ("unit", Arg::Text(&unit)),
                    ("text", Arg::Text(order)),
                    ("answer", Arg::Text(words)),
                    ("reason", Arg::Text(reason)),
                ];
                pen.reasoned(key, &args, why);
            }
            Self::Decreed {
                deed,
                army,
                place,
                who,
                number,
                code,
            } => {
                let army = army.map_or_else(String::new, |army| army.to_string());
                let (place, label) = (place.map_or_else(String::new, |place| place.to_string()), who.label());
                let word = thing_word(*deed, code);
                let args = [
                    ("army", Arg::Text(&army)),
                    ("field", Arg::Text(&place)),
                    ("realm", who_arg(who, &label)),
                    ("n", int(*number)),
                    ("code", word.as_deref().map_or(Arg::Text(code), Arg::Word)),
                ];
                pen.reasoned(deed_line(*deed, !code.is_empty(), *number), &args, why);
            }
            Self::Ranked { who, rank, score } => {
                let label = who.label();
                let args = [
                    ("realm", who_arg(who, &label)),
                    ("rank", int(*rank)),
                    ("n", int(*score)),
                ];
                pen.reasoned("ranked", &args, why);
            }
        }
    }

    fn words(&self) -> String {
        match self {
            Self::Battle(notice) => notice.words(),
            Self::CargoLost { army, lost, left, .. } => format!("{army} aboard loses {lost}, {left} left"),
            Self::Attrition {
                army,
                place,
                lost,
                left,
                ..
            } => format!("{army} loses {lost} at {place}, {left} left"),
            Self::AtHome { army, place } => format!("{army} is at home at {place}"),
            Self::EquipmentBought { army, equipment, cost } => {
                format!("{army} gets equipment {} for {cost}", equipment.code())
            }
            Self::EquipmentUsedUp { army, equipment } => format!("{army} has used up equipment {}", equipment.code()),
            Self::Stationed { army, place } => format!("{army} stationed at {place}"),
            Self::StationingEnded { army } => format!("{army} no longer stationed"),
            Self::TraderRaised { trader, place } => format!("{trader} raised at {place}"),
            Self::Loaded { trader, goods } => format!("{trader} loads {}", codes(goods)),
            Self::HandedOver { trader, to, goods } => format!("{trader} hands {} to {to}", codes(goods)),
            Self::Delivered {
                trader, place, goods, ..
            } => format!("{trader} delivers {} at {place}", codes(goods)),
            Self::Received {
                place,
                goods,
                needed,
                others,
                from,
            } => format!(
                "received {} at {place} from {}, needed {needed}, others {others}",
                codes(goods),
                from.label()
            ),
            Self::TraderLost { trader, by, place } => format!("{trader} lost to {} at {place}", by.label()),
            Self::TraderTaken {
                by,
                whose,
                place,
                goods,
            } => {
                format!("{by} takes {} of {} at {place}", codes(goods), whose.label())
            }
            Self::BandMoved { creature, from, to } => format!("{} goes from {from} to {to}", creature.code()),
            Self::Plundered { place, creature } => format!("{} plunders {place}", creature.code()),
            Self::GiftSent { to, gold } => format!("{gold} sent to {}", to.label()),
            Self::GiftReceived { from, gold } => format!("{gold} received from {}", from.label()),
            Self::OtherJudged {
                text,
                answer,
                words,
                reason,
                ..
            } => {
                format!("other order {}: {text}: {words} {reason}", answer.code())
            }
            Self::Decreed {
                deed,
                army,
                place,
                number,
                code,
                ..
            } => {
                let army = army.map_or_else(String::new, |army| format!(" {army}"));
                let place = place.map_or_else(String::new, |place| format!(" {place}"));
                format!("decree {}{army}{place} {number} {code}", deed.code())
            }
            Self::Ranked { who, rank, score } => format!("{} rank {rank} score {score}", who.label()),
        }
    }
}

fn army_at(pen: &mut Pen<'_>, key: &str, army: &ArmyName, place: &Place, why: &Why) {
    let (army, place) = (army.to_string(), place.to_string());
    pen.reasoned(key, &[("army", Arg::Text(&army)), ("field", Arg::Text(&place))], why);
}

fn gift(pen: &mut Pen<'_>, key: &str, who: &Who, gold: i64, why: &Why) {
    let label = who.label();
    pen.reasoned(key, &[("realm", who_arg(who, &label)), ("n", int(gold))], why);
}
