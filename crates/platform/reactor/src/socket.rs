//! Non-blocking TCP sockets: tried directly, awaited through the reactor.

use std::cell::Cell;
use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, ready};

use rustix::fd::OwnedFd;
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, Shutdown, SocketFlags, SocketType, ipproto, sockopt,
};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::handle::{Backend, ReactorHandle};
use crate::poller::Readiness;
use crate::sim;

/// A TCP connection of one worker.
///
/// [`TcpStream::try_read`] and [`TcpStream::try_write`] call the kernel directly if the socket
/// was last known to be ready. Tokio's traits wrap them for libraries (TLS, HTTP/2). Dropping it
/// closes the connection.
pub struct TcpStream {
    socket: Socket,
    ready: Rc<Readiness>,
    remote: SocketAddr,
    handle: ReactorHandle,
    /// Whether the attempt to connect is known to have succeeded.
    connected: Cell<bool>,
}

enum Socket {
    Kernel { file: OwnedFd, key: u64 },
    Simulated(sim::Endpoint),
}

impl ReactorHandle {
    /// Starts a TCP connection to `to`, from the local address `from` if given.
    /// [`TcpStream::poll_connected`] returns the result.
    ///
    /// # Errors
    /// Those that the kernel reports at once: no more file descriptors or ports, network
    /// unreachable.
    pub fn connect(&self, to: SocketAddr, from: Option<IpAddr>) -> io::Result<TcpStream> {
        TcpStream::connect(self, to, from)
    }
}

impl TcpStream {
    pub(crate) fn connect(
        handle: &ReactorHandle,
        remote: SocketAddr,
        from: Option<IpAddr>,
    ) -> io::Result<Self> {
        if let Some(peers) = handle.0.peers.get() {
            peers.admit(remote)?;
        }
        let ready = Rc::new(Readiness::default());
        let socket = match &handle.0.backend {
            Backend::Kernel { poller, .. } => {
                let file = start_connecting(remote, from)?;
                let key = poller.register(&file, ready.clone())?;
                Socket::Kernel { file, key }
            }
            Backend::Simulated(world) => Socket::Simulated(world.connect(remote, ready.clone())),
        };
        Ok(Self {
            socket,
            ready,
            remote,
            handle: handle.clone(),
            connected: Cell::new(false),
        })
    }

    /// Ready when the connection is established or has failed.
    ///
    /// # Errors
    /// The kernel's: refused, unreachable, timed out.
    pub fn poll_connected(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.connected.get() {
            return Poll::Ready(Ok(()));
        }
        ready!(self.ready.poll_writable(cx));
        let outcome = match &self.socket {
            Socket::Kernel { file, .. } => sockopt::socket_error(file)?.map_err(io::Error::from),
            Socket::Simulated(endpoint) => endpoint.connected(),
        };
        outcome?;
        self.connected.set(true);
        Poll::Ready(Ok(()))
    }

    /// The peer's address.
    #[must_use]
    pub fn remote_addr(&self) -> SocketAddr {
        self.remote
    }

