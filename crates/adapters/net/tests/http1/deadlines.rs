//! How long an exchange waits for its server.

use std::time::Duration;

use loadline_net::{BodyMode, NetworkSettings};

use super::common::{Bed, ONE_WAY, Say, get, now};
use super::{OK, URL, ms};

#[test]
fn a_silent_server_is_waited_for_until_the_deadline() {
    let mut bed = Bed::new();
    bed.serve(80, |_, _, _| Vec::new());
    let (response, outcome) = bed.exchange(&get(URL));
    let failure = outcome.unwrap_err();
    assert_eq!(
        (failure.code(), failure.text().as_str()),
        (1050, "request timeout")
    );
    assert_eq!(
        failure.log("GET", URL),
        "Get \"http://10.0.0.1/\": request timeout"
    );
    assert_eq!(response.timing.waiting(), ms(1000) - ONE_WAY * 2);
    assert_eq!(response.timing.receiving(), Duration::ZERO);
    bed.wait(ms(1));
    assert_eq!(bed.seen.borrow().closed, 1, "the connection is given up");
}

#[test]
fn a_server_that_stops_in_the_body_is_waited_for_until_the_deadline() {
    let mut bed = Bed::new();
    bed.serve(80, |_, _, _| {
        vec![Say::After(
            ms(400),
            b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\npart".to_vec(),
        )]
    });
    let (response, outcome) = bed.exchange(&get(URL));
    let failure = outcome.unwrap_err();
    assert_eq!(failure.log("GET", URL), "request timeout");
    assert_eq!(response.body, b"part");
    assert_eq!(response.timing.waiting(), ms(400) + ONE_WAY * 2);
    assert_eq!(response.timing.receiving(), ms(600) - ONE_WAY * 4);
}

/// Deadlines that hold until the head, and pauses of 300 ms in the body.
fn patient() -> Bed {
    Bed::with(NetworkSettings {
        body_patience: Some(ms(300)),
        ..NetworkSettings::default()
    })
}

#[test]
fn with_patience_a_body_that_keeps_coming_may_outlast_the_deadline() {
    let mut bed = patient();
    bed.serve(80, |_, _, _| {
        let head = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n".to_vec();
        let mut says = vec![Say::After(ms(800), head)];
        says.extend((1..=5).map(|n| Say::After(ms(800 + 250 * n), b"x".to_vec())));
        says
    });
    let (response, outcome) = bed.exchange(&get(URL));
    outcome.unwrap();
    assert_eq!(response.body, b"xxxxx");
}

#[test]
fn with_patience_a_body_that_stops_fails_and_so_does_a_silent_server() {
    let mut bed = patient();
    bed.serve(80, |_, _, _| {
        let part = b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\npart".to_vec();
        vec![Say::After(ms(900), part)]
    });
    let (response, outcome) = bed.exchange(&get(URL));
    assert_eq!(outcome.unwrap_err().text(), "request timeout");
    assert_eq!(response.body, b"part");
    assert_eq!(response.timing.receiving(), ms(300));

    let mut bed = patient();
    bed.serve(80, |_, _, _| Vec::new());
    let (response, outcome) = bed.exchange(&get(URL));
    assert_eq!(outcome.unwrap_err().text(), "request timeout");
    assert_eq!(response.timing.waiting(), ms(1000) - ONE_WAY * 2);
}

#[test]
fn a_deadline_that_has_passed_sends_nothing() {
    let mut bed = Bed::new();
    bed.serve(80, |_, _, _| vec![now(OK)]);
    let client = bed.client.clone();
    let deadline = bed.network.handle().now();
    let failure = bed.run(async move {
        let options = loadline_net::ExchangeOptions {
            started: deadline,
            deadline,
            body: BodyMode::default(),
        };
        let mut response = loadline_net::Response::new();
        client.exchange(&get(URL), &options, &mut response).await
    });
    assert_eq!(failure.unwrap_err().code(), 1050);
    assert_eq!(bed.seen.borrow().connections, 0);
}
