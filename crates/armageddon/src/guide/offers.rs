//! What can be done now, as lines for a draft: the deeds that [`legal::offers`] allows, each tried on a copy of the board before it is offered.

use super::board::term;
use super::chances;
use super::draft::{Draft, Witness};
use super::labels;
use super::{instructions, pieces, walks};
use crate::battle::{Battle, Scene};
use crate::board::Spot;
use crate::deed::{Deed, Field, Fight, Magic};
use crate::event::Event;
use crate::order::Order;
use crate::state::{Figure, FigureId, State};
use crate::tables::Tables;
use crate::view::View;
use crate::{legal, resolve, scribe, script, steps};
use kernel::board::{Offer, STEPS};
use kernel::diagnostic::{Name, Severity, Span};
use kernel::hex::Direction;
use kernel::realm::RealmId;
use std::collections::BTreeSet;

/// Offers of one piece at the most: a wizard who can transfer everybody everywhere has thousands.
const OFFERS_MAX: usize = 600;

/// Everything that the viewer can do behind his draft with a piece, or without one.
pub(super) fn offers(tables: &Tables, view: &View, text: &str, piece: Option<&str>) -> Vec<Offer> {
    let Some(player) = view.player() else {
        return Vec::new();
    };
    let draft = Draft::of(tables, view, text);
    if !draft.is_open() {
        return Vec::new();
    }
    let scene = draft.scene(tables, player);
    match piece {
        Some(name) => {
            let found = pieces::named(scene.position, name).filter(|_| draft.takes_deeds(player));
            found.map_or_else(Vec::new, |id| of_piece(tables, &draft, player, id))
        }
        None => {
            let mut list = of_turn(tables, &draft, player);
            list.extend(instructions::of_player(scene, player));
            list
        }
    }
}

/// The names of all figures that something can be done with.
pub(super) fn actors(scene: Scene<'_>, player: RealmId) -> BTreeSet<String> {
    let mut able: BTreeSet<FigureId> = BTreeSet::new();
    for deed in legal::candidates(scene, player) {
        let doers = doers(scene, player, &deed);
        let news = doers.iter().any(|id| !able.contains(id));
        if news && is_plain(&deed) && legal::judge(scene, player, &deed).is_ok() && says(scene, player, &deed) {
            able.extend(doers);
        }
    }
    able.into_iter().map(|id| scene.position.name(id)).collect()
}

/// Whether a line can say exactly this deed.
fn says(scene: Scene<'_>, player: RealmId, deed: &Deed) -> bool {
    written(scene, player, deed).is_some()
}

/// The line of a deed with the order that it is; none if no line says exactly this.
fn written(scene: Scene<'_>, player: RealmId, deed: &Deed) -> Option<(String, Order)> {
    let line = scribe::line(scene, deed)?;
    let order = script::parse(line.as_bytes()).orders.into_iter().next()?.value;
    if !matches!(order, Order::Move { .. }) && resolve::deed(scene, player, &order).ok()? != *deed {
        return None;
    }
    Some((line, order))
}

/// Whether a deed is not made up of simpler ones: of swaps those where one side is a single figure.
fn is_plain(deed: &Deed) -> bool {
    match deed {
        Deed::Field(Field::Swap { here, there }) => here.len() == 1 || there.len() == 1,
        _ => true,
    }
}

