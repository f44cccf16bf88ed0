//! Redirects, cookies, credentials and codings in a simulated network, as k6 does
//! them.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[expect(dead_code, reason = "other tests use the rest of it")]
mod common;

use std::cell::RefCell;
use std::io::Write;
use std::time::{Duration, UNIX_EPOCH};

use bytes::Bytes;
use common::{Bed, Say, get, now};
use loadline_net::cookie::add_cookies;
use loadline_net::{
    Agent, AgentContext, Auth, BodyMode, CookieJar, Request, RequestCookie, Response, SendOptions,
    SendResult, Url,
};
use loadline_units::Clock;

const URL: &str = "http://10.0.0.1/";

/// What a hop was: index, method, URL, status, failure's text.
type Seen = (u32, String, String, u16, Option<String>);

struct Wanted {
    timeout: Duration,
    body: BodyMode,
    max_redirects: u32,
    auth: Auth,
    cookies: Vec<RequestCookie>,
}

impl Default for Wanted {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(1),
            body: BodyMode::default(),
            max_redirects: SendOptions::MAX_REDIRECTS,
            auth: Auth::Basic,
            cookies: Vec::new(),
        }
    }
}

struct Outcome {
    response: Response,
    sent: SendResult,
    hops: Vec<Seen>,
    jar: CookieJar,
}

impl Outcome {
    fn statuses(&self) -> Vec<u16> {
        self.hops.iter().map(|hop| hop.3).collect()
    }
}

/// Sends `request` as the script host would: with its cookies put on, over a fresh jar.
fn send(bed: &mut Bed, mut request: Request, wanted: Wanted) -> Outcome {
    let shared = AgentContext::new(&bed.network, UNIX_EPOCH, |bytes| bytes.fill(0xab));
    let agent = Agent::new(bed.client.clone(), shared);
    let deadline = bed.world.now() + wanted.timeout;
    bed.run(async move {
        let jar = RefCell::new(CookieJar::new());
        let now = agent.shared().wall_now();
        add_cookies(&mut request, &wanted.cookies, &mut jar.borrow_mut(), now);
        let options = SendOptions {
            body: wanted.body,
            max_redirects: wanted.max_redirects,
            auth: wanted.auth,
            jar: Some(&jar),
            cookies: &wanted.cookies,
            ..SendOptions::until(deadline)
        };
        let mut response = Response::new();
        let mut hops = Vec::new();
        let sent = agent
            .send(&request, &options, &mut response, &mut |hop| {
                hops.push((
                    hop.index,
                    hop.request.method().to_owned(),
                    hop.request.url().to_string(),
                    hop.response.head.status(),
                    hop.failure.map(loadline_net::Failure::text),
                ));
            })
            .await;
        Outcome {
            response,
            sent,
            hops,
            jar: jar.into_inner(),
        }
    })
}

fn answer(status: u16, fields: &str, body: &[u8]) -> Vec<Say> {
    let length = body.len();
    let head = format!("HTTP/1.1 {status} X\r\nContent-Length: {length}\r\n{fields}\r\n");
    vec![now(&[head.as_bytes(), body].concat())]
}

fn target(request: &str) -> &str {
    request.split(' ').nth(1).unwrap()
}

fn fields(request: &str) -> String {
    let (head, _) = request.split_once("\r\n\r\n").unwrap();
    let lines = head.lines().skip(2);
    lines.collect::<Vec<_>>().join(" | ")
}

#[test]
fn a_redirect_is_followed_and_each_hop_is_told() {
    let mut bed = Bed::new();
    bed.serve(80, |_, _, request| match target(request) {
        "/a" => answer(
            302,
            "Location: b?x=y z#frag\r\nSet-Cookie: n=1\r\n",
            b"moved",
        ),
        _ => answer(200, "Set-Cookie: last=2\r\n", b"here"),
    });
    let mut post = Request::new("POST", Url::parse("http://10.0.0.1/a").unwrap());
    post.add_field("Content-Type", "text/plain");
    post.add_field("Cookie", "own=0");
    post.set_body(Some(Bytes::from_static(b"body")));

    let out = send(&mut bed, post.clone(), Wanted::default());

    assert_eq!(out.sent.outcome, Ok(()));
    assert_eq!(out.response.body, b"here");
    assert_eq!(
        out.sent.url(&post).to_string(),
        "http://10.0.0.1/b?x=y z#frag"
    );
    let hop = |index, method: &str, url: &str, status| {
        (index, method.to_owned(), url.to_owned(), status, None)
    };
    assert_eq!(
        out.hops,
        [
            hop(0, "POST", "http://10.0.0.1/a", 302),
            hop(1, "GET", "http://10.0.0.1/b?x=y z#frag", 200),
        ]
    );
    let seen = bed.seen.borrow();
    assert_eq!(
        fields(&seen.requests[1]),
        "Cookie: n=1 | Referer: http://10.0.0.1/a"
    );
    assert_eq!(seen.connections, 1);
    let mut jar = out.jar;
    let kept = jar.cookies_for(&Url::parse(URL).unwrap(), loadline_net::UnixMillis(0));
    let kept: Vec<_> = kept.iter().map(|c| c.name).collect();
    assert_eq!(kept, ["n", "last"]);
}

