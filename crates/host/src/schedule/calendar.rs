//! When deadlines fall: weekdays and times by the clocks of a place, with pauses, over changes to summer time.

use crate::Result;
use crate::desk::DeskError;
use crate::error::HostError;
use crate::unfit::Unfit;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};
use serde::{Deserialize, Serialize};

/// The rhythm of a world.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Rhythm {
    /// Time zone by its name.
    pub zone: String,
    /// Weekdays, Monday is 1 and Sunday 7.
    pub weekdays: Vec<u8>,
    /// Minutes after midnight, by the clocks of the zone.
    pub minute: u16,
    /// Every how many weeks.
    pub every_weeks: u16,
    /// A day (year-month-day) in one of the weeks that count.
    pub anchor: String,
    /// Players have at least so many hours for their orders.
    pub hours_min: u32,
}

/// Days on which no deadline falls.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Pause {
    /// First day (year-month-day).
    pub first_day: String,
    /// Last day (year-month-day).
    pub last_day: String,
    /// Why.
    pub note: String,
}

/// A rhythm finds its next deadline within this many days or not at all.
const DAYS_AHEAD: i32 = 3 * 366;

pub(super) fn day(text: &str) -> Result<Date> {
    // Only the long form: the day is compared as text elsewhere.
    match text.parse::<Date>() {
        Ok(date) if date.to_string() == text => Ok(date),
        _ => Err(DeskError::NoDay(text.to_owned()).into()),
    }
}

/// A moment with its offset (`2026-12-06T19:00:00Z`) or zone (`2026-12-06T20:00[Europe/Berlin]`).
pub fn moment_of(text: &str) -> Result<i64> {
    let zoned = text.parse::<jiff::Zoned>().map(|zoned| zoned.timestamp());
    zoned
        .or_else(|_| text.parse::<Timestamp>())
        .map(Timestamp::as_millisecond)
        .map_err(|_| DeskError::NoMoment(text.to_owned()).into())
}

pub(super) fn zone(name: &str) -> Result<TimeZone> {
    TimeZone::get(name).map_err(|_| HostError::Malformed(Unfit::Zone(name.to_owned())))
}

impl Pause {
    /// Whether both days are days, in order.
    pub(super) fn check(&self) -> Result<()> {
        if day(&self.first_day)? > day(&self.last_day)? {
            return Err(DeskError::BadPause.into());
        }
        Ok(())
    }

    fn covers(&self, date: Date) -> bool {
        matches!((day(&self.first_day), day(&self.last_day)), (Ok(first), Ok(last)) if first <= date && date <= last)
    }
}

/// The Monday of a day's week.
fn monday(date: Date) -> Result<Date> {
    date.checked_sub(i64::from(date.weekday().to_monday_zero_offset()).days())
        .map_err(out_of_time)
}

fn out_of_time(error: jiff::Error) -> HostError {
    HostError::Malformed(Unfit::Time(error.to_string()))
}

impl Rhythm {
    /// Whether a rhythm can be kept.
    pub(super) fn check(&self) -> Result<()> {
        zone(&self.zone)?;
        day(&self.anchor)?;
        let weekdays = !self.weekdays.is_empty() && self.weekdays.iter().all(|weekday| (1..=7).contains(weekday));
        if !weekdays || self.minute >= 24 * 60 || !(1..=52).contains(&self.every_weeks) || self.hours_min > 24 * 366 {
            return Err(DeskError::BadRhythm.into());
        }
        Ok(())
    }

