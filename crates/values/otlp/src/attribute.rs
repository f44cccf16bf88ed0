//! Attributes, and what has them.

use prost::{Message, Oneof};

/// What a sender is.
#[derive(Clone, PartialEq, Message)]
pub struct Resource {
    /// Such as `service.name`.
    #[prost(message, repeated, tag = "1")]
    pub attributes: Vec<KeyValue>,
}

/// The part of a program that measures; for metrics it is called a meter.
#[derive(Clone, PartialEq, Eq, Message)]
pub struct InstrumentationScope {
    /// Its name.
    #[prost(string, tag = "1")]
    pub name: String,
}

/// An attribute.
#[derive(Clone, PartialEq, Message)]
pub struct KeyValue {
    /// Its name.
    #[prost(string, tag = "1")]
    pub key: String,
    /// Its value.
    #[prost(message, optional, tag = "2")]
    pub value: Option<AnyValue>,
}

impl KeyValue {
    /// An attribute with a text.
    #[must_use]
    pub fn text(key: &str, value: &str) -> Self {
        Self::new(key, AttributeValue::String(value.to_owned()))
    }

    /// An attribute with a whole number.
    #[must_use]
    pub fn integer(key: &str, value: i64) -> Self {
        Self::new(key, AttributeValue::Int(value))
    }

    fn new(key: &str, value: AttributeValue) -> Self {
        Self {
            key: key.to_owned(),
            value: Some(AnyValue { value: Some(value) }),
        }
    }

    /// The value; `None` when it is of a kind that is not read, such as a list.
    #[must_use]
    pub fn value(&self) -> Option<&AttributeValue> {
        self.value.as_ref()?.value.as_ref()
    }
}

/// The message around an attribute's value.
#[derive(Clone, PartialEq, Message)]
pub struct AnyValue {
    /// The value.
    #[prost(oneof = "AttributeValue", tags = "1, 2, 3, 4")]
    pub value: Option<AttributeValue>,
}

/// An attribute's value.
#[derive(Clone, PartialEq, Oneof)]
pub enum AttributeValue {
    /// A text.
    #[prost(string, tag = "1")]
    String(String),
    /// Yes or no.
    #[prost(bool, tag = "2")]
    Bool(bool),
    /// A whole number.
    #[prost(int64, tag = "3")]
    Int(i64),
    /// A number.
    #[prost(double, tag = "4")]
    Double(f64),
}

/// The text of the attribute `key`; empty without it.
#[must_use]
pub fn text<'a>(attributes: &'a [KeyValue], key: &str) -> &'a str {
    match value(attributes, key) {
        Some(AttributeValue::String(text)) => text,
        _ => "",
    }
}

/// The whole number of the attribute `key`.
#[must_use]
pub fn integer(attributes: &[KeyValue], key: &str) -> Option<i64> {
    match value(attributes, key)? {
        AttributeValue::Int(number) => Some(*number),
        _ => None,
    }
}

fn value<'a>(attributes: &'a [KeyValue], key: &str) -> Option<&'a AttributeValue> {
    attributes.iter().find(|one| one.key == key)?.value()
}
