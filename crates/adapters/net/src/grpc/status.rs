//! The status of calls: codes and texts.

use http::HeaderMap;
use loadline_units::printable::quoted;

use super::channel::GrpcConnectError;
use crate::failure::{Cause, Failure, Http2Scope, http2_code_name};
use crate::shortage::Shortage;

/// The status of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrpcStatus {
    /// 0 on success.
    pub code: u32,
    /// The reason of the failure.
    pub message: String,
    /// The serialised `google.rpc.Status`, if the server sent details.
    pub details: Option<Vec<u8>>,
    /// The resource that the generator lacked, if that was the reason.
    pub shortage: Option<Shortage>,
}

impl GrpcStatus {
    /// `OK`
    pub const OK: u32 = 0;
    /// `CANCELLED`
    pub const CANCELED: u32 = 1;
    /// `UNKNOWN`
    pub const UNKNOWN: u32 = 2;
    /// `DEADLINE_EXCEEDED`
    pub const DEADLINE_EXCEEDED: u32 = 4;
    /// `PERMISSION_DENIED`
    pub const PERMISSION_DENIED: u32 = 7;
    /// `RESOURCE_EXHAUSTED`
    pub const RESOURCE_EXHAUSTED: u32 = 8;
    /// `UNIMPLEMENTED`
    pub const UNIMPLEMENTED: u32 = 12;
    /// `INTERNAL`
    pub const INTERNAL: u32 = 13;
    /// `UNAVAILABLE`
    pub const UNAVAILABLE: u32 = 14;
    /// `UNAUTHENTICATED`
    pub const UNAUTHENTICATED: u32 = 16;

    /// A status made here.
    #[must_use]
    pub fn new(code: u32, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            details: None,
            shortage: None,
        }
    }

    /// An internal error.
    #[must_use]
    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(Self::INTERNAL, message)
    }

    /// The deadline passed.
    #[must_use]
    pub fn late() -> Self {
        Self::new(Self::DEADLINE_EXCEEDED, "context deadline exceeded")
    }

    /// There is no connection.
    pub(super) fn unreached(why: GrpcConnectError) -> Self {
        Self {
            shortage: why.shortage,
            ..Self::new(Self::UNAVAILABLE, why.text)
        }
    }

    /// Whether the call succeeded.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.code == Self::OK
    }

    /// The code's name, as Go has it.
    #[must_use]
    pub fn code_name(code: u32) -> String {
        const NAMES: [&str; 17] = [
            "OK",
            "Canceled",
            "Unknown",
            "InvalidArgument",
            "DeadlineExceeded",
            "NotFound",
            "AlreadyExists",
            "PermissionDenied",
            "ResourceExhausted",
            "FailedPrecondition",
            "Aborted",
            "OutOfRange",
            "Unimplemented",
            "Internal",
            "Unavailable",
            "DataLoss",
            "Unauthenticated",
        ];
        let name = usize::try_from(code)
            .ok()
            .and_then(|code| NAMES.get(code).copied());
        name.map_or_else(|| format!("Code({code})"), str::to_owned)
    }

    /// The text of an error with this status.
    #[must_use]
    pub fn text(&self) -> String {
        let name = Self::code_name(self.code);
        format!("rpc error: code = {name} desc = {}", self.message)
    }

    /// The status of a call whose stream or connection failed.
    pub(super) fn of_cause(cause: Cause) -> Self {
        match cause {
            Cause::Http2(
                Http2Scope::Stream {
                    by_server: true, ..
                },
                code,
            ) => {
                let name = http2_code_name(code);
                let text = format!("stream terminated by RST_STREAM with error code: {name}");
                Self::new(code_of_reset(code), text)
            }
            Cause::Http2(Http2Scope::GoAway, code) => {
                let name = http2_code_name(code);
                Self::new(
                    Self::UNAVAILABLE,
                    format!(
                        "closing transport due to: connection error: desc = \"error reading from server: EOF\", received prior goaway: code: {name}"
                    ),
                )
            }
            Cause::Http2(Http2Scope::Stream { .. }, _) => {
                let text = Failure::new(cause).detail();
                Self::internal(text)
            }
            cause => {
                let text = match Failure::new(cause).detail() {
                    eof if eof == "unexpected EOF" => "EOF".to_owned(),
                    other => other,
                };
                Self::new(
                    Self::UNAVAILABLE,
                    format!("error reading from server: {text}"),
                )
            }
        }
    }
}

/// The gRPC code for a stream that was reset with this HTTP/2 error.
fn code_of_reset(code: u32) -> u32 {
    match code {
        0..=2 | 4..=6 | 9 | 10 | 13 => GrpcStatus::INTERNAL,
        3 | 11 => GrpcStatus::RESOURCE_EXHAUSTED,
        7 => GrpcStatus::UNAVAILABLE,
        8 => GrpcStatus::CANCELED,
        12 => GrpcStatus::PERMISSION_DENIED,
        _ => GrpcStatus::UNKNOWN,
    }
}

/// The gRPC code for an answer that is not gRPC, by its HTTP status.
fn code_of_http(status: u16) -> u32 {
    match status {
        400 => GrpcStatus::INTERNAL,
        401 => GrpcStatus::UNAUTHENTICATED,
        403 => GrpcStatus::PERMISSION_DENIED,
        404 => GrpcStatus::UNIMPLEMENTED,
        429 | 502..=504 => GrpcStatus::UNAVAILABLE,
        _ => GrpcStatus::UNKNOWN,
    }
}

/// The status for an answer whose head is not gRPC's.
pub(super) fn not_grpc(status: http::StatusCode, fields: &HeaderMap) -> Option<GrpcStatus> {
    let kind = fields.get(http::header::CONTENT_TYPE);
    let wrong = match kind {
        None => "malformed header: missing HTTP content-type".to_owned(),
        Some(kind) => {
            let kind = String::from_utf8_lossy(kind.as_bytes());
            let rest = kind.strip_prefix("application/grpc");
            if rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['+', ';'])) {
                return None;
            }
            format!(
                "transport: received unexpected content-type {}",
                quoted(kind.as_bytes())
            )
        }
    };
    let words = crate::http2::reason(status);
    let status = status.as_u16();
    let text =
        format!("unexpected HTTP status code received from server: {status} ({words}); {wrong}");
    Some(GrpcStatus::new(code_of_http(status), text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_of_http2_have_codes() {
        let reset = |code| {
            let id = 1;
            let by_server = true;
            GrpcStatus::of_cause(Cause::Http2(Http2Scope::Stream { id, by_server }, code))
        };
        assert_eq!(
            reset(8),
            GrpcStatus::new(1, "stream terminated by RST_STREAM with error code: CANCEL")
        );
        assert_eq!(reset(7).code, 14);
        assert_eq!(reset(14).code, 2);
        assert_eq!(
            GrpcStatus::of_cause(Cause::Other("unexpected EOF".to_owned())).text(),
            "rpc error: code = Unavailable desc = error reading from server: EOF"
        );
        assert_eq!(GrpcStatus::code_name(40), "Code(40)");
    }
}
