//! The report `ERGEBNIS.TXT`, line by line (THO-REP).

use crate::tables::Tables;
use crate::view::View;
use kernel::report::ReportSink;

/// Writes the report of a view.
pub fn report(tables: &Tables, view: &View, sink: &mut dyn ReportSink) {
    let _ = (tables, view, sink);
}
