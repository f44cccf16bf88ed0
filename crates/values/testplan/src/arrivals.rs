//! When the iterations of an open-model load start.
//!
//! The planned rate over time is a sequence of straight pieces. The area under it is the number
//! of starts that are due. It is kept as whole starts and an integer fraction, so each start is
//! due at the exact nanosecond at which the area reaches its number, in a run of any length. The
//! fraction at the end of a piece is carried into the next.
//!
//! Two rules are k6's, and they differ: with a constant rate the first iteration starts at once,
//! with a ramping rate it starts when the area reaches 1. A start that is due exactly at the end
//! counts in both (k6 itself sometimes loses it to its own timer).
//!
//! Starts are evenly spaced on that area, or a Poisson process (see [`ArrivalSpacing`]); the area is the
//! same. Live control appends: [`Arrivals::append`] ends the plan at an instant and continues
//! with another shape. Starts before that instant still count.

mod line;
mod piece;
mod spacing;

use std::time::Duration;

use loadline_units::Rate;

use crate::stripe::Stripe;
use line::Line;
use piece::{Due, RatePiece, starts};
pub use spacing::{ArrivalSpacing, Starts};

/// Why a load shape cannot be planned exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ShapeError {
    /// Rate times length exceeds what 128-bit integers hold (10⁶/s for 30 days fits).
    #[error("the rate and the duration together are too large to be planned exactly")]
    TooLarge,
}

/// The planned starts, on the scenario's own time, which begins at zero.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrivals {
    pieces: Vec<RatePiece>,
    /// How many starts are due at time zero.
    at_once: u64,
    /// The starts that belong to this part, if several generators share the test.
    stripe: Option<Stripe>,
    spacing: ArrivalSpacing,
}

impl Arrivals {
    /// A plan without starts.
    const fn empty() -> Self {
        Self {
            pieces: Vec::new(),
            at_once: 0,
            stripe: None,
            spacing: ArrivalSpacing::Even,
        }
    }

    /// The same rate over time with another spacing of starts. With random spacing no start is
    /// due at time zero.
    #[must_use]
    pub fn spaced(mut self, spacing: ArrivalSpacing) -> Self {
        if let ArrivalSpacing::Poisson { .. } = spacing {
            for piece in &mut self.pieces {
                piece.before -= self.at_once;
            }
            self.at_once = 0;
        }
        self.spacing = spacing;
        self
    }

    /// How the starts are spaced.
    #[must_use]
    pub const fn spacing(&self) -> ArrivalSpacing {
        self.spacing
    }

    /// The starts in order.
    #[must_use]
    pub fn starts(&self) -> Starts {
        Starts::new(self.clone())
    }

    /// `rate` for `length`; the first start is due at time zero.
    ///
    /// # Errors
    /// [`ShapeError::TooLarge`].
    pub fn constant(rate: Rate, length: Duration) -> Result<Self, ShapeError> {
        let mut arrivals = Self {
            at_once: 1,
            ..Self::empty()
        };
        arrivals.push(Line::flat(rate, nanos(length))?);
        Ok(arrivals)
    }

    /// `rate` for `length`; the first start is due after one interval, so with a whole number of
    /// intervals the last start is due at the end.
    ///
    /// # Errors
    /// [`ShapeError::TooLarge`].
    pub fn evenly(rate: Rate, length: Duration) -> Result<Self, ShapeError> {
        let mut arrivals = Self::empty();
        arrivals.push(Line::flat(rate, nanos(length))?);
        Ok(arrivals)
    }

    /// Starts at these ascending times within `length`.
    ///
    /// # Errors
    /// [`ShapeError::TooLarge`].
    pub fn at(times: &[Duration], length: Duration) -> Result<Self, ShapeError> {
        let mut arrivals = Self::empty();
        let mut last = 0;
        for time in times {
            let gap = nanos(*time).saturating_sub(last).max(1);
            let one = Rate::new(1, Duration::from_nanos(gap)).map_err(|_| ShapeError::TooLarge)?;
            arrivals.push(Line::flat(one, gap)?);
            last += gap;
        }
        let rest = nanos(length).saturating_sub(last);
        arrivals.push(Line::flat(Rate::per_second(0), rest)?);
        Ok(arrivals)
    }

