//! k6's scripts: what they may ask for and what their API does.
//!
//! [`load`] reads a script and everything it imports and runs its init code once.
//! [`options`] turns what it asks for, together with flags, environment and
//! configuration file, into a plan; a [`K6Factory`] makes its virtual users. The API is
//! in `modules`, one file each, on the host in `host`.
//!
//! Elsewhere: running JavaScript (`js`), planning load (`testplan`), sending requests
//! (`net`), printing (`cli`, `report`).

mod error;
mod globals;
mod go_json;
mod host;
mod load;
pub mod log;
mod modules;
pub mod options;
mod paths;
mod sources;
mod users;
pub mod vendor;

pub use error::LoadError;
pub use host::{Apart, RunSettings, ScenarioSettings, Secrets, Watch, Watcher, Written};
pub use load::{Loaded, Settings, load, load_with};
pub use options::UserFunctions;
pub use users::K6Factory;
