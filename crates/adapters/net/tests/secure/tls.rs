//! TLS: what is agreed on, what it costs, whom it trusts, how it fails.

use std::time::Duration;

use bytes::Bytes;
use loadline_net::{
    CipherSuites, Failure, Identity, NetworkSettings, Request, Response, TlsError, TlsOptions,
    TlsVersion, Url,
};
use rustls::HandshakeKind;

use super::authority::{Authority, Leaf, with_tls};
use super::common::{Bed, ONE_WAY, Say, get};
use super::server::{ok, serve};

pub(crate) const URL: &str = "https://10.0.0.1/";
const HTTP1: &[&str] = &["http/1.1"];

pub(crate) fn get_ok(bed: &mut Bed, url: &str) -> Response {
    let (response, outcome) = bed.exchange(&get(url));
    outcome.unwrap();
    assert_eq!(response.body, b"ok");
    response
}

pub(crate) fn failure(bed: &mut Bed, url: &str) -> Failure {
    let (response, outcome) = bed.exchange(&get(url));
    assert_eq!(response.head.status(), 0);
    assert_eq!(response.timing.duration(), Duration::ZERO);
    assert_eq!(response.remote, None);
    outcome.unwrap_err()
}

#[test]
fn the_handshake_has_its_time_and_its_bytes() {
    let authority = Authority::new("a");
    let options = TlsOptions {
        http2: true,
        ..TlsOptions::default()
    };
    let mut bed = Bed::with(authority.trusted(&options));
    let seen = serve(&bed, 443, authority.leaf(&["10.0.0.1"]).server(HTTP1), ok);

    let response = get_ok(&mut bed, URL);

    let tls = response.tls.unwrap();
    assert_eq!(tls.version, TlsVersion::Tls13);
    assert_eq!(tls.cipher_suite, "TLS_AES_128_GCM_SHA256");
    let timing = response.timing;
    assert_eq!(timing.connecting(), ONE_WAY * 2);
    assert_eq!(timing.tls_handshaking(), ONE_WAY * 2);
    assert_eq!(timing.blocked(), ONE_WAY * 4);
    assert_eq!(timing.sending(), Duration::ZERO);
    assert_eq!(timing.waiting(), ONE_WAY * 2);
    let (sent, received) = bed.client.take_traffic();
    assert_eq!(
        (response.bytes_sent, response.bytes_received),
        (sent, received)
    );
    assert!(sent > 300 && received > 500, "{sent} {received}");
    assert_eq!(
        seen.borrow()[0].server_name,
        None,
        "an address is no server name"
    );
    assert_eq!(seen.borrow()[0].protocol.as_deref(), Some(&b"http/1.1"[..]));
}

#[test]
fn a_connection_is_used_again_without_a_handshake_and_ended_with_close_notify() {
    let authority = Authority::new("a");
    let mut bed = Bed::with(authority.trusted(&TlsOptions::default()));
    let seen = serve(&bed, 443, authority.leaf(&["10.0.0.1"]).server(HTTP1), ok);

    get_ok(&mut bed, URL);
    let again = get_ok(&mut bed, URL);
    assert!(again.reused);
    assert_eq!(again.timing.tls_handshaking(), Duration::ZERO);
    assert_eq!(again.timing.blocked(), Duration::ZERO);
    assert!(again.tls.is_some());
    assert_eq!(seen.borrow().len(), 1);

    bed.client.close_idle();
    bed.wait(ONE_WAY * 4);
    assert!(seen.borrow()[0].close_notify);
}

#[test]
fn tls_1_2_is_spoken_with_the_suite_asked_for() {
    let authority = Authority::new("a");
    let suite = "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305";
    let options = TlsOptions {
        versions: "tls1.2".parse().unwrap(),
        cipher_suites: CipherSuites::named([suite]).unwrap(),
        ..TlsOptions::default()
    };
    let mut bed = Bed::with(authority.trusted(&options));
    serve(&bed, 443, authority.leaf(&["10.0.0.1"]).server(HTTP1), ok);

    let response = get_ok(&mut bed, URL);

    let tls = response.tls.unwrap();
    assert_eq!(tls.version, TlsVersion::Tls12);
    assert_eq!(tls.cipher_suite, suite);
    assert_eq!(response.timing.tls_handshaking(), ONE_WAY * 4);
}

