//! Several processes behind one address: which look was answered by which.
//!
//! A process that started while the one before was still seen to run, or that is answered by in turn
//! with another, is one of several. One that started after the last look at the one before is a restart.

use std::collections::BTreeMap;

use loadline_record::signals::{
    Entity, Label, SignalKind, SignalMeasure, SignalSeries, Signals, SourceNote,
};

/// Processes behind one address that are told apart.
const PROCESSES_MAX: usize = 64;
/// A start may be dated so much before it by a clock that is off or by rounding, ms.
const START_TOLERANCE_MS: i64 = 2_000;
/// Starts that are told so near to each other may be of one process, ms.
const SAME_START_MAX_MS: i64 = 1_500;
/// Counters that go back and return tell of several processes when there are so many of them.
const RETURNING_MIN: usize = 2;
/// A return makes so much of the fall good in one step.
const RETURN_SHARE_MIN: f64 = 0.6;
/// A single return is a jump when the counter grows so many times as fast as it does otherwise.
const JUMP_RATIO_MIN: f64 = 3.0;

/// The process that answered one look.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Answering {
    /// What tells it from others.
    pub(crate) key: String,
    /// As people know it; empty where nothing but its start tells it from others.
    pub(crate) name: String,
    /// When it started, ms since the run's start.
    pub(crate) started_ms: Option<i64>,
}

/// What one process gave.
#[derive(Debug, Clone)]
struct ProcessSignals {
    process: Answering,
    first_ms: u64,
    last_ms: u64,
    signals: Signals,
}

/// What each of the processes behind an address gave.
#[derive(Debug, Clone, Default)]
pub(crate) struct ByProcess(BTreeMap<String, ProcessSignals>);

/// Values of one look, and of the look before.
pub(crate) struct Look<'a> {
    pub(crate) at_ms: u64,
    /// When this address answered before.
    pub(crate) before_ms: Option<u64>,
    pub(crate) before: &'a [(SignalKind, Entity, f64)],
    pub(crate) values: &'a [(SignalKind, Entity, f64)],
}

impl ByProcess {
    pub(crate) fn take(&mut self, process: &Answering, look: &Look<'_>) {
        let is_known = self.0.contains_key(&process.key);
        if !is_known && self.0.len() >= PROCESSES_MAX {
            return;
        }
        let own = self.0.entry(process.key.clone());
        let own = own.or_insert_with(|| ProcessSignals {
            process: process.clone(),
            first_ms: look.at_ms,
            last_ms: look.at_ms,
            signals: Signals::default(),
        });
        // A process that is new was not there at its look before.
        let before_ms = if is_known {
            Some(own.last_ms)
        } else {
            look.before_ms
        };
        if let Some(before_ms) = before_ms {
            for (kind, of, value) in look.before {
                own.signals.push(*kind, of, before_ms, *value);
            }
        }
        own.last_ms = look.at_ms;
        for (kind, of, value) in look.values {
            own.signals.push(*kind, of, look.at_ms, *value);
        }
    }

    /// What all gave: of one process and its restarts as it is, of several with an instance each.
    pub(crate) fn joined(self) -> (Signals, Option<SourceNote>) {
        let all: Vec<ProcessSignals> = self.0.into_values().collect();
        let mut all = of_one_start(all);
        all.sort_by_key(|one| (one.first_ms, one.process.key.clone()));
        let chains = chains(all);
        if chains.len() < 2 {
            let all = chains.into_iter().flatten().map(|one| one.signals);
            return (one_after_another(all), None);
        }
        let note = SourceNote::SeveralProcesses(chains.len());
        let mut signals = Signals::default();
        for (place, chain) in chains.into_iter().enumerate() {
            let name = match chain.first().map(|first| first.process.name.as_str()) {
                Some(name) if !name.is_empty() => name.to_owned(),
                _ => format!("process {}", place + 1),
            };
            let own = one_after_another(chain.into_iter().map(|one| one.signals));
            for series in own.series() {
                signals.add(&of_instance(series, &name));
            }
        }
        (signals, Some(note))
    }
}

