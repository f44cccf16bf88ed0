//! Threads or processes that are all taken, where the target has no gauge of them: what the kernel tells.
//!
//! A server whose threads accept connections by themselves, such as one that forks, leaves them in the kernel's queue while
//! all are taken. Where connections wait there all along, cores are free, and about as many requests are inside, by Little's
//! law, as there are threads, these are what there is too little of. Servers that accept by a thread of its own have an empty
//! queue; a loop that is blocked has one request inside.

use loadline_record::signals::{Entity, SignalKind};

use super::context::RuleContext;
use super::measured::Measured;
use super::view::RunView;

/// Connections wait for a thread all along from this share of the looks on.
const WAITING_SHARE_MIN: f64 = 0.9;
/// Fewer threads fit any number of requests.
const THREADS_MIN: f64 = 4.0;
/// So many of them are taken by the callers' requests, at least: others may call, too.
const TAKEN_PART_MIN: f64 = 0.7;
/// Sums of equal numbers differ by less than this share.
const ROUNDING_SHARE_MAX: f64 = 1e-6;
/// A target that computes this much has enough threads.
const CPU_USE_MAX: f64 = 0.5;

/// Connections wait to be accepted at this share of the looks at least: whoever takes them out does so too slowly.
pub(super) fn is_queue_at_door(view: &RunView<'_>, least: f64) -> bool {
    let queues = view.run.signals.of_kind(SignalKind::AcceptQueue);
    let mut waiting = queues.filter_map(|queue| view.share_at_limit(queue, 1.0, 1.0));
    waiting.any(|share| share >= least)
}

/// The threads of the target's processes, all taken.
#[derive(Debug, Clone, Copy)]
pub(super) struct TakenThreads {
    /// One or two of them start the others, or accept.
    pub(super) threads: f64,
    /// Connections that wait to be accepted, on average.
    pub(super) waiting: f64,
    /// Requests inside, by Little's law.
    pub(super) inside: f64,
}

impl RuleContext<'_> {
    /// Threads that are all taken while callers wait, and held no longer than a request takes that waits for nothing: else
    /// they wait for something that is full.
    pub(super) fn taken_threads(&self) -> Option<TakenThreads> {
        let may_lose = self.has_signs() || !self.view.run.load.is_open;
        let taken = TakenThreads::new(self.view, self.measured).filter(|_| may_lose)?;
        (self.are_holders_quick(taken.inside) == Some(true)).then_some(taken)
    }
}

impl TakenThreads {
    /// Threads that serve a request each, or processes that do, whatever other threads they have.
    fn new(view: &RunView<'_>, measured: &Measured) -> Option<Self> {
        let kinds = [SignalKind::Threads, SignalKind::Processes];
        let mut taken = kinds
            .into_iter()
            .map(|kind| Self::from_signal(kind, view, measured));
        taken.find_map(|taken| taken)
    }

    fn from_signal(kind: SignalKind, view: &RunView<'_>, measured: &Measured) -> Option<Self> {
        let any = Entity::new();
        let threads = view.run.signals.of_kind(kind).next()?;
        let most = view.gauge_of(threads)?.mean;
        // None of the looks is below the mean: all are the same.
        let is_constant = view.share_at_limit(threads, most, 1.0 - ROUNDING_SHARE_MAX)? >= 1.0;
        let waiting = view.gauge(SignalKind::AcceptQueue, &any)?;
        let is_waited_for = is_queue_at_door(view, WAITING_SHARE_MIN);
        let inside = match measured.server_time {
            Some(time) => time * measured.carried,
            None => view.callers.under_way - waiting,
        };
        let is_of_threads = most >= THREADS_MIN
            && is_constant
            && (TAKEN_PART_MIN * (most - 1.0)..=most).contains(&inside);
        let has_cores = measured
            .cpu
            .as_ref()
            .is_some_and(|cpu| cpu.share() < CPU_USE_MAX)
            && !measured.is_short_of_cores();
        (measured.workers.is_none() && is_of_threads && is_waited_for && has_cores).then_some(
            Self {
                threads: most,
                waiting,
                inside,
            },
        )
    }
}
