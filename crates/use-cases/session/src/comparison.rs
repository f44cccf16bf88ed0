//! Stored runs made ready to be compared: the runs a person means, their full windows, and what
//! keeps two sides from being alike.
//!
//! Elsewhere: the comparison itself (`analysis::compare`), how it reads (`report::comparison`).

mod target;

use std::collections::BTreeMap;

use loadline_analysis::compare::{
    Caveat, ComparedRun, LoadChange, LoadChanges, Side, TargetSettings, setting_changes,
};
use loadline_explain::{Evidence, UsageChange, moved};
use loadline_record::{ArrivalProcess, LimitVerdict, event_kind};
use loadline_report::comparison::ComparedLimits;
use loadline_store::{RunRow, ScenarioInfo, Store, StoreError, StoredRun};

use crate::full_windows::Gathered;
use crate::planned_load::PlannedLoad;
use target::ComparedTarget;

/// Planned loads that differ by more than this share are told.
const OTHER_LOAD: f64 = 0.03;
/// ... and, of random arrivals, by more than so many standard errors.
const BEYOND_CHANCE: f64 = 4.0;

/// One side of a comparison, with what is known of its runs.
#[derive(Debug, Clone)]
pub struct ComparedRuns {
    /// The runs, in the order of time.
    pub runs: Vec<StoredRun>,
    /// What they measured.
    pub side: Side,
    /// Seconds that are not compared.
    pub left_out: u64,
    setups: Vec<TargetSettings>,
    used: Vec<Vec<Evidence>>,
    /// Runs whose target was observed.
    observed: u64,
    /// What limits each run.
    pub limits: Vec<LimitVerdict>,
}

/// What runs measured, gathered one by one.
#[derive(Debug, Default)]
struct GatheredSide {
    whole: Vec<ComparedRun>,
    endpoints: BTreeMap<String, Vec<ComparedRun>>,
}

impl GatheredSide {
    /// Reads a run's windows; how many seconds are not compared.
    fn add(&mut self, store: &Store, run: &StoredRun) -> Result<u64, StoreError> {
        let mut gathered = Gathered::new(run);
        store.windows(&run.row, |window| gathered.add(run, &window))?;
        let seconds = gathered.seconds;
        let (all, by_name) = gathered.finish_loaded();
        let left_out = seconds.saturating_sub(all.windows.len() as u64);
        let place = self.whole.len();
        self.whole.push(all);
        for (name, one) in by_name {
            let of_name = self.endpoints.entry(name).or_default();
            // A run without this endpoint has an empty place.
            of_name.resize(place, ComparedRun::default());
            of_name.push(one);
        }
        Ok(left_out)
    }

    fn finish(mut self) -> Side {
        let count = self.whole.len();
        for of_name in self.endpoints.values_mut() {
            of_name.resize(count, ComparedRun::default());
        }
        Side {
            whole: self.whole,
            endpoints: self.endpoints.into_iter().collect(),
        }
    }
}

/// What runs of these names measured, without what is known of their targets. `now_ms` is in milliseconds since 1970.
///
/// # Errors
/// One is not there, or cannot be read.
pub fn side_of<'a>(
    store: &Store,
    names: impl IntoIterator<Item = &'a str>,
    now_ms: i64,
) -> Result<Side, StoreError> {
    let mut gathered = GatheredSide::default();
    for name in names {
        let run = store.read(store.find(name, now_ms)?)?;
        gathered.add(store, &run)?;
    }
    Ok(gathered.finish())
}

impl ComparedRuns {
    /// Reads the runs that a person means: runs parted by commas, those of a series or of a
    /// tag, or a single one. `now_ms` is in milliseconds since 1970.
    ///
    /// # Errors
    /// There are none, or they cannot be read.
    pub fn read(store: &Store, reference: &str, now_ms: i64) -> Result<Self, StoreError> {
        let mut sides = Self {
            runs: Vec::new(),
            side: Side::default(),
            left_out: 0,
            setups: Vec::new(),
            used: Vec::new(),
            observed: 0,
            limits: Vec::new(),
        };
        let mut gathered = GatheredSide::default();
        let mut rows = rows(store, reference, now_ms)?;
        // A first run that was cold is the first in time.
        rows.sort_by_key(|row| row.started_ms);
        for row in rows {
            let run = store.read(row)?;
            sides.left_out += gathered.add(store, &run)?;
            let target = ComparedTarget::read(store, &run)?;
            sides.observed += u64::from(target.is_observed);
            sides.setups.push(target.setup);
            sides.used.push(target.used);
            sides.limits.push(target.limit);
            sides.runs.push(run);
        }
        sides.side = gathered.finish();
        Ok(sides)
    }

    /// Iterations a second as the plans of all runs have it; `None` where one has none, or its
    /// load was changed.
    fn rate_of_plans(&self) -> Option<f64> {
        let rates = self.runs.iter().map(|run| {
            let is_changed = load_changes(run).is_some();
            let rate = PlannedLoad::new(&run.about.scenarios).mean_rate();
            rate.filter(|_| !is_changed)
        });
        let rates: Vec<f64> = rates.collect::<Option<_>>()?;
        let is_any = !rates.is_empty();
        is_any.then(|| rates.iter().sum::<f64>() / rates.len() as f64)
    }

