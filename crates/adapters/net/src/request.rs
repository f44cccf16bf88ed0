//! A request, and its HTTP/1.1 bytes, which are encoded once.

use std::borrow::Cow;
use std::cell::OnceCell;

use bytes::Bytes;
use loadline_wire::{RequestHeadError, RequestKind, RequestWriter, canonical_name};

use crate::url::Url;

/// A body up to this size is sent in one piece with the head.
const SINGLE_PIECE_BYTES_MAX: usize = 16 * 1024;

/// A header field's name and value; the name may have any case.
pub type HeaderField = (String, String);

/// A request. Its bytes are cached, so sending it again costs nothing.
///
/// Fields are sent as Go sends them: `Host`, `User-Agent`, `Content-Length`, then the others by
/// canonical name. `Content-Length` and `Transfer-Encoding` among the fields are ignored; the
/// body determines them.
#[derive(Debug, Clone, Default)]
pub struct Request {
    method: String,
    url: Url,
    /// Sent instead of the URL's host.
    host: Option<String>,
    fields: Vec<HeaderField>,
    body: Option<Bytes>,
    /// The body is an empty stream: its length is not sent.
    empty_stream: bool,
    /// The length is sent even if there is no body.
    length_expected: bool,
    encoded: OnceCell<Encoded>,
}

/// What a request's bytes depend on besides the request.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Form<'f> {
    /// Ask the server to close the connection.
    pub(crate) close: bool,
    /// Send the whole URL, as to a proxy.
    pub(crate) absolute: bool,
    /// `Proxy-Authorization`.
    pub(crate) authorization: Option<&'f str>,
}

/// Bytes, and the form they have.
#[derive(Debug, Clone)]
struct Encoded {
    bytes: Vec<u8>,
    close: bool,
    absolute: bool,
    authorization: Option<String>,
}

impl Encoded {
    fn is(&self, form: Form<'_>) -> bool {
        self.close == form.close
            && self.absolute == form.absolute
            && self.authorization.as_deref() == form.authorization
    }
}

impl Request {
    /// A request without fields and body.
    #[must_use]
    pub fn new(method: impl Into<String>, url: Url) -> Self {
        Self {
            method: method.into(),
            url,
            ..Self::default()
        }
    }

    /// Sends the length of the body even if there is none, whatever the method.
    pub fn expect_length(&mut self) {
        self.length_expected = true;
    }

    /// The method as given.
    #[must_use]
    pub fn method(&self) -> &str {
        &self.method
    }

    /// Where it goes.
    #[must_use]
    pub fn url(&self) -> &Url {
        &self.url
    }

    /// The fields in the order they were added, `Host` not among them.
    #[must_use]
    pub fn fields(&self) -> &[HeaderField] {
        &self.fields
    }

