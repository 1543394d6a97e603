//! Times as they are written: UTC, with the date whenever it is not the day that is meant anyway.

use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::contract::types::Millis;

const DAY: Millis = 86_400_000;

/// RFC 3339 in UTC, to the second.
pub fn rfc3339(millis: Millis) -> Option<String> {
    date_time(millis)?.replace_nanosecond(0).ok()?.format(&Rfc3339).ok()
}

/// `2026-09-05 15:04`.
pub fn date_and_minute(millis: Millis) -> String {
    date_time(millis).map_or_else(
        || "time unknown".to_owned(),
        |time| format!("{:04}-{:02}-{:02} {:02}:{:02}", time.year(), u8::from(time.month()), time.day(), time.hour(), time.minute()),
    )
}

/// `16:14` on the day of `day`, else `09-03 16:14`.
pub fn minute(millis: Millis, day: Option<Millis>) -> String {
    let Some(time) = date_time(millis) else { return "time unknown".to_owned() };
    let minute = format!("{:02}:{:02}", time.hour(), time.minute());
    if day.is_some_and(|day| day.div_euclid(DAY) == millis.div_euclid(DAY)) {
        minute
    } else {
        format!("{:02}-{:02} {minute}", u8::from(time.month()), time.day())
    }
}

/// `2026-09-04 05:32–16:17Z`, with both dates when they differ.
pub fn span(started: Millis, ended: Millis) -> String {
    if started.div_euclid(DAY) == ended.div_euclid(DAY) {
        format!("{}–{}Z", date_and_minute(started), minute(ended, Some(ended)))
    } else {
        format!("{} – {}Z", date_and_minute(started), date_and_minute(ended))
    }
}

/// `40 s`, `12 min`, `3 h`, `5 days`.
pub fn age(millis: Millis) -> String {
    let seconds = millis.max(0) / 1000;
    match seconds {
        0..=89 => format!("{seconds} s"),
        90..=5399 => format!("{} min", (seconds + 30) / 60),
        5400..=172_799 => format!("{} h", (seconds + 1800) / 3600),
        _ => format!("{} days", (seconds + 43_200) / 86_400),
    }
}

fn date_time(millis: Millis) -> Option<OffsetDateTime> {
    OffsetDateTime::from_unix_timestamp_nanos(i128::from(millis) * 1_000_000).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NINE: Millis = 1_788_512_400_000; // 2026-09-04T09:00:00Z

    #[test]
    fn times_carry_the_date_when_it_is_another_day() {
        assert_eq!(rfc3339(NINE + 7).as_deref(), Some("2026-09-04T09:00:00Z"));
        assert_eq!(minute(NINE, Some(NINE + 3_600_000)), "09:00");
        assert_eq!(minute(NINE - DAY, Some(NINE)), "09-03 09:00");
        assert_eq!(minute(NINE, None), "09-04 09:00");
        assert_eq!(span(NINE, NINE + 60_000), "2026-09-04 09:00–09:01Z");
        assert_eq!(span(NINE - DAY, NINE), "2026-09-03 09:00 – 2026-09-04 09:00Z");
        assert_eq!(minute(i64::MAX, None), "time unknown");
    }

    #[test]
    fn ages_have_one_unit() {
        for (millis, text) in [(-5, "0 s"), (89_000, "89 s"), (120_000, "2 min"), (7_200_000, "2 h"), (5 * DAY, "5 days")] {
            assert_eq!(age(millis), text);
        }
    }
}
