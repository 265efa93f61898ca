//! One line: its verb, and what belongs to it.

use super::words::{Fault, Words, plain};
use crate::kinds::Spell;
use crate::order::{MountVerb, Order, RopeVerb, StandingOrder};
use kernel::diagnostic::Spanned;

/// Reads a line from its verb on.
pub(super) fn read(words: &mut Words<'_>) -> Result<Order, Fault> {
    let Some(verb) = words.keyword() else {
        return Err(words.fault("unknown-verb"));
    };
    let unknown = words.fault("unknown-verb");
    words.take(&verb);
    match verb.as_str() {
        "RUNDE" => {
            let round = words.number()?;
            words.expect("SPIELER")?;
            Ok(Order::Begin {
                round,
                player: words.rest()?,
            })
        }
        "ENDE" => Ok(Order::End),
        "ZIEHE" => step(words),
        "TAUSCHE" => swap(words),
        "AUFSITZEN" => mount(words, MountVerb::Mount),
        "ABSITZEN" => mount(words, MountVerb::Dismount),
        "ZUEGEL" => mount(words, MountVerb::Rein),
        "FUEHREN" => mount(words, MountVerb::Lead),
        "AUFSTEIGEN" => mount(words, MountVerb::Climb),
        "ABSTEIGEN" => mount(words, MountVerb::Alight),
        "BESITZ" => Ok(Order::Possess {
            object: words.object()?,
        }),
        "SCHENKE" => {
            let object = words.object()?;
            words.expect("AN")?;
            Ok(Order::Give {
                object,
                to: words.rest()?,
            })
        }
        "LEIHE" => {
            let object = words.object()?;
            words.expect("AN")?;
            Ok(Order::Lend {
                object,
                to: words.rest()?,
            })
        }
        "ANSPANNEN" => Ok(Order::Harness {
            horse: words.figure()?,
            wagon: words.figure()?,
        }),
        "ABSPANNEN" => Ok(Order::Unharness { wagon: words.figure()? }),
        "ZERSTOERE" => Ok(Order::Destroy {
            device: words.figure()?,
        }),
        "SUCHE" => Ok(Order::Search {
            figure: words.figure()?,
        }),
        "TOR" => gate(words),
        "SCHARTE" => Ok(Order::Loophole {
            figure: words.figure()?,
            side: words.direction()?,
        }),
        "BELAGERE" => Ok(Order::Besiege { castle: words.field()? }),
        "PHALANX" => {
            let at = words.field()?;
            let front = if words.take("AUF") {
                None
            } else {
                Some(words.direction()?)
            };
            Ok(Order::Phalanx { at, front })
        }
        "ZAUBER" => cast(words),
        "SCHLEIFE" => {
            words.take("HZ");
            Ok(Order::Raze { at: words.field()? })
        }
        "ANWEISUNG" => standing(words).map(Order::Standing),
        "ENTKRAEFTE" => Ok(Order::Dispel {
            figure: words.figure()?,
        }),
        "PLUENDERE" => {
            words.take("HZ");
            Ok(Order::Plunder { at: words.field()? })
        }
        "FLIEHE" => Ok(Order::Flee {
            figures: words.figures()?,
            at: words.field()?,
        }),
        "PRIESTER" if !words.names("GOTT") => pray(words),
        "PRIESTER" | "GOTT" | "STRUDEL" => Ok(Order::WorldLayer {
            rest: words.all(),
            verb,
        }),
        _ => fight(words, &verb).unwrap_or(Err(unknown)),
    }
}

/// The verbs of the action phase; nothing if it is none of them.
fn fight(words: &mut Words<'_>, verb: &str) -> Option<Result<Order, Fault>> {
    Some(match verb {
        "ANGRIFF" => attack(words),
        "WUCHT" => {
            pair(words, Words::field, Words::field).map(|(phalanx, target)| Order::WeightBlow { phalanx, target })
        }
        "SCHUSS" => pair(words, Words::figure, Words::figure).map(|(figure, target)| Order::Shoot { figure, target }),
        "WURF" => throw(words),
        "PECH" => pair(words, Words::field, Words::field).map(|(platform, target)| Order::Pour { platform, target }),
        "RAMME" => pair(words, Words::figure, |words| words.side("expected-gate"))
            .map(|(device, target)| Order::Ram { device, target }),
        "RAMMSTOSS" => pair(words, Words::figure, Words::figure).map(|(ship, target)| Order::RamShip { ship, target }),
        "DUELL" => pair(words, Words::figure, Words::figure).map(|(figure, target)| Order::Duel { figure, target }),
        "LEITER" => ladder(words),
        "SEIL" => rope(words),
        _ => return None,
    })
}

