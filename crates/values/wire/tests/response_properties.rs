//! What holds for any response: pieces do not matter, and what one writes is what is read.

mod oracle;

use loadline_wire::{RequestKind, RequestWriter, ResponseLimits};
use oracle::{Ending, check, read};
use proptest::prelude::*;

#[derive(Debug, Clone, Copy)]
enum Sent {
    Length,
    Chunked,
    UntilClose,
}

fn field() -> impl Strategy<Value = (String, String)> {
    (
        "[A-Za-z][A-Za-z0-9-]{0,20}".prop_filter("frames the body", |name| {
            !["content-length", "transfer-encoding", "connection"]
                .contains(&name.to_ascii_lowercase().as_str())
        }),
        "([!-~]([ -~]{0,30}[!-~])?)?",
    )
}

fn written(status: u16, fields: &[(String, String)], body: &[u8], sent: Sent) -> Vec<u8> {
    let mut out = format!("HTTP/1.1 {status} Reason here\r\n").into_bytes();
    for (name, value) in fields {
        out.extend_from_slice(format!("{name}: {value}\r\n").as_bytes());
    }
    match sent {
        Sent::Length => {
            out.extend_from_slice(format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes());
            out.extend_from_slice(body);
        }
        Sent::UntilClose => {
            out.extend_from_slice(b"\r\n");
            out.extend_from_slice(body);
        }
        Sent::Chunked => {
            out.extend_from_slice(b"Transfer-Encoding: chunked\r\n\r\n");
            for chunk in body.chunks(7) {
                out.extend_from_slice(format!("{:X};x=y\r\n", chunk.len()).as_bytes());
                out.extend_from_slice(chunk);
                out.extend_from_slice(b"\r\n");
            }
            out.extend_from_slice(b"0\r\nX-Sum: 1\r\n\r\n");
        }
    }
    out
}

proptest! {
    #[test]
    fn a_written_response_is_read_back(
        status in prop_oneof![200u16..204, 205u16..304, 305u16..1000],
        fields in proptest::collection::vec(field(), 0..12),
        body in proptest::collection::vec(any::<u8>(), 0..200),
        sent in prop_oneof![Just(Sent::Length), Just(Sent::Chunked), Just(Sent::UntilClose)],
        piece in 1usize..40,
    ) {
        let bytes = written(status, &fields, &body, sent);

        let reading = read(RequestKind::Ordinary, ResponseLimits::default(), bytes.chunks(piece));

        prop_assert_eq!(&reading.body, &body);
        let until_close = matches!(sent, Sent::UntilClose);
        prop_assert_eq!(
            reading.outcome,
            Ok(Ending { left_over: 0, reusable: !until_close, handed_over: false })
        );
        let head = reading.head.unwrap();
        let start = format!("HTTP/1.1 {status} {status} Reason here\n");
        prop_assert!(head.starts_with(&start));
        for (name, value) in &fields {
            let line = format!("\n{name}: {}\n", value.as_bytes().escape_ascii());
            prop_assert!(head.contains(&line), "{head:?} lacks {line:?}");
        }
    }

    #[test]
    fn pieces_do_not_matter(data in proptest::collection::vec(any::<u8>(), 0..200)) {
        check(&data);
    }

    /// Bytes near the grammar find more than random ones.
    #[test]
    fn pieces_do_not_matter_near_the_grammar(
        setting: u8,
        seed: u8,
        parts in proptest::collection::vec(prop_oneof![
            Just("HTTP/1.1 200 OK\r\n"), Just("HTTP/1.0 200\r\n"), Just("HTTP/1.1 100 Continue\r\n"),
            Just("HTTP/1.1 101 X\r\n"), Just("\r\n"), Just("\n"), Just("\r"), Just(" "),
            Just("Content-Length: 5\r\n"), Just("Content-Length: 6\r\n"), Just("Content-Length:\r\n"),
            Just("Transfer-Encoding: chunked\r\n"), Just("Connection: close\r\n"),
            Just("A: b\r\n"), Just(" c \r\n"), Just("\tc\r\n"), Just("5\r\nhello\r\n"),
            Just("5;e\r\n"), Just("0\r\n"), Just("hello"), Just("ffffffffffffffff\r\n"),
            Just("00000000000000000\r\n"), Just(":"), Just("x"),
        ], 0..14),
    ) {
        let mut data = vec![setting, seed];
        data.extend_from_slice(parts.concat().as_bytes());
        check(&data);
    }

    /// A parser that is not ours reads the same request as was written.
    #[test]
    fn a_written_request_is_read_by_others(
        method in "[A-Z]{1,10}",
        target in "/[!-~]{0,40}",
        fields in proptest::collection::vec(field(), 0..12),
        length: usize,
    ) {
        let mut out = Vec::new();
        let mut writer = RequestWriter::begin(&mut out, &method, &target).unwrap();
        for (name, value) in &fields {
            writer.field(name, value).unwrap();
        }
        writer.content_length(length);
        writer.finish();

        let mut slots = [httparse::EMPTY_HEADER; 16];
        let mut request = httparse::Request::new(&mut slots);
        let parsed = request.parse(&out).unwrap();

        prop_assert_eq!(parsed, httparse::Status::Complete(out.len()));
        prop_assert_eq!(request.method, Some(method.as_str()));
        prop_assert_eq!(request.path, Some(target.as_str()));
        prop_assert_eq!(request.headers.len(), fields.len() + 1);
        for (header, (name, value)) in request.headers.iter().zip(&fields) {
            prop_assert!(header.name.eq_ignore_ascii_case(name));
            prop_assert_eq!(header.value, value.as_bytes());
        }
        let length = length.to_string();
        prop_assert_eq!(request.headers[fields.len()].value, length.as_bytes());
    }
}
