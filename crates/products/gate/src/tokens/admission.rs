//! The proof of admission for services that check it themselves: a signed JWT.
//!
//! EdDSA by default, so that a service holds nothing secret; HS256 where a library has no
//! other. The key id names tenant, kind and rotation, and a verifier takes the algorithm
//! from the key and never from the token.

use aws_lc_rs::hmac;
use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Secret;
use crate::ids::{QueueId, TenantId};

/// How a service learns that somebody was let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AdmissionProof {
    /// A code in the address, exchanged by the service at the gate, once.
    Code,
    /// A JWT signed with Ed25519, checked with the published keys.
    #[default]
    JwtEddsa,
    /// A JWT signed with a secret that service and gate share.
    JwtHs256,
}

/// What a JWT says.
#[derive(Debug, Clone, Serialize)]
pub struct Claims {
    /// The gate's public address.
    pub iss: String,
    /// The queue.
    pub aud: String,
    /// Who, as the queue knows them.
    pub sub: String,
    /// This admission: a service that keeps the last few sees a token used twice.
    pub jti: String,
    /// Signed at, in seconds since 1970.
    pub iat: u64,
    /// Not before.
    pub nbf: u64,
    /// Not after.
    pub exp: u64,
    /// The ticket's number.
    pub seq: u64,
}

/// Signs as the tenant, at a rotation.
///
/// # Errors
/// `None` only if the key cannot be made, which the library rules out for 32 bytes.
#[must_use]
pub fn sign(
    secret: &Secret,
    tenant: TenantId,
    queue: QueueId,
    generation: u32,
    proof: AdmissionProof,
    claims: &Claims,
) -> Option<String> {
    let (alg, kid) = match proof {
        AdmissionProof::JwtHs256 => ("HS256", format!("{queue}.{generation}")),
        AdmissionProof::Code | AdmissionProof::JwtEddsa => {
            ("EdDSA", format!("{tenant}.{generation}"))
        }
    };
    let header = json!({ "alg": alg, "kid": kid, "typ": "wradm+jwt" });
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let claims = serde_json::to_value(claims).ok()?;
    let signed = format!("{}.{}", part(&header), part(&claims));
    let signature = match proof {
        AdmissionProof::JwtHs256 => {
            let key = hmac::Key::new(hmac::HMAC_SHA256, &shared_secret(secret, queue, generation));
            URL_SAFE_NO_PAD.encode(hmac::sign(&key, signed.as_bytes()))
        }
        AdmissionProof::Code | AdmissionProof::JwtEddsa => {
            let pair = key_pair(secret, tenant, generation)?;
            URL_SAFE_NO_PAD.encode(pair.sign(signed.as_bytes()))
        }
    };
    Some(format!("{signed}.{signature}"))
}

/// The secret that a service shares with the gate for HS256: 32 bytes.
#[must_use]
pub fn shared_secret(secret: &Secret, queue: QueueId, generation: u32) -> [u8; 32] {
    secret.derive("jwt-hs256", &queue.0, generation)
}

/// Earlier rotations whose public keys are still published: a JWT lives two minutes.
const EARLIER_ROTATIONS_MAX: u32 = 3;

/// The tenant's public keys, the last few, current and next, as a JSON Web Key Set's members.
#[must_use]
pub fn public_keys(secret: &Secret, tenant: TenantId, generation: u32) -> Vec<Value> {
    let generations =
        generation.saturating_sub(EARLIER_ROTATIONS_MAX)..=generation.saturating_add(1);
    let key = |generation| {
        let pair = key_pair(secret, tenant, generation)?;
        Some(json!({
            "kty": "OKP",
            "crv": "Ed25519",
            "use": "sig",
            "alg": "EdDSA",
            "kid": format!("{tenant}.{generation}"),
            "x": URL_SAFE_NO_PAD.encode(pair.public_key()),
        }))
    };
    generations.filter_map(key).collect()
}

fn key_pair(secret: &Secret, tenant: TenantId, generation: u32) -> Option<Ed25519KeyPair> {
    let seed = secret.derive("jwt-eddsa", &tenant.0, generation);
    Ed25519KeyPair::from_seed_unchecked(&seed).ok()
}
