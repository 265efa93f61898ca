//! From a line of the script to deeds: looks names up on the board, and carries the line out as a whole or not at all.

use crate::battle::{Battle, Scene};
use crate::board::{Cell, Spot};
use crate::deed::field::Helm;
use crate::deed::fight::Side;
use crate::deed::magic::Aim;
use crate::deed::{Deed, Field, Fight, Magic, Refusal};
use crate::devices;
use crate::kinds::{Family, Kind, Part};
use crate::legal;
use crate::order::{FieldName, Figures, LevelName, MountVerb, Named, Object, Order, RopeVerb, SideName};
use crate::rule;
use crate::standing::player_named;
use crate::state::{FigureId, Place};
use crate::water;
use kernel::diagnostic::{Diagnostic, Span, Spanned};
use kernel::realm::RealmId;
use std::collections::BTreeSet;

/// A refusal with the part of the line that it is about, where that is not the whole line.
pub type Fault = (Refusal, Option<Span>);

/// Carries out one line of a player's turn. A line that is refused changes nothing, unless a die had fallen on its way.
pub fn carry_out(battle: &mut Battle<'_>, player: RealmId, order: &Order, span: Span) {
    let mut at = None;
    let result = battle.all_or_nothing(|battle| {
        battle.log_line();
        line(battle, player, order).map_err(|(refusal, span)| {
            at = span;
            refusal
        })
    });
    if let Err((refusal, in_part)) = result {
        battle.refuse(player, refusal, at.unwrap_or(span));
        if in_part {
            battle.note(player, Diagnostic::warning("done-in-part", span, &[rule::GAP_45]));
        }
    }
}

fn line(battle: &mut Battle<'_>, player: RealmId, order: &Order) -> Result<(), Fault> {
    match order {
        Order::Move { figures, path, facing } => {
            movement(battle, player, figures, path)?;
            if let Some(facing) = facing {
                let last = path.last().map(|field| &field.value);
                for figure in facing_ones(
                    battle.scene(player),
                    listed(battle.scene(player), player, figures, last)?,
                ) {
                    let ship = battle
                        .position
                        .figure(figure)
                        .is_some_and(|figure| figure.kind.family() == Family::Ship);
                    let faces = battle.position.figure(figure).and_then(|one| one.facing) == Some(facing.value);
                    let turned = battle.position.figure(figure).is_some_and(|one| one.turned);
                    // A phalanx turns as one; a ship that looks there already has nothing to do.
                    if faces && (ship || turned) {
                        continue;
                    }
                    let deed = Deed::Field(if ship {
                        Field::Sail {
                            ship: figure,
                            helm: Helm::Turn(facing.value),
                        }
                    } else {
                        Field::Face {
                            figure,
                            facing: facing.value,
                        }
                    });
                    legal::carry_out(battle, player, &deed).map_err(|refusal| (refusal, Some(facing.span)))?;
                }
            }
            Ok(())
        }
        Order::Flee { figures, at } => flee(battle, player, figures, at),
        other => {
            let deed = deed(battle.scene(player), player, other)?;
            legal::carry_out(battle, player, &deed).map_err(|refusal| (refusal, None))
        }
    }
}

/// `FLIEHE`: one after the other; a rider goes with his horse, whichever of them the line names.
fn flee(
    battle: &mut Battle<'_>,
    player: RealmId,
    figures: &Spanned<Figures>,
    at: &Spanned<FieldName>,
) -> Result<(), Fault> {
    let scene = battle.scene(player);
    let who = listed(scene, player, figures, Some(&at.value))?;
    standing(scene, &who, spot(scene, at)?, at.span)?;
    for figure in on_foot(scene, who) {
        let deed = Deed::Field(Field::Flee { figure });
        legal::carry_out(battle, player, &deed).map_err(|refusal| (refusal, None))?;
    }
    Ok(())
}

/// Those who go by themselves: a rider goes with his mount, whichever of them a line names, and each of them once.
fn on_foot(scene: Scene<'_>, mut who: Vec<FigureId>) -> Vec<FigureId> {
    for id in &mut who {
        if let Some(Place::On(mount, Part::Back | Part::Saddle)) = scene.position.figure(*id).map(|one| one.place) {
            *id = mount;
        }
    }
    let mut known = BTreeSet::new();
    who.retain(|id| known.insert(*id));
    who
}

