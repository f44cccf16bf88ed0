//! Parses Digest challenges in `WWW-Authenticate` (RFC 9110, 11.6.1 and RFC 7616).

use loadline_wire::is_token;

/// The hash that a challenge asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hash {
    Md5,
    Sha256,
}

/// What the hash covers besides the URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quality {
    /// Nothing.
    Auth,
    /// The request's body.
    AuthInt,
}

impl Quality {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Auth => "auth",
            Self::AuthInt => "auth-int",
        }
    }
}

/// A Digest challenge that can be answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Challenge {
    pub(crate) realm: String,
    pub(crate) nonce: String,
    pub(crate) opaque: Option<String>,
    pub(crate) hash: Hash,
    /// The hash covers the client's nonce too (`-sess`).
    pub(crate) session: bool,
    /// The algorithm as written; it is sent back.
    pub(crate) algorithm: Option<String>,
    /// `None` when the server follows RFC 2069.
    pub(crate) quality: Option<Quality>,
}

impl Challenge {
    /// The first Digest challenge, in values of `WWW-Authenticate`, that can be answered.
    pub(crate) fn find<'v>(values: impl Iterator<Item = &'v [u8]>) -> Option<Self> {
        values
            .flat_map(|value| challenges(&String::from_utf8_lossy(value)))
            .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("digest"))
            .find_map(|(_, parameters)| Self::from_parameters(&parameters))
    }

    fn from_parameters(parameters: &[(String, String)]) -> Option<Self> {
        let get = |name: &str| {
            let found = parameters
                .iter()
                .find(|(n, _)| n.eq_ignore_ascii_case(name));
            found.map(|(_, value)| value.clone())
        };
        let algorithm = get("algorithm");
        let (hash, session) = match algorithm.as_deref().map(str::to_ascii_lowercase).as_deref() {
            None | Some("md5") => (Hash::Md5, false),
            Some("md5-sess") => (Hash::Md5, true),
            Some("sha-256") => (Hash::Sha256, false),
            Some("sha-256-sess") => (Hash::Sha256, true),
            Some(_) => return None,
        };
        let quality = match get("qop") {
            None => None,
            Some(offered) => {
                let offers = |name: &str| offered.split(',').any(|q| q.trim() == name);
                if offers("auth") {
                    Some(Quality::Auth)
                } else if offers("auth-int") {
                    Some(Quality::AuthInt)
                } else {
                    return None;
                }
            }
        };
        Some(Self {
            realm: get("realm").unwrap_or_default(),
            nonce: get("nonce")?,
            opaque: get("opaque"),
            hash,
            session,
            algorithm,
            quality,
        })
    }
}

/// The challenges of one value, each with scheme and parameters. Commas separate parameters as
/// well as challenges; a name without `=` begins a challenge.
fn challenges(value: &str) -> Vec<(String, Vec<(String, String)>)> {
    let mut found: Vec<(String, Vec<(String, String)>)> = Vec::new();
    let mut rest = value;
    loop {
        rest = rest.trim_start_matches([' ', '\t', ',']);
        let end = rest.find([' ', '\t', ',', '=']).unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        if !is_token(name.as_bytes()) {
            return found;
        }
        let after = after.trim_start_matches([' ', '\t']);
        match (after.strip_prefix('='), found.last_mut()) {
            (Some(value), Some((_, parameters))) => {
                let (value, after) = parameter(value.trim_start_matches([' ', '\t']));
                parameters.push((name.to_owned(), value));
                rest = after;
            }
            (Some(_), None) => return found,
            (None, _) => {
                found.push((name.to_owned(), Vec::new()));
                rest = after;
            }
        }
    }
}

/// A token or a quoted string, and the rest of the text.
fn parameter(text: &str) -> (String, &str) {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find([' ', '\t', ',']).unwrap_or(text.len());
        return (text[..end].to_owned(), &text[end..]);
    };
    let mut value = String::new();
    let mut chars = quoted.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return (value, &quoted[at + 1..]),
            '\\' => value.extend(chars.next().map(|(_, escaped)| escaped)),
            c => value.push(c),
        }
    }
    (value, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(values: &[&str]) -> Option<Challenge> {
        Challenge::find(values.iter().map(|value| value.as_bytes()))
    }

    #[test]
    fn a_challenge_is_found_among_others() {
        let found = find(&[
            "Negotiate",
            "Basic realm=\"b\", Bearer, digest Realm=\"a \\\"b\\\", c\", nonce=\"x==\" , \
             qop=\"auth-int,auth\",algorithm=MD5-sess, opaque=op, Basic realm=\"z\"",
        ]);
        assert_eq!(
            found,
            Some(Challenge {
                realm: "a \"b\", c".to_owned(),
                nonce: "x==".to_owned(),
                opaque: Some("op".to_owned()),
                hash: Hash::Md5,
                session: true,
                algorithm: Some("MD5-sess".to_owned()),
                quality: Some(Quality::Auth),
            })
        );
    }

    #[test]
    fn what_cannot_be_answered_is_passed_over() {
        for value in [
            "Basic realm=\"r\"",
            "Digest realm=\"r\"",
            "Digest nonce=\"n\", algorithm=SHA-512-256",
            "Digest nonce=\"n\", qop=\"other\"",
            "nonce=1",
            "",
        ] {
            assert_eq!(find(&[value]), None, "{value}");
        }
        let found = find(&[
            "Digest nonce=\"a\", algorithm=SHA-512-256",
            "Digest nonce=\"b\", algorithm=sha-256, qop=auth-int",
        ]);
        let found = found.unwrap();
        assert_eq!(found.nonce, "b");
        assert_eq!(found.hash, Hash::Sha256);
        assert_eq!(found.quality, Some(Quality::AuthInt));
    }

    proptest::proptest! {
        #[test]
        fn no_value_breaks_the_reader(value: String, tail in "[a-z=\", \\\\]{0,30}") {
            let _ = find(&[&value]);
            let _ = find(&[&format!("Digest {tail}")]);
        }
    }
}
