//! The trial run, judgements about it, and publishing.

use super::{Cited, cited, names, show_report, told};
use crate::Answer;
use crate::error::Fault;
use crate::identity::GameMaster;
use crate::page::{Flash, Page, go_with};
use crate::pages::orders::forms::{FieldView, fields};
use crate::pages::report::Reader;
use crate::pairs::Pairs;
use crate::state::Web;
use askama::Template;
use axum::Form;
use axum::extract::{Query, State};
use host::HostError;
use host::desk::Trial;
use host::judgement::Judgement;
use host::step::{Run, RunPlan};
use host::world::World;
use kernel::any::AnyGame;
use kernel::form::{Form as GameForm, FormField, Input, Values};
use kernel::guide::{Figure, RulingForm};
use kernel::realm::{RealmId, Viewer};
use kernel::turn::Request;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A question of the turn.
pub struct Question {
    /// The question.
    pub request: Request<String>,
    /// The rule behind it.
    pub rule: Option<Cited>,
    /// Name of the realm it is about.
    pub realm: Option<String>,
    /// What is asked, in words; the name of the question if the game has none.
    pub asked: String,
    /// What it is about, in words, if the game has some.
    about: Option<String>,
    /// The line of the realm's orders that raised it.
    order: Option<String>,
    /// What happens without an answer, in words.
    pub by_default: String,
    /// The answers that the game has.
    answers: Vec<Answerable>,
}

/// A judgement to be filled in, worded.
struct Answerable {
    name: String,
    title: String,
    fields: Vec<FieldView>,
}

/// The judgements of a game in words.
struct Judging {
    reader: Reader,
    forms: Vec<RulingForm>,
    /// Changes by hand.
    edits: Vec<GameForm>,
    /// The realms of the world: number and name.
    realms: Vec<(String, String)>,
    /// How yes, no and nobody are called.
    yes_no: (String, String),
    nobody: String,
}

impl Judging {
    fn new(game: Arc<dyn AnyGame>, page: &Page, names: &BTreeMap<RealmId, String>) -> Self {
        Self {
            forms: game.ruling_forms(),
            edits: game.edit_forms(),
            reader: Reader::new(game, page),
            realms: names
                .iter()
                .map(|(realm, name)| (realm.to_string(), name.clone()))
                .collect(),
            yes_no: (page.t("found.yes"), page.t("found.no")),
            nobody: page.t("editor.nobody"),
        }
    }

    /// A judgement as a form; a field for a realm has that of the question in it.
    fn worded(&self, form: &GameForm, realm: Option<RealmId>) -> Answerable {
        let mut views = fields(&self.reader, form, None);
        for (view, field) in views.iter_mut().zip(&form.fields) {
            if field.input == Input::Realm {
                (view.kind, view.choices) = ("select", self.realms.clone());
                view.value = realm.map(|realm| realm.to_string()).unwrap_or_default();
            }
        }
        Answerable {
            name: form.name.to_string(),
            title: self.reader.word(&form.title),
            fields: views,
        }
    }

    /// What may be answered to a question of a rule.
    fn answers(&self, rule: &str, realm: Option<RealmId>) -> Vec<Answerable> {
        let fitting = self
            .forms
            .iter()
            .filter(|of| of.answers.iter().any(|id| id.as_str() == rule));
        fitting.map(|of| self.worded(&of.form, realm)).collect()
    }

    /// What may be given unasked.
    fn acts(&self) -> Vec<Answerable> {
        let unasked = self.forms.iter().filter(|of| of.unasked);
        unasked.map(|of| self.worded(&of.form, None)).collect()
    }

    /// A judgement that stands there as JSON, as its form would show it.
    fn said(&self, ruling: &str) -> Said {
        let words = self.reader.game.ruling_words(ruling);
        let read = self.forms.iter().find_map(|of| Some((&of.form, of.read(&words)?)));
        match read.or_else(|| self.by_hand(&words)) {
            Some((form, values)) => self.filled(form, &values),
            None => Said {
                title: String::new(),
                values: Vec::new(),
                words: self.lines(&words),
            },
        }
    }

    /// A form with what was filled in.
    fn filled(&self, form: &GameForm, values: &Values) -> Said {
        let worded = self.worded(form, None);
        let pair = |(view, field): (FieldView, &FormField)| {
            let value = values.get(&*field.name).map_or("", String::as_str);
            let chosen = view.choices.iter().find(|(code, _)| code == value);
            let value = chosen.map_or_else(|| value.to_owned(), |(_, name)| name.clone());
            let value = match field.input {
                Input::Flag if value == "true" => self.yes_no.0.clone(),
                Input::Flag => self.yes_no.1.clone(),
                Input::Realm if value == "0" => self.nobody.clone(),
                _ => value,
            };
            (view.label, value)
        };
        let pairs = worded.fields.into_iter().zip(&form.fields).map(pair);
        Said {
            title: worded.title,
            values: pairs.filter(|(_, value)| !value.is_empty()).collect(),
            words: String::new(),
        }
    }

