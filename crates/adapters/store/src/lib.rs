//! Stores runs on disk.
//!
//! A [`Recorder`] stores a run while it is going on, on a thread of its own. A [`Store`] lists
//! and reads stored runs, and changes their notes and tags. A stored run has windows (one
//! compressed blob each, with only the series that changed), a roll-up of the whole run, events,
//! and facts. [`rebuild`] turns them into the totals and the summary that the run had in memory
//! when it ended. A study of settings (`loadline tune`) is one row with its answer so far.
//!
//! Elsewhere: how samples are counted (`metrics`), what counts as a secret (`record`), where the
//! file lies (`cli`).

mod about;
mod blob;
mod blob_error;
mod dictionary;
mod error;
mod full_disk;
mod gains;
pub mod join;
mod owner;
mod reader;
pub mod rebuild;
mod runs;
mod schema;
mod segments;
mod studies;
mod varint;
mod writer;

pub use about::{
    Environment, MetricInfo, ModuleInfo, RunEnd, RunEvent, RunInfo, ScenarioInfo, SegmentInfo,
    ThresholdInfo,
};
pub use blob::{BLOB_FORMAT, StorageRules};
pub use blob_error::BlobError;
pub use dictionary::SeriesDef;
pub use error::StoreError;
pub use reader::{SeriesGains, StoredRun, StoredWindow, merge};
pub use runs::{RunRow, Store, StoredRunState};
pub use schema::SCHEMA_VERSION;
pub use segments::PartsError;
pub use studies::StudyRow;
pub use writer::{DataLoss, LossCause, QUEUE_BYTES_MAX, Recorder, RecorderConfig, RecordingResult};
