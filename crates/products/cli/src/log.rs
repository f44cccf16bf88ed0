//! Log lines in k6's form, to a stream, a file or Loki.

use std::fs::File;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use loadline_k6::log::{Entry, LogLevel, LogSink};
use loadline_k6_options::flags::{LogFormat, LogOutput};
use loadline_record::Redactor;
use loadline_session::loki::LokiLog;

use crate::context::Context;
use crate::terminal::screen::{self, StandardStream};
use crate::zone;

/// Writes log lines as they come.
pub(crate) struct LogWriter {
    to: Mutex<Target>,
    console_to: Option<Mutex<File>>,
    format: LogFormat,
    least: LogLevel,
    redactor: Redactor,
    /// Lines that a file did not take.
    lost: AtomicU64,
    /// Why the first of them was not written.
    first_loss: OnceLock<String>,
}

enum Target {
    Stderr,
    Stdout,
    Nowhere,
    File(File),
    Loki(LokiLog),
}

impl LogWriter {
    /// A writer for these settings. `console_output` takes what scripts say; in all other
    /// lines `redactor` masks secrets.
    ///
    /// # Errors
    /// When a file cannot be made, or an address cannot be used.
    pub(crate) fn new(
        context: &Context,
        output: &LogOutput,
        format: LogFormat,
        verbose: bool,
        console_output: Option<&str>,
        redactor: Redactor,
    ) -> Result<Self, String> {
        // Its patterns take milliseconds to compile, which no worker should wait for.
        std::thread::spawn(Redactor::prepare);
        let mut least = if verbose {
            LogLevel::Debug
        } else {
            LogLevel::Info
        };
        let to = match output {
            LogOutput::Stderr => Target::Stderr,
            LogOutput::Stdout => Target::Stdout,
            LogOutput::None => Target::Nowhere,
            LogOutput::File { path, level } => {
                least = least.max(level.unwrap_or(least));
                Target::File(log_file(&context.working_dir.join(path))?)
            }
            LogOutput::Loki(settings) => {
                least = least.max(settings.level.unwrap_or(least));
                // What cannot be pushed cannot be said by pushing.
                let listener = Box::new(|entry: Entry| print_entry(&entry));
                let (env, clock) = (&context.env, context.wall_clock);
                Target::Loki(LokiLog::start(settings.clone(), env, clock, listener)?)
            }
        };
        let append = |path: &str| {
            let file = File::options().append(true).create(true).open(path);
            file.map_err(|error| error.to_string())
        };
        Ok(Self {
            to: Mutex::new(to),
            console_to: console_output.map(append).transpose()?.map(Mutex::new),
            format,
            least,
            redactor,
            lost: AtomicU64::new(0),
            first_loss: OnceLock::new(),
        })
    }

    /// Logs why the run fails; where lines are pushed elsewhere, standard error has it too.
    pub(crate) fn log_failure(&self, entry: Entry) {
        if entry.level == LogLevel::Error && matches!(&*self.to(), Target::Loki(_)) {
            print_entry(&self.masked(entry.clone()));
        }
        self.log(entry);
    }

    /// Whether who started the run sees its lines.
    pub(crate) fn is_seen(&self) -> bool {
        matches!(&*self.to(), Target::Stderr | Target::Stdout)
    }

    /// Hands on what is still on its way. Nothing is logged after it.
    pub(crate) fn finish(&self) {
        if let Target::Loki(loki) = &*self.to() {
            loki.finish();
        }
    }

    fn to(&self) -> MutexGuard<'_, Target> {
        self.to.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a script itself prints is its own affair.
    fn masked(&self, entry: Entry) -> Entry {
        if entry.is_console() {
            return entry;
        }
        entry.mapped(|text| self.redactor.text(text))
    }

    /// How many lines its files did not take, and why; `None` without such.
    pub(crate) fn losses(&self) -> Option<(u64, &str)> {
        let why = self.first_loss.get()?;
        Some((self.lost.load(Ordering::Relaxed), why))
    }

    /// Writes to a file. A full disk must not end the run, so losses are counted.
    fn write(&self, file: &mut File, line: &str) {
        if let Err(error) = file.write_all(line.as_bytes()) {
            self.lost.fetch_add(1, Ordering::Relaxed);
            let _ = self.first_loss.set(error.to_string());
        }
    }

    fn line(&self, entry: &Entry) -> String {
        match self.format {
            LogFormat::Raw => format!("{}\n", entry.message),
            LogFormat::Json => entry.json_line(&now()),
            LogFormat::Text => entry.text_line(&now()),
        }
    }
}

impl LogSink for LogWriter {
    fn log(&self, entry: Entry) {
        if entry.level < self.least {
            return;
        }
        if entry.is_console()
            && let Some(file) = &self.console_to
        {
            // In a file of its own it need not be said where a line comes from.
            let line = self.line(&entry.without("source"));
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            self.write(&mut file, &line);
            return;
        }
        let entry = self.masked(entry);
        let line = self.line(&entry);
        match &mut *self.to() {
            // A run that has the screen shows them there, and they are written afterwards.
            Target::Stderr => screen::write_or_hold(StandardStream::Err, &line),
            Target::Stdout => screen::write_or_hold(StandardStream::Out, &line),
            Target::Nowhere => {}
            Target::File(file) => self.write(file, &line),
            Target::Loki(loki) => loki.push(entry),
        }
    }
}

/// Writes a line to standard error.
fn print_entry(entry: &Entry) {
    let line = entry.text_line(&now());
    screen::write_or_hold(StandardStream::Err, &line);
}

/// Opens a file for the log, as k6 does: for its owner alone, behind what it holds.
fn log_file(path: &Path) -> Result<File, String> {
    let folder = path.parent().filter(|folder| !folder.exists());
    if let Some(folder) = folder {
        let folder = folder.display();
        return Err(format!("provided directory '{folder}' does not exist"));
    }
    let file = File::options()
        .append(true)
        .create(true)
        .mode(0o600)
        .open(path);
    file.map_err(|error| format!("failed to open logfile {}: {error}", path.display()))
}

/// Local time to the second, with its offset.
fn now() -> String {
    let now = zone::now();
    let text = now.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string();
    text.strip_suffix("+00:00")
        .map_or(text.clone(), |utc| format!("{utc}Z"))
}
