//! A socket for the router: some of its bytes were read already, and what it sends must be
//! read in time.

use bytes::{Buf, Bytes};
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::Sleep;

use crate::http::UNREAD_TIMEOUT;

/// A socket some bytes of which were read already.
pub(in crate::http) struct Prefixed {
    prefix: Bytes,
    socket: TcpStream,
    /// Runs while the client does not read what is sent to it.
    unread: Option<Pin<Box<Sleep>>>,
    /// Whether the client was waited for since the last request.
    waited: Arc<AtomicBool>,
}

impl Prefixed {
    pub(in crate::http) fn new(read: Vec<u8>, socket: TcpStream) -> Self {
        Self {
            prefix: read.into(),
            socket,
            unread: None,
            waited: Arc::default(),
        }
    }

    /// Tells of each request whether it came together with the one before.
    pub(in crate::http) fn turns(&self) -> Turns {
        Turns(self.waited.clone())
    }

    /// What became of a write, or that it waited for too long.
    fn in_time(
        &mut self,
        cx: &mut Context<'_>,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if written.is_ready() {
            self.unread = None;
            return written;
        }
        let new = || Box::pin(tokio::time::sleep(UNREAD_TIMEOUT));
        let unread = self.unread.get_or_insert_with(new);
        ready!(unread.as_mut().poll(cx));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

/// Lets others have their turn when a client sends many requests at once: else its connection
/// would be served until none is left.
#[derive(Clone)]
pub(in crate::http) struct Turns(Arc<AtomicBool>);

impl Turns {
    /// To be called before each request is served.
    pub(in crate::http) async fn next(&self) {
        if !self.0.swap(false, Ordering::Relaxed) {
            tokio::task::yield_now().await;
        }
    }
}

impl AsyncRead for Prefixed {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.prefix.is_empty() {
            let read = Pin::new(&mut self.socket).poll_read(cx, buffer);
            if read.is_pending() {
                self.waited.store(true, Ordering::Relaxed);
            }
            return read;
        }
        let length = self.prefix.len().min(buffer.remaining());
        buffer.put_slice(&self.prefix[..length]);
        self.prefix.advance(length);
        if self.prefix.is_empty() {
            self.prefix = Bytes::new();
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Prefixed {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.socket).poll_write(cx, bytes);
        self.in_time(cx, written)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_shutdown(cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.socket).poll_write_vectored(cx, parts);
        self.in_time(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.socket.is_write_vectored()
    }
}
