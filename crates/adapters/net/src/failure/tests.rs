use super::*;

fn remote() -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], 80))
}

fn socket(operation: Operation, kind: SocketFailure) -> Cause {
    Cause::Socket {
        operation,
        kind,
        local: Some(SocketAddr::from(([127, 0, 0, 1], 40000))),
        remote: remote(),
    }
}

#[expect(clippy::too_many_lines, reason = "one table")]
/// Code, text and log of each cause; what k6 shows where it has the cause.
#[test]
fn codes_and_texts_are_those_of_k6() {
    let response = |error| Failure::from(error);
    let table: Vec<(Failure, u16, &str, &str)> = vec![
        (
            response(ResponseError::NoResponse),
            1000,
            "EOF",
            "Get \"u\": EOF",
        ),
        (
            response(ResponseError::Truncated).in_body(),
            1000,
            "unexpected EOF",
            "unexpected EOF",
        ),
        (
            response(ResponseError::EmptyLength),
            1000,
            "invalid empty Content-Length \"\"",
            "Get \"u\": net/http: HTTP/1.x transport connection broken: \
             invalid empty Content-Length \"\"",
        ),
        (
            RequestHeadError::FieldValue("a".to_owned()).into(),
            1000,
            "net/http: invalid header field value for \"A\"",
            "Get \"u\": net/http: invalid header field value for \"A\"",
        ),
        (
            Cause::Timeout.into(),
            1050,
            "request timeout",
            "Get \"u\": request timeout",
        ),
        (
            Cause::NoSuchHost {
                host: "h".to_owned(),
            }
            .into(),
            1101,
            "lookup: no such host",
            "Get \"u\": lookup h: no such host",
        ),
        (
            Cause::BlacklistedIp {
                ip: [10, 9, 1, 1].into(),
                range: "10.9.0.0/16".to_owned(),
            }
            .into(),
            1110,
            "ip is blacklisted",
            "Get \"u\": IP (10.9.1.1) is in a blacklisted range (10.9.0.0/16)",
        ),
        (
            Cause::BlockedHost {
                host: "a.b.test".to_owned(),
                pattern: "*.test".to_owned(),
            }
            .into(),
            1111,
            "hostname is blocked",
            "Get \"u\": hostname (a.b.test) is in a blocked pattern (*.test)",
        ),
        (
            socket(Operation::Read, SocketFailure::Reset).into(),
            1220,
            "read: connection reset by peer",
            "Get \"u\": read tcp 127.0.0.1:40000->127.0.0.1:80: read: connection reset by peer",
        ),
        (
            socket(Operation::Write, SocketFailure::BrokenPipe).into(),
            1201,
            "write: broken pipe",
            "Get \"u\": write tcp 127.0.0.1:40000->127.0.0.1:80: write: broken pipe",
        ),
        (
            Cause::Refused { remote: remote() }.into(),
            1212,
            "dial: connection refused",
            "Get \"u\": dial tcp 127.0.0.1:80: connect: connection refused",
        ),
        (
            Cause::NotTls { speaks_http: true }.into(),
            1301,
            "tls: first record does not look like a TLS handshake",
            "Get \"u\": http: server gave HTTP response to HTTPS client",
        ),
        (
            Cause::Certificate("is old".to_owned()).into(),
            1000,
            "x509: is old",
            "Get \"u\": tls: failed to verify certificate: x509: is old",
        ),
        (
            Cause::WrongHost("no".to_owned()).into(),
            1311,
            "x509: certificate doesn't match hostname",
            "Get \"u\": tls: failed to verify certificate: x509: no",
        ),
        (
            Cause::UnknownAuthority(ChainFault::SelfSigned).into(),
            1310,
            "x509: unknown authority",
            "Get \"u\": tls: failed to verify certificate: \
             x509: certificate signed by unknown authority",
        ),
        (
            Cause::Http2(
                Http2Scope::Stream {
                    id: 5,
                    by_server: true,
                },
                7,
            )
            .into(),
            1638,
            "http2: stream error with http2 ErrCode REFUSED_STREAM",
            "Get \"u\": stream error: stream ID 5; REFUSED_STREAM; received from peer",
        ),
        (
            Cause::Http2(Http2Scope::Connection, 1).into(),
            1652,
            "http2: connection error with http2 ErrCode PROTOCOL_ERROR",
            "Get \"u\": connection error: PROTOCOL_ERROR",
        ),
        (
            Cause::Http2(Http2Scope::GoAway, 99).into(),
            1610,
            "http2: received GoAway with http2 ErrCode unknown error code 0x63",
            "Get \"u\": http2: server sent GOAWAY and closed the connection; \
             ErrCode=unknown error code 0x63",
        ),
        (
            Failure::new(Cause::Decompression {
                reason: "zlib: invalid header".to_owned(),
                doubled: true,
            })
            .in_body(),
            1701,
            "error decompressing response body (error decompressing response body (zlib: invalid header))",
            "error decompressing response body (zlib: invalid header)",
        ),
        (
            response(ResponseError::BodyTooLarge { limit: 64 }),
            1702,
            "response body exceeds the limit of 64 bytes",
            "Get \"u\": response body exceeds the limit of 64 bytes",
        ),
        (
            response(ResponseError::HeadTooLarge { limit: 9 }),
            1703,
            "response headers exceeded 9 bytes",
            "Get \"u\": net/http: HTTP/1.x transport connection broken: \
             response headers exceeded 9 bytes",
        ),
    ];
    for (failure, code, text, log) in table {
        assert_eq!(failure.code(), code, "{failure:?}");
        assert_eq!(failure.text(), text);
        assert_eq!(failure.log("GET", "u"), log);
    }
}

#[test]
fn the_kernels_texts_are_shown_without_rusts_suffix() {
    let error = io::Error::from_raw_os_error(113);
    assert_eq!(os_text(&error), "no route to host");
    let kind = SocketFailure::from_error(&error);
    assert_eq!(Failure::new(socket(Operation::Read, kind)).code(), 1202);
}
