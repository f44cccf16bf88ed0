//! The pages' files, built from `web/` and kept in this program.

use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

/// A file that pages load.
pub(crate) struct AssetFile {
    pub(crate) path: &'static str,
    media_type: &'static str,
    text: &'static str,
}

/// They hold no data, so they are for everybody.
pub(crate) const FILES: [AssetFile; 3] = [
    AssetFile {
        path: "/assets/app.js",
        media_type: "text/javascript; charset=utf-8",
        text: include_str!("../pages/assets/app.js"),
    },
    AssetFile {
        path: "/assets/app.css",
        media_type: "text/css; charset=utf-8",
        text: include_str!("../pages/assets/app.css"),
    },
    AssetFile {
        path: "/favicon.svg",
        media_type: "image/svg+xml",
        text: include_str!("../pages/favicon.svg"),
    },
];

const PAGE: &str = include_str!("../pages/index.html");

pub(crate) async fn asset(uri: Uri) -> Response {
    let file = FILES.iter().find(|file| file.path == uri.path());
    match file {
        Some(file) => answer(file.media_type, "no-cache", file.text),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

pub(crate) async fn page() -> Response {
    answer("text/html; charset=utf-8", "no-store", PAGE)
}

/// An address that is none: a person sees a page that says so.
pub(crate) async fn missing(uri: Uri) -> Response {
    if uri.path().starts_with("/api/") || uri.path().starts_with("/assets/") {
        return StatusCode::NOT_FOUND.into_response();
    }
    (StatusCode::NOT_FOUND, page().await).into_response()
}

fn answer(media_type: &'static str, cached: &'static str, text: &'static str) -> Response {
    let headers = [
        (header::CONTENT_TYPE, media_type),
        (header::CACHE_CONTROL, cached),
    ];
    (headers, text).into_response()
}
