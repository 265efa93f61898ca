//! Whether a planned move is possible, from what its player can know (PYG-MOVE-01..11, PYG-TRDR-04, PYG-TRDR-06, PYG-SHIP-01..05, PYG-GAP-05, PYG-GAP-23, PYG-GAP-28..30, PYG-GAP-60).
//!
//! Everything about land is asked of the realm's own knowledge: what it has never seen is found out on the way.

use super::range::{self, Excess, Leg, Manner};
use crate::chart::{Chart, Place};
use crate::codes::{Kind, SettlementKind, Terrain};
use crate::intake;
use crate::month::{Month, MonthTurn, Plan};
use crate::rule;
use crate::settlements::misplaced;
use crate::shipping;
use crate::state::{Army, ArmyId, Glimpse, Sides};
use crate::tables::policy::Crossing;
use kernel::diagnostic::{Diagnostic, Severity, Spanned};
use kernel::hex::{Direction, FieldIndex};
use kernel::rule::RuleId;

/// Rows of great fields beyond the world whose numbers a player may write without learning that they do not exist (PYG-MAP-07).
const ROWS_BEYOND: u32 = 4;

/// A move that was found possible.
pub(super) struct Accepted {
    /// The fields it enters.
    pub(super) path: Vec<Spanned<FieldIndex>>,
    /// It leads over the edge of the world behind them.
    pub(super) edge: bool,
    /// It lies wholly on a road or sea lane.
    pub(super) on_road: bool,
    /// The rules that allow it.
    pub(super) rules: Vec<RuleId>,
    /// What may still go wrong with it, as far as its player can know.
    pub(super) doubt: Option<Box<Diagnostic>>,
}

/// A move that is being judged.
pub(super) struct Case<'a, 'b> {
    pub(super) turn: &'a MonthTurn<'b>,
    pub(super) month: &'a Month,
    pub(super) id: ArmyId,
    pub(super) army: &'a Army,
    pub(super) plan: &'a Plan,
}

/// A step between two fields of the player's chart.
#[derive(Clone, Copy)]
struct Step {
    from: FieldIndex,
    to: Spanned<FieldIndex>,
    direction: Direction,
}

type Verdict<T> = Result<T, Box<Diagnostic>>;

fn refusal(finding: Diagnostic) -> Box<Diagnostic> {
    Box::new(finding)
}

impl Case<'_, '_> {
    /// The whole judgement: stationary armies, the start, adjacency, then by kind.
    pub(super) fn judge(&self) -> Verdict<Accepted> {
        let line = self.plan.line.unwrap_or_default();
        if self.army.stationed {
            // It may have an order, but not a way: the first field of that is wrong.
            let at = self.plan.route.get(1).map_or(line, |field| field.span);
            let finding = Diagnostic::error("E_STATIONARY", at, &[rule::STAT_03]);
            return Err(refusal(finding.with("unit", self.id.name.to_string())));
        }
        if self.plan.bound || self.has_new_men() {
            let finding = Diagnostic::error("E_MONTH", line, &[rule::GAP_25, rule::GAP_26]);
            return Err(refusal(finding.with_word("when", "when-next-month")));
        }
        if !self.id.kind().is_land_army() && (self.plan.embark.is_some() || self.plan.disembark) {
            // Fleets and traders have ships of their own (PYG-SHIP-01).
            let finding = intake::wrong_unit(&self.turn.state, line, self.id, &[rule::SHIP_01]);
            return Err(refusal(finding));
        }
        let start = self.start()?;
        let steps = self.steps(start)?;
        let mut accepted = match self.id.kind() {
            Kind::Fleet => self.fleet(&steps),
            Kind::Trader => self.trader(&steps),
            Kind::Warriors | Kind::Riders => self.land_army(&steps),
        }?;
        let here = steps.iter().map(|step| step.to);
        let count = self.turn.state.chart.field_count();
        accepted.path = here.take_while(|to| to.value.0 < count).collect();
        accepted.edge = accepted.path.len() < steps.len();
        accepted
            .rules
            .extend([rule::SHEET_01, rule::SHEET_04, rule::GAP_31, rule::GAP_71]);
        Ok(accepted)
    }

    /// PYG-GAP-25: men who were raised this month move from next month on, on foot as well as aboard.
    fn has_new_men(&self) -> bool {
        let is_new = |army: &Army| army.raised >= self.month.step;
        let aboard = self.turn.state.cargo(self.id).any(|(_, army)| is_new(army));
        (is_new(self.army) || aboard) && !self.turn.tables.armies.raised_army_moves_same_month
    }

