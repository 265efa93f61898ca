//! The game master's tools: forms make words, words change the world, and everything has its wording.

use kernel::any::{Adapter, state_schema};
use kernel::codec;
use kernel::form::{Input, Values};
use kernel::game::{Brief, Game};
use kernel::guide::{AnyGuide as _, Guide};
use kernel::realm::{RealmId, Viewer};
use kernel::stage::{Stage, StageLine};
use pygma_isis::PygmaIsis;
use pygma_isis::codes::{SettlementKind, Terrain};
use pygma_isis::state::State;
use pygma_isis::tables::Tables;
use std::path::Path;

const WORLD: &str = "\
map 5/11 EB Adler HPT trade   5/12 EB Adler   5/13 HU Adler   5/14 GB   5/15 EB   8/11 EB Bär HPT   5/16 SA   5/17 SA
realm Adler gold 1000
army Adler KH 1 5000 at 5/11";

fn world() -> (Tables, State) {
    let tables = Tables::book();
    let lines = StageLine::numbered(WORLD.lines());
    let state = PygmaIsis::world(&tables, "", &lines).expect("a world");
    (tables, state)
}

/// Something that fits into a field.
fn sample(name: &str, input: &Input) -> String {
    match (name, input) {
        ("other", _) => "5/13".to_owned(),
        (_, Input::Choice { choices }) => choices[0].value.clone(),
        (_, Input::Number { max, .. }) => 1000.min(*max).to_string(),
        (_, Input::Flag) => "true".to_owned(),
        (_, Input::Place) => "5/12".to_owned(),
        (_, Input::Realm) => "1".to_owned(),
        (_, other) => panic!("{other:?}"),
    }
}

#[test]
fn every_tool_makes_words_that_read_back() {
    let (tables, state) = world();
    for form in PygmaIsis::edit_forms() {
        let values: Values = form
            .fields
            .iter()
            .map(|field| (field.name.to_string(), sample(&field.name, &field.input)))
            .collect();
        let text = PygmaIsis::write_edit(&form.name, &values).unwrap_or_else(|_| panic!("{}", form.name));
        let ruling = PygmaIsis::read_ruling(&tables, &state, &text).expect("a judgement");
        assert_eq!(PygmaIsis::ruling_words(&ruling).as_deref(), Some(text.as_str()));
        assert!(
            PygmaIsis::write_edit(&form.name, &Values::new()).is_err(),
            "{}",
            form.name
        );
        let mut broken = values.clone();
        broken.insert(form.fields[0].name.to_string(), "zwei Worte".to_owned());
        assert!(PygmaIsis::write_edit(&form.name, &broken).is_err(), "{}", form.name);
    }
}

#[test]
fn changes_by_hand_are_made_as_far_as_they_can_be() {
    let (tables, mut state) = world();
    let text = "terrain 5/14 EB\n# a note\nowner 5/14 1\nsettlement 5/14 KSI\nterrain 5/11 SA\nowner 99/1 1\nnonsense\nunglueck 1 feuer 5/14\n";
    let changes = PygmaIsis::change_world(&tables, &mut state, &[], text);
    // An army stands in 5/11, so it does not sink; 99/1 is no field.
    let lines: Vec<u32> = changes.faults.iter().map(|fault| fault.span.line).collect();
    assert_eq!((changes.made, lines), (4, vec![5, 6, 7]));
    let field = state.field_at(pygma_isis::chart::Place::new(5, 14)).expect("a field");
    let here = state.field(field);
    assert_eq!((here.terrain, here.owner), (Terrain::Plain, RealmId(1)));
    let town = here.settlement.as_ref().expect("a settlement");
    assert_eq!(town.kind, SettlementKind::SmallSettlement);
    assert_eq!(PygmaIsis::invariants(&tables, &state), Ok(()));
    // The judgement does the same again, and what changes nothing makes no judgement.
    let ruling = changes.ruling.expect("a judgement");
    let (_, mut again) = world();
    let second = PygmaIsis::change_world(&tables, &mut again, &[ruling], "owner 5/14 1");
    assert!(second.ruling.is_none() && second.made == 0);
    assert_eq!(second.faults.len(), 1);
}

