//! The game master changes the world by hand: what he asks is done, and what would break it is not.

mod support;

use kernel::any::{AnyGame, StoredInput, open_state, state_schema};
use kernel::codec::{self, Digest};
use kernel::dice::WorldSecret;
use kernel::form::{Input, Values};
use kernel::guide::AnyGuide;
use kernel::realm::RealmId;
use support::{GAME, state_of};
use thoramar::Thoramar;
use thoramar::codes::{Building, Kind, Terrain, Treaty};
use thoramar::geo::Place;
use thoramar::state::{ArmyId, State};

const WORLD: &str = "map 0/0 tla Adler HST  1/0 twa Adler  -1/0 was  2/0 tla Bär HST
army Adler K.M 1 2000 at 0/0";

/// The world after a turn with these judgements.
fn after(edits: &[&str]) -> State {
    let state = codec::encode(state_schema::<Thoramar>(), &state_of("", WORLD)).expect("a state");
    let edicts = edits.iter().map(|text| {
        let json = GAME
            .read_ruling(&state, text)
            .unwrap_or_else(|error| panic!("{text}: {error}"));
        (json, "a test".to_owned())
    });
    let input = StoredInput {
        edicts: edicts.collect(),
        ..StoredInput::default()
    };
    let secret = WorldSecret([7; 32]).step(1);
    let result = GAME
        .run(&state, Digest::of(&state), &input, &secret, &mut |_, _| Ok(()))
        .expect("a turn");
    open_state::<Thoramar>(&result.state).expect("a stored state").1
}

fn field(state: &State, x: i32, y: i32) -> &thoramar::state::Field {
    state.field(state.field_at(RealmId::NOBODY, Place::new(x, y)).expect("a field"))
}

#[test]
fn ground_rivers_buildings_owners_armies_and_gold_can_be_changed() {
    let state = after(&[
        "terrain 3/0 hla",
        "river 1/0 2 yes",
        "bridge 1/0 2 yes",
        "building 1/0 BRG L Adlerhorst",
        "owner 3/0 1",
        "treasury 2 777",
        "army 1 R.L 5 1/0 1500",
        "army 1 K.M 1 1/0 1900",
        "treaty 1 2 P",
    ]);
    assert_eq!(field(&state, 3, 0).terrain, Terrain::Highland);
    assert_eq!(field(&state, 3, 0).owner, RealmId(1));
    let east = kernel::hex::Direction::East;
    assert!(field(&state, 1, 0).bridges.has(east) && field(&state, 2, 0).rivers.has(east.opposite()));
    let site = field(&state, 1, 0).building().expect("a castle");
    assert_eq!((site.building, site.name.as_str()), (Building::Castle, "Adlerhorst"));
    assert_eq!(state.realms[&RealmId(2)].treasury, 777);
    let army = |kind, number| state.army(ArmyId::new(RealmId(1), kind, number)).map(|army| army.count);
    assert_eq!(
        (army(Kind::LightRider, 5), army(Kind::MediumWarrior, 1)),
        (Some(1500), Some(1900))
    );
    assert_eq!(state.treaty(RealmId(1), RealmId(2)), Treaty::Partnership);
}

#[test]
fn what_would_break_the_world_is_not_done() {
    let before = after(&[]);
    let state = after(&[
        "terrain 0/0 was",
        "owner 2/0 1",
        "owner -1/0 1",
        "bridge 0/0 2 yes",
        "building -1/0 BRG I X",
        "army 1 S.L 1 1/0 20",
        "army 9 K.M 1 1/0 2000",
        "treasury 9 1",
        "treaty 1 1 P",
        "terrain 1/999 tla",
        "land 0/0 101 0 0",
        "army 1 K.M 7 1/0 0",
    ]);
    assert_eq!(state, before);
}

#[test]
fn land_that_floods_loses_owner_and_building() {
    let state = after(&["building 1/0 BRG I X", "road 0/0 2 yes", "terrain 1/0 was"]);
    let flooded = field(&state, 1, 0);
    assert!(!flooded.owner.is_played() && flooded.site.is_none() && flooded.roads.0 == 0);
    assert_eq!(field(&state, 0, 0).roads.0, 0);
}

