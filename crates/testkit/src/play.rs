//! Runs a scenario of one game: builds the world, plays its steps, looks at every realm, and lets [`judge`] compare.
//!
//! Beside what the scenario demands, every step is held to the laws of the program: it gives the same bytes twice, the state
//! and all views survive being stored, the game's invariants hold, reading orders depends on nothing but the realm's own
//! knowledge, no die is rolled twice, and every event, refusal and report section names a rule.

use crate::cast::Cast;
use crate::expectation::{Demand, Expectation};
use crate::exposure::{self, Exposure, first_difference};
use crate::judge::{self, EventRecord, Record};
use crate::laws;
use crate::press::{Press, ReasonSink, RuleSink};
use crate::raw;
use crate::scenario::{DiceValue, Failure, OrderFile, RulingLine, Scenario, StepScript};
use crate::scene;
use crate::shown::{Telling, shown};
use crate::words::{did_you_mean, nearest};
use kernel::any::{self, open_state, state_schema};
use kernel::codec;
use kernel::diagnostic::{Diagnostic, Severity};
use kernel::dice::{Dice, Otherwise, Script, ScriptFault, StepSecret, WorldSecret};
use kernel::game::{self, ArrivedFiles, Brief, Game};
use kernel::realm::{RealmId, Viewer};
use kernel::report::ReportSink;
use kernel::rule::RuleKind;
use kernel::stage::{Stage, StageLine};
use kernel::turn::{Input, Judgement, Outcome};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What playing a scenario gave.
#[derive(Clone, Debug, Default)]
pub struct Played {
    /// Everything that went otherwise than demanded.
    pub failures: Vec<Failure>,
    /// The ids of all rules that showed themselves: in events, dice, findings, reports and requests.
    pub produced: BTreeSet<String>,
    /// What every step did, as far as it was asked for.
    pub shown: String,
}

/// Plays a scenario. A panic of the game is a failure like any other.
pub fn play<G: Stage>(scenario: &Scenario, press: &dyn Press, telling: Telling) -> Played {
    let at = Cell::new(scenario.world_line.max(1));
    let result = catch_unwind(AssertUnwindSafe(|| {
        let mut player = Player::<G> {
            scenario,
            press,
            telling,
            at: &at,
            played: Played::default(),
            _game: std::marker::PhantomData,
        };
        player.play();
        player.played
    }));
    result.unwrap_or_else(|panic| {
        let words = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| panic.downcast_ref::<&str>().copied())
            .unwrap_or("without words");
        Played {
            failures: vec![Failure::new(
                at.get(),
                format!("the program panicked in this step: {words}"),
            )],
            ..Played::default()
        }
    })
}

/// A world between two steps, with what everyone knows of it.
struct World<G: Stage> {
    state: G::State,
    views: BTreeMap<Viewer, G::View>,
}

/// A step that was run, and what everyone received.
struct Step<G: Stage> {
    outcome: Outcome<G>,
    views: BTreeMap<Viewer, G::View>,
    told: BTreeMap<Viewer, Vec<String>>,
    exposures: BTreeMap<Viewer, Exposure>,
}

struct Player<'a, G> {
    scenario: &'a Scenario,
    press: &'a dyn Press,
    telling: Telling,
    /// The line to blame if the game panics.
    at: &'a Cell<u32>,
    played: Played,
    _game: std::marker::PhantomData<fn() -> G>,
}

