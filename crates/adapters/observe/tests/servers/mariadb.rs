use std::process::Stdio;
use std::time::Duration;

use loadline_record::signals::{Label, SignalKind};
use mysql_async::prelude::Queryable;
use mysql_async::{Conn, Opts};

use crate::server::{self, Server};
use crate::{TEST_DEADLINE, largest, observe, observe_every, until};

const SETUP: &str = "
CREATE DATABASE IF NOT EXISTS shop;
CREATE USER IF NOT EXISTS app IDENTIFIED BY 's3cret-of-app';
GRANT ALL ON shop.* TO app;
CREATE USER IF NOT EXISTS watcher IDENTIFIED BY 's3cret-of-watcher';
GRANT PROCESS ON *.* TO watcher;
GRANT SELECT ON performance_schema.* TO watcher;
CREATE USER IF NOT EXISTS stranger IDENTIFIED BY 's3cret-of-stranger';
DROP USER IF EXISTS ''@localhost;
";

fn mariadb() -> Server {
    let (install, program) = (
        server::program("mariadb-install-db"),
        server::program("mariadbd"),
    );
    let (folder, port) = (server::folder(), server::free_port());
    let data = folder.path().join("data");
    let made = server::command(&install)
        .args([
            "--no-defaults",
            "--skip-test-db",
            "--auth-root-authentication-method=normal",
        ])
        .arg(format!("--datadir={}", data.display()))
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert!(made.success());
    let setup = folder.path().join("setup.sql");
    std::fs::write(&setup, SETUP).unwrap();
    let place = |name: &str, path: &str| format!("--{name}={}", folder.path().join(path).display());
    let args = vec![
        "--no-defaults".to_owned(),
        place("datadir", "data"),
        place("socket", "socket"),
        place("pid-file", "pid"),
        place("init-file", "setup.sql"),
        format!("--port={port}"),
        "--bind-address=127.0.0.1".to_owned(),
        "--performance-schema=ON".to_owned(),
        "--max-connections=29".to_owned(),
        "--max-user-connections=17".to_owned(),
        "--innodb-buffer-pool-size=16M".to_owned(),
        "--innodb-flush-log-at-trx-commit=0".to_owned(),
    ];
    Server::new(program, args, folder, port)
}

async fn connect(port: u16) -> Conn {
    let url = format!("mysql://app:s3cret-of-app@127.0.0.1:{port}/shop?prefer_socket=false");
    loop {
        match Conn::new(Opts::from_url(&url).unwrap()).await {
            Ok(connection) => return connection,
            Err(_) => tokio::task::yield_now().await,
        }
    }
}

/// One session holds a lock in an open transaction, another waits for it.
async fn work(port: u16) {
    let (mut holder, mut waiter, mut other) = (
        connect(port).await,
        connect(port).await,
        connect(port).await,
    );
    for text in [
        "CREATE TABLE IF NOT EXISTS stock (id int PRIMARY KEY, left_over int)",
        "INSERT IGNORE INTO stock VALUES (1, 10)",
        "START TRANSACTION",
        "UPDATE stock SET left_over = 9 WHERE id = 1",
    ] {
        holder.query_drop(text).await.unwrap();
    }
    let waits = waiter.query_drop("UPDATE stock SET left_over = 8 WHERE id = 1");
    let looks = async {
        for _ in 0..8 {
            let slow = "SELECT SLEEP(0.1), 's3cret-in-text', count(*) FROM stock";
            other.query_drop(slow).await.unwrap();
        }
        holder.query_drop("COMMIT").await.unwrap();
    };
    let (waited, ()) = tokio::join!(waits, looks);
    waited.unwrap();
}

#[test]
fn a_mariadb_tells_sessions_locks_and_statements_and_its_restart_is_a_gap() {
    let mut server = mariadb();
    let url = format!(
        "mysql://watcher:s3cret-of-watcher@127.0.0.1:{}",
        server.port
    );
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    // The server makes its table of transactions anew when nobody asked for it for 0.1 s.
    let (observer, told) = observe_every(Duration::from_millis(150), &url);
    until(&told, true);
    runtime.block_on(work(server.port));
    server.stop();
    until(&told, false);
    server.start();
    until(&told, true);
    let signals = observer.finish(TEST_DEADLINE);

    let stored = serde_json::to_string(&signals).unwrap();
    assert!(!stored.contains("s3cret"), "no literal is stored");
    assert!((largest(&signals, SignalKind::SessionsMax) - 29.0).abs() < 0.1);
    assert!((largest(&signals, SignalKind::LimitedSessionsMax) - 17.0).abs() < 0.1);
    let mut users = signals.of_kind(SignalKind::LimitedSessions);
    let app = users.find(|series| series.entity.get(Label::Client) == Some("app"));
    let app = app.unwrap_or_else(|| panic!("{:?}", signals.series()));
    assert!(app.points().iter().any(|point| point.value >= 3.0));
    assert!(largest(&signals, SignalKind::SessionsIdleInTransaction) >= 1.0);
    assert!(largest(&signals, SignalKind::SessionsWaitingForLock) >= 1.0);
    let mut waiters = signals.of_kind(SignalKind::ClientSessionsWaitingForLock);
    let is_app = |client: &str| client.starts_with("app ") && !client.contains(':');
    let of_app = waiters.find(|series| series.entity.get(Label::Client).is_some_and(is_app));
    let of_app = of_app.unwrap_or_else(|| panic!("{:?}", signals.series()));
    assert!(of_app.points().iter().any(|point| point.value >= 1.0));
    let slow = signals.of_kind(SignalKind::StatementTime).find(|series| {
        let text = series.entity.get(Label::Statement);
        text.is_some_and(|text| text.contains("SLEEP"))
    });
    let slow = slow.unwrap_or_else(|| panic!("{:?}", signals.series()));
    let points = slow.points().iter().map(|point| point.value);
    let took = points.fold(0.0, f64::max) - slow.points()[0].value;
    assert!(took >= 0.4, "the sleeps of half a second: {took}");
    assert!(signals.of_kind(SignalKind::StatementExamined).count() >= 1);
    let source = &signals.sources[0];
    assert!(source.failures[0].to_ms.is_some(), "{source:?}");
    assert!(source.missing.is_empty(), "{source:?}");

    let stranger = format!(
        "mariadb://stranger:s3cret-of-stranger@127.0.0.1:{}",
        server.port
    );
    let (observer, told) = observe(&stranger);
    until(&told, true);
    let signals = observer.finish(TEST_DEADLINE);
    let missing: Vec<&str> = signals.sources[0]
        .missing
        .iter()
        .map(|m| m.setting.as_str())
        .collect();
    assert_eq!(
        missing,
        [
            "GRANT PROCESS ON *.* TO CURRENT_USER",
            "GRANT SELECT ON performance_schema.* TO CURRENT_USER"
        ]
    );

    let wrong = format!("mysql://watcher:wrong@127.0.0.1:{}", server.port);
    let (observer, told) = observe(&wrong);
    until(&told, false);
    let signals = observer.finish(TEST_DEADLINE);
    assert_eq!(signals.sources[0].failures[0].error, "login");
}
