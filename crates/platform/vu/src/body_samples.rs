//! A few bodies of good answers, for whoever looks at what they have in common.
//!
//! A worker asks [`BodySamples::wants`] before it keeps a body, which compares two times, and copies the beginning of one about ten
//! times a second for each endpoint. Nothing is read here: another thread takes the bodies once a second.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use loadline_units::{Time, WorkerId};

/// From one body of an endpoint to the next, on one worker.
const SAMPLE_INTERVAL: Duration = Duration::from_millis(100);
/// Bodies of one worker that wait to be taken.
const WAITING_MAX: usize = 64;
/// Tables; workers beyond share them.
const TABLE_COUNT: usize = 64;
/// Endpoints of a worker that have intervals of their own; those beyond share them.
const CLOCK_COUNT: usize = 64;

/// The bodies of all workers.
#[derive(Debug)]
pub struct BodySamples {
    tables: Vec<WorkerBodies>,
}

/// A body, or its beginning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SampledBody {
    /// The method of its request.
    pub method: String,
    /// The name or the address of its request, as its samples are tagged.
    pub name: String,
    /// Its bytes.
    pub body: Vec<u8>,
    /// There are more.
    pub is_cut: bool,
}

impl SampledBody {
    /// The beginning of a body.
    #[must_use]
    pub fn new(method: &str, name: &str, body: &[u8]) -> Self {
        let kept = body.len().min(BodySamples::BYTES_MAX);
        Self {
            method: method.to_owned(),
            name: name.to_owned(),
            body: body[..kept].to_vec(),
            is_cut: kept < body.len(),
        }
    }
}

#[derive(Debug)]
struct WorkerBodies {
    /// When the next body of an endpoint is due, in nanoseconds.
    due: [AtomicU64; CLOCK_COUNT],
    waiting: AtomicUsize,
    bodies: Mutex<Vec<SampledBody>>,
}

impl Default for BodySamples {
    fn default() -> Self {
        let table = || WorkerBodies {
            due: std::array::from_fn(|_| AtomicU64::new(0)),
            waiting: AtomicUsize::new(0),
            bodies: Mutex::default(),
        };
        Self {
            tables: (0..TABLE_COUNT).map(|_| table()).collect(),
        }
    }
}

impl BodySamples {
    /// Bytes of a body that are kept.
    pub const BYTES_MAX: usize = 32 << 10;

    fn table(&self, worker: WorkerId) -> &WorkerBodies {
        &self.tables[worker.index() % TABLE_COUNT]
    }

    /// Whether a body of this endpoint is to be kept now; the next one is due an interval later.
    #[must_use]
    pub fn wants(&self, worker: WorkerId, endpoint: &str, now: Time) -> bool {
        self.wants_at(worker, BodyClock::new(endpoint), now)
    }

    /// The same for who asks before every request of one endpoint.
    #[must_use]
    pub fn wants_at(&self, worker: WorkerId, clock: BodyClock, now: Time) -> bool {
        let table = self.table(worker);
        if table.waiting.load(Ordering::Relaxed) >= WAITING_MAX {
            return false;
        }
        let due = &table.due[clock.place];
        let now = now.as_nanos();
        if now < due.load(Ordering::Relaxed) {
            return false;
        }
        let interval = u64::try_from(SAMPLE_INTERVAL.as_nanos()).unwrap_or(u64::MAX);
        due.store(now.saturating_add(interval), Ordering::Relaxed);
        true
    }

    /// Keeps a body that was wanted.
    pub fn keep(&self, worker: WorkerId, body: SampledBody) {
        let table = self.table(worker);
        let mut bodies = table.bodies.lock().unwrap_or_else(PoisonError::into_inner);
        if bodies.len() < WAITING_MAX {
            bodies.push(body);
        }
        table.waiting.store(bodies.len(), Ordering::Relaxed);
    }

    /// The bodies that were kept since the last call.
    #[must_use]
    pub fn take(&self) -> Vec<SampledBody> {
        let mut all = Vec::new();
        for table in &self.tables {
            if table.waiting.load(Ordering::Relaxed) == 0 {
                continue;
            }
            let mut bodies = table.bodies.lock().unwrap_or_else(PoisonError::into_inner);
            all.append(&mut bodies);
            table.waiting.store(0, Ordering::Relaxed);
        }
        all
    }
}

/// The clock of an endpoint, which tells when its next body is due. Finding it reads the endpoint's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BodyClock {
    place: usize,
}

impl BodyClock {
    /// Of an endpoint.
    #[must_use]
    pub fn new(endpoint: &str) -> Self {
        // FNV-1a of the end: addresses begin alike.
        let end = endpoint.len().saturating_sub(48);
        let hash = endpoint.as_bytes()[end..]
            .iter()
            .fold(0x811c_9dc5_u32, |hash, byte| {
                (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193)
            });
        Self {
            place: hash as usize % CLOCK_COUNT,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(text: &str) -> SampledBody {
        SampledBody::new("GET", "/", text.as_bytes())
    }

    #[test]
    fn each_endpoint_of_a_worker_gives_a_body_an_interval() {
        let samples = BodySamples::default();
        let at = |millis| Time::ZERO + Duration::from_millis(millis);
        let wants = |worker, name: &str, millis| samples.wants(WorkerId(worker), name, at(millis));
        assert!(wants(0, "/a", 1));
        assert!(!wants(0, "/a", 2));
        assert!(wants(0, "/b", 2));
        assert!(wants(1, "/a", 2));
        assert!(wants(0, "/a", 101));
        assert!(!samples.wants_at(WorkerId(0), BodyClock::new("/a"), at(102)));
    }

    #[test]
    fn what_nobody_takes_fills_no_memory() {
        let samples = BodySamples::default();
        for _ in 0..1000 {
            samples.keep(WorkerId(0), body("x"));
        }
        assert!(!samples.wants(WorkerId(0), "/a", Time::ZERO));
        assert_eq!(samples.take().len(), WAITING_MAX);
        assert!(samples.wants(WorkerId(0), "/a", Time::ZERO));
        assert_eq!(samples.take(), []);
        let long = body(&"x".repeat(BodySamples::BYTES_MAX + 1));
        assert!(long.is_cut && long.body.len() == BodySamples::BYTES_MAX);
    }
}
