//! Bodies of every size, encoding and framing.

use std::convert::Infallible;
use std::io::{self, Write};
use std::time::Duration;

use bytes::{BufMut, Bytes, BytesMut};
use flate2::{Compress, Compression, Crc, FlushCompress};
use futures_util::stream;
use http_body_util::{BodyExt, StreamBody};
use hyper::body::Frame;
use hyper::header::{CONTENT_ENCODING, CONTENT_LENGTH, HeaderMap, HeaderValue};
use serde_json::json;

use super::reply::{self, Reply};
use super::state::{Defect, State};

/// `/gzip`, `/deflate`, `/br`, `/zstd`, `/encoded/A,B`: JSON in that encoding; `/gzip-bad` claims it and lies.
pub(super) fn encoded(parts: &[&str], state: &State) -> Reply {
    let (list, bad) = match parts[0] {
        "encoded" => (
            parts.get(1).copied().unwrap_or("gzip").replace("%2C", ","),
            false,
        ),
        "gzip-bad" => ("gzip".to_owned(), true),
        one => (one.to_owned(), false),
    };
    let mut body = json!({ "encoding": list, "ok": true, "text": "loadline ".repeat(40) })
        .to_string()
        .into_bytes();
    if state.defect == Some(Defect::ShortBody) {
        body.pop();
    }
    if !bad {
        for encoding in list.split(',').map(str::trim) {
            body = match compress(encoding, &body) {
                Ok(body) => body,
                Err(error) => return reply::text(500, error.to_string()),
            };
        }
    }
    let mut reply = reply::bytes(200, "application/json", body);
    if let Ok(value) = list.replace(',', ", ").parse() {
        reply.headers_mut().insert(CONTENT_ENCODING, value);
    }
    reply
}

fn compress(encoding: &str, body: &[u8]) -> io::Result<Vec<u8>> {
    match encoding {
        "gzip" => {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), Compression::default());
            encoder.write_all(body)?;
            encoder.finish()
        }
        "deflate" => {
            let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), Compression::default());
            encoder.write_all(body)?;
            encoder.finish()
        }
        "br" => {
            let mut encoder = brotli::CompressorWriter::new(Vec::new(), 4096, 5, 20);
            encoder.write_all(body)?;
            Ok(encoder.into_inner())
        }
        "zstd" => zstd::encode_all(body, 3),
        other => Err(io::Error::other(format!("unknown encoding {other:?}"))),
    }
}

/// `n` bytes from a seeded generator (xorshift), the same on every machine.
pub(super) fn bytes(n: u64, seed: u64) -> Reply {
    let n = usize::try_from(n).unwrap_or(usize::MAX).min(16 << 20);
    let mut state = seed.max(1);
    let mut body = BytesMut::with_capacity(n);
    while body.len() < n {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        body.put_u8(state.to_le_bytes()[0]);
    }
    reply::bytes(200, "application/octet-stream", body.freeze())
}

/// `n` bytes with a Content-Length, sent from one buffer of 64 KiB.
pub(super) fn big(n: u64) -> Reply {
    let block = Bytes::from(vec![b'x'; 64 << 10]);
    let frames = stream::unfold(n, move |left| {
        let block = block.clone();
        async move {
            let take = usize::try_from(left).unwrap_or(usize::MAX).min(block.len());
            (take > 0).then(|| {
                (
                    Ok::<_, Infallible>(Frame::data(block.slice(..take))),
                    left - take as u64,
                )
            })
        }
    });
    let mut reply = hyper::Response::new(StreamBody::new(frames).boxed_unsync());
    reply
        .headers_mut()
        .insert(CONTENT_LENGTH, HeaderValue::from(n));
    reply
}

/// A gzip stream of `mebibytes` MiB of zeros: about a thousandth of that on the wire.
pub(super) async fn bomb(mebibytes: u64) -> Reply {
    // Off the threads that serve everybody else.
    let body = tokio::task::spawn_blocking(move || zeros(mebibytes))
        .await
        .unwrap_or_default();
    let mut reply = reply::bytes(200, "application/octet-stream", body);
    reply
        .headers_mut()
        .insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    reply
}

/// Each block ends with a full flush, which forgets what came before: one compressed block serves for all.
fn zeros(mebibytes: u64) -> Vec<u8> {
    let zeros = vec![0_u8; 1 << 20];
    let mut deflate = Compress::new(Compression::best(), false);
    let mut block = Vec::with_capacity(64 << 10);
    let mut end = Vec::with_capacity(64);
    let squeezed = deflate.compress_vec(&zeros, &mut block, FlushCompress::Full);
    let finished = deflate.compress_vec(&[], &mut end, FlushCompress::Finish);
    if squeezed.is_err() || finished.is_err() {
        return Vec::new();
    }
    let mut once = Crc::new();
    once.update(&zeros);
    let mut crc = Crc::new();
    let mut body = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
    for _ in 0..mebibytes.min(4096) {
        crc.combine(&once);
        body.extend_from_slice(&block);
    }
    body.extend_from_slice(&end);
    body.extend_from_slice(&crc.sum().to_le_bytes());
    body.extend_from_slice(&crc.amount().to_le_bytes());
    body
}

/// `n` JSON lines, chunked, `gap` milliseconds apart.
pub(super) fn stream(n: u64, gap: u64) -> Reply {
    let frames = stream::unfold(0, move |index| async move {
        if index >= n.min(10_000) {
            return None;
        }
        if gap > 0 {
            tokio::time::sleep(Duration::from_millis(gap)).await;
        }
        let line = Bytes::from(format!("{{\"line\":{index}}}\n"));
        Some((Ok::<_, Infallible>(Frame::data(line)), index + 1))
    });
    let mut reply = hyper::Response::new(StreamBody::new(frames).boxed_unsync());
    reply.headers_mut().insert(
        "content-type",
        HeaderValue::from_static("application/x-ndjson"),
    );
    reply
}

/// A chunked body followed by a trailer field.
pub(super) fn trailers() -> Reply {
    let mut trailers = HeaderMap::new();
    trailers.insert("x-checksum", HeaderValue::from_static("abc123"));
    let frames = stream::iter([
        Ok::<_, Infallible>(Frame::data(Bytes::from_static(b"first "))),
        Ok(Frame::data(Bytes::from_static(b"second"))),
        Ok(Frame::trailers(trailers)),
    ]);
    let mut reply = hyper::Response::new(StreamBody::new(frames).boxed_unsync());
    reply
        .headers_mut()
        .insert("trailer", HeaderValue::from_static("x-checksum"));
    reply
}
