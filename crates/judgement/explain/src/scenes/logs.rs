//! Logs that tell what limits, and logs that only sound so: three siblings of each kind, which differ in the
//! stack, in the form of the line and in what else is logged.

use loadline_record::signals::{Entity, Label, LineLevel, SignalKind as Kind, TargetSetting};

use super::{SCENE_SECONDS, Scene, found_rules};
use crate::{
    BottleneckPart, EvidenceGrade, ExplainedRun, Explanation, ExplanationAnswer, FindingRole,
    RuleId, explain,
};

/// How often a line comes.
#[derive(Clone, Copy)]
pub(super) enum Often {
    /// So often a second, whatever the callers see.
    AllAlong(f64),
    /// So often for each failed request.
    ForEachFailure(f64),
    /// Once, in this second.
    Once(u64),
}

/// Writes a line into the scene's log, with what else belongs to it.
pub(super) fn log(scene: &mut Scene, text: &str, often: Often) {
    let level = LineLevel::of_line(text);
    let of = Entity::new()
        .with(Label::Line, text)
        .with(Label::Level, level.map_or("", LineLevel::name));
    scene
        .signals
        .set(TargetSetting::new("log.sample", text, of.clone()));
    let mut count = 0.0;
    let windows = scene.windows.clone();
    for (second, window) in (0..).zip(&windows) {
        scene
            .signals
            .push(Kind::LogLines, &of, second * 1000 + 300, count);
        let errors = if level >= Some(LineLevel::Error) {
            count
        } else {
            0.0
        };
        scene
            .signals
            .push(Kind::LogErrors, &of, second * 1000 + 300, errors);
        count += match often {
            Often::AllAlong(rate) => rate * scene.noise.about(0.5),
            Often::ForEachFailure(each) => each * window.failed,
            Often::Once(at) => f64::from(u32::from(at == second)),
        };
    }
}

/// Nobody fails and nobody waits.
fn healthy() -> Scene {
    let mut scene = Scene::new(1);
    scene.callers(40.0, 0.0, 12.0, 0.1);
    scene
}

/// A third of the requests fail from second 15 on.
fn failing() -> Scene {
    let mut scene = Scene::new(1);
    scene.callers(20.0, 10.0, 300.0, 0.1);
    for window in scene.windows.iter_mut().take(15) {
        window.failed = 0.0;
    }
    scene
}

fn limits(explanation: &Explanation) -> Vec<(RuleId, EvidenceGrade)> {
    let findings = explanation.findings.iter();
    let limits = findings.filter(|finding| finding.role <= FindingRole::Slow);
    limits.map(|one| (one.rule, one.grade)).collect()
}

/// What limits with a line in the log.
fn limits_with(mut scene: Scene, text: &str, often: Often) -> Vec<(RuleId, EvidenceGrade)> {
    log(&mut scene, text, often);
    limits(&explain(&scene.run(), &[]))
}

/// Seen: "LIMITED BY an outside server (B)" of a healthy target whose exporter was refused.
#[test]
fn an_exporter_that_is_refused_is_no_outside_server_of_the_target() {
    let exporters = [
        "ERROR 1 --- [#] i.o.exporter.internal.http.HttpExporter : Failed to export spans. Failed to connect to localhost/127.0.0.1:4318: java.net.ConnectException: Connection refused",
        "ERROR:opentelemetry.sdk.metrics: Failed to export metrics: [Errno 111] Connection refused",
        "error: dd-trace: Error: connect ECONNREFUSED 127.0.0.1:8126",
        "WARN i.m.registry.otlp.OtlpMeterRegistry : failed to publish metrics: Connection refused",
        "ERROR fluentd: connect ECONNREFUSED 127.0.0.1:24224",
    ];
    for line in exporters {
        assert_eq!(
            limits_with(healthy(), line, Often::AllAlong(5.0)),
            [],
            "{line}"
        );
        let of_failing = limits_with(failing(), line, Often::AllAlong(5.0));
        assert_eq!(
            of_failing,
            [(RuleId::UnknownLimit, EvidenceGrade::C)],
            "{line}"
        );
        // Even where the exporter fails since the requests do.
        let together = limits_with(failing(), line, Often::ForEachFailure(1.0));
        assert_eq!(
            together,
            [(RuleId::UnknownLimit, EvidenceGrade::C)],
            "{line}"
        );
    }
}

