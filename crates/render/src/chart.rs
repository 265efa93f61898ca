//! Figures over time as a drawing: lines on ruled paper, with colours and faces from the page's style sheet.
//!
//! A line differs from the next by its dashes, not by colour alone, and carries its name and last value at its end. The page
//! shows the same figures as a table beside it.

use crate::html::push_escaped;
use crate::locale::Language;
use crate::template::grouped;

/// One line of a chart.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Series {
    /// Its name.
    pub name: String,
    /// Its points: time and value, in the order of time.
    pub points: Vec<(i64, i64)>,
}

/// A chart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chart {
    /// Its name, for those who do not see it.
    pub title: String,
    /// Its lines.
    pub series: Vec<Series>,
    /// The language of its numbers.
    pub language: Language,
}

const WIDTH: i64 = 640;
/// Height of a chart of few lines; many names need more.
const HEIGHT: i64 = 240;
/// Distance of names that would stand on each other.
const APART: i64 = 17;
/// Lines that differ by colour or dashes; further ones begin again.
const STYLES: usize = 12;
const LEFT: i64 = 64;
/// Width and height of a small chart.
const SMALL: (i64, i64) = (380, 190);
/// Width of a chart on a phone, and the height of its lines; the names stand below them.
const NARROW: (i64, i64) = (360, 220);
/// Length of the piece of line before a name below a narrow chart.
const SAMPLE: i64 = 30;
/// Room on the right for the names of the lines, at least and at most.
const RIGHT: (i64, i64) = (90, 300);
/// Width of a letter of a name, generously: names are bold.
const LETTER: i64 = 6;
const TOP: i64 = 14;
const BOTTOM: i64 = 30;
/// Points a line is drawn with at most; a longer past is thinned.
const POINTS_MAX: usize = 400;

/// What a page says of the classes of a chart, for one that is a file of its own.
const STYLE: &str = ".chart{background:#f6edd6;font:13px sans-serif}.axis path{stroke:#cbbd9b;fill:none}.axis .zero{stroke:#6d5f4a}\
.axis text{fill:#5c4f3d;text-anchor:end}.axis .time{text-anchor:middle}.line{fill:none;stroke:currentColor;stroke-width:2;\
stroke-linejoin:round}.tie{fill:none;stroke:currentColor;stroke-dasharray:none}.end,.name{fill:currentColor}.name{font-weight:700}.value{font-weight:400}.s0{color:#8d1b16}\
.s1{color:#1b4076;stroke-dasharray:7 3}.s2{color:#1f5a3a;stroke-dasharray:2 3}.s3{color:#8a5a0b;stroke-dasharray:9 3 2 3}\
.s4{color:#2b231b;stroke-dasharray:4 4}.s5{color:#4a2363;stroke-dasharray:12 4}\
.s6{color:#1b4076}.s7{color:#1f5a3a}.s8{color:#8a5a0b}.s9{color:#2b231b}.s10{color:#4a2363}.s11{color:#8d1b16;stroke-dasharray:5 3}\
text,circle{stroke-dasharray:none}";

/// The size of a step on an axis: 1, 2 or 5 times a power of ten, so that `steps` of them span the width.
fn step(span: i128, steps: i128) -> i128 {
    let wanted = (span / steps.max(1)).max(1);
    let mut power = 1;
    while power <= wanted / 10 {
        power *= 10;
    }
    [1, 2, 5, 10]
        .into_iter()
        .map(|factor| factor * power)
        .find(|step| *step >= wanted)
        .unwrap_or(power * 10)
}

/// Where a value lies on a stretch of the drawing.
fn place(value: i64, (low, high): (i128, i128), from: i64, to: i64) -> i64 {
    let span = (high - low).max(1);
    let along = (i128::from(value) - low) * i128::from(to - from) / span;
    from + i64::try_from(along).unwrap_or(0)
}

