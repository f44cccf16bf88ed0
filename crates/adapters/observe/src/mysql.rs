//! `MySQL` and `MariaDB`: sessions and what they wait for, statements, limits.
//!
//! Reads the server's own tables over one connection that may change nothing. Statements come from
//! `performance_schema`, which keeps them without their literals.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::Arc;
use std::time::Duration;

use loadline_record::signals::{Entity, Label, MissingSignal, SignalKind, SourceError};
use mysql_async::prelude::{FromRow, Queryable};
use mysql_async::{Conn, DriverError, Opts, OptsBuilder, Value};
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;

use crate::bounded_stream::LOOK_BYTES_MAX;
use crate::client_sessions::{ClientSessions, SessionClient, SessionGroup};
use crate::counted::{AllCounts, StatementCounts, StatementTracker};
use crate::reading::Reading;
use crate::source::Source;
use crate::target_connections::TargetConnections;

/// How long one look may take.
const LOOK_TIMEOUT: Duration = Duration::from_secs(4);
/// The longest row is a statement's text, of 4,000 letters.
const PACKET_BYTES_MAX: usize = 64 << 10;
/// No look changes anything.
const SETUP: &str = "SET SESSION TRANSACTION READ ONLY";

/// The state of each session: idle, working, in a transaction, waiting for a lock.
const SESSIONS: &str = "
    SELECT p.COMMAND = 'Sleep', t.trx_id IS NOT NULL,
           COALESCE(t.trx_state = 'LOCK WAIT', 0) OR COALESCE(p.STATE LIKE 'Waiting for%lock', 0), COUNT(*),
           p.USER, p.HOST
    FROM information_schema.PROCESSLIST p
    LEFT JOIN information_schema.INNODB_TRX t ON t.trx_mysql_thread_id = p.ID
    WHERE p.ID <> CONNECTION_ID() AND p.COMMAND IN ('Sleep', 'Query', 'Execute', 'Fetch', 'Prepare')
    GROUP BY 1, 2, 3, 5, 6";

/// The sessions of each user, our own included: it counts, too.
const USERS: &str = "
    SELECT USER, COUNT(*) FROM information_schema.PROCESSLIST
    WHERE COMMAND <> 'Daemon' GROUP BY 1 LIMIT 50";

const VARIABLES: &str = "
    SHOW GLOBAL VARIABLES WHERE Variable_name IN
    ('max_connections', 'max_user_connections', 'performance_schema', 'version', 'innodb_buffer_pool_size', 'thread_handling')";

const STATEMENTS: &str = "
    SELECT DIGEST, SUM(COUNT_STAR), SUM(SUM_TIMER_WAIT) / 1e12,
           SUM(SUM_ROWS_SENT + SUM_ROWS_AFFECTED), SUM(SUM_ROWS_EXAMINED)
    FROM performance_schema.events_statements_summary_by_digest
    WHERE DIGEST IS NOT NULL
    GROUP BY DIGEST";

const TEXT: &str = "
    SELECT LEFT(DIGEST_TEXT, 4000) FROM performance_schema.events_statements_summary_by_digest
    WHERE DIGEST = ? LIMIT 1";

/// The server says that something is not allowed.
const DENIED: [u16; 4] = [1044, 1142, 1143, 1227];

/// A server's statistics.
pub(crate) struct MysqlSource {
    runtime: Runtime,
    opts: Opts,
    connection: Option<Conn>,
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

impl MysqlSource {
    pub(crate) fn new(opts: &Opts, target: Arc<TargetConnections>) -> Result<Self, SourceError> {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| SourceError::Other(error.to_string()))?;
        let opts = OptsBuilder::from_opts(opts.clone())
            .init(vec![SETUP])
            // A socket of this machine would be asked for by a name that a container does not know.
            .prefer_socket(false)
            .max_allowed_packet(Some(PACKET_BYTES_MAX));
        let opts: Opts = opts.into();
        target.want(opts.tcp_port());
        Ok(Self {
            runtime,
            opts,
            connection: None,
            known: Known {
                target,
                ..Known::default()
            },
            missing: Vec::new(),
        })
    }
}

impl Source for MysqlSource {
    fn read(&mut self, reading: &mut Reading) -> Result<(), SourceError> {
        let look = look(&self.opts, &mut self.connection, &mut self.known, reading);
        let looked = self
            .runtime
            .block_on(async { timeout(LOOK_TIMEOUT, look).await });
        match looked.unwrap_or(Err(SourceError::TimedOut)) {
            Ok(missing) => {
                self.missing = missing;
                Ok(())
            }
            Err(error) => {
                // Whatever state the connection is in, the next look has a new one. Dropping it needs the runtime.
                let _inside = self.runtime.enter();
                self.connection = None;
                Err(error)
            }
        }
    }

