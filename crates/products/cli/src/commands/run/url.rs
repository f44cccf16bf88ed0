//! `run URL`: one request, again and again.

mod args;
mod tracing;

use args::NextRun;
pub(super) use args::UrlArgs;

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use loadline_bare::BareFactory;
use loadline_metrics::Registry;
use loadline_net::NetworkSettings;
use loadline_record::{LatencyStart, Redactor, Series, Summary, Verdict};
use loadline_report::{url as report, verdict, warm_up};
use loadline_session::{RunOptions, RunResult, Test, WarmUpSetting, network};
use loadline_store::RecorderConfig;
use loadline_testplan::Plan;
use loadline_text::{Catalog, Dialect, Exit, problem};

use super::{Steerable, SteerableFacts};
use crate::context::Context;
use crate::launch::asked_report::AskedReport;
use crate::launch::follow::Inputs;
use crate::launch::launch_flags::LaunchFlags;
use crate::launch::launched_test::{JudgedRun, LaunchedTest, TestHooks, print_lines};
use crate::launch::once::OnceWriter;
use crate::launch::plan_comparison::PlanComparison;
use crate::launch::recording::{self, TestFacts};
use crate::launch::repeat::{self, EndedRun};
use crate::launch::{observation, outputs};
use crate::live::LiveConfig;
use crate::refusal::Refusal;
use crate::signals::StopSignal;

/// What the one iteration of `--once` may take beyond the time-outs of its requests.
const ONCE_MARGIN: Duration = Duration::from_secs(5);

/// What a URL run's only scenario is called.
const SCENARIO: &str = "default";
/// What stands in the error of a handshake that a server answers without TLS.
const NO_TLS_SIGN: &str = "first record does not look like a TLS handshake";

/// A URL run that is ready.
struct UrlRun<'a> {
    args: &'a UrlArgs,
    flags: LaunchFlags,
    catalog: Catalog,
    factory: BareFactory,
    plan: Plan,
    /// What `--plan` names.
    planned: Option<PlanComparison>,
}

/// Runs what `args` say; gives the exit code.
pub(super) fn exec(args: &UrlArgs, context: &mut Context) -> u8 {
    let catalog = context.catalog(args.lang);
    let ended = UrlRun::new(args, args.next_run(), catalog, context)
        .and_then(|mut run| run.run_all(context));
    let exit = ended.unwrap_or_else(|refusal| {
        let catalog = context.catalog(args.lang);
        context.err(&format!("{}\n", catalog.problem(&refusal.problem)));
        refusal.exit
    });
    exit.code(Dialect::Loadline)
}

impl<'a> UrlRun<'a> {
    fn new(
        args: &'a UrlArgs,
        next: NextRun,
        catalog: Catalog,
        context: &Context,
    ) -> Result<Self, Refusal> {
        let target = args.target()?;
        let plan = args.plan(next, &catalog)?;
        let flags = args.launch_flags()?;
        let planned = flags.plan.as_deref();
        let planned = planned.map(|path| PlanComparison::read(context, path, &args.url));
        let network = network::plain_to(&target.url, &context.env, args.insecure)
            .map_err(|error| Refusal::config(problem::start_failed("network", error)))?;
        let settings = NetworkSettings {
            reuse_connections: !args.no_connection_reuse,
            ..network
        };
        let tags = vec![
            ("group".to_owned(), String::new()),
            ("scenario".to_owned(), SCENARIO.to_owned()),
        ];
        Ok(Self {
            args,
            flags,
            catalog,
            factory: BareFactory::new(target, settings, tags),
            plan,
            planned: planned.transpose()?,
        })
    }

    fn run_all(&mut self, context: &mut Context) -> Result<Exit, Refusal> {
        let inputs = Inputs::open(context, self.args.quiet || self.flags.once)?;
        let written = [
            &self.args.summary_export,
            &self.args.export,
            &self.flags.recording.report,
        ];
        for path in written.into_iter().flatten() {
            check_writable(&context.working_dir.join(path), path)?;
        }
        if self.flags.once {
            return self.once(context, &inputs);
        }
        if let Some(pairs) = self.args.trace_cost {
            return tracing::run_pairs(self, context, &inputs, pairs);
        }
        let one = || self.factory.clone();
        if self.flags.repeat == 1 {
            let run = self.run(context, &inputs, one(), None)?;
            return Ok(run.exit);
        }
        let catalog = Catalog::new(self.catalog.lang());
        repeat::times(context, self.flags.repeat, &catalog, |context, series| {
            self.run(context, &inputs, one(), Some(series))
        })
    }

