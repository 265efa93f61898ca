//! The part of the list that is the JSON interface: every call with its guard and what its description says.

use super::{Guard, LETTER_BYTES, Route, delete, get, post, put};
use crate::api::{self, Call, Family};
use crate::pages;

mod desk;
mod found;
mod paper;
mod sheet;

/// Kinds of content in which a report is told.
const REPORT_KINDS: [&str; 4] = [
    "application/json",
    "text/html",
    "text/plain",
    "application/octet-stream",
];

/// The JSON interface for players.
pub(super) fn for_players() -> Vec<Route> {
    use Family::{Account as Own, Letters, Orders, Turn, World};
    use Guard::{Account, Member, Seat};
    use api::{board, document, letters, orders, past, player, turn};
    let call = Call::new;
    let mut all = vec![
        get("/api", Guard::Anyone, document::show),
        get("/api/openapi.json", Guard::Anyone, document::openapi),
        get("/api/v1/account", Account, player::account).call(call("get-account", Own).gives::<player::Me>()),
        get("/api/v1/worlds", Account, player::list).call(call("list-worlds", Own).gives::<player::Worlds>()),
        get("/api/v1/worlds/{world}", Member, player::world).call(call("get-world", World).gives::<player::Overview>()),
        get("/api/v1/worlds/{world}/announcements", Member, player::announcements)
            .call(call("list-announcements", World).gives::<player::Notices>()),
        get("/api/v1/worlds/{world}/rules", Member, player::rule_book).call(
            call("list-rules", World)
                .asks::<player::Search>()
                .gives::<player::Rules>(),
        ),
        get("/api/v1/worlds/{world}/rules/{rule}", Member, player::rule)
            .call(call("get-rule", World).gives::<player::RuleAnswer>()),
        get("/api/v1/worlds/{world}/figures", Seat, past::figures)
            .call(call("get-figures", World).gives::<past::Figures>()),
        get("/api/v1/worlds/{world}/figures/{chart}", Seat, past::chart)
            .call(call("get-chart", World).shows(&["image/svg+xml"])),
        get("/api/v1/worlds/{world}/reports", Seat, past::search).call(
            call("search-reports", World)
                .asks::<player::Search>()
                .gives::<past::FoundLines>(),
        ),
        get("/api/v1/worlds/{world}/calculators", Seat, turn::calculators)
            .call(call("list-calculators", World).gives::<turn::Calculators>()),
        post("/api/v1/worlds/{world}/calculators/{calculator}", Seat, turn::calculate).call(
            call("calculate", World)
                .reading()
                .takes::<turn::ValuesSent>()
                .shows(&["application/json"]),
        ),
        get("/api/v1/worlds/{world}/report", Seat, turn::whole).call(
            call("get-whole-report", World).asks::<turn::WholeAsked>().shows(&[
                "application/json",
                "text/plain",
                "text/html",
            ]),
        ),
        get("/api/v1/worlds/{world}/turns/{turn}/report", Seat, turn::report).call(
            call("get-report", Turn)
                .asks::<turn::ReportAsked>()
                .shows(&REPORT_KINDS),
        ),
        get("/api/v1/worlds/{world}/turns/{turn}/map", Seat, turn::map)
            .call(call("get-map", Turn).shows(&["application/json"])),
        get("/api/v1/worlds/{world}/turns/{turn}/map.svg", Seat, turn::svg).call(
            call("get-map-svg", Turn)
                .asks::<turn::PictureAsked>()
                .shows(&["image/svg+xml"]),
        ),
        get("/api/v1/worlds/{world}/turns/{turn}/map.png", Seat, turn::png).call(
            call("get-map-png", Turn)
                .asks::<turn::PictureAsked>()
                .shows(&["image/png"]),
        ),
        get("/api/v1/worlds/{world}/board", Seat, board::now)
            .call(call("get-board", Orders).shows(&["application/json"])),
        get("/api/v1/worlds/{world}/board/offers", Seat, board::offers).call(
            call("list-offers", Orders)
                .asks::<board::OffersAsked>()
                .shows(&["application/json"]),
        ),
        get("/api/v1/worlds/{world}/turns/{turn}/board", Seat, board::after)
            .call(call("get-board-after", Turn).shows(&["application/json"])),
        get("/api/v1/worlds/{world}/turns/{turn}/moments", Seat, board::moments)
            .call(call("get-moments", Turn).shows(&["application/json"])),
        get("/api/v1/worlds/{world}/turns/{turn}/field", Seat, turn::field).call(
            call("get-field", Turn)
                .asks::<turn::FieldAsked>()
                .gives::<turn::FieldFile>(),
        ),
        get("/api/v1/worlds/{world}/turns/{turn}/route", Seat, turn::route).call(
            call("get-route", Turn)
                .asks::<turn::RouteAsked>()
                .gives::<turn::Route>(),
        ),
        get("/api/v1/worlds/{world}/turns/{turn}/changes", Seat, past::changes).call(
            call("compare-turns", Turn)
                .asks::<past::AgainstAsked>()
                .gives::<past::TurnChanges>(),
        ),
        get("/api/v1/worlds/{world}/turns/{turn}/dice", Seat, turn::dice)
            .call(call("get-dice", Turn).shows(&["application/json"])),
        get("/api/v1/worlds/{world}/orders", Seat, orders::show)
            .call(call("get-orders", Orders).gives::<orders::Orders>()),
        post("/api/v1/worlds/{world}/orders", Seat, orders::submit)
            .call(
                call("submit-orders", Orders)
                    .takes::<orders::OrdersSent>()
                    .makes::<orders::Receipt>(),
            )
            .with_body(pages::orders::BODY_BYTES),
        post("/api/v1/worlds/{world}/orders/check", Seat, orders::check)
            .call(
                call("check-orders", Orders)
                    .reading()
                    .takes::<orders::OrdersSent>()
                    .gives::<orders::Checked>(),
            )
            .with_body(pages::orders::BODY_BYTES),
        post("/api/v1/worlds/{world}/orders/preview", Seat, orders::preview)
            .call(
                call("preview-orders", Orders)
                    .reading()
                    .takes::<orders::OrdersSent>()
                    .gives::<orders::Preview>(),
            )
            .with_body(pages::orders::BODY_BYTES),
        post("/api/v1/worlds/{world}/orders/complete", Seat, orders::complete)
            .call(
                call("complete-orders", Orders)
                    .reading()
                    .takes::<orders::CursorSent>()
                    .gives::<orders::Completion>(),
            )
            .with_body(pages::orders::BODY_BYTES),
        get("/api/v1/worlds/{world}/orders/draft", Seat, orders::draft)
            .call(call("get-draft", Orders).gives::<orders::Draft>()),
        put("/api/v1/worlds/{world}/orders/draft", Seat, orders::keep)
            .call(
                call("put-draft", Orders)
                    .takes::<orders::OrdersSent>()
                    .gives::<orders::Draft>(),
            )
            .with_body(pages::orders::BODY_BYTES),
        get("/api/v1/worlds/{world}/orders/history", Seat, orders::history).call(
            call("list-orders", Orders)
                .asks::<orders::TurnAsked>()
                .gives::<orders::History>(),
        ),
        get(
            "/api/v1/worlds/{world}/orders/drafts/{turn}/{attempt}",
            Seat,
            orders::draft_text,
        )
        .call(call("get-old-draft", Orders).shows(&["text/plain"])),
        get(
            "/api/v1/worlds/{world}/orders/sent/{turn}/{attempt}",
            Seat,
            orders::sent_text,
        )
        .call(call("get-sent-orders", Orders).shows(&["text/plain"])),
        get("/api/v1/worlds/{world}/orders/forms", Seat, orders::order_forms)
            .call(call("list-order-forms", Orders).gives::<orders::OrderForms>()),
        post("/api/v1/worlds/{world}/orders/forms/{form}", Seat, orders::write_line).call(
            call("write-order", Orders)
                .reading()
                .takes::<turn::ValuesSent>()
                .gives::<orders::WrittenLine>(),
        ),
        get("/api/v1/worlds/{world}/addressees", Seat, letters::addressees)
            .call(call("list-addressees", Letters).gives::<letters::Addressees>()),
        get("/api/v1/worlds/{world}/letters", Seat, letters::list).call(
            call("list-letters", Letters)
                .asks::<letters::LettersAsked>()
                .gives::<letters::Letters>(),
        ),
        post("/api/v1/worlds/{world}/letters", Seat, letters::write)
            .call(
                call("write-letter", Letters)
                    .takes::<letters::LetterSent>()
                    .makes::<letters::LetterState>(),
            )
            .with_body(LETTER_BYTES),
        get("/api/v1/worlds/{world}/letters/{letter}", Seat, letters::read)
            .call(call("get-letter", Letters).gives::<letters::LetterWhole>()),
        put("/api/v1/worlds/{world}/letters/{letter}", Seat, letters::rewrite)
            .call(
                call("put-letter", Letters)
                    .takes::<letters::LetterSent>()
                    .gives::<letters::LetterState>(),
            )
            .with_body(LETTER_BYTES),
        delete("/api/v1/worlds/{world}/letters/{letter}", Seat, letters::discard).call(call("delete-letter", Letters)),
        post("/api/v1/worlds/{world}/letters/{letter}/act", Seat, letters::act)
            .call(call("act-on-letter", Letters).takes::<letters::ActSent>()),
    ];
    all.extend(sheet::for_players());
    all.extend(desk::for_players());
    all.extend(paper::for_players());
    all.extend(paper::arms());
    all.extend(found::for_accounts());
    all
}

