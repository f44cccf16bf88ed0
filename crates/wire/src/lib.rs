//! HTTP/1.1 and what comes over it as bytes: request heads out, responses in, event
//! streams; no I/O and no clock.
//!
//! [`RequestWriter`] appends a request head to a buffer; the caller keeps the bytes and
//! sends them as often as it likes. [`ResponseParser`] is fed whatever a socket gave and
//! answers with [`ResponseEvent`]s that say exactly when the head, each piece of the body and the
//! end of the message were reached, so that a client can stamp its phases.
//! [`EventStream`] reads Server-Sent Events out of a body the same way, and
//! [`MessageReader`] the messages of a WebSocket; [`GrpcReader`] reads those of a gRPC call.
//!
//! Elsewhere: connections, time and redirects in `net`; content codings too.

mod canonical;
mod event_stream;
mod fields;
mod grpc;
mod request;
mod response;
mod syntax;
mod websocket;

pub use canonical::{canonical_name, push_canonical_name};
pub use event_stream::{EventStream, EventTooLarge, StreamEvent, StreamItem};
pub use fields::{HeaderFields, HeaderFieldsIter};
pub use grpc::{GrpcItem, GrpcReader, GrpcTooLarge, write_message};
pub use request::{RequestHeadError, RequestWriter};
pub use response::{
    Quoted, RequestKind, ResponseError, ResponseEvent, ResponseHead, ResponseLimits,
    ResponseParser, Version,
};
pub use syntax::{is_field_value, is_token};
pub use websocket::{
    LONGEST_CONTROL, MessageReader, Opcode, SocketError, SocketEvent, write_frame,
};
