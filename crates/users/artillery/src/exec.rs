//! Runs flows: steps, requests, WebSocket messages, captures, expectations, and the functions
//! that a processor adds to them.
//!
//! Elsewhere: what a user owns while it runs, in [`crate::vu`]; the processor's own
//! interpreter, in [`crate::processor`].

mod answer;
mod expect;
mod flow;
mod hooks;
mod http;
pub(crate) mod scenario;
mod socket_io;
mod ws;
