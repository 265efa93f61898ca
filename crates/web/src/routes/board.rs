//! The part of the list that is the board of games played by clicks.

use super::{Guard, Route, get, post};
use crate::pages::board;

/// Its pages.
pub(super) fn pages() -> Vec<Route> {
    use Guard::{GameMaster, Seat};
    vec![
        get("/welt/{world}/brett", Seat, board::show),
        post("/welt/{world}/brett/tat", Seat, board::act),
        post("/welt/{world}/brett/zurueck", Seat, board::undo),
        post("/welt/{world}/brett/senden", Seat, board::send),
        get("/welt/{world}/brett/stand", Seat, board::standing),
        get("/welt/{world}/brett/verlauf", Seat, board::replay::show),
        get("/welt/{world}/brett/verlauf.json", Seat, board::replay::script),
        get("/welt/{world}/brett.svg", Seat, board::picture::svg),
        get("/welt/{world}/brett.png", Seat, board::picture::png),
        get("/welt/{world}/leitung/brett", GameMaster, board::show),
        get("/welt/{world}/leitung/brett/stand", GameMaster, board::standing),
        get("/welt/{world}/leitung/brett/verlauf", GameMaster, board::replay::show),
        get(
            "/welt/{world}/leitung/brett/verlauf.json",
            GameMaster,
            board::replay::script,
        ),
        get("/welt/{world}/leitung/brett.svg", GameMaster, board::picture::svg),
        get("/welt/{world}/leitung/brett.png", GameMaster, board::picture::png),
    ]
}
