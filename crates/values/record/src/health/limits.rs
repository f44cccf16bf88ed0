//! When the generator limited a run: the rules for whole runs and their limits.

use std::time::Duration;

use super::{CoreWait, GeneratorHealth, OwnLatency, ResourceUsage, StartLag};

/// A worker that waited for a CPU core for this share of the run is starved: half of the
/// events it handles arrived while it was not running.
const MOSTLY_WAITING: f64 = 0.5;

/// A worker that was busy for this share of the run had no time left.
const FULLY_BUSY: f64 = 0.95;

/// A worker that waited this share of the run is starved if results suffered.
const STARVED_SHARE_MIN: f64 = 1.0 / 3.0;

/// A worker that had work for this share of the run would have sent more, if it was starved.
const NEARLY_ALWAYS_BUSY: f64 = 0.9;

/// Answers needed for a 95th percentile.
const ENOUGH_ANSWERS: u64 = 200;

/// The same in a single second, which is only left out for it.
const ENOUGH_ANSWERS_OF_SECOND: u64 = 20;

/// Answers needed for a 99th percentile.
const ENOUGH_FOR_P99: u64 = 1000;

/// If the generator may have added this share of the median or of the 95th percentile, that
/// percentile is not the target's.
const MOST_OWN: f64 = 0.25;

/// The same for the 99th percentile, which rare delays reach first.
const MOST_OWN_P99: f64 = 0.5;

/// A smaller wait is ignored, ms.
const OWN_WAIT_MS: f64 = 0.5;

/// A worker that waited this share of the run for a core was sometimes kept from running.
const WAITING_SHARE_MIN: f64 = 0.05;

/// A median read lag that is worth reporting, ms.
const LONG_WAIT: f64 = 0.25;

/// A 95th percentile of read lag that is worth reporting, ms.
const LONG_TAIL: f64 = 1.0;

/// In a shorter run, waits are too random to judge.
const LONG_ENOUGH: Duration = Duration::from_secs(5);

/// Starts are late when 1 % of them are later than this, ms.
const LATE_P99: f64 = 10.0;

/// The same when a worker is starved, ms.
const STARVED_P99: f64 = 5.0;

/// Starts are also late when half of them are later than this, ms.
const STARVED_P50: f64 = 1.0;

/// Beside requests of which half take longer, starts may be later: what is late by so small a share of their time changes
/// neither what is shown of it nor the load that their target is under: a tenth at most in one of a hundred, ...
const LATE_SHARE_P99: f64 = 0.1;
const LATE_SHARE_P50: f64 = 0.02;

/// ... up to where a user would notice, ms.
const NOTICED_MS: f64 = 100.0;

/// A stop is felt for so many times its length: by a target that is busy three quarters of its time, until what came together
/// is worked off.
const FELT_FOR: f64 = 4.0;

/// A way in which the generator limited the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Limit {
    /// A worker was busy at least 95 % of the run, or at least 90 % and had work for 95 %.
    Cpu,
    /// The CPU quota took at least 1 % of the run.
    Throttling,
    /// Other programs, or more workers than cores, kept a worker from running, and results
    /// suffered: the generator added much of the latency, starts were late, or the worker
    /// always had work.
    FreeCores,
    /// 1 % of the starts were later than 10 ms, or, beside slow requests, than 10 % of their median, at most 100 ms.
    StartLag,
    /// A worker did not run for at least 1 % of the run, or 1 s, without a break.
    Stalls,
    /// Workers read so late, although they had a core, that they added much of the latency.
    ReadLag,
    /// At least 95 % of the files it may open were open, or one could not be opened.
    OpenFiles,
    /// At least 95 % of the local ports were in use, or none was left for a connection.
    Ports,
    /// None of these, but a goal is missed by less than the generator's own delays.
    CloseGoal,
}

impl GeneratorHealth {
    /// How the generator limited a run of this length; empty when the results can be trusted.
    /// Dropped starts do not count here: a slow target causes them, and they are shown
    /// separately.
    #[must_use]
    pub fn limits(&self, run: Duration) -> Vec<Limit> {
        self.limits_judged_by(run, ENOUGH_ANSWERS)
    }

    /// How the generator's own delays touched a single second, by the same rules; of requests
    /// the median may be that of the run so far.
    #[must_use]
    pub fn limits_of_second(&self) -> Vec<Limit> {
        self.limits_judged_by(Duration::from_secs(1), ENOUGH_ANSWERS_OF_SECOND)
    }

