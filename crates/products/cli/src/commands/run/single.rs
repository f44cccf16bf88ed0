//! One iteration of a test, for what comes before a run: how many requests it makes and
//! how long it thinks.

use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, never, select};
use loadline_bare::{BareFactory, UrlRequest};
use loadline_metrics::{MetricValue, Registry};
use loadline_record::Summary;
use loadline_report::facts::failures;
use loadline_session::{RunOptions, SessionEvent, Test, network};
use loadline_testplan::Plan;
use loadline_testplan::draft::{ExecutorDraft, PlanDraft, ScenarioDraft};
use loadline_text::{Lang, problem};
use loadline_vu::StopCause;

use super::{artillery, script};
use crate::context::Context;
use crate::launch::problems;
use crate::launch::test_kind::{TestKind, kind_of_word};
use crate::refusal::Refusal;

/// How long the iteration may take.
const ITERATION_TIMEOUT: Duration = Duration::from_secs(120);

/// A test loaded, to run one iteration of.
pub(crate) struct Once {
    test: Test,
    /// What the test plans itself; nothing for a URL.
    plan: Plan,
}

/// What one iteration of each scenario did.
#[derive(Debug, Clone)]
pub(crate) struct Measured {
    /// Requests sent.
    pub(crate) requests: f64,
    /// Of them, failed ones.
    pub(crate) failed: f64,
    /// Time from sending requests to their answers, seconds.
    pub(crate) waiting_s: f64,
    /// Time of all of it, seconds.
    pub(crate) length_s: f64,
    /// Of the failed ones, those that no answer came for.
    pub(crate) unanswered: f64,
    /// Why requests failed, the most frequent first.
    pub(crate) failures: Vec<String>,
    /// Bytes received.
    pub(crate) bytes: f64,
    /// Time from the first byte of answers to their last, seconds.
    pub(crate) reading_s: f64,
    /// The longest time that connecting took, ms; none where nothing was connected.
    pub(crate) connect_ms: Option<f64>,
}

impl Once {
    /// Loads a URL, a script or an Artillery file.
    pub(crate) fn prepare(
        context: &mut Context,
        test: &str,
        env: &[String],
        lang: Option<Lang>,
        is_insecure: bool,
    ) -> Result<Self, Refusal> {
        let kind = kind_of_word(test, &context.working_dir);
        if kind == TestKind::Artillery {
            let typed = [test.to_owned()];
            // What a script reads as `__ENV` a file reads as `$env`.
            let pairs = env.iter().filter_map(|pair| pair.split_once('='));
            let pairs = pairs.map(|(name, value)| (name.to_owned(), value.to_owned()));
            context.env.extend(pairs);
            let test = artillery::steerable(context, &typed)?.test;
            return Ok(Self {
                plan: test.plan.clone(),
                test,
            });
        }
        if kind != TestKind::Url {
            let test = script::load_quietly(context, test, env, lang)?;
            return Ok(Self {
                plan: test.plan.clone(),
                test,
            });
        }
        let target = UrlRequest::get(test)
            .map_err(|error| Refusal::config(problems::of_target(test, &error)))?;
        let settings = network::plain(&context.env, is_insecure)
            .map_err(|error| Refusal::config(problem::start_failed("network", error)))?;
        let none = PlanDraft::default();
        let executor = ExecutorDraft::SharedIterations {
            vus: Some(1),
            iterations: Some(1),
            max_duration: Some(ITERATION_TIMEOUT.into()),
        };
        let one = PlanDraft {
            scenarios: vec![ScenarioDraft::new("default", executor)],
            ..PlanDraft::default()
        };
        let check = |draft| {
            Plan::check(draft).map_err(|_| Refusal::config(problem::usage("the plan is wrong")))
        };
        let factory = Arc::new(BareFactory::new(target, settings, Vec::new()));
        let test = Test::new(check(one)?, factory, Arc::new(Registry::new()), &[])
            .map_err(|error| Refusal::config(problem::usage(error)))?;
        Ok(Self {
            test,
            plan: check(none)?,
        })
    }

    /// What the test plans.
    pub(crate) fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The test itself, to be loaded.
    pub(crate) fn into_test(self) -> Test {
        self.test
    }

    /// Runs one iteration of each scenario; `None` when the run broke, or when it was interrupted.
    pub(crate) fn run(
        self,
        context: &Context,
        interrupts: &Receiver<()>,
    ) -> Result<Option<Measured>, Refusal> {
        let catalog = context.catalog(None);
        let mut test = self.test.without_thresholds();
        test.plan = test.plan.once(ITERATION_TIMEOUT);
        let options = RunOptions {
            workers: Some(1),
            force: true,
            ..RunOptions::default()
        };
        let handle = loadline_session::start(test, &options)
            .map_err(|error| Refusal::session(&error, &catalog))?;
        let mut interrupts = interrupts.clone();
        let mut is_interrupted = false;
        loop {
            select! {
                recv(handle.events) -> event => match event {
                    Ok(SessionEvent::Finished(outcome)) => {
                        return Ok((!is_interrupted).then(|| measured(&outcome.summary)));
                    }
                    Ok(_) => {}
                    Err(_) => return Ok(None),
                },
                recv(interrupts) -> _ => {
                    is_interrupted = true;
                    interrupts = never();
                    handle.control.stop(StopCause::Signal);
                }
            }
        }
    }
}

fn measured(summary: &Summary) -> Measured {
    let sum = |name: &str| match summary.metric(name).map(|metric| &metric.value) {
        Some(MetricValue::Counter(Some(sum))) => sum.value(),
        Some(MetricValue::Trend(histogram)) => histogram.sum(),
        Some(MetricValue::Rate(rate)) => rate.trues as f64,
        _ => 0.0,
    };
    let of_iterations = sum("iteration_duration") / 1000.0;
    let waiting_s = sum("http_req_duration") / 1000.0;
    Measured {
        requests: sum("http_reqs"),
        failed: sum("http_req_failed"),
        waiting_s,
        // A URL's request is its whole iteration.
        length_s: of_iterations.max(waiting_s),
        unanswered: summary
            .failed_statuses
            .iter()
            .filter(|(status, _)| status.as_str() == "0")
            .map(|(_, count)| *count as f64)
            .sum(),
        failures: failures(summary),
        bytes: sum("data_received"),
        reading_s: sum("http_req_receiving") / 1000.0,
        connect_ms: match summary.metric("http_req_connecting").map(|one| &one.value) {
            Some(MetricValue::Trend(times)) => times.max().filter(|ms| *ms > 0.0),
            _ => None,
        },
    }
}
