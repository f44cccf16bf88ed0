//! HTTP clients on the reactor, with the time of each phase.
//!
//! A [`Network`] belongs to one worker and holds what its users share: the reactor's
//! handle, settings, name resolution. A [`Client`] belongs to one virtual user: its
//! connections are never another user's. [`Client::exchange`] is one request and one
//! response, timed phase by phase as k6 does and failing with k6's codes ([`Failure`]).
//!
//! An [`Agent`] lies above a client: redirects, cookies, credentials, codings. A
//! [`GrpcChannel`] makes gRPC calls on a connection of its own.
//!
//! Elsewhere: bytes of HTTP/1.1 in `wire`; what a metric is called, in the crates above.

mod broken;
mod client;
mod connect;
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

// Above one exchange: redirects, cookies, codings, credentials.
mod agent;
mod auth;
mod coding;
mod compress;
pub mod cookie;
mod decode;
mod redirect;

pub use agent::{Agent, AgentShared, Hop, NotOpened, OpenOptions, SendOptions, Sent};
pub use auth::{Auth, set_basic};
pub use coding::{Coding, UnknownCoding};
pub use compress::{Announced, compress, compress_body};
pub use cookie::{CookieJar, RequestCookie, SetCookie, UnixMillis};

pub use client::{BodyMode, BodyStream, Client, CutRequest, ExchangeOptions};
pub use dns::{
    Answer, Family, LookupError, Names, NamesOptions, Resolve, ResolverError, Select,
    SystemResolver,
};
pub use failure::{Cause, Failure, Http2Scope, Operation, SocketFailure};
pub use grpc::{
    GrpcChannel, GrpcMetadata, GrpcOptions, GrpcReceiver, GrpcReply, GrpcSender, GrpcStatus,
    GrpcUnreached,
};
pub use hosts::{BlockedNames, HostError, HostMap, HostTarget, IpRange};
pub use network::{Network, Settings};
pub use proxy::{Proxies, ProxyError};
pub use request::{Field, Request};
pub use response::{Protocol, Response};
pub use shortage::Shortage;
pub use timing::{PhaseMillis, Timing};
pub use tls::{
    CipherSuites, Identity, Roots, Tls, TlsError, TlsInfo, TlsOptions, TlsVersion, TlsVersions,
    decrypted_key,
};
pub use url::{Url, UrlError, UserInfo};
pub use websocket::{Handshake, NotWritten, WebSocket, WebSocketError, WsEvent};
