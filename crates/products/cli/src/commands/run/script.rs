//! `run SCRIPT`: a k6 script, with k6's flags, texts and exit codes.

mod archive;
mod banner;
mod ending;
mod events;
mod flag_hints;
mod inspect;
mod launching;
mod loadline_flags;
mod missing;
mod output;
mod record;
mod refusal;
mod steering;
mod stop;
mod test_name;
mod thresholds;
mod unpacked;

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use loadline_k6::log::{Entry, LogLevel, LogSink};
use loadline_k6::{LoadError, Watcher};
use loadline_k6_options::flags::{self, FlagSpec, ParsedArguments, Runtime, check_traces_output};
use loadline_record::Series;
use loadline_report::k6 as report;
use loadline_session::RunOptions;
use loadline_session::k6::{K6Error, K6Request, K6Test, prepare};
use loadline_session::rest::RestServer;
use loadline_testplan::ArrivalSpacing;
use loadline_text::{Catalog, Dialect, Exit, Lang, arguments, problem};

use crate::context::Context;
use crate::launch::follow::Inputs;
use crate::launch::launch_flags::LaunchFlags;
use crate::launch::launched_test::LaunchedTest;
use crate::launch::once::OnceWriter;
use crate::launch::plan_comparison::PlanComparison;
use crate::launch::repeat::{self, EndedRun};
use crate::launch::test_kind::is_archive;
use crate::launch::{observation, recording};
use crate::log::LogWriter;
use crate::refusal::Refusal;
use crate::web_modules::{self, remote_modules};
use launching::ScriptHooks;
use loadline_flags::LOADLINE_FLAGS;
use output::PlanShape;
use refusal::ScriptRefusal;
use stop::Stop;
use unpacked::Unpacked;

pub(super) use archive::exec as archive;
pub(super) use inspect::exec as inspect;
pub(super) use loadline_flags::loadline_flags;
pub(super) use steering::{load_quietly, steerable};

