//! The pages' files, built from `web/` and kept in this program.

use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

/// Names, types and contents. The page itself answers all other paths, which it reads.
const FILES: [(&str, &str, &str); 3] = [
    (
        "/assets/app.js",
        "text/javascript; charset=utf-8",
        include_str!("../pages/assets/app.js"),
    ),
    (
        "/assets/app.css",
        "text/css; charset=utf-8",
        include_str!("../pages/assets/app.css"),
    ),
    (
        "/favicon.svg",
        "image/svg+xml",
        include_str!("../pages/favicon.svg"),
    ),
];

const PAGE: &str = include_str!("../pages/index.html");

pub(crate) async fn page(uri: Uri) -> Response {
    let path = uri.path();
    if let Some((_, kind, text)) = FILES.iter().find(|(name, ..)| *name == path) {
        return answer(kind, text);
    }
    if path.starts_with("/api/") || path.starts_with("/assets/") {
        return StatusCode::NOT_FOUND.into_response();
    }
    answer("text/html; charset=utf-8", PAGE)
}

fn answer(kind: &'static str, text: &'static str) -> Response {
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    (headers, text).into_response()
}
