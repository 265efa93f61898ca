//! Positions in which a sensible player does the obvious: the computer opponent does it too.
//!
//! Field 26 lies in the middle of the board, with 25 to the west, 27 to the east, 18 and 19 above, 33 and 34 below.

use armageddon::Armageddon;
use armageddon::kinds::Kind;
use armageddon::setup;
use armageddon::simulate::Chance;
use armageddon::state::{Place, State};
use armageddon::tables::Tables;
use armageddon::{battle::Battle, computer, ships, steps};
use kernel::any;
use kernel::diagnostic::Severity;
use kernel::dice::{Dice, WorldSecret};
use kernel::game::{self, Brief, Game};
use kernel::realm::{RealmId, Viewer};
use kernel::turn::Input;

const ADLER: RealmId = RealmId(1);

fn made(lines: &str) -> (Tables, State) {
    let tables = Tables::book().expect("the book");
    let state = setup::build(&tables, "", &setup::read_lines(lines)).expect("a battle");
    (tables, state)
}

/// The lines that the opponent sends for the first player; all of them are legal.
fn script(lines: &str) -> Vec<String> {
    let (tables, state) = made(lines);
    let brief = Brief {
        viewer: Viewer::Realm(ADLER),
        told: Vec::new(),
        diagnostics: Vec::new(),
    };
    let view = Armageddon::view(&tables, &state, brief);
    let file = Armageddon::computer_player(&tables, &view, &mut Dice::Keyed(WorldSecret([1; 32]).step(1)));
    let checked = any::check::<Armageddon>(&tables, &view, file.as_bytes());
    let wrong = checked
        .diagnostics
        .iter()
        .find(|finding| finding.severity == Severity::Error);
    assert!(wrong.is_none(), "{wrong:?} in\n{file}");
    file.lines().map(str::to_owned).collect()
}

/// The board after one turn of the first player with dice of its own.
fn turn(lines: &str) -> State {
    let (tables, state) = made(lines);
    let mut chance = Chance::new(3, 1);
    let mut battle = Battle::new(&tables, state, &mut chance);
    steps::play_turn(&mut battle, &mut computer::conduct);
    battle.finish(String::new())
}

fn says(lines: &[String], start: &str) -> bool {
    lines.iter().any(|line| line.starts_with(start))
}

fn field(state: &State, kind: &str, number: u16) -> String {
    let kind = Kind::from_code(kind).expect("a kind");
    let id = state.position.find(kind, number).expect("a figure");
    let cell = state.position.cell_of(id).expect("on the board");
    state.position.board.name(cell)
}

fn fields(state: &State, one: (&str, u16), other: (&str, u16)) -> u64 {
    let at = |(kind, number): (&str, u16)| {
        let id = state
            .position
            .find(Kind::from_code(kind).expect("a kind"), number)
            .expect("a figure");
        state.position.cell_of(id).expect("on the board")
    };
    state.position.board.distance(at(one), at(other))
}

#[test]
fn a_hero_strikes_a_man_beside_him() {
    // 8 points against none: he falls in 918 of 46,656 cases.
    let lines = script("figure Adler SC 1 at 26\nfigure Bär S 9 at 27\nfigure Bär S 10 at 30");
    assert!(says(&lines, "ANGRIFF SC#1 -> S#9"), "{lines:?}");
}

#[test]
fn two_strike_together_at_one_who_is_too_strong_for_each() {
    // 5 points against 6 alone, 10 against 6 together: 17,147 kills and 5,817 deaths of 46,656.
    let lines = script("figure Adler SB 1 at 26\nfigure Adler SB 2 at 26\nfigure Bär SC 9 at 27");
    assert!(
        says(&lines, "ANGRIFF SB#1 MIT SB#2 -> SC#9") || says(&lines, "ANGRIFF SB#2 MIT SB#1 -> SC#9"),
        "{lines:?}"
    );
}