#[test]
fn versions_without_overlap_end_in_the_servers_alert() {
    let authority = Authority::new("a");
    let options = TlsOptions {
        versions: "tls1.2".parse().unwrap(),
        ..TlsOptions::default()
    };
    let mut bed = Bed::with(authority.trusted(&options));
    let server = authority.leaf(&["10.0.0.1"]);
    serve(
        &bed,
        443,
        server.server_of(&[&rustls::version::TLS13], HTTP1),
        ok,
    );

    let failure = failure(&mut bed, URL);

    assert_eq!(failure.code(), 1010);
    assert_eq!(
        failure.text(),
        "remote error: tls: protocol version not supported"
    );
}

/// Both ways, more than any buffer holds.
#[test]
fn large_bodies_pass_both_ways() {
    const BODY_BYTES: usize = 3_000_000;
    let authority = Authority::new("a");
    let mut bed = Bed::with(authority.trusted(&TlsOptions::default()));
    let seen = serve(
        &bed,
        443,
        authority.leaf(&["10.0.0.1"]).server(HTTP1),
        || {
            let mut received = 0;
            move |bytes: &[u8]| {
                received += bytes.len();
                if received < BODY_BYTES {
                    return Vec::new();
                }
                let mut answer =
                    format!("HTTP/1.1 200 OK\r\nContent-Length: {BODY_BYTES}\r\n\r\n").into_bytes();
                answer.resize(answer.len() + BODY_BYTES, b'x');
                answer
            }
        },
    );
    let mut post = Request::new("POST", Url::parse(URL).unwrap());
    post.set_body(Some(Bytes::from(vec![b'y'; BODY_BYTES])));

    let (response, outcome) = bed.exchange(&post);

    assert_eq!(outcome, Ok(()));
    assert_eq!(response.body, vec![b'x'; BODY_BYTES]);
    assert!(seen.borrow()[0].plaintext.ends_with(&[b'y'; BODY_BYTES]));
}

#[test]
fn certificates_are_judged_as_go_judges_them() {
    let authority = Authority::new("a");
    let stranger = Authority::new("b");
    let old = |params: &mut rcgen::CertificateParams| {
        params.not_before = rcgen::date_time_ymd(2020, 1, 1);
        params.not_after = rcgen::date_time_ymd(2021, 1, 1);
    };
    let leaves = [
        stranger.leaf(&["10.0.0.1"]),
        authority.leaf(&["a.test", "b.test"]),
        authority.leaf(&["10.0.0.2", "::1"]),
        authority.leaf_with(&["10.0.0.1"], old),
        Leaf::self_signed("10.0.0.1"),
        // Two faults: Go tells the name's.
        Leaf::self_signed("other.test"),
    ];
    let verify = "tls: failed to verify certificate: x509: ";
    let expected = [
        (1310, "certificate signed by unknown authority"),
        (
            1311,
            "cannot validate certificate for 10.0.0.1 because it doesn't contain any IP SANs",
        ),
        (1311, "certificate is valid for 10.0.0.2, ::1, not 10.0.0.1"),
        (
            1000,
            "certificate has expired or is not yet valid: current time ",
        ),
        (1310, "certificate signed by unknown authority"),
        (
            1311,
            "cannot validate certificate for 10.0.0.1 because it doesn't contain any IP SANs",
        ),
    ];
    for (leaf, (code, text)) in leaves.iter().zip(expected) {
        let mut bed = Bed::with(authority.trusted(&TlsOptions::default()));
        serve(&bed, 443, leaf.server(HTTP1), ok);
        let failure = failure(&mut bed, URL);
        assert_eq!(failure.code(), code, "{failure}");
        let detail = failure.detail();
        assert!(detail.starts_with(&format!("{verify}{text}")), "{detail}");

        let skip = TlsOptions {
            skip_verification: true,
            ..TlsOptions::default()
        };
        let mut bed = Bed::with(authority.trusted(&skip));
        serve(&bed, 443, leaf.server(HTTP1), ok);
        get_ok(&mut bed, URL);
    }
}

