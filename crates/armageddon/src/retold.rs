//! The report of a whole battle in one piece: who came, how each fared from round to round, what happened turn by turn with its dice, who
//! fell, and who stands where.

use crate::event::{Event, FieldHappening, Happening, Teller, TurnHappening, player_word, side_names};
use crate::report::{self, Throw, line};
use crate::rule;
use crate::state::{Figure, FigureId, Position};
use crate::tables::Tables;
use crate::view::View;
use kernel::game::Told;
use kernel::realm::RealmId;
use kernel::report::{Arg, ReportSink};

/// Writes what one viewer was told in the steps of a battle, the first of them first.
pub fn retell(tables: &Tables, views: &[View], sink: &mut dyn ReportSink) {
    let (Some(first), Some(last)) = (views.first(), views.last()) else {
        return;
    };
    report::head(&last.position, sink);
    sides(tables, &first.position, sink);
    let rounds = rounds(tables, views);
    if !rounds.is_empty() {
        sink.begin("course", &[], &[rule::GAP_44]);
        course(tables, &rounds, sink);
        outcome(&last.position, sink);
        sink.end();
    }
    for round in &rounds {
        round.tell(sink);
    }
    fallen(&rounds, sink);
    report::muster(tables, &last.position, sink);
}

/// What was told in one round, step by step, each with the position behind it.
struct Round<'a> {
    number: u32,
    steps: Vec<(Teller<'a>, &'a [Told<Event>])>,
}

fn rounds<'a>(tables: &'a Tables, views: &'a [View]) -> Vec<Round<'a>> {
    let mut rounds: Vec<Round<'a>> = Vec::new();
    for view in views {
        let teller = Teller {
            tables,
            position: &view.position,
        };
        for told in view.told.chunk_by(|one, next| one.notice.round == next.notice.round) {
            let Some(number) = told.first().map(|told| told.notice.round) else {
                continue;
            };
            match rounds.last_mut() {
                Some(round) if round.number == number => round.steps.push((teller, told)),
                _ => rounds.push(Round {
                    number,
                    steps: vec![(teller, told)],
                }),
            }
        }
    }
    rounds
}

impl<'a> Round<'a> {
    /// ARM-0.2.9, ARM-GAP-45: the turns of the round in sentences, then its throws as a table.
    fn tell(&self, sink: &mut dyn ReportSink) {
        let number = [("round", Arg::Int(i64::from(self.number)))];
        sink.begin("round", &number, &[rule::GAP_01, rule::R0_2_9, rule::GAP_45]);
        let mut open = false;
        for (teller, told) in &self.steps {
            for turn in told.chunk_by(|_, next| !begins_turn(next)) {
                match turn.split_first() {
                    Some((began, rest)) if begins_turn(began) => {
                        if std::mem::replace(&mut open, true) {
                            sink.end();
                        }
                        let player = teller.player(began.notice.player);
                        sink.begin("turn", &[("player", Arg::Text(&player))], &[rule::GAP_01, rule::R0_2_9]);
                        report::tell(*teller, rest, sink);
                    }
                    _ => report::tell(*teller, turn, sink),
                }
            }
        }
        if open {
            sink.end();
        }
        self.throws(sink);
        sink.end();
    }

    fn throws(&self, sink: &mut dyn ReportSink) {
        let told = self.told();
        let mut throws = told.filter_map(|(teller, told)| Throw::of(teller, told)).peekable();
        if throws.peek().is_none() {
            return;
        }
        sink.begin("rolls", &[], &[rule::GAP_45, rule::R0_2_2]);
        throws.for_each(|throw| throw.write(sink));
        sink.end();
    }

    fn told(&self) -> impl Iterator<Item = (Teller<'a>, &'a Told<Event>)> + '_ {
        let steps = self.steps.iter();
        steps.flat_map(|(teller, told)| told.iter().map(move |told| (*teller, told)))
    }

    /// The figures that left the board in the round, each with the position behind the step.
    fn left(&self) -> impl Iterator<Item = (Teller<'a>, FigureId, &'static str)> + '_ {
        self.told().filter_map(|(teller, told)| match &told.notice.happening {
            Happening::Field(FieldHappening::Left { figure, fate }) => Some((teller, *figure, fate.code())),
            _ => None,
        })
    }
}

