//! Processes that are busy, and the queue of connections before them that shows it.

use loadline_analysis::compare::ComparedWindow;
use loadline_metrics::Histogram;
use loadline_record::signals::{Entity, SignalKind as Kind, TargetSetting};

use super::{Scene, found_rules};
use crate::input::CallerTimes;
use crate::{
    BottleneckPart, ExplainedLoad, ExplainedRun, Explanation, ExplanationAnswer, RuleId, explain,
};

/// One process, whose accept queue is full at times: 13 attempts a second find it so, and 34 connections wait in it.
struct Process {
    runtime: &'static str,
    /// Seconds a second.
    computes: f64,
    waits_for_core: f64,
    connecting_ms: f64,
    waiting_ms: f64,
}

const PYTHON: Process = Process {
    runtime: "python",
    computes: 0.6,
    waits_for_core: 0.39,
    connecting_ms: 0.1,
    waiting_ms: 3_000.0,
};

impl Process {
    /// 60 a second are asked for 8 s, half of which are answered, later and later; `is_seen`: its CPU is.
    fn run(&self, is_seen: bool) -> ExplainedRun {
        let any = Entity::new();
        let mut scene = Scene::new(3);
        scene.windows.clear();
        scene.callers(29.0, 0.0, self.waiting_ms, 0.1);
        scene.windows.truncate(8);
        for (second, window) in (0_u32..).zip(&mut scene.windows) {
            window.planned = 60.0;
            let slow = (f64::from(second) - 3.5) * self.waiting_ms / 4.5;
            window.durations = Histogram::new();
            let late = (0..29).map(|n| self.waiting_ms + slow + f64::from(n));
            late.for_each(|ms| window.durations.record(ms));
            (0..31).for_each(|_| window.cut.record(8_000.0 - 900.0 * f64::from(second)));
        }
        if is_seen {
            scene.counter(Kind::ProcessCpu, &any, self.computes, 0.02);
            scene.counter(Kind::RunDelay, &any, self.waits_for_core, 0.02);
            scene.limit(Kind::EventLoopThreads, &any, 1.0);
            scene.counter(Kind::EventLoopCpu, &any, self.computes, 0.02);
            scene.counter(Kind::EventLoopRunDelay, &any, self.waits_for_core, 0.02);
            scene.limit(Kind::CoresAvailable, &any, 2.0);
            scene.limit(Kind::Processes, &any, 1.0);
        }
        scene.gauge(Kind::AcceptQueue, &any, 34.0, 0.5);
        scene.counter(Kind::AcceptQueueOverflows, &any, 13.3, 0.3);
        let mut run = scene.run();
        run.signals
            .set(TargetSetting::new("process.runtime", self.runtime, any));
        run.times = Some(CallerTimes {
            connecting: self.connecting_ms,
            opened: 143.0,
            requests: 258.0,
            waiting: self.waiting_ms,
            receiving: 1.0,
        });
        run.cut_of_run = 0.49;
        run
    }

    fn explanation(&self) -> Explanation {
        explain(&self.run(true), &[])
    }
}

/// Seen: "LIMITED BY the target's threads and connections (grade B): callers are not let in", to be mended by more connections,
/// of a single thread that computed 20 ms a request and was never idle.
#[test]
fn a_thread_that_is_never_idle_limits_and_not_the_queue_before_it() {
    let told = PYTHON.explanation();
    assert_eq!(found_rules(&told), [RuleId::TargetCpu]);
    assert_eq!(told.findings[0].part, BottleneckPart::Cpu);
    assert_eq!(told.answer, ExplanationAnswer::Limited);
    // One loop of several threads is one thread, too.
    let node = Process {
        runtime: "node",
        ..PYTHON
    };
    let told = node.explanation();
    assert_eq!(found_rules(&told), [RuleId::EventLoop]);
    assert_eq!(told.findings[0].part, BottleneckPart::Cpu);
}

