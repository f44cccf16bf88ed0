//! Redis: what `INFO` says.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use loadline_record::signals::{Entity, MissingSignal, SignalKind, SourceError};
use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, Client, ConnectionAddr, ConnectionInfo, ErrorKind, RedisError};
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

use crate::address::Trust;
use crate::bounded_stream::{Allowance, BoundedStream};
use crate::reading::Reading;
use crate::server_tls::client_config;
use crate::source::Source;

/// How long one look may take.
const LOOK_TIMEOUT: Duration = Duration::from_secs(3);

/// Fields that are added up to a signal.
const FIELDS: [(&str, SignalKind); 9] = [
    ("used_cpu_sys", SignalKind::RedisCpu),
    ("used_cpu_user", SignalKind::RedisCpu),
    ("used_cpu_sys_main_thread", SignalKind::RedisMainThreadCpu),
    ("used_cpu_user_main_thread", SignalKind::RedisMainThreadCpu),
    ("used_memory", SignalKind::RedisMemoryUsed),
    ("maxmemory", SignalKind::RedisMemoryLimit),
    ("total_commands_processed", SignalKind::RedisCommands),
    ("evicted_keys", SignalKind::RedisEvictions),
    ("connected_clients", SignalKind::RedisClients),
];

/// Fields that say how it is set up.
const SETTINGS: [&str; 3] = ["redis_version", "maxmemory_policy", "io_threads_active"];

/// A server that is asked for `INFO`.
pub(crate) struct RedisSource {
    client: Client,
    runtime: Runtime,
    connection: Option<MultiplexedConnection>,
    /// What may still be read at this look.
    allowance: Allowance,
}

impl RedisSource {
    pub(crate) fn new(client: &Client) -> Result<Self, SourceError> {
        let runtime = Builder::new_current_thread().enable_all().build();
        Ok(Self {
            client: client.clone(),
            runtime: runtime.map_err(|error| SourceError::Other(error.to_string()))?,
            connection: None,
            allowance: Allowance::default(),
        })
    }

    fn info(&mut self) -> Result<String, RedisLookError> {
        self.allowance.renew();
        let Self {
            client,
            runtime,
            connection,
            allowance,
        } = self;
        let look = async {
            let connection = match connection {
                Some(connection) => connection,
                None => connection.insert(connect(client, allowance).await?),
            };
            Ok(redis::cmd("INFO").query_async(connection).await?)
        };
        let looked = runtime.block_on(async { timeout(LOOK_TIMEOUT, look).await });
        let looked = looked.unwrap_or(Err(RedisLookError::TimedOut));
        if looked.is_err() {
            // Whatever state the connection is in, the next look has a new one.
            self.connection = None;
        }
        match looked {
            Err(_) if self.allowance.is_used_up() => Err(RedisLookError::TooLarge),
            looked => looked,
        }
    }
}

/// Why a look failed.
#[derive(Debug)]
enum RedisLookError {
    Redis(RedisError),
    Connect(std::io::Error),
    Source(SourceError),
    TimedOut,
    /// It announced more than a look takes.
    TooLarge,
}

impl From<RedisError> for RedisLookError {
    fn from(error: RedisError) -> Self {
        Self::Redis(error)
    }
}

/// Connects, with a bound on what the server sends, over TLS too.
async fn connect(
    client: &Client,
    allowance: &Allowance,
) -> Result<MultiplexedConnection, RedisLookError> {
    let info = client.get_connection_info();
    match info.addr() {
        ConnectionAddr::Tcp(host, port) => {
            let stream = BoundedStream::connect(host, *port, allowance).await;
            let stream = stream.map_err(RedisLookError::Connect)?;
            connection_on(stream, info).await
        }
        ConnectionAddr::TcpTls {
            host,
            port,
            insecure,
            ..
        } => {
            let trust = if *insecure {
                Trust::Any
            } else {
                Trust::Roots(None)
            };
            let tls = TlsConnector::from(client_config(&trust).map_err(RedisLookError::Source)?);
            let name = ServerName::try_from(host.clone());
            let name = name.map_err(|_| RedisLookError::Source(SourceError::Tls))?;
            let stream = BoundedStream::connect(host, *port, allowance).await;
            let stream = stream.map_err(RedisLookError::Connect)?;
            let stream = tls.connect(name, stream).await;
            let stream = stream.map_err(|_| RedisLookError::Source(SourceError::Tls))?;
            connection_on(stream, info).await
        }
        ConnectionAddr::Unix(path) => {
            let stream = BoundedStream::connect_local(path, allowance).await;
            let stream = stream.map_err(RedisLookError::Connect)?;
            connection_on(stream, info).await
        }
        _ => Err(RedisLookError::Source(SourceError::Unexpected)),
    }
}

async fn connection_on(
    stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static,
    info: &ConnectionInfo,
) -> Result<MultiplexedConnection, RedisLookError> {
    let config = AsyncConnectionConfig::new();
    let connected =
        MultiplexedConnection::new_with_config(info.redis_settings(), stream, config).await;
    let (connection, driver) = connected?;
    // Its errors reach the commands on it.
    tokio::spawn(driver);
    Ok(connection)
}

impl Drop for RedisSource {
    fn drop(&mut self) {
        let _inside = self.runtime.enter();
        self.connection = None;
    }
}

