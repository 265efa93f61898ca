//! The board that is played by clicks: every offer is accepted behind the draft and done by its piece, and a step seen again ends with the
//! board as it is.

use armageddon::Armageddon;
use armageddon::setup::{self, ready};
use armageddon::state::State;
use armageddon::tables::Tables;
use armageddon::view::View;
use kernel::board::{Board, Frame, Level, Offer, Opening, Piece};
use kernel::diagnostic::Severity;
use kernel::dice::{Dice, StepSecret};
use kernel::game::{self, Brief, Game};
use kernel::guide::Guide;
use kernel::map::{Side, Spot};
use kernel::realm::{RealmId, Viewer};
use kernel::turn::Input;
use std::collections::BTreeMap;

/// Numbers that follow a seed.
struct Lots(u64);

impl Lots {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % limit.max(1)
    }
}

fn view_of(tables: &Tables, state: &State, player: RealmId) -> View {
    let brief = Brief {
        viewer: Viewer::Realm(player),
        told: Vec::new(),
        diagnostics: Vec::new(),
    };
    Armageddon::view(tables, state, brief)
}

fn added(draft: &str, offer: &Offer) -> String {
    let mut text = draft.to_owned();
    text.push_str(&offer.line);
    text.push('\n');
    text
}

/// Runs a step in which the mover sends this script; the state behind it and what he sees then.
fn send(tables: &Tables, state: &State, player: RealmId, text: &str, seed: u8) -> (State, View) {
    let seat = Armageddon::seat(tables, state, player).expect("a seat");
    let parsed = Armageddon::parse(tables, &seat, text.as_bytes());
    assert_eq!(parsed.diagnostics, [], "{text}");
    let input = Input::<Armageddon> {
        orders: BTreeMap::from([(player, parsed)]),
        ..Input::default()
    };
    let dice = Dice::Keyed(StepSecret([seed; 32]));
    let outcome = game::run::<Armageddon>(tables, state.clone(), &input, dice);
    let events = game::audiences(&outcome).remove(&player).unwrap_or_default();
    let view = game::view::<Armageddon>(tables, &outcome, Viewer::Realm(player), events.into_iter());
    (outcome.state, view)
}

fn faults(view: &View) -> Vec<String> {
    let errors = view
        .diagnostics
        .iter()
        .filter(|finding| finding.severity == Severity::Error);
    errors.map(|finding| format!("{finding:?}")).collect()
}

fn plain(pieces: &[Piece]) -> BTreeMap<String, Piece> {
    let still = pieces.iter().cloned().map(|piece| Piece {
        can_act: false,
        ..piece
    });
    still.map(|piece| (piece.name.clone(), piece)).collect()
}

/// The pieces of one board, with the moments of a step carried out on them, are those of the next.
fn seen_again(tables: &Tables, before: &View, after: &View, what: &str) {
    let still = |view: &View| Armageddon::still(tables, view).expect("a board");
    let mut pieces = plain(&still(before).pieces);
    let by_field = |levels: &[Level]| {
        let mut fields: BTreeMap<Spot, Vec<Level>> = BTreeMap::new();
        for level in levels {
            fields.entry(level.at).or_default().push(level.clone());
        }
        fields
    };
    let mut levels = by_field(&still(before).levels);
    for frame in Armageddon::frames(tables, before, after) {
        levels.extend(by_field(&frame.levels));
        for gone in &frame.gone {
            assert!(pieces.remove(gone).is_some(), "{what}: {gone} was not there");
        }
        for piece in &frame.changed {
            pieces.insert(piece.name.clone(), piece.clone());
        }
    }
    assert_eq!(pieces, plain(&still(after).pieces), "{what}");
    assert_eq!(levels, by_field(&still(after).levels), "{what}");
}

