//! The hovering wizard (ARM-0.4.5, ARM-0.4.18 to 0.4.20, ARM-0.4.32, ARM-GAP-34, ARM-GAP-35): where he may be, and whose buildings he may
//! transfer figures onto and out of.

use crate::battle::Scene;
use crate::board::Cell;
use crate::deed::Refusal;
use crate::kinds::{Kind, Terrain};
use crate::majority;
use crate::rule;
use crate::state::{Figure, FigureId, Place, Position};
use kernel::realm::RealmId;
use kernel::rule::RuleId;

/// Whether a figure hovers.
pub fn hovers(position: &Position, id: FigureId) -> bool {
    position
        .figure(id)
        .is_some_and(|figure| figure.kind == Kind::Wizard && matches!(figure.place, Place::Above(_)))
}

/// The figures inside a building, from its foundation to its platform (ARM-0.4.80).
pub fn inside(position: &Position, cell: Cell) -> impl Iterator<Item = (FigureId, &Figure)> {
    position
        .present()
        .filter(move |(id, figure)| !matches!(figure.place, Place::Above(_)) && position.cell_of(*id) == Some(cell))
}

/// Whether an enemy warrior is inside.
fn enemy_inside(position: &Position, player: RealmId, cell: Cell) -> bool {
    inside(position, cell).any(|(_, figure)| figure.kind.is_warrior() && position.hostile(player, figure.owner))
}

/// KAL-WGAP-25: water that neither flows nor lies at a shore, without a ship on it.
fn is_open_sea(position: &Position, cell: Cell) -> bool {
    let water = |cell: Cell| {
        let ground = position.board.ground(cell);
        ground.is_some_and(|ground| ground.terrain == Terrain::Water)
    };
    let flows = position.board.ground(cell).is_some_and(|ground| ground.flow.is_some());
    water(cell)
        && !flows
        && position.board.neighbours(cell).all(|(_, next)| water(next))
        && crate::water::ship_on(position, cell).is_none()
}

