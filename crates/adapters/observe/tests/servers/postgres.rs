use std::process::{Command, Stdio};

use loadline_observe::{ObserverSetup, TargetObserver};
use loadline_record::signals::{Label, SignalKind, Signals};
use tokio_postgres::{Client, NoTls};

use crate::server::{Server, program};
use crate::{TEST_DEADLINE, largest, observe, setup, until};

async fn connect(url: &str) -> Client {
    let (client, connection) = loop {
        match tokio_postgres::connect(url, NoTls).await {
            Ok(both) => break both,
            Err(_) => tokio::task::yield_now().await,
        }
    };
    tokio::spawn(async move { drop(connection.await) });
    client
}

/// One session holds a lock in an open transaction, another waits for it.
async fn work(url: &str) {
    let (holder, waiter, other) = (connect(url).await, connect(url).await, connect(url).await);
    let tables = "CREATE EXTENSION IF NOT EXISTS pg_stat_statements;
        CREATE TABLE IF NOT EXISTS stock (id int PRIMARY KEY, left_over int);
        INSERT INTO stock VALUES (1, 10) ON CONFLICT DO NOTHING";
    holder.batch_execute(tables).await.unwrap();
    let roles = "DROP ROLE IF EXISTS shop; CREATE ROLE shop LOGIN CONNECTION LIMIT 2;
        ALTER DATABASE postgres CONNECTION LIMIT 20";
    holder.batch_execute(roles).await.unwrap();
    let _of_shop = connect(&url.replace("postgres@", "shop@")).await;
    let holds = "BEGIN; UPDATE stock SET left_over = 9 WHERE id = 1";
    holder.batch_execute(holds).await.unwrap();
    let waits = waiter.batch_execute("UPDATE stock SET left_over = 8 WHERE id = 1");
    let looks = async {
        for _ in 0..5 {
            let slow = "SELECT pg_sleep(0.1), 's3cret-in-text', count(*) FROM stock";
            other.batch_execute(slow).await.unwrap();
        }
        holder.batch_execute("COMMIT").await.unwrap();
    };
    let (waited, ()) = tokio::join!(waits, looks);
    waited.unwrap();
}

#[test]
fn a_postgres_tells_sessions_locks_and_statements_and_its_restart_is_a_gap() {
    let mut server = Server::postgres();
    let url = format!("postgres://postgres@127.0.0.1:{}/postgres", server.port);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(connect(&url));
    let (observer, told) = observe(&url);
    until(&told, true);
    runtime.block_on(work(&url));
    server.stop();
    until(&told, false);
    server.start();
    until(&told, true);
    let signals = observer.finish(TEST_DEADLINE);

    assert!((largest(&signals, SignalKind::SessionsMax) - 23.0).abs() < 0.1);
    assert!(largest(&signals, SignalKind::SessionsIdleInTransaction) >= 1.0);
    let limit_of = |label, name: &str| {
        let of_name = |kind| {
            let mut all = signals.of_kind(kind);
            let own = all.find(|series| series.entity.get(label) == Some(name))?;
            let values = own.points().iter().map(|point| point.value);
            values.reduce(f64::max)
        };
        let both = [SignalKind::LimitedSessions, SignalKind::LimitedSessionsMax];
        both.map(|kind| of_name(kind).unwrap_or(-1.0))
    };
    let near = |value: f64, expected: f64| (value - expected).abs() < 0.1;
    let [of_role, most_of_role] = limit_of(Label::Client, "shop");
    assert!(
        near(of_role, 1.0) && near(most_of_role, 2.0),
        "{of_role} of {most_of_role}"
    );
    let [of_database, most_of_database] = limit_of(Label::Database, "postgres");
    assert!(
        of_database >= 4.0 && near(most_of_database, 20.0),
        "{of_database}"
    );
    assert!(largest(&signals, SignalKind::SessionsWaitingForLock) >= 1.0);
    // Seen: sessions that all wanted a core were not known to wait for nothing else, and a pool was "too small, and the
    // database has room" beside a core that was used up.
    let waiting: Vec<_> = signals.of_kind(SignalKind::SessionsWaiting).collect();
    assert!(
        (waiting.iter()).any(|series| series.points().iter().any(|point| near(point.value, 0.0))),
        "that none waits is a value, too: {waiting:?}"
    );
    assert!(largest(&signals, SignalKind::Transactions) > 1.0);
    let slow: Vec<_> = signals
        .of_kind(SignalKind::StatementTime)
        .filter(|series| {
            let text = series.entity.get(Label::Statement);
            text.is_some_and(|text| text.contains("pg_sleep"))
        })
        .collect();
    assert_eq!(slow.len(), 1, "{:?}", signals.series());
    let points = slow[0].points();
    let took = largest(&signals, SignalKind::StatementTime) - points[0].value;
    assert!(took >= 0.4, "the sleeps of half a second: {took}");
    let source = &signals.sources[0];
    assert!(source.failures[0].to_ms.is_some(), "{source:?}");
    let stored = serde_json::to_string(&signals).unwrap();
    assert!(!stored.contains("s3cret"), "no literal is stored");
}

