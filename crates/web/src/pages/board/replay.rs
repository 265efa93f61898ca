//! A step seen again, moment by moment: what happened, where, with which dice and why.
//!
//! Without a script each moment is a page with its board; with one the counters walk from moment to moment. A turn of a computer or of another
//! player may be several steps of the world: they can be seen in one go, from the first that a player has not sent himself.

use super::fields::labels;
use super::table::{Says, escaped, ground};
use super::{Asked, Watcher};
use crate::Answer;
use crate::error::Fault;
use crate::page::Page;
use crate::pages::report::{Reader, Turns, aside};
use crate::state::Web;
use askama::Template;
use axum::extract::{Query, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::IntoResponse;
use kernel::board::{Board, Frame, Level};
use kernel::map::Spot;
use render::map::board::{BoardOptions, Seat, live_counter, live_over, live_plans, scale, seats};
use render::map::{heading, outline};
use render::sheet::{Form, Lists, answer};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Moments of a step that are shown.
const MOMENTS_MAX: usize = 300;

/// Steps that are seen in one go at the most: the last of them.
const STEPS_MAX: u32 = 40;

/// One step or several as they are seen again.
pub struct Play {
    /// The number of the first.
    pub first: u32,
    /// The number of the last.
    pub step: u32,
    /// The board before the first.
    pub before: Board,
    /// The board after the last.
    pub after: Board,
    /// Their moments.
    pub frames: Vec<Frame>,
    /// Moments that were left out.
    pub more: usize,
}

impl Play {
    /// The step that was asked for, as the watcher saw it, and those before it from `first` on.
    pub async fn load(
        web: &Web,
        page: &Page,
        watcher: &Watcher,
        step: Option<u32>,
        first: Option<u32>,
    ) -> Result<Self, Fault> {
        let (step, view) = web.host.view(&watcher.world, watcher.viewer, step).await?;
        let first = first.unwrap_or(step).clamp(step.saturating_sub(STEPS_MAX - 1), step);
        let mut views = Vec::new();
        for earlier in first.saturating_sub(1)..step {
            views.push(web.host.view(&watcher.world, watcher.viewer, Some(earlier)).await?.1);
        }
        views.push(view);
        let (game, language) = (watcher.game.clone(), page.language());
        aside(move || {
            let board = |view: Option<&Vec<u8>>| -> Result<Board, Fault> {
                let view = view.ok_or(Fault::Missing)?;
                let mut board = game.still(view)?.ok_or(Fault::Missing)?;
                language.clone_into(&mut board.scene.language);
                Ok(board)
            };
            let (before, after) = (board(views.first())?, board(views.last())?);
            let mut frames = Vec::new();
            for pair in views.windows(2) {
                if let [earlier, view] = pair {
                    frames.extend(game.frames(earlier, view)?);
                }
            }
            let more = frames.len().saturating_sub(MOMENTS_MAX);
            frames.truncate(MOMENTS_MAX);
            Ok(Self {
                first,
                step,
                before,
                after,
                frames,
                more,
            })
        })
        .await
    }

    /// The board when so many moments have passed.
    fn at(&self, moment: usize) -> Board {
        if moment >= self.frames.len() && self.more == 0 {
            return self.after.clone();
        }
        let mut board = self.before.clone();
        for frame in self.frames.iter().take(moment) {
            happen(&mut board, frame);
        }
        board
    }
}

/// Lets a moment happen to the board.
fn happen(board: &mut Board, frame: &Frame) {
    for changed in &frame.changed {
        match board.pieces.iter_mut().find(|piece| piece.name == changed.name) {
            Some(piece) => piece.clone_from(changed),
            None => board.pieces.push(changed.clone()),
        }
    }
    board.pieces.retain(|piece| !frame.gone.contains(&piece.name));
    let mut left: Vec<Level> = frame.levels.clone();
    while let Some(at) = left.first().map(|level| level.at) {
        let (new, others): (Vec<Level>, Vec<Level>) = left.into_iter().partition(|level| level.at == at);
        let from = board.levels.iter().position(|level| level.at == at);
        board.levels.retain(|level| level.at != at);
        let from = from.unwrap_or(board.levels.len()).min(board.levels.len());
        board.levels.splice(from..from, new);
        left = others;
    }
}

/// Outlines of the fields that a moment is about.
fn marked(board: &Board, frame: &Frame) -> String {
    let mut data = String::new();
    for place in &frame.places {
        let at = board
            .levels
            .iter()
            .find(|level| level.place == *place)
            .map(|level| level.at);
        let at = at.or_else(|| {
            let mut fields = board.scene.fields.iter();
            fields.find(|field| field.label == *place).map(|field| field.at)
        });
        if let Some(at) = at {
            data += &outline(board.scene.orientation, at);
        }
    }
    data
}

/// A die that fell.
pub struct Thrown {
    /// What it shows.
    pub value: i64,
    /// Its name.
    pub name: String,
    /// Its name in words, if the game has some for it.
    pub said: Option<String>,
    range: String,
}

/// A moment in words.
pub struct Moment {
    /// Its number, from 1.
    pub number: usize,
    /// What happened.
    pub text: String,
    /// The dice that fell for it.
    pub dice: Vec<Thrown>,
    sum: i64,
    /// The answer to "why?".
    pub why: String,
}

/// The last moments of a step that are told at the board.
const TOLD_MAX: usize = 12;

/// A step in words: its last moments from the first die on.
pub async fn in_words(web: &Web, page: &Page, watcher: &Watcher, step: u32) -> Result<Vec<Moment>, Fault> {
    let play = Play::load(web, page, watcher, Some(step), None).await?;
    let verify = page.in_world(&format!("bericht/wuerfel?zug={step}"));
    let (page, reader) = (page.clone(), Reader::new(watcher.game.clone(), page));
    aside(move || {
        let mut moments = told(&page, &reader, &play.frames, Some(&verify));
        // His steps he knows: from the first die on, if one fell.
        let first = moments.iter().position(|moment| !moment.dice.is_empty());
        moments.drain(..first.unwrap_or(0));
        moments.drain(..moments.len().saturating_sub(TOLD_MAX));
        Ok(moments)
    })
    .await
}

#[derive(Template)]
#[template(path = "board-replay.html")]
struct ReplayPage<'a> {
    page: &'a Page,
    base: &'a str,
    turn: Turns,
    /// What the addresses of its moments ask for.
    query: String,
    /// Where what happened afterwards is seen, if anything did.
    later: String,
    title: String,
    caption: String,
    picture: String,
    /// Moments that have passed.
    now: usize,
    moments: Vec<Moment>,
    throws: usize,
    more: usize,
    plays: bool,
}

