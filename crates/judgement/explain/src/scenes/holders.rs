//! Full resources whose holders wait for nothing, or for something: what was seen of a town of strangers.

use loadline_analysis::compare::ComparedWindow;
use loadline_metrics::Histogram;
use loadline_record::signals::{Entity, Label, SignalKind as Kind};
use loadline_text::{Catalog, Lang};

use super::super::input::CallerView;
use super::{RuleId, Scene};
use crate::{
    BottleneckPart, EvidenceGrade, ExplainedRun, Explanation, ExplanationAnswer, FindingRole,
    explain,
};

/// Users in loops at a resource with so many places, each held for so long, ms; the first requests found them free.
struct Full {
    users: f64,
    places: f64,
    alone_ms: f64,
    hold_ms: f64,
}

impl Full {
    const QUICK: Self = Self {
        users: 14.0,
        places: 4.0,
        alone_ms: 250.0,
        hold_ms: 260.0,
    };

    fn rate(&self) -> f64 {
        self.places * 1000.0 / self.hold_ms
    }

    /// A scene with what callers see.
    fn scene(&self) -> Scene {
        let mut scene = Scene::new(5);
        scene.load.is_open = false;
        scene.load.users = self.users;
        let mean_ms = self.users * 1000.0 / self.rate();
        scene.callers(self.rate(), 0.0, mean_ms, 0.05);
        for window in &mut scene.windows {
            window.planned = 0.0;
        }
        scene
    }

    fn run(&self, scene: Scene) -> ExplainedRun {
        let mut run = scene.run();
        let mut alike = Histogram::default();
        alike.record(self.alone_ms);
        run.windows
            .iter()
            .for_each(|window| alike.merge(&window.durations));
        run.alike = Some(alike);
        run
    }

    fn pool(&self) -> Explanation {
        let mut scene = self.scene();
        let pool = Entity::new().with(Label::Pool, "db");
        scene.limit(Kind::PoolActive, &pool, self.places);
        scene.limit(Kind::PoolMax, &pool, self.places);
        scene.gauge(Kind::PoolPending, &pool, self.users - self.places, 0.02);
        explain(&self.run(scene), &[])
    }

    fn executor(&self) -> Explanation {
        let mut scene = self.scene();
        let jobs = Entity::new().with(Label::Pool, "jobs");
        scene.limit(Kind::WorkersBusy, &jobs, self.places);
        scene.limit(Kind::WorkersMax, &jobs, self.places);
        scene.gauge(Kind::WorkersQueue, &jobs, self.users - self.places, 0.02);
        explain(&self.run(scene), &[])
    }
}

fn first(explanation: &Explanation) -> (ExplanationAnswer, RuleId, EvidenceGrade) {
    let first = &explanation.findings[0];
    (explanation.answer, first.rule, first.grade)
}

/// Seen: "not known" of a pool of 4 that was full from the first second on, 10 waiting, its rate the measured one.
#[test]
fn a_pool_whose_connections_are_held_as_long_as_alone_is_the_limit() {
    let told = Full::QUICK.pool();
    let expected = (
        ExplanationAnswer::Limited,
        RuleId::PoolExhausted,
        // Nobody saw how long connections are held under little load.
        EvidenceGrade::B,
    );
    assert_eq!(first(&told), expected);
    // Seen: "why they are held is not seen (grade A)".
    let said = Catalog::new(Lang::En).text(&told.findings[0].statement);
    assert!(said.contains("why they are held is not seen"), "{said}");
}

#[test]
fn a_pool_whose_connections_are_held_longer_than_alone_may_wait_for_something() {
    let slower = Full {
        hold_ms: 700.0,
        ..Full::QUICK
    };
    assert_eq!(slower.pool().answer, ExplanationAnswer::UnknownLimit);
}

#[test]
fn an_executor_whose_threads_are_busy_as_long_as_alone_is_the_limit() {
    let told = Full::QUICK.executor();
    let expected = (
        ExplanationAnswer::Limited,
        RuleId::TooFewThreads,
        EvidenceGrade::A,
    );
    assert_eq!(first(&told), expected);
    let slower = Full {
        hold_ms: 700.0,
        ..Full::QUICK
    };
    assert!(slower.executor().findings[0].grade > EvidenceGrade::A);
}

