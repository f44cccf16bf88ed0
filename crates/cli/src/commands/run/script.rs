//! `run SCRIPT`: a k6 script, with k6's flags, texts and exit codes.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use loadline_k6::LoadError;
use loadline_k6::log::{Entry, Level, Sink};
use loadline_k6::options::OptionsError;
use loadline_k6::options::flags::{
    self, FlagGroup, FlagKind, FlagSpec, FlagStatus, Parsed, Runtime, SummaryMode,
};
use loadline_report::k6 as report;
use loadline_session::k6::{K6Error, K6Request, K6Test, prepare};
use loadline_session::{Event, Outcome, RunOptions};
use loadline_text::{Catalog, Dialect, Exit, Lang};
use loadline_units::parse_duration;
use loadline_vu::{FaultClass, StopCause};

use super::follow::{self, Followed};
use crate::context::Context;
use crate::live::Live;
use crate::log::LogWriter;
use crate::signals::{self, StopSignal};

/// A flag of ours beside k6's.
const fn own(
    name: &'static str,
    kind: FlagKind,
    value_name: &'static str,
    help: &'static str,
) -> FlagSpec {
    FlagSpec {
        name,
        short: None,
        kind,
        value_name,
        default: "",
        bare: None,
        help,
        group: FlagGroup::Program,
        status: FlagStatus::Supported,
        deprecated: None,
    }
}

const OWN_FLAGS: [FlagSpec; 3] = [
    own(
        "threads",
        FlagKind::Int,
        "n",
        "worker threads; one a core unless given",
    ),
    own(
        "warmup",
        FlagKind::Duration,
        "time",
        "measure from here on only",
    ),
    own(
        "lang",
        FlagKind::Text,
        "en|ko",
        "language of loadline's own texts",
    ),
];

/// Runs the script that `args` name; gives the exit code.
pub(super) fn exec(context: &mut Context, args: &[String]) -> u8 {
    match Script::read(context, args) {
        Ok(script) => script.run(context),
        Err(refusal) => {
            context.err(&refusal.line());
            refusal.code
        }
    }
}

/// Why a script cannot start: a line for the log, and the exit code.
struct Refusal {
    entry: Entry,
    code: u8,
}

impl Refusal {
    fn new(message: impl Into<String>, code: u8) -> Self {
        Self {
            entry: Entry::new(Level::Error, message),
            code,
        }
    }

    fn line(&self) -> String {
        let time = jiff::Timestamp::now()
            .strftime("%Y-%m-%dT%H:%M:%SZ")
            .to_string();
        self.entry.text_line(&time)
    }
}

impl From<OptionsError> for Refusal {
    fn from(error: OptionsError) -> Self {
        Self::new(error.to_string(), error.exit().code())
    }
}

impl From<K6Error> for Refusal {
    fn from(error: K6Error) -> Self {
        let invalid = Exit::InvalidConfig.code(Dialect::K6);
        let other = Exit::Other.code(Dialect::K6);
        let exception = Exit::ScriptException.code(Dialect::K6);
        match &error {
            K6Error::Options(inner) | K6Error::ScriptOptions { source: inner, .. } => {
                Self::new(error.to_string(), inner.exit().code())
            }
            K6Error::Thresholds(_) | K6Error::Network(_) => Self::new(error.to_string(), invalid),
            K6Error::NoTest {
                source: LoadError::Aborted(_),
                ..
            } => Self::new(error.to_string(), Exit::AbortedByTest.code(Dialect::K6)),
            K6Error::NoTest {
                source: LoadError::Program(_),
                ..
            } => Self::new(error.to_string(), exception),
            K6Error::Load(LoadError::Init(trace)) => {
                let mut refusal = Self::new(trace.clone(), exception);
                refusal.entry = refusal.entry.with("hint", "script exception");
                refusal
            }
            K6Error::Load(_) | K6Error::NoTest { .. } => Self::new(error.to_string(), other),
        }
    }
}

