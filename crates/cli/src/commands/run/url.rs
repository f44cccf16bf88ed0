//! `run URL`: one request, again and again.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use loadline_bare::{BareFactory, Target, TargetError};
use loadline_metrics::Registry;
use loadline_net::Settings;
use loadline_record::Summary;
use loadline_report::url as report;
use loadline_session::network::{self, NetworkError};
use loadline_session::{RunOptions, SessionError, Test, TestError};
use loadline_testplan::Plan;
use loadline_testplan::draft::{ExecutorDraft, PlanDraft, ScenarioDraft};
use loadline_text::{Catalog, Dialect, Exit, Lang};
use loadline_units::{Rate, parse_duration};

use super::follow;
use crate::context::Context;
use crate::live::Live;
use crate::signals;

/// What a URL run's only scenario is called.
const SCENARIO: &str = "default";

#[derive(Debug, clap::Args)]
pub(crate) struct UrlArgs {
    /// A URL: http://host/path
    #[arg(value_name = "URL")]
    url: String,
    /// Virtual users that loop; with --rate, users ready at the start
    #[arg(short = 'u', long, value_name = "N")]
    vus: Option<u32>,
    /// How long to send load [default: 10s]
    #[arg(short, long, value_parser = duration, value_name = "TIME")]
    duration: Option<Duration>,
    /// Start so many requests a second, whatever the answers: 2000/s, 30/m
    #[arg(long, value_name = "RATE", conflicts_with = "iterations")]
    rate: Option<Rate>,
    /// Send so many requests in all
    #[arg(short, long, value_name = "N")]
    iterations: Option<u32>,
    /// Most users made when --rate finds none idle [default: 10 s worth of starts]
    #[arg(long, value_name = "N", requires = "rate")]
    max_vus: Option<u32>,
    /// Method [default: GET, or POST with a body]
    #[arg(short, long, value_name = "METHOD")]
    method: Option<String>,
    /// Header field, repeatable: -H 'Accept: application/json'
    #[arg(short = 'H', long = "header", value_parser = header, value_name = "NAME: VALUE")]
    headers: Vec<(String, String)>,
    /// Body, or @FILE
    #[arg(short, long, value_name = "TEXT|@FILE")]
    body: Option<String>,
    /// How long one request may take
    #[arg(long, value_parser = duration, default_value = "60s", value_name = "TIME")]
    timeout: Duration,
    /// How long running requests may go on after Ctrl-C
    #[arg(long, value_parser = duration, default_value = "5s", value_name = "TIME")]
    graceful_stop: Duration,
    /// Measure from here on only
    #[arg(long, value_parser = duration, value_name = "TIME")]
    warmup: Option<Duration>,
    /// Worker threads [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// A new connection for every request
    #[arg(long)]
    no_connection_reuse: bool,
    /// Take any certificate
    #[arg(short = 'k', long)]
    insecure: bool,
    /// Write the totals to a file, as JSON
    #[arg(long, value_name = "FILE")]
    summary_export: Option<String>,
    /// Language: en or ko [default: that of the locale]
    #[arg(long, value_name = "LANG")]
    lang: Option<String>,
    /// Print the result only
    #[arg(short, long)]
    quiet: bool,
}

