//! Tests that the pages start, each as a process of its own that outlives the server.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use loadline_report::document::printable;
use loadline_web::control::SOCKET_VARIABLE;
use loadline_web::{ScheduledTest, StartedTest, TestRequest, TestRunner, TestStartError};

use super::spawner::Spawner;
use crate::context::Context;
use crate::control_folder::{control_folder, private};
use crate::launch::recording::run_name;

/// The last bytes of a process's words that are shown.
const OUTPUT_BYTES_MAX: u64 = 16 * 1024;

/// A file of words is emptied beyond so many bytes.
const WORDS_BYTES_MAX: u64 = 8 << 20;
/// How often a started test is looked at.
const CHILD_LOOK_INTERVAL: Duration = Duration::from_millis(500);
/// The longest name of a file that is sent along.
const SENT_NAME_BYTES_MAX: usize = 255;
/// Words and files of a test are kept so long.
const STARTED_AGE_MAX: Duration = Duration::from_secs(7 * 24 * 3600);

/// How long a test's init code may take before its load is shown, and how often it is looked at.
const PREVIEW_TIMEOUT: Duration = Duration::from_secs(20);
const PREVIEW_INTERVAL: Duration = Duration::from_millis(20);

/// Processes that were started, by name.
pub(super) struct Processes {
    program: PathBuf,
    store: PathBuf,
    working_dir: PathBuf,
    /// Where sockets, words and files that were sent lie.
    folder: PathBuf,
    wall_clock: fn() -> SystemTime,
    spawner: Spawner,
    started: Arc<Mutex<BTreeMap<String, Started>>>,
}

struct Started {
    state: StartedState,
    test: String,
    words: PathBuf,
    socket: PathBuf,
}

/// Whether a test was started yet.
enum StartedState {
    /// It goes on, or ended with a code.
    Spawned(Arc<OnceLock<ExitStatus>>),
    /// It waits; dropping the sender takes it back.
    Waiting { at_ms: i64, _keep: Sender<()> },
    /// It could not be started when its time came.
    Failed(String),
}

impl Processes {
    /// To be made by a thread of the priority that tests are to have.
    pub(super) fn new(context: &Context, store: &Path) -> std::io::Result<Self> {
        let folder = control_folder(context);
        forget_old(&folder, (context.wall_clock)());
        Ok(Self {
            program: std::env::current_exe()?,
            store: store.to_owned(),
            working_dir: context.working_dir.clone(),
            folder,
            wall_clock: context.wall_clock,
            spawner: Spawner::start()?,
            started: Arc::default(),
        })
    }
}

impl TestRunner for Processes {
    fn start(&self, request: &TestRequest) -> Result<String, TestStartError> {
        private(&self.folder).map_err(TestStartError::System)?;
        let name = run_name();
        let socket = self.folder.join(format!("{name}.sock"));
        let words = self.folder.join(format!("{name}.log"));
        let test = placed(request, &self.folder.join(&name)).map_err(start_error)?;
        let command = TestCommand {
            program: self.program.clone(),
            arguments: [vec!["run".to_owned(), test], request.options.clone()].concat(),
            store: self.store.clone(),
            socket: socket.clone(),
            words: words.clone(),
            folder: self.working_dir.clone(),
        };
        let now_ms = millis((self.wall_clock)());
        let state = match request.at_ms.filter(|at_ms| *at_ms > now_ms) {
            None => {
                let ended = command.start(&self.spawner);
                StartedState::Spawned(ended.map_err(TestStartError::System)?)
            }
            Some(at_ms) => {
                let wait = Duration::from_millis(at_ms.abs_diff(now_ms));
                let keep = self.later(&name, command, wait);
                let keep = keep.map_err(TestStartError::System)?;
                StartedState::Waiting { at_ms, _keep: keep }
            }
        };
        let started = Started {
            state,
            test: request.test.clone(),
            words,
            socket,
        };
        self.all().insert(name.clone(), started);
        Ok(name)
    }

    fn preview(&self, request: &TestRequest, lang: &str) -> Result<String, TestStartError> {
        private(&self.folder).map_err(TestStartError::System)?;
        let folder = self.folder.join(run_name());
        private(&folder).map_err(TestStartError::System)?;
        let asked = placed(request, &folder).and_then(|test| {
            let command = PreviewCommand {
                program: &self.program,
                test,
                options: &request.options,
                lang,
                working_dir: &self.working_dir,
                folder: &folder,
            };
            command.run()
        });
        let removed = std::fs::remove_dir_all(&folder);
        let (is_good, printed, said) = asked.map_err(start_error)?;
        removed.map_err(TestStartError::System)?;
        if is_good {
            Ok(printed)
        } else {
            Err(TestStartError::Refused(said))
        }
    }

