//! `preflight`: is the test bed strong enough for the planned load?

use std::time::Duration;

use loadline_bare::UrlRequest;
use loadline_net::NetworkSettings;
use loadline_observe::SourceAddress;
use loadline_report::sources;
use loadline_session::preflight::{PartJudgement, PartMeasurement, SinkServer, probe};
use loadline_session::{network, observe};
use loadline_sizing::{FigureUnit, LoopCeiling, PlanFile};
use loadline_text::{
    Catalog, Dialect, Exit, Lang, Message, latency, millis, percent, problem, testbed,
};
use loadline_units::Rate;

use super::run;
use crate::context::Context;
use crate::launch::problems;
use crate::launch::{observation, plan_comparison};
use crate::refusal::Refusal;

/// Whether generator and outside servers stand the planned load, before the target gets any
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  loadline preflight test.js --also http://127.0.0.1:9000/pay
  loadline preflight load.js --plan plan.json --also http://10.0.0.5:8000/rates@5/s
  loadline preflight http://127.0.0.1:8080/fast --rate 200/s
  loadline preflight test.js --observe http://127.0.0.1:8080/actuator/prometheus

Order: what each source of signals gives, the generator alone against a built-in
sink, each --also alone at a low and at the planned rate, then one iteration through the target.
It stops at the first that gives way; a source that does not answer stops nothing.
")]
pub(crate) struct PreflightArgs {
    /// The test: a k6 script, an Artillery file or a URL
    #[arg(value_name = "TEST")]
    test: String,
    /// An outside server or stand-in that the target calls; after @ its own rate
    #[arg(long, value_name = "URL[@RATE]")]
    also: Vec<String>,
    /// A source of the target's signals, as in run [default: those of loadline.yaml]
    #[arg(long, value_name = "SOURCE", value_parser = observation::source)]
    observe: Vec<SourceAddress>,
    /// Planned requests per second [default: the plan's, else what the test starts per second]
    #[arg(long, value_name = "RATE")]
    rate: Option<Rate>,
    /// Take the planned rate from a plan of loadline plan --write
    #[arg(long, value_name = "FILE")]
    plan: Option<String>,
    /// How long each part is tried at the planned rate, seconds
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u64).range(4..=600))]
    seconds: u64,
    /// Variables of the script or file: NAME=VALUE
    #[arg(short, long = "env", value_name = "NAME=VALUE")]
    env: Vec<String>,
    /// Take any certificate
    #[arg(short = 'k', long)]
    insecure: bool,
    /// Language: en or ko [default: that of the locale]
    #[arg(long, value_parser = crate::language::parse, value_name = "LANG")]
    lang: Option<Lang>,
}

/// The low rate, and how long it is tried.
const LOW_RATE: f64 = 1.0;
const LOW_LENGTH: Duration = Duration::from_secs(4);
/// Tries of the generator: another program may have taken the CPU for a moment.
const GENERATOR_TRIES_MAX: u32 = 3;

struct Preflight<'a> {
    args: &'a PreflightArgs,
    catalog: &'a Catalog,
    settings: NetworkSettings,
}

impl PreflightArgs {
    pub(crate) fn exec(self, context: &mut Context) -> u8 {
        let catalog = context.catalog(self.lang);
        let exit = match self.check_all(context, &catalog) {
            Ok(exit) => exit,
            Err(refusal) => {
                context.err(&format!("{}\n", catalog.problem(&refusal.problem)));
                refusal.exit
            }
        };
        exit.code(Dialect::Loadline)
    }

    fn check_all(&self, context: &mut Context, catalog: &Catalog) -> Result<Exit, Refusal> {
        let settings = network::plain(&context.env, self.insecure)
            .map_err(|error| Refusal::config(problem::start_failed("network", error)))?;
        let test = run::Once::prepare(context, &self.test, &self.env, self.lang)?;
        let offered = plan_comparison::offered(test.plan());
        let rate = self.planned_rate(context, offered.starts_per_second)?;
        let outside: Vec<(UrlRequest, f64)> = self
            .also
            .iter()
            .map(|text| outside(text, rate))
            .collect::<Result<_, _>>()?;
        let shown = FigureUnit::PerSecond.show(rate);
        context.out(&format!(
            "{}\n",
            catalog.text(&testbed::preflight_title(shown))
        ));
        let is_seen = self.sources(context, catalog)?;
        let flight = Preflight {
            args: self,
            catalog,
            settings,
        };
        if let Some(exit) = flight.generator(context, rate)? {
            return Ok(exit);
        }
        for (target, rate) in outside {
            if let Some(exit) = flight.outside(context, target, rate)? {
                return Ok(exit);
            }
        }
        let exit = flight.iteration(context, test, rate, offered.closed_users)?;
        Ok(match exit {
            Exit::Success if !is_seen => Exit::NoAnswer,
            exit => exit,
        })
    }

