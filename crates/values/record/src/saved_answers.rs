//! Answers that a run keeps, so that a later one can be held to them.
//!
//! They are kept by request: method, address as it was sent, body. A body of JSON is kept in its canonical form
//! ([`JsonNode`]), any other text as it is, anything else by its length and fingerprint. Secrets are masked as everywhere
//! ([`Redactor`]), and beside each mask stand sixteen bits of a fingerprint: equal secrets stay equal, another one is seen,
//! and of which text it is cannot be told.

mod json;
mod mask;
mod number;
mod reader;

use serde::{Deserialize, Serialize};

use crate::redact::Redactor;
pub use json::{JsonMap, JsonNode, JsonSequence};

/// The answers that a run kept.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedAnswers {
    /// By request, in the order of method, address and body.
    pub requests: Vec<SavedRequest>,
    /// There were more requests, or larger ones, than are kept.
    #[serde(default)]
    pub is_full: bool,
}

/// A request and its answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedRequest {
    /// Which request it is.
    #[serde(flatten)]
    pub key: RequestKey,
    /// The name of its endpoint, or its address with ids left out.
    pub endpoint: String,
    /// Its answers, as far as they differ.
    pub answers: Vec<SavedAnswer>,
}

/// What tells requests apart.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RequestKey {
    /// Its method.
    pub method: String,
    /// Its address as it was sent, secrets masked.
    pub url: String,
    /// The fingerprint of its body, secrets masked; empty without one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub body: String,
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedAnswer {
    /// Its status.
    pub status: u16,
    /// Its media type, in lower case; empty without one.
    #[serde(default)]
    pub media_type: String,
    /// Where it points, or where a redirect that was followed led; empty otherwise.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub location: String,
    /// How many of those that were looked at were the same.
    pub count: u32,
    /// Its body.
    pub body: SavedBody,
}

/// The body of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum SavedBody {
    /// No byte.
    Empty,
    /// JSON in its canonical form.
    Json {
        /// The document.
        text: String,
        /// It is only the beginning.
        #[serde(default)]
        is_cut: bool,
    },
    /// Any other text.
    Text {
        /// The text.
        text: String,
        /// It is only the beginning.
        #[serde(default)]
        is_cut: bool,
    },
    /// Anything else.
    Binary {
        /// Its bytes, those that were not kept included.
        length: u64,
        /// The fingerprint of those that were kept.
        print: String,
    },
}

/// A body as it came.
#[derive(Debug, Clone, Copy)]
pub struct RawBody<'a> {
    /// Its bytes, or the first of them.
    pub bytes: &'a [u8],
    /// There are more.
    pub is_cut: bool,
    /// All its bytes.
    pub length: u64,
    /// Its media type.
    pub media_type: &'a str,
}

impl SavedBody {
    /// What is kept of a body.
    #[must_use]
    pub fn new(raw: RawBody<'_>, redactor: &Redactor) -> Self {
        if raw.length == 0 && raw.bytes.is_empty() {
            return Self::Empty;
        }
        let Some(text) = readable(raw.bytes, raw.is_cut) else {
            return Self::Binary {
                length: raw.length,
                print: print(raw.bytes),
            };
        };
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let is_document = text.trim_start().starts_with(['{', '[']);
        if (is_document || raw.media_type.contains("json"))
            && let Some(json) = JsonNode::read(text, raw.is_cut)
        {
            return Self::Json {
                text: mask::json(json, redactor).canonical(),
                is_cut: raw.is_cut,
            };
        }
        Self::Text {
            text: mask::text(text, redactor),
            is_cut: raw.is_cut,
        }
    }
}

impl RequestKey {
    /// Of a request as it was sent, secrets masked.
    #[must_use]
    pub fn new(method: &str, url: &str, body: &[u8], redactor: &Redactor) -> Self {
        let masked = match std::str::from_utf8(body) {
            Ok(text) => mask::request_body(text, redactor).into_bytes(),
            Err(_) => body.to_vec(),
        };
        Self {
            method: method.to_owned(),
            url: mask::phrase(url, redactor),
            body: if body.is_empty() {
                String::new()
            } else {
                print(&masked)
            },
        }
    }
}

/// Where an answer points, secrets masked.
#[must_use]
pub fn masked_location(location: &str, redactor: &Redactor) -> String {
    mask::phrase(location, redactor)
}

/// The body as text; its last character may be cut.
fn readable(body: &[u8], is_cut: bool) -> Option<&str> {
    let text = match std::str::from_utf8(body) {
        Ok(text) => text,
        Err(error) if is_cut && error.error_len().is_none() => {
            std::str::from_utf8(&body[..error.valid_up_to()]).ok()?
        }
        Err(_) => return None,
    };
    (!text.contains('\0')).then_some(text)
}

/// A fingerprint of 64 bits.
fn print(bytes: &[u8]) -> String {
    format!("{:016x}", fnv(bytes))
}

fn fnv(bytes: &[u8]) -> u64 {
    // FNV-1a: the same in every program, which the standard library's is not.
    bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests;
