//! The registry of what scripts import and find as globals: each module of k6 by its specifier, one
//! file each. What several of them need stands in files of its own beside them.

mod background;
mod bytes;
mod core;
mod crypto;
mod csv;
mod data;
mod der;
mod encoding;
mod execution;
pub(crate) mod failure;
mod freeze;
mod fs;
pub(crate) mod go_error;
pub(crate) mod go_text;
mod grpc;
mod html;
mod http;
mod metrics;
mod running;
mod secrets;
pub(crate) mod sockets;
mod sse;
mod streams;
mod summary;
mod tags;
mod timers;
mod web;
mod webcrypto;
mod websockets;
mod ws;
mod x509;

use loadline_js::{Args, Builtins, Ctx, Exception, Value};

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
