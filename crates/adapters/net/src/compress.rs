//! Compressing a request's body, as k6's `compression` does.

use std::io::{self, Write};

use bytes::Bytes;

use crate::coding::Coding;
use crate::request::Request;

/// Whether `Content-Encoding` matches how the body was compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EncodingHeader {
    /// It names the codings used, or nothing was compressed.
    Rightly,
    /// The request had a `Content-Encoding` with other codings. It was kept, as k6 does with a
    /// warning.
    Otherwise,
}

/// Applies the codings to `bytes`, one after the other.
///
/// # Errors
/// The compressor's; only a lack of memory can cause one.
pub fn compress(codings: &[Coding], bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut coded = bytes.to_vec();
    for coding in codings {
        coded = compress_once(*coding, &coded)?;
    }
    Ok(coded)
}

fn compress_once(coding: Coding, bytes: &[u8]) -> io::Result<Vec<u8>> {
    // The levels are those of the Go libraries that k6 uses.
    let level = flate2::Compression::default();
    let out = Vec::with_capacity(bytes.len() / 2 + 64);
    match coding {
        Coding::Gzip => {
            let mut coder = flate2::write::GzEncoder::new(out, level);
            coder.write_all(bytes)?;
            coder.finish()
        }
        Coding::Deflate => {
            let mut coder = flate2::write::ZlibEncoder::new(out, level);
            coder.write_all(bytes)?;
            coder.finish()
        }
        Coding::Zstd => {
            let mut coder = zstd::stream::write::Encoder::new(out, 3)?;
            coder.include_checksum(true)?;
            coder.write_all(bytes)?;
            coder.finish()
        }
        Coding::Brotli => {
            const BROTLI_QUALITY: u32 = 6;
            const BROTLI_WINDOW_BITS: u32 = 22;
            let mut coder =
                brotli::CompressorWriter::new(out, 4096, BROTLI_QUALITY, BROTLI_WINDOW_BITS);
            coder.write_all(bytes)?;
            coder.flush()?;
            Ok(coder.into_inner())
        }
    }
}

/// Compresses the body of `request`, if it has one, and sets `Content-Encoding` unless the
/// request has one. `Content-Length` follows the new body.
///
/// # Errors
/// As [`compress`].
pub fn compress_body(request: &mut Request, codings: &[Coding]) -> io::Result<EncodingHeader> {
    let Some(body) = request.body() else {
        return Ok(EncodingHeader::Rightly);
    };
    if codings.is_empty() {
        return Ok(EncodingHeader::Rightly);
    }
    let coded = compress(codings, body)?;
    request.set_body(Some(Bytes::from(coded)));
    let names: Vec<&str> = codings.iter().map(|coding| coding.name()).collect();
    let names = names.join(", ");
    match request.field("Content-Encoding") {
        Some(own) if own == names => Ok(EncodingHeader::Rightly),
        Some(own) if !own.is_empty() => Ok(EncodingHeader::Otherwise),
        _ => {
            request.set_field("Content-Encoding", names);
            Ok(EncodingHeader::Rightly)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::decode;
    use crate::decode::in_turns;
    use crate::url::Url;

    fn post(body: Option<&'static [u8]>) -> Request {
        let mut post = Request::new("POST", Url::parse("http://h/").unwrap());
        post.set_body(body.map(Bytes::from_static));
        post
    }

    #[test]
    fn each_coding_and_a_list_of_them_decode_to_what_was_coded() {
        let text = b"what was said is said again ".repeat(500);
        let all = [Coding::Gzip, Coding::Deflate, Coding::Brotli, Coding::Zstd];
        let lists = all.iter().map(std::slice::from_ref).chain([&all[..]]);
        for codings in lists {
            for bytes in [&text[..], b""] {
                let mut body = compress(codings, bytes).unwrap();
                assert!(
                    bytes.is_empty() || body.len() < bytes.len() / 2,
                    "{codings:?}"
                );
                let names: Vec<_> = codings.iter().map(|c| c.name()).collect();
                let names = names.join(", ");
                let mut scratch = Vec::new();
                let decoding = decode(names.as_bytes(), &mut body, &mut scratch, u64::MAX);
                in_turns(decoding).0.unwrap();
                assert_eq!(body, bytes, "{codings:?}");
            }
        }
    }

    #[test]
    fn the_codings_are_announced() {
        let mut request = post(Some(b"hello"));
        let announced = compress_body(&mut request, &[Coding::Gzip, Coding::Brotli]).unwrap();
        assert_eq!(announced, EncodingHeader::Rightly);
        assert_eq!(request.field("content-encoding"), Some("gzip, br"));
        assert_ne!(&request.body().unwrap()[..], b"hello");
    }

    #[test]
    fn a_content_encoding_of_the_requests_own_is_kept() {
        for (own, expected) in [
            ("br", EncodingHeader::Otherwise),
            ("gzip", EncodingHeader::Rightly),
        ] {
            let mut request = post(Some(b"hello"));
            request.add_field("Content-Encoding", own);
            assert_eq!(
                compress_body(&mut request, &[Coding::Gzip]).unwrap(),
                expected
            );
            assert_eq!(request.field("Content-Encoding"), Some(own));
            assert_eq!(request.body().unwrap()[..2], [0x1f, 0x8b]);
        }
    }

    #[test]
    fn without_a_body_or_a_coding_nothing_changes() {
        for (body, codings) in [(None, &[Coding::Gzip][..]), (Some(&b"hello"[..]), &[])] {
            let mut request = post(body);
            compress_body(&mut request, codings).unwrap();
            assert_eq!(request.field("Content-Encoding"), None);
            assert_eq!(request.body().map(|b| &b[..]), body);
        }
    }
}
