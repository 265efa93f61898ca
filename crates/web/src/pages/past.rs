//! All turns at once: search, comparison of two turns, figures over time, and the player's own check of the dice.

use crate::Answer;
use crate::error::Fault;
use crate::identity::Player;
use crate::page::Page;
use crate::pages::report::{Reader, Turns, aside};
use crate::state::Web;
use askama::Template;
use axum::extract::{Query, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::IntoResponse;
use host::verify::{DiceCheck, Evidence};
use kernel::guide::Figure;
use kernel::realm::RealmId;
use render::chart::{Chart, Series};
use render::locale::Wording;
use render::outline::{Change, LineKind, Numbers, changes};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// Turns that a search or a chart looks at.
pub const TURNS_MAX: u32 = 200;
/// Lines that a search shows.
const HITS_MAX: usize = 200;
/// Characters of a search.
const QUERY_MAX: usize = 100;

/// What is searched for.
#[derive(Debug, Default, Deserialize)]
pub struct Sought {
    #[serde(default)]
    q: String,
}

/// A line in which it stands.
pub struct Hit {
    /// The headings above the line.
    pub place: String,
    /// The stretch of time that it tells of.
    pub time: Option<i64>,
    /// What stands before it.
    pub before: String,
    /// What was found, as it is written there.
    pub found: String,
    /// What stands behind it.
    pub after: String,
}

/// The lines of one turn.
pub struct Hits {
    /// The turn.
    pub step: u32,
    /// The lines.
    pub hits: Vec<Hit>,
}

/// What a search found.
pub struct Found {
    /// What was searched for, as far as it was looked at.
    pub query: String,
    /// The turns, the last first.
    pub turns: Vec<Hits>,
    /// Lines in all.
    pub count: usize,
}

impl Found {
    /// Whether there may be more than was found.
    pub fn more(&self) -> bool {
        self.count >= HITS_MAX
    }
}

#[derive(Template)]
#[template(path = "report-search.html")]
struct Search<'a> {
    page: &'a Page,
    last: u32,
    query: &'a str,
    turns: &'a [Hits],
    count: usize,
    more: bool,
}

/// `GET /welt/{world}/bericht/suche`
pub async fn search(State(web): State<Web>, page: Page, player: Player, Query(sought): Query<Sought>) -> Answer {
    let found = look_for(&web, &page, &player, &sought.q).await?;
    page.show(&Search {
        page: &page,
        last: player.world.open_step.saturating_sub(1),
        query: &found.query,
        turns: &found.turns,
        count: found.count,
        more: found.more(),
    })
}

/// Searches all reports of a player, the last first.
pub async fn look_for(web: &Web, page: &Page, player: &Player, sought: &str) -> Result<Found, Fault> {
    let query: String = sought.trim().chars().take(QUERY_MAX).collect();
    let reader = Reader::new(player.game(web)?, page);
    let last = player.world.open_step.saturating_sub(1);
    let (mut turns, mut count) = (Vec::new(), 0);
    if !query.is_empty() {
        for step in (last.saturating_sub(TURNS_MAX - 1)..=last).rev() {
            if count >= HITS_MAX {
                break;
            }
            let Some(view) = view_of(web, player, step).await? else {
                continue;
            };
            let (reader, sought) = (reader.clone(), as_files_write(&query));
            let room = HITS_MAX - count;
            let hits = aside(move || find(&reader, &view, &sought, room)).await?;
            count += hits.len();
            if !hits.is_empty() {
                turns.push(Hits { step, hits });
            }
        }
    }
    Ok(Found { query, turns, count })
}

