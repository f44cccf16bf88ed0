//! Converts JSON to messages.

mod known;

use std::collections::{HashMap, HashSet};

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use prost_reflect::{
    DynamicMessage, FieldDescriptor, Kind as Type, MapKey, MessageDescriptor, Value,
};

use crate::JsonError;
use crate::schema::Types;
use crate::token::{Kind, Token, Tokens, is_number};

/// The deepest nesting of messages.
const NESTING_MAX: usize = 10_000;

/// Reads a message of type `descriptor` from JSON. `types` are the types allowed in `Any`.
///
/// # Errors
/// [`JsonError`] with line and column.
pub fn from_json(
    text: &str,
    descriptor: &MessageDescriptor,
    types: &Types,
) -> Result<DynamicMessage, JsonError> {
    let mut reader = Reader {
        tokens: Tokens::new(text),
        types,
        depth: 0,
    };
    let mut message = DynamicMessage::new(descriptor.clone());
    reader.message(&mut message, false)?;
    let end = reader.tokens.read()?;
    if end.kind != Kind::End {
        return Err(reader.tokens.unexpected(&end));
    }
    check_required(&message)?;
    Ok(message)
}

pub(crate) struct Reader<'t> {
    pub(crate) tokens: Tokens<'t>,
    pub(crate) types: &'t Types,
    depth: usize,
}

impl<'t> Reader<'t> {
    /// Fills `message`. With `in_any`, skips the `@type` of a message inside an `Any`.
    pub(crate) fn message(
        &mut self,
        message: &mut DynamicMessage,
        in_any: bool,
    ) -> Result<(), JsonError> {
        use prost_reflect::ReflectMessage;
        self.depth += 1;
        if self.depth > NESTING_MAX {
            return Err(JsonError::new("exceeded max recursion depth"));
        }
        let descriptor = message.descriptor();
        if let Some(known) = known::reader(descriptor.full_name()) {
            known(self, message)?;
        } else {
            self.fields(message, &descriptor, in_any)?;
        }
        self.depth -= 1;
        Ok(())
    }

    fn fields(
        &mut self,
        message: &mut DynamicMessage,
        descriptor: &MessageDescriptor,
        in_any: bool,
    ) -> Result<(), JsonError> {
        self.expect(Kind::ObjectOpen)?;
        let mut seen = HashSet::new();
        let mut chosen = HashSet::new();
        while let Some(name) = self.name()? {
            if in_any && name.text == "@type" {
                self.tokens.read()?;
                continue;
            }
            let field = descriptor
                .get_field_by_json_name(&name.text)
                .or_else(|| descriptor.get_field_by_name(&name.text));
            let Some(field) = field else {
                let text = format!("unknown field {}", name.raw);
                return Err(self.tokens.error(name.at, &text));
            };
            if !seen.insert(field.number()) {
                let text = format!("duplicate field {}", name.raw);
                return Err(self.tokens.error(name.at, &text));
            }
            if self.tokens.peek()? == Kind::Null && !takes_null(&field) {
                self.tokens.read()?;
                continue;
            }
            if field.is_list() {
                let list = self.list(&field)?;
                message.set_field(&field, list);
            } else if field.is_map() {
                let map = self.map(&field)?;
                message.set_field(&field, map);
            } else {
                if let Some(oneof) = field.containing_oneof()
                    && !chosen.insert(oneof.name().to_owned())
                {
                    let (raw, oneof) = (name.raw, oneof.full_name().to_owned());
                    let text = format!("error parsing {raw}, oneof {oneof} is already set");
                    return Err(self.tokens.error(name.at, &text));
                }
                let value = self.single(&field)?;
                message.set_field(&field, value);
            }
        }
        Ok(())
    }