impl ReplayPage<'_> {
    fn is_now(&self, moment: &Moment) -> bool {
        moment.number == self.now
    }
}

/// `GET /welt/{world}/brett/verlauf` and `GET /welt/{world}/leitung/brett/verlauf`
pub async fn show(State(web): State<Web>, page: Page, watcher: Watcher, Query(asked): Query<Asked>) -> Answer {
    let play = Play::load(&web, &page, &watcher, asked.zug, asked.ab).await?;
    let now = asked.bild.unwrap_or(play.frames.len()).min(play.frames.len());
    let turn = Turns {
        step: play.step,
        last: watcher.last(),
    };
    let (first, several) = (play.first, play.first < play.step);
    let query = if several {
        format!("zug={}&ab={first}", turn.step)
    } else {
        format!("zug={}", turn.step)
    };
    let later = match turn.after() {
        Some(next) => format!("{}/verlauf?zug={}&ab={next}", watcher.base, turn.last),
        None => String::new(),
    };
    let verify = page.in_world(&format!("bericht/wuerfel?zug={}", play.step));
    let (page_of, reader, base) = (
        page.clone(),
        Reader::new(watcher.game.clone(), &page),
        watcher.base.clone(),
    );
    let plays = watcher.player.is_some();
    let (caption, picture, moments, more) = aside(move || {
        let board = play.at(now);
        let mut below = String::new();
        let frame = now.checked_sub(1).and_then(|n| play.frames.get(n));
        if let Some(data) = frame.map(|frame| marked(&board, frame)).filter(|data| !data.is_empty()) {
            let _ = write!(below, "<path class=\"bf moment\" data-marks=\"\" d=\"{data}\"/>");
        }
        let above = spoken(&page_of, &reader, &base, &board);
        let options = BoardOptions {
            id: "b",
            chosen: None,
            below: &below,
            above: &above,
        };
        let moments = told(&page_of, &reader, &play.frames, plays.then_some(verify.as_str()));
        Ok((
            heading(&play.before.scene).1,
            live_over(&ground(&board), &board, &options),
            moments,
            play.more,
        ))
    })
    .await?;
    page.show(&ReplayPage {
        page: &page,
        base: &watcher.base,
        title: if several {
            page.t2("board.replay-several", "first", first, "last", turn.step)
        } else {
            page.t1("board.replay-title", "step", turn.step)
        },
        query,
        later,
        caption: if turn.step == 0 { String::new() } else { caption },
        turn,
        picture,
        now,
        throws: moments.iter().map(|moment| moment.dice.len()).sum(),
        moments,
        more,
        plays,
    })
}

