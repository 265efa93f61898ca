//! What happened, and who is told what (catalogue 5.4). Each part of the rule book has its own events in its own file; this one
//! joins them.
//!
//! An event holds the truth. A notice is what one viewer is told of it, in words that he may read: realms as he knows them.

pub mod common;
pub mod economy;
pub mod travel;
pub mod war;

use crate::report::Pen;
use crate::report::section::Section;
use crate::state::{Acquaintance, State};
use crate::tables::Tables;
use kernel::realm::{RealmId, Viewer};
use kernel::report::Why;
use serde::{Deserialize, Serialize};

/// Before the first tick of movement.
pub const BEFORE: u8 = 0;
/// After the last.
pub const AFTER: u8 = 99;

/// Something that happened.
#[derive(Clone, PartialEq, Debug)]
pub struct Event {
    /// Tick of movement, [`BEFORE`] or [`AFTER`].
    pub tick: u8,
    /// What.
    pub what: Happening,
}

/// What one viewer is told.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Notice {
    /// Tick of movement, [`BEFORE`] or [`AFTER`].
    pub tick: u8,
    /// What.
    pub what: Perceived,
}

/// What the events of one part of the rule book can say of themselves.
pub trait Tale {
    /// What a viewer is told of them.
    type Notice;
    /// The realms that are told, beside the game master.
    fn audience(&self, state: &State, realms: &mut Vec<RealmId>);
    /// What a viewer is told.
    fn notice(&self, ear: &Ear<'_>) -> Option<Self::Notice>;
    /// In a few words, for scenarios: who or what first.
    fn words(&self, cast: &crate::stage::Cast<'_>) -> String;
}

/// What the notices of one part can say of themselves.
pub trait Telling {
    /// In which section of the report they stand.
    fn section(&self) -> Section;
    /// Writes its line.
    fn write(&self, pen: &mut Pen<'_>, why: &Why);
    /// In a few words, for scenarios.
    fn words(&self) -> String;
}

macro_rules! parts {
    ($($part:ident $module:ident)+) => {
        /// What happened, by part of the rule book.
        #[derive(Clone, PartialEq, Debug)]
        pub enum Happening {
            $(#[doc = concat!("See [`", stringify!($module), "`].")] $part($module::$part),)+
        }

        /// What is perceived, by part of the rule book.
        #[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
        pub enum Perceived {
            $(#[doc = concat!("See [`", stringify!($module), "`].")] $part($module::Perceived),)+
        }

        $(impl From<$module::$part> for Happening {
            fn from(what: $module::$part) -> Self {
                Self::$part(what)
            }
        })+

        impl Tale for Event {
            type Notice = Notice;

            fn audience(&self, state: &State, realms: &mut Vec<RealmId>) {
                match &self.what { $(Happening::$part(what) => what.audience(state, realms),)+ }
            }

            fn notice(&self, ear: &Ear<'_>) -> Option<Notice> {
                let what = match &self.what { $(Happening::$part(what) => Perceived::$part(what.notice(ear)?),)+ };
                Some(Notice { tick: self.tick, what })
            }

            fn words(&self, cast: &crate::stage::Cast<'_>) -> String {
                match &self.what { $(Happening::$part(what) => what.words(cast),)+ }
            }
        }

        impl Telling for Notice {
            fn section(&self) -> Section {
                match &self.what { $(Perceived::$part(what) => what.section(),)+ }
            }

            fn write(&self, pen: &mut Pen<'_>, why: &Why) {
                match &self.what { $(Perceived::$part(what) => what.write(pen, why),)+ }
            }

            fn words(&self) -> String {
                match &self.what { $(Perceived::$part(what) => what.words(),)+ }
            }
        }
    };
}

parts! {
    Common common
    Travel travel
    Economy economy
    War war
}

/// A realm as a viewer may name it (PYG-GAP-34).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Who {
    /// Nobody: neutral land, creatures.
    Nobody,
    /// The viewer himself.
    Own,
    /// A realm whose name he knows.
    Named {
        /// Its number, for colours.
        id: RealmId,
        /// Its name.
        name: String,
    },
    /// A banner that he has seen before and cannot name.
    Banner(u32),
}

impl Who {
    /// The name to print: the realm's, or `#n` for an unknown banner, or nothing.
    pub fn label(&self) -> String {
        match self {
            Self::Nobody | Self::Own => String::new(),
            Self::Named { name, .. } => name.clone(),
            Self::Banner(number) => format!("#{number}"),
        }
    }
}

/// A viewer who is being told something.
#[derive(Clone, Copy)]
pub struct Ear<'a> {
    /// Who he is.
    pub viewer: Viewer,
    /// The rules' figures.
    pub tables: &'a Tables,
    /// The world after the month.
    pub state: &'a State,
}

impl Ear<'_> {
    /// Whether the viewer is this realm, or sees everything.
    pub fn is(&self, realm: RealmId) -> bool {
        match self.viewer {
            Viewer::GameMaster => true,
            Viewer::Realm(me) => me == realm,
        }
    }

    /// A realm as the viewer may name it.
    pub fn who(&self, realm: RealmId) -> Who {
        who(self.state, self.viewer, realm)
    }
}

/// A realm whose army a viewer sees: by its name if he has met it, unless the world keeps banners unnamed (PYG-GAP-34).
pub fn who_is_seen(tables: &Tables, state: &State, viewer: Viewer, realm: RealmId) -> Who {
    let banner = match viewer {
        Viewer::Realm(me) if !tables.sight.owner_shown_if_met => state.realms.get(&me),
        _ => None,
    };
    let banner = banner.and_then(|own| own.banners.get(&realm));
    banner.map_or_else(|| who(state, viewer, realm), |number| Who::Banner(*number))
}

/// A realm as a viewer may name it (PYG-GAP-34). A realm that he has neither met nor seen is nobody to him.
pub fn who(state: &State, viewer: Viewer, realm: RealmId) -> Who {
    let Some(other) = state.realms.get(&realm) else {
        return Who::Nobody;
    };
    let named = || Who::Named {
        id: realm,
        name: other.name.clone(),
    };
    match viewer {
        Viewer::GameMaster => named(),
        Viewer::Realm(me) if me == realm => Who::Own,
        Viewer::Realm(me) => match state.realms.get(&me) {
            Some(own) if own.acquaintance(realm) > Acquaintance::Stranger => named(),
            Some(own) => own
                .banners
                .get(&realm)
                .map_or(Who::Nobody, |number| Who::Banner(*number)),
            None => Who::Nobody,
        },
    }
}
