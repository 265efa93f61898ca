//! What a battle tells each side: everything about the own armies, strengths and points of the others (catalogue 5.4, section 7).

use super::telling::{creature_word, who_arg};
use crate::battle::points::Percentage;
use crate::battle::{Battle, Fate, Fighter, Party, Side, Unit};
use crate::chart::Place;
use crate::codes::{Creature, Kind};
use crate::event::{Ear, Who};
use crate::report::{Pen, int};
use crate::stage::Cast;
use crate::state::ArmyName;
use kernel::report::{Arg, Phrase, Why};
use serde::{Deserialize, Serialize};

/// A battle as a viewer is told of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct BattleNotice {
    /// Where.
    pub place: Place,
    /// Whether both had the same points.
    pub tie: bool,
    /// Who; the winner first.
    pub sides: Vec<SideNotice>,
}

/// A side of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SideNotice {
    /// Which realm.
    pub who: Who,
    /// Which creatures.
    pub creature: Option<Creature>,
    /// Whether the viewer may know everything about it.
    pub own: bool,
    /// Its points.
    pub points: i64,
    /// Points of its culture, for itself.
    pub culture: i64,
    /// Its armies.
    pub fighters: Vec<FighterNotice>,
}

/// Somebody who fought.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct FighterNotice {
    /// Its name, for its own realm.
    pub name: Option<ArmyName>,
    /// As what it fought.
    pub kind: Kind,
    /// Strength before.
    pub before: i64,
    /// Strength afterwards.
    pub left: i64,
    /// Its percentages, for its own realm.
    pub percentages: Vec<Percentage>,
    /// Its points, for its own realm.
    pub points: i64,
    /// Where it went back to, for its own realm.
    pub retreat: Option<Place>,
}

impl BattleNotice {
    /// What one viewer is told.
    pub fn of(battle: &Battle, ear: &Ear<'_>) -> Self {
        Self {
            place: ear.state.place(battle.field),
            tie: battle.tie,
            sides: battle.parties.iter().map(|party| side(party, ear)).collect(),
        }
    }

    /// Writes its lines: the battle, then each side with its armies.
    pub fn write(&self, pen: &mut Pen<'_>, why: &Why) {
        let place = self.place.to_string();
        let outcome = match (self.tie, self.sides.first().map(|side| side.own)) {
            (true, _) => "battle-tie",
            (false, Some(true)) if self.sides.iter().filter(|side| side.own).count() == 1 => "battle-won",
            (false, _) if self.sides.iter().any(|side| side.own) => "battle-lost",
            (false, _) => "battle-fought",
        };
        pen.reasoned(outcome, &[("field", Arg::Text(&place))], why);
        for side in &self.sides {
            side.write(pen, why);
        }
    }

    /// In a few words.
    pub fn words(&self) -> String {
        let sides: Vec<String> = self
            .sides
            .iter()
            .map(|side| {
                let strength: Vec<String> = side
                    .fighters
                    .iter()
                    .map(|f| format!("{}>{}", f.before, f.left))
                    .collect();
                format!("{} {} ({})", side.label(), side.points, strength.join(" "))
            })
            .collect();
        let verb = if self.tie { " equals " } else { " beats " };
        format!("battle at {}: {}", self.place, sides.join(verb))
    }
}

fn side(party: &Party, ear: &Ear<'_>) -> SideNotice {
    let realm = party.side.realm();
    let own = realm.is_played() && ear.is(realm);
    let creature = party.fighters.iter().find_map(|fighter| match fighter.unit {
        Unit::Band(_, creature) => Some(creature),
        Unit::Army(_) => None,
    });
    SideNotice {
        who: ear.who(realm),
        creature,
        own,
        points: party.points,
        culture: if own { party.culture } else { 0 },
        fighters: party.fighters.iter().map(|fighter| notice(fighter, own, ear)).collect(),
    }
}

fn notice(fighter: &Fighter, own: bool, ear: &Ear<'_>) -> FighterNotice {
    let name = match fighter.unit {
        Unit::Army(id) if own => Some(id.name),
        _ => None,
    };
    let retreat = match fighter.fate {
        Fate::Retreated(to) if own => Some(ear.state.place(to)),
        _ => None,
    };
    FighterNotice {
        name,
        kind: fighter.kind,
        before: fighter.before,
        left: fighter.left,
        percentages: if own { fighter.percentages.clone() } else { Vec::new() },
        points: if own { fighter.points } else { 0 },
        retreat,
    }
}

impl SideNotice {
    fn label(&self) -> String {
        match (self.creature, &self.who) {
            (Some(creature), _) => creature.code().to_owned(),
            (None, Who::Own) => "own".to_owned(),
            (None, who) => who.label(),
        }
    }

    fn write(&self, pen: &mut Pen<'_>, why: &Why) {
        let label = self.who.label();
        let who = match self.creature {
            Some(creature) => Arg::Word(creature_word(creature)),
            None => who_arg(&self.who, &label),
        };
        let key = if self.culture == 0 {
            "battle-side"
        } else {
            "battle-side-culture"
        };
        pen.reasoned(
            key,
            &[
                ("who", who),
                ("points", int(self.points)),
                ("culture", int(self.culture)),
            ],
            why,
        );
        for fighter in &self.fighters {
            fighter.write(pen, why);
        }
    }
}

impl FighterNotice {
    /// Writes its line.
    pub(crate) fn write(&self, pen: &mut Pen<'_>, why: &Why) {
        let name = self
            .name
            .map_or_else(|| self.kind.code().to_owned(), |name| name.to_string());
        let place = self.retreat.map_or_else(String::new, |place| place.to_string());
        let values: Vec<[(&str, Arg<'_>); 2]> = self
            .percentages
            .iter()
            .map(|p| [("pct", int(p.pct)), ("why", Arg::Word(p.why.word()))])
            .collect();
        let phrases = |key| -> Vec<Phrase<'_>> { values.iter().map(|args| Phrase { key, args }).collect() };
        let (reasons, because) = (phrases("advantage"), phrases("advantage-alone"));
        let args = [
            ("army", Arg::Text(&name)),
            ("before", int(self.before)),
            ("left", int(self.left)),
            ("unit", Arg::Text(self.kind.unit())),
            ("points", int(self.points)),
            ("field", Arg::Text(&place)),
            ("reasons", Arg::List(&reasons, "")),
            ("because", Arg::List(&because, ", ")),
        ];
        let key = match (self.name.is_some(), self.left, self.retreat.is_some()) {
            (false, ..) => "battle-foe",
            (true, 0, _) => "battle-army-destroyed",
            (true, _, true) => "battle-army-retreats",
            (true, _, false) => "battle-army",
        };
        pen.reasoned(key, &args, why);
    }
}

/// A battle in a few words, for scenarios: `battle at 5/14: Adler 8 beats horde 5`, then what became of each.
pub fn words(battle: &Battle, cast: &Cast<'_>) -> String {
    let name = |party: &Party| match party.side {
        Side::Realm(realm) => cast.realm(realm),
        Side::Band(_) => party
            .fighters
            .first()
            .map_or_else(String::new, |fighter| match fighter.unit {
                Unit::Band(_, creature) => creature.code().to_owned(),
                Unit::Army(id) => cast.army(id),
            }),
    };
    let [first, second] = &battle.parties;
    let verb = if battle.tie { "equals" } else { "beats" };
    format!(
        "battle at {}: {} {} {verb} {} {}",
        cast.place(battle.field),
        name(first),
        first.points,
        name(second),
        second.points
    )
}
