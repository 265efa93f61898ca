//! Everything a viewer knows of one field: what it is, who holds it, what stands on it, where its sides lead.

mod events;
mod site;

use super::place;
use super::{int, kind_word, line, reasoned, section, term};
use crate::codes::{Kind, Terrain};
use crate::culture::Culture;
use crate::economy;
use crate::event::{BEFORE, END};
use crate::geo::Place;
use crate::grammar::command_word;
use crate::imagine;
use crate::movement::{self, Traveller};
use crate::report::{obstacle_word, treaty_word};
use crate::rule;
use crate::state::{Field, SeenArmy, State};
use crate::tables::Tables;
use crate::view::{FieldView, View};
use kernel::hex::Direction;
use kernel::realm::RealmId;
use kernel::report::{Arg, Phrase, ReportSink};

/// What a dossier is written from.
struct Desk<'a> {
    tables: &'a Tables,
    view: &'a View,
    place: Place,
    field: &'a FieldView,
}

/// Writes the dossier of a place, or what is wrong with it.
pub(super) fn write(tables: &Tables, view: &View, text: &str, sink: &mut dyn ReportSink) {
    let place = match place::read(view, text) {
        Ok(place) => place,
        Err(fault) => return sink.diagnostic(&fault),
    };
    let args = [("x", int(place.x)), ("y", int(place.y))];
    section(sink, "dossier", &args, &[rule::MAP_01, rule::MAP_04], |sink| {
        let Some(field) = view.fields.get(&place) else {
            return sink.diagnostic(&place::never_seen(place));
        };
        let desk = Desk {
            tables,
            view,
            place,
            field,
        };
        desk.ground(sink);
        desk.owner(sink);
        desk.seen(sink);
        desk.land(sink);
        site::write(&desk, sink);
        desk.armies(sink);
        desk.sides(sink);
        events::write(&desk, sink);
    });
}

