//! The waiting room: holds visitors in a fair queue and admits them at the rate a service
//! can carry.
//!
//! From the inside out: [`queue`] decides who waits, who is next and who is inside, and is
//! pure. [`storage`] keeps commands in one order, in files or in Redis. [`replica`] is a
//! gate's copy of what the commands made. [`directory`] knows tenants, keys and queues,
//! [`tokens`] signs what people carry, [`gate`] puts these together, and [`http`] serves it.
//!
//! It knows nothing of load tests. Their result comes in as a file: [`capacity`].

pub mod capacity;
pub mod controller;
pub mod directory;
pub mod gate;
pub mod http;
pub mod queue;
pub mod replica;
pub mod storage;
pub mod tokens;

mod machines;

/// A random number: tells one gate from all others.
///
/// # Errors
/// The system's, when it has no randomness.
pub fn draw_number() -> Result<u64, getrandom::Error> {
    getrandom::u64()
}
