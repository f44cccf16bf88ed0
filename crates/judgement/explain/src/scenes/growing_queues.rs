//! Queues that grow while they are looked at, who stands in them, and what a page or an answer says of them.

use loadline_metrics::Histogram;
use loadline_record::FailedAnswer;
use loadline_record::signals::{Entity, Label, SignalKind as Kind};

use loadline_analysis::compare::ComparedWindow;

use super::{RuleId, SCENE_SECONDS, Scene, backend::Backend};
use crate::{BottleneckPart, Explanation, ExplanationAnswer, TimePart, explain};

/// Seen: "LIMITED BY the target's own code: the target turns them away" of requests that were answered "503 pool_timeout".
#[test]
fn answers_that_tell_of_a_pool_are_its() {
    let answered = |text: &str, failed: f64| {
        let mut scene = Scene::new(4);
        scene.callers(20.0, 14.0, 900.0, 0.3);
        for (second, window) in scene.windows.iter_mut().enumerate() {
            window.failed = failed * if second % 2 == 0 { 3.0 } else { 25.0 };
            window.dropped = 5.0;
        }
        let mut run = scene.run();
        run.load.is_open = true;
        run.statuses = [("200", 600.0), ("503", 420.0)]
            .map(|(status, count)| (status.to_owned(), count))
            .into();
        run.failed_answers = vec![FailedAnswer {
            status: 503,
            text: text.to_owned(),
            count: 420,
        }];
        explain(&run, &[])
    };
    for text in [
        "pool_timeout",
        "HikariPool-1 - Connection is not available, request timed out after 3000ms.",
        "QueuePool limit of size 5 overflow 10 reached, connection timed out",
    ] {
        let told = answered(text, 1.0);
        assert_eq!(told.findings[0].part, BottleneckPart::Pool, "{text}");
        // Those of another level of a search: hardly any fails here.
        let told = answered(text, 0.001);
        assert_ne!(told.findings[0].part, BottleneckPart::Pool, "{text}");
    }
    for text in [
        "busy",
        "pool_timeout=30",
        "HikariPool-1 (total=10, active=2, idle=8)",
    ] {
        let told = answered(text, 1.0);
        assert_ne!(told.findings[0].part, BottleneckPart::Pool, "{text}");
    }
}

/// A target whose queue grows by so much each second, s, while its page tells each answer's whole time; looks come in the
/// middle of a second.
fn growing(seconds_more: f64, hold: f64) -> Scene {
    let mut scene = Scene::new(11);
    let rate = 40.0;
    scene.callers(rate, 0.0, 100.0, 0.01);
    let (any, of) = (Entity::new(), Entity::new().with(Label::Pool, "db"));
    let took = |second: f64| hold + seconds_more * second;
    for (second, window) in (0_u32..).zip(&mut scene.windows) {
        window.planned = rate * (1.0 + seconds_more);
        window.durations = Histogram::default();
        for at in 0..40 {
            let ended = f64::from(second) + f64::from(at) / 40.0;
            window.durations.record(1000.0 * took(ended));
        }
    }
    for second in 0..SCENE_SECONDS {
        let at = f64::from(u32::try_from(second).unwrap()) + 0.5;
        // The sum of what all took that ended until then.
        let time = rate * (hold * at + seconds_more * at * at / 2.0);
        let at_ms = second * 1000 + 500;
        let (signals, waiting) = (&mut scene.signals, rate * took(at) * (1.0 + seconds_more));
        signals.push(Kind::ServerRequests, &any, at_ms, rate * at);
        signals.push(Kind::ServerRequestTime, &any, at_ms, time);
        signals.push(Kind::PoolActive, &of, at_ms, rate * hold);
        signals.push(Kind::PoolPending, &of, at_ms, waiting);
        signals.push(Kind::PoolMax, &of, at_ms, rate * hold);
    }
    scene
}

/// Seen: "before the target (network, queues) 156 ms, 5.85 %" of a queue inside of it, and no word of the 101 ms that each
/// connection was held: the page was looked at between the seconds of the callers, and as many waited as would later be served.
#[test]
fn a_queue_that_grows_inside_is_not_before_the_target() {
    for seconds_more in [0.1, 0.4, 0.8] {
        let told = explain(&growing(seconds_more, 0.1).run(), &[]);
        let time = told.time.unwrap();
        let of = |wanted| {
            let mut parts = time.parts.iter();
            parts
                .find(|part| part.part == wanted)
                .map_or(0.0, |part| part.mean_ms)
        };
        let whole: f64 = time.parts.iter().map(|part| part.mean_ms).sum();
        assert!(
            of(TimePart::Before) < 0.02 * whole,
            "{seconds_more}: {time:?}"
        );
        assert!(
            (of(TimePart::Held) - 100.0).abs() < 2.0,
            "{seconds_more}: {time:?}"
        );
    }
}

