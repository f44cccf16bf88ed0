//! What an error of Redis means to a log.

use ::redis::{ErrorKind, RedisError};

use crate::storage::{LogStoreError, UnsuitableReason};

/// A store that is away, or one that does not let this gate in.
pub(super) fn away(error: RedisError) -> LogStoreError {
    let no_login = matches!(error.code(), Some("NOAUTH" | "WRONGPASS"));
    if no_login || error.kind() == ErrorKind::AuthenticationFailed {
        return UnsuitableReason::Login.into();
    }
    LogStoreError::Unreachable(error.to_string())
}
