//! The front page: what this is, and the worlds that look for rulers.

use crate::Answer;
use crate::page::Page;
use askama::Template;

#[derive(Template)]
#[template(path = "front.html")]
struct Front<'a> {
    page: &'a Page,
}

/// `GET /`
pub async fn show(page: Page) -> Answer {
    page.show(&Front { page: &page })
}
