use super::{FastCall, plain};

fn head(call: &str, fields: &str) -> Vec<u8> {
    format!("GET /q/q_1/{call} HTTP/1.1\r\nHost: gate\r\n{fields}\r\n").into_bytes()
}

#[test]
fn only_polls_and_streams_without_anything_odd_are_served_here() {
    let found = plain(&head("me", "Connection: keep-alive\r\nCookie: a=b\r\n")).unwrap();
    assert!(matches!(found.asked, FastCall::Place) && found.queue == "q_1");
    assert_eq!(found.headers["cookie"], "a=b");
    let two = [head("events", ""), b"GET /more".to_vec()].concat();
    let found = plain(&two).unwrap();
    assert!(matches!(found.asked, FastCall::Events));
    assert_eq!(&two[found.length..], b"GET /more");
    let odd = [
        head("join", ""),
        head("me?exact=1", ""),
        head("me", "Content-Length: 3\r\n"),
        head("me", "Transfer-Encoding: chunked\r\n"),
        head("me", "Connection: close\r\n"),
        head("me", "Expect: 100-continue\r\n"),
        head("me", "a b: c\r\n"),
        head("me", "Host: other\r\n"),
        head("me", &"x: y\r\n".repeat(49)),
        b"GET /q/q_1/me HTTP/1.0\r\nHost: gate\r\n\r\n".to_vec(),
        b"GET /q/q_1/me HTTP/1.1\r\n\r\n".to_vec(),
        b"GET /q/q_1/me HTTP/1.1\r\nHost: ga".to_vec(),
        b"POST /q/q_1/me HTTP/1.1\r\nHost: gate\r\n\r\n".to_vec(),
        b"\x16\x03\x01\x02\x00\x01".to_vec(),
    ];
    for bytes in odd {
        assert!(
            plain(&bytes).is_none(),
            "{:?}",
            String::from_utf8_lossy(&bytes)
        );
    }
}
