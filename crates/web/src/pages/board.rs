//! The board of a game that is played by clicks: pieces, what they can do, the draft they write, and the step seen again.
//!
//! A click adds a line to the same draft that the orders page edits; sending it hands it in. The page knows no game: what stands where,
//! what can be done and how likely it is comes from the game as [`kernel::board`] describes it, made from the viewer's own view. Without
//! a script everything is links and forms; `board.js` only saves the way over a whole page.

mod fields;
mod kinds;
pub mod picture;
pub mod replay;
mod table;

use crate::Answer;
use crate::error::Fault;
use crate::identity::{GameMaster, Player};
use crate::page::{Flash, Page, go, go_with};
use crate::pages::map::is_masters;
use crate::pages::orders::{self, HandedIn, Open};
use crate::pages::report::{Reader, aside};
use crate::state::Web;
use askama::Template;
use axum::Form;
use axum::extract::{FromRequestParts, Query, State};
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, REFRESH};
use axum::http::request::Parts;
use axum::response::IntoResponse;
use host::draft::DraftKind;
use host::world::{Seat, World};
use kernel::any::AnyGame;
use kernel::board::{Board, Offer};
use kernel::codec::Digest;
use kernel::diagnostic::Value;
use kernel::realm::{RealmId, Viewer};
use kinds::Kind;
use render::map::heading;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use table::{Cut, Hand, Line, OfferView, Own};

/// Characters of a name in an address.
const NAME_MAX: usize = 60;
/// Characters of a line that a click adds.
const LINE_MAX: usize = 400;
/// Lines of one click: the head of a draft and the deed.
const LINES_MAX: usize = 2;
/// Lines of the draft that the page shows.
const SHOWN_MAX: usize = 40;
/// How often and after how long a sent turn is looked for before the page says that it waits.
const LOOKS: u32 = 20;
const LOOK: Duration = Duration::from_millis(50);
/// Seconds after which a page that waits for its step looks again.
const WAIT_SECONDS: &str = "1";

/// What may be asked of a board.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Asked {
    /// The turn; without one, the last.
    pub zug: Option<u32>,
    /// The piece that is chosen.
    #[serde(default)]
    pub figur: String,
    /// The field that is opened.
    #[serde(default)]
    pub ort: String,
    /// The kind of deeds that is shown.
    #[serde(default)]
    pub art: String,
    /// The turn whose run the page waits for.
    pub warten: Option<u32>,
    /// The turn that has just run, if its player goes on at the board.
    pub eben: Option<u32>,
    /// The first of several turns that are seen again in one go.
    pub ab: Option<u32>,
    /// The moment of a turn, from 0.
    pub bild: Option<usize>,
    /// Width of a picture in pixels.
    pub breite: Option<u32>,
    /// Light of a picture: `kerze` for the dark one, `druck` for white paper.
    #[serde(default)]
    pub licht: String,
}

/// Who looks at the board of which world.
#[derive(Clone)]
pub struct Watcher {
    /// The world.
    pub world: Arc<World>,
    /// Whose view is shown.
    pub viewer: Viewer,
    /// Its game, which has a board.
    pub game: Arc<dyn AnyGame>,
    /// The player, unless it is a game master.
    pub player: Option<Player>,
    /// Address of the board.
    pub base: String,
}

/// Under `leitung/` and `lead/` a game master looks, who sees everything; elsewhere a player. A game without a board has no such page.
impl FromRequestParts<Web> for Watcher {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, Fault> {
        let page = Page::from_request_parts(parts, web).await?;
        let (world, viewer, player, base) = if is_masters(parts.uri.path()) {
            let master = GameMaster::from_request_parts(parts, web).await?;
            (master.world, Viewer::GameMaster, None, "leitung/brett")
        } else {
            let player = Player::from_request_parts(parts, web).await?;
            (player.world.clone(), player.viewer(), Some(player), "brett")
        };
        let game = web.host.game(&world.game)?;
        if !game.has_board() {
            return Err(Fault::Missing);
        }
        Ok(Self {
            world,
            viewer,
            game,
            player,
            base: page.in_world(base),
        })
    }
}

