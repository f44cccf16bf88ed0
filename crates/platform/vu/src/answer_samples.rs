//! A few answers to each request, for whoever holds a later run to them.
//!
//! It is off unless a run asks for it; then a worker looks a request up in a table of its own and copies the beginning of few
//! answers: the first two, and then ever fewer, so that they spread over the run. Nothing is read here: another thread takes
//! the answers once a second. Of very many requests those with the smallest fingerprints are kept, which another run of the
//! same requests also keeps.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use loadline_units::{Time, WorkerId};

/// Requests that one worker tells apart.
const REQUESTS_MAX: usize = 4096;
/// Answers to one request that one worker keeps in a run.
const ANSWERS_MAX: u32 = 12;
/// The first answers to a request are kept at once: they show what varies by itself.
const AT_ONCE: u32 = 2;
/// From the first answer to the next that is not kept at once; it doubles from answer to answer.
const FIRST_INTERVAL: Duration = Duration::from_millis(50);
/// Answers of one worker that wait to be taken, ...
const WAITING_MAX: usize = 512;
/// ... and bytes of them.
const WAITING_BYTES_MAX: usize = 8 << 20;
/// Tables; workers beyond share them.
const TABLE_COUNT: usize = 64;

/// The answers of all workers.
#[derive(Debug)]
pub struct AnswerSamples {
    is_on: AtomicBool,
    is_full: AtomicBool,
    tables: Vec<Mutex<WorkerAnswers>>,
}

#[derive(Debug, Default)]
struct WorkerAnswers {
    requests: BTreeMap<RequestId, Kept>,
    waiting: Vec<SampledAnswer>,
    waiting_bytes: usize,
}

/// How many answers to a request are kept, and when the next is due.
#[derive(Debug, Default, Clone, Copy)]
struct Kept {
    count: u32,
    due: Time,
}

/// A request's fingerprint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct RequestId(u64);

/// A request as it was sent.
#[derive(Debug, Clone, Copy)]
pub struct AskedRequest<'a> {
    /// Its method.
    pub method: &'a str,
    /// Its address.
    pub url: &'a str,
    /// Its body; empty without one.
    pub body: &'a [u8],
}

impl RequestId {
    /// Of a request.
    #[must_use]
    pub fn new(request: AskedRequest<'_>) -> Self {
        let parts = [
            request.method.as_bytes(),
            b" ",
            request.url.as_bytes(),
            b" ",
            request.body,
        ];
        let hash = parts
            .into_iter()
            .flatten()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
                (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
            });
        // FNV-1a leaves the upper bits of short texts alike, and the smallest are chosen.
        let mixed = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        Self(mixed ^ (mixed >> 31))
    }
}

/// An answer, or the beginning of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SampledAnswer {
    /// The fingerprint of its request.
    pub print: RequestId,
    /// The method of its request, ...
    pub method: String,
    /// ... its address, ...
    pub url: String,
    /// ... its body.
    pub request_body: Vec<u8>,
    /// The name or the address of its request, as its samples are tagged.
    pub name: String,
    /// Its status.
    pub status: u16,
    /// Its media type as it was sent; empty without one.
    pub media_type: String,
    /// Its content coding, where the body is still coded.
    pub coding: Vec<u8>,
    /// Where it points, or where a redirect that was followed led.
    pub location: String,
    /// Its bytes.
    pub body: Vec<u8>,
    /// There are more.
    pub is_cut: bool,
    /// All bytes of the body as they came.
    pub length: u64,
}

/// What is told of an answer beside its body.
#[derive(Debug, Clone, Copy)]
pub struct AnswerHead<'a> {
    /// Its status.
    pub status: u16,
    /// Its `Content-Type`.
    pub media_type: Option<&'a [u8]>,
    /// Its `Content-Encoding`, where the body is still coded.
    pub coding: Option<&'a [u8]>,
    /// Where it points, or where a redirect that was followed led.
    pub location: Option<&'a [u8]>,
}

impl SampledAnswer {
    /// Bytes of a body that are kept.
    pub const BYTES_MAX: usize = 128 << 10;

    /// The beginning of an answer to a request of this name; `length` counts all bytes of its body.
    #[must_use]
    pub fn new(
        request: AskedRequest<'_>,
        name: &str,
        head: AnswerHead<'_>,
        body: &[u8],
        length: u64,
    ) -> Self {
        let kept = body.len().min(Self::BYTES_MAX);
        let text = |field: Option<&[u8]>| {
            String::from_utf8_lossy(field.unwrap_or_default())
                .trim()
                .to_owned()
        };
        Self {
            print: RequestId::new(request),
            method: request.method.to_owned(),
            url: request.url.to_owned(),
            request_body: request.body.to_vec(),
            name: name.to_owned(),
            status: head.status,
            media_type: text(head.media_type),
            coding: head.coding.unwrap_or_default().to_vec(),
            location: text(head.location),
            body: body[..kept].to_vec(),
            is_cut: kept < body.len(),
            length: length.max(body.len() as u64),
        }
    }

    fn bytes(&self) -> usize {
        self.body.len() + self.request_body.len() + self.url.len()
    }
}

impl Default for AnswerSamples {
    fn default() -> Self {
        Self {
            is_on: AtomicBool::new(false),
            is_full: AtomicBool::new(false),
            tables: (0..TABLE_COUNT).map(|_| Mutex::default()).collect(),
        }
    }
}

