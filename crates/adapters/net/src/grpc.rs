//! gRPC calls over HTTP/2.
//!
//! A [`GrpcChannel`] leads to one server and belongs to one user. A lost connection is made again
//! when the next call needs it. [`GrpcChannel::unary`] makes a whole call; [`GrpcChannel::stream`]
//! starts one and returns its two directions, [`GrpcSender`] and [`GrpcReceiver`]. Messages are
//! bytes here; the caller encodes and decodes them.
//!
//! Codes and texts are those of grpc-go, the client that k6 uses.

mod call;
mod channel;
mod metadata;
mod receiver;
mod status;
mod trailers;
mod unary;

pub use call::GrpcSender;
pub use channel::{GrpcChannel, GrpcConnectError, GrpcOptions};
pub use metadata::GrpcMetadata;
pub use receiver::GrpcReceiver;
pub use status::GrpcStatus;
pub use unary::GrpcReply;