#[test]
fn nobody_strikes_at_bad_odds() {
    // A bow of class B has a knife: 1 point against none, but he is worth twice the man whom he would strike.
    let lines = script("figure Adler BB 1 at 26\nfigure Bär S 9 at 26\nfigure Bär S 10 at 30");
    assert!(!says(&lines, "ANGRIFF"), "{lines:?}");
    // Equals, but the other stands higher and his axe beats the lance: 8 points against 8, no gain in that.
    let lines = script(
        "field 27 highland\nfigure Adler LC 1 at 26\nfigure Bär AC 9 at 27\nfigure Bär AC 10 at 27\nfigure Bär AC 11 at 27\nfigure Bär AC 12 at 27",
    );
    assert!(!says(&lines, "ANGRIFF"), "{lines:?}");
}

#[test]
fn a_ram_before_a_shut_gate_is_used() {
    let lines = script(
        "tower Bär 26 gate W\nfigure Adler Wi 1 at 25\nfigure Adler S 1..2 at 25\nfigure Adler S 3..4 at 24\nfigure Bär S 9 at 26",
    );
    assert!(says(&lines, "RAMME Wi#1 -> 26.0-W"), "{lines:?}");
}

/// The scripts that the opponent sends in one turn of the first player, until he ends it, with dice that fall between them.
fn scripts(lines: &str, seed: u8) -> Vec<String> {
    let (tables, mut state) = made(lines);
    let secret = WorldSecret([seed; 32]);
    let mut sent = Vec::new();
    for step in 1..=20 {
        let brief = Brief {
            viewer: Viewer::Realm(ADLER),
            told: Vec::new(),
            diagnostics: Vec::new(),
        };
        let view = Armageddon::view(&tables, &state, brief);
        let file = Armageddon::computer_player(&tables, &view, &mut Dice::Keyed(secret.step(100 + step)));
        let seat = Armageddon::seat(&tables, &state, ADLER).expect("a seat");
        let mut input = Input::<Armageddon>::default();
        input
            .orders
            .insert(ADLER, Armageddon::parse(&tables, &seat, file.as_bytes()));
        let outcome = game::run::<Armageddon>(&tables, state, &input, Dice::Keyed(secret.step(step)));
        let wrong: Vec<_> = outcome
            .refusals
            .values()
            .flatten()
            .filter(|finding| finding.severity == Severity::Error)
            .collect();
        assert!(wrong.is_empty(), "{wrong:?} in\n{file}");
        state = outcome.state;
        sent.push(file);
        if state.position.mover() != Some(ADLER) {
            return sent;
        }
    }
    panic!("the turn does not end: {sent:?}");
}

#[test]
fn a_second_ram_before_the_same_gate_waits_for_the_first_and_then_strikes_if_it_still_stands() {
    let lines = "tower Bär 26 gate W\nfigure Adler El 1..2 at 25\nfigure Adler S 1 on El#1\nfigure Adler S 2 on El#2\nfigure Bär S 9 at 26";
    let (mut once, mut twice) = (0, 0);
    for seed in 1..=12 {
        let sent = scripts(lines, seed);
        let blows = sent
            .iter()
            .flat_map(|file| file.lines())
            .filter(|line| line.starts_with("RAMME"));
        match blows.count() {
            1 => once += 1,
            2 => twice += 1,
            other => panic!("{other} blows in {sent:?}"),
        }
        assert!(sent[0].matches("RAMME").count() == 1, "{sent:?}");
    }
    // The gate breaks in 81 of 216 throws.
    assert!(once > 0 && twice > 0, "{once} and {twice}");
}

#[test]
fn a_creature_of_his_own_is_led_to_the_enemy_and_strikes() {
    let lines =
        script("figure Adler Dra 1 at 23\nfigure Adler S 1 at 1\nfigure Bär S 9..12 at 28\nfigure Bär S 13 at 48");
    assert!(says(&lines, "ZIEHE Dra#1 23>24>25>26>27"), "{lines:?}");
    assert!(says(&lines, "ANGRIFF Dra#1 -> "), "{lines:?}");
    let state = turn("figure Adler Rie 1 at 23\nfigure Bär S 9 at 30\nfigure Bär S 13 at 48");
    assert_eq!(field(&state, "Rie", 1), "26");
}

#[test]
fn a_ram_is_brought_to_the_gate() {
    let state = turn("tower Bär 26 gate W\nfigure Adler Wi 1 at 23\nfigure Adler S 1..2 at 23\nfigure Bär S 9 at 26");
    assert_eq!(field(&state, "Wi", 1), "24");
}

