//! `run URL`: one request, again and again.

mod args;

pub(super) use args::UrlArgs;

use std::io;
use std::path::Path;
use std::sync::Arc;

use loadline_bare::BareFactory;
use loadline_metrics::Registry;
use loadline_net::NetworkSettings;
use loadline_record::{LatencyStart, Redactor, Series, Summary, Verdict};
use loadline_report::{url as report, verdict, warm_up};
use loadline_session::{RunOptions, RunResult, Test, WarmUpSetting, network};
use loadline_store::RecorderConfig;
use loadline_testplan::Plan;
use loadline_text::{Catalog, Dialect, Exit, problem};

use super::care;
use super::follow::{self, Followed, Inputs};
use super::keep::{self, TestFacts};
use super::observed;
use super::once::OnceWriter;
use super::out;
use super::own::OwnFlags;
use super::planned::{Planned, Sent};
use super::problems::Refusal;
use super::repeat::{self, Run};
use super::{Steerable, SteerableFacts};
use crate::context::Context;
use crate::live::{Live, LiveConfig};

/// What a URL run's only scenario is called.
const SCENARIO: &str = "default";

/// A URL run that is ready.
struct UrlRun<'a> {
    args: &'a UrlArgs,
    own: OwnFlags,
    catalog: Catalog,
    factory: BareFactory,
    plan: Plan,
    /// What `--plan` names.
    planned: Option<Planned>,
}

/// Runs what `args` say; gives the exit code.
pub(super) fn exec(args: &UrlArgs, context: &mut Context) -> u8 {
    let catalog = context.catalog(args.lang);
    let ended = UrlRun::new(args, catalog, context).and_then(|mut run| run.carry_through(context));
    let exit = ended.unwrap_or_else(|refusal| {
        let catalog = context.catalog(args.lang);
        context.err(&format!("{}\n", catalog.problem(&refusal.problem)));
        refusal.exit
    });
    exit.code(Dialect::Loadline)
}

