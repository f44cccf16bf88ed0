//! `k6/crypto`: hashes, HMAC, random bytes.

use std::cell::RefCell;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE, URL_SAFE_NO_PAD};
use loadline_js::{Args, Ctx, Exception, Exports, Value};
use md4::digest::DynDigest;

use super::bytes;
use crate::modules::go_error::go_error;

const ALGORITHMS: [&str; 9] = [
    "md4",
    "md5",
    "sha1",
    "sha256",
    "sha384",
    "sha512",
    "sha512_224",
    "sha512_256",
    "ripemd160",
];

pub(crate) fn exports(ctx: &Ctx) -> Result<Exports, Exception> {
    let mut exports = Exports::new();
    for name in ALGORITHMS {
        let function = ctx.function(name, 2, move |ctx, args| {
            let input = bytes::read(&args.get(0))
                .map_err(|error| go_error(ctx, format!("{name} failed: {error}")))?;
            let mut hash = Hash::plain(ctx, name)?;
            hash.inner.update(&input);
            encoded(ctx, hash.finish(), &args.get(1))
        })?;
        exports.add(name, function);
    }
    let prototype = ctx.object()?;
    prototype.method("update", 1, update)?;
    prototype.method("digest", 1, |ctx, args| {
        let hash = args.this_host::<RefCell<Hash>>()?.borrow().clone();
        encoded(ctx, hash.finish(), &args.get(0))
    })?;
    let of_hasher = |hash: Hash| std::rc::Rc::new(RefCell::new(hash));
    let create = ctx.function_with(
        "createHash",
        1,
        vec![prototype.clone()],
        move |ctx, args| {
            let hash = Hash::plain(ctx, &args.get(0).to_text()?)?;
            ctx.host_object(&args.slot(0), of_hasher(hash))
        },
    )?;
    exports.add("createHash", create);
    let create = ctx.function_with("createHMAC", 2, vec![prototype], move |ctx, args| {
        let hash = Hash::keyed(ctx, &args.get(0).to_text()?, &args.get(1))?;
        ctx.host_object(&args.slot(0), of_hasher(hash))
    })?;
    exports.add("createHMAC", create);
    exports.add("hmac", ctx.function("hmac", 4, hmac)?);
    exports.add("randomBytes", ctx.function("randomBytes", 1, random_bytes)?);
    let hex = ctx.function("hexEncode", 1, |ctx, args| {
        Ok(hex(&input(ctx, &args.get(0))?))
    })?;
    exports.add("hexEncode", hex);
    Ok(exports)
}

/// A hash in progress; with a key, an HMAC (RFC 2104).
#[derive(Clone)]
struct Hash {
    inner: Box<dyn DynDigest>,
    /// What the inner result is hashed with, already fed the outer key.
    outer: Option<Box<dyn DynDigest>>,
}

impl Hash {
    fn plain(ctx: &Ctx, algorithm: &str) -> Result<Self, Exception> {
        let (inner, _) = new_hash(ctx, algorithm)?;
        Ok(Self { inner, outer: None })
    }

    fn keyed(ctx: &Ctx, algorithm: &str, secret: &Value) -> Result<Self, Exception> {
        let (mut inner, block) = new_hash(ctx, algorithm)?;
        let mut key = input(ctx, secret)?;
        let mut outer = inner.clone();
        if key.len() > block {
            let mut short = inner.clone();
            short.update(&key);
            key = short.finalize().into_vec();
        }
        key.resize(block, 0);
        let padded = |pad: u8| key.iter().map(|byte| byte ^ pad).collect::<Vec<u8>>();
        inner.update(&padded(0x36));
        outer.update(&padded(0x5c));
        Ok(Self {
            inner,
            outer: Some(outer),
        })
    }

    fn finish(self) -> Vec<u8> {
        let inner = self.inner.finalize().into_vec();
        match self.outer {
            None => inner,
            Some(mut outer) => {
                outer.update(&inner);
                outer.finalize().into_vec()
            }
        }
    }
}

fn input(ctx: &Ctx, value: &Value) -> Result<Vec<u8>, Exception> {
    bytes::read(value).map_err(|error| go_error(ctx, error))
}

/// A hash by name and the size of its blocks in bytes.
fn new_hash(ctx: &Ctx, algorithm: &str) -> Result<(Box<dyn DynDigest>, usize), Exception> {
    Ok(match algorithm {
        "md4" => (Box::new(md4::Md4::default()), 64),
        "md5" => (Box::new(md5::Md5::default()), 64),
        "sha1" => (Box::new(sha1::Sha1::default()), 64),
        "sha256" => (Box::new(sha2::Sha256::default()), 64),
        "sha384" => (Box::new(sha2::Sha384::default()), 128),
        "sha512" => (Box::new(sha2::Sha512::default()), 128),
        "sha512_224" => (Box::new(sha2::Sha512_224::default()), 128),
        "sha512_256" => (Box::new(sha2::Sha512_256::default()), 128),
        "ripemd160" => (Box::new(ripemd::Ripemd160::default()), 64),
        other => return Err(go_error(ctx, format!("invalid algorithm: {other}"))),
    })
}

/// `hasher.update(input)`; gives the hasher, so that calls can be chained.
fn update(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let input = input(ctx, &args.get(0))?;
    let hash = args.this_host::<RefCell<Hash>>()?;
    hash.borrow_mut().inner.update(&input);
    Ok(args.this())
}

/// `hmac(algorithm, secret, data, encoding)`
fn hmac(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let mut hash = Hash::keyed(ctx, &args.get(0).to_text()?, &args.get(1))?;
    let data = input(ctx, &args.get(2))?;
    hash.inner.update(&data);
    encoded(ctx, hash.finish(), &args.get(3))
}

/// `randomBytes(count)`
fn random_bytes(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let count = args.get(0).to_i64()?;
    match usize::try_from(count) {
        Ok(count) if count > 0 => ctx.array_buffer(random(count)?),
        _ => Err(go_error(ctx, "invalid size")),
    }
}

/// Random bytes of the system.
pub(super) fn random(count: usize) -> Result<Vec<u8>, Exception> {
    let mut bytes = vec![0; count];
    getrandom::fill(&mut bytes)
        .map_err(|error| Exception::error(format!("no random bytes: {error}")))?;
    Ok(bytes)
}

/// A digest in the form a script asks for.
fn encoded(ctx: &Ctx, digest: Vec<u8>, encoding: &Value) -> Result<Value, Exception> {
    let encoding = if encoding.is_nullish() {
        String::new()
    } else {
        encoding.to_text()?
    };
    match encoding.as_str() {
        "hex" => ctx.string(&hex(&digest)),
        "base64" => ctx.string(&STANDARD.encode(digest)),
        "base64url" => ctx.string(&URL_SAFE.encode(digest)),
        "base64rawurl" => ctx.string(&URL_SAFE_NO_PAD.encode(digest)),
        "binary" => ctx.array_buffer(digest),
        other => Err(go_error(ctx, format!("invalid output encoding: {other}"))),
    }
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
