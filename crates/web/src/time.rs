//! Moments as people say them, in their own time zone.

use crate::words::Words;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _, Zoned};
use render::locale::Language;
use std::sync::OnceLock;

/// The time zone of visitors who have not chosen one.
pub const DEFAULT_ZONE: &str = "Europe/Berlin";

fn zoned(zone: &str, milliseconds: i64) -> Zoned {
    let moment = Timestamp::from_millisecond(milliseconds).unwrap_or(Timestamp::UNIX_EPOCH);
    moment.to_zoned(TimeZone::get(zone).unwrap_or(TimeZone::UTC))
}

/// `Sonntag, 29. November 2026, 20:00`
pub fn moment(words: Words, zone: &str, milliseconds: i64) -> String {
    said(words, "time.moment", &zoned(zone, milliseconds))
}

/// When something begins that lasts for days: `Sonntag, 29. November 2026`; the moment if no day of the reader's begins there.
pub fn beginning(words: Words, zone: &str, milliseconds: i64) -> String {
    let at = zoned(zone, milliseconds);
    let key = if begins_a_day(&at) { "time.day" } else { "time.moment" };
    said(words, key, &at)
}

/// A moment as a text says it.
fn said(words: Words, key: &str, at: &Zoned) -> String {
    let weekday = words.with(&format!("time.weekday-{}", at.weekday().to_monday_one_offset()), &[]);
    let month = words.with(&format!("time.month-{}", at.month()), &[]);
    words.with(
        key,
        &[
            ("weekday", weekday),
            ("day", at.day().to_string()),
            ("month", month),
            ("year", at.year().to_string()),
            ("time", format!("{:02}:{:02}", at.hour(), at.minute())),
        ],
    )
}

/// `29.11.2026, 20:00`; in English `29 Nov 2026, 20:00`, as 1/12 is a day in January to some and in December to others.
pub fn short_moment(words: Words, zone: &str, milliseconds: i64) -> String {
    let at = zoned(zone, milliseconds);
    format!("{}, {:02}:{:02}", short_day(words, at.date()), at.hour(), at.minute())
}

/// `29.11.2026`
fn short_day(words: Words, date: jiff::civil::Date) -> String {
    let (year, month, day) = (date.year(), date.month(), date.day());
    match words.language() {
        Language::German => format!("{day}.{month}.{year}"),
        Language::English => format!("{day} {:.3} {year}", words.t(&format!("time.month-{month}"))),
    }
}

/// A stretch of time as the reader entered it: whole days of his zone from the first to the last, `23.11.2026 bis 27.11.2026`. What was entered by
/// the clocks of another zone is told to the minute.
pub fn stretch(words: Words, zone: &str, from: i64, until: i64) -> String {
    let first = zoned(zone, from);
    match last_day(zone, until).filter(|_| begins_a_day(&first)) {
        Some(last) if last == first.date() => short_day(words, last),
        Some(last) => words.t2(
            "seat.from-to",
            "from",
            short_day(words, first.date()),
            "to",
            short_day(words, last),
        ),
        None => words.t2(
            "seat.from-to",
            "from",
            short_moment(words, zone, from),
            "to",
            short_moment(words, zone, until),
        ),
    }
}

/// Whole days as forms and the store write them, the same by every clock: `24.12.2026 bis 6.1.2027`. What is no day stays as it is.
pub fn days(words: Words, first: &str, last: &str) -> String {
    let span = day_begins("UTC", first).zip(day_ends("UTC", last));
    span.map_or_else(
        || format!("{first} – {last}"),
        |(from, until)| stretch(words, "UTC", from, until),
    )
}

/// Until when something lasts, as the reader entered it: the last whole day, `27.11.2026`; to the minute if no day of his ends there.
pub fn until(words: Words, zone: &str, end: i64) -> String {
    match last_day(zone, end) {
        Some(last) => short_day(words, last),
        None => short_moment(words, zone, end),
    }
}

fn begins_a_day(at: &Zoned) -> bool {
    at.start_of_day().is_ok_and(|begin| begin == *at)
}

/// The day that ends at a moment; nothing if none does.
fn last_day(zone: &str, end: i64) -> Option<jiff::civil::Date> {
    let end = zoned(zone, end);
    end.date().yesterday().ok().filter(|_| begins_a_day(&end))
}

/// Since when something is counted, from now: `Seit heute, 9:30`, `Seit gestern`, `Seit Montag`, `Seit dem 29. November`.
pub fn since(words: Words, zone: &str, milliseconds: i64, now: i64) -> String {
    let (at, now) = (zoned(zone, milliseconds), zoned(zone, now));
    let days = now.date().since(at.date()).map_or(i32::MAX, |span| span.get_days());
    match days {
        ..=0 => words.t1("time.since-today", "time", format!("{}:{:02}", at.hour(), at.minute())),
        1 => words.t("time.since-yesterday"),
        2..=6 => {
            let weekday = words.t(&format!("time.weekday-{}", at.weekday().to_monday_one_offset()));
            words.t1("time.since-weekday", "weekday", weekday)
        }
        _ => {
            let month = words.t(&format!("time.month-{}", at.month()));
            words.t2("time.since-day", "day", at.day(), "month", month)
        }
    }
}

