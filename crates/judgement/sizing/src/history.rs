//! Reads access logs: when the load is highest, which requests it has, how people behave.
//!
//! [`LogReader`] takes bytes and keeps only sums, so a year of logs needs no more memory than a
//! day. Paths are folded into templates ([`templates`]), each second of the last 500 days is a
//! counter ([`timeline`]), and clients are sampled if there are too many ([`clients`]). What they
//! did is put in the order of time, whichever file has it ([`order`]). Lines that cannot be parsed are counted by reason, with the numbers of the first ones
//! ([`troubles`]); they are never fatal.
//!
//! Elsewhere: opening and decompressing files (`cli`), presentation (`report`).

mod clients;
mod clock;
mod durations;
mod entry;
mod fields;
mod formats;
mod order;
mod plan;
mod reader;
mod routes;
mod summary;
mod templates;
mod timeline;
mod times;
mod troubles;

pub use fields::{FieldError, FieldMapping};
pub use formats::{AccessLogFormat, Format, LogFormatError};
pub use reader::LogReader;
pub use routes::routes;
pub use summary::{EndpointLoad, MonthlyGrowth, PeakSpan, TrafficHistory, UserBehaviour};
pub use times::{TimeReason, TimeRefusal, TimeSource};
pub use troubles::{FileLine, LineProblem, LineProblems};