/// Seen: "not explained 1,267 ms, 80 %" of requests that took 103 ms: the page went on with those that callers of a run
/// before had given up.
#[test]
fn what_a_page_says_of_a_run_before_is_not_told_of_this_one() {
    let mut scene = Scene::new(12);
    scene.callers(15.0, 0.0, 103.0, 0.05);
    let any = Entity::new();
    scene.counter(Kind::ServerRequests, &any, 15.3, 0.02);
    scene.counter(Kind::ServerRequestTime, &any, 15.0 * 1.5, 0.02);
    let told = explain(&scene.run(), &[]);
    assert_eq!(told.time, None);
}

/// Seen: "LIMITED BY the target's threads" of 200 threads that all waited, for 7 s each, for a lock that was held for 40 ms:
/// nobody saw it.
#[test]
fn threads_that_wait_for_what_is_not_seen_are_not_what_limits() {
    let rule_of = |hold: f64| {
        let mut scene = Scene::new(13);
        let (any, rate, threads) = (Entity::new(), 25.0, 25.0 * hold);
        scene.callers(rate, 0.0, 1000.0 * hold, 0.05);
        for (second, window) in scene.windows.iter_mut().enumerate() {
            window.planned = 50.0;
            window.dropped = 25.0;
            if second < 1 {
                // The first wait for nobody.
                window.durations = Histogram::from_values(&[43.0; 25]);
            }
        }
        scene.gauge(Kind::WorkersBusy, &any, threads, 0.0);
        scene.limit(Kind::WorkersMax, &any, threads);
        scene.counter(Kind::ServerRequests, &any, rate, 0.02);
        scene.counter(Kind::ServerRequestTime, &any, rate * hold, 0.02);
        scene.counter(Kind::ProcessCpu, &any, 0.1, 0.05);
        scene.limit(Kind::CoresAvailable, &any, 2.0);
        let mut run = scene.run();
        let mut alike = Histogram::default();
        run.windows
            .iter()
            .for_each(|window| alike.merge(&window.durations));
        run.alike = Some(alike);
        explain(&run, &[]).findings[0].rule
    };
    assert_ne!(rule_of(7.2), RuleId::TooFewThreads);
    // Held as long as a request takes that waits for nothing: there are too few of them.
    assert_eq!(rule_of(0.045), RuleId::TooFewThreads);
}

/// Seen: 22 of 23 sessions waited for one row's lock, and the pool was told: traces of requests that ended while the queue
/// grew were in statements for less than those that stood in it.
#[test]
fn traces_of_a_queue_that_grows_deny_no_lock() {
    let backend = Backend {
        offered: 25.0,
        lock: 0.065,
        pool: 23.0,
        ..Backend::default()
    };
    let mut scene = backend.callers(14);
    backend.record_pool(&mut scene);
    backend.record_database(&mut scene);
    let (steady, of) = (backend.steady(), Entity::new().with(Label::Band, "typical"));
    let waited = 0.6 * steady.pool_used / steady.rate;
    for (kind, each) in [
        (Kind::TracedRequests, 1.0),
        (Kind::TracedTime, 1.4 * waited),
        (Kind::TracedPoolTime, 0.4 * waited),
        (Kind::TracedDatabaseTime, waited),
    ] {
        scene.counter(kind, &of, steady.rate * each, 0.02);
    }
    let told = explain(&scene.run(), &[]);
    assert_eq!(told.findings[0].rule, RuleId::RowLock);
}

/// Seen: "time in which nobody is answered 118 %": a cache that was full answered nobody for seconds, and what had waited for
/// it 31 s after the load.
#[test]
fn stalls_are_of_the_seconds_in_which_somebody_asks() {
    let mut scene = Scene::new(15);
    scene.callers(20.0, 0.0, 3.0, 0.1);
    let waited = |ms: f64| (3.0, 0.0, Histogram::from_values(&[ms; 3]));
    for second in 0..40 {
        let window = &mut scene.windows[second];
        let (requests, planned, durations) = match second {
            20 | 25 => waited(4_000.0),
            16..20 | 21..25 => (0.0, 20.0, Histogram::default()),
            39 => waited(13_000.0),
            26.. => (0.0, 0.0, Histogram::default()),
            _ => continue,
        };
        (window.requests, window.planned, window.durations) = (requests, planned, durations);
        (window.drained, window.users) = (0.0, 0.0);
    }
    let told = explain(&scene.run(), &[]);
    let mut findings = told.findings.iter();
    let stalls = findings.find(|one| one.rule == RuleId::Stalls).unwrap();
    let share = stalls.evidence.iter().find(|one| one.name == "stalled");
    let share = share.unwrap().value;
    assert!((0.25..0.4).contains(&share), "{share}");
}