/// Plays some steps of a battle by clicks picked by lot, and looks at a few offers of each piece that can act.
fn evening(tables: &Tables, mut state: State, what: &str, seed: u64, steps: u8) {
    let mut lots = Lots(seed);
    for step in 0..steps {
        let Some(player) = state.position.mover().filter(|_| state.position.outcome.is_none()) else {
            return;
        };
        let before = view_of(tables, &state, player);
        let mut draft = String::new();
        for _ in 0..4 {
            let board = Armageddon::board(tables, &before, &draft).expect("a board");
            assert_eq!(board.mover, Some(player));
            if !board.open {
                break;
            }
            assert!(
                board.findings.iter().all(|finding| finding.severity != Severity::Error),
                "{draft}"
            );
            let offers = some_offers(tables, &before, &draft, &board, &mut lots);
            for (piece, offer) in &offers {
                tried(tables, &state, player, &draft, piece.as_deref(), offer);
            }
            let Some((_, offer)) = offers.get(lots.below(offers.len())) else {
                break;
            };
            draft = added(&draft, offer);
        }
        let board = Armageddon::board(tables, &before, &draft).expect("a board");
        if board.open {
            let end = Armageddon::offers(tables, &before, &draft, None);
            let end = end.iter().find(|offer| offer.line.ends_with("ENDE"));
            if let Some(end) = end {
                draft = added(&draft, end);
            }
        }
        let (next, after) = send(tables, &state, player, &draft, step);
        assert_eq!(faults(&after), Vec::<String>::new(), "{what}\n{draft}");
        seen_again(tables, &before, &after, &format!("{what}, step {step}\n{draft}"));
        state = next;
    }
}

/// Offers of one piece that can act, by lot, and what concerns none.
fn some_offers(
    tables: &Tables,
    view: &View,
    draft: &str,
    board: &Board,
    lots: &mut Lots,
) -> Vec<(Option<String>, Offer)> {
    let mut list: Vec<(Option<String>, Offer)> = Vec::new();
    let able: Vec<&Piece> = board.pieces.iter().filter(|piece| piece.can_act).collect();
    if let Some(piece) = able.get(lots.below(able.len())) {
        let offers = Armageddon::offers(tables, view, draft, Some(&piece.name));
        assert!(!offers.is_empty(), "{} can act but has no offer\n{draft}", piece.name);
        for _ in 0..2 {
            if let Some(offer) = offers.get(lots.below(offers.len())) {
                list.push((Some(piece.name.clone()), offer.clone()));
            }
        }
    }
    let turn = Armageddon::offers(tables, view, draft, None);
    // The end of the turn only when nothing else is left.
    let others = turn
        .into_iter()
        .filter(|offer| !able.is_empty() || offer.line.contains("RUNDE"));
    list.extend(
        others
            .filter(|offer| !offer.line.ends_with("ENDE"))
            .map(|offer| (None, offer)),
    );
    list
}

/// An offer is accepted behind its draft, its dice are announced, and its piece does it.
fn tried(tables: &Tables, state: &State, player: RealmId, draft: &str, piece: Option<&str>, offer: &Offer) {
    let text = added(draft, offer);
    let (_, view) = send(tables, state, player, &text, 1);
    assert_eq!(faults(&view), Vec::<String>::new(), "{text}");
    let last = u32::try_from(text.lines().count()).expect("few lines");
    let of_nobody = ["group-works", "group-phalanx", "group-instruction"];
    if let Some(name) = piece.filter(|_| !of_nobody.contains(&&*offer.group)) {
        let teller = armageddon::event::Teller {
            tables,
            position: &view.position,
        };
        let told: Vec<String> = view
            .told
            .iter()
            .filter(|told| told.line == Some(last))
            .map(|told| told.notice.telling(teller).words())
            .collect();
        let member = view.position.figures.iter().any(|figure| figure.phalanx.is_some());
        let words = told.join(" ");
        assert!(
            words.contains(name) || member,
            "{name} does not do `{}`: {told:?}",
            offer.line
        );
    }
    for chance in &offer.chances {
        assert!(chance.cases <= chance.of && chance.of > 0, "{offer:?}");
    }
    let rolled = view
        .told
        .iter()
        .filter(|told| told.line == Some(last))
        .any(|told| !told.why.rolls.is_empty() || told.why.sealed > 0);
    if rolled && !offer.line.starts_with("ZAUBER") && !offer.line.contains("\nZAUBER") {
        assert!(offer.rolls, "dice fall without notice: {}", offer.line);
    }
}

