//! Spells field by field, dispelling, duels, the hovering wizard (ARM-0.4.69 to 0.4.82, ARM-GAP-32 to 36).
//!
//! `reach` finds on whom a spell acts, the other files what it does. What a spell means for duels, shots, steps and rolls for survival stands in
//! the chapters of those, which ask the figure.

pub mod beasts;
pub mod counter;
pub mod hover;
pub mod prayers;
pub mod reach;
pub mod transfer;
pub mod triples;
pub mod works;

use crate::battle::{Battle, Scene};
use crate::board::Spot;
use crate::deed::magic::Aim;
use crate::deed::{Deed, Magic, Permit, Refusal};
use crate::event::MagicHappening;
use crate::kinds::{Kind, Spell};
use crate::rule;
use crate::state::{Enchantment, FigureId};
use kernel::hex::Direction;
use kernel::realm::RealmId;
use kernel::rule::RuleId;

/// What a spell is going to do.
enum Effect {
    Enchant(Vec<FigureId>, Option<Direction>),
    Transfer(Vec<FigureId>, transfer::Plan),
    Drive(Vec<FigureId>),
    Lead(Vec<FigureId>),
    Rivers(Vec<u8>),
    Gates(Vec<(crate::deed::fight::Side, i64)>),
}

/// The effect of a spell with its price and the rules.
struct Design {
    effect: Effect,
    cost: i64,
    rules: Vec<RuleId>,
}

/// Whether a deed of this chapter is legal.
///
/// # Errors
/// The refusal.
pub fn judge(scene: Scene<'_>, player: RealmId, deed: &Magic) -> Result<Permit, Refusal> {
    match deed {
        Magic::Cast {
            wizard,
            spell,
            on,
            to,
            along,
        } => {
            judge_wizard(scene, player, *wizard)?;
            judge_window(scene, player, true)?;
            learnt(scene, *wizard, *spell)?;
            let design = design(scene, player, (*wizard, *along), *spell, on, to)?;
            afford(scene, player, design.cost)?;
            Ok(Permit {
                spell_units: design.cost,
                rules: design.rules,
                ..Permit::default()
            })
        }
        Magic::Duel { wizard, target } => counter::judge_duel(scene, player, *wizard, *target),
        Magic::Pray { .. } | Magic::Feed { .. } => prayers::judge(scene, player, deed),
        _ => Err(Refusal::new("not-built", &[rule::GAP_32][..])),
    }
}

/// The wizard must be the player's own and immortal.
fn judge_wizard(scene: Scene<'_>, player: RealmId, wizard: FigureId) -> Result<(), Refusal> {
    let figure = crate::legal::own(scene, player, wizard)?;
    if figure.kind != Kind::Wizard {
        return Err(Refusal::new("not-a-wizard", &[rule::GAP_33][..]).with("figure", figure.to_string()));
    }
    if figure.mortal {
        return Err(Refusal::new("wizard-mortal", &[rule::GAP_36][..]).with("figure", figure.to_string()));
    }
    Ok(())
}

/// KAL-19.3.4.6: an apprentice knows the first spells of the list only; what priests do no wizard does.
fn learnt(scene: Scene<'_>, wizard: FigureId, spell: Spell) -> Result<(), Refusal> {
    let learnt = scene
        .position
        .figure(wizard)
        .map_or(0, |figure| usize::from(figure.learnt));
    let all = Spell::of_wizards();
    let count = if learnt == 0 { all.len() } else { learnt };
    let known = all.iter().take(count).any(|known| *known == spell);
    if known {
        return Ok(());
    }
    Err(Refusal::new("spell-not-learnt", &[rule::KAL_19_3_4_6][..])
        .with("figure", scene.position.name(wizard))
        .with("spell", spell.script_word()))
}

/// ARM-GAP-01: one spell per wizard and round; a triple pays for one more.
fn judge_window(scene: Scene<'_>, player: RealmId, triple_pays: bool) -> Result<(), Refusal> {
    let found = scene.position.players.get(&player);
    if triple_pays && found.is_some_and(|found| found.bounty > 0) {
        return Ok(());
    }
    let cast = found.map_or(0, |found| i64::from(found.spells_cast));
    if cast >= scene.tables.sequence.spells_per_round {
        return Err(Refusal::new("spell-used", &[rule::GAP_01][..]));
    }
    Ok(())
}

