//! A report for a page of the host: the same lines as the file, set as a story or as tables, part by part.
//!
//! A part is a section of the report: a week, the treasury, the armies. The page decides where each stands. Mark-up uses the
//! classes of the host's style sheet and its symbols; everything that somebody wrote is escaped.

use kernel::diagnostic::{Diagnostic, Severity};
use kernel::dice::Roll;
use kernel::report::{Arg, Line, ReportSink, Term, Why};
use kernel::rule::{Rule, RuleId};

use crate::finding::severity_word;
use crate::html::{FOLDED, push_escaped};
use crate::locale::{Language, Wording};
use crate::template::{Argument, Template, grouped};

/// How lines are set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Form {
    /// Sentences as a story, with tables where the report has columns.
    #[default]
    Story,
    /// Everything in tables: what happened, the dice, the rules.
    Table,
    /// A card beside a map: the answer of a section is a mark at its heading, and a long list is folded.
    Card,
}

/// Key of the line by which a section says that it has nothing to tell.
const NOTHING: &str = "none";
/// Lines of a section that a card shows without folding it.
const CARD_LINES: usize = 8;

/// Which stretches of time show their long lists, such as sightings; the others lead to them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Lists<'a> {
    /// All.
    #[default]
    All,
    /// The stretch with this number; addresses of the others begin with this text, their number behind it.
    Only(i64, &'a str),
}

/// How a sheet is made.
#[derive(Clone, Copy, Debug, Default)]
pub struct SheetOptions<'a> {
    /// How lines are set.
    pub form: Form,
    /// Which long lists are shown.
    pub lists: Lists<'a>,
    /// The rule catalogue, for the text of rules.
    pub rules: &'a [Rule],
    /// What the address of a rule begins with.
    pub rule_address: &'a str,
    /// What the address of a symbol begins with, before its `#`.
    pub symbols: &'a str,
    /// Where a reader checks dice himself, if anywhere.
    pub verify_address: Option<&'a str>,
}

/// A part of a report.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Part {
    /// Key of the section, empty for what stands outside of any.
    pub key: String,
    /// Its heading, plain text; may be empty.
    pub title: String,
    /// Number of the stretch of time, if it is one.
    pub number: Option<i64>,
    /// How many things happened in it.
    pub events: usize,
    /// How a calendar marks it, if it is worth a mark: see `Wording::mark`.
    pub mark: Option<String>,
    /// Whether it tells what happened: a stretch of time, or what the wording counts to the story. The others are books.
    pub story: bool,
    /// Whether it only says that there is nothing to tell.
    pub nothing: bool,
    /// Its content as HTML.
    pub html: String,
}

impl Part {
    /// Whether it is a stretch of time, such as a week.
    pub fn is_time(&self) -> bool {
        FOLDED.contains(&self.key.as_str())
    }
}

/// A report in parts.
pub fn sheet(wording: &Wording, options: SheetOptions<'_>, write: impl FnOnce(&mut dyn ReportSink)) -> Vec<Part> {
    let mut sink = SheetSink::new(wording, options);
    write(&mut sink);
    sink.finish()
}

/// The answer to "why?" of something that is no line of a report, as HTML; empty if there is none.
pub fn answer(wording: &Wording, options: SheetOptions<'_>, why: &Why) -> String {
    let mut sink = SheetSink::new(wording, options);
    sink.why(why);
    String::from_utf8_lossy(&sink.out).into_owned()
}

/// An open section within a part.
struct Open {
    /// Where its heading begins.
    start: usize,
    /// Where its content begins.
    content: usize,
    /// Its heading.
    title: String,
    /// Whether it has sentences.
    told: bool,
    /// Rows it has.
    rows: usize,
    rules: Vec<RuleId>,
    /// The answer to "why?" of the section as a whole; it stands at its heading.
    why: String,
}

/// A cell of a table: the class of its element, what stands in it, how many letters that has, and whether it says something.
#[derive(Clone)]
struct Cell {
    class: &'static str,
    html: String,
    letters: usize,
    filled: bool,
}

