//! A response whose body is read while it arrives, for streams of any length.
//!
//! [`Client::open`] sends a request and reads the head. The body is a [`BodyStream`], which keeps
//! the connection until it ends or is dropped. Dropping it early closes the connection (HTTP/1.1)
//! or resets its stream (HTTP/2).

use std::fmt;
use std::pin::pin;

use h2::RecvStream;
use loadline_units::Time;

use super::tally::{CountedAs, UnderWay};
use super::{Client, ExchangeOptions, Lease, RefusalRetries, RouteChoice};
use crate::broken::ExchangeError;
use crate::deadline::DeadlineTimer;
use crate::decode::Decoders;
use crate::failure::{Cause, Failure};
use crate::http1::Exchange;
use crate::http2::{Http2, Slot};
use crate::pool::PooledConnection;
use crate::request::Request;
use crate::response::Response;
use crate::timing::Timing;

/// The body of a response, read while it arrives and decoded by its `Content-Encoding`.
pub struct BodyStream {
    client: Client,
    source: Source,
    decoders: Decoders,
    /// When it fails, in whatever phase it is.
    deadline: Time,
    alarm: DeadlineTimer,
    /// Counts as cut when the stream is dropped before its end.
    under_way: Option<UnderWay>,
    /// A piece, not decoded yet.
    raw: Vec<u8>,
}

enum Source {
    Http1(Box<PooledConnection>),
    Http2 {
        body: RecvStream,
        shared: Http2,
        /// Held until the stream ends.
        _slot: Slot,
    },
    Ended,
}

impl Client {
    /// Sends `request` and reads the response's head, without redirects or cookies. `response` is
    /// cleared first and holds what arrived; its body stays empty. `options.body` is ignored.
    ///
    /// # Errors
    /// As [`exchange`](Self::exchange).
    pub async fn open(
        &self,
        request: &Request,
        options: &ExchangeOptions,
        response: &mut Response,
    ) -> Result<BodyStream, Failure> {
        let under_way = UnderWay::begin(&self.0.tally, CountedAs::Http, options.started);
        let opened = self.open_timed(request, options, response).await;
        match opened {
            Ok(mut stream) => {
                stream.under_way = Some(under_way);
                Ok(stream)
            }
            Err(failure) => {
                under_way.end(false);
                Err(failure)
            }
        }
    }

    async fn open_timed(
        &self,
        request: &Request,
        options: &ExchangeOptions,
        response: &mut Response,
    ) -> Result<BodyStream, Failure> {
        response.begin(Timing::starting(options.started));
        if options.deadline <= options.started {
            return Err(Cause::Timeout.into());
        }
        let handle = self.connector().network.handle();
        let mut alarm = DeadlineTimer::new(handle);
        let outcome = {
            let opening = pin!(self.open_attempts(request, response));
            alarm.within(options.deadline, opening).await
        };
        let failure = match outcome {
            Some(Ok(source)) => {
                let encoding = response.head.fields().get("Content-Encoding");
                return Ok(BodyStream {
                    client: self.clone(),
                    source,
                    decoders: Decoders::new(encoding.unwrap_or_default()),
                    deadline: options.deadline,
                    alarm,
                    under_way: None,
                    raw: Vec::new(),
                });
            }
            Some(Err(failure)) => failure,
            None => Failure::new(Cause::Timeout),
        };
        response.timing.end(handle.now());
        if !response.head_complete {
            response.head.clear();
        }
        Err(failure)
    }

