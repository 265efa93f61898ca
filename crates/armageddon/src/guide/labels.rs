//! The words of an offer: what the deed is, its group, where it leads and at whom it is aimed.

use super::board::{term, word};
use crate::battle::Scene;
use crate::board::{Spot, direction_code};
use crate::deed::field::Helm;
use crate::deed::magic::Aim;
use crate::deed::{Deed, Field, Fight, Magic};
use crate::event::player_word;
use crate::kinds::{Family, Spell};
use crate::legal;
use crate::state::FigureId;
use crate::water;
use kernel::diagnostic::Value;
use kernel::hex::Direction;
use kernel::report::Term;

/// The words of an offer.
pub(super) struct Label {
    /// For the button.
    pub(super) term: Term,
    /// Key of the word for its kind.
    pub(super) group: &'static str,
    /// Of which sort, in words.
    pub(super) sort: Option<Term>,
    /// Where it leads or is aimed.
    pub(super) place: Option<Spot>,
    /// At whom.
    pub(super) target: Option<FigureId>,
}

impl Label {
    fn new(group: &'static str, key: &'static str, args: Vec<(&'static str, Value)>) -> Self {
        Self {
            term: term(key, args),
            group,
            sort: None,
            place: None,
            target: None,
        }
    }

    fn at(mut self, spot: Spot) -> Self {
        self.place = Some(spot);
        self
    }

    fn aimed(mut self, scene: Scene<'_>, id: FigureId) -> Self {
        self.target = Some(id);
        self.place = scene.position.spot_of(id);
        self
    }
}

/// Values by the names of the wording.
#[derive(Clone, Copy)]
struct Says<'a>(Scene<'a>);

impl Says<'_> {
    fn figure(self, id: FigureId) -> Value {
        Value::Text(self.0.position.name(id))
    }

    fn figures(self, ids: &[FigureId]) -> Value {
        let names: Vec<String> = ids.iter().map(|id| self.0.position.name(*id)).collect();
        Value::Text(names.join(", "))
    }

    fn spot(self, spot: Spot) -> Value {
        Value::Text(self.0.position.board.spot_name(self.0.tables, spot))
    }

    fn side(self, at: Spot, side: Direction) -> Value {
        let name = self.0.position.board.spot_name(self.0.tables, at);
        Value::Text(format!("{name}-{}", direction_code(side)))
    }
}

fn toward(direction: Direction) -> Value {
    Value::Text(direction_code(direction).to_owned())
}

/// The words of a deed.
pub(super) fn label(scene: Scene<'_>, deed: &Deed) -> Label {
    match deed {
        Deed::Field(deed) => field(scene, deed),
        Deed::Fight(deed) => fight(scene, deed),
        Deed::Magic(deed) => magic(scene, deed),
    }
}

fn field(scene: Scene<'_>, deed: &Field) -> Label {
    let say = Says(scene);
    match deed {
        // Whoever has no ship there swims: that is no step to be taken by the way.
        Field::Step { figure, to } | Field::Leave { figure, to } if jumps(scene, *figure, *to) => {
            Label::new("group-mount", "offer-jump", vec![("to", say.spot(*to))]).at(*to)
        }
        Field::Step { to, .. } | Field::LandFromWater { to, .. } => {
            Label::new("group-move", "offer-step", vec![("to", say.spot(*to))]).at(*to)
        }
        Field::March { to, .. } => Label::new("group-move", "offer-march", vec![("to", say.spot(*to))]).at(*to),
        Field::Drive { to, .. } => Label::new("group-move", "offer-drive", vec![("to", say.spot(*to))]).at(*to),
        Field::Haul { bearers, to, device } => {
            let args = vec![
                ("device", say.figure(*device)),
                ("to", say.spot(*to)),
                ("bearers", say.figures(bearers)),
            ];
            Label::new("group-move", "offer-haul", args).at(*to)
        }
        Field::Sail { ship, helm } => match helm {
            Helm::Ahead(course) => {
                let bow = scene.position.cell_of(*ship);
                let ahead = bow.and_then(|bow| scene.position.board.neighbour(bow, *course));
                let spot = Spot::ground(ahead.or(bow).unwrap_or_default());
                Label::new("group-move", "offer-sail", vec![("to", say.spot(spot))]).at(spot)
            }
            Helm::Turn(course) => Label::new("group-face", "offer-face", vec![("toward", toward(*course))]),
        },
        Field::Flee { .. } => Label::new("group-move", "offer-flee", vec![]),
        Field::Face { facing, .. } => Label::new("group-face", "offer-face", vec![("toward", toward(*facing))]),
        Field::Swap { here, there } => {
            let args = vec![("here", say.figures(here)), ("there", say.figures(there))];
            let label = Label::new("group-swap", "offer-swap", args);
            match there.first() {
                Some(first) => label.aimed(scene, *first),
                None => label,
            }
        }
        Field::Board { carrier, part, .. } => {
            let args = vec![("carrier", say.figure(*carrier)), ("part", word(part.code()))];
            Label::new("group-mount", "offer-board", args).aimed(scene, *carrier)
        }
        Field::Leave { to, .. } => Label::new("group-mount", "offer-leave", vec![("to", say.spot(*to))]).at(*to),
        Field::Lead { animal, by: Some(by) } => {
            let args = vec![("animal", say.figure(*animal)), ("by", say.figure(*by))];
            Label::new("group-mount", "offer-lead", args).aimed(scene, *animal)
        }
        Field::Lead { animal, by: None } => {
            Label::new("group-mount", "offer-let-go", vec![("animal", say.figure(*animal))]).aimed(scene, *animal)
        }
        Field::Harness { horse, wagon } => {
            let args = vec![("horse", say.figure(*horse)), ("wagon", say.figure(*wagon))];
            Label::new("group-mount", "offer-harness", args).aimed(scene, *wagon)
        }
        Field::Unharness { wagon } => Label::new("group-mount", "offer-unharness", vec![("wagon", say.figure(*wagon))]),
        Field::Possess { object } => Label::new(
            "group-possession",
            "offer-possess",
            vec![("object", say.figure(*object))],
        )
        .aimed(scene, *object),
        Field::Give { object, to } | Field::Lend { object, to } => {
            let key = match deed {
                Field::Give { .. } => "offer-give",
                _ => "offer-lend",
            };
            let player = Value::Text(player_word(scene.position, *to));
            Label::new(
                "group-possession",
                key,
                vec![("object", say.figure(*object)), ("player", player)],
            )
        }
    }
}

