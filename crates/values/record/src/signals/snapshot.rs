//! What the target shows of itself at the moment, for views of a run that goes on.

use super::Signals;
use super::entity::Entity;
use super::kind::SignalKind;
use super::series::{SignalPoint, SignalSeries};

/// How much of something limited is used.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LimitedUsage {
    /// In use now.
    pub used: f64,
    /// The most that can be used, where it is known.
    pub most: Option<f64>,
    /// Requests that wait for it, where it is known.
    pub waiting: Option<f64>,
}

/// The last values of a target's signals. What was not observed is `None`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TargetSnapshot {
    /// CPU cores, of the process that uses most.
    pub cpu: Option<LimitedUsage>,
    /// Bytes of heap, of the process that uses most.
    pub heap: Option<LimitedUsage>,
    /// Threads that serve requests, of the fullest set of them.
    pub workers: Option<LimitedUsage>,
    /// Connections of the fullest pool.
    pub pool: Option<LimitedUsage>,
    /// Sessions of the database that execute a statement; those that wait for a lock wait.
    pub sessions: Option<LimitedUsage>,
}

impl TargetSnapshot {
    /// The last values of `signals`.
    #[must_use]
    pub fn new(signals: &Signals) -> Self {
        use SignalKind as Kind;
        let usage = |used, most, waiting| fullest(signals, used, most, waiting);
        Self {
            cpu: usage(Kind::ProcessCpu, Kind::CoresAvailable, None),
            heap: usage(Kind::HeapUsed, Kind::HeapMax, None),
            workers: usage(
                Kind::WorkersBusy,
                Kind::WorkersMax,
                Some(Kind::WorkersQueue),
            ),
            pool: usage(Kind::PoolActive, Kind::PoolMax, Some(Kind::PoolPending)),
            sessions: usage(
                Kind::SessionsActive,
                Kind::SessionsMax,
                Some(Kind::SessionsWaitingForLock),
            ),
        }
    }

    /// Whether nothing of it is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The usage of the entity for whose resource most wait, or of which most is used.
fn fullest(
    signals: &Signals,
    used: SignalKind,
    most: SignalKind,
    waiting: Option<SignalKind>,
) -> Option<LimitedUsage> {
    let last = |kind: SignalKind, entity: &Entity| {
        let mut all = signals.of_kind(kind);
        all.find(|series| series.entity == *entity)
            .and_then(value_now)
    };
    let all = signals.of_kind(used).filter_map(|series| {
        Some(LimitedUsage {
            used: value_now(series)?,
            most: last(most, &series.entity),
            waiting: waiting.and_then(|kind| last(kind, &series.entity)),
        })
    });
    let rank = |usage: &LimitedUsage| {
        let share = usage.most.filter(|most| *most > 0.0);
        let share = share.map_or(0.0, |most| usage.used / most);
        (usage.waiting.unwrap_or(0.0), share, usage.used)
    };
    all.max_by(|a, b| {
        let ((a0, a1, a2), (b0, b1, b2)) = (rank(a), rank(b));
        a0.total_cmp(&b0)
            .then(a1.total_cmp(&b1))
            .then(a2.total_cmp(&b2))
    })
}

/// A gauge's last value; by how much a counter grew in a second at last.
fn value_now(series: &SignalSeries) -> Option<f64> {
    use super::kind::SignalMeasure;
    match (series.kind.measure(), series.points()) {
        (SignalMeasure::Gauge, [.., last]) => Some(last.value),
        (SignalMeasure::Counter, [.., before, last]) => growth(before, last),
        _ => None,
    }
}

fn growth(before: &SignalPoint, last: &SignalPoint) -> Option<f64> {
    let seconds = (last.at_ms - before.at_ms) as f64 / 1000.0;
    let grown = last.value - before.value;
    // A counter that fell began anew.
    (grown >= 0.0 && seconds > 0.0).then(|| grown / seconds)
}

#[cfg(test)]
mod tests {
    use super::super::entity::Label;
    use super::*;

    #[test]
    fn the_fullest_pool_and_the_growth_of_counters_are_shown() {
        let mut signals = Signals::default();
        let process = Entity::default();
        for (at, value) in [(1000, 10.0), (3000, 11.0)] {
            signals.push(SignalKind::ProcessCpu, &process, at, value);
        }
        signals.push(SignalKind::CoresAvailable, &process, 1000, 2.0);
        for (pool, active, pending) in [("a", 9.0, 0.0), ("b", 5.0, 38.0)] {
            let pool = Entity::default().with(Label::Pool, pool);
            signals.push(SignalKind::PoolActive, &pool, 1000, active);
            signals.push(SignalKind::PoolMax, &pool, 1000, 10.0);
            signals.push(SignalKind::PoolPending, &pool, 1000, pending);
        }
        let shown = TargetSnapshot::new(&signals);
        let cpu = LimitedUsage {
            used: 0.5,
            most: Some(2.0),
            waiting: None,
        };
        assert_eq!(shown.cpu, Some(cpu));
        let pool = LimitedUsage {
            used: 5.0,
            most: Some(10.0),
            waiting: Some(38.0),
        };
        assert_eq!(shown.pool, Some(pool), "more wait for this one");
        assert_eq!(shown.sessions, None, "not observed");
    }

    #[test]
    fn a_counter_that_began_anew_says_nothing() {
        let mut signals = Signals::default();
        for (at, value) in [(1000, 10.0), (2000, 0.1)] {
            signals.push(SignalKind::ProcessCpu, &Entity::default(), at, value);
        }
        assert!(TargetSnapshot::new(&signals).is_empty());
    }
}
