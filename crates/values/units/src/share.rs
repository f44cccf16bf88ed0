//! Shares of a whole as people type them: `1%` or `0.01`.
//!
//! `1` could be one in a hundred or all. Whoever guesses passes a run in which half of the
//! answers failed, so a number without a `%` counts only when it cannot be a percentage: below
//! 1 and with a decimal point.

use std::fmt;

use crate::halfwidth::halfwidth;

/// Why a text is no share.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` is not a share: write {spellings}")]
pub struct ShareError {
    /// What was written.
    pub found: String,
    /// The two ways to write what was probably meant.
    pub spellings: ShareTexts,
    /// Whether it is one, but of more than all: `110%`.
    pub is_above_all: bool,
}

/// The two ways to write a share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShareTexts {
    /// With a percent sign: `5%`.
    pub percent: String,
    /// As a number below 1: `0.05`.
    pub decimal: String,
}

impl fmt::Display for ShareTexts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} or {}", self.percent, self.decimal)
    }
}

/// Reads a share, 0 to 1: `1%`, `0.5 %` or `0.01`.
///
/// # Errors
/// [`ShareError`] of all that has neither a `%` nor a decimal point and a value below 1, and
/// of what is above 100 %.
pub fn parse_share(text: &str) -> Result<f64, ShareError> {
    let narrow = halfwidth(text);
    let trimmed = narrow.trim();
    let share = match trimmed.strip_suffix('%') {
        Some(percent) => plain_number(percent.trim_end()).map(|percent| percent / 100.0),
        None => plain_number(trimmed).filter(|share| trimmed.contains('.') && *share < 1.0),
    };
    share
        .filter(|share| *share <= 1.0)
        .ok_or_else(|| ShareError {
            found: trimmed.to_owned(),
            spellings: ShareTexts::near(trimmed),
            is_above_all: trimmed.ends_with('%') && share.is_some(),
        })
}

/// Reads a number of a hundred, as a flag that takes a percentage does: `5%` or `5`. Below 1
/// only `0.5%` is: `0.5` could be a half.
///
/// # Errors
/// [`ShareError`]; what is above 100 is none.
pub fn parse_percentage(text: &str) -> Result<f64, ShareError> {
    let narrow = halfwidth(text);
    let trimmed = narrow.trim();
    let percent = match trimmed.strip_suffix('%') {
        Some(percent) => plain_number(percent.trim_end()),
        None => plain_number(trimmed).filter(|percent| *percent >= 1.0 || *percent == 0.0),
    };
    percent.ok_or_else(|| ShareError {
        found: trimmed.to_owned(),
        spellings: ShareTexts::of_percentage(trimmed),
        is_above_all: false,
    })
}

/// A share that a file holds as a number, not as text: `0.05`, `0`.
///
/// # Errors
/// [`ShareError`] from 1 on and below 0.
pub fn share_of_number(number: f64) -> Result<f64, ShareError> {
    if (0.0..1.0).contains(&number) {
        return Ok(number);
    }
    let found = number.to_string();
    Err(ShareError {
        spellings: ShareTexts::near(&found),
        found,
        is_above_all: false,
    })
}

/// Digits with at most one point: no sign, exponent or separator between thousands.
fn plain_number(text: &str) -> Option<f64> {
    let is_plain = text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let value: f64 = text.parse().ok().filter(|_| is_plain)?;
    value.is_finite().then_some(value)
}

impl ShareTexts {
    /// How what was typed is written.
    fn near(text: &str) -> Self {
        let digits = text.trim_end_matches('%').trim().replace(',', ".");
        let number = digits.parse::<f64>().ok();
        let percent = match number {
            // Without a percent sign, what is below 1 was meant as a part of 1.
            Some(number) if number > 0.0 && number < 1.0 && !text.ends_with('%') => number * 100.0,
            Some(number) if (0.0..=100.0).contains(&number) => number,
            _ => 1.0,
        };
        Self::from_percent(percent)
    }

    /// How a percentage below 1 is written: as one, or as what it would be as a share.
    fn of_percentage(text: &str) -> Self {
        let number = text.replace(',', ".").parse::<f64>().ok();
        match number.filter(|number| *number > 0.0 && *number < 1.0) {
            Some(number) => Self {
                percent: format!("{number}%"),
                decimal: format!("{}%", rounded(number * 100.0)),
            },
            None => Self {
                percent: "5".to_owned(),
                decimal: "5%".to_owned(),
            },
        }
    }

