//! The one list of routes. The router, the ways at the top of a page and the test of who may do what are made from it.

use crate::api::{self, Call, Problem};
use crate::context;
use crate::error::Fault;
use crate::identity::{Asker, Place};
use crate::page::own_path;
use crate::state::Web;
use crate::{assets, once, pages, shield, watch};
use axum::Router;
use axum::extract::{DefaultBodyLimit, RawPathParams, Request, State};
use axum::handler::Handler;
use axum::http::header::LOCATION;
use axum::http::{Method, StatusCode, Uri};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, MethodRouter, on};
use host::token::Scope;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::limit::RequestBodyLimitLayer;

mod board;
mod calls;

/// Who may use a route. Everybody else gets the answer of a missing page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Guard {
    /// Anybody.
    Anyone,
    /// Whoever is signed in; others are asked to sign in, as everybody knows that the page exists.
    Account,
    /// Whoever plays in the world of the address or leads it.
    Member,
    /// Whoever has a seat in the world of the address, or looks after one.
    Seat,
    /// Whoever leads the world of the address.
    GameMaster,
    /// Whoever keeps the host.
    Admin,
}

/// One route.
pub struct Route {
    /// Its method.
    pub method: Method,
    /// Its path, with `{world}` where a world is named.
    pub path: &'static str,
    /// Who may use it.
    pub guard: Guard,
    /// Bytes that a request may carry.
    pub body_max: usize,
    /// Whether what its form does must not be done twice: then the form carries a number ([`crate::once`]).
    pub once: bool,
    /// What the description of the JSON interface says of it, if it is a call.
    pub call: Option<Call>,
    handler: MethodRouter<Web>,
}

/// Bytes of a form unless its route says otherwise.
const FORM_BYTES: usize = 64 * 1024;

/// Bytes of a letter's form: every character may take nine of them on its way.
const LETTER_BYTES: usize = 256 * 1024;
/// Bytes of a form with a drawing.
const DRAWING_FORM_BYTES: usize = host::limits::DRAWING_BYTES + 16 * 1024;

impl Route {
    /// Makes it a call of the JSON interface.
    #[must_use]
    fn call(mut self, call: Call) -> Self {
        self.call = Some(call);
        self
    }

    /// Says that its form is not to be carried out twice.
    #[must_use]
    fn once(mut self) -> Self {
        self.once = true;
        self
    }

    /// Lets requests carry this many bytes.
    #[must_use]
    pub fn with_body(mut self, bytes: usize) -> Self {
        self.body_max = bytes;
        self
    }
}

/// A handler of whatever shape. The router is compiled for this one type and not for some three hundred.
#[derive(Clone)]
struct AnyHandler(Arc<Answerer>);

/// What a handler does.
type Answerer = dyn Fn(Request, Web) -> Answering + Send + Sync;

/// An answer in the making.
type Answering = Pin<Box<dyn Future<Output = Response> + Send>>;

impl AnyHandler {
    fn new<H: Handler<T, Web>, T: 'static>(handler: H) -> Self {
        Self(Arc::new(move |request, web| {
            Box::pin(handler.clone().call(request, web))
        }))
    }
}

impl Handler<(), Web> for AnyHandler {
    type Future = Answering;

    fn call(self, request: Request, web: Web) -> Answering {
        (self.0)(request, web)
    }
}

fn route<H: Handler<T, Web>, T: 'static>(method: Method, path: &'static str, guard: Guard, handler: H) -> Route {
    let filter = match method {
        Method::POST => MethodFilter::POST,
        Method::PUT => MethodFilter::PUT,
        Method::DELETE => MethodFilter::DELETE,
        _ => MethodFilter::GET,
    };
    Route {
        method,
        path,
        guard,
        body_max: FORM_BYTES,
        once: false,
        call: None,
        handler: on(filter, AnyHandler::new(handler)),
    }
}

