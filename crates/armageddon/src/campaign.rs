//! Random battles for the harnesses that look for leaks, wavering and unread lines.
//!
//! The board is open, so little is secret: spell units and standing instructions. The twins of a battle differ in those of everybody but the
//! viewer. Random orders never spend more than all of them have, and their instructions never come to bear, so nothing of it can show.

use crate::battle::Scene;
use crate::deed::{Deed, Magic};
use crate::kinds::Kind;
use crate::state::{Secret, Standing, State};
use crate::tables::Tables;
use crate::{Armageddon, Seat, legal, scribe, script, setup};
use kernel::campaign::{Campaign, LineFate, Secrets, Setting};
use kernel::dice::{Dice, Owner};
use kernel::realm::RealmId;
use kernel::stage::StageLine;
use std::collections::{BTreeMap, BTreeSet};

/// Spell units that everybody has at least while a battle is looked at, so that random spells up to [`SPELL_MAX`] are paid by all.
const UNITS_MIN: i64 = 60;
/// What a random spell costs at the most.
const SPELL_MAX: i64 = 8;

const TERRAINS: [&str; 6] = [
    "lowland-forest",
    "highland",
    "swamp",
    "mountain-country",
    "lowland-desert",
    "highland-forest",
];
/// Kinds that no random battle has.
const ABSENT: [Kind; 4] = [Kind::Merchant, Kind::Agent, Kind::Mystic, Kind::Slave];
const KINDS: [&str; 9] = ["S", "LB", "AC", "B", "BB", "L", "SB", "lP", "On"];

/// Lots drawn one after the other. They make battles for tests and decide nothing in one.
struct Lots<'a> {
    dice: &'a mut Dice,
    name: &'static str,
    drawn: u32,
}

impl<'a> Lots<'a> {
    fn new(dice: &'a mut Dice, name: &'static str) -> Self {
        Self { dice, name, drawn: 0 }
    }

    fn number(&mut self, min: i64, max: i64) -> i64 {
        self.drawn += 1;
        let name = format!("{} {}", self.name, self.drawn);
        self.dice.roll(Owner::World, &name, min, max)
    }

    fn index(&mut self, length: usize) -> usize {
        let last = i64::try_from(length).unwrap_or(1).max(1) - 1;
        usize::try_from(self.number(0, last)).unwrap_or(0)
    }

    fn pick<'b>(&mut self, words: &[&'b str]) -> &'b str {
        words.get(self.index(words.len())).copied().unwrap_or("S")
    }
}

/// The lines of a random battle of two or three players.
fn lines(lots: &mut Lots<'_>) -> Vec<String> {
    let mut lines = vec!["battle Die Probe".to_owned()];
    for _ in 0..lots.number(3, 10) {
        lines.push(format!("field {} {}", lots.number(1, 48), lots.pick(&TERRAINS)));
    }
    lines.push(format!("river 18-19 19-26 {}", lots.pick(&["20-27", "26-27", "12-19"])));
    lines.push("bridge 18-19".to_owned());
    lines.push("tower Adler 33 gate O".to_owned());
    lines.push("wall Bär 21-W closed".to_owned());
    lines.push("centre Adler 33 city".to_owned());
    lines.push("centre Bär 22 market".to_owned());
    let players = ["Adler", "Bär", "Chimäre"];
    let playing = usize::try_from(lots.number(2, 3)).unwrap_or(2);
    let mut taken: BTreeSet<i64> = BTreeSet::new();
    let mut number = 0;
    for (player, seat) in players.iter().take(playing).zip(1i64..) {
        lines.push(format!("player {player} side {seat}"));
        lines.push(format!("units {player} {}", UNITS_MIN + lots.number(0, 30)));
        lines.push(format!("figure {player} Z {seat} at ^{}", lots.number(1, 48)));
        lines.push(format!(
            "figure {player} Pr {seat} at {}",
            if seat == 1 { 34 } else { 14 }
        ));
        lines.push(format!("prays Pr#{seat} {}", UNITS_MIN + lots.number(0, 30)));
        for _ in 0..lots.number(3, 7) {
            // Each field once, two of a kind at the most: there is room for them everywhere.
            let field = lots.number(1, 48);
            if matches!(field, 14 | 21 | 33 | 34) || !taken.insert(field) {
                continue;
            }
            let count = lots.number(0, 1);
            let kind = lots.pick(&KINDS);
            lines.push(format!(
                "figure {player} {kind} {}..{} at {field}",
                number + 1,
                number + 1 + count
            ));
            number += 1 + count;
        }
        lines.push(format!(
            "figure {player} SC {} at {}",
            number + 1,
            if seat == 1 { "33.P" } else { "21" }
        ));
        number += 1;
    }
    lines
}

impl Campaign for Armageddon {
    // The board lies open.
    const SECRETS: Secrets = Secrets::Only(&[
        "spell_units",
        "priests",
        "dispel_from",
        "dispel_total",
        "sacrifice",
        "triple",
    ]);