    /// What each source of the target's signals gives; whether all of them answer.
    fn sources(&self, context: &mut Context, catalog: &Catalog) -> Result<bool, Refusal> {
        let Some(request) = observation::request(context, &self.observe, catalog)? else {
            let none = catalog.text(&testbed::preflight_no_sources());
            context.out(&format!("{none}\n"));
            return Ok(true);
        };
        let all = observe(&request);
        let answering = all.iter().filter(|one| sources::is_answering(one)).count();
        let is_seen = answering == all.len();
        let said = if is_seen {
            testbed::preflight_sources(answering, all.len())
        } else {
            testbed::preflight_sources_fail(answering, all.len())
        };
        context.out(&format!("{}\n", catalog.text(&said)));
        for line in sources::check(&all, catalog).lines() {
            context.out(&format!("      {line}\n"));
        }
        Ok(is_seen)
    }

    /// Requests per second planned.
    fn planned_rate(&self, context: &Context, starts: f64) -> Result<f64, Refusal> {
        if let Some(rate) = self.rate {
            return Ok(rate.as_per_second());
        }
        if let Some(path) = &self.plan {
            let text = std::fs::read_to_string(context.working_dir.join(path))
                .map_err(|error| Refusal::unread(path, &error))?;
            let plan = PlanFile::parse(&text)
                .map_err(|error| Refusal::config(problem::plan_file(path, error)))?;
            return Ok(plan.peak_rate);
        }
        if starts > 0.0 {
            return Ok(starts);
        }
        Err(Refusal::config(problem::preflight_no_rate()))
    }
}

/// An outside server and its rate.
fn outside(text: &str, planned: f64) -> Result<(UrlRequest, f64), Refusal> {
    let (url, rate) = match text.rsplit_once('@') {
        Some((url, rate)) if rate.parse::<Rate>().is_ok() => {
            let rate: Result<Rate, _> = rate.parse();
            (url, rate.map_or(planned, Rate::as_per_second))
        }
        _ => (text, planned),
    };
    let mut target =
        UrlRequest::get(url).map_err(|error| Refusal::config(problems::of_target(url, &error)))?;
    target.timeout = Duration::from_secs(30);
    Ok((target, rate))
}

