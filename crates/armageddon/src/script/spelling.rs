//! Writing a line: what [`super::parse`] reads comes back letter by letter in the catalogue's spelling, so that a log can be played again.

use crate::board::direction_code;
use crate::order::{Figures, LevelName, MountVerb, Object, Order, RopeVerb, SideName, StandingOrder};
use kernel::diagnostic::Spanned;
use std::fmt;

/// Things in a row with this between them.
fn row<T: fmt::Display>(list: &[Spanned<T>], joint: &str) -> String {
    let words: Vec<String> = list.iter().map(|one| one.value.to_string()).collect();
    words.join(joint)
}

impl fmt::Display for Figures {
    /// `2LB`, or `LB#3,LB#4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count(count, kind) => write!(f, "{count}{kind}"),
            Self::List(list) => f.write_str(&row(list, ",")),
        }
    }
}

impl fmt::Display for LevelName {
    /// `0`, `1`, `P`; nothing where none was said.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsaid => Ok(()),
            Self::Number(level) => write!(f, "{level}"),
            Self::Platform => f.write_str("P"),
        }
    }
}

impl fmt::Display for SideName {
    /// `17.0-O`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.at, direction_code(self.side))
    }
}

impl fmt::Display for Object {
    /// `On#1`, `HZ 17`, `17.0-O`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Figure(named) => write!(f, "{named}"),
            Self::Centre(field) => write!(f, "HZ {field}"),
            Self::Gate(gate) => write!(f, "{gate}"),
        }
    }
}

impl MountVerb {
    const fn word(self) -> &'static str {
        match self {
            Self::Mount => "AUFSITZEN",
            Self::Dismount => "ABSITZEN",
            Self::Rein => "ZUEGEL",
            Self::Lead => "FUEHREN",
            Self::Climb => "AUFSTEIGEN",
            Self::Alight => "ABSTEIGEN",
        }
    }
}

impl RopeVerb {
    const fn word(self) -> &'static str {
        match self {
            Self::Throw => "WIRF",
            Self::Tie => "KNOTE",
            Self::Cut => "KAPPE",
        }
    }
}

impl fmt::Display for StandingOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NeverDispel => f.write_str("ENTKRAEFTEN NIE"),
            Self::Dispel { from, total: None } => write!(f, "ENTKRAEFTEN AB {from}"),
            Self::Dispel {
                from,
                total: Some(total),
            } => write!(f, "ENTKRAEFTEN AB {from} SUMME {total}"),
            Self::Sacrifice(kinds) => {
                let codes: Vec<&str> = kinds.iter().map(|kind| kind.code()).collect();
                write!(f, "OPFER {}", codes.join(", "))
            }
            Self::Permit(player) => write!(f, "ERLAUBE VERSETZEN {}", player.value),
            Self::Forbid(player) => write!(f, "VERBIETE VERSETZEN {}", player.value),
            Self::YieldTo(None) => f.write_str("VORTRITT KEINER"),
            Self::YieldTo(Some(player)) => write!(f, "VORTRITT {}", player.value),
            Self::Triple(None) => f.write_str("PASCH NIE"),
            Self::Triple(Some(line)) => write!(f, "PASCH {}", line.trim_start_matches("ZAUBER ")),
            Self::JoinSide(side) => write!(f, "SEITE {side}"),
        }
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Begin { round, player } => write!(f, "RUNDE {} SPIELER {}", round.value, player.value),
            Self::End => f.write_str("ENDE"),
            Self::Move { figures, path, facing } => {
                write!(f, "ZIEHE {} {}", figures.value, row(path, ">"))?;
                match facing {
                    Some(facing) => write!(f, " FRONT {}", direction_code(facing.value)),
                    None => Ok(()),
                }
            }
            Self::Swap {
                figures,
                here,
                with,
                there,
            } => write!(
                f,
                "TAUSCHE {} {} MIT {} {}",
                figures.value, here.value, with.value, there.value
            ),
            Self::Mount { verb, figure, other } => {
                write!(f, "{} {}", verb.word(), figure.value)?;
                match other {
                    Some(other) => write!(f, " {}", other.value),
                    None => Ok(()),
                }
            }
            Self::Harness { horse, wagon } => write!(f, "ANSPANNEN {} {}", horse.value, wagon.value),
            Self::Unharness { wagon } => write!(f, "ABSPANNEN {}", wagon.value),
            Self::Possess { object } => write!(f, "BESITZ {}", object.value),
            Self::Give { object, to } => write!(f, "SCHENKE {} AN {}", object.value, to.value),
            Self::Lend { object, to } => write!(f, "LEIHE {} AN {}", object.value, to.value),
            Self::Raze { at } => write!(f, "SCHLEIFE HZ {}", at.value),
            Self::Cast {
                spell,
                fields,
                storey,
                to,
                along,
            } => {
                write!(f, "ZAUBER {} {}", spell.value.script_word(), row(fields, ","))?;
                if let Some(storey) = storey {
                    write!(f, " STOCK {}", storey.value)?;
                }
                if !to.is_empty() {
                    write!(f, " NACH {}", row(to, ","))?;
                }
                match along {
                    Some(wizard) => write!(f, " MIT {}", wizard.value),
                    None => Ok(()),
                }
            }
            Self::Pray { priest, spell, figures } => {
                write!(f, "PRIESTER {} {} {}", priest.value, spell.script_word(), figures.value)
            }
            Self::Feed { priest } => write!(f, "PRIESTER {} BROT", priest.value),
            Self::Flee { figures, at } => write!(f, "FLIEHE {} {}", figures.value, at.value),
            Self::Plunder { at } => write!(f, "PLUENDERE HZ {}", at.value),
            Self::Dispel { figure } => write!(f, "ENTKRAEFTE {}", figure.value),
            Self::WorldLayer { verb, rest } => write!(f, "{verb} {rest}"),
            Self::Standing(instruction) => write!(f, "ANWEISUNG {instruction}"),
            other => fight(other, f),
        }
    }
}

