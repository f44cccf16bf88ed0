//! `run SCRIPT`: a k6 script, with k6's flags, texts and exit codes.

mod archive;
mod banner;
mod ending;
mod events;
mod inspect;
mod missing;
mod output;
mod own;
mod record;
mod refusal;
mod steering;
mod stop;
mod test_name;

use std::sync::Arc;

use loadline_k6::log::{Entry, LogLevel, LogSink};
use loadline_k6::options::flags::{
    self, ParsedArguments, Runtime, SummaryMode, check_traces_output,
};
use loadline_k6::{LoadError, Watcher};
use loadline_record::Series;
use loadline_report::{k6 as report, verdict};
use loadline_session::k6::{K6Error, K6Request, K6Test, prepare};
use loadline_session::rest::RestServer;
use loadline_session::{RunOptions, SessionError, SessionEvent, Test, WarmUpSetting};
use loadline_testplan::ArrivalSpacing;
use loadline_text::{Catalog, Dialect, Exit, Lang, problem};
use loadline_vu::StopCause;

use super::care::{self, Notices};
use super::follow::{self, Followed, Inputs};
use super::keep;
use super::observed;
use super::once::OnceWriter;
use super::out;
use super::own::OwnFlags;
use super::planned::{Planned, Sent};
use super::problems::Refusal;
use super::repeat::{self, Run};
use crate::context::Context;
use crate::live::{Live, LiveConfig};
use crate::log::LogWriter;
use crate::web_modules::{self, remote_modules};
use archive::Unpacked;
use events::log_event;
use output::PlanShape;
use refusal::ScriptRefusal;
use stop::Stop;

pub(super) use archive::exec as archive;
pub(super) use inspect::exec as inspect;
pub(super) use own::own_flags;
pub(super) use steering::{load_quietly, steerable};

/// Runs the script that `args` name; gives the exit code.
pub(super) fn exec(context: &mut Context, args: &[String]) -> u8 {
    let script = match Script::read(context, args) {
        Ok(script) => script,
        Err(stop) => return stop.told(context, &context.catalog(None)),
    };
    let code = match script.run(context) {
        Ok(exit) => exit.code(Dialect::K6),
        Err(Stop::Logged(refusal)) => {
            script.log.log_failure(refusal.entry);
            refusal.code
        }
        Err(stop) => stop.told(context, &script.catalog),
    };
    script.log.finish();
    code
}

/// A script with everything typed about it.
struct Script {
    name: String,
    parsed: ParsedArguments,
    runtime: Runtime,
    log: Arc<LogWriter>,
    catalog: Catalog,
    config_file: Option<(String, String)>,
    stdin: Option<String>,
    own: OwnFlags,
    planned: Option<Planned>,
    /// What it runs of, if it is an archive.
    unpacked: Option<Unpacked>,
}

