//! The direction from the server.

use std::io::Read as _;
use std::task::{Context, Poll, ready};

use bytes::{Buf as _, Bytes};
use h2::RecvStream;
use http::header::HeaderMap;
use loadline_reactor::Timer;
use loadline_units::printable::quoted;
use loadline_wire::{GrpcItem, GrpcReader};

use super::metadata::{GrpcMetadata, decoded};
use super::status::{GrpcStatus, not_grpc};
use super::trailers::ending;
use crate::client::UnderWay;
use crate::http2::{Answer, AnswerError, Http2, Slot, too_many_interim};

/// The direction from the server. Dropping it before the end cancels the call.
#[derive(Debug)]
pub struct GrpcReceiver {
    http2: Http2,
    /// Held until the call ends.
    slot: Option<Slot>,
    id: u32,
    state: State,
    reader: GrpcReader,
    unread: Bytes,
    /// How many of its bytes have arrived.
    received: usize,
    encoding: Option<String>,
    limit: usize,
    headers: GrpcMetadata,
    trailers: GrpcMetadata,
    /// The server sent the call's status.
    is_answered: bool,
    timer: Option<Timer>,
    /// Counts the call when it ends; `None` for one that is not counted here.
    under_way: Option<UnderWay>,
}

#[derive(Debug)]
enum State {
    /// The head has not arrived yet.
    Asked(Answer),
    Open(RecvStream),
    /// The answer is not gRPC: the status to report, and the start of its body.
    Strange(RecvStream, GrpcStatus, Vec<u8>),
    Ended(GrpcStatus),
}

/// After this many bytes of a call's answer, its connection gets a larger window.
const SMALL_WINDOW_BYTES_MAX: usize = 32 * 1024;

/// How many bytes are kept of an answer that is not gRPC.
const FOREIGN_BODY_BYTES_MAX: usize = 1024;

impl GrpcReceiver {
    /// Of a call whose head was sent. It reads messages of at most `limit` bytes.
    pub(super) fn new(
        http2: Http2,
        slot: Slot,
        answer: Answer,
        limit: usize,
        timer: Option<Timer>,
    ) -> Self {
        Self {
            id: answer.stream_id(),
            http2,
            slot: Some(slot),
            state: State::Asked(answer),
            reader: GrpcReader::new(limit),
            unread: Bytes::new(),
            received: 0,
            encoding: None,
            limit,
            headers: GrpcMetadata::new(),
            trailers: GrpcMetadata::new(),
            is_answered: false,
            timer,
            under_way: None,
        }
    }

    /// The same, counted by `under_way` when it ends.
    pub(super) fn counted(mut self, under_way: UnderWay) -> Self {
        self.under_way = Some(under_way);
        self
    }

    /// Metadata in the head of the answer.
    #[must_use]
    pub fn headers(&self) -> &GrpcMetadata {
        &self.headers
    }

    /// Whether the server sent the call's status.
    pub(super) const fn is_answered(&self) -> bool {
        self.is_answered
    }

    /// Metadata in the trailers of the answer.
    #[must_use]
    pub fn trailers(&self) -> &GrpcMetadata {
        &self.trailers
    }

    /// Cancels the call because its caller wants nothing more of it. One that has not ended counts
    /// as failed, not as cut.
    pub fn cancel(mut self) {
        if let Some(under_way) = self.under_way.take() {
            under_way.end(false);
        }
    }

