//! What a request asks after the `?`, refused like everything else when it cannot be read.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use super::answer::ApiError;

/// The members of an address's query.
pub(super) struct AskedQuery<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for AskedQuery<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let read = axum::extract::Query::from_request_parts(parts, state).await;
        read.map(|axum::extract::Query(asked)| Self(asked))
            .map_err(|error| ApiError::bad_request(format!("the query: {}", error.body_text())))
    }
}
