//! The front page: what this is, and the worlds that look for rulers.

use crate::Answer;
use crate::identity::world_segment;
use crate::page::Page;
use crate::pages::worlds::mine;
use crate::state::Web;
use askama::Template;
use axum::extract::State;
use host::membership::PublicWorld;

/// A world as a bill on the wall.
struct Bill {
    name: String,
    game: String,
    introduction: String,
    step: u32,
    /// For each seat whether it is taken, the taken ones first.
    seats: Vec<bool>,
    free: usize,
    segment: String,
    /// Where the visitor is at home in it, if he plays or leads there.
    home: Option<String>,
    /// One of the pictures over the bill. They show no world: what a world looks like is for its players to find out.
    picture: usize,
}

/// Pictures over the bills.
const PICTURES: usize = 3;
/// Coats of arms on a bill; worlds with more seats only have their number.
const SEATS_SHOWN: usize = 24;
/// Letters of an introduction on a bill.
const BLURB: usize = 220;

#[derive(Template)]
#[template(path = "front.html")]
struct Front<'a> {
    page: &'a Page,
    bills: Vec<Bill>,
}

/// `GET /`
pub async fn show(State(web): State<Web>, page: Page) -> Answer {
    let worlds = web.host.public_worlds().await?;
    let mine = match &page.account {
        Some(account) => mine(&web, &account.id).await?,
        None => Vec::new(),
    };
    let home = |open: &PublicWorld| mine.iter().find(|of| of.world.id == open.world.id);
    let bills = worlds
        .iter()
        .enumerate()
        .map(|(number, open)| bill(number, open, home(open).map(|of| of.href.clone())))
        .collect();
    page.show(&Front { page: &page, bills })
}

fn bill(number: usize, open: &PublicWorld, home: Option<String>) -> Bill {
    let all = usize::try_from(open.seats).unwrap_or(usize::MAX);
    let free = open.vacant.len().min(all);
    let shown = if all <= SEATS_SHOWN { all } else { 0 };
    Bill {
        name: open.world.name.clone(),
        game: open.world.game.clone(),
        introduction: shorten(&open.introduction),
        step: open.world.open_step,
        seats: (0..shown).map(|seat| seat < all - free).collect(),
        free,
        segment: world_segment(&open.world),
        home,
        picture: number % PICTURES + 1,
    }
}

/// The beginning of a text, cut between words.
fn shorten(text: &str) -> String {
    let paragraph = text
        .lines()
        .find(|line| !line.trim().is_empty())
        .unwrap_or_default()
        .trim();
    if paragraph.chars().count() <= BLURB {
        return paragraph.to_owned();
    }
    let start: String = paragraph.chars().take(BLURB).collect();
    let end = start.rfind(' ').unwrap_or(start.len());
    format!(
        "{}\u{2026}",
        start.get(..end).unwrap_or(&start).trim_end_matches([',', ';', '.'])
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_introduction_is_cut_between_words() {
        assert_eq!(shorten("\n  Kurz.\nMehr."), "Kurz.");
        assert_eq!(shorten(""), "");
        let long = "Bär ".repeat(80);
        let short = shorten(&long);
        assert!(short.ends_with("Bär\u{2026}") && short.chars().count() <= BLURB + 1);
        assert_eq!(shorten(&"ä".repeat(300)).chars().count(), BLURB + 1);
    }
}