/// A route that reads.
fn get<H: Handler<T, Web>, T: 'static>(path: &'static str, guard: Guard, handler: H) -> Route {
    route(Method::GET, path, guard, handler)
}

/// A route that writes.
fn post<H: Handler<T, Web>, T: 'static>(path: &'static str, guard: Guard, handler: H) -> Route {
    route(Method::POST, path, guard, handler)
}

/// A route that puts something in the place of what was there.
fn put<H: Handler<T, Web>, T: 'static>(path: &'static str, guard: Guard, handler: H) -> Route {
    route(Method::PUT, path, guard, handler)
}

/// A route that takes something away.
fn delete<H: Handler<T, Web>, T: 'static>(path: &'static str, guard: Guard, handler: H) -> Route {
    route(Method::DELETE, path, guard, handler)
}

/// Letters, newspaper and arms. The game master's own post is served by the handlers of everybody's.
fn post_routes() -> Vec<Route> {
    use Guard::{GameMaster, Member, Seat};
    use pages::{arms, letters, newspaper};
    vec![
        get("/welt/{world}/briefe", Member, letters::list),
        get("/welt/{world}/briefe/neu", Seat, letters::writing::begin),
        post("/welt/{world}/briefe/neu", Seat, letters::writing::create)
            .with_body(LETTER_BYTES)
            .once(),
        get("/welt/{world}/briefe/entwurf/{letter}", Seat, letters::writing::open),
        post("/welt/{world}/briefe/entwurf/{letter}", Seat, letters::writing::save).with_body(LETTER_BYTES),
        get("/welt/{world}/briefe/brief/{letter}", Seat, letters::read),
        post("/welt/{world}/briefe/brief/{letter}", Seat, letters::act),
        get("/welt/{world}/briefe/einstellungen", Seat, letters::writing::settings),
        post(
            "/welt/{world}/briefe/einstellungen",
            Seat,
            letters::writing::set_settings,
        ),
        get("/welt/{world}/leitung/briefe", GameMaster, letters::list),
        get("/welt/{world}/leitung/briefe/neu", GameMaster, letters::writing::begin),
        post("/welt/{world}/leitung/briefe/neu", GameMaster, letters::writing::create)
            .with_body(LETTER_BYTES)
            .once(),
        get(
            "/welt/{world}/leitung/briefe/entwurf/{letter}",
            GameMaster,
            letters::writing::open,
        ),
        post(
            "/welt/{world}/leitung/briefe/entwurf/{letter}",
            GameMaster,
            letters::writing::save,
        )
        .with_body(LETTER_BYTES),
        get("/welt/{world}/leitung/briefe/brief/{letter}", GameMaster, letters::read),
        post("/welt/{world}/leitung/briefe/brief/{letter}", GameMaster, letters::act),
        get(
            "/welt/{world}/leitung/briefe/einstellungen",
            GameMaster,
            letters::writing::settings,
        ),
        post(
            "/welt/{world}/leitung/briefe/einstellungen",
            GameMaster,
            letters::writing::set_settings,
        ),
        get("/welt/{world}/leitung/briefe/pult", GameMaster, letters::desk::show),
        post(
            "/welt/{world}/leitung/briefe/pult/{letter}",
            GameMaster,
            letters::desk::decide,
        ),
        post(
            "/welt/{world}/leitung/briefe/brauch",
            GameMaster,
            letters::desk::set_custom,
        ),
        get("/welt/{world}/zeitung", Member, newspaper::newest),
        get("/welt/{world}/zeitung/ausgaben", Member, newspaper::issues),
        get("/welt/{world}/zeitung/nr/{number}", Member, newspaper::issue),
        get("/welt/{world}/zeitung/bild/{picture}", Member, newspaper::picture),
        get("/welt/{world}/zeitung/einreichen", Seat, newspaper::begin),
        post("/welt/{world}/zeitung/einreichen", Seat, newspaper::submit)
            .with_body(newspaper::ARTICLE_FORM_BYTES)
            .once(),
        get("/welt/{world}/zeitung/artikel/{article}", Seat, newspaper::reopen),
        post("/welt/{world}/zeitung/artikel/{article}", Seat, newspaper::revise)
            .with_body(newspaper::ARTICLE_FORM_BYTES),
        get("/welt/{world}/leitung/zeitung", GameMaster, newspaper::editor::show),
        post("/welt/{world}/leitung/zeitung", GameMaster, newspaper::editor::act).once(),
        post(
            "/welt/{world}/leitung/zeitung/kopf",
            GameMaster,
            newspaper::editor::set_head,
        ),
        get(
            "/welt/{world}/leitung/zeitung/abzug",
            GameMaster,
            newspaper::editor::proof,
        ),
        get(
            "/welt/{world}/leitung/zeitung/neu",
            GameMaster,
            newspaper::editor::begin,
        ),
        post(
            "/welt/{world}/leitung/zeitung/neu",
            GameMaster,
            newspaper::editor::write,
        )
        .with_body(newspaper::ARTICLE_FORM_BYTES)
        .once(),
        post(
            "/welt/{world}/leitung/zeitung/artikel/{article}",
            GameMaster,
            newspaper::editor::decide,
        ),
        get(
            "/welt/{world}/leitung/zeitung/artikel/{article}/bearbeiten",
            GameMaster,
            newspaper::editor::open,
        ),
        post(
            "/welt/{world}/leitung/zeitung/artikel/{article}/bearbeiten",
            GameMaster,
            newspaper::editor::edit,
        )
        .with_body(newspaper::ARTICLE_FORM_BYTES),
        get("/welt/{world}/wappen", Seat, arms::choose),
        post("/welt/{world}/wappen", Seat, arms::save),
        post("/welt/{world}/wappen/datei", Seat, arms::upload).with_body(DRAWING_FORM_BYTES),
        post("/welt/{world}/wappen/vergessen", Seat, arms::forget),
        get("/welt/{world}/wappen-entwurf", Seat, arms::sketch),
        get("/welt/{world}/wappen/{realm}", Member, arms::arms),
        get("/welt/{world}/siegel/{realm}", Member, arms::seal),
    ]
}

