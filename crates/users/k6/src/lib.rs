//! k6 scripts and their API.
//!
//! [`load`] reads a script and everything it imports and runs its init code once. A
//! [`K6Factory`] makes the virtual users.
//!
//! The modules are layers. Each uses only those after it in this list: `load` and `vendor`;
//! `users`; `globals`; `modules` (the k6 API, one file each); `host` (what native functions
//! know of their user, and what all users share); `sources` (the files of a script);
//! then `error`, `go_json` and `paths`.
//!
//! Elsewhere: what options mean, and the log's lines (`k6-options`), running JavaScript (`js`),
//! planning load (`testplan`), sending requests (`net`), printing (`cli`, `report`).

pub mod deps;
mod error;
mod globals;
mod go_json;
mod host;
mod load;
mod mistake;
mod modules;
mod paths;
mod sources;
mod users;
pub mod vendor;

pub use error::LoadError;
pub use host::{
    IsolationReason, RunSettings, SUMMARY_TIMEOUT, ScenarioSettings, ScriptObserver, Secrets,
    SummaryFile, Watcher,
};
pub use load::{LoadedScript, ScriptLocation, ScriptSettings, load, load_with};
pub use loadline_js::{CodeTrust, ForeignCode};
pub use loadline_k6_options::{UserFunctions, log};
pub use mistake::ScriptMistake;
pub use sources::remote::{
    Fetch, FetchResponse, MODULE_BYTES_MAX, ModuleNote, ModuleOrigin, RemoteModule, RemoteModules,
};
pub use sources::{FetchError, ModuleError};
pub use users::K6Factory;
