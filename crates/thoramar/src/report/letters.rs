//! Messages, and the end of the report (THO-REP-16, THO-MSG, THO-SET-02).

use super::{Pen, int};
use crate::codes::{Kind, Terrain};
use crate::notice::{Address, Perceived};
use crate::rule;
use kernel::realm::RealmId;
use kernel::report::Arg;

/// The last blocks of a realm's report.
pub(super) fn write(pen: &mut Pen<'_>, realm: RealmId) {
    let view = pen.view;
    let mut any = false;
    pen.section("messages", &[], &[rule::REP_16, rule::MSG_01], |pen| {
        if view.turn == 0 {
            information(pen, realm);
            any = true;
        }
        for told in &view.told {
            match &told.notice.what {
                Perceived::InformationAsked { .. } => information(pen, realm),
                Perceived::Message { from, name, to, text } => message(pen, *from, name, *to, text),
                Perceived::GameMasterWrote { text, .. } => {
                    pen.section("from-game-master", &[], &[rule::MSG_02], |pen| verbatim(pen, text));
                }
                _ => continue,
            }
            any = true;
        }
    });
    if !any {
        pen.blank();
    }
    pen.section("end", &[], &[rule::REP_16], |pen| pen.line("end", &[]));
}

/// A message as its reader sees it: the sender reads his own private ones again.
pub(super) fn message(pen: &mut Pen<'_>, from: Option<RealmId>, name: &str, to: Address, text: &[String]) {
    let me = pen.view.realm();
    let sender = from.map_or(0, |realm| realm.0);
    let mut args = vec![("from", int(sender)), ("name", Arg::Text(name))];
    let key = match to {
        Address::Realm(reader) => {
            args.push(("to", int(reader.0)));
            if from == me && me != Some(reader) {
                "message-sent"
            } else {
                "message-private"
            }
        }
        Address::GameMaster if from == me => "message-sent-to-game-master",
        Address::GameMaster => "message-to-game-master",
        Address::Everyone => "message-public",
        Address::Rumour if from.is_some() => "message-rumour-of",
        Address::Rumour => "message-rumour",
    };
    pen.section(key, &args, &[rule::MSG_01], |pen| verbatim(pen, text));
}

pub(super) fn verbatim(pen: &mut Pen<'_>, text: &[String]) {
    // Ended by a line end, so that empty lines at the end are lines too.
    let mut words = text.join("\n");
    words.push('\n');
    pen.sink.verbatim(&words);
    pen.blank();
}

/// THO-SET-02, THO-START-03: combat percentages and spared terrains of the people, and figures of the realm's own (GAP-40).
fn information(pen: &mut Pen<'_>, realm: RealmId) {
    let (tables, view) = (pen.tables, pen.view);
    let Some(books) = view.books() else { return };
    let rules = [
        rule::SET_02,
        rule::START_03,
        rule::UNIT_02,
        rule::CULT_01,
        rule::CULT_02,
        rule::CULT_04,
        rule::GAP_32,
        rule::TERR_06,
        rule::GAP_40,
    ];
    let spared: Vec<&str> = Terrain::ALL
        .iter()
        .filter(|terrain| {
            books
                .culture
                .spared
                .iter()
                .any(|family| tables.is_of(**terrain, *family))
        })
        .map(|terrain| terrain.code())
        .collect();
    let spared = spared.join(" ");
    pen.section("information", &[], &rules, |pen| {
        pen.line("information-strengths", &[]);
        for row in Kind::TROOPS.chunks_exact(3) {
            let [one, two, three] = [row[0], row[1], row[2]];
            let args = [
                ("k1", Arg::Text(one.code())),
                ("p1", int(books.culture.percent(one))),
                ("k2", Arg::Text(two.code())),
                ("p2", int(books.culture.percent(two))),
                ("k3", Arg::Text(three.code())),
                ("p3", int(books.culture.percent(three))),
            ];
            pen.line("information-row", &args);
        }
        let codes = if spared.is_empty() {
            Arg::Word("nothing")
        } else {
            Arg::Text(&spared)
        };
        pen.line("information-spared", &[("codes", codes)]);
        for own in tables.own_figures(realm) {
            let kind = ("kind", Arg::Text(own.kind.code()));
            if let Some(points) = own.movement_points {
                pen.line("information-movement", &[kind, ("n", int(points))]);
            }
            if let Some(price) = own.price_per_head {
                pen.line("information-price", &[kind, ("n", int(price))]);
            }
        }
        pen.blank();
    });
}