/// With which figures a deed is offered; none if it concerns no single one.
fn doers(scene: Scene<'_>, player: RealmId, deed: &Deed) -> Vec<FigureId> {
    let phalanx = |leader: FigureId| -> Vec<FigureId> {
        let member = |(_, figure): &(FigureId, &crate::state::Figure)| figure.phalanx == Some(leader);
        scene.position.present().filter(member).map(|(id, _)| id).collect()
    };
    match deed {
        Deed::Field(deed) => match deed {
            Field::Step { figure, .. }
            | Field::Face { figure, .. }
            | Field::Board { figure, .. }
            | Field::Leave { figure, .. }
            | Field::LandFromWater { figure, .. } => vec![*figure],
            Field::Swap { here, .. } => here.clone(),
            Field::Lead { animal, by } => {
                let holder = scene.position.figure(*animal).and_then(|figure| figure.held_by);
                [Some(*animal), by.or(holder)].into_iter().flatten().collect()
            }
            Field::Haul { device, bearers, .. } => std::iter::once(*device).chain(bearers.iter().copied()).collect(),
            Field::March { phalanx: leader, .. } => phalanx(*leader),
            Field::Drive { wagon, .. } | Field::Unharness { wagon } => vec![*wagon],
            Field::Harness { horse, wagon } => vec![*horse, *wagon],
            Field::Sail { ship, .. } => vec![*ship],
            Field::Flee { figure } => vec![*figure],
            Field::Possess { object } | Field::Give { object, .. } | Field::Lend { object, .. } => vec![*object],
        },
        Deed::Fight(deed) => match deed {
            Fight::Attack { figure, .. }
            | Fight::Shoot { figure, .. }
            | Fight::Pour { figure, .. }
            | Fight::Loophole { figure, .. }
            | Fight::Search { figure } => vec![*figure],
            Fight::WeightBlow { phalanx: leader, .. } | Fight::DissolvePhalanx { phalanx: leader } => phalanx(*leader),
            Fight::Throw { onager, crew, .. } => vec![*onager, *crew],
            Fight::Ram { device, .. } => vec![*device],
            Fight::RamShip { ship, .. } => vec![*ship],
            Fight::SetLadder { ladder, .. } => vec![*ladder],
            Fight::Topple { ladder: device, figure }
            | Fight::ThrowRope {
                rope: device, figure, ..
            }
            | Fight::TieRopes { rope: device, figure }
            | Fight::CutRope { rope: device, figure }
            | Fight::Destroy { device, figure } => vec![*device, *figure],
            Fight::Gate { gate, .. } => scene
                .position
                .present()
                .filter(|(id, figure)| {
                    figure.owner == player
                        && figure.kind.is_warrior()
                        && figure.is_able()
                        && scene.position.spot_of(*id) == Some(gate.at)
                })
                .map(|(id, _)| id)
                .collect(),
            Fight::Besiege { .. } => Vec::new(),
            Fight::FormPhalanx { members, .. } => members.clone(),
        },
        Deed::Magic(Magic::Cast { wizard, .. } | Magic::Duel { wizard, .. }) => vec![*wizard],
        Deed::Magic(Magic::Pray { priest, .. } | Magic::Feed { priest }) => vec![*priest],
        Deed::Magic(_) => Vec::new(),
    }
}

fn of_piece(tables: &Tables, draft: &Draft, player: RealmId, id: FigureId) -> Vec<Offer> {
    let scene = draft.scene(tables, player);
    let mut taken = Taken::default();
    let mut list: Vec<Offer> = Vec::new();
    for deed in legal::candidates(scene, player) {
        let own = is_plain(&deed) && doers(scene, player, &deed).contains(&id) && !taken.holds(scene, &deed);
        if !own || legal::judge(scene, player, &deed).is_err() {
            continue;
        }
        if let Some(offer) =
            offer(tables, draft, player, &deed).filter(|new| list.iter().all(|old| old.line != new.line))
        {
            taken.note(scene, &deed);
            list.push(offer);
        }
        if list.len() >= OFFERS_MAX {
            break;
        }
    }
    // Longer ways stand behind the single steps, and before everything else.
    let steps = list
        .iter()
        .rposition(|offer| offer.group == STEPS)
        .map_or(0, |at| at + 1);
    let known: BTreeSet<Option<String>> = list
        .iter()
        .filter(|offer| offer.group == STEPS)
        .map(|offer| offer.place.clone())
        .collect();
    let mut longer = walks::of_piece(tables, draft, player, id);
    longer.retain(|offer| offer.group != STEPS || !known.contains(&offer.place));
    list.splice(steps..steps, longer);
    list.extend(instructions::of_wizard(scene, player, id));
    list
}

/// Hauls, throws and swaps that are offered already: who carries or serves does not matter, nor which of equal figures one swaps with, so
/// that the first is enough.
#[derive(Default)]
struct Taken {
    hauls: BTreeSet<(FigureId, Spot)>,
    throws: BTreeSet<(Spot, Option<Direction>)>,
    swaps: Vec<[Vec<Figure>; 2]>,
}

impl Taken {
    fn holds(&self, scene: Scene<'_>, deed: &Deed) -> bool {
        match deed {
            Deed::Field(Field::Haul { device, to, .. }) => self.hauls.contains(&(*device, *to)),
            Deed::Fight(Fight::Throw { target, side, .. }) => self.throws.contains(&(*target, *side)),
            Deed::Field(Field::Swap { here, there }) => {
                let alike = [here, there].map(|group| unnumbered(scene, group));
                self.swaps.contains(&alike)
            }
            _ => false,
        }
    }

