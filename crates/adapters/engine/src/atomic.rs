//! The atomics of code that is model-checked; `model/` compiles that code with others.

pub(crate) use std::sync::atomic::{AtomicU64, Ordering};
