//! `deriveBits` and `deriveKey`.

use loadline_js::{Args, Ctx, Exception, Value};

use super::super::failure::{Failure, OperationResult, fail};
use super::key::{KeyArgument, useful};
use super::read::{ECDH, Operation, PBKDF2, algorithm, member, usages, whole};
use super::task::{Task, giving_bytes, promise_of};
use super::{aes, ec, hmac};

/// The key to derive from.
fn base_key(value: &Value) -> OperationResult<KeyArgument> {
    let text = || {
        if value.is_nullish() {
            Ok("<nil>".to_owned())
        } else {
            value.to_text()
        }
    };
    match KeyArgument::read(value)? {
        Some(key) => Ok(key),
        None => {
            let text = format!("could not convert {} to webcrypto.CryptoKey", text()?);
            Err(Failure::plain(text).into())
        }
    }
}

fn check_length(bits: i64) -> OperationResult<()> {
    if bits == 0 {
        return fail("OperationError", "length can not be 0");
    }
    if bits % 8 != 0 {
        let text = "currently only multiples of 8 are supported for length";
        return fail("OperationError", text);
    }
    Ok(())
}

/// `deriveBits(algorithm, key, length)`
pub(super) fn bits(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let bits = whole(&args.get(2));
    let prepare = || -> OperationResult<Task> {
        let bits = bits?;
        let params = args.get(0);
        match algorithm(&params, Operation::DeriveBits)? {
            PBKDF2 => {
                let derivation = hmac::KeyDerivation::read(&params)?;
                let key = base_key(&args.get(1))?;
                let checked = check_length(bits);
                let of_password = |()| derivation.of_password(&key, "deriveBits", bits);
                Ok(match checked.and_then(of_password) {
                    Ok(derivation) => Task::long(
                        || Ok(derivation.run()),
                        |ctx, bytes| Ok(ctx.array_buffer(bytes)?),
                    ),
                    Err(error) => Task::failing(error),
                })
            }
            ECDH => {
                let other = ec::other_side(&params)?;
                let key = base_key(&args.get(1))?;
                Ok(Task::Short(giving_bytes(move || {
                    check_length(bits)?;
                    ec::agree(&key, &other, bits)
                })))
            }
            other => {
                let text = format!("unsupported algorithm for derive bits: {other}");
                fail("NotSupportedError", text)
            }
        }
    };
    promise_of(ctx, prepare())
}

/// `deriveKey(algorithm, key, derivedAlgorithm, extractable, usages)`
pub(super) fn key(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let extractable = args.get(3).truthy();
    let usages = usages(&args.get(4), 4)?;
    let prepare = || -> OperationResult<Task> {
        let (params, wanted) = (args.get(0), args.get(2));
        let name = algorithm(&params, Operation::DeriveKey)?;
        algorithm(&wanted, Operation::ImportKey)?;
        let derived = algorithm(&wanted, Operation::KeyLength)?;
        if !hmac::derives(name) {
            let text = format!("key derivation not implemented for algorithm {name}");
            return Err(Failure::plain(text).into());
        }
        let derivation = hmac::KeyDerivation::read(&params)?;
        let bits = match member(&wanted, &["length"]) {
            Ok(bits) => bits.to_i64()?,
            Err(_) => return fail("OperationError", "aes length parameter not specified"),
        };
        let key = base_key(&args.get(1))?;
        Ok(match derivation.of_password(&key, "deriveKey", bits) {
            Ok(derivation) => Task::long(
                || Ok(derivation.run()),
                move |ctx, secret| {
                    let key = aes::import(derived, "raw", secret, extractable, usages)?;
                    useful(ctx, key)
                },
            ),
            Err(error) => Task::failing(error),
        })
    };
    promise_of(ctx, prepare())
}
