//! Moments as Go writes them.

use jiff::civil::{self, Date};

/// Milliseconds since 1970 of a moment of RFC 3339; `None` for any other text.
pub(super) fn millis(text: &str) -> Option<i64> {
    let number = |from: usize, to: usize| -> Option<i64> {
        let digits = text.get(from..to)?;
        digits
            .bytes()
            .all(|byte| byte.is_ascii_digit())
            .then_some(())?;
        digits.parse().ok()
    };
    let is = |at: usize, mark: &str| text.get(at..=at) == Some(mark);
    if !(is(4, "-") && is(7, "-") && is(10, "T") && is(13, ":") && is(16, ":")) {
        return None;
    }
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) || hour > 23 || minute > 59 {
        return None;
    }
    let rest = text.get(19..)?;
    let zone_at = 19 + rest.find(['Z', '+', '-'])?;
    let fraction = text.get(19..zone_at)?;
    let fraction = match fraction.strip_prefix('.') {
        Some(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            format!("{digits:0<3}").get(..3)?.parse().ok()?
        }
        Some(_) => return None,
        None if fraction.is_empty() => 0,
        None => return None,
    };
    let offset = match text.get(zone_at..)? {
        "Z" => 0,
        zone if zone.len() == 6 && is(zone_at + 3, ":") => {
            let (hours, minutes) = (
                number(zone_at + 1, zone_at + 3)?,
                number(zone_at + 4, zone_at + 6)?,
            );
            let east = hours * 60 + minutes;
            if zone.starts_with('-') { -east } else { east }
        }
        _ => return None,
    };
    let (year, month, day) = (year.try_into(), month.try_into(), day.try_into());
    let date = Date::new(year.ok()?, month.ok()?, day.ok()?).ok()?;
    let days = i64::from((date - civil::date(1970, 1, 1)).get_days());
    let minutes = days * 1440 + hour * 60 + minute - offset;
    Some((minutes * 60 + second) * 1000 + fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_of_every_zone_are_read() {
        assert_eq!(millis("1970-01-01T00:00:00Z"), Some(0));
        assert_eq!(
            millis("2024-02-29T12:00:00.123456789+09:00"),
            Some(1_709_175_600_123)
        );
        assert_eq!(
            millis("2026-11-25T00:30:00.5-03:30"),
            Some(1_795_579_200_500)
        );
        for wrong in [
            "",
            "yesterday",
            "2026-13-01T00:00:00Z",
            "2026-11-25T00:30:00",
            "2026-11-25T00:30:00.x1Z",
        ] {
            assert_eq!(millis(wrong), None, "{wrong}");
        }
    }
}
