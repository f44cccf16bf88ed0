//! Frequencies as exact fractions.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::duration::parse_duration;
use crate::halfwidth::halfwidth;

/// A frequency: `events` per `per`, kept as a fraction so that planned counts are exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    events: u64,
    per: Duration,
}

/// Why a rate could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RateError {
    /// The text is not `NUMBER/UNIT`.
    #[error("`{found}` is not a rate")]
    Malformed {
        /// What was written.
        found: String,
    },
    /// The time unit is zero.
    #[error("a rate needs a time unit above zero")]
    ZeroUnit,
}

impl Rate {
    /// `events` per `per`.
    ///
    /// # Errors
    /// [`RateError::ZeroUnit`] when `per` is zero.
    pub fn new(events: u64, per: Duration) -> Result<Self, RateError> {
        if per.is_zero() {
            return Err(RateError::ZeroUnit);
        }
        Ok(Self { events, per })
    }

    /// `events` per second.
    #[must_use]
    pub const fn per_second(events: u64) -> Self {
        Self {
            events,
            per: Duration::from_secs(1),
        }
    }

    /// The numerator.
    #[must_use]
    pub const fn events(self) -> u64 {
        self.events
    }

    /// The time unit the numerator counts in; never zero.
    #[must_use]
    pub const fn per(self) -> Duration {
        self.per
    }

    /// Events per second, rounded to a float for display and estimates.
    #[must_use]
    pub fn as_per_second(self) -> f64 {
        self.events as f64 / self.per.as_secs_f64()
    }
}

impl FromStr for Rate {
    type Err = RateError;

    /// Reads `2000/s`, `30/m`, `0.579/s`, `5/250ms`; a bare number is per second.
    fn from_str(text: &str) -> Result<Self, RateError> {
        let malformed = || RateError::Malformed {
            found: text.to_owned(),
        };
        let narrow = halfwidth(text);
        let narrow = narrow.trim();
        let (number, unit) = narrow.split_once('/').unwrap_or((narrow, "s"));
        let per = match unit.trim() {
            "" => return Err(malformed()),
            u if u.starts_with(|c: char| c.is_ascii_digit()) => parse_duration(u),
            u => parse_duration(&format!("1{u}")),
        }
        .map_err(|_| malformed())?;
        let (whole, fraction) = number.trim().split_once('.').unwrap_or((number.trim(), ""));
        let all_digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
        if whole.is_empty() || !all_digits(whole) || !all_digits(fraction) || fraction.len() > 6 {
            return Err(malformed());
        }
        let scale = 10_u32.pow(u32::try_from(fraction.len()).map_err(|_| malformed())?);
        let events = format!("{whole}{fraction}")
            .parse()
            .map_err(|_| malformed())?;
        let per = per.checked_mul(scale).ok_or_else(malformed)?;
        Self::new(events, per)
    }
}

impl fmt::Display for Rate {
    /// Events per second with at most two decimals: `2000/s`, `0.58/s`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{:.2}", self.as_per_second());
        let text = text.trim_end_matches('0').trim_end_matches('.');
        write!(f, "{text}/s")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_whole_and_decimal_rates_exactly() {
        let thousand: Rate = "2000/s".parse().unwrap();
        assert_eq!(
            (thousand.events(), thousand.per()),
            (2000, Duration::from_secs(1))
        );
        let small: Rate = "0.579/s".parse().unwrap();
        assert_eq!(
            (small.events(), small.per()),
            (579, Duration::from_secs(1000))
        );
        let minute: Rate = "30/m".parse().unwrap();
        assert_eq!(
            (minute.events(), minute.per()),
            (30, Duration::from_secs(60))
        );
        let bare: Rate = "7".parse().unwrap();
        assert_eq!(bare, Rate::per_second(7));
    }

    #[test]
    fn refuses_what_is_not_a_rate() {
        for text in ["", "/s", "-3/s", "x/s", "3/", "3/0s", "1e3/s"] {
            assert!(text.parse::<Rate>().is_err(), "{text}");
        }
    }

    #[test]
    fn prints_per_second() {
        assert_eq!("30/m".parse::<Rate>().unwrap().to_string(), "0.5/s");
        assert_eq!(Rate::per_second(2000).to_string(), "2000/s");
    }
}