#[test]
fn an_expired_certificate_tells_when_it_expired() {
    let authority = Authority::new("a");
    let mut bed = Bed::with(authority.trusted(&TlsOptions::default()));
    let leaf = authority.leaf_with(&["10.0.0.1"], |params| {
        params.not_before = rcgen::date_time_ymd(2020, 1, 1);
        params.not_after = rcgen::date_time_ymd(2021, 1, 1);
    });
    serve(&bed, 443, leaf.server(HTTP1), ok);

    let text = failure(&mut bed, URL).text();

    assert!(text.starts_with("x509: certificate has expired or is not yet valid: current time 20"));
    assert!(text.ends_with("Z is after 2021-01-01T00:00:00Z"), "{text}");
}

/// openssl's self-signed certificates say they are authorities.
#[test]
fn a_self_signed_certificate_among_the_roots_is_trusted() {
    let leaf = Leaf::self_signed("10.0.0.1");
    let roots = loadline_net::Roots::from_pem(leaf.pem.as_bytes()).unwrap();
    let mut bed = Bed::with(with_tls(&TlsOptions::default(), &roots));
    serve(&bed, 443, leaf.server(HTTP1), ok);
    get_ok(&mut bed, URL);
}

#[test]
fn a_server_is_shown_the_certificate_it_takes() {
    let servers = Authority::new("servers");
    let clients = Authority::new("clients");
    let others = Authority::new("others");
    let (first, second, foreign) = (
        clients.leaf(&["first"]),
        clients.leaf(&["second"]),
        others.leaf(&["foreign"]),
    );
    let show = |identities: Vec<Identity>| {
        let options = TlsOptions {
            identities,
            ..TlsOptions::default()
        };
        let mut bed = Bed::with(servers.trusted(&options));
        let leaf = servers.leaf(&["10.0.0.1"]);
        let seen = serve(&bed, 443, leaf.server_for(&clients), ok);
        let (_, outcome) = bed.exchange(&get(URL));
        let shown = seen.borrow_mut()[0].certificate.take();
        outcome.map(|()| shown.unwrap())
    };
    let der = |leaf: &Leaf| {
        use rustls::pki_types::pem::PemObject;
        let der = rustls::pki_types::CertificateDer::from_pem_slice(leaf.pem.as_bytes());
        der.unwrap().to_vec()
    };

    let none = show(Vec::new()).unwrap_err();
    assert_eq!(
        (none.code(), none.text().as_str()),
        (1010, "remote error: tls: certificate required")
    );
    // The authority decides first, then the domain; k6 shows it whatever the domain.
    let shown = show(vec![
        foreign.identity(&["10.0.0.1"]),
        first.identity(&["else.test"]),
    ]);
    assert_eq!(shown.unwrap(), der(&first));
    let shown = show(vec![first.identity(&[]), second.identity(&["10.0.0.1"])]);
    assert_eq!(shown.unwrap(), der(&second));
    let shown = show(vec![first.identity(&[]), second.identity(&[])]);
    assert_eq!(shown.unwrap(), der(&first));
}