impl Chart {
    /// The lowest and highest value on the value axis, 0 always among them, at whole steps; and the step.
    fn values(&self) -> (i128, i128, i128) {
        let values = || {
            self.series
                .iter()
                .flat_map(|series| &series.points)
                .map(|point| i128::from(point.1))
        };
        let low = values().min().unwrap_or(0).min(0);
        let high = values().max().unwrap_or(0).max(1);
        let step = step(high - low, 4);
        let low = low.div_euclid(step) * step;
        let high = -(-high).div_euclid(step) * step;
        (low, high, step)
    }

    fn times(&self) -> (i128, i128) {
        let times = || {
            self.series
                .iter()
                .flat_map(|series| &series.points)
                .map(|point| i128::from(point.0))
        };
        let first = times().min().unwrap_or(0);
        (first, times().max().unwrap_or(0).max(first + 1))
    }

    /// High enough for all names below each other.
    fn height(&self) -> i64 {
        let names = i64::try_from(self.series.len()).unwrap_or(0).saturating_mul(APART);
        names.saturating_add(TOP + BOTTOM).clamp(HEIGHT, 4 * HEIGHT)
    }

    /// Room for the longest name with its value.
    fn right(&self) -> i64 {
        let longest = self.series.iter().map(|series| {
            let value = series.points.last().map_or(0, |point| point.1);
            let letters = series.name.chars().count() + 1 + grouped(self.language, value).chars().count();
            i64::try_from(letters).unwrap_or(RIGHT.1)
        });
        let longest = longest.max().unwrap_or(0).saturating_mul(LETTER).saturating_add(22);
        longest.clamp(RIGHT.0, RIGHT.1)
    }

    /// The chart as a file of its own, with the colours of paper within it.
    pub fn file(&self) -> String {
        const HEAD: &str = "<svg class=\"chart\" ";
        let page = self.svg();
        let rest = page.strip_prefix(HEAD).unwrap_or(&page);
        let (attributes, content) = rest.split_once('>').unwrap_or((rest, "</svg>"));
        format!("{HEAD}xmlns=\"http://www.w3.org/2000/svg\" {attributes}><style>{STYLE}</style>{content}")
    }

    /// The chart as SVG, for a page: it takes its colours from the classes `chart`, `axis`, `s0` to `s11`.
    pub fn svg(&self) -> String {
        let (edge, height) = (WIDTH - self.right(), self.height());
        let (mut out, y_of) = self.ruled(WIDTH, edge, height, height);
        let times = self.times();
        let x_of = |time: i64| place(time, times, LEFT, edge);
        let mut labels = self.labels(&y_of);
        labels.sort_by_key(|label| label.1);
        spread(&mut labels, height);
        for (index, y) in labels {
            let Some(series) = self.series.get(index) else { continue };
            out.extend_from_slice(b"<g class=\"series\">");
            draw(&mut out, index, series, &x_of, &y_of);
            let style = index % STYLES;
            let value = series.points.last().map_or(0, |point| point.1);
            // A name that had to move is tied to the end of its line.
            let end = y_of(value);
            if end != y {
                let tie = format!(
                    "<path class=\"tie s{style}\" d=\"M{} {end}L{} {y}\"/>",
                    edge + 4,
                    edge + 9
                );
                out.extend_from_slice(tie.as_bytes());
            }
            let name = format!("<text class=\"name s{style}\" x=\"{}\" y=\"{}\">", edge + 11, y + 4);
            out.extend_from_slice(name.as_bytes());
            push_escaped(&mut out, &series.name);
            out.extend_from_slice(b" <tspan class=\"value\">");
            push_escaped(&mut out, &grouped(self.language, value));
            out.extend_from_slice(b"</tspan></text></g>");
        }
        out.extend_from_slice(b"</svg>");
        String::from_utf8_lossy(&out).into_owned()
    }

