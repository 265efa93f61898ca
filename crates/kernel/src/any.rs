//! A game as the host sees it: bytes in, bytes out, no type of the game in sight.
//!
//! [`Adapter`] turns any [`Game`] into an [`AnyGame`]; the binary holds the only list of them.

use crate::codec::{self, CodecError, Digest, Schema};
use crate::diagnostic::{Diagnostic, Parsed};
use crate::dice::{Dice, Roll, StepSecret};
use crate::game::{
    self, ArrivedFiles, BenchSize, Enclosure, FileNames, Game, OrderForm, PostCustom, Step, Typeface, WorldPlan,
};
use crate::guide::{AnyGuide, Guide};
use crate::house::{Misfits, Problem};
use crate::map::Scene;
use crate::misread::Misread;
use crate::realm::{RealmId, Viewer};
use crate::report::ReportSink;
use crate::rule::Rule;
use crate::turn::{Input, Judgement, Outcome, Request};
use crate::worldgen::NoWorld;
use serde::{Deserialize, Serialize};
use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

/// Why a game could not do what the host asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GameError {
    /// A stored record could not be read.
    Record(CodecError),
    /// The world's house rules are wrong.
    HouseRules(Misfits),
    /// The plan of a new world cannot be met.
    Plan(NoWorld),
    /// There is no such realm in play.
    NoSuchRealm(RealmId),
    /// A judgement could not be read.
    Judgement(Misread),
    /// The program broke one of its own laws; the world stays as it was.
    Broken(String),
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Record(error) => write!(f, "stored record: {error}"),
            Self::HouseRules(why) => write!(f, "house rules: {why}"),
            Self::Plan(why) => write!(f, "plan of the world: {why}"),
            Self::NoSuchRealm(realm) => write!(f, "no realm {realm} in play"),
            Self::Judgement(why) => write!(f, "judgement: {why}"),
            Self::Broken(law) => write!(f, "a law of the program is broken: {law}"),
        }
    }
}

impl std::error::Error for GameError {}

impl From<CodecError> for GameError {
    fn from(error: CodecError) -> Self {
        Self::Record(error)
    }
}

/// The recorded input of a step, as the host stores it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct StoredInput {
    /// Order files as they arrived.
    pub files: BTreeMap<RealmId, Vec<u8>>,
    /// Answers of the game master: name of the request to (ruling as JSON, reason).
    pub answers: BTreeMap<String, (String, String)>,
    /// Unasked judgements: (ruling as JSON, reason).
    pub edicts: Vec<(String, String)>,
}

/// What a step left behind, as the host stores it. Views are streamed, not collected.
#[derive(Clone, Debug)]
pub struct StepResult {
    /// Canonical bytes of the new state.
    pub state: Vec<u8>,
    /// Digest of them, chained to the digest of the step before.
    pub digest: Digest,
    /// Every die, for the archive.
    pub rolls: Vec<Roll>,
    /// Questions for the game master, the default as JSON.
    pub requests: Vec<Request<String>>,
    /// Number of events.
    pub events: usize,
}

/// Receives one viewer's canonical view bytes after the other. A viewer's bytes are gone afterwards.
pub type ViewSink<'a> = dyn FnMut(Viewer, &[u8]) -> Result<(), GameError> + 'a;

/// Receives every realm with a function that writes its report.
pub type ReportDesk<'a> = dyn FnMut(RealmId, &mut dyn FnMut(&mut dyn ReportSink)) -> Result<(), GameError> + 'a;