/// A target of 48 threads, each in a call to another server, which are all busy from the third second on; a call of second
/// `n` takes `call_ms(n)`.
fn threads_in_calls(call_ms: impl Fn(f64) -> f64) -> Explanation {
    const THREADS_MAX: f64 = 48.0;
    let mut scene = Scene::new(13);
    let rate = 30.0;
    scene.callers(rate, 0.0, 100.0, 0.01);
    for (second, window) in (0_u32..).zip(&mut scene.windows) {
        window.planned = 1.5 * rate;
        window.durations = Histogram::default();
        // Half of what starts waits in front of the threads, longer and longer.
        let waited = 500.0 * f64::from(second);
        for _ in 0..30 {
            let took = call_ms(f64::from(second)) + waited;
            window.durations.record(took);
        }
    }
    let (to, threads) = (
        Entity::new().with(Label::Peer, "payments"),
        Entity::new().with(Label::Pool, "web"),
    );
    let (mut calls, mut time) = (0.0, 0.0);
    for second in 0..SCENE_SECONDS {
        let at_ms = second * 1000 + 300;
        let n = f64::from(u32::try_from(second).unwrap());
        let busy = (rate * call_ms(n) / 1000.0).min(THREADS_MAX);
        let signals = &mut scene.signals;
        signals.push(Kind::OutsideCalls, &to, at_ms, calls);
        signals.push(Kind::OutsideCallTime, &to, at_ms, time);
        signals.push(Kind::WorkersBusy, &threads, at_ms, busy);
        signals.push(Kind::WorkersMax, &threads, at_ms, THREADS_MAX);
        calls += rate;
        time += rate * call_ms(n) / 1000.0;
    }
    let any = Entity::new();
    scene.counter(Kind::ProcessCpu, &any, 0.1, 0.05);
    scene.limit(Kind::CoresAvailable, &any, 2.0);
    explain(&scene.run(), &[])
}

/// Seen: "all threads (48) are busy; use 96: predicted 60.5 requests/s" of threads that waited for a name server, which was
/// full within three seconds: the first third of the calls was slow, too.
#[test]
fn threads_that_wait_for_calls_that_were_quick_at_first_are_enough() {
    let told = threads_in_calls(|second| (75.0 + 700.0 * second).min(1_600.0));
    let first = &told.findings[0];
    assert_eq!(
        (first.rule, first.part),
        (RuleId::OutsideLimit, BottleneckPart::Outside)
    );
    let told = threads_in_calls(|_| 1_600.0);
    assert_eq!(told.findings[0].rule, RuleId::TooFewThreads);
}

/// Seen: "NO SIGN OF A LIMIT up to 19.7 requests/s" of 25/s at random on two places of 100 ms, as the first second had 36 starts:
/// what waited then made the growth a small factor, and the second in which the queue emptied hid that fewer ended than began.
#[test]
fn a_queue_that_was_long_at_first_is_a_limit_as_well() {
    let run = |means: &[f64], planned: &[f64]| {
        let mut all = Histogram::from_values(&[101.0, 102.0, 104.0]);
        let seconds = means.iter().zip(planned).map(|(mean, planned)| {
            let times: Vec<f64> = (0..20)
                .map(|at| mean * (0.95 + 0.005 * f64::from(at)))
                .collect();
            ComparedWindow {
                requests: 20.0,
                iterations: 20.0,
                planned: *planned,
                durations: Histogram::from_values(&times),
                ..ComparedWindow::default()
            }
        });
        let windows: Vec<ComparedWindow> = seconds.collect();
        for window in &windows {
            all.merge(&window.durations);
        }
        let mut scene = Scene::new(5);
        scene.windows = windows;
        let mut run = scene.run();
        run.from_ms = 1_000;
        run.alike = Some(all);
        explain(&run, &[])
    };
    let grows = [867.0, 1_207.0, 1_467.0, 1_620.0, 1_879.0, 2_004.0, 2_228.0];
    let told = run(&grows, &[28.0, 22.0, 26.0, 27.0, 28.0, 0.0, 0.0]);
    assert_eq!(told.answer, ExplanationAnswer::UnknownLimit);
    assert_eq!(told.findings[0].rule, RuleId::ServedAtOnce);
    // All that starts is answered: a target that takes its time.
    let even = [1_020.0, 1_000.0, 990.0, 1_010.0, 1_000.0, 1_005.0, 1_000.0];
    let told = run(&even, &[20.0; 7]);
    assert_eq!(told.answer, ExplanationAnswer::NoSign);
}
