//! Answers that changed by failing less often, and otherwise in nothing: what was mended is no other answer.

use super::answers::{are_harmless, is_failure};
use super::{AnswerChange, BodyState, Endpoint, Measure};

/// The shares of requests that failed before and after, where fewer do and nothing else changed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MendedErrors {
    /// Before.
    pub before: f64,
    /// After.
    pub after: f64,
}

impl Endpoint {
    /// That its answers changed by failing less often, and otherwise in nothing.
    #[must_use]
    pub fn mended_errors(&self) -> Option<MendedErrors> {
        let is_mended =
            self.changed.iter().any(AnswerChange::is_mended) && are_harmless(&self.changed);
        let mut differences = self.differences.iter();
        let errors = differences.find(|difference| difference.measure == Measure::Errors);
        let shares = match errors {
            Some(errors) => errors.before.zip(errors.after),
            None => Some(failing_shares(&self.changed)),
        };
        let (before, after) = shares.filter(|(before, after)| is_mended && after < before)?;
        Some(MendedErrors { before, after })
    }

    /// Where it is told among others: those whose answers changed first, then those that changed harmlessly.
    pub(super) fn order_of_changes(&self) -> (bool, bool) {
        (are_harmless(&self.changed), self.changed.is_empty())
    }

    /// Fields that its answers gained, where nothing else changed that a client has to know.
    #[must_use]
    pub fn gained_fields(&self) -> Vec<&str> {
        let added = self.changed.iter().filter_map(|change| match change {
            AnswerChange::Body(change) if change.state == BodyState::Added => {
                Some(change.field.as_str())
            }
            _ => None,
        });
        added.filter(|_| are_harmless(&self.changed)).collect()
    }
}

/// The shares of failing statuses before and after, of those that changed.
fn failing_shares(changes: &[AnswerChange]) -> (f64, f64) {
    let shares = changes.iter().filter_map(|change| match change {
        AnswerChange::Status {
            status,
            before,
            after,
        } if is_failure(status) => Some((before, after)),
        _ => None,
    });
    shares.fold((0.0, 0.0), |sum, (before, after)| {
        (sum.0 + before, sum.1 + after)
    })
}
