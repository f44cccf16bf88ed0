//! Writes the head of a request.
//!
//! The writer appends to the caller's buffer. A request that is sent again is written once, and
//! writing another one allocates nothing once the buffer has grown. Anything that would end a
//! line early is an error. The caller chooses the fields and their order.

use std::io::Write;

use crate::canonical::push_canonical_name;
use crate::syntax::{is_field_value, is_token};

/// Why a request cannot be written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RequestHeadError {
    /// The method is not a token.
    #[error("invalid method {0:?}")]
    Method(String),
    /// The request target contains a control character.
    #[error("control character in request target {0:?}")]
    Target(String),
    /// A field's name is not a token.
    #[error("invalid header field name {0:?}")]
    FieldName(String),
    /// The value of this field contains a control character.
    #[error("invalid header field value for {0:?}")]
    FieldValue(String),
}

/// Appends one request head to a buffer.
#[derive(Debug)]
pub struct RequestWriter<'b> {
    out: &'b mut Vec<u8>,
}

impl<'b> RequestWriter<'b> {
    /// Writes the request line `METHOD target HTTP/1.1`.
    ///
    /// # Errors
    /// [`RequestHeadError::Method`] and [`RequestHeadError::Target`]; then nothing is written.
    pub fn begin(
        out: &'b mut Vec<u8>,
        method: &str,
        target: &str,
    ) -> Result<Self, RequestHeadError> {
        if !is_token(method.as_bytes()) {
            return Err(RequestHeadError::Method(method.to_owned()));
        }
        if target.is_empty() || target.bytes().any(|b| b < 0x20 || b == 0x7f) {
            return Err(RequestHeadError::Target(target.to_owned()));
        }
        out.extend_from_slice(method.as_bytes());
        out.push(b' ');
        out.extend_from_slice(target.as_bytes());
        out.extend_from_slice(b" HTTP/1.1\r\n");
        Ok(Self { out })
    }

    /// Writes `Name: value`: the name in its canonical spelling, the value without blanks at its
    /// ends.
    ///
    /// # Errors
    /// [`RequestHeadError::FieldName`] and [`RequestHeadError::FieldValue`]; then the field is
    /// not written.
    pub fn field(&mut self, name: &str, value: &str) -> Result<(), RequestHeadError> {
        if !is_token(name.as_bytes()) {
            return Err(RequestHeadError::FieldName(name.to_owned()));
        }
        if !is_field_value(value.as_bytes()) {
            return Err(RequestHeadError::FieldValue(name.to_owned()));
        }
        push_canonical_name(self.out, name);
        self.out.extend_from_slice(b": ");
        self.out
            .extend_from_slice(value.trim_matches([' ', '\t']).as_bytes());
        self.out.extend_from_slice(b"\r\n");
        Ok(())
    }

    /// Writes the length of the body that follows the head.
    pub fn content_length(&mut self, length: usize) {
        write!(self.out, "Content-Length: {length}\r\n").expect("writing to a Vec cannot fail");
    }

    /// Ends the head.
    pub fn finish(self) {
        self.out.extend_from_slice(b"\r\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(
        method: &str,
        target: &str,
        fields: &[(&str, &str)],
    ) -> Result<String, RequestHeadError> {
        let mut out = Vec::new();
        let mut writer = RequestWriter::begin(&mut out, method, target)?;
        for (name, value) in fields {
            writer.field(name, value)?;
        }
        writer.content_length(3);
        writer.finish();
        Ok(String::from_utf8(out).unwrap())
    }

    #[test]
    fn a_head_is_a_line_fields_and_a_blank_line() {
        let head = written(
            "POST",
            "/a?b=1",
            &[("host", "example.test"), ("x-a", " v\t")],
        );

        assert_eq!(
            head.unwrap(),
            "POST /a?b=1 HTTP/1.1\r\nHost: example.test\r\nX-A: v\r\nContent-Length: 3\r\n\r\n"
        );
    }

    /// Guards against a header value that smuggles a second request.
    #[test]
    fn nothing_that_ends_a_line_is_written() {
        let line = "x\r\nEvil: 1";
        assert_eq!(
            written("GET", line, &[]),
            Err(RequestHeadError::Target(line.to_owned()))
        );
        assert_eq!(
            written("GE T", "/", &[]),
            Err(RequestHeadError::Method("GE T".to_owned()))
        );
        assert_eq!(
            written("GET", "/", &[("a b", "v")]),
            Err(RequestHeadError::FieldName("a b".to_owned()))
        );
        assert_eq!(
            written("GET", "/", &[("A", line)]),
            Err(RequestHeadError::FieldValue("A".to_owned()))
        );
    }

    #[test]
    fn a_buffer_that_was_used_before_is_not_grown_again() {
        let mut out = Vec::with_capacity(256);
        let before = out.as_ptr();
        for _ in 0..3 {
            out.clear();
            let mut writer = RequestWriter::begin(&mut out, "GET", "/").unwrap();
            writer.field("Host", "h").unwrap();
            writer.content_length(usize::MAX);
            writer.finish();
        }
        assert_eq!(out.as_ptr(), before);
    }
}
