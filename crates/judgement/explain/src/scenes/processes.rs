//! Several processes behind one port: how many there are, and what one of them says of all.

use loadline_record::signals::{
    Entity, Label, SignalKind as Kind, SourceKind, SourceNote, SourceStatus, TargetSetting,
};

use super::{RuleId, Scene};
use crate::{EvidenceGrade, ExplainedRun, ExplanationAnswer, explain};

/// Processes that accept by themselves and serve a request at a time, and have threads that serve none.
struct Prefork {
    workers: f64,
    users: f64,
    call_ms: f64,
}

const PREFORK: Prefork = Prefork {
    workers: 11.0,
    users: 20.0,
    call_ms: 352.0,
};

impl Prefork {
    fn scene(&self) -> Scene {
        let mut scene = Scene::new(5);
        let rate = self.workers * 1000.0 / self.call_ms;
        scene.load.is_open = false;
        scene.load.users = self.users;
        scene.callers(rate, 0.0, self.users * 1000.0 / rate, 0.03);
        for window in &mut scene.windows {
            window.planned = 0.0;
        }
        let any = Entity::new();
        scene.limit(Kind::Threads, &any, 3.0 * self.workers + 1.0);
        scene.gauge(Kind::AcceptQueue, &any, self.users - self.workers, 0.05);
        scene.counter(Kind::ProcessCpu, &any, 0.04, 0.05);
        scene.limit(Kind::CoresAvailable, &any, 2.0);
        let of = Entity::new().with(Label::Band, "typical");
        scene.counter(Kind::TracedRequests, &of, rate, 0.02);
        scene.counter(Kind::TracedTime, &of, rate * self.call_ms / 1000.0, 0.02);
        scene.counter(
            Kind::TracedOutsideTime,
            &of,
            rate * self.call_ms / 1000.0,
            0.02,
        );
        let to = of.with(Label::Peer, "partners:80");
        scene.counter(Kind::TracedCalls, &to, rate, 0.02);
        scene.counter(
            Kind::TracedCallTime,
            &to,
            rate * self.call_ms / 1000.0,
            0.02,
        );
        scene
    }

    fn run(&self, scene: Scene) -> ExplainedRun {
        let mut run = scene.run();
        let mut alike = loadline_metrics::Histogram::default();
        alike.record(self.call_ms);
        for window in &run.windows {
            alike.merge(&window.durations);
        }
        run.alike = Some(alike);
        run
    }
}

/// Seen: "SLOW BECAUSE OF an outside server" of eleven processes that were all in a call; three threads each.
#[test]
fn processes_that_are_all_taken_are_told_by_their_number() {
    let mut scene = PREFORK.scene();
    let processes = Entity::new();
    scene.limit(Kind::Processes, &processes, PREFORK.workers + 1.0);
    let told = explain(&PREFORK.run(scene), &[]);
    let first = &told.findings[0];
    let expected = (
        ExplanationAnswer::Limited,
        RuleId::TooFewThreads,
        EvidenceGrade::A,
    );
    assert_eq!((told.answer, first.rule, first.grade), expected);
}

#[test]
fn more_processes_than_requests_inside_are_not_all_taken() {
    let mut scene = PREFORK.scene();
    scene.limit(Kind::Processes, &Entity::new(), 2.0 * PREFORK.workers);
    let told = explain(&PREFORK.run(scene), &[]);
    assert_ne!(told.findings[0].rule, RuleId::TooFewThreads);
}

/// Seen: "NO BOTTLENECK" of eight processes whose page one of them answered, another one each time.
#[test]
fn a_page_of_one_of_several_processes_does_not_say_that_all_have_room() {
    let notes = [
        SourceNote::SeveralProcesses(9),
        SourceNote::MixedProcesses(3),
    ];
    for note in notes {
        let mut scene = Scene::new(7);
        scene.load.is_open = false;
        scene.callers(32.0, 0.0, 480.0, 0.05);
        for window in &mut scene.windows {
            window.planned = 0.0;
        }
        let pool = Entity::new()
            .with(Label::Instance, "process 1")
            .with(Label::Pool, "db");
        scene.limit(Kind::PoolActive, &pool, 0.0);
        scene.limit(Kind::PoolMax, &pool, 5.0);
        scene.counter(Kind::ProcessCpu, &Entity::new(), 0.05, 0.05);
        scene.limit(Kind::CoresAvailable, &Entity::new(), 2.0);
        let mut source = SourceStatus::new("http://127.0.0.1:8080/metrics", SourceKind::Page);
        source.remark(note);
        scene.signals.sources.push(source);
        let told = explain(&scene.run(), &[]);
        assert_eq!(told.answer, ExplanationAnswer::NoSign);
    }
}

/// Seen: "LIMITED, by something that is not seen" of threads of Python that computed all the time: one core of two.
#[test]
fn an_interpreter_that_computes_on_one_core_of_two_has_none_left() {
    let told = |runtime: &str, processes: f64| {
        let mut scene = Scene::new(3);
        for mean_ms in [100.0, 400.0, 800.0, 1_200.0] {
            scene.callers(15.0, 0.0, mean_ms, 0.1);
        }
        let any = Entity::new();
        scene.counter(Kind::ProcessCpu, &any, 0.97, 0.02);
        scene.limit(Kind::CoresAvailable, &any, 2.0);
        scene.limit(Kind::Processes, &any, processes);
        // Its threads wait for the interpreter's lock: "the event loop is blocked" was told.
        scene.gauge(Kind::EventLoopBlocked, &any, 0.91, 0.02);
        scene.gauge(Kind::EventLoopUse, &any, 0.91, 0.02);
        let mut run = scene.run();
        let setting = TargetSetting::new("process.runtime", runtime, Entity::new());
        run.signals.set(setting);
        explain(&run, &[]).findings[0].rule
    };
    assert_eq!(told("python", 1.0), RuleId::TargetCpu);
    assert_eq!(told("ruby", 1.0), RuleId::TargetCpu);
    assert_ne!(told("java", 1.0), RuleId::TargetCpu);
    assert_ne!(told("python", 2.0), RuleId::TargetCpu);
}
