//! A sender by its own clock: what it says late, and when that clock was set back.

/// A sender's values are told from so long after its first message on, ms: what it could not deliver before the
/// run comes first, in any order, and would look like growth.
pub(super) const SETTLE_TIME_MS: u64 = 2_000;
/// A sender's values are dated before those known for so long, ms: its clock was set back. For less: they come late.
const SET_BACK_MIN_MS: u64 = 5_000;

/// What is known of who sends.
pub(super) struct Sender {
    pub(super) labels: Vec<(String, String)>,
    /// When its first message came, ms.
    first_ms: u64,
    /// The newest date, by its clock.
    newest: u64,
    /// Since when all that came was older than that, ms.
    older_since: Option<u64>,
}

impl Sender {
    /// A sender whose first message comes now.
    pub(super) fn new(labels: Vec<(String, String)>, now_ms: u64) -> Self {
        Self {
            labels,
            first_ms: now_ms,
            newest: 0,
            older_since: None,
        }
    }

    /// Whether its values are told: it has been there for some time.
    pub(super) fn is_settled(&self, now_ms: u64) -> bool {
        now_ms >= self.first_ms + SETTLE_TIME_MS
    }

    /// Takes the newest date of a message; whether the sender's clock was set back since the one before.
    pub(super) fn was_set_back(&mut self, newest: u64, now_ms: u64) -> bool {
        if newest >= self.newest {
            self.older_since = None;
        } else if now_ms < *self.older_since.get_or_insert(now_ms) + SET_BACK_MIN_MS {
            return false;
        } else {
            self.older_since = None;
            self.newest = newest;
            return true;
        }
        self.newest = newest;
        false
    }
}
