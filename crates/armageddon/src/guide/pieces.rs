//! Figures as pieces of a board that is played by clicks.

use crate::battle::Scene;
use crate::kinds::{Class, Family, Kind, Part, Spell, Weapon};
use crate::movement;
use crate::state::{Figure, FigureId, Place, Position};
use kernel::board::{Piece, Shape};
use kernel::diagnostic::Name;
use kernel::hex::Direction;
use kernel::map::Side;

/// The name of a kind among the pieces: of its wording under `[piece]` and of its drawing.
pub(super) const fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Warrior(Weapon::Axe, Class::A) => "axe-a",
        Kind::Warrior(Weapon::Axe, Class::B) => "axe-b",
        Kind::Warrior(Weapon::Axe, Class::C) => "axe-c",
        Kind::Warrior(Weapon::Lance, Class::A) => "lance-a",
        Kind::Warrior(Weapon::Lance, Class::B) => "lance-b",
        Kind::Warrior(Weapon::Lance, Class::C) => "lance-c",
        Kind::Warrior(Weapon::Sword, Class::A) => "sword-a",
        Kind::Warrior(Weapon::Sword, Class::B) => "sword-b",
        Kind::Warrior(Weapon::Sword, Class::C) => "sword-c",
        Kind::Warrior(Weapon::Bow, Class::A) => "bow-a",
        Kind::Warrior(Weapon::Bow, Class::B) => "bow-b",
        Kind::Warrior(Weapon::Bow, Class::C) => "bow-c",
        Kind::King => "king",
        Kind::Priest => "priest",
        Kind::Merchant => "merchant",
        Kind::Agent => "agent",
        Kind::Mystic => "mystic",
        Kind::Slave => "slave",
        Kind::Wizard => "wizard",
        Kind::LightHorse => "light-horse",
        Kind::HeavyHorse => "heavy-horse",
        Kind::QuadrigaLight => "light-team",
        Kind::QuadrigaHeavy => "heavy-team",
        Kind::Elephant => "elephant",
        Kind::Mammoth => "mammoth",
        Kind::Onager => "onager",
        Kind::Ladder => "ladder",
        Kind::Rope => "rope",
        Kind::Ram => "ram",
        Kind::Turtle => "turtle",
        Kind::SiegeTower => "siege-tower",
        Kind::Wagon => "wagon",
        Kind::Longship => "longship",
        Kind::SailingShip => "sailing-ship",
        Kind::Raft => "raft",
        Kind::Dragon => "dragon",
        Kind::Griffin => "griffin",
        Kind::Giant => "giant",
        Kind::SeaSerpent => "sea-serpent",
        Kind::Siren => "siren",
        Kind::Troll => "troll",
        Kind::DarkRider => "dark-rider",
    }
}

/// How a kind is drawn.
const fn shape(kind: Kind) -> Shape {
    match kind {
        Kind::Warrior(Weapon::Axe, _) => Shape::Axe,
        Kind::Warrior(Weapon::Lance, _) => Shape::Lance,
        Kind::Warrior(Weapon::Sword, _) => Shape::Sword,
        Kind::Warrior(Weapon::Bow, _) => Shape::Bow,
        Kind::King => Shape::King,
        Kind::Priest => Shape::Priest,
        Kind::Merchant => Shape::Merchant,
        Kind::Agent => Shape::Agent,
        Kind::Mystic => Shape::Person,
        Kind::Slave => Shape::Slave,
        Kind::Wizard => Shape::Wizard,
        Kind::LightHorse | Kind::HeavyHorse => Shape::Horse,
        Kind::QuadrigaLight | Kind::QuadrigaHeavy => Shape::Team,
        Kind::Elephant | Kind::Mammoth => Shape::Elephant,
        Kind::Onager => Shape::Catapult,
        Kind::Ladder => Shape::Ladder,
        Kind::Rope => Shape::Rope,
        Kind::Ram => Shape::Ram,
        Kind::Turtle => Shape::Tortoise,
        Kind::SiegeTower => Shape::SiegeTower,
        Kind::Wagon => Shape::Wagon,
        Kind::Longship => Shape::Longship,
        Kind::SailingShip => Shape::SailingShip,
        Kind::Raft => Shape::Raft,
        Kind::Dragon => Shape::Dragon,
        Kind::Griffin => Shape::Griffin,
        Kind::Giant => Shape::Giant,
        Kind::SeaSerpent => Shape::Serpent,
        Kind::Siren => Shape::Siren,
        Kind::Troll => Shape::Troll,
        Kind::DarkRider => Shape::Rider,
    }
}

