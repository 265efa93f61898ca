//! A host in a temporary folder and a browser without a window, for tests.
//!
//! ```text
//! let stage = Stage::new(games()).await;
//! let world = stage.world("Nebelmark", "toy", &["Adler", "Bär"]).await;
//! let mut mira = stage.player("Mira", &world, 1).await;
//! assert!(mira.get("/welt/Nebelmark/").await.text.contains("Adler"));
//! ```

use crate::context::session_cookie;
use crate::shield::Peer;
use crate::state::{Settings, Web};
use axum::Router;
use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, COOKIE, HOST, LOCATION, SET_COOKIE};
use axum::http::{HeaderMap, Method, Request, StatusCode};
use host::account::{Account, NewAccount};
use host::world::{NewSeat, NewWorld, World};
use host::{Host, Options};
use http_body_util::BodyExt as _;
use kernel::any::AnyGame;
use kernel::game::SeatPlan;
use kernel::realm::RealmId;
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::Arc;
use tempfile::TempDir;
use tower::ServiceExt as _;

/// The password of everybody on the stage.
pub const PASSWORD: &str = "correct horse battery";

/// A host in a temporary folder.
pub struct Stage {
    /// What its requests share.
    pub web: Web,
    app: Router,
    _folder: TempDir,
}

impl Stage {
    /// An empty host that runs these games.
    ///
    /// # Panics
    /// If the folder or the store cannot be made.
    pub async fn new(games: Vec<Arc<dyn AnyGame>>) -> Self {
        let settings = Settings {
            public_url: "http://briefwelt.test".into(),
            open_sign_up: true,
            ..Settings::default()
        };
        Self::with(games, settings).await
    }

    /// An empty host with these settings.
    ///
    /// # Panics
    /// If the folder or the store cannot be made.
    pub async fn with(games: Vec<Arc<dyn AnyGame>>, settings: Settings) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let options = Options {
            data: folder.path().to_owned(),
            create: true,
            database: None,
            megabytes_max: None,
        };
        let host = Host::open(games, &options).await.expect("a new store");
        let web = Web::new(Arc::new(host), settings);
        Self {
            app: crate::app(web.clone()),
            web,
            _folder: folder,
        }
    }

    /// Makes a world with these realms; nobody holds a seat yet.
    ///
    /// # Panics
    /// If the game refuses.
    pub async fn world(&self, name: &str, game: &str, realms: &[&str]) -> World {
        let seat = |realm: &&str| NewSeat {
            plan: SeatPlan {
                realm: (*realm).to_owned(),
                player: "-".into(),
                ..SeatPlan::default()
            },
            ..NewSeat::default()
        };
        let plan = NewWorld {
            name: name.to_owned(),
            game: game.to_owned(),
            seats: realms.iter().map(seat).collect(),
            seed: Some(format!("stage {name}")),
            ..NewWorld::default()
        };
        self.web.host.create(&plan, &mut |_, _| {}).await.expect("a world")
    }

    /// Makes an account. The first of a host is its administrator.
    ///
    /// # Panics
    /// If the name is taken.
    pub async fn account(&self, name: &str) -> Account {
        let mail: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
        let new = NewAccount {
            name: name.to_owned(),
            mail: format!("{}@example.org", mail.to_lowercase()),
            password: Some(PASSWORD.to_owned()),
            language: "de".into(),
            zone: "Europe/Berlin".into(),
        };
        let now = self.web.clock.now();
        self.web.host.sign_up(&new, None, now).await.expect("an account")
    }

    /// A browser in which nobody is signed in.
    pub fn browser(&self) -> Browser {
        Browser {
            app: self.app.clone(),
            cookies: BTreeMap::new(),
            address: IpAddr::from([192, 0, 2, 1]),
            headers: HeaderMap::new(),
        }
    }

    /// A browser in which this account is signed in.
    ///
    /// # Panics
    /// If it cannot sign in.
    pub async fn browser_of(&self, name: &str) -> Browser {
        let now = self.web.clock.now();
        let login = self.web.host.sign_in(name, PASSWORD, None, "Testbrowser", now).await;
        let mut browser = self.browser();
        let token = login.expect("an account with the password of the stage").token;
        browser.cookies.insert(session_cookie(&self.web).to_owned(), token);
        browser
    }

    /// Makes an account, seats it and signs it in.
    ///
    /// # Panics
    /// If the seat is taken.
    pub async fn player(&self, name: &str, world: &World, realm: u16) -> Browser {
        let account = self.account(name).await;
        let now = self.web.clock.now();
        let seated = self.web.host.assign_seat(world, RealmId(realm), &account.id, now).await;
        seated.expect("a free seat");
        self.browser_of(name).await
    }

    /// Makes an account, lets it lead a world and signs it in.
    ///
    /// # Panics
    /// If it cannot lead.
    pub async fn game_master(&self, name: &str, world: &World) -> Browser {
        let account = self.account(name).await;
        let now = self.web.clock.now();
        self.web
            .host
            .add_master(world, &account.id, now)
            .await
            .expect("a game master");
        self.browser_of(name).await
    }
}