/// ARM-0.4.18, ARM-0.4.20: over own buildings always, over foreign ones only if no enemy warrior is inside. Over any terrain (ARM-GAP-34).
///
/// # Errors
/// The refusal.
pub fn may_hover(scene: Scene<'_>, player: RealmId, cell: Cell) -> Result<&'static [RuleId], Refusal> {
    if !scene.tables.wizard.over_open_sea && is_open_sea(scene.position, cell) {
        let rules = &[rule::KAL_19_3_1_2, rule::KAL_WGAP_25][..];
        return Err(Refusal::new("open-sea", rules).with("field", scene.position.board.name(cell)));
    }
    match scene.position.board.building(cell) {
        None => Ok(&[rule::R0_4_5, rule::GAP_34]),
        // It stays his whoever is inside.
        Some(building) if building.owner == player => Ok(&[rule::R0_4_5, rule::GAP_34, rule::R0_4_17, rule::R0_4_18]),
        Some(_) if enemy_inside(scene.position, player, cell) => {
            Err(Refusal::new("building-guarded", &[rule::R0_4_20][..]).with("field", scene.position.board.name(cell)))
        }
        Some(_) => Ok(&[rule::R0_4_5, rule::GAP_34, rule::R0_4_20]),
    }
}

/// Whether a player has the majority among those inside: he with his allies and at least one warrior of his own (ARM-0.4.20 c), or an ally
/// inside permits it to him (ARM-0.4.20 d).
fn has_majority<'a>(scene: Scene<'a>, player: RealmId, there: &[&'a Figure], owner: Option<RealmId>) -> bool {
    let position = scene.position;
    let Some(holder) = side_with_most(scene, there, owner) else {
        return false;
    };
    if !position.allied(holder, player) {
        return false;
    }
    let warriors = || {
        there
            .iter()
            .filter(|figure| figure.kind.is_warrior() && figure.is_able())
    };
    warriors().any(|figure| figure.owner == player)
        || warriors().any(|figure| {
            let ally = position.players.get(&figure.owner);
            position.allied(figure.owner, player) && ally.is_some_and(|ally| ally.permits.contains(&player))
        })
}

/// Somebody of the side with the most able warriors; nobody if two sides are equal (ARM-0.4.37).
fn side_with_most(scene: Scene<'_>, there: &[&Figure], owner: Option<RealmId>) -> Option<RealmId> {
    let holder = majority::among(scene.tables, scene.position, there.iter().copied(), owner);
    // Two allies with equal numbers have the majority together, whichever of them would decide alone.
    holder.or_else(|| {
        let able = |figure: &&&Figure| figure.kind.is_warrior() && figure.is_able();
        let one = there.iter().find(able)?.owner;
        let together = there
            .iter()
            .filter(able)
            .all(|figure| scene.position.allied(one, figure.owner));
        together.then_some(one)
    })
}

/// ARM-0.4.19, ARM-0.4.20, ARM-0.4.32, ARM-GAP-35: whether a player's wizard may transfer figures onto the platform of a building, or out of it.
///
/// # Errors
/// The refusal.
pub fn may_transfer(scene: Scene<'_>, player: RealmId, cell: Cell, onto: bool) -> Result<&'static [RuleId], Refusal> {
    let position = scene.position;
    let Some(building) = position.board.building(cell) else {
        return Ok(&[]);
    };
    let refuse = |code: &'static str, rules: &'static [RuleId]| {
        Err(Refusal::new(code, rules).with("field", position.board.name(cell)))
    };
    let there: Vec<&Figure> = inside(position, cell).map(|(_, figure)| figure).collect();
    let empty = !there.iter().any(|figure| figure.kind.is_warrior());
    if building.owner == player {
        if !onto {
            return Ok(&[rule::R0_4_19]);
        }
        if empty {
            return Ok(&[rule::R0_4_19, rule::GAP_35]);
        }
        let undecided = side_with_most(scene, &there, Some(player)).is_none();
        if has_majority(scene, player, &there, Some(player))
            || (undecided && !scene.tables.wizard.transfer_needs_majority)
        {
            return Ok(&[rule::R0_4_19, rule::R0_4_32]);
        }
        return refuse(
            "no-majority-inside",
            &[rule::R0_4_19, rule::R0_4_32, rule::R0_4_37, rule::GAP_35],
        );
    }
    let permitted = position
        .players
        .get(&building.owner)
        .is_some_and(|owner| owner.permits.contains(&player));
    if permitted || empty {
        return Ok(&[rule::R0_4_20]);
    }
    if enemy_inside(position, player, cell) {
        return refuse("enemies-inside", &[rule::R0_4_20]);
    }
    if has_majority(scene, player, &there, Some(building.owner)) {
        return Ok(&[rule::R0_4_20, rule::R0_4_32, rule::R0_4_36]);
    }
    refuse("transfer-not-permitted", &[rule::R0_4_20, rule::R0_4_32])
}

/// ARM-0.4.34: who decides whether figures may be transferred onto a ship: the majority aboard; anybody onto an empty one.
///
/// # Errors
/// The refusal.
pub fn may_board(scene: Scene<'_>, player: RealmId, ship: FigureId) -> Result<&'static [RuleId], Refusal> {
    let position = scene.position;
    let there: Vec<&Figure> = position.crew(ship).map(|(_, figure)| figure).collect();
    let empty = !there.iter().any(|figure| figure.kind.is_warrior());
    let owner = position.figure(ship).map(|figure| figure.owner);
    if empty || has_majority(scene, player, &there, owner) {
        return Ok(&[rule::R0_4_34]);
    }
    Err(Refusal::new("no-majority-aboard", &[rule::R0_4_34, rule::R0_4_37][..]).with("ship", position.name(ship)))
}
