//! Events that belong to no chapter: sheets that came or did not, words between realms, judgements, who is out.

use super::{Ear, Tale, Telling, Who};
use crate::report::section::Section;
use crate::report::{Pen, int};
use crate::stage::Cast;
use crate::state::State;
use kernel::realm::RealmId;
use kernel::report::{Arg, Why};
use serde::{Deserialize, Serialize};

/// Something that happened.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs, reason = "the fields say what their names say")]
pub enum Common {
    /// PYG-GAP-68: to the realm only from so many months on.
    OrdersMissing {
        realm: RealmId,
        in_a_row: u32,
        warned: bool,
    },
    /// To the game master only.
    OrdersRead { realm: RealmId, orders: u32 },
    /// PYG-GAME-10, PYG-GAP-69.
    MessageSent { from: RealmId, to: RealmId, text: String },
    /// The game master wrote to one realm, or to all.
    GameMasterWrote { to: Option<RealmId>, text: String },
    /// PYG-GAP-70: to the realm whose die it was; without a face that fell there was no such die, or no such face of it.
    DieFixed {
        realm: RealmId,
        name: String,
        face: i64,
        fell: Option<i64>,
        reason: String,
    },
    /// A realm has another player.
    RealmAssigned { realm: RealmId },
    /// PYG-GAP-66.
    RealmEliminated { realm: RealmId },
    /// PYG-GAP-66.
    WorldClosed,
}

/// What a viewer is told of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the fields say what their names say")]
pub enum Perceived {
    OrdersMissing {
        realm: Who,
        in_a_row: u32,
    },
    OrdersRead {
        realm: Who,
        orders: u32,
    },
    MessageReceived {
        from: Who,
        text: String,
    },
    MessageSent {
        to: Who,
        text: String,
    },
    /// For the game master.
    MessageCarried {
        from: Who,
        to: Who,
        text: String,
    },
    GameMasterWrote {
        text: String,
    },
    DieFixed {
        name: String,
        face: i64,
        fell: Option<i64>,
        reason: String,
    },
    RealmAssigned {
        realm: Who,
    },
    RealmEliminated {
        realm: Who,
    },
    WorldClosed,
}

impl Tale for Common {
    type Notice = Perceived;

    fn audience(&self, state: &State, realms: &mut Vec<RealmId>) {
        match self {
            Self::OrdersMissing { warned: false, .. } => {}
            Self::OrdersMissing { realm, .. }
            | Self::RealmAssigned { realm }
            | Self::RealmEliminated { realm }
            | Self::DieFixed { realm, .. } => realms.push(*realm),
            Self::OrdersRead { .. } => {}
            Self::MessageSent { from, to, .. } => realms.extend([*from, *to]),
            Self::GameMasterWrote { to: Some(realm), .. } => realms.push(*realm),
            Self::GameMasterWrote { to: None, .. } | Self::WorldClosed => realms.extend(state.realms.keys()),
        }
    }

    fn notice(&self, ear: &Ear<'_>) -> Option<Perceived> {
        Some(match self {
            Self::OrdersMissing { realm, in_a_row, .. } => Perceived::OrdersMissing {
                realm: ear.who(*realm),
                in_a_row: *in_a_row,
            },
            Self::OrdersRead { realm, orders } => Perceived::OrdersRead {
                realm: ear.who(*realm),
                orders: *orders,
            },
            Self::MessageSent { from, to, text } => {
                let text = text.clone();
                match (ear.is(*from), ear.is(*to)) {
                    (true, true) => Perceived::MessageCarried {
                        from: ear.who(*from),
                        to: ear.who(*to),
                        text,
                    },
                    (true, false) => Perceived::MessageSent { to: ear.who(*to), text },
                    (false, true) => Perceived::MessageReceived {
                        from: ear.who(*from),
                        text,
                    },
                    (false, false) => return None,
                }
            }
            Self::GameMasterWrote { text, .. } => Perceived::GameMasterWrote { text: text.clone() },
            Self::DieFixed {
                name,
                face,
                fell,
                reason,
                ..
            } => Perceived::DieFixed {
                name: name.clone(),
                face: *face,
                fell: *fell,
                reason: reason.clone(),
            },
            Self::RealmAssigned { realm } => Perceived::RealmAssigned { realm: ear.who(*realm) },
            Self::RealmEliminated { realm } => Perceived::RealmEliminated { realm: ear.who(*realm) },
            Self::WorldClosed => Perceived::WorldClosed,
        })
    }