    /// The chart as the player may think of it: rows without an end. Fields of the world have the same index in it.
    fn chart(&self) -> Chart {
        let chart = self.turn.state.chart;
        Chart {
            rows: chart.rows + ROWS_BEYOND,
            ..chart
        }
    }

    /// PYG-GAP-67, PYG-GAP-71: the stated start is where the army stands; aboard, also where its fleet arrives (PYG-GAP-30).
    fn start(&self) -> Verdict<FieldIndex> {
        let Some(first) = self.plan.route.first() else {
            return Ok(self.army.field);
        };
        let landing = self
            .army
            .aboard
            .map(|fleet| shipping::arrival(self.turn, self.month, fleet.of(self.id.realm)));
        let is_here = |field: FieldIndex| self.turn.state.place(field) == first.value;
        if is_here(self.army.field) || landing.is_some_and(is_here) {
            return Ok(landing.unwrap_or(self.army.field));
        }
        let at = self.place(landing.unwrap_or(self.army.field)).to_string();
        let finding = Diagnostic::error("E_FROM", first.span, &[rule::GAP_67, rule::GAP_71]);
        let finding = finding.with("field", first.value.to_string()).with("at", at);
        Err(refusal(finding))
    }

    /// PYG-MAP-04, PYG-GAP-02: consecutive fields are adjacent.
    fn steps(&self, start: FieldIndex) -> Verdict<Vec<Step>> {
        let chart = self.chart();
        let mut from = start;
        let mut steps = Vec::new();
        for place in self.plan.route.iter().skip(1) {
            let to = chart.field(place.value);
            let step = to.and_then(|to| Some((to, chart.direction_to(from, to)?)));
            let Some((to, direction)) = step else {
                let finding = Diagnostic::error("E_ADJ", place.span, &[rule::MAP_04, rule::GAP_02]);
                let finding = finding.with("from", chart.place(from).to_string());
                return Err(refusal(finding.with("to", place.value.to_string())));
            };
            let to = Spanned {
                span: place.span,
                value: to,
            };
            steps.push(Step { from, to, direction });
            from = to.value;
        }
        Ok(steps)
    }

    /// What the realm knows of a field.
    fn known(&self, field: FieldIndex) -> Option<&Glimpse> {
        let own = self.turn.state.realms.get(&self.id.realm)?;
        own.knowledge.get(&field).map(|known| &known.glimpse)
    }

    fn terrain(&self, field: FieldIndex) -> Option<Terrain> {
        let known = self.known(field).map(|glimpse| glimpse.terrain);
        known.filter(|terrain| *terrain != Terrain::Unexplored)
    }

    fn is_water(&self, field: FieldIndex) -> Option<bool> {
        self.terrain(field).map(|terrain| self.turn.tables.is_water(terrain))
    }

    fn height(&self, field: FieldIndex) -> Option<i64> {
        self.terrain(field)
            .map(|terrain| self.turn.tables.terrain[terrain].height)
    }

    /// Whether something lies on the edge that a step crosses, as far as the realm knows one of its sides.
    fn on_edge(&self, step: &Step, sides: impl Fn(&Glimpse) -> Sides) -> bool {
        match (self.known(step.from), self.known(step.to.value)) {
            (Some(from), _) => sides(from).has(step.direction),
            (None, Some(to)) => sides(to).has(step.direction.opposite()),
            (None, None) => false,
        }
    }

    fn is_road(&self, step: &Step) -> bool {
        let may_use = self.turn.tables.road.foreign_use
            || [step.from, step.to.value]
                .into_iter()
                .all(|field| self.known(field).is_some_and(|glimpse| glimpse.owner == self.id.realm));
        may_use && self.on_edge(step, |glimpse| glimpse.roads)
    }

    fn is_inside(&self, field: FieldIndex) -> bool {
        self.month.owner_at_start(field) == self.id.realm
    }

    fn place(&self, field: FieldIndex) -> Place {
        self.chart().place(field)
    }

    fn accept(&self, on_road: bool, rules: &[RuleId]) -> Accepted {
        Accepted {
            path: Vec::new(),
            edge: false,
            on_road,
            rules: rules.to_vec(),
            doubt: None,
        }
    }

