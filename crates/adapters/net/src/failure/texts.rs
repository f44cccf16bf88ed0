//! The texts of a [`Failure`]: short, long, and as k6 logs it.

use loadline_wire::{RequestHeadError, ResponseError};

use super::http2;
use super::{Cause, Failure, SocketFailure};

impl Failure {
    /// k6's `error`.
    #[must_use]
    pub fn text(&self) -> String {
        match &*self.cause {
            Cause::Timeout => "request timeout".to_owned(),
            Cause::NoSuchHost { .. } => "lookup: no such host".to_owned(),
            Cause::BlacklistedIp { .. } => "ip is blacklisted".to_owned(),
            Cause::BlockedHost { .. } => "hostname is blocked".to_owned(),
            Cause::Socket {
                operation, kind, ..
            } => kind.after(operation.name(), operation.name()),
            Cause::DialTimeout { .. } => "dial: i/o timeout".to_owned(),
            Cause::Refused { .. } => "dial: connection refused".to_owned(),
            Cause::Dial { errno, text, .. } => {
                format!("dial: unknown errno {errno} error with msg `{text}`")
            }
            Cause::UnknownAuthority(_) => "x509: unknown authority".to_owned(),
            Cause::WrongHost(_) => "x509: certificate doesn't match hostname".to_owned(),
            Cause::Certificate(text) => format!("x509: {text}"),
            Cause::NotTls { .. } => NOT_TLS.to_owned(),
            Cause::Decompression {
                reason,
                doubled: true,
            } => decompression(&decompression(reason)),
            Cause::Http2(scope, code) => http2::text(*scope, *code),
            _ => self.detail(),
        }
    }

    /// The longer text, without method and URL.
    #[must_use]
    pub fn detail(&self) -> String {
        match &*self.cause {
            Cause::Other(text)
            | Cause::Lookup(text)
            | Cause::NonTcp(text)
            | Cause::InvalidUrl(text)
            | Cause::Address(text)
            | Cause::Tcp(text)
            | Cause::HeadTooLarge(text)
            | Cause::Tls(text) => text.clone(),
            Cause::Request(error) => request_text(error),
            Cause::Response(error) => error.to_string(),
            Cause::Timeout => "request timeout".to_owned(),
            Cause::NoSuchHost { host } => format!("lookup {host}: no such host"),
            Cause::BlacklistedIp { ip, range } => {
                format!("IP ({ip}) is in a blacklisted range ({range})")
            }
            Cause::BlockedHost { host, pattern } => {
                format!("hostname ({host}) is in a blocked pattern ({pattern})")
            }
            Cause::Socket {
                operation,
                kind,
                local,
                remote,
            } => {
                let operation = operation.name();
                let ends = match local {
                    Some(local) => format!("{local}->{remote}"),
                    None => remote.to_string(),
                };
                kind.after(&format!("{operation} tcp {ends}: {operation}"), operation)
            }
            Cause::DialTimeout { .. } => "dial: i/o timeout".to_owned(),
            Cause::Refused { remote } => {
                format!("dial tcp {remote}: connect: connection refused")
            }
            Cause::Dial { remote, text, .. } => format!("dial tcp {remote}: connect: {text}"),
            Cause::NotTls { speaks_http: true } => {
                "http: server gave HTTP response to HTTPS client".to_owned()
            }
            Cause::NotTls { speaks_http: false } => NOT_TLS.to_owned(),
            Cause::UnknownAuthority(_) => {
                "tls: failed to verify certificate: x509: certificate signed by unknown authority"
                    .to_owned()
            }
            Cause::WrongHost(text) | Cause::Certificate(text) => {
                format!("tls: failed to verify certificate: x509: {text}")
            }
            Cause::Http2(scope, code) => http2::detail(*scope, *code),
            Cause::Decompression { reason, .. } => decompression(reason),
            Cause::BodyTooLarge { limit } => {
                format!("response body exceeds the limit of {limit} bytes")
            }
        }
    }

    /// The text of k6's `Request Failed` warning for a request of `method` to `url`.
    #[must_use]
    pub fn log(&self, method: &str, url: &str) -> String {
        let detail = self.detail();
        if self.in_body || matches!(*self.cause, Cause::InvalidUrl(_)) {
            return detail;
        }
        let broken = match &*self.cause {
            Cause::Response(ResponseError::NoResponse) => "",
            Cause::Response(_) | Cause::HeadTooLarge(_) => {
                "net/http: HTTP/1.x transport connection broken: "
            }
            _ => "",
        };
        format!("{} \"{url}\": {broken}{detail}", operation_name(method))
    }
}

impl SocketFailure {
    fn after(&self, prefix: &str, operation: &str) -> String {
        match self {
            Self::Reset => format!("{prefix}: connection reset by peer"),
            Self::BrokenPipe => format!("{prefix}: broken pipe"),
            Self::Errno { errno, text } => {
                format!(
                    "{prefix}: unknown errno `{errno}` on linux with message `{operation}: {text}`"
                )
            }
            Self::Unnamed(text) => format!("{prefix}: {text}"),
        }
    }
}

/// `Get` for `GET`: Go's name of the failed operation.
fn operation_name(method: &str) -> String {
    let mut chars = method.chars();
    match chars.next() {
        None => "Get".to_owned(),
        Some(first) => first.to_string() + &chars.as_str().to_ascii_lowercase(),
    }
}

fn request_text(error: &RequestHeadError) -> String {
    use crate::url::quoted;
    match error {
        RequestHeadError::Method(method) => format!("net/http: invalid method {}", quoted(method)),
        RequestHeadError::Target(_) => {
            "net/http: can't write control character in Request.URL".to_owned()
        }
        RequestHeadError::FieldName(name) => {
            format!("net/http: invalid header field name {}", quoted(name))
        }
        RequestHeadError::FieldValue(name) => format!(
            "net/http: invalid header field value for {}",
            quoted(&loadline_wire::canonical_name(name))
        ),
    }
}

const NOT_TLS: &str = "tls: first record does not look like a TLS handshake";

fn decompression(reason: &str) -> String {
    format!("error decompressing response body ({reason})")
}