/// Seen: a call of 60 ms before a pool of 8 whose connections were held 60 ms was "held across the call".
#[test]
fn a_call_that_a_request_makes_beside_its_hold_is_not_made_during_it() {
    let full = Full {
        users: 20.0,
        places: 4.0,
        alone_ms: 205.0,
        hold_ms: 100.0,
    };
    let mut scene = full.scene();
    let pool = Entity::new().with(Label::Pool, "db");
    scene.limit(Kind::PoolActive, &pool, full.places);
    scene.limit(Kind::PoolMax, &pool, full.places);
    scene.limit(Kind::PoolPending, &pool, 12.0);
    let peer = Entity::new().with(Label::Peer, "payments");
    scene.counter(Kind::OutsideCalls, &peer, full.rate(), 0.02);
    scene.counter(Kind::OutsideCallTime, &peer, full.rate() * 0.1, 0.02);
    let told = explain(&full.run(scene), &[]);
    assert_eq!(told.findings[0].part, BottleneckPart::Pool);
    let held_across = told
        .findings
        .iter()
        .find(|one| one.rule == RuleId::PoolHeld);
    assert_eq!(held_across, None);
}

/// Seen: 13 users, 97 % of their time in calls of 434 ms to a server that answers one alone in 173 ms: "the rate is not
/// limited by it".
#[test]
fn a_server_that_users_in_loops_wait_for_is_at_its_limit() {
    let full = Full {
        users: 13.0,
        places: 5.0,
        alone_ms: 185.0,
        hold_ms: 173.0,
    };
    let calling = |spread: f64| {
        let mut scene = full.scene();
        let mean_ms = full.users * 1000.0 / full.rate();
        let peer = Entity::new().with(Label::Peer, "payments");
        scene.counter(Kind::OutsideCalls, &peer, full.rate(), 0.02);
        scene.counter(
            Kind::OutsideCallTime,
            &peer,
            full.rate() * (mean_ms - 12.0) / 1000.0,
            0.02,
        );
        for window in &mut scene.windows {
            window.durations = Histogram::default();
            for step in 0..50_u32 {
                let part = (f64::from(step) + 0.5) / 50.0;
                window
                    .durations
                    .record(mean_ms * (1.0 + spread * (part - 0.5)));
            }
        }
        explain(&full.run(scene), &[])
    };
    let told = calling(0.8);
    assert_eq!(told.findings[0].rule, RuleId::OutsideLimit);
    assert_eq!(told.answer, ExplanationAnswer::Limited);
    let varied = calling(1.5);
    assert_eq!(
        varied.findings[0].rule,
        RuleId::SlowOutside,
        "some are as quick as the first"
    );
}

/// Seen: "21 % not explained" of a queue that emptied after the load, whose waiting was counted as under way during it.
#[test]
fn what_requests_wait_after_the_load_is_not_under_way_during_it() {
    let second = ComparedWindow {
        requests: 20.0,
        durations: Histogram::from_values(&[1_000.0; 20]),
        ..ComparedWindow::default()
    };
    let mut windows = vec![second; 20];
    let left = ComparedWindow {
        requests: 100.0,
        drained: 100.0,
        durations: Histogram::from_values(&[6_000.0; 100]),
        ..ComparedWindow::default()
    };
    windows[19].add(&left);
    let under_way = CallerView::from_windows(&windows).under_way;
    // At 20/s the 100 end within 5 s after the load, half of which each of them waited on average.
    let expected = (400.0 * 1.0 + 100.0 * (6.0 - 2.5)) / 20.0;
    assert!(
        (under_way - expected).abs() < 0.01 * expected,
        "{under_way}"
    );
}

/// Seen: "slow because of the network" of a healthy target: other programs of the machine sent segments again.
#[test]
fn segments_sent_again_that_made_no_request_late_are_others() {
    let told = |late: usize| {
        let mut scene = Scene::new(5);
        scene.callers(20.0, 0.0, 150.0, 0.05);
        for window in &mut scene.windows {
            for _ in 0..late {
                window.durations.record(420.0);
            }
        }
        scene.counter(Kind::SegmentsSent, &Entity::new(), 400.0, 0.05);
        scene.counter(Kind::SegmentsResent, &Entity::new(), 8.0, 0.05);
        let told = explain(&scene.run(), &[]);
        told.findings
            .iter()
            .any(|one| one.rule == RuleId::NetworkLoss)
    };
    assert!(!told(0));
    assert!(told(20));
}