/// Fields with their words, for whoever points at one or cannot see the picture.
fn spoken(page: &Page, reader: &Reader, base: &str, board: &Board) -> String {
    let says = Says {
        page,
        reader,
        board,
        base,
        piece: "",
        kind: "",
    };
    let mut out = String::from("<g data-layer=\"fields\">");
    for (at, label) in labels(&says) {
        let _ = write!(
            out,
            "<g class=\"bf\" data-spot=\"{},{}\" data-label=\"{label}\"><title>{label}</title><path d=\"{}\"/></g>",
            at.d,
            at.y,
            outline(board.scene.orientation, at),
            label = escaped(&label),
        );
    }
    out + "</g>\n"
}

fn told(page: &Page, reader: &Reader, frames: &[Frame], verify: Option<&str>) -> Vec<Moment> {
    let options = reader.options(Form::Story, Lists::All, verify);
    let moment = |(n, frame): (usize, &Frame)| Moment {
        number: n + 1,
        text: reader.wording.term_text(&frame.text).trim().to_owned(),
        dice: frame
            .why
            .rolls
            .iter()
            .map(|roll| Thrown {
                value: roll.value,
                name: roll.name.clone(),
                said: reader.wording.die(&roll.name),
                range: page.t2("board.from-to", "min", roll.min, "max", roll.max),
            })
            .collect(),
        sum: frame
            .why
            .rolls
            .iter()
            .fold(0, |sum, roll| roll.value.saturating_add(sum)),
        why: answer(reader.wording, options, &frame.why),
    };
    frames.iter().enumerate().map(moment).collect()
}

/// A moment for the script.
#[derive(Serialize)]
struct Scripted {
    /// Pieces that lie elsewhere than before: name, east, south, factor.
    moves: Vec<(String, f64, f64, String)>,
    /// Pieces that are new or look otherwise: name, drawing.
    looks: Vec<(String, String)>,
    /// Pieces that leave the board.
    gone: Vec<String>,
    /// Piles: east, south, width, number.
    badges: Vec<(f64, f64, f64, usize)>,
    /// Outlines of the fields it is about.
    marks: String,
    /// Their words afterwards, where they changed: field as `d,y`, words.
    labels: Vec<(String, String)>,
    /// Buildings, where they changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    plans: Option<String>,
}

