//! Protocol Buffers at run time: compiles sources when a script is loaded, and converts messages
//! to and from JSON.
//!
//! A [`ProtoSchema`] is made from `.proto` sources ([`ProtoSchema::compile`]), a set of
//! descriptors ([`ProtoSchema::from_set`]) or a server's reflection
//! ([`ProtoSchema::from_files`]). It has [`Method`]s. [`Types`] are the types allowed in `Any`.
//! [`from_json`] and [`to_json`] convert messages as Go's `protojson` does, with its error texts,
//! which k6's scripts see.
//!
//! Elsewhere: sending messages to a server (`net`), reading files (`k6`).

mod names;
mod read;
mod schema;
mod token;
pub mod wire;
mod write;

pub use prost::Message;
pub use prost_reflect::{DynamicMessage, MessageDescriptor};
pub use read::from_json;
pub use schema::{Method, ProtoSchema, SchemaError, Types};
pub use write::{any_json, to_json};

/// Why a message cannot be converted, in Go's words, beginning with `proto: `.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("proto: {0}")]
pub struct JsonError(pub(crate) String);

impl JsonError {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

#[cfg(test)]
mod tests;