    /// A land army's move: onto land, onto a fleet with the last step, off a fleet with the first.
    ///
    /// PYG-MOVE-11, PYG-GAP-05, then PYG-MOVE-01..06 and PYG-MOVE-09.
    fn land_army(&self, steps: &[Step]) -> Verdict<Accepted> {
        let boards = self.plan.embark.is_some();
        let lands = self.army.aboard.is_some();
        let doubt = self.ships(steps, lands)?;
        let marching = if boards {
            steps.len().saturating_sub(1)
        } else {
            steps.len()
        };
        let mut legs = Vec::new();
        for (index, step) in steps.iter().enumerate() {
            if index >= marching {
                legs.push(Leg::default());
                continue;
            }
            self.onto_land(step)?;
            self.over_river(step, index + 1 == steps.len())?;
            let mountains = self.terrain(step.to.value) == Some(Terrain::Mountains);
            let landing = lands && index == 0;
            let heights = self.height(step.from).zip(self.height(step.to.value));
            legs.push(Leg {
                inside: Some(self.is_inside(step.to.value)),
                road: !landing && self.is_road(step),
                height: heights.filter(|_| !landing).map_or(0, |(from, to)| (from - to).abs()),
                mountains,
            });
        }
        let manner = self.within_range(self.id.kind(), steps, &legs)?;
        let mut accepted = self.accept(manner == Manner::Road, manner.rules());
        accepted.doubt = doubt;
        if self.id.kind() == Kind::Riders && legs.iter().any(|leg| leg.mountains) {
            accepted.rules.push(rule::MOVE_06);
        }
        if steps.iter().any(|step| self.is_river(step)) {
            accepted.rules.push(rule::GAP_05);
        }
        if boards {
            accepted.rules.extend([rule::SHEET_05, rule::SHIP_02]);
        }
        Ok(accepted)
    }

    /// PYG-MOVE-11: land armies do not enter water that they know.
    fn onto_land(&self, step: &Step) -> Verdict<()> {
        if self.is_water(step.to.value) != Some(true) {
            return Ok(());
        }
        let finding = Diagnostic::error("E_WATER", step.to.span, &[rule::MOVE_11]);
        Err(refusal(finding.with("field", self.place(step.to.value).to_string())))
    }

    fn is_river(&self, step: &Step) -> bool {
        self.on_edge(step, |glimpse| glimpse.rivers) && !self.on_edge(step, |glimpse| glimpse.bridges)
    }

    /// PYG-GAP-05: a river without a bridge only with the last step of the month.
    fn over_river(&self, step: &Step, is_last: bool) -> Verdict<()> {
        let may = match self.turn.tables.movement.unbridged_river {
            Crossing::Free => true,
            Crossing::LastStep => is_last,
            Crossing::Blocked => false,
        };
        if may || !self.is_river(step) {
            return Ok(());
        }
        let finding = Diagnostic::error("E_RIVER", step.to.span, &[rule::GAP_05]);
        let finding = finding.with("from", self.place(step.from).to_string());
        let finding = finding.with("to", self.place(step.to.value).to_string());
        let expected = match self.turn.tables.movement.unbridged_river {
            Crossing::Blocked => "river-bridge",
            Crossing::LastStep | Crossing::Free => "river-last",
        };
        Err(refusal(finding.with_word("expected", expected)))
    }

    fn within_range(&self, kind: Kind, steps: &[Step], legs: &[Leg]) -> Verdict<Manner> {
        let span = |at: usize| {
            let step = steps.get(at).or(steps.last());
            step.map_or(self.plan.line.unwrap_or_default(), |step| step.to.span)
        };
        let beyond = |max: i64| span(usize::try_from(max).unwrap_or(0));
        range::judge(self.turn.tables, kind, legs).map_err(|excess| {
            refusal(match excess {
                Excess::Range { steps, max } => {
                    let finding = Diagnostic::error("E_RANGE", beyond(max), &[rule::MOVE_01, rule::MOVE_09]);
                    finding.with("n", steps).with("max", max)
                }
                Excess::Mix => {
                    let finding = Diagnostic::error("E_MIX", span(usize::MAX), &[rule::MOVE_05, rule::GAP_28]);
                    let way = if kind == Kind::Riders {
                        "way-riders"
                    } else {
                        "way-realm"
                    };
                    finding.with_word("what", "mix-realm").with_word("way", way)
                }
                Excess::Height { levels, max, at } => {
                    let finding = Diagnostic::error("E_HEIGHT", span(at), &[rule::MOVE_03, rule::GAP_29]);
                    finding.with("n", levels).with("max", max)
                }
                Excess::Mountain { max, at } => {
                    Diagnostic::error("E_MOUNTAIN", span(at), &[rule::MOVE_06]).with("max", max)
                }
            })
        })
    }