/// Figures that a line names one by one, whosever they are.
fn named_ones(scene: Scene<'_>, figures: &Spanned<Figures>) -> Result<Vec<FigureId>, Fault> {
    match &figures.value {
        Figures::List(list) => list.iter().map(|named| figure(scene, named)).collect(),
        Figures::Count(..) => {
            let refusal = Refusal::new("expected-names", &[rule::KAL_20_2_3_6][..]);
            Err((refusal, Some(figures.span)))
        }
    }
}

/// Of several figures those that have a facing at all; all of them if none has, so that the refusal names one.
fn facing_ones(scene: Scene<'_>, figures: Vec<FigureId>) -> Vec<FigureId> {
    let faces = |id: &FigureId| {
        let figure = scene.position.figure(*id);
        figure.is_some_and(|one| scene.tables.figure(one.kind).faces || one.phalanx.is_some())
    };
    if figures.iter().any(faces) {
        return figures.into_iter().filter(faces).collect();
    }
    figures
}

/// `ZIEHE`: each figure goes the whole way before the next one starts; a device goes with the others as its bearers.
fn movement(
    battle: &mut Battle<'_>,
    player: RealmId,
    figures: &Spanned<Figures>,
    path: &[Spanned<FieldName>],
) -> Result<(), Fault> {
    let scene = battle.scene(player);
    let mut who = listed(scene, player, figures, path.first().map(|field| &field.value))?;
    let mut spots = Vec::new();
    for field in path {
        spots.push((spot(scene, field)?, field.span));
    }
    let Some(((start, start_span), way)) = spots.split_first() else {
        return Ok(());
    };
    standing(scene, &who, *start, *start_span)?;
    // A phalanx goes as one, whoever of it the line names.
    for id in &mut who {
        if let Some(leader) = scene.position.figure(*id).and_then(|figure| figure.phalanx) {
            *id = leader;
        }
    }
    let who = on_foot(scene, who);
    let device = who.iter().copied().find(|id| {
        let family = scene.position.figure(*id).map(|figure| figure.kind.family());
        matches!(family, Some(Family::Carried | Family::Shelter))
    });
    if let Some(device) = device {
        let mut bearers: Vec<FigureId> = who.iter().copied().filter(|id| *id != device).collect();
        bearers.sort_unstable();
        for (to, span) in way {
            let deed = Deed::Field(Field::Haul {
                device,
                bearers: bearers.clone(),
                to: *to,
            });
            legal::carry_out(battle, player, &deed).map_err(|refusal| (refusal, Some(*span)))?;
        }
        return Ok(());
    }
    for id in who {
        for (to, span) in way {
            let Some(deed) = step(battle.scene(player), id, *to) else {
                continue;
            };
            legal::carry_out(battle, player, &deed).map_err(|refusal| (refusal, Some(*span)))?;
        }
    }
    Ok(())
}

/// Whether all of these are on the field that a line names.
fn standing(scene: Scene<'_>, who: &[FigureId], spot: Spot, span: Span) -> Result<(), Fault> {
    match who.iter().find(|id| scene.position.cell_of(**id) != Some(spot.cell)) {
        None => Ok(()),
        Some(absent) => {
            let refusal = Refusal::new("not-there", &[rule::R0_4_38][..])
                .with("figure", scene.position.name(*absent))
                .with("field", scene.position.board.spot_name(scene.tables, spot));
            Err((refusal, Some(span)))
        }
    }
}

/// One step of whatever kind the figure takes; none of a figure that is not there.
fn step(scene: Scene<'_>, id: FigureId, to: Spot) -> Option<Deed> {
    let figure = scene.position.figure(id)?;
    if let Some(phalanx) = figure.phalanx {
        return Some(Deed::Field(Field::March { phalanx, to }));
    }
    // Onto the field of a ship means aboard it.
    let afloat = matches!(figure.place, Place::At(_) | Place::On(_, Part::Bow | Part::Stern));
    if !matches!(figure.kind.family(), Family::Ship | Family::Creature)
        && afloat
        && let Some((carrier, part)) = water::ship_on(scene.position, to.cell)
    {
        return Some(Deed::Field(Field::Board {
            figure: id,
            carrier,
            part,
        }));
    }
    if let Some(tower) = turret(scene, figure.place, to) {
        return Some(Deed::Field(Field::Board {
            figure: id,
            carrier: tower,
            part: Part::Upper,
        }));
    }
    Some(Deed::Field(match (figure.kind.family(), figure.place) {
        (Family::Wagon, _) => Field::Drive { wagon: id, to },
        (Family::Ship, Place::At(bow)) => match scene.position.board.direction(bow.cell, to.cell) {
            Some(course) => Field::Sail {
                ship: id,
                helm: Helm::Ahead(course),
            },
            None => Field::Step { figure: id, to },
        },
        (_, Place::Swimming(_)) => Field::LandFromWater { figure: id, to },
        (_, Place::On(..)) => Field::Leave { figure: id, to },
        _ => Field::Step { figure: id, to },
    }))
}

