//! A walk through two hosts at once.

use std::collections::{BTreeSet, VecDeque};
use web::routes::routes;
use web::testing::{Browser, Seen};

/// Addresses that one walk visits at most: every kind of page is among them long before.
const VISITS: usize = 340;

/// Pages of one kind (the same address but for numbers and questions) that are visited at most.
const ALIKE: usize = 6;

/// What knows nothing of the world: the account, which has names of its own in each host, the plan of another world, which
/// begins with a random seed, and the health of the host.
const ELSEWHERE: [&str; 6] = [
    "/konto",
    "/neue-welt",
    "/api/v1/account",
    "/metrics",
    "/healthz",
    "/assets",
];

/// A walk.
pub struct Walk {
    world: &'static str,
    who: String,
    /// Answers that were compared.
    pub answers: usize,
    /// Those of them that showed something.
    pub pages: usize,
}

impl Walk {
    /// A walk through the world of this name.
    pub fn new(world: &'static str, who: String) -> Self {
        Self {
            world,
            who,
            answers: 0,
            pages: 0,
        }
    }

    /// Goes along every link from the player's desk, then tries every address of the list of routes.
    ///
    /// # Panics
    /// If an answer differs.
    pub async fn everywhere(&mut self, when: &str, one: &mut Browser, two: &mut Browser) {
        let mut ways = VecDeque::from([format!("/welt/{}/", self.world), "/welten".to_owned(), "/".to_owned()]);
        ways.extend(self.addresses());
        let mut known: BTreeSet<String> = ways.iter().cloned().collect();
        let mut alike = std::collections::BTreeMap::<String, usize>::new();
        let mut visits = 0;
        while let Some(way) = ways.pop_front() {
            let count = alike.entry(kind(&way)).or_default();
            *count += 1;
            if *count > ALIKE || visits >= VISITS {
                continue;
            }
            visits += 1;
            let (here, there) = (one.get(&way).await, two.get(&way).await);
            assert!(
                !here.status.is_server_error(),
                "{}: {way} answers {}",
                self.who,
                here.status
            );
            self.same(when, &way, &here, &there);
            for link in links(&here.text).into_iter().chain(self.charts(&way, &here.text)) {
                if known.insert(link.clone()) {
                    ways.push_back(link);
                }
            }
        }
        self.questions(when, one, two).await;
    }

    /// The charts of the figures that a call lists: no page has a link to them.
    fn charts(&self, way: &str, text: &str) -> Vec<String> {
        let figures = format!("/api/v1/worlds/{}/figures", self.world);
        let listed: serde_json::Value = match way == figures {
            true => serde_json::from_str(text).unwrap_or_default(),
            false => return Vec::new(),
        };
        let groups = listed["figures"].as_array().into_iter().flatten();
        let groups: BTreeSet<&str> = groups.filter_map(|figure| figure["group"].as_str()).collect();
        groups.into_iter().map(|group| format!("{figures}/{group}")).collect()
    }

    /// Asks what needs words or a body: searching, comparing, completing, checking and imagining orders.
    async fn questions(&mut self, when: &str, one: &mut Browser, two: &mut Browser) {
        let base = format!("/api/v1/worlds/{}", self.world);
        for question in [
            "reports?q=e",
            "reports?q=Reich",
            "reports?q=Heer",
            "turns/last/changes?against=0",
        ] {
            let way = format!("{base}/{question}");
            let (here, there) = (one.get(&way).await, two.get(&way).await);
            // Before the first turn there is no turn to compare with.
            let there_is = here.status.is_success() || question.contains("changes");
            assert!(there_is, "{}: {way} answers {}", self.who, here.status);
            self.same(when, &way, &here, &there);
        }
        let cursor = |text: &str| {
            let column = text.chars().count() + 1;
            serde_json::json!({ "text": text, "line": 1, "column": column })
        };
        let orders = |text: &str| serde_json::json!({ "text": text });
        for (call, sent) in [
            ("complete", cursor("")),
            ("complete", cursor("#")),
            ("complete", cursor("1 ")),
            ("complete", cursor("KM1 ")),
            ("check", orders("KM1 1 1 1\n")),
            ("preview", orders("")),
        ] {
            let way = format!("{base}/orders/{call}");
            let kind = "application/json";
            let here = one.post_bytes(&way, kind, sent.to_string()).await;
            let there = two.post_bytes(&way, kind, sent.to_string()).await;
            assert!(
                here.status.is_success(),
                "{}: {way} {sent} answers {}",
                self.who,
                here.text
            );
            self.same(when, &format!("{way} {sent}"), &here, &there);
        }
    }

