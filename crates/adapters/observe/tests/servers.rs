//! Sources against real servers: `PostgreSQL` and Redis (`tools/packages.sh` installs them).
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use loadline_net::NetworkSettings;
use loadline_observe::{ObserverSetup, SourceNotice, TargetObserver};
use loadline_reactor::MonotonicClock;
use loadline_record::signals::{Label, SignalKind, Signals};
use tempfile::TempDir;
use tokio_postgres::{Client, NoTls};

const PATIENCE: Duration = Duration::from_secs(60);

/// A program that stands somewhere on the path, or where Debian puts `PostgreSQL`'s.
fn program(name: &str) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap();
    let debian = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten();
    let debian = debian.flatten().map(|version| version.path().join("bin"));
    let mut folders: Vec<PathBuf> = debian.collect();
    folders.extend(std::env::split_paths(&path));
    let programs = folders.iter().map(|folder| folder.join(name));
    programs
        .into_iter()
        .find(|program| program.is_file())
        .unwrap_or_else(|| panic!("{name} is missing: run tools/packages.sh"))
}

/// The program as a user who may run servers.
fn command(program: &Path) -> Command {
    let is_root = std::fs::metadata("/proc/self").is_ok_and(|own| {
        use std::os::unix::fs::MetadataExt;
        own.uid() == 0
    });
    if !is_root {
        return Command::new(program);
    }
    let mut command = Command::new("runuser");
    command.args(["-u", "nobody", "--"]).arg(program);
    command
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

/// A server of its own, in a folder of its own.
struct Server {
    program: PathBuf,
    args: Vec<String>,
    folder: TempDir,
    port: u16,
    process: Option<Child>,
}

impl Server {
    fn start(&mut self) {
        let mut process = command(&self.program)
            .args(&self.args)
            .current_dir(self.folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            let ended = process.try_wait().unwrap();
            assert_eq!(ended, None, "the server does not start");
            std::thread::yield_now();
        }
        self.process = Some(process);
    }

    fn stop(&mut self) {
        let Some(mut process) = self.process.take() else {
            return;
        };
        // PostgreSQL asked with TERM waits for its clients; with INT it ends at once.
        let file = self.folder.path().join("data/postmaster.pid");
        let postmaster = std::fs::read_to_string(file).ok();
        let postmaster = postmaster.and_then(|text| Some(text.lines().next()?.to_owned()));
        let (signal, pid) = match postmaster {
            Some(pid) => ("-INT", pid),
            None => ("-TERM", process.id().to_string()),
        };
        let _ = Command::new("kill").args([signal, &pid]).status();
        let _ = process.wait();
    }

    fn postgres() -> Self {
        let (initdb, program) = (program("initdb"), program("postgres"));
        let (folder, port) = (folder(), free_port());
        let data = folder.path().join("data");
        let made = command(&initdb)
            .args([
                "-A",
                "trust",
                "-U",
                "postgres",
                "-E",
                "UTF8",
                "--locale=C",
                "-D",
            ])
            .arg(&data)
            .current_dir(folder.path())
            .stdout(Stdio::null())
            .status()
            .unwrap();
        assert!(made.success());
        let settings = [
            "shared_preload_libraries=pg_stat_statements".to_owned(),
            format!("port={port}"),
            "listen_addresses=127.0.0.1".to_owned(),
            format!("unix_socket_directories={}", data.display()),
            "max_connections=23".to_owned(),
            "fsync=off".to_owned(),
        ];
        let mut args = vec!["-D".to_owned(), data.display().to_string()];
        for setting in settings {
            args.extend(["-c".to_owned(), setting]);
        }
        Self::new(program, args, folder, port)
    }

    fn redis() -> Self {
        let program = program("redis-server");
        let (folder, port) = (folder(), free_port());
        let args = [
            "--port",
            &port.to_string(),
            "--bind",
            "127.0.0.1",
            "--save",
            "",
        ];
        let password = ["--requirepass", "s3cret-of-redis"];
        let args = args.into_iter().chain(password).map(str::to_owned);
        let args = args.collect();
        Self::new(program, args, folder, port)
    }

    fn new(program: PathBuf, args: Vec<String>, folder: TempDir, port: u16) -> Self {
        let mut server = Self {
            program,
            args,
            folder,
            port,
            process: None,
        };
        server.start();
        server
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A folder that any user may write to.
fn folder() -> TempDir {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let open = std::fs::Permissions::from_mode(0o777);
    std::fs::set_permissions(folder.path(), open).unwrap();
    folder
}

fn observe(source: &str) -> (TargetObserver, mpsc::Receiver<SourceNotice>) {
    let (tell, told) = mpsc::channel();
    let tell = Mutex::new(tell);
    let setup = ObserverSetup {
        addresses: vec![source.parse().unwrap()],
        every: Duration::from_millis(20),
        clock: MonotonicClock::start(),
        network: Arc::new(|_| Ok(NetworkSettings::default())),
        listener: Arc::new(move |notice| {
            let _ = tell.lock().unwrap().send(notice);
        }),
    };
    (TargetObserver::start(&setup), told)
}

fn largest(signals: &Signals, kind: SignalKind) -> f64 {
    let points = signals.of(kind).flat_map(|series| series.points());
    points.map(|point| point.value).fold(f64::NAN, f64::max)
}

/// Waits until a notice says that the source answers, or that it does not.
fn until(told: &mpsc::Receiver<SourceNotice>, answers: bool) {
    while told.recv_timeout(PATIENCE).unwrap().error.is_none() != answers {}
}

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
    let signals = observer.finish(PATIENCE);

    assert!((largest(&signals, SignalKind::SessionsMax) - 23.0).abs() < 0.1);
    assert!(largest(&signals, SignalKind::SessionsIdleInTransaction) >= 1.0);
    assert!(largest(&signals, SignalKind::SessionsWaitingForLock) >= 1.0);
    assert!(largest(&signals, SignalKind::Transactions) > 1.0);
    let slow: Vec<_> = signals
        .of(SignalKind::StatementTime)
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

#[test]
fn a_redis_tells_cpu_memory_and_commands_and_its_restart_is_a_gap() {
    let mut server = Server::redis();
    let url = format!("redis://:s3cret-of-redis@127.0.0.1:{}", server.port);
    let (observer, told) = observe(&url);
    until(&told, true);
    server.stop();
    until(&told, false);
    server.start();
    until(&told, true);
    let signals = observer.finish(PATIENCE);
    assert!(largest(&signals, SignalKind::RedisCpu) > 0.0);
    assert!(largest(&signals, SignalKind::RedisMemoryUsed) > 100_000.0);
    assert!(largest(&signals, SignalKind::RedisCommands) >= 1.0);
    let stored = serde_json::to_string(&signals).unwrap();
    assert!(!stored.contains("s3cret"), "no password is stored");

    let wrong = format!("redis://:wrong@127.0.0.1:{}", server.port);
    let (observer, told) = observe(&wrong);
    until(&told, false);
    let signals = observer.finish(PATIENCE);
    assert_eq!(signals.sources[0].failures[0].error, "login");
}
