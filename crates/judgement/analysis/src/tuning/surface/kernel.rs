//! How alike settings are.

/// Standard deviations of what a knob does, of the logarithm.
const EFFECT_DEVIATIONS: [f64; 7] = [0.006, 0.02, 0.05, 0.12, 0.25, 0.5, 1.0];
/// How far levels are alike, as a share of a knob's range.
const RANGE_SHARES: [f64; 4] = [0.25, 0.5, 1.0, 2.0];
/// How much knobs do together, for as much as they do alone.
const TOGETHER_SHARES: [f64; 4] = [0.1, 0.3, 1.0, 3.0];
/// The share of what a knob does that is a line and a bow over its levels, of the variance. Much that a knob does rises, falls, or has one
/// best place; where trials differ by more than settings, all of them together tell such a shape before any two levels can be told apart.
const BOW_SHARE: f64 = 0.9;
/// How far the machine moves from one block to the next, in deviations of a trial.
const STEP_DEVIATIONS: [f64; 5] = [0.01, 0.03, 0.1, 0.3, 1.0];
/// How much trials deviate, of what their blocks show.
const NOISE_FACTORS: [f64; 7] = [0.6, 0.72, 0.85, 1.0, 1.18, 1.4, 1.7];
/// A curve that deviates by less over the levels is flat.
const FLAT_MAX: f64 = 1e-9;

/// What a surface is like.
#[derive(Debug, Clone, PartialEq)]
pub struct KernelShape {
    /// Of each knob, the place of its effect and range among the values that are looked at.
    effects: Vec<usize>,
    ranges: Vec<usize>,
    together: usize,
    step: usize,
    deviation: usize,
    pub(super) steps: f64,
    pub(super) noise: f64,
}

impl KernelShape {
    /// The one that is begun with.
    pub(super) fn new(knobs: usize) -> Self {
        Self {
            effects: vec![4; knobs],
            ranges: vec![1; knobs],
            together: 1,
            step: 1,
            deviation: 3,
            steps: STEP_DEVIATIONS[1],
            noise: NOISE_FACTORS[3],
        }
    }

    /// Parts that are looked for one after the other.
    pub(super) const fn parts(knobs: usize) -> usize {
        2 * knobs + 3
    }

    /// All that differ from this one in one part.
    pub(super) fn others(&self, part: usize) -> Vec<Self> {
        let knobs = self.effects.len();
        let count = match part {
            part if part < knobs => EFFECT_DEVIATIONS.len(),
            part if part < 2 * knobs => RANGE_SHARES.len(),
            part if part == 2 * knobs => TOGETHER_SHARES.len(),
            part if part == 2 * knobs + 1 => STEP_DEVIATIONS.len(),
            _ => NOISE_FACTORS.len(),
        };
        let with = |place: usize| {
            let mut other = self.clone();
            match part {
                part if part < knobs => other.effects[part] = place,
                part if part < 2 * knobs => other.ranges[part - knobs] = place,
                part if part == 2 * knobs => other.together = place,
                part if part == 2 * knobs + 1 => other.step = place,
                _ => other.deviation = place,
            }
            other.steps = STEP_DEVIATIONS[other.step];
            other.noise = NOISE_FACTORS[other.deviation];
            other
        };
        let now = match part {
            part if part < knobs => self.effects[part],
            part if part < 2 * knobs => self.ranges[part - knobs],
            part if part == 2 * knobs => self.together,
            part if part == 2 * knobs + 1 => self.step,
            _ => self.deviation,
        };
        let near = [
            now.checked_sub(1),
            Some(now + 1).filter(|next| *next < count),
        ];
        near.into_iter().flatten().map(with).collect()
    }

    /// How likely it is before any trial.
    pub(super) fn log_prior(&self) -> f64 {
        let bell = |place: usize, middle: f64, width: f64| {
            -0.5 * ((place as f64 - middle) / width).powi(2)
        };
        // A knob that does nothing, or hardly anything, is as likely as one that matters.
        let effects = self.effects.iter().map(|place| bell(*place, 1.0, 3.0));
        let ranges = self.ranges.iter().map(|place| bell(*place, 1.5, 1.0));
        effects.sum::<f64>()
            + ranges.sum::<f64>()
            + bell(self.together, 1.0, 1.0)
            + bell(self.step, 1.5, 1.5)
            + bell(self.deviation, 3.0, 1.5)
    }
}