fn largest_of(signals: &Signals, kind: SignalKind, owner: &str) -> f64 {
    let series = signals.of_kind(kind);
    let owned = series.filter(|series| series.entity.get(Label::Owner) == Some(owner));
    let points = owned.flat_map(|series| series.points());
    points.map(|point| point.value).fold(f64::NAN, f64::max)
}

/// Seen: lock waits of another program that uses the same database were told of the target, with grade A.
#[test]
fn a_postgres_tells_the_targets_sessions_from_those_of_another_program() {
    let server = Server::postgres();
    let url = format!("postgres://postgres@127.0.0.1:{}/postgres", server.port);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(connect(&url));
    let mut target = Command::new(program("psql"))
        .args([&url, "-c", "SELECT pg_sleep(60)"])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let (setup, told) = setup(&url);
    let mut addresses = setup.addresses.clone();
    addresses.push(format!("pid:{}", target.id()).parse().unwrap());
    let observer = TargetObserver::start(&ObserverSetup { addresses, ..setup });
    until(&told, true);
    let peek = observer.peek();
    while !largest_of(&peek.so_far(), SignalKind::ClientSessionsActive, "target").is_normal() {
        std::thread::yield_now();
    }
    runtime.block_on(work(&url));
    let signals = observer.finish(TEST_DEADLINE);
    target.kill().unwrap();
    target.wait().unwrap();
    for kind in [
        SignalKind::ClientSessionsWaitingForLock,
        SignalKind::ClientSessionsIdleInTransaction,
        SignalKind::ClientSessionsBlocking,
    ] {
        assert!(largest_of(&signals, kind, "others") >= 1.0, "{kind:?}");
        assert!(largest_of(&signals, kind, "target") < 0.1, "{kind:?}");
    }
    let active = largest_of(&signals, SignalKind::ClientSessionsActive, "target");
    assert!((active - 1.0).abs() < 0.1, "{active}");
}

/// As managed servers have it: the library is loaded, the extension is not made, and the role may see its own alone.
#[test]
fn a_role_without_rights_is_told_the_grant_and_gets_what_it_may_see() {
    let server = Server::postgres();
    let url = format!("postgres://postgres@127.0.0.1:{}/postgres", server.port);
    let as_shop = url.replace("postgres@", "shop@");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let admin = runtime.block_on(connect(&url));
    let run = |statement: &str| runtime.block_on(admin.batch_execute(statement)).unwrap();
    let missing = || {
        let (observer, told) = observe(&as_shop);
        until(&told, true);
        let signals = observer.finish(TEST_DEADLINE);
        assert!(largest(&signals, SignalKind::SessionsMax) > 1.0);
        let all = signals.sources[0].missing.clone();
        let of_statements = all.into_iter().find(|one| one.signal == "statement-time");
        of_statements.map(|one| one.setting)
    };
    run("DROP EXTENSION IF EXISTS pg_stat_statements; CREATE ROLE shop LOGIN");
    assert_eq!(
        missing().as_deref(),
        Some("CREATE EXTENSION pg_stat_statements;")
    );
    run("CREATE EXTENSION pg_stat_statements; SELECT 1");
    assert_eq!(missing().as_deref(), Some("GRANT pg_monitor TO shop;"));
    run("GRANT pg_monitor TO shop");
    assert_eq!(missing(), None);
}
