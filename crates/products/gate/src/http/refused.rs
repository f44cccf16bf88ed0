//! How often callers were refused, by status.

use axum::http::StatusCode;
use std::sync::atomic::{AtomicU64, Ordering};

/// Statuses that are passed on; any other is counted as the first, 400.
const STATUSES: [u16; 11] = [400, 401, 403, 404, 408, 409, 410, 412, 422, 429, 503];

/// Counts of refusals.
#[derive(Default)]
pub(super) struct RefusalCounts([AtomicU64; STATUSES.len()]);

impl RefusalCounts {
    pub(super) fn note(&self, status: StatusCode) {
        if status.is_client_error() || status.is_server_error() {
            let place = STATUSES.iter().position(|known| *known == status.as_u16());
            self.0[place.unwrap_or(0)].fetch_add(1, Ordering::Relaxed);
        }
    }

    pub(super) fn all(&self) -> impl Iterator<Item = (u16, u64)> {
        let counts = self.0.iter().map(|count| count.load(Ordering::Relaxed));
        STATUSES.into_iter().zip(counts)
    }
}