#[test]
fn every_form_writes_words_that_are_read() {
    let state = codec::encode(state_schema::<Thoramar>(), &state_of("", WORLD)).expect("a state");
    let forms = GAME.edit_forms();
    assert_eq!(forms.len(), 15);
    for form in forms {
        let values: Values = form
            .fields
            .iter()
            .map(|field| {
                let value = match &field.input {
                    Input::Place => "1/0".to_owned(),
                    Input::Realm => "1".to_owned(),
                    Input::Direction => "2".to_owned(),
                    Input::Choice { choices } => choices.last().map_or_else(String::new, |choice| choice.value.clone()),
                    Input::Number { .. } => "1".to_owned(),
                    _ => field.default.clone(),
                };
                (field.name.to_string(), value)
            })
            .collect();
        let text = GAME
            .write_edit(&form.name, &values)
            .unwrap_or_else(|faults| panic!("{}: {faults:?}", form.name));
        GAME.read_ruling(&state, &text)
            .unwrap_or_else(|error| panic!("{text}: {error}"));
        assert!(GAME.write_edit(&form.name, &Values::new()).is_err(), "{}", form.name);
    }
}

#[test]
fn what_does_not_fit_is_told_at_its_field() {
    let wrong = |form: &str, values: &[(&str, &str)]| {
        let values: Values = values
            .iter()
            .map(|(field, value)| ((*field).to_owned(), (*value).to_owned()))
            .collect();
        let faults = GAME.write_edit(form, &values).expect_err("it does not fit");
        faults
            .into_iter()
            .map(|fault| fault.field.to_string())
            .collect::<Vec<_>>()
    };
    for side in ["0", "7", "123", "Nord"] {
        assert_eq!(
            wrong("river", &[("place", "0/0"), ("direction", side)]),
            ["direction"],
            "{side}"
        );
    }
    let army = [
        ("realm", "1"),
        ("kind", "K.L"),
        ("number", "x"),
        ("place", "0/0"),
        ("count", "-1"),
    ];
    assert_eq!(wrong("army", &army), ["number", "count"]);
    assert_eq!(wrong("terrain", &[("place", "0/0"), ("terrain", "wolke")]), ["terrain"]);
    assert_eq!(
        wrong(
            "land",
            &[("place", "0/0"), ("yield", "101"), ("blessed", "0"), ("unrest", "0")]
        ),
        ["yield"]
    );
}

/// A stored world.
fn stored(world: &str) -> Vec<u8> {
    codec::encode(state_schema::<Thoramar>(), &state_of("", world)).expect("a state")
}

fn opened(state: &[u8]) -> State {
    open_state::<Thoramar>(state).expect("a stored state").1
}

/// The world after changes by hand, with what they say.
fn changed(state: &[u8], earlier: &[String], text: &str) -> (Vec<u8>, kernel::guide::Changes<String>) {
    GAME.change_world(state, earlier, text).expect("changes")
}

#[test]
fn a_sheet_laid_over_its_own_world_changes_nothing() {
    let (state, changes) = changed(
        &stored(WORLD),
        &[],
        "river 1/0 2 yes\nbridge 1/0 2 yes\nbuilding 1/0 BRG L Adlerhorst\nland 1/0 80 3 12\nwall 1/0 1 yes\n\
         building 3/0 MIN I\nmine 3/0 50000\narmy 0 M.B 4 3/0 60",
    );
    assert_eq!((changes.made, changes.faults.len()), (8, 0), "{:?}", changes.faults);
    let sheet = GAME.write_world(&state).expect("a sheet");
    let (again, changes) = changed(&state, &[], &sheet);
    assert_eq!((changes.made, changes.ruling, changes.faults), (0, None, Vec::new()));
    assert_eq!(again, state);
}