/// The siege tower onto whose platform a step from a tower's platform or a ladder leads.
fn turret(scene: Scene<'_>, from: Place, to: Spot) -> Option<FigureId> {
    let up = match from {
        Place::At(spot) => spot.level > 0 && spot.cell != to.cell,
        Place::On(_, Part::Rung) => true,
        _ => false,
    };
    let mut standing = scene.position.standing_at(Spot::ground(to.cell));
    let (tower, _) = standing.find(|(_, figure)| figure.kind == Kind::SiegeTower)?;
    // Down a ladder one comes to its foot, which has no siege tower on it.
    (up && to.level == 0).then_some(tower)
}

/// The deed of a line that is exactly one.
///
/// # Errors
/// A name that nothing on the board has.
pub fn deed(scene: Scene<'_>, player: RealmId, order: &Order) -> Result<Deed, Fault> {
    Ok(match order {
        Order::Swap {
            figures,
            here,
            with,
            there,
        } => {
            let mine = listed(scene, player, figures, Some(&here.value))?;
            let theirs = listed_of_side(scene, player, with, Some(&there.value))?;
            for (group, field) in [(&mine, here), (&theirs, there)] {
                standing(scene, group, spot(scene, field)?, field.span)?;
            }
            let (mut mine, mut theirs) = (on_foot(scene, mine), on_foot(scene, theirs));
            mine.sort_unstable();
            theirs.sort_unstable();
            Deed::Field(Field::Swap {
                here: mine,
                there: theirs,
            })
        }
        Order::Mount { verb, figure, other } => mount(scene, *verb, figure, other.as_ref())?,
        Order::Harness { horse, wagon } => Deed::Field(Field::Harness {
            horse: figure(scene, horse)?,
            wagon: figure(scene, wagon)?,
        }),
        Order::Unharness { wagon } => Deed::Field(Field::Unharness {
            wagon: figure(scene, wagon)?,
        }),
        Order::Possess { object } => match &object.value {
            Object::Figure(named) => Deed::Field(Field::Possess {
                object: found(scene, *named, object.span)?,
            }),
            Object::Centre(field) => Deed::Magic(Magic::TakeCentre {
                cell: place(scene, field, object.span)?.cell,
            }),
            Object::Gate(gate) => return Err(never_taken(gate, object.span)),
        },
        Order::Give { object, to } => Deed::Field(Field::Give {
            object: thing(scene, object)?,
            to: someone(scene, to)?,
        }),
        Order::Lend { object, to } => Deed::Field(Field::Lend {
            object: thing(scene, object)?,
            to: someone(scene, to)?,
        }),
        Order::Cast {
            spell,
            fields,
            storey,
            to,
            along,
        } => {
            let mut on = Vec::new();
            for field in fields {
                on.push(aim(scene, field, storey.as_ref())?);
            }
            let to = to.iter().map(|field| spot(scene, field)).collect::<Result<_, _>>()?;
            let wizard = wizard(scene, player)?;
            if let Some(named) = along
                && figure(scene, named)? != wizard
            {
                let refusal =
                    Refusal::new("not-a-wizard", &[rule::R0_4_76][..]).with("figure", named.value.to_string());
                return Err((refusal, Some(named.span)));
            }
            Deed::Magic(Magic::Cast {
                wizard,
                spell: spell.value,
                on,
                to,
                along: along.is_some(),
            })
        }
        Order::Pray { priest, spell, figures } => {
            let mut whom = named_ones(scene, figures)?;
            whom.sort_unstable();
            whom.dedup();
            Deed::Magic(Magic::Pray {
                priest: figure(scene, priest)?,
                spell: *spell,
                figures: whom,
            })
        }
        Order::Feed { priest } => Deed::Magic(Magic::Feed {
            priest: figure(scene, priest)?,
        }),
        Order::Plunder { at } => Deed::Magic(Magic::Plunder {
            cell: spot(scene, at)?.cell,
        }),
        Order::Raze { at } => Deed::Magic(Magic::Raze {
            cell: spot(scene, at)?.cell,
        }),
        Order::Duel { figure: who, target } => Deed::Magic(Magic::Duel {
            wizard: figure(scene, who)?,
            target: figure(scene, target)?,
        }),
        Order::Dispel { figure: whose } => {
            // Nobody is asked while another player casts (ARM-0.2.3): what he would answer is said beforehand.
            let rules = &[rule::R0_2_3, rule::GAP_01][..];
            let refusal = Refusal::new("dispel-by-instruction", rules).with("figure", whose.value.to_string());
            return Err((refusal, None));
        }
        Order::WorldLayer { verb, .. } => {
            let refusal = Refusal::new("world-layer", &[rule::R0_1_2][..]).with("verb", verb.as_str());
            return Err((refusal, None));
        }
        other => return fight(scene, player, other).map(Deed::Fight),
    })
}

