//! Events of part B: settlements, money, goods, trade, plague, unrest, disasters.

use super::{Ear, Tale, Telling};
use crate::chart::Place;
use crate::codes::Good;
use crate::report::Pen;
use crate::report::section::Section;
use crate::stage::Cast;
use crate::state::State;
use kernel::hex::FieldIndex;
use kernel::realm::RealmId;
use kernel::report::{Arg, Why};
use serde::{Deserialize, Serialize};

/// Something that happened.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs, reason = "the fields say what their names say")]
pub enum Economy {
    /// PYG-GAP-52.
    PlacesChosen {
        realm: RealmId,
        field: FieldIndex,
        goods: [Good; 3],
    },
}

/// What a viewer is told of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the fields say what their names say")]
pub enum Perceived {
    PlacesChosen { place: Place, goods: [Good; 3] },
}

impl Tale for Economy {
    type Notice = Perceived;

    fn audience(&self, _state: &State, realms: &mut Vec<RealmId>) {
        match self {
            Self::PlacesChosen { realm, .. } => realms.push(*realm),
        }
    }

    fn notice(&self, ear: &Ear<'_>) -> Option<Perceived> {
        Some(match self {
            Self::PlacesChosen { field, goods, .. } => Perceived::PlacesChosen {
                place: ear.state.place(*field),
                goods: *goods,
            },
        })
    }

    fn words(&self, cast: &Cast<'_>) -> String {
        match self {
            Self::PlacesChosen { realm, field, goods } => {
                let goods = goods.map(Good::code).join("+");
                format!("{} produces {goods} at {}", cast.realm(*realm), cast.place(*field))
            }
        }
    }
}

impl Telling for Perceived {
    fn section(&self) -> Section {
        match self {
            Self::PlacesChosen { .. } => Section::Budget,
        }
    }

    fn write(&self, pen: &mut Pen<'_>, why: &Why) {
        match self {
            Self::PlacesChosen { place, goods } => {
                let (place, [first, second, third]) = (place.to_string(), goods.map(crate::report::good_word));
                let args = [
                    ("field", Arg::Text(&place)),
                    ("first", Arg::Word(first)),
                    ("second", Arg::Word(second)),
                    ("third", Arg::Word(third)),
                ];
                pen.reasoned("places-chosen", &args, why);
            }
        }
    }

    fn words(&self) -> String {
        match self {
            Self::PlacesChosen { place, goods } => format!("produces {} at {place}", goods.map(Good::code).join("+")),
        }
    }
}