impl<'a> UrlRun<'a> {
    fn new(args: &'a UrlArgs, catalog: Catalog, context: &Context) -> Result<Self, Refusal> {
        let target = args.target()?;
        let plan = args.plan()?;
        let own = args.own()?;
        let planned = own.plan.as_deref();
        let planned = planned.map(|path| Planned::read(context, path, &args.url));
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
            own,
            catalog,
            factory: BareFactory::new(target, settings, tags),
            plan,
            planned: planned.transpose()?,
        })
    }

    fn carry_through(&mut self, context: &mut Context) -> Result<Exit, Refusal> {
        let inputs = Inputs::open(context, self.args.quiet || self.own.once)?;
        if let Some(path) = &self.args.summary_export {
            check_writable(&context.working_dir.join(path), path)?;
        }
        if self.own.once {
            return self.once(context, &inputs);
        }
        if self.own.repeat == 1 {
            let run = self.run(context, &inputs, None)?;
            return Ok(run.exit);
        }
        let catalog = Catalog::new(self.catalog.lang());
        repeat::times(context, self.own.repeat, &catalog, |context, series| {
            self.run(context, &inputs, Some(series))
        })
    }

    fn run(
        &self,
        context: &mut Context,
        inputs: &Inputs,
        series: Option<Series>,
    ) -> Result<Run, Refusal> {
        let is_one_of_many = series.is_some();
        let redactor = keep::redactor(&context.env, &[], &self.own.keep.keep_env);
        let options = RunOptions {
            series: series.clone(),
            keep: self.keeping(context)?,
            outputs: out::request(context, &self.own.out, (None, redactor))
                .map_err(|error| Refusal::config(problem::output_invalid(error)))?,
            observe: observed::request(context, &self.own.keep.observe, &self.catalog)?,
            ..self.own.options.clone()
        };
        let factory = Arc::new(self.factory.clone());
        let shown = self.shown_url();
        let texts = [self.args.url.as_str()];
        let named = (&self.plan, texts.as_slice());
        let notices = care::begin(context, &self.own.care, &shown, named, &self.catalog)?;
        let followed = self.follow(context, inputs, (self.plan.clone(), factory), &options)?;
        let exit = followed.exit_without_outcome();
        let lost = followed.verdict_without_outcome(Dialect::Loadline, &self.catalog);
        let Some(outcome) = followed.outcome else {
            let verdict = lost;
            context.out(&format!("{verdict}\n"));
            if let Some(notices) = notices {
                notices.end(context, &verdict, &self.catalog);
            }
            return Ok(Run {
                exit,
                outcome: None,
            });
        };
        let exit = self.exit(&outcome.summary);
        let text = self.report(&outcome, exit, is_one_of_many);
        context.out(&text);
        for line in out::lines(&outcome.outputs, &self.catalog) {
            context.out(&format!("{line}\n"));
        }
        self.explain(context, &outcome, exit);
        observed::tell(context, &outcome.signals, &self.catalog, self.args.quiet);
        keep::tell(
            context,
            &self.own.keep,
            outcome.kept.as_ref(),
            &self.catalog,
            self.args.quiet,
        );
        if let Some(notices) = notices {
            let code = exit.code(Dialect::Loadline);
            let verdict = verdict::of_requests(&outcome.summary, code, &self.catalog);
            notices.end(context, &verdict, &self.catalog);
        }
        if let Some(path) = &self.args.summary_export {
            let redactor = keep::redactor(&context.env, &[], &self.own.keep.keep_env);
            let text = redactor.document(&report::export(&outcome.summary));
            export(&text, &repeat::numbered(path, series.as_ref()))?;
        }
        Ok(Run {
            exit,
            outcome: Some(outcome),
        })
    }

    /// How the run ends: as its verdict says, if that is to fail it.
    fn exit(&self, summary: &Summary) -> Exit {
        let fail_on = &self.own.fail_on;
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
    fn keeping(&self, context: &Context) -> Result<Option<Box<RecorderConfig>>, Refusal> {
        let test = TestFacts {
            kind: "url",
            name: self.args.url.clone(),
            hash: self.args.hash(),
            modules: Vec::new(),
            source: None,
            options: serde_json::Value::Null,
            segment: None,
            plan: self.planned.as_ref().map(Planned::kept),
            secrets: Vec::new(),
        };
        keep::keeping(context, &self.own.keep, test)
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
    fn explain(&self, context: &mut Context, outcome: &RunResult, exit: Exit) {
        if exit == Exit::NoAnswer
            && let Some(error) = outcome.summary.errors.first()
        {
            let problem = problem::no_answer(self.shown_url(), &error.text);
            context.err(&format!("{}\n", self.catalog.problem(&problem)));
        }
    }

    fn once(&self, context: &mut Context, inputs: &Inputs) -> Result<Exit, Refusal> {
        let writer = Arc::new(OnceWriter::new(Catalog::new(self.catalog.lang())));
        let printer = writer.clone();
        let factory = self.factory.clone();
        let factory = Arc::new(factory.watched(Arc::new(move |hop| {
            printer.print(SCENARIO, hop);
        })));
        let options = RunOptions {
            workers: Some(1),
            warm_up: WarmUpSetting::None,
            ..self.own.options.clone()
        };
        context.out(&writer.title(&self.shown_url()));
        let plan = self.plan.clone().once(self.args.timeout);
        let followed = self.follow(context, inputs, (plan, factory), &options)?;
        let Some(outcome) = followed.outcome.filter(|_| followed.signal.is_none()) else {
            return Ok(Exit::Interrupted);
        };
        let (exit, text) = writer.end(&outcome.summary);
        context.out(&format!("{text}\n"));
        Ok(exit)
    }

    fn follow(
        &self,
        context: &mut Context,
        inputs: &Inputs,
        (plan, factory): (Plan, Arc<BareFactory>),
        options: &RunOptions,
    ) -> Result<Followed, Refusal> {
        let planned = self.planned.as_ref();
        for line in planned.iter().flat_map(|p| p.before(&plan, &self.catalog)) {
            context.err(&format!("loadline: {line}\n"));
        }
        let registry = Arc::new(Registry::new());
        let is_open = plan.is_open();
        let mut test = Test::new(plan, factory, registry, &[])
            .map_err(|error| Refusal::config(problem::usage(error)))?;
        if is_open {
            test.latency_start = LatencyStart::Planned;
        }
        #[cfg(feature = "fault-injection")]
        let test = crate::fault::in_test(test, context);
        let handle = loadline_session::start(test, options)
            .map_err(|error| Refusal::session(&error, &self.catalog))?;
        let live = (!self.args.quiet && !self.own.once).then(|| {
            let config = LiveConfig {
                title: self.shown_url(),
                mode: out::live_mode(options.outputs.as_deref(), self.own.live),
                has_colors: context.has_colors(),
                own_words: true,
                is_warming: options.warm_up != WarmUpSetting::None,
            };
            let run = (handle.run_state.clone(), handle.clock);
            let catalog = Catalog::new(self.catalog.lang());
            Live::new(context, run, catalog, config, inputs.keyboard.is_held)
        });
        let mut sent = Sent::default();
        let heard = |event: &loadline_session::SessionEvent| sent.on_event(event);
        let catalog = &self.catalog;
        let followed = follow::to_end(context, &handle, inputs, live, catalog, heard);
        if let Some(line) = planned.and_then(|planned| planned.after(&sent, catalog)) {
            context.err(&format!("loadline: {line}\n"));
        }
        Ok(followed)
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
    let run = UrlRun::new(args, catalog, context)?;
    let keep = run.keeping(context)?;
    let observe = observed::request(context, &run.own.keep.observe, &run.catalog)?;
    let (name, own) = (run.shown_url(), run.own);
    let registry = Arc::new(Registry::new());
    let test = Test::new(run.plan, Arc::new(run.factory), registry, &[])
        .map_err(|error| Refusal::config(problem::usage(error)))?;
    Ok(Steerable {
        test,
        options: RunOptions {
            keep,
            observe,
            warm_up: WarmUpSetting::None,
            drain: std::time::Duration::ZERO,
            ..own.options
        },
        keep: own.keep,
        care: own.care,
        facts: SteerableFacts {
            name,
            kind: "url",
            hash: args.hash(),
        },
        text: args.url.clone(),
        variables: Vec::new(),
        quiet: args.quiet,
        live: own.live,
        lang: args.lang,
        usual_users: 10_000,
    })
}
