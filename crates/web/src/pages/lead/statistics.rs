//! Figures of the whole world over time.

use crate::Answer;
use crate::error::Fault;
use crate::identity::GameMaster;
use crate::page::Page;
use crate::pages::report::aside;
use crate::state::Web;
use askama::Template;
use axum::extract::State;
use host::world::World;
use kernel::realm::{RealmId, Viewer};
use render::chart::{Chart, Series};
use render::locale::Wording;
use std::collections::{BTreeMap, BTreeSet};

/// With how many turns a chart is drawn at most: of a longer past every second, third or further turn, the last always among them.
const POINTS: usize = 80;

/// A figure of all realms from turn to turn.
pub struct WorldCourse {
    /// What is shown together, as key of a word.
    pub group: String,
    /// What is counted, as key of a word.
    pub key: String,
    /// Turns and values of every realm that has the figure.
    pub realms: BTreeMap<RealmId, Vec<(u32, i64)>>,
}

/// The figures of a world, in the order in which the game names them, and the turns they tell of.
pub async fn courses(web: &Web, world: &World) -> Result<(Vec<u32>, Vec<WorldCourse>), Fault> {
    let game = web.host.game(&world.game)?;
    let steps = web.host.steps(world).await?;
    let mut turns = Vec::new();
    let mut courses: Vec<WorldCourse> = Vec::new();
    let every = steps.len().div_ceil(POINTS).max(1);
    let chosen = steps.iter().rev().step_by(every);
    let chosen: Vec<_> = chosen.collect();
    for step in chosen.into_iter().rev() {
        let (number, view) = web.host.view(world, Viewer::GameMaster, Some(step.number)).await?;
        turns.push(number);
        let game = game.clone();
        for figure in aside(move || Ok(game.figures(&view)?)).await? {
            let same = |of: &WorldCourse| of.group == *figure.group && of.key == *figure.key;
            let at = courses.iter().position(same).unwrap_or_else(|| {
                courses.push(WorldCourse {
                    group: figure.group.to_string(),
                    key: figure.key.to_string(),
                    realms: BTreeMap::new(),
                });
                courses.len() - 1
            });
            if let Some(course) = courses.get_mut(at) {
                course
                    .realms
                    .entry(figure.realm)
                    .or_default()
                    .push((number, figure.value));
            }
        }
    }
    Ok((turns, courses))
}

/// The chart of a figure.
pub fn chart(page: &Page, wording: &Wording, names: &BTreeMap<RealmId, String>, course: &WorldCourse) -> Chart {
    let series = course.realms.iter().map(|(realm, points)| Series {
        name: name(names, *realm),
        points: points.iter().map(|(turn, value)| (i64::from(*turn), *value)).collect(),
    });
    Chart {
        title: wording.words_of(&course.key),
        series: series.collect(),
        language: page.words.language(),
    }
}

/// Name of a realm, or its number.
pub fn name(names: &BTreeMap<RealmId, String>, realm: RealmId) -> String {
    names.get(&realm).cloned().unwrap_or_else(|| realm.to_string())
}

/// A figure of all realms: its name, its chart, and the last values for those who read tables.
struct Shown {
    title: String,
    chart: String,
    /// The same for a phone.
    narrow: String,
    rows: Vec<(String, i64)>,
}

/// A realm with its last values in the order of the figures, and whether each is the greatest of its figure; or a figure with
/// those of all realms.
struct StandingRow {
    name: String,
    values: Vec<Option<(i64, bool)>>,
}

/// Figures as rows and realms as columns, if there are more figures than realms: what is shorter goes sideways.
fn turned(titles: Vec<String>, rows: Vec<StandingRow>) -> (Vec<String>, Vec<StandingRow>) {
    if titles.len() <= rows.len() {
        return (titles, rows);
    }
    let figure = |(at, name): (usize, String)| StandingRow {
        name,
        values: rows.iter().map(|row| row.values.get(at).copied().flatten()).collect(),
    };
    let figures = titles.into_iter().enumerate().map(figure).collect();
    (rows.into_iter().map(|row| row.name).collect(), figures)
}

#[derive(Template)]
#[template(path = "lead/statistics.html")]
struct Statistics<'a> {
    page: &'a Page,
    /// The heads of the columns of the standing.
    titles: Vec<String>,
    shown: Vec<Shown>,
    /// Figures that were the same everywhere and always, with their value: no drawings worth looking at.
    steady: Vec<(String, i64)>,
    standing: Vec<StandingRow>,
    last: u32,
}

/// The only value of a figure, if every one of so many realms had it after every one of so many turns, and never another.
fn steady(course: &WorldCourse, realms: usize, turns: usize) -> Option<i64> {
    if course.realms.len() < realms || course.realms.values().any(|points| points.len() < turns) {
        return None;
    }
    let mut values = course.realms.values().flatten().map(|point| point.1);
    let first = values.next()?;
    values.all(|value| value == first).then_some(first)
}