    fn limits_judged_by(&self, run: Duration, answers_min: u64) -> Vec<Limit> {
        let hundredth = run / 100;
        let checks = [
            (Limit::Cpu, self.has_no_cpu_left()),
            (
                Limit::Throttling,
                !self.throttled.is_zero() && self.throttled >= hundredth,
            ),
            (Limit::FreeCores, self.is_starved(run, answers_min)),
            (
                Limit::StartLag,
                self.start_lag
                    .is_some_and(|lag| lag.p99_ms > self.beside_requests(LATE_P99, LATE_SHARE_P99)),
            ),
            (
                Limit::Stalls,
                self.stalls > 0 && self.longest_stall >= hundredth.min(Duration::from_secs(1)),
            ),
            (
                Limit::ReadLag,
                self.is_latency_own(answers_min) && !self.waits_for_cores(),
            ),
            (
                Limit::OpenFiles,
                self.files_lacked > 0 || self.open_files.is_some_and(ResourceUsage::is_short),
            ),
            (
                Limit::Ports,
                self.ports_lacked > 0 || self.ports.is_some_and(ResourceUsage::is_short),
            ),
        ];
        let limiting = checks.into_iter().filter(|(_, limiting)| *limiting);
        limiting.map(|(limit, _)| limit).collect()
    }

    /// The part of the latency that the generator may have added. Reading late adds the read
    /// lag at a percentile if the target's times are even, and less if they are not.
    /// `None` with too few answers.
    #[must_use]
    pub fn own_latency(&self) -> Option<OwnLatency> {
        self.own_latency_of(ENOUGH_ANSWERS)
    }

    fn own_latency_of(&self, answers_min: u64) -> Option<OwnLatency> {
        let lag = self.read_lag.filter(|lag| lag.count >= answers_min)?;
        let shown = self.requests?;
        let at = |lag: f64, shown: f64| (lag.min(shown), (lag / shown).clamp(0.0, 1.0));
        Some(OwnLatency {
            p50: at(lag.p50_ms, shown.p50_ms?),
            p95: at(lag.p95_ms, shown.p95_ms),
            p99: at(lag.p99_ms, shown.p99_ms?),
        })
    }

    /// How late a start may be: so many ms, or, beside slow requests, this share of their median.
    fn beside_requests(&self, late_ms: f64, share: f64) -> f64 {
        let median = self.requests.and_then(|requests| requests.p50_ms);
        late_ms.max((share * median.unwrap_or(0.0)).min(NOTICED_MS))
    }

    /// Whether the generator may have added so much latency that the figures are not the
    /// target's.
    fn is_latency_own(&self, answers_min: u64) -> bool {
        let Some(own) = self.own_latency_of(answers_min) else {
            return false;
        };
        let is_much = |(ms, share): (f64, f64), most: f64| ms >= OWN_WAIT_MS && share >= most;
        let has_tail = self.read_lag.is_some_and(|lag| lag.count >= ENOUGH_FOR_P99);
        is_much(own.p50, MOST_OWN)
            || is_much(own.p95, MOST_OWN)
            || (has_tail && is_much(own.p99, MOST_OWN_P99))
    }

    /// Whether so little of the latency that a run is told with is the generator's that it may be
    /// shown as the target's; counted from the planned start, lateness at the start is in it.
    pub(crate) fn shows_the_targets_latency(&self, from_planned: bool) -> bool {
        let (Some(own), Some(requests)) = (self.own_latency(), self.requests) else {
            return false;
        };
        let late = self.start_lag.filter(|_| from_planned);
        let late_p95 = late.map_or(0.0, |lag| lag.p95_ms.unwrap_or(lag.p99_ms));
        let late_p50 = late.map_or(0.0, |lag| lag.p50_ms);
        let is_small = |own: f64, late: f64, shown: f64| own + late < MOST_OWN * (shown + late);
        let p50 = requests.p50_ms.unwrap_or(0.0);
        is_small(own.p95.0, late_p95, requests.p95_ms) && is_small(own.p50.0, late_p50, p50)
    }

    /// The most that the generator may have added to one in a hundred requests, ms.
    pub(crate) fn own_delay_p99(&self, from_planned: bool) -> f64 {
        let late = self.start_lag.filter(|_| from_planned);
        let late = late.map_or(0.0, |lag| lag.p99_ms);
        late + self.read_lag.map_or(0.0, |lag| lag.p99_ms)
    }

