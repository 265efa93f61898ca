//! A step seen again: every event of the report as a moment, with the pieces that it moves, changes or takes off.
//!
//! Events are followed on a copy of the board from before the step. What an event does not say (a rider who stands on his feet when his horse
//! falls) is put right at the last moment that touched the piece, so that the last moment always shows the board as it is. Gates, walls and
//! storeys change with their event, and so does the room of every field that somebody enters or leaves.

mod follow;

use super::board::{levels_of, term};
use super::pieces;
use crate::battle::Scene;
use crate::board::{Cell, Spot};
use crate::event::{Event, Happening, Teller};
use crate::report;
use crate::state::{FigureId, Place, Position};
use crate::tables::Tables;
use crate::view::View;
use kernel::board::{Frame, Level, Piece};
use kernel::diagnostic::Name;
use kernel::report::{Term, Why};
use std::collections::{BTreeMap, BTreeSet};

/// What happened in the step of `after`, moment by moment.
pub(super) fn frames(tables: &Tables, before: &View, after: &View) -> Vec<Frame> {
    let mut film = Film::new(tables, before, after);
    for told in after.told.iter().filter(|told| !told.notice.is_for_the_log()) {
        let telling = report::in_words(told.notice.telling(Teller {
            tables,
            position: &after.position,
        }));
        let text = Term {
            key: Name::Borrowed(telling.key),
            args: telling
                .args
                .into_iter()
                .map(|(name, value)| (Name::Borrowed(name), value))
                .collect(),
        };
        film.show(&told.notice, text, told.why.clone());
    }
    film.finish(after)
}

struct Film<'a> {
    tables: &'a Tables,
    /// The board as far as the events have come.
    position: Position,
    /// The board after the step.
    goal: &'a Position,
    /// The pieces as the frames so far show them.
    shown: BTreeMap<FigureId, Piece>,
    /// The last moment that touched a piece.
    touched: BTreeMap<FigureId, usize>,
    /// The fields where the pieces were when they were last looked at.
    cells: BTreeMap<FigureId, Vec<Cell>>,
    /// The places of every field as the frames so far show them.
    levels: BTreeMap<Cell, Vec<Level>>,
    frames: Vec<Frame>,
}

/// What one event is about.
#[derive(Default)]
struct Touch {
    /// Figures that it changes.
    changed: Vec<FigureId>,
    /// Figures to look at.
    seen: Vec<FigureId>,
    /// Fields to look at.
    spots: Vec<Spot>,
}

impl<'a> Film<'a> {
    fn new(tables: &'a Tables, before: &View, after: &'a View) -> Self {
        let mut position = before.position.clone();
        // Figures that were added since are not on the board yet.
        let known = position.figures.len();
        for figure in after.position.figures.iter().skip(known) {
            let mut new = figure.clone();
            new.place = Place::Gone(crate::kinds::Fate::Removed);
            position.figures.push(new);
        }
        let mut film = Self {
            tables,
            position,
            goal: &after.position,
            shown: BTreeMap::new(),
            touched: BTreeMap::new(),
            cells: BTreeMap::new(),
            levels: BTreeMap::new(),
            frames: Vec::new(),
        };
        let scene = film.scene();
        let shown = scene
            .position
            .present()
            .filter_map(|(id, _)| Some((id, pieces::piece(scene, id)?)))
            .collect();
        let cells = scene
            .position
            .present()
            .map(|(id, _)| (id, fields_of(scene.position, id)))
            .collect();
        let levels = scene
            .position
            .board
            .all()
            .map(|cell| (cell, levels_of(scene, cell)))
            .collect();
        film.shown = shown;
        film.cells = cells;
        film.levels = levels;
        film
    }

