//! The host for those who keep it: numbers, work and mails that failed, accounts, worlds, complaints.
//!
//! Making somebody a keeper and deleting an account stay with whoever is signed in: a key that was stolen must not be able
//! to take the host over.

use super::{Asked, Called, Problem, Sent, done, json, moment, sought};
use crate::error::Fault;
use crate::identity::{Admin, world_segment};
use crate::mail;
use crate::page::Page;
use crate::pages::keeping;
use crate::refusal;
use crate::state::Web;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use host::HostError;
use host::account::AccountError;
use kernel::realm::{RealmId, Viewer};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Something that waits, and how much of it was given up.
#[derive(Debug, Serialize, ToSchema)]
pub struct Queue {
    /// How much waits.
    waiting: u64,
    /// How much was given up.
    given_up: u64,
}

/// Work that waits.
#[derive(Debug, Serialize, ToSchema)]
pub struct WaitingWork {
    /// What is to be done.
    kind: String,
    /// The world that it is about.
    world: String,
    /// When.
    #[schema(format = DateTime)]
    at: String,
    /// Why it failed the last time, if it did.
    error: String,
}

/// Work or a mail that was given up.
#[derive(Debug, Serialize, ToSchema)]
pub struct GivenUpEntry {
    /// Its id.
    id: String,
    /// What it is.
    kind: String,
    /// What it is about, or for whom.
    about: String,
    /// Why it failed the last time.
    error: String,
    /// When it was given up.
    #[schema(format = DateTime)]
    at: String,
}

/// What a keeper did.
#[derive(Debug, Serialize, ToSchema)]
pub struct KeeperAct {
    /// When.
    #[schema(format = DateTime)]
    at: String,
    /// Who; empty for the command line and for those who are gone.
    who: String,
    /// What.
    deed: String,
    /// More about it.
    detail: String,
}

/// The host at a glance.
#[derive(Debug, Serialize, ToSchema)]
pub struct HostFile {
    /// Accounts that are not deleted.
    accounts: u64,
    /// Accounts with a session.
    signed_in: u64,
    /// Worlds.
    worlds: u64,
    /// Turns that were run.
    turns: u64,
    /// Letters that were sent.
    letters: u64,
    /// Work.
    jobs: Queue,
    /// Mails.
    mails: Queue,
    /// Complaints that nobody has answered.
    complaints: u64,
    /// Work that waits.
    waiting: Vec<WaitingWork>,
    /// Work that was given up.
    failed_jobs: Vec<GivenUpEntry>,
    /// Mails that were given up.
    failed_mails: Vec<GivenUpEntry>,
    /// What keepers did, the newest first.
    record: Vec<KeeperAct>,
}

/// `GET /api/v1/host`
pub async fn show(State(web): State<Web>, _: Admin) -> Called {
    let figures = web.host.figures().await?;
    let waiting = web.host.waiting_jobs(keeping::ENTRIES).await?;
    let jobs = web.host.given_up().await?;
    let mails = web.host.lost_mails(keeping::ENTRIES).await?;
    let acts = web.host.acts(keeping::ENTRIES).await?;
    json(&HostFile {
        accounts: figures.accounts,
        signed_in: figures.signed_in,
        worlds: figures.worlds,
        turns: figures.turns,
        letters: figures.letters,
        jobs: queue(figures.jobs),
        mails: queue(figures.mails),
        complaints: figures.complaints,
        waiting: waiting
            .into_iter()
            .map(|of| WaitingWork {
                kind: of.kind,
                world: of.world,
                at: moment(of.at),
                error: of.error,
            })
            .collect(),
        failed_jobs: jobs
            .into_iter()
            .map(|of| GivenUpEntry {
                id: of.id,
                kind: of.kind,
                about: of.key,
                error: of.error,
                at: moment(of.at),
            })
            .collect(),
        failed_mails: mails
            .into_iter()
            .map(|of| GivenUpEntry {
                id: of.id,
                kind: of.kind,
                about: of.to,
                error: of.error,
                at: moment(of.at),
            })
            .collect(),
        record: acts
            .into_iter()
            .map(|of| KeeperAct {
                at: moment(of.at),
                who: of.who,
                deed: of.deed,
                detail: of.detail,
            })
            .collect(),
    })
}

fn queue((waiting, given_up): (u64, u64)) -> Queue {
    Queue { waiting, given_up }
}

/// Something that an examination found.
#[derive(Debug, Serialize, ToSchema)]
pub struct HostFinding {
    /// The world, if it is about one.
    world: Option<String>,
    /// Whether something is broken; otherwise somebody should look at it.
    broken: bool,
    /// What.
    text: String,
}

