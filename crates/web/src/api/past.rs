//! All turns at once: search over every report, two turns compared, figures over time as numbers and as charts; for game
//! masters the same of the whole world.

use super::player::Search;
use super::turn::TurnPath;
use super::{Asked, Called, Problem, json};
use crate::identity::{GameMaster, Player};
use crate::page::Page;
use crate::pages::lead::{self, statistics};
use crate::pages::past;
use crate::pages::report::Reader;
use crate::state::Web;
use axum::extract::{Path, State};
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::IntoResponse as _;
use render::locale::Wording;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// A chart opened by itself brings its style along, and nothing else.
const CHART_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

fn drawing(chart: &render::chart::Chart) -> Called {
    let head = [(CONTENT_TYPE, "image/svg+xml"), (CONTENT_SECURITY_POLICY, CHART_POLICY)];
    Ok((head, chart.file()).into_response())
}

/// A line in which the words stand.
#[derive(Debug, Serialize, ToSchema)]
pub struct FoundLine {
    /// The headings above it.
    place: String,
    /// The part of the turn that it tells of, such as the week.
    part: Option<i64>,
    /// What stands before the words.
    before: String,
    /// The words as they stand there.
    found: String,
    /// What stands behind them.
    after: String,
}

/// The lines of one turn.
#[derive(Debug, Serialize, ToSchema)]
pub struct FoundTurn {
    /// The turn.
    turn: u32,
    /// The lines, in the order of the report.
    lines: Vec<FoundLine>,
}

/// What stands in your reports.
#[derive(Debug, Serialize, ToSchema)]
pub struct FoundLines {
    /// What was searched for; the first hundred characters count.
    q: String,
    /// The turns, the last first.
    turns: Vec<FoundTurn>,
    /// Number of lines.
    count: usize,
    /// Whether there may be more: a search ends after two hundred lines.
    more: bool,
}

/// `GET /api/v1/worlds/{world}/reports`
pub async fn search(State(web): State<Web>, page: Page, player: Player, Asked(asked): Asked<Search>) -> Called {
    let found = past::look_for(&web, &page, &player, &asked.q).await?;
    let more = found.more();
    let line = |of: past::Hit| FoundLine {
        place: of.place,
        part: of.time,
        before: of.before,
        found: of.found,
        after: of.after,
    };
    let turn = |of: past::Hits| FoundTurn {
        turn: of.step,
        lines: of.hits.into_iter().map(line).collect(),
    };
    json(&FoundLines {
        q: found.query,
        turns: found.turns.into_iter().map(turn).collect(),
        count: found.count,
        more,
    })
}

/// The turn to compare with.
#[derive(Debug, Default, Deserialize, IntoParams)]
pub struct AgainstAsked {
    /// The turn to compare with; without one, the turn before.
    against: Option<u32>,
}

/// A figure in two turns.
#[derive(Debug, Serialize, ToSchema)]
pub struct FigurePair {
    /// What is shown together, for programs.
    group: String,
    /// What is counted, for programs.
    key: String,
    /// The group in words.
    group_name: String,
    /// What is counted, in words.
    name: String,
    /// How much in the other turn.
    before: i64,
    /// How much in this turn.
    after: i64,
}

/// What a standing part of the report has and the other has not.
#[derive(Debug, Serialize, ToSchema)]
pub struct PassageChange {
    /// The heading.
    title: String,
    /// Lines that are new.
    new: Vec<String>,
    /// Lines that are gone.
    gone: Vec<String>,
    /// Rows of a table that are there before and after, with other values.
    changed: Vec<RowChange>,
}

/// A row of a table whose values are others than before.
#[derive(Debug, Serialize, ToSchema)]
pub struct RowChange {
    /// What the row is about.
    name: String,
    /// What is another in it.
    cells: Vec<CellChange>,
}

/// A value before and after.
#[derive(Debug, Serialize, ToSchema)]
pub struct CellChange {
    /// Title of the column.
    title: String,
    /// What stood there.
    before: String,
    /// What stands there now.
    after: String,
}

/// Two turns beside each other.
#[derive(Debug, Serialize, ToSchema)]
pub struct TurnChanges {
    /// The turn.
    turn: u32,
    /// The turn that it is compared with.
    against: u32,
    /// The figures of your realm in both; those that did not change are there too.
    figures: Vec<FigurePair>,
    /// How the lasting parts of the reports differ. What was told week by week is new every time and left out.
    changes: Vec<PassageChange>,
}

/// `GET /api/v1/worlds/{world}/turns/{turn}/changes`
pub async fn changes(
    State(web): State<Web>,
    page: Page,
    player: Player,
    Path(path): Path<TurnPath>,
    Asked(asked): Asked<AgainstAsked>,
) -> Called {
    let reader = Reader::new(player.game(&web)?, &page);
    let compared = past::compare_turns(&web, &reader, &player, path.which()?, asked.against).await?;
    let wording = reader.wording;
    let figure = |of: past::Pair| FigurePair {
        group_name: wording.words_of(&of.group),
        name: wording.words_of(&of.key),
        group: of.group,
        key: of.key,
        before: of.before,
        after: of.after,
    };
    let cell = |(title, before, after)| CellChange { title, before, after };
    let row = |of: render::outline::RowChange| RowChange {
        name: of.name,
        cells: of.cells.into_iter().map(cell).collect(),
    };
    let change = |of: render::outline::Change| PassageChange {
        title: of.title,
        new: of.new,
        gone: of.gone,
        changed: of.changed.into_iter().map(row).collect(),
    };
    let figures = past::pair(player.realm(), &compared.before, &compared.after);
    json(&TurnChanges {
        turn: compared.step,
        against: compared.against,
        figures: figures.into_iter().map(figure).collect(),
        changes: compared.changes.into_iter().map(change).collect(),
    })
}

