//! Keys on the curves P-256, P-384 and P-521: signing (ECDSA) and key agreement (ECDH).

mod agree;

use aws_lc_rs::signature::{EcdsaKeyPair, UnparsedPublicKey};
use loadline_js::{Ctx, Value};

use super::ec_key::{Curve, EcPrivate};
use super::jwk::{self, Members};
use super::key::{Algorithm, Handle, Key, KeyArgument, unsupported_format};
use super::read::{self, ECDH, Hash, Operation, common, param};
use crate::modules::der::{self, Reader};
use crate::modules::failure::{Failure, OperationError, OperationResult, fail};

pub(super) use agree::{agree, other_side};

/// The curve scripts name.
pub(super) fn curve_param(params: &Value) -> OperationResult<String> {
    Ok(param(params, "namedCurve")?.to_text()?)
}

/// A new pair.
pub(super) fn generate(
    name: &'static str,
    curve: String,
    extractable: bool,
    usages: &[String],
) -> OperationResult<(Key, Key)> {
    let (private_usages, public_usages): (&[&str], &[&str]) = match name {
        ECDH => (&["deriveKey", "deriveBits"], &[]),
        _ => (&["sign"], &["verify"]),
    };
    let Some(known) = Curve::named(&curve) else {
        let text = format!("elliptic curve {curve} is not supported");
        return fail("NotSupportedError", text);
    };
    if usages.is_empty() {
        return fail("SyntaxError", "key usages cannot be empty");
    }
    let allowed = |usage: &String| {
        private_usages.contains(&usage.as_str()) || public_usages.contains(&usage.as_str())
    };
    if !usages.iter().all(allowed) {
        return fail("SyntaxError", "invalid key usage");
    }
    let Some(private) = EcPrivate::generate(known) else {
        let text = format!("unable to generate a {name} key pair");
        return fail("OperationError", text);
    };
    let algorithm = Algorithm::Ec { name, curve };
    let public = Key {
        handle: Handle::EcPublic(known, private.point.clone()),
        algorithm: algorithm.clone(),
        extractable: true,
        usages: common(usages, public_usages),
    };
    let private = Key {
        handle: Handle::EcPrivate(private),
        algorithm,
        extractable,
        usages: common(usages, private_usages),
    };
    Ok((private, public))
}

/// A key from one of its forms. Usages are not looked at, as in k6.
pub(super) fn import(
    name: &'static str,
    curve: String,
    format: &str,
    data: &[u8],
    extractable: bool,
    usages: Vec<String>,
) -> OperationResult<Key> {
    let handle = match format {
        "raw" => import_point(name, &curve, data)?,
        "pkcs8" => import_private(name, data)?,
        "spki" => import_public(data)?,
        "jwk" => import_json(name, data).map_err(Failure::plain)?,
        _ => {
            let text = format!("unsupported key format {format} for algorithm {name}");
            return fail("NotSupportedError", text);
        }
    };
    Ok(Key {
        handle,
        algorithm: Algorithm::Ec { name, curve },
        extractable,
        usages,
    })
}

fn import_point(name: &str, curve: &str, data: &[u8]) -> OperationResult<Handle> {
    let is_agreement = name == ECDH;
    let Some(known) = Curve::named(curve) else {
        let kind = if is_agreement { "ECDH" } else { "elliptic" };
        let text = format!("invalid {kind} curve {curve}");
        return fail("NotSupportedError", text);
    };
    if known.has_point(data) {
        return Ok(Handle::EcPublic(known, data.to_vec()));
    }
    let mut text = format!("unable to import {name} public key data");
    if is_agreement {
        text.push_str(": crypto/ecdh: invalid public key");
    }
    fail("DataError", text)
}

