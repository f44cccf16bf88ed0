//! What is typed for a URL run, and what it means.

mod values;

use std::ops::RangeInclusive;
use std::time::Duration;

use bytes::Bytes;
use loadline_analysis::slo::Term;
use loadline_analysis::tracing::{TRACED_PAIRS_MAX, TRACED_PAIRS_MIN};
use loadline_bare::{TraceShare, UrlRequest};
use loadline_observe::SourceAddress;
use loadline_report::problems::of_plan;
use loadline_session::answers::AnswerOptions;
use loadline_session::{RunOptions, WarmUpSetting};
use loadline_testplan::Plan;
use loadline_testplan::draft::{ExecutorDraft, PlanDraft, ScenarioDraft};
use loadline_text::{Catalog, Lang, Location, arguments, counted, messages, plan, problem};
use loadline_units::Rate;
use loadline_units::duration::go_string;
use sha2::{Digest, Sha256};

use super::SCENARIO;
use crate::launch::announcement::AnnounceFlags;
use crate::launch::answers::AnswerFlags;
use crate::launch::fail_on::FailOn;
use crate::launch::launch_flags::{self, Arrivals, LaunchFlags, REPETITIONS_MAX};
use crate::launch::observation;
use crate::launch::outputs::OutputFlags;
use crate::launch::problems;
use crate::launch::recording::RecordingFlags;
use crate::launch::shared_targets::SharedTargetFlags;
use crate::live::LiveMode;
use crate::refusal::Refusal;
use values::{
    Stage, arrivals, duration, fail_on, goal, header, live, load_duration, method,
    positive_duration, rate, setting, share, spool_max, stage, threshold,
};

/// How long requests may go on after the load, unless it is typed.
const GRACEFUL_STOP: Duration = Duration::from_secs(5);

/// What comes after a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NextRun {
    None,
    /// Another one of the same target, at once.
    Follows,
}

/// How many pairs `--trace-cost` takes.
const PAIRS: RangeInclusive<i64> = TRACED_PAIRS_MIN as i64..=TRACED_PAIRS_MAX as i64;

