//! A connection to Redis, and which server it leads to.
//!
//! A Redis that was restarted, or a replica that was promoted, is another server than before.
//! It may lack the last entries, so gates do not go on with it before they have compared what
//! they know ([`super::council`]).

use ::redis::aio::MultiplexedConnection;
use ::redis::{RedisError, cmd};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::Instant;

use super::address::Address;
use super::errors::away;
use crate::storage::{LogStoreError, UnsuitableReason};

/// How long Redis may take to answer before it counts as away.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(2);
/// A connection of this age leads to the server that is there now.
const CONNECTION_AGE_MAX: Duration = Duration::from_millis(100);

/// A connection with the server it leads to.
#[derive(Clone)]
pub(super) struct ServerConnection {
    pub(super) connection: MultiplexedConnection,
    /// Run and replication ids: both change when a server may have lost something. Empty
    /// where `INFO` is not allowed; then a log set back is found by its count only.
    pub(super) server: String,
    /// What Redis calls this connection, where it says so.
    client_id: Option<u64>,
    /// Tells it from those before and after it.
    number: u64,
    made_at: Instant,
}

/// A connection that is made anew after a failure. Logs share it: a failure that one of them
/// meets ends it for all.
pub(super) struct Connector {
    address: Arc<Address>,
    open: Mutex<Option<ServerConnection>>,
    made: AtomicU64,
}

impl Connector {
    pub(super) fn new(address: Arc<Address>) -> Self {
        Self {
            address,
            open: Mutex::new(None),
            made: AtomicU64::new(0),
        }
    }

    pub(super) async fn connection(&self) -> Result<ServerConnection, LogStoreError> {
        let mut open = self.open.lock().await;
        if let Some(connection) = open.as_ref() {
            return Ok(connection.clone());
        }
        let mut connection = self.address.connect(ANSWER_TIMEOUT).await?;
        let made = ServerConnection {
            server: server_of(&mut connection).await?,
            client_id: client_id_of(&mut connection).await,
            made_at: Instant::now(),
            number: self.made.fetch_add(1, Ordering::Relaxed),
            connection,
        };
        *open = Some(made.clone());
        Ok(made)
    }

    /// What Redis calls the connection, if there is one and Redis says so.
    pub(super) async fn client_id(&self) -> Option<u64> {
        self.open.lock().await.as_ref()?.client_id
    }

    /// Ends a connection that failed, unless it was ended before: the one after it may be good.
    pub(super) async fn drop_connection(&self, failed: &ServerConnection) {
        let mut open = self.open.lock().await;
        if open
            .as_ref()
            .is_some_and(|open| open.number == failed.number)
        {
            *open = None;
        }
    }

    /// Ends whichever connection there is.
    pub(super) async fn end(&self) {
        *self.open.lock().await = None;
    }

    /// Ends the connection unless it was made just now, for another log.
    pub(super) async fn reconnect(&self) {
        let mut open = self.open.lock().await;
        if open
            .as_ref()
            .is_some_and(|open| open.made_at.elapsed() > CONNECTION_AGE_MAX)
        {
            *open = None;
        }
    }
}

/// Not every login may ask.
async fn client_id_of(connection: &mut MultiplexedConnection) -> Option<u64> {
    cmd("CLIENT").arg("ID").query_async(connection).await.ok()
}

async fn server_of(connection: &mut MultiplexedConnection) -> Result<String, LogStoreError> {
    let mut ids = Vec::new();
    for (section, field) in [
        ("server", "run_id:"),
        ("replication", "master_replid:"),
        ("cluster", "cluster_enabled:"),
    ] {
        let told: Result<String, RedisError> =
            cmd("INFO").arg(section).query_async(connection).await;
        let text = match told {
            Ok(text) => text,
            // Not allowed, or not known, to this server.
            Err(error) if error.code().is_some_and(|code| code != "NOAUTH") => continue,
            Err(error) => return Err(away(error)),
        };
        let value = text
            .lines()
            .find_map(|line| line.strip_prefix(field))
            .map(str::trim);
        match (section, value) {
            ("cluster", Some("1")) => {
                return Err(UnsuitableReason::Cluster.into());
            }
            ("cluster", _) => {}
            (_, id) => ids.extend(id.map(str::to_owned)),
        }
    }
    Ok(ids.join("/"))
}
