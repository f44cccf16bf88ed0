//! A Redis of a test's own, on a free port of this machine.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// The file of a copy.
const COPY: &str = "copy.rdb";

pub(super) struct Server {
    port: u16,
    process: Child,
    home: tempfile::TempDir,
}

impl Server {
    pub(super) fn start() -> Self {
        let port = TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        let home = tempfile::tempdir().unwrap();
        Self {
            port,
            process: spawn(port, home.path()),
            home,
        }
    }

    pub(super) fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    /// Killed, and started with nothing.
    pub(super) fn restart_empty(&mut self) {
        // There may be no copy.
        let _ = std::fs::remove_file(self.home.path().join(COPY));
        self.restart_from_copy();
    }

    /// Writes a copy to start from.
    pub(super) fn copy(&self) {
        assert!(self.ask(&["SAVE"]).starts_with("+OK"));
    }

    /// Killed, and started with the last copy.
    pub(super) fn restart_from_copy(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
        self.process = spawn(self.port, self.home.path());
    }

    /// Forgets the last entries of a log, as a restart from an older file would.
    pub(super) fn set_back(&self, meta: &str, log: &str, entries: u64) {
        let script = format!(
            "local n = tonumber(redis.call('HGET', '{meta}', 'n')) for i = 1, {entries} do \
             local last = redis.call('XREVRANGE', '{log}', '+', '-', 'COUNT', 1)[1] \
             redis.call('XDEL', '{log}', last[1]) redis.call('HSET', '{meta}', 'mark', last[2][4]) end \
             n = n - {entries} redis.call('HSET', '{meta}', 'n', n) redis.call('XSETID', '{log}', '0-' .. n) return n"
        );
        let answer = self.ask(&["EVAL", &script, "0"]);
        assert!(answer.starts_with(':'), "{answer}");
    }

    /// Whether a key is there.
    pub(super) fn has(&self, key: &str) -> bool {
        self.ask(&["EXISTS", key]).starts_with(":1")
    }

    fn ask(&self, words: &[&str]) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.write_all(resp(words).as_bytes()).unwrap();
        let mut answer = [0; 512];
        let length = stream.read(&mut answer).unwrap();
        String::from_utf8_lossy(&answer[..length]).into_owned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn resp(words: &[&str]) -> String {
    let parts = words
        .iter()
        .map(|word| format!("${}\r\n{word}\r\n", word.len()));
    format!("*{}\r\n{}", words.len(), parts.collect::<String>())
}

fn spawn(port: u16, home: &Path) -> Child {
    let mut command = Command::new("redis-server");
    command.args([
        "--port",
        &port.to_string(),
        "--bind",
        "127.0.0.1",
        "--save",
        "",
        "--appendonly",
        "no",
        "--dbfilename",
        COPY,
        "--dir",
    ]);
    command.arg(home);
    let spawned = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let process = spawned.expect("redis-server is installed (apt-get install redis-server)");
    let tries = (0..1_000)
        .take_while(|_| !answers(port))
        .inspect(|_| pause())
        .count();
    assert!(tries < 1_000, "redis-server does not answer on port {port}");
    process
}

fn answers(port: u16) -> bool {
    let Ok(mut stream) = TcpStream::connect(("127.0.0.1", port)) else {
        return false;
    };
    let mut answer = [0; 7];
    stream.write_all(b"PING\r\n").is_ok()
        && stream.read_exact(&mut answer).is_ok()
        && &answer == b"+PONG\r\n"
}

#[expect(
    clippy::disallowed_methods,
    reason = "another process is waited for, in real time"
)]
fn pause() {
    std::thread::sleep(Duration::from_millis(10));
}
