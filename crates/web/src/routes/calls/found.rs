//! The calls of games and of worlds that are not made yet.

use super::super::{Guard, LETTER_BYTES, Route, get, post};
use crate::api::{Call, Family, found, player};

/// For every account.
pub(super) fn for_accounts() -> Vec<Route> {
    use Family::Founding;
    use Guard::Account;
    let call = Call::new;
    vec![
        get("/api/v1/games", Account, found::games).call(call("list-games", Founding).gives::<found::Games>()),
        get("/api/v1/games/{game}/house-rules", Account, found::house_rules)
            .call(call("list-house-rules", Founding).gives::<found::HouseRules>()),
        get("/api/v1/games/{game}/sizes", Account, found::sizes).call(
            call("list-sizes", Founding)
                .asks::<found::SizesAsked>()
                .gives::<found::Sizes>(),
        ),
        post("/api/v1/world-previews", Account, found::preview)
            .call(
                call("preview-world", Founding)
                    .reading()
                    .takes::<found::PlanSent>()
                    .gives::<found::WorldPreview>(),
            )
            .with_body(LETTER_BYTES),
        post("/api/v1/world-previews/map.svg", Account, found::preview_map)
            .call(
                call("preview-world-map", Founding)
                    .reading()
                    .takes::<found::PlanSent>()
                    .shows(&["image/svg+xml"]),
            )
            .with_body(LETTER_BYTES),
        post("/api/v1/worlds", Account, found::found)
            .call(
                call("found-world", Founding)
                    .takes::<found::PlanSent>()
                    .makes::<player::WorldMade>(),
            )
            .with_body(LETTER_BYTES),
    ]
}
