//! A channel to one server, and its connection.

use std::cell::RefCell;
use std::net::{IpAddr, SocketAddr};
use std::pin::pin;
use std::rc::Rc;
use std::time::Duration;

use loadline_units::Time;

use crate::client::Client;
use crate::deadline::DeadlineTimer;
use crate::failure::{Cause, Failure};
use crate::http2::{Http2, Windows};
use crate::shortage::Shortage;
use crate::tls::Tls;

/// Where a channel leads, and its limits.
#[derive(Debug, Clone)]
pub struct GrpcOptions {
    /// `host:port`
    pub address: String,
    /// Without TLS.
    pub plaintext: bool,
    /// TLS settings, if they differ from the run's.
    pub tls: Option<Tls>,
    /// The server's name, if it differs from the address.
    pub authority: Option<String>,
    /// `user-agent`
    pub user_agent: String,
    /// The largest message to receive, in bytes.
    pub max_receive: usize,
    /// The largest message to send, in bytes.
    pub max_send: usize,
}

impl GrpcOptions {
    /// The default limit for received messages: 4 MiB.
    pub const MAX_RECEIVE: usize = 4 * 1024 * 1024;
    /// The default limit for sent messages.
    pub const MAX_SEND: usize = i32::MAX as usize;

    /// The server's name.
    pub(super) fn authority(&self) -> &str {
        self.authority.as_deref().unwrap_or(&self.address)
    }
}

/// A user's channel to one server. Clones are the same channel.
#[derive(Debug, Clone)]
pub struct GrpcChannel(Rc<Inner>);

#[derive(Debug)]
struct Inner {
    client: Client,
    options: GrpcOptions,
    connection: RefCell<Option<Http2>>,
}

/// Why a connection could not be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub struct GrpcConnectError {
    /// Go's text.
    pub text: String,
    /// The resource that the generator lacked, if that was the reason.
    pub shortage: Option<Shortage>,
}

impl GrpcConnectError {
    fn late(last: &str) -> Self {
        Self {
            text: format!("context deadline exceeded{last}"),
            shortage: None,
        }
    }
}

/// Why an attempt to connect failed.
enum ConnectError {
    /// A retry would fail, too.
    ForGood(String, Option<Shortage>),
    /// A retry may succeed.
    ForNow(String),
}

impl From<ConnectError> for GrpcConnectError {
    fn from(why: ConnectError) -> Self {
        let (text, shortage) = match why {
            ConnectError::ForGood(text, shortage) => (text, shortage),
            ConnectError::ForNow(text) => (text, None),
        };
        Self {
            text: format!("connection error: desc = \"{text}\""),
            shortage,
        }
    }
}

impl GrpcChannel {
    /// Connects, and retries until `deadline` if that may help.
    ///
    /// # Errors
    /// The reason why there is no connection.
    pub async fn connect(
        client: &Client,
        options: GrpcOptions,
        deadline: Time,
    ) -> Result<Self, GrpcConnectError> {
        // The waits between attempts, as in Go: the first, the longest, and the growth in
        // percent.
        const RETRY_INTERVAL_MIN: Duration = Duration::from_secs(1);
        const RETRY_INTERVAL_MAX: Duration = Duration::from_secs(120);
        const RETRY_GROWTH_PERCENT: u32 = 160;
        let channel = Self(Rc::new(Inner {
            client: client.clone(),
            options,
            connection: RefCell::default(),
        }));
        let handle = client.connector().network.handle();
        let mut alarm = DeadlineTimer::new(handle);
        let mut last = String::new();
        let mut pause = RETRY_INTERVAL_MIN;
        loop {
            if deadline <= handle.now() {
                return Err(GrpcConnectError::late(&last));
            }
            let outcome = {
                let attempt = pin!(channel.dial());
                alarm.within(deadline, attempt).await
            };
            match outcome {
                Some(Ok(_)) => return Ok(channel),
                Some(Err(unreached @ ConnectError::ForGood(..))) => return Err(unreached.into()),
                Some(Err(unreached)) => last = format!(": {}", GrpcConnectError::from(unreached)),
                None => return Err(GrpcConnectError::late(&last)),
            }
            let next = handle.now() + pause;
            handle.sleep_until(next.min(deadline)).await;
            pause = (pause * RETRY_GROWTH_PERCENT / 100).min(RETRY_INTERVAL_MAX);
        }
    }

    pub(super) fn client(&self) -> &Client {
        &self.0.client
    }

