//! A call with one message in each direction.

use std::task::Poll;

use loadline_units::Time;

use super::call::GrpcSender;
use super::channel::GrpcChannel;
use super::metadata::GrpcMetadata;
use super::receiver::GrpcReceiver;
use super::status::GrpcStatus;
use crate::client::CountedAs;

/// The result of a call.
#[derive(Debug)]
pub struct GrpcReply {
    /// Metadata in the head of the answer.
    pub headers: GrpcMetadata,
    /// Metadata in the trailers of the answer.
    pub trailers: GrpcMetadata,
    /// The first message; it may have arrived although the call failed.
    pub message: Option<Vec<u8>>,
    /// How it ended.
    pub status: GrpcStatus,
    /// The status came from the server, at the end of its answer.
    is_answered: bool,
}

impl GrpcReply {
    fn failed(status: GrpcStatus) -> Self {
        Self {
            headers: GrpcMetadata::new(),
            trailers: GrpcMetadata::new(),
            message: None,
            status,
            is_answered: false,
        }
    }
}

impl GrpcChannel {
    /// Calls `method` with one message and waits for one. If the server refuses the stream, the
    /// call is retried once.
    pub async fn unary(
        &self,
        method: &str,
        metadata: &GrpcMetadata,
        payload: &[u8],
        deadline: Option<Time>,
    ) -> GrpcReply {
        let under_way = self.client().begin(CountedAs::GrpcCall);
        let mut reply = self.attempt(method, metadata, payload, deadline).await;
        if reply.status.code == GrpcStatus::UNAVAILABLE
            && reply.status.message.ends_with("REFUSED_STREAM")
        {
            reply = self.attempt(method, metadata, payload, deadline).await;
        }
        under_way.end_call(reply.is_answered, reply.status.is_ok());
        reply
    }

    async fn attempt(
        &self,
        method: &str,
        metadata: &GrpcMetadata,
        payload: &[u8],
        deadline: Option<Time>,
    ) -> GrpcReply {
        let (mut sender, mut receiver) = match self.begin(method, metadata, deadline).await {
            Ok(directions) => directions,
            Err(status) => return GrpcReply::failed(status),
        };
        if let Err(status) = sender.send(payload) {
            return GrpcReply::failed(status);
        }
        sender.end();
        let (message, status) = exchange(&mut sender, &mut receiver).await;
        GrpcReply {
            headers: receiver.headers().clone(),
            trailers: receiver.trailers().clone(),
            message,
            status,
            is_answered: receiver.is_answered(),
        }
    }
}

/// Sends what is queued and reads one message; a second one is an error.
async fn exchange(
    sender: &mut GrpcSender,
    receiver: &mut GrpcReceiver,
) -> (Option<Vec<u8>>, GrpcStatus) {
    let mut message = None;
    let mut all_sent = false;
    let status = std::future::poll_fn(|cx| {
        if !all_sent {
            all_sent = sender.poll_sent(cx).is_ready();
        }
        loop {
            let next = std::task::ready!(receiver.poll_message(cx));
            return Poll::Ready(match next {
                Err(status) => status,
                Ok(Some(first)) if message.is_none() => {
                    message = Some(first);
                    continue;
                }
                Ok(Some(_)) => GrpcStatus::internal(
                    "cardinality violation: expected <EOF> for non server-streaming RPCs, but received another message",
                ),
                Ok(None) if message.is_none() => GrpcStatus::internal(
                    "cardinality violation: received no response message from non-server-streaming RPC",
                ),
                Ok(None) => GrpcStatus::new(GrpcStatus::OK, ""),
            });
        }
    })
    .await;
    (message, status)
}
