//! A connection that takes so much of a server in one look, and no more.
//!
//! A server tells how long its message is before it sends it; one that is none may tell any length,
//! and the client would keep all of it.

use std::fmt;
use std::io;
use std::net::IpAddr;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpStream, UnixStream};

/// What a server may send in one look. Thousands of statements with their texts are a few MiB.
pub(crate) const LOOK_BYTES_MAX: usize = 32 << 20;

/// How much may still be read.
#[derive(Debug, Clone, Default)]
pub(crate) struct Allowance(Arc<AtomicUsize>);

impl Allowance {
    /// Begins a look.
    pub(crate) fn renew(&self) {
        self.0.store(LOOK_BYTES_MAX, Ordering::Relaxed);
    }

    pub(crate) fn is_used_up(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }

    fn take(&self, bytes: usize) {
        let left = self.0.load(Ordering::Relaxed);
        self.0.store(left.saturating_sub(bytes), Ordering::Relaxed);
    }
}

/// Bytes to and from a server.
trait ByteStream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> ByteStream for T {}

/// A connection that breaks off when the allowance is used up. TLS goes on top of it.
pub(crate) struct BoundedStream {
    stream: Box<dyn ByteStream>,
    allowance: Allowance,
}

impl BoundedStream {
    /// Connects by TCP.
    ///
    /// # Errors
    /// The kernel's.
    pub(crate) async fn connect(host: &str, port: u16, allowance: &Allowance) -> io::Result<Self> {
        Self::over_tcp(TcpStream::connect((host, port)).await?, allowance)
    }

    /// Connects by TCP to an address that needs no name.
    ///
    /// # Errors
    /// The kernel's.
    pub(crate) async fn connect_to(
        address: IpAddr,
        port: u16,
        allowance: &Allowance,
    ) -> io::Result<Self> {
        Self::over_tcp(TcpStream::connect((address, port)).await?, allowance)
    }

    /// Connects to a socket of this machine.
    ///
    /// # Errors
    /// The kernel's.
    pub(crate) async fn connect_local(path: &Path, allowance: &Allowance) -> io::Result<Self> {
        let stream = UnixStream::connect(path).await?;
        Ok(Self::new(Box::new(stream), allowance))
    }

    fn over_tcp(stream: TcpStream, allowance: &Allowance) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        Ok(Self::new(Box::new(stream), allowance))
    }

    fn new(stream: Box<dyn ByteStream>, allowance: &Allowance) -> Self {
        Self {
            stream,
            allowance: allowance.clone(),
        }
    }
}

impl fmt::Debug for BoundedStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BoundedStream")
            .field("allowance", &self.allowance)
            .finish_non_exhaustive()
    }
}

impl AsyncRead for BoundedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.allowance.is_used_up() {
            return Poll::Ready(Err(io::ErrorKind::InvalidData.into()));
        }
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        self.allowance.take(buffer.filled().len() - before);
        read
    }
}

impl AsyncWrite for BoundedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
