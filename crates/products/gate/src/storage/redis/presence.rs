//! Which gates were there lately.
//!
//! When a log was lost, the gates that were there must be asked before it is written anew:
//! one of them may have announced more than the others know. Each gate says once a second that
//! it is there. What was read last counts while Redis is unreachable.
//!
//! It also says which version of the rules it knows, so that gates of two versions can work
//! side by side: see [`crate::storage::RULES_VERSION`].

use ::redis::{RedisError, Script};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;
use tokio::time::Instant;

use super::address::Address;
use super::connector::Connector;
use super::scripts;
use crate::storage::RULES_VERSION;

/// How often a gate says that it is there.
const PRESENCE_INTERVAL: Duration = Duration::from_secs(1);
/// A gate that was silent for so long is not waited for.
const PRESENCE_TIMEOUT: Duration = Duration::from_secs(10);

/// The gates of a store, as one of them knows them.
pub(super) struct Presence {
    /// This gate.
    origin: u64,
    /// Hash: when each gate was there last, in seconds of Redis's clock.
    key: String,
    to_redis: Connector,
    heard: Mutex<BTreeMap<u64, Instant>>,
    versions: Mutex<Versions>,
}

/// The version of the rules that all gates around know.
#[derive(Debug)]
struct Versions {
    common: u32,
    /// How often in a row a later one was heard of all.
    later: u32,
}

impl Default for Versions {
    fn default() -> Self {
        Self {
            common: 1,
            later: 0,
        }
    }
}

impl Versions {
    /// Notes the version that all gates know who were there lately. An older gate counts at
    /// once; a later version only after it was heard for as long as a gate may be silent,
    /// because after an outage this gate may be the first that is heard again. Where the store
    /// remembers no other gate, a second look is enough.
    fn record(&mut self, common: u32, is_alone: bool) {
        self.later = if common > self.common {
            self.later + 1
        } else {
            0
        };
        let needed = if is_alone {
            1
        } else {
            PRESENCE_TIMEOUT.as_secs()
        };
        if common < self.common || u64::from(self.later) > needed {
            *self = Self { common, later: 0 };
        }
    }
}

impl Presence {
    /// Must be called inside a tokio runtime.
    pub(super) fn announce(address: Arc<Address>, prefix: &str, origin: u64) -> Arc<Self> {
        let presence = Arc::new(Self {
            origin,
            key: format!("{prefix}:gates"),
            to_redis: Connector::new(address),
            heard: Mutex::default(),
            versions: Mutex::default(),
        });
        tokio::spawn(announce_repeatedly(Arc::downgrade(&presence)));
        presence
    }

    /// The other gates that were there in the last seconds before `at`, or since.
    pub(super) fn around(&self, at: Instant) -> Vec<u64> {
        let heard = lock(&self.heard);
        let gates = heard
            .iter()
            .filter(|(_, seen)| **seen + PRESENCE_TIMEOUT >= at);
        gates
            .map(|(gate, _)| *gate)
            .filter(|gate| *gate != self.origin)
            .collect()
    }

    /// The newest version of the rules that all gates that were there lately know.
    pub(super) fn common_version(&self) -> u32 {
        lock(&self.versions).common
    }

    async fn report_presence(&self) -> Option<()> {
        let mut to_redis = self.to_redis.connection().await.ok()?;
        let script = Script::new(scripts::PRESENT);
        let mut call = script.key(&self.key);
        call.arg(self.origin).arg(RULES_VERSION);
        let told: Result<Vec<u64>, RedisError> = call.invoke_async(&mut to_redis.connection).await;
        let Ok(told) = told else {
            self.to_redis.drop_connection(&to_redis).await;
            return None;
        };
        self.record(Instant::now(), &told);
        Some(())
    }

