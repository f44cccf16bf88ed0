//! Why an exchange failed: one table of k6's codes and texts.
//!
//! [`Failure::code`] and [`Failure::text`] are what a script reads as `error_code` and
//! `error` and what the tags of the same names hold; [`Failure::log`] is the longer text of
//! k6's warning. Codes 1702 and 1703 are ours: k6 has no such limits.
//!
//! The texts were read off k6 v1.8.1 talking to servers that misbehave.

use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr};

use loadline_wire::{RequestError, ResponseError};

/// What a socket was doing when it failed; k6 puts it before the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// Sending the request.
    Write,
    /// Receiving the response.
    Read,
}

impl Operation {
    const fn name(self) -> &'static str {
        match self {
            Self::Write => "write",
            Self::Read => "read",
        }
    }
}

/// Which frame told the end of an HTTP/2 exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Http2Scope {
    /// GOAWAY from the server.
    GoAway,
    /// RST_STREAM, by the server or by us.
    Stream {
        /// The stream's number.
        id: u32,
        /// It was the server.
        by_server: bool,
    },
    /// An error of the whole connection.
    Connection,
}

/// What went wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// 1000: anything without a code of its own; the text says it all.
    Other(String),
    /// 1000: the request cannot be put into words.
    Request(RequestError),
    /// 1000: the response breaks the rules of HTTP/1.1, or the connection ended too soon.
    Response(ResponseError),
    /// 1010: a network error outside TCP (TLS alerts).
    NonTcp(String),
    /// 1020: the URL cannot be read.
    InvalidUrl(String),
    /// 1050: the time-out of the request passed.
    Timeout,
    /// 1100: a name could not be looked up, for the reason given.
    Lookup(String),
    /// 1101: a name has no address.
    NoSuchHost {
        /// The name.
        host: String,
    },
    /// 1110: the address is in a forbidden range.
    BlacklistedIp {
        /// The address.
        ip: IpAddr,
        /// The range as written.
        range: String,
    },
    /// 1111: the name is forbidden.
    BlockedHost {
        /// The name.
        host: String,
        /// The pattern it matches.
        pattern: String,
    },
    /// 1200 to 1202, 1220: a connection that stood failed.
    Socket {
        /// What it was doing.
        operation: Operation,
        /// How it failed.
        kind: SocketFailure,
        /// Our side, where it is known.
        local: Option<SocketAddr>,
        /// The other side.
        remote: SocketAddr,
    },
    /// 1200: a network error with a text of its own.
    Tcp(String),
    /// 1210: the address is impossible.
    Address(String),
    /// 1211: connecting took longer than [`crate::Settings::dial_timeout`].
    DialTimeout {
        /// The other side.
        remote: SocketAddr,
    },
    /// 1212: nobody listens.
    Refused {
        /// The other side.
        remote: SocketAddr,
    },
    /// 1213: connecting failed in another way.
    Dial {
        /// The other side.
        remote: SocketAddr,
        /// The kernel's number; 0 when there is none.
        errno: i32,
        /// The kernel's text.
        text: String,
    },
    /// 1000: TLS failed, with the text k6 shows.
    Tls(String),
    /// 1000: the certificate is at fault in another way.
    Certificate(String),
    /// 1301: the server does not speak TLS.
    NotTls {
        /// It speaks HTTP instead.
        speaks_http: bool,
    },
    /// 1310: no known authority signed the certificate.
    UnknownAuthority,
    /// 1311: the certificate is for another host.
    WrongHost(String),
    /// 16xx: HTTP/2 ended the exchange, with its error code.
    Http2(Http2Scope, u32),
    /// 1701: the body is not what its Content-Encoding says.
    Decompression {
        /// What the decoder says.
        reason: String,
        /// Whether k6 shows its prefix twice for this one.
        doubled: bool,
    },
    /// 1702: the body, as sent or decoded, exceeds so many bytes.
    BodyTooLarge {
        /// The limit.
        limit: u64,
    },
    /// 1703: the head exceeds a limit.
    HeadTooLarge(String),
}

/// How a socket failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SocketFailure {
    /// The other side reset the connection (1220).
    Reset,
    /// The other side had closed the connection (1201).
    BrokenPipe,
    /// Anything else the kernel has a number for (1202).
    Errno {
        /// The number.
        errno: i32,
        /// Its text.
        text: String,
    },
    /// What has no number (1200).
    Unnamed(String),
}

