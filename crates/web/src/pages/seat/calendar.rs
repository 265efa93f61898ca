//! The coming weeks as a ruler's calendar, by the clocks of his own place: when orders are due, where the game master has put a pause, when he is away.

use crate::page::Page;
use crate::time;
use host::schedule::{Absence, AtDeadline, Pause, Schedule};
use jiff::ToSpan as _;
use jiff::civil::Date;

/// Deadlines that the calendar shows beyond the one of the open turn.
const COMING: usize = 4;
/// Weeks that are drawn at most; later deadlines are only listed.
const WEEKS: i64 = 10;

/// The calendar.
pub struct Calendar {
    /// Weekdays from Monday on, the short name before the long one.
    pub weekdays: Vec<(String, String)>,
    /// Whole weeks from the present one to the last deadline.
    pub weeks: Vec<Vec<Day>>,
    /// The same as a list.
    pub entries: Vec<Entry>,
    /// What happens at a deadline, in sentences.
    pub then: Vec<String>,
}

impl Calendar {
    /// Whether the ruler is away on one of its days.
    pub fn away(&self) -> bool {
        self.weeks.iter().flatten().any(|day| day.away)
    }

    /// Whether a pause falls on one of its days.
    pub fn pause(&self) -> bool {
        self.weeks.iter().flatten().any(|day| day.pause)
    }

    /// Whether anything is marked that needs its words.
    pub fn marks(&self) -> bool {
        self.away() || self.pause()
    }
}

/// A day of the calendar.
#[derive(Default, PartialEq, Eq, Debug)]
pub struct Day {
    /// `29.`, and the month where one begins.
    pub name: String,
    /// Whether it lies in the past.
    pub past: bool,
    /// Whether it is today.
    pub today: bool,
    /// Whether the ruler is away.
    pub away: bool,
    /// Whether no deadline falls on it.
    pub pause: bool,
    /// The turns that are due, each with its time.
    pub due: Vec<(u32, String)>,
}

/// A moment of the list.
pub struct Entry {
    /// When.
    pub at: i64,
    /// What.
    pub what: String,
}

/// A deadline: the turn, and when it is due.
pub type Due = (u32, i64);

/// The deadlines that are known or can be foreseen: of the open turn and of those after it.
pub fn coming(now: i64, open: u32, schedule: &Schedule) -> host::Result<Vec<Due>> {
    let mut due: Vec<Due> = schedule.deadline.iter().map(|of| (of.step, of.due_at)).collect();
    due.extend((open + 1..).zip(schedule.coming(now, COMING)?));
    Ok(due)
}

/// The calendar of a ruler.
pub fn calendar(page: &Page, now: i64, open: u32, schedule: &Schedule, absences: &[Absence]) -> host::Result<Calendar> {
    let zone = page.time_zone();
    let due = coming(now, open, schedule)?;
    let mut entries: Vec<Entry> = due.iter().map(|of| entry(page, *of, absences)).collect();
    if let Some(of) = schedule.deadline.filter(|of| of.grace_until > of.due_at) {
        entries.push(Entry {
            at: of.grace_until,
            what: page.t1("lead.grace-ends", "step", of.step),
        });
    }
    entries.sort_by_key(|entry| entry.at);
    let weekday = |number: u8| {
        let long = page.t(&format!("time.weekday-{number}"));
        let short: String = long.chars().take(2).collect();
        (short, long)
    };
    // A day of the grid is narrow on a phone: months by their first letters, as on short dates.
    let month = |date: Date| format!("{:.3}", page.t(&format!("time.month-{}", date.month())));
    Ok(Calendar {
        weekdays: (1..=7).map(weekday).collect(),
        weeks: weeks(zone, now, &due, absences, &schedule.pauses, &month),
        entries,
        then: then(page, schedule),
    })
}

/// A deadline in the list; one during an absence counts as excused.
fn entry(page: &Page, (step, at): Due, absences: &[Absence]) -> Entry {
    let what = page.t1("lead.due-turn", "step", step);
    Entry {
        at,
        what: match is_away(absences, at, at + 1) {
            true => page.t1("seat.due-away", "what", what),
            false => what,
        },
    }
}

fn is_away(absences: &[Absence], from: i64, until: i64) -> bool {
    absences.iter().any(|of| of.from_at < until && from < of.until_at)
}

/// What happens at a deadline.
fn then(page: &Page, schedule: &Schedule) -> Vec<String> {
    let policy = schedule.policy;
    if schedule.deadline.is_none() && schedule.rhythm.is_none() {
        return vec![page.t("seat.no-deadline")];
    }
    let mut then = vec![page.t(match policy.run {
        AtDeadline::ByHand => "seat.then-by-hand",
        AtDeadline::Complete => "seat.then-complete",
        AtDeadline::Always => "seat.then-always",
    })];
    if policy.early {
        then.push(page.t("seat.then-early"));
    }
    if schedule.rhythm.is_none() {
        then.push(page.t("seat.no-rhythm"));
    }
    then
}

