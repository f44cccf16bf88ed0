//! The global `crypto`: random values, and `subtle`, the part of Web Cryptography that k6 has.
//!
//! This file has the functions that scripts call, and picks the algorithm for each. The
//! algorithms are those of aws-lc; what they accept and the error messages are k6's.

mod aes;
mod derive;
mod ec;
mod ec_key;
mod hmac;
mod jwk;
mod key;
mod read;
mod rsa;
mod rsa_key;
mod task;

use loadline_js::{Args, Attributes, Ctx, Exception, Value};

use super::failure::{Failure, OperationResult, fail, promise};
use super::{bytes, crypto};
use crate::modules::go_error::go_error;
use aes::Direction;
use key::{Handle, KeyArgument, useful};
use read::{
    AES_CBC, AES_CTR, AES_GCM, AES_KW, ECDH, ECDSA, HMAC, Hash, Operation, PBKDF2, RSA_OAEP,
    RSA_PKCS1, RSA_PSS, algorithm, data, member, usages,
};
use task::{Task, Work, giving_bytes, promise_of};

/// Most elements `crypto.getRandomValues` fills, as in browsers.
const RANDOM_VALUES_MAX: u32 = 65536;

/// Adds the global.
pub(super) fn install_global(ctx: &Ctx) -> Result<(), Exception> {
    let crypto = ctx.object()?;
    let fill = ctx.function("getRandomValues", 1, get_random_values)?;
    crypto.define("getRandomValues", fill, Attributes::FIXED)?;
    let uuid = ctx.function("randomUUID", 0, |_, _| random_uuid())?;
    crypto.define("randomUUID", uuid, Attributes::FIXED)?;
    // Made for scripts that use them, in an object no script sees: scripts only read.
    let hidden = ctx.object()?;
    hidden.lazy("subtle", |ctx, _| subtle(ctx))?;
    hidden.lazy("CryptoKey", |ctx, _| key::empty(ctx))?;
    for name in ["subtle", "CryptoKey"] {
        let slots = vec![hidden.clone()];
        let getter = ctx.function_with(name, 0, slots, move |_, args| args.slot(0).get(name))?;
        crypto.define_accessor(name, Some(&getter), None)?;
    }
    ctx.global().define("crypto", crypto, Attributes::HIDDEN)
}

fn get_random_values(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let target = args.get(0);
    if target.is_nullish() {
        return Err(read::not_an_object());
    }
    let is_whole = bytes::element(&target)
        .is_some_and(|element| !element.starts_with("float") && !element.ends_with("int64"));
    if !is_whole {
        let text = "TypeMismatchError: typedArray parameter isn't a TypedArray instance";
        return Err(go_error(ctx, text));
    }
    if target.length()? > RANDOM_VALUES_MAX {
        let text = format!(
            "QuotaExceededError: typedArray parameter is too big; maximum length is {RANDOM_VALUES_MAX}"
        );
        return Err(go_error(ctx, text));
    }
    let length = target.to_bytes().map_or(0, |bytes| bytes.len());
    target.write_bytes(0, &crypto::random(length)?);
    Ok(target)
}

/// Version 4 of RFC 9562, section 5.4.
fn random_uuid() -> Result<String, Exception> {
    let mut id = crypto::random(16)?;
    id[6] = (id[6] & 0x0f) | 0x40;
    id[8] = (id[8] & 0x3f) | 0x80;
    let text = crypto::hex(&id);
    let parts = [
        &text[..8],
        &text[8..12],
        &text[12..16],
        &text[16..20],
        &text[20..],
    ];
    Ok(parts.join("-"))
}

