//! HTTP server set-up shared by all our servers.
//!
//! [`Listener`] binds, serves an [`axum::Router`] under [`Limits`] and drains;
//! [`AllowedHosts`] guards what a browser must not be tricked into calling;
//! [`BackgroundPriority`] keeps threads that serve out of a load's way;
//! [`Refusal`] is the JSON shape of every error answer. What is served, and the
//! words printed about it, belong to the caller.

mod address;
mod background;
mod hosts;
mod limits;
mod listener;
mod refusal;
mod secret;
mod tls;

pub use address::{AddressError, parse_address};
pub use background::BackgroundPriority;
pub use hosts::{AllowedHosts, guard};
pub use limits::Limits;
pub use listener::{CloseReason, DrainResult, ListenError, Listener, ShutdownSignal};
pub use refusal::Refusal;
pub use secret::{is_same_secret, keyed_digest};
pub use tls::{ServerTls, TlsSetupError};
