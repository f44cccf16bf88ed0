//! HTTP/1.1 and what is transferred over it, as bytes: request heads, responses, event streams,
//! WebSocket frames, gRPC messages. No I/O and no clock.
//!
//! [`RequestWriter`] appends a request head to a buffer; the caller may send the bytes several
//! times. [`ResponseParser`] takes bytes from a socket and returns [`ResponseEvent`]s that say
//! exactly when the head, each piece of the body and the end of the message were reached, so a
//! client can time its phases. [`EventStream`] parses Server-Sent Events the same way,
//! [`MessageReader`] the messages of a WebSocket, and [`GrpcReader`] those of a gRPC call.
//!
//! Elsewhere: connections, time, redirects and content codings in `net`.

mod canonical;
mod event_stream;
mod fields;
mod grpc;
mod request;
mod response;
mod syntax;
mod websocket;

pub use canonical::{canonical_name, push_canonical_name};
pub use event_stream::{EventSizeError, EventStream, StreamEvent, StreamItem};
pub use fields::{HeaderFields, HeaderFieldsIter};
pub use grpc::{GrpcItem, GrpcReader, GrpcSizeError, write_message};
pub use request::{RequestHeadError, RequestWriter};
pub use response::{
    INTERIM_RESPONSES_MAX, QuotedBytes, RequestKind, ResponseError, ResponseEvent, ResponseHead,
    ResponseLimits, ResponseParser, Version,
};
pub use syntax::{is_field_value, is_token};
pub use websocket::{
    LONGEST_CONTROL, MessageReader, Opcode, SocketError, SocketEvent, write_frame,
};
