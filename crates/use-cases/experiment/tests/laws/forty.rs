//! Forty targets whose line is known: by a formula, or by hours of simulated load.

use loadline_analysis::capacity::Unit;
use loadline_experiment::runner::{Runner, RunnerRequirements, Running};
use loadline_experiment::simulated::SimulatedTarget;

/// Requests of one load that a long simulation makes.
pub(crate) const LONG_REQUESTS: f64 = 3_000_000.0;
/// How closely the line is closed in on by it, as a share.
const LINE_SHARE: f64 = 0.0005;

/// A target, what is asked of it, and up to which load it is kept.
pub(crate) struct Law {
    pub(crate) name: String,
    pub(crate) term: &'static str,
    pub(crate) target: SimulatedTarget,
    /// Requests per second: of a target that changes, at the beginning.
    pub(crate) line_rate: f64,
}

impl Law {
    /// Whether it is another target in the end than in the beginning.
    pub(crate) fn is_changing(&self) -> bool {
        self.target.drifts.abs() > 0.0
    }

    /// Whether it answers alike at all times and starts are even: searches of it are short.
    pub(crate) fn is_plain(&self) -> bool {
        let target = &self.target;
        let changes = [
            target.slows.is_some(),
            target.cold.is_some(),
            target.starved.is_some(),
            target.wanders.is_some(),
            target.random_arrivals,
            self.is_changing(),
        ];
        !changes.contains(&true)
    }

    /// The line so many seconds after the beginning.
    pub(crate) fn line_at(&self, seconds: f64) -> f64 {
        self.line_rate / (1.0 + self.target.drifts * seconds)
    }
}

/// A law whose line is known: by a formula, or by `lines_by_long_simulation`.
fn known(name: &str, term: &'static str, line_rate: f64, target: SimulatedTarget) -> Law {
    Law {
        name: name.to_owned(),
        term,
        target,
        line_rate,
    }
}

/// One server with random service times (M/M/1): p95 is ln 20 / (C - load).
pub(crate) fn of_queue(per_second: f64, limit: f64) -> Law {
    let term = match (limit * 1000.0).round() as u32 {
        100 => "p(95)<100ms",
        150 => "p(95)<150ms",
        300 => "p(95)<300ms",
        other => unreachable!("no term for {other} ms"),
    };
    let line = per_second - 20.0_f64.ln() / limit;
    known(
        &format!("M/M/1, {per_second}/s"),
        term,
        line,
        SimulatedTarget::queue(per_second),
    )
}

/// The highest load at which as few requests as allowed are beyond the limit, by long simulation of the target as it ends: warm,
/// slowed down, with its neighbour gone.
pub(crate) fn simulated_line(law: &Law, requests: f64) -> f64 {
    let hold = law.target.slows.map_or(1.0, |(_, factor)| factor) * law.target.hold;
    let settled = SimulatedTarget {
        hold,
        slows: None,
        cold: None,
        starved: None,
        drifts: 0.0,
        seed: 77,
        ..law.target.clone()
    };
    let (mut low, mut high) = (1.0, 2.0 * settled.truth());
    while high - low > LINE_SHARE * high {
        let middle = f64::midpoint(low, high);
        if is_missed(&settled, law.term, middle, requests) {
            high = middle;
        } else {
            low = middle;
        }
    }
    low
}

fn is_missed(target: &SimulatedTarget, term: &str, load: f64, requests: f64) -> bool {
    let asked: loadline_analysis::slo::Term = term.parse().unwrap();
    let limit_ms = asked.limit;
    let is_errors = term.starts_with("errors");
    let (allowed, seconds) = (if is_errors { limit_ms } else { 0.05 }, requests / load);
    let Ok(mut running) = target.clone().start(&RunnerRequirements {
        unit: Unit::Rate,
        most_users: 100_000,
        longest: seconds + 100.0,
        scenario: None,
        terms: vec![asked],
    });
    running.set_level(load);
    let (mut bad, mut all) = (0.0, 0.0);
    let mut skipped = 0;
    while let Some(window) = running.next_window() {
        skipped += 1;
        // A queue begins empty.
        if f64::from(skipped) < 0.05 * seconds {
            continue;
        }
        let late = window.durations.count_where(|ms| ms > limit_ms) as f64;
        bad += if is_errors { window.failed } else { late };
        all += window.requests;
        if window.in_flight > 50_000.0 {
            return true;
        }
    }
    bad > allowed * all
}

