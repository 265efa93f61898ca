//! Events of part C: battles, losses, attrition, stationing, traders, creatures, gifts, judgements, the ranking.

mod battle;

use super::{Ear, Tale, Telling, Who};
use crate::battle::Battle;
use crate::chart::Place;
use crate::codes::{Creature, Equipment, Good, vocabulary};
use crate::report::section::Section;
use crate::report::{Pen, good_word, int};
use crate::stage::Cast;
use crate::state::{ArmyId, ArmyName, BandId, Points, State};
pub use battle::BattleNotice;
use kernel::hex::FieldIndex;
use kernel::realm::RealmId;
use kernel::report::{Arg, Phrase, Why};
use serde::{Deserialize, Serialize};

vocabulary! {
    /// How another order was answered (PYG-GAP-40).
    Answer {
        None    "none"    "ohne Antwort"
        Denied  "denied"  "abgelehnt"
        Allowed "allowed" "gewährt"
        Changed "changed" "geändert"
    }
}

vocabulary! {
    /// What a judgement changed (catalogue 5.5).
    Deed {
        Stance     "order"      "Befehl"
        Gold       "gold"       "Gold"
        Moved      "moved"      "Ort"
        Strength   "strength"   "Stärke"
        Owner      "owner"      "Besitz"
        Settlement "settlement" "Siedlung"
        Work       "work"       "Bau"
        Road       "road"       "Straße"
        Plague     "plague"     "Seuche"
        Band       "band"       "Wesen"
        Culture    "culture"    "Kultur"
        Released   "released"   "aus dem Spiel"
    }
}

/// A judgement that changed the world, and whom it concerns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the fields say what their names say")]
pub struct Decree {
    pub deed: Deed,
    pub realm: RealmId,
    /// Another realm that is concerned.
    pub other: RealmId,
    pub army: Option<ArmyName>,
    pub field: Option<FieldIndex>,
    pub number: i64,
    pub code: &'static str,
}

impl Decree {
    /// About a realm.
    pub const fn of_realm(deed: Deed, realm: RealmId) -> Self {
        Self {
            deed,
            realm,
            other: RealmId::NOBODY,
            army: None,
            field: None,
            number: 0,
            code: "",
        }
    }

    /// About an army.
    pub const fn of_army(deed: Deed, army: ArmyId) -> Self {
        Self {
            army: Some(army.name),
            ..Self::of_realm(deed, army.realm)
        }
    }

    /// About a field.
    pub const fn of_field(deed: Deed, field: FieldIndex) -> Self {
        Self {
            field: Some(field),
            ..Self::of_realm(deed, RealmId::NOBODY)
        }
    }

    /// With a number.
    pub const fn number(self, number: i64) -> Self {
        Self { number, ..self }
    }

    /// With a code of a vocabulary.
    pub const fn code(self, code: &'static str) -> Self {
        Self { code, ..self }
    }
}

/// Something that happened.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs, reason = "the fields say what their names say")]
pub enum War {
    /// PYG-FIGHT-01.
    Battle(Box<Battle>),
    /// PYG-SHIP-06, PYG-GAP-47.
    CargoLost {
        army: ArmyId,
        fleet: ArmyName,
        lost: i64,
        left: i64,
    },
    /// PYG-ATTR-01.
    Attrition {
        army: ArmyId,
        field: FieldIndex,
        equipment: Option<Equipment>,
        pct: i64,
        lost: i64,
        left: i64,
    },
    /// PYG-ATTR-04.
    AtHome { army: ArmyId, field: FieldIndex },
    /// PYG-ATTR-02, -03.
    EquipmentBought {
        army: ArmyId,
        equipment: Equipment,
        cost: i64,
    },
    /// PYG-ATTR-08.
    EquipmentUsedUp { army: ArmyId, equipment: Equipment },
    /// PYG-STAT-01.
    Stationed { army: ArmyId, field: FieldIndex },
    /// PYG-GAP-49.
    StationingEnded { army: ArmyId },
    /// PYG-TRDR-02.
    TraderRaised { trader: ArmyId, field: FieldIndex },
    /// PYG-GAP-60.
    Loaded { trader: ArmyId, goods: Points },
    /// PYG-TRDR-07.
    HandedOver {
        trader: ArmyId,
        to: ArmyName,
        goods: Points,
    },
    /// PYG-TRADE-01, PYG-GAP-61.
    Delivered {
        trader: ArmyId,
        owner: RealmId,
        field: FieldIndex,
        goods: Points,
        needed: i64,
        others: i64,
    },
    /// PYG-GAP-60.
    TraderTaken {
        trader: ArmyId,
        by: ArmyId,
        field: FieldIndex,
        goods: Points,
    },
    /// PYG-GAP-62; to the game master only.
    BandMoved {
        band: BandId,
        creature: Creature,
        from: FieldIndex,
        to: FieldIndex,
    },
    /// PYG-GAP-62.
    Plundered {
        realm: RealmId,
        field: FieldIndex,
        creature: Creature,
    },
    /// PYG-GAP-69.
    GiftSent { from: RealmId, to: RealmId, gold: i64 },
    /// PYG-GAP-69.
    GiftReceived { realm: RealmId, from: RealmId, gold: i64 },
    /// PYG-ORD-08, PYG-GAP-40.
    OtherJudged {
        realm: RealmId,
        unit: Option<ArmyName>,
        text: String,
        answer: Answer,
        words: String,
        reason: String,
    },
    /// Catalogue 5.5.
    Decreed(Decree),
    /// PYG-GAP-66.
    Ranked {
        realm: RealmId,
        rank: u32,
        score: i64,
        published: bool,
    },
}

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

