//! API keys: `wrk_<id>_<secret>`, of which only the id and a hash of the secret are kept.

use aws_lc_rs::{constant_time, digest};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};

use crate::ids::{KeyId, TenantId};

/// What a key may do. New ones go at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// Make tenants and their keys. Of keys without a tenant only.
    Root,
    /// Make and change queues, keys of the tenant, blocks and passes.
    Admin,
    /// Let people in by hand.
    Admit,
    /// Let people in by hand beyond the cap.
    Force,
    /// Register visitors, exchange codes, end sessions.
    Register,
    /// Read figures and the audit log.
    Read,
    /// Report the service's health.
    Feedback,
}

impl Scope {
    /// All of them, with their names in the API.
    pub const ALL: [(Self, &'static str); 7] = [
        (Self::Root, "root"),
        (Self::Admin, "admin"),
        (Self::Admit, "admit"),
        (Self::Force, "force"),
        (Self::Register, "register"),
        (Self::Read, "read"),
        (Self::Feedback, "feedback"),
    ];

    /// Reads a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|(_, known)| *known == name)
            .map(|(scope, _)| scope)
    }

    /// Its name in the API.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL
            .into_iter()
            .find(|(scope, _)| *scope == self)
            .map_or("", |(_, name)| name)
    }
}

/// An API key, as far as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApiKey {
    /// Its id.
    pub id: KeyId,
    /// Whose; `None` for one of the installation.
    pub tenant: Option<TenantId>,
    /// For people.
    pub label: String,
    /// What it may do.
    pub scopes: Vec<Scope>,
    /// When it ends, in seconds since 1970.
    pub expires_s: Option<u64>,
    /// SHA-256 of the secret.
    hash: [u8; 32],
}

impl ApiKey {
    /// A key with a secret just drawn.
    #[must_use]
    pub fn new(
        secret: &KeySecret,
        tenant: Option<TenantId>,
        label: String,
        scopes: Vec<Scope>,
        expires_s: Option<u64>,
    ) -> Self {
        Self {
            id: secret.id,
            tenant,
            label,
            scopes,
            expires_s,
            hash: secret.hash(),
        }
    }

    /// Whether it is the key meant, and its time is not over.
    #[must_use]
    pub fn opens(&self, secret: &KeySecret, now_s: u64) -> bool {
        let same = constant_time::verify_slices_are_equal(&self.hash, &secret.hash()).is_ok();
        same && self.expires_s.is_none_or(|end| end > now_s)
    }

    /// Whether it may do something. A key of the installation may do everything.
    #[must_use]
    pub fn may(&self, scope: Scope) -> bool {
        self.scopes.contains(&Scope::Root)
            || self.scopes.contains(&scope)
            || (self.scopes.contains(&Scope::Admin) && !matches!(scope, Scope::Root | Scope::Force))
    }
}

/// A key whole: what its owner holds, and nobody else.
#[derive(Clone, PartialEq, Eq)]
pub struct KeySecret {
    /// The id it is found by.
    pub id: KeyId,
    pub(super) secret: [u8; 32],
}

impl std::fmt::Debug for KeySecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "KeySecret({}, ..)", self.id)
    }
}

impl KeySecret {
    /// Draws a new one.
    ///
    /// # Errors
    /// The system's, when it has no randomness.
    pub fn draw() -> Result<Self, getrandom::Error> {
        let mut secret = [0; 32];
        getrandom::fill(&mut secret)?;
        Ok(Self {
            id: KeyId::draw()?,
            secret,
        })
    }

    /// Reads `wrk_<16 digits>_<43 characters>`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (id, secret) = text.strip_prefix("wrk_")?.split_once('_')?;
        let id = KeyId::parse(&format!("k_{id}"))?;
        let mut bytes = [0; 34];
        let length = URL_SAFE_NO_PAD.decode_slice(secret, &mut bytes).ok()?;
        let secret = bytes[..length].try_into().ok()?;
        Some(Self { id, secret })
    }

    /// The key as its owner is shown it, once.
    #[must_use]
    pub fn reveal(&self) -> String {
        let id = self.id.to_string();
        format!(
            "wrk_{}_{}",
            id.trim_start_matches("k_"),
            URL_SAFE_NO_PAD.encode(self.secret)
        )
    }

    fn hash(&self) -> [u8; 32] {
        let mut hash = [0; 32];
        hash.copy_from_slice(digest::digest(&digest::SHA256, &self.secret).as_ref());
        hash
    }
}