    fn note(&mut self, scene: Scene<'_>, deed: &Deed) {
        match deed {
            Deed::Field(Field::Haul { device, to, .. }) => drop(self.hauls.insert((*device, *to))),
            Deed::Fight(Fight::Throw { target, side, .. }) => drop(self.throws.insert((*target, *side))),
            Deed::Field(Field::Swap { here, there }) => {
                self.swaps.push([here, there].map(|group| unnumbered(scene, group)));
            }
            _ => {}
        }
    }
}

/// Figures without their numbers: two lists are equal if nobody at the board could tell them apart but by name. Who carries or leads somebody
/// keeps his number, for he is not alone.
fn unnumbered(scene: Scene<'_>, group: &[FigureId]) -> Vec<Figure> {
    let company = |id: FigureId| {
        let mut all = scene.position.present();
        all.any(|(other, figure)| figure.held_by == Some(id) || scene.position.aboard(id).any(|(on, _)| on == other))
    };
    let figures = group.iter().filter_map(|id| Some((*id, scene.position.figure(*id)?)));
    figures
        .map(|(id, figure)| Figure {
            number: if company(id) { figure.number } else { 0 },
            ..figure.clone()
        })
        .collect()
}

/// What becomes of a line behind a draft.
pub(super) struct Trial {
    /// What would be told.
    pub(super) events: Vec<Event>,
    /// Whether a die falls.
    pub(super) rolled: bool,
}

/// Tries a line on a copy of the board; none if it is refused.
pub(super) fn attempt(tables: &Tables, state: &State, player: RealmId, order: &Order) -> Option<Trial> {
    let mut witness = Witness::default();
    let mut battle = Battle::new(tables, state.clone(), &mut witness);
    resolve::carry_out(&mut battle, player, order, Span::default());
    drop(battle);
    let refused = witness
        .findings
        .iter()
        .any(|finding| finding.severity == Severity::Error);
    (!refused).then_some(Trial {
        events: witness.events,
        rolled: witness.rolled,
    })
}

/// The offer of a deed: none if its line cannot say exactly that.
fn offer(tables: &Tables, draft: &Draft, player: RealmId, deed: &Deed) -> Option<Offer> {
    let scene = draft.scene(tables, player);
    let (line, order) = written(scene, player, deed)?;
    let trial = attempt(tables, &draft.state, player, &order)?;
    let label = labels::label(scene, deed);
    Some(Offer {
        label: label.term,
        group: Name::Borrowed(label.group),
        sort: label.sort,
        place: label.place.map(|spot| scene.position.board.spot_name(tables, spot)),
        target: label.target.map(|id| scene.position.name(id)),
        line: headed(scene, draft, player, &line),
        rolls: trial.rolled,
        chances: chances::chances(scene, deed, &trial.events),
    })
}

/// A line with the head of the script before it, if the draft has none.
pub(super) fn headed(scene: Scene<'_>, draft: &Draft, player: RealmId, line: &str) -> String {
    if draft.rehearsal.headed {
        line.to_owned()
    } else {
        format!("{}\n{line}", scribe::head(scene, player))
    }
}

/// What concerns no single figure: the dice of the beginning, sieges, trade centres, the end of the turn.
fn of_turn(tables: &Tables, draft: &Draft, player: RealmId) -> Vec<Offer> {
    let scene = draft.scene(tables, player);
    if scene.position.mover() != Some(player) {
        return Vec::new();
    }
    if draft.rehearsal.rolls_first {
        return vec![turn_offer("offer-begin", scribe::head(scene, player), true)];
    }
    let mut list: Vec<Offer> = legal::candidates(scene, player)
        .iter()
        .filter(|deed| doers(scene, player, deed).is_empty() && legal::judge(scene, player, deed).is_ok())
        .filter_map(|deed| offer(tables, draft, player, deed))
        .collect();
    let line = headed(scene, draft, player, "ENDE");
    list.push(turn_offer("offer-end", line, ends_with_dice(tables, draft)));
    list
}

fn turn_offer(key: &'static str, line: String, rolls: bool) -> Offer {
    Offer {
        label: term(key, vec![]),
        group: Name::Borrowed("group-turn"),
        sort: None,
        place: None,
        target: None,
        line,
        rolls,
        chances: Vec::new(),
    }
}

/// Whether dice fall when the turn ends.
fn ends_with_dice(tables: &Tables, draft: &Draft) -> bool {
    let mut witness = Witness::default();
    let mut battle = Battle::new(tables, draft.state.clone(), &mut witness);
    steps::play_turn(&mut battle, &mut |_, _| {});
    drop(battle);
    witness.rolled
}
