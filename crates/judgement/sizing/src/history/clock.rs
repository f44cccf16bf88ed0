//! Parses the time formats of logs to seconds since 1970.
//!
//! Neighbouring lines have the same second or minute, so the last result is kept and only the
//! difference is computed.

use jiff::civil::{self, Date};

use super::entry::number;

/// A time and its offset from UTC, both in seconds; `None` where the text has no zone, and UTC is
/// taken.
pub(super) type Stamp = (i64, Option<i32>);

/// The accepted range of times: from 1995 to 2100.
const SENSIBLE: std::ops::Range<i64> = 788_918_400..4_102_444_800;

/// `10/Oct/2000:13:55:36 -0700`.
#[derive(Debug, Default)]
pub(super) struct CommonClock {
    /// The text of the last time up to the minute, and its zone.
    minute: [u8; 17],
    zone: [u8; 5],
    /// When that minute begins.
    at: i64,
    offset: Option<i32>,
}

impl CommonClock {
    pub(super) fn read(&mut self, text: &[u8]) -> Option<Stamp> {
        if text.len() != 26 || text[17] != b':' || text[20] != b' ' {
            return None;
        }
        let second = two(&text[18..20])?;
        if text[..17] != self.minute || text[21..] != self.zone {
            let (at, offset) = whole(text)?;
            self.minute.copy_from_slice(&text[..17]);
            self.zone.copy_from_slice(&text[21..]);
            self.at = at;
            self.offset = offset;
        }
        (second <= 60).then_some((self.at + second, self.offset))
    }
}

/// The start of the minute.
fn whole(text: &[u8]) -> Option<Stamp> {
    const MONTHS: &[u8; 36] = b"JanFebMarAprMayJunJulAugSepOctNovDec";
    let day = two(&text[0..2])?;
    let month = MONTHS.chunks(3).position(|name| name == &text[3..6])?;
    let year = i64::try_from(number(&text[7..11])?).ok()?;
    let (hour, minute) = (two(&text[12..14])?, two(&text[15..17])?);
    let marks = [text[2], text[6], text[11], text[14]];
    if marks != *b"//::" {
        return None;
    }
    let offset = Some(zone(&text[21..26])?);
    let days = days_since_1970(year, i64::try_from(month).ok()? + 1, day)?;
    at(days, hour, minute, 0, offset)
}

fn at(days: i64, hour: i64, minute: i64, second: i64, offset: Option<i32>) -> Option<Stamp> {
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let time = days * 86_400 + hour * 3600 + minute * 60 + second - i64::from(offset.unwrap_or(0));
    SENSIBLE.contains(&time).then_some((time, offset))
}

/// `+0900`, `-07:00`.
fn zone(text: &[u8]) -> Option<i32> {
    let sign = match text.first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let minutes = match text.len() {
        5 => &text[3..5],
        6 if text[3] == b':' => &text[4..6],
        _ => return None,
    };
    let (hours, minutes) = (two(&text[1..3])?, two(minutes)?);
    let seconds = hours * 3600 + minutes * 60;
    (hours <= 18).then_some(sign * i32::try_from(seconds).ok()?)
}

fn two(text: &[u8]) -> Option<i64> {
    match text {
        [a, b] if a.is_ascii_digit() && b.is_ascii_digit() => {
            Some(i64::from(a - b'0') * 10 + i64::from(b - b'0'))
        }
        _ => None,
    }
}

/// Days from 1970-01-01; `None` for an invalid date.
fn days_since_1970(year: i64, month: i64, day: i64) -> Option<i64> {
    let (year, month, day) = (year.try_into(), month.try_into(), day.try_into());
    let date = Date::new(year.ok()?, month.ok()?, day.ok()?).ok()?;
    Some(i64::from((date - civil::date(1970, 1, 1)).get_days()))
}

