//! One exchange on one HTTP/1.1 connection.
//!
//! The usual case needs one send and one receive: the request's bytes are written in one piece,
//! the task waits until the socket is readable, and a response that is completely in the buffer
//! is parsed in place.

mod pieces;

use std::io;
use std::net::SocketAddr;
use std::task::{Context, Poll, ready};

use loadline_wire::{RequestKind, ResponseEvent, ResponseLimits, ResponseParser};

use crate::body::BodyMode;
use crate::broken::{ExchangeError, Progress};
use crate::failure::{Failure, Operation};
use crate::network::Network;
use crate::response::Response;
use crate::stream::Stream;
use crate::tls::TlsInfo;

/// A connection for one exchange after another.
#[derive(Debug)]
pub(crate) struct Http1 {
    stream: Stream,
    parser: ResponseParser,
    /// For a body that is read piece by piece: its bytes that arrived with the head.
    early: Vec<u8>,
    /// A body that is read piece by piece has ended, and nothing follows it.
    ended: bool,
}

/// What is sent, and how the answer is received.
pub(crate) struct Exchange<'r> {
    pub(crate) kind: RequestKind,
    /// The head, with a small body.
    pub(crate) first: &'r [u8],
    /// A large body.
    pub(crate) second: &'r [u8],
    pub(crate) mode: BodyMode,
    written: usize,
    reads: u32,
}

impl<'r> Exchange<'r> {
    pub(crate) fn new(
        kind: RequestKind,
        first: &'r [u8],
        second: &'r [u8],
        mode: BodyMode,
    ) -> Self {
        Self {
            kind,
            first,
            second,
            mode,
            written: 0,
            reads: 0,
        }
    }

    /// An exchange whose body is read piece by piece, for any length of time.
    pub(crate) fn unlimited(kind: RequestKind, first: &'r [u8], second: &'r [u8]) -> Self {
        Self::new(kind, first, second, BodyMode::Discard)
    }

    fn left(&self) -> &'r [u8] {
        match self.written.checked_sub(self.first.len()) {
            None => &self.first[self.written..],
            Some(of_second) => &self.second[of_second..],
        }
    }

    fn broken(&self, failure: Failure) -> ExchangeError {
        let progress = if self.reads > 0 {
            Progress::Answered
        } else if self.written > 0 {
            Progress::NoResponse
        } else {
            Progress::NothingSent
        };
        ExchangeError { failure, progress }
    }
}

impl Http1 {
    pub(crate) fn new(stream: Stream) -> Self {
        Self {
            stream,
            parser: ResponseParser::new(),
            early: Vec::new(),
            ended: false,
        }
    }

    pub(crate) fn remote(&self) -> SocketAddr {
        self.stream.remote()
    }

    pub(crate) fn tls(&self) -> Option<TlsInfo> {
        self.stream.tls()
    }

    pub(crate) fn is_stale(&mut self) -> bool {
        self.stream.is_stale()
    }

    pub(crate) fn passed(&self) -> (u64, u64) {
        self.stream.passed()
    }

    /// Sends and receives; returns whether the connection may be used again.
    pub(crate) async fn run(
        &mut self,
        network: &Network,
        mut exchange: Exchange<'_>,
        response: &mut Response,
    ) -> Result<bool, ExchangeError> {
        self.parser.set_limits(ResponseLimits {
            body_bytes: exchange.mode.limit(),
            ..ResponseLimits::default()
        });
        self.parser.begin(exchange.kind, &mut response.head);
        let sent_whole = std::future::poll_fn(|cx| self.poll_send(cx, &mut exchange)).await?;
        if sent_whole {
            response.timing.sent(network.0.handle.now());
        }
        let clean =
            std::future::poll_fn(|cx| self.poll_receive(cx, network, &mut exchange, response))
                .await?;
        // What arrived in one read ended when it began.
        let end = match (exchange.reads, response.timing.first_byte_at()) {
            (1, Some(first)) => first,
            _ => network.0.handle.now(),
        };
        response.timing.end(end);
        response.protocol = response.head.version().into();
        Ok(clean && sent_whole && self.parser.is_reusable())
    }