/// Joins processes that started at nearly the same time and whose counters only grow together: one process
/// whose start is told a little differently each time, as by a clock that is adjusted.
fn of_one_start(mut all: Vec<ProcessSignals>) -> Vec<ProcessSignals> {
    all.sort_by(|a, b| {
        let of = |one: &ProcessSignals| (one.process.name.clone(), one.process.started_ms);
        of(a).cmp(&of(b))
    });
    let mut groups: Vec<Vec<ProcessSignals>> = Vec::new();
    for one in all {
        let last = groups.last_mut().filter(|group| {
            let last = group.last().map(|last| &last.process);
            last.is_some_and(|last| is_near(last, &one.process))
        });
        match last {
            Some(group) => group.push(one),
            None => groups.push(vec![one]),
        }
    }
    groups.into_iter().flat_map(one_if_growing).collect()
}

fn is_near(a: &Answering, b: &Answering) -> bool {
    let apart = a.started_ms.zip(b.started_ms);
    let apart = apart.is_some_and(|(a, b)| (a - b).abs() <= SAME_START_MAX_MS);
    apart && a.name == b.name
}

fn one_if_growing(group: Vec<ProcessSignals>) -> Vec<ProcessSignals> {
    let signals = in_time_order(&group);
    let falls = |series: &SignalSeries| {
        let is_counter = series.kind.measure() == SignalMeasure::Counter;
        is_counter && turns(series).falls > 0
    };
    if group.len() < 2 || signals.series().iter().any(falls) {
        return group;
    }
    let first_ms = group.iter().map(|one| one.first_ms).min();
    let last_ms = group.iter().map(|one| one.last_ms).max();
    let mut all = group.into_iter();
    let one = all.next().map(|one| ProcessSignals {
        first_ms: first_ms.unwrap_or(one.first_ms),
        last_ms: last_ms.unwrap_or(one.last_ms),
        signals,
        ..one
    });
    one.into_iter().collect()
}

fn in_time_order(group: &[ProcessSignals]) -> Signals {
    let mut points: BTreeMap<(SignalKind, &Entity), Vec<(u64, f64)>> = BTreeMap::new();
    for series in group.iter().flat_map(|one| one.signals.series()) {
        let of = points.entry((series.kind, &series.entity)).or_default();
        of.extend(
            series
                .points()
                .iter()
                .map(|point| (point.at_ms, point.value)),
        );
    }
    let mut signals = Signals::default();
    for ((kind, of), mut points) in points {
        points.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        points.dedup_by_key(|point| point.0);
        for (at_ms, value) in points {
            signals.push(kind, of, at_ms, value);
        }
    }
    signals
}

/// Each process with those that took its place.
fn chains(all: Vec<ProcessSignals>) -> Vec<Vec<ProcessSignals>> {
    let mut chains: Vec<Vec<ProcessSignals>> = Vec::new();
    for next in all {
        let replaced = chains.iter_mut().filter(|chain| {
            let last = chain.last();
            last.is_some_and(|last| is_restart(last, &next))
        });
        match replaced.max_by_key(|chain| chain.last().map(|last| last.last_ms)) {
            Some(chain) => chain.push(next),
            None => chains.push(vec![next]),
        }
    }
    chains
}

fn is_restart(last: &ProcessSignals, next: &ProcessSignals) -> bool {
    let ended = i64::try_from(last.last_ms).unwrap_or(i64::MAX);
    let started = next.process.started_ms;
    let started_later = started.is_none_or(|started| started + START_TOLERANCE_MS >= ended);
    last.last_ms < next.first_ms && started_later
}

fn one_after_another(all: impl Iterator<Item = Signals>) -> Signals {
    let mut signals = Signals::default();
    for one in all {
        for series in one.series() {
            signals.add(series);
        }
    }
    signals
}

