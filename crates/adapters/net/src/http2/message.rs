//! Converts heads of requests and responses to and from `h2`'s types.

use http::header::{HeaderMap, HeaderName, HeaderValue};
use http::{Method, StatusCode, Uri, Version};
use loadline_wire::{RequestHeadError, ResponseHead, canonical_name};

use crate::failure::{Cause, Failure};
use crate::request::Request;

/// Fields of HTTP/1.1 connections; Go leaves them out.
const OF_HTTP1: [&str; 5] = [
    "connection",
    "keep-alive",
    "proxy-connection",
    "transfer-encoding",
    "upgrade",
];

/// The head of `request`.
pub(super) fn request_head(request: &Request) -> Result<http::Request<()>, Failure> {
    let method = request.method();
    let method = Method::from_bytes(method.as_bytes())
        .map_err(|_| RequestHeadError::Method(method.to_owned()))?;
    let mut head = http::Request::new(());
    *head.method_mut() = method;
    *head.version_mut() = Version::HTTP_2;
    *head.uri_mut() = uri(request)?;
    let fields = head.headers_mut();
    if let Some(agent) = request.field("User-Agent")
        && !agent.is_empty()
    {
        append(fields, "user-agent", agent)?;
    }
    if let Some(length) = request.content_length() {
        fields.insert(http::header::CONTENT_LENGTH, length.into());
    }
    for (name, value) in request.sorted_fields() {
        if !OF_HTTP1.iter().any(|left| name.eq_ignore_ascii_case(left)) {
            append(fields, name, value)?;
        }
    }
    Ok(head)
}

fn append(fields: &mut HeaderMap, name: &str, value: &str) -> Result<(), RequestHeadError> {
    let known = HeaderName::from_bytes(name.as_bytes())
        .map_err(|_| RequestHeadError::FieldName(name.to_owned()))?;
    let value = HeaderValue::from_bytes(value.as_bytes())
        .map_err(|_| RequestHeadError::FieldValue(name.to_owned()))?;
    fields.append(known, value);
    Ok(())
}

fn uri(request: &Request) -> Result<Uri, Failure> {
    let url = request.url();
    let mut target = String::new();
    url.push_target(&mut target);
    let uri = Uri::builder()
        .scheme(url.scheme())
        .authority(request.host().unwrap_or(url.host()))
        .path_and_query(sendable(&target))
        .build();
    uri.map_err(|error| Cause::Other(format!("http2: invalid request target: {error}")).into())
}

/// `target` with the bytes escaped that `http` rejects and Go sends as they are.
fn sendable(target: &str) -> String {
    let mut out = String::with_capacity(target.len());
    for c in target.chars() {
        if matches!(c, '<' | '>' | '\\' | '^' | '`' | '|' | ' ') || !c.is_ascii() {
            let mut bytes = [0; 4];
            for byte in c.encode_utf8(&mut bytes).bytes() {
                out.push_str(&format!("%{byte:02X}"));
            }
        } else {
            out.push(c);
        }
    }
    out
}

/// Fills `head` from a response's fields, with names as k6 shows them.
pub(super) fn fill_head(head: &mut ResponseHead, status: StatusCode, fields: &HeaderMap) {
    let text = format!("{} {}", status.as_u16(), reason(status));
    let spelled: Vec<_> = fields
        .iter()
        .map(|(name, value)| (canonical_name(name.as_str()), value.as_bytes()))
        .collect();
    let fields = spelled.iter().map(|(name, value)| (&**name, *value));
    head.assemble(status.as_u16(), &text, fields);
}

/// Go's text for a status; HTTP/2 does not transfer one.
pub(crate) fn reason(status: StatusCode) -> &'static str {
    match status.as_u16() {
        203 => "Non-Authoritative Information",
        413 => "Request Entity Too Large",
        414 => "Request URI Too Long",
        416 => "Requested Range Not Satisfiable",
        _ => status.canonical_reason().unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;
    use crate::url::Url;

    #[test]
    fn a_request_loses_what_belongs_to_http1() {
        let url = Url::parse("https://user:pw@h.test:8443/a b?q=<é>|x#f").unwrap();
        let mut post = Request::new("POST", url);
        post.add_field("X-B", "2");
        post.add_field("x-a", "1");
        post.add_field("x-a", "3");
        post.add_field("Connection", "close");
        post.add_field("Content-Length", "9");
        post.set_body(Some(Bytes::from_static(b"body")));

        let head = request_head(&post).unwrap();

        assert_eq!(head.uri(), "https://h.test:8443/a%20b?q=%3C%C3%A9%3E%7Cx");
        let mut fields: Vec<_> = head
            .headers()
            .iter()
            .map(|(name, value)| format!("{name}: {}", value.to_str().unwrap()))
            .collect();
        fields.sort();
        assert_eq!(fields, ["content-length: 4", "x-a: 1", "x-a: 3", "x-b: 2"]);

        post.add_field("Host", "other.test");
        assert_eq!(
            request_head(&post).unwrap().uri().host(),
            Some("other.test")
        );
        post.add_field("bad", "a\nb");
        let failure = request_head(&post).unwrap_err();
        assert_eq!(
            failure.text(),
            "net/http: invalid header field value for \"Bad\""
        );
    }

    #[test]
    fn a_response_shows_gos_names_and_words() {
        let mut fields = HeaderMap::new();
        append(&mut fields, "content-type", "text/plain").unwrap();
        append(&mut fields, "set-cookie", "a").unwrap();
        append(&mut fields, "set-cookie", "b").unwrap();
        let mut head = ResponseHead::default();
        fill_head(&mut head, StatusCode::PAYLOAD_TOO_LARGE, &fields);

        assert_eq!(head.status_text(), b"413 Request Entity Too Large");
        let shown: Vec<_> = head.fields().iter().map(|(name, _)| name).collect();
        assert_eq!(shown, ["Content-Type", "Set-Cookie", "Set-Cookie"]);
        fill_head(&mut head, StatusCode::from_u16(599).unwrap(), &fields);
        assert_eq!(head.status_text(), b"599 ");
    }
}
