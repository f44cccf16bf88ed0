//! HTTP/2: streams of one connection, and the ways it ends.

use std::cell::RefCell;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;

use bytes::Bytes;
use loadline_net::{
    BodyMode, Cause, Client, ExchangeOptions, Failure, Http2Scope, Protocol, Request, Response,
    TlsOptions, Url,
};
use loadline_units::{Clock, Time};

use super::authority::Authority;
use super::common::{Bed, ONE_WAY, get};
use super::server::{App, Seen, serve};

const URL: &str = "https://10.0.0.1/";
const H2: &[&str] = &["h2"];

const DATA: u8 = 0;
const HEADERS: u8 = 1;
const RST_STREAM: u8 = 3;
const SETTINGS: u8 = 4;
const GOAWAY: u8 = 7;
const WINDOW_UPDATE: u8 = 8;
const END_STREAM: u8 = 1;
const END_HEADERS: u8 = 4;
const ACK: u8 = 1;
/// `:status: 200` in HPACK's static table.
const STATUS_200: u8 = 0x88;

fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let mut out = u32::try_from(payload.len()).unwrap().to_be_bytes()[1..].to_vec();
    out.extend([kind, flags]);
    out.extend(stream.to_be_bytes());
    out.extend(payload);
    out
}

fn ok(stream: u32) -> Vec<u8> {
    [
        frame(HEADERS, END_HEADERS, stream, &[STATUS_200]),
        frame(DATA, END_STREAM, stream, b"ok"),
    ]
    .concat()
}

fn reset(stream: u32, code: u32) -> Vec<u8> {
    frame(RST_STREAM, 0, stream, &code.to_be_bytes())
}

fn go_away(last: u32, code: u32) -> Vec<u8> {
    let payload = [last.to_be_bytes(), code.to_be_bytes()].concat();
    frame(GOAWAY, 0, 0, &payload)
}

/// Frames for a request that is complete: connection number, request number, stream.
type Script = Rc<RefCell<dyn FnMut(usize, usize, u32) -> Vec<u8>>>;

/// Speaks HTTP/2 by hand. An empty answer ends the connection.
struct Server {
    script: Script,
    settings: Vec<u8>,
    delay: Duration,
    connection: usize,
    requests: usize,
    unread: Vec<u8>,
    greeted: bool,
    over: bool,
    uploaded: Rc<RefCell<usize>>,
}

impl App for Server {
    fn received(&mut self, bytes: &[u8]) -> Vec<u8> {
        self.unread.extend_from_slice(bytes);
        let mut out = Vec::new();
        if !self.greeted {
            if self.unread.len() < 24 {
                return out;
            }
            self.unread.drain(..24);
            self.greeted = true;
            out.extend(frame(SETTINGS, 0, 0, &self.settings));
        }
        while self.unread.len() >= 9 {
            let length = usize::from(self.unread[1]) << 8 | usize::from(self.unread[2]);
            if self.unread.len() < 9 + length {
                break;
            }
            let whole: Vec<u8> = self.unread.drain(..9 + length).collect();
            let (kind, flags) = (whole[3], whole[4]);
            let stream = u32::from_be_bytes(whole[5..9].try_into().unwrap());
            match kind {
                SETTINGS if flags & ACK == 0 => out.extend(frame(SETTINGS, ACK, 0, &[])),
                DATA if length > 0 => {
                    *self.uploaded.borrow_mut() += length;
                    let more = u32::try_from(length).unwrap().to_be_bytes();
                    out.extend(frame(WINDOW_UPDATE, 0, 0, &more));
                    out.extend(frame(WINDOW_UPDATE, 0, stream, &more));
                }
                _ => {}
            }
            if matches!(kind, DATA | HEADERS) && flags & END_STREAM != 0 {
                let script = self.script.clone();
                let answer = (script.borrow_mut())(self.connection, self.requests, stream);
                self.over = answer.is_empty();
                self.requests += 1;
                out.extend(answer);
            }
        }
        out
    }

    fn delay(&self) -> Duration {
        self.delay
    }

    fn is_over(&self) -> bool {
        self.over
    }
}

struct Http2Bed {
    bed: Bed,
    seen: Rc<RefCell<Vec<Seen>>>,
    uploaded: Rc<RefCell<usize>>,
}

fn bed(script: impl FnMut(usize, usize, u32) -> Vec<u8> + 'static) -> Http2Bed {
    bed_with(&[], Duration::ZERO, script)
}

