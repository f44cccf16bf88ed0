//! Where the files of a script come from: disk, npm packages, what `loadline vendor`
//! stored, and loadline's own modules behind well-known URLs.

pub(crate) mod jslib;
mod loader;
mod locate;
pub(crate) mod lock_file;
mod packages;
mod unavailable;

pub(crate) use loader::FileLoader;
pub(crate) use locate::{ScriptFile, locate_file};
pub(crate) use lock_file::StoredModules;