impl Source for RedisSource {
    fn read(&mut self, reading: &mut Reading) -> Result<(), SourceError> {
        let info = self.info().map_err(|error| match error {
            RedisLookError::Redis(error) => error_of(&error),
            RedisLookError::Connect(error) => match error.kind() {
                std::io::ErrorKind::ConnectionRefused => SourceError::Refused,
                _ => SourceError::Other(error.to_string()),
            },
            RedisLookError::Source(error) => error,
            RedisLookError::TimedOut => SourceError::TimedOut,
            RedisLookError::TooLarge => SourceError::TooLarge,
        })?;
        take(&info, reading)
    }

    fn lacks(&self) -> Vec<MissingSignal> {
        Vec::new()
    }

    fn places(&self) -> BTreeSet<String> {
        let place = match self.client.get_connection_info().addr() {
            ConnectionAddr::Tcp(host, port) | ConnectionAddr::TcpTls { host, port, .. } => {
                let is_local = host == "localhost";
                let host = if is_local { "127.0.0.1" } else { host };
                Some(format!("{host}:{port}"))
            }
            _ => None,
        };
        place.into_iter().collect()
    }
}

pub(crate) fn take(info: &str, reading: &mut Reading) -> Result<(), SourceError> {
    let fields: BTreeMap<&str, &str> = info
        .lines()
        .filter_map(|line| line.trim().split_once(':'))
        .collect();
    if !fields.contains_key("redis_version") {
        return Err(SourceError::Unexpected);
    }
    for (name, kind) in FIELDS {
        if let Some(value) = fields.get(name).and_then(|value| value.parse().ok()) {
            reading.add(kind, Entity::new(), value);
        }
    }
    for name in SETTINGS {
        if let Some(value) = fields.get(name) {
            let name = name.strip_prefix("redis_").unwrap_or(name);
            reading.set(&format!("redis.{name}"), value);
        }
    }
    Ok(())
}

fn error_of(error: &RedisError) -> SourceError {
    match error.kind() {
        ErrorKind::AuthenticationFailed => return SourceError::Login,
        ErrorKind::UnexpectedReturnType | ErrorKind::Parse => return SourceError::Unexpected,
        _ => {}
    }
    if matches!(error.code(), Some("NOAUTH" | "WRONGPASS")) {
        return SourceError::Login;
    }
    if error.code() == Some("NOPERM") {
        return SourceError::NoPermission;
    }
    if error.is_connection_refusal() {
        SourceError::Refused
    } else if error.is_timeout() {
        SourceError::TimedOut
    } else if error.is_connection_dropped() || error.is_io_error() {
        SourceError::CutOff
    } else {
        SourceError::Other(error.code().unwrap_or("redis").to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_info_are_added_up() {
        let info = "# Server\r\nredis_version:7.0.15\r\n# CPU\r\nused_cpu_sys:1.5\r\n\
            used_cpu_user:2.25\r\nused_cpu_sys_main_thread:1.0\r\nused_memory:1000\r\n\
            used_memory_human:1K\r\nconnected_clients:3\r\n";
        let mut reading = Reading::default();
        take(info, &mut reading).unwrap();
        let values: Vec<_> = reading
            .values
            .iter()
            .map(|(k, _, v)| (k.name(), *v))
            .collect();
        assert_eq!(
            values,
            [
                ("redis-cpu", 3.75),
                ("redis-main-thread-cpu", 1.0),
                ("redis-memory-used", 1000.0),
                ("redis-clients", 3.0)
            ]
        );
        assert_eq!(reading.settings[0].name, "redis.version");
        let nothing = take("OK", &mut reading);
        assert_eq!(nothing, Err(SourceError::Unexpected));
    }

    /// Announces a bulk of 2 GB and sends it as long as it is read; how much was sent.
    fn send_without_end(mut stream: impl std::io::Read + std::io::Write) -> usize {
        let mut asked = [0; 4096];
        if stream.read(&mut asked).is_err() || stream.write_all(b"$2000000000\r\n").is_err() {
            return 0;
        }
        let block = [b'a'; 65_536];
        let mut sent = 0_usize;
        while sent < 1 << 30 && stream.write_all(&block).is_ok() {
            sent += block.len();
        }
        sent
    }

    /// Seen: 3 GB kept of one announced bulk, over TLS.
    #[test]
    fn a_server_that_sends_without_end_is_left_after_its_allowance_over_tls_too() {
        let certificate = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
        let key =
            rustls::pki_types::PrivatePkcs8KeyDer::from(certificate.signing_key.serialize_der());
        let provider = std::sync::Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let server = rustls::ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate.cert.der().clone()], key.into())
            .unwrap();
        for scheme in ["redis", "rediss"] {
            let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
            let port = listener.local_addr().unwrap().port();
            let server = std::sync::Arc::new(server.clone());
            let sender = std::thread::spawn(move || {
                let stream = listener.accept().unwrap().0;
                if scheme == "redis" {
                    return send_without_end(stream);
                }
                let connection = rustls::ServerConnection::new(server).unwrap();
                send_without_end(rustls::StreamOwned::new(connection, stream))
            });
            let client = Client::open(format!("{scheme}://localhost:{port}/#insecure")).unwrap();
            let mut source = RedisSource::new(&client).unwrap();
            let read = source.read(&mut Reading::default());
            assert_eq!(read, Err(SourceError::TooLarge), "{scheme}");
            drop(source);
            assert!(sender.join().unwrap() < 64 << 20, "{scheme}");
        }
    }
}
