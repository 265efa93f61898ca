//! Events of part C: battles, losses, attrition, stationing, traders, creatures, gifts, judgements, the ranking.

mod battle;
mod decree;
mod telling;

use super::{Ear, Tale};
use crate::battle::Battle;
use crate::codes::{Creature, Equipment, Good};
use crate::stage::Cast;
use crate::state::{ArmyId, ArmyName, BandId, Points, State};
pub use battle::{BattleNotice, FighterNotice};
pub use decree::{Answer, Decree, Deed};
use kernel::hex::FieldIndex;
use kernel::realm::RealmId;
use telling::codes;
pub use telling::{Perceived, creature_word};

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