/// It gets less than half of what it wants.
#[test]
fn a_thread_that_waits_for_a_core_most_of_the_time_has_a_neighbour() {
    let starved = Process {
        computes: 0.4,
        waits_for_core: 0.58,
        ..PYTHON
    };
    assert_eq!(
        found_rules(&starved.explanation()),
        [RuleId::NoisyNeighbour]
    );
}

#[test]
fn a_queue_before_those_who_wait_inside_is_a_symptom_whatever_is_seen() {
    let told = explain(&PYTHON.run(false), &[]);
    assert_eq!(told.answer, ExplanationAnswer::UnknownLimit);
    let first = &told.findings[0];
    assert_eq!(first.rule, RuleId::AcceptQueue);
    let key = first.advice[0].action.key();
    assert_eq!(key, "explain-accept-queue-behind-try");
    // Its CPU is seen to be free: it waits for something else.
    let idle = Process {
        computes: 0.05,
        waits_for_core: 0.01,
        ..PYTHON
    };
    assert_eq!(idle.explanation().answer, ExplanationAnswer::UnknownLimit);
}

#[test]
fn a_queue_whose_callers_are_served_at_once_when_they_are_let_in_limits() {
    let short = Process {
        computes: 0.05,
        waits_for_core: 0.01,
        connecting_ms: 900.0,
        waiting_ms: 40.0,
        ..PYTHON
    };
    assert_eq!(found_rules(&short.explanation()), [RuleId::AcceptQueue]);
    assert_eq!(short.explanation().answer, ExplanationAnswer::Limited);
}

/// Seen: "NO SIGN OF A LIMIT up to 32.1 requests/s" of 45 a second, the rest of which was answered after the load: who came last
/// was served first, so that no second was slower than the one before.
#[test]
fn a_load_that_falls_ever_more_behind_shows_a_limit_whoever_is_served_first() {
    let answer = |answered: f64| {
        let mut window = ComparedWindow {
            requests: answered,
            iterations: answered,
            planned: 45.0,
            planned_rate: 45.0,
            ..ComparedWindow::default()
        };
        window.durations.record(31.0);
        (1..32).for_each(|_| window.durations.record(860.0));
        let run = ExplainedRun {
            windows: vec![window; 11],
            load: ExplainedLoad {
                is_open: true,
                ..ExplainedLoad::default()
            },
            cut_of_run: 0.02,
            ..ExplainedRun::default()
        };
        explain(&run, &[]).answer
    };
    assert_eq!(answer(32.0), ExplanationAnswer::UnknownLimit);
    assert_eq!(answer(44.0), ExplanationAnswer::NoSign);
}

/// Seen: "NO SIGN OF A LIMIT up to 16.9 requests/s" of 60 a second, a third of which was cut; they were served in no order, and no
/// second was slower than the one before.
#[test]
fn a_run_of_which_a_third_is_cut_shows_a_limit() {
    let told = |cut_of_run: f64, quickest_ms: f64| {
        let mut run = PYTHON.run(false);
        run.signals = loadline_record::signals::Signals::default();
        let slow = [1_100.0_f64, 0.0, 0.0, 3_600.0, 700.0, 0.0, 0.0, 6_500.0];
        for (window, slow) in run.windows.iter_mut().zip(slow) {
            (window.durations, window.cut) = (Histogram::new(), Histogram::new());
            window.requests = if slow > 0.0 { 45.0 } else { 0.0 };
            if slow > 0.0 {
                window.durations.record(quickest_ms);
                (0..44).for_each(|_| window.durations.record(slow.max(quickest_ms)));
            }
        }
        run.cut_of_run = cut_of_run;
        explain(&run, &[]).answer
    };
    assert_eq!(told(0.29, 220.0), ExplanationAnswer::UnknownLimit);
    assert_eq!(told(0.0, 220.0), ExplanationAnswer::NoSign);
    // All take as long: that is no queue.
    assert_eq!(told(0.29, 6_500.0), ExplanationAnswer::NoSign);
}
