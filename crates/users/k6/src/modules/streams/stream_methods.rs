//! What `ReadableStream` offers scripts.

use loadline_js::{Args, Ctx, Exception, Template, Value};

use super::fail;
use super::prototypes::bound;
use super::reader_object;
use super::stream::{Stream, or_null};

/// What all streams have, in k6's order.
pub(super) fn template(ctx: &Ctx, prototype: &Value) -> Result<Template, Exception> {
    let template = ctx
        .template(Some(prototype))?
        .value("locked")?
        .value("source")?
        .lazy("cancel", |ctx, stream| {
            bound(ctx, "cancel", 1, stream, cancel)
        })?
        .lazy("getReader", |ctx, stream| {
            bound(ctx, "getReader", 1, stream, get_reader)
        })?
        .lazy("tee", |ctx, stream| bound(ctx, "tee", 0, stream, tee))?;
    Ok(template.build())
}

/// `stream.cancel(reason)`
fn cancel(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let stream = Stream::bound(args);
    if stream.reader().is_some() {
        return fail::rejected_type(ctx, "cannot cancel a locked stream");
    }
    stream.cancel(ctx, or_null(ctx, args))
}

/// `stream.getReader({mode}?)`
fn get_reader(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let options = args.get(0);
    if !options.is_nullish() {
        if !options.is_object() {
            let shown = if options.is_symbol() {
                options.get("description")?.to_text()?
            } else {
                options.to_text()?
            };
            let text = format!(
                "could not convert function call parameter 0: could not convert {shown} to sobek.Object"
            );
            return Err(Exception::type_error(text));
        }
        let mode = options.get("mode")?;
        if !mode.is_undefined() {
            return Err(match mode.to_text()?.as_str() {
                "byob" => fail::unsupported(ctx, "'byob' mode is not supported yet"),
                _ => Exception::type_error("options.mode is not 'byob'"),
            });
        }
    }
    reader_object::acquire(ctx, &Stream::bound(args))
}

fn tee(ctx: &Ctx, _: &Args<'_>) -> Result<Value, Exception> {
    Err(fail::unsupported(ctx, "'tee()' is not supported yet"))
}
