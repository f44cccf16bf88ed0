//! `PostgreSQL`: sessions and what they wait for, statements, transactions, its limits.
//!
//! Reads the server's own statistics over one connection that may change nothing. Statements are
//! kept without their literals; of thousands only those that ran since the first look are told.

mod sessions;
mod statements;

use std::collections::BTreeSet;
use std::error::Error;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use loadline_record::signals::{Entity, MissingSignal, SignalKind, SourceError};
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;
use tokio_postgres::config::Host;
use tokio_postgres::error::SqlState;
use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres::{Client, Config};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::address::Trust;
use crate::bounded_stream::{Allowance, BoundedStream};
use crate::client_sessions::ClientSessions;
use crate::counted::StatementTracker;
use crate::reading::Reading;
use crate::server_tls::client_config;
use crate::source::Source;
use crate::target_connections::TargetConnections;

/// How long one look may take.
const LOOK_TIMEOUT: Duration = Duration::from_secs(4);
/// No look changes anything, waits for a lock or works for long.
const OPTIONS: &str =
    "-c default_transaction_read_only=on -c statement_timeout=3000 -c lock_timeout=500";
/// What the connection is called in `pg_stat_activity`.
const NAME: &str = "loadline-observe";

const DATABASES: &str = "
    SELECT coalesce(sum(xact_commit + xact_rollback), 0)::float8,
           coalesce(sum(blk_read_time + blk_write_time), 0)::float8
    FROM pg_stat_database";

const SETTINGS: &str = "
    SELECT name, setting FROM pg_settings
    WHERE name IN ('max_connections', 'shared_buffers', 'work_mem', 'track_io_timing',
                   'server_version', 'max_parallel_workers_per_gather',
                   'superuser_reserved_connections', 'reserved_connections')";

/// A server's statistics.
pub(crate) struct PostgresSource {
    runtime: Runtime,
    connector: Connector,
    client: Option<Client>,
    known: Known,
    missing: Vec<MissingSignal>,
}

/// What earlier looks showed.
#[derive(Default)]
struct Known {
    statements: StatementTracker,
    clients: ClientSessions,
    target: Arc<TargetConnections>,
}

/// How a server is reached.
struct Connector {
    config: Config,
    tls: MakeRustlsConnect,
    /// What may still be read at this look.
    allowance: Allowance,
}

impl Connector {
    /// Connects to the first server that takes it, with a bound on what it sends.
    async fn connect(&self) -> Result<Client, SourceError> {
        let (hosts, addresses) = (self.config.get_hosts(), self.config.get_hostaddrs());
        let mut failed = SourceError::Refused;
        for number in 0..hosts.len().max(addresses.len()) {
            match self.connect_to(number).await {
                Ok(client) => return Ok(client),
                Err(error) => failed = error,
            }
        }
        Err(failed)
    }

    /// Connects to one of the servers that the address names.
    async fn connect_to(&self, number: usize) -> Result<Client, SourceError> {
        let port = port_of(&self.config, number);
        let host = self.config.get_hosts().get(number);
        let name = match host {
            Some(Host::Tcp(name)) => name.as_str(),
            _ => "localhost",
        };
        let stream = match (self.config.get_hostaddrs().get(number), host) {
            (Some(address), _) => BoundedStream::connect_to(*address, port, &self.allowance).await,
            (None, Some(Host::Unix(folder))) => {
                let path = folder.join(format!(".s.PGSQL.{port}"));
                BoundedStream::connect_local(&path, &self.allowance).await
            }
            (None, _) => BoundedStream::connect(name, port, &self.allowance).await,
        };
        let stream = stream.map_err(|error| error_of_io(&error))?;
        let mut tls = self.tls.clone();
        let tls = MakeTlsConnect::<BoundedStream>::make_tls_connect(&mut tls, name);
        let tls = tls.map_err(|_| SourceError::Tls)?;
        let connected = self.config.connect_raw(stream, tls).await;
        let (client, connection) = connected.map_err(|error| error_of(&error))?;
        // Its errors reach the queries on it.
        tokio::spawn(async move { drop(connection.await) });
        Ok(client)
    }
}

