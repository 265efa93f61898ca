use super::*;
use crate::guide::sheet::tests::view;

fn ruler() -> View {
    view(&[
        "map 5/11 EB Adler   5/12 EB Adler HPT   5/13 GB Adler   5/14 HU Adler   5/15 GR Adler   1/01 EB Bär HPT",
        "army Adler KH 1 4000 at 5/12",
    ])
}

#[test]
fn what_a_field_yields_is_the_lesser_of_rank_and_crosses() {
    let (tables, view) = (Tables::book(), ruler());
    let planner = planner(&tables, &view, "").expect("a ruler has a planner");
    assert_eq!(planner.plots.len(), 5);
    let of = |planner: &Planner, place: &str| {
        let plot = planner
            .plots
            .iter()
            .find(|plot| plot.place == place)
            .expect("the field");
        plot.slots.iter().map(|slot| slot.yields).collect::<Vec<_>>()
    };
    // Nothing chosen on a plain: three goods with the most crosses, 3, 2 and 1 at the most.
    assert_eq!(of(&planner, "5/11").iter().sum::<i64>(), 6);
    let draft = "PRODUKTION 5/11 kultur getreide fruechte\n";
    let planned = super::planner(&tables, &view, draft).expect("a planner");
    // PYG-GOOD-06: culture has one cross.
    assert_eq!(of(&planned, "5/11"), [1, 2, 1]);
    let supply = |planner: &Planner, label: &str| {
        let need = planner.needs.iter().find(|need| need.label == label);
        need.expect("the good").supply
    };
    assert_eq!(supply(&planned, "good-culture"), supply(&planner, "good-culture") + 1);
}

#[test]
fn people_who_need_goods_are_all_inhabitants() {
    let (tables, view) = (Tables::book(), ruler());
    let state = imagine::world(&tables, &view).expect("a world");
    let all =
        supply::population(&tables, &state, view.realm().expect("a realm")) * tables.settling.inhabitants_per_point;
    let planner = planner(&tables, &view, "").expect("a planner");
    assert_eq!(planner.consumers.iter().map(|of| of.heads).sum::<i64>(), all);
    assert_eq!(planner.consumers[0].place, "5/12");
}

#[test]
fn the_best_use_is_written_as_orders_and_then_nothing_is_left_to_propose() {
    let (tables, view) = (Tables::book(), ruler());
    let before = planner(&tables, &view, "").expect("a planner");
    assert!(before.proposal.short_now > 0, "five fields feed no capital");
    let draft = assign_best(&tables, &view, "ZUG KH 1: 5/12 > 5/13\n");
    assert!(draft.starts_with("ZUG KH 1: 5/12 > 5/13\n"), "{draft}");
    let after = planner(&tables, &view, &draft).expect("a planner");
    assert_eq!(after.proposal.short_now, before.proposal.short_then);
    assert_eq!(after.proposal.changes, 0, "{draft}");
    assert!(after.proposal.proven);
    assert_eq!(draft.matches("PRODUKTION").count(), before.proposal.changes);
}

#[test]
fn a_wish_replaces_the_order_before_it_and_needs_none_where_nothing_changes() {
    let (tables, view) = (Tables::book(), ruler());
    let planner = planner(&tables, &view, "").expect("a planner");
    let standing: Vec<String> = planner.plots[0].slots.iter().map(|slot| slot.value.clone()).collect();
    let place = planner.plots[0].place.clone();
    let wish = |goods: &[&str]| {
        let goods = goods.iter().map(|good| (*good).to_owned()).collect();
        Assignment::from([(place.clone(), goods)])
    };
    let draft = assign(&tables, &view, "", &wish(&["vieh", "vieh", "wein"]));
    assert_eq!(draft, format!("PRODUKTION {place} vieh vieh wein\n"));
    let again = assign(&tables, &view, &draft, &wish(&["wein", "vieh", "vieh"]));
    assert_eq!(again, format!("PRODUKTION {place} wein vieh vieh\n"));
    let back = assign(&tables, &view, &again, &Assignment::from([(place.clone(), standing)]));
    assert_eq!(back, "");
    // What is no good, no field or not his is passed over.
    for (field, goods) in [
        (&*place, ["sand", "vieh", "vieh"]),
        ("1/01", ["vieh"; 3]),
        ("x", ["vieh"; 3]),
    ] {
        let wish = Assignment::from([(field.to_owned(), goods.map(str::to_owned).to_vec())]);
        assert_eq!(assign(&tables, &view, &draft, &wish), draft);
    }
}

#[test]
fn orders_are_put_before_a_table() {
    let (tables, view) = (Tables::book(), ruler());
    let table = format!("{}\nKH 1;5;x;;;;;;;5;12;;\n", crate::sheet::HEAD);
    let place = planner(&tables, &view, "").expect("a planner").plots[0].place.clone();
    let wish = Assignment::from([(place.clone(), ["vieh", "vieh", "wein"].map(str::to_owned).to_vec())]);
    assert_eq!(
        assign(&tables, &view, &table, &wish),
        format!("PRODUKTION {place} vieh vieh wein\n{table}")
    );
}

#[test]
fn the_next_income_and_the_next_arming_month_are_foreseen_once_each() {
    let (tables, view) = (Tables::book(), ruler());
    let planner = planner(&tables, &view, "").expect("a planner");
    let titles: Vec<&str> = planner.forecasts.iter().map(|of| &*of.title).collect();
    assert_eq!(titles.len(), 2);
    assert!(titles.contains(&"forecast-of-income") && titles.contains(&"forecast-of-arming"));
    let income = planner
        .forecasts
        .iter()
        .find(|of| of.title == "forecast-of-income")
        .expect("income");
    assert!(tables.is_income(income.step));
    let value = |label: &str| {
        income
            .lines
            .iter()
            .find(|line| line.label == label)
            .expect("a line")
            .value
    };
    let parts = ["forecast-taxes", "forecast-land", "forecast-mines", "forecast-trade"];
    assert_eq!(parts.map(value).iter().sum::<i64>(), value("forecast-income"));
    assert!(value("forecast-income") > 0);
    let arming = planner
        .forecasts
        .iter()
        .find(|of| of.title == "forecast-of-arming")
        .expect("arming");
    assert!(tables.is_arming(arming.step));
}
