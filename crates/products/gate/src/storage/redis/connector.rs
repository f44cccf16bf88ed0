//! A connection to Redis, and which server it leads to.
//!
//! A Redis that was restarted, or a replica that was promoted, is another server than before.
//! It may lack the last entries, so gates do not go on with it before they have compared what
//! they know ([`super::council`]).

use ::redis::aio::MultiplexedConnection;
use ::redis::{AsyncConnectionConfig, Client, RedisError, cmd};
use std::time::Duration;
use tokio::sync::Mutex;

use crate::storage::LogStoreError;

/// How long Redis may take to answer before it counts as away.
const ANSWER: Duration = Duration::from_secs(2);

/// A connection with the server it leads to.
#[derive(Clone)]
pub(super) struct ServerConnection {
    pub(super) connection: MultiplexedConnection,
    /// Run and replication ids: both change when a server may have lost something. Empty
    /// where `INFO` is not allowed; then a log set back is found by its count only.
    pub(super) server: String,
}

/// A connection that is made anew after a failure.
pub(super) struct Connector {
    client: Client,
    open: Mutex<Option<ServerConnection>>,
}

impl Connector {
    pub(super) fn new(client: Client) -> Self {
        Self {
            client,
            open: Mutex::new(None),
        }
    }

    pub(super) async fn connection(&self) -> Result<ServerConnection, LogStoreError> {
        let mut open = self.open.lock().await;
        if let Some(connection) = open.as_ref() {
            return Ok(connection.clone());
        }
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(ANSWER))
            .set_response_timeout(Some(ANSWER));
        let made = self
            .client
            .get_multiplexed_async_connection_with_config(&config)
            .await;
        let mut connection = made.map_err(away)?;
        let server = server_of(&mut connection).await?;
        let made = ServerConnection { connection, server };
        *open = Some(made.clone());
        Ok(made)
    }

    pub(super) async fn drop_connection(&self) {
        *self.open.lock().await = None;
    }
}

async fn server_of(connection: &mut MultiplexedConnection) -> Result<String, LogStoreError> {
    let mut ids = Vec::new();
    for (section, field) in [("server", "run_id:"), ("replication", "master_replid:")] {
        let told: Result<String, RedisError> =
            cmd("INFO").arg(section).query_async(connection).await;
        match told {
            Ok(text) => ids.extend(
                text.lines()
                    .find_map(|line| line.strip_prefix(field))
                    .map(|id| id.trim().to_owned()),
            ),
            // Not allowed, or not known, to this server.
            Err(error) if error.code().is_some() => {}
            Err(error) => return Err(away(error)),
        }
    }
    Ok(ids.join("/"))
}

pub(super) fn away(error: RedisError) -> LogStoreError {
    LogStoreError::Unreachable(error.to_string())
}
