//! Why an exchange failed, with k6's codes and texts.
//!
//! [`Failure::code`] and [`Failure::text`] are what a script reads as `error_code` and `error`,
//! and the values of the tags of the same names. [`Failure::log`] is the longer text of k6's
//! warning. Codes 1702 and 1703 are our own; k6 has no such limits.
//!
//! The texts were recorded from k6 with faulty servers.

mod http2;
mod texts;

use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr};

use loadline_wire::{RequestHeadError, ResponseError};

pub use http2::Http2Scope;
pub(crate) use http2::code_name as http2_code_name;

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

/// Why no known authority is found for a certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("certificate signed by unknown authority")]
pub enum ChainFault {
    /// It signed itself.
    SelfSigned,
    /// A certificate that came with it signed itself.
    SelfSignedAbove,
    /// Nothing came with it.
    Alone,
    /// What came with it does not lead to one.
    Incomplete,
}

/// What went wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// 1000: an error without a code of its own; the text says everything.
    Other(String),
    /// 1000: the request cannot be encoded.
    Request(RequestHeadError),
    /// 1000: the response violates HTTP/1.1, or the connection ended too soon.
    Response(ResponseError),
    /// 1010: a network error outside TCP (TLS alerts).
    NonTcp(String),
    /// 1020: the URL is malformed.
    InvalidUrl(String),
    /// 1050: the request timed out.
    Timeout,
    /// 1100: the look-up of a name failed, for this reason.
    Lookup(String),
    /// 1101: a name has no address.
    NoSuchHost {
        /// The name.
        host: String,
    },
    /// 1110: the address is in a blocked range.
    BlacklistedIp {
        /// The address.
        ip: IpAddr,
        /// The range as written.
        range: String,
    },
    /// 1111: the name is blocked.
    BlockedHost {
        /// The name.
        host: String,
        /// The pattern it matches.
        pattern: String,
    },
    /// 1200 to 1202, 1220: an established connection failed.
    Socket {
        /// What it was doing.
        operation: Operation,
        /// How it failed.
        kind: SocketFailure,
        /// Our address, if it is known.
        local: Option<SocketAddr>,
        /// The peer's address.
        remote: SocketAddr,
    },
    /// 1200: a network error with a text of its own.
    Tcp(String),
    /// 1210: the address is invalid.
    Address(String),
    /// 1211: connecting took longer than [`crate::NetworkSettings::dial_timeout`].
    DialTimeout {
        /// The other side.
        remote: SocketAddr,
    },
    /// 1212: connection refused.
    Refused {
        /// The other side.
        remote: SocketAddr,
    },
    /// 1213: connecting failed in another way.
    Dial {
        /// The other side.
        remote: SocketAddr,
        /// The system's error number; 0 if there is none.
        errno: i32,
        /// The system's text.
        text: String,
    },
    /// 1000: TLS failed, with the text k6 shows.
    Tls(String),
    /// 1000: another error with the certificate.
    Certificate(String),
    /// 1301: the server does not speak TLS.
    NotTls {
        /// It speaks HTTP instead.
        speaks_http: bool,
    },
    /// 1310: the certificate is not signed by a known authority.
    UnknownAuthority(ChainFault),
    /// 1311: the certificate is for another host.
    WrongHost(String),
    /// 16xx: an HTTP/2 error ended the exchange, with its error code.
    Http2(Http2Scope, u32),
    /// 1701: the body does not match its Content-Encoding.
    Decompression {
        /// The decoder's error.
        reason: String,
        /// Whether k6 shows its prefix twice for this one.
        doubled: bool,
    },
    /// 1702: the body, as sent or decoded, exceeds the limit.
    BodyTooLarge {
        /// The limit in bytes.
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
    /// The peer had closed the connection (1201).
    BrokenPipe,
    /// Any other error with a number (1202).
    Errno {
        /// The number.
        errno: i32,
        /// Its text.
        text: String,
    },
    /// An error without a number (1200).
    Unnamed(String),
}

impl SocketFailure {
    /// Classifies an I/O error.
    #[must_use]
    pub fn from_error(error: &io::Error) -> Self {
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

    /// The same failure, marked as one in the body: the head is complete.
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

    /// Whether the head was complete. k6 logs method and URL only if it was not.
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
            Cause::UnknownAuthority(_) => 1310,
            Cause::WrongHost(_) => 1311,
            Cause::Http2(scope, code) => {
                let base = match scope {
                    Http2Scope::GoAway => 1610,
                    Http2Scope::Stream { .. } => 1630,
                    Http2Scope::Connection => 1650,
                };
                // Codes that the RFC does not define share the base.
                u16::try_from(*code)
                    .ok()
                    .filter(|code| usize::from(*code) < http2::CODES.len())
                    .map_or(base, |code| base + 1 + code)
            }
            Cause::Decompression { .. } => 1701,
            Cause::BodyTooLarge { .. } => 1702,
            Cause::HeadTooLarge(_) => 1703,
        }
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

impl From<RequestHeadError> for Failure {
    fn from(error: RequestHeadError) -> Self {
        Self::new(Cause::Request(error))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.detail())
    }
}

impl std::error::Error for Failure {}

/// The system's text in lower case, without Rust's `(os error N)`.
pub(crate) fn os_text(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    text.to_lowercase()
}

#[cfg(test)]
mod tests;