    fn words(&self, cast: &Cast<'_>) -> String {
        let realm = |realm: &RealmId| cast.realm(*realm);
        match self {
            Self::OrdersMissing { realm: r, in_a_row, .. } => format!("{} sent no orders {in_a_row}", realm(r)),
            Self::OrdersRead { realm: r, orders } => format!("{} sent {orders} orders", realm(r)),
            Self::MessageSent { from, to, text } => format!("{} wrote to {}: {text}", realm(from), realm(to)),
            Self::GameMasterWrote { to: Some(to), text } => format!("game master wrote to {}: {text}", realm(to)),
            Self::GameMasterWrote { to: None, text } => format!("game master wrote to all: {text}"),
            Self::DieFixed { name, face, fell, .. } => fixed_words(name, *face, *fell),
            Self::RealmAssigned { realm: r } => format!("{} assigned", realm(r)),
            Self::RealmEliminated { realm: r } => format!("{} eliminated", realm(r)),
            Self::WorldClosed => "the world is closed".to_owned(),
        }
    }
}

impl Telling for Perceived {
    fn section(&self) -> Section {
        match self {
            Self::OrdersMissing { .. } | Self::OrdersRead { .. } => Section::Orders,
            Self::MessageReceived { .. }
            | Self::MessageSent { .. }
            | Self::MessageCarried { .. }
            | Self::GameMasterWrote { .. } => Section::Letters,
            Self::DieFixed { .. } | Self::RealmAssigned { .. } | Self::RealmEliminated { .. } | Self::WorldClosed => {
                Section::Rulings
            }
        }
    }

    fn write(&self, pen: &mut Pen<'_>, why: &Why) {
        match self {
            Self::OrdersMissing { in_a_row, .. } => pen.reasoned("orders-missing", &[("n", int(*in_a_row))], why),
            Self::OrdersRead { realm, orders } => {
                let name = realm.label();
                pen.reasoned("orders-read", &[("realm", Arg::Text(&name)), ("n", int(*orders))], why);
            }
            Self::MessageReceived { from, text } => pen.letter("letter-from", &from.label(), text, why),
            Self::MessageSent { to, text } => pen.letter("letter-to", &to.label(), text, why),
            Self::MessageCarried { from, text, .. } => pen.letter("letter-from", &from.label(), text, why),
            Self::GameMasterWrote { text } => pen.letter("letter-game-master", "", text, why),
            Self::DieFixed {
                name,
                face,
                fell,
                reason,
            } => {
                let args = [
                    ("die", Arg::Text(name)),
                    ("n", int(*face)),
                    ("fell", int(fell.unwrap_or(*face))),
                    ("reason", Arg::Text(reason)),
                ];
                let key = if fell.is_some() { "die-fixed" } else { "die-not-fixed" };
                pen.reasoned(key, &args, why);
            }
            Self::RealmAssigned { realm } => {
                pen.reasoned("realm-assigned", &[("realm", Arg::Text(&realm.label()))], why)
            }
            Self::RealmEliminated { realm } => {
                pen.reasoned("realm-eliminated", &[("realm", Arg::Text(&realm.label()))], why)
            }
            Self::WorldClosed => pen.reasoned("world-closed", &[], why),
        }
    }

    fn words(&self) -> String {
        match self {
            Self::OrdersMissing { in_a_row, .. } => format!("no orders {in_a_row}"),
            Self::OrdersRead { realm, orders } => format!("{} sent {orders} orders", realm.label()),
            Self::MessageReceived { from, text } => format!("letter from {}: {text}", from.label()),
            Self::MessageSent { to, text } => format!("letter to {}: {text}", to.label()),
            Self::MessageCarried { from, to, text } => {
                format!("letter from {} to {}: {text}", from.label(), to.label())
            }
            Self::GameMasterWrote { text } => format!("letter from the game master: {text}"),
            Self::DieFixed {
                name,
                face,
                fell,
                reason,
            } => format!("{}: {reason}", fixed_words(name, *face, *fell)),
            Self::RealmAssigned { .. } => "assigned".to_owned(),
            Self::RealmEliminated { .. } => "eliminated".to_owned(),
            Self::WorldClosed => "the world is closed".to_owned(),
        }
    }
}

fn fixed_words(name: &str, face: i64, fell: Option<i64>) -> String {
    match fell {
        Some(fell) => format!("die {name} fixed {face}, fell {fell}"),
        None => format!("die {name} not fixed {face}"),
    }
}
