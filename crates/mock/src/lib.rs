//! A stand-in for an outside server.
//!
//! [`MockSpec`] says what is answered and when, [`Mock`] serves it over HTTP/1.1 and HTTP/2
//! without TLS, [`Status`] is what it knows of itself: requests, what waits, and how late
//! its answers were. Everything can be changed while it runs, over its admin port.
//!
//! Elsewhere: flags and terminal (`cli`), files written from logs (`sizing`).

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
