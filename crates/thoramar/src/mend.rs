//! Proposed repairs for the findings of a check, from what the player knows.
//!
//! The reader of the file mends what is misspelt by itself; here stands what needs the map, the armies and the books: a number that
//! can be paid, a field that can be built on, an army that exists. Where nothing better is known a line is made a comment, or
//! loses the special that cannot be carried out, so that the rest of the file stays as it is.

use crate::codes::{Building, Command, Condition, Kind, Network};
use crate::geo::Place;
use crate::order::{March, Order, Special};
use crate::state::ArmyName;
use crate::tables::Tables;
use crate::view::{SiteView, View};
use kernel::diagnostic::{Diagnostic, Parsed, Span, Spanned, Value};
use kernel::hex::Direction;
use std::collections::{BTreeMap, BTreeSet};

/// What repairs are made from.
pub struct Workshop<'a> {
    tables: &'a Tables,
    view: &'a View,
    /// The orders by line of the file.
    lines: BTreeMap<u32, &'a Spanned<Order>>,
    /// The armies that lines of the file are for.
    ordered: BTreeSet<ArmyName>,
    /// Armies that lines of the file would arm, split off or summon.
    wanted: BTreeSet<ArmyName>,
    /// Fields that lines of the file would build on.
    sites: BTreeSet<Place>,
}

/// A place in the file and what should stand there.
type Mended = (Span, String);

impl<'a> Workshop<'a> {
    /// The workshop of a realm; none for the game master, who has no orders.
    pub fn new(tables: &'a Tables, view: &'a View, parsed: &'a Parsed<Order>) -> Option<Self> {
        let tables = tables.of(view.realm()?);
        let (mut ordered, mut wanted, mut sites) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for order in &parsed.orders {
            match &order.value {
                Order::March(march) => {
                    ordered.insert(march.army.value);
                    match march.special.map(|special| special.value) {
                        Some(Special::Split { number, .. }) => {
                            wanted.insert(ArmyName::new(march.army.value.kind, number));
                        }
                        Some(Special::Summon { demon, .. }) => {
                            wanted.insert(demon);
                        }
                        _ => {}
                    }
                }
                Order::Arm { army, .. } => {
                    wanted.insert(army.value);
                }
                Order::Build { place, .. } => sites.extend(view.normal(place.value)),
                _ => {}
            }
        }
        Some(Self {
            tables,
            view,
            lines: parsed.orders.iter().map(|order| (order.span.line, order)).collect(),
            ordered,
            wanted,
            sites,
        })
    }

    /// Adds a repair to a finding that has none.
    pub fn mend(&self, finding: &mut Diagnostic) {
        if finding.repair.is_some() {
            return;
        }
        let Some(order) = self.lines.get(&finding.span.line) else {
            return;
        };
        let mended = match &order.value {
            // Another line was to bring this army into being: the mistake stands there.
            Order::March(march) if &*finding.code == "A01" && self.wanted.contains(&march.army.value) => return,
            Order::March(march) => self.march(march, order.span, finding),
            Order::Arm {
                direction: Some(direction),
                ..
            } if &*finding.code == "R15w" => Some((direction.span, String::new())),
            Order::Arm { army, count, place, .. } => self.arming(order, army.value, *count, place, finding),
            Order::Build { building, .. } if &*finding.code == "B12" => {
                Some((end_of(order.span), format!(" {}", building.code())))
            }
            Order::Build { building, place, .. } => self.building(*building, place, finding),
            Order::Lay {
                network, directions, ..
            } => digits(*network, directions, finding),
            Order::Pay { amount, .. } if &*finding.code == "G03" => number(finding, "v")
                .filter(|gold| *gold > 0)
                .map(|gold| (amount.span, gold.to_string())),
            _ => None,
        };
        let useless = &*finding.code == "B15w";
        if let Some((span, text)) = mended.or_else(|| (!useless).then(|| comment_out(order.span))) {
            *finding = finding.clone().mended_by(span, text);
        }
    }

    /// An order line for an army that has none, beside the other lines of armies (GAP-04).
    pub fn line_for(&self, name: ArmyName) -> Mended {
        let flag = self.view.army(name).map_or("", |army| army.flag.code());
        let line = format!("{name} 0000000000000 V{flag}\n");
        let is_march = |order: &Spanned<Order>| matches!(order.value, Order::March(_));
        match self.lines.iter().find(|(_, order)| is_march(order)) {
            Some((number, _)) => (start_of(*number), line),
            None => (start_of(1), format!("$A\n{line}")),
        }
    }

