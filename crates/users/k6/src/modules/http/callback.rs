//! Which response statuses a script expects.

use std::rc::Rc;

use loadline_js::Value;

/// Decides whether a response was expected.
#[derive(Debug, Clone, Default)]
pub(super) enum Callback {
    /// 200 to 399.
    #[default]
    Usual,
    /// Any of these ranges, ends included.
    Within(Rc<[(f64, f64)]>),
    /// Not tracked: no metric, no tag.
    Nothing,
}

impl Callback {
    /// Whether `status` is expected; `None` when this is not tracked.
    pub(super) fn expects(&self, status: u16) -> Option<bool> {
        match self {
            Self::Usual => Some((200..400).contains(&status)),
            Self::Within(ranges) => {
                let status = f64::from(status);
                let within = |(min, max): &(f64, f64)| *min <= status && status <= *max;
                Some(ranges.iter().any(within))
            }
            Self::Nothing => None,
        }
    }

    /// The callback that a script passes; `None` when the value is not one.
    pub(super) fn from_value(value: &Value) -> Option<Self> {
        if value.is_nullish() {
            return Some(Self::Nothing);
        }
        let expected = value.host::<ExpectedStatuses>()?;
        Some(Self::Within(expected.0.clone()))
    }
}

/// The object that `expectedStatuses` returns.
pub(super) struct ExpectedStatuses(pub(super) Rc<[(f64, f64)]>);
