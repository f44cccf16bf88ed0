use loadline_analysis::compare::ComparedWindow;
use loadline_record::FailedAnswer;
use loadline_units::random::Random;

use super::*;
use crate::{ExplainedLoad, ExplainedRun, ExplanationAnswer, explain};

/// Seconds with so many requests on average, of which `fails` says how many fail.
pub(super) fn windows(
    seed: u64,
    seconds: usize,
    fails: impl Fn(f64, &Random) -> f64,
) -> Vec<ComparedWindow> {
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

pub(super) fn by_chance(share: f64) -> impl Fn(f64, &Random) -> f64 {
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
    assert_eq!(explain(&run, &[]).findings[0].rule, RuleId::PoolExhausted);
    run.failed_answers[0].text = "busy".to_owned();
    assert_eq!(explain(&run, &[]).findings[0].rule, RuleId::FailingUnclear);
    // Where starts are dropped, too, more is lost than what fails.
    run.load.is_open = true;
    for window in &mut run.windows {
        window.planned += 20.0;
        window.dropped = 20.0;
    }
    assert_ne!(explain(&run, &[]).answer, ExplanationAnswer::Failing);
}

/// Seen: "LIMITED BY the target's own code (grade C)" of one in ten requests answered 503 by chance, after the 30 ms that
/// good answers take, of starts that come evenly and of users in loops.
#[test]
fn what_fails_after_as_long_as_good_answers_take_was_worked_on() {
    let told = |is_open: bool, failed_ms: f64| {
        let random = Random::new(3);
        let window = |_| {
            let failed: u32 = (0..60).map(|_| u32::from(random.unit() < 0.1)).sum();
            let mut window = ComparedWindow {
                requests: 60.0,
                iterations: 60.0,
                planned: if is_open { 60.0 } else { 0.0 },
                failed: f64::from(failed),
                users: 5.0,
                ..ComparedWindow::default()
            };
            for _ in failed..60 {
                window.durations.record(30.0 + random.unit());
            }
            for _ in 0..failed {
                window.durations.record(failed_ms + random.unit());
                window.failed_durations.record(failed_ms + random.unit());
            }
            window
        };
        let run = ExplainedRun {
            load: ExplainedLoad {
                is_open,
                users: 5.0,
                iteration_ms: 30.0,
                ..ExplainedLoad::default()
            },
            statuses: [("200", 594.0), ("503", 66.0)]
                .map(|(status, n)| (status.to_owned(), n))
                .into(),
            windows: (0..11).map(window).collect(),
            ..ExplainedRun::default()
        };
        let told = explain(&run, &[]);
        assert_eq!(told.answer, ExplanationAnswer::Failing);
        told.findings[0].rule
    };
    assert_eq!(told(true, 30.0), RuleId::FailingAfterWork);
    assert_eq!(told(false, 30.0), RuleId::FailingAfterWork);
    // What fails at once may be turned away: nothing tells, and that is said.
    assert_eq!(told(true, 1.0), RuleId::FailingUnclear);
}

/// Seen: "LIMITED BY the target's own code (grade C)", and "by something that is not seen", of a target each fifteenth of
/// whose requests failed, whatever the load.
#[test]
fn each_fifteenth_request_that_fails_is_turned_away_by_no_limit() {
    let told = |is_open: bool, quickest_ms: f64| {
        let mut sent = 0;
        let window = |_| {
            let mut window = ComparedWindow {
                requests: 40.0,
                iterations: 40.0,
                planned: if is_open { 40.0 } else { 0.0 },
                users: 5.0,
                ..ComparedWindow::default()
            };
            for _ in 0..40 {
                sent += 1;
                let millis = if sent == 1 { quickest_ms } else { 72.0 };
                window.durations.record(millis);
                if sent % 15 == 0 {
                    window.failed += 1.0;
                    window.failed_durations.record(72.0);
                }
            }
            window
        };
        let windows: Vec<ComparedWindow> = (0..11).map(window).collect();
        let run = ExplainedRun {
            load: ExplainedLoad {
                is_open,
                users: 5.0,
                iteration_ms: 72.0,
                ..ExplainedLoad::default()
            },
            statuses: [("200", 411.0), ("503", 29.0)]
                .map(|(status, n)| (status.to_owned(), n))
                .into(),
            windows,
            ..ExplainedRun::default()
        };
        explain(&run, &[]).findings[0].rule
    };
    assert_eq!(told(true, 72.0), RuleId::FailingAfterWork);
    assert_eq!(told(false, 72.0), RuleId::FailingAfterWork);
    // One that was much quicker may have been the only one that waited for nothing.
    assert_eq!(told(false, 31.0), RuleId::FailingUnclear);
}

/// A run of starts by chance whose requests, but those that fail, are answered in 10 ms.
fn run_of(mut windows: Vec<ComparedWindow>, status: &str) -> ExplainedRun {
    for window in &mut windows {
        window.planned = window.requests;
        let well = (window.requests - window.failed).max(0.0);
        (0..20)
            .take_while(|at| f64::from(*at) < well)
            .for_each(|at| {
                window.durations.record(10.0 + 0.1 * f64::from(at));
            });
    }
    let count = |of: fn(&ComparedWindow) -> f64| windows.iter().map(of).sum::<f64>();
    let failed = count(|window| window.failed);
    let well = count(|window| window.requests) - failed;
    ExplainedRun {
        load: ExplainedLoad {
            is_open: true,
            ..ExplainedLoad::default()
        },
        statuses: [("200", well), (status, failed)]
            .map(|(status, n)| (status.to_owned(), n))
            .into(),
        windows,
        ..ExplainedRun::default()
    }
}

/// Seen: "LIMITED BY the target's own code" of one in eight runs of a target that failed each fifth request.
#[test]
fn what_fails_regularly_is_no_limit_of_starts_by_chance() {
    let limited = (0..200).filter(|seed| {
        let begun = std::cell::Cell::new(0.0_f64);
        let each_fifth = |requests: f64, _: &Random| {
            let before = (begun.get() / 5.0).floor();
            begun.set(begun.get() + requests);
            (begun.get() / 5.0).floor() - before
        };
        let told = explain(&run_of(windows(*seed, 8, each_fifth), "503"), &[]);
        told.answer != ExplanationAnswer::Failing
    });
    // Those whose starts came evenly by chance, of which a limit turns away as many.
    let limited = limited.count();
    assert!(limited <= 3, "{limited} of 200");
}

/// Seen: "LIMITED at 34.9 requests/s, by something that is not seen" of a target that never answered each tenth request of
/// users in loops, and the others in 10 to 30 ms.
#[test]
fn requests_that_are_never_answered_are_no_limit_where_all_others_are_there_long_before() {
    let answered = |good_ms: &dyn Fn(f64) -> f64| {
        let mut never = run_of(windows(9, 12, by_chance(0.1)), "0");
        never.load.is_open = false;
        for window in &mut never.windows {
            window.planned = 0.0;
            window.durations = loadline_metrics::Histogram::default();
            (0..40).for_each(|at| window.durations.record(good_ms(f64::from(at) / 40.0)));
            (0..4).for_each(|_| {
                window.durations.record(1_000.0);
                window.failed_durations.record(1_000.0);
            });
        }
        explain(&never, &[]).answer
    };
    assert_eq!(answered(&|at| 10.0 + 20.0 * at), ExplanationAnswer::Failing);
    // Who came to their turn just before others gave up.
    assert_ne!(
        answered(&|at| 10.0 + 900.0 * at),
        ExplanationAnswer::Failing
    );
}

/// Seen: "LIMITED at 9.14 requests/s, by something that is not seen" of a target that never answered each tenth request, and
/// the others in 10 ms.
#[test]
fn requests_that_are_never_answered_by_chance_are_no_limit_where_nobody_waits() {
    let mut never = run_of(windows(9, 12, by_chance(0.1)), "0");
    assert_eq!(explain(&never, &[]).answer, ExplanationAnswer::Failing);
    // Good answers take longer and longer until callers give up.
    for (second, window) in (0..).zip(&mut never.windows) {
        window.durations = loadline_metrics::Histogram::default();
        (0..20).for_each(|at| {
            window
                .durations
                .record(50.0 * f64::from(1 + second) + f64::from(at))
        });
    }
    assert_ne!(explain(&never, &[]).answer, ExplanationAnswer::Failing);
}

/// Seen: "LIMITED at 9.36 requests/s, by something that is not seen" of a target that carried 20/s for six seconds, and then
/// answered 500 "disk full" to each request.
#[test]
fn what_fails_from_some_second_on_at_a_load_that_was_carried_is_told_with_it() {
    let second = std::cell::Cell::new(0);
    let since = |requests: f64, _: &Random| {
        second.set(second.get() + 1);
        if second.get() > 6 { requests } else { 0.0 }
    };
    let mut run = run_of(windows(3, 14, since), "500");
    let told = explain(&run, &[]);
    assert_eq!(told.answer, ExplanationAnswer::Failing);
    let first = &told.findings[0];
    assert_eq!(
        (first.rule, first.grade),
        (RuleId::FailingSince, EvidenceGrade::A)
    );
    let said = format!("{:?}", first.statement);
    assert!(said.contains("\"6\""), "{said}");
    // Users in loops, of whom twice as many came since then: the load may be why.
    let mut in_loops = run.clone();
    in_loops.load.is_open = false;
    for (second, window) in (0..).zip(&mut in_loops.windows) {
        window.users = if second < 6 { 5.0 } else { 10.0 };
    }
    let told = explain(&in_loops, &[]);
    assert_ne!(told.findings[0].rule, RuleId::FailingSince);
    in_loops
        .windows
        .iter_mut()
        .for_each(|window| window.users = 5.0);
    let told = explain(&in_loops, &[]);
    assert_eq!(told.findings[0].rule, RuleId::FailingSince);
    // Twice as many come since then: the load may be why.
    for window in &mut run.windows[6..] {
        window.requests *= 2.0;
        window.failed *= 2.0;
        window.planned *= 2.0;
    }
    assert_ne!(explain(&run, &[]).findings[0].rule, RuleId::FailingSince);
}

/// Seen: "LIMITED at 30.0 requests/s, by something that is not seen" of even starts of which each fourth was answered 500 after
/// 2 ms, whatever the load.
#[test]
fn what_fails_regularly_and_at_once_is_not_said_to_be_limited() {
    let told = |status: &str, failed_ms: f64| {
        let mut windows = vec![ComparedWindow::default(); 8];
        for window in &mut windows {
            (window.requests, window.failed) = (40.0, 10.0);
            (0..30).for_each(|_| window.durations.record(82.0));
            (0..10).for_each(|_| {
                window.durations.record(failed_ms);
                window.failed_durations.record(failed_ms);
            });
        }
        let mut run = run_of(windows, status);
        run.load.is_open = true;
        let told = explain(&run, &[]);
        (told.answer, told.findings[0].rule)
    };
    let unclear = (ExplanationAnswer::Failing, RuleId::FailingUnclear);
    assert_eq!(told("500", 2.8), unclear);
    assert_eq!(told("404", 2.8), unclear);
    // What is full is answered so, or after a wait.
    for (status, failed_ms) in [("503", 2.8), ("429", 2.8), ("500", 1_000.0)] {
        let (answer, _) = told(status, failed_ms);
        assert_ne!(answer, ExplanationAnswer::Failing, "{status} {failed_ms}");
    }
}
