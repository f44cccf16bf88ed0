//! The engine in a simulated world: virtual time, several workers in one thread, a
//! seeded order. Each test runs under several seeds and worker counts; a failure names
//! both.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::float_cmp, reason = "sums of small whole numbers are exact")]
#![expect(clippy::print_stderr, reason = "a failure names its seed")]

mod closed;
mod leaving;
mod open;
mod steering;
mod world;