    /// The same for a phone: the lines take the whole width, and their names stand below them, each after a piece of its line.
    pub fn narrow_svg(&self) -> String {
        let (width, edge) = (NARROW.0, NARROW.0 - 8);
        let names = i64::try_from(self.series.len()).unwrap_or(0).saturating_mul(APART);
        let height = NARROW.1.saturating_add(names).saturating_add(8);
        let (mut out, y_of) = self.ruled(width, edge, NARROW.1, height);
        let times = self.times();
        let x_of = |time: i64| place(time, times, LEFT, edge);
        // From the highest line to the lowest, as they end.
        let mut labels = self.labels(&y_of);
        labels.sort_by_key(|label| label.1);
        let mut y = NARROW.1 + 10;
        for (index, _) in labels {
            let Some(series) = self.series.get(index) else { continue };
            out.extend_from_slice(b"<g class=\"series\">");
            draw(&mut out, index, series, &x_of, &y_of);
            let style = index % STYLES;
            let value = series.points.last().map_or(0, |point| point.1);
            let name = format!(
                "<path class=\"line s{style}\" d=\"M2 {y}H{SAMPLE}\"/><text class=\"name s{style}\" x=\"{}\" y=\"{}\">",
                SAMPLE + 8,
                y + 4
            );
            out.extend_from_slice(name.as_bytes());
            push_escaped(&mut out, &series.name);
            out.extend_from_slice(b" <tspan class=\"value\">");
            push_escaped(&mut out, &grouped(self.language, value));
            out.extend_from_slice(b"</tspan></text></g>");
            y += APART;
        }
        out.extend_from_slice(b"</svg>");
        String::from_utf8_lossy(&out).into_owned()
    }

    /// The same for a narrow place beside other things: what the line is stands above it on the page, so only its last value
    /// is written at its end.
    pub fn small_svg(&self) -> String {
        let edge = SMALL.0 - 18;
        let (mut out, y_of) = self.ruled(SMALL.0, edge, SMALL.1, SMALL.1);
        let times = self.times();
        let x_of = |time: i64| place(time, times, LEFT, edge);
        for (index, series) in self.series.iter().enumerate() {
            draw(&mut out, index, series, &x_of, &y_of);
            let Some((_, value)) = series.points.last() else {
                continue;
            };
            // Above the line, or below it where there is no room above.
            let y = y_of(*value);
            let y = if y > TOP + 16 { y - 10 } else { y + 22 };
            let text = format!("<text class=\"last s{}\" x=\"{}\" y=\"{y}\">", index % STYLES, edge + 6);
            out.extend_from_slice(text.as_bytes());
            push_escaped(&mut out, &grouped(self.language, *value));
            out.extend_from_slice(b"</text>");
        }
        out.extend_from_slice(b"</svg>");
        String::from_utf8_lossy(&out).into_owned()
    }

    /// The ruled paper of a chart, and where a value lies on it. The lines take `height` of the `whole` drawing.
    fn ruled(&self, width: i64, edge: i64, height: i64, whole: i64) -> (Vec<u8>, impl Fn(i64) -> i64 + use<>) {
        let (low, high, step) = self.values();
        let times = self.times();
        let y_of = move |value: i64| place(value, (low, high), height - BOTTOM, TOP);
        let x_of = |time: i64| place(time, times, LEFT, edge);
        let mut out =
            format!("<svg class=\"chart\" viewBox=\"0 0 {width} {whole}\" role=\"img\" aria-label=\"").into_bytes();
        push_escaped(&mut out, &self.title);
        out.extend_from_slice(b"\"><g class=\"axis\">");
        let mut tick = low;
        while tick <= high {
            let value = i64::try_from(tick).unwrap_or(i64::MAX);
            let y = y_of(value);
            let class = if tick == 0 { " class=\"zero\"" } else { "" };
            out.extend_from_slice(
                format!(
                    "<path{class} d=\"M{LEFT} {y}H{}\"/><text x=\"{}\" y=\"{}\">",
                    edge,
                    LEFT - 8,
                    y + 4
                )
                .as_bytes(),
            );
            push_escaped(&mut out, &grouped(self.language, value));
            out.extend_from_slice(b"</text>");
            tick += step;
        }
        let every = self::step(times.1 - times.0, 10);
        // Round numbers are easier to find than those that count from the first.
        let mut time = times.0 + (-times.0).rem_euclid(every);
        while time <= times.1 {
            let shown = i64::try_from(time).unwrap_or(0);
            let text = format!(
                "<text class=\"time\" x=\"{}\" y=\"{}\">{shown}</text>",
                // The last one must not stand under the names.
                x_of(shown).min(edge - 10),
                height - 8
            );
            out.extend_from_slice(text.as_bytes());
            time += every;
        }
        out.extend_from_slice(b"</g>");
        (out, y_of)
    }

