//! What is accounted for of one exchange.

use std::net::IpAddr;

use loadline_net::{Exchange, Protocol, Request, Shortage, Timing, TlsVersion};
use loadline_vu::failed_answers;

/// What is accounted for of one exchange.
#[derive(Debug, Clone)]
pub(super) struct HopRecord {
    /// Method and URL, where they are not those of the request asked for.
    pub(super) moved: Option<(String, String)>,
    pub(super) status: u16,
    pub(super) protocol: Protocol,
    pub(super) tls: Option<TlsVersion>,
    pub(super) ip: Option<IpAddr>,
    /// Code and text.
    pub(super) failure: Option<(u16, String)>,
    pub(super) shortage: Option<Shortage>,
    pub(super) asks_to_wait: bool,
    /// The words of an answer of 400 and more.
    pub(super) words: Option<String>,
    /// Bytes of the body of an answer.
    pub(super) bytes: u64,
    pub(super) timing: Timing,
}

impl HopRecord {
    pub(super) fn new(hop: &Exchange<'_>, first: &Request) -> Self {
        let request = hop.request;
        let stays =
            hop.index == 0 || (request.method() == first.method() && request.url() == first.url());
        Self {
            moved: (!stays).then(|| (request.method().to_owned(), request.url().masked())),
            status: hop.response.head.status(),
            protocol: hop.response.protocol,
            tls: hop.response.tls.as_ref().map(|tls| tls.version),
            ip: hop.response.remote.map(|remote| remote.ip()),
            failure: hop.failure.map(|failure| (failure.code(), failure.text())),
            shortage: hop.failure.and_then(loadline_net::Failure::shortage),
            asks_to_wait: hop.failure.is_none() && hop.response.asks_to_wait(),
            words: (hop.failure.is_none() && hop.response.head.status() >= 400)
                .then(|| failed_answers::words(&hop.response.body)),
            bytes: hop.response.body_bytes,
            timing: hop.response.timing,
        }
    }

    /// k6's `error_code`: of the failure, or 1000 and the status of an answer that says
    /// there is a mistake.
    pub(super) fn error_code(&self) -> u16 {
        match &self.failure {
            Some((code, _)) => *code,
            None if self.status >= 400 => 1000 + self.status,
            None => 0,
        }
    }
}