    /// Ready with `true` when everything is written, or with `false` if the server answers (or
    /// closes the connection) before that.
    fn poll_send(
        &mut self,
        cx: &mut Context<'_>,
        exchange: &mut Exchange<'_>,
    ) -> Poll<Result<bool, ExchangeError>> {
        loop {
            let left = exchange.left();
            if left.is_empty() {
                return self.poll_flush(cx, exchange);
            }
            match self.stream.try_write(left) {
                Ok(count) => exchange.written += count,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    if self.stream.poll_writable(cx).is_ready() {
                        continue;
                    }
                    if exchange.written > 0 && self.stream.poll_readable(cx).is_ready() {
                        return Poll::Ready(Ok(false));
                    }
                    return Poll::Pending;
                }
                Err(error) => return Poll::Ready(self.write_failed(exchange, &error)),
            }
        }
    }

    fn poll_flush(
        &mut self,
        cx: &mut Context<'_>,
        exchange: &Exchange<'_>,
    ) -> Poll<Result<bool, ExchangeError>> {
        loop {
            match self.stream.try_flush() {
                Ok(()) => return Poll::Ready(Ok(true)),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    ready!(self.stream.poll_writable(cx));
                }
                Err(error) => return Poll::Ready(self.write_failed(exchange, &error)),
            }
        }
    }

    /// A server that refuses a body answers and closes. Its answer is more useful than the failed
    /// write.
    fn write_failed(
        &mut self,
        exchange: &Exchange<'_>,
        error: &io::Error,
    ) -> Result<bool, ExchangeError> {
        if exchange.written > 0 && self.stream.may_be_readable() {
            return Ok(false);
        }
        Err(exchange.broken(self.failed(Operation::Write, error)))
    }

    fn failed(&self, operation: Operation, error: &io::Error) -> Failure {
        Failure::new(self.stream.cause(operation, error))
    }

    /// Ready at the end of the response; `false` if more bytes follow it.
    fn poll_receive(
        &mut self,
        cx: &mut Context<'_>,
        network: &Network,
        exchange: &mut Exchange<'_>,
        response: &mut Response,
    ) -> Poll<Result<bool, ExchangeError>> {
        let mut buffer = network.0.buffer.borrow_mut();
        loop {
            match self.stream.try_read(&mut buffer) {
                Ok(0) => {
                    let ended = self.parser.finish(&mut response.head);
                    return Poll::Ready(match ended {
                        Ok(()) => Ok(true),
                        Err(error) => Err(exchange.broken(placed(error.into(), response))),
                    });
                }
                Ok(count) => {
                    exchange.reads += 1;
                    if exchange.reads == 1 {
                        response.timing.first_byte(network.0.handle.now());
                    }
                    match self.take(&buffer[..count], exchange, response) {
                        Ok(None) if response.head_complete => {
                            response.heard.set(Some(network.0.handle.now()));
                        }
                        Ok(None) => {}
                        Ok(Some(clean)) => return Poll::Ready(Ok(clean)),
                        Err(failure) => {
                            let failure = placed(failure, response);
                            return Poll::Ready(Err(exchange.broken(failure)));
                        }
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    ready!(self.stream.poll_readable(cx));
                }
                Err(error) => {
                    let failure = placed(self.failed(Operation::Read, &error), response);
                    return Poll::Ready(Err(exchange.broken(failure)));
                }
            }
        }
    }

    /// Parses what was read; at the end of the response returns whether no bytes are left over.
    fn take(
        &mut self,
        mut bytes: &[u8],
        exchange: &mut Exchange<'_>,
        response: &mut Response,
    ) -> Result<Option<bool>, Failure> {
        loop {
            let (used, event) = self.parser.advance(&mut response.head, bytes)?;
            bytes = &bytes[used..];
            match event {
                ResponseEvent::Incomplete => return Ok(None),
                ResponseEvent::Head => {
                    response.head_complete = true;
                    self.make_room(exchange, response);
                }
                ResponseEvent::Body(piece) => {
                    response.body_bytes += piece.len() as u64;
                    let status = response.head.status();
                    exchange.mode.take(status, &mut response.body, piece);
                }
                ResponseEvent::End => return Ok(Some(bytes.is_empty())),
            }
        }
    }

    /// Reserves room once for a body of known length, up to a limit: a server that promises much
    /// and sends little costs little memory.
    fn make_room(&self, exchange: &Exchange<'_>, response: &mut Response) {
        const RESERVED_BYTES_MAX: u64 = 1024 * 1024;
        if exchange.mode.keeps() {
            let length = self.parser.body_left().min(RESERVED_BYTES_MAX);
            let length = usize::try_from(length).expect("at most 1 MiB");
            response.body.reserve(length);
        }
    }
}

/// The failure, marked if the head was complete.
fn placed(failure: Failure, response: &Response) -> Failure {
    if response.head_complete {
        failure.in_body()
    } else {
        failure
    }
}