/// A realm's view after a step; nothing for a step in which the realm had none.
pub async fn view_of(web: &Web, player: &Player, step: u32) -> Result<Option<Vec<u8>>, Fault> {
    match web.host.view(&player.world, player.viewer(), Some(step)).await {
        Ok((_, view)) => Ok(Some(view)),
        Err(host::HostError::UnknownStep { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The lines of a report in which it stands. What stands in a list of one stretch of time as in that of an earlier one is shown
/// where it stands first: an army that waits is not thirteen finds.
fn find(reader: &Reader, view: &[u8], query: &str, room: usize) -> Result<Vec<Hit>, Fault> {
    let mut hits = Vec::new();
    let mut listed: BTreeSet<(String, String)> = BTreeSet::new();
    let mut headings: Vec<(usize, String)> = Vec::new();
    for passage in reader.passages(view, Numbers::Plain)? {
        if !passage.title.is_empty() {
            headings.retain(|(depth, _)| *depth < passage.depth);
            headings.push((passage.depth, passage.title.clone()));
        }
        let kinds = passage.kinds.iter().map(Some).chain(std::iter::repeat(None));
        for (line, kind) in passage.lines.iter().zip(kinds) {
            let Some((start, end)) = place_of(line, query) else {
                continue;
            };
            let is_row = passage.time.is_some() && matches!(kind, Some(LineKind::Row(_)));
            if is_row && !listed.insert((passage.key.clone(), line.clone())) {
                continue;
            }
            if hits.len() >= room {
                return Ok(hits);
            }
            let part = |range: std::ops::Range<usize>| line.get(range).unwrap_or_default().to_owned();
            let place: Vec<&str> = headings.iter().map(|(_, title)| title.as_str()).collect();
            hits.push(Hit {
                place: place.join(", "),
                time: passage.time,
                before: part(0..start),
                found: part(start..end),
                after: part(end..line.len()),
            });
        }
    }
    Ok(hits)
}

/// Numbers as files have them: what stands on a page as `1.100`, or in English as `1,100`, is `1100` there.
fn as_files_write(query: &str) -> String {
    let letters: Vec<char> = query.chars().collect();
    let digit = |at: Option<usize>| at.and_then(|at| letters.get(at)).is_some_and(char::is_ascii_digit);
    let parts_digits = |at: usize| {
        let after = (1..=3).all(|ahead| digit(Some(at + ahead))) && !digit(Some(at + 4));
        matches!(letters.get(at), Some('.' | ',')) && digit(at.checked_sub(1)) && after
    };
    let kept = letters.iter().enumerate().filter(|(at, _)| !parts_digits(*at));
    kept.map(|(_, letter)| if *letter == '\u{2212}' { '-' } else { *letter })
        .collect()
}

/// Where a text stands in a line, in bytes, whatever the case of its letters.
fn place_of(line: &str, query: &str) -> Option<(usize, usize)> {
    let wanted: Vec<char> = query.chars().flat_map(char::to_lowercase).collect();
    for (start, _) in line.char_indices() {
        let rest = line.get(start..)?;
        let mut wanted = wanted.iter().peekable();
        for (at, letter) in rest.char_indices() {
            let mut fits = true;
            for lower in letter.to_lowercase() {
                fits &= wanted.next() == Some(&lower);
            }
            if !fits {
                break;
            }
            if wanted.peek().is_none() {
                return Some((start, start + at + letter.len_utf8()));
            }
        }
    }
    None
}

/// Two turns.
#[derive(Debug, Default, Deserialize)]
pub struct Two {
    zug: Option<u32>,
    gegen: Option<u32>,
}

/// A figure of two turns.
pub struct Difference {
    /// What is counted.
    pub name: String,
    /// How much before.
    pub before: String,
    /// How much after.
    pub after: String,
    /// The difference with its sign.
    pub change: String,
    /// `same`, `more` or `less`.
    pub class: &'static str,
}

/// Figures that belong together.
pub struct DifferenceGroup {
    /// What they are about.
    pub name: String,
    /// The figures.
    pub rows: Vec<Difference>,
}

#[derive(Template)]
#[template(path = "report-compare.html")]
struct Compare<'a> {
    page: &'a Page,
    turn: Turns,
    against: u32,
    figures: Vec<DifferenceGroup>,
    changes: Vec<Change>,
}

/// `GET /welt/{world}/bericht/vergleich`
pub async fn compare(State(web): State<Web>, page: Page, player: Player, Query(two): Query<Two>) -> Answer {
    let reader = Reader::new(player.game(&web)?, &page);
    let compared = compare_turns(&web, &reader, &player, two.zug, two.gegen).await?;
    let figures = pair(player.realm(), &compared.before, &compared.after);
    page.show(&Compare {
        turn: Turns {
            step: compared.step,
            last: player.world.open_step.saturating_sub(1),
        },
        against: compared.against,
        figures: differences(&page, &reader, figures),
        changes: compared.changes,
        page: &page,
    })
}

/// Two turns beside each other.
pub struct Compared {
    /// The turn.
    pub step: u32,
    /// The other turn, mostly an older one.
    pub against: u32,
    /// The figures of the other turn.
    pub before: Vec<Figure>,
    /// The figures of the turn.
    pub after: Vec<Figure>,
    /// How the standing parts of the reports differ.
    pub changes: Vec<Change>,
}

/// Puts two turns of a player beside each other: without a turn the last one, without another the one before it.
pub async fn compare_turns(
    web: &Web,
    reader: &Reader,
    player: &Player,
    turn: Option<u32>,
    against: Option<u32>,
) -> Result<Compared, Fault> {
    let (step, after) = web.host.view(&player.world, player.viewer(), turn).await?;
    let against = against.unwrap_or(step.saturating_sub(1));
    let (_, before) = web.host.view(&player.world, player.viewer(), Some(against)).await?;
    let reader = reader.clone();
    aside(move || {
        Ok(Compared {
            step,
            against,
            changes: changes_between(&reader, &before, &after)?,
            before: reader.game.figures(&before)?,
            after: reader.game.figures(&after)?,
        })
    })
    .await
}

/// How the standing parts of a report differ between two states of knowledge.
pub fn changes_between(reader: &Reader, before: &[u8], after: &[u8]) -> Result<Vec<Change>, Fault> {
    Ok(changes(
        &reader.passages(before, Numbers::Grouped)?,
        &reader.passages(after, Numbers::Grouped)?,
    ))
}

/// A figure before and after.
pub struct Pair {
    /// What it is about, as key of a word.
    pub group: String,
    /// What is counted, as key of a word.
    pub key: String,
    /// How much before.
    pub before: i64,
    /// How much after.
    pub after: i64,
}

/// The figures of a realm in two turns, in the order in which the game names them; those that are the same in both stay, as
/// they answer a question too.
pub fn pair(own: RealmId, before: &[Figure], after: &[Figure]) -> Vec<Pair> {
    let mut pairs: Vec<Pair> = Vec::new();
    let value = |figures: &[Figure], of: &Figure| {
        let same = |figure: &&Figure| figure.realm == own && figure.group == of.group && figure.key == of.key;
        figures.iter().find(same).map_or(0, |figure| figure.value)
    };
    for figure in after.iter().chain(before).filter(|figure| figure.realm == own) {
        let known = |of: &Pair| of.group == *figure.group && of.key == *figure.key;
        if !pairs.iter().any(known) {
            pairs.push(Pair {
                group: figure.group.to_string(),
                key: figure.key.to_string(),
                before: value(before, figure),
                after: value(after, figure),
            });
        }
    }
    pairs
}

/// The figures of two turns side by side, in words.
pub fn differences(page: &Page, reader: &Reader, pairs: Vec<Pair>) -> Vec<DifferenceGroup> {
    let row = |pair: &Pair| {
        let change = pair.after.saturating_sub(pair.before);
        Difference {
            name: reader.wording.words_of(&pair.key),
            before: page.number(pair.before),
            after: page.number(pair.after),
            change: match change {
                0 => "0".to_owned(),
                1.. => format!("+{}", page.number(change)),
                _ => page.number(change),
            },
            class: match change {
                0 => "same",
                1.. => "more",
                _ => "less",
            },
        }
    };
    let mut groups: Vec<(String, DifferenceGroup)> = Vec::new();
    for pair in &pairs {
        match groups.iter_mut().find(|(group, _)| *group == pair.group) {
            Some((_, group)) => group.rows.push(row(pair)),
            None => groups.push((
                pair.group.clone(),
                DifferenceGroup {
                    name: reader.wording.words_of(&pair.group),
                    rows: vec![row(pair)],
                },
            )),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

struct ChartGroup {
    name: String,
    svg: String,
    /// The same for a phone.
    narrow: String,
    keys: Vec<String>,
    rows: Vec<(u32, Vec<String>)>,
}

#[derive(Template)]
#[template(path = "report-charts.html")]
struct Charts<'a> {
    page: &'a Page,
    last: u32,
    groups: Vec<ChartGroup>,
}

/// A figure from turn to turn.
pub struct Course {
    /// What is shown together, as key of a word.
    pub group: String,
    /// What is counted, as key of a word.
    pub key: String,
    values: BTreeMap<u32, i64>,
}

impl Course {
    /// The value after a turn; a figure that is missing counts 0.
    pub fn at(&self, step: u32) -> i64 {
        self.values.get(&step).copied().unwrap_or(0)
    }
}

/// The figures of a player's realm over the last turns, in the order in which the game names them first, and the turns they
/// tell of.
pub async fn courses(web: &Web, player: &Player, turns: u32) -> Result<(Vec<u32>, Vec<Course>), Fault> {
    let last = player.world.open_step.saturating_sub(1);
    let (game, own) = (player.game(web)?, player.realm());
    let mut courses: Vec<Course> = Vec::new();
    let mut steps = Vec::new();
    for step in last.saturating_sub(turns.saturating_sub(1))..=last {
        let Some(view) = view_of(web, player, step).await? else {
            continue;
        };
        steps.push(step);
        let game = game.clone();
        for figure in aside(move || Ok(game.figures(&view)?)).await? {
            if figure.realm != own {
                continue;
            }
            let same = |of: &&mut Course| of.group == *figure.group && of.key == *figure.key;
            match courses.iter_mut().find(same) {
                Some(course) => {
                    course.values.insert(step, figure.value);
                }
                None => courses.push(Course {
                    group: figure.group.to_string(),
                    key: figure.key.to_string(),
                    values: BTreeMap::from([(step, figure.value)]),
                }),
            }
        }
    }
    Ok((steps, courses))
}

/// Figures that are shown together, in the order of the first of each group.
pub fn in_groups(courses: &[Course]) -> Vec<(&str, Vec<&Course>)> {
    let mut order: Vec<(&str, Vec<&Course>)> = Vec::new();
    for course in courses {
        match order.iter_mut().find(|(group, _)| *group == course.group) {
            Some((_, courses)) => courses.push(course),
            None => order.push((&course.group, vec![course])),
        }
    }
    order
}

/// The chart of a group.
pub fn chart(page: &Page, reader: &Reader, steps: &[u32], group: &str, courses: &[&Course]) -> Chart {
    let series = courses.iter().map(|course| Series {
        name: reader.wording.words_of(&course.key),
        points: steps.iter().map(|step| (i64::from(*step), course.at(*step))).collect(),
    });
    Chart {
        title: reader.wording.words_of(group),
        series: series.collect(),
        language: page.words.language(),
    }
}

/// `GET /welt/{world}/bericht/verlauf`
pub async fn charts(State(web): State<Web>, page: Page, player: Player) -> Answer {
    let reader = Reader::new(player.game(&web)?, &page);
    let last = player.world.open_step.saturating_sub(1);
    let (steps, courses) = courses(&web, &player, TURNS_MAX).await?;
    let groups = in_groups(&courses).into_iter().map(|(group, courses)| {
        let chart = chart(&page, &reader, &steps, group, &courses);
        let row = |step: &u32| {
            let cells = courses.iter().map(|course| page.number(course.at(*step)));
            (*step, cells.collect())
        };
        ChartGroup {
            svg: chart.svg(),
            narrow: chart.narrow_svg(),
            keys: courses
                .iter()
                .map(|course| reader.wording.words_of(&course.key))
                .collect(),
            rows: steps.iter().rev().map(row).collect(),
            name: chart.title,
        }
    });
    let groups = groups.collect();
    page.show(&Charts {
        page: &page,
        last,
        groups,
    })
}

/// What a player checks.
#[derive(Debug, Default, Deserialize)]
pub struct Doubt {
    zug: Option<u32>,
    #[serde(default)]
    siegel: String,
    #[serde(default)]
    form: String,
}

#[derive(Template)]
#[template(path = "report-dice.html")]
struct Dice<'a> {
    page: &'a Page,
    turn: Turns,
    wording: &'static Wording,
    evidence: Option<Evidence>,
    check: Option<DiceCheck>,
    own_seal: String,
    bad_seal: bool,
    next_seal: Option<String>,
    file: String,
}

/// `GET /welt/{world}/bericht/wuerfel`
pub async fn dice(State(web): State<Web>, page: Page, player: Player, Query(doubt): Query<Doubt>) -> Answer {
    let last = player.world.open_step.saturating_sub(1);
    let step = doubt.zug.unwrap_or(last);
    if step > last {
        return Err(Fault::Missing);
    }
    // Before the first turn no dice were thrown for anybody.
    let evidence = match step {
        0 => None,
        _ => Some(web.host.evidence(&player.world, player.realm(), step).await?),
    };
    if doubt.form == "json" {
        let evidence = evidence.ok_or(Fault::Missing)?;
        let body = serde_json::to_vec_pretty(&evidence).map_err(|error| Fault::Broken(error.to_string()))?;
        let name = format!("attachment; filename=\"DICE-{step}.json\"");
        let head = [
            (CONTENT_TYPE, "application/json".to_owned()),
            (CONTENT_DISPOSITION, name),
        ];
        return Ok((head, body).into_response());
    }
    let own_seal: String = doubt.siegel.trim().chars().take(64).collect();
    let given = (!own_seal.is_empty()).then_some(own_seal.as_str());
    let check = evidence.as_ref().map(|evidence| evidence.check(given)).transpose();
    let bad_seal = check.is_err();
    let seals = web.host.seals(&player.world, last + 1).await?;
    let own = kernel::dice::Owner::of(player.realm());
    page.show(&Dice {
        turn: Turns { step, last },
        wording: Wording::of(&player.world.game, page.words.language()),
        check: check.unwrap_or_default(),
        evidence,
        own_seal,
        bad_seal,
        next_seal: seals.into_iter().find(|seal| seal.owner == own).map(|seal| seal.seal),
        file: page.in_world(&format!("bericht/wuerfel?zug={step}&form=json")),
        page: &page,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_as_pages_write_them() {
        for (written, file) in [
            ("1.100", "1100"),
            ("12,345,678 GS", "12345678 GS"),
            ("\u{2212}2/4", "-2/4"),
            ("R.L 3", "R.L 3"),
            ("1.5", "1.5"),
            ("1.1000", "1.1000"),
            (".100", ".100"),
        ] {
            assert_eq!(as_files_write(written), file);
        }
    }

    #[test]
    fn a_text_is_found_whatever_the_case_of_its_letters() {
        assert_eq!(place_of("Ein BÄR im Wald", "bär"), Some((4, 8)));
        assert_eq!(place_of("aab", "AB"), Some((1, 3)));
        assert_eq!(place_of("aab", "abc"), None);
        assert_eq!(place_of("", "a"), None);
        // A capital that becomes two small letters is found whole or not at all.
        assert_eq!(place_of("\u{130}x", "x"), Some((2, 3)));
    }
}