impl PostgresSource {
    pub(crate) fn new(
        config: &Config,
        trust: &Trust,
        target: Arc<TargetConnections>,
    ) -> Result<Self, SourceError> {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| SourceError::Other(error.to_string()))?;
        let mut config = config.clone();
        target.want(port(&config));
        config
            .application_name(NAME)
            .options(OPTIONS)
            .connect_timeout(LOOK_TIMEOUT);
        Ok(Self {
            runtime,
            connector: Connector {
                config,
                tls: MakeRustlsConnect::new((*client_config(trust)?).clone()),
                allowance: Allowance::default(),
            },
            client: None,
            known: Known {
                target,
                ..Known::default()
            },
            missing: Vec::new(),
        })
    }
}

impl Source for PostgresSource {
    fn read(&mut self, reading: &mut Reading) -> Result<(), SourceError> {
        self.connector.allowance.renew();
        let look = look(&self.connector, &mut self.client, &mut self.known, reading);
        let looked = self
            .runtime
            .block_on(async { timeout(LOOK_TIMEOUT, look).await });
        let result = looked.unwrap_or(Err(SourceError::TimedOut));
        match result {
            Ok(missing) => {
                self.missing = missing;
                Ok(())
            }
            Err(error) => {
                // Whatever state the connection is in, the next look has a new one.
                self.client = None;
                Err(if self.connector.allowance.is_used_up() {
                    SourceError::TooLarge
                } else {
                    error
                })
            }
        }
    }

    fn lacks(&self) -> Vec<MissingSignal> {
        self.missing.clone()
    }

    fn places(&self) -> BTreeSet<String> {
        let host = self.connector.config.get_hosts().first();
        let port = port(&self.connector.config);
        let host = match host {
            Some(Host::Tcp(host)) if host != "localhost" => host.as_str(),
            _ => "127.0.0.1",
        };
        BTreeSet::from([format!("{host}:{port}")])
    }
}

/// Where the first server listens.
fn port(config: &Config) -> u16 {
    port_of(config, 0)
}

/// Where a server listens; one port may hold for all of them.
fn port_of(config: &Config, number: usize) -> u16 {
    let ports = config.get_ports();
    let port = ports.get(number).or_else(|| ports.first());
    port.copied().unwrap_or(5432)
}

/// Looks once; what is missing.
async fn look(
    connector: &Connector,
    client: &mut Option<Client>,
    known: &mut Known,
    reading: &mut Reading,
) -> Result<Vec<MissingSignal>, SourceError> {
    if client.is_none() {
        *client = Some(connector.connect().await?);
    }
    let Some(client) = client.as_ref() else {
        return Err(SourceError::CutOff);
    };
    let all = async {
        let own = known.target.to(port(&connector.config));
        let own: Vec<i32> = own.into_iter().map(i32::from).collect();
        let hidden = sessions::look(&mut known.clients, &own, client, reading).await?;
        let mut missing: Vec<MissingSignal> = hidden.into_iter().collect();
        missing.extend(settings(client, reading).await?);
        databases(client, reading).await?;
        missing.extend(statements::look(&mut known.statements, client, reading).await?);
        Ok(missing)
    };
    all.await
        .map_err(|error: tokio_postgres::Error| error_of(&error))
}

/// Counts of rows and sessions stay far below 2^52.
#[expect(clippy::cast_precision_loss, reason = "counts far below 2^52")]
fn count(number: i64) -> f64 {
    number as f64
}

async fn settings(
    client: &Client,
    reading: &mut Reading,
) -> Result<Vec<MissingSignal>, tokio_postgres::Error> {
    let mut missing = Vec::new();
    for row in client.query(SETTINGS, &[]).await? {
        let (name, value): (&str, &str) = (row.get(0), row.get(1));
        if name == "max_connections"
            && let Ok(most) = value.parse()
        {
            reading.add(SignalKind::SessionsMax, Entity::new(), most);
        }
        if name == "track_io_timing" && value == "off" {
            missing.push(MissingSignal::new(
                SignalKind::DatabaseIoTime,
                "ALTER SYSTEM SET track_io_timing = on; SELECT pg_reload_conf()",
            ));
        }
        let name = name.strip_prefix("server_").unwrap_or(name);
        reading.set(&format!("postgres.{name}"), value);
    }
    Ok(missing)
}

async fn databases(client: &Client, reading: &mut Reading) -> Result<(), tokio_postgres::Error> {
    let row = client.query_one(DATABASES, &[]).await?;
    let (transactions, waited_ms): (f64, f64) = (row.get(0), row.get(1));
    reading.add(SignalKind::Transactions, Entity::new(), transactions);
    let seconds = waited_ms / 1000.0;
    reading.add(SignalKind::DatabaseIoTime, Entity::new(), seconds);
    Ok(())
}

