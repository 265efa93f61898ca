//! The calls of the order sheet and of the planner.

use super::super::{Guard, Route, get, post, put};
use crate::api::{Call, Family, TABLES, sheet};
use crate::pages;

/// For everybody with a realm.
pub(super) fn for_players() -> Vec<Route> {
    use Family::Orders;
    use Guard::Seat;
    let call = Call::new;
    vec![
        get("/api/v1/worlds/{world}/orders/sheet", Seat, sheet::show)
            .call(call("get-sheet", Orders).gives::<sheet::Sheet>()),
        put("/api/v1/worlds/{world}/orders/sheet", Seat, sheet::keep)
            .call(
                call("put-sheet", Orders)
                    .takes::<sheet::SheetSent>()
                    .gives::<sheet::Sheet>(),
            )
            .with_body(pages::orders::BODY_BYTES),
        post("/api/v1/worlds/{world}/orders/sheet/check", Seat, sheet::check)
            .call(
                call("check-sheet", Orders)
                    .reading()
                    .takes::<sheet::SheetSent>()
                    .gives::<sheet::Sheet>(),
            )
            .with_body(pages::orders::BODY_BYTES),
        get("/api/v1/worlds/{world}/orders/sheet/file", Seat, sheet::file).call(
            call("get-sheet-file", Orders)
                .asks::<sheet::SheetAsked>()
                .shows(&TABLES),
        ),
        put("/api/v1/worlds/{world}/orders/sheet/file", Seat, sheet::keep_file)
            .call(call("put-sheet-file", Orders).takes_table().gives::<sheet::Sheet>())
            .with_body(pages::sheet::UPLOAD_BYTES),
        post(
            "/api/v1/worlds/{world}/orders/sheet/file/check",
            Seat,
            sheet::check_file,
        )
        .call(
            call("check-sheet-file", Orders)
                .reading()
                .takes_table()
                .gives::<sheet::Sheet>(),
        )
        .with_body(pages::sheet::UPLOAD_BYTES),
        get("/api/v1/worlds/{world}/planner", Seat, sheet::planner)
            .call(call("get-planner", Orders).gives::<sheet::PlannerAnswer>()),
        put("/api/v1/worlds/{world}/planner", Seat, sheet::assign)
            .call(
                call("put-assignment", Orders)
                    .takes::<sheet::AssignmentSent>()
                    .gives::<sheet::PlannerAnswer>(),
            )
            .with_body(pages::orders::BODY_BYTES),
    ]
}
