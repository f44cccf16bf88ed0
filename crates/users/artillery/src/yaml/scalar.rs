//! Resolves plain scalars by js-yaml 3's safe schema.

use super::Yaml;

/// The value of a plain scalar.
pub(super) fn resolve(text: &str) -> Yaml {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Yaml::Null,
        "true" | "True" | "TRUE" => return Yaml::Bool(true),
        "false" | "False" | "FALSE" => return Yaml::Bool(false),
        _ => {}
    }
    match integer(text).or_else(|| float(text)) {
        Some(number) => Yaml::Number(number),
        None => match date(text) {
            Some(date) => Yaml::Date(date),
            None => Yaml::Text(text.to_owned()),
        },
    }
}

/// A date, or a time in UTC, as JSON has it: with a time and milliseconds.
fn date(text: &str) -> Option<String> {
    let (day, time) = match text.split_once(['T', ' ']) {
        Some((day, time)) => (day, time.strip_suffix('Z').unwrap_or(time)),
        None => (text, "00:00:00"),
    };
    let fits = |text: &str, form: &str| {
        let pairs = text.bytes().zip(form.bytes());
        text.len() == form.len()
            && pairs.into_iter().all(|(byte, form)| match form {
                b'0' => byte.is_ascii_digit(),
                form => byte == form,
            })
    };
    let (time, millis) = time.split_once('.').unwrap_or((time, "0"));
    let is_date = fits(day, "0000-00-00") && fits(time, "00:00:00");
    let is_number = !millis.is_empty() && millis.bytes().all(|byte| byte.is_ascii_digit());
    (is_date && is_number).then(|| format!("{day}T{time}.{:0<3.3}Z", millis))
}

fn integer(text: &str) -> Option<f64> {
    let (sign, digits) = signed(text);
    if digits.ends_with('_') || digits.starts_with('_') {
        return None;
    }
    let radix = |rest: &str, radix: u32| -> Option<f64> {
        let clean: String = rest.chars().filter(|c| *c != '_').collect();
        if clean.is_empty() {
            return None;
        }
        if radix == 10 {
            let is_whole = clean.bytes().all(|byte| byte.is_ascii_digit());
            return clean.parse().ok().filter(|_| is_whole);
        }
        clean.chars().try_fold(0.0, |sum, digit| {
            Some(sum * f64::from(radix) + f64::from(digit.to_digit(radix)?))
        })
    };
    let value = if digits == "0" {
        0.0
    } else if let Some(rest) = digits.strip_prefix("0b") {
        radix(rest, 2)?
    } else if let Some(rest) = digits.strip_prefix("0x") {
        radix(rest, 16)?
    } else if digits.starts_with('0') {
        radix(digits, 8)?
    } else if let Some((first, rest)) = digits.split_once(':') {
        let mut sum = radix(first, 10)?;
        for part in rest.split(':') {
            if part.is_empty() || part.len() > 2 || (part.len() == 2 && part.as_bytes()[0] > b'5') {
                return None;
            }
            sum = sum * 60.0 + radix(part, 10)?;
        }
        sum
    } else {
        radix(digits, 10)?
    };
    Some(sign * value)
}

fn signed(text: &str) -> (f64, &str) {
    match text.as_bytes().first() {
        Some(b'-') => (-1.0, &text[1..]),
        Some(b'+') => (1.0, &text[1..]),
        _ => (1.0, text),
    }
}

fn float(text: &str) -> Option<f64> {
    let (sign, rest) = signed(text);
    match rest {
        ".inf" | ".Inf" | ".INF" => return Some(sign * f64::INFINITY),
        ".nan" | ".NaN" | ".NAN" if rest.len() == text.len() => return Some(f64::NAN),
        _ => {}
    }
    if rest.ends_with('_') || !rest.bytes().any(|b| b.is_ascii_digit()) {
        return None;
    }
    if rest.contains(':') {
        return sexagesimal(rest).map(|value| sign * value);
    }
    let (mantissa, exponent) = match rest.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (rest, None),
    };
    if let Some(exponent) = exponent {
        let digits = signed(exponent).1;
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
    }
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let grouped = |part: &str| part.bytes().all(|b| b.is_ascii_digit() || b == b'_');
    let whole_is_fine = match whole.as_bytes() {
        // `.5` may not have a sign.
        [] => rest.len() == text.len() && mantissa.starts_with('.'),
        [b'0'] => true,
        [b'1'..=b'9', ..] => grouped(whole),
        _ => false,
    };
    if !whole_is_fine || !grouped(fraction) {
        return None;
    }
    let clean: String = rest.chars().filter(|c| *c != '_').collect();
    let clean = clean.trim_end_matches('.');
    clean.parse::<f64>().ok().map(|value| sign * value)
}

/// `1:30.5`
fn sexagesimal(text: &str) -> Option<f64> {
    let (whole, fraction) = text.split_once('.')?;
    let mut sum = 0.0;
    for (index, part) in whole.split(':').enumerate() {
        let clean: String = part.chars().filter(|c| *c != '_').collect();
        if clean.is_empty() || !clean.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let value: f64 = clean.parse().ok()?;
        if index > 0 && (clean.len() > 2 || value >= 60.0) {
            return None;
        }
        sum = sum * 60.0 + value;
    }
    let clean: String = fraction.chars().filter(|c| *c != '_').collect();
    if !clean.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let part: f64 = if clean.is_empty() {
        0.0
    } else {
        format!("0.{clean}").parse().ok()?
    };
    Some(sum + part)
}
