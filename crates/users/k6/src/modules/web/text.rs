//! `TextEncoder` and `TextDecoder`, as in the Encoding standard, without streams.

use encoding_rs::Encoding;
use loadline_js::{Ctx, Exception, Value};

struct Encoder;

pub(super) fn encoder(ctx: &Ctx) -> Result<Value, Exception> {
    let class = ctx.class("TextEncoder", 0, |_, _| Ok(Encoder))?;
    class.prototype.getter("encoding", |_, _| Ok("utf-8"))?;
    class.prototype.method("encode", 0, |ctx, args| {
        args.this_host::<Encoder>()?;
        let text = args.given(0).filter(|text| !text.is_undefined());
        let text = text.map(|text| text.to_text()).transpose()?;
        ctx.uint8_array(text.unwrap_or_default().into_bytes())
    })?;
    class.prototype.method("encodeInto", 2, |ctx, args| {
        args.this_host::<Encoder>()?;
        let (text, target) = (args.get(0).to_text()?, args.get(1));
        if !target.is_typed_array() {
            return Err(Exception::type_error(
                "encodeInto: the target must be a Uint8Array",
            ));
        }
        let room = target.to_bytes().map_or(0, |bytes| bytes.len());
        let mut end = room.min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        target.write_bytes(0, &text.as_bytes()[..end]);
        let result = ctx.object()?;
        result.set("read", text[..end].encode_utf16().count())?;
        result.set("written", end)?;
        Ok(result)
    })?;
    Ok(class.constructor)
}

struct Decoder {
    encoding: &'static Encoding,
    fatal: bool,
    keeps_mark: bool,
}

pub(super) fn decoder(ctx: &Ctx) -> Result<Value, Exception> {
    let class = ctx.class("TextDecoder", 0, |_, args| {
        let label = args.given(0).filter(|label| !label.is_undefined());
        let label = label.map_or(Ok("utf-8".to_owned()), |label| label.to_text())?;
        let encoding = Encoding::for_label(label.as_bytes()).ok_or_else(|| {
            Exception::range_error(format!("TextDecoder: '{label}' is no encoding"))
        })?;
        let options = args.get(1);
        let is_set = |name: &str| -> Result<bool, Exception> {
            Ok(options.is_object() && options.get(name)?.truthy())
        };
        Ok(Decoder {
            encoding,
            fatal: is_set("fatal")?,
            keeps_mark: is_set("ignoreBOM")?,
        })
    })?;
    let prototype = &class.prototype;
    prototype.getter("encoding", |_, args| {
        let decoder = args.this_host::<Decoder>()?;
        Ok(decoder.encoding.name().to_ascii_lowercase())
    })?;
    prototype.getter("fatal", |_, args| Ok(args.this_host::<Decoder>()?.fatal))?;
    prototype.getter("ignoreBOM", |_, args| {
        Ok(args.this_host::<Decoder>()?.keeps_mark)
    })?;
    prototype.method("decode", 0, |_, args| {
        let decoder = args.this_host::<Decoder>()?;
        if args.get(1).is_object() && args.get(1).get("stream")?.truthy() {
            return Err(Exception::type_error(
                "TextDecoder: {stream: true} is not supported: decode the whole buffer at once",
            ));
        }
        let input = args.get(0);
        if input.is_undefined() {
            return Ok(String::new());
        }
        let bytes = input.to_bytes().ok_or_else(|| {
            Exception::type_error("TextDecoder: the input must be a buffer or a view of one")
        })?;
        let (text, had_errors) = if decoder.keeps_mark {
            decoder.encoding.decode_without_bom_handling(&bytes)
        } else {
            decoder.encoding.decode_with_bom_removal(&bytes)
        };
        if decoder.fatal && had_errors {
            return Err(Exception::type_error(
                "TextDecoder: the bytes are not valid",
            ));
        }
        Ok(text.into_owned())
    })?;
    Ok(class.constructor)
}