fn error_of(error: &tokio_postgres::Error) -> SourceError {
    if let Some(code) = error.code() {
        return match *code {
            SqlState::INVALID_PASSWORD | SqlState::INVALID_AUTHORIZATION_SPECIFICATION => {
                SourceError::Login
            }
            SqlState::INVALID_CATALOG_NAME => SourceError::NoDatabase,
            SqlState::INSUFFICIENT_PRIVILEGE => SourceError::NoPermission,
            SqlState::QUERY_CANCELED | SqlState::LOCK_NOT_AVAILABLE => SourceError::TimedOut,
            SqlState::ADMIN_SHUTDOWN | SqlState::CRASH_SHUTDOWN => SourceError::CutOff,
            SqlState::CANNOT_CONNECT_NOW => SourceError::Refused,
            _ => SourceError::Other(code.code().to_owned()),
        };
    }
    if error.is_closed() {
        return SourceError::CutOff;
    }
    // The library tells which step failed by its words only.
    let text = error.to_string();
    if text.starts_with("error performing TLS handshake") {
        return SourceError::Tls;
    }
    let source = error.source();
    let io = source.and_then(|source| source.downcast_ref::<io::Error>());
    io.map_or_else(|| SourceError::Other(text), error_of_io)
}

fn error_of_io(error: &io::Error) -> SourceError {
    match error.kind() {
        io::ErrorKind::ConnectionRefused | io::ErrorKind::NotFound => SourceError::Refused,
        io::ErrorKind::TimedOut => SourceError::TimedOut,
        io::ErrorKind::UnexpectedEof | io::ErrorKind::ConnectionReset => SourceError::CutOff,
        // The client words what it cannot read as errors of no kind.
        io::ErrorKind::InvalidData | io::ErrorKind::Other => SourceError::Unexpected,
        _ => SourceError::Other(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::net::TcpListener;

    use super::*;

    /// Seen: a gigabyte kept of a server whose first bytes told so long a message.
    #[test]
    fn a_server_that_sends_without_end_is_left_after_its_allowance() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let url = format!("postgres://u:p@127.0.0.1:{port}/d?sslmode=disable");
        is_left(&url, move || listener.accept().unwrap().0);
    }

    /// Seen: only what one host sends over TCP was bounded.
    #[test]
    fn so_is_one_behind_a_socket_file_or_the_second_of_two_hosts() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(".s.PGSQL.5432");
        let listener = std::os::unix::net::UnixListener::bind(path).unwrap();
        let url = format!("postgres:///d?host={}&user=u", folder.path().display());
        is_left(&url, move || listener.accept().unwrap().0);

        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let url = format!("postgres://u:p@127.0.0.1:1,127.0.0.1:{port}/d?sslmode=disable");
        is_left(&url, move || listener.accept().unwrap().0);
    }

    /// Sees that a server at `url` that sends without end is left after its allowance.
    fn is_left<S: std::io::Write>(url: &str, accept: impl FnOnce() -> S + Send + 'static) {
        let sender = std::thread::spawn(move || {
            let mut stream = accept();
            let block = [b'A'; 65_536];
            let mut sent = 0_usize;
            while sent < 1 << 30 && stream.write_all(&block).is_ok() {
                sent += block.len();
            }
            sent
        });
        let mut source =
            PostgresSource::new(&url.parse().unwrap(), &Trust::Any, Arc::default()).unwrap();
        let read = source.read(&mut Reading::default());
        assert_eq!(read, Err(SourceError::TooLarge), "{url}");
        drop(source);
        assert!(sender.join().unwrap() < 64 << 20);
    }

    #[test]
    fn a_server_that_sends_bytes_of_another_protocol_is_said_to() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let sender = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\ncut")
        });
        let url = format!("postgres://u:p@127.0.0.1:{port}/d?sslmode=disable");
        let mut source =
            PostgresSource::new(&url.parse().unwrap(), &Trust::Any, Arc::default()).unwrap();
        let error = source.read(&mut Reading::default()).unwrap_err();
        let is_plain = matches!(error, SourceError::Unexpected | SourceError::CutOff);
        assert!(is_plain, "{error:?}");
        sender.join().unwrap().unwrap();
    }
}
