//! How many virtual users a closed-model load has at each moment.
//!
//! A ramp over whole users is a staircase; the time of each step is exact. Users stop in the
//! reverse order of their start, the highest number first. Since stopping takes time, a second
//! staircase says how many users are *reserved*: a user that should stop keeps its place until it
//! has finished or its graceful time is over.

use std::collections::VecDeque;
use std::time::Duration;

/// From `at` on there are `vus` virtual users.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VuStep {
    /// Time from the scenario's start.
    pub at: Duration,
    /// The number of users.
    pub vus: u64,
}

/// A staircase of virtual users, ordered by time; the last step has no end.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct VuSteps(Vec<VuStep>);

impl VuSteps {
    /// The same number of users from the start on.
    #[must_use]
    pub fn constant(vus: u64) -> Self {
        Self(vec![VuStep {
            at: Duration::ZERO,
            vus,
        }])
    }

    /// From `start` through each stage's (length, target), linear in whole users; a stage of
    /// length zero is a jump. On the way from f to e, which ends at T after d, a count c is
    /// reached at T − ⌊d·|e−c| / |e−f|⌋, to the nanosecond as in k6.
    #[must_use]
    pub fn ramping(start: u64, stages: &[(Duration, u64)]) -> Self {
        let mut steps = Self::constant(start);
        let mut from = start;
        let mut end = Duration::ZERO;
        for (length, to) in stages {
            end += *length;
            let counts: Box<dyn Iterator<Item = u64>> = match (length.is_zero(), from <= *to) {
                (true, _) => Box::new(std::iter::once(*to)),
                (false, true) => Box::new(from + 1..=*to),
                (false, false) => Box::new((*to..from).rev()),
            };
            let height = u128::from(to.abs_diff(from));
            for vus in counts {
                let left = length.as_nanos() * u128::from(to.abs_diff(vus));
                let left = left.checked_div(height).unwrap_or(0);
                let left = Duration::from_nanos(u64::try_from(left).unwrap_or(u64::MAX));
                steps.push(end.saturating_sub(left), vus);
            }
            from = *to;
        }
        steps
    }

    /// The same times with other numbers.
    #[must_use]
    pub(crate) fn mapped(&self, map: impl Fn(u64) -> u64) -> Self {
        let mut mapped = Self::default();
        for step in &self.0 {
            mapped.push(step.at, map(step.vus));
        }
        mapped
    }

    /// The steps.
    #[must_use]
    pub fn as_slice(&self) -> &[VuStep] {
        &self.0
    }

    /// How many users there are at `at`.
    #[must_use]
    pub fn vus_at(&self, at: Duration) -> u64 {
        let found = self.0.partition_point(|step| step.at <= at);
        self.0[..found].last().map_or(0, |step| step.vus)
    }

    /// The highest number of users.
    #[must_use]
    pub fn highest(&self) -> u64 {
        self.0.iter().map(|step| step.vus).max().unwrap_or(0)
    }

    /// The same, with no users from `end` on.
    #[must_use]
    pub fn ending_at(mut self, end: Duration) -> Self {
        self.0.retain(|step| step.at <= end);
        self.push(end, 0);
        self
    }

    /// From `at` on continues with `next`, beginning at its own time `next_from`.
    pub fn append(&mut self, at: Duration, next: &Self, next_from: Duration) {
        self.0.retain(|step| step.at < at);
        self.push(at, next.vus_at(next_from));
        for step in next.0.iter().filter(|step| step.at > next_from) {
            self.push(at + (step.at - next_from), step.vus);
        }
    }

    /// How many users must be kept if each may take up to `grace` to stop: at each moment the
    /// highest number planned within the last `grace`, and none from `end` on.
    #[must_use]
    pub fn reserved(&self, grace: Duration, end: Duration) -> Self {
        let mut reserved = Self::default();
        // Levels that still count, highest first, each with the time at which it expires (none
        // for the planned level).
        let mut levels: VecDeque<(u64, Option<Duration>)> = VecDeque::new();
        for step in &self.0 {
            reserved.expire(&mut levels, Some(step.at));
            if let Some((_, expires @ None)) = levels.back_mut() {
                *expires = Some(step.at.saturating_add(grace));
            }
            while levels.back().is_some_and(|(vus, _)| *vus <= step.vus) {
                levels.pop_back();
            }
            levels.push_back((step.vus, None));
            reserved.push(step.at, levels[0].0);
        }
        reserved.expire(&mut levels, None);
        reserved.ending_at(end)
    }

    /// Drops levels that expire before `now` (without `now`, all that ever expire), with a step
    /// down at each one's time. A level that expires exactly now may be replaced by an equal one
    /// without a dip.
    fn expire(&mut self, levels: &mut VecDeque<(u64, Option<Duration>)>, now: Option<Duration>) {
        while let Some(&(_, Some(at))) = levels.front() {
            if now.is_some_and(|now| at >= now) {
                break;
            }
            levels.pop_front();
            let left = levels.front().map_or(0, |(vus, _)| *vus);
            self.push(at, left);
        }
    }

    fn push(&mut self, at: Duration, vus: u64) {
        if self.0.last().is_none_or(|last| last.vus != vus) {
            self.0.push(VuStep { at, vus });
        }
    }
}

#[cfg(test)]
mod tests;