#[test]
fn given_cookies_go_with_every_hop_and_take_the_place_of_kept_ones_if_they_should() {
    let mut bed = Bed::new();
    bed.serve(80, |_, _, request| match target(request) {
        "/" => answer(
            302,
            "Location: /b\r\nSet-Cookie: a=jar\r\nSet-Cookie: b=jar\r\n",
            b"",
        ),
        _ => answer(200, "", b""),
    });
    let cookie = |name: &str, replace| RequestCookie {
        name: name.to_owned(),
        value: "given".to_owned(),
        replace,
    };
    let wanted = Wanted {
        cookies: vec![cookie("a", false), cookie("b", true)],
        ..Wanted::default()
    };

    send(&mut bed, get(URL), wanted);

    let seen = bed.seen.borrow();
    assert_eq!(fields(&seen.requests[0]), "Cookie: a=given; b=given");
    assert!(fields(&seen.requests[1]).starts_with("Cookie: a=given; b=given; a=jar |"));
}

#[test]
fn too_many_redirects_end_with_the_last_of_them() {
    for (max, hops) in [(0, 1), (2, 3), (10, 11)] {
        let mut bed = Bed::new();
        bed.serve(80, |_, n, _| {
            answer(
                302,
                &format!("Location: /\r\nSet-Cookie: n={n}\r\n"),
                b"loop",
            )
        });
        let wanted = Wanted {
            max_redirects: max,
            ..Wanted::default()
        };
        let mut out = send(&mut bed, get(URL), wanted);
        assert_eq!(out.sent.outcome, Ok(()));
        assert_eq!(out.sent.stopped_after, Some(hops));
        assert_eq!(out.response.head.status(), 302);
        assert_eq!(out.response.body, b"loop");
        assert_eq!(out.hops.len(), hops as usize);
        assert!(
            !out.jar
                .cookies_for(&Url::parse(URL).unwrap(), loadline_net::UnixMillis(0))
                .is_empty()
        );
    }
}

#[test]
fn a_redirect_that_leads_nowhere_is_a_response_like_any_other() {
    let mut bed = Bed::new();
    bed.serve(80, |_, _, _| answer(302, "Set-Cookie: n=1\r\n", b"x"));
    let out = send(&mut bed, get(URL), Wanted::default());
    assert_eq!(out.statuses(), [302]);
    assert_eq!((out.sent.outcome, out.sent.stopped_after), (Ok(()), None));
    assert!(!out.jar.is_empty());
}

#[test]
fn a_location_that_cannot_be_read_fails_the_hop_that_had_it() {
    let mut bed = Bed::new();
    bed.serve(80, |_, _, _| {
        answer(302, "Location: http://[::1\r\nSet-Cookie: n=1\r\n", b"x")
    });
    let request = get("http://us:pw@10.0.0.1/");
    let out = send(&mut bed, request.clone(), Wanted::default());
    let text = "failed to parse Location header \"http://[::1\": \
                parse \"http://[::1\": missing ']' in host";
    assert_eq!(out.hops.len(), 1);
    assert_eq!(out.hops[0].4.as_deref(), Some(text));
    assert_eq!(
        out.sent.log(&request).unwrap(),
        format!("Get \"http://us:***@10.0.0.1/\": {text}")
    );
    assert!(out.jar.is_empty());
}

