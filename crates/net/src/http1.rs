//! One exchange on one HTTP/1.1 connection.
//!
//! The usual case costs one send and one receive: the request's bytes are written as one
//! piece, the readiness of the socket is awaited, and a response that lies in the buffer
//! whole is parsed where it lies.

mod pieces;

use std::io;
use std::net::SocketAddr;
use std::task::{Context, Poll, ready};

use loadline_wire::{Event, Limits, RequestKind, ResponseParser};

use crate::broken::{Broken, Progress};
use crate::client::BodyMode;
use crate::failure::{Failure, Operation};
use crate::network::Network;
use crate::response::Response;
use crate::stream::Stream;
use crate::tls::TlsInfo;

/// A connection that carries one exchange after another.
#[derive(Debug)]
pub(crate) struct Http1 {
    stream: Stream,
    parser: ResponseParser,
    /// Bytes of a body that is read piece by piece which came with its head.
    early: Vec<u8>,
    /// A body that was read piece by piece came to its end, and nothing after it.
    ended: bool,
}

/// What is sent and how the answer is taken.
pub(crate) struct Exchange<'r> {
    pub(crate) kind: RequestKind,
    /// Head, with a small body.
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
        (first, second): (&'r [u8], &'r [u8]),
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

    /// One whose body is read piece by piece, for as long as it goes on.
    pub(crate) fn unlimited(kind: RequestKind, pieces: (&'r [u8], &'r [u8])) -> Self {
        Self::new(kind, pieces, BodyMode::Discard)
    }

    fn left(&self) -> &'r [u8] {
        match self.written.checked_sub(self.first.len()) {
            None => &self.first[self.written..],
            Some(of_second) => &self.second[of_second..],
        }
    }

    fn broken(&self, failure: Failure) -> Broken {
        let progress = if self.reads > 0 {
            Progress::Answered
        } else if self.written > 0 {
            Progress::NoResponse
        } else {
            Progress::NothingSent
        };
        Broken { failure, progress }
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

    /// Sends and receives; answers whether the connection may be used again.
    pub(crate) async fn run(
        &mut self,
        network: &Network,
        mut exchange: Exchange<'_>,
        response: &mut Response,
    ) -> Result<bool, Broken> {
        self.parser.set_limits(Limits {
            body_bytes: exchange.mode.limit(),
            ..Limits::default()
        });
        self.parser.begin(exchange.kind, &mut response.head);
        let sent_whole = std::future::poll_fn(|cx| self.poll_send(cx, &mut exchange)).await?;
        if sent_whole {
            response.timing.sent(network.0.handle.now());
        }
        let clean =
            std::future::poll_fn(|cx| self.poll_receive(cx, network, &mut exchange, response))
                .await?;
        // What came in one read ended when it began.
        let end = match (exchange.reads, response.timing.first_byte_at()) {
            (1, Some(first)) => first,
            _ => network.0.handle.now(),
        };
        response.timing.end(end);
        response.protocol = response.head.version().into();
        Ok(clean && sent_whole && self.parser.is_reusable())
    }

    /// Ready with `true` when all was written, with `false` when the server answers (or
    /// ends the connection) before it took everything.
    fn poll_send(
        &mut self,
        cx: &mut Context<'_>,
        exchange: &mut Exchange<'_>,
    ) -> Poll<Result<bool, Broken>> {
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
    ) -> Poll<Result<bool, Broken>> {
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

    /// A server that refuses a body answers and closes: its answer counts for more than
    /// the failed write.
    fn write_failed(&mut self, exchange: &Exchange<'_>, error: &io::Error) -> Result<bool, Broken> {
        if exchange.written > 0 && self.stream.may_be_readable() {
            return Ok(false);
        }
        Err(exchange.broken(self.failed(Operation::Write, error)))
    }

    fn failed(&self, operation: Operation, error: &io::Error) -> Failure {
        Failure::new(self.stream.cause(operation, error))
    }

    /// Ready at the end of the response; `false` when bytes came after it.
    fn poll_receive(
        &mut self,
        cx: &mut Context<'_>,
        network: &Network,
        exchange: &mut Exchange<'_>,
        response: &mut Response,
    ) -> Poll<Result<bool, Broken>> {
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

    /// Parses what was read; answers, at the end of the response, whether nothing was
    /// left over.
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
                Event::Incomplete => return Ok(None),
                Event::Head => {
                    response.head_complete = true;
                    self.make_room(exchange, response);
                }
                Event::Body(piece) => {
                    let status = response.head.status();
                    exchange.mode.take(status, &mut response.body, piece);
                }
                Event::End => return Ok(Some(bytes.is_empty())),
            }
        }
    }

    /// Grows the body's buffer once where its length is known, within reason: a server
    /// that promises much and sends little costs little.
    fn make_room(&self, exchange: &Exchange<'_>, response: &mut Response) {
        const TRUSTED: u64 = 1024 * 1024;
        if exchange.mode.keeps() {
            let length = self.parser.body_left().min(TRUSTED);
            let length = usize::try_from(length).expect("at most 1 MiB");
            response.body.reserve(length);
        }
    }
}

/// The failure, marked when it came after the head.
fn placed(failure: Failure, response: &Response) -> Failure {
    if response.head_complete {
        failure.in_body()
    } else {
        failure
    }
}