    fn lacks(&self) -> Vec<MissingSignal> {
        self.missing.clone()
    }

    fn places(&self) -> BTreeSet<String> {
        let host = match self.opts.ip_or_hostname() {
            "localhost" => "127.0.0.1",
            host => host,
        };
        BTreeSet::from([format!("{host}:{}", self.opts.tcp_port())])
    }
}

impl Drop for MysqlSource {
    fn drop(&mut self) {
        let _inside = self.runtime.enter();
        self.connection = None;
    }
}

/// Looks once; what is missing.
async fn look(
    opts: &Opts,
    connection: &mut Option<Conn>,
    known: &mut Known,
    reading: &mut Reading,
) -> Result<Vec<MissingSignal>, SourceError> {
    let connection = match connection {
        Some(connection) => connection,
        None => {
            let new = Conn::new(opts.clone()).await;
            connection.insert(new.map_err(|error| error_of(&error))?)
        }
    };
    let all = async {
        let server = variables(connection, reading).await?;
        let own_ports = known.target.to(opts.tcp_port());
        let denied = sessions(connection, &own_ports, &mut known.clients, reading).await?;
        if let Some(most) = server.user_sessions_max.filter(|_| denied.is_none()) {
            user_sessions(connection, most, reading).await?;
        }
        let mut missing: Vec<MissingSignal> = denied.into_iter().collect();
        missing.extend(if server.counts_statements {
            statements(connection, &mut known.statements, reading).await?
        } else {
            Some(MissingSignal::new(
                SignalKind::StatementTime,
                "performance_schema=ON ([mysqld], restart)",
            ))
        });
        Ok(missing)
    };
    all.await
        .map_err(|error: mysql_async::Error| error_of(&error))
}

/// The rows of an answer, as long as they are no more than one look takes.
async fn rows_of<T: FromRow + Send + 'static>(
    connection: &mut Conn,
    query: &str,
) -> Result<Vec<T>, mysql_async::Error> {
    let mut answer = connection.query_iter(query).await?;
    let mut rows = Vec::new();
    let mut bytes = 0;
    while let Some(row) = answer.next().await? {
        bytes += (0..row.len())
            .filter_map(|column| row.as_ref(column))
            .map(|value| match value {
                Value::Bytes(text) => text.len(),
                _ => size_of::<Value>(),
            })
            .sum::<usize>();
        if bytes > LOOK_BYTES_MAX {
            let error = io::Error::from(io::ErrorKind::InvalidData);
            return Err(mysql_async::Error::Io(error.into()));
        }
        let row = mysql_async::from_row_opt(row);
        rows.push(row.map_err(|error| DriverError::FromRow { row: error.0 })?);
    }
    Ok(rows)
}

/// What the server says of itself.
struct ServerVariables {
    counts_statements: bool,
    /// The most sessions of a user, where there is such a limit.
    user_sessions_max: Option<f64>,
}

/// Reads limits and settings.
async fn variables(
    connection: &mut Conn,
    reading: &mut Reading,
) -> Result<ServerVariables, mysql_async::Error> {
    let rows: Vec<(String, String)> = rows_of(connection, VARIABLES).await?;
    let all: BTreeMap<String, String> = rows.into_iter().collect();
    for (name, value) in &all {
        reading.set(&format!("mysql.{name}"), value);
    }
    let number = |name: &str| all.get(name)?.parse::<f64>().ok();
    if let Some(most) = number("max_connections") {
        reading.add(SignalKind::SessionsMax, Entity::new(), most);
    }
    Ok(ServerVariables {
        counts_statements: all.get("performance_schema").is_some_and(|on| on == "ON"),
        user_sessions_max: number("max_user_connections").filter(|most| *most > 0.0),
    })
}

/// Tells how many sessions each user has, of whom none may have more than `most`.
async fn user_sessions(
    connection: &mut Conn,
    most: f64,
    reading: &mut Reading,
) -> Result<(), mysql_async::Error> {
    let rows: Vec<(String, f64)> = rows_of(connection, USERS).await?;
    for (user, number) in rows {
        let of = Entity::new().with(Label::Client, &user);
        reading.add(SignalKind::LimitedSessions, of.clone(), number);
        reading.add(SignalKind::LimitedSessionsMax, of, most);
    }
    Ok(())
}

/// Asleep, in a transaction, waiting for a lock, how many, user, host and port.
type SessionRow = (bool, bool, bool, f64, String, String);

