//! A stored search for capacity made ready to be explained: of its levels the one that shows the limit.
//!
//! That is the first level that was too much and was held for long enough, with the lower ones before it; where none was,
//! the first that overloaded the target, with the seconds in which its queue emptied; else the highest.

use std::collections::BTreeMap;

use loadline_analysis::slo::{Statistic, Term};
use loadline_explain::{
    ExplainedRun, GivenObjective, GoalVerdict, ObjectiveMeasure, RefusedLevel, SearchedLevel,
};
use loadline_metrics::Histogram;
use loadline_record::event_kind;
use loadline_store::{RunEvent, StoredRun};
use serde_json::Value;

/// A level shorter than this, or with fewer requests, tells nothing, ...
const LEVEL_SECONDS_MIN: usize = 5;
/// ... and from so many seconds on what the target shows of itself is seen well.
const LEVEL_SECONDS_SURE: usize = 10;
const LEVEL_REQUESTS_MIN: f64 = 20.0;
const NANOS_OF_SECOND: u64 = 1_000_000_000;
/// A change of the load so soon after a level's beginning is the one that began it.
const BEGIN_NANOS: u64 = NANOS_OF_SECOND / 2;

/// Up to this share of a load nothing waits for long, which so many requests show.
const LITTLE_SHARE_MAX: f64 = 0.3;
const LITTLE_REQUESTS_MIN: u64 = 5;

/// What a level came to, in files: it was too much, ...
const TOO_MUCH: [&str; 4] = ["misses", "overloaded", "asks-to-wait", "aborted"];
/// ... or carried.
const CARRIED: [&str; 2] = ["holds", "likely"];

/// More was asked than is answered.
const OVERLOADED: &str = "overloaded";
/// The target asked to come back later.
const ASKS_TO_WAIT: &str = "asks-to-wait";
/// How a search ends that found no matter of load.
const NO_MATTER_OF_LOAD: [&str; 2] = ["missed-at-any-load", "fails-without-load"];
/// What the target says of itself needs no long level.
const ASKED_SECONDS_MIN: usize = 1;

/// A level with the windows in which it was held.
struct HeldLevel {
    load: f64,
    outcome: String,
    /// Requests per second.
    requests: f64,
    /// The share of them that failed.
    failed: f64,
    /// Of good answers, ms.
    mean_ms: f64,
    p95_ms: f64,
    from: usize,
    to: usize,
    /// So many windows its figures are of, the last ones: those before were left out while it settled.
    measured: usize,
}

impl HeldLevel {
    fn measured_from(&self) -> usize {
        let first = self.to.saturating_sub(self.measured);
        first.clamp(self.from, self.to)
    }
}

/// Requests by status in each second of the run.
pub(super) type AnsweredSeconds = BTreeMap<u64, BTreeMap<String, f64>>;

/// Leaves of a search's windows those that tell why its limit lies where it does. Other runs stay as they are.
pub(super) fn narrowed(
    mut run: ExplainedRun,
    stored: &StoredRun,
    first: u64,
    answered: &AnsweredSeconds,
) -> ExplainedRun {
    let changes = changes(stored);
    if changes.is_empty() {
        return run;
    }
    plan(&mut run, &changes, first);
    let levels = levels(&stored.events, &changes, first, run.windows.len());
    let found = found(stored);
    let terms = found.and_then(|found| found["objective"].as_array());
    let terms = terms.into_iter().flatten().filter_map(Value::as_str);
    run.objectives.extend(terms.filter_map(objective));
    run.carried_before = carried(&levels).fold(run.carried_before, f64::max);
    let judged = judged(&levels, &run);
    let with_queue = match judged {
        Some(level) if is_too_much(level) => None,
        Some(_) | None => overloaded(&levels, &changes, &run, first),
    };
    let Some(level) = with_queue.as_ref().or(judged) else {
        return run;
    };
    let is_carried = |one: &HeldLevel| CARRIED.contains(&one.outcome.as_str());
    run.is_kept_below = levels
        .iter()
        .any(|one| is_carried(one) && one.load < level.load);
    run.searched = measured(&levels, level, run.from_ms as f64 / 1e3);
    for objective in &mut run.objectives {
        objective.verdict = verdict(objective, level);
    }
    run.alone_before_ms = alone_ms(&levels, level, &run);
    run.statuses = statuses(level, first, answered);
    let lowest = levels.iter().map(|one| one.load).fold(level.load, f64::min);
    let end = found
        .and_then(|found| found["end"].as_str())
        .unwrap_or_default();
    run.is_no_matter_of_load =
        NO_MATTER_OF_LOAD.contains(&end) || (is_too_much(level) && level.load <= lowest);
    // A level that the target itself ended is told by its answers, and by no others.
    let from = if is_asked(&level) {
        run.turned_away = Some(RefusedLevel {
            share: level.failed,
            through: level.requests * (1.0 - level.failed),
        });
        level.from
    } else {
        begin(&levels, level)
    };
    let busy = if with_queue.is_some() {
        Some(level.from..level.to)
    } else {
        // The seconds of which the search tells its figures, where what the target shows of itself is seen well in them.
        let measured = level.measured_from()..level.to;
        (measured.len() >= LEVEL_SECONDS_SURE).then_some(measured)
    };
    run.busy = busy.map(|busy| busy.start.saturating_sub(from)..busy.end.saturating_sub(from));
    cut(run, from, level.to)
}

