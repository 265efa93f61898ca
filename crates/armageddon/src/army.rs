//! Army lists (*Rüstlisten*): how many figures of which kind, and what they cost in arms units (*Rüsteinheiten*, RE).
//!
//! The editor of set-ups buys an army by points, checks it, and puts it on the board; a list is written `4LB, 2sP, 1On`.

use crate::board::{Cell, Spot};
use crate::deed::Refusal;
use crate::kinds::{Family, Kind};
use crate::melee;
use crate::room::{self, Room};
use crate::rule;
use crate::state::{FIGURES_MAX, Figure, Place, Position, State};
use crate::tables::Tables;
use crate::water;
use kernel::hex::Direction;
use kernel::realm::RealmId;
use std::collections::BTreeMap;
use std::fmt;

/// Figures by kind.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Army(pub BTreeMap<Kind, u16>);

impl fmt::Display for Army {
    /// `4LB, 2sP, 1On`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let entries: Vec<String> = self.0.iter().map(|(kind, count)| format!("{count}{kind}")).collect();
        f.write_str(&entries.join(", "))
    }
}

impl Army {
    /// Reads a list: entries parted by commas or lines, the number first, one if there is none; `#` begins a comment.
    ///
    /// # Errors
    /// Every entry that names no kind of figure, and numbers beyond what a battle holds.
    pub fn read(text: &str) -> Result<Self, Vec<Refusal>> {
        let mut army = Self::default();
        let mut faults = Vec::new();
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default());
        for entry in lines.flat_map(|line| line.split([',', ';'])) {
            let entry = entry.trim();
            if entry.is_empty() {
                continue;
            }
            let letters = entry
                .find(|letter: char| !letter.is_ascii_digit())
                .unwrap_or(entry.len());
            let (count, code) = entry.split_at(letters);
            let count = if count.is_empty() {
                Some(1)
            } else {
                count.parse::<u16>().ok()
            };
            let kind = Kind::from_code(code.trim());
            match (count, kind) {
                (Some(count), Some(kind)) if usize::from(count) <= FIGURES_MAX => {
                    let sum = army.0.entry(kind).or_default();
                    *sum = sum.saturating_add(count);
                }
                _ => faults.push(Refusal::new("army-entry", &[rule::GAP_44][..]).with("found", entry)),
            }
        }
        army.0.retain(|_, count| *count > 0);
        if faults.is_empty() { Ok(army) } else { Err(faults) }
    }

    /// The figures that a player has on the board.
    pub fn of(position: &Position, player: RealmId) -> Self {
        let mut army = Self::default();
        for (_, figure) in position.present().filter(|(_, figure)| figure.owner == player) {
            *army.0.entry(figure.kind).or_default() += 1;
        }
        army
    }

    /// What it costs.
    pub fn price(&self, tables: &Tables) -> i64 {
        let one = |(kind, count): (&Kind, &u16)| tables.figure(*kind).price.saturating_mul(i64::from(*count));
        self.0.iter().map(one).sum()
    }

    /// How many figures it has.
    pub fn size(&self) -> usize {
        self.0.values().map(|count| usize::from(*count)).sum()
    }

    fn count(&self, fits: impl Fn(Kind) -> bool) -> i64 {
        let fitting = self.0.iter().filter(|(kind, _)| fits(**kind));
        fitting.map(|(_, count)| i64::from(*count)).sum()
    }

    /// What is wrong with it, for a player who may spend so much.
    pub fn review(&self, tables: &Tables, budget: Option<i64>) -> Vec<Refusal> {
        let mut findings = Vec::new();
        let price = self.price(tables);
        if let Some(budget) = budget.filter(|budget| price > *budget) {
            let refusal = Refusal::new("army-too-dear", &[rule::GAP_44][..]);
            findings.push(refusal.with("price", price).with("budget", budget));
        }
        if self.count(Kind::is_warrior) == 0 {
            findings.push(Refusal::new("army-unarmed", &[rule::GAP_44][..]));
        }
        let wizards = self.count(|kind| kind == Kind::Wizard);
        if wizards > 1 {
            findings.push(Refusal::new("army-wizards", &[rule::GAP_34][..]).with("found", wizards));
        }
        let creatures = self.count(|kind| kind.family() == Family::Creature);
        if creatures > 0 {
            findings.push(Refusal::new("army-creatures", &[rule::GAP_31][..]).with("found", creatures));
        }
        let (wagons, horses) = (
            self.count(|kind| kind == Kind::Wagon),
            self.count(|kind| kind.family() == Family::Team),
        );
        if wagons > horses {
            findings.push(Refusal::new("army-no-team", &[rule::GAP_21][..]).with("found", horses));
        }
        if self.size() > FIGURES_MAX {
            findings.push(Refusal::new("army-too-large", &[rule::GAP_44][..]).with("max", int(FIGURES_MAX)));
        }
        findings
    }

    /// Puts it on the board, on these fields in their order, each figure where it finds room: what fills a field first, people last.
    /// Numbers go on behind those that are there. Returns what found no place.
    pub fn deploy(&self, tables: &Tables, state: &mut State, player: RealmId, fields: &[Cell]) -> Self {
        let mut rest = Self::default();
        let spots: Vec<Spot> = fields.iter().copied().map(Spot::ground).collect();
        let mut kinds: Vec<(u8, Kind, u16)> = self
            .0
            .iter()
            .map(|(kind, count)| (rank(tables, *kind), *kind, *count))
            .collect();
        kinds.sort_unstable();
        for (_, kind, count) in kinds {
            for _ in 0..count {
                if !put(tables, state, player, kind, &spots) {
                    *rest.0.entry(kind).or_default() += 1;
                }
            }
        }
        rest
    }

    /// KAL-WGAP-05: stands unprepared in and around a trade centre. Shooters take the highest platform, then the storeys; devices the field and
    /// those beside it; the others the field and ring after ring, melee before the shooters who are left; a wizard hovers above, ships lie on the
    /// nearest water. Returns what found no place.
    pub fn garrison(&self, tables: &Tables, state: &mut State, player: RealmId, centre: Cell) -> Self {
        let board = &state.position.board;
        let mut rings: Vec<Cell> = board.all().collect();
        rings.sort_by_key(|cell| (board.distance(centre, *cell), *cell));
        let levels = board.building(centre).map_or(1, |building| building.levels(tables));
        let house: Vec<Spot> = (0..levels).map(|level| Spot { cell: centre, level }).collect();
        let upstairs: Vec<Spot> = house.iter().rev().copied().filter(|_| levels > 1).collect();
        let around: Vec<Spot> = rings
            .iter()
            .filter(|cell| **cell != centre)
            .map(|cell| Spot::ground(*cell))
            .collect();
        let outward: Vec<Spot> = house.iter().chain(&around).copied().collect();
        let all: Vec<Kind> = self
            .0
            .iter()
            .flat_map(|(kind, count)| std::iter::repeat_n(*kind, usize::from(*count)))
            .collect();
        let shoots = |kind: &Kind| melee::is_shooter(*kind);
        let mut waiting = Vec::new();
        for kind in all.iter().copied().filter(shoots) {
            if !put(tables, state, player, kind, &upstairs) {
                waiting.push(kind);
            }
        }
        let mut others: Vec<(u8, Kind)> = all
            .iter()
            .copied()
            .filter(|kind| !shoots(kind))
            .map(|kind| (turn(kind), kind))
            .collect();
        others.sort_unstable();
        let mut rest = Self::default();
        let ordered = others.into_iter().map(|(_, kind)| kind);
        for kind in ordered.chain(waiting) {
            if !put(tables, state, player, kind, &outward) {
                *rest.0.entry(kind).or_default() += 1;
            }
        }
        rest
    }
}

