//! Whose the gate is: changes of the directory and who asked for them, the root key, the secret.

use std::sync::Weak;
use std::time::Duration;
use tokio::time::Instant;

use super::{Gate, GateError};
use crate::directory::{ApiKey, ChangeStatus, Directory, DirectoryChange, KeySecret, Scope};
use crate::ids::QueueId;
use crate::machines::no_listener;
use crate::replica::{Replica, StoreUnavailableError};
use crate::storage::{LogStore, LogStoreError};
use crate::tokens::Secret;

use super::warm_up::warm_up;

/// The version of the rules that knows who asked for a change.
const RECORDS_VERSION: u32 = 3;
/// How long a change waits until all gates are known to know that version.
const VERSION_TIMEOUT: Duration = Duration::from_secs(4);
/// Between two looks.
const VERSION_CHECK_INTERVAL: Duration = Duration::from_millis(50);
/// Between two tries to note the secret.
const RETRY_INTERVAL: Duration = Duration::from_secs(1);

impl Gate {
    /// Changes the directory, and records that `actor` asked for it, once all gates can.
    ///
    /// # Errors
    /// [`StoreUnavailableError`].
    pub async fn change(
        &self,
        actor: &str,
        change: DirectoryChange,
    ) -> Result<ChangeStatus, StoreUnavailableError> {
        change_by(&self.directory, actor, change).await
    }

    /// Creates the first key if there is none; whether it did.
    ///
    /// # Errors
    /// [`GateError`].
    pub async fn create_first_key(&self, secret: &KeySecret) -> Result<bool, GateError> {
        if self.has_keys() {
            return Ok(false);
        }
        let key = root_key(secret, "first key");
        let change = DirectoryChange::AddFirstKey { key };
        // Another gate may have been faster, and shows its own.
        Ok(self.change("start", change).await? == ChangeStatus::Done)
    }

    /// Makes sure that a key that was given is a root key of this store.
    ///
    /// # Errors
    /// [`GateError`].
    pub async fn ensure_root_key(&self, secret: &KeySecret) -> Result<(), GateError> {
        if self.look(|directory| directory.key(secret.id).is_some()) {
            return Ok(());
        }
        let key = root_key(secret, "given root key");
        // Whichever gate is first.
        self.change("start", DirectoryChange::AddKey { key })
            .await?;
        Ok(())
    }

    /// Whether the store has any key.
    #[must_use]
    pub fn has_keys(&self) -> bool {
        self.look(Directory::has_keys)
    }

    /// Completes when it turns out that the gates of this store sign with another secret.
    pub async fn found_other_secret(&self) {
        let mut found = self.other_secret.subscribe();
        // The sender lives as long as the gate.
        let _ = found.wait_for(|found| *found).await;
    }

    /// Forgets an archived queue and its log.
    ///
    /// # Errors
    /// The store's; the queue is forgotten all the same.
    pub async fn forget_log(&self, id: QueueId) -> Result<(), LogStoreError> {
        self.store.forget(&id.to_string()).await
    }
}

async fn change_by(
    directory: &Replica<Directory>,
    actor: &str,
    change: DirectoryChange,
) -> Result<ChangeStatus, StoreUnavailableError> {
    let began = Instant::now();
    let wanted = change.since_version().max(RECORDS_VERSION);
    while directory.version() < wanted && began.elapsed() < VERSION_TIMEOUT {
        tokio::time::sleep(VERSION_CHECK_INTERVAL).await;
    }
    let change = match directory.version() {
        known if known < change.since_version() => return Err(StoreUnavailableError),
        // What an older gate knows too goes on, without a record.
        ..RECORDS_VERSION => change,
        RECORDS_VERSION.. => DirectoryChange::By {
            actor: actor.to_owned(),
            change: Box::new(change),
        },
    };
    directory.ask(change).await
}

fn root_key(secret: &KeySecret, label: &str) -> ApiKey {
    ApiKey::new(secret, None, label.to_owned(), vec![Scope::Root], None)
}

/// Refuses a secret that is not the one that the store's gates sign with.
pub(super) fn check_secret(
    directory: &Replica<Directory>,
    secret: &Secret,
) -> Result<(), GateError> {
    let noted = directory.look(Directory::secret_fingerprint);
    if noted.is_none_or(|noted| noted == secret.fingerprint()) {
        Ok(())
    } else {
        Err(GateError::OtherSecret)
    }
}

/// Notes the secret in the store, once all gates know how.
pub(super) async fn note_secret(gate: Weak<Gate>) {
    loop {
        let Some(gate) = gate.upgrade() else { return };
        let fingerprint = gate.options.secret.fingerprint();
        if gate.directory.version() >= RECORDS_VERSION {
            let change = DirectoryChange::NoteSecret { fingerprint };
            match gate.directory.ask(change).await {
                Ok(ChangeStatus::Done) => return,
                Ok(_) => {
                    gate.log("other_secret", serde_json::json!({}));
                    gate.other_secret.send_replace(true);
                    return;
                }
                // The store is away.
                Err(StoreUnavailableError) => {}
            }
        }
        drop(gate);
        tokio::time::sleep(RETRY_INTERVAL).await;
    }
}

/// Makes a new root key for a store whose keys were lost; other gates may go on meanwhile.
/// Must be called inside a tokio runtime.
///
/// # Errors
/// [`GateError`]: also when the secret is not the store's.
pub async fn recover(
    store: &dyn LogStore,
    secret: &Secret,
    key: &KeySecret,
    origin: u64,
) -> Result<(), GateError> {
    let directory: Replica<Directory> =
        Replica::open(store, "directory", origin, no_listener()).await?;
    warm_up(&directory, || DirectoryChange::Nothing).await?;
    check_secret(&directory, secret)?;
    let is_new = |kept: &Directory| !kept.has_keys() && kept.secret_fingerprint().is_none();
    if directory.look(is_new) {
        return Err(GateError::NothingKept(store.about()));
    }
    let key = root_key(key, "recovered key");
    change_by(&directory, "recovery", DirectoryChange::AddKey { key }).await?;
    Ok(())
}
