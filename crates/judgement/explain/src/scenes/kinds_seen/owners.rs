//! Rows 2, 3 and 7: what is seen belongs to somebody else, or to other requests.

use loadline_record::signals::{Entity, Label, SignalKind as Kind};

use super::super::{RuleId, SCENE_SECONDS, Scene};
use super::{Row, Says, Sibling, healthy, page, process};

/// Row 2: lock waits and many statements of another program on the same database, "grade A".
pub(super) fn databases_of_others() -> Row {
    let any = Entity::new();
    let of_others = [
        Says::NoLimit,
        Says::NotLimit(RuleId::RowLock),
        Says::NotLimit(RuleId::ManyStatements),
    ];
    let statement = |scene: &mut Scene, text: &str, calls: f64, each: f64| {
        let of = Entity::new().with(Label::Statement, text);
        scene.counter(Kind::StatementCalls, &of, calls, 0.03);
        scene.counter(Kind::StatementTime, &of, calls * each, 0.03);
        scene.counter(Kind::StatementRows, &of, calls, 0.03);
    };
    let mut locks = healthy(21, "jvm.version");
    page(&mut locks, 40.0, 0.011, 0.1);
    locks.gauge(Kind::SessionsActive, &any, 9.0, 0.05);
    locks.gauge(Kind::SessionsWaitingForLock, &any, 7.5, 0.05);
    let mut owned = healthy(22, "go.version");
    page(&mut owned, 40.0, 0.011, 0.1);
    let (target, other) = (any.clone().with(Label::Owner, "target"), any.clone());
    owned.gauge(Kind::ClientSessionsActive, &target, 0.4, 0.2);
    owned.gauge(Kind::ClientSessionsWaitingForLock, &target, 0.0, 0.0);
    owned.gauge(Kind::SessionsActive, &other, 12.0, 0.05);
    owned.gauge(Kind::SessionsWaitingForLock, &other, 11.0, 0.05);
    let mut many = healthy(23, "node.version");
    page(&mut many, 40.0, 0.011, 0.1);
    statement(
        &mut many,
        "select * from report where day = $1",
        4_000.0,
        0.0002,
    );
    statement(&mut many, "select * from orders where id = $1", 40.0, 0.002);
    // The load rises to its height; theirs goes on as it was.
    for (second, window) in (0_u32..).zip(&mut many.windows) {
        let part = (0.2 + f64::from(second) / 30.0).min(1.0);
        window.requests *= part;
        window.planned *= part;
    }
    let mut busy = healthy(24, "python.version");
    process(&mut busy, 0.1);
    busy.counter(Kind::DatabaseCpu, &any, 0.97, 0.02);
    busy.limit(Kind::DatabaseCores, &any, 1.0);
    Row::new(
        2,
        [
            Sibling::new(
                "Java, sessions of all, another program's locks",
                locks,
                of_others,
            ),
            Sibling::new(
                "Go, sessions by owner, another program's locks",
                owned,
                of_others,
            ),
            Sibling::new("Node, statements, another program's N+1", many, of_others),
            Sibling::new(
                "Python, pid of the database, another program's CPU",
                busy,
                of_others,
            ),
        ],
    )
}

/// What processes tell in turn: each counts from another number.
fn in_turn(scene: &mut Scene, kind: Kind, rate: f64, processes: u64) {
    for second in 0..SCENE_SECONDS {
        let turn = f64::from(u32::try_from((second * 7 + 3) % processes).unwrap());
        let since = f64::from(u32::try_from(second).unwrap());
        let value = 3_000.0 * turn + rate * since;
        scene
            .signals
            .push(kind, &Entity::new(), second * 1000 + 300, value);
    }
}

/// Row 3: a page that another process answers each time: CPU of 10,761 of 4 cores, "collections stop it for 100 %".
pub(super) fn pages_of_several_processes() -> Row {
    let of_nobody = [
        Says::NoLimit,
        Says::NotLimit(RuleId::TargetCpu),
        Says::NotLimit(RuleId::HeapTooSmall),
    ];
    let case = |name, seed, stack, processes, more: fn(&mut Scene)| {
        let mut scene = healthy(seed, stack);
        in_turn(&mut scene, Kind::ProcessCpu, 0.1, processes);
        in_turn(&mut scene, Kind::ServerRequests, 20.0, processes);
        in_turn(&mut scene, Kind::ServerRequestTime, 0.3, processes);
        in_turn(&mut scene, Kind::CollectionPauseTime, 0.001, processes);
        scene.limit(Kind::CoresAvailable, &Entity::new(), 4.0);
        more(&mut scene);
        Sibling::new(name, scene, of_nobody)
    };
    Row::new(
        3,
        [
            case(
                "Java behind a balancer, actuator's page",
                31,
                "jvm.version",
                2,
                |_| (),
            ),
            case(
                "gunicorn of 4, page on its port",
                32,
                "python.version",
                4,
                |_| (),
            ),
            case(
                "Node cluster of 2, page and pid",
                33,
                "node.version",
                2,
                |scene| {
                    scene.counter(Kind::RunDelay, &Entity::new(), 0.2, 0.3);
                },
            ),
            case(
                "Go of 3 behind nginx, page of pools, too",
                34,
                "go.version",
                3,
                |scene| {
                    let pool = Entity::new().with(Label::Pool, "db");
                    scene.limit(Kind::PoolMax, &pool, 5.0);
                    scene.gauge(Kind::PoolActive, &pool, 4.9, 0.02);
                },
            ),
        ],
    )
}

/// Row 7: "before the target (network, queues)" up to 92 % on loopback.
pub(super) fn before_the_target() -> Row {
    let hanging = |seed, stack, hung_ms: f64, inside: f64| {
        let mut scene = healthy(seed, stack);
        page(&mut scene, 40.0, inside, 0.2);
        for window in &mut scene.windows {
            window.cut.record(hung_ms);
        }
        scene
    };
    let near = |share| {
        [
            Says::BeforeAtMost(share),
            Says::NotLimit(RuleId::NetworkDelay),
        ]
    };
    let mut of_paths = healthy(74, "python.version");
    process(&mut of_paths, 0.2);
    // A label for each raw path: each series appears when its path is asked for first, already counted.
    for path in 0..20_u64 {
        let name = format!("GET /orders/{path}");
        let of = Entity::new().with(Label::Operation, &name);
        for second in path..SCENE_SECONDS {
            let count = 2.0 * f64::from(u32::try_from(second - path).unwrap());
            let at = second * 1000 + 300;
            of_paths.signals.push(Kind::ServerRequests, &of, at, count);
            of_paths
                .signals
                .push(Kind::ServerRequestTime, &of, at, count * 0.011);
        }
    }
    Row::new(
        7,
        [
            Sibling::new(
                "Java, page, requests cut at the end",
                hanging(71, "jvm.version", 9_000.0, 0.011),
                near(0.3),
            ),
            Sibling::new(
                "Go, page, longer cut",
                hanging(72, "go.version", 25_000.0, 0.0105),
                near(0.3),
            ),
            Sibling::new(
                "Node, page, shorter cut",
                hanging(73, "node.version", 3_000.0, 0.0115),
                near(0.3),
            ),
            Sibling::new("Python, a label for each raw path", of_paths, near(0.5)),
        ],
    )
}
