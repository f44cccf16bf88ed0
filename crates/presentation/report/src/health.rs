//! The lines about the generator's health.

use std::time::Duration;

use loadline_record::{Limit, Run, VerdictStanding};
use loadline_text::{Catalog, Message, generator, grouped, millis, percent};

/// Workers always wait a little for a core; a smaller share of the run is not reported.
const WORTH_A_WORD: f64 = 0.05;

/// The lines about the generator of a run: first whether its numbers may be trusted,
/// then what was measured, then what to do if they may not.
#[must_use]
pub fn lines(run: &Run, catalog: &Catalog) -> Vec<String> {
    let health = &run.generator;
    let limits = run.generator_limits();
    let mut all = vec![standing(run, catalog)];
    all.extend(untold(run));
    let count = |n: u64| grouped(n as f64, 0);
    if let Some(cpu) = health.cpu {
        all.push(generator::health_cpu(share(cpu.mean), share(cpu.busiest)));
    }
    if !health.throttled.is_zero() {
        all.push(generator::health_throttled(length(health.throttled)));
    }
    if let Some(wait) = health.core_wait.filter(|wait| wait.worst >= WORTH_A_WORD) {
        let (mean, worst) = (share(wait.mean), share(wait.worst));
        all.push(generator::health_core_wait(mean, worst));
        if let (Some(each), Some(requests)) = (wait.each_ms, health.requests)
            && requests.mean_ms > 0.0
        {
            let (each, request) = (millis(each), millis(requests.mean_ms));
            all.push(generator::health_core_wait_each(each, request));
        }
    }
    if let Some(lag) = health.start_lag {
        let [p50, p99, max] = [lag.p50_ms, lag.p99_ms, lag.max_ms].map(millis);
        all.push(generator::health_start_lag(p50, p99, max));
    }
    if let Some(own) = health.own_latency() {
        let part = |(ms, share): (f64, f64)| {
            let (ms, share) = (millis(ms), self::share(share));
            catalog.text(&generator::health_own_part(ms, share))
        };
        let [p50, p95, p99] = [own.p50, own.p95, own.p99].map(part);
        all.push(generator::health_own_latency(p50, p95, p99));
    }
    if health.stalls > 0 {
        let longest = length(health.longest_stall);
        all.push(generator::health_stalls(count(health.stalls), longest));
    }
    if let Some(files) = health.open_files {
        all.push(generator::health_open_files(
            count(files.used),
            count(files.limit),
        ));
    }
    if let Some(ports) = health.ports {
        all.push(generator::health_ports(
            count(ports.used),
            count(ports.limit),
        ));
    }
    if health.files_lacked > 0 {
        all.push(generator::health_files_lacked(count(health.files_lacked)));
    }
    if health.ports_lacked > 0 {
        all.push(generator::health_ports_lacked(count(health.ports_lacked)));
    }
    if health.folded > 0 {
        all.push(generator::health_folded(count(health.folded)));
    }
    if health.not_finite > 0 {
        all.push(generator::health_not_finite(count(health.not_finite)));
    }
    if !limits.is_empty() {
        all.push(generator::health_advice());
    }
    all.iter().map(|message| catalog.text(message)).collect()
}

/// The same, where no row says what they are about.
#[must_use]
pub fn lines_alone(run: &Run, catalog: &Catalog) -> Vec<String> {
    let lines = lines(run, catalog).into_iter();
    lines
        .map(|line| catalog.text(&generator::health_line(line)))
        .collect()
}

/// That the generator limited a run, where no row says what that is about; `None` where it did not.
#[must_use]
pub fn limited_line(run: &Run, catalog: &Catalog) -> Option<String> {
    let limits = run.generator_limits();
    let limited = generator::health_limited(reasons(&limits, catalog));
    let line = || catalog.text(&generator::health_line(catalog.text(&limited)));
    (!limits.is_empty()).then(line)
}

/// Which missed goals were judged with all seconds, as nobody knows whether delays are in them.
#[must_use]
pub fn untold_line(run: &Run, catalog: &Catalog) -> Option<String> {
    untold(run).map(|message| catalog.text(&message))
}

fn untold(run: &Run) -> Option<Message> {
    let goals = &run.untold_goals;
    (!goals.is_empty()).then(|| generator::health_untold(goals.join(", ")))
}

/// Whether a run's numbers may be trusted, and what was left out of them to see that.
fn standing(run: &Run, catalog: &Catalog) -> Message {
    let limits = run.generator_touches();
    if limits.is_empty() {
        return generator::health_ok();
    }
    let reasons = reasons(&limits, catalog);
    let Some(found) = run.validity.filter(|found| found.standing.holds()) else {
        return generator::health_limited(reasons);
    };
    let [touched, seconds] = [found.touched, found.seconds].map(|n| grouped(n as f64, 0));
    match (found.standing, found.p95_ms) {
        (VerdictStanding::Same, _) if found.touched == 0 => generator::health_untouched(reasons),
        (VerdictStanding::Same, Some(p95)) => {
            let least = if found.is_p95_longer { "≥ " } else { "" };
            let p95 = format!("{least}{}", millis(p95));
            generator::health_left_out_p95(touched, seconds, reasons, p95)
        }
        (VerdictStanding::Same, None) => generator::health_left_out(touched, seconds, reasons),
        _ => generator::health_certain(touched, seconds, reasons),
    }
}

/// The ways in which the generator limited a run, in a row.
#[must_use]
pub fn reasons(limits: &[Limit], catalog: &Catalog) -> String {
    let word = |limit: &Limit| catalog.text(&reason(*limit));
    limits.iter().map(word).collect::<Vec<_>>().join(", ")
}

/// The same by keys, which are the same in all languages.
#[must_use]
pub fn reason_keys(limits: &[Limit]) -> String {
    let key = |limit: &Limit| reason(*limit).key();
    limits.iter().map(key).collect::<Vec<_>>().join(",")
}

/// Keys of [`reason_keys`] in words.
#[must_use]
pub fn reasons_of_keys(keys: &str, catalog: &Catalog) -> String {
    let found: Vec<Limit> = keys
        .split(',')
        .filter_map(|key| LIMITS.into_iter().find(|limit| reason(*limit).key() == key))
        .collect();
    reasons(&found, catalog)
}

const LIMITS: [Limit; 9] = [
    Limit::Cpu,
    Limit::Throttling,
    Limit::FreeCores,
    Limit::StartLag,
    Limit::ReadLag,
    Limit::Stalls,
    Limit::OpenFiles,
    Limit::Ports,
    Limit::CloseGoal,
];

/// A limit in words.
pub(crate) fn reason(limit: Limit) -> Message {
    match limit {
        Limit::Cpu => generator::limit_cpu(),
        Limit::Throttling => generator::limit_throttling(),
        Limit::FreeCores => generator::limit_free_cores(),
        Limit::StartLag => generator::limit_start_lag(),
        Limit::ReadLag => generator::limit_read_lag(),
        Limit::Stalls => generator::limit_stalls(),
        Limit::OpenFiles => generator::limit_open_files(),
        Limit::Ports => generator::limit_ports(),
        Limit::CloseGoal => generator::limit_close_goal(),
    }
}

/// CPU time is exact to a whole percent.
fn share(share: f64) -> String {
    percent((share * 100.0).round() / 100.0)
        .replace(".0 %", " %")
        .replace(".00 %", " %")
}

fn length(length: Duration) -> String {
    millis(length.as_secs_f64() * 1000.0)
}
