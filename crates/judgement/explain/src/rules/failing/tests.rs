use loadline_record::FailedAnswer;
use loadline_units::random::Random;

use super::*;
use crate::{ExplainedLoad, ExplainedRun, ExplanationAnswer, explain};

/// Seconds with so many requests on average, of which `fails` says how many fail.
fn windows(seed: u64, seconds: usize, fails: impl Fn(f64, &Random) -> f64) -> Vec<ComparedWindow> {
    let random = Random::new(seed);
    let window = |_| {
        // Starts by chance: of 200 moments a quarter has one.
        let requests = (0..200).filter(|_| random.unit() < 0.25).count() as f64;
        ComparedWindow {
            requests,
            failed: fails(requests, &random).clamp(0.0, requests),
            ..ComparedWindow::default()
        }
    };
    (0..seconds).map(window).collect()
}

fn by_chance(share: f64) -> impl Fn(f64, &Random) -> f64 {
    move |requests, random| {
        let mut failed = 0.0;
        let mut left = requests;
        while left >= 1.0 {
            left -= 1.0;
            failed += f64::from(u8::from(random.unit() < share));
        }
        failed
    }
}

#[test]
fn what_fails_at_random_is_told_from_a_limit() {
    for share in [0.05, 0.26, 0.5] {
        let seen = (0..100).filter(|seed| {
            let run = windows(*seed, 30, by_chance(share));
            fail_at_random(&run)
        });
        let seen = seen.count();
        assert!(seen >= 75, "{share}: {seen}");
    }
}

/// Seen: 503 at random, "LIMITED BY the target's own code".
#[test]
fn a_target_that_fails_at_random_is_not_limited() {
    let mut windows = windows(7, 30, by_chance(0.3));
    for window in &mut windows {
        window.planned = window.requests;
        window.durations.record(50.0);
        window.durations.record(52.0);
    }
    let count = |of: fn(&ComparedWindow) -> f64| windows.iter().map(of).sum::<f64>();
    let failed = count(|window| window.failed);
    let statuses = [
        ("200", count(|window| window.requests) - failed),
        ("503", failed),
    ];
    let mut run = ExplainedRun {
        load: ExplainedLoad {
            is_open: true,
            ..ExplainedLoad::default()
        },
        statuses: statuses.map(|(status, n)| (status.to_owned(), n)).into(),
        failed_answers: vec![FailedAnswer {
            status: 503,
            text: "pool_timeout".to_owned(),
            count: 1,
        }],
        windows: windows.clone(),
        ..ExplainedRun::default()
    };
    let told = explain(&run, &[]);
    assert_eq!(told.answer, ExplanationAnswer::Failing);
    assert_eq!(told.findings[0].rule, RuleId::FailingAtRandom);
    let what = format!("{:?}", told.findings[0].statement);
    assert!(what.contains("503 pool_timeout"), "{what}");
    // Users in loops come again at once where they are turned away: that tells nothing.
    run.load.is_open = false;
    assert_ne!(explain(&run, &[]).answer, ExplanationAnswer::Failing);
    // Where starts are dropped, too, more is lost than what fails.
    run.load.is_open = true;
    for window in &mut run.windows {
        window.planned += 20.0;
        window.dropped = 20.0;
    }
    assert_ne!(explain(&run, &[]).answer, ExplanationAnswer::Failing);
}

#[test]
fn a_limit_is_no_failing_at_random() {
    for most in [25.0, 37.0, 48.0] {
        let seen = (0..200).filter(|seed| {
            let over = move |requests: f64, _: &Random| requests - most;
            fail_at_random(&windows(*seed, 30, over))
        });
        let seen = seen.count();
        assert!(seen <= 2, "{most}: {seen}");
    }
}

#[test]
fn failures_that_come_in_bursts_are_no_failing_at_random() {
    let second = std::cell::Cell::new(0);
    let bursts = |requests: f64, _: &Random| {
        second.set(second.get() + 1);
        if second.get() % 5 == 0 { requests } else { 0.0 }
    };
    assert!(!fail_at_random(&windows(3, 30, bursts)));
}
