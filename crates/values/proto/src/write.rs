//! Converts messages to JSON with all their fields; unset ones have their defaults.

mod known;

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use prost_reflect::{
    DescriptorPool, DynamicMessage, FieldDescriptor, Kind, MapKey, ReflectMessage, Value,
};

use crate::JsonError;
use crate::read::check_required;
use crate::schema::Types;

/// Writes `message` as JSON. Unset fields are included, messages as `null`; only unset members of
/// a oneof are left out. `types` are the types allowed in `Any`.
///
/// # Errors
/// [`JsonError`]: an `Any` of an unknown type, or a time out of range.
pub fn to_json(message: &DynamicMessage, types: &Types) -> Result<String, JsonError> {
    let mut writer = Writer {
        out: String::new(),
        types,
    };
    writer.message(message, None)?;
    check_required(message)?;
    Ok(writer.out)
}

/// Writes a serialised `google.protobuf.Any` as JSON.
///
/// # Errors
/// [`JsonError`]: it is malformed, or of an unknown type.
pub fn any_json(bytes: &[u8], types: &Types) -> Result<String, JsonError> {
    let pool = DescriptorPool::global();
    let any = pool.get_message_by_name("google.protobuf.Any");
    let any = any.and_then(|any| DynamicMessage::decode(any, bytes).ok());
    match any {
        Some(any) => to_json(&any, types),
        None => Err(JsonError::new("cannot parse invalid wire-format data")),
    }
}

pub(crate) struct Writer<'t> {
    pub(crate) out: String,
    pub(crate) types: &'t Types,
}

impl Writer<'_> {
    /// Writes a message; `url` is its type if it is inside an `Any`.
    pub(crate) fn message(
        &mut self,
        message: &DynamicMessage,
        url: Option<&str>,
    ) -> Result<(), JsonError> {
        let descriptor = message.descriptor();
        if let Some(known) = known::writer(descriptor.full_name()) {
            return known(self, message);
        }
        self.out.push('{');
        if let Some(url) = url {
            self.out.push_str("\"@type\":");
            self.string(url);
        }
        for field in descriptor.fields() {
            let is_set = message.has_field(&field);
            if !is_set && field.containing_oneof().is_some() {
                continue;
            }
            self.comma();
            self.string(field.json_name());
            self.out.push(':');
            if !is_set && field.supports_presence() {
                self.out.push_str("null");
            } else {
                self.field(&field, &message.get_field(&field))?;
            }
        }
        self.out.push('}');
        Ok(())
    }

    /// Writes a comma, except after an opening bracket.
    fn comma(&mut self) {
        if !self.out.ends_with(['{', '[']) {
            self.out.push(',');
        }
    }

    pub(crate) fn field(
        &mut self,
        field: &FieldDescriptor,
        value: &Value,
    ) -> Result<(), JsonError> {
        match value {
            Value::List(list) => {
                let kind = field.kind();
                self.out.push('[');
                for (index, item) in list.iter().enumerate() {
                    if index > 0 {
                        self.out.push(',');
                    }
                    self.single(&kind, item)?;
                }
                self.out.push(']');
                Ok(())
            }
            Value::Map(map) => self.map(field, map),
            single => self.single(&field.kind(), single),
        }
    }

    fn map(
        &mut self,
        field: &FieldDescriptor,
        map: &std::collections::HashMap<MapKey, Value>,
    ) -> Result<(), JsonError> {
        let Kind::Message(entry) = field.kind() else {
            return Err(JsonError::new("a map without entries"));
        };
        let kind = entry.map_entry_value_field().kind();
        let mut entries: Vec<_> = map.iter().collect();
        entries.sort_by_key(|(key, _)| *key);
        self.out.push('{');
        for (index, (key, value)) in entries.into_iter().enumerate() {
            if index > 0 {
                self.out.push(',');
            }
            match key {
                MapKey::Bool(key) => self.quoted(key),
                MapKey::I32(key) => self.quoted(key),
                MapKey::I64(key) => self.quoted(key),
                MapKey::U32(key) => self.quoted(key),
                MapKey::U64(key) => self.quoted(key),
                MapKey::String(key) => self.string(key),
            }
            self.out.push(':');
            self.single(&kind, value)?;
        }
        self.out.push('}');
        Ok(())
    }

    pub(crate) fn single(&mut self, kind: &Kind, value: &Value) -> Result<(), JsonError> {
        match value {
            Value::Bool(value) => self.plain(value),
            Value::I32(value) => self.plain(value),
            Value::U32(value) => self.plain(value),
            // A double cannot represent all of them.
            Value::I64(value) => self.quoted(value),
            Value::U64(value) => self.quoted(value),
            Value::F32(value) if value.is_finite() => self.plain(value),
            Value::F64(value) if value.is_finite() => self.plain(value),
            Value::F32(value) => self.special(f64::from(*value)),
            Value::F64(value) => self.special(*value),
            Value::String(value) => self.string(value),
            Value::Bytes(value) => {
                self.out.push('"');
                STANDARD.encode_string(value, &mut self.out);
                self.out.push('"');
            }
            Value::EnumNumber(number) => self.enumeration(kind, *number),
            Value::Message(message) => return self.message(message, None),
            Value::List(_) | Value::Map(_) => {
                return Err(JsonError::new("a list within a list"));
            }
        }
        Ok(())
    }

    fn enumeration(&mut self, kind: &Kind, number: i32) {
        let Kind::Enum(kind) = kind else {
            return self.plain(&number);
        };
        if kind.full_name() == "google.protobuf.NullValue" {
            self.out.push_str("null");
            return;
        }
        match kind.get_value(number) {
            Some(value) => self.string(value.name()),
            None => self.plain(&number),
        }
    }

    fn special(&mut self, value: f64) {
        self.out.push_str(if value.is_nan() {
            "\"NaN\""
        } else if value > 0.0 {
            "\"Infinity\""
        } else {
            "\"-Infinity\""
        });
    }

    fn plain(&mut self, value: &impl std::fmt::Display) {
        let _ = write!(self.out, "{value}");
    }

    fn quoted(&mut self, value: &impl std::fmt::Display) {
        let _ = write!(self.out, "\"{value}\"");
    }

    pub(crate) fn string(&mut self, text: &str) {
        self.out.push('"');
        let mut written = 0;
        for (at, byte) in text.bytes().enumerate() {
            let escape = match byte {
                b'"' => "\\\"",
                b'\\' => "\\\\",
                b'\n' => "\\n",
                b'\r' => "\\r",
                b'\t' => "\\t",
                0..b' ' => "",
                _ => continue,
            };
            self.out.push_str(&text[written..at]);
            if escape.is_empty() {
                let _ = write!(self.out, "\\u{byte:04x}");
            } else {
                self.out.push_str(escape);
            }
            written = at + 1;
        }
        self.out.push_str(&text[written..]);
        self.out.push('"');
    }
}