/// An object-safe game. What it tells beside reports is in [`AnyGuide`].
pub trait AnyGame: AnyGuide {
    /// Prefix of its rule ids.
    fn code(&self) -> &'static str;
    /// Name on the command line.
    fn name(&self) -> &'static str;
    /// The rule catalogue.
    fn rules(&self) -> &'static [Rule];
    /// The forms of orders.
    fn order_forms(&self) -> Vec<OrderForm>;
    /// Checks house rules without using them.
    fn check_house_rules(&self, house_rules: &str) -> Result<(), GameError>;
    /// How many steps a year has under these house rules, in games that count years.
    fn steps_in_year(&self, house_rules: &str) -> Result<Option<u32>, GameError>;
    /// Makes a world and returns its canonical state.
    fn create(
        &self,
        house_rules: &str,
        plan: &WorldPlan,
        seed: &StepSecret,
        progress: &mut dyn FnMut(u32, u32),
    ) -> Result<Vec<u8>, GameError>;
    /// The views of a world before its first step.
    fn first_views(&self, state: &[u8], views: &mut ViewSink<'_>) -> Result<(), GameError>;
    /// The step that is open for orders.
    fn open_step(&self, state: &[u8]) -> Result<Step, GameError>;
    /// Reads and checks an order file from the realm's own view.
    fn check(&self, view: &[u8], file: &[u8]) -> Result<Checked, GameError>;
    /// Runs a step.
    fn run(
        &self,
        state: &[u8],
        before: Digest,
        input: &StoredInput,
        secret: &StepSecret,
        views: &mut ViewSink<'_>,
    ) -> Result<StepResult, GameError>;
    /// Runs a step and writes the report of every realm at once, each view gone before the next is made: for measuring.
    fn run_and_report(
        &self,
        world: BenchWorld,
        before: Digest,
        secret: &StepSecret,
        reports: &mut ReportDesk<'_>,
    ) -> Result<StepResult, GameError>;
    /// Writes the report of a view.
    fn report(&self, view: &[u8], sink: &mut dyn ReportSink) -> Result<(), GameError>;
    /// Whether several steps are also told in one piece.
    fn retells(&self) -> bool;
    /// Writes what one viewer was told in several steps in one piece, the first step first.
    fn retell(&self, views: &[Vec<u8>], sink: &mut dyn ReportSink) -> Result<(), GameError>;
    /// In which letters the viewer's text files are written.
    fn typeface(&self, view: &[u8]) -> Result<Typeface, GameError>;
    /// An order file as text, whatever letters the viewer's computer writes.
    fn order_text(&self, view: &[u8], file: &[u8]) -> Result<String, GameError>;
    /// The map of a view.
    fn map(&self, view: &[u8]) -> Result<Scene, GameError>;
    /// The dice that a view shows openly, for checking against the viewer's key.
    fn open_rolls(&self, view: &[u8]) -> Result<Vec<Roll>, GameError>;
    /// A view as JSON, for programs.
    fn view_json(&self, view: &[u8]) -> Result<String, GameError>;
    /// A computer player's order file.
    fn computer_player(&self, view: &[u8], dice: &StepSecret) -> Result<String, GameError>;
    /// Names of the files that players and host exchange.
    fn files(&self) -> FileNames;
    /// How letters go between realms, unless a world says otherwise.
    fn post(&self) -> PostCustom;
    /// Findings about the files themselves.
    fn check_files(&self, realm: RealmId, files: ArrivedFiles<'_>) -> Vec<Diagnostic>;
    /// Further files that go to the viewer with the report.
    fn enclosures(&self, view: &[u8]) -> Result<Vec<Enclosure>, GameError>;
    /// Reads a judgement as the game master writes it and returns it as JSON.
    fn read_ruling(&self, state: &[u8], text: &str) -> Result<String, GameError>;
    /// A judgement that is stored as JSON, in words if the game has any for it.
    fn ruling_words(&self, ruling: &str) -> String;
    /// The judgement that hands a letter of the game master to a realm, or to all, as JSON.
    fn letter(&self, to: Option<RealmId>, text: &str) -> Result<Option<String>, GameError>;
    /// The judgement by which a realm gets another player, and perhaps another name, as JSON.
    fn hand_over(&self, realm: RealmId, player: &str, name: Option<&str>) -> Result<Option<String>, GameError>;
    /// A world for measuring.
    fn bench_world(&self, size: BenchSize, seed: &StepSecret) -> Result<Option<BenchWorld>, GameError>;
}

/// A world for measuring: its canonical state and the order file of every realm.
#[derive(Clone, Debug)]
pub struct BenchWorld {
    /// Canonical bytes of the state.
    pub state: Vec<u8>,
    /// Order files.
    pub files: BTreeMap<RealmId, Vec<u8>>,
}

/// What reading and checking an order file gave.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Checked {
    /// Orders that were understood.
    pub orders: usize,
    /// Findings, by place.
    pub diagnostics: Vec<Diagnostic>,
}

/// Any game behind the object-safe face.
pub struct Adapter<G>(PhantomData<fn() -> G>);

impl<G> Adapter<G> {
    /// The face of game `G`.
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<G> Default for Adapter<G> {
    fn default() -> Self {
        Self::new()
    }
}

/// Schema of a game's state.
pub fn state_schema<G: Game>() -> Schema {
    Schema {
        game: G::CODE,
        what: "state",
        version: G::SCHEMA,
    }
}

/// Schema of a game's view.
pub fn view_schema<G: Game>() -> Schema {
    Schema {
        game: G::CODE,
        what: "view",
        version: G::SCHEMA,
    }
}

pub(crate) fn tables<G: Game>(house_rules: &str) -> Result<G::Tables, GameError> {
    if house_rules.len() > crate::limits::HOUSE_RULES_BYTES {
        let problem = Problem::OutOfRange {
            path: "house-rules".to_owned(),
            value: i64::try_from(house_rules.len()).unwrap_or(i64::MAX),
            min: 0,
            max: crate::limits::HOUSE_RULES_BYTES as i64,
        };
        return Err(GameError::HouseRules(problem.into()));
    }
    G::tables(house_rules).map_err(GameError::HouseRules)
}

/// Reads a stored state and the figures that hold in it.
pub fn open_state<G: Game>(state: &[u8]) -> Result<(G::Tables, G::State), GameError> {
    let state: G::State = codec::decode(state_schema::<G>(), state)?;
    Ok((tables::<G>(G::house_rules(&state))?, state))
}

/// Reads a stored view and the figures that hold in it.
pub fn open_view<G: Game>(view: &[u8]) -> Result<(G::Tables, G::View), GameError> {
    let view: G::View = codec::decode(view_schema::<G>(), view)?;
    Ok((tables::<G>(G::house_rules_of_view(&view))?, view))
}

fn judgement<G: Game>(json: &str, reason: &str) -> Result<Judgement<G::Ruling>, GameError> {
    let ruling = serde_json::from_str(json).map_err(|e| GameError::Judgement(e.into()))?;
    Ok(Judgement {
        ruling,
        reason: reason.to_owned(),
    })
}

/// Reads stored input: order files are parsed as each realm's seat allows, judgements decoded.
pub fn read_input<G: Game>(tables: &G::Tables, state: &G::State, stored: &StoredInput) -> Result<Input<G>, GameError> {
    let mut input = Input::<G>::default();
    for (realm, file) in &stored.files {
        let seat = G::seat(tables, state, *realm).ok_or(GameError::NoSuchRealm(*realm))?;
        let mut parsed = G::parse(tables, &seat, file);
        // All of them are held as long as the step runs.
        parsed.orders.shrink_to_fit();
        input.orders.insert(*realm, parsed);
    }
    for (name, (json, reason)) in &stored.answers {
        input.answers.insert(name.clone(), judgement::<G>(json, reason)?);
    }
    for (json, reason) in &stored.edicts {
        input.edicts.push(judgement::<G>(json, reason)?);
    }
    Ok(input)
}

/// Reads and checks an order file: findings of the parser and advice from the view, by place, within the limit.
pub fn check<G: Game>(tables: &G::Tables, view: &G::View, file: &[u8]) -> Checked {
    let parsed = match G::seat_of_view(view) {
        Some(seat) => G::parse(tables, &seat, file),
        None => Parsed::default(),
    };
    let mut diagnostics = parsed.diagnostics.clone();
    diagnostics.extend(G::check(tables, view, &parsed));
    diagnostics.sort_by(|a, b| a.span.cmp(&b.span).then_with(|| a.code.cmp(&b.code)));
    diagnostics.dedup();
    diagnostics.truncate(crate::limits::DIAGNOSTICS);
    Checked {
        orders: parsed.orders.len(),
        diagnostics,
    }
}

/// What happens to the outcome of a step before its state is stored: tables, outcome, the realms in play.
type OutcomeDesk<'a, G> = dyn FnMut(&<G as Game>::Tables, &Outcome<G>, &[RealmId]) -> Result<(), GameError> + 'a;

/// Runs a step from stored bytes, which are given back as soon as they are read.
fn run_step<G: Game>(
    state: impl AsRef<[u8]>,
    before: Digest,
    input: impl Borrow<StoredInput>,
    secret: &StepSecret,
    tell: &mut OutcomeDesk<'_, G>,
) -> Result<StepResult, GameError> {
    let stored = state;
    let (tables, state) = open_state::<G>(stored.as_ref())?;
    let size = stored.as_ref().len();
    drop(stored);
    let stored = input;
    let input = read_input::<G>(&tables, &state, stored.borrow())?;
    drop(stored);
    let realms = G::open_step(&tables, &state).plays;
    let mut outcome = game::run::<G>(&tables, state, &input, Dice::Keyed(secret.clone()));
    G::invariants(&tables, &outcome.state).map_err(GameError::Broken)?;
    drop(input);
    tell(&tables, &outcome, &realms)?;
    // Everybody has been told: the journal makes room for the bytes of the state.
    let events = std::mem::take(&mut outcome.journal).len();
    // Room that is not used costs nothing, and few worlds double in a step.
    let bytes = codec::encode_into_room(state_schema::<G>(), &outcome.state, size.saturating_mul(2))?;
    let requests = outcome
        .requests
        .into_iter()
        .map(|request| {
            let default = serde_json::to_string(&request.default).map_err(|e| GameError::Judgement(e.into()))?;
            Ok(Request {
                name: request.name,
                realm: request.realm,
                default,
                answered: request.answered,
            })
        })
        .collect::<Result<_, GameError>>()?;
    Ok(StepResult {
        digest: before.then(&bytes),
        state: bytes,
        rolls: outcome.rolls,
        requests,
        events,
    })
}

impl<G: Guide> AnyGame for Adapter<G> {
    fn code(&self) -> &'static str {
        G::CODE
    }

