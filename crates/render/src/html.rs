//! A report as a page: parchment, sections, weeks to fold, and a "why?" wherever there is an answer.
//!
//! The page is one file without script and without any request to elsewhere. Sentences are set in a book face, rows as tables, other
//! lines with columns in letters of equal width, as the old text has them.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;

use kernel::diagnostic::{Diagnostic, Severity};
use kernel::report::{Arg, Line, ReportSink, Term, Why};
use kernel::rule::{Rule, RuleId};

use crate::finding::severity_word;
use crate::locale::{Column, Language, Wording};
use crate::stream::Stream;
use crate::template::{Argument, Template, grouped};

/// The style sheet of a page.
const STYLE: &str = include_str!("../style/report.css");

/// Letters of the title that stand at the head of every printed page.
const HEAD_CHARS: usize = 90;

/// Sections of these keys are stretches of time and can be folded; one in which something happened stands open.
pub(crate) const FOLDED: [&str; 4] = ["week", "month", "phase", "round"];

/// What a page needs besides the report.
#[derive(Clone, Debug)]
pub struct PageOptions<'a> {
    /// The page's title.
    pub title: &'a str,
    /// The rule catalogue: the rules a page names stand at its end with their gist.
    pub rules: &'a [Rule],
    /// What the address of a rule begins with, for a site that has a rule book. Without it rules lead to the end of the page.
    pub rule_address: Option<&'a str>,
    /// A picture for the top of the page, such as the map, as finished SVG. It is put in as it is.
    pub picture: Option<&'a str>,
    /// Whether fonts are put into the file, so that it looks the same everywhere.
    pub embed_fonts: bool,
}

impl Default for PageOptions<'_> {
    fn default() -> Self {
        Self {
            title: "",
            rules: &[],
            rule_address: None,
            picture: None,
            embed_fonts: true,
        }
    }
}

/// What an open section looks like.
struct Open {
    folded: bool,
    /// Where in the buffer `open` belongs if something happened in this section.
    fold_mark: usize,
    eventful: bool,
    /// Where a section that plain text does not name begins, and where its content does: it is taken back if it stays
    /// empty.
    lazy: Option<(usize, usize)>,
    /// The rules of this section or, if it has none of its own, of the one around it.
    rules: Vec<RuleId>,
}

/// Writes a report as a page to any writer.
pub struct HtmlSink<'w> {
    wording: &'w Wording,
    options: PageOptions<'w>,
    stream: Stream<'w, Option<List>>,
    open: Vec<Open>,
    /// Rules named so far.
    named: BTreeSet<String>,
    /// The element that holds the lines being written, if one is open.
    list: Option<List>,
    /// Names of columns that plain text has for a heading: they are written unless a table follows, which has its own.
    names: Option<String>,
    scratch: Vec<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum List {
    /// Sentences.
    Prose,
    /// Lines with columns.
    Columns,
    /// Rows of a table with these titles.
    Rows(u64),
}

/// A number for the titles of a table, so that rows with the same titles go on in it.
fn table_of(columns: &[Column]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for column in columns {
        column.title.hash(&mut hasher);
    }
    hasher.finish()
}

impl<'w> HtmlSink<'w> {
    /// A page in this wording to this writer.
    pub fn new(wording: &'w Wording, options: PageOptions<'w>, writer: &'w mut dyn io::Write) -> Self {
        let mut sink = Self {
            wording,
            stream: Stream::new(writer),
            open: Vec::new(),
            named: BTreeSet::new(),
            list: None,
            names: None,
            scratch: Vec::new(),
            options,
        };
        sink.head();
        sink
    }

