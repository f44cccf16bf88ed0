//! A processor in the system's Node: a process for each worker.
//!
//! Lines of JSON go over a socket that is the process's standard input. Threads read and write them, so that no
//! worker ever waits for the process.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::io::{self, BufRead, BufReader, Write};
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::rc::{Rc, Weak};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};
use std::time::Duration;

use loadline_js::{ModuleKind, Program};
use loadline_reactor::ReactorHandle;
use serde_json::{Map, Value, json};

use super::error::ProcessorError;
use super::running::RunningProcessor;
use super::{files, shims};
use crate::console::Console;

const HOST: &str = include_str!("host.js");
const LOADER: &str = include_str!("loader.mjs");

/// The top-level code of a processor, and the packages it loads, may take this long.
const LOAD_TIMEOUT: Duration = Duration::from_secs(120);

/// A processor that runs in Node.
pub(super) struct NodeProcessor {
    binary: PathBuf,
    /// What the process runs.
    host: String,
    /// The first line it is sent: which file to load, and what Node does not read by itself.
    first_line: String,
    env: Map<String, Value>,
    /// The process that was started to look at the processor; the first worker takes it.
    ready: Mutex<Option<NodeProcess>>,
}

/// What a process says when it has loaded its file.
pub(super) struct LoadedFile {
    /// Node's version.
    pub(super) version: String,
    /// The names that the file exports.
    pub(super) names: Vec<String>,
}

/// `node` as the shell would find it.
pub(super) fn find(env: &Map<String, Value>) -> Option<PathBuf> {
    let path = env.get("PATH").and_then(Value::as_str)?;
    let folders = std::env::split_paths(path);
    let mut binaries = folders.map(|folder| folder.join("node"));
    binaries.find(|binary| binary.is_file())
}

impl NodeProcessor {
    /// Starts a process and waits until it has loaded the file.
    ///
    /// # Errors
    /// [`ProcessorError::Init`]: Node cannot be started, or the file cannot be loaded.
    pub(super) fn load(
        binary: PathBuf,
        path: &Path,
        program: &Program,
        env: &Map<String, Value>,
        console: &Arc<dyn Console>,
    ) -> Result<(Self, LoadedFile), ProcessorError> {
        let processor = Self {
            binary,
            host: format!(
                "({})({}, {});",
                expression(HOST),
                expression(shims::LOOP),
                json!(LOADER)
            ),
            first_line: first_line(path, program),
            env: env.clone(),
            ready: Mutex::new(None),
        };
        let process = processor
            .spawn()
            .map_err(|error| processor.unusable(&error))?;
        let said = process.inbox.wait_for_first(LOAD_TIMEOUT, console);
        let said = said.ok_or_else(|| {
            ProcessorError::Init(format!(
                "{} did not load the processor",
                processor.binary.display()
            ))
        })?;
        let text = |line: &str| serde_json::from_str::<String>(line).unwrap_or_default();
        match said.split_at_checked(1) {
            Some(("r", line)) => {
                let said: Value = serde_json::from_str(line).unwrap_or_default();
                let names = said["names"].as_array().into_iter().flatten();
                let names = names.filter_map(Value::as_str).map(str::to_owned).collect();
                let version = said["version"].as_str().unwrap_or_default().to_owned();
                *processor
                    .ready
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner) = Some(process);
                Ok((processor, LoadedFile { version, names }))
            }
            Some(("f", line)) => Err(ProcessorError::Init(text(line))),
            _ => Err(ProcessorError::Init(said)),
        }
    }

    fn unusable(&self, error: &io::Error) -> ProcessorError {
        ProcessorError::Init(format!("{}: {error}", self.binary.display()))
    }

    fn spawn(&self) -> io::Result<NodeProcess> {
        let (own, other) = UnixStream::pair()?;
        let env = self.env.iter();
        let env = env.filter_map(|(name, value)| Some((name, value.as_str()?)));
        let child = Command::new(&self.binary)
            .arg("--eval")
            .arg(&self.host)
            .envs(env)
            .stdin(Stdio::from(OwnedFd::from(other)))
            .spawn()?;
        let inbox = Arc::new(Inbox::default());
        let reading = own.try_clone()?;
        let (outbox, lines) = mpsc::channel();
        let inbox_of_reader = inbox.clone();
        let thread = std::thread::Builder::new();
        thread
            .name("processor-in".to_owned())
            .spawn(move || inbox_of_reader.read(reading, child))?;
        let thread = std::thread::Builder::new();
        thread
            .name("processor-out".to_owned())
            .spawn(move || write(own, &lines))?;
        // The receiver lives as long as the thread that was just started.
        let _ = outbox.send(self.first_line.clone());
        Ok(NodeProcess { inbox, outbox })
    }

    /// Starts it on a worker: its process is started if it is not the first.
    ///
    /// # Errors
    /// [`ProcessorError::Init`].
    pub(super) fn start(
        &self,
        handle: &ReactorHandle,
        console: &Arc<dyn Console>,
    ) -> Result<Rc<RunningProcessor>, ProcessorError> {
        let ready = self
            .ready
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        let process = match ready {
            Some(process) => process,
            None => self.spawn().map_err(|error| self.unusable(&error))?,
        };
        let running = Rc::new(RunningProcessor::in_process(process.outbox));
        let (own, inbox, console) = (Rc::downgrade(&running), process.inbox, console.clone());
        handle.spawn(poll_fn(move |cx| inbox.deliver(&own, &console, cx.waker())));
        Ok(running)
    }
}

