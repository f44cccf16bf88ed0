//! How a call begins, and the direction to the server.

use std::collections::VecDeque;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use h2::SendStream;
use http::header::{HeaderMap, HeaderValue};
use http::{Method, Request, Uri, Version};
use loadline_units::Time;
use loadline_wire::write_message;

use super::channel::GrpcChannel;
use super::metadata::{GrpcMetadata, encode, timeout_text};
use super::receiver::GrpcReceiver;
use super::status::GrpcStatus;
use crate::client::CountedAs;
use crate::deadline::DeadlineTimer;
use crate::http2::Http2;

/// The direction to the server.
#[derive(Debug)]
pub struct GrpcSender {
    http2: Http2,
    stream: SendStream<Bytes>,
    unsent: Bytes,
    /// The messages after `unsent`. Each is sent in a frame of its own, as in Go.
    queue: VecDeque<Bytes>,
    /// Nothing more will be queued.
    last: bool,
    ended: bool,
    limit: usize,
}

impl GrpcChannel {
    /// Begins a streaming call that counts among the client's requests: as answered when the
    /// server sent its status, as cut when the receiver is dropped before its end.
    ///
    /// # Errors
    /// The status of a call that could not begin; it counts as failed.
    pub async fn stream(
        &self,
        method: &str,
        metadata: &GrpcMetadata,
        deadline: Option<Time>,
    ) -> Result<(GrpcSender, GrpcReceiver), GrpcStatus> {
        let under_way = self.client().begin(CountedAs::GrpcCall);
        match self.begin(method, metadata, deadline).await {
            Ok((sender, receiver)) => Ok((sender, receiver.counted(under_way))),
            Err(status) => {
                under_way.end_call(false, false);
                Err(status)
            }
        }
    }

    /// Begins a call of `method` (`/package.Service/Method`) and sends its head. It is not counted.
    ///
    /// # Errors
    /// The status of a call that could not begin.
    pub async fn begin(
        &self,
        method: &str,
        metadata: &GrpcMetadata,
        deadline: Option<Time>,
    ) -> Result<(GrpcSender, GrpcReceiver), GrpcStatus> {
        let handle = self.client().connector().network.handle();
        let opening = std::pin::pin!(self.open(method, metadata, deadline));
        match deadline {
            None => opening.await,
            Some(deadline) if deadline <= handle.now() => Err(GrpcStatus::late()),
            Some(deadline) => DeadlineTimer::new(handle)
                .within(deadline, opening)
                .await
                .unwrap_or_else(|| Err(GrpcStatus::late())),
        }
    }

    async fn open(
        &self,
        method: &str,
        metadata: &GrpcMetadata,
        deadline: Option<Time>,
    ) -> Result<(GrpcSender, GrpcReceiver), GrpcStatus> {
        let options = self.options();
        let mut fields = HeaderMap::new();
        fields.insert("te", HeaderValue::from_static("trailers"));
        fields.insert("content-type", HeaderValue::from_static("application/grpc"));
        fields.insert("grpc-accept-encoding", HeaderValue::from_static("gzip"));
        if let Ok(agent) = HeaderValue::from_str(&options.user_agent) {
            fields.insert("user-agent", agent);
        }
        encode(metadata, &mut fields)?;
        let http2 = self.connection().await.map_err(GrpcStatus::unreached)?;
        let slot = http2.slot().await;
        let handle = self.client().connector().network.handle();
        if let Some(deadline) = deadline {
            let left = timeout_text(deadline.since(handle.now()));
            if let Ok(left) = HeaderValue::from_str(&left) {
                fields.insert("grpc-timeout", left);
            }
        }
        let uri = Uri::builder()
            .scheme(if options.plaintext { "http" } else { "https" })
            .authority(options.authority())
            .path_and_query(method)
            .build()
            .map_err(|error| GrpcStatus::internal(format!("malformed method: {error}")))?;
        let mut request = Request::new(());
        *request.method_mut() = Method::POST;
        *request.version_mut() = Version::HTTP_2;
        *request.uri_mut() = uri;
        *request.headers_mut() = fields;
        let (answer, stream) = http2.begin(request).map_err(GrpcStatus::of_cause)?;
        let timer = deadline.map(|deadline| {
            let mut timer = handle.timer();
            timer.reset(deadline);
            timer
        });
        let sender = GrpcSender {
            http2: http2.clone(),
            stream,
            unsent: Bytes::new(),
            queue: VecDeque::new(),
            last: false,
            ended: false,
            limit: options.max_send,
        };
        let receiver = GrpcReceiver::new(http2, slot, answer, options.max_receive, timer);
        Ok((sender, receiver))
    }
}

impl GrpcSender {
    /// Queues a message. It is sent as fast as the server takes it.
    ///
    /// # Errors
    /// The status of a call whose message is too large.
    pub fn send(&mut self, payload: &[u8]) -> Result<(), GrpcStatus> {
        let (length, limit) = (payload.len(), self.limit);
        let outcome = if length > limit {
            Err(loadline_wire::GrpcSizeError { length, limit })
        } else {
            let mut message = Vec::new();
            write_message(&mut message, 0, payload).map(|()| self.queue.push_back(message.into()))
        };
        outcome.map_err(|error| {
            let (length, limit) = (error.length, error.limit);
            let text = format!("trying to send message larger than max ({length} vs. {limit})");
            GrpcStatus::new(GrpcStatus::RESOURCE_EXHAUSTED, text)
        })
    }

    /// Marks the end of messages.
    pub fn end(&mut self) {
        self.last = true;
    }

    /// Ready when everything queued was sent; `false` if it never will be.
    pub fn poll_sent(&mut self, cx: &mut Context<'_>) -> Poll<bool> {
        let polled = self.hand_over(cx);
        // Sends at once, not on the driver's next turn.
        self.http2.drive_now();
        polled
    }

    fn hand_over(&mut self, cx: &mut Context<'_>) -> Poll<bool> {
        loop {
            if self.unsent.is_empty() {
                self.unsent = self.queue.pop_front().unwrap_or_default();
            }
            if self.ended {
                return Poll::Ready(true);
            }
            if self.unsent.is_empty() {
                if self.last {
                    self.ended = true;
                    let outcome = self.stream.send_data(Bytes::new(), true);
                    return Poll::Ready(outcome.is_ok());
                }
                return Poll::Ready(true);
            }
            self.stream.reserve_capacity(self.unsent.len());
            match ready!(self.stream.poll_capacity(cx)) {
                Some(Ok(room)) => {
                    let piece = self.unsent.split_to(room.min(self.unsent.len()));
                    let last = self.last && self.unsent.is_empty() && self.queue.is_empty();
                    if self.stream.send_data(piece, last).is_err() {
                        return Poll::Ready(false);
                    }
                    self.ended = last;
                }
                None | Some(Err(_)) => return Poll::Ready(false),
            }
        }
    }
}