    /// From `start` through each stage's (length, target), all per `unit`. A stage of length zero
    /// is a jump. The first start is due when the area reaches 1.
    ///
    /// # Errors
    /// [`ShapeError::TooLarge`].
    pub fn ramping(
        start: u64,
        stages: &[(Duration, u64)],
        unit: Duration,
    ) -> Result<Self, ShapeError> {
        let mut arrivals = Self::empty();
        let mut from = start;
        for (length, to) in stages {
            if !length.is_zero() {
                arrivals.push(Line::ramp(from, *to, nanos(unit), nanos(*length))?);
            }
            from = *to;
        }
        Ok(arrivals)
    }

    /// When the plan ends.
    #[must_use]
    pub fn end(&self) -> Duration {
        Duration::from_nanos(self.pieces.last().map_or(0, |piece| piece.until))
    }

    /// How many starts are due over the whole plan. With random spacing each one is drawn, which
    /// takes about 20 ns.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.starts_by(self.end())
    }

    /// How many starts the plan has on average over all seeds: the area under its rate.
    #[must_use]
    pub fn expected(&self) -> f64 {
        let of_piece = |piece: &RatePiece| piece.due_by(piece.until).0;
        self.pieces.last().map_or(self.at_once, of_piece) as f64
    }

    /// How many starts the plan has by an instant on average over all seeds.
    #[must_use]
    pub fn expected_by(&self, at: Duration) -> f64 {
        let at = nanos(at);
        let begun = self.pieces.iter().rev().find(|piece| piece.from <= at);
        let due = begun.map(|piece| piece.due_by(at.min(piece.until)).0);
        due.unwrap_or(self.at_once) as f64
    }

    /// The same plan with only the starts of one part.
    #[must_use]
    pub(crate) fn striped(mut self, stripe: Stripe) -> Self {
        self.stripe = Some(stripe);
        self
    }

    /// How many starts are due up to and including `at`.
    #[must_use]
    pub fn starts_by(&self, at: Duration) -> u64 {
        let all = self.all_starts_by(at);
        match &self.stripe {
            Some(stripe) => stripe.scale(all),
            None => all,
        }
    }

    /// The same, including the starts of other parts.
    fn all_starts_by(&self, at: Duration) -> u64 {
        let at = nanos(at);
        let found = self.pieces.partition_point(|piece| piece.from <= at);
        let Some(piece) = found.checked_sub(1).map(|last| &self.pieces[last]) else {
            return self.at_once;
        };
        let at = at.min(piece.until);
        match self.spacing {
            ArrivalSpacing::Even => piece.starts_by(at),
            ArrivalSpacing::Poisson { seed } => spacing::count(seed, |due| piece.is_due(due, at)),
        }
    }

    /// How many starts are due before `at`.
    #[must_use]
    pub fn starts_before(&self, at: Duration) -> u64 {
        match at.checked_sub(Duration::from_nanos(1)) {
            Some(just_before) => self.starts_by(just_before),
            None => 0,
        }
    }

    /// When start number `index` (from 0) is due; `None` if the plan has fewer. With random
    /// spacing all earlier ones are drawn, too: see [`Arrivals::starts`].
    #[must_use]
    pub fn start_of(&self, index: u64) -> Option<Duration> {
        self.starts().start_of(index)
    }

    /// The number of this part's start `index` among the starts of all parts.
    fn number(&self, index: u64) -> u64 {
        match &self.stripe {
            Some(stripe) => stripe.number(index),
            None => index,
        }
    }

    /// When this amount is due.
    fn time_of(&self, due: Due) -> Option<Duration> {
        if due <= starts(self.at_once) && self.at_once > 0 {
            return Some(Duration::ZERO);
        }
        let found = self
            .pieces
            .partition_point(|piece| !piece.is_due(due, piece.until));
        let piece = self.pieces.get(found)?;
        Some(Duration::from_nanos(piece.time_of(due)))
    }

    /// The planned rate at `at` in starts per second, for display; zero after the end.
    #[must_use]
    pub fn rate_at(&self, at: Duration) -> f64 {
        let at = nanos(at);
        let found = self.pieces.partition_point(|piece| piece.from <= at);
        let piece = self.pieces[..found].last().filter(|p| at < p.until);
        piece.map_or(0.0, |piece| {
            piece.line.rate_at(at - piece.from + piece.skipped)
        })
    }

    /// From `at` on follows `shape`, beginning at the shape's own time `shape_from`. Starts that
    /// were due up to `at` stay, and the fraction of the next start is carried over.
    ///
    /// Every change of a running scenario uses this: a new level, a hold ([`Arrivals::pause`]), a
    /// resume (the former plan from where it was left), a scale ([`Arrivals::scaled`]).
    pub fn append(&mut self, at: Duration, shape: &Self, shape_from: Duration) {
        let (at, shape_from) = (nanos(at), nanos(shape_from));
        self.pieces.retain(|piece| piece.from < at);
        if let Some(last) = self.pieces.last_mut() {
            last.until = last.until.min(at);
        }
        for piece in &shape.pieces {
            if piece.until <= shape_from {
                continue;
            }
            let into = shape_from.saturating_sub(piece.from);
            let from = at + (piece.from + into - shape_from);
            self.push_piece(
                piece.line,
                piece.skipped + into,
                from,
                from.saturating_add(piece.until - piece.from - into),
            );
        }
    }

    /// From `at` on follows `shape`, whose first start is one whole interval later: the fraction
    /// of a start that was due is dropped.
    pub(crate) fn append_afresh(&mut self, at: Duration, shape: &Self) {
        let first = self.pieces.len();
        self.append(at, shape, Duration::ZERO);
        if let Some(piece) = self.pieces.get_mut(first) {
            piece.carried = 0;
        }
        // Later pieces carry the fraction of the first one; compute it again.
        let later: Vec<RatePiece> = self
            .pieces
            .drain((first + 1).min(self.pieces.len())..)
            .collect();
        for piece in later {
            self.push_piece(piece.line, piece.skipped, piece.from, piece.until);
        }
    }

    /// The same rate over time, with the fractions that [`Arrivals::append_afresh`] dropped.
    pub(crate) fn joined(mut self) -> Self {
        let pieces = std::mem::take(&mut self.pieces);
        for piece in pieces {
            self.push_piece(piece.line, piece.skipped, piece.from, piece.until);
        }
        self
    }

    /// No starts for `length`.
    ///
    /// # Panics
    /// Never: a rate of zero is planned exactly at any length.
    #[must_use]
    pub fn pause(length: Duration) -> Self {
        let line = Line::flat(Rate::per_second(0), nanos(length));
        let mut arrivals = Self::empty();
        arrivals.push(line.expect("a rate of zero is never too large"));
        arrivals
    }

    /// The same shape at `numerator / denominator` of its rate.
    ///
    /// # Errors
    /// [`ShapeError::TooLarge`].
    ///
    /// # Panics
    /// If the denominator is zero.
    pub fn scaled(&self, numerator: u64, denominator: u64) -> Result<Self, ShapeError> {
        assert!(denominator > 0, "a share has a denominator");
        let mut scaled = Self {
            pieces: Vec::new(),
            at_once: self.at_once,
            stripe: self.stripe.clone(),
            spacing: self.spacing,
        };
        for piece in &self.pieces {
            let line = piece.line.scaled(numerator, denominator)?;
            scaled.push_piece(line, piece.skipped, piece.from, piece.until);
        }
        Ok(scaled)
    }

    /// Adds a line at the end of the plan.
    fn push(&mut self, line: Line) {
        let from = self.pieces.last().map_or(0, |piece| piece.until);
        self.push_piece(line, 0, from, from.saturating_add(line.length()));
    }

    fn push_piece(&mut self, line: Line, skipped: u64, from: u64, until: u64) {
        let (before, carried) = match self.pieces.last() {
            None => (self.at_once, 0),
            Some(last) => {
                let (whole, fraction) = last.due_by(last.until);
                let carried = last.line.convert(fraction, &line);
                (whole, carried)
            }
        };
        self.pieces.push(RatePiece {
            from,
            until,
            line,
            skipped,
            before,
            carried,
        });
    }
}

/// Whole nanoseconds, limited to 584 years.
fn nanos(length: Duration) -> u64 {
    u64::try_from(length.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