fn bed_with(
    settings: &[u8],
    delay: Duration,
    script: impl FnMut(usize, usize, u32) -> Vec<u8> + 'static,
) -> Http2Bed {
    let authority = Authority::new("a");
    let bed = Bed::with(authority.trusted(&TlsOptions::default()));
    let script: Script = Rc::new(RefCell::new(script));
    let settings = settings.to_vec();
    let uploaded = Rc::new(RefCell::new(0));
    let count = uploaded.clone();
    let mut connections = 0;
    let seen = serve(
        &bed,
        443,
        authority.leaf(&["10.0.0.1"]).server(H2),
        move || {
            connections += 1;
            Server {
                script: script.clone(),
                settings: settings.clone(),
                delay,
                connection: connections - 1,
                requests: 0,
                unread: Vec::new(),
                greeted: false,
                over: false,
                uploaded: count.clone(),
            }
        },
    );
    Http2Bed {
        bed,
        seen,
        uploaded,
    }
}

impl Http2Bed {
    fn get_ok(&mut self) -> Response {
        let (response, outcome) = self.bed.exchange(&get(URL));
        outcome.unwrap();
        assert_eq!(response.body, b"ok");
        response
    }

    fn failure(&mut self) -> Failure {
        self.bed.exchange(&get(URL)).1.unwrap_err()
    }

    /// As many exchanges at once; their responses in the order they were begun.
    fn at_once(&mut self, count: usize) -> Vec<Response> {
        let responses = Rc::new(RefCell::new(Vec::new()));
        let left = Rc::new(RefCell::new(count));
        for number in 0..count {
            let (client, left, responses) =
                (self.bed.client.clone(), left.clone(), responses.clone());
            let started = self.bed.world.now();
            let deadline = started + Duration::from_secs(1);
            self.bed.reactor.handle().spawn(async move {
                let mut response = Response::new();
                one(&client, started, deadline, &mut response)
                    .await
                    .unwrap();
                responses.borrow_mut().push((number, response));
                *left.borrow_mut() -= 1;
            });
        }
        let handle = self.bed.reactor.handle();
        self.bed.run(async move {
            while *left.borrow() > 0 {
                handle.sleep_until(handle.now() + ONE_WAY).await;
            }
        });
        let mut all = responses.take();
        all.sort_by_key(|(number, _)| *number);
        all.into_iter().map(|(_, response)| response).collect()
    }
}

async fn one(
    client: &Client,
    started: Time,
    deadline: Time,
    response: &mut Response,
) -> Result<(), Failure> {
    let options = ExchangeOptions {
        started,
        deadline,
        body: BodyMode::default(),
    };
    client.exchange(&get(URL), &options, response).await
}

#[test]
fn an_exchange_has_its_phases_and_the_connection_is_used_again() {
    let mut h2 = bed(|_, _, stream| ok(stream));

    let first = h2.get_ok();
    assert_eq!(first.protocol, Protocol::Http2);
    assert_eq!(first.head.status_text(), b"200 OK");
    assert_eq!(first.remote, Some(SocketAddr::from(([10, 0, 0, 1], 443))));
    assert!(first.tls.is_some());
    assert_eq!(first.timing.blocked(), ONE_WAY * 4);
    assert_eq!(first.timing.connecting(), ONE_WAY * 2);
    assert_eq!(first.timing.tls_handshaking(), ONE_WAY * 2);
    assert_eq!(first.timing.sending(), Duration::ZERO);
    assert_eq!(first.timing.waiting(), ONE_WAY * 2);
    let traffic = h2.bed.client.take_traffic();
    assert_eq!((first.bytes_sent, first.bytes_received), traffic);
    assert!(!first.reused);

    let second = h2.get_ok();
    assert!(second.reused);
    assert_eq!(second.timing.blocked(), Duration::ZERO);
    assert_eq!(second.timing.waiting(), ONE_WAY * 2);
    assert!(second.bytes_sent > 0 && second.bytes_sent < 100);
    assert_eq!(h2.seen.borrow().len(), 1);
    assert_eq!(h2.bed.client.idle_connections(), 1);

    h2.bed.client.close_idle();
    h2.bed.wait(ONE_WAY * 2);
    assert!(h2.seen.borrow()[0].close_notify);
    h2.get_ok();
    assert_eq!(h2.seen.borrow().len(), 2);
}

