//! What other than the target limited a level: the generator, or the test's own users and rate.

use loadline_analysis::capacity::Ceiling;
use loadline_record::Limit;

use super::{Rules, Trial};
use crate::window::LoadWindow;

/// A share of the time that a CPU quota took, from which on starts come late.
const THROTTLED_SHARE_MIN: f64 = 0.05;

/// How late a start may be, ms: half of them, and one in a hundred.
#[derive(Debug, Clone, Copy)]
struct LateStart {
    often_ms: f64,
    seldom_ms: f64,
}

impl LateStart {
    /// Beside slow requests a start may be later: what a busy machine adds is a small share of
    /// them. Never by so much that starts come in bursts.
    fn beside(request_ms: f64) -> Self {
        Self {
            often_ms: (0.1 * request_ms).clamp(10.0, 40.0),
            seldom_ms: (0.25 * request_ms).clamp(50.0, 100.0),
        }
    }
}

impl Trial {
    /// What other than the target was the limit, if something was.
    pub(super) fn ceiling(&self, rules: &Rules) -> Option<Ceiling> {
        let mut limits: Vec<Limit> = Vec::new();
        let n = self.windows.len() as f64;
        let lag = &self.windows.lag;
        let late = |share: f64, ms: f64| lag.percentile(share).is_some_and(|lag| lag > ms);
        let median_ms = self.windows.durations.percentile(0.5);
        let bounds = LateStart::beside(median_ms.unwrap_or(0.0));
        let many = |is: &dyn Fn(&LoadWindow) -> bool| {
            self.windows.iter().filter(|w| is(w)).count() as f64 >= 0.5 * n
        };
        if many(&|w| w.generator.cpu.is_some_and(|cpu| cpu >= 0.95)) {
            limits.push(Limit::Cpu);
        }
        if many(&|w| w.generator.throttled >= THROTTLED_SHARE_MIN) {
            limits.push(Limit::Throttling);
        }
        let is_late_often = || {
            many(&|w| {
                let lag = &w.generator.lag;
                lag.percentile(0.9).is_some_and(|lag| lag > bounds.often_ms)
            })
        };
        if late(0.5, bounds.often_ms) || (late(0.99, bounds.seldom_ms) && is_late_often()) {
            limits.push(Limit::StartLag);
        }
        if let Some(lack) = self.windows.iter().find_map(|w| w.generator.lacks) {
            limits.push(lack);
        }
        if !limits.is_empty() {
            return Some(Ceiling::Generator(limits));
        }
        let dropped: f64 = self.windows.iter().map(|w| w.dropped).sum();
        let started: f64 = self.windows.iter().map(|w| w.started).sum();
        let lost = dropped > 0.01 * (started + dropped);
        let is_at_rps = rules.own_ceiling.is_some_and(|rps| {
            let requests: f64 = self.windows.iter().map(|w| w.requests).sum();
            requests >= 0.95 * rps * n
        });
        ((lost || is_at_rps) && !self.is_slower_than_idle(rules)).then_some(Ceiling::Users)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_may_be_later_beside_slow_requests_up_to_a_bound() {
        let bounds = |ms| {
            let LateStart {
                often_ms,
                seldom_ms,
            } = LateStart::beside(ms);
            (often_ms, seldom_ms)
        };
        assert_eq!(bounds(0.0), (10.0, 50.0));
        assert_eq!(bounds(5.0), (10.0, 50.0));
        assert_eq!(bounds(300.0), (30.0, 75.0));
        assert_eq!(bounds(9000.0), (40.0, 100.0));
    }
}