/// Whether a player's units, with those of a triple, pay for a spell.
fn afford(scene: Scene<'_>, player: RealmId, cost: i64) -> Result<(), Refusal> {
    let triple = scene
        .position
        .players
        .get(&player)
        .is_some_and(|found| found.bounty > 0);
    let free = if triple {
        scene.tables.wizard.triple_spent_at_once
    } else {
        0
    };
    let has = scene.secret.map_or(0, |secret| secret.spell_units).saturating_add(free);
    if cost > has {
        return Err(Refusal::new("too-few-units", &[rule::GAP_32][..])
            .with("cost", cost)
            .with("units", has));
    }
    Ok(())
}

/// What a spell would do, what it costs, by which rules.
fn design(
    scene: Scene<'_>,
    player: RealmId,
    (wizard, along): (FigureId, bool),
    spell: Spell,
    on: &[Aim],
    to: &[Spot],
) -> Result<Design, Refusal> {
    if scene.tables.wizard.contiguous && !reach::contiguous(&scene.position.board, on) {
        return Err(Refusal::new("not-contiguous", &[rule::GAP_33][..]));
    }
    let aimed = matches!(
        spell,
        Spell::Transfer | Spell::MoveAnimals | Spell::MoveCreature | Spell::LocalWind
    );
    if (!aimed && !to.is_empty()) || (along && spell != Spell::Transfer) {
        return Err(Refusal::new("spell-has-no-destination", &[rule::GAP_32][..]).with("spell", spell.script_word()));
    }
    match spell {
        Spell::DryUpRiver | Spell::FloodRiver => {
            let (rivers, rules) = works::rivers(scene, on)?;
            let count = i64::try_from(rivers.len()).unwrap_or(i64::MAX);
            Ok(Design {
                effect: Effect::Rivers(rivers),
                cost: scene.tables.spell(spell).price.saturating_mul(count),
                rules,
            })
        }
        Spell::MoveGate => {
            let gates = works::gates(scene.tables, &scene.position.board, on);
            if gates.is_empty() {
                return Err(Refusal::new("no-gate-there", &[rule::R0_4_79][..]));
            }
            Ok(Design {
                cost: gates.iter().map(|(_, price)| price).sum(),
                effect: Effect::Gates(gates),
                rules: vec![rule::GAP_32, rule::GAP_33, rule::R0_4_70, rule::R0_4_79],
            })
        }
        _ => on_figures(scene, player, (wizard, along), spell, on, to),
    }
}

/// The same for spells that act on figures.
fn on_figures(
    scene: Scene<'_>,
    player: RealmId,
    (wizard, along): (FigureId, bool),
    spell: Spell,
    on: &[Aim],
    to: &[Spot],
) -> Result<Design, Refusal> {
    let survey = reach::survey(scene, player, spell, on)?;
    let mut design = Design {
        cost: reach::cost(scene, spell, &survey.figures),
        rules: survey.rules,
        effect: Effect::Enchant(Vec::new(), None),
    };
    let figures = survey.figures;
    // Too dear is too dear wherever it goes: what follows is much more to reckon.
    afford(scene, player, design.cost)?;
    design.effect = match spell {
        Spell::Transfer => {
            let mut plan = transfer::plan(scene, player, on, to, &figures)?;
            if along {
                join(scene, player, wizard, on, to, &mut plan)?;
            }
            design.rules.extend(plan.rules.iter().copied());
            Effect::Transfer(figures, plan)
        }
        Spell::MoveAnimals => {
            design.rules.extend(beasts::drive(scene, &figures, to)?);
            Effect::Drive(figures)
        }
        Spell::MoveCreature => {
            design.cost = beasts::lead(scene, &figures, to)?;
            design.rules.extend([rule::GAP_31, rule::R0_2_4]);
            Effect::Lead(figures)
        }
        Spell::LocalWind => {
            let toward = match (on.first(), to) {
                (Some(from), [spot]) => scene.position.board.direction(from.cell, spot.cell),
                _ => None,
            };
            if toward.is_none() {
                return Err(Refusal::new("wind-needs-direction", &[rule::GAP_32][..]));
            }
            Effect::Enchant(figures, toward)
        }
        _ => Effect::Enchant(figures, None),
    };
    let mut seen = Vec::new();
    design.rules.retain(|rule| {
        let new = !seen.contains(rule);
        seen.push(*rule);
        new
    });
    Ok(design)
}