    fn run(
        &self,
        context: &mut Context,
        inputs: &Inputs,
        factory: BareFactory,
        series: Option<Series>,
    ) -> Result<EndedRun, Refusal> {
        let redactor = recording::redactor(&context.env, &[], &self.flags.recording.keep_env);
        let options = RunOptions {
            series: series.clone(),
            keep: self.recorder_config(context)?,
            outputs: outputs::request(context, &self.flags.outputs, None, redactor)
                .map_err(|error| Refusal::config(problem::output_invalid(error)))?,
            observe: observation::of_run(context, &self.flags.recording, &self.catalog)?,
            answers: self.flags.recording.answer_options(context)?,
            ..self.flags.options.clone()
        };
        let test = self.test(self.plan.clone(), factory)?;
        let shown = self.shown_url();
        let mut hooks = UrlHooks { run: self, series };
        let texts = [self.args.url.as_str()];
        self.launched(&shown, &texts, &options, inputs)
            .run(context, test, &mut hooks)
    }

    /// The test as it is launched.
    fn launched<'b>(
        &'b self,
        shown: &'b str,
        texts: &'b [&'b str],
        options: &'b RunOptions,
        inputs: &'b Inputs,
    ) -> LaunchedTest<'b> {
        LaunchedTest {
            name: shown,
            texts,
            options,
            announce: &self.flags.announce,
            recording: &self.flags.recording,
            plan: self.planned.as_ref(),
            inputs,
            catalog: &self.catalog,
        }
    }

    /// The test whose users `factory` makes.
    fn test(&self, plan: Plan, factory: BareFactory) -> Result<Test, Refusal> {
        let is_open = plan.is_open();
        let mut test = Test::new(plan, Arc::new(factory), Arc::new(Registry::new()), &[])
            .map_err(|error| Refusal::config(problem::usage(error)))?;
        if is_open {
            test.latency_start = LatencyStart::Planned;
        }
        Ok(test)
    }

    /// How the run ends: as its verdict says, if that is to fail it.
    fn exit(&self, summary: &Summary) -> Exit {
        let fail_on = &self.flags.fail_on;
        match summary.verdict() {
            Verdict::FellShort(short) if !fail_on.any(&short) => Exit::Success,
            Verdict::GeneratorLimited(_) if !fail_on.invalid() => {
                fail_on.exit(summary).unwrap_or(Exit::Success)
            }
            verdict => report::exit(&verdict),
        }
    }

    /// The URL without credentials and tokens.
    fn shown_url(&self) -> String {
        Redactor::default().text(&self.args.url)
    }

    /// As what the run is kept.
    fn recorder_config(&self, context: &Context) -> Result<Option<Box<RecorderConfig>>, Refusal> {
        let test = TestFacts {
            kind: "url",
            name: self.args.url.clone(),
            hash: self.args.hash(),
            modules: Vec::new(),
            source: None,
            options: serde_json::Value::Null,
            segment: None,
            plan: self.planned.as_ref().map(PlanComparison::kept),
            secrets: Vec::new(),
        };
        recording::config(context, &self.flags.recording, test)
    }

    /// The whole summary of a run alone; of one among many what tells them apart.
    fn report(&self, outcome: &RunResult, exit: Exit, is_one_of_many: bool) -> String {
        let exit_code = exit.code(Dialect::Loadline);
        let summary = &outcome.summary;
        if !is_one_of_many {
            let facts = report::RunFacts {
                target: &self.shown_url(),
                warm_up: outcome.warm_up.as_ref(),
                end: report::ProgramEnding::Code(exit_code),
            };
            return report::text(summary, facts, &self.catalog);
        }
        let mut text = verdict::of_requests(summary, exit_code, &self.catalog) + "\n";
        if let Some(warmed) = &outcome.warm_up {
            text.push_str(&format!("{}\n", warm_up::line(warmed, &self.catalog)));
        }
        text
    }

    /// What to do about a target that never answered.
    fn print_no_answer(&self, context: &mut Context, outcome: &RunResult, exit: Exit) {
        if exit == Exit::NoAnswer
            && let Some(error) = outcome.summary.errors.first()
        {
            let url = self.shown_url();
            let plain = url
                .strip_prefix("https://")
                .filter(|_| error.text.contains(NO_TLS_SIGN));
            let problem = match plain {
                Some(rest) => problem::no_tls(&url, format!("http://{rest}")),
                None => problem::no_answer(&url, &error.text),
            };
            context.err(&format!("{}\n", self.catalog.problem(&problem)));
        }
    }

    fn once(&self, context: &mut Context, inputs: &Inputs) -> Result<Exit, Refusal> {
        let writer = Arc::new(OnceWriter::new(Catalog::new(self.catalog.lang())));
        let printer = writer.clone();
        let factory = self.factory.clone();
        let factory = factory.watched(Arc::new(move |hop| {
            printer.print(SCENARIO, hop);
        }));
        let options = RunOptions {
            workers: Some(1),
            warm_up: WarmUpSetting::None,
            ..self.flags.options.clone()
        };
        let shown = self.shown_url();
        context.out(&writer.title(&shown));
        // A request and the one with which it answers a digest challenge end by their own time-outs first.
        let at_most = self.args.timeout.saturating_mul(2) + ONCE_MARGIN;
        let test = self.test(self.plan.clone().once(at_most), factory)?;
        let mut hooks = UrlHooks {
            run: self,
            series: None,
        };
        let launched = self.launched(&shown, &[], &options, inputs);
        let followed = launched.follow(context, test, &mut hooks)?;
        let Some(outcome) = followed.outcome.filter(|_| followed.signal.is_none()) else {
            return Ok(Exit::Interrupted);
        };
        let (exit, text) = writer.end(&outcome.summary);
        context.out(&format!("{text}\n"));
        Ok(exit)
    }
}