    /// The change by hand that makes these words, with what was filled into its form.
    fn by_hand(&self, words: &str) -> Option<(&GameForm, Values)> {
        let (_, rest) = words.split_once(' ')?;
        let values = |form: &GameForm| -> Values {
            let pairs = form.fields.iter().zip(rest.splitn(form.fields.len().max(1), ' '));
            let value = |input: &Input, word: &str| match (input, word) {
                (Input::Flag, "yes") => "true".to_owned(),
                _ => word.to_owned(),
            };
            pairs
                .map(|(field, word)| (field.name.to_string(), value(&field.input, word)))
                .collect()
        };
        let mut filled = self.edits.iter().map(|form| (form, values(form)));
        // Only what makes the very same words was read right.
        let game = &self.reader.game;
        filled.find(|(form, values)| game.write_edit(&form.name, values).is_ok_and(|made| made == words))
    }

    /// Changes by hand, one to a line, each as its form would show it; what has no form stays as it is, and so does a whole map.
    fn lines(&self, words: &str) -> String {
        if words.lines().count() > WORDED_MAX {
            return words.to_owned();
        }
        let line = |line: &str| match self.by_hand(line) {
            Some((form, values)) => {
                let said = self.filled(form, &values);
                let pairs: Vec<String> = said
                    .values
                    .iter()
                    .map(|(label, value)| format!("{label} {value}"))
                    .collect();
                format!("{}: {}", said.title, pairs.join(", "))
            }
            None => line.to_owned(),
        };
        words.lines().map(line).collect::<Vec<_>>().join("\n")
    }

    /// What a question asks, in words of the game; its name if it has none.
    fn question(&self, name: &str) -> String {
        let rule = name.split(' ').next().unwrap_or_default();
        let key = format!("ask-{rule}");
        let asked = self.reader.word(&key);
        if asked == key { name.to_owned() } else { asked }
    }

    /// What a question is about, in words of the game.
    fn about(&self, name: &str) -> Option<String> {
        self.reader.wording.die(name)
    }
}

/// A judgement in words.
struct Said {
    /// What it is called; empty if the game has no form for it.
    title: String,
    /// What was filled into its form: label and value.
    values: Vec<(String, String)>,
    /// The judgement as it is written, if the game has no form for it.
    words: String,
}

/// A judgement of the open turn, as the page shows it.
struct Judged {
    number: u32,
    /// The question that it answers, or what it does.
    title: String,
    said: Said,
    reason: String,
    /// Why it counts no more, or whether it can be taken back.
    standing: Standing,
}

/// What can still become of a judgement.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// The game master may take it back.
    Given,
    /// He took it back.
    Withdrawn,
    /// The host gave it, when a seat changed hands.
    ByHost,
}

/// Lines of a judgement that are put into the words of their forms.
const WORDED_MAX: usize = 100;

/// Lines of a judgement in words that stand there at once; more can be opened.
const LINES: usize = 6;

impl Judged {
    /// How many lines of words are folded away, if they are.
    fn folded(&self) -> Option<usize> {
        let lines = self.said.words.lines().count();
        (lines > LINES).then_some(lines)
    }
}

/// A realm and what the turn would change for it.
pub struct Change {
    /// The realm.
    pub realm: RealmId,
    /// Its name.
    pub name: String,
    /// Figure, before, after.
    pub figures: Vec<(String, i64, i64)>,
}

/// The trial of the open turn with all that a game master reads before publishing.
pub struct Tried {
    /// The trial, if there was one.
    pub trial: Option<Trial>,
    /// What the turn asks.
    pub questions: Vec<Question>,
    /// What was judged.
    pub judgements: Vec<Judgement>,
    /// What would change.
    pub changes: Vec<Change>,
    /// Names of the realms whose orders were missing.
    pub missing: Vec<String>,
}

#[derive(Template)]
#[template(path = "lead/trial.html")]
struct TrialPage<'a> {
    page: &'a Page,
    step: u32,
    trial: Option<Trial>,
    questions: Vec<Question>,
    judgements: Vec<Judged>,
    changes: Vec<Change>,
    missing: Vec<String>,
    acts: Vec<Answerable>,
}

