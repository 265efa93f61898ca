//! Reading what consists of lines: messages and the culture (THO-ORD-08, THO-ORD-09, THO-MSG-01, GAP-33).

use super::{Fate, Reader, left_out, length, tokens};
use crate::order::{Order, Recipient};
use crate::{grammar, rule};
use kernel::diagnostic::{Diagnostic, Span, Spanned};
use kernel::realm::RealmId;

/// Where the messages of a section stand.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) enum Post {
    /// Before the first recipient, or behind `#E`.
    #[default]
    Closed,
    /// A message is being read.
    Open {
        to: Spanned<Recipient>,
        text: Vec<String>,
        is_full: bool,
    },
    /// The text belongs to a recipient that does not exist and goes to nobody.
    Dropped,
}

impl Reader<'_> {
    /// Ends what consists of several lines: a message or the culture.
    pub(super) fn close_text(&mut self) {
        if let Post::Open { to, mut text, .. } = std::mem::take(&mut self.post) {
            trim_end(&mut text);
            if !text.is_empty() {
                self.orders.push(Spanned {
                    span: to.span,
                    value: Order::Send { to, text },
                });
            }
        }
        if let Some((span, mut text, _)) = self.culture.take() {
            trim_end(&mut text);
            if !text.is_empty() {
                self.orders.push(Spanned {
                    span,
                    value: Order::Describe { text },
                });
            }
        }
    }

    /// A line of `$N` (THO-ORD-08, THO-MSG-01, GAP-33).
    pub(super) fn message_line(&mut self, number: u32, line: &str) -> Fate {
        if let Some(head) = line.strip_prefix('#') {
            return self.message_head(number, head);
        }
        let trimmed = line.trim_start();
        let indent = length(line) - length(trimmed);
        if self.post == Post::Closed {
            if trimmed.is_empty() {
                return Fate::Blank;
            }
            if trimmed.starts_with(';') {
                return Fate::Comment;
            }
            let span = Span {
                line: number,
                column: indent + 1,
                length: length(trimmed),
            };
            let mut finding = Diagnostic::error("N02", span, &[rule::ORD_08]);
            if trimmed.starts_with('#') {
                finding = finding.mended_by(
                    Span {
                        line: number,
                        column: 1,
                        length: indent,
                    },
                    "",
                );
            }
            return self.refuse(left_out(finding));
        }
        if trimmed.starts_with('#') {
            let blanks = Span {
                line: number,
                column: 1,
                length: indent,
            };
            self.find(Diagnostic::warning("N04w", blanks, &[rule::GAP_33, rule::ORD_08]).mended_by(blanks, ""));
        }
        let line = self.within_line(number, line);
        let max = self.bounds.message_lines;
        if let Post::Open { text, is_full, .. } = &mut self.post {
            if text.len() < max {
                text.push(line);
            } else if !*is_full && !line.is_empty() {
                *is_full = true;
                let span = Span {
                    line: number,
                    column: 1,
                    length: length(&line),
                };
                self.find(Diagnostic::error("N05", span, &[rule::GAP_33]).with("n", max as i64));
            }
        }
        if trimmed.is_empty() { Fate::Blank } else { Fate::Text }
    }

    fn message_head(&mut self, number: u32, head: &str) -> Fate {
        self.close_text();
        let head = head.split(';').next().unwrap_or_default();
        let words = tokens(number, head);
        let Some(first) = words.first().filter(|_| !head.starts_with(char::is_whitespace)) else {
            let head = head.trim();
            let span = Span {
                line: number,
                column: 1,
                length: 1,
            };
            let mut finding = unknown_recipient(span, head);
            if self.recipient(head).is_some() || head.eq_ignore_ascii_case("E") {
                let span = Span {
                    line: number,
                    column: 1,
                    length: words.last().map_or(1, |last| last.end()),
                };
                finding = finding.mended_by(span, format!("#{head}"));
            }
            self.post = Post::Dropped;
            return self.refuse(finding);
        };
        let span = Span {
            line: number,
            column: 1,
            length: length(first.text) + 1,
        };
        let is_end = first.text.eq_ignore_ascii_case("E");
        let recipient = self.recipient(first.text);
        match recipient {
            Some(value) => {
                self.post = Post::Open {
                    to: Spanned { span, value },
                    text: Vec::new(),
                    is_full: false,
                }
            }
            None if is_end => self.post = Post::Closed,
            None => {
                self.post = Post::Dropped;
                let mut finding = unknown_recipient(span, first.text);
                if let Some(letter) = first.text.chars().next().map(|letter| letter.to_ascii_uppercase())
                    && ['M', 'A', 'G', 'E'].contains(&letter)
                {
                    finding = finding.mended_by(span, format!("#{letter}"));
                }
                return self.refuse(finding);
            }
        }
        if let (Some(second), Some(last)) = (words.get(1), words.last()) {
            // The recipient is clear, but a head has no room for text.
            let (from, to) = (second.column + 1, last.end() + 1);
            let span = Span {
                line: number,
                column: from,
                length: to - from,
            };
            let rest = head.chars().skip(second.column as usize - 1).collect::<String>();
            let finding = Diagnostic::error("S02", span, grammar::SEND.rules).with("rest", rest.trim_end());
            let finding = finding.with_word("muster", grammar::SEND.pattern);
            self.find(finding.mended_by(span, ""));
        }
        Fate::Header
    }

    fn recipient(&self, text: &str) -> Option<Recipient> {
        match text {
            "M" | "m" => Some(Recipient::GameMaster),
            "A" | "a" => Some(Recipient::Everyone),
            "G" | "g" => Some(Recipient::Rumour),
            number if number.bytes().all(|byte| byte.is_ascii_digit()) => {
                let realm = RealmId(number.parse().ok()?);
                self.seat.realms.contains(&realm).then_some(Recipient::Realm(realm))
            }
            _ => None,
        }
    }

    /// A line of `$K` (THO-ORD-09).
    pub(super) fn culture_line(&mut self, number: u32, line: &str) -> Fate {
        let line = self.within_line(number, line);
        let max = self.bounds.culture_lines;
        let fate = if line.is_empty() { Fate::Blank } else { Fate::Text };
        if let Some((_, text, is_full)) = &mut self.culture {
            if text.len() < max {
                text.push(line);
            } else if !*is_full && fate == Fate::Text {
                *is_full = true;
                let span = Span {
                    line: number,
                    column: 1,
                    length: length(&line),
                };
                self.find(Diagnostic::error("K01", span, &[rule::ORD_09]).with("n", max as i64));
            }
        }
        fate
    }

    /// A line of text, cut to the longest that is allowed; a TAB is a blank.
    fn within_line(&mut self, number: u32, line: &str) -> String {
        if let Some(finding) = self.too_long(number, line) {
            self.find(finding);
        }
        line.chars()
            .take(self.bounds.line_length)
            .map(|letter| if letter == '\t' { ' ' } else { letter })
            .collect()
    }
}

fn unknown_recipient(span: Span, text: &str) -> Diagnostic {
    Diagnostic::error("N01", span, &[rule::GAP_33, rule::MSG_01]).with("t", format!("#{text}"))
}

fn trim_end(text: &mut Vec<String>) {
    while text.last().is_some_and(|line| line.trim().is_empty()) {
        text.pop();
    }
}
