//! Writes the `google.protobuf` messages that have their own JSON form.

use std::borrow::Cow;

use jiff::{SignedDuration, civil};
use prost_reflect::{DynamicMessage, ReflectMessage, Value};

use super::Writer;
use crate::JsonError;
use crate::names::{camel, is_full_name, snake};

type Write = fn(&mut Writer<'_>, &DynamicMessage) -> Result<(), JsonError>;

/// The writer for the message with this full name, if it has its own form.
pub(crate) fn writer(name: &str) -> Option<Write> {
    Some(match name.strip_prefix("google.protobuf.")? {
        "Any" => any,
        "Timestamp" => timestamp,
        "Duration" => duration,
        "BoolValue" | "Int32Value" | "Int64Value" | "UInt32Value" | "UInt64Value"
        | "FloatValue" | "DoubleValue" | "StringValue" | "BytesValue" | "Struct" | "ListValue" => {
            only_field
        }
        "Value" => value,
        "FieldMask" => field_mask,
        "Empty" => empty,
        _ => return None,
    })
}

fn get(message: &DynamicMessage, number: u32) -> Result<Cow<'_, Value>, JsonError> {
    message.get_field_by_number(number).ok_or_else(|| {
        let name = message.descriptor().full_name().to_owned();
        JsonError(format!("{name} has no field {number}"))
    })
}

fn any(writer: &mut Writer<'_>, message: &DynamicMessage) -> Result<(), JsonError> {
    const NAME: &str = "google.protobuf.Any";
    let (url, bytes) = (get(message, 1)?, get(message, 2)?);
    let url = url.as_str().unwrap_or_default();
    let bytes = bytes.as_bytes().cloned().unwrap_or_default();
    if url.is_empty() {
        if bytes.is_empty() {
            writer.out.push_str("{}");
            return Ok(());
        }
        return Err(JsonError(format!("{NAME}: type_url is not set")));
    }
    let Some(descriptor) = writer.types.by_url(url) else {
        let text = format!("{NAME}: unable to resolve {url:?}: not found");
        return Err(JsonError(text));
    };
    let known = self::writer(descriptor.full_name());
    let held = DynamicMessage::decode(descriptor, bytes).map_err(|_| {
        let text =
            format!("{NAME}: unable to unmarshal {url:?}: cannot parse invalid wire-format data");
        JsonError(text)
    })?;
    let Some(known) = known else {
        return writer.message(&held, Some(url));
    };
    writer.out.push_str("{\"@type\":");
    writer.string(url);
    writer.out.push_str(",\"value\":");
    known(writer, &held)?;
    writer.out.push('}');
    Ok(())
}

/// Wrappers, `Struct` and `ListValue` are written as their only field.
fn only_field(writer: &mut Writer<'_>, message: &DynamicMessage) -> Result<(), JsonError> {
    let descriptor = message.descriptor();
    match descriptor.get_field(1) {
        Some(field) => writer.field(&field, &message.get_field(&field)),
        None => Err(JsonError(format!(
            "{} has no field 1",
            descriptor.full_name()
        ))),
    }
}

fn empty(writer: &mut Writer<'_>, _: &DynamicMessage) -> Result<(), JsonError> {
    writer.out.push_str("{}");
    Ok(())
}

fn value(writer: &mut Writer<'_>, message: &DynamicMessage) -> Result<(), JsonError> {
    const NAME: &str = "google.protobuf.Value";
    let Some((field, value)) = message.fields().next() else {
        let text = format!("{NAME}: none of the oneof fields is set");
        return Err(JsonError(text));
    };
    match value {
        Value::F64(number) if !number.is_finite() => {
            let shown = if number.is_nan() {
                "NaN"
            } else if *number > 0.0 {
                "+Inf"
            } else {
                "-Inf"
            };
            let text = format!("{NAME}.number_value: invalid {shown} value");
            Err(JsonError(text))
        }
        value => writer.field(&field, value),
    }
}

fn field_mask(writer: &mut Writer<'_>, message: &DynamicMessage) -> Result<(), JsonError> {
    const NAME: &str = "google.protobuf.FieldMask.paths";
    let paths = get(message, 1)?;
    let mut shown = Vec::new();
    for path in paths.as_list().unwrap_or_default() {
        let path = path.as_str().unwrap_or_default();
        if !is_full_name(path) {
            let text = format!("{NAME} contains invalid path: {path:?}");
            return Err(JsonError(text));
        }
        let camel = camel(path);
        if snake(&camel) != path {
            let text = format!("{NAME} contains irreversible value {path:?}");
            return Err(JsonError(text));
        }
        shown.push(camel);
    }
    writer.string(&shown.join(","));
    Ok(())
}

fn seconds_and_nanos(message: &DynamicMessage) -> Result<(i64, i32), JsonError> {
    let seconds = get(message, 1)?.as_i64().unwrap_or_default();
    let nanos = get(message, 2)?.as_i32().unwrap_or_default();
    Ok((seconds, nanos))
}

fn duration(writer: &mut Writer<'_>, message: &DynamicMessage) -> Result<(), JsonError> {
    const NAME: &str = "google.protobuf.Duration";
    const MOST_SECONDS: u64 = 315_576_000_000;
    const MOST_NANOS: u32 = 999_999_999;
    let (seconds, nanos) = seconds_and_nanos(message)?;
    let wrong = if seconds.unsigned_abs() > MOST_SECONDS {
        Some(format!("seconds out of range {seconds}"))
    } else if nanos.unsigned_abs() > MOST_NANOS {
        Some(format!("nanos out of range {nanos}"))
    } else if (seconds > 0 && nanos < 0) || (seconds < 0 && nanos > 0) {
        Some("signs of seconds and nanos do not match".to_owned())
    } else {
        None
    };
    if let Some(wrong) = wrong {
        return Err(JsonError(format!("{NAME}: {wrong}")));
    }
    let sign = if seconds < 0 || nanos < 0 { "-" } else { "" };
    let fraction = fraction(nanos.unsigned_abs());
    let seconds = seconds.unsigned_abs();
    writer.string(&format!("{sign}{seconds}{fraction}s"));
    Ok(())
}

fn timestamp(writer: &mut Writer<'_>, message: &DynamicMessage) -> Result<(), JsonError> {
    const NAME: &str = "google.protobuf.Timestamp";
    const SECONDS: std::ops::RangeInclusive<i64> = -62_135_596_800..=253_402_300_799;
    let (seconds, nanos) = seconds_and_nanos(message)?;
    if !SECONDS.contains(&seconds) {
        let text = format!("{NAME}: seconds out of range {seconds}");
        return Err(JsonError(text));
    }
    if !(0..=999_999_999).contains(&nanos) {
        return Err(JsonError(format!("{NAME}: nanos out of range {nanos}")));
    }
    let epoch = civil::date(1970, 1, 1).at(0, 0, 0, 0);
    let time = epoch.saturating_add(SignedDuration::from_secs(seconds));
    let time = time.strftime("%Y-%m-%dT%H:%M:%S");
    let fraction = fraction(nanos.unsigned_abs());
    writer.string(&format!("{time}{fraction}Z"));
    Ok(())
}

/// A fraction with no, three, six or nine digits.
fn fraction(nanos: u32) -> String {
    if nanos == 0 {
        String::new()
    } else if nanos.is_multiple_of(1_000_000) {
        format!(".{:03}", nanos / 1_000_000)
    } else if nanos.is_multiple_of(1_000) {
        format!(".{:06}", nanos / 1_000)
    } else {
        format!(".{nanos:09}")
    }
}