/// Seen: a DEBUG line makes a pool.
#[test]
fn a_line_below_warn_is_no_cause() {
    let lines = [
        "DEBUG c.z.h.pool.HikariPool - HikariPool-1 - Connection is not available, request timed out after 30000ms",
        "INFO:sqlalchemy.pool:QueuePool limit of size 5 overflow 10 reached, connection timed out",
        "dbug: Npgsql[0] The connection pool has been exhausted",
        "LOG:  could not obtain lock on row in relation \"orders\"",
    ];
    for line in lines {
        let found = limits_with(failing(), line, Often::ForEachFailure(1.0));
        assert_eq!(found, [(RuleId::UnknownLimit, EvidenceGrade::C)], "{line}");
    }
}

/// The same lines as they are written when it is so.
#[test]
fn a_line_that_moves_with_the_failures_is_a_cause() {
    let lines = [
        (
            "WARN o.h.SqlExceptionHelper - HikariPool-1 - Connection is not available, request timed out after 300ms (total=10, active=10, idle=0, waiting=7)",
            RuleId::PoolExhausted,
        ),
        (
            "ERROR:app:sqlalchemy.exc.TimeoutError: QueuePool limit of size 5 overflow 10 reached, connection timed out",
            RuleId::PoolExhausted,
        ),
        (
            "fail: Shop[0] The connection pool has been exhausted, either raise 'Max Pool Size' (currently 100)",
            RuleId::PoolExhausted,
        ),
        (
            "ERROR timeout exceeded when trying to connect",
            RuleId::PoolExhausted,
        ),
        (
            "2026/11/24 [alert] 12#12: 512 worker_connections are not enough",
            RuleId::AcceptQueue,
        ),
        (
            "UTC [12] shop@shop FATAL:  sorry, too many clients already",
            RuleId::DatabaseSessions,
        ),
        (
            "level=error msg=cart err=#: pq: sorry, too many clients already",
            RuleId::DatabaseSessions,
        ),
        (
            "2026/11/24 [error] 12#12: *1 connect() failed (111: Connection refused) while connecting to upstream",
            RuleId::OutsideUnreachable,
        ),
        ("ERROR:  deadlock detected", RuleId::RowLock),
    ];
    for (line, rule) in lines {
        let grade = match LineLevel::of_line(line) {
            // It turned away each that callers miss.
            Some(_) if [RuleId::AcceptQueue, RuleId::DatabaseSessions].contains(&rule) => {
                EvidenceGrade::A
            }
            Some(_) => EvidenceGrade::B,
            None => EvidenceGrade::C,
        };
        let found = limits_with(failing(), line, Often::ForEachFailure(1.0));
        assert_eq!(found.first(), Some(&(rule, grade)), "{line}");
        let beside = limits_with(failing(), line, Often::AllAlong(3.0));
        assert_eq!(beside, [(RuleId::UnknownLimit, EvidenceGrade::C)], "{line}");
        assert_eq!(
            limits_with(healthy(), line, Often::AllAlong(3.0)),
            [],
            "{line}"
        );
    }
}

/// Seen: 112,592 lines "worker_connections are not enough" of 315,054 requests that failed, all along.
#[test]
fn lines_that_decide_of_failures_that_never_change_are_grade_c() {
    let lines = [
        "2026/11/24 [alert] 12#12: 512 worker_connections are not enough",
        "UTC [12] shop@shop FATAL:  sorry, too many clients already",
        "ERROR app: accept4: too many open files; retrying in 5ms",
    ];
    for line in lines {
        let with = |rate: f64| {
            let mut scene = Scene::new(1);
            scene.callers(1.0, 200.0, 3.0, 0.1);
            limits_with(scene, line, Often::AllAlong(rate))
        };
        assert_eq!(with(75.0)[0].1, EvidenceGrade::C, "{line}");
        assert_ne!(with(75.0)[0].0, RuleId::UnknownLimit, "{line}");
        assert_eq!(
            with(9.0),
            [(RuleId::UnknownLimit, EvidenceGrade::C)],
            "{line}"
        );
    }
}