/// A script with everything typed about it.
struct Script {
    name: String,
    parsed: Parsed,
    runtime: Runtime,
    log: Arc<LogWriter>,
    catalog: Catalog,
    config_file: Option<(String, String)>,
    stdin: Option<String>,
    options: RunOptions,
}

impl Script {
    fn read(context: &mut Context, args: &[String]) -> Result<Self, Refusal> {
        let parsed = flags::parse_with(&OWN_FLAGS, args)
            .map_err(|error| Refusal::new(error.to_string(), error.exit().code()))?;
        let name = parsed
            .script()
            .map_err(|error| Refusal::new(error.to_string(), error.exit().code()))?
            .to_owned();
        let runtime = parsed.run.resolve(&context.env)?;
        let catalog = context.catalog(parsed.given.last("lang").and_then(Lang::of_tag));
        let other = Exit::Other.code(Dialect::K6);
        let console_output = parsed
            .settings
            .options
            .console_output
            .clone()
            .or_else(|| context.env.get("K6_CONSOLE_OUTPUT").cloned());
        let log = LogWriter::new(
            &runtime.log_output,
            runtime.log_format,
            runtime.verbose,
            console_output.as_deref(),
        )
        .map_err(|error| Refusal::new(format!("cannot open the log: {error}"), other))?;
        let config_file = config_file(context, runtime.config.as_deref())?;
        let stdin = match name.as_str() {
            "-" => Some(context.stdin().map_err(|error| {
                Refusal::new(
                    format!("cannot read the script from standard input: {error}"),
                    other,
                )
            })?),
            _ => None,
        };
        let options = run_options(&parsed)?;
        Ok(Self {
            name,
            parsed,
            runtime,
            log: Arc::new(log),
            catalog,
            config_file,
            stdin,
            options,
        })
    }

    fn run(self, context: &mut Context) -> u8 {
        let request = K6Request {
            parsed: self.parsed.clone(),
            runtime: self.runtime.clone(),
            environment: context.env.clone(),
            config_file: self.config_file.clone(),
            script: self.name.clone(),
            stdin: self.stdin.clone(),
            working_dir: context.working_dir.clone(),
            log: self.log.clone(),
            tty: report::Tty {
                stdout: context.stdout_is_tty,
                stderr: context.stderr_is_tty,
            },
        };
        let test = match prepare(request) {
            Ok(test) => test,
            Err(error) => {
                let refusal = Refusal::from(error);
                self.log.log(refusal.entry);
                return refusal.code;
            }
        };
        for (flag, why) in &self.parsed.without_effect {
            self.log.log(Entry::new(
                Level::Warning,
                format!("--{flag} has no effect: {why}"),
            ));
        }
        if !self.runtime.quiet {
            context.out(&self.banner(&test));
        }
        self.carry_through(context, test)
    }

    /// What is about to happen, as k6 lists it.
    fn banner(&self, test: &K6Test) -> String {
        let plan = &test.test.plan;
        let count = plan.scenarios.len();
        let mut text = format!(
            "\n     execution: local\n        script: {}\n        output: -\n\n     scenarios: (100.00%) {count} scenario{}, {} max VUs, {} max duration (incl. graceful stop):\n",
            self.name,
            if count == 1 { "" } else { "s" },
            plan.possible_vus(),
            loadline_units::duration::go_string(plan.latest_end()),
        );
        for scenario in &plan.scenarios {
            text.push_str(&format!(
                "              * {}: {} for up to {}\n",
                scenario.name,
                scenario.executor.name(),
                loadline_units::duration::go_string(scenario.executor.duration()),
            ));
        }
        text.push('\n');
        text
    }

