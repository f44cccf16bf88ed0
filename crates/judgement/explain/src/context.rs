//! What a rule looks at, and what callers lost.

use loadline_record::signals::SignalKind;

use super::ceilings::{Ceilings, ResourceCeiling};
use super::finding::BottleneckPart;
use super::flow::Flow;
use super::logged::LogWitness;
use super::loss::Loss;
use super::measured::Measured;
use super::outage::Outage;
use super::served_at_once::ServedAtOnce;
use super::under_way::UnderWay;
use super::view::RunView;

/// What rules look at.
pub(super) struct RuleContext<'a> {
    pub(super) view: &'a RunView<'a>,
    pub(super) measured: &'a Measured,
    pub(super) ceilings: &'a Ceilings,
    /// When the target was down; the view leaves that out.
    pub(super) outages: &'a [Outage],
    /// Requests under way, by what they are in.
    pub(super) under_way: UnderWay,
    /// Whether the target counts the callers' requests.
    pub(super) flow: Flow,
    /// What callers lost.
    pub(super) loss: Loss,
    /// What the log says.
    pub(super) logged: LogWitness<'a>,
}

impl RuleContext<'_> {
    /// The target's CPU is used at least this much; `false` when it is not seen.
    pub(super) fn is_cpu_used(&self, share: f64) -> bool {
        let cpu = self.measured.cpu.as_ref();
        cpu.is_some_and(|cpu| cpu.share() >= share)
    }

    pub(super) fn is_database_used(&self, share: f64) -> bool {
        let cpu = self.measured.database_cpu.as_ref();
        cpu.is_some_and(|cpu| cpu.share() >= share)
    }

    /// Requests that have a thread of the target at once, on average. Those that wait in an event
    /// loop have none.
    pub(super) fn requests_inside(&self) -> Option<f64> {
        let workers = self.measured.workers.as_ref();
        let busy = workers.map(|workers| workers.usage.used);
        let loops = self
            .view
            .run
            .signals
            .of_kind(SignalKind::EventLoopUse)
            .next();
        let inside = || Some(self.measured.server_time? * self.measured.rate);
        busy.or_else(|| loops.is_none().then(inside).flatten())
    }

    /// Callers lose something: requests fail, starts are dropped, a queue grows, times do.
    pub(super) fn has_signs(&self) -> bool {
        self.loss.is_any
    }

    /// How requests wait for each other, if they do.
    pub(super) fn served_at_once(&self) -> Option<&ServedAtOnce> {
        self.loss.served_at_once.as_ref()
    }

    /// What a change of one resource's demand or capacity gives, and what limits then.
    pub(super) fn predicted(
        &self,
        part: BottleneckPart,
        capacity: f64,
        demand: f64,
    ) -> Option<(f64, Option<BottleneckPart>)> {
        let is_known = self.measured.rate > 0.0 && demand > 0.0;
        is_known.then(|| {
            self.ceilings
                .with(ResourceCeiling::new(part, capacity, demand))
        })
    }
}
