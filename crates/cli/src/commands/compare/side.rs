//! A side of a comparison, out of the store: its runs' full windows by endpoint.

use std::collections::BTreeMap;

use loadline_analysis::compare::{Answers, Run, Side, Window};
use loadline_metrics::{Histogram, Value};
use loadline_store::{RunRow, SeriesDef, StoredRun, StoredWindow};

use crate::commands::run::problems::Refusal;
use crate::stored::Stored;

/// How many seconds at a run's beginning may hold users that are still being made.
const NANOS_OF_SECOND: u64 = 1_000_000_000;

/// One side, with what is known of its runs.
pub(super) struct Group {
    pub(super) runs: Vec<StoredRun>,
    pub(super) side: Side,
    /// Seconds that are not compared.
    pub(super) left_out: u64,
}

impl Group {
    /// Reads the runs that a person means.
    ///
    /// # Errors
    /// There are none, or they cannot be read.
    pub(super) fn read(stored: &Stored, reference: &str) -> Result<Self, Refusal> {
        let mut runs = Vec::new();
        let mut whole = Vec::new();
        let mut left_out = 0;
        let mut endpoints: BTreeMap<String, Vec<Run>> = BTreeMap::new();
        for row in rows(stored, reference)? {
            let run = stored.store.read(row);
            let run = run.map_err(|error| stored.refusal(error))?;
            let mut gathered = Gathered::of(&run);
            let windows = stored
                .store
                .windows(&run.row, |window| gathered.add(&run, &window));
            windows.map_err(|error| stored.refusal(error))?;
            let seconds = gathered.seconds;
            let (all, by_name) = gathered.finish(&run);
            left_out += seconds.saturating_sub(all.windows.len() as u64);
            whole.push(all);
            for (name, one) in by_name {
                let of_name = endpoints.entry(name).or_default();
                // A run without this endpoint has an empty place.
                of_name.resize(whole.len() - 1, Run::default());
                of_name.push(one);
            }
            runs.push(run);
        }
        let count = whole.len();
        let mut endpoints: Vec<(String, Vec<Run>)> = endpoints.into_iter().collect();
        for (_, of_name) in &mut endpoints {
            of_name.resize(count, Run::default());
        }
        Ok(Self {
            runs,
            side: Side { whole, endpoints },
            left_out,
        })
    }
}

/// Runs parted by commas, those of a series or of a tag, or a single one.
fn rows(stored: &Stored, reference: &str) -> Result<Vec<RunRow>, Refusal> {
    if reference.contains(',') {
        let parts = reference.split(',').map(str::trim);
        return parts.map(|part| stored.find(part)).collect();
    }
    let series = stored.store.of_series(reference, stored.now_ms);
    let series = series.map_err(|error| stored.refusal(error))?;
    if !series.is_empty() {
        return Ok(series);
    }
    let tagged = stored.store.tagged(reference, stored.now_ms);
    let tagged = tagged.map_err(|error| stored.refusal(error))?;
    if !tagged.is_empty() {
        return Ok(tagged);
    }
    Ok(vec![stored.find(reference)?])
}

/// A run's windows as they are read.
struct Gathered {
    /// Windows that are full and counted.
    first: u64,
    end: u64,
    windows: BTreeMap<u64, BTreeMap<String, Window>>,
    spans: BTreeMap<u64, u64>,
    answers: BTreeMap<String, Answers>,
    /// Requests that were cut: the window in which they were, their endpoint, their ages.
    cut: Vec<(u64, String, Histogram)>,
    /// Of the whole run: checks, and what was planned.
    beside: BTreeMap<u64, Window>,
    /// How long the run was, as far as windows were stored.
    seconds: u64,
}

impl Gathered {
    fn of(run: &StoredRun) -> Self {
        let at = |kind: &str| run.events.iter().find(|event| event.kind == kind);
        let begins = at("begins").map_or(0, |event| event.at_nanos);
        let counted = at("warmed-up").map_or(begins, |event| event.at_nanos);
        let over = at("scenarios-over").map_or(u64::MAX, |event| event.at_nanos);
        Self {
            // The window in which load begins is not a full one, nor that in which it ends.
            first: counted.div_ceil(NANOS_OF_SECOND),
            end: over / NANOS_OF_SECOND,
            windows: BTreeMap::new(),
            spans: BTreeMap::new(),
            answers: BTreeMap::new(),
            cut: Vec::new(),
            beside: BTreeMap::new(),
            seconds: 0,
        }
    }

