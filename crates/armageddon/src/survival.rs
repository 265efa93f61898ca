//! Rolls for survival, the dangers of the terrain, and what the end of a figure does to those it carried (ARM-0.3.5, ARM-0.3.11,
//! ARM-GAP-05, ARM-GAP-19, ARM-GAP-20, ARM-GAP-30).
//!
//! [`endure`] rolls and tells. [`fall`] takes a figure off the board, whatever the reason: nobody else should call
//! [`Battle::take_off`] for something that may carry others. [`endure_or_fall`] is both.

use crate::battle::Battle;
use crate::board::Cell;
use crate::event::FieldHappening;
use crate::kinds::{Family, Fate, Kind, Part, Spell};
use crate::loss;
use crate::overcrowding::{self, Crowding};
use crate::room;
use crate::rule;
use crate::state::{Figure, FigureId, Place};
use crate::tables::{Peril, Tables};
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use kernel::turn::{Die, Rules};
use std::collections::BTreeSet;

/// ARM-GAP-05, ARM-GAP-32: the natural sum of 3W6 from which a figure survives.
pub fn number(tables: &Tables, figure: &Figure) -> i64 {
    let base = match figure.kind {
        Kind::King => tables.survival.king,
        Kind::Wizard => tables.survival.mortal_wizard,
        _ if figure.phalanx.is_some() => tables.survival.phalanx,
        kind => tables.figure(kind).survival,
    };
    if figure.under(Spell::Protection) {
        return base + tables.spell(Spell::Protection).survival;
    }
    base
}

/// Whether nothing can happen to a figure: it is a thing, hovers (ARM-GAP-34), or is petrified (ARM-GAP-32).
pub fn is_safe(figure: &Figure) -> bool {
    let hovers = matches!(figure.place, Place::Above(_));
    hovers || figure.under(Spell::Petrify) || !figure.kind.family().is_living() || !figure.is_present()
}

/// Rolls for the survival of a figure and tells whether it lives; it stays on the board either way. The die is called
/// `RULE player figure subject`. Who cannot be hurt survives without a roll.
pub fn endure(battle: &mut Battle<'_>, id: FigureId, rule: RuleId, subject: &str) -> bool {
    let Some(number) = battle.position.figure(id).map(|figure| number(battle.tables, figure)) else {
        return true;
    };
    endure_from(battle, id, rule, subject, number)
}

/// The same against another number, such as that of hunger.
pub fn endure_from(battle: &mut Battle<'_>, id: FigureId, rule: RuleId, subject: &str, number: i64) -> bool {
    let Some(figure) = battle.position.figure(id) else {
        return true;
    };
    if is_safe(figure) {
        return true;
    }
    let (owner, name) = (figure.owner, figure.to_string());
    let protected = figure.under(Spell::Protection);
    let (throw, dice) = battle.throw_for(rule, id, format_args!("{owner} {name} {subject}"));
    let survived = throw.natural() >= number;
    let happening = FieldHappening::Endured {
        figure: id,
        throw,
        number,
        survived,
    };
    let mut rules = vec![rule, rule::GAP_05, rule::R0_3_5, rule::R0_3_11, rule::R0_2_2];
    if protected {
        rules.push(rule::GAP_32);
    }
    battle.emit(rules, &dice, happening);
    survived
}

/// Rolls for survival, and lets the figure fall if it fails; the people on a king's field fall before him.
pub fn endure_or_fall(battle: &mut Battle<'_>, id: FigureId, rule: RuleId, subject: &str, fate: Fate) -> bool {
    let survived = endure(battle, id, rule, subject);
    if !survived {
        loss::strike(battle, id, fate, &[rule]);
    }
    survived
}

