//! The rule book: what stands behind every "why?", with search.

use crate::Answer;
use crate::error::Fault;
use crate::identity::Member;
use crate::page::Page;
use crate::state::Web;
use askama::Template;
use axum::extract::{Path, Query, State};
use kernel::rule::{Rule, RuleKind};
use render::locale::Language;
use serde::Deserialize;

/// What is searched for.
#[derive(Debug, Default, Deserialize)]
pub struct Sought {
    #[serde(default)]
    q: String,
}

/// A rule in the words of a page.
pub struct Entry {
    /// Its id.
    pub id: &'static str,
    /// What becomes of it, in a word.
    pub kind: String,
    /// Its sentence.
    pub text: &'static str,
}

struct Chapter {
    name: String,
    entries: Vec<Entry>,
}

#[derive(Template)]
#[template(path = "rules.html")]
struct Book<'a> {
    page: &'a Page,
    query: String,
    chapters: Vec<Chapter>,
    count: usize,
}

#[derive(Template)]
#[template(path = "rule.html")]
struct OneRule<'a> {
    page: &'a Page,
    chapter: String,
    entry: Entry,
    others: Vec<Entry>,
    named_by: Vec<Entry>,
}

/// A rule in the words of a page.
pub fn entry(page: &Page, rule: &'static Rule) -> Entry {
    Entry {
        id: rule.id.as_str(),
        kind: match rule.kind {
            RuleKind::Auto => page.t("rules.auto"),
            RuleKind::Gm => page.t("rules.gm"),
            RuleKind::Org => page.t("rules.org"),
            RuleKind::Lore => page.t("rules.lore"),
            RuleKind::Void => page.t("rules.void"),
            RuleKind::Ruling => page.t("rules.ruling"),
            RuleKind::Example => page.t("rules.example"),
        },
        text: match page.words.language() {
            Language::German => rule.de,
            Language::English => rule.en,
        },
    }
}

/// What pages call a chapter; without words of theirs, as the catalogue does.
fn title(page: &Page, chapter: &str) -> String {
    let key = format!("chapter.{chapter}");
    let title = page.t(&key);
    if title == key { chapter.to_owned() } else { title }
}

/// The rules in whose id or sentence all words of a search stand.
pub fn find(page: &Page, rules: &'static [Rule], query: &str) -> Vec<(&'static Rule, Entry)> {
    let words: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
    let fits = |entry: &Entry| {
        let text = format!("{} {}", entry.id, entry.text).to_lowercase();
        words.iter().all(|word| text.contains(word))
    };
    let entries = rules.iter().map(|rule| (rule, entry(page, rule)));
    entries.filter(|(_, entry)| fits(entry)).collect()
}

/// `GET /welt/{world}/regeln`
pub async fn book(State(web): State<Web>, page: Page, member: Member, Query(sought): Query<Sought>) -> Answer {
    let game = web.host.game(&member.world.game)?;
    let query: String = sought.q.trim().chars().take(100).collect();
    let mut chapters: Vec<Chapter> = Vec::new();
    let mut count = 0;
    for (rule, entry) in find(&page, game.rules(), &query) {
        count += 1;
        let name = title(&page, rule.chapter);
        match chapters.iter_mut().find(|chapter| chapter.name == name) {
            Some(chapter) => chapter.entries.push(entry),
            None => chapters.push(Chapter {
                name,
                entries: vec![entry],
            }),
        }
    }
    page.show(&Book {
        page: &page,
        query,
        chapters,
        count,
    })
}

/// `GET /welt/{world}/regeln/{id}`
pub async fn rule(State(web): State<Web>, page: Page, member: Member, Path((_, id)): Path<(String, String)>) -> Answer {
    let rules = web.host.game(&member.world.game)?.rules();
    let find = |id: &str| rules.iter().find(|rule| rule.id.as_str() == id);
    let rule = find(&id).ok_or(Fault::Missing)?;
    let named = rules.iter().filter(|other| other.see.contains(&rule.id));
    page.show(&OneRule {
        chapter: title(&page, rule.chapter),
        entry: entry(&page, rule),
        others: rule
            .see
            .iter()
            .filter_map(|id| find(id.as_str()))
            .map(|rule| entry(&page, rule))
            .collect(),
        named_by: named.map(|rule| entry(&page, rule)).collect(),
        page: &page,
    })
}
