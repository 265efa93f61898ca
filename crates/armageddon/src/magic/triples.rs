//! Triples (*Pasch*): three equal dice rolled for a warrior, but not three sixes, bring his wizard spell units (ARM-0.2.3, ARM-GAP-33).
//!
//! Twenty are stored. Ten more must be spent at once: on the spell that a standing instruction names, or in his own turn on the next spell of
//! his script, which then does not count as the spell of the round. What is not spent of the ten lapses.

use super::counter;
use crate::battle::{Battle, Triple};
use crate::deed::{Deed, Magic};
use crate::event::MagicHappening;
use crate::kinds::{Kind, Spell};
use crate::order::Order;
use crate::state::{FigureId, Position};
use crate::{resolve, rule};
use kernel::realm::RealmId;

/// Credits the triples that fell, after what they fell in is decided.
pub fn settle(battle: &mut Battle<'_>) {
    // A spell cast on a triple may bring another; three equal dice do not fall forever, but the loop ends in any case.
    for _ in 0..50 {
        if battle.triples.is_empty() {
            return;
        }
        for triple in std::mem::take(&mut battle.triples) {
            credit(battle, triple);
        }
    }
    battle.triples.clear();
}

fn credit(battle: &mut Battle<'_>, triple: Triple) {
    let Some(owner) = battle.position.figure(triple.figure).map(|figure| figure.owner) else {
        return;
    };
    let wizard = battle
        .position
        .present()
        .find(|(_, figure)| figure.kind == Kind::Wizard && figure.owner == owner)
        .map(|(id, figure)| (id, figure.learnt > 0));
    let Some((wizard, apprentice)) = wizard else {
        return;
    };
    let rules = &battle.tables.wizard;
    let (all, at_once, most) = (rules.triple_gives, rules.triple_spent_at_once, rules.spell_units_max);
    let stored = all - at_once;
    let secret = battle.secrets.entry(owner).or_default();
    let before = secret.spell_units;
    secret.spell_units = before.saturating_add(stored).min(most.max(before));
    let happening = MagicHappening::TripleRolled {
        figure: triple.figure,
        throw: triple.throw,
        units: stored,
    };
    battle.emit(&[rule::R0_2_3, rule::GAP_33][..], &triple.dice, happening);
    if apprentice {
        learn(battle, wizard);
    }
    // A mortal wizard cannot cast: for him the ten lapse.
    if counter::wizard_of(&battle.position, owner).is_none() {
        return;
    }
    // KAL-19.3.4.7: for an apprentice they lapse too; what he casts at once is his spell of the round.
    if !apprentice && let Some(player) = battle.position.players.get_mut(&owner) {
        player.bounty = player.bounty.saturating_add(1);
    }
    let planned = battle
        .secrets
        .get(&owner)
        .and_then(|secret| secret.standing.triple.clone());
    if let Some(line) = planned {
        cast(battle, owner, &line);
    }
    let mine = battle.position.mover() == Some(owner);
    if !mine && let Some(player) = battle.position.players.get_mut(&owner) {
        player.bounty = 0;
    }
}

/// KAL-19.3.4.6: an apprentice learns the next spell; who knows them all is a wizard (KAL-WGAP-24).
fn learn(battle: &mut Battle<'_>, wizard: FigureId) {
    let all = Spell::of_wizards();
    let Some(figure) = battle.position.figure_mut(wizard) else {
        return;
    };
    let next = all.get(usize::from(figure.learnt)).copied();
    figure.learnt += 1;
    if usize::from(figure.learnt) >= all.len() {
        figure.learnt = 0;
    }
    if let Some(spell) = next {
        let rules = &[rule::KAL_19_3_4_6, rule::KAL_19_3_4_7, rule::KAL_WGAP_24][..];
        battle.emit(rules, &[], MagicHappening::Learnt { wizard, spell });
    }
}

/// Casts what the player planned for this, if it can be cast now.
fn cast(battle: &mut Battle<'_>, owner: RealmId, line: &str) {
    let parsed = crate::script::parse(line.as_bytes());
    let Some(order) = parsed.orders.first().map(|order| &order.value) else {
        return;
    };
    if !matches!(order, Order::Cast { .. }) {
        return;
    }
    let Ok(Deed::Magic(deed @ Magic::Cast { .. })) = resolve::deed(battle.scene(owner), owner, order) else {
        return;
    };
    if let Ok(permit) = super::judge(battle.scene(owner), owner, &deed) {
        super::perform(battle, owner, &deed, &permit);
    }
}

/// When a turn ends: what was not spent at once is gone.
pub fn lapse(battle: &mut Battle<'_>, player: RealmId) {
    if let Some(player) = battle.position.players.get_mut(&player) {
        player.bounty = 0;
    }
}

/// Whether this spell is paid from a triple: then it neither counts as the spell of the round nor moves the turn on.
pub fn pays(position: &Position, player: RealmId, deed: &Deed) -> bool {
    let bounty = position.players.get(&player).is_some_and(|player| player.bounty > 0);
    bounty && matches!(deed, Deed::Magic(Magic::Cast { .. }))
}