#[derive(Debug, clap::Args)]
pub(in super::super) struct UrlArgs {
    /// A URL: http://host/path
    #[arg(value_name = "URL")]
    pub(super) url: String,
    /// Virtual users that loop; with --rate, users ready at the start
    #[arg(short = 'u', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    vus: Option<u32>,
    /// How long to send load [default: 10s]
    #[arg(short, long, value_parser = load_duration, value_name = "TIME", allow_hyphen_values = true)]
    duration: Option<Duration>,
    /// Ramp the users to a number in a time, repeatable: --stage 30s:10 --stage 1m:10 ramps up, then holds
    #[arg(long = "stage", value_parser = stage, value_name = "TIME:VUS", allow_hyphen_values = true,
          conflicts_with_all = ["duration", "rate", "iterations"])]
    stages: Vec<Stage>,
    /// Start so many requests a second, whatever the answers: 2000/s, 30/m
    #[arg(long, value_name = "RATE", value_parser = rate, conflicts_with = "iterations", allow_hyphen_values = true)]
    rate: Option<Rate>,
    /// How requests of --rate are spaced: at random as people come, or evenly
    #[arg(long, value_parser = arrivals, value_name = "poisson|even", requires = "rate")]
    arrivals: Option<Arrivals>,
    /// The same seed makes the same random starts [default: another each time]
    #[arg(long, value_name = "N", requires = "rate")]
    arrivals_seed: Option<u32>,
    /// Send so many requests in all
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    iterations: Option<u32>,
    /// Most users made when --rate finds none idle [default: 10 s worth of starts]
    #[arg(long, value_name = "N", requires = "rate", value_parser = clap::value_parser!(u32).range(1..))]
    max_vus: Option<u32>,
    /// Method [default: GET, or POST with a body]
    #[arg(short, long, value_parser = method, value_name = "METHOD")]
    method: Option<String>,
    /// Header field, repeatable: -H 'Accept: application/json'
    #[arg(short = 'H', long = "header", value_parser = header, value_name = "NAME: VALUE")]
    headers: Vec<(String, String)>,
    /// Body, or @FILE
    #[arg(short, long, value_name = "TEXT|@FILE", allow_hyphen_values = true)]
    body: Option<String>,
    /// How long one request may take
    #[arg(long, value_parser = positive_duration, default_value = "60s", value_name = "TIME")]
    pub(super) timeout: Duration,
    /// How long running requests may go on after the load, or after Ctrl-C [default: 5s; as long as
    /// a request may take between repetitions and trials]
    #[arg(long, value_parser = duration, value_name = "TIME")]
    graceful_stop: Option<Duration>,
    /// Send one request and print all about it
    #[arg(long, conflicts_with_all = ["repeat", "warmup"])]
    once: bool,
    /// A goal, repeatable: 'p(95)<500ms', 'mean<100ms', 'max<2s', 'errors<1%'
    #[arg(long, value_parser = goal, value_name = "TERM", allow_hyphen_values = true)]
    slo: Vec<Term>,
    /// What fails the run: errors, load, cut, redirects, invalid, with commas between them, or none
    /// [default: all of them]
    #[arg(long, value_parser = fail_on, value_name = "REASONS")]
    fail_on: Option<FailOn>,
    /// Run it N times one after another, and compare the runs
    #[arg(long, value_name = "N", default_value = "1",
          value_parser = clap::value_parser!(u32).range(1..=i64::from(REPETITIONS_MAX)))]
    repeat: u32,
    /// Measure without counting for so long, or until steady: 30s, auto
    #[arg(long, value_parser = launch_flags::typed_warm_up, value_name = "TIME|auto")]
    warmup: Option<WarmUpSetting>,
    /// Say how the load compares with a plan of loadline plan --write
    #[arg(long, value_name = "FILE")]
    pub(super) plan: Option<String>,
    /// Run although open files may not be enough, or a shared target's hours are over
    #[arg(long)]
    force: bool,
    /// Worker threads [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// A new connection for every request
    #[arg(long)]
    pub(super) no_connection_reuse: bool,
    /// Take any certificate
    #[arg(short = 'k', long)]
    pub(super) insecure: bool,
    /// Write the totals to a file, as JSON
    #[arg(long, value_name = "FILE")]
    pub(super) summary_export: Option<String>,
    /// Where samples go besides the summary, repeatable: json=FILE, csv=FILE, influxdb=URL,
    /// experimental-prometheus-rw, opentelemetry
    #[arg(short, long = "out", value_name = "TYPE=PLACE")]
    outs: Vec<String>,
    /// Most that waits for one output, in memory and on disk [default: 2GiB]
    #[arg(long, value_parser = spool_max, value_name = "SIZE")]
    spool_max: Option<u64>,
    /// Setting of the target, written down with the run, repeatable: --set threads.max=20
    #[arg(long = "set", value_parser = setting, value_name = "NAME=VALUE")]
    settings: Vec<(String, String)>,
    /// Words to keep with the run
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
    /// Name that the run gets, as by loadline runs tag, repeatable
    #[arg(long = "tag", value_name = "NAME", conflicts_with = "no_store")]
    tags: Vec<String>,
    /// Write a report of the run to a file, as loadline report does: HTML, or as it ends (.json, .md, .xml)
    #[arg(long, value_name = "FILE", conflicts_with = "no_store")]
    report: Option<String>,
    /// Keep a sample of answers, by request, that later runs can be held to
    #[arg(long, conflicts_with_all = ["no_store", "once"])]
    save_answers: bool,
    /// Fail unless answers are as in a run that kept them, or in several (A,B): what differs between
    /// these, or within one, varies by itself and is not compared
    #[arg(long, value_name = "RUN", conflicts_with = "once")]
    same_answers_as: Option<String>,
    /// Where runs are kept [default: loadline/runs.db in the user's data folder]
    #[arg(long, value_name = "FILE")]
    store: Option<String>,
    /// Keep nothing of this run
    #[arg(long, conflicts_with = "store")]
    no_store: bool,
    /// Environment variable whose value is kept with the run, repeatable
    #[arg(long, value_name = "NAME")]
    keep_env: Vec<String>,
    /// Where signals of the target come from during the run, repeatable:
    /// http://HOST:PORT/actuator/prometheus, port:8080, pid:1234, postgres://USER@HOST/DB,
    /// redis://HOST, otlp:PORT, log:FILE, command:COMMAND, ... (loadline observe --help)
    #[arg(long, value_parser = observation::source, value_name = "SOURCE")]
    observe: Vec<SourceAddress>,
    /// End with the load: sources are watched for 5 s after it otherwise, to tell the target's own work
    /// from that of others
    #[arg(long)]
    no_observe_after: bool,
    /// Ask the target to trace this share of the requests, by a traceparent of their own: 5%
    #[arg(long, value_parser = share, value_name = "PERCENT")]
    trace: Option<f64>,
    /// Tell what tracing costs the target: so many pairs of runs, one with every request traced and one
    /// with none, in changing order; CPU of a request needs --observe
    #[arg(long, value_name = "PAIRS", value_parser = clap::value_parser!(u32).range(PAIRS),
          conflicts_with_all = ["trace", "repeat", "once", "no_store"])]
    pub(super) trace_cost: Option<u32>,
    /// Write what tracing costs to a file, as JSON
    #[arg(long, value_name = "FILE", requires = "trace_cost")]
    pub(super) export: Option<String>,
    /// Post start, expected load, end and verdict to a URL, as Slack's webhooks take it
    #[arg(long, value_name = "URL")]
    notify: Option<String>,
    /// Load targets that loadline.yaml lists as shared without being asked
    #[arg(short = 'y', long)]
    yes: bool,
    /// At a terminal, show the run on the whole screen, or in a few lines
    #[arg(long, value_parser = live, value_name = "screen|lines", default_value = "screen", hide_default_value = true)]
    live: LiveMode,
    /// Language: en or ko [default: that of the locale]
    #[arg(long, value_parser = crate::language::parse, value_name = "LANG")]
    pub(super) lang: Option<Lang>,
    /// Print the result only
    #[arg(short, long)]
    pub(super) quiet: bool,
}

