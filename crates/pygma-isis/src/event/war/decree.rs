//! Judgements that changed the world, and how other orders were answered (PYG-GAP-40, catalogue 5.5).

use crate::codes::vocabulary;
use crate::state::{ArmyId, ArmyName};
use kernel::hex::FieldIndex;
use kernel::realm::RealmId;

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
        River      "river"      "Fluß"
        Terrain    "terrain"    "Gelände"
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

/// Key of the wording of a judgement, by what it did: whether something is there now, and its number.
pub(super) const fn deed_line(deed: Deed, something: bool, number: i64) -> &'static str {
    match deed {
        Deed::Settlement if !something => "decree-no-settlement",
        Deed::Work if !something => "decree-no-work",
        Deed::Band if !something => "decree-no-band",
        Deed::Plague if number == 0 => "decree-no-plague",
        Deed::Stance => "decree-order",
        Deed::Gold => "decree-gold",
        Deed::Moved => "decree-moved",
        Deed::Strength => "decree-strength",
        Deed::Owner => "decree-owner",
        Deed::Settlement => "decree-settlement",
        Deed::Work => "decree-work",
        Deed::Road => "decree-road",
        Deed::River => "decree-river",
        Deed::Terrain => "decree-terrain",
        Deed::Plague => "decree-plague",
        Deed::Band => "decree-band",
        Deed::Culture => "decree-culture",
        Deed::Released => "decree-released",
    }
}
