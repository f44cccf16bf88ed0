//! Artillery files, read, checked and run.

mod endpoint;
pub mod filtrex;
pub mod finding;
mod functions;
pub mod jsonpath;
pub mod keys;
mod lint;
pub mod load;
mod merge;
pub mod model;
mod ms;
mod payload;
mod random;
mod read;
mod template;
pub mod text;
pub mod yaml;
