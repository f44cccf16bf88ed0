//! The head of a response: its bytes, and the ranges of its parts.

use crate::fields::{ByteRange, FieldSpan, HeaderFields, slice};

/// HTTP/1.0 or HTTP/1.1; later minor versions of 1 count as 1.1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Version {
    /// HTTP/1.0: a connection is closed unless it is kept alive.
    Http10,
    /// HTTP/1.1: a connection stays open unless it is closed.
    #[default]
    Http11,
}

impl Version {
    /// The version as in a status line.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Http10 => "HTTP/1.0",
            Self::Http11 => "HTTP/1.1",
        }
    }
}

/// The head of a response, filled by [`crate::ResponseParser`]. Reuse it for further responses:
/// its buffers stay allocated.
///
/// Fields are ranges of one buffer; a lookup iterates over them.
#[derive(Debug, Clone, Default)]
pub struct ResponseHead {
    pub(super) bytes: Vec<u8>,
    pub(super) fields: Vec<FieldSpan>,
    pub(super) trailers: Vec<FieldSpan>,
    pub(super) status: u16,
    pub(super) version: Version,
    /// The text after the version and its blank: `200 OK`.
    pub(super) status_text: ByteRange,
}

impl ResponseHead {
    /// Clears the head but keeps the buffers.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.fields.clear();
        self.trailers.clear();
        self.status = 0;
        self.version = Version::default();
        self.status_text = ByteRange::default();
    }

    /// Copies `other` into the existing buffers.
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.bytes.clone_from(&other.bytes);
        self.fields.clone_from(&other.fields);
        self.trailers.clone_from(&other.trailers);
        self.status = other.status;
        self.version = other.version;
        self.status_text = other.status_text;
    }

    /// 100 to 999; 0 before a head was parsed.
    #[must_use]
    pub fn status(&self) -> u16 {
        self.status
    }

    /// The version the server answered with.
    #[must_use]
    pub fn version(&self) -> Version {
        self.version
    }

    /// Status and reason as received: `200 OK`, `200 `, `200`.
    #[must_use]
    pub fn status_text(&self) -> &[u8] {
        slice(&self.bytes, self.status_text)
    }

    /// The header fields.
    #[must_use]
    pub fn fields(&self) -> HeaderFields<'_> {
        HeaderFields::new(&self.bytes, &self.fields)
    }

    /// The fields after a chunked body; empty before its end.
    #[must_use]
    pub fn trailers(&self) -> HeaderFields<'_> {
        HeaderFields::new(&self.bytes, &self.trailers)
    }

    /// Fills the head of a response that did not come as HTTP/1.1 text (HTTP/2): the status, its
    /// text, and the fields in their order. Names must be tokens.
    pub fn assemble<'f>(
        &mut self,
        status: u16,
        status_text: &str,
        fields: impl Iterator<Item = (&'f str, &'f [u8])>,
    ) {
        self.clear();
        self.status = status;
        self.status_text = self.append(status_text.as_bytes());
        for (name, value) in fields {
            let span = FieldSpan {
                name: self.append(name.as_bytes()),
                value: self.append(value),
            };
            self.fields.push(span);
        }
    }

    fn append(&mut self, bytes: &[u8]) -> ByteRange {
        let start = offset(self.bytes.len());
        self.bytes.extend_from_slice(bytes);
        ByteRange::new(start, offset(self.bytes.len()))
    }
}

/// A position in a head as stored; heads are limited to less than 4 GiB.
pub(super) fn offset(position: usize) -> u32 {
    u32::try_from(position).expect("a head is shorter than 4 GiB")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_assembled_head_reads_like_a_parsed_one() {
        let mut head = ResponseHead::default();
        head.assemble(
            404,
            "404 Not Found",
            [("x-a", &b"1"[..]), ("X-A", b"2")].into_iter(),
        );

        assert_eq!(head.status(), 404);
        assert_eq!(head.status_text(), b"404 Not Found");
        assert_eq!(head.fields().get("X-a"), Some(&b"1"[..]));
        assert_eq!(head.fields().get_all("x-a").count(), 2);
        assert_eq!(head.fields().len(), 2);
    }

    #[test]
    fn fields_are_found_in_any_case_and_kept_in_order() {
        let mut head = ResponseHead::default();
        head.assemble(
            200,
            "200 OK",
            [("Vary", &b"a, B"[..]), ("Set-Cookie", b"x"), ("vary", b"c")].into_iter(),
        );
        let fields = head.fields();

        assert!(fields.has_token("VARY", "b") && fields.has_token("vary", "C"));
        assert!(!fields.has_token("vary", "x"));
        let names: Vec<_> = fields.iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["Vary", "Set-Cookie", "vary"]);
        assert!(fields.get("missing").is_none());
    }
}
