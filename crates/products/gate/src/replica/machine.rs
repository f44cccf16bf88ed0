//! What a state must do to be kept alike by all gates.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// A state that changes by commands alone, the same wherever they are applied.
pub trait StateMachine: Send + Sync + Sized + 'static {
    /// What changes it.
    type Command: Serialize + DeserializeOwned + Send + 'static;
    /// What a command answers.
    type Reply: Send + 'static;
    /// What a listener is called with.
    type Event: Send;
    /// What a snapshot keeps.
    type Frozen: Serialize + DeserializeOwned + Send + 'static;

    /// As it is before any command.
    fn empty() -> Self;
    /// Does a command that the store took at `taken_ms`, under a version of the rules.
    fn apply(&mut self, taken_ms: u64, version: u32, command: Self::Command) -> Self::Reply;
    /// What happened since the last call.
    fn take_events(&mut self) -> Vec<Self::Event>;
    /// What a snapshot keeps.
    fn freeze(&self) -> Self::Frozen;
    /// Reads what a snapshot kept, also one of an earlier version.
    ///
    /// # Errors
    /// When it is none.
    fn read_frozen(bytes: &[u8]) -> Result<Self::Frozen, postcard::Error> {
        postcard::from_bytes(bytes)
    }
    /// As it was when frozen.
    fn thaw(frozen: Self::Frozen) -> Self;
    /// Notes that commands may have been lost which somebody knows of.
    fn after_loss(&mut self);
    /// What to tell listeners when this machine takes the place of another one.
    fn replaced(&self) -> Vec<Self::Event>;
}