fn list(goods: &Points) -> Vec<(Good, i64)> {
    goods.iter().collect()
}

impl Tale for War {
    type Notice = Perceived;

    fn audience(&self, state: &State, realms: &mut Vec<RealmId>) {
        match self {
            Self::Battle(battle) => realms.extend(battle.parties.iter().map(|party| party.side.realm())),
            Self::CargoLost { army, .. }
            | Self::Attrition { army, .. }
            | Self::AtHome { army, .. }
            | Self::EquipmentBought { army, .. }
            | Self::EquipmentUsedUp { army, .. }
            | Self::Stationed { army, .. }
            | Self::StationingEnded { army }
            | Self::TraderRaised { trader: army, .. }
            | Self::Loaded { trader: army, .. }
            | Self::HandedOver { trader: army, .. } => realms.push(army.realm),
            Self::Delivered { trader, owner, .. } => realms.extend([trader.realm, *owner]),
            Self::TraderTaken { trader, by, .. } => realms.extend([trader.realm, by.realm]),
            Self::BandMoved { .. } => {}
            Self::Plundered { realm, .. } => realms.push(*realm),
            Self::GiftSent { from, .. } => realms.push(*from),
            Self::GiftReceived { realm, .. } | Self::OtherJudged { realm, .. } => realms.push(*realm),
            Self::Decreed(decree) => realms.extend([decree.realm, decree.other]),
            Self::Ranked { published: true, .. } => realms.extend(state.realms.keys()),
            Self::Ranked { published: false, .. } => {}
        }
        realms.retain(|realm| realm.is_played());
    }

