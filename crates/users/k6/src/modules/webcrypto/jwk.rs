//! Keys as JSON (RFC 7517 and 7518).

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use loadline_js::{Ctx, Value};
use serde_json::Value as Json;

use super::key::{Algorithm, KeyArgument, unsupported_format};
use crate::modules::failure::{Failure, OperationResult, fail};

/// Some text members of a key in JSON, in the order asked for.
pub(super) struct Members<'a> {
    names: &'a [&'static str],
    texts: Vec<String>,
}

impl<'a> Members<'a> {
    /// Reads them; what is absent is empty. `go` is the type Go names in its words.
    pub(super) fn read(json: &[u8], go: &str, names: &'a [&'static str]) -> Result<Self, String> {
        let json: Json = serde_json::from_slice(json).map_err(|error| error.to_string())?;
        let empty = serde_json::Map::new();
        let object = match &json {
            Json::Object(object) => object,
            Json::Null => &empty,
            other => {
                let kind = kind(other);
                return Err(format!(
                    "json: cannot unmarshal {kind} into Go value of type webcrypto.{go}"
                ));
            }
        };
        let mut sorted = names.to_vec();
        sorted.sort_unstable();
        for name in sorted {
            if let Some(other) = object.get(name).filter(|v| !v.is_string() && !v.is_null()) {
                let kind = kind(other);
                return Err(format!(
                    "json: cannot unmarshal {kind} into Go struct field {go}.{name} of type string"
                ));
            }
        }
        let text = |name: &&str| object.get(*name).and_then(Json::as_str).unwrap_or_default();
        let texts = names.iter().map(|name| text(name).to_owned()).collect();
        Ok(Self { names, texts })
    }

    pub(super) fn text(&self, name: &str) -> &str {
        let index = self.names.iter().position(|known| *known == name);
        index.map_or("", |index| self.texts[index].as_str())
    }

    /// The bytes of a member.
    pub(super) fn bytes(&self, name: &str) -> Result<Vec<u8>, String> {
        decode(self.text(name))
    }
}

const fn kind(json: &Json) -> &'static str {
    match json {
        Json::Null => "null",
        Json::Bool(_) => "bool",
        Json::Number(_) => "number",
        Json::String(_) => "string",
        Json::Array(_) => "array",
        Json::Object(_) => "object",
    }
}

fn decode(text: &str) -> Result<Vec<u8>, String> {
    use base64::DecodeError;
    URL_SAFE_NO_PAD.decode(text).map_err(|error| {
        let at = match error {
            DecodeError::InvalidByte(at, _) | DecodeError::InvalidLastSymbol { offset: at, .. } => {
                at
            }
            _ => text.len(),
        };
        format!("illegal base64 data at input byte {at}")
    })
}

pub(super) fn encode(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// The bytes of a secret key.
pub(super) fn secret(json: &[u8]) -> OperationResult<Vec<u8>> {
    let data_error = |text: String| Failure::new("DataError", text);
    let key = Members::read(json, "symmetricJWK", &["kty", "k"])
        .map_err(|error| data_error(format!("failed to parse symmetric JWK: {error}")))?;
    if key.text("kty") != "oct" {
        let kind = key.text("kty");
        let text = format!("invalid symmetric JWK: invalid key type: {kind}");
        return fail("DataError", text);
    }
    if key.text("k").is_empty() {
        return fail("DataError", "invalid symmetric JWK: key (k) is required");
    }
    let bytes = key.bytes("k");
    Ok(bytes.map_err(|error| data_error(format!("failed to decode symmetric key: {error}")))?)
}

/// A secret key as an object.
pub(super) fn of_secret(ctx: &Ctx, key: &KeyArgument) -> OperationResult<Value> {
    let text = "key's handle isn't a byte slice";
    let secret = key.secret("ImplementationError", text)?;
    let algorithm = match key.algorithm() {
        Some(Algorithm::Hmac { hash, .. }) => {
            let name = hash.map_or("", super::read::Hash::name);
            format!("HS{}", name.get(4..).unwrap_or_default())
        }
        Some(Algorithm::Aes { name, .. }) => {
            format!("A{}{}", 8 * secret.len(), name.get(4..).unwrap_or_default())
        }
        _ => return fail("ImplementationError", "failed to extract algorithm"),
    };
    let object = ctx.object()?;
    object.set("k", encode(secret))?;
    object.set("kty", "oct")?;
    object.set("ext", key.extractable)?;
    object.set("key_ops", key.usages().to_vec())?;
    object.set("alg", algorithm)?;
    Ok(object)
}

/// An object of texts.
pub(super) fn object(ctx: &Ctx, members: &[(&str, String)]) -> OperationResult<Value> {
    let object = ctx.object()?;
    for (name, text) in members {
        object.set(*name, text)?;
    }
    Ok(object)
}

/// The bytes of a secret key that comes in `format`.
pub(super) fn secret_in(format: &str, data: Vec<u8>) -> OperationResult<Vec<u8>> {
    match format {
        "raw" => Ok(data),
        "jwk" => secret(&data),
        _ => unsupported_format(format),
    }
}