/// Requests that come at random.
fn random(target: SimulatedTarget) -> SimulatedTarget {
    SimulatedTarget {
        random_arrivals: true,
        patience: f64::INFINITY,
        ..target
    }
}

/// ... and hold a connection for exponentially distributed times.
fn exponential(target: SimulatedTarget) -> SimulatedTarget {
    SimulatedTarget {
        random_holds: true,
        ..random(target)
    }
}

pub(crate) fn laws() -> Vec<Law> {
    let mut all = pools();
    all.extend(queues());
    all.extend(mixed_endpoints());
    all.extend(limits_on_purpose());
    all.extend(targets_that_change());
    all.extend(shared_machines());
    all
}

fn pools() -> Vec<Law> {
    let of = SimulatedTarget::pool;
    let p95 = "p(95)<500ms";
    vec![
        known("pool 10, even starts", p95, 100.0, of(10, 0.1)),
        known("pool 4, even starts", p95, 80.0, of(4, 0.05)),
        known("pool 40, even starts", p95, 800.0, of(40, 0.05)),
        known("pool 1, even starts", p95, 100.0, of(1, 0.01)),
        known("pool 5 held for 510 ms", "p(95)<1500ms", 9.804, of(5, 0.51)),
        known("pool 10, random starts", p95, 96.273, random(of(10, 0.1))),
        known(
            "pool 4, random starts",
            "p(95)<100ms",
            182.58,
            random(of(4, 0.02)),
        ),
        known(
            "pool 40, random starts",
            "p(95)<200ms",
            788.01,
            random(of(40, 0.05)),
        ),
        known(
            "pool 20, random starts",
            "p(95)<80ms",
            974.15,
            random(of(20, 0.02)),
        ),
    ]
}

fn queues() -> Vec<Law> {
    let of = SimulatedTarget::pool;
    vec![
        of_queue(200.0, 0.1),
        of_queue(100.0, 0.15),
        of_queue(50.0, 0.3),
        known(
            "M/M/2, 100/s",
            "p(95)<150ms",
            78.795,
            exponential(of(2, 0.02)),
        ),
        known(
            "M/M/4, 200/s",
            "p(95)<100ms",
            163.04,
            exponential(of(4, 0.02)),
        ),
        known(
            "M/M/10, 100/s",
            "p(95)<400ms",
            88.126,
            exponential(of(10, 0.1)),
        ),
        known(
            "M/M/50, 200/s",
            "p(95)<900ms",
            192.72,
            exponential(of(50, 0.25)),
        ),
        known(
            "M/M/100, 2000/s",
            "p(95)<200ms",
            1972.4,
            exponential(of(100, 0.05)),
        ),
        known(
            "M/D/1, 103/s",
            "p(95)<500ms",
            99.796,
            random(of(1, 1.0 / 103.0)),
        ),
    ]
}

fn mixed_endpoints() -> Vec<Law> {
    let of = SimulatedTarget::pool;
    let mixed = |target: SimulatedTarget, share: f64, factor: f64| SimulatedTarget {
        mixed: Some((share, factor)),
        ..random(target)
    };
    vec![
        known(
            "pool 10, 3 % hold 10 times as long",
            "p(95)<200ms",
            370.87,
            mixed(of(10, 0.02), 0.03, 10.0),
        ),
        known(
            "pool 20, 20 % hold 4 times as long",
            "p(95)<400ms",
            242.79,
            mixed(of(20, 0.05), 0.2, 4.0),
        ),
        known(
            "pool 40, 1 % hold 30 times as long",
            "p(95)<200ms",
            1501.1,
            mixed(of(40, 0.02), 0.01, 30.0),
        ),
        known(
            "M/M/4, 10 % hold 5 times as long",
            "p(95)<200ms",
            257.91,
            exponential(mixed(of(4, 0.01), 0.1, 5.0)),
        ),
    ]
}

