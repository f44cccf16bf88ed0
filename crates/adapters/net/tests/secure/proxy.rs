//! Through proxies: forwarded, tunnelled, refused.

use std::cell::RefCell;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;

use loadline_net::{NetworkSettings, Proxies, TlsOptions};
use loadline_reactor::sim::{Peer, PeerActions, World};

use super::authority::Authority;
use super::common::{Bed, get, now};
use super::server::{ADDRESS, App, Peers, TlsPeer, ok, serve};

const OK: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

fn proxied(settings: NetworkSettings, http: &str, https: &str) -> Bed {
    Bed::with(NetworkSettings {
        proxies: Proxies::from_variables(http, https, "direct.test").unwrap(),
        ..settings
    })
}

/// A proxy on `port` that answers what it is told first with each of `answers`, then is
/// `behind`.
fn tunnel(
    world: &World,
    port: u16,
    answers: &'static [&'static [u8]],
    behind: impl Fn() -> Box<dyn Peer> + 'static,
) -> Rc<RefCell<Vec<Vec<u8>>>> {
    let heard: Rc<RefCell<Vec<Vec<u8>>>> = Rc::default();
    let all = heard.clone();
    world.listen(SocketAddr::from((ADDRESS, port)), move || {
        Box::new(Tunnel {
            answers: answers.to_vec(),
            heard: all.clone(),
            behind: behind(),
        })
    });
    heard
}

struct Tunnel {
    answers: Vec<&'static [u8]>,
    heard: Rc<RefCell<Vec<Vec<u8>>>>,
    behind: Box<dyn Peer>,
}

impl Peer for Tunnel {
    fn received(&mut self, bytes: &[u8], wire: &mut PeerActions) {
        if self.answers.is_empty() {
            self.behind.received(bytes, wire);
        } else {
            self.heard.borrow_mut().push(bytes.to_vec());
            wire.send(Duration::ZERO, self.answers.remove(0));
        }
    }
}

/// An origin server without TLS behind a tunnel.
struct Plain<A>(A);

impl<A: App> Peer for Plain<A> {
    fn received(&mut self, bytes: &[u8], wire: &mut PeerActions) {
        wire.send(Duration::ZERO, self.0.received(bytes));
    }
}

fn nothing() -> Box<dyn Peer> {
    Box::new(Plain(|_: &[u8]| Vec::new()))
}

#[test]
fn plain_requests_are_forwarded_on_one_connection_to_the_proxy() {
    let mut bed = proxied(NetworkSettings::default(), "http://me:pw@10.0.0.1:3128", "");
    bed.serve(3128, |_, _, _| vec![now(OK)]);
    for url in ["http://a.test/x?y", "http://b.test:81/"] {
        let (response, outcome) = bed.exchange(&get(url));
        assert_eq!(outcome, Ok(()));
        assert_eq!(response.remote, Some("10.0.0.1:3128".parse().unwrap()));
    }
    let seen = bed.seen.borrow();
    assert_eq!(seen.connections, 1);
    assert_eq!(
        seen.requests,
        [
            "GET http://a.test/x?y HTTP/1.1\r\nHost: a.test\r\n\
             Proxy-Authorization: Basic bWU6cHc=\r\n\r\n",
            "GET http://b.test:81/ HTTP/1.1\r\nHost: b.test:81\r\n\
             Proxy-Authorization: Basic bWU6cHc=\r\n\r\n",
        ]
    );
}

#[test]
fn an_excepted_host_is_reached_directly() {
    let mut bed = proxied(NetworkSettings::default(), "10.0.0.1:3128", "");
    bed.serve(3128, |_, _, _| vec![now(OK)]);
    let failure = bed.exchange(&get("http://direct.test/")).1.unwrap_err();
    assert_eq!(failure.code(), 1101, "it was looked up here");
    assert_eq!(bed.seen.borrow().connections, 0);
}