    fn name(&self) -> &'static str {
        G::NAME
    }

    fn rules(&self) -> &'static [Rule] {
        G::rules()
    }

    fn order_forms(&self) -> Vec<OrderForm> {
        G::order_forms()
    }

    fn check_house_rules(&self, house_rules: &str) -> Result<(), GameError> {
        tables::<G>(house_rules).map(|_| ())
    }

    fn steps_in_year(&self, house_rules: &str) -> Result<Option<u32>, GameError> {
        tables::<G>(house_rules).map(|tables| G::steps_in_year(&tables))
    }

    fn create(
        &self,
        house_rules: &str,
        plan: &WorldPlan,
        seed: &StepSecret,
        progress: &mut dyn FnMut(u32, u32),
    ) -> Result<Vec<u8>, GameError> {
        let tables = tables::<G>(house_rules)?;
        let state =
            G::create(&tables, house_rules, plan, &mut Dice::Keyed(seed.clone()), progress).map_err(GameError::Plan)?;
        G::invariants(&tables, &state).map_err(GameError::Broken)?;
        Ok(codec::encode(state_schema::<G>(), &state)?)
    }

    fn first_views(&self, state: &[u8], views: &mut ViewSink<'_>) -> Result<(), GameError> {
        let (tables, state) = open_state::<G>(state)?;
        let realms = G::open_step(&tables, &state).plays;
        let view = G::views(&tables, &state);
        for viewer in realms.into_iter().map(Viewer::Realm).chain([Viewer::GameMaster]) {
            let brief = game::Brief {
                viewer,
                told: Vec::new(),
                diagnostics: Vec::new(),
            };
            views(viewer, &codec::encode(view_schema::<G>(), &view(brief))?)?;
        }
        Ok(())
    }

    fn open_step(&self, state: &[u8]) -> Result<Step, GameError> {
        let (tables, state) = open_state::<G>(state)?;
        Ok(G::open_step(&tables, &state))
    }

    fn check(&self, view: &[u8], file: &[u8]) -> Result<Checked, GameError> {
        let (tables, view) = open_view::<G>(view)?;
        Ok(check::<G>(&tables, &view, file))
    }

    fn run(
        &self,
        state: &[u8],
        before: Digest,
        input: &StoredInput,
        secret: &StepSecret,
        views: &mut ViewSink<'_>,
    ) -> Result<StepResult, GameError> {
        run_step::<G>(state, before, input, secret, &mut |tables, outcome, realms| {
            let lists = game::audiences::<G>(outcome);
            let view = G::views(tables, &outcome.state);
            for realm in realms {
                let events = lists.get(realm).map_or(&[][..], Vec::as_slice);
                let viewer = Viewer::Realm(*realm);
                let brief = game::brief::<G>(tables, outcome, viewer, events.iter().copied());
                views(viewer, &codec::encode(view_schema::<G>(), &view(brief))?)?;
            }
            let all = 0..u32::try_from(outcome.journal.len()).unwrap_or(u32::MAX);
            let brief = game::brief::<G>(tables, outcome, Viewer::GameMaster, all);
            views(Viewer::GameMaster, &codec::encode(view_schema::<G>(), &view(brief))?)
        })
    }

    fn run_and_report(
        &self,
        world: BenchWorld,
        before: Digest,
        secret: &StepSecret,
        reports: &mut ReportDesk<'_>,
    ) -> Result<StepResult, GameError> {
        let input = StoredInput {
            files: world.files,
            ..StoredInput::default()
        };
        run_step::<G>(world.state, before, input, secret, &mut |tables, outcome, realms| {
            let lists = game::audiences::<G>(outcome);
            let view = G::views(tables, &outcome.state);
            for realm in realms {
                let events = lists.get(realm).map_or(&[][..], Vec::as_slice);
                let view = view(game::brief::<G>(
                    tables,
                    outcome,
                    Viewer::Realm(*realm),
                    events.iter().copied(),
                ));
                reports(*realm, &mut |sink| G::report(tables, &view, sink))?;
            }
            Ok(())
        })
    }

    fn report(&self, view: &[u8], sink: &mut dyn ReportSink) -> Result<(), GameError> {
        let (tables, view) = open_view::<G>(view)?;
        G::report(&tables, &view, sink);
        Ok(())
    }

    fn retells(&self) -> bool {
        G::RETELLS
    }

    fn retell(&self, views: &[Vec<u8>], sink: &mut dyn ReportSink) -> Result<(), GameError> {
        let Some(last) = views.last() else {
            return Ok(());
        };
        let (tables, _) = open_view::<G>(last)?;
        let opened = views.iter().map(|view| codec::decode(view_schema::<G>(), view));
        let views: Vec<G::View> = opened.collect::<Result<_, _>>()?;
        G::retell(&tables, &views, sink);
        Ok(())
    }

    fn typeface(&self, view: &[u8]) -> Result<Typeface, GameError> {
        let (tables, view) = open_view::<G>(view)?;
        Ok(G::typeface(&tables, &view))
    }

    fn order_text(&self, view: &[u8], file: &[u8]) -> Result<String, GameError> {
        let (tables, view) = open_view::<G>(view)?;
        Ok(G::order_text(&tables, &view, file))
    }

    fn map(&self, view: &[u8]) -> Result<Scene, GameError> {
        let (tables, view) = open_view::<G>(view)?;
        Ok(G::map(&tables, &view))
    }

    fn open_rolls(&self, view: &[u8]) -> Result<Vec<Roll>, GameError> {
        Ok(G::open_rolls(&codec::decode(view_schema::<G>(), view)?))
    }

    fn view_json(&self, view: &[u8]) -> Result<String, GameError> {
        let view: G::View = codec::decode(view_schema::<G>(), view)?;
        serde_json::to_string(&view).map_err(|e| GameError::Record(CodecError::Malformed(e.to_string())))
    }

    fn computer_player(&self, view: &[u8], dice: &StepSecret) -> Result<String, GameError> {
        let (tables, view) = open_view::<G>(view)?;
        Ok(G::computer_player(&tables, &view, &mut Dice::Keyed(dice.clone())))
    }

    fn files(&self) -> FileNames {
        G::FILES
    }

    fn post(&self) -> PostCustom {
        G::POST
    }

    fn check_files(&self, realm: RealmId, files: ArrivedFiles<'_>) -> Vec<Diagnostic> {
        G::check_files(realm, files)
    }

    fn enclosures(&self, view: &[u8]) -> Result<Vec<Enclosure>, GameError> {
        let (tables, view) = open_view::<G>(view)?;
        Ok(G::enclosures(&tables, &view))
    }

    fn read_ruling(&self, state: &[u8], text: &str) -> Result<String, GameError> {
        let (tables, state) = open_state::<G>(state)?;
        let ruling = if text.trim_start().starts_with(['{', '"']) {
            serde_json::from_str(text).map_err(Misread::from)
        } else {
            G::read_ruling(&tables, &state, text)
        }
        .map_err(GameError::Judgement)?;
        serde_json::to_string(&ruling).map_err(|e| GameError::Judgement(e.into()))
    }

    fn ruling_words(&self, ruling: &str) -> String {
        let read = serde_json::from_str(ruling).ok();
        read.and_then(|read| G::ruling_words(&read))
            .unwrap_or_else(|| ruling.to_owned())
    }

    fn letter(&self, to: Option<RealmId>, text: &str) -> Result<Option<String>, GameError> {
        G::letter(to, text)
            .map(|ruling| serde_json::to_string(&ruling).map_err(|e| GameError::Judgement(e.into())))
            .transpose()
    }

    fn hand_over(&self, realm: RealmId, player: &str, name: Option<&str>) -> Result<Option<String>, GameError> {
        G::hand_over(realm, player, name)
            .map(|ruling| serde_json::to_string(&ruling).map_err(|e| GameError::Judgement(e.into())))
            .transpose()
    }

    fn bench_world(&self, size: BenchSize, seed: &StepSecret) -> Result<Option<BenchWorld>, GameError> {
        let tables = tables::<G>("")?;
        let Some((state, files)) = G::bench_world(&tables, size, &mut Dice::Keyed(seed.clone())) else {
            return Ok(None);
        };
        let state = codec::encode(state_schema::<G>(), &state)?;
        Ok(Some(BenchWorld { state, files }))
    }
}