    /// Notes gates, how many seconds ago they were there, and their versions.
    fn record(&self, now: Instant, told: &[u64]) {
        let mut heard = lock(&self.heard);
        for gate in told.chunks_exact(3) {
            let Some(at) = now.checked_sub(Duration::from_secs(gate[1])) else {
                continue;
            };
            let seen = heard.entry(gate[0]).or_insert(at);
            *seen = at.max(*seen);
        }
        let lately = told
            .chunks_exact(3)
            .filter(|gate| gate[1] <= PRESENCE_TIMEOUT.as_secs());
        let common = lately.map(|gate| gate[2]).min().unwrap_or(1);
        let is_alone = told.len() == 3 && heard.keys().all(|gate| *gate == self.origin);
        lock(&self.versions).record(u32::try_from(common).unwrap_or(u32::MAX), is_alone);
    }
}

/// What it guards is whole after each statement.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn announce_repeatedly(weak: Weak<Presence>) {
    loop {
        let Some(presence) = weak.upgrade() else {
            return;
        };
        // While Redis is unreachable, what was read last counts.
        let _ = presence.report_presence().await;
        drop(presence);
        tokio::time::sleep(PRESENCE_INTERVAL).await;
    }
}

#[cfg(test)]
mod tests {
    use super::{Presence, Versions};
    use crate::storage::redis::RedisOptions;
    use crate::storage::redis::address::Address;
    use crate::storage::redis::connector::Connector;
    use std::sync::{Arc, Mutex};
    use std::time::Duration;
    use tokio::time::Instant;

    fn presence() -> Presence {
        let nowhere = RedisOptions {
            url: "redis://127.0.0.1:1".to_owned(),
            ..RedisOptions::default()
        };
        Presence {
            origin: 1,
            key: String::new(),
            to_redis: Connector::new(Arc::new(Address::read(nowhere).unwrap())),
            heard: Mutex::default(),
            versions: Mutex::default(),
        }
    }

    #[test]
    fn gates_write_under_the_rules_that_all_of_those_around_know() {
        let mut versions = Versions::default();
        assert_eq!(versions.common, 1, "nobody was heard");
        (0..10).for_each(|_| versions.record(2, false));
        assert_eq!(versions.common, 1, "an older one may still be silent");
        versions.record(2, false);
        assert_eq!(versions.common, 2);
        versions.record(1, false);
        assert_eq!(versions.common, 1, "an older one is there");
        (0..9).for_each(|_| versions.record(2, false));
        versions.record(1, false);
        (0..10).for_each(|_| versions.record(2, false));
        assert_eq!(versions.common, 1, "it was heard again meanwhile");
    }

    #[test]
    fn a_gate_alone_writes_under_its_own_rules_at_the_second_look() {
        let mut versions = Versions::default();
        versions.record(3, true);
        assert_eq!(versions.common, 1);
        versions.record(3, true);
        assert_eq!(versions.common, 3);
        versions.record(2, false);
        assert_eq!(versions.common, 2, "an older one is there");
    }

    #[tokio::test(start_paused = true)]
    async fn a_gate_that_says_no_version_knows_the_first_until_it_has_ended() {
        tokio::time::advance(Duration::from_secs(100)).await;
        let presence = presence();
        for _ in 0..20 {
            presence.record(Instant::now(), &[1, 0, 2, 2, 1, 1]);
        }
        assert_eq!(presence.common_version(), 1);
        for _ in 0..20 {
            presence.record(Instant::now(), &[1, 0, 2, 2, 11, 1]);
        }
        assert_eq!(presence.common_version(), 2);
    }

    #[tokio::test(start_paused = true)]
    async fn who_was_there_before_an_outage_is_waited_for_after_it() {
        let presence = presence();
        tokio::time::advance(Duration::from_secs(100)).await;
        let before = Instant::now();
        presence.record(before, &[1, 0, 2, 2, 3, 1, 3, 40, 2]);
        assert_eq!(presence.around(before), [2], "3 had ended long before");
        tokio::time::advance(Duration::from_secs(60)).await;
        presence.record(Instant::now(), &[1, 0, 2, 4, 0, 2]);
        assert_eq!(presence.around(before), [2, 4]);
        assert_eq!(presence.around(Instant::now()), [4]);
    }
}