/// What the search measured at each level up to the one that is looked at; windows began so many seconds after the run.
fn measured(levels: &[HeldLevel], looked_at: &HeldLevel, began_s: f64) -> Vec<SearchedLevel> {
    let until = levels.iter().filter(|one| one.to <= looked_at.to);
    let is_one_of = |one: &HeldLevel, names: &[&str]| names.contains(&one.outcome.as_str());
    let second = |index: usize| f64::from(u32::try_from(index).unwrap_or(u32::MAX)) + began_s;
    let measured = until.map(|one| SearchedLevel {
        load: one.load,
        window: (second(one.measured_from()), second(one.to)),
        answered: one.requests * (1.0 - one.failed),
        failed: one.failed,
        mean_ms: one.mean_ms,
        p95_ms: one.p95_ms,
        is_carried: is_one_of(one, &CARRIED)
            .then_some(true)
            .or_else(|| is_one_of(one, &TOO_MUCH).then_some(false)),
    });
    measured.collect()
}

/// Requests per second at the levels that held: of one load at the last of them, as it is told.
fn carried(levels: &[HeldLevel]) -> impl Iterator<Item = f64> {
    let is_last = |(at, level): &(usize, &HeldLevel)| {
        let mut later = levels.iter().skip(at + 1);
        !later.any(|one| one.load.to_bits() == level.load.to_bits())
    };
    let held = levels.iter().enumerate().filter(is_last);
    held.filter(|(_, level)| CARRIED.contains(&level.outcome.as_str()))
        .map(|(_, level)| level.requests)
}

/// What a goal of all requests came to at a level, where its figures tell.
fn verdict(objective: &GivenObjective, level: &HeldLevel) -> Option<GoalVerdict> {
    let is_failed = level.failed > 0.0;
    let value = match objective.measure {
        _ if objective.endpoint.is_some() => return None,
        ObjectiveMeasure::Failed => level.failed,
        // What failed is a start that was not answered well, which times of good answers do not tell.
        ObjectiveMeasure::Mean if !is_failed => level.mean_ms,
        ObjectiveMeasure::Percentile(of) if !is_failed && (of - 0.95).abs() < 1e-9 => level.p95_ms,
        _ => return None,
    };
    Some(GoalVerdict {
        value,
        is_missed: value > objective.most,
    })
}

/// The answers at a level.
fn statuses(level: &HeldLevel, first: u64, answered: &AnsweredSeconds) -> BTreeMap<String, f64> {
    let second = |index: usize| first.saturating_add(u64::try_from(index).unwrap_or(u64::MAX));
    let mut statuses = BTreeMap::new();
    for (_, of_second) in answered.range(second(level.from)..second(level.to)) {
        for (status, count) in of_second {
            *statuses.entry(status.clone()).or_default() += count;
        }
    }
    statuses
}

/// The load of the level that is looked at: iterations per second, or users; `None` of a run that is no search.
pub(super) fn judged_load(stored: &StoredRun, run: &ExplainedRun) -> Option<f64> {
    found(stored)?;
    if let Some(level) = run.searched.last() {
        return Some(level.load);
    }
    let last = last_load(run)?;
    let windows = u64::try_from(run.windows.len()).unwrap_or(u64::MAX);
    let end = (run.from_ms / 1_000).saturating_add(windows);
    Some(tried_before(end, &changes(stored)).unwrap_or(last))
}

/// The level asked for last before a second of the run: users come and go, and are fewer or more than that.
fn tried_before(second: u64, changes: &[(u64, f64)]) -> Option<f64> {
    let end = second.saturating_mul(NANOS_OF_SECOND);
    let mut newest_first = changes.iter().rev();
    let tried = newest_first.find(|(at, level)| *level > 0.0 && *at < end);
    tried.map(|(_, level)| *level)
}