impl SocketFailure {
    /// What an I/O error amounts to.
    #[must_use]
    pub fn of(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::ConnectionReset => Self::Reset,
            io::ErrorKind::BrokenPipe => Self::BrokenPipe,
            _ => match error.raw_os_error() {
                Some(errno) => Self::Errno {
                    errno,
                    text: os_text(error),
                },
                None => Self::Unnamed(error.to_string()),
            },
        }
    }
}

/// Why an exchange has no complete response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    cause: Box<Cause>,
    in_body: bool,
}

impl Failure {
    /// A failure before the end of the response's head.
    #[must_use]
    pub fn new(cause: Cause) -> Self {
        Self {
            cause: Box::new(cause),
            in_body: false,
        }
    }

    /// The same failure while the body was read or decoded: the head is at hand.
    #[must_use]
    pub fn in_body(mut self) -> Self {
        self.in_body = true;
        self
    }

    /// What went wrong.
    #[must_use]
    pub fn cause(&self) -> &Cause {
        &self.cause
    }

    /// Whether the head had been read. k6 names method and URL in its log only if not.
    #[must_use]
    pub fn is_in_body(&self) -> bool {
        self.in_body
    }

    /// k6's `error_code`.
    #[must_use]
    pub fn code(&self) -> u16 {
        match &*self.cause {
            Cause::Other(_)
            | Cause::Request(_)
            | Cause::Response(_)
            | Cause::Tls(_)
            | Cause::Certificate(_) => 1000,
            Cause::NonTcp(_) => 1010,
            Cause::InvalidUrl(_) => 1020,
            Cause::Timeout => 1050,
            Cause::Lookup(_) => 1100,
            Cause::NoSuchHost { .. } => 1101,
            Cause::BlacklistedIp { .. } => 1110,
            Cause::BlockedHost { .. } => 1111,
            Cause::Socket { kind, .. } => match kind {
                SocketFailure::Unnamed(_) => 1200,
                SocketFailure::BrokenPipe => 1201,
                SocketFailure::Errno { .. } => 1202,
                SocketFailure::Reset => 1220,
            },
            Cause::Tcp(_) => 1200,
            Cause::Address(_) => 1210,
            Cause::DialTimeout { .. } => 1211,
            Cause::Refused { .. } => 1212,
            Cause::Dial { .. } => 1213,
            Cause::NotTls { .. } => 1301,
            Cause::UnknownAuthority => 1310,
            Cause::WrongHost(_) => 1311,
            Cause::Http2(scope, code) => {
                let base = match scope {
                    Http2Scope::GoAway => 1610,
                    Http2Scope::Stream { .. } => 1630,
                    Http2Scope::Connection => 1650,
                };
                // Codes the RFC does not know share the base.
                u16::try_from(*code)
                    .ok()
                    .filter(|code| usize::from(*code) < HTTP2_CODES.len())
                    .map_or(base, |code| base + 1 + code)
            }
            Cause::Decompression { .. } => 1701,
            Cause::BodyTooLarge { .. } => 1702,
            Cause::HeadTooLarge(_) => 1703,
        }
    }

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
            Cause::UnknownAuthority => "x509: unknown authority".to_owned(),
            Cause::WrongHost(_) => "x509: certificate doesn't match hostname".to_owned(),
            Cause::Certificate(text) => format!("x509: {text}"),
            Cause::NotTls { .. } => NOT_TLS.to_owned(),
            Cause::Decompression {
                reason,
                doubled: true,
            } => decompression(&decompression(reason)),
            Cause::Http2(scope, code) => http2_text(*scope, &http2_code_name(*code)),
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
            Cause::UnknownAuthority => {
                "tls: failed to verify certificate: x509: certificate signed by unknown authority"
                    .to_owned()
            }
            Cause::WrongHost(text) | Cause::Certificate(text) => {
                format!("tls: failed to verify certificate: x509: {text}")
            }
            Cause::Http2(scope, code) => http2_detail(*scope, &http2_code_name(*code)),
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

impl From<Cause> for Failure {
    fn from(cause: Cause) -> Self {
        Self::new(cause)
    }
}

impl From<ResponseError> for Failure {
    fn from(error: ResponseError) -> Self {
        Self::new(match error {
            ResponseError::BodyTooLarge { limit } => Cause::BodyTooLarge { limit },
            ResponseError::HeadTooLarge { .. } | ResponseError::TooManyFields { .. } => {
                Cause::HeadTooLarge(error.to_string())
            }
            error => Cause::Response(error),
        })
    }
}

impl From<RequestError> for Failure {
    fn from(error: RequestError) -> Self {
        Self::new(Cause::Request(error))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.detail())
    }
}

