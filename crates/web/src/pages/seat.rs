//! A ruler's own affairs in a world: reminders, holidays, who stands in, missed turns, fees; and for whom a stand-in sits.

pub mod calendar;

use crate::Answer;
use crate::context::lasting;
use crate::error::Fault;
use crate::identity::{Asker, Place, Player, SITS_COOKIE, sit_for};
use crate::page::{Flash, Page, go_with};
use crate::pages::arms::Heralds;
use crate::pairs::Pairs;
use crate::state::Web;
use crate::time;
use askama::Template;
use axum::extract::State;
use axum::response::IntoResponse as _;
use axum::{Extension, Form};
use axum_extra::extract::CookieJar;
use calendar::{Calendar, calendar};
use host::HostError;
use host::board::Booking;
use host::membership::StandIn;
use host::schedule::{Absence, Miss};
use host::world::World;
use kernel::realm::RealmId;
use serde::Deserialize;

/// Minutes before the deadline at which a page offers a reminder.
const OFFERED: [u32; 7] = [7 * 1_440, 3 * 1_440, 2 * 1_440, 1_440, 12 * 60, 3 * 60, 60];

/// A reminder to tick.
struct Reminder {
    minutes: u32,
    text: String,
    ticked: bool,
}

#[derive(Template)]
#[template(path = "seat.html")]
struct SeatPage<'a> {
    page: &'a Page,
    player: &'a Player,
    arms: String,
    reminders: Vec<Reminder>,
    calendar: Calendar,
    absences: Vec<Absence>,
    stand_ins: Vec<StandIn>,
    misses: Vec<Miss>,
    today: String,
    balance: i64,
    bookings: Vec<Booking>,
}

/// `GET /welt/{world}/sitz`
pub async fn show(State(web): State<Web>, page: Page, player: Player) -> Answer {
    let (world, realm, now) = (&player.world, player.realm(), web.clock.now());
    let chosen = web.host.reminders(world, &player.account.id).await?;
    let mut offered: Vec<u32> = OFFERED.iter().chain(&chosen).copied().collect();
    offered.sort_unstable_by(|a, b| b.cmp(a));
    offered.dedup();
    let reminders = offered.into_iter().map(|minutes| Reminder {
        minutes,
        text: before(&page, minutes),
        ticked: chosen.contains(&minutes),
    });
    let mut absences = web.host.absences(world, now).await?;
    absences.retain(|absence| absence.realm == realm);
    let schedule = web.host.schedule(world).await?;
    let stand_ins = web.host.stand_ins(world, now).await?;
    let misses = web.host.misses(world).await?;
    let (balance, bookings) = web.host.ledger(world, realm).await?;
    let heralds = Heralds::of(&web, &page, world, player.viewer()).await?;
    page.show(&SeatPage {
        page: &page,
        player: &player,
        arms: heralds.arms(player.viewer()).unwrap_or_default(),
        reminders: reminders.collect(),
        calendar: calendar(&page, now, world.open_step, &schedule, &absences)?,
        absences,
        stand_ins: stand_ins.into_iter().filter(|other| other.realm == realm).collect(),
        misses: misses.into_iter().filter(|miss| miss.realm == realm).collect(),
        today: time::day(page.time_zone(), now),
        balance,
        bookings,
    })
}

/// How long before a deadline, in words.
fn before(page: &Page, minutes: u32) -> String {
    match minutes {
        days if days.is_multiple_of(1_440) => page.n("seat.days-before", days / 1_440),
        hours if hours.is_multiple_of(60) => page.n("seat.hours-before", hours / 60),
        minutes => page.n("seat.minutes-before", minutes),
    }
}

fn back(web: &Web, page: &Page, flash: &Flash) -> Answer {
    go_with(web, &page.in_world("sitz"), flash)
}

/// `POST /welt/{world}/sitz/erinnerungen`
pub async fn remind(State(web): State<Web>, page: Page, player: Player, Form(fields): Form<Pairs>) -> Answer {
    let minutes: Vec<u32> = fields.all("minuten").filter_map(|value| value.parse().ok()).collect();
    let set = web
        .host
        .set_reminders(&player.world, &player.account.id, &minutes, web.clock.now())
        .await;
    match set {
        Ok(()) => back(&web, &page, &Flash::good("flash.saved")),
        Err(HostError::Malformed(_)) => back(
            &web,
            &page,
            &Flash::bad("flash.too-many-reminders").with("count", host::limits::REMINDERS),
        ),
        Err(error) => Err(error.into()),
    }
}

/// A stretch of days in the visitor's own time zone.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Stretch {
    /// What is to be done; nothing enters the days.
    pub tun: String,
    von: String,
    bis: String,
    notiz: String,
    /// The account that stands in.
    pub konto: String,
    computer: Option<String>,
    /// When an absence begins that is struck out.
    pub beginn: i64,
}

impl Stretch {
    /// From the beginning of the first day to the end of the last.
    pub fn moments(&self, page: &Page) -> Option<(i64, i64)> {
        let zone = page.time_zone();
        let (first, last) = (time::day_begins(zone, &self.von)?, time::day_ends(zone, &self.bis)?);
        (last > first).then_some((first, last))
    }

