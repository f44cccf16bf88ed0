//! Makes connections: address, TCP, proxy, TLS.

use std::cell::OnceCell;
use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::pin::pin;
use std::rc::Rc;
use std::sync::Arc;

use rustls::ClientConfig;

use crate::deadline::DeadlineTimer;
use crate::failure::{Cause, Failure, SocketFailure, os_text};
use crate::network::Network;
use crate::pool::Target;
use crate::proxy::{Proxy, ProxyKind};
use crate::response::Response;
use crate::stream::{Socket, Stream, TlsStream, Traffic};
use crate::tls::{Configs, Tls};
use crate::tunnel;
use crate::url::Url;

/// Where a request is sent to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Route<'r> {
    pub(crate) url: &'r Url,
    pub(crate) proxy: Option<&'r Proxy>,
    /// The peer of the connection: the server, or a proxy that forwards requests.
    pub(crate) target: Target<'r>,
    /// The connection will be used for another protocol than HTTP. HTTP/2 is not offered, and a
    /// proxy makes a tunnel to the server.
    pub(crate) upgrades: bool,
}

/// Makes connections for one client.
pub(crate) struct Connector {
    pub(crate) network: Network,
    pub(crate) traffic: Rc<Traffic>,
    pub(crate) local: Option<IpAddr>,
    tls: OnceCell<Configs>,
}

impl Connector {
    pub(crate) fn new(network: &Network, local: Option<IpAddr>) -> Self {
        Self {
            network: network.clone(),
            traffic: Rc::default(),
            local,
            tls: OnceCell::new(),
        }
    }

    /// Connects to the server, or to the proxy in its place.
    pub(crate) async fn connect(
        &self,
        route: Route<'_>,
        response: &mut Response,
    ) -> Result<Stream, Failure> {
        let (url, host) = (route.url, route.url.host_name());
        let Some(proxy) = route.proxy else {
            let socket = self.reach(host, route.target.port, response).await?;
            return if url.is_secure() {
                self.secure(Stream::Plain(socket), route, response).await
            } else {
                Ok(Stream::Plain(socket))
            };
        };
        let reached = self.reach_proxy(proxy, response).await;
        let mut stream = reached.map_err(|failure| {
            Failure::new(Cause::Tcp(format!(
                "proxyconnect tcp: {}",
                failure.detail()
            )))
        })?;
        let port = route.target.port;
        match proxy.kind {
            ProxyKind::Socks5 => tunnel::socks5(&mut stream, proxy, host, port).await?,
            ProxyKind::Http | ProxyKind::Https if url.is_secure() || route.upgrades => {
                tunnel::connect(&mut stream, proxy, host, port).await?;
            }
            ProxyKind::Http | ProxyKind::Https => return Ok(stream),
        }
        if url.is_secure() {
            self.secure(stream, route, response).await
        } else {
            Ok(stream)
        }
    }

    async fn reach(
        &self,
        host: &str,
        port: u16,
        response: &mut Response,
    ) -> Result<Socket, Failure> {
        let address = self.address(host, port).await?;
        self.dial(address, response).await
    }

    /// Connects directly to a server, ignoring proxies, for another protocol than HTTP/1.1.
    pub(crate) async fn reach_bare(&self, host: &str, port: u16) -> Result<Stream, Failure> {
        let mut response = Response::default();
        let socket = self.reach(host, port, &mut response).await?;
        Ok(Stream::Plain(socket))
    }

    /// Negotiates TLS for HTTP/2 only with `host` on `stream`; with `tls` or else the run's
    /// settings.
    pub(crate) async fn secure_http2(
        &self,
        stream: Stream,
        host: &str,
        tls: Option<&Tls>,
    ) -> Result<Stream, Failure> {
        let own = tls.map(Tls::for_user);
        let configs = match &own {
            Some(own) => own,
            None => self.tls()?,
        };
        let mut config = configs.for_host(host).clone();
        Arc::make_mut(&mut config).alpn_protocols = vec![b"h2".to_vec()];
        handshake(stream, config, host).await
    }

    /// Connects to `proxy`. Its TLS handshake is not part of the exchange's phases.
    async fn reach_proxy(&self, proxy: &Proxy, response: &mut Response) -> Result<Stream, Failure> {
        let socket = self.reach(&proxy.host, proxy.port, response).await?;
        let stream = Stream::Plain(socket);
        if proxy.kind != ProxyKind::Https {
            return Ok(stream);
        }
        let config = self.tls()?.for_proxy().clone();
        handshake(stream, config, &proxy.host).await
    }

