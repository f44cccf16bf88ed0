//! The code of loadline that is checked, compiled with the scheduler's atomics.

/// Takes the place of the engine's module of that name.
mod atomic {
    pub(crate) use shuttle::sync::atomic::{AtomicU64, Ordering};
}

#[path = "../../crates/adapters/engine/src/idle.rs"]
pub mod idle;