/// How good a kind is among its like.
const fn rank(kind: Kind) -> u8 {
    match kind {
        Kind::Warrior(_, Class::A) | Kind::LightHorse | Kind::QuadrigaLight => 1,
        Kind::Warrior(_, Class::B) | Kind::HeavyHorse | Kind::QuadrigaHeavy => 2,
        Kind::Warrior(_, Class::C) => 3,
        _ => 0,
    }
}

/// The figure that players write so: `LB#3`.
pub(super) fn named(position: &Position, name: &str) -> Option<FigureId> {
    let (kind, number) = name.trim().split_once('#')?;
    let found = position.find(Kind::from_code(kind)?, number.parse().ok()?)?;
    position
        .figure(found)
        .filter(|figure| figure.is_present())
        .map(|_| found)
}

/// A direction in a picture.
pub(super) fn side(direction: Direction) -> Side {
    Side::ALL.get(direction.index()).copied().unwrap_or(Side::East)
}

/// A figure on the board as a piece; none for one that has left it.
pub(super) fn piece(scene: Scene<'_>, id: FigureId) -> Option<Piece> {
    let position = scene.position;
    let figure = position.figure(id).filter(|figure| figure.is_present())?;
    let spot = position.spot_of(id)?;
    let on = match figure.place {
        Place::On(carrier, _) => Some(position.name(carrier)),
        _ => None,
    };
    let walks = movement::allowance(scene, figure) > 0;
    Some(Piece {
        name: figure.to_string(),
        kind: Name::Borrowed(kind_name(figure.kind)),
        shape: shape(figure.kind),
        rank: rank(figure.kind),
        owner: figure.possessor.is_played().then_some(figure.possessor),
        place: position.board.spot_name(scene.tables, spot),
        on,
        facing: figure.facing.or(figure.leans).map(side),
        steps: walks.then(|| i64::from(movement::steps_left(scene, id))),
        states: states(position, figure),
        can_act: false,
    })
}

/// All pieces of a board.
pub(super) fn pieces(scene: Scene<'_>) -> Vec<Piece> {
    let ids = scene.position.present().map(|(id, _)| id);
    ids.filter_map(|id| piece(scene, id)).collect()
}

/// What is the matter with a figure, as keys of words.
fn states(position: &Position, figure: &Figure) -> Vec<Name> {
    let mut states = Vec::new();
    let mut add = |holds: bool, key: &'static str| {
        if holds {
            states.push(Name::Borrowed(key));
        }
    };
    add(figure.acted, "state-acted");
    add(figure.turned, "state-turned");
    if let Some(on) = figure.spell {
        add(true, spell_state(on.spell));
    }
    add(figure.phalanx.is_some(), "state-phalanx");
    add(figure.engaged, "state-engaged");
    add(figure.mortal, "state-mortal");
    add(figure.learnt > 0, "state-apprentice");
    add(figure.auxiliary, "state-auxiliary");
    add(figure.leans.is_some(), "state-leans");
    add(figure.owner != figure.possessor, "state-lent");
    let held = figure
        .held_by
        .and_then(|by| position.figure(by))
        .map(|by| by.kind.family());
    add(held == Some(Family::Wagon), "state-harnessed");
    add(held.is_some() && held != Some(Family::Wagon), "state-led");
    match figure.place {
        Place::Above(_) => add(true, "state-hovering"),
        Place::Swimming(_) => add(true, "state-swimming"),
        Place::On(_, part) => add(true, part_state(part)),
        _ => {}
    }
    if figure.kind == Kind::King {
        add(
            true,
            match figure.lives {
                0 | 1 => "state-lives-1",
                2 => "state-lives-2",
                3 => "state-lives-3",
                _ => "state-lives-4",
            },
        );
    }
    add(figure.hits > 0, "state-damaged");
    states
}

const fn spell_state(spell: Spell) -> &'static str {
    match spell {
        Spell::Weaken => "state-weakened",
        Spell::Bless => "state-blessed",
        Spell::Fear => "state-frightened",
        Spell::Strengthen => "state-strengthened",
        Spell::MakeInvisible => "state-invisible",
        Spell::Paralyse => "state-paralysed",
        Spell::Petrify => "state-petrified",
        Spell::DoubleSpeed => "state-swift",
        Spell::LocalWind => "state-wind",
        Spell::Protection => "state-protected",
        _ => "state-enchanted",
    }
}

const fn part_state(part: Part) -> &'static str {
    match part {
        Part::Back => "state-on-horse",
        Part::Saddle => "state-on-elephant",
        Part::Wagon => "state-on-wagon",
        Part::Inside => "state-inside",
        Part::Lower => "state-below",
        Part::Upper => "state-on-platform",
        Part::Bow => "state-at-bow",
        Part::Stern => "state-at-stern",
        Part::Rung => "state-climbing",
    }
}
