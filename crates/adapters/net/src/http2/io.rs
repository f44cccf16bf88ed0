//! The bytes of an HTTP/2 connection, as `h2` reads and writes them.

use std::cell::{Cell, RefCell};
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, Waker, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::frames::Frames;
use crate::failure::{Cause, Operation};
use crate::stream::Stream;

/// What is known about the connection's bytes.
#[derive(Debug, Default)]
pub(super) struct Wire {
    /// The bytes that passed the socket: sent, received.
    pub(super) passed: Cell<(u64, u64)>,
    /// The bytes of HTTP/2 that arrived, without those of TLS.
    pub(super) read: Cell<u64>,
    /// The task that waits for the first of them.
    pub(super) watcher: RefCell<Option<Waker>>,
    /// Why the socket failed; `h2` keeps only a text of it.
    pub(super) cause: RefCell<Option<Cause>>,
}

/// A stream that reports to its [`Wire`].
#[derive(Debug)]
pub(super) struct Io {
    stream: Stream,
    wire: std::rc::Rc<Wire>,
    frames: Frames,
}

impl Wire {
    pub(super) fn from_stream(stream: &Stream) -> Self {
        Self {
            passed: Cell::new(stream.passed()),
            ..Self::default()
        }
    }
}

impl Io {
    pub(super) fn new(stream: Stream, wire: std::rc::Rc<Wire>) -> Self {
        Self {
            stream,
            wire,
            frames: Frames::default(),
        }
    }

    /// Counts bytes, and keeps the first failure.
    fn after<T>(&self, operation: Operation, outcome: io::Result<T>) -> io::Result<T> {
        self.wire.passed.set(self.stream.passed());
        if let Err(error) = &outcome {
            let mut cause = self.wire.cause.borrow_mut();
            cause.get_or_insert_with(|| self.stream.cause(operation, error));
        }
        outcome
    }
}

impl Io {
    /// Fails the connection of a server that floods it.
    fn count_frames(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.frames.saw(bytes).map_err(|flood| {
            let cause = || Cause::Other(flood.to_string());
            self.wire.cause.borrow_mut().get_or_insert_with(cause);
            io::Error::other(flood)
        })
    }
}

fn is_full(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::WouldBlock
}

impl AsyncRead for Io {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        loop {
            match self.stream.try_read(buffer.initialize_unfilled()) {
                Err(error) if is_full(&error) => ready!(self.stream.poll_readable(cx)),
                outcome => {
                    let count = self.after(Operation::Read, outcome)?;
                    self.wire.read.set(self.wire.read.get() + count as u64);
                    self.count_frames(&buffer.initialize_unfilled()[..count])?;
                    if let Some(watcher) = self.wire.watcher.take() {
                        watcher.wake();
                    }
                    if count == 0 {
                        let ended = || Cause::Other("unexpected EOF".to_owned());
                        self.wire.cause.borrow_mut().get_or_insert_with(ended);
                    }
                    buffer.advance(count);
                    return Poll::Ready(Ok(()));
                }
            }
        }
    }
}

impl AsyncWrite for Io {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        loop {
            match self.stream.try_write(bytes) {
                Err(error) if is_full(&error) => ready!(self.stream.poll_writable(cx)),
                outcome => return Poll::Ready(self.after(Operation::Write, outcome)),
            }
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        loop {
            match self.stream.try_flush() {
                Err(error) if is_full(&error) => ready!(self.stream.poll_writable(cx)),
                outcome => return Poll::Ready(self.after(Operation::Write, outcome)),
            }
        }
    }

    /// The socket is closed when the connection is dropped, right after this.
    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_flush(cx)
    }
}
