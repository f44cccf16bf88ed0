//! `k6/encoding`: base64 in its four spellings.

use base64::alphabet::{Alphabet, STANDARD, URL_SAFE};
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use base64::{DecodeError, Engine};
use loadline_js::{Args, Ctx, Exception, Exports, Value};

use super::bytes;

pub(crate) fn exports(ctx: &Ctx) -> Result<Exports, Exception> {
    let mut exports = Exports::new();
    exports.add("b64encode", ctx.function("b64encode", 2, encode)?);
    exports.add("b64decode", ctx.function("b64decode", 3, decode)?);
    Ok(exports)
}

/// The spelling an argument names; the standard one for any other.
fn spelling(value: &Value) -> GeneralPurpose {
    match value.as_text().as_deref() {
        Some("rawstd") => engine(&STANDARD, false),
        Some("url") => engine(&URL_SAFE, true),
        Some("rawurl") => engine(&URL_SAFE, false),
        _ => engine(&STANDARD, true),
    }
}

fn engine(alphabet: &Alphabet, padded: bool) -> GeneralPurpose {
    let padding = if padded {
        DecodePaddingMode::RequireCanonical
    } else {
        DecodePaddingMode::RequireNone
    };
    let config = GeneralPurposeConfig::new()
        .with_encode_padding(padded)
        .with_decode_padding_mode(padding)
        .with_decode_allow_trailing_bits(true);
    GeneralPurpose::new(alphabet, config)
}

/// `b64encode(input, spelling?)`
fn encode(_: &Ctx, args: &Args<'_>) -> Result<String, Exception> {
    let input = bytes::of(&args.get(0)).map_err(Exception::error)?;
    Ok(spelling(&args.get(1)).encode(input))
}

/// `b64decode(input, spelling?, 's'?)`: a buffer, or text with `'s'`.
fn decode(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let mut input = args.get(0).to_text()?;
    input.retain(|c| c != '\r' && c != '\n');
    let decoded = spelling(&args.get(1)).decode(&input).map_err(|error| {
        let at = match error {
            DecodeError::InvalidByte(at, _) => at,
            DecodeError::InvalidLastSymbol { offset, .. } => offset,
            DecodeError::InvalidLength(_) | DecodeError::InvalidPadding => input.len() / 4 * 4,
        };
        Exception::error(format!("illegal base64 data at input byte {at}"))
    })?;
    match args.get(2).as_text().as_deref() {
        Some("s") => ctx.string(&String::from_utf8_lossy(&decoded)),
        _ => ctx.array_buffer(decoded),
    }
}
