//! On whom a spell acts: field by field, storey by storey, never twice (ARM-0.4.69 to 0.4.82).

use crate::battle::Scene;
use crate::board::{Board, Cell};
use crate::deed::Refusal;
use crate::deed::magic::Aim;
use crate::kinds::{Family, Kind, Part, Spell};
use crate::rule;
use crate::state::{Figure, FigureId, Place, Position};
use crate::tables::{SpellTarget, Tables};
use kernel::realm::RealmId;
use kernel::rule::RuleId;
use std::collections::BTreeSet;

/// As what a figure is enchanted: a hovering wizard cannot be (ARM-0.4.76), a mortal one is like anybody (ARM-0.4.77, ARM-GAP-36).
pub fn target_of(figure: &Figure) -> Option<SpellTarget> {
    Some(match figure.kind.family() {
        Family::Warrior | Family::Person => SpellTarget::Warrior,
        Family::Wizard if figure.mortal => SpellTarget::Warrior,
        Family::Wizard => return None,
        Family::Horse | Family::Team | Family::Elephant => SpellTarget::Animal,
        Family::Carried | Family::Shelter | Family::Wagon => SpellTarget::Device,
        Family::Ship => SpellTarget::Ship,
        Family::Creature => SpellTarget::Creature,
    })
}

/// The storey where a figure is; none for a siege tower itself, which is its whole field.
fn storey_of(position: &Position, id: FigureId) -> Option<u8> {
    let mut at = id;
    for _ in 0..8 {
        let figure = position.figure(at)?;
        match figure.place {
            Place::On(_, Part::Lower) => return Some(0),
            Place::On(_, Part::Upper) => return Some(1),
            Place::On(carrier, _) => at = carrier,
            Place::At(_) if figure.kind == Kind::SiegeTower => return None,
            Place::At(spot) => return Some(spot.level),
            _ => return Some(0),
        }
    }
    None
}

/// Whether a figure is where the spell is aimed. A ship lies on both its fields.
pub fn is_hit(position: &Position, aim: Aim, id: FigureId) -> bool {
    let here = position.cell_of(id) == Some(aim.cell) || position.stern(id) == Some(aim.cell);
    here && aim.level.is_none_or(|level| storey_of(position, id) == Some(level))
}

/// Whether a spell of this player acts on a figure at all (ARM-0.4.73).
pub fn acts_on(scene: Scene<'_>, player: RealmId, spell: Spell, figure: &Figure) -> bool {
    let Some(target) = target_of(figure) else {
        return false;
    };
    if !scene.tables.spell(spell).acts_on.contains(&target) {
        return false;
    }
    if spell == Spell::MoveAnimals {
        // Only foreign animals, and none in harness: those go with their wagon.
        let harnessed = figure.held_by.and_then(|holder| scene.position.figure(holder));
        return figure.owner != player && harnessed.is_none_or(|holder| holder.kind != Kind::Wagon);
    }
    true
}

/// Whether an enchanted figure bars a spell on its field (ARM-0.4.69, ARM-0.4.73, ARM-0.4.82).
pub fn bars(tables: &Tables, spell: Spell, figure: &Figure) -> bool {
    if figure.spell.is_none() {
        return false;
    }
    let Some(target) = target_of(figure) else {
        return false;
    };
    let legal = match target {
        SpellTarget::Warrior => &tables.spell_compat.warrior,
        SpellTarget::Animal => &tables.spell_compat.animal,
        SpellTarget::Device => &tables.spell_compat.device,
        SpellTarget::Ship => &tables.spell_compat.ship,
        _ => return tables.spell(spell).acts_on.contains(&target),
    };
    tables.spell(spell).acts_on.contains(&target) && !legal.contains(&spell)
}

/// The factor of a figure: what a spell on it costs more than its price.
pub fn factor(tables: &Tables, figure: &Figure) -> i64 {
    let factor = tables.figure(figure.kind).factor;
    if figure.phalanx.is_some() {
        factor.max(tables.wizard.phalanx_factor)
    } else {
        factor
    }
}

/// The figures that a spell acts on, and the rules that chose them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    /// In the order of the fields, then by their numbers.
    pub figures: Vec<FigureId>,
    /// Rules.
    pub rules: Vec<RuleId>,
}

impl Survey {
    fn cite(&mut self, rule: RuleId) {
        if !self.rules.contains(&rule) {
            self.rules.push(rule);
        }
    }
}

/// Everybody on whom a spell acts there; refused where it would reach somebody who is enchanted already.
///
/// # Errors
/// The refusal.
pub fn survey(scene: Scene<'_>, player: RealmId, spell: Spell, on: &[Aim]) -> Result<Survey, Refusal> {
    let mut survey = Survey {
        figures: Vec::new(),
        rules: vec![rule::GAP_32, rule::GAP_33, rule::R0_4_72],
    };
    let mut hovering = None;
    for aim in on {
        let inside = scene.position.board.building(aim.cell).is_some();
        if aim.level.is_some() {
            survey.cite(rule::R0_4_74);
        } else if inside {
            survey.cite(rule::R0_4_80);
        }
        for (id, figure) in scene.position.present() {
            if !is_hit(scene.position, *aim, id) {
                if figure.spell.is_some() && scene.position.cell_of(id) == Some(aim.cell) {
                    survey.cite(rule::R0_4_74);
                }
                continue;
            }
            if matches!(figure.place, Place::Above(_)) {
                hovering = Some(id);
                if figure.owner != player {
                    survey.cite(rule::R0_4_75);
                }
                continue;
            }
            if bars(scene.tables, spell, figure) {
                return Err(barred(scene, figure, aim.cell));
            }
            if figure.spell.is_some() {
                for rule in [rule::R0_4_71, rule::R0_4_73, rule::R0_4_82] {
                    survey.cite(rule);
                }
                continue;
            }
            if !acts_on(scene, player, spell, figure) {
                survey.cite(rule::R0_4_73);
                continue;
            }
            if figure.kind == Kind::Wizard {
                if !scene.tables.wizard.mortal_bars_only_if_enchanted {
                    return Err(barred(scene, figure, aim.cell));
                }
                survey.cite(rule::R0_4_77);
                survey.cite(rule::GAP_36);
            }
            if !survey.figures.contains(&id) {
                survey.figures.push(id);
            }
        }
    }
    if !survey.figures.is_empty() {
        return Ok(survey);
    }
    Err(match hovering {
        Some(wizard) => {
            Refusal::new("wizard-not-enchanted", &[rule::R0_4_76][..]).with("figure", scene.position.name(wizard))
        }
        None => Refusal::new("nothing-to-enchant", &[rule::R0_4_72, rule::R0_4_73][..]),
    })
}