/// Runs the script that `args` name; gives the exit code.
pub(super) fn exec(context: &mut Context, args: &[String]) -> u8 {
    let script = match Script::read(context, args) {
        Ok(script) => script,
        Err(stop) => return stop.print(context, &context.catalog(None)),
    };
    let code = match script.run(context) {
        Ok(exit) => exit.code(Dialect::K6),
        Err(Stop::Logged(refusal)) => {
            script.log.log_failure(refusal.entry);
            refusal.code
        }
        Err(stop) => stop.print(context, &script.catalog),
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
    flags: LaunchFlags,
    planned: Option<PlanComparison>,
    /// What it runs of, if it is an archive.
    unpacked: Option<Unpacked>,
    /// Each function of it is a scenario, where it plans none.
    each_function: bool,
}

impl Script {
    fn read(context: &mut Context, args: &[String]) -> Result<Self, Stop> {
        if let Err(error) = flags::parse_with(&LOADLINE_FLAGS, args)
            && !context.is_k6()
        {
            let catalog = context.catalog(None);
            test_name::check_first(context, args, &catalog).map_err(Stop::NoScript)?;
            flag_hints::print(context, &error, &catalog);
        }
        Self::read_with(context, &[], args)
    }

    /// The same with `further` flags of a command's own.
    fn read_with(
        context: &mut Context,
        further: &[FlagSpec],
        args: &[String],
    ) -> Result<Self, Stop> {
        let besides = [&LOADLINE_FLAGS, further].concat();
        let parsed = flags::parse_with(&besides, args)
            .map_err(|error| ScriptRefusal::new(error.to_string(), error.exit().code()))?;
        let name = parsed
            .script()
            .map_err(|error| ScriptRefusal::new(error.to_string(), error.exit().code()))?
            .to_owned();
        let lang = parsed.given.last("lang");
        let catalog = context.catalog(lang.and_then(Lang::of_tag));
        if let Some(unknown) = lang.filter(|text| Lang::of_tag(text).is_none()) {
            let expected = arguments::expected_lang();
            return Err(Refusal::flag("--lang", unknown, &expected, &catalog).into());
        }
        if !context.is_k6() {
            test_name::check(context, &name, &catalog).map_err(Stop::NoScript)?;
        }
        let runtime = parsed.run.resolve(&context.env)?;
        let other = Exit::Other.code(Dialect::K6);
        let console_output = parsed
            .settings
            .options
            .console_output
            .clone()
            .or_else(|| context.env.get("K6_CONSOLE_OUTPUT").cloned());
        let log = LogWriter::new(
            context,
            &runtime.log_output,
            runtime.log_format,
            runtime.verbose,
            console_output.as_deref(),
            recording::redactor(&context.env, &parsed.run.env, &[]),
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
        let launch_flags = loadline_flags::read(&parsed, &catalog)?;
        let unpacked = is_archive(&name, parsed.run.test_type.as_deref())
            .then(|| unpack(&context.working_dir.join(&name)))
            .transpose()
            .map_err(|error| ScriptRefusal::new(error, other))?;
        let mut runtime = runtime;
        for (name, value) in unpacked.iter().flat_map(|unpacked| &unpacked.env) {
            let env = &mut runtime.script_env;
            env.entry(name.clone()).or_insert_with(|| value.clone());
        }
        let planned = launch_flags.plan.as_deref();
        let planned = planned.map(|path| PlanComparison::read(context, path, &name));
        Ok(Self {
            planned: planned.transpose()?,
            unpacked,
            each_function: false,
            name,
            parsed,
            runtime,
            log: Arc::new(log),
            catalog,
            config_file,
            stdin,
            flags: launch_flags,
        })
    }

    fn run(&self, context: &mut Context) -> Result<Exit, Stop> {
        for (flag, why) in &self.parsed.without_effect {
            self.log.log(Entry::new(
                LogLevel::Warning,
                format!("--{flag} has no effect: {why}"),
            ));
        }
        if self.flags.once {
            return self.once(context);
        }
        if self.flags.repeat == 1 {
            let test = self.prepare(context, None)?;
            let inputs = Inputs::open(context, self.runtime.quiet)?;
            return Ok(self.run_once(context, &inputs, test, None)?.exit);
        }
        let inputs = Inputs::open(context, self.runtime.quiet)?;
        repeat::times(
            context,
            self.flags.repeat,
            &self.catalog,
            |context, series| {
                let test = self.prepare(context, None)?;
                self.run_once(context, &inputs, test, Some(series))
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
        modules.archive = self.unpacked.as_ref().map(Unpacked::folder);
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
            each_function: self.each_function,
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
            web_modules::print_hints(context, hints, &self.catalog);
            if let K6Error::Thresholds { source, places } = &error {
                thresholds::print_mistakes(context, source, places, &self.catalog);
            }
            if matches!(error, K6Error::Load(LoadError::File { .. })) {
                missing::print_nearest(context, &self.name, &self.catalog);
            }
            let mut refusal = ScriptRefusal::from(error);
            refusal.entry = refusal.entry.sourced(self.runtime.version.logs_source());
            Stop::Logged(refusal)
        })?;
        web_modules::print_notes(context, &test.module_notes, &self.catalog);
        web_modules::print_hints(context, &test.hints, &self.catalog);
        if !context.is_k6() {
            web_modules::print_blank_files(context, &test.opened, &self.catalog);
        }
        let is_random = matches!(
            self.flags.options.arrivals,
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

    fn run_once(
        &self,
        context: &mut Context,
        inputs: &Inputs,
        ready: K6Test,
        series: Option<Series>,
    ) -> Result<EndedRun, Stop> {
        check_traces_output(&self.runtime.traces_output)
            .map_err(|text| ScriptRefusal::new(text, Exit::Other.code(Dialect::K6)))?;
        let options = RunOptions {
            series: series.clone(),
            keep: self.recorder_config(context, &ready)?,
            outputs: self.outputs(context, &ready)?,
            observe: observation::of_run(context, &self.flags.recording, &self.catalog)?,
            answers: self.flags.recording.answer_options(context)?,
            paused: ready.options.paused == Some(true),
            ..self.flags.options.clone()
        };
        let rest = self.rest(context, &ready, options.paused)?;
        let texts = self.texts_naming_targets(&ready);
        let mut test = ready.test;
        test.follower = rest.as_ref().map(RestServer::follower);
        let mut hooks = ScriptHooks {
            script: self,
            shape: PlanShape::new(&test.plan),
            factory: ready.factory,
            summary: ready.summary,
            source: &ready.source.text,
            linger: ready.linger,
            rest: rest.as_ref(),
            series,
        };
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        self.launched(&options, &texts, inputs)
            .run(context, test, &mut hooks)
    }

    /// The test as it is launched.
    fn launched<'a>(
        &'a self,
        options: &'a RunOptions,
        texts: &'a [&'a str],
        inputs: &'a Inputs,
    ) -> LaunchedTest<'a> {
        LaunchedTest {
            name: &self.name,
            texts,
            options,
            announce: &self.flags.announce,
            recording: &self.flags.recording,
            plan: self.planned.as_ref(),
            inputs,
            catalog: &self.catalog,
        }
    }

    /// A target is shared that the script or a variable it is given names.
    fn texts_naming_targets(&self, test: &K6Test) -> Vec<String> {
        let env = &self.runtime.script_env;
        let read = recording::variables_read(&test.source.text);
        let read = read.filter_map(|name| env.get(name));
        let given = self.parsed.run.env.iter().map(|(_, value)| value);
        let texts = std::iter::once(&test.source.text).chain(given).chain(read);
        texts.cloned().collect()
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

    fn fails_on_exception(&self) -> bool {
        self.parsed.given.last("fail-on-exception") == Some("true")
    }

    fn once(&self, context: &mut Context) -> Result<Exit, Stop> {
        let writer = Arc::new(OnceWriter::new(Catalog::new(self.catalog.lang())));
        context.out(&writer.title(&self.name));
        let ready = self.prepare(context, Some(Watcher(writer.clone())))?;
        let inputs = Inputs::open(context, true)?;
        let mut hooks = ScriptHooks {
            script: self,
            shape: PlanShape::new(&ready.test.plan),
            factory: ready.factory,
            summary: ready.summary,
            source: &ready.source.text,
            linger: false,
            rest: None,
            series: None,
        };
        let launched = self.launched(&self.flags.options, &[], &inputs);
        let followed = launched.follow(context, ready.test, &mut hooks)?;
        let exit = followed.exit_without_outcome();
        let Some(outcome) = followed.outcome else {
            return Ok(exit);
        };
        let end = ending::reason(&outcome, followed.signal, self.fails_on_exception());
        for entry in end.entries {
            self.log
                .log(entry.sourced(self.runtime.version.logs_source()));
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

/// Lays out the archive in a file.
///
/// # Errors
/// What is wrong with it, with its path.
fn unpack(path: &Path) -> Result<Unpacked, String> {
    let unpacked = File::open(path).and_then(Unpacked::read);
    unpacked.map_err(|error| format!("{}: {error}", path.display()))
}