#[test]
fn a_hop_that_fails_ends_the_way_with_its_own_url() {
    let mut bed = Bed::new();
    bed.serve(80, |_, _, _| answer(302, "Location: ftp://x/\r\n", b"x"));
    let mut post = Request::new("POST", Url::parse(URL).unwrap());
    post.set_body(Some(Bytes::from_static(b"x")));
    let out = send(&mut bed, post.clone(), Wanted::default());
    assert_eq!(out.statuses(), [302, 0]);
    assert_eq!(out.sent.url(&post).to_string(), "ftp://x/");
    assert_eq!(
        out.sent.log(&post).unwrap(),
        "Post \"ftp://x/\": unsupported protocol scheme \"ftp\""
    );
}

#[test]
fn a_redirect_is_followed_whatever_becomes_of_its_body() {
    let mut bed = Bed::new();
    bed.serve(80, |_, _, request| match target(request) {
        "/" => vec![
            now(b"HTTP/1.1 302 X\r\nLocation: /ok\r\nContent-Length: 50\r\n\r\nx"),
            Say::Close(Duration::from_millis(1)),
        ],
        _ => answer(200, "", b"ok"),
    });
    let out = send(&mut bed, get(URL), Wanted::default());
    assert_eq!(out.sent.outcome, Ok(()));
    assert_eq!(out.hops[0].4, None);
    assert_eq!(out.statuses(), [302, 200]);
}

#[test]
fn all_hops_share_one_deadline() {
    let mut bed = Bed::new();
    bed.serve(80, |_, _, _| {
        let bytes = b"HTTP/1.1 302 X\r\nLocation: /\r\nContent-Length: 0\r\n\r\n";
        vec![Say::After(Duration::from_millis(300), bytes.to_vec())]
    });
    let begin = bed.world.now();
    let out = send(&mut bed, get(URL), Wanted::default());
    assert_eq!(out.hops.len(), 4);
    assert_eq!(out.sent.outcome.unwrap_err().code(), 1050);
    assert_eq!(bed.world.now().since(begin), Duration::from_secs(1));
}

#[test]
fn credentials_of_the_url_go_along_where_the_url_leads_them() {
    let mut bed = Bed::new();
    bed.serve(80, |_, _, request| match target(request) {
        "/" => answer(302, "Location: /rel\r\n", b""),
        "/rel" => answer(302, "Location: http://10.0.0.1/abs\r\n", b""),
        _ => answer(200, "", b""),
    });
    let out = send(&mut bed, get("http://us:pw@10.0.0.1/"), Wanted::default());
    let seen = bed.seen.borrow();
    let with: Vec<bool> = seen
        .requests
        .iter()
        .map(|request| request.contains("Authorization: Basic dXM6cHc=\r\n"))
        .collect();
    assert_eq!(with, [true, true, false]);
    assert_eq!(out.hops[1].2, "http://us:pw@10.0.0.1/rel");
}

#[test]
fn a_digest_challenge_is_answered_and_both_exchanges_are_told() {
    let mut bed = Bed::new();
    bed.serve(80, |_, _, request| {
        if request.contains("Authorization: Digest ") {
            return answer(200, "", b"in");
        }
        let challenge = "WWW-Authenticate: Digest realm=\"r\", nonce=\"abc\", qop=\"auth\"\r\n";
        answer(401, challenge, b"challenge")
    });
    let mut post = Request::new(
        "POST",
        Url::parse("http://us:p%20w@10.0.0.1/d?x=1").unwrap(),
    );
    post.set_body(Some(Bytes::from_static(b"bd")));
    let wanted = Wanted {
        auth: Auth::Digest,
        ..Wanted::default()
    };

    let out = send(&mut bed, post.clone(), wanted);

    assert_eq!(out.statuses(), [401, 200]);
    assert_eq!((out.hops[0].0, out.hops[1].0), (0, 1));
    assert_eq!(out.response.body, b"in");
    assert_eq!(out.sent.url(&post).to_string(), "http://10.0.0.1/d?x=1");
    let seen = bed.seen.borrow();
    assert!(seen.requests[0].contains("Authorization: Basic dXM6cCB3\r\n"));
    assert!(seen.requests[1].contains(
        "Authorization: Digest username=\"us\", realm=\"r\", nonce=\"abc\", uri=\"/d?x=1\", "
    ));
    assert!(seen.requests[1].contains("cnonce=\"abababababababababababababababab\""));
    assert!(seen.requests[1].ends_with("\r\n\r\nbd"));
}

