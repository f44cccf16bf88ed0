//! Log lines in k6's form, to a stream or a file.

use std::fs::File;
use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};

use jiff::Zoned;
use loadline_k6::log::{Entry, LogLevel, LogSink};
use loadline_k6::options::flags::{LogFormat, LogOutput};
use loadline_record::Redactor;

use crate::terminal::screen::{self, StandardStream};

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
}

impl LogWriter {
    /// A writer for these settings. `console_output` takes what scripts say; in all other
    /// lines `redactor` masks secrets.
    ///
    /// # Errors
    /// When a file cannot be made.
    pub(crate) fn new(
        output: &LogOutput,
        format: LogFormat,
        verbose: bool,
        console_output: Option<&str>,
        redactor: Redactor,
    ) -> io::Result<Self> {
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
                least = level.as_deref().map_or(least, level_named);
                Target::File(File::options().append(true).create(true).open(path)?)
            }
        };
        let append = |path: &str| File::options().append(true).create(true).open(path);
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
            let mut file = file
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner);
            self.write(&mut file, &line);
            return;
        }
        // What a script itself prints is its own affair.
        let entry = if entry.is_console() {
            entry
        } else {
            entry.mapped(|text| self.redactor.text(text))
        };
        let line = self.line(&entry);
        let mut to = self
            .to
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        // A reader that went away ends no run either.
        let _ = match &mut *to {
            // A run that has the screen shows them there, and they are written afterwards.
            Target::Stderr if screen::hold(StandardStream::Err, &line) => Ok(()),
            Target::Stdout if screen::hold(StandardStream::Out, &line) => Ok(()),
            Target::Stderr => io::stderr().lock().write_all(line.as_bytes()),
            Target::Stdout => io::stdout().lock().write_all(line.as_bytes()),
            Target::Nowhere => Ok(()),
            Target::File(file) => {
                self.write(file, &line);
                Ok(())
            }
        };
    }
}

/// Local time to the second, with its offset.
fn now() -> String {
    let now = Zoned::now();
    let text = now.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string();
    text.strip_suffix("+00:00")
        .map_or(text.clone(), |utc| format!("{utc}Z"))
}

fn level_named(name: &str) -> LogLevel {
    match name {
        "debug" | "trace" => LogLevel::Debug,
        "warning" | "warn" => LogLevel::Warning,
        "error" | "fatal" | "panic" => LogLevel::Error,
        _ => LogLevel::Info,
    }
}
