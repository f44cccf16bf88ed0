//! What lies under an exchange, in a simulated network: names, TLS, HTTP/2, proxies.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod authority;
#[path = "../common/mod.rs"]
#[expect(dead_code, reason = "not every test binary uses all of the bed")]
mod common;
mod http2;
mod names;
mod proxy;
mod server;
mod tls;
mod version1;