impl std::error::Error for Failure {}

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

/// `Get` for `GET`: how Go names the operation that failed.
fn operation_name(method: &str) -> String {
    let mut chars = method.chars();
    match chars.next() {
        None => "Get".to_owned(),
        Some(first) => first.to_string() + &chars.as_str().to_ascii_lowercase(),
    }
}

fn request_text(error: &RequestError) -> String {
    use crate::url::quoted;
    match error {
        RequestError::Method(method) => format!("net/http: invalid method {}", quoted(method)),
        RequestError::Target(_) => {
            "net/http: can't write control character in Request.URL".to_owned()
        }
        RequestError::FieldName(name) => {
            format!("net/http: invalid header field name {}", quoted(name))
        }
        RequestError::FieldValue(name) => format!(
            "net/http: invalid header field value for {}",
            quoted(&loadline_wire::canonical_name(name))
        ),
    }
}

fn http2_text(scope: Http2Scope, code: &str) -> String {
    let what = match scope {
        Http2Scope::GoAway => "received GoAway",
        Http2Scope::Stream { .. } => "stream error",
        Http2Scope::Connection => "connection error",
    };
    format!("http2: {what} with http2 ErrCode {code}")
}

fn http2_detail(scope: Http2Scope, code: &str) -> String {
    match scope {
        Http2Scope::GoAway => {
            format!("http2: server sent GOAWAY and closed the connection; ErrCode={code}")
        }
        Http2Scope::Stream { id, by_server } => {
            let from = if by_server {
                "; received from peer"
            } else {
                ""
            };
            format!("stream error: stream ID {id}; {code}{from}")
        }
        Http2Scope::Connection => format!("connection error: {code}"),
    }
}

const NOT_TLS: &str = "tls: first record does not look like a TLS handshake";

fn decompression(reason: &str) -> String {
    format!("error decompressing response body ({reason})")
}

/// The kernel's text in lower case, without Rust's `(os error N)`.
pub(crate) fn os_text(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    text.to_lowercase()
}

/// Names of RFC 9113's error codes, by number.
const HTTP2_CODES: [&str; 14] = [
    "NO_ERROR",
    "PROTOCOL_ERROR",
    "INTERNAL_ERROR",
    "FLOW_CONTROL_ERROR",
    "SETTINGS_TIMEOUT",
    "STREAM_CLOSED",
    "FRAME_SIZE_ERROR",
    "REFUSED_STREAM",
    "CANCEL",
    "COMPRESSION_ERROR",
    "CONNECT_ERROR",
    "ENHANCE_YOUR_CALM",
    "INADEQUATE_SECURITY",
    "HTTP_1_1_REQUIRED",
];

