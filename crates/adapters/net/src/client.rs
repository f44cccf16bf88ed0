//! A virtual user's HTTP client: its connections, and one exchange on one of them.

mod streaming;
mod tally;

pub use streaming::BodyStream;
pub(crate) use tally::UnderWay;
pub use tally::{CountedAs, CutRequest};

use std::cell::RefCell;
use std::fmt;
use std::net::IpAddr;
use std::pin::pin;
use std::rc::Rc;

use loadline_units::{RequestCounts, Time};

use crate::body::BodyMode;
use crate::broken::{ExchangeError, Progress};
use crate::connect::{Connector, Route};
use crate::deadline::DeadlineTimer;
use crate::failure::{Cause, Failure};
use crate::http1::{Exchange, Http1};
use crate::http2::{Http2, Slot, Windows};
use crate::network::Network;
use crate::pool::{self, Pool, PooledConnection, Shared, Target};
use crate::request::{Form, Request};
use crate::response::Response;
use crate::timing::Timing;
use crate::tls::Tls;
use crate::url::Url;
use tally::Tally;

/// How one exchange is done.
#[derive(Debug, Clone, Copy)]
pub struct ExchangeOptions {
    /// The time of the request: now, on the caller's clock.
    pub started: Time,
    /// When it fails with [`Cause::Timeout`], in whatever phase it is.
    pub deadline: Time,
    /// What happens to the body.
    pub body: BodyMode,
}

/// A user's client. Clones are the same client. Several exchanges may run at once, each on a
/// connection of its own.
#[derive(Clone)]
pub struct Client(Rc<Inner>);

struct Inner {
    connector: Connector,
    pool: Rc<RefCell<Pool>>,
    /// Timers not in use; as many as were ever used at once.
    alarms: RefCell<Vec<DeadlineTimer>>,
    tally: Rc<Tally>,
}

impl Client {
    /// A client without connections. `local` is the address it connects from, if it is bound to
    /// one.
    #[must_use]
    pub fn new(network: &Network, local: Option<IpAddr>) -> Self {
        Self(Rc::new(Inner {
            connector: Connector::new(network, local),
            pool: Rc::default(),
            alarms: RefCell::default(),
            tally: Rc::default(),
        }))
    }

    pub(crate) fn connector(&self) -> &Connector {
        &self.0.connector
    }

    /// The run's TLS settings, if any.
    #[must_use]
    pub fn tls(&self) -> Option<&Tls> {
        self.0.connector.network.0.settings.tls.as_ref()
    }

    /// The bytes that passed this client's sockets since the last call: sent, received.
    #[must_use]
    pub fn take_traffic(&self) -> (u64, u64) {
        self.0.connector.traffic.take()
    }

    /// What became of this client's requests since the last call.
    #[must_use]
    pub fn take_requests(&self) -> RequestCounts {
        self.0.tally.take()
    }

    /// The HTTP requests that were given up while under way, since the last call: their future
    /// or their stream was dropped before its end.
    #[must_use]
    pub fn take_cut(&self) -> Vec<CutRequest> {
        self.0.tally.take_cut(true)
    }

    /// The same of gRPC calls and of handshakes of WebSockets.
    #[must_use]
    pub fn take_cut_others(&self) -> Vec<CutRequest> {
        self.0.tally.take_cut(false)
    }

    /// Counts a request of this kind that begins now.
    pub(crate) fn begin(&self, kind: CountedAs) -> UnderWay {
        let now = self.0.connector.network.handle().now();
        UnderWay::begin(&self.0.tally, kind, now)
    }

    /// Counts an exchange that has just ended as under way until its body is decoded.
    pub(crate) fn resume(&self, response: &Response, answered: bool) -> UnderWay {
        UnderWay::resume(&self.0.tally, response.timing.start(), answered)
    }

    /// Closes idle connections (k6's `noVUConnectionReuse`, between iterations).
    pub fn close_idle(&self) {
        self.0.pool.borrow_mut().clear();
    }

    /// The number of idle connections.
    #[must_use]
    pub fn idle_connections(&self) -> usize {
        self.0.pool.borrow().len()
    }

    /// Sends `request` and reads the whole response, without redirects or cookies.
    ///
    /// `response` is cleared first. It holds what arrived, with timing and address, even if the
    /// exchange fails. Dropping the future closes the connection in use.
    ///
    /// # Errors
    /// [`Failure`]: a network error, a malformed response, the deadline, a limit. A
    /// status such as 500 is no error.
    pub async fn exchange(
        &self,
        request: &Request,
        options: &ExchangeOptions,
        response: &mut Response,
    ) -> Result<(), Failure> {
        let under_way = UnderWay::begin(&self.0.tally, CountedAs::Http, options.started);
        let outcome = self.timed(request, options, response).await;
        under_way.end(outcome.is_ok());
        outcome
    }

