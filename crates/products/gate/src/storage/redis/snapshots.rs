//! Snapshots in Redis: lists of pieces, so that Redis is never held up by one.

use ::redis::aio::MultiplexedConnection;
use ::redis::{Script, cmd};

use super::errors::away;
use super::{RedisLog, fresh_id, scripts};
use crate::storage::{LogStoreError, Position, Snapshot};

const PIECE_BYTES: usize = 512 << 10;

impl RedisLog {
    pub(super) async fn load_snapshot(
        &self,
        connection: &mut MultiplexedConnection,
    ) -> Result<Option<Snapshot>, LogStoreError> {
        let (name, count): (Option<String>, Option<u64>) = cmd("HMGET")
            .arg(&self.keys.meta)
            .arg("snapshot")
            .arg("snapshot_n")
            .query_async(connection)
            .await
            .map_err(away)?;
        let (Some(name), Some(count)) = (name, count) else {
            return Ok(None);
        };
        let mut bytes = Vec::new();
        for piece in 0_isize.. {
            let read: Option<Vec<u8>> = cmd("LINDEX")
                .arg(&name)
                .arg(piece)
                .query_async(connection)
                .await
                .map_err(away)?;
            match read {
                Some(part) => bytes.extend_from_slice(&part),
                None => break,
            }
        }
        Ok(Some(Snapshot {
            position: Position(count),
            bytes,
        }))
    }

    /// Sends a snapshot under a name of its own; it goes away by itself unless adopted.
    pub(super) async fn send(&self, snapshot: &Snapshot) -> Result<String, LogStoreError> {
        let mut to_redis = self.to_write.connection().await?;
        let name = format!("{}:{}", self.keys.snapshot, fresh_id());
        for piece in snapshot.bytes.chunks(PIECE_BYTES) {
            ::redis::pipe()
                .cmd("RPUSH")
                .arg(&name)
                .arg(piece)
                .ignore()
                .cmd("EXPIRE")
                .arg(&name)
                .arg(600)
                .ignore()
                .query_async::<()>(&mut to_redis.connection)
                .await
                .map_err(away)?;
        }
        Ok(name)
    }

    pub(super) async fn save_snapshot(&self, snapshot: Snapshot) -> Result<(), LogStoreError> {
        let name = self.send(&snapshot).await?;
        let mut to_redis = self.to_write.connection().await?;
        let generation = self.generation.lock().await.clone();
        let script = Script::new(scripts::ADOPT);
        let mut call = script.key(&self.keys.meta);
        call.key(&self.keys.log)
            .key(&name)
            .arg(generation)
            .arg(snapshot.position.0);
        // Refused when another gate's is newer or the log is another by now: both are fine.
        let _: u64 = call
            .invoke_async(&mut to_redis.connection)
            .await
            .map_err(away)?;
        Ok(())
    }
}
