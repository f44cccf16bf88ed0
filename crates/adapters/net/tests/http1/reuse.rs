//! Which connections are used again, and what happens when one has died.

use std::time::Duration;

use loadline_net::{BodyMode, NetworkSettings, Request, Url};

use super::common::{Bed, ONE_WAY, Say, get, now};
use super::{OK, URL, assert_all_accounted_for, ms};

#[test]
fn a_connection_is_used_again_and_then_costs_no_connecting() {
    let mut bed = Bed::new();
    bed.serve(80, |_, _, _| vec![now(OK)]);

    bed.exchange(&get(URL)).1.unwrap();
    let (response, outcome) = bed.exchange(&get(URL));

    assert_eq!(outcome, Ok(()));
    assert!(response.reused);
    assert_eq!(response.timing.blocked(), Duration::ZERO);
    assert_eq!(response.timing.connecting(), Duration::ZERO);
    assert_eq!(response.timing.waiting(), ONE_WAY * 2);
    assert_eq!(response.bytes_received, OK.len() as u64);
    assert_eq!(bed.seen.borrow().connections, 1);
    assert_eq!(bed.seen.borrow().pieces, 2, "one send per request");
}

#[test]
fn connections_are_not_shared_between_hosts_ports_and_clients() {
    let mut bed = Bed::new();
    bed.serve(80, |_, _, _| vec![now(OK)]);
    bed.serve(81, |_, _, _| vec![now(OK)]);

    bed.exchange(&get(URL)).1.unwrap();
    bed.exchange(&get("http://10.0.0.1:81/")).1.unwrap();
    assert_eq!(bed.client.idle_connections(), 2);
    bed.client = loadline_net::Client::new(&bed.network, None);
    bed.exchange(&get(URL)).1.unwrap();

    assert_eq!(bed.seen.borrow().connections, 3);
}

#[test]
fn a_connection_that_may_not_or_cannot_be_used_again_is_closed() {
    let close = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
    let surplus = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nmore";
    for answer in [&close[..], surplus] {
        let mut bed = Bed::new();
        bed.serve(80, move |_, _, _| vec![now(answer)]);
        bed.exchange(&get(URL)).1.unwrap();
        assert_eq!(bed.client.idle_connections(), 0);
    }
    let mut bed = Bed::with(NetworkSettings {
        reuse_connections: false,
        ..NetworkSettings::default()
    });
    bed.serve(80, |_, _, _| vec![now(OK)]);
    bed.exchange(&get(URL)).1.unwrap();
    assert_eq!(bed.client.idle_connections(), 0);
    assert!(bed.seen.borrow().requests[0].contains("\r\nConnection: close\r\n"));
}

#[test]
fn idle_connections_are_closed_on_demand() {
    let mut bed = Bed::new();
    bed.serve(80, |_, _, _| vec![now(OK)]);
    bed.exchange(&get(URL)).1.unwrap();

    bed.client.close_idle();
    bed.wait(ms(1));

    assert_eq!(bed.seen.borrow().closed, 1);
    assert_eq!(bed.client.idle_connections(), 0);
}

#[test]
fn idle_connections_are_kept_within_the_limits() {
    let mut bed = Bed::with(NetworkSettings {
        max_idle_per_host: 2,
        max_idle: 3,
        ..NetworkSettings::default()
    });
    for port in [80, 81] {
        bed.serve(port, |_, _, _| vec![Say::After(ms(5), OK.to_vec())]);
    }
    let client = bed.client.clone();
    let handle = bed.network.handle().clone();
    let done = bed.run(async move {
        let done = std::rc::Rc::new(std::cell::Cell::new(0));
        for port in [80, 80, 80, 81, 81] {
            let (client, done) = (client.clone(), done.clone());
            let started = handle.now();
            handle.spawn(async move {
                let mut response = loadline_net::Response::new();
                let options = loadline_net::ExchangeOptions {
                    started,
                    deadline: started + ms(1000),
                    body: BodyMode::default(),
                };
                let request = get(&format!("http://10.0.0.1:{port}/"));
                client
                    .exchange(&request, &options, &mut response)
                    .await
                    .unwrap();
                done.set(done.get() + 1);
            });
        }
        handle.sleep_until(handle.now() + ms(20)).await;
        done.get()
    });
    assert_eq!(done, 5);
    assert_eq!(bed.seen.borrow().connections, 5);
    assert_eq!(bed.client.idle_connections(), 3);
}

#[test]
fn a_connection_closed_while_idle_is_replaced_without_a_word() {
    let mut bed = Bed::new();
    bed.serve(80, |_, _, _| vec![now(OK), Say::Close(ms(1))]);
    bed.exchange(&get(URL)).1.unwrap();
    bed.wait(ms(10));

    let (response, outcome) = bed.exchange(&get(URL));

    assert_eq!(outcome, Ok(()));
    assert!(!response.reused);
    assert_eq!(bed.seen.borrow().connections, 2);
    assert_eq!(bed.seen.borrow().requests.len(), 2);
}

/// The server closes an idle connection while a request is on its way to it.
fn dies_when_used_again(
    method: &'static str,
    ending: Say,
) -> (Bed, Result<(), loadline_net::Failure>) {
    let mut bed = Bed::new();
    bed.serve(80, move |connection, request, _| {
        match (connection, request) {
            (0, 1) => vec![ending.clone()],
            _ => vec![now(OK)],
        }
    });
    bed.exchange(&get(URL)).1.unwrap();
    let request = Request::new(method, Url::parse(URL).unwrap());
    let (_, outcome) = bed.exchange(&request);
    (bed, outcome)
}

#[test]
fn a_request_that_met_a_dying_connection_is_sent_again_if_that_is_safe() {
    for ending in [Say::Close(Duration::ZERO), Say::Reset(Duration::ZERO)] {
        let (bed, outcome) = dies_when_used_again("GET", ending);
        assert_eq!(outcome, Ok(()));
        assert_eq!(bed.seen.borrow().requests.len(), 3);
        assert_all_accounted_for(&bed, [2, 2, 0, 0, 1]);
    }
    let (bed, outcome) = dies_when_used_again("POST", Say::Close(Duration::ZERO));
    assert_eq!(outcome.unwrap_err().text(), "EOF");
    assert_eq!(bed.seen.borrow().requests.len(), 2);
    assert_all_accounted_for(&bed, [2, 1, 1, 0, 0]);
    let (_, outcome) = dies_when_used_again("POST", Say::Reset(Duration::ZERO));
    assert_eq!(outcome.unwrap_err().code(), 1220);
}

#[test]
fn a_fresh_connection_is_not_tried_twice() {
    let mut bed = Bed::new();
    bed.serve(80, |_, _, _| vec![Say::Close(Duration::ZERO)]);
    let (_, outcome) = bed.exchange(&get(URL));
    let failure = outcome.unwrap_err();
    assert_eq!((failure.code(), failure.text().as_str()), (1000, "EOF"));
    assert_eq!(bed.seen.borrow().connections, 1);
}