    fn march(&self, march: &March, line: Span, finding: &Diagnostic) -> Option<Mended> {
        let special = march.special.as_ref();
        let without_special = || special.map(|special| (special.span, String::new()));
        let (command, flag) = (march.command, march.flag.code());
        match &*finding.code {
            "A01" if finding.span == march.army.span => self
                .army_meant(march.army.value)
                .map(|name| (finding.span, name.to_string())),
            "A02" => Some(comment_out(line)),
            "A04" if command.value == Command::Destroy => Some(attack_instead(march, flag)),
            "A04" => Some((command.span, format!("A{flag}"))),
            "A09" | "A22" => special.and_then(|special| self.free_number(march.army.value.kind, special)),
            "A10" => special.and_then(|special| self.parts(march.army.value, special)),
            "A20" => {
                let length = (command.span.column + command.span.length).saturating_sub(march.route.span.column);
                let both = Span {
                    length,
                    ..march.route.span
                };
                Some((both, format!("0000000000000 V{flag}")))
            }
            "A24" | "A31" => special
                .and_then(|special| self.nearer(march.army.value, special))
                .or_else(without_special),
            "A27" => Some(attack_instead(march, flag)),
            "A25" if command.value == Command::Destroy => Some(attack_instead(march, flag)),
            "A28" | "A29" => Some((command.span, format!("A{flag}"))),
            "A35w" => Some((command.span, command.value.code().to_owned())),
            "A36" => Some((march.route.span, "0000000000000".to_owned())),
            "A38w" => Some((command.span, format!("V{flag}"))),
            _ => without_special(),
        }
    }

    /// The own army that the player most likely meant: one without an order, of the same kind or with the same number.
    fn army_meant(&self, named: ArmyName) -> Option<ArmyName> {
        let likeness = |name: &ArmyName| {
            let same_kind = name.kind == named.kind;
            let same_arm = name.kind.arm() == named.kind.arm();
            let same_number = name.number == named.number;
            (same_kind || same_arm || same_number).then(|| {
                (
                    !same_kind,
                    !(same_arm && same_number),
                    !same_arm,
                    name.number.abs_diff(named.number),
                )
            })
        };
        let free = self
            .view
            .own_armies()
            .map(|(name, _)| name)
            .filter(|name| !self.ordered.contains(name));
        free.filter(|name| likeness(name).is_some())
            .min_by_key(|name| likeness(name))
    }

    /// A special that names a new army by a number that nobody has and no line uses.
    fn free_number(&self, kind: Kind, special: &Spanned<Special>) -> Option<Mended> {
        let (kind, count) = match special.value {
            Special::Split { count, .. } => (kind, count),
            Special::Summon { demon, count } => (demon.kind, count),
            _ => return None,
        };
        let is_taken = |name: &ArmyName| self.view.army(*name).is_some() || self.ordered.contains(name);
        let most = u32::try_from(self.tables.orders.max_army_id).unwrap_or(0);
        let free = (1..=most)
            .map(|number| ArmyName::new(kind, number))
            .find(|name| !is_taken(name))?;
        Some((special.span, format!("{free} {count}")))
    }

    /// A split that leaves both parts enough, as near to what was written as can be (THO-SPEC-03); none for an army that is too small.
    fn parts(&self, army: ArmyName, special: &Spanned<Special>) -> Option<Mended> {
        let Special::Split { number, count } = special.value else {
            return None;
        };
        let (least, all) = (self.tables.exist_min(army.kind), self.view.army(army)?.count);
        let text = if all < least.saturating_mul(2) {
            String::new()
        } else {
            format!(
                "{} {}",
                ArmyName::new(army.kind, number),
                count.clamp(least, all - least)
            )
        };
        Some((special.span, text))
    }

    /// For a blessing, the own field in reach of the priest that is nearest to the one he was told (GAP-36).
    fn nearer(&self, priest: ArmyName, special: &Spanned<Special>) -> Option<Mended> {
        let Special::Bless(wanted) = special.value else {
            return None;
        };
        let here = self.view.army(priest)?.place;
        let reach = self.tables.magic.bless_range;
        let in_reach = |place: Place| {
            self.view
                .distance(here, place)
                .is_some_and(|far| i64::from(far) <= reach)
        };
        let place = self.nearest_own(wanted, |place, _| in_reach(place))?;
        Some((special.span, format!("{} {}", place.x, place.y)))
    }

    /// The own field nearest to a place that fits; of equals the first by place.
    fn nearest_own(&self, to: Place, fits: impl Fn(Place, Option<&SiteView>) -> bool) -> Option<Place> {
        let fields = self.view.own_fields();
        let fitting = fields.filter(|(place, _, own)| fits(*place, own.site.as_ref()));
        fitting
            .filter_map(|(place, _, _)| Some((self.view.distance(place, to)?, place)))
            .min()
            .map(|(_, place)| place)
    }