impl Watcher {
    /// The last turn that was run.
    pub fn last(&self) -> u32 {
        self.world.open_step.saturating_sub(1)
    }

    /// The board after a turn, without any draft; without a number, after the last.
    pub async fn board(&self, web: &Web, page: &Page, step: Option<u32>) -> Result<(u32, Board), Fault> {
        let (step, view) = web.host.view(&self.world, self.viewer, step).await?;
        Ok((step, self.board_of(web, page, view, String::new()).await?))
    }

    async fn board_of(&self, web: &Web, page: &Page, view: Vec<u8>, draft: String) -> Result<Board, Fault> {
        let (game, language) = (self.game.clone(), page.language());
        let seats = web.host.seats(&self.world).await?;
        aside(move || {
            let mut board = game.board(&view, &draft)?.ok_or(Fault::Missing)?;
            name_players(&mut board, &seats);
            board.scene.language = language.to_owned();
            Ok(board)
        })
        .await
    }

    /// What the player has on the table: his view and the draft of the open turn, if he can write one.
    pub async fn desk(&self, web: &Web) -> Result<Desk, Fault> {
        let open = match &self.player {
            Some(player) => orders::open(web, player).await?,
            None => None,
        };
        match (&self.player, open) {
            (Some(player), Some(open)) => Ok(Desk {
                draft: orders::begin_with(web, player, open.step).await?,
                step: open.step,
                view: open.view,
                writes: true,
            }),
            _ => {
                let (_, view) = web.host.view(&self.world, self.viewer, None).await?;
                Ok(Desk {
                    draft: String::new(),
                    step: self.world.open_step,
                    view,
                    writes: false,
                })
            }
        }
    }
}

/// A view with the draft upon it.
pub struct Desk {
    /// The open turn.
    pub step: u32,
    /// What the viewer knows.
    pub view: Vec<u8>,
    /// The orders so far.
    pub draft: String,
    /// Whether the viewer can write any.
    pub writes: bool,
}

/// Calls the players at the board as they joined: the game itself learns their names with the next turn.
fn name_players(board: &mut Board, seats: &[Seat]) {
    let mut names: BTreeMap<String, &str> = BTreeMap::new();
    for seat in seats {
        if let Some(style) = board.scene.realms.get_mut(&seat.realm.0) {
            names.insert(std::mem::replace(&mut style.name, seat.name.clone()), &seat.name);
        }
    }
    let said = board.notes.iter_mut().chain(&mut board.scene.caption);
    for (_, value) in said.flat_map(|term| &mut term.args) {
        if let Value::Text(text) = value
            && let Some(name) = names.get(text.as_str())
        {
            *text = (*name).to_owned();
        }
    }
}

fn cut(text: &str) -> String {
    text.trim().chars().take(NAME_MAX).collect()
}

/// By what a draft is recognised, so that a click on an old page does not go into a new draft.
fn state_of(draft: &str) -> String {
    Digest::of(draft.as_bytes()).to_string().chars().take(16).collect()
}

/// Where a player sees what came of the turn that he sent: at the board, if he is still to move, else moment by moment.
async fn seen(web: &Web, page: &Page, watcher: &Watcher, sent: u32) -> Result<String, Fault> {
    // As it stood behind that turn: a computer may have made its own since, and it is the player's again.
    let (_, board) = watcher.board(web, page, Some(sent)).await?;
    let own = watcher.player.as_ref().map(Player::realm);
    Ok(if own.is_some() && board.mover == own {
        format!("{}?eben={sent}", watcher.base)
    } else {
        format!("{}/verlauf?zug={sent}", watcher.base)
    })
}

