//! Credentials: Basic from the URL; Digest and NTLM as answers to a challenge.

mod challenge;
mod digest;
pub(crate) mod ntlm;

pub(crate) use challenge::Challenge;
pub(crate) use digest::{CNONCE_BYTES, authorization};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::request::Request;
use crate::url::UserInfo;

/// How a request authenticates its sender.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Auth {
    /// Basic, with user name and password of the URL, if there are any.
    #[default]
    Basic,
    /// Digest. As in k6, each request is sent twice, the first time with Basic.
    Digest,
    /// NTLM. A request is first sent without credentials, and two more times if the server
    /// challenges.
    Ntlm,
}

/// Adds `Authorization: Basic` with user name and password of the URL, unless there are none or
/// the request already has an `Authorization`. Returns whether it did. For a request that is sent
/// many times: the agent then need not add it each time.
pub fn set_basic(request: &mut Request) -> bool {
    let Some(user) = request.url().user() else {
        return false;
    };
    if request
        .field("Authorization")
        .is_some_and(|own| !own.is_empty())
    {
        return false;
    }
    let value = basic(user);
    request.set_field("Authorization", value);
    true
}

/// User and password of a request's `Authorization: Basic`.
pub(crate) fn basic_of(request: &Request) -> Option<UserInfo> {
    let (scheme, coded) = request.field("Authorization")?.split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let plain = String::from_utf8(STANDARD.decode(coded).ok()?).ok()?;
    let (name, password) = plain.split_once(':')?;
    Some(UserInfo {
        name: name.to_owned(),
        password: Some(password.to_owned()),
    })
}

pub(crate) fn basic(user: &UserInfo) -> String {
    let password = user.password.as_deref().unwrap_or_default();
    format!(
        "Basic {}",
        STANDARD.encode(format!("{}:{password}", user.name))
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::url::Url;

    fn request(url: &str) -> Request {
        Request::new("GET", Url::parse(url).unwrap())
    }

    #[test]
    fn credentials_of_the_url_become_basic() {
        for (url, value) in [
            ("http://us:p%20w@h/", "Basic dXM6cCB3"),
            ("http://us@h/", "Basic dXM6"),
            ("http://:@h/", "Basic Og=="),
        ] {
            let mut request = request(url);
            assert!(set_basic(&mut request));
            assert_eq!(request.field("authorization"), Some(value));
        }
    }

    #[test]
    fn an_authorization_of_the_requests_own_is_kept() {
        let mut own = request("http://us:pw@h/");
        own.add_field("authorization", "mine");
        assert!(!set_basic(&mut own));
        assert_eq!(own.field("Authorization"), Some("mine"));
        assert!(!set_basic(&mut request("http://h/")));
    }
}
