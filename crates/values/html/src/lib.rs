//! HTML documents as browsers read them, and CSS selectors over them.
//!
//! `k6/html` and Artillery's `selector` captures use it; what scripts see of it is theirs.

mod css;
mod parse;
mod render;
mod tree;

pub use css::{CssSelector, SelectorDialect};
pub use parse::{HtmlLimitError, HtmlParser, parse};
pub use render::inner_html;
pub use tree::{HtmlDocument, HtmlNode, NodeId};