    /// Whether starts were at most so late that the target was under the planned load in every second.
    pub(crate) fn sent_as_planned(&self) -> bool {
        self.start_lag.is_some_and(|lag| lag.p99_ms <= NOTICED_MS)
    }

    /// By how much an answer may be later for a stop, ms: of a worker, or, where many starts came together after one, of
    /// the latest of them. Where the whole machine stood still, a target on it did, too.
    pub(crate) fn stopped_ms(&self) -> f64 {
        let late = self.start_lag.filter(|lag| lag.p99_ms > NOTICED_MS);
        let stalled = self.longest_stall.as_secs_f64() * 1_000.0;
        late.map_or(stalled, |lag| stalled.max(lag.max_ms))
    }

    /// The share of a run in which a target may have felt that what stops kept back came together, at most.
    pub(crate) fn stopped_share(&self, run: Duration) -> f64 {
        // Starts that came later than the longest stall were kept back by what was not noted as one.
        let longest_ms = self.longest_stall.as_secs_f64() * 1_000.0;
        let is_unseen = |lag: &StartLag| lag.max_ms > longest_ms + NOTICED_MS;
        let late = self.start_lag.filter(|lag| lag.p99_ms > NOTICED_MS);
        if late.is_some_and(|lag| self.stalled.is_none() || is_unseen(&lag)) {
            return 1.0;
        }
        let stalled = self.stalled.map_or_else(
            || self.stalls as f64 * self.longest_stall.as_secs_f64(),
            |stalled| stalled.as_secs_f64(),
        );
        (FELT_FOR * stalled / run.as_secs_f64().max(f64::MIN_POSITIVE)).min(1.0)
    }

    /// Whether a worker used up its core, although others took a little of it.
    fn has_no_cpu_left(&self) -> bool {
        let wanted = self.core_wait.map_or(0.0, |wait| wait.wanted);
        self.cpu.is_some_and(|cpu| {
            cpu.busiest >= FULLY_BUSY || (cpu.busiest >= NEARLY_ALWAYS_BUSY && wanted >= FULLY_BUSY)
        })
    }

    /// Whether a worker was kept from running for long enough to report it.
    fn waits_for_cores(&self) -> bool {
        self.core_wait
            .is_some_and(|wait| wait.worst >= WAITING_SHARE_MIN)
    }

    /// Whether a worker lacked a core and the run's numbers suffered. Waiting alone does not
    /// matter: on a busy machine, a generator with little to do waits a little each time and
    /// is still on time.
    fn is_starved(&self, run: Duration, answers_min: u64) -> bool {
        let Some(wait) = self.core_wait else {
            return false;
        };
        let p99_most = self.beside_requests(STARVED_P99, LATE_SHARE_P99);
        let p50_most = self.beside_requests(STARVED_P50, LATE_SHARE_P50);
        let is_late = |lag: StartLag| lag.p99_ms > p99_most || lag.p50_ms > p50_most;
        let is_harmed = wait.wanted >= NEARLY_ALWAYS_BUSY || self.start_lag.is_some_and(is_late);
        if wait.worst >= STARVED_SHARE_MIN && is_harmed {
            return true;
        }
        if self.read_lag.is_some() {
            return self.waits_for_cores() && self.is_latency_own(answers_min);
        }
        // Records made before read lag was measured.
        wait.worst >= MOSTLY_WAITING || (run >= LONG_ENOUGH && self.makes_requests_long(wait))
    }

    /// Whether waiting for a core is a large part of the request times, on average or at the
    /// 95th percentile (late starts show how long a worker waits).
    fn makes_requests_long(&self, wait: CoreWait) -> bool {
        let Some(requests) = self.requests else {
            return false;
        };
        let of_ready = wait.worst / wait.wanted.max(f64::EPSILON);
        let is_much = |wait: f64, request: f64| wait >= MOSTLY_WAITING * request;
        let on_average = wait
            .each_ms
            .is_some_and(|each| each >= LONG_WAIT && is_much(each, requests.mean_ms));
        let late = self.start_lag.and_then(|lag| lag.p95_ms);
        let at_the_tail =
            late.is_some_and(|late| late >= LONG_TAIL && is_much(late, requests.p95_ms));
        of_ready >= STARVED_SHARE_MIN && (on_average || at_the_tail)
    }
}
