//! Who has handed in, and what was done.

use super::{RECORD, told};
use crate::Answer;
use crate::identity::GameMaster;
use crate::page::{Flash, Page, go_with};
use crate::state::Web;
use askama::Template;
use axum::extract::State;
use host::desk::{Deed, Trial};
use host::submission::{Arrival, Standing};
use host::world::{StepInfo, World};
use kernel::diagnostic::Severity;
use kernel::game::ArrivedFiles;
use serde::Deserialize;

/// Realms whose orders are read again for the overview; in larger worlds the findings stand on the realm's own page.
pub const READ: usize = 60;

/// A realm in the list.
struct Row {
    standing: Standing,
    /// Errors and warnings in what it handed in, if that was looked at.
    findings: Option<(usize, usize)>,
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
    record: Vec<Deed>,
}

/// `GET /welt/{world}/leitung`
pub async fn show(State(web): State<Web>, page: Page, master: GameMaster) -> Answer {
    let world = &master.world;
    let (step, standings) = web.host.standings(world).await?;
    let look = standings.len() <= READ;
    let mut rows = Vec::with_capacity(standings.len());
    for standing in standings {
        let findings = if look {
            findings(&web, world, &standing).await?
        } else {
            None
        };
        rows.push(Row { standing, findings });
    }
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
        record: web.host.record(world, true, 12).await?,
    })
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

#[derive(Template)]
#[template(path = "lead/record.html")]
struct Record<'a> {
    page: &'a Page,
    record: Vec<Deed>,
    withdrawn: Vec<host::desk::Withdrawn>,
}

/// `GET /welt/{world}/leitung/protokoll`
pub async fn record(State(web): State<Web>, page: Page, master: GameMaster) -> Answer {
    page.show(&Record {
        page: &page,
        record: web.host.record(&master.world, true, RECORD).await?,
        withdrawn: web.host.withdrawn(&master.world).await?,
    })
}

/// Why a turn is taken back.
#[derive(Deserialize)]
pub struct TakeBack {
    grund: String,
}

/// `POST /welt/{world}/leitung/ruecknahme`
pub async fn take_back(
    State(web): State<Web>,
    page: Page,
    master: GameMaster,
    axum::Form(form): axum::Form<TakeBack>,
) -> Answer {
    let flash = match web.host.take_back(&master.world, form.grund.trim()).await {
        Ok(step) => Flash::good("flash.lead-taken-back").with("step", step),
        Err(error) => told(error)?,
    };
    go_with(&web, &page.in_world("leitung"), &flash)
}