/// The verbs of the action phase, and what is declared.
fn fight(order: &Order, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match order {
        Order::Attack {
            figure,
            support,
            target,
        } => {
            write!(f, "ANGRIFF {}", figure.value)?;
            if let Some(support) = support {
                write!(f, " MIT {}", support.value)?;
            }
            write!(f, " -> {}", target.value)
        }
        Order::WeightBlow { phalanx, target } => write!(f, "WUCHT {} -> {}", phalanx.value, target.value),
        Order::Shoot { figure, target } => write!(f, "SCHUSS {} -> {}", figure.value, target.value),
        Order::Throw {
            onager,
            crew,
            target,
            side,
        } => {
            write!(f, "WURF {} {} -> {}", onager.value, crew.value, target.value)?;
            match side {
                Some(side) => write!(f, "-{}", direction_code(*side)),
                None => Ok(()),
            }
        }
        Order::Pour { platform, target } => write!(f, "PECH {} -> {}", platform.value, target.value),
        Order::Ram { device, target } => write!(f, "RAMME {} -> {}", device.value, target.value),
        Order::RamShip { ship, target } => write!(f, "RAMMSTOSS {} -> {}", ship.value, target.value),
        Order::Duel { figure, target } => write!(f, "DUELL {} -> {}", figure.value, target.value),
        Order::SetLadder { ladder, at } => write!(f, "LEITER STELLE {} {}", ladder.value, at.value),
        Order::ToppleLadder { ladder, at } => write!(f, "LEITER STUERZE {} {}", ladder.value, at.value),
        Order::Rope { verb, rope, at } => write!(f, "SEIL {} {} {}", verb.word(), rope.value, at.value),
        Order::Destroy { device } => write!(f, "ZERSTOERE {}", device.value),
        Order::Search { figure } => write!(f, "SUCHE {}", figure.value),
        Order::Gate { gate, open } => write!(f, "TOR {} {}", gate.value, if *open { "AUF" } else { "ZU" }),
        Order::Loophole { figure, side } => write!(f, "SCHARTE {} {}", figure.value, direction_code(side.value)),
        Order::Besiege { castle } => write!(f, "BELAGERE {}", castle.value),
        Order::Phalanx { at, front: None } => write!(f, "PHALANX {} AUF", at.value),
        Order::Phalanx { at, front: Some(front) } => {
            write!(f, "PHALANX {} {}", at.value, direction_code(front.value))
        }
        // Everything else is written by the list above.
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use crate::script::parse;

    /// A line of every verb, as the catalogue writes it.
    const LINES: &[&str] = &[
        "RUNDE 2 SPIELER Rote Wölfe",
        "ENDE",
        "ZIEHE 2LB 17>18>24 FRONT O",
        "ZIEHE LB#3,LB#4 2N+4/17>2N+4/18.P",
        "TAUSCHE LB#1,On#2 17 MIT 2S 18",
        "AUFSITZEN LB#1 lP#1",
        "ABSITZEN LB#1",
        "ZUEGEL LB#1 lP#1",
        "FUEHREN S#1 El#1",
        "AUFSTEIGEN S#1 QuW#1",
        "ABSTEIGEN S#1",
        "ANGRIFF LB#3 MIT LB#4 -> S#9",
        "WUCHT 17 -> 18",
        "SCHUSS B#1 -> S#9",
        "WURF On#1 S#4 -> 20.1",
        "WURF On#1 S#4 -> 20-NO",
        "PECH 17.P -> 18",
        "RAMME Wi#1 -> 17.0-O",
        "RAMME Sk#1 -> 17-SW",
        "RAMMSTOSS LS#1 -> SS#2",
        "LEITER STELLE Le#1 17",
        "LEITER STUERZE Le#1 17.P",
        "SEIL WIRF Se#1 17",
        "SEIL KNOTE Se#1 17",
        "SEIL KAPPE Se#1 17.P",
        "ANSPANNEN QlP#1 QuW#1",
        "ABSPANNEN QuW#1",
        "ZERSTOERE On#1",
        "SUCHE LB#1",
        "BESITZ HZ 17",
        "BESITZ On#1",
        "BESITZ 17.0-O",
        "SCHENKE lP#1 AN Rot",
        "LEIHE On#1 AN Rot",
        "TOR 17.0-O AUF",
        "TOR 17.0-O ZU",
        "SCHARTE B#1 W",
        "BELAGERE 17",
        "PHALANX 17 NW",
        "PHALANX 17 AUF",
        "ZAUBER STAERKEN 17,18 STOCK 1",
        "ZAUBER VERSETZEN 17.P NACH 20,21.1 MIT Z#1",
        "SCHLEIFE HZ 17",
        "DUELL Z#1 -> Z#2",
        "GOTT Thor Blitz 17",
        "PRIESTER Pr#1 GOTT RUFEN FUER GRUND",
        "PRIESTER Pr#1 SEGNEN LB#1,LB#2",
        "PRIESTER Pr#1 FURCHT S#1",
        "PRIESTER Pr#1 BROT",
        "FLIEHE 2LB 4",
        "FLIEHE lP#1 N/4",
        "PLUENDERE HZ 17",
        "ANWEISUNG ENTKRAEFTEN NIE",
        "ANWEISUNG ENTKRAEFTEN AB 10",
        "ANWEISUNG ENTKRAEFTEN AB 10 SUMME 6",
        "ANWEISUNG OPFER B, S",
        "ANWEISUNG ERLAUBE VERSETZEN Rot",
        "ANWEISUNG VERBIETE VERSETZEN Rot",
        "ANWEISUNG VORTRITT Rot",
        "ANWEISUNG VORTRITT KEINER",
        "ANWEISUNG PASCH STAERKEN 17",
        "ANWEISUNG PASCH NIE",
        "ANWEISUNG SEITE 2",
    ];

    fn written(line: &str) -> String {
        let parsed = parse(line.as_bytes());
        assert_eq!(parsed.diagnostics, [], "{line}");
        parsed.orders.first().expect("one order").value.to_string()
    }

    #[test]
    fn every_line_is_written_as_it_was_read() {
        for line in LINES {
            assert_eq!(written(line), *line);
        }
    }

    #[test]
    fn small_letters_umlauts_and_blanks_come_back_in_the_spelling_of_the_catalogue() {
        assert_eq!(written("  ziehe 2LB 17 > 18>24 front o"), "ZIEHE 2LB 17>18>24 FRONT O");
        assert_eq!(written("zauber Stärken 17 , 18"), "ZAUBER STAERKEN 17,18");
        assert_eq!(written("schleife 17"), "SCHLEIFE HZ 17");
        assert_eq!(written("angriff LB#3->S#9"), "ANGRIFF LB#3 -> S#9");
    }
}