#[test]
fn an_ntlm_challenge_is_answered_on_the_same_connection() {
    // Flags: text is UTF-16. The nonce is eight times `n`.
    const CHALLENGE: &str = "TlRMTVNTUAACAAAAAAAAAAAAAAABAAAAbm5ubm5ubm4AAAAAAAAAAAAAAAAAAAAA";
    let mut bed = Bed::new();
    bed.serve(80, |_, _, request| {
        let shown = request
            .split("Authorization: NTLM ")
            .nth(1)
            .unwrap_or_default();
        let challenge = format!("WWW-Authenticate: NTLM {CHALLENGE}\r\n");
        match shown.get(..16) {
            // The types of messages are the ninth byte's.
            Some("TlRMTVNTUAABAAAA") => answer(401, &challenge, b"second"),
            Some("TlRMTVNTUAADAAAA") => answer(200, "", b"in"),
            _ => answer(401, "WWW-Authenticate: NTLM\r\n", b"first"),
        }
    });
    let mut post = Request::new("POST", Url::parse("http://us:pw@10.0.0.1/").unwrap());
    post.set_body(Some(Bytes::from_static(b"bd")));
    let wanted = || Wanted {
        auth: Auth::Ntlm,
        ..Wanted::default()
    };

    let out = send(&mut bed, post, wanted());

    assert_eq!(out.statuses(), [401, 401, 200]);
    assert_eq!(out.response.body, b"in");
    {
        let seen = bed.seen.borrow();
        assert!(!seen.requests[0].contains("Authorization"));
        assert!(seen.requests.iter().all(|one| one.ends_with("\r\n\r\nbd")));
    }
    let out = send(&mut bed, get(URL), wanted());
    assert_eq!(out.statuses(), [401], "nobody to show");
}

#[test]
fn an_ntlm_challenge_that_cannot_be_answered_leaves_the_first_answer() {
    let mut bed = Bed::new();
    bed.serve(80, |_, _, request| {
        let body = if request.contains("NTLM") {
            "second"
        } else {
            "first"
        };
        answer(401, "WWW-Authenticate: NTLM\r\n", body.as_bytes())
    });
    let wanted = Wanted {
        auth: Auth::Ntlm,
        ..Wanted::default()
    };
    let out = send(&mut bed, get("http://us:pw@10.0.0.1/"), wanted);
    assert_eq!(out.statuses(), [401, 401]);
    assert_eq!(out.response.body, b"first");
}

#[test]
fn without_a_challenge_that_can_be_answered_401_is_the_answer() {
    let mut bed = Bed::new();
    bed.serve(80, |_, _, _| {
        answer(401, "WWW-Authenticate: Basic realm=\"r\"\r\n", b"no")
    });
    let wanted = Wanted {
        auth: Auth::Digest,
        ..Wanted::default()
    };
    let out = send(&mut bed, get("http://us:pw@10.0.0.1/"), wanted);
    assert_eq!(out.statuses(), [401]);
    assert_eq!(out.response.body, b"no");
}

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut coder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    coder.write_all(bytes).unwrap();
    coder.finish().unwrap()
}

fn one(status: u16, method: &str, body: Vec<u8>, mode: BodyMode) -> Outcome {
    let mut bed = Bed::new();
    bed.serve(80, move |_, _, _| {
        answer(
            status,
            "Content-Encoding: gzip\r\nSet-Cookie: n=1\r\n",
            &body,
        )
    });
    let request = Request::new(method, Url::parse(URL).unwrap());
    let wanted = Wanted {
        body: mode,
        ..Wanted::default()
    };
    send(&mut bed, request, wanted)
}

#[test]
fn a_body_that_is_kept_is_decoded() {
    let gzip = gzipped(b"hello");
    let out = one(200, "GET", gzip.clone(), BodyMode::default());
    assert_eq!(out.response.body, b"hello");
    let out = one(404, "GET", gzip.clone(), BodyMode::default());
    assert_eq!(out.response.body, b"hello");
    let out = one(200, "GET", b"no gzip".to_vec(), BodyMode::Discard);
    assert_eq!((out.sent.outcome, out.response.body), (Ok(()), Vec::new()));
    for (status, method) in [(204, "GET"), (304, "GET")] {
        let out = one(status, method, Vec::new(), BodyMode::default());
        assert_eq!(out.sent.outcome, Ok(()), "{status} {method}");
    }
}

#[test]
fn a_body_that_cannot_be_decoded_fails_the_hop_and_sets_no_cookie() {
    let out = one(200, "GET", b"no gzip".to_vec(), BodyMode::default());
    let failure = out.sent.outcome.unwrap_err();
    assert_eq!((failure.code(), failure.is_in_body()), (1701, true));
    assert_eq!(out.hops[0].4, Some(failure.text()));
    assert!(out.jar.is_empty());
    assert_eq!(out.response.head.status(), 200);
}