/// Parses `2024-05-06T07:08:09.123Z`, the same with a space or an offset, seconds or milliseconds
/// since 1970, or the format of the common log.
pub(super) fn read_any(text: &[u8]) -> Option<Stamp> {
    if let Some(epoch) = epoch(text) {
        return SENSIBLE.contains(&epoch).then_some((epoch, Some(0)));
    }
    if text.len() == 26 && text[2] == b'/' {
        return CommonClock::default().read(text);
    }
    // HAProxy's has milliseconds and no zone.
    if text.len() >= 20 && text[2] == b'/' && matches!(text.get(20), None | Some(b'.')) {
        let mut zoned = *b"dd/Mon/yyyy:hh:mm:ss +0000";
        zoned[..20].copy_from_slice(&text[..20]);
        let (time, _) = CommonClock::default().read(&zoned)?;
        return Some((time, None));
    }
    iso(text)
}

fn epoch(text: &[u8]) -> Option<i64> {
    let whole = text.split(|b| *b == b'.').next()?;
    let value = i64::try_from(number(whole)?).ok()?;
    match whole.len() {
        9..=10 => Some(value),
        13 => Some(value / 1000),
        16 => Some(value / 1_000_000),
        _ => None,
    }
}

fn iso(text: &[u8]) -> Option<Stamp> {
    if text.len() < 19 || text[4] != b'-' || text[7] != b'-' || !matches!(text[10], b'T' | b' ') {
        return None;
    }
    let year = i64::try_from(number(&text[0..4])?).ok()?;
    let days = days_since_1970(year, two(&text[5..7])?, two(&text[8..10])?)?;
    let clock = [
        two(&text[11..13])?,
        two(&text[14..16])?,
        two(&text[17..19])?,
    ];
    let mut rest = &text[19..];
    if let [b'.' | b',', after @ ..] = rest {
        let end = after.iter().position(|b| !b.is_ascii_digit());
        rest = &after[end.unwrap_or(after.len())..];
    }
    let offset = match rest {
        [] => None,
        b"Z" | b"z" => Some(0),
        zoned => Some(zone(zoned)?),
    };
    let [hour, minute, second] = clock;
    at(days, hour, minute, second, offset)
}

#[cfg(test)]
mod tests {
    use jiff::Span;

    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_form_names_the_same_second() {
        let stamp = |offset| Some((971_211_336, Some(offset)));
        let without_zone = Some((971_211_336, None));
        let mut clock = CommonClock::default();
        assert_eq!(clock.read(b"10/Oct/2000:13:55:36 -0700"), stamp(-25_200));
        assert_eq!(clock.read(b"10/Oct/2000:13:55:36 -0700"), stamp(-25_200));
        assert_eq!(clock.read(b"10/Oct/2000:20:55:36 +0000"), stamp(0));
        assert_eq!(read_any(b"2000-10-10T20:55:36Z"), stamp(0));
        assert_eq!(read_any(b"2000-10-10 20:55:36.123"), without_zone);
        assert_eq!(read_any(b"2000-10-10T13:55:36.5-07:00"), stamp(-25_200));
        assert_eq!(read_any(b"971211336"), stamp(0));
        assert_eq!(read_any(b"971211336000"), None);
        assert_eq!(read_any(b"971211336.25"), stamp(0));
        assert_eq!(read_any(b"10/Oct/2000:20:55:36.655"), without_zone);
    }

    #[test]
    fn what_is_no_time_is_none() {
        let mut clock = CommonClock::default();
        for wrong in [
            &b"10/Oct/2000:13:55:36"[..],
            b"10/Foo/2000:13:55:36 -0700",
            b"32/Oct/2000:13:55:36 -0700",
            b"10/Oct/2000:24:55:36 -0700",
            b"10/Oct/0000:13:55:36 -0700",
            b"10/Oct/2000:13:55:3x -0700",
            b"",
        ] {
            assert_eq!(clock.read(wrong), None);
        }
        assert_eq!(read_any(b"2000-13-10T20:55:36Z"), None);
        assert_eq!(read_any(b"2001-02-29T20:55:36Z"), None);
        assert_eq!(read_any(b"yesterday"), None);
    }

    proptest! {
        #[test]
        fn a_date_is_that_of_its_days(days in 9_132_i64..47_482) {
            let date = civil::date(1970, 1, 1) + Span::new().days(days);
            let (year, month, day) = (date.year(), date.month(), date.day());
            let found = days_since_1970(year.into(), month.into(), day.into());
            prop_assert_eq!(found, Some(days));
        }
    }
}