    fn count_range(&self, steps: &[Step], max: i64, rules: &[RuleId]) -> Verdict<()> {
        let count = steps.len() as i64;
        if count <= max {
            return Ok(());
        }
        let at = steps.get(usize::try_from(max).unwrap_or(0)).or(steps.last());
        let span = at.map_or(self.plan.line.unwrap_or_default(), |step| step.to.span);
        Err(refusal(
            Diagnostic::error("E_RANGE", span, rules)
                .with("n", count)
                .with("max", max),
        ))
    }

    /// PYG-SHIP-01..05, PYG-GAP-30: going aboard and ashore, as far as it can be known beforehand; what may become of it.
    fn ships(&self, steps: &[Step], lands: bool) -> Verdict<Option<Box<Diagnostic>>> {
        let line = self.plan.line.unwrap_or_default();
        if self.plan.disembark && !lands {
            let finding = Diagnostic::error("E_ABOARD", line, &[rule::SHIP_03]);
            return Err(refusal(finding.with("unit", self.id.name.to_string())));
        }
        if lands && self.plan.embark.is_some() {
            // Not in the month of embarking.
            return Err(refusal(
                Diagnostic::error("E_ABOARD", line, &[rule::GAP_30]).with("unit", self.id.name.to_string()),
            ));
        }
        if let Some(first) = steps.first().filter(|_| lands) {
            self.coast(first.to, &[rule::SHIP_01, rule::GAP_30])?;
        }
        let mut doubt = None;
        if let (Some(fleet), Some(last)) = (self.plan.embark, steps.last()) {
            match shipping::may_board(self.turn, self.month, self.id, fleet, last.to) {
                // Room is asked for when it goes aboard, and until then it may have lost men (PYG-GAP-30).
                Err(mut finding) if finding.code == "E_CAPACITY" && self.may_shrink(steps) => {
                    finding.severity = Severity::Warning;
                    doubt = Some(finding);
                }
                verdict => verdict?,
            }
            let shore = Spanned {
                span: last.to.span,
                value: last.from,
            };
            self.coast(shore, &[rule::SHIP_01])?;
        }
        Ok(doubt)
    }

    /// Whether difficult terrain, or land that nobody has seen, lies on the way to the shore (PYG-ATTR-01).
    fn may_shrink(&self, steps: &[Step]) -> bool {
        let way = steps.split_last().map_or(&[][..], |(_, way)| way);
        let costs = |terrain: Terrain| self.turn.tables.terrain[terrain].difficult;
        way.iter()
            .any(|step| !self.is_road(step) && self.terrain(step.to.value).is_none_or(costs))
    }

    /// Whether the realm knows a harbour town there, or a capital at the water, of whomever (PYG-GAP-15, PYG-GAP-30).
    fn is_harbour(&self, field: FieldIndex) -> bool {
        match self.known(field).and_then(|glimpse| glimpse.settlement) {
            Some(SettlementKind::HarbourTown) => true,
            Some(SettlementKind::Capital) if self.turn.tables.settling.coastal_capital_is_harbour => {
                let mut around = self.turn.state.chart.neighbours(field);
                around.any(|(_, beside)| self.is_water(beside) == Some(true))
            }
            _ => false,
        }
    }

    /// PYG-SHIP-01: level 0, or a harbour town of anybody.
    fn coast(&self, field: Spanned<FieldIndex>, rules: &[RuleId]) -> Verdict<()> {
        if self.height(field.value).unwrap_or(0) == 0 || self.is_harbour(field.value) {
            return Ok(());
        }
        let finding = Diagnostic::error("E_COAST", field.span, rules);
        Err(refusal(finding.with("field", self.place(field.value).to_string())))
    }

    /// A fleet's move: only water; on a sea lane, in home waters or outside.
    ///
    /// PYG-ARMY-05, PYG-MOVE-01, PYG-MOVE-08, PYG-MOVE-09, PYG-GAP-23.
    fn fleet(&self, steps: &[Step]) -> Verdict<Accepted> {
        if let Some(step) = steps.iter().find(|step| self.is_water(step.to.value) == Some(false)) {
            let finding = Diagnostic::error("E_LAND", step.to.span, &[rule::ARMY_05]);
            return Err(refusal(finding.with("field", self.place(step.to.value).to_string())));
        }
        let ranges = &self.turn.tables.movement;
        let (max, on_lane) = if self.is_on_lanes(steps) {
            (ranges.road[Kind::Fleet], true)
        } else if steps.iter().all(|step| self.is_home_water(step.to.value)) {
            (ranges.inside[Kind::Fleet], false)
        } else {
            (ranges.outside[Kind::Fleet], false)
        };
        self.count_range(steps, max, &[rule::MOVE_01, rule::MOVE_09, rule::GAP_23])?;
        let mut rules = vec![rule::MOVE_01, rule::MOVE_02, rule::GAP_23, rule::ARMY_05, rule::ARMY_06];
        if on_lane {
            rules.push(rule::MOVE_09);
        }
        if steps.len() as u32 > self.turn.tables.armies.sight {
            rules.push(rule::MOVE_08);
        }
        if steps.len() as i64 <= ranges.reef_safe_steps {
            rules.push(rule::MOVE_10);
        }
        if self.turn.state.cargo(self.id).next().is_some() {
            rules.push(rule::MOVE_07);
        }
        Ok(self.accept(on_lane, &rules))
    }