/// Letters that a row has room for on a phone; a wider table stands there as a card for each row.
const PHONE_LETTERS: usize = 48;

/// The rows of a table until it is closed.
#[derive(Default)]
struct Rows {
    titles: Vec<(String, bool)>,
    rows: Vec<Row>,
}

/// One of them.
struct Row {
    cells: Vec<Cell>,
    why: Option<String>,
    /// Whether it only names what the next ones are about, as a line of plain text does that ends with a colon.
    heads: bool,
}

impl Rows {
    /// Which columns have something to say in any row; a table that says nothing keeps them all.
    fn telling(&self) -> Vec<bool> {
        let filled = |at: usize| {
            self.rows
                .iter()
                .any(|row| row.cells.get(at).is_some_and(|cell| cell.filled))
        };
        let telling: Vec<bool> = (0..self.titles.len()).map(filled).collect();
        if telling.contains(&true) {
            telling
        } else {
            vec![true; self.titles.len()]
        }
    }
}

impl Rows {
    /// Whether it is too wide for a phone: the widest words of its columns beside each other, and the mark of an answer.
    fn is_wide(&self, telling: &[bool], reasoned: bool) -> bool {
        let width = |at: usize| {
            let title = self.titles.get(at).map_or("", |(title, _)| title);
            let longest = title.split(' ').map(|word| word.chars().count()).max().unwrap_or(0);
            let cells = self.rows.iter().filter_map(|row| row.cells.get(at));
            // A column is at least as wide as the longest word of its head and never much wider than a few words: longer text breaks.
            longest.max(cells.map(|cell| cell.letters.min(12)).max().unwrap_or(0)) + 2
        };
        let columns = (0..self.titles.len()).filter(|at| telling.get(*at) == Some(&true));
        let mark = if reasoned { 5 } else { 0 };
        columns.map(width).sum::<usize>() + mark > PHONE_LETTERS
    }

    /// The same without rows that only name what the next ones are about: all of these say it themselves, up to the next such row.
    fn joined(mut self) -> Self {
        let mut subject: Option<(usize, Cell)> = None;
        let mut joined = Vec::with_capacity(self.rows.len());
        let mut rows = std::mem::take(&mut self.rows).into_iter().peekable();
        while let Some(mut row) = rows.next() {
            if row.heads {
                subject = None;
                let mut filled = (0..row.cells.len()).filter(|at| row.cells.get(*at).is_some_and(|cell| cell.filled));
                let only = filled.next().filter(|_| filled.next().is_none() && row.why.is_none());
                let has_room = |row: &Row, at: usize| !row.heads && row.cells.get(at).is_some_and(|cell| !cell.filled);
                if let Some(at) = only.filter(|at| rows.peek().is_some_and(|next| has_room(next, *at))) {
                    subject = Some((at, row.cells.swap_remove(at)));
                    continue;
                }
            } else if let Some((at, cell)) = &subject {
                match row.cells.get_mut(*at) {
                    Some(place) if !place.filled => *place = cell.clone(),
                    _ => subject = None,
                }
            }
            joined.push(row);
        }
        self.rows = joined;
        self
    }
}

/// Receives a report and makes parts of it.
pub struct SheetSink<'w> {
    wording: &'w Wording,
    options: SheetOptions<'w>,
    parts: Vec<Part>,
    part: Part,
    out: Vec<u8>,
    open: Vec<Open>,
    table: Option<Rows>,
    /// Whether a block of lines with columns is open.
    columns: bool,
    /// Whether a story has begun: its first letter is large.
    begun: bool,
    /// The answer to "why?" that was given last.
    answered: Option<Why>,
    scratch: Vec<u8>,
}

impl<'w> SheetSink<'w> {
    /// Parts in this wording.
    pub fn new(wording: &'w Wording, options: SheetOptions<'w>) -> Self {
        Self {
            wording,
            options,
            parts: Vec::new(),
            part: Part::default(),
            out: Vec::new(),
            open: Vec::new(),
            table: None,
            columns: false,
            begun: false,
            answered: None,
            scratch: Vec::new(),
        }
    }