    fn notice(&self, ear: &Ear<'_>) -> Option<Perceived> {
        let place = |field: FieldIndex| ear.state.place(field);
        Some(match self {
            Self::Battle(battle) => Perceived::Battle(BattleNotice::of(battle, ear)),
            Self::CargoLost {
                army,
                fleet,
                lost,
                left,
            } => Perceived::CargoLost {
                army: army.name,
                fleet: *fleet,
                lost: *lost,
                left: *left,
            },
            Self::Attrition {
                army,
                field,
                equipment,
                pct,
                lost,
                left,
            } => Perceived::Attrition {
                army: army.name,
                place: place(*field),
                equipment: *equipment,
                pct: *pct,
                lost: *lost,
                left: *left,
            },
            Self::AtHome { army, field } => Perceived::AtHome {
                army: army.name,
                place: place(*field),
            },
            Self::EquipmentBought { army, equipment, cost } => Perceived::EquipmentBought {
                army: army.name,
                equipment: *equipment,
                cost: *cost,
            },
            Self::EquipmentUsedUp { army, equipment } => Perceived::EquipmentUsedUp {
                army: army.name,
                equipment: *equipment,
            },
            Self::Stationed { army, field } => Perceived::Stationed {
                army: army.name,
                place: place(*field),
            },
            Self::StationingEnded { army } => Perceived::StationingEnded { army: army.name },
            Self::TraderRaised { trader, field } => Perceived::TraderRaised {
                trader: trader.name,
                place: place(*field),
            },
            Self::Loaded { trader, goods } => Perceived::Loaded {
                trader: trader.name,
                goods: list(goods),
            },
            Self::HandedOver { trader, to, goods } => Perceived::HandedOver {
                trader: trader.name,
                to: *to,
                goods: list(goods),
            },
            Self::Delivered {
                trader,
                owner,
                field,
                goods,
                needed,
                others,
            } => {
                // The ruler of the town reads what it is worth to him, whoever brought it; that of the trader only that it arrived.
                if ear.is(*owner) {
                    Perceived::Received {
                        from: ear.who(trader.realm),
                        place: place(*field),
                        goods: list(goods),
                        needed: *needed,
                        others: *others,
                    }
                } else {
                    Perceived::Delivered {
                        trader: trader.name,
                        owner: ear.who(*owner),
                        place: place(*field),
                        goods: list(goods),
                    }
                }
            }
            Self::TraderTaken {
                trader,
                by,
                field,
                goods,
            } => {
                if ear.is(by.realm) {
                    Perceived::TraderTaken {
                        by: by.name,
                        whose: ear.who(trader.realm),
                        place: place(*field),
                        goods: list(goods),
                    }
                } else {
                    Perceived::TraderLost {
                        trader: trader.name,
                        by: ear.who(by.realm),
                        place: place(*field),
                    }
                }
            }
            Self::BandMoved { creature, from, to, .. } => Perceived::BandMoved {
                creature: *creature,
                from: place(*from),
                to: place(*to),
            },
            Self::Plundered { field, creature, .. } => Perceived::Plundered {
                place: place(*field),
                creature: *creature,
            },
            Self::GiftSent { to, gold, .. } => Perceived::GiftSent {
                to: ear.who(*to),
                gold: *gold,
            },
            Self::GiftReceived { from, gold, .. } => Perceived::GiftReceived {
                from: ear.who(*from),
                gold: *gold,
            },
            Self::OtherJudged {
                unit,
                text,
                answer,
                words,
                reason,
                ..
            } => Perceived::OtherJudged {
                unit: *unit,
                text: text.clone(),
                answer: *answer,
                words: words.clone(),
                reason: reason.clone(),
            },
            Self::Decreed(decree) => Perceived::Decreed {
                deed: decree.deed,
                army: decree.army,
                place: decree.field.map(place),
                who: ear.who(if ear.is(decree.realm) {
                    decree.realm
                } else {
                    decree.other
                }),
                number: decree.number,
                code: decree.code.to_owned(),
            },
            Self::Ranked { realm, rank, score, .. } => Perceived::Ranked {
                who: ear.who(*realm),
                rank: *rank,
                score: *score,
            },
        })
    }