fn fight(scene: Scene<'_>, player: RealmId, order: &Order) -> Result<Fight, Fault> {
    Ok(match order {
        Order::Attack {
            figure: who,
            support,
            target,
        } => Fight::Attack {
            figure: figure(scene, who)?,
            support: support.as_ref().map(|named| figure(scene, named)).transpose()?,
            target: figure(scene, target)?,
        },
        Order::WeightBlow { phalanx: at, target } => Fight::WeightBlow {
            phalanx: phalanx(scene, player, at)?,
            target: spot(scene, target)?.cell,
        },
        Order::Shoot { figure: who, target } => Fight::Shoot {
            figure: figure(scene, who)?,
            target: figure(scene, target)?,
        },
        Order::Throw {
            onager,
            crew,
            target,
            side,
        } => Fight::Throw {
            onager: figure(scene, onager)?,
            crew: figure(scene, crew)?,
            target: spot(scene, target)?,
            side: *side,
        },
        Order::Pour { platform, target } => {
            let target = spot(scene, target)?.cell;
            hand_at(scene, player, platform, |figure| Fight::Pour { figure, target })?
        }
        Order::Ram { device, target } => Fight::Ram {
            device: figure(scene, device)?,
            target: side(scene, target)?,
        },
        Order::RamShip { ship, target } => Fight::RamShip {
            ship: figure(scene, ship)?,
            target: figure(scene, target)?,
        },
        Order::SetLadder { ladder, at } => Fight::SetLadder {
            ladder: figure(scene, ladder)?,
            against: spot(scene, at)?.cell,
        },
        Order::ToppleLadder { ladder, at } => {
            let ladder = figure(scene, ladder)?;
            hand_at(scene, player, at, |figure| Fight::Topple { ladder, figure })?
        }
        Order::Rope { verb, rope, at } => {
            let rope = figure(scene, rope)?;
            match verb {
                RopeVerb::Throw => {
                    let against = spot(scene, at)?.cell;
                    let throw = |figure| Fight::ThrowRope { rope, figure, against };
                    hand_beside(scene, player, rope, at.span, throw)?
                }
                RopeVerb::Tie => hand_beside(scene, player, rope, at.span, |figure| Fight::TieRopes { rope, figure })?,
                RopeVerb::Cut => hand_at(scene, player, at, |figure| Fight::CutRope { rope, figure })?,
            }
        }
        Order::Destroy { device } => {
            let id = figure(scene, device)?;
            hand_beside(scene, player, id, device.span, |figure| Fight::Destroy {
                device: id,
                figure,
            })?
        }
        Order::Gate { gate, open } => Fight::Gate {
            gate: side(scene, gate)?,
            open: *open,
        },
        Order::Loophole { figure: who, side } => Fight::Loophole {
            figure: figure(scene, who)?,
            side: side.value,
        },
        Order::Besiege { castle } => Fight::Besiege {
            castle: spot(scene, castle)?.cell,
        },
        Order::Phalanx { at, front: None } => Fight::DissolvePhalanx {
            phalanx: phalanx(scene, player, at)?,
        },
        Order::Phalanx { at, front: Some(front) } => {
            let spot = spot(scene, at)?;
            let members = scene
                .position
                .standing_at(spot)
                .filter(|(_, figure)| figure.possessor == player && figure.kind.is_warrior())
                .map(|(id, _)| id)
                .collect();
            Fight::FormPhalanx {
                members,
                front: front.value,
            }
        }
        Order::Search { figure: who } => Fight::Search {
            figure: figure(scene, who)?,
        },
        _ => return Err((Refusal::new("not-built", &[rule::R0_2_1][..]), None)),
    })
}

