//! The database's own statistics, its process, and Redis.

use loadline_record::signals::{Entity, Label, SignalKind as Kind, SourceKind, TargetSetting};

use super::Sheet;
use crate::parts::{Bystander, Fault, Station, Witness};
use crate::simulation::Look;

pub(super) fn record(sheet: &mut Sheet<'_>) {
    let is_shared = sheet.plan.has(Bystander::SharedDatabase);
    for look in &sheet.played.looks {
        sessions(sheet, look, is_shared);
        statements(sheet, look, is_shared);
    }
    let times: Vec<f64> = sheet.played.looks.iter().map(|look| look.at_ms).collect();
    sheet.source(
        "postgres://127.0.0.1:5432/app",
        SourceKind::Postgres,
        &times,
        &[],
    );
    let version = TargetSetting::new("postgres.version", "15.7", Entity::new());
    sheet.signals.set(version);
}

fn sessions(sheet: &mut Sheet<'_>, look: &Look, is_shared: bool) {
    let (at, counters) = (look.at_ms + 1.0, &look.counters);
    let at_station =
        |station: Station| counters.busy[station as usize] + counters.waiting[station as usize];
    let held = counters.busy[Station::Pool as usize];
    let (cpu, disk) = (at_station(Station::DbCpu), at_station(Station::DbDisk));
    let locked = counters.waiting[Station::Lock as usize];
    let holder = counters.busy[Station::Lock as usize];
    let outside = if sheet.plan.fault == Fault::PoolHeld {
        counters.outside_active.min(held)
    } else {
        0.0
    };
    // Between two statements of a transaction, or in the program's own hands.
    let rest = (held - cpu - disk - locked - holder - outside).max(0.0);
    let is_slow = matches!(sheet.plan.fault, Fault::PoolSmall | Fault::SlowTail);
    let working = if is_slow { rest } else { (rest * 0.5).round() };
    let (others, others_locked) = if is_shared {
        (sheet.dice.whole(2, 7) as f64, sheet.dice.whole(1, 5) as f64)
    } else {
        (0.0, 0.0)
    };
    let active = cpu + disk + locked + holder + working + others + others_locked;
    sheet.put(Kind::SessionsActive, at, active);
    sheet.put(Kind::SessionsIdle, at, 6.0);
    sheet.put(
        Kind::SessionsIdleInTransaction,
        at,
        outside + rest - working,
    );
    sheet.put(Kind::SessionsWaitingForLock, at, locked + others_locked);
    if disk > 0.0 {
        let of = Entity::new().with(Label::Wait, "IO");
        sheet.put_of(Kind::SessionsWaiting, &of, at, disk);
    }
    sheet.put(Kind::SessionsMax, at, 200.0);
    let target = Client {
        name: "app",
        owner: "target",
        active: active - others - others_locked,
        idle_in_transaction: outside + rest - working,
        locked,
    };
    sessions_of(sheet, at, &target);
    if is_shared {
        let other = Client {
            name: "reports",
            owner: "others",
            active: others + others_locked,
            idle_in_transaction: 0.0,
            locked: others_locked,
        };
        sessions_of(sheet, at, &other);
    }
    let asked: f64 = counters
        .sums
        .iter()
        .flatten()
        .map(|sums| sums.requests)
        .sum();
    let foreign = if is_shared { 140.0 * at / 1_000.0 } else { 0.0 };
    sheet.put(Kind::Transactions, at, 90_000.0 + asked + foreign.floor());
    sheet.put(Kind::DatabaseIoTime, at, 60.0 + counters.database_io);
}

/// Sessions of one client of the database.
struct Client {
    name: &'static str,
    owner: &'static str,
    active: f64,
    idle_in_transaction: f64,
    locked: f64,
}

/// Whose they are is known where the target's processes, and so their sockets, are observed, too.
fn sessions_of(sheet: &mut Sheet<'_>, at: f64, client: &Client) {
    let mut of = Entity::new().with(Label::Client, client.name);
    if sheet.plan.witnesses.contains(&Witness::Kernel) {
        of = of.with(Label::Owner, client.owner);
    }
    for (kind, value) in [
        (Kind::ClientSessionsActive, client.active),
        (
            Kind::ClientSessionsIdleInTransaction,
            client.idle_in_transaction,
        ),
        (Kind::ClientSessionsWaitingForLock, client.locked),
    ] {
        sheet.put_of(kind, &of, at, value);
    }
}