impl Preflight<'_> {
    fn print(&self, context: &mut Context, message: &Message) {
        context.out(&format!("{}\n", self.catalog.text(message)));
    }

    fn probe(
        &self,
        target: &UrlRequest,
        rate: f64,
        length: Duration,
        usual: Duration,
    ) -> Result<PartMeasurement, Refusal> {
        probe(target.clone(), rate, length, usual, self.settings.clone())
            .map_err(|error| Refusal::other(problem::start_failed("preflight", error)))
    }

    fn shown(&self, reading: &PartMeasurement) -> [String; 3] {
        [
            FigureUnit::PerSecond.show(reading.offered),
            FigureUnit::PerSecond.show(reading.answered.max(0.0)),
            reading.p95_ms.map_or_else(|| "-".to_owned(), millis),
        ]
    }

    /// The generator alone.
    fn generator(&self, context: &mut Context, rate: f64) -> Result<Option<Exit>, Refusal> {
        let sink = SinkServer::start(context.wall_clock)
            .map_err(|error| Refusal::other(problem::start_failed("sink", error)))?;
        let target = UrlRequest::get(&sink.url())
            .map_err(|error| Refusal::other(problem::start_failed("sink", error)))?;
        let length = Duration::from_secs(self.args.seconds);
        let mut reading = self.probe(&target, rate, length, Duration::ZERO)?;
        for _ in 1..GENERATOR_TRIES_MAX {
            if reading.judge(None) == PartJudgement::Holds {
                break;
            }
            reading = self.probe(&target, rate, length, Duration::ZERO)?;
        }
        let cpu = reading.cpu.map_or_else(|| "-".to_owned(), percent);
        let [offered, answered, p95] = self.shown(&reading);
        if reading.judge(None) == PartJudgement::Holds {
            self.print(
                context,
                &testbed::preflight_generator(offered, answered, p95, cpu),
            );
            return Ok(None);
        }
        self.print(
            context,
            &testbed::preflight_generator_weak(offered, answered, p95, cpu),
        );
        Ok(Some(Exit::GeneratorLimited))
    }

    /// An outside server alone, at a low and at its planned rate.
    fn outside(
        &self,
        context: &mut Context,
        target: UrlRequest,
        rate: f64,
    ) -> Result<Option<Exit>, Refusal> {
        let name = target.url.to_string();
        let low = self.probe(&target, LOW_RATE.min(rate), LOW_LENGTH, Duration::ZERO)?;
        let [offered, answered, p95] = self.shown(&low);
        if low.p95_ms.is_none() || low.failed > 0.5 {
            self.print(context, &testbed::preflight_no_answer(name, offered));
            return Ok(Some(Exit::NoAnswer));
        }
        self.print(
            context,
            &testbed::preflight_low(&name, offered, answered, p95),
        );
        let usual = low
            .p95_ms
            .map(|ms| Duration::try_from_secs_f64(ms / 1000.0));
        let usual = usual.and_then(Result::ok).unwrap_or_default();
        let length = Duration::from_secs(self.args.seconds);
        let planned = self.probe(&target, rate, length, usual)?;
        let [offered, answered, p95] = self.shown(&planned);
        let weak = match planned.judge(Some(&low)) {
            PartJudgement::Holds => {
                self.print(
                    context,
                    &testbed::preflight_planned(name, offered, answered, p95),
                );
                return Ok(None);
            }
            PartJudgement::GivesWay(_) => {
                testbed::preflight_gives_way(name, answered, offered, p95)
            }
            PartJudgement::Fails(share) => testbed::preflight_fails(name, percent(share), offered),
            PartJudgement::Slows(before, now) => {
                testbed::preflight_slows(name, offered, millis(before), millis(now))
            }
        };
        self.print(context, &weak);
        self.print(context, &testbed::preflight_target_untouched());
        Ok(Some(Exit::ThresholdsFailed))
    }

    /// One iteration through the target, and the ceiling it shows.
    fn iteration(
        &self,
        context: &mut Context,
        test: run::Once,
        rate: f64,
        users: f64,
    ) -> Result<Exit, Refusal> {
        let once = test.run(context)?;
        let Some(once) = once.filter(|once| once.requests > 0.0) else {
            self.print(context, &testbed::preflight_iteration_failed());
            return Ok(Exit::NoAnswer);
        };
        let response = once.waiting_s / once.requests;
        let think = (once.length_s - once.waiting_s).max(0.0);
        self.print(
            context,
            &testbed::preflight_iteration(
                FigureUnit::Count.show(once.requests),
                percent(once.failed / once.requests),
                latency(response * 1000.0),
                latency(think * 1000.0),
            ),
        );
        if once.failed > 0.0 {
            self.print(context, &testbed::preflight_iteration_failed());
            return Ok(Exit::ThresholdsFailed);
        }
        if users > 0.0 {
            let ceiling = LoopCeiling {
                vus: users,
                requests: once.requests,
                think,
                response: Some(response),
            };
            let at_best = ceiling.rate(0.0);
            let (best, now) = (FigureUnit::PerSecond.show(at_best), ceiling.rate(response));
            let formula = ceiling.formula(response);
            let now = FigureUnit::PerSecond.show(now);
            self.print(context, &testbed::preflight_ceiling(formula, now, best));
            if at_best < rate {
                let rate = FigureUnit::PerSecond.show(rate);
                self.print(context, &testbed::preflight_ceiling_low(rate));
                return Ok(Exit::ThresholdsFailed);
            }
        }
        self.print(context, &testbed::preflight_ready());
        Ok(Exit::Success)
    }
}
