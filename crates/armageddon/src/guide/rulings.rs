//! Judgements of the game master as forms (ARM-GAP-45).

use kernel::form::{FormField, Input};
use kernel::guide::RulingForm;

/// Both that are no change of the board by hand.
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
    ]
}