/// A figure falls, breaks or is taken off (ARM-0.2.4).
///
/// A king loses a life first. A phalanx that loses a member dissolves (ARM-GAP-19). A rider's death leaves his horse without a master, a
/// horse's death leaves the rider on foot (ARM-GAP-20); those on an elephant or in a device stand on its field, which may crowd it
/// (ARM-0.4.50); those on a ship are in the water; who was on a ladder stands at its foot.
pub fn fall(battle: &mut Battle<'_>, id: FigureId, fate: Fate, rules: impl Into<Rules>, dice: &[Die]) {
    let Some(figure) = battle.position.figure(id).filter(|figure| figure.is_present()).cloned() else {
        return;
    };
    let mut rules: Vec<RuleId> = rules.into().to_vec();
    if figure.kind == Kind::King && figure.lives > 1 && fate != Fate::Removed {
        let lives = figure.lives - 1;
        if let Some(king) = battle.position.figure_mut(id) {
            king.lives = lives;
        }
        battle.emit(rules, dice, FieldHappening::LifeLost { figure: id, lives });
        return;
    }
    if figure.kind.family() == Family::Ship {
        crate::ships::empty(battle, id);
    }
    rules.push(rule::R0_2_4);
    if dissolve(battle, id) {
        rules.push(rule::GAP_19);
    }
    let spot = battle.position.spot_of(id);
    let crowded =
        room::room_of(&battle.position, figure.place).is_some_and(|room| overcrowding::is_crowded(battle, room));
    let aboard: Vec<FigureId> = battle.position.aboard(id).map(|(rider, _)| rider).collect();
    for rider in &aboard {
        if let (Some(rider), Some(spot)) = (battle.position.figure_mut(*rider), spot) {
            // Who sat on a horse aboard a ship stays aboard.
            rider.place = match figure.place {
                Place::On(carrier, part) => Place::On(carrier, part),
                _ => Place::At(spot),
            };
            rules.push(rule::GAP_20);
        }
    }
    if let Place::On(horse, Part::Back) = figure.place
        && let Some(horse) = battle.position.figure_mut(horse)
    {
        horse.owner = RealmId::NOBODY;
        horse.possessor = RealmId::NOBODY;
        horse.held_by = None;
        rules.push(rule::GAP_20);
    }
    battle.take_off(id, fate);
    battle.emit(rules, dice, FieldHappening::Left { figure: id, fate });
    // What was crowded before is being cleared already, by trampling, in a scrimmage or by those who give way.
    if !crowded {
        aftermath(battle, &figure, &aboard);
    }
}

/// ARM-GAP-19: a phalanx that a member leaves dissolves. Tells whether there was one.
pub fn dissolve(battle: &mut Battle<'_>, member: FigureId) -> bool {
    let Some(phalanx) = battle.position.figure(member).and_then(|figure| figure.phalanx) else {
        return false;
    };
    for figure in &mut battle.position.figures {
        if figure.phalanx == Some(phalanx) {
            figure.phalanx = None;
            // A warrior by himself looks nowhere in particular.
            figure.facing = None;
        }
    }
    true
}

/// ARM-0.4.50: what those who stand on the field now may crowd.
fn aftermath(battle: &mut Battle<'_>, figure: &Figure, aboard: &[FigureId]) {
    let Some(first) = aboard.first().and_then(|id| battle.position.figure(*id)) else {
        return;
    };
    let begins = first.owner;
    let Some(room) = room::room_of(&battle.position, first.place) else {
        return;
    };
    match figure.kind.family() {
        Family::Elephant => overcrowding::resolve(battle, room, Crowding::ElephantDied, begins),
        _ => overcrowding::resolve(battle, room, Crowding::Collapsed, begins),
    }
}

/// ARM-GAP-30, at the end of a player's turn: every dangerous field that holds figures of his, except with a trade centre, a building or a
/// ship.
pub fn terrain_danger(battle: &mut Battle<'_>, player: RealmId) {
    let exposed = |battle: &Battle<'_>, id: FigureId, figure: &Figure| -> Option<Cell> {
        let hidden = matches!(figure.place, Place::Above(_) | Place::Swimming(_)) || on_ship(battle, id);
        let cell = battle
            .position
            .cell_of(id)
            .filter(|_| figure.owner == player && !hidden)?;
        let ground = battle.position.board.ground(cell)?;
        let sheltered = ground.building.is_some() || battle.position.centres.contains_key(&cell);
        (!sheltered && battle.tables.terrain(ground.terrain).danger.is_some()).then_some(cell)
    };
    let cells: BTreeSet<Cell> = battle
        .position
        .present()
        .filter_map(|(id, figure)| exposed(battle, id, figure))
        .collect();
    for cell in cells {
        let peril = battle
            .position
            .board
            .ground(cell)
            .and_then(|ground| battle.tables.terrain(ground.terrain).danger);
        let Some(peril) = peril else { continue };
        let name = battle.position.board.name(cell);
        let word = peril_word(peril);
        let (throw, dice) = battle.throw(rule::GAP_30, player, format_args!("{player} field {name} {word}"));
        let dangerous = throw.natural() < battle.tables.danger.below;
        battle.emit(
            &[rule::GAP_30, rule::R0_3_11][..],
            &dice,
            FieldHappening::Danger { cell, throw, dangerous },
        );
        if dangerous {
            suffer(battle, player, cell, peril);
        }
    }
}