fn limits_on_purpose() -> Vec<Law> {
    let of = SimulatedTarget::pool;
    let errors = "errors<1%";
    let limited = |most: f64| SimulatedTarget {
        limited: Some(most),
        ..of(100, 0.05)
    };
    let failing = |most: f64| SimulatedTarget {
        fails_beyond: Some(most),
        errors: 0.001,
        ..of(200, 0.02)
    };
    vec![
        known("429 beyond 60/s", errors, 60.601, limited(60.0)),
        known("429 beyond 120/s", errors, 121.21, limited(120.0)),
        known("429 beyond 500/s", errors, 505.02, limited(500.0)),
        known(
            "429 beyond 120/s, random starts",
            errors,
            110.65,
            random(limited(120.0)),
        ),
        known("503 beyond 100/s", errors, 100.9, failing(100.0)),
        known("503 beyond 300/s", errors, 302.65, failing(300.0)),
        known(
            "503 beyond 300/s, random starts",
            errors,
            288.77,
            random(failing(300.0)),
        ),
    ]
}

fn targets_that_change() -> Vec<Law> {
    let of = SimulatedTarget::pool;
    let p95 = "p(95)<500ms";
    let with = |change: fn(&mut SimulatedTarget)| {
        let mut target = of(10, 0.1);
        change(&mut target);
        target
    };
    vec![
        known(
            "pool 10, slower by 30 % after 20 s",
            p95,
            76.901,
            with(|t| t.slows = Some((20.0, 1.3))),
        ),
        known(
            "pool 10, slower by 15 % after 45 s",
            p95,
            86.95,
            with(|t| t.slows = Some((45.0, 1.15))),
        ),
        known(
            "pool 10, cold for 2,000 requests",
            p95,
            100.0,
            with(|t| t.cold = Some((2000.0, 2.0))),
        ),
        known(
            "pool 10, cold for 500, 5 times",
            p95,
            100.0,
            with(|t| t.cold = Some((500.0, 5.0))),
        ),
        known(
            "pool 10, starved for 40 s",
            p95,
            100.0,
            with(|t| t.starved = Some((40.0, 3.0))),
        ),
        known(
            "pool 10, 5 % slower in 10 min",
            p95,
            100.0,
            with(|t| t.drifts = 0.05 / 600.0),
        ),
        known(
            "pool 10, 5 % faster in 10 min",
            p95,
            100.0,
            with(|t| t.drifts = -0.05 / 600.0),
        ),
    ]
}

fn shared_machines() -> Vec<Law> {
    let of = SimulatedTarget::pool;
    let p95 = "p(95)<500ms";
    let wandering = |share: f64, seconds: f64| SimulatedTarget {
        wanders: Some((share, seconds)),
        ..random(of(10, 0.1))
    };
    let pausing = |every: f64, length: f64| SimulatedTarget {
        pause: Some((every, length)),
        ..random(of(10, 0.05))
    };
    vec![
        known(
            "pool 10, wanders by 3 % for 20 s",
            p95,
            94.33,
            wandering(0.03, 20.0),
        ),
        known(
            "pool 10, wanders by 3 % for 5 s",
            p95,
            94.913,
            wandering(0.03, 5.0),
        ),
        known(
            "pool 10, wanders by 5 % for 2 s",
            p95,
            94.33,
            wandering(0.05, 2.0),
        ),
        known(
            "pool 10, wanders by 6 % for 60 s",
            p95,
            90.054,
            wandering(0.06, 60.0),
        ),
        known(
            "pool 10, pauses of 0.1 s each 5 s",
            "p(95)<200ms",
            184.13,
            pausing(5.0, 0.1),
        ),
        known(
            "pool 10, pauses of 0.3 s each 10 s",
            "p(95)<400ms",
            186.42,
            pausing(10.0, 0.3),
        ),
        known(
            "pool 10, pauses of 0.05 s each 2 s",
            "p(95)<150ms",
            179.51,
            pausing(2.0, 0.05),
        ),
        known(
            "pool 10, errors 0.2 %",
            p95,
            96.273,
            SimulatedTarget {
                errors: 0.002,
                ..random(of(10, 0.1))
            },
        ),
    ]
}