    fn from_percent(percent: f64) -> Self {
        let percent = rounded(percent);
        let share = rounded(percent / 100.0);
        // All of it has no spelling below 1.
        let decimal = if share >= 1.0 {
            "0.999".to_owned()
        } else if share == 0.0 {
            "0.0".to_owned()
        } else {
            share.to_string()
        };
        Self {
            percent: format!("{percent}%"),
            decimal,
        }
    }
}

/// Without the noise of a division.
fn rounded(value: f64) -> f64 {
    (value * 1e9).round() / 1e9
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_share_has_a_percent_sign_or_is_a_decimal_below_one() {
        for (text, share) in [
            ("1%", 0.01),
            (" 0.5 % ", 0.005),
            ("100%", 1.0),
            ("0%", 0.0),
            ("0.01", 0.01),
            (".5", 0.5),
            ("0.0", 0.0),
            ("0.999", 0.999),
        ] {
            assert_eq!(parse_share(text), Ok(share), "{text}");
        }
    }

    /// Seen: "`110%` is not a share" of one that is above all.
    #[test]
    fn more_than_all_is_told_apart() {
        let is_above = |text: &str| parse_share(text).unwrap_err().is_above_all;
        assert!(is_above("110%") && is_above("100.1 %"));
        for text in ["1.5", "110", "-1%", "1%%", "x%"] {
            assert!(!is_above(text), "{text}");
        }
    }

    /// Seen: `errors<1` was 100 %, and a run with 51 % errors passed.
    #[test]
    fn everything_else_is_refused_with_both_spellings() {
        for (text, said) in [
            ("1", "`1` is not a share: write 1% or 0.01"),
            ("5", "`5` is not a share: write 5% or 0.05"),
            ("99.9", "`99.9` is not a share: write 99.9% or 0.999"),
            ("0", "`0` is not a share: write 0% or 0.0"),
            ("1.0", "`1.0` is not a share: write 1% or 0.01"),
            ("0,5", "`0,5` is not a share: write 50% or 0.5"),
            ("1,5%", "`1,5%` is not a share: write 1.5% or 0.015"),
            ("1e-2", "`1e-2` is not a share: write 1% or 0.01"),
            ("150%", "`150%` is not a share: write 1% or 0.01"),
            ("-1%", "`-1%` is not a share: write 1% or 0.01"),
            ("+0.1", "`+0.1` is not a share: write 10% or 0.1"),
            ("1%%", "`1%%` is not a share: write 1% or 0.01"),
            ("1.2.3", "`1.2.3` is not a share: write 1% or 0.01"),
            ("1 percent", "`1 percent` is not a share: write 1% or 0.01"),
            ("1퍼센트", "`1퍼센트` is not a share: write 1% or 0.01"),
            ("nan%", "`nan%` is not a share: write 1% or 0.01"),
            ("inf", "`inf` is not a share: write 1% or 0.01"),
            ("%", "`%` is not a share: write 1% or 0.01"),
            ("", "`` is not a share: write 1% or 0.01"),
        ] {
            assert_eq!(parse_share(text).unwrap_err().to_string(), said);
        }
    }

    #[test]
    fn a_percentage_below_one_says_that_it_is_one() {
        assert_eq!(parse_percentage("5"), Ok(5.0));
        assert_eq!(parse_percentage("120%"), Ok(120.0));
        assert_eq!(parse_percentage("0.5%"), Ok(0.5));
        let said = parse_percentage("0.05").unwrap_err().to_string();
        assert_eq!(said, "`0.05` is not a share: write 0.05% or 5%");
        assert!(parse_percentage("1,5").is_err());
        assert!(parse_percentage("nan").is_err());
    }

    #[test]
    fn a_number_in_a_file_is_a_share_below_one() {
        assert_eq!(share_of_number(0.0), Ok(0.0));
        assert_eq!(share_of_number(0.25), Ok(0.25));
        assert!(share_of_number(1.0).is_err());
        assert!(share_of_number(-0.1).is_err());
    }

    proptest! {
        #[test]
        fn what_is_offered_instead_is_read(text in ".{0,12}") {
            if let Err(error) = parse_share(&text) {
                let both = [error.spellings.percent, error.spellings.decimal];
                prop_assert!(both.iter().all(|text| parse_share(text).is_ok()), "{:?}", both);
            }
        }
    }
}
