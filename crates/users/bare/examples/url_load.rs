//! The engine and the URL user without command line, thresholds and summary: what a
//! request costs by itself. Made to be run under a profiler or an instruction counter.
//!
//! `url_load URL VUS ITERATIONS`, on one worker.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use loadline_bare::{BareFactory, UrlRequest};
use loadline_engine::{Engine, EngineEvent, EngineOptions, Observer, RunMetrics};
use loadline_metrics::{Merger, Registry, Submetrics};
use loadline_net::NetworkSettings;
use loadline_reactor::MonotonicClock;
use loadline_testplan::Plan;
use loadline_testplan::draft::{ExecutorDraft, PlanDraft, ScenarioDraft};
use loadline_units::Time;

/// Nobody watches.
struct Unseen;

impl Observer for Unseen {
    fn observe(&mut self, _: &EngineEvent<'_>, _: Time, _: &mut Merger) {}
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let mut next = || args.next().ok_or("usage: url_load URL VUS ITERATIONS");
    let target = UrlRequest::get(&next()?)?;
    let executor = ExecutorDraft::SharedIterations {
        vus: Some(next()?.parse()?),
        iterations: Some(next()?.parse()?),
        max_duration: None,
    };
    let draft = PlanDraft {
        scenarios: vec![ScenarioDraft::new("default", executor)],
        ..PlanDraft::default()
    };
    let plan = Plan::check(draft).map_err(|mistakes| format!("{mistakes:?}"))?;
    let factory = BareFactory::new(target, NetworkSettings::default(), Vec::new());
    let measures = RunMetrics {
        registry: Arc::new(Registry::new()),
        submetrics: Submetrics::default(),
    };
    let options = EngineOptions::new(1);
    let clock = MonotonicClock::start();
    let mut engine = Engine::start(plan, options, Arc::new(factory), measures, clock)?;
    engine.run(&mut Unseen);
    engine.close(Duration::from_secs(1));
    Ok(())
}