    /// The first deadline that leaves players enough time from `now` on; nothing if pauses leave none.
    pub fn next(&self, now: i64, pauses: &[Pause]) -> Result<Option<i64>> {
        let zone = zone(&self.zone)?;
        let earliest = Timestamp::from_millisecond(now.saturating_add(i64::from(self.hours_min) * 3_600_000))
            .map_err(out_of_time)?;
        let first = earliest.to_zoned(zone.clone()).date();
        let anchor = monday(day(&self.anchor)?)?;
        let time = jiff::civil::time((self.minute / 60).min(23) as i8, (self.minute % 60) as i8, 0, 0);
        for ahead in 0..DAYS_AHEAD {
            let date = first.checked_add(ahead.days()).map_err(out_of_time)?;
            let weeks = anchor.until(monday(date)?).map_err(out_of_time)?.get_days() / 7;
            let counts = weeks.rem_euclid(i32::from(self.every_weeks.max(1))) == 0
                && self
                    .weekdays
                    .contains(&date.weekday().to_monday_one_offset().unsigned_abs())
                && !pauses.iter().any(|pause| pause.covers(date));
            if !counts {
                continue;
            }
            // A time that the clocks skip in spring is an hour later; one that comes twice in autumn is the first.
            let moment = zone
                .to_ambiguous_zoned(date.to_datetime(time))
                .compatible()
                .map_err(out_of_time)?
                .timestamp();
            if moment >= earliest {
                return Ok(Some(moment.as_millisecond()));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> i64 {
        text.parse::<Timestamp>().unwrap().as_millisecond()
    }

    fn sundays() -> Rhythm {
        Rhythm {
            zone: "Europe/Berlin".into(),
            weekdays: vec![7],
            minute: 20 * 60,
            every_weeks: 1,
            anchor: "2026-01-05".into(),
            hours_min: 0,
        }
    }

    fn next(rhythm: &Rhythm, from: &str, pauses: &[Pause]) -> Option<String> {
        let found = rhythm.next(at(from), pauses).unwrap()?;
        Some(Timestamp::from_millisecond(found).unwrap().to_string())
    }

    fn pause(first: &str, last: &str) -> Pause {
        Pause {
            first_day: first.into(),
            last_day: last.into(),
            note: String::new(),
        }
    }

    #[test]
    fn eight_in_the_evening_stays_eight_in_the_evening_when_clocks_change() {
        // In 2026 summer time begins on Sunday, March 29th, and ends on Sunday, October 25th.
        let rhythm = sundays();
        let expect = |from, to: &str| assert_eq!(next(&rhythm, from, &[]).as_deref(), Some(to));
        expect("2026-03-16T00:00:00Z", "2026-03-22T19:00:00Z");
        expect("2026-03-22T19:00:00.001Z", "2026-03-29T18:00:00Z");
        expect("2026-10-12T00:00:00Z", "2026-10-18T18:00:00Z");
        expect("2026-10-18T18:00:00.001Z", "2026-10-25T19:00:00Z");
    }

    #[test]
    fn a_time_that_is_skipped_comes_later_and_one_that_comes_twice_is_the_first() {
        let mut rhythm = sundays();
        rhythm.minute = 2 * 60 + 30;
        // 02:30 does not exist on March 29th: 03:30 summer time. It comes twice on October 25th: first in summer time.
        assert_eq!(
            next(&rhythm, "2026-03-28T00:00:00Z", &[]).unwrap(),
            "2026-03-29T01:30:00Z"
        );
        assert_eq!(
            next(&rhythm, "2026-10-24T00:00:00Z", &[]).unwrap(),
            "2026-10-25T00:30:00Z"
        );
    }

    #[test]
    fn the_moment_itself_counts_and_the_next_millisecond_does_not() {
        let rhythm = sundays();
        assert_eq!(
            next(&rhythm, "2026-06-07T18:00:00Z", &[]).unwrap(),
            "2026-06-07T18:00:00Z"
        );
        assert_eq!(
            next(&rhythm, "2026-06-07T18:00:00.001Z", &[]).unwrap(),
            "2026-06-14T18:00:00Z"
        );
        let hurried = Rhythm {
            hours_min: 48,
            ..sundays()
        };
        assert_eq!(
            next(&hurried, "2026-06-05T18:00:00Z", &[]).unwrap(),
            "2026-06-07T18:00:00Z",
            "exactly two days are left"
        );
        assert_eq!(
            next(&hurried, "2026-06-05T18:00:00.001Z", &[]).unwrap(),
            "2026-06-14T18:00:00Z"
        );
    }

    #[test]
    fn every_second_week_is_counted_from_the_anchor_over_the_turn_of_the_year() {
        let rhythm = Rhythm {
            every_weeks: 2,
            // A Wednesday: its week counts, and every second one after and before it.
            anchor: "2026-12-16".into(),
            ..sundays()
        };
        assert_eq!(
            next(&rhythm, "2026-12-14T00:00:00Z", &[]).unwrap(),
            "2026-12-20T19:00:00Z"
        );
        assert_eq!(
            next(&rhythm, "2026-12-21T00:00:00Z", &[]).unwrap(),
            "2027-01-03T19:00:00Z"
        );
        assert_eq!(
            next(&rhythm, "2026-11-30T00:00:00Z", &[]).unwrap(),
            "2026-12-06T19:00:00Z"
        );
    }

    #[test]
    fn a_pause_moves_the_deadline_to_the_next_day_that_counts() {
        let rhythm = Rhythm {
            weekdays: vec![3, 7],
            ..sundays()
        };
        let christmas = [pause("2026-12-20", "2027-01-03")];
        assert_eq!(
            next(&rhythm, "2026-12-17T00:00:00Z", &christmas).unwrap(),
            "2027-01-06T19:00:00Z"
        );
        let shorter = [pause("2026-12-21", "2027-01-02")];
        assert_eq!(
            next(&rhythm, "2026-12-17T00:00:00Z", &shorter).unwrap(),
            "2026-12-20T19:00:00Z"
        );
        assert_eq!(
            next(&rhythm, "2026-12-21T00:00:00Z", &shorter).unwrap(),
            "2027-01-03T19:00:00Z"
        );
        assert_eq!(
            next(&rhythm, "2026-12-17T00:00:00Z", &[pause("2026-01-01", "2040-01-01")]),
            None
        );
    }

    #[test]
    fn a_moment_has_an_offset_or_a_zone() {
        let noon = at("2026-07-01T10:00:00Z");
        assert_eq!(moment_of("2026-07-01T10:00:00Z").unwrap(), noon);
        assert_eq!(moment_of("2026-07-01T12:00[Europe/Berlin]").unwrap(), noon);
        for wrong in ["2026-07-01T12:00", "tomorrow", "", "2026-07-01T12:00[Europe/Atlantis]"] {
            assert!(moment_of(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_rhythm_that_cannot_be_kept_is_refused() {
        assert!(sundays().check().is_ok());
        let wrong: [fn(&mut Rhythm); 7] = [
            |rhythm| rhythm.zone = "Europe/Atlantis".into(),
            |rhythm| rhythm.weekdays.clear(),
            |rhythm| rhythm.weekdays.push(8),
            |rhythm| rhythm.minute = 1_440,
            |rhythm| rhythm.every_weeks = 0,
            |rhythm| rhythm.every_weeks = 53,
            |rhythm| rhythm.anchor = "2026-02-30".into(),
        ];
        for spoil in wrong {
            let mut rhythm = sundays();
            spoil(&mut rhythm);
            assert!(rhythm.check().is_err(), "{rhythm:?}");
        }
        assert!(pause("2026-01-02", "2026-01-01").check().is_err());
        assert!(pause("2026-01-02", "2026-01-02").check().is_ok());
    }
}