async fn sessions(
    connection: &mut Conn,
    own_ports: &BTreeSet<u16>,
    clients: &mut ClientSessions,
    reading: &mut Reading,
) -> Result<Option<MissingSignal>, mysql_async::Error> {
    let rows: Result<Vec<SessionRow>, _> = rows_of(connection, SESSIONS).await;
    let rows = match rows {
        Err(error) if is_denied(&error) => {
            let kind = SignalKind::SessionsIdleInTransaction;
            return Ok(Some(MissingSignal::new(
                kind,
                "GRANT PROCESS ON *.* TO CURRENT_USER",
            )));
        }
        rows => rows?,
    };
    // None at all is a value too.
    for kind in [
        SignalKind::SessionsActive,
        SignalKind::SessionsIdle,
        SignalKind::SessionsIdleInTransaction,
        SignalKind::SessionsWaitingForLock,
    ] {
        reading.add(kind, Entity::new(), 0.0);
    }
    let mut groups = Vec::new();
    for (is_asleep, has_transaction, waits_for_lock, number, user, host) in rows {
        let client = client(user, &host, own_ports);
        let (kind, of_client) = match (is_asleep, has_transaction) {
            (true, true) => (
                SignalKind::SessionsIdleInTransaction,
                SignalKind::ClientSessionsIdleInTransaction,
            ),
            (true, false) => (SignalKind::SessionsIdle, SignalKind::ClientSessionsIdle),
            (false, _) => (SignalKind::SessionsActive, SignalKind::ClientSessionsActive),
        };
        let mut add = |kind, of_client| {
            reading.add(kind, Entity::new(), number);
            groups.push(SessionGroup {
                kind: of_client,
                client: client.clone(),
                wait: String::new(),
                number,
            });
        };
        add(kind, of_client);
        if waits_for_lock {
            let of_client = SignalKind::ClientSessionsWaitingForLock;
            add(SignalKind::SessionsWaitingForLock, of_client);
        }
    }
    clients.give(groups, reading);
    Ok(None)
}

/// Whose a session is, by its user and its `host:port`.
fn client(user: String, host: &str, own_ports: &BTreeSet<u16>) -> SessionClient {
    let (address, port) = host.rsplit_once(':').unwrap_or((host, ""));
    let port = port.parse::<u16>();
    SessionClient {
        name: user,
        address: address.to_owned(),
        is_target: port.is_ok_and(|port| own_ports.contains(&port)),
    }
}

/// Number, calls, seconds, rows returned or changed, rows looked at.
type StatementRow = (String, f64, f64, f64, f64);

async fn statements(
    connection: &mut Conn,
    tracker: &mut StatementTracker,
    reading: &mut Reading,
) -> Result<Option<MissingSignal>, mysql_async::Error> {
    let rows: Result<Vec<StatementRow>, _> = rows_of(connection, STATEMENTS).await;
    let rows = match rows {
        Err(error) if is_denied(&error) => {
            let setting = "GRANT SELECT ON performance_schema.* TO CURRENT_USER";
            return Ok(Some(MissingSignal::new(SignalKind::StatementTime, setting)));
        }
        rows => rows?,
    };
    let now: AllCounts = rows
        .into_iter()
        .map(|(id, calls, seconds, rows, examined)| {
            let counts = StatementCounts {
                calls,
                seconds,
                rows,
                blocks: None,
                examined: Some(examined),
            };
            (id, counts)
        })
        .collect();
    for id in tracker.unknown(&now) {
        let text: Option<String> = connection.exec_first(TEXT, (&id,)).await?;
        let text = text.unwrap_or_default();
        let is_own = ["performance_schema", "information_schema", "SHOW GLOBAL"]
            .iter()
            .any(|own| text.replace('`', "").contains(own));
        tracker.name(&id, (!is_own).then_some(text.as_str()), reading);
    }
    tracker.give(now, reading);
    Ok(None)
}

fn is_denied(error: &mysql_async::Error) -> bool {
    matches!(error, mysql_async::Error::Server(error) if DENIED.contains(&error.code))
}

fn error_of(error: &mysql_async::Error) -> SourceError {
    use mysql_async::{Error, IoError};
    match error {
        Error::Server(error) => match error.code {
            1045 | 1698 => SourceError::Login,
            1049 => SourceError::NoDatabase,
            code if DENIED.contains(&code) => SourceError::NoPermission,
            1053 | 1927 => SourceError::CutOff,
            code => SourceError::Other(format!("MySQL {code}")),
        },
        Error::Io(IoError::Io(error)) => match error.kind() {
            io::ErrorKind::ConnectionRefused | io::ErrorKind::NotFound => SourceError::Refused,
            io::ErrorKind::TimedOut => SourceError::TimedOut,
            io::ErrorKind::InvalidData => SourceError::Unexpected,
            _ => SourceError::CutOff,
        },
        Error::Driver(DriverError::ConnectionClosed) => SourceError::CutOff,
        Error::Driver(_) => SourceError::Unexpected,
        other => SourceError::Other(other.to_string()),
    }
}
