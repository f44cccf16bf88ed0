//! The process: arguments, environment, streams. Nothing else touches them.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};

/// What a command may know of and do to the process it runs in.
pub(crate) struct Context {
    /// Arguments after the program's name.
    pub(crate) args: Vec<String>,
    /// The environment, as far as it is UTF-8.
    pub(crate) env: BTreeMap<String, String>,
    /// Standard output is a terminal.
    pub(crate) stdout_is_tty: bool,
    /// Standard error is a terminal.
    pub(crate) stderr_is_tty: bool,
}

impl Context {
    pub(crate) fn of_process() -> Self {
        let env = std::env::vars_os()
            .filter_map(|(key, value)| Some((key.into_string().ok()?, value.into_string().ok()?)));
        let args = std::env::args_os().skip(1);
        Self {
            args: args.map(|arg| arg.to_string_lossy().into_owned()).collect(),
            env: env.collect(),
            stdout_is_tty: io::stdout().is_terminal(),
            stderr_is_tty: io::stderr().is_terminal(),
        }
    }

    /// Writes to standard output. A reader that went away ends the writing, not the run.
    pub(crate) fn out(&mut self, text: &str) {
        let mut stdout = io::stdout().lock();
        let _ = stdout
            .write_all(text.as_bytes())
            .and_then(|()| stdout.flush());
    }

    /// Writes to standard error, likewise.
    pub(crate) fn err(&mut self, text: &str) {
        let mut stderr = io::stderr().lock();
        let _ = stderr
            .write_all(text.as_bytes())
            .and_then(|()| stderr.flush());
    }
}