#[test]
fn of_a_sheet_loaded_again_only_what_differs_is_a_change() {
    let (state, _) = changed(
        &stored(WORLD),
        &[],
        "building 1/0 BRG L Adlerhorst\nland 1/0 80 3 12\narmy 0 M.B 4 3/0 60\narmy 0 M.B 5 4/0 60",
    );
    let sheet = GAME.write_world(&state).expect("a sheet");
    let lines = sheet.lines().count();
    let other = |from: &str, to: &str| {
        assert!(sheet.contains(from), "{sheet}");
        changed(&state, &[], &sheet.replace(from, to))
    };
    let (after, changes) = other("land 1/0 80 3 12", "land 1/0 70 3 12");
    assert_eq!((changes.made, changes.faults), (1, Vec::new()));
    assert_eq!(field(&opened(&after), 1, 0).yield_percent, 70);
    assert_eq!(opened(&after).armies, opened(&state).armies);
    // Without the line of a pack it is gone: the packs are set anew, the ground is not.
    let (after, changes) = other("army 0 M.B 4 3/0 60\n", "");
    assert!(
        changes.made > 1 && changes.made < lines / 2,
        "{} of {lines}",
        changes.made
    );
    let pack = |number| {
        opened(&after)
            .army(ArmyId::new(RealmId::NOBODY, Kind::MountainTroll, number))
            .is_some()
    };
    assert_eq!((pack(4), pack(5)), (false, true));
    // What is wrong is told at its own line.
    let (_, changes) = other("land 1/0 80 3 12", "nonsense\nland 1/0 80 3 12");
    let line = sheet
        .lines()
        .position(|line| line == "land 1/0 80 3 12")
        .expect("the line")
        + 1;
    let told: Vec<usize> = changes.faults.iter().map(|fault| fault.span.line as usize).collect();
    assert_eq!((changes.made, told), (0, vec![line]));
}

#[test]
fn a_sheet_makes_the_same_map_in_another_world_of_the_same_size() {
    let (first, _) = changed(
        &stored(WORLD),
        &[],
        "terrain 4/0 bwa\nterrain 5/1 was\nriver 4/0 2 yes\nbuilding 4/0 STD S Neustadt\nowner 4/0 2\nroad 1/0 2 yes",
    );
    let sheet = GAME.write_world(&first).expect("a sheet");
    // The other world has a river, a wild pack and a wall that the first has not.
    let (other, _) = changed(
        &stored(WORLD),
        &[],
        "river 0/0 1 yes\narmy 0 M.B 9 4/0 20\nwall 1/0 3 yes\nterrain 3/0 hla",
    );
    let (state, changes) = changed(&other, &[], &sheet);
    assert_eq!(changes.faults, Vec::new());
    assert!(changes.made > 0);
    assert_eq!(opened(&state), opened(&first));
}

#[test]
fn what_cannot_be_made_is_told_line_by_line_and_the_rest_is_made() {
    let state = stored(WORLD);
    let (after, changes) = changed(
        &state,
        &[],
        "# a remark\nterrain 0/0 was\nterrain 3/0 hla\nbridge 0/0 2 yes\nnonsense\nheight -1/0 2\nmine 1/0 5\ngate 1/0 5",
    );
    let lines: Vec<u32> = changes.faults.iter().map(|fault| fault.span.line).collect();
    assert_eq!(lines, [2, 4, 5, 6, 7, 8]);
    assert!(changes.faults.iter().all(|fault| fault.code == "E01"));
    assert_eq!(changes.made, 1);
    assert_eq!(field(&opened(&after), 3, 0).terrain, Terrain::Highland);
    assert_eq!(
        field(&opened(&after), 0, 0).terrain,
        field(&opened(&state), 0, 0).terrain
    );
}