impl UrlArgs {
    pub(super) fn launch_flags(&self) -> Result<LaunchFlags, Refusal> {
        // People do not come evenly spaced.
        let usual = || Arrivals::Poisson.spacing(None);
        let arrivals = launch_flags::spacing(self.arrivals, self.arrivals_seed)?;
        Ok(LaunchFlags {
            announce: AnnounceFlags {
                notify: self.notify.clone(),
                shared: SharedTargetFlags {
                    yes: self.yes || self.once,
                    force: self.force || self.once,
                },
            },
            recording: RecordingFlags {
                store: self.store.clone(),
                off: self.no_store || self.once,
                keep_env: self.keep_env.clone(),
                settings: self.settings.iter().cloned().collect(),
                note: self.note.clone().unwrap_or_default(),
                observe: if self.once {
                    Vec::new()
                } else {
                    self.observe.clone()
                },
                no_observe_after: self.no_observe_after,
                tags: self.tags.clone(),
                report: self.report.clone(),
                answers: AnswerFlags {
                    are_saved: self.save_answers,
                    same_as: self.same_answers_as.clone(),
                },
            },
            once: self.once,
            repeat: self.repeat,
            plan: self.plan.clone(),
            live: self.live,
            fail_on: self.fail_on.clone().unwrap_or_else(FailOn::of_url_runs),
            outputs: OutputFlags {
                outs: if self.once {
                    Vec::new()
                } else {
                    self.outs.clone()
                },
                spool_max: self.spool_max,
                variables: None,
            },
            options: RunOptions {
                workers: self.threads.map(usize::from),
                drain: self.graceful_stop.unwrap_or(GRACEFUL_STOP),
                warm_up: self.warmup.unwrap_or_default(),
                force: self.force,
                series: None,
                keep: None,
                arrivals: Some(arrivals.unwrap_or_else(usual)),
                paused: false,
                outputs: None,
                observe: None,
                answers: AnswerOptions::default(),
            },
        })
    }

