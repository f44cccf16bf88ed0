//! The records of a peer during a TLS handshake.

use crate::failure::Cause;

/// Where the records of the peer begin and end: enough to tell a peer that does not speak
/// TLS, and an end in the middle of a record.
#[derive(Debug, Default)]
pub(super) struct Records {
    first: [u8; 5],
    header: [u8; 5],
    in_header: usize,
    left: usize,
    seen: u64,
}

impl Records {
    pub(super) fn saw(&mut self, mut bytes: &[u8]) {
        while let Some((&byte, rest)) = bytes.split_first() {
            if self.left > 0 {
                let skipped = self.left.min(bytes.len());
                self.left -= skipped;
                self.seen += skipped as u64;
                bytes = &bytes[skipped..];
                continue;
            }
            self.header[self.in_header] = byte;
            if self.seen < 5 {
                self.first[self.in_header] = byte;
            }
            self.in_header += 1;
            self.seen += 1;
            bytes = rest;
            if self.in_header == self.header.len() {
                self.in_header = 0;
                self.left = usize::from(u16::from_be_bytes([self.header[3], self.header[4]]));
            }
        }
    }

    /// Go's test: the first record must be an alert or a handshake message of a version
    /// that may exist.
    pub(super) fn not_tls(&self) -> Option<Cause> {
        let may_be = matches!(self.first[0], 21 | 22) && self.first[1] < 0x10;
        (self.seen >= 5 && !may_be).then_some(Cause::NotTls {
            speaks_http: self.first == *b"HTTP/",
        })
    }

    pub(super) fn ended(&self) -> Cause {
        let at_record = self.in_header == 0 && self.left == 0;
        Cause::Tls(if at_record { "EOF" } else { "unexpected EOF" }.to_owned())
    }
}
