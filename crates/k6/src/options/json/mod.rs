//! JSON with the place of every value, read by Go's rules.
//!
//! k6 shows where in the options a value of the wrong type stands, counted in the text
//! Go's writer makes of them. [`Document`] has that text and the places; [`Reader`]
//! turns its values into Rust's or into Go's complaint.

mod document;
mod parse;
mod reader;
mod write;

pub use document::{Document, Node, NodeKind};
pub(crate) use reader::field_named;
pub use reader::{Fault, Mismatch, Reader};
pub use write::to_pretty_text;