/// Two things with an arrow between them.
fn pair<'a, A, B>(
    words: &mut Words<'a>,
    one: impl FnOnce(&mut Words<'a>) -> Result<A, Fault>,
    other: impl FnOnce(&mut Words<'a>) -> Result<B, Fault>,
) -> Result<(A, B), Fault> {
    let one = one(words)?;
    words.arrow()?;
    Ok((one, other(words)?))
}

fn step(words: &mut Words<'_>) -> Result<Order, Fault> {
    let figures = words.figures()?;
    let mut path = vec![words.field()?];
    while words.next_step() {
        if path.len() > 40 {
            return Err(words.fault("list-too-long"));
        }
        path.push(words.field()?);
    }
    let facing = if words.take("FRONT") {
        Some(words.direction()?)
    } else {
        None
    };
    Ok(Order::Move { figures, path, facing })
}

fn swap(words: &mut Words<'_>) -> Result<Order, Fault> {
    let figures = words.figures()?;
    let here = words.field()?;
    words.expect("MIT")?;
    Ok(Order::Swap {
        figures,
        here,
        with: words.figures()?,
        there: words.field()?,
    })
}

fn mount(words: &mut Words<'_>, verb: MountVerb) -> Result<Order, Fault> {
    Ok(Order::Mount {
        verb,
        figure: words.figure()?,
        other: words.figure_if_any()?,
    })
}

fn attack(words: &mut Words<'_>) -> Result<Order, Fault> {
    let figure = words.figure()?;
    let support = if words.take("MIT") { Some(words.figure()?) } else { None };
    words.arrow()?;
    Ok(Order::Attack {
        figure,
        support,
        target: words.figure()?,
    })
}

fn throw(words: &mut Words<'_>) -> Result<Order, Fault> {
    let onager = words.figure()?;
    let crew = words.figure()?;
    words.arrow()?;
    // `17-O` is the wall or bridge on that side, `17` or `17.1` the field itself.
    let (target, side) = match words.side("expected-field") {
        Ok(found) => {
            let target = Spanned {
                span: found.span,
                value: found.value.at,
            };
            (target, Some(found.value.side))
        }
        Err(_) => (words.field()?, None),
    };
    Ok(Order::Throw {
        onager,
        crew,
        target,
        side,
    })
}

fn ladder(words: &mut Words<'_>) -> Result<Order, Fault> {
    let set = words.take("STELLE");
    if !set && !words.take("STUERZE") {
        return Err(words.fault("expected-ladder-verb"));
    }
    let ladder = words.figure()?;
    let at = words.field()?;
    Ok(if set {
        Order::SetLadder { ladder, at }
    } else {
        Order::ToppleLadder { ladder, at }
    })
}

fn rope(words: &mut Words<'_>) -> Result<Order, Fault> {
    let verb = match words.keyword().as_deref() {
        Some("WIRF") => RopeVerb::Throw,
        Some("KNOTE") => RopeVerb::Tie,
        Some("KAPPE") => RopeVerb::Cut,
        _ => return Err(words.fault("expected-rope-verb")),
    };
    words.name()?;
    Ok(Order::Rope {
        verb,
        rope: words.figure()?,
        at: words.field()?,
    })
}

fn gate(words: &mut Words<'_>) -> Result<Order, Fault> {
    let gate = words.side("expected-gate")?;
    let open = words.take("AUF");
    if !open && !words.take("ZU") {
        return Err(words.fault("expected-open-or-shut"));
    }
    Ok(Order::Gate { gate, open })
}

fn cast(words: &mut Words<'_>) -> Result<Order, Fault> {
    let spell = words.read("expected-spell", |word| Spell::from_script_word(&plain(word)))?;
    let fields = words.fields()?;
    let storey = if words.take("STOCK") {
        Some(words.level()?)
    } else {
        None
    };
    let to = if words.take("NACH") {
        words.fields()?
    } else {
        Vec::new()
    };
    let along = if words.take("MIT") { Some(words.figure()?) } else { None };
    Ok(Order::Cast {
        spell,
        fields,
        storey,
        to,
        along,
    })
}

/// What a priest does by himself.
fn pray(words: &mut Words<'_>) -> Result<Order, Fault> {
    let priest = words.figure()?;
    let spell = match words.keyword().as_deref() {
        Some("SEGNEN") => Spell::Bless,
        Some("FURCHT") => Spell::Fear,
        Some("BROT") => {
            words.name()?;
            return Ok(Order::Feed { priest });
        }
        _ => return Err(words.fault("expected-prayer")),
    };
    words.name()?;
    Ok(Order::Pray {
        priest,
        spell,
        figures: words.figures()?,
    })
}

fn standing(words: &mut Words<'_>) -> Result<StandingOrder, Fault> {
    let keyword = words.keyword().unwrap_or_default();
    let unknown = words.fault("unknown-instruction");
    words.take(&keyword);
    match keyword.as_str() {
        "PASCH" if words.take("NIE") => Ok(StandingOrder::Triple(None)),
        "PASCH" => {
            let fault = words.fault("expected-spell");
            let planned = super::parse(format!("ZAUBER {}", words.all()).as_bytes());
            // The spell is kept as a line and read again when a triple falls.
            match planned.orders.first() {
                Some(spell) if planned.diagnostics.is_empty() => {
                    Ok(StandingOrder::Triple(Some(spell.value.to_string())))
                }
                _ => Err(fault),
            }
        }
        "ENTKRAEFTEN" if words.take("NIE") => Ok(StandingOrder::NeverDispel),
        "ENTKRAEFTEN" => {
            words.expect("AB")?;
            let from = words.number()?;
            let total = if words.take("SUMME") {
                Some(i64::from(words.number()?.value))
            } else {
                None
            };
            Ok(StandingOrder::Dispel {
                from: i64::from(from.value),
                total,
            })
        }
        "OPFER" => {
            let mut kinds = Vec::new();
            while words.keyword().is_some() {
                if kinds.len() >= 42 {
                    return Err(words.fault("list-too-long"));
                }
                kinds.push(words.kind()?.value);
                words.comma();
            }
            Ok(StandingOrder::Sacrifice(kinds))
        }
        "ERLAUBE" => {
            words.expect("VERSETZEN")?;
            Ok(StandingOrder::Permit(words.rest()?))
        }
        "VERBIETE" => {
            words.expect("VERSETZEN")?;
            Ok(StandingOrder::Forbid(words.rest()?))
        }
        "VORTRITT" if words.take("KEINER") => Ok(StandingOrder::YieldTo(None)),
        "VORTRITT" => Ok(StandingOrder::YieldTo(Some(words.rest()?))),
        "SEITE" => {
            let side = words.read("expected-number", |word| word.parse().ok())?;
            Ok(StandingOrder::JoinSide(side.value))
        }
        _ => Err(unknown),
    }
}
