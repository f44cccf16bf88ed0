//! The process: arguments, environment, streams, wall clock. Nothing else touches them.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use loadline_text::{Catalog, Dialect, Exit, Lang, problem};

use crate::language;
use crate::project::Project;
use crate::terminal::screen::{self, StandardStream};
use crate::trial_rows::TrialRows;
use crate::typed_numbers;

/// What a command may know of and do to the process it runs in.
pub(crate) struct Context {
    /// The program's name as it was started.
    pub(crate) program: String,
    /// Arguments after it.
    pub(crate) args: Vec<String>,
    /// The environment, as far as it is UTF-8.
    pub(crate) env: BTreeMap<String, String>,
    /// Where relative paths start.
    pub(crate) working_dir: PathBuf,
    /// The language asked for before the command.
    pub(crate) lang: Option<Lang>,
    /// The command that was typed, as its help is asked for: `loadline gate import`.
    pub(crate) command: String,
    /// What the next run is to be called; any name if it says nothing.
    pub(crate) next_run_name: RefCell<Option<String>>,
    /// Rows that loads of this command have used up.
    pub(crate) trial_rows: TrialRows,
    /// What `loadline.yaml` says, once it was read.
    pub(crate) project: OnceCell<Project>,
    /// Standard input is a terminal.
    pub(crate) stdin_is_tty: bool,
    /// The time of day.
    pub(crate) wall_clock: fn() -> SystemTime,
    /// Standard output is a terminal.
    pub(crate) stdout_is_tty: bool,
    /// Standard error is a terminal.
    pub(crate) stderr_is_tty: bool,
}

impl Context {
    pub(crate) fn of_process() -> Self {
        let env = std::env::vars_os()
            .filter_map(|(key, value)| Some((key.into_string().ok()?, value.into_string().ok()?)));
        let mut args = std::env::args_os().map(|arg| arg.to_string_lossy().into_owned());
        let mut context = Self {
            program: args.next().unwrap_or_default(),
            args: args.collect(),
            env: env.collect(),
            working_dir: std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/")),
            lang: None,
            command: "loadline".to_owned(),
            next_run_name: RefCell::new(None),
            trial_rows: TrialRows::default(),
            project: OnceCell::new(),
            stdin_is_tty: io::stdin().is_terminal(),
            wall_clock: wall_clock(),
            stdout_is_tty: io::stdout().is_terminal(),
            stderr_is_tty: io::stderr().is_terminal(),
        };
        // What k6 refuses is refused under its name, too.
        if !context.is_k6() {
            context.args = typed_numbers::in_ascii(std::mem::take(&mut context.args));
        }
        context
    }

    /// Whether it was started under the name `k6`.
    pub(crate) fn is_k6(&self) -> bool {
        let name = std::path::Path::new(&self.program).file_name();
        name.is_some_and(|name| name == "k6")
    }

    /// Whether a person sits at a terminal that can be drawn on and gives keys.
    pub(crate) fn is_interactive(&self) -> bool {
        let dumb = self.env.get("TERM").is_none_or(|term| term == "dumb");
        self.stdin_is_tty && self.stdout_is_tty && self.stderr_is_tty && !dumb && !self.is_k6()
    }

    /// Whether colours are wanted at a terminal.
    pub(crate) fn has_colors(&self) -> bool {
        let env = |name: &str| self.env.get(name).map_or("", String::as_str);
        env("NO_COLOR").is_empty() && env("CLICOLOR") != "0"
    }

    /// The catalogue of the language asked for: `--lang`, else the locale.
    pub(crate) fn catalog(&self, asked: Option<Lang>) -> Catalog {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"]
            .iter()
            .filter_map(|name| self.env.get(*name))
            .find(|value| !value.is_empty());
        let of_locale = || locale.and_then(|tag| Lang::of_tag(tag));
        let asked = asked.or_else(|| language::typed(&self.args)).or(self.lang);
        Catalog::new(asked.or_else(of_locale).unwrap_or_default()).of_command(&*self.command)
    }

    /// Writes to standard output. A reader that went away ends the writing, not the run.
    #[expect(clippy::unused_self, reason = "who writes must hold the context")]
    pub(crate) fn out(&mut self, text: &str) {
        screen::write_or_hold(StandardStream::Out, text);
    }

    /// Writes to standard error, likewise.
    #[expect(clippy::unused_self, reason = "who writes must hold the context")]
    pub(crate) fn err(&mut self, text: &str) {
        Self::print_err(text);
    }

    /// Writes to standard error from a task that cannot hold the context.
    pub(crate) fn print_err(text: &str) {
        screen::write_or_hold(StandardStream::Err, text);
    }

    /// Writes what a live view of lines draws to the terminal.
    #[expect(clippy::unused_self, reason = "who writes must hold the context")]
    pub(crate) fn draw(&mut self, text: &[u8]) {
        write_err(text);
    }

    /// Gives a screen that was taken back, and writes what was held meanwhile.
    pub(crate) fn leave_screen(&mut self, catalog: &Catalog) {
        screen::give_back(|lost| {
            let lost = catalog.text(&loadline_text::screen::unkept(lost));
            format!("loadline: {lost}\n")
        });
    }

    /// The exit code of a command that ended with `code`: it did not end well if a part of what it
    /// printed is lost.
    pub(crate) fn ended(&mut self, code: u8) -> u8 {
        let Some(error) = screen::lost_output() else {
            return code;
        };
        let problem = problem::write_failed("/dev/stdout", error);
        let words = self.catalog(None).problem(&problem);
        self.err(&format!("{words}\n"));
        match code {
            0 => Exit::Other.code(Dialect::Loadline),
            code => code,
        }
    }

    /// The text of a file that was named, without the mark of its byte order that some editors begin it with.
    ///
    /// # Errors
    /// The kernel's, or that it is no text.
    pub(crate) fn read_text(&self, path: impl AsRef<Path>) -> io::Result<String> {
        let text = std::fs::read_to_string(self.working_dir.join(path))?;
        Ok(match text.strip_prefix('\u{feff}') {
            Some(rest) => rest.to_owned(),
            None => text,
        })
    }

    /// All of standard input.
    ///
    /// # Errors
    /// The kernel's.
    #[expect(clippy::unused_self, reason = "who reads must hold the context")]
    pub(crate) fn stdin(&mut self) -> io::Result<String> {
        let mut text = String::new();
        io::stdin().lock().read_to_string(&mut text)?;
        Ok(text)
    }
}

fn write_err(bytes: &[u8]) {
    let mut stderr = io::stderr().lock();
    let _ = stderr.write_all(bytes).and_then(|()| stderr.flush());
}

#[expect(clippy::disallowed_methods, reason = "the one place it is taken from")]
fn wall_clock() -> fn() -> SystemTime {
    SystemTime::now
}
