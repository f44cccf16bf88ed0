//! The bytes of one connection, counted as they pass the socket.

mod records;
mod socket;
mod tls;

use std::io;
use std::net::SocketAddr;
use std::task::{Context, Poll, ready};

use rustls::ClientConnection;

use crate::failure::{Cause, Operation};
use crate::tls::{TlsInfo, cause_of};
use records::Records;
pub(crate) use socket::{Socket, Traffic, socket_cause};

/// What HTTP is spoken over.
#[derive(Debug)]
pub(crate) enum Stream {
    Plain(Socket),
    Tls(Box<TlsStream>),
}

impl Stream {
    pub(crate) fn socket(&self) -> &Socket {
        match self {
            Self::Plain(socket) => socket,
            Self::Tls(tls) => tls.socket(),
        }
    }

    pub(crate) fn remote(&self) -> SocketAddr {
        self.socket().remote()
    }

    /// Version and suite of TLS, where it is spoken.
    pub(crate) fn tls(&self) -> Option<TlsInfo> {
        match self {
            Self::Plain(_) => None,
            Self::Tls(tls) => tls.info(),
        }
    }

    /// Whether HTTP/2 was agreed on.
    pub(crate) fn speaks_http2(&self) -> bool {
        match self {
            Self::Plain(_) => false,
            Self::Tls(tls) => tls.speaks_http2(),
        }
    }

    /// Bytes that passed the socket so far: sent, received.
    pub(crate) fn passed(&self) -> (u64, u64) {
        let socket = self.socket();
        (socket.sent, socket.received)
    }

    /// The cause of an operation that failed.
    pub(crate) fn cause(&self, operation: Operation, error: &io::Error) -> Cause {
        cause_of(error).unwrap_or_else(|| socket_cause(operation, error, self.socket()))
    }

    /// Reads what is there; 0 at the end of the stream.
    pub(crate) fn try_read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(socket) => socket.try_read(buffer),
            Self::Tls(tls) => tls.try_read(buffer),
        }
    }

    /// Writes what fits.
    pub(crate) fn try_write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(socket) => socket.try_write(bytes),
            Self::Tls(tls) => tls.try_write(bytes),
        }
    }

    /// Sends what was written and is still held back.
    pub(crate) fn try_flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(_) => Ok(()),
            Self::Tls(tls) => tls.try_flush(),
        }
    }

    /// Whether the socket may have something to read, by what was last seen.
    pub(crate) fn may_be_readable(&mut self) -> bool {
        self.socket().is_readable()
    }

    /// To be awaited after [`Stream::try_read`] found nothing.
    pub(crate) fn poll_readable(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        self.socket().poll_readable(cx)
    }

    /// To be awaited after a write or flush found no room.
    pub(crate) fn poll_writable(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        self.socket().poll_writable(cx)
    }

    /// Writes all of `bytes`.
    pub(crate) async fn write_all(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        std::future::poll_fn(|cx| {
            loop {
                let outcome = if bytes.is_empty() {
                    self.try_flush().map(|()| 0)
                } else {
                    self.try_write(bytes)
                };
                match outcome {
                    Ok(_) if bytes.is_empty() => return Poll::Ready(Ok(())),
                    Ok(count) => bytes = &bytes[count..],
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                        ready!(self.poll_writable(cx));
                    }
                    Err(error) => return Poll::Ready(Err(error)),
                }
            }
        })
        .await
    }

    /// Reads something; 0 at the end of the stream.
    pub(crate) async fn read_some(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        std::future::poll_fn(|cx| {
            loop {
                match self.try_read(buffer) {
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                        ready!(self.poll_readable(cx));
                    }
                    outcome => return Poll::Ready(outcome),
                }
            }
        })
        .await
    }

    /// Whether an idle connection has something to say: that it ended, or bytes nobody
    /// asked for. Either way it is of no more use. Costs no system call while silent.
    pub(crate) fn is_stale(&mut self) -> bool {
        let mut byte = [0];
        match self.try_read(&mut byte) {
            Err(error) => error.kind() != io::ErrorKind::WouldBlock,
            Ok(_) => true,
        }
    }
}

/// A connection that encrypts.
pub(crate) struct TlsStream {
    inner: Stream,
    session: ClientConnection,
    /// What the peer sent is looked at until the handshake is done.
    records: Records,
}
