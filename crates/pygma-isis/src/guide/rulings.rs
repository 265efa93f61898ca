//! Judgements of the game master as forms (catalogue 5.5).

use crate::codes::Disaster;
use crate::rule;
use kernel::form::{Choice, FormField, Input};
use kernel::guide::RulingForm;

/// Every judgement that is no change of the map, answers first.
pub(super) fn forms() -> Vec<RulingForm> {
    // Each of these asks whether something may be, or takes its course.
    let yes_or_no = [rule::ORD_08, rule::ROAD_08, rule::TOWN_02, rule::TOWN_07, rule::PLAG_03];
    let realm = || FormField::new("realm", "field-realm", Input::Realm);
    let text = || FormField::new("text", "ruling-text", Input::Text { max: 2_000, lines: 6 });
    let player = FormField::new("player", "ruling-player", Input::Text { max: 80, lines: 1 });
    let gold = Input::Number {
        min: -1_000_000_000,
        max: 1_000_000_000,
    };
    let disasters = Disaster::ALL
        .iter()
        .map(|disaster| Choice::worded(disaster.code(), format!("disaster-{}", disaster.code())));
    let disaster = Input::Choice {
        choices: disasters.collect(),
    };
    let place = FormField::new("place", "field-place", Input::Place).or_nothing();
    vec![
        RulingForm::act("allow", "allow {text}", vec![text().or_nothing()])
            .answering(&yes_or_no)
            .if_asked(),
        RulingForm::act("deny", "deny {text}", vec![text().or_nothing()])
            .answering(&yes_or_no)
            .if_asked(),
        RulingForm::act("keep", "keep", Vec::new())
            .answering(&[rule::GAP_68])
            .if_asked(),
        RulingForm::act("assign", "assign {realm} {player}", vec![realm(), player]).answering(&[rule::GAP_68]),
        RulingForm::act("release", "release {realm}", vec![realm()]).answering(&[rule::GAP_68]),
        RulingForm::act(
            "gold",
            "gold {realm} {gold}",
            vec![realm(), FormField::new("gold", "ruling-gold-amount", gold)],
        )
        .answering(&[rule::ORD_08]),
        RulingForm::act(
            "disaster",
            "disaster {realm} {disaster} {place}",
            vec![
                realm(),
                FormField::new("disaster", "ruling-disaster-kind", disaster),
                place,
            ],
        )
        .answering(&[rule::ORD_08]),
        RulingForm::act("write", "write {realm} {text}", vec![realm(), text()]),
        RulingForm::act("write-all", "write all {text}", vec![text()]),
        RulingForm::act("close", "close", Vec::new()),
    ]
}
