//! Melee with support (ARM-GAP-03, ARM-GAP-04): good points, the weapon cycle, kings, riders, elephants, and the duel itself.
//!
//! [`duel`] is the only place where two figures strike at each other: attacks, scrimmages, trampling and creatures all end there.

use crate::battle::{Battle, Scene};
use crate::contact;
use crate::deed::{Deed, Fight, Permit, Refusal};
use crate::event::FightHappening;
use crate::kinds::{Class, Family, Fate, Kind, Part, Spell, Weapon};
use crate::legal;
use crate::loss;
use crate::magic::prayers;
use crate::odds::{self, Fighter, Kill, Odds};
use crate::phalanx;
use crate::rule;
use crate::state::{Figure, FigureId, Place};
use kernel::realm::RealmId;
use kernel::rule::RuleId;

/// Whether one figure can reach another hand to hand.
///
/// # Errors
/// What is between them.
pub fn reach(scene: Scene<'_>, attacker: FigureId, target: FigureId) -> Result<(), Refusal> {
    within(scene, attacker, target).map(drop)
}

/// The rules that let one figure reach another: contact, or the wings of a griffin that carry it up to a platform (ARM-GAP-31).
fn within(scene: Scene<'_>, attacker: FigureId, target: FigureId) -> Result<Vec<RuleId>, Refusal> {
    contact::contact(scene, attacker, target).or_else(|refusal| {
        if swoops(scene, attacker, target) {
            return Ok(vec![rule::GAP_31]);
        }
        Err(refusal)
    })
}

/// Whether one figure is a griffin beside the building on whose platform the other stands.
fn swoops(scene: Scene<'_>, griffin: FigureId, target: FigureId) -> bool {
    let position = scene.position;
    let found = |id: FigureId| Some((position.figure(id)?, position.spot_of(id)?));
    let (Some((one, from)), Some((other, at))) = (found(griffin), found(target)) else {
        return false;
    };
    let platform = position
        .board
        .building(at.cell)
        .and_then(|building| building.platform(scene.tables));
    one.kind == Kind::Griffin
        && matches!(other.place, Place::At(_))
        && platform == Some(at.level)
        && position.board.direction(from.cell, at.cell).is_some()
}

/// The good points of a figure in melee against another, attacking or defending itself.
pub fn points(scene: Scene<'_>, figure: FigureId, against: FigureId, attacking: bool) -> i64 {
    tally(scene, figure, against, attacking, &mut Vec::new())
}

/// The same, with the rules that gave points.
fn tally(scene: Scene<'_>, id: FigureId, against: FigureId, attacking: bool, rules: &mut Vec<RuleId>) -> i64 {
    let (Some(figure), Some(other)) = (scene.position.figure(id), scene.position.figure(against)) else {
        return 0;
    };
    if !figure.is_able() {
        // ARM-GAP-32: who is paralysed defends himself with dice only.
        rules.push(rule::GAP_32);
        return 0;
    }
    if attacking && takes_slaves(scene, figure.owner) {
        rules.push(rule::KAL_23_0_2);
    }
    let table = &scene.tables.melee;
    let row = scene.tables.figure(figure.kind);
    let mut sum = match figure.kind {
        Kind::King => by_lives(&table.king_melee_by_lives, figure.lives),
        _ => row.melee,
    };
    let mut add = |points: i64, because: RuleId| {
        if points != 0 {
            sum += points;
            rules.push(because);
        }
    };
    add(if attacking { attack(scene, figure) } else { 0 }, rule::GAP_03);
    if figure.kind == Kind::King {
        let power = i64::from(figure.power) / scene.tables.war.king_power_per_point.max(1);
        add(power, rule::KAL_18_5_1);
    }
    let riding = match contact::mount(scene, id) {
        Some(Kind::LightHorse) => table.riding_light,
        Some(Kind::HeavyHorse) => table.riding_heavy,
        _ => 0,
    };
    add(riding, rule::GAP_20);
    let higher = match (contact::height(scene, id), contact::height(scene, against)) {
        (Some(own), Some(theirs)) => own > theirs,
        _ => false,
    };
    add(if higher { table.higher_level } else { 0 }, rule::GAP_49);
    if let (Kind::Warrior(weapon, _), Kind::Warrior(others, _)) = (figure.kind, other.kind) {
        add(if weapon.beats(others) { table.weapon_cycle } else { 0 }, rule::GAP_04);
    }
    if phalanx::faces(scene, id, against) {
        add(scene.tables.phalanx.front, rule::GAP_19);
    }
    if near_king(scene, id, figure) {
        add(table.king_near, rule::GAP_03);
    }
    add(enchanted(scene, figure, attacking), rule::GAP_32);
    sum
}

