//! A straight line of planned rate, and the exact area under it.

use loadline_units::Rate;

use super::{ShapeError, nanos};

/// Areas stay below this, so that the sum of two fits.
const LARGEST_AREA: u128 = 1 << 126;

/// A rate that changes linearly from one value to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Line {
    /// Starts per `unit` at its beginning and at its end.
    from: u64,
    to: u64,
    /// ns, not zero.
    unit: u64,
    /// ns, not zero for a ramp.
    length: u64,
}

impl Line {
    /// A constant rate.
    pub(super) fn flat(rate: Rate, length: u64) -> Result<Self, ShapeError> {
        let line = Self {
            from: rate.events(),
            to: rate.events(),
            unit: nanos(rate.per()),
            length,
        };
        line.checked()
    }

    /// A linear change from one rate to another, both per `unit` ns.
    pub(super) fn ramp(from: u64, to: u64, unit: u64, length: u64) -> Result<Self, ShapeError> {
        let line = Self {
            from,
            to,
            unit,
            length,
        };
        line.checked()
    }

    /// The same line at `numerator / denominator` of its rate.
    pub(super) fn scaled(self, numerator: u64, denominator: u64) -> Result<Self, ShapeError> {
        let times = |rate: u64| rate.checked_mul(numerator).ok_or(ShapeError::TooLarge);
        let line = Self {
            from: times(self.from)?,
            to: times(self.to)?,
            unit: self
                .unit
                .checked_mul(denominator)
                .ok_or(ShapeError::TooLarge)?,
            length: self.length,
        };
        line.checked()
    }

    fn checked(self) -> Result<Self, ShapeError> {
        let highest = u128::from(self.from.max(self.to));
        let length = u128::from(self.length);
        let area = if self.is_flat() {
            highest.checked_mul(length)
        } else {
            highest
                .checked_mul(2 * length)
                .and_then(|a| a.checked_mul(length))
        };
        match area {
            Some(area) if area < LARGEST_AREA && self.one_start() < LARGEST_AREA => Ok(self),
            _ => Err(ShapeError::TooLarge),
        }
    }

    pub(super) fn length(self) -> u64 {
        self.length
    }

    fn is_flat(self) -> bool {
        self.from == self.to
    }

    /// The area of one start.
    pub(super) fn one_start(self) -> u128 {
        if self.is_flat() {
            u128::from(self.unit)
        } else {
            2 * u128::from(self.unit) * u128::from(self.length)
        }
    }

    /// The area between two instants of the line. [`Line::one_start`] is the area of one start.
    pub(super) fn area(self, begin: u64, end: u64) -> u128 {
        self.area_to(end) - self.area_to(begin)
    }

    fn area_to(self, at: u64) -> u128 {
        let (from, to, at) = (u128::from(self.from), u128::from(self.to), u128::from(at));
        if self.is_flat() {
            return from * at;
        }
        let level = 2 * from * u128::from(self.length) * at;
        if to > from {
            level + (to - from) * at * at
        } else {
            level - (from - to) * at * at
        }
    }

    /// Approximately when the area counted from `begin` reaches `area`.
    pub(super) fn time_of_area(self, begin: u64, area: u128) -> u64 {
        let area = (area + self.area_to(begin)) as f64;
        let (from, to, length) = (self.from as f64, self.to as f64, self.length as f64);
        let at = if self.is_flat() {
            area / from
        } else {
            // area = 2·from·length·t + (to − from)·t², solved for the first t, in the form
            // without cancellation.
            let root = (from * from * length * length + (to - from) * area)
                .max(0.0)
                .sqrt();
            area / (from * length + root)
        };
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a guess; the cast saturates"
        )]
        let at = at as u64;
        at
    }

    /// `fraction` of a start of this line, in the area units of `other`, rounded down; exact if
    /// both have the same unit.
    pub(super) fn convert(self, fraction: u128, other: &Self) -> u128 {
        let (mine, theirs) = (self.one_start(), other.one_start());
        let common = gcd(fraction, mine);
        let (over, under) = (fraction / common, mine / common);
        let shared = gcd(under, theirs);
        match over.checked_mul(theirs / shared) {
            Some(product) => product / (under / shared),
            None => {
                let share = fraction as f64 / mine as f64;
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "a share below one of a u128"
                )]
                let converted = (share * theirs as f64) as u128;
                converted.min(theirs - 1)
            }
        }
    }

    /// Starts per second at an instant of the line.
    pub(super) fn rate_at(self, at: u64) -> f64 {
        let (from, to) = (self.from as f64, self.to as f64);
        let share = if self.is_flat() {
            0.0
        } else {
            at as f64 / self.length as f64
        };
        (from + (to - from) * share) * 1e9 / self.unit as f64
    }
}

/// The greatest common divisor; of 0 and n it is n, and never 0 here.
fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}
