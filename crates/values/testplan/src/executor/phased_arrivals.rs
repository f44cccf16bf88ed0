//! `phased-arrivals`: users arrive in phases, as in Artillery's files.
//!
//! Each arrival is a user of its own that runs one iteration. There are as many users as needed,
//! unless a phase limits them. A phase's first arrival is one interval after its beginning, its
//! last one at its end.

use std::time::Duration;

use loadline_units::Rate;

use crate::arrivals::{ArrivalSpacing, Arrivals, ShapeError};
use crate::draft::{PhaseDraft, PhaseShape};
use crate::mistake::ScenarioError;

/// Time after the last arrival, so that it is not lost at the scenario's end.
const END_SLACK: Duration = Duration::from_millis(50);

/// Users arrive in phases.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PhasedArrivals {
    /// The phases.
    pub phases: Vec<PhaseDraft>,
    /// When each user arrives.
    pub arrivals: Arrivals,
}

impl PhasedArrivals {
    pub(super) fn check(phases: &[PhaseDraft], mistakes: &mut Vec<ScenarioError>) -> Option<Self> {
        let shapes: Result<Vec<Arrivals>, _> = phases.iter().map(PhaseDraft::arrivals).collect();
        let shapes = match shapes {
            Ok(shapes) => shapes,
            Err(error) => {
                mistakes.push(ScenarioError::Shape(error));
                return None;
            }
        };
        let mut arrivals = Arrivals::pause(Duration::ZERO);
        for shape in &shapes {
            arrivals.append_afresh(arrivals.end(), shape);
        }
        Some(Self {
            phases: phases.to_vec(),
            arrivals,
        })
    }

    /// The same phases with another spacing of starts. With random spacing the fraction of a
    /// start is carried into the next phase, because dropping it would lose starts.
    pub(super) fn spaced(mut self, spacing: ArrivalSpacing) -> Self {
        if let ArrivalSpacing::Poisson { .. } = spacing {
            self.arrivals = self.arrivals.joined();
        }
        self.arrivals = self.arrivals.spaced(spacing);
        self
    }

    /// No arrivals for `length`, unless a level is set during the run; then at most `most` users
    /// at once.
    #[must_use]
    pub(crate) fn waiting(length: Duration, most: u64) -> Self {
        let phase = PhaseDraft {
            length,
            shape: PhaseShape::Pause,
            most: Some(most),
        };
        Self {
            phases: vec![phase],
            arrivals: Arrivals::pause(length),
        }
    }

    /// How long users arrive.
    #[must_use]
    pub fn duration(&self) -> Duration {
        let phases: Duration = self.phases.iter().map(|phase| phase.length).sum();
        phases + END_SLACK
    }

    /// The limit of simultaneous users for a start that is due at `at`.
    #[must_use]
    pub fn most_at(&self, at: Duration) -> Option<u64> {
        let mut end = Duration::ZERO;
        for phase in &self.phases {
            end += phase.length;
            if at <= end {
                return phase.most;
            }
        }
        None
    }
}

impl PhaseDraft {
    fn arrivals(&self) -> Result<Arrivals, ShapeError> {
        match &self.shape {
            PhaseShape::Pause => Ok(Arrivals::pause(self.length)),
            PhaseShape::Rate { events, per } => {
                let rate = Rate::new(*events, *per).map_err(|_| ShapeError::TooLarge)?;
                Arrivals::evenly(rate, self.length)
            }
            PhaseShape::Ramp { from, to, per } => {
                Arrivals::ramping(*from, &[(self.length, *to)], *per)
            }
            PhaseShape::At(times) => Arrivals::at(times, self.length),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phase(seconds: u64, shape: PhaseShape) -> PhaseDraft {
        PhaseDraft {
            length: Duration::from_secs(seconds),
            shape,
            most: None,
        }
    }

    fn rate(events: u64, per: u64) -> PhaseShape {
        PhaseShape::Rate {
            events,
            per: Duration::from_secs(per),
        }
    }

    fn plan(phases: &[PhaseDraft]) -> PhasedArrivals {
        PhasedArrivals::check(phases, &mut Vec::new()).unwrap()
    }

    #[test]
    fn a_rate_starts_exactly_its_number_the_last_at_the_end() {
        let plan = plan(&[phase(10, rate(5, 1))]);
        assert_eq!(plan.arrivals.total(), 50);
        assert_eq!(plan.arrivals.start_of(0), Some(Duration::from_millis(200)));
        assert_eq!(plan.arrivals.start_of(49), Some(Duration::from_secs(10)));
        assert!(plan.duration() > Duration::from_secs(10));
    }

    #[test]
    fn phases_follow_each_other_and_pauses_start_nobody() {
        let ramp = PhaseShape::Ramp {
            from: 0,
            to: 10,
            per: Duration::from_secs(1),
        };
        let plan = plan(&[
            phase(2, rate(1, 1)),
            phase(3, PhaseShape::Pause),
            phase(4, ramp),
            phase(
                2,
                PhaseShape::At(vec![Duration::from_millis(500), Duration::from_secs(1)]),
            ),
        ]);
        let starts: Vec<_> = (0..plan.arrivals.total())
            .map(|n| plan.arrivals.start_of(n).unwrap().as_secs_f64())
            .collect();
        assert_eq!(starts.len(), 2 + 20 + 2);
        assert_eq!(starts[..2], [1.0, 2.0]);
        assert!(starts[2] > 5.0 && (starts[21] - 9.0).abs() < 1e-6);
        assert!((starts[22] - 9.5).abs() < 1e-6 && (starts[23] - 10.0).abs() < 1e-6);
    }

    #[test]
    fn fractions_of_a_user_per_second_are_exact() {
        let plan = plan(&[phase(10, rate(3, 10))]);
        assert_eq!(plan.arrivals.total(), 3);
        assert_eq!(plan.arrivals.start_of(2), Some(Duration::from_secs(10)));
    }

    #[test]
    fn each_phase_has_its_own_limit() {
        let mut first = phase(2, rate(1, 1));
        first.most = Some(3);
        let plan = plan(&[first, phase(2, rate(1, 1))]);
        assert_eq!(plan.most_at(Duration::from_secs(1)), Some(3));
        assert_eq!(plan.most_at(Duration::from_secs(2)), Some(3));
        assert_eq!(plan.most_at(Duration::from_secs(3)), None);
    }
}