impl Script {
    fn read(context: &mut Context, args: &[String]) -> Result<Self, Stop> {
        let parsed = flags::parse_with(&own::OWN_FLAGS, args)
            .map_err(|error| ScriptRefusal::new(error.to_string(), error.exit().code()))?;
        let name = parsed
            .script()
            .map_err(|error| ScriptRefusal::new(error.to_string(), error.exit().code()))?
            .to_owned();
        if !context.is_k6() {
            test_name::check(context, &name)?;
        }
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
            context,
            (&runtime.log_output, runtime.log_format),
            runtime.verbose,
            console_output.as_deref(),
            keep::redactor(&context.env, &parsed.run.env, &[]),
        )
        .map_err(|error| ScriptRefusal::new(error, other))?;
        let config_file = config_file(context, runtime.config.as_deref())?;
        let stdin = match name.as_str() {
            "-" => Some(context.stdin().map_err(|error| {
                ScriptRefusal::new(
                    format!("cannot read the script from standard input: {error}"),
                    other,
                )
            })?),
            _ => None,
        };
        let own = own::read(&parsed, &catalog)?;
        let unpacked = archive::is_meant(&name, parsed.run.test_type.as_deref())
            .then(|| archive::unpack(&context.working_dir.join(&name)))
            .transpose()
            .map_err(|error| ScriptRefusal::new(error, other))?;
        let mut runtime = runtime;
        for (name, value) in unpacked.iter().flat_map(|unpacked| &unpacked.env) {
            let env = &mut runtime.script_env;
            env.entry(name.clone()).or_insert_with(|| value.clone());
        }
        let planned = own.plan.as_deref();
        let planned = planned.map(|path| Planned::read(context, path, &name));
        Ok(Self {
            planned: planned.transpose()?,
            unpacked,
            name,
            parsed,
            runtime,
            log: Arc::new(log),
            catalog,
            config_file,
            stdin,
            own,
        })
    }

    fn run(&self, context: &mut Context) -> Result<Exit, Stop> {
        for (flag, why) in &self.parsed.without_effect {
            self.log.log(Entry::new(
                LogLevel::Warning,
                format!("--{flag} has no effect: {why}"),
            ));
        }
        if self.own.once {
            return self.once(context);
        }
        if self.own.repeat == 1 {
            let test = self.prepare(context, None)?;
            let inputs = Inputs::open(context, self.runtime.quiet)?;
            return Ok(self.carry_through(context, &inputs, test, None)?.exit);
        }
        let inputs = Inputs::open(context, self.runtime.quiet)?;
        repeat::times(
            context,
            self.own.repeat,
            &self.catalog,
            |context, series| {
                let test = self.prepare(context, None)?;
                self.carry_through(context, &inputs, test, Some(series))
            },
        )
    }

    /// Loads the script; says what is about to happen.
    fn prepare(&self, context: &mut Context, once: Option<Watcher>) -> Result<K6Test, Stop> {
        let is_once = once.is_some();
        let log: Arc<dyn LogSink> = self.log.clone();
        #[cfg(feature = "fault-injection")]
        let log = crate::fault::in_log(log, context);
        let is_offline = self.parsed.given.last("offline") == Some("true")
            || context
                .env
                .get("LOADLINE_OFFLINE")
                .is_some_and(|v| v == "true" || v == "1");
        let mut modules = remote_modules(context, &self.catalog, is_offline)
            .map_err(|error| Refusal::other(problem::start_failed("run", error)))?;
        modules.archive = self.unpacked.as_ref().map(Unpacked::modules);
        let request = K6Request {
            modules,
            wall_clock: context.wall_clock,
            parsed: self.parsed.clone(),
            runtime: self.runtime.clone(),
            environment: context.env.clone(),
            config_file: self.config_file.clone(),
            script: self
                .unpacked
                .as_ref()
                .map_or_else(|| self.name.clone(), |unpacked| unpacked.script.clone()),
            archived_options: self
                .unpacked
                .as_ref()
                .map(|unpacked| unpacked.options.clone()),
            stdin: self.stdin.clone(),
            working_dir: context.working_dir.clone(),
            log,
            tty: Self::tty(context),
            once,
            isolate: self.parsed.given.last("isolate") == Some("true"),
        };
        let test = prepare(request).map_err(|error| {
            let hints = match &error {
                K6Error::Load(LoadError::Import { mistake, .. }) => {
                    std::slice::from_ref(&**mistake)
                }
                K6Error::ScriptOptions { hints, .. } => hints,
                _ => &[],
            };
            web_modules::tell_hints(context, hints, &self.catalog);
            if matches!(error, K6Error::Load(LoadError::File { .. })) {
                missing::tell(context, &self.name, &self.catalog);
            }
            let mut refusal = ScriptRefusal::from(error);
            refusal.entry = refusal.entry.sourced(self.runtime.version.tells_source());
            Stop::Logged(refusal)
        })?;
        web_modules::tell(context, &test.module_notes, &self.catalog);
        web_modules::tell_hints(context, &test.hints, &self.catalog);
        let is_random = matches!(
            self.own.options.arrivals,
            Some(ArrivalSpacing::Poisson { .. })
        );
        let has_seed = self.parsed.given.last("arrivals-seed").is_some();
        if is_random && !has_seed && test.options.execution_segment.is_some() {
            // Segments are parts of one schedule, which each generator draws for itself.
            let problem = problem::option_needs("--execution-segment", "--arrivals-seed");
            return Err(Refusal::config(problem).into());
        }
        if !self.runtime.quiet && !is_once {
            context.out(&self.banner(context, &test));
        }
        Ok(test)
    }

    fn tty(context: &Context) -> report::Tty {
        report::Tty {
            stdout: context.stdout_is_tty,
            stderr: context.stderr_is_tty,
        }
    }

    fn carry_through(
        &self,
        context: &mut Context,
        inputs: &Inputs,
        test: K6Test,
        series: Option<Series>,
    ) -> Result<Run, Stop> {
        check_traces_output(&self.runtime.traces_output)
            .map_err(|text| ScriptRefusal::new(text, Exit::Other.code(Dialect::K6)))?;
        let options = RunOptions {
            series: series.clone(),
            keep: self.keeping(context, &test)?,
            outputs: self.outputs(context, &test)?,
            observe: observed::request(context, &self.own.keep.observe, &self.catalog)?,
            ..self.own.options.clone()
        };
        let notices = self.begin(context, &test)?;
        let (mut test, mut options) = (test, options);
        options.paused = test.options.paused == Some(true);
        let rest = self.rest(context, &test, options.paused)?;
        if let Some(rest) = &rest {
            test.test.follower = Some(rest.follower());
        }
        let shape = PlanShape::of(&test.test.plan);
        let followed = self.follow(context, inputs, test.test, (&options, rest.as_ref()))?;
        let exit = followed.exit_without_outcome();
        let lost = followed.verdict_without_outcome(Dialect::K6, &self.catalog);
        let Some(outcome) = followed.outcome else {
            let verdict = lost;
            context.err(&format!("loadline: {verdict}\n"));
            if let Some(notices) = notices {
                notices.end(context, &verdict, &self.catalog);
            }
            return Ok(Run {
                exit,
                outcome: None,
            });
        };
        let mut end = ending::of(&outcome, followed.signal, self.fails_on_exception());
        if end.exit == Exit::Success
            && let Some(exit) = self.own.fail_on.exit(&outcome.summary)
        {
            end.exit = exit;
        }
        let says_verdict = self.runtime.summary_mode != SummaryMode::Disabled && !context.is_k6();
        // k6's own output stays as it is wherever something else may read it.
        let verdict_first = context.stdout_is_tty || series.is_some();
        let verdict = self.verdict(context, (&outcome, end.exit), test.factory.apart());
        if says_verdict && verdict_first {
            context.out(&format!("{}\n", verdict.join("\n")));
        }
        let ended_early = matches!(
            outcome.cause,
            Some(StopCause::Aborted { .. } | StopCause::Signal)
        );
        if outcome.began || outcome.setup.is_some() || outcome.cause.is_none() || ended_early {
            let written = (test.factory.take_written(), test.factory.take_left());
            let options = (&test.summary, test.source.text.as_str());
            if !test.factory.summary_refused() {
                self.print_summary(context, (&outcome, series.as_ref()), written, options);
            }
            if outcome.began && !self.runtime.quiet && series.is_none() {
                context.out(&shape.progress(&outcome));
            }
        }
        self.log_end(context, &outcome, end.entries);
        if says_verdict && !verdict_first {
            for line in verdict {
                context.err(&format!("loadline: {line}\n"));
            }
        }
        if let Some(notices) = notices {
            let code = end.exit.code(Dialect::K6);
            let verdict = verdict::of_script(&outcome.summary, end.exit, code, &self.catalog);
            notices.end(context, &verdict, &self.catalog);
        }
        if test.linger && followed.signal.is_none() {
            let text = "Linger set; waiting for Ctrl+C...".to_owned();
            self.log.log(Entry::new(LogLevel::Info, text));
            // A closed channel would mean that nobody can press it any more.
            let _ = inputs.signals.recv();
        }
        self.tell_of_record(context, &outcome);
        Ok(Run {
            exit: end.exit,
            outcome: Some(outcome),
        })
    }

    /// The REST API, where one is asked for: by its address, by what is of no use without it.
    fn rest(
        &self,
        context: &Context,
        test: &K6Test,
        is_paused: bool,
    ) -> Result<Option<RestServer>, Stop> {
        let typed = self.parsed.run.address.as_deref();
        let asked = typed.or_else(|| context.env.get("K6_ADDRESS").map(String::as_str));
        if asked.is_some_and(str::is_empty) || (asked.is_none() && !is_paused && !test.linger) {
            return Ok(None);
        }
        let address = asked.unwrap_or("localhost:6565");
        let registry = test.test.registry.clone();
        let rest = RestServer::start(address, test.factory.clone(), registry, is_paused);
        rest.map(Some).map_err(|reason| {
            let code = Exit::ApiUnavailable.code(Dialect::K6);
            Stop::Logged(ScriptRefusal::new(reason, code))
        })
    }

    /// Asks and tells others before load. A target is shared that the script or a variable
    /// it is given names.
    fn begin(&self, context: &mut Context, test: &K6Test) -> Result<Option<Notices>, Refusal> {
        let mut texts = vec![test.source.text.as_str()];
        texts.extend(self.parsed.run.env.iter().map(|(_, value)| value.as_str()));
        let env = &self.runtime.script_env;
        texts.extend(
            keep::variables_read(&test.source.text)
                .filter_map(|name| env.get(name).map(String::as_str)),
        );
        let named = (&test.test.plan, texts.as_slice());
        care::begin(context, &self.own.care, &self.name, named, &self.catalog)
    }

    fn follow(
        &self,
        context: &mut Context,
        inputs: &Inputs,
        test: Test,
        (options, rest): (&RunOptions, Option<&RestServer>),
    ) -> Result<Followed, Stop> {
        if let Some(planned) = &self.planned {
            let before = planned.before(&test.plan, &self.catalog);
            self.say(context, before);
        }
        #[cfg(feature = "fault-injection")]
        let test = crate::fault::in_test(test, context);
        let handle = loadline_session::start(test, options).map_err(|error| match error {
            SessionError::Output(error) => {
                let other = Exit::Other.code(Dialect::K6);
                Stop::Logged(ScriptRefusal::new(error.to_string(), other))
            }
            error => Stop::Ours(Refusal::session(&error, &self.catalog)),
        })?;
        if let Some(rest) = rest {
            rest.attach(&handle);
        }
        let live = (!self.runtime.quiet && !self.own.once).then(|| {
            let config = LiveConfig {
                title: self.name.clone(),
                mode: out::live_mode(options.outputs.as_deref(), self.own.live),
                has_colors: context.has_colors() && !self.runtime.no_color,
                own_words: false,
                is_warming: options.warm_up != WarmUpSetting::None,
            };
            let run = (handle.run_state.clone(), handle.clock);
            let catalog = Catalog::new(self.catalog.lang());
            Live::new(context, run, catalog, config, inputs.keyboard.is_held)
        });
        let log = self.log.clone();
        let catalog = &self.catalog;
        let mut sent = Sent::default();
        let heard = |event: &SessionEvent| {
            sent.on_event(event);
            log_event(&log, event, catalog);
        };
        let followed = follow::to_end(context, &handle, inputs, live, catalog, heard);
        let after = self.planned.as_ref().and_then(|p| p.after(&sent, catalog));
        self.say(context, after);
        Ok(followed)
    }

    /// Lines of ours beside k6's output.
    #[expect(clippy::unused_self, reason = "said about this script")]
    fn say(&self, context: &mut Context, lines: impl IntoIterator<Item = String>) {
        for line in lines {
            context.err(&format!("loadline: {line}\n"));
        }
    }

    fn fails_on_exception(&self) -> bool {
        self.parsed.given.last("fail-on-exception") == Some("true")
    }

    fn once(&self, context: &mut Context) -> Result<Exit, Stop> {
        let writer = Arc::new(OnceWriter::new(Catalog::new(self.catalog.lang())));
        context.out(&writer.title(&self.name));
        let test = self.prepare(context, Some(Watcher(writer.clone())))?;
        let inputs = Inputs::open(context, true)?;
        let followed = self.follow(context, &inputs, test.test, (&self.own.options, None))?;
        let exit = followed.exit_without_outcome();
        let Some(outcome) = followed.outcome else {
            return Ok(exit);
        };
        let end = ending::of(&outcome, followed.signal, self.fails_on_exception());
        for entry in end.entries {
            self.log
                .log(entry.sourced(self.runtime.version.tells_source()));
        }
        let (exit, text) = writer.end(&outcome.summary);
        context.out(&format!("\n{text}\n"));
        Ok(if end.exit == Exit::Success {
            exit
        } else {
            end.exit
        })
    }
}

/// Name and text of the configuration file: the one named, else k6's own if it is there.
fn config_file(
    context: &Context,
    named: Option<&str>,
) -> Result<Option<(String, String)>, ScriptRefusal> {
    let invalid = Exit::InvalidConfig.code(Dialect::K6);
    if let Some(path) = named {
        let text = std::fs::read_to_string(context.working_dir.join(path)).map_err(|_| {
            ScriptRefusal::new(
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