/// The load in the end; of a search without a level that says enough it is none, and no level's.
fn last_load(run: &ExplainedRun) -> Option<f64> {
    let last = run.windows.last()?;
    let load = if run.load.is_open {
        last.planned
    } else {
        last.users
    };
    (load > 0.0).then_some(load)
}

/// What the search came to; `None` while it goes on.
fn found(stored: &StoredRun) -> Option<&Value> {
    let mut newest_first = stored.events.iter().rev();
    let found = newest_first.find(|event| event.kind == event_kind::CAPACITY);
    found.map(|event| &event.detail)
}

/// What the search did to the load: when, and to which level. It decides when a window has come, and what it did is noted with
/// the next one, a second later.
fn changes(stored: &StoredRun) -> Vec<(u64, f64)> {
    let of_search = |event: &&RunEvent| {
        event.kind == event_kind::LOAD_CHANGED && event.detail["by"] == "search"
    };
    let changes = stored.events.iter().filter(of_search);
    let changes = changes.filter_map(|event| {
        let at = event.at_nanos.saturating_sub(NANOS_OF_SECOND);
        Some((at, event.detail["to"].as_f64()?))
    });
    changes.collect()
}

/// A search spaces its starts while it runs: what it asked for is what was planned.
fn plan(run: &mut ExplainedRun, changes: &[(u64, f64)], first: u64) {
    if !run.load.is_open {
        return;
    }
    for (second, window) in (first..).zip(&mut run.windows) {
        let now = changes
            .iter()
            .rev()
            .find(|(at, _)| *at / NANOS_OF_SECOND <= second);
        window.planned = now.map_or(0.0, |(_, level)| *level).max(window.dropped);
    }
}

fn levels(
    events: &[RunEvent],
    changes: &[(u64, f64)],
    first: u64,
    windows: usize,
) -> Vec<HeldLevel> {
    let steps = events
        .iter()
        .filter(|event| event.kind == event_kind::CAPACITY_LEVEL);
    let index = |nanos: u64| {
        let second = (nanos / NANOS_OF_SECOND).saturating_sub(first);
        usize::try_from(second).unwrap_or(usize::MAX).min(windows)
    };
    // The clock of levels begins with the first of them.
    let origin = changes.first().map_or(0, |(at, _)| *at);
    let level = |step: &RunEvent| {
        let detail = &step.detail;
        let began = origin + nanos(detail["began_s"].as_f64()?);
        let next = changes.iter().find(|(at, _)| *at > began + BEGIN_NANOS);
        let (from, to) = (index(began), next.map_or(windows, |(at, _)| index(*at)));
        Some(HeldLevel {
            load: detail["load"].as_f64()?,
            outcome: detail["outcome"].as_str()?.to_owned(),
            requests: detail["requests_per_second"].as_f64()?,
            failed: detail["errors"].as_f64().unwrap_or(0.0),
            // Without a good answer there is no time.
            mean_ms: detail["mean_ms"].as_f64().unwrap_or(0.0),
            p95_ms: detail["p95_ms"].as_f64().unwrap_or(0.0),
            from,
            to,
            measured: whole_seconds(detail["held_s"].as_f64().unwrap_or(f64::MAX)),
        })
    };
    steps.filter_map(level).collect()
}

/// The level that tells most.
fn judged<'a>(levels: &'a [HeldLevel], run: &ExplainedRun) -> Option<&'a HeldLevel> {
    let is_long =
        |level: &&HeldLevel| is_asked(level) || level.to - level.from >= LEVEL_SECONDS_SURE;
    let enough = levels.iter().filter(|level| is_enough(level, run));
    let mut too_much = enough.clone().filter(|level| is_too_much(level));
    let first = too_much.clone().find(is_long).or_else(|| too_much.next());
    first.or_else(|| enough.max_by(|a, b| a.load.total_cmp(&b.load)))
}

/// Of a search none of whose levels that were too much was held for long enough: the first that overloaded the target, with the
/// seconds after it in which the queue that it left emptied. These are answered at the same rate.
fn overloaded(
    levels: &[HeldLevel],
    changes: &[(u64, f64)],
    run: &ExplainedRun,
    first: u64,
) -> Option<HeldLevel> {
    let level = levels.iter().find(|level| level.outcome == OVERLOADED)?;
    let window = |nanos: u64| {
        let second = (nanos / NANOS_OF_SECOND).saturating_sub(first);
        usize::try_from(second).unwrap_or(usize::MAX)
    };
    let mut next = changes
        .iter()
        .filter(|(at, load)| *load > 0.0 && window(*at) >= level.to);
    let emptied = next.next().map(|(at, _)| window(*at));
    let with_queue = HeldLevel {
        to: emptied.unwrap_or(usize::MAX).min(run.windows.len()),
        outcome: level.outcome.clone(),
        ..*level
    };
    is_enough(&with_queue, run).then_some(with_queue)
}

