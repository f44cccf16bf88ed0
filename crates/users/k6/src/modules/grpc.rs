//! `k6/net/grpc`: calls and streams of services whose messages are known at run time.
//!
//! A `Client` learns methods from `.proto` files, descriptor sets or the server's reflection,
//! and connects. `invoke` waits for an answer; a `Stream` runs on the event loop. Parsed files
//! are stored once for all users (`schemas`). `loadline_proto` handles messages and JSON,
//! `loadline_net` the connection.

mod client;
mod client_class;
mod codes;
mod invoke;
mod load;
mod params;
mod reflection;
mod samples;
mod schemas;
mod stream;
mod stream_class;
mod write;

use loadline_js::{Ctx, Exception, Exports};

use super::sockets;

pub(crate) fn exports(ctx: &Ctx) -> Result<Exports, Exception> {
    sockets::install(ctx)?;
    let mut exports = Exports::new();
    codes::install(ctx, &mut exports)?;
    exports.add("Client", client_class::constructor(ctx)?);
    exports.add("Stream", stream_class::constructor(ctx)?);
    Ok(exports)
}
