//! The target's page of metrics, as the usual client library of its stack tells it.

use loadline_record::signals::{Entity, Label, SignalKind as Kind, SourceKind, TargetSetting};

use super::Sheet;
use crate::parts::{Bystander, Fault, Stack, Station, Witness};
use crate::simulation::Look;

/// Seconds that went by for each request before the run.
const SECONDS_BEFORE_EACH: f64 = 0.01;

/// One look, as the process that answered it counts.
struct Shown<'a> {
    look: &'a Look,
    /// Its share of all requests.
    share: f64,
    /// What it had counted before.
    before: f64,
}

impl Shown<'_> {
    /// A counter of this process.
    fn counted(&self, all: f64) -> f64 {
        self.before + self.share * all
    }

    /// Seconds that this process counts.
    fn timed(&self, all: f64) -> f64 {
        SECONDS_BEFORE_EACH * self.before + self.share * all
    }

    /// A gauge of this process; whole things stay whole.
    fn held(&self, all: f64) -> f64 {
        (all * self.share).round()
    }
}

pub(super) fn record(sheet: &mut Sheet<'_>) {
    let processes = if sheet.plan.has(Bystander::Processes) {
        sheet.dice.whole(2, 4)
    } else {
        1
    };
    let befores: Vec<f64> = (0..processes)
        .map(|_| sheet.dice.between(5.0, 900.0).floor())
        .collect();
    let mut times = Vec::new();
    let pages = &sheet.played.pages;
    for look in pages {
        let before = befores[sheet.dice.whole(0, processes - 1)];
        let shown = Shown {
            look,
            share: 1.0 / processes as f64,
            before,
        };
        times.push(look.at_ms);
        requests(sheet, &shown);
        runtime(sheet, &shown);
        pool(sheet, &shown);
        if sheet.plan.stack == Stack::Java {
            java(sheet, &shown);
        }
        if sheet.plan.stack != Stack::Go {
            outside(sheet, &shown);
        }
    }
    let failed = sheet.played.failed_pages.clone();
    sheet.source(
        "http://127.0.0.1:8080/metrics",
        SourceKind::Page,
        &times,
        &failed,
    );
    let (name, value) = match sheet.plan.stack {
        Stack::Java => ("jvm.collector", "G1"),
        Stack::Go => ("go.version", "go1.22.3"),
        Stack::Node => ("node.version", "v20.11.1"),
        Stack::Python => ("python.version", "3.12.3"),
    };
    sheet
        .signals
        .set(TargetSetting::new(name, value, Entity::new()));
}

fn requests(sheet: &mut Sheet<'_>, shown: &Shown<'_>) {
    let at = shown.look.at_ms;
    let plan = sheet.plan;
    let counters = &shown.look.counters;
    for (number, bands) in counters.sums.iter().enumerate() {
        let sum = |of: fn(&crate::simulation::Sums) -> f64| bands.iter().map(of).sum::<f64>();
        let asked = sum(|sums| sums.requests);
        // A label appears with its first request.
        if asked < 1.0 {
            continue;
        }
        let operation = Entity::new().with(Label::Operation, plan.operations[number]);
        // promhttp's middleware names the status alone.
        let of = if plan.stack == Stack::Go {
            Entity::new()
        } else {
            operation
        };
        if plan.stack == Stack::Go && number > 0 {
            continue;
        }
        let (asked, seconds, errors) = if plan.stack == Stack::Go {
            let all = || counters.sums.iter().flatten();
            (
                all().map(|sums| sums.requests).sum(),
                all().map(|sums| sums.seconds).sum(),
                all().map(|sums| sums.errors).sum(),
            )
        } else {
            (asked, sum(|sums| sums.seconds), sum(|sums| sums.errors))
        };
        let checks = if plan.stack == Stack::Go {
            counters.health + counters.scrapes
        } else {
            0.0
        };
        sheet.put_of(
            Kind::ServerRequests,
            &of,
            at,
            shown.counted(asked + checks).floor(),
        );
        sheet.put_of(
            Kind::ServerRequestTime,
            &of,
            at,
            shown.timed(seconds + 0.001 * checks),
        );
        if errors > 0.0 && plan.stack != Stack::Go {
            sheet.put_of(Kind::ServerErrors, &of, at, (shown.share * errors).floor());
        }
    }
    for (name, count) in [
        ("GET /health", counters.health),
        ("GET /metrics", counters.scrapes),
    ] {
        if count > 0.0 && plan.stack != Stack::Go {
            let of = Entity::new().with(Label::Operation, name);
            sheet.put_of(Kind::ServerRequests, &of, at, shown.counted(count).floor());
            sheet.put_of(Kind::ServerRequestTime, &of, at, shown.timed(0.001 * count));
        }
    }
}