/// A level was held for long enough, and answered often enough, to tell something.
fn is_enough(level: &HeldLevel, run: &ExplainedRun) -> bool {
    let windows = run.windows.get(level.from..level.to).unwrap_or_default();
    let requests: f64 = windows.iter().map(|window| window.requests).sum();
    let least = if is_asked(&level) {
        ASKED_SECONDS_MIN
    } else {
        LEVEL_SECONDS_MIN
    };
    windows.len() >= least && requests >= LEVEL_REQUESTS_MIN
}

fn is_too_much(level: &HeldLevel) -> bool {
    TOO_MUCH.contains(&level.outcome.as_str())
}

fn is_asked(level: &&HeldLevel) -> bool {
    level.outcome == ASKS_TO_WAIT
}

/// From where on it is looked at: the first level after the last higher load. What is answered between them waited in the
/// queue that it left.
fn begin(levels: &[HeldLevel], level: &HeldLevel) -> usize {
    let higher = levels
        .iter()
        .filter(|one| one.load > level.load && one.to <= level.from);
    let Some(ended) = higher.map(|one| one.to).max() else {
        return 0;
    };
    let after = levels.iter().filter(|one| one.from >= ended);
    after.map(|one| one.from).min().unwrap_or(ended)
}

/// How long requests took at the levels before at which little was asked, ms.
fn alone_ms(levels: &[HeldLevel], level: &HeldLevel, run: &ExplainedRun) -> Option<f64> {
    let is_little = |one: &&HeldLevel| {
        let is_carried = CARRIED.contains(&one.outcome.as_str());
        is_carried && one.to <= level.from && one.load <= LITTLE_SHARE_MAX * level.load
    };
    if !run.load.is_open {
        // Users in loops wait for each other as soon as they are two.
        let fewest = levels.iter().filter(is_little);
        let fewest = fewest.min_by(|a, b| a.load.total_cmp(&b.load))?;
        return Some(fewest.mean_ms).filter(|mean| *mean > 0.0);
    }
    let mut durations = Histogram::default();
    for one in levels.iter().filter(is_little) {
        for window in run.windows.get(one.from..one.to).unwrap_or_default() {
            durations.merge(&window.durations);
        }
    }
    let is_enough = durations.count() >= LITTLE_REQUESTS_MIN;
    durations.mean().filter(|_| is_enough)
}

/// The run with these windows alone.
fn cut(mut run: ExplainedRun, from: usize, to: usize) -> ExplainedRun {
    run.windows = run.windows.get(from..to).unwrap_or_default().to_vec();
    for endpoint in &mut run.endpoints {
        endpoint.windows = endpoint.windows.get(from..to).unwrap_or_default().to_vec();
    }
    run.from_ms += u64::try_from(from).unwrap_or(0) * 1000;
    run
}

/// A term of the search as what is asked of requests; `None` where it is about others than all or an endpoint.
fn objective(text: &str) -> Option<GivenObjective> {
    let term: Term = text.parse().ok()?;
    let endpoint = match term.scope.as_slice() {
        [] => None,
        [(tag, value)] if super::objectives::NAMES.contains(&tag.as_str()) => Some(value.clone()),
        _ => return None,
    };
    let (measure, most) = match term.statistic {
        Statistic::Percentile(percent) => {
            (ObjectiveMeasure::Percentile(percent / 100.0), term.limit)
        }
        Statistic::Mean => (ObjectiveMeasure::Mean, term.limit),
        Statistic::Max => (ObjectiveMeasure::Longest, term.limit),
        Statistic::Errors => (ObjectiveMeasure::Failed, term.limit),
        Statistic::Checks => (ObjectiveMeasure::ChecksFailed, 1.0 - term.limit),
    };
    Some(GivenObjective {
        text: text.to_owned(),
        measure,
        most,
        endpoint,
        is_of_starts: true,
        verdict: None,
    })
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "seconds of a run; the cast saturates"
)]
fn whole_seconds(seconds: f64) -> usize {
    seconds.round() as usize
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "seconds of a run; the cast saturates"
)]
fn nanos(seconds: f64) -> u64 {
    (seconds * 1e9) as u64
}

#[cfg(test)]
mod tests;