#[test]
fn the_limit_holds_for_what_is_decoded() {
    let bomb = gzipped(&vec![0; 1024 * 1024]);
    let mode = BodyMode::Keep { limit: 10_000 };
    let out = one(200, "GET", bomb, mode);
    assert_eq!(out.sent.outcome.unwrap_err().code(), 1702);
    assert_eq!(out.response.body.len(), 10_000);
}

#[test]
fn a_body_that_ends_too_soon_is_decoded_as_far_as_it_came() {
    let mut bed = Bed::new();
    let gzip = gzipped(b"hello");
    bed.serve(80, move |_, _, _| {
        let head = b"HTTP/1.1 200 X\r\nContent-Encoding: gzip\r\nContent-Length: 99\r\n\r\n";
        vec![
            now(&[&head[..], &gzip[..gzip.len() - 4]].concat()),
            Say::Close(Duration::from_millis(1)),
        ]
    });
    let out = send(&mut bed, get(URL), Wanted::default());
    assert_eq!(out.sent.outcome.unwrap_err().text(), "unexpected EOF");
    assert_eq!(out.response.body, b"hello");
}

#[test]
fn a_head_request_has_nothing_to_decode() {
    let mut bed = Bed::new();
    bed.serve(80, |_, _, _| {
        vec![now(
            b"HTTP/1.1 200 X\r\nContent-Encoding: gzip\r\nContent-Length: 99\r\n\r\n",
        )]
    });
    let head = Request::new("HEAD", Url::parse(URL).unwrap());
    let out = send(&mut bed, head, Wanted::default());
    assert_eq!(out.sent.outcome, Ok(()));
}

#[test]
fn cookies_end_by_wall_time() {
    let mut bed = Bed::new();
    bed.serve(80, |_, _, _| answer(200, "", b""));
    let at_zero = UNIX_EPOCH + Duration::from_millis(5_000_250);
    let shared = AgentContext::new(&bed.network, at_zero, |_| {});
    let begin = shared.wall_now();
    bed.wait(Duration::from_millis(1500));
    assert_eq!(shared.wall_now().0 - begin.0, 1500);
    assert_eq!(begin.0, 5_000_250);
    let early = AgentContext::new(&bed.network, UNIX_EPOCH - Duration::from_secs(9), |_| {});
    assert_eq!(early.wall_now().0, 1500 - 9000);
}

#[test]
fn a_request_given_up_while_its_body_is_decoded_counts_as_cut() {
    let mut bed = Bed::new();
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(&vec![b'a'; 4 * 1024 * 1024]).unwrap();
    let body = encoder.finish().unwrap();
    bed.serve(80, move |_, _, _| {
        answer(200, "Content-Encoding: gzip\r\n", &body)
    });
    let shared = AgentContext::new(&bed.network, UNIX_EPOCH, |bytes| bytes.fill(0xab));
    let agent = std::rc::Rc::new(Agent::new(bed.client.clone(), shared));
    let deadline = bed.world.now() + Duration::from_secs(1);
    let given_up_after = |turns: usize| {
        let agent = agent.clone();
        async move {
            let request = get(URL);
            let options = SendOptions::until(deadline);
            let mut response = Response::new();
            let mut told = |_: &loadline_net::Exchange<'_>| {};
            let mut sending =
                std::pin::pin!(agent.send(&request, &options, &mut response, &mut told));
            let mut polls = 0;
            std::future::poll_fn(|cx| {
                polls += 1;
                let polled = sending.as_mut().poll(cx);
                if polls > turns || polled.is_ready() {
                    return std::task::Poll::Ready(polled.is_ready());
                }
                std::task::Poll::Pending
            })
            .await
        }
    };
    let mut decoding_turns = 0;
    for turns in 0.. {
        let is_answered = bed.run(given_up_after(turns));
        let counts = bed.client.take_requests();
        let cut = bed.client.take_cut().len();
        if is_answered {
            assert_eq!((counts.sent, counts.answered, cut), (1, 1, 0));
            break;
        }
        assert_eq!(
            (counts.sent, counts.answered, counts.cut),
            (1, 0, 1),
            "{turns}"
        );
        assert_eq!(cut, 1);
        decoding_turns += 1;
    }
    assert!(decoding_turns > 10, "{decoding_turns}");
}
