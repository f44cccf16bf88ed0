//! `k6/websockets`: the `WebSocket` of browsers, as far as k6 has it, on the event loop.
//!
//! A socket connects in the background and keeps its iteration alive until it is closed. Its
//! handlers run on the event loop, one after the other.

mod blob;
mod events;
mod object;
mod send;
mod socket;

use std::rc::Rc;

use loadline_js::{Args, Attributes, Ctx, Exception, Exports, Value};

use super::http::HttpUser;
use super::sockets::dial::{self, Dial};
use super::ws::deflates;
use super::{sockets, streams};
use crate::host::Host;
use crate::log::LogLevel;
use crate::modules::go_error::go_error;
use socket::{Socket, Sockets};

/// What is said of the module's earlier name, in k6's words.
const DEPRECATED: &str = "k6/experimental/websockets is deprecated and will be removed in a future release. Please use k6/websockets instead.";

pub(crate) fn exports(ctx: &Ctx) -> Result<Exports, Exception> {
    sockets::install(ctx)?;
    streams::install(ctx)?;
    let blob = blob::install(ctx)?;
    object::install(ctx)?;
    let mut exports = Exports::new();
    let class = ctx.constructor("WebSocket", 3, construct)?;
    class.define("prototype", ctx.object()?, Attributes::NONE)?;
    exports.add("WebSocket", class);
    exports.add("Blob", blob);
    Ok(exports)
}

/// The same under the name it had first.
pub(crate) fn experimental(ctx: &Ctx) -> Result<Exports, Exception> {
    let host = Host::from_ctx(ctx);
    // Once, not for every user.
    if host.shared.run.get().is_none() {
        host.log(LogLevel::Warning, DEPRECATED);
    }
    exports(ctx)
}

/// `new WebSocket(url, protocols?, params?)`
fn construct(ctx: &Ctx, args: &Args<'_>) -> Result<Value, Exception> {
    let url = url_of(ctx, &args.get(0))?;
    if Host::from_ctx(ctx).is_init() {
        let message = "using websockets in the init context is not supported";
        return Err(go_error(ctx, message));
    }
    let mut dial = read_params(ctx, url, &args.get(2))?;
    let protocols = args.get(1);
    if protocols.is_array() {
        for protocol in protocols.elements()? {
            dial.protocols.push(protocol.to_text()?);
        }
    } else if protocols.is_string() {
        dial.protocols.push(protocols.to_text()?);
    }
    let (agent, worker) = dial::means(ctx)?;
    let socket = Rc::new(Socket::new(dial.url.clone()));
    let object = object::make(ctx, &socket)?;
    Sockets::note(ctx, &socket);
    let dialing = async move {
        let dialed = dial.open(&worker, &agent).await;
        (dial, dialed)
    };
    let shown = object.clone();
    ctx.spawn(dialing, move |ctx, (dial, dialed)| {
        socket::connected(ctx, &socket, &shown, &dial, dialed)
    });
    Ok(object)
}

/// The URL, as far as it may be one.
fn url_of(ctx: &Ctx, value: &Value) -> Result<String, Exception> {
    if value.is_nullish() {
        return Err(go_error(ctx, "WebSocket requires a url"));
    }
    let text = value.to_text()?;
    let url = loadline_net::Url::parse(&text).map_err(|error| {
        let message =
            format!("WebSocket requires valid url, but got \"{text}\" which resulted in {error}");
        go_error(ctx, message)
    })?;
    if !matches!(url.scheme(), "ws" | "wss") {
        let scheme = url.scheme();
        let message = format!("WebSocket requires url with scheme ws or wss, but got \"{scheme}\"");
        return Err(go_error(ctx, message));
    }
    match text.split_once('#') {
        Some((_, fragment)) if !fragment.is_empty() => {
            let message = format!("WebSocket requires no url fragment, but got \"{fragment}\"");
            Err(go_error(ctx, message))
        }
        _ => Ok(text),
    }
}

fn read_params(ctx: &Ctx, url: String, params: &Value) -> Result<Dial, Exception> {
    const KNOWN: [&str; 4] = ["headers", "tags", "jar", "compression"];
    let user = HttpUser::from_ctx(ctx);
    let mut dial = Dial {
        url,
        headers: Vec::new(),
        protocols: Vec::new(),
        deflate: false,
        jar: sockets::jar_of(&user, params)?,
        tags: Vec::new(),
        base: sockets::base_tags(ctx),
    };
    let mut own = Vec::new();
    if params.is_object() {
        for key in params.keys()? {
            let key = key.to_text();
            if !KNOWN.contains(&&*key) {
                return Err(go_error(ctx, format!("unknown WebSocket's option {key}")));
            }
        }
        own = sockets::headers_of(params)?;
        dial.tags = sockets::tags_of(params)?
            .map_err(|error| go_error(ctx, format!("invalid WebSocket tags option: {error}")))?;
        if params.has("compression")? {
            let algorithm = params.get("compression")?.to_text()?;
            dial.deflate = deflates(ctx, algorithm.trim(), false)?;
        }
    }
    dial.headers = dial::headers(ctx, own);
    Ok(dial)
}