#[test]
fn a_world_written_as_changes_makes_the_same_map() {
    let (tables, state) = world();
    let text = PygmaIsis::write_world(&tables, &state);
    let lines = StageLine::numbered(["map 5/11 EB Adler   8/11 EB Bär"]);
    let mut other = PygmaIsis::world(&tables, "", &lines).expect("a world");
    let _ = PygmaIsis::change_world(&tables, &mut other, &[], &text);
    for field in state.chart.fields() {
        let (here, there) = (state.field(field), other.field(field));
        assert_eq!((here.terrain, here.owner), (there.terrain, there.owner));
        let kind = |field: &pygma_isis::state::Field| field.settlement.as_ref().map(|town| town.kind);
        assert_eq!(kind(here), kind(there));
    }
}

#[test]
fn of_a_sheet_loaded_again_only_what_differs_is_a_change() {
    let (tables, mut state) = world();
    let prepared = PygmaIsis::change_world(&tables, &mut state, &[], "wesen horde 6000 5/12\nowner 5/15 1");
    assert_eq!((prepared.made, prepared.faults.len()), (2, 0));
    let game = Adapter::<PygmaIsis>::new();
    let stored = codec::encode(state_schema::<PygmaIsis>(), &state).expect("a state");
    let sheet = game.write_world(&stored).expect("a sheet");
    let (_, same) = game.change_world(&stored, &[], &sheet).expect("changes");
    assert_eq!((same.made, same.ruling, same.faults), (0, None, Vec::new()));
    let ground = sheet
        .lines()
        .find(|line| line.starts_with("terrain 5/14 "))
        .expect("a line");
    let (after, changes) = game
        .change_world(&stored, &[], &sheet.replace(ground, "terrain 5/14 EB"))
        .expect("changes");
    assert_eq!((changes.made, changes.faults), (1, Vec::new()));
    let after: pygma_isis::state::State = codec::decode(state_schema::<PygmaIsis>(), &after).expect("a state");
    let field = after.field_at(pygma_isis::chart::Place::new(5, 14)).expect("a field");
    assert_eq!(after.field(field).terrain, Terrain::Plain);
    assert_eq!(after.bands, state.bands);
}

#[test]
fn the_game_master_has_figures_of_every_realm_and_a_ruler_of_his_own() {
    let (tables, state) = world();
    let figures = |viewer: Viewer| {
        let brief = Brief {
            viewer,
            told: Vec::new(),
            diagnostics: Vec::new(),
        };
        PygmaIsis::figures(&tables, &PygmaIsis::view(&tables, &state, brief))
    };
    let value = |viewer: Viewer, realm: u16, key: &str| {
        let all = figures(viewer);
        let found = all
            .iter()
            .find(|figure| figure.realm == RealmId(realm) && &*figure.key == key);
        found.map(|figure| figure.value)
    };
    for viewer in [Viewer::GameMaster, Viewer::Realm(RealmId(1))] {
        assert_eq!(value(viewer, 1, "figure-fields"), Some(3));
        assert_eq!(value(viewer, 1, "figure-treasury"), Some(1000));
        assert_eq!(value(viewer, 1, "figure-warriors"), Some(5000));
        assert_eq!(value(viewer, 1, "figure-towns"), Some(1));
        // Before the first income month too: a capital, two plains and hills.
        assert_eq!(value(viewer, 1, "figure-population"), Some(30 + 3 + 3 + 2));
    }
    assert_eq!(value(Viewer::GameMaster, 2, "figure-fields"), Some(1));
    assert_eq!(value(Viewer::Realm(RealmId(1)), 2, "figure-fields"), None);
}

#[test]
fn every_word_of_a_tool_has_its_wording_in_both_languages() {
    for language in ["de", "en"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../locale")
            .join(language);
        let mut words = String::new();
        for file in std::fs::read_dir(folder).expect("the wording") {
            let path = file.expect("a file").path();
            if path.to_string_lossy().contains("pygma-isis") {
                words.push_str(&std::fs::read_to_string(path).expect("text"));
            }
        }
        let need = |key: &str| {
            let found = key.is_empty() || words.lines().any(|line| line.starts_with(&format!("{key} = ")));
            assert!(found, "{language}: {key}");
        };
        for form in PygmaIsis::edit_forms() {
            need(&form.title);
            for field in &form.fields {
                need(&field.label);
                if let Input::Choice { choices } = &field.input {
                    choices.iter().for_each(|choice| need(&choice.label));
                }
            }
        }
        for key in ["edit-not-understood", "edit-without-effect", "E_EDIT"] {
            need(key);
        }
    }
}
