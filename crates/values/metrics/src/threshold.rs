//! Pass or fail: the grammar of thresholds and how they are judged.
//!
//! Both are k6's, so that a k6 script means the same here. [`Expression`] is one
//! condition, [`Thresholds`] all of a run's with their state.

mod correction;
mod expression;
mod judge;
mod k6_text;
mod set;
mod subject;
mod windows;

pub use correction::corrected;
pub use expression::{Expression, ExpressionError, Operator, ThresholdStatistic};
pub use judge::{ConditionState, ConditionVerdict, judge};
pub use set::{
    Condition, Evaluation, Phase, Threshold, ThresholdError, ThresholdSource, Thresholds,
};
pub use subject::Subject;