fn runtime(sheet: &mut Sheet<'_>, shown: &Shown<'_>) {
    let (at, plan, counters) = (shown.look.at_ms, sheet.plan, &shown.look.counters);
    let machine = plan.machine;
    // What the system says of a process is taken before what its page says.
    let has_kernel = plan.sees(Witness::Kernel);
    if !has_kernel {
        sheet.put(Kind::ProcessCpu, at, shown.timed(counters.cpu));
    }
    let used = machine.heap_live + counters.leaked + counters.young;
    match plan.stack {
        Stack::Java => {}
        Stack::Go => {
            sheet.put(Kind::HeapUsed, at, used.min(machine.heap_max) * shown.share);
            sheet.put(
                Kind::CollectionPauseTime,
                at,
                shown.timed(counters.pause_time * 0.05),
            );
            sheet.put(
                Kind::CollectionPauses,
                at,
                shown.counted(counters.pauses).floor(),
            );
            if !has_kernel {
                sheet.put(Kind::Threads, at, 9.0);
                sheet.put(Kind::CoresAvailable, at, machine.cores);
                sheet.put(Kind::MemoryUsed, at, used * shown.share + 6e7);
            }
        }
        Stack::Node => node(sheet, shown, used),
        Stack::Python => {
            if !has_kernel {
                sheet.put(Kind::MemoryUsed, at, used * shown.share + 6e7);
            }
        }
    }
}

fn node(sheet: &mut Sheet<'_>, shown: &Shown<'_>, used: f64) {
    let (at, counters) = (shown.look.at_ms, &shown.look.counters);
    let machine = sheet.plan.machine;
    // The page is asked when the loop comes to it: the lag then is the lag of the queue.
    let lag = 0.5 * counters.waiting[Station::Loop as usize] * 0.004;
    sheet.put(
        Kind::EventLoopLag,
        at,
        lag + sheet.dice.between(0.000_2, 0.004),
    );
    sheet.put(Kind::HeapUsed, at, used.min(machine.heap_max) * shown.share);
    for generation in ["minor", "major"] {
        let of = Entity::new().with(Label::Generation, generation);
        let part = if generation == "minor" { 0.9 } else { 0.1 };
        sheet.put_of(
            Kind::CollectionPauseTime,
            &of,
            at,
            shown.timed(part * counters.pause_time),
        );
        sheet.put_of(
            Kind::CollectionPauses,
            &of,
            at,
            shown.counted(part * counters.pauses).floor(),
        );
    }
    if !sheet.plan.sees(Witness::Kernel) {
        sheet.put(Kind::MemoryUsed, at, used * shown.share + 6e7);
    }
}

fn pool(sheet: &mut Sheet<'_>, shown: &Shown<'_>) {
    let plan = sheet.plan;
    // pg-pool and psycopg_pool have no page of their own.
    let name = match plan.stack {
        Stack::Java => "HikariPool-1",
        Stack::Go => "app",
        Stack::Node | Stack::Python => return,
    };
    let (at, counters) = (shown.look.at_ms, &shown.look.counters);
    let of = Entity::new().with(Label::Pool, name);
    let most = plan.places_of(Station::Pool).servers as f64;
    let active = counters.busy[Station::Pool as usize];
    let place = Station::Pool as usize;
    sheet.put_of(Kind::PoolActive, &of, at, shown.held(active));
    sheet.put_of(Kind::PoolIdle, &of, at, shown.held(most - active));
    sheet.put_of(Kind::PoolMax, &of, at, shown.held(most).max(1.0));
    let waited = shown.timed(counters.acquire_time[place]);
    sheet.put_of(Kind::PoolAcquireTime, &of, at, waited);
    if plan.stack == Stack::Java {
        sheet.put_of(
            Kind::PoolPending,
            &of,
            at,
            shown.held(counters.waiting[place]),
        );
        sheet.put_of(
            Kind::PoolTimeouts,
            &of,
            at,
            shown.counted(counters.pool_timeouts).floor(),
        );
        sheet.put_of(Kind::PoolHoldTime, &of, at, shown.timed(counters.hold_time));
        sheet.put_of(
            Kind::PoolHolds,
            &of,
            at,
            shown.counted(counters.holds).floor(),
        );
        sheet.put_of(
            Kind::PoolAcquires,
            &of,
            at,
            shown.counted(counters.acquires[place]).floor(),
        );
    }
}