#[test]
fn an_onager_without_a_crew_gets_one_and_a_served_one_throws() {
    let state = turn("figure Adler On 1 at 24 facing O\nfigure Adler S 1 at 23\nfigure Bär S 9..12 at 28");
    assert_eq!(field(&state, "S", 1), "24");
    let lines = script("figure Adler On 1 at 24 facing O\nfigure Adler S 1 at 24\nfigure Bär S 9..12 at 28");
    assert!(says(&lines, "WURF On#1 S#1 -> 28"), "{lines:?}");
}

#[test]
fn a_ladder_is_set_up_and_climbed() {
    let lines = script(
        "tower Bär 26 gate O\nfigure Adler Le 1 at 25\nfigure Adler S 1..2 at 25\nfigure Bär B 9 at 26.P\nfigure Bär B 10 at 26",
    );
    assert!(says(&lines, "LEITER STELLE Le#1 26"), "{lines:?}");
    assert!(says(&lines, "AUFSTEIGEN S#"), "{lines:?}");
}

#[test]
fn a_siege_tower_rolls_to_a_tower_and_its_people_go_over() {
    let state = turn(
        "tower Bär 26 gate O\nfigure Adler Bt 1 at 24 facing O\nfigure Adler S 1..3 on Bt#1.lower\nfigure Bär B 9 at 26.P",
    );
    assert_eq!(field(&state, "Bt", 1), "25");
    let lines = script(
        "tower Bär 26 gate O\nfigure Adler Bt 1 at 25 facing O\nfigure Adler S 1..2 on Bt#1.lower\nfigure Adler S 3 on Bt#1.upper\nfigure Bär B 9 at 26.P",
    );
    assert!(says(&lines, "ZIEHE S#3 25>26.P"), "{lines:?}");
}

#[test]
fn an_open_gate_is_shut_before_the_enemy() {
    let lines = script("tower Adler 26 gate W open\nfigure Adler S 1..2 at 26\nfigure Bär S 9..12 at 24");
    assert!(says(&lines, "TOR 26.0-W ZU"), "{lines:?}");
    // Those inside stay inside.
    assert!(!says(&lines, "ZIEHE"), "{lines:?}");
}

#[test]
fn pitch_is_poured_on_those_below_and_ladders_are_thrown_down() {
    let lines =
        script("tower Adler 26 gate W\nfigure Adler S 1 at 26.P\nfigure Adler S 2 at 26\nfigure Bär S 9..11 at 25");
    assert!(says(&lines, "PECH 26.P -> 25"), "{lines:?}");
    let lines = script(
        "tower Adler 26 gate W\nfigure Adler S 1..2 at 26.P\nfigure Bär Le 1 at 25\nleans Le#1 O\nfigure Bär SC 9 on Le#1\nfigure Bär S 10 at 24",
    );
    assert!(
        says(&lines, "LEITER STUERZE Le#1") || says(&lines, "ANGRIFF") || says(&lines, "PECH 26.P -> 25"),
        "{lines:?}"
    );
}

#[test]
fn bows_climb_to_the_platform_of_their_tower() {
    let state =
        turn("tower Adler 26 gate W\nfigure Adler B 1..2 at 26\nfigure Adler S 1 at 26\nfigure Bär S 9..12 at 23");
    let spot = |number: u16| {
        let id = state
            .position
            .find(Kind::from_code("B").expect("a kind"), number)
            .expect("a figure");
        state.position.figure(id).map(|figure| figure.place)
    };
    assert!(
        matches!(spot(1), Some(Place::At(spot)) if spot.level == 1),
        "{:?}",
        spot(1)
    );
}

#[test]
fn bows_stay_behind_those_who_fight() {
    let state = turn("figure Adler L 1..2 at 24\nfigure Adler B 1..2 at 24\nfigure Bär S 9..12 at 30");
    let lances = [1, 2].map(|lance| fields(&state, ("L", lance), ("S", 9)));
    for bow in [1, 2] {
        let far = fields(&state, ("B", bow), ("S", 9));
        assert!(
            lances.iter().any(|near| *near < far),
            "bow {bow}: {far}, lances {lances:?}"
        );
    }
}