    /// Whether anything is started at a rate.
    fn is_open(&self) -> bool {
        let mut scenarios = self.runs.iter().flat_map(|run| &run.about.scenarios);
        scenarios.any(|scenario| scenario.starts.is_some())
    }

    /// Iterations a second that were to start, and the variance that chance gives this rate;
    /// `None` without a full second. What was planned is known exactly, where it is recorded.
    fn planned_rate(&self) -> Option<(f64, f64)> {
        if let Some(rate) = self.rate_of_plans() {
            return Some((rate, 0.0));
        }
        let windows = self.side.whole.iter().flat_map(|run| &run.windows);
        let (sum, count) = windows.fold((0.0, 0.0), |(sum, n), w| (sum + w.planned, n + 1.0));
        let is_random = self.runs.iter().any(|run| {
            let arrivals = run.end.as_ref().and_then(|end| end.run.arrivals);
            matches!(arrivals, Some(ArrivalProcess::Poisson { .. }))
        });
        // A Poisson process of `sum` starts has that variance, too.
        let variance = if is_random {
            sum / (count * count)
        } else {
            0.0
        };
        (count > 0.0).then(|| (sum / count, variance))
    }
}

/// Runs that stand on both sides: what they measured would be compared with itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedRuns {
    /// What they are called.
    pub names: Vec<String>,
    /// There are no others on either side.
    pub are_all: bool,
}

impl SharedRuns {
    /// Those of two sides; `None` without any.
    #[must_use]
    pub fn new(before: &ComparedRuns, after: &ComparedRuns) -> Option<Self> {
        let names = before.runs.iter().map(|run| &run.row.name);
        let is_after = |name: &&String| after.runs.iter().any(|run| run.row.name == **name);
        let names: Vec<String> = names.filter(is_after).cloned().collect();
        let are_all = before.runs.len() == names.len() && after.runs.len() == names.len();
        (!names.is_empty()).then_some(Self { names, are_all })
    }
}

/// Resources of the target that moved between the two sides.
#[must_use]
pub fn moved_resources(before: &ComparedRuns, after: &ComparedRuns) -> Vec<UsageChange> {
    moved(&before.used, &after.used)
}

/// What limits each side.
#[must_use]
pub fn limits(before: &ComparedRuns, after: &ComparedRuns) -> ComparedLimits {
    ComparedLimits {
        before: before.limits.clone(),
        after: after.limits.clone(),
    }
}

/// The runs that a person means: runs parted by commas, those of a series or of a tag, or a single one.
pub(crate) fn rows(store: &Store, reference: &str, now_ms: i64) -> Result<Vec<RunRow>, StoreError> {
    if reference.contains(',') {
        let parts = reference.split(',').map(str::trim);
        return parts.map(|part| store.find(part, now_ms)).collect();
    }
    let series = store.of_series(reference, now_ms)?;
    if !series.is_empty() {
        return Ok(series);
    }
    let tagged = store.tagged(reference, now_ms)?;
    if !tagged.is_empty() {
        return Ok(tagged);
    }
    Ok(vec![store.find(reference, now_ms)?])
}

/// What keeps the two sides from being alike, the load first.
#[must_use]
pub fn caveats(before: &ComparedRuns, after: &ComparedRuns) -> Vec<Caveat> {
    let all = || before.runs.iter().chain(&after.runs);
    let differ = |of: &dyn Fn(&StoredRun) -> String| {
        let first = before.runs.first().map(of);
        all().any(|run| Some(of(run)) != first)
    };
    let mut caveats = Vec::new();
    caveats.extend(other_load(before, after));
    let changed: Vec<LoadChanges> = all().filter_map(load_changes).collect();
    if !changed.is_empty() {
        caveats.push(Caveat::LoadChanged { runs: changed });
    }
    if differ(&|run| run.row.hash.clone()) {
        caveats.push(Caveat::OtherTest);
    }
    if differ(&|run| {
        let machine = &run.about.environment;
        format!("{} {}", machine.host, machine.usable_cpus)
    }) {
        caveats.push(Caveat::OtherMachine);
    }
    let changes = setting_changes(&before.setups, &after.setups);
    if !changes.is_empty() {
        caveats.push(Caveat::OtherTarget { changes });
    }
    caveats.extend(one_side_observed(before, after));
    let invalid = all().filter(|run| run.row.verdict == "not-valid");
    let runs: Vec<String> = invalid.map(|run| run.row.name.clone()).collect();
    if !runs.is_empty() {
        caveats.push(Caveat::NotValid { runs });
    }
    let (before, after) = (before.left_out, after.left_out);
    if before + after > 0 {
        caveats.push(Caveat::SecondsLeft { before, after });
    }
    caveats
}

/// That of one side nothing is known of the target, and something of the other.
fn one_side_observed(before: &ComparedRuns, after: &ComparedRuns) -> Option<Caveat> {
    let (before, after) = (before.observed, after.observed);
    ((before == 0) != (after == 0)).then_some(Caveat::OneSideObserved { before, after })
}