fn tenth(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

/// The state before the step and every moment of it, for the script.
fn scripted(page: &Page, reader: &Reader, play: &Play) -> Vec<Scripted> {
    let mut earlier: BTreeMap<String, Seat> = BTreeMap::new();
    let mut looks: BTreeMap<String, String> = BTreeMap::new();
    let mut words: BTreeMap<Spot, String> = BTreeMap::new();
    let mut plans = String::new();
    let mut moments = Vec::with_capacity(play.frames.len() + 1);
    let mut board = play.before.clone();
    for moment in 0..=play.frames.len() {
        let frame = moment.checked_sub(1).and_then(|n| play.frames.get(n));
        if let Some(frame) = frame {
            happen(&mut board, frame);
        }
        if moment == play.frames.len() {
            board = play.at(moment);
        }
        let seats = seats(board.scene.orientation, &board.levels, &board.pieces);
        let mut scripted = Scripted {
            moves: Vec::new(),
            looks: Vec::new(),
            gone: Vec::new(),
            badges: Vec::new(),
            marks: frame.map(|frame| marked(&board, frame)).unwrap_or_default(),
            labels: Vec::new(),
            plans: None,
        };
        let heights: BTreeMap<&str, i8> = board
            .levels
            .iter()
            .map(|level| (level.place.as_str(), level.height))
            .collect();
        let mut here: BTreeMap<String, Seat> = BTreeMap::new();
        for seat in seats {
            let Some(piece) = board.pieces.get(seat.piece) else {
                continue;
            };
            let height = heights.get(piece.place.as_str()).copied().unwrap_or_default();
            let look = live_counter(&board.scene, piece, height);
            if looks.get(&piece.name) != Some(&look) {
                scripted.looks.push((piece.name.clone(), look.clone()));
                looks.insert(piece.name.clone(), look);
            }
            let place = (tenth(seat.x), tenth(seat.y), scale(seat.size));
            let before = earlier.get(&piece.name);
            if before.map(|of| (tenth(of.x), tenth(of.y), scale(of.size))) != Some(place.clone()) {
                scripted.moves.push((piece.name.clone(), place.0, place.1, place.2));
            }
            if seat.pile > 1 {
                scripted
                    .badges
                    .push((tenth(seat.x), tenth(seat.y), tenth(seat.size), seat.pile));
            }
            here.insert(piece.name.clone(), seat);
        }
        scripted.gone = earlier
            .keys()
            .filter(|name| !here.contains_key(*name))
            .cloned()
            .collect();
        earlier = here;
        let says = Says {
            page,
            reader,
            board: &board,
            base: "",
            piece: "",
            kind: "",
        };
        let labels = labels(&says);
        for (at, label) in &labels {
            if words.get(at) != Some(label) {
                scripted.labels.push((format!("{},{}", at.d, at.y), label.clone()));
            }
        }
        words = labels;
        let plan = live_plans(&board);
        if plan != plans {
            scripted.plans = Some(plan.clone());
            plans = plan;
        }
        moments.push(scripted);
    }
    moments
}

/// `GET /welt/{world}/brett/verlauf.json` and `GET /welt/{world}/leitung/brett/verlauf.json`
pub async fn script(State(web): State<Web>, page: Page, watcher: Watcher, Query(asked): Query<Asked>) -> Answer {
    let play = Play::load(&web, &page, &watcher, asked.zug, asked.ab).await?;
    let (page_of, reader) = (page.clone(), Reader::new(watcher.game.clone(), &page));
    let bytes = aside(move || {
        let moments = scripted(&page_of, &reader, &play);
        serde_json::to_vec(&moments).map_err(|error| Fault::Broken(error.to_string()))
    })
    .await?;
    Ok((
        [(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "private, no-cache")],
        bytes,
    )
        .into_response())
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::board::{Opening, Piece};
    use kernel::map::Side;
    use kernel::report::{Term, Why};

    fn piece(name: &str, place: &str) -> Piece {
        Piece {
            name: name.into(),
            place: place.into(),
            ..Piece::default()
        }
    }

    fn level(place: &str, y: i32, openings: Vec<(Side, Opening)>) -> Level {
        Level {
            place: place.into(),
            at: Spot { d: 0, y },
            height: 0,
            name: word(),
            room: None,
            openings,
        }
    }

    fn word() -> Term {
        Term {
            key: "x".into(),
            args: Vec::new(),
        }
    }

    fn frame(levels: Vec<Level>) -> Frame {
        Frame {
            text: word(),
            why: Why::default(),
            changed: Vec::new(),
            gone: Vec::new(),
            levels,
            places: Vec::new(),
        }
    }

    #[test]
    fn a_moment_moves_pieces_brings_new_ones_and_takes_others_away() {
        let mut board = Board {
            pieces: vec![piece("a", "1"), piece("b", "1")],
            ..Board::default()
        };
        let frame = Frame {
            changed: vec![piece("a", "2"), piece("c", "3")],
            gone: vec!["b".into(), "nobody".into()],
            ..frame(Vec::new())
        };
        happen(&mut board, &frame);
        assert_eq!(board.pieces, [piece("a", "2"), piece("c", "3")]);
    }

    #[test]
    fn a_moment_opens_a_gate_and_takes_a_storey_away_in_its_field_only() {
        let shut = vec![(Side::East, Opening::Shut)];
        let open = vec![(Side::East, Opening::Broken)];
        let mut board = Board {
            levels: vec![
                level("1", 0, shut.clone()),
                level("1.1", 0, Vec::new()),
                level("2", 1, shut.clone()),
            ],
            ..Board::default()
        };
        happen(&mut board, &frame(vec![level("1", 0, open.clone())]));
        assert_eq!(board.levels, [level("1", 0, open), level("2", 1, shut)]);
    }
}
