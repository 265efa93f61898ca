//! Deadlines: the next one, what happens at it, the rhythm, pauses and absences.

use super::told;
use crate::Answer;
use crate::error::Fault;
use crate::identity::GameMaster;
use crate::page::{Flash, Page, go_with};
use crate::pairs::Pairs;
use crate::state::Web;
use crate::time;
use askama::Template;
use axum::Form;
use axum::extract::State;
use host::HostError;
use host::schedule::{Absence, AtDeadline, Miss, Pause, Policy, Rhythm, Schedule, moment_of};
use host::world::World;
use kernel::realm::RealmId;
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Template)]
#[template(path = "lead/deadlines.html")]
struct Deadlines<'a> {
    page: &'a Page,
    schedule: Schedule,
    at_deadline: &'static str,
    absences: Vec<Absence>,
    /// Who sent no orders, the last first: of the last turns, and before.
    misses: (Vec<Miss>, Vec<Miss>),
    names: BTreeMap<RealmId, String>,
    /// Number, name and whether it is one of the rhythm's.
    weekdays: Vec<(u8, String, bool)>,
    time: String,
    /// The day of whoever looks, as a field has it: for a rhythm that begins now.
    today: String,
    /// The deadline of the open turn as a field for a moment has it; empty without one.
    due: String,
    calendar: Vec<Entry>,
}

/// Deadlines that the calendar shows beyond the one of the open turn.
const COMING: usize = 5;

/// Something of the calendar.
pub struct Entry {
    /// When.
    pub at: i64,
    /// The same in words.
    pub when: String,
    /// What.
    pub what: String,
}

/// What the coming weeks bring: deadlines with their grace, and when somebody goes away.
pub async fn calendar(web: &Web, page: &Page, world: &World, schedule: &Schedule) -> Result<Vec<Entry>, Fault> {
    let now = web.clock.now();
    let mut entries = Vec::new();
    let mut add = |at: i64, what: String| {
        let when = page.moment(at);
        entries.push(Entry { at, when, what });
    };
    if let Some(deadline) = &schedule.deadline {
        add(deadline.due_at, page.t1("lead.due-turn", "step", deadline.step));
        if deadline.grace_until != deadline.due_at {
            add(deadline.grace_until, page.t1("lead.grace-ends", "step", deadline.step));
        }
    }
    for (due, step) in schedule.coming(now, COMING)?.into_iter().zip(world.open_step + 1..) {
        add(due, page.t1("lead.due-turn", "step", step));
    }
    let names = super::names(web, world).await?;
    let last = entries.iter().map(|entry| entry.at).max().unwrap_or(i64::MAX);
    for absence in web.host.absences(world, now).await? {
        let away = absence.from_at > now && absence.from_at <= last;
        if let Some(name) = names.get(&absence.realm).filter(|_| away) {
            entries.push(Entry {
                at: absence.from_at,
                when: page.beginning(absence.from_at),
                what: page.t2("lead.goes-away", "realm", name, "until", page.until(absence.until_at)),
            });
        }
    }
    entries.sort_by_key(|entry| entry.at);
    Ok(entries)
}

impl Deadlines<'_> {
    fn name(&self, realm: &RealmId) -> String {
        self.names.get(realm).cloned().unwrap_or_else(|| realm.to_string())
    }
}

/// `GET /welt/{world}/leitung/fristen`
pub async fn show(State(web): State<Web>, page: Page, master: GameMaster) -> Answer {
    let world = &master.world;
    let schedule = web.host.schedule(world).await?;
    let rhythm = schedule.rhythm.as_ref();
    let minute = rhythm.map_or(20 * 60, |rhythm| rhythm.minute);
    let weekdays = (1..=7).map(|day| {
        let chosen = rhythm.is_some_and(|rhythm| rhythm.weekdays.contains(&day));
        (day, page.words.with(&format!("time.weekday-{day}"), &[]), chosen)
    });
    page.show(&Deadlines {
        weekdays: weekdays.collect(),
        today: time::day(page.time_zone(), web.clock.now()),
        time: format!("{:02}:{:02}", minute / 60, minute % 60),
        at_deadline: match schedule.policy.run {
            AtDeadline::ByHand => "by-hand",
            AtDeadline::Complete => "complete",
            AtDeadline::Always => "always",
        },
        absences: web.host.absences(world, web.clock.now()).await?,
        misses: recent(web.host.misses(world).await?, world.open_step),
        names: super::names(&web, world).await?,
        due: schedule
            .deadline
            .map(|deadline| time::field(page.time_zone(), deadline.due_at))
            .unwrap_or_default(),
        calendar: calendar(&web, &page, world, &schedule).await?,
        schedule,
        page: &page,
    })
}

/// Leads back to the page, with what came of it.
fn done(web: &Web, page: &Page, result: Result<(), HostError>) -> Answer {
    let flash = match result {
        Ok(()) => Flash::good("flash.lead-deadlines"),
        Err(error) => told(page, error)?,
    };
    go_with(web, &page.in_world("leitung/fristen"), &flash)
}

