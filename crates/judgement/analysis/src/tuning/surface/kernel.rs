//! How alike settings are.

/// Standard deviations of what a knob does, of the logarithm.
const EFFECT_DEVIATIONS: [f64; 6] = [0.02, 0.05, 0.12, 0.25, 0.5, 1.0];
/// How far levels are alike, as a share of a knob's range.
const RANGE_SHARES: [f64; 4] = [0.25, 0.5, 1.0, 2.0];
/// How much knobs do together, for as much as they do alone.
const TOGETHER_SHARES: [f64; 4] = [0.1, 0.3, 1.0, 3.0];
/// How far the machine moves from one block to the next, in deviations of a trial.
const STEP_DEVIATIONS: [f64; 5] = [0.01, 0.03, 0.1, 0.3, 1.0];
/// How much trials deviate, of what their blocks show.
const NOISE_FACTORS: [f64; 7] = [0.6, 0.72, 0.85, 1.0, 1.18, 1.4, 1.7];

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
            effects: vec![3; knobs],
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
        let effects = self.effects.iter().map(|place| bell(*place, 2.5, 1.5));
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
    /// Of each knob, by how many levels settings are apart: one, and what the knob adds to their covariance.
    factors: Vec<Vec<f64>>,
    together: f64,
}

impl Kernel {
    pub(super) fn new(levels: &[usize], shape: KernelShape) -> Self {
        let together = TOGETHER_SHARES[shape.together];
        let factors = levels.iter().enumerate().map(|(knob, count)| {
            let variance = together * EFFECT_DEVIATIONS[shape.effects[knob]].powi(2);
            let range = RANGE_SHARES[shape.ranges[knob]] * (*count as f64 - 1.0).max(1.0);
            let factor = |levels: usize| {
                // Once differentiable (B. Matérn, 1960): what a knob does often has a bend, as where a pool is large enough.
                let apart = 3.0_f64.sqrt() * levels as f64 / range;
                1.0 + variance * (1.0 + apart) * (-apart).exp()
            };
            (0..*count).map(factor).collect()
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
        let product: f64 = each
            .map(|(of_knob, (a, b))| of_knob[a.abs_diff(*b)])
            .product();
        (product - 1.0) / self.together
    }
}
