//! An exchange whose body is read piece by piece: first the head, then each piece.

use std::io;
use std::task::{Context, Poll, ready};

use loadline_wire::{ResponseError, ResponseEvent, ResponseLimits};

use super::{Exchange, Http1, placed};
use crate::broken::ExchangeError;
use crate::failure::{Failure, Operation};
use crate::network::Network;
use crate::response::Response;

impl Http1 {
    /// Sends, and receives up to the end of the head.
    pub(crate) async fn open(
        &mut self,
        network: &Network,
        mut exchange: Exchange<'_>,
        response: &mut Response,
    ) -> Result<(), ExchangeError> {
        self.parser.set_limits(ResponseLimits {
            body_bytes: exchange.mode.limit(),
            ..ResponseLimits::default()
        });
        self.parser.begin(exchange.kind, &mut response.head);
        self.early.clear();
        self.ended = false;
        let sent_whole = std::future::poll_fn(|cx| self.poll_send(cx, &mut exchange)).await?;
        if sent_whole {
            response.timing.sent(network.0.handle.now());
        }
        std::future::poll_fn(|cx| self.poll_head(cx, network, &mut exchange, response)).await?;
        response.protocol = response.head.version().into();
        Ok(())
    }

    /// Ready at the end of the head.
    fn poll_head(
        &mut self,
        cx: &mut Context<'_>,
        network: &Network,
        exchange: &mut Exchange<'_>,
        response: &mut Response,
    ) -> Poll<Result<(), ExchangeError>> {
        let mut buffer = network.0.buffer.borrow_mut();
        loop {
            match self.stream.try_read(&mut buffer) {
                Ok(0) => {
                    let failure = match self.parser.finish(&mut response.head) {
                        Ok(()) => ResponseError::NoResponse.into(),
                        Err(error) => error.into(),
                    };
                    return Poll::Ready(Err(exchange.broken(failure)));
                }
                Ok(count) => {
                    exchange.reads += 1;
                    response.timing.first_byte(network.0.handle.now());
                    let bytes = &buffer[..count];
                    match self.parser.advance(&mut response.head, bytes) {
                        Ok((used, ResponseEvent::Head)) => {
                            response.head_complete = true;
                            self.early.extend_from_slice(&bytes[used..]);
                            return Poll::Ready(Ok(()));
                        }
                        Ok(_) => {}
                        Err(error) => return Poll::Ready(Err(exchange.broken(error.into()))),
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    ready!(self.stream.poll_readable(cx));
                }
                Err(error) => {
                    let failure = self.failed(Operation::Read, &error);
                    return Poll::Ready(Err(exchange.broken(failure)));
                }
            }
        }
    }

    /// Appends the next piece of the body to `out`; `false` at the end.
    pub(crate) async fn next_piece(
        &mut self,
        network: &Network,
        response: &mut Response,
        out: &mut Vec<u8>,
    ) -> Result<bool, Failure> {
        let early = std::mem::take(&mut self.early);
        if let Some(goes_on) = self.take_piece(&early, response, out)? {
            return Ok(goes_on);
        }
        std::future::poll_fn(|cx| self.poll_piece(cx, network, response, out)).await
    }

    fn poll_piece(
        &mut self,
        cx: &mut Context<'_>,
        network: &Network,
        response: &mut Response,
        out: &mut Vec<u8>,
    ) -> Poll<Result<bool, Failure>> {
        let mut buffer = network.0.buffer.borrow_mut();
        loop {
            match self.stream.try_read(&mut buffer) {
                Ok(0) => {
                    let ended = self.parser.finish(&mut response.head);
                    return Poll::Ready(match ended {
                        Ok(()) => Ok(false),
                        Err(error) => Err(placed(error.into(), response)),
                    });
                }
                Ok(count) => {
                    if let Some(goes_on) = self.take_piece(&buffer[..count], response, out)? {
                        return Poll::Ready(Ok(goes_on));
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    ready!(self.stream.poll_readable(cx));
                }
                Err(error) => {
                    let failure = placed(self.failed(Operation::Read, &error), response);
                    return Poll::Ready(Err(failure));
                }
            }
        }
    }

    /// Takes the body out of `bytes`: `true` if there was some, `false` at the end. The end is
    /// reported alone, after the last piece.
    fn take_piece(
        &mut self,
        mut bytes: &[u8],
        response: &mut Response,
        out: &mut Vec<u8>,
    ) -> Result<Option<bool>, Failure> {
        let before = out.len();
        loop {
            let (used, event) = self
                .parser
                .advance(&mut response.head, bytes)
                .map_err(|error| placed(error.into(), response))?;
            bytes = &bytes[used..];
            match event {
                ResponseEvent::Body(piece) => out.extend_from_slice(piece),
                ResponseEvent::Head => {}
                ResponseEvent::Incomplete => return Ok((out.len() > before).then_some(true)),
                ResponseEvent::End if out.len() > before => {
                    self.early = bytes.to_vec();
                    return Ok(Some(true));
                }
                ResponseEvent::End => {
                    self.ended = bytes.is_empty();
                    return Ok(Some(false));
                }
            }
        }
    }

    /// Whether the connection may be used again after a body that was read piece by piece.
    pub(crate) fn is_reusable(&self) -> bool {
        self.ended && self.parser.is_reusable()
    }
}