    async fn timed(
        &self,
        request: &Request,
        options: &ExchangeOptions,
        response: &mut Response,
    ) -> Result<(), Failure> {
        response.begin(Timing::starting(options.started));
        if options.deadline <= options.started {
            return Err(Cause::Timeout.into());
        }
        let handle = self.0.connector.network.handle();
        let kept = self.0.alarms.borrow_mut().pop();
        let mut alarm = kept.unwrap_or_else(|| DeadlineTimer::new(handle));
        let outcome = {
            let patience = self.0.connector.network.0.settings.body_patience;
            let heard = Rc::clone(&response.heard);
            let renewed = || Some(heard.get()? + patience?);
            let attempts = pin!(self.attempts(request, options, response));
            let deadline = options.deadline;
            alarm.within_renewed(deadline, renewed, attempts).await
        };
        self.0.alarms.borrow_mut().push(alarm);
        let failure = match outcome {
            Some(Ok(())) => return Ok(()),
            Some(Err(failure)) => failure,
            None if response.head_complete => Failure::new(Cause::Timeout).in_body(),
            None => Failure::new(Cause::Timeout),
        };
        response.timing.end(handle.now());
        if !response.head_complete {
            response.head.clear();
        }
        Err(failure)
    }

    /// Retries until an exchange ends, or fails on a new connection. A failure on a reused
    /// connection is retried if the server cannot have processed the request: it may have just
    /// closed the idle connection.
    async fn attempts(
        &self,
        request: &Request,
        options: &ExchangeOptions,
        response: &mut Response,
    ) -> Result<(), Failure> {
        let RouteChoice { form, route } = self.way(request)?;
        let bytes = request.bytes(form)?;
        let mut refusals = RefusalRetries(0);
        loop {
            let lease = match self.idle(route.target, response) {
                Some(kept) => Lease::Http1(kept),
                // Boxed, because it is large and most exchanges do not need it.
                None => Box::pin(self.lease(route, response)).await?,
            };
            let broken = match lease {
                Lease::Http1(kept) => {
                    let (first, second) = (&*bytes, request.second_piece());
                    let exchange = Exchange::new(request.kind(), first, second, options.body);
                    match self.run_http1(kept, exchange, response).await {
                        Ok(()) => return Ok(()),
                        Err(broken) => broken,
                    }
                }
                Lease::Http2(shared, _slot) => {
                    let run = self.run_http2(&shared, request, options.body, response);
                    match Box::pin(run).await {
                        Ok(()) => return Ok(()),
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

    /// Counts that a request goes out once more, if the server may have seen it before.
    fn count_another(&self, broken: &ExchangeError) {
        if broken.progress == Progress::NoResponse {
            self.0.tally.resent();
        }
    }

    /// The route of `request` to its server.
    fn way<'r>(&'r self, request: &'r Request) -> Result<RouteChoice<'r>, Failure> {
        let settings = &self.0.connector.network.0.settings;
        let url = request.url();
        let port = port_of(url)?;
        let proxy = settings.proxies.find(url, port);
        let forwarding = proxy.filter(|proxy| proxy.forwards() && !url.is_secure());
        let form = Form {
            close: !settings.reuse_connections,
            absolute: forwarding.is_some(),
            authorization: forwarding.and_then(|proxy| proxy.authorization.as_deref()),
        };
        let route = Route {
            url,
            proxy,
            target: Target {
                secure: url.is_secure(),
                host: forwarding.map_or(url.host_name(), |proxy| &proxy.host),
                port: forwarding.map_or(port, |proxy| proxy.port),
                proxy: forwarding.is_some(),
            },
            upgrades: false,
        };
        Ok(RouteChoice { form, route })
    }

    /// The idle connection to `target` to use next, if there is one.
    fn idle(&self, target: Target<'_>, response: &mut Response) -> Option<Box<PooledConnection>> {
        let kept = self.0.pool.borrow_mut().take(target)?;
        let start = response.timing.start();
        response.timing.got_connection(start, true);
        response.reused = true;
        Some(kept)
    }

    /// A connection for `route` that is not idle here: a shared one, or a new one.
    async fn lease(&self, route: Route<'_>, response: &mut Response) -> Result<Lease, Failure> {
        let target = route.target;
        let inner = &*self.0;
        let settings = &inner.connector.network.0.settings;
        let may_share = target.secure
            && settings.reuse_connections
            && settings.tls.as_ref().is_some_and(Tls::offers_http2);
        let mut finding = None;
        if may_share {
            match pool::shared(&inner.pool, target).await {
                Shared::Http2(shared) => {
                    let slot = shared.slot().await;
                    let now = inner.connector.network.handle().now();
                    response.timing.got_connection(now, true);
                    response.reused = true;
                    return Ok(Lease::Http2(shared, slot));
                }
                Shared::Never => {}
                Shared::Find(duty) => finding = Some(duty),
            }
        }
        let handle = inner.connector.network.handle();
        let stream = inner.connector.connect(route, response).await?;
        response.reused = false;
        if stream.speaks_http2() {
            let shared = Http2::start(stream, handle, Windows::Wide).await?;
            let slot = shared.slot().await;
            if let Some(finding) = finding {
                finding.http2(shared.clone());
            }
            response.timing.got_connection(handle.now(), false);
            return Ok(Lease::Http2(shared, slot));
        }
        if let Some(finding) = finding {
            finding.never();
        }
        response.timing.got_connection(handle.now(), false);
        Ok(Lease::Http1(Box::new(PooledConnection {
            origin: target.into(),
            connection: Http1::new(stream),
        })))
    }

    async fn run_http1(
        &self,
        mut kept: Box<PooledConnection>,
        exchange: Exchange<'_>,
        response: &mut Response,
    ) -> Result<(), ExchangeError> {
        let inner = &*self.0;
        let connection = &mut kept.connection;
        response.remote = Some(connection.remote());
        response.tls = connection.tls();
        let before = if response.reused {
            connection.passed()
        } else {
            (0, 0)
        };
        let outcome = connection
            .run(&inner.connector.network, exchange, response)
            .await;
        let passed = connection.passed();
        response.bytes_sent += passed.0 - before.0;
        response.bytes_received += passed.1 - before.1;
        if outcome? {
            self.keep(kept);
        }
        Ok(())
    }

    /// Keeps a connection that can be used again.
    fn keep(&self, kept: Box<PooledConnection>) {
        let settings = &self.0.connector.network.0.settings;
        if settings.reuse_connections {
            let (per_host, all) = (settings.max_idle_per_host, settings.max_idle);
            self.0.pool.borrow_mut().put(kept, per_host, all);
        }
    }

    async fn run_http2(
        &self,
        shared: &Http2,
        request: &Request,
        mode: BodyMode,
        response: &mut Response,
    ) -> Result<(), ExchangeError> {
        response.remote = Some(shared.remote());
        response.tls = shared.tls();
        if !response.reused {
            // The bytes of connecting belong to this exchange.
            (response.bytes_sent, response.bytes_received) = shared.passed();
        }
        let network = &self.0.connector.network;
        shared.run(network, request, mode, response).await
    }
}

/// How a request gets to its server: what its bytes look like, and which way they go.
struct RouteChoice<'r> {
    form: Form<'r>,
    route: Route<'r>,
}

/// How often one request was not taken over HTTP/2.
struct RefusalRetries(u32);

impl RefusalRetries {
    /// Whether it is sent again: a server that refuses is asked once more, one that goes
    /// away is followed, within reason.
    fn allow_another(&mut self, broken: &ExchangeError, shared: &Http2) -> bool {
        if broken.progress != Progress::NothingSent {
            return false;
        }
        self.0 += 1;
        self.0 <= if shared.is_open() { 1 } else { 6 }
    }
}

/// A connection for one exchange.
enum Lease {
    Http1(Box<PooledConnection>),
    /// With the slot that is held until the exchange ends.
    Http2(Http2, Slot),
}

/// The port of a URL.
fn port_of(url: &Url) -> Result<u16, Failure> {
    if !url.is_http() {
        let scheme = url.scheme();
        return Err(Cause::Other(format!("unsupported protocol scheme \"{scheme}\"")).into());
    }
    if url.host().is_empty() {
        return Err(Cause::Other("http: no Host in request URL".to_owned()).into());
    }
    url.port().ok_or_else(|| {
        let port = url.port_text().unwrap_or_default();
        Cause::Address(format!("dial tcp: address {port}: invalid port")).into()
    })
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("idle", &self.idle_connections())
            .finish_non_exhaustive()
    }
}
