//! A server that is easy to count on, and ways to start the binary.

use std::ffi::OsStr;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::ops::{Deref, DerefMut};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use loadline_testkit::server::{Options, TestServer, TlsMaterial};

/// A server that answers every request of a keep-alive connection with 200 and counts.
pub(crate) struct Server {
    pub(crate) base: String,
    requests: Arc<AtomicU64>,
    changes: Arc<Changes>,
}

/// What of a server's answers is changed while it runs; 0 for nothing.
#[derive(Default)]
struct Changes {
    /// Bytes of the body of `/sized`.
    bytes: AtomicUsize,
    /// Every so many requests one is answered 500.
    fail_every: AtomicU64,
    delay_ms: AtomicU64,
}

impl Server {
    /// Answers at once.
    pub(crate) fn start() -> Self {
        Self::answering_after(Duration::ZERO)
    }

    /// Takes so long for each answer.
    pub(crate) fn answering_after(delay: Duration) -> Self {
        Self::with(Law {
            delay,
            ..Law::default()
        })
    }

    /// Answers so many requests and then takes them without a word.
    pub(crate) fn hanging_after(answers: u64) -> Self {
        Self::with(Law {
            answers,
            ..Law::default()
        })
    }

    /// Closes each connection in answer to its request after so many.
    pub(crate) fn closing_after(answers: u64) -> Self {
        Self::with(Law {
            answers_of_connection: answers,
            ..Law::default()
        })
    }

    fn with(law: Law) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let requests = Arc::new(AtomicU64::new(0));
        let changes = Arc::new(Changes::default());
        let (counted, changed) = (requests.clone(), changes.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (counted, changed) = (counted.clone(), changed.clone());
                std::thread::spawn(move || answer(stream, &counted, law, &changed));
            }
        });
        Self {
            base,
            requests,
            changes,
        }
    }

    /// Answers `/sized` with so many bytes from now on.
    pub(crate) fn answer_with(&self, bytes: usize) {
        self.changes.bytes.store(bytes, Ordering::SeqCst);
    }

    /// Answers one of so many requests with 500 from now on.
    pub(crate) fn fail_every(&self, requests: u64) {
        self.changes.fail_every.store(requests, Ordering::SeqCst);
    }

    /// Takes so long for each answer from now on.
    pub(crate) fn answer_after(&self, delay: Duration) {
        let delay_ms = u64::try_from(delay.as_millis()).unwrap();
        self.changes.delay_ms.store(delay_ms, Ordering::SeqCst);
    }

    pub(crate) fn requests(&self) -> u64 {
        self.requests.load(Ordering::SeqCst)
    }

    /// Waits until so many requests came.
    pub(crate) fn wait_for(&self, requests: u64) {
        until("requests", || self.requests() >= requests);
    }
}

/// A test server on a runtime of its own.
pub(crate) struct TestTarget {
    pub(crate) server: TestServer,
    _runtime: tokio::runtime::Runtime,
}

impl TestTarget {
    pub(crate) fn start(name: &str) -> Self {
        let folder = no_folder(name);
        std::fs::create_dir_all(&folder).unwrap();
        let tls = TlsMaterial::generate(&folder).unwrap();
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let server = runtime.block_on(TestServer::start(&Options::default(), &tls));
        Self {
            server: server.unwrap(),
            _runtime: runtime,
        }
    }
}

/// How a server answers.
#[derive(Clone, Copy)]
struct Law {
    delay: Duration,
    /// Answers in all; further requests get none.
    answers: u64,
    /// Answers on one connection; the next request finds it closed.
    answers_of_connection: u64,
}

impl Default for Law {
    fn default() -> Self {
        Self {
            delay: Duration::ZERO,
            answers: u64::MAX,
            answers_of_connection: u64::MAX,
        }
    }
}