fn java(sheet: &mut Sheet<'_>, shown: &Shown<'_>) {
    let (at, plan, counters) = (shown.look.at_ms, sheet.plan, &shown.look.counters);
    let machine = plan.machine;
    let workers = Entity::new().with(Label::Pool, "http-nio-8080");
    let place = Station::Workers as usize;
    sheet.put_of(
        Kind::WorkersBusy,
        &workers,
        at,
        shown.held(counters.busy[place]),
    );
    let most = plan.places_of(Station::Workers).servers as f64;
    sheet.put_of(Kind::WorkersMax, &workers, at, shown.held(most).max(1.0));
    let slow = if plan.has(Bystander::SlowClients) {
        25.0
    } else {
        0.0
    };
    let connected = counters.busy[place] + counters.waiting[place] + 4.0 + slow;
    sheet.put_of(Kind::Connections, &workers, at, shown.held(connected));
    sheet.put_of(Kind::ConnectionsMax, &workers, at, 8_192.0);
    if plan.fault == Fault::Executor {
        let of = Entity::new().with(Label::Pool, "applicationTaskExecutor");
        let place = Station::Executor as usize;
        sheet.put_of(Kind::WorkersBusy, &of, at, shown.held(counters.busy[place]));
        let most = plan.places_of(Station::Executor).servers as f64;
        sheet.put_of(Kind::WorkersMax, &of, at, shown.held(most).max(1.0));
        sheet.put_of(
            Kind::WorkersQueue,
            &of,
            at,
            shown.held(counters.waiting[place]),
        );
    }
    let used = machine.heap_live + counters.leaked + counters.young;
    sheet.put(Kind::HeapUsed, at, used.min(machine.heap_max));
    sheet.put(Kind::HeapMax, at, machine.heap_max);
    sheet.put(Kind::HeapAllocated, at, shown.counted(counters.allocated));
    let is_full = plan.fault == Fault::Collections;
    let (name, generation) = if is_full {
        ("G1 Old Generation", "major")
    } else {
        ("G1 Young Generation", "minor")
    };
    if counters.pauses > 0.0 {
        let of = Entity::new()
            .with(Label::Collector, name)
            .with(Label::Generation, generation);
        sheet.put_of(
            Kind::CollectionPauseTime,
            &of,
            at,
            shown.timed(counters.pause_time),
        );
        sheet.put_of(
            Kind::CollectionPauses,
            &of,
            at,
            shown.counted(counters.pauses).floor(),
        );
        let after = (machine.heap_live + counters.leaked) / machine.heap_max;
        sheet.put(Kind::HeapAfterCollectionShare, at, after.min(1.0));
    }
    sheet.put(
        Kind::CompilationTime,
        at,
        12.0 + (at / 1_000.0).ln_1p() * 0.4,
    );
    if !plan.sees(Witness::Kernel) {
        let cores = plan.machine.quota.map_or(machine.cores, f64::ceil);
        sheet.put(Kind::CoresAvailable, at, cores);
        sheet.put(
            Kind::Threads,
            at,
            40.0 + counters.busy[Station::Workers as usize],
        );
        sheet.put(Kind::Uptime, at, 300.0 + at / 1_000.0);
    }
}

fn outside(sheet: &mut Sheet<'_>, shown: &Shown<'_>) {
    let (at, counters) = (shown.look.at_ms, &shown.look.counters);
    if counters.outside_calls < 1.0 {
        return;
    }
    let of = Entity::new().with(Label::Peer, "payments");
    sheet.put_of(
        Kind::OutsideCalls,
        &of,
        at,
        shown.counted(counters.outside_calls).floor(),
    );
    sheet.put_of(
        Kind::OutsideCallTime,
        &of,
        at,
        shown.timed(counters.outside_time),
    );
    if sheet.plan.stack == Stack::Java {
        sheet.put_of(
            Kind::OutsideCallsActive,
            &of,
            at,
            shown.held(counters.outside_active),
        );
    }
    if counters.outside_errors > 0.0 {
        sheet.put_of(
            Kind::OutsideErrors,
            &of,
            at,
            (shown.share * counters.outside_errors).floor(),
        );
    }
}
