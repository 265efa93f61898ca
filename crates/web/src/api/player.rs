//! The account, its worlds, and a world as its players see it: announcements and rules.

use super::{Asked, Called, Problem, json, moment};
use crate::identity::{Caller, Member, Place, world_segment};
use crate::page::Page;
use crate::pages::{letters, rules, worlds};
use crate::state::Web;
use axum::extract::{FromRequestParts, Path, State};
use axum::http::request::Parts;
use host::submission::Standing;
use kernel::realm::Viewer;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Who you are.
#[derive(Debug, Serialize, ToSchema)]
pub struct Me {
    /// Id of the account.
    id: String,
    /// Its name.
    name: String,
    /// Its language, `de` or `en`.
    language: String,
    /// Its time zone.
    zone: String,
    /// Whether it keeps the host.
    admin: bool,
    /// What the token may do, `read` or `write`; `write` for a session.
    scope: &'static str,
}

/// `GET /api/v1/account`
pub async fn account(caller: Caller) -> Called {
    let account = &caller.account;
    json(&Me {
        id: account.id.clone(),
        name: account.name.clone(),
        language: account.language.clone(),
        zone: account.zone.clone(),
        admin: account.admin,
        scope: caller.token.as_ref().map_or("write", |token| token.scope.code()),
    })
}

/// A realm.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct RealmName {
    /// Its number in the world; 0 for the game master.
    pub realm: u16,
    /// Its name.
    pub name: String,
}

/// A world in which you play or lead.
#[derive(Debug, Serialize, ToSchema)]
pub struct WorldEntry {
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
    /// Your realm, or one that you look after.
    realm: Option<RealmName>,
    /// Whether you only look after it for somebody else.
    stands_in: bool,
    /// Whether you lead the world.
    game_master: bool,
}

/// Your worlds.
#[derive(Debug, Serialize, ToSchema)]
pub struct Worlds {
    /// The worlds.
    worlds: Vec<WorldEntry>,
}

/// `GET /api/v1/worlds`
pub async fn list(State(web): State<Web>, caller: Caller) -> Called {
    let mine = worlds::mine(&web, &caller.account.id).await?;
    let entry = |of: worlds::Mine| WorldEntry {
        path: world_segment(&of.world),
        realm: of
            .number
            .zip(of.realm)
            .map(|(number, name)| RealmName { realm: number.0, name }),
        stands_in: of.stands_in,
        game_master: of.master,
        id: of.world.id,
        name: of.world.name,
        game: of.world.game,
        turn: of.world.open_step,
    };
    json(&Worlds {
        worlds: mine.into_iter().map(entry).collect(),
    })
}

/// When orders are due.
#[derive(Debug, Serialize, ToSchema)]
pub struct Due {
    /// The turn.
    turn: u32,
    /// When they are due.
    #[schema(format = DateTime)]
    due_at: String,
    /// Until when they count nevertheless.
    #[schema(format = DateTime)]
    grace_until: String,
}

impl Due {
    /// A deadline as JSON.
    pub fn of(deadline: &host::schedule::Deadline) -> Self {
        Self {
            turn: deadline.step,
            due_at: moment(deadline.due_at),
            grace_until: moment(deadline.grace_until),
        }
    }
}

/// Where a realm stands in the open turn.
#[derive(Debug, Serialize, ToSchema)]
pub struct Stand {
    /// Number of the realm.
    realm: u16,
    /// Its name.
    name: String,
    /// Whether it owes orders.
    owes: bool,
    /// Whether the computer plays it.
    computer: bool,
    /// Receipt of the file that counts.
    receipt: Option<String>,
    /// When that file came.
    #[schema(format = DateTime)]
    received_at: Option<String>,
    /// How many files came.
    attempts: u32,
}

impl Stand {
    /// A standing as JSON.
    pub fn of(standing: &Standing) -> Self {
        Self {
            realm: standing.realm.0,
            name: standing.name.clone(),
            owes: standing.owes,
            computer: standing.computer,
            receipt: standing.receipt.clone(),
            received_at: standing.received_at.map(moment),
            attempts: standing.attempts,
        }
    }
}

/// A turn that was run.
#[derive(Debug, Serialize, ToSchema)]
pub struct TurnEntry {
    /// Its number.
    turn: u32,
    /// When it was run.
    #[schema(format = DateTime)]
    ran_at: String,
}

/// A world at a glance.
#[derive(Debug, Serialize, ToSchema)]
pub struct Overview {
    /// Its id.
    id: String,
    /// Its name.
    name: String,
    /// Its game.
    game: String,
    /// The turn that is open.
    turn: u32,
    /// Whether the world has come to its end.
    over: bool,
    /// When orders are due.
    deadline: Option<Due>,
    /// Whether you lead the world.
    game_master: bool,
    /// Whether you only look after your realm for somebody else.
    stands_in: bool,
    /// The realms that you look after; the header `Briefwelt-Realm` with a number chooses one of them.
    looks_after: Vec<RealmName>,
    /// Where your realm stands.
    standing: Option<Stand>,
    /// Letters that you have not read.
    unread_letters: u32,
    /// The turns that were run, the last first.
    turns: Vec<TurnEntry>,
}

/// The place of the asker in the world of the address.
pub struct Here(pub Place);

impl FromRequestParts<Web> for Here {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &Web) -> Result<Self, Problem> {
        let place = parts.extensions.get::<Place>().cloned();
        place.map(Self).ok_or_else(Problem::missing)
    }
}

