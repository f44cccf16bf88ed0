//! JSON with the position of every value, read by Go's rules.
//!
//! k6 shows where in the options a value of the wrong type is, as a position in the text that
//! Go's JSON writer makes of the options. [`Document`] has that text and the positions.
//! [`Reader`] turns its values into Rust values or into Go's error.

mod document;
mod parse;
mod reader;
mod write;

pub use document::{Document, Node, NodeKind};
pub(crate) use reader::field_named;
pub use reader::{OptionReadError, Reader, TypeMismatch};
pub use write::to_pretty_text;
