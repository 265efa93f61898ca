//! Who is told of an event (5.5 of the catalogue, column "shown to").

use crate::event::{Event, Happening};
use crate::order::Recipient;
use crate::state::State;
use kernel::realm::RealmId;

/// The realms that are told of an event: each happening names those it concerns.
pub fn audience(state: &State, event: &Event, realms: &mut Vec<RealmId>) {
    use Happening as H;
    match &event.what {
        H::OrdersMissing { realm, .. }
        | H::RealmRenamed { realm, .. }
        | H::CultureWritten { realm }
        | H::ComputerSet { realm }
        | H::InformationAsked { realm }
        | H::RealmAssigned { realm }
        | H::RealmReleased { realm }
        | H::WorkBegun { realm, .. }
        | H::BuildingRenamed { realm, .. }
        | H::NetworkLaid { realm, .. }
        | H::StrengthReckoned { realm, .. }
        | H::BootyTaken { realm, .. }
        | H::WeekSeen { realm, .. }
        | H::TerritorySeen { realm, .. }
        | H::Settled { realm, .. }
        | H::Deserted { realm, .. }
        | H::MinePaid { realm, .. }
        | H::MineExhausted { realm, .. }
        | H::VeinSought { realm, .. }
        | H::TreatyWished { realm, .. }
        | H::CapitalLost { realm, .. }
        | H::RealmEliminated { realm }
        | H::AccountCharged { realm, .. }
        | H::AccountCredited { realm, .. } => realms.push(*realm),

        H::ArmyArmed { army, .. }
        | H::ArmySplit { army, .. }
        | H::ArmiesMerged { army, .. }
        | H::GroupFormed { group: army, .. }
        | H::GroupJoined { army, .. }
        | H::GroupLeft { army, .. }
        | H::GroupDissolved { group: army }
        | H::GatePassed { army, .. }
        | H::FieldBlessed { priest: army, .. }
        | H::DemonsSummoned { wizard: army, .. }
        | H::DemonFreed { was: army, .. }
        | H::HoldBroken { wizard: army, .. }
        | H::ArmiesTamed { wizard: army, .. }
        | H::ArmyAccelerated { army, .. }
        | H::StepFailed { army, .. }
        | H::ArmyMoved { army, .. }
        | H::LostOnTerrain { army, .. }
        | H::LostInRiver { army, .. }
        | H::HeldUp { army, .. }
        | H::Embarked { army, .. }
        | H::Landed { army, .. }
        | H::CargoLost { army, .. }
        | H::ArmyLost { army, .. }
        | H::RuinCleared { army, .. }
        | H::DemonsReturned { demon: army, .. }
        | H::WizardTrained { wizard: army, .. }
        | H::ControlPaid { wizard: army, .. } => realms.push(army.realm),

        H::DemonsBanished { demons, by, .. } => realms.extend([demons.id.realm, *by]),
        H::ArchdemonWeakened { demon, by, .. } => realms.extend([demon.id.realm, *by]),
        H::MonstersCalmed { by, .. } => realms.push(*by),
        H::LostAtWall { army, owner, .. } => realms.extend([army.id.realm, *owner]),
        H::Shot { army, target, .. } => realms.extend([army.id.realm, target.id.realm]),
        H::HelpersCalled { demon, others, .. } => {
            realms.push(demon.id.realm);
            realms.extend(others);
        }
        H::Fought { owner, fighters, .. } => {
            realms.push(*owner);
            realms.extend(fighters.iter().map(|fighter| fighter.army.id.realm));
        }
        H::Plundered { army, owner, .. }
        | H::BuildingDamaged { army, owner, .. }
        | H::NetworkTorn { army, owner, .. }
        | H::FieldConquered { army, from: owner, .. } => realms.extend([army.realm, *owner]),
        H::Traded {
            army,
            owner,
            owner_gold,
            ..
        } => {
            realms.push(army.realm);
            if *owner_gold > 0 {
                realms.push(*owner);
            }
        }
        H::BuildingChanged { owner, .. }
        | H::FieldRevolted { owner, .. }
        | H::WorkFinished { owner, .. }
        | H::BlessingEnded { owner, .. } => realms.push(*owner),
        H::GoldSent { from, to, .. } | H::LandCeded { from, to, .. } => realms.extend([*from, *to]),
        H::TreatyChanged { one, other, .. } => realms.extend([*one, *other]),

        // What becomes of the wild is the game master's to know.
        H::MonstersGrew { .. } | H::MonstersAppeared { .. } => {}
        // Players learn of a change when they see it; in their own books they see it at once.
        H::WorldEdited { treasury, .. } => realms.extend(treasury.map(|(realm, _)| realm)),
        H::TablesRefused { .. } | H::EditRefused { .. } => {}
        // Unrest that matters stands in its owner's report.
        H::OrdersRead { .. } | H::UnrestStirred { .. } => {}
        // A warning is the game master's.
        H::AbsenceWarned { .. } => {}
        H::RealmScored { .. } | H::TablesChanged { .. } | H::WorldClosed => realms.extend(state.realms.keys()),
        H::MessageSent { from, to, .. } => {
            realms.push(*from);
            readers(state, *to, realms);
        }
        H::GameMasterWrote { to, .. } => readers(state, *to, realms),
    }
}

fn readers(state: &State, to: Recipient, realms: &mut Vec<RealmId>) {
    match to {
        Recipient::Realm(realm) => realms.push(realm),
        Recipient::GameMaster => {}
        Recipient::Everyone | Recipient::Rumour => realms.extend(state.realms.keys()),
    }
}