/// A figure of your realm from turn to turn.
#[derive(Debug, Serialize, ToSchema)]
pub struct FigureCourse {
    /// What is shown together, for programs: the name of its chart.
    group: String,
    /// What is counted, for programs.
    key: String,
    /// The group in words.
    group_name: String,
    /// What is counted, in words.
    name: String,
    /// The values, one for each of the turns.
    values: Vec<i64>,
}

/// Figures of your realm over time.
#[derive(Debug, Serialize, ToSchema)]
pub struct Figures {
    /// The turns.
    turns: Vec<u32>,
    /// The figures.
    figures: Vec<FigureCourse>,
}

/// `GET /api/v1/worlds/{world}/figures`
pub async fn figures(State(web): State<Web>, page: Page, player: Player) -> Called {
    let wording = Reader::new(player.game(&web)?, &page).wording;
    let (turns, courses) = past::courses(&web, &player, past::TURNS_MAX).await?;
    let course = |of: past::Course| FigureCourse {
        values: turns.iter().map(|turn| of.at(*turn)).collect(),
        group_name: wording.words_of(&of.group),
        name: wording.words_of(&of.key),
        group: of.group,
        key: of.key,
    };
    let figures = courses.into_iter().map(course).collect();
    json(&Figures { turns, figures })
}

/// A chart in an address.
#[derive(Deserialize)]
pub struct ChartPath {
    chart: String,
}

/// `GET /api/v1/worlds/{world}/figures/{chart}`: a group of figures as a drawing.
pub async fn chart(State(web): State<Web>, page: Page, player: Player, Path(path): Path<ChartPath>) -> Called {
    let reader = Reader::new(player.game(&web)?, &page);
    let (turns, courses) = past::courses(&web, &player, past::TURNS_MAX).await?;
    let groups = past::in_groups(&courses);
    let group = groups.iter().find(|(group, _)| *group == path.chart);
    let (group, courses) = group.ok_or_else(Problem::missing)?;
    drawing(&past::chart(&page, &reader, &turns, group, courses))
}

/// A figure of one realm from turn to turn.
#[derive(Debug, Serialize, ToSchema)]
pub struct RealmCourse {
    /// Number of the realm.
    realm: u16,
    /// Its name.
    name: String,
    /// The values, one for each of the turns; nothing where the game does not count it.
    values: Vec<Option<i64>>,
}

/// A figure of all realms from turn to turn.
#[derive(Debug, Serialize, ToSchema)]
pub struct WorldFigure {
    /// What is shown together, for programs.
    group: String,
    /// What is counted, for programs: the name of its chart.
    key: String,
    /// What is counted, in words.
    name: String,
    /// The realms.
    realms: Vec<RealmCourse>,
}

/// Figures of the whole world over time.
#[derive(Debug, Serialize, ToSchema)]
pub struct Statistics {
    /// The turns, at most the last sixty.
    turns: Vec<u32>,
    /// The figures.
    figures: Vec<WorldFigure>,
}

/// `GET /api/v1/worlds/{world}/lead/statistics`
pub async fn world(State(web): State<Web>, page: Page, master: GameMaster) -> Called {
    let names = lead::names(&web, &master.world).await?;
    let wording = Wording::of(&master.world.game, page.words.language());
    let (turns, courses) = statistics::courses(&web, &master.world).await?;
    let figure = |of: &statistics::WorldCourse| {
        let realm = |(realm, points): (&kernel::realm::RealmId, &Vec<(u32, i64)>)| {
            let at = |turn: &u32| points.iter().find(|(of, _)| of == turn).map(|(_, value)| *value);
            RealmCourse {
                realm: realm.0,
                name: statistics::name(&names, *realm),
                values: turns.iter().map(at).collect(),
            }
        };
        WorldFigure {
            group: of.group.clone(),
            key: of.key.clone(),
            name: wording.words_of(&of.key),
            realms: of.realms.iter().map(realm).collect(),
        }
    };
    let figures = courses.iter().map(figure).collect();
    json(&Statistics { turns, figures })
}

/// `GET /api/v1/worlds/{world}/lead/statistics/{chart}`: a figure of all realms as a drawing.
pub async fn world_chart(
    State(web): State<Web>,
    page: Page,
    master: GameMaster,
    Path(path): Path<ChartPath>,
) -> Called {
    let names = lead::names(&web, &master.world).await?;
    let wording = Wording::of(&master.world.game, page.words.language());
    let (_, courses) = statistics::courses(&web, &master.world).await?;
    let course = courses.iter().find(|course| course.key == path.chart);
    let course = course.ok_or_else(Problem::missing)?;
    drawing(&statistics::chart(&page, wording, &names, course))
}