#[test]
fn the_judgement_of_changes_does_in_the_turn_what_was_shown_before_it() {
    let state = stored(WORLD);
    let text = "terrain 3/0 hla\nheight 3/0 3\nbuilding 3/0 WTO I Tor\ngate 3/0 17\nowner 3/0 1";
    let (shown, changes) = changed(&state, &[], text);
    let ruling = changes.ruling.expect("a judgement");
    // Shown again from the judgement alone.
    assert_eq!(changed(&state, std::slice::from_ref(&ruling), "").0, shown);
    let input = StoredInput {
        edicts: vec![(ruling, "a test".to_owned())],
        ..StoredInput::default()
    };
    let secret = WorldSecret([7; 32]).step(1);
    let run = GAME.run(&state, Digest::of(&state), &input, &secret, &mut |_, _| Ok(()));
    let after = opened(&run.expect("a turn").state);
    let place = field(&after, 3, 0);
    assert_eq!((place.terrain, place.owner), (Terrain::Mountain, RealmId(1)));
    assert_eq!(place.building().and_then(|site| site.gate_code), Some(17));
}

#[test]
fn a_start_moves_before_the_first_turn_only() {
    let mut world = state_of("", WORLD);
    world.turn = 0;
    let state = codec::encode(state_schema::<Thoramar>(), &world).expect("a state");
    let (after, changes) = changed(&state, &[], "start 1 4/0");
    assert_eq!(changes.faults, Vec::new());
    let after = opened(&after);
    assert_eq!(field(&after, 4, 0).owner, RealmId(1));
    assert_eq!(
        field(&after, 4, 0).building().map(|site| site.building),
        Some(Building::Capital)
    );
    assert!(field(&after, 0, 0).site.is_none() && field(&after, 0, 0).owner == RealmId::NOBODY);
    let origin = after.origin_of(RealmId(1));
    assert_eq!(after.place(RealmId::NOBODY, origin), Place::new(4, 0));
    // Its army stood in the capital, and it knows its new surroundings.
    let army = after
        .army(ArmyId::new(RealmId(1), Kind::MediumWarrior, 1))
        .expect("an army");
    assert_eq!(army.field, origin);
    assert!(after.realms[&RealmId(1)].knowledge.contains_key(&origin));
    for taken in ["start 1 2/0", "start 1 -1/0", "start 9 4/0"] {
        assert_eq!(changed(&state, &[], taken).1.faults.len(), 1, "{taken}");
    }
    world.turn = 1;
    let later = codec::encode(state_schema::<Thoramar>(), &world).expect("a state");
    assert_eq!(changed(&later, &[], "start 1 4/0").1.faults.len(), 1);
}

#[test]
fn the_sheet_of_a_generated_world_makes_the_same_world_again() {
    let seats = ["Adler", "Bär"].map(|realm| kernel::game::SeatPlan {
        realm: realm.to_owned(),
        ..kernel::game::SeatPlan::default()
    });
    let plan = kernel::game::WorldPlan { seats: seats.to_vec() };
    let rules = "[world]\ncolumns = 36\nrows = 24\n";
    let made = |seed: u8| {
        let secret = WorldSecret([seed; 32]).step(0);
        GAME.create(rules, &plan, &secret, &mut |_, _| {}).expect("a world")
    };
    let state = made(1);
    let sheet = GAME.write_world(&state).expect("a sheet");
    for what in ["field ", "sides ", "building ", "mine ", "gate ", "army 0 "] {
        assert!(sheet.lines().any(|line| line.starts_with(what)), "{what}");
    }
    let (again, changes) = changed(&state, &[], &sheet);
    assert_eq!((changes.made, changes.faults), (0, Vec::new()));
    assert_eq!(again, state);
    // In another world of the same size it makes the same ground, waters and wilderness; what belongs to its own realms and
    // cannot be taken from under them is told.
    let (other, changes) = changed(&made(2), &[], &sheet);
    let (other, state) = (opened(&other), opened(&state));
    let differing = state
        .fields
        .iter()
        .zip(&other.fields)
        .filter(|(here, there)| here.terrain != there.terrain);
    assert!(differing.count() <= changes.faults.len());
    assert!(changes.faults.len() < 30, "{:?}", changes.faults);
}
