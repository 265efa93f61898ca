//! Who has handed in, and what was done.

use super::deadlines::{self, Entry};
use super::{RECORD, names, told};
use crate::Answer;
use crate::identity::GameMaster;
use crate::page::{Flash, Page, go_with};
use crate::state::Web;
use askama::Template;
use axum::extract::State;
use host::desk::{Deed, Trial, Troubles};
use host::membership::NOBODY;
use host::submission::{Arrival, Standing};
use host::world::{StepInfo, World};
use kernel::diagnostic::Severity;
use kernel::game::ArrivedFiles;
use kernel::realm::RealmId;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// Realms whose orders are read again for the overview; in larger worlds the findings stand on the realm's own page.
pub const READ: usize = 60;

/// A realm in the list.
struct Row {
    standing: Standing,
    /// Errors and warnings in what it handed in, if that was looked at.
    findings: Option<(usize, usize)>,
    /// Until when its player is away, if he is.
    away_until: Option<i64>,
    /// Who stands in for him.
    stand_in: Option<String>,
    /// When its player last sat at his desk, in words, if orders are still missing.
    last_seen: Option<String>,
}

#[derive(Template)]
#[template(path = "lead/overview.html")]
struct Overview<'a> {
    page: &'a Page,
    step: u32,
    over: bool,
    rows: Vec<Row>,
    handed_in: usize,
    owing: usize,
    trial: Option<Trial>,
    last: Option<StepInfo>,
    record: Record,
    due: Option<String>,
    calendar: Vec<Entry>,
    troubles: Troubles,
}

/// `GET /welt/{world}/leitung`
pub async fn show(State(web): State<Web>, page: Page, master: GameMaster) -> Answer {
    let world = &master.world;
    let (step, standings) = web.host.standings(world).await?;
    let look = standings.len() <= READ;
    let now = web.clock.now();
    let absences = web.host.absences(world, now).await?;
    let stand_ins = web.host.stand_ins(world, now).await?;
    let visits = web.host.last_visits(world).await?;
    let mut rows = Vec::with_capacity(standings.len());
    for standing in standings {
        let findings = if look {
            findings(&web, world, &standing).await?
        } else {
            None
        };
        let realm = standing.realm;
        let away = absences.iter().find(|of| of.realm == realm && of.from_at <= now);
        let stand_in = stand_ins.iter().find(|of| of.realm == realm && of.from_at <= now);
        rows.push(Row {
            away_until: away.map(|of| of.until_at),
            stand_in: stand_in.map(|of| of.name.clone()),
            last_seen: (standing.owes && standing.player != NOBODY && !standing.computer && standing.receipt.is_none())
                .then(|| last_seen(&page, visits.get(&realm).copied(), now)),
            standing,
            findings,
        });
    }
    let calendar = deadlines::calendar(&web, &page, world, &web.host.schedule(world).await?).await?;
    let owing = rows.iter().filter(|row| row.standing.owes && !row.standing.computer);
    let handed_in = owing.clone().filter(|row| row.standing.receipt.is_some()).count();
    page.show(&Overview {
        page: &page,
        step: step.number,
        over: step.over,
        handed_in,
        owing: owing.count(),
        rows,
        trial: web.host.last_trial(world).await?,
        // The first is the creation: there is nothing to take back.
        last: web.host.steps(world).await?.into_iter().skip(1).next_back(),
        record: Record::of(&web, world, 12).await?,
        calendar,
        troubles: web.host.troubles(world).await?,
        due: page.deadline().map(|(due, left)| format!("{due}, {left}")),
    })
}

/// When somebody last sat at his desk, as far as a game master needs it: whether it pays to wait for him.
fn last_seen(page: &Page, seen_at: Option<i64>, now: i64) -> String {
    const DAY: i64 = 24 * 60 * 60 * 1000;
    match seen_at.map(|seen_at| (now - seen_at).max(0) / DAY) {
        None => page.t("lead.never-seen"),
        Some(0) => page.t("lead.seen-today"),
        Some(days) => page.n("lead.seen-days", days),
    }
}

/// `POST /welt/{world}/leitung/mahnen`: asks everybody for orders who owes them.
pub async fn chase(State(web): State<Web>, page: Page, master: GameMaster) -> Answer {
    let mails = web.host.chase(&master.world, web.clock.now()).await?;
    let flash = match mails {
        0 => Flash::bad("flash.lead-nobody-chased"),
        mails => Flash::good("flash.lead-chased").with("count", mails),
    };
    go_with(&web, &page.in_world("leitung"), &flash)
}

/// Errors and warnings in the file that a realm handed in.
pub async fn findings(web: &Web, world: &World, standing: &Standing) -> Result<Option<(usize, usize)>, crate::Fault> {
    if standing.receipt.is_none() {
        return Ok(None);
    }
    let Some(file) = web.host.orders(world, world.open_step, standing.realm).await? else {
        return Ok(None);
    };
    let arrival = Arrival {
        realm: standing.realm,
        step: None,
        file: &file,
        files: ArrivedFiles::default(),
    };
    let answer = match web.host.check(world, arrival).await {
        Ok(answer) => answer,
        // A realm that owes nothing in this step has nothing that could be checked.
        Err(host::HostError::NotDue { .. }) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    Ok(Some((answer.count(Severity::Error), answer.count(Severity::Warning))))
}

/// What was done in a world, and what players read of it.
struct Record {
    deeds: Vec<Deed>,
    open: BTreeSet<(i64, String)>,
    names: BTreeMap<RealmId, String>,
}

impl Record {
    async fn of(web: &Web, world: &World, count: u32) -> Result<Self, crate::Fault> {
        let open = web.host.record(world, false, count).await?;
        Ok(Self {
            deeds: web.host.record(world, true, count).await?,
            open: open.into_iter().map(|deed| (deed.at, deed.deed)).collect(),
            names: names(web, world).await?,
        })
    }

    /// Whether every player of the world reads of it.
    fn is_open(&self, deed: &Deed) -> bool {
        self.open.contains(&(deed.at, deed.deed.clone()))
    }
}

#[derive(Template)]
#[template(path = "lead/record.html")]
struct RecordPage<'a> {
    page: &'a Page,
    record: Record,
    withdrawn: Vec<host::desk::Withdrawn>,
}

/// `GET /welt/{world}/leitung/protokoll`
pub async fn record(State(web): State<Web>, page: Page, master: GameMaster) -> Answer {
    page.show(&RecordPage {
        page: &page,
        record: Record::of(&web, &master.world, RECORD).await?,
        withdrawn: web.host.withdrawn(&master.world).await?,
    })
}

/// Which turn is taken back, and why.
#[derive(Deserialize)]
pub struct TakeBack {
    zug: u32,
    grund: String,
}

/// `POST /welt/{world}/leitung/ruecknahme`
pub async fn take_back(
    State(web): State<Web>,
    page: Page,
    master: GameMaster,
    axum::Form(form): axum::Form<TakeBack>,
) -> Answer {
    let flash = match web
        .host
        .take_back(&master.world, Some(form.zug), form.grund.trim())
        .await
    {
        Ok(step) => Flash::good("flash.lead-taken-back").with("step", step),
        Err(error) => told(&page, error)?,
    };
    go_with(&web, &page.in_world("leitung"), &flash)
}
