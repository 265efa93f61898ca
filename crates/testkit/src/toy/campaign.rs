//! Random settings of the toy. A host learns of others only where it ends its march, so gold and digging elsewhere are secret.

use super::{FIELDS, Host, State, Tables, Toy, orders};
use kernel::campaign::{Campaign, LineFate, Secrets, Setting};
use kernel::dice::{Dice, Owner};
use kernel::realm::RealmId;
use std::collections::{BTreeMap, BTreeSet};

fn draw(dice: &mut Dice, name: &str, max: i64) -> i64 {
    dice.roll(Owner::World, name, 0, max)
}

impl Campaign for Toy {
    const SECRETS: Secrets = Secrets::AllBut(&[]);

    fn setting(dice: &mut Dice) -> Result<Setting<Self>, String> {
        let mut setting = Setting::<Self> {
            state: State {
                step: 1,
                ..State::default()
            },
            files: Default::default(),
        };
        for (name, number) in ["Adler", "Bär", "Chimäre"].into_iter().zip(1u16..) {
            let host = Host {
                name: name.to_owned(),
                at: draw(dice, &format!("at {number}"), FIELDS - 1),
                gold: draw(dice, &format!("gold {number}"), 100),
            };
            setting.state.hosts.insert(RealmId(number), host);
        }
        setting.files = Self::orders(&setting.state, dice);
        Ok(setting)
    }

    fn scramble(setting: &Setting<Self>, viewer: RealmId, _steps: u32, dice: &mut Dice) -> Setting<Self> {
        let mut twin = setting.clone();
        for (realm, host) in &mut twin.state.hosts {
            if *realm != viewer {
                host.gold += 1 + draw(dice, &format!("gold {realm}"), 100);
            }
        }
        for (realm, file) in &mut twin.files {
            if *realm != viewer {
                file.extend_from_slice(b"DIG\nFLY\n");
            }
        }
        twin
    }

    fn unknowable(one: &State, two: &State, viewer: RealmId) -> Result<bool, String> {
        match one.hosts.get(&viewer) == two.hosts.get(&viewer) {
            true => Ok(true),
            false => Err("the viewer's own host differs".to_owned()),
        }
    }

    fn orders(state: &State, dice: &mut Dice) -> BTreeMap<RealmId, Vec<u8>> {
        let file = |realm: &RealmId| {
            let to = draw(dice, &format!("to {realm}"), FIELDS);
            (*realm, format!("MARCH {to}\n; dig\nDIG\nPRAY\n").into_bytes())
        };
        state.hosts.keys().map(file).collect()
    }

    fn fates(_tables: &Tables, _seat: &RealmId, file: &[u8]) -> Vec<LineFate> {
        let parsed = orders::parse(file);
        let ordered: BTreeSet<u32> = parsed.orders.iter().map(|order| order.span.line).collect();
        let refused: BTreeSet<u32> = parsed.diagnostics.iter().map(|finding| finding.span.line).collect();
        let text = orders::text(file);
        let fates = orders::lines(&text).zip(1u32..).map(|(line, number)| {
            if ordered.contains(&number) {
                LineFate::Order
            } else if refused.contains(&number) {
                LineFate::Refused
            } else if line.trim().is_empty() {
                LineFate::Blank
            } else {
                LineFate::Understood
            }
        });
        fates.collect()
    }
}
