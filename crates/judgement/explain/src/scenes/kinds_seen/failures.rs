//! Rows 4 and 5: what logs say, and errors that are answered.

use super::super::logs::{Often, log};
use super::super::{RuleId, Scene};
use super::{Row, Says, Sibling, healthy};

/// Row 4: a phrase is the cause whatever its level and whoever says it; lines that tell are not read.
pub(super) fn phrases_in_logs() -> Row {
    let harmless = |name, seed, stack, line: &str, often| {
        let mut scene = healthy(seed, stack);
        log(&mut scene, line, often);
        Sibling::new(name, scene, [Says::NoLimit])
    };
    let telling = |name, seed, line: &str, rule| {
        let mut scene = Scene::new(seed);
        scene.callers(30.0, 10.0, 20.0, 0.2);
        for window in &mut scene.windows[..15] {
            window.failed = 0.0;
        }
        log(&mut scene, line, Often::ForEachFailure(1.0));
        Sibling::new(name, scene, [Says::Told(rule)])
    };
    Row::new(
        4,
        [
            harmless(
                "Java, exporter of metrics refused",
                41,
                "jvm.version",
                "ERROR i.m.registry.otlp.OtlpMeterRegistry - Failed to publish metrics to OTLP receiver: connect ECONNREFUSED 10.0.0.3:4318",
                Often::AllAlong(0.1),
            ),
            harmless(
                "Java, DEBUG line of a pool",
                42,
                "jvm.version",
                "DEBUG com.zaxxer.hikari.pool.HikariPool - HikariPool-1 - Pool stats (total=10, active=10, idle=0, waiting=3)",
                Often::AllAlong(1.0),
            ),
            harmless(
                "Java, a pool that is empty",
                43,
                "jvm.version",
                "WARN com.zaxxer.hikari.pool.HikariPool - HikariPool-1 - Connection is not available (total=0, active=0, idle=0)",
                Often::AllAlong(0.2),
            ),
            telling(
                "nginx, its connections",
                44,
                "2026/11/24 00:00:01 [alert] 12#12: 64 worker_connections are not enough",
                RuleId::AcceptQueue,
            ),
            telling(
                "PostgreSQL, its sessions",
                45,
                "2026-11-24 00:00:01.000 UTC [12] shop@shop FATAL:  sorry, too many clients already",
                RuleId::DatabaseSessions,
            ),
            dying_of_memory(
                "Python, CRITICAL MemoryError in the second of death",
                46,
                "CRITICAL:app:MemoryError",
            ),
            dying_of_memory(
                "Node, its last words",
                47,
                "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory",
            ),
        ],
    )
}

fn dying_of_memory(name: &'static str, seed: u64, line: &str) -> Sibling {
    let mut scene = Scene::new(seed);
    scene.callers(30.0, 0.0, 20.0, 0.2);
    for window in &mut scene.windows[25..] {
        window.failed = window.requests;
        window.refused = window.requests;
    }
    log(&mut scene, line, Often::Once(25));
    Sibling::new(name, scene, [Says::First(RuleId::OutOfMemory)])
}

/// Row 5: a target that answers 502 to every request "stopped answering (A)".
pub(super) fn errors_to_all() -> Row {
    let failing = |name, seed, status: &str, line: Option<&str>| {
        let is_gateway = status == "502";
        let rule = if is_gateway {
            RuleId::OutsideUnreachable
        } else {
            RuleId::FailingSince
        };
        let mut scene = Scene::new(seed);
        scene.callers(40.0, 0.0, 12.0, 0.2);
        for window in &mut scene.windows[10..] {
            window.failed = window.requests;
        }
        if let Some(line) = line {
            log(&mut scene, line, Often::ForEachFailure(1.0));
        }
        let mut case = Sibling::new(
            name,
            scene,
            [
                Says::NotLimit(RuleId::Stopped),
                Says::NotLimit(RuleId::Down),
                Says::First(rule),
            ],
        );
        case.run.statuses = [("200".to_owned(), 400.0), (status.to_owned(), 1_200.0)].into();
        case
    };
    Row::new(
        5,
        [
            failing(
                "nginx, 502 to all, its log",
                51,
                "502",
                Some(
                    "2026/11/24 00:00:01 [error] 12#12: *1 connect() failed (111: Connection refused) while connecting to upstream",
                ),
            ),
            failing(
                "Node, 502 to all, other words",
                52,
                "502",
                Some("error: GET /orders/7 502: upstream gave nothing"),
            ),
            failing("Java, 503 to all, no log", 53, "503", None),
            failing(
                "Python, 500 to all, a wordy log",
                54,
                "500",
                Some("ERROR:app:Exception on /orders [GET]"),
            ),
        ],
    )
}