#[test]
fn a_line_that_does_not_move_is_a_note_that_quotes() {
    let mut scene = failing();
    log(
        &mut scene,
        "WARN timed out waiting for a connection",
        Often::AllAlong(3.0),
    );
    let explanation = explain(&scene.run(), &[]);
    let note = explanation.findings.last().unwrap();
    assert_eq!(
        (note.rule, note.role),
        (RuleId::LogErrors, FindingRole::Notice)
    );
    assert_eq!(note.logged.len(), 1);
}

/// Seen: `(total=0, active=0, idle=0)` under "all connections of the pool are held".
#[test]
fn figures_that_do_not_fit_are_no_pool_that_is_held() {
    let hikari = "ERROR o.h.SqlExceptionHelper : HikariPool-1 - Connection is not available, request timed out after 300ms";
    let empty = [
        format!("{hikari} (total=0, active=0, idle=0, waiting=7)"),
        "ERROR app - GetConnectionTimeoutException: wait millis 300, active 0, maxActive 20, creating 1".to_owned(),
        "ERROR shop::db: pool timed out while waiting for an open connection (active=0, idle=0)".to_owned(),
    ];
    for line in &empty {
        let found = limits_with(failing(), line, Often::ForEachFailure(1.0));
        assert_eq!(
            found,
            [(RuleId::OutsideUnreachable, EvidenceGrade::C)],
            "{line}"
        );
    }
    let free = [
        format!("{hikari} (total=10, active=2, idle=8, waiting=0)"),
        "ERROR app - Timeout: Pool empty. Unable to fetch a connection in 3 seconds, none available[size:100; busy:3; idle:97; lastwait:3000].".to_owned(),
        "ERROR app - GetConnectionTimeoutException: wait millis 300, active 4, maxActive 20, creating 0".to_owned(),
    ];
    for line in &free {
        let found = limits_with(failing(), line, Often::ForEachFailure(1.0));
        assert_eq!(found, [(RuleId::UnknownLimit, EvidenceGrade::C)], "{line}");
    }
}

/// A pool without a connection because its database refuses them is no pool that is too small.
#[test]
fn a_pool_that_cannot_connect_tells_of_the_database() {
    let lines = [
        "ERROR o.s.t.CannotCreateTransactionException: Unable to acquire JDBC Connection [Connection to 10.1.2.3:5432 refused. Check that the hostname and port are correct]",
        "ERROR app - Could not get a resource from the pool: java.net.ConnectException: Connection refused",
        "ERROR:app:psycopg_pool.PoolTimeout: couldn't get a connection after 3.00 sec: connection refused",
    ];
    for line in lines {
        let found = limits_with(failing(), line, Often::ForEachFailure(1.0));
        assert_eq!(
            found,
            [(RuleId::OutsideUnreachable, EvidenceGrade::B)],
            "{line}"
        );
    }
}

/// Seen: "please try again later" of a login, and "lock timeout is set to 15 min", as what limits.
#[test]
fn words_of_a_setting_or_to_a_user_are_no_event() {
    let lines = [
        "WARN c.shop.LoginController : login refused for a user, message shown: please try again later",
        "WARN c.shop.Inventory : lock timeout for carts is set to 15 min",
        "WARN app: retry policy set to 3, trying again after 100 ms",
        "level=warn msg=started pool: connection pool exhausted=false",
    ];
    for line in lines {
        let found = limits_with(failing(), line, Often::ForEachFailure(1.0));
        assert_eq!(found, [(RuleId::UnknownLimit, EvidenceGrade::C)], "{line}");
    }
}

