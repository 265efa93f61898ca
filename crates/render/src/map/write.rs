//! Writing SVG text: numbers, paths, escaped words.

use std::fmt::Write as _;

/// A point of the drawing; x grows east, y grows south.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Point {
    pub x: f64,
    pub y: f64,
}

pub(crate) const fn point(x: f64, y: f64) -> Point {
    Point { x, y }
}

impl Point {
    /// The point a share `t` of the way towards another.
    pub fn towards(self, other: Point, t: f64) -> Point {
        point(self.x + (other.x - self.x) * t, self.y + (other.y - self.y) * t)
    }

    /// The point moved `length` units towards another.
    pub fn step_towards(self, other: Point, length: f64) -> Point {
        let distance = self.distance(other);
        if distance < 0.001 {
            self
        } else {
            self.towards(other, length / distance)
        }
    }

    pub fn distance(self, other: Point) -> f64 {
        (self.x - other.x).hypot(self.y - other.y)
    }

    pub fn plus(self, dx: f64, dy: f64) -> Point {
        point(self.x + dx, self.y + dy)
    }
}

/// Appends a number with at most one decimal, without a needless zero: `-0.5` becomes `-.5`, `3.0` becomes `3`.
pub(crate) fn push_number(out: &mut String, value: f64) {
    push_tenths(out, (value * 10.0).round() as i64);
}

fn push_tenths(out: &mut String, tenths: i64) {
    if tenths < 0 {
        out.push('-');
    }
    let (whole, rest) = (tenths.unsigned_abs() / 10, tenths.unsigned_abs() % 10);
    if whole != 0 || rest == 0 {
        let _ = write!(out, "{whole}");
    }
    if rest != 0 {
        out.push('.');
        out.push(char::from(b'0' + rest as u8));
    }
}

/// The same as text.
pub(crate) fn number(value: f64) -> String {
    let mut out = String::new();
    push_number(&mut out, value);
    out
}

/// Appends text so that no mark-up survives; characters XML forbids are dropped.
pub(crate) fn push_escaped(out: &mut String, text: &str) {
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' | '\r' => out.push(' '),
            '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => {}
            // Marks that turn the direction of writing could dress one name up as another.
            '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {}
            other => out.push(other),
        }
    }
}

/// The same as a new string.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    push_escaped(&mut out, text);
    out
}

/// Text cut to a number of characters, with an ellipsis where something is missing.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        text.to_owned()
    } else {
        let mut cut: String = text.chars().take(most.saturating_sub(1)).collect();
        cut.push('\u{2026}');
        cut
    }
}

/// Path data in relative commands. Positions are rounded before differences are taken, so that two paths along the same
/// border meet exactly and long paths do not drift.
pub(crate) struct Path {
    data: String,
    grain: i64,
    x: i64,
    y: i64,
    start: (i64, i64),
    last: char,
}

impl Path {
    /// Path data rounded to a tenth of a unit.
    pub fn fine() -> Self {
        Self::with_grain(1)
    }

    /// Path data rounded to whole units, for large maps.
    pub fn coarse() -> Self {
        Self::with_grain(10)
    }

    fn with_grain(grain: i64) -> Self {
        Self {
            data: String::new(),
            grain,
            x: 0,
            y: 0,
            start: (0, 0),
            last: ' ',
        }
    }

    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    pub fn data(&self) -> &str {
        &self.data
    }

    fn round(&self, p: Point) -> (i64, i64) {
        let grain = self.grain;
        let round = |v: f64| (v * 10.0 / grain as f64).round() as i64 * grain;
        (round(p.x), round(p.y))
    }

    fn command(&mut self, letter: char) {
        if self.last != letter {
            self.data.push(letter);
            self.last = letter;
        } else {
            // A repeated command needs no letter, only something between the numbers.
            self.data.push(' ');
        }
    }

    fn pair(&mut self, x: i64, y: i64, first: bool) {
        if !first && x >= 0 {
            self.data.push(' ');
        }
        push_tenths(&mut self.data, x);
        if y >= 0 {
            self.data.push(' ');
        }
        push_tenths(&mut self.data, y);
    }

    pub fn move_to(&mut self, p: Point) -> &mut Self {
        let (x, y) = self.round(p);
        self.data.push('M');
        self.last = 'M';
        self.pair(x, y, true);
        (self.x, self.y) = (x, y);
        self.start = (x, y);
        self
    }

    pub fn line_to(&mut self, p: Point) -> &mut Self {
        let (x, y) = self.round(p);
        self.command('l');
        self.pair(x - self.x, y - self.y, true);
        (self.x, self.y) = (x, y);
        self
    }

    pub fn curve_to(&mut self, control: Point, p: Point) -> &mut Self {
        let (cx, cy) = self.round(control);
        let (x, y) = self.round(p);
        self.command('q');
        self.pair(cx - self.x, cy - self.y, true);
        self.pair(x - self.x, y - self.y, false);
        (self.x, self.y) = (x, y);
        self
    }

    pub fn close(&mut self) -> &mut Self {
        self.data.push('z');
        self.last = 'z';
        (self.x, self.y) = self.start;
        self
    }
}

/// A number in 0..1 that depends only on a place and a purpose: the tremble of the pen. Integer arithmetic (SplitMix64),
/// so that every machine draws the same line.
pub(crate) fn tremble(x: i64, y: i64, purpose: u32) -> f64 {
    let mut z = (x as u64)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .wrapping_add((y as u64).wrapping_mul(0xc2b2_ae3d_27d4_eb4f))
        .wrapping_add(u64::from(purpose).wrapping_mul(0x1656_67b1_9e37_79f9));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^= z >> 31;
    (z >> 40) as f64 / (1u64 << 24) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_never_minus_zero() {
        let written: Vec<String> = [0.0, -0.04, 0.5, -0.5, 3.0, -12.34, 99.96]
            .into_iter()
            .map(number)
            .collect();
        assert_eq!(written, ["0", "0", ".5", "-.5", "3", "-12.3", "100"]);
    }

    #[test]
    fn a_path_returns_exactly_to_its_start() {
        let mut path = Path::fine();
        path.move_to(point(1.04, 2.0))
            .line_to(point(5.0, 2.0))
            .line_to(point(5.0, -1.26))
            .curve_to(point(3.0, 0.0), point(1.04, 2.0))
            .close();
        assert_eq!(path.data(), "M1 2l4 0 0-3.3q-2 1.3-4 3.3z");
    }

    #[test]
    fn mark_up_and_control_characters_do_not_survive() {
        assert_eq!(escaped("<b a='1'>&\u{7}\n\u{202e}x"), "&lt;b a=&#39;1&#39;&gt;&amp; x");
    }

    #[test]
    fn trembling_depends_on_place_and_purpose_and_stays_below_one() {
        assert_eq!(tremble(3, 4, 1), tremble(3, 4, 1));
        assert_ne!(tremble(3, 4, 1), tremble(4, 3, 1));
        assert_ne!(tremble(3, 4, 1), tremble(3, 4, 2));
        for i in 0..1000 {
            let t = tremble(i, -i, 7);
            assert!((0.0..1.0).contains(&t));
        }
    }
}
