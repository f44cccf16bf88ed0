//! The guarantees F1 to F7 as properties, and the defects C1 to C15 of the systems before.

mod bounds;
mod defects;
pub(crate) mod guarantees;
mod losses;
pub(crate) mod witness;

use super::{
    AdmissionRate, Command, IdempotencyKey, Policy, Queue, Reply, VisitorId, VisitorState,
};
use std::time::Duration;

/// The store's clock starts somewhere.
pub(crate) const START_MS: u64 = 1_800_000_000_000;

pub(crate) fn wid(n: u64) -> VisitorId {
    let mut bytes = [7; 16];
    bytes[..8].copy_from_slice(&n.wrapping_mul(0x9E37_79B9_7F4A_7C15).to_le_bytes());
    bytes[8..].copy_from_slice(&n.to_le_bytes());
    VisitorId(bytes)
}

pub(super) fn policy(rate_per_s: f64, cap: u64) -> Policy {
    Policy {
        rate: AdmissionRate::per_second(rate_per_s),
        cap: Some(cap),
        ..Policy::default()
    }
}

/// A queue and the store's clock.
pub(super) struct Room {
    pub(super) queue: Queue,
    pub(super) at_ms: u64,
}

impl Room {
    pub(super) fn new(policy: Policy) -> Self {
        Self {
            queue: Queue::new(policy),
            at_ms: START_MS,
        }
    }

    pub(super) fn apply(&mut self, command: Command) -> Reply {
        self.queue.apply(self.at_ms, command)
    }

    pub(super) fn join(&mut self, n: u64) -> Reply {
        self.apply(Command::Join { wid: wid(n) })
    }

    pub(super) fn claim(&mut self, n: u64) -> Reply {
        self.apply(Command::Claim { wid: wid(n) })
    }

    /// Lets time pass as gates do: with a tick at least each second; `seen` are there all the while.
    pub(super) fn pass(&mut self, length: Duration, seen: &[u64]) {
        let end = self.at_ms + u64::try_from(length.as_millis()).unwrap();
        while self.at_ms < end {
            self.at_ms = (self.at_ms + 1_000).min(end);
            self.see(seen);
        }
    }

    /// These were seen, wherever they are.
    pub(super) fn see(&mut self, seen: &[u64]) {
        let (mut numbers, mut others) = (Vec::new(), Vec::new());
        for n in seen {
            match self.stands(*n) {
                VisitorState::Waiting { seq, .. } => numbers.push(u32::try_from(seq).unwrap()),
                _ => others.push(wid(*n)),
            }
        }
        self.apply(Command::Heartbeats(super::Heartbeats::new(numbers, others)));
    }

    pub(super) fn stands(&self, n: u64) -> VisitorState {
        self.queue.state(wid(n))
    }

    pub(super) fn seq(&self, n: u64) -> Option<u64> {
        self.stands(n).seq()
    }

    pub(super) fn admit(&mut self, count: u64, key: u8) -> Reply {
        self.apply(Command::Admit {
            target: super::AdmitTarget::First(count),
            force: false,
            once: IdempotencyKey([key; 16]),
            actor: "key-1".to_owned(),
        })
    }

    pub(super) fn set(&mut self, policy: Policy) -> Reply {
        self.apply(Command::Configure {
            policy: Box::new(policy),
            figure: None,
            expected: None,
            actor: "key-1".to_owned(),
        })
    }
}
