//! Small worlds for tests of the guide, in the words of scenarios.
#![allow(dead_code, reason = "each test file uses its part")]

use kernel::any::{Adapter, AnyGame, StoredInput, state_schema, view_schema};
use kernel::codec::{self, Digest};
use kernel::dice::WorldSecret;
use kernel::game::{Brief, Game};
use kernel::realm::{RealmId, Viewer};
use kernel::report::ReportSink;
use kernel::stage::{Stage, StageLine};
use testkit::press::{Press, RenderPress};
use thoramar::Thoramar;
use thoramar::state::State;
use thoramar::tables::Tables;

/// The game as the host sees it.
pub const GAME: Adapter<Thoramar> = Adapter::new();

pub fn state_of(house_rules: &str, world: &str) -> State {
    let tables = Tables::with_overrides(house_rules).expect("sound house rules");
    let lines = StageLine::numbered(world.lines());
    <Thoramar as Stage>::world(&tables, house_rules, &lines).expect("a sound world")
}

/// The stored view of a realm of a small world, before its first turn.
pub fn view_of(viewer: Viewer, house_rules: &str, world: &str) -> Vec<u8> {
    let tables = Tables::with_overrides(house_rules).expect("sound house rules");
    let state = state_of(house_rules, world);
    let brief = Brief {
        viewer,
        told: Vec::new(),
        diagnostics: Vec::new(),
    };
    let view = Thoramar::view(&tables, &state, brief);
    codec::encode(view_schema::<Thoramar>(), &view).expect("a view that can be stored")
}

/// The stored view of realm 1 after a turn without orders.
pub fn adler_after_a_turn(world: &str) -> Vec<u8> {
    let state = codec::encode(state_schema::<Thoramar>(), &state_of("", world)).expect("a state that can be stored");
    let mut found = Vec::new();
    let secret = WorldSecret([7; 32]).step(1);
    let mut keep = |viewer: Viewer, view: &[u8]| {
        if viewer == Viewer::Realm(RealmId(1)) {
            found = view.to_vec();
        }
        Ok(())
    };
    let result = GAME.run(&state, Digest::of(&state), &StoredInput::default(), &secret, &mut keep);
    result.expect("a turn");
    found
}

pub fn adler(world: &str) -> Vec<u8> {
    view_of(Viewer::Realm(RealmId(1)), "", world)
}

pub fn text(write: impl Fn(&mut dyn ReportSink)) -> String {
    RenderPress.text("thoramar", &write)
}

/// Realm 1's view, read.
pub fn view(world: &str) -> thoramar::view::View {
    let (_, view) = kernel::any::open_view::<Thoramar>(&adler(world)).expect("a stored view");
    view
}