#[test]
fn exchanges_at_once_share_one_connection_even_while_it_is_made() {
    let mut h2 = bed_with(&[], Duration::from_millis(3), |_, _, stream| ok(stream));

    let responses = h2.at_once(5);

    assert_eq!(h2.seen.borrow().len(), 1);
    assert!(responses.iter().all(|r| r.body == b"ok"));
    let reused: Vec<_> = responses.iter().map(|r| r.reused).collect();
    assert_eq!(reused.iter().filter(|reused| !**reused).count(), 1);
    // All wait for the connection, then for their answer: none for another's answer.
    let first = responses[0].timing.finish();
    assert!(responses.iter().all(|r| r.timing.finish() == first));
}

/// The request that makes the first connection may be interrupted.
#[test]
fn a_connection_nobody_finishes_is_made_by_another() {
    let mut h2 = bed(|_, _, stream| ok(stream));
    let client = h2.bed.client.clone();
    let started = h2.bed.world.now();
    let deadline = started + ONE_WAY * 3;
    h2.bed.reactor.handle().spawn(async move {
        let outcome = one(&client, started, deadline, &mut Response::new()).await;
        assert_eq!(outcome.unwrap_err().code(), 1050);
    });

    let response = h2.get_ok();

    assert_eq!(response.timing.blocked(), ONE_WAY * 3 + ONE_WAY * 4);
    assert_eq!(h2.seen.borrow().len(), 2);
}

#[test]
fn exchanges_beyond_the_servers_limit_wait() {
    const MAX_CONCURRENT_STREAMS: [u8; 6] = [0, 3, 0, 0, 0, 1];
    let delay = Duration::from_millis(10);
    let mut h2 = bed_with(&MAX_CONCURRENT_STREAMS, delay, |_, _, stream| ok(stream));
    h2.get_ok();

    let mut blocked: Vec<_> = h2.at_once(3).iter().map(|r| r.timing.blocked()).collect();

    blocked.sort();
    let turn = delay + ONE_WAY * 2;
    assert_eq!(blocked, [Duration::ZERO, turn, turn * 2]);
    assert_eq!(h2.seen.borrow().len(), 1);
}

#[test]
fn large_bodies_pass_both_ways_within_the_windows() {
    const REQUEST_BODY_BYTES: usize = 9_000_000;
    // The server by hand does not wait for a window, which is a little larger.
    const RESPONSE_BODY_BYTES: usize = 4_000_000;
    let mut h2 = bed(|_, _, stream| {
        let mut out = frame(HEADERS, END_HEADERS, stream, &[STATUS_200]);
        for _ in 0..RESPONSE_BODY_BYTES / 10_000 {
            out.extend(frame(DATA, 0, stream, &[b'x'; 10_000]));
        }
        out.extend(frame(DATA, END_STREAM, stream, &[]));
        out
    });
    let mut post = Request::new("POST", Url::parse(URL).unwrap());
    post.set_body(Some(Bytes::from(vec![b'y'; REQUEST_BODY_BYTES])));

    let (response, outcome) = h2.bed.exchange(&post);

    assert_eq!(outcome, Ok(()));
    assert_eq!(response.body, vec![b'x'; RESPONSE_BODY_BYTES]);
    assert_eq!(*h2.uploaded.borrow(), REQUEST_BODY_BYTES);
    assert!(response.timing.sending() > Duration::ZERO);

    let (response, outcome) = h2.bed.exchange_with(&get(URL), BodyMode::Discard);
    assert_eq!((outcome, response.body.len()), (Ok(()), 0));
    let (_, outcome) = h2.bed.exchange_with(&get(URL), BodyMode::Keep { limit: 5 });
    assert_eq!(
        outcome.unwrap_err().cause(),
        &Cause::BodyTooLarge { limit: 5 }
    );
}

#[test]
fn a_stream_that_is_reset_fails_with_its_code_and_the_connection_lives() {
    let mut h2 = bed(|_, request, stream| match request {
        0 => reset(stream, 2),
        1 => [
            frame(HEADERS, END_HEADERS, stream, &[STATUS_200]),
            reset(stream, 8),
        ]
        .concat(),
        _ => ok(stream),
    });

    let failure = h2.failure();
    assert_eq!(failure.code(), 1633);
    assert_eq!(
        failure.text(),
        "http2: stream error with http2 ErrCode INTERNAL_ERROR"
    );
    let failure = h2.failure();
    assert_eq!((failure.code(), failure.is_in_body()), (1639, true));
    h2.get_ok();
    assert_eq!(h2.seen.borrow().len(), 1);
}