    /// The local address; costs a system call.
    ///
    /// # Errors
    /// The kernel's.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        match &self.socket {
            Socket::Kernel { file, .. } => {
                let address = rustix::net::getsockname(file)?;
                Ok(SocketAddr::try_from(address)?)
            }
            Socket::Simulated(endpoint) => Ok(endpoint.local_addr()),
        }
    }

    /// Reads what is available without waiting. 0 means that the peer will send no more.
    ///
    /// # Errors
    /// `WouldBlock` if nothing is available, or the task has read enough for this turn (await
    /// [`TcpStream::poll_readable`]); otherwise the kernel's.
    pub fn try_read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.ready.is_readable() || !self.may_read() {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        let room = buffer.len();
        let outcome = match &self.socket {
            Socket::Kernel { file, .. } => {
                match rustix::net::recv(file, &mut *buffer, RecvFlags::empty()) {
                    Ok((count, _)) => Ok(count),
                    Err(rustix::io::Errno::INTR) => return self.try_read(buffer),
                    Err(error) => Err(error.into()),
                }
            }
            Socket::Simulated(endpoint) => endpoint.read(buffer),
        };
        // Edge-triggered: after a short read the kernel has no more, and more bytes cause a new
        // event, unless the end of the stream has arrived already.
        match &outcome {
            Ok(count) if *count > 0 => {
                self.handle.0.budget.take(*count);
                if *count < room {
                    self.ready.clear_readable();
                }
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                self.ready.clear_readable();
            }
            _ => {}
        }
        outcome
    }

    /// Writes as much as fits without waiting.
    ///
    /// # Errors
    /// `WouldBlock` if nothing fits (await [`TcpStream::poll_writable`]); otherwise the kernel's.
    pub fn try_write(&self, bytes: &[u8]) -> io::Result<usize> {
        if !self.ready.is_writable() {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        let outcome = match &self.socket {
            Socket::Kernel { file, .. } => {
                match rustix::net::send(file, bytes, SendFlags::NOSIGNAL) {
                    Ok(count) => Ok(count),
                    Err(rustix::io::Errno::INTR) => return self.try_write(bytes),
                    Err(error) => Err(error.into()),
                }
            }
            Socket::Simulated(endpoint) => endpoint.write(bytes),
        };
        match &outcome {
            Ok(count) if *count < bytes.len() => self.ready.clear_writable(),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                self.ready.clear_writable();
            }
            _ => {}
        }
        outcome
    }

    /// Whether the present poll of a task may read on.
    fn may_read(&self) -> bool {
        let inner = &*self.handle.0;
        inner
            .budget
            .allows_read(|| self.handle.now().since(inner.timers.borrow().fired))
    }

    /// Whether the socket had something to read, by what was last seen.
    #[must_use]
    pub fn is_readable(&self) -> bool {
        self.ready.is_readable()
    }

    /// Ready when a read may succeed. A task that has read enough for this turn is woken in the
    /// next.
    pub fn poll_readable(&self, cx: &mut Context<'_>) -> Poll<()> {
        ready!(self.ready.poll_readable(cx));
        if self.handle.0.budget.is_spent() {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        Poll::Ready(())
    }

    /// Ready when a write may succeed.
    pub fn poll_writable(&self, cx: &mut Context<'_>) -> Poll<()> {
        self.ready.poll_writable(cx)
    }

    /// Tells the peer that no more will be sent.
    ///
    /// # Errors
    /// The kernel's.
    pub fn shutdown_write(&self) -> io::Result<()> {
        match &self.socket {
            Socket::Kernel { file, .. } => Ok(rustix::net::shutdown(file, Shutdown::Write)?),
            Socket::Simulated(endpoint) => {
                endpoint.shutdown();
                Ok(())
            }
        }
    }
}

/// A non-blocking socket that has begun to connect, without Nagle's algorithm.
fn start_connecting(remote: SocketAddr, from: Option<IpAddr>) -> io::Result<OwnedFd> {
    let family = if remote.is_ipv4() {
        AddressFamily::INET
    } else {
        AddressFamily::INET6
    };
    let file = rustix::net::socket_with(
        family,
        SocketType::STREAM,
        SocketFlags::NONBLOCK | SocketFlags::CLOEXEC,
        Some(ipproto::TCP),
    )?;
    sockopt::set_tcp_nodelay(&file, true)?;
    if let Some(local) = from {
        rustix::net::bind(&file, &SocketAddr::new(local, 0))?;
    }
    match rustix::net::connect(&file, &remote) {
        Ok(()) | Err(rustix::io::Errno::INPROGRESS) => Ok(file),
        Err(error) => Err(error.into()),
    }
}

impl Drop for TcpStream {
    fn drop(&mut self) {
        match (&self.socket, &self.handle.0.backend) {
            (Socket::Kernel { key, .. }, Backend::Kernel { poller, .. }) => poller.forget(*key),
            (Socket::Simulated(endpoint), _) => endpoint.close(),
            (Socket::Kernel { .. }, Backend::Simulated(_)) => {}
        }
    }
}

impl AsyncRead for TcpStream {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        loop {
            ready!(self.poll_readable(cx));
            match self.try_read(buffer.initialize_unfilled()) {
                Ok(count) => {
                    buffer.advance(count);
                    return Poll::Ready(Ok(()));
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
    }
}

impl AsyncWrite for TcpStream {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        loop {
            ready!(self.poll_writable(cx));
            match self.try_write(bytes) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                outcome => return Poll::Ready(outcome),
            }
        }
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(())) // nothing is buffered on our side
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(self.shutdown_write())
    }
}

impl fmt::Debug for TcpStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TcpStream")
            .field("remote", &self.remote)
            .finish_non_exhaustive()
    }
}