fn answer(mut stream: TcpStream, requests: &AtomicU64, law: Law, changes: &Changes) {
    let mut seen = Vec::new();
    let mut answered = 0;
    let mut buffer = [0_u8; 4096];
    while let Ok(count) = stream.read(&mut buffer) {
        if count == 0 {
            return;
        }
        seen.extend_from_slice(&buffer[..count]);
        while let Some(end) = seen.windows(4).position(|w| w == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&seen[..end]).into_owned();
            seen.drain(..end + 4);
            let earlier = requests.fetch_add(1, Ordering::SeqCst);
            if answered >= law.answers_of_connection {
                return;
            }
            if earlier >= law.answers {
                continue;
            }
            answered += 1;
            match changes.delay_ms.load(Ordering::SeqCst) {
                0 => std::thread::sleep(law.delay),
                delay => std::thread::sleep(Duration::from_millis(delay)),
            }
            let bytes = changes.bytes.load(Ordering::SeqCst);
            let fail_every = changes.fail_every.load(Ordering::SeqCst);
            let sized;
            let answer = if fail_every > 0 && earlier.is_multiple_of(fail_every) {
                "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 4\r\n\r\noops"
            } else if bytes > 0 && head.starts_with("GET /sized ") {
                let body = "x".repeat(bytes);
                sized = format!("HTTP/1.1 200 OK\r\nContent-Length: {bytes}\r\n\r\n{body}");
                &sized
            } else if head.starts_with("GET /moved ") {
                "HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n"
            } else if head.starts_with("GET /empty ") {
                "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
            } else if head.starts_with("GET /missing ") {
                "HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\nnone"
            } else if head.starts_with("GET /broken ") {
                "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 4\r\n\r\noops"
            } else {
                "HTTP/1.1 200 OK\r\nX-Kind: plain\r\nContent-Length: 2\r\n\r\nok"
            };
            if stream.write_all(answer.as_bytes()).is_err() {
                return;
            }
        }
    }
}

/// Time that passes while the machine runs: what it stood still for is nobody's delay.
pub(crate) struct Stopwatch {
    began: Instant,
    stood_still_ns: Arc<AtomicU64>,
}

impl Stopwatch {
    pub(crate) fn start() -> Self {
        const BEAT_INTERVAL: Duration = Duration::from_millis(5);
        let stood_still_ns = Arc::new(AtomicU64::new(0));
        let told = Arc::downgrade(&stood_still_ns);
        std::thread::spawn(move || {
            let mut last = Instant::now();
            while let Some(told) = told.upgrade() {
                std::thread::sleep(BEAT_INTERVAL);
                let late = last.elapsed().saturating_sub(BEAT_INTERVAL);
                last = Instant::now();
                let late = u64::try_from(late.as_nanos()).unwrap();
                told.fetch_add(late, Ordering::SeqCst);
            }
        });
        Self {
            began: Instant::now(),
            stood_still_ns,
        }
    }

    pub(crate) fn assert_within(&self, bound: Duration) {
        let took = self.began.elapsed();
        let stood_still = Duration::from_nanos(self.stood_still_ns.load(Ordering::SeqCst));
        assert!(
            took.saturating_sub(stood_still) < bound,
            "{took:?}, of which the machine stood still for {stood_still:?}"
        );
    }
}

/// Waits until `holds`, at most a minute.
pub(crate) fn until(what: &str, holds: impl FnMut() -> bool) {
    until_within(Duration::from_secs(60), what, holds);
}

