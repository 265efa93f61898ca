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
    assert_eq!(forms.len(), 11);
    for form in forms {
        let values: Values = form
            .fields
            .iter()
            .map(|field| {
                let value = match &field.input {
                    Input::Place => "1/0".to_owned(),
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
