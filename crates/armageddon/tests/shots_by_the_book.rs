//! Shots, judged a second time.
//!
//! A model that knows nothing of the program's board, tables and lines: terrains, ranges and numbers are written down here from the catalogue
//! (ARM-GAP-06, ARM-GAP-07), and lines of sight are walked in small steps, once a little to the left and once a little to the right of the
//! straight line. The program must allow the same shots and need the same number for each.

use armageddon::Armageddon;
use armageddon::battle::Scene;
use armageddon::kinds::Kind;
use armageddon::missiles;
use armageddon::tables::Tables;
use kernel::realm::RealmId;
use kernel::stage::{Stage as _, StageLine};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// ARM-GAP-02: rows of 4, 5, 6, 7, 8, 7, 6, 5 fields; row r begins at q = 0, -1, -2, -3, -4, -4, -4, -4.
const ROWS: [(i32, i32); 8] = [(4, 0), (5, -1), (6, -2), (7, -3), (8, -4), (7, -4), (6, -4), (5, -4)];
/// Name, level, forest.
const TERRAINS: [(&str, i64, bool); 8] = [
    ("lowland", 1, false),
    ("lowland-forest", 1, true),
    ("swamp", 1, false),
    ("highland", 2, false),
    ("highland-forest", 2, true),
    ("mountain-country", 3, false),
    ("mountain-forest", 3, true),
    ("mountain", 4, false),
];
/// Bows of class A, B and C: points of the shooter, armour of the target.
const BOWS: [(&str, i64); 3] = [("B", 0), ("BB", 1), ("BC", 2)];
/// Small steps of a line for each field of its length.
const STEPS: i32 = 400;

fn fields() -> Vec<(i32, i32)> {
    let rows = (0i32..).zip(ROWS);
    rows.flat_map(|(row, (count, first))| (0..count).map(move |column| (first + column, row)))
        .collect()
}

fn distance((q, r): (i32, i32), (p, s): (i32, i32)) -> i64 {
    let (dq, dr) = (p - q, s - r);
    i64::from(dq.abs().max(dr.abs()).max((dq + dr).abs()))
}

/// The field whose centre is nearest to a point.
fn nearest(q: f64, r: f64) -> (i32, i32) {
    let (cq, cr, cs) = (q.round(), r.round(), (-q - r).round());
    let (dq, dr, ds) = ((cq - q).abs(), (cr - r).abs(), (cs + q + r).abs());
    let whole = |value: f64| value as i32;
    if dq > dr && dq > ds {
        (whole(-cr - cs), whole(cr))
    } else if dr > ds {
        (whole(cq), whole(-cq - cs))
    } else {
        (whole(cq), whole(cr))
    }
}

struct Model {
    terrain: BTreeMap<(i32, i32), usize>,
}

impl Model {
    fn level(&self, at: (i32, i32)) -> i64 {
        TERRAINS[self.terrain.get(&at).copied().unwrap_or(0)].1
    }

    fn forest(&self, at: (i32, i32)) -> bool {
        TERRAINS[self.terrain.get(&at).copied().unwrap_or(0)].2
    }

    /// ARM-GAP-07: a field in between blocks if it is higher than both ends, or higher than the lower one and right beside it.
    fn blocks(&self, at: (i32, i32), ends: [(i32, i32); 2]) -> bool {
        if ends.contains(&at) {
            return false;
        }
        let height = self.level(at) + i64::from(self.forest(at));
        let [one, other] = ends.map(|end| self.level(end));
        let beside_lower = ends
            .into_iter()
            .any(|end| self.level(end) == one.min(other) && distance(at, end) == 1);
        height > one.max(other) || (height > one.min(other) && beside_lower)
    }

    fn sees(&self, from: (i32, i32), to: (i32, i32)) -> bool {
        let way = (f64::from(to.0 - from.0), f64::from(to.1 - from.1));
        // At right angles to the way, in columns and rows: (q, r) and (-q - 2r, 2q + r).
        let aside = (-way.0 - 2.0 * way.1, 2.0 * way.0 + way.1);
        let steps = STEPS * i32::try_from(distance(from, to)).unwrap_or(1);
        (1..steps).all(|step| {
            let part = f64::from(step) / f64::from(steps);
            let at = |shift: f64| {
                let q = f64::from(from.0) + way.0 * part + aside.0 * shift;
                let r = f64::from(from.1) + way.1 * part + aside.1 * shift;
                nearest(q, r)
            };
            // A line along an edge uses the side that is better for the shooter.
            [1e-6, -1e-6]
                .into_iter()
                .any(|shift| !self.blocks(at(shift), [from, to]))
        })
    }

    /// The number of a shot less the points for it, or nothing if it cannot be shot.
    fn needs(&self, (from, points): ((i32, i32), i64), (to, armour): ((i32, i32), i64)) -> Option<i64> {
        let far = distance(from, to).max(1);
        let (here, there) = (self.level(from), self.level(to));
        let range = if here > there { 4 } else { 3 };
        if far > range || !self.sees(from, to) {
            return None;
        }
        let cover = i64::from(self.forest(to));
        Some(11 + far + (there - here).max(0) - (points - armour - cover))
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 160, ..ProptestConfig::default() })]

    #[test]
    fn every_shot_is_allowed_and_needs_what_the_catalogue_says(
        terrain in proptest::collection::vec((0usize..48, 0usize..TERRAINS.len()), 0..40),
        own in proptest::collection::btree_map(0usize..48, 0usize..3, 1..8),
        foes in proptest::collection::btree_map(0usize..48, 0usize..3, 1..16),
    ) {
        let fields = fields();
        let mut model = Model { terrain: BTreeMap::new() };
        let mut lines = Vec::new();
        for (field, kind) in terrain {
            // Nobody stands on mountains.
            let stands = own.contains_key(&field) || foes.contains_key(&field);
            let kind = if stands && TERRAINS[kind].0 == "mountain" { 0 } else { kind };
            model.terrain.insert(fields[field], kind);
            lines.push(format!("field {} {}", field + 1, TERRAINS[kind].0));
        }
        for (field, kind) in &own {
            lines.push(format!("figure Adler {} {} at {}", BOWS[*kind].0, field + 1, field + 1));
        }
        for (field, kind) in foes.iter().filter(|(field, _)| !own.contains_key(field)) {
            lines.push(format!("figure Bär {} {} at {}", BOWS[*kind].0, field + 101, field + 1));
        }
        let tables = Tables::book().expect("the book");
        let stage: Vec<StageLine> = lines
            .iter()
            .zip(1u32..)
            .map(|(text, line)| StageLine { line, text: text.clone() })
            .collect();
        let state = Armageddon::world(&tables, "", &stage).expect("a battle");
        let scene = Scene { tables: &tables, position: &state.position, secret: None };
        let find = |kind: usize, number: usize| {
            let kind = Kind::from_code(BOWS[kind].0).expect("a kind");
            state.position.find(kind, u16::try_from(number).expect("small")).expect("a figure")
        };
        for (field, kind) in &own {
            for (aim, other) in foes.iter().filter(|(field, _)| !own.contains_key(field)) {
                let shooter = find(*kind, field + 1);
                let target = find(*other, aim + 101);
                let found = missiles::shot(scene, RealmId(1), shooter, target).ok().map(|(shot, _)| shot.number - shot.points);
                let wanted = model.needs((fields[*field], BOWS[*kind].1), (fields[*aim], BOWS[*other].1));
                prop_assert_eq!(found, wanted, "{} at {} shoots at {} on {}", BOWS[*kind].0, field + 1, BOWS[*other].0, aim + 1);
            }
        }
    }
}
