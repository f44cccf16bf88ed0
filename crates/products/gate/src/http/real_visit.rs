//! Whether a request for a page is a person's visit, or only a look at the link.
//!
//! Messengers fetch links to show a preview, browsers prefetch them, and pages of others
//! load them as images. None of these may take a place in the queue or use up a code.

use axum::http::{HeaderMap, Method};

/// Parts of the names that preview fetchers and crawlers give themselves. Only clients that
/// send no `Sec-Fetch-Mode` are judged by their name; browsers over https always send it.
const FETCHERS: [&str; 10] = [
    "bot",
    "crawl",
    "spider",
    "preview",
    "scrap",
    "externalhit",
    "whatsapp",
    "embedly",
    "yeti",
    "daum",
];

/// Whether somebody opens the page: a navigation, or a request of the page's own script.
pub(super) fn is_visit(method: &Method, headers: &HeaderMap) -> bool {
    let text = |name: &str| {
        let value = headers.get(name).and_then(|value| value.to_str().ok());
        value.unwrap_or_default().to_ascii_lowercase()
    };
    let ahead = ["sec-purpose", "purpose", "x-purpose", "x-moz"];
    let is_prefetch = ahead
        .iter()
        .any(|name| text(name).contains("prefetch") || text(name).contains("preview"));
    if method == Method::HEAD || is_prefetch {
        return false;
    }
    match text("sec-fetch-mode").as_str() {
        "" => {
            let agent = text("user-agent");
            takes_pages(headers) && !FETCHERS.iter().any(|name| agent.contains(name))
        }
        "navigate" => true,
        _ => text("sec-fetch-site") == "same-origin",
    }
}

/// Whether a proxy's visitor is a browser that opens a page, and not a script's request
/// or an image of one: those cannot follow the way to the waiting room.
pub(super) fn is_navigation(headers: &HeaderMap) -> bool {
    match headers.get("sec-fetch-mode") {
        Some(mode) => mode == "navigate",
        None => takes_pages(headers),
    }
}

/// Whether pages are among what is asked for. Over plain http browsers tell icons, images and style sheets
/// of a page by nothing else.
fn takes_pages(headers: &HeaderMap) -> bool {
    let accept = headers.get("accept").and_then(|value| value.to_str().ok());
    accept.is_none_or(|kinds| kinds.contains("text/html") || kinds.trim() == "*/*")
}

#[cfg(test)]
mod tests {
    use super::is_visit;
    use axum::http::{HeaderMap, HeaderName, HeaderValue, Method};

    fn visit(method: Method, fields: &[(&'static str, &'static str)]) -> bool {
        let fields = fields.iter().map(|(name, value)| {
            let name = HeaderName::from_static(name);
            (name, HeaderValue::from_static(value))
        });
        is_visit(&method, &fields.collect::<HeaderMap>())
    }

    #[test]
    fn a_person_visits_and_a_preview_does_not() {
        let chrome =
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36";
        assert!(visit(Method::GET, &[]));
        assert!(visit(Method::GET, &[("user-agent", chrome)]));
        assert!(visit(Method::GET, &[("sec-fetch-mode", "navigate")]));
        let own_script = [
            ("sec-fetch-mode", "cors"),
            ("sec-fetch-site", "same-origin"),
        ];
        assert!(visit(Method::GET, &own_script));

        for kinds in ["text/html,application/xhtml+xml,*/*;q=0.8", "*/*"] {
            assert!(visit(Method::GET, &[("accept", kinds)]), "{kinds}");
        }
        for kinds in [
            "image/avif,image/webp,image/*,*/*;q=0.8",
            "text/css,*/*;q=0.1",
        ] {
            assert!(!visit(Method::GET, &[("accept", kinds)]), "{kinds}");
        }

        assert!(!visit(Method::HEAD, &[]));
        assert!(!visit(
            Method::GET,
            &[("sec-purpose", "prefetch;prerender")]
        ));
        assert!(!visit(Method::GET, &[("purpose", "prefetch")]));
        assert!(!visit(Method::GET, &[("sec-fetch-mode", "no-cors")]));
        for fetcher in [
            "facebookexternalhit/1.1;kakaotalk-scrap/1.0",
            "Slackbot-LinkExpanding 1.0",
            "WhatsApp/2.23",
            "Mozilla/5.0 (compatible; Yeti/1.1; +http://naver.me/spd)",
            "Mozilla/5.0 (compatible; Googlebot/2.1)",
        ] {
            assert!(!visit(Method::GET, &[("user-agent", fetcher)]), "{fetcher}");
        }
    }
}
