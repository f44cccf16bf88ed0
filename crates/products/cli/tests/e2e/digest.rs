//! Digest authentication on the wire: what the client adds is never the same twice.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use crate::common::{loadline, script, stderr};

/// The nonces that clients made, as a server saw them.
pub(crate) type Nonces = Arc<Mutex<Vec<String>>>;

/// A server that challenges each request and takes any answer.
pub(crate) fn challenging() -> (String, Nonces) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let nonces = Nonces::default();
    let kept = nonces.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let kept = kept.clone();
            std::thread::spawn(move || answer(stream, &kept));
        }
    });
    (address, nonces)
}

fn answer(mut stream: TcpStream, nonces: &Nonces) {
    let (mut seen, mut buffer) = (String::new(), [0_u8; 4096]);
    while let Ok(count) = stream.read(&mut buffer) {
        if count == 0 {
            return;
        }
        seen.push_str(&String::from_utf8_lossy(&buffer[..count]));
        while let Some(end) = seen.find("\r\n\r\n") {
            let head: String = seen.drain(..end + 4).collect();
            let nonce = head.split_once("cnonce=\"").map(|(_, rest)| rest);
            let nonce = nonce.and_then(|rest| rest.split('"').next());
            let answer = match nonce {
                Some(nonce) => {
                    nonces.lock().unwrap().push(nonce.to_owned());
                    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
                }
                None => {
                    "HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\
                     WWW-Authenticate: Digest realm=\"r\", qop=\"auth\", nonce=\"n\"\r\n\r\n"
                }
            };
            if stream.write_all(answer.as_bytes()).is_err() {
                return;
            }
        }
    }
}

/// A nonce from a counter, the time or a seed would come again: from user to user, or in the next
/// run of the same seed.
#[test]
fn the_nonces_of_a_client_differ_from_request_to_request_and_run_to_run() {
    const REQUEST_COUNT: usize = 60;
    let (address, nonces) = challenging();
    let text = format!(
        "import http from 'k6/http';
         export const options = {{ vus: 4, iterations: {REQUEST_COUNT} }};
         export default function () {{ http.get('http://me:word@{address}/', {{ auth: 'digest' }}); }}"
    );
    let path = script("digest-nonces.js", &text);
    let args = [
        "run",
        "-q",
        "--no-store",
        "--arrivals-seed",
        "7",
        path.to_str().unwrap(),
    ];
    for run in 1..=2 {
        let output = loadline(&args);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let all = nonces.lock().unwrap().clone();
        assert_eq!(all.len(), run * REQUEST_COUNT);
        let different: BTreeSet<&String> = all.iter().collect();
        assert_eq!(different.len(), all.len(), "{all:?}");
        // 16 bytes; that all are of one kind in any place would be no chance of 60 draws.
        for place in 0..32 {
            let digits = all.iter().map(|nonce| nonce.as_bytes()[place]);
            let digits: BTreeSet<u8> = digits.collect();
            assert!(digits.len() > 4, "place {place}: {digits:?}");
        }
    }
}
