//! The settings there are.

use std::fmt;
use std::sync::Arc;

/// One knob with its levels.
#[derive(Debug, Clone, PartialEq)]
pub struct KnobSpace {
    /// What each level costs, 0 to 1; levels without a preference all cost nothing.
    pub costs: Vec<f64>,
    /// The level it has before the study.
    pub start: usize,
    /// Whether its levels are more and more of something, or less and less.
    pub has_order: bool,
}

impl KnobSpace {
    /// How many levels it has.
    #[must_use]
    pub fn levels(&self) -> usize {
        self.costs.len()
    }
}

/// All settings that may be tried.
#[derive(Clone)]
pub struct StudySpace {
    /// The knobs.
    pub knobs: Vec<KnobSpace>,
    /// Whether the hard limits allow a setting; what they forbid is never tried.
    #[expect(clippy::type_complexity, reason = "a name for it would say no more")]
    pub allowed: Arc<dyn Fn(&[usize]) -> bool + Send + Sync>,
}

impl fmt::Debug for StudySpace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StudySpace")
            .field("knobs", &self.knobs)
            .finish_non_exhaustive()
    }
}

impl StudySpace {
    /// The setting before the study.
    #[must_use]
    pub fn start(&self) -> Vec<usize> {
        self.knobs.iter().map(|knob| knob.start).collect()
    }

    /// What a setting costs: the sum over its knobs.
    #[must_use]
    pub fn cost(&self, setting: &[usize]) -> f64 {
        let each = self.knobs.iter().zip(setting);
        each.map(|(knob, level)| knob.costs[*level]).sum()
    }

    /// How many settings there are, forbidden ones included.
    #[must_use]
    pub fn size(&self) -> usize {
        let levels = self.knobs.iter().map(KnobSpace::levels);
        levels.fold(1, usize::saturating_mul)
    }
}