    /// The address of `host`, if it is allowed. The rules apply in k6's order.
    async fn address(&self, host: &str, port: u16) -> Result<SocketAddr, Failure> {
        let settings = &self.network.0.settings;
        let literal = host.parse::<IpAddr>().ok();
        if literal.is_none()
            && let Some(pattern) = settings.blocked_names.find(host)
        {
            return Err(Cause::BlockedHost {
                host: host.to_owned(),
                pattern: pattern.to_owned(),
            }
            .into());
        }
        let address = match (settings.hosts.get(host, port), literal) {
            (Some(elsewhere), _) => elsewhere,
            (None, Some(ip)) => SocketAddr::new(ip, port),
            (None, None) => {
                let handle = self.network.handle();
                SocketAddr::new(settings.names.address(host, handle).await?, port)
            }
        };
        let ip = address.ip();
        if let Some(range) = settings.blacklist.iter().find(|range| range.contains(ip)) {
            let range = range.to_string();
            return Err(Cause::BlacklistedIp { ip, range }.into());
        }
        Ok(address)
    }

    /// Makes a TCP connection, within the dial timeout.
    async fn dial(&self, remote: SocketAddr, response: &mut Response) -> Result<Socket, Failure> {
        let handle = self.network.handle();
        let started = handle.now();
        response.timing.connect_started(started);
        let failed = |error: &std::io::Error| dial_failure(error, remote);
        let tcp = handle
            .connect(remote, self.local)
            .map_err(|error| failed(&error))?;
        let socket = Socket::new(tcp, self.traffic.clone());
        let limit = started + self.network.0.settings.dial_timeout;
        let connecting = pin!(std::future::poll_fn(|cx| socket.poll_connected(cx)));
        let connected = DeadlineTimer::new(handle).within(limit, connecting).await;
        match connected {
            None => Err(Cause::DialTimeout { remote }.into()),
            Some(Err(error)) => Err(failed(&error)),
            Some(Ok(())) => {
                response.timing.connected(handle.now());
                Ok(socket)
            }
        }
    }

    /// Negotiates TLS with the server on `stream`.
    async fn secure(
        &self,
        stream: Stream,
        route: Route<'_>,
        response: &mut Response,
    ) -> Result<Stream, Failure> {
        let handle = self.network.handle();
        let host = route.url.host_name();
        let mut config = self.tls()?.for_host(host).clone();
        if route.upgrades && !config.alpn_protocols.is_empty() {
            Arc::make_mut(&mut config).alpn_protocols = vec![b"http/1.1".to_vec()];
        }
        response.timing.tls_started(handle.now());
        let stream = handshake(stream, config, host).await?;
        response.timing.tls_done(handle.now());
        Ok(stream)
    }

    fn tls(&self) -> Result<&Configs, Cause> {
        match &self.network.0.settings.tls {
            Some(tls) => Ok(self.tls.get_or_init(|| tls.for_user())),
            None => Err(Cause::Tls("tls: not set up in this run".to_owned())),
        }
    }
}

async fn handshake(
    stream: Stream,
    config: Arc<ClientConfig>,
    host: &str,
) -> Result<Stream, Failure> {
    let mut stream = TlsStream::new(stream, config, host)?;
    std::future::poll_fn(|cx| stream.poll_handshake(cx)).await?;
    Ok(Stream::Tls(Box::new(stream)))
}

impl fmt::Debug for Connector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connector")
            .field("local", &self.local)
            .finish_non_exhaustive()
    }
}

fn dial_failure(error: &std::io::Error, remote: SocketAddr) -> Failure {
    use std::io::ErrorKind;
    Failure::new(match error.kind() {
        ErrorKind::ConnectionRefused => Cause::Refused { remote },
        ErrorKind::TimedOut => Cause::DialTimeout { remote },
        ErrorKind::ConnectionReset => Cause::Socket {
            operation: crate::failure::Operation::Read,
            kind: SocketFailure::Reset,
            local: None,
            remote,
        },
        _ => Cause::Dial {
            remote,
            errno: error.raw_os_error().unwrap_or(0),
            text: os_text(error),
        },
    })
}