/// `AUFSITZEN`, `ABSTEIGEN` and their kin.
fn mount(
    scene: Scene<'_>,
    verb: MountVerb,
    who: &Spanned<Named>,
    other: Option<&Spanned<Named>>,
) -> Result<Deed, Fault> {
    let id = figure(scene, who)?;
    let what = other.map(|other| figure(scene, other)).transpose()?;
    let missing = || {
        let refusal = Refusal::new("expected-carrier", &[rule::R0_3_2][..]).with("figure", who.value.to_string());
        (refusal, Some(who.span))
    };
    Ok(Deed::Field(match verb {
        MountVerb::Mount | MountVerb::Climb => {
            let carrier = what.ok_or_else(missing)?;
            let kind = scene.position.figure(carrier).map(|figure| figure.kind);
            let part = kind
                .and_then(|kind| main_part(scene, carrier, kind, id))
                .ok_or_else(missing)?;
            Field::Board {
                figure: id,
                carrier,
                part,
            }
        }
        MountVerb::Dismount | MountVerb::Alight => {
            let cell = scene.position.cell_of(id).unwrap_or_default();
            Field::Leave {
                figure: id,
                to: Spot::ground(cell),
            }
        }
        MountVerb::Rein | MountVerb::Lead => match what {
            Some(animal) => Field::Lead { animal, by: Some(id) },
            None => {
                let held = scene.position.present().find(|(_, figure)| figure.held_by == Some(id));
                let (animal, _) = held.ok_or_else(missing)?;
                Field::Lead { animal, by: None }
            }
        },
    }))
}

/// The part of a carrier that one gets onto first: of a ship the one that is nearer and has room, of a siege tower its lower part, then its
/// platform from inside; its platform too from a tower beside it and from a ladder.
fn main_part(scene: Scene<'_>, carrier: FigureId, kind: Kind, who: FigureId) -> Option<Part> {
    let above = match scene.position.figure(who).map(|figure| figure.place) {
        Some(Place::On(on, Part::Lower)) => on == carrier,
        Some(Place::On(_, Part::Rung)) => true,
        Some(Place::At(spot)) => spot.level > 0,
        _ => false,
    };
    Some(match kind {
        Kind::LightHorse | Kind::HeavyHorse => Part::Back,
        Kind::Elephant | Kind::Mammoth => Part::Saddle,
        Kind::Wagon => Part::Wagon,
        Kind::Turtle => Part::Inside,
        Kind::SiegeTower if above => Part::Upper,
        Kind::SiegeTower => Part::Lower,
        Kind::Ladder | Kind::Rope => Part::Rung,
        Kind::Raft => Part::Bow,
        Kind::Longship | Kind::SailingShip => {
            let here = scene.position.cell_of(who)?;
            let bow = scene.position.cell_of(carrier)?;
            let stern = scene.position.stern(carrier)?;
            let board = &scene.position.board;
            if board.distance(here, stern) < board.distance(here, bow) {
                Part::Stern
            } else {
                Part::Bow
            }
        }
        _ => return None,
    })
}

/// The figures of the player that a line names, at the field that it names.
fn listed(
    scene: Scene<'_>,
    player: RealmId,
    figures: &Spanned<Figures>,
    at: Option<&FieldName>,
) -> Result<Vec<FigureId>, Fault> {
    pick(scene, figures, at, |owner| owner == player)
}

/// The same among all of the player's side.
fn listed_of_side(
    scene: Scene<'_>,
    player: RealmId,
    figures: &Spanned<Figures>,
    at: Option<&FieldName>,
) -> Result<Vec<FigureId>, Fault> {
    pick(scene, figures, at, |owner| scene.position.allied(player, owner))
}

