//! Likelihoods of laws by all levels, multiplied and added without a logarithm of each.
//!
//! Some fifty thousand laws are tried on a dozen levels each. A level is off by so much, x², and may be by a variance v: its likelihood is
//! exp(−x²/2v) / √v. The sum of all x²/v is kept as one fraction, whose denominator is the product of all v, so that a law takes one division
//! and one exponential.

/// By how much a target may vary from level to level.
pub(super) const VARYING_SHARES: [f64; 5] = [0.0, 0.01, 0.02, 0.04, 0.08];
/// By how much a level may be off at most for that, or because it is far too short to tell, of the logarithm.
pub(super) const WANDERING_MAX: f64 = 1.0;
/// No observation makes a hypothesis less likely than this, of the logarithm: one of them may be disturbed.
pub(super) const LEAST_LOG_LIKELIHOOD: f64 = -8.0;
/// The product of more variances may leave the range of a float.
const FACTORS_MAX: usize = 32;

/// Of each of `VARYING_SHARES`, the logarithm of a likelihood.
pub(super) type Logs = [f64; VARYING_SHARES.len()];

/// How well a level fits to a law.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Fit {
    /// How far it is off, of the logarithm, and what may be, were the target the same in each level: the squares.
    pub(super) off_squared: f64,
    pub(super) variance: f64,
    /// By how much its value grows with the load, of the logarithms.
    pub(super) growth: f64,
}

/// The likelihoods of a law by the levels so far: exp(log − squares / 2 widths) / √widths.
#[derive(Debug, Clone, Copy)]
pub(super) struct Likelihoods {
    logs: Logs,
    squares: Lanes,
    widths: Lanes,
}

/// One more than there are shares: an even number is multiplied in pairs.
type Lanes = [f64; VARYING_SHARES.len() + 1];

/// `VARYING_SHARES`, filled up.
const VARYING_LANES: Lanes = {
    let mut lanes = [0.0; VARYING_SHARES.len() + 1];
    let mut kind = 0;
    while kind < VARYING_SHARES.len() {
        lanes[kind] = VARYING_SHARES[kind];
        kind += 1;
    }
    lanes
};

impl Likelihoods {
    /// By these levels; `logs` say how likely each share is before anything is seen.
    pub(super) fn new(logs: Logs, fits: &[Fit]) -> Self {
        let mut all = Self {
            logs,
            squares: [0.0; VARYING_LANES.len()],
            widths: [1.0; VARYING_LANES.len()],
        };
        let mut chunks = fits.chunks(FACTORS_MAX);
        all.take(chunks.next().unwrap_or_default());
        for more in chunks {
            all.take_logarithms();
            all.take(more);
        }
        all
    }

    /// Takes levels in.
    #[inline]
    fn take(&mut self, fits: &[Fit]) {
        let (mut squares, mut widths) = (self.squares, self.widths);
        for fit in fits {
            for kind in 0..VARYING_LANES.len() {
                let varies = least(VARYING_LANES[kind] * fit.growth, WANDERING_MAX);
                let variance = fit.variance + varies * varies;
                let squared = least(fit.off_squared, -2.0 * LEAST_LOG_LIKELIHOOD * variance);
                squares[kind] = squares[kind] * variance + squared * widths[kind];
                widths[kind] *= variance;
            }
        }
        (self.squares, self.widths) = (squares, widths);
    }

    /// Begins new products.
    fn take_logarithms(&mut self) {
        let products = self.squares.iter().zip(&self.widths);
        for (log, (squares, width)) in self.logs.iter_mut().zip(products) {
            *log -= 0.5 * (squares / width + width.ln());
        }
        self.squares = [0.0; VARYING_LANES.len()];
        self.widths = [1.0; VARYING_LANES.len()];
    }
}

/// The lesser of two, none of which is no number: one instruction.
#[inline]
pub(super) fn least(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// A sum of likelihoods.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sums {
    /// The greatest of their exponents, and the sum by its power of e.
    most: Logs,
    sums: Logs,
}

impl Default for Sums {
    fn default() -> Self {
        Self {
            most: [f64::NEG_INFINITY; VARYING_SHARES.len()],
            sums: [0.0; VARYING_SHARES.len()],
        }
    }
}

impl Sums {
    #[inline]
    pub(super) fn add(&mut self, likelihoods: &Likelihoods) {
        for kind in 0..VARYING_SHARES.len() {
            let one_by_width = 1.0 / likelihoods.widths[kind];
            let exponent = likelihoods.logs[kind] - 0.5 * likelihoods.squares[kind] * one_by_width;
            let factor = one_by_width.sqrt();
            let above = exponent - self.most[kind];
            if above > 0.0 {
                self.sums[kind] = self.sums[kind] * (-above).exp() + factor;
                self.most[kind] = exponent;
            } else {
                self.sums[kind] += above.exp() * factor;
            }
        }
    }

    /// Their logarithms.
    pub(super) fn logs(self) -> Logs {
        let mut logs = self.most;
        for (log, sum) in logs.iter_mut().zip(self.sums) {
            *log += sum.ln();
        }
        logs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(place: u32) -> Fit {
        let place = f64::from(place);
        Fit {
            off_squared: (place * 0.7).sin().powi(2),
            variance: 0.004 + 0.03 * (place * 1.3).cos().powi(2),
            growth: place % 7.0,
        }
    }

    /// The same, a logarithm of each level at a time.
    fn plainly(log: f64, varying: f64, levels: u32) -> f64 {
        let of_level = |place| {
            let fit = fit(place);
            let variance = fit.variance + (varying * fit.growth).min(WANDERING_MAX).powi(2);
            let off = (-0.5 * fit.off_squared / variance).max(LEAST_LOG_LIKELIHOOD);
            off - 0.5 * variance.ln()
        };
        log + (0..levels).map(of_level).sum::<f64>()
    }

    #[test]
    fn products_are_the_sums_of_logarithms_however_many_levels_there_are() {
        for levels in [0, 1, 5, 31, 32, 33, 64, 700] {
            let fits: Vec<Fit> = (0..levels).map(fit).collect();
            let likelihoods = Likelihoods::new([-3.0; VARYING_SHARES.len()], &fits);
            let mut sums = Sums::default();
            sums.add(&likelihoods);
            for (log, varying) in sums.logs().into_iter().zip(VARYING_SHARES) {
                let plain = plainly(-3.0, varying, levels);
                assert!((log - plain).abs() < 1e-9 * plain.abs(), "{log} {plain}");
            }
        }
    }

    #[test]
    fn likelihoods_far_apart_are_added_in_any_order() {
        let with = |log| Likelihoods::new([log; VARYING_SHARES.len()], &[]);
        let sum = |logs: &[f64]| {
            let mut sums = Sums::default();
            logs.iter().for_each(|log| sums.add(&with(*log)));
            sums.logs()[0]
        };
        assert!((sum(&[-2000.0, -2000.0]) - (2.0_f64.ln() - 2000.0)).abs() < 1e-9);
        assert!((sum(&[-2000.0, -10.0]) + 10.0).abs() < 1e-12);
        assert!((sum(&[-10.0, -2000.0]) + 10.0).abs() < 1e-12);
        assert!(Sums::default().logs()[0].is_infinite());
    }
}