fn http2_code_name(code: u32) -> String {
    usize::try_from(code)
        .ok()
        .and_then(|code| HTTP2_CODES.get(code))
        .map_or_else(
            || format!("unknown error code 0x{code:x}"),
            |name| (*name).to_owned(),
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn remote() -> SocketAddr {
        SocketAddr::from(([127, 0, 0, 1], 80))
    }

    fn socket(operation: Operation, kind: SocketFailure) -> Cause {
        Cause::Socket {
            operation,
            kind,
            local: Some(SocketAddr::from(([127, 0, 0, 1], 40000))),
            remote: remote(),
        }
    }

    #[expect(clippy::too_many_lines, reason = "one table")]
    /// Code, text and log of each cause; what k6 v1.8.1 shows where it has the cause.
    #[test]
    fn codes_and_texts_are_those_of_k6() {
        let response = |error| Failure::from(error);
        let table: Vec<(Failure, u16, &str, &str)> = vec![
            (
                response(ResponseError::NoResponse),
                1000,
                "EOF",
                "Get \"u\": EOF",
            ),
            (
                response(ResponseError::Truncated).in_body(),
                1000,
                "unexpected EOF",
                "unexpected EOF",
            ),
            (
                response(ResponseError::EmptyLength),
                1000,
                "invalid empty Content-Length \"\"",
                "Get \"u\": net/http: HTTP/1.x transport connection broken: \
                 invalid empty Content-Length \"\"",
            ),
            (
                RequestError::FieldValue("a".to_owned()).into(),
                1000,
                "net/http: invalid header field value for \"A\"",
                "Get \"u\": net/http: invalid header field value for \"A\"",
            ),
            (
                Cause::Timeout.into(),
                1050,
                "request timeout",
                "Get \"u\": request timeout",
            ),
            (
                Cause::NoSuchHost {
                    host: "h".to_owned(),
                }
                .into(),
                1101,
                "lookup: no such host",
                "Get \"u\": lookup h: no such host",
            ),
            (
                Cause::BlacklistedIp {
                    ip: [10, 9, 1, 1].into(),
                    range: "10.9.0.0/16".to_owned(),
                }
                .into(),
                1110,
                "ip is blacklisted",
                "Get \"u\": IP (10.9.1.1) is in a blacklisted range (10.9.0.0/16)",
            ),
            (
                Cause::BlockedHost {
                    host: "a.b.test".to_owned(),
                    pattern: "*.test".to_owned(),
                }
                .into(),
                1111,
                "hostname is blocked",
                "Get \"u\": hostname (a.b.test) is in a blocked pattern (*.test)",
            ),
            (
                socket(Operation::Read, SocketFailure::Reset).into(),
                1220,
                "read: connection reset by peer",
                "Get \"u\": read tcp 127.0.0.1:40000->127.0.0.1:80: read: connection reset by peer",
            ),
            (
                socket(Operation::Write, SocketFailure::BrokenPipe).into(),
                1201,
                "write: broken pipe",
                "Get \"u\": write tcp 127.0.0.1:40000->127.0.0.1:80: write: broken pipe",
            ),
            (
                Cause::Refused { remote: remote() }.into(),
                1212,
                "dial: connection refused",
                "Get \"u\": dial tcp 127.0.0.1:80: connect: connection refused",
            ),
            (
                Cause::NotTls { speaks_http: true }.into(),
                1301,
                "tls: first record does not look like a TLS handshake",
                "Get \"u\": http: server gave HTTP response to HTTPS client",
            ),
            (
                Cause::Certificate("is old".to_owned()).into(),
                1000,
                "x509: is old",
                "Get \"u\": tls: failed to verify certificate: x509: is old",
            ),
            (
                Cause::WrongHost("no".to_owned()).into(),
                1311,
                "x509: certificate doesn't match hostname",
                "Get \"u\": tls: failed to verify certificate: x509: no",
            ),
            (
                Cause::UnknownAuthority.into(),
                1310,
                "x509: unknown authority",
                "Get \"u\": tls: failed to verify certificate: \
                 x509: certificate signed by unknown authority",
            ),
            (
                Cause::Http2(
                    Http2Scope::Stream {
                        id: 5,
                        by_server: true,
                    },
                    7,
                )
                .into(),
                1638,
                "http2: stream error with http2 ErrCode REFUSED_STREAM",
                "Get \"u\": stream error: stream ID 5; REFUSED_STREAM; received from peer",
            ),
            (
                Cause::Http2(Http2Scope::Connection, 1).into(),
                1652,
                "http2: connection error with http2 ErrCode PROTOCOL_ERROR",
                "Get \"u\": connection error: PROTOCOL_ERROR",
            ),
            (
                Cause::Http2(Http2Scope::GoAway, 99).into(),
                1610,
                "http2: received GoAway with http2 ErrCode unknown error code 0x63",
                "Get \"u\": http2: server sent GOAWAY and closed the connection; \
                 ErrCode=unknown error code 0x63",
            ),
            (
                Failure::new(Cause::Decompression {
                    reason: "zlib: invalid header".to_owned(),
                    doubled: true,
                })
                .in_body(),
                1701,
                "error decompressing response body (error decompressing response body (zlib: invalid header))",
                "error decompressing response body (zlib: invalid header)",
            ),
            (
                response(ResponseError::BodyTooLarge { limit: 64 }),
                1702,
                "response body exceeds the limit of 64 bytes",
                "Get \"u\": response body exceeds the limit of 64 bytes",
            ),
            (
                response(ResponseError::HeadTooLarge { limit: 9 }),
                1703,
                "response headers exceeded 9 bytes",
                "Get \"u\": net/http: HTTP/1.x transport connection broken: \
                 response headers exceeded 9 bytes",
            ),
        ];
        for (failure, code, text, log) in table {
            assert_eq!(failure.code(), code, "{failure:?}");
            assert_eq!(failure.text(), text);
            assert_eq!(failure.log("GET", "u"), log);
        }
    }

    #[test]
    fn the_kernels_texts_are_shown_without_rusts_suffix() {
        let error = io::Error::from_raw_os_error(113);
        assert_eq!(os_text(&error), "no route to host");
        let kind = SocketFailure::of(&error);
        assert_eq!(Failure::new(socket(Operation::Read, kind)).code(), 1202);
    }
}
