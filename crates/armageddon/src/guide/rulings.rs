//! Judgements of the game master as forms (ARM-GAP-45).

use kernel::form::{FormField, Input};
use kernel::guide::RulingForm;

/// Those that are no change of the board by hand.
pub(super) fn forms() -> Vec<RulingForm> {
    let text = |max| Input::Text { max, lines: 1 };
    vec![
        RulingForm::act(
            "roll",
            "roll {roll} = {faces}",
            vec![
                FormField::new("roll", "ruling-roll-name", text(200)),
                FormField::new("faces", "ruling-faces", text(20)),
            ],
        ),
        RulingForm::act("break", "break off", Vec::new()),
        // Seats are given away at the host, which writes this one; the form says how it reads.
        RulingForm::act(
            "hand",
            "hand {realm} to {player}",
            vec![
                FormField::new("realm", "ruling-realm", Input::Realm),
                FormField::new("player", "ruling-player", text(80)),
            ],
        )
        .if_asked(),
    ]
}