    fn labels(&self, y_of: &dyn Fn(i64) -> i64) -> Vec<(usize, i64)> {
        let ends = self.series.iter().enumerate();
        ends.filter_map(|(index, series)| Some((index, y_of(series.points.last()?.1))))
            .collect()
    }
}

/// Moves names apart that would stand on each other, from top to bottom and back from the lower edge.
fn spread(labels: &mut [(usize, i64)], height: i64) {
    let mut least = i64::MIN;
    for label in labels.iter_mut() {
        label.1 = label.1.max(least);
        least = label.1 + APART;
    }
    let mut most = height - 6;
    for label in labels.iter_mut().rev() {
        label.1 = label.1.min(most);
        most = label.1 - APART;
    }
}

fn draw(out: &mut Vec<u8>, index: usize, series: &Series, x_of: &dyn Fn(i64) -> i64, y_of: &dyn Fn(i64) -> i64) {
    let every = series.points.len().div_ceil(POINTS_MAX).max(1);
    let mut path = String::new();
    for (n, (time, value)) in series.points.iter().enumerate() {
        if n % every == 0 || n + 1 == series.points.len() {
            path += &format!(
                "{}{} {}",
                if path.is_empty() { 'M' } else { 'L' },
                x_of(*time),
                y_of(*value)
            );
        }
    }
    let Some((time, value)) = series.points.last() else {
        return;
    };
    let end = format!(
        "<path class=\"line s{0}\" d=\"{path}\"/><circle class=\"end s{0}\" cx=\"{1}\" cy=\"{2}\" r=\"4\"/>",
        index % STYLES,
        x_of(*time),
        y_of(*value)
    );
    out.extend_from_slice(end.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(points: &[(i64, i64)]) -> Chart {
        Chart {
            title: "Schatz <b>".into(),
            series: vec![Series {
                name: "Reichs\"schatz".into(),
                points: points.to_vec(),
            }],
            language: Language::German,
        }
    }

    #[test]
    fn steps_are_one_two_or_five_of_a_power_of_ten() {
        assert_eq!(step(4, 4), 1);
        assert_eq!(step(5, 4), 1);
        assert_eq!(step(8, 4), 2);
        assert_eq!(step(400_000, 4), 100_000);
        assert_eq!(step(400_004, 4), 200_000);
        assert_eq!(step(1_200_000, 4), 500_000);
        assert_eq!(step(0, 4), 1);
    }

    #[test]
    fn a_chart_as_a_file_is_the_same_drawing_with_its_style() {
        let chart = chart(&[(0, 1), (1, 2)]);
        let (page, file) = (chart.svg(), chart.file());
        assert!(file.starts_with("<svg class=\"chart\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 640 240\""));
        let (head, content) = file.split_once("</style>").unwrap();
        assert!(page.ends_with(content) && content.starts_with("<g class=\"axis\">"));
        // The title is escaped, so the first bracket ends the head.
        assert!(head.contains("Schatz &lt;b&gt;") && head.contains("><style>"), "{head}");
    }

    #[test]
    fn the_value_axis_holds_zero_and_every_value() {
        assert_eq!(chart(&[(0, 400_000), (1, 318_400)]).values(), (0, 400_000, 100_000));
        assert_eq!(chart(&[(0, 400_001)]).values(), (0, 500_000, 100_000));
        assert_eq!(chart(&[(0, -30), (1, 70)]).values(), (-50, 100, 50));
        assert_eq!(chart(&[]).values(), (0, 1, 1));
    }

    #[test]
    fn higher_values_stand_higher_and_later_times_further_right() {
        let chart = chart(&[(3, 0), (5, 100)]);
        let drawn = chart.svg();
        let (bottom, edge) = (HEIGHT - BOTTOM, WIDTH - chart.right());
        assert!(
            drawn.contains(&format!("d=\"M{LEFT} {bottom}L{edge} {TOP}\"")),
            "{drawn}"
        );
        assert!(drawn.contains(">100</text>") && drawn.contains(">3</text>") && drawn.contains(">5</text>"));
    }

    #[test]
    fn the_longest_name_has_room_beside_the_lines() {
        // Thirteen letters, a space and "100".
        assert_eq!(chart(&[(0, 100)]).right(), 17 * LETTER + 22);
        let mut long = chart(&[(0, 1)]);
        long.series[0].name = "x".repeat(200);
        assert_eq!(long.right(), RIGHT.1);
        long.series.clear();
        assert_eq!(long.right(), RIGHT.0);
    }

    #[test]
    fn names_are_escaped_and_extremes_do_no_harm() {
        let drawn = chart(&[(0, i64::MIN), (i64::MAX, i64::MAX)]).svg();
        assert!(drawn.contains("Schatz &lt;b&gt;") && drawn.contains("Reichs&quot;schatz"));
        assert!(!drawn.contains("<b>"));
        assert!(chart(&[]).svg().ends_with("</svg>"));
    }

    #[test]
    fn a_small_chart_writes_the_last_value_at_the_end_and_no_name() {
        let drawn = chart(&[(3, 0), (5, 40), (6, 70)]).small_svg();
        assert!(
            drawn.contains("viewBox=\"0 0 380 190\"") && !drawn.contains("Reichs"),
            "{drawn}"
        );
        // 70 of 80 lies 127 of 146 units up from 160, so there is room above it.
        assert!(drawn.contains("y=\"23\">70</text></svg>"), "{drawn}");
        // The highest line of the paper leaves none: the value stands below.
        let top = chart(&[(0, 100)]).small_svg();
        assert!(top.contains(&format!("y=\"{}\">100</text></svg>", TOP + 22)), "{top}");
        assert!(chart(&[]).small_svg().ends_with("</svg>"));
    }

    #[test]
    fn a_narrow_chart_names_its_lines_below_them_from_the_highest_to_the_lowest() {
        let mut two = chart(&[(0, 10), (1, 20)]);
        two.series.push(Series {
            name: "Land".into(),
            points: vec![(0, 0), (1, 100)],
        });
        let drawn = two.narrow_svg();
        // Two names of 17 and 8 units of air below the lines.
        assert!(drawn.contains("viewBox=\"0 0 360 262\""), "{drawn}");
        assert!(
            drawn.contains("y=\"234\">Land <tspan") && drawn.contains("y=\"251\">Reichs&quot;schatz <tspan"),
            "{drawn}"
        );
        // The lines end 8 units before the edge.
        assert!(drawn.contains(&format!("L352 {TOP}\"")), "{drawn}");
        assert!(chart(&[]).narrow_svg().ends_with("</svg>"));
    }

    #[test]
    fn twelve_lines_differ_and_their_names_stand_below_each_other() {
        let mut many = chart(&[(0, 5)]);
        many.series = vec![many.series[0].clone(); 12];
        let drawn = many.svg();
        for style in 0..12 {
            assert!(drawn.contains(&format!("\"line s{style}\"")), "{style}");
        }
        // Twelve names need 12 * 17, a title above and the times below.
        assert!(
            drawn.contains(&format!("viewBox=\"0 0 640 {}\"", 12 * APART + TOP + BOTTOM)),
            "{drawn}"
        );
        let mut ends: Vec<i64> = many.labels(&|_| 100).iter().map(|label| label.1).collect();
        ends.dedup();
        assert_eq!(ends, [100]);
    }

    #[test]
    fn names_at_the_same_height_are_moved_apart() {
        let mut labels = vec![(0, 100), (1, 101), (2, 101)];
        spread(&mut labels, HEIGHT);
        assert_eq!(labels, [(0, 100), (1, 117), (2, 134)]);
        let mut low = vec![(0, HEIGHT - 6), (1, HEIGHT - 6)];
        spread(&mut low, HEIGHT);
        assert_eq!(low, [(0, HEIGHT - 23), (1, HEIGHT - 6)]);
    }
}
