//! Scripts run through the public API, on a virtual clock.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod calls;
mod host;
mod json;
mod modules;
mod realms;
mod words;