impl Desk<'_> {
    /// The realm that looks; nobody for the game master.
    fn me(&self) -> RealmId {
        self.view.realm().unwrap_or(RealmId::NOBODY)
    }

    fn culture(&self) -> Option<&Culture> {
        self.view.books().map(|books| &books.culture)
    }

    fn owner_id(&self) -> RealmId {
        self.field.glimpse.owner
    }

    /// Terrain, height, what leaving it costs and takes (THO-TERR-01, -02, -05, THO-MOVE-02).
    fn ground(&self, sink: &mut dyn ReportSink) {
        let terrain = self.field.glimpse.terrain;
        let word = terrain_word(terrain);
        let code = ("code", Arg::Text(terrain.code()));
        let name = ("terrain", Arg::Word(&word));
        let Some(height) = self.tables.height(terrain) else {
            return reasoned(
                sink,
                "dossier-closed",
                &[name, code],
                &[rule::TERR_01, rule::MAP_08],
                vec![],
            );
        };
        let rules = [rule::TERR_01, rule::TERR_02];
        reasoned(
            sink,
            "dossier-terrain",
            &[name, code, ("height", int(height))],
            &rules,
            vec![],
        );
        if let Some(cost) = self.tables.move_cost(terrain) {
            reasoned(sink, "dossier-cost", &[("n", int(cost))], &[rule::MOVE_02], vec![]);
        }
        let kind = if self.tables.is_water(terrain) {
            Kind::LightShip
        } else {
            Kind::LightWarrior
        };
        if let Some(span) = movement::terrain_loss(self.tables.of(self.me()), self.culture(), kind, None, terrain) {
            let args = [("min", int(span.min)), ("max", int(span.max))];
            reasoned(
                sink,
                "dossier-losses",
                &args,
                &[rule::TERR_05, rule::TERR_06, rule::GAP_24],
                vec![],
            );
        } else if self.tables.is_loss_terrain(terrain) {
            reasoned(sink, "dossier-spared", &[], &[rule::TERR_06, rule::CULT_01], vec![]);
        }
    }

    fn owner(&self, sink: &mut dyn ReportSink) {
        let owner = self.owner_id();
        if !owner.is_played() {
            return reasoned(sink, "dossier-free", &[], &[rule::SIGHT_01], vec![]);
        }
        let name = self.view.name_of(owner);
        let args = [("id", int(owner.0)), ("name", Arg::Text(name))];
        if Some(owner) == self.view.realm() {
            return reasoned(sink, "dossier-own", &args, &[rule::SIGHT_01], vec![]);
        }
        reasoned(sink, "dossier-owner", &args, &[rule::SIGHT_01], vec![]);
        if self.view.realm().is_some() {
            let treaty = ("treaty", Arg::Word(treaty_word(self.view.treaty_with(owner))));
            reasoned(sink, "dossier-treaty", &[treaty], &[rule::DIP_01], vec![]);
        }
    }

    /// When the field was last seen (THO-SIGHT-01, -04).
    fn seen(&self, sink: &mut dyn ReportSink) {
        let (turn, week) = (self.field.turn, self.field.week);
        let when = match week {
            BEFORE => "when-before",
            END => "when-end",
            _ => "when-week",
        };
        let week_args = [("w", int(week))];
        let phrases = [Phrase {
            key: when,
            args: &week_args,
        }];
        let args = [("turn", int(turn)), ("when", Arg::List(&phrases, ""))];
        let key = if turn == self.view.turn {
            "dossier-seen-now"
        } else {
            "dossier-seen-earlier"
        };
        reasoned(sink, key, &args, &[rule::SIGHT_01, rule::SIGHT_04], vec![]);
    }

    /// Yield, blessing and unrest of an own field (THO-TERR-04, THO-ECON-01, THO-PRIEST-04, GAP-22).
    fn land(&self, sink: &mut dyn ReportSink) {
        let Some(own) = &self.field.own else { return };
        let terrain = self.field.glimpse.terrain;
        let tables = self.tables.of(self.owner_id());
        let land = Field {
            yield_percent: own.yield_percent,
            blessed_turns: own.blessed_turns,
            ..Field::wild(terrain)
        };
        section(sink, "dossier-land", &[], &[rule::TERR_04, rule::ECON_01], |sink| {
            let gold = economy::land_income(tables, &land);
            let key = if land.is_blessed() {
                "earned-blessed-land"
            } else {
                "earned-land"
            };
            let sum = [
                ("fields", 1i64.into()),
                ("terrain", terrain.code().into()),
                ("income", tables.land_income(terrain).into()),
                ("yield", i64::from(own.yield_percent).into()),
                ("gold", gold.into()),
            ];
            let args = [("p", int(own.yield_percent)), ("gs", int(gold))];
            let rules = [rule::TERR_04, rule::ECON_01, rule::TIME_03];
            reasoned(sink, "dossier-yield", &args, &rules, vec![term(key, &sum)]);
            if land.is_blessed() {
                let args = [("n", int(own.blessed_turns))];
                reasoned(
                    sink,
                    "dossier-blessed",
                    &args,
                    &[rule::PRIEST_03, rule::PRIEST_04],
                    vec![],
                );
            }
            if own.unrest > 0 {
                let args = [("n", int(own.unrest)), ("max", int(tables.unrest.threshold))];
                reasoned(sink, "dossier-unrest", &args, &[rule::ECON_06, rule::GAP_22], vec![]);
            }
        });
    }

    /// Own armies that stand here, and those of others as they were last seen.
    fn armies(&self, sink: &mut dyn ReportSink) {
        let here: Vec<_> = self
            .view
            .armies
            .iter()
            .filter(|(_, army)| army.place == self.place)
            .collect();
        // The game master's armies are listed in full already.
        let is_strange = |army: &&SeenArmy| army.realm.is_none() || army.realm != self.view.realm();
        let strange: Vec<_> = self.field.armies.iter().filter(is_strange).collect();
        let strange = if self.view.realm().is_some() {
            strange
        } else {
            Vec::new()
        };
        if here.is_empty() && strange.is_empty() {
            return;
        }
        let rules = [rule::UNIT_01, rule::SIGHT_02, rule::SIGHT_03];
        section(sink, "dossier-armies", &[], &rules, |sink| {
            for (id, army) in here {
                let name = match self.view.realm() {
                    Some(_) => id.name.to_string(),
                    None => id.to_string(),
                };
                let word = kind_word(id.kind());
                let carrier = army.aboard.or(army.group).map(|leader| leader.to_string());
                let carrier_args = [("what", Arg::Text(carrier.as_deref().unwrap_or_default()))];
                let phrase = Phrase {
                    key: if army.aboard.is_some() {
                        "aboard-of"
                    } else {
                        "member-of"
                    },
                    args: &carrier_args,
                };
                let phrases = [phrase];
                let tie = if carrier.is_some() { &phrases[..] } else { &[] };
                let args = [
                    ("army", Arg::Text(&name)),
                    ("kind", Arg::Word(&word)),
                    ("n", int(army.count)),
                    ("command", Arg::Word(command_word(army.command))),
                    ("points", int(army.points)),
                    ("tie", Arg::List(tie, "")),
                ];
                line(sink, "dossier-army", &args);
            }
            for army in strange {
                seen_army(sink, "dossier-stranger", army, &[]);
            }
        });
    }

    /// The six sides: what runs along them, what lies behind, and what a step there costs (THO-MOVE, THO-MAP-05, -10).
    fn sides(&self, sink: &mut dyn ReportSink) {
        let Some(state) = imagine::land(self.tables, self.view) else {
            return;
        };
        let rules = [rule::MAP_05, rule::MAP_10, rule::MOVE_02, rule::MOVE_09, rule::TERR_02];
        section(sink, "dossier-sides", &[], &rules, |sink| {
            for direction in Direction::ALL {
                self.side(sink, &state, direction);
            }
        });
    }

    fn side(&self, sink: &mut dyn ReportSink, state: &State, direction: Direction) {
        let digit = ("d", int(direction.digit()));
        let toward = ("toward", Arg::Word(direction_word(direction)));
        let Some(beside) = self.view.neighbour(self.place, direction) else {
            return reasoned(
                sink,
                "dossier-edge",
                &[digit, toward],
                &[rule::MAP_06, rule::GAP_01],
                vec![],
            );
        };
        let terrain = self.view.fields.get(&beside).map(|field| field.glimpse.terrain);
        let word = terrain_word(terrain.unwrap_or(Terrain::Unexplored));
        let glimpse = &self.field.glimpse;
        let known = [
            (glimpse.roads, "side-road"),
            (glimpse.rivers, "side-river"),
            (glimpse.bridges, "side-bridge"),
            (glimpse.walls, "side-wall"),
        ];
        let there = known
            .iter()
            .filter(|(sides, _)| glimpse.sides_known.has(direction) && sides.has(direction));
        let mut phrases: Vec<Phrase<'_>> = there.map(|(_, key)| Phrase { key, args: &[] }).collect();
        if !glimpse.sides_known.has(direction) {
            phrases.push(Phrase {
                key: "side-unknown",
                args: &[],
            });
        }
        let (x, y) = (("x", int(beside.x)), ("y", int(beside.y)));
        let base = [
            digit,
            toward,
            x,
            y,
            ("terrain", Arg::Word(&word)),
            ("has", Arg::List(&phrases, "")),
        ];
        let kind = if self.tables.is_water(glimpse.terrain) {
            Kind::LightShip
        } else {
            Kind::LightWarrior
        };
        let me = self.me();
        let Ok(from) = self.place.field(&state.grid, state.origin) else {
            return;
        };
        match movement::way(self.tables.of(me), state, Traveller::alone(me, kind), from, direction) {
            Ok(way) => {
                let cost = movement::step_cost(self.tables.of(me), &way);
                let args: Vec<_> = base.into_iter().chain([("n", int(cost))]).collect();
                reasoned(
                    sink,
                    "dossier-side",
                    &args,
                    movement::step_rules(&way, false, false),
                    vec![],
                );
            }
            Err(why) => {
                let args: Vec<_> = base
                    .into_iter()
                    .chain([("why", Arg::Word(obstacle_word(why)))])
                    .collect();
                line(sink, "dossier-side-closed", &args);
            }
        }
    }
}

