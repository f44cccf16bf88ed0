//! The texts of HTTP/2 errors, and the names of their codes.

/// k6's `error`.
pub(super) fn text(scope: Http2Scope, code: u32) -> String {
    let code = code_name(code);
    let what = match scope {
        Http2Scope::GoAway => "received GoAway",
        Http2Scope::Stream { .. } => "stream error",
        Http2Scope::Connection => "connection error",
    };
    format!("http2: {what} with http2 ErrCode {code}")
}

/// The longer text.
pub(super) fn detail(scope: Http2Scope, code: u32) -> String {
    let code = code_name(code);
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

/// Names of RFC 9113's error codes, by number.
pub(super) const CODES: [&str; 14] = [
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

/// A code as Go names it.
pub(crate) fn code_name(code: u32) -> String {
    usize::try_from(code)
        .ok()
        .and_then(|code| CODES.get(code))
        .map_or_else(
            || format!("unknown error code 0x{code:x}"),
            |name| (*name).to_owned(),
        )
}

/// How an HTTP/2 exchange was ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Http2Scope {
    /// GOAWAY from the server.
    GoAway,
    /// RST_STREAM, by the server or by us.
    Stream {
        /// The stream's number.
        id: u32,
        /// Whether the server sent it.
        by_server: bool,
    },
    /// An error of the whole connection.
    Connection,
}