/// A browser without a window: it keeps cookies and follows no redirect by itself.
#[derive(Clone)]
pub struct Browser {
    app: Router,
    /// Its cookies.
    pub cookies: BTreeMap<String, String>,
    /// Where it stands.
    pub address: IpAddr,
    /// Headers of every request.
    pub headers: HeaderMap,
}

/// An answer.
#[derive(Clone, Debug)]
pub struct Seen {
    /// Its status.
    pub status: StatusCode,
    /// Its headers.
    pub headers: HeaderMap,
    /// Its body.
    pub bytes: Vec<u8>,
    /// Its body as text.
    pub text: String,
}

impl Seen {
    /// Where a redirect leads.
    pub fn location(&self) -> &str {
        self.headers
            .get(LOCATION)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
    }

    /// Headers that may tell something, as text; those that differ with every answer are left out.
    pub fn telling_headers(&self) -> String {
        let mut lines: Vec<String> = self
            .headers
            .iter()
            .filter(|(name, _)| name.as_str() != "x-request-id")
            .map(|(name, value)| format!("{name}: {}", String::from_utf8_lossy(value.as_bytes())))
            .collect();
        lines.sort();
        lines.join("\n")
    }
}

impl Browser {
    /// Opens a page.
    pub async fn get(&mut self, path: &str) -> Seen {
        self.send(self.request(Method::GET, path).body(Body::empty())).await
    }

    /// Opens a page and follows redirects.
    pub async fn visit(&mut self, path: &str) -> Seen {
        let seen = self.get(path).await;
        self.follow(seen).await
    }

    /// Sends a form.
    pub async fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Seen {
        let encode =
            |text: &str| percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string();
        let pairs: Vec<String> = fields
            .iter()
            .map(|(name, value)| format!("{}={}", encode(name), encode(value)))
            .collect();
        self.post_bytes(path, "application/x-www-form-urlencoded", pairs.join("&"))
            .await
    }

    /// Sends a form and follows redirects.
    pub async fn submit(&mut self, path: &str, fields: &[(&str, &str)]) -> Seen {
        let seen = self.post(path, fields).await;
        self.follow(seen).await
    }

    /// Sends any body.
    pub async fn post_bytes(&mut self, path: &str, kind: &str, body: impl Into<Body>) -> Seen {
        let request = self.request(Method::POST, path).header(CONTENT_TYPE, kind);
        self.send(request.body(body.into())).await
    }

    async fn follow(&mut self, mut seen: Seen) -> Seen {
        for _ in 0..5 {
            if !seen.status.is_redirection() {
                break;
            }
            let to = seen.location().to_owned();
            seen = self.get(&to).await;
        }
        seen
    }

    /// A request with cookies and headers of this browser.
    pub fn request(&self, method: Method, path: &str) -> axum::http::request::Builder {
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header(HOST, "briefwelt.test");
        let cookies: Vec<String> = self
            .cookies
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        if !cookies.is_empty() {
            request = request.header(COOKIE, cookies.join("; "));
        }
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        request.extension(Peer(self.address))
    }

    /// Sends a request and keeps the cookies of its answer.
    ///
    /// # Panics
    /// If the request cannot be made or the body of the answer breaks off.
    pub async fn send(&mut self, request: Result<Request<Body>, axum::http::Error>) -> Seen {
        let request = request.expect("a request");
        let response = self
            .app
            .clone()
            .oneshot(request)
            .await
            .expect("the service always answers");
        let (parts, body) = response.into_parts();
        for cookie in parts.headers.get_all(SET_COOKIE) {
            let cookie = cookie.to_str().unwrap_or_default();
            let (pair, rest) = cookie.split_once(';').unwrap_or((cookie, ""));
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            if rest.contains("Max-Age=0") {
                self.cookies.remove(name);
            } else {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
        let bytes = body.collect().await.expect("a body").to_bytes().to_vec();
        Seen {
            status: parts.status,
            headers: parts.headers,
            text: String::from_utf8_lossy(&bytes).into_owned(),
            bytes,
        }
    }
}