/// Every route.
pub fn routes() -> Vec<Route> {
    use Guard::{Account, Admin, Anyone, GameMaster, Member, Seat};
    use pages::orders;
    let mut all = vec![
        // For everybody.
        get("/", Anyone, pages::front::show),
        post("/einstellung/licht", Anyone, pages::setting::light),
        get("/anmelden", Anyone, pages::sign::show_sign_in),
        post("/anmelden", Anyone, pages::sign::sign_in),
        get("/anmelden/link", Anyone, pages::sign::show_ask_link),
        post("/anmelden/link", Anyone, pages::sign::ask_link),
        get("/anmelden/link/{token}", Anyone, pages::sign::show_link),
        post("/anmelden/link/{token}", Anyone, pages::sign::use_link),
        post("/abmelden", Anyone, pages::sign::sign_out),
        get("/registrieren", Anyone, pages::sign::show_sign_up),
        post("/registrieren", Anyone, pages::sign::sign_up),
        get("/einladung", Anyone, pages::worlds::show_invitation),
        post("/einladung", Account, pages::worlds::accept)
            .with_body(DRAWING_FORM_BYTES)
            .once(),
        get("/beitreten/{name}", Anyone, pages::worlds::show_join),
        post("/beitreten/{name}", Account, pages::worlds::join_open)
            .with_body(DRAWING_FORM_BYTES)
            .once(),
        // For whoever is signed in.
        get("/welten", Account, pages::worlds::show),
        get("/konto", Account, pages::account::show),
        post("/konto", Account, pages::account::change),
        post("/konto/briefe", Account, pages::account::set_mail_wishes),
        post("/konto/kennwort", Account, pages::account::set_password),
        post("/konto/sitzungen/ende", Account, pages::account::end_session),
        post("/konto/sitzungen/alle", Account, pages::account::end_all),
        post("/konto/schluessel", Account, pages::account::make_token).once(),
        post("/konto/schluessel/zurueck", Account, pages::account::revoke_token),
        get("/konto/daten", Account, pages::account::export),
        get("/konto/loeschen", Account, pages::account::show_delete),
        post("/konto/loeschen", Account, pages::account::delete),
        // For players.
        get("/welt/{world}/", Seat, pages::desk::show),
        get("/welt/{world}/chronik", Seat, pages::chronicle::show),
        get("/welt/{world}/sitz", Seat, pages::seat::show),
        post("/welt/{world}/sitz/erinnerungen", Seat, pages::seat::remind),
        post("/welt/{world}/sitz/abwesenheit", Seat, pages::seat::absence),
        post("/welt/{world}/sitz/vertretung", Seat, pages::seat::stand_in),
        post("/welt/{world}/sitz/wahl", Seat, pages::seat::choose),
        post("/welt/{world}/sitz/verlassen", Seat, pages::seat::leave),
        // The map.
        get("/welt/{world}/karte", Seat, pages::map::show),
        get("/welt/{world}/karte/text", Seat, pages::map::text),
        get("/welt/{world}/karte/feld", Seat, pages::map::field::show),
        get("/welt/{world}/karte/weg", Seat, pages::map::field::show_route),
        post("/welt/{world}/karte/weg", Seat, pages::map::field::order_route).with_body(orders::BODY_BYTES),
        get("/welt/{world}/karte/bild", Seat, pages::map::picture::drawing),
        get("/welt/{world}/karte/felder.json", Seat, pages::map::picture::index),
        get("/welt/{world}/karte.svg", Seat, pages::map::picture::svg),
        get("/welt/{world}/karte.png", Seat, pages::map::picture::png),
        get("/welt/{world}/leitung/karte", GameMaster, pages::map::show),
        get("/welt/{world}/leitung/karte/text", GameMaster, pages::map::text),
        get("/welt/{world}/leitung/karte/feld", GameMaster, pages::map::field::show),
        get(
            "/welt/{world}/leitung/karte/felder.json",
            GameMaster,
            pages::map::picture::index,
        ),
        get(
            "/welt/{world}/leitung/karte/bearbeiten",
            GameMaster,
            pages::lead::editor::show,
        ),
        post(
            "/welt/{world}/leitung/karte/bearbeiten",
            GameMaster,
            pages::lead::editor::stroke,
        )
        .with_body(pages::lead::editor::STROKE_BYTES),
        post(
            "/welt/{world}/leitung/karte/bearbeiten/zurueck",
            GameMaster,
            pages::lead::editor::undo,
        ),
        post(
            "/welt/{world}/leitung/karte/bearbeiten/wieder",
            GameMaster,
            pages::lead::editor::redo,
        ),
        get(
            "/welt/{world}/leitung/karte/bearbeiten/bild",
            GameMaster,
            pages::lead::editor::picture,
        ),
        get(
            "/welt/{world}/leitung/karte/bearbeiten/felder.json",
            GameMaster,
            pages::lead::editor::index,
        ),
        get(
            "/welt/{world}/leitung/karte/bearbeiten/blatt",
            GameMaster,
            pages::lead::editor::sheet,
        ),
        post(
            "/welt/{world}/leitung/karte/bearbeiten/blatt",
            GameMaster,
            pages::lead::editor::load,
        )
        .with_body(pages::lead::editor::SHEET_BYTES),
        get("/welt/{world}/leitung/karte.svg", GameMaster, pages::map::picture::svg),
        get("/welt/{world}/leitung/karte.png", GameMaster, pages::map::picture::png),
        // The report and old turns.
        get("/welt/{world}/bericht", Seat, pages::report::show),
        get("/welt/{world}/bericht/ganz", Seat, pages::report::whole),
        get("/welt/{world}/bericht/suche", Seat, pages::past::search),
        get("/welt/{world}/bericht/vergleich", Seat, pages::past::compare),
        get("/welt/{world}/bericht/verlauf", Seat, pages::past::charts),
        get("/welt/{world}/bericht/wuerfel", Seat, pages::past::dice),
        get("/welt/{world}/regeln", Member, pages::rules::book),
        get("/welt/{world}/regeln/{id}", Member, pages::rules::rule),
        get("/welt/{world}/rechner", Seat, pages::calculator::show),
        // Orders.
        get("/welt/{world}/befehle", Seat, orders::show),
        post("/welt/{world}/befehle/pruefen", Seat, orders::test).with_body(orders::BODY_BYTES),
        post("/welt/{world}/befehle/sichern", Seat, orders::keep).with_body(orders::BODY_BYTES),
        post("/welt/{world}/befehle/reparatur", Seat, orders::repair).with_body(orders::BODY_BYTES),
        post("/welt/{world}/befehle/zeile", Seat, orders::forms::add).with_body(orders::BODY_BYTES),
        post("/welt/{world}/befehle/hilfe", Seat, orders::forms::help).with_body(orders::BODY_BYTES),
        post("/welt/{world}/befehle/vorschau", Seat, orders::preview).with_body(orders::BODY_BYTES),
        post("/welt/{world}/befehle/siegeln", Seat, orders::submit).with_body(orders::BODY_BYTES),
        post("/welt/{world}/befehle/hochladen", Seat, orders::history::upload).with_body(orders::BODY_BYTES),
        get("/welt/{world}/befehle/datei", Seat, orders::download),
        get("/welt/{world}/befehle/verlauf", Seat, orders::history::show),
        post("/welt/{world}/befehle/verlauf", Seat, orders::history::restore),
        get(
            "/welt/{world}/befehle/quittung/{zug}/{nr}",
            Seat,
            orders::history::receipt,
        ),
        // The same orders as a sheet, and what a realm has and needs.
        get("/welt/{world}/zugbogen", Seat, pages::sheet::show),
        post("/welt/{world}/zugbogen", Seat, pages::sheet::act).with_body(orders::BODY_BYTES),
        get("/welt/{world}/zugbogen/reichweite", Seat, pages::sheet::reach),
        get("/welt/{world}/zugbogen/datei", Seat, pages::sheet::download),
        post("/welt/{world}/zugbogen/hochladen", Seat, pages::sheet::upload).with_body(pages::sheet::UPLOAD_BYTES),
        get("/welt/{world}/wirtschaft", Seat, pages::planner::show),
        post("/welt/{world}/wirtschaft", Seat, pages::planner::act).with_body(orders::BODY_BYTES),
        // For game masters.
        get("/neue-welt", Account, pages::lead::found::begin),
        get("/neue-welt/karte.svg", Account, pages::lead::found::map),
        post("/neue-welt/verwerfen", Account, pages::lead::found::discard),
        get("/neue-welt/{step}", Account, pages::lead::found::show),
        post("/neue-welt/{step}", Account, pages::lead::found::save)
            .with_body(LETTER_BYTES)
            .once(),
        get("/welt/{world}/leitung", GameMaster, pages::lead::overview::show),
        get(
            "/welt/{world}/leitung/protokoll",
            GameMaster,
            pages::lead::overview::record,
        ),
        post(
            "/welt/{world}/leitung/ruecknahme",
            GameMaster,
            pages::lead::overview::take_back,
        )
        .once(),
        post("/welt/{world}/leitung/mahnen", GameMaster, pages::lead::overview::chase).once(),
        get("/welt/{world}/leitung/probe", GameMaster, pages::lead::trial::show),
        post("/welt/{world}/leitung/probe", GameMaster, pages::lead::trial::run),
        get(
            "/welt/{world}/leitung/probe/bericht",
            GameMaster,
            pages::lead::trial::report,
        ),
        post(
            "/welt/{world}/leitung/veroeffentlichen",
            GameMaster,
            pages::lead::trial::publish,
        ),
        post("/welt/{world}/leitung/urteil", GameMaster, pages::lead::trial::judge).once(),
        post(
            "/welt/{world}/leitung/urteil/zurueck",
            GameMaster,
            pages::lead::trial::withdraw,
        ),
        get(
            "/welt/{world}/leitung/reich/{realm}",
            GameMaster,
            pages::lead::realm::show,
        ),
        get(
            "/welt/{world}/leitung/reich/{realm}/bericht",
            GameMaster,
            pages::lead::realm::report,
        ),
        post(
            "/welt/{world}/leitung/reich/{realm}/notiz",
            GameMaster,
            pages::lead::realm::note,
        ),
        post(
            "/welt/{world}/leitung/reich/{realm}/buchung",
            GameMaster,
            pages::lead::realm::book,
        )
        .once(),
        post(
            "/welt/{world}/leitung/reich/{realm}/sitz",
            GameMaster,
            pages::lead::realm::seat,
        ),
        post(
            "/welt/{world}/leitung/reich/{realm}/abwesenheit",
            GameMaster,
            pages::lead::realm::absence,
        ),
        post(
            "/welt/{world}/leitung/reich/{realm}/vertretung",
            GameMaster,
            pages::lead::realm::stand_in,
        ),
        get("/welt/{world}/leitung/kasse", GameMaster, pages::lead::fees::show),
        post("/welt/{world}/leitung/kasse", GameMaster, pages::lead::fees::book).once(),
        post(
            "/welt/{world}/leitung/reich/{realm}/befehle",
            GameMaster,
            pages::lead::realm::hand_in,
        )
        .with_body(orders::BODY_BYTES),
        get(
            "/welt/{world}/leitung/fristen",
            GameMaster,
            pages::lead::deadlines::show,
        ),
        post("/welt/{world}/leitung/frist", GameMaster, pages::lead::deadlines::set),
        post(
            "/welt/{world}/leitung/frist/verfahren",
            GameMaster,
            pages::lead::deadlines::policy,
        ),
        post(
            "/welt/{world}/leitung/frist/rhythmus",
            GameMaster,
            pages::lead::deadlines::rhythm,
        ),
        post(
            "/welt/{world}/leitung/frist/pause",
            GameMaster,
            pages::lead::deadlines::pause,
        ),
        post(
            "/welt/{world}/leitung/frist/pause/zurueck",
            GameMaster,
            pages::lead::deadlines::end_pause,
        ),
        post(
            "/welt/{world}/leitung/frist/entschuldigen",
            GameMaster,
            pages::lead::deadlines::excuse,
        ),
        get(
            "/welt/{world}/leitung/statistik",
            GameMaster,
            pages::lead::statistics::show,
        ),
        get("/welt/{world}/leitung/aushang", GameMaster, pages::lead::board::show),
        post(
            "/welt/{world}/leitung/aushang",
            GameMaster,
            pages::lead::board::announce,
        )
        .once(),
        post("/welt/{world}/leitung/zutritt", GameMaster, pages::lead::board::admit),
        post(
            "/welt/{world}/leitung/einladung",
            GameMaster,
            pages::lead::board::invite,
        )
        .once(),
        post(
            "/welt/{world}/leitung/einladung/zurueck",
            GameMaster,
            pages::lead::board::revoke,
        ),
        // For whoever keeps the host.
        get("/verwaltung", Admin, pages::keeping::show),
        post("/verwaltung/untersuchung", Admin, pages::keeping::examine),
        post("/verwaltung/arbeit/{job}", Admin, pages::keeping::retry_job),
        post("/verwaltung/post/{mail}", Admin, pages::keeping::settle_mail),
        get("/verwaltung/konten", Admin, pages::keeping::accounts),
        post("/verwaltung/konten/{account}", Admin, pages::keeping::act_on_account),
        get("/verwaltung/welten", Admin, pages::keeping::worlds),
        post("/verwaltung/welten/{name}", Admin, pages::keeping::act_on_world),
        get("/verwaltung/beschwerden", Admin, pages::keeping::complaints),
        post(
            "/verwaltung/beschwerden/{letter}",
            Admin,
            pages::keeping::answer_complaint,
        ),
        // For machines.
        get("/assets/{digest}/{*name}", Anyone, assets::show),
        get("/healthz", Anyone, watch::health),
        get("/metrics", Anyone, watch::metrics),
        get("/verwaltung/metrics", Admin, watch::metrics_for_admin),
    ];
    all.extend(post_routes());
    all.extend(board::pages());
    all.extend(calls::for_players());
    all.extend(calls::for_masters());
    all
}