#[test]
fn a_river_is_crossed_at_its_bridge() {
    // A river between rows 4 and 5 from 31 to 37; a bridge only between 26 and 33. Through the water it takes a whole turn.
    let river =
        "river 23-31 24-31 24-32 25-32 25-33 26-33 26-34 27-34 27-35 28-35 28-36 29-36 29-37 30-37\nbridge 26-33\n";
    let state = turn(&format!("{river}figure Adler S 1 at 25\nfigure Bär S 9 at 46"));
    assert_eq!(field(&state, "S", 1), "33");
}

#[test]
fn nobody_goes_through_a_swamp_if_there_is_a_way_around() {
    let state =
        turn("field 26 swamp 25 swamp 27 swamp\nfigure Adler S 1..4 at 24\nfigure Bär S 9 at 29\ncentre Bär 29 city");
    for number in 1..=4 {
        let at = field(&state, "S", number);
        assert!(
            !["25", "26", "27"].contains(&at.as_str()),
            "S#{number} in the swamp at {at}"
        );
    }
}

#[test]
fn a_side_that_has_won_does_not_leave_its_hill() {
    // The city is Adler's: as long as nobody takes it he need not come down.
    let state = turn("field 26 highland\ncentre Adler 26 city\nfigure Adler LB 1..2 at 26\nfigure Bär SC 9..12 at 30");
    for number in 1..=2 {
        assert_eq!(field(&state, "LB", number), "26");
    }
}

#[test]
fn a_stronger_crew_comes_alongside() {
    let state = turn(
        "fill water\nwind O fresh\nfigure Adler LS 1 at 24 facing O\nfigure Adler SC 1..3 on LS#1.bow\nfigure Adler SC 4..6 on LS#1.stern\n\
         figure Bär LS 9 at 29 facing W\nfigure Bär S 9..11 on LS#9.bow",
    );
    let (tables, _) = made("figure Adler S 1 at 1\nfigure Bär S 2 at 48");
    let find = |number: u16| state.position.find(Kind::Longship, number).expect("a ship");
    let scene = armageddon::battle::Scene {
        tables: &tables,
        position: &state.position,
        secret: None,
    };
    assert!(ships::can_board(scene, find(1), find(9)));
}

#[test]
fn a_castle_that_is_shut_in_is_besieged() {
    let lines = script(
        "tower Bär 26 gate W\nfigure Adler S 1..4 at 24\nfigure Adler S 5..8 at 17\nfigure Bär S 9..10 at 26\nfigure Bär B 9 at 26.P",
    );
    assert!(says(&lines, "BELAGERE 26"), "{lines:?}");
}

#[test]
fn a_spell_helps_where_it_is_worth_its_units() {
    let lines = script(
        "units Adler 30\nfigure Adler Z 1 at ^25\nfigure Adler SC 1..4 at 26\nfigure Bär SC 9..12 at 27\nfigure Bär SC 13..16 at 28",
    );
    assert!(says(&lines, "ZAUBER"), "{lines:?}");
    // Nobody is near: nothing is wasted.
    let lines = script("units Adler 30\nfigure Adler Z 1 at ^25\nfigure Adler S 1 at 1\nfigure Bär S 9 at 48");
    assert!(!says(&lines, "ZAUBER"), "{lines:?}");
}

#[test]
fn four_equal_men_before_the_enemy_close_their_ranks() {
    // 3 points more for each of them, whoever strikes.
    let lines = script("figure Adler LB 1..4 at 26\nfigure Bär SB 9..12 at 27\nfigure Bär SB 13..16 at 28");
    // The enemy on 27 stands before its front, as the blows show.
    assert!(says(&lines, "PHALANX 26 "), "{lines:?}");
    assert!(says(&lines, "ANGRIFF LB#"), "{lines:?}");
    // Nobody is near: as a phalanx they would only be slow.
    let lines = script("figure Adler LB 1..4 at 23\nfigure Bär SB 9..12 at 30");
    assert!(!says(&lines, "PHALANX"), "{lines:?}");
    // Unequal men cannot.
    let lines = script("figure Adler LB 1..3 at 26\nfigure Adler SB 4 at 26\nfigure Bär SB 9..12 at 27");
    assert!(!says(&lines, "PHALANX"), "{lines:?}");
}