    fn head(&mut self) {
        let language = self.wording.language().code();
        self.stream.push("<!doctype html>\n<html lang=\"");
        self.stream.push(language);
        self.stream
            .push("\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
        push_escaped(&mut self.stream.buffer, self.options.title);
        self.stream.push("</title>\n<style>\n");
        if self.options.embed_fonts {
            self.stream.push(crate::fonts::page_rules());
        }
        self.stream.push(STYLE);
        // On paper every page has the title at its head.
        self.stream.push("@page{@top-center{content:\"");
        for letter in self.options.title.chars().take(HEAD_CHARS) {
            if letter.is_alphanumeric() || letter == ' ' {
                self.stream.buffer.extend_from_slice(letter.to_string().as_bytes());
            } else {
                self.stream.push(&format!("\\{:x} ", u32::from(letter)));
            }
        }
        self.stream
            .push("\";font:italic 9pt Georgia,serif;color:#444}}\n@page:first{@top-center{content:none}}\n");
        self.stream.push("</style>\n</head>\n<body>\n<main class=\"sheet\">\n");
        if !self.options.title.is_empty() {
            self.stream.push("<header><h1>");
            push_escaped(&mut self.stream.buffer, self.options.title);
            self.stream
                .push("</h1><div class=\"fleuron\" aria-hidden=\"true\"></div></header>\n");
        }
        if let Some(picture) = self.options.picture {
            self.stream.push("<figure class=\"map\">");
            self.stream.push(picture);
            self.stream.push("</figure>\n");
        }
    }

    /// Writes the rules the page named, closes it and writes what is still in the buffer.
    ///
    /// # Errors
    /// The first error of the writer; nothing was written after it.
    pub fn finish(mut self) -> io::Result<()> {
        while !self.open.is_empty() {
            self.end();
        }
        self.close_list();
        self.rule_book();
        self.stream.push("</main>\n</body>\n</html>\n");
        self.stream.finish()
    }

    fn rule_book(&mut self) {
        let known: Vec<&Rule> = self
            .options
            .rules
            .iter()
            .filter(|rule| self.named.contains(rule.id.as_str()))
            .collect();
        if known.is_empty() || self.options.rule_address.is_some() {
            return;
        }
        self.stream.push("<section class=\"rules\"><h2>");
        self.say("page.rule_book");
        self.stream.push("</h2>\n<dl>\n");
        for rule in known {
            self.stream.push("<dt id=\"");
            push_escaped(&mut self.stream.buffer, rule.id.as_str());
            self.stream.push("\">");
            push_escaped(&mut self.stream.buffer, rule.id.as_str());
            self.stream.push("</dt><dd>");
            let gist = match self.wording.language() {
                Language::German => rule.de,
                Language::English => rule.en,
            };
            push_escaped(&mut self.stream.buffer, gist);
            self.stream.push("</dd>\n");
        }
        self.stream.push("</dl></section>\n");
    }

    fn say(&mut self, key: &str) {
        let text = self.wording.text::<(&str, Arg<'_>)>(key, &[]);
        push_escaped(&mut self.stream.buffer, &text);
    }

    /// Fills a wording and writes it escaped.
    fn filled<V: Argument>(&mut self, template: Option<&Template>, key: &str, args: &[V]) {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        self.wording.fill(&mut scratch, template, key, args);
        push_escaped(&mut self.stream.buffer, &String::from_utf8_lossy(&scratch));
        self.scratch = scratch;
    }

    /// Writes a heading, without the colon that plain text puts behind it.
    fn heading(&mut self, template: Option<&Template>, key: &str, args: &[(&str, Arg<'_>)]) {
        self.filled(template, key, args);
        if self.stream.buffer.last() == Some(&b':') {
            self.stream.buffer.pop();
        }
    }

    fn open_list(&mut self, kind: List) {
        if self.list == Some(kind) {
            return;
        }
        self.close_list();
        self.list = Some(kind);
        self.stream.push(match kind {
            List::Prose => "<ul class=\"prose\">\n",
            List::Columns => "<ul class=\"columns\">\n",
            List::Rows(_) => "<div class=\"rows\" tabindex=\"0\" role=\"group\"><table>\n",
        });
    }

    fn close_list(&mut self) {
        match self.list.take() {
            Some(List::Rows(_)) => self.stream.push("</tbody></table></div>\n"),
            Some(List::Prose | List::Columns) => self.stream.push("</ul>\n"),
            None => {}
        }
    }

    /// Writes names of columns that wait.
    fn write_names(&mut self) {
        if let Some(names) = self.names.take() {
            self.open_list(List::Columns);
            self.stream.push("<li class=\"names\">");
            push_escaped(&mut self.stream.buffer, &names);
            self.stream.push("</li>\n");
        }
    }

    /// A row of a table, which goes on if the row before had the same titles. The answer to "why?" stands in the last cell.
    fn row(&mut self, columns: &[Column], line: &Line<'_>) {
        self.names = None;
        let number = |column: &Column| {
            let name = column.cell.only_value()?;
            line.args.iter().find(|(of, _)| *of == name)?.integer()
        };
        let list = List::Rows(table_of(columns));
        if self.list != Some(list) {
            self.open_list(list);
            self.stream.push("<thead><tr>");
            for column in columns {
                let class = if number(column).is_some() { " class=\"r\"" } else { "" };
                self.stream.push(&format!("<th scope=\"col\"{class}>"));
                push_escaped(&mut self.stream.buffer, &column.title);
                self.stream.push("</th>");
            }
            self.stream.push("</tr></thead><tbody>\n");
        }
        self.stream.push("<tr>");
        // What has nothing to say in the other columns stands across all of them.
        let alone = columns.len() > 1 && columns.iter().skip(1).all(|column| column.cell.is_empty());
        let filled = if alone {
            columns.get(..1).unwrap_or(columns)
        } else {
            columns
        };
        for (nth, column) in filled.iter().enumerate() {
            let value = number(column);
            let (open, close) = if nth == 0 {
                ("<th scope=\"row\"", "</th>")
            } else {
                ("<td", "</td>")
            };
            self.stream.push(open);
            if alone {
                self.stream.push(&format!(" colspan=\"{}\"", columns.len()));
            }
            match value {
                Some(value) => {
                    self.stream.push(" class=\"r\">");
                    let text = grouped(self.wording.language(), value);
                    push_escaped(&mut self.stream.buffer, &text);
                }
                None => {
                    self.stream.push(">");
                    self.filled(Some(&column.cell), line.key, line.args);
                }
            }
            if nth + 1 == filled.len()
                && let Some(why) = line.why
            {
                self.why(why);
            }
            self.stream.push(close);
        }
        self.stream.push("</tr>\n");
    }

    fn rule_links<'r>(&mut self, rules: impl Iterator<Item = &'r str>) {
        self.stream.push("<p class=\"by-rule\">");
        for rule in rules {
            if !self.named.contains(rule) {
                self.named.insert(rule.to_owned());
            }
            self.stream.push("<a class=\"rule\" href=\"");
            let address = self.options.rule_address.unwrap_or("#");
            push_escaped(&mut self.stream.buffer, address);
            push_escaped(&mut self.stream.buffer, rule);
            self.stream.push("\">");
            push_escaped(&mut self.stream.buffer, rule);
            self.stream.push("</a> ");
        }
        self.stream.push("</p>");
    }

    fn begin_why(&mut self) {
        self.stream.push("<details class=\"why\"><summary>");
        self.say("page.why");
        self.stream.push("</summary><div>");
    }

    fn why(&mut self, why: &Why) {
        if why.rules.is_empty() && why.rolls.is_empty() && why.sealed == 0 && why.terms.is_empty() {
            return;
        }
        self.begin_why();
        if !why.rules.is_empty() {
            self.rule_links(why.rules.iter());
        }
        if !why.rolls.is_empty() || why.sealed > 0 {
            self.stream.push("<h4>");
            self.say("page.dice");
            self.stream.push("</h4><ul class=\"dice\">");
            for roll in &why.rolls {
                self.stream.push("<li><b class=\"die\">");
                push_escaped(&mut self.stream.buffer, &roll.value.to_string());
                self.stream.push("</b> <span>");
                let said = self.wording.die(&roll.name);
                push_escaped(&mut self.stream.buffer, said.as_deref().unwrap_or(&roll.name));
                self.stream.push("</span> <small>");
                let range = [("min", Arg::Int(roll.min)), ("max", Arg::Int(roll.max))];
                let text = self.wording.text("page.die_range", &range);
                push_escaped(&mut self.stream.buffer, &text);
                if let Some(fell) = roll.fell {
                    let text = self.wording.text("page.die_fixed", &[("n", Arg::Int(fell))]);
                    self.stream.push(" ");
                    push_escaped(&mut self.stream.buffer, &text);
                }
                if said.is_some() {
                    self.stream.push(" \u{b7} <code>");
                    push_escaped(&mut self.stream.buffer, &roll.name);
                    self.stream.push("</code>");
                }
                self.stream.push("</small></li>");
            }
            if why.sealed > 0 {
                let key = if why.sealed == 1 {
                    "page.sealed_one"
                } else {
                    "page.sealed_many"
                };
                let text = self.wording.text(key, &[("count", Arg::Int(i64::from(why.sealed)))]);
                self.stream
                    .push("<li class=\"sealed\"><b class=\"seal\" aria-hidden=\"true\"></b> <span>");
                push_escaped(&mut self.stream.buffer, &text);
                self.stream.push("</span></li>");
            }
            self.stream.push("</ul>");
        }
        if !why.terms.is_empty() {
            self.stream.push("<h4>");
            self.say("page.reckoning");
            self.stream.push("</h4><ol class=\"terms\">");
            for Term { key, args } in &why.terms {
                self.stream.push("<li>");
                let wording = self.wording;
                self.filled(wording.term(key), key, args);
                self.stream.push("</li>");
            }
            self.stream.push("</ol>");
        }
        self.stream.push("</div></details>");
    }
}

impl ReportSink for HtmlSink<'_> {
    fn begin(&mut self, key: &str, args: &[(&str, Arg<'_>)], rules: &[RuleId]) {
        self.write_names();
        self.close_list();
        let folded = FOLDED.contains(&key);
        let mut fold_mark = 0;
        let start = self.stream.buffer.len();
        // Headings begin below the page's title and end at the depth HTML has.
        let level = (self.open.len() + 2).min(6);
        let wording = self.wording;
        let heading = wording.heading(key);
        let speaks = heading.is_none_or(|template| !template.is_empty());
        let in_text = wording.section(key);
        let lazy = !folded && speaks && in_text.is_some_and(Template::is_empty);
        if lazy {
            self.stream.hold();
        }
        if folded {
            self.stream.hold();
            self.stream.push("<details class=\"fold\"");
            fold_mark = self.stream.buffer.len();
            self.stream.push("     ><summary>");
            self.heading(heading, key, args);
            self.stream.push("</summary>\n");
        } else {
            self.stream.push("<section>");
            if speaks {
                self.stream.push(&format!("<div class=\"head\"><h{level}>"));
                self.heading(heading, key, args);
                self.stream.push(&format!("</h{level}>"));
            }
        }
        // The answer of the section around holds here too and need not be given again.
        let around = self.open.last().map(|section| section.rules.as_slice());
        let rules = if rules.is_empty() || around == Some(rules) {
            around.unwrap_or_default().to_vec()
        } else {
            self.begin_why();
            self.rule_links(rules.iter().map(|rule| rule.as_str()));
            self.stream.push("</div></details>");
            rules.to_vec()
        };
        if speaks && !folded {
            self.stream.push("</div>\n");
        }
        self.open.push(Open {
            folded,
            fold_mark,
            eventful: false,
            lazy: lazy.then_some((start, self.stream.buffer.len())),
            rules,
        });
        // Where plain text has the names of columns for a heading, a page has both.
        if let Some(columns) = in_text.filter(|_| wording.has_own_heading(key) && !folded)
            && !columns.is_empty()
            && !columns.is_sentence()
        {
            self.scratch.clear();
            let mut scratch = std::mem::take(&mut self.scratch);
            wording.fill(&mut scratch, in_text, key, args);
            self.names = Some(String::from_utf8_lossy(&scratch).into_owned());
            self.scratch = scratch;
        }
        self.stream.settle();
    }

    fn end(&mut self) {
        let Some(section) = self.open.pop() else {
            return;
        };
        self.write_names();
        self.close_list();
        if section.folded {
            if section.eventful
                && let Some(mark) = self.stream.buffer.get_mut(section.fold_mark..section.fold_mark + 5)
            {
                mark.copy_from_slice(b" open");
            }
            self.stream.push("</details>\n");
            self.stream.release();
        } else if let Some((start, _)) = section.lazy.filter(|&(_, content)| content == self.stream.buffer.len()) {
            self.stream.buffer.truncate(start);
        } else {
            self.stream.push("</section>\n");
        }
        if section.lazy.is_some() {
            self.stream.release();
        }
        if section.eventful
            && let Some(outer) = self.open.last_mut()
        {
            outer.eventful = true;
        }
        self.stream.settle();
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
        if line.why.is_some()
            && let Some(section) = self.open.last_mut()
        {
            section.eventful = true;
        }
        if let Some(columns) = wording.row(line.key) {
            // A line of column names stands in plain text only: a table has its own.
            if !columns.is_empty() {
                self.row(columns, line);
            }
            self.stream.settle();
            return;
        }
        self.write_names();
        let prose = wording.prose(line.key).or(template.filter(|line| line.is_sentence()));
        self.open_list(if prose.is_some() { List::Prose } else { List::Columns });
        self.stream.push("<li>");
        self.filled(prose.or(template), line.key, line.args);
        if let Some(why) = line.why {
            self.why(why);
        }
        self.stream.push("</li>\n");
        self.stream.settle();
    }

    fn diagnostic(&mut self, diagnostic: &Diagnostic) {
        self.write_names();
        self.close_list();
        let class = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Hint => "hint",
        };
        let (text, expected) = self.wording.fault(diagnostic);
        self.stream.push("<div class=\"finding ");
        self.stream.push(class);
        self.stream.push("\"><p><b>");
        push_escaped(
            &mut self.stream.buffer,
            &severity_word(self.wording, diagnostic.severity),
        );
        self.stream.push("</b> ");
        let args = [
            ("line", Arg::Int(i64::from(diagnostic.span.line))),
            ("code", Arg::Text(&diagnostic.code)),
            ("text", Arg::Text(&text)),
            ("expect", Arg::Text(&expected)),
        ];
        let key = if expected.is_empty() {
            "finding.line"
        } else {
            "finding.line_expecting"
        };
        let said = self.wording.text(key, &args);
        push_escaped(&mut self.stream.buffer, &said);
        self.stream.push("</p>");
        if !diagnostic.rules.is_empty() {
            self.begin_why();
            self.rule_links(diagnostic.rules.iter().map(|rule| &**rule));
            self.stream.push("</div></details>");
        }
        self.stream.push("</div>\n");
        self.stream.settle();
    }

    fn verbatim(&mut self, text: &str) {
        self.write_names();
        self.close_list();
        self.stream.push("<blockquote>");
        push_escaped(&mut self.stream.buffer, text);
        self.stream.push("</blockquote>\n");
        self.stream.settle();
    }

    fn fragment(&mut self, id: u64, fill: &mut dyn FnMut(&mut dyn ReportSink)) {
        // What is written depends on the list that is open, and so does what is repeated.
        self.write_names();
        let before = self.list;
        if let Some(after) = self.stream.repeat(id, before) {
            self.list = after;
            self.stream.settle();
            return;
        }
        self.stream.hold();
        let start = self.stream.buffer.len();
        fill(self);
        self.stream.remember(id, before, start, self.list);
        self.stream.release();
    }
}

/// Appends text so that no mark-up survives. Control characters but line breaks are dropped.
pub(crate) fn push_escaped(out: &mut Vec<u8>, text: &str) {
    let mut bytes = [0u8; 4];
    for character in text.chars() {
        match character {
            '&' => out.extend_from_slice(b"&amp;"),
            '<' => out.extend_from_slice(b"&lt;"),
            '>' => out.extend_from_slice(b"&gt;"),
            '"' => out.extend_from_slice(b"&quot;"),
            '\'' => out.extend_from_slice(b"&#39;"),
            '\n' => out.push(b'\n'),
            // Marks that turn the direction of writing could dress one name up as another.
            '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {}
            other if other.is_control() => {}
            other => out.extend_from_slice(other.encode_utf8(&mut bytes).as_bytes()),
        }
    }
}

/// A report as one page.
pub fn page(wording: &Wording, options: PageOptions<'_>, write: impl FnOnce(&mut dyn ReportSink)) -> String {
    let mut bytes = Vec::new();
    let mut sink = HtmlSink::new(wording, options, &mut bytes);
    write(&mut sink);
    // A vector takes every byte, so there is no error to lose.
    let _ = sink.finish();
    String::from_utf8_lossy(&bytes).into_owned()
}