fn pick(
    scene: Scene<'_>,
    figures: &Spanned<Figures>,
    at: Option<&FieldName>,
    fits: impl Fn(RealmId) -> bool,
) -> Result<Vec<FigureId>, Fault> {
    match &figures.value {
        Figures::List(list) => list.iter().map(|named| figure(scene, named)).collect(),
        Figures::Count(count, kind) => {
            let spot = match at {
                Some(field) => Some(place(scene, field, figures.span)?),
                None => None,
            };
            let mut found: Vec<(bool, u8, u16, FigureId)> = scene
                .position
                .present()
                .filter(|(id, figure)| {
                    figure.kind == *kind && fits(figure.possessor) && scene.position.spot_of(*id) == spot
                })
                .map(|(id, figure)| (!figure.is_able(), figure.steps, figure.number, id))
                .collect();
            // Those whom no spell holds, of them those with the most steps left, then the lowest numbers.
            found.sort_unstable();
            if found.len() < usize::from(*count) {
                let refusal = Refusal::new("too-few", &[rule::R0_2_1][..])
                    .with("wanted", i64::from(*count))
                    .with("kind", kind.code())
                    .with("found", i64::try_from(found.len()).unwrap_or(0));
                return Err((refusal, Some(figures.span)));
            }
            found.truncate(usize::from(*count));
            Ok(found.into_iter().map(|(.., id)| id).collect())
        }
    }
}

fn figure(scene: Scene<'_>, named: &Spanned<Named>) -> Result<FigureId, Fault> {
    found(scene, named.value, named.span)
}

fn found(scene: Scene<'_>, named: Named, span: Span) -> Result<FigureId, Fault> {
    scene.position.find(named.kind, named.number).ok_or_else(|| {
        let refusal = Refusal::new("no-such-figure", &[rule::R0_2_1][..]).with("figure", named.to_string());
        (refusal, Some(span))
    })
}

fn thing(scene: Scene<'_>, object: &Spanned<Object>) -> Result<FigureId, Fault> {
    match &object.value {
        Object::Figure(named) => found(scene, *named, object.span),
        Object::Centre(field) => {
            let refusal = Refusal::new("centre-not-given", &[rule::R0_4_23][..]).with("field", field.to_string());
            Err((refusal, Some(object.span)))
        }
        Object::Gate(gate) => Err(never_taken(gate, object.span)),
    }
}

/// ARM-0.4.17, ARM-0.4.27: buildings and their parts never change hands.
fn never_taken(gate: &SideName, span: Span) -> Fault {
    let rules = &[rule::R0_4_17, rule::R0_4_27][..];
    let refusal = Refusal::new("building-not-taken", rules).with("field", gate.at.to_string());
    (refusal, Some(span))
}

fn someone(scene: Scene<'_>, name: &Spanned<String>) -> Result<RealmId, Fault> {
    player_named(scene.position, &name.value).ok_or_else(|| {
        let refusal = Refusal::new("no-such-player", &[rule::R0_2_6][..]).with("player", name.value.as_str());
        (refusal, Some(name.span))
    })
}

fn spot(scene: Scene<'_>, field: &Spanned<FieldName>) -> Result<Spot, Fault> {
    place(scene, &field.value, field.span)
}

fn place(scene: Scene<'_>, field: &FieldName, span: Span) -> Result<Spot, Fault> {
    let cell = scene
        .position
        .board
        .cell(field.province.as_deref(), field.number)
        .ok_or_else(|| {
            let refusal = Refusal::new("no-such-field", &[rule::GAP_02][..]).with("field", field.to_string());
            (refusal, Some(span))
        })?;
    let level = level(scene, cell, field.level, span)?;
    Ok(Spot { cell, level })
}

fn level(scene: Scene<'_>, cell: Cell, level: LevelName, span: Span) -> Result<u8, Fault> {
    let building = scene.position.board.building(cell);
    let levels = building.map_or(1, |building| building.levels(scene.tables));
    let found = match level {
        LevelName::Unsaid => Some(0),
        LevelName::Number(number) => Some(number).filter(|number| *number < levels),
        LevelName::Platform => building.and_then(|building| building.platform(scene.tables)),
    };
    found.ok_or_else(|| {
        let refusal = Refusal::new("no-such-level", &[rule::GAP_15][..])
            .with("field", scene.position.board.name(cell))
            .with("levels", i64::from(levels));
        (refusal, Some(span))
    })
}

