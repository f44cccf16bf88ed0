//! Parses numbers as people type them: `10,000`, `10%`, `2.5s`, `2s..3s`, `2GiB`, `100/s`.
//!
//! Each function rejects invalid values (negative, not a number, out of range) with a reason, so
//! later steps need not check them.

use loadline_text::{Message, arguments, plan};
use loadline_units::{
    Rate, ShareTexts, halfwidth, joined, korean_quantity, parse_duration, parse_share,
    without_separators,
};

/// The largest count.
const COUNT_MAX: f64 = 1e12;
/// The longest time: a year.
const LONGEST_SECONDS: f64 = 366.0 * 86_400.0;

/// A finite number above zero; commas or underscores may separate digits: `10,000`.
pub(crate) fn count(text: &str) -> Result<f64, Message> {
    let number = plain(text)?;
    if number <= 0.0 {
        return Err(plan::why_not_positive());
    }
    Ok(number)
}

/// A whole number above zero.
pub(crate) fn whole(text: &str) -> Result<f64, Message> {
    // Ten thousand to one reader, and ten to another.
    let (first, groups) = text.trim().split_once('.').unwrap_or((text, ""));
    let is_group = |group: &str| group.len() == 3 && group.bytes().all(|b| b.is_ascii_digit());
    if (1..=3).contains(&first.len()) && !groups.is_empty() && groups.split('.').all(is_group) {
        return Err(plan::why_full_stop());
    }
    let number = count(text)?;
    if number.fract() != 0.0 {
        return Err(plan::why_not_whole());
    }
    Ok(number)
}

/// A finite number of zero or more.
pub(crate) fn not_negative(text: &str) -> Result<f64, Message> {
    let number = plain(text)?;
    if number < 0.0 {
        return Err(plan::why_negative());
    }
    Ok(number)
}

/// A factor of one or more.
pub(crate) fn factor(text: &str) -> Result<f64, Message> {
    let text = halfwidth(text);
    let number = plain(text.trim().trim_end_matches(['x', 'X', '×', '배']))?;
    if number < 1.0 {
        return Err(plan::why_below_one());
    }
    Ok(number)
}

/// `10%` or `0.1`: above zero, at most 1.
pub(crate) fn share(text: &str) -> Result<f64, Message> {
    let share = share_or_none(text)?;
    if share <= 0.0 {
        return Err(plan::why_not_positive());
    }
    Ok(share)
}

/// Like [`share`], but zero is allowed.
pub(crate) fn share_or_none(text: &str) -> Result<f64, Message> {
    let korean = korean_quantity(text);
    parse_share(korean.as_deref().unwrap_or(text)).map_err(|error| {
        if error.is_above_all {
            return arguments::share_above_all(&error.found);
        }
        let ShareTexts { percent, decimal } = &error.spellings;
        arguments::not_a_share(&error.found, percent, decimal)
    })
}

/// Seconds from `2.5s`, `500ms`, or the middle of `2s..3s`.
pub(crate) fn seconds(text: &str) -> Result<f64, Message> {
    let text = &*halfwidth(text);
    let one = |part: &str| {
        let part = part.trim();
        if part.starts_with('-') {
            return Err(plan::why_negative());
        }
        if !part.chars().any(char::is_alphabetic) && part != "0" {
            return Err(plan::why_no_unit());
        }
        let part = korean_quantity(part).unwrap_or_else(|| joined(part));
        let length = parse_duration(&part).map_err(|_| plan::why_not_time())?;
        Ok(length.as_secs_f64())
    };
    let value = match text.split_once("..") {
        None => one(text)?,
        Some((from, to)) => {
            let (from, to) = (one(from)?, one(to)?);
            if to < from {
                return Err(plan::why_backwards());
            }
            (from + to) / 2.0
        }
    };
    if value > LONGEST_SECONDS {
        return Err(plan::why_too_large());
    }
    Ok(value)
}

/// Seconds above zero.
pub(crate) fn positive_seconds(text: &str) -> Result<f64, Message> {
    let value = seconds(text)?;
    if value <= 0.0 {
        return Err(plan::why_not_positive());
    }
    Ok(value)
}

/// Requests per second from `100/s`, `30/m` or a plain number.
pub(crate) fn rate(text: &str) -> Result<f64, Message> {
    if halfwidth(text).trim().starts_with('-') {
        return Err(plan::why_negative());
    }
    let korean = korean_quantity(text);
    let text = korean.as_deref().unwrap_or(text);
    let rate: Rate = text.parse().map_err(|_| plan::why_not_rate())?;
    let rate = rate.as_per_second();
    if rate <= 0.0 {
        return Err(plan::why_not_positive());
    }
    Ok(rate)
}

/// Like [`rate`], but zero is allowed.
pub(crate) fn rate_or_none(text: &str) -> Result<f64, Message> {
    let number = text.split('/').next().unwrap_or_default();
    if plain(number.trim()).is_ok_and(|number| number.abs() <= 0.0) {
        return Ok(0.0);
    }
    rate(text)
}

/// Mebibytes from `2GiB`, `2048m`, `512MiB`, `2g`.
pub(crate) fn mebibytes(text: &str) -> Result<f64, Message> {
    let narrow = halfwidth(text);
    let trimmed = narrow.trim();
    let end = trimmed
        .find(char::is_alphabetic)
        .ok_or_else(plan::why_no_size_unit)?;
    let (digits, unit) = trimmed.split_at(end);
    let scale = match unit.to_ascii_lowercase().as_str() {
        "m" | "mi" | "mib" => 1.0,
        "g" | "gi" | "gib" => 1024.0,
        "mb" => 1e6 / 1_048_576.0,
        "gb" => 1e9 / 1_048_576.0,
        _ => return Err(plan::why_not_memory()),
    };
    let value = plain(digits)? * scale;
    if value <= 0.0 {
        return Err(plan::why_not_positive());
    }
    Ok(value)
}