/// A foreign army as it showed itself.
fn seen_army(sink: &mut dyn ReportSink, key: &str, army: &SeenArmy, more: &[(&str, Arg<'_>)]) {
    let realm = army.realm.map_or_else(|| "?".to_owned(), |realm| realm.to_string());
    let number = army.number.map_or_else(|| "?".to_owned(), |number| number.to_string());
    let word = kind_word(army.kind);
    let own = [
        ("realm", Arg::Text(&realm)),
        ("kind", Arg::Word(&word)),
        ("code", Arg::Text(army.kind.code())),
        ("id", Arg::Text(&number)),
        ("n", int(army.count)),
    ];
    let args: Vec<_> = more.iter().copied().chain(own).collect();
    line(sink, key, &args);
}

/// Key of a terrain's name in the locale.
pub(super) fn terrain_word(terrain: Terrain) -> String {
    match terrain {
        Terrain::Unexplored => "terrain-unexplored".to_owned(),
        _ => format!("terrain-{}", terrain.code()),
    }
}

/// Key of a direction's name in the locale.
pub(super) const fn direction_word(direction: Direction) -> &'static str {
    match direction {
        Direction::NorthEast => "toward-1",
        Direction::East => "toward-2",
        Direction::SouthEast => "toward-3",
        Direction::SouthWest => "toward-4",
        Direction::West => "toward-5",
        Direction::NorthWest => "toward-6",
    }
}