    /// Like [`attempts`](Self::attempts), up to the end of the head.
    async fn open_attempts(
        &self,
        request: &Request,
        response: &mut Response,
    ) -> Result<Source, Failure> {
        let RouteChoice { form, route } = self.way(request)?;
        let bytes = request.bytes(form)?;
        let mut refusals = RefusalRetries(0);
        loop {
            let lease = match self.idle(route.target, response) {
                Some(kept) => Lease::Http1(kept),
                None => Box::pin(self.lease(route, response)).await?,
            };
            let broken = match lease {
                Lease::Http1(mut kept) => {
                    let (first, second) = (&*bytes, request.second_piece());
                    let exchange = Exchange::unlimited(request.kind(), first, second);
                    match self.open_http1(&mut kept, exchange, response).await {
                        Ok(()) => return Ok(Source::Http1(kept)),
                        Err(broken) => broken,
                    }
                }
                Lease::Http2(shared, slot) => {
                    response.remote = Some(shared.remote());
                    response.tls = shared.tls();
                    let network = &self.connector().network;
                    match Box::pin(shared.open(network, request, response)).await {
                        Ok(body) => {
                            return Ok(Source::Http2 {
                                body,
                                shared,
                                _slot: slot,
                            });
                        }
                        Err(broken) if refusals.allow_another(&broken, &shared) => {
                            self.0.tally.resent();
                            continue;
                        }
                        Err(broken) => return Err(broken.failure),
                    }
                }
            };
            if !broken.may_be_tried_again(request, response) {
                return Err(broken.failure);
            }
            self.count_another(&broken);
        }
    }

    async fn open_http1(
        &self,
        kept: &mut PooledConnection,
        exchange: Exchange<'_>,
        response: &mut Response,
    ) -> Result<(), ExchangeError> {
        let connection = &mut kept.connection;
        response.remote = Some(connection.remote());
        response.tls = connection.tls();
        let network = &self.connector().network;
        connection.open(network, exchange, response).await
    }
}

impl BodyStream {
    /// Appends the next decoded piece to `out`, which may be empty. Returns `false` at the end,
    /// whose time `response` then holds.
    ///
    /// # Errors
    /// [`Failure`]: the connection broke, the body is malformed, or the deadline passed.
    /// The stream has ended then.
    pub async fn next(
        &mut self,
        response: &mut Response,
        out: &mut Vec<u8>,
    ) -> Result<bool, Failure> {
        self.raw.clear();
        let Self {
            client,
            source,
            alarm,
            raw,
            ..
        } = self;
        let network = &client.connector().network;
        let outcome = {
            let reading = pin!(source.read(network, response, raw));
            alarm.within(self.deadline, reading).await
        };
        let outcome = outcome.unwrap_or_else(|| Err(Failure::new(Cause::Timeout).in_body()));
        let decoded = match outcome {
            Ok(true) => self.decoders.push(&self.raw, out).await.map(|()| true),
            Ok(false) => self.decoders.finish(out).map(|()| false),
            Err(failure) => Err(failure),
        };
        if !matches!(decoded, Ok(true)) {
            if let Some(under_way) = self.under_way.take() {
                under_way.end(decoded.is_ok());
            }
            response.timing.end(network.handle().now());
            self.end();
        }
        decoded
    }

    /// Drops the rest, which the caller does not need. The request counts as answered.
    pub fn leave(mut self) {
        if let Some(under_way) = self.under_way.take() {
            under_way.end(true);
        }
    }

    /// Drops the rest, because another request follows: both count as one.
    pub(crate) fn follow(mut self) {
        if let Some(under_way) = self.under_way.take() {
            under_way.forget();
        }
    }

    /// Whether it has ended, with or without an error.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        matches!(self.source, Source::Ended)
    }

    /// Returns the connection to the pool, if it can be used again.
    fn end(&mut self) {
        let source = std::mem::replace(&mut self.source, Source::Ended);
        if let Source::Http1(kept) = source
            && kept.connection.is_reusable()
        {
            self.client.keep(kept);
        }
    }
}

impl Source {
    /// Appends the next piece to `raw`; `false` at the end.
    async fn read(
        &mut self,
        network: &crate::network::Network,
        response: &mut Response,
        raw: &mut Vec<u8>,
    ) -> Result<bool, Failure> {
        match self {
            Self::Http1(kept) => kept.connection.next_piece(network, response, raw).await,
            Self::Http2 { body, shared, .. } => shared.next_piece(body, raw).await,
            Self::Ended => Ok(false),
        }
    }
}

impl fmt::Debug for BodyStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BodyStream")
            .field("ended", &self.has_ended())
            .finish_non_exhaustive()
    }
}
