//! The battle calculator fights with the rules of melee.

mod support;

use kernel::form::Values;
use kernel::guide::AnyGuide;
use kernel::realm::{RealmId, Viewer};
use support::{GAME, text, view_of};
use thoramar::codes::Kind;
use thoramar::tables::Tables;

const WORLD: &str = "map 0/0 tla Adler HST
army Adler K.L 1 900 at 0/0
army Adler K.M 2 2000 at 0/0";

/// Without luck a fight has one outcome.
const NO_LUCK: &str = "[combat]\nluck_spread_pct = 0\n";

fn answer(house_rules: &str, list: &[(&str, &str)]) -> String {
    let view = view_of(Viewer::Realm(RealmId(1)), house_rules, WORLD);
    let values: Values = list
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();
    text(|sink| GAME.calculate(&view, "battle", &values, sink).expect("a readable view"))
}

#[test]
fn equal_sides_lose_a_quarter_each_week() {
    // GAP-16: 25 % of the strength brought to bear; equal sides bring the same to bear on each other.
    let base = Tables::book().combat.base_loss_pct;
    assert_eq!(base, 25);
    let told = answer(NO_LUCK, &[("own", "K.L 1000"), ("enemy", "K.L 1000"), ("weeks", "1")]);
    assert_eq!(
        told.matches("danach meist 750, zwischen 750 und 750").count(),
        2,
        "{told}"
    );
    let told = answer(NO_LUCK, &[("own", "K.L 1000"), ("enemy", "K.L 1000"), ("weeks", "2")]);
    // 750 less 187.5, rounded half up.
    assert_eq!(told.matches("danach meist 562").count(), 2, "{told}");
    assert!(
        told.contains("In 100 von 100 Fällen ist noch nichts entschieden"),
        "{told}"
    );
}

#[test]
fn a_building_helps_its_holder_only() {
    let bonus =
        Tables::book().building_bonus_pct(thoramar::codes::Building::Castle, thoramar::codes::Condition::Intact);
    let ask = |holder: &str| {
        answer(
            NO_LUCK,
            &[
                ("own", "K.L 1000"),
                ("enemy", "K.L 1000"),
                ("building", "BRG"),
                ("holder", holder),
            ],
        )
    };
    let strong = format!("Kampfkraft {} bei {bonus}% Zuschlag", 1000 + 10 * bonus);
    let order = |told: &str| told.find(&strong).expect("a bonus") > told.find("Die andere Seite").expect("a side");
    assert!(bonus > 0 && order(&ask("enemy")) && !order(&ask("own")));
}

#[test]
fn luck_spreads_what_is_left() {
    let told = answer("", &[("own", "K.L 1000"), ("enemy", "K.L 1000")]);
    assert!(!told.contains("zwischen 750 und 750"), "{told}");
    // The same question has the same answer.
    assert_eq!(told, answer("", &[("own", "K.L 1000"), ("enemy", "K.L 1000")]));
}

#[test]
fn a_weaker_people_and_nobody_who_attacks() {
    let told = answer(
        NO_LUCK,
        &[("own", "K.L 1000"), ("enemy", "K.L 1000"), ("enemy-percent", "50")],
    );
    assert!(told.contains("Kampfkraft 500 bei 0% Zuschlag"), "{told}");
    // Engines that are told to attack fight; priests and traders can be met too. An empty word is the own attack.
    let value = Tables::book().combat_value(Kind::HeavyWarrior);
    let told = answer(
        NO_LUCK,
        &[("own", "K.S 100"), ("enemy", "H.K 10"), ("attacker", "both")],
    );
    assert!(told.contains(&format!("Kampfkraft {}", value)), "{told}");
}

#[test]
fn wrong_questions_are_findings() {
    for list in [
        &[("own", "K.L 1000")][..],
        &[("own", "K.L 1000"), ("enemy", "K.X 1")],
        &[("own", "K.L 1000"), ("enemy", "K.L 0")],
        &[("own", "K.L 1000"), ("enemy", "V.L 10")],
        &[("own", "K.L 1000"), ("enemy", "K.L 1"), ("weeks", "14")],
        &[("own", "K.L 1000"), ("enemy", "K.L 1"), ("building", "XXX")],
        &[("own", "K.L 99999999999999999999"), ("enemy", "K.L 1")],
    ] {
        assert!(answer("", list).contains("O06"), "{list:?}");
    }
    assert!(
        answer(
            "",
            &[("own", "K.L 1000000000"), ("enemy", "K.S 1000000000"), ("weeks", "13")]
        )
        .contains("Aussichten")
    );
}

#[test]
fn the_strongest_own_field_is_proposed() {
    let view = view_of(Viewer::Realm(RealmId(1)), "", WORLD);
    let forms = GAME.calculators(&view).expect("a readable view");
    assert_eq!(forms[0].fields[0].default, "K.L 900\nK.M 2000");
}
