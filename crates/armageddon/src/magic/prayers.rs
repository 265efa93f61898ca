//! Priests of KALEVALA at the board: blessing and fear on figures around them (KAL-20.2.4.1, KAL-20.2.4.2), bread and water for a besieged castle
//! (KAL-20.2.4.3), and who wards a spell off for himself (KAL-20.2.3.9, KAL-WGAP-70).
//!
//! A priest pays from spell units of his own, which a battle by itself gives to nobody; his prayer is his act of the round.

use super::counter;
use super::reach;
use crate::battle::{Battle, Scene};
use crate::deed::{Deed, Magic, Permit, Refusal};
use crate::event::MagicHappening;
use crate::kinds::{Kind, Spell};
use crate::legal;
use crate::rule;
use crate::siege;
use crate::state::{Enchantment, Figure, FigureId};
use crate::tables::Tables;
use kernel::realm::RealmId;

/// What a priest's spell adds to every roll of a figure but those for survival.
pub fn roll(tables: &Tables, figure: &Figure) -> i64 {
    match figure.spell.map(|on| on.spell) {
        Some(spell @ (Spell::Bless | Spell::Fear)) => tables.spell(spell).points,
        _ => 0,
    }
}

/// The same for a figure of the board.
pub fn roll_of(scene: Scene<'_>, id: FigureId) -> i64 {
    let figure = scene.position.figure(id);
    figure.map_or(0, |figure| roll(scene.tables, figure))
}

/// Whether a prayer is legal.
///
/// # Errors
/// The refusal.
pub fn judge(scene: Scene<'_>, player: RealmId, deed: &Magic) -> Result<Permit, Refusal> {
    match deed {
        Magic::Pray { priest, spell, figures } => judge_prayer(scene, player, *priest, *spell, figures),
        Magic::Feed { priest } => judge_bread(scene, player, *priest),
        _ => Err(Refusal::new("not-built", &[rule::KAL_20_2_3_6][..])),
    }
}

/// A priest who has not acted.
fn priest_of(scene: Scene<'_>, player: RealmId, priest: FigureId) -> Result<&Figure, Refusal> {
    let figure = legal::own_act(scene, player, priest)?;
    if figure.kind != Kind::Priest {
        return Err(Refusal::new("not-a-priest", &[rule::KAL_20_2_3_6][..]).with("figure", figure.to_string()));
    }
    Ok(figure)
}

fn afford(scene: Scene<'_>, priest: FigureId, cost: i64) -> Result<(), Refusal> {
    let units = scene.secret.and_then(|secret| secret.priests.get(&priest));
    let has = units.copied().unwrap_or(0);
    if cost > has {
        return Err(Refusal::new("too-few-units", &[rule::KAL_WGAP_81][..])
            .with("cost", cost)
            .with("units", has));
    }
    Ok(())
}

fn judge_prayer(
    scene: Scene<'_>,
    player: RealmId,
    priest: FigureId,
    spell: Spell,
    figures: &[FigureId],
) -> Result<Permit, Refusal> {
    priest_of(scene, player, priest)?;
    let position = scene.position;
    let distinct = figures
        .windows(2)
        .all(|pair| matches!(pair, [one, other] if one < other));
    if figures.is_empty() || !distinct || !matches!(spell, Spell::Bless | Spell::Fear) {
        return Err(Refusal::new("nothing-to-enchant", &[rule::KAL_20_2_3_6][..]));
    }
    for id in figures {
        let name = || position.name(*id);
        let Some(figure) = position.figure(*id).filter(|figure| figure.is_present()) else {
            return Err(Refusal::new("no-such-figure", &[rule::R0_2_4][..]).with("figure", name()));
        };
        let near = match (position.cell_of(priest), position.cell_of(*id)) {
            (Some(from), Some(at)) => {
                i64::try_from(position.board.distance(from, at)).unwrap_or(i64::MAX) <= scene.tables.war.priest_reach
            }
            _ => false,
        };
        if !near {
            return Err(Refusal::new("prayer-too-far", &[rule::KAL_20_2_3_6][..]).with("figure", name()));
        }
        if figure.spell.is_some() {
            let field = position.cell_of(*id).map(|cell| position.board.name(cell));
            return Err(
                Refusal::new("already-enchanted", &[rule::R0_4_69, rule::KAL_20_2_3_6][..])
                    .with("figure", name())
                    .with("field", field.unwrap_or_default()),
            );
        }
        if !reach::acts_on(scene, player, spell, figure) {
            return Err(Refusal::new("prayer-without-effect", &[rule::KAL_20_2_3_6][..]).with("figure", name()));
        }
    }
    let cost = reach::cost(scene, spell, figures);
    afford(scene, priest, cost)?;
    let own = match spell {
        Spell::Bless => rule::KAL_20_2_4_1,
        _ => rule::KAL_20_2_4_2,
    };
    Ok(Permit {
        spell_units: cost,
        rules: vec![own, rule::KAL_20_2_3_6, rule::KAL_WGAP_81],
        ..Permit::default()
    })
}

/// KAL-20.2.4.4: inside a castle that is besieged or starves, once a round.
fn judge_bread(scene: Scene<'_>, player: RealmId, priest: FigureId) -> Result<Permit, Refusal> {
    let figure = priest_of(scene, player, priest)?;
    let refuse = |code: &'static str| Refusal::new(code, &[rule::KAL_20_2_4_4][..]).with("figure", figure.to_string());
    let castle = siege::around(scene, priest).ok_or_else(|| refuse("bread-not-inside"))?;
    let Some(siege) = scene.position.sieges.get(&castle.name()) else {
        return Err(refuse("bread-no-siege"));
    };
    if siege.fed_in == scene.position.clock.round {
        return Err(refuse("bread-given"));
    }
    let cost = scene
        .tables
        .war
        .bread_per_field
        .saturating_mul(i64::from(castle.size()));
    afford(scene, priest, cost)?;
    Ok(Permit {
        spell_units: cost,
        rules: vec![rule::KAL_20_2_4_3, rule::KAL_20_2_4_4, rule::KAL_WGAP_31],
        ..Permit::default()
    })
}

