//! Artillery files, read, checked and run.
//!
//! [`load::load`] reads files as Artillery 2 does and says what is wrong with them;
//! [`phases::plan`] turns their phases into a plan, [`ArtilleryFactory`] makes the users
//! that run their flows on `net`. Metrics have Artillery's names ([`record`]).
//!
//! Elsewhere: the console summary and the result file, in `report`; flags and exit codes,
//! in `cli`.

mod answer;
mod console;
mod endpoint;
pub mod ensure;
mod expect;
mod files;
pub mod filtrex;
pub mod finding;
mod flow;
mod functions;
mod hooks;
mod http;
pub mod jsonpath;
pub mod keys;
mod lint;
pub mod load;
mod merge;
pub mod model;
mod ms;
mod payload;
mod permits;
pub mod phases;
pub mod phrase;
mod processor;
mod random;
mod read;
pub mod record;
mod template;
pub mod text;
mod user;
mod vu;
mod ws;
pub mod yaml;

pub use console::Console;
pub use functions::fake_names;
pub use processor::ProcessorError;
pub use random::Random;
pub use user::{ArtilleryFactory, FactoryError};
pub use vu::Watch;
