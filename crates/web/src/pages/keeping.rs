//! The keeper's room: accounts, worlds, work and mails that failed, complaints about letters, the host in numbers.
//!
//! Everything that is done here stands in the host's record.

use crate::Answer;
use crate::error::Fault;
use crate::identity::{Admin, world_segment};
use crate::mail;
use crate::page::{Flash, Page, go_with};
use crate::refusal;
use crate::state::Web;
use askama::Template;
use axum::Form;
use axum::extract::{Path, Query, State};
use host::HostError;
use host::account::{Account, AccountError};
use host::backup::Finding;
use host::job::GivenUp;
use host::keeping::{Act, Figures, LostMail, Waiting};
use host::letter::Complaint;
use host::world::World;
use kernel::realm::{RealmId, Viewer};
use serde::Deserialize;

/// Accounts on one page.
pub const ACCOUNTS: u32 = 50;
/// Entries of other lists.
pub const ENTRIES: u32 = 100;

#[derive(Template)]
#[template(path = "keeping/home.html")]
struct Home<'a> {
    page: &'a Page,
    figures: Figures,
    waiting: Vec<Waiting>,
    failed: Vec<GivenUp>,
    mails: Vec<LostMail>,
    acts: Vec<Act>,
    /// What the examination found; nothing if none was asked for.
    findings: Option<Vec<Finding>>,
}

impl Home<'_> {
    /// What the examination found, in words.
    fn found(&self, finding: &Finding) -> String {
        refusal::finding(self.page.words, finding)
    }
}

/// `GET /verwaltung`
pub async fn show(State(web): State<Web>, page: Page) -> Answer {
    home(&web, &page, None).await
}

async fn home(web: &Web, page: &Page, findings: Option<Vec<Finding>>) -> Answer {
    page.show(&Home {
        page,
        figures: web.host.figures().await?,
        waiting: web.host.waiting_jobs(ENTRIES).await?,
        failed: web.host.given_up().await?,
        mails: web.host.lost_mails(ENTRIES).await?,
        acts: web.host.acts(ENTRIES).await?,
        findings,
    })
}

/// Looks through everything that is stored, and notes that it was done.
pub async fn examination(web: &Web) -> Result<Vec<Finding>, Fault> {
    // On a task of its own: it reads everything that is stored.
    let host = web.host.clone();
    let work = tokio::spawn(async move { host.doctor(false).await });
    let findings = work.await.map_err(|error| Fault::Broken(error.to_string()))??;
    let found = findings.len().to_string();
    web.host.record_act("examined", &found).await?;
    Ok(findings)
}

/// `POST /verwaltung/untersuchung`
pub async fn examine(State(web): State<Web>, page: Page, _: Admin) -> Answer {
    let findings = examination(&web).await?;
    home(&web, &page, Some(findings)).await
}

/// What is to be done with something.
#[derive(Deserialize, Default)]
pub struct Deed {
    /// What.
    #[serde(default)]
    tun: String,
    /// Name of an account, where one is needed.
    #[serde(default)]
    name: String,
    /// What is said to a complaint.
    #[serde(default)]
    antwort: String,
    /// The realm that complained.
    #[serde(default)]
    reich: u16,
    /// The world of the complaint.
    #[serde(default)]
    welt: String,
}

/// `POST /verwaltung/arbeit/{job}`
pub async fn retry_job(State(web): State<Web>, _: Admin, Path(id): Path<String>) -> Answer {
    let done = web.host.retry_job(&id).await;
    settled(&web, done)
}

/// `POST /verwaltung/post/{mail}`
pub async fn settle_mail(State(web): State<Web>, _: Admin, Path(id): Path<String>, Form(deed): Form<Deed>) -> Answer {
    let again = deed.tun != "vergessen";
    let done = web.host.settle_mail(&id, again).await;
    settled(&web, done)
}

fn settled(web: &Web, done: Result<(), HostError>) -> Answer {
    let flash = match done {
        Ok(()) => Flash::good("flash.kept-done"),
        // Somebody else was faster.
        Err(HostError::Malformed(_)) => Flash::bad("flash.kept-gone"),
        Err(error) => return Err(error.into()),
    };
    go_with(web, "/verwaltung", &flash)
}

/// Which accounts are shown.
#[derive(Deserialize, Default)]
pub struct Asked {
    #[serde(default)]
    suche: String,
    #[serde(default)]
    seite: u32,
}

#[derive(Template)]
#[template(path = "keeping/accounts.html")]
struct Accounts<'a> {
    page: &'a Page,
    accounts: Vec<Account>,
    search: &'a str,
    sheet: u32,
    more: bool,
    me: &'a str,
}

