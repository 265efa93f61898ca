//! The computer opponent: plays from what a player sees, through the same judge as everybody, with the exact odds of every duel.
//!
//! It plans on an imagined board ([`mind`]): first the spells and steps that need no die ([`march`], [`spells`]), then the acts
//! ([`strike`]). A line of dice is written only if it stays legal however earlier dice fell, so each enemy is attacked once in a script;
//! with fighters left over it leaves the turn open, looks, and goes on. It never sends a line that its own board would refuse.

mod march;
mod mind;
mod spells;
mod strike;
mod worth;

use crate::kinds::{Kind, Stage};
use crate::scribe;
use crate::tables::Tables;
use crate::view::View;
use mind::Mind;

/// The script of a player whom nobody plays.
pub fn play(tables: &Tables, view: &View) -> String {
    let Some(player) = view.player() else {
        return String::new();
    };
    if view.position.mover() != Some(player) || view.position.outcome.is_some() {
        return String::new();
    }
    let goes_on = view.position.clock.begun && view.position.clock.stage > Stage::Between;
    let Some(mut mind) = Mind::new(tables, view, player) else {
        // The round or turn begins with dice: let them fall first.
        let scene = crate::battle::Scene {
            tables,
            position: &view.position,
            secret: view.secret.as_ref(),
        };
        return format!("{}\n", scribe::head(scene, player));
    };
    if !goes_on {
        instruct(&mut mind);
        march::gates(&mut mind);
        march::everybody(&mut mind);
        march::devices(&mut mind);
        march::centres(&mut mind);
        spells::cast(&mut mind);
        strike::from_afar(&mut mind);
    }
    strike::hand_to_hand(&mut mind);
    let open = !goes_on && tables.sequence.partial_turns && strike::somebody_is_idle(&mind);
    mind.script(!open)
}

/// Says once from which price on enemy spells are worth dispelling.
fn instruct(mind: &mut Mind<'_>) {
    let wizard = mind
        .position()
        .present()
        .any(|(_, figure)| figure.kind == Kind::Wizard && figure.owner == mind.player && !figure.mortal);
    if wizard && mind.never_instructed() {
        mind.add("ANWEISUNG ENTKRAEFTEN AB 8".to_owned());
    }
}