    fn setting(dice: &mut Dice) -> Result<Setting<Self>, String> {
        let tables = Tables::book()?;
        let lines: Vec<StageLine> = lines(&mut Lots::new(dice, "battle"))
            .into_iter()
            .zip(1u32..)
            .map(|(text, line)| StageLine { line, text })
            .collect();
        let state = setup::build(&tables, "", &lines)
            .map_err(|errors| errors.first().map_or_else(String::new, |error| error.message.clone()))?;
        let files = Self::orders(&state, dice);
        Ok(Setting { state, files })
    }

    fn scramble(setting: &Setting<Self>, viewer: RealmId, _steps: u32, dice: &mut Dice) -> Setting<Self> {
        let mut lots = Lots::new(dice, "twin");
        let mut twin = setting.clone();
        for (player, secret) in &mut twin.state.secrets {
            if *player == viewer {
                continue;
            }
            secret.spell_units += lots.number(1, 9);
            for units in secret.priests.values_mut() {
                *units += lots.number(1, 9);
            }
            secret.standing = Standing {
                // Dearer than any spell, kinds that nobody has, and a spell that lacks its aim: none of them ever shows.
                dispel_from: Some(10_000 + lots.number(0, 9)),
                dispel_total: Some(lots.number(0, 9)),
                sacrifice: ABSENT.into_iter().filter(|_| lots.number(1, 2) == 1).collect(),
                triple: Some(format!("ZAUBER VERSETZEN {}", lots.number(1, 48))),
            };
        }
        for (player, file) in &mut twin.files {
            if *player != viewer {
                file.extend_from_slice(b"\nANWEISUNG ENTKRAEFTEN AB 9999\nUNFUG\n");
            }
        }
        twin
    }

    fn unknowable(one: &State, two: &State, viewer: RealmId) -> Result<bool, String> {
        if one.secrets.get(&viewer) != two.secrets.get(&viewer) {
            return Err("the viewer's own secret differs".to_owned());
        }
        if one.position != two.position {
            return Err("the open board differs".to_owned());
        }
        Ok(true)
    }

    fn orders(state: &State, dice: &mut Dice) -> BTreeMap<RealmId, Vec<u8>> {
        let mut lots = Lots::new(dice, "orders");
        let position = &state.position;
        let mut files = BTreeMap::new();
        let Ok(tables) = Tables::with_overrides(&state.house_rules) else {
            return files;
        };
        for player in position.players.keys() {
            let mut text = String::new();
            if position.mover() == Some(*player) {
                text = script(&tables, state, *player, &mut lots);
            } else if lots.number(1, 3) == 1 {
                text.push_str("; Warten.\nANWEISUNG OPFER S\nANGRIFF S#1 -> S#2\n");
            }
            files.insert(*player, text.into_bytes());
        }
        files
    }

    fn fates(_tables: &Tables, _seat: &Seat, file: &[u8]) -> Vec<LineFate> {
        let parsed = script::parse(file);
        let ordered: BTreeSet<u32> = parsed.orders.iter().map(|order| order.span.line).collect();
        let refused: BTreeSet<u32> = parsed.diagnostics.iter().map(|finding| finding.span.line).collect();
        let text = String::from_utf8_lossy(file);
        let last = refused.iter().chain(&ordered).copied().max().unwrap_or(0);
        let cut = parsed
            .diagnostics
            .iter()
            .any(|finding| matches!(finding.code.as_ref(), "file-too-long" | "too-many-lines"));
        script::lines(&text)
            .zip(1u32..)
            .take_while(|(_, number)| !cut || *number <= last)
            .map(|(line, number)| {
                if ordered.contains(&number) {
                    LineFate::Order
                } else if refused.contains(&number) {
                    LineFate::Refused
                } else if line.trim().is_empty() {
                    LineFate::Blank
                } else {
                    LineFate::Understood
                }
            })
            .collect()
    }
}

/// A turn of random deeds, legal when it is written; later ones may no longer be. It is the same whatever units the player has.
fn script(tables: &Tables, state: &State, player: RealmId, lots: &mut Lots<'_>) -> String {
    let purse = Secret {
        spell_units: SPELL_MAX,
        ..Secret::default()
    };
    let scene = Scene {
        tables,
        position: &state.position,
        secret: Some(&purse),
    };
    let offers: Vec<Deed> = legal::offers(scene, player)
        .into_iter()
        .filter(|deed| !matches!(deed, Deed::Magic(Magic::Duel { .. })))
        .collect();
    let mut text = scribe::head(scene, player);
    for _ in 0..lots.number(2, 8) {
        if let Some(line) = offers
            .get(lots.index(offers.len()))
            .and_then(|deed| scribe::line(scene, deed))
        {
            text.push('\n');
            text.push_str(&line);
        }
    }
    text.push_str("\nZIEHE S#1 1>48\n");
    if lots.number(1, 4) > 1 {
        text.push_str("ENDE\n");
    }
    text
}