#[test]
fn an_identity_that_cannot_be_used_says_why() {
    let authority = Authority::new("a");
    let (leaf, other) = (authority.leaf(&["a"]), authority.leaf(&["b"]));
    let read = |cert: &str, key: &str| {
        Identity::from_pem(cert.as_bytes(), key.as_bytes(), Vec::new()).unwrap_err()
    };
    let not_its = TlsError::Key("it is not the certificate's".to_owned());
    assert_eq!(read(&leaf.pem, &other.key_pem), not_its);
    let none = TlsError::Certificate("there is none".to_owned());
    assert_eq!(read("", &leaf.key_pem), none);
    assert!(matches!(read(&leaf.pem, ""), TlsError::Key(_)));
    let encrypted = "-----BEGIN ENCRYPTED PRIVATE KEY-----\n";
    assert_eq!(read(&leaf.pem, encrypted), TlsError::EncryptedKey);
}

#[test]
fn sessions_are_resumed_only_when_asked_and_only_a_users_own() {
    let authority = Authority::new("a");
    for (resume_sessions, second) in [(false, HandshakeKind::Full), (true, HandshakeKind::Resumed)]
    {
        let options = TlsOptions {
            resume_sessions,
            ..TlsOptions::default()
        };
        let mut settings = authority.trusted(&options);
        settings.reuse_connections = false;
        let mut bed = Bed::with(settings);
        let seen = serve(&bed, 443, authority.leaf(&["10.0.0.1"]).server(HTTP1), ok);
        get_ok(&mut bed, URL);
        get_ok(&mut bed, URL);
        bed.client = loadline_net::Client::new(&bed.network, None);
        get_ok(&mut bed, URL);
        let kinds: Vec<_> = seen.borrow().iter().map(|s| s.kind.unwrap()).collect();
        let full = |kind: &HandshakeKind| *kind != HandshakeKind::Resumed;
        assert!(full(&kinds[0]) && full(&kinds[2]), "{kinds:?}");
        assert_eq!(full(&kinds[1]), full(&second), "{kinds:?}");
    }
}

#[test]
fn a_peer_that_does_not_speak_tls_is_told() {
    let not_tls = "tls: first record does not look like a TLS handshake";
    let http = b"HTTP/1.1 400 Bad Request\r\n\r\n".to_vec();
    let half = b"\x16\x03\x03\x00\x40abc".to_vec();
    let alert = b"\x15\x03\x03\x00\x02\x02\x70".to_vec();
    let table = [
        (
            vec![Say::After(Duration::ZERO, http)],
            1301,
            not_tls,
            "http: server gave HTTP response to HTTPS client",
        ),
        (
            vec![Say::After(Duration::ZERO, b"SSH-2.0-x\r\n".to_vec())],
            1301,
            not_tls,
            not_tls,
        ),
        (vec![Say::Close(Duration::ZERO)], 1000, "EOF", "EOF"),
        (
            vec![
                Say::After(Duration::ZERO, half),
                Say::Close(Duration::from_millis(1)),
            ],
            1000,
            "unexpected EOF",
            "unexpected EOF",
        ),
        (
            vec![Say::After(Duration::ZERO, alert)],
            1010,
            "remote error: tls: unrecognized name",
            "remote error: tls: unrecognized name",
        ),
        (
            vec![Say::Reset(Duration::ZERO)],
            1220,
            "read: connection reset by peer",
            "read tcp 10.255.0.1:40000->10.0.0.1:443: read: connection reset by peer",
        ),
        (vec![], 1050, "request timeout", "request timeout"),
    ];
    for (says, code, text, detail) in table {
        let mut bed = Bed::with(Authority::new("a").trusted(&TlsOptions::default()));
        bed.serve_raw(443, move |_| says.clone());
        let failure = failure(&mut bed, URL);
        assert_eq!(failure.code(), code, "{failure}");
        assert_eq!(failure.text(), text);
        let log = format!("Get \"u\": {detail}");
        assert_eq!(failure.log("GET", "u"), log);
    }
}

#[test]
fn without_tls_set_up_https_fails() {
    let mut bed = Bed::with(NetworkSettings::default());
    bed.serve_raw(443, |_| Vec::new());
    assert_eq!(failure(&mut bed, URL).text(), "tls: not set up in this run");
}