/// Whether a figure that goes there falls into the water: whoever hovers, flies or lives in it does not.
fn jumps(scene: Scene<'_>, figure: FigureId, to: Spot) -> bool {
    let family = scene.position.figure(figure).map(|figure| figure.kind.family());
    let stays_dry = matches!(family, Some(Family::Wizard | Family::Creature | Family::Ship));
    !stays_dry && water::swims(scene.position, to)
}

fn fight(scene: Scene<'_>, deed: &Fight) -> Label {
    let say = Says(scene);
    match deed {
        Fight::Attack {
            support: Some(support),
            target,
            ..
        } => {
            let args = vec![("target", say.figure(*target)), ("support", say.figure(*support))];
            Label::new("group-attack", "offer-attack-with", args).aimed(scene, *target)
        }
        Fight::Attack { target, .. } => {
            Label::new("group-attack", "offer-attack", vec![("target", say.figure(*target))]).aimed(scene, *target)
        }
        Fight::WeightBlow { target, .. } => {
            let spot = Spot::ground(*target);
            Label::new("group-attack", "offer-weight-blow", vec![("to", say.spot(spot))]).at(spot)
        }
        Fight::Shoot { target, .. } => {
            Label::new("group-shoot", "offer-shoot", vec![("target", say.figure(*target))]).aimed(scene, *target)
        }
        Fight::Throw {
            target,
            side: Some(side),
            ..
        } => Label::new(
            "group-throw",
            "offer-throw-side",
            vec![("side", say.side(*target, *side))],
        )
        .at(*target),
        Fight::Throw { target, .. } => {
            Label::new("group-throw", "offer-throw", vec![("to", say.spot(*target))]).at(*target)
        }
        Fight::Pour { target, .. } => {
            let spot = Spot::ground(*target);
            Label::new("group-pitch", "offer-pour", vec![("to", say.spot(spot))]).at(spot)
        }
        Fight::Ram { target, .. } => {
            let args = vec![("side", say.side(target.at, target.side))];
            Label::new("group-ram", "offer-ram", args).at(target.at)
        }
        Fight::RamShip { target, .. } => {
            Label::new("group-ram", "offer-ram-ship", vec![("target", say.figure(*target))]).aimed(scene, *target)
        }
        other => works(scene, other),
    }
}

