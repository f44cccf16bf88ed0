//! Node's names of errors.

use loadline_net::{Cause, ChainFault, Failure, SocketFailure};
use loadline_wire::ResponseError;

/// The code (or message) under which an error is counted.
pub(crate) fn code_of(failure: &Failure) -> String {
    let code = match failure.cause() {
        Cause::Timeout | Cause::DialTimeout { .. } => "ETIMEDOUT",
        Cause::Refused { .. } => "ECONNREFUSED",
        Cause::NoSuchHost { .. } => "ENOTFOUND",
        Cause::Lookup(_) => "EAI_AGAIN",
        Cause::Socket { kind, .. } => match kind {
            SocketFailure::BrokenPipe => "EPIPE",
            _ => "ECONNRESET",
        },
        Cause::Response(ResponseError::NoResponse | ResponseError::Truncated) => "ECONNRESET",
        Cause::Response(_) => "HPE_INVALID_CONSTANT",
        Cause::HeadTooLarge(_) => "HPE_HEADER_OVERFLOW",
        Cause::Dial { errno, .. } => match errno {
            101 => "ENETUNREACH",
            113 => "EHOSTUNREACH",
            99 => "EADDRNOTAVAIL",
            24 => "EMFILE",
            _ => "ECONNREFUSED",
        },
        Cause::UnknownAuthority(fault) => match fault {
            ChainFault::SelfSigned => "DEPTH_ZERO_SELF_SIGNED_CERT",
            ChainFault::SelfSignedAbove => "SELF_SIGNED_CERT_IN_CHAIN",
            ChainFault::Alone => "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
            ChainFault::Incomplete => "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
        },
        Cause::WrongHost(_) => "ERR_TLS_CERT_ALTNAME_INVALID",
        Cause::Certificate(_) => "CERT_HAS_EXPIRED",
        Cause::NotTls { .. } | Cause::Tls(_) | Cause::NonTcp(_) => "EPROTO",
        Cause::Decompression { .. } => "Z_DATA_ERROR",
        Cause::InvalidUrl(_) | Cause::Address(_) => "ERR_INVALID_URL",
        Cause::Request(_) => "ERR_INVALID_CHAR",
        _ => return failure.text(),
    };
    code.to_owned()
}

/// The same for a body that breaks off: a pause that is too long is the socket's.
pub(super) fn code_in_body(failure: &Failure) -> String {
    match failure.cause() {
        Cause::Timeout => "ERR_SOCKET_TIMEOUT".to_owned(),
        _ => code_of(failure),
    }
}