impl AnswerSamples {
    /// Has answers kept from now on.
    pub fn turn_on(&self) {
        self.is_on.store(true, Ordering::Relaxed);
    }

    /// Whether answers are kept: asked before a request's fingerprint is made.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.is_on.load(Ordering::Relaxed)
    }

    /// Whether there were more requests than are kept.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.is_full.load(Ordering::Relaxed)
    }

    /// Whether the answer to this request is to be kept.
    #[must_use]
    pub fn wants(&self, worker: WorkerId, print: RequestId, now: Time) -> bool {
        if !self.is_on() {
            return false;
        }
        let table = &self.tables[worker.index() % TABLE_COUNT];
        let mut table = table.lock().unwrap_or_else(PoisonError::into_inner);
        if table.waiting.len() >= WAITING_MAX || table.waiting_bytes >= WAITING_BYTES_MAX {
            return false;
        }
        let is_new = !table.requests.contains_key(&print);
        if is_new && table.requests.len() >= REQUESTS_MAX {
            self.is_full.store(true, Ordering::Relaxed);
            let greatest = table.requests.last_key_value();
            if greatest.is_some_and(|(greatest, _)| *greatest < print) {
                return false;
            }
            table.requests.pop_last();
        }
        let kept = table.requests.entry(print).or_default();
        if kept.count >= ANSWERS_MAX || (kept.count >= AT_ONCE && now < kept.due) {
            return false;
        }
        kept.due = now + FIRST_INTERVAL * 2_u32.pow(kept.count);
        kept.count += 1;
        true
    }

    /// Keeps an answer that was wanted.
    pub fn keep(&self, worker: WorkerId, answer: SampledAnswer) {
        let table = &self.tables[worker.index() % TABLE_COUNT];
        let mut table = table.lock().unwrap_or_else(PoisonError::into_inner);
        if table.waiting.len() < WAITING_MAX && table.waiting_bytes < WAITING_BYTES_MAX {
            table.waiting_bytes += answer.bytes();
            table.waiting.push(answer);
        }
    }

    /// The answers that were kept since the last call.
    #[must_use]
    pub fn take(&self) -> Vec<SampledAnswer> {
        let mut all = Vec::new();
        if !self.is_on() {
            return all;
        }
        for table in &self.tables {
            let mut table = table.lock().unwrap_or_else(PoisonError::into_inner);
            all.append(&mut table.waiting);
            table.waiting_bytes = 0;
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(url: &str) -> AskedRequest<'_> {
        AskedRequest {
            method: "GET",
            url,
            body: b"",
        }
    }

    fn answer(url: &str, body: &[u8]) -> SampledAnswer {
        let head = AnswerHead {
            status: 200,
            media_type: None,
            coding: None,
            location: None,
        };
        SampledAnswer::new(asked(url), url, head, body, body.len() as u64)
    }

    #[test]
    fn nothing_is_wanted_unless_it_is_turned_on() {
        let samples = AnswerSamples::default();
        let print = RequestId::new(asked("/a"));
        assert!(!samples.wants(WorkerId(0), print, Time::ZERO));
        samples.turn_on();
        assert!(samples.wants(WorkerId(0), print, Time::ZERO));
    }

    #[test]
    fn the_first_two_answers_are_kept_and_then_ever_fewer() {
        let samples = AnswerSamples::default();
        samples.turn_on();
        let print = RequestId::new(asked("/a"));
        let kept: Vec<u64> = (0..400_u64)
            .map(|step| 10 * step)
            .filter(|millis| {
                let now = Time::ZERO + Duration::from_millis(*millis);
                samples.wants(WorkerId(0), print, now)
            })
            .collect();
        assert_eq!(kept, [0, 10, 110, 310, 710, 1510, 3110]);
        let other = RequestId::new(asked("/b"));
        assert!(samples.wants(WorkerId(0), other, Time::ZERO));
    }

    #[test]
    fn of_many_requests_two_runs_keep_the_same_ones() {
        let kept = |first: usize| {
            let samples = AnswerSamples::default();
            samples.turn_on();
            let all = 3 * REQUESTS_MAX;
            for n in 0..all {
                let print = RequestId::new(asked(&format!("/a/{}", (n + first) % all)));
                let _ = samples.wants(WorkerId(0), print, Time::ZERO);
            }
            assert!(samples.is_full());
            let table = samples.tables[0].lock().unwrap();
            table.requests.keys().copied().collect::<Vec<_>>()
        };
        assert_eq!(kept(0), kept(7000));
    }

    #[test]
    fn what_nobody_takes_fills_no_memory() {
        let samples = AnswerSamples::default();
        samples.turn_on();
        let long = vec![b'x'; SampledAnswer::BYTES_MAX + 1];
        for n in 0..1000 {
            samples.keep(WorkerId(0), answer(&format!("/{n}"), &long));
        }
        let taken = samples.take();
        assert!(taken.len() <= WAITING_BYTES_MAX / SampledAnswer::BYTES_MAX + 1);
        assert!(taken[0].is_cut && taken[0].body.len() == SampledAnswer::BYTES_MAX);
        assert!(samples.take().is_empty());
    }
}