/// The weeks from the present one to the last deadline, by the clocks of a zone.
fn weeks(
    zone: &str,
    now: i64,
    due: &[Due],
    absences: &[Absence],
    pauses: &[Pause],
    month: &dyn Fn(Date) -> String,
) -> Vec<Vec<Day>> {
    let today = time::date(zone, now);
    let Some(last) = due.iter().map(|(_, at)| time::date(zone, *at)).max() else {
        return Vec::new();
    };
    let first = today.saturating_sub(i64::from(today.weekday().to_monday_zero_offset()).days());
    let day = |date: Date| {
        let written = date.to_string();
        let (from, until) = (time::day_begins(zone, &written), time::day_ends(zone, &written));
        let begins_month = date.day() == 1 || date == first;
        Day {
            name: match begins_month {
                true => format!("{}. {}", date.day(), month(date)),
                false => format!("{}.", date.day()),
            },
            past: date < today,
            today: date == today,
            away: is_away(absences, from.unwrap_or(i64::MAX), until.unwrap_or(i64::MIN)),
            // Days are written so that they sort as texts.
            pause: (pauses.iter()).any(|of| of.first_day <= written && written <= of.last_day),
            due: (due.iter())
                .filter(|(_, at)| time::date(zone, *at) == date)
                .map(|(step, at)| (*step, time::clock(zone, *at)))
                .collect(),
        }
    };
    let mondays = (0..WEEKS).map(|week| first.saturating_add((week * 7).days()));
    mondays
        .take_while(|monday| *monday <= last)
        .map(|monday| (0..7).map(|ahead| day(monday.saturating_add(ahead.days()))).collect())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::realm::RealmId;

    fn at(text: &str) -> i64 {
        text.parse::<jiff::Timestamp>().unwrap().as_millisecond()
    }

    /// Days with a deadline, `week weekday name time`.
    fn marked(zone: &str, now: &str, due: &[&str]) -> Vec<String> {
        let due: Vec<Due> = (9..).zip(due.iter().map(|text| at(text))).collect();
        let weeks = weeks(zone, at(now), &due, &[], &[], &|date| date.month().to_string());
        let mut found = Vec::new();
        for (week, days) in weeks.iter().enumerate() {
            assert_eq!(days.len(), 7);
            for (weekday, day) in days.iter().enumerate() {
                found.extend(
                    day.due
                        .iter()
                        .map(|(step, time)| format!("{week} {} {} {step} {time}", weekday + 1, day.name)),
                );
            }
        }
        found
    }

    /// Sundays, 20:00 in Berlin, around the end of summer time there on 25 October 2026.
    const SUNDAYS: [&str; 3] = ["2026-10-18T18:00:00Z", "2026-10-25T19:00:00Z", "2026-11-01T19:00:00Z"];

    #[test]
    fn deadlines_stand_on_the_day_and_at_the_time_of_the_reader() {
        let now = "2026-10-15T12:00:00Z";
        assert_eq!(
            marked("Europe/Berlin", now, &SUNDAYS),
            ["0 7 18. 9 20:00", "1 7 25. 10 20:00", "2 7 1. 11 11 20:00"]
        );
        // In Sydney it is Monday morning. Clocks there went forward on 4 October; those of Berlin go back on the 25th: an hour later by the same rhythm.
        assert_eq!(
            marked("Australia/Sydney", now, &SUNDAYS),
            ["1 1 19. 9 05:00", "2 1 26. 10 06:00", "3 1 2. 11 06:00"]
        );
        // In New York clocks go back a week later than in Berlin: for one week the distance is five hours.
        assert_eq!(
            marked("America/New_York", now, &SUNDAYS),
            ["0 7 18. 9 14:00", "1 7 25. 10 15:00", "2 7 1. 11 11 14:00"]
        );
    }

    #[test]
    fn today_and_the_past_are_those_of_the_reader() {
        // Wednesday evening in Berlin, Thursday morning in Sydney.
        let now = at("2026-10-14T20:00:00Z");
        let today = |zone: &str| {
            let weeks = weeks(zone, now, &[(9, at(SUNDAYS[0]))], &[], &[], &|_| String::new());
            let first = &weeks[0];
            let past = first.iter().filter(|day| day.past).count();
            (first.iter().position(|day| day.today), past)
        };
        assert_eq!(today("Europe/Berlin"), (Some(2), 2));
        assert_eq!(today("Australia/Sydney"), (Some(3), 3));
    }

    #[test]
    fn days_away_and_pauses_are_marked_whole() {
        let zone = "Europe/Berlin";
        let away = Absence {
            realm: RealmId(1),
            from_at: time::day_begins(zone, "2026-10-24").unwrap(),
            until_at: time::day_ends(zone, "2026-10-25").unwrap(),
            computer: false,
            note: String::new(),
        };
        let pause = Pause {
            first_day: "2026-10-30".into(),
            last_day: "2026-11-01".into(),
            note: String::new(),
        };
        let due = [(9, at(SUNDAYS[2]))];
        let weeks = weeks(zone, at("2026-10-20T12:00:00Z"), &due, &[away], &[pause], &|_| {
            "x".into()
        });
        let days = |of: fn(&Day) -> bool| -> Vec<String> {
            weeks
                .iter()
                .flatten()
                .filter(|day| of(day))
                .map(|day| day.name.clone())
                .collect()
        };
        assert_eq!(days(|day| day.away), ["24.", "25."]);
        assert_eq!(days(|day| day.pause), ["30.", "31.", "1. x"]);
        assert_eq!(weeks.len(), 2);
    }

    #[test]
    fn without_a_deadline_no_weeks_are_drawn_and_never_too_many() {
        let drawn = |due: &[Due]| weeks("UTC", at("2026-10-15T12:00:00Z"), due, &[], &[], &|_| String::new()).len();
        assert_eq!(drawn(&[]), 0);
        assert_eq!(drawn(&[(9, at("2026-10-18T23:59:00Z"))]), 1);
        assert_eq!(drawn(&[(9, at("2026-10-19T00:00:00Z"))]), 2);
        assert_eq!(drawn(&[(9, at("2027-10-18T18:00:00Z"))]), 10);
    }
}