fn import_public(data: &[u8]) -> OperationResult<Handle> {
    let wrong = |error: &str| {
        let text = format!("unable to import ECDH public key data: {error}");
        OperationError::from(Failure::new("DataError", text))
    };
    let (algorithm, parameters, point) = der::read_public(data).map_err(wrong)?;
    if algorithm != der::EC {
        return fail("DataError", "a public key is not an ECDSA key");
    }
    let curve =
        Curve::identified(parameters).ok_or_else(|| wrong("x509: unsupported elliptic curve"))?;
    if !curve.has_point(point) {
        return Err(wrong("x509: failed to unmarshal elliptic curve point"));
    }
    Ok(Handle::EcPublic(curve, point.to_vec()))
}

fn import_private(name: &str, data: &[u8]) -> OperationResult<Handle> {
    let wrong = |error: &str| {
        let text = format!("unable to import {name} private key data: {error}");
        OperationError::from(Failure::new("DataError", text))
    };
    let (algorithm, parameters, key) = der::read_private(data).map_err(wrong)?;
    if algorithm != der::EC {
        return fail("DataError", "a private key is not an ECDSA key");
    }
    let curve =
        Curve::identified(parameters).ok_or_else(|| wrong("x509: unknown elliptic curve"))?;
    let mut fields = Reader::new(key).sequence().map_err(wrong)?;
    fields.number().map_err(wrong)?;
    let scalar = fields.expect(der::TAG_OCTET_STRING).map_err(wrong)?;
    let key = EcPrivate::new(curve, scalar)
        .ok_or_else(|| wrong("x509: invalid elliptic curve private key value"))?;
    Ok(Handle::EcPrivate(key))
}

fn import_json(name: &str, data: &[u8]) -> Result<Handle, String> {
    let read = || {
        let key = Members::read(data, "ecJWK", &["kty", "crv", "x", "y", "d"])
            .map_err(|error| format!("failed to parse input as EC JWK key: {error}"))?;
        let missing = match () {
            () if key.text("kty") != "EC" => Some(format!("invalid key type: {}", key.text("kty"))),
            () if key.text("crv").is_empty() => Some("curve is required".to_owned()),
            () if key.text("x").is_empty() => Some("coordinate X is required".to_owned()),
            () if key.text("y").is_empty() => Some("coordinate Y is required".to_owned()),
            () => None,
        };
        if let Some(missing) = missing {
            return Err(format!("invalid EC JWK key: {missing}"));
        }
        let curve = Curve::named(key.text("crv")).ok_or_else(|| {
            let name = key.text("crv");
            format!("failed to parse elliptic curve: invalid elliptic curve {name}")
        })?;
        let coordinate = |name: &str, shown: &str| {
            key.bytes(name)
                .map_err(|error| format!("failed to decode {shown}: {error}"))
        };
        let (x, y) = (
            coordinate("x", "X coordinate")?,
            coordinate("y", "Y coordinate")?,
        );
        let d = match key.text("d") {
            "" => None,
            _ => Some(coordinate("d", "D")?),
        };
        Ok((curve, x, y, d))
    };
    let as_input = |error: String| match name {
        ECDH => format!("failed to parse input as ECDH key: {error}"),
        _ => error,
    };
    let (curve, x, y, d) = read().map_err(as_input)?;
    let invalid = || match name {
        ECDH => "failed to convert ECDSA key to ECDH key: ecdsa: invalid public key".to_owned(),
        _ => "invalid EC JWK key: no point of the curve".to_owned(),
    };
    let mut point = vec![4];
    for coordinate in [&x, &y] {
        let digits = der::trimmed(coordinate);
        let zeros = curve.size().checked_sub(digits.len()).ok_or_else(invalid)?;
        point.resize(point.len() + zeros, 0);
        point.extend_from_slice(digits);
    }
    if !curve.has_point(&point) {
        return Err(invalid());
    }
    match d {
        None => Ok(Handle::EcPublic(curve, point)),
        Some(d) => EcPrivate::new(curve, &d)
            .filter(|key| key.point == point)
            .map(Handle::EcPrivate)
            .ok_or_else(invalid),
    }
}

