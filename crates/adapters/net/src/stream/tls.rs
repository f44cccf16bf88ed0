//! One TLS connection: handshake, then bytes. What lies below is the counted socket, or TLS
//! with a proxy.

use std::fmt;
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection};

use super::records::Records;
use super::{Socket, Stream, TlsStream};
use crate::failure::{Cause, Operation};
use crate::tls::{TlsInfo, info, text_of};

impl TlsStream {
    /// A connection that has said nothing yet. `host` is who it has to be.
    pub(crate) fn new(inner: Stream, config: Arc<ClientConfig>, host: &str) -> Result<Self, Cause> {
        let name = host.strip_suffix('.').unwrap_or(host);
        let name = ServerName::try_from(name.to_owned())
            .map_err(|_| Cause::Tls(format!("tls: {name:?} is not a server name")))?;
        let session = ClientConnection::new(config, name).map_err(|error| text_of(&error))?;
        Ok(Self {
            inner,
            session,
            records: Records::default(),
        })
    }

    pub(crate) fn socket(&self) -> &Socket {
        self.inner.socket()
    }

    /// Version and suite, after the handshake.
    pub(crate) fn info(&self) -> Option<TlsInfo> {
        info(
            self.session.protocol_version(),
            self.session.negotiated_cipher_suite(),
        )
    }

    /// Whether both sides chose HTTP/2.
    pub(crate) fn speaks_http2(&self) -> bool {
        self.session.alpn_protocol() == Some(b"h2")
    }

    /// Ready when the handshake is done.
    pub(crate) fn poll_handshake(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Cause>> {
        loop {
            while self.session.wants_write() {
                match self.session.write_tls(&mut Raw(&mut self.inner)) {
                    Ok(_) => {}
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                        ready!(self.inner.poll_writable(cx));
                    }
                    Err(error) => return Poll::Ready(Err(self.not_written(&error))),
                }
            }
            if !self.session.is_handshaking() {
                return Poll::Ready(Ok(()));
            }
            let mut watched = Watched {
                inner: &mut self.inner,
                records: &mut self.records,
            };
            match self.session.read_tls(&mut watched) {
                Ok(0) => return Poll::Ready(Err(self.records.ended())),
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    ready!(self.inner.poll_readable(cx));
                    continue;
                }
                Err(error) => return Poll::Ready(Err(self.failed(Operation::Read, &error))),
            }
            if let Some(cause) = self.records.not_tls() {
                return Poll::Ready(Err(cause));
            }
            if let Err(error) = self.session.process_new_packets() {
                // The alert that says why; it goes out or it does not.
                let _ = self.session.write_tls(&mut Raw(&mut self.inner));
                return Poll::Ready(Err(text_of(&error)));
            }
        }
    }

    /// A server that refuses us says why and closes: what it said counts for more than
    /// that it does not listen any more.
    fn not_written(&mut self, error: &io::Error) -> Cause {
        while let Ok(1..) = self.session.read_tls(&mut Raw(&mut self.inner)) {
            if let Err(refusal) = self.session.process_new_packets() {
                return text_of(&refusal);
            }
        }
        self.failed(Operation::Write, error)
    }

    fn failed(&self, operation: Operation, error: &io::Error) -> Cause {
        self.inner.cause(operation, error)
    }

    /// Reads what is there; 0 at the end of the stream, with or without a close_notify: many
    /// servers send none, and Go lets them.
    pub(crate) fn try_read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.session.reader().read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(0),
                outcome => return outcome,
            }
            self.session.read_tls(&mut Raw(&mut self.inner))?;
            let processed = self.session.process_new_packets();
            if self.session.wants_write() {
                // Answers to the peer (a key update, an alert) go out with the next write
                // if not now.
                let _ = self.session.write_tls(&mut Raw(&mut self.inner));
            }
            processed.map_err(io::Error::other)?;
        }
    }

    /// Takes what fits and sends what it can of it.
    pub(crate) fn try_write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.session.writer().write(bytes)?;
        match self.try_flush() {
            Err(error) if count == 0 || error.kind() != io::ErrorKind::WouldBlock => {
                return Err(error);
            }
            _ => {}
        }
        if count > 0 {
            return Ok(count);
        }
        self.session.writer().write(bytes)
    }

    /// Sends what was taken.
    pub(crate) fn try_flush(&mut self) -> io::Result<()> {
        while self.session.wants_write() {
            self.session.write_tls(&mut Raw(&mut self.inner))?;
        }
        self.inner.try_flush()
    }
}

impl Drop for TlsStream {
    /// Sends close_notify, as far as it goes out at once.
    fn drop(&mut self) {
        if !self.session.is_handshaking() {
            self.session.send_close_notify();
            let _ = self.session.write_tls(&mut Raw(&mut self.inner));
        }
    }
}

impl fmt::Debug for TlsStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TlsStream")
            .field("inner", &self.inner)
            .finish_non_exhaustive()
    }
}

/// What lies below, as rustls reads and writes it.
struct Raw<'s>(&'s mut Stream);

impl Read for Raw<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.try_read(buffer)
    }
}

impl Write for Raw<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.try_write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What lies below, during the handshake.
struct Watched<'s> {
    inner: &'s mut Stream,
    records: &'s mut Records,
}

impl Read for Watched<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.try_read(buffer)?;
        self.records.saw(&buffer[..count]);
        Ok(count)
    }
}
