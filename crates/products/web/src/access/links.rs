//! Links that were opened: each opens once, and a little longer for a second click.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use super::tokens::{LINK_HOURS_MAX, SignedLink};

/// A link that was opened opens again for so long: previews and second clicks are no theft.
const LINK_REUSE_MS_MAX: i64 = 60_000;

/// When the links were opened that could still be.
#[derive(Default)]
pub(crate) struct OpenedLinks(Mutex<HashMap<String, OpenedLink>>);

struct OpenedLink {
    made_ms: i64,
    opened_ms: i64,
}

impl OpenedLinks {
    /// Whether a link opens now; it is remembered.
    pub(crate) fn admits(&self, link: &SignedLink, now_ms: i64) -> bool {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Those that are too old open no more anyway.
        let oldest_ms = now_ms.saturating_sub(LINK_HOURS_MAX * 3_600_000);
        all.retain(|_, opened| opened.made_ms >= oldest_ms);
        let opened = all.entry(link.number.clone()).or_insert(OpenedLink {
            made_ms: link.made_ms,
            opened_ms: now_ms,
        });
        now_ms.saturating_sub(opened.opened_ms) <= LINK_REUSE_MS_MAX
    }
}
