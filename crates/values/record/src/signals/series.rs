//! One signal's values over the run.

use super::entity::Entity;
use super::kind::SignalKind;

/// The most points of a series. A longer one loses every second point.
pub const MOST_POINTS: usize = 4_096;

/// A value at a time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SignalPoint {
    /// Milliseconds since the run's start.
    pub at_ms: u64,
    /// The value as read: of a counter the count so far.
    pub value: f64,
}

/// A signal of one entity, its points in order of time.
#[derive(Debug, Clone, PartialEq)]
pub struct SignalSeries {
    /// What it measures.
    pub kind: SignalKind,
    /// What it is about.
    pub entity: Entity,
    points: Vec<SignalPoint>,
    /// A new point must be so many milliseconds after the last; grows when points are given up.
    apart_ms: u64,
}

impl SignalSeries {
    /// Without points.
    #[must_use]
    pub fn new(kind: SignalKind, entity: Entity) -> Self {
        Self {
            kind,
            entity,
            points: Vec::new(),
            apart_ms: 0,
        }
    }

    /// Adds a point; `false` if it is no finite number or not after the last one.
    pub fn push(&mut self, at_ms: u64, value: f64) -> bool {
        let last = self.points.last();
        if !value.is_finite() || last.is_some_and(|last| last.at_ms >= at_ms) {
            return false;
        }
        let is_close = last.is_some_and(|last| at_ms - last.at_ms < self.apart_ms);
        if is_close {
            return true;
        }
        if self.points.len() == MOST_POINTS {
            self.thin();
        }
        self.points.push(SignalPoint { at_ms, value });
        true
    }

    /// The points.
    #[must_use]
    pub fn points(&self) -> &[SignalPoint] {
        &self.points
    }

    /// Of how many processes a counter is, at least. That of one process never falls, so values that fall from look to
    /// look, whatever lies between them, are of as many processes: the longest row of them.
    #[must_use]
    pub fn processes_min(&self) -> usize {
        // The largest last value of a falling row of each length; these fall with the length.
        let mut lasts: Vec<f64> = Vec::new();
        for point in &self.points {
            let length = lasts.partition_point(|last| *last > point.value);
            match lasts.get_mut(length) {
                Some(last) => *last = point.value,
                None => lasts.push(point.value),
            }
        }
        lasts.len()
    }

    /// Keeps every second point, and asks for new ones at that distance.
    fn thin(&mut self) {
        let mut number = 0;
        self.points.retain(|_| {
            number += 1;
            number % 2 == 1
        });
        if let (Some(first), Some(last)) = (self.points.first(), self.points.last()) {
            let gaps = u64::try_from(self.points.len() - 1).unwrap_or(u64::MAX);
            // A little less than the mean distance: sources are not read at exact times.
            self.apart_ms = (last.at_ms - first.at_ms) / gaps.max(1) * 3 / 4;
        }
    }
}