/// The paths of all routes that read.
fn readable() -> &'static [&'static str] {
    static PATHS: OnceLock<Vec<&'static str>> = OnceLock::new();
    PATHS.get_or_init(|| {
        let reading = routes().into_iter().filter(|route| route.method == Method::GET);
        reading.map(|route| route.path).collect()
    })
}

/// Whether there is a route that reads this path.
pub fn exists(path: &str) -> bool {
    readable().contains(&path)
}

/// Whether an address is one of a path, such as `/welt/Nebelmark/karte` of `/welt/{world}/karte`.
fn fits(path: &str, address: &str) -> bool {
    let (mut parts, mut given) = (path.split('/'), address.split('/'));
    loop {
        match (parts.next(), given.next()) {
            (None, None) => return true,
            (Some(part), Some(_)) if part.starts_with("{*") => return true,
            (Some(part), Some(word)) if part == word || part.starts_with('{') && !word.is_empty() => {}
            _ => return false,
        }
    }
}

/// The host as a service.
pub fn app(web: Web) -> Router {
    let mut router = Router::new();
    for route in routes() {
        let gate = Gate {
            web: web.clone(),
            guard: route.guard,
            needs: route.call.is_some().then(|| api::document::scope(&route)),
            body_max: route.body_max,
        };
        let guarded = route
            .handler
            .route_layer(DefaultBodyLimit::disable())
            .route_layer(RequestBodyLimitLayer::new(route.body_max))
            .route_layer(middleware::from_fn_with_state(gate, check));
        router = router.route(route.path, guarded);
    }
    router
        .fallback(nearby)
        .method_not_allowed_fallback(above)
        .layer(CatchPanicLayer::custom(panicked))
        .layer(shield::patience())
        .layer(shield::same_site())
        .layer(middleware::from_fn_with_state(web.clone(), context::surround))
        .layer(middleware::from_fn_with_state(web.clone(), shield::headers))
        .layer(shield::compression())
        .layer(middleware::from_fn(watch::observe))
        .with_state(web)
}

