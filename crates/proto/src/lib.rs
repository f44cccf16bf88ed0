//! Protocol Buffers at run time: sources compiled when a script is read, messages to and
//! from JSON.
//!
//! A [`ProtoSchema`] is made of `.proto` sources ([`ProtoSchema::compile`]), of a set of descriptors
//! ([`ProtoSchema::from_set`]) or of what a server tells of itself ([`ProtoSchema::from_files`]); it
//! has [`Method`]s. [`Types`] are what `Any` may hold. [`from_json`] and [`to_json`] map
//! messages as Go's `protojson` does, with its texts for what cannot be mapped: those are
//! what k6's scripts see.
//!
//! Elsewhere: bringing messages to a server (`net`), reading files (`k6`).

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

/// Why a message cannot be mapped: Go's words, beginning with `proto: `.
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
