//! What a malformed condition was probably meant to be: `p95<500ms` is `p(95)<500`.

use loadline_units::{parse_duration, parse_share};

use super::expression::{Expression, OPERATORS};

/// Names that other tools have for statistics of ours.
const OTHER_NAMES: [(&str, &str); 6] = [
    ("mean", "avg"),
    ("average", "avg"),
    ("median", "med"),
    ("maximum", "max"),
    ("minimum", "min"),
    ("sum", "count"),
];

/// The condition that was probably meant; `None` when that cannot be told.
#[must_use]
pub fn corrected(text: &str) -> Option<String> {
    let (token, left, right) = OPERATORS.iter().find_map(|(token, _)| {
        let (left, right) = text.split_once(token)?;
        (!right.trim().is_empty()).then(|| (*token, left.trim(), right.trim()))
    })?;
    // What people write for `<=` before they look it up.
    let (token, right) = match (token, right.strip_prefix('=')) {
        ("<", Some(rest)) => ("<=", rest.trim()),
        (">", Some(rest)) => (">=", rest.trim()),
        _ => (token, right),
    };
    let (limit, window) = match right.split_once(" every ") {
        Some((limit, window)) => (limit.trim(), format!(" every {}", window.trim())),
        None => (right, String::new()),
    };
    let meant = format!("{}{token}{}{window}", statistic(left), number(limit)?);
    Expression::parse(&meant).ok()?;
    (meant != text).then_some(meant)
}

/// `p95`, `p95()`, `p(95)`, `P95`, `95th`, `mean`.
fn statistic(text: &str) -> String {
    let lower = text.to_ascii_lowercase();
    if let Some((_, name)) = OTHER_NAMES.iter().find(|(other, _)| *other == lower) {
        return (*name).to_owned();
    }
    let digits = lower
        .trim_start_matches("percentile")
        .trim_start_matches('p')
        .trim_matches(['(', ')', '[', ']', '.', '_', '%', ' '])
        .trim_end_matches("th");
    match digits.parse::<f64>() {
        Ok(percentile) if (0.0..=100.0).contains(&percentile) => format!("p({digits})"),
        _ => lower,
    }
}

/// A limit in milliseconds, or as a share.
fn number(text: &str) -> Option<String> {
    if text.parse::<f64>().is_ok() {
        return Some(text.to_owned());
    }
    if text.ends_with('%') {
        return Some(parse_share(text).ok()?.to_string());
    }
    let length = parse_duration(text).ok()?;
    // To the microsecond: people write no finer limits.
    Some(((length.as_secs_f64() * 1e6).round() / 1e3).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_meant_is_offered() {
        for (text, meant) in [
            ("p95<500ms", "p(95)<500"),
            ("p95<500", "p(95)<500"),
            ("p(95)<500ms", "p(95)<500"),
            ("p(95) < 1.5s", "p(95)<1500"),
            ("P(95)<500", "p(95)<500"),
            ("p99.9<=1s", "p(99.9)<=1000"),
            ("p[95]<500", "p(95)<500"),
            ("mean<200ms", "avg<200"),
            ("median<0.2s", "med<200"),
            ("rate<1%", "rate<0.01"),
            ("95th<300ms every 10s", "p(95)<300 every 10s"),
        ] {
            assert_eq!(corrected(text).as_deref(), Some(meant), "{text}");
        }
    }

    #[test]
    fn nothing_is_offered_where_it_cannot_be_told() {
        for text in [
            "p(95)",
            "p(950)<1",
            "p(-1)<500",
            "fast<500",
            "p(95)<soon",
            "rate<150%",
            "",
        ] {
            assert_eq!(corrected(text), None, "{text}");
        }
    }
}
