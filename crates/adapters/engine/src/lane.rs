//! One worker's part of one scenario: its idle users, its share of the starts, its end.

use std::collections::VecDeque;

use loadline_metrics::TagSetId;
use loadline_units::Time;

use crate::pacer::Pacer;

/// One worker's part of one scenario.
pub(crate) struct Lane {
    /// Tags of what the engine itself records for the scenario.
    pub(crate) tags: TagSetId,
    pub(crate) phase: Phase,
    /// No iteration begins at or after this instant.
    pub(crate) until: Time,
    /// Users waiting for a start, longest-waiting first. Their number is never below
    /// this worker's count in `IdleCounts`.
    pub(crate) idle: VecDeque<u32>,
    /// This worker's share of the starts, for open-model scenarios.
    pub(crate) pacer: Option<Pacer>,
    /// A start waits for a user; the worker looks again when a user is offered.
    pub(crate) starved: bool,
}

/// The scenario's phase on this worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Not begun.
    Closed,
    Open,
    /// No more iterations begin.
    Ending,
}

impl Lane {
    pub(crate) fn new(tags: TagSetId) -> Self {
        Self {
            tags,
            phase: Phase::Closed,
            until: Time::MAX,
            idle: VecDeque::new(),
            pacer: None,
            starved: false,
        }
    }

    /// When the next start is due, unless it waits for a user.
    pub(crate) fn next_start(&self) -> Option<Time> {
        self.pacer.as_ref().filter(|_| !self.starved)?.next_at()
    }

    /// Whether an iteration may begin at `now`.
    pub(crate) fn admits(&self, now: Time) -> bool {
        self.phase == Phase::Open && now < self.until
    }
}
