//! What the callers saw: full seconds, statuses, times.

use std::collections::BTreeMap;

use loadline_analysis::compare::ComparedWindow;
use loadline_explain::{CallerTimes, ExplainedLoad, ExplainedRun};
use loadline_metrics::Histogram;
use loadline_record::DropCounts;

use crate::plan::{Load, Plan};
use crate::simulation::{Outcome, Played};

const MS_PER_S: f64 = 1_000.0;

pub(super) fn run(plan: &Plan, played: &Played) -> ExplainedRun {
    let first = ((plan.begins_ms + plan.warm_up_s * MS_PER_S) / MS_PER_S).ceil();
    let end = ((plan.begins_ms + plan.seconds * MS_PER_S) / MS_PER_S).floor();
    let mut windows = vec![ComparedWindow::default(); (end - first) as usize];
    let place = |at_ms: f64| {
        let second = (at_ms / MS_PER_S).floor() - first;
        (second >= 0.0 && second < end - first).then_some(second as usize)
    };
    let is_open = matches!(plan.load, Load::Open { .. });
    let mut statuses: BTreeMap<String, f64> = BTreeMap::new();
    for one in &played.outcomes {
        if one.is_cut {
            // As a stored run lays them: into the last full second that is not after it was sent.
            let sent =
                ((one.sent_ms / MS_PER_S).floor() - first).clamp(0.0, end - first - 1.0) as usize;
            windows[sent].cut.record(one.took_ms);
            continue;
        }
        let Some(second) = place(one.sent_ms + one.took_ms) else {
            continue;
        };
        add(&mut windows[second], one, plan);
        *statuses.entry(one.status.to_string()).or_default() += 1.0;
    }
    for at in &played.planned {
        if let Some(second) = place(*at) {
            windows[second].planned += 1.0;
        }
    }
    for at in &played.dropped {
        if let Some(second) = place(*at) {
            windows[second].dropped += 1.0;
        }
    }
    if let Load::Closed { users, shape, .. } = plan.load {
        for (second, window) in windows.iter_mut().enumerate() {
            let ends_ms = (first + second as f64 + 1.0) * MS_PER_S;
            let at = (ends_ms - plan.begins_ms) / (plan.seconds * MS_PER_S);
            window.users = (shape.share(at.min(1.0)) * users as f64).floor().max(1.0);
        }
    }
    let ended = || played.outcomes.iter().filter(|one| !one.is_cut);
    let all: Vec<f64> = ended().map(|one| one.took_ms).collect();
    ExplainedRun {
        from_ms: (first * MS_PER_S) as u64,
        windows,
        load: load(plan, played, is_open, mean(&all)),
        times: Some(times(plan, played, &all)),
        generator_limits: Vec::new(),
        alike: (plan.programs.len() == 1).then(|| Histogram::from_values(&all)),
        statuses,
        ..ExplainedRun::default()
    }
}

fn add(window: &mut ComparedWindow, one: &Outcome, plan: &Plan) {
    window.requests += 1.0;
    window.iterations += 1.0;
    window.durations.record(one.took_ms);
    window.checks += 1.0;
    if one.status != 200 {
        window.failed += 1.0;
        window.checks_failed += 1.0;
    }
    if one.is_refused {
        window.refused += 1.0;
    }
    if one.status != 0 {
        window.sized += 1.0;
        window.bytes += if one.status == 200 { plan.bytes } else { 60.0 };
    }
}

fn mean(all: &[f64]) -> f64 {
    all.iter().sum::<f64>() / (all.len() as f64).max(1.0)
}

fn users(plan: &Plan, played: &Played) -> f64 {
    match plan.load {
        Load::Closed { users, .. } => users as f64,
        // The most requests at once.
        Load::Open { .. } => {
            let begins = played.outcomes.iter().map(|one| (one.sent_ms, 1));
            let ends = played
                .outcomes
                .iter()
                .map(|one| (one.sent_ms + one.took_ms, -1));
            let mut edges: Vec<(f64, i32)> = begins.chain(ends).collect();
            edges.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let mut open = 0;
            let most = edges.iter().map(|(_, step)| {
                open += step;
                open
            });
            f64::from(most.max().unwrap_or(0))
        }
    }
}

fn load(plan: &Plan, played: &Played, is_open: bool, mean_ms: f64) -> ExplainedLoad {
    let think_ms = match plan.load {
        Load::Closed { think_ms, .. } => think_ms,
        Load::Open { .. } => 0.0,
    };
    ExplainedLoad {
        is_open,
        users: users(plan, played),
        iteration_ms: mean_ms + think_ms,
        drops: DropCounts {
            user_limit: played.dropped.len() as u64,
            ..DropCounts::default()
        },
        new_users: 0.0,
    }
}

fn times(plan: &Plan, played: &Played, all: &[f64]) -> CallerTimes {
    let opened = users(plan, played).min(all.len() as f64);
    let requests = all.len() as f64;
    let ended = played.outcomes.iter().filter(|one| !one.is_cut);
    let receiving: Vec<f64> = ended.map(|one| one.receiving_ms).collect();
    CallerTimes {
        connecting: 0.12 * opened / requests.max(1.0),
        opened,
        requests,
        waiting: (mean(all) - mean(&receiving)).max(0.0),
        receiving: mean(&receiving),
    }
}