    /// PYG-GAP-23: water within one field of land that was the realm's when the month began.
    fn is_home_water(&self, field: FieldIndex) -> bool {
        let near = self.turn.tables.movement.home_water_distance;
        let around = self.turn.state.chart.range(field, near);
        around.into_iter().any(|field| self.is_inside(field))
    }

    /// PYG-MOVE-09, PYG-GAP-23: every step lies on a lane that was registered in an earlier month.
    fn is_on_lanes(&self, steps: &[Step]) -> bool {
        let Some(own) = self.turn.state.realms.get(&self.id.realm) else {
            return false;
        };
        let usable = || own.lanes.values().filter(|lane| lane.since < self.month.step);
        let on_one = |step: &Step| {
            usable().any(|lane| {
                lane.fields
                    .windows(2)
                    .any(|pair| pair == [step.from, step.to.value] || pair == [step.to.value, step.from])
            })
        };
        !steps.is_empty() && steps.iter().all(on_one)
    }

    /// A trader's move: in the own realm, on roads, or over known water; never two of them in one month.
    ///
    /// PYG-TRDR-04, PYG-TRDR-06, PYG-GAP-60.
    fn trader(&self, steps: &[Step]) -> Verdict<Accepted> {
        let rules = [rule::TRDR_04, rule::TRDR_05, rule::TRDR_06, rule::GAP_60];
        let ranges = &self.turn.tables.movement;
        let wet = |field: FieldIndex| self.is_water(field);
        if let Some(step) = steps.iter().find(|step| wet(step.to.value).is_none()) {
            let finding = Diagnostic::error("E_UNKNOWN", step.to.span, &[rule::TRDR_04]);
            return Err(refusal(finding.with("name", self.place(step.to.value).to_string())));
        }
        let touches_water = |step: &Step| wet(step.from) == Some(true) || wet(step.to.value) == Some(true);
        if steps.iter().any(touches_water) {
            self.by_sea(steps)?;
            self.count_range(steps, ranges.trader_sea, &rules)?;
            return Ok(self.accept(self.is_on_lanes(steps), &rules));
        }
        if steps.iter().all(|step| self.is_road(step)) {
            self.count_range(steps, ranges.road[Kind::Trader], &rules)?;
            return Ok(self.accept(true, &rules));
        }
        if let Some(step) = steps.iter().find(|step| !self.is_inside(step.to.value)) {
            let place = self.place(step.to.value).to_string();
            let finding = misplaced(step.to.span, place, &[rule::TRDR_04], "place-trader-way");
            return Err(refusal(finding));
        }
        let mut legs = Vec::new();
        for (index, step) in steps.iter().enumerate() {
            self.over_river(step, index + 1 == steps.len())?;
            let heights = self.height(step.from).zip(self.height(step.to.value));
            legs.push(Leg {
                inside: Some(true),
                height: heights.map_or(0, |(from, to)| (from - to).abs()),
                ..Leg::default()
            });
        }
        self.within_range(Kind::Trader, steps, &legs)?;
        Ok(self.accept(false, &rules))
    }

    /// PYG-GAP-60: a sea move leads over water, from a harbour town onto its harbour and likewise ashore.
    fn by_sea(&self, steps: &[Step]) -> Verdict<()> {
        let last = steps.len().saturating_sub(1);
        for (index, step) in steps.iter().enumerate() {
            for (field, at_end) in [(step.from, index == 0), (step.to.value, index == last)] {
                let is_land = self.is_water(field) == Some(false);
                if is_land && !(at_end && self.is_harbour(field)) {
                    let finding = Diagnostic::error("E_MIX", step.to.span, &[rule::TRDR_04, rule::GAP_60]);
                    return Err(refusal(
                        finding.with_word("what", "mix-sea").with_word("way", "way-sea"),
                    ));
                }
            }
        }
        Ok(())
    }
}
