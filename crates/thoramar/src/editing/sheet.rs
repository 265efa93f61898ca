//! A whole world as a sheet of changes, one to a line, and such sheets read back.
//!
//! A sheet is what a map editor saves and loads. It tells the ground, what runs along the sides of fields, what stands on
//! them and who; laid over a world of the same size it makes the same map. Armies of realms that it does not name stay.

use super::{Edit, Line, Stands, change, place_of, read};
use crate::codes::{Building, Condition};
use crate::rule;
use crate::ruling::Ruling;
use crate::season::Season;
use crate::state::{Field, Sides, State};
use crate::tables::Tables;
use crate::worldgen::look_around;
use kernel::diagnostic::{Diagnostic, Span};
use kernel::guide::Changes;
use kernel::hex::Direction;
use kernel::limits;
use kernel::realm::RealmId;

/// Makes earlier changes by hand, then those of a text, as far as they can be made.
pub(crate) fn change_world(tables: &Tables, state: &mut State, earlier: &[Ruling], text: &str) -> Changes<Ruling> {
    let mut season = Season::new(state, state.turn.saturating_add(1));
    for edit in earlier.iter().flat_map(edits) {
        // What was refused was told when it was asked for.
        let _ = change(tables, state, &mut season, edit);
    }
    let before = state.clone();
    let (mut made, mut faults) = (Vec::new(), Vec::new());
    for (number, line) in (1..).zip(text.lines()).take(limits::EDIT_LINES) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let outcome = match read(line) {
            Some(Ok(edit)) => change(tables, state, &mut season, &edit).map(|()| made.push(edit)),
            _ => Err("edit-not-understood"),
        };
        if let Err(fault) = outcome {
            let shown: String = line.chars().take(60).collect();
            let span = Span {
                line: number,
                column: 1,
                length: 0,
            };
            let finding = Diagnostic::error("E01", span, &[rule::ADM_01]);
            faults.push(finding.with("t", shown).with_word("why", fault));
        }
    }
    if *state == before {
        made.clear();
    }
    // Before the first turn the realms look at the world as it has become.
    if state.turn == 0 {
        look_around(state);
    }
    Changes {
        made: made.len(),
        ruling: (!made.is_empty()).then_some(Ruling::Edits { changes: made }),
        faults,
    }
}

/// The changes by hand that a judgement makes.
fn edits(ruling: &Ruling) -> &[Edit] {
    match ruling {
        Ruling::Edit { change } => std::slice::from_ref(change),
        Ruling::Edits { changes } => changes,
        _ => &[],
    }
}

/// The sheet of a world.
pub(crate) fn write_world(state: &State) -> String {
    let mut ground = String::new();
    let mut above = String::from("tame all\n");
    for index in state.grid.fields() {
        let (field, place) = (state.field(index), state.place(RealmId::NOBODY, index));
        let stands = match field.site.as_deref() {
            None => Stands::Nothing,
            Some(site) if site.standing && site.works.is_none() => Stands::Building(site.building),
            Some(_) => Stands::AsItIs,
        };
        let edit = Edit::Field {
            place,
            terrain: field.terrain,
            owner: field.owner,
            stands,
        };
        ground += &(words(&edit) + "\n");
        for edit in on_it(field, place) {
            above += &(words(&edit) + "\n");
        }
    }
    for (id, army) in state
        .armies
        .iter()
        .filter(|(id, army)| army.is_free() && !id.kind().is_group())
    {
        let edit = Edit::Army {
            realm: id.realm,
            army: id.name,
            place: state.place(RealmId::NOBODY, army.field),
            count: army.count,
        };
        above += &(words(&edit) + "\n");
    }
    ground + &above
}

