//! Runs on disk.
//!
//! A [`Recorder`] keeps a run while it goes, on a thread of its own; a [`Store`] lists and
//! reads what is kept, and changes what people write about runs. A run is its windows (one
//! compressed blob each, only the series that changed), roll-ups of minutes and of the
//! whole, events, and facts. [`rebuild`] makes of it what the run had in memory when it
//! ended.
//!
//! Elsewhere: what is measured (`metrics`), what secrets are (`record`), where the file
//! lies (`cli`).

mod about;
mod blob;
mod dictionary;
mod error;
mod gains;
pub mod join;
mod owner;
mod reader;
pub mod rebuild;
mod runs;
mod schema;
mod segments;
mod varint;
mod writer;

pub use about::{About, End, Environment, Event, Metric, Scenario, Segment, Threshold};
pub use blob::{FORMAT, Rules};
pub use dictionary::SeriesDef;
pub use error::{Corrupt, StoreError};
pub use reader::{GainsBySeries, StoredRun, StoredWindow, merge};
pub use runs::{RunRow, State, Store};
pub use schema::VERSION;
pub use segments::PartsError;
pub use writer::{Keeping, Kept, Loss, LossCause, QUEUE, Recorder};
