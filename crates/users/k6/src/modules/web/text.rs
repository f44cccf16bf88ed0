//! `TextEncoder` and `TextDecoder`, as in the Encoding standard.

use std::cell::RefCell;

use encoding_rs::{DecoderResult, Encoding};
use loadline_js::{Ctx, Exception, Value};

struct Encoder;

pub(super) fn encoder(ctx: &Ctx) -> Result<Value, Exception> {
    let class = ctx.class("TextEncoder", 0, |_, _| Ok(Encoder))?;
    class.prototype.getter("encoding", |_, _| Ok("utf-8"))?;
    class.prototype.method("encode", 0, |ctx, args| {
        args.this_host::<Encoder>()?;
        let text = args.given(0).filter(|text| !text.is_undefined());
        let text = text.map(|text| well_formed(ctx, &text)).transpose()?;
        ctx.uint8_array(text.unwrap_or_default().into_bytes())
    })?;
    class.prototype.method("encodeInto", 2, |ctx, args| {
        args.this_host::<Encoder>()?;
        let (text, target) = (well_formed(ctx, &args.get(0))?, args.get(1));
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

/// The text of a value; a half of a surrogate pair alone becomes one replacement character.
fn well_formed(ctx: &Ctx, value: &Value) -> Result<String, Exception> {
    let text = if value.is_string() {
        value.clone()
    } else {
        ctx.string(&value.to_text()?)?
    };
    text.call_method("toWellFormed", &[])?.to_text()
}

struct Decoder {
    encoding: &'static Encoding,
    fatal: bool,
    keeps_mark: bool,
    /// What it has of a text whose parts come one by one.
    begun: RefCell<Option<encoding_rs::Decoder>>,
}

impl Decoder {
    /// The text of some bytes; `None` for invalid ones where they are fatal.
    fn decode(&self, bytes: &[u8], more_comes: bool) -> Option<String> {
        let mut decoder = self.begun.take().unwrap_or_else(|| {
            if self.keeps_mark {
                self.encoding.new_decoder_without_bom_handling()
            } else {
                self.encoding.new_decoder_with_bom_removal()
            }
        });
        let most = decoder.max_utf8_buffer_length(bytes.len());
        let mut text = String::with_capacity(most.unwrap_or_default());
        if self.fatal {
            let (result, _) =
                decoder.decode_to_string_without_replacement(bytes, &mut text, !more_comes);
            if result != DecoderResult::InputEmpty {
                return None;
            }
        } else {
            // The text has room for all of it.
            let _ = decoder.decode_to_string(bytes, &mut text, !more_comes);
        }
        if more_comes {
            self.begun.replace(Some(decoder));
        }
        Some(text)
    }
}

pub(super) fn decoder(ctx: &Ctx) -> Result<Value, Exception> {
    let class = ctx.class("TextDecoder", 0, |_, args| {
        let label = args.given(0).filter(|label| !label.is_undefined());
        let label = label.map_or(Ok("utf-8".to_owned()), |label| label.to_text())?;
        let encoding = Encoding::for_label(label.as_bytes())
            .ok_or_else(|| Exception::range_error(format!("unsupported encoding: {label}")))?;
        let options = args.get(1);
        let is_set = |name: &str| -> Result<bool, Exception> {
            Ok(options.is_object() && options.get(name)?.truthy())
        };
        Ok(Decoder {
            encoding,
            fatal: is_set("fatal")?,
            keeps_mark: is_set("ignoreBOM")?,
            begun: RefCell::default(),
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
        let options = args.get(1);
        let more_comes = options.is_object() && options.get("stream")?.truthy();
        let input = args.get(0);
        let bytes = if input.is_undefined() {
            Some(Vec::new())
        } else {
            input.to_bytes()
        };
        let bytes = bytes.ok_or_else(|| {
            Exception::type_error("TextDecoder: the input must be a buffer or a view of one")
        })?;
        decoder
            .decode(&bytes, more_comes)
            .ok_or_else(|| Exception::type_error("decoding text: invalid byte sequence"))
    })?;
    Ok(class.constructor)
}