/// `GET /welt/{world}/leitung/probe`
pub async fn show(State(web): State<Web>, page: Page, master: GameMaster) -> Answer {
    let tried = tried(&web, &page, &master).await?;
    let game = web.host.game(&master.world.game)?;
    let judging = Judging::new(game, &page, &names(&web, &master.world).await?);
    let judgements = tried.judgements.into_iter();
    let judgements = judgements.map(|judgement| judged(&page, &judging, judgement)).collect();
    page.show(&TrialPage {
        page: &page,
        step: master.world.open_step,
        judgements,
        trial: tried.trial,
        questions: tried.questions,
        changes: tried.changes,
        missing: tried.missing,
        acts: judging.acts(),
    })
}

/// A judgement as the page shows it.
fn judged(page: &Page, judging: &Judging, judgement: Judgement) -> Judged {
    let mut said = judging.said(&judgement.ruling);
    // The host itself gave this one, when a seat changed hands; what has no words of the game needs none then.
    let by_host = judgement.reason == host::judgement::HANDED_OVER;
    if by_host && said.words == judgement.ruling {
        said.words.clear();
    }
    for (_, value) in said.values.iter_mut().filter(|_| by_host) {
        if value == host::membership::NOBODY {
            *value = page.t("lead.nobody");
        }
    }
    // An act of the game master's own is called by what it does.
    let title = match judgement.request {
        _ if by_host => page.t("lead.seat-handed-over"),
        _ if judgement.changes > 0 => page.t("lead.changed-by-hand"),
        request if !request.is_empty() => match judging.about(&request) {
            Some(about) => format!("{} {about}", judging.question(&request)),
            None => judging.question(&request),
        },
        _ if said.title.is_empty() => page.t("lead.edict"),
        _ => std::mem::take(&mut said.title),
    };
    if by_host || judgement.changes > 0 {
        said.title.clear();
    }
    Judged {
        number: judgement.number,
        title,
        said,
        reason: if by_host { String::new() } else { judgement.reason },
        standing: match judgement.withdrawn {
            true => Standing::Withdrawn,
            false if by_host => Standing::ByHost,
            false => Standing::Given,
        },
    }
}

/// The last trial of the open turn, with its questions and what it would change.
pub async fn tried(web: &Web, page: &Page, master: &GameMaster) -> Result<Tried, Fault> {
    let world = &master.world;
    let game = web.host.game(&world.game)?;
    let names = names(web, world).await?;
    let mut tried = Tried {
        trial: web.host.last_trial(world).await?,
        questions: Vec::new(),
        judgements: web.host.judgements(world, world.open_step).await?,
        changes: Vec::new(),
        missing: Vec::new(),
    };
    let Some(trial) = &tried.trial else {
        return Ok(tried);
    };
    let judging = Judging::new(Arc::clone(&game), page, &names);
    for request in &trial.run.requests {
        let rule = cited(game.as_ref(), page.words, &request.name);
        let id = rule.as_ref().map_or("", |rule| rule.id);
        let Said { title, words, .. } = judging.said(&request.default);
        tried.questions.push(Question {
            asked: judging.question(&request.name),
            about: judging.about(&request.name),
            order: line_behind(web, world, request).await?,
            by_default: if title.is_empty() { words } else { title },
            answers: judging.answers(id, request.realm),
            rule,
            realm: request.realm.and_then(|realm| names.get(&realm).cloned()),
            request: request.clone(),
        });
    }
    let missing = trial.run.missing.iter();
    tried.missing = missing.filter_map(|realm| names.get(realm).cloned()).collect();
    for (realm, name) in &names {
        if let Some(change) = change(web, page, master, *realm, name).await? {
            tried.changes.push(change);
        }
    }
    Ok(tried)
}

/// The line of a realm's orders that raised a question: the names of such questions have it in them, as `… line 6`.
async fn line_behind(web: &Web, world: &World, request: &Request<String>) -> Result<Option<String>, Fault> {
    let mut words = request.name.split(' ').skip_while(|word| *word != "line").skip(1);
    let number = words.next().and_then(|number| number.parse::<usize>().ok());
    let (Some(realm), Some(number)) = (request.realm, number) else {
        return Ok(None);
    };
    let file = web
        .host
        .orders(world, world.open_step, realm)
        .await?
        .unwrap_or_default();
    let text = String::from_utf8_lossy(&file);
    let line = text.lines().nth(number.saturating_sub(1)).unwrap_or_default().trim();
    Ok((!line.is_empty()).then(|| line.to_owned()))
}

