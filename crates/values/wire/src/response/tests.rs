//! One response, one expectation. Properties of all responses are in `tests/`.

use super::*;

mod framing;

/// Status, body and result of `bytes`, read in one piece from a connection that closes.
fn read_as(kind: RequestKind, bytes: &[u8]) -> (ResponseHead, Vec<u8>, Result<Leftover, String>) {
    let mut parser = ResponseParser::new();
    let mut head = ResponseHead::default();
    parser.begin(kind, &mut head);
    let mut rest = bytes;
    let mut body = Vec::new();
    let outcome = loop {
        match parser.advance(&mut head, rest) {
            Err(error) => break Err(error.to_string()),
            Ok((used, event)) => {
                rest = &rest[used..];
                match event {
                    ResponseEvent::Incomplete => match parser.finish(&mut head) {
                        Ok(()) => break Ok(Leftover::from_parser(&parser, rest)),
                        Err(error) => break Err(error.to_string()),
                    },
                    ResponseEvent::Head => {}
                    ResponseEvent::Body(piece) => body.extend_from_slice(piece),
                    ResponseEvent::End => break Ok(Leftover::from_parser(&parser, rest)),
                }
            }
        }
    };
    (head, body, outcome)
}

/// How a message ended.
#[derive(Debug, PartialEq, Clone)]
enum Leftover {
    Reusable,
    Used,
    Surplus(usize),
    OtherProtocol(usize),
}

impl Leftover {
    fn from_parser(parser: &ResponseParser, rest: &[u8]) -> Self {
        if parser.is_handed_over() {
            Self::OtherProtocol(rest.len())
        } else if !rest.is_empty() {
            Self::Surplus(rest.len())
        } else if parser.is_reusable() {
            Self::Reusable
        } else {
            Self::Used
        }
    }
}

#[track_caller]
fn accepts(bytes: &str, status: u16, body: &str, left: &Leftover) {
    let (head, read, outcome) = read_as(RequestKind::Ordinary, bytes.as_bytes());
    assert_eq!(outcome.as_ref(), Ok(left), "{bytes:?}");
    assert_eq!(head.status(), status);
    assert_eq!(read, body.as_bytes());
}

#[track_caller]
fn refuses(bytes: &str, message: &str) {
    let (_, _, outcome) = read_as(RequestKind::Ordinary, bytes.as_bytes());
    assert_eq!(outcome, Err(message.to_owned()), "{bytes:?}");
}

fn ok(fields_and_body: &str) -> String {
    format!("HTTP/1.1 200 OK\r\n{fields_and_body}")
}

#[test]
fn a_whole_response_in_one_piece_is_head_body_end() {
    let bytes = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokREST";
    let mut parser = ResponseParser::new();
    let mut head = ResponseHead::default();
    parser.begin(RequestKind::Ordinary, &mut head);

    assert_eq!(
        parser.advance(&mut head, bytes),
        Ok((38, ResponseEvent::Head))
    );
    assert_eq!(parser.body_left(), 2);
    let (used, event) = parser.advance(&mut head, &bytes[38..]).unwrap();
    assert_eq!((used, event), (2, ResponseEvent::Body(b"ok")));
    if let ResponseEvent::Body(piece) = event {
        assert_eq!(piece.as_ptr(), bytes[38..].as_ptr(), "no copy was made");
    }
    assert_eq!(
        parser.advance(&mut head, b"REST"),
        Ok((0, ResponseEvent::End))
    );
    assert!(parser.is_reusable());
}

#[test]
fn the_next_response_reuses_the_buffers() {
    let mut parser = ResponseParser::new();
    let mut head = ResponseHead::default();
    let response = b"HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 0\r\n\r\n";
    let mut places = Vec::new();
    for _ in 0..3 {
        parser.begin(RequestKind::Ordinary, &mut head);
        assert!(parser.advance(&mut head, response).is_ok());
        places.push((head.bytes.as_ptr(), head.fields.as_ptr()));
    }
    assert!(places.iter().all(|place| *place == places[0]));
}

