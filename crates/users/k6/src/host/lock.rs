//! Locks of what users share.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks. A panic of another thread leaves the value intact, because every change under
/// these locks is a single assignment.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
