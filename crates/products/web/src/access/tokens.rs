//! Tokens of the roles, and what is derived from them: links and cookies.
//!
//! The tokens of a store come from the user's one secret, so that those for one store open no other. A link holds its role, when it was made and a number of its own, signed with the role's token; a
//! cookie is a digest of the token and the port. Neither tells the token, and a new token ends both.

use std::path::Path;

use loadline_listen::{is_same_secret, keyed_digest};

/// A link can be opened for so long.
pub const LINK_HOURS_MAX: i64 = 12;
/// Random bytes of a link.
const LINK_BYTES: usize = 8;
/// Digits of a token, and of a link's signature: 128 bits.
const TOKEN_DIGITS: usize = 32;

/// What its holder may do; each role may do what those before it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum AccessRole {
    /// Look at runs, studies, comparisons and plans.
    Read,
    /// Start tests, steer runs, write notes and tags.
    Run,
    /// Remove runs and studies.
    Own,
}

impl AccessRole {
    /// All roles, the least first.
    pub const ALL: [Self; 3] = [Self::Read, Self::Run, Self::Own];

    /// As it is typed, and stands in links.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Run => "run",
            Self::Own => "own",
        }
    }
}

/// The tokens of the roles for the pages of a store.
#[derive(Clone, PartialEq, Eq)]
pub struct AccessTokens {
    read: String,
    run: String,
    own: String,
}

/// A link whose signature is right.
pub(crate) struct SignedLink {
    pub(crate) role: AccessRole,
    /// The number that no other link has.
    pub(crate) number: String,
    pub(crate) made_ms: i64,
}

impl AccessTokens {
    /// Those of a store, from the user's secret.
    #[must_use]
    pub fn new(secret: &[u8], store: &Path) -> Self {
        let token = |role: AccessRole| {
            digits(
                secret,
                &format!("token {} {}", role.name(), store.display()),
            )
        };
        Self {
            read: token(AccessRole::Read),
            run: token(AccessRole::Run),
            own: token(AccessRole::Own),
        }
    }

    /// The token of a role, for `Authorization: Bearer`.
    #[must_use]
    pub fn token(&self, role: AccessRole) -> &str {
        match role {
            AccessRole::Read => &self.read,
            AccessRole::Run => &self.run,
            AccessRole::Own => &self.own,
        }
    }

    /// The token of a new link to the pages; `random` fills bytes that nobody can guess.
    #[must_use]
    pub fn link(&self, role: AccessRole, now_ms: i64, random: fn(&mut [u8])) -> String {
        let mut number = [0; LINK_BYTES];
        random(&mut number);
        let number = number.map(|byte| format!("{byte:02x}")).concat();
        let signature = self.signature(role, now_ms, &number);
        format!("{}.{now_ms}.{number}.{signature}", role.name())
    }

    fn signature(&self, role: AccessRole, made_ms: i64, number: &str) -> String {
        let text = format!("link {made_ms} {number}");
        digits(self.token(role).as_bytes(), &text)
    }

    /// The role of a token; no role for a wrong one.
    pub(crate) fn role_of_token(&self, given: &[u8]) -> Option<AccessRole> {
        let is_its = |role: &AccessRole| is_same_secret(given, self.token(*role).as_bytes());
        AccessRole::ALL.into_iter().find(is_its)
    }

    /// The link of a token in an address, unless it is none of ours or was made too long ago.
    pub(crate) fn role_of_link(&self, given: &str, now_ms: i64) -> Option<SignedLink> {
        let mut parts = given.split('.');
        let [name, made, number, signature] = [(); 4].map(|()| parts.next());
        let (name, made_ms) = (name?, made?.parse().ok()?);
        let role = AccessRole::ALL
            .into_iter()
            .find(|role| role.name() == name)?;
        let wanted = self.signature(role, made_ms, number?);
        let is_signed = is_same_secret(signature?.as_bytes(), wanted.as_bytes());
        let is_fresh = now_ms.saturating_sub(made_ms) <= LINK_HOURS_MAX * 3_600_000;
        (is_signed && is_fresh && parts.next().is_none()).then(|| SignedLink {
            role,
            number: number.unwrap_or_default().to_owned(),
            made_ms,
        })
    }

    /// The value of the cookie that has a role at the server of a port.
    pub(crate) fn cookie(&self, role: AccessRole, port: u16) -> String {
        keyed_digest(self.token(role).as_bytes(), &format!("cookie {port}"))
    }

    /// The role of a cookie; no role for a wrong one.
    pub(crate) fn role_of_cookie(&self, given: &str, port: u16) -> Option<AccessRole> {
        let is_its = |role: &AccessRole| {
            is_same_secret(given.as_bytes(), self.cookie(*role, port).as_bytes())
        };
        AccessRole::ALL.into_iter().find(is_its)
    }
}

impl std::fmt::Debug for AccessTokens {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("AccessTokens")
    }
}

fn digits(key: &[u8], text: &str) -> String {
    let mut digest = keyed_digest(key, text);
    digest.truncate(TOKEN_DIGITS);
    digest
}
