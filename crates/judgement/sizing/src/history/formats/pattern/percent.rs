//! Variables that begin with a percent sign: Apache's and Tomcat's `%h`, `%{Referer}i`, Envoy's
//! `%REQ(:METHOD)%`, HAProxy's `%ci`.

use loadline_units::DurationUnit;

use super::{LogFormatError, Meaning, Piece, push};

/// The dialect of a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PercentDialect {
    /// Apache, and Tomcat, whose `%D` is in milliseconds.
    Apache {
        is_tomcat: bool,
    },
    Envoy,
    HaProxy,
}

/// The parts of a format.
pub(super) fn pieces(text: &str, is_tomcat: bool) -> Result<Vec<Piece>, LogFormatError> {
    if !text.contains('%') {
        return Err(LogFormatError::Unknown {
            name: text.to_owned(),
        });
    }
    let dialect = if ["%START_TIME", "%REQ(", "%DURATION%", "%RESPONSE_CODE%"]
        .iter()
        .any(|known| text.contains(known))
    {
        PercentDialect::Envoy
    } else if ["%ci", "%ST", "%{+Q}", "%HM", "%tr", "%Ta"]
        .iter()
        .any(|known| text.contains(known))
    {
        PercentDialect::HaProxy
    } else {
        PercentDialect::Apache { is_tomcat }
    };
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let after = &rest[letter.len_utf8()..];
        if letter != '%' {
            push(&mut pieces, letter);
            rest = after;
            continue;
        }
        if let Some(behind) = after.strip_prefix('%') {
            push(&mut pieces, '%');
            rest = behind;
            continue;
        }
        let (length, meaning) = match dialect {
            PercentDialect::Apache { is_tomcat } => apache(after, is_tomcat),
            PercentDialect::Envoy => envoy(after),
            PercentDialect::HaProxy => haproxy(after),
        }
        // A letter of several bytes is no variable's.
        .filter(|(length, _)| after.is_char_boundary(*length))
        .ok_or_else(|| LogFormatError::Variable {
            name: rest.split(' ').next().unwrap_or(rest).to_owned(),
        })?;
        pieces.push(Piece::Variable {
            name: format!("%{}", &after[..length]),
            meaning,
        });
        rest = &after[length..];
    }
    Ok(pieces)
}

/// How long a variable of Apache is, and what it means.
fn apache(after: &str, is_tomcat: bool) -> Option<(usize, Meaning)> {
    // `%>s`, `%400,501{User-agent}i`: which of several, and for which statuses.
    let begins = after.find(|c: char| !matches!(c, '<' | '>' | '!' | ',' | '0'..='9'))?;
    let body = &after[begins..];
    let (argument, letters) = match body.strip_prefix('{') {
        Some(inner) => {
            let end = inner.find('}')?;
            (Some(&inner[..end]), end + 2)
        }
        None => (None, 0),
    };
    let code = body[letters..].chars().next()?;
    // `%^FB` and the like: two letters.
    let width = if code == '^' { 3 } else { code.len_utf8() };
    let length = begins + letters + width;
    if length > after.len() {
        return None;
    }
    Some((length, apache_meaning(code, argument, is_tomcat)?))
}

fn apache_meaning(code: char, argument: Option<&str>, is_tomcat: bool) -> Option<Meaning> {
    let header = argument.map(str::to_ascii_lowercase);
    Some(match (code, header.as_deref()) {
        ('t', None) => Meaning::BracketedTime,
        ('t', Some("msec_frac" | "usec_frac")) => Meaning::Ignored,
        ('t', Some("sec" | "msec" | "usec")) => Meaning::Epoch,
        ('t', Some(_)) => Meaning::Time,
        ('r', None) => Meaning::Request,
        ('m', None) => Meaning::Method,
        ('U', None) => Meaning::Path,
        ('s', _) => Meaning::Status,
        ('h' | 'a', _) => Meaning::Client,
        ('D', None) if is_tomcat => Meaning::Duration(DurationUnit::Millis),
        ('D', None) => Meaning::Duration(DurationUnit::Micros),
        ('T', None) => Meaning::Duration(DurationUnit::Seconds),
        ('T', Some(unit)) => Meaning::Duration(DurationUnit::parse(unit)?),
        ('i', Some("x-forwarded-for" | "x-real-ip")) => Meaning::Forwarded,
        ('i', Some("user-agent")) => Meaning::Agent,
        ('F', None) if is_tomcat => Meaning::Ignored,
        _ if code.is_ascii_alphabetic() || code == '^' => Meaning::Ignored,
        _ => return None,
    })
}

/// How long a command operator of Envoy is, and what it means.
fn envoy(after: &str) -> Option<(usize, Meaning)> {
    let name_end =
        after.find(|c: char| !c.is_ascii_uppercase() && c != '_' && !c.is_ascii_digit())?;
    let name = &after[..name_end];
    let (argument, behind) = match after[name_end..].strip_prefix('(') {
        Some(inner) => {
            let end = inner.find(')')?;
            (&inner[..end], name_end + end + 2)
        }
        None => ("", name_end),
    };
    // `%REQ(X?Y):10%`: at most so long.
    let close = after[behind..].find('%')?;
    let meaning = match (name, argument.to_ascii_lowercase().as_str()) {
        ("START_TIME", _) => Meaning::Time,
        ("REQ", ":method") => Meaning::Method,
        ("REQ", path) if path.contains(":path") => Meaning::Path,
        ("REQ", "x-forwarded-for") => Meaning::Forwarded,
        ("REQ", "user-agent") => Meaning::Agent,
        ("RESPONSE_CODE", _) => Meaning::Status,
        ("DURATION", _) => Meaning::Duration(DurationUnit::Millis),
        ("DOWNSTREAM_REMOTE_ADDRESS" | "DOWNSTREAM_REMOTE_ADDRESS_WITHOUT_PORT", _) => {
            Meaning::Client
        }
        ("", _) => return None,
        _ => Meaning::Ignored,
    };
    Some((behind + close + 1, meaning))
}

/// How long a variable of HAProxy is, and what it means.
fn haproxy(after: &str) -> Option<(usize, Meaning)> {
    let flags = match after.strip_prefix('{') {
        Some(inner) => inner.find('}')? + 2,
        None => 0,
    };
    let body = &after[flags..];
    // `%[capture.req.hdr(0)]`: any sample.
    if body.starts_with('[') {
        return Some((flags + body.find(']')? + 1, Meaning::Ignored));
    }
    let end = body
        .find(|c: char| !c.is_ascii_alphabetic())
        .unwrap_or(body.len());
    let meaning = match &body[..end] {
        "" => return None,
        "t" | "tr" | "trl" | "trg" | "T" | "Tl" => Meaning::Time,
        "Ts" => Meaning::Epoch,
        "r" => Meaning::Request,
        "HM" => Meaning::Method,
        "HU" | "HP" | "HPO" => Meaning::Path,
        "ST" => Meaning::Status,
        "Ta" | "Tt" | "Tu" => Meaning::Duration(DurationUnit::Millis),
        "ci" => Meaning::Client,
        _ => Meaning::Ignored,
    };
    Some((flags + end, meaning))
}