/// When orders are due, by the game master's own clock; nothing takes the deadline away.
#[derive(Deserialize)]
pub struct Due {
    #[serde(default)]
    wann: String,
    /// Days by which the deadline of the open turn is put off.
    #[serde(default)]
    spaeter: Option<u16>,
    /// The deadline that the page showed: it is put off from there, so that two clicks put it off once.
    #[serde(default)]
    bisher: Option<i64>,
}

/// `POST /welt/{world}/leitung/frist`
pub async fn set(State(web): State<Web>, page: Page, master: GameMaster, Form(form): Form<Due>) -> Answer {
    let result = async {
        let now = web.clock.now();
        if let Some((days, from)) = form.spaeter.zip(form.bisher) {
            // By the clocks of the game master: eight in the evening stays eight in the evening.
            let to = time::days_later(page.time_zone(), from, days);
            return web.host.move_deadline(&master.world, from, to, now).await;
        }
        let due = match form.wann.trim() {
            "" => None,
            text => Some(moment_of(&format!("{text}[{}]", page.time_zone()))?),
        };
        web.host.set_deadline(&master.world, due, now).await
    };
    done(&web, &page, result.await)
}

/// What happens at a deadline.
#[derive(Deserialize)]
pub struct AtIt {
    dann: String,
    #[serde(default)]
    nachfrist: u32,
    #[serde(default)]
    frueher: Option<String>,
}

/// `POST /welt/{world}/leitung/frist/verfahren`
pub async fn policy(State(web): State<Web>, page: Page, master: GameMaster, Form(form): Form<AtIt>) -> Answer {
    let policy = Policy {
        grace_minutes: form.nachfrist,
        run: match form.dann.as_str() {
            "complete" => AtDeadline::Complete,
            "always" => AtDeadline::Always,
            _ => AtDeadline::ByHand,
        },
        early: form.frueher.is_some(),
    };
    let deed = web.host.set_policy(&master.world, policy, web.clock.now());
    done(&web, &page, deed.await)
}

/// `POST /welt/{world}/leitung/frist/rhythmus`
pub async fn rhythm(State(web): State<Web>, page: Page, master: GameMaster, Form(form): Form<Pairs>) -> Answer {
    let weekdays: Vec<u8> = form.all("tag").filter_map(|value| value.parse().ok()).collect();
    let minute = form.text("zeit").trim().split_once(':').and_then(|(hour, minute)| {
        let (hour, minute): (u16, u16) = (hour.parse().ok()?, minute.parse().ok()?);
        (hour < 24 && minute < 60).then_some(hour * 60 + minute)
    });
    let rhythm = Rhythm {
        zone: page.time_zone().to_owned(),
        minute: minute.unwrap_or(20 * 60),
        every_weeks: form.read("wochen").unwrap_or(1),
        anchor: form.text("erste").trim().to_owned(),
        hours_min: form.read("stunden").unwrap_or(24),
        weekdays,
    };
    // Without a weekday there is no rhythm.
    let chosen = (!rhythm.weekdays.is_empty()).then_some(&rhythm);
    let deed = web.host.set_rhythm(&master.world, chosen, web.clock.now());
    done(&web, &page, deed.await)
}

/// Days without deadlines.
#[derive(Deserialize)]
pub struct Days {
    von: String,
    bis: String,
    #[serde(default)]
    grund: String,
}

/// `POST /welt/{world}/leitung/frist/pause`
pub async fn pause(State(web): State<Web>, page: Page, master: GameMaster, Form(form): Form<Days>) -> Answer {
    let pause = Pause {
        first_day: form.von,
        last_day: form.bis,
        note: form.grund.trim().to_owned(),
    };
    let deed = web.host.add_pause(&master.world, &pause, web.clock.now());
    done(&web, &page, deed.await)
}

/// `POST /welt/{world}/leitung/frist/pause/zurueck`
pub async fn end_pause(State(web): State<Web>, page: Page, master: GameMaster, Form(form): Form<Days>) -> Answer {
    let deed = web.host.remove_pause(&master.world, &form.von, &form.bis);
    let removed = deed.await;
    done(&web, &page, removed.map(|_| ()))
}

/// Misses of so many turns are shown at once.
const TURNS: u32 = 6;

/// Divides misses into those of the last turns and those before, the last first.
fn recent(mut misses: Vec<Miss>, open: u32) -> (Vec<Miss>, Vec<Miss>) {
    misses.sort_by_key(|miss| (std::cmp::Reverse(miss.step), miss.realm));
    misses.into_iter().partition(|miss| miss.step + TURNS >= open)
}

/// Which miss, and whether it is excused from now on.
#[derive(Deserialize)]
pub struct Excuse {
    zug: u32,
    reich: u16,
    #[serde(default)]
    entschuldigt: Option<String>,
}

/// `POST /welt/{world}/leitung/frist/entschuldigen`
pub async fn excuse(State(web): State<Web>, page: Page, master: GameMaster, Form(form): Form<Excuse>) -> Answer {
    let excused = form.entschuldigt.is_some();
    let deed = web.host.excuse(&master.world, form.zug, RealmId(form.reich), excused);
    let changed = deed.await;
    done(&web, &page, changed.map(|_| ()))
}