fn plain(text: &str) -> Result<f64, Message> {
    let text = korean_quantity(text).unwrap_or_else(|| text.to_owned());
    let digits = without_separators(&joined(&halfwidth(&text)));
    // What parts no thousands is a decimal comma: read as none it is ten times as much.
    if digits.contains(',') {
        return Err(plan::why_decimal_comma(digits.replace(',', ".")));
    }
    let number: f64 = digits.parse().map_err(|_| plan::why_not_number())?;
    if !number.is_finite() {
        return Err(plan::why_not_number());
    }
    if number.abs() > COUNT_MAX {
        return Err(plan::why_too_large());
    }
    Ok(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seen: `--growth 1,5` was 15 times, `--dau 1,0` ten users.
    #[test]
    fn a_decimal_comma_is_refused() {
        for text in ["1,5", "2,25", "1,0", "10,00", "1,2345"] {
            let why = count(text).unwrap_err();
            assert_eq!(why, plan::why_decimal_comma(text.replace(',', ".")));
        }
        assert!(factor("1,5x").is_err() && mebibytes("1,5g").is_err());
    }

    #[test]
    fn numbers_are_read_as_people_write_them() {
        assert_eq!(count("10,000"), Ok(10_000.0));
        assert_eq!(count("1,234,567.5"), Ok(1_234_567.5));
        assert_eq!(count("1_000"), Ok(1_000.0));
        assert_eq!(share("10%"), Ok(0.1));
        assert_eq!(share("0.1"), Ok(0.1));
        assert_eq!(share_or_none("0%"), Ok(0.0));
        assert_eq!(seconds("2s..3s"), Ok(2.5));
        assert_eq!(seconds("0"), Ok(0.0));
        assert_eq!(mebibytes("2GiB"), Ok(2048.0));
        assert_eq!(mebibytes("2g"), Ok(2048.0));
        assert_eq!(rate("30/m"), Ok(0.5));
        assert_eq!(factor("10x"), Ok(10.0));
        // As Korean and Japanese keyboards write them.
        assert_eq!(count("１０，０００"), Ok(10_000.0));
        assert_eq!(share("１０％"), Ok(0.1));
        assert_eq!(seconds("２．５ｓ"), Ok(2.5));
        assert_eq!(mebibytes("２GiB"), Ok(2048.0));
        assert_eq!(rate("３０／m"), Ok(0.5));
        assert_eq!(factor("１０x"), Ok(10.0));
        // Seen: "숫자가 아닙니다" of 5배.
        assert_eq!(factor("5배"), Ok(5.0));
        assert_eq!(factor("1.5 배"), Ok(1.5));
        for (typed, number) in [
            ("1만", 1e4),
            ("1.5만", 1.5e4),
            ("1만 2천", 1.2e4),
            ("3억5000만", 3.5e8),
            ("10,000명", 1e4),
            ("5회", 5.0),
            ("2천3백", f64::NAN),
        ] {
            assert_eq!(
                count(typed).ok(),
                Some(number).filter(|n| n.is_finite()),
                "{typed}"
            );
        }
        assert_eq!(seconds("3초"), Ok(3.0));
        assert_eq!(seconds("1분 30초"), Ok(90.0));
        assert_eq!(seconds("500밀리초"), Ok(0.5));
        assert_eq!(seconds("2초..3초"), Ok(2.5));
    }

    #[test]
    fn what_cannot_be_is_refused_with_the_reason() {
        assert_eq!(count("-5"), Err(plan::why_not_positive()));
        assert_eq!(count("0"), Err(plan::why_not_positive()));
        assert_eq!(count("NaN"), Err(plan::why_not_number()));
        assert_eq!(count("inf"), Err(plan::why_not_number()));
        assert_eq!(count("1e13"), Err(plan::why_too_large()));
        assert_eq!(whole("1.5"), Err(plan::why_not_whole()));
        // Seen: `--dau 10.000` were ten people.
        for text in ["10.000", "1.000.000"] {
            assert_eq!(whole(text), Err(plan::why_full_stop()), "{text}");
        }
        assert_eq!(whole("10,000"), Ok(10_000.0));
        let refused = |text, percent, decimal| {
            let why = arguments::not_a_share(text, percent, decimal);
            assert_eq!(share(text), Err(why), "{text}");
        };
        assert_eq!(share("130%"), Err(arguments::share_above_all("130%")));
        refused("10", "10%", "0.1");
        refused("1", "1%", "0.01");
        refused("1,5%", "1.5%", "0.015");
        assert_eq!(share("0%"), Err(plan::why_not_positive()));
        assert_eq!(factor("0.5"), Err(plan::why_below_one()));
        assert_eq!(seconds("-1s"), Err(plan::why_negative()));
        assert_eq!(seconds("5"), Err(plan::why_no_unit()));
        assert_eq!(seconds("3s..2s"), Err(plan::why_backwards()));
        assert_eq!(seconds("soon"), Err(plan::why_not_time()));
        assert_eq!(seconds("1 2s"), Err(plan::why_not_time()));
        assert_eq!(count("10 20"), Err(plan::why_not_number()));
        assert_eq!(seconds("3刻"), Err(plan::why_not_time()));
        assert_eq!(mebibytes("2기가"), Err(plan::why_not_memory()));
        assert_eq!(rate("0/s"), Err(plan::why_not_positive()));
        assert_eq!(mebibytes("2"), Err(plan::why_no_size_unit()));
        assert_eq!(mebibytes("2parsec"), Err(plan::why_not_memory()));
    }
}