/// ARM-0.4.76: the wizard goes along with the figures that he hovers over, to the first of their aims.
fn join(
    scene: Scene<'_>,
    player: RealmId,
    wizard: FigureId,
    on: &[Aim],
    to: &[Spot],
    plan: &mut transfer::Plan,
) -> Result<(), Refusal> {
    let above = scene.position.cell_of(wizard);
    let over = on.iter().position(|aim| Some(aim.cell) == above);
    let Some(over) = over else {
        return Err(Refusal::new("wizard-elsewhere", &[rule::R0_4_76][..]).with("figure", scene.position.name(wizard)));
    };
    let goal = if to.len() == on.len() { to.get(over) } else { to.first() };
    if let Some(goal) = goal {
        plan.rules.extend(hover::may_hover(scene, player, goal.cell)?);
        plan.rules.push(rule::R0_4_76);
        plan.moves.push((wizard, crate::state::Place::Above(goal.cell)));
    }
    Ok(())
}

/// Carries out what [`judge`] allowed.
pub fn perform(battle: &mut Battle<'_>, player: RealmId, deed: &Magic, permit: &Permit) {
    match deed {
        Magic::Cast {
            wizard,
            spell,
            on,
            to,
            along,
        } => cast(battle, player, (*wizard, *along), *spell, (on, to), permit),
        Magic::Duel { wizard, target } => counter::duel(battle, player, *wizard, *target, permit),
        Magic::Pray { .. } | Magic::Feed { .. } => prayers::perform(battle, player, deed, permit),
        _ => {}
    }
}

fn cast(
    battle: &mut Battle<'_>,
    player: RealmId,
    (wizard, along): (FigureId, bool),
    spell: Spell,
    (on, to): (&[Aim], &[Spot]),
    permit: &Permit,
) {
    let Ok(mut design) = design(battle.scene(player), player, (wizard, along), spell, on, to) else {
        return;
    };
    let mut free = 0;
    if let Some(found) = battle.position.players.get_mut(&player) {
        if found.bounty > 0 {
            found.bounty -= 1;
            free = battle.tables.wizard.triple_spent_at_once.min(design.cost);
        } else {
            found.spells_cast = found.spells_cast.saturating_add(1);
        }
    }
    if let Some(secret) = battle.secrets.get_mut(&player) {
        secret.spell_units -= design.cost - free;
    }
    let happening = MagicHappening::Cast {
        wizard,
        spell,
        on: on.to_vec(),
        cost: design.cost,
    };
    battle.emit(permit.rules.clone(), &[], happening);
    if counter::dispelled(battle, player, wizard, design.cost) {
        return;
    }
    ward(battle, player, wizard, &mut design);
    match &design.effect {
        Effect::Enchant(figures, toward) => enchant(battle, player, spell, figures, *toward, &permit.rules),
        Effect::Transfer(figures, plan) => {
            enchant(battle, player, spell, figures, None, &permit.rules);
            transfer::perform(battle, plan);
        }
        Effect::Drive(figures) => {
            enchant(battle, player, spell, figures, None, &permit.rules);
            beasts::perform_drive(battle, figures, to, &permit.rules);
        }
        Effect::Lead(figures) => {
            enchant(battle, player, spell, figures, None, &permit.rules);
            beasts::perform_lead(battle, figures, to);
        }
        Effect::Rivers(rivers) => {
            if let Some(aim) = on.first() {
                works::enchant_rivers(battle, player, spell, rivers, aim.cell);
            }
        }
        Effect::Gates(gates) => works::move_gates(battle, gates),
    }
}

/// Takes those out of a spell who ward it off for themselves.
fn ward(battle: &mut Battle<'_>, player: RealmId, wizard: FigureId, design: &mut Design) {
    let cost = design.cost;
    let (Effect::Enchant(figures, _) | Effect::Transfer(figures, _)) = &mut design.effect else {
        return;
    };
    let free = prayers::warded(battle, player, wizard, cost, figures);
    figures.retain(|id| !free.contains(id));
    if let Effect::Transfer(_, plan) = &mut design.effect {
        plan.moves.retain(|(id, _)| !free.contains(id));
    }
}

/// Puts a spell on figures, until the caster's next turn begins.
fn enchant(
    battle: &mut Battle<'_>,
    player: RealmId,
    spell: Spell,
    figures: &[FigureId],
    toward: Option<Direction>,
    rules: &[RuleId],
) {
    for id in figures {
        if let Some(figure) = battle.position.figure_mut(*id) {
            figure.spell = Some(Enchantment {
                spell,
                caster: player,
                toward,
            });
        }
    }
    let happening = MagicHappening::Enchanted {
        spell,
        figures: figures.to_vec(),
    };
    battle.emit(rules.to_vec(), &[], happening);
}

