//! A stored run made ready to be explained.
//!
//! Elsewhere: the rules (crate `explain`), how it reads (`report::explanation`).

mod objectives;
mod request_cpu;
mod searched;

pub(crate) use objectives::objectives;

use std::collections::BTreeMap;

use loadline_analysis::compare::{ComparedRun, ComparedWindow};
use loadline_explain::{
    AnsweredKind, CallerTimes, ExplainedEndpoint, ExplainedLoad, ExplainedRun, Explanation,
    GivenObjective, IdleSpan, WarmingSpan, WarmingState, explain, seen_warming,
};
use loadline_metrics::{Bucket, Histogram, MetricValue};
use loadline_record::{LimitVerdict, Summary, event_kind};
use loadline_report::explanation::verdict::limit_verdict;
use loadline_store::{RunRow, ScenarioInfo, Store, StoreError, StoredRun};

use crate::endpoint_names::ARTILLERY;
use crate::full_windows::{EndpointAnswers, EndpointDurations, Gathered};

/// The most endpoints that are looked at one by one.
const ENDPOINTS_MAX: usize = 20;
const NANOS_OF_MS: u64 = 1_000_000;
/// So long after the last request nothing of the load is left.
const AFTER_LOAD_MS: u64 = 1_000;

/// Reads what is known of a run: what its callers saw, and the signals of its target. Of a search for capacity it is
/// the level that shows the limit.
///
/// # Errors
/// The store cannot be read.
pub fn read(store: &Store, row: RunRow) -> Result<ExplainedRun, StoreError> {
    of_stored(store, &store.read(row)?)
}

/// What limits a stored run, in short.
///
/// # Errors
/// The store cannot be read.
pub fn limit(store: &Store, row: RunRow) -> Result<LimitVerdict, StoreError> {
    let run = store.read(row)?;
    let explained = of_stored(store, &run)?;
    Ok(in_short(&run, &explained, &explain(&explained, &[])))
}

/// What is said of a run when it has ended.
#[derive(Debug, Clone, PartialEq)]
pub struct EndedExplanation {
    /// What limits it.
    pub limit: LimitVerdict,
    /// The time in which its target warmed up, if it did.
    pub warming: Option<WarmingSpan>,
}

/// What is said of a stored run when it has ended.
///
/// # Errors
/// The store cannot be read.
pub fn ended(store: &Store, row: RunRow) -> Result<EndedExplanation, StoreError> {
    let run = store.read(row)?;
    let explained = of_stored(store, &run)?;
    let explanation = explain(&explained, &[]);
    Ok(EndedExplanation {
        limit: in_short(&run, &explained, &explanation),
        warming: match seen_warming(&explained, &explanation) {
            WarmingState::Span(span) => Some(span),
            WarmingState::None | WarmingState::NotKnown => None,
        },
    })
}

/// CPU time of the target for a request of a stored run, ms; `None` where it was not observed.
///
/// # Errors
/// The store cannot be read.
pub fn cpu_of_request(store: &Store, row: RunRow) -> Result<Option<f64>, StoreError> {
    Ok(request_cpu::of_request(&read(store, row)?))
}

/// What the judge says of a run; of a search, with the load at which it says so.
pub(crate) fn in_short(
    run: &StoredRun,
    explained: &ExplainedRun,
    explanation: &Explanation,
) -> LimitVerdict {
    LimitVerdict {
        load: searched::judged_load(run, explained),
        ..limit_verdict(explanation)
    }
}

pub(crate) fn of_stored(store: &Store, run: &StoredRun) -> Result<ExplainedRun, StoreError> {
    let mut gathered = Gathered::by_method(run);
    store.windows(&run.row, |window| gathered.add(run, &window))?;
    let first = gathered.first;
    let last_request = gathered.last_request;
    let of_each = gathered.durations_by_name();
    let kinds = kinds(gathered.answers_by_name());
    let answered = gathered.answered();
    let (callers, by_name) = gathered.finish();
    let summary = run.summary();
    let mut windows = callers.windows;
    lay_drops(&mut windows, &summary);
    let explained = ExplainedRun {
        from_ms: first * 1000,
        windows,
        load: load(run, &summary),
        times: times(&summary),
        generator_limits: summary.run.generator_limits(),
        alike: (by_name.len() == 1).then(|| durations(&summary)).flatten(),
        statuses: counted(&summary.statuses),
        kinds,
        failed_answers: summary.answers.clone(),
        endpoints: endpoints(&by_name, of_each),
        objectives: judged_objectives(run, &summary),
        idle: idle(run, last_request),
        carried_before: 0.0,
        alone_before_ms: None,
        is_kept_below: false,
        searched: Vec::new(),
        is_no_matter_of_load: false,
        busy: None,
        turned_away: None,
        cut_of_run: cut(&summary),
        signals: store.signals(&run.row)?.unwrap_or_default(),
    };
    Ok(searched::narrowed(explained, run, first, &answered))
}

/// What the run was judged by, with its verdict where it is over.
fn judged_objectives(run: &StoredRun, summary: &Summary) -> Vec<GivenObjective> {
    let objectives = objectives(&run.about);
    if run.end.is_none() {
        return objectives;
    }
    objectives::with_verdicts(objectives, &run.about, summary)
}

/// Requests by status, as the run's own summary counts them.
fn counted(statuses: &[(String, u64)]) -> BTreeMap<String, f64> {
    #[expect(clippy::cast_precision_loss, reason = "requests of a run")]
    let counted = |(status, count): &(String, u64)| (status.clone(), *count as f64);
    statuses.iter().map(counted).collect()
}

