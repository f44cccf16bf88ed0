//! Form bodies: `application/x-www-form-urlencoded` and `multipart/form-data`.
//!
//! Keys of a URL-encoded form are sorted and blanks become `+`, as with Go's `url.Values.Encode`.
//! The caller provides a multipart body's boundary, because it is random.

use crate::url::{escape_form, quoted};

/// `application/x-www-form-urlencoded`
pub const URL_ENCODED: &str = "application/x-www-form-urlencoded";

/// Encodes keys and values; equal keys keep their order.
#[must_use]
pub fn url_encoded(pairs: &[(&str, &[u8])]) -> String {
    let mut sorted: Vec<_> = pairs.iter().collect();
    sorted.sort_by_key(|(key, _)| *key);
    let mut out = String::new();
    for (key, value) in sorted {
        if !out.is_empty() {
            out.push('&');
        }
        escape_form(&mut out, key.as_bytes());
        out.push('=');
        escape_form(&mut out, value);
    }
    out
}

/// A boundary as Go's `mime/multipart` makes them: 60 hexadecimal digits.
#[must_use]
pub fn boundary(random: [u8; 30]) -> String {
    use std::fmt::Write;
    let mut out = String::with_capacity(60);
    for byte in random {
        write!(out, "{byte:02x}").expect("a String takes all");
    }
    out
}

/// A file within a multipart form.
#[derive(Debug, Clone, Copy)]
pub struct FilePart<'a> {
    /// The file name sent to the server.
    pub filename: &'a str,
    /// Its media type.
    pub content_type: &'a str,
}

/// Writes a multipart body part by part.
#[derive(Debug)]
pub struct Multipart<'b> {
    boundary: &'b str,
    out: Vec<u8>,
}

impl<'b> Multipart<'b> {
    /// A body whose parts are separated by `boundary`, which must not occur in them.
    #[must_use]
    pub fn new(boundary: &'b str) -> Self {
        Self {
            boundary,
            out: Vec::new(),
        }
    }

    /// Adds a value with a media type of its own, without a file name.
    pub fn typed_part(&mut self, name: &str, content_type: &str, bytes: &[u8]) {
        let mut head = format!(
            "--{}\r\nContent-Disposition: form-data; name=\"",
            self.boundary
        );
        push_quoted(&mut head, name);
        head.push_str("\"\r\nContent-Type: ");
        head.extend(content_type.chars().filter(|c| !c.is_control()));
        head.push_str("\r\n\r\n");
        self.out.extend_from_slice(head.as_bytes());
        self.out.extend_from_slice(bytes);
        self.out.extend_from_slice(b"\r\n");
    }

    /// Adds a value, or a file's bytes.
    pub fn part(&mut self, name: &str, file: Option<FilePart<'_>>, bytes: &[u8]) {
        let mut head = format!(
            "--{}\r\nContent-Disposition: form-data; name=\"",
            self.boundary
        );
        push_quoted(&mut head, name);
        head.push('"');
        if let Some(file) = file {
            head.push_str("; filename=\"");
            push_quoted(&mut head, file.filename);
            head.push_str("\"\r\nContent-Type: ");
            // A line break would allow the type to inject headers.
            head.extend(file.content_type.chars().filter(|c| !c.is_control()));
        }
        head.push_str("\r\n\r\n");
        self.out.extend_from_slice(head.as_bytes());
        self.out.extend_from_slice(bytes);
        self.out.extend_from_slice(b"\r\n");
    }

    /// The body.
    #[must_use]
    pub fn finish(mut self) -> Vec<u8> {
        let end = format!("--{}--\r\n", self.boundary);
        self.out.extend_from_slice(end.as_bytes());
        self.out
    }

    /// The value of `Content-Type` for the body.
    #[must_use]
    pub fn content_type(&self) -> String {
        let plain = self
            .boundary
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"'+_-.".contains(&b));
        if plain {
            format!("multipart/form-data; boundary={}", self.boundary)
        } else {
            format!("multipart/form-data; boundary={}", quoted(self.boundary))
        }
    }
}

/// A name in a Content-Disposition: backslash, quote and line breaks are escaped, as in Go.
fn push_quoted(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '"' => out.push_str("\\\""),
            '\r' => out.push_str("%0D"),
            '\n' => out.push_str("%0A"),
            c => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn url_encoded_forms_are_sorted_and_escaped() {
        let pairs: [(&str, &[u8]); 5] = [
            ("b", b"2 3"),
            ("a", b"x&y=z+"),
            ("b", b"1"),
            ("\u{e9}", b"~-_.*"),
            ("empty", b""),
        ];
        assert_eq!(
            url_encoded(&pairs),
            "a=x%26y%3Dz%2B&b=2+3&b=1&empty=&%C3%A9=~-_.%2A"
        );
    }

    #[test]
    fn a_boundary_is_sixty_digits() {
        assert_eq!(boundary([0x0a; 30]), "0a".repeat(30));
    }

    #[test]
    fn multipart_bodies_hold_values_and_files() {
        let mut form = Multipart::new("XyZ");
        assert_eq!(form.content_type(), "multipart/form-data; boundary=XyZ");
        form.part("a\"\r\n", None, b"1");
        let file = FilePart {
            filename: "f.txt",
            content_type: "text/plain\r\nEvil: 1",
        };
        form.part("file", Some(file), b"\0\xff");

        assert_eq!(
            form.finish(),
            b"--XyZ\r\nContent-Disposition: form-data; name=\"a\\\"%0D%0A\"\r\n\r\n1\r\n\
              --XyZ\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f.txt\"\r\n\
              Content-Type: text/plainEvil: 1\r\n\r\n\0\xff\r\n--XyZ--\r\n"
        );
    }
}
