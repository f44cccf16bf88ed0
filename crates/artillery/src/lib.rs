//! Artillery files, read, checked and run.

pub mod filtrex;
mod functions;
pub mod jsonpath;
mod ms;
mod random;
mod template;
pub mod text;
pub mod yaml;