/// A TLS server at 10.0.0.1:443 whose peers a tunnel can lead to.
#[test]
fn secure_requests_are_tunnelled() {
    for scheme in ["http", "https"] {
        let authority = Authority::new("a");
        let settings = authority.trusted(&TlsOptions::default());
        let proxy = format!("{scheme}://me@10.0.0.1:3128");
        let mut bed = proxied(settings, "", &proxy);
        let leaf = authority.leaf(&["app.test", "10.0.0.1"]);
        let peers = Peers::new(leaf.server(&["http/1.1"]), ok);
        let seen = peers.seen.clone();
        let granted: &[&[u8]] = &[b"HTTP/1.1 200 Connection established\r\n\r\n"];
        let heard = if scheme == "http" {
            tunnel(&bed.world, 3128, granted, move || Box::new(peers.accept()))
        } else {
            let heard: Rc<RefCell<Vec<Vec<u8>>>> = Rc::default();
            let all = heard.clone();
            let peers = Rc::new(peers);
            serve(&bed, 3128, leaf.server(&[]), move || Within {
                answers: granted.to_vec(),
                heard: all.clone(),
                behind: peers.accept(),
            });
            heard
        };

        let (first, outcome) = bed.exchange(&get("https://app.test/"));
        assert_eq!(outcome, Ok(()), "{scheme}");
        assert_eq!(first.body, b"ok");
        assert!(first.timing.tls_handshaking() > Duration::ZERO);
        assert!(
            first.timing.blocked() > first.timing.connecting() + first.timing.tls_handshaking()
        );
        let (second, outcome) = bed.exchange(&get("https://app.test/"));
        assert_eq!((outcome, second.reused), (Ok(()), true));

        assert_eq!(heard.borrow().len(), 1);
        assert_eq!(
            String::from_utf8_lossy(&heard.borrow()[0]),
            "CONNECT app.test:443 HTTP/1.1\r\nHost: app.test:443\r\n\
             Proxy-Authorization: Basic bWU6\r\n\r\n"
        );
        assert_eq!(seen.borrow()[0].server_name.as_deref(), Some("app.test"));
    }
}

/// A tunnel within TLS; what is behind it answers at once.
struct Within {
    answers: Vec<&'static [u8]>,
    heard: Rc<RefCell<Vec<Vec<u8>>>>,
    behind: TlsPeer,
}

impl App for Within {
    fn received(&mut self, bytes: &[u8]) -> Vec<u8> {
        if self.answers.is_empty() {
            return self.behind.answer(bytes);
        }
        self.heard.borrow_mut().push(bytes.to_vec());
        self.answers.remove(0).to_vec()
    }
}

#[test]
fn a_proxy_that_cannot_be_reached_or_refuses_is_told() {
    let settings = || Authority::new("a").trusted(&TlsOptions::default());
    let mut bed = proxied(settings(), "10.0.0.1:1", "10.0.0.1:1");
    for url in ["http://a.test/", "https://a.test/"] {
        let failure = bed.exchange(&get(url)).1.unwrap_err();
        assert_eq!(failure.code(), 1200);
        assert_eq!(
            failure.text(),
            "proxyconnect tcp: dial tcp 10.0.0.1:1: connect: connection refused"
        );
    }

    let mut bed = proxied(settings(), "", "10.0.0.1:3128");
    tunnel(
        &bed.world,
        3128,
        &[b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n"],
        nothing,
    );
    let failure = bed.exchange(&get("https://a.test/")).1.unwrap_err();
    assert_eq!(failure.code(), 1000);
    assert_eq!(failure.text(), "Proxy Authentication Required");
}

#[test]
fn socks_carries_both_kinds() {
    let mut bed = proxied(
        NetworkSettings::default(),
        "socks5://me:pw@10.0.0.1:1080",
        "",
    );
    let answers: &[&[u8]] = &[&[5, 2], &[1, 0], &[5, 0, 0, 1, 10, 0, 0, 9, 0, 80]];
    let heard = tunnel(&bed.world, 1080, answers, || Box::new(Plain(ok())));

    let (response, outcome) = bed.exchange(&get("http://app.test/"));

    assert_eq!((outcome, response.body.as_slice()), (Ok(()), &b"ok"[..]));
    assert_eq!(
        *heard.borrow(),
        [
            &b"\x05\x02\x00\x02"[..],
            b"\x01\x02me\x02pw",
            b"\x05\x01\x00\x03\x08app.test\x00\x50",
        ]
    );
    assert!(bed.exchange(&get("http://app.test/")).0.reused);

    let refused: &[&[u8]] = &[&[5, 0], &[5, 4, 0, 1]];
    let mut bed = proxied(NetworkSettings::default(), "socks5://10.0.0.1:1080", "");
    tunnel(&bed.world, 1080, refused, nothing);
    let failure = bed.exchange(&get("http://10.0.0.9/")).1.unwrap_err();
    assert_eq!(failure.code(), 1200);
    assert_eq!(
        failure.text(),
        "socks connect tcp 10.0.0.1:1080->10.0.0.9:80: unknown error host unreachable"
    );
}