#[test]
fn ready_battles_are_played_by_clicks() {
    let tables = Tables::book().expect("the book");
    for (ready, seed) in ready::ALL.iter().zip(1u64..) {
        let state = setup::build(&tables, "", &setup::read_lines(ready.setup)).expect(ready.code);
        evening(&tables, state, ready.code, seed, 3);
    }
}

#[test]
fn random_battles_are_played_by_clicks() {
    use kernel::campaign::Campaign;
    let tables = Tables::book().expect("the book");
    for seed in 0..4u8 {
        let mut dice = Dice::Keyed(StepSecret([seed; 32]));
        let setting = Armageddon::setting(&mut dice).expect("a battle");
        evening(&tables, setting.state, &format!("battle {seed}"), u64::from(seed), 3);
    }
}

#[test]
fn whoever_is_not_asked_can_only_leave_instructions() {
    let tables = Tables::book().expect("the book");
    let ready = ready::find("field-battle").expect("the field battle");
    let state = setup::build(&tables, "", &setup::read_lines(ready.setup)).expect("a battle");
    let view = view_of(&tables, &state, RealmId(2));
    let board = Armageddon::board(&tables, &view, "").expect("a board");
    assert!(board.open && board.pieces.iter().all(|piece| !piece.can_act));
    let offers = Armageddon::offers(&tables, &view, "", None);
    assert!(!offers.is_empty());
    assert!(
        offers.iter().all(|offer| offer.line.starts_with("ANWEISUNG ")),
        "{offers:?}"
    );
    assert_eq!(Armageddon::offers(&tables, &view, "", Some("S#11")), []);
}

#[test]
fn what_a_triple_is_spent_on_and_who_leaves_first_is_said_by_clicks_and_told_beside_the_board() {
    let tables = Tables::book().expect("the book");
    let ready = ready::find("field-battle").expect("the field battle");
    let state = setup::build(&tables, "", &setup::read_lines(ready.setup)).expect("a battle");
    let view = view_of(&tables, &state, RealmId(1));
    let notes = |draft: &str| -> Vec<String> {
        let board = Armageddon::board(&tables, &view, draft).expect("a board");
        board.notes.iter().map(|note| note.key.to_string()).collect()
    };
    assert!(
        !notes("")
            .iter()
            .any(|note| note == "note-triple" || note == "note-sacrifice")
    );
    let wizard = Armageddon::offers(&tables, &view, "", Some("Z#1"));
    let triple: Vec<&Offer> = wizard
        .iter()
        .filter(|offer| offer.line.starts_with("ANWEISUNG PASCH"))
        .collect();
    assert!(
        triple.iter().any(|offer| offer.line == "ANWEISUNG PASCH STAERKEN 17"),
        "{triple:?}"
    );
    assert!(
        triple
            .iter()
            .all(|offer| offer.sort.is_some() && !offer.line.contains("NACH"))
    );
    // A spell that was cast in this round does not hinder: a triple pays for another one.
    let cast = "RUNDE 1 SPIELER West\nZAUBER STAERKEN 24\n";
    let others = Armageddon::offers(&tables, &view, cast, Some("Z#1"));
    assert!(others.iter().all(|offer| !offer.line.starts_with("ZAUBER")));
    let draft = added("", triple[0]);
    assert!(notes(&draft).contains(&"note-triple".to_owned()));
    let again = Armageddon::offers(&tables, &view, &draft, Some("Z#1"));
    assert!(
        again.iter().all(|offer| offer.line != triple[0].line),
        "it is said already"
    );
    let common = Armageddon::offers(&tables, &view, &draft, None);
    assert!(common.iter().any(|offer| offer.line == "ANWEISUNG PASCH NIE"));
    let lances = common
        .iter()
        .find(|offer| offer.line == "ANWEISUNG OPFER L")
        .expect("lances leave first");
    let draft = added(&draft, lances);
    assert!(notes(&draft).contains(&"note-sacrifice".to_owned()));
    let common = Armageddon::offers(&tables, &view, &draft, None);
    assert!(common.iter().all(|offer| offer.line != lances.line));
    let back = common
        .iter()
        .find(|offer| offer.line == "ANWEISUNG OPFER")
        .expect("back to the book");
    assert!(!notes(&added(&draft, back)).contains(&"note-sacrifice".to_owned()));
    // Whoever has no wizard of his own has nothing to say about triples.
    assert!(
        Armageddon::offers(&tables, &view, "", Some("S#1"))
            .iter()
            .all(|offer| !offer.line.contains("PASCH"))
    );
}

