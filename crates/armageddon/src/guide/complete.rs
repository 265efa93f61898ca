//! What may stand at the cursor of a script.

use super::forms;
use super::pieces::kind_name;
use crate::kinds::Spell;
use crate::scribe;
use crate::state::Figure;
use crate::view::View;
use kernel::diagnostic::{Name, Span};
use kernel::form::Choice;
use kernel::guide::Completions;

/// Proposals at one place.
const ITEMS_MAX: usize = 60;
/// Characters of a line that are looked at.
const LINE_MAX: usize = 2_000;

/// What may stand at line and column, both from 1.
pub(super) fn complete(view: &View, file: &str, line: u32, column: u32) -> Completions {
    let Some(number) = usize::try_from(line).ok().and_then(|line| line.checked_sub(1)) else {
        return Completions::default();
    };
    if number >= kernel::limits::ORDER_FILE_LINES {
        return Completions::default();
    }
    let text: String = file.lines().nth(number).unwrap_or("").chars().take(LINE_MAX).collect();
    let column = usize::try_from(column).unwrap_or(usize::MAX);
    let before: String = text.chars().take(column.saturating_sub(1)).collect();
    if before.trim_start().starts_with(';') {
        return Completions::default();
    }
    let begun: String = before
        .chars()
        .rev()
        .take_while(|letter| !letter.is_whitespace() && !matches!(letter, ',' | '>'))
        .collect();
    let begun: String = begun.chars().rev().collect();
    let length = begun.chars().count();
    let whole = before.trim_start();
    let mut found = Completions {
        items: items(view, whole, &begun),
        ..Completions::default()
    };
    if let Some((pattern, help, rules)) = forms::shape_of(whole) {
        found.pattern = Name::Borrowed(pattern);
        found.help = Name::Borrowed(help);
        found.rules = rules.iter().map(|rule| Name::Borrowed(rule.as_str())).collect();
    }
    let start = before.chars().count() - length;
    found.replace = Span {
        line,
        column: u32::try_from(start).unwrap_or(0) + 1,
        length: u32::try_from(length).unwrap_or(0),
    };
    let typed = begun.to_lowercase();
    found.items.retain(|item| item.value.to_lowercase().starts_with(&typed));
    found.items.truncate(ITEMS_MAX);
    found
}

/// Everything that might come next: first words of lines, then spells, the player's own figures, enemies, players.
fn items(view: &View, line: &str, begun: &str) -> Vec<Choice> {
    let first = line.split_whitespace().next().unwrap_or_default();
    if line.trim() == begun.trim() {
        let mut list: Vec<Choice> = forms::verbs()
            .into_iter()
            .map(|(word, label)| Choice::worded(word, label))
            .collect();
        let name = view.player().map(|player| scribe::player_name(&view.position, player));
        list.push(Choice::worded(
            format!(
                "RUNDE {} SPIELER {}",
                view.position.clock.round,
                name.unwrap_or_default()
            ),
            "form-begin",
        ));
        return list;
    }
    let upper = first.to_uppercase();
    let words = line.split_whitespace().count();
    if upper == "ZAUBER" && words <= 2 {
        let spells = Spell::of_wizards().iter();
        return spells
            .map(|spell| Choice::worded(spell.script_word(), spell.code()))
            .collect();
    }
    let behind_arrow = line.contains("->");
    let mut list = Vec::new();
    let position = &view.position;
    let mut add = |own: bool| {
        let fitting = position
            .present()
            .filter(|(_, figure)| (Some(figure.possessor) == view.player()) == own);
        list.extend(fitting.map(|(id, figure): (_, &Figure)| {
            Choice {
                value: figure.to_string(),
                label: Name::Owned(format!("kind-{}", kind_name(figure.kind))),
                detail: position
                    .cell_of(id)
                    .map_or_else(String::new, |cell| position.board.name(cell)),
            }
        }));
    };
    add(!behind_arrow);
    if !behind_arrow {
        add(false);
    }
    for other in position.players.keys().filter(|id| Some(**id) != view.player()) {
        list.push(Choice::plain(scribe::player_name(position, *other)));
    }
    list
}
