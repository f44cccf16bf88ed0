//! A mock of an outside server.
//!
//! [`MockSpec`] defines answers and their latency. [`Mock`] serves it over HTTP/1.1 and HTTP/2
//! without TLS. [`Status`] has its measurements: requests, queues, and how late its answers were.
//! Everything can be changed at run time over its admin port.
//!
//! Elsewhere: flags and terminal (`cli`), mock files made from logs (`sizing`).

mod admin;
mod body;
mod latency;
mod limits;
mod meter;
mod random;
mod route;
mod schedule;
mod server;
mod service;
mod shares;
mod spec;
mod state;

pub use latency::Latency;
pub use schedule::Schedule;
pub use server::{Mock, MockError, MockEvent, MockOptions};
pub use spec::{ErrorsSpec, LimitSpec, MockSpec, RouteSpec, SpecError};
pub use state::Status;
