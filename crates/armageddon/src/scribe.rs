//! From a deed to the line of the script that orders it: for the computer player, for offers that a player picks, for a log that can be played again.

use crate::battle::Scene;
use crate::board::{Spot, direction_code};
use crate::deed::field::Helm;
use crate::deed::fight::Side;
use crate::deed::magic::Aim;
use crate::deed::{Deed, Field, Fight, Magic};
use crate::event::player_word;
use crate::kinds::{Family, Part};
use crate::order::Order;
use crate::script;
use crate::ships;
use crate::standing::player_named;
use crate::state::{FigureId, Place, Position};
use kernel::realm::RealmId;

/// The head of a script.
pub fn head(scene: Scene<'_>, player: RealmId) -> String {
    let name = player_name(scene.position, player);
    format!("RUNDE {} SPIELER {name}", scene.position.clock.round)
}

/// A player as a script can name him: by his name, or by his number if his name cannot be read there or is another's too.
pub fn player_name(position: &Position, player: RealmId) -> String {
    let name = player_word(position, player);
    let line = format!("RUNDE 1 SPIELER {name}");
    let read = script::parse(line.as_bytes()).orders.into_iter().next();
    let comes_back = matches!(
        read.map(|order| order.value),
        Some(Order::Begin { player, .. }) if player.value == name
    );
    if comes_back && player_named(position, &name) == Some(player) {
        name
    } else {
        player.to_string()
    }
}

/// The line of a deed; none for a deed about figures that are not on the board.
pub fn line(scene: Scene<'_>, deed: &Deed) -> Option<String> {
    match deed {
        Deed::Field(deed) => field(scene, deed),
        Deed::Fight(deed) => fight(scene, deed),
        Deed::Magic(deed) => magic(scene, deed),
    }
}

fn name(scene: Scene<'_>, id: FigureId) -> String {
    scene.position.name(id)
}

fn names(scene: Scene<'_>, ids: &[FigureId]) -> String {
    let names: Vec<String> = ids.iter().map(|id| name(scene, *id)).collect();
    names.join(",")
}

/// Where a figure is, as a script names it.
fn here(scene: Scene<'_>, id: FigureId) -> Option<String> {
    scene.position.spot_of(id).map(|at| spot(scene, at))
}

fn spot(scene: Scene<'_>, at: Spot) -> String {
    scene.position.board.spot_name(scene.tables, at)
}

fn side(scene: Scene<'_>, gate: Side) -> String {
    format!("{}-{}", spot(scene, gate.at), direction_code(gate.side))
}

fn field(scene: Scene<'_>, deed: &Field) -> Option<String> {
    let go = |id: FigureId, to: Spot| {
        Some(format!(
            "ZIEHE {} {}>{}",
            name(scene, id),
            here(scene, id)?,
            spot(scene, to)
        ))
    };
    let kind = |id: FigureId| scene.position.figure(id).map(|figure| figure.kind);
    match deed {
        Field::Step { figure, to } | Field::LandFromWater { figure, to } => go(*figure, *to),
        Field::Face { figure, facing } => Some(format!(
            "ZIEHE {} {} FRONT {}",
            name(scene, *figure),
            here(scene, *figure)?,
            direction_code(*facing)
        )),
        Field::Swap { here: mine, there } => Some(format!(
            "TAUSCHE {} {} MIT {} {}",
            names(scene, mine),
            here(scene, *mine.first()?)?,
            names(scene, there),
            here(scene, *there.first()?)?
        )),
        // Onto a ship one goes by its field, which says at which end.
        Field::Board { figure, carrier, part } if kind(*carrier)?.family() == Family::Ship => {
            let to = ships::cell_of_part(scene.position, *carrier, *part)?;
            match scene.position.cell_of(*figure) {
                Some(from) if from != to => go(*figure, Spot::ground(to)),
                _ => Some(format!("AUFSTEIGEN {} {}", name(scene, *figure), name(scene, *carrier))),
            }
        }
        Field::Board { figure, carrier, .. } => {
            let verb = match kind(*carrier)?.family() {
                Family::Horse => "AUFSITZEN",
                _ => "AUFSTEIGEN",
            };
            Some(format!("{verb} {} {}", name(scene, *figure), name(scene, *carrier)))
        }
        Field::Leave { figure, to } => {
            let cell = scene.position.cell_of(*figure)?;
            let on_horse = matches!(scene.position.figure(*figure)?.place, Place::On(_, Part::Back));
            match to.cell == cell {
                true if on_horse => Some(format!("ABSITZEN {}", name(scene, *figure))),
                true => Some(format!("ABSTEIGEN {}", name(scene, *figure))),
                false => go(*figure, *to),
            }
        }
        Field::Lead { animal, by } => {
            let verb = match kind(*animal)?.family() {
                Family::Elephant => "FUEHREN",
                _ => "ZUEGEL",
            };
            match by {
                Some(by) => Some(format!("{verb} {} {}", name(scene, *by), name(scene, *animal))),
                None => {
                    let holder = scene.position.figure(*animal)?.held_by?;
                    Some(format!("{verb} {}", name(scene, holder)))
                }
            }
        }
        Field::Haul { device, bearers, to } => {
            let mut all = vec![*device];
            all.extend(bearers);
            Some(format!(
                "ZIEHE {} {}>{}",
                names(scene, &all),
                here(scene, *device)?,
                spot(scene, *to)
            ))
        }
        Field::March { phalanx, to } => go(*phalanx, *to),
        Field::Drive { wagon, to } => go(*wagon, *to),
        Field::Sail { ship, helm } => {
            let bow = scene.position.cell_of(*ship)?;
            match helm {
                Helm::Ahead(course) => go(*ship, Spot::ground(scene.position.board.neighbour(bow, *course)?)),
                Helm::Turn(facing) => Some(format!(
                    "ZIEHE {} {} FRONT {}",
                    name(scene, *ship),
                    scene.position.board.name(bow),
                    direction_code(*facing)
                )),
            }
        }
        Field::Flee { figure } => Some(format!("FLIEHE {} {}", name(scene, *figure), here(scene, *figure)?)),
        Field::Harness { horse, wagon } => Some(format!("ANSPANNEN {} {}", name(scene, *horse), name(scene, *wagon))),
        Field::Unharness { wagon } => Some(format!("ABSPANNEN {}", name(scene, *wagon))),
        Field::Possess { object } => Some(format!("BESITZ {}", name(scene, *object))),
        Field::Give { object, to } => Some(format!(
            "SCHENKE {} AN {}",
            name(scene, *object),
            player_name(scene.position, *to)
        )),
        Field::Lend { object, to } => Some(format!(
            "LEIHE {} AN {}",
            name(scene, *object),
            player_name(scene.position, *to)
        )),
    }
}