    /// The next member's name; `None` at the end of the object.
    pub(crate) fn name(&mut self) -> Result<Option<Token<'t>>, JsonError> {
        let token = self.tokens.read()?;
        match token.kind {
            Kind::Name => Ok(Some(token)),
            Kind::ObjectClose => Ok(None),
            _ => Err(self.tokens.unexpected(&token)),
        }
    }

    pub(crate) fn expect(&mut self, kind: Kind) -> Result<Token<'t>, JsonError> {
        let token = self.tokens.read()?;
        if token.kind == kind {
            Ok(token)
        } else {
            Err(self.tokens.unexpected(&token))
        }
    }

    /// A value that is neither a list nor a map.
    fn single(&mut self, field: &FieldDescriptor) -> Result<Value, JsonError> {
        match field.kind() {
            Type::Message(descriptor) => {
                let mut message = DynamicMessage::new(descriptor);
                self.message(&mut message, false)?;
                Ok(Value::Message(message))
            }
            kind => self.scalar(field, &kind),
        }
    }

    pub(crate) fn scalar(
        &mut self,
        field: &FieldDescriptor,
        kind: &Type,
    ) -> Result<Value, JsonError> {
        let token = self.tokens.read()?;
        if let Some(value) = scalar_of(&token, kind) {
            return Ok(value);
        }
        let (kind, name, raw) = (kind_name(kind), field.json_name(), token.raw);
        let text = format!("invalid value for {kind} field {name}: {raw}");
        Err(self.tokens.error(token.at, &text))
    }

    pub(crate) fn list(&mut self, field: &FieldDescriptor) -> Result<Value, JsonError> {
        self.expect(Kind::ArrayOpen)?;
        let mut list = Vec::new();
        while self.tokens.peek()? != Kind::ArrayClose {
            list.push(self.single(field)?);
        }
        self.tokens.read()?;
        Ok(Value::List(list))
    }

    pub(crate) fn map(&mut self, field: &FieldDescriptor) -> Result<Value, JsonError> {
        let Type::Message(entry) = field.kind() else {
            return Err(JsonError::new("a map without entries"));
        };
        let (key_field, value_field) = (entry.map_entry_key_field(), entry.map_entry_value_field());
        self.expect(Kind::ObjectOpen)?;
        let mut map = HashMap::new();
        loop {
            let token = self.tokens.read()?;
            match token.kind {
                Kind::Name => {}
                Kind::ObjectClose => return Ok(Value::Map(map)),
                _ => return Err(self.tokens.unexpected(&token)),
            }
            let kind = key_field.kind();
            let Some(key) = key_of(&token.text, &kind) else {
                let (kind, raw) = (kind_name(&kind), token.raw);
                let text = format!("invalid value for {kind} key: {raw}");
                return Err(self.tokens.error(token.at, &text));
            };
            if map.contains_key(&key) {
                let text = format!("duplicate map key {}", token.raw);
                return Err(self.tokens.error(token.at, &text));
            }
            let value = self.single(&value_field)?;
            map.insert(key, value);
        }
    }

    /// Skips a value.
    pub(crate) fn skip(&mut self) -> Result<(), JsonError> {
        let mut open = 0_usize;
        loop {
            match self.tokens.read()?.kind {
                Kind::ObjectOpen | Kind::ArrayOpen => open += 1,
                Kind::ObjectClose | Kind::ArrayClose => open = open.saturating_sub(1),
                Kind::End => return Err(JsonError::new("unexpected EOF")),
                _ => {}
            }
            if open == 0 {
                return Ok(());
            }
        }
    }

    /// A reader at the same position; this one does not move.
    pub(crate) fn ahead(&self) -> Self {
        Self {
            tokens: self.tokens.clone(),
            types: self.types,
            depth: self.depth,
        }
    }
}

/// Whether `null` is a value of the field; for others it means that there is none.
fn takes_null(field: &FieldDescriptor) -> bool {
    match field.kind() {
        Type::Message(message) => message.full_name() == "google.protobuf.Value",
        Type::Enum(kind) => kind.full_name() == "google.protobuf.NullValue",
        _ => false,
    }
}

fn scalar_of(token: &Token<'_>, kind: &Type) -> Option<Value> {
    match kind {
        Type::Bool => (token.kind == Kind::Bool).then(|| Value::Bool(token.is_true())),
        Type::Int32 | Type::Sint32 | Type::Sfixed32 => {
            Some(Value::I32(int_text(token)?.parse().ok()?))
        }
        Type::Int64 | Type::Sint64 | Type::Sfixed64 => {
            Some(Value::I64(int_text(token)?.parse().ok()?))
        }
        Type::Uint32 | Type::Fixed32 => Some(Value::U32(int_text(token)?.parse().ok()?)),
        Type::Uint64 | Type::Fixed64 => Some(Value::U64(int_text(token)?.parse().ok()?)),
        Type::Float => float::<f32>(token).map(Value::F32),
        Type::Double => float::<f64>(token).map(Value::F64),
        Type::String => (token.kind == Kind::String).then(|| Value::String(token.text.clone())),
        Type::Bytes => {
            let bytes = (token.kind == Kind::String).then(|| base64_of(&token.text))??;
            Some(Value::Bytes(bytes.into()))
        }
        Type::Enum(kind) => match token.kind {
            Kind::String => kind
                .get_value_by_name(&token.text)
                .map(|value| Value::EnumNumber(value.number())),
            Kind::Number => Some(Value::EnumNumber(token.int_text()?.parse().ok()?)),
            Kind::Null if kind.full_name() == "google.protobuf.NullValue" => {
                Some(Value::EnumNumber(0))
            }
            _ => None,
        },
        Type::Message(_) => None,
    }
}