#[derive(Template)]
#[template(path = "board.html")]
struct BoardPage<'a> {
    page: &'a Page,
    base: &'a str,
    title: String,
    caption: String,
    notes: Vec<String>,
    picture: String,
    cursor: String,
    /// Where the last turns are seen again; nothing before the first.
    seen_again: String,
    /// What the dice brought that the player has just thrown.
    just_now: Vec<replay::Moment>,
    /// Whether others have moved since the player did.
    others_moved: bool,
    step: u32,
    /// Whether the page belongs to a player, and so has a draft.
    plays: bool,
    /// Whose turn it is: a name, or nothing.
    mover: String,
    is_mover: bool,
    /// Whether nobody has the seat whose turn it is, so that the board waits until somebody takes it.
    seat_free: bool,
    over: bool,
    waits: bool,
    runs_early: bool,
    state: String,
    piece: String,
    hand: Option<Hand>,
    cut: Option<Cut>,
    kind: String,
    general: Vec<Kind>,
    general_asked: bool,
    ends: Vec<OfferView>,
    own: Vec<Own>,
    lines: Vec<Line>,
    more_lines: usize,
    open: bool,
    rolls: bool,
    sent: bool,
    findings: Vec<orders::finding::Finding>,
}

/// `GET /welt/{world}/brett` and `GET /welt/{world}/leitung/brett`
pub async fn show(State(web): State<Web>, page: Page, watcher: Watcher, Query(asked): Query<Asked>) -> Answer {
    if let Some(sent) = asked.warten.filter(|sent| *sent < watcher.world.open_step) {
        return go(&seen(&web, &page, &watcher, sent).await?);
    }
    let just_now = match asked.eben.filter(|step| *step == watcher.last()) {
        Some(step) => replay::in_words(&web, &page, &watcher, step).await?,
        None => Vec::new(),
    };
    let desk = watcher.desk(&web).await?;
    if let Some(sent) = asked.warten.filter(|sent| *sent < desk.step) {
        // It ran while this page was made.
        return go(&seen(&web, &page, &watcher, sent).await?);
    }
    let last = watcher.last();
    let (sent, runs_early, own) = match &watcher.player {
        Some(player) => {
            let now = web.clock.now();
            web.host.saw_report(&watcher.world, &player.account.id, now).await?;
            let state = web.host.forgotten(&watcher.world, player.realm(), desk.step).await?;
            let early = web.host.schedule(&watcher.world).await?.policy.early;
            let turns = web.host.sent_by_step(&watcher.world, player.realm()).await?;
            let own = turns.into_keys().rfind(|step| *step <= last);
            (state.attempt > 0 && !state.unsent, early, own)
        }
        None => (false, false, Some(last)),
    };
    // What happened since the player's own last turn, which the replay shows in one go.
    let since = own.unwrap_or(0) + 1;
    let seen_again = match last {
        0 => String::new(),
        last if since < last => format!("{}/verlauf?zug={last}&ab={since}", watcher.base),
        last => format!("{}/verlauf?zug={last}", watcher.base),
    };
    let waits = asked.warten.is_some() && sent;
    let (piece, place, kind) = (cut(&asked.figur), cut(&asked.ort), cut(&asked.art));
    let (game, view, draft, writes) = (watcher.game.clone(), desk.view, desk.draft, desk.writes);
    let state = state_of(&draft);
    let (page_of, base) = (page.clone(), watcher.base.clone());
    let seats = web.host.seats(&watcher.world).await?;
    let free: Vec<RealmId> = seats.iter().filter(|seat| seat.vacant).map(|seat| seat.realm).collect();
    let laid = aside(move || {
        let mut board = game.board(&view, &draft)?.ok_or(Fault::Missing)?;
        name_players(&mut board, &seats);
        page_of.language().clone_into(&mut board.scene.language);
        let mut offers: Vec<Offer> = Vec::new();
        let mut general: Vec<Offer> = Vec::new();
        if writes && board.open {
            if board.pieces.iter().any(|of| of.name == piece) {
                offers = game.offers(&view, &draft, Some(&piece))?;
            }
            general = game.offers(&view, &draft, None)?;
        }
        let reader = Reader::new(game, &page_of);
        Ok(table::lay(
            &page_of,
            &reader,
            &base,
            board,
            &draft,
            (&piece, &place, &kind),
            (offers, general),
        ))
    })
    .await?;
    let mover = laid.board.mover;
    let own = watcher.player.as_ref().map(Player::realm);
    let (title, caption) = heading(&laid.board.scene);
    let over = web.host.open_step(&watcher.world).await?.over;
    let mut response = page.show(&BoardPage {
        page: &page,
        base: &watcher.base,
        title: if title.is_empty() { page.t("board.title") } else { title },
        // What stands in the heading is not said twice.
        notes: laid.notes.into_iter().filter(|note| *note != caption).collect(),
        caption,
        picture: laid.picture,
        cursor: laid.cursor,
        seen_again,
        just_now,
        others_moved: since <= last,
        step: watcher.world.open_step,
        plays: watcher.player.is_some(),
        mover: laid.mover,
        is_mover: mover.is_some() && mover == own,
        seat_free: runs_early && mover.is_some_and(|mover| free.contains(&mover)),
        over,
        waits,
        runs_early,
        state,
        piece: laid.piece,
        kind: laid.kind,
        hand: laid.hand,
        cut: laid.cut,
        general: laid.general,
        general_asked: laid.general_asked,
        ends: laid.ends,
        own: laid.own,
        more_lines: laid.lines.len().saturating_sub(SHOWN_MAX),
        lines: laid.lines,
        open: writes && laid.board.open && !over,
        rolls: laid.board.rolls,
        sent,
        findings: laid.findings,
    })?;
    if waits && runs_early {
        response
            .headers_mut()
            .insert(REFRESH, HeaderValue::from_static(WAIT_SECONDS));
    }
    Ok(response)
}

