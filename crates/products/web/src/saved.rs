//! Reports that a page saves: HTML, the numbers, Markdown, JUnit.

use axum::http::header;
use axum::response::{IntoResponse, Response};
use loadline_report::document::html::EmbeddedFile;
use loadline_report::document::{ReportDocument, html, junit, markdown};
use loadline_text::Catalog;

/// A report and what its forms need beside it.
pub(crate) struct SavedReport<'a> {
    pub(crate) document: &'a ReportDocument,
    /// What the file with the numbers in the page is called, without its ending.
    pub(crate) name: &'a str,
    /// JSON.
    pub(crate) numbers: String,
    /// How long it took, for JUnit.
    pub(crate) seconds: f64,
}

/// A text and its media type.
pub(crate) struct SavedText {
    media_type: &'static str,
    text: String,
}

impl SavedReport<'_> {
    /// In a form: `json`, `md`, `xml` (JUnit), else HTML.
    pub(crate) fn in_form(self, form: &str, catalog: &Catalog) -> SavedText {
        let document = self.document;
        let (media_type, text) = match form {
            "json" => ("application/json", self.numbers),
            "md" => (
                "text/markdown; charset=utf-8",
                markdown::text(document, catalog),
            ),
            "xml" => ("application/xml", junit::xml(document, self.seconds)),
            _ => {
                let file = EmbeddedFile {
                    name: format!("{}.json", self.name),
                    media_type: "application/json",
                    text: self.numbers,
                };
                let page = html::page(document, &[file], catalog);
                ("text/html; charset=utf-8", page)
            }
        };
        SavedText { media_type, text }
    }
}

/// An answer that a browser saves under a name.
pub(crate) fn attachment(name: &str, saved: SavedText) -> Response {
    let headers = [
        (header::CONTENT_TYPE, saved.media_type.to_owned()),
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"{}\"", plain(name)),
        ),
    ];
    (headers, saved.text).into_response()
}

/// A file name in which nothing means anything to a header.
pub(crate) fn plain(name: &str) -> String {
    let kept = name
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '.'));
    kept.collect()
}