    pub(super) fn options(&self) -> &GrpcOptions {
        &self.0.options
    }

    /// Whether both are the same channel.
    #[must_use]
    pub fn is(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    /// The peer's address of the present connection.
    #[must_use]
    pub fn remote(&self) -> Option<IpAddr> {
        let connection = self.0.connection.borrow();
        connection.as_ref().map(|http2| http2.remote().ip())
    }

    /// The connection; made again if it was lost.
    ///
    /// # Errors
    /// The reason why there is none.
    pub(super) async fn connection(&self) -> Result<Http2, GrpcConnectError> {
        let there = self.0.connection.borrow().clone();
        if let Some(there) = there.filter(Http2::is_open) {
            return Ok(there);
        }
        Box::pin(self.dial()).await.map_err(GrpcConnectError::from)
    }

    async fn dial(&self) -> Result<Http2, ConnectError> {
        let options = &self.0.options;
        let connector = self.0.client.connector();
        let (host, port) = split(&options.address).map_err(|text| {
            ConnectError::ForGood(format!("transport: error while dialing: {text}"), None)
        })?;
        let reached = connector.reach_bare(&host, port).await;
        let socket = reached.map_err(|failure| {
            let text = format!("transport: error while dialing: {}", failure.detail());
            match failure.cause() {
                // Go treats these as temporary.
                Cause::BlockedHost { .. }
                | Cause::BlacklistedIp { .. }
                | Cause::DialTimeout { .. } => ConnectError::ForNow(text),
                _ => ConnectError::ForGood(text, failure.shortage()),
            }
        })?;
        let handshake_failed = |failure: &Failure| {
            let text = match failure.cause() {
                Cause::NotTls { .. } => {
                    "tls: first record does not look like a TLS handshake".to_owned()
                }
                _ => failure.detail(),
            };
            ConnectError::ForNow(format!(
                "transport: authentication handshake failed: {text}"
            ))
        };
        let stream = if options.plaintext {
            socket
        } else {
            let name =
                split(options.authority()).map_or(options.authority().to_owned(), |(h, _)| h);
            let secured = connector.secure_http2(socket, &name, options.tls.as_ref());
            secured
                .await
                .map_err(|failure| handshake_failed(&failure))?
        };
        let started = Http2::start(stream, connector.network.handle(), Windows::Narrow).await;
        let preface = |cause: Cause| {
            let text = match &cause {
                Cause::Http2(_, _) => "http2: failed reading the frame payload: http2: frame too large, note that the frame header looked like an HTTP/1.1 header".to_owned(),
                _ => Failure::new(cause).detail(),
            };
            ConnectError::ForNow(format!("error reading server preface: {text}"))
        };
        let http2 = started.map_err(preface)?;
        http2.greeted().await.map_err(preface)?;
        *self.0.connection.borrow_mut() = Some(http2.clone());
        Ok(http2)
    }
}

/// Splits `host:port`; an IPv6 address is in brackets.
///
/// # Errors
/// Go's text.
fn split(address: &str) -> Result<(String, u16), String> {
    let bare = address
        .strip_prefix("dns:///")
        .or_else(|| address.strip_prefix("passthrough:///"))
        .unwrap_or(address);
    if let Ok(address) = bare.parse::<SocketAddr>() {
        return Ok((address.ip().to_string(), address.port()));
    }
    let prefix = if bare.is_empty() {
        String::new()
    } else {
        format!("address {bare}: ")
    };
    let Some((host, port)) = bare.rsplit_once(':') else {
        return Err(format!("{prefix}missing port in address"));
    };
    if host.contains(':') {
        return Err(format!("{prefix}too many colons in address"));
    }
    match port.parse() {
        Ok(port) => Ok((host.to_owned(), port)),
        Err(_) => Err(format!("address {port}: invalid port")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_host_and_port() {
        let told = |text: &str| split(text);
        assert_eq!(told("h:1"), Ok(("h".to_owned(), 1)));
        assert_eq!(told("[::1]:2"), Ok(("::1".to_owned(), 2)));
        assert_eq!(told("dns:///h:3"), Ok(("h".to_owned(), 3)));
        assert_eq!(told(""), Err("missing port in address".to_owned()));
        assert_eq!(
            told("h"),
            Err("address h: missing port in address".to_owned())
        );
        assert_eq!(
            told("h:99999"),
            Err("address 99999: invalid port".to_owned())
        );
    }
}