/// A click on the board.
#[derive(Debug, Default, Deserialize)]
pub struct Clicked {
    /// The line of the deed.
    #[serde(default)]
    zeile: String,
    /// The draft that the page showed.
    #[serde(default)]
    stand: String,
    /// The turn that the page showed.
    #[serde(default)]
    zug: u32,
    /// The piece that was chosen.
    #[serde(default)]
    figur: String,
    /// The kind of deeds that was shown.
    #[serde(default)]
    art: String,
}

/// The lines of a click, clean; nothing if it is none.
fn clean(line: &str) -> Option<String> {
    let lines: Vec<&str> = line.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let fits = |line: &&str| line.chars().count() <= LINE_MAX && !line.chars().any(char::is_control);
    ((1..=LINES_MAX).contains(&lines.len()) && lines.iter().all(fits)).then(|| lines.join("\n"))
}

/// A draft with one deed more.
fn with_line(draft: &str, line: &str) -> String {
    let draft = draft.trim_end();
    if draft.is_empty() {
        format!("{line}\n")
    } else {
        format!("{draft}\n{line}\n")
    }
}

/// A draft without its last line.
fn without_last(draft: &str) -> String {
    let draft = draft.trim_end();
    match draft.rsplit_once('\n') {
        Some((before, _)) => format!("{}\n", before.trim_end()),
        None => String::new(),
    }
}

/// The draft of the open turn, if the page that was clicked showed it.
async fn writing(web: &Web, player: &Player, clicked: &Clicked) -> Result<Option<(Open, String)>, Fault> {
    if !player.game(web)?.has_board() {
        return Err(Fault::Missing);
    }
    let Some(open) = orders::open(web, player).await?.filter(|open| open.step == clicked.zug) else {
        return Ok(None);
    };
    let draft = orders::begin_with(web, player, open.step).await?;
    Ok((state_of(&draft) == clicked.stand).then_some((open, draft)))
}

fn address(page: &Page, clicked: &Clicked) -> String {
    let mut address = page.in_world("brett");
    let (piece, kind) = (cut(&clicked.figur), cut(&clicked.art));
    if !piece.is_empty() {
        address += &format!("?figur={}", table::part(&piece));
        if !kind.is_empty() {
            address += &format!("&art={}", table::part(&kind));
        }
    }
    address
}

/// Leads back to the board with the news that it has changed.
fn stale(web: &Web, page: &Page) -> Answer {
    go_with(web, &page.in_world("brett"), &Flash::bad("flash.board-changed"))
}