/// When a figure that does not shoot takes its place in a garrison: devices, then people, then animals.
const fn turn(kind: Kind) -> u8 {
    match kind.family() {
        Family::Carried | Family::Shelter | Family::Wagon | Family::Ship | Family::Wizard => 0,
        Family::Warrior => 1,
        Family::Person => 2,
        Family::Horse | Family::Team | Family::Elephant | Family::Creature => 3,
    }
}

fn int(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn rank(tables: &Tables, kind: Kind) -> u8 {
    match kind.family() {
        _ if tables.figure(kind).fills => 0,
        Family::Carried => 1,
        Family::Elephant => 2,
        Family::Horse | Family::Team => 3,
        _ => 4,
    }
}

/// Puts one figure on the first of these places that has room for it.
fn put(tables: &Tables, state: &mut State, player: RealmId, kind: Kind, spots: &[Spot]) -> bool {
    let position = &state.position;
    if position.figures.len() >= FIGURES_MAX {
        return false;
    }
    let found = spots.iter().find_map(|spot| place_for(tables, position, kind, *spot));
    let Some((place, facing)) = found else { return false };
    let of_kind = position.figures.iter().filter(|figure| figure.kind == kind);
    let Some(number) = of_kind.map(|figure| figure.number).max().unwrap_or(0).checked_add(1) else {
        return false;
    };
    let mut figure = Figure::new(kind, number, player, place);
    figure.facing = facing;
    if kind == Kind::King {
        figure.lives = crate::setup::KING_LIVES;
    }
    state.position.figures.push(figure);
    true
}

fn place_for(tables: &Tables, position: &Position, kind: Kind, spot: Spot) -> Option<(Place, Option<Direction>)> {
    let cell = spot.cell;
    // Only people climb stairs.
    if spot.level > 0 && !kind.is_person() {
        return None;
    }
    let ground = position.board.ground(cell)?;
    if kind == Kind::Wizard {
        return Some((Place::Above(cell), None));
    }
    let free = |cell: Cell| {
        let spot = Spot::ground(cell);
        room::filler(tables, position, spot).is_none() && room::used(tables, position, Room::Spot(spot)) == 0
    };
    if kind.family() == Family::Ship {
        let afloat = |cell: Cell| water::is_open(position, cell) && free(cell);
        let stern = |facing: &Direction| {
            let behind = position.board.neighbour(cell, facing.opposite());
            kind == Kind::Raft || behind.is_some_and(afloat)
        };
        let facing = Direction::ALL.into_iter().find(stern).filter(|_| afloat(cell))?;
        return Some((Place::At(spot), Some(facing)));
    }
    let built = ground.building.is_some() || ground.stream_bridge.is_some();
    if !built && room::may_stay(tables, kind, ground.terrain).is_err() {
        return None;
    }
    let fits = if tables.figure(kind).fills {
        free(cell) && !built
    } else {
        room::free(tables, position, Room::Spot(spot)) >= i64::from(tables.figure(kind).room)
    };
    let facing = tables.figure(kind).faces.then_some(Direction::East);
    fits.then_some((Place::At(spot), facing))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::{Class, Weapon};
    use crate::setup::{build, read_lines};

    const LANCE: Kind = Kind::Warrior(Weapon::Lance, Class::B);

    #[test]
    fn a_list_is_read_and_written() {
        let army = Army::read("4LB, 2 sP\nOn # the big one\n3LB").expect("a list");
        assert_eq!(army.0.get(&LANCE), Some(&7));
        assert_eq!(army.0.get(&Kind::HeavyHorse), Some(&2));
        assert_eq!(army.0.get(&Kind::Onager), Some(&1));
        assert_eq!(Army::read(&army.to_string()), Ok(army.clone()));
        // ARM prices: 4 for a champion, 2 for a heavy horse, 2 for an onager.
        assert_eq!(army.price(&Tables::book().expect("the book")), 7 * 4 + 2 * 2 + 2);
    }

    #[test]
    fn what_is_no_entry_is_named() {
        let faults = Army::read("4LB, 3XY, 99999S").expect_err("two faults");
        assert_eq!(faults.len(), 2);
        assert!(faults.iter().all(|fault| fault.code == "army-entry"));
    }

    #[test]
    fn an_army_is_reviewed() {
        let tables = Tables::book().expect("the book");
        let codes = |text: &str, budget| -> Vec<&'static str> {
            let army = Army::read(text).expect("a list");
            army.review(&tables, budget).iter().map(|one| one.code).collect()
        };
        assert_eq!(codes("10S", Some(20)), Vec::<&str>::new());
        assert_eq!(codes("10S", Some(19)), ["army-too-dear"]);
        assert_eq!(codes("3On", None), ["army-unarmed"]);
        assert_eq!(codes("1S, 2Z", None), ["army-wizards"]);
        assert_eq!(codes("1S, 1QuW", None), ["army-no-team"]);
        assert_eq!(codes("1S, 1QuW, 1QlP", None), Vec::<&str>::new());
        assert_eq!(codes("1S, 1Dra", None), ["army-creatures"]);
    }

    #[test]
    fn an_unprepared_army_stands_in_and_around_the_trade_centre() {
        let tables = Tables::book().expect("the book");
        let setup = "field 12 swamp 20 water\ntower Bär 19 gate O\ncentre Bär 19 city\n\
            garrison Bär 19 5B, 6S, On, FS, lP, Z, K\nfigure Adler S 99 at 48";
        let state = build(&tables, "", &read_lines(setup)).expect("a battle");
        let at = |name: &str| {
            let found = state.position.figures.iter().find(|figure| figure.to_string() == name);
            let place = found.map(|figure| figure.place).expect(name);
            crate::event::place_word(&tables, &state.position, place)
        };
        // KAL-WGAP-05: four archers on the platform, the fifth inside, above all the wizard; the onager and two swords fill the ground storey, two swords the
        // swamp of field 12, the next ring by ring, then the merchant and the horse; the raft lies on the nearest water.
        assert_eq!(
            [at("B#1"), at("B#4"), at("B#5"), at("Z#1")],
            ["19.P", "19.P", "19.0", "^19"]
        );
        assert_eq!([at("On#1"), at("S#1"), at("S#2")], ["19.0", "19.0", "19.0"]);
        assert_eq!([at("S#3"), at("S#4"), at("S#5"), at("S#6")], ["12", "12", "13", "13"]);
        assert_eq!([at("K#1"), at("lP#1"), at("FS#1")], ["13", "13", "20"]);
        assert_eq!(room::crowded(&tables, &state.position), []);
        let crowd = read_lines("tower Bär 19\ngarrison Bär 19 600S");
        assert!(build(&tables, "", &crowd).is_err());
    }

    #[test]
    fn an_army_is_deployed_where_there_is_room() {
        let tables = Tables::book().expect("the book");
        let setup = "field 2 swamp 3 water 4 water\nfigure Adler S 1..3 at 1\nfigure Bär S 9 at 48";
        let mut state = build(&tables, "", &read_lines(setup)).expect("a battle");
        let army = Army::read("5S, 1LS, 1Bt, 1Z").expect("a list");
        let fields = [Cell(0), Cell(1), Cell(2), Cell(3)];
        let rest = army.deploy(&tables, &mut state, RealmId(1), &fields);
        // One sword finds room on 1, two in the swamp, the longship lies on 4 and 3, the siege tower nowhere.
        assert_eq!(rest.to_string(), "2S, 1Bt");
        assert_eq!(room::crowded(&tables, &state.position), []);
        assert!(state.position.figures.iter().all(|figure| figure.number > 0));
    }
}