/// Every living figure of the player's on the field rolls; in swamp all devices there sink without a roll.
fn suffer(battle: &mut Battle<'_>, player: RealmId, cell: Cell, peril: Peril) {
    let there: Vec<(FigureId, bool)> = battle
        .position
        .present()
        .filter(|(id, figure)| {
            let hidden = matches!(figure.place, Place::Above(_) | Place::Swimming(_));
            battle.position.cell_of(*id) == Some(cell) && !hidden && !on_ship(battle, *id)
        })
        .map(|(id, figure)| (id, figure.kind.family().is_device()))
        .collect();
    for (id, device) in &there {
        let mine = battle.position.figure(*id).is_some_and(|figure| figure.owner == player);
        if !device && mine {
            endure_or_fall(battle, *id, rule::GAP_30, peril_word(peril), Fate::Perished);
        }
    }
    for (id, device) in there {
        if device && peril == Peril::Sinking {
            fall(battle, id, Fate::Destroyed, vec![rule::GAP_30], &[]);
        }
    }
}

const fn peril_word(peril: Peril) -> &'static str {
    match peril {
        Peril::Thirst => "thirst",
        Peril::Cold => "cold",
        Peril::Sinking => "sinking",
    }
}

/// Whether a figure is aboard a ship, or one itself.
pub fn on_ship(battle: &Battle<'_>, id: FigureId) -> bool {
    let mut id = id;
    for _ in 0..8 {
        match battle.position.figure(id) {
            Some(figure) if figure.kind.family() == Family::Ship => return true,
            Some(Figure {
                place: Place::On(carrier, _),
                ..
            }) => id = *carrier,
            _ => return false,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Spot;
    use crate::kinds::{Class, Weapon};
    use crate::state::Enchantment;

    fn figure(kind: Kind) -> Figure {
        Figure::new(kind, 1, RealmId(1), Place::At(Spot::default()))
    }

    #[test]
    fn numbers_of_survival_are_those_of_the_ruling() {
        let tables = Tables::book().expect("the book");
        for (kind, expected) in [
            (Kind::Warrior(Weapon::Axe, Class::C), 10),
            (Kind::Priest, 10),
            (Kind::Slave, 10),
            (Kind::LightHorse, 10),
            (Kind::QuadrigaLight, 10),
            (Kind::QuadrigaHeavy, 8),
            (Kind::HeavyHorse, 8),
            (Kind::Elephant, 8),
            (Kind::Mammoth, 8),
            (Kind::Dragon, 8),
            (Kind::Giant, 8),
            (Kind::King, 8),
            (Kind::Wizard, 7),
        ] {
            assert_eq!(number(&tables, &figure(kind)), expected, "{kind}");
        }
    }

    #[test]
    fn a_phalanx_needs_one_more_and_protection_two_less() {
        let tables = Tables::book().expect("the book");
        let mut lance = figure(Kind::Warrior(Weapon::Lance, Class::B));
        lance.phalanx = Some(FigureId(0));
        assert_eq!(number(&tables, &lance), 11);
        lance.spell = Some(Enchantment {
            spell: Spell::Protection,
            caster: RealmId(1),
            toward: None,
        });
        assert_eq!(number(&tables, &lance), 9);
    }

    #[test]
    fn things_and_petrified_figures_need_no_roll() {
        let mut lance = figure(Kind::Warrior(Weapon::Lance, Class::B));
        assert!(!is_safe(&lance));
        lance.spell = Some(Enchantment {
            spell: Spell::Petrify,
            caster: RealmId(1),
            toward: None,
        });
        assert!(is_safe(&lance));
        assert!(is_safe(&figure(Kind::Onager)));
    }
}
