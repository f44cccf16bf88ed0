//! A test that is ready to run.

use std::sync::Arc;

use loadline_metrics::threshold::{ThresholdError, Thresholds};
use loadline_metrics::{Registry, Submetrics};
use loadline_reactor::PeerPolicy;
use loadline_record::LatencyStart;
use loadline_testplan::Plan;
use loadline_vu::VuFactory;

use crate::follow::RunObserver;
use crate::outcome::{GoalJudge, Summarizer};

/// A validated test with everything it needs to run.
pub struct Test {
    /// The plan.
    pub plan: Plan,
    /// Makes the users.
    pub factory: Arc<dyn VuFactory>,
    /// The metrics there are, the test's own included.
    pub registry: Arc<Registry>,
    /// The test's own summary, if it has one.
    pub summarizer: Option<Arc<dyn Summarizer>>,
    /// Receives every window.
    pub follower: Option<Arc<dyn RunObserver>>,
    /// Who is asked before its load connects to a peer.
    pub peer_policy: Option<Arc<dyn PeerPolicy>>,
    /// Judges goals that are not thresholds.
    pub goals: Option<Arc<dyn GoalJudge>>,
    /// What the latency that the run is told with is counted from.
    pub latency_start: LatencyStart,
    pub(crate) thresholds: Thresholds,
    pub(crate) submetrics: Submetrics,
}

/// Why a test cannot run.
#[derive(Debug, thiserror::Error)]
pub enum TestError {
    /// Its thresholds have mistakes; all of them, in the order they are written.
    #[error("{} of the thresholds cannot be judged", .0.len())]
    Thresholds(Vec<ThresholdError>),
}

impl Test {
    /// A test whose metrics are all declared. `wanted` are sub-metrics to keep beside
    /// those that thresholds name.
    ///
    /// # Errors
    /// [`TestError::Thresholds`].
    pub fn new(
        plan: Plan,
        factory: Arc<dyn VuFactory>,
        registry: Arc<Registry>,
        wanted: &[&str],
    ) -> Result<Self, TestError> {
        let mut submetrics = Submetrics::default();
        for name in wanted {
            // A name that does not parse is a sub-metric that can have no samples.
            let _ = submetrics.add(name, &registry);
        }
        let thresholds = Thresholds::compile(&plan.thresholds, &registry, &mut submetrics)
            .map_err(TestError::Thresholds)?;
        Ok(Self::compiled(
            plan, factory, registry, thresholds, submetrics,
        ))
    }

    /// A test whose thresholds are compiled already, with the sub-metrics they and
    /// others want.
    #[must_use]
    pub fn compiled(
        plan: Plan,
        factory: Arc<dyn VuFactory>,
        registry: Arc<Registry>,
        thresholds: Thresholds,
        submetrics: Submetrics,
    ) -> Self {
        Self {
            plan,
            factory,
            registry,
            summarizer: None,
            follower: None,
            peer_policy: None,
            goals: None,
            latency_start: LatencyStart::Sent,
            thresholds,
            submetrics,
        }
    }

    /// The same test without judging anything.
    #[must_use]
    pub fn without_thresholds(mut self) -> Self {
        self.thresholds = Thresholds::default();
        self.goals = None;
        self
    }
}