/// What an examination of the store found.
#[derive(Debug, Serialize, ToSchema)]
pub struct HostFindings {
    /// The findings; none if all is well.
    findings: Vec<HostFinding>,
}

/// `POST /api/v1/host/examination`
pub async fn examine(State(web): State<Web>, page: Page, _: Admin) -> Called {
    let findings = keeping::examination(&web).await?;
    let finding = |of: host::backup::Finding| HostFinding {
        broken: of.broken,
        text: refusal::finding(page.words, &of),
        world: of.world,
    };
    json(&HostFindings {
        findings: findings.into_iter().map(finding).collect(),
    })
}

/// A job in an address.
#[derive(Deserialize)]
pub struct JobPath {
    job: String,
}

/// What was there is there no more: somebody else was faster.
fn settled(result: Result<(), HostError>) -> Called {
    match result {
        Ok(()) => done(),
        Err(HostError::Malformed(_)) => Err(Problem::missing()),
        Err(error) => Err(error.into()),
    }
}

/// `POST /api/v1/host/jobs/{job}/retry`
pub async fn retry_job(State(web): State<Web>, _: Admin, Path(path): Path<JobPath>) -> Called {
    settled(web.host.retry_job(&path.job).await)
}

/// A mail in an address.
#[derive(Deserialize)]
pub struct MailPath {
    mail: String,
}

/// What becomes of a mail that was given up.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MailSent {
    /// Whether it is sent again; otherwise it is forgotten.
    again: bool,
}

/// `POST /api/v1/host/mails/{mail}`
pub async fn settle_mail(
    State(web): State<Web>,
    _: Admin,
    Path(path): Path<MailPath>,
    Sent(sent): Sent<MailSent>,
) -> Called {
    settled(web.host.settle_mail(&path.mail, sent.again).await)
}

/// Which accounts.
#[derive(Debug, Default, Deserialize, IntoParams)]
pub struct AccountsAsked {
    /// A part of name or mail address.
    #[serde(default)]
    #[param(required = false, max_length = 100)]
    q: String,
    /// How many to pass over: a page has 50.
    #[serde(default)]
    #[param(required = false)]
    skip: u32,
}

/// An account as its keeper sees it.
#[derive(Debug, Serialize, ToSchema)]
pub struct AccountEntry {
    /// Its id.
    id: String,
    /// Its name.
    name: String,
    /// Its mail address.
    mail: Option<String>,
    /// Whether the mail address is proven.
    confirmed: bool,
    /// Whether it keeps the host.
    admin: bool,
    /// Whether it is locked.
    locked: bool,
    /// When it was made.
    #[schema(format = DateTime)]
    created_at: String,
}

/// Accounts.
#[derive(Debug, Serialize, ToSchema)]
pub struct AccountEntries {
    /// The accounts, by name.
    accounts: Vec<AccountEntry>,
}

/// `GET /api/v1/host/accounts`
pub async fn accounts(State(web): State<Web>, _: Admin, Asked(asked): Asked<AccountsAsked>) -> Called {
    let found = web
        .host
        .search_accounts(sought(&asked.q)?, asked.skip, keeping::ACCOUNTS)
        .await?;
    let entry = |of: host::account::Account| AccountEntry {
        id: of.id,
        name: of.name,
        mail: of.mail,
        confirmed: of.confirmed,
        admin: of.admin,
        locked: of.locked,
        created_at: moment(of.created_at),
    };
    json(&AccountEntries {
        accounts: found.into_iter().map(entry).collect(),
    })
}

/// An account in an address.
#[derive(Deserialize)]
pub struct AccountPath {
    account: String,
}

/// What a keeper does with an account.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AccountAct {
    /// Locks it: nobody can sign in.
    Lock,
    /// Opens it again.
    Unlock,
    /// Sends a link for signing in.
    SendLink,
}

/// What to do with an account.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AccountActSent {
    /// What.
    act: AccountAct,
}

/// `POST /api/v1/host/accounts/{account}/act`
pub async fn act_on_account(
    State(web): State<Web>,
    _: Admin,
    Path(path): Path<AccountPath>,
    Sent(sent): Sent<AccountActSent>,
) -> Called {
    let (host, now) = (&web.host, web.clock.now());
    let account = match host.account(&path.account).await {
        Ok(account) if !account.deleted => account,
        Ok(_) | Err(HostError::Account(AccountError::Unknown(_))) => return Err(Problem::missing()),
        Err(error) => return Err(error.into()),
    };
    match sent.act {
        AccountAct::Lock => host.lock_account(&account.id, true).await?,
        AccountAct::Unlock => host.lock_account(&account.id, false).await?,
        AccountAct::SendLink => {
            if let Some((account, token)) = host.login_link(&account.name, None, now).await? {
                mail::login_link(&web, &account, &token, now).await?;
            }
            host.record_act("link sent", &account.name).await?;
        }
    }
    done()
}

