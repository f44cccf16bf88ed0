//! HTTP clients on the reactor, with the time of each phase.
//!
//! A [`Network`] belongs to one worker and holds what its users share: the reactor's handle,
//! settings, name resolution. A [`Client`] belongs to one virtual user; users never share
//! connections. [`Client::exchange`] is one request and one response, with k6's phases and k6's
//! error codes ([`Failure`]).
//!
//! An [`Agent`] adds redirects, cookies, credentials and content codings to a client. A
//! [`GrpcChannel`] makes gRPC calls on a connection of its own. A [`BlockingClient`] waits for
//! each answer: for threads beside the workers.
//!
//! Elsewhere: the bytes of HTTP/1.1 in `wire`; the names of metrics in the crates above.

mod blocking;
mod body;
mod broken;
mod client;
mod connect;
mod deadline;
mod dns;
mod failure;
pub mod form;
mod grpc;
mod hosts;
mod http1;
mod http2;
mod network;
mod pool;
mod proxy;
mod request;
mod response;
mod shortage;
mod stream;
mod timing;
mod tls;
mod tunnel;
mod url;
mod websocket;

// On top of single exchanges: redirects, cookies, codings, credentials.
mod agent;
mod auth;
mod coding;
mod compress;
pub mod cookie;
mod decode;
mod redirect;

pub use agent::{Agent, AgentContext, Exchange, OpenError, OpenOptions, SendOptions, SendResult};
pub use auth::{Auth, set_basic};
pub use coding::{Coding, UnknownCoding};
pub use compress::{EncodingHeader, compress, compress_body};
pub use cookie::{CookieJar, RequestCookie, SetCookie, UnixMillis};

pub use blocking::BlockingClient;
pub use body::BodyMode;
pub use client::{BodyStream, Client, CountedAs, CutRequest, ExchangeOptions};
pub use decode::decoded;
#[doc(hidden)]
pub use decode::decoded_length;
pub use dns::{
    AddressPolicy, AddressSelection, LookupAnswer, LookupError, Names, NamesOptions, Resolve,
    ResolverError, SystemResolver,
};
pub use failure::{Cause, ChainFault, Failure, Http2Scope, Operation, SocketFailure};
pub use grpc::{
    GrpcChannel, GrpcConnectError, GrpcMetadata, GrpcOptions, GrpcReceiver, GrpcReply, GrpcSender,
    GrpcStatus,
};
pub use hosts::{BlockedNames, HostAddress, HostError, HostMap, IpRange};
pub use network::{Network, NetworkSettings};
pub use proxy::{Proxies, ProxyError};
pub use request::{HeaderField, Request};
pub use response::{Protocol, Response};
pub use shortage::Shortage;
pub use timing::Timing;
pub use tls::{
    CipherSuites, Identity, Roots, Tls, TlsError, TlsInfo, TlsOptions, TlsVersion, TlsVersions,
    cipher_suite_name, decrypted_key,
};
pub use url::{Url, UrlError, UserInfo};
pub use websocket::{CompressionMode, Handshake, WebSocket, WebSocketError, WriteError, WsEvent};