/// Waits until `holds`, at most so long.
pub(crate) fn until_within(patience: Duration, what: &str, mut holds: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !holds() {
        assert!(begin.elapsed() < patience, "no {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The command, in English whatever the machine speaks. However it is run, what it says of
/// its own counts is looked at: see [`assert_accounted_for`].
pub(crate) fn command(args: &[&str]) -> Loadline {
    let mut command = Command::new(env!("CARGO_BIN_EXE_loadline"));
    command
        .args(args)
        .env("LANG", "C")
        .env("XDG_DATA_HOME", env!("CARGO_TARGET_TMPDIR"))
        .env_remove("LOADLINE_STORE")
        .env_remove("LC_ALL")
        .env_remove("LC_MESSAGES");
    Loadline(command)
}

/// The binary about to be started; used like [`Command`].
pub(crate) struct Loadline(Command);

impl Loadline {
    /// The name it is started under.
    pub(crate) fn arg0(&mut self, name: &str) -> &mut Self {
        self.0.arg0(name);
        self
    }

    pub(crate) fn arg(&mut self, arg: impl AsRef<OsStr>) -> &mut Self {
        self.0.arg(arg);
        self
    }

    pub(crate) fn args(&mut self, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> &mut Self {
        self.0.args(args);
        self
    }

    pub(crate) fn env(&mut self, key: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> &mut Self {
        self.0.env(key, value);
        self
    }

    pub(crate) fn current_dir(&mut self, folder: impl AsRef<Path>) -> &mut Self {
        self.0.current_dir(folder);
        self
    }

    pub(crate) fn stdout(&mut self, stdout: impl Into<Stdio>) -> &mut Self {
        self.0.stdout(stdout);
        self
    }

    pub(crate) fn stderr(&mut self, stderr: impl Into<Stdio>) -> &mut Self {
        self.0.stderr(stderr);
        self
    }

    /// Runs to the end.
    pub(crate) fn output(&mut self) -> std::io::Result<Output> {
        let output = self.0.output()?;
        assert_accounted_for(&output);
        Ok(output)
    }

    /// Runs in the background.
    pub(crate) fn spawn(&mut self) -> std::io::Result<Started> {
        self.0.spawn().map(Started)
    }
}

/// The binary in the background; used like [`Child`].
pub(crate) struct Started(Child);

impl Started {
    pub(crate) fn wait_with_output(self) -> std::io::Result<Output> {
        let output = self.0.wait_with_output()?;
        assert_accounted_for(&output);
        Ok(output)
    }
}

impl Deref for Started {
    type Target = Child;

    fn deref(&self) -> &Child {
        &self.0
    }
}

impl DerefMut for Started {
    fn deref_mut(&mut self) -> &mut Child {
        &mut self.0
    }
}

/// Nothing vanished: every run holds what it began against what it accounts for (requests
/// sent = answered + failed + cut = measured, iterations started = complete + interrupted,
/// starts planned = started + dropped), and says so when they differ.
fn assert_accounted_for(output: &Output) {
    assert_counts_add_up(&stderr(output));
}

/// The same, of what a run said.
pub(crate) fn assert_counts_add_up(said: &str) {
    assert!(!said.contains("loadline lost count"), "{said}");
}

pub(crate) fn loadline(args: &[&str]) -> Output {
    command(args).output().unwrap()
}

/// The command under a shell's limit of open files.
pub(crate) fn with_open_files(limit: u32, args: &[&str]) -> Output {
    let output = Command::new("sh")
        .arg("-c")
        .arg(format!("ulimit -n {limit} && exec \"$0\" \"$@\""))
        .arg(env!("CARGO_BIN_EXE_loadline"))
        .args(args)
        .env("LANG", "C")
        .env("XDG_DATA_HOME", env!("CARGO_TARGET_TMPDIR"))
        .env_remove("LC_ALL")
        .output()
        .unwrap();
    assert_accounted_for(&output);
    output
}

/// A run in the background.
pub(crate) fn start(args: &[&str]) -> Started {
    command(args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Sends a signal by its name.
pub(crate) fn signal(child: &Child, name: &str) {
    let sent = Command::new("sh")
        .arg("-c")
        .arg(format!("kill -{name} {}", child.id()))
        .status();
    assert!(sent.unwrap().success());
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A script in a file of its own.
pub(crate) fn script(name: &str, text: &str) -> std::path::PathBuf {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    path
}

/// Ports that the system gives nobody who asks for any, nor a connection that goes out.
const STAYING_FREE_PORTS: std::ops::Range<u16> = 12_000..32_000;

/// An address of this machine at which nobody listens, nor will unless told to.
pub(crate) fn free_address() -> SocketAddr {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let (first, count) = (STAYING_FREE_PORTS.start, STAYING_FREE_PORTS.len());
    // Tests of another build that run beside these begin elsewhere.
    let begin = usize::try_from(std::process::id()).unwrap() * 64;
    let mut tries = std::iter::repeat_with(|| {
        let at = begin + usize::from(NEXT.fetch_add(1, Ordering::Relaxed));
        first + u16::try_from(at % count).unwrap()
    });
    let is_free = |port: &u16| TcpListener::bind(("127.0.0.1", *port)).is_ok();
    let port = tries.by_ref().take(count).find(is_free).unwrap();
    SocketAddr::from(([127, 0, 0, 1], port))
}

/// The path of a folder that is not there yet.
pub(crate) fn no_folder(name: &str) -> std::path::PathBuf {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    // Left by an earlier run, or by none.
    let _ = std::fs::remove_dir_all(&path);
    path
}