/// Every deed of this chapter that might be possible: spells on single fields and storeys, the shortest of their aims, and challenges.
///
/// A spell on several fields at once is legal too, but there are too many of them to offer.
pub fn candidates(scene: Scene<'_>, player: RealmId, list: &mut Vec<Deed>) {
    prayers::candidates(scene, player, list);
    let Some(wizard) = counter::wizard_of(scene.position, player) else {
        return;
    };
    if judge_window(scene, player, true).is_err() {
        return;
    }
    list.extend(counter::challenges(scene, wizard).map(|target| Deed::Magic(Magic::Duel { wizard, target })));
    let mut cells: Vec<_> = scene
        .position
        .present()
        .flat_map(|(id, _)| [scene.position.cell_of(id), scene.position.stern(id)])
        .flatten()
        .collect();
    cells.sort_unstable();
    cells.dedup();
    for spell in Spell::of_wizards() {
        let fields: Vec<_> = match spell {
            Spell::MoveGate | Spell::DryUpRiver | Spell::FloodRiver => scene.position.board.all().collect(),
            _ => cells.clone(),
        };
        for cell in fields {
            for aim in aims(scene, cell) {
                for to in destinations(scene, player, *spell, aim) {
                    let over = *spell == Spell::Transfer && scene.position.cell_of(wizard) == Some(cell);
                    for along in [false, true].into_iter().take(1 + usize::from(over)) {
                        let deed = Magic::Cast {
                            wizard,
                            spell: *spell,
                            on: vec![aim],
                            to: to.clone(),
                            along,
                        };
                        list.push(Deed::Magic(deed));
                    }
                }
            }
        }
    }
}

/// A field as a whole, and each of its storeys.
fn aims(scene: Scene<'_>, cell: crate::board::Cell) -> Vec<Aim> {
    let position = scene.position;
    let tower = position
        .standing_at(Spot::ground(cell))
        .any(|(_, figure)| figure.kind == Kind::SiegeTower);
    let storeys = match position.board.building(cell) {
        Some(building) => building.levels(scene.tables),
        None if tower => 2,
        None => 0,
    };
    let mut aims = vec![Aim::field(cell)];
    aims.extend((0..storeys).map(|level| Aim {
        cell,
        level: Some(level),
    }));
    aims
}

/// The shortest aims of a spell: none, every other spot, or a neighbour.
fn destinations(scene: Scene<'_>, player: RealmId, spell: Spell, aim: Aim) -> Vec<Vec<Spot>> {
    let board = &scene.position.board;
    let acted = || {
        scene
            .position
            .present()
            .any(|(id, figure)| reach::is_hit(scene.position, aim, id) && reach::acts_on(scene, player, spell, figure))
    };
    match spell {
        Spell::Transfer if acted() => board
            .all()
            .map(|cell| {
                let platform = board
                    .building(cell)
                    .and_then(|building| building.platform(scene.tables));
                vec![Spot {
                    cell,
                    level: platform.unwrap_or(0),
                }]
            })
            .collect(),
        Spell::MoveAnimals | Spell::MoveCreature | Spell::LocalWind if acted() => board
            .neighbours(aim.cell)
            .map(|(_, cell)| vec![Spot::ground(cell)])
            .collect(),
        Spell::Transfer | Spell::MoveAnimals | Spell::MoveCreature | Spell::LocalWind => Vec::new(),
        _ => vec![Vec::new()],
    }
}

/// ARM-GAP-01, ARM-GAP-32, when a player's turn begins: the spells of his last turn expire, and those of casters who have nothing left.
pub fn expire(battle: &mut Battle<'_>, player: RealmId) {
    let position = &battle.position;
    let ends = |caster: RealmId| caster == player || !position.present().any(|(_, figure)| figure.owner == caster);
    let figures: Vec<FigureId> = position
        .present()
        .filter(|(_, figure)| figure.spell.is_some_and(|on| ends(on.caster)))
        .map(|(id, _)| id)
        .collect();
    let rivers: Vec<usize> = position
        .board
        .rivers
        .iter()
        .enumerate()
        .filter(|(_, river)| river.spell.is_some_and(|on| ends(on.caster)))
        .map(|(index, _)| index)
        .collect();
    for id in &figures {
        if let Some(figure) = battle.position.figure_mut(*id) {
            figure.spell = None;
        }
    }
    for index in &rivers {
        if let Some(river) = battle.position.board.rivers.get_mut(*index) {
            river.spell = None;
        }
    }
    if !figures.is_empty() || !rivers.is_empty() {
        let happening = MagicHappening::Expired { player, figures };
        battle.emit(&[rule::GAP_01, rule::GAP_32][..], &[], happening);
    }
}