/// The JSON interface for game masters.
pub(super) fn for_masters() -> Vec<Route> {
    use Family::Lead;
    use Guard::GameMaster;
    use api::{lead, letters, past, schedule, trial, turn};
    let call = Call::new;
    let mut all = vec![
        get("/api/v1/worlds/{world}/lead/seats", GameMaster, lead::seats)
            .call(call("list-seats", Lead).gives::<lead::Seats>()),
        get("/api/v1/worlds/{world}/lead/seats/{realm}", GameMaster, lead::seat)
            .call(call("get-seat", Lead).gives::<lead::SeatFile>()),
        put("/api/v1/worlds/{world}/lead/seats/{realm}/note", GameMaster, lead::note)
            .call(call("put-note", Lead).takes::<lead::TextSent>()),
        post(
            "/api/v1/worlds/{world}/lead/seats/{realm}/bookings",
            GameMaster,
            lead::book,
        )
        .call(call("book", Lead).takes::<lead::BookingSent>().makes::<lead::Balance>()),
        put(
            "/api/v1/worlds/{world}/lead/seats/{realm}/player",
            GameMaster,
            lead::reseat,
        )
        .call(call("put-player", Lead).takes::<lead::SeatSent>()),
        post(
            "/api/v1/worlds/{world}/lead/seats/{realm}/absences",
            GameMaster,
            lead::send_away,
        )
        .call(call("add-absence-of", Lead).takes::<api::seat::AbsenceSent>()),
        delete(
            "/api/v1/worlds/{world}/lead/seats/{realm}/absences",
            GameMaster,
            lead::call_back,
        )
        .call(call("end-absence-of", Lead).asks::<api::seat::AbsenceAsked>()),
        post(
            "/api/v1/worlds/{world}/lead/seats/{realm}/stand-ins",
            GameMaster,
            lead::appoint,
        )
        .call(call("add-stand-in-of", Lead).takes::<api::seat::StandInSent>()),
        delete(
            "/api/v1/worlds/{world}/lead/seats/{realm}/stand-ins/{account}",
            GameMaster,
            lead::dismiss,
        )
        .call(call("end-stand-in-of", Lead)),
        get("/api/v1/worlds/{world}/lead/balances", GameMaster, lead::balances)
            .call(call("list-balances", Lead).gives::<lead::Balances>()),
        post("/api/v1/worlds/{world}/lead/bookings", GameMaster, lead::book_all)
            .call(call("book-all", Lead).takes::<lead::BookingsSent>()),
        get("/api/v1/worlds/{world}/lead/trial", GameMaster, trial::show)
            .call(call("get-trial", Lead).gives::<trial::TrialFile>()),
        post("/api/v1/worlds/{world}/lead/trial", GameMaster, trial::run).call(
            call("run-trial", Lead)
                .takes::<trial::TrialSent>()
                .gives::<trial::TrialFile>(),
        ),
        get(
            "/api/v1/worlds/{world}/lead/trial/reports/{realm}",
            GameMaster,
            trial::report,
        )
        .call(
            call("get-trial-report", Lead)
                .asks::<turn::ReportAsked>()
                .shows(&REPORT_KINDS),
        ),
        get("/api/v1/worlds/{world}/lead/judgements", GameMaster, trial::judgements)
            .call(call("list-judgements", Lead).gives::<trial::Judgements>()),
        post("/api/v1/worlds/{world}/lead/judgements", GameMaster, trial::judge)
            .call(
                call("judge", Lead)
                    .takes::<trial::JudgementSent>()
                    .makes::<trial::JudgementEntry>(),
            )
            .with_body(LETTER_BYTES),
        delete(
            "/api/v1/worlds/{world}/lead/judgements/{number}",
            GameMaster,
            trial::withdraw,
        )
        .call(call("withdraw-judgement", Lead)),
        post("/api/v1/worlds/{world}/lead/publish", GameMaster, trial::publish).call(
            call("publish", Lead)
                .takes::<trial::PublishSent>()
                .gives::<trial::TurnRun>(),
        ),
        post("/api/v1/worlds/{world}/lead/take-back", GameMaster, trial::take_back).call(
            call("take-back", Lead)
                .takes::<trial::TakeBackSent>()
                .gives::<trial::OpenTurn>(),
        ),
        get(
            "/api/v1/worlds/{world}/lead/turns/{turn}/reports/{realm}",
            GameMaster,
            turn::report_of,
        )
        .call(
            call("get-report-of", Lead)
                .asks::<turn::ReportAsked>()
                .shows(&REPORT_KINDS),
        ),
        get(
            "/api/v1/worlds/{world}/lead/turns/{turn}/board",
            GameMaster,
            api::board::after,
        )
        .call(call("get-whole-board", Lead).shows(&["application/json"])),
        get(
            "/api/v1/worlds/{world}/lead/turns/{turn}/moments",
            GameMaster,
            api::board::moments,
        )
        .call(call("get-whole-moments", Lead).shows(&["application/json"])),
        get("/api/v1/worlds/{world}/lead/turns/{turn}/map", GameMaster, turn::map)
            .call(call("get-whole-map", Lead).shows(&["application/json"])),
        get(
            "/api/v1/worlds/{world}/lead/turns/{turn}/map.svg",
            GameMaster,
            turn::svg,
        )
        .call(
            call("get-whole-map-svg", Lead)
                .asks::<turn::PictureAsked>()
                .shows(&["image/svg+xml"]),
        ),
        get(
            "/api/v1/worlds/{world}/lead/turns/{turn}/map.png",
            GameMaster,
            turn::png,
        )
        .call(
            call("get-whole-map-png", Lead)
                .asks::<turn::PictureAsked>()
                .shows(&["image/png"]),
        ),
        get(
            "/api/v1/worlds/{world}/lead/turns/{turn}/field",
            GameMaster,
            turn::field,
        )
        .call(
            call("get-any-field", Lead)
                .asks::<turn::FieldAsked>()
                .gives::<turn::FieldFile>(),
        ),
        get("/api/v1/worlds/{world}/lead/statistics", GameMaster, past::world)
            .call(call("get-statistics", Lead).gives::<past::Statistics>()),
        get(
            "/api/v1/worlds/{world}/lead/statistics/{chart}",
            GameMaster,
            past::world_chart,
        )
        .call(call("get-statistics-chart", Lead).shows(&["image/svg+xml"])),
        get("/api/v1/worlds/{world}/lead/schedule", GameMaster, schedule::show)
            .call(call("get-schedule", Lead).gives::<schedule::ScheduleFile>()),
        put(
            "/api/v1/worlds/{world}/lead/deadline",
            GameMaster,
            schedule::set_deadline,
        )
        .call(call("put-deadline", Lead).takes::<schedule::DeadlineSent>()),
        put("/api/v1/worlds/{world}/lead/policy", GameMaster, schedule::set_policy)
            .call(call("put-policy", Lead).takes::<schedule::PolicyBody>()),
        put("/api/v1/worlds/{world}/lead/rhythm", GameMaster, schedule::set_rhythm)
            .call(call("put-rhythm", Lead).takes::<schedule::RhythmSent>()),
        post("/api/v1/worlds/{world}/lead/pauses", GameMaster, schedule::add_pause)
            .call(call("add-pause", Lead).takes::<schedule::PauseBody>()),
        delete("/api/v1/worlds/{world}/lead/pauses", GameMaster, schedule::end_pause)
            .call(call("end-pause", Lead).asks::<schedule::PauseAsked>()),
        put(
            "/api/v1/worlds/{world}/lead/misses/{number}/{realm}",
            GameMaster,
            schedule::excuse,
        )
        .call(call("excuse", Lead).takes::<schedule::ExcuseSent>()),
        post("/api/v1/worlds/{world}/lead/chase", GameMaster, lead::chase)
            .call(call("chase", Lead).gives::<lead::Chased>()),
        post("/api/v1/worlds/{world}/lead/announcements", GameMaster, lead::announce).call(
            call("announce", Lead)
                .takes::<lead::NoticeSent>()
                .makes::<api::player::Made>(),
        ),
        get("/api/v1/worlds/{world}/lead/record", GameMaster, lead::record)
            .call(call("get-record", Lead).gives::<lead::Record>()),
        get("/api/v1/worlds/{world}/lead/invitations", GameMaster, lead::invitations)
            .call(call("list-invitations", Lead).gives::<lead::Invitations>()),
        post("/api/v1/worlds/{world}/lead/invitations", GameMaster, lead::invite).call(
            call("invite", Lead)
                .takes::<lead::InvitationSent>()
                .makes::<lead::InvitationEntry>(),
        ),
        delete(
            "/api/v1/worlds/{world}/lead/invitations/{code}",
            GameMaster,
            lead::revoke,
        )
        .call(call("revoke-invitation", Lead)),
        get(
            "/api/v1/worlds/{world}/lead/addressees",
            GameMaster,
            letters::addressees,
        )
        .call(call("list-master-addressees", Lead).gives::<letters::Addressees>()),
        get("/api/v1/worlds/{world}/lead/letters", GameMaster, letters::list).call(
            call("list-master-letters", Lead)
                .asks::<letters::LettersAsked>()
                .gives::<letters::Letters>(),
        ),
        post("/api/v1/worlds/{world}/lead/letters", GameMaster, letters::write)
            .call(
                call("write-master-letter", Lead)
                    .takes::<letters::LetterSent>()
                    .makes::<letters::LetterState>(),
            )
            .with_body(LETTER_BYTES),
        get(
            "/api/v1/worlds/{world}/lead/letters/{letter}",
            GameMaster,
            letters::read,
        )
        .call(call("get-master-letter", Lead).gives::<letters::LetterWhole>()),
        put(
            "/api/v1/worlds/{world}/lead/letters/{letter}",
            GameMaster,
            letters::rewrite,
        )
        .call(
            call("put-master-letter", Lead)
                .takes::<letters::LetterSent>()
                .gives::<letters::LetterState>(),
        )
        .with_body(LETTER_BYTES),
        delete(
            "/api/v1/worlds/{world}/lead/letters/{letter}",
            GameMaster,
            letters::discard,
        )
        .call(call("delete-master-letter", Lead)),
        post(
            "/api/v1/worlds/{world}/lead/letters/{letter}/act",
            GameMaster,
            letters::act,
        )
        .call(call("act-on-master-letter", Lead).takes::<letters::ActSent>()),
    ];
    all.extend(desk::for_masters());
    all.extend(desk::for_keepers());
    all.extend(paper::for_masters());
    all
}