    fn progress(&self, name: &str) -> Option<StartedTest> {
        let mut all = self.all();
        let started = all.get_mut(name)?;
        let mut told = StartedTest {
            running: true,
            code: None,
            output: last_words(&started.words),
            control_socket: started.socket.display().to_string(),
            waits_until_ms: None,
        };
        match &mut started.state {
            StartedState::Spawned(ended) => {
                let ended = ended.get();
                told.running = ended.is_none();
                told.code = ended.and_then(ExitStatus::code);
            }
            StartedState::Waiting { at_ms, .. } => told.waits_until_ms = Some(*at_ms),
            StartedState::Failed(reason) => {
                told.running = false;
                told.output.clone_from(reason);
            }
        }
        Some(told)
    }

    fn scheduled(&self) -> Vec<ScheduledTest> {
        let all = self.all();
        let waiting = all
            .iter()
            .filter_map(|(name, started)| match started.state {
                StartedState::Waiting { at_ms, .. } => Some(ScheduledTest {
                    name: name.clone(),
                    test: started.test.clone(),
                    at_ms,
                }),
                _ => None,
            });
        let mut waiting: Vec<ScheduledTest> = waiting.collect();
        waiting.sort_by_key(|test| test.at_ms);
        waiting
    }

    fn cancel(&self, name: &str) -> bool {
        let mut all = self.all();
        let waits = |started: &Started| matches!(started.state, StartedState::Waiting { .. });
        let is_waiting = all.get(name).is_some_and(waits);
        if is_waiting {
            all.remove(name);
        }
        is_waiting
    }
}

/// A name that no file can have is the sender's mistake.
fn start_error(error: std::io::Error) -> TestStartError {
    match error.kind() {
        std::io::ErrorKind::InvalidFilename => TestStartError::Refused(error.to_string()),
        _ => TestStartError::System(error),
    }
}

/// What is run: the test as it was named, or the file that was sent, which is put into `folder`.
fn placed(request: &TestRequest, folder: &Path) -> std::io::Result<String> {
    let Some(source) = &request.source else {
        return Ok(request.test.clone());
    };
    let sent = Path::new(&request.test).file_name().unwrap_or_default();
    if sent.len() > SENT_NAME_BYTES_MAX {
        return Err(std::io::ErrorKind::InvalidFilename.into());
    }
    private(folder)?;
    let path = folder.join(sent);
    std::fs::write(&path, source)?;
    Ok(path.display().to_string())
}

/// Asks for the load that a test plans.
struct PreviewCommand<'a> {
    program: &'a Path,
    test: String,
    options: &'a [String],
    lang: &'a str,
    working_dir: &'a Path,
    folder: &'a Path,
}

impl PreviewCommand<'_> {
    /// Whether it went well, what was printed, and what was said.
    #[expect(
        clippy::disallowed_methods,
        reason = "it runs where blocking is allowed, and waits for another process"
    )]
    fn run(&self) -> std::io::Result<(bool, String, String)> {
        let [printed, said] = ["printed", "said"].map(|name| self.folder.join(name));
        let mut child = Command::new(self.program)
            .arg("preview")
            .arg(&self.test)
            .args(self.options)
            .args(["--no-store", "--lang", self.lang])
            .current_dir(self.working_dir)
            .stdin(Stdio::null())
            .stdout(File::create(&printed)?)
            .stderr(File::create(&said)?)
            .process_group(0)
            .spawn()?;
        let looks = PREVIEW_TIMEOUT.as_millis() / PREVIEW_INTERVAL.as_millis();
        for _ in 0..looks {
            if let Some(status) = child.try_wait()? {
                let text = std::fs::read_to_string(&printed)?;
                return Ok((status.success(), text, last_words(&said)));
            }
            std::thread::sleep(PREVIEW_INTERVAL);
        }
        // Init code that does not end.
        child.kill()?;
        child.wait()?;
        Err(std::io::Error::from(std::io::ErrorKind::TimedOut))
    }
}

