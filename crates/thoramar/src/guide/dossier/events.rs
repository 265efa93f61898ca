//! What happened on a field in the turn the view tells of, and who was seen there, week by week.

use super::super::{int, section};
use super::{Desk, seen_army};
use crate::geo::Place;
use crate::notice::Perceived;
use crate::report;
use crate::rule;
use crate::state::SeenArmy;
use crate::view::{Listed, Sightings, View};
use kernel::report::ReportSink;

/// Writes both.
pub(super) fn write(desk: &Desk<'_>, sink: &mut dyn ReportSink) {
    visitors(desk, sink);
    let told: Vec<_> = desk
        .view
        .told
        .iter()
        .filter(|told| concerns(&told.notice.what, desk.place))
        .cloned()
        .collect();
    if told.is_empty() {
        return;
    }
    // The report writes events from a view; this one holds nothing but those of the field.
    let part = View {
        told,
        house_rules: String::new(),
        playing: Vec::new(),
        realms: desk.view.realms.clone(),
        fields: Listed::default(),
        armies: Listed::default(),
        treaties: Vec::new(),
        diagnostics: Vec::new(),
        sightings: Sightings::default(),
        territory: Vec::new(),
        ..*desk.view
    };
    section(sink, "dossier-events", &[], &[rule::REP_04, rule::REP_08], |sink| {
        report::happenings(desk.tables, &part, sink);
    });
}

/// Strange armies seen here, week by week (THO-SIGHT-01..05).
fn visitors(desk: &Desk<'_>, sink: &mut dyn ReportSink) {
    let sightings = &desk.view.sightings;
    let ground = sightings
        .grounds
        .binary_search_by_key(&desk.place, |ground| ground.place);
    let Some(ground) = ground.ok().and_then(|ground| u32::try_from(ground).ok()) else {
        return;
    };
    let is_strange = |army: &&SeenArmy| army.realm.is_none() || army.realm != desk.view.realm();
    let mut list: Vec<(u8, &SeenArmy)> = Vec::new();
    for week in &sightings.weeks {
        let here = week.fields.iter().filter(|(number, _)| *number == ground);
        let crowds = here.flat_map(|(_, crowd)| sightings.crowds.get(*crowd));
        list.extend(crowds.filter(is_strange).map(|army| (week.week, army)));
    }
    if list.is_empty() {
        return;
    }
    let rules = [rule::SIGHT_01, rule::SIGHT_02, rule::SIGHT_03, rule::SIGHT_05];
    section(sink, "dossier-visitors", &[], &rules, |sink| {
        for (week, army) in list {
            seen_army(sink, "dossier-visitor", army, &[("w", int(week))]);
        }
    });
}

/// Whether something happened on this field.
fn concerns(what: &Perceived, here: Place) -> bool {
    match what {
        Perceived::GatePassed { from, to, .. } | Perceived::ArmyMoved { from, to, .. } => *from == here || *to == here,
        Perceived::LostInRiver { to, .. } => *to == here,
        Perceived::WorkBegun { place, .. }
        | Perceived::BuildingRenamed { place, .. }
        | Perceived::NetworkLaid { place, .. }
        | Perceived::ArmyArmed { place, .. }
        | Perceived::FieldBlessed { place, .. }
        | Perceived::DemonsBanished { place, .. }
        | Perceived::ArchdemonWeakened { place, .. }
        | Perceived::MonstersCalmed { place, .. }
        | Perceived::HoldBroken { place, .. }
        | Perceived::ArmiesTamed { place, .. }
        | Perceived::LostOnTerrain { place, .. }
        | Perceived::LostAtWall { place, .. }
        | Perceived::HeldUp { place, .. }
        | Perceived::Landed { place, .. }
        | Perceived::Shot { place, .. }
        | Perceived::HelpersCalled { place, .. }
        | Perceived::Fought { place, .. }
        | Perceived::StrengthReckoned { place, .. }
        | Perceived::BootyTaken { place, .. }
        | Perceived::ArmyLost { place, .. }
        | Perceived::Plundered { place, .. }
        | Perceived::FieldPlundered { place, .. }
        | Perceived::Traded { place, .. }
        | Perceived::StrangersTraded { place, .. }
        | Perceived::FieldConquered { place, .. }
        | Perceived::FieldLost { place, .. }
        | Perceived::BuildingChanged { place, .. }
        | Perceived::BuildingDamaged { place, .. }
        | Perceived::DamageSuffered { place, .. }
        | Perceived::NetworkTorn { place, .. }
        | Perceived::NetworkLost { place, .. }
        | Perceived::RuinCleared { place, .. }
        | Perceived::MinePaid { place, .. }
        | Perceived::MineExhausted { place }
        | Perceived::VeinSought { place, .. }
        | Perceived::LandCeded { place, .. }
        | Perceived::FieldRevolted { place }
        | Perceived::WorkFinished { place, .. }
        | Perceived::CapitalLost { place, .. }
        | Perceived::BlessingEnded { place }
        | Perceived::MonstersAppeared { place, .. } => *place == here,
        _ => false,
    }
}
