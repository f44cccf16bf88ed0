//! A setting that answers errors fast is no better: a goal of latency is a share of the planned
//! starts that are answered well in time.

use serde_json::Value;

use super::{Bench, Target, stderr};

/// How long a request waits for a connection, ms: as it is, and so short that nearly all requests
/// of 20 users at a pool of two are answered 503 ten times as fast. Not at once: the generator
/// would be the bottleneck of such a trial.
const WAIT_NOW_MS: &str = "4000";
const WAIT_FAILING_MS: &str = "100";

fn study(base: &str, goal: &str) -> String {
    format!(
        "test: {base}/pooled --vus 20 --duration 1s
goal: {goal}
pause: 0s
knobs:
  - name: wait
    values: [{WAIT_NOW_MS}, {WAIT_FAILING_MS}]
    now: {WAIT_NOW_MS}
    http: {{method: PUT, url: '{base}/settings', body: '{{\"pool\":{{\"acquire_timeout_ms\":{{value}}}}}}'}}
"
    )
}

/// Trials with the setting that fails: each measured, nearly all of its answers errors, and far
/// faster than those of the setting now.
fn failing_trials(answer: &Value) -> usize {
    let trials = answer["trials"].as_array().unwrap().iter();
    let failing = trials.filter(|trial| trial["setting"]["wait"] == WAIT_FAILING_MS);
    failing
        .filter(|trial| {
            let errors = trial["errors"].as_f64();
            assert!(errors.is_none_or(|share| share > 0.5), "{trial}");
            errors.is_some()
        })
        .count()
}

#[test]
fn a_setting_that_answers_errors_fast_is_not_the_fastest() {
    let target = Target::with_small_pool();
    let bench = Bench::new("fast-errors", &study(&target.1, "p(95) min"));
    let answer = bench.answer();
    assert!(failing_trials(&answer) > 0, "{answer:#}");
    assert_eq!(answer["winner"]["wait"], WAIT_NOW_MS, "{answer:#}");
    assert_ne!(answer["outcome"]["kind"], "better", "{answer:#}");
}

#[test]
fn a_setting_that_answers_errors_fast_meets_no_goal_of_latency() {
    let target = Target::with_small_pool();
    // 20 users at 20 requests/s wait a second.
    let bench = Bench::new("fast-errors-goal", &study(&target.1, "meet p(95)<=500ms"));
    let answer = bench.answer();
    assert!(failing_trials(&answer) > 0, "{answer:#}");
    assert_eq!(answer["outcome"]["kind"], "goal-missed", "{answer:#}");
    let output = bench.tune(&[]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
}