/// `GET /api/v1/worlds/{world}`
pub async fn world(State(web): State<Web>, Here(place): Here) -> Called {
    let world = &place.world;
    let step = web.host.open_step(world).await?;
    let own = place.seat.as_ref().map(|seat| seat.realm);
    let viewer = own.map_or(Viewer::GameMaster, Viewer::Realm);
    // Only whoever may read the letters is told how many there are.
    let unread = match letters::Writer::at(&web, &place, own.is_none()).await? {
        Some(_) => web.host.letters(world, viewer).unread().await?,
        None => 0,
    };
    let standing = match own {
        Some(realm) => Some(Stand::of(&web.host.standing(world, realm).await?)),
        None => None,
    };
    let mut turns: Vec<TurnEntry> = web.host.steps(world).await?.iter().map(turn_entry).collect();
    turns.reverse();
    json(&Overview {
        id: world.id.clone(),
        name: world.name.clone(),
        game: world.game.clone(),
        turn: step.number,
        over: step.over || world.closed_at.is_some(),
        deadline: place.deadline.as_ref().map(Due::of),
        game_master: place.game_master,
        stands_in: place.stands_in,
        looks_after: place
            .looks_after
            .iter()
            .map(|seat| RealmName {
                realm: seat.realm.0,
                name: seat.name.clone(),
            })
            .collect(),
        standing,
        unread_letters: unread,
        turns,
    })
}

fn turn_entry(step: &host::world::StepInfo) -> TurnEntry {
    TurnEntry {
        turn: step.number,
        ran_at: moment(step.ran_at),
    }
}

/// Something that the game master made known.
#[derive(Debug, Serialize, ToSchema)]
pub struct Notice {
    /// Its number.
    number: u32,
    /// Its title.
    title: String,
    /// Its text.
    text: String,
    /// When it was given.
    #[schema(format = DateTime)]
    given_at: String,
}

/// What the game master made known, the newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct Notices {
    /// The announcements.
    announcements: Vec<Notice>,
}

/// `GET /api/v1/worlds/{world}/announcements`
pub async fn announcements(State(web): State<Web>, member: Member) -> Called {
    let all = web.host.announcements(&member.world, 50).await?;
    let notice = |of: host::board::Announcement| Notice {
        number: of.number,
        title: of.title,
        text: of.text,
        given_at: moment(of.given_at),
    };
    json(&Notices {
        announcements: all.into_iter().map(notice).collect(),
    })
}

/// A search.
#[derive(Debug, Default, Deserialize, IntoParams)]
pub struct Search {
    /// Words that must all occur.
    #[serde(default)]
    #[param(required = false)]
    pub q: String,
}

/// A rule.
#[derive(Debug, Serialize, ToSchema)]
pub struct RuleText {
    /// Its id.
    id: &'static str,
    /// The chapter of the book.
    chapter: &'static str,
    /// What becomes of it, in a word.
    kind: String,
    /// Its sentence.
    text: &'static str,
}

/// Rules of the game.
#[derive(Debug, Serialize, ToSchema)]
pub struct Rules {
    /// The rules, in the order of the book.
    rules: Vec<RuleText>,
}

/// A rule and what belongs to it: the answer to "why?".
#[derive(Debug, Serialize, ToSchema)]
pub struct RuleAnswer {
    /// The rule.
    rule: RuleText,
    /// The rules that it names.
    names: Vec<RuleText>,
    /// The rules that name it.
    named_by: Vec<RuleText>,
}

fn rule_text(page: &Page, rule: &'static kernel::rule::Rule) -> RuleText {
    let entry = rules::entry(page, rule);
    RuleText {
        id: entry.id,
        chapter: rule.chapter,
        kind: entry.kind,
        text: entry.text,
    }
}

/// `GET /api/v1/worlds/{world}/rules`
pub async fn rule_book(State(web): State<Web>, page: Page, member: Member, Asked(search): Asked<Search>) -> Called {
    let game = web.host.game(&member.world.game)?;
    let query: String = search.q.trim().chars().take(100).collect();
    let found = rules::find(&page, game.rules(), &query);
    json(&Rules {
        rules: found.into_iter().map(|(rule, _)| rule_text(&page, rule)).collect(),
    })
}

/// A rule in an address.
#[derive(Deserialize)]
pub struct RulePath {
    rule: String,
}

/// `GET /api/v1/worlds/{world}/rules/{rule}`
pub async fn rule(State(web): State<Web>, page: Page, member: Member, Path(path): Path<RulePath>) -> Called {
    let all = web.host.game(&member.world.game)?.rules();
    let find = |id: &str| all.iter().find(|rule| rule.id.as_str() == id);
    let rule = find(&path.rule).ok_or_else(Problem::missing)?;
    let names = rule.see.iter().filter_map(|id| find(id.as_str()));
    let named_by = all.iter().filter(|other| other.see.contains(&rule.id));
    json(&RuleAnswer {
        rule: rule_text(&page, rule),
        names: names.map(|rule| rule_text(&page, rule)).collect(),
        named_by: named_by.map(|rule| rule_text(&page, rule)).collect(),
    })
}

/// Something that was made.
#[derive(Debug, Serialize, ToSchema)]
pub struct Made {
    /// Its id.
    pub id: String,
}

/// A world that was made.
#[derive(Debug, Serialize, ToSchema)]
pub struct WorldMade {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// What stands for it in addresses.
    pub path: String,
}