impl<G: Stage> Player<'_, G> {
    fn fail(&mut self, line: u32, message: impl Into<String>) {
        self.played.failures.push(Failure::new(line, message));
    }

    fn play(&mut self) {
        self.unknown_rules();
        let Some(mut world) = self.world(&[]) else { return };
        let mut finished = true;
        for step in &self.scenario.steps {
            self.at.set(step.line);
            let Some(after) = self.step(&world, step) else {
                finished = false;
                break;
            };
            world = after;
        }
        if finished {
            self.unseen_worlds();
            self.rules_not_produced();
        }
    }

    /// Rules that are not in the catalogue. A misspelt one in `no event` would never be missed.
    fn unknown_rules(&mut self) {
        let known: Vec<&str> = G::rules().iter().map(|rule| rule.id.as_str()).collect();
        let scenario = self.scenario;
        let named = scenario.rules.iter().map(|rule| (scenario.rules_line, rule.as_str()));
        let demands = scenario.steps.iter().flat_map(|step| &step.expectations);
        let demanded = demands.filter_map(|wanted| Some((wanted.line, wanted.demand.rule()?)));
        for (line, rule) in named.chain(demanded) {
            if !known.contains(&rule) {
                let hint = did_you_mean(&nearest(rule, known.iter().copied(), 2));
                self.fail(line, format!("no rule `{rule}` in the catalogue of {}{hint}", G::NAME));
            }
        }
    }

    /// Rules of the `rules:` line that did not show themselves. Void rules are proven by absence, examples by the scenario
    /// itself, and lore has no effect.
    fn rules_not_produced(&mut self) {
        for rule in G::rules() {
            let id = rule.id.as_str();
            let silent = matches!(rule.kind, RuleKind::Void | RuleKind::Example | RuleKind::Lore);
            if !silent && self.scenario.rules.iter().any(|named| named == id) && !self.played.produced.contains(id) {
                self.fail(
                    self.scenario.rules_line,
                    format!(
                        "rule {id} is named but not produced: no event, die, refusal, report line or request named it"
                    ),
                );
            }
        }
    }

    /// The world of the scenario with these lines added, and everyone's first view of it.
    fn world(&mut self, more: &[StageLine]) -> Option<World<G>> {
        let (house_line, house) = match &self.scenario.house {
            Some((line, text)) => (*line, text.as_str()),
            None => (1, ""),
        };
        let tables = match G::tables(house) {
            Ok(tables) => tables,
            Err(message) => {
                self.fail(house_line, format!("house rules: {message}"));
                return None;
            }
        };
        let lines: Vec<StageLine> = self.scenario.world.iter().chain(more).cloned().collect();
        let state = match G::world(&tables, house, &lines) {
            Ok(state) => state,
            Err(errors) => {
                for error in errors {
                    self.fail(error.line.max(1), error.message);
                }
                return None;
            }
        };
        if let Err(law) = G::invariants(&tables, &state) {
            self.fail(
                self.scenario.world_line.max(1),
                format!("the world breaks a law of the game: {law}"),
            );
            return None;
        }
        let viewers = viewers::<G>(&tables, &state);
        let views = viewers
            .into_iter()
            .map(|viewer| {
                let brief = Brief {
                    viewer,
                    told: Vec::new(),
                    diagnostics: Vec::new(),
                };
                (viewer, G::view(&tables, &state, brief))
            })
            .collect();
        Some(World { state, views })
    }

    /// Plays one step, judges it and returns the world after it.
    fn step(&mut self, world: &World<G>, script: &StepScript) -> Option<World<G>> {
        let cast = Cast(G::realms(&world.state));
        let tables = self.lawful(script.line, G::tables(G::house_rules(&world.state)))?;
        let mut orders = self.orders(&cast, &script.orders)?;
        let mut advice = BTreeMap::new();
        for realm in orders.keys() {
            advice.insert(*realm, self.advice(world, *realm, &orders));
        }
        self.arrivals(script, &cast, &mut orders, &mut advice)?;
        let input = self.input(&tables, world, &cast, &orders, &script.rulings)?;
        let dice = self.dice(script, &cast, G::open_step(&tables, &world.state).number)?;
        let stored = self.lawful(script.line, store::<G>(&world.state))?;
        let step = self.run(script, &tables, world.state.clone(), &input, dice.clone())?;
        let (_, reread) = self.lawful(script.line, open_state::<G>(&stored).map_err(|error| error.to_string()))?;
        let second = self.run(script, &tables, reread, &input, dice)?;
        self.same_twice(script, &step, &second);
        self.laws(script, &tables, &step);
        let bytes = self.lawful(script.line, store::<G>(&step.outcome.state))?;
        let (_, state) = self.lawful(script.line, open_state::<G>(&bytes).map_err(|error| error.to_string()))?;
        let again = self.lawful(script.line, store::<G>(&state))?;
        if again != bytes {
            self.fail(
                script.line,
                format!(
                    "the stored state comes back changed: {}",
                    first_difference(&bytes, &again)
                ),
            );
        }

        let mut record = Record {
            before: G::facts(&tables, &world.state),
            after: G::facts(&tables, &state),
            rolls: step.outcome.rolls.clone(),
            findings: step.outcome.refusals.clone(),
            told: step.told.clone(),
            requests: step
                .outcome
                .requests
                .iter()
                .map(|request| request.name.clone())
                .collect(),
            ..Record::default()
        };
        record.advice = advice;
        for (realm, list) in record.findings.iter().chain(&record.advice) {
            for finding in list {
                let said = self.press.finding(G::NAME, finding);
                if !said.is_empty() {
                    record.said.insert((*realm, judge::describe(finding)), said);
                }
            }
        }
        record.events = events::<G>(&step.outcome);
        record.faults = faults(&step.outcome.dice);
        let asks_before = |wanted: &Expectation| matches!(wanted.demand, Demand::ReportBlock { before: true, .. });
        if script.expectations.iter().any(asks_before) {
            record.earlier_reports = self.reports(script, &world.views)?;
        }
        record.reports = self.reports(script, &step.views)?;
        let asks_state = |wanted: &Expectation| matches!(wanted.demand, Demand::State { .. });
        if script.expectations.iter().any(asks_state) {
            record.stored = self.lawful(script.line, raw::values(&state))?;
        }
        let asks_why = |wanted: &Expectation| matches!(wanted.demand, Demand::Why { .. });
        if script.expectations.iter().any(asks_why) {
            record.reasons = self.reasons(script, &step.views)?;
        }
        for (viewer, view) in &step.views {
            let tables = self.lawful(script.line, G::tables(G::house_rules_of_view(view)))?;
            let map = G::map(&tables, view);
            self.played.produced.extend(map.rules.iter().cloned());
            record.maps.insert(*viewer, scene::facts(&map));
        }
        record.cast = cast;
        self.produced(&record);
        self.unused_answers(&record, script);
        self.played.shown += &shown(&record, script.expect_line, self.telling);
        let mut failures = judge::judge(&record, script);
        if let Some(first) = failures.first_mut()
            && self.is_expectation_alone(script)
        {
            first.message += "\nthis `expect` ends a step of its own, in which nobody sent orders; what the step before \
                              must bring stands in one `expect`";
        }
        self.played.failures.append(&mut failures);
        self.unseen_orders(world, script, &record, &step);
        // The next step begins with the state that was never stored, so that running it twice tells what storing lost.
        Some(World {
            state: step.outcome.state,
            views: step.views,
        })
    }

    /// Whether a later step consists of its `expect` block alone: perhaps its author meant to go on with the demands on the step before.
    fn is_expectation_alone(&self, script: &StepScript) -> bool {
        let is_first = self
            .scenario
            .steps
            .first()
            .is_some_and(|first| first.expect_line == script.expect_line);
        !is_first && script.line == script.expect_line
    }

    /// The report of every view, which may produce rules and must name some in each section.
    fn reports(&mut self, script: &StepScript, views: &BTreeMap<Viewer, G::View>) -> Option<BTreeMap<Viewer, String>> {
        let mut reports = BTreeMap::new();
        for (viewer, view) in views {
            let tables = self.lawful(script.line, G::tables(G::house_rules_of_view(view)))?;
            let write = |sink: &mut dyn ReportSink| G::report(&tables, view, sink);
            reports.insert(*viewer, self.press.text(G::NAME, &write));
            let mut sink = RuleSink::default();
            write(&mut sink);
            self.played.produced.append(&mut sink.rules);
            for section in sink.sections_without_rules {
                self.fail(
                    script.expect_line,
                    format!("the report section `{section}` names no rule"),
                );
            }
        }
        Some(reports)
    }

    /// The arithmetic behind the lines of every report.
    fn reasons(
        &mut self,
        script: &StepScript,
        views: &BTreeMap<Viewer, G::View>,
    ) -> Option<BTreeMap<Viewer, Vec<String>>> {
        let mut reasons = BTreeMap::new();
        for (viewer, view) in views {
            let tables = self.lawful(script.line, G::tables(G::house_rules_of_view(view)))?;
            let mut sink = ReasonSink::default();
            G::report(&tables, view, &mut sink);
            let terms = sink.terms.iter().map(|term| self.press.term(G::NAME, term));
            reasons.insert(*viewer, terms.collect());
        }
        Some(reasons)
    }

    fn lawful<T>(&mut self, line: u32, result: Result<T, impl Into<String>>) -> Option<T> {
        result.map_err(|message| self.fail(line.max(1), message.into())).ok()
    }

    fn orders<'o>(
        &mut self,
        cast: &Cast,
        files: &'o BTreeMap<String, OrderFile>,
    ) -> Option<BTreeMap<RealmId, &'o OrderFile>> {
        let mut orders = BTreeMap::new();
        for (name, file) in files {
            orders.insert(self.lawful(file.line, cast.realm(name))?, file);
        }
        Some(orders)
    }

    fn input(
        &mut self,
        tables: &G::Tables,
        world: &World<G>,
        cast: &Cast,
        orders: &BTreeMap<RealmId, &OrderFile>,
        rulings: &[RulingLine],
    ) -> Option<Input<G>> {
        let mut input = Input::<G>::default();
        for (realm, file) in orders {
            let Some(seat) = G::seat(tables, &world.state, *realm) else {
                self.fail(
                    file.line,
                    format!("{} is not in play and cannot send orders", cast.name(*realm)),
                );
                return None;
            };
            let parsed = G::parse(tables, &seat, &file.bytes);
            let own = world.views.get(&Viewer::Realm(*realm)).and_then(G::seat_of_view);
            if let Some(seat) = own {
                let from_view = G::parse(tables, &seat, &file.bytes);
                if format!("{parsed:?}") != format!("{from_view:?}") {
                    self.fail(
                        file.line,
                        "these orders are read otherwise from the realm's own view than in the step",
                    );
                }
            }
            input.orders.insert(*realm, parsed);
        }
        for line in rulings {
            let read = G::ruling(&world.state, &line.ruling).map_err(|misread| misread.to_string());
            let ruling = self.lawful(line.line, read)?;
            let judgement = Judgement {
                ruling,
                reason: line.reason.clone(),
            };
            match &line.answers {
                Some(name) => {
                    if input.answers.insert(cast.translate(name), judgement).is_some() {
                        self.fail(line.line, format!("`{name}` is answered twice"));
                    }
                }
                None => input.edicts.push(judgement),
            }
        }
        Some(input)
    }

    fn dice(&mut self, script: &StepScript, cast: &Cast, number: u32) -> Option<Dice> {
        let mut values = BTreeMap::new();
        let mut otherwise = Otherwise::Fault;
        for line in &script.dice {
            match &line.value {
                DiceValue::Face(name, face) => {
                    if values.insert(cast.translate(name), *face).is_some() {
                        self.fail(line.line, format!("the die `{name}` is listed twice"));
                        return None;
                    }
                }
                DiceValue::Typical(percent) => otherwise = Otherwise::Typical(*percent),
                DiceValue::Seed(seed) => otherwise = Otherwise::Keyed(secret(*seed, number)),
            }
        }
        Some(Dice::Scripted(Script::new(values).otherwise(otherwise)))
    }

    /// Runs a step and makes everything that everyone receives.
    fn run(
        &mut self,
        script: &StepScript,
        tables: &G::Tables,
        state: G::State,
        input: &Input<G>,
        dice: Dice,
    ) -> Option<Step<G>> {
        let viewers = viewers::<G>(tables, &state);
        let realms = G::realms(&state);
        let outcome = game::run::<G>(tables, state, input, dice);
        let mut step = Step {
            views: BTreeMap::new(),
            told: BTreeMap::new(),
            exposures: BTreeMap::new(),
            outcome,
        };
        let lists = game::audiences::<G>(&step.outcome);
        let everything: Vec<u32> = (0..u32::try_from(step.outcome.journal.len()).unwrap_or(u32::MAX)).collect();
        let all = realms.into_iter().map(|(realm, _)| Viewer::Realm(realm));
        let all: BTreeSet<Viewer> = all.chain(viewers.iter().copied()).collect();
        for viewer in all {
            let events = match viewer {
                Viewer::Realm(realm) => lists.get(&realm).map_or(&[][..], Vec::as_slice),
                Viewer::GameMaster => &everything,
            };
            let brief = game::brief::<G>(tables, &step.outcome, viewer, events.iter().copied());
            let told = brief
                .told
                .iter()
                .map(|told| G::notice_words(&step.outcome.state, &told.notice));
            step.told.insert(viewer, told.collect());
            if viewers.contains(&viewer) {
                let diagnostics = brief.diagnostics.clone();
                let view = G::view(tables, &step.outcome.state, brief);
                let mut exposure = self.lawful(script.line, exposure::expose::<G>(self.press, &view))?;
                exposure.add_findings("findings", &diagnostics);
                step.exposures.insert(viewer, exposure);
                step.views.insert(viewer, view);
            }
        }
        Some(step)
    }

    fn same_twice(&mut self, script: &StepScript, one: &Step<G>, two: &Step<G>) {
        let mut differences = Vec::new();
        match (store::<G>(&one.outcome.state), store::<G>(&two.outcome.state)) {
            (Ok(a), Ok(b)) if a != b => differences.push(format!("state {}", first_difference(&a, &b))),
            _ => {}
        }
        for (what, a, b) in [
            (
                "journal",
                format!("{:?}", one.outcome.journal),
                format!("{:?}", two.outcome.journal),
            ),
            (
                "dice",
                format!("{:?}", one.outcome.rolls),
                format!("{:?}", two.outcome.rolls),
            ),
            (
                "findings",
                format!("{:?}", one.outcome.refusals),
                format!("{:?}", two.outcome.refusals),
            ),
            (
                "requests",
                format!("{:?}", one.outcome.requests),
                format!("{:?}", two.outcome.requests),
            ),
        ] {
            if a != b {
                differences.push(format!("{what} {}", first_difference(a.as_bytes(), b.as_bytes())));
            }
        }
        for (viewer, exposure) in &one.exposures {
            let difference = two.exposures.get(viewer).and_then(|other| exposure.difference(other));
            differences.extend(difference.map(|difference| format!("{viewer:?} {difference}")));
        }
        for difference in differences {
            self.fail(
                script.line,
                format!("nondeterminism: the same step run twice differs in {difference}"),
            );
        }
    }

    fn laws(&mut self, script: &StepScript, tables: &G::Tables, step: &Step<G>) {
        let outcome = &step.outcome;
        if let Err(law) = G::invariants(tables, &outcome.state) {
            self.fail(script.expect_line, format!("the step breaks a law of the game: {law}"));
        }
        for broken in laws::broken(outcome, |event| G::event_words(&outcome.state, event)) {
            self.fail(script.expect_line, broken);
        }
    }

    /// Findings about the files themselves join the advice; orders in a file that is not taken in do not arrive.
    fn arrivals(
        &mut self,
        script: &StepScript,
        cast: &Cast,
        orders: &mut BTreeMap<RealmId, &OrderFile>,
        advice: &mut BTreeMap<RealmId, Vec<Diagnostic>>,
    ) -> Option<()> {
        for (name, files) in &script.files {
            let realm = self.lawful(files.line, cast.realm(name))?;
            let arrived = ArrivedFiles {
                orders: files.orders.as_deref(),
                realm: files.realm.as_deref().map(str::as_bytes),
            };
            let findings = G::check_files(realm, arrived);
            if findings.iter().any(|finding| finding.severity == Severity::Error) {
                orders.remove(&realm);
            }
            advice.entry(realm).or_default().extend(findings);
        }
        Some(())
    }

    /// What the check says to the realm's orders, from its own view before the step.
    fn advice(&self, world: &World<G>, realm: RealmId, orders: &BTreeMap<RealmId, &OrderFile>) -> Vec<Diagnostic> {
        let (Some(view), Some(file)) = (world.views.get(&Viewer::Realm(realm)), orders.get(&realm)) else {
            return Vec::new();
        };
        match G::tables(G::house_rules_of_view(view)) {
            Ok(tables) => any::check::<G>(&tables, view, &file.bytes).diagnostics,
            Err(_) => Vec::new(),
        }
    }

    fn produced(&mut self, record: &Record) {
        let produced = &mut self.played.produced;
        for event in &record.events {
            produced.extend(event.rules.iter().map(|rule| (*rule).to_owned()));
        }
        let dice = record.rolls.iter().map(|roll| roll.name.as_str());
        for name in dice.chain(record.requests.iter().map(String::as_str)) {
            produced.extend(name.split(' ').next().map(str::to_owned));
        }
        for finding in record.findings.values().chain(record.advice.values()).flatten() {
            produced.extend(finding.rules.iter().map(|rule| rule.to_string()));
        }
    }

    fn unused_answers(&mut self, record: &Record, script: &StepScript) {
        for line in &script.rulings {
            if let Some(name) = &line.answers
                && !record.requests.contains(&record.cast.translate(name))
            {
                let hint = did_you_mean(&nearest(name, record.requests.iter().map(String::as_str), 2));
                self.fail(
                    line.line,
                    format!("unused answer: the step did not ask for `{name}`{hint}"),
                );
            }
        }
    }

    /// Other orders of a realm must leave no trace in what the other realm receives.
    fn unseen_orders(&mut self, world: &World<G>, script: &StepScript, record: &Record, step: &Step<G>) {
        for other in &script.unseen_orders {
            let line = other.file.line;
            let mut files = script.orders.clone();
            files.insert(other.realm.clone(), other.file.clone());
            let other_script = StepScript {
                orders: files,
                line,
                ..script.clone()
            };
            let _ = self.shadow(world, &other_script, &record.cast, &other.by, step);
        }
    }

    /// More of the world must leave no trace in what the realm receives, in any step.
    fn unseen_worlds(&mut self) {
        for unseen in &self.scenario.unseen {
            self.at.set(unseen.line);
            let (Some(mut world), Some(mut other)) = (self.world(&[]), self.world(&unseen.lines)) else {
                return;
            };
            for script in &self.scenario.steps {
                let script = StepScript {
                    line: unseen.line,
                    ..script.clone()
                };
                let cast = Cast(G::realms(&world.state));
                let Some(step) = self.replay(&world, &script, &cast) else {
                    return;
                };
                let Some(after) = self.shadow(&other, &script, &cast, &unseen.realm, &step) else {
                    return;
                };
                other = after;
                world = World {
                    state: step.outcome.state,
                    views: step.views,
                };
            }
        }
    }

    /// Runs a step whose scripted dice may not fit: what is missing shows the middle of its range.
    fn replay(&mut self, world: &World<G>, script: &StepScript, cast: &Cast) -> Option<Step<G>> {
        let tables = self.lawful(script.line, G::tables(G::house_rules(&world.state)))?;
        let orders = self.orders(cast, &script.orders)?;
        let input = self.input(&tables, world, cast, &orders, &script.rulings)?;
        let number = G::open_step(&tables, &world.state).number;
        let mut dice = self.dice(script, cast, number)?;
        if let Dice::Scripted(faces) = dice {
            let listed = script
                .dice
                .iter()
                .any(|line| !matches!(line.value, DiceValue::Face(..)));
            dice = Dice::Scripted(if listed {
                faces
            } else {
                faces.otherwise(Otherwise::Typical(50))
            });
        }
        self.run(script, &tables, world.state.clone(), &input, dice)
    }

    /// Runs a step on a world that must look the same to one realm as the given step did.
    fn shadow(
        &mut self,
        world: &World<G>,
        script: &StepScript,
        cast: &Cast,
        realm: &str,
        step: &Step<G>,
    ) -> Option<World<G>> {
        let viewer = self.lawful(script.line, cast.viewer(realm))?;
        let other = self.replay(world, script, cast)?;
        let one = step.exposures.get(&viewer);
        let two = other.exposures.get(&viewer);
        let difference = match (one, two) {
            (Some(one), Some(two)) => one.difference(two),
            (None, None) => None,
            _ => Some("one world has a report for it, the other has none".to_owned()),
        };
        if let Some(difference) = difference {
            self.fail(
                script.line,
                format!("leak: {realm} can tell the two worlds apart: {difference}"),
            );
        }
        Some(World {
            state: other.outcome.state,
            views: other.views,
        })
    }
}