    fn scene(&self) -> Scene<'_> {
        Scene {
            tables: self.tables,
            position: &self.position,
            secret: None,
        }
    }

    /// Takes an event in.
    fn show(&mut self, event: &Event, text: Term, why: Why) {
        let touch = self.apply(event);
        let mut places: Vec<String> = Vec::new();
        let mut look = |name: String| {
            if !places.contains(&name) {
                places.push(name);
            }
        };
        let before: Vec<String> = touch
            .changed
            .iter()
            .filter_map(|id| self.shown.get(id).map(|piece| piece.place.clone()))
            .collect();
        let (changed, gone, mut around) = self.update(&touch.changed);
        around.extend(touch.spots.iter().map(|spot| spot.cell));
        let levels = self.look_again(around);
        if matches!(event.happening, Happening::Turn(_)) {
            // Everybody's steps are new: nothing to look at.
        } else {
            before.into_iter().for_each(&mut look);
            changed.iter().for_each(|piece| look(piece.place.clone()));
            for id in &touch.seen {
                if let Some(piece) = self.shown.get(id) {
                    look(piece.place.clone());
                }
            }
            let board = &self.position.board;
            for spot in &touch.spots {
                look(board.spot_name(self.tables, *spot));
            }
        }
        self.frames.push(Frame {
            text,
            why,
            changed,
            gone,
            levels,
            places,
        });
    }

    /// The places of these fields, where they are other than they were shown.
    fn look_again(&mut self, cells: impl IntoIterator<Item = Cell>) -> Vec<Level> {
        let mut list = Vec::new();
        for cell in cells.into_iter().collect::<BTreeSet<Cell>>() {
            let now = levels_of(self.scene(), cell);
            if self.levels.get(&cell) != Some(&now) {
                list.extend(now.iter().cloned());
                self.levels.insert(cell, now);
            }
        }
        list
    }

    /// Brings what is shown of these figures, and of those whom they carry, up to the board.
    fn update(&mut self, ids: &[FigureId]) -> (Vec<Piece>, Vec<String>, BTreeSet<Cell>) {
        let mut all: BTreeSet<FigureId> = ids.iter().copied().collect();
        // Nobody is carried by more than a ship, a wagon on it and a horse before that.
        for _ in 0..3 {
            let carried: Vec<FigureId> = self
                .position
                .present()
                .filter(|(id, figure)| {
                    matches!(figure.place, Place::On(on, _) if all.contains(&on)) && !all.contains(id)
                })
                .map(|(id, _)| id)
                .collect();
            if carried.is_empty() {
                break;
            }
            all.extend(carried);
        }
        let (mut changed, mut gone) = (Vec::new(), Vec::new());
        let mut around = BTreeSet::new();
        for id in all {
            let now = fields_of(&self.position, id);
            let earlier = self.cells.insert(id, now.clone()).unwrap_or_default();
            if earlier != now {
                around.extend(earlier);
                around.extend(now);
            }
            self.touched.insert(id, self.frames.len());
            match pieces::piece(self.scene(), id) {
                Some(piece) => {
                    if self.shown.get(&id) != Some(&piece) {
                        changed.push(piece.clone());
                        // Where the board was made anew, another figure may have this number.
                        let old = self.shown.insert(id, piece.clone());
                        gone.extend(old.map(|old| old.name).filter(|name| *name != piece.name));
                    }
                }
                None => gone.extend(self.shown.remove(&id).map(|piece| piece.name)),
            }
        }
        (changed, gone, around)
    }

    /// What the events did not say is put right at the last moment that touched a piece.
    fn finish(mut self, after: &View) -> Vec<Frame> {
        let scene = Scene {
            tables: self.tables,
            position: &after.position,
            secret: None,
        };
        let shown: BTreeMap<&str, &Piece> = self.shown.values().map(|piece| (piece.name.as_str(), piece)).collect();
        let last: BTreeMap<String, usize> = self
            .touched
            .iter()
            .map(|(id, at)| (self.position.name(*id), *at))
            .collect();
        let there: BTreeMap<String, Piece> = pieces::pieces(scene)
            .into_iter()
            .map(|piece| (piece.name.clone(), piece))
            .collect();
        let mut amends: Vec<(String, Option<Piece>)> = shown
            .keys()
            .filter(|name| !there.contains_key(**name))
            .map(|name| ((*name).to_owned(), None))
            .collect();
        for (name, piece) in there {
            if shown.get(name.as_str()) != Some(&&piece) {
                amends.push((name, Some(piece)));
            }
        }
        self.position.clone_from(&after.position);
        let levels = self.look_again(after.position.board.all());
        if amends.is_empty() && levels.is_empty() {
            return self.frames;
        }
        if self.frames.is_empty() {
            self.frames.push(Frame {
                text: term("frame-changed", vec![]),
                why: Why::default(),
                changed: Vec::new(),
                gone: Vec::new(),
                levels: Vec::new(),
                places: Vec::new(),
            });
        }
        let end = self.frames.len().saturating_sub(1);
        for (name, piece) in amends {
            let at = last.get(&name).copied().unwrap_or(end).min(end);
            let Some(frame) = self.frames.get_mut(at) else {
                continue;
            };
            frame.changed.retain(|old| old.name != name);
            frame.gone.retain(|old| *old != name);
            match piece {
                Some(piece) => frame.changed.push(piece),
                None => frame.gone.push(name),
            }
        }
        if let Some(last) = self.frames.last_mut() {
            last.levels.retain(|old| levels.iter().all(|new| new.at != old.at));
            last.levels.extend(levels);
        }
        self.frames
    }
}

/// The fields that a figure is on: of a ship both.
fn fields_of(position: &Position, id: FigureId) -> Vec<Cell> {
    position.cell_of(id).into_iter().chain(position.stern(id)).collect()
}
