//! The virtual users of a script, and the users that run its stages.

mod factory;
mod init_clock;
mod realms;
mod script;
mod stage;
mod vm;
mod written_back;

pub use factory::K6Factory;
pub(crate) use vm::{UserVm, run_init};