/// The command of a test.
struct TestCommand {
    program: PathBuf,
    arguments: Vec<String>,
    store: PathBuf,
    socket: PathBuf,
    words: PathBuf,
    folder: PathBuf,
}

impl TestCommand {
    /// Starts it; gives where its end is told. Whoever ended is waited for, and what it prints stays
    /// bounded, on a thread of its own.
    fn start(&self, spawner: &Spawner) -> std::io::Result<Arc<OnceLock<ExitStatus>>> {
        let mut child = spawner.spawn(self.prepare()?)?;
        let ended = Arc::new(OnceLock::new());
        let (end, words) = (ended.clone(), self.words.clone());
        let watch = move || {
            // Nobody sends: it is the pause between two looks.
            let (_keep, pause) = channel::<()>();
            loop {
                match child.try_wait() {
                    Ok(Some(status)) => {
                        let _ = end.set(status);
                        return;
                    }
                    Ok(None) => {}
                    // There is no such child any more.
                    Err(_) => return,
                }
                shorten(&words);
                let _ = pause.recv_timeout(CHILD_LOOK_INTERVAL);
            }
        };
        let thread = std::thread::Builder::new().name("started".to_owned());
        thread.spawn(watch).map(|_| ended)
    }

    fn prepare(&self) -> std::io::Result<Command> {
        // What is taken away from the file's beginning leaves no hole behind.
        let file = File::options()
            .create(true)
            .append(true)
            .open(&self.words)?;
        let same = file.try_clone()?;
        let mut command = Command::new(&self.program);
        command
            .args(&self.arguments)
            .env("LOADLINE_STORE", &self.store)
            .env(SOCKET_VARIABLE, &self.socket)
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .stdout(file)
            .stderr(same)
            // Ctrl-C at the server's terminal is not meant for it.
            .process_group(0);
        Ok(command)
    }
}

/// Empties a file of words that grew beyond what anybody reads: of a script that prints without an end.
fn shorten(words: &Path) {
    let is_long = std::fs::metadata(words).is_ok_and(|file| file.len() > WORDS_BYTES_MAX);
    if is_long {
        // One that cannot be emptied is emptied at the next look.
        let _ = File::options()
            .write(true)
            .open(words)
            .and_then(|file| file.set_len(0));
    }
}

/// Takes away words and sent files of tests that were started long ago.
fn forget_old(folder: &Path, now: SystemTime) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        let path = entry.path();
        let is_old = entry
            .metadata()
            .and_then(|metadata| metadata.modified())
            .is_ok_and(|modified| {
                now.duration_since(modified)
                    .is_ok_and(|age| age > STARTED_AGE_MAX)
            });
        let is_log = path.extension().is_some_and(|end| end == "log");
        if !is_old {
            continue;
        }
        // What stays is taken away by a later start.
        let _ = if path.is_dir() {
            std::fs::remove_dir_all(&path)
        } else if is_log {
            std::fs::remove_file(&path)
        } else {
            Ok(())
        };
    }
}

fn millis(time: SystemTime) -> i64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

impl Processes {
    /// Starts a test when its time has come, unless the sender that is given is dropped before.
    fn later(
        &self,
        name: &str,
        command: TestCommand,
        wait: Duration,
    ) -> std::io::Result<Sender<()>> {
        let (keep, taken_back) = channel::<()>();
        let (all, name) = (self.started.clone(), name.to_owned());
        let spawner = self.spawner.clone();
        let waiting = move || {
            if taken_back.recv_timeout(wait) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(started) = all.get_mut(&name) {
                started.state = match command.start(&spawner) {
                    Ok(ended) => StartedState::Spawned(ended),
                    Err(error) => StartedState::Failed(error.to_string()),
                };
            }
        };
        let thread = std::thread::Builder::new().name("scheduled".to_owned());
        thread.spawn(waiting).map(|_| keep)
    }

    fn all(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, Started>> {
        self.started.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a process said last; nothing when that cannot be read.
fn last_words(path: &Path) -> String {
    let read = || -> std::io::Result<String> {
        let mut file = File::open(path)?;
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(OUTPUT_BYTES_MAX)))?;
        let mut bytes = Vec::new();
        file.take(OUTPUT_BYTES_MAX).read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    let longest = usize::try_from(OUTPUT_BYTES_MAX).unwrap_or(usize::MAX);
    printable::lines(&read().unwrap_or_default(), longest)
}
