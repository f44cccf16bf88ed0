//! What access logs say of the load: when it is highest, what it is made of, how people
//! behave.
//!
//! [`LogReader`] takes bytes as they come and keeps only sums, so that a year of logs needs
//! no more memory than a day: endpoints are folded into templates ([`templates`]), each
//! second of the last 500 days is a counter ([`timeline`]), clients are sampled once there
//! are too many ([`clients`]). Lines that cannot be read are counted by reason, with the
//! numbers of the first ones ([`troubles`]), and are never fatal.
//!
//! Elsewhere: opening and decompressing files (`cli`), how it looks (`report`).

mod clients;
mod clock;
mod entry;
mod fields;
mod formats;
mod plan;
mod reader;
mod summary;
mod templates;
mod timeline;
mod troubles;

pub use fields::{FieldError, FieldMapping};
pub use formats::Format;
pub use reader::LogReader;
pub use summary::{EndpointLoad, MonthlyGrowth, PeakSpan, TrafficHistory, UserBehaviour};
pub use troubles::{FileLine, LineProblem, LineProblems};
