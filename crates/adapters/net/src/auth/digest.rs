//! Answering a Digest challenge (RFC 7616, RFC 2617, RFC 2069).

use std::fmt::Write;

use aws_lc_rs::digest::{SHA256, digest};
use md5::{Digest as _, Md5};

use super::challenge::{Challenge, Hash, Quality};
use crate::request::Request;
use crate::url::UserInfo;

/// Random bytes in a client's nonce.
pub(crate) const CNONCE_BYTES: usize = 16;

/// The value of `Authorization` that answers `challenge` for `request`.
///
/// `count` is how often the challenge's nonce has been used, including this time. `random`
/// becomes the client's nonce.
pub(crate) fn authorization(
    challenge: &Challenge,
    request: &Request,
    user: &UserInfo,
    count: u32,
    random: [u8; CNONCE_BYTES],
) -> String {
    let hash = |parts: &[&str]| hash(challenge.hash, parts.join(":").as_bytes());
    let password = user.password.as_deref().unwrap_or_default();
    let cnonce = hex(&random);
    let mut uri = String::new();
    request.url().push_target(&mut uri);

    let mut secret = hash(&[&user.name, &challenge.realm, password]);
    if challenge.session {
        secret = hash(&[&secret, &challenge.nonce, &cnonce]);
    }
    let asked = match challenge.quality {
        Some(Quality::AuthInt) => {
            let body = request.body().map(|body| &body[..]).unwrap_or_default();
            hash(&[request.method(), &uri, &self::hash(challenge.hash, body)])
        }
        _ => hash(&[request.method(), &uri]),
    };
    let count = format!("{count:08x}");
    let response = match challenge.quality {
        Some(quality) => hash(&[
            &secret,
            &challenge.nonce,
            &count,
            &cnonce,
            quality.name(),
            &asked,
        ]),
        None => hash(&[&secret, &challenge.nonce, &asked]),
    };

    let mut out = "Digest".to_owned();
    push_quoted(&mut out, " username", &user.name);
    push_quoted(&mut out, ", realm", &challenge.realm);
    push_quoted(&mut out, ", nonce", &challenge.nonce);
    push_quoted(&mut out, ", uri", &uri);
    if let Some(algorithm) = &challenge.algorithm {
        out.push_str(", algorithm=");
        out.push_str(algorithm);
    }
    push_quoted(&mut out, ", response", &response);
    if let Some(opaque) = &challenge.opaque {
        push_quoted(&mut out, ", opaque", opaque);
    }
    if let Some(quality) = challenge.quality {
        write!(out, ", qop={}, nc={count}", quality.name()).expect("a String takes all");
    }
    if challenge.quality.is_some() || challenge.session {
        push_quoted(&mut out, ", cnonce", &cnonce);
    }
    out
}

fn hash(hash: Hash, bytes: &[u8]) -> String {
    match hash {
        Hash::Md5 => hex(&Md5::digest(bytes)),
        Hash::Sha256 => hex(digest(&SHA256, bytes).as_ref()),
    }
}

fn hex(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        write!(out, "{byte:02x}").expect("a String takes all");
    }
    out
}

fn push_quoted(out: &mut String, name: &str, value: &str) {
    out.push_str(name);
    out.push_str("=\"");
    for c in value.chars() {
        if matches!(c, '"' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::url::Url;
    use bytes::Bytes;

    fn user(name: &str, password: &str) -> UserInfo {
        UserInfo {
            name: name.to_owned(),
            password: Some(password.to_owned()),
        }
    }

    fn answer(challenge: &str, request: &Request, user: &UserInfo) -> String {
        let challenge = Challenge::find([challenge.as_bytes()].into_iter()).unwrap();
        authorization(&challenge, request, user, 1, [0xab; 16])
    }

    fn response(answer: &str) -> &str {
        let (_, rest) = answer.split_once("response=\"").unwrap();
        rest.split('"').next().unwrap()
    }

    fn get(url: &str) -> Request {
        Request::new("GET", Url::parse(url).unwrap())
    }

    /// The example of RFC 7616, 3.9.1, except that the client's nonce is random there. The
    /// response was computed with Python's hashlib.
    #[test]
    fn the_answer_holds_what_the_server_needs() {
        let challenge = "Digest realm=\"http-auth@example.org\", qop=\"auth, auth-int\", \
             algorithm=SHA-256, nonce=\"7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v\", \
             opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\"";
        let request = get("http://www.example.org/dir/index.html");
        let answer = answer(challenge, &request, &user("Mufasa", "Circle of Life"));
        assert_eq!(
            answer,
            "Digest username=\"Mufasa\", realm=\"http-auth@example.org\", \
             nonce=\"7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v\", uri=\"/dir/index.html\", \
             algorithm=SHA-256, \
             response=\"0254cfcd849e1987ff9088abf953f0cf783a0b14b8bdb002b15c0657ee6cc88d\", \
             opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\", qop=auth, nc=00000001, \
             cnonce=\"abababababababababababababababab\""
        );
    }

    /// Responses computed with Python's hashlib.
    #[test]
    fn each_kind_of_challenge_has_its_response() {
        let us = user("us", "p w");
        let mut post = Request::new("POST", Url::parse("http://h/digest?x=1").unwrap());
        post.set_body(Some(Bytes::from_static(b"bd")));
        for (challenge, expected) in [
            (
                "Digest realm=\"r\", nonce=\"abc\"",
                "6fb92ddd83007ca339e1c43e2381d84f",
            ),
            (
                "Digest realm=\"r\", nonce=\"abc\", qop=\"auth\"",
                "670f5f755cf691dde73a74eaace66af2",
            ),
            (
                "Digest realm=\"r\", nonce=\"abc\", qop=\"auth-int\"",
                "fba69e491d1ad3a37841f1437efcff59",
            ),
            (
                "Digest realm=\"r\", nonce=\"abc\", qop=\"auth\", algorithm=MD5-sess",
                "44ab547680b0c1980615876d4dbca64e",
            ),
        ] {
            assert_eq!(
                response(&answer(challenge, &post, &us)),
                expected,
                "{challenge}"
            );
        }
    }

    #[test]
    fn what_rfc_2069_does_not_know_is_not_sent() {
        let answer = answer(
            "Digest realm=\"r\", nonce=\"n\"",
            &get("http://h/"),
            &user("a\"\\", ""),
        );
        assert!(answer.starts_with("Digest username=\"a\\\"\\\\\", realm=\"r\""));
        for absent in ["qop", "nc=", "cnonce", "algorithm", "opaque"] {
            assert!(!answer.contains(absent), "{absent}");
        }
    }
}