/// A world as the keeper of the host sees it.
#[derive(Debug, Serialize, ToSchema)]
pub struct HostWorld {
    /// Its id.
    id: String,
    /// Its name.
    name: String,
    /// What stands for it in addresses.
    path: String,
    /// Its game.
    game: String,
    /// The turn that is open.
    turn: u32,
    /// Names of those who lead it.
    masters: Vec<String>,
    /// Number of seats.
    seats: usize,
    /// Seats that can be had.
    vacant: usize,
}

/// All worlds of the host.
#[derive(Debug, Serialize, ToSchema)]
pub struct HostWorlds {
    /// The worlds.
    worlds: Vec<HostWorld>,
}

/// `GET /api/v1/host/worlds`
pub async fn worlds(State(web): State<Web>, _: Admin) -> Called {
    let rows = keeping::rows(&web).await?;
    let entry = |of: keeping::Row| HostWorld {
        path: world_segment(&of.world),
        id: of.world.id,
        name: of.world.name,
        game: of.world.game,
        turn: of.world.open_step,
        masters: of.masters,
        seats: of.seats,
        vacant: of.vacant,
    };
    json(&HostWorlds {
        worlds: rows.into_iter().map(entry).collect(),
    })
}

/// A world in an address.
#[derive(Deserialize)]
pub struct NamePath {
    name: String,
}

/// Who shall lead a world, or lead it no more.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LeadSent {
    /// Name of the account.
    #[schema(min_length = 1, max_length = 254)]
    account: String,
    /// Whether it leads from now on; otherwise it leads no more.
    leads: bool,
}

/// `POST /api/v1/host/worlds/{name}/lead`
pub async fn set_lead(
    State(web): State<Web>,
    _: Admin,
    Path(path): Path<NamePath>,
    Sent(sent): Sent<LeadSent>,
) -> Called {
    let world = web.host.world(Some(&path.name)).await.map_err(Fault::from)?;
    let account = match web.host.find_account(sent.account.trim()).await {
        Ok(account) => account,
        Err(HostError::Account(AccountError::Unknown(_))) => return Err(Problem::refused(&"account")),
        Err(error) => return Err(error.into()),
    };
    keeping::lead(&web, &world, &account, sent.leads).await?;
    done()
}

/// A complaint that nobody has answered.
#[derive(Debug, Serialize, ToSchema)]
pub struct OpenComplaint {
    /// Name of the world.
    world: String,
    /// Id of the letter.
    letter: String,
    /// Who wrote it.
    author: String,
    /// Its subject.
    subject: String,
    /// Its words.
    text: String,
    /// Number of the realm that complained.
    realm: u16,
    /// Its name.
    by: String,
    /// Why.
    reason: String,
    /// When.
    #[schema(format = DateTime)]
    at: String,
}

/// Complaints that nobody has answered.
#[derive(Debug, Serialize, ToSchema)]
pub struct OpenComplaints {
    /// The complaints.
    complaints: Vec<OpenComplaint>,
}

/// `GET /api/v1/host/complaints`
pub async fn complaints(State(web): State<Web>, _: Admin) -> Called {
    let cases = keeping::cases(&web).await?;
    let entry = |of: keeping::Case| OpenComplaint {
        world: of.world,
        letter: of.complaint.letter.headline.id,
        author: of.author,
        subject: of.complaint.letter.headline.subject,
        text: of.complaint.letter.headline.body,
        realm: of.complaint.by.0,
        by: of.by,
        reason: of.complaint.reason,
        at: moment(of.complaint.at),
    };
    json(&OpenComplaints {
        complaints: cases.into_iter().map(entry).collect(),
    })
}

/// A letter in an address.
#[derive(Deserialize)]
pub struct ComplaintPath {
    letter: String,
}

/// What is said to a complaint.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AnswerSent {
    /// Name of the world.
    world: String,
    /// Number of the realm that complained.
    realm: u16,
    /// The answer.
    #[schema(min_length = 1, max_length = 1_000)]
    text: String,
}

/// `POST /api/v1/host/complaints/{letter}/answer`
pub async fn answer(
    State(web): State<Web>,
    _: Admin,
    Path(path): Path<ComplaintPath>,
    Sent(sent): Sent<AnswerSent>,
) -> Called {
    let world = web.host.world(Some(&sent.world)).await.map_err(Fault::from)?;
    let text = sent.text.trim();
    if text.is_empty() {
        return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "refused").because(&"text"));
    }
    let desk = web.host.letters(&world, Viewer::GameMaster);
    desk.answer_complaint(&path.letter, RealmId(sent.realm), text).await?;
    web.host.record_act("complaint answered", &world.name).await?;
    done()
}
