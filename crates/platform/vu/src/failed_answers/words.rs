//! What the body of a failed request's answer says, in a few words.

use std::borrow::Cow;

use loadline_units::printable::is_hidden;

use super::LOOKED_AT;

/// The most characters of a text.
const TEXT_CHARS_MAX: usize = 60;
/// Where services put the words of an error, the most telling first.
const KEYS: [&str; 6] = ["error", "code", "message", "detail", "title", "reason"];
/// Elements of a page whose content nobody reads.
const UNSEEN: [&str; 4] = ["script", "style", "title", "template"];
/// What pages call themselves when they say nothing.
const BARE: [&str; 2] = ["error", "untitled"];
/// Named references to characters; `&amp;` last, so that nothing is read twice.
const REFERENCES: [(&str, &str); 6] = [
    ("&lt;", "<"),
    ("&gt;", ">"),
    ("&quot;", "\""),
    ("&apos;", "'"),
    ("&nbsp;", " "),
    ("&amp;", "&"),
];

/// The words of a body: of JSON the text that names the error; of a page its title, its heading or what
/// else can be read; of plain text its first line. Empty for anything else.
#[must_use]
pub fn words(body: &[u8]) -> String {
    let body = &body[..body.len().min(LOOKED_AT)];
    let text = String::from_utf8_lossy(body);
    let text = text.trim().trim_start_matches('\u{feff}');
    if text.contains('\0') {
        return String::new();
    }
    let found = match text.chars().next() {
        Some('{' | '[') => Cow::from(named(text).unwrap_or_default()),
        Some('<') => Cow::from(of_page(text)),
        _ => Cow::from(text.lines().next().unwrap_or_default()),
    };
    shortened(&found)
}

fn shortened(text: &str) -> String {
    let plain = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let printable = plain.chars().filter(|c| !is_hidden(*c));
    printable.take(TEXT_CHARS_MAX).collect()
}

/// The text after the first of the usual keys, wherever in the JSON it stands. The body may
/// be cut, so it is not parsed as a whole.
fn named(json: &str) -> Option<&str> {
    KEYS.iter().find_map(|key| {
        let quoted = format!("\"{key}\"");
        let after = &json[json.find(&quoted)? + quoted.len()..];
        let value = after.trim_start().strip_prefix(':')?.trim_start();
        let value = value.strip_prefix('"')?;
        let end = value.find('"')?;
        Some(&value[..end]).filter(|text| !text.is_empty())
    })
}

/// What a page or XML says, which may be cut: it is not parsed as a whole either.
fn of_page(page: &str) -> String {
    let lower = page.to_ascii_lowercase();
    let told = ["title", "h1"].into_iter().find_map(|name| {
        let text = readable(content(page, &lower, name)?);
        let says_nothing =
            text.is_empty() || BARE.iter().any(|bare| text.eq_ignore_ascii_case(bare));
        (!says_nothing).then_some(text)
    });
    told.unwrap_or_else(|| readable(page))
}

/// What stands in the first element of this name; `lower` is the page in small letters.
fn content<'a>(page: &'a str, lower: &str, name: &str) -> Option<&'a str> {
    let opened = lower
        .match_indices(&format!("<{name}"))
        .map(|(at, tag)| at + tag.len())
        .find(|after| lower[*after..].starts_with(|c: char| c == '>' || c.is_ascii_whitespace()))?;
    let begins = opened + lower[opened..].find('>')? + 1;
    let length = lower[begins..].find(&format!("</{name}"));
    Some(&page[begins..length.map_or(page.len(), |length| begins + length)])
}

/// The text of a part of a page, a space for each tag.
fn readable(part: &str) -> String {
    let lower = part.to_ascii_lowercase();
    let (mut text, mut at) = (String::new(), 0);
    while let Some(found) = lower[at..].find('<') {
        let tag = at + found;
        text.push_str(&part[at..tag]);
        text.push(' ');
        at = after(&lower, tag);
    }
    text.push_str(&part[at..]);
    unescaped(text.trim())
}