/// Carries out what [`judge`] allowed.
pub fn perform(battle: &mut Battle<'_>, player: RealmId, deed: &Magic, permit: &Permit) {
    match deed {
        Magic::Pray { priest, spell, figures } => pray(battle, player, (*priest, *spell), figures, permit),
        Magic::Feed { priest } => feed(battle, player, *priest, permit),
        _ => {}
    }
}

/// The priest has acted, and has paid.
fn spend(battle: &mut Battle<'_>, player: RealmId, priest: FigureId, cost: i64) {
    crate::melee::spend_act(battle, priest);
    counter::pay(battle, player, priest, cost);
}

fn pray(
    battle: &mut Battle<'_>,
    player: RealmId,
    (priest, spell): (FigureId, Spell),
    figures: &[FigureId],
    permit: &Permit,
) {
    let cost = permit.spell_units;
    spend(battle, player, priest, cost);
    let happening = MagicHappening::Prayed {
        priest,
        spell,
        figures: figures.to_vec(),
        cost,
    };
    battle.emit(permit.rules.clone(), &[], happening);
    if counter::prayer_dispelled(battle, player, priest, cost) {
        return;
    }
    let (by, verb) = match spell {
        Spell::Bless => (rule::KAL_20_2_4_1, "blesses"),
        _ => (rule::KAL_20_2_4_2, "frightens"),
    };
    let from = battle.tables.war.prayer_from;
    let name = battle.position.name(priest);
    for id in figures {
        let other = battle.position.name(*id);
        // KAL-20.2.4.10: three equal dice mean nothing here.
        let (throw, dice) = battle.throw(by, player, format_args!("{player} {name} {verb} {other}"));
        let heard = throw.natural() >= from;
        if heard && let Some(figure) = battle.position.figure_mut(*id) {
            figure.spell = Some(Enchantment {
                spell,
                caster: player,
                toward: None,
            });
        }
        let happening = MagicHappening::PrayerHeard {
            priest,
            spell,
            figure: *id,
            throw,
            number: from,
            heard,
        };
        battle.emit(vec![by, rule::KAL_20_2_4_10], &dice, happening);
    }
}

fn feed(battle: &mut Battle<'_>, player: RealmId, priest: FigureId, permit: &Permit) {
    let Some(castle) = siege::around(battle.scene(player), priest) else {
        return;
    };
    spend(battle, player, priest, permit.spell_units);
    let round = battle.position.clock.round;
    if let Some(siege) = battle.position.sieges.get_mut(&castle.name()) {
        siege.fed_in = round;
        // Once hunger has begun it only eases the roll of this round.
        if siege.rounds <= castle.size().saturating_add(siege.fed) {
            siege.fed = siege.fed.saturating_add(1);
        }
    }
    let happening = MagicHappening::Fed {
        priest,
        castle: castle.name(),
        cost: permit.spell_units,
    };
    battle.emit(permit.rules.clone(), &[], happening);
}

/// Those of the figures of a hostile spell who ward it off for themselves: mystics freely, priests as one dispels.
pub fn warded(
    battle: &mut Battle<'_>,
    player: RealmId,
    wizard: FigureId,
    cost: i64,
    figures: &[FigureId],
) -> Vec<FigureId> {
    let mut free = Vec::new();
    for id in figures {
        let Some(figure) = battle.position.figure(*id) else {
            continue;
        };
        let (kind, owner) = (figure.kind, figure.owner);
        if !battle.position.hostile(player, owner) {
            continue;
        }
        let warded = match kind {
            Kind::Mystic => deflects(battle, owner, *id),
            Kind::Priest => counter::dispels_for_himself(battle, player, wizard, (owner, *id), cost),
            _ => false,
        };
        if warded {
            free.push(*id);
        }
    }
    free
}

fn deflects(battle: &mut Battle<'_>, owner: RealmId, mystic: FigureId) -> bool {
    let name = battle.position.name(mystic);
    let number = battle.tables.war.mystic_deflects_from;
    let (throw, dice) = battle.throw(rule::KAL_WGAP_70, owner, format_args!("{owner} {name} deflects"));
    let success = throw.natural() >= number;
    let happening = MagicHappening::Deflected {
        figure: mystic,
        throw,
        number,
        success,
    };
    battle.emit(&[rule::KAL_WGAP_70][..], &dice, happening);
    success
}

/// Every prayer of a priest with spell units for a single figure, and bread.
///
/// Prayers for several at once are legal too, but there are too many of them to offer.
pub fn candidates(scene: Scene<'_>, player: RealmId, list: &mut Vec<Deed>) {
    let Some(secret) = scene.secret else { return };
    let position = scene.position;
    for (priest, units) in &secret.priests {
        let mine = position
            .figure(*priest)
            .is_some_and(|figure| figure.possessor == player);
        if *units <= 0 || !mine {
            continue;
        }
        list.push(Deed::Magic(Magic::Feed { priest: *priest }));
        for (id, _) in position.present() {
            for spell in [Spell::Bless, Spell::Fear] {
                list.push(Deed::Magic(Magic::Pray {
                    priest: *priest,
                    spell,
                    figures: vec![id],
                }));
            }
        }
    }
}
