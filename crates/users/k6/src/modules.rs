//! The modules that scripts import, one file each.

mod background;
mod bytes;
mod core;
mod crypto;
mod csv;
mod data;
mod der;
mod encoding;
mod execution;
mod failure;
mod fs;
mod grpc;
mod html;
mod http;
mod metrics;
mod secrets;
mod sockets;
mod sse;
mod streams;
mod summary;
mod timers;
mod web;
mod webcrypto;
mod websockets;
mod ws;
mod x509;

pub(crate) use http::go_type_name;
use loadline_js::{Args, Attributes, Builtins, Ctx, Exception, Value};

/// All built-in modules by specifier.
pub(crate) fn builtins() -> Builtins {
    let mut builtins = Builtins::new();
    builtins.add("k6", core::exports);
    builtins.add("k6/http", http::exports);
    builtins.add("k6/crypto", crypto::exports);
    builtins.add("k6/crypto/x509", x509::exports);
    builtins.add("k6/data", data::exports);
    builtins.add("k6/encoding", encoding::exports);
    builtins.add("k6/execution", execution::exports);
    builtins.add("k6/html", html::exports);
    builtins.add("k6/metrics", metrics::exports);
    builtins.add("k6/net/grpc", grpc::exports);
    builtins.add("k6/secrets", secrets::exports);
    builtins.add("k6/timers", timers::exports);
    builtins.add("k6/ws", ws::exports);
    builtins.add("k6/websockets", websockets::exports);
    builtins.add("k6/experimental/websockets", websockets::experimental);
    builtins.add("k6/experimental/csv", csv::exports);
    builtins.add("k6/experimental/fs", fs::exports);
    builtins.add("k6/experimental/streams", streams::exports);
    builtins.add("k6/x/sse", sse::exports);
    builtins.add(summary::NAME, summary::exports);
    builtins
}

/// A script's object of tags; values must be plain.
pub(crate) fn tags_of(object: &Value) -> Result<Vec<(String, String)>, Exception> {
    let mut tags = Vec::new();
    for key in object.keys()? {
        let value = object.get(&key)?;
        if value.is_nullish() {
            continue;
        }
        if value.is_object() {
            return Err(Exception::type_error(format!(
                "invalid value for tag '{}': only string, boolean and number types are accepted",
                key.to_text()
            )));
        }
        tags.push((key.to_text(), value.to_text()?));
    }
    Ok(tags)
}

/// Globals that belong to a module.
pub(crate) fn install_globals(ctx: &Ctx) -> Result<(), Exception> {
    ctx.global().set("global", ctx.global())?;
    ctx.global()
        .set("require", ctx.function("require", 1, require)?)?;
    ctx.install_timers(timers::no_callback)?;
    web::install_globals(ctx)?;
    webcrypto::install_global(ctx)
}

/// `require` outside CommonJS: relative to the file whose code calls it.
fn require(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let frames = ctx.call_stack();
    let caller = frames.iter().find(|frame| !frame.file.is_empty());
    let file = caller.map_or("", |frame| frame.file.as_str());
    ctx.require(&args.get(0).to_text()?, file)
}

/// Whether a value can be a tag's: text, a number or a boolean.
pub(crate) fn is_plain(value: &Value) -> bool {
    value.is_string() || value.is_number() || value.is_bool()
}

/// The text of a tag's value, or why it cannot be one.
pub(crate) fn tag_text(key: &str, value: &Value) -> Result<String, String> {
    if !is_plain(value) {
        return Err(format!(
            "invalid value for metric tag '{key}': only String, Boolean and Number types are accepted as a metric tag values"
        ));
    }
    value.to_text().map_err(|error| error.message())
}

/// Freezes an object made of JSON and all within it.
pub(crate) fn freeze(value: &Value) -> Result<(), Exception> {
    if !value.is_object() {
        return Ok(());
    }
    if value.is_array() {
        for index in 0..value.length()? {
            freeze(&value.at(index)?)?;
        }
    } else {
        for key in value.keys()? {
            freeze(&value.get(&key)?)?;
        }
    }
    value.freeze()
}

/// The text of an error that is no exception, as handlers of sockets get it.
pub(crate) fn error_text(value: &Value) -> Option<String> {
    sockets::error_text(value).or_else(|| failure::Failure::text_of(value))
}

/// An error as k6 throws those of its own: named `GoError`.
pub(crate) fn go_error(ctx: &Ctx, message: impl Into<String>) -> Exception {
    let error = match Exception::error(message).into_value(ctx) {
        Ok(error) => error,
        Err(exception) => return exception,
    };
    match error.define("name", "GoError", Attributes::HIDDEN) {
        Ok(()) => Exception::thrown(error),
        Err(exception) => exception,
    }
}