fn barred(scene: Scene<'_>, figure: &Figure, cell: Cell) -> Refusal {
    let rules: &'static [RuleId] = if figure.kind == Kind::Wizard {
        &[rule::R0_4_69, rule::R0_4_73, rule::R0_4_78, rule::GAP_36]
    } else {
        &[rule::R0_4_69, rule::R0_4_73, rule::R0_4_82]
    };
    Refusal::new("already-enchanted", rules)
        .with("figure", figure.to_string())
        .with("field", scene.position.board.name(cell))
}

/// What a spell on these figures costs: its price times the factor of each.
pub fn cost(scene: Scene<'_>, spell: Spell, figures: &[FigureId]) -> i64 {
    let price = scene.tables.spell(spell).price;
    let factors = figures.iter().filter_map(|id| scene.position.figure(*id));
    factors
        .map(|figure| price.saturating_mul(factor(scene.tables, figure)))
        .sum()
}

/// ARM-GAP-33: whether some fields hang together.
pub fn contiguous(board: &Board, on: &[Aim]) -> bool {
    let mut left: BTreeSet<Cell> = on.iter().map(|aim| aim.cell).collect();
    let Some(first) = left.pop_first() else {
        return true;
    };
    let mut rim = vec![first];
    while let Some(cell) = rim.pop() {
        for (_, next) in board.neighbours(cell) {
            if left.remove(&next) {
                rim.push(next);
            }
        }
    }
    left.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Province;
    use crate::kinds::{Class, Weapon};
    use crate::state::Enchantment;
    use kernel::hex::Hex;

    fn aims(numbers: &[u16]) -> Vec<Aim> {
        numbers.iter().map(|number| Aim::field(Cell(number - 1))).collect()
    }

    #[test]
    fn fields_hang_together_if_one_can_walk_from_each_to_each() {
        let province = Province {
            name: "1".to_owned(),
            at: Hex::ORIGIN,
        };
        let board = Board::new(vec![province]).expect("a board");
        assert!(contiguous(&board, &aims(&[17])));
        assert!(contiguous(&board, &aims(&[17, 19, 18])));
        assert!(!contiguous(&board, &aims(&[17, 19])));
        assert!(contiguous(&board, &aims(&[17, 17])));
    }

    #[test]
    fn beside_an_enchanted_figure_only_the_spells_of_the_table_stay_legal() {
        let tables = Tables::book().expect("the book");
        let nobody = RealmId(1);
        let spell = Some(Enchantment {
            spell: Spell::Strengthen,
            caster: nobody,
            toward: None,
        });
        let place = Place::At(crate::board::Spot::default());
        let lance = Figure {
            spell,
            ..Figure::new(Kind::Warrior(Weapon::Lance, Class::B), 1, nobody, place)
        };
        let horse = Figure {
            spell,
            ..Figure::new(Kind::LightHorse, 1, nobody, place)
        };
        let onager = Figure {
            spell,
            ..Figure::new(Kind::Onager, 1, nobody, place)
        };
        // ARM-0.4.82, row by row.
        let legal = |figure: &Figure| -> Vec<Spell> {
            let mut legal: Vec<Spell> = Spell::of_wizards()
                .iter()
                .copied()
                .filter(|spell| !bars(&tables, *spell, figure))
                .collect();
            legal.retain(|spell| !matches!(spell, Spell::DryUpRiver | Spell::FloodRiver | Spell::MoveCreature));
            legal
        };
        assert_eq!(legal(&lance), [Spell::MoveAnimals, Spell::LocalWind, Spell::MoveGate]);
        assert_eq!(legal(&horse), [Spell::LocalWind, Spell::MoveGate]);
        assert_eq!(
            legal(&onager),
            [
                Spell::Weaken,
                Spell::Strengthen,
                Spell::MakeInvisible,
                Spell::Paralyse,
                Spell::Petrify,
                Spell::MoveAnimals,
                Spell::LocalWind,
                Spell::MoveGate
            ]
        );
        assert!(!bars(&tables, Spell::Strengthen, &Figure { spell: None, ..lance }));
    }

    #[test]
    fn a_phalanx_warrior_has_factor_2_at_least() {
        let tables = Tables::book().expect("the book");
        let place = Place::At(crate::board::Spot::default());
        let mut man = Figure::new(Kind::Warrior(Weapon::Sword, Class::A), 1, RealmId(1), place);
        assert_eq!(factor(&tables, &man), 1);
        man.phalanx = Some(FigureId(0));
        assert_eq!(factor(&tables, &man), 2);
        man.kind = Kind::Warrior(Weapon::Sword, Class::C);
        assert_eq!(factor(&tables, &man), 3);
    }
}