fn store<G: Game>(state: &G::State) -> Result<Vec<u8>, String> {
    codec::encode(state_schema::<G>(), state).map_err(|error| format!("the state cannot be stored: {error}"))
}

/// Everyone who receives something after a step: the realms in play and the game master.
fn viewers<G: Stage>(tables: &G::Tables, state: &G::State) -> BTreeSet<Viewer> {
    let plays = G::open_step(tables, state).plays;
    let cast = G::realms(state).into_iter().map(|(realm, _)| realm);
    plays
        .into_iter()
        .chain(cast)
        .filter(|realm| G::seat(tables, state, *realm).is_some())
        .map(Viewer::Realm)
        .chain([Viewer::GameMaster])
        .collect()
}

fn events<G: Stage>(outcome: &Outcome<G>) -> Vec<EventRecord> {
    let entries = outcome.journal.iter();
    entries
        .map(|entry| EventRecord {
            rules: entry.rules.iter().map(|rule| rule.as_str()).collect(),
            words: G::event_words(&outcome.state, &entry.event),
        })
        .collect()
}

fn faults(dice: &Dice) -> Vec<ScriptFault> {
    match dice {
        Dice::Scripted(script) => script.faults(),
        Dice::Keyed(_) | Dice::Typical(_) => Vec::new(),
    }
}

/// The secret of a step in tests: any number will do.
pub(crate) fn secret(seed: u64, step: u32) -> StepSecret {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    WorldSecret(bytes).step(step)
}
