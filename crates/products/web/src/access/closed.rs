//! What those are answered who bring no token, or a wrong one.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use loadline_listen::Refusal;
use loadline_text::{Catalog, Lang, pages};

use super::tokens::LINK_HOURS_MAX;

/// For programs.
pub(super) fn refusal() -> Response {
    let message = "this needs the header Authorization: Bearer TOKEN, or the cookie of a link; `loadline access --token` prints the token";
    let refusal = Refusal::new(StatusCode::UNAUTHORIZED, "token_needed", message);
    challenged(refusal.into_response())
}

/// For people, in both languages: nothing is known of the reader. `origin` is where the server listens.
pub(super) fn page(origin: &str, headers: &HeaderMap) -> Response {
    // A browser that follows a link of another site leaves the cookie out.
    let again = if is_from_other_site(headers) {
        "<meta http-equiv=\"refresh\" content=\"0\">"
    } else {
        ""
    };
    let told = Lang::ALL.map(|lang| in_language(lang, origin)).concat();
    let page = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">{again}\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>loadline</title><link rel=\"icon\" href=\"/favicon.svg\" type=\"image/svg+xml\">\
         <link rel=\"stylesheet\" href=\"/assets/app.css\"></head><body><main>{told}</main></body></html>\n"
    );
    challenged((StatusCode::UNAUTHORIZED, Html(page)).into_response())
}

fn in_language(lang: Lang, origin: &str) -> String {
    let catalog = Catalog::new(lang);
    let title = catalog.text(&pages::closed_title());
    let text = catalog.text(&pages::closed_text(LINK_HOURS_MAX));
    format!(
        "<div class=\"state\" lang=\"{}\"><h1>{title}</h1><p>{text}</p><pre>loadline access --address {origin}</pre></div>",
        lang.tag()
    )
}

/// A page that goes on to an address of this server by itself. A browser that came from another site
/// sends a strict cookie from here on, and not with a redirect.
pub(super) fn again(to: &str) -> Response {
    // The path and query of a request hold neither quotes nor brackets; `&` is the one to escape.
    let to = to
        .replace('&', "&amp;")
        .replace('"', "&quot;")
        .replace('<', "&lt;");
    let page = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta http-equiv=\"refresh\" content=\"0;url={to}\"><title>loadline</title></head></html>\n"
    );
    Html(page).into_response()
}

/// Whether a page of another site had the browser ask for a page of its own here.
pub(super) fn is_from_other_site(headers: &HeaderMap) -> bool {
    let is = |name: &str, wanted: &str| headers.get(name).is_some_and(|value| value == wanted);
    is("sec-fetch-site", "cross-site") && is("sec-fetch-mode", "navigate")
}

fn challenged(mut response: Response) -> Response {
    let scheme = HeaderValue::from_static("Bearer");
    response
        .headers_mut()
        .insert(header::WWW_AUTHENTICATE, scheme);
    response
}