/// What a sheet says of a field beside its ground.
fn on_it(field: &Field, place: crate::geo::Place) -> Vec<Edit> {
    let mut edits = Vec::new();
    let (rivers, roads, bridges, walls) = (field.rivers, field.roads, field.bridges, field.walls);
    if [rivers, roads, bridges, walls]
        .iter()
        .any(|sides| *sides != Sides::NONE)
    {
        edits.push(Edit::Sides {
            place,
            rivers,
            roads,
            bridges,
            walls,
        });
    }
    if (field.yield_percent, field.blessed_turns, field.unrest) != (100, 0, 0) {
        edits.push(Edit::Land {
            place,
            yield_percent: field.yield_percent,
            blessed_turns: field.blessed_turns,
            unrest: field.unrest,
        });
    }
    let Some(site) = field
        .site
        .as_deref()
        .filter(|site| site.standing && site.works.is_none())
    else {
        return edits;
    };
    if site.condition != Condition::Intact || !site.name.is_empty() {
        edits.push(Edit::Building {
            place,
            building: Some(site.building),
            condition: site.condition,
            name: site.name.clone(),
        });
    }
    if site.building == Building::Mine {
        edits.push(Edit::Mine {
            place,
            reserve: site.mine_reserve,
        });
    }
    if let Some(code) = site.gate_code.filter(|_| site.building == Building::Gate) {
        edits.push(Edit::Gate { place, code });
    }
    edits
}

/// A change in the words that are read back as the same change.
pub(super) fn words(edit: &Edit) -> String {
    match edit {
        Edit::Terrain { place, terrain } => format!("terrain {place} {}", terrain.code()),
        Edit::Owner { place, realm } => format!("owner {place} {}", realm.0),
        Edit::Side {
            place,
            direction,
            line,
            present,
        } => {
            let verb = match line {
                Line::River => "river",
                Line::Road => "road",
                Line::Bridge => "bridge",
                Line::Wall => "wall",
            };
            format!("{verb} {place} {direction} {}", if *present { "yes" } else { "no" })
        }
        Edit::Building {
            place, building: None, ..
        } => format!("building {place} none"),
        Edit::Building {
            place,
            building: Some(building),
            condition,
            name,
        } => format!("building {place} {} {} {name}", building.code(), condition.code())
            .trim_end()
            .to_owned(),
        Edit::Land {
            place,
            yield_percent,
            blessed_turns,
            unrest,
        } => format!("land {place} {yield_percent} {blessed_turns} {unrest}"),
        Edit::Treasury { realm, gold } => format!("treasury {} {gold}", realm.0),
        Edit::Army {
            realm,
            army,
            place,
            count,
        } => format!("army {} {army} {place} {count}", realm.0),
        Edit::Treaty { one, other, treaty } => format!("treaty {} {} {}", one.0, other.0, treaty.code()),
        Edit::Height { place, height } => format!("height {place} {height}"),
        Edit::Mine { place, reserve } => format!("mine {place} {reserve}"),
        Edit::Gate { place, code } => format!("gate {place} {code}"),
        Edit::Start { realm, place } => format!("start {} {place}", realm.0),
        Edit::Field {
            place,
            terrain,
            owner,
            stands,
        } => {
            let stands = match stands {
                Stands::Nothing => "-",
                Stands::AsItIs => "~",
                Stands::Building(building) => building.code(),
            };
            format!("field {place} {} {} {stands}", terrain.code(), owner.0)
        }
        Edit::Sides {
            place,
            rivers,
            roads,
            bridges,
            walls,
        } => {
            let [rivers, roads, bridges, walls] = [rivers, roads, bridges, walls].map(|sides| digits(*sides));
            format!("sides {place} {rivers} {roads} {bridges} {walls}")
        }
        Edit::TameAll => "tame all".to_owned(),
    }
}

/// The directions of sides, or `-` for none.
fn digits(sides: Sides) -> String {
    let set = Direction::ALL.into_iter().filter(|direction| sides.has(*direction));
    let digits: String = set.map(|direction| direction.digit().to_string()).collect();
    if digits.is_empty() { "-".to_owned() } else { digits }
}

pub(super) fn stands_of(word: &str) -> Option<Stands> {
    match word {
        "-" => Some(Stands::Nothing),
        "~" => Some(Stands::AsItIs),
        code => Building::from_code(code).map(Stands::Building),
    }
}

pub(super) fn sides_of(place: &str, words: [&str; 4]) -> Option<Edit> {
    let sides = |word: &str| {
        let mut sides = Sides::NONE;
        if word != "-" {
            for letter in word.chars() {
                let digit = u8::try_from(letter.to_digit(10)?).ok()?;
                sides.insert(Direction::from_digit(digit)?);
            }
        }
        Some(sides)
    };
    let [rivers, roads, bridges, walls] = words.map(sides);
    Some(Edit::Sides {
        place: place_of(place)?,
        rivers: rivers?,
        roads: roads?,
        bridges: bridges?,
        walls: walls?,
    })
}
