//! The virtual user of URL runs: one prepared request an iteration.
//!
//! [`UrlRequest`] describes the request; [`BareFactory`] makes the users. The samples of a
//! request are in `samples`, sending it in `loadline_net`.

mod samples;
mod target;
mod trace;
mod user;

pub use target::{TargetError, UrlRequest};
pub use trace::TraceShare;
pub use user::{BareFactory, ExchangeCallback};