/// What a key can be exported as: bytes, or an object.
pub(super) fn export(ctx: &Ctx, key: &KeyArgument, format: &str) -> OperationResult<Value> {
    let Some(handle) = key.handle() else {
        return fail("OperationError", "key data is not accessible");
    };
    let kind = |kind: &str| {
        let text = format!("key is not a valid elliptic curve {kind} key");
        OperationError::from(Failure::new("InvalidAccessError", text))
    };
    let der = match (format, handle) {
        ("raw", Handle::EcPublic(_, point)) => point.clone(),
        ("spki", Handle::EcPublic(curve, point)) => der::sequence(&[
            der::algorithm(der::EC, Some(curve.identifier())),
            der::bits(point),
        ]),
        ("raw" | "spki", _) => return Err(kind("public")),
        ("pkcs8", Handle::EcPrivate(key)) => write_private(key),
        ("pkcs8", _) => return Err(kind("private")),
        ("jwk", Handle::EcPublic(curve, point)) => return json(ctx, *curve, point, None),
        ("jwk", Handle::EcPrivate(key)) => {
            return json(ctx, key.curve, &key.point, Some(&key.scalar));
        }
        _ => return unsupported_format(format),
    };
    Ok(ctx.array_buffer(der)?)
}

/// PKCS #8 around RFC 5915.
fn write_private(key: &EcPrivate) -> Vec<u8> {
    const TAG_PUBLIC_KEY: u8 = 0xa1;
    let inner = der::sequence(&[
        der::number(&[1]),
        der::value(der::TAG_OCTET_STRING, &key.scalar),
        der::value(TAG_PUBLIC_KEY, &der::bits(&key.point)),
    ]);
    der::sequence(&[
        der::number(&[0]),
        der::algorithm(der::EC, Some(key.curve.identifier())),
        der::value(der::TAG_OCTET_STRING, &inner),
    ])
}

fn json(ctx: &Ctx, curve: Curve, point: &[u8], scalar: Option<&[u8]>) -> OperationResult<Value> {
    let (x, y) = point[1..].split_at(curve.size());
    let mut members = vec![
        ("kty", "EC".to_owned()),
        ("crv", curve.name().to_owned()),
        ("x", jwk::encode(der::trimmed(x))),
        ("y", jwk::encode(der::trimmed(y))),
    ];
    if let Some(scalar) = scalar {
        members.push(("d", jwk::encode(scalar)));
    }
    jwk::object(ctx, &members)
}

/// The hash to sign with.
pub(super) fn hash_param(params: &Value) -> OperationResult<Option<Hash>> {
    read::hash(params, Operation::GenerateKey)
}

pub(super) fn sign(hash: Option<Hash>, key: &KeyArgument, data: &[u8]) -> OperationResult<Vec<u8>> {
    let handle = key.handle().filter(|_| key.kind == "private");
    let Some(Handle::EcPrivate(private)) = handle else {
        return fail("InvalidAccessError", "key is not a valid ECDSA private key");
    };
    let unable = || Failure::new("OperationError", "unable to sign data");
    let digest = hash
        .and_then(|hash| private.curve.digest(hash, data))
        .ok_or_else(unable)?;
    let pair = EcdsaKeyPair::from_private_key_and_public_key(
        private.curve.signing(),
        &private.scalar,
        &private.point,
    );
    let signature = pair.map_err(|_| unable())?.sign_digest(&digest);
    Ok(signature.map_err(|_| unable())?.as_ref().to_vec())
}

pub(super) fn verify(
    hash: Option<Hash>,
    key: &KeyArgument,
    signature: &[u8],
    data: &[u8],
) -> OperationResult<bool> {
    let handle = key.handle().filter(|_| key.kind == "public");
    let Some(Handle::EcPublic(curve, point)) = handle else {
        return fail("InvalidAccessError", "key is not a valid ECDSA public key");
    };
    let Some(digest) = hash.and_then(|hash| curve.digest(hash, data)) else {
        return Ok(false);
    };
    let key = UnparsedPublicKey::new(curve.verification(), point);
    Ok(signature.len() == 2 * curve.size() && key.verify_digest(&digest, signature).is_ok())
}
