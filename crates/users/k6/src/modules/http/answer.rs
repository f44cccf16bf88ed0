//! What a response object carries.

use std::cell::OnceCell;
use std::rc::Rc;

use bytes::Bytes;
use loadline_js::{Args, Exception};
use loadline_net::Request;

use super::params::ResponseType;
use super::spares::Lent;

/// What a response object carries.
pub(super) struct Answer {
    pub(super) response: Lent,
    pub(super) url: ResponseUrl,
    pub(super) asked: Option<RequestInfo>,
    pub(super) kind: ResponseType,
    pub(super) has_body: bool,
    pub(super) failed: bool,
    pub(super) error: String,
    pub(super) error_code: u16,
    /// Whether the body is JSON; set when first needed.
    pub(super) is_json: OnceCell<bool>,
}

/// The URL of the response.
pub(super) enum ResponseUrl {
    /// That of the request.
    RequestInfo,
    Other(String),
}

/// The request a response answers.
pub(super) struct RequestInfo {
    pub(super) request: Rc<Request>,
    pub(super) plain_body: Option<Bytes>,
}

impl Answer {
    /// The body, unless it was discarded.
    pub(super) fn body(&self) -> Option<&[u8]> {
        self.has_body.then_some(&self.response.body[..])
    }

    /// The URL it came from.
    pub(super) fn url(&self) -> String {
        match (&self.url, &self.asked) {
            (ResponseUrl::Other(url), _) => url.clone(),
            (ResponseUrl::RequestInfo, Some(asked)) => asked.request.url().to_string(),
            (ResponseUrl::RequestInfo, None) => String::new(),
        }
    }
}

/// The response a method was called on.
pub(super) fn this(args: &Args<'_>) -> Result<Rc<Answer>, Exception> {
    args.this_host::<Answer>()
}