    /// What tells this test from another: what is sent where.
    pub(super) fn hash(&self) -> String {
        let mut sha = Sha256::new();
        let mut part = |text: &str| {
            sha.update(text.len().to_le_bytes());
            sha.update(text);
        };
        part(&self.url);
        part(self.method.as_deref().unwrap_or_default());
        part(self.body.as_deref().unwrap_or_default());
        for (name, value) in &self.headers {
            part(name);
            part(value);
        }
        let digest = sha.finalize();
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    pub(super) fn target(&self) -> Result<UrlRequest, Refusal> {
        let mut target = UrlRequest::get(&self.url)
            .map_err(|error| Refusal::config(problems::of_target(&self.url, &error)))?;
        target.body = self.read_body()?;
        target.method = match (&self.method, &target.body) {
            (Some(method), _) => method.clone(),
            (None, Some(_)) => "POST".to_owned(),
            (None, None) => "GET".to_owned(),
        };
        target.headers.clone_from(&self.headers);
        target.timeout = self.timeout;
        target.traced = self.trace.map(|share| TraceShare {
            share,
            seed: u64::from(launch_flags::drawn_word()),
        });
        Ok(target)
    }

    fn read_body(&self) -> Result<Option<Bytes>, Refusal> {
        let Some(body) = &self.body else {
            return Ok(None);
        };
        let Some(file) = body.strip_prefix('@') else {
            return Ok(Some(Bytes::from(body.clone())));
        };
        let read = std::fs::read(file).map_err(|error| {
            let problem = Refusal::unread(file, &error).problem;
            Refusal::config(problem.at(Location::file("--body")))
        })?;
        Ok(Some(Bytes::from(read)))
    }

    /// How long requests may go on after the load. What one run leaves unanswered its target still works at while the next
    /// one begins.
    fn graceful_end(&self, next: NextRun) -> Duration {
        self.graceful_stop.unwrap_or(match next {
            NextRun::None => GRACEFUL_STOP,
            NextRun::Follows => self.timeout.max(GRACEFUL_STOP),
        })
    }

    /// Whether other runs of the same target follow at once.
    pub(super) fn next_run(&self) -> NextRun {
        if self.repeat > 1 || self.trace_cost.is_some() {
            NextRun::Follows
        } else {
            NextRun::None
        }
    }

    pub(super) fn plan(&self, next: NextRun, catalog: &Catalog) -> Result<Plan, Refusal> {
        if !self.stages.is_empty() && self.stages.iter().all(Stage::is_nothing) {
            let typed: Vec<String> = self.stages.iter().map(Stage::to_string).collect();
            let why = catalog.text(&plan::why_not_positive());
            let expected = catalog.text(&arguments::expected_stage());
            let refused = problem::option_refused("--stage", typed.join(" "), why, expected);
            return Err(Refusal::config(refused));
        }
        let length = self.length();
        let vus = self.vus.map(i64::from);
        if let (Some(ready), Some(most)) = (self.vus, self.max_vus)
            && ready > most
        {
            let typed = (format!("--vus {ready}"), format!("--max-vus {most}"));
            return Err(Refusal::config(problem::option_conflict(typed.0, typed.1)));
        }
        let executor = if let Some(rate) = self.rate {
            let ready = self.ready_users(rate);
            ExecutorDraft::ConstantArrivalRate {
                rate: i64::try_from(rate.events()).ok(),
                time_unit: Some(rate.per().into()),
                duration: Some(length.into()),
                pre_allocated_vus: Some(ready),
                max_vus: Some(self.most_users(rate).max(ready)),
            }
        } else if let Some(iterations) = self.iterations {
            ExecutorDraft::SharedIterations {
                vus: vus.or(Some(1)),
                iterations: Some(i64::from(iterations)),
                max_duration: self.duration.map(Into::into),
            }
        } else if !self.stages.is_empty() {
            ExecutorDraft::RampingVus {
                start_vus: vus.or(Some(1)),
                stages: self.stages.iter().map(Stage::draft).collect(),
                graceful_ramp_down: None,
            }
        } else {
            ExecutorDraft::ConstantVus {
                vus: vus.or(Some(1)),
                duration: Some(length.into()),
            }
        };
        let mut scenario = ScenarioDraft::new(SCENARIO, executor);
        scenario.graceful_stop = Some(self.graceful_end(next).into());
        scenario.starts_wait = true;
        Plan::check(PlanDraft {
            scenarios: vec![scenario],
            thresholds: self.slo.iter().map(threshold).collect(),
            ..PlanDraft::default()
        })
        .map_err(|mistakes| {
            let problem = mistakes.first().map(of_plan);
            Refusal::config(problem.unwrap_or_else(|| problem::usage("the plan is wrong")))
        })
    }

    /// What was understood of `--rate`: without a unit it is per second, as nothing but a plan of load would tell.
    pub(super) fn rate_understood(&self, catalog: &Catalog) -> Option<String> {
        let rate = self.rate.filter(|_| !self.once)?;
        let rate = catalog.text(&messages::per_second(counted(rate.as_per_second())));
        let length = catalog.length(&go_string(self.length()));
        Some(catalog.text(&messages::load_understood(rate, length)))
    }

    fn length(&self) -> Duration {
        self.duration.unwrap_or(Duration::from_secs(10))
    }

    /// Users ready at the start of an open-model run: a tenth of a second's worth of
    /// starts unless given, at least 10, and never more than `--max-vus`.
    fn ready_users(&self, rate: Rate) -> i64 {
        let most = self.max_vus.map_or(i64::MAX, i64::from);
        let usual = || starts_in(rate, 0.1).clamp(10, 1000).min(most);
        self.vus.map_or_else(usual, i64::from)
    }

    /// Users at most: 10 s worth of starts unless given.
    fn most_users(&self, rate: Rate) -> i64 {
        self.max_vus
            .map_or_else(|| starts_in(rate, 10.0).clamp(10, 10_000), i64::from)
    }
}

/// Starts in so many seconds of a rate, rounded up.
fn starts_in(rate: Rate, seconds: f64) -> i64 {
    #[expect(clippy::cast_possible_truncation, reason = "clamped by the callers")]
    let starts = (rate.as_per_second() * seconds).ceil() as i64;
    starts
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;

    #[derive(Debug, clap::Parser)]
    struct Line {
        #[command(flatten)]
        args: UrlArgs,
    }

    fn graceful_end(words: &[&str], next: Option<NextRun>) -> Duration {
        let line = [&["run", "http://127.0.0.1:1/"], words].concat();
        let args = Line::try_parse_from(line).unwrap().args;
        args.graceful_end(next.unwrap_or_else(|| args.next_run()))
    }

    /// Seen: "the target does not work with the settings it has" of trials that began behind what the one before left.
    #[test]
    fn a_run_that_another_one_follows_lets_its_requests_end() {
        let seconds = Duration::from_secs;
        assert_eq!(graceful_end(&[], None), seconds(5));
        assert_eq!(graceful_end(&["--repeat", "3"], None), seconds(60));
        assert_eq!(graceful_end(&[], Some(NextRun::Follows)), seconds(60));
        let short = ["--timeout", "2s", "--repeat", "3"];
        assert_eq!(graceful_end(&short, None), seconds(5));
        let typed = ["--graceful-stop", "1s", "--repeat", "3"];
        assert_eq!(graceful_end(&typed, None), seconds(1));
    }
}
