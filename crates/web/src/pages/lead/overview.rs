//! Who has handed in, and what was done.

use super::deadlines::{self, Entry};
use super::record::judgement;
use super::{RECORD, names, told};
use crate::Answer;
use crate::identity::GameMaster;
use crate::page::{Flash, Page, go_with};
use crate::state::Web;
use askama::Template;
use axum::extract::State;
use host::desk::{Deed, SeenBy, Trial, Troubles};
use host::membership::NOBODY;
use host::submission::{Arrival, Standing};
use host::world::{StepInfo, World};
use kernel::diagnostic::Severity;
use kernel::game::ArrivedFiles;
use kernel::realm::{RealmId, Viewer};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// Realms whose orders are read again for the overview; in larger worlds the findings stand on the realm's own page.
pub const READ: usize = 60;

/// Deeds of the record that are shown at once.
const RECENT: usize = 60;

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

/// Who is asked for orders.
#[derive(Deserialize)]
pub struct Chased {
    /// The realm; without one everybody who owes them.
    reich: Option<u16>,
}

/// `POST /welt/{world}/leitung/mahnen`
pub async fn chase(
    State(web): State<Web>,
    page: Page,
    master: GameMaster,
    axum::Form(form): axum::Form<Chased>,
) -> Answer {
    let now = web.clock.now();
    let mails = web.host.chase(&master.world, form.reich.map(RealmId), now).await?;
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
    names: BTreeMap<RealmId, String>,
    /// Why judgements were given, by turn and number.
    reasons: BTreeMap<(u32, u32), String>,
}

impl Record {
    async fn of(web: &Web, world: &World, count: u32) -> Result<Self, crate::Fault> {
        let deeds = web.host.record(world, Some(Viewer::GameMaster), count).await?;
        let mut reasons = BTreeMap::new();
        let turns: BTreeSet<u32> = deeds.iter().filter_map(judgement).map(|(turn, _)| turn).collect();
        for turn in turns {
            let given = web.host.judgements(world, turn).await?;
            reasons.extend(given.into_iter().map(|of| ((of.step, of.number), of.reason)));
        }
        reasons.retain(|_, reason: &mut String| !reason.is_empty());
        Ok(Self {
            deeds,
            names: names(web, world).await?,
            reasons,
        })
    }

    /// What is shown at once, and what was done before.
    fn parts(&self) -> (&[Deed], &[Deed]) {
        self.deeds.split_at(self.deeds.len().min(RECENT))
    }

    /// Why the judgement was given that a deed is about.
    fn reason(&self, deed: &Deed) -> Option<&str> {
        self.reasons.get(&judgement(deed)?).map(String::as_str)
    }

    /// The symbol and the word for those who read of a deed.
    fn seen_by(&self, deed: &Deed) -> (&'static str, &'static str) {
        match SeenBy::of(&deed.deed) {
            SeenBy::All => ("i-eye", "lead.seen-by-all"),
            SeenBy::Realm => ("i-eye", "lead.seen-by-realm"),
            SeenBy::Masters => ("i-lock", "lead.seen-by-masters"),
        }
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