/// A file that holds one expression, without what ends it.
fn expression(text: &str) -> &str {
    text.trim_end().trim_end_matches(';')
}

fn first_line(path: &Path, program: &Program) -> String {
    let files = program.files();
    let own = files.iter().filter(|file| file.url.starts_with("file:"));
    let mut given = Map::new();
    let mut links = Map::new();
    for file in own {
        let mut own = file.links.clone();
        own.retain(|_, target| target.starts_with("file:"));
        links.insert(file.url.to_owned(), json!(own));
        let is_module = file.kind == ModuleKind::Esm;
        if file.is_typescript || (is_module && !file.url.ends_with(".mjs")) {
            let format = if is_module { "module" } else { "commonjs" };
            given.insert(
                file.url.to_owned(),
                json!({"code": file.code, "format": format}),
            );
        }
    }
    let entry = files.iter().find(|file| file.url == program.entry());
    let is_module = entry.is_some_and(|file| file.kind == ModuleKind::Esm);
    let path = files::clean(path);
    json!({"path": path, "isModule": is_module, "files": given, "links": links}).to_string()
}

/// A process and the way to it. It ends when `outbox` is dropped.
struct NodeProcess {
    inbox: Arc<Inbox>,
    outbox: Sender<String>,
}

/// Sends lines, those that wait together in one piece, until nobody has any more.
fn write(mut socket: UnixStream, lines: &Receiver<String>) {
    let mut piece = String::new();
    while let Ok(line) = lines.recv() {
        piece.clear();
        for line in std::iter::once(line).chain(lines.try_iter()) {
            piece.push_str(&line);
            piece.push('\n');
        }
        if socket.write_all(piece.as_bytes()).is_err() {
            // The reader sees that the process is gone, and why.
            return;
        }
    }
    // The process ends itself once it reads the end.
    let _ = socket.shutdown(Shutdown::Both);
}

/// The lines of a process that nobody has looked at.
#[derive(Default)]
struct Inbox {
    state: Mutex<InboxState>,
    changed: Condvar,
}

#[derive(Default)]
struct InboxState {
    lines: VecDeque<String>,
    waker: Option<Waker>,
    /// Why no more lines come.
    ended: Option<String>,
}

impl Inbox {
    fn state(&self) -> MutexGuard<'_, InboxState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wake(&self, mut state: MutexGuard<'_, InboxState>) {
        let waker = state.waker.take();
        drop(state);
        self.changed.notify_all();
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// Takes in lines until the process ends.
    fn read(&self, socket: UnixStream, mut child: Child) {
        for line in BufReader::new(socket).lines() {
            let Ok(line) = line else {
                break;
            };
            let mut state = self.state();
            state.lines.push_back(line);
            self.wake(state);
        }
        let ended = match child.wait() {
            Ok(status) => format!("the processor's Node ended: {status}"),
            Err(error) => error.to_string(),
        };
        let mut state = self.state();
        state.ended = Some(ended);
        self.wake(state);
    }

    /// The first line that is not something printed, or why there is none.
    fn wait_for_first(&self, at_most: Duration, console: &Arc<dyn Console>) -> Option<String> {
        let mut state = self.state();
        loop {
            while let Some(line) = state.lines.pop_front() {
                if !print(&line, console) {
                    return Some(line);
                }
            }
            if state.ended.is_some() {
                return state.ended.clone();
            }
            let waited = self.changed.wait_timeout(state, at_most);
            let (now, result) = waited.unwrap_or_else(PoisonError::into_inner);
            state = now;
            if result.timed_out() {
                return None;
            }
        }
    }

    /// Hands lines to the worker's processor; ends with it.
    fn deliver(
        &self,
        running: &Weak<RunningProcessor>,
        console: &Arc<dyn Console>,
        waker: &Waker,
    ) -> Poll<()> {
        let (lines, ended) = {
            let mut state = self.state();
            state.waker = Some(waker.clone());
            (std::mem::take(&mut state.lines), state.ended.clone())
        };
        let Some(running) = running.upgrade() else {
            return Poll::Ready(());
        };
        for line in lines {
            if print(&line, console) {
                continue;
            }
            let Some((kind, rest)) = line.split_at_checked(1) else {
                continue;
            };
            let (head, told) = rest.split_once(' ').unwrap_or((rest, ""));
            match kind {
                "d" => running.done(head.parse().unwrap_or(u64::MAX), told.to_owned()),
                "t" => running.notify_listener(head, told),
                "f" => running.die(serde_json::from_str(rest).unwrap_or_default()),
                _ => {}
            }
        }
        match ended {
            Some(reason) => {
                running.die(reason);
                Poll::Ready(())
            }
            None => Poll::Pending,
        }
    }
}

/// Prints a line that holds something printed.
fn print(line: &str, console: &Arc<dyn Console>) -> bool {
    let text = |json: &str| serde_json::from_str::<String>(json).unwrap_or_default();
    match line.split_at_checked(1) {
        Some(("p", json)) => console.print(text(json)),
        Some(("e", json)) => console.print_error(text(json)),
        _ => return false,
    }
    true
}