/// `2026-11-29T19:00:00Z`
pub fn machine(milliseconds: i64) -> String {
    Timestamp::from_millisecond(milliseconds)
        .unwrap_or(Timestamp::UNIX_EPOCH)
        .to_string()
}

/// How long until a moment, in its two largest parts: `13 Tage, 21 Stunden`. Nothing for the past.
pub fn left(words: Words, milliseconds: i64) -> Option<String> {
    let minutes = milliseconds.div_euclid(60_000);
    if milliseconds < 0 {
        return None;
    }
    let (days, hours, rest) = (minutes / 1_440, minutes / 60 % 24, minutes % 60);
    Some(match (days, hours) {
        (0, 0) => words.n("time.minutes", rest),
        (0, _) => format!("{}, {}", words.n("time.hours", hours), words.n("time.minutes", rest)),
        _ => format!("{}, {}", words.n("time.days", days), words.n("time.hours", hours)),
    })
}

/// The day of a moment by the clocks of a zone.
pub fn date(zone: &str, milliseconds: i64) -> jiff::civil::Date {
    zoned(zone, milliseconds).date()
}

/// The time of day of a moment: `20:00`.
pub fn clock(zone: &str, milliseconds: i64) -> String {
    zoned(zone, milliseconds).strftime("%H:%M").to_string()
}

/// The day of a moment, as forms write it: `2026-11-29`.
pub fn day(zone: &str, milliseconds: i64) -> String {
    zoned(zone, milliseconds).date().to_string()
}

/// A moment as a field for one has it: `2026-11-29T20:00`.
pub fn field(zone: &str, milliseconds: i64) -> String {
    zoned(zone, milliseconds).strftime("%Y-%m-%dT%H:%M").to_string()
}

/// The same time of day some days later, by the clocks of the zone.
pub fn days_later(zone: &str, milliseconds: i64, days: u16) -> i64 {
    let at = zoned(zone, milliseconds);
    let later = at.checked_add(i64::from(days).days());
    later.map_or(milliseconds, |later| later.timestamp().as_millisecond())
}

/// When a day begins that a form wrote.
pub fn day_begins(zone: &str, day: &str) -> Option<i64> {
    let day: jiff::civil::Date = day.trim().parse().ok()?;
    let zone = TimeZone::get(zone).unwrap_or(TimeZone::UTC);
    Some(day.to_zoned(zone).ok()?.timestamp().as_millisecond())
}

/// When a day ends that a form wrote: when the next one begins.
pub fn day_ends(zone: &str, day: &str) -> Option<i64> {
    let day: jiff::civil::Date = day.trim().parse().ok()?;
    day_begins(zone, &day.tomorrow().ok()?.to_string())
}

/// The names of all time zones.
pub fn zones() -> &'static [String] {
    static ZONES: OnceLock<Vec<String>> = OnceLock::new();
    ZONES.get_or_init(|| {
        let names = jiff::tz::db().available().map(|name| name.as_str().to_owned());
        // Those without a continent are abbreviations and relics.
        let mut names: Vec<String> = names
            .filter(|name| name.contains('/') && !name.starts_with("Etc/"))
            .collect();
        names.push("UTC".to_owned());
        names.sort();
        names
    })
}