/// `POST /welt/{world}/brett/tat`: adds a deed to the draft.
pub async fn act(State(web): State<Web>, page: Page, player: Player, Form(clicked): Form<Clicked>) -> Answer {
    let Some((open, draft)) = writing(&web, &player, &clicked).await? else {
        return stale(&web, &page);
    };
    let Some(line) = clean(&clicked.zeile) else {
        return stale(&web, &page);
    };
    orders::save(&web, &player, &open, &with_line(&draft, &line), DraftKind::Auto).await?;
    go(&address(&page, &clicked))
}

/// `POST /welt/{world}/brett/zurueck`: takes the last line back.
pub async fn undo(State(web): State<Web>, page: Page, player: Player, Form(clicked): Form<Clicked>) -> Answer {
    let Some((open, draft)) = writing(&web, &player, &clicked).await? else {
        return stale(&web, &page);
    };
    orders::save(&web, &player, &open, &without_last(&draft), DraftKind::Auto).await?;
    go(&address(&page, &clicked))
}

/// `POST /welt/{world}/brett/senden`: hands the draft in, perhaps with a last deed that ends the turn.
pub async fn send(State(web): State<Web>, page: Page, player: Player, Form(clicked): Form<Clicked>) -> Answer {
    let Some((open, mut draft)) = writing(&web, &player, &clicked).await? else {
        return stale(&web, &page);
    };
    if !clicked.zeile.trim().is_empty() {
        let Some(line) = clean(&clicked.zeile) else {
            return stale(&web, &page);
        };
        draft = with_line(&draft, &line);
    }
    let back = page.in_world("brett");
    match orders::hand_in(&web, &player, &open, &draft).await? {
        HandedIn::Taken(_) => {
            wait_a_moment(&web, &player, open.step).await?;
            go(&format!("{back}?warten={}", open.step))
        }
        HandedIn::Refused(_) => go_with(&web, &back, &Flash::bad("flash.board-refused")),
        HandedIn::Closed => stale(&web, &page),
        HandedIn::Late(due) => {
            let flash = Flash::bad("flash.board-late").with("when", page.moment(due));
            go_with(&web, &back, &flash)
        }
    }
}

/// Waits a little for a step that runs as soon as its orders are there, so that the next page has its dice already.
async fn wait_a_moment(web: &Web, player: &Player, step: u32) -> Result<(), Fault> {
    if !web.host.schedule(&player.world).await?.policy.early {
        return Ok(());
    }
    web.work_waits.notify_one();
    for _ in 0..LOOKS {
        tokio::time::sleep(LOOK).await;
        if web.host.world(Some(&player.world.id)).await?.open_step > step {
            break;
        }
    }
    Ok(())
}

/// `GET /welt/{world}/brett/stand` and `GET /welt/{world}/leitung/brett/stand`: the number of the open turn, for a page that waits.
pub async fn standing(watcher: Watcher) -> Answer {
    let text = format!("{{\"step\":{}}}", watcher.world.open_step);
    Ok(([(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store")], text).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_click_adds_a_line_and_undo_takes_it_back() {
        let one = with_line("", "RUNDE 1\nZIEHE a");
        assert_eq!(one, "RUNDE 1\nZIEHE a\n");
        let two = with_line(&one, "ZIEHE b");
        assert_eq!(two, "RUNDE 1\nZIEHE a\nZIEHE b\n");
        assert_eq!(without_last(&two), one);
        assert_eq!(without_last(&without_last(&one)), "");
        assert_eq!(without_last(""), "");
        assert_eq!(without_last("a\n\n\nb\n\n"), "a\n");
    }

    #[test]
    fn a_click_is_one_deed_of_plain_letters() {
        assert_eq!(clean(" DIG \r\n"), Some("DIG".to_owned()));
        assert_eq!(clean("HEAD\r\nDIG"), Some("HEAD\nDIG".to_owned()));
        assert_eq!(clean(""), None);
        assert_eq!(clean("a\nb\nc"), None);
        assert_eq!(clean("a\u{0}b"), None);
        assert_eq!(clean(&"x".repeat(LINE_MAX + 1)), None);
    }

    #[test]
    fn a_draft_is_recognised_by_its_text() {
        assert_eq!(state_of("a"), state_of("a"));
        assert_ne!(state_of("a"), state_of("a\n"));
        assert_eq!(state_of("").len(), 16);
    }
}
