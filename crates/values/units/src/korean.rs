//! Numbers with their units as Koreans type them, in the spelling that every reader of numbers
//! takes: `1분 30초` is `1m30s`, `초당 100건` is `100/s`, `1.5만` is `15000`.

use crate::halfwidth::halfwidth;

/// Units of time; one that ends with another comes first.
const TIMES: [(&str, &str); 7] = [
    ("나노초", "ns"),
    ("마이크로초", "us"),
    ("밀리초", "ms"),
    ("시간", "h"),
    ("초", "s"),
    ("분", "m"),
    ("일", "d"),
];
/// What a rate is per, before its number; one that ends with another comes first.
const PER: [(&str, &str); 4] = [("시간당", "h"), ("초당", "s"), ("분당", "m"), ("매초", "s")];
const PERCENT: [&str; 3] = ["퍼센트", "프로", "퍼"];
/// What people, requests and starts are counted with.
const COUNTERS: [&str; 7] = ["명", "회", "건", "번", "개", "요청", "사용자"];
/// Words for thousands, the largest first.
const MULTIPLES: [(&str, f64); 3] = [("억", 1e8), ("만", 1e4), ("천", 1e3)];
/// What stands between a measure and its limit.
const LIMITS: [char; 3] = ['<', '>', '='];

/// A number, time, rate or share with Korean words, or a term with one (`p(95)<0.5초`), in ASCII;
/// `None` of a text that has no such word, or anything else besides.
#[must_use]
pub fn korean_quantity(text: &str) -> Option<String> {
    if text.is_ascii() {
        return None;
    }
    let text = halfwidth(text);
    // A goal is a measure and its limit, a stage a time and its users.
    if let Some(at) = text.rfind(LIMITS) {
        let (measure, limit) = text.split_at(at + 1);
        return Some(format!("{measure}{}", quantity(limit)?));
    }
    let parts: Option<Vec<String>> = text
        .split(':')
        .map(|part| quantity(part).or_else(|| is_typed_in_ascii(part).then(|| part.to_owned())))
        .collect();
    parts.map(|parts| parts.join(":"))
}

fn is_typed_in_ascii(part: &str) -> bool {
    part.is_ascii() && part.starts_with(|c: char| c.is_ascii_digit())
}

/// One number with its unit; `None` without a Korean word.
fn quantity(text: &str) -> Option<String> {
    let text = joined(text);
    if text.is_ascii() {
        return None;
    }
    for (word, unit) in PER {
        if let Some(number) = text.strip_prefix(word) {
            return Some(format!("{}/{unit}", counted(number)?));
        }
    }
    if let Some((number, per)) = text.split_once('/') {
        return Some(format!("{}/{}", counted(number)?, unit_of_rate(per)?));
    }
    for word in PERCENT {
        if let Some(number) = text.strip_suffix(word) {
            return Some(format!("{}%", plain(number)?));
        }
    }
    length(&text).or_else(|| counted(&text))
}

/// `초`, or what is typed in ASCII, as `s` and `250ms`.
fn unit_of_rate(per: &str) -> Option<String> {
    if !per.is_empty() && per.bytes().all(|b| b.is_ascii_alphanumeric()) {
        return Some(per.to_owned());
    }
    let known = TIMES.iter().find(|(word, _)| *word == per);
    known
        .map(|(_, unit)| (*unit).to_owned())
        .or_else(|| length(per))
}

/// `1시간30분`: numbers, each with a unit of time.
fn length(text: &str) -> Option<String> {
    let mut rest = text;
    let mut out = String::new();
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.' && c != ',')?;
        let (number, behind) = rest.split_at(end);
        let mut known = TIMES.iter();
        let (word, unit) = known.find(|(word, _)| behind.starts_with(word))?;
        out.push_str(&format!("{}{unit}", plain(number)?));
        rest = &behind[word.len()..];
    }
    (!out.is_empty()).then_some(out)
}

/// A number with or without what is counted.
fn counted(text: &str) -> Option<String> {
    let mut counters = COUNTERS.iter();
    let number = counters.find_map(|counter| text.strip_suffix(counter));
    plain(number.unwrap_or(text))
}