    fn carry_through(&self, context: &mut Context, test: K6Test) -> u8 {
        let other = Exit::Other.code(Dialect::K6);
        let signals = match signals::watch() {
            Ok(signals) => signals,
            Err(error) => {
                self.log.log(Entry::new(
                    Level::Error,
                    format!("cannot watch for signals: {error}"),
                ));
                return other;
            }
        };
        let handle = match loadline_session::start(test.test, &self.options) {
            Ok(handle) => handle,
            Err(error) => {
                self.log.log(Entry::new(Level::Error, error.to_string()));
                return other;
            }
        };
        let live = (!self.runtime.quiet).then(|| {
            let catalog = Catalog::new(self.catalog.lang());
            Live::new(
                handle.board.clone(),
                handle.clock,
                catalog,
                context.stderr_is_tty,
                false,
            )
        });
        let log = self.log.clone();
        let followed = follow::to_end(context, &handle, &signals, live, &self.catalog, |event| {
            log_event(&log, event);
        });
        let Some(outcome) = followed.outcome.as_deref() else {
            return Exit::Interrupted.code(Dialect::K6);
        };
        let aborted = matches!(
            outcome.cause,
            Some(StopCause::Aborted { .. } | StopCause::Signal)
        );
        if outcome.began || outcome.setup.is_some() || outcome.cause.is_none() || aborted {
            self.print_summary(context, outcome, test.factory.take_written(), &test.summary);
        }
        let exit = self.log_end(outcome, &followed);
        exit.code(Dialect::K6)
    }

    fn print_summary(
        &self,
        context: &mut Context,
        outcome: &Outcome,
        written: Option<Vec<loadline_k6::Written>>,
        options: &report::Options,
    ) {
        let mode = match self.runtime.summary_mode {
            SummaryMode::Compact => Some(report::Mode::Compact),
            SummaryMode::Full => Some(report::Mode::Full),
            SummaryMode::Legacy => Some(report::Mode::Legacy),
            SummaryMode::Disabled => None,
        };
        let Some(mode) = mode else {
            return;
        };
        match written {
            Some(files) => self.write_files(context, files),
            None => context.out(&report::text(&outcome.summary, mode, options)),
        }
        if let Some(path) = &self.runtime.summary_export {
            let tty = report::Tty {
                stdout: context.stdout_is_tty,
                stderr: context.stderr_is_tty,
            };
            let data = report::handle_summary_data(&outcome.summary, options, tty);
            self.write_file(context, path, report::summary_export(&data).as_bytes());
        }
    }

    fn write_files(&self, context: &mut Context, files: Vec<loadline_k6::Written>) {
        for file in files {
            let text = String::from_utf8_lossy(&file.bytes);
            match file.to.as_str() {
                "stdout" => context.out(&text),
                "stderr" => context.err(&text),
                path => self.write_file(context, path, &file.bytes),
            }
        }
    }

    fn write_file(&self, context: &Context, path: &str, bytes: &[u8]) {
        let full = context.working_dir.join(Path::new(path));
        if let Err(error) = std::fs::write(&full, bytes) {
            let message = format!(
                "failed to handle the end-of-test summary: could not open '{path}': {error}"
            );
            self.log.log(Entry::new(Level::Error, message));
        }
    }

