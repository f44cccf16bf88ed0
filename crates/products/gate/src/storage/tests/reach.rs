//! Ways to a Redis: with a password, over TLS, through Sentinels; and those that are refused.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::storage::redis::{RedisOptions, RedisStore};
use crate::storage::{Log, LogStore, LogStoreError, Position, ReadResult};
use std::sync::Arc;

/// A server that ends with the test.
struct Server {
    process: Child,
    port: u16,
}

impl Drop for Server {
    fn drop(&mut self) {
        // One that has ended cannot be killed, which is as well.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

/// `redis-server` with a configuration of `lines`, in which `PORT` is a free one.
async fn server(home: &Path, lines: &str, more: &[&str]) -> Server {
    let port = free_port();
    let config = home.join(format!("{port}.conf"));
    let text = format!(
        "bind 127.0.0.1\nsave \"\"\ndir {}\n{lines}\n",
        home.display()
    );
    std::fs::write(&config, text.replace("PORT", &port.to_string())).unwrap();
    let process = Command::new("redis-server")
        .arg(&config)
        .args(more)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("redis-server is installed (apt-get install redis-server)");
    let server = Server { process, port };
    for _ in 0..1_000 {
        if std::net::TcpStream::connect(("127.0.0.1", port)).is_ok() {
            return server;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("redis-server does not answer");
}

fn at(url: String) -> RedisOptions {
    RedisOptions {
        url,
        prefix: "test".to_owned(),
        ..RedisOptions::default()
    }
}

async fn open(options: RedisOptions) -> Result<Arc<dyn Log>, LogStoreError> {
    let store = RedisStore::with(options, 7)?;
    Ok(store.open("one").await?.log)
}

/// Whether an entry that is appended is read back.
async fn takes_entries(log: &Arc<dyn Log>) {
    log.append(b"entry".to_vec()).await.unwrap();
    // On a busy machine a read may give up before the entry has come.
    for _ in 0..60 {
        match log.read(Position::default()).await.unwrap() {
            ReadResult::Entries(entries) if entries.is_empty() => {}
            ReadResult::Entries(entries) => return assert_eq!(entries.len(), 1),
            ReadResult::Broken => panic!("the log is broken"),
        }
    }
    panic!("the entry never came");
}

#[tokio::test]
async fn a_password_is_given_apart_from_the_address_and_a_wrong_one_is_said() {
    let home = tempfile::tempdir().unwrap();
    let server = server(home.path(), "port PORT\nrequirepass hunter2", &[]).await;
    let options = at(format!("redis://127.0.0.1:{}", server.port));
    for wrong in [None, Some("guess".to_owned())] {
        let wrong = RedisOptions {
            password: wrong,
            ..options.clone()
        };
        let refused = open(wrong).await.err().unwrap();
        assert!(matches!(refused, LogStoreError::Unsuitable(_)), "{refused}");
        let said = refused.to_string();
        assert!(
            said.contains("password") && !said.contains("guess"),
            "{said}"
        );
    }
    let right = RedisOptions {
        password: Some("hunter2".to_owned()),
        ..options
    };
    takes_entries(&open(right).await.unwrap()).await;
}

#[tokio::test]
async fn tls_is_spoken_with_whom_the_given_authority_signed() {
    let home = tempfile::tempdir().unwrap();
    let made = Command::new("openssl")
        .args([
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
        ])
        .args([
            "-days",
            "2",
            "-subj",
            "/CN=redis",
            "-addext",
            "subjectAltName=IP:127.0.0.1",
        ])
        .args([
            "-addext",
            "basicConstraints=critical,CA:FALSE",
            "-keyout",
            "key.pem",
            "-out",
            "cert.pem",
        ])
        .current_dir(home.path())
        .stderr(Stdio::null())
        .status()
        .expect("openssl is installed");
    assert!(made.success());
    let lines = "port 0\ntls-port PORT\ntls-cert-file cert.pem\ntls-key-file key.pem\ntls-ca-cert-file cert.pem\ntls-auth-clients no";
    let server = server(home.path(), lines, &[]).await;
    let options = at(format!("rediss://127.0.0.1:{}", server.port));
    let unknown = open(options.clone()).await.err().unwrap().to_string();
    assert!(unknown.contains("certificate"), "{unknown}");
    let certificate = std::fs::read(home.path().join("cert.pem")).unwrap();
    let known = RedisOptions {
        authorities: Some(certificate),
        ..options
    };
    takes_entries(&open(known).await.unwrap()).await;
}

#[tokio::test]
async fn sentinels_name_the_primary() {
    let home = tempfile::tempdir().unwrap();
    let primary = server(home.path(), "port PORT\nrequirepass hunter2", &[]).await;
    let watch = format!(
        "port PORT\nsentinel monitor orders 127.0.0.1 {} 1\nsentinel auth-pass orders hunter2",
        primary.port
    );
    let sentinel = server(home.path(), &watch, &["--sentinel"]).await;
    let nobody = free_port();
    let of_name = |name: &str| RedisOptions {
        password: Some("hunter2".to_owned()),
        ..at(format!(
            "redis+sentinel://127.0.0.1:{nobody},127.0.0.1:{}/{name}",
            sentinel.port
        ))
    };
    takes_entries(&open(of_name("orders")).await.unwrap()).await;
    let unknown = open(of_name("other")).await.err().unwrap();
    assert!(matches!(unknown, LogStoreError::Unreachable(_)));
    assert!(unknown.to_string().contains("`other`"), "{unknown}");
}

#[tokio::test]
async fn a_node_of_a_cluster_is_refused_with_what_is_supported() {
    let home = tempfile::tempdir().unwrap();
    let server = server(home.path(), "port PORT\ncluster-enabled yes", &[]).await;
    let refused = open(at(format!("redis://127.0.0.1:{}", server.port))).await;
    let refused = refused.err().unwrap();
    assert!(matches!(refused, LogStoreError::Unsuitable(_)));
    assert!(
        refused.to_string().contains("redis+sentinel://"),
        "{refused}"
    );
}

/// What fewer replicas have is told to nobody; with them it is.
#[tokio::test]
async fn with_wait_nothing_is_read_that_replicas_lack() {
    let home = tempfile::tempdir().unwrap();
    let primary = server(home.path(), "port PORT", &[]).await;
    let options = RedisOptions {
        replicas: 1,
        ..at(format!("redis://127.0.0.1:{}", primary.port))
    };
    let log = open(options).await.unwrap();
    log.append(b"entry".to_vec()).await.unwrap();
    let lacking = log.read(Position::default()).await.err().unwrap();
    assert!(lacking.to_string().contains("0 of 1 replicas"), "{lacking}");
    let follow = format!(
        "port PORT\nreplicaof 127.0.0.1 {}\nrepl-diskless-sync-delay 0",
        primary.port
    );
    let _replica = server(home.path(), &follow, &[]).await;
    for _ in 0..100 {
        match log.read(Position::default()).await {
            Ok(ReadResult::Entries(entries)) => return assert_eq!(entries.len(), 1),
            Ok(ReadResult::Broken) => panic!("broken"),
            // The replica is not in step yet; a try takes up to a second.
            Err(_) => {}
        }
    }
    panic!("the replica never had it");
}

/// Logs share the connection that they write over.
#[tokio::test]
async fn many_queues_hold_few_connections() {
    let home = tempfile::tempdir().unwrap();
    let server = server(home.path(), "port PORT", &[]).await;
    let store = RedisStore::with(at(format!("redis://127.0.0.1:{}", server.port)), 7).unwrap();
    let mut logs = Vec::new();
    for n in 0..40 {
        let log = store.open(&format!("q{n}")).await.unwrap().log;
        log.append(b"entry".to_vec()).await.unwrap();
        let read = log.read(Position::default()).await.unwrap();
        assert!(matches!(read, ReadResult::Entries(entries) if entries.len() == 1));
        logs.push(log);
    }
    let client = ::redis::Client::open(format!("redis://127.0.0.1:{}", server.port)).unwrap();
    let mut to_redis = client.get_multiplexed_async_connection().await.unwrap();
    let list: String = ::redis::cmd("CLIENT")
        .arg("LIST")
        .query_async(&mut to_redis)
        .await
        .unwrap();
    let connections = list.lines().count() - 1;
    assert!(connections <= 5, "{connections}");
}
