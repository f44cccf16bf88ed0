//! URLs in attributes, resolved against the URL of the response.

use loadline_net::Url;

use super::selection::Selection;

/// An attribute of the first node as a URL; none when it is missing or cannot be read.
pub(super) fn resolved(selection: &Selection, name: &str) -> Option<Url> {
    let reference = selection.attribute(name)?;
    resolve(&selection.url, reference)
}

pub(super) fn resolve(base: &str, reference: &str) -> Option<Url> {
    Url::parse(base).ok()?.join(reference).ok()
}

/// An attribute as the text of a URL: as it is written where there is no URL to resolve
/// it against.
pub(super) fn text(selection: &Selection, name: &str, otherwise: &str) -> String {
    if selection.url.is_empty() {
        return selection.attribute(name).unwrap_or_default().to_owned();
    }
    resolved(selection, name).map_or_else(|| otherwise.to_owned(), |url| url.to_string())
}

/// A part of a link's URL.
#[derive(Debug, Clone, Copy)]
pub(super) enum Part {
    Hash,
    Host,
    Hostname,
    Origin,
    Password,
    Pathname,
    Port,
    Protocol,
    Search,
    Username,
}

/// A part of the URL in `href`, as k6 gives it (`protocol` without its colon).
pub(super) fn part(selection: &Selection, part: Part) -> String {
    let url = resolved(selection, "href").unwrap_or_default();
    match part {
        Part::Hash => match url.to_string().split_once('#') {
            Some((_, fragment)) if !fragment.is_empty() => format!("#{}", unescaped(fragment)),
            _ => String::new(),
        },
        Part::Host => {
            let usual = match url.scheme() {
                "http" => "80",
                "https" => "443",
                "ftp" => "21",
                _ => "",
            };
            match url.port_text() {
                Some(port) if port == usual => url.host_name().to_owned(),
                _ => url.host().to_owned(),
            }
        }
        Part::Hostname => url.host_name().to_owned(),
        Part::Origin => match url.scheme() {
            "" => String::new(),
            "file" => text(selection, "href", ""),
            scheme => format!("{scheme}://{}", url.host()),
        },
        Part::Password => url
            .user()
            .and_then(|user| user.password.clone())
            .unwrap_or_default(),
        Part::Pathname => url.unescaped_path().into_owned(),
        Part::Port => url.port_text().unwrap_or_default().to_owned(),
        Part::Protocol => match url.scheme() {
            "" => ":".to_owned(),
            scheme => scheme.to_owned(),
        },
        Part::Search => match url.query() {
            None | Some("") => String::new(),
            Some(query) => format!("?{query}"),
        },
        Part::Username => url
            .user()
            .map_or_else(String::new, |user| user.name.clone()),
    }
}

/// Decodes percent-encoded bytes.
fn unescaped(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let code = after.get(..2).filter(|_| *first == b'%');
        let code = code.and_then(|digits| std::str::from_utf8(digits).ok());
        match code.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
