//! The calls of the newspaper and of coats of arms.

use super::super::{DRAWING_FORM_BYTES, Guard, LETTER_BYTES, Route, delete, get, post, put};
use crate::api::{Call, Family, arms, paper, player};
use crate::pages;
use host::limits::PICTURE_BYTES;

/// Kinds of pictures in the paper.
const PICTURES: [&str; 3] = ["image/png", "image/jpeg", "image/svg+xml"];
/// A drawing.
const DRAWING: [&str; 1] = ["image/svg+xml"];

/// For players.
pub(super) fn for_players() -> Vec<Route> {
    use Family::Newspaper;
    use Guard::{Member, Seat};
    let call = Call::new;
    vec![
        get("/api/v1/worlds/{world}/newspaper", Member, paper::issues)
            .call(call("list-issues", Newspaper).gives::<paper::Issues>()),
        get("/api/v1/worlds/{world}/newspaper/{number}", Member, paper::issue)
            .call(call("get-issue", Newspaper).gives::<paper::IssueText>()),
        get(
            "/api/v1/worlds/{world}/newspaper/pictures/{picture}",
            Member,
            pages::newspaper::picture,
        )
        .call(call("get-newspaper-picture", Newspaper).shows(&PICTURES)),
        get("/api/v1/worlds/{world}/newspaper/articles", Seat, paper::articles)
            .call(call("list-articles", Newspaper).gives::<paper::Articles>()),
        post("/api/v1/worlds/{world}/newspaper/articles", Seat, paper::send)
            .call(
                call("send-article", Newspaper)
                    .takes::<paper::ArticleSent>()
                    .makes::<player::Made>(),
            )
            .with_body(LETTER_BYTES),
        get(
            "/api/v1/worlds/{world}/newspaper/articles/{article}",
            Seat,
            paper::article,
        )
        .call(call("get-article", Newspaper).gives::<paper::ArticleFile>()),
        put(
            "/api/v1/worlds/{world}/newspaper/articles/{article}",
            Seat,
            paper::revise,
        )
        .call(call("put-article", Newspaper).takes::<paper::ArticleSent>())
        .with_body(LETTER_BYTES),
        delete(
            "/api/v1/worlds/{world}/newspaper/articles/{article}",
            Seat,
            paper::withdraw,
        )
        .call(call("delete-article", Newspaper)),
        put(
            "/api/v1/worlds/{world}/newspaper/articles/{article}/picture",
            Seat,
            paper::hang,
        )
        .call(call("put-article-picture", Newspaper).takes_image())
        .with_body(PICTURE_BYTES),
        delete(
            "/api/v1/worlds/{world}/newspaper/articles/{article}/picture",
            Seat,
            paper::unhang,
        )
        .call(call("delete-article-picture", Newspaper)),
    ]
}

/// Coats of arms.
pub(super) fn arms() -> Vec<Route> {
    use Family::Arms;
    use Guard::{Member, Seat};
    let call = Call::new;
    vec![
        get("/api/v1/worlds/{world}/arms", Seat, arms::show).call(call("get-arms", Arms).gives::<arms::OwnArms>()),
        put("/api/v1/worlds/{world}/arms", Seat, arms::choose).call(call("put-arms", Arms).takes::<arms::BlazonBody>()),
        delete("/api/v1/worlds/{world}/arms", Seat, arms::forget).call(call("delete-arms", Arms)),
        get("/api/v1/worlds/{world}/arms/sketch", Seat, arms::sketch)
            .call(call("sketch-arms", Arms).asks::<arms::BlazonBody>().shows(&DRAWING)),
        put("/api/v1/worlds/{world}/arms/drawing", Seat, arms::upload)
            .call(call("put-arms-drawing", Arms).takes_drawing().gives::<arms::Cleaned>())
            .with_body(DRAWING_FORM_BYTES),
        get("/api/v1/worlds/{world}/arms/{realm}", Member, pages::arms::arms)
            .call(call("get-arms-of", Arms).shows(&DRAWING)),
        get("/api/v1/worlds/{world}/seals/{realm}", Member, pages::arms::seal)
            .call(call("get-seal-of", Arms).shows(&DRAWING)),
    ]
}

/// The editor's desk.
pub(super) fn for_masters() -> Vec<Route> {
    use Family::Lead;
    use Guard::GameMaster;
    let call = Call::new;
    vec![
        get("/api/v1/worlds/{world}/lead/newspaper", GameMaster, paper::desk)
            .call(call("get-editors-desk", Lead).gives::<paper::EditorsDesk>()),
        put("/api/v1/worlds/{world}/lead/newspaper/head", GameMaster, paper::head)
            .call(call("put-newspaper-head", Lead).takes::<paper::HeadSent>()),
        post(
            "/api/v1/worlds/{world}/lead/newspaper/articles",
            GameMaster,
            paper::write,
        )
        .call(
            call("write-article", Lead)
                .takes::<paper::ArticleSent>()
                .makes::<player::Made>(),
        )
        .with_body(LETTER_BYTES),
        put(
            "/api/v1/worlds/{world}/lead/newspaper/articles/{article}",
            GameMaster,
            paper::edit,
        )
        .call(call("edit-article", Lead).takes::<paper::ArticleSent>())
        .with_body(LETTER_BYTES),
        put(
            "/api/v1/worlds/{world}/lead/newspaper/articles/{article}/picture",
            GameMaster,
            paper::hang_any,
        )
        .call(call("edit-article-picture", Lead).takes_image())
        .with_body(PICTURE_BYTES),
        delete(
            "/api/v1/worlds/{world}/lead/newspaper/articles/{article}/picture",
            GameMaster,
            paper::unhang_any,
        )
        .call(call("remove-article-picture", Lead)),
        post(
            "/api/v1/worlds/{world}/lead/newspaper/articles/{article}/act",
            GameMaster,
            paper::decide,
        )
        .call(call("decide-article", Lead).takes::<paper::DecisionSent>()),
        post(
            "/api/v1/worlds/{world}/lead/newspaper/gather",
            GameMaster,
            paper::gather,
        )
        .call(call("gather-articles", Lead).gives::<paper::Gathered>()),
        post(
            "/api/v1/worlds/{world}/lead/newspaper/publish",
            GameMaster,
            paper::publish,
        )
        .call(call("publish-issue", Lead).takes::<paper::PrintSent>()),
    ]
}