fn fight(scene: Scene<'_>, deed: &Fight) -> Option<String> {
    let cell = |cell| scene.position.board.name(cell);
    Some(match deed {
        Fight::Attack {
            figure,
            support,
            target,
        } => {
            let with = support.map_or_else(String::new, |support| format!(" MIT {}", name(scene, support)));
            format!("ANGRIFF {}{with} -> {}", name(scene, *figure), name(scene, *target))
        }
        Fight::WeightBlow { phalanx, target } => format!("WUCHT {} -> {}", here(scene, *phalanx)?, cell(*target)),
        Fight::Shoot { figure, target } => format!("SCHUSS {} -> {}", name(scene, *figure), name(scene, *target)),
        Fight::Throw {
            onager,
            crew,
            target,
            side: at,
        } => {
            let (onager, crew) = (name(scene, *onager), name(scene, *crew));
            let aim = match at {
                Some(at) => side(scene, Side { at: *target, side: *at }),
                None => spot(scene, *target),
            };
            format!("WURF {onager} {crew} -> {aim}")
        }
        Fight::Pour { figure, target } => format!("PECH {} -> {}", here(scene, *figure)?, cell(*target)),
        Fight::Ram { device, target } => format!("RAMME {} -> {}", name(scene, *device), side(scene, *target)),
        Fight::RamShip { ship, target } => format!("RAMMSTOSS {} -> {}", name(scene, *ship), name(scene, *target)),
        Fight::SetLadder { ladder, against } => format!("LEITER STELLE {} {}", name(scene, *ladder), cell(*against)),
        Fight::Topple { ladder, figure } => {
            format!("LEITER STUERZE {} {}", name(scene, *ladder), here(scene, *figure)?)
        }
        Fight::ThrowRope { rope, against, .. } => format!("SEIL WIRF {} {}", name(scene, *rope), cell(*against)),
        Fight::TieRopes { rope, .. } => format!("SEIL KNOTE {} {}", name(scene, *rope), here(scene, *rope)?),
        Fight::CutRope { rope, figure } => format!("SEIL KAPPE {} {}", name(scene, *rope), here(scene, *figure)?),
        Fight::Destroy { device, .. } => format!("ZERSTOERE {}", name(scene, *device)),
        Fight::Gate { gate, open } => format!("TOR {} {}", side(scene, *gate), if *open { "AUF" } else { "ZU" }),
        Fight::Loophole { figure, side } => format!("SCHARTE {} {}", name(scene, *figure), direction_code(*side)),
        Fight::Besiege { castle } => format!("BELAGERE {}", cell(*castle)),
        Fight::FormPhalanx { members, front } => {
            format!("PHALANX {} {}", here(scene, *members.first()?)?, direction_code(*front))
        }
        Fight::DissolvePhalanx { phalanx } => format!("PHALANX {} AUF", here(scene, *phalanx)?),
        Fight::Search { figure } => format!("SUCHE {}", name(scene, *figure)),
    })
}

fn magic(scene: Scene<'_>, deed: &Magic) -> Option<String> {
    let cell = |cell| scene.position.board.name(cell);
    Some(match deed {
        Magic::Cast {
            wizard,
            spell,
            on,
            to,
            along,
        } => {
            let fields: Vec<String> = on.iter().map(|aim| aim_name(scene, *aim)).collect();
            let mut line = format!("ZAUBER {} {}", spell.script_word(), fields.join(","));
            if !to.is_empty() {
                let goals: Vec<String> = to.iter().map(|at| spot(scene, *at)).collect();
                line.push_str(&format!(" NACH {}", goals.join(",")));
            }
            if *along {
                line.push_str(&format!(" MIT {}", name(scene, *wizard)));
            }
            line
        }
        Magic::Duel { wizard, target } => format!("DUELL {} -> {}", name(scene, *wizard), name(scene, *target)),
        Magic::Pray { priest, spell, figures } => {
            let (priest, figures) = (name(scene, *priest), names(scene, figures));
            format!("PRIESTER {priest} {} {figures}", spell.script_word())
        }
        Magic::Feed { priest } => format!("PRIESTER {} BROT", name(scene, *priest)),
        Magic::Plunder { cell: at } => format!("PLUENDERE HZ {}", cell(*at)),
        Magic::TakeCentre { cell: at } => format!("BESITZ HZ {}", cell(*at)),
        Magic::Raze { cell: at } => format!("SCHLEIFE HZ {}", cell(*at)),
    })
}

/// `17`, or `17.1` for a storey.
fn aim_name(scene: Scene<'_>, aim: Aim) -> String {
    let field = scene.position.board.name(aim.cell);
    match aim.level {
        None => field,
        Some(level) => format!("{field}.{level}"),
    }
}