/// `GET /verwaltung/konten`
pub async fn accounts(State(web): State<Web>, page: Page, admin: Admin, Query(asked): Query<Asked>) -> Answer {
    let sheet = asked.seite.max(1);
    let skip = (sheet - 1).saturating_mul(ACCOUNTS);
    let mut accounts = web.host.search_accounts(&asked.suche, skip, ACCOUNTS + 1).await?;
    let more = accounts.len() > ACCOUNTS as usize;
    accounts.truncate(ACCOUNTS as usize);
    page.show(&Accounts {
        page: &page,
        accounts,
        search: asked.suche.trim(),
        sheet,
        more,
        me: &admin.account.id,
    })
}

/// `POST /verwaltung/konten/{account}`
pub async fn act_on_account(
    State(web): State<Web>,
    _: Admin,
    Path(id): Path<String>,
    Form(deed): Form<Deed>,
) -> Answer {
    let (host, now) = (&web.host, web.clock.now());
    let account = match host.account(&id).await {
        Ok(account) if !account.deleted => account,
        Ok(_) | Err(HostError::Account(AccountError::Unknown(_))) => return Err(Fault::Missing),
        Err(error) => return Err(error.into()),
    };
    let note = async |deed: &str| host.record_act(deed, &account.name).await;
    let work = async {
        match deed.tun.as_str() {
            "sperren" => host.lock_account(&id, true).await?,
            "oeffnen" => host.lock_account(&id, false).await?,
            "verwalter" => {
                host.set_admin(&id, true).await?;
                note("admin made").await?;
            }
            "spieler" => {
                host.set_admin(&id, false).await?;
                note("admin unmade").await?;
            }
            "link" => {
                if let Some((account, token)) = host.login_link(&account.name, None, now).await? {
                    mail::login_link(&web, &account, &token, now).await?;
                }
                note("link sent").await?;
            }
            // Whoever deletes types the name, so that no slip of the hand does it.
            "loeschen" if deed.name == account.name => {
                host.delete_account(&id, now).await?;
                note("account deleted").await?;
            }
            "loeschen" => return Err(Trouble::Name),
            _ => return Err(Trouble::Fault(Fault::Malformed)),
        }
        Ok(())
    };
    let flash = match work.await {
        Ok(()) => Flash::good("flash.kept-done"),
        Err(Trouble::Name) => Flash::bad("flash.kept-name"),
        Err(Trouble::Host(HostError::Account(AccountError::LastAdmin))) => Flash::bad("flash.kept-admin"),
        Err(Trouble::Host(HostError::Account(AccountError::TooMany { .. }))) => Flash::bad("flash.kept-often"),
        Err(Trouble::Host(error)) => return Err(error.into()),
        Err(Trouble::Fault(fault)) => return Err(fault),
    };
    go_with(&web, "/verwaltung/konten", &flash)
}

enum Trouble {
    Name,
    Host(HostError),
    Fault(Fault),
}

impl From<HostError> for Trouble {
    fn from(error: HostError) -> Self {
        Self::Host(error)
    }
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// A world in the list.
pub struct Row {
    /// The world.
    pub world: World,
    address: String,
    /// Names of those who lead it.
    pub masters: Vec<String>,
    /// Number of seats.
    pub seats: usize,
    /// Seats that can be had.
    pub vacant: usize,
}

#[derive(Template)]
#[template(path = "keeping/worlds.html")]
struct Worlds<'a> {
    page: &'a Page,
    rows: Vec<Row>,
}

/// All worlds.
pub async fn rows(web: &Web) -> Result<Vec<Row>, Fault> {
    let mut rows = Vec::new();
    for world in web.host.worlds().await? {
        let seats = web.host.seats(&world).await?;
        let masters = web.host.masters(&world).await?;
        rows.push(Row {
            address: world_segment(&world),
            masters: masters.into_iter().map(|master| master.name).collect(),
            seats: seats.len(),
            vacant: seats.iter().filter(|seat| seat.vacant).count(),
            world,
        });
    }
    Ok(rows)
}

/// `GET /verwaltung/welten`
pub async fn worlds(State(web): State<Web>, page: Page) -> Answer {
    let rows = rows(&web).await?;
    page.show(&Worlds { page: &page, rows })
}

/// Lets somebody lead a world, or lead it no more.
pub async fn lead(web: &Web, world: &World, account: &Account, leads: bool) -> Result<(), HostError> {
    let what = match leads {
        true => {
            web.host.add_master(world, &account.id, web.clock.now()).await?;
            "lead given"
        }
        false => {
            web.host.remove_master(world, &account.id).await?;
            "lead taken"
        }
    };
    web.host
        .record_act(what, &format!("{}: {}", world.name, account.name))
        .await
}

