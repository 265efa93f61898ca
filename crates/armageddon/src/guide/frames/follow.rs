//! What each event does to the figures on the board.

use super::{Film, Touch};
use crate::board::Spot;
use crate::deed::fight::Side;
use crate::event::fight::Attempt;
use crate::event::{Event, FieldHappening, FightHappening, Happening, MagicHappening, TurnHappening};
use crate::kinds::{Fitting, Kind};
use crate::state::{Enchantment, Figure, FigureId, Place};
use crate::{gates, hauling};

impl Film<'_> {
    fn with(&mut self, id: FigureId, change: impl FnOnce(&mut Figure)) {
        if let Some(figure) = self.position.figure_mut(id) {
            change(figure);
        }
    }

    pub(super) fn apply(&mut self, event: &Event) -> Touch {
        match &event.happening {
            Happening::Turn(happening) => self.turn(happening),
            Happening::Field(happening) => self.field(happening),
            Happening::Fight(happening) => self.fight(happening),
            Happening::Magic(happening) => self.magic(event, happening),
        }
    }

    fn turn(&mut self, happening: &TurnHappening) -> Touch {
        let mut touch = Touch::default();
        if matches!(happening, TurnHappening::BoardChanged { .. }) {
            // What was changed by hand is not told piece by piece: the board is as it will be.
            let figures = self.position.figures.len().max(self.goal.figures.len());
            self.position = self.goal.clone();
            touch.spots = self.position.board.all().map(Spot::ground).collect();
            touch.changed = (0..u16::try_from(figures).unwrap_or(u16::MAX)).map(FigureId).collect();
        }
        if *happening == TurnHappening::RoundBegan {
            for (figure, number) in self.position.figures.iter_mut().zip(0u16..) {
                figure.steps = 0;
                figure.turned = false;
                figure.acted = false;
                touch.changed.push(FigureId(number));
            }
        }
        touch
    }

    /// A figure goes somewhere, with the animals that it or its riders lead.
    fn go(&mut self, id: FigureId, place: Place, steps: u8) -> Vec<FigureId> {
        let riders: Vec<FigureId> = self.position.aboard(id).map(|(rider, _)| rider).collect();
        let from = self.position.figure(id).map(|figure| figure.place);
        let led: Vec<FigureId> = self
            .position
            .present()
            .filter(|(_, figure)| figure.held_by.is_some_and(|by| by == id || riders.contains(&by)))
            .filter(|(_, figure)| figure.kind != Kind::Rope && Some(figure.place) == from)
            .map(|(other, _)| other)
            .collect();
        let mut all = vec![id];
        all.extend(led);
        for one in &all {
            self.with(*one, |figure| {
                figure.place = place;
                figure.steps = figure.steps.saturating_add(steps);
            });
        }
        all
    }

    fn field(&mut self, happening: &FieldHappening) -> Touch {
        let mut touch = Touch::default();
        match happening {
            FieldHappening::Stepped { figure, to, steps, .. } => {
                touch.changed = self.go(*figure, Place::At(*to), *steps)
            }
            FieldHappening::Alighted { figure, to, steps, .. } => {
                touch.changed = self.go(*figure, Place::At(*to), *steps);
            }
            FieldHappening::Swam { figure, to, steps } => {
                touch.changed = self.go(*figure, Place::Swimming(*to), *steps)
            }
            FieldHappening::Landed { figure, at, steps } => touch.changed = self.go(*figure, *at, *steps),
            FieldHappening::ClimbedUp { figure, at } => touch.changed = self.go(*figure, *at, 0),
            FieldHappening::Hovered { figure, to, .. } => touch.changed = self.go(*figure, Place::Above(*to), 1),
            FieldHappening::TurnedBack { animal, to } => touch.changed = self.go(*animal, Place::At(*to), 0),
            FieldHappening::Boarded {
                figure,
                carrier,
                part,
                steps,
            } => {
                touch.changed = self.go(*figure, Place::On(*carrier, *part), *steps);
                touch.changed.push(*carrier);
            }
            FieldHappening::Faced { figure, facing } => {
                let phalanx = self.position.figure(*figure).and_then(|figure| figure.phalanx);
                let members = phalanx.map_or_else(|| vec![*figure], |leader| self.members(leader));
                for id in &members {
                    self.with(*id, |one| {
                        one.facing = Some(*facing);
                        one.turned = true;
                    });
                }
                touch.changed = members;
            }
            FieldHappening::Swapped { here, there, steps } => {
                let place = |film: &Self, ids: &[FigureId]| {
                    ids.first()
                        .and_then(|id| film.position.figure(*id))
                        .map(|figure| figure.place)
                };
                if let (Some(one), Some(other)) = (place(self, here), place(self, there)) {
                    for (ids, to) in [(here, other), (there, one)] {
                        for id in ids {
                            touch.changed.extend(self.go(*id, to, *steps));
                        }
                    }
                }
            }
            FieldHappening::Led { animal, by } => {
                self.with(*animal, |figure| figure.held_by = *by);
                touch.changed = vec![*animal];
                touch.seen.extend(*by);
            }
            FieldHappening::Hauled {
                device,
                bearers,
                to,
                steps,
                ..
            } => {
                let goal = hauling::goal(&self.position, *to);
                touch.changed = self.go(*device, goal, *steps);
                for id in bearers {
                    let inside = self.position.figure(*id).map(|figure| figure.place);
                    let place = match inside {
                        Some(place @ Place::On(on, _)) if on == *device => place,
                        _ => goal,
                    };
                    touch.changed.extend(self.go(*id, place, *steps));
                }
            }
            other => return self.vehicle(other),
        }
        touch
    }

    fn vehicle(&mut self, happening: &FieldHappening) -> Touch {
        let mut touch = Touch::default();
        match happening {
            FieldHappening::Drove { wagon, at, team } => {
                let horses = crate::quadriga::team(&self.position, *wagon);
                touch.changed = self.go(*wagon, Place::At(Spot::ground(*at)), 0);
                for horse in horses {
                    self.with(horse, |figure| figure.place = Place::At(Spot::ground(*team)));
                    touch.changed.push(horse);
                }
            }
            FieldHappening::Harnessed { horse, wagon, by } => {
                self.with(*horse, |figure| figure.held_by = Some(*wagon));
                self.with(*by, |figure| figure.acted = true);
                touch.changed = vec![*horse, *by];
                touch.seen = vec![*wagon];
            }
            FieldHappening::Unharnessed { wagon, by } => {
                let horses = crate::quadriga::team(&self.position, *wagon);
                for horse in &horses {
                    self.with(*horse, |figure| figure.held_by = None);
                }
                self.with(*by, |figure| figure.acted = true);
                touch.changed = horses;
                touch.changed.extend([*wagon, *by]);
            }
            FieldHappening::Sailed {
                ship,
                bow,
                course,
                steps,
            } => {
                touch.changed = self.go(*ship, Place::At(Spot::ground(*bow)), *steps);
                self.with(*ship, |figure| figure.facing = Some(*course));
            }
            FieldHappening::Drifted { figure, to, .. } => {
                let swims = matches!(
                    self.position.figure(*figure).map(|one| one.place),
                    Some(Place::Swimming(_))
                );
                let place = if swims {
                    Place::Swimming(*to)
                } else {
                    Place::At(Spot::ground(*to))
                };
                touch.changed = self.go(*figure, place, 0);
            }
            FieldHappening::Plunged { figure, cell } => {
                self.with(*figure, |one| one.place = Place::Swimming(*cell));
                touch.changed = vec![*figure];
            }
            FieldHappening::RammedShip { ship, target, .. } => {
                self.with(*ship, |figure| figure.acted = true);
                touch.changed = vec![*ship];
                touch.seen = vec![*target];
            }
            FieldHappening::OwnerChanged { object, to, .. } => {
                self.with(*object, |figure| {
                    figure.owner = *to;
                    figure.possessor = *to;
                });
                touch.changed = vec![*object];
            }
            FieldHappening::PossessorChanged { object, to, .. } => {
                self.with(*object, |figure| figure.possessor = *to);
                touch.changed = vec![*object];
            }
            FieldHappening::Left { figure, fate } => {
                touch.spots.extend(self.position.spot_of(*figure));
                touch.changed = self.take_off(*figure, Place::Gone(*fate));
            }
            FieldHappening::LifeLost { figure, lives } => {
                self.with(*figure, |king| king.lives = *lives);
                touch.changed = vec![*figure];
            }
            FieldHappening::Endured { figure, .. } => touch.seen = vec![*figure],
            FieldHappening::Danger { cell, .. } => touch.spots = vec![Spot::ground(*cell)],
            FieldHappening::Exchanged { attacker, defender, .. } => touch.seen = vec![*attacker, *defender],
            FieldHappening::DeviceTrampled { animal, device, .. } => touch.seen = vec![*animal, *device],
            FieldHappening::Crowded { room, .. } | FieldHappening::ScrimmageBegan { room, .. } => match room {
                crate::room::Room::Spot(spot) => touch.spots = vec![*spot],
                crate::room::Room::Part(carrier, _) => touch.seen = vec![*carrier],
                crate::room::Room::Water(cell) => touch.spots = vec![Spot::ground(*cell)],
            },
            _ => {}
        }
        touch
    }

    /// A figure leaves the board; those whom it carried stay where it was.
    fn take_off(&mut self, id: FigureId, place: Place) -> Vec<FigureId> {
        let mut all = vec![id];
        let was = self.position.figure(id).map(|figure| figure.place);
        let riders: Vec<FigureId> = self.position.aboard(id).map(|(rider, _)| rider).collect();
        for rider in riders {
            if let Some(was) = was {
                self.with(rider, |figure| figure.place = was);
            }
            all.push(rider);
        }
        if let Some(Place::On(carrier, _)) = was {
            all.push(carrier);
        }
        self.with(id, |figure| figure.place = place);
        all
    }

    fn members(&self, leader: FigureId) -> Vec<FigureId> {
        let members = self
            .position
            .present()
            .filter(|(_, figure)| figure.phalanx == Some(leader));
        members.map(|(id, _)| id).collect()
    }

    fn acted(&mut self, ids: impl IntoIterator<Item = FigureId>) -> Vec<FigureId> {
        let ids: Vec<FigureId> = ids.into_iter().collect();
        for id in &ids {
            self.with(*id, |figure| figure.acted = true);
        }
        ids
    }

    fn fight(&mut self, happening: &FightHappening) -> Touch {
        let mut touch = Touch::default();
        match happening {
            FightHappening::Fought {
                attacker,
                support,
                target,
                ..
            } => {
                touch.changed = self.acted([Some(*attacker), *support].into_iter().flatten());
                touch.seen = vec![*target];
            }
            FightHappening::DiedFor { figure, king } => touch.seen = vec![*figure, *king],
            FightHappening::PhalanxFormed { members, front } => {
                for id in members {
                    self.with(*id, |figure| {
                        figure.phalanx = members.first().copied();
                        figure.facing = Some(*front);
                    });
                }
                touch.changed.clone_from(members);
            }
            FightHappening::PhalanxDissolved { phalanx } => {
                touch.changed = self.members(*phalanx);
                for id in touch.changed.clone() {
                    self.with(id, |figure| {
                        figure.phalanx = None;
                        figure.facing = None;
                    });
                }
            }
            FightHappening::Marched { phalanx, to, steps, .. } => {
                touch.changed = self.members(*phalanx);
                for id in touch.changed.clone() {
                    self.with(id, |figure| {
                        figure.place = Place::At(*to);
                        figure.steps = figure.steps.saturating_add(*steps);
                    });
                }
            }
            FightHappening::WeightBlow { phalanx, target, .. } => {
                let members = self.members(*phalanx);
                touch.changed = self.acted(members);
                touch.spots = vec![Spot::ground(*target)];
            }
            FightHappening::Withstood { figure, .. } => touch.seen = vec![*figure],
            FightHappening::Engaged { figures } => {
                for id in figures {
                    self.with(*id, |figure| figure.engaged = true);
                }
                touch.changed.clone_from(figures);
            }
            FightHappening::AtLoophole { figure, side } => {
                self.with(*figure, |one| one.facing = Some(*side));
                touch.changed = vec![*figure];
            }
            FightHappening::Shot { figure, target, .. } => {
                touch.changed = self.acted([*figure]);
                touch.seen = vec![*target];
            }
            FightHappening::Thrown {
                onager, crew, target, ..
            } => {
                touch.changed = self.acted([*onager, *crew]);
                touch.spots = vec![*target];
            }
            FightHappening::Poured { figure, target } => {
                touch.changed = self.acted([*figure]);
                touch.spots = vec![Spot::ground(*target)];
            }
            other => return self.works(other),
        }
        touch
    }

    fn works(&mut self, happening: &FightHappening) -> Touch {
        let mut touch = Touch::default();
        match happening {
            FightHappening::ShipHit { ship, hits } => {
                self.with(*ship, |figure| figure.hits = *hits);
                touch.changed = vec![*ship];
            }
            FightHappening::StoreyHit { at, hits, fallen } => {
                let building = self
                    .position
                    .board
                    .ground_mut(at.cell)
                    .and_then(|ground| ground.building.as_mut());
                if let Some(storey) = building.and_then(|building| building.storeys.get_mut(usize::from(at.level))) {
                    storey.hits = *hits;
                    if let Some(side) = fallen {
                        storey.walls[side.index()] = None;
                    }
                }
                touch.spots = vec![*at];
            }
            FightHappening::Collapsed { at } => {
                self.collapse(*at);
                touch.spots = vec![Spot::ground(at.cell)];
                let there = self
                    .position
                    .present()
                    .filter(|(id, _)| self.position.cell_of(*id) == Some(at.cell));
                touch.changed = there.map(|(id, _)| id).collect();
            }
            FightHappening::WallFell { cell, side } => {
                if let Some(ground) = self.position.board.ground_mut(*cell) {
                    ground.walls[side.index()] = None;
                }
                touch.spots = vec![Spot::ground(*cell)];
            }
            FightHappening::WallHit { cell, .. } | FightHappening::BridgeHit { cell, .. } => {
                touch.spots = vec![Spot::ground(*cell)];
            }
            FightHappening::Burned { device, .. } => touch.seen = vec![*device],
            FightHappening::Rammed {
                device, target, broke, ..
            } => {
                if *broke && self.fitting(*target).is_some_and(Fitting::is_gate) {
                    self.fit(*target, Fitting::Broken);
                }
                touch.changed = self.acted([*device]);
                touch.spots = vec![target.at];
            }
            FightHappening::LadderSet { ladder, against } => {
                let foot = self.position.cell_of(*ladder);
                let side = foot.and_then(|foot| self.position.board.direction(foot, *against));
                self.with(*ladder, |figure| figure.leans = side);
                touch.changed = vec![*ladder];
                touch.spots = vec![Spot::ground(*against)];
            }
            FightHappening::RopesTied { rope, other } => {
                self.with(*other, |figure| figure.held_by = Some(*rope));
                touch.changed = vec![*rope, *other];
            }
            FightHappening::Tried {
                figure, device, what, ..
            } => {
                touch.changed = match what {
                    Attempt::ThrowRope => vec![*figure],
                    _ => self.acted([*figure]),
                };
                touch.changed.push(*device);
            }
            FightHappening::GateMoved { gate, open } => {
                self.fit(*gate, if *open { Fitting::Open } else { Fitting::Closed });
                touch.spots = vec![gate.at];
            }
            FightHappening::Searched { figure, .. } => touch.seen = vec![*figure],
            FightHappening::Surveyed { castle, .. }
            | FightHappening::SiegeDeclared { castle, .. }
            | FightHappening::SiegeBroken { castle, .. }
            | FightHappening::SiegePaused { castle, .. }
            | FightHappening::SiegeCounted { castle, .. }
            | FightHappening::AccessLost { castle }
            | FightHappening::HungerEnded { castle } => touch.spots = vec![Spot::ground(*castle)],
            _ => {}
        }
        touch
    }

    /// What a side of a field has in it.
    fn fitting(&self, side: Side) -> Option<Fitting> {
        gates::find(self.scene(), side).map(|gate| gate.fitting)
    }

    /// A gate is moved or broken.
    fn fit(&mut self, side: Side, fitting: Fitting) {
        let Some(ground) = self.position.board.ground_mut(side.at.cell) else {
            return;
        };
        let index = side.side.index();
        match &mut ground.building {
            Some(building) => {
                if let Some(storey) = building.storeys.get_mut(usize::from(side.at.level)) {
                    storey.walls[index] = Some(fitting);
                }
            }
            None => {
                if let Some(wall) = &mut ground.walls[index] {
                    wall.fitting = fitting;
                }
            }
        }
    }

    /// A storey comes down with all above it; who was there stands on the ground, or is about to be taken off.
    fn collapse(&mut self, at: Spot) {
        if let Some(ground) = self.position.board.ground_mut(at.cell) {
            if at.level == 0 {
                ground.building = None;
                ground.foundation = false;
            } else if let Some(building) = ground.building.as_mut() {
                building.storeys.truncate(usize::from(at.level));
            }
        }
        for figure in &mut self.position.figures {
            if let Place::At(spot) = &mut figure.place
                && spot.cell == at.cell
                && spot.level >= at.level
            {
                spot.level = 0;
            }
        }
    }

    fn magic(&mut self, event: &Event, happening: &MagicHappening) -> Touch {
        let mut touch = Touch::default();
        match happening {
            MagicHappening::Cast { wizard, on, .. } => {
                touch.seen = vec![*wizard];
                touch.spots = on.iter().map(|aim| Spot::ground(aim.cell)).collect();
            }
            MagicHappening::DispelTried { wizard, by, .. } => touch.seen = vec![*wizard, *by],
            MagicHappening::Enchanted { spell, figures } => {
                for id in figures {
                    self.with(*id, |figure| {
                        figure.spell = Some(Enchantment {
                            spell: *spell,
                            caster: event.player,
                            toward: None,
                        });
                    });
                }
                touch.changed.clone_from(figures);
            }
            MagicHappening::Transferred { figure, to, .. } => touch.changed = self.go(*figure, *to, 0),
            MagicHappening::Driven { figure, to, .. } | MagicHappening::CreatureMoved { figure, to, .. } => {
                touch.changed = self.go(*figure, Place::At(*to), 0);
            }
            MagicHappening::GateMoved { gate, open } => {
                let side = Side {
                    at: gate.at,
                    side: gate.side,
                };
                self.fit(side, if *open { Fitting::Open } else { Fitting::Closed });
                touch.spots = vec![gate.at];
            }
            MagicHappening::Expired { figures, .. } => {
                for id in figures {
                    self.with(*id, |figure| figure.spell = None);
                }
                touch.changed.clone_from(figures);
            }
            MagicHappening::Learnt { wizard, .. } => touch.seen = vec![*wizard],
            MagicHappening::Prayed { priest, figures, .. } => {
                touch.seen = figures.clone();
                touch.seen.push(*priest);
            }
            MagicHappening::PrayerHeard {
                figure, spell, heard, ..
            } => {
                if *heard {
                    self.with(*figure, |one| {
                        one.spell = Some(Enchantment {
                            spell: *spell,
                            caster: event.player,
                            toward: None,
                        });
                    });
                }
                touch.changed = vec![*figure];
            }
            MagicHappening::Deflected { figure, .. } => touch.seen = vec![*figure],
            MagicHappening::Fed { priest, .. } => touch.seen = vec![*priest],
            MagicHappening::DuelRolled { wizard, .. } => touch.seen = vec![*wizard],
            MagicHappening::DuelLost { loser, winner } => {
                self.with(*loser, |figure| figure.mortal = true);
                touch.changed = vec![*loser];
                touch.seen = vec![*winner];
            }
            MagicHappening::DuelUndecided { wizard, target } => touch.seen = vec![*wizard, *target],
            MagicHappening::TripleRolled { figure, .. } => touch.seen = vec![*figure],
            MagicHappening::CreatureTurned { figure, toward } => {
                self.with(*figure, |one| one.facing = Some(*toward));
                touch.changed = vec![*figure];
            }
            MagicHappening::SerpentStruck { figure, ship, .. } => touch.seen = vec![*figure, *ship],
            MagicHappening::SirenSang { siren, ship, .. } => touch.seen = vec![*siren, *ship],
            MagicHappening::CreatureStruck { cell, .. }
            | MagicHappening::RiverChanged { at: cell, .. }
            | MagicHappening::CentreTaken { cell, .. }
            | MagicHappening::CentreRazed { cell, .. }
            | MagicHappening::CentrePlundered { cell, .. }
            | MagicHappening::CentreGone { cell } => touch.spots = vec![Spot::ground(*cell)],
        }
        touch
    }
}
