//! Why a response cannot be parsed.
//!
//! The messages are k6's for the same bytes, if it has one.

use std::fmt;

use loadline_units::printable;

/// A response that violates HTTP/1.1, or exceeds one of our limits.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ResponseError {
    /// The first line is not a status line.
    #[error("malformed HTTP response {0}")]
    StatusLine(QuotedBytes),
    /// The status line names a version other than HTTP/1.x.
    #[error("malformed HTTP version {0}")]
    Version(QuotedBytes),
    /// The status is not three digits, or is below 100.
    #[error("malformed HTTP status code {0}")]
    StatusCode(QuotedBytes),
    /// A header line without a colon.
    #[error("malformed MIME header: missing colon: {0}")]
    MissingColon(QuotedBytes),
    /// The first header line begins with a blank, so it continues no other.
    #[error("malformed MIME header initial line: {0}")]
    InitialLine(QuotedBytes),
    /// A header line's name is not a token, or its value contains a control character. A blank
    /// before the colon counts, too: parsers disagree about such a line.
    #[error("malformed MIME header line: {0}")]
    FieldLine(QuotedBytes),
    /// The head (with interim heads and trailers) is larger than allowed.
    #[error("response headers exceeded {limit} bytes")]
    HeadTooLarge {
        /// The limit.
        limit: usize,
    },
    /// There are more header fields than allowed.
    #[error("response has more than {limit} header fields")]
    TooManyFields {
        /// The limit.
        limit: usize,
    },
    /// More than [`INTERIM_RESPONSES_MAX`](crate::INTERIM_RESPONSES_MAX) interim responses came
    /// before the final one.
    #[error("too many 1xx informational responses")]
    TooManyInterim,
    /// `Content-Length` came more than once, with different values.
    #[error("http: message cannot contain multiple Content-Length headers; got [{first} {second}]")]
    ConflictingLengths {
        /// The value that came first.
        first: QuotedBytes,
        /// The one that differs.
        second: QuotedBytes,
    },
    /// `Content-Length` has no value.
    #[error("invalid empty Content-Length \"\"")]
    EmptyLength,
    /// `Content-Length` is not a decimal number.
    #[error("bad Content-Length {0}")]
    Length(QuotedBytes),
    /// `Transfer-Encoding` is something other than `chunked`.
    #[error("unsupported transfer encoding: {0}")]
    TransferEncoding(QuotedBytes),
    /// `Transfer-Encoding` came more than once.
    #[error("too many transfer encodings: [{first} {second}]")]
    TransferEncodings {
        /// The value that came first.
        first: QuotedBytes,
        /// The one after it.
        second: QuotedBytes,
    },
    /// A chunk's size line has no digits.
    #[error("empty hex number for chunk length")]
    ChunkSizeEmpty,
    /// A chunk's size contains a character that is not a hexadecimal digit.
    #[error("invalid byte in chunk length")]
    ChunkSizeByte,
    /// A chunk's size has more than 16 digits.
    #[error("http chunk length too large")]
    ChunkSizeTooLarge,
    /// A chunk's size line ends with a line feed alone.
    #[error("chunked line ends with bare LF")]
    ChunkBareLineFeed,
    /// A chunk's size line, or all chunk lines together, are mostly extensions.
    #[error("chunked encoding contains too much non-data")]
    ChunkOverhead,
    /// A chunk's data is not followed by an empty line.
    #[error("malformed chunked encoding")]
    ChunkEnd,
    /// The body is larger than allowed.
    #[error("response body exceeds {limit} bytes")]
    BodyTooLarge {
        /// The limit.
        limit: u64,
    },
    /// The connection ended before the first byte of a response.
    #[error("EOF")]
    NoResponse,
    /// The connection ended within a response.
    #[error("unexpected EOF")]
    Truncated,
}

/// Bytes from the network, shown in double quotes with unprintable bytes escaped, and cut off
/// after [`QuotedBytes::QUOTED_BYTES_MAX`] bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuotedBytes(Box<[u8]>);

impl QuotedBytes {
    /// How many bytes are kept.
    pub const QUOTED_BYTES_MAX: usize = 1024;

    pub(crate) fn new(bytes: &[u8]) -> Self {
        Self(bytes[..bytes.len().min(Self::QUOTED_BYTES_MAX)].into())
    }
}

impl fmt::Display for QuotedBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&printable::quoted(&self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_bytes_are_printable_and_bounded() {
        let shown = |bytes: &[u8]| QuotedBytes::new(bytes).to_string();
        assert_eq!(shown(b"a\"\\\r\x01\xff"), r#""a\"\\\r\x01\xff""#);
        assert_eq!(shown("é\u{85}".as_bytes()), "\"é\\u0085\"");
        assert_eq!(
            shown(&[b'a'; 5000]).len(),
            QuotedBytes::QUOTED_BYTES_MAX + 2
        );
    }
}
