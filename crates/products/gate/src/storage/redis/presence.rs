//! Which gates were there lately.
//!
//! When a log was lost, the gates that were there must be heard before it is written anew:
//! one of them may have told more than the others know. Each gate says once a second that
//! it is there. What was heard last counts while Redis is away.

use ::redis::{Client, RedisError, Script};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;
use tokio::time::Instant;

use super::connector::Connector;
use super::scripts;

/// How often a gate says that it is there.
const OFTEN: Duration = Duration::from_secs(1);
/// A gate that was not heard for so long is not waited for.
const LATELY: Duration = Duration::from_secs(10);

/// The gates of a store, as one of them heard of them.
pub(super) struct Presence {
    /// This gate.
    origin: u64,
    /// Hash: when each gate was there last, in seconds of Redis's clock.
    key: String,
    to_redis: Connector,
    heard: Mutex<BTreeMap<u64, Instant>>,
}

impl Presence {
    /// Must be called inside a tokio runtime.
    pub(super) fn announce(client: Client, prefix: &str, origin: u64) -> Arc<Self> {
        let presence = Arc::new(Self {
            origin,
            key: format!("{prefix}:gates"),
            to_redis: Connector::new(client),
            heard: Mutex::default(),
        });
        tokio::spawn(keep_saying(Arc::downgrade(&presence)));
        presence
    }

    /// The other gates that were there in the last seconds before `at`, or since.
    pub(super) fn around(&self, at: Instant) -> Vec<u64> {
        let heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        let lately = |seen: &Instant| *seen + LATELY >= at;
        let gates = heard.iter().filter(|(_, seen)| lately(seen));
        gates
            .map(|(gate, _)| *gate)
            .filter(|gate| *gate != self.origin)
            .collect()
    }

    async fn say(&self) -> Option<()> {
        let mut to_redis = self.to_redis.connection().await.ok()?;
        let script = Script::new(scripts::PRESENT);
        let mut call = script.key(&self.key);
        call.arg(self.origin);
        let told: Result<Vec<u64>, RedisError> = call.invoke_async(&mut to_redis.connection).await;
        let Ok(told) = told else {
            self.to_redis.drop_connection().await;
            return None;
        };
        self.hear(Instant::now(), &told);
        Some(())
    }

    /// Notes gates and how many seconds ago they were there.
    fn hear(&self, now: Instant, told: &[u64]) {
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        for pair in told.chunks_exact(2) {
            let Some(at) = now.checked_sub(Duration::from_secs(pair[1])) else {
                continue;
            };
            let seen = heard.entry(pair[0]).or_insert(at);
            *seen = at.max(*seen);
        }
    }
}

async fn keep_saying(weak: Weak<Presence>) {
    loop {
        let Some(presence) = weak.upgrade() else {
            return;
        };
        // While Redis is away, what was heard last counts.
        let _ = presence.say().await;
        drop(presence);
        tokio::time::sleep(OFTEN).await;
    }
}

#[cfg(test)]
mod tests {
    use super::Presence;
    use crate::storage::redis::connector::Connector;
    use std::sync::Mutex;
    use std::time::Duration;
    use tokio::time::Instant;

    #[tokio::test(start_paused = true)]
    async fn who_was_there_before_an_outage_is_waited_for_after_it() {
        let client = ::redis::Client::open("redis://127.0.0.1:1").unwrap();
        let presence = Presence {
            origin: 1,
            key: String::new(),
            to_redis: Connector::new(client),
            heard: Mutex::default(),
        };
        tokio::time::advance(Duration::from_secs(100)).await;
        let before = Instant::now();
        presence.hear(before, &[1, 0, 2, 3, 3, 40]);
        assert_eq!(presence.around(before), [2], "3 had ended long before");
        tokio::time::advance(Duration::from_secs(60)).await;
        presence.hear(Instant::now(), &[1, 0, 4, 0]);
        assert_eq!(presence.around(before), [2, 4]);
        assert_eq!(presence.around(Instant::now()), [4]);
    }
}