    fn arming(
        &self,
        order: &Spanned<Order>,
        army: ArmyName,
        count: Spanned<i64>,
        place: &Spanned<Place>,
        finding: &Diagnostic,
    ) -> Option<Mended> {
        let tables = self.tables;
        let (kind, known) = (army.kind, self.view.army(army));
        let least = match known {
            Some(_) if !tables.arming.min_applies_to_top_up => 1,
            _ => tables.arm_min(kind),
        };
        let price = tables.price_per_head(kind).max(1);
        let heads = |most: i64| (most >= least).then(|| (count.span, most.to_string()));
        match &*finding.code {
            "R01" | "R02" | "R03" | "R11" => {
                let arms = |site: &SiteView| {
                    let able = site.standing && site.condition != Condition::Ruin && tables.arms(site.building, kind);
                    able && !tables.top_up_only(kind, site.building)
                        && site.capacity_left >= least.saturating_mul(price)
                };
                let instead = self.nearest_own(place.value, |_, site| site.is_some_and(arms))?;
                Some((place.span, format!("{} {}", instead.x, instead.y)))
            }
            "R04" => number(finding, "min").map(|least| (count.span, least.to_string())),
            "R05" => number(finding, "k").and_then(|left| heads(left / price)),
            "R06" => {
                let fixed = match known {
                    Some(_) if !tables.arming.fixed_price_on_top_up => 0,
                    _ => tables.price_fixed(kind),
                };
                number(finding, "v").and_then(|gold| heads((gold - fixed) / price))
            }
            "R08" | "R09" => {
                let side = self.waterside(place.value)?.digit();
                let (span, text) = match (&order.value, &*finding.code) {
                    (
                        Order::Arm {
                            direction: Some(direction),
                            ..
                        },
                        "R09",
                    ) => (direction.span, side.to_string()),
                    _ => (end_of(order.span), format!(" {side}")),
                };
                Some((span, text))
            }
            "R13" => {
                let most = number(finding, "max")? - known.map_or(0, |army| army.count);
                heads(most)
            }
            _ => None,
        }
    }

    /// The first direction in which the player knows water beside a place.
    fn waterside(&self, place: Place) -> Option<Direction> {
        Direction::ALL.into_iter().find(|direction| {
            let beside = self.view.neighbour(place, *direction);
            let known = beside.and_then(|beside| self.view.fields.get(&beside));
            known.is_some_and(|field| self.tables.is_water(field.glimpse.terrain))
        })
    }

    fn building(&self, building: Building, place: &Spanned<Place>, finding: &Diagnostic) -> Option<Mended> {
        match &*finding.code {
            "B02" | "B03" | "B04" | "B11" if self.tables.new_building(building).is_some() => {
                let free = self.nearest_own(place.value, |own, site| site.is_none() && !self.sites.contains(&own))?;
                Some((place.span, format!("{} {}", free.x, free.y)))
            }
            "B06" => {
                let targets = finding.args.iter().find(|(name, _)| name == "ziele");
                let Some((_, Value::Text(codes))) = targets else {
                    return None;
                };
                let code = codes
                    .split_whitespace()
                    .find(|code| *code != Building::Capital.code())?;
                let first = Span {
                    column: finding.span.column,
                    length: 3,
                    line: finding.span.line,
                };
                (finding.span.column < place.span.column).then(|| (first, code.to_owned()))
            }
            _ => None,
        }
    }
}

/// Roads end before the step that cannot be, bridges and walls leave out the side; the last digit is not taken away.
fn digits(network: Network, directions: &[Spanned<Direction>], finding: &Diagnostic) -> Option<Mended> {
    let at = directions.iter().position(|digit| digit.span == finding.span)?;
    if network != Network::Road {
        return (directions.len() > 1).then(|| (finding.span, String::new()));
    }
    let last = directions.last()?.span;
    let rest = Span {
        length: (last.column + last.length).saturating_sub(finding.span.column),
        ..finding.span
    };
    (at > 0).then(|| (rest, String::new()))
}

/// An army that cannot destroy attacks: command and target together.
fn attack_instead(march: &March, flag: &str) -> Mended {
    let command = march.command.span;
    let end = march
        .special
        .as_ref()
        .map_or(command.column + command.length, |special| {
            special.span.column + special.span.length
        });
    let both = Span {
        length: end.saturating_sub(command.column),
        ..command
    };
    (both, format!("A{flag}"))
}

/// The line is left out, and still there to be thought over.
pub(crate) fn comment_out(line: Span) -> Mended {
    (start_of(line.line), ";".to_owned())
}

const fn start_of(line: u32) -> Span {
    Span {
        line,
        column: 1,
        length: 0,
    }
}

const fn end_of(order: Span) -> Span {
    Span {
        line: order.line,
        column: order.column.saturating_add(order.length),
        length: 0,
    }
}

/// A number that the wording of a finding names.
fn number(finding: &Diagnostic, name: &str) -> Option<i64> {
    finding.args.iter().find_map(|(own, value)| match value {
        Value::Int(number) if own == name => Some(*number),
        _ => None,
    })
}
