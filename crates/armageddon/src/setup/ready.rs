//! Ready battles: set-ups for a first evening, each playable as it is (ARM-GAP-44).
//!
//! They are texts in `data/armageddon/battles`; their titles and what they are about stand in the wording under `[battle]` by their code.

/// A ready battle.
#[derive(Clone, Copy, Debug)]
pub struct Ready {
    /// Its code in house rules: `[battle]` `ready = "siege"`.
    pub code: &'static str,
    /// Its lines.
    pub setup: &'static str,
}

/// All of them, the simplest first.
pub const ALL: &[Ready] = &[
    Ready {
        code: "field-battle",
        setup: include_str!("../../../../data/armageddon/battles/field-battle.txt"),
    },
    Ready {
        code: "river-crossing",
        setup: include_str!("../../../../data/armageddon/battles/river-crossing.txt"),
    },
    Ready {
        code: "siege",
        setup: include_str!("../../../../data/armageddon/battles/siege.txt"),
    },
    Ready {
        code: "sea-battle",
        setup: include_str!("../../../../data/armageddon/battles/sea-battle.txt"),
    },
];

/// The ready battle that is set up where nothing is said.
pub const USUAL: &str = "field-battle";

/// The ready battle of a code.
pub fn find(code: &str) -> Option<&'static Ready> {
    ALL.iter().find(|ready| ready.code == code)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Armageddon;
    use crate::army::Army;
    use crate::setup::{build, export, read_lines, review};
    use crate::tables::Tables;
    use kernel::game::Game;
    use kernel::realm::RealmId;

    #[test]
    fn every_ready_battle_has_two_sides_and_nothing_to_complain_about() {
        let tables = Tables::book().expect("the book");
        for ready in ALL {
            let state = build(&tables, "", &read_lines(ready.setup)).expect(ready.code);
            assert_eq!(review::review(&tables, &state), [], "{}", ready.code);
            assert_eq!(Armageddon::invariants(&tables, &state), Ok(()), "{}", ready.code);
            assert_eq!(state.position.players.len(), 2, "{}", ready.code);
        }
    }

    #[test]
    fn armies_that_meet_as_equals_cost_the_same() {
        let tables = Tables::book().expect("the book");
        for code in ["field-battle", "sea-battle"] {
            let ready = find(code).expect(code);
            let state = build(&tables, "", &read_lines(ready.setup)).expect(code);
            let price = |player| Army::of(&state.position, RealmId(player)).price(&tables);
            assert_eq!(price(1), price(2), "{code}");
        }
    }

    #[test]
    fn a_set_up_written_down_builds_the_same_battle() {
        let tables = Tables::book().expect("the book");
        for ready in ALL {
            let state = build(&tables, "", &read_lines(ready.setup)).expect(ready.code);
            let text = export::lines(&tables, &state).join("\n");
            let again = build(&tables, "", &read_lines(&text)).expect(&text);
            assert_eq!(again, state, "{text}");
        }
    }
}