    /// Logs why a run ended as it did, in k6's words; the exit code is the first reason's.
    fn log_end(&self, outcome: &Outcome, followed: &Followed) -> Exit {
        let say = |message: String| self.log.log(Entry::new(Level::Error, message));
        let exception = |message: &str| {
            let entry = Entry::new(Level::Error, message).with("hint", "script exception");
            self.log.log(entry);
        };
        let aborted = matches!(outcome.cause, Some(StopCause::Aborted { .. }));
        if outcome.summary.run.complete_iterations == 0 && outcome.began && !aborted {
            self.log.log(Entry::new(
                Level::Warning,
                "No script iterations fully finished, consider making the test duration longer",
            ));
        }
        if let Some(fault) = &outcome.setup {
            return match fault.class {
                FaultClass::StageTimeout => {
                    say("setup() execution timed out".to_owned());
                    Exit::SetupTimeout
                }
                FaultClass::Data => {
                    say(fault.message.clone());
                    Exit::Other
                }
                _ => {
                    exception(&fault.message);
                    Exit::ScriptException
                }
            };
        }
        let crossed = outcome.summary.crossed();
        match &outcome.cause {
            Some(StopCause::Signal) => {
                let signal = match followed.signal {
                    Some(StopSignal::Terminate) => "terminated",
                    _ => "interrupt",
                };
                say(format!(
                    "test run was aborted because k6 received a '{signal}' signal"
                ));
                return Exit::Interrupted;
            }
            Some(StopCause::Aborted { .. }) => return Exit::AbortedByTest,
            Some(StopCause::ThresholdsCrossed { metrics }) => {
                say(format!(
                    "thresholds on metrics '{}' were crossed; at least one has abortOnFail enabled, stopping test prematurely",
                    metrics.join(", ")
                ));
                return Exit::ThresholdsFailed;
            }
            Some(StopCause::Failed(fault)) => {
                return match fault.class {
                    FaultClass::Script => {
                        exception(&fault.message);
                        Exit::ScriptException
                    }
                    FaultClass::Panic => {
                        say(fault.message.clone());
                        Exit::Panic
                    }
                    _ => {
                        say(fault.message.clone());
                        Exit::Other
                    }
                };
            }
            Some(StopCause::Remote) => return Exit::StoppedByApi,
            None => {}
        }
        if let Some(fault) = &outcome.teardown {
            return match fault.class {
                FaultClass::StageTimeout => {
                    say("teardown() execution timed out".to_owned());
                    Exit::TeardownTimeout
                }
                _ => {
                    exception(&fault.message);
                    Exit::ScriptException
                }
            };
        }
        if outcome.marked_failed {
            say("test run was marked as failed".to_owned());
            return Exit::MarkedFailed;
        }
        if !crossed.is_empty() {
            say(format!(
                "thresholds on metrics '{}' have been crossed",
                crossed.join(", ")
            ));
            return Exit::ThresholdsFailed;
        }
        Exit::Success
    }
}

/// Lines that belong to the log of a k6 run.
fn log_event(log: &LogWriter, event: &Event) {
    if let Event::OutOfUsers {
        scenario,
        executor,
        active,
    } = event
    {
        let message =
            format!("Insufficient VUs, reached {active} active VUs and cannot initialize more");
        log.log(
            Entry::new(Level::Warning, message)
                .with("executor", *executor)
                .with("scenario", scenario.as_str()),
        );
    }
}

fn run_options(parsed: &Parsed) -> Result<RunOptions, Refusal> {
    let invalid = Exit::InvalidConfig.code(Dialect::K6);
    let workers = match parsed.given.last("threads") {
        None => None,
        Some(text) => Some(
            text.parse()
                .ok()
                .filter(|threads| (1..=1024).contains(threads))
                .ok_or_else(|| {
                    Refusal::new(
                        format!("--threads takes a number from 1 to 1024, not `{text}`"),
                        invalid,
                    )
                })?,
        ),
    };
    let warm_up = match parsed.given.last("warmup") {
        None => Duration::ZERO,
        Some(text) => parse_duration(text)
            .map_err(|error| Refusal::new(format!("--warmup: {error}"), invalid))?,
    };
    Ok(RunOptions {
        workers,
        drain: Duration::ZERO,
        warm_up,
    })
}

/// Name and text of the configuration file: the one named, else k6's own if it is there.
fn config_file(
    context: &Context,
    named: Option<&str>,
) -> Result<Option<(String, String)>, Refusal> {
    let invalid = Exit::InvalidConfig.code(Dialect::K6);
    if let Some(path) = named {
        let text = std::fs::read_to_string(context.working_dir.join(path)).map_err(|_| {
            Refusal::new(
                format!("failed to load the configuration file from the local file system: stat {path}: no such file or directory"),
                invalid,
            )
        })?;
        return Ok(Some((path.to_owned(), text)));
    }
    let base = match (context.env.get("XDG_CONFIG_HOME"), context.env.get("HOME")) {
        (Some(config), _) if !config.is_empty() => config.clone(),
        (_, Some(home)) => format!("{home}/.config"),
        _ => return Ok(None),
    };
    let path = format!("{base}/k6/config.json");
    Ok(std::fs::read_to_string(&path).ok().map(|text| (path, text)))
}