/// Seen: not read: `worker_connections are not enough`, `CRITICAL MemoryError` in the second of death.
#[test]
fn a_rare_line_that_decides_is_told_with_its_second() {
    let lines = [
        "CRITICAL:app:MemoryError",
        "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory",
        "[12345.678] Out of memory: Killed process 4711 (java) total-vm:4000000kB",
        "[12345.678] TCP: request_sock_TCP: Possible SYN flooding on port 8080. Sending cookies.",
        "2026/11/24 [alert] 12#12: 512 worker_connections are not enough",
        "UTC [12] FATAL:  sorry, too many clients already",
        "http: Accept error: accept tcp [::]:8080: accept4: too many open files; retrying in 5ms",
        "ERROR app - Deadlock found when trying to get lock; try restarting transaction",
    ];
    for line in lines {
        let mut scene = healthy();
        log(&mut scene, "INFO request served", Often::AllAlong(40.0));
        log(&mut scene, "ERROR cart is empty", Often::AllAlong(9.0));
        log(&mut scene, line, Often::Once(21));
        let explanation = explain(&scene.run(), &[]);
        assert_eq!(limits(&explanation), [], "{line}");
        let note = explanation.findings.last().unwrap();
        assert_eq!(note.rule, RuleId::LogErrors);
        let quoted = &note.logged[0];
        assert_eq!((quoted.text.as_str(), quoted.count), (line, 1.0));
        assert!((quoted.from_s - 21.0).abs() <= 1.0, "{quoted:?}");
    }
}

/// From second 10 on nothing is answered well.
fn ending(statuses: &[(&str, f64)], text: Option<(&str, Often)>) -> ExplainedRun {
    let mut scene = Scene::new(1);
    scene.callers(30.0, 0.0, 10.0, 0.1);
    for window in scene.windows.iter_mut().skip(10) {
        window.failed = window.requests;
    }
    if let Some((text, often)) = text {
        log(&mut scene, text, often);
    }
    let mut run = scene.run();
    run.statuses = statuses
        .iter()
        .map(|(status, count)| ((*status).to_owned(), *count))
        .collect();
    run
}

const LOST: f64 = 30.0 * (SCENE_SECONDS - 10) as f64;

#[test]
fn a_target_that_ran_out_of_memory_did_so_near_the_line_that_says_it() {
    let first = |line: &'static str, second: u64| {
        let run = ending(
            &[("200", 300.0), ("0", LOST)],
            Some((line, Often::Once(second))),
        );
        explain(&run, &[]).findings[0].rule
    };
    for line in [
        "CRITICAL:app:MemoryError",
        "java.lang.OutOfMemoryError: Java heap space",
        "fatal error: runtime: out of memory",
    ] {
        assert_eq!(first(line, 9), RuleId::OutOfMemory, "{line}");
        assert_eq!(first(line, 32), RuleId::Stopped, "{line}: long after");
    }
    assert_eq!(
        first("DEBUG handler for OutOfMemoryError installed", 9),
        RuleId::Stopped
    );
}

/// Seen: "too little was measured to tell" of a JVM that said why it died in second 5.
#[test]
fn a_target_that_ran_out_of_memory_at_once_is_told_however_little_was_measured() {
    let mut run = ending(
        &[("200", 120.0), ("0", 1_080.0)],
        Some((
            "java.lang.OutOfMemoryError: Java heap space",
            Often::Once(3),
        )),
    );
    for window in run.windows.iter_mut().skip(4) {
        window.refused = 30.0;
        window.requests = 30.0;
        window.failed = 30.0;
    }
    let explanation = explain(&run, &[]);
    assert_eq!(explanation.findings[0].rule, RuleId::OutOfMemory);
    assert_eq!(explanation.answer, crate::ExplanationAnswer::Limited);
}