/// The covariance of settings' values.
#[derive(Debug, Clone)]
pub(super) struct Kernel {
    shape: KernelShape,
    /// Of each knob, by the levels of both settings: one, and what the knob adds to their covariance.
    factors: Vec<Vec<Vec<f64>>>,
    together: f64,
}

impl Kernel {
    pub(super) fn new(levels: &[usize], shape: KernelShape) -> Self {
        let together = TOGETHER_SHARES[shape.together];
        let factors = levels.iter().enumerate().map(|(knob, count)| {
            let variance = together * EFFECT_DEVIATIONS[shape.effects[knob]].powi(2);
            let range = RANGE_SHARES[shape.ranges[knob]] * (*count as f64 - 1.0).max(1.0);
            let bows = bows(*count);
            let factor = |a: usize, b: usize| {
                // Once differentiable (B. Matérn, 1960): what a knob does often has a bend, as where a pool is large enough.
                let apart = 3.0_f64.sqrt() * a.abs_diff(b) as f64 / range;
                let rest = (1.0 + apart) * (-apart).exp();
                1.0 + variance * (BOW_SHARE * bows[a][b] + (1.0 - BOW_SHARE) * rest)
            };
            let of_level = |a: usize| (0..*count).map(|b| factor(a, b)).collect();
            (0..*count).map(of_level).collect()
        });
        Self {
            factors: factors.collect(),
            together,
            shape,
        }
    }

    pub(super) const fn shape(&self) -> &KernelShape {
        &self.shape
    }

    /// The covariance of two settings' values.
    pub(super) fn alike(&self, a: &[usize], b: &[usize]) -> f64 {
        let each = self.factors.iter().zip(a.iter().zip(b));
        let product: f64 = each.map(|(of_knob, (a, b))| of_knob[*a][*b]).product();
        (product - 1.0) / self.together
    }
}

/// The covariance of a line and a bow over so many levels, alike in size (a response surface of the second degree, G. E. P. Box and
/// K. B. Wilson, 1951); one on average over the levels.
fn bows(count: usize) -> Vec<Vec<f64>> {
    let middle = (count as f64 - 1.0) / 2.0;
    let off = |level: usize| level as f64 - middle;
    let line = scaled((0..count).map(off).collect());
    let bow = scaled((0..count).map(|level| off(level).powi(2)).collect());
    let curves: Vec<Vec<f64>> = [line, bow].into_iter().flatten().collect();
    let covariance = |a: usize, b: usize| {
        let products = curves.iter().map(|curve| curve[a] * curve[b]);
        products.sum::<f64>() / curves.len().max(1) as f64
    };
    let of_level = |a: usize| (0..count).map(|b| covariance(a, b)).collect();
    (0..count).map(of_level).collect()
}

/// A curve about its middle, of deviation one; `None` where it is flat, as a bow over two levels.
fn scaled(curve: Vec<f64>) -> Option<Vec<f64>> {
    let count = curve.len() as f64;
    let middle = curve.iter().sum::<f64>() / count;
    let squares: f64 = curve.iter().map(|value| (value - middle).powi(2)).sum();
    let deviation = (squares / count).sqrt();
    (deviation > FLAT_MAX).then(|| {
        let each = curve.into_iter().map(|value| (value - middle) / deviation);
        each.collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_and_a_bow_are_as_large_over_any_number_of_levels() {
        for count in 2..=12 {
            let bows = bows(count);
            let mean = (0..count).map(|at| bows[at][at]).sum::<f64>() / count as f64;
            assert!((mean - 1.0).abs() < 1e-9, "{count}: {mean}");
        }
        assert_eq!(bows(1), [[0.0]]);
        // Two levels are a line's alone.
        let [first, _] = &bows(2)[..] else {
            panic!("two levels");
        };
        assert!((first[0] - 1.0).abs() < 1e-9 && (first[1] + 1.0).abs() < 1e-9);
    }
}
