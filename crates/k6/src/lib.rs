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
mod factory;
mod go_json;
mod host;
mod init_clock;
mod lend;
mod load;
mod loader;
pub mod log;
mod modules;
pub mod options;
mod packages;
mod secrets;
mod setup_data;
mod shared;
mod sharing;
mod spacing;
mod stage;
mod user;
pub mod vendored;
mod watch;

pub use error::LoadError;
pub use factory::K6Factory;
pub use load::{Loaded, Settings, load, load_with};
pub use secrets::Secrets;
pub use shared::{RunSettings, ScenarioSettings, UserFunctions, Written};
pub use sharing::Apart;
pub use watch::{Watch, Watcher};
