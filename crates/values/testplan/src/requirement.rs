//! How many virtual users must exist at each time.

use std::time::Duration;

use crate::vu_steps::VuSteps;

/// From `at` on this many users are needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VuRequirement {
    /// From the scenario's start, or from the test's if several are combined.
    pub at: Duration,
    /// Users that must be made in advance.
    pub planned: u64,
    /// Users that may be made in addition.
    pub extra: u64,
}

impl VuRequirement {
    /// The requirements of a staircase of users.
    pub(crate) fn of_steps(steps: &VuSteps) -> Vec<Self> {
        let requirement = |step: &crate::vu_steps::VuStep| Self {
            at: step.at,
            planned: step.vus,
            extra: 0,
        };
        steps.as_slice().iter().map(requirement).collect()
    }

    /// The same number of users until `end`.
    pub(crate) fn constant(planned: u64, extra: u64, end: Duration) -> Vec<Self> {
        vec![
            Self {
                at: Duration::ZERO,
                planned,
                extra,
            },
            Self {
                at: end,
                planned: 0,
                extra: 0,
            },
        ]
    }
}

/// The sum over scenarios, each with its start time, as k6 computes it: ordered by time, and at
/// the same time in the order of the scenarios.
pub(crate) fn combined(scenarios: &[(Duration, Vec<VuRequirement>)]) -> Vec<VuRequirement> {
    let mut steps: Vec<(Duration, usize, VuRequirement)> = Vec::new();
    for (place, (start, requirements)) in scenarios.iter().enumerate() {
        steps.extend(requirements.iter().map(|r| (*start + r.at, place, *r)));
    }
    steps.sort_by_key(|(at, place, _)| (*at, *place));

    let mut current = vec![(0, 0); scenarios.len()];
    let (mut planned, mut extra) = (0, 0);
    let mut all: Vec<VuRequirement> = Vec::new();
    for (at, place, step) in steps {
        let before = std::mem::replace(&mut current[place], (step.planned, step.extra));
        planned = planned - before.0 + step.planned;
        extra = extra - before.1 + step.extra;
        if all
            .last()
            .is_none_or(|last| (last.planned, last.extra) != (planned, extra))
        {
            all.push(VuRequirement { at, planned, extra });
        }
    }
    all
}
