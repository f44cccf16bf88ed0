//! What a caller is answered whose change of the directory was not made.

use axum::http::StatusCode;

use super::answer::ApiError;
use crate::directory::ChangeStatus;

/// Turns what became of a change into an answer.
pub(super) fn done(changed: ChangeStatus) -> Result<(), ApiError> {
    match changed {
        ChangeStatus::Done => Ok(()),
        ChangeStatus::Exists => Err(ApiError::new(
            StatusCode::CONFLICT,
            "exists",
            "there is one by that name",
        )),
        ChangeStatus::Missing => Err(ApiError::new(
            StatusCode::NOT_FOUND,
            "missing",
            "there is no such thing",
        )),
        ChangeStatus::Changed => Err(ApiError::new(
            StatusCode::PRECONDITION_FAILED,
            "version_changed",
            "the queue was changed meanwhile; read it again",
        )),
        ChangeStatus::OverQuota => Err(ApiError::new(
            StatusCode::CONFLICT,
            "over_quota",
            "the tenant has as many queues as it may; archive one, or raise its quota",
        )),
    }
}
