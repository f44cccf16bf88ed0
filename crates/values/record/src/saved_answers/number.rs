//! Numbers of JSON by their value: `1.50`, `1.5` and `15e-1` are one, 2^53 + 1 is not 2^53.

/// The longest run of zeros that is written out.
const ZEROS_MAX: i64 = 40;

/// The only way in which a number of JSON is written; `None` of what is no number.
pub(super) fn canonical(text: &str) -> Option<String> {
    let (is_negative, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) if !fraction.is_empty() => (whole, fraction),
        Some(_) => return None,
        None => (mantissa, ""),
    };
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let leads = whole.len() > 1 && whole.starts_with('0');
    if whole.is_empty() || leads || !are_digits(whole) || !are_digits(fraction) {
        return None;
    }
    let shift = match exponent {
        None => 0,
        Some(exponent) => {
            let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
            if digits.is_empty() || !are_digits(digits) {
                return None;
            }
            match exponent.parse::<i64>() {
                Ok(shift) if shift.abs() < i64::from(i32::MAX) => shift,
                // No value that anybody computes with: it stays as it is written.
                _ => return Some(text.to_owned()),
            }
        }
    };
    let digits = format!("{whole}{fraction}");
    let digits = digits.trim_start_matches('0');
    let kept = digits.trim_end_matches('0');
    if kept.is_empty() {
        return Some("0".to_owned());
    }
    let count = |digits: usize| i64::try_from(digits).unwrap_or(i64::MAX);
    // The value is `kept` times ten to this power.
    let power = shift - count(fraction.len()) + count(digits.len() - kept.len());
    let sign = if is_negative { "-" } else { "" };
    Some(format!("{sign}{}", written(kept, power)))
}

fn written(digits: &str, power: i64) -> String {
    let length = i64::try_from(digits.len()).unwrap_or(i64::MAX);
    let zeros = |count: i64| "0".repeat(usize::try_from(count).unwrap_or(0));
    if (0..=ZEROS_MAX).contains(&power) {
        return format!("{digits}{}", zeros(power));
    }
    let before = length + power;
    if power < 0 && before > 0 {
        let place = usize::try_from(before).unwrap_or(0);
        return format!("{}.{}", &digits[..place], &digits[place..]);
    }
    if power < 0 && -before <= ZEROS_MAX {
        return format!("0.{}{digits}", zeros(-before));
    }
    format!("{digits}e{power}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_written_in_one_way_and_large_integers_stay_exact() {
        for (text, expected) in [
            ("1.50", "1.5"),
            ("15e-1", "1.5"),
            ("0.15E+1", "1.5"),
            ("1.0", "1"),
            ("100", "100"),
            ("1e2", "100"),
            ("-0.0", "0"),
            ("0.001", "0.001"),
            ("9007199254740993", "9007199254740993"),
            ("9007199254740992", "9007199254740992"),
            ("12345678901234567890.25", "12345678901234567890.25"),
            ("1e400", "1e400"),
            ("1e-400", "1e-400"),
            ("1e99999999999", "1e99999999999"),
            ("-4.5", "-4.5"),
        ] {
            assert_eq!(canonical(text).as_deref(), Some(expected), "{text}");
        }
        for wrong in [
            "", "-", "01", "1.", ".5", "1e", "1e+", "+1", "0x1", "NaN", "1 ",
        ] {
            assert_eq!(canonical(wrong), None, "{wrong}");
        }
    }
}