/// What the turn would change for a realm: every figure that is another afterwards.
async fn change(
    web: &Web,
    page: &Page,
    master: &GameMaster,
    realm: RealmId,
    name: &str,
) -> Result<Option<Change>, Fault> {
    let viewer = Viewer::Realm(realm);
    let Some(after) = web.host.trial_view(&master.world, viewer).await? else {
        return Ok(None);
    };
    let (_, before) = web.host.view(&master.world, viewer, None).await?;
    let game = web.host.game(&master.world.game)?;
    let wording = render::locale::Wording::of(game.name(), page.words.language());
    let broken = |error: kernel::any::GameError| Fault::Broken(error.to_string());
    let before = game.figures(&before).map_err(broken)?;
    let after = game.figures(&after).map_err(broken)?;
    let changed = changes(realm, &before, &after);
    Ok(Some(Change {
        realm,
        name: name.to_owned(),
        figures: changed
            .into_iter()
            .map(|(key, was, is)| (wording.words_of(key), was, is))
            .collect(),
    }))
}

/// The figures of a realm that differ, with their values before and after. What is there no more counts as nothing: the loss of the
/// last castle is what a game master must see.
fn changes<'a>(realm: RealmId, before: &'a [Figure], after: &'a [Figure]) -> Vec<(&'a str, i64, i64)> {
    let own = |figures: &'a [Figure]| figures.iter().filter(move |figure| figure.realm == realm);
    let value = |figures: &'a [Figure], key: &str| {
        own(figures)
            .find(|figure| *figure.key == *key)
            .map_or(0, |figure| figure.value)
    };
    let gone = own(before).filter(|was| own(after).all(|is| is.key != was.key));
    own(after)
        .chain(gone)
        .map(|figure| (&*figure.key, value(before, &figure.key), value(after, &figure.key)))
        .filter(|(_, was, is)| was != is)
        .collect()
}

/// How a turn is tried or published.
#[derive(Deserialize)]
pub struct Plan {
    /// Whether to go on without the orders that are missing.
    #[serde(default)]
    ohne: Option<String>,
    /// The turn that the game master means.
    #[serde(default)]
    zug: Option<u32>,
}

impl Plan {
    fn plan(&self) -> RunPlan {
        RunPlan {
            step: self.zug,
            without_missing: self.ohne.is_some(),
        }
    }
}

/// Tries the open turn on a task of its own: a page that is closed does not stop it half-way.
pub async fn try_out(web: &Web, master: &GameMaster, step: Option<u32>) -> Result<Result<Trial, HostError>, Fault> {
    let (host, world, account) = (web.host.clone(), master.world.clone(), master.account.id.clone());
    // A trial always goes on: the game master wants to see what happens when the rest stays silent.
    let plan = RunPlan {
        step,
        without_missing: true,
    };
    let work = tokio::spawn(async move { host::acting(&account, host.try_step(&world, plan)).await });
    work.await.map_err(|error| Fault::Broken(error.to_string()))
}

/// Runs the open turn for good, on a task of its own.
pub async fn make_public(web: &Web, master: &GameMaster, plan: RunPlan) -> Result<Result<Run, HostError>, Fault> {
    let (host, world, account) = (web.host.clone(), master.world.clone(), master.account.id.clone());
    let work = tokio::spawn(async move { host::acting(&account, host.run(&world, plan, &mut |_, _| {})).await });
    work.await.map_err(|error| Fault::Broken(error.to_string()))
}

/// Gives a judgement: an answer to the question of this name, or without one an act of the game master's own.
pub async fn give(
    web: &Web,
    master: &GameMaster,
    question: &str,
    ruling: &str,
    reason: &str,
) -> Result<Judgement, HostError> {
    match question {
        "" => web.host.edict(&master.world, ruling, reason).await,
        request => web.host.answer(&master.world, request, ruling, reason).await,
    }
}

/// `POST /welt/{world}/leitung/probe`
pub async fn run(State(web): State<Web>, page: Page, master: GameMaster, Form(form): Form<Plan>) -> Answer {
    let flash = match try_out(&web, &master, form.zug).await? {
        Ok(trial) => Flash::good("flash.lead-tried").with("step", trial.run.step),
        Err(error) => told(&page, error)?,
    };
    go_with(&web, &page.in_world("leitung/probe"), &flash)
}

/// `POST /welt/{world}/leitung/veroeffentlichen`
pub async fn publish(State(web): State<Web>, page: Page, master: GameMaster, Form(form): Form<Plan>) -> Answer {
    match make_public(&web, &master, form.plan()).await? {
        Ok(run) => {
            let flash = Flash::good("flash.lead-published").with("step", run.step);
            go_with(&web, &page.in_world("leitung"), &flash)
        }
        Err(error) => go_with(&web, &page.in_world("leitung/probe"), &told(&page, error)?),
    }
}

