//! Answers over HTTP/1.1 that are too long, too many, or none.

use std::io::Write as _;

use super::AttackEnd::{Close, Silence};
use super::AttackProtocol::{Http1, Sse};
use super::{Attack, AttackProtocol};

const OK: &str = "HTTP/1.1 200 OK\r\n";
const CHUNKED: &str = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
const EVENTS: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
/// Bytes that a bomb becomes.
const BOMB_BYTES: usize = 128 << 20;

pub(super) fn attacks() -> Vec<Attack> {
    let mut all = heads();
    all.extend(lengths());
    all.extend(chunks());
    all.extend(bodies());
    all.extend(ways_on());
    all.extend(waits());
    all.extend(events());
    all
}

fn http(name: &'static str, first: impl Into<Vec<u8>>) -> Attack {
    Attack::answer(name, Http1, first)
}

/// An answer with a body and these fields.
fn with_body(name: &'static str, fields: &str, body: &[u8]) -> Attack {
    let head = format!("{OK}{fields}Content-Length: {}\r\n\r\n", body.len());
    http(name, [head.as_bytes(), body].concat())
}

fn heads() -> Vec<Attack> {
    let long = |bytes: usize| format!("X-A: {}\r\n", "a".repeat(bytes));
    let many = |count: usize, name: &str| -> String {
        (0..count)
            .map(|number| format!("{name}{number}=v\r\n"))
            .collect()
    };
    vec![
        with_body("head-200k", &long(200_000), b"ok"),
        with_body("head-2m", &long(2_000_000), b"ok"),
        with_body("fields-5000", &many(5000, "X: a"), b"ok"),
        http("head-endless", OK).flooding(format!("X: {}\r\n", "v".repeat(100))),
        http("field-endless", format!("{OK}X: ")).flooding("a"),
        http("head-folded-endless", format!("{OK}X: a\r\n")).flooding(" b\r\n"),
        http("continue-endless", "").flooding("HTTP/1.1 100 Continue\r\nX: y\r\n\r\n"),
        http("hints-endless", "").flooding("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"),
        http(
            "status-99999",
            "HTTP/1.1 99999 X\r\nContent-Length: 0\r\n\r\n",
        ),
        http("status-line-endless", "HTTP/1.1 200 ").flooding("a"),
        http("no-colon", format!("{OK}nothing\r\n\r\n")).ending(Close),
        http("nul-in-head", format!("{OK}X: a\0b\r\n\r\n")).ending(Close),
        http(
            "escapes",
            "HTTP/1.1 500 \x1b[2J\x1b]0;own\x07\r\nContent-Length: 7\r\n\r\n\x1b[2Jhi!",
        ),
        http("version-9", "HTTP/9.9 200 OK\r\nContent-Length: 0\r\n\r\n"),
    ]
}

fn lengths() -> Vec<Attack> {
    let of = |name, length: &str| {
        http(name, format!("{OK}Content-Length: {length}\r\n\r\nabc")).ending(Close)
    };
    vec![
        of("length-huge", "9223372036854775807"),
        of("length-over", "99999999999999999999999999"),
        of("length-negative", "-5"),
        of("length-plus", "+3"),
        of("length-short", "100"),
        http(
            "length-twice",
            format!("{OK}Content-Length: 3\r\nContent-Length: 5\r\n\r\nabcde"),
        ),
        http(
            "length-and-chunks",
            format!(
                "{OK}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n"
            ),
        ),
        http(
            "answer-too-many",
            format!("{OK}Content-Length: 2\r\n\r\nok{OK}Content-Length: 4\r\n\r\nevil"),
        ),
        http(
            "length-huge-endless",
            format!("{OK}Content-Length: 9223372036854775807\r\n\r\n"),
        )
        .flooding("a"),
    ]
}

fn chunks() -> Vec<Attack> {
    let of = |name, rest: &str| http(name, format!("{CHUNKED}{rest}")).ending(Close);
    vec![
        of("chunk-negative", "-1\r\n"),
        of("chunk-huge", "FFFFFFFFFFFFFFFFFF\r\n"),
        of("chunk-max", "7FFFFFFFFFFFFFFF\r\nabc"),
        of("chunk-text", "hello\r\n"),
        of("chunk-without-end", "1\r\naXX0\r\n\r\n"),
        of(
            "chunk-extension-1m",
            &format!("1;{}\r\na\r\n0\r\n\r\n", "x".repeat(1_000_000)),
        ),
        http("chunks-of-a-byte", CHUNKED).flooding(format!("1;{}\r\na\r\n", "x".repeat(4000))),
        http("chunks-tiny", CHUNKED).flooding("1\r\na\r\n"),
        http("chunk-size-endless", CHUNKED).flooding("0"),
        http("trailers-endless", format!("{CHUNKED}0\r\n"))
            .flooding(format!("X: {}\r\n", "v".repeat(1000))),
    ]
}

