//! Putting an order into a file where it belongs.

use crate::grammar::Section;
use kernel::form::WrittenOrder;

/// The file with one order more, at the end of the first part that it belongs to, or of a new one (THO-ORD-02). An army's
/// older line is replaced, since it can have only one order a turn.
pub(super) fn add_order(file: &str, order: &WrittenOrder) -> String {
    let mut lines: Vec<&str> = file.trim_end().lines().collect();
    let wanted = section_of(&order.opening);
    let openings: Vec<(usize, Option<Section>)> = lines
        .iter()
        .enumerate()
        .filter(|(_, line)| line.starts_with('$'))
        .map(|(number, line)| (number, section_of(line)))
        .collect();
    let parts = openings.iter().enumerate().filter_map(|(index, (from, section))| {
        let to = openings.get(index + 1).map_or(lines.len(), |(next, _)| *next);
        (section.is_some() && *section == wanted).then_some((*from, to))
    });
    let parts: Vec<(usize, usize)> = parts.collect();
    if let (Some(Section::Culture), Some((from, to))) = (wanted, parts.first()) {
        // A people has one description.
        lines.splice(from + 1..*to, [order.text.as_str()]);
        return joined(&lines);
    }
    let same_army = |line: &str| wanted == Some(Section::March) && army_of(line) == army_of(&order.text);
    let older = parts
        .iter()
        .flat_map(|(from, to)| from + 1..*to)
        .find(|number| lines.get(*number).is_some_and(|line| same_army(line)));
    // Empty lines at the end of a part stay behind the new order.
    let end = parts.first().map(|(from, to)| {
        let filled = |number: &usize| lines.get(*number).is_some_and(|line| !line.trim().is_empty());
        (*from..*to).rev().find(filled).unwrap_or(*from) + 1
    });
    match (older.and_then(|number| lines.get_mut(number)), end) {
        (Some(line), _) => *line = &order.text,
        (None, Some(end)) => lines.insert(end, &order.text),
        (None, None) => lines.extend([order.opening.as_str(), order.text.as_str()]),
    }
    joined(&lines)
}

fn joined(lines: &[&str]) -> String {
    let mut text = lines.join("\n");
    text.push('\n');
    text
}

fn section_of(line: &str) -> Option<Section> {
    line.strip_prefix('$')?.chars().next().and_then(Section::from_letter)
}

/// Type, class and number at the beginning of an army's line; upper and lower case are equal (THO-ORD-04).
fn army_of(line: &str) -> Option<(String, u32)> {
    let mut words = line.split_whitespace();
    let kind = words.next()?.to_ascii_uppercase();
    Some((kind, words.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(opening: &str, text: &str) -> WrittenOrder {
        WrittenOrder {
            opening: opening.to_owned(),
            text: text.to_owned(),
        }
    }

    #[test]
    fn an_order_goes_to_the_end_of_its_part() {
        let file = "$Bauen\nSTD 1 1 Burg\n\n$Armee\nK.M 1 0 V\n";
        assert_eq!(
            add_order(file, &order("$B", "S 0 0 1")),
            "$Bauen\nSTD 1 1 Burg\nS 0 0 1\n\n$Armee\nK.M 1 0 V\n"
        );
        assert_eq!(
            add_order(file, &order("$R", "K.M 2 500 0 0")),
            "$Bauen\nSTD 1 1 Burg\n\n$Armee\nK.M 1 0 V\n$R\nK.M 2 500 0 0\n"
        );
        assert_eq!(add_order("", &order("$A", "K.M 1 1 V")), "$A\nK.M 1 1 V\n");
    }

    #[test]
    fn an_armys_older_order_is_replaced_wherever_it_stands() {
        let file = "$A\nK.M 1 0 V\n$B\nS 0 0 1\n$a\nk.m 2 111 A+ ; later\n";
        assert_eq!(
            add_order(file, &order("$A", "K.M 2 5 V+")),
            "$A\nK.M 1 0 V\n$B\nS 0 0 1\n$a\nK.M 2 5 V+\n"
        );
        assert_eq!(
            add_order(file, &order("$A", "K.M 3 5 V+")),
            "$A\nK.M 1 0 V\nK.M 3 5 V+\n$B\nS 0 0 1\n$a\nk.m 2 111 A+ ; later\n"
        );
    }
}
