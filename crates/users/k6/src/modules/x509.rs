//! `k6/crypto/x509`: reads certificates (RFC 5280).

mod certificate;

use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use loadline_js::{Args, Ctx, Exception, Exports, Value};

use crate::modules::go_error::go_error;
use certificate::{Certificate, Name, PublicKey};

pub(crate) fn exports(ctx: &Ctx) -> Result<Exports, Exception> {
    let mut exports = Exports::new();
    exports.add("parse", ctx.function("parse", 1, parse)?);
    let names = ctx.function("getAltNames", 1, |ctx, args| Ok(read(ctx, args)?.alt_names))?;
    exports.add("getAltNames", names);
    let issuer = ctx.function("getIssuer", 1, |ctx, args| {
        issuer(ctx, &read(ctx, args)?.issuer)
    })?;
    exports.add("getIssuer", issuer);
    let subject = ctx.function("getSubject", 1, |ctx, args| {
        subject(ctx, &read(ctx, args)?.subject)
    })?;
    exports.add("getSubject", subject);
    Ok(exports)
}

/// The certificate in the argument.
fn read(ctx: &Ctx, args: &Args<'_>) -> Result<Certificate, Exception> {
    let text = bytes(&args.get(0))?;
    let der = from_pem(&String::from_utf8_lossy(&text))
        .ok_or_else(|| go_error(ctx, "failed to decode certificate PEM file"))?;
    Certificate::read(&der).map_err(|_| {
        go_error(
            ctx,
            "failed to parse certificate: x509: malformed certificate",
        )
    })
}

/// What Go takes as bytes.
fn bytes(value: &Value) -> Result<Vec<u8>, Exception> {
    if value.is_nullish() {
        return Ok(Vec::new());
    }
    if let Some(text) = value.as_text() {
        return Ok(text.into_bytes());
    }
    if let Some(bytes) = value.to_bytes() {
        return Ok(bytes);
    }
    if value.is_array() {
        let elements = value.elements()?;
        let byte = |element: &Value| Ok(element.to_i64()?.to_le_bytes()[0]);
        return elements.iter().map(byte).collect();
    }
    let text = value.to_text()?;
    let why = if value.is_object() {
        format!("cannot convert {text} to []uint8: not an array or iterable")
    } else {
        format!("could not convert {text} to []uint8")
    };
    let text = format!("could not convert function call parameter 0: {why}");
    Err(Exception::type_error(text))
}

/// The bytes of the first block in PEM (RFC 7468).
fn from_pem(text: &str) -> Option<Vec<u8>> {
    let (_, rest) = text.split_once("-----BEGIN ")?;
    let (label, rest) = rest.split_once("-----")?;
    let (body, _) = rest.split_once(&format!("-----END {label}-----"))?;
    let digits: String = body.split_ascii_whitespace().collect();
    STANDARD.decode(digits).ok()
}

/// `parse(pem)`
fn parse(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let certificate = read(ctx, args)?;
    let object = ctx.object()?;
    object.set("subject", subject(ctx, &certificate.subject)?)?;
    object.set("issuer", issuer(ctx, &certificate.issuer)?)?;
    object.set("notBefore", &certificate.not_before)?;
    object.set("notAfter", &certificate.not_after)?;
    object.set("altNames", certificate.alt_names)?;
    object.set("signatureAlgorithm", certificate.signature_algorithm)?;
    object.set("fingerPrint", certificate.finger_print.to_vec())?;
    object.set("publicKey", public_key(ctx, &certificate.public_key)?)?;
    Ok(object)
}

fn issuer(ctx: &Ctx, name: &Name) -> Result<Value, Exception> {
    let object = ctx.object()?;
    object.set("commonName", name.last(certificate::COMMON_NAME))?;
    object.set("country", name.first(certificate::COUNTRY))?;
    object.set("stateOrProvinceName", name.first(certificate::PROVINCE))?;
    object.set("localityName", name.first(certificate::LOCALITY))?;
    object.set("organizationName", name.first(certificate::ORGANIZATION))?;
    object.set("names", names(ctx, name)?)?;
    Ok(object)
}

fn subject(ctx: &Ctx, name: &Name) -> Result<Value, Exception> {
    let object = ctx.object()?;
    object.set("commonName", name.last(certificate::COMMON_NAME))?;
    object.set("country", name.first(certificate::COUNTRY))?;
    object.set("postalCode", name.first(certificate::POSTAL_CODE))?;
    object.set("stateOrProvinceName", name.first(certificate::PROVINCE))?;
    object.set("localityName", name.first(certificate::LOCALITY))?;
    object.set("streetAddress", name.first(certificate::STREET))?;
    object.set("organizationName", name.first(certificate::ORGANIZATION))?;
    let units: Vec<String> = name.all(certificate::UNIT).map(str::to_owned).collect();
    object.set("organizationalUnitName", units)?;
    object.set("names", names(ctx, name)?)?;
    Ok(object)
}

fn names(ctx: &Ctx, name: &Name) -> Result<Value, Exception> {
    let named = |(kind, value): &(String, String)| {
        let object = ctx.object()?;
        object.set("type", kind)?;
        object.set("value", value)?;
        Ok(object)
    };
    let objects: Result<Vec<Value>, Exception> = name.0.iter().map(named).collect();
    ctx.array(objects?)
}

/// The key with its numbers, as bigints.
fn public_key(ctx: &Ctx, key: &PublicKey) -> Result<Value, Exception> {
    let object = ctx.object()?;
    let inner = ctx.object()?;
    match key {
        PublicKey::Rsa { modulus, exponent } => {
            object.set("algorithm", "RSA")?;
            inner.set("n", big(ctx, modulus)?)?;
            inner.set("e", *exponent)?;
            let size = modulus.len();
            inner.set("size", ctx.function("size", 0, move |_, _| Ok(size))?)?;
        }
        PublicKey::Ecdsa { x, y } => {
            object.set("algorithm", "ECDSA")?;
            inner.set("x", big(ctx, x)?)?;
            inner.set("y", big(ctx, y)?)?;
        }
        PublicKey::Other => {
            return Err(go_error(ctx, "unsupported public key algorithm"));
        }
    }
    object.set("key", inner)?;
    Ok(object)
}

fn big(ctx: &Ctx, number: &[u8]) -> Result<Value, Exception> {
    let mut text = String::from("0x0");
    for byte in number {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    let make = ctx.global().get("BigInt")?;
    make.invoke(&[ctx.string(&text)?])
}