/// The points that a figure has for attacking; who takes slaves gives them up (KAL-23.0.2).
pub(crate) fn attack(scene: Scene<'_>, figure: &Figure) -> i64 {
    let points = scene.tables.figure(figure.kind).attack;
    if takes_slaves(scene, figure.owner) {
        return points.min(0);
    }
    points
}

/// Whether a player wants slaves rather than dead.
pub(crate) fn takes_slaves(scene: Scene<'_>, player: RealmId) -> bool {
    let player = scene.position.players.get(&player);
    player.is_some_and(|player| player.takes_slaves)
}

/// A value of a king by the lives he has left.
pub fn by_lives(values: &[i64; 5], lives: u8) -> i64 {
    values.get(usize::from(lives)).or(values.last()).copied().unwrap_or(0)
}

/// ARM-GAP-32: weakened, strengthened, and protected while defending; blessed and frightened (KAL-20.2.4.1, KAL-20.2.4.2).
pub fn enchanted(scene: Scene<'_>, figure: &Figure, attacking: bool) -> i64 {
    match figure.spell.map(|on| on.spell) {
        Some(spell @ (Spell::Weaken | Spell::Strengthen | Spell::Bless | Spell::Fear)) => {
            scene.tables.spell(spell).points
        }
        Some(Spell::Protection) if !attacking => scene.tables.spell(Spell::Protection).points,
        _ => 0,
    }
}

/// Whether a warrior fights on or beside the field of his own king.
fn near_king(scene: Scene<'_>, id: FigureId, figure: &Figure) -> bool {
    if !figure.kind.is_warrior() || figure.kind == Kind::King {
        return false;
    }
    let Some(cell) = scene.position.cell_of(id) else {
        return false;
    };
    scene.position.present().any(|(king, other)| {
        other.kind == Kind::King
            && other.owner == figure.owner
            && scene
                .position
                .cell_of(king)
                .is_some_and(|at| scene.position.board.distance(at, cell) <= 1)
    })
}

/// From which natural sum a figure kills another in melee.
pub fn kill(scene: Scene<'_>, id: FigureId, against: FigureId) -> Kill {
    let Some(figure) = scene.position.figure(id).filter(|figure| figure.is_able()) else {
        return Kill::Never;
    };
    let table = &scene.tables.melee;
    let victim = scene.position.figure(against);
    // A priest's spell changes the roll itself (KAL-20.2.4.1), and so the number that the dice must show.
    let roll = prayers::roll(scene.tables, figure);
    if victim.is_some_and(|victim| victim.kind == Kind::Wizard) {
        return Kill::Exactly(table.mortal_wizard_dies_on - roll);
    }
    match figure.kind.family() {
        Family::Horse | Family::Team | Family::Carried | Family::Shelter | Family::Wagon | Family::Ship => Kill::Never,
        // A mortal wizard has no weapon.
        Family::Wizard => Kill::Never,
        // An elephant kills only with somebody on it.
        Family::Elephant if scene.position.aboard(id).next().is_none() => Kill::Never,
        _ if figure.kind == Kind::King => Kill::From(table.king_kills_from - roll),
        _ => Kill::From(table.kill_from - roll),
    }
}

/// A duel about to be fought.
#[derive(Clone, Debug)]
pub struct Bout {
    /// Who strikes first: the one supported dies if it is lost.
    pub attacker: FigureId,
    /// Who supports him.
    pub support: Option<FigureId>,
    /// Whom they strike.
    pub target: FigureId,
    /// The attacker's good points, with his supporter's, and what lets him kill.
    pub attack: Fighter,
    /// The target's.
    pub defence: Fighter,
    /// The rule that the dice are rolled by.
    pub rule: RuleId,
    /// What becomes of the target if it is beaten.
    pub fate: Fate,
    /// The rules that decide it.
    pub rules: Vec<RuleId>,
}