/// Whether there is a time zone of this name.
pub fn is_zone(name: &str) -> bool {
    name.len() <= 64 && TimeZone::get(name).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_told_in_the_time_of_the_reader() {
        // 29 November 2026, 19:00 UTC, a Sunday.
        let at = 1_795_978_800_000;
        let (german, english) = (Words::of(Language::German), Words::of(Language::English));
        assert_eq!(moment(german, "Europe/Berlin", at), "Sonntag, 29. November 2026, 20:00");
        assert_eq!(
            moment(english, "America/New_York", at),
            "Sunday, 29 November 2026, 14:00"
        );
        assert_eq!(short_moment(german, "Europe/Berlin", at), "29.11.2026, 20:00");
        assert_eq!(machine(at), "2026-11-29T19:00:00Z");
        // In summer Berlin is two hours ahead.
        assert_eq!(
            short_moment(german, "Europe/Berlin", at - 183 * 86_400_000),
            "30.5.2026, 21:00"
        );
        assert_eq!(short_moment(german, "Nowhere/Else", at), "29.11.2026, 19:00");
        assert_eq!(short_moment(english, "Europe/Berlin", at), "29 Nov 2026, 20:00");
    }

    #[test]
    fn a_stretch_is_told_in_days_where_it_was_entered_and_to_the_minute_elsewhere() {
        let words = Words::of(Language::German);
        let days = |zone: &str, first: &str, last: &str, reader: &str| {
            let (from, until) = (day_begins(zone, first).unwrap(), day_ends(zone, last).unwrap());
            stretch(words, reader, from, until)
        };
        let berlin = "Europe/Berlin";
        // The clocks go back on 25 October 2026: that day has 25 hours.
        assert_eq!(
            days(berlin, "2026-10-24", "2026-10-26", berlin),
            "24.10.2026 bis 26.10.2026"
        );
        assert_eq!(days(berlin, "2026-10-25", "2026-10-25", berlin), "25.10.2026");
        assert_eq!(
            days(berlin, "2026-10-24", "2026-10-26", "America/New_York"),
            "23.10.2026, 18:00 bis 26.10.2026, 19:00"
        );
        // In Santiago the clocks go forward at midnight: the day begins at one o'clock and is a whole one all the same.
        let santiago = "America/Santiago";
        assert_eq!(days(santiago, "2026-09-06", "2026-09-06", santiago), "6.9.2026");
        let begin = day_begins(berlin, "2026-10-25").unwrap();
        assert_eq!(beginning(words, berlin, begin), "Sonntag, 25. Oktober 2026");
        assert_eq!(
            beginning(words, "America/New_York", begin),
            "Samstag, 24. Oktober 2026, 18:00"
        );
        // The last day is told, not the midnight at which it ends.
        let end = day_ends(berlin, "2026-10-25").unwrap();
        assert_eq!(until(words, berlin, end), "25.10.2026");
        assert_eq!(until(words, "America/New_York", end), "25.10.2026, 19:00");
    }

    #[test]
    fn a_day_later_is_the_same_time_of_day_when_clocks_change() {
        // Saturday, 24 October 2026, 20:00 in Berlin; the clocks go back in the night.
        let at = 1_792_864_800_000;
        assert_eq!(field("Europe/Berlin", at), "2026-10-24T20:00");
        assert_eq!(
            field("Europe/Berlin", days_later("Europe/Berlin", at, 1)),
            "2026-10-25T20:00"
        );
        assert_eq!(days_later("Europe/Berlin", at, 1) - at, 25 * 3_600_000);
        assert_eq!(days_later("UTC", at, 1) - at, 24 * 3_600_000);
        assert_eq!(days_later("Europe/Berlin", at, 0), at);
    }

    #[test]
    fn the_last_visit_is_told_by_the_days_of_the_reader() {
        // 29 November 2026, 20:00 in Berlin, a Sunday.
        let (now, hour, day) = (1_795_978_800_000, 3_600_000, 86_400_000);
        let words = Words::of(Language::German);
        let told = |at: i64| since(words, "Europe/Berlin", at, now);
        assert_eq!(told(now - 20 * hour), "Seit heute, 0:00");
        assert_eq!(told(now - 20 * hour - 60_000), "Seit gestern");
        assert_eq!(told(now - day - 20 * hour), "Seit gestern");
        assert_eq!(told(now - day - 20 * hour - 60_000), "Seit Freitag");
        assert_eq!(told(now - 6 * day), "Seit Montag");
        assert_eq!(told(now - 7 * day), "Seit dem 22. November");
        assert_eq!(told(now - 400 * day), "Seit dem 25. Oktober");
        let english = Words::of(Language::English);
        assert_eq!(since(english, "Europe/Berlin", now - day, now), "Since yesterday");
    }

    #[test]
    fn what_is_left_is_told_in_two_parts() {
        let words = Words::of(Language::German);
        let (minute, hour, day) = (60_000, 3_600_000, 86_400_000);
        assert_eq!(left(words, 13 * day + 21 * hour).unwrap(), "13 Tage, 21 Stunden");
        assert_eq!(left(words, day + hour).unwrap(), "1 Tag, 1 Stunde");
        assert_eq!(left(words, day - minute).unwrap(), "23 Stunden, 59 Minuten");
        assert_eq!(left(words, minute).unwrap(), "1 Minute");
        assert_eq!(left(words, 59_999).unwrap(), "0 Minuten");
        assert_eq!(left(words, -1), None);
    }

    #[test]
    fn whole_days_are_told_as_days_by_every_clock() {
        let (german, english) = (Words::of(Language::German), Words::of(Language::English));
        assert_eq!(days(german, "2026-12-24", "2027-01-06"), "24.12.2026 bis 6.1.2027");
        assert_eq!(days(english, "2026-12-24", "2027-01-06"), "24 Dec 2026 to 6 Jan 2027");
        assert_eq!(days(german, "2026-12-24", "2026-12-24"), "24.12.2026");
        assert_eq!(days(german, "irgendwann", "2026-12-24"), "irgendwann – 2026-12-24");
    }

    #[test]
    fn zones_are_those_of_the_world() {
        assert!(is_zone("Europe/Vienna") && is_zone("UTC"));
        assert!(zones().iter().all(|name| is_zone(name)) && zones().len() > 300);
        assert!(!is_zone("Mars/Olympus") && !is_zone("../etc/passwd") && !is_zone(""));
    }
}