/// Why a URL run cannot start.
#[derive(Debug, thiserror::Error)]
enum UrlRunError {
    #[error(transparent)]
    Target(#[from] TargetError),
    #[error("cannot read the body from `{file}`: {source}")]
    Body {
        file: String,
        source: std::io::Error,
    },
    #[error("the plan has mistakes: {0}")]
    Plan(String),
    #[error(transparent)]
    Test(#[from] TestError),
    #[error(transparent)]
    Session(#[from] SessionError),
    #[error("cannot write `{file}`: {source}")]
    Export {
        file: String,
        source: std::io::Error,
    },
    #[error(transparent)]
    Network(#[from] NetworkError),
    #[error("cannot watch for signals: {0}")]
    Signals(std::io::Error),
}

fn duration(text: &str) -> Result<Duration, String> {
    if text.trim().bytes().all(|b| b.is_ascii_digit()) {
        return Err(format!("`{text}` has no unit: write {text}s or {text}ms"));
    }
    parse_duration(text).map_err(|error| error.to_string())
}

fn header(text: &str) -> Result<(String, String), String> {
    let (name, value) = text
        .split_once(':')
        .ok_or_else(|| format!("`{text}` is not NAME: VALUE"))?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

impl UrlArgs {
    pub(crate) fn exec(self, context: &mut Context) -> u8 {
        match self.run(context) {
            Ok(code) => code,
            Err(error) => {
                context.err(&format!("error: {error}\n"));
                Exit::InvalidConfig.code(Dialect::Loadline)
            }
        }
    }

    fn run(self, context: &mut Context) -> Result<u8, UrlRunError> {
        let catalog = context.catalog(self.lang.as_deref().and_then(Lang::of_tag));
        let plan = self.plan()?;
        let settings = Settings {
            reuse_connections: !self.no_connection_reuse,
            ..network::plain(&context.env, self.insecure)?
        };
        let tags = vec![
            ("group".to_owned(), String::new()),
            ("scenario".to_owned(), SCENARIO.to_owned()),
        ];
        let factory = BareFactory::new(self.target()?, settings, tags);
        let registry = Arc::new(Registry::new());
        let test = Test::new(plan, Arc::new(factory), registry, &[])?;
        let options = RunOptions {
            workers: self.threads.map(usize::from),
            drain: self.graceful_stop,
            warm_up: self.warmup.unwrap_or_default(),
        };
        let signals = signals::watch().map_err(UrlRunError::Signals)?;
        let handle = loadline_session::start(test, &options)?;
        let live = (!self.quiet).then(|| {
            let catalog = Catalog::new(catalog.lang());
            Live::new(
                handle.board.clone(),
                handle.clock,
                catalog,
                context.stderr_is_tty,
                true,
            )
        });
        let followed = follow::to_end(context, &handle, &signals, live, &catalog, |_| {});
        let Some(outcome) = followed.outcome else {
            return Ok(Exit::Interrupted.code(Dialect::Loadline));
        };
        let exit = report::exit(&outcome.summary.verdict()).code(Dialect::Loadline);
        let facts = report::Facts {
            target: &self.url,
            warm_up: outcome.warm_up,
            exit_code: exit,
        };
        context.out(&report::text(&outcome.summary, facts, &catalog));
        if let Some(path) = &self.summary_export {
            self.export(&outcome.summary, path)?;
        }
        Ok(exit)
    }

    /// The totals as JSON, in the form of k6's `--summary-export`, ours included.
    fn export(&self, summary: &Summary, path: &str) -> Result<(), UrlRunError> {
        let text = loadline_report::url::export(summary);
        std::fs::write(path, text).map_err(|source| UrlRunError::Export {
            file: path.to_owned(),
            source,
        })
    }

    fn target(&self) -> Result<Target, UrlRunError> {
        let mut target = Target::get(&self.url)?;
        target.body =
            match &self.body {
                None => None,
                Some(body) => Some(match body.strip_prefix('@') {
                    None => Bytes::from(body.clone()),
                    Some(file) => std::fs::read(file).map(Bytes::from).map_err(|source| {
                        UrlRunError::Body {
                            file: file.to_owned(),
                            source,
                        }
                    })?,
                }),
            };
        target.method = match (&self.method, &target.body) {
            (Some(method), _) => method.to_uppercase(),
            (None, Some(_)) => "POST".to_owned(),
            (None, None) => "GET".to_owned(),
        };
        target.headers = self.headers.clone();
        target.timeout = self.timeout;
        Ok(target)
    }

    fn plan(&self) -> Result<Plan, UrlRunError> {
        let length = self.duration.unwrap_or(Duration::from_secs(10));
        let vus = self.vus.map(i64::from);
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
        } else {
            ExecutorDraft::ConstantVus {
                vus: vus.or(Some(1)),
                duration: Some(length.into()),
            }
        };
        let mut scenario = ScenarioDraft::new(SCENARIO, executor);
        scenario.graceful_stop = Some(self.graceful_stop.into());
        Plan::check(PlanDraft {
            scenarios: vec![scenario],
            ..PlanDraft::default()
        })
        .map_err(|mistakes| {
            let texts: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
            UrlRunError::Plan(texts.join("; "))
        })
    }

    /// Users ready at the start of an open-model run: a tenth of a second's worth of
    /// starts unless given, at least 10.
    fn ready_users(&self, rate: Rate) -> i64 {
        self.vus
            .map_or_else(|| worth(rate, 0.1).clamp(10, 1000), i64::from)
    }

    /// Users at most: 10 s worth of starts unless given.
    fn most_users(&self, rate: Rate) -> i64 {
        self.max_vus
            .map_or_else(|| worth(rate, 10.0).clamp(10, 10_000), i64::from)
    }
}

/// Starts in so many seconds of a rate, rounded up.
fn worth(rate: Rate, seconds: f64) -> i64 {
    #[expect(clippy::cast_possible_truncation, reason = "clamped by the callers")]
    let starts = (rate.as_per_second() * seconds).ceil() as i64;
    starts
}