fn begins_turn(told: &Told<Event>) -> bool {
    matches!(told.notice.happening, Happening::Turn(TurnHappening::TurnBegan))
}

fn whole(number: usize) -> Arg<'static> {
    Arg::Int(i64::try_from(number).unwrap_or(i64::MAX))
}

/// ARM-GAP-44: who came to the battle, and with what.
fn sides(tables: &Tables, position: &Position, sink: &mut dyn ReportSink) {
    sink.begin("sides", &[], &[rule::GAP_43, rule::GAP_44]);
    for player in &position.order {
        let name = player_word(position, *player);
        let side = position.players.get(player).map_or(0, |player| player.side);
        let figures = position.present().filter(|(_, figure)| figure.owner == *player).count();
        let args = [
            ("player", Arg::Text(&name)),
            ("side", Arg::Int(i64::from(side))),
            ("warriors", whole(warriors(position, *player))),
            ("figures", whole(figures)),
            ("worth", Arg::Int(report::worth(tables, position, *player))),
        ];
        line(sink, "side-row", &args, None);
    }
    sink.end();
}

fn warriors(position: &Position, player: RealmId) -> usize {
    let own = position.present().filter(|(_, figure)| figure.owner == player);
    own.filter(|(_, figure)| figure.kind.is_warrior()).count()
}

/// How each player stood when a round ended, and what he lost in it.
fn course(tables: &Tables, rounds: &[Round<'_>], sink: &mut dyn ReportSink) {
    for (round, next) in rounds.iter().zip(rounds.iter().skip(1).map(Some).chain([None])) {
        let Some((teller, _)) = round.steps.last() else {
            continue;
        };
        let position = teller.position;
        // The step that ends a round begins the next one: who left in that was there when the round ended.
        let next = next.into_iter().flat_map(|round| round.left());
        let later: Vec<&Figure> = next
            .filter(|(teller, ..)| std::ptr::eq(teller.position, position))
            .filter_map(|(_, id, _)| position.figure(id))
            .collect();
        for player in &position.order {
            let name = player_word(position, *player);
            let owned = |id: FigureId| position.figure(id).is_some_and(|figure| figure.owner == *player);
            let fallen = round.left().filter(|(_, figure, _)| owned(*figure)).count();
            let later = || later.iter().filter(|figure| figure.owner == *player);
            let worth: i64 = later().map(|figure| tables.figure(figure.kind).price).sum();
            let standing = later().filter(|figure| figure.kind.is_warrior()).count();
            let args = [
                ("round", Arg::Int(i64::from(round.number))),
                ("player", Arg::Text(&name)),
                ("warriors", whole(warriors(position, *player) + standing)),
                ("fallen", whole(fallen)),
                ("worth", Arg::Int(report::worth(tables, position, *player) + worth)),
                ("centres", Arg::Int(report::centres(tables, position, *player))),
            ];
            line(sink, "course-row", &args, None);
        }
    }
}

/// How the battle ended, if it did.
fn outcome(position: &Position, sink: &mut dyn ReportSink) {
    match &position.outcome {
        Some(victory) if victory.suspended => line(sink, "battle-suspended", &[], None),
        Some(victory) => match victory.side {
            Some(side) => {
                let names = side_names(position, side);
                line(sink, "battle-won", &[("side", Arg::Text(&names))], None);
            }
            None => line(sink, "battle-drawn", &[], None),
        },
        None => {}
    }
}

/// Who left the board, when and how.
fn fallen(rounds: &[Round<'_>], sink: &mut dyn ReportSink) {
    let all = || {
        let rounds = rounds.iter();
        rounds.flat_map(|round| round.left().map(|left| (round.number, left)))
    };
    if all().next().is_none() {
        return;
    }
    sink.begin("fallen", &[], &[rule::R0_2_4, rule::GAP_44]);
    for (round, (teller, id, fate)) in all() {
        let owner = teller
            .position
            .figure(id)
            .map_or(RealmId::NOBODY, |figure| figure.owner);
        let (figure, player) = (teller.figure(id), teller.player(owner));
        let args = [
            ("round", Arg::Int(i64::from(round))),
            ("figure", Arg::Text(&figure)),
            ("player", Arg::Text(&player)),
            ("fate", Arg::Word(fate)),
        ];
        line(sink, "fallen-row", &args, None);
    }
    sink.end();
}