fn statements(sheet: &mut Sheet<'_>, look: &Look, is_shared: bool) {
    let (plan, at) = (sheet.plan, look.at_ms + 1.0);
    for (number, statement) in plan.statements.iter().enumerate() {
        let calls = look.counters.statements[number];
        if calls.calls < 1.0 {
            continue;
        }
        let of = Entity::new()
            .with(Label::Statement, statement.text)
            .with(Label::StatementId, &format!("{}", 7_300 + number));
        // The driver's round trips are none of the server's time.
        let server = if plan.fault == Fault::ManyStatements {
            0.9
        } else {
            0.97
        };
        put_statement(
            sheet,
            &of,
            at,
            [
                calls.calls,
                calls.seconds * server,
                statement.rows,
                statement.blocks,
            ],
        );
    }
    if is_shared {
        let foreign = [
            ("SELECT price FROM items WHERE sku = $1", 900.0, 0.0004, 4.0),
            (
                "UPDATE counters SET n = n + $1 WHERE id = $2",
                30.0,
                0.06,
                6.0,
            ),
        ];
        for (number, (text, rate, seconds, blocks)) in foreign.into_iter().enumerate() {
            let of = Entity::new()
                .with(Label::Statement, text)
                .with(Label::StatementId, &format!("{}", 9_100 + number));
            let calls = (40_000.0 + rate * at / 1_000.0).floor();
            put_statement(sheet, &of, at, [calls, calls * seconds, 1.0, blocks]);
        }
    }
}

/// Calls, seconds, rows and blocks of each call.
fn put_statement(
    sheet: &mut Sheet<'_>,
    of: &Entity,
    at: f64,
    [calls, seconds, rows, blocks]: [f64; 4],
) {
    sheet.put_of(Kind::StatementCalls, of, at, calls);
    sheet.put_of(Kind::StatementTime, of, at, seconds);
    sheet.put_of(Kind::StatementRows, of, at, calls * rows);
    sheet.put_of(Kind::StatementBlocks, of, at, calls * blocks);
}

pub(super) fn record_kernel(sheet: &mut Sheet<'_>) {
    let is_shared = sheet.plan.has(Bystander::SharedDatabase);
    for look in &sheet.played.looks {
        let at = look.at_ms + 0.5;
        let foreign = if is_shared { 0.2 * at / 1_000.0 } else { 0.0 };
        sheet.put(
            Kind::DatabaseCpu,
            at,
            800.0 + look.counters.database_cpu + foreign,
        );
        sheet.put(Kind::DatabaseCores, at, sheet.plan.database_cores);
    }
    let times: Vec<f64> = sheet.played.looks.iter().map(|look| look.at_ms).collect();
    sheet.source("port:5432", SourceKind::Process, &times, &[]);
}

pub(super) fn record_redis(sheet: &mut Sheet<'_>) {
    for look in &sheet.played.looks {
        let (at, counters) = (look.at_ms + 1.5, &look.counters);
        let own = 0.004 * at / 1_000.0;
        sheet.put(Kind::RedisCpu, at, 50.0 + own + counters.redis_cpu * 1.02);
        sheet.put(
            Kind::RedisMainThreadCpu,
            at,
            48.0 + own + counters.redis_cpu,
        );
        sheet.put(Kind::RedisMemoryUsed, at, 4.4e7);
        sheet.put(Kind::RedisMemoryLimit, at, 0.0);
        sheet.put(Kind::RedisCommands, at, 1e5 + counters.redis_commands);
        sheet.put(Kind::RedisEvictions, at, 0.0);
        sheet.put(Kind::RedisClients, at, 12.0);
    }
    let times: Vec<f64> = sheet.played.looks.iter().map(|look| look.at_ms).collect();
    sheet.source("redis://127.0.0.1:6379", SourceKind::Redis, &times, &[]);
}
