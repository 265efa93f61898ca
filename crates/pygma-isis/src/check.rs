//! Advice on orders from the realm's own knowledge (ADR 4): not written yet, so the check finds only what reading finds.

use crate::order::Order;
use crate::tables::Tables;
use crate::view::View;
use kernel::diagnostic::{Diagnostic, Parsed};

/// Advice on read orders.
pub fn check(_tables: &Tables, _view: &View, _parsed: &Parsed<Order>) -> Vec<Diagnostic> {
    Vec::new()
}