/// Seen: "stopped answering (A)" of a proxy that answered 502 to each request; one line's words decided.
#[test]
fn a_target_that_answers_502_to_each_request_has_not_stopped_whatever_its_log_says() {
    let logs = [
        None,
        Some((
            "2026/11/24 [error] 12#12: *1 connect() failed (111: Connection refused) while connecting to upstream",
            Often::ForEachFailure(1.0),
        )),
        Some((
            "2026/11/24 [error] 12#12: *1 no live upstreams while connecting to upstream",
            Often::ForEachFailure(1.0),
        )),
        Some((
            "ERROR proxy - backend shop is gone",
            Often::ForEachFailure(1.0),
        )),
        Some((
            "WARN pool timed out while waiting for an open connection",
            Often::AllAlong(2.0),
        )),
        Some((
            "level=error msg=proxy: dial tcp 10.1.2.3:80: connect: connection refused",
            Often::ForEachFailure(1.0),
        )),
    ];
    for status in ["502", "504"] {
        for log in logs {
            let run = ending(&[("200", 300.0), (status, LOST)], log);
            let explanation = explain(&run, &[]);
            let first = &explanation.findings[0];
            let found = (first.rule, first.part, first.grade);
            let expected = (
                RuleId::OutsideUnreachable,
                BottleneckPart::Outside,
                EvidenceGrade::B,
            );
            assert_eq!(found, expected, "{status} {:?}", log.map(|(text, _)| text));
            assert_eq!(explanation.answer, ExplanationAnswer::Limited);
        }
    }
}

#[test]
fn a_target_that_answers_with_errors_from_the_start_is_behind_a_gateway_or_not_known() {
    let from_the_start = |status: &str| {
        let mut run = ending(&[(status, LOST + 300.0)], None);
        for window in &mut run.windows {
            window.failed = window.requests;
        }
        explain(&run, &[]).findings[0].rule
    };
    assert_eq!(from_the_start("502"), RuleId::OutsideUnreachable);
    assert_eq!(from_the_start("500"), RuleId::UnknownLimit);
}

#[test]
fn a_target_that_answers_503_or_500_to_each_request_has_not_stopped_and_the_log_may_say_why() {
    for status in ["503", "500"] {
        let run = ending(&[("200", 300.0), (status, LOST)], None);
        assert_eq!(found_rules(&explain(&run, &[])), [RuleId::FailingSince]);
        let upstream = "ERROR c.shop.Pay - java.net.ConnectException: Connection refused";
        let run = ending(
            &[("200", 300.0), (status, LOST)],
            Some((upstream, Often::ForEachFailure(1.0))),
        );
        assert_eq!(
            explain(&run, &[]).findings[0].rule,
            RuleId::OutsideUnreachable
        );
    }
    // Nobody answers: it has stopped.
    let run = ending(&[("200", 300.0), ("0", LOST)], None);
    assert_eq!(explain(&run, &[]).findings[0].rule, RuleId::Stopped);
}

/// Seen: "a target that stopped answering (grade A)" of one that was asked for 2.3 times what its core can do: each request
/// got a share of it that was too small to be answered before its caller gave up.
#[test]
fn a_target_that_goes_on_computing_has_not_stopped() {
    let first = |cores_used: f64| {
        let mut run = ending(&[("200", 300.0), ("0", LOST)], None);
        let mut scene = Scene::new(1);
        let any = Entity::new();
        scene.counter(Kind::ProcessCpu, &any, cores_used, 0.02);
        scene.limit(Kind::CoresAvailable, &any, 1.0);
        run.signals = scene.run().signals;
        explain(&run, &[]).findings[0].rule
    };
    assert_eq!(first(0.9), RuleId::TargetCpu);
    assert_eq!(first(0.2), RuleId::Stopped);
}

/// A record of before levels were kept.
#[test]
fn a_record_without_levels_is_read_by_the_words_of_its_lines() {
    let of = |text: &str| {
        let mut scene = failing();
        let line = Entity::new().with(Label::Line, text);
        let mut count = 0.0;
        for (second, window) in (0..).zip(&scene.windows) {
            scene
                .signals
                .push(Kind::LogLines, &line, second * 1000 + 300, count);
            count += window.failed;
        }
        limits(&explain(&scene.run(), &[]))
    };
    let pool = "c.z.h.p.HikariPool : # - Connection is not available, request timed out after # (total=#, active=#, idle=#, waiting=#)";
    let found = |level: &str| of(&format!("{level} # --- [#] {pool}"));
    assert_eq!(found("WARN"), [(RuleId::PoolExhausted, EvidenceGrade::B)]);
    assert_eq!(found("DEBUG"), [(RuleId::UnknownLimit, EvidenceGrade::C)]);
    assert_eq!(
        of("pool: timed out waiting for a connection"),
        [(RuleId::PoolExhausted, EvidenceGrade::C)]
    );
}