#[test]
fn whoever_would_fall_into_the_water_is_told_so_and_does_not_step_there_by_the_way() {
    let tables = Tables::book().expect("the book");
    let lines = "player 1 named Rot side 1\nplayer 2 named Blau side 2\nfield 18-19 water\nfigure 1 S 1 at 17\nfigure 1 Z 1 at ^17\nfigure 2 S 9 at 40";
    let state = setup::build(&tables, "", &setup::read_lines(lines)).expect("a battle");
    let view = view_of(&tables, &state, RealmId(1));
    let to_18 = |piece: &str| -> Vec<Offer> {
        let offers = Armageddon::offers(&tables, &view, "", Some(piece)).into_iter();
        offers
            .filter(|offer| offer.line.ends_with(">18") && offer.line.starts_with("RUNDE"))
            .collect()
    };
    let jump = to_18("S#1");
    assert_eq!(jump.len(), 1, "{jump:?}");
    assert_eq!((&*jump[0].label.key, &*jump[0].group), ("offer-jump", "group-mount"));
    // A wizard hovers.
    assert!(to_18("Z#1").iter().all(|offer| &*offer.label.key == "offer-step"));
}

#[test]
fn a_draft_is_carried_out_until_a_die_falls_and_no_further() {
    let tables = Tables::book().expect("the book");
    let lines = "player 1 named Rot side 1\nplayer 2 named Blau side 2\nfigure 1 LB 1 at 17\nfigure 2 S 1 at 19";
    let state = setup::build(&tables, "", &setup::read_lines(lines)).expect("a battle");
    let view = view_of(&tables, &state, RealmId(1));
    let place = |draft: &str| {
        let board = Armageddon::board(&tables, &view, draft).expect("a board");
        let found = board
            .pieces
            .iter()
            .find(|piece| piece.name == "LB#1")
            .expect("the lance");
        (found.place.clone(), found.steps, board.open, board.rolls)
    };
    assert_eq!(place(""), ("17".to_owned(), Some(2), true, false));
    let step = "RUNDE 1 SPIELER Rot\nZIEHE LB#1 17>18\n";
    assert_eq!(place(step), ("18".to_owned(), Some(1), true, false));
    let attacks = Armageddon::offers(&tables, &view, step, Some("LB#1"));
    let attack = attacks
        .iter()
        .find(|offer| offer.target.as_deref() == Some("S#1"))
        .expect("an attack");
    // A champion with a lance attacks a man with a sword: 3 for the class, 1 for the attack, and the weapon cycle.
    assert_eq!(attack.chances.iter().map(|chance| chance.cases).sum::<u64>(), 46_656);
    assert!(attack.rolls);
    let struck = format!("{step}{}\n", attack.line);
    assert_eq!(place(&struck), ("18".to_owned(), Some(1), false, true));
    assert_eq!(Armageddon::offers(&tables, &view, &struck, Some("LB#1")), []);
    let wrong = "RUNDE 1 SPIELER Rot\nZIEHE LB#1 17>30\n";
    assert_eq!(place(wrong), ("17".to_owned(), Some(2), false, false));
}