impl Bout {
    /// An attack, by the figures of the rules. Chapters with figures of their own change them afterwards.
    pub fn new(scene: Scene<'_>, attacker: FigureId, support: Option<FigureId>, target: FigureId) -> Self {
        let mut rules = vec![rule::GAP_04];
        let mut points = tally(scene, attacker, target, true, &mut rules);
        if let Some(support) = support {
            points += tally(scene, support, target, true, &mut rules);
        }
        let defence = tally(scene, target, attacker, false, &mut rules);
        rules.sort_unstable();
        rules.dedup();
        Self {
            attacker,
            support,
            target,
            attack: Fighter {
                points,
                kill: kill(scene, attacker, target),
            },
            defence: Fighter {
                points: defence,
                kill: kill(scene, target, attacker),
            },
            rule: rule::GAP_04,
            fate: Fate::Killed,
            rules,
        }
    }

    /// What is to be expected of it.
    pub fn odds(&self) -> Odds {
        odds::duel(self.attack, self.defence)
    }
}

/// Fights a duel: both roll, one of them may fall. Returns who fell. Whether the figures may fight, and what it costs them, is the chapter's.
pub fn duel(battle: &mut Battle<'_>, bout: &Bout) -> Option<FigureId> {
    let owner = |id: FigureId| {
        battle
            .position
            .figure(id)
            .map_or(RealmId::NOBODY, |figure| figure.owner)
    };
    let (striker, struck) = (owner(bout.attacker), owner(bout.target));
    let (name, target) = (battle.position.name(bout.attacker), battle.position.name(bout.target));
    let (attack, first) = battle.throw_for(
        bout.rule,
        bout.attacker,
        format_args!("{striker} {name} attacks {target}"),
    );
    let (defence, second) = battle.throw_for(
        bout.rule,
        bout.target,
        format_args!("{struck} {target} defends against {name}"),
    );
    if let Some(target) = battle.position.figure_mut(bout.target) {
        target.provoked = target.kind == Kind::Merchant;
    }
    let won = odds::outcome(bout.attack, attack.natural(), bout.defence, defence.natural());
    let dice: Vec<_> = first.into_iter().chain(second).collect();
    let happening = FightHappening::Fought {
        attacker: bout.attacker,
        support: bout.support,
        target: bout.target,
        attack,
        attack_points: bout.attack.points,
        defence,
        defence_points: bout.defence.points,
        won,
    };
    battle.emit(bout.rules.clone(), &dice, happening);
    let fallen = match won? {
        true => bout.target,
        false => bout.attacker,
    };
    let (fate, winner) = match fallen == bout.target {
        true => (bout.fate, striker),
        false => (Fate::Killed, struck),
    };
    match prisoner(battle.scene(winner), winner, fallen, fate) {
        Fate::Enslaved => Some(loss::strike(
            battle,
            fallen,
            Fate::Enslaved,
            &[bout.rule, rule::KAL_23_0_3, rule::KAL_WGAP_12],
        )),
        fate => Some(loss::strike(battle, fallen, fate, &[bout.rule])),
    }
}

/// KAL-23.0.3: who takes slaves kills no man whom his figures beat in a duel.
fn prisoner(scene: Scene<'_>, winner: RealmId, fallen: FigureId, fate: Fate) -> Fate {
    let man = scene
        .position
        .figure(fallen)
        .is_some_and(|figure| figure.kind.is_person());
    match fate {
        Fate::Killed if man && takes_slaves(scene, winner) => Fate::Enslaved,
        fate => fate,
    }
}

/// How strong a figure is, when it comes to who may support whom: a king by his lives.
fn rank(figure: &Figure) -> u8 {
    match figure.kind {
        Kind::Warrior(_, Class::C) | Kind::Mystic => 3,
        Kind::Warrior(_, Class::B) | Kind::Agent => 2,
        Kind::King => figure.lives,
        Kind::Giant | Kind::Dragon => 4,
        Kind::Troll | Kind::Griffin => 3,
        _ => 1,
    }
}

