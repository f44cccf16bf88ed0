//! Where the time of a request goes, on average and among the slowest.
//!
//! From traces where the target sends some; else from its metrics, which know no slowest. What a
//! request does not spend waiting for a connection, for statements, for other servers or for
//! caches is its own: computing, waiting for a core, stopped by collections, and what is left.

use loadline_record::signals::{Entity, SignalKind};

use super::flow::Flow;
use super::input::share;
use super::measured::Measured;
use super::traced::TracedView;
use super::view::RunView;

/// Parts smaller than this share of the whole are not worth a line.
const PART_SHARE_MIN: f64 = 0.005;

/// A target that takes so many times as long as its callers see serves others.
const OTHERS_FACTOR_MIN: f64 = 1.5;

/// From this share of requests on whose callers gave up, or got an error, those that got a connection tell too little of
/// how long requests wait for one.
const GIVEN_UP_SHARE_MIN: f64 = 0.01;

/// Where the time of a request goes.
#[derive(Debug, Clone, PartialEq)]
pub struct TimeBreakdown {
    /// Traced requests it is from; 0: from metrics.
    pub traced: f64,
    /// Its parts, the largest first.
    pub parts: Vec<TimeShare>,
}

/// A part of a request's time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeShare {
    /// Which.
    pub part: TimePart,
    /// On average, ms.
    pub mean_ms: f64,
    /// Among the slowest 5 %, ms.
    pub slowest_ms: Option<f64>,
}

/// What a request spends time on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TimePart {
    /// Network, and queues in front of the target.
    Before,
    /// Waiting for a connection of a pool.
    PoolWait,
    /// Holding a connection for what is not seen.
    Held,
    /// Statements.
    Sql,
    /// Calls to other servers.
    Outside,
    /// Caches and message brokers.
    Message,
    /// Computing.
    Cpu,
    /// Waiting for a core.
    CoreWait,
    /// Garbage collections.
    Collection,
    /// What is left of the target's time.
    Unexplained,
}

impl TimePart {
    /// All parts.
    pub const ALL: [Self; 10] = [
        Self::Before,
        Self::PoolWait,
        Self::Held,
        Self::Sql,
        Self::Outside,
        Self::Message,
        Self::Cpu,
        Self::CoreWait,
        Self::Collection,
        Self::Unexplained,
    ];

    /// Its name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Before => "before",
            Self::PoolWait => "pool-wait",
            Self::Held => "held",
            Self::Sql => "sql",
            Self::Outside => "outside",
            Self::Message => "message",
            Self::Cpu => "cpu",
            Self::CoreWait => "core-wait",
            Self::Collection => "collection",
            Self::Unexplained => "unexplained",
        }
    }
}

/// The share of a request's time in the target for which nothing that is seen accounts; `None` where the
/// target's own time is not seen.
pub(super) fn unexplained_share(view: &RunView<'_>, measured: &Measured) -> Option<f64> {
    // For what a connection is held is not seen either.
    share_of(view, measured, |part| {
        matches!(part, TimePart::Unexplained | TimePart::Held)
    })
}

/// The same with what passes before the target counts: in a queue, or on the way.
pub(super) fn unseen_share(view: &RunView<'_>, measured: &Measured) -> Option<f64> {
    share_of(view, measured, |part| {
        matches!(
            part,
            TimePart::Unexplained | TimePart::Held | TimePart::Before
        )
    })
}

fn share_of(
    view: &RunView<'_>,
    measured: &Measured,
    is_of: impl Fn(TimePart) -> bool,
) -> Option<f64> {
    let time = breakdown(view, measured)?;
    let whole: f64 = time.parts.iter().map(|part| part.mean_ms).sum();
    let counted = time.parts.iter().filter(|part| is_of(part.part));
    Some(share(counted.map(|part| part.mean_ms).sum(), whole))
}

pub(super) fn breakdown(view: &RunView<'_>, measured: &Measured) -> Option<TimeBreakdown> {
    let (traced, parts) = match &measured.traced {
        Some(traced) => {
            let same = view.traced();
            let mean = same
                .as_ref()
                .map_or(view.callers.ended_mean_ms, |same| same.mean_ms);
            let durations = same
                .as_ref()
                .map_or(&view.callers.durations, |same| &same.durations);
            let slow = durations.percentile(0.975).unwrap_or(0.0) / 1000.0;
            let parts = of_traces(traced, measured, mean / 1000.0);
            let slowest = TracedView::new(view, true);
            let slowest = slowest.map(|slowest| of_traces(&slowest, measured, slow));
            (traced.count, joined(parts, slowest))
        }
        None => {
            let same = view.ended_between_looks(SignalKind::ServerRequests);
            let mean = same.map_or(view.callers.ended_mean_ms, |same| same.mean_ms);
            (
                0.0,
                joined(of_metrics(view, measured, mean / 1000.0)?, None),
            )
        }
    };
    let whole: f64 = parts.iter().map(|part| part.mean_ms).sum();
    let is_worth = |part: &TimeShare| {
        part.mean_ms >= PART_SHARE_MIN * whole
            || part
                .slowest_ms
                .is_some_and(|ms| ms >= PART_SHARE_MIN * whole)
    };
    let mut parts: Vec<TimeShare> = parts.into_iter().filter(is_worth).collect();
    parts.sort_by(|a, b| b.mean_ms.total_cmp(&a.mean_ms));
    Some(TimeBreakdown { traced, parts })
}