/// How all realms stand at the end.
fn standing(names: &BTreeMap<RealmId, String>, courses: &[WorldCourse]) -> Vec<StandingRow> {
    let last = |course: &WorldCourse, realm: RealmId| {
        let points = course.realms.get(&realm)?;
        points.last().map(|point| point.1)
    };
    let realms: BTreeSet<RealmId> = courses
        .iter()
        .flat_map(|course| course.realms.keys().copied())
        .collect();
    let most: Vec<Option<i64>> = courses
        .iter()
        .map(|course| realms.iter().filter_map(|realm| last(course, *realm)).max())
        .collect();
    let row = |realm: RealmId| StandingRow {
        name: name(names, realm),
        values: courses
            .iter()
            .zip(&most)
            .map(|(course, most)| last(course, realm).map(|value| (value, Some(value) == *most)))
            .collect(),
    };
    realms.iter().copied().map(row).collect()
}

/// `GET /welt/{world}/leitung/statistik`
pub async fn show(State(web): State<Web>, page: Page, master: GameMaster) -> Answer {
    let world = &master.world;
    let names = super::names(&web, world).await?;
    let wording = Wording::of(web.host.game(&world.game)?.name(), page.words.language());
    let (turns, courses) = courses(&web, world).await?;
    let standing = standing(&names, &courses);
    let (mut titles, mut shown, mut same) = (Vec::new(), Vec::new(), Vec::new());
    for course in &courses {
        titles.push(wording.words_of(&course.key));
        if let Some(value) = steady(course, standing.len(), turns.len()) {
            same.push((wording.words_of(&course.key), value));
            continue;
        }
        let chart = chart(&page, wording, &names, course);
        let rows = course
            .realms
            .iter()
            .map(|(realm, points)| (name(&names, *realm), points.last().map_or(0, |point| point.1)));
        shown.push(Shown {
            rows: rows.collect(),
            chart: chart.svg(),
            narrow: chart.narrow_svg(),
            title: chart.title,
        });
    }
    let (titles, standing) = turned(titles, standing);
    page.show(&Statistics {
        page: &page,
        titles,
        shown,
        steady: same,
        standing,
        last: turns.last().copied().unwrap_or(0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn course(of: &[(u16, &[i64])]) -> WorldCourse {
        let points = |values: &[i64]| (1..).zip(values.iter().copied()).collect();
        WorldCourse {
            group: String::new(),
            key: String::new(),
            realms: of
                .iter()
                .map(|(realm, values)| (RealmId(*realm), points(values)))
                .collect(),
        }
    }

    #[test]
    fn a_figure_is_steady_if_everybody_always_had_the_same_value() {
        let both = course(&[(1, &[20, 20]), (2, &[20, 20])]);
        assert_eq!(steady(&both, 2, 2), Some(20));
        // A third realm does not have it at all, and in a third turn nobody had it.
        assert_eq!(steady(&both, 3, 2), None);
        assert_eq!(steady(&both, 2, 3), None);
        assert_eq!(steady(&course(&[(1, &[20, 20]), (2, &[20])]), 2, 2), None);
        assert_eq!(steady(&course(&[(1, &[20, 20]), (2, &[20, 21])]), 2, 2), None);
        assert_eq!(steady(&course(&[(1, &[20]), (2, &[21])]), 2, 1), None);
        assert_eq!(steady(&course(&[]), 0, 0), None);
    }

    #[test]
    fn what_is_shorter_goes_sideways() {
        let rows = |count: usize| -> Vec<StandingRow> {
            let row = |at: usize| StandingRow {
                name: format!("Reich {at}"),
                values: vec![Some((1, true)), None, Some((3, false))],
            };
            (0..count).map(row).collect()
        };
        let titles = || ["Land", "Schatz", "Heere"].map(str::to_owned).to_vec();
        let (heads, of) = turned(titles(), rows(2));
        assert_eq!(heads, ["Reich 0", "Reich 1"]);
        assert_eq!((of.len(), of[2].name.as_str()), (3, "Heere"));
        assert_eq!(of[2].values, [Some((3, false)), Some((3, false))]);
        assert_eq!(of[1].values, [None, None]);
        for count in [3, 4] {
            let (heads, of) = turned(titles(), rows(count));
            assert_eq!((heads.len(), of.len()), (3, count));
        }
    }

    #[test]
    fn the_greatest_last_values_are_marked_and_missing_ones_left_out() {
        let names = BTreeMap::from([(RealmId(1), "Adler".to_owned())]);
        let rows = standing(&names, &[course(&[(1, &[9, 3]), (2, &[1, 3])]), course(&[(2, &[7])])]);
        let values: Vec<_> = rows.iter().map(|row| (row.name.as_str(), row.values.clone())).collect();
        assert_eq!(
            values,
            [
                ("Adler", vec![Some((3, true)), None]),
                ("2", vec![Some((3, true)), Some((7, true))])
            ]
        );
    }
}
