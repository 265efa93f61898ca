//! The own armies on the desk, each with what the draft tells it to do.
//!
//! Where an army will be comes from the preview of the draft: from the player's own knowledge, as if nobody else moved.

use crate::error::Fault;
use crate::identity::Player;
use crate::kept;
use crate::page::Page;
use crate::pages::map::{Turn, commands};
use crate::state::Web;
use askama::Template;
use kernel::any::AnyGame;
use kernel::diagnostic::Severity;
use kernel::guide::Commanded;
use kernel::map::{Army, Scene, Spot};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Armies on the desk; those behind them are in the report.
const HOSTS: usize = 14;

#[derive(Template)]
#[template(path = "desk-hosts.html")]
struct Hosts<'a> {
    page: &'a Page,
    /// Whether the game says what the draft tells whom.
    ordered: bool,
    rows: Vec<Row>,
    /// Armies in all.
    count: usize,
    /// Armies of these that have no order.
    idle: usize,
}

struct Row {
    army: String,
    heads: String,
    place: String,
    /// Where that is, as `d,y`.
    spot: String,
    orders: Vec<String>,
    fate: Fate,
}

/// What becomes of an army with the draft.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Fate {
    /// Nobody told it anything.
    Idle,
    /// A line for it cannot be carried out.
    Faulty,
    /// A line for it should be looked at.
    Doubtful,
    /// It goes to this field.
    Goes(String),
    /// It stays where it is.
    Stays,
    /// It is no army of its own any more, or the game foresees nothing.
    Told,
}

/// The armies of a realm, with a draft if orders are taken. Nothing for a game on a board, where the pieces say it themselves.
pub(super) async fn listed(
    web: &Web,
    page: &Page,
    player: &Player,
    turn: &Arc<Turn>,
    draft: Option<String>,
) -> Result<Arc<str>, Fault> {
    let game = player.game(web)?;
    if game.has_board() {
        return Ok("".into());
    }
    let base = page.in_world("");
    let parts: [&[u8]; 6] = [
        b"hosts",
        &turn.view,
        page.language().as_bytes(),
        base.as_bytes(),
        &[u8::from(draft.is_some())],
        draft.as_deref().unwrap_or_default().as_bytes(),
    ];
    let (page, turn) = (page.clone(), Arc::clone(turn));
    kept::text(kept::key(&parts), move || {
        let own: Vec<&Army> = turn
            .scene
            .armies
            .iter()
            .filter(|army| commands(&turn.scene, army))
            .collect();
        if own.is_empty() {
            return Ok(String::new());
        }
        let draft = match &draft {
            Some(text) => Draft::read(&*game, &turn.view, text)?,
            None => None,
        };
        let fates: Vec<Fate> = own
            .iter()
            .map(|army| draft.as_ref().map_or(Fate::Told, |draft| draft.fate(&turn.scene, army)))
            .collect();
        let row = |(army, fate): (&&Army, &Fate)| Row {
            army: army.label.clone(),
            heads: army.count.map(|count| page.number(count)).unwrap_or_default(),
            place: turn.label(army.at).unwrap_or_default(),
            spot: format!("{},{}", army.at.d, army.at.y),
            orders: draft.as_ref().map(|draft| draft.lines_of(army)).unwrap_or_default(),
            fate: fate.clone(),
        };
        let list = Hosts {
            page: &page,
            ordered: draft.is_some(),
            rows: own.iter().zip(&fates).take(HOSTS).map(row).collect(),
            count: own.len(),
            idle: fates.iter().filter(|fate| **fate == Fate::Idle).count(),
        };
        Ok(list.render()?)
    })
    .await
}

/// What a draft says of armies.
struct Draft<'a> {
    lines: Vec<&'a str>,
    commanded: Vec<Commanded>,
    /// The worst finding of a line.
    findings: BTreeMap<u32, Severity>,
    /// The map as it would be after the turn.
    after: Option<Scene>,
}

impl<'a> Draft<'a> {
    /// Reads a draft; nothing if the game does not say which army it commands.
    fn read(game: &dyn AnyGame, view: &[u8], text: &'a str) -> Result<Option<Self>, Fault> {
        let Some(commanded) = game.commanded(view, text)? else {
            return Ok(None);
        };
        let mut findings: BTreeMap<u32, Severity> = BTreeMap::new();
        for finding in game.check(view, text.as_bytes())?.diagnostics {
            let worst = findings.entry(finding.span.line).or_insert(finding.severity);
            *worst = (*worst).min(finding.severity);
        }
        let after = match game.preview(view, text.as_bytes())? {
            Some(after) => Some(game.map(&after)?),
            None => None,
        };
        Ok(Some(Self {
            lines: text.lines().collect(),
            commanded,
            findings,
            after,
        }))
    }

    /// The lines about an army, in order: those that command it, and those that nobody can read but that name it.
    fn numbers(&self, army: &Army) -> BTreeSet<u32> {
        let of = self.commanded.iter().filter(|commanded| commanded.army == army.label);
        let understood: BTreeSet<u32> = self.commanded.iter().map(|commanded| commanded.line).collect();
        let faulty = self.findings.iter().filter(|(_, worst)| **worst == Severity::Error);
        let unread = faulty.map(|(line, _)| *line).filter(|line| !understood.contains(line));
        let named = unread.filter(|line| self.line(*line).is_some_and(|line| names(line, &army.label)));
        of.map(|commanded| commanded.line).chain(named).collect()
    }

    fn line(&self, number: u32) -> Option<&'a str> {
        let at = usize::try_from(number).ok()?.checked_sub(1)?;
        self.lines.get(at).copied()
    }

    /// The lines about an army, as the player wrote them.
    fn lines_of(&self, army: &Army) -> Vec<String> {
        let lines = self.numbers(army).into_iter().filter_map(|number| self.line(number));
        lines.map(|line| line.trim().to_owned()).collect()
    }

    fn fate(&self, now: &Scene, army: &Army) -> Fate {
        let lines = self.numbers(army);
        if lines.is_empty() {
            return Fate::Idle;
        }
        match lines.iter().filter_map(|line| self.findings.get(line)).min() {
            Some(Severity::Error) => return Fate::Faulty,
            Some(Severity::Warning) => return Fate::Doubtful,
            _ => {}
        }
        let Some(after) = &self.after else { return Fate::Told };
        let then = after
            .armies
            .iter()
            .find(|then| commands(after, then) && then.label == army.label);
        match then {
            Some(then) if then.at == army.at => Fate::Stays,
            // Fields are drawn from the same middle before and after.
            Some(then) => label(after, then.at)
                .or_else(|| label(now, then.at))
                .map_or(Fate::Told, Fate::Goes),
            None => Fate::Told,
        }
    }
}

fn label(scene: &Scene, at: Spot) -> Option<String> {
    let field = scene.fields.iter().find(|field| field.at == at)?;
    Some(field.label.clone())
}

/// Whether a line names an army: the words of its name stand in it one behind the other.
fn names(line: &str, label: &str) -> bool {
    let words = |text: &str| -> Vec<String> { text.split_whitespace().map(str::to_uppercase).collect() };
    let (line, label) = (words(line), words(label));
    !label.is_empty() && line.windows(label.len()).any(|part| part == label)
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn an_army_is_named_by_whole_words() {
        assert!(names("R.L 1 7 V+", "R.L 1"));
        assert!(names("  r.l  1 7 V+", "R.L 1"));
        assert!(!names("R.L 11 7 V+", "R.L 1"));
        assert!(!names("R.L 2 1 V+", "R.L 1"));
        assert!(!names("", "R.L 1"));
        assert!(!names("R.L 1", ""));
    }
}
