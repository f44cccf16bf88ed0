//! The virtual user of URL runs: one prepared request an iteration.
//!
//! [`Target`] says what to send; [`BareFactory`] makes the users. What a request is
//! measured by is in `samples`, how it is sent in `loadline_net`.

mod samples;
mod target;
mod user;

pub use target::{Target, TargetError};
pub use user::{BareFactory, Watch};