/// A number as programs write it; commas between thousands go.
fn plain(text: &str) -> Option<String> {
    let digits = without_separators(text);
    let is_digit = |c: char| c.is_ascii_digit() || c == '.';
    if !digits.is_empty() && digits.chars().all(is_digit) {
        return Some(digits);
    }
    korean_number(&digits).map(|number| number.to_string())
}

/// Without commas and underscores where they part groups of three digits: a decimal comma stays.
#[must_use]
pub fn without_separators(text: &str) -> String {
    let mut groups = text.split([',', '_']);
    let first = groups.next().unwrap_or_default();
    let are_thousands = groups.all(|group| {
        let digits = group.bytes().take_while(u8::is_ascii_digit).count();
        digits == 3
    });
    if are_thousands && first.len() <= 3 {
        text.replace([',', '_'], "")
    } else {
        text.to_owned()
    }
}

/// `1만2천`, or a number as programs write it.
#[must_use]
pub fn korean_number(digits: &str) -> Option<f64> {
    let number = |part: &str| part.parse::<f64>().ok().filter(|one| one.is_finite());
    let mut rest = digits;
    let mut sum = 0.0;
    for (word, times) in MULTIPLES {
        if let Some((part, behind)) = rest.split_once(word) {
            sum += times * number(part)?;
            rest = behind;
        }
    }
    if rest.is_empty() && rest.len() < digits.len() {
        return Some(sum);
    }
    number(rest).map(|last| sum + last)
}

/// Without blanks, but for those between two digits: `1분 30초` is one length, `10 20` no number.
#[must_use]
pub fn joined(text: &str) -> String {
    let mut joined = String::with_capacity(text.len());
    let mut words = text.split_whitespace().peekable();
    while let Some(word) = words.next() {
        joined.push_str(word);
        let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        let next = words.peek().and_then(|next| next.chars().next());
        if is_digit(word.chars().next_back()) && is_digit(next) {
            joined.push(' ');
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_with_korean_units_are_read_whole() {
        for (typed, meant) in [
            ("10초", "10s"),
            ("1분", "1m"),
            ("1시간", "1h"),
            ("2일", "2d"),
            ("1분30초", "1m30s"),
            ("1분 30초", "1m30s"),
            ("1시간 30분", "1h30m"),
            ("1.5초", "1.5s"),
            ("500밀리초", "500ms"),
            ("１０초", "10s"),
            ("100/초", "100/s"),
            ("100건/초", "100/s"),
            ("30/분", "30/m"),
            ("5/250밀리초", "5/250ms"),
            ("초당100", "100/s"),
            ("초당 100", "100/s"),
            ("초당 100건", "100/s"),
            ("분당 60", "60/m"),
            ("시간당 3,600건", "3600/h"),
            ("1.5만/s", "15000/s"),
            ("1.5만", "15000"),
            ("1만 2천", "12000"),
            ("10,000명", "10000"),
            ("100건", "100"),
            ("30퍼센트", "30%"),
            ("0.5 프로", "0.5%"),
            ("p(95)<0.5초", "p(95)<0.5s"),
            ("errors<1퍼센트", "errors<1%"),
            ("p(95)<=1초", "p(95)<=1s"),
            ("10초:5", "10s:5"),
            ("10초:5명", "10s:5"),
            ("30s:1만", "30s:10000"),
        ] {
            assert_eq!(korean_quantity(typed).as_deref(), Some(meant), "{typed}");
        }
    }

    #[test]
    fn what_is_no_number_is_never_half_read() {
        for text in [
            "10",
            "초",
            "부하.js",
            "10초.js",
            "10초정도",
            "약 10초",
            "10초20",
            "10 20초",
            "1,5초",
            "열초",
            "초당",
            "100/",
            "100/명",
            "만",
            "2기가",
            "-10초",
            "http://localhost/10초",
            "부하:10",
        ] {
            assert_eq!(korean_quantity(text), None, "{text}");
        }
    }
}
