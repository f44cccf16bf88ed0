//! Rows 8, 9 and 10: a limit that was not told, told of the wrong side, or with advice that changes nothing.

use loadline_metrics::Histogram;
use loadline_record::signals::{Entity, Label, SignalKind as Kind, TargetSetting};

use super::super::{RuleId, Scene};
use super::{Row, Says, Sibling, in_loops, overloaded, page};
use crate::input::ExplainedEndpoint;

/// Row 8: two endpoints, 200 users, "NO SIGN OF A LIMIT" at 20 times the unloaded time.
pub(super) fn two_endpoints() -> Row {
    let case = |name, seed, users: f64, rate: f64, alone_ms: f64, with_page: bool| {
        let mut scene = Scene::new(seed);
        scene.callers(rate, 0.0, users * 1000.0 / rate, 0.1);
        in_loops(&mut scene, users);
        if with_page {
            page(&mut scene, rate, users / rate, 0.2);
        }
        let mut case = Sibling::new(name, scene, [Says::AnyLimit]);
        let endpoint = |name: &str, part: f64| {
            let mut all = Histogram::default();
            all.record(alone_ms);
            let windows = case.run.windows.iter().map(|window| {
                let mut window = window.clone();
                window.requests *= part;
                window
            });
            let windows: Vec<_> = windows.collect();
            windows
                .iter()
                .for_each(|window| all.merge(&window.durations));
            ExplainedEndpoint {
                name: name.to_owned(),
                fastest_good_ms: all.min(),
                all,
                windows,
            }
        };
        case.run.endpoints = vec![endpoint("GET /list", 0.5), endpoint("GET /item", 0.5)];
        case
    };
    Row::new(
        8,
        [
            case(
                "case D's script, 200 users, callers alone",
                81,
                200.0,
                300.0,
                33.0,
                false,
            ),
            case("Go, page, 64 users", 82, 64.0, 120.0, 40.0, true),
            case("Node, page, 30 users", 83, 30.0, 50.0, 60.0, true),
            case(
                "Python, callers alone, 90 users",
                84,
                90.0,
                60.0,
                100.0,
                false,
            ),
        ],
    )
}

/// Row 9: "64 users cannot send more than 61.9/s, whatever the target does (A)" while the target's pool of 5 was full.
pub(super) fn users_at_a_full_pool() -> Row {
    let case = |name, seed, size: f64, hold: f64, pause: f64, stack: &str| {
        let rate = size / hold;
        let mut scene = Scene::new(seed);
        let users = 64.0;
        let mean_ms = 1000.0 * users / rate - pause;
        scene.callers(rate, 0.0, mean_ms, 0.05);
        in_loops(&mut scene, users);
        scene.load.iteration_ms = mean_ms + pause;
        for window in &mut scene.windows {
            window.iterations = window.requests;
        }
        scene
            .signals
            .set(TargetSetting::new(stack, "1", Entity::new()));
        let pool = Entity::new().with(Label::Pool, "db");
        scene.limit(Kind::PoolActive, &pool, size);
        scene.limit(Kind::PoolMax, &pool, size);
        scene.gauge(
            Kind::PoolPending,
            &pool,
            mean_ms * rate / 1000.0 - size,
            0.02,
        );
        scene.gauge(Kind::SessionsActive, &Entity::new(), size, 0.02);
        scene.gauge(Kind::SessionsWaiting, &Entity::new(), size, 0.02);
        scene.counter(Kind::DatabaseCpu, &Entity::new(), 0.1, 0.05);
        scene.limit(Kind::DatabaseCores, &Entity::new(), 1.0);
        page(&mut scene, rate, mean_ms / 1000.0, 0.1);
        Sibling::new(
            name,
            scene,
            [
                Says::NotLimit(RuleId::ScriptCeiling),
                Says::FirstPart(crate::BottleneckPart::Pool),
            ],
        )
    };
    Row::new(
        9,
        [
            case(
                "Java, pool of 5, users who pause 0.1 s",
                91,
                5.0,
                0.12,
                100.0,
                "jvm.version",
            ),
            case(
                "Node, pool of 8, no pause",
                92,
                8.0,
                0.2,
                0.0,
                "node.version",
            ),
            case(
                "Go, pool of 3, users who pause 0.4 s",
                93,
                3.0,
                0.1,
                400.0,
                "go.version",
            ),
            case(
                "Python, pool of 10, users who pause 0.2 s",
                94,
                10.0,
                0.4,
                200.0,
                "python.version",
            ),
        ],
    )
}

/// Row 10: Tomcat's threads for an executor of the application's own; Spring's settings for other stacks.
pub(super) fn advice_of_the_very_stack() -> Row {
    let executor = |name, seed, stack: &str, library: Option<&str>, says: [Says; 3]| {
        let mut scene = Scene::new(seed);
        scene.callers(40.0, 0.0, 900.0, 0.1);
        overloaded(&mut scene, 2.0);
        scene
            .signals
            .set(TargetSetting::new(stack, "1", Entity::new()));
        let jobs = Entity::new().with(Label::Pool, "jobs");
        if let Some(library) = library {
            scene
                .signals
                .set(TargetSetting::new("pool.library", library, jobs.clone()));
        }
        scene.limit(Kind::WorkersBusy, &jobs, 8.0);
        scene.limit(Kind::WorkersMax, &jobs, 8.0);
        scene.gauge(Kind::WorkersQueue, &jobs, 28.0, 0.05);
        page(&mut scene, 40.0, 0.9, 0.1);
        Sibling::new(name, scene, says)
    };
    let first = Says::First(RuleId::TooFewThreads);
    let (no_tomcat, no_spring) = (Says::NotAdvised("tomcat"), Says::NotAdvised("Spring"));
    Row::new(
        10,
        [
            executor(
                "Java, an executor of its own",
                101,
                "jvm.version",
                Some("executor"),
                [first, no_tomcat, Says::Advised("setCorePoolSize")],
            ),
            executor(
                "Go, a pool of workers",
                102,
                "go.version",
                None,
                [first, no_tomcat, no_spring],
            ),
            executor(
                ".NET, a queue",
                103,
                "dotnet.version",
                None,
                [first, no_tomcat, no_spring],
            ),
            executor(
                "unknown stack",
                104,
                "host.cores",
                None,
                [first, no_tomcat, no_spring],
            ),
        ],
    )
}