    /// The value of the first field called `name`, in any case.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&str> {
        let found = self
            .fields
            .iter()
            .find(|(n, _)| n.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// The `Host` that is sent, if it is not the URL's.
    #[must_use]
    pub fn host(&self) -> Option<&str> {
        self.host.as_deref()
    }

    /// The body, if there is one.
    #[must_use]
    pub fn body(&self) -> Option<&Bytes> {
        self.body.as_ref()
    }

    /// Adds a field, beside any of the same name. `Host` replaces the URL's host.
    pub fn add_field(&mut self, name: impl Into<String>, value: impl Into<String>) {
        let name = name.into();
        if name.eq_ignore_ascii_case("host") {
            self.host = Some(value.into()).filter(|host: &String| !host.is_empty());
        } else {
            self.fields.push((name, value.into()));
        }
        self.encoded = OnceCell::new();
    }

    /// Sets a field in place of any of the same name.
    pub fn set_field(&mut self, name: impl Into<String>, value: impl Into<String>) {
        let name = name.into();
        self.remove_field(&name);
        self.add_field(name, value);
    }

    /// Takes away all fields called `name`.
    pub fn remove_field(&mut self, name: &str) {
        self.fields.retain(|(n, _)| !n.eq_ignore_ascii_case(name));
        self.encoded = OnceCell::new();
    }

    /// Sets or takes away the body.
    pub fn set_body(&mut self, body: Option<Bytes>) {
        self.body = body;
        self.empty_stream = false;
        self.encoded = OnceCell::new();
    }

    /// Sets a body that is empty but sent as if its length were not known, as Go sends the
    /// empty text: chunked in HTTP/1.1. Where a method usually has no body there is none.
    pub fn set_empty_stream(&mut self) {
        const USUALLY_WITHOUT: [&str; 6] =
            ["GET", "HEAD", "DELETE", "OPTIONS", "PROPFIND", "SEARCH"];
        self.set_body(Some(Bytes::new()));
        self.empty_stream = !USUALLY_WITHOUT.contains(&self.method.as_str());
    }

    /// Sends it somewhere else.
    pub fn set_url(&mut self, url: Url) {
        self.url = url;
        self.encoded = OnceCell::new();
    }

    /// What is asked, as far as the answer's framing goes.
    pub(crate) fn kind(&self) -> RequestKind {
        match self.method.as_str() {
            "HEAD" => RequestKind::Head,
            "CONNECT" => RequestKind::Connect,
            _ => RequestKind::Ordinary,
        }
    }

    /// Whether a server that got it twice would do no more than once.
    pub(crate) fn is_replayable(&self) -> bool {
        matches!(self.method.as_str(), "GET" | "HEAD" | "OPTIONS" | "TRACE")
            || self.field("Idempotency-Key").is_some()
            || self.field("X-Idempotency-Key").is_some()
    }

    /// The length that is sent: of a body, and of none where one is expected.
    pub(crate) fn content_length(&self) -> Option<usize> {
        if self.empty_stream {
            return None;
        }
        let length = self.body.as_ref().map_or(0, Bytes::len);
        let is_expected =
            self.length_expected || matches!(self.method.as_str(), "POST" | "PUT" | "PATCH");
        (length > 0 || is_expected).then_some(length)
    }

    /// The bytes of the head, and of the body when it is small. They are kept for the
    /// form asked for first; a client asks for one form all the time.
    pub(crate) fn bytes(&self, form: Form<'_>) -> Result<Cow<'_, [u8]>, RequestHeadError> {
        if self.encoded.get().is_none() {
            // It was empty just before, so this sets it.
            let _ = self.encoded.set(Encoded {
                bytes: self.encode(form)?,
                close: form.close,
                absolute: form.absolute,
                authorization: form.authorization.map(str::to_owned),
            });
        }
        match self.encoded.get() {
            Some(kept) if kept.is(form) => Ok(Cow::Borrowed(&kept.bytes)),
            _ => Ok(Cow::Owned(self.encode(form)?)),
        }
    }

    /// The body, when it is too large to follow the head in one piece.
    pub(crate) fn second_piece(&self) -> &[u8] {
        match self.body.as_deref() {
            Some(body) if body.len() > SINGLE_PIECE_BYTES_MAX => body,
            _ => &[],
        }
    }

    fn encode(&self, form: Form<'_>) -> Result<Vec<u8>, RequestHeadError> {
        let mut target = String::new();
        if form.absolute {
            target = format!("{}://{}", self.url.scheme(), self.url.host());
        }
        self.url.push_target(&mut target);
        let body = self.body.as_deref().unwrap_or_default();
        let mut out = Vec::with_capacity(256 + body.len().min(SINGLE_PIECE_BYTES_MAX));
        let mut writer = RequestWriter::begin(&mut out, &self.method, &target)?;
        writer.field("Host", self.host.as_deref().unwrap_or(self.url.host()))?;
        if let Some(agent) = self.field("User-Agent")
            && !agent.is_empty()
        {
            writer.field("User-Agent", agent)?;
        }
        if let Some(length) = self.content_length() {
            writer.content_length(length);
        }
        if self.empty_stream {
            writer.field("Transfer-Encoding", "chunked")?;
        }
        for (name, value) in self.sorted_fields() {
            writer.field(name, value)?;
        }
        let says_close = self
            .field("Connection")
            .is_some_and(|value| value.eq_ignore_ascii_case("close"));
        if form.close && !says_close {
            writer.field("Connection", "close")?;
        }
        if let Some(authorization) = form.authorization {
            writer.field("Proxy-Authorization", authorization)?;
        }
        writer.finish();
        if self.empty_stream {
            out.extend_from_slice(b"0\r\n\r\n");
        }
        if body.len() <= SINGLE_PIECE_BYTES_MAX {
            out.extend_from_slice(body);
        }
        Ok(out)
    }

    /// The fields that are sent as they are, by canonical name; equal names keep their
    /// order.
    pub(crate) fn sorted_fields(&self) -> Vec<(&str, &str)> {
        const OURS: [&str; 4] = [
            "user-agent",
            "content-length",
            "transfer-encoding",
            "trailer",
        ];
        let mut fields: Vec<(&str, &str)> = self
            .fields
            .iter()
            .filter(|(name, _)| !OURS.iter().any(|ours| name.eq_ignore_ascii_case(ours)))
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        fields.sort_by(|(a, _), (b, _)| canonical_name(a).cmp(&canonical_name(b)));
        fields
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_stream_is_chunked_where_a_body_is_usual() {
        let bytes = |method: &str| {
            let mut request = Request::new(method, Url::parse("http://a.test/").unwrap());
            request.set_empty_stream();
            let bytes = request.bytes(PLAIN).unwrap().into_owned();
            String::from_utf8(bytes).unwrap()
        };
        assert_eq!(
            bytes("POST"),
            "POST / HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        );
        assert_eq!(bytes("DELETE"), "DELETE / HTTP/1.1\r\nHost: a.test\r\n\r\n");
    }

    const PLAIN: Form<'_> = Form {
        close: false,
        absolute: false,
        authorization: None,
    };

    fn request(method: &str, url: &str) -> Request {
        Request::new(method, Url::parse(url).unwrap())
    }

    fn text(request: &Request, form: Form<'_>) -> String {
        let head = request.bytes(form).unwrap();
        String::from_utf8([&head, request.second_piece()].concat()).unwrap()
    }

    #[test]
    fn fields_go_out_in_gos_order() {
        let mut post = request("POST", "http://h:81/a b?x");
        post.add_field("x-b", "2");
        post.add_field("user-agent", "me");
        post.add_field("Accept", "*/*");
        post.add_field("X-B", "1");
        post.add_field("Content-Length", "999");
        post.set_body(Some(Bytes::from_static(b"body")));

        assert_eq!(
            text(&post, PLAIN),
            "POST /a%20b?x HTTP/1.1\r\nHost: h:81\r\nUser-Agent: me\r\nContent-Length: 4\r\n\
             Accept: */*\r\nX-B: 2\r\nX-B: 1\r\n\r\nbody"
        );
    }

    #[test]
    fn an_empty_body_has_a_length_where_one_is_expected() {
        assert!(text(&request("PUT", "http://h/"), PLAIN).contains("Content-Length: 0\r\n"));
        assert!(!text(&request("DELETE", "http://h/"), PLAIN).contains("Content-Length"));
    }

    #[test]
    fn host_close_and_proxy_form_change_the_head() {
        let mut get = request("GET", "http://user@h/x?y");
        get.add_field("host", "other");
        let form = Form {
            close: true,
            absolute: true,
            authorization: Some("Basic x"),
        };
        assert_eq!(
            text(&get, PLAIN),
            "GET /x?y HTTP/1.1\r\nHost: other\r\n\r\n"
        );
        assert_eq!(
            text(&get, form),
            "GET http://h/x?y HTTP/1.1\r\nHost: other\r\nConnection: close\r\n\
             Proxy-Authorization: Basic x\r\n\r\n"
        );
    }

    #[test]
    fn a_large_body_is_not_copied() {
        let body = Bytes::from(vec![7; SINGLE_PIECE_BYTES_MAX + 1]);
        let mut post = request("POST", "http://h/");
        post.set_body(Some(body.clone()));
        assert_eq!(post.second_piece().as_ptr(), body.as_ptr());
    }

    #[test]
    fn the_bytes_are_written_once_and_anew_after_a_change() {
        let mut get = request("GET", "http://h/");
        let first = get.bytes(PLAIN).unwrap().as_ptr();
        assert_eq!(get.bytes(PLAIN).unwrap().as_ptr(), first);
        get.set_field("A", "b");
        assert!(text(&get, PLAIN).contains("A: b"));
    }
}