/// Fields of a judgement: more than any form of a game has.
const FIELDS_MAX: usize = 100;

/// The words of a judgement that was sent: as it is written, or from a form of the game. Fields that are missing are told by name.
fn ruling_of(game: Arc<dyn AnyGame>, page: &Page, sent: &Pairs) -> Result<Result<String, String>, Fault> {
    let Some(name) = sent.one("formular") else {
        return Ok(Ok(sent.text("urteil").trim().to_owned()));
    };
    let forms = game.ruling_forms();
    let of = forms.iter().find(|of| *of.form.name == *name).ok_or(Fault::Malformed)?;
    let reader = Reader::new(game, page);
    let label = |name: &kernel::diagnostic::Name| {
        let field = of.form.fields.iter().find(|field| field.name == *name);
        field.map(|field| reader.word(&field.label)).unwrap_or_default()
    };
    Ok(of
        .words(&sent.values_of(name))
        .map_err(|missing| missing.iter().map(label).collect::<Vec<_>>().join(", ")))
}

/// `POST /welt/{world}/leitung/urteil`: an answer to a question, or an act of the game master's own.
pub async fn judge(State(web): State<Web>, page: Page, master: GameMaster, Form(sent): Form<Pairs>) -> Answer {
    let sent = sent.limited(FIELDS_MAX)?;
    let back = page.in_world("leitung/probe");
    let ruling = match ruling_of(web.host.game(&master.world.game)?, &page, &sent)? {
        Ok(ruling) => ruling,
        Err(fields) => {
            return go_with(
                &web,
                &back,
                &Flash::bad("flash.lead-ruling-incomplete").with("fields", fields),
            );
        }
    };
    let flash = match give(&web, &master, sent.text("frage"), &ruling, sent.text("grund").trim()).await {
        Ok(judgement) => Flash::good("flash.lead-judged").with("number", judgement.number),
        Err(error) => told(&page, error)?,
    };
    go_with(&web, &back, &flash)
}

/// Which judgement.
#[derive(Deserialize)]
pub struct Number {
    nummer: u32,
}

/// `POST /welt/{world}/leitung/urteil/zurueck`
pub async fn withdraw(State(web): State<Web>, page: Page, master: GameMaster, Form(form): Form<Number>) -> Answer {
    let done = web.host.withdraw(&master.world, form.nummer).await;
    let flash = match done {
        Ok(()) => Flash::good("flash.lead-withdrawn").with("number", form.nummer),
        Err(error) => told(&page, error)?,
    };
    go_with(&web, &page.in_world("leitung/probe"), &flash)
}

/// Whose report.
#[derive(Deserialize)]
pub struct Whose {
    reich: u16,
    /// `text` for the plain text of the file.
    #[serde(default)]
    form: String,
}

/// `GET /welt/{world}/leitung/probe/bericht`
pub async fn report(State(web): State<Web>, page: Page, master: GameMaster, Query(whose): Query<Whose>) -> Answer {
    let world = &master.world;
    let (viewer, name) = match whose.reich {
        0 => (Viewer::GameMaster, page.t("lead.master")),
        realm => {
            let seat = web.host.seat(world, RealmId(realm)).await;
            (Viewer::Realm(RealmId(realm)), seat.map_err(|_| Fault::Missing)?.name)
        }
    };
    let view = web.host.trial_view(world, viewer).await?.ok_or(Fault::Missing)?;
    let game = web.host.game(&world.game)?;
    let way = page.in_world(&format!("leitung/probe/bericht?reich={}&form=", whose.reich));
    let plain = whose.form == "text";
    show_report(&page, &game, view, (world.open_step, &name), (plain, way), Vec::new()).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_realm_loses_altogether_is_told_and_what_others_have_is_not() {
        let figure = |realm: u16, key: &'static str, value: i64| Figure {
            realm: RealmId(realm),
            group: "group".into(),
            key: key.into(),
            value,
        };
        let before = [
            figure(2, "land", 9),
            figure(1, "land", 5),
            figure(1, "castle", 1),
            figure(1, "gold", 7),
        ];
        let after = [
            figure(2, "land", 1),
            figure(1, "land", 5),
            figure(1, "gold", 8),
            figure(1, "ship", 2),
        ];
        assert_eq!(
            changes(RealmId(1), &before, &after),
            [("gold", 7, 8), ("ship", 0, 2), ("castle", 1, 0)]
        );
    }
}
