//! Reads, checks and runs Artillery files.
//!
//! [`load::load`] reads files as Artillery 2 does and reports what is wrong with them.
//! [`phases::plan`] turns their phases into a plan. [`ArtilleryFactory`] makes the users that run
//! their flows on `net`. Metrics have Artillery's names ([`record`]).
//!
//! Elsewhere: the console summary and the result file in `report`, flags and exit codes in `cli`.

mod console;
mod endpoint;
pub mod ensure;
mod exec;
mod files;
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
mod permits;
pub mod phases;
pub mod phrase;
mod processor;
pub mod random;
mod read;
pub mod record;
mod template;
mod test;
pub mod text;
mod user;
mod vu;
pub mod yaml;

pub use console::Console;
pub use functions::fake_names;
pub use payload::RowUsage;
pub use processor::{ProcessorError, ProcessorNotice};

pub use user::{ArtilleryFactory, FactoryError, UserEnvironment, scenario_weights};
pub use vu::NamedExchangeCallback;