/// Whether a figure attacks in melee at all.
pub fn fights(kind: Kind) -> bool {
    let person = matches!(kind, Kind::Priest | Kind::Agent | Kind::Mystic);
    let creature = matches!(kind, Kind::Giant | Kind::Troll | Kind::Griffin);
    kind.is_warrior() || person || creature
}

/// Whether a figure attacks in melee: a merchant only after having been attacked (KAL-21.0.4).
fn may_fight(figure: &Figure) -> bool {
    fights(figure.kind) || (figure.kind == Kind::Merchant && figure.provoked)
}

/// Whether somebody's figure could attack another in melee now, his act aside: he can fight, is able and in reach.
pub fn threatens(scene: Scene<'_>, attacker: FigureId, target: FigureId) -> bool {
    scene
        .position
        .figure(attacker)
        .is_some_and(|figure| figure.is_present() && may_fight(figure) && figure.is_able())
        && reach(scene, attacker, target).is_ok()
}

/// Whether a figure can be chosen as a target of melee.
///
/// # Errors
/// Why not.
pub fn victim(scene: Scene<'_>, player: RealmId, id: FigureId) -> Result<&Figure, Refusal> {
    let name = || scene.position.name(id);
    let Some(figure) = scene.position.figure(id).filter(|figure| figure.is_present()) else {
        return Err(Refusal::new("no-such-figure", &[rule::R0_2_4, rule::GAP_51][..]).with("figure", name()));
    };
    // Creatures that nobody leads are everybody's enemies.
    let wild = figure.kind.family() == Family::Creature && !figure.owner.is_played();
    if !wild && !scene.position.hostile(player, figure.owner) {
        return Err(Refusal::new("not-an-enemy", &[rule::GAP_43][..]).with("figure", name()));
    }
    if figure.under(Spell::MakeInvisible) || figure.under(Spell::Petrify) {
        return Err(Refusal::new("cannot-be-hit", &[rule::GAP_32][..]).with("figure", name()));
    }
    let hovers = figure.kind == Kind::Wizard && !figure.mortal;
    let beyond = matches!(figure.kind, Kind::SeaSerpent | Kind::Siren | Kind::DarkRider);
    if hovers || beyond || !figure.kind.family().is_living() {
        return Err(Refusal::new("no-melee-target", &[rule::GAP_04][..]).with("figure", name()));
    }
    let ridden = figure.kind.family() == Family::Horse && scene.position.aboard(id).next().is_some();
    if ridden || matches!(figure.place, Place::On(_, Part::Saddle)) {
        return Err(Refusal::new("other-is-target", &[rule::GAP_04][..]).with("figure", name()));
    }
    Ok(figure)
}

/// A figure of the player's that may attack this target now.
fn striker<'a>(scene: Scene<'a>, player: RealmId, id: FigureId, target: FigureId) -> Result<&'a Figure, Refusal> {
    let figure = legal::own_act(scene, player, id)?;
    if !may_fight(figure) {
        return Err(
            Refusal::new("does-not-fight", &[rule::R0_3_3, rule::GAP_04][..]).with("figure", figure.to_string())
        );
    }
    phalanx::may_strike(scene, id, target)?;
    Ok(figure)
}

/// The same for one who supports: where not everybody spends his act, he need not have one.
fn supporter<'a>(scene: Scene<'a>, player: RealmId, id: FigureId, target: FigureId) -> Result<&'a Figure, Refusal> {
    if scene.tables.together.everyone_spends {
        return striker(scene, player, id, target);
    }
    let figure = legal::own(scene, player, id)?;
    if !may_fight(figure) {
        return Err(
            Refusal::new("does-not-fight", &[rule::R0_3_3, rule::GAP_04][..]).with("figure", figure.to_string())
        );
    }
    phalanx::may_strike(scene, id, target)?;
    Ok(figure)
}

