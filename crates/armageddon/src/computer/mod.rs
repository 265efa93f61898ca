//! The computer opponent: plays from what a player sees, through the same judge as everybody, with the exact odds of every duel.
//!
//! He thinks in this order: a spell that opens a way ([`spells`], [`forces`]), gates ([`garrison`]), phalanxes ([`ranks`]), devices ([`engines`]), quadrigas
//! ([`chariots`]), ships ([`fleet`]), fable creatures of his own ([`beasts`]), steps ([`march`]), trade centres and sieges, a spell on those who will fight, the acts ([`strike`]), and at the end
//! a spell that shields or floods, or a duel of wizards. [`chart`] is the board as he sees it when his turn begins. Every decision is a
//! deed. [`conduct`] does them where the dice fall at once, [`play`] writes them down as a script ([`mind`]). A line of dice is written only
//! if it stays legal however earlier dice fell, so each enemy is attacked once in a script, and each building struck at once; with fighters or rams
//! left over it leaves the turn open, looks, and goes on. Dice that fall while somebody moves end the script at once: who is where decides everything
//! behind them.

mod beasts;
mod chariots;
mod chart;
mod engines;
mod fleet;
mod forces;
mod garrison;
mod march;
mod mind;
mod ranks;
mod spells;
mod strike;
mod worth;

use crate::battle::Battle;
use crate::kinds::Stage;
use crate::magic::counter;
use crate::scribe;
use crate::tables::Tables;
use crate::view::View;
use chart::Chart;
use kernel::realm::RealmId;
use mind::{Mind, Still};

/// Spell units that an enemy spell must cost to be worth dispelling.
const DISPEL_FROM: i64 = 8;

/// The script of a player whom nobody plays.
pub fn play(tables: &Tables, view: &View) -> String {
    let Some(player) = view.player() else {
        return String::new();
    };
    if view.position.mover() != Some(player) || view.position.outcome.is_some() {
        return String::new();
    }
    let head = scribe::head(mind::scene_of(tables, view), player);
    let goes_on = view.position.clock.begun && view.position.clock.stage > Stage::Between;
    // After the first blows hand to hand he has looked: the rest of the turn is one script.
    let has_struck = goes_on && view.position.clock.stage >= Stage::Melee;
    let (state, rolled) = mind::imagined(tables, view, player);
    // Where a turn is sent in parts one looks at the dice between them.
    let looks = tables.sequence.partial_turns;
    if rolled && looks {
        // The round or turn begins with dice: let them fall first.
        return format!("{head}\n");
    }
    let mut still = Still;
    let mut battle = Battle::new(tables, state, &mut still);
    let mut mind = Mind::planning(&mut battle, player);
    if goes_on {
        // Those who waited for what became of a gate.
        strike::rams(&mut mind);
    } else {
        if looks && spells::open_a_way(&mut mind) {
            // Whether the spell works is seen before anybody relies on it.
            return mind.script(&head, false);
        }
        before_blows(&mut mind);
        if mind.is_halted() {
            return mind.script(&head, false);
        }
    }
    if looks && strike::a_ram_waits(&mind) {
        return mind.script(&head, false);
    }
    strike::hand_to_hand(&mut mind);
    // A spell behind dice is cast when they are seen.
    let spell = mind.has_rolled() && spells::last(&mind).is_some();
    let open = !has_struck && looks && (spell || strike::somebody_is_idle(&mind));
    if !open {
        strike::afterwards(&mut mind);
        spells::afterwards(&mut mind);
    }
    mind.script(&head, !open)
}

/// One turn of a player at a board where the dice fall at once. The turn must have begun.
pub fn conduct(battle: &mut Battle<'_>, player: RealmId) {
    let mut mind = Mind::playing(battle, player);
    spells::open_a_way(&mut mind);
    before_blows(&mut mind);
    // As in a script that is left open once: strike, look, strike again.
    strike::hand_to_hand(&mut mind);
    mind.struck.clear();
    strike::hand_to_hand(&mut mind);
    strike::afterwards(&mut mind);
    spells::afterwards(&mut mind);
}

/// Everything of a turn up to the first blow.
fn before_blows(mind: &mut Mind<'_, '_>) {
    if counter::wizard_of(mind.position(), mind.player).is_some() {
        mind.instruct(DISPEL_FROM);
    }
    if mind.reached() <= Stage::Movement {
        let mut chart = Chart::new(mind);
        garrison::gates(mind, &chart);
        ranks::close(mind, &mut chart);
        engines::bring(mind, &mut chart);
        engines::climb(mind, &mut chart);
        chariots::drive(mind, &mut chart);
        fleet::sail(mind, &mut chart);
        beasts::lead(mind);
        march::everybody(mind, &mut chart);
        march::wizard(mind, &chart);
    }
    march::centres(mind);
    garrison::besiege(mind);
    spells::cast(mind);
    strike::from_afar(mind);
}