    fn words(&self, cast: &Cast<'_>) -> String {
        let army = |army: &ArmyId| cast.army(*army);
        let realm = |realm: &RealmId| cast.realm(*realm);
        let place = |field: &FieldIndex| cast.place(*field);
        match self {
            Self::Battle(fought) => battle::words(fought, cast),
            Self::CargoLost {
                army: a, lost, left, ..
            } => format!("{} aboard loses {lost}, {left} left", army(a)),
            Self::Attrition {
                army: a,
                field,
                lost,
                left,
                ..
            } => {
                format!("{} loses {lost} at {}, {left} left", army(a), place(field))
            }
            Self::AtHome { army: a, field } => format!("{} is at home at {}", army(a), place(field)),
            Self::EquipmentBought {
                army: a,
                equipment,
                cost,
            } => {
                format!("{} gets equipment {} for {cost}", army(a), equipment.code())
            }
            Self::EquipmentUsedUp { army: a, equipment } => {
                format!("{} has used up equipment {}", army(a), equipment.code())
            }
            Self::Stationed { army: a, field } => format!("{} stationed at {}", army(a), place(field)),
            Self::StationingEnded { army: a } => format!("{} no longer stationed", army(a)),
            Self::TraderRaised { trader, field } => format!("{} raised at {}", army(trader), place(field)),
            Self::Loaded { trader, goods } => format!("{} loads {}", army(trader), codes(&list(goods))),
            Self::HandedOver { trader, to, goods } => {
                format!("{} hands {} to {to}", army(trader), codes(&list(goods)))
            }
            Self::Delivered {
                trader,
                field,
                goods,
                needed,
                others,
                ..
            } => format!(
                "{} delivers {} at {}, needed {needed}, others {others}",
                army(trader),
                codes(&list(goods)),
                place(field)
            ),
            Self::TraderTaken {
                trader,
                by,
                field,
                goods,
            } => format!(
                "{} takes {} of {} at {}",
                army(by),
                codes(&list(goods)),
                army(trader),
                place(field)
            ),
            Self::BandMoved { creature, from, to, .. } => {
                format!("{} goes from {} to {}", creature.code(), place(from), place(to))
            }
            Self::Plundered {
                realm: r,
                field,
                creature,
            } => {
                format!("{} plunders {} of {}", creature.code(), place(field), realm(r))
            }
            Self::GiftSent { from, to, gold } => format!("{} sends {gold} to {}", realm(from), realm(to)),
            Self::GiftReceived { realm: r, from, gold } => format!("{} receives {gold} from {}", realm(r), realm(from)),
            Self::OtherJudged {
                realm: r, text, answer, ..
            } => {
                format!("{} other order {}: {text}", realm(r), answer.code())
            }
            Self::Decreed(decree) => {
                let who = realm(&decree.realm);
                let army = decree.army.map_or_else(String::new, |army| format!(" {army}"));
                let field = decree
                    .field
                    .map_or_else(String::new, |field| format!(" {}", place(&field)));
                format!(
                    "decree {} {who}{army}{field} {} {}",
                    decree.deed.code(),
                    decree.number,
                    decree.code
                )
                .trim_end()
                .to_owned()
            }
            Self::Ranked {
                realm: r, rank, score, ..
            } => format!("{} rank {rank} score {score}", realm(r)),
        }
    }
}

/// `wein:5 erze:3`.
fn codes(goods: &[(Good, i64)]) -> String {
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

/// Key of the wording of a judgement.
const fn deed_line(deed: Deed) -> &'static str {
    match deed {
        Deed::Stance => "decree-order",
        Deed::Gold => "decree-gold",
        Deed::Moved => "decree-moved",
        Deed::Strength => "decree-strength",
        Deed::Owner => "decree-owner",
        Deed::Settlement => "decree-settlement",
        Deed::Work => "decree-work",
        Deed::Road => "decree-road",
        Deed::Plague => "decree-plague",
        Deed::Band => "decree-band",
        Deed::Culture => "decree-culture",
        Deed::Released => "decree-released",
    }
}

/// Writes a line with goods under `goods`.
fn goods_line(pen: &mut Pen<'_>, key: &str, args: &[(&str, Arg<'_>)], goods: &[(Good, i64)], why: &Why) {
    let values: Vec<[(&str, Arg<'_>); 2]> = goods
        .iter()
        .map(|(good, points)| [("n", int(*points)), ("good", Arg::Word(good_word(*good)))])
        .collect();
    let phrases: Vec<Phrase<'_>> = values.iter().map(|args| Phrase { key: "points-of", args }).collect();
    let mut all = args.to_vec();
    all.push(("goods", Arg::List(&phrases, ", ")));
    pen.reasoned(key, &all, why);
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
                    (
                        "equipment",
                        Arg::Text(equipment.map_or("-", |equipment| equipment.code())),
                    ),
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
                goods_line(pen, "loaded", &[("army", Arg::Text(&text(trader)))], goods, why);
            }
            Self::HandedOver { trader, to, goods } => {
                let (trader, to) = (text(trader), text(to));
                goods_line(
                    pen,
                    "handed-over",
                    &[("army", Arg::Text(&trader)), ("to", Arg::Text(&to))],
                    goods,
                    why,
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
                goods_line(pen, "delivered", &args, goods, why);
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
                goods_line(pen, "received", &args, goods, why);
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
                goods_line(pen, "trader-taken", &args, goods, why);
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
                let args = [
                    ("army", Arg::Text(&army)),
                    ("field", Arg::Text(&place)),
                    ("realm", who_arg(who, &label)),
                    ("n", int(*number)),
                    ("code", Arg::Text(if code.is_empty() { "-" } else { code })),
                ];
                pen.reasoned(deed_line(*deed), &args, why);
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