    /// The next message; `None` after the last one of a successful call.
    ///
    /// # Errors
    /// The status of a failed call. The call has ended then.
    pub fn poll_message(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Result<Option<Vec<u8>>, GrpcStatus>> {
        if let Poll::Ready(outcome) = self.poll_next(cx) {
            return Poll::Ready(outcome);
        }
        if let Some(timer) = &mut self.timer {
            ready!(timer.poll_expired(cx));
            return Poll::Ready(self.ended(GrpcStatus::late()));
        }
        Poll::Pending
    }

    fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Result<Option<Vec<u8>>, GrpcStatus>> {
        loop {
            match self.look() {
                Err(status) => return Poll::Ready(self.ended(status)),
                Ok(Some(message)) => return Poll::Ready(Ok(Some(message))),
                Ok(None) => {}
            }
            match &mut self.state {
                State::Ended(status) => {
                    let status = status.clone();
                    return Poll::Ready(self.ended(status));
                }
                State::Asked(answer) => {
                    let answered = ready!(answer.poll(cx));
                    match answered {
                        Ok(answer) => {
                            if let Err(status) = self.take_head(answer) {
                                return Poll::Ready(self.ended(status));
                            }
                        }
                        Err(error) => {
                            let status = match error {
                                AnswerError::Http2(error) => self.status_of(&error),
                                AnswerError::TooManyInterim => {
                                    let cause = too_many_interim();
                                    self.http2.abandon(&cause);
                                    GrpcStatus::of_cause(cause)
                                }
                            };
                            return Poll::Ready(self.ended(status));
                        }
                    }
                }
                State::Open(body) | State::Strange(body, ..) => match ready!(body.poll_data(cx)) {
                    Some(Ok(piece)) => {
                        // The next poll reports it if nothing more arrives.
                        let _ = body.flow_control().release_capacity(piece.len());
                        self.take_piece(piece);
                    }
                    Some(Err(error)) => {
                        let status = self.status_of(&error);
                        return Poll::Ready(self.ended(status));
                    }
                    None => {
                        let trailers = ready!(body.poll_trailers(cx));
                        let status = match trailers {
                            Ok(fields) => self.take_end(fields.as_ref()),
                            Err(error) => self.status_of(&error),
                        };
                        return Poll::Ready(self.ended(status));
                    }
                },
            }
        }
    }

    /// Ends the call; later polls return the same result.
    fn ended(&mut self, status: GrpcStatus) -> Result<Option<Vec<u8>>, GrpcStatus> {
        self.state = State::Ended(status.clone());
        self.unread = Bytes::new();
        self.slot = None;
        if let Some(under_way) = self.under_way.take() {
            under_way.end_call(self.is_answered, status.is_ok());
        }
        if status.is_ok() {
            Ok(None)
        } else {
            Err(status)
        }
    }

    fn status_of(&self, error: &h2::Error) -> GrpcStatus {
        GrpcStatus::of_cause(self.http2.cause(error, self.id))
    }

    fn take_head(&mut self, answer: http::Response<RecvStream>) -> Result<(), GrpcStatus> {
        let (head, body) = answer.into_parts();
        let strange = not_grpc(head.status, &head.headers);
        if body.is_end_stream() {
            if let Some(status) = strange {
                return Err(status);
            }
            let (metadata, status) = ending(&head.headers)?;
            self.trailers = metadata;
            self.is_answered = true;
            self.state = State::Ended(status);
            return Ok(());
        }
        if let Some(status) = strange {
            self.state = State::Strange(body, status, Vec::new());
            return Ok(());
        }
        self.headers = decoded(&head.headers)?;
        let encoding = head.headers.get("grpc-encoding");
        let encoding = encoding.map(|name| String::from_utf8_lossy(name.as_bytes()).into_owned());
        self.encoding = encoding.filter(|name| name != "identity");
        self.state = State::Open(body);
        Ok(())
    }

    fn take_piece(&mut self, piece: Bytes) {
        match &mut self.state {
            State::Strange(_, status, said) => {
                let room = FOREIGN_BODY_BYTES_MAX - said.len();
                said.extend_from_slice(&piece[..piece.len().min(room)]);
                if said.len() == FOREIGN_BODY_BYTES_MAX {
                    let status = with_data(status, said);
                    self.state = State::Ended(status);
                }
            }
            _ => {
                self.received = self.received.saturating_add(piece.len());
                self.unread = piece;
            }
        }
    }

    fn take_end(&mut self, fields: Option<&HeaderMap>) -> GrpcStatus {
        let Some(fields) = fields else {
            return GrpcStatus::internal("server closed the stream without sending trailers");
        };
        if let State::Strange(_, status, said) = &self.state {
            return with_data(status, said);
        }
        let (metadata, status) = match ending(fields) {
            Ok(ending) => ending,
            Err(status) => return status,
        };
        self.trailers = metadata;
        self.is_answered = true;
        if status.is_ok() && !self.reader.is_between_messages() {
            return GrpcStatus::internal("unexpected EOF");
        }
        status
    }

    /// The next message in the bytes that have arrived.
    fn look(&mut self) -> Result<Option<Vec<u8>>, GrpcStatus> {
        while !self.unread.is_empty() {
            let (used, item) = self.reader.advance(&self.unread).map_err(|error| {
                GrpcStatus::new(GrpcStatus::RESOURCE_EXHAUSTED, error.to_string())
            })?;
            let message = match item {
                GrpcItem::Incomplete => None,
                GrpcItem::Message { format, payload } => Some(decompressed(
                    format,
                    payload,
                    self.encoding.as_deref(),
                    self.limit,
                )?),
            };
            self.unread.advance(used);
            if message.is_some() {
                return Ok(message);
            }
        }
        // Not before its head: a message that is too large need not be transferred.
        if self.received > SMALL_WINDOW_BYTES_MAX {
            self.http2.widen();
        }
        Ok(None)
    }
}

fn with_data(status: &GrpcStatus, said: &[u8]) -> GrpcStatus {
    let text = format!("{}\ndata: {}", status.message, quoted(said));
    GrpcStatus::new(status.code, text)
}

fn decompressed(
    format: u8,
    payload: &[u8],
    encoding: Option<&str>,
    limit: usize,
) -> Result<Vec<u8>, GrpcStatus> {
    match (format, encoding) {
        (0, _) => Ok(payload.to_vec()),
        (1, None) => Err(GrpcStatus::internal(
            "grpc: compressed flag set with identity or empty encoding",
        )),
        (1, Some("gzip")) => {
            let mut out = Vec::new();
            let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
            let mut squeezed = flate2::read::MultiGzDecoder::new(payload).take(most);
            squeezed.read_to_end(&mut out).map_err(|error| {
                let reason = match error.to_string().as_str() {
                    "invalid gzip header" => "gzip: invalid header".to_owned(),
                    other => other.to_owned(),
                };
                let text = format!("grpc: failed to decompress the message: {reason}");
                GrpcStatus::internal(text)
            })?;
            if out.len() > limit {
                let length = out.len();
                let text = format!(
                    "grpc: message after decompression larger than max ({length} vs. {limit})"
                );
                return Err(GrpcStatus::new(GrpcStatus::RESOURCE_EXHAUSTED, text));
            }
            Ok(out)
        }
        (1, Some(other)) => Err(GrpcStatus::internal(format!(
            "grpc: Decompressor is not installed for grpc-encoding {other:?}"
        ))),
        (format, _) => Err(GrpcStatus::internal(format!(
            "grpc: received unexpected payload format {format}"
        ))),
    }
}