/// The share of the requests that were sent and cut unanswered.
fn cut(summary: &Summary) -> f64 {
    let count = |name: &str| trend(summary, name).map_or(0, Histogram::count);
    #[expect(clippy::cast_precision_loss, reason = "requests of a run")]
    let (cut, ended) = (
        count("http_reqs_cut") as f64,
        count("http_req_duration") as f64,
    );
    if cut > 0.0 { cut / (cut + ended) } else { 0.0 }
}

/// What each endpoint answered.
fn kinds(by_name: BTreeMap<String, EndpointAnswers>) -> Vec<AnsweredKind> {
    let kinds = by_name.into_iter().map(|(name, answers)| AnsweredKind {
        name,
        statuses: answers.statuses,
        failed: answers.failed,
    });
    kinds.collect()
}

/// Lays starts that were given up when the load ended, of users who never became free, evenly into all of its time: they
/// waited all along. Its first and its last second are no full windows.
fn lay_drops(windows: &mut [ComparedWindow], summary: &Summary) {
    let drops = summary.run.generator.drops;
    let all = drops.no_free_user + drops.user_limit + drops.late + drops.no_user_made;
    let told: f64 = windows.iter().map(|window| window.dropped).sum();
    let seconds = summary.run.duration.as_secs_f64();
    #[expect(clippy::cast_precision_loss, reason = "starts of a run")]
    let each = (all as f64 - told) / seconds.max(windows.len() as f64).max(1.0);
    let is_planned = windows.iter().any(|window| window.planned > 0.0);
    if each > 0.0 && is_planned {
        for window in windows {
            window.planned += each;
            window.dropped += each;
        }
    }
}

/// The times before and after the load. What the last requests left to do is not waited for in the first second after it.
fn idle(run: &StoredRun, last_request: u64) -> Vec<IdleSpan> {
    let at = |kind: &str| {
        let mut events = run.events.iter();
        let event = events.find(|event| event.kind == kind)?;
        Some(event.at_nanos / NANOS_OF_MS)
    };
    let before = at(event_kind::BEGINS).map(|begins| IdleSpan {
        from_ms: 0,
        to_ms: begins,
    });
    let after = at(event_kind::SCENARIOS_OVER).map(|over| IdleSpan {
        from_ms: over.max(last_request * 1000) + AFTER_LOAD_MS,
        to_ms: u64::MAX,
    });
    before.into_iter().chain(after).collect()
}

/// Each endpoint, where there are several: the most frequent ones.
fn endpoints(
    by_name: &BTreeMap<String, ComparedRun>,
    mut durations: BTreeMap<String, EndpointDurations>,
) -> Vec<ExplainedEndpoint> {
    if by_name.len() < 2 {
        return Vec::new();
    }
    let mut all: Vec<ExplainedEndpoint> = by_name
        .iter()
        .map(|(name, run)| {
            let durations = durations.remove(name).unwrap_or_default();
            ExplainedEndpoint {
                name: name.clone(),
                fastest_good_ms: durations.good.min(),
                all: durations.all,
                windows: run.windows.clone(),
            }
        })
        .collect();
    all.sort_by_key(|endpoint| std::cmp::Reverse(endpoint.all.count()));
    all.truncate(ENDPOINTS_MAX);
    all
}

fn load(run: &StoredRun, summary: &Summary) -> ExplainedLoad {
    let ended = &summary.run;
    // A search sets its rate while it runs: it has no planned starts, but spaces them.
    let is_planned = |scenario: &ScenarioInfo| scenario.starts.is_some();
    let is_open = ended.arrivals.is_some() || run.about.scenarios.iter().any(is_planned);
    #[expect(clippy::cast_precision_loss, reason = "users far below 2^53")]
    let users = ended.most_vus as f64;
    ExplainedLoad {
        is_open,
        users,
        iteration_ms: mean(summary, "iteration_duration").unwrap_or(0.0),
        drops: ended.generator.drops,
        new_users: new_users(run, summary),
    }
}

/// Each iteration of an Artillery file is a user of its own.
fn new_users(run: &StoredRun, summary: &Summary) -> f64 {
    if run.row.kind != ARTILLERY {
        return 0.0;
    }
    let ended = &summary.run;
    #[expect(clippy::cast_precision_loss, reason = "users far below 2^53")]
    let users = (ended.complete_iterations + ended.interrupted_iterations) as f64;
    users
}

fn times(summary: &Summary) -> Option<CallerTimes> {
    let connecting = trend(summary, "http_req_connecting")?;
    let buckets = connecting.buckets().into_iter();
    let kept = buckets.filter(|(bucket, _)| *bucket == Bucket::ZERO);
    let kept: u64 = kept.map(|(_, count)| count).sum();
    let number = |count: u64| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    Some(CallerTimes {
        connecting: connecting.mean()?,
        opened: number(connecting.count() - kept),
        requests: number(connecting.count()),
        waiting: mean(summary, "http_req_waiting")?,
        receiving: mean(summary, "http_req_receiving")?,
    })
}

/// How long all requests took.
fn durations(summary: &Summary) -> Option<Histogram> {
    trend(summary, "http_req_duration").cloned()
}

/// The mean of a trend.
fn mean(summary: &Summary, name: &str) -> Option<f64> {
    trend(summary, name)?.mean()
}

fn trend<'a>(summary: &'a Summary, name: &str) -> Option<&'a Histogram> {
    match &summary.metric(name)?.value {
        MetricValue::Trend(trend) => Some(trend),
        _ => None,
    }
}
