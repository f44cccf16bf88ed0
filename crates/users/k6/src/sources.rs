//! Where the files of a script come from: disk, npm packages, and the web, held to what
//! `loadline vendor` stored.

mod jslib;
mod loader;
mod locate;
pub(crate) mod lock_file;
mod module_error;
mod packages;
pub(crate) mod remote;
mod unavailable;

pub(crate) use loader::FileLoader;
pub(crate) use locate::{ScriptFile, locate_file};
pub use module_error::{FetchError, ModuleError};
pub(crate) use remote::{RemoteLoader, RemoteModules};