/// The number of a token, or of a string that contains nothing else.
fn number_text<'t>(token: &'t Token<'_>) -> Option<&'t str> {
    match token.kind {
        Kind::Number => Some(token.raw),
        Kind::String if is_number(&token.text) => Some(&token.text),
        _ => None,
    }
}

fn int_text(token: &Token<'_>) -> Option<String> {
    let raw = number_text(token)?;
    Token {
        kind: Kind::Number,
        at: 0,
        raw,
        text: String::new(),
    }
    .int_text()
}

trait Float: std::str::FromStr {
    fn is_infinite(&self) -> bool;
    fn special(value: f32) -> Self;
}

impl Float for f32 {
    fn is_infinite(&self) -> bool {
        Self::is_infinite(*self)
    }

    fn special(value: f32) -> Self {
        value
    }
}

impl Float for f64 {
    fn is_infinite(&self) -> bool {
        Self::is_infinite(*self)
    }

    fn special(value: f32) -> Self {
        Self::from(value)
    }
}

pub(crate) fn double_of(token: &Token<'_>) -> Option<f64> {
    float(token)
}

fn float<F: Float>(token: &Token<'_>) -> Option<F> {
    if token.kind == Kind::String {
        match &*token.text {
            "NaN" => return Some(F::special(f32::NAN)),
            "Infinity" => return Some(F::special(f32::INFINITY)),
            "-Infinity" => return Some(F::special(f32::NEG_INFINITY)),
            _ => {}
        }
    }
    let number: F = number_text(token)?.parse().ok()?;
    // A value that is too large is an error.
    (!number.is_infinite()).then_some(number)
}

/// Base64 in either alphabet, with or without padding.
fn base64_of(text: &str) -> Option<Vec<u8>> {
    let alphabet = if text.contains(['-', '_']) {
        &alphabet::URL_SAFE
    } else {
        &alphabet::STANDARD
    };
    let padding = if text.len().is_multiple_of(4) {
        DecodePaddingMode::RequireCanonical
    } else {
        DecodePaddingMode::RequireNone
    };
    let config = GeneralPurposeConfig::new()
        .with_decode_padding_mode(padding)
        .with_decode_allow_trailing_bits(true);
    // Go ignores line ends.
    let text = text.replace(['\r', '\n'], "");
    GeneralPurpose::new(alphabet, config).decode(text).ok()
}

fn key_of(name: &str, kind: &Type) -> Option<MapKey> {
    Some(match kind {
        Type::String => MapKey::String(name.to_owned()),
        Type::Bool => MapKey::Bool(match name {
            "true" => true,
            "false" => false,
            _ => return None,
        }),
        Type::Int32 | Type::Sint32 | Type::Sfixed32 => MapKey::I32(name.parse().ok()?),
        Type::Int64 | Type::Sint64 | Type::Sfixed64 => MapKey::I64(name.parse().ok()?),
        Type::Uint32 | Type::Fixed32 => MapKey::U32(name.parse().ok()?),
        Type::Uint64 | Type::Fixed64 => MapKey::U64(name.parse().ok()?),
        _ => return None,
    })
}

/// The name of a kind in sources.
pub(crate) fn kind_name(kind: &Type) -> &'static str {
    match kind {
        Type::Double => "double",
        Type::Float => "float",
        Type::Int32 => "int32",
        Type::Int64 => "int64",
        Type::Uint32 => "uint32",
        Type::Uint64 => "uint64",
        Type::Sint32 => "sint32",
        Type::Sint64 => "sint64",
        Type::Fixed32 => "fixed32",
        Type::Fixed64 => "fixed64",
        Type::Sfixed32 => "sfixed32",
        Type::Sfixed64 => "sfixed64",
        Type::Bool => "bool",
        Type::String => "string",
        Type::Bytes => "bytes",
        Type::Message(_) => "message",
        Type::Enum(_) => "enum",
    }
}

/// Checks that required fields are set, also in nested messages.
pub(crate) fn check_required(message: &DynamicMessage) -> Result<(), JsonError> {
    use prost_reflect::ReflectMessage;
    for field in message.descriptor().fields() {
        if field.is_required() && !message.has_field(&field) {
            let text = format!("required field {} not set", field.full_name());
            return Err(JsonError(text));
        }
    }
    for (_, value) in message.fields() {
        match value {
            Value::Message(message) => check_required(message)?,
            Value::List(list) => {
                for message in list.iter().filter_map(Value::as_message) {
                    check_required(message)?;
                }
            }
            Value::Map(map) => {
                for message in map.values().filter_map(Value::as_message) {
                    check_required(message)?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}