/// `POST /verwaltung/welten/{name}`
pub async fn act_on_world(
    State(web): State<Web>,
    page: Page,
    _: Admin,
    Path(name): Path<String>,
    Form(deed): Form<Deed>,
) -> Answer {
    let world = web.host.world(Some(&name)).await?;
    let account = match web.host.find_account(deed.name.trim()).await {
        Ok(account) => account,
        Err(HostError::Account(AccountError::Unknown(_))) => {
            return go_with(&web, "/verwaltung/welten", &Flash::bad("flash.kept-nobody"));
        }
        Err(error) => return Err(error.into()),
    };
    let leads = match deed.tun.as_str() {
        "leiten" => true,
        "abgeben" => false,
        _ => return Err(Fault::Malformed),
    };
    let flash = match lead(&web, &world, &account, leads).await {
        Ok(()) => Flash::good("flash.kept-done"),
        Err(error @ HostError::Membership(_)) => {
            let why = refusal::why(&page, &error).unwrap_or_default();
            Flash::bad("flash.lead-refused").with("why", why)
        }
        Err(error) => return Err(error.into()),
    };
    go_with(&web, "/verwaltung/welten", &flash)
}

/// A complaint with the names of its world.
pub struct Case {
    /// Name of the world.
    pub world: String,
    /// Who wrote the letter.
    pub author: String,
    /// Who complained.
    pub by: String,
    /// The complaint.
    pub complaint: Complaint,
}

#[derive(Template)]
#[template(path = "keeping/complaints.html")]
struct Complaints<'a> {
    page: &'a Page,
    cases: Vec<Case>,
}

/// Complaints that nobody has answered.
pub async fn cases(web: &Web) -> Result<Vec<Case>, Fault> {
    let mut cases = Vec::new();
    for name in web.host.worlds_with_complaints().await? {
        let world = web.host.world(Some(&name)).await?;
        let seats = web.host.seats(&world).await?;
        let named = |realm: RealmId| {
            let seat = seats.iter().find(|seat| seat.realm == realm);
            seat.map_or_else(|| realm.to_string(), |seat| seat.name.clone())
        };
        let open = web.host.letters(&world, Viewer::GameMaster).complaints().await?;
        for complaint in open.into_iter().filter(|complaint| complaint.answer.is_none()) {
            cases.push(Case {
                world: name.clone(),
                author: match complaint.letter.headline.author {
                    Some(Viewer::Realm(realm)) => named(realm),
                    _ => String::new(),
                },
                by: named(complaint.by),
                complaint,
            });
        }
    }
    Ok(cases)
}

/// `GET /verwaltung/beschwerden`
pub async fn complaints(State(web): State<Web>, page: Page) -> Answer {
    let cases = cases(&web).await?;
    page.show(&Complaints { page: &page, cases })
}

/// `POST /verwaltung/beschwerden/{letter}`
pub async fn answer_complaint(
    State(web): State<Web>,
    _: Admin,
    Path(letter): Path<String>,
    Form(deed): Form<Deed>,
) -> Answer {
    let world = web.host.world(Some(&deed.welt)).await?;
    let desk = web.host.letters(&world, Viewer::GameMaster);
    let answer = deed.antwort.trim();
    if answer.is_empty() {
        return Err(Fault::Malformed);
    }
    desk.answer_complaint(&letter, RealmId(deed.reich), answer).await?;
    web.host.record_act("complaint answered", &world.name).await?;
    go_with(&web, "/verwaltung/beschwerden", &Flash::good("flash.kept-done"))
}

impl Page {
    /// What an administrator did, in words.
    pub fn act(&self, deed: &str) -> String {
        match deed {
            "account locked" => self.t("keeping.act-locked"),
            "account unlocked" => self.t("keeping.act-unlocked"),
            "account deleted" => self.t("keeping.act-deleted"),
            "admin made" => self.t("keeping.act-admin"),
            "admin unmade" => self.t("keeping.act-no-admin"),
            "link sent" => self.t("keeping.act-link"),
            "job retried" => self.t("keeping.act-job"),
            "mail retried" => self.t("keeping.act-mail"),
            "mail forgotten" => self.t("keeping.act-mail-gone"),
            "lead given" => self.t("keeping.act-lead"),
            "lead taken" => self.t("keeping.act-no-lead"),
            "complaint answered" => self.t("keeping.act-complaint"),
            "examined" => self.t("keeping.act-examined"),
            other => other.to_owned(),
        }
    }

    /// A kind of work in words.
    pub fn work(&self, kind: &str) -> String {
        match kind {
            "deadline" => self.t("keeping.work-deadline"),
            "remind" => self.t("keeping.work-remind"),
            other => other.to_owned(),
        }
    }
}