#[test]
fn a_refused_stream_is_tried_once_more() {
    let mut once = bed(|_, request, stream| match request {
        0 => reset(stream, 7),
        _ => ok(stream),
    });
    once.get_ok();

    let asked = Rc::new(RefCell::new(0));
    let count = asked.clone();
    let mut always = bed(move |_, _, stream| {
        *count.borrow_mut() += 1;
        reset(stream, 7)
    });
    assert_eq!(always.failure().code(), 1638);
    assert_eq!(*asked.borrow(), 2);
}

#[test]
fn a_server_that_goes_away_is_followed_to_a_new_connection() {
    let mut h2 = bed(|connection, request, stream| match (connection, request) {
        (0, 1) => go_away(1, 0),
        _ => ok(stream),
    });
    h2.get_ok();

    let response = h2.get_ok();

    assert!(!response.reused);
    assert_eq!(h2.seen.borrow().len(), 2);
}

#[test]
fn a_server_that_leaves_in_anger_fails_what_it_was_asked() {
    let mut h2 = bed(|_, _, _| go_away(0, 11));
    let failure = h2.failure();
    assert_eq!(failure.code(), 1622);
    assert_eq!(
        failure.text(),
        "http2: received GoAway with http2 ErrCode ENHANCE_YOUR_CALM"
    );
    assert_eq!(h2.seen.borrow().len(), 1);
}

#[test]
fn a_server_that_breaks_the_rules_fails_the_connection() {
    // DATA for a stream nobody opened.
    let mut h2 = bed(|_, _, stream| frame(DATA, 0, stream + 2, b"x"));
    let failure = h2.failure();
    assert_eq!(failure.cause(), &Cause::Http2(Http2Scope::Connection, 1));
    assert_eq!(failure.code(), 1652);
}

#[test]
fn a_connection_that_ends_fails_what_it_carried_and_is_not_used_again() {
    let mut h2 = bed(|connection, _, stream| match connection {
        0 => Vec::new(),
        _ => ok(stream),
    });
    let failure = h2.failure();
    assert_eq!(
        (failure.code(), failure.text().as_str()),
        (1000, "unexpected EOF")
    );
    assert!(!h2.get_ok().reused);
}

#[test]
fn an_exchange_that_takes_too_long_leaves_the_connection_to_others() {
    let mut h2 = bed(|_, request, stream| match request {
        0 => frame(WINDOW_UPDATE, 0, 0, &[0, 0, 0, 1]),
        _ => ok(stream),
    });
    assert_eq!(h2.failure().code(), 1050);
    assert!(h2.get_ok().reused);
    assert_eq!(h2.seen.borrow().len(), 1);
}

#[test]
fn a_server_that_speaks_http1_only_is_remembered() {
    let authority = Authority::new("a");
    let mut bed = Bed::with(authority.trusted(&TlsOptions::default()));
    let leaf = authority.leaf(&["10.0.0.1"]);
    let seen = serve(&bed, 443, leaf.server(&[]), super::server::ok);
    bed.exchange(&get(URL)).1.unwrap();
    let mut h2 = Http2Bed {
        bed,
        seen,
        uploaded: Rc::default(),
    };

    let responses = h2.at_once(3);

    assert_eq!(responses[0].protocol, Protocol::Http11);
    assert_eq!(h2.seen.borrow().len(), 3);
    let finished: Vec<_> = responses.iter().map(|r| r.timing.finish()).collect();
    assert_eq!(finished[1], finished[2], "the others connect at once");
}

#[test]
fn a_stream_is_read_as_it_comes_and_resets_when_given_up() {
    let mut h2 = bed(|_, _, stream| {
        let mut bytes = frame(HEADERS, END_HEADERS, stream, &[STATUS_200]);
        bytes.extend(frame(DATA, 0, stream, b"piece"));
        bytes
    });
    let client = h2.bed.client.clone();
    let started = h2.bed.world.now();
    let options = loadline_net::ExchangeOptions {
        started,
        deadline: started + Duration::from_secs(1),
        body: loadline_net::BodyMode::Discard,
    };
    let outcome = h2.bed.run(async move {
        let mut response = Response::new();
        let mut body = client
            .open(&get(URL), &options, &mut response)
            .await
            .unwrap();
        let mut piece = Vec::new();
        let first = body.next(&mut response, &mut piece).await;
        assert_eq!((first, &piece[..]), (Ok(true), &b"piece"[..]));
        assert_eq!(response.protocol, Protocol::Http2);
        drop(body);
        client.idle_connections()
    });
    assert_eq!(outcome, 1, "the connection is free for others");
}