#[test]
fn a_phalanx_steps_ahead_and_strikes_with_its_weight() {
    // Each of the four on 27 falls where the one throw of 12 or more beats his: 8 points against none, and nobody of the phalanx can fall.
    let lines = script("figure Adler LC 1..4 at 25\nfigure Bär SC 9..12 at 27\nfigure Bär SC 13..16 at 28");
    assert!(says(&lines, "PHALANX 25 O"), "{lines:?}");
    assert!(says(&lines, "WUCHT 26 -> 27"), "{lines:?}");
}

#[test]
fn a_phalanx_that_nobody_threatens_opens_its_ranks() {
    let lines = script("figure Adler LB 1..4 at 23\nphalanx 23 O\nfigure Bär SB 9..12 at 30");
    assert!(says(&lines, "PHALANX 23 AUF"), "{lines:?}");
    assert!(says(&lines, "ZIEHE LB#"), "{lines:?}");
}

#[test]
fn a_quadriga_drives_at_the_enemy() {
    let team = "figure Adler QuW 1 at 23 facing O\nfigure Adler QsP 1..4 at 24\nheld QsP#1 by QuW#1\nheld QsP#2 by QuW#1\nheld QsP#3 by QuW#1\nheld QsP#4 by QuW#1\n";
    let state = turn(&format!("{team}figure Adler S 1 on QuW#1\nfigure Bär S 9..12 at 30"));
    let far = fields(&state, ("QuW", 1), ("S", 9));
    assert!(far < 7, "still {far} fields away");
    // Four men who can hardly hurt a heavy team stand in its way.
    let lines = script(&format!("{team}figure Adler S 1 on QuW#1\nfigure Bär S 9..12 at 25"));
    assert!(
        says(&lines, "ZIEHE QuW#1 23>25") || says(&lines, "ZIEHE QuW#1 24>25"),
        "{lines:?}"
    );
    // Somebody beside it climbs a wagon that nobody drives.
    let lines = script(&format!("{team}figure Adler S 1 at 31\nfigure Bär S 9..12 at 30"));
    assert!(says(&lines, "AUFSTEIGEN S#1"), "{lines:?}");
}

#[test]
fn a_river_in_the_way_of_many_is_dried_up_by_magic() {
    let river = "river 23-31 24-31 24-32 25-32 25-33 26-33 26-34 27-34 27-35 28-35 28-36 29-36 29-37 30-37\n";
    let men = "figure Adler S 1..4 at 25\nfigure Adler S 5..8 at 26\nfigure Bär S 9..12 at 46\nfigure Bär S 13..16 at 47\nfigure Bär S 17..20 at 45\nunits Adler 30\nfigure Adler Z 1 at ^25\n";
    let lines = script(&format!("{river}{men}"));
    assert!(says(&lines, "ZAUBER FLUSSAUSTROCKNEN"), "{lines:?}");
    // One man alone swims.
    let lines = script(&format!(
        "{river}figure Adler S 1 at 25\nfigure Bär S 9..12 at 46\nunits Adler 30\nfigure Adler Z 1 at ^25"
    ));
    assert!(!says(&lines, "ZAUBER"), "{lines:?}");
}

#[test]
fn a_wizard_without_units_challenges_the_other_and_one_with_units_does_not() {
    let men = "figure Adler S 1 at 1\nfigure Bär S 9 at 48\nfigure Adler Z 1 at ^23\nfigure Bär Z 9 at ^30\n";
    let lines = script(&format!("{men}units Adler 0"));
    assert!(says(&lines, "DUELL Z#1 -> Z#9"), "{lines:?}");
    let lines = script(&format!("{men}units Adler 30"));
    assert!(!says(&lines, "DUELL"), "{lines:?}");
}

#[test]
fn a_king_in_danger_is_turned_to_stone_when_the_turn_ends() {
    // Eight men of class C can fall upon him: as a stone he cannot be struck.
    let king = "units Adler 90\nfigure Adler Z 1 at ^1\nfigure Adler Kö 1 at 26\n";
    let lines = script(&format!("{king}figure Bär SC 9..12 at 28\nfigure Bär SC 13..16 at 29"));
    assert!(says(&lines, "ZAUBER VERSTEINERN 26"), "{lines:?}");
    // Nobody can reach him: nothing is wasted.
    let lines = script(&format!("{king}figure Bär SC 9..12 at 48"));
    assert!(!says(&lines, "ZAUBER"), "{lines:?}");
}