/// That the two sides were to start differently many iterations, if they were. Of users in a
/// loop nothing is planned: what they start follows from how fast they are answered.
fn other_load(a: &ComparedRuns, b: &ComparedRuns) -> Option<Caveat> {
    if is_one_plan(a, b) {
        return None;
    }
    let ((before, chance_before), (after, chance_after)) = (a.planned_rate()?, b.planned_rate()?);
    let apart = (after - before).abs();
    let by_chance = BEYOND_CHANCE * (chance_before + chance_after).sqrt();
    let differs = apart > OTHER_LOAD * before.max(after) && apart > by_chance;
    ((a.is_open() || b.is_open()) && differs).then_some(Caveat::OtherLoad { before, after })
}

/// What one run planned.
#[derive(Clone, Copy)]
struct PlannedRun<'a> {
    scenarios: &'a [ScenarioInfo],
    /// Something changed its load while it went on.
    is_changed: bool,
}

/// Whether all runs planned the same load, and nothing changed it.
fn is_one_plan(a: &ComparedRuns, b: &ComparedRuns) -> bool {
    let all = a.runs.iter().chain(&b.runs);
    let planned = all.map(|run| PlannedRun {
        scenarios: &run.about.scenarios,
        is_changed: load_changes(run).is_some(),
    });
    is_planned_alike(&planned.collect::<Vec<_>>())
}

/// Of a ramp, the seconds that are compared hold more or less of it by chance: what was planned is
/// known, and tells.
fn is_planned_alike(runs: &[PlannedRun<'_>]) -> bool {
    let Some(first) = runs.first() else {
        return false;
    };
    let is_planned = |run: &PlannedRun<'_>| run.scenarios.iter().all(|one| one.starts.is_some());
    let is_same = |run: &PlannedRun<'_>| {
        let mut pairs = run.scenarios.iter().zip(first.scenarios);
        run.scenarios.len() == first.scenarios.len()
            && pairs.all(|(one, other)| is_same_plan(one, other))
    };
    runs.iter()
        .all(|run| is_planned(run) && is_same(run) && !run.is_changed)
}

/// Whether two scenarios plan the same; how many starts chance drew is no part of it.
fn is_same_plan(one: &ScenarioInfo, other: &ScenarioInfo) -> bool {
    let is_known = !one.planned.is_empty() && !other.planned.is_empty();
    let starts = if is_known { one.starts } else { other.starts };
    let drawn_alike = ScenarioInfo {
        starts,
        ..other.clone()
    };
    *one == drawn_alike
}

/// What changed the load of a run while it went on.
fn load_changes(run: &StoredRun) -> Option<LoadChanges> {
    let begins = run
        .events
        .iter()
        .find(|event| event.kind == event_kind::BEGINS);
    let began = begins.map_or(0, |event| event.at_nanos);
    let changes = run
        .events
        .iter()
        .filter(|e| e.kind == event_kind::LOAD_CHANGED);
    let text =
        |detail: &serde_json::Value, key: &str| detail[key].as_str().unwrap_or_default().to_owned();
    let changes: Vec<LoadChange> = changes
        .map(|event| LoadChange {
            at_seconds: event.at_nanos.saturating_sub(began) as f64 / 1e9,
            by: text(&event.detail, "by"),
            change: text(&event.detail, "change"),
            to: event.detail["to"].as_f64(),
        })
        .collect();
    (!changes.is_empty()).then(|| LoadChanges {
        run: run.row.name.clone(),
        changes,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ramp(starts: Option<u64>) -> ScenarioInfo {
        ScenarioInfo {
            name: "a".to_owned(),
            executor: "ramping-arrival-rate".to_owned(),
            seconds: 25.0,
            starts,
            ..ScenarioInfo::default()
        }
    }

    fn planned(scenarios: &[ScenarioInfo]) -> PlannedRun<'_> {
        PlannedRun {
            scenarios,
            is_changed: false,
        }
    }

    /// Seen: "different load: 19.9 against 20.7/s were planned" of one script run twice.
    #[test]
    fn a_ramp_run_twice_is_one_load_and_another_or_a_changed_one_is_not() {
        let (one, other) = ([ramp(Some(500))], [ramp(Some(600))]);
        assert!(is_planned_alike(&[planned(&one), planned(&one)]));
        assert!(!is_planned_alike(&[planned(&one), planned(&other)]));
        let changed = PlannedRun {
            is_changed: true,
            ..planned(&one)
        };
        assert!(!is_planned_alike(&[planned(&one), changed]));
        // Of random arrivals chance draws how many start: the plan is the same.
        let drawn = |starts| {
            [ScenarioInfo {
                planned: vec![250.0, 500.0],
                ..ramp(Some(starts))
            }]
        };
        let (few, many) = (drawn(480), drawn(530));
        assert!(is_planned_alike(&[planned(&few), planned(&many)]));
        // Users in a loop plan nothing: what they started is compared.
        let looping = [ramp(None)];
        assert!(!is_planned_alike(&[planned(&looping), planned(&looping)]));
        assert!(!is_planned_alike(&[]));
    }
}