fn bodies() -> Vec<Attack> {
    let gzip = gzip_bomb();
    let twice = squeezed(&gzip);
    let page = |tag: &str, count: usize| tag.repeat(count).into_bytes();
    let attributes: String = (0..200_000).map(|number| format!(" a{number}=1")).collect();
    vec![
        http("body-endless", format!("{OK}\r\n")).flooding("a"),
        with_body("gzip-bomb", "Content-Encoding: gzip\r\n", &gzip),
        with_body("gzip-twice", "Content-Encoding: gzip, gzip\r\n", &twice),
        with_body("br-bomb", "Content-Encoding: br\r\n", &brotli_bomb()),
        with_body("zstd-bomb", "Content-Encoding: zstd\r\n", &zstd_bomb()),
        with_body(
            "encodings-1000",
            &format!("Content-Encoding: {}\r\n", vec!["gzip"; 1000].join(", ")),
            b"ok",
        ),
        with_body(
            "json-deep",
            "Content-Type: application/json\r\n",
            &page("[", 200_000),
        ),
        with_body(
            "page-deep",
            "Content-Type: text/html\r\n",
            &page("<div>", 200_000),
        ),
        with_body(
            "page-attributes",
            "Content-Type: text/html\r\n",
            format!("<p{attributes}>").as_bytes(),
        ),
        with_body(
            "page-formatting",
            "Content-Type: text/html\r\n",
            &page("<b><i>", 200_000),
        ),
        with_body(
            "page-table",
            "Content-Type: text/html\r\n",
            &page("<table><tr><td>", 60_000),
        ),
        http("garbage", noise(200_000)).ending(Close),
    ]
}

fn ways_on() -> Vec<Attack> {
    let to = |name, place: &str| {
        http(
            name,
            format!("HTTP/1.1 302 Found\r\nLocation: {place}\r\nContent-Length: 0\r\n\r\n"),
        )
    };
    let cookies: String = (0..5000)
        .map(|number| format!("Set-Cookie: c{number}=v\r\n"))
        .collect();
    vec![
        to("redirect-loop", "/again"),
        to("redirect-file", "file:///etc/passwd"),
        to("redirect-long", &format!("/{}", "a".repeat(900_000))),
        with_body("cookies-5000", &cookies, b"ok"),
        with_body(
            "cookie-900k",
            &format!("Set-Cookie: a={}\r\n", "b".repeat(900_000)),
            b"ok",
        ),
    ]
}

fn waits() -> Vec<Attack> {
    vec![
        http("silence", "").ending(Silence),
        http("drip-head", format!("{OK}X: ")).dripping("a"),
        http("drip-body", format!("{OK}Content-Length: 1000\r\n\r\n")).dripping("a"),
        http("close", "").ending(Close),
    ]
}

fn events() -> Vec<Attack> {
    let of = |name: &'static str, unit: &str| -> Attack {
        let protocol: AttackProtocol = Sse;
        Attack::answer(name, protocol, EVENTS).flooding(unit)
    };
    vec![
        of("event-line-endless", "a"),
        of(
            "event-lines-endless",
            "data: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n",
        ),
        of("events-tiny", "data:\n\n"),
        of("event-comments", ":\n"),
    ]
}

/// Bytes that no protocol understands, the same each time.
pub(super) fn noise(count: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()[3]
    };
    (0..count).map(|_| next()).collect()
}

fn squeezed(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    // A vector takes all.
    let _ = out.write_all(bytes);
    out.finish().unwrap_or_default()
}

fn gzip_bomb() -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let zeros = vec![0; 1 << 20];
    for _ in 0..BOMB_BYTES >> 20 {
        let _ = out.write_all(&zeros);
    }
    out.finish().unwrap_or_default()
}

fn zstd_bomb() -> Vec<u8> {
    let zeros = std::io::Read::take(std::io::repeat(0), BOMB_BYTES as u64);
    zstd::encode_all(zeros, 1).unwrap_or_default()
}

fn brotli_bomb() -> Vec<u8> {
    let mut out = brotli::CompressorWriter::new(Vec::new(), 1 << 16, 1, 22);
    let zeros = vec![0; 1 << 20];
    for _ in 0..BOMB_BYTES >> 20 {
        let _ = out.write_all(&zeros);
    }
    out.into_inner()
}