/// One run of a URL.
struct UrlHooks<'a> {
    run: &'a UrlRun<'a>,
    /// Its place among repetitions.
    series: Option<Series>,
}

impl TestHooks for UrlHooks<'_> {
    type Stop = Refusal;

    fn dialect(&self) -> Dialect {
        Dialect::Loadline
    }

    fn announced(&mut self, context: &mut Context) {
        let run = self.run;
        if let Some(load) = run
            .args
            .rate_understood(&run.catalog)
            .filter(|_| !run.args.quiet)
        {
            print_lines(context, [load]);
        }
    }

    fn live(&self, context: &Context, options: &RunOptions) -> Option<LiveConfig> {
        let run = self.run;
        (!run.args.quiet && !run.flags.once).then(|| LiveConfig {
            title: run.shown_url(),
            mode: outputs::live_mode(options.outputs.as_deref(), run.flags.live),
            has_colors: context.has_colors(),
            own_words: true,
            is_warming: options.warm_up != WarmUpSetting::None,
        })
    }

    fn print_lost(&mut self, context: &mut Context, verdict: &str) {
        context.out(&format!("{verdict}\n"));
    }

    fn conclude(
        &mut self,
        context: &mut Context,
        outcome: &RunResult,
        _signal: Option<StopSignal>,
    ) -> Result<JudgedRun, Refusal> {
        let (run, catalog) = (self.run, &self.run.catalog);
        let exit = run.exit(&outcome.summary);
        let text = run.report(outcome, exit, self.series.is_some());
        context.out(&text);
        for line in outputs::loss_lines(&outcome.outputs, catalog) {
            context.out(&format!("{line}\n"));
        }
        run.print_no_answer(context, outcome, exit);
        let code = exit.code(Dialect::Loadline);
        Ok(JudgedRun {
            code,
            exit,
            verdict: verdict::of_requests(&outcome.summary, code, catalog),
        })
    }

    fn is_quiet(&self) -> bool {
        self.run.args.quiet
    }

    fn recorded(
        &mut self,
        context: &mut Context,
        outcome: &RunResult,
        _judged: &JudgedRun,
    ) -> Result<(), Refusal> {
        let flags = &self.run.flags.recording;
        let asked = AskedReport {
            outcome,
            series: self.series.as_ref(),
            catalog: &self.run.catalog,
        };
        asked.write(context, flags)?;
        let Some(path) = &self.run.args.summary_export else {
            return Ok(());
        };
        let keep_env = &flags.keep_env;
        let redactor = recording::redactor(&context.env, &[], keep_env);
        let text = redactor.document(&report::export(&outcome.summary));
        export(&text, &repeat::numbered(path, self.series.as_ref()))
    }
}

/// Refuses a file that could not be written after the run.
pub(in crate::commands) fn check_writable(file: &Path, path: &str) -> Result<(), Refusal> {
    let existing = file.is_file().then_some(file);
    let place = existing.or_else(|| file.parent()).unwrap_or(file);
    rustix::fs::access(place, rustix::fs::Access::WRITE_OK).map_err(|error| {
        Refusal::config(problem::write_failed(
            path,
            io::Error::from(error).to_string(),
        ))
    })
}

/// Writes the totals as JSON, in the form of k6's `--summary-export`, ours included.
fn export(text: &str, path: &str) -> Result<(), Refusal> {
    std::fs::write(path, text)
        .map_err(|error| Refusal::other(problem::write_failed(path, error.to_string())))
}

/// A URL test made ready to be steered, from the arguments of `run`.
pub(super) fn steerable(args: &UrlArgs, context: &Context) -> Result<Steerable, Refusal> {
    let catalog = context.catalog(args.lang);
    let run = UrlRun::new(args, NextRun::Follows, catalog, context)?;
    let keep = run.recorder_config(context)?;
    let observe = observation::request(context, &run.flags.recording.observe, &run.catalog)?;
    let (name, flags) = (run.shown_url(), run.flags);
    let registry = Arc::new(Registry::new());
    let test = Test::new(run.plan, Arc::new(run.factory), registry, &[])
        .map_err(|error| Refusal::config(problem::usage(error)))?;
    Ok(Steerable {
        test,
        options: RunOptions {
            keep,
            observe,
            warm_up: WarmUpSetting::None,
            drain: Duration::ZERO,
            ..flags.options
        },
        recording: flags.recording,
        announce: flags.announce,
        facts: SteerableFacts {
            name,
            kind: "url",
            hash: args.hash(),
        },
        text: args.url.clone(),
        variables: Vec::new(),
        quiet: args.quiet,
        live: flags.live,
        lang: args.lang,
        usual_users: 10_000,
        is_each_function: false,
    })
}
