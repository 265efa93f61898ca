//! The game master's own report: what happened everywhere, how the realms stand, and the letters to him (THO-MSG-02).

use super::{Pen, events, int, letters};
use crate::notice::Perceived;
use crate::order::WEEKS;
use crate::rule;
use crate::state::Status;
use kernel::report::Arg;
use std::collections::BTreeMap;

/// Writes it.
pub(super) fn write(pen: &mut Pen<'_>) {
    pen.section("master", &[], &[rule::MSG_02], |pen| pen.line("master", &[]));
    pen.blank();
    super::season(pen);
    let tellings = events::by_week(pen.view);
    for week in (1..=WEEKS as u8).filter(|week| !tellings.is_quiet(*week)) {
        pen.blank();
        let digits = format!("{week:02}");
        let args = [("ww", Arg::Text(&digits)), ("w", int(week))];
        pen.section("week", &args, &[rule::REP_04], |pen| {
            events::in_week(pen, week, &tellings)
        });
    }
    events::end_of_turn(pen, &tellings);
    pen.blank();
    realms(pen);
    pen.blank();
    letters_of_all(pen);
    pen.section("end", &[], &[rule::REP_16], |pen| pen.line("end", &[]));
}

/// One line a realm: land, armies, treasury, account, missing turns (THO-ADM-02).
fn realms(pen: &mut Pen<'_>) {
    let view = pen.view;
    let mut land: BTreeMap<_, i64> = BTreeMap::new();
    for (_, field, _) in view.own_fields() {
        *land.entry(field.glimpse.owner).or_default() += 1;
    }
    let mut armies: BTreeMap<_, i64> = BTreeMap::new();
    for id in view.armies.keys() {
        *armies.entry(id.realm).or_default() += 1;
    }
    pen.section("realms", &[], &[rule::ADM_02, rule::GAP_30], |pen| {
        for (id, realm) in &view.realms {
            let Some(books) = &realm.books else { continue };
            let status = match realm.status {
                Status::Playing => "status-playing",
                Status::Eliminated => "status-eliminated",
                Status::Released => "status-released",
            };
            let args = [
                ("id", int(id.0)),
                ("name", Arg::Text(&realm.name)),
                ("player", Arg::Text(&books.player)),
                ("fields", int(land.get(id).copied().unwrap_or(0))),
                ("armies", int(armies.get(id).copied().unwrap_or(0))),
                ("gs", int(books.treasury)),
                ("account", int(books.account.unwrap_or(0))),
                ("missed", int(books.missed_turns)),
                ("status", Arg::Word(status)),
            ];
            pen.line("realm", &args);
        }
    });
}

fn letters_of_all(pen: &mut Pen<'_>) {
    let view = pen.view;
    let mut any = false;
    pen.section("messages", &[], &[rule::MSG_01, rule::MSG_02], |pen| {
        for told in &view.told {
            match &told.notice.what {
                Perceived::Message { from, name, to, text } => letters::message(pen, *from, name, *to, text),
                Perceived::GameMasterWrote { text, .. } => {
                    pen.section("from-game-master", &[], &[rule::MSG_02], |pen| {
                        letters::verbatim(pen, text)
                    });
                }
                _ => continue,
            }
            any = true;
        }
    });
    if !any {
        pen.blank();
    }
}
