//! Tests that the pages start, each as a process of its own that outlives the server.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::os::unix::fs::DirBuilderExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use loadline_report::document::printable;
use loadline_web::control::SOCKET_VARIABLE;
use loadline_web::{StartedTest, TestRequest, TestRunner, TestStartError};

use crate::commands::run::keep::run_name;
use crate::context::Context;

/// The last bytes of a process's words that are shown.
const SHOWN: u64 = 16 * 1024;

/// Processes that were started, by name.
pub(super) struct Processes {
    program: PathBuf,
    store: PathBuf,
    working_dir: PathBuf,
    /// Where sockets, words and files that were sent lie.
    folder: PathBuf,
    started: Mutex<BTreeMap<String, Started>>,
}

struct Started {
    child: Child,
    words: PathBuf,
    socket: PathBuf,
}

impl Processes {
    pub(super) fn new(context: &Context, store: &Path) -> std::io::Result<Self> {
        Ok(Self {
            program: std::env::current_exe()?,
            store: store.to_owned(),
            working_dir: context.working_dir.clone(),
            folder: control_folder(context),
            started: Mutex::default(),
        })
    }
}

/// The folder of sockets: only this user may enter it.
pub(crate) fn control_folder(context: &Context) -> PathBuf {
    let runtime = context
        .env
        .get("XDG_RUNTIME_DIR")
        .filter(|path| !path.is_empty());
    match runtime {
        Some(path) => Path::new(path).join("loadline"),
        None => {
            let user = rustix::process::getuid().as_raw();
            std::env::temp_dir().join(format!("loadline-{user}"))
        }
    }
}

/// Makes the folder, or sees that it is this user's and nobody else's.
pub(crate) fn private(folder: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::MetadataExt as _;
    let made = std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder);
    made?;
    let found = std::fs::symlink_metadata(folder)?;
    let is_own = found.uid() == rustix::process::getuid().as_raw();
    if !found.is_dir() || !is_own || found.mode() & 0o077 != 0 {
        let error = format!("{} is open to others", folder.display());
        return Err(std::io::Error::new(
            std::io::ErrorKind::PermissionDenied,
            error,
        ));
    }
    Ok(())
}

impl TestRunner for Processes {
    fn start(&self, request: &TestRequest) -> Result<String, TestStartError> {
        private(&self.folder).map_err(TestStartError::System)?;
        let name = run_name();
        let socket = self.folder.join(format!("{name}.sock"));
        let words = self.folder.join(format!("{name}.log"));
        let test = match &request.source {
            None => request.test.clone(),
            Some(source) => {
                let sent = Path::new(&request.test).file_name().unwrap_or_default();
                let folder = self.folder.join(&name);
                private(&folder).map_err(TestStartError::System)?;
                let path = folder.join(sent);
                std::fs::write(&path, source).map_err(TestStartError::System)?;
                path.display().to_string()
            }
        };
        let file = File::create(&words).map_err(TestStartError::System)?;
        let same = file.try_clone().map_err(TestStartError::System)?;
        let child = Command::new(&self.program)
            .arg("run")
            .arg(test)
            .args(&request.options)
            .env("LOADLINE_STORE", &self.store)
            .env(SOCKET_VARIABLE, &socket)
            .current_dir(&self.working_dir)
            .stdin(Stdio::null())
            .stdout(file)
            .stderr(same)
            // Ctrl-C at the server's terminal is not meant for it.
            .process_group(0)
            .spawn()
            .map_err(TestStartError::System)?;
        let started = Started {
            child,
            words,
            socket,
        };
        self.all().insert(name.clone(), started);
        Ok(name)
    }

    fn progress(&self, name: &str) -> Option<StartedTest> {
        let mut all = self.all();
        let started = all.get_mut(name)?;
        let ended = started.child.try_wait().ok().flatten();
        Some(StartedTest {
            running: ended.is_none(),
            code: ended.and_then(|status| status.code()),
            output: last_words(&started.words),
            control_socket: started.socket.display().to_string(),
        })
    }
}

impl Processes {
    fn all(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, Started>> {
        self.started.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a process said last; nothing when that cannot be read.
fn last_words(path: &Path) -> String {
    let read = || -> std::io::Result<String> {
        let mut file = File::open(path)?;
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(SHOWN)))?;
        let mut bytes = Vec::new();
        file.take(SHOWN).read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    let longest = usize::try_from(SHOWN).unwrap_or(usize::MAX);
    printable::lines(&read().unwrap_or_default(), longest)
}