/// Whether an attack is legal.
///
/// # Errors
/// The refusal.
pub fn judge(scene: Scene<'_>, player: RealmId, deed: &Fight) -> Result<Permit, Refusal> {
    let Fight::Attack {
        figure,
        support,
        target,
    } = deed
    else {
        return Err(Refusal::new("not-built", &[rule::GAP_04][..]));
    };
    let first = striker(scene, player, *figure, *target)?;
    victim(scene, player, *target)?;
    let mut rules = within(scene, *figure, *target)?;
    if first.kind == Kind::Merchant {
        rules.push(rule::KAL_21_0_4);
    }
    rules.push(rule::R0_3_3);
    if let Some(support) = support {
        let second = supporter(scene, player, *support, *target)?;
        if support == figure {
            return Err(Refusal::new("supports-itself", &[rule::GAP_04][..]).with("figure", second.to_string()));
        }
        rules.extend(within(scene, *support, *target)?);
        let strength = |id: FigureId, figure: &Figure| (rank(figure), points(scene, id, *target, true));
        if strength(*support, second) > strength(*figure, first) {
            return Err(Refusal::new("support-stronger", &[rule::GAP_04][..])
                .with("figure", first.to_string())
                .with("support", second.to_string()));
        }
        rules.extend([rule::R0_3_9, rule::GAP_46]);
    }
    Ok(Permit {
        rules,
        ..Permit::default()
    })
}

/// Carries out what [`judge`] allowed.
pub fn perform(battle: &mut Battle<'_>, player: RealmId, deed: &Fight, permit: &Permit) {
    let Fight::Attack {
        figure,
        support,
        target,
    } = deed
    else {
        return;
    };
    let mut bout = Bout::new(battle.scene(player), *figure, *support, *target);
    bout.rules.extend(permit.rules.iter().copied());
    bout.rules.sort_unstable();
    bout.rules.dedup();
    let second = support.filter(|_| battle.tables.together.everyone_spends);
    for id in [Some(*figure), second].into_iter().flatten() {
        spend_act(battle, id);
    }
    duel(battle, &bout);
}

/// An act is done: the figure has no other in this round, and who was invisible is seen.
pub fn spend_act(battle: &mut Battle<'_>, id: FigureId) {
    if let Some(figure) = battle.position.figure_mut(id) {
        figure.acted = true;
    }
    reveal(battle, id);
}

/// ARM-GAP-32: invisible is a figure only until it attacks. Tells whether it was.
pub fn reveal(battle: &mut Battle<'_>, id: FigureId) -> bool {
    let hidden = |figure: &&mut Figure| figure.under(Spell::MakeInvisible);
    let found = battle.position.figure_mut(id).filter(hidden);
    found.map(|figure| figure.spell = None).is_some()
}

/// Every attack on an enemy beside an own fighter, alone and with each other fighter there as support.
pub fn candidates(scene: Scene<'_>, player: RealmId, list: &mut Vec<Deed>) {
    let position = scene.position;
    let own: Vec<FigureId> = position
        .present()
        .filter(|(_, figure)| {
            let ready = !figure.acted || !scene.tables.together.everyone_spends;
            figure.possessor == player && ready && figure.is_able() && may_fight(figure)
        })
        .map(|(id, _)| id)
        .collect();
    if own.is_empty() {
        return;
    }
    let targets = position.present().filter(|(_, figure)| {
        figure.possessor != player && figure.kind.family().is_living() && !position.allied(player, figure.owner)
    });
    for (target, _) in targets {
        let Some(cell) = position.cell_of(target) else { continue };
        let near: Vec<FigureId> = own
            .iter()
            .copied()
            .filter(|id| {
                position
                    .cell_of(*id)
                    .is_some_and(|at| position.board.distance(at, cell) <= 1)
                    && reach(scene, *id, target).is_ok()
            })
            .collect();
        for figure in &near {
            let attack = |support: Option<FigureId>| {
                Deed::Fight(Fight::Attack {
                    figure: *figure,
                    support,
                    target,
                })
            };
            list.push(attack(None));
            let others = near.iter().filter(|other| *other != figure);
            list.extend(others.map(|support| attack(Some(*support))));
        }
    }
}

/// Whether a warrior shoots rather than fights: he has a knife in melee.
pub const fn is_shooter(kind: Kind) -> bool {
    matches!(kind, Kind::Warrior(Weapon::Bow, _))
}