fn subtle(ctx: &Ctx) -> Result<Value, Exception> {
    type Function = fn(&Ctx, &Args<'_>) -> Result<Value, Exception>;
    let functions: [(&str, u32, Function); 12] = [
        ("decrypt", 3, |ctx, args| {
            crypt(ctx, args, Direction::Decrypt)
        }),
        ("deriveBits", 3, derive::bits),
        ("deriveKey", 5, derive::key),
        ("digest", 2, digest),
        ("encrypt", 3, |ctx, args| {
            crypt(ctx, args, Direction::Encrypt)
        }),
        ("exportKey", 2, export_key),
        ("generateKey", 3, generate_key),
        ("importKey", 5, import_key),
        ("sign", 3, sign),
        ("unwrapKey", 7, not_there),
        ("verify", 4, verify),
        ("wrapKey", 4, not_there),
    ];
    let subtle = ctx.object()?;
    for (name, length, function) in functions {
        let function = ctx.function(name, length, function)?;
        subtle.define(name, function, Attributes::FIXED)?;
    }
    Ok(subtle)
}

fn not_there(ctx: &Ctx, _: &Args<'_>) -> Result<Value, Exception> {
    Err(go_error(ctx, "not implemented"))
}

/// `digest(algorithm, data)`
fn digest(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let prepare = || -> OperationResult<Work> {
        let given = args.get(1);
        if given.is_nullish() {
            return Err(read::not_an_object().into());
        }
        if !given.is_array_buffer() && !given.is_data_view() && !given.is_typed_array() {
            let text = "data must be an ArrayBuffer, TypedArray, or DataView";
            return Err(Failure::plain(text).into());
        }
        let data = data(&given)?;
        let name = algorithm(&args.get(0), Operation::Digest)?;
        let hash = Hash::named(name).ok_or_else(|| read::unsupported_hash(name))?;
        Ok(giving_bytes(move || {
            Ok(hash.digest(&data).as_ref().to_vec())
        }))
    };
    promise(ctx, prepare())
}

/// The key in an argument, which an operation wants: the name of its algorithm too.
fn key_for(value: &Value, prefix: &str, name: &str) -> OperationResult<KeyArgument> {
    if value.is_nullish() {
        return Err(read::not_an_object().into());
    }
    let Some(key) = KeyArgument::read(value)? else {
        let text = format!("{prefix}key argument does hold not a valid CryptoKey object");
        return fail("InvalidAccessError", text);
    };
    let named = member(value, &["algorithm", "name"])?.to_text()?;
    if named != name {
        let text = match prefix {
            "" => "algorithm name does not match key algorithm name".to_owned(),
            _ => format!("{prefix}algorithm name does not match key algorithm name"),
        };
        return fail("InvalidAccessError", text);
    }
    Ok(key)
}

/// `encrypt(algorithm, key, data)` and `decrypt(algorithm, key, data)`
fn crypt(ctx: &Ctx, args: &Args<'_>, way: Direction) -> Result<Value, Exception> {
    let (operation, verb) = match way {
        Direction::Encrypt => (Operation::Encrypt, "encrypt"),
        Direction::Decrypt => (Operation::Decrypt, "decrypt"),
    };
    let prepare = || -> OperationResult<Work> {
        let data = data(&args.get(2))?;
        let params = args.get(0);
        let name = algorithm(&params, operation)?;
        let key = key_for(&args.get(1), &format!("{verb}'s "), name)?;
        let unreadable = || {
            let text = "invalid algorithm parameters, unable to interpret as \"\" object";
            Failure::new("SyntaxError", text)
        };
        let work = match name {
            AES_CBC | AES_CTR | AES_GCM => {
                let mode = aes::Mode::read(name, &params)?.ok_or_else(unreadable)?;
                Ok((Some(mode), Vec::new()))
            }
            RSA_OAEP => {
                let label = rsa::label_param(&params)?.ok_or_else(unreadable)?;
                Ok((None, label))
            }
            _ => fail("NotSupportedError", format!("unsupported algorithm {name}")),
        };
        let (mode, label) = work?;
        if !key.may(verb) {
            let text = format!("{verb}'s key does not contain the '{verb}' usage");
            return fail("InvalidAccessError", text);
        }
        Ok(giving_bytes(move || match (mode, way) {
            (Some(mode), _) => mode.apply(way, &key, data),
            (None, Direction::Encrypt) => rsa::encrypt(&label, &key, &data),
            (None, Direction::Decrypt) => rsa::decrypt(&label, &key, &data),
        }))
    };
    promise(ctx, prepare())
}

/// How a message is signed.
enum Signing {
    Hmac,
    Ecdsa(Option<Hash>),
    Rsa(rsa::Padding),
}

impl Signing {
    fn read(name: &str, params: &Value) -> OperationResult<Self> {
        match name {
            HMAC => Ok(Self::Hmac),
            ECDSA => Ok(Self::Ecdsa(ec::hash_param(params)?)),
            _ => Ok(Self::Rsa(rsa::Padding::read(name, params)?)),
        }
    }
}

/// `sign(algorithm, key, data)`
fn sign(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let prepare = || -> OperationResult<Work> {
        let data = data(&args.get(2))?;
        let name = algorithm(&args.get(0), Operation::Sign)?;
        let signing = Signing::read(name, &args.get(0))?;
        let key = key_for(&args.get(1), "", name)?;
        if !key.may("sign") {
            let text = "key does not contain the 'sign' usage";
            return fail("InvalidAccessError", text);
        }
        Ok(giving_bytes(move || match signing {
            Signing::Hmac => hmac::sign(&key, &data),
            Signing::Ecdsa(hash) => ec::sign(hash, &key, &data),
            Signing::Rsa(padding) => rsa::sign(padding, &key, &data),
        }))
    };
    promise(ctx, prepare())
}

/// `verify(algorithm, key, signature, data)`
fn verify(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let prepare = || -> OperationResult<Work> {
        let (mark, data) = (data(&args.get(2))?, data(&args.get(3))?);
        let name = algorithm(&args.get(0), Operation::Verify)?;
        let signing = Signing::read(name, &args.get(0))?;
        let key = key_for(&args.get(1), "", name)?;
        if !key.may("verify") {
            let text = "key does not contain the 'verify' usage";
            return fail("InvalidAccessError", text);
        }
        let work: Work = Box::new(move |ctx| {
            Ok(ctx.bool(match signing {
                Signing::Hmac => hmac::verify(&key, &mark, &data)?,
                Signing::Ecdsa(hash) => ec::verify(hash, &key, &mark, &data)?,
                Signing::Rsa(padding) => rsa::verify(padding, &key, &mark, &data)?,
            }))
        });
        Ok(work)
    };
    promise(ctx, prepare())
}

/// `generateKey(algorithm, extractable, usages)`
fn generate_key(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let params = args.get(0);
    let extractable = args.get(1).truthy();
    let usages = usages(&args.get(2), 2)?;
    let prepare = || -> OperationResult<Task> {
        let name = algorithm(&params, Operation::GenerateKey)?;
        let work: Work = match name {
            AES_CBC | AES_CTR | AES_GCM | AES_KW => {
                let bits = aes::length_param(&params)?;
                Box::new(move |ctx| useful(ctx, aes::generate(name, bits, extractable, usages)?))
            }
            HMAC => {
                let params = hmac::Params::read(&params)?;
                Box::new(move |ctx| useful(ctx, params.generate(extractable, usages)?))
            }
            ECDH | ECDSA => {
                let curve = ec::curve_param(&params)?;
                Box::new(move |ctx| {
                    let (private, public) = ec::generate(name, curve, extractable, &usages)?;
                    Ok(key::pair(ctx, private, public)?)
                })
            }
            RSA_PKCS1 | RSA_PSS | RSA_OAEP => {
                let params = rsa::Params::read(&params)?;
                let size = match params.check(name, &usages) {
                    Ok(size) => size,
                    Err(error) => return Ok(Task::failing(error)),
                };
                return Ok(Task::long(
                    move || rsa::generate(size),
                    move |ctx, made| {
                        let (private, public) = params.halves(made, name, extractable, &usages);
                        Ok(key::pair(ctx, private, public)?)
                    },
                ));
            }
            other => {
                let known = [
                    AES_CBC, AES_CTR, AES_GCM, AES_KW, HMAC, ECDH, ECDSA, RSA_PKCS1, RSA_PSS,
                    RSA_OAEP,
                ];
                let text = format!(
                    "unsupported key generation algorithm '{other}', accepted values are: {}",
                    known.join(", ")
                );
                return fail("NotImplemented", text);
            }
        };
        Ok(Task::Short(work))
    };
    promise_of(ctx, prepare())
}

/// `importKey(format, data, algorithm, extractable, usages)`
fn import_key(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let format = args.get(0).to_text()?;
    let extractable = args.get(3).truthy();
    let usages = usages(&args.get(4), 4)?;
    let prepare = || -> OperationResult<Work> {
        let data = match format.as_str() {
            "raw" | "pkcs8" | "spki" => data(&args.get(1))?,
            "jwk" => args
                .get(1)
                .to_json()?
                .unwrap_or_else(|| "null".to_owned())
                .into_bytes(),
            other => {
                let text = format!("unsupported format {other}");
                return fail("ImplementationError", text);
            }
        };
        let params = args.get(2);
        let name = algorithm(&params, Operation::ImportKey)?;
        Ok(match name {
            HMAC => {
                let params = hmac::Params::read(&params)?;
                Box::new(move |ctx| useful(ctx, params.import(&format, data, extractable, usages)?))
            }
            ECDH | ECDSA => {
                let curve = ec::curve_param(&params)?;
                Box::new(move |ctx| {
                    let key = ec::import(name, curve, &format, &data, extractable, usages)?;
                    useful(ctx, key)
                })
            }
            RSA_PKCS1 | RSA_PSS | RSA_OAEP => {
                let hash = read::exact_hash(&params)?;
                Box::new(move |ctx| {
                    let key = rsa::import(name, hash, &format, &data, extractable, usages)?;
                    useful(ctx, key)
                })
            }
            PBKDF2 => Box::new(move |ctx| {
                let key = hmac::import_password(&format, data, extractable, usages)?;
                useful(ctx, key)
            }),
            _ => Box::new(move |ctx| {
                useful(ctx, aes::import(name, &format, data, extractable, usages)?)
            }),
        })
    };
    promise(ctx, prepare())
}

/// `exportKey(format, key)`
fn export_key(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let format = args.get(0).to_text()?;
    let value = args.get(1);
    let prepare = || -> OperationResult<Work> {
        if value.is_nullish() {
            return Err(read::not_an_object().into());
        }
        let given = KeyArgument::read(&value)?.filter(|key| key.handle().is_some());
        let Some(key) = given else {
            let text = "unable to extract CryptoKey from key object";
            return fail("ImplementationError", text);
        };
        let name = member(&value, &["algorithm", "name"])?.to_text()?;
        let unsupported = || {
            let text = format!("unsupported algorithm {name}");
            Failure::new("NotSupportedError", text)
        };
        let name = Operation::ExportKey
            .algorithm(&name)
            .ok_or_else(unsupported)?;
        if !key.extractable {
            return fail("InvalidAccessError", "the key is not extractable");
        }
        Ok(match name {
            ECDH | ECDSA => Box::new(move |ctx| ec::export(ctx, &key, &format)),
            RSA_PKCS1 | RSA_PSS | RSA_OAEP => Box::new(move |ctx| rsa::export(ctx, &key, &format)),
            name if name == HMAC || aes::is_exported(name) => {
                Box::new(move |ctx| export_secret(ctx, &key, &format))
            }
            _ => return Err(unsupported().into()),
        })
    };
    promise(ctx, prepare())
}

fn export_secret(ctx: &Ctx, key: &KeyArgument, format: &str) -> OperationResult<Value> {
    match (format, key.handle()) {
        ("raw", Some(Handle::Secret(bytes))) => Ok(ctx.array_buffer(bytes.clone())?),
        ("jwk", _) => jwk::of_secret(ctx, key),
        _ => key::unsupported_format(format),
    }
}