/// What a spell is aimed at: a storey if the line names one, of a building or a siege tower, else the whole field.
fn aim(scene: Scene<'_>, field: &Spanned<FieldName>, storey: Option<&Spanned<LevelName>>) -> Result<Aim, Fault> {
    let whole = FieldName {
        level: LevelName::Unsaid,
        ..field.value.clone()
    };
    let cell = place(scene, &whole, field.span)?.cell;
    let (name, span) = match storey {
        Some(storey) => (storey.value, storey.span),
        None => (field.value.level, field.span),
    };
    let tower = scene
        .position
        .standing_at(Spot::ground(cell))
        .any(|(_, figure)| figure.kind == Kind::SiegeTower);
    let level = match name {
        LevelName::Unsaid => None,
        LevelName::Number(number) if tower && number < 2 => Some(number),
        LevelName::Platform if tower => Some(1),
        other => Some(level(scene, cell, other, span)?),
    };
    Ok(Aim { cell, level })
}

fn side(scene: Scene<'_>, side: &Spanned<SideName>) -> Result<Side, Fault> {
    Ok(Side {
        at: place(scene, &side.value.at, side.span)?,
        side: side.value.side,
    })
}

/// The player's wizard.
fn wizard(scene: Scene<'_>, player: RealmId) -> Result<FigureId, Fault> {
    let mine = |(_, figure): &(FigureId, &crate::state::Figure)| figure.kind == Kind::Wizard && figure.owner == player;
    let found = scene.position.present().find(mine);
    found
        .map(|(id, _)| id)
        .ok_or_else(|| (Refusal::new("no-wizard", &[rule::GAP_33][..]), None))
}

/// The phalanx of the player on a field.
fn phalanx(scene: Scene<'_>, player: RealmId, at: &Spanned<FieldName>) -> Result<FigureId, Fault> {
    let spot = spot(scene, at)?;
    let found = scene
        .position
        .standing_at(spot)
        .filter(|(_, figure)| figure.possessor == player)
        .find_map(|(_, figure)| figure.phalanx);
    found.ok_or_else(|| {
        let refusal = Refusal::new("no-phalanx", &[rule::GAP_19][..]).with("field", at.value.to_string());
        (refusal, Some(at.span))
    })
}

/// The player's first warrior at a spot who may do this; if nobody may, one of them, so that the refusal says why.
fn hand_at(
    scene: Scene<'_>,
    player: RealmId,
    at: &Spanned<FieldName>,
    deed: impl Fn(FigureId) -> Fight,
) -> Result<Fight, Fault> {
    let spot = spot(scene, at)?;
    let there = scene.position.standing_at(spot).map(|(id, _)| id);
    hand(scene, player, there.collect(), deed).ok_or_else(|| {
        let refusal = Refusal::new("nobody-there", &[rule::R0_3_9][..]).with("field", at.value.to_string());
        (refusal, Some(at.span))
    })
}

/// The same on the field of a device.
fn hand_beside(
    scene: Scene<'_>,
    player: RealmId,
    device: FigureId,
    span: Span,
    deed: impl Fn(FigureId) -> Fight,
) -> Result<Fight, Fault> {
    let there = scene.position.present().map(|(id, _)| id);
    let there = there.filter(|id| devices::at_hand(scene, *id, device));
    hand(scene, player, there.collect(), deed).ok_or_else(|| {
        let refusal = Refusal::new("nobody-there", &[rule::R0_3_9][..]).with("field", scene.position.name(device));
        (refusal, Some(span))
    })
}

/// What the first of the player's warriors among these does who may do it; else what one who has not acted would do.
fn hand(scene: Scene<'_>, player: RealmId, there: Vec<FigureId>, deed: impl Fn(FigureId) -> Fight) -> Option<Fight> {
    let own = |acted: Option<bool>| {
        there.iter().filter(move |id| {
            let figure = scene.position.figure(**id);
            figure.is_some_and(|figure| {
                figure.possessor == player
                    && figure.kind.is_warrior()
                    && acted.is_none_or(|acted| figure.acted == acted)
            })
        })
    };
    let fit = |id: &&FigureId| legal::judge(scene, player, &Deed::Fight(deed(**id))).is_ok();
    let found = own(None).find(fit).or_else(|| own(Some(false)).next());
    found.or_else(|| own(None).next()).map(|id| deed(*id))
}
