//! Reads the `google.protobuf` messages that have their own JSON form.

use prost::Message as _;
use prost_reflect::{DynamicMessage, FieldDescriptor, Kind as Type, ReflectMessage, Value};

use super::{Reader, double_of};
use crate::JsonError;
use crate::names::{is_full_name, snake};
use crate::token::{Kind, Token};

type Read = fn(&mut Reader<'_>, &mut DynamicMessage) -> Result<(), JsonError>;

/// The reader for the message with this full name, if it has its own form.
pub(crate) fn reader(name: &str) -> Option<Read> {
    Some(match name.strip_prefix("google.protobuf.")? {
        "Any" => any,
        "Timestamp" => timestamp,
        "Duration" => duration,
        "BoolValue" | "Int32Value" | "Int64Value" | "UInt32Value" | "UInt64Value"
        | "FloatValue" | "DoubleValue" | "StringValue" | "BytesValue" => wrapper,
        "Struct" => structure,
        "ListValue" => list_value,
        "Value" => value,
        "FieldMask" => field_mask,
        "Empty" => empty,
        _ => return None,
    })
}

fn field(message: &DynamicMessage, number: u32) -> Result<FieldDescriptor, JsonError> {
    let descriptor = message.descriptor();
    descriptor.get_field(number).ok_or_else(|| {
        let name = descriptor.full_name();
        JsonError(format!("{name} has no field {number}"))
    })
}

fn set(message: &mut DynamicMessage, number: u32, value: Value) -> Result<(), JsonError> {
    let field = field(message, number)?;
    let outcome = message.try_set_field(&field, value);
    outcome.map_err(|error| JsonError(error.to_string()))
}

fn any(reader: &mut Reader<'_>, message: &mut DynamicMessage) -> Result<(), JsonError> {
    let start = reader.tokens.peeked()?;
    if start.kind != Kind::ObjectOpen {
        return Err(reader.tokens.unexpected(&start));
    }
    let (at, raw, url) = match type_url(&mut reader.ahead())? {
        ParsedName::Url { at, raw, url } => (at, raw, url),
        ParsedName::Empty => return reader.skip(),
        ParsedName::Missing => {
            return Err(reader.tokens.error(start.at, "missing \"@type\" field"));
        }
    };
    let Some(descriptor) = reader.types.by_url(&url) else {
        let text = format!("unable to resolve {raw}: \"not found\"");
        return Err(reader.tokens.error(at, &text));
    };
    let known = self::reader(descriptor.full_name());
    let mut held = DynamicMessage::new(descriptor);
    match known {
        Some(known) => any_value(reader, known, &mut held)?,
        None => reader.message(&mut held, true)?,
    }
    set(message, 1, Value::String(url))?;
    set(message, 2, Value::Bytes(held.encode_to_vec().into()))
}

enum ParsedName {
    Url { at: usize, raw: String, url: String },
    Empty,
    Missing,
}

/// Finds the `@type` of the object that begins here.
fn type_url(reader: &mut Reader<'_>) -> Result<ParsedName, JsonError> {
    reader.tokens.read()?;
    let (mut found, mut members) = (None, 0);
    loop {
        let name = reader.tokens.read()?;
        if name.kind != Kind::Name {
            break;
        }
        members += 1;
        if name.text != "@type" {
            reader.skip()?;
            continue;
        }
        if found.is_some() {
            return Err(reader.tokens.error(name.at, "duplicate \"@type\" field"));
        }
        let token = reader.tokens.read()?;
        if token.kind != Kind::String {
            let text = format!("@type field value is not a string: {}", token.raw);
            return Err(reader.tokens.error(token.at, &text));
        }
        if token.text.is_empty() {
            let text = "@type field contains empty value";
            return Err(reader.tokens.error(token.at, text));
        }
        found = Some(ParsedName::Url {
            at: token.at,
            raw: token.raw.to_owned(),
            url: token.text,
        });
    }
    Ok(found.unwrap_or(if members > 0 {
        ParsedName::Missing
    } else {
        ParsedName::Empty
    }))
}

/// A message with its own form is in the member `value`.
fn any_value(
    reader: &mut Reader<'_>,
    known: Read,
    held: &mut DynamicMessage,
) -> Result<(), JsonError> {
    reader.tokens.read()?;
    let mut found = false;
    loop {
        let token = reader.tokens.read()?;
        if token.kind != Kind::Name {
            let needs = held.descriptor().full_name() != "google.protobuf.Empty";
            if !found && needs {
                return Err(reader.tokens.error(token.at, "missing \"value\" field"));
            }
            return Ok(());
        }
        match &*token.text {
            "@type" => drop(reader.tokens.read()?),
            "value" if found => {
                return Err(reader.tokens.error(token.at, "duplicate \"value\" field"));
            }
            "value" => {
                known(reader, held)?;
                found = true;
            }
            _ => {
                let text = format!("unknown field {}", token.raw);
                return Err(reader.tokens.error(token.at, &text));
            }
        }
    }
}

fn wrapper(reader: &mut Reader<'_>, message: &mut DynamicMessage) -> Result<(), JsonError> {
    let field = field(message, 1)?;
    let value = reader.scalar(&field, &field.kind())?;
    set(message, 1, value)
}

fn empty(reader: &mut Reader<'_>, _: &mut DynamicMessage) -> Result<(), JsonError> {
    reader.expect(Kind::ObjectOpen)?;
    let token = reader.tokens.read()?;
    match token.kind {
        Kind::ObjectClose => Ok(()),
        Kind::Name => {
            let text = format!("unknown field {}", token.raw);
            Err(reader.tokens.error(token.at, &text))
        }
        _ => Err(reader.tokens.unexpected(&token)),
    }
}

fn structure(reader: &mut Reader<'_>, message: &mut DynamicMessage) -> Result<(), JsonError> {
    let map = reader.map(&field(message, 1)?)?;
    set(message, 1, map)
}

fn list_value(reader: &mut Reader<'_>, message: &mut DynamicMessage) -> Result<(), JsonError> {
    let list = reader.list(&field(message, 1)?)?;
    set(message, 1, list)
}

/// The members of `Value`'s oneof, by number.
const NULL_VALUE: u32 = 1;
const NUMBER_VALUE: u32 = 2;
const STRING_VALUE: u32 = 3;
const BOOL_VALUE: u32 = 4;
const STRUCT_VALUE: u32 = 5;
const LIST_VALUE: u32 = 6;

fn value(reader: &mut Reader<'_>, message: &mut DynamicMessage) -> Result<(), JsonError> {
    let nested = |message: &DynamicMessage, number: u32| -> Result<DynamicMessage, JsonError> {
        match field(message, number)?.kind() {
            Type::Message(descriptor) => Ok(DynamicMessage::new(descriptor)),
            _ => Err(JsonError::new("google.protobuf.Value is another message")),
        }
    };
    let (number, value) = match reader.tokens.peek()? {
        Kind::ObjectOpen => {
            let mut held = nested(message, STRUCT_VALUE)?;
            structure(reader, &mut held)?;
            (STRUCT_VALUE, Value::Message(held))
        }
        Kind::ArrayOpen => {
            let mut held = nested(message, LIST_VALUE)?;
            list_value(reader, &mut held)?;
            (LIST_VALUE, Value::Message(held))
        }
        _ => {
            let token = reader.tokens.read()?;
            match plain(&token) {
                Some(plain) => plain,
                None => {
                    let text = format!("invalid google.protobuf.Value: {}", token.raw);
                    return Err(reader.tokens.error(token.at, &text));
                }
            }
        }
    };
    set(message, number, value)
}

/// A value other than an object or list, and the member of `Value` for it.
fn plain(token: &Token<'_>) -> Option<(u32, Value)> {
    Some(match token.kind {
        Kind::Null => (NULL_VALUE, Value::EnumNumber(0)),
        Kind::Bool => (BOOL_VALUE, Value::Bool(token.is_true())),
        Kind::Number => (NUMBER_VALUE, Value::F64(double_of(token)?)),
        Kind::String => (STRING_VALUE, Value::String(token.text.clone())),
        _ => return None,
    })
}

fn field_mask(reader: &mut Reader<'_>, message: &mut DynamicMessage) -> Result<(), JsonError> {
    let token = reader.tokens.read()?;
    if token.kind != Kind::String {
        return Err(reader.tokens.unexpected(&token));
    }
    let text = token.text.trim();
    if text.is_empty() {
        return Ok(());
    }
    let mut paths = Vec::new();
    for given in text.split(',') {
        let path = snake(given);
        if given.contains('_') || !is_full_name(&path) {
            let text = format!("google.protobuf.FieldMask.paths contains invalid path: {given:?}");
            return Err(reader.tokens.error(token.at, &text));
        }
        paths.push(Value::String(path));
    }
    set(message, 1, Value::List(paths))
}

fn duration(reader: &mut Reader<'_>, message: &mut DynamicMessage) -> Result<(), JsonError> {
    const MOST_SECONDS: i64 = 315_576_000_000;
    let token = reader.tokens.read()?;
    if token.kind != Kind::String {
        return Err(reader.tokens.unexpected(&token));
    }
    let name = "google.protobuf.Duration";
    let Some((seconds, nanos)) = duration_of(&token.text) else {
        let text = format!("invalid {name} value {}", token.raw);
        return Err(reader.tokens.error(token.at, &text));
    };
    if seconds.abs() > MOST_SECONDS {
        let text = format!("{name} value out of range: {}", token.raw);
        return Err(reader.tokens.error(token.at, &text));
    }
    set(message, 1, Value::I64(seconds))?;
    set(message, 2, Value::I32(nanos))
}

/// Seconds and nanoseconds of `-1.5s`.
fn duration_of(text: &str) -> Option<(i64, i32)> {
    let number = text.strip_suffix('s')?;
    let (sign, number) = match number.strip_prefix(['-', '+']) {
        Some(rest) => (if number.starts_with('-') { -1 } else { 1 }, rest),
        None => (1, number),
    };
    let (whole, fraction) = match number.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (number, None),
    };
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if (whole.is_empty() && fraction.is_none())
        || !is_digits(whole)
        || (whole.len() > 1 && whole.starts_with('0'))
    {
        return None;
    }
    let seconds: i64 = if whole.is_empty() {
        0
    } else {
        whole.parse().ok()?
    };
    let nanos = match fraction {
        None => 0,
        Some(fraction) => nanos_of(fraction)?,
    };
    Some((sign * seconds, i32::try_from(sign).ok()? * nanos))
}

