//! WebSocket frames (RFC 6455) on one connection, compressed without context where that was agreed on (RFC 7692).

use std::io;

use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress};
use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

pub(super) const TEXT: u8 = 1;
pub(super) const BINARY: u8 = 2;
pub(super) const CLOSE: u8 = 8;
pub(super) const PING: u8 = 9;
pub(super) const PONG: u8 = 10;

const FIN: u8 = 0x80;
const COMPRESSED: u8 = 0x40;

/// A message, or a control frame.
pub(super) struct Frame {
    pub(super) kind: u8,
    pub(super) bytes: Vec<u8>,
}

pub(super) struct Socket {
    stream: TokioIo<Upgraded>,
    deflates: bool,
    closed: bool,
}

impl Socket {
    pub(super) fn new(stream: TokioIo<Upgraded>, deflates: bool) -> Self {
        Self {
            stream,
            deflates,
            closed: false,
        }
    }

    pub(super) fn has_closed(&self) -> bool {
        self.closed
    }

    /// The next message or control frame; None at the end of the stream.
    pub(super) async fn next(&mut self) -> io::Result<Option<Frame>> {
        let (mut kind, mut bytes, mut squeezed) = (0, Vec::new(), false);
        loop {
            let mut head = [0; 2];
            if self.stream.read(&mut head[..1]).await? == 0 {
                return Ok(None);
            }
            self.stream.read_exact(&mut head[1..]).await?;
            let length = match head[1] & 0x7f {
                126 => u64::from(self.stream.read_u16().await?),
                127 => self.stream.read_u64().await?,
                short => u64::from(short),
            };
            let mut mask = [0; 4];
            if head[1] & 0x80 != 0 {
                self.stream.read_exact(&mut mask).await?;
            }
            let length = usize::try_from(length)
                .ok()
                .filter(|length| *length <= 64 << 20);
            let mut payload = vec![0; length.ok_or_else(|| io::Error::other("too large"))?];
            self.stream.read_exact(&mut payload).await?;
            for (at, byte) in payload.iter_mut().enumerate() {
                *byte ^= mask[at % 4];
            }
            let this = head[0] & 0x0f;
            if this >= CLOSE {
                return Ok(Some(Frame {
                    kind: this,
                    bytes: payload,
                }));
            }
            if this != 0 {
                (kind, squeezed) = (this, head[0] & COMPRESSED != 0);
            }
            bytes.extend_from_slice(&payload);
            if head[0] & FIN != 0 {
                let bytes = if squeezed { inflated(&bytes)? } else { bytes };
                return Ok(Some(Frame { kind, bytes }));
            }
        }
    }

    pub(super) async fn send(&mut self, kind: u8, bytes: &[u8]) -> io::Result<()> {
        if self.deflates && kind < CLOSE {
            let squeezed = deflated(bytes)?;
            return self.write(FIN | COMPRESSED | kind, &squeezed).await;
        }
        self.closed |= kind == CLOSE;
        self.write(FIN | kind, bytes).await
    }

    async fn write(&mut self, first: u8, bytes: &[u8]) -> io::Result<()> {
        let mut head = vec![first];
        match u16::try_from(bytes.len()) {
            Ok(length @ ..126) => head.push(length.to_be_bytes()[1]),
            Ok(length) => {
                head.push(126);
                head.extend_from_slice(&length.to_be_bytes());
            }
            Err(_) => {
                head.push(127);
                head.extend_from_slice(&(bytes.len() as u64).to_be_bytes());
            }
        }
        self.send_raw(&head, bytes).await
    }

    /// Sends a frame as it is given.
    pub(super) async fn send_raw(&mut self, head: &[u8], bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(&[head, bytes].concat()).await?;
        self.stream.flush().await
    }

    pub(super) async fn close(&mut self, code: u16, reason: &str) -> io::Result<()> {
        self.send(CLOSE, &[&code.to_be_bytes(), reason.as_bytes()].concat())
            .await
    }
}

/// What every flushed block ends in, and messages leave out.
const TAIL: [u8; 4] = [0, 0, 0xff, 0xff];

fn deflated(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut deflate = Compress::new(Compression::default(), false);
    let mut out = Vec::with_capacity(bytes.len() + 64);
    deflate
        .compress_vec(bytes, &mut out, FlushCompress::Sync)
        .map_err(io::Error::other)?;
    out.truncate(out.len().saturating_sub(TAIL.len()));
    Ok(out)
}

fn inflated(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut inflate = Decompress::new(false);
    let input = [bytes, &TAIL].concat();
    let mut out = Vec::with_capacity(1 << 16);
    loop {
        let before = (inflate.total_in(), out.len());
        let taken = usize::try_from(inflate.total_in()).unwrap_or(usize::MAX);
        inflate
            .decompress_vec(&input[taken..], &mut out, FlushDecompress::Sync)
            .map_err(io::Error::other)?;
        if (inflate.total_in(), out.len()) == before || out.len() > 64 << 20 {
            return Ok(out);
        }
        out.reserve(1 << 16);
    }
}
