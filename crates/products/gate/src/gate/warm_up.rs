//! Reads what the store has of a log before anything of it is used.

use std::time::Duration;

use super::GateError;
use crate::replica::{Replica, StateMachine, StoreUnavailableError};

/// How long a gate may take to read what its store has of one log.
const WARM_UP_TIMEOUT: Duration = Duration::from_secs(120);

/// Waits until everything that was in the log is applied.
pub(super) async fn warm_up<M: StateMachine>(
    replica: &Replica<M>,
    nothing: impl Fn() -> M::Command,
) -> Result<(), GateError> {
    let tries = async {
        // Each try is patient by itself; a long log takes several.
        while replica.ask(nothing()).await.is_err() {
            if replica.is_unfit() {
                let why = replica.trouble().unwrap_or_default();
                return Err(GateError::Unreadable(why));
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Ok(())
    };
    let late = |_| Err(StoreUnavailableError.into());
    tokio::time::timeout(WARM_UP_TIMEOUT, tries)
        .await
        .unwrap_or_else(late)
}