type Parts = [f64; TimePart::ALL.len()];

fn joined(mean: Parts, slowest: Option<Parts>) -> Vec<TimeShare> {
    let of = |(number, part): (usize, &TimePart)| TimeShare {
        part: *part,
        mean_ms: mean[number] * 1000.0,
        slowest_ms: slowest.map(|slowest| slowest[number] * 1000.0),
    };
    TimePart::ALL.iter().enumerate().map(of).collect()
}

fn of_traces(traced: &TracedView, measured: &Measured, callers: f64) -> Parts {
    let mut parts = Parts::default();
    let mut set = |part: TimePart, seconds: f64| parts[part as usize] = seconds.max(0.0);
    set(TimePart::Before, callers - traced.all);
    set(TimePart::PoolWait, traced.pool);
    set(TimePart::Sql, traced.sql);
    set(TimePart::Outside, traced.outside);
    set(TimePart::Message, traced.message);
    set_own(&mut parts, traced.own, measured);
    parts
}

/// Divides the time that is the target's own.
fn set_own(parts: &mut Parts, own: f64, measured: &Measured) {
    let mut left = own.max(0.0);
    let pauses = measured.pauses().unwrap_or(0.0) * left;
    let delay = share(measured.run_delay.unwrap_or(0.0), measured.rate);
    let own_parts = [
        (TimePart::Collection, pauses),
        (TimePart::Cpu, measured.cpu_of_request().unwrap_or(0.0)),
        (TimePart::CoreWait, delay),
    ];
    for (part, seconds) in own_parts {
        let taken = seconds.clamp(0.0, left);
        parts[part as usize] = taken;
        left -= taken;
    }
    parts[TimePart::Unexplained as usize] = left;
}

/// `None` without the target's own time.
fn of_metrics(view: &RunView<'_>, measured: &Measured, callers: f64) -> Option<Parts> {
    // The page counts other seconds than the callers at begin and end: a part is never more than the whole.
    let flow = Flow::new(view);
    let server = measured.server_time?;
    // Callers who waited for their answers waited for all that the target did: a page that says much more counts requests of
    // somebody else, or of a load before this one.
    if server > OTHERS_FACTOR_MIN * callers && !measured.is_left_behind {
        return None;
    }
    let server = if flow == Flow::Conserved {
        server.min(callers)
    } else {
        server
    };
    // Of the requests that the target counts: callers may have left before their answer.
    let counted = view.rate(SignalKind::ServerRequests, &Entity::new());
    let rate = counted.unwrap_or(measured.rate);
    let mut parts = Parts::default();
    let waits = measured.pools.iter().map(|pool| {
        let acquired = pool.acquire.zip(pool.holds);
        let acquired = acquired.map_or(0.0, |(each, holds)| each * holds);
        // Times are told of connections that were got. By Little's law as many requests wait as there are
        // seconds of waiting a second, those included that give up.
        let is_told = acquired > 0.0 && view.callers.failed + view.callers.cut < GIVEN_UP_SHARE_MIN;
        let waiting = if is_told {
            acquired
        } else {
            acquired.max(pool.pending)
        };
        share(waiting, rate)
    });
    let waits: f64 = waits.sum();
    let statements = measured.statement_time;
    let outside = measured.outside.as_ref();
    let outside = outside.map_or(0.0, |outside| share(outside.mean * outside.calls, rate));
    let mut left = server;
    for (part, seconds) in [
        (TimePart::Outside, outside),
        (TimePart::Sql, share(statements, rate)),
    ] {
        let taken = seconds.clamp(0.0, left);
        parts[part as usize] = taken;
        left -= taken;
    }
    // What of a hold is neither statement nor call. As many wait as there are in a queue that grows: those that were
    // answered waited for less, and held a connection, too.
    let hold = share(measured.held_connections(), rate);
    let seen = parts[TimePart::Sql as usize] + parts[TimePart::Outside as usize];
    let held = (hold - seen).clamp(0.0, left);
    let waited = waits.clamp(0.0, left - held);
    parts[TimePart::PoolWait as usize] = waited;
    set_own(&mut parts, left - waited, measured);
    let held = held.min(parts[TimePart::Unexplained as usize]);
    parts[TimePart::Unexplained as usize] -= held;
    parts[TimePart::Held as usize] = held;
    // Where others' requests are counted, too, or a part of these, the means are not of the same requests.
    let outside_of_it = if flow.is_broken() {
        TimePart::Unexplained
    } else {
        TimePart::Before
    };
    parts[outside_of_it as usize] += (callers - server).max(0.0);
    Some(parts)
}
