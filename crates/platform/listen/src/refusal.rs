//! The one JSON shape of an error answer.
//!
//! `{"error": {"code": "...", "message": "...", ...}}`: `code` is for programs and
//! never changes, `message` is for people, further members give the numbers.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};

/// An error answer: status, code, message and details.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    status: StatusCode,
    code: &'static str,
    message: String,
    details: Map<String, Value>,
}

impl Refusal {
    /// An answer with `status`, a `code` that programs may compare, and a sentence for people.
    pub fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            status,
            code,
            message: message.into(),
            details: Map::new(),
        }
    }

    /// Adds one member beside `code` and `message`.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.details.insert(name.to_owned(), value.into());
        self
    }

    /// The HTTP status it answers with.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// The code that programs may compare.
    pub fn code(&self) -> &'static str {
        self.code
    }
}

impl Refusal {
    /// The JSON it answers with.
    #[must_use]
    pub fn body(&self) -> Value {
        let mut error = Map::new();
        error.insert("code".into(), self.code.into());
        error.insert("message".into(), self.message.as_str().into());
        error.extend(self.details.clone());
        json!({ "error": error })
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, Json(self.body())).into_response()
    }
}

#[cfg(test)]
mod tests {
    use super::Refusal;
    use axum::body::to_bytes;
    use axum::http::StatusCode;
    use axum::response::IntoResponse;

    #[tokio::test]
    async fn a_refusal_carries_code_message_and_numbers() {
        let refusal = Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "pool_timeout", "no permit")
            .with("waiting", 3);

        let response = refusal.into_response();

        assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
        let body = to_bytes(response.into_body(), 1024).await.unwrap();
        assert_eq!(
            body,
            r#"{"error":{"code":"pool_timeout","message":"no permit","waiting":3}}"#
        );
    }
}
