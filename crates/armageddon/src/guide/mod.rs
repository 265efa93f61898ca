//! What ARMAGEDDON tells players beside its reports: the board that is played by clicks, and everything around it.

mod board;
mod chances;
mod draft;
mod figures;
mod frames;
mod house;
mod labels;
mod offers;
mod pieces;

use crate::Armageddon;
use crate::state::State;
use crate::tables::Tables;
use crate::view::View;
use draft::Draft;
use kernel::board::{Board, Frame, Offer};
use kernel::form::Values;
use kernel::guide::{Figure, Guide, HouseRule, Size, Start};

impl Guide for Armageddon {
    fn figures(tables: &Tables, view: &View) -> Vec<Figure> {
        figures::figures(tables, view)
    }

    /// The board as it will be when the first die falls, or when the script ends.
    fn preview(tables: &Tables, view: &View, file: &[u8]) -> Option<View> {
        view.player()?;
        let draft = Draft::of(tables, view, &String::from_utf8_lossy(file));
        Some(View {
            position: draft.state.position,
            diagnostics: draft.findings,
            told: Vec::new(),
            ..view.clone()
        })
    }

    fn house_rule_list() -> Vec<HouseRule> {
        house::list()
    }

    fn write_house_rules(values: &Values) -> String {
        house::write(values)
    }

    fn read_house_rules(text: &str) -> Values {
        house::read(text)
    }

    /// The ready battles.
    fn sizes(_realms: usize) -> Vec<Size> {
        house::sizes()
    }

    fn starts(tables: &Tables, state: &State) -> Vec<Start> {
        figures::starts(tables, state)
    }

    fn has_board() -> bool {
        true
    }

    fn board(tables: &Tables, view: &View, draft: &str) -> Option<Board> {
        Some(board::board(tables, view, draft))
    }

    fn offers(tables: &Tables, view: &View, draft: &str, piece: Option<&str>) -> Vec<Offer> {
        offers::offers(tables, view, draft, piece)
    }

    fn frames(tables: &Tables, before: &View, after: &View) -> Vec<Frame> {
        frames::frames(tables, before, after)
    }
}