#[test]
fn a_player_whose_name_no_script_can_hold_plays_by_his_number() {
    let tables = Tables::book().expect("the book");
    let lines = "player 1 named Rot side 1\nplayer 2 named Blau side 2\nfigure 1 LB 1 at 17\nfigure 2 S 1 at 30";
    for name in [
        "Rot, Blau -> Grün",
        "  ",
        "",
        "Blau",
        "a  b",
        "; nichts",
        "Ärger > Wut",
        "2",
    ] {
        let mut state = setup::build(&tables, "", &setup::read_lines(lines)).expect("a battle");
        if let Some(player) = state.position.players.get_mut(&RealmId(1)) {
            player.name = name.to_owned();
        }
        // Of two of one name the second is called by his number.
        for (player, piece) in [(RealmId(1), "LB#1"), (RealmId(2), "S#1")] {
            state.position.clock.turn = player.0 - 1;
            let view = view_of(&tables, &state, player);
            let offers = Armageddon::offers(&tables, &view, "", Some(piece));
            let offer = offers.first().unwrap_or_else(|| panic!("`{name}` {piece}: no offer"));
            let (_, after) = send(&tables, &state, player, &format!("{}\n", offer.line), 1);
            assert_eq!(faults(&after), Vec::<String>::new(), "`{name}`: {}", offer.line);
        }
    }
}

#[test]
fn a_step_seen_again_begins_with_the_board_as_it_stood_and_breaks_the_gate_with_its_blow() {
    // Whatever is thrown breaks the gate.
    let house = "[ramming]\ngate_from = 3\n";
    let tables = Tables::with_overrides(house).expect("a house rule");
    let lines = "field 20 mountain\ntower Bär 27 gate W\nfigure Adler Wi 1 at 26\nfigure Adler S 1..2 at 26\n\
                 figure Adler S 7 at 20\nfigure Bär S 11 at 27.0";
    let state = setup::build(&tables, house, &setup::read_lines(lines)).expect("a battle");
    let player = RealmId(1);
    let before = view_of(&tables, &state, player);
    let first = Armageddon::still(&tables, &before).expect("a board");
    // He stands where he may not, and is there until the battle begins.
    assert!(
        first
            .pieces
            .iter()
            .any(|piece| piece.name == "S#7" && piece.place == "20")
    );
    let gate = |levels: &[Level]| {
        let ground = levels.iter().find(|level| level.place == "27.0");
        ground.map(|ground| {
            ground
                .openings
                .iter()
                .find(|(side, _)| *side == Side::West)
                .map(|(_, what)| *what)
        })
    };
    assert_eq!(gate(&first.levels), Some(Some(Opening::Shut)));
    let (_, after) = send(
        &tables,
        &state,
        player,
        "RUNDE 1 SPIELER Adler\nRAMME Wi#1 -> 27.0-W\nENDE\n",
        1,
    );
    let frames = Armageddon::frames(&tables, &before, &after);
    let at = |what: &dyn Fn(&Frame) -> bool| frames.iter().position(what).expect("a moment");
    let gone = at(&|frame| frame.gone.iter().any(|name| name == "S#7"));
    let blow = at(&|frame| frame.text.key == "rammed");
    assert!(gone < blow, "{gone} {blow}");
    for (frame, number) in frames.iter().zip(0usize..) {
        let shown = gate(&frame.levels).flatten();
        assert!(number >= blow || shown != Some(Opening::Broken), "{number}");
    }
    assert_eq!(gate(&frames[blow].levels), Some(Some(Opening::Broken)));
    seen_again(&tables, &before, &after, "the gate");
}

#[test]
fn of_equal_figures_one_is_offered_for_a_swap() {
    let tables = Tables::book().expect("the book");
    // Two of the four on 18 are alike; a third has gone a step, the fourth is a lance.
    let lines = "figure Adler S 1..4 at 17\nfigure Adler S 5..6 at 18\nfigure Adler S 7 at 18 steps 1\n\
                 figure Adler L 1 at 18\nfigure Bär A 9 at 48\nstage movement";
    let state = setup::build(&tables, "", &setup::read_lines(lines)).expect("a battle");
    let view = view_of(&tables, &state, RealmId(1));
    let offers = Armageddon::offers(&tables, &view, "", Some("S#1"));
    let swaps: Vec<&str> = offers
        .iter()
        .flat_map(|offer| offer.line.lines())
        .filter(|line| line.starts_with("TAUSCHE"))
        .collect();
    assert_eq!(
        swaps,
        [
            "TAUSCHE S#1 17 MIT S#5 18",
            "TAUSCHE S#1 17 MIT S#7 18",
            "TAUSCHE S#1 17 MIT L#1 18"
        ]
    );
}