/// An address without a page. Where only the stroke at its end is too much, or missing behind the name of a world, it leads on; whether anything is there
/// decides whoever is asked then.
async fn nearby(method: Method, uri: Uri) -> Response {
    let path = uri.path();
    let world = |path: &str| {
        path.strip_prefix("/welt/")
            .is_some_and(|name| !name.is_empty() && !name.contains('/'))
    };
    let to = match path.strip_suffix('/') {
        Some(short) if readable().iter().any(|page| fits(page, short)) => short.to_owned(),
        None if world(path) => format!("{path}/"),
        _ => return Fault::Missing.into_response(),
    };
    let to = match uri.query() {
        Some(query) => format!("{to}?{query}"),
        None => to,
    };
    if method != Method::GET || own_path(&to) != to {
        return Fault::Missing.into_response();
    }
    (StatusCode::PERMANENT_REDIRECT, [(LOCATION, to)]).into_response()
}

/// An address that only takes forms, opened as a page: somebody asks for the answer to a form in another language, or comes back to it after he signed in.
/// He is led to the page that has the form.
async fn above(method: Method, uri: Uri) -> Response {
    let refused = StatusCode::METHOD_NOT_ALLOWED.into_response();
    let mut path = uri.path();
    if method != Method::GET || path.starts_with("/api/") {
        return refused;
    }
    while let Some((parent, _)) = path.rsplit_once('/') {
        let page = [parent.to_owned(), format!("{parent}/")];
        let page = page.iter().find(|page| readable().iter().any(|path| fits(path, page)));
        if let Some(page) = page.filter(|page| own_path(page) == page.as_str()) {
            let to = match uri.query() {
                Some(query) if own_path(&format!("/?{query}")) != "/" => format!("{page}?{query}"),
                _ => page.clone(),
            };
            return (StatusCode::SEE_OTHER, [(LOCATION, to)]).into_response();
        }
        path = parent;
    }
    refused
}

