//! gRPC calls over HTTP/2.
//!
//! A [`GrpcChannel`] leads to one server and belongs to one user; a connection that was
//! lost is made again when the next call needs one. A call is made whole with
//! [`GrpcChannel::unary`], or begun with [`GrpcChannel::begin`], which gives its two
//! directions: [`GrpcSender`] and [`GrpcReceiver`]. Messages are bytes: what they mean is
//! known above.
//!
//! Codes and texts are those of the client that k6 is made with (grpc-go).

mod call;
mod channel;
mod metadata;
mod status;
mod unary;

pub use call::{GrpcReceiver, GrpcSender};
pub use channel::{GrpcChannel, GrpcOptions, GrpcUnreached};
pub use metadata::GrpcMetadata;
pub use status::GrpcStatus;
pub use unary::GrpcReply;
