//! The description of the API, for people and for programs that make clients.

use axum::http::HeaderValue;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};

/// The document as it is published, also in `docs/`.
pub(crate) const DOCUMENT: &str = include_str!("openapi.json");

/// `GET /openapi.json`
pub(super) async fn document() -> Response {
    let mut response = DOCUMENT.into_response();
    response
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

#[cfg(test)]
mod tests {
    use super::DOCUMENT;
    use serde_json::Value;

    #[test]
    fn the_document_is_json_and_every_reference_leads_somewhere() {
        let document: Value = serde_json::from_str(DOCUMENT).unwrap();
        let references = DOCUMENT.split("\"$ref\": \"#").skip(1);
        for reference in references {
            let pointer = reference.split('"').next().unwrap();
            assert!(document.pointer(pointer).is_some(), "{pointer}");
        }
    }
}
