//! Rows 1, 6 and 11: others use the machine's cores, and the target is well.

use loadline_record::signals::{Entity, Label, SignalKind as Kind};

use super::super::{RuleId, Scene};
use super::{Row, Says, Sibling, healthy, in_loops, page, process};

/// Row 1: "the event loop is blocked (A), busy 100 %" at a CPU of 0.07.
pub(super) fn loops_beside_neighbours() -> Row {
    let any = Entity::new();
    let well = [Says::NoLimit, Says::NotLimit(RuleId::EventLoop)];
    let mut node = healthy(1, "node.version");
    page(&mut node, 40.0, 0.011, 0.07);
    node.limit(Kind::EventLoopUse, &any, 1.0);
    node.gauge(Kind::EventLoopBlocked, &any, 0.02, 0.5);
    node.counter(Kind::RunDelay, &any, 0.5, 0.3);
    let mut asyncio = healthy(2, "python.version");
    process(&mut asyncio, 0.09);
    asyncio.gauge(Kind::EventLoopBlocked, &any, 0.21, 0.3);
    asyncio.counter(Kind::EventLoopRunDelay, &any, 0.4, 0.3);
    asyncio.counter(Kind::RunDelay, &any, 0.4, 0.3);
    let mut lag = healthy(3, "node.version");
    page(&mut lag, 40.0, 0.011, 0.06);
    lag.gauge(Kind::EventLoopLag, &any, 0.024, 0.3);
    lag.counter(Kind::RunDelay, &any, 0.9, 0.3);
    let mut netty = healthy(4, "jvm.version");
    page(&mut netty, 40.0, 0.010, 0.12);
    netty.gauge(Kind::EventLoopUse, &any, 0.93, 0.05);
    netty.gauge(Kind::EventLoopBlocked, &any, 0.05, 0.5);
    netty.counter(Kind::RunDelay, &any, 0.7, 0.3);
    Row::new(
        1,
        [
            Sibling::new("Node, page and pid, both cores used by others", node, well),
            Sibling::new(
                "asyncio, pid alone, both cores used by others",
                asyncio,
                well,
            ),
            Sibling::new("Node, lag on the page, health checks", lag, well),
            Sibling::new("Java with a loop, page and pid, slow clients", netty, well),
        ],
    )
}

/// Row 6: "LIMITED BY ... [now]" far below the limit, while every start is answered in time.
pub(super) fn answered_in_time() -> Row {
    let any = Entity::new();
    let mut starved = healthy(61, "go.version");
    page(&mut starved, 40.0, 0.012, 0.3);
    starved.counter(Kind::RunDelay, &any, 1.6, 0.3);
    let mut full = healthy(62, "jvm.version");
    page(&mut full, 40.0, 0.011, 0.2);
    let pool = Entity::new().with(Label::Pool, "HikariPool-1");
    full.gauge(Kind::PoolActive, &pool, 9.7, 0.02);
    full.limit(Kind::PoolMax, &pool, 10.0);
    full.gauge(Kind::PoolPending, &pool, 0.4, 0.5);
    full.counter(Kind::RunDelay, &any, 1.1, 0.3);
    let mut waits = healthy(63, "python.version");
    process(&mut waits, 1.75);
    waits.counter(Kind::RunDelay, &any, 0.8, 0.3);
    let mut pausing = Scene::new(64);
    pausing.callers(20.0, 0.0, 40.0, 0.6);
    in_loops(&mut pausing, 21.0);
    pausing.load.iteration_ms = 1_045.0;
    for window in &mut pausing.windows {
        window.iterations = window.requests;
    }
    page(&mut pausing, 20.0, 0.03, 0.1);
    pausing.counter(Kind::RunDelay, &any, 1.2, 0.3);
    Row::new(
        6,
        [
            Sibling::new(
                "Go, page and pid, both cores used by others",
                starved,
                [Says::NoLimit],
            ),
            Sibling::new(
                "Java, pool nearly full, both cores used by others",
                full,
                [Says::NoLimit],
            ),
            Sibling::new(
                "Python, pid alone, its cores nearly used up",
                waits,
                [Says::NoLimit],
            ),
            Sibling::new(
                "Node, users who pause a second, both cores used by others",
                pausing,
                [
                    Says::NotLimit(RuleId::NoisyNeighbour),
                    Says::NotLimit(RuleId::UnknownLimit),
                ],
            ),
        ],
    )
}

/// Row 11: "something else uses the target's cores (A)" for 0.9 % of the time; uneven instances headed by the network.
pub(super) fn small_and_uneven() -> Row {
    let any = Entity::new();
    let mut little = Scene::new(111);
    little.callers(40.0, 0.0, 300.0, 0.15);
    page(&mut little, 40.0, 0.29, 0.3);
    little.counter(Kind::RunDelay, &any, 0.009 * 12.0, 0.2);
    let mut of_kernel = Scene::new(112);
    of_kernel.callers(25.0, 0.0, 500.0, 0.15);
    process(&mut of_kernel, 0.2);
    of_kernel.counter(Kind::RunDelay, &any, 0.2, 0.2);
    let uneven = |seed, first: f64, last: f64, stack| {
        let mut scene = healthy(seed, stack);
        for (name, part) in [("10.0.0.5:9000", first), ("10.0.0.6:9000", last)] {
            let of = Entity::new().with(Label::Instance, name);
            scene.counter(Kind::ServerRequests, &of, 40.0 * part, 0.03);
            scene.counter(Kind::ServerRequestTime, &of, 40.0 * part * 0.011, 0.03);
            scene.counter(Kind::ProcessCpu, &of, 0.3 * part, 0.05);
            scene.limit(Kind::CoresAvailable, &of, 2.0);
        }
        scene
    };
    let no_neighbour = [Says::NotLimit(RuleId::NoisyNeighbour)];
    let no_network = [Says::NoLimit, Says::NotLimit(RuleId::UnevenLoad)];
    Row::new(
        11,
        [
            Sibling::new(
                "Java, page and pid, 0.9 % of the time",
                little,
                no_neighbour,
            ),
            Sibling::new("Go, pid alone, a fifth of a core", of_kernel, no_neighbour),
            Sibling::new(
                "two instances, 86 % at one",
                uneven(113, 0.86, 0.14, "go.version"),
                no_network,
            ),
            Sibling::new(
                "two instances, 75 % at one, Node",
                uneven(114, 0.25, 0.75, "node.version"),
                no_network,
            ),
        ],
    )
}
