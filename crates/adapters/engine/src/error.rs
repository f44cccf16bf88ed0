//! What can go wrong in the engine itself.

/// Why the engine could not run a test, or not to its end.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// A worker thread or its reactor could not be made.
    #[error("cannot start worker {worker}: {source}")]
    Worker {
        /// Its number, from 0.
        worker: usize,
        /// What the kernel said.
        source: std::io::Error,
    },
    /// All workers are gone although the run is not over.
    #[error("the workers are gone")]
    WorkersGone,
}
