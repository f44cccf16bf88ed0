use proptest::prelude::*;

use super::*;

/// What a stream amounted to, owned.
#[derive(Debug, Clone, PartialEq, Eq)]
enum OwnedItem {
    Event(StreamEvent),
    Retry(u64),
    Unknown(Vec<u8>),
}

fn read_pieces<'p>(pieces: impl IntoIterator<Item = &'p [u8]>) -> Vec<OwnedItem> {
    let mut stream = EventStream::new();
    let mut told = Vec::new();
    for mut piece in pieces {
        loop {
            let (used, item) = stream.advance(piece).unwrap();
            match item {
                StreamItem::Incomplete => {
                    assert_eq!(used, piece.len());
                    break;
                }
                StreamItem::Event(event) => told.push(OwnedItem::Event(event.clone())),
                StreamItem::Retry(millis) => told.push(OwnedItem::Retry(millis)),
                StreamItem::Unknown(line) => told.push(OwnedItem::Unknown(line.to_vec())),
            }
            piece = &piece[used..];
        }
    }
    told
}

fn read_text(text: &str) -> Vec<OwnedItem> {
    read_pieces([text.as_bytes()])
}

fn event(id: &str, name: &str, data: &str, comment: &str) -> OwnedItem {
    OwnedItem::Event(StreamEvent {
        id: id.into(),
        name: name.into(),
        data: data.into(),
        comment: comment.into(),
        has_data: !data.is_empty(),
    })
}

#[test]
fn fields_are_read_as_the_standard_says() {
    let text = ": hello\nid: 1\nevent: tick\ndata: a\ndata:b\ndata:  c\n\ndata: next\n\n";
    assert_eq!(
        read_text(text),
        [
            event("1", "tick", "a\nb\n c", "hello"),
            event("", "", "next", "")
        ]
    );
}

#[test]
fn every_kind_of_line_end_ends_a_line() {
    for end in ["\n", "\r", "\r\n"] {
        let text = format!("data: a{end}data: b{end}{end}data: c{end}{end}");
        let expected = [event("", "", "a\nb", ""), event("", "", "c", "")];
        assert_eq!(read_text(&text), expected, "{end:?}");
    }
}

/// A line feed at the start of the next piece must not end the block a second time.
#[test]
fn a_line_end_cut_in_two_is_one() {
    let told = read_pieces([&b"data: a\r"[..], b"", b"\n\r", b"\n", b"data: b\r\n\r\n"]);
    assert_eq!(told, [event("", "", "a", ""), event("", "", "b", "")]);
}

#[test]
fn a_byte_order_mark_is_passed_over_at_the_start_only() {
    assert_eq!(
        read_pieces([&b"\xef\xbb"[..], b"\xbfdata: a\n\n"]),
        [event("", "", "a", "")]
    );
    let later = b"data: a\n\n\xef\xbb\xbfdata: b\n\n";
    assert_eq!(
        read_pieces([&later[..]])[1],
        OwnedItem::Unknown(b"\xef\xbb\xbfdata: b".to_vec())
    );
}

#[test]
fn an_empty_data_line_is_data() {
    let told = read_text("data\n\ndata:\ndata:\n\n: ping\n\n");
    let OwnedItem::Event(first) = &told[0] else {
        panic!("{told:?}");
    };
    assert!(first.has_data && first.data.is_empty());
    assert!(matches!(&told[1], OwnedItem::Event(e) if e.data == b"\n"));
    assert_eq!(told[2], event("", "", "", "ping"));
}

#[test]
fn an_id_with_nul_does_not_count_and_a_retry_is_digits() {
    assert_eq!(
        read_text("id: a\nid: b\0\nretry: 1x\nretry: 25\nretry:\n\n"),
        [OwnedItem::Retry(25), event("a", "", "", "")]
    );
}

#[test]
fn what_has_no_end_is_not_told() {
    assert_eq!(read_text("data: a\n\ndata: half\n").len(), 1);
}

#[test]
fn lines_of_no_field_are_told_apart() {
    assert_eq!(read_text("junk\n"), [OwnedItem::Unknown(b"junk".to_vec())]);
    assert_eq!(
        read_pieces([&b"ju"[..], b"nk: 1\ndata: x\n\n"]),
        [
            OwnedItem::Unknown(b"junk: 1".to_vec()),
            event("", "", "x", "")
        ]
    );
}

#[test]
fn an_event_that_grows_without_end_is_refused() {
    let limit = EventSizeError { limit: 11 };
    let mut stream = EventStream::with_limit(11);
    assert!(stream.advance(b"data: 12345\ndata: 12345\n").is_ok());
    assert_eq!(stream.advance(b"data: 12345\n").unwrap_err(), limit);
    let mut stream = EventStream::with_limit(11);
    assert!(stream.advance(b"data: 12").is_ok());
    assert_eq!(stream.advance(b"3456").unwrap_err(), limit);
}

#[test]
fn the_buffers_of_events_are_used_again() {
    let mut stream = EventStream::new();
    let address = |stream: &mut EventStream| match stream.advance(b"data: abcdefgh\n\n") {
        Ok((_, StreamItem::Event(event))) => event.data.as_ptr(),
        other => panic!("{other:?}"),
    };
    let first = address(&mut stream);
    assert_eq!(first, address(&mut stream));
}

fn line() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        "(data|event|id|retry|x|)(: ?[a-z0-9 :]{0,12})?".prop_map(String::into_bytes),
        proptest::collection::vec(any::<u8>(), 0..8),
        Just(Vec::new()),
    ]
}

proptest! {
    #[test]
    fn however_a_stream_is_cut_it_comes_to_the_same(
        lines in proptest::collection::vec((line(), 0usize..3), 0..20),
        cuts in proptest::collection::vec(1usize..9, 1..40),
    ) {
        let mut text = Vec::new();
        for (line, end) in lines {
            text.extend_from_slice(&line);
            text.extend_from_slice([&b"\n"[..], b"\r", b"\r\n"][end]);
        }
        let mut pieces = Vec::new();
        let mut rest = &text[..];
        for cut in cuts.iter().cycle() {
            if rest.is_empty() { break }
            let (piece, after) = rest.split_at((*cut).min(rest.len()));
            pieces.push(piece);
            rest = after;
        }
        prop_assert_eq!(read_pieces(pieces), read_pieces([&text[..]]));
    }

    #[test]
    fn a_written_event_is_read_back(
        id in "[a-z0-9]{0,6}", name in "[a-z0-9]{0,6}",
        data in proptest::collection::vec("[ -~]{0,10}", 1..5),
    ) {
        let mut text = format!("id: {id}\nevent: {name}\n");
        for line in &data {
            text.push_str(&format!("data: {line}\n"));
        }
        text.push('\n');
        let told = read_text(&text);
        let expected = StreamEvent {
            id: id.into(), name: name.into(), data: data.join("\n").into(),
            comment: Vec::new(), has_data: true,
        };
        prop_assert_eq!(told, vec![OwnedItem::Event(expected)]);
    }
}
