//! What the agents of a worker share: time of day, randomness, a buffer.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;
use std::time::{SystemTime, UNIX_EPOCH};

use loadline_reactor::ReactorHandle;
use loadline_units::Time;

use crate::cookie::UnixMillis;
use crate::decode::decode;
use crate::failure::Failure;
use crate::network::Network;
use crate::response::Response;

/// Fills a slice with random bytes.
type Random = Box<dyn FnMut(&mut [u8])>;

/// What the agents of a worker share.
pub struct AgentContext {
    handle: ReactorHandle,
    /// The time of day at the zero of the run's clock, in milliseconds since 1970.
    wall_at_zero: i64,
    random: RefCell<Random>,
    /// Where bodies are decoded; empty in between.
    scratch: RefCell<Vec<u8>>,
}

impl AgentContext {
    /// A decoding buffer with a larger capacity is freed after use.
    const SCRATCH_BYTES_MAX: usize = 1024 * 1024;

    /// For the worker of `network`. `wall_at_zero` is the time of day at the zero of the run's
    /// clock (cookies expire by it). `random` fills a slice with random bytes.
    #[must_use]
    pub fn new(
        network: &Network,
        wall_at_zero: SystemTime,
        random: impl FnMut(&mut [u8]) + 'static,
    ) -> Rc<Self> {
        let millis = match wall_at_zero.duration_since(UNIX_EPOCH) {
            Ok(after) => i64::try_from(after.as_millis()).unwrap_or(i64::MAX),
            Err(before) => {
                i64::try_from(before.duration().as_millis()).map_or(i64::MIN, |millis| -millis)
            }
        };
        Rc::new(Self {
            handle: network.handle().clone(),
            wall_at_zero: millis,
            random: RefCell::new(Box::new(random)),
            scratch: RefCell::default(),
        })
    }

    /// The time of day, by which cookies expire.
    #[must_use]
    pub fn wall_now(&self) -> UnixMillis {
        let passed = i64::try_from(self.handle.now().as_nanos() / 1_000_000).unwrap_or(i64::MAX);
        UnixMillis(self.wall_at_zero.saturating_add(passed))
    }

    pub(super) fn now(&self) -> Time {
        self.handle.now()
    }

    pub(super) fn random<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        (self.random.borrow_mut())(&mut bytes);
        bytes
    }

    /// Decodes the body of `response` in place.
    pub(super) async fn decode(&self, response: &mut Response, limit: u64) -> Result<(), Failure> {
        let Some(encoding) = response.head.fields().get("Content-Encoding") else {
            return Ok(());
        };
        // Taken, not borrowed: another request may decode while this one gives way.
        let mut scratch = self.scratch.take();
        // Boxed: the decoders' state would make each user larger, also those who decode nothing.
        let outcome = Box::pin(decode(encoding, &mut response.body, &mut scratch, limit)).await;
        scratch.clear();
        if scratch.capacity() <= Self::SCRATCH_BYTES_MAX {
            self.scratch.replace(scratch);
        }
        outcome
    }
}

impl fmt::Debug for AgentContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AgentShared").finish_non_exhaustive()
    }
}