    /// The parts, in the order of the report. Empty ones without a heading are left out.
    pub fn finish(mut self) -> Vec<Part> {
        while !self.open.is_empty() {
            self.end();
        }
        self.turn_over();
        self.parts
    }

    /// Closes a part and begins the next.
    fn turn_over(&mut self) {
        self.settle();
        let mut part = std::mem::take(&mut self.part);
        part.html = String::from_utf8_lossy(&std::mem::take(&mut self.out)).into_owned();
        if !part.html.is_empty() || part.is_time() {
            self.parts.push(part);
        }
    }

    fn push(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    fn escaped(&mut self, text: &str) {
        push_escaped(&mut self.out, text);
    }

    fn say(&mut self, key: &str) {
        let text = self.wording.text::<(&str, Arg<'_>)>(key, &[]);
        self.escaped(&text);
    }

    fn symbol(&mut self, name: &str, class: &str) {
        self.push("<svg class=\"");
        self.push(class);
        self.push("\" viewBox=\"0 0 24 24\" aria-hidden=\"true\"><use href=\"");
        let symbols = self.options.symbols;
        self.escaped(symbols);
        self.push("#");
        self.push(name);
        self.push("\"/></svg>");
    }

    fn filled<V: Argument>(&mut self, template: Option<&Template>, key: &str, args: &[V]) -> String {
        self.scratch.clear();
        self.wording.fill_grouped(&mut self.scratch, template, key, args);
        String::from_utf8_lossy(&self.scratch).trim().to_owned()
    }

    /// Writes a table or block of columns that is open.
    fn settle(&mut self) {
        if self.columns {
            self.columns = false;
            self.push("</div>\n");
        }
        let Some(table) = self.table.take() else {
            return;
        };
        let table = table.joined();
        let reasoned = table.rows.iter().any(|row| row.why.is_some());
        let telling = table.telling();
        let cards = table.is_wide(&telling, reasoned);
        self.push(if cards {
            "<div class=\"scroll-x\" tabindex=\"0\" role=\"group\"><table class=\"report cards\"><thead><tr>"
        } else {
            "<div class=\"scroll-x\" tabindex=\"0\" role=\"group\"><table class=\"report\"><thead><tr>"
        });
        for ((title, is_number), _) in table.titles.iter().zip(&telling).filter(|(_, telling)| **telling) {
            self.push(if *is_number {
                "<th scope=\"col\" class=\"r\">"
            } else {
                "<th scope=\"col\">"
            });
            self.escaped(title);
            self.push("</th>");
        }
        if reasoned {
            self.push("<th scope=\"col\" class=\"w\"><span class=\"vh\">");
            self.say("page.why");
            self.push("</span></th>");
        }
        self.push("</tr></thead><tbody>\n");
        for Row { cells, why, .. } in &table.rows {
            self.push("<tr>");
            let cells = cells.iter().zip(&table.titles).zip(&telling);
            for ((cell, (title, _)), _) in cells.filter(|(_, telling)| **telling) {
                self.push("<td");
                if !cell.class.is_empty() {
                    self.push(" class=\"");
                    self.push(cell.class);
                    self.push("\"");
                }
                // A card has no head above it: every value says what it is.
                if cards && cell.filled {
                    self.push(" data-th=\"");
                    self.escaped(title);
                    self.push("\"");
                }
                self.push(">");
                self.push(&cell.html);
                self.push("</td>");
            }
            if reasoned {
                self.push("<td class=\"w\">");
                self.push(why.as_deref().unwrap_or_default());
                self.push("</td>");
            }
            self.push("</tr>\n");
        }
        self.push("</tbody></table></div>\n");
    }

    /// Adds a row to a table with these titles, which goes on if it has the same.
    fn row(&mut self, titles: Vec<(String, bool)>, row: Row) {
        let same = |table: &Rows| {
            let old = table.titles.iter().map(|(title, _)| title);
            old.eq(titles.iter().map(|(title, _)| title))
        };
        if !self.table.as_ref().is_some_and(same) {
            self.settle();
            self.table = Some(Rows {
                titles,
                rows: Vec::new(),
            });
        }
        if let Some(table) = &mut self.table {
            table.rows.push(row);
        }
        if let Some(section) = self.open.last_mut() {
            section.rows += 1;
        }
    }

    /// What `write` writes, apart.
    fn apart(&mut self, write: impl FnOnce(&mut Self)) -> String {
        let before = std::mem::take(&mut self.out);
        write(self);
        let written = std::mem::replace(&mut self.out, before);
        String::from_utf8_lossy(&written).into_owned()
    }

    fn rules<'r>(&mut self, rules: impl Iterator<Item = &'r str>) {
        self.push("<dl class=\"by-rule\">");
        for id in rules {
            self.push("<dt>");
            self.rule_link(id);
            self.push("</dt><dd>");
            let rule = self.options.rules.iter().find(|rule| rule.id.as_str() == id);
            if let Some(rule) = rule {
                self.escaped(match self.wording.language() {
                    Language::German => rule.de,
                    Language::English => rule.en,
                });
            }
            self.push("</dd>");
        }
        self.push("</dl>");
    }

    fn rule_link(&mut self, id: &str) {
        self.push("<a class=\"rule-id\" href=\"");
        let address = self.options.rule_address;
        self.escaped(address);
        self.escaped(id);
        self.push("\">");
        self.escaped(id);
        self.push("</a>");
    }

    fn begin_why(&mut self, class: &str) {
        self.push("<details class=\"");
        self.push(class);
        self.push("\"><summary>");
        self.symbol("i-why", "ic");
        self.push("<span>");
        self.say("page.why");
        self.push("</span></summary><div class=\"why-body\">");
    }

    fn heading(&mut self, symbol: &str, key: &str) {
        self.push("<h4>");
        if !symbol.is_empty() {
            self.symbol(symbol, "ic");
        }
        self.say(key);
        self.push("</h4>");
    }

    /// That the game master put another face in the place of the one that fell.
    fn fixed_die(&mut self, roll: &Roll) {
        if let Some(fell) = roll.fell {
            let text = self.wording.text("page.die_fixed", &[("n", Arg::Int(fell))]);
            self.push(" ");
            self.escaped(&text);
        }
    }

    /// The answer to "why?": rules, dice, arithmetic, as far as there are any.
    fn why(&mut self, why: &Why) {
        if why.rules.is_empty() && why.rolls.is_empty() && why.sealed == 0 && why.terms.is_empty() {
            return;
        }
        self.begin_why("why");
        if !why.rules.is_empty() {
            self.heading("", "page.rules");
            self.rules(why.rules.iter());
        }
        if !why.rolls.is_empty() || why.sealed > 0 {
            self.heading("i-dice", "page.dice");
            self.push("<ul class=\"dice\">");
            for roll in &why.rolls {
                self.push("<li><b class=\"die\">");
                self.escaped(&roll.value.to_string());
                self.push("</b><span>");
                // What it is about in words; its own name is what its value was reckoned from, so it stands beside them.
                let said = self.wording.die(&roll.name);
                self.escaped(said.as_deref().unwrap_or(&roll.name));
                self.push(" <small>");
                let range = [("min", Arg::Int(roll.min)), ("max", Arg::Int(roll.max))];
                let text = self.wording.text("page.die_range", &range);
                self.escaped(&text);
                self.fixed_die(roll);
                if said.is_some() {
                    self.push(" <span class=\"die-name\">");
                    self.escaped(&roll.name);
                    self.push("</span>");
                }
                self.push("</small></span></li>");
            }
            if why.sealed > 0 {
                let key = if why.sealed == 1 {
                    "page.sealed_one"
                } else {
                    "page.sealed_many"
                };
                let text = self.wording.text(key, &[("count", Arg::Int(i64::from(why.sealed)))]);
                self.push("<li class=\"sealed\"><b class=\"wax\" aria-hidden=\"true\"></b><span>");
                self.escaped(&text);
                self.push("</span></li>");
            }
            self.push("</ul>");
        }
        if !why.terms.is_empty() {
            self.heading("", "page.reckoning");
            self.push("<ol class=\"terms\">");
            for Term { key, args } in &why.terms {
                self.push("<li>");
                let wording = self.wording;
                let text = self.filled(wording.term(key), key, args);
                self.escaped(&text);
                self.push("</li>");
            }
            self.push("</ol>");
        }
        if let Some(address) = self.options.verify_address.filter(|_| !why.rolls.is_empty()) {
            self.push("<p class=\"xs\"><a href=\"");
            self.escaped(address);
            self.push("\">");
            self.say("page.verify");
            self.push("</a></p>");
        }
        self.push("</div></details>");
    }

    fn reasons(&mut self, why: Option<&Why>) -> Option<String> {
        let why = why?;
        // Lines that belong together have one answer, and the first of them gives it.
        if self.answered.as_ref() == Some(why) {
            return None;
        }
        self.answered = Some(why.clone());
        let text = self.apart(|sink| sink.why(why));
        (!text.is_empty()).then_some(text)
    }

    /// A line that has columns in the locale.
    fn table_row(&mut self, line: &Line<'_>) -> bool {
        let wording = self.wording;
        let Some(columns) = wording.row(line.key) else {
            return false;
        };
        let mut titles = Vec::with_capacity(columns.len());
        let mut row = Vec::with_capacity(columns.len());
        for column in columns {
            let value = column.cell.only_value();
            let number = value.and_then(|name| line.args.iter().find(|(of, _)| *of == name));
            let number = number.and_then(|arg| arg.integer());
            let text = match number {
                Some(number) => grouped(wording.language(), number),
                None => self.filled(Some(&column.cell), line.key, line.args),
            };
            row.push(Cell {
                class: if number.is_some() { "r" } else { "" },
                html: self.apart(|sink| sink.escaped(&text)),
                letters: text.chars().count(),
                filled: !text.chars().all(|letter| matches!(letter, '-' | ' ')),
            });
            titles.push((column.title.to_string(), number.is_some()));
        }
        let row = Row {
            cells: row,
            why: self.reasons(line.why),
            heads: wording.line(line.key).is_some_and(Template::is_head),
        };
        self.row(titles, row);
        true
    }

    /// A sentence, in a story or as a row of what happened.
    fn sentence(&mut self, text: &str, line: &Line<'_>) {
        if let Some(section) = self.open.last_mut() {
            section.told = true;
        }
        let Some(why) = line.why.filter(|_| self.options.form == Form::Table) else {
            self.settle();
            // A great initial begins the first sentence, and a word, not the code of an army.
            let word = text.chars().nth(1).is_some_and(char::is_lowercase);
            let first = !self.begun && line.why.is_some() && self.part.story;
            self.begun |= first;
            let lead = first && word;
            self.push(if lead {
                "<div class=\"line lead\"><p>"
            } else {
                "<div class=\"line\"><p>"
            });
            self.escaped(text);
            self.push("</p>");
            let why = self.reasons(line.why).unwrap_or_default();
            self.push(&why);
            self.push("</div>\n");
            return;
        };
        let title = |key: &str| (self.wording.text::<(&str, Arg<'_>)>(key, &[]), false);
        let titles = vec![title("page.event"), title("page.dice"), title("page.rules")];
        let event = self.apart(|sink| sink.escaped(text));
        let dice = self.apart(|sink| {
            for roll in &why.rolls {
                let range = [("min", Arg::Int(roll.min)), ("max", Arg::Int(roll.max))];
                let range = sink.wording.text("page.die_range", &range);
                sink.push("<b class=\"die\" title=\"");
                if let Some(said) = sink.wording.die(&roll.name) {
                    sink.escaped(&said);
                    sink.push(" \u{b7} ");
                }
                sink.escaped(&roll.name);
                sink.push("\">");
                sink.escaped(&roll.value.to_string());
                sink.push("</b> <small>");
                sink.escaped(&range);
                sink.fixed_die(roll);
                sink.push("</small> ");
            }
            if why.sealed > 0 {
                sink.push("<b class=\"wax\" aria-hidden=\"true\"></b> <small>");
                let text = sink
                    .wording
                    .text("page.sealed_short", &[("count", Arg::Int(i64::from(why.sealed)))]);
                sink.escaped(&text);
                sink.push("</small>");
            }
        });
        let rules = self.apart(|sink| {
            for rule in why.rules.iter() {
                sink.rule_link(rule);
                sink.push(" ");
            }
        });
        let terms = Why {
            terms: why.terms.clone(),
            ..Why::default()
        };
        let row = [("", event), ("nowrap", dice), ("", rules)].map(|(class, html)| Cell {
            class,
            filled: !html.is_empty(),
            letters: 12,
            html,
        });
        let row = Row {
            cells: row.into(),
            why: self.reasons(Some(&terms)),
            heads: false,
        };
        self.row(titles, row);
    }
}

impl ReportSink for SheetSink<'_> {
    fn begin(&mut self, key: &str, args: &[(&str, Arg<'_>)], rules: &[RuleId]) {
        let wording = self.wording;
        self.answered = None;
        let heading = self.filled(wording.heading(key), key, args);
        let heading = heading.trim_end_matches(':');
        if self.open.is_empty() {
            self.turn_over();
            self.part = Part {
                key: key.to_owned(),
                title: heading.to_owned(),
                number: args.iter().find_map(Argument::integer),
                story: FOLDED.contains(&key) || wording.tells(key),
                ..Part::default()
            };
        }
        self.settle();
        let start = self.out.len();
        let around = self.open.last().map(|section| section.rules.as_slice());
        let own = !rules.is_empty() && around != Some(rules);
        let inherited = around.unwrap_or_default().to_vec();
        if !self.open.is_empty() && !heading.is_empty() {
            // The page has its title and the part its own, so sections within begin at the fourth level.
            let level = (self.open.len() + 3).min(6);
            self.push(&format!("<h{level} class=\"part\">"));
            self.escaped(heading);
            self.push(&format!("</h{level}>\n"));
        }
        let content = self.out.len();
        let title = heading.to_owned();
        let why = if own && self.options.form != Form::Table && !self.part.is_time() {
            self.apart(|sink| {
                sink.begin_why("why whole");
                sink.rules(rules.iter().map(|rule| rule.as_str()));
                sink.push("</div></details>\n");
            })
        } else {
            String::new()
        };
        self.open.push(Open {
            start,
            content,
            why,
            title,
            told: false,
            rows: 0,
            rules: if own { rules.to_vec() } else { inherited },
        });
    }

    fn end(&mut self) {
        self.settle();
        let Some(section) = self.open.pop() else {
            return;
        };
        // A section that turned out empty has no rules to tell either.
        let card = self.options.form == Form::Card;
        if self.out.len() > section.content {
            drop(self.out.splice(section.content..section.content, section.why.bytes()));
        }
        if self.open.is_empty() {
            self.turn_over();
            return;
        }
        let is_list = match card {
            true => section.rows > CARD_LINES,
            false => section.rows > 0 && self.part.is_time(),
        };
        if self.out.len() == section.content {
            self.out.truncate(section.start);
        } else if is_list && !section.told {
            self.fold(&section);
        }
        if let Some(outer) = self.open.last_mut() {
            outer.told |= section.told;
        }
    }

    fn line(&mut self, line: &Line<'_>) {
        if let Some(rows) = self.wording.rows_in(line) {
            rows.for_each(|row| self.line(&row));
            return;
        }
        let wording = self.wording;
        let template = wording.line(line.key);
        // Empty lines are the look of plain text; a page has its own air.
        if template.is_some_and(|template| template.is_empty()) {
            return;
        }
        let row = wording.row(line.key);
        // A line of column names stands in plain text only: a table has its own.
        if row.is_some_and(<[_]>::is_empty) {
            return;
        }
        self.part.nothing = line.key == NOTHING && self.out.is_empty() && self.table.is_none();
        let is_row = row.is_some();
        if line.why.is_some() && (!is_row || (self.part.story && !self.part.is_time())) {
            self.part.events += 1;
        }
        if let Some(mark) = wording.mark(line.key) {
            self.part.mark = Some(mark);
        }
        if is_row && self.table_row(line) {
            return;
        }
        let prose = wording.prose(line.key).or(template.filter(|line| line.is_sentence()));
        if prose.is_some() {
            let text = self.filled(prose, line.key, line.args);
            self.sentence(&text, line);
            return;
        }
        if self.table.is_some() {
            self.settle();
        }
        if !self.columns {
            self.columns = true;
            self.push("<div class=\"cols scroll-x\" tabindex=\"0\" role=\"group\">");
        }
        self.push("<div>");
        self.scratch.clear();
        // Columns of plain text have no room for more than the digits.
        if template.is_some_and(Template::aligns) {
            wording.fill(&mut self.scratch, template, line.key, line.args);
        } else {
            wording.fill_grouped(&mut self.scratch, template, line.key, line.args);
        }
        let text = String::from_utf8_lossy(&self.scratch).into_owned();
        self.escaped(&text);
        self.push("</div>\n");
        let why = self.reasons(line.why).unwrap_or_default();
        self.push(&why);
        if let Some(section) = self.open.last_mut() {
            section.rows += 1;
        }
    }

    fn diagnostic(&mut self, diagnostic: &Diagnostic) {
        self.settle();
        self.part.nothing = false;
        let (class, symbol) = match diagnostic.severity {
            Severity::Error => ("e", "i-error"),
            Severity::Warning => ("w", "i-warn"),
            Severity::Hint => ("h", "i-hint"),
        };
        let (text, expected) = self.wording.fault(diagnostic);
        self.push("<div class=\"diag ");
        self.push(class);
        self.push("\">");
        self.symbol(symbol, "ic");
        self.push("<p><b>");
        let word = severity_word(self.wording, diagnostic.severity);
        self.escaped(&word);
        self.push(" ");
        self.escaped(&diagnostic.code);
        self.push(":</b> ");
        let args = [("line", Arg::Int(i64::from(diagnostic.span.line)))];
        if diagnostic.span.line > 0 {
            let line = self.wording.text("page.in_line", &args);
            self.escaped(&line);
            self.push(" ");
        }
        self.escaped(&text);
        if !expected.is_empty() {
            self.push(" <span class=\"exp\">");
            let text = self
                .wording
                .text("finding.expected", &[("expect", Arg::Text(&expected))]);
            self.escaped(&text);
            self.push("</span>");
        }
        for rule in &diagnostic.rules {
            self.push(" ");
            self.rule_link(rule);
        }
        self.push("</p></div>\n");
        if let Some(section) = self.open.last_mut() {
            section.told = true;
        }
    }

    fn verbatim(&mut self, text: &str) {
        self.settle();
        self.part.nothing = false;
        self.push("<blockquote class=\"verbatim\">");
        self.escaped(text);
        self.push("</blockquote>\n");
        if let Some(section) = self.open.last_mut() {
            section.told = true;
        }
    }

    fn fragment(&mut self, _: u64, fill: &mut dyn FnMut(&mut dyn ReportSink)) {
        fill(self);
    }
}

impl SheetSink<'_> {
    /// A list in a stretch of time is folded, or only named if another stretch is being read.
    fn fold(&mut self, section: &Open) {
        let content = self.out.split_off(section.content);
        self.out.truncate(section.start);
        let args = [
            ("title", Arg::Text(&section.title)),
            ("count", Arg::Int(i64::try_from(section.rows).unwrap_or(i64::MAX))),
        ];
        let title = self.wording.text("page.list", &args);
        match (self.options.lists, self.part.number) {
            (Lists::Only(wanted, address), Some(number)) if wanted != number => {
                self.push("<p class=\"more\"><a href=\"");
                self.escaped(address);
                self.push(&number.to_string());
                self.push("\">");
                self.escaped(&title);
                self.push("</a></p>\n");
            }
            (lists, _) => {
                let open = if matches!(lists, Lists::Only(..)) || self.options.form == Form::Table {
                    " open"
                } else {
                    ""
                };
                self.push(&format!("<details class=\"list\"{open}><summary>"));
                self.escaped(&title);
                self.push("</summary>");
                self.out.extend_from_slice(&content);
                self.push("</details>\n");
            }
        }
    }
}
