//! Where a body ends, and whether the connection is used again.

use super::*;

#[test]
fn framing_follows_status_method_and_fields() {
    accepts(
        &ok("Content-Length: 5\r\n\r\nhello"),
        200,
        "hello",
        &Leftover::Reusable,
    );
    accepts(
        &ok("Content-Length: 0\r\n\r\n"),
        200,
        "",
        &Leftover::Reusable,
    );
    accepts(&ok("\r\nhello"), 200, "hello", &Leftover::Used);
    accepts(
        &ok("Transfer-Encoding: Chunked\r\n\r\n5\r\nhello\r\n1 ;x\r\n!\r\n0\r\n\r\n"),
        200,
        "hello!",
        &Leftover::Reusable,
    );
    accepts(
        "HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello",
        204,
        "",
        &Leftover::Surplus(5),
    );
    accepts(
        "HTTP/1.1 304 Not Modified\r\n\r\n",
        304,
        "",
        &Leftover::Reusable,
    );
    accepts(
        "HTTP/1.1 101 Switching Protocols\r\n\r\nframes",
        101,
        "",
        &Leftover::OtherProtocol(6),
    );
    let (_, _, left) = read_as(
        RequestKind::Head,
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n",
    );
    assert_eq!(left, Ok(Leftover::Reusable));
    let (_, _, left) = read_as(RequestKind::Connect, b"HTTP/1.1 200 OK\r\n\r\nxy");
    assert_eq!(left, Ok(Leftover::OtherProtocol(2)));
    let (_, _, left) = read_as(
        RequestKind::Connect,
        b"HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n",
    );
    assert_eq!(left, Ok(Leftover::Reusable));
}

#[test]
fn connections_persist_by_version_and_field() {
    let sized = "Content-Length: 0\r\n";
    accepts(
        &ok(&format!("{sized}Connection: Keep-Alive, CLOSE\r\n\r\n")),
        200,
        "",
        &Leftover::Used,
    );
    accepts(
        &format!("HTTP/1.0 200 OK\r\n{sized}\r\n"),
        200,
        "",
        &Leftover::Used,
    );
    accepts(
        &format!("HTTP/1.0 200 OK\r\n{sized}Connection: keep-alive\r\n\r\n"),
        200,
        "",
        &Leftover::Reusable,
    );
    accepts(
        &format!("HTTP/1.2 200 OK\r\n{sized}\r\n"),
        200,
        "",
        &Leftover::Reusable,
    );
}

#[test]
fn http_1_0_knows_no_transfer_codings() {
    accepts(
        "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        200,
        "0\r\n\r\n",
        &Leftover::Used,
    );
}

/// Guards against two parsers that see different bodies, as in request smuggling.
#[test]
fn ambiguous_lengths_are_refused_or_end_the_connection() {
    let lengths = |a: &str, b: &str| {
        ok(&format!(
            "Content-Length: {a}\r\ncontent-length: {b}\r\n\r\nhello"
        ))
    };
    refuses(
        &lengths("5", "6"),
        r#"http: message cannot contain multiple Content-Length headers; got ["5" "6"]"#,
    );
    accepts(&lengths("5", "5"), 200, "hello", &Leftover::Reusable);
    let length = |text: &str| ok(&format!("Content-Length: {text}\r\n\r\nhello"));
    refuses(&length("5, 5"), r#"bad Content-Length "5, 5""#);
    refuses(&length("-5"), r#"bad Content-Length "-5""#);
    refuses(&length("+5"), r#"bad Content-Length "+5""#);
    refuses(
        &length("9223372036854775808"),
        r#"bad Content-Length "9223372036854775808""#,
    );
    refuses(&length(""), r#"invalid empty Content-Length """#);
    accepts(
        &ok("Content-Length: 50\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"),
        200,
        "hello",
        &Leftover::Used,
    );
    let coded = |text: &str| ok(&format!("Transfer-Encoding: {text}\r\n\r\n0\r\n\r\n"));
    refuses(
        &coded("gzip, chunked"),
        r#"unsupported transfer encoding: "gzip, chunked""#,
    );
    refuses(
        &coded("identity"),
        r#"unsupported transfer encoding: "identity""#,
    );
    refuses(
        &coded("chunked\r\nTransfer-Encoding: chunked"),
        r#"too many transfer encodings: ["chunked" "chunked"]"#,
    );
}

#[test]
fn chunks_are_strict() {
    let chunked = |body: &str| ok(&format!("Transfer-Encoding: chunked\r\n\r\n{body}"));
    refuses(&chunked("zz\r\nhello\r\n"), "invalid byte in chunk length");
    refuses(
        &chunked("\r\nhello\r\n"),
        "empty hex number for chunk length",
    );
    refuses(
        &chunked("5\nhello\r\n0\r\n\r\n"),
        "chunked line ends with bare LF",
    );
    refuses(
        &chunked("5\r\nhelloXX0\r\n\r\n"),
        "malformed chunked encoding",
    );
    refuses(
        &chunked("5\r\nhello\n0\r\n\r\n"),
        "malformed chunked encoding",
    );
    refuses(
        &chunked("11111111111111111\r\n"),
        "http chunk length too large",
    );
    refuses(&chunked("5\r\nhel"), "unexpected EOF");
    refuses(&chunked("5\r\nhello\r\n"), "unexpected EOF");
    refuses(&chunked("0\r\n"), "unexpected EOF");
    refuses(
        &chunked(&format!("5;{}\r\nhello\r\n", "x".repeat(5000))),
        "chunked encoding contains too much non-data",
    );
    let mostly_framing = format!("1;{}\r\nh\r\n", "x".repeat(1000)).repeat(20);
    refuses(
        &chunked(&mostly_framing),
        "chunked encoding contains too much non-data",
    );
}

#[test]
fn trailers_follow_the_last_chunk() {
    let (head, body, left) = read_as(
        RequestKind::Ordinary,
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nSum: 1\r\n  2\r\nB: c\r\n\r\n",
    );
    assert_eq!(left, Ok(Leftover::Reusable));
    assert_eq!(body, b"ok");
    assert_eq!(head.trailers().get("sum"), Some(&b"1 2"[..]));
    assert_eq!(head.trailers().get("b"), Some(&b"c"[..]));
    assert!(head.fields().get("sum").is_none());
}

#[test]
fn an_early_end_says_how_early() {
    refuses("", "EOF");
    refuses("HTTP/1.1 200 OK\r\n", "unexpected EOF");
    refuses("HTTP/1.1 200 OK\r\nA: b", "unexpected EOF");
    refuses(
        "HTTP/1.1 200 OK\r\nContent-Le",
        r#"malformed MIME header: missing colon: "Content-Le""#,
    );
    refuses(&ok("Content-Length: 10\r\n\r\nhello"), "unexpected EOF");
}
