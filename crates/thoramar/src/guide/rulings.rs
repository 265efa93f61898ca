//! Judgements of the game master as forms (THO-ADM-01, THO-ADM-02, THO-MSG-02, GAP-30, GAP-42).

use crate::codes::RealmKind;
use crate::rule;
use kernel::form::{Choice, FormField, Input};
use kernel::guide::RulingForm;

/// Every judgement, those about a realm first.
pub(super) fn forms() -> Vec<RulingForm> {
    let realm = || FormField::new("realm", "field-realm", Input::Realm);
    let player = FormField::new("player", "ruling-player", Input::Text { max: 80, lines: 1 });
    let kinds = RealmKind::ALL
        .iter()
        .map(|kind| Choice::worded(kind.code(), format!("realm-{}", kind.code())));
    let kind = Input::Choice {
        choices: kinds.collect(),
    };
    let amount = Input::Number {
        min: -1_000_000_000,
        max: 1_000_000_000,
    };
    let text = || FormField::new("text", "ruling-text", Input::Text { max: 2_000, lines: 12 });
    let write = |name, pattern, fields| RulingForm {
        line_end: " / ",
        ..RulingForm::act(name, pattern, fields)
    };
    vec![
        RulingForm::act("keep", "keep", Vec::new())
            .answering(&[rule::ADM_03])
            .if_asked(),
        RulingForm::act("hand", "hand {realm} to {player}", vec![realm(), player]).answering(&[rule::ADM_03]),
        RulingForm::act("release", "release {realm}", vec![realm()]).answering(&[rule::ADM_03]),
        RulingForm::act(
            "kind",
            "kind {realm} {kind}",
            vec![realm(), FormField::new("kind", "ruling-realm-kind", kind)],
        ),
        RulingForm::act(
            "credit",
            "credit {realm} {amount}",
            vec![realm(), FormField::new("amount", "field-amount", amount)],
        ),
        write("write", "write {realm}: {text}", vec![realm(), text()]),
        write("write-all", "write everyone: {text}", vec![text()]),
        RulingForm::act("close", "close", Vec::new()),
    ]
}