    /// The absence of a realm's player in these days; nothing if they are none.
    pub fn absence(&self, page: &Page, realm: RealmId) -> Option<Absence> {
        let (from_at, until_at) = self.moments(page)?;
        Some(Absence {
            realm,
            from_at,
            until_at,
            computer: self.computer.is_some(),
            note: self.notiz.trim().to_owned(),
        })
    }
}

/// The holder himself: who only looks after the seat does not go on holiday from it, nor hands it on.
pub fn holder(player: &Player) -> Result<(), Fault> {
    match player.stands_in {
        true => Err(Fault::Missing),
        false => Ok(()),
    }
}

/// `POST /welt/{world}/sitz/abwesenheit`
pub async fn absence(State(web): State<Web>, page: Page, player: Player, Form(form): Form<Stretch>) -> Answer {
    holder(&player)?;
    let (world, realm) = (&player.world, player.realm());
    if form.tun == "streichen" {
        web.host.remove_absence(world, realm, form.beginn).await?;
        return back(&web, &page, &Flash::good("flash.saved"));
    }
    let Some(absence) = form.absence(&page, realm) else {
        return back(&web, &page, &Flash::bad("flash.bad-days"));
    };
    match web.host.set_absence(world, &absence).await {
        Ok(()) => back(&web, &page, &Flash::good("flash.absence-set")),
        Err(HostError::Desk(_)) => back(&web, &page, &Flash::bad("flash.bad-days")),
        Err(error) => Err(error.into()),
    }
}

/// Lets somebody stand in, by the name of his account alone: whether a mail address has one is nobody's business.
pub async fn appoint(
    web: &Web,
    world: &World,
    realm: RealmId,
    name: &str,
    period: (i64, i64),
) -> Result<(), HostError> {
    let account = web.host.account_named(name).await?;
    let now = web.clock.now();
    web.host.stand_in(world, realm, &account.id, period, now).await
}

/// `POST /welt/{world}/sitz/vertretung`
pub async fn stand_in(State(web): State<Web>, page: Page, player: Player, Form(form): Form<Stretch>) -> Answer {
    holder(&player)?;
    let (world, realm) = (&player.world, player.realm());
    if form.tun == "ende" {
        web.host.end_stand_in(world, realm, &form.konto).await?;
        return back(&web, &page, &Flash::good("flash.saved"));
    }
    let Some(period) = form.moments(&page) else {
        return back(&web, &page, &Flash::bad("flash.bad-days"));
    };
    let name = form.konto.trim();
    // Why somebody cannot stand in is not said, or one could find out who plays here.
    match appoint(&web, world, realm, name, period).await {
        Ok(()) => back(&web, &page, &Flash::good("flash.stand-in-set").with("name", name)),
        Err(HostError::Membership(host::membership::MembershipError::BadPeriod)) => {
            back(&web, &page, &Flash::bad("flash.bad-days"))
        }
        Err(HostError::Membership(_) | HostError::Account(_)) => {
            back(&web, &page, &Flash::bad("flash.no-stand-in").with("name", name))
        }
        Err(error) => Err(error.into()),
    }
}

/// The name of the own realm, so that nobody leaves by mistake.
#[derive(Debug, Default, Deserialize)]
pub struct Farewell {
    #[serde(default)]
    reich: String,
}

/// Leaves the world for good; nothing happens unless the realm is called by its name.
pub async fn depart(web: &Web, player: &Player, realm: &str) -> Result<bool, Fault> {
    holder(player)?;
    let meant = realm.trim() == player.seat.name;
    if meant {
        web.host.leave(&player.world, &player.account.id).await?;
    }
    Ok(meant)
}

/// `POST /welt/{world}/sitz/verlassen`
pub async fn leave(State(web): State<Web>, page: Page, player: Player, Form(form): Form<Farewell>) -> Answer {
    match depart(&web, &player, &form.reich).await? {
        true => {
            let flash = Flash::good("flash.left").with("world", &player.world.name);
            go_with(&web, "/welten", &flash)
        }
        false => back(
            &web,
            &page,
            &Flash::bad("flash.not-left").with("realm", &player.seat.name),
        ),
    }
}

/// Which realm.
#[derive(Debug, Deserialize)]
pub struct Choice {
    reich: u16,
}

/// `POST /welt/{world}/sitz/wahl`: for whom somebody sits who stands in for several.
pub async fn choose(
    State(web): State<Web>,
    page: Page,
    Extension(place): Extension<Place>,
    Extension(asker): Extension<Asker>,
    Form(choice): Form<Choice>,
) -> Answer {
    let seat = place.looks_after.iter().find(|seat| seat.realm.0 == choice.reich);
    let seat = seat.ok_or(Fault::Missing)?;
    let value = sit_for(asker.sits_for.as_deref(), &place.world.id, RealmId(choice.reich));
    let jar = CookieJar::new().add(lasting(&web, SITS_COOKIE, value));
    let flash = Flash::good("flash.sits-for").with("realm", &seat.name);
    Ok((jar, go_with(&web, &page.in_world(""), &flash)?).into_response())
}