fn panicked(panic: Box<dyn std::any::Any + Send>) -> Response {
    let why = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("panic");
    Fault::Broken(why.to_owned()).into_response()
}

/// What stands before a handler.
#[derive(Clone)]
struct Gate {
    web: Web,
    guard: Guard,
    /// What a key must allow, if the route is a call.
    needs: Option<Scope>,
    body_max: usize,
}

/// Lets a request through to its handler, or answers as if there were none.
async fn check(
    State(Gate {
        web,
        guard,
        needs,
        body_max,
    }): State<Gate>,
    params: RawPathParams,
    mut request: Request,
    next: Next,
) -> Result<Response, Fault> {
    let asker = request.extensions().get::<Asker>().cloned().unwrap_or_default();
    if let Some(needs) = needs {
        // Asked before the world is looked at: the answer says nothing about it.
        if asker.token.as_ref().is_some_and(|token| token.scope < needs) {
            return Ok(Problem::new(StatusCode::FORBIDDEN, "read-only").into_response());
        }
        if let Some(account) = &asker.account {
            let taken = web.limits.calls.take_named(&account.id, web.clock.now());
            taken.map_err(Fault::TooMany)?;
        }
    }
    match guard {
        Guard::Anyone => {}
        Guard::Account if asker.account.is_none() => return Ok(sign_in(&request)),
        Guard::Account => {}
        Guard::Admin => {
            if !asker.account.as_ref().is_some_and(|account| account.admin) {
                return Err(Fault::Missing);
            }
        }
        Guard::Member | Guard::Seat | Guard::GameMaster => {
            let name = params.iter().find(|(name, _)| *name == "world").map(|(_, value)| value);
            let place = Place::find(&web, &asker, name.ok_or(Fault::Missing)?).await?;
            let place = place.ok_or(Fault::Missing)?;
            let allowed = match guard {
                Guard::Seat => place.seat.is_some(),
                Guard::GameMaster => place.game_master,
                _ => place.seat.is_some() || place.game_master,
            };
            if !allowed {
                return Err(Fault::Missing);
            }
            request.extensions_mut().insert(place);
        }
    }
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    match asker.account.filter(|_| !reads) {
        Some(account) => {
            if needs.is_none() {
                let taken = web.limits.writing.take_named(&account.id, web.clock.now());
                taken.map_err(Fault::TooMany)?;
            }
            // Whatever is done on the way stands under this name in the record of the world.
            let deed = once::run(&web, &account.id, body_max, request, next);
            host::acting(&account.id, deed).await
        }
        None => Ok(next.run(request).await),
    }
}

/// Asks to sign in and come back.
fn sign_in(request: &Request) -> Response {
    let mut to = String::from("/anmelden");
    if request.method() == Method::GET {
        let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
        let path = percent_encoding::utf8_percent_encode(path, percent_encoding::NON_ALPHANUMERIC);
        to = format!("{to}?weiter={path}");
    }
    (StatusCode::SEE_OTHER, [(LOCATION, to)]).into_response()
}