/// Ladders, ropes, gates, sieges, phalanxes.
fn works(scene: Scene<'_>, deed: &Fight) -> Label {
    let say = Says(scene);
    match deed {
        Fight::SetLadder { ladder, against } => {
            let spot = Spot::ground(*against);
            let args = vec![("device", say.figure(*ladder)), ("to", say.spot(spot))];
            Label::new("group-works", "offer-set-ladder", args).at(spot)
        }
        Fight::ThrowRope { rope, against, .. } => {
            let spot = Spot::ground(*against);
            let args = vec![("device", say.figure(*rope)), ("to", say.spot(spot))];
            Label::new("group-works", "offer-throw-rope", args).at(spot)
        }
        Fight::Topple { ladder, .. } => {
            Label::new("group-works", "offer-topple", vec![("device", say.figure(*ladder))]).aimed(scene, *ladder)
        }
        Fight::TieRopes { rope, .. } => {
            Label::new("group-works", "offer-tie-ropes", vec![("device", say.figure(*rope))]).aimed(scene, *rope)
        }
        Fight::CutRope { rope, .. } => {
            Label::new("group-works", "offer-cut-rope", vec![("device", say.figure(*rope))]).aimed(scene, *rope)
        }
        Fight::Destroy { device, .. } => {
            Label::new("group-works", "offer-destroy", vec![("device", say.figure(*device))]).aimed(scene, *device)
        }
        Fight::Gate { gate, open } => {
            let key = if *open { "offer-open-gate" } else { "offer-close-gate" };
            Label::new("group-works", key, vec![("side", say.side(gate.at, gate.side))]).at(gate.at)
        }
        Fight::Loophole { side, .. } => Label::new("group-works", "offer-loophole", vec![("toward", toward(*side))]),
        Fight::Besiege { castle } => {
            let spot = Spot::ground(*castle);
            let field = Value::Text(scene.position.board.name(*castle));
            Label::new("group-siege", "offer-besiege", vec![("field", field)]).at(spot)
        }
        Fight::FormPhalanx { members, front } => {
            let args = vec![("figures", say.figures(members)), ("toward", toward(*front))];
            Label::new("group-phalanx", "offer-phalanx", args)
        }
        Fight::DissolvePhalanx { .. } => Label::new("group-phalanx", "offer-dissolve", vec![]),
        _ => Label::new("group-works", "offer-search", vec![]),
    }
}

fn magic(scene: Scene<'_>, deed: &Magic) -> Label {
    let say = Says(scene);
    let field = |cell| Value::Text(scene.position.board.name(cell));
    match deed {
        Magic::Cast {
            spell, on, to, along, ..
        } => {
            let aims: Vec<String> = on.iter().map(|aim| aim_name(scene, *aim)).collect();
            let mut args = vec![
                ("spell", word(spell.code())),
                ("on", Value::Text(aims.join(", "))),
                ("units", Value::Int(price(scene, deed))),
            ];
            let key = match (to.first(), along) {
                (Some(_), _) if *spell == Spell::LocalWind => "offer-wind",
                (None, _) => "offer-spell",
                (Some(_), false) => "offer-spell-to",
                (Some(_), true) => "offer-spell-along",
            };
            if let Some(to) = to.first() {
                args.push(("to", say.spot(*to)));
            }
            let aim = on.first().map(|aim| Spot {
                cell: aim.cell,
                level: aim.level.unwrap_or(0),
            });
            let spell = ("spell", word(spell.code()));
            let sort = if to.is_empty() {
                term("sort-spell", vec![spell])
            } else {
                term("sort-spell-from", vec![spell, ("on", Value::Text(aims.join(", ")))])
            };
            let label = Label {
                sort: Some(sort),
                ..Label::new("group-spell", key, args)
            };
            match to.first().copied().or(aim) {
                Some(spot) => label.at(spot),
                None => label,
            }
        }
        Magic::Duel { target, .. } => {
            Label::new("group-spell", "offer-duel", vec![("target", say.figure(*target))]).aimed(scene, *target)
        }
        Magic::Pray { spell, figures, .. } => {
            let args = vec![("spell", word(spell.code())), ("on", say.figures(figures))];
            let label = Label::new("group-spell", "offer-pray", args);
            match figures.first() {
                Some(first) => label.aimed(scene, *first),
                None => label,
            }
        }
        Magic::Feed { .. } => Label::new("group-spell", "offer-feed", vec![]),
        Magic::Plunder { cell } => {
            Label::new("group-trade", "offer-plunder", vec![("field", field(*cell))]).at(Spot::ground(*cell))
        }
        Magic::TakeCentre { cell } => {
            Label::new("group-trade", "offer-take-centre", vec![("field", field(*cell))]).at(Spot::ground(*cell))
        }
        Magic::Raze { cell } => {
            Label::new("group-trade", "offer-raze", vec![("field", field(*cell))]).at(Spot::ground(*cell))
        }
    }
}

/// The spell units of a spell, as its caster would pay them now.
fn price(scene: Scene<'_>, deed: &Magic) -> i64 {
    let Magic::Cast { wizard, .. } = deed else { return 0 };
    let caster = scene.position.figure(*wizard).map(|figure| figure.owner);
    let permit = caster.map(|caster| legal::judge(scene, caster, &Deed::Magic(deed.clone())));
    permit.and_then(Result::ok).map_or(0, |permit| permit.spell_units)
}

/// `17`, or `17.1` for a storey.
fn aim_name(scene: Scene<'_>, aim: Aim) -> String {
    let field = scene.position.board.name(aim.cell);
    match aim.level {
        None => field,
        Some(level) => format!("{field}.{level}"),
    }
}
