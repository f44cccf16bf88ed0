//! Key agreement with ECDH.

use aws_lc_rs::agreement::{self, PrivateKey};
use loadline_js::Value;

use super::super::key::{Algorithm, Handle, KeyArgument};
use super::super::read::{ECDH, member};
use crate::modules::failure::{Failure, OperationResult, fail};

/// The other side's public key, from parameters.
pub(in crate::modules::webcrypto) fn other_side(params: &Value) -> OperationResult<KeyArgument> {
    let Ok(value) = member(params, &["public"]) else {
        return fail("TypeError", "algorithm does not contain a public key");
    };
    let Some(key) = KeyArgument::read(&value)? else {
        let text = format!(
            "algorithm's public is not a valid CryptoKey: could not convert {} to webcrypto.CryptoKey",
            value.to_text()?
        );
        return fail("TypeError", text);
    };
    if key.check_kind().is_err() {
        let text = "algorithm's public key is not a valid CryptoKey: invalid key type";
        return fail("TypeError", text);
    }
    if key.kind != "public" {
        let text = "algorithm's public key is not a public key";
        return fail("InvalidAccessError", text);
    }
    let name = member(&value, &["algorithm", "name"])?.to_text()?;
    if name != ECDH {
        let text =
            format!("algorithm name does not match public key's algorithm name: {ECDH} != {name}");
        return fail("InvalidAccessError", text);
    }
    Ok(key)
}

/// The first `bits` bits of the secret both sides can compute.
pub(in crate::modules::webcrypto) fn agree(
    key: &KeyArgument,
    other: &KeyArgument,
    bits: i64,
) -> OperationResult<Vec<u8>> {
    if key.check_kind().is_err() {
        let text = "provided baseKey is not a valid CryptoKey: invalid key type";
        return fail("InvalidAccessError", text);
    }
    if key.kind != "private" {
        return fail(
            "InvalidAccessError",
            "provided baseKey is not a private key",
        );
    }
    if !key.may("deriveBits") {
        let text = "provided baseKey does not contain the 'deriveBits' usage";
        return fail("InvalidAccessError", text);
    }
    let (Some(Algorithm::Ec { curve: mine, .. }), Some(Algorithm::Ec { curve: theirs, .. })) =
        (key.algorithm(), other.algorithm())
    else {
        return fail(
            "InvalidAccessError",
            "keys are not valid elliptic curve keys",
        );
    };
    if mine != theirs {
        let text = format!("keys have different curves {mine} and {theirs}");
        return fail("InvalidAccessError", text);
    }
    let Some(Handle::EcPrivate(private)) = key.handle() else {
        return fail("InvalidAccessError", "key is not a valid ECDH private key");
    };
    let Some(Handle::EcPublic(curve, point)) = other.handle() else {
        return fail("InvalidAccessError", "key is not a valid ECDH public key");
    };
    let failed = || Failure::plain("crypto/ecdh: private key and public key curves do not match");
    let own = PrivateKey::from_private_key(private.curve.agreement(), &private.scalar)
        .map_err(|_| failed())?;
    let peer = agreement::UnparsedPublicKey::new(curve.agreement(), point);
    let secret = agreement::agree(&own, peer, (), |secret| Ok(secret.to_vec()));
    let mut secret = secret.map_err(|()| failed())?;
    let wanted = usize::try_from(bits / 8).ok();
    let Some(wanted) = wanted.filter(|wanted| *wanted <= secret.len()) else {
        return fail("OperationError", "length is too large");
    };
    secret.truncate(wanted);
    Ok(secret)
}