    fn add(&mut self, run: &StoredRun, stored: &StoredWindow) {
        self.keep_cut(run, stored);
        if !stored.late {
            self.seconds += stored.span;
        }
        if stored.first < self.first || stored.first + stored.span > self.end {
            return;
        }
        if !stored.late {
            self.spans.insert(stored.first, stored.span);
        }
        let window = self.windows.entry(stored.first).or_default();
        for (id, value) in &stored.gains {
            let Some(def) = run.series.get(*id as usize) else {
                continue;
            };
            add_beside(self.beside.entry(stored.first).or_default(), def, value);
            let Some(name) = endpoint(def) else {
                continue;
            };
            let of_name = window.entry(name.to_owned()).or_default();
            match (def.metric.as_str(), value) {
                ("http_reqs", Value::Counter(Some(sum))) => {
                    of_name.requests += sum.value();
                    let answers = self.answers.entry(name.to_owned()).or_default();
                    let status = tag(def, "status").unwrap_or("0").to_owned();
                    *answers.statuses.entry(status).or_default() += sum.value();
                }
                ("http_req_failed", Value::Rate(rate)) => of_name.failed += rate.trues as f64,
                ("http_req_duration", Value::Trend(trend)) => of_name.durations.merge(trend),
                _ => {}
            }
        }
    }

    fn keep_cut(&mut self, run: &StoredRun, stored: &StoredWindow) {
        for (id, value) in &stored.gains {
            let def = run.series.get(*id as usize);
            if let (Some(def), Value::Trend(ages)) = (def, value)
                && def.metric == "http_reqs_cut"
                && let Some(name) = endpoint(def)
            {
                self.cut.push((stored.first, name.to_owned(), ages.clone()));
            }
        }
    }

    /// Lays requests that were cut into the windows in which they were sent, as at least as
    /// long as their age: there a target that hangs answers nothing.
    fn place_cut(&mut self) {
        for (at, name, ages) in std::mem::take(&mut self.cut) {
            for (bucket, count) in ages.buckets() {
                let age = bucket.middle();
                let before = whole_seconds(age);
                let sent = at.saturating_sub(before).max(self.first);
                let Some(window) = self.windows.range_mut(..=sent).next_back() else {
                    continue;
                };
                let durations = &mut window.1.entry(name.clone()).or_default().durations;
                (0..count).for_each(|_| durations.record(age));
                self.answers.entry(name.clone()).or_default();
            }
        }
    }

    fn finish(mut self, run: &StoredRun) -> (Run, BTreeMap<String, Run>) {
        self.place_cut();
        let mut whole = Run::default();
        let mut by_name: BTreeMap<String, Run> = BTreeMap::new();
        let names: Vec<String> = self.answers.keys().cloned().collect();
        for (first, mut window) in self.windows {
            // A coarse window is several seconds: it would count as one fast one.
            if self.spans.get(&first) != Some(&1) {
                continue;
            }
            let mut all = self.beside.get(&first).cloned().unwrap_or_default();
            for name in &names {
                let one = window.remove(name).unwrap_or_default();
                all.requests += one.requests;
                all.failed += one.failed;
                all.durations.merge(&one.durations);
                by_name.entry(name.clone()).or_default().windows.push(one);
            }
            whole.windows.push(all);
        }
        for (name, answers) in self.answers {
            for (status, count) in &answers.statuses {
                *whole.answers.statuses.entry(status.clone()).or_default() += count;
            }
            if let Some(one) = by_name.get_mut(&name) {
                one.answers = answers;
            }
        }
        whole.answers.bytes = bytes_of_answer(run);
        (whole, by_name)
    }
}

/// Whole seconds of a time in ms.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "an age; the cast saturates"
)]
fn whole_seconds(millis: f64) -> u64 {
    (millis / 1000.0) as u64
}

/// Takes in what is no endpoint's.
fn add_beside(of: &mut Window, def: &SeriesDef, value: &Value) {
    match (def.metric.as_str(), value) {
        ("checks", Value::Rate(rate)) => {
            of.checks += rate.total as f64;
            of.checks_failed += (rate.total - rate.trues) as f64;
        }
        ("iterations", Value::Counter(Some(sum))) => of.planned += sum.value(),
        ("dropped_iterations", Value::Counter(Some(sum))) => {
            of.planned += sum.value();
            of.dropped += sum.value();
        }
        _ => {}
    }
}

/// What requests are told apart by: their name, and how they were sent.
fn endpoint(def: &SeriesDef) -> Option<&str> {
    tag(def, "name").or_else(|| tag(def, "url"))
}

fn tag<'a>(def: &'a SeriesDef, key: &str) -> Option<&'a str> {
    let found = def.tags.iter().find(|(name, _)| name == key);
    found.map(|(_, value)| value.as_str())
}

/// Received bytes for each request of the run.
fn bytes_of_answer(run: &StoredRun) -> Option<f64> {
    let sum = |metric: &str| -> f64 {
        let of_metric = run.totals.iter().filter_map(|(id, value)| {
            let def = run.series.get(*id as usize)?;
            match value {
                Value::Counter(Some(sum)) if def.metric == metric => Some(sum.value()),
                _ => None,
            }
        });
        of_metric.sum()
    };
    let (bytes, requests) = (sum("data_received"), sum("http_reqs"));
    (requests > 0.0 && bytes > 0.0).then(|| bytes / requests)
}
