//! Opens the rooms of queues, each by itself: one that cannot be opened is reported and tried
//! again, and holds up neither the others nor the start.

use serde_json::json;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::{Arc, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::mpsc;

use super::{Gate, GateError, Room};
use crate::ids::QueueId;

/// How long the start waits for rooms while the store answers.
const START_TIMEOUT: Duration = Duration::from_secs(30);
/// Before a room is tried again: after an outage ...
const RETRY_INTERVAL: Duration = Duration::from_secs(1);
/// ... and after something that somebody has to mend.
const FAULT_RETRY_INTERVAL: Duration = Duration::from_secs(30);

/// Queues that are not open, and why; `None` while one is being opened.
pub(super) type Unopened = BTreeMap<QueueId, Option<String>>;

/// Opens the rooms that are there at the start.
pub(super) async fn open_all(gate: &Arc<Gate>, queues: Vec<QueueId>) {
    let (done, mut all_done) = mpsc::channel(1);
    for id in queues {
        open_in_background(gate, id, Some(done.clone()));
    }
    drop(done);
    // Nothing is ever sent: it closes when the last room was opened or failed.
    while tokio::time::timeout(START_TIMEOUT, all_done.recv())
        .await
        .is_err()
    {
        if gate.directory.is_reachable() {
            return;
        }
    }
}

/// Opens rooms as queues appear, made here or at another gate.
pub(super) async fn open_new(gate: Weak<Gate>, mut told: mpsc::UnboundedReceiver<QueueId>) {
    while let Some(id) = told.recv().await {
        let Some(gate) = gate.upgrade() else { return };
        match (gate.room(id), gate.settings(id)) {
            (Some(room), Some(settings)) => room.change_settings(settings),
            (Some(_), None) => gate.close_room(id),
            (None, None) => {}
            (None, Some(_)) => open_in_background(&gate, id, None),
        }
    }
}

/// Tries until the room is open. `started` is released after the first try that did not fail
/// for an outage.
fn open_in_background(gate: &Arc<Gate>, id: QueueId, started: Option<mpsc::Sender<()>>) {
    match gate.unopened().entry(id) {
        Entry::Vacant(free) => drop(free.insert(None)),
        // Somebody is at it.
        Entry::Occupied(_) => return,
    }
    let weak = Arc::downgrade(gate);
    tokio::spawn(async move {
        let mut started = started;
        loop {
            let Some(gate) = weak.upgrade() else { return };
            let Err(error) = gate.open_room(id).await else {
                gate.unopened().remove(&id);
                return;
            };
            let again = if error.is_store_away() {
                RETRY_INTERVAL
            } else {
                FAULT_RETRY_INTERVAL
            };
            gate.note_unopened(id, error.to_string());
            if !error.is_store_away() {
                drop(started.take());
            }
            drop(gate);
            tokio::time::sleep(again).await;
        }
    });
}

impl Gate {
    /// Closes the room of a queue that was put away. Its log stays.
    fn close_room(&self, id: QueueId) {
        let mut rooms = self.rooms.write().unwrap_or_else(PoisonError::into_inner);
        let closed = rooms.remove(&id);
        drop(rooms);
        if let Some(room) = closed {
            room.hub().close_streams();
        }
    }

    async fn open_room(&self, id: QueueId) -> Result<(), GateError> {
        let Some(settings) = self.settings(id) else {
            return Ok(());
        };
        let room = Room::open(
            &*self.store,
            settings,
            self.origin,
            self.clock.clone(),
            self.hub_limit.clone(),
        )
        .await?;
        self.rooms
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(id, room.clone());
        // It may have been changed, or put away, while the room was opened.
        match self.settings(id) {
            Some(settings) => room.change_settings(settings),
            None => self.close_room(id),
        }
        Ok(())
    }

    fn note_unopened(&self, id: QueueId, why: String) {
        let why = Some(why);
        let before = self.unopened().insert(id, why.clone());
        if before != Some(why.clone()) {
            let told = json!({ "queue": id.to_string(), "why": why });
            self.log("queue_failed", told);
        }
    }

    pub(super) fn unopened(&self) -> std::sync::MutexGuard<'_, Unopened> {
        self.unopened.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
