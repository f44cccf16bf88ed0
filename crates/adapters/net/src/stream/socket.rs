//! The socket of a connection, which counts what passes it.

use std::cell::Cell;
use std::io;
use std::net::SocketAddr;
use std::rc::Rc;
use std::task::{Context, Poll};

use loadline_reactor::TcpStream;

use crate::failure::{Cause, Operation, SocketFailure};

/// Bytes that passed the sockets of one client, TLS and all.
#[derive(Debug, Default)]
pub(crate) struct Traffic {
    sent: Cell<u64>,
    received: Cell<u64>,
}

impl Traffic {
    /// What passed since the last call.
    pub(crate) fn take(&self) -> (u64, u64) {
        (self.sent.take(), self.received.take())
    }
}

/// A TCP connection that counts.
#[derive(Debug)]
pub(crate) struct Socket {
    tcp: TcpStream,
    traffic: Rc<Traffic>,
    pub(super) sent: u64,
    pub(super) received: u64,
}

impl Socket {
    pub(crate) fn new(tcp: TcpStream, traffic: Rc<Traffic>) -> Self {
        Self {
            tcp,
            traffic,
            sent: 0,
            received: 0,
        }
    }

    pub(crate) fn remote(&self) -> SocketAddr {
        self.tcp.remote_addr()
    }

    pub(crate) fn local(&self) -> Option<SocketAddr> {
        self.tcp.local_addr().ok()
    }

    pub(crate) fn try_read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.tcp.try_read(buffer)?;
        self.received += count as u64;
        self.traffic
            .received
            .set(self.traffic.received.get() + count as u64);
        Ok(count)
    }

    pub(crate) fn try_write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.tcp.try_write(bytes)?;
        self.sent += count as u64;
        self.traffic
            .sent
            .set(self.traffic.sent.get() + count as u64);
        Ok(count)
    }

    pub(crate) fn poll_connected(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.tcp.poll_connected(cx)
    }

    pub(crate) fn is_readable(&self) -> bool {
        self.tcp.is_readable()
    }

    pub(crate) fn poll_readable(&self, cx: &mut Context<'_>) -> Poll<()> {
        self.tcp.poll_readable(cx)
    }

    pub(crate) fn poll_writable(&self, cx: &mut Context<'_>) -> Poll<()> {
        self.tcp.poll_writable(cx)
    }
}

/// The cause of an operation that failed on `socket` itself.
pub(crate) fn socket_cause(operation: Operation, error: &io::Error, socket: &Socket) -> Cause {
    Cause::Socket {
        operation,
        kind: SocketFailure::from_error(error),
        local: socket.local(),
        remote: socket.remote(),
    }
}