    /// Every address one can read from, with numbers and names where the list has gaps.
    fn addresses(&self) -> Vec<String> {
        let mut all = Vec::new();
        for route in routes().iter().filter(|route| route.method.as_str() == "GET") {
            if ELSEWHERE.iter().any(|path| route.path.starts_with(path)) {
                continue;
            }
            let path = route.path.replace("{world}", self.world);
            if !path.contains('{') {
                all.push(path);
                continue;
            }
            for value in ["1", "2", "0"] {
                let mut filled = String::new();
                let mut rest = path.as_str();
                while let Some((before, after)) = rest.split_once('{') {
                    filled.push_str(before);
                    filled.push_str(value);
                    rest = after.split_once('}').map_or("", |(_, rest)| rest);
                }
                filled.push_str(rest);
                all.push(filled);
            }
        }
        all
    }

    fn same(&mut self, when: &str, way: &str, one: &Seen, two: &Seen) {
        self.answers += 1;
        self.pages += usize::from(one.status.is_success());
        let who = &self.who;
        assert_eq!(one.status, two.status, "{who}, {when}: {way}");
        let texts = [one, two].map(|seen| plain(&seen.text));
        if texts[0] != texts[1] {
            let at = texts[0]
                .bytes()
                .zip(texts[1].bytes())
                .take_while(|(one, two)| one == two)
                .count();
            let around = |text: &String| {
                let bytes = text.as_bytes();
                let part = &bytes[at.saturating_sub(120).min(bytes.len())..(at + 120).min(bytes.len())];
                String::from_utf8_lossy(part).into_owned()
            };
            panic!(
                "{who}, {when}: {way} differs\n  one   {}\n  other {}",
                around(&texts[0]),
                around(&texts[1])
            );
        }
        if texts[0] == one.text {
            assert_eq!(one.bytes, two.bytes, "{who}, {when}: {way}");
        }
        let heads = [one, two].map(|seen| plain(&headers(seen)));
        assert_eq!(heads[0], heads[1], "{who}, {when}: headers of {way}");
    }
}

/// Headers but for length and tags of the content, which follow from bytes that were compared already.
fn headers(seen: &Seen) -> String {
    let own = |line: &&str| {
        !["etag", "content-length", "set-cookie"]
            .iter()
            .any(|name| line.starts_with(name))
    };
    seen.telling_headers()
        .lines()
        .filter(own)
        .collect::<Vec<_>>()
        .join("\n")
}

/// The text without the time of day, which differs in any two hosts, as do the numbers of forms, which are times.
fn plain(text: &str) -> String {
    let numbered = format!("?{}=", web::once::FIELD);
    let mut parts = text.split(numbered.as_str());
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push_str("(number)");
        text.push_str(part.trim_start_matches(|letter: char| letter.is_ascii_digit()));
    }
    let text = text.as_str();
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let mut plain = String::with_capacity(text.len());
    let mut skip = 0;
    for (at, letter) in text.char_indices() {
        if at < skip {
            continue;
        }
        let time = digit(at) && digit(at + 1) && bytes.get(at + 2) == Some(&b':') && digit(at + 3) && digit(at + 4);
        let bounded = (at == 0 || !bytes[at - 1].is_ascii_digit()) && !digit(at + 5);
        if time && bounded {
            plain.push_str("(time)");
            skip = at + 5;
            // Seconds and their parts belong to the time.
            while bytes
                .get(skip)
                .is_some_and(|byte| byte.is_ascii_digit() || *byte == b':' || *byte == b'.')
            {
                skip += 1;
            }
        } else {
            plain.push(letter);
        }
    }
    plain
}

/// What pages of one kind have in common.
fn kind(way: &str) -> String {
    let path = way.split(['?', '#']).next().unwrap_or_default();
    let questions: Vec<&str> = way
        .split_once('?')
        .map(|(_, rest)| rest.split('&').filter_map(|pair| pair.split('=').next()).collect())
        .unwrap_or_default();
    let path: String = path
        .chars()
        .map(|letter| if letter.is_ascii_digit() { '0' } else { letter })
        .collect();
    format!("{path}?{}", questions.join("&"))
}

/// Where a page leads: links, pictures and what its scripts ask for.
fn links(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    for mark in ["href=\"", "src=\"", "data-index=\"", "data-fragment=\"", "action=\""] {
        for part in page.split(mark).skip(1) {
            let Some((link, _)) = part.split_once('"') else {
                continue;
            };
            let link = link.replace("&amp;", "&").replace("&#38;", "&");
            let link = link.split('#').next().unwrap_or_default();
            if link.starts_with('/') && !ELSEWHERE.iter().any(|of| link.starts_with(of)) {
                found.push(link.to_owned());
            }
        }
    }
    found
}