#[test]
fn a_river_before_those_who_want_to_cross_is_flooded_by_who_is_ahead() {
    let river = "river 23-31 24-31 24-32 25-32 25-33 26-33 26-34 27-34 27-35 28-35 28-36 29-36 29-37 30-37\nbridge 25-33\norder Bär Adler\nround 12\nturn Adler\n";
    let men = "figure Adler S 1..2 at 17\nfigure Adler Z 1 at ^1\nunits Adler 5\nfigure Bär L 9..12 at 33\nfigure Bär L 13..16 at 32\n";
    let lines = script(&format!("{river}{men}centre Adler 17 city"));
    assert!(says(&lines, "ZAUBER FLUSSUEBERSCHWEMMEN"), "{lines:?}");
    // Who is behind has to cross himself.
    let lines = script(&format!("{river}{men}centre Bär 47 city"));
    assert!(!says(&lines, "ZAUBER FLUSSUEBERSCHWEMMEN"), "{lines:?}");
    // Two men are not worth it.
    let few = "figure Adler S 1..2 at 17\nfigure Adler Z 1 at ^1\nunits Adler 5\nfigure Bär L 9..10 at 33\n";
    let lines = script(&format!("{river}{few}centre Adler 17 city"));
    assert!(!says(&lines, "ZAUBER FLUSSUEBERSCHWEMMEN"), "{lines:?}");
}

#[test]
fn a_ship_that_lies_against_the_wind_gets_one_of_its_own() {
    // Against a fresh wind a sailing ship goes 2 fields, with one of its own 6.
    let sea = "field 23-30 water 31-37 water\nfigure Adler SS 1 at 24 facing O\nfigure Adler S 1..4 on SS#1\nfigure Bär LS 9 at 29 facing W\nfigure Bär S 9 on LS#9\nfigure Adler Z 1 at ^1\nunits Adler 30\n";
    let lines = script(&format!("{sea}order Bär Adler\nround 2\nturn Adler\nwind W fresh"));
    assert!(says(&lines, "ZAUBER LOKALERWIND 24 NACH 25"), "{lines:?}");
    let lines = script(&format!("{sea}order Bär Adler\nround 2\nturn Adler\nwind O fresh"));
    assert!(!says(&lines, "ZAUBER LOKALERWIND"), "{lines:?}");
}

#[test]
fn enemy_riders_are_driven_off_a_trade_centre() {
    let men = "centre Bär 26 city\nfigure Bär lP 9 at 26\nfigure Bär S 9 on lP#9\nfigure Bär S 10 at 48\nfigure Adler LC 1..2 at 25\nfigure Adler Z 1 at ^1\nunits Adler 30\n";
    let lines = script(men);
    assert!(says(&lines, "ZAUBER TIEREBEWEGEN 26 NACH"), "{lines:?}");
    // A man on foot holds it as well: the animals alone are not worth a spell.
    let lines = script(&format!("{men}figure Bär S 11 at 26"));
    assert!(!says(&lines, "ZAUBER TIEREBEWEGEN"), "{lines:?}");
}

#[test]
fn a_fable_creature_is_led_against_the_enemy() {
    // Four champions are worth 16 arms units; 3 of 8 do not survive the rider of darkness, who costs 15 spell units a field.
    let men = "figure Adler L 1 at 1\nfigure Adler Z 1 at ^1\nunits Adler 30\nfigure 0 Rdf 1 at 29\nfigure Bär SB 9..12 at 30\norder Bär Adler\nround 2\nturn Adler\n";
    let lines = script(men);
    assert!(says(&lines, "ZAUBER FABELWESENBEWEGEN 29 NACH 30"), "{lines:?}");
    // Never against the own.
    let lines = script(
        "figure Adler SB 1..4 at 30\nfigure Adler Z 1 at ^1\nunits Adler 30\nfigure 0 Rdf 1 at 29\nfigure Bär S 9 at 1\n",
    );
    assert!(!says(&lines, "ZAUBER FABELWESENBEWEGEN"), "{lines:?}");
}