/// `5` is 500,000,000: up to nine digits after the point.
fn nanos_of(fraction: &str) -> Option<i32> {
    let is_digits = fraction.bytes().all(|byte| byte.is_ascii_digit());
    if fraction.len() > 9 || !is_digits {
        return None;
    }
    format!("{fraction:0<9}").parse().ok()
}

fn timestamp(reader: &mut Reader<'_>, message: &mut DynamicMessage) -> Result<(), JsonError> {
    const SECONDS: std::ops::RangeInclusive<i64> = -62_135_596_800..=253_402_300_799;
    let token = reader.tokens.read()?;
    if token.kind != Kind::String {
        return Err(reader.tokens.unexpected(&token));
    }
    let name = "google.protobuf.Timestamp";
    let Some((seconds, nanos)) = rfc3339(&token.text) else {
        let text = format!("invalid {name} value {}", token.raw);
        return Err(reader.tokens.error(token.at, &text));
    };
    if !SECONDS.contains(&seconds) {
        let text = format!("{name} value out of range: {}", token.raw);
        return Err(reader.tokens.error(token.at, &text));
    }
    set(message, 1, Value::I64(seconds))?;
    set(message, 2, Value::I32(nanos))
}

/// Seconds since 1970 and nanoseconds of `2006-01-02T15:04:05.999999999Z` or with an
/// offset.
fn rfc3339(text: &str) -> Option<(i64, i32)> {
    let number = |range: std::ops::Range<usize>| -> Option<i64> {
        let digits = text.get(range)?;
        let is_digits = digits.bytes().all(|byte| byte.is_ascii_digit());
        is_digits.then(|| digits.parse().ok())?
    };
    let mark = |at: usize, marks: &str| {
        let found = text.get(at..=at);
        found.is_some_and(|found| marks.contains(found))
    };
    let marked = mark(4, "-") && mark(7, "-") && mark(10, "T") && mark(13, ":") && mark(16, ":");
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    let (hour, minute, second) = (number(11..13)?, number(14..16)?, number(17..19)?);
    let rest = text.get(19..)?;
    let (nanos, zone) = match rest.strip_prefix('.') {
        None => (0, rest),
        Some(rest) => {
            let end = rest.find(|c: char| !c.is_ascii_digit())?;
            if end == 0 {
                return None;
            }
            (nanos_of(&rest[..end])?, &rest[end..])
        }
    };
    let offset = if zone == "Z" {
        0
    } else {
        let at = text.len() - zone.len();
        if zone.len() != 6 || !mark(at, "+-") || !mark(at + 3, ":") {
            return None;
        }
        let (hours, minutes) = (number(at + 1..at + 3)?, number(at + 4..at + 6)?);
        if hours > 24 || minutes > 60 {
            return None;
        }
        let seconds = hours * 3600 + minutes * 60;
        if mark(at, "-") { -seconds } else { seconds }
    };
    let in_range = (1..=12).contains(&month)
        && (1..=days_of_month(year, month)).contains(&day)
        && hour < 24
        && minute < 60
        && second < 60;
    if !marked || !in_range {
        return None;
    }
    let days = days_since_epoch(year, month, day);
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset;
    Some((seconds, nanos))
}

fn days_of_month(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970-01-01 to a day of the Gregorian calendar.
fn days_since_epoch(year: i64, month: i64, day: i64) -> i64 {
    // Years begin in March: the leap day is the last of the year.
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}
