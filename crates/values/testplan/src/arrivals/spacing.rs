//! The spacing of starts: even, or random as people arrive.
//!
//! A Poisson process with a changing rate is a process of rate 1 on the clock of the area under
//! that rate (the time-change theorem: D. Daley, D. Vere-Jones, *An Introduction to the Theory of
//! Point Processes*, Springer 2003, §7.4). So gaps are drawn from the exponential distribution
//! with mean 1 on that clock, and each start is due at the nanosecond at which the area reaches
//! it. This is exact for ramps, changes of level and holds alike.
//!
//! Gap i depends only on the seed and on i. A worker that asks for only some of the starts gets
//! the same ones as a caller that asks for all.

use std::time::Duration;

use loadline_units::random_bits;

use super::Arrivals;
use super::piece::{Due, starts};

/// How the starts of an open load are spaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ArrivalSpacing {
    /// At equal shares of the planned rate.
    #[default]
    Even,
    /// Random and independent of each other: a Poisson process with the planned rate.
    Poisson {
        /// The seed of its gaps.
        seed: u64,
    },
}

/// The starts of a plan, to be asked for in ascending order.
#[derive(Debug, Clone)]
pub struct Starts {
    arrivals: Arrivals,
    drawn: Drawn,
}

impl Starts {
    pub(super) fn new(arrivals: Arrivals) -> Self {
        let drawn = Drawn::default();
        Self { arrivals, drawn }
    }

    /// When start number `index` (from 0) is due; `None` if the plan has fewer. Going to a later
    /// start is quick; going back draws all of them again.
    pub fn start_of(&mut self, index: u64) -> Option<Duration> {
        let number = self.arrivals.number(index);
        let due = match self.arrivals.spacing {
            ArrivalSpacing::Even => starts(number.checked_add(1)?),
            ArrivalSpacing::Poisson { seed } => self.drawn.due_of(seed, number),
        };
        self.arrivals.time_of(due)
    }

    /// Continues with another shape from `at` on; see [`Arrivals::append`].
    pub fn append(&mut self, at: Duration, shape: &Arrivals, shape_from: Duration) {
        self.arrivals.append(at, shape, shape_from);
    }
}

/// The position in the sequence of gaps.
#[derive(Debug, Clone, Copy, Default)]
struct Drawn {
    /// How many gaps were drawn, and their sum.
    count: u64,
    sum: Due,
}

impl Drawn {
    fn due_of(&mut self, seed: u64, number: u64) -> Due {
        if self.count > number + 1 {
            *self = Self::default();
        }
        while self.count <= number {
            self.sum = self.sum.saturating_add(gap(seed, self.count));
            self.count += 1;
        }
        self.sum
    }
}

/// How many starts are due: the first ones, while `is_due` holds for them.
pub(super) fn count(seed: u64, is_due: impl Fn(Due) -> bool) -> u64 {
    let mut drawn = Drawn::default();
    let mut number = 0;
    while is_due(drawn.due_of(seed, number)) {
        number += 1;
    }
    number
}

/// Gap `index`: exponential with mean 1 (inverse transform).
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "between 0 and 37 starts"
)]
fn gap(seed: u64, index: u64) -> Due {
    const UNIFORM_STEPS: f64 = (1_u64 << 53) as f64;
    // 1 to 2⁵³, so that its logarithm exists.
    let uniform = ((random_bits(seed, index) >> 11) + 1) as f64 / UNIFORM_STEPS;
    (-uniform.ln() * 2_f64.powi(64)) as Due
}

#[cfg(test)]
mod tests;