/// Where a comment, an element that nobody reads, or a tag ends; a cut one takes the rest.
fn after(lower: &str, tag: usize) -> usize {
    let past = |from: usize, end: &str| {
        let found = lower[from..].find(end);
        found.map_or(lower.len(), |found| from + found + end.len())
    };
    if lower[tag..].starts_with("<!--") {
        return past(tag, "-->");
    }
    let is = |name: &&&str| lower[tag + 1..].starts_with(**name);
    match UNSEEN.iter().find(is) {
        Some(name) => past(past(tag, &format!("</{name}")), ">"),
        None => past(tag, ">"),
    }
}

fn unescaped(text: &str) -> String {
    let named = REFERENCES.iter();
    named.fold(numbers(text), |text, (reference, stands_for)| {
        text.replace(reference, stands_for)
    })
}

/// The text with the characters that `&#8211;` and `&#x2013;` stand for.
fn numbers(text: &str) -> String {
    let mut parts = text.split("&#");
    let mut read = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let of = |(number, rest)| Some((character(number)?, rest));
        match part.split_once(';').and_then(of) {
            Some((character, rest)) => {
                read.push(character);
                read.push_str(rest);
            }
            None => {
                read.push_str("&#");
                read.push_str(part);
            }
        }
    }
    read
}

fn character(number: &str) -> Option<char> {
    let code = match number.strip_prefix(['x', 'X']) {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => number.parse(),
    };
    char::from_u32(code.ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_an_error_are_found_in_what_services_answer() {
        for (body, expected) in [
            (
                r#"{"error":"pool_timeout","waited_ms":500}"#,
                "pool_timeout",
            ),
            (
                r#"{"status":503, "message": "no connection"}"#,
                "no connection",
            ),
            (r#"{"error":{"code":"E7","text":"x"}}"#, "E7"),
            ("upstream timed out\nat 10:02", "upstream timed out"),
            ("  spaced \t out ", "spaced out"),
            ("{}", ""),
            ("", ""),
        ] {
            assert_eq!(words(body.as_bytes()), expected, "{body}");
        }
        assert_eq!(words(&[b'x'; 5000]).len(), TEXT_CHARS_MAX);
        assert_eq!(words(&[0xff, 0, 1]), "");
    }

    #[test]
    fn pages_tell_by_title_heading_or_what_is_read_there() {
        for (page, expected) in [
            (
                "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n<hr><center>nginx</center>",
                "502 Bad Gateway",
            ),
            (
                "<!doctype html><html lang=\"en\"><head><title>HTTP Status 500 &#8211; Internal Server Error</title><style>h1 {color:red}</style>",
                "HTTP Status 500 \u{2013} Internal Server Error",
            ),
            (
                "<html><body><h1>Whitelabel Error Page</h1><p>There was an unexpected error",
                "Whitelabel Error Page",
            ),
            (
                "<!DOCTYPE html><html><head><meta charset=\"utf-8\"><TITLE>Error</TITLE></head><body><pre>Cannot GET /x &amp;lt;y&gt;</pre></body></html>",
                "Cannot GET /x &lt;y>",
            ),
            (
                "<?xml version=\"1.0\"?><Error><Code>SlowDown</Code><Message>Please reduce your rate</Message></Error>",
                "SlowDown Please reduce your rate",
            ),
            (
                "<html><head><titlebar/><title lang=ko>\n  점검 중입니다 </title><script>var a = '<b>';</script>",
                "점검 중입니다",
            ),
            ("<html><script>var cut = 1;", ""),
            (
                "<html><!-- <b>no</b> --><p>busy &#xZZ; &#",
                "busy &#xZZ; &#",
            ),
            ("<html></html>", ""),
            ("<", ""),
        ] {
            assert_eq!(words(page.as_bytes()), expected, "{page}");
        }
        let evil = "<title>\u{1b}[2J\u{202e}gnp.exe&#27;&#x202e; &lt;img onerror=x&gt;</title>";
        assert_eq!(words(evil.as_bytes()), "[2Jgnp.exe <img onerror=x>");
        let long = format!("<h1>{}</h1>", "가".repeat(100_000));
        assert_eq!(words(long.as_bytes()).chars().count(), TEXT_CHARS_MAX);
    }
}