/// Seen: another program's statements, 0.2 % of the time of all, as the N+1 of ours that makes it slow.
#[test]
fn many_statements_that_take_no_time_make_nothing_slow() {
    let role = |each: f64| {
        let mut scene = Scene::new(5);
        scene.callers(10.0, 0.0, 150.0, 0.05);
        let statement = Entity::new().with(Label::Statement, "select 1 from bill where id = $1");
        scene.counter(Kind::StatementCalls, &statement, 400.0, 0.02);
        scene.counter(Kind::StatementTime, &statement, 400.0 * each, 0.02);
        let told = explain(&scene.run(), &[]);
        let found = told
            .findings
            .iter()
            .find(|one| one.rule == RuleId::ManyStatements);
        found.map(|found| found.role)
    };
    assert_eq!(role(0.000_05), Some(FindingRole::Notice));
    assert_eq!(role(0.002), Some(FindingRole::Slow));
}

/// Seen: two requests an iteration, one of them checked: 21 % of the requests failed, and 45 % of the checks with them.
#[test]
fn checks_that_failed_with_their_requests_are_no_wrong_answers() {
    let told = |failed: f64| {
        let mut scene = Scene::new(5);
        scene.callers(40.0 - failed, failed, 150.0, 0.05);
        for window in &mut scene.windows {
            (window.iterations, window.checks, window.checks_failed) = (20.0, 20.0, 9.0);
        }
        let told = explain(&scene.run(), &[]);
        told.findings
            .iter()
            .any(|one| one.rule == RuleId::WrongAnswers)
    };
    assert!(!told(8.6));
    assert!(told(0.5));
}

/// Seen: 0.33 of a core beside others, 1.1 threads waiting for it all along: "the database", by the client's own spans.
#[test]
fn spans_of_a_client_that_waits_for_a_core_are_no_time_of_the_database() {
    let mut scene = Scene::new(5);
    super::untuned::growing(&mut scene, 2.0);
    let any = Entity::new();
    let sql = Entity::new().with(Label::Statement, "select * from orders where id = $1");
    for (kind, of, grows) in [
        (Kind::ProcessCpu, &any, 0.33),
        (Kind::RunDelay, &any, 1.12),
        (Kind::TracedRequests, &any, 2.0),
        (Kind::TracedTime, &any, 6.8),
        (Kind::TracedDatabaseTime, &any, 2.9),
        (Kind::TracedSqlCalls, &sql, 2.0),
        (Kind::TracedSqlTime, &sql, 2.9),
    ] {
        scene.counter(kind, of, grows, 0.02);
    }
    scene.limit(Kind::CoresAvailable, &any, 1.0);
    let told = explain(&scene.run(), &[]);
    assert!(
        told.findings
            .iter()
            .all(|one| one.part != BottleneckPart::Database)
    );
}

/// Callers are answered as if they were alone, the kernel sees that the target has room: too few users, for sure.
#[test]
fn users_that_are_too_few_are_sure_where_requests_wait_for_nothing() {
    let mut scene = Scene::new(5);
    scene.callers(40.0, 0.0, 240.0, 0.05);
    for window in &mut scene.windows {
        (window.planned, window.dropped) = (80.0, 40.0);
    }
    scene.load.users = 10.0;
    scene.load.drops.no_free_user = 1600;
    let mut alike = Histogram::default();
    scene
        .windows
        .iter()
        .for_each(|window| alike.merge(&window.durations));
    scene.counter(Kind::ProcessCpu, &Entity::new(), 0.1, 0.05);
    scene.limit(Kind::CoresAvailable, &Entity::new(), 2.0);
    let mut run = scene.run();
    run.alike = Some(alike);
    let told = explain(&run, &[]);
    let expected = (
        ExplanationAnswer::Limited,
        RuleId::UserLimit,
        EvidenceGrade::A,
    );
    assert_eq!(first(&told), expected);
}

/// Seen: traces showed 1.1 s of waiting for a connection, the database 7 sessions at work, and the database was blamed.
#[test]
fn traces_and_sessions_tell_a_pool_that_is_too_small_without_its_page() {
    let told = |hold_ms: f64, are_sessions_seen: bool| {
        let full = Full {
            users: 30.0,
            places: 7.0,
            alone_ms: 265.0,
            hold_ms,
        };
        let mut scene = full.scene();
        let (any, rate) = (Entity::new(), full.rate());
        let sql = Entity::new().with(Label::Statement, "select order_of($1, $2)");
        let (hold, all) = (hold_ms / 1000.0, full.users / rate);
        for (kind, of, grows) in [
            (Kind::TracedRequests, &any, rate),
            (Kind::TracedTime, &any, rate * all),
            (Kind::TracedPoolTime, &any, rate * (all - hold)),
            (Kind::TracedDatabaseTime, &any, rate * hold),
            (Kind::TracedSqlCalls, &sql, rate),
            (Kind::TracedSqlTime, &sql, rate * hold),
        ] {
            scene.counter(kind, of, grows, 0.02);
        }
        if are_sessions_seen {
            scene.gauge(Kind::SessionsActive, &any, full.places, 0.02);
        }
        explain(&full.run(scene), &[])
    };
    let expected = (
        ExplanationAnswer::Limited,
        RuleId::PoolTooSmall,
        EvidenceGrade::B,
    );
    assert_eq!(first(&told(256.0, true)), expected);
    assert_eq!(first(&told(256.0, false)), expected, "callers say so, too");
    let slower = told(700.0, true);
    assert_eq!(slower.findings[0].part, BottleneckPart::Database);
}