fn of_instance(series: &SignalSeries, name: &str) -> SignalSeries {
    let entity = match series.entity.get(Label::Instance) {
        Some(_) => series.entity.clone(),
        None => series.entity.clone().with(Label::Instance, name),
    };
    let mut named = SignalSeries::new(series.kind, entity);
    for point in series.points() {
        named.push(point.at_ms, point.value);
    }
    named
}

/// Whether counters go back and return to where they were: several processes answer, and nothing tells
/// them apart. A counter that only goes back began anew.
pub(crate) fn is_mixed(signals: &Signals) -> bool {
    let counters = signals.series().iter();
    let counters = counters.filter(|series| series.kind.measure() == SignalMeasure::Counter);
    let seen: Vec<Turns> = counters.map(turns).collect();
    let fallen = seen.iter().filter(|turns| turns.falls > 0).count();
    let returning = seen.iter().filter(|turns| turns.returns > 0).count();
    let is_alone = fallen == 1 && seen.iter().any(|turns| turns.returns > 1);
    is_alone || (returning >= RETURNING_MIN && returning * 2 >= fallen)
}

/// How many processes answered, at least, as their counters tell.
pub(crate) fn processes_min(signals: &Signals) -> usize {
    let counters = signals.series().iter();
    let counters = counters.filter(|series| series.kind.measure() == SignalMeasure::Counter);
    counters.map(SignalSeries::processes_min).max().unwrap_or(0)
}

/// How often a counter went back, and how often it then jumped to where it had been.
#[derive(Default)]
struct Turns {
    falls: u64,
    returns: u64,
}

/// By how much a counter grew between two looks.
struct Step {
    growth: f64,
    per_ms: f64,
    /// It jumped to where the counter was before it went back.
    is_return: bool,
}

fn turns(series: &SignalSeries) -> Turns {
    let mut falls = 0;
    let mut steps: Vec<Step> = Vec::new();
    // What it was before it went back, and by how much it did.
    let mut former: Option<(f64, f64)> = None;
    for pair in series.points().windows(2) {
        let growth = pair[1].value - pair[0].value;
        if growth < 0.0 {
            falls += 1;
            former = Some((pair[0].value, -growth));
            continue;
        }
        let is_return = former.is_some_and(|(value, depth)| {
            pair[1].value >= value && growth >= RETURN_SHARE_MIN * depth
        });
        if is_return {
            former = None;
        }
        let millis = u32::try_from(pair[1].at_ms - pair[0].at_ms).unwrap_or(u32::MAX);
        let per_ms = growth / f64::from(millis).max(1.0);
        steps.push(Step {
            growth,
            per_ms,
            is_return,
        });
    }
    let returns: Vec<&Step> = steps.iter().filter(|step| step.is_return).collect();
    // After a restart early in the run a counter is soon where it was, by growing as it always does.
    let usual = usual_speed(&steps);
    let is_jump = returns.len() > 1
        || returns
            .iter()
            .any(|step| step.per_ms > JUMP_RATIO_MIN * usual);
    let count = if is_jump { returns.len() } else { 0 };
    Turns {
        falls,
        returns: count as u64,
    }
}

/// The median of how fast a counter grew where it did not jump.
fn usual_speed(steps: &[Step]) -> f64 {
    let grown = steps
        .iter()
        .filter(|step| !step.is_return && step.growth > 0.0);
    let mut speeds: Vec<f64> = grown.map(|step| step.per_ms).collect();
    speeds.sort_by(f64::total_cmp);
    speeds.get(speeds.len() / 2).copied().unwrap_or(0.0)
}

/// All but the counters.
pub(crate) fn without_counters(signals: &Signals) -> Signals {
    let mut gauges = Signals::default();
    let all = signals.series().iter();
    for series in all.filter(|series| series.kind.measure() == SignalMeasure::Gauge) {
        gauges.add(series);
    }
    for setting in signals.settings() {
        gauges.set(setting.clone());
    }
    gauges
}

#[cfg(test)]
mod tests;