#[test]
fn status_lines_are_strict() {
    accepts(
        "HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n",
        200,
        "",
        &Leftover::Reusable,
    );
    refuses("garbage\r\n\r\n", r#"malformed HTTP response "garbage""#);
    refuses("garbage", r#"malformed HTTP response "garbage""#);
    refuses(
        "\r\nHTTP/1.1 200 OK\r\n\r\n",
        r#"malformed HTTP response """#,
    );
    refuses(
        "HTTX/1.1 200 OK\r\n\r\n",
        r#"malformed HTTP version "HTTX/1.1""#,
    );
    refuses(
        "HTTP/2.0 200 OK\r\n\r\n",
        r#"malformed HTTP version "HTTP/2.0""#,
    );
    refuses(
        "HTTP/1.1 20 OK\r\n\r\n",
        r#"malformed HTTP status code "20""#,
    );
    refuses(
        "HTTP/1.1 099 OK\r\n\r\n",
        r#"malformed HTTP status code "099""#,
    );
    refuses(
        "HTTP/1.1 200 O\x01K\r\n\r\n",
        r#"malformed HTTP response "HTTP/1.1 200 O\x01K""#,
    );
    let (head, _, _) = read_as(RequestKind::Head, b"HTTP/1.1  200 All is well \r\n\r\n");
    assert_eq!(head.status_text(), b"200 All is well ");
}

/// curl, Go and k6 take such a header; one of an answer made the whole request fail.
#[test]
fn a_header_name_with_blanks_is_taken_as_it_stands() {
    let answer = ok("X Y: 1\r\nX-Y : 2\r\nContent-Length: 2\r\n\r\nok");
    let (head, body, outcome) = read_as(RequestKind::Ordinary, answer.as_bytes());
    assert_eq!(outcome, Ok(Leftover::Reusable));
    let fields: Vec<_> = head.fields().into_iter().collect();
    assert_eq!(fields[0], ("X Y", &b"1"[..]));
    assert_eq!(fields[1], ("X-Y ", &b"2"[..]));
    assert_eq!(body, b"ok");

    // It is no length, as in Go: the body ends with the connection.
    accepts(
        &ok("Content-Length : 2\r\n\r\nokay"),
        200,
        "okay",
        &Leftover::Used,
    );
}

#[test]
fn header_lines_are_strict() {
    refuses(
        &ok("foo bar\r\n\r\n"),
        r#"malformed MIME header: missing colon: "foo bar""#,
    );
    refuses(
        &ok("Foo\t: bar\r\n\r\n"),
        r#"malformed MIME header line: "Foo\t: bar""#,
    );
    refuses(
        &ok("Foo(x): bar\r\n\r\n"),
        r#"malformed MIME header line: "Foo(x): bar""#,
    );
    refuses(
        &ok(": bar\r\n\r\n"),
        r#"malformed MIME header line: ": bar""#,
    );
    refuses(
        &ok("Foo: a\x01b\r\n\r\n"),
        r#"malformed MIME header line: "Foo: a\x01b""#,
    );
    refuses(
        &ok("Foo: a\rb\r\n\r\n"),
        r#"malformed MIME header line: "Foo: a\rb""#,
    );
    refuses(
        &ok("  Foo: a\r\n\r\n"),
        r#"malformed MIME header initial line: "  Foo: a""#,
    );
    refuses(
        &ok("Foo: a\r\n \x01\r\n\r\n"),
        r#"malformed MIME header line: " \x01""#,
    );
}

#[test]
fn line_feeds_alone_end_lines_of_the_head() {
    accepts(
        "HTTP/1.1 200 OK\nContent-Length: 2\n\nok",
        200,
        "ok",
        &Leftover::Reusable,
    );
}

#[test]
fn folded_values_become_one_line() {
    let (head, body, left) = read_as(
        RequestKind::Ordinary,
        b"HTTP/1.1 200 OK\r\nFoo: a  b \r\n \t c\n d\r\n  \r\nBar:\r\n e\r\nContent-Length: 1\r\n\r\nx",
    );
    assert_eq!(left, Ok(Leftover::Reusable));
    assert_eq!(head.fields().get("foo"), Some(&b"a  b c d"[..]));
    assert_eq!(head.fields().get("bar"), Some(&b"e"[..]));
    assert_eq!(body, b"x");
}

#[test]
fn interim_responses_are_passed_over() {
    let early = "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n";
    let last = ok("Content-Length: 2\r\n\r\nok");
    accepts(&(early.repeat(10) + &last), 200, "ok", &Leftover::Reusable);
    let (head, _, _) = read_as(RequestKind::Ordinary, (early.to_owned() + &last).as_bytes());
    assert!(head.fields().get("link").is_none());
    refuses(early, "unexpected EOF");
    refuses(
        &(early.repeat(101) + &last),
        "too many 1xx informational responses",
    );
}

#[test]
fn limits_end_with_their_own_errors() {
    let big = ok(&format!("Foo: {}\r\n\r\n", "a".repeat(300_000)));
    refuses(&big, "response headers exceeded 262144 bytes");
    let many = ok(&"A: b\r\n".repeat(1025));
    refuses(&many, "response has more than 1024 header fields");

    let mut parser = ResponseParser::new();
    parser.set_limits(ResponseLimits {
        body_bytes: 4,
        ..ResponseLimits::default()
    });
    let mut head = ResponseHead::default();
    let too_large = Err(ResponseError::BodyTooLarge { limit: 4 });
    parser.begin(RequestKind::Ordinary, &mut head);
    let declared = ok("Content-Length: 5\r\n\r\n");
    assert_eq!(parser.advance(&mut head, declared.as_bytes()), too_large);
    parser.begin(RequestKind::Ordinary, &mut head);
    assert!(parser.advance(&mut head, ok("\r\n").as_bytes()).is_ok());
    assert_eq!(
        parser.advance(&mut head, b"1234"),
        Ok((4, ResponseEvent::Body(b"1234")))
    );
    assert_eq!(parser.advance(&mut head, b"5"), too_large);
    parser.begin(RequestKind::Ordinary, &mut head);
    let chunked = ok("Transfer-Encoding: chunked\r\n\r\n");
    assert!(parser.advance(&mut head, chunked.as_bytes()).is_ok());
    let first = b"5\r\nhello";
    assert_eq!(
        parser.advance(&mut head, first),
        Ok((first.len(), ResponseEvent::Body(b"hell"))),
        "what fits is handed out whichever way the body was cut"
    );
    assert_eq!(parser.advance(&mut head, b""), too_large);
}

/// Guards against a head that is mistaken for the cached one.
#[test]
fn a_head_that_differs_from_the_one_before_is_read() {
    let mut parser = ResponseParser::new();
    let mut head = ResponseHead::default();
    let answers = [
        (
            "HTTP/1.1 200 OK\r\nA: 1\r\nContent-Length: 2\r\n\r\nab",
            "1",
            &b"ab"[..],
        ),
        (
            "HTTP/1.1 200 OK\r\nA: 1\r\nContent-Length: 2\r\n\r\ncd",
            "1",
            b"cd",
        ),
        (
            "HTTP/1.1 200 OK\r\nA: 2\r\nContent-Length: 2\r\n\r\nab",
            "2",
            b"ab",
        ),
        (
            "HTTP/1.1 200 OK\r\nA: 2\r\nContent-Length: 1\r\n\r\na",
            "2",
            b"a",
        ),
    ];
    for (bytes, value, body) in answers {
        parser.begin(RequestKind::Ordinary, &mut head);
        let (used, event) = parser.advance(&mut head, bytes.as_bytes()).unwrap();
        assert_eq!(event, ResponseEvent::Head);
        assert_eq!(head.fields().get("a"), Some(value.as_bytes()));
        let rest = &bytes.as_bytes()[used..];
        assert_eq!(
            parser.advance(&mut head, rest),
            Ok((body.len(), ResponseEvent::Body(body)))
        );
        assert!(parser.is_reusable());
    }
}