/// Seen: a page that tells no waiters, spans that show 2.7 s of waiting, and a limit "that is not seen".
#[test]
fn traces_tell_who_waits_for_a_pool_whose_page_does_not() {
    let full = Full {
        users: 20.0,
        places: 5.0,
        alone_ms: 260.0,
        hold_ms: 270.0,
    };
    let mut scene = full.scene();
    let (any, rate) = (Entity::new(), full.rate());
    let pool = Entity::new().with(Label::Pool, "db");
    scene.gauge(Kind::PoolActive, &pool, 4.85, 0.03);
    scene.limit(Kind::PoolMax, &pool, full.places);
    let (hold, all) = (full.hold_ms / 1000.0, full.users / rate);
    for (kind, grows) in [
        (Kind::TracedRequests, rate),
        (Kind::TracedTime, rate * all),
        (Kind::TracedPoolTime, rate * (all - hold)),
    ] {
        scene.counter(kind, &any, grows, 0.02);
    }
    let told = explain(&full.run(scene), &[]);
    assert_eq!(told.answer, ExplanationAnswer::Limited);
    assert_eq!(told.findings[0].part, BottleneckPart::Pool);
}

/// Seen: healthy, beside others who took the cores for a while, 9 users who pause 1 s: "limited by something that is not seen".
#[test]
fn users_who_mostly_pause_lose_nothing_by_times_that_vary() {
    let answer = |pause_ms: f64| {
        let mut scene = Scene::new(5);
        (scene.load.is_open, scene.load.users) = (false, 9.0);
        scene.callers(6.7, 0.0, 250.0, 0.05);
        let windows = scene.windows.len();
        for (second, window) in scene.windows.iter_mut().enumerate() {
            (window.planned, window.iterations, window.users) = (0.0, 6.7, 9.0);
            if second > windows / 2 {
                window.durations = Histogram::from_values(&[420.0; 50]);
            }
        }
        scene.load.iteration_ms = pause_ms + 330.0;
        explain(&scene.run(), &[]).answer
    };
    assert_eq!(answer(1_000.0), ExplanationAnswer::NoSign);
    assert_eq!(answer(50.0), ExplanationAnswer::UnknownLimit);
}

/// Seen: "why they are held is not seen (grade A)" beside a page that counted the calls made meanwhile: what was taken for a
/// request alone had waited in the queue that a heavier load had left.
#[test]
fn what_a_heavier_load_left_in_a_queue_is_no_request_alone() {
    const CALL_SECONDS: f64 = 0.19;
    let mut scene = Scene::new(9);
    scene.callers(14.5, 0.0, 390.0, 0.3);
    for (second, window) in scene.windows.iter_mut().enumerate() {
        let (asked, ms) = match second {
            0..6 => (9.0, 900.0),
            6..16 => (3.0, 2_500.0),
            _ => {
                (window.planned, window.dropped) = (16.0, 1.5);
                continue;
            }
        };
        window.planned = asked;
        window.requests = asked;
        window.durations = Histogram::from_values(&[ms; 9]);
    }
    let pool = Entity::new().with(Label::Pool, "connections");
    scene.gauge(Kind::PoolActive, &pool, 2.98, 0.004);
    scene.limit(Kind::PoolMax, &pool, 3.0);
    scene.gauge(Kind::PoolPending, &pool, 2.6, 0.1);
    let to = Entity::new().with(Label::Peer, "downstream");
    scene.counter(Kind::OutsideCalls, &to, 14.5, 0.02);
    scene.counter(Kind::OutsideCallTime, &to, 14.5 * CALL_SECONDS, 0.02);
    let told = explain(&scene.run(), &[]);
    let first = &told.findings[0];
    assert_eq!(
        (told.answer, first.rule),
        (ExplanationAnswer::Limited, RuleId::PoolHeld)
    );
}
